// SPDX-License-Identifier: Apache-2.0
/* What a program needs of a device, and what its kernels look like from outside. */
#include <stdio.h>

#include "../fixture/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/syntax.h"

#define ORDER(name) (1u << OCLMM_ORDER_##name)
#define SCOPE(name) (1u << OCLMM_SCOPE_##name)

static struct oclmm_litmus *litmus;

static const struct oclmm_program *read_program(const char *text)
{
	struct oclmm_error error;

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("line %u: %s", error.position.line, error.message);
	return litmus->variants[0].program;
}

static const char mixed[] =
	"OPENCL mixed\n{ [x] = 0; long y = 0; [l] = 0; }\n"
	"P0@wg 3, dev 0 (global atomic_int *x, local atomic_int *l) {\n"
	"  int r0 = 0;\n"
	"  int r1 = atomic_compare_exchange_strong_explicit(x, &r0, 1, memory_order_release,\n"
	"    memory_order_relaxed, memory_scope_work_group);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  if (r1) { atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst,\n"
	"    memory_scope_device); }\n}\n"
	"P1@wg 1, dev 0 (global atomic_long *y) {\n"
	"  long r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);\n}\n"
	"P2@wg 3, dev 0 (global atomic_int *x, local atomic_int *l) {\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"exists (0:r1=1 /\\ 1:r0=0 /\\ x=1 /\\ l=0)\n";

TEST(features_of_a_mixed_program)
{
	struct oclmm_features f;

	oclmm_program_features(read_program(mixed), &f);
	assert_int_equal(f.orders, ORDER(RELEASE) | ORDER(RELAXED) | ORDER(ACQUIRE));
	assert_int_equal(f.fence_orders, ORDER(SEQ_CST));
	assert_int_equal(f.scopes, SCOPE(WORK_GROUP) | SCOPE(DEVICE));
	assert_true(f.local_memory);
	assert_int_equal(f.atomic_types, 1u << OCLMM_TYPE_INT | 1u << OCLMM_TYPE_LONG);
	assert_false(f.generic_pointers);
	assert_false(f.sub_groups);
	assert_false(f.svm_atomics);
	assert_false(f.host_threads);
	assert_false(f.address_wide);
	assert_int_equal(f.devices, 1);
	assert_int_equal(f.work_groups, 2);
	oclmm_litmus_destroy(litmus);
}

/* A function that nobody calls is compiled, too. */
TEST(features_of_pointers_in_a_shared_text)
{
	static const struct {
		const char *before, *body;
		bool generic;
	} rows[] = {
		{"", "  local int *p = s;\n", false},
		{"", "  int *p = s;\n", true},
		{"", "  int *t[2] = {s, out};\n", true},
		{"struct pair { local int *p; };\n", "  struct pair v = {s};\n", false},
		{"struct pair { int *p; };\n", "  struct pair v = {s};\n", true},
		{"void f(local int *p) { p[0] = 1; }\n", "  f(s);\n", false},
		{"void f(int *p) { p[0] = 1; }\n", "", true},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_text text = {0};
		struct oclmm_features f;

		oclmm_text_printf(&text,
		                  "OPENCL T\n{ s[2]; out[2]; }\n%s"
		                  "kernel@wg 0, li 0..1 (global int *out, local int *s) {\n%s"
		                  "  out[get_local_id(0)] = 1;\n}\nexists (out[0]=1)\n",
		                  rows[i].before, rows[i].body);
		oclmm_program_features(read_program(oclmm_text_string(&text)), &f);
		assert_int_equal(f.generic_pointers, rows[i].generic);
		oclmm_litmus_destroy(litmus);
		oclmm_text_finish(&text);
	}
}

TEST(features_beyond_one_device)
{
	struct oclmm_features f;

	oclmm_program_features(
		read_program(
			"OPENCL far\n{ svm [x] = 0; }\n"
			"P0@wg 0, dev 0 (atomic_int *x) { atomic_store_explicit(x, 1, "
			"memory_order_relaxed,\n"
			"  memory_scope_all_svm_devices); }\n"
			"P1@wg 0, dev 1 (global atomic_int *x) { int r0 = atomic_load_explicit(x,\n"
			"  memory_order_relaxed, memory_scope_all_svm_devices); }\n"
			"P2@host (global atomic_int *x) { int r0 = atomic_load_explicit(x,\n"
			"  memory_order_relaxed, memory_scope_all_svm_devices); }\n"
			"P3@sg 1, wg 0, dev 0 (global atomic_int *x) { int r0 = "
			"atomic_load_explicit(x,\n"
			"  memory_order_relaxed, memory_scope_sub_group); }\n"
			"exists (1:r0=0)\n"),
		&f);
	assert_true(f.generic_pointers);
	assert_true(f.svm_atomics);
	assert_true(f.host_threads);
	assert_true(f.sub_groups);
	assert_int_equal(f.devices, 2);
	assert_int_equal(f.work_groups, 2);
	assert_int_equal(f.scopes, SCOPE(ALL_SVM_DEVICES) | SCOPE(SUB_GROUP));
	oclmm_litmus_destroy(litmus);
}

/* Kernels, devices and queues are numbered as they are named first. */
TEST(plan_of_two_queues)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domain = {values, 2, 1};
	struct oclmm_outcome_space space = {1, &domain, 2};
	struct oclmm_kernel_plan plan;
	struct oclmm_features features;
	struct oclmm_error error;
	const struct oclmm_program *program = read_program(
		"OPENCL queues\n{ svm [x] = 0; }\n"
		"P0@wg 0, dev 2, queue 5 (global atomic_int *x) { atomic_store(x, 1); }\n"
		"P1@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
		"P2@wg 0, dev 2 (global atomic_int *x) { atomic_store(x, 2); }\n"
		"P3@wg 1, dev 2, queue 5 (global atomic_int *x) { atomic_store(x, 3); }\n"
		"P4@host (global atomic_int *x) { atomic_store(x, 4); }\n"
		"exists (1:r0=0)\n");

	oclmm_program_features(program, &features);
	assert_true(features.queues);
	assert_int_equal(features.devices, 2);
	assert_int_equal(oclmm_kernel_plan(program, &space, &error, &plan), 0);
	assert_int_equal(plan.parts, 4);
	assert_int_equal(plan.kernels, 3);
	assert_int_equal(plan.devices, 2);
	assert_memory_equal(plan.role_part, ((uint32_t[]){0, 1, 2, 0, 3}), 5 * sizeof(uint32_t));
	assert_memory_equal(plan.part_device, ((uint32_t[]){0, 1, 0}), 3 * sizeof(uint32_t));
	assert_memory_equal(plan.part_queue, ((uint32_t[]){0, 0, 1}), 3 * sizeof(uint32_t));
	assert_int_equal(plan.role_work_group[3], 1);
	assert_false(oclmm_on_one_device(&plan));
	oclmm_litmus_destroy(litmus);
}

/* Wherever a value of size_t comes to be: a register, a cast, a constant. */
TEST(features_of_the_width_of_addresses)
{
	static const char *const bodies[] = {"ptrdiff_t r0 = 1;", "int r0 = (size_t)1 > 2;",
	                                     "const size_t n = 1; int r0 = n;"};
	struct oclmm_features f;
	char text[128];

	for (size_t i = 0; i < OCLMM_COUNT(bodies); i++) {
		snprintf(text, sizeof(text),
		         "OPENCL width\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) { %s }\n"
		         "exists (0:r0=1)\n",
		         bodies[i]);
		oclmm_program_features(read_program(text), &f);
		assert_true(f.address_wide);
		oclmm_litmus_destroy(litmus);
	}
}

TEST(plan_of_a_mixed_program)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domains[4] = {
		{values, 2, 8},
		{values, 2, 4},
		{values, 2, 2},
		{values, 2, 1},
	};
	struct oclmm_outcome_space space = {4, domains, 16};
	struct oclmm_kernel_plan plan;
	struct oclmm_error error;

	assert_int_equal(oclmm_kernel_plan(read_program(mixed), &space, &error, &plan), 0);
	assert_int_equal(plan.roles, 3);
	assert_int_equal(plan.work_groups, 2);
	assert_int_equal(plan.role_work_group[0], 0);
	assert_int_equal(plan.role_work_group[1], 1);
	assert_int_equal(plan.role_work_group[2], 0);
	assert_int_equal(plan.crowd, 2);
	/* two registers and the local object; the global one is read where it is */
	assert_int_equal(plan.planes, 3);
	assert_true(plan.wide);
	assert_true(plan.has_local);
	assert_int_equal(plan.local_bytes, 4);
	assert_true(plan.has_barrier);
	assert_int_equal(plan.outcomes, 16);
	assert_int_equal(plan.observables, 4);
	assert_false(plan.plain_data);
	space.observable_count = 3;
	assert_int_equal(oclmm_kernel_plan(litmus->variants[0].program, &space, &error, &plan),
	                 -EINVAL);
	oclmm_litmus_destroy(litmus);
}

static struct oclmm_kernel_plan plan_of(const char *text)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domain = {values, 2, 1};
	struct oclmm_outcome_space space = {1, &domain, 2};
	struct oclmm_kernel_plan plan;
	struct oclmm_error error;

	assert_int_equal(oclmm_kernel_plan(read_program(text), &space, &error, &plan), 0);
	oclmm_litmus_destroy(litmus);
	return plan;
}

/* In one group, or in its own memory, plain data is no reason to keep its users apart. */
TEST(plain_data_of_several_groups)
{
	assert_true(plan_of("OPENCL a\n{ d = 0; }\nP0@wg 0, dev 0 (global int *d) { *d = 1; }\n"
	                    "P1@wg 1, dev 0 (global int *d) { int r0 = *d; }\nexists (1:r0=0)\n")
	                    .plain_data);
	assert_false(plan_of("OPENCL a\n{ d = 0; }\nP0@wg 0, dev 0 (global int *d) { *d = 1; }\n"
	                     "P1@wg 0, dev 0 (global int *d) { int r0 = *d; }\nexists (1:r0=0)\n")
	                     .plain_data);
	assert_false(plan_of("OPENCL a\n{ [x] = 0; }\nP0@wg 0, dev 0 (local int *d) { *d = 1; }\n"
	                     "P1@wg 1, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); }\n"
	                     "exists (1:r0=0)\n")
	                     .plain_data);
}

/* A pure function: the same program gives the same text, alone or together. */
TEST(text_repeats)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domains[4] = {
		{values, 2, 8},
		{values, 2, 4},
		{values, 2, 2},
		{values, 2, 1},
	};
	struct oclmm_outcome_space space = {4, domains, 16};
	const struct oclmm_program *program = read_program(mixed);
	struct oclmm_text a, b, test, count;
	struct oclmm_error error;

	assert_int_equal(oclmm_generate(program, &space, NULL, &error, &a), 0);
	assert_int_equal(oclmm_generate(program, &space, NULL, &error, &b), 0);
	assert_int_equal(oclmm_generate_test(program, &space, NULL, &error, &test), 0);
	assert_int_equal(oclmm_generate_count(program, &space, NULL, &error, &count), 0);
	assert_string_equal(a.data, b.data);
	assert_int_equal(strncmp(a.data, test.data, test.length), 0);
	assert_non_null(strstr(count.data, "kernel void oclmm_count("));
	assert_null(strstr(count.data, "kernel void oclmm_test("));
	assert_null(strstr(test.data, "kernel void oclmm_count("));
	oclmm_text_finish(&a);
	oclmm_text_finish(&b);
	oclmm_text_finish(&test);
	oclmm_text_finish(&count);
	oclmm_litmus_destroy(litmus);
}

static void check_table(const char *text, const struct oclmm_outcome_space *space,
                        const uint64_t *wanted, size_t count)
{
	size_t words;
	uint64_t *table = oclmm_count_table(read_program(text), space, &words);

	assert_int_equal(words, count);
	assert_memory_equal(table, wanted, count * sizeof(*wanted));
	free(table);
	oclmm_litmus_destroy(litmus);
}

/* Words of 32 bits have zeros above them, local objects are not in it, and there is room for a
 * power of two, at least four, of values of each observable, after the last of which the first
 * stands. */
TEST(table_of_values)
{
	static const char text[] =
		"OPENCL a\n{ [x] = -1; l = 7; long y = -2; int a[2] = {3, 4}; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x, local int *l, global long *y, "
		"global int *a) { int r0 = atomic_load(x); long r1 = *y; }\n"
		"exists (0:r0=0 /\\ 0:r1=0)\n";
	static int64_t near[] = {-1, 0}, far[] = {-2, 5, 9};
	struct oclmm_outcome_domain close[] = {{near, 2, 2}, {near, 2, 1}};
	struct oclmm_outcome_domain apart[] = {{near, 2, 3}, {far, 3, 1}};
	static const uint64_t of_close[] = {4,          0,         UINT32_MAX, UINT64_MAX - 1,
	                                    3,          4,         2,          2,
	                                    UINT32_MAX, 0,         UINT32_MAX, UINT32_MAX,
	                                    2,          1,         UINT64_MAX, 0,
	                                    UINT64_MAX, UINT64_MAX};
	static const uint64_t of_apart[] = {6,
	                                    0,
	                                    UINT32_MAX,
	                                    UINT64_MAX - 1,
	                                    3,
	                                    4,
	                                    2,
	                                    3,
	                                    UINT32_MAX,
	                                    0,
	                                    UINT32_MAX,
	                                    UINT32_MAX,
	                                    3,
	                                    1,
	                                    UINT64_MAX - 1,
	                                    5,
	                                    9,
	                                    UINT64_MAX - 1};

	check_table(text, &(struct oclmm_outcome_space){2, close, 4}, of_close,
	            OCLMM_COUNT(of_close));
	check_table(text, &(struct oclmm_outcome_space){2, apart, 6}, of_apart,
	            OCLMM_COUNT(of_apart));
}

static char *count_text_of(const char *text, const struct oclmm_outcome_space *space,
                           const struct oclmm_codegen_options *options)
{
	struct oclmm_text count;
	struct oclmm_error error;

	assert_int_equal(oclmm_generate_count(read_program(text), space, options, &error, &count),
	                 0);
	oclmm_litmus_destroy(litmus);
	return oclmm_text_steal(&count);
}

static char *count_text(const char *text, const struct oclmm_outcome_space *space)
{
	return count_text_of(text, space, NULL);
}

/* Programs that differ in names and values are counted by one kernel. */
TEST(tests_share_the_counting_kernel)
{
	static int64_t few[] = {0, 1}, others[] = {3, 4, 5};
	struct oclmm_outcome_domain two[] = {{few, 2, 1}}, three[] = {{others, 3, 1}};
	const struct oclmm_outcome_space of_two = {1, two, 2}, of_three = {1, three, 3};
	char *a = count_text("OPENCL a\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) "
	                     "{ int r0 = atomic_load(x); }\nexists (0:r0=0)\n",
	                     &of_two);
	char *b = count_text("OPENCL b\n{ [flag] = 3; }\nP0@wg 0, dev 0 (global atomic_uint *flag) "
	                     "{ uint r7 = atomic_load(flag); }\nexists (0:r7=0)\n",
	                     &of_three);
	char *wide = count_text("OPENCL c\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_long *x) "
	                        "{ long r0 = atomic_load(x); }\nexists (0:r0=0)\n",
	                        &of_two);

	assert_string_equal(a, b);
	assert_string_not_equal(a, wide);
	free(a);
	free(b);
	free(wide);
}

/* With few forms, so do tests whose values have gaps, and tests of more outcomes: of up to 256. */
TEST(few_forms)
{
	static const char text[] = "OPENCL a\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) "
				   "{ int r0 = atomic_load(x); }\nexists (0:r0=0)\n";
	static int64_t close[] = {0, 1}, apart[] = {0, 7}, many[] = {0, 1, 2, 3};
	struct oclmm_outcome_domain of_two[] = {{close, 2, 1}}, gap[] = {{apart, 2, 1}},
				    of_four[] = {{many, 4, 1}};
	const struct oclmm_outcome_space two = {1, of_two, 2}, gaps = {1, gap, 2},
					 four = {1, of_four, 4}, large = {1, of_four, 1000};
	const struct oclmm_codegen_options few = {.few_forms = true};
	char *text_of_two = count_text_of(text, &two, &few);
	char *others[] = {count_text_of(text, &gaps, &few), count_text_of(text, &four, &few)};
	char *of_large = count_text_of(text, &large, &few), *alone = count_text(text, &two);

	for (size_t i = 0; i < OCLMM_COUNT(others); i++) {
		assert_string_equal(text_of_two, others[i]);
		free(others[i]);
	}
	assert_string_not_equal(text_of_two, of_large);
	assert_string_not_equal(text_of_two, alone);
	free(text_of_two);
	free(of_large);
	free(alone);
}

/* Of these threads P1 does what P0 does, and nobody else: not in another group, with another order,
 * object, value, type or name, nor where it meets others. */
TEST(roles_that_are_alike)
{
	static const char text[] =
		"OPENCL alike\n{ [x] = 0; [y] = 0; 0:r1 = 1; 1:r1 = 2; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) { int r1; int r0 = atomic_exchange_explicit("
		"x, r1, memory_order_relaxed, memory_scope_device); }\n"
		"P1@wg 0, dev 0 (global atomic_int *x) { int r1; int r0 = atomic_exchange_explicit("
		"x, r1, memory_order_relaxed, memory_scope_device); }\n"
		"P2@wg 1, dev 0 (global atomic_int *x) { int r0 = atomic_exchange_explicit(x, 1, "
		"memory_order_relaxed, memory_scope_device); }\n"
		"P3@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_exchange_explicit(x, 1, "
		"memory_order_relaxed, memory_scope_device); }\n"
		"P4@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_exchange_explicit(x, 1, "
		"memory_order_acquire, memory_scope_device); }\n"
		"P5@wg 0, dev 0 (global atomic_int *y) { int r0 = atomic_exchange_explicit(y, 1, "
		"memory_order_relaxed, memory_scope_device); }\n"
		"P6@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_exchange_explicit(x, 2, "
		"memory_order_relaxed, memory_scope_device); }\n"
		"P7@wg 0, dev 0 (global atomic_int *x) { uint r0 = atomic_exchange_explicit(x, 1, "
		"memory_order_relaxed, memory_scope_device); }\n"
		"P8@wg 0, dev 0 (global atomic_int *x) { int r1 = atomic_exchange_explicit(x, 1, "
		"memory_order_relaxed, memory_scope_device); }\n"
		"exists (0:r0=0)\n";
	static const char meeting[] =
		"OPENCL meeting\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); "
		"barrier(CLK_GLOBAL_MEM_FENCE); }\n"
		"P1@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_load(x); "
		"barrier(CLK_GLOBAL_MEM_FENCE); }\nexists (0:r0=0)\n";
	struct oclmm_kernel_plan plan = plan_of(text);

	assert_true(plan.alike);
	for (uint32_t i = 0; i < plan.roles; i++)
		assert_int_equal(plan.role_alike[i], i == 1 ? 0 : i);
	assert_false(plan.keeps_over);
	plan = plan_of(meeting);
	assert_false(plan.alike);
	assert_true(plan.keeps_over);
	assert_int_equal(plan.role_alike[1], 1);
}

/* Atomic functions and local memory may be what is broken: who counts alone must not believe them.
 */
TEST(counting_alone_needs_no_atomics)
{
	static const char *const texts[] = {
		"OPENCL a\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) "
		"{ int r0 = atomic_fetch_add(x, 1); }\nexists (0:r0=0)\n",
		"OPENCL b\n{ [x] = 0; }\nP0@wg 0, dev 0 (local atomic_ulong *x) "
		"{ ulong r0 = atomic_fetch_add(x, 1); }\nexists (0:r0=0)\n",
	};
	static const struct oclmm_codegen_options alone = {.alone = true};
	static int64_t values[300];
	/* counted in a word of the work-item's, in local memory, and in the launch's counters */
	static const size_t sizes[] = {2, 300, 3000};

	for (int64_t i = 0; i < 300; i++)
		values[i] = 2 * i;
	for (size_t i = 0; i < OCLMM_COUNT(texts) * OCLMM_COUNT(sizes); i++) {
		size_t size = sizes[i / OCLMM_COUNT(texts)];
		struct oclmm_outcome_domain domain = {values, size > 300 ? 300 : (uint32_t)size, 1};
		struct oclmm_outcome_space space = {1, &domain, size};
		char *usual = count_text(texts[i % OCLMM_COUNT(texts)], &space);
		char *text = count_text_of(texts[i % OCLMM_COUNT(texts)], &space, &alone);

		assert_non_null(strstr(usual, "atomic_"));
		assert_null(strstr(text, "atomic_"));
		assert_null(strstr(text, "local "));
		free(usual);
		free(text);
	}
}

/* What drivers may take for each other has marks of its own. */
TEST(marks_tell_texts_apart)
{
	static const struct oclmm_codegen_options options[] = {
		{0},
		{.any_count = true},
		{.split = true},
		{.part = 1},
		{.calm = true},
		{.direct = true},
		{.direct = true, .sums = true},
	};
	static const char other[] = "OPENCL mixed\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int "
				    "*x) { int r0 = atomic_load(x); }\nexists (0:r0=0)\n";
	uint32_t marks[2 * OCLMM_COUNT(options)];
	size_t count = 0;

	for (int i = 0; i < 2; i++) {
		const struct oclmm_program *program = read_program(i ? mixed : other);

		for (size_t k = 0; k < OCLMM_COUNT(options); k++)
			marks[count++] = oclmm_kernel_mark(program, &options[k]);
		oclmm_litmus_destroy(litmus);
	}
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(marks[i] % 4, 2);
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(marks[i], marks[k]);
	}
}

static uint32_t count_of(const char *text, const char *word)
{
	uint32_t count = 0;

	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		count++;
	return count;
}

/* What a run builds of one program, as of one in a text of several, has its variables; and a device
 * is asked to initialise those that begin with a value, with it. */
TEST(variables_at_program_scope)
{
	static int64_t values[] = {0, 7};
	struct oclmm_outcome_domain domain = {values, 2, 1};
	struct oclmm_outcome_space space = {1, &domain, 2};
	const struct oclmm_outcome_space *const spaces[] = {&space};
	const struct oclmm_program *program = read_program(
		"OPENCL variables\n{ program [p] = 0; program [q] = 7; program long e[2] = {9, 9}; "
		"program long m[2] = {1, 2}; program uchar n = 200; }\n"
		"P0@wg 0, dev 0 (global int *p, global atomic_int *q, global long *e, "
		"global long *m, global uchar *n) {\n"
		"int r0 = atomic_load(q); *p = 1; e[1] = 2l; m[0] = 3l; "
		"*n = (uchar)1; }\nexists (0:r0=7)\n");
	struct oclmm_error error;
	struct oclmm_text source;
	const char *text;

	assert_int_equal(oclmm_generate_tests(&program, spaces, 1, NULL, &error, &source), 0);
	text = oclmm_text_string(&source);
	assert_int_equal(count_of(text, "global int program_p[16384];\n"), 1);
	assert_int_equal(count_of(text, "global atomic_int program_q[16384] = {OCLMM_16384(7)};\n"),
	                 1);
	assert_int_equal(count_of(text, "global long program_e[8192] = {OCLMM_8192(9L)};\n"), 1);
	assert_int_equal(count_of(text, "global long program_m[8192];\n"), 1);
	assert_int_equal(count_of(text, "global uchar program_n[65536] = {OCLMM_65536(200)};\n"),
	                 1);
	assert_int_equal(count_of(text, "#define OCLMM_16384(v)"), 1);
	assert_int_equal(count_of(text, "#define OCLMM_65536(v)"), 1);
	oclmm_text_finish(&source);
	oclmm_litmus_destroy(litmus);
}
