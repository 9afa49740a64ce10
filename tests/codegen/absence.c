// SPDX-License-Identifier: Apache-2.0
/* What shows that a role was not played: which objects each execution changes, and the values that
 * registers begin with. */
#include <stdio.h>

#include "../fixture/test.h"

#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/syntax.h"

static struct oclmm_litmus *litmus;

/* Two threads, of which the second one only loads. */
static const struct oclmm_program *program_of(int x, const char *body)
{
	struct oclmm_error error;
	char text[1024];

	snprintf(text, sizeof(text),
	         "OPENCL t\n%s{ [x] = %d; int a[2] = {0, 0}; }\n"
	         "P0@wg 0, dev 0 (global atomic_int *x, global int *a) { %s }\n"
	         "P1@wg 1, dev 0 (global atomic_int *x) { int r7 = atomic_load(x); }\n"
	         "exists (1:r7=1)\n",
	         strstr(body, "while") ? "unroll 2\n" : "", x, body);
	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("%s: %s", body, error.message);
	return litmus->variants[0].program;
}

/* The bits of `x`, `a[0]` and `a[1]` in the second word of the table. */
static const struct {
	int x;
	const char *body;
	uint64_t changed;
} objects[] = {
	{0, "atomic_store(x, 1);", 1},
	{0, "int r0 = atomic_exchange(x, 1);", 1},
	{0, "atomic_store(x, 1); atomic_store(x, 2);", 1},
	{1, "atomic_store(x, 1);", 0},
	/* what is stored later, or by others */
	{0, "atomic_store(x, 1); atomic_store(x, 0);", 0},
	{0, "atomic_store(x, 1); atomic_fetch_add(x, -1);", 0},
	{0, "int r0 = a[0]; atomic_store(x, r0);", 0},
	{0, "int r0 = a[0]; if (r0) { atomic_store(x, 1); }", 0},
	{0, "int r0 = a[0]; atomic_store(x, 1); if (r0) { atomic_store(x, 0); }", 0},
	{0, "int r0 = a[0]; atomic_store(x, 1); if (r0) { atomic_store(x, 2); }", 1},
	{0, "int r0 = a[0]; while (r0 == 1) { r0 = a[0]; } atomic_store(x, 1);", 0},
	/* elements */
	{0, "a[1] = 1;", 4},
	{0, "a[0] = 1; a[1] = 0;", 2},
	{0, "a[0] = 1; int r0 = a[1]; a[r0] = 2;", 2},
	{0, "a[0] = 1; int r0 = a[1]; a[r0] = 0;", 0},
	{0, "int r0 = 1; a[r0] = 2;", 0},
	/* updates, in whichever order */
	{0, "atomic_fetch_add(x, 1);", 1},
	{0, "int r0 = atomic_fetch_add(x, 0);", 0},
	{0, "atomic_store(x, 1); atomic_fetch_add(x, 1);", 1},
	{0, "atomic_fetch_add(x, 1); atomic_fetch_add(x, 2);", 1},
	{0, "atomic_fetch_add(x, 2); atomic_fetch_sub(x, 2);", 0},
	{0, "atomic_fetch_add(x, 1); atomic_fetch_and(x, 2);", 0},
	{5, "atomic_fetch_and(x, 4);", 1},
	{5, "atomic_fetch_or(x, 4);", 0},
	{5, "atomic_fetch_xor(x, 4); atomic_fetch_or(x, 2);", 1},
	{5, "atomic_fetch_max(x, 4);", 0},
	{5, "atomic_fetch_min(x, 4);", 1},
	{5, "atomic_fetch_min(x, 4); int r0 = a[0]; if (r0) { atomic_fetch_add(x, 1); }", 0},
	{0, "int r0 = atomic_fetch_add(x, 1) + 1;", 0},
	{0, "int r0 = 0; if (atomic_fetch_add(x, 1)) { r0 = 1; }", 0},
	{0, "int r0 = a[0]; while (r0) { atomic_fetch_add(x, 1); r0 = a[0]; }", 0},
	{0, "atomic_store(x, 3); int r0 = a[0]; while (r0) { atomic_store(x, 1); r0 = a[0]; }", 1},
	{0, "atomic_store(x, 3); int r0 = a[0]; while (r0) { atomic_fetch_add(x, 1); r0 = a[0]; }",
         0},
	/* compare-exchanges succeed or not */
	{0, "int r0 = 0; int r1 = atomic_compare_exchange_strong(x, &r0, 1);", 0},
	{0, "atomic_store(x, 2); int r0 = 0; int r1 = atomic_compare_exchange_strong(x, &r0, 1);",
         1},
	{0, "atomic_store(x, 2); int r0 = 2; int r1 = atomic_compare_exchange_strong(x, &r0, 0);",
         0},
	{0, "a[0] = 3; int r1 = atomic_compare_exchange_strong(x, a, 1);", 0},
};

TEST(objects_that_each_execution_changes)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domain[] = {{values, 2, 1}};
	const struct oclmm_outcome_space space = {1, domain, 2};

	for (size_t i = 0; i < OCLMM_COUNT(objects); i++) {
		size_t words;
		uint64_t *table = oclmm_count_table(program_of(objects[i].x, objects[i].body),
		                                    &space, &words);

		if (table[1] != objects[i].changed)
			fail_msg("%s: %u", objects[i].body, (unsigned)table[1]);
		free(table);
		oclmm_litmus_destroy(litmus);
	}
}

/* Of a thread whose r0, r1 are observed, what both begin with. */
static const struct {
	const char *body, *r0, *r1;
} registers[] = {
	{"int r0 = atomic_load(x); int r1 = *a;", "91", "91"},
	{"int r0 = 1; r0 = r0 + 1; int r1 = r0;", "91", "91"},
	{"r0 = r0 + 1; int r1 = r0;", "0", "91"},
	{"int r1 = r0; r0 = *a;", "0", "91"},
	{"int r1 = atomic_compare_exchange_strong(x, &r0, 1); r0 = *a;", "0", "91"},
	{"int r0 = *a; int r1; if (r0) { r1 = 1; } else { r1 = 2; }", "91", "0"},
	{"int r0; if (*a) { r0 = 1; } else { r0 = 0; } int r1 = r0; r0 = *a;", "0", "91"},
	{"int r0 = *a; int r1; while (r0 == 0) { r0 = *a; r1 = *a; } r1 = *a;", "91", "0"},
	{"int r0 = *a; int r1 = atomic_compare_exchange_strong(x, &r0, 1);", "91", "91"},
};

static void assert_begins(const char *text, const char *name, const char *value)
{
	char line[64];

	snprintf(line, sizeof(line), "r_P0.P0_%s = %s;", name, value);
	if (!strstr(text, line))
		fail_msg("no %s", line);
}

static void check_registers(const char *body, const char *r0, const char *r1,
                            struct oclmm_outcome_domain *domain)
{
	struct oclmm_outcome_domain domains[] = {*domain, *domain};
	struct oclmm_outcome_space space = {2, domains, 0};
	struct oclmm_error error;
	struct oclmm_text source;
	char text[1024];

	snprintf(text, sizeof(text),
	         "OPENCL t\n%s{ [x] = 0; [a] = 0; %s}\n"
	         "P0@wg 0, dev 0 (global atomic_int *x, global int *a) { %s }\n"
	         "exists (0:r0=1 /\\ 0:r1=1)\n",
	         strstr(body, "while") ? "unroll 2\n" : "",
	         strstr(body, "int r0") ? "" : "0:r0 = 0; ", body);
	oclmm_outcome_space_number(&space);
	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("%s: %s", body, error.message);
	assert_int_equal(oclmm_generate(litmus->variants[0].program, &space, NULL, &error, &source),
	                 0);
	assert_begins(source.data, "r0", r0);
	assert_begins(source.data, "r1", r1);
	oclmm_text_finish(&source);
	oclmm_litmus_destroy(litmus);
}

/* With what no outcome has, where nothing else names them before they are assigned. */
TEST(registers_begin_with_what_no_outcome_has)
{
	static int64_t few[] = {0, 1}, taken[] = {0, 91, 92};
	struct oclmm_outcome_domain small = {few, 2, 0}, large = {taken, 3, 0};

	for (size_t i = 0; i < OCLMM_COUNT(registers); i++)
		check_registers(registers[i].body, registers[i].r0, registers[i].r1, &small);
	check_registers(registers[0].body, "93", "93", &large);
}

/* What a look adds up in the kernel. */
TEST(initial_values_have_a_sum)
{
	assert_int_equal(oclmm_initials(program_of(5, "int r0 = 0;"), false),
	                 5u * 0x01000193u * 0x01000193u);
	oclmm_litmus_destroy(litmus);
}

/* In which unit the text of a kernel takes the rounds that work-items have played. */
static bool has_bytes(const struct oclmm_text *text)
{
	bool bytes = strstr(text->data, "global uchar *)played") ||
	             strstr(text->data, "global const uint4 *)played");

	assert_true(bytes || strstr(text->data, "played["));
	return bytes;
}

/* A counting kernel is made without what is of no matter to counting. */
TEST(both_kernels_count_rounds_alike)
{
	static int64_t values[] = {0, 1};
	struct oclmm_outcome_domain domain[] = {{values, 2, 1}};
	const struct oclmm_outcome_space space = {1, domain, 2};
	unsigned bytes = 0;

	for (unsigned set = 0; set < 1 << 6; set++) {
		struct oclmm_codegen_options options = {
			.any_count = set & 1,
			.split = set & 2,
			.direct = set & 4,
			.sums = set & 4 && set & 8,
			.quads = set & 16,
			.calm = set & 32,
		};
		const struct oclmm_program *program = program_of(0, "atomic_store(x, 1);");
		struct oclmm_text test, count;
		struct oclmm_error error;

		assert_int_equal(oclmm_generate_test(program, &space, &options, &error, &test), 0);
		options.split = options.sums = options.calm = false;
		assert_int_equal(oclmm_generate_count(program, &space, &options, &error, &count),
		                 0);
		bytes += has_bytes(&test);
		if (has_bytes(&test) != has_bytes(&count))
			fail_msg("set %u", set);
		oclmm_text_finish(&test);
		oclmm_text_finish(&count);
		oclmm_litmus_destroy(litmus);
	}
	assert_true(bytes > 0 && bytes < 1 << 6);
}
