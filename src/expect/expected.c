// SPDX-License-Identifier: Apache-2.0
/* Expected sets as files: built from answers, printed, compared and read back. */
#include "oclmm/expect.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct oclmm_expected_file {
	struct oclmm_arena *arena;
	const char *litmus;
	struct oclmm_expected **entries;
	size_t count;
	size_t capacity;
};

/* The first line of a file, up to the name of the litmus file and after it. */
#define EXPECTED_INTRODUCTION     "# Allowed sets of "
#define EXPECTED_INTRODUCTION_END ", written by \"oclmm check --write\"\n"

/* How the other lines begin. */
#define EXPECTED_VARIANT     "variant "
#define EXPECTED_CONDITION   "condition "
#define EXPECTED_OBSERVATION "observation "
#define EXPECTED_VALUES      "values "
#define EXPECTED_UNDEFINED   "undefined "
#define EXPECTED_DEFINED     "defined "
#define EXPECTED_MODELS      "models "
#define EXPECTED_UNSPECIFIED "unspecified "
#define EXPECTED_CUT         "cut"

/* Before a state: whether the condition's predicate holds in it, as in litmus7's histograms. */
#define EXPECTED_HOLDS "*>"
#define EXPECTED_FAILS ":>"

struct oclmm_expected_file *oclmm_expected_create(const char *litmus)
{
	struct oclmm_expected_file *file = oclmm_calloc(1, sizeof(*file));

	file->arena = oclmm_arena_create();
	file->litmus = oclmm_arena_strdup(file->arena, litmus);
	return file;
}

void oclmm_expected_destroy(struct oclmm_expected_file *file)
{
	if (!file)
		return;
	oclmm_arena_destroy(file->arena);
	free(file->entries);
	free(file);
}

size_t oclmm_expected_count(const struct oclmm_expected_file *file)
{
	return file->count;
}

const struct oclmm_expected *oclmm_expected_at(const struct oclmm_expected_file *file, size_t index)
{
	return file->entries[index];
}

const struct oclmm_expected *oclmm_expected_find(const struct oclmm_expected_file *file,
                                                 const char *name)
{
	for (size_t i = 0; i < file->count; i++) {
		if (strcmp(file->entries[i]->name, name) == 0)
			return file->entries[i];
	}
	return NULL;
}

static struct oclmm_expected *expected_append(struct oclmm_expected_file *file)
{
	struct oclmm_expected *expected = OCLMM_NEW(file->arena, struct oclmm_expected);

	oclmm_grow(&file->entries, &file->capacity, file->count, sizeof(struct oclmm_expected *));
	file->entries[file->count++] = expected;
	return expected;
}

static void expected_count_states(struct oclmm_expected *expected)
{
	expected->allowed_count = expected->positive = 0;
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		if (state->status != OCLMM_STATUS_ALLOWED)
			continue;
		expected->allowed_count++;
		expected->positive += state->holds;
	}
}

bool oclmm_expected_fits(const struct oclmm_expected *expected, const struct oclmm_program *program)
{
	if (expected->hash != program->hash || expected->width != program->observable_count)
		return false;
	for (uint32_t i = 0; i < expected->width; i++) {
		if (strcmp(expected->observables[i], program->observables[i].name) != 0)
			return false;
	}
	return true;
}

const struct oclmm_expected *oclmm_expected_for(const struct oclmm_expected_file *file,
                                                const struct oclmm_program *program)
{
	const struct oclmm_expected *expected = file ? oclmm_expected_find(file, program->name)
	                                             : NULL;

	return expected && oclmm_expected_fits(expected, program) ? expected : NULL;
}

enum oclmm_status oclmm_expected_status(const struct oclmm_expected *expected,
                                        const int64_t *values, unsigned *ret_deciding)
{
	enum oclmm_status status = expected->open ? OCLMM_STATUS_DISPUTED : OCLMM_STATUS_FORBIDDEN;
	unsigned deciding = 0;

	if (expected->undefined)
		status = OCLMM_STATUS_UNDEFINED;
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		if (oclmm_compare_values(state->values, values, expected->width) == 0) {
			status = state->status;
			deciding = state->deciding;
			break;
		}
	}
	if (ret_deciding)
		*ret_deciding = deciding;
	return status;
}

static enum oclmm_observation expected_observe(const struct oclmm_expected *expected)
{
	bool may[2] = {false, false}, sure[2] = {false, false};

	if (expected->undefined)
		return OCLMM_OBSERVATION_UNDEFINED;
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		may[state->holds] |= state->status != OCLMM_STATUS_FORBIDDEN;
		sure[state->holds] |= state->status == OCLMM_STATUS_ALLOWED;
	}
	return oclmm_observation_of(sure[true], sure[false], may[true], may[false]);
}

const struct oclmm_expected *oclmm_expected_under(struct oclmm_arena *arena,
                                                  const struct oclmm_expected *expected,
                                                  enum oclmm_model model)
{
	struct oclmm_expected *copy;

	if (model >= OCLMM_VERSION_COUNT)
		return expected;
	copy = oclmm_arena_copy(arena, expected, sizeof(*expected));
	copy->undefined = expected->undefined && !(expected->defined & 1u << model);
	copy->defined = 0;
	if (!copy->undefined)
		copy->undefined_why = NULL;
	copy->states = OCLMM_NEW_ARRAY(arena, struct oclmm_expected_state, expected->state_count);
	copy->state_count = 0;
	for (uint32_t i = 0; i < expected->state_count && !copy->undefined; i++) {
		struct oclmm_expected_state state = expected->states[i];

		state.status = state.version[model].status;
		state.deciding = state.version[model].deciding;
		if (state.status != OCLMM_STATUS_FORBIDDEN)
			copy->states[copy->state_count++] = state;
	}
	expected_count_states(copy);
	copy->observation = expected_observe(copy);
	return copy;
}

const struct oclmm_expected *oclmm_expected_held(struct oclmm_arena *arena,
                                                 const struct oclmm_expected_file *file,
                                                 const struct oclmm_program *program,
                                                 enum oclmm_model model)
{
	const struct oclmm_expected *expected = oclmm_expected_for(file, program);

	if (!expected || (model >= OCLMM_VERSION_COUNT && model != OCLMM_MODEL_CONSENSUS))
		return NULL;
	return oclmm_expected_under(arena, expected, model);
}

bool oclmm_expected_forbids(const struct oclmm_expected *expected)
{
	if (expected->undefined || expected->open)
		return false;
	/* an outcome that is asked about and never allowed is forbidden though no execution reaches
	 * it */
	return expected->state_count < expected->space.size ||
	       expected->observation == OCLMM_OBSERVATION_NEVER;
}

/* ---- from the oracle's answer to an entry ---- */

static void copy_observables(struct oclmm_arena *arena, struct oclmm_expected *expected,
                             const struct oclmm_program *program)
{
	uint32_t width = program->observable_count;
	const char **names = OCLMM_NEW_ARRAY(arena, const char *, width);
	enum oclmm_type *types = OCLMM_NEW_ARRAY(arena, enum oclmm_type, width);

	for (uint32_t i = 0; i < width; i++) {
		names[i] = oclmm_arena_strdup(arena, program->observables[i].name);
		types[i] = program->observables[i].type;
	}
	expected->width = width;
	expected->observables = names;
	expected->types = types;
}

static void copy_space(struct oclmm_arena *arena, struct oclmm_outcome_space *to,
                       const struct oclmm_outcome_space *from)
{
	to->observable_count = from->observable_count;
	to->domains = OCLMM_NEW_ARRAY(arena, struct oclmm_outcome_domain, from->observable_count);
	for (uint32_t i = 0; i < from->observable_count; i++) {
		to->domains[i].count = from->domains[i].count;
		to->domains[i].values = oclmm_arena_copy(arena, from->domains[i].values,
		                                         from->domains[i].count * sizeof(int64_t));
	}
	oclmm_outcome_space_number(to);
}

static bool is_listed(enum oclmm_status status)
{
	return status == OCLMM_STATUS_ALLOWED || status == OCLMM_STATUS_DISPUTED;
}

/* \return whether some version lists the state. Versions that were not asked say what is said. */
static bool copy_versions(struct oclmm_expected_state *to, const struct oclmm_answer *answer,
                          const struct oclmm_state *from, enum oclmm_model model)
{
	bool listed = false;

	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++) {
		unsigned source = answer->models & 1u << v ? v : model;

		to->version[v].status = from->status[source];
		to->version[v].deciding = from->deciding[source];
		listed |= is_listed(from->status[source]);
	}
	return model == OCLMM_MODEL_CONSENSUS && listed;
}

/* The versions that give a program a meaning which consensus finds undefined. */
static unsigned defined_versions(const struct oclmm_answer *answer, enum oclmm_model model)
{
	unsigned defined = 0;

	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++)
		if (answer->models & 1u << v && answer->undefined[model] && !answer->undefined[v])
			defined |= 1u << v;
	return model == OCLMM_MODEL_CONSENSUS ? defined : 0;
}

static void copy_states(struct oclmm_arena *arena, struct oclmm_expected *expected,
                        const struct oclmm_answer *answer, enum oclmm_model model)
{
	expected->states = OCLMM_NEW_ARRAY(arena, struct oclmm_expected_state, answer->state_count);
	for (uint32_t i = 0; i < answer->state_count; i++) {
		const struct oclmm_state *from = &answer->states[i];
		enum oclmm_status status = from->status[model];
		struct oclmm_expected_state *to = &expected->states[expected->state_count];

		if (!copy_versions(to, answer, from, model) && !is_listed(status))
			continue;
		to->values = oclmm_arena_copy(arena, from->values,
		                              expected->width * sizeof(int64_t));
		to->status = status;
		to->deciding = from->deciding[model];
		to->holds = from->condition;
		expected->state_count++;
	}
	expected_count_states(expected);
}

static void print_access(struct oclmm_text *text, const struct oclmm_program *program,
                         const struct oclmm_access *access)
{
	oclmm_text_printf(text, "P%u line %u", program->threads[access->thread].id,
	                  access->position.line);
	if (access->text[0]) /* arithmetic is no access */
		oclmm_text_printf(text, " `%s`", access->text);
}

/* One line: the entries of the file are lines. */
static const char *describe_witness(struct oclmm_arena *arena, const struct oclmm_program *program,
                                    const struct oclmm_witness *witness, unsigned deciding)
{
	struct oclmm_text text = {0};
	char *copy;

	oclmm_text_printf(&text, "%s in %s", oclmm_undefined_word(witness->reason),
	                  oclmm_model_name(witness->regime));
	/* which versions give it a meaning is said beside it */
	if (deciding & ~(1u << OCLMM_KNOB_K1)) {
		oclmm_text_add(&text, " (decided by ");
		oclmm_knobs_print(&text, deciding & ~(1u << OCLMM_KNOB_K1));
		oclmm_text_add(&text, ")");
	}
	oclmm_text_add(&text, ": ");
	print_access(&text, program, &witness->a);
	if (witness->has_b) {
		oclmm_text_add(&text, " and ");
		print_access(&text, program, &witness->b);
	}
	if (witness->why[0])
		oclmm_text_printf(&text, ": %s", witness->why);
	copy = oclmm_text_keep(&text, arena);
	for (char *c = copy; *c; c++) {
		if (*c == '\n' || *c == '\r')
			*c = ' ';
	}
	return copy;
}

/* The observables that may have any value; a division that decides nothing is told, too, because a
 * device may trap there. */
static const char *describe_unspecified(struct oclmm_arena *arena,
                                        const struct oclmm_answer *answer)
{
	struct oclmm_text text = {0};

	for (uint32_t i = 0; i < answer->program->observable_count && answer->unspecified; i++)
		if (answer->unspecified >> i & 1)
			oclmm_text_printf(&text, "%s%s", text.length ? " " : "",
			                  answer->program->observables[i].name);
	if (!text.length && answer->divides)
		oclmm_text_add(&text, "nothing that is observed");
	return text.length ? oclmm_text_keep(&text, arena) : NULL;
}

/* What each model asked for says, unless all of them say the same. */
static const char *describe_models(struct oclmm_arena *arena, const struct oclmm_answer *answer,
                                   enum oclmm_model asked)
{
	enum oclmm_observation expected = oclmm_answer_observation(answer, asked);
	struct oclmm_text text = {0};
	bool differ = false;
	char *copy = NULL;

	for (int model = 0; model < OCLMM_MODEL_COUNT; model++) {
		enum oclmm_observation observation;

		if (!(answer->models & 1u << model) || model == (int)asked)
			continue;
		observation = oclmm_answer_observation(answer, (enum oclmm_model)model);
		differ |= observation != expected;
		oclmm_text_printf(&text, "%s%s:%s", text.length ? " " : "",
		                  oclmm_model_name((enum oclmm_model)model),
		                  oclmm_observation_word(observation));
	}
	if (differ)
		copy = oclmm_text_keep(&text, arena);
	oclmm_text_finish(&text);
	return copy;
}

int oclmm_expected_add(struct oclmm_expected_file *file, const struct oclmm_answer *answer,
                       enum oclmm_model model)
{
	const struct oclmm_program *program = answer->program;
	struct oclmm_arena *arena = file->arena;
	struct oclmm_expected *expected;
	struct oclmm_text condition = {0};

	if (!(answer->models & 1u << model))
		return -EINVAL;
	if (oclmm_expected_find(file, program->name))
		return -EEXIST;

	expected = expected_append(file);
	expected->name = oclmm_arena_strdup(arena, program->name);
	expected->hash = program->hash;
	expected->quantifier = program->quantifier;
	oclmm_condition_print(&condition, program, program->condition);
	expected->condition = oclmm_text_keep(&condition, arena);
	copy_observables(arena, expected, program);
	copy_space(arena, &expected->space, &answer->space);
	expected->may_be_cut = answer->may_be_cut;
	expected->observation = oclmm_answer_observation(answer, model);
	expected->undefined = answer->undefined[model];
	expected->defined = defined_versions(answer, model);
	expected->models = describe_models(arena, answer, model);
	expected->unspecified = describe_unspecified(arena, answer);
	if (expected->undefined)
		expected->undefined_why = describe_witness(arena, program, &answer->witness[model],
		                                           answer->undefined_deciding[model]);
	/* Khronos' models allow no state of an undefined program in particular; `scoped` does */
	copy_states(arena, expected, answer, model);
	return 0;
}

int oclmm_expected_ask(const struct oclmm_program *program, enum oclmm_model model,
                       const struct oclmm_check_options *options, struct oclmm_error *error,
                       struct oclmm_expected_file **ret_file)
{
	struct oclmm_check_options own = {.time_limit = 60};
	struct oclmm_expected_file *file;
	struct oclmm_answer *answer;
	int r;

	if (options)
		own = *options;
	own.models = 1u << model;
	r = oclmm_check(program, &own, error, &answer);
	if (r < 0)
		return error->message[0] ? r : oclmm_error_set(error, r, "%s", strerror(-r));
	file = oclmm_expected_create(program->file ? program->file : "");
	oclmm_expected_add(file, answer, model);
	oclmm_answer_destroy(answer);
	*ret_file = file;
	return 0;
}

/* ---- files of expected sets: each distinct set once, under the variants that have it ---- */

static void expected_print_state(struct oclmm_text *text, const struct oclmm_expected *expected,
                                 const int64_t *values)
{
	for (uint32_t i = 0; i < expected->width; i++) {
		oclmm_text_printf(text, "%s%s=", i ? " " : "", expected->observables[i]);
		oclmm_value_print(text, expected->types[i], values[i]);
		oclmm_text_add(text, ";");
	}
}

static void expected_print_values(struct oclmm_text *text, const struct oclmm_expected *expected)
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

static void expected_print_verdicts(struct oclmm_text *text,
                                    const struct oclmm_expected_state *state)
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

static void expected_print_versions(struct oclmm_text *text, unsigned versions)
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

static void expected_print_set(struct oclmm_text *text, const struct oclmm_expected *expected)
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
	if (expected->unspecified)
		oclmm_text_printf(text, EXPECTED_UNSPECIFIED "%s\n", expected->unspecified);
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

/* ---- one expected set in herd7's log format, and the words that reports share with it ---- */

const char *oclmm_log_kind(enum oclmm_quantifier quantifier)
{
	switch (quantifier) {
	case OCLMM_QUANTIFIER_EXISTS: return "Allowed";
	case OCLMM_QUANTIFIER_NOT_EXISTS: return "Forbidden";
	case OCLMM_QUANTIFIER_FORALL: break;
	}
	return "Required";
}

void oclmm_log_name(struct oclmm_text *text, const char *name)
{
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
		             (*name >= '0' && *name <= '9') || strchr("_/.-+[]", *name);

		oclmm_text_add_bytes(text, plain ? name : ".", 1);
	}
}

bool oclmm_log_ok(enum oclmm_quantifier quantifier, uint64_t holds, uint64_t fails)
{
	switch (quantifier) {
	case OCLMM_QUANTIFIER_EXISTS: return holds > 0;
	case OCLMM_QUANTIFIER_NOT_EXISTS: return holds == 0;
	case OCLMM_QUANTIFIER_FORALL: break;
	}
	return fails == 0;
}

static void print_allowed(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	oclmm_text_printf(text, "States %u\n", expected->allowed_count);
	for (uint32_t i = 0; i < expected->state_count; i++) {
		if (expected->states[i].status != OCLMM_STATUS_ALLOWED)
			continue;
		expected_print_state(text, expected, expected->states[i].values);
		oclmm_text_add(text, "\n");
	}
}

/*
 * herd counts the states that speak for the quantified condition as positive,
 * while `Observation` counts those in which its predicate holds.
 */
static void print_witnesses(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	uint32_t holds = expected->positive, fails = expected->allowed_count - expected->positive;
	bool negated = expected->quantifier == OCLMM_QUANTIFIER_NOT_EXISTS;
	bool ok = oclmm_log_ok(expected->quantifier, holds, fails);

	oclmm_text_printf(text, "%s\n", expected->undefined ? "Undef" : ok ? "Ok" : "No");
	oclmm_text_printf(text, "Witnesses\nPositive: %u Negative: %u\n", negated ? fails : holds,
	                  negated ? holds : fails);
	oclmm_text_printf(text, "Condition %s (%s)\n", oclmm_quantifier_word(expected->quantifier),
	                  expected->condition);
	oclmm_text_add(text, "Observation ");
	oclmm_log_name(text, expected->name);
	oclmm_text_printf(text, " %s %u %u\n", oclmm_observation_word(expected->observation), holds,
	                  fails);
}

/* What is disputed, or undefined by some version only. */
static void print_disputed(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	for (uint32_t i = 0; i < expected->state_count; i++) {
		const struct oclmm_expected_state *state = &expected->states[i];

		if (state->status == OCLMM_STATUS_ALLOWED)
			continue;
		oclmm_text_add(text,
		               state->status == OCLMM_STATUS_DISPUTED ? "Disputed=" : "Version=");
		expected_print_state(text, expected, state->values);
		expected_print_verdicts(text, state);
		oclmm_text_add(text, "\n");
	}
}

static void print_undefined(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	if (!expected->undefined)
		return;
	oclmm_text_printf(text, "Undefined=%s\n",
	                  expected->undefined_why ? expected->undefined_why : "");
	if (!expected->defined)
		return;
	oclmm_text_add(text, "Defined=");
	expected_print_versions(text, expected->defined);
	oclmm_text_add(text, "\n");
}

void oclmm_expected_print_log(struct oclmm_text *text, const struct oclmm_expected *expected)
{
	oclmm_text_add(text, "Test ");
	oclmm_log_name(text, expected->name);
	oclmm_text_printf(text, " %s\n", oclmm_log_kind(expected->quantifier));
	print_allowed(text, expected);
	print_witnesses(text, expected);
	oclmm_text_printf(text, "Hash=%016" PRIx64 "\n", expected->hash);
	oclmm_text_printf(text, "Variant=%s\n", expected->name);
	oclmm_text_add(text, "Values=");
	expected_print_values(text, expected);
	oclmm_text_add(text, "\n");
	if (expected->unspecified && !expected->undefined)
		oclmm_text_printf(text, "Unspecified=%s\n", expected->unspecified);
	print_disputed(text, expected);
	print_undefined(text, expected);
	if (expected->models)
		oclmm_text_printf(text, "Models=%s\n", expected->models);
	if (expected->rules)
		oclmm_text_printf(text, "Rules=%s\n", expected->rules);
	if (expected->may_be_cut)
		oclmm_text_add(text, "Cut=yes\n");
	oclmm_text_add(text, "\n");
}

/* ---- what changed between two files of expected sets, as text ---- */

static char *printed(const struct oclmm_expected *expected)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, EXPECTED_VARIANT "%016" PRIx64 " %s\n", expected->hash,
	                  expected->name);
	expected_print_set(&text, expected);
	return oclmm_text_steal(&text);
}

static bool has_line(const char *text, const char *line, size_t length)
{
	for (const char *at = text; *at;) {
		size_t here = strcspn(at, "\n");

		if (here == length && memcmp(at, line, length) == 0)
			return true;
		at += here + (at[here] == '\n');
	}
	return false;
}

/* Lines of an entry are distinct, so a set difference is a readable diff. */
static void print_missing(struct oclmm_text *text, const char *sign, const char *from,
                          const char *in)
{
	for (const char *at = from; *at;) {
		size_t length = strcspn(at, "\n");

		if (length && !has_line(in, at, length)) {
			oclmm_text_add(text, sign);
			oclmm_text_add_bytes(text, at, length);
			oclmm_text_add(text, "\n");
		}
		at += length + (at[length] == '\n');
	}
}

static bool compare_entry(const struct oclmm_expected *before, const struct oclmm_expected *after,
                          struct oclmm_text *text)
{
	char *old = printed(before), *new = printed(after);
	bool differ = strcmp(old, new) != 0;

	if (differ && text) {
		oclmm_text_printf(text, "%s:\n", before->name);
		print_missing(text, "- ", old, new);
		print_missing(text, "+ ", new, old);
	}
	free(old);
	free(new);
	return differ;
}

static size_t compare_entries(const struct oclmm_expected_file *before,
                              const struct oclmm_expected_file *after, struct oclmm_text *text)
{
	size_t differences = 0;

	for (size_t i = 0; i < before->count; i++) {
		const struct oclmm_expected *old = before->entries[i];
		const struct oclmm_expected *new = oclmm_expected_find(after, old->name);

		if (new) {
			differences += compare_entry(old, new, text);
			continue;
		}
		differences++;
		if (text)
			oclmm_text_printf(text, "- %s\n", old->name);
	}
	for (size_t i = 0; i < after->count; i++) {
		if (oclmm_expected_find(before, after->entries[i]->name))
			continue;
		differences++;
		if (text)
			oclmm_text_printf(text, "+ %s\n", after->entries[i]->name);
	}
	return differences;
}

static char *printed_file(const struct oclmm_expected_file *file)
{
	struct oclmm_text text = {0};

	oclmm_expected_print(&text, file);
	return oclmm_text_steal(&text);
}

size_t oclmm_expected_compare(const struct oclmm_expected_file *before,
                              const struct oclmm_expected_file *after, struct oclmm_text *text)
{
	char *old = printed_file(before), *new = printed_file(after);
	bool same = strcmp(old, new) == 0;
	size_t differences;

	free(old);
	free(new);
	if (same)
		return 0;
	differences = compare_entries(before, after, text);
	if (differences)
		return differences;
	if (text)
		oclmm_text_add(text, "the name of the litmus file or the order of its variants\n");
	return 1;
}

/* ---- reading: lines taken apart from left to right, with positions for errors ---- */

struct reader {
	struct oclmm_lines lines;
	const char *text; /* all of it */
	const char *at;   /* cursor within the current line */
	struct oclmm_error *error;
};

/* The end of the current line. */
static const char *reader_end(const struct reader *reader)
{
	return reader->lines.line + reader->lines.length;
}

/* Stands before the first line. */
static void reader_init(struct reader *reader, const char *path, const char *text, size_t length,
                        struct oclmm_error *error)
{
	*reader = (struct reader){.text = text, .at = text, .error = error};
	oclmm_lines_begin(&reader->lines, path, text, length);
}

/* Steps to the next line. False at the end of the text. */
static bool reader_line(struct reader *reader)
{
	bool more = oclmm_lines_next(&reader->lines);

	reader->at = reader->lines.line;
	reader->lines.number += !more;
	return more;
}

/* Moves the cursor, and with it the current line, to a place in the text. */
static void reader_go_to(struct reader *reader, const char *at)
{
	struct oclmm_lines *lines = &reader->lines;

	oclmm_lines_begin(lines, lines->path, reader->text, (size_t)(lines->end - reader->text));
	while (reader_line(reader) && lines->next <= at && lines->next < lines->end)
		continue;
	reader->at = at;
}

static bool reader_literal(struct reader *reader, const char *literal)
{
	size_t length = strlen(literal);

	if ((size_t)(reader_end(reader) - reader->at) < length ||
	    memcmp(reader->at, literal, length) != 0)
		return false;
	reader->at += length;
	return true;
}

/* Whether the current line begins with `prefix`; if so, the cursor stands behind it. */
static bool reader_begins(struct reader *reader, const char *prefix)
{
	reader->at = reader->lines.line;
	return reader_literal(reader, prefix);
}

static bool reader_at_end(const struct reader *reader)
{
	return reader->at == reader_end(reader);
}

/* Takes bytes up to, but not including, the first of `stops`; all of the line without one. */
static void reader_until(struct reader *reader, const char *stops, const char **ret_text,
                         size_t *ret_length)
{
	const char *start = reader->at;

	while (reader->at < reader_end(reader) && !(*reader->at && strchr(stops, *reader->at)))
		reader->at++;
	*ret_text = start;
	*ret_length = (size_t)(reader->at - start);
}

/* Copies the digits at the cursor, so that strtoull() cannot run past the line. */
static bool take_digits(struct reader *reader, uint64_t *ret_number)
{
	char digits[24];
	size_t length = 0;
	uint64_t number;

	while (reader->at + length < reader_end(reader) && reader->at[length] >= '0' &&
	       reader->at[length] <= '9') {
		if (length == sizeof(digits) - 1)
			return false;
		digits[length] = reader->at[length];
		length++;
	}
	digits[length] = '\0';
	errno = 0;
	number = strtoull(digits, NULL, 10);
	if (length == 0 || errno != 0)
		return false;
	reader->at += length;
	*ret_number = number;
	return true;
}

/* A floating-point value that is no whole number, as oclmm_value_print() has it. */
static bool take_special(struct reader *reader, int64_t *ret_value, enum oclmm_type *ret_type)
{
	size_t length = 0, room = (size_t)(reader_end(reader) - reader->at);
	char text[40];

	while (length < room && length < sizeof(text) - 1 && !strchr(",;}", reader->at[length]))
		length++;
	memcpy(text, reader->at, length);
	text[length] = '\0';
	if (!oclmm_special_read(text, ret_type, ret_value))
		return false;
	reader->at += length;
	return true;
}

/* A decimal value, negative or up to 2^64-1. `*ret_type` is set only where it needs 64 unsigned
 * bits, or is no whole number. */
static bool reader_value(struct reader *reader, int64_t *ret_value, enum oclmm_type *ret_type)
{
	bool negative;
	uint64_t number;

	if (take_special(reader, ret_value, ret_type))
		return true;
	negative = reader_literal(reader, "-");
	if (!take_digits(reader, &number))
		return false;
	if (negative && number > (uint64_t)INT64_MAX + 1)
		return false;
	if (number > INT64_MAX && !negative)
		*ret_type = OCLMM_TYPE_ULONG;
	*ret_value = negative ? (int64_t)(0 - number) : (int64_t)number;
	return true;
}

/* Fills the error at the cursor and returns -EINVAL. */
static int OCLMM_PRINTF(2, 3) reader_refuse(struct reader *reader, const char *format, ...)
{
	va_list arguments;
	char message[sizeof(reader->error->message)];

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return oclmm_lines_refuse(&reader->lines, reader->at, 1, NULL, reader->error, "%s",
	                          message);
}

/*
 * The values that observables have, and the states made of them. A state is held against the
 * values as it is read: as many, by the same names, each among those listed.
 */

/* `0,1}` behind the brace: the values of one observable, ascending. */
static int take_domain(struct reader *reader, struct oclmm_arena *arena,
                       struct oclmm_outcome_domain *domain, enum oclmm_type *ret_type)
{
	int64_t *values = NULL;
	size_t capacity = 0, count = 0;
	int r = 0;

	/* a filter that no execution passes leaves no value */
	*domain = (struct oclmm_outcome_domain){0};
	if (reader->at < reader_end(reader) && *reader->at == '}')
		return 0;
	do {
		const char *start = reader->at;

		oclmm_grow(&values, &capacity, count, sizeof(*values));
		if (!reader_value(reader, &values[count], ret_type)) {
			r = reader_refuse(reader, "expected a value");
			goto out;
		}
		if (count && values[count] <= values[count - 1]) {
			reader->at = start;
			r = reader_refuse(reader, "the values are not in ascending order");
			goto out;
		}
		count++;
	} while (reader_literal(reader, ","));
	domain->values = oclmm_arena_copy(arena, values, count * sizeof(*values));
	domain->count = (uint32_t)count;
out:
	free(values);
	return r;
}

/* The observables of a set while they are read. */
struct observables {
	const char **names;
	enum oclmm_type *types;
	struct oclmm_outcome_domain *domains;
	size_t count;
	size_t capacity[3];
};

static void grow_observables(struct observables *all)
{
	oclmm_grow(&all->names, &all->capacity[0], all->count, sizeof(*all->names));
	oclmm_grow(&all->types, &all->capacity[1], all->count, sizeof(*all->types));
	oclmm_grow(&all->domains, &all->capacity[2], all->count, sizeof(*all->domains));
}

/* `0:r0={0,1};` */
static int take_observable(struct reader *reader, struct oclmm_arena *arena,
                           struct observables *all)
{
	enum oclmm_type type = OCLMM_TYPE_LONG;
	const char *name;
	size_t length;
	int r;

	grow_observables(all);
	reader_until(reader, "=;{} ", &name, &length);
	if (length == 0)
		return reader_refuse(reader, "expected the name of an observable");
	all->names[all->count] = oclmm_arena_strndup(arena, name, length);
	if (!reader_literal(reader, "={"))
		return reader_refuse(reader, "expected \"={\"");
	r = take_domain(reader, arena, &all->domains[all->count], &type);
	if (r < 0)
		return r;
	if (!reader_literal(reader, "};"))
		return reader_refuse(reader, "expected \"};\"");
	all->types[all->count++] = type;
	return 0;
}

static int take_observables(struct reader *reader, struct oclmm_arena *arena,
                            struct observables *all)
{
	uint64_t size = 1;

	while (!reader_at_end(reader)) {
		int r;

		if (all->count && !reader_literal(reader, " "))
			return reader_refuse(reader, "expected one space");
		r = take_observable(reader, arena, all);
		if (r < 0)
			return r;
		size *= all->domains[all->count - 1].count;
		if (size >= UINT32_MAX)
			return reader_refuse(reader, "too many outcomes");
	}
	return 0;
}

static int parse_values(struct reader *reader, struct oclmm_arena *arena,
                        struct oclmm_expected *set)
{
	struct observables all = {0};
	int r = take_observables(reader, arena, &all);

	if (r == 0) {
		set->width = set->space.observable_count = (uint32_t)all.count;
		set->observables = oclmm_arena_copy(arena, all.names,
		                                    all.count * sizeof(*all.names));
		set->types = oclmm_arena_copy(arena, all.types, all.count * sizeof(*all.types));
		set->space.domains = oclmm_arena_copy(arena, all.domains,
		                                      all.count * sizeof(*all.domains));
		oclmm_outcome_space_number(&set->space);
	}
	free(all.names);
	free(all.types);
	free(all.domains);
	return r;
}

static bool has_value(const struct oclmm_outcome_domain *domain, int64_t value)
{
	for (uint32_t i = 0; i < domain->count; i++) {
		if (domain->values[i] == value)
			return true;
	}
	return false;
}

/* `0:r0=0;` */
static int take_value(struct reader *reader, const struct oclmm_expected *set, uint32_t index,
                      int64_t *ret_value)
{
	enum oclmm_type type = OCLMM_TYPE_LONG;
	const char *start;

	if (!reader_literal(reader, set->observables[index]) || !reader_literal(reader, "="))
		return reader_refuse(reader, "expected \"%s=\"", set->observables[index]);
	start = reader->at;
	if (!reader_value(reader, ret_value, &type))
		return reader_refuse(reader, "expected a value");
	if (!has_value(&set->space.domains[index], *ret_value)) {
		reader->at = start;
		return reader_refuse(reader, "not one of the values of \"%s\"",
		                     set->observables[index]);
	}
	return reader_literal(reader, ";") ? 0 : reader_refuse(reader, "expected \";\"");
}

static int take_tuple(struct reader *reader, const struct oclmm_expected *set, int64_t *values)
{
	for (uint32_t i = 0; i < set->width; i++) {
		int r;

		if (i && !reader_literal(reader, " "))
			return reader_refuse(reader, "expected \" %s=\"", set->observables[i]);
		r = take_value(reader, set, i, &values[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A knob, up to one of `stops`. \return false, with nothing taken, when there is none. */
static bool take_knob(struct reader *reader, const char *stops, unsigned *knobs)
{
	const char *start = reader->at, *name;
	enum oclmm_knob knob;
	size_t length;

	reader_until(reader, stops, &name, &length);
	if (oclmm_knob_find(name, length, &knob)) {
		*knobs |= 1u << knob;
		return true;
	}
	reader->at = start;
	return false;
}

/* A version, up to one of `stops`. */
static bool take_model(struct reader *reader, const char *stops, unsigned *ret_model)
{
	const char *start = reader->at, *name;
	enum oclmm_model model;
	size_t length;

	reader_until(reader, stops, &name, &length);
	if (oclmm_model_find(name, length, &model) && model < OCLMM_VERSION_COUNT) {
		*ret_model = model;
		return true;
	}
	reader->at = start;
	return false;
}

static int parse_versions(struct reader *reader, unsigned *ret_versions)
{
	unsigned model;

	do {
		if (!take_model(reader, " ", &model))
			return reader_refuse(reader, "expected the name of a version's model");
		*ret_versions |= 1u << model;
	} while (reader_literal(reader, " "));
	return 0;
}

/* `opencl-2.1:forbidden`, `opencl-2.0:disputed:K2+K4` */
static int take_verdict(struct reader *reader, struct oclmm_expected_state *state)
{
	struct oclmm_expected_verdict *verdict;
	unsigned model, status = 0;

	if (!take_model(reader, ":", &model))
		return reader_refuse(reader, "expected the name of a rule or of a version's model");
	verdict = &state->version[model];
	reader_literal(reader, ":");
	while (status <= OCLMM_STATUS_UNDEFINED &&
	       !reader_literal(reader, oclmm_status_word((enum oclmm_status)status)))
		status++;
	if (status > OCLMM_STATUS_UNDEFINED)
		return reader_refuse(reader, "expected \"allowed\", \"forbidden\" or \"disputed\"");
	*verdict = (struct oclmm_expected_verdict){.status = (enum oclmm_status)status};
	if (status != OCLMM_STATUS_DISPUTED)
		return 0;
	if (!reader_literal(reader, ":"))
		return reader_refuse(reader, "expected \":\" and the rules that decide");
	do {
		if (!take_knob(reader, "+ ", &verdict->deciding))
			return reader_refuse(reader, "expected the name of a rule");
	} while (reader_literal(reader, "+"));
	return 0;
}

/* ` # K1 K8 opencl-2.1:forbidden`: the knobs of a disputed state, then the versions. */
static int take_verdicts(struct reader *reader, struct oclmm_expected_state *state)
{
	int r = 0;

	if (!reader_literal(reader, " #"))
		return reader_refuse(reader, "expected \" # \" and the rules that decide");
	while (reader_literal(reader, " ") && take_knob(reader, " ", &state->deciding))
		;
	if (state->status == OCLMM_STATUS_DISPUTED && !state->deciding)
		return reader_refuse(reader, "expected the name of a rule");
	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++)
		state->version[v] = (struct oclmm_expected_verdict){state->status, state->deciding};
	while (r == 0 && !reader_at_end(reader)) {
		r = take_verdict(reader, state);
		if (r == 0 && !reader_literal(reader, " ") && !reader_at_end(reader))
			r = reader_refuse(reader, "expected one space");
	}
	return r;
}

/* `*> 0:r0=0; 1:r0=1;`, and for a disputed state ` # K1 K8`. */
static int take_state(struct reader *reader, struct oclmm_arena *arena,
                      const struct oclmm_expected *set, struct oclmm_expected_state *state)
{
	int64_t *values = OCLMM_NEW_ARRAY(arena, int64_t, set->width);
	int r;

	state->holds = reader_literal(reader, EXPECTED_HOLDS " ");
	if (!state->holds && !reader_literal(reader, EXPECTED_FAILS " "))
		return reader_refuse(reader,
		                     "expected \"" EXPECTED_HOLDS "\" or \"" EXPECTED_FAILS "\"");
	state->values = values;
	r = take_tuple(reader, set, values);
	if (r < 0)
		return r;
	if (state->status != OCLMM_STATUS_ALLOWED)
		return take_verdicts(reader, state);
	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++)
		state->version[v].status = OCLMM_STATUS_ALLOWED;
	return reader_at_end(reader) ? 0 : reader_refuse(reader, "unexpected text after the state");
}

static bool is_mark(const struct reader *reader)
{
	size_t left = (size_t)(reader_end(reader) - reader->at);

	return left >= strlen(EXPECTED_HOLDS) &&
	       (memcmp(reader->at, EXPECTED_HOLDS, strlen(EXPECTED_HOLDS)) == 0 ||
	        memcmp(reader->at, EXPECTED_FAILS, strlen(EXPECTED_FAILS)) == 0);
}

static bool take_status(struct reader *reader, enum oclmm_status *ret_status)
{
	static const enum oclmm_status listed[] = {OCLMM_STATUS_ALLOWED, OCLMM_STATUS_DISPUTED,
	                                           OCLMM_STATUS_UNDEFINED};

	for (size_t i = 0; i < OCLMM_COUNT(listed); i++) {
		const char *at = reader->at;

		if (reader_begins(reader, oclmm_status_word(listed[i])) &&
		    reader_literal(reader, " ") &&
		    /* `undefined` is also why a program is, in words */
		    (listed[i] != OCLMM_STATUS_UNDEFINED || is_mark(reader))) {
			*ret_status = listed[i];
			return true;
		}
		reader->at = at;
	}
	return false;
}

/* The states of a set while they are read; `values` must have been read before. */
struct states {
	struct oclmm_expected_state *at;
	size_t count;
	size_t capacity;
};

static int parse_state(struct reader *reader, struct oclmm_arena *arena,
                       const struct oclmm_expected *set, struct states *states, bool *ret_taken)
{
	struct oclmm_expected_state *state;
	enum oclmm_status status;
	int r;

	*ret_taken = take_status(reader, &status);
	if (!*ret_taken)
		return 0;
	oclmm_grow(&states->at, &states->capacity, states->count, sizeof(*states->at));
	state = &states->at[states->count];
	*state = (struct oclmm_expected_state){.status = status};
	r = take_state(reader, arena, set, state);
	if (r < 0)
		return r;
	if (states->count &&
	    oclmm_compare_values(state[-1].values, state->values, set->width) >= 0) {
		reader->at = reader->lines.line;
		return reader_refuse(reader, "the states are not in ascending order");
	}
	states->count++;
	return 0;
}

/*
 * Reads expected sets back. The lines of a section stand in a fixed order, and each is held
 * against those before it. In the end the whole file is printed again: what is not as it would be
 * written is refused.
 */

/* What the variants of a section share, while it is read. */
struct section {
	struct oclmm_expected_file *file;
	struct oclmm_expected set;
	size_t first;            /* of its entries in the file */
	const char *observation; /* where the word stands */
	struct states states;
};

/* Copies the rest of the line. */
static const char *take_rest(struct reader *reader, struct oclmm_arena *arena)
{
	const char *text;
	size_t length;

	reader_until(reader, "", &text, &length);
	return oclmm_arena_strndup(arena, text, length);
}

static int next_line(struct reader *reader, const char *wanted)
{
	if (!reader_line(reader))
		return reader_refuse(reader, "the file ends where %s is expected", wanted);
	return 0;
}

/* Takes the prefix of the current line. */
static int expect_prefix(struct reader *reader, const char *prefix)
{
	return reader_begins(reader, prefix) ? 0 : reader_refuse(reader, "expected \"%s\"", prefix);
}

/* Steps to the next line and takes its prefix. */
static int expect_line(struct reader *reader, const char *prefix)
{
	int r = next_line(reader, prefix);

	return r < 0 ? r : expect_prefix(reader, prefix);
}

static int take_hash(struct reader *reader, uint64_t *ret_hash)
{
	static const char hexadecimal[] = "0123456789abcdef";
	const char *start = reader->at, *digit;
	uint64_t hash = 0;

	while (reader->at < reader_end(reader) && *reader->at &&
	       (digit = strchr(hexadecimal, *reader->at))) {
		hash = hash << 4 | (uint64_t)(digit - hexadecimal);
		reader->at++;
	}
	if (reader->at - start != 16 || !reader_literal(reader, " ")) {
		reader->at = start;
		return reader_refuse(reader, "expected 16 hexadecimal digits and a space");
	}
	*ret_hash = hash;
	return 0;
}

/* `0123456789abcdef SB+sc`, behind `variant `. */
static int take_variant(struct reader *reader, struct oclmm_expected_file *file)
{
	struct oclmm_expected *entry;
	const char *name, *start;
	uint64_t hash = 0;
	int r = take_hash(reader, &hash);

	if (r < 0)
		return r;
	start = reader->at;
	name = take_rest(reader, file->arena);
	reader->at = start;
	if (!*name)
		return reader_refuse(reader, "expected the name of a variant");
	if (oclmm_expected_find(file, name))
		return reader_refuse(reader, "a second entry for \"%s\"", name);
	entry = expected_append(file);
	entry->name = name;
	entry->hash = hash;
	return 0;
}

/* The current line is the section's first. On return it is the first that names no variant. */
static int take_variants(struct reader *reader, struct section *section)
{
	int r = expect_prefix(reader, EXPECTED_VARIANT);

	while (r == 0) {
		if ((r = take_variant(reader, section->file)) < 0 ||
		    (r = next_line(reader, "\"" EXPECTED_CONDITION "\"")) < 0)
			return r;
		if (!reader_begins(reader, EXPECTED_VARIANT))
			return 0;
	}
	return r;
}

/* `exists (…)` */
static int take_condition(struct reader *reader, struct section *section)
{
	static const enum oclmm_quantifier all[] = {
		OCLMM_QUANTIFIER_EXISTS,
		OCLMM_QUANTIFIER_NOT_EXISTS,
		OCLMM_QUANTIFIER_FORALL,
	};
	const char *text;
	size_t length, i = 0;
	int r = expect_prefix(reader, EXPECTED_CONDITION);

	if (r < 0)
		return r;
	while (i < OCLMM_COUNT(all) && !reader_literal(reader, oclmm_quantifier_word(all[i])))
		i++;
	if (i == OCLMM_COUNT(all))
		return reader_refuse(reader, "expected \"exists\", \"~exists\" or \"forall\"");
	section->set.quantifier = all[i];
	if (!reader_literal(reader, " ("))
		return reader_refuse(reader, "expected \" (\"");
	reader_until(reader, "", &text, &length);
	if (length == 0 || text[length - 1] != ')')
		return reader_refuse(reader, "expected \")\"");
	section->set.condition = oclmm_arena_strndup(section->file->arena, text, length - 1);
	return 0;
}

static int take_observation(struct reader *reader, struct section *section)
{
	int r = expect_line(reader, EXPECTED_OBSERVATION);

	if (r < 0)
		return r;
	section->observation = reader->at;
	for (int word = OCLMM_OBSERVATION_NEVER; word <= OCLMM_OBSERVATION_DISPUTED; word++) {
		if (!reader_literal(reader, oclmm_observation_word((enum oclmm_observation)word)))
			continue;
		section->set.observation = (enum oclmm_observation)word;
		return reader_at_end(reader) ? 0 : reader_refuse(reader, "unexpected text");
	}
	return reader_refuse(reader, "expected \"Never\", \"Sometimes\", \"Always\", "
	                             "\"Undefined\" or \"Disputed\"");
}

static int take_optional(struct reader *reader, struct section *section)
{
	struct oclmm_arena *arena = section->file->arena;
	struct oclmm_expected *set = &section->set;
	bool taken;
	int r = parse_state(reader, arena, set, &section->states, &taken);

	if (r < 0 || taken)
		return r;
	if (reader_begins(reader, EXPECTED_UNDEFINED)) {
		set->undefined = true;
		set->undefined_why = take_rest(reader, arena);
	} else if (reader_begins(reader, EXPECTED_DEFINED)) {
		return parse_versions(reader, &set->defined);
	} else if (reader_begins(reader, EXPECTED_MODELS)) {
		set->models = take_rest(reader, arena);
	} else if (reader_begins(reader, EXPECTED_UNSPECIFIED)) {
		set->unspecified = take_rest(reader, arena);
	} else if (reader_begins(reader, EXPECTED_CUT) && reader_at_end(reader)) {
		set->may_be_cut = true;
	} else {
		reader->at = reader->lines.line;
		return reader_refuse(reader, "unknown line");
	}
	return 0;
}

/* Whether some state is listed for all versions together. */
static bool has_meaning(const struct states *states)
{
	for (size_t i = 0; i < states->count; i++)
		if (states->at[i].status != OCLMM_STATUS_UNDEFINED)
			return true;
	return false;
}

/* The states and the optional lines, up to the empty one that closes the section. */
static int take_rest_of_section(struct reader *reader, struct section *section)
{
	int r;

	while ((r = next_line(reader, "an empty line")) == 0 && reader->lines.length > 0) {
		r = take_optional(reader, section);
		if (r < 0)
			return r;
		if (section->set.undefined && has_meaning(&section->states)) {
			reader->at = reader->lines.line;
			return reader_refuse(reader, "an undefined program has no states");
		}
	}
	return r;
}

/* Gives each entry of the section what they share. */
static int finish_section(struct reader *reader, struct section *section)
{
	struct oclmm_expected_file *file = section->file;
	struct oclmm_expected *set = &section->set;
	enum oclmm_observation observation;

	set->states = oclmm_arena_copy(file->arena, section->states.at,
	                               section->states.count * sizeof(*set->states));
	set->state_count = (uint32_t)section->states.count;
	expected_count_states(set);
	if (!set->undefined && section->states.count && !has_meaning(&section->states)) {
		reader->at = reader->lines.line;
		return reader_refuse(reader, "states of an undefined program, which is not said "
		                             "to be one");
	}
	observation = expected_observe(set);
	if (set->observation != observation) {
		reader_go_to(reader, section->observation);
		return reader_refuse(reader, "the states below say \"%s\"",
		                     oclmm_observation_word(observation));
	}
	for (size_t i = section->first; i < file->count; i++) {
		set->name = file->entries[i]->name;
		set->hash = file->entries[i]->hash;
		*file->entries[i] = *set;
	}
	return 0;
}

/* The current line is the section's first. */
static int take_section(struct reader *reader, struct oclmm_expected_file *file)
{
	struct section section = {.file = file, .first = file->count};
	int r;

	if ((r = take_variants(reader, &section)) == 0 &&
	    (r = take_condition(reader, &section)) == 0 &&
	    (r = take_observation(reader, &section)) == 0 &&
	    (r = expect_line(reader, EXPECTED_VALUES)) == 0 &&
	    (r = parse_values(reader, file->arena, &section.set)) == 0 &&
	    (r = take_rest_of_section(reader, &section)) == 0)
		r = finish_section(reader, &section);
	free(section.states.at);
	return r;
}

static int take_introduction(struct reader *reader, struct oclmm_expected_file *file)
{
	size_t tail = strlen(EXPECTED_INTRODUCTION_END) - 1, length;
	const char *text;
	int r = expect_line(reader, EXPECTED_INTRODUCTION);

	if (r < 0)
		return r;
	reader_until(reader, "", &text, &length);
	if (length < tail || memcmp(text + length - tail, EXPECTED_INTRODUCTION_END, tail) != 0)
		return reader_refuse(reader, "not the first line of a file of expected sets");
	file->litmus = oclmm_arena_strndup(file->arena, text, length - tail);
	if ((r = next_line(reader, "an empty line")) < 0)
		return r;
	return !reader->lines.length ? 0 : reader_refuse(reader, "expected an empty line");
}

/* Printed again, a file must give the text it was read from: that is the strictness. */
static int check_canonical(struct reader *reader, const struct oclmm_expected_file *file,
                           size_t length)
{
	const char *written = reader->text;
	struct oclmm_text text = {0};
	size_t same = 0;
	bool equal;

	oclmm_expected_print(&text, file);
	equal = text.length == length && memcmp(text.data, written, length) == 0;
	while (!equal && same < length && same < text.length && text.data[same] == written[same])
		same++;
	oclmm_text_finish(&text);
	if (equal)
		return 0;
	reader_go_to(reader, reader->text + same);
	return reader_refuse(reader, "this is not how \"oclmm check --write\" would write it");
}

int oclmm_expected_parse(const char *path, const char *text, size_t length,
                         struct oclmm_error *error, struct oclmm_expected_file **ret_file)
{
	struct oclmm_expected_file *file = oclmm_expected_create("");
	struct reader reader;
	int r;

	reader_init(&reader, path, text, length, error);
	r = take_introduction(&reader, file);
	while (r == 0 && reader_line(&reader))
		r = take_section(&reader, file);
	if (r == 0)
		r = check_canonical(&reader, file, length);
	if (r < 0) {
		oclmm_expected_destroy(file);
		return r;
	}
	*ret_file = file;
	return 0;
}

int oclmm_expected_read(const char *path, struct oclmm_error *error,
                        struct oclmm_expected_file **ret_file)
{
	char *text;
	size_t length;
	struct stat info;
	int r;

	/* it comes with a tree that others wrote: a link to a pipe or a device may never end */
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return oclmm_error_set(error, -EINVAL, "%s is no regular file", path);
	r = oclmm_read_text(path, error, &text, &length);
	if (r < 0)
		return r;
	r = oclmm_expected_parse(path, text, length, error, ret_file);
	free(text);
	return r;
}
