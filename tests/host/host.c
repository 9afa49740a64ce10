// SPDX-License-Identifier: Apache-2.0
/*
 * Threads that the host plays. What one alone comes to is held against the
 * oracle, which knows nothing of how they are compiled.
 */

#include "../fixture/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "host/host.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"

/* One thread of the host each. Calls that name no order are seq_cst, of scope all_svm_devices. */
#define XY "global atomic_int *x, global atomic_int *y"
#define FENCE(order)                                                                               \
	"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order                         \
	", memory_scope_all_svm_devices);"
static const struct {
	const char *objects, *parameters, *body, *observed;
} programs[] = {
	/* store and load */
	{"svm [x] = 3; svm [y] = 0;", XY,
         "int r0 = atomic_load_explicit(x, memory_order_relaxed);"
         "atomic_store_explicit(y, r0 + 1, memory_order_release);"
         "int r1 = atomic_load_explicit(y, memory_order_acquire); int r2 = atomic_load(x);",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ y=0"},
	/* updates */
	{"svm [x] = 6; svm [y] = -7;", XY,
         "int r0 = atomic_fetch_add_explicit(x, 2147483647, memory_order_relaxed);"
         "int r1 = atomic_fetch_sub_explicit(x, 3, memory_order_acquire);"
         "int r2 = atomic_fetch_or_explicit(x, 1, memory_order_release);"
         "int r3 = atomic_fetch_xor_explicit(x, 5, memory_order_acq_rel);"
         "int r4 = atomic_fetch_and(x, 14); int r5 = atomic_exchange(x, -1);"
         "int r6 = atomic_fetch_min(y, -9); int r7 = atomic_fetch_max(y, 4);",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ 0:r3=0 /\\ 0:r4=0 /\\ 0:r5=0 /\\ 0:r6=0 /\\ 0:r7=0"
         " /\\ x=0 /\\ y=0"},
	/* unsigned and wide */
	{"svm uint x = 4294967295u; svm long y = -5; svm ulong z = 1ul;",
         "global atomic_uint *x, global atomic_long *y, global atomic_ulong *z",
         "uint r0 = atomic_fetch_add(x, 2u); uint r1 = atomic_fetch_max(x, 4000000000u);"
         "long r2 = atomic_fetch_min(y, -9223372036854775808l); long r3 = atomic_exchange(y, 3);"
         "ulong r4 = atomic_fetch_sub(z, 2ul); ulong r5 = atomic_fetch_min(z, 7ul);",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ 0:r3=0 /\\ 0:r4=0 /\\ 0:r5=0 /\\ x=0 /\\ y=0 /\\ z=0"},
	/* compare in register */
	{"svm [x] = 5; svm [y] = 0;", XY,
         "int r0 = 4;"
         "int r1 = atomic_compare_exchange_strong_explicit(x, &r0, 9, memory_order_acq_rel,"
         " memory_order_relaxed);"
         "int r2 = r0;"
         "int r3 = atomic_compare_exchange_strong_explicit(x, &r0, 9, memory_order_acquire,"
         " memory_order_acquire);"
         "int r4 = atomic_compare_exchange_weak(x, &r2, 11);",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ 0:r3=0 /\\ 0:r4=0 /\\ x=0"},
	/* compare in memory */
	{"svm [x] = 5; svm [e] = 4;", "global atomic_int *x, global int *e",
         "int r0 = atomic_compare_exchange_strong(x, e, 9); int r1 = *e;"
         "int r2 = atomic_compare_exchange_strong(x, e, 10); int r3 = *e;",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ 0:r3=0 /\\ x=0 /\\ e=0"},
	/* flags */
	{"svm atomic_flag f; svm [y] = 0;", "global atomic_flag *f, global atomic_int *y",
         "int r0 = atomic_flag_test_and_set(f); int r1 = atomic_flag_test_and_set(f);"
         "atomic_flag_clear(f); int r2 = atomic_flag_test_and_set(f);",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0"},
	/* fences */
	{"svm [x] = 1; svm [y] = 0;", XY,
         "int r0 = atomic_load_explicit(x, memory_order_relaxed);" FENCE("acquire") FENCE("release")
                 FENCE("acq_rel") FENCE("seq_cst")
                         FENCE("relaxed") "atomic_store_explicit(y, r0 + 1, memory_order_relaxed);",
         "0:r0=0 /\\ y=0"},
	/* plain and init */
	{"svm [d] = 2; svm [x] = 0;", "global int *d, global atomic_int *x",
         "atomic_init(x, 8); int r0 = *d; *d = r0 * -3; int r1 = *d + atomic_load(x);",
         "0:r0=0 /\\ 0:r1=0 /\\ d=0 /\\ x=0"},
	/* arrays */
	{"svm int a[3] = {4, 5, 6}; svm [x] = 2;", "global int *a, global atomic_int *x",
         "int r0 = a[atomic_load(x)]; a[r0 - 5] = 7; int r1 = a[1]; int r2 = a[0];",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ a[0]=0 /\\ a[1]=0 /\\ a[2]=0"},
	/* branches */
	{"svm [x] = 1; svm [y] = 0;", XY,
         "int r0 = 0; int r1 = 0;"
         "if (atomic_load(x) == 1 && atomic_load(y)) { r0 = 1; }"
         "else { if (atomic_load(y) || !atomic_load(y)) { r0 = 2; } r1 = 3; }"
         "if (atomic_load(y) && atomic_fetch_add(x, 1)) { r1 = 9; }"
         "if (atomic_load(x) || atomic_fetch_add(y, 1)) { r1 = r1 + 1; }",
         "0:r0=0 /\\ 0:r1=0 /\\ x=0 /\\ y=0"},
	/* loops */
	{"svm [x] = 0; svm [y] = 0;", XY,
         "int r0 = 0; while (r0 < 6) { r0 = r0 + 2; atomic_fetch_add(x, r0); }", "0:r0=0 /\\ x=0"},
	/* operators */
	{"svm [x] = 7; svm [y] = -2;", XY,
         "int r0 = atomic_load(x); int r1 = atomic_load(y); uint r2 = 3000000000u; long r3 = -1l;"
         "int r4 = (r0 << 3) % 5 + (r1 >> 1) * ~r0; int r5 = r1 < r0; int r6 = r2 < r3;"
         "uint r7 = r1 + r2; long r8 = r2 * r3; int r9 = (r0 ^ 5) | (r1 & 12) - -r0 / 2;",
         "0:r4=0 /\\ 0:r5=0 /\\ 0:r6=0 /\\ 0:r7=0 /\\ 0:r8=0 /\\ 0:r9=0"},
	/* order of operands */
	{"svm [x] = 1; svm [y] = 0;", XY,
         "int r0 = 5; int r1 = atomic_exchange(x, 2) + atomic_load(y) * 10;"
         "r0 = r0 + r1; int r2 = r0;",
         "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=0 /\\ x=0"},
};

struct played {
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	int64_t elements[8][4];
	int64_t values[64];
	bool whole;
};

static void read_test(const char *text, struct played *t)
{
	struct oclmm_error error;

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &t->litmus) < 0)
		fail_msg("line %u column %u: %s", error.position.line, error.position.column,
		         error.message);
	t->program = t->litmus->variants[0].program;
}

static void set_element(const struct oclmm_location *l, void *object, uint32_t element,
                        int64_t value)
{
	if (oclmm_type_bits(l->type) == 64)
		((int64_t *)object)[element] = value;
	else
		((int32_t *)object)[element] = (int32_t)value;
}

static int64_t element_of(const struct oclmm_location *l, const void *object, uint32_t element)
{
	return oclmm_value_wrap(l->type, oclmm_type_bits(l->type) == 64
	                                         ? ((const int64_t *)object)[element]
	                                         : ((const int32_t *)object)[element]);
}

static void play(struct played *t, int64_t *tuple)
{
	struct oclmm_error error;
	struct host_code *code;
	void *objects[8];

	for (uint32_t i = 0; i < t->program->location_count; i++) {
		const struct oclmm_location *l = &t->program->locations[i];

		objects[i] = t->elements[i];
		for (uint32_t e = 0; e < l->elements; e++)
			set_element(l, objects[i], e, l->initial ? l->initial[e] : 0);
	}
	assert_int_equal(host_compile(t->program, 0, &error, &code), 0);
	assert_true(host_code_values(code) <= OCLMM_COUNT(t->values));
	t->whole = host_play(code, objects, t->values);
	host_code_destroy(code);
	for (uint32_t i = 0; i < t->program->observable_count; i++) {
		const struct oclmm_observable *o = &t->program->observables[i];

		tuple[i] = o->is_register ? t->values[o->reg]
		                          : element_of(&t->program->locations[o->location],
		                                       objects[o->location], o->element);
	}
}

/* The one state that a thread alone comes to, but for what may fail without a reason. */
static void as_the_oracle_says(const char *text)
{
	const struct oclmm_check_options options = {.models = 1u << OCLMM_MODEL_CONSENSUS};
	struct played t = {0};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	uint32_t allowed = 0;
	int64_t tuple[16];

	read_test(text, &t);
	assert_int_equal(oclmm_check(t.program, &options, &error, &answer), 0);
	assert_false(answer->undefined[OCLMM_MODEL_CONSENSUS]);
	for (uint32_t i = 0; i < answer->state_count; i++)
		allowed += oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS,
		                               answer->states[i].values) == OCLMM_STATUS_ALLOWED;
	assert_in_range(allowed, 1, strstr(text, "_weak") ? 2 : 1);
	play(&t, tuple);
	assert_true(t.whole);
	if (oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, tuple) != OCLMM_STATUS_ALLOWED) {
		struct oclmm_text outcome = {0};

		oclmm_outcome_print(&outcome, t.program, tuple);
		fail_msg("the host came to %s", oclmm_text_string(&outcome));
	}
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(t.litmus);
}

TEST(plays_as_the_oracle_says)
{
	for (size_t i = 0; i < OCLMM_COUNT(programs); i++) {
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "OPENCL text\n{ %s }\nP0@host (%s) { %s }\nexists (%s)\n",
		                  programs[i].objects, programs[i].parameters, programs[i].body,
		                  programs[i].observed);
		as_the_oracle_says(oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

TEST(a_loop_ends_at_its_bound)
{
	struct played t = {0};
	int64_t tuple[16];

	read_test("OPENCL text\nunroll 4\n{ svm [x] = 0; }\nP0@host (global atomic_int *x) {"
	          " int r0 = 0; while (atomic_load(x) == 0) { r0 = r0 + 1; } }\n"
	          "exists (0:r0=0)\n",
	          &t);
	play(&t, tuple);
	assert_false(t.whole);
	assert_int_equal(tuple[0], 4);
	oclmm_litmus_destroy(t.litmus);
}

enum { TURNS = 100000 };

struct race {
	const struct host_code *code;
	void *objects[2];
};

static void *add_often(void *data)
{
	const struct race *race = data;
	int64_t values[16];

	for (int i = 0; i < TURNS; i++)
		host_play(race->code, race->objects, values);
	return NULL;
}

/* Updates of all kinds are atomic against those of another thread: a sum, and a counter that is
 * only ever raised. */
TEST(updates_are_atomic)
{
	struct played t = {0};
	struct oclmm_error error;
	struct host_code *code;
	pthread_t threads[2];
	int32_t sum = 0;
	int64_t most = 0;
	struct race race = {.objects = {&sum, &most}};

	read_test("OPENCL text\n{ svm [x] = 0; svm long y = 0; }\n"
	          "P0@host (global atomic_int *x, global atomic_long *y) {"
	          " int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);"
	          " long r1 = atomic_fetch_max_explicit(y, r0, memory_order_relaxed); }\n"
	          "exists (0:r0=0 /\\ y=0)\n",
	          &t);
	assert_int_equal(host_compile(t.program, 0, &error, &code), 0);
	race.code = code;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, add_often, &race), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(sum, 2 * TURNS);
	assert_int_equal(most, 2 * TURNS - 1);
	host_code_destroy(code);
	oclmm_litmus_destroy(t.litmus);
}
