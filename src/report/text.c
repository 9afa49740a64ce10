// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What reports say in words, and the kinds that consist of words alone: summary, brief and text.
 * The others take their sentences from here.
 */

/* ---- the width of lines ---- */

/* Of a name; with the verdict before it and the blanks. */
enum { NAME = 36, BEFORE = 12 + 1, COLUMNS = BEFORE + NAME };

static void print_columns(struct oclmm_text *text, const char *verdict, const char *name,
                          size_t room)
{
	struct oclmm_shown shown = oclmm_shown(name);
	size_t wide = oclmm_text_columns(shown.text, strlen(shown.text));

	oclmm_text_printf(text, "%-12s %s", verdict, shown.text);
	if (wide <= NAME)
		oclmm_text_printf(text, "%*s", (int)(NAME - wide), "");
	else if (BEFORE + wide + room > OCLMM_TEXT_WIDTH)
		oclmm_text_printf(text, "\n%*s",
		                  room < OCLMM_TEXT_WIDTH - COLUMNS ? COLUMNS : BEFORE - 1, "");
}

static bool is_command(const char *line)
{
	static const char mark[] = "replay: ";

	return strncmp(line + strspn(line, " "), mark, sizeof(mark) - 1) == 0;
}

/* Puts the verdict of a test at the beginning of the line, in its column. */
static bool is_test(const char *line)
{
	size_t word = strcspn(line, " \n");
	enum oclmm_verdict verdict;

	return word + strspn(line + word, " ") == BEFORE &&
	       oclmm_verdict_find(line, word, &verdict);
}

/* The verdict of a run is one line, so that `grep ^verdict:` gives all of it. */
static bool is_verdict(const char *line)
{
	return strncmp(line, "verdict: ", strlen("verdict: ")) == 0;
}

static void add_line(struct oclmm_text *text, const char *line, size_t length)
{
	if (is_command(line) || is_verdict(line))
		oclmm_text_add_bytes(text, line, length);
	else if (is_test(line))
		oclmm_text_add_hung(text, line, length, OCLMM_TEXT_WIDTH, BEFORE);
	else
		oclmm_text_add_fitted(text, line, length, OCLMM_TEXT_WIDTH);
}

void oclmm_report_wrap(struct oclmm_text *text)
{
	const char *line = oclmm_text_string(text);
	struct oclmm_text wrapped = {0};

	while (*line) {
		size_t length = strcspn(line, "\n");

		add_line(&wrapped, line, length);
		line += length;
		if (*line)
			oclmm_text_add_bytes(&wrapped, line++, 1);
	}
	oclmm_text_finish(text);
	*text = wrapped;
}

void oclmm_report_outcome(struct oclmm_text *text, const struct oclmm_record *record,
                          const int64_t *values)
{
	struct oclmm_text outcome = {0};

	/* in a results file the names of observables are whatever somebody wrote there */
	oclmm_outcome_print(&outcome, record->program, values);
	oclmm_text_add_shown(text, oclmm_text_string(&outcome));
	oclmm_text_finish(&outcome);
}

/* The outcome that a failure is explained by, as `--outcome` takes it: the first forbidden one that
 * was seen. Empty where the test asks for it itself. */
static void oclmm_report_asked(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_graded_row *row = NULL;
	const char *and = "";

	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *other = &record->grade.rows[i];

		if (!other->count || other->status != OCLMM_STATUS_FORBIDDEN)
			continue;
		if (other->witness)
			return;
		row = row ? row : other;
	}
	for (uint32_t i = 0; row && i < record->program->observable_count; i++) {
		const struct oclmm_observable *o = &record->program->observables[i];

		oclmm_text_printf(text, "%s%s=", and, o->name);
		oclmm_value_print(text, o->type, row->values[i]);
		and = " /\\ ";
	}
}

/* `oclmm explain k.cl --ask 'x[0] == 1 && x[1] == 7'`: the first forbidden outcome that was seen;
 * `oclmm export k.cl` writes what counts all of them. */
static void add_next_of_kernel(struct oclmm_text *text, const struct oclmm_record *record,
                               const char *command)
{
	const struct oclmm_graded_row *row = record->grade.rows;
	struct oclmm_text words = {0}, outcome = {0};

	while (!row->count || row->status != OCLMM_STATUS_FORBIDDEN)
		row++;
	for (uint32_t i = 0; i < record->program->observable_count; i++) {
		const struct oclmm_observable *o = &record->program->observables[i];

		oclmm_text_printf(&outcome, "%s%s == ", i ? " && " : "", o->name);
		oclmm_value_print(&outcome, o->type, row->values[i]);
	}
	oclmm_text_printf(&words, "oclmm %s ", command);
	oclmm_record_argument(&words, record);
	if (strcmp(command, "explain") == 0) {
		oclmm_text_add(&words, " --ask ");
		oclmm_text_add_quoted(&words, oclmm_text_string(&outcome));
	}
	oclmm_text_add_shown(text, oclmm_text_string(&words));
	oclmm_text_finish(&words);
	oclmm_text_finish(&outcome);
}

/* `oclmm explain MP+rel+acq`; an outcome that the test does not ask for is named. */
static void add_next(struct oclmm_text *text, const struct oclmm_record *record,
                     const char *command)
{
	struct oclmm_text words = {0}, outcome = {0};

	oclmm_text_printf(&words, "oclmm %s ", command);
	oclmm_report_asked(&outcome, record);
	if (outcome.length) {
		oclmm_text_add(&words, "--outcome ");
		oclmm_text_add_quoted(&words, oclmm_text_string(&outcome));
		oclmm_text_add(&words, " ");
	}
	oclmm_record_argument(&words, record);
	oclmm_text_add_shown(text, oclmm_text_string(&words));
	oclmm_text_finish(&words);
	oclmm_text_finish(&outcome);
}

void oclmm_report_next(struct oclmm_text *text, const struct oclmm_record *record,
                       const char *before)
{
	static const char *const commands[] = {"explain", "export"};

	if (record->grade.verdict != OCLMM_VERDICT_FORBIDDEN)
		return;
	if (record->rule) {
		oclmm_text_printf(text, "%srule: ", before);
		oclmm_text_add_shown(text, record->rule);
		oclmm_text_add(text, "\n");
	}
	for (size_t i = 0; i < OCLMM_COUNT(commands); i++) {
		if (record->not_exported && strcmp(commands[i], "export") == 0)
			continue;
		oclmm_text_printf(text, "%s%s: ", before, commands[i]);
		if (record->whole_kernel)
			add_next_of_kernel(text, record, commands[i]);
		else
			add_next(text, record, commands[i]);
		oclmm_text_add(text, "\n");
	}
}

static void print_row_comment(struct oclmm_text *text, const struct oclmm_graded_row *row)
{
	if (row->status == OCLMM_STATUS_FORBIDDEN) {
		oclmm_text_add(text, " # !! forbidden");
	} else if (row->status == OCLMM_STATUS_DISPUTED) {
		oclmm_text_add(text, " # ? disputed ");
		oclmm_knobs_print(text, row->deciding);
	}
}

/* A broken driver may show millions of outcomes. Of those of one status the first are printed, the
 * others are counted; JSON Lines and litmus7's form have all. */
enum { ROWS_SHOWN = 20 };

static void print_outcomes(struct oclmm_text *text, const struct oclmm_record *record,
                           enum oclmm_status status, bool lines)
{
	const char *before = lines ? "    " : ", ";
	uint32_t shown = 0, others = 0;
	uint64_t instances = 0;

	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &record->grade.rows[i];

		if (!row->count || row->status != status)
			continue;
		if (shown++ >= ROWS_SHOWN) {
			others++;
			instances += row->count;
			continue;
		}
		oclmm_text_printf(text, "%s%" PRIu64 " x ", before, row->count);
		oclmm_report_outcome(text, record, row->values);
		if (lines) {
			print_row_comment(text, row);
			oclmm_text_add(text, "\n");
		}
	}
	if (others)
		oclmm_text_printf(text, "%s%" PRIu64 " x %" PRIu32 " other outcomes%s", before,
		                  instances, others, lines ? "\n" : "");
}

static void add_outcomes(struct oclmm_text *text, const struct oclmm_record *record,
                         enum oclmm_status status)
{
	print_outcomes(text, record, status, false);
	if (record->grade.instances)
		oclmm_text_printf(text, " in %" PRIu64 " instances", record->grade.instances);
}

static void print_expired(struct oclmm_text *text, const struct oclmm_grade *grade)
{
	if (grade->expired)
		oclmm_text_printf(text, "; it was expected until %04d-%02d-%02d",
		                  grade->expired / 10000, grade->expired / 100 % 100,
		                  grade->expired % 100);
}

bool oclmm_report_is_excused(const struct oclmm_grade *grade)
{
	return !grade->gates && (grade->verdict == OCLMM_VERDICT_FORBIDDEN ||
	                         oclmm_verdict_is_infrastructure(grade->verdict));
}

/* What counts neither for nor against the device is skipped. */
enum oclmm_report_result oclmm_report_result(const struct oclmm_run_header *header,
                                             const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (oclmm_report_is_excused(grade))
		return OCLMM_RESULT_SKIPPED;
	if (oclmm_verdict_is_infrastructure(grade->verdict))
		return OCLMM_RESULT_ERROR;
	if (record->code.proof == OCLMM_PROOF_WRONG && grade->gates &&
	    grade->verdict != OCLMM_VERDICT_KNOWN)
		return OCLMM_RESULT_FAILURE;
	switch (grade->verdict) {
	case OCLMM_VERDICT_FORBIDDEN: return OCLMM_RESULT_FAILURE;
	case OCLMM_VERDICT_INCONCLUSIVE:
		return header->strict || grade->control.stuck_fails ? OCLMM_RESULT_FAILURE
		       : header->unproven_property                  ? OCLMM_RESULT_PASS
		                                                    : OCLMM_RESULT_SKIPPED;
	case OCLMM_VERDICT_STALE: return header->strict ? OCLMM_RESULT_FAILURE : OCLMM_RESULT_PASS;
	case OCLMM_VERDICT_SKIP:
	case OCLMM_VERDICT_KNOWN: return OCLMM_RESULT_SKIPPED;
	default: return OCLMM_RESULT_PASS;
	}
}

/* A word with its hyphens as blanks: `never seen`. */
static void print_words(struct oclmm_text *text, const char *word)
{
	for (; *word; word++)
		oclmm_text_add_bytes(text, *word == '-' ? " " : word, 1);
}

/* A probability, or why there is none: `7.6e-06`, `never seen`; of code that was read, `proved`. */
static void print_kind(struct oclmm_text *text, const struct oclmm_record *record,
                       enum oclmm_control_kind number)
{
	const struct oclmm_control *control = &record->grade.control;
	const struct oclmm_kind_confidence *kind = &control->kinds[number];

	if (number == OCLMM_CONTROL_MOVED && record->code.proof == OCLMM_PROOF_RIGHT)
		oclmm_text_add(text, "proved");
	else if (control->confidence == OCLMM_CONFIDENCE_NO_CONTROL)
		print_words(text, oclmm_confidence_word(control->confidence));
	else if (kind->confidence == OCLMM_CONFIDENCE_REACHED ||
	         kind->confidence == OCLMM_CONFIDENCE_TOO_RARE)
		oclmm_text_printf(text, "%.2g", kind->escape);
	else
		print_words(text, oclmm_confidence_word(kind->confidence));
}

static bool never_met(const struct oclmm_control *control)
{
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		if (control->kinds[i].confidence == OCLMM_CONFIDENCE_NEVER_MET)
			return true;
	}
	return false;
}

/* Its first two words, which are its shape; the results file has all of it. */
static void print_environment(struct oclmm_text *text, const char *environment)
{
	size_t length = strcspn(environment, " ");
	char shape[64];

	if (environment[length])
		length += 1 + strcspn(environment + length + 1, " ");
	snprintf(shape, sizeof(shape), "%.*s", (int)(length < sizeof(shape) ? length : 0),
	         environment);
	oclmm_text_printf(text, "never met in the environment %s%s", oclmm_shown(shape).text,
	                  environment[length] ? " …" : "");
}

/* Without launches kept apart, or without meeting, it would say nothing. */
static bool has_limit(const struct oclmm_control *control)
{
	return !control->together && control->confidence != OCLMM_CONFIDENCE_NO_CONTROL &&
	       oclmm_confidence_could_show(control->confidence);
}

/* Which value the test showed clearly less often than the control that decides. */
static void print_seldom(struct oclmm_text *text, const struct oclmm_record *record,
                         const char *before)
{
	const struct oclmm_evidence *evidence = record->evidence;
	const struct oclmm_control *control = &record->grade.control;
	const struct oclmm_value_counts *counts = NULL;
	const struct oclmm_observable *observable;

	for (size_t i = 0; evidence && !counts && i < evidence->control_count; i++)
		if (control->name && strcmp(evidence->controls[i].name, control->name) == 0)
			counts = oclmm_evidence_seldom(evidence, i);
	if (!counts)
		return;
	observable = &record->program->observables[counts->observable];
	oclmm_text_printf(text, "%s%s=", before, observable->name);
	oclmm_value_print(text, observable->type, counts->value);
	oclmm_text_printf(text,
	                  " was seen %" PRIu64 " times, and %" PRIu64
	                  " times in as many instances of its control",
	                  counts->test, counts->control);
}

static void print_stuck(struct oclmm_text *text, const struct oclmm_waits *waits,
                        const char *before)
{
	const struct oclmm_wait_launches *own = &waits->own, *opaque = &waits->opaque;
	bool some = own->partly > own->hits;

	oclmm_text_printf(text,
	                  "%sin %" PRIu64 " of %" PRIu64
	                  " launches %sits waits kept an old value where another access saw the "
	                  "new one, in %" PRIu64 " of %" PRIu64 " with loads that cannot be folded",
	                  before, some ? own->partly : own->hits, own->launches,
	                  some ? "some of " : "", some ? opaque->partly : opaque->hits,
	                  opaque->launches);
}

/* What the numbers do not say; nothing where there is no more to say. `before` stands before each
 * sentence. */
static void print_remarks(struct oclmm_text *text, const struct oclmm_record *record,
                          const char *before)
{
	const struct oclmm_control *control = &record->grade.control;

	if (control->together && control->confidence <= OCLMM_CONFIDENCE_NEVER_SEEN)
		oclmm_text_printf(text, "%sits launches were not kept apart and count as one",
		                  before);
	if (has_limit(control) && control->dispersion > 1)
		oclmm_text_printf(text, "%shits of its control come %.2g launches at a time",
		                  before, control->dispersion);
	print_seldom(text, record, before);
	if (control->stuck)
		print_stuck(text, &record->counts.waits, before);
	if (never_met(control) && record->environment) {
		oclmm_text_add(text, before);
		print_environment(text, record->environment);
	}
}

/* `compiler 7.6e-06, hardware never seen; ...`, or why nothing is known. */
static void print_confidence(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_control *control = &record->grade.control;

	if (control->stuck) {
		oclmm_text_add(text, "stuck");
		print_remarks(text, record, "; ");
		return;
	}
	if (control->confidence < OCLMM_CONFIDENCE_REACHED ||
	    control->confidence == OCLMM_CONFIDENCE_NO_CONTROL) {
		oclmm_text_add(text, oclmm_confidence_meaning(control->confidence));
		return;
	}
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;) {
		enum oclmm_control_kind kind = (enum oclmm_control_kind)i;

		oclmm_text_printf(text, "%s ", oclmm_control_kind_speaks_for(kind));
		print_kind(text, record, kind);
		oclmm_text_add(text, i ? ", " : "");
	}
	if (has_limit(control))
		oclmm_text_printf(text, "; limit %.2g of launches", control->limit);
	print_remarks(text, record, "; ");
}

void oclmm_report_reason(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	oclmm_text_add(text, oclmm_verdict_word(grade->verdict));
	if (grade->known)
		oclmm_text_printf(text, ": %s", oclmm_shown(grade->known).text);
	else if (record->message)
		oclmm_text_printf(text, ": %s", oclmm_shown(record->message).text);
	else if (grade->verdict == OCLMM_VERDICT_INCONCLUSIVE) {
		oclmm_text_add(text, ": ");
		print_confidence(text, record);
	} else
		oclmm_text_printf(text, ": %s", oclmm_verdict_meaning(grade->verdict));
	if (grade->forbidden)
		add_outcomes(text, record, OCLMM_STATUS_FORBIDDEN);
	if (record->code.proof == OCLMM_PROOF_WRONG)
		oclmm_text_printf(text, "; its code is wrong, read by %s: %s",
		                  oclmm_shown(record->code.model).text,
		                  record->code.message ? oclmm_shown(record->code.message).text
		                                       : "");
	print_expired(text, grade);
	if (oclmm_report_is_excused(grade))
		oclmm_text_add(text, "; the device does not claim what the test needs");
}

static const char *observed_word(const struct oclmm_grade *grade)
{
	return grade->holds == 0 ? "Never" : grade->fails == 0 ? "Always" : "Sometimes";
}

/* The number of its device; a test that ran on several has none. */
static bool is_of(const struct oclmm_run_header *header, const struct oclmm_record *record)
{
	return oclmm_same_string(header->identity.device, record->identity.device) &&
	       oclmm_same_string(header->identity.driver, record->identity.driver) &&
	       oclmm_same_string(header->identity.platform, record->identity.platform) &&
	       oclmm_same_string(header->identity.il, record->identity.il) &&
	       (!header->identity.device_id ||
	        oclmm_same_string(header->identity.device_id, record->identity.device_id));
}

size_t oclmm_header_of(const struct oclmm_run_header *first, const struct oclmm_record *record)
{
	size_t number = 0;

	for (const struct oclmm_run_header *header = first; header; header = header->next) {
		if (is_of(header, record))
			return number;
		number++;
	}
	return 0;
}

static const struct oclmm_run_header *header_at(const struct oclmm_run_header *first, size_t number)
{
	for (; number > 0 && first->next; number--)
		first = first->next;
	return first;
}

static void print_device_number(struct oclmm_text *text, const struct oclmm_run_header *first,
                                size_t number)
{
	if (first->next)
		oclmm_text_printf(text, "[%zu]", number + 1);
}

void oclmm_report_runs(struct oclmm_text *text, const struct oclmm_run_header *first,
                       const char *end)
{
	const struct oclmm_run_header *header = first;

	for (size_t i = 0; header; header = header->next, i++) {
		oclmm_text_add(text, "# ");
		print_device_number(text, first, i);
		oclmm_text_printf(text, "%s%s on %s (%s, driver %s), seed %" PRIu64 "%s",
		                  first->next ? " " : "", oclmm_shown(header->tool).text,
		                  oclmm_shown(header->identity.device).text,
		                  oclmm_shown(header->identity.version).text,
		                  oclmm_shown(header->identity.driver).text, header->seed, end);
		if (header->identity.il)
			oclmm_text_printf(text, "# SPIR-V by %s%s",
			                  oclmm_shown(header->identity.il).text, end);
	}
}

void oclmm_report_label(struct oclmm_text *text, const struct oclmm_run_header *first,
                        const struct oclmm_record *record)
{
	if (!first->next)
		return;
	oclmm_text_add(text, " ");
	print_device_number(text, first, oclmm_header_of(first, record));
}

void oclmm_report_halvings(struct oclmm_text *text, const struct oclmm_halvings *halvings)
{
	for (uint32_t i = 0; i < halvings->count; i++)
		oclmm_text_printf(text, "%s%" PRIu64, i ? "," : " --halved-at ", halvings->at[i]);
}

void oclmm_report_turns(struct oclmm_text *text, const struct oclmm_turns *turns)
{
	if (!turns->count)
		return;
	oclmm_text_add(text, " --turns '");
	oclmm_turns_print(text, turns);
	oclmm_text_add(text, "'");
}

void oclmm_report_command(struct oclmm_text *text, const struct oclmm_run_header *header,
                          const struct oclmm_record *record)
{
	if (header && header->variables && *header->variables)
		oclmm_text_printf(text, "%s ", header->variables);
	oclmm_text_add(text, "oclmm run");
	if (record->identity.device && *record->identity.device) {
		oclmm_text_add(text, " --device ");
		oclmm_text_add_quoted(text, record->identity.device);
	}
	if (record->identity.il)
		oclmm_text_add(text, " --il spirv");
	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(text, " --claims accepted");
}

/* Somebody types it into a shell: what others wrote must not be a command there. */
static void add_replay(struct oclmm_text *text, const struct oclmm_run_header *first,
                       const struct oclmm_record *record)
{
	const struct oclmm_run_header *header = header_at(first, oclmm_header_of(first, record));

	/* saved results do not say how the device was chosen; two devices that ran together are
	 * known only by numbers, which may be others another day */
	if (header->replay)
		oclmm_text_add(text, header->replay);
	else if (header->partner)
		oclmm_text_printf(text, "oclmm run --seed %" PRIu64, record->master_seed);
	else {
		oclmm_report_command(text, header, record);
		oclmm_text_printf(text, " --seed %" PRIu64, record->master_seed);
	}
	if ((header->replay_environment || !header->replay) && record->environment) {
		oclmm_text_add(text, " --environment ");
		oclmm_text_add_quoted(text, record->environment);
	}
	oclmm_report_halvings(text, &record->counts.halved_at);
	oclmm_report_turns(text, &record->counts.turns);
	/* what did not run has no count of its own */
	oclmm_text_printf(text, " --instances %" PRIu64 " ",
	                  record->counts.instances ? record->earlier + record->counts.instances
	                                           : header->instances);
	oclmm_record_argument(text, record);
}

void oclmm_report_replay(struct oclmm_text *text, const struct oclmm_run_header *header,
                         const struct oclmm_record *record)
{
	struct oclmm_text replay = {0};

	add_replay(&replay, header, record);
	oclmm_text_add_shown(text, oclmm_text_string(&replay));
	oclmm_text_finish(&replay);
}

void oclmm_report_quantity(struct oclmm_text *text, double number)
{
	static const struct {
		double factor;
		const char *unit;
	} units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};

	for (size_t i = 0; i < OCLMM_COUNT(units); i++) {
		double scaled = number / units[i].factor;

		/* 999,950 would print as 1000.0 k */
		if (scaled < 0.99995)
			continue;
		oclmm_text_printf(text, scaled >= 99.95 ? "%.0f %s" : "%.1f %s", scaled,
		                  units[i].unit);
		return;
	}
	oclmm_text_printf(text, number == (double)(uint64_t)number ? "%.0f" : "%.2f", number);
}

/* ---- the last sentences of the reports for people ---- */

static const char *headline(enum oclmm_exit status, const struct oclmm_tally *tally)
{
	if (status == OCLMM_EXIT_FORBIDDEN && !tally->gating_forbidden)
		return tally->gating_code_wrong    ? "WRONG CODE"
		       : tally->gating_stuck_fails ? "stuck"
		                                   : "stale";
	switch (status) {
	case OCLMM_EXIT_PASS: return "pass";
	case OCLMM_EXIT_FORBIDDEN: return "FORBIDDEN";
	case OCLMM_EXIT_INCONCLUSIVE: return "inconclusive";
	case OCLMM_EXIT_UNFINISHED: return "unfinished";
	case OCLMM_EXIT_NOTHING: return "nothing applicable was run";
	case OCLMM_EXIT_INFRASTRUCTURE: return "incomplete";
	case OCLMM_EXIT_USAGE: break;
	}
	return "not run";
}

static void print_reasons(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;
		uint64_t count = oclmm_tally_verdict(tally, verdict);

		if (count)
			oclmm_text_printf(text, "  %-12s %6" PRIu64 "  %s\n",
			                  oclmm_verdict_word(verdict), count,
			                  oclmm_verdict_meaning(verdict));
	}
}

static bool awaits_confidence(const struct oclmm_record *record)
{
	return record->grade.verdict == OCLMM_VERDICT_PASS && record->expected &&
	       record->grade.control.confidence == OCLMM_CONFIDENCE_NOT_JUDGED &&
	       (oclmm_expected_forbids(record->expected) || record->counts.waits.own.hits);
}

static void print_causes(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	for (int i = OCLMM_CONFIDENCE_TOO_RARE; i < OCLMM_CONFIDENCE_COUNT; i++) {
		enum oclmm_confidence confidence = (enum oclmm_confidence)i;

		if (tally->confidences[i])
			oclmm_text_printf(text, "  %-12s %6" PRIu64 "  %s\n",
			                  oclmm_confidence_word(confidence), tally->confidences[i],
			                  oclmm_confidence_meaning(confidence));
	}
}

/* What the passes are worth, where that was looked at. */
static void print_silence(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	const double likely = 0.05, certain = 1e-5;

	if (!tally->confidences[OCLMM_CONFIDENCE_REACHED] &&
	    !oclmm_tally_verdict(tally, OCLMM_VERDICT_INCONCLUSIVE))
		return;
	oclmm_text_printf(text,
	                  "silence: 95 %% reached for %" PRIu64 ", 99.999 %% for %" PRIu64 "\n",
	                  tally->likely, tally->certain);
	/* for each of them the probability is at most the level, however its launches depend on
	 * each other; this is their sum */
	if (tally->likely)
		oclmm_text_printf(
			text,
			"  were there in each (%" PRIu64
			") a bug that shows in as many launches as its control's outcome, "
			"95 %% would be reached for %.2g on average at most, 99.999 %% for "
			"%.2g\n",
			tally->judged, likely * (double)tally->judged,
			certain * (double)tally->judged);
	print_causes(text, tally);
}

static void print_what_is_missing(struct oclmm_text *text, const struct oclmm_run_header *header,
                                  const struct oclmm_tally *tally)
{
	uint64_t skipped = oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP);

	if (tally->left_out) {
		oclmm_text_printf(text, "%s left out", oclmm_counted(tally->left_out, "test").text);
		if (tally->unfinished)
			oclmm_text_printf(text, " (%" PRIu64 " that can fail)", tally->unfinished);
		if (skipped)
			oclmm_text_printf(text, " and %" PRIu64 " skipped", skipped);
	} else if (skipped) {
		oclmm_text_printf(text, "%s skipped", oclmm_counted(skipped, "test").text);
	}
	if (tally->left_out || skipped) {
		oclmm_text_add(text, ": this run does not verify conformance\n");
	} else if (!header->whole_suite || header->shards) {
		oclmm_text_add(text, "only part of the suite or of its instances was chosen: "
		                     "this run does not verify conformance\n");
	}
}

static void print_count(struct oclmm_text *text, uint64_t count, const char *what)
{
	if (count)
		oclmm_text_printf(text, ", %" PRIu64 " %s", count, what);
}

/* Every test is in it once. */
static void print_counts(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	uint64_t reached = tally->confidences[OCLMM_CONFIDENCE_REACHED];
	uint64_t undefined = oclmm_tally_verdict(tally, OCLMM_VERDICT_UNDEFINED);
	uint64_t skipped = oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP);
	uint64_t cannot = tally->confidences[OCLMM_CONFIDENCE_NOT_NEEDED] +
	                  tally->confidences[OCLMM_CONFIDENCE_CONTROL];
	uint64_t can = oclmm_tally_tests(tally) - cannot - undefined - skipped;

	oclmm_text_printf(text,
	                  ": of %s that can fail %" PRIu64 " with confidence (%" PRIu64
	                  " hardware, %" PRIu64 " compiler), %" PRIu64 " inconclusive",
	                  oclmm_counted(can, "test").text, reached,
	                  tally->reached[OCLMM_CONTROL_WEAKER], tally->reached[OCLMM_CONTROL_MOVED],
	                  oclmm_tally_verdict(tally, OCLMM_VERDICT_INCONCLUSIVE));
	if (tally->confidences[OCLMM_CONFIDENCE_STUCK])
		oclmm_text_printf(text, " (%" PRIu64 " stuck)",
		                  tally->confidences[OCLMM_CONFIDENCE_STUCK]);
	if (tally->proved || tally->code_wrong || tally->code_open)
		oclmm_text_printf(text,
		                  "; the compiler proved for %" PRIu64 ", wrong for %" PRIu64
		                  ", open for %" PRIu64,
		                  tally->proved, tally->code_wrong, tally->code_open);
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_FORBIDDEN), "forbidden");
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_DISPUTED), "disputed");
	print_count(text, oclmm_tally_infrastructure(tally), "not run to the end");
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_KNOWN), "known to fail");
	print_count(text, oclmm_tally_verdict(tally, OCLMM_VERDICT_STALE), "stale");
	if (tally->stale_lines)
		oclmm_text_printf(text, ", %s of known failures stale",
		                  oclmm_counted(tally->stale_lines, "line").text);
	oclmm_text_printf(text,
	                  "; %" PRIu64 " cannot fail, %" PRIu64 " undefined, %" PRIu64 " skipped",
	                  cannot, undefined, skipped);
}

void oclmm_report_verdict(struct oclmm_text *text, const struct oclmm_tally *tally,
                          enum oclmm_exit status)
{
	bool any = oclmm_tally_tests(tally) > 0;

	oclmm_text_printf(text, "verdict: %s", headline(status, tally));
	if (any)
		print_counts(text, tally);
	if (tally->left_out)
		oclmm_text_printf(text, "%s %" PRIu64 " left out", any ? "," : ":",
		                  tally->left_out);
	if (tally->unfinished)
		oclmm_text_printf(text, " (%" PRIu64 " that can fail)", tally->unfinished);
}

void oclmm_report_verdict_lines(struct oclmm_text *text, const struct oclmm_tally *tally,
                                enum oclmm_exit status, const char *before, const char *after)
{
	oclmm_text_add(text, before);
	oclmm_report_verdict(text, tally, status);
	oclmm_text_printf(text, "%s\n", after);
	if (tally->left_out)
		oclmm_text_printf(text, "%s%s left out: this run does not verify conformance%s\n",
		                  before, oclmm_counted(tally->left_out, "test").text, after);
}

static void close_one(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_tally *tally, enum oclmm_exit status)
{
	uint64_t excused = oclmm_tally_infrastructure(tally) - tally->gating_infrastructure;

	oclmm_text_printf(text, "%s, ", oclmm_counted(oclmm_tally_tests(tally), "test").text);
	oclmm_report_quantity(text, (double)tally->instances);
	oclmm_text_printf(text, " instances, stimulus %016" PRIx64 "\n", tally->stimulus);
	print_reasons(text, tally);
	print_silence(text, tally);
	if (tally->looked < tally->launches)
		oclmm_text_printf(text,
		                  "objects looked at in %.2g %% of launches: whether they begin as "
		                  "they must, and do not keep their values\n",
		                  100 * (double)tally->looked / (double)tally->launches);
	if (status == OCLMM_EXIT_NOTHING && tally->instances)
		oclmm_text_add(text,
		               "the device claims none of what the tests need; they gate with "
		               "--claims accepted\n");
	if (excused)
		oclmm_text_printf(text,
		                  "%" PRIu64
		                  " of the tests that could not be run to the end do not "
		                  "gate: the device does not claim what they need\n",
		                  excused);
	if (tally->interrupted)
		oclmm_text_add(text, "the run was interrupted\n");
	print_what_is_missing(text, header, tally);
	oclmm_report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
}

static void
close_parts(struct oclmm_report *report, struct oclmm_text *text, const struct oclmm_tally *tally,
            void (*part)(struct oclmm_report *report, size_t number, struct oclmm_text *text))
{
	const struct oclmm_run_header *header = report->header;

	for (size_t i = 0; i < tally->part_count; i++, header = header->next) {
		const struct oclmm_tally *own = &tally->parts[i];

		oclmm_text_add(text, i ? "\n" : "");
		part(report, i, text);
		close_one(text, header, own, oclmm_tally_exit(own, header->strict));
	}
	oclmm_text_add(text, "\n");
}

static void print_closing(struct oclmm_report *report, struct oclmm_text *text,
                          const struct oclmm_tally *tally, enum oclmm_exit status,
                          void (*part)(struct oclmm_report *report, size_t number,
                                       struct oclmm_text *text))
{
	if (tally->part_count == 0) {
		part(report, 0, text);
		close_one(text, report->header, tally, status);
		return;
	}
	close_parts(report, text, tally, part);
	oclmm_report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
}

/* ---- the table of what silence is worth ---- */

/* Columns that follow the name: two words and a number, each after a blank. */
enum { ROOM = 11 + 11 + 8 };

static void print_judged_heading(struct oclmm_text *text)
{
	print_columns(text, "verdict", "test", ROOM);
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;)
		oclmm_text_printf(text, " %-10s",
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
	oclmm_text_add(text, " limit\n");
}

static void print_judged_row(struct oclmm_text *text, const struct oclmm_run_header *header,
                             const struct oclmm_record *record)
{
	const struct oclmm_control *control = &record->grade.control;

	print_columns(text, oclmm_verdict_word(record->grade.verdict), record->program->name, ROOM);
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;) {
		struct oclmm_text cell = {0};

		print_kind(&cell, record, (enum oclmm_control_kind)i);
		oclmm_text_printf(text, " %-10s", oclmm_text_string(&cell));
		oclmm_text_finish(&cell);
	}
	if (has_limit(control))
		oclmm_text_printf(text, " %.2g", control->limit);
	else
		oclmm_text_add(text, " -");
	oclmm_report_label(text, header, record);
	print_remarks(text, record, "\n    ");
	oclmm_text_add(text, "\n");
}

static bool print_judged(struct oclmm_text *text, const struct oclmm_run_header *header,
                         const struct oclmm_record *const *records, size_t count)
{
	bool any = false, limits = false;

	for (size_t i = 0; i < count; i++) {
		if (records[i]->grade.control.confidence < OCLMM_CONFIDENCE_REACHED)
			continue;
		if (!any)
			print_judged_heading(text);
		any = true;
		limits |= has_limit(&records[i]->grade.control);
		print_judged_row(text, header, records[i]);
	}
	if (limits)
		oclmm_text_add(text, "limit: what shows in at least that part of launches, "
		                     "independently of each other or as many at a time as is said, "
		                     "would have been seen with 95 %\n");
	return any;
}

/* ---- one line for a test, and what is wrong with it below ---- */

static void print_details(struct oclmm_text *text, const struct oclmm_run_header *header,
                          const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	print_outcomes(text, record, OCLMM_STATUS_FORBIDDEN, true);
	print_outcomes(text, record, OCLMM_STATUS_DISPUTED, true);
	if (grade->verdict == OCLMM_VERDICT_FORBIDDEN ||
	    oclmm_verdict_is_infrastructure(grade->verdict)) {
		oclmm_text_printf(text, "    stimulus %016" PRIx64 "\n    replay: ",
		                  record->counts.stimulus);
		oclmm_report_replay(text, header, record);
		oclmm_text_add(text, "\n");
		oclmm_report_next(text, record, "    ");
	}
}

static void print_seen(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	oclmm_text_add(text, " ");
	oclmm_report_quantity(text, (double)grade->instances);
	if (grade->forbidden)
		oclmm_text_printf(text, ", %" PRIu64 " forbidden", grade->forbidden);
	if (grade->weak || !grade->forbidden)
		oclmm_text_printf(text, ", %" PRIu64 " asked", grade->weak);
	if (grade->weak && record->counts.seconds > 0) {
		oclmm_text_add(text, " (");
		oclmm_report_quantity(text, (double)grade->weak / record->counts.seconds);
		oclmm_text_add(text, "/s)");
	}
}

/* What follows the name, all of it after a blank. */
static void print_rest(struct oclmm_text *text, const struct oclmm_run_header *header,
                       const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(text, " (not claimed)");
	if (grade->instances)
		print_seen(text, record);
	if (record->message && (!grade->instances || record->end != OCLMM_END_OK))
		oclmm_text_printf(text, " %s", oclmm_shown(record->message).text);
	if (grade->known)
		oclmm_text_printf(text, " [%s]", oclmm_shown(grade->known).text);
	print_expired(text, grade);
	oclmm_report_label(text, header, record);
}

static void test_line(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_record *record)
{
	enum oclmm_verdict verdict = record->grade.verdict;
	struct oclmm_text rest = {0};

	print_rest(&rest, header, record);
	print_columns(text,
	              verdict == OCLMM_VERDICT_FORBIDDEN ? "FORBIDDEN"
	              : awaits_confidence(record)        ? "pass?"
	                                                 : oclmm_verdict_word(verdict),
	              record->program->name,
	              oclmm_text_columns(oclmm_text_string(&rest), rest.length));
	oclmm_text_printf(text, "%s\n", oclmm_text_string(&rest));
	oclmm_text_finish(&rest);
	print_details(text, header, record);
}

/* ---- summary: one line per test, what is wrong below it, and a table by family ---- */

/* Columns of the closing table; the rest of the verdicts share `failed`. */
enum column {
	COLUMN_TESTS,
	COLUMN_PASS,
	COLUMN_INCONCLUSIVE,
	COLUMN_FORBIDDEN,
	COLUMN_DISPUTED,
	COLUMN_UNDEFINED,
	COLUMN_SKIP,
	COLUMN_LISTED,
	COLUMN_FAILED,
	COLUMN_COUNT
};

static const char *const column_names[] = {"tests", "pass", "inconc", "forbid", "disput",
                                           "undef", "skip", "listed", "failed"};

struct family {
	char *name;
	uint64_t columns[COLUMN_COUNT];
	uint64_t instances;
	uint64_t weak;
};

/* Of one device. */
struct summary {
	struct family *families;
	size_t count;
	size_t capacity;
};

static enum column column_of(enum oclmm_verdict verdict)
{
	switch (verdict) {
	case OCLMM_VERDICT_PASS: return COLUMN_PASS;
	case OCLMM_VERDICT_KNOWN:
	case OCLMM_VERDICT_STALE: return COLUMN_LISTED;
	case OCLMM_VERDICT_INCONCLUSIVE: return COLUMN_INCONCLUSIVE;
	case OCLMM_VERDICT_FORBIDDEN: return COLUMN_FORBIDDEN;
	case OCLMM_VERDICT_DISPUTED: return COLUMN_DISPUTED;
	case OCLMM_VERDICT_UNDEFINED: return COLUMN_UNDEFINED;
	case OCLMM_VERDICT_SKIP: return COLUMN_SKIP;
	case OCLMM_VERDICT_BUILD_FAILED:
	case OCLMM_VERDICT_CRASH:
	case OCLMM_VERDICT_TIMEOUT:
	case OCLMM_VERDICT_LOST:
	case OCLMM_VERDICT_COUNT: break;
	}
	return COLUMN_FAILED;
}

/* No suite has more families; a forged file might. */
enum { MOST_FAMILIES = 1000 };

static struct family *find_family(struct summary *summary, const char *name)
{
	if (summary->count >= MOST_FAMILIES)
		name = "(others)";
	for (size_t i = 0; i < summary->count; i++) {
		if (strcmp(summary->families[i].name, name) == 0)
			return &summary->families[i];
	}
	oclmm_grow(&summary->families, &summary->capacity, summary->count, sizeof(struct family));
	summary->families[summary->count] = (struct family){.name = oclmm_strdup(name)};
	return &summary->families[summary->count++];
}

static void count_record(struct summary *summary, const struct oclmm_record *record)
{
	/* what the device does not claim stands apart: it does not gate by itself */
	const char *name = record->support == OCLMM_CLASS_ACCEPTED ? "(not claimed)"
	                                                           : record->family;
	struct family *family = find_family(summary, name && *name ? name : ".");

	family->columns[COLUMN_TESTS]++;
	family->columns[column_of(record->grade.verdict)]++;
	family->instances += record->grade.instances;
	family->weak += record->grade.weak;
}

static size_t count_headers(const struct oclmm_run_header *header)
{
	size_t count = 0;

	for (; header; header = header->next)
		count++;
	return count;
}

static void print_device(struct oclmm_text *text, const struct oclmm_run_header *header)
{
	oclmm_text_printf(text, "%s: ", oclmm_shown(header->tool).text);
	if (header->devices > 1)
		oclmm_text_printf(text, "%" PRIu32 " x ", header->devices);
	oclmm_text_printf(text, "%s, %s, driver %s\n", oclmm_shown(header->identity.device).text,
	                  oclmm_shown(header->identity.version).text,
	                  oclmm_shown(header->identity.driver).text);
	if (header->identity.il)
		oclmm_text_printf(text, "SPIR-V by %s\n", oclmm_shown(header->identity.il).text);
}

static void print_number(struct oclmm_text *text, const struct oclmm_run_header *first,
                         size_t number)
{
	print_device_number(text, first, number);
	oclmm_text_add(text, first->next ? " " : "");
}

static void summary_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                          struct oclmm_text *text)
{
	size_t devices = count_headers(header);

	report->state = oclmm_calloc(devices, sizeof(struct summary));
	for (size_t i = 0; i < devices; i++) {
		print_number(text, header, i);
		print_device(text, header_at(header, i));
	}
	oclmm_text_printf(text, "%s, ", oclmm_counted(header->tests, "test").text);
	/* kernels take as many as their time suffices for */
	if (header->instances) {
		oclmm_text_add(text, "at least ");
		oclmm_report_quantity(text, (double)header->instances);
		oclmm_text_add(text, " instances each, ");
	}
	oclmm_text_printf(text, "seed %" PRIu64 "\n\n", header->seed);
}

static struct summary *summary_of(const struct oclmm_report *report,
                                  const struct oclmm_record *record)
{
	struct summary *summaries = report->state;

	return &summaries[oclmm_header_of(report->header, record)];
}

static void summary_record(struct oclmm_report *report, const struct oclmm_record *record,
                           struct oclmm_text *text)
{
	count_record(summary_of(report, record), record);
	test_line(text, report->header, record);
}

static void drop_families(struct summary *summary)
{
	for (size_t i = 0; i < summary->count; i++)
		free(summary->families[i].name);
	summary->count = 0;
}

/* Verdicts may have become inconclusive since their lines were written, so all is counted again. */
static void summary_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                           size_t count, struct oclmm_text *text)
{
	struct summary *summaries = report->state;
	size_t devices = count_headers(report->header);
	struct oclmm_text table = {0};

	for (size_t i = 0; i < devices; i++)
		drop_families(&summaries[i]);
	for (size_t i = 0; i < count; i++)
		count_record(summary_of(report, records[i]), records[i]);
	if (print_judged(&table, report->header, records, count))
		oclmm_text_printf(text, "\n%s", oclmm_text_string(&table));
	oclmm_text_finish(&table);
}

/* Widths of its columns, 0 of one that is left out. */
struct layout {
	int columns[COLUMN_COUNT];
	int instances, weak;
};

enum { FAMILY = 16 };

/* A column in which no family has anything is left out. */
static bool is_used(const struct summary *summary, int column)
{
	bool used = column <= COLUMN_PASS;

	for (size_t i = 0; i < summary->count; i++)
		used = used || summary->families[i].columns[column];
	return used;
}

static int width_of(const struct layout *layout)
{
	int width = FAMILY + layout->instances + layout->weak;

	for (int i = 0; i < COLUMN_COUNT; i++)
		width += layout->columns[i];
	return width;
}

/* Columns are narrow where the table would be too wide; the lines of the tests have the instances.
 */
static struct layout lay_out(const struct summary *summary)
{
	struct layout layout = {.instances = 10, .weak = 10};

	for (int i = 0; i < COLUMN_COUNT; i++)
		layout.columns[i] = is_used(summary, i) ? 7 : 0;
	if (width_of(&layout) <= OCLMM_TEXT_WIDTH)
		return layout;
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (layout.columns[i])
			layout.columns[i] = 1 + (int)strlen(column_names[i]);
	}
	layout.weak = 8;
	if (width_of(&layout) > OCLMM_TEXT_WIDTH)
		layout.instances = layout.weak = 0;
	return layout;
}

static void print_quantity(struct oclmm_text *text, int width, uint64_t number)
{
	struct oclmm_text quantity = {0};

	if (!width)
		return;
	oclmm_report_quantity(&quantity, (double)number);
	oclmm_text_printf(text, " %*s", width - 1, oclmm_text_string(&quantity));
	oclmm_text_finish(&quantity);
}

static void print_heading(struct oclmm_text *text, const struct layout *layout)
{
	oclmm_text_printf(text, "\n%-*s", FAMILY, "family");
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (layout->columns[i])
			oclmm_text_printf(text, " %*s", layout->columns[i] - 1, column_names[i]);
	}
	if (layout->instances)
		oclmm_text_printf(text, " %*s %*s", layout->instances - 1, "instances",
		                  layout->weak - 1, "asked");
	oclmm_text_add(text, "\n");
}

static void print_row(struct oclmm_text *text, const struct layout *layout,
                      const struct family *family)
{
	oclmm_text_printf(text, "%-*s", FAMILY, oclmm_shown(family->name).text);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (layout->columns[i])
			oclmm_text_printf(text, " %*" PRIu64, layout->columns[i] - 1,
			                  family->columns[i]);
	}
	print_quantity(text, layout->instances, family->instances);
	print_quantity(text, layout->weak, family->weak);
	oclmm_text_add(text, "\n");
}

static void print_table(struct oclmm_text *text, const struct summary *summary)
{
	struct layout layout = lay_out(summary);

	print_heading(text, &layout);
	for (size_t i = 0; i < summary->count; i++)
		print_row(text, &layout, &summary->families[i]);
	oclmm_text_add(text, "\n");
}

static void summary_part(struct oclmm_report *report, size_t number, struct oclmm_text *text)
{
	const struct summary *summaries = report->state;

	if (report->header->next) {
		oclmm_text_add(text, number ? "" : "\n");
		print_number(text, report->header, number);
		print_device(text, header_at(report->header, number));
	}
	if (summaries[number].count)
		print_table(text, &summaries[number]);
}

static void summary_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                        enum oclmm_exit status, struct oclmm_text *text)
{
	print_closing(report, text, tally, status, summary_part);
}

static void summary_finish(struct oclmm_report *report)
{
	struct summary *summaries = report->state;
	size_t devices = count_headers(report->header);

	for (size_t i = 0; i < devices; i++) {
		drop_families(&summaries[i]);
		free(summaries[i].families);
	}
	free(summaries);
}

const struct oclmm_report_kind oclmm_report_summary = {
	.name = "summary",
	.for_people = true,
	.begin = summary_begin,
	.record = summary_record,
	.judged = summary_judged,
	.end = summary_end,
	.finish = summary_finish,
};

/* ---- brief: what failed, what stayed open by its cause, and the verdict ---- */

static void brief_record(struct oclmm_report *report, const struct oclmm_record *record,
                         struct oclmm_text *text)
{
	enum oclmm_verdict verdict = record->grade.verdict;

	if (verdict == OCLMM_VERDICT_FORBIDDEN || verdict == OCLMM_VERDICT_STALE ||
	    oclmm_verdict_is_infrastructure(verdict))
		test_line(text, report->header, record);
}

static void brief_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                      enum oclmm_exit status, struct oclmm_text *text)
{
	print_causes(text, tally);
	for (size_t i = 0; i < tally->part_count; i++) {
		const struct oclmm_tally *part = &tally->parts[i];

		print_device_number(text, report->header, i);
		oclmm_text_add(text, " ");
		oclmm_report_verdict(text, part, oclmm_tally_exit(part, report->header->strict));
		oclmm_text_add(text, "\n");
	}
	oclmm_report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
}

const struct oclmm_report_kind oclmm_report_brief = {
	.name = "brief",
	.for_people = true,
	.record = brief_record,
	.end = brief_end,
};

/*
 * ---- text: litmus7's output ----
 *
 * What follows on a row is a comment to the herd tools, which read over lines
 * `Key=...` between Hash and Observation.
 */

static void print_histogram(struct oclmm_text *text, const struct oclmm_record *record,
                            uint32_t most)
{
	const struct oclmm_grade *grade = &record->grade;
	uint32_t count = grade->row_count < most ? grade->row_count : most;

	oclmm_text_printf(text, "Histogram (%u states)\n", grade->row_count);
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_graded_row *row = &grade->rows[i];

		oclmm_text_printf(text, "%-6" PRIu64 "%c>", row->count, row->witness ? '*' : ':');
		oclmm_report_outcome(text, record, row->values);
		print_row_comment(text, row);
		oclmm_text_add(text, "\n");
	}
	if (count < grade->row_count)
		oclmm_text_printf(text, "# and %u others\n", grade->row_count - count);
}

static void print_condition(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_program *program = record->program;
	const struct oclmm_grade *grade = &record->grade;
	bool ok = oclmm_log_ok(program->quantifier, grade->holds, grade->fails);
	bool negated = program->quantifier == OCLMM_QUANTIFIER_NOT_EXISTS;

	oclmm_text_printf(text, "%s\n\nWitnesses\n", ok ? "Ok" : "No");
	oclmm_text_printf(text, "Positive: %" PRIu64 ", Negative: %" PRIu64 "\n",
	                  negated ? grade->fails : grade->holds,
	                  negated ? grade->holds : grade->fails);
	oclmm_text_add(text, "Condition ");
	oclmm_final_print(text, program);
	oclmm_text_printf(text, " is %svalidated\n", ok ? "" : "NOT ");
}

static void print_own_lines(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	oclmm_text_printf(text, "Hash=%016" PRIx64 "\n", record->program->hash);
	oclmm_text_printf(text, "Variant=%s\n", oclmm_shown(record->program->name).text);
	oclmm_text_printf(text, "Verdict=%s\n", oclmm_verdict_word(grade->verdict));
	oclmm_text_printf(text, "Class=%s\n", oclmm_class_word(record->support));
	if (record->model)
		oclmm_text_printf(text, "Model=%s\n", oclmm_shown(record->model).text);
	if (grade->known)
		oclmm_text_printf(text, "Known=%s\n", oclmm_shown(grade->known).text);
	if (grade->cut)
		oclmm_text_printf(text, "Cut=%" PRIu64 "\n", grade->cut);
	if (grade->filtered)
		oclmm_text_printf(text, "Filtered=%" PRIu64 "\n", grade->filtered);
	oclmm_text_printf(text, "Seed=%" PRIu64 "\n", record->master_seed);
	oclmm_text_printf(text, "Stimulus=%016" PRIx64 "\n", record->counts.stimulus);
}

static void print_block(struct oclmm_text *text, const struct oclmm_record *record, uint32_t most)
{
	const struct oclmm_grade *grade = &record->grade;
	const char *name = record->program->name;

	if (!grade->row_count && !grade->instances) {
		oclmm_text_printf(text, "%s: %s%s%s\n\n", oclmm_shown(name).text,
		                  oclmm_verdict_word(grade->verdict), record->message ? ": " : "",
		                  oclmm_shown(record->message ? record->message : "").text);
		return;
	}
	oclmm_text_add(text, "Test ");
	oclmm_log_name(text, name);
	oclmm_text_printf(text, " %s\n", oclmm_log_kind(record->program->quantifier));
	print_histogram(text, record, most);
	print_condition(text, record);
	print_own_lines(text, record);
	oclmm_text_add(text, "Observation ");
	oclmm_log_name(text, name);
	oclmm_text_printf(text, " %s %" PRIu64 " %" PRIu64 "\n", observed_word(grade), grade->holds,
	                  grade->fails);
	oclmm_text_add(text, "Time ");
	oclmm_log_name(text, name);
	oclmm_text_printf(text, " %.2f\n\n", record->counts.seconds);
}

void oclmm_report_block(struct oclmm_text *text, const struct oclmm_record *record)
{
	print_block(text, record, UINT32_MAX);
}

void oclmm_report_whole(struct oclmm_text *text, const struct oclmm_run_header *header,
                        const struct oclmm_record *record, uint32_t most)
{
	print_block(text, record, most);
	if (record->grade.control.confidence != OCLMM_CONFIDENCE_NOT_JUDGED) {
		oclmm_text_add(text, "Confidence: ");
		print_confidence(text, record);
		oclmm_text_add(text, "\n");
	}
	if (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN) {
		oclmm_text_add(text, "Replay: ");
		oclmm_report_replay(text, header, record);
		oclmm_text_add(text, "\n");
	}
}

static void text_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                       struct oclmm_text *text)
{
	(void)report;
	oclmm_report_runs(text, header, "\n\n");
}

static void text_record(struct oclmm_report *report, const struct oclmm_record *record,
                        struct oclmm_text *text)
{
	if (report->header->next) {
		oclmm_text_add(text, "#");
		oclmm_report_label(text, report->header, record);
		oclmm_text_add(text, "\n");
	}
	oclmm_report_block(text, record);
	if (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN) {
		oclmm_text_add(text, "Replay: ");
		oclmm_report_replay(text, report->header, record);
		oclmm_text_add(text, "\n\n");
	}
}

static void text_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                        size_t count, struct oclmm_text *text)
{
	if (print_judged(text, report->header, records, count))
		oclmm_text_add(text, "\n");
}

static void text_part(struct oclmm_report *report, size_t number, struct oclmm_text *text)
{
	if (!report->header->next)
		return;
	print_device_number(text, report->header, number);
	oclmm_text_printf(text, " %s\n",
	                  oclmm_shown(header_at(report->header, number)->identity.device).text);
}

static void text_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status, struct oclmm_text *text)
{
	print_closing(report, text, tally, status, text_part);
}

const struct oclmm_report_kind oclmm_report_text = {
	.name = "text",
	.for_people = true,
	.rows_stand = true,
	.parts = true,
	.begin = text_begin,
	.record = text_record,
	.judged = text_judged,
	.end = text_end,
};
