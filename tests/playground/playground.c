// SPDX-License-Identifier: Apache-2.0
/* The playground's functions as the page calls them, without a browser. */
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/api.h"

static const char SB[] = "OPENCL SB\n"
			 "{ [x] = 0; [y] = 0; }\n"
			 "P0 (global atomic_int *x, global atomic_int *y) {\n"
			 "  atomic_store(x, 1);\n"
			 "  int r0 = atomic_load(y);\n"
			 "}\n"
			 "P1 (global atomic_int *x, global atomic_int *y) {\n"
			 "  atomic_store(y, 1);\n"
			 "  int r0 = atomic_load(x);\n"
			 "}\n"
			 "exists (0:r0=0 /\\ 1:r0=0)\n";

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in %s", part, text);
}

/* Whatever a text has, the answer is JSON: what would end a string is escaped. */
TEST(test_strings)
{
	const char *said = oclmm_api_check("OPENCL a\n"
	                                   "(* line\na\ttab \\ \" *)\n"
	                                   "{ [x] = 0; }\n"
	                                   "P0 (global atomic_int *x) { atomic_store(x, 1); }\n"
	                                   "exists ([x]=1)\n",
	                                   0);

	assert_has(said, "\"question\":null,");
	assert_has(said, "line\\na\\ttab \\\\ \\\"");
	assert_has(said, "\"variants\":[\"a\"],");
	assert_has(said, "\"may_be_cut\":false,");
}

TEST(test_check)
{
	const char *said = oclmm_api_check(SB, 0);

	assert_has(said, "\"name\":\"SB\"");
	assert_has(said, "\"condition\":\"exists (0:r0=0 /\\\\ 1:r0=0)\"");
	assert_has(said, "\"consensus\":{\"observation\":\"Never\"");
	assert_has(said,
	           "\"values\":[0,0],\"outcome\":\"0:r0=0; 1:r0=0;\",\"status\":\"forbidden\","
	           "\"condition\":true}");
	assert_has(said, "\"models\":{\"opencl-2.0\":\"OpenCL 2.0: ");
}

TEST(test_explain)
{
	const char *said = oclmm_api_explain(SB, 0, "");

	assert_has(said, "\"svg\":\"\\u003csvg");
	assert_has(said, "\"changes\":[");
	/* the outcome of another question */
	assert_has(oclmm_api_explain(SB, 0, "0:r0=1 /\\ 1:r0=1"), "\"status\":\"allowed\"");
	assert_has(oclmm_api_explain(SB, 0, "0:r7=1"), "\"error\":{\"text\":");
}

TEST(test_kernel_and_expected)
{
	assert_has(oclmm_api_kernel(SB, 0), "{\"kernel\":\"");
	assert_has(oclmm_api_expected(SB, "some/SB.litmus"), "# Allowed sets of some/SB.litmus");
}

/* What is refused leaves no half of an answer behind, and the next one is whole. */
TEST(test_refusals)
{
	const char *said = oclmm_api_check("OPENCL x\n{ [x] = 0; }\n"
	                                   "P0 (global atomic_int *x) { atomic_stroe(x, 1); }\n"
	                                   "exists ([x]=1)\n",
	                                   0);

	assert_memory_equal(said, "{\"error\":{", 10);
	assert_has(said, "\"line\":3");
	assert_has(said, "^");
	assert_has(oclmm_api_check("", 0), "\"error\"");
	assert_has(oclmm_api_check(SB, 1), "the file has 1 variants");
	assert_has(oclmm_api_check(SB, 0), "\"states\":[");
}
