// SPDX-License-Identifier: Apache-2.0
/*
 * A module of the real tools is the test; with any one operand of any of its
 * operations replaced, it is not, and is told so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "producer/producer.h"

static const char test[] =
	"OPENCL X\n{ [x] = 0; [y] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,\n"
	"                         memory_scope_device);\n"
	"  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
	"  atomic_fetch_add_explicit(y, 1, memory_order_release, memory_scope_work_group);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  int r0 = 1;\n"
	"  int r1 = atomic_compare_exchange_strong_explicit(y, &r0, 2, memory_order_acq_rel,\n"
	"      memory_order_acquire, memory_scope_device);\n"
	"  int r2 = atomic_load(x);\n}\n"
	"exists (1:r1=1 /\\ 1:r2=0)\n";

static struct {
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct producer *producer;
	char *source;
	struct oclmm_text module;
} bed;

static int translate(void **state)
{
	const struct producer_version version = {1, 2};
	const struct oclmm_check_options options = {0};
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;
	struct oclmm_text source;
	int r;

	(void)state;
	if (oclmm_litmus_parse("x", test, strlen(test), NULL, &error, &bed.litmus) < 0)
		return -1;
	bed.program = bed.litmus->variants[0].program;
	if (oclmm_check(bed.program, &options, &error, &answer) < 0)
		return -1;
	r = oclmm_generate_test(bed.program, &answer->space, NULL, &error, &source);
	oclmm_answer_destroy(answer);
	if (r < 0)
		return -1;
	bed.source = oclmm_text_steal(&source);
	r = producer_translate(bed.producer, version, "-cl-std=CL3.0", bed.source, &error,
	                       &bed.module);
	if (r < 0)
		fprintf(stderr, "%s\n", error.message);
	return r;
}

static int forget(void **state)
{
	(void)state;
	oclmm_litmus_destroy(bed.litmus);
	oclmm_text_finish(&bed.module);
	free(bed.source);
	return 0;
}

static struct oclmm_spirv_module *read_module(void)
{
	struct oclmm_spirv_module *module = NULL;
	struct oclmm_error error;

	assert_int_equal(oclmm_spirv_read(bed.module.data, bed.module.length, &error, &module), 0);
	return module;
}

static int check(struct oclmm_error *error, struct oclmm_spirv_found *ret_found)
{
	struct oclmm_spirv_module *module = read_module();
	int r = oclmm_spirv_check_barriers(module, bed.source, error);

	if (r == 0)
		r = oclmm_spirv_check(module, bed.program, 3, "", error, ret_found);
	oclmm_spirv_destroy(module);
	return r;
}

static void the_module_is_the_test(void **state)
{
	struct oclmm_spirv_found found;
	struct oclmm_error error = {0};

	(void)state;
	if (check(&error, &found) < 0)
		assert_string_equal(error.message, "");
	assert_int_equal(found.operations, 6);
}

/* The id of a 32-bit constant of the module; 0 where it has none. */
static uint32_t id_of(uint32_t value)
{
	enum { CONSTANT = 43 };
	const uint32_t *words = (const uint32_t *)bed.module.data;

	for (size_t at = 5; at < bed.module.length / 4; at += words[at] >> 16)
		if (words[at] == (4u << 16 | CONSTANT) && words[at + 3] == value)
			return words[at + 2];
	return 0;
}

/* The bits of semantics that are an order; all of a scope's are the scope. */
enum { ORDER = 0x1e, SCOPE = -1 };

/* Replaces a word of an operation by the id of each small number that differs in these bits. */
static void patch(size_t word, uint32_t right, uint32_t bits, unsigned *tried)
{
	uint32_t *words = (uint32_t *)bed.module.data, before = words[word];

	assert_true(id_of(right));
	for (uint32_t value = 0; value <= 16; value++) {
		struct oclmm_spirv_found found;
		struct oclmm_error error = {0};

		/* of a barrier, this one does as well as seq_cst */
		if ((value & bits) == 8 && bits == ORDER && right > 16)
			continue;
		if ((value & bits) == (right & bits) || !id_of(value))
			continue;
		words[word] = id_of(value);
		assert_int_equal(check(&error, &found), -EBADMSG);
		assert_non_null(strstr(error.message, "producer"));
		(*tried)++;
	}
	words[word] = before;
}

/* Where an instruction has its scope; semantics follow. */
static size_t scope_at(uint16_t opcode)
{
	enum { CONTROL_BARRIER = 224, MEMORY_BARRIER = 225, STORE = 228 };

	switch (opcode) {
	case CONTROL_BARRIER: return 2;
	case MEMORY_BARRIER: return 1;
	case STORE: return 2;
	default: return 4;
	}
}

static void each_operand_counts(void **state)
{
	static const char *const functions[] = {"P0_part0", "P0_part1", "P1", "oclmm_test"};
	struct oclmm_spirv_module *module = read_module();
	unsigned tried = 0, operations = 0;

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(functions); i++) {
		const struct oclmm_spirv_function *f = oclmm_spirv_find(module, functions[i]);

		assert_non_null(f);
		for (size_t k = 0; k < f->count; k++) {
			const struct oclmm_spirv_operation *o = &f->operations[k];
			size_t at = o->word + scope_at(o->opcode);

			/* the kernel has atomics of its own, which are no test's */
			if (i == 3 && strcmp(o->name, "OpControlBarrier") != 0)
				continue;
			operations++;
			patch(at, o->scope, (uint32_t)SCOPE, &tried);
			patch(at + 1, o->semantics, ORDER, &tried);
			if (o->unequal != OCLMM_SPIRV_UNKNOWN)
				patch(at + 2, o->unequal, ORDER, &tried);
		}
	}
	assert_int_equal(operations, 6);
	assert_true(tried > 50);
	oclmm_spirv_destroy(module);
	the_module_is_the_test(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_module_is_the_test),
		cmocka_unit_test(each_operand_counts),
	};
	struct oclmm_error error = {0};
	struct oclmm_text found = {0};
	char *names, *rest, *name;
	int failed = 0;

	producer_list(&found);
	if (!found.length) {
		oclmm_text_finish(&found);
		return 77;
	}
	rest = names = oclmm_text_steal(&found);
	while ((name = strsep(&rest, " "))) {
		if (!*name || producer_find(name, &error, &bed.producer) < 0)
			continue;
		failed |= cmocka_run_group_tests_name(name, tests, translate, forget);
		producer_destroy(bed.producer);
	}
	free(names);
	return failed;
}
