// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

const char golden[] =
	"# Allowed sets of relaxed/SB.litmus, written by \"oclmm check --write\"\n"
	"\n"
	"variant 0123456789abcdef SB\n"
	"condition exists (0:r0=0 /\\ 1:r0=0)\n"
	"observation Sometimes\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"allowed *> 0:r0=0; 1:r0=0;\n"
	"allowed :> 0:r0=0; 1:r0=1;\n"
	"allowed :> 0:r0=1; 1:r0=0;\n"
	"allowed :> 0:r0=1; 1:r0=1;\n"
	"\n"
	"variant 0123456789abcdef SB.order=sc\n"
	"variant 0123456789abcdef SB.order=sc.place=wg00\n"
	"condition ~exists (0:r0=0 /\\ 1:r0=0)\n"
	"observation Never\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"allowed :> 0:r0=0; 1:r0=1;\n"
	"allowed :> 0:r0=1; 1:r0=0;\n"
	"allowed :> 0:r0=1; 1:r0=1;\n"
	"\n"
	"variant 0123456789abcdef SB+disputed\n"
	"condition exists (0:r0=0 /\\ 1:r0=0)\n"
	"observation Disputed\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"disputed *> 0:r0=0; 1:r0=0; # K1 K8\n"
	"allowed :> 0:r0=0; 1:r0=1;\n"
	"allowed :> 0:r0=1; 1:r0=0;\n"
	"allowed :> 0:r0=1; 1:r0=1;\n"
	"\n"
	"variant 0123456789abcdef SB+racy\n"
	"condition forall (0:r0=0 /\\ 1:r0=0)\n"
	"observation Undefined\n"
	"values 0:r0={0,1}; 1:r0={0,1};\n"
	"undefined data race in opencl-2.1: P0 line 12 `W x=1 na` and P1 line 17 `R x na`: nothing "
	"orders the two\n"
	"\n";

void add(struct oclmm_expected_file *file, struct sb *sb, const char *name,
         enum oclmm_quantifier quantifier, enum oclmm_status weak, bool racy)
{
	sb_init(sb, name, quantifier, (const enum oclmm_status[]){weak, A, A, A});
	if (racy)
		sb_make_racy(sb);
	assert_int_equal(oclmm_expected_add(file, &sb->answer, OCLMM_MODEL_CONSENSUS), 0);
}

struct oclmm_expected_file *make_file(void)
{
	struct oclmm_expected_file *file = oclmm_expected_create("relaxed/SB.litmus");
	struct sb sb;

	add(file, &sb, "SB", OCLMM_QUANTIFIER_EXISTS, A, false);
	add(file, &sb, "SB.order=sc", OCLMM_QUANTIFIER_NOT_EXISTS, F, false);
	add(file, &sb, "SB+disputed", OCLMM_QUANTIFIER_EXISTS, D, false);
	add(file, &sb, "SB.order=sc.place=wg00", OCLMM_QUANTIFIER_NOT_EXISTS, F, false);
	add(file, &sb, "SB+racy", OCLMM_QUANTIFIER_FORALL, A, true);
	return file;
}

char *print(const struct oclmm_expected_file *file)
{
	struct oclmm_text text = {0};

	oclmm_expected_print(&text, file);
	return oclmm_text_steal(&text);
}
