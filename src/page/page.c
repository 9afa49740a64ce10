// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * HTML that is XML as well. Whatever comes from outside goes through here and is escaped; bytes
 * that XML does not have are replaced.
 */
struct markup {
	xmlTextWriter *writer;
	bool failed;
};

static int write_text(void *data, const char *bytes, int length)
{
	oclmm_text_add_bytes(data, bytes, (size_t)length);
	return length;
}

/* Writes into `text`, which must outlive it. NULL when libxml2 has no memory. */
static struct markup *markup_create(struct oclmm_text *text)
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

/* Closes what is open. Returns 0 or -ENOMEM. */
static int markup_destroy(struct markup *markup)
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

/* Attributes are pairs of name and value, behind them NULL; those whose value is NULL are left
 * out. */
static void __attribute__((sentinel)) markup_open(struct markup *markup, const char *name, ...)
{
	va_list arguments;

	check(markup, xmlTextWriterStartElement(markup->writer, BAD_CAST name));
	va_start(arguments, name);
	add_attributes(markup, arguments);
	va_end(arguments);
}

static void markup_close(struct markup *markup)
{
	/* `<p/>` is an opening tag to a reader of HTML */
	check(markup, xmlTextWriterFullEndElement(markup->writer));
}

/* An element without content, such as `br`. */
static void __attribute__((sentinel)) markup_void(struct markup *markup, const char *name, ...)
{
	va_list arguments;

	check(markup, xmlTextWriterStartElement(markup->writer, BAD_CAST name));
	va_start(arguments, name);
	add_attributes(markup, arguments);
	va_end(arguments);
	check(markup, xmlTextWriterEndElement(markup->writer));
}

static void markup_text(struct markup *markup, const char *text)
{
	char *cleaned = oclmm_xml_clean(text);

	check(markup, xmlTextWriterWriteString(markup->writer, BAD_CAST cleaned));
	free(cleaned);
}

/* An element that holds text only; NULL: nothing. */
static void __attribute__((sentinel))
markup_element(struct markup *markup, const char *name, const char *content, ...)
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

static void OCLMM_PRINTF(2, 3) markup_printf(struct markup *markup, const char *format, ...)
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

/* Well-formed markup of our own, as it is. */
static void markup_raw(struct markup *markup, const char *text)
{
	check(markup, xmlTextWriterWriteRaw(markup->writer, BAD_CAST text));
}

/* Where the tests ran, and how they went, by verdict. */

/* ---- words with their marks ---- */

/* Each gravity has one verdict. */
static enum oclmm_verdict verdict_of_gravity(unsigned gravity)
{
	int verdict = 0;

	while (oclmm_page_gravity((enum oclmm_verdict)verdict) != gravity)
		verdict++;
	return (enum oclmm_verdict)verdict;
}

/* The tests of all columns that have this verdict. */
static uint64_t count_verdict(const struct page *page, enum oclmm_verdict verdict)
{
	uint64_t count = 0;

	for (size_t i = 0; i < page->column_count; i++)
		count += page->columns[i].verdicts[verdict];
	return count;
}

/* `pass` in a coloured box with its sign. */
static void print_verdict(const struct page *page, enum oclmm_verdict verdict)
{
	struct markup *markup = page->markup;

	markup_open(markup, "span", "class", page_verdict_class(page->arena, verdict), "title",
	            oclmm_verdict_meaning(verdict), NULL);
	markup_element(markup, "span", oclmm_page_verdict_sign(verdict), "aria-hidden", "true",
	               NULL);
	markup_printf(markup, " %s", oclmm_verdict_word(verdict));
	markup_close(markup);
}

/* A link to a test where the page has it, else its name. */
static void print_link(const struct page *page, const char *name)
{
	const struct test *test = oclmm_page_find(page, name);
	char *address;

	if (!test) {
		markup_element(page->markup, "code", name, NULL);
		return;
	}
	address = oclmm_arena_printf(page->arena, "#%s", test->id);
	markup_element(page->markup, "a", name, "href", address, NULL);
}

/* A count for people, `12.3 M`, with the exact number as its title. */
static void print_quantity(struct markup *markup, const char *element, const char *class,
                           uint64_t number)
{
	struct oclmm_text text = {0};
	char exact[24];

	oclmm_report_quantity(&text, (double)number);
	snprintf(exact, sizeof(exact), "%" PRIu64, number);
	markup_element(markup, element, oclmm_text_string(&text), "class", class, "title",
	               number < 1000 ? NULL : exact, NULL);
	oclmm_text_finish(&text);
}

/* A count with its digits in groups: `1,048,576`. */
static void print_grouped(struct markup *markup, uint64_t number)
{
	char digits[24], grouped[32];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, number), at = 0;

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			grouped[at++] = ',';
		grouped[at++] = digits[i];
	}
	grouped[at] = '\0';
	markup_text(markup, grouped);
}

static void open_table(struct markup *markup, const char *title)
{
	markup_open(markup, "div", "class", "frame", "role", "region", "aria-label", title,
	            "tabindex", "0", NULL);
	markup_open(markup, "table", "class", "s", NULL);
	markup_element(markup, "caption", title, NULL);
}

static void head_table(struct markup *markup, const char *const *names, size_t count)
{
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "th", names[i], "scope", "col", NULL);
	markup_close(markup);
	markup_close(markup);
	markup_open(markup, "tbody", NULL);
}

static void close_table(struct markup *markup)
{
	for (int i = 0; i < 3; i++)
		markup_close(markup);
	markup_text(markup, "\n");
}

/* `head` stands above the cell; on a narrow screen it stands in it. */
static void add_count(struct markup *markup, const char *head, uint64_t count, const char *address)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	markup_open(markup, "td", "class", "n", "data-h", head, NULL);
	if (!count)
		markup_text(markup, "–");
	else if (address)
		markup_element(markup, "a", text, "href", address, NULL);
	else
		markup_text(markup, text);
	markup_close(markup);
}

/* ---- devices ---- */

static const char *const device_heads[] = {"device",   "driver",      "platform",  "tests claimed",
                                           "accepted", "unsupported", "instances", "on the device"};

static void device_row(struct page *page, const struct column *column)
{
	const struct oclmm_record *record = column->record;
	struct markup *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", column->label, "scope", "row", NULL);
	markup_element(markup, "td", page_string(record->driver), "data-h", device_heads[1], NULL);
	markup_open(markup, "td", "data-h", device_heads[2], NULL);
	markup_text(markup, page_string(record->platform));
	if (record->device_version)
		markup_printf(markup, " (%s)", record->device_version);
	markup_close(markup);
	for (int class = 0; class < OCLMM_CLASS_COUNT; class ++)
		add_count(markup, device_heads[3 + class], column->classes[class], NULL);
	markup_open(markup, "td", "class", "n", "data-h", device_heads[6], NULL);
	print_quantity(markup, "span", NULL, column->instances);
	markup_close(markup);
	markup_open(markup, "td", "class", "n", "data-h", device_heads[7], NULL);
	markup_printf(markup, "%.1f s", column->seconds);
	markup_close(markup);
	markup_close(markup);
}

/* Why a test was skipped, or NULL. */
static const char *skipped_for(const struct test *test, size_t index)
{
	const struct cell *cell = &test->cells[index];

	return cell->count && cell->record->grade.verdict == OCLMM_VERDICT_SKIP
	               ? cell->record->message
	               : NULL;
}

static void list_reasons(struct page *page, const char *label, const struct pool *reasons,
                         const size_t *counts)
{
	struct markup *markup = page->markup;

	markup_open(markup, "p", NULL);
	markup_printf(markup, "%s skipped tests for these reasons:", label);
	markup_close(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 1; i < oclmm_pool_count(reasons); i++) {
		markup_open(markup, "li", NULL);
		markup_printf(markup, "%s (%zu)", oclmm_pool_at(reasons, i), counts[i]);
		markup_close(markup);
	}
	markup_close(markup);
}

static void missing_features(struct page *page, size_t index)
{
	size_t *counts = oclmm_calloc(page->test_count + 1, sizeof(*counts));
	struct pool *reasons = oclmm_pool_create();

	for (size_t i = 0; i < page->test_count; i++) {
		const char *reason = skipped_for(&page->tests[i], index);

		if (reason)
			counts[oclmm_pool_add(reasons, reason, strlen(reason))]++;
	}
	if (oclmm_pool_count(reasons) > 1)
		list_reasons(page, page->columns[index].label, reasons, counts);
	oclmm_pool_destroy(reasons);
	free(counts);
}

static void devices_section(struct page *page)
{
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "devices", NULL);
	markup_element(markup, "h2", "Devices", NULL);
	markup_open(markup, "p", "class", "note", NULL);
	markup_text(
		markup,
		"Claimed: the device declares all that the test needs, so that a failure counts. "
		"Accepted: its compiler builds the test, although the device does not declare all "
		"that it needs; a failure is told and does not count. Unsupported: the test was "
		"skipped.");
	markup_close(markup);
	open_table(markup, "Where the tests ran");
	head_table(markup, device_heads, OCLMM_COUNT(device_heads));
	for (size_t i = 0; i < page->column_count; i++)
		device_row(page, &page->columns[i]);
	close_table(markup);
	for (size_t i = 0; i < page->column_count; i++)
		missing_features(page, i);
	markup_close(markup);
	markup_text(markup, "\n");
}

/* ---- verdicts ---- */

/* The verdicts that occur, gravest first. */
static size_t list_verdicts(const struct page *page, enum oclmm_verdict *ret_verdicts)
{
	size_t count = 0;

	for (unsigned gravity = 0; gravity < OCLMM_VERDICT_COUNT; gravity++) {
		enum oclmm_verdict verdict = verdict_of_gravity(gravity);

		if (count_verdict(page, verdict))
			ret_verdicts[count++] = verdict;
	}
	return count;
}

static void verdict_head(struct page *page)
{
	const char *names[1 + OCLMM_PAGE_COLUMNS + 1];
	size_t count = 0;

	names[count++] = "verdict";
	for (size_t i = 0; i < page->column_count; i++)
		names[count++] = page->columns[i].label;
	names[count++] = "what it means";
	head_table(page->markup, names, count);
}

static void verdict_table(struct page *page, const enum oclmm_verdict *verdicts, size_t count)
{
	struct markup *markup = page->markup;
	char address[64];

	open_table(markup, "Tests by verdict");
	verdict_head(page);
	for (size_t i = 0; i < count; i++) {
		snprintf(address, sizeof(address), "#verdict=%s", oclmm_verdict_word(verdicts[i]));
		markup_open(markup, "tr", NULL);
		markup_open(markup, "th", "scope", "row", NULL);
		print_verdict(page, verdicts[i]);
		markup_close(markup);
		for (size_t k = 0; k < page->column_count; k++)
			add_count(markup, page->columns[k].label,
			          page->columns[k].verdicts[verdicts[i]], address);
		markup_element(markup, "td", oclmm_verdict_meaning(verdicts[i]), "data-h",
		               "what it means", NULL);
		markup_close(markup);
	}
	close_table(markup);
}

static void summary_section(struct page *page)
{
	enum oclmm_verdict verdicts[OCLMM_VERDICT_COUNT];
	size_t count = list_verdicts(page, verdicts);

	markup_open(page->markup, "section", "id", "summary", NULL);
	markup_element(page->markup, "h2", "Summary", NULL);
	verdict_table(page, verdicts, count);
	markup_close(page->markup);
	markup_text(page->markup, "\n");
}

/* What should be looked at first: failures, disputes. */

/* The outcomes that make the verdict, or the message. */
static void reason(struct page *page, const struct test *test, size_t index)
{
	const struct cell *cell = &test->cells[index];
	struct markup *markup = page->markup;
	bool any = false;

	markup_open(markup, "td", "data-h", "what was seen", NULL);
	for (size_t i = 0; i < test->outcome_count; i++) {
		const struct outcome *outcome = &test->outcomes[i];
		struct oclmm_text text = {0};

		if (!outcome->counts[index] || (outcome->row->status != OCLMM_STATUS_FORBIDDEN &&
		                                outcome->row->status != OCLMM_STATUS_DISPUTED))
			continue;
		oclmm_outcome_print(&text, test->record->program, outcome->row->values);
		if (any)
			markup_void(markup, "br", NULL);
		markup_element(markup, "code", oclmm_text_string(&text), NULL);
		markup_text(markup, " ");
		print_grouped(markup, outcome->counts[index]);
		markup_text(markup, " of ");
		print_grouped(markup, cell->instances);
		oclmm_text_finish(&text);
		any = true;
	}
	if (cell->record->message)
		markup_text(markup, cell->record->message);
	else if (cell->record->grade.known)
		markup_text(markup, cell->record->grade.known);
	markup_close(markup);
}

static void attention_row(struct page *page, const struct test *test, size_t index)
{
	struct markup *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_open(markup, "td", NULL);
	print_verdict(page, test->cells[index].record->grade.verdict);
	markup_close(markup);
	markup_open(markup, "th", "scope", "row", NULL);
	print_link(page, test->record->program->name);
	markup_close(markup);
	markup_element(markup, "td", page->columns[index].label, "data-h", "device", NULL);
	reason(page, test, index);
	markup_close(markup);
}

static void open_attention(struct page *page)
{
	static const char *const names[] = {"verdict", "test", "device", "what was seen"};
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "attention", NULL);
	markup_element(markup, "h2", "Look at these first", NULL);
	open_table(markup,
	           "Forbidden outcomes, tests that could not be run, what expectation files "
	           "list, and disputed outcomes");
	head_table(markup, names, OCLMM_COUNT(names));
}

/* All with one verdict; gives whether the table is open. */
static bool attention_rows(struct page *page, enum oclmm_verdict verdict, bool is_open)
{
	for (size_t i = 0; i < page->test_count; i++) {
		for (size_t k = 0; k < page->column_count; k++) {
			const struct cell *cell = &page->tests[i].cells[k];

			if (!cell->count || cell->record->grade.verdict != verdict)
				continue;
			if (!is_open)
				open_attention(page);
			is_open = true;
			attention_row(page, &page->tests[i], k);
		}
	}
	return is_open;
}

static void attention_section(struct page *page)
{
	bool is_open = false;

	for (unsigned gravity = 0; gravity <= oclmm_page_gravity(OCLMM_VERDICT_DISPUTED); gravity++)
		is_open = attention_rows(page, verdict_of_gravity(gravity), is_open);
	if (is_open) {
		close_table(page->markup);
		markup_close(page->markup);
	}
}

/* Tests that every run of the page skipped, of those that had them. */

/* Everything else is graver, so that no column has it. */
static bool ran_nowhere(const struct test *test)
{
	return test->verdict == OCLMM_VERDICT_SKIP;
}

/* What the devices lack, each reason once, in the order of the columns. */
static size_t reason_of(const struct page *page, const struct test *test, struct pool *reasons)
{
	struct pool *own = oclmm_pool_create();
	struct oclmm_text text = {0};
	size_t reason;

	for (size_t i = 0; i < page->column_count; i++) {
		const struct cell *cell = &test->cells[i];
		const char *message = cell->count ? page_string(cell->record->message) : "";

		if (*message)
			oclmm_pool_add(own, message, strlen(message));
	}
	for (size_t i = 1; i < oclmm_pool_count(own); i++)
		oclmm_text_printf(&text, "%s%s", i > 1 ? "; " : "", oclmm_pool_at(own, i));
	if (oclmm_pool_count(own) == 1)
		oclmm_text_add(&text, "no reason is on record");
	reason = oclmm_pool_add(reasons, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	oclmm_pool_destroy(own);
	return reason;
}

static void list_tests(struct page *page, const char *reason, const size_t *reason_of_test,
                       size_t index, size_t count)
{
	struct markup *markup = page->markup;

	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	markup_printf(markup, "%s: %s", reason, oclmm_counted(count, "test").text);
	markup_close(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 0; i < page->test_count; i++) {
		if (reason_of_test[i] != index)
			continue;
		markup_open(markup, "li", NULL);
		print_link(page, page->tests[i].record->program->name);
		if (page->tests[i].words.question)
			markup_printf(markup, " – %s", page->tests[i].words.question);
		markup_close(markup);
	}
	markup_close(markup);
	markup_close(markup);
}

static void section(struct page *page, const struct pool *reasons, const size_t *reason_of_test)
{
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "nowhere", NULL);
	markup_element(markup, "h2", "Not run anywhere yet", NULL);
	markup_element(
		markup, "p",
		"These tests were skipped wherever they were to run. They are listed by what "
		"the devices lack. What the specification allows is known all the same, for "
		"that asks no device.",
		"class", "note", NULL);
	for (size_t reason = 1; reason < oclmm_pool_count(reasons); reason++) {
		size_t count = 0;

		for (size_t i = 0; i < page->test_count; i++)
			count += reason_of_test[i] == reason;
		list_tests(page, oclmm_pool_at(reasons, reason), reason_of_test, reason, count);
	}
	markup_close(markup);
	markup_text(markup, "\n");
}

static void nowhere_section(struct page *page)
{
	size_t *reason_of_test = oclmm_calloc(page->test_count + 1, sizeof(*reason_of_test));
	struct pool *reasons = oclmm_pool_create();

	for (size_t i = 0; i < page->test_count; i++) {
		if (ran_nowhere(&page->tests[i]))
			reason_of_test[i] = reason_of(page, &page->tests[i], reasons);
	}
	if (oclmm_pool_count(reasons) > 1)
		section(page, reasons, reason_of_test);
	oclmm_pool_destroy(reasons);
	free(reason_of_test);
}

/* All tests as one table, for a reader whose browser runs no scripts. */

static void plain_cell(struct page *page, const struct cell *cell)
{
	struct markup *markup = page->markup;
	uint64_t seen = cell->weak + cell->forbidden;

	markup_open(markup, "td", NULL);
	if (cell->count) {
		enum oclmm_verdict verdict = cell->record->grade.verdict;

		markup_printf(markup, "%s %s", oclmm_page_verdict_sign(verdict),
		              oclmm_verdict_word(verdict));
		if (cell->instances) {
			struct oclmm_text text = {0};

			oclmm_report_quantity(&text, (double)seen);
			oclmm_text_add(&text, " in ");
			oclmm_report_quantity(&text, (double)cell->instances);
			markup_printf(markup, " %s", oclmm_text_string(&text));
			oclmm_text_finish(&text);
		}
	}
	markup_close(markup);
}

static void plain_head(struct page *page)
{
	struct markup *markup = page->markup;

	markup_element(
		markup, "p",
		"Without scripts this page shows verdicts only: how often the asked outcome, "
		"or a forbidden one, was seen, in how many instances.",
		"class", "note", NULL);
	markup_open(markup, "table", NULL);
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", "test", "scope", "col", NULL);
	for (size_t i = 0; i < page->column_count; i++)
		markup_element(markup, "th", page->columns[i].label, "scope", "col", NULL);
	markup_close(markup);
	markup_close(markup);
}

/* From what needs a look, and from what no device ran. */
static bool is_linked(const struct test *test)
{
	return oclmm_page_gravity(test->verdict) <= oclmm_page_gravity(OCLMM_VERDICT_DISPUTED) ||
	       ran_nowhere(test);
}

static void plain_table(struct page *page)
{
	struct markup *markup = page->markup;

	markup_open(markup, "noscript", NULL);
	markup_open(markup, "div", "class", "frame", NULL);
	plain_head(page);
	markup_open(markup, "tbody", NULL);
	for (size_t i = 0; i < page->test_count; i++) {
		const struct test *test = &page->tests[i];

		markup_open(markup, "tr", "id", is_linked(test) ? test->id : NULL, NULL);
		markup_element(markup, "th", test->record->program->name, "scope", "row", NULL);
		for (size_t k = 0; k < page->column_count; k++)
			plain_cell(page, &test->cells[k]);
		markup_close(markup);
		markup_text(markup, "\n");
	}
	for (int i = 0; i < 4; i++)
		markup_close(markup);
}

/* How the matrix is read. */

static void kinds_legend(struct page *page)
{
	struct markup *markup = page->markup;

	markup_element(markup, "h3", "Outcomes", NULL);
	markup_element(markup, "p",
	               "An outcome is what one instance of a test ended with. The bars of the "
	               "details show how often each was seen, on a logarithmic scale: one instance "
	               "is a stub, all of them fill the column.",
	               NULL);
	markup_open(markup, "ul", "class", "legend", NULL);
	for (int i = 0; i < PAGE_KIND_COUNT; i++) {
		enum page_kind kind = (enum page_kind)i;

		markup_open(markup, "li", "class", oclmm_page_kind_word(kind), NULL);
		markup_open(markup, "span", "class", "bar", "aria-hidden", "true", NULL);
		markup_element(markup, "i", NULL, NULL);
		markup_close(markup);
		markup_printf(markup, " %s ", oclmm_page_kind_sign(kind));
		markup_element(markup, "b", oclmm_page_kind_word(kind), NULL);
		markup_printf(markup, ": %s", oclmm_page_kind_meaning(kind));
		markup_close(markup);
	}
	markup_close(markup);
}

static void evidence_bar(struct page *page, enum oclmm_control_kind kind, const char *width,
                         const char *meaning)
{
	struct markup *markup = page->markup;

	markup_open(markup, "li", NULL);
	markup_open(markup, "span", "class", "e", "aria-hidden", "true", NULL);
	markup_element(markup, "i", NULL, "class", oclmm_control_kind_speaks_for(kind), "style",
	               width, NULL);
	markup_close(markup);
	markup_text(markup, " ");
	markup_element(markup, "b", oclmm_control_kind_speaks_for(kind), NULL);
	markup_printf(markup, ": %s", meaning);
	markup_close(markup);
}

static const char silence_legend[] =
	"A test that shows nothing forbidden may run on a good device, or on a bad one that was "
	"not provoked. So each runs beside controls: programs that differ in one thing and in "
	"which the outcome is allowed. Both are launched in turn, many instances at a time. The "
	"more launches of a control showed the outcome, the longer the bar: the upper one for the "
	"compiler, the lower one for the hardware. A bar that reaches the mark stands for %g %% "
	"confidence, a full one for one chance in a million that a device with the bug stayed "
	"silent. An empty, dashed frame: no control showed anything.";

static void evidence_legend(struct page *page)
{
	struct markup *markup = page->markup;

	markup_element(markup, "h3", "What silence is worth", NULL);
	markup_open(markup, "p", NULL);
	markup_printf(markup, silence_legend, 100 * page->options->demand.confidence);
	markup_close(markup);
	markup_open(markup, "ul", "class", "legend", NULL);
	evidence_bar(page, OCLMM_CONTROL_MOVED, "width:70%",
	             "the control is the test after one wrong step of a compiler, such as two "
	             "accesses exchanged");
	evidence_bar(page, OCLMM_CONTROL_WEAKER, "width:45%",
	             "the control lacks some of the test's orders, scopes, fences or barriers, "
	             "so that the machine may show the outcome");
	markup_close(markup);
}

static const char rows_legend[] =
	"Each test is a small program of a few threads that share memory, and asks whether they "
	"can end in a certain way. It ran in millions of instances. A row stands for a family of "
	"tests or, unfolded, for a test; a column for a device or a run on it. A family's cell "
	"counts its tests by verdict. A test's cell has its verdict, and how often the asked "
	"outcome was seen in how many instances. The table of verdicts above says what each means.";

static void legend(struct page *page)
{
	struct markup *markup = page->markup;

	markup_open(markup, "details", "id", "legend", NULL);
	markup_element(markup, "summary", "How to read this", NULL);
	markup_element(markup, "p", rows_legend, NULL);
	kinds_legend(page);
	evidence_legend(page);
	markup_close(markup);
}

/* The page as a whole. */

static void head(struct page *page, const char *title)
{
	struct markup *markup = page->markup;

	markup_open(markup, "head", NULL);
	markup_void(markup, "meta", "charset", "UTF-8", NULL);
	markup_void(markup, "meta", "name", "viewport", "content",
	            "width=device-width, initial-scale=1", NULL);
	/* what is not in the page is not fetched, and no other script runs, whatever a test is
	 * called */
	markup_void(markup, "meta", "http-equiv", "Content-Security-Policy", "content",
	            oclmm_arena_printf(page->arena,
	                               "default-src 'none'; style-src 'unsafe-inline'; script-src "
	                               "'sha256-%s'",
	                               oclmm_page_script_hash),
	            NULL);
	markup_void(markup, "meta", "name", "color-scheme", "content", "light dark", NULL);
	markup_element(markup, "title", title, NULL);
	markup_open(markup, "style", NULL);
	markup_raw(markup, oclmm_page_style);
	markup_close(markup);
	markup_close(markup);
	markup_text(markup, "\n");
}

static uint64_t count_infrastructure(const struct page *page)
{
	uint64_t count = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++) {
		if (oclmm_verdict_is_infrastructure((enum oclmm_verdict)verdict))
			count += count_verdict(page, (enum oclmm_verdict)verdict);
	}
	return count;
}

/* The first thing to know. */
static void headline(struct page *page)
{
	struct markup *markup = page->markup;
	uint64_t forbidden = count_verdict(page, OCLMM_VERDICT_FORBIDDEN),
		 failed = count_infrastructure(page);

	markup_open(markup, "p", "class", "headline", NULL);
	/* of a test that ran in several columns each is one */
	if (forbidden)
		markup_printf(
			markup, "✖ %s showed a forbidden outcome.",
			oclmm_counted(forbidden, page->column_count > 1 ? "result" : "test").text);
	else
		markup_text(markup, "✓ No forbidden outcome was seen.");
	if (failed)
		markup_printf(markup, " ! %" PRIu64 " could not be run to the end.", failed);
	markup_close(markup);
}

/* What that is worth. */
static void silence(struct page *page)
{
	const struct oclmm_demand *demand = &page->options->demand;
	struct oclmm_tally tally = {0};

	for (size_t i = 0; i < page->place_count; i++)
		oclmm_tally_add(&tally, page->places[i].record);
	markup_open(page->markup, "p", NULL);
	markup_printf(page->markup,
	              "Silent %s that can fail: %" PRIu64 " with %g %% confidence (%" PRIu64
	              " hardware, %" PRIu64 " compiler), %" PRIu64
	              " inconclusive, because their controls, in which the outcome is allowed, did "
	              "not show it in enough launches either.",
	              page->column_count > 1 ? "results of tests" : "tests",
	              tally.confidences[OCLMM_CONFIDENCE_REACHED], 100 * demand->confidence,
	              tally.reached[OCLMM_CONTROL_WEAKER], tally.reached[OCLMM_CONTROL_MOVED],
	              oclmm_tally_verdict(&tally, OCLMM_VERDICT_INCONCLUSIVE));
	markup_close(page->markup);
}

static bool verifies_conformance(const struct page *page)
{
	for (size_t i = 0; i < page->run_count; i++) {
		if (!page->runs[i].header.whole_suite)
			return false;
	}
	return page->run_count && !count_verdict(page, OCLMM_VERDICT_SKIP) &&
	       !count_infrastructure(page);
}

static void run_line(struct page *page, const struct oclmm_run_header *run)
{
	struct markup *markup = page->markup;

	markup_open(markup, "li", NULL);
	markup_printf(markup, "%s on %s", page_string(run->tool), page_string(run->device));
	if (run->started)
		markup_printf(markup, ", %s", run->started);
	markup_printf(markup, ", seed %" PRIu64 ", %s, ", run->seed,
	              oclmm_counted(run->tests, "test").text);
	print_quantity(markup, "span", NULL, run->instances);
	markup_text(markup, " instances asked for each");
	if (run->profile)
		markup_printf(markup, ", profile %s", run->profile);
	if (run->shards)
		markup_printf(markup, ", shard %" PRIu32 " of %" PRIu32, run->shard, run->shards);
	markup_close(markup);
}

static void runs(struct page *page)
{
	struct markup *markup = page->markup;

	if (!verifies_conformance(page))
		markup_element(markup, "p",
		               "Not all of the suite was run to the end: this does not verify "
		               "conformance.",
		               "class", "note", NULL);
	if (!page->run_count)
		return;
	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	markup_text(markup, oclmm_counted(page->run_count, "run").text);
	markup_close(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 0; i < page->run_count; i++)
		run_line(page, &page->runs[i].header);
	markup_close(markup);
	markup_close(markup);
}

/* ---- the tests ---- */

static void choice(struct page *page, const char *name, const char *title,
                   const char *const *values, size_t count)
{
	struct markup *markup = page->markup;

	markup_open(markup, "label", NULL);
	markup_printf(markup, "%s ", title);
	markup_open(markup, "select", "name", name, NULL);
	markup_element(markup, "option", "any", "value", "", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "option", values[i], "value", values[i], NULL);
	markup_close(markup);
	markup_close(markup);
}

static void choose_verdict(struct page *page)
{
	const char *words[OCLMM_VERDICT_COUNT];
	size_t count = 0;

	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		if (count_verdict(page, (enum oclmm_verdict)i))
			words[count++] = oclmm_verdict_word((enum oclmm_verdict)i);
	}
	choice(page, "verdict", "verdict", words, count);
}

/* Hidden until the script is there to serve it. */
static void filter_form(struct page *page)
{
	static const char *const kinds[] = {"forbidden", "disputed", "weak", "unjudged", "differs"};
	struct markup *markup = page->markup;

	markup_open(markup, "form", "id", "filter", "role", "search", "hidden", "hidden", NULL);
	markup_open(markup, "label", NULL);
	markup_text(markup, "search ");
	markup_void(markup, "input", "type", "search", "name", "q", "placeholder",
	            "name or question", NULL);
	markup_close(markup);
	choose_verdict(page);
	/* the families are the script's to fill in, as it has them */
	choice(page, "family", "family", NULL, 0);
	choice(page, "seen", "seen", kinds, page->column_count > 1 ? 5 : 4);
	markup_element(markup, "button", "open all shown", "type", "button", "id", "open", NULL);
	markup_element(markup, "button", "close all", "type", "button", "id", "close", NULL);
	markup_element(markup, "output", "", "id", "shown", "aria-live", "polite", NULL);
	markup_close(markup);
}

static void differences(struct page *page)
{
	struct markup *markup = page->markup;
	size_t count = 0;

	if (page->column_count < 2)
		return;
	for (size_t i = 0; i < page->test_count; i++)
		count += page->tests[i].differs;
	markup_open(markup, "p", "id", "differences", NULL);
	markup_open(markup, "a", "href", "#seen=differs", NULL);
	markup_printf(markup, "The columns differ in %s", oclmm_counted(count, "test").text);
	markup_close(markup);
	markup_text(markup, ": one showed a weak, disputed or forbidden outcome, or failed, and "
	                    "another did not. A difference is no error; the specification allows "
	                    "more than any one device does.");
	markup_close(markup);
}

static void tests(struct page *page)
{
	struct markup *markup = page->markup;
	struct oclmm_text data = {0};

	markup_open(markup, "section", "id", "tests", "tabindex", "-1", NULL);
	markup_element(markup, "h2", "Tests", NULL);
	legend(page);
	differences(page);
	filter_form(page);
	markup_open(markup, "div", "id", "matrix", "class", "frame", "role", "region", "aria-label",
	            "Tests and devices", "tabindex", "0", "hidden", "hidden", NULL);
	markup_close(markup);
	plain_table(page);
	markup_close(markup);
	oclmm_page_data(page, &data);
	markup_open(markup, "script", "type", "application/json", "id", "data", NULL);
	markup_raw(markup, oclmm_text_string(&data));
	markup_close(markup);
	oclmm_text_finish(&data);
}

static void body(struct page *page, const char *title)
{
	struct markup *markup = page->markup;

	markup_open(markup, "body", NULL);
	markup_element(markup, "a", "to the tests", "class", "skip", "href", "#tests", NULL);
	markup_open(markup, "header", NULL);
	markup_element(markup, "h1", title, NULL);
	headline(page);
	markup_element(markup, "p",
	               "Small programs whose threads share memory ran millions of times on each "
	               "device. This page tells how often each ended in which way, and which ends "
	               "the OpenCL specification allows.",
	               NULL);
	silence(page);
	runs(page);
	markup_close(markup);
	markup_open(markup, "main", NULL);
	attention_section(page);
	devices_section(page);
	summary_section(page);
	nowhere_section(page);
	tests(page);
	markup_close(markup);
	markup_open(markup, "footer", NULL);
	markup_printf(markup, "Written by %s.",
	              page->options->tool ? page->options->tool : "oclmm");
	markup_close(markup);
	markup_open(markup, "script", NULL);
	markup_raw(markup, oclmm_page_script);
	markup_close(markup);
	markup_close(markup);
}

int oclmm_page_write(struct oclmm_text *text, const struct oclmm_saved_run *saved_runs,
                     size_t run_count, const struct oclmm_record *const *records, size_t count,
                     const struct oclmm_page_options *options, struct oclmm_page_counts *ret_counts)
{
	struct page page = {.options = options, .runs = saved_runs, .run_count = run_count};
	const char *title = options->title ? options->title : "OpenCL memory model: results";
	int r;

	page.markup = markup_create(text);
	if (!page.markup)
		return -ENOMEM;
	page.arena = oclmm_arena_create();
	r = oclmm_page_gather(&page, records, count);
	if (r < 0) {
		markup_destroy(page.markup);
		oclmm_arena_destroy(page.arena);
		return r;
	}
	oclmm_text_add(text, "<!DOCTYPE html>\n");
	markup_open(page.markup, "html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml",
	            NULL);
	head(&page, title);
	body(&page, title);
	markup_close(page.markup);
	r = markup_destroy(page.markup);
	if (r == 0 && ret_counts)
		*ret_counts = (struct oclmm_page_counts){
			.tests = page.test_count,
			.columns = page.column_count,
			.graphs = page.graphs,
		};
	oclmm_arena_destroy(page.arena);
	return r;
}
