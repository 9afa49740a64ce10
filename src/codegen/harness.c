// SPDX-License-Identifier: Apache-2.0
/* The part of every generated text that does not depend on the program. */
#include "internal.h"

static const char slot_function[] =
	"/* Where an instance's object stands: an odd multiplier makes this a permutation under the mask. */\n"
	"static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)\n"
	"{\n"
	"\treturn where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * where.stride;\n"
	"}\n"
	"\n";

void oclmm_write_harness(struct oclmm_writer *writer)
{
	struct oclmm_text *text = writer->text;

	oclmm_text_add(text, "typedef struct {\n\tuint base, stride, multiplier, addend;\n} oclmm_layout;\n\n");
	oclmm_text_add(text, "typedef struct {\n");
#define OCLMM_X(name, meaning) oclmm_text_add(text, "\tuint " #name "; /* " meaning " */\n");
	OCLMM_PARAMETERS(OCLMM_X)
#undef OCLMM_X
	oclmm_text_printf(text, "\tuint group_shift[%d];\n\tuint lane_shift[%d];\n"
	                  "\toclmm_layout location[%d];\n} oclmm_parameters;\n\n",
	                  OCLMM_KERNEL_ROLES, OCLMM_KERNEL_ROLES, OCLMM_KERNEL_LOCATIONS);
	oclmm_text_add(text, slot_function);
}
