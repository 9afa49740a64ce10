// SPDX-License-Identifier: Apache-2.0
/* What the silence of tests is worth: a table for people, and a sentence. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

/* A probability, or why there is none: `7.6e-06`, `never seen`. */
static void print_kind(struct oclmm_text *text, const struct oclmm_control *control,
                       enum oclmm_control_kind number)
{
	const struct oclmm_kind_confidence *kind = &control->kinds[number];

	if (control->confidence == OCLMM_CONFIDENCE_NO_CONTROL)
		report_words(text, oclmm_confidence_word(control->confidence));
	else if (kind->confidence == OCLMM_CONFIDENCE_REACHED ||
	         kind->confidence == OCLMM_CONFIDENCE_TOO_RARE)
		oclmm_text_printf(text, "%.2g", kind->escape);
	else
		report_words(text, oclmm_confidence_word(kind->confidence));
}

static bool never_met(const struct oclmm_control *control)
{
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		if (control->kinds[i].confidence == OCLMM_CONFIDENCE_NEVER_MET)
			return true;
	}
	return false;
}

/* Its first two words, the shape; all of it stands in the results file. */
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

/* What numbers do not say, or nothing, each after `before`. */
static void print_remarks(struct oclmm_text *text, const struct oclmm_record *record,
                          const char *before)
{
	const struct oclmm_control *control = &record->grade.control;

	if (control->together && control->confidence <= OCLMM_CONFIDENCE_NEVER_SEEN)
		oclmm_text_printf(text, "%sits launches were not kept apart and count as one",
		                  before);
	if (never_met(control) && record->environment) {
		oclmm_text_add(text, before);
		print_environment(text, record->environment);
	}
}

void report_confidence(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_control *control = &record->grade.control;

	if (control->confidence < OCLMM_CONFIDENCE_REACHED ||
	    control->confidence == OCLMM_CONFIDENCE_NO_CONTROL) {
		oclmm_text_add(text, oclmm_confidence_meaning(control->confidence));
		return;
	}
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;) {
		enum oclmm_control_kind kind = (enum oclmm_control_kind)i;

		oclmm_text_printf(text, "%s ", oclmm_control_kind_speaks_for(kind));
		print_kind(text, control, kind);
		oclmm_text_add(text, i ? ", " : "");
	}
	if (!control->together)
		oclmm_text_printf(text, "; limit %.2g of launches", control->limit);
	print_remarks(text, record, "; ");
}

/* ---- the table ---- */

/* Columns that follow the name: two words and a number, each after a blank. */
enum { ROOM = 11 + 11 + 8 };

static void print_heading(struct oclmm_text *text)
{
	report_columns(text, "verdict", "test", ROOM);
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;)
		oclmm_text_printf(text, " %-10s",
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
	oclmm_text_add(text, " limit\n");
}

static void print_row(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_record *record)
{
	const struct oclmm_control *control = &record->grade.control;

	report_columns(text, oclmm_verdict_word(record->grade.verdict), record->program->name,
	               ROOM);
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;) {
		struct oclmm_text cell = {0};

		print_kind(&cell, control, (enum oclmm_control_kind)i);
		oclmm_text_printf(text, " %-10s", oclmm_text_string(&cell));
		oclmm_text_finish(&cell);
	}
	if (control->together || control->confidence == OCLMM_CONFIDENCE_NO_CONTROL)
		oclmm_text_add(text, " -");
	else
		oclmm_text_printf(text, " %.2g", control->limit);
	report_label(text, header, record);
	print_remarks(text, record, "\n    ");
	oclmm_text_add(text, "\n");
}

bool report_judged(struct oclmm_text *text, const struct oclmm_run_header *header,
                   const struct oclmm_record *const *records, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (records[i]->grade.control.confidence < OCLMM_CONFIDENCE_REACHED)
			continue;
		if (!any)
			print_heading(text);
		any = true;
		print_row(text, header, records[i]);
	}
	return any;
}
