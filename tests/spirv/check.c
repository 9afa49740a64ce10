// SPDX-License-Identifier: Apache-2.0
/* A program beside modules that are put together by hand: its own, and each wrong in one thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "assemble.h"
#include "oclmm/spirv.h"
#include "oclmm/syntax.h"

static const char test[] =
	"OPENCL X\n{ [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);\n"
	"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,\n"
	"                         memory_scope_device);\n"
	"  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  int r0 = 1;\n"
	"  int r1 = atomic_compare_exchange_strong_explicit(y, &r0, 2, memory_order_acq_rel,\n"
	"      memory_order_acquire, memory_scope_device);\n"
	"  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
	"  int r2 = atomic_fetch_add(x, 1);\n}\n"
	"exists (1:r1=1 /\\ 1:r2=0)\n";

static struct oclmm_litmus *litmus;

static int parse(void **state)
{
	struct oclmm_error error;

	(void)state;
	return oclmm_litmus_parse("x", test, strlen(test), NULL, &error, &litmus);
}

static int forget(void **state)
{
	(void)state;
	oclmm_litmus_destroy(litmus);
	return 0;
}

/* Its numbers, each of which a test may change: scopes are 1 device, 2 work-group, 3 sub-group;
 * orders 2 acquire, 4 release, 8 acquire and release, 16 seq_cst. */
struct numbers {
	uint32_t store, store_order, store_scope;
	uint32_t fence_order, fence_scope, fence_memory;
	uint32_t success, failure, compare_scope;
	uint32_t add, add_order, add_scope;
	uint32_t barrier_execution, barrier_scope, barrier_order;
	bool no_last, one_more, no_kernel, no_barrier;
};

static const struct numbers right = {
	.store = 228,
	.store_scope = 2,
	.fence_order = 4,
	.fence_scope = 1,
	.success = 8,
	.failure = 2,
	.compare_scope = 1,
	.add = 234,
	.add_order = 16,
	.add_scope = 1,
	.barrier_execution = 2,
	.barrier_scope = 1,
	.barrier_order = 16,
};

enum { EXCHANGE_IF = 230, MEMORY_BARRIER = 225, CONTROL_BARRIER = 224, STORE = 228, CONSTANT = 43 };

/* Release and seq_cst that name global memory. */
enum { RELEASE_GLOBAL = 0x204, SEQ_CST_GLOBAL = 0x210 };

/* The id of a number; OCLMM_SPIRV_UNKNOWN stands for no constant. */
static uint32_t n(uint32_t number)
{
	if (number == RELEASE_GLOBAL || number == SEQ_CST_GLOBAL)
		return number == RELEASE_GLOBAL ? 30 : 31;
	return number == OCLMM_SPIRV_UNKNOWN ? 5 : ASSEMBLED_NUMBERS + number;
}

static void write_kernel(struct assembled *module, const struct numbers *numbers)
{
	assemble_begin(module, 13);
	/* the kernel's own, before and behind */
	ASSEMBLE(module, CONTROL_BARRIER, n(2), n(2), n(16));
	if (!numbers->no_barrier)
		ASSEMBLE(module, CONTROL_BARRIER, n(numbers->barrier_execution),
		         n(numbers->barrier_scope), n(numbers->barrier_order));
	ASSEMBLE(module, CONTROL_BARRIER, n(2), n(2), n(16));
	assemble_end(module);
}

static void write_module(struct assembled *module, const struct numbers *numbers)
{
	assemble_head(module);
	assemble_name(module, 10, "P0");
	assemble_name(module, 11, "P1_part0");
	assemble_name(module, 12, "P1_part1");
	assemble_name(module, 13, numbers->no_kernel ? "other" : "oclmm_test");
	for (uint32_t i = 0; i <= 16; i++)
		assemble_number(module, i);
	ASSEMBLE(module, CONSTANT, 1, 30, RELEASE_GLOBAL);
	ASSEMBLE(module, CONSTANT, 1, 31, SEQ_CST_GLOBAL);
	assemble_begin(module, 12); /* the functions may stand in any order */
	if (numbers->add == STORE)
		ASSEMBLE(module, STORE, 21, n(1), n(16), 22);
	else
		ASSEMBLE(module, numbers->add, 1, 20, 21, n(numbers->add_scope),
		         n(numbers->add_order), 22);
	if (numbers->one_more)
		ASSEMBLE(module, MEMORY_BARRIER, n(1), n(8));
	assemble_end(module);
	assemble_begin(module, 10);
	ASSEMBLE(module, numbers->store, 21, n(numbers->store_scope), n(numbers->store_order), 22);
	ASSEMBLE(module, MEMORY_BARRIER, n(numbers->fence_scope), n(numbers->fence_order));
	if (!numbers->no_last)
		ASSEMBLE(module, STORE, 21, n(1), n(0), 22);
	assemble_end(module);
	assemble_begin(module, 11);
	ASSEMBLE(module, EXCHANGE_IF, 1, 20, 21, n(numbers->compare_scope), n(numbers->success),
	         n(numbers->failure), 22, 23);
	assemble_end(module);
	write_kernel(module, numbers);
}

static int check(const struct numbers *numbers, struct oclmm_error *error,
                 struct oclmm_spirv_found *ret_found)
{
	struct oclmm_spirv_module *module;
	struct assembled words;
	int r;

	write_module(&words, numbers);
	assert_int_equal(
		oclmm_spirv_read(words.words, words.count * sizeof(uint32_t), error, &module), 0);
	r = oclmm_spirv_check(module, litmus->variants[0].program, 3, "", error, ret_found);
	oclmm_spirv_destroy(module);
	return r;
}

static void the_test_is_the_test(void **state)
{
	struct oclmm_spirv_found found;
	struct oclmm_error error;

	(void)state;
	assert_int_equal(check(&right, &error, &found), 0);
	/* three of P0; the exchange, the addition and the barrier of P1 */
	assert_int_equal(found.operations, 6);
	/* no memory is named; the two relaxed stores need none */
	assert_int_equal(found.classless, 4);
}

static void memory_that_is_named_is_seen(void **state)
{
	struct numbers numbers = right;
	struct oclmm_spirv_found found;
	struct oclmm_error error;

	(void)state;
	numbers.fence_order = RELEASE_GLOBAL;
	numbers.barrier_order = SEQ_CST_GLOBAL;
	assert_int_equal(check(&numbers, &error, &found), 0);
	assert_int_equal(found.operations, 6);
	assert_int_equal(found.classless, 2);
}

/* Each numbers[member] = value; what it is told as. */
static const struct {
	size_t member;
	uint32_t value;
	const char *why;
} mistakes[] = {
#define MISTAKE(member, value, why)                                                                \
	{                                                                                          \
		offsetof(struct numbers, member), value, why                                       \
	}
	MISTAKE(store_order, 4,
                "P0, operation 1, atomic_store_explicit: is to be memory_order_relaxed, and is "
                "memory_order_release"),
	MISTAKE(store_scope, 1,
                "P0, operation 1, atomic_store_explicit: is to be memory_scope_work_group, and is "
                "memory_scope_device"),
	MISTAKE(store_scope, 0, "and is memory_scope_all_svm_devices"),
	MISTAKE(store_scope, OCLMM_SPIRV_UNKNOWN, "and is a scope that is no constant"),
	MISTAKE(store_order, OCLMM_SPIRV_UNKNOWN, "and is an order that is no constant"),
	MISTAKE(store_order, 6, "and is several orders at once"),
	MISTAKE(fence_order, 0,
                "P0, operation 2, atomic_work_item_fence: is to be memory_order_release, and is "
                "memory_order_relaxed"),
	MISTAKE(fence_scope, 2, "is to be memory_scope_device, and is memory_scope_work_group"),
	MISTAKE(success, 2,
                "P1, operation 1, atomic_compare_exchange_strong_explicit: is to be "
                "memory_order_acq_rel, and is memory_order_acquire"),
	MISTAKE(failure, 0,
                "is to be memory_order_acquire on failure, and is memory_order_relaxed"),
	MISTAKE(compare_scope, 3, "is to be memory_scope_device, and is memory_scope_sub_group"),
	MISTAKE(add, 235, "is to be another instruction, and is OpAtomicISub"),
	MISTAKE(add, STORE, "is to be another instruction, and is OpAtomicStore"),
	MISTAKE(add_order, 8,
                "P1, operation 2, atomic_fetch_add: is to be memory_order_seq_cst, and is "
                "memory_order_acq_rel"),
	MISTAKE(barrier_scope, 3,
                "P1, barrier 1, work_group_barrier: is to be memory_scope_device, and is "
                "memory_scope_sub_group"),
	/* as the kernel's own are */
	MISTAKE(barrier_scope, 2, "P1, barrier 1, work_group_barrier is missing"),
	MISTAKE(barrier_order, 4, "is to be memory_order_acq_rel, and is memory_order_release"),
	MISTAKE(barrier_execution, 3,
                "is to be memory_scope_work_group for those who wait, and is "
                "memory_scope_sub_group"),
#undef MISTAKE
};

static void each_mistake_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(mistakes); i++) {
		struct numbers numbers = right;
		struct oclmm_spirv_found found;
		struct oclmm_error error;

		memcpy((char *)&numbers + mistakes[i].member, &mistakes[i].value,
		       sizeof(mistakes[i].value));
		assert_int_equal(check(&numbers, &error, &found), -EBADMSG);
		assert_non_null(strstr(error.message, "the producer's module is not the test: "));
		if (!strstr(error.message, mistakes[i].why))
			assert_string_equal(error.message, mistakes[i].why);
	}
}

static void refuse(const struct numbers *numbers, const char *why)
{
	struct oclmm_spirv_found found;
	struct oclmm_error error;

	assert_int_equal(check(numbers, &error, &found), -EBADMSG);
	assert_non_null(strstr(error.message, why));
}

static void what_is_missing_or_too_much_is_named(void **state)
{
	struct numbers numbers = right;

	(void)state;
	numbers.no_last = true;
	refuse(&numbers, "P0, operation 3, atomic_store_explicit is missing");
	numbers = right;
	numbers.one_more = true;
	refuse(&numbers, "P1 has one more operation, OpMemoryBarrier");
	numbers = right;
	numbers.no_kernel = true;
	refuse(&numbers, "it has no oclmm_test");
	numbers = right;
	numbers.no_barrier = true;
	refuse(&numbers, "P1, barrier 1, work_group_barrier is missing");
}

/* A barrier that is the kernel's by its looks is told by the number of them. */
static void barriers_are_counted(void **state)
{
	static const char source[] = "barrier(A); work_group_barrier(B, C); sub_group_barrier(D);";
	struct oclmm_spirv_module *module;
	struct assembled words;
	struct oclmm_error error;

	(void)state;
	write_module(&words, &right);
	assert_int_equal(
		oclmm_spirv_read(words.words, words.count * sizeof(uint32_t), &error, &module), 0);
	assert_int_equal(oclmm_spirv_check_barriers(module, source, &error), 0);
	assert_int_equal(oclmm_spirv_check_barriers(module, source + 1, &error), -EBADMSG);
	assert_non_null(strstr(error.message, "its text has 2 barriers, and it has 3"));
	oclmm_spirv_destroy(module);
}

/* A barrier in two calls, of one work-item. */
static const char halves[] =
	"OPENCL X\n{ [x] = 0; }\n"
	"P0@wg 0, dev 0 (global int *x) {\n"
	"  intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);\n"
	"  intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n}\n"
	"exists (x=0)\n";

enum { ARRIVE = 6142, WAIT = 6143 };

/* An instruction for each call, or 0. */
struct pair {
	uint32_t arrive, arrive_execution, arrive_scope, arrive_order;
	uint32_t wait, wait_execution, wait_scope, wait_order;
	const char *why; /* NULL: it is the test */
};

static void write_pair(struct assembled *module, const struct pair *pair)
{
	assemble_head(module);
	assemble_name(module, 10, "P0_part0");
	assemble_name(module, 11, "P0_part1");
	assemble_name(module, 12, "P0_part2");
	assemble_name(module, 13, "oclmm_test");
	for (uint32_t i = 0; i <= 16; i++)
		assemble_number(module, i);
	for (uint32_t id = 10; id <= 13; id++) {
		assemble_begin(module, id);
		if (id == 13 && pair->arrive)
			ASSEMBLE(module, pair->arrive, n(pair->arrive_execution),
			         n(pair->arrive_scope), n(pair->arrive_order));
		if (id == 13 && pair->wait)
			ASSEMBLE(module, pair->wait, n(pair->wait_execution), n(pair->wait_scope),
			         n(pair->wait_order));
		assemble_end(module);
	}
}

/* Each half is looked for, with its order, its scope and who waits. */
static void halves_of_barriers_are_told_apart(void **state)
{
#define FIRST  "P0, barrier 1, intel_work_group_barrier_arrive"
#define SECOND "P0, barrier 2, intel_work_group_barrier_wait"
	static const struct pair pairs[] = {
		{ARRIVE, 2, 2, 4, WAIT, 2, 1, 2, NULL},
		/* more than a half, as of a whole one */
		{ARRIVE, 2, 2, 16, WAIT, 2, 1, 16, NULL},
		{0, 2, 2, 4, WAIT, 2, 1, 2,
	         FIRST ": is to be another instruction, and is OpControlBarrierWaitINTEL"},
		{ARRIVE, 2, 2, 4, 0, 2, 1, 2, SECOND " is missing"},
		{0, 2, 2, 4, 0, 2, 1, 2, FIRST " is missing"},
		{WAIT, 2, 1, 2, ARRIVE, 2, 2, 4, SECOND ": stands before barrier 1, in word "},
		{ARRIVE, 2, 2, 4, CONTROL_BARRIER, 2, 1, 2,
	         SECOND ": is to be another instruction, and is OpControlBarrier,"},
		/* the kernel has such for itself */
		{CONTROL_BARRIER, 2, 2, 8, WAIT, 2, 1, 2,
	         FIRST ": is to be another instruction, and is OpControlBarrierWaitINTEL"},
		{ARRIVE, 2, 2, 2, WAIT, 2, 1, 2,
	         FIRST ": is to be memory_order_release, and is memory_order_acquire"},
		{ARRIVE, 2, 2, 4, WAIT, 2, 1, 0,
	         SECOND ": is to be memory_order_acquire, and is memory_order_relaxed"},
		{ARRIVE, 2, 2, 4, WAIT, 2, 2, 2,
	         SECOND ": is to be memory_scope_device, and is memory_scope_work_group"},
		{ARRIVE, 3, 2, 4, WAIT, 2, 1, 2,
	         FIRST ": is to be memory_scope_work_group for those who wait, and is "
	               "memory_scope_sub_group"},
	};
#undef FIRST
#undef SECOND
	struct oclmm_litmus *own;
	struct oclmm_error error;

	(void)state;
	assert_int_equal(oclmm_litmus_parse("x", halves, strlen(halves), NULL, &error, &own), 0);
	for (size_t i = 0; i < OCLMM_COUNT(pairs); i++) {
		struct oclmm_spirv_module *module;
		struct oclmm_spirv_found found;
		struct assembled words;
		int r;

		write_pair(&words, &pairs[i]);
		assert_int_equal(oclmm_spirv_read(words.words, words.count * sizeof(uint32_t),
		                                  &error, &module),
		                 0);
		r = oclmm_spirv_check(module, own->variants[0].program, 1, "", &error, &found);
		assert_int_equal(r, pairs[i].why ? -EBADMSG : 0);
		if (pairs[i].why && !strstr(error.message, pairs[i].why))
			assert_string_equal(error.message, pairs[i].why);
		oclmm_spirv_destroy(module);
	}
	oclmm_litmus_destroy(own);
}

/* In a text that work-items share they are counted, too, each kind for itself. */
static void halves_of_barriers_are_counted(void **state)
{
	static const char source[] =
		"intel_work_group_barrier_arrive(A); intel_work_group_barrier_wait(A);";
	static const struct pair pairs[] = {
		{ARRIVE, 2, 2, 4, WAIT, 2, 2, 2, NULL},
		{0, 2, 2, 4, WAIT, 2, 2, 2, "its text has 1 arrival, and it has 0"},
		{ARRIVE, 2, 2, 4, 0, 2, 2, 2, "its text has 1 wait, and it has 0"},
		{ARRIVE, 2, 2, 4, ARRIVE, 2, 2, 4, "its text has 1 arrival, and it has 2"},
		{ARRIVE, 2, 2, 4, CONTROL_BARRIER, 2, 2, 8,
	         "its text has 0 barriers, and it has 1"},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(pairs); i++) {
		struct oclmm_spirv_module *module;
		struct oclmm_error error;
		struct assembled words;

		write_pair(&words, &pairs[i]);
		assert_int_equal(oclmm_spirv_read(words.words, words.count * sizeof(uint32_t),
		                                  &error, &module),
		                 0);
		assert_int_equal(oclmm_spirv_check_barriers(module, source, &error),
		                 pairs[i].why ? -EBADMSG : 0);
		if (pairs[i].why)
			assert_non_null(strstr(error.message, pairs[i].why));
		oclmm_spirv_destroy(module);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves_of_barriers_are_told_apart),
		cmocka_unit_test(halves_of_barriers_are_counted),
		cmocka_unit_test(the_test_is_the_test),
		cmocka_unit_test(memory_that_is_named_is_seen),
		cmocka_unit_test(each_mistake_is_named),
		cmocka_unit_test(what_is_missing_or_too_much_is_named),
		cmocka_unit_test(barriers_are_counted),
	};

	return cmocka_run_group_tests(tests, parse, forget);
}
