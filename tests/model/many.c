// SPDX-License-Identifier: Apache-2.0
/* Many programs at once are answered as each is alone. */
#include "on_all.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "shapes.h"

/* Two-thread cycles of all orders, each several times, and in between one that is too large. */
enum { SHAPES = 16 * SHAPE_ORDERS, COUNT = 5 * SHAPES, TOO_LARGE = 77 };

struct many {
	struct oclmm_litmus *litmus[SHAPES], *large;
	const struct oclmm_program *programs[COUNT];
	char *expected[SHAPES];
	char *found[COUNT];
	int results[COUNT];
	atomic_uint calls[COUNT];
};

/* All that an answer says: states, verdicts, knobs, under all models. */
static char *describe(const struct oclmm_answer *answer)
{
	struct oclmm_text text = {0};

	for (uint32_t i = 0; i < answer->state_count; i++) {
		const struct oclmm_state *s = &answer->states[i];

		oclmm_outcome_print(&text, answer->program, s->values);
		for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++)
			oclmm_text_printf(&text, " %s/%x", oclmm_status_word(s->status[m]),
			                  s->deciding[m]);
	}
	oclmm_text_printf(&text, " %u readings, %llu candidates", answer->reading_count,
	                  (unsigned long long)answer->candidates);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++)
		if (answer->undefined[m])
			oclmm_text_printf(&text, " %s", answer->witness[m].why);
	return oclmm_text_steal(&text);
}

static struct oclmm_litmus *parse(struct oclmm_text *text)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (oclmm_litmus_parse("cycle", text->data, text->length, NULL, &error, &litmus) < 0)
		fail_msg("%s", error.message);
	oclmm_text_finish(text);
	oclmm_text_init(text);
	return litmus;
}

/* Work-items with more events together than the oracle takes. */
static void make_large(struct oclmm_text *text)
{
	oclmm_text_add(text, "OPENCL large\n{ [x] = 0; }\n");
	for (unsigned t = 0; t < 8; t++) {
		oclmm_text_printf(text, "P%u@wg %u, dev 0 (global atomic_int *x) {\n", t, t);
		for (unsigned i = 0; i < 10; i++)
			oclmm_text_add(text, "  atomic_store(x, 1);\n");
		oclmm_text_add(text, "}\n");
	}
	oclmm_text_add(text, "exists (x=1)\n");
}

static int set_up(void **state)
{
	const struct oclmm_check_options every = {.models = (1u << OCLMM_MODEL_COUNT) - 1};
	struct many *many = oclmm_calloc(1, sizeof(*many));
	struct oclmm_text text = {0};

	for (unsigned n = 0; n < SHAPES; n++) {
		struct oclmm_answer *answer;
		struct oclmm_error error;

		shape_cycle(&text, 2, n % 16, 1, (enum shape_orders)(n / 16));
		many->litmus[n] = parse(&text);
		assert_int_equal(oclmm_check(many->litmus[n]->variants[0].program, &every, &error,
		                             &answer),
		                 0);
		many->expected[n] = describe(answer);
		oclmm_answer_destroy(answer);
	}
	make_large(&text);
	many->large = parse(&text);
	oclmm_text_finish(&text);
	for (unsigned i = 0; i < COUNT; i++)
		many->programs[i] = many->litmus[i % SHAPES]->variants[0].program;
	many->programs[TOO_LARGE] = many->large->variants[0].program;
	*state = many;
	return 0;
}

static int tear_down(void **state)
{
	struct many *many = *state;

	for (unsigned n = 0; n < SHAPES; n++) {
		oclmm_litmus_destroy(many->litmus[n]);
		free(many->expected[n]);
	}
	oclmm_litmus_destroy(many->large);
	free(many);
	return 0;
}

static void keep(void *data, size_t index, int result, const struct oclmm_answer *answer,
                 const struct oclmm_error *error)
{
	struct many *many = data;

	many->results[index] = result;
	many->found[index] = answer ? describe(answer) : oclmm_strdup(error->message);
	atomic_fetch_add(&many->calls[index], 1);
}

static void check_all(struct many *many, unsigned threads)
{
	const struct oclmm_check_options every = {.models = (1u << OCLMM_MODEL_COUNT) - 1};

	memset(many->calls, 0, sizeof(many->calls));
	on_all_check(many->programs, COUNT, &every, threads, keep, many);
	for (unsigned i = 0; i < COUNT; i++) {
		assert_int_equal(many->calls[i], 1);
		assert_int_equal(many->results[i], i == TOO_LARGE ? -E2BIG : 0);
		if (i == TOO_LARGE)
			assert_non_null(strstr(many->found[i], "events"));
		else
			assert_string_equal(many->found[i], many->expected[i % SHAPES]);
		free(many->found[i]);
	}
}

static void one_thread(void **state)
{
	check_all(*state, 1);
}

static void several_threads(void **state)
{
	check_all(*state, 7);
	check_all(*state, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread),
		cmocka_unit_test(several_threads),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
