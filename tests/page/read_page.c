// SPDX-License-Identifier: Apache-2.0
#include "read_page.h"

#include <libxml/parser.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>
#include <string.h>

/* The text of an element for the script. */
static char *text_of(const struct read_page *page, const char *path)
{
	xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST path, page->xpath);
	char *text;

	assert_int_equal(found->nodesetval->nodeNr, 1);
	text = (char *)xmlNodeGetContent(found->nodesetval->nodeTab[0]);
	xmlXPathFreeObject(found);
	return text;
}

/* What stood before stands between two backquotes: how far back, and how long. */
static char *unpack(const char *packed)
{
	char *at;
	size_t size = (size_t)strtoull(packed, &at, 36), length = 0;
	char *plain = oclmm_calloc(1, size + 1);

	assert_int_equal(*at, '\n');
	for (at++; *at; at++) {
		size_t distance, same;

		if (*at != '`' || at[1] == '`') {
			assert_true(length < size);
			plain[length++] = *at;
			at += *at == '`';
			continue;
		}
		distance = (size_t)strtoull(at + 1, &at, 36);
		same = (size_t)strtoull(at + 1, &at, 36);
		assert_true(same <= distance && distance <= length && length + same <= size);
		memcpy(plain + length, plain + length - distance, same);
		length += same;
		assert_int_equal(*at, '`');
	}
	assert_int_equal(length, size);
	return plain;
}

static void read_results(struct read_page *page)
{
	char *packed = text_of(page, "//h:script[@id='results']"), *text = unpack(packed);
	json_t *last = NULL;

	page->records = json_array();
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		json_t *object = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
		const char *type = json_string_value(json_object_get(object, "type"));

		assert_non_null(type);
		if (strcmp(type, "test") == 0) {
			json_array_append(page->records, object);
			last = object;
		} else if (strcmp(type, "confidence") == 0) {
			json_object_set(last, "judged", object);
		}
		json_decref(object);
	}
	free(text);
	xmlFree(packed);
}

static void read_data(struct read_page *page)
{
	char *text = text_of(page, "//h:script[@id='data']");

	page->data = json_loads(text, 0, NULL);
	assert_non_null(page->data);
	xmlFree(text);
	read_results(page);
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
	json_decref(page->records);
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

json_t *member(const json_t *object, const char *key)
{
	json_t *item = json_object_get(object, key);

	if (!item)
		fail_msg("no %s", key);
	return item;
}

long long number(const json_t *object, const char *key)
{
	return json_integer_value(member(object, key));
}

const char *string(const struct read_page *page, const json_t *object, const char *key)
{
	return json_string_value(at(member(page->data, "strings"), (size_t)number(object, key)));
}

json_t *find_test(const struct read_page *page, const char *name)
{
	const json_t *tests = member(page->data, "tests");

	for (size_t i = 0; i < json_array_size(tests); i++) {
		if (strcmp(string(page, at(tests, i), "name"), name) == 0)
			return at(tests, i);
	}
	fail_msg("no %s", name);
	return NULL;
}

json_t *find_cell(const struct read_page *page, const char *name, size_t column)
{
	return at(member(find_test(page, name), "cells"), column);
}

/* One of a cell's. */
static json_t *record_at(const struct read_page *page, const json_t *cell, size_t index)
{
	return at(page->records, (size_t)json_integer_value(at(member(cell, "records"), index)));
}

json_t *find_record(const struct read_page *page, const char *name, size_t column)
{
	return record_at(page, find_cell(page, name, column), 0);
}

static const json_t *find_outcome(const json_t *record, const char *name)
{
	const json_t *outcomes = member(record, "outcomes"), *value;
	const char *key;

	for (size_t i = 0; i < json_array_size(outcomes); i++) {
		struct oclmm_text text = {0};
		bool same;

		json_object_foreach(member(at(outcomes, i), "values"), key, value)
			oclmm_text_printf(&text, "%s%s=%lld;", text.length ? " " : "", key,
		                          (long long)json_integer_value(value));
		same = strcmp(oclmm_text_string(&text), name) == 0;
		oclmm_text_finish(&text);
		if (same)
			return at(outcomes, i);
	}
	return NULL;
}

long long count_outcome(const struct read_page *page, const char *test, size_t column,
                        const char *name)
{
	const json_t *cell = find_cell(page, test, column);
	long long sum = 0;

	for (size_t i = 0; i < json_array_size(member(cell, "records")); i++) {
		/* what is not allowed and was not seen has no row */
		const json_t *outcome = find_outcome(record_at(page, cell, i), name);

		sum += outcome ? number(outcome, "count") : 0;
	}
	return sum;
}

void assert_status(const struct read_page *page, const char *test, size_t column, const char *name,
                   const char *status, bool witness)
{
	const json_t *outcome = find_outcome(find_record(page, test, column), name);

	assert_non_null(outcome);
	assert_string_equal(json_string_value(member(outcome, "status")), status);
	assert_int_equal(json_is_true(member(outcome, "witness")), witness);
}
