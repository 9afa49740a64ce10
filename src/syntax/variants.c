// SPDX-License-Identifier: Apache-2.0
/* From one file to its variants, and from the words of each to its program. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "build.h"
#include "preamble.h"

/* ---- choices of values ---- */

/* The next combination, the last axis turning fastest. */
static bool advance(const struct preamble *preamble, uint32_t *choice)
{
	uint32_t i = preamble->axis_count;

	while (i-- > 0) {
		if (choice[i] < preamble->axes[i].alternative_count) {
			choice[i]++;
			return true;
		}
		choice[i] = 0;
	}
	return false;
}

static bool fits(const struct preamble *preamble, const struct pattern *pattern,
                 const uint32_t *choice)
{
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		if (pattern->given[i] && pattern->value[i] != choice[i])
			return false;
	}
	return true;
}

static bool is_excepted(struct preamble *preamble, const uint32_t *choice)
{
	for (uint32_t i = 0; i < preamble->except_count; i++) {
		if (fits(preamble, &preamble->excepts[i].match, choice)) {
			preamble->excepts[i].used = true;
			return true;
		}
	}
	return false;
}

static bool is_base(const struct preamble *preamble, const uint32_t *choice)
{
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		if (choice[i])
			return false;
	}
	return true;
}

static int count_variants(struct expansion *expansion, size_t *ret_count)
{
	const struct preamble *preamble = expansion->preamble;
	size_t count = 1;

	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		count *= preamble->axes[i].alternative_count + 1;
		if (count > SYNTAX_MAX_VARIANTS)
			return oclmm_refuse(expansion->source, &preamble->axes[i].at->written, NULL,
			                    "the axes make more than %d variants",
			                    SYNTAX_MAX_VARIANTS);
	}
	*ret_count = count;
	return 0;
}

static int refuse_excepted_base(const struct expansion *expansion)
{
	const struct preamble *preamble = expansion->preamble;
	static const uint32_t base[SYNTAX_MAX_AXES];
	uint32_t i = 0;

	while (!fits(preamble, &preamble->excepts[i].match, base))
		i++;
	return oclmm_refuse(expansion->source, &preamble->excepts[i].at->written, NULL,
	                    "this exception removes the base variant");
}

static int choose(struct expansion *expansion)
{
	struct preamble *preamble = expansion->preamble;
	struct oclmm_arena *arena = expansion->litmus->arena;
	uint32_t choice[SYNTAX_MAX_AXES] = {0};
	size_t most = 0;
	uint32_t count = 0, i;
	int result = count_variants(expansion, &most);

	if (result)
		return result;
	expansion->choices = OCLMM_NEW_ARRAY(arena, const uint32_t *, most);
	do {
		if (!is_excepted(preamble, choice))
			expansion->choices[count++] = oclmm_arena_copy(arena, choice,
			                                               sizeof(choice));
		else if (is_base(preamble, choice))
			return refuse_excepted_base(expansion);
	} while (advance(preamble, choice));
	for (i = 0; i < preamble->except_count; i++) {
		if (!preamble->excepts[i].used)
			return oclmm_refuse(
				expansion->source, &preamble->excepts[i].at->written, NULL,
				"this exception removes nothing that is not removed already");
	}
	expansion->litmus->variant_count = count;
	return 0;
}

/* ---- names ---- */

static const char *value_of(const struct axis *axis, uint32_t choice)
{
	return choice ? axis->alternatives[choice - 1].value : "base";
}

static int name_variant(struct expansion *expansion, uint32_t index)
{
	const struct preamble *preamble = expansion->preamble;
	struct oclmm_arena *arena = expansion->litmus->arena;
	struct oclmm_variant *variant = &expansion->litmus->variants[index];
	const uint32_t *choice = expansion->choices[index];
	struct oclmm_setting *settings = OCLMM_NEW_ARRAY(arena, struct oclmm_setting,
	                                                 preamble->axis_count + 1);
	struct oclmm_text name = {0};

	oclmm_text_add(&name, preamble->safe_name);
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		settings[i].axis = oclmm_arena_strdup(arena, preamble->axes[i].name);
		settings[i].value = value_of(&preamble->axes[i], choice[i]);
		if (choice[i])
			oclmm_text_printf(&name, ".%s=%s", settings[i].axis, settings[i].value);
	}
	variant->settings = settings;
	variant->setting_count = preamble->axis_count;
	variant->name = oclmm_text_keep(&name, arena);
	for (uint32_t i = 0; i < index; i++) {
		if (strcmp(expansion->litmus->variants[i].name, variant->name) == 0)
			return oclmm_refuse(expansion->source, &preamble->name->written, NULL,
			                    "two variants are called %s", variant->name);
	}
	/* printed, it is the name of a test */
	if (strlen(variant->name) > OCLMM_TEST_NAME_MOST)
		return oclmm_refuse(expansion->source, &preamble->name->written,
		                    "shorten a value by a label",
		                    "the name %s is longer than %d letters", variant->name,
		                    OCLMM_TEST_NAME_MOST);
	return 0;
}

/* ---- rewriting ---- */

static bool applies(const struct axis *axis, const struct syntax_token *token)
{
	for (uint32_t i = 0; i < axis->thread_count; i++) {
		if (token->unit == (int)axis->threads[i])
			return true;
	}
	return axis->thread_count == 0;
}

static bool matches(const struct axis *axis, const struct sequence *sequence,
                    const struct syntax_tokens *body, size_t at)
{
	if (at + sequence->count > body->count)
		return false;
	for (size_t i = 0; i < sequence->count; i++) {
		const struct syntax_token *token = &body->data[at + i];

		if (!oclmm_tokens_equal(token, &sequence->data[i]) ||
		    token->unit != body->data[at].unit || !applies(axis, token))
			return false;
	}
	return true;
}

/* The longest listed sequence that stands at a place, or listed_count. */
static uint32_t find_longest(const struct axis *axis, const struct syntax_tokens *body, size_t at)
{
	uint32_t best = axis->listed_count;

	for (uint32_t i = 0; i < axis->listed_count; i++) {
		if (best < axis->listed_count && axis->listed[i].count <= axis->listed[best].count)
			continue;
		if (matches(axis, &axis->listed[i], body, at))
			best = i;
	}
	return best;
}

static void put(struct syntax_tokens *result, const struct sequence *sequence,
                const struct syntax_token *replaced)
{
	for (size_t i = 0; i < sequence->count; i++) {
		struct syntax_token token = sequence->data[i];

		token.place = replaced->place;
		token.unit = replaced->unit;
		oclmm_tokens_add(result, &token);
	}
}

static size_t rewrite_words(const struct axis *axis, const struct alternative *alternative,
                            const struct syntax_tokens *body, struct syntax_tokens *result,
                            size_t *hits)
{
	bool begins[UCHAR_MAX + 1] = {false}; /* some listed sequence has this first letter */
	size_t places = 0;
	size_t i = 0;

	for (uint32_t k = 0; k < axis->listed_count; k++)
		begins[(unsigned char)axis->listed[k].data[0].text[0]] = true;
	oclmm_tokens_reserve(result, body->count + 16);
	while (i < body->count) {
		uint32_t found = begins[(unsigned char)body->data[i].text[0]]
		                         ? find_longest(axis, body, i)
		                         : axis->listed_count;

		if (found == axis->listed_count) {
			oclmm_tokens_add(result, &body->data[i++]);
			continue;
		}
		put(result, &alternative->sequences[found], &body->data[i]);
		i += axis->listed[found].count;
		places++;
		if (hits)
			hits[found]++;
	}
	return places;
}

/* In the file as written, every listed sequence has to occur. */
static int check_axis(const struct expansion *expansion, const struct axis *axis)
{
	struct oclmm_arena *arena = expansion->litmus->arena;
	size_t *hits = OCLMM_NEW_ARRAY(arena, size_t, axis->listed_count);
	struct syntax_tokens ignored = {0};

	rewrite_words(axis, &axis->alternatives[0], &expansion->body, &ignored, hits);
	oclmm_tokens_finish(&ignored);
	for (uint32_t i = 0; i < axis->listed_count; i++) {
		const struct sequence *sequence = &axis->listed[i];
		struct oclmm_position at = sequence->data[0].written;
		const struct oclmm_position *last = &sequence->data[sequence->count - 1].written;

		if (hits[i])
			continue;
		if (last->line == at.line)
			at.length = last->column + last->length - at.column;
		return oclmm_refuse(expansion->source, &at, NULL,
		                    "the axis `%s` rewrites nothing: these words do not occur%s",
		                    axis->name,
		                    axis->thread_count ? " in the threads that it names" : "");
	}
	return 0;
}

/* `*ret_body` is the caller's to finish; it is empty where nothing is rewritten. */
static int rewrite(struct expansion *expansion, const uint32_t *choice,
                   struct syntax_tokens *ret_body)
{
	const struct preamble *preamble = expansion->preamble;
	struct syntax_tokens body = {0};

	for (size_t i = 0; i < preamble->axis_count; i++) {
		const struct axis *axis = &preamble->axes[i];
		struct syntax_tokens next = {0};
		size_t places;

		if (!choice[i])
			continue;
		places = rewrite_words(axis, &axis->alternatives[choice[i] - 1],
		                       body.count ? &body : &expansion->body, &next, NULL);
		oclmm_tokens_finish(&body);
		body = next;
		if (!places || body.count > SYNTAX_MAX_TOKENS) {
			oclmm_tokens_finish(&body);
			return oclmm_refuse(expansion->source, &axis->at->written,
			                    places ? NULL
			                           : "remove the combination by an `except` line",
			                    places ? "the axis `%s` makes the test too long"
			                           : "the axis `%s` rewrites nothing",
			                    axis->name);
		}
	}
	*ret_body = body;
	return 0;
}

/* ---- the program ---- */

/* `void P0 (...)` is a function, and was meant to be a thread: that is said first. */
static int check_threads(struct builder *builder)
{
	if (builder->tree->threads)
		return 0;
	if (oclmm_functions.declare(builder))
		return -EINVAL;
	return REFUSE(builder, builder->tree->end,
	              "a thread is written `P0@wg 0, dev 0 (global int *x) { ... }`",
	              "the test has no threads");
}

static int build(struct builder *builder)
{
	int (*const steps[])(struct builder *) = {
		check_threads,
		oclmm_threads.declare,
		oclmm_commands.declare,
		oclmm_locations.declare,
		oclmm_init_registers.declare,
		oclmm_functions.declare,
		oclmm_tables.declare,
		oclmm_bodies.declare,
		oclmm_enqueued.check,
		oclmm_bodies.check,
		oclmm_synchronisation.check,
		oclmm_copies.check,
		oclmm_locations.check,
		oclmm_commands.check,
		oclmm_floats.check,
		oclmm_final.check,
		oclmm_pipes.check,
	};

	for (size_t i = 0; i < OCLMM_COUNT(steps); i++) {
		int result = steps[i](builder);

		if (result)
			return result;
	}
	return 0;
}

/* The program that the words of a variant form, in the arena of the file. */
static int build_program(const struct expansion *expansion, const struct syntax_tokens *body,
                         bool dartagnan, struct oclmm_program **ret_program)
{
	static const struct construct *const constructs[] = {
		&oclmm_atomics, &oclmm_synchronisation, &oclmm_copies, &oclmm_enqueued,
		&oclmm_images,  &oclmm_functions,       NULL,
	};
	struct oclmm_arena *scratch = oclmm_arena_create();
	struct builder builder = {
		.source = expansion->source,
		.arena = expansion->litmus->arena,
		.program = OCLMM_NEW(expansion->litmus->arena, struct oclmm_program),
		.dartagnan = dartagnan,
		.unroll = expansion->preamble->unroll,
		.constructs = constructs,
	};
	int result = oclmm_parse_tree(expansion->source, scratch, body, dartagnan, &builder.tree);

	builder.program->file = expansion->source->path;
	/* until the variant gives it its name */
	builder.program->name = "";
	if (!result)
		result = build(&builder);
	if (!result) {
		builder.program->hash = oclmm_program_hash(builder.program);
		*ret_program = builder.program;
	}
	oclmm_arena_destroy(scratch);
	return result;
}

static int build_variant(struct expansion *expansion, uint32_t index)
{
	struct oclmm_litmus *litmus = expansion->litmus;
	struct oclmm_variant *variant = &litmus->variants[index];
	struct syntax_tokens body = {0};
	struct oclmm_program *program;
	int result;

	expansion->source->variant = index ? variant->name : NULL;
	result = rewrite(expansion, expansion->choices[index], &body);
	if (result)
		return result;
	result = build_program(expansion, body.count ? &body : &expansion->body,
	                       index == 0 && expansion->dartagnan, &program);
	if (!result) {
		program->name = variant->name;
		variant->program = program;
	}
	oclmm_tokens_finish(&body);
	expansion->source->variant = NULL;
	return result;
}

/* Two variants that mean the same would be one test run twice. */
static int check_distinct(const struct expansion *expansion, uint32_t index)
{
	const struct oclmm_variant *variants = expansion->litmus->variants;
	const struct preamble *preamble = expansion->preamble;
	const struct alternative *alternative;
	uint32_t axis = 0;
	uint32_t i;

	for (i = 0; i < index; i++) {
		if (variants[i].program->hash == variants[index].program->hash)
			break;
	}
	if (i == index)
		return 0;
	while (!expansion->choices[index][axis])
		axis++;
	alternative = &preamble->axes[axis].alternatives[expansion->choices[index][axis] - 1];
	return oclmm_refuse(expansion->source, &alternative->at->written,
	                    "remove one of them by an `except` line",
	                    "variants %s and %s are the same program", variants[i].name,
	                    variants[index].name);
}

/* ---- controls ---- */

static const struct oclmm_variant *find_choice(const struct expansion *expansion,
                                               const uint32_t *choice)
{
	for (uint32_t i = 0; i < expansion->litmus->variant_count; i++) {
		if (memcmp(expansion->choices[i], choice, sizeof(uint32_t[SYNTAX_MAX_AXES])) == 0)
			return &expansion->litmus->variants[i];
	}
	return NULL;
}

static void set_control(const struct expansion *expansion, uint32_t index)
{
	const struct preamble *preamble = expansion->preamble;
	struct oclmm_variant *variant = &expansion->litmus->variants[index];
	const struct oclmm_variant *control;
	uint32_t choice[SYNTAX_MAX_AXES];
	uint32_t i;

	for (i = 0; i < preamble->control_count; i++) {
		if (fits(preamble, &preamble->controls[i].match, expansion->choices[index]))
			break;
	}
	if (i == preamble->control_count)
		return;
	memcpy(choice, expansion->choices[index], sizeof(choice));
	for (uint32_t axis = 0; axis < preamble->axis_count; axis++) {
		if (preamble->controls[i].target.given[axis])
			choice[axis] = preamble->controls[i].target.value[axis];
	}
	control = find_choice(expansion, choice);
	if (control && control != variant)
		variant->control = control->name;
}

int oclmm_expand_variants(struct expansion *expansion)
{
	struct oclmm_litmus *litmus = expansion->litmus;

	if (choose(expansion))
		return -EINVAL;
	litmus->variants = OCLMM_NEW_ARRAY(litmus->arena, struct oclmm_variant,
	                                   litmus->variant_count);
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		if (name_variant(expansion, i))
			return -EINVAL;
	/* the file as written first: its mistakes are the ones to be told */
	if (build_variant(expansion, 0))
		return -EINVAL;
	for (uint32_t i = 0; i < expansion->preamble->axis_count; i++)
		if (check_axis(expansion, &expansion->preamble->axes[i]))
			return -EINVAL;
	for (uint32_t i = 1; i < litmus->variant_count; i++)
		if (build_variant(expansion, i) || check_distinct(expansion, i))
			return -EINVAL;
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		set_control(expansion, i);
	return 0;
}
