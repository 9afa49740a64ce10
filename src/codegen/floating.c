// SPDX-License-Identifier: Apache-2.0
/*
 * Floating-point objects. Observed is the whole number that a value is; what is
 * none, or infinite, or no number at all is the least of its integer type, which
 * no test has. 0.0 and -0.0 are the same number.
 */
#include "internal.h"

#include <stdio.h>

static const struct {
	enum oclmm_type type;
	const char *opening, *from_word, *name, *whole, *least;
} kinds[] = {
	{OCLMM_TYPE_HALF, "oclmm_whole_half(", "as_half(", "half", "int", "INT_MIN"},
	{OCLMM_TYPE_FLOAT, "oclmm_whole_float(", "as_float(", "float", "int", "INT_MIN"},
	{OCLMM_TYPE_DOUBLE, "oclmm_whole_double(", "as_double(", "double", "long", "LONG_MIN"},
};

const char *oclmm_observe_opening(enum oclmm_type type)
{
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++)
		if (kinds[i].type == type)
			return kinds[i].opening;
	return type == OCLMM_TYPE_FLAG ? "(" : "";
}

const char *oclmm_observe_closing(enum oclmm_type type)
{
	return oclmm_type_is_floating(type) ? ")" : type == OCLMM_TYPE_FLAG ? " != 0)" : "";
}

const char *oclmm_from_word_opening(enum oclmm_type type)
{
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++)
		if (kinds[i].type == type)
			return kinds[i].from_word;
	return "";
}

const char *oclmm_from_word_closing(enum oclmm_type type)
{
	return oclmm_type_is_floating(type) ? ")" : "";
}

/* A conversion that saturates has a result for any value. */
void oclmm_write_whole_functions(struct oclmm_writer *writer, unsigned types)
{
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++)
		if (types >> kinds[i].type & 1)
			oclmm_text_printf(writer->text,
			                  "static %s %s%s value)\n"
			                  "{\n"
			                  "\tconst %s whole = convert_%s_sat(value);\n"
			                  "\n"
			                  "\treturn (%s)whole == value ? whole : %s;\n"
			                  "}\n\n",
			                  kinds[i].whole, kinds[i].opening, kinds[i].name,
			                  kinds[i].whole, kinds[i].whole, kinds[i].name,
			                  kinds[i].least);
}

/* ---- cl_ext_float_atomics --------------------------------------------- */

/* C:6.15.12.6 has atomic_float and atomic_double themselves. */
static unsigned ability_of(enum oclmm_operation op, enum oclmm_type type)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD:
	case OCLMM_OP_FETCH_SUB: return OCLMM_FLOAT_ADD;
	case OCLMM_OP_FETCH_MIN:
	case OCLMM_OP_FETCH_MAX: return OCLMM_FLOAT_MIN_MAX;
	default: return type == OCLMM_TYPE_HALF ? OCLMM_FLOAT_LOAD_STORE : 0;
	}
}

void oclmm_note_floating(struct oclmm_features *features, const struct oclmm_location *location,
                         enum oclmm_operation op)
{
	unsigned abilities = ability_of(op, location->type);

	if (location->space == OCLMM_SPACE_LOCAL)
		abilities <<= OCLMM_FLOAT_LOCAL;
	if (oclmm_type_is_floating(location->type))
		features->float_atomics[location->type - OCLMM_TYPE_HALF] |= abilities;
}

/* Of one type: `first` is 0 for global memory or OCLMM_FLOAT_LOCAL. */
static const char *lacking(unsigned lacks, unsigned first)
{
	static const char *const words[] = {"load_store", "add", "min_max"};

	for (unsigned i = 0; i < OCLMM_COUNT(words); i++)
		if (lacks >> (first + i) & 1)
			return words[i];
	return NULL;
}

bool oclmm_float_feature(const struct oclmm_features *need, const unsigned *have, char *name,
                         size_t size)
{
	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++) {
		unsigned lacks = need->float_atomics[i] & ~have[i];
		const char *global = lacking(lacks, 0), *local = lacking(lacks, OCLMM_FLOAT_LOCAL);

		if (!global && !local)
			continue;
		snprintf(name, size, "__opencl_c_ext_fp%u_%s_atomic_%s",
		         oclmm_type_bits((enum oclmm_type)(OCLMM_TYPE_HALF + i)),
		         global ? "global" : "local", global ? global : local);
		return true;
	}
	return false;
}
