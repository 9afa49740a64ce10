// SPDX-License-Identifier: Apache-2.0
#include "read_page.h"

#include <libxml/parser.h>
#include <libxml/xpathInternals.h>
#include <string.h>

static void read_data(struct read_page *page)
{
	xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST "//h:script[@id='data']",
	                                               page->xpath);
	json_error_t error;
	char *text;

	assert_int_equal(found->nodesetval->nodeNr, 1);
	text = (char *)xmlNodeGetContent(found->nodesetval->nodeTab[0]);
	page->data = json_loads(text, 0, &error);
	assert_non_null(page->data);
	xmlFree(text);
	xmlXPathFreeObject(found);
}

void write_page(struct read_page *page, const struct oclmm_record *const *records, size_t count,
                const struct oclmm_page_options *options)
{
	write_page_of(page, NULL, 0, records, count, options);
}

void write_page_of(struct read_page *page, const struct oclmm_saved_run *runs, size_t run_count,
                   const struct oclmm_record *const *records, size_t count,
                   const struct oclmm_page_options *options)
{
	oclmm_text_init(&page->text);
	assert_int_equal(oclmm_page_write(&page->text, runs, run_count, records, count, options,
	                                  &page->counts),
	                 0);
	page->document = xmlReadMemory(page->text.data, (int)page->text.length, "page", NULL,
	                               XML_PARSE_NONET);
	assert_non_null(page->document);
	page->xpath = xmlXPathNewContext(page->document);
	xmlXPathRegisterNs(page->xpath, BAD_CAST "h", BAD_CAST "http://www.w3.org/1999/xhtml");
	read_data(page);
}

void drop_page(struct read_page *page)
{
	json_decref(page->data);
	xmlXPathFreeContext(page->xpath);
	xmlFreeDoc(page->document);
	oclmm_text_finish(&page->text);
}

int count(struct read_page *page, const char *path)
{
	xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST path, page->xpath);
	int nodes;

	assert_non_null(found);
	nodes = found->nodesetval ? found->nodesetval->nodeNr : 0;
	xmlXPathFreeObject(found);
	return nodes;
}

void assert_text(struct read_page *page, const char *path, const char *wanted)
{
	xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST path, page->xpath);
	char *text;

	assert_non_null(found);
	assert_true(found->nodesetval && found->nodesetval->nodeNr > 0);
	text = (char *)xmlNodeGetContent(found->nodesetval->nodeTab[0]);
	assert_string_equal(text, wanted);
	xmlFree(text);
	xmlXPathFreeObject(found);
}

/* ---- the data ---- */

json_t *at(const json_t *list, size_t index)
{
	json_t *item = json_array_get(list, index);

	assert_non_null(item);
	return item;
}

long long number(const json_t *list, size_t index)
{
	return json_integer_value(at(list, index));
}

const char *string(const struct read_page *page, const json_t *list, size_t index)
{
	return json_string_value(
		at(json_object_get(page->data, "strings"), (size_t)number(list, index)));
}

json_t *find_test(const struct read_page *page, const char *name)
{
	const json_t *tests = json_object_get(page->data, "tests");

	for (size_t i = 0; i < json_array_size(tests); i++) {
		if (strcmp(string(page, at(tests, i), NAME), name) == 0)
			return at(tests, i);
	}
	fail_msg("no %s", name);
	return NULL;
}

json_t *find_cell(const struct read_page *page, const char *name, size_t column)
{
	return at(at(find_test(page, name), CELLS), column);
}

json_t *find_outcome(const struct read_page *page, const char *test, const char *name)
{
	const json_t *outcomes = at(find_test(page, test), OUTCOMES);

	for (size_t i = 0; i < json_array_size(outcomes); i++) {
		if (strcmp(string(page, at(outcomes, i), 0), name) == 0)
			return at(outcomes, i);
	}
	fail_msg("no outcome %s of %s, which begins with %s", name, test,
	         json_array_size(outcomes) ? string(page, at(outcomes, 0), 0) : "nothing");
	return NULL;
}

const char *word_of(const struct read_page *page, const char *table, long long index)
{
	return json_string_value(at(at(json_object_get(page->data, table), (size_t)index), 0));
}

void assert_kind(const struct read_page *page, const char *test, const char *name, const char *kind)
{
	assert_string_equal(word_of(page, "kinds", number(find_outcome(page, test, name), 1)),
	                    kind);
}
