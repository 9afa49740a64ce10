// SPDX-License-Identifier: Apache-2.0
/* Files of expected sets: each distinct set once, under the variants that have it. */
#include "internal.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void expected_print_state(struct oclmm_text *text, const struct oclmm_expected *expected,
                          const int64_t *values)
{
	for (uint32_t i = 0; i < expected->width; i++) {
		oclmm_text_printf(text, "%s%s=", i ? " " : "", expected->observables[i]);
		oclmm_value_print(text, expected->types[i], values[i]);
		oclmm_text_add(text, ";");
	}
}

void expected_print_values(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	for (uint32_t i = 0; i < expected->width; i++) {
		const struct oclmm_outcome_domain *domain = &expected->space.domains[i];

		oclmm_text_printf(text, "%s%s={", i ? " " : "", expected->observables[i]);
		for (uint32_t k = 0; k < domain->count; k++) {
			oclmm_text_add(text, k ? "," : "");
			oclmm_value_print(text, expected->types[i], domain->values[k]);
		}
		oclmm_text_add(text, "};");
	}
}

/* `opencl-2.1:forbidden`, `opencl-2.0:disputed:K2+K4`: what is not as for all versions together. */
static void print_version(struct oclmm_text *text, const struct oclmm_expected_state *state,
                          enum oclmm_model model)
{
	const struct oclmm_expected_verdict *v = &state->version[model];
	const char *separator = ":";

	oclmm_text_printf(text, " %s:%s", oclmm_model_name(model), oclmm_status_word(v->status));
	for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
		if (!(v->deciding & 1u << knob))
			continue;
		oclmm_text_printf(text, "%s%s", separator, oclmm_knob_name((enum oclmm_knob)knob));
		separator = "+";
	}
}

void expected_print_verdicts(struct oclmm_text *text, const struct oclmm_expected_state *state)
{
	if (state->status == OCLMM_STATUS_ALLOWED)
		return;
	oclmm_text_add(text, " #");
	if (state->status == OCLMM_STATUS_DISPUTED) {
		oclmm_text_add(text, " ");
		oclmm_knobs_print(text, state->deciding);
	}
	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++)
		if (state->version[v].status != state->status ||
		    state->version[v].deciding != state->deciding)
			print_version(text, state, (enum oclmm_model)v);
}

static void print_states(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		oclmm_text_printf(text, "%s %s ", oclmm_status_word(state->status),
		                  state->holds ? EXPECTED_HOLDS : EXPECTED_FAILS);
		expected_print_state(text, expected, state->values);
		expected_print_verdicts(text, state);
		oclmm_text_add(text, "\n");
	}
}

void expected_print_versions(struct oclmm_text *text, unsigned versions)
{
	const char *separator = "";

	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++) {
		if (!(versions & 1u << v))
			continue;
		oclmm_text_printf(text, "%s%s", separator, oclmm_model_name((enum oclmm_model)v));
		separator = " ";
	}
}

static void print_defined(struct oclmm_text *text, unsigned versions)
{
	if (!versions)
		return;
	oclmm_text_add(text, EXPECTED_DEFINED);
	expected_print_versions(text, versions);
	oclmm_text_add(text, "\n");
}

void expected_print_set(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	oclmm_text_printf(text, EXPECTED_CONDITION "%s (%s)\n" EXPECTED_OBSERVATION "%s\n",
	                  oclmm_quantifier_word(expected->quantifier), expected->condition,
	                  oclmm_observation_word(expected->observation));
	oclmm_text_add(text, EXPECTED_VALUES);
	expected_print_values(text, expected);
	oclmm_text_add(text, "\n");
	print_states(text, expected);
	if (expected->undefined)
		oclmm_text_printf(text, EXPECTED_UNDEFINED "%s\n",
		                  expected->undefined_why ? expected->undefined_why : "");
	print_defined(text, expected->defined);
	if (expected->models)
		oclmm_text_printf(text, EXPECTED_MODELS "%s\n", expected->models);
	if (expected->may_be_cut)
		oclmm_text_add(text, EXPECTED_CUT "\n");
}

/* The sets of a file as text, and which entry has which: entry i has sets[of[i]]. */
struct sections {
	struct oclmm_text *sets;
	size_t count;
	size_t capacity;
	size_t *of;
};

static size_t find_section(struct sections *sections, const struct oclmm_expected *expected)
{
	struct oclmm_text text = {0};

	expected_print_set(&text, expected);
	for (size_t i = 0; i < sections->count; i++) {
		if (strcmp(sections->sets[i].data, text.data) != 0)
			continue;
		oclmm_text_finish(&text);
		return i;
	}
	oclmm_grow(&sections->sets, &sections->capacity, sections->count, sizeof(text));
	sections->sets[sections->count] = text;
	return sections->count++;
}

static void print_section(struct oclmm_text *text, const struct oclmm_expected_file *file,
                          const struct sections *sections, size_t section)
{
	for (size_t i = 0; i < file->count; i++) {
		if (sections->of[i] == section)
			oclmm_text_printf(text, EXPECTED_VARIANT "%016" PRIx64 " %s\n",
			                  file->entries[i]->hash, file->entries[i]->name);
	}
	oclmm_text_add(text, oclmm_text_string(&sections->sets[section]));
	oclmm_text_add(text, "\n");
}

void oclmm_expected_print(struct oclmm_text *text, const struct oclmm_expected_file *file)
{
	struct sections sections = {.of = oclmm_calloc(file->count + 1, sizeof(size_t))};

	oclmm_text_printf(text, EXPECTED_INTRODUCTION "%s" EXPECTED_INTRODUCTION_END "\n",
	                  file->litmus);
	for (size_t i = 0; i < file->count; i++)
		sections.of[i] = find_section(&sections, file->entries[i]);
	for (size_t i = 0; i < sections.count; i++) {
		print_section(text, file, &sections, i);
		oclmm_text_finish(&sections.sets[i]);
	}
	free(sections.sets);
	free(sections.of);
}

int oclmm_expected_write(const struct oclmm_expected_file *file, const char *path,
                         struct oclmm_error *error)
{
	struct oclmm_text text = {0};
	struct stat info;
	char *folder;
	int r;

	if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return oclmm_error_set(error, -EINVAL, "cannot write %s: it is no regular file",
		                       path);
	folder = oclmm_strdup(path);
	r = oclmm_make_folders(dirname(folder));
	if (r == 0) {
		oclmm_expected_print(&text, file);
		r = oclmm_write_file(path, oclmm_text_string(&text), text.length);
	}
	oclmm_text_finish(&text);
	free(folder);
	if (r < 0)
		return oclmm_error_set(error, r, "cannot write %s: %s", path, strerror(-r));
	return 0;
}
