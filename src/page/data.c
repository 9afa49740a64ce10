// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the script shows, as JSON within the page. Each string stands once, in `strings`, and is
 * named by its number; 0 is "nothing". Tests, cells and outcomes are lists; `keys` names their
 * places once for all of them, as the head of a table does, and the script goes by the names.
 */

/* The number of a string; 0: nothing, as of NULL. */
static size_t string_number(struct page *page, const char *string)
{
	return string ? oclmm_pool_add(page->strings, string, strlen(string)) : 0;
}

/* The number of what stands in `text`, which is emptied. */
static size_t take_string(struct page *page, struct oclmm_text *text)
{
	size_t number = oclmm_pool_add(page->strings, oclmm_text_string(text), text->length);

	oclmm_text_finish(text);
	return number;
}

/*
 * The execution that led to the asked outcome of a test, as a picture. Pictures of variants
 * differ in a few words, so each is cut into pieces: its tags are its shape, which stands once for
 * all tests that have it, and the words between the tags are the test's own.
 */

/* ---- which outcome ---- */

static unsigned interest(const struct outcome *outcome)
{
	bool seen = outcome->total > 0;

	if (outcome->row->status == OCLMM_STATUS_FORBIDDEN && seen)
		return 5;
	if (outcome->row->status == OCLMM_STATUS_DISPUTED && seen)
		return 4;
	if (outcome->row->status == OCLMM_STATUS_ALLOWED && outcome->row->witness)
		return seen ? 3 : 2;
	return outcome->row->status == OCLMM_STATUS_ALLOWED ? 1 : 0;
}

static const struct outcome *choose(const struct test *test, enum oclmm_page_graphs graphs)
{
	unsigned least = graphs == OCLMM_PAGE_GRAPHS_ALL ? 1 : 3, best = 0;
	const struct outcome *chosen = NULL;

	for (size_t i = 0; i < test->outcome_count; i++) {
		unsigned worth = interest(&test->outcomes[i]);

		if (worth > best && worth >= least) {
			best = worth;
			chosen = &test->outcomes[i];
		}
	}
	return chosen;
}

/* ---- shape and words ---- */

static void add_piece(struct page *page, struct oclmm_text *shape, const char *bytes, size_t length)
{
	oclmm_text_printf(shape, "%s%zu", shape->length ? "," : "",
	                  oclmm_pool_add(page->pieces, bytes, length));
}

/* Where a part of a tag ends, so that the next is the same for many: how it parts, or its height.
 */
static size_t end_of_place(const char *tag, size_t from, size_t length)
{
	static const char *const parts[] = {" y=\"", " class=\"", " fill=\"", " color=\""};
	size_t end = length;

	for (size_t i = 0; i < OCLMM_COUNT(parts); i++) {
		const char *at = memmem(tag + from + 1, length - from - 1, parts[i],
		                        strlen(parts[i]));

		if (at && (size_t)(at - tag) < end)
			end = (size_t)(at - tag);
	}
	return end;
}

static void add_tag(struct page *page, struct oclmm_text *shape, const char *tag, size_t length)
{
	for (size_t from = 0, to; from < length; from = to) {
		to = end_of_place(tag, from, length);
		add_piece(page, shape, tag + from, to - from);
	}
}

/* Ends of lines between tags belong to the tag before. */
static const char *end_of_tag(const char *tag)
{
	const char *end = strchr(tag, '>');

	if (!end)
		return tag + strlen(tag);
	end++;
	return end + strspn(end, "\n");
}

/* In a shape -1 stands where a word of the test is. */
static void cut(struct page *page, const char *svg, struct oclmm_text *shape,
                struct oclmm_text *words)
{
	while (*svg) {
		const char *end = *svg == '<' ? end_of_tag(svg) : svg + strcspn(svg, "<");

		if (*svg == '<') {
			add_tag(page, shape, svg, (size_t)(end - svg));
		} else {
			oclmm_text_printf(shape, "%s-1", shape->length ? "," : "");
			oclmm_text_printf(words, ",%zu",
			                  oclmm_pool_add(page->pieces, svg, (size_t)(end - svg)));
		}
		svg = end;
	}
}

static void add_picture(struct page *page, struct oclmm_text *text, const struct test *test)
{
	const struct oclmm_page_options *options = page->options;
	const struct outcome *outcome = choose(test, options->graphs);
	struct oclmm_text shape = {0}, words = {0}, name = {0};
	char *svg = NULL;

	if (test->bound && outcome && options->graph && options->graphs != OCLMM_PAGE_GRAPHS_NONE)
		svg = options->graph(options->data, test->record, outcome->row->values);
	if (!svg) {
		oclmm_text_add(text, "0");
		return;
	}
	cut(page, svg, &shape, &words);
	oclmm_outcome_print(&name, test->record->program, outcome->row->values);
	oclmm_text_printf(text, "[%zu,%d,%zu,[%s]]",
	                  oclmm_pool_add(page->shapes, oclmm_text_string(&shape), shape.length),
	                  outcome->row->status == OCLMM_STATUS_FORBIDDEN, take_string(page, &name),
	                  words.length ? oclmm_text_string(&words) + 1 : "");
	oclmm_text_finish(&shape);
	oclmm_text_finish(&words);
	free(svg);
	page->graphs++;
}

/*
 * A test in one column; 0 where it was not run.
 */

/* A sentence of the notes: the text so far, which is emptied. */
static void end_note(struct page *page, struct oclmm_text *text, struct oclmm_text *note,
                     size_t *count)
{
	if (note->length)
		oclmm_text_printf(text, "%s%zu", (*count)++ ? "," : "", take_string(page, note));
}

static void add_notes_of(struct page *page, struct oclmm_text *text,
                         const struct oclmm_record *record, size_t *count)
{
	const struct oclmm_grade *grade = &record->grade;
	bool failed = oclmm_verdict_is_infrastructure(grade->verdict);
	struct oclmm_text note = {0};

	if (record->message)
		oclmm_text_printf(&note, "%s.", record->message);
	end_note(page, text, &note, count);
	if (oclmm_end_cause(record->end) && failed)
		oclmm_text_printf(&note, "(%s)", oclmm_end_cause(record->end));
	end_note(page, text, &note, count);
	if (grade->known)
		oclmm_text_printf(&note, "Listed: %s.", grade->known);
	end_note(page, text, &note, count);
	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(&note, "Accepted, though the device does not claim all of it.");
	end_note(page, text, &note, count);
	if (!grade->gates && (grade->verdict == OCLMM_VERDICT_FORBIDDEN || failed))
		oclmm_text_add(&note, "It does not gate.");
	end_note(page, text, &note, count);
}

static void add_notes(struct page *page, struct oclmm_text *text, const struct cell *cell)
{
	uint32_t told = 0;
	size_t count = 0;

	oclmm_text_add(text, ",[");
	for (size_t i = 0; i < cell->count; i++) {
		enum oclmm_verdict verdict = cell->places[i].record->grade.verdict;

		/* several records of one verdict say the same */
		if (told & 1u << verdict)
			continue;
		told |= 1u << verdict;
		add_notes_of(page, text, cell->places[i].record, &count);
	}
	oclmm_text_add(text, "]");
}

/* `together`: launches count as one. Behind the limit stands each kind of control. */
static void add_evidence(struct page *page, struct oclmm_text *text,
                         const struct oclmm_control *control)
{
	if (control->confidence == OCLMM_CONFIDENCE_NOT_JUDGED) {
		oclmm_text_add(text, ",0");
		return;
	}
	oclmm_text_printf(text, ",[%d,%d,%.2g", control->confidence, control->together,
	                  control->limit);
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		const struct oclmm_kind_confidence *kind = &control->kinds[i];

		oclmm_text_printf(text, ",[%d,%.2g,%zu]", kind->confidence, kind->escape,
		                  string_number(page, kind->name));
	}
	oclmm_text_add(text, "]");
}

/*
 * The stimulus of the first record again, and of what it continued; what comes of it is the
 * device's. The script adds the test. Two devices that ran
 * together are known by their numbers alone, which another day may be others.
 */
static void add_command(struct page *page, struct oclmm_text *text, const struct place *place)
{
	const struct oclmm_record *record = place->record;
	const struct oclmm_run_header *run = place->run;
	struct oclmm_text words = {0};
	size_t begin, environment = 0;

	if (run && run->partner) {
		oclmm_text_add(text, ",0");
		return;
	}
	oclmm_report_command(&words, run, record);
	begin = take_string(page, &words);
	if (record->environment) {
		oclmm_text_add_quoted(&words, record->environment);
		environment = take_string(page, &words);
	}
	oclmm_text_printf(&words, "--seed %" PRIu64, record->master_seed);
	oclmm_report_halvings(&words, &record->halved_at);
	oclmm_report_turns(&words, &record->turns);
	oclmm_text_printf(&words, " --instances %" PRIu64,
	                  record->instances ? record->earlier + record->instances : 1);
	oclmm_text_printf(text, ",[%zu,%zu,%zu]", begin, environment, take_string(page, &words));
}

static void add_cell(struct page *page, struct oclmm_text *text, const struct test *test,
                     size_t column)
{
	const struct cell *cell = &test->cells[column];
	unsigned deciding = 0;

	if (!cell->count) {
		oclmm_text_add(text, "0");
		return;
	}
	for (size_t i = 0; i < cell->count; i++)
		deciding |= cell->places[i].record->grade.deciding;
	oclmm_text_printf(text, "[%d,%" PRIu64 ",%.2g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u",
	                  cell->record->grade.verdict, cell->instances, cell->seconds, cell->weak,
	                  cell->forbidden, cell->disputed, deciding);
	add_notes(page, text, cell);
	add_evidence(page, text, &cell->record->grade.control);
	oclmm_text_printf(text, ",%zu", string_number(page, cell->record->build_log));
	if (cell->instances || oclmm_verdict_is_infrastructure(cell->record->grade.verdict))
		add_command(page, text, &cell->places[0]);
	else
		oclmm_text_add(text, ",0");
	oclmm_text_add(text, "]");
}

static enum page_kind kind_of(const struct outcome *outcome)
{
	switch (outcome->row->status) {
	case OCLMM_STATUS_FORBIDDEN: return PAGE_FORBIDDEN;
	case OCLMM_STATUS_DISPUTED: return PAGE_DISPUTED;
	case OCLMM_STATUS_UNDEFINED: return PAGE_UNJUDGED;
	case OCLMM_STATUS_ALLOWED: break;
	}
	return outcome->row->witness ? PAGE_WEAK : PAGE_ALLOWED;
}

/* ---- one test ---- */

/* The bit beside those of the kinds. */
enum { DIFFERS = PAGE_KIND_COUNT };

static void add_number(struct page *page, struct oclmm_text *text, const char *string)
{
	oclmm_text_printf(text, ",%zu", string_number(page, string));
}

static void add_names(struct page *page, struct oclmm_text *text, const struct test *test)
{
	const char *name = test->record->program->name;
	struct oclmm_text word = {0};

	oclmm_text_printf(text, "%zu", string_number(page, name));
	/* most names are plain, and their identifiers as the script would make them */
	add_number(page, text, strcmp(test->id + 2, name) == 0 ? NULL : test->id);
	add_number(page, text, test->record->family);
	add_number(page, text, test->words.question);
	add_number(page, text, test->words.base ? NULL : test->words.comment);
	add_number(page, text, test->words.base);
	oclmm_record_argument(&word, test->record);
	oclmm_text_printf(text, ",%zu", take_string(page, &word));
}

static void add_specification(struct page *page, struct oclmm_text *text, const struct test *test)
{
	const struct oclmm_record *record = test->record;
	struct oclmm_text condition = {0};

	if (!test->bound || !record->expected) {
		oclmm_text_add(text, ",0");
		return;
	}
	oclmm_final_print(&condition, record->program);
	oclmm_text_printf(text, ",[%zu", string_number(page, record->model));
	oclmm_text_printf(text, ",%zu", take_string(page, &condition));
	add_number(page, text, oclmm_observation_word(record->expected->observation));
	add_number(page, text,
	           record->expected->undefined ? record->expected->undefined_why : NULL);
	oclmm_text_add(text, "]");
}

/* Variants of a file share most of their lines. */
static void add_lines(struct page *page, struct oclmm_text *text, const struct test *test)
{
	struct oclmm_text program = {0};
	const char *at, *end;

	oclmm_text_add(text, ",[");
	if (test->bound)
		oclmm_program_print(&program, test->record->program);
	for (at = oclmm_text_string(&program); *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		oclmm_text_printf(text, "%s%zu", at == program.data ? "" : ",",
		                  oclmm_pool_add(page->strings, at, (size_t)(end - at)));
	}
	oclmm_text_add(text, "]");
	oclmm_text_finish(&program);
}

static unsigned kinds_of(const struct test *test)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < test->outcome_count; i++) {
		if (test->outcomes[i].total)
			kinds |= 1u << kind_of(&test->outcomes[i]);
	}
	return kinds | (unsigned)test->differs << DIFFERS;
}

/* Instances without an outcome: a bounded loop was cut, or the test's filter turned them away. */
static void add_rest(const struct page *page, struct oclmm_text *text, const struct test *test)
{
	uint64_t cut = 0, filtered = 0;

	for (size_t i = 0; i < page->column_count; i++) {
		for (size_t k = 0; k < test->cells[i].count; k++) {
			cut += test->cells[i].places[k].record->grade.cut;
			filtered += test->cells[i].places[k].record->grade.filtered;
		}
	}
	oclmm_text_printf(text, ",%u,%" PRIu64 ",%" PRIu64 ",%zu,[", kinds_of(test), cut, filtered,
	                  test->left_out_kinds);
	for (size_t i = 0; test->left_out_kinds && i < page->column_count; i++)
		oclmm_text_printf(text, "%s%" PRIu64, i ? "," : "", test->left_out[i]);
	oclmm_text_add(text, "]");
}

/* With a count for each column. */
static void add_seen_outcome(struct page *page, struct oclmm_text *text, const struct test *test,
                             const struct outcome *outcome)
{
	struct oclmm_text name = {0};

	oclmm_outcome_print(&name, test->record->program, outcome->row->values);
	oclmm_text_printf(text, "[%zu,%d", take_string(page, &name), kind_of(outcome));
	if (outcome->row->deciding)
		oclmm_knobs_print(&name, outcome->row->deciding);
	oclmm_text_printf(text, ",%zu,[", take_string(page, &name));
	for (size_t i = 0; i < page->column_count; i++)
		oclmm_text_printf(text, "%s%" PRIu64, i ? "," : "", outcome->counts[i]);
	oclmm_text_add(text, "]]");
}

static void add_test(struct page *page, struct oclmm_text *text, const struct test *test)
{
	oclmm_text_add(text, "[");
	add_names(page, text, test);
	add_specification(page, text, test);
	add_lines(page, text, test);
	oclmm_text_add(text, ",");
	add_picture(page, text, test);
	add_rest(page, text, test);
	oclmm_text_add(text, ",[");
	for (size_t i = 0; i < page->column_count; i++) {
		oclmm_text_add(text, i ? "," : "");
		add_cell(page, text, test, i);
	}
	oclmm_text_add(text, "],[");
	for (size_t i = 0; i < test->outcome_count; i++) {
		oclmm_text_add(text, i ? "," : "");
		add_seen_outcome(page, text, test, &test->outcomes[i]);
	}
	oclmm_text_add(text, "]]");
}

/* The places in the lists; of evidence each kind of control has one, by the word in `controls`. */
static void add_keys(struct oclmm_text *text)
{
	static const char *const keys[][2] = {
		{"verdict", "word sign look gravity failed meaning"},
		{"kind", "word sign meaning"},
		{"test",
	         "name id family question comment base word specification lines picture seen cut "
	         "filtered others othersSeen cells outcomes"},
		{"specification", "model condition observation why"},
		{"picture", "shape forbidden name words"},
		{"cell",
	         "verdict instances seconds weak forbidden disputed deciding notes evidence log "
	         "command"},
		{"control", "confidence escape name"},
		{"command", "begin environment end"},
		{"outcome", "name kind deciding counts"},
	};

	oclmm_text_add(text, "\"keys\":{");
	for (size_t i = 0; i < OCLMM_COUNT(keys); i++) {
		oclmm_text_printf(text, "\"%s\":[\"", keys[i][0]);
		for (const char *at = keys[i][1]; *at; at++)
			oclmm_text_add_bytes(text, *at == ' ' ? "\",\"" : at, *at == ' ' ? 3 : 1);
		oclmm_text_add(text, "\"],\n");
	}
	oclmm_text_add(text, "\"evidence\":[\"confidence\",\"together\",\"limit\"");
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		oclmm_text_printf(text, ",\"%s\"",
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
	oclmm_text_add(text, "]},\n");
}

static void add_verdicts(struct page *page, struct oclmm_text *text)
{
	oclmm_text_add(text, "\"verdicts\":[");
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;

		oclmm_text_printf(text, "%s[\"%s\",\"%s\",\"%s\",%u,%d,", i ? "," : "",
		                  oclmm_verdict_word(verdict), oclmm_page_verdict_sign(verdict),
		                  page_verdict_class(page->arena, verdict),
		                  oclmm_page_gravity(verdict),
		                  verdict == OCLMM_VERDICT_FORBIDDEN ||
		                          oclmm_verdict_is_infrastructure(verdict));
		oclmm_text_add_json(text, oclmm_verdict_meaning(verdict));
		oclmm_text_add(text, "]");
	}
	oclmm_text_add(text, "],\n");
}

static void add_words(struct page *page, struct oclmm_text *text)
{
	oclmm_text_add(text, "\"kinds\":[");
	for (int i = 0; i < PAGE_KIND_COUNT; i++)
		oclmm_text_printf(text, "%s[\"%s\",\"%s\",\"%s\"]", i ? "," : "",
		                  oclmm_page_kind_word((enum page_kind)i),
		                  oclmm_page_kind_sign((enum page_kind)i),
		                  oclmm_page_kind_meaning((enum page_kind)i));
	oclmm_text_add(text, "],\n\"confidences\":[");
	for (int i = 0; i < OCLMM_CONFIDENCE_COUNT; i++) {
		oclmm_text_add(text, i ? "," : "");
		oclmm_text_add_json(text, oclmm_confidence_meaning((enum oclmm_confidence)i));
	}
	oclmm_text_add(text, "],\n\"controls\":[");
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		oclmm_text_printf(text, "%s\"%s\"", i ? "," : "",
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
	oclmm_text_add(text, "],\n\"knobs\":[");
	for (int i = 0; i < OCLMM_KNOB_COUNT; i++) {
		oclmm_text_add(text, i ? "," : "");
		oclmm_text_add_json(text,
		                    oclmm_arena_printf(page->arena, "%s: %s",
		                                       oclmm_knob_name((enum oclmm_knob)i),
		                                       oclmm_knob_question((enum oclmm_knob)i)));
	}
	oclmm_text_printf(text, "],\n\"reached\":%d,\"rare\":%d,\n", OCLMM_CONFIDENCE_REACHED,
	                  OCLMM_CONFIDENCE_TOO_RARE);
}

static void add_columns(const struct page *page, struct oclmm_text *text)
{
	oclmm_text_add(text, "\"columns\":[");
	for (size_t i = 0; i < page->column_count; i++) {
		oclmm_text_add(text, i ? "," : "");
		oclmm_text_add_json(text, page->columns[i].label);
	}
	oclmm_text_add(text, "],\n");
}

static void add_pool(struct oclmm_text *text, const char *name, const struct pool *pool)
{
	oclmm_text_printf(text, "\"%s\":[", name);
	for (size_t i = 0; i < oclmm_pool_count(pool); i++) {
		oclmm_text_add(text, i ? ",\n" : "");
		oclmm_text_add_json(text, oclmm_pool_at(pool, i));
	}
	oclmm_text_add(text, "],\n");
}

/* They are lists of numbers already. */
static void add_shapes(struct oclmm_text *text, const struct pool *shapes)
{
	oclmm_text_add(text, "\"shapes\":[[]");
	for (size_t i = 1; i < oclmm_pool_count(shapes); i++)
		oclmm_text_printf(text, ",\n[%s]", oclmm_pool_at(shapes, i));
	oclmm_text_add(text, "],\n");
}

void oclmm_page_data(struct page *page, struct oclmm_text *text)
{
	struct oclmm_text tests = {0};

	page->strings = oclmm_pool_create();
	page->pieces = oclmm_pool_create();
	page->shapes = oclmm_pool_create();
	for (size_t i = 0; i < page->test_count; i++) {
		if (page->options->progress)
			page->options->progress(page->options->data, i, page->test_count);
		oclmm_text_add(&tests, i ? ",\n" : "");
		add_test(page, &tests, &page->tests[i]);
	}
	oclmm_text_add(text, "{\n");
	add_keys(text);
	add_verdicts(page, text);
	add_words(page, text);
	oclmm_text_printf(text, "\"demand\":%.9g,\n", page->options->demand.confidence);
	add_columns(page, text);
	add_pool(text, "strings", page->strings);
	add_pool(text, "pieces", page->pieces);
	add_shapes(text, page->shapes);
	oclmm_text_add(text, "\"tests\":[\n");
	oclmm_text_add_bytes(text, oclmm_text_string(&tests), tests.length);
	oclmm_text_add(text, "]}\n");
	oclmm_text_finish(&tests);
	oclmm_pool_destroy(page->strings);
	oclmm_pool_destroy(page->pieces);
	oclmm_pool_destroy(page->shapes);
}
