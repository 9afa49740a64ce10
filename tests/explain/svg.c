// SPDX-License-Identifier: Apache-2.0
/* The picture for reports: an element that can stand in a page, or nothing at all. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oclmm/explain.h"
#include "oclmm/syntax.h"

static const char source[] =
	"OPENCL case\n{\n[x] = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	"  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	"}\n"
	"exists (1:r0=1 /\\ 1:r1=0)\n";

static struct oclmm_litmus *litmus;

static int parse(void **state)
{
	struct oclmm_error error;

	(void)state;
	return oclmm_litmus_parse("case.litmus", source, sizeof(source) - 1, NULL, &error, &litmus);
}

static int drop(void **state)
{
	(void)state;
	oclmm_litmus_destroy(litmus);
	return 0;
}

/* Draws behind a word that has to stay. \return what the function returned. */
static int draw(const char *outcome, enum oclmm_model model, struct oclmm_text *text)
{
	struct oclmm_error error = {0};
	int result;

	oclmm_text_init(text);
	oclmm_text_add(text, "before ");
	result = oclmm_explain_svg(litmus->variants[0].program, outcome, model, &error, text);
	assert_memory_equal(text->data, "before ", 7);
	if (result < 0) {
		assert_int_equal(text->length, 7);
		assert_true(error.message[0] != '\0');
	}
	return result;
}

static void check_picture(const char *outcome, enum oclmm_model model)
{
	struct oclmm_text text;
	int result = draw(outcome, model, &text);

	/* built without Graphviz */
	if (result == -ENOTSUP) {
		oclmm_text_finish(&text);
		skip();
	}
	assert_int_equal(result, 0);
	assert_memory_equal(text.data + 7, "<svg", 4);
	assert_non_null(strstr(text.data, "</svg>"));
	assert_null(strstr(text.data, "<!DOCTYPE"));
	assert_null(strstr(text.data, "<?xml "));
	assert_non_null(strstr(text.data, "a: W x=1 rlx dev"));
	oclmm_text_finish(&text);
}

static void test_forbidden(void **state)
{
	(void)state;
	check_picture(NULL, OCLMM_MODEL_CONSENSUS);
}

static void test_outcome(void **state)
{
	(void)state;
	check_picture("1:r0=0 /\\ 1:r1=1", OCLMM_MODEL_OPENCL_3_1);
}

static void test_refused(void **state)
{
	struct oclmm_text text;

	(void)state;
	assert_int_equal(draw("1:r7=0", OCLMM_MODEL_CONSENSUS, &text), -EINVAL);
	oclmm_text_finish(&text);
}

/* An outcome that nothing ends in has no execution. */
static void test_unreached(void **state)
{
	struct oclmm_text text;

	(void)state;
	assert_int_equal(draw("1:r0=5", OCLMM_MODEL_CONSENSUS, &text), -ENOENT);
	oclmm_text_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_outcome),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_unreached),
	};

	return cmocka_run_group_tests(tests, parse, drop);
}
