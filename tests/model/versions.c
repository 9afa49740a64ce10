// SPDX-License-Identifier: Apache-2.0
/* Models by version: their names, and verdicts that are those of their own readings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oclmm/model.h"
#include "oclmm/syntax.h"

#define V20 OCLMM_MODEL_OPENCL_2_0
#define V21 OCLMM_MODEL_OPENCL_2_1
#define V31 OCLMM_MODEL_OPENCL_3_1

static void names(void **state)
{
	enum oclmm_model model;

	(void)state;
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		assert_true(oclmm_model_parse(oclmm_model_name((enum oclmm_model)m), &model));
		assert_int_equal(model, m);
	}
	assert_true(oclmm_model_parse("opencl-3.0", &model));
	assert_int_equal(model, V21);
	assert_true(oclmm_model_parse("opencl-2.2", &model));
	assert_int_equal(model, V21);
	assert_false(oclmm_model_parse("opencl-1.2", &model));
	assert_false(oclmm_model_parse("", &model));
}

static void versions(void **state)
{
	(void)state;
	assert_int_equal(oclmm_model_of_device("OpenCL 2.0 AMD-APP (3581.0)"), V20);
	assert_int_equal(oclmm_model_of_device("OpenCL 2.1 "), V21);
	assert_int_equal(oclmm_model_of_device("OpenCL 2.2"), V21);
	assert_int_equal(oclmm_model_of_device("OpenCL 3.0 CUDA"), V21);
	assert_int_equal(oclmm_model_of_device("OpenCL 3.1 PoCL"), V31);
	assert_int_equal(oclmm_model_of_device("OpenCL 4.0"), V31);
	assert_int_equal(oclmm_model_of_device("OpenCL 1.2 x"), OCLMM_MODEL_CONSENSUS);
	assert_int_equal(oclmm_model_of_device("3.1"), OCLMM_MODEL_CONSENSUS);
	assert_int_equal(oclmm_model_of_device(NULL), OCLMM_MODEL_CONSENSUS);
}

static void covered(void **state)
{
	const struct oclmm_reading old = {.regime = OCLMM_MODEL_OPENCL_2_0},
				   other = {.regime = OCLMM_MODEL_OPENCL_2_1,
	                                    .alternatives = 1u << OCLMM_KNOB_K8},
				   scoped = {.regime = OCLMM_MODEL_SCOPED};

	(void)state;
	assert_true(oclmm_model_covers(OCLMM_MODEL_OPENCL_2_0, &old));
	assert_false(oclmm_model_covers(OCLMM_MODEL_OPENCL_2_0, &other));
	assert_true(oclmm_model_covers(OCLMM_MODEL_OPENCL_2_1, &other));
	assert_true(oclmm_model_covers(OCLMM_MODEL_CONSENSUS, &old));
	assert_true(oclmm_model_covers(OCLMM_MODEL_CONSENSUS, &other));
	assert_false(oclmm_model_covers(OCLMM_MODEL_CONSENSUS, &scoped));
}

/* SB between two work-items of one group, both of its threads with the same two lines. */
static struct oclmm_answer *check_sb(const char *write, const char *between, const char *read,
                                     unsigned models, struct oclmm_litmus **ret_litmus)
{
	static const char *const objects[][2] = {{"x", "y"}, {"y", "x"}};
	const struct oclmm_check_options options = {.models = models};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "OPENCL SB\n{ [x] = 0; [y] = 0; }\n");
	for (unsigned t = 0; t < 2; t++)
		oclmm_text_printf(&text,
		                  "P%u@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
		                  "atomic_store_explicit(%s, 1, %s);\n%s\n"
		                  "int r0 = atomic_load_explicit(%s, %s);\n}\n",
		                  t, objects[t][0], write, between, objects[t][1], read);
	oclmm_text_add(&text, "exists (0:r0=0 /\\ 1:r0=0)\n");
	if (oclmm_litmus_parse("SB", text.data, text.length, NULL, &error, ret_litmus) < 0 ||
	    oclmm_check((*ret_litmus)->variants[0].program, &options, &error, &answer) < 0)
		fail_msg("%s", error.message);
	oclmm_text_finish(&text);
	return answer;
}

#define SC_WG  "memory_order_seq_cst, memory_scope_work_group"
#define RLX    "memory_order_relaxed, memory_scope_device"
#define SC_ALL "memory_order_seq_cst, memory_scope_all_svm_devices"
#define REL_WG "memory_order_release, memory_scope_work_group"

static void check_status(const struct oclmm_answer *answer, enum oclmm_status v20,
                         enum oclmm_status v21, enum oclmm_status v31, enum oclmm_status all)
{
	static const int64_t weak[] = {0, 0};

	assert_int_equal(oclmm_answer_status(answer, V20, weak), v20);
	assert_int_equal(oclmm_answer_status(answer, V21, weak), v21);
	assert_int_equal(oclmm_answer_status(answer, V31, weak), v31);
	assert_int_equal(oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, weak), all);
}

#define F OCLMM_STATUS_FORBIDDEN
#define A OCLMM_STATUS_ALLOWED
#define D OCLMM_STATUS_DISPUTED
#define U OCLMM_STATUS_UNDEFINED

enum { EVERY = (1u << OCLMM_MODEL_COUNT) - 1 };

static void regime_decides(void **state)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = check_sb(SC_WG, "", SC_WG, EVERY, &litmus);

	(void)state;
	/* 2.0 asks for no order at scope work_group, later texts do */
	check_status(answer, A, F, F, D);
	assert_int_equal(answer->states[0].deciding[V20], 0);
	assert_int_equal(answer->states[0].deciding[OCLMM_MODEL_CONSENSUS], 1u << OCLMM_KNOB_K1);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

static void knob_of_one_version(void **state)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer =
		check_sb(RLX, "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, " SC_ALL ");", RLX,
	                 EVERY, &litmus);

	(void)state;
	/* K10 is about 2.0 only: disputed there, forbidden on a later device */
	check_status(answer, D, F, F, D);
	assert_int_equal(answer->states[0].deciding[V20], 1u << OCLMM_KNOB_K10);
	assert_int_equal(answer->states[0].deciding[V21], 0);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

static void undefined_by_version(void **state)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer =
		check_sb(REL_WG, "", "memory_order_acquire, memory_scope_device", EVERY, &litmus);

	(void)state;
	/* unequal scopes race up to 3.0 and include each other from 3.1 */
	check_status(answer, U, U, A, U);
	assert_true(answer->undefined[V21]);
	assert_false(answer->undefined[V31]);
	assert_int_equal(answer->witness[OCLMM_MODEL_CONSENSUS].regime, V20);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

/* A version alone needs no more readings than its own, and says the same. */
static void one_version_alone(void **state)
{
	static const int64_t weak[] = {0, 0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer = check_sb(SC_WG, "", SC_WG, 1u << V21, &litmus);

	(void)state;
	assert_int_equal(oclmm_answer_status(answer, V21, weak), F);
	for (uint32_t i = 0; i < answer->reading_count; i++)
		assert_int_equal(answer->readings[i].regime, V21);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(versions),
		cmocka_unit_test(covered),
		cmocka_unit_test(regime_decides),
		cmocka_unit_test(knob_of_one_version),
		cmocka_unit_test(undefined_by_version),
		cmocka_unit_test(one_version_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
