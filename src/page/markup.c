// SPDX-License-Identifier: Apache-2.0
#include "markup.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>

struct markup {
	xmlTextWriter *writer;
	bool failed;
};

static int write_text(void *data, const char *bytes, int length)
{
	oclmm_text_add_bytes(data, bytes, (size_t)length);
	return length;
}

struct markup *markup_create(struct oclmm_text *text)
{
	xmlOutputBuffer *buffer = xmlOutputBufferCreateIO(write_text, NULL, text, NULL);
	xmlTextWriter *writer = buffer ? xmlNewTextWriter(buffer) : NULL;
	struct markup *markup;

	if (!writer) {
		if (buffer)
			xmlOutputBufferClose(buffer);
		return NULL;
	}
	markup = oclmm_calloc(1, sizeof(*markup));
	markup->writer = writer;
	return markup;
}

int markup_destroy(struct markup *markup)
{
	int r;

	if (xmlTextWriterEndDocument(markup->writer) < 0)
		markup->failed = true;
	xmlFreeTextWriter(markup->writer);
	r = markup->failed ? -ENOMEM : 0;
	free(markup);
	return r;
}

static void check(struct markup *markup, int result)
{
	if (result < 0)
		markup->failed = true;
}

static void add_attributes(struct markup *markup, va_list arguments)
{
	const char *name;

	while ((name = va_arg(arguments, const char *))) {
		const char *value = va_arg(arguments, const char *);
		char *cleaned;

		if (!value)
			continue;
		cleaned = oclmm_xml_clean(value);
		check(markup,
		      xmlTextWriterWriteAttribute(markup->writer, BAD_CAST name, BAD_CAST cleaned));
		free(cleaned);
	}
}

void markup_open(struct markup *markup, const char *name, ...)
{
	va_list arguments;

	check(markup, xmlTextWriterStartElement(markup->writer, BAD_CAST name));
	va_start(arguments, name);
	add_attributes(markup, arguments);
	va_end(arguments);
}

void markup_close(struct markup *markup)
{
	/* `<p/>` is an opening tag to a reader of HTML */
	check(markup, xmlTextWriterFullEndElement(markup->writer));
}

void markup_void(struct markup *markup, const char *name, ...)
{
	va_list arguments;

	check(markup, xmlTextWriterStartElement(markup->writer, BAD_CAST name));
	va_start(arguments, name);
	add_attributes(markup, arguments);
	va_end(arguments);
	check(markup, xmlTextWriterEndElement(markup->writer));
}

void markup_element(struct markup *markup, const char *name, const char *content, ...)
{
	va_list arguments;

	check(markup, xmlTextWriterStartElement(markup->writer, BAD_CAST name));
	va_start(arguments, content);
	add_attributes(markup, arguments);
	va_end(arguments);
	if (content)
		markup_text(markup, content);
	markup_close(markup);
}

void markup_text(struct markup *markup, const char *text)
{
	char *cleaned = oclmm_xml_clean(text);

	check(markup, xmlTextWriterWriteString(markup->writer, BAD_CAST cleaned));
	free(cleaned);
}

void markup_printf(struct markup *markup, const char *format, ...)
{
	va_list arguments, again;
	char *string;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	string = oclmm_malloc((size_t)length + 1);
	vsnprintf(string, (size_t)length + 1, format, arguments);
	va_end(arguments);
	markup_text(markup, string);
	free(string);
}

void markup_raw(struct markup *markup, const char *text)
{
	check(markup, xmlTextWriterWriteRaw(markup->writer, BAD_CAST text));
}
