// SPDX-License-Identifier: Apache-2.0
/* A whole litmus file. */
#include <stdlib.h>

#include "internal.h"
#include "oclmm/syntax.h"

int oclmm_cycle_program(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                        struct oclmm_litmus **ret_litmus)
{
	struct oclmm_text text = {0};
	int r;

	oclmm_text_add(&text, "OPENCL ");
	oclmm_cycle_name(&text, cycle);
	oclmm_text_add(&text, "\n");
	r = oclmm_cycle_body(cycle, error, &text);
	if (r >= 0)
		r = oclmm_litmus_parse("cycle", oclmm_text_string(&text), text.length, NULL, error,
		                       ret_litmus);
	oclmm_text_finish(&text);
	return r;
}

/* The oracle's word on the outcome of a cycle. */
static int ask(const struct oclmm_cycle *cycle, struct oclmm_error *error,
               enum oclmm_observation *ret_observation)
{
	const struct oclmm_check_options options = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	int r = oclmm_cycle_program(cycle, error, &litmus);

	if (r < 0)
		return r;
	r = oclmm_check(litmus->variants[0].program, &options, error, &answer);
	if (r >= 0) {
		*ret_observation = oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS);
		oclmm_answer_destroy(answer);
	}
	oclmm_litmus_destroy(litmus);
	return r;
}

/* ---- controls ---- */

enum { MOST_CONTROLS = 16 };

struct controls {
	struct oclmm_cycle cycle[MOST_CONTROLS];
	char name[MOST_CONTROLS][64];
	unsigned count;
};

static void take(void *data, const struct oclmm_cycle *weaker, const char *what)
{
	struct controls *controls = data;
	enum oclmm_observation observation;

	if (controls->count == MOST_CONTROLS || ask(weaker, NULL, &observation) < 0 ||
	    (observation != OCLMM_OBSERVATION_SOMETIMES && observation != OCLMM_OBSERVATION_ALWAYS))
		return;
	controls->cycle[controls->count] = *weaker;
	snprintf(controls->name[controls->count++], sizeof(controls->name[0]), "%s", what);
}

/* Where no single step shows the outcome, all at once may. */
static void take_relaxed(struct controls *controls, const struct oclmm_cycle *cycle)
{
	struct oclmm_cycle relaxed = *cycle;

	for (unsigned i = 0; i < relaxed.count; i++) {
		struct oclmm_cycle_access *access = &relaxed.access[i];
		unsigned kept = 0;

		if (access->order != OCLMM_ORDER_NONE)
			access->order = OCLMM_ORDER_RELAXED;
		for (unsigned k = 0; k < access->fence_count; k++) {
			if (fence_is_barrier(&access->fences[k]))
				access->fences[kept++] = access->fences[k];
		}
		access->fence_count = kept;
	}
	if (oclmm_cycle_settle(&relaxed, NULL) == 0)
		take(controls, &relaxed, "rlx");
}

/* ---- a control as an axis ---- */

struct lines {
	const char *start, *end; /* those of a thread that differ in some control */
};

/* Narrows [*ret, end) of `a` to the lines in which `b` differs. */
static void differ(const char *a, const char *b, struct lines *ret_a, struct lines *ret_b)
{
	const char *end_a = a + strlen(a), *end_b = b + strlen(b);

	while (*a) {
		size_t line = strcspn(a, "\n") + 1;

		if (strncmp(a, b, line) != 0)
			break;
		a += line;
		b += line;
	}
	while (end_a > a && end_b > b) {
		const char *from_a = end_a - 1, *from_b = end_b - 1;

		while (from_a > a && from_a[-1] != '\n')
			from_a--;
		while (from_b > b && from_b[-1] != '\n')
			from_b--;
		if (end_a - from_a != end_b - from_b ||
		    strncmp(from_a, from_b, (size_t)(end_a - from_a)) != 0)
			break;
		end_a = from_a;
		end_b = from_b;
	}
	*ret_a = (struct lines){a, end_a};
	*ret_b = (struct lines){b, end_b};
}

/* Lines as one run of words. */
static void print_lines(struct oclmm_text *text, const char *from, const char *to)
{
	while (from < to) {
		size_t length = strcspn(from, "\n");
		size_t blank = strspn(from, " ");

		oclmm_text_printf(text, " %.*s", (int)(length - blank), from + blank);
		from += length + 1;
	}
}

/* What one thread is in the cycle and in each control. */
struct thread_texts {
	char *base, *weaker[MOST_CONTROLS];
	const char *start, *end; /* of `base`: what some control changes */
};

static char *print_thread(const struct oclmm_cycle *cycle, unsigned thread)
{
	struct oclmm_text text = {0};
	struct outcome outcome;

	if (cycle_outcome(cycle, NULL, &outcome) == 0)
		cycle_print_thread(&text, cycle, &outcome, thread);
	oclmm_text_add(&text, "");
	return oclmm_text_steal(&text);
}

static void compare_thread(const struct oclmm_cycle *cycle, const struct controls *controls,
                           unsigned thread, struct thread_texts *texts)
{
	texts->base = print_thread(cycle, thread);
	texts->start = texts->base + strlen(texts->base);
	texts->end = texts->base;
	for (unsigned i = 0; i < controls->count; i++) {
		struct lines mine, other;

		texts->weaker[i] = print_thread(&controls->cycle[i], thread);
		differ(texts->base, texts->weaker[i], &mine, &other);
		if (mine.start == mine.end && other.start == other.end)
			continue;
		texts->start = mine.start < texts->start ? mine.start : texts->start;
		texts->end = mine.end > texts->end ? mine.end : texts->end;
	}
}

static bool is_changed(const struct thread_texts *texts)
{
	return texts->start < texts->end;
}

/* How often the lines between `start` and `end` stand in a text. */
static unsigned count_lines(const struct thread_texts *texts, const char *in)
{
	size_t length = (size_t)(texts->end - texts->start);
	unsigned count = 0;

	for (; strlen(in) >= length; in++)
		count += strncmp(in, texts->start, length) == 0;
	return count;
}

/* An axis rewrites its words wherever they stand: with more lines they stand in one place. */
static void make_unique(const struct oclmm_cycle *cycle, struct thread_texts *all, unsigned thread)
{
	struct thread_texts *texts = &all[thread];

	while (is_changed(texts)) {
		unsigned count = 0;

		for (unsigned i = 0; i < cycle->thread_count; i++)
			count += count_lines(texts, all[i].base);
		if (count == 1 || (texts->start == texts->base && !*texts->end))
			return;
		if (texts->start > texts->base) {
			texts->start--;
			while (texts->start > texts->base && texts->start[-1] != '\n')
				texts->start--;
		} else {
			texts->end += strcspn(texts->end, "\n") + 1;
		}
	}
}

/* In a control, the lines that stand for those between `start` and `end`. */
static void print_changed(struct oclmm_text *text, const struct thread_texts *texts, unsigned i)
{
	const char *weaker = texts->weaker[i];
	size_t behind = strlen(texts->end);

	print_lines(text, weaker + (texts->start - texts->base), weaker + strlen(weaker) - behind);
}

/* What is changed, thread by thread: as it is in the cycle, or in the control `i`. */
static void print_parts(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        const struct thread_texts *texts, int i)
{
	const char *before = "";

	for (unsigned k = 0; k < cycle->thread_count; k++) {
		if (!is_changed(&texts[k]))
			continue;
		oclmm_text_add(text, before);
		if (i < 0)
			print_lines(text, texts[k].start, texts[k].end);
		else
			print_changed(text, &texts[k], (unsigned)i);
		before = "\n    ,";
	}
}

static void print_axis(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       const struct controls *controls, const struct thread_texts *texts)
{
	oclmm_text_add(text, "vary weaker");
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		if (is_changed(&texts[i]))
			oclmm_text_printf(text, "@P%u", i);
	}
	oclmm_text_add(text, ":");
	print_parts(text, cycle, texts, -1);
	for (unsigned k = 0; k < controls->count; k++) {
		oclmm_text_printf(text, "\n    %s \"%s\"", k ? "|" : "=>", controls->name[k]);
		print_parts(text, cycle, texts, (int)k);
	}
	oclmm_text_printf(text, "\ncontrol weaker=%s\n\n", controls->name[0]);
}

static void finish_texts(const struct oclmm_cycle *cycle, const struct controls *controls,
                         struct thread_texts *texts)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		free(texts[i].base);
		for (unsigned k = 0; k < controls->count; k++)
			free(texts[i].weaker[k]);
	}
}

/* A preamble has no braces, so that a branch of several statements cannot be put into an axis. */
static bool has_brace(const struct oclmm_cycle *cycle, const struct controls *controls,
                      const struct thread_texts *texts)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		const struct thread_texts *mine = &texts[i];

		if (!is_changed(mine))
			continue;
		if (memchr(mine->start, '{', (size_t)(mine->end - mine->start)) ||
		    memchr(mine->start, '}', (size_t)(mine->end - mine->start)))
			return true;
		for (unsigned k = 0; k < controls->count; k++) {
			const char *from = mine->weaker[k] + (mine->start - mine->base);
			const char *to = mine->weaker[k] + strlen(mine->weaker[k]) -
			                 strlen(mine->end);

			if (memchr(from, '{', (size_t)(to - from)) ||
			    memchr(from, '}', (size_t)(to - from)))
				return true;
		}
	}
	return false;
}

static bool try_controls(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                         const struct controls *controls)
{
	struct thread_texts texts[OCLMM_CYCLE_MAX] = {{0}};
	bool good;

	for (unsigned i = 0; i < cycle->thread_count; i++)
		compare_thread(cycle, controls, i, &texts[i]);
	for (unsigned i = 0; i < cycle->thread_count; i++)
		make_unique(cycle, texts, i);
	good = !has_brace(cycle, controls, texts);
	if (good)
		print_axis(text, cycle, controls, texts);
	finish_texts(cycle, controls, texts);
	return good;
}

/* All controls, or those that can be said. */
static void print_controls(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                           const struct controls *controls)
{
	struct controls *fewer = oclmm_malloc(sizeof(*fewer));

	if (!try_controls(text, cycle, controls)) {
		for (unsigned i = 0; i < controls->count; i++) {
			fewer->count = 1;
			fewer->cycle[0] = controls->cycle[i];
			memcpy(fewer->name[0], controls->name[i], sizeof(fewer->name[0]));
			if (try_controls(text, cycle, fewer))
				break;
		}
	}
	free(fewer);
}

/* ---- the file ---- */

static void print_head(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       enum oclmm_observation observation, const struct controls *controls)
{
	oclmm_text_add(text, "OPENCL ");
	oclmm_cycle_name(text, cycle);
	oclmm_text_printf(text,
	                  "\n\n\"%s\"\n\n(* Result: %s\n *\n * Cycle: ", cycle_question(cycle),
	                  oclmm_observation_word(observation));
	oclmm_cycle_print(text, cycle);
	oclmm_text_add(text, "\n");
	if (observation == OCLMM_OBSERVATION_NEVER && controls->count == 0)
		oclmm_text_add(text,
		               " * No weaker test of the same cycle shows the outcome: it has no "
		               "control.\n");
	oclmm_text_add(text, " *)\n\n");
}

int oclmm_cycle_file(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                     struct oclmm_text *text)
{
	struct controls *controls;
	enum oclmm_observation observation;
	int r = ask(cycle, error, &observation);

	if (r < 0)
		return r;
	controls = oclmm_calloc(1, sizeof(*controls));
	if (observation == OCLMM_OBSERVATION_NEVER || observation == OCLMM_OBSERVATION_DISPUTED) {
		oclmm_cycle_weaken(cycle, take, controls);
		if (controls->count == 0)
			take_relaxed(controls, cycle);
	}
	print_head(text, cycle, observation, controls);
	if (controls->count)
		print_controls(text, cycle, controls);
	free(controls);
	return oclmm_cycle_body(cycle, error, text);
}
