// SPDX-License-Identifier: Apache-2.0
/* Limits, time, and undefined behaviour that is not a race. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/model.h"
#include "oclmm/model_execution.h"
#include "oclmm/syntax.h"
#include "shapes.h"

enum { ALL_MODELS = (1u << OCLMM_MODEL_COUNT) - 1 };

static struct oclmm_litmus *read_text(const char *text)
{
	struct oclmm_error error;
	struct oclmm_litmus *litmus = NULL;

	if (oclmm_litmus_parse("test", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("%s at line %u", error.message, error.position.line);
	return litmus;
}

static int check_text(const char *text, double time_limit, struct oclmm_error *error,
                      struct oclmm_litmus **ret_litmus, struct oclmm_answer **ret_answer)
{
	const struct oclmm_check_options options = {.models = ALL_MODELS, .time_limit = time_limit};

	*ret_litmus = read_text(text);
	return oclmm_check((*ret_litmus)->variants[0].program, &options, error, ret_answer);
}

static void refuse(const char *text, double time_limit, int code, const char *word)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;

	assert_int_equal(check_text(text, time_limit, &error, &litmus, &answer), code);
	assert_null(answer);
	assert_non_null(strstr(error.message, word));
	oclmm_litmus_destroy(litmus);
}

TEST(refuses_too_many_threads)
{
	struct oclmm_text text;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	oclmm_text_init(&text);
	/* the reader already refuses what the oracle could not answer */
	shape_ring(&text, OCLMM_MAX_THREADS + 1, SHAPE_RELAXED);
	assert_int_equal(oclmm_litmus_parse("test", text.data, text.length, NULL, &error, &litmus),
	                 -EINVAL);
	assert_non_null(strstr(error.message, "16 threads"));
	oclmm_text_finish(&text);
}

TEST(refuses_too_many_events)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	/* one more than the limit with the initial write */
	oclmm_text_add(&text,
	               "OPENCL many\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n");
	for (unsigned i = 0; i < OCLMM_MAX_EVENTS; i++)
		oclmm_text_add(&text, "atomic_store_explicit(x, 1, memory_order_relaxed, "
		                      "memory_scope_device);\n");
	oclmm_text_add(&text, "}\nexists (x=1)\n");
	refuse(oclmm_text_string(&text), 0, -E2BIG, "64 events");
	oclmm_text_finish(&text);
}

/* Of branches on one read, each tells six times over what it was. */
TEST(refuses_too_many_facts)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_add(&text, "OPENCL facts\n{ [x] = 0; }\n"
	                      "P0@wg 0, dev 0 (global atomic_int *x) {\n"
	                      "int r1 = 0;\nint r0 = atomic_load(x);\n");
	for (unsigned i = 0; i < 45; i++)
		oclmm_text_add(&text, "if (r0 == 1 && r0 == 1 && r0 == 1 && r0 == 1 && r0 == 1 && "
		                      "r0 == 1) r1 = 1;\n");
	oclmm_text_add(&text, "}\nP1@wg 1, dev 0 (global atomic_int *x) { atomic_store(x, 1); }\n"
	                      "exists (0:r1=1)\n");
	refuse(oclmm_text_string(&text), 0, -E2BIG, "branches too often");
	oclmm_text_finish(&text);
}

/* All 16! orders of the writes belong to one choice of what is read: none. */
TEST(stops_among_orders_of_writes)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_add(&text, "OPENCL writers\n{ [x] = 0; }\n");
	for (unsigned t = 0; t < OCLMM_MAX_THREADS; t++)
		oclmm_text_printf(
			&text, "P%u@wg %u, dev 0 (global atomic_int *x) { atomic_store(x, %u); }\n",
			t, t, t + 1);
	oclmm_text_add(&text, "exists (x=1)\n");
	refuse(oclmm_text_string(&text), 1e-3, -ETIME, "time limit");
	oclmm_text_finish(&text);
}

static int ended(const void *how)
{
	return *(const int *)how;
}

/* A caller ends a search, with or without a time limit. */
TEST(stops_when_asked)
{
	static const struct {
		int how;
		const char *message;
	} ends[] = {
		{-EINTR, "test writers: interrupted"},
		{-ETIME, "test writers takes the oracle longer than there is time"},
	};
	struct oclmm_text text;
	struct oclmm_error error;
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = NULL;

	oclmm_text_init(&text);
	oclmm_text_add(&text, "OPENCL writers\n{ [x] = 0; }\n");
	for (unsigned t = 0; t < OCLMM_MAX_THREADS; t++)
		oclmm_text_printf(
			&text, "P%u@wg %u, dev 0 (global atomic_int *x) { atomic_store(x, %u); }\n",
			t, t, t + 1);
	oclmm_text_add(&text, "exists (x=1)\n");
	litmus = read_text(oclmm_text_string(&text));
	for (int i = 0; i < 4; i++) {
		const struct oclmm_check_options options = {.time_limit = i / 2 ? 1000 : 0,
		                                            .ended = ended,
		                                            .data = &ends[i % 2].how};

		assert_int_equal(oclmm_check(litmus->variants[0].program, &options, &error,
		                             &answer),
		                 ends[i % 2].how);
		assert_null(answer);
		assert_string_equal(error.message, ends[i % 2].message);
	}
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

/* It ends a run step by step, too. */
TEST(stops_a_run_when_asked)
{
	const int how = -EINTR;
	const struct oclmm_check_options plain = {0}, options = {.ended = ended, .data = &how};
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;
	struct oclmm_litmus *litmus = read_text(
		"OPENCL loop\n{ out[2] = {-1}; }\n"
		"kernel@wg 0..1, li 0..1023 (global int *out) {\n"
		"  int s = 0;\n"
		"  for (int i = 0; i < 60; i++) s = s + i;\n"
		"  if (get_local_id(0) == 0) out[get_group_id(0)] = s;\n}\n"
		"locations [out;]\nexists (out[0]=-1)\n");

	assert_int_equal(oclmm_check(litmus->variants[0].program, &plain, &error, &answer), 0);
	oclmm_answer_destroy(answer);
	answer = NULL;
	assert_int_equal(oclmm_check(litmus->variants[0].program, &options, &error, &answer), how);
	assert_null(answer);
	assert_string_equal(error.message, "test loop: interrupted");
	oclmm_litmus_destroy(litmus);
}

TEST(refuses_unknown_models)
{
	const struct oclmm_check_options options = {.models = 1u << OCLMM_MODEL_COUNT};
	struct oclmm_litmus *litmus = read_text(
		"OPENCL x\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) { *x = 1; }\n"
		"exists (x=1)\n");
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;

	assert_int_equal(oclmm_check(litmus->variants[0].program, &options, &error, &answer),
	                 -EINVAL);
	assert_null(answer);
	assert_string_equal(error.message, "there is no model number 5");
	oclmm_litmus_destroy(litmus);
}

TEST(stops_at_the_time_limit)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	shape_iriw(&text, 4, 6);
	refuse(oclmm_text_string(&text), 1e-4, -ETIME, "time limit");
	oclmm_text_finish(&text);
}

/* 5^20 choices of what is read, none of which is a candidate yet while values that may be guessed
 * are collected. */
TEST(stops_before_any_candidate)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_add(&text, "OPENCL copies\n{ [x] = 0; }\n");
	for (unsigned t = 0; t < 4; t++) {
		oclmm_text_printf(&text, "P%u@wg %u, dev 0 (global atomic_int *x) {\n", t, t);
		for (unsigned i = 0; i < 5; i++)
			oclmm_text_printf(&text, "int r%u = atomic_load(x);\n", i);
		oclmm_text_printf(&text, "atomic_store(x, r0 + %u);\n}\n", t + 1);
	}
	oclmm_text_add(&text, "exists (0:r0=9)\n");
	refuse(oclmm_text_string(&text), 1e-3, -ETIME, "time limit");
	oclmm_text_finish(&text);
}

static int go_on(void *data, const struct oclmm_execution *execution)
{
	(void)data;
	(void)execution;
	return 0;
}

/* 14 updates that may read from each other: 14^14 choices, nearly all of them cycles. */
TEST(limits_what_leads_to_no_candidate)
{
	const struct oclmm_visit_options options = {.wide = true, .visit = go_on, .limit = 1000};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_add(&text,
	               "OPENCL adds\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n");
	for (unsigned i = 0; i < 14; i++)
		oclmm_text_add(&text, "atomic_fetch_add(x, 1);\n");
	oclmm_text_add(&text, "}\nexists (x=1)\n");
	litmus = read_text(oclmm_text_string(&text));
	assert_int_equal(oclmm_executions(litmus->variants[0].program, &options, &error), -ETIME);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

/* Checks a text whose base variant has undefined behaviour at a line. */
static void undefined_at(const char *text, enum oclmm_undefined reason, unsigned line)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;

	assert_int_equal(check_text(text, 0, &error, &litmus, &answer), 0);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		assert_true(answer->undefined[m]);
		assert_int_equal(answer->witness[m].reason, reason);
		assert_int_equal(answer->witness[m].a.position.line, line);
	}
	assert_int_equal(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS),
	                 OCLMM_OBSERVATION_UNDEFINED);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

#define ONE_THREAD(body)                                                                           \
	"OPENCL t\n{ [x] = 2147483647; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"               \
	"int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n" body      \
	"}\nexists (0:r0=0)\n"

TEST(overflow_is_undefined)
{
	undefined_at(ONE_THREAD("int r1 = r0 + 1;\n"), OCLMM_UNDEFINED_OVERFLOW, 5);
}

/* A word under every model, and the first of the observables that may have any value, or 64. */
static void unspecified(const char *statements, const char *condition, enum oclmm_observation word,
                        unsigned first)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	oclmm_text_printf(&text,
	                  "OPENCL t\n{ [x] = 0; [m] = -2147483648; a[2] = {5, 6}; }\n"
	                  "P0@wg 0, dev 0 (global int *x, global int *m, global int *a) {\n"
	                  "int d = *x; int q = 7 / d; int n = -1; int least = *m;\n%s}\n"
	                  "exists (%s)\n",
	                  statements, condition);
	assert_int_equal(oclmm_litmus_parse("t.litmus", oclmm_text_string(&text), text.length, NULL,
	                                    &error, &litmus),
	                 0);
	assert_int_equal(oclmm_check(litmus->variants[0].program, NULL, &error, &answer), 0);
	assert_int_equal(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS), word);
	if (first < 64)
		assert_int_equal(__builtin_ctzll(answer->unspecified), first);
	else
		assert_int_equal(answer->unspecified, 0);
	/* seen or not */
	assert_true(answer->divides);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

/* C:6.4, arithmetic operators. */
TEST(division_is_unspecified)
{
	/* any value, in a register and in memory, of every kind of division */
	unspecified("", "0:q=5", OCLMM_OBSERVATION_SOMETIMES, 0);
	unspecified("", "0:q=-2147483648", OCLMM_OBSERVATION_SOMETIMES, 0);
	unspecified("*x = q;\n", "x=12", OCLMM_OBSERVATION_SOMETIMES, 0);
	unspecified("int r = 7 % d;\n", "0:r=12", OCLMM_OBSERVATION_SOMETIMES, 0);
	unspecified("int r = least / n;\n", "0:r=12", OCLMM_OBSERVATION_SOMETIMES, 0);
	unspecified("int r = least % n;\n", "0:r=12", OCLMM_OBSERVATION_SOMETIMES, 0);
	unspecified("uint r = 7u / (uint)d;\n", "0:r=12", OCLMM_OBSERVATION_SOMETIMES, 0);
	/* one that nobody sees decides nothing */
	unspecified("int r = 1;\n", "0:r=0", OCLMM_OBSERVATION_NEVER, 64);
	/* some values decide; any of a type has its bits and no others */
	unspecified("int r = q & 0;\n", "0:r=0", OCLMM_OBSERVATION_ALWAYS, 64);
	unspecified("int r = q * 0;\n", "0:r=0", OCLMM_OBSERVATION_ALWAYS, 64);
	unspecified("int r = q == q;\n", "0:r=1", OCLMM_OBSERVATION_ALWAYS, 64);
	unspecified("int r = q ^ q;\n", "0:r=0", OCLMM_OBSERVATION_ALWAYS, 64);
	unspecified("int r = d && 7 / d;\n", "0:r=0", OCLMM_OBSERVATION_ALWAYS, 64);
	unspecified("int r = 0;\nif (q == 3) { r = q + 1; }\n", "0:r=4 \\/ 0:r=0",
	            OCLMM_OBSERVATION_ALWAYS, 64);
	unspecified("int r = 0;\nif (q > 3) { r = 1; }\n", "0:r=1", OCLMM_OBSERVATION_SOMETIMES,
	            64);
	unspecified("uint r = (uint)q + 1u;\n", "0:r=12", OCLMM_OBSERVATION_SOMETIMES, 0);
	/* what some value would make undefined */
	unspecified("int r = q + 1;\n", "0:r=0", OCLMM_OBSERVATION_UNDEFINED, 0);
	unspecified("int r = -q;\n", "0:r=0", OCLMM_OBSERVATION_UNDEFINED, 0);
	unspecified("int r = a[q];\n", "0:r=5", OCLMM_OBSERVATION_UNDEFINED, 64);
}

/* A tuple that is not listed counts as one that differs in unspecified values alone. */
TEST(unlisted_values_count)
{
	static const char source[] = "OPENCL t\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) {\n"
				     "int q = 7 / *x; int r = 1;\n}\n"
				     "locations [0:q; 0:r;]\nexists (0:q=5)\n";
	const int64_t other[] = {777, 1}, wrong[] = {777, 2};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};

	assert_int_equal(
		oclmm_litmus_parse("t.litmus", source, strlen(source), NULL, &error, &litmus), 0);
	assert_int_equal(oclmm_check(litmus->variants[0].program, NULL, &error, &answer), 0);
	assert_int_equal(oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, other),
	                 OCLMM_STATUS_ALLOWED);
	assert_int_equal(oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, wrong),
	                 OCLMM_STATUS_FORBIDDEN);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

TEST(index_outside_is_undefined)
{
	undefined_at(
		"OPENCL t\n{ a[2] = {5, 6}; [x] = 2; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x, global int *a) {\n"
		"int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
		"int r1 = a[r0];\n}\nexists (0:r1=0)\n",
		OCLMM_UNDEFINED_INDEX, 5);
}

TEST(divergence_is_undefined)
{
	undefined_at(
		"OPENCL t\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
		"if (r0 == 0) {\nbarrier(CLK_GLOBAL_MEM_FENCE);\n}\n}\n"
		"P1@wg 0, dev 0 (global atomic_int *x) {\n"
		"int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
		"if (r1 == 1) {\nbarrier(CLK_GLOBAL_MEM_FENCE);\n}\n}\nexists (0:r0=0)\n",
		OCLMM_UNDEFINED_DIVERGENCE, 6);
}

#define ARRIVE "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);\n"
#define WAIT   "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);\n"
#define BOTH(body)                                                                                 \
	"OPENCL t\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n" body                   \
	"}\nP1@wg 0, dev 0 (global atomic_int *x) {\n" body "}\nexists (x=0)\n"

/* Who arrives waits before anything else at a barrier: cl_intel_split_work_group_barrier. */
TEST(arrivals_and_waits_take_turns)
{
	undefined_at(BOTH(WAIT), OCLMM_UNDEFINED_SPLIT_BARRIER, 4);
	undefined_at(BOTH(WAIT ARRIVE), OCLMM_UNDEFINED_SPLIT_BARRIER, 4);
	undefined_at(BOTH(ARRIVE ARRIVE), OCLMM_UNDEFINED_SPLIT_BARRIER, 5);
	undefined_at(BOTH(ARRIVE WAIT WAIT), OCLMM_UNDEFINED_SPLIT_BARRIER, 6);
	undefined_at(BOTH(ARRIVE "barrier(0);\n" WAIT), OCLMM_UNDEFINED_SPLIT_BARRIER, 5);
}

/* In a text that work-items share, the run step by step tells it. */
TEST(shared_texts_take_turns)
{
#define SHARED(body)                                                                               \
	"OPENCL t\n{ [x] = 0; }\nkernel@wg 0, li 0..3 (global int *x) {\n" body "}\nexists (x=0)\n"
	undefined_at(SHARED(WAIT), OCLMM_UNDEFINED_SPLIT_BARRIER, 4);
	undefined_at(SHARED(ARRIVE "barrier(0);\n" WAIT), OCLMM_UNDEFINED_SPLIT_BARRIER, 5);
	undefined_at(SHARED(ARRIVE WAIT ARRIVE ARRIVE), OCLMM_UNDEFINED_SPLIT_BARRIER, 7);
}

#define ZEROTH(statement) "if (get_local_id(0) == 0)\n" statement
#define OTHERS(statement) "if (get_local_id(0) != 0)\n" statement

/* Of a shared text: an atomic load and a plain read of one object do not conflict, whichever is
 * first; an atomic store and a plain read do. */
TEST(atomic_loads_beside_plain_reads_do_not_race)
{
/* More work-items than are searched, so that running them in one order has to tell. */
#define BESIDE(first, second)                                                                      \
	"OPENCL t\n{ [x] = 3; }\nkernel@wg 0, li 0..63 (global atomic_int *x) {\n"                 \
	"if (get_local_id(0) < 2) {\n" first "} else {\n" second "}\n}\nexists (x=0)\n"
#define LOAD  "int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
#define STORE "atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
#define READ  "int r1 = *x;\n"
/* of what is not found, and of what is */
#define EXCHANGE(expected)                                                                         \
	"int r2 = " #expected ";\n"                                                                \
	"int r3 = atomic_compare_exchange_strong_explicit(x, &r2, 1, memory_order_relaxed, "       \
	"memory_order_relaxed, memory_scope_device);\n"
	static const char *const sound[] = {BESIDE(LOAD, READ), BESIDE(READ, LOAD),
	                                    BESIDE(EXCHANGE(7), READ), BESIDE(READ, EXCHANGE(7))};

	for (size_t i = 0; i < OCLMM_COUNT(sound); i++) {
		struct oclmm_litmus *litmus = read_text(sound[i]);
		struct oclmm_answer *answer = NULL;
		struct oclmm_error error;

		assert_int_equal(oclmm_check(litmus->variants[0].program, NULL, &error, &answer),
		                 0);
		assert_int_equal(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS),
		                 OCLMM_OBSERVATION_NEVER);
		oclmm_answer_destroy(answer);
		oclmm_litmus_destroy(litmus);
	}
	undefined_at(BESIDE(STORE, READ), OCLMM_UNDEFINED_RACE, 5);
	undefined_at(BESIDE(READ, STORE), OCLMM_UNDEFINED_RACE, 5);
	undefined_at(BESIDE(LOAD STORE, READ), OCLMM_UNDEFINED_RACE, 6);
	undefined_at(BESIDE(STORE LOAD, READ), OCLMM_UNDEFINED_RACE, 5);
	undefined_at(BESIDE(READ, LOAD STORE), OCLMM_UNDEFINED_RACE, 5);
	undefined_at(BESIDE(EXCHANGE(3), READ), OCLMM_UNDEFINED_RACE, 6);
	/* a store of an earlier group races, though the loads behind it do not */
	undefined_at("OPENCL t\n{ [x] = 3; }\nkernel@wg 0..1, li 0..31 (global atomic_int *x) {\n"
	             "if (get_group_id(0) == 0) {\n" STORE "} else {\n" LOAD READ "}\n}\n"
	             "exists (x=0)\n",
	             OCLMM_UNDEFINED_RACE, 5);
}

/* Of a shared text: what is done between arrival and wait is ordered with nothing of the others. */
TEST(work_between_the_halves_races)
{
	undefined_at(SHARED(ARRIVE ZEROTH("*x = 1;\n") WAIT OTHERS("int r0 = *x;\n")),
	             OCLMM_UNDEFINED_RACE, 6);
	undefined_at(SHARED(ZEROTH("*x = 1;\n") ARRIVE OTHERS("int r0 = *x;\n") WAIT),
	             OCLMM_UNDEFINED_RACE, 5);
	/* the memory that both name, and all of the group */
	undefined_at(SHARED(ZEROTH("*x = 1;\n") ARRIVE
	                    "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);\n" OTHERS(
				    "int r0 = *x;\n")),
	             OCLMM_UNDEFINED_RACE, 5);
	undefined_at(SHARED(ZEROTH(
			     "*x = 1;\n") "intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);"
	                                  "\n" WAIT OTHERS("int r0 = *x;\n")),
	             OCLMM_UNDEFINED_RACE, 5);
	undefined_at(SHARED(ZEROTH("*x = 1;\n") ARRIVE
	                    "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, "
	                    "memory_scope_sub_group);\n" OTHERS("int r0 = *x;\n")),
	             OCLMM_UNDEFINED_RACE, 5);
}

static void is_defined(const char *text)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;

	assert_int_equal(check_text(text, 0, &error, &litmus, &answer), 0);
	assert_false(answer->undefined[OCLMM_MODEL_CONSENSUS]);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

/* A release that nobody acquired is acquired with the next one. */
TEST(later_waits_acquire_earlier_arrivals)
{
	is_defined(
		SHARED(ZEROTH("*x = 1;\n") ARRIVE
	               "intel_work_group_barrier_wait(0);\n" ARRIVE WAIT OTHERS("int r0 = *x;\n")));
}

/* What the others did before they arrived is ordered, though somebody's own access came since. */
TEST(own_work_between_the_halves_is_ordered)
{
	is_defined(SHARED(OTHERS("int r0 = *x;\n") ARRIVE ZEROTH("int r1 = *x;\n")
	                          WAIT ZEROTH("*x = 1;\n")));
}

/* All calls of one kind are alike in the group, and whole barriers no halves. */
TEST(halves_have_to_agree)
{
#define TWO(a, b)                                                                                  \
	"OPENCL t\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) {\n" a                             \
	"}\nP1@wg 0, dev 0 (global int *x) {\n" b "}\nexists (x=0)\n"
	undefined_at(TWO(ARRIVE WAIT,
	                 "intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);\n" WAIT),
	             OCLMM_UNDEFINED_DIVERGENCE, 4);
	undefined_at(TWO(ARRIVE WAIT, ARRIVE "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, "
	                                     "memory_scope_device);\n"),
	             OCLMM_UNDEFINED_DIVERGENCE, 5);
	undefined_at(TWO(ARRIVE WAIT, "barrier(CLK_GLOBAL_MEM_FENCE);\nbarrier(0);\n"),
	             OCLMM_UNDEFINED_DIVERGENCE, 4);
}

/* Two labels are two barriers, as Dartagnan has it. */
TEST(labels_have_to_agree)
{
	undefined_at("OPENCL t\n{ [x] = 0; }\n"
	             "P0@wg 0, dev 0 (global int *x) {\nB1: barrier(CLK_GLOBAL_MEM_FENCE);\n}\n"
	             "P1@wg 0, dev 0 (global int *x) {\nB2: barrier(CLK_GLOBAL_MEM_FENCE);\n}\n"
	             "exists (x=0)\n",
	             OCLMM_UNDEFINED_DIVERGENCE, 4);
}

/* An atomic wraps where a plain operator overflows, C:6.15.12.7.5. */
TEST(atomics_wrap)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;

	assert_int_equal(
		check_text(
			"OPENCL t\n{ [x] = 2147483647; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"
			"int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "
			"memory_scope_device);\n}\nforall (x=-2147483648)\n",
			0, &error, &litmus, &answer),
		0);
	assert_false(answer->undefined[OCLMM_MODEL_CONSENSUS]);
	assert_int_equal(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS),
	                 OCLMM_OBSERVATION_ALWAYS);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

/* Executions that exceed a loop's bound have no outcome. */
TEST(loops_are_cut)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error;

	assert_int_equal(
		check_text("OPENCL t\nunroll 2\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int "
	                   "*x) {\n"
	                   "atomic_store_explicit(x, 1, memory_order_relaxed, "
	                   "memory_scope_device);\n}\n"
	                   "P1@wg 1, dev 0 (global atomic_int *x) {\nint r0 = 0;\n"
	                   "while (r0 == 0) {\nr0 = atomic_load_explicit(x, memory_order_relaxed, "
	                   "memory_scope_device);\n}\n}\nforall (1:r0=1)\n",
	                   0, &error, &litmus, &answer),
		0);
	assert_true(answer->may_be_cut);
	assert_int_equal(answer->state_count, 1);
	assert_int_equal(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS),
	                 OCLMM_OBSERVATION_ALWAYS);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}
