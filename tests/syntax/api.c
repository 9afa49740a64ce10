// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclmm/syntax.h"

static struct oclmm_litmus *parse(const char *text)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;

	if (oclmm_litmus_parse("t.litmus", text, strlen(text), NULL, &error, &litmus))
		fail_msg("%u:%u: %s", error.position.line, error.position.column, error.message);
	return litmus;
}

static const char mp[] =
	"OPENCL MP\n"
	"\"Is it seen?\"\n"
	"(* Result: Sometimes *)\n"
	"vary order: memory_order_release, memory_order_acquire => memory_order_relaxed, "
	"memory_order_relaxed\n"
	"vary place: wg 1 => wg 0\n"
	"except order=rlx place=wg0 \"of no interest\"\n"
	"control order=rlx\n"
	"{ [x] = 7; a[2] = {1, 2}; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global int *a) {\n"
	"  a[1] = 3;\n"
	"  atomic_store_explicit(x, 1, memory_order_release);\n"
	"}\n"
	"P2@wg 1, dev 0 (global atomic_int *x, global int *a) {\n"
	"  int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_work_group);\n"
	"  int e = 0;\n"
	"  int r1 = atomic_compare_exchange_strong(x, &e, 2);\n"
	"}\n"
	"exists (2:r0=1 /\\ a[1]=3)\n";

static void test_litmus(void **state)
{
	struct oclmm_litmus *litmus = parse(mp);

	(void)state;
	assert_string_equal(litmus->name, "MP");
	assert_string_equal(litmus->path, "t.litmus");
	assert_string_equal(litmus->text, mp);
	assert_string_equal(litmus->question, "Is it seen?");
	assert_int_equal(litmus->stated, OCLMM_STATED_SOMETIMES);
	assert_int_equal(litmus->stated_position.line, 3);
	assert_int_equal(litmus->stated_position.column, 12);
	assert_null(litmus->comment);
	assert_int_equal(litmus->variant_count, 3);
	oclmm_litmus_destroy(litmus);
}

static void test_variants(void **state)
{
	struct oclmm_litmus *litmus = parse(mp);
	const struct oclmm_variant *weak = oclmm_litmus_find(litmus, "MP.order=rlx");
	const struct oclmm_variant *near = oclmm_litmus_find(litmus, "MP.place=wg0");

	(void)state;
	assert_ptr_equal(oclmm_litmus_find(litmus, "MP"), &litmus->variants[0]);
	assert_null(oclmm_litmus_find(litmus, "MP.order=rlx.place=wg0"));
	assert_non_null(weak);
	assert_non_null(near);
	assert_string_equal(litmus->variants[0].control, "MP.order=rlx");
	assert_null(weak->control);
	/* its control was removed by the exception */
	assert_null(near->control);
	assert_int_equal(weak->setting_count, 2);
	assert_string_equal(weak->settings[0].axis, "order");
	assert_string_equal(weak->settings[0].value, "rlx");
	assert_string_equal(weak->settings[1].value, "base");
	assert_string_equal(weak->program->name, weak->name);
	assert_int_not_equal(weak->program->hash, litmus->variants[0].program->hash);
	oclmm_litmus_destroy(litmus);
}

static void test_program(void **state)
{
	struct oclmm_litmus *litmus = parse(mp);
	const struct oclmm_program *program = litmus->variants[0].program;
	const struct oclmm_statement *statement = program->threads[1].body;
	const struct oclmm_atomic *atomic;

	(void)state;
	assert_int_equal(program->thread_count, 2);
	assert_int_equal(program->threads[1].id, 2);
	assert_int_equal(program->threads[1].placement.work_group, 1);
	assert_int_equal(program->location_count, 2);
	assert_int_equal(program->cell_count, 3);
	assert_int_equal(program->locations[0].initial[0], 7);
	assert_int_equal(program->locations[1].first_cell, 1);
	assert_true(program->locations[1].is_array);
	assert_false(program->locations[1].atomic);
	assert_int_equal(program->observable_count, 2);
	assert_string_equal(program->observables[0].name, "2:r0");
	assert_string_equal(program->observables[1].name, "a[1]");
	/* int r0 = load */
	assert_int_equal(statement->kind, OCLMM_STATEMENT_ASSIGN);
	assert_int_equal(statement->position.line, 14);
	assert_int_equal(statement->position.column, 3);
	atomic = statement->assign.value->atomic;
	assert_int_equal(atomic->op, OCLMM_OP_LOAD);
	assert_int_equal(atomic->order, OCLMM_ORDER_ACQUIRE);
	assert_int_equal(atomic->scope, OCLMM_SCOPE_WORK_GROUP);
	assert_true(atomic->order_written && atomic->scope_written);
	/* int r1 = CAS by default: seq_cst twice, device scope */
	atomic = statement->next->next->assign.value->atomic;
	assert_int_equal(atomic->op, OCLMM_OP_CAS_STRONG);
	assert_int_equal(atomic->order, OCLMM_ORDER_SEQ_CST);
	assert_int_equal(atomic->failure, OCLMM_ORDER_SEQ_CST);
	assert_int_equal(atomic->scope, OCLMM_SCOPE_DEVICE);
	assert_false(atomic->order_written || atomic->scope_written);
	assert_int_equal(atomic->comparand.kind, OCLMM_COMPARAND_REGISTER);
	assert_int_equal(atomic->comparand.reg, 1);
	oclmm_litmus_destroy(litmus);
}

/* A variant's statement counts where it replaces, not where the vary line is. */
static void test_replaced_position(void **state)
{
	struct oclmm_litmus *litmus = parse("OPENCL T\n"
	                                    "vary store: *x = 1 => \"atomic\" atomic_store(x, 1)\n"
	                                    "{ [x] = 0; }\n"
	                                    "P0 (global int *x) {\n"
	                                    "  *x = 1;\n"
	                                    "}\n"
	                                    "exists (x=1)\n");
	const struct oclmm_program *program = litmus->variants[1].program;

	(void)state;
	assert_string_equal(program->name, "T.store=atomic");
	assert_int_equal(program->threads[0].body->kind, OCLMM_STATEMENT_EVALUATE);
	assert_int_equal(program->threads[0].body->position.line, 5);
	assert_true(program->locations[0].atomic);
	oclmm_litmus_destroy(litmus);
}

static void test_defaults(void **state)
{
	struct oclmm_litmus *litmus = parse(
		"OPENCL T\n"
		"{ svm [s] = 0; }\n"
		"P0@wg 0 (atomic_int *x, local int *l) {\n"
		"  atomic_store(x, 1); barrier(0); sub_group_barrier(0);\n"
		"}\n"
		"P1 (volatile atomic_int *x) { int r0; }\n"
		"P2@host (global atomic_int *s) { atomic_store(s, 1); }\n");
	const struct oclmm_program *program = litmus->variants[0].program;
	const struct oclmm_statement *first = program->threads[0].body;

	(void)state;
	assert_true(program->threads[0].parameters[0].generic);
	assert_true(program->threads[1].parameters[0].is_volatile);
	assert_int_equal(program->threads[1].placement.work_group, 1);
	assert_true(program->threads[2].placement.host);
	assert_int_equal(first->effect->atomic->scope, OCLMM_SCOPE_DEVICE);
	assert_int_equal(first->next->barrier.scope, OCLMM_SCOPE_WORK_GROUP);
	assert_int_equal(first->next->next->barrier.scope, OCLMM_SCOPE_SUB_GROUP);
	assert_true(first->next->next->barrier.sub_group);
	assert_int_equal(program->threads[2].body->effect->atomic->scope,
	                 OCLMM_SCOPE_ALL_SVM_DEVICES);
	assert_int_equal(program->locations[0].storage, OCLMM_STORAGE_SVM_ATOMICS);
	assert_int_equal(program->locations[1].storage, OCLMM_STORAGE_BUFFER);
	assert_int_equal(program->locations[2].storage, OCLMM_STORAGE_LOCAL);
	/* nothing is asked, so everything is observed */
	assert_int_equal(program->condition->kind, OCLMM_CONDITION_TRUE);
	assert_int_equal(program->observable_count, 4);
	oclmm_litmus_destroy(litmus);
}

/* The model compares them: different labels are different barriers. */
static void test_labels(void **state)
{
	struct oclmm_litmus *litmus = parse("OPENCL T\n"
	                                    "{ [x] = 0; }\n"
	                                    "P0@wg 0, dev 0 (global int *x) { B1: barrier(0); }\n"
	                                    "P1@wg 0, dev 0 (global int *x) { B2: barrier(0); }\n"
	                                    "P2@wg 0, dev 0 (global int *x) { barrier(0); }\n"
	                                    "exists (x=0)\n");
	const struct oclmm_program *program = litmus->variants[0].program;

	(void)state;
	assert_string_equal(program->threads[0].body->barrier.label, "B1");
	assert_string_equal(program->threads[1].body->barrier.label, "B2");
	assert_null(program->threads[2].body->barrier.label);
	oclmm_litmus_destroy(litmus);
}

/* Only the work-group that uses a local object keeps it among its parameters. */
static void test_local_only_listed(void **state)
{
	struct oclmm_litmus *litmus = parse(
		"OPENCL T\n"
		"{ [l] = 3; }\n"
		"P0@wg 0, dev 0 (local int *l, global int *x) { }\n"
		"P1@wg 1, dev 0 (local int *l, global int *x) { *l = 1; }\n"
		"P2@wg 1, dev 0 (global int *x, local int *l) { }\n"
		"P3@wg 1, dev 1 (local int *l) { }\n"
		"exists (l=1)\n");
	const struct oclmm_program *program = litmus->variants[0].program;

	(void)state;
	assert_int_equal(program->threads[0].parameter_count, 1);
	assert_string_equal(program->locations[program->threads[0].parameters[0].location].name,
	                    "x");
	assert_int_equal(program->threads[1].parameter_count, 2);
	assert_int_equal(program->threads[2].parameter_count, 2);
	assert_int_equal(program->threads[3].parameter_count, 0);
	oclmm_litmus_destroy(litmus);
}

static void test_names(void **state)
{
	static const struct {
		const char *first_line, *name;
	} cases[] = {
		{"OPENCL S[rlx|rel]\n", "S_rlx_rel_"},
		{"OPENCL 2+2W_[..](a,b){", "2+2W__..__a_b_"},
		{"C MP+rel.acq=x-y \n", "MP+rel.acq=x-y"},
		{"OPENCL ../x\n", "_._x"},
		{"OPENCL -rf\n", "_rf"},
		{"OPENCL \xc3\xa9\xe2\x86\x92x\n", "__x"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < OCLMM_COUNT(cases); i++) {
		char text[200];
		struct oclmm_litmus *litmus;

		snprintf(text, sizeof(text), "%s%s [x] = 0; }\nP0 (global int *x) { *x = 1; }\n",
		         cases[i].first_line, strchr(cases[i].first_line, '{') ? "" : "{");
		litmus = parse(text);
		assert_string_equal(litmus->name, cases[i].name);
		assert_string_equal(litmus->variants[0].name, cases[i].name);
		oclmm_litmus_destroy(litmus);
	}
}

/* More registers than the first room for them, and all that there may be. */
static void test_many_registers(void **state)
{
	struct oclmm_text text = {0};
	struct oclmm_litmus *litmus;
	const struct oclmm_thread *thread;
	uint32_t i;

	(void)state;
	oclmm_text_add(&text, "OPENCL T\n{ [x] = 0; }\nP0 (global int *x) {\n");
	for (i = 0; i < 64; i++)
		oclmm_text_printf(&text, "int r%u = %u;\n", i, i);
	oclmm_text_add(&text, "}\nexists (0:r63=63)\n");
	litmus = parse(oclmm_text_string(&text));
	thread = &litmus->variants[0].program->threads[0];
	assert_int_equal(thread->register_count, 64);
	for (i = 0; i < 64; i++) {
		char name[8];

		snprintf(name, sizeof(name), "r%u", i);
		assert_string_equal(thread->registers[i].name, name);
	}
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

static void test_legacy(void **state)
{
	struct oclmm_litmus *litmus = parse("OPENCL T\n"
	                                    "{ [x] = 0; }\n"
	                                    "P0 (volatile global int *x) {\n"
	                                    "  int r0 = atomic_cmpxchg(x, 3, 4);\n"
	                                    "  atomic_dec(x);\n"
	                                    "}\n"
	                                    "exists (x=1)\n");
	const struct oclmm_statement *first = litmus->variants[0].program->threads[0].body;
	const struct oclmm_atomic *atomic = first->assign.value->atomic;

	(void)state;
	assert_true(atomic->legacy);
	assert_int_equal(atomic->op, OCLMM_OP_CAS_STRONG);
	assert_int_equal(atomic->comparand.kind, OCLMM_COMPARAND_VALUE);
	assert_int_equal(atomic->comparand.value->constant, 3);
	assert_int_equal(atomic->operand->constant, 4);
	assert_int_equal(atomic->order, OCLMM_ORDER_RELAXED);
	assert_int_equal(atomic->scope, OCLMM_SCOPE_WORK_GROUP);
	atomic = first->next->effect->atomic;
	assert_int_equal(atomic->op, OCLMM_OP_FETCH_SUB);
	assert_int_equal(atomic->operand->constant, 1);
	oclmm_litmus_destroy(litmus);
}

static void test_loops(void **state)
{
	struct oclmm_litmus *litmus = parse("OPENCL T\n"
	                                    "unroll 5\n"
	                                    "{ [x] = 0; }\n"
	                                    "P0 (global atomic_int *x) {\n"
	                                    "  int i = 0;\n"
	                                    "  while (i < 3) i = i + 1;\n"
	                                    "  while (atomic_load(x) == 0) ;\n"
	                                    "}\n"
	                                    "exists (x=1)\n");
	const struct oclmm_statement *known = litmus->variants[0].program->threads[0].body->next;

	(void)state;
	assert_int_equal(known->loop.unroll, 3);
	assert_int_equal(known->next->loop.unroll, 5);
	oclmm_litmus_destroy(litmus);
}

/* The hash names what a test means: not its name, its comments or its spaces. */
static void test_hash(void **state)
{
	struct oclmm_litmus *a = parse(
		"OPENCL A\n{ [x] = 0; }\nP0 (global int *x) { *x = 1; }\nexists (x=1)\n");
	struct oclmm_litmus *b = parse(
		"OPENCL B\n(* other *)\n{ x = 0; }\n"
		"P0@wg 0, dev 0 (global int * x) { // no\n { ; *x = (1); } }\nexists [x] = 1\n");
	struct oclmm_litmus *c = parse(
		"OPENCL A\n{ [x] = 0; }\nP0 (global int *x) { *x = 1; }\nexists (x=2)\n");

	(void)state;
	assert_int_equal(a->variants[0].program->hash, b->variants[0].program->hash);
	assert_int_not_equal(a->variants[0].program->hash, c->variants[0].program->hash);
	oclmm_litmus_destroy(a);
	oclmm_litmus_destroy(b);
	oclmm_litmus_destroy(c);
}

static void test_failures(void **state)
{
	struct oclmm_litmus *untouched = (struct oclmm_litmus *)&mp;
	struct oclmm_litmus *litmus = untouched;
	struct oclmm_error error;
	size_t size = (1 << 20) + 1;
	char *large;

	(void)state;
	assert_int_equal(oclmm_litmus_read("/nonexistent/t.litmus", NULL, &error, &litmus),
	                 -ENOENT);
	assert_non_null(strstr(error.message, "/nonexistent/t.litmus"));
	assert_int_equal(oclmm_litmus_parse("t", "OPENCL", 6, NULL, &error, &litmus), -EINVAL);
	assert_string_equal(error.file, "t");
	/* a NUL is no text, wherever the caller's string ends */
	assert_int_equal(oclmm_litmus_parse("t", "OPENCL T\n\0{}", 12, NULL, &error, &litmus),
	                 -EINVAL);
	assert_int_equal(error.position.line, 2);
	large = oclmm_malloc(size);
	memset(large, ' ', size);
	assert_int_equal(oclmm_litmus_parse("t", large, size, NULL, &error, &litmus), -EINVAL);
	assert_non_null(strstr(error.message, "larger"));
	free(large);
	assert_ptr_equal(litmus, untouched);
	oclmm_litmus_destroy(NULL);
}

/* More words than a test may have, and brackets without end: no crash, no wait. */
static void test_large(void **state)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	unsigned i;

	(void)state;
	oclmm_text_add(&text, "OPENCL T\n{ [x] = 0; }\nP0 (global int *x) {\n");
	for (i = 0; i < 5000; i++)
		oclmm_text_add(&text, "*x = 1;\n");
	oclmm_text_add(&text, "}\nexists (x=1)\n");
	assert_int_equal(oclmm_litmus_parse("t", text.data, text.length, NULL, &error, &litmus),
	                 -EINVAL);
	assert_non_null(strstr(error.message, "longer than 16384 words"));
	oclmm_text_finish(&text);
	oclmm_text_add(&text, "OPENCL T\n{ [x] = 0; }\nP0 (global int *x) {\n");
	for (i = 0; i < 16000; i++)
		oclmm_text_add(&text, "(");
	assert_int_equal(oclmm_litmus_parse("t", text.data, text.length, NULL, &error, &litmus),
	                 -EINVAL);
	assert_non_null(strstr(error.message, "nested"));
	oclmm_text_finish(&text);
	oclmm_text_add(&text, "OPENCL T\n{ [x] = 0; }\nP0 (global int *x) { int r0 = 1");
	for (i = 0; i < 8000; i++)
		oclmm_text_add(&text, "+1");
	oclmm_text_add(&text, "; }\n");
	assert_int_equal(oclmm_litmus_parse("t", text.data, text.length, NULL, &error, &litmus),
	                 -EINVAL);
	assert_non_null(strstr(error.message, "nested"));
	oclmm_text_finish(&text);
}

static void test_stated(void **state)
{
	(void)state;
	assert_null(oclmm_stated_word(OCLMM_STATED_NOTHING));
	assert_string_equal(oclmm_stated_word(OCLMM_STATED_NEVER), "Never");
	assert_string_equal(oclmm_stated_word(OCLMM_STATED_DISPUTED), "Disputed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_litmus),   cmocka_unit_test(test_variants),
		cmocka_unit_test(test_program),  cmocka_unit_test(test_replaced_position),
		cmocka_unit_test(test_defaults), cmocka_unit_test(test_legacy),
		cmocka_unit_test(test_labels),   cmocka_unit_test(test_local_only_listed),
		cmocka_unit_test(test_names),    cmocka_unit_test(test_many_registers),
		cmocka_unit_test(test_loops),    cmocka_unit_test(test_hash),
		cmocka_unit_test(test_failures), cmocka_unit_test(test_large),
		cmocka_unit_test(test_stated),
	};

	return cmocka_run_group_tests_name("syntax api", tests, NULL, NULL);
}
