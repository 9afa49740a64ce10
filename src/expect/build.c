// SPDX-License-Identifier: Apache-2.0
/* From the oracle's answer to an entry. */
#include "internal.h"

#include <errno.h>
#include <string.h>

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
                                    const struct oclmm_witness *witness)
{
	struct oclmm_text text = {0};
	char *copy;

	oclmm_text_printf(&text, "%s in %s: ", oclmm_undefined_word(witness->reason),
	                  oclmm_model_name(witness->regime));
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
	if (expected->undefined)
		expected->undefined_why = describe_witness(arena, program, &answer->witness[model]);
	/* Khronos' models allow no state of an undefined program in particular; `scoped` does */
	copy_states(arena, expected, answer, model);
	return 0;
}

int oclmm_expected_ask(const struct oclmm_program *program, enum oclmm_model model,
                       struct oclmm_error *error, struct oclmm_expected_file **ret_file)
{
	const struct oclmm_check_options options = {.models = 1u << model, .time_limit = 60};
	struct oclmm_expected_file *file;
	struct oclmm_answer *answer;
	int r = oclmm_check(program, &options, error, &answer);

	if (r < 0)
		return error->message[0] ? r : oclmm_error_set(error, r, "%s", strerror(-r));
	file = oclmm_expected_create(program->file ? program->file : "");
	oclmm_expected_add(file, answer, model);
	oclmm_answer_destroy(answer);
	*ret_file = file;
	return 0;
}
