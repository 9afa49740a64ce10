// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
	const struct oclmm_report_kind *kind;
	const char *files;
} kinds[] = {
#define OCLMM_X(name, word, files) {&oclmm_report_##name, files},
	OCLMM_REPORT_KINDS(OCLMM_X)
#undef OCLMM_X
};

const struct oclmm_report_kind *oclmm_report_kind_at(size_t index)
{
	return index < OCLMM_COUNT(kinds) ? kinds[index].kind : NULL;
}

const struct oclmm_report_kind *oclmm_report_kind_of_file(const char *path)
{
	const char *dot = oclmm_suffix(path);
	struct stat info;

	if (!*dot || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
		return &oclmm_report_text;
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		/* behind the `*` */
		const char *suffix = kinds[i].files + (*kinds[i].files == '*');
		size_t wanted = strcspn(suffix, " ,");

		if (wanted && strlen(dot) == wanted && memcmp(dot, suffix, wanted) == 0)
			return kinds[i].kind;
	}
	return NULL;
}

const struct oclmm_report_kind *oclmm_report_kind(const char *name)
{
	const struct oclmm_report_kind *kind;

	for (size_t i = 0; (kind = oclmm_report_kind_at(i)); i++) {
		if (strcmp(kind->name, name) == 0)
			return kind;
	}
	return NULL;
}

/* After the first error nothing more is written: a report has no holes. */
static void pass_on(struct oclmm_report *report, struct oclmm_text *text, bool record)
{
	int r = 0;

	if (report->kind->for_people && !(record && report->kind->rows_stand))
		report_wrap(text);
	if (report->coloured)
		report_colour(text);
	if (text->length && !report->failed) {
		r = report->sink.write(report->sink.data, oclmm_text_string(text), text->length);
		if (r == 0 && report->sink.flush)
			r = report->sink.flush(report->sink.data);
		report->failed = r;
	}
	oclmm_text_finish(text);
}

void oclmm_report_begin(struct oclmm_report *report, const struct oclmm_report_kind *kind,
                        struct oclmm_sink sink, const struct oclmm_run_header *header)
{
	struct oclmm_text text = {0};

	*report = (struct oclmm_report){.kind = kind, .sink = sink, .header = header};
	if (kind->begin)
		kind->begin(report, header, &text);
	pass_on(report, &text, false);
}

void oclmm_report_record(struct oclmm_report *report, const struct oclmm_record *record)
{
	struct oclmm_text text = {0};

	if (!report->kind->record)
		return;
	report->kind->record(report, record, &text);
	pass_on(report, &text, true);
}

void oclmm_report_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                         size_t count)
{
	struct oclmm_text text = {0};

	if (!report->kind->judged)
		return;
	report->kind->judged(report, records, count, &text);
	pass_on(report, &text, false);
}

int oclmm_report_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status)
{
	struct oclmm_text text = {0};

	report->kind->end(report, tally, status, &text);
	pass_on(report, &text, false);
	if (report->kind->finish)
		report->kind->finish(report);
	report->state = NULL;
	return report->failed;
}

void report_outcome(struct oclmm_text *text, const struct oclmm_record *record,
                    const int64_t *values)
{
	struct oclmm_text outcome = {0};

	/* of a file of results the names of what was observed are what somebody wrote there */
	oclmm_outcome_print(&outcome, record->program, values);
	oclmm_text_add_shown(text, oclmm_text_string(&outcome));
	oclmm_text_finish(&outcome);
}

void report_row_comment(struct oclmm_text *text, const struct oclmm_graded_row *row)
{
	if (row->status == OCLMM_STATUS_FORBIDDEN) {
		oclmm_text_add(text, " # !! forbidden");
	} else if (row->status == OCLMM_STATUS_DISPUTED) {
		oclmm_text_add(text, " # ? disputed ");
		oclmm_knobs_print(text, row->deciding);
	}
}

/* A driver that is ill may show millions of outcomes: of those of one status the first are told one
 * by one, the others are counted. JSON Lines and litmus7's form have all. */
enum { ROWS_SHOWN = 20 };

void report_rows(struct oclmm_text *text, const struct oclmm_record *record,
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
		report_outcome(text, record, row->values);
		if (lines) {
			report_row_comment(text, row);
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
	report_rows(text, record, status, false);
	if (record->grade.instances)
		oclmm_text_printf(text, " in %" PRIu64 " instances", record->grade.instances);
}

void report_expired(struct oclmm_text *text, const struct oclmm_grade *grade)
{
	if (grade->expired)
		oclmm_text_printf(text, "; it was expected until %04d-%02d-%02d",
		                  grade->expired / 10000, grade->expired / 100 % 100,
		                  grade->expired % 100);
}

void report_verdict_and_cause(struct oclmm_text *text, const struct oclmm_record *record)
{
	oclmm_text_add(text, oclmm_verdict_word(record->grade.verdict));
	if (oclmm_end_cause(record->end) && oclmm_verdict_is_infrastructure(record->grade.verdict))
		oclmm_text_printf(text, "/%s", oclmm_end_cause(record->end));
}

bool report_is_excused(const struct oclmm_grade *grade)
{
	return !grade->gates && (grade->verdict == OCLMM_VERDICT_FORBIDDEN ||
	                         oclmm_verdict_is_infrastructure(grade->verdict));
}

void report_words(struct oclmm_text *text, const char *word)
{
	for (; *word; word++)
		oclmm_text_add_bytes(text, *word == '-' ? " " : word, 1);
}

void report_reason(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	oclmm_text_add(text, oclmm_verdict_word(grade->verdict));
	if (grade->known)
		oclmm_text_printf(text, ": %s", oclmm_shown(grade->known).text);
	else if (record->message)
		oclmm_text_printf(text, ": %s", oclmm_shown(record->message).text);
	else if (grade->verdict == OCLMM_VERDICT_INCONCLUSIVE) {
		oclmm_text_add(text, ": ");
		report_confidence(text, record);
	} else
		oclmm_text_printf(text, ": %s", oclmm_verdict_meaning(grade->verdict));
	if (grade->forbidden)
		add_outcomes(text, record, OCLMM_STATUS_FORBIDDEN);
	report_expired(text, grade);
	if (report_is_excused(grade))
		oclmm_text_add(text, "; the device does not claim what the test needs");
}

const char *report_observed_word(const struct oclmm_grade *grade)
{
	return grade->holds == 0 ? "Never" : grade->fails == 0 ? "Always" : "Sometimes";
}

/* Of its device; one that ran on several does not say which. */
static bool is_of(const struct oclmm_run_header *header, const struct oclmm_record *record)
{
	return oclmm_same_string(header->device, record->device) &&
	       oclmm_same_string(header->driver, record->driver) &&
	       oclmm_same_string(header->platform, record->platform) &&
	       oclmm_same_string(header->il, record->il) &&
	       (!header->device_id || oclmm_same_string(header->device_id, record->device_id));
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

const struct oclmm_run_header *report_header(const struct oclmm_run_header *first, size_t number)
{
	for (; number > 0; number--)
		first = first->next;
	return first;
}

void report_number(struct oclmm_text *text, const struct oclmm_run_header *first, size_t number)
{
	if (first->next)
		oclmm_text_printf(text, "[%zu]", number + 1);
}

void report_runs(struct oclmm_text *text, const struct oclmm_run_header *first, const char *end)
{
	const struct oclmm_run_header *header = first;

	for (size_t i = 0; header; header = header->next, i++) {
		oclmm_text_add(text, "# ");
		report_number(text, first, i);
		oclmm_text_printf(text, "%s%s on %s (%s, driver %s), seed %" PRIu64 "%s",
		                  first->next ? " " : "", oclmm_shown(header->tool).text,
		                  oclmm_shown(header->device).text,
		                  oclmm_shown(header->version).text,
		                  oclmm_shown(header->driver).text, header->seed, end);
		if (header->il)
			oclmm_text_printf(text, "# SPIR-V by %s%s", oclmm_shown(header->il).text,
			                  end);
	}
}

void report_label(struct oclmm_text *text, const struct oclmm_run_header *first,
                  const struct oclmm_record *record)
{
	if (!first->next)
		return;
	oclmm_text_add(text, " ");
	report_number(text, first, oclmm_header_of(first, record));
}

void oclmm_report_halvings(struct oclmm_text *text, const struct oclmm_halvings *halvings)
{
	for (uint32_t i = 0; i < halvings->count; i++)
		oclmm_text_printf(text, "%s%" PRIu64, i ? "," : " --halved-at ", halvings->at[i]);
}

void oclmm_report_command(struct oclmm_text *text, const struct oclmm_run_header *header,
                          const struct oclmm_record *record)
{
	if (header && header->variables && *header->variables)
		oclmm_text_printf(text, "%s ", header->variables);
	oclmm_text_add(text, "oclmm run");
	if (record->device && *record->device) {
		oclmm_text_add(text, " --device ");
		oclmm_text_add_quoted(text, record->device);
	}
	if (record->il)
		oclmm_text_add(text, " --il spirv");
	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(text, " --claims accepted");
}

/* Somebody types it into a shell: what others wrote must not be a command there. */
static void add_replay(struct oclmm_text *text, const struct oclmm_run_header *first,
                       const struct oclmm_record *record)
{
	const struct oclmm_run_header *header = report_header(first,
	                                                      oclmm_header_of(first, record));

	/* saved results do not say how a device was asked for; two that ran together are known by
	 * their numbers alone, which another day may be others */
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
	oclmm_report_halvings(text, &record->halved_at);
	/* what did not run has none of its own */
	oclmm_text_printf(text, " --instances %" PRIu64 " ",
	                  record->instances ? record->earlier + record->instances
	                                    : header->instances);
	oclmm_record_argument(text, record);
}

void report_replay(struct oclmm_text *text, const struct oclmm_run_header *header,
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
