// SPDX-License-Identifier: Apache-2.0
/* Init block, threads and condition. */
#include "internal.h"

static void print_init(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       const struct outcome *outcome)
{
	oclmm_text_add(text, "{\n");
	for (unsigned i = 0; i < cycle->location_count; i++) {
		oclmm_text_printf(text, "%s[%s] = ", cycle->location[i].svm ? "svm " : "",
		                  cycle_location_name(i));
		cycle_print_value(text, cycle->location[i].type, outcome->initial[i]);
		oclmm_text_add(text, ";\n");
	}
	oclmm_text_add(text, "}\n");
}

static bool uses(const struct oclmm_cycle *cycle, unsigned thread, unsigned location)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		if (cycle->access[i].thread == thread && cycle->access[i].location == location)
			return true;
	}
	return false;
}

static void print_head(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned thread)
{
	const char *before = "";

	oclmm_text_printf(text, "\nP%u@", thread);
	oclmm_placement_print(text, &cycle->placement[thread]);
	oclmm_text_add(text, " (");
	for (unsigned i = 0; i < cycle->location_count; i++) {
		const struct oclmm_cycle_location *location = &cycle->location[i];

		if (!uses(cycle, thread, i))
			continue;
		oclmm_text_printf(text, "%s%s %s *%s", before,
		                  oclmm_space_spelling(location->space),
		                  oclmm_type_spelling(location->type, location->atomic),
		                  cycle_location_name(i));
		before = ", ";
	}
	oclmm_text_add(text, ") {\n");
}

static void print_condition(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                            const struct outcome *outcome)
{
	const char *before = "\nexists (";

	for (unsigned i = 0; i < cycle->count; i++) {
		if (!outcome->known[i])
			continue;
		oclmm_text_add(text, before);
		cycle_print_atom(text, cycle, outcome, i);
		before = " /\\ ";
	}
	for (unsigned i = 0; i < cycle->location_count; i++) {
		if (!outcome->is_final[i])
			continue;
		oclmm_text_printf(text, "%s[%s]=", before, cycle_location_name(i));
		cycle_print_value(text, cycle->location[i].type, outcome->final[i]);
		before = " /\\ ";
	}
	oclmm_text_add(text, ")\n");
}

static bool asks(const struct oclmm_cycle *cycle, const struct outcome *outcome)
{
	bool any = false;

	for (unsigned i = 0; i < OCLMM_CYCLE_MAX; i++)
		any |= (i < cycle->count && outcome->known[i]) ||
		       (i < cycle->location_count && outcome->is_final[i]);
	return any;
}

int oclmm_cycle_body(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                     struct oclmm_text *text)
{
	struct outcome outcome;
	int r = cycle_outcome(cycle, error, &outcome);

	if (r < 0)
		return r;
	if (!asks(cycle, &outcome))
		return cycle_refuse(error, NULL, NULL, "the outcome shows nothing of these edges");
	print_init(text, cycle, &outcome);
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		print_head(text, cycle, i);
		cycle_print_thread(text, cycle, &outcome, i);
		oclmm_text_add(text, "}\n");
	}
	print_condition(text, cycle, &outcome);
	return 0;
}
