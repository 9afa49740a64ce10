// SPDX-License-Identifier: Apache-2.0
/* The part of every generated text that does not depend on the program. */
#include "internal.h"

static const char slot_function[] =
	"/* Where an instance's object stands: an odd multiplier makes this a permutation under "
	"the mask. */\n"
	"static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)\n"
	"{\n"
	"\treturn where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * "
	"where.stride;\n"
	"}\n"
	"\n";

/*
 * mul_hi(x, inverse) lies less than one below x / n, so that one subtraction
 * puts the rest right. `inverse` is (2^32 - 1) / n, and this holds for n = 1 too.
 */
static const char any_count_functions[] =
	"/* x mod n without a division; the inverse of n is (2^32 - 1) / n. */\n"
	"static uint oclmm_modulo(uint x, uint n, uint inverse)\n"
	"{\n"
	"\tconst uint rest = x - mul_hi(x, inverse) * n;\n"
	"\n"
	"\treturn rest < n ? rest : rest - n;\n"
	"}\n"
	"\n"
	"/* x mod n where x < 2 n. */\n"
	"static uint oclmm_turn(uint x, uint n)\n"
	"{\n"
	"\treturn x < n ? x : x - n;\n"
	"}\n"
	"\n"
	"/* Where an instance's object stands: a multiplier without a divisor in common with the "
	"number of\n"
	" * instances makes this a permutation, and one that is small enough keeps it below 2^32. "
	"*/\n"
	"static uint oclmm_slot(oclmm_layout where, uint instance, uint instances, uint inverse)\n"
	"{\n"
	"\treturn where.base + oclmm_modulo(instance * where.multiplier + where.addend, instances, "
	"inverse) *\n"
	"\t                    where.stride;\n"
	"}\n"
	"\n";

static const char stress_function[] =
	"/* Memory traffic beside the test, on lines that no instance uses. Nothing stored is 0. "
	"*/\n"
	"static void oclmm_stress(volatile global uint *line, uint operations, uint pattern)\n"
	"{\n"
	"\tuint seen = 0u;\n"
	"\n"
	"\tfor (uint n = 0u; n < operations; n++) {\n"
	"\t\tif (pattern & 2u)\n"
	"\t\t\t*line = n | 1u;\n"
	"\t\telse\n"
	"\t\t\tseen += *line;\n"
	"\t\tif (pattern & 1u)\n"
	"\t\t\t*line = seen | 1u;\n"
	"\t\telse\n"
	"\t\t\tseen += *line;\n"
	"\t}\n"
	"}\n"
	"\n";

static void write_types(struct oclmm_text *text)
{
	oclmm_text_add(
		text,
		"typedef struct {\n\tuint base, stride, multiplier, addend;\n} oclmm_layout;\n\n");
	oclmm_text_add(text, "typedef struct {\n");
#define OCLMM_X(name, meaning) oclmm_text_add(text, "\tuint " #name "; /* " meaning " */\n");
	OCLMM_PARAMETERS(OCLMM_X)
#undef OCLMM_X
	oclmm_text_printf(text,
	                  "\tuint group_shift[%d];\n\tuint lane_shift[%d];\n\tuint sub_shift[%d];\n"
	                  "\toclmm_layout location[%d];\n} oclmm_parameters;\n\n",
	                  OCLMM_KERNEL_ROLES, OCLMM_KERNEL_ROLES, OCLMM_KERNEL_ROLES,
	                  OCLMM_KERNEL_LOCATIONS);
}

void oclmm_write_harness(struct oclmm_writer *writer)
{
	write_types(writer->text);
	oclmm_text_add(writer->text,
	               writer->options.any_count ? any_count_functions : slot_function);
}

void oclmm_write_stress(struct oclmm_writer *writer)
{
	oclmm_text_add(writer->text, stress_function);
}

void oclmm_generate_side(struct oclmm_text *ret_source)
{
	oclmm_text_init(ret_source);
	write_types(ret_source);
	oclmm_text_add(ret_source, stress_function);
	oclmm_text_add(
		ret_source,
		"kernel void oclmm_side(\n"
		"\tvolatile global uint *scratch,\n"
		"\tconst oclmm_parameters p)\n"
		"{\n"
		"\tconst uint line = (get_group_id(0) + get_local_id(0)) & (p.stress_lines - 1u);\n"
		"\n"
		"\toclmm_stress(scratch + line * p.stress_stride, p.stress, p.stress_pattern);\n"
		"}\n");
}
