// SPDX-License-Identifier: Apache-2.0
/* Whatever is written, libxml2 reads the same again. */
#include "oclmm/base_xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/test.h"
#include <iconv.h>
#include <libxml/chvalid.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlwriter.h>

static void assert_clean(const char *from, const char *to)
{
	char *clean = oclmm_xml_clean(from);

	assert_string_equal(clean, to);
	free(clean);
}

TEST(what_is_no_character_is_replaced)
{
	assert_clean("", "");
	assert_clean("a\tb\nc <&>", "a\tb\nc <&>");
	assert_clean("a\x01\r\x7f", "a???");
	assert_clean("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	             "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	/* cut short, overlong, a surrogate, beyond Unicode, no character, a control character */
	assert_clean("\xe2\x82", "??");
	assert_clean("\xc0\x80", "??");
	assert_clean("\xed\xa0\x80", "???");
	assert_clean("\xf4\x90\x80\x80", "????");
	assert_clean("\xef\xbf\xbe", "???");
	assert_clean("\xc2\x85", "??");
	/* turns the writing, ends a line, is not seen; their neighbours stay */
	assert_clean("a\xe2\x80\xae"
	             "b\xe2\x81\xa9"
	             "c\xd8\x9c",
	             "a???b???c??");
	assert_clean("\xe2\x80\xa8\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x80\xa0", "?????????????");
	assert_clean("\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xb0",
	             "\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xb0");
}

TEST(what_is_markup_is_escaped)
{
	struct oclmm_text text = {0};

	oclmm_text_add_xml(&text, "<a b=\"c\">'&'\x02</a>");
	assert_string_equal(oclmm_text_string(&text),
	                    "&lt;a b=&quot;c&quot;&gt;&#39;&amp;&#39;?&lt;/a&gt;");
	oclmm_text_finish(&text);
}

/* Also what would end the script in which the text may stand. */
TEST(what_is_markup_is_a_number_in_json)
{
	struct oclmm_text text = {0};

	oclmm_text_add_json(&text, "</script>&\"\\\n\t\x02\xff\xc3\xa4");
	assert_string_equal(oclmm_text_string(&text),
	                    "\"\\u003c/script\\u003e\\u0026\\\"\\\\\\n\\t??\xc3\xa4\"");
	oclmm_text_finish(&text);
}

/* The character that so many bytes are, as the C library sees them; -1: they are none, or several.
 */
static int character(iconv_t converter, const char *bytes, size_t length)
{
	char *from = (char *)(uintptr_t)bytes;
	uint32_t result[4];
	char *to = (char *)result;
	size_t room = sizeof(result);

	iconv(converter, NULL, NULL, NULL, NULL);
	if (iconv(converter, &from, &length, &to, &room) == (size_t)-1 ||
	    room != sizeof(result) - 4 || result[0] > 0x10ffff)
		return -1;
	return (int)result[0];
}

/* By the properties of Unicode: Bidi_Control, Line_ and Paragraph_Separator, and of
 * Default_Ignorable_Code_Point those that do not belong to a script. */
static bool is_unseen(int c)
{
	bool bidi = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	            (c >= 0x2066 && c <= 0x2069);
	bool separator = c == 0x2028 || c == 0x2029;
	bool ignorable = (c >= 0x200b && c <= 0x200d) || (c >= 0x2060 && c <= 0x206f) ||
	                 c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);

	return bidi || separator || ignorable;
}

/* The slow way: at each byte, is there a character of any length? */
static char *reference(iconv_t converter, const char *string)
{
	char *copy = oclmm_strdup(string);
	size_t length = strlen(copy);

	for (size_t at = 0; at < length;) {
		int c = -1;
		size_t size;

		for (size = 1; size <= 4 && at + size <= length; size++)
			if ((c = character(converter, copy + at, size)) >= 0)
				break;
		if (c < 0 || !xmlIsCharQ(c) || c == '\r' || (c >= 0x7f && c < 0xa0) ||
		    is_unseen(c)) {
			copy[at++] = '?';
			continue;
		}
		at += size;
	}
	return copy;
}

static void check_reading(const char *wanted, const char *string)
{
	struct oclmm_text text = {0};
	xmlDoc *document;
	xmlChar *content;

	oclmm_text_add(&text, "<t>");
	oclmm_text_add_xml(&text, string);
	oclmm_text_add(&text, "</t>");
	document = xmlReadMemory(text.data, (int)text.length, NULL, "UTF-8",
	                         XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	assert_non_null(document);
	content = xmlNodeGetContent(xmlDocGetRootElement(document));
	assert_string_equal((const char *)content, wanted);
	xmlFree(content);
	xmlFreeDoc(document);
	oclmm_text_finish(&text);
}

/* Bytes near the borders of what UTF-8 and XML allow are drawn more often than others. */
TEST(drawn_strings_are_read_back)
{
	static const unsigned char bytes[] = {0x01, 0x09, 0x0d, '<',  '&',  '"',  0x7f, 0x80,
	                                      0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0,
	                                      0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff, 0xbe, 'a',
	                                      0xe2, 0x81, 0xae, 0xa8, 0xa9, 0xef, 0xbb};

	iconv_t converter = iconv_open("UTF-32LE", "UTF-8");

	for (uint64_t i = 0; i < 20000; i++) {
		char string[9], *clean, *wanted;
		size_t length = oclmm_random_below(7, 16 * i, 8);

		for (size_t k = 0; k < length; k++)
			string[k] =
				(char)bytes[oclmm_random_below(7, 16 * i + 1 + k, sizeof(bytes))];
		string[length] = '\0';
		clean = oclmm_xml_clean(string);
		wanted = reference(converter, string);
		assert_string_equal(clean, wanted);
		check_reading(wanted, string);
		free(clean);
		free(wanted);
	}
	iconv_close(converter);
}

/* The same document by this writer and by libxml2's, as `key` draws it. */
static void write_drawn(uint64_t key, bool indents, struct oclmm_text *ours, xmlBuffer *theirs)
{
	static const char *const names[] = {"a", "suite", "b-c"};
	static const char *const strings[] = {"", "x", " <&>\"' ", "\n\ttab\n",
	                                      "\xc3\xa4\xe2\x82\xac"};
	struct oclmm_xml xml = {.text = ours, .indents = indents};
	xmlTextWriter *writer = xmlNewTextWriterMemory(theirs, 0);
	bool in_tag = true;
	unsigned attributes = 0, depth = 1;

	xmlTextWriterSetIndent(writer, indents);
	xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
	oclmm_text_add(ours, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	oclmm_xml_open(&xml, "root");
	xmlTextWriterStartElement(writer, BAD_CAST "root");
	for (uint64_t i = 0; i < 60; i++) {
		const char *name = names[oclmm_random_below(key, 3 * i, OCLMM_COUNT(names))];
		const char *string =
			strings[oclmm_random_below(key, 3 * i + 1, OCLMM_COUNT(strings))];
		char attribute[16];

		switch (oclmm_random_below(key, 3 * i + 2, 5)) {
		case 0:
			oclmm_xml_open(&xml, name);
			xmlTextWriterStartElement(writer, BAD_CAST name);
			in_tag = true;
			depth++;
			break;
		case 1:
			if (!in_tag)
				break;
			snprintf(attribute, sizeof(attribute), "n%u", attributes++);
			oclmm_xml_attribute(&xml, attribute, string);
			xmlTextWriterWriteAttribute(writer, BAD_CAST attribute, BAD_CAST string);
			break;
		case 2:
			oclmm_xml_string(&xml, string);
			xmlTextWriterWriteString(writer, BAD_CAST string);
			in_tag = false;
			break;
		case 3:
			oclmm_xml_raw(&xml, "<i/>");
			xmlTextWriterWriteRaw(writer, BAD_CAST "<i/>");
			in_tag = false;
			break;
		default:
			if (depth == 1)
				break;
			/* pages have no lines of their own */
			if (!indents && i % 2) {
				oclmm_xml_close_with_tag(&xml);
				xmlTextWriterFullEndElement(writer);
			} else {
				oclmm_xml_close(&xml);
				xmlTextWriterEndElement(writer);
			}
			in_tag = false;
			depth--;
		}
	}
	oclmm_xml_finish(&xml);
	xmlTextWriterEndDocument(writer);
	xmlFreeTextWriter(writer);
}

TEST(documents_are_those_of_libxml2)
{
	for (uint64_t key = 0; key < 400; key++) {
		struct oclmm_text ours = {0};
		xmlBuffer *theirs = xmlBufferCreate();

		write_drawn(key, key % 2, &ours, theirs);
		assert_string_equal(oclmm_text_string(&ours),
		                    (const char *)xmlBufferContent(theirs));
		oclmm_text_finish(&ours);
		xmlBufferFree(theirs);
	}
}
