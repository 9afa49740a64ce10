// SPDX-License-Identifier: Apache-2.0
/*
 * The reader of map files: what is refused, with the place; and what a good
 * one does to a small program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/syntax.h"
#include "trial.h"

static char folder[] = "/tmp/judges-XXXXXX";
static char map_path[64], cat_path[64];

static int make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(map_path, sizeof(map_path), "%s/m.map", folder);
	snprintf(cat_path, sizeof(cat_path), "%s/m.cat", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(map_path);
	unlink(cat_path);
	return rmdir(folder);
}

static int read_judge(const char *map, const char *cat, const char *first,
                      struct oclmm_error *error, struct judge **ret_judge)
{
	assert_int_equal(oclmm_write_file(map_path, map, strlen(map)), 0);
	assert_int_equal(oclmm_write_file(cat_path, cat, strlen(cat)), 0);
	return judge_read(map_path, first, error, ret_judge);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *map;
		uint32_t line, column, length;
		const char *message;
	} refusals[] = {
		{"model", 1, 6, 1, "expected the name of a cat file"},
		{"# c\nlaod acq : R", 2, 1, 4,
	         "expected model, tags, load, store, update or fence"},
		{"load acq R", 1, 10, 1, "this is no order, or twice"},
		{"load acq", 1, 9, 1, "expected : and what it becomes"},
		{"load : R", 1, 6, 1, "expected an order"},
		{"load acq acq : R", 1, 10, 3, "this is no order, or twice"},
		{"load acq @ cta : R", 1, 12, 3, "this is no scope, or twice"},
		{"load acq in : R", 1, 13, 1, "expected local or global, once"},
		{"load acq in local in global : R", 1, 22, 6, "expected local or global, once"},
		{"load acq : R SYNC", 1, 14, 4, "this is no tag, and none of R, W, F and ctrl"},
		{"tags A\nload acq : R:A:B", 2, 12, 5, "a tag is wanted behind a colon"},
		{"load acq :", 1, 11, 1,
	         "load has one R, store one W, update R before W, fence none"},
		{"load acq : W", 1, 13, 1,
	         "load has one R, store one W, update R before W, fence none"},
		{"update acq : W R", 1, 17, 1,
	         "load has one R, store one W, update R before W, fence none"},
		{"tags S\nfence sc : S R", 2, 15, 1,
	         "load has one R, store one W, update R before W, fence none"},
		{"store acq : W ctrl", 1, 19, 1,
	         "load has one R, store one W, update R before W, fence none"},
		{"load acq : R R R R R R R", 1, 24, 1, "too many words"},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(refusals); i++) {
		struct oclmm_error error;
		struct judge *judge;

		assert_int_equal(read_judge(refusals[i].map, "", NULL, &error, &judge), -EINVAL);
		assert_string_equal(error.message, refusals[i].message);
		assert_string_equal(error.file, map_path);
		assert_int_equal(error.position.line, refusals[i].line);
		assert_int_equal(error.position.column, refusals[i].column);
		assert_int_equal(error.position.length, refusals[i].length);
	}
}

static void test_files(void **state)
{
	struct oclmm_error error;
	struct judge *judge;

	(void)state;
	assert_int_equal(read_judge("load * : R", "", NULL, &error, &judge), -EINVAL);
	assert_non_null(strstr(error.message, "names no model"));
	assert_int_equal(read_judge("model x.cat", "", NULL, &error, &judge), -ENOENT);
	assert_non_null(strstr(error.message, "/x.cat: No such file"));
	/* the cat file knows the tags, and no others */
	assert_int_equal(read_judge("model m.cat\ntags A", "empty A empty C", NULL, &error, &judge),
	                 -EINVAL);
	assert_string_equal(error.message, "nothing has the name C");
	assert_string_equal(error.file, cat_path);
	assert_int_equal(judge_read("/nowhere/m.map", NULL, &error, &judge), -ENOENT);
}

/* Message passing: does a judge show the flag without the data? */
static const char program[] = "OPENCL MP\n"
			      "{ [x] = 0; [y] = 0; }\n"
			      "P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
			      "  atomic_store_explicit(x, 1, memory_order_relaxed, "
			      "memory_scope_device);\n"
			      "  atomic_store_explicit(y, 1, memory_order_release, "
			      "memory_scope_device);\n"
			      "}\n"
			      "P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
			      "  int r0 = atomic_load_explicit(y, memory_order_acquire, "
			      "memory_scope_device);\n"
			      "  int r1 = atomic_load_explicit(x, memory_order_relaxed, "
			      "memory_scope_device);\n"
			      "}\n"
			      "exists (1:r0=1 /\\ 1:r1=0)\n";

static bool satisfies(const int64_t *values, void *data)
{
	const struct oclmm_program *asked = data;

	return oclmm_condition_holds(asked, asked->condition, values);
}

static bool shows_of(const char *text, const char *map, const char *cat, const char *first)
{
	struct oclmm_syntax_options options = {0};
	struct trial trial = {.limit = 1000};
	struct trial_findings findings;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (read_judge(map, cat, first, &error, &trial.judges[0]) != 0)
		fail_msg("%s", error.message);
	trial.count = 1;
	assert_string_equal(judge_name(trial.judges[0]), "m");
	assert_int_equal(
		oclmm_litmus_parse("m.litmus", text, strlen(text), &options, &error, &litmus), 0);
	assert_int_equal(trial_ask(&trial, litmus->variants[0].program, satisfies,
	                           (void *)(uintptr_t)litmus->variants[0].program, &findings),
	                 0);
	oclmm_litmus_destroy(litmus);
	trial_close(&trial);
	return findings.shown[0];
}

static bool shows(const char *map, const char *cat, const char *first)
{
	return shows_of(program, map, cat, first);
}

/* Barriers of different scopes, which have no meaning together, wait for each other all the same.
 */
static void test_barriers(void **state)
{
	static const char map[] = "model m.cat\nload * : R\nstore * : W\n";
	static const char cat[] = "acyclic po | rf | co | fr";
	static const char text[] =
		"OPENCL barriers\n{ [x] = 0; }\n"
		"P0@sg 0, wg 0, dev 0 (global atomic_int *x) {\n"
		"  work_group_barrier(%s, memory_scope_work_group);\n"
		"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
		"}\n"
		"P1@sg 0, wg 0, dev 0 (global atomic_int *x) {\n"
		"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
		"  work_group_barrier(%s, memory_scope_device);\n"
		"}\n"
		"exists (1:r0=1)\n";
	char flags[1000], none[1000];

	(void)state;
	snprintf(flags, sizeof(flags), text, "CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE");
	assert_false(shows_of(flags, map, cat, NULL));
	snprintf(none, sizeof(none), text, "0", "0");
	assert_true(shows_of(none, map, cat, NULL));
}

static void test_mapping(void **state)
{
	static const char map[] = "model m.cat\ntags S Q\n"
				  "load acq @ wg : R\nload acq @ dev all : R:Q S\nload * : R\n"
				  "store rel : S W # a comment\nstore * : W\n";
	static const char cat[] = "acyclic po; [S]; po | rf | co | fr";

	(void)state;
	assert_false(shows(map, cat, NULL));
	assert_true(shows(map, cat, "load acq : R"));
	assert_true(shows(map, cat, "store rel : W"));
	assert_true(shows(map, cat, "store rel : W S"));
	assert_true(shows(map, "acyclic po; [Q]; po | rf | co | fr", NULL));
	/* the one load that is mapped to Q reads 1 */
	assert_false(shows(map, "empty Q", NULL));
	assert_false(shows(map, "empty (rf; [Q]) & ~IW * R", NULL));
	assert_true(shows(map, "empty (rf; [Q]) & IW * R empty rmw empty ctrl empty data", NULL));
	assert_false(shows(map, "empty ctrl", "load acq : R ctrl"));
	assert_true(shows(map, "empty ctrl; [W]", "load acq : R ctrl"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_mapping),
		cmocka_unit_test(test_barriers),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
