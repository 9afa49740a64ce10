// SPDX-License-Identifier: Apache-2.0
/* A document of XML, written element by element. */
#include "oclmm/base_xml.h"

#include <stdlib.h>

static const char *reference_of(char letter)
{
	switch (letter) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\t': return "&#9;";
	default: return "&#10;";
	}
}

/* In an attribute, blanks other than spaces would be read as spaces. */
static void add_escaped(struct oclmm_text *text, const char *string, bool is_attribute)
{
	char *clean = oclmm_xml_clean(string);

	for (const char *at = clean; *at;) {
		size_t plain = strcspn(at, is_attribute ? "&<>\"\t\n" : "&<>\"");

		oclmm_text_add_bytes(text, at, plain);
		at += plain;
		if (*at)
			oclmm_text_add(text, reference_of(*at++));
	}
	free(clean);
}

static void end_tag(struct oclmm_xml *xml)
{
	if (xml->in_tag)
		oclmm_text_add(xml->text, ">");
	xml->in_tag = false;
}

static void indent(const struct oclmm_xml *xml)
{
	for (size_t i = 1; xml->indents && i < xml->depth; i++)
		oclmm_text_add(xml->text, " ");
}

void oclmm_xml_open(struct oclmm_xml *xml, const char *name)
{
	if (xml->in_tag && xml->indents) {
		oclmm_text_add(xml->text, ">\n");
		xml->in_tag = false;
	}
	end_tag(xml);
	oclmm_grow(&xml->open, &xml->capacity, xml->depth, sizeof(*xml->open));
	xml->open[xml->depth++] = name;
	indent(xml);
	oclmm_text_printf(xml->text, "<%s", name);
	xml->in_tag = true;
}

void oclmm_xml_attribute(struct oclmm_xml *xml, const char *name, const char *value)
{
	oclmm_text_printf(xml->text, " %s=\"", name);
	add_escaped(xml->text, value, true);
	oclmm_text_add(xml->text, "\"");
}

void oclmm_xml_string(struct oclmm_xml *xml, const char *string)
{
	end_tag(xml);
	add_escaped(xml->text, string, false);
	xml->after_text = true;
}

void oclmm_xml_raw(struct oclmm_xml *xml, const char *markup)
{
	end_tag(xml);
	oclmm_text_add(xml->text, markup);
	xml->after_text = true;
}

void oclmm_xml_close(struct oclmm_xml *xml)
{
	if (!xml->in_tag && !xml->after_text)
		indent(xml);
	xml->depth--;
	if (xml->in_tag)
		oclmm_text_add(xml->text, "/>");
	else
		oclmm_text_printf(xml->text, "</%s>", xml->open[xml->depth]);
	xml->in_tag = xml->after_text = false;
	if (xml->indents)
		oclmm_text_add(xml->text, "\n");
}

void oclmm_xml_close_with_tag(struct oclmm_xml *xml)
{
	oclmm_xml_raw(xml, "");
	oclmm_xml_close(xml);
}

void oclmm_xml_finish(struct oclmm_xml *xml)
{
	while (xml->depth > 0)
		oclmm_xml_close(xml);
	if (!xml->indents)
		oclmm_text_add(xml->text, "\n");
	free(xml->open);
	*xml = (struct oclmm_xml){0};
}
