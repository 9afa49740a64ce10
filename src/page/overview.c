// SPDX-License-Identifier: Apache-2.0
/* Where the tests ran, and how they went, by verdict and by family. */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A wide table moves within its frame, so that the page does not; the keyboard reaches it. */
static void open_table(struct markup *markup, const char *title)
{
	markup_open(markup, "div", "class", "frame", "role", "region", "aria-label", title,
	            "tabindex", "0", NULL);
	markup_open(markup, "table", NULL);
	markup_element(markup, "caption", title, NULL);
}

static void close_table(struct markup *markup)
{
	markup_close(markup);
	markup_close(markup);
	markup_text(markup, "\n");
}

static void heading(struct markup *markup, const char *const *names, size_t count)
{
	markup_open(markup, "tr", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "th", names[i], "scope", "col", NULL);
	markup_close(markup);
}

static void add_count(struct markup *markup, uint64_t count, const char *address)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	markup_open(markup, "td", "class", "n", NULL);
	if (!count)
		markup_text(markup, "–");
	else if (address)
		markup_element(markup, "a", text, "href", address, NULL);
	else
		markup_text(markup, text);
	markup_close(markup);
}

/* ---- devices ---- */

static void device_row(struct page *page, const struct configuration *configuration)
{
	const struct oclmm_record *record = configuration->record;
	struct markup *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", configuration->label, "scope", "row", NULL);
	markup_element(markup, "td", page_string(record->driver), NULL);
	markup_open(markup, "td", NULL);
	markup_text(markup, page_string(record->platform));
	if (record->device_version)
		markup_printf(markup, " (%s)", record->device_version);
	markup_close(markup);
	for (int class = 0; class < OCLMM_CLASS_COUNT; class ++)
		add_count(markup, configuration->classes[class], NULL);
	page_quantity(markup, "td", "n", configuration->instances);
	markup_open(markup, "td", "class", "n", NULL);
	markup_printf(markup, "%.1f s", configuration->seconds);
	markup_close(markup);
	markup_close(markup);
}

/* Environments are long and few: each once, as a variable of the shell that the tests' commands
 * name. */
static void environments(struct page *page)
{
	struct markup *markup = page->markup;

	if (!page->environment_count)
		return;
	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	markup_printf(markup, "%zu environment%s", page->environment_count,
	              page->environment_count == 1 ? "" : "s");
	markup_close(markup);
	for (size_t i = 0; i < page->environment_count; i++) {
		struct oclmm_text text;

		oclmm_text_init(&text);
		oclmm_text_printf(&text, "E%zu=", i + 1);
		oclmm_text_add_quoted(&text, page->environments[i]);
		markup_open(markup, "p", "class", "code", "id",
		            oclmm_arena_printf(page->arena, "E%zu", i + 1), NULL);
		markup_element(markup, "code", oclmm_text_string(&text), NULL);
		markup_close(markup);
		oclmm_text_finish(&text);
	}
	markup_close(markup);
}

static bool skipped_for(const struct test *test, size_t index, const char **ret_message)
{
	const struct cell *cell = &test->cells[index];

	*ret_message = cell->count ? cell->records[0]->message : NULL;
	return cell->count && cell->verdict == OCLMM_VERDICT_SKIP && *ret_message;
}

/* Whether an earlier test told the same reason. */
static bool told(const struct page *page, size_t before, size_t index, const char *message)
{
	const char *other;

	for (size_t i = 0; i < before; i++) {
		if (skipped_for(&page->tests[i], index, &other) && strcmp(other, message) == 0)
			return true;
	}
	return false;
}

static void missing_features(struct page *page, size_t index)
{
	struct markup *markup = page->markup;
	const char *message, *other;
	bool any = false;

	for (size_t i = 0; i < page->test_count; i++) {
		size_t count = 0;

		if (!skipped_for(&page->tests[i], index, &message) || told(page, i, index, message))
			continue;
		for (size_t k = i; k < page->test_count; k++)
			count += skipped_for(&page->tests[k], index, &other) &&
			         strcmp(other, message) == 0;
		if (!any) {
			markup_open(markup, "p", NULL);
			markup_printf(markup, "%s skipped tests for these reasons:",
			              page->configurations[index].label);
			markup_close(markup);
			markup_open(markup, "ul", NULL);
		}
		any = true;
		markup_open(markup, "li", NULL);
		markup_printf(markup, "%s (%zu)", message, count);
		markup_close(markup);
	}
	if (any)
		markup_close(markup);
}

void page_devices(struct page *page)
{
	static const char *const names[] = {"device",        "driver",       "platform",
	                                    "tests claimed", "accepted",     "unsupported",
	                                    "instances",     "on the device"};
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "devices", NULL);
	markup_element(markup, "h2", "Devices", NULL);
	markup_open(markup, "p", "class", "note", NULL);
	markup_text(markup,
	            "Claimed: the device declares all that the test needs, so the test gates. "
	            "Accepted: it "
	            "builds although not all is declared; told apart. Unsupported: skipped.");
	markup_close(markup);
	open_table(markup, "Where the tests ran");
	markup_open(markup, "thead", NULL);
	heading(markup, names, OCLMM_COUNT(names));
	markup_close(markup);
	markup_open(markup, "tbody", NULL);
	for (size_t i = 0; i < page->configuration_count; i++)
		device_row(page, &page->configurations[i]);
	markup_close(markup);
	close_table(markup);
	for (size_t i = 0; i < page->configuration_count; i++)
		missing_features(page, i);
	environments(page);
	markup_close(markup);
	markup_text(markup, "\n");
}

/* ---- verdicts ---- */

/* The verdicts that occur, gravest first. */
static size_t list_verdicts(const struct page *page, enum oclmm_verdict *ret_verdicts)
{
	size_t count = 0;

	for (unsigned gravity = 0; gravity < OCLMM_VERDICT_COUNT; gravity++) {
		for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
			uint64_t seen = 0;

			if (page_gravity((enum oclmm_verdict)i) != gravity)
				continue;
			for (size_t k = 0; k < page->configuration_count; k++)
				seen += page->configurations[k].verdicts[i];
			if (seen)
				ret_verdicts[count++] = (enum oclmm_verdict)i;
		}
	}
	return count;
}

static void verdict_table(struct page *page, const enum oclmm_verdict *verdicts, size_t count)
{
	struct markup *markup = page->markup;
	char address[64];

	open_table(markup, "Tests by verdict");
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", "verdict", "scope", "col", NULL);
	for (size_t i = 0; i < page->configuration_count; i++)
		markup_element(markup, "th", page->configurations[i].label, "scope", "col", NULL);
	markup_element(markup, "th", "what it means", "scope", "col", NULL);
	markup_close(markup);
	markup_close(markup);
	markup_open(markup, "tbody", NULL);
	for (size_t i = 0; i < count; i++) {
		snprintf(address, sizeof(address), "#verdict=%s", oclmm_verdict_word(verdicts[i]));
		markup_open(markup, "tr", NULL);
		markup_open(markup, "th", "scope", "row", NULL);
		page_verdict(markup, verdicts[i]);
		markup_close(markup);
		for (size_t k = 0; k < page->configuration_count; k++)
			add_count(markup, page->configurations[k].verdicts[verdicts[i]], address);
		markup_element(markup, "td", oclmm_verdict_meaning(verdicts[i]), NULL);
		markup_close(markup);
	}
	markup_close(markup);
	close_table(markup);
}

/* ---- families ---- */

static const char *family_of(const struct test *test)
{
	return page_string(test->record->family);
}

static void family_row(struct page *page, size_t from, size_t to, size_t configuration,
                       const enum oclmm_verdict *verdicts, size_t count)
{
	struct markup *markup = page->markup;
	const char *family = family_of(&page->tests[from]);
	uint64_t counts[OCLMM_VERDICT_COUNT] = {0}, instances = 0, weak = 0, tests = 0;

	for (size_t i = from; i < to; i++) {
		const struct cell *cell = &page->tests[i].cells[configuration];

		if (!cell->count)
			continue;
		tests++;
		counts[cell->verdict]++;
		instances += cell->instances;
		weak += cell->weak > 0;
	}
	if (!tests)
		return;
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", *family ? family : "(none)", "scope", "row", NULL);
	add_count(markup, tests,
	          oclmm_arena_printf(page->arena, "#f%s",
	                             page_identifier(page->arena, family) + 1));
	for (size_t i = 0; i < count; i++)
		add_count(markup, counts[verdicts[i]],
		          oclmm_arena_printf(page->arena, "#family=%s&verdict=%s",
		                             page_identifier(page->arena, family) + 2,
		                             oclmm_verdict_word(verdicts[i])));
	add_count(markup, weak, NULL);
	page_quantity(markup, "td", "n", instances);
	markup_close(markup);
}

static void family_table(struct page *page, size_t configuration,
                         const enum oclmm_verdict *verdicts, size_t count)
{
	struct markup *markup = page->markup;
	char *title = oclmm_arena_printf(
		page->arena, "%s%s%s", "Tests by family", page->configuration_count > 1 ? ", " : "",
		page->configuration_count > 1 ? page->configurations[configuration].label : "");

	open_table(markup, title);
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", "family", "scope", "col", NULL);
	markup_element(markup, "th", "tests", "scope", "col", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "th", oclmm_verdict_word(verdicts[i]), "scope", "col", NULL);
	markup_element(markup, "th", "weak seen", "scope", "col", NULL);
	markup_element(markup, "th", "instances", "scope", "col", NULL);
	markup_close(markup);
	markup_close(markup);
	markup_open(markup, "tbody", NULL);
	for (size_t from = 0, to; from < page->test_count; from = to) {
		for (to = from + 1; to < page->test_count; to++) {
			if (strcmp(family_of(&page->tests[from]), family_of(&page->tests[to])) != 0)
				break;
		}
		family_row(page, from, to, configuration, verdicts, count);
	}
	markup_close(markup);
	close_table(markup);
}

void page_summary(struct page *page)
{
	enum oclmm_verdict verdicts[OCLMM_VERDICT_COUNT];
	size_t count = list_verdicts(page, verdicts);

	markup_open(page->markup, "section", "id", "summary", NULL);
	markup_element(page->markup, "h2", "Summary", NULL);
	verdict_table(page, verdicts, count);
	for (size_t i = 0; i < page->configuration_count; i++)
		family_table(page, i, verdicts, count);
	markup_close(page->markup);
	markup_text(page->markup, "\n");
}
