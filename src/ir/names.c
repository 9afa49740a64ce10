// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

/* Tables come from the lists in the header, so that a word added there has a
 * name here. An index outside its list is a programmer's error, answered with
 * a word that shows in any output. */
static const char outside[] = "?";

#define WORD_LOOK_UP(function, type, list, column)                                                 \
	const char *function(enum type enumerator)                                                 \
	{                                                                                          \
		static const char *const words[] = {list(OCLMM_LIST_##column)};                    \
                                                                                                   \
		return (size_t)enumerator < OCLMM_COUNT(words) ? words[enumerator] : outside;      \
	}                                                                                          \
	const char *function(enum type enumerator)

WORD_LOOK_UP(oclmm_order_short, oclmm_order, OCLMM_ORDERS, FIRST);
WORD_LOOK_UP(oclmm_order_spelling, oclmm_order, OCLMM_ORDERS, SECOND);
WORD_LOOK_UP(oclmm_scope_short, oclmm_scope, OCLMM_SCOPES, FIRST);
WORD_LOOK_UP(oclmm_scope_spelling, oclmm_scope, OCLMM_SCOPES, SECOND);
WORD_LOOK_UP(oclmm_space_spelling, oclmm_space, OCLMM_SPACES, SECOND);
WORD_LOOK_UP(oclmm_storage_word, oclmm_storage, OCLMM_STORAGES, FIRST);
OCLMM_LOOK_UP(bool, oclmm_storage_is_svm, oclmm_storage, OCLMM_STORAGES, SECOND);

bool oclmm_storage_has_svm_atomics(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_SVM_ATOMICS || storage == OCLMM_STORAGE_SVM_SYSTEM;
}

bool oclmm_storage_is_unified_svm(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_SVM_DEVICE || storage == OCLMM_STORAGE_SVM_HOST ||
	       storage == OCLMM_STORAGE_SVM_SHARED;
}

bool oclmm_storage_is_mapped(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_BUFFER || storage == OCLMM_STORAGE_HOST_POINTER ||
	       storage == OCLMM_STORAGE_SVM_COARSE;
}

static const struct type {
	const char *name, *atomic_name;
	unsigned bits;
	int64_t least;
	uint64_t greatest;
	const char *suffix, *extensions;
} types[] = {
#define OCLMM_X(name, ...) {__VA_ARGS__},
	OCLMM_TYPES(OCLMM_X)
#undef OCLMM_X
};

const char *oclmm_type_name(enum oclmm_type type)
{
	return (size_t)type < OCLMM_COUNT(types) ? types[type].name : outside;
}

const char *oclmm_type_spelling(enum oclmm_type type, bool atomic)
{
	if ((size_t)type >= OCLMM_COUNT(types))
		return outside;
	return atomic ? types[type].atomic_name
	              : types[type == OCLMM_TYPE_FLAG ? OCLMM_TYPE_INT : type].name;
}

bool oclmm_type_is_stored(enum oclmm_type type)
{
	return *types[type].atomic_name || oclmm_type_is_narrow(type);
}

bool oclmm_type_is_narrow(enum oclmm_type type)
{
	return type == OCLMM_TYPE_UCHAR || type == OCLMM_TYPE_USHORT;
}

unsigned oclmm_type_bits(enum oclmm_type type)
{
	return types[type].bits;
}

bool oclmm_type_is_signed(enum oclmm_type type)
{
	return types[type].least < 0;
}

static unsigned floating_types(void)
{
#define OCLMM_X(name, ...) | 1u << OCLMM_TYPE_##name
	return 0 OCLMM_FLOATS(OCLMM_X);
#undef OCLMM_X
}

bool oclmm_type_is_floating(enum oclmm_type type)
{
	return floating_types() >> type & 1;
}

unsigned oclmm_type_observed_bits(enum oclmm_type type)
{
	return types[type].bits > 32 ? 64 : 32;
}

int64_t oclmm_type_least(enum oclmm_type type)
{
	return types[type].least;
}

uint64_t oclmm_type_greatest(enum oclmm_type type)
{
	return types[type].greatest;
}

unsigned oclmm_types_of_width(unsigned bits)
{
	unsigned set = 0;

	for (size_t i = 0; i < OCLMM_COUNT(types); i++)
		set |= (types[i].bits == bits) << i;
	return set;
}

const char *oclmm_type_suffix(enum oclmm_type type)
{
	return types[type].suffix;
}

const char *oclmm_type_extensions(enum oclmm_type type)
{
	return types[type].extensions;
}

WORD_LOOK_UP(oclmm_operation_stem, oclmm_operation, OCLMM_OPERATIONS, FIRST);
OCLMM_LOOK_UP(bool, oclmm_operation_reads, oclmm_operation, OCLMM_OPERATIONS, SECOND);
OCLMM_LOOK_UP(bool, oclmm_operation_writes, oclmm_operation, OCLMM_OPERATIONS, THIRD);
OCLMM_LOOK_UP(bool, oclmm_operation_takes_floats, oclmm_operation, OCLMM_OPERATIONS, FOURTH);

bool oclmm_operation_is_cas(enum oclmm_operation op)
{
	return op == OCLMM_OP_CAS_STRONG || op == OCLMM_OP_CAS_WEAK;
}

WORD_LOOK_UP(oclmm_operator_spelling, oclmm_operator, OCLMM_OPERATORS, FIRST);
OCLMM_LOOK_UP(bool, oclmm_operator_is_unary, oclmm_operator, OCLMM_OPERATORS, SECOND);
OCLMM_LOOK_UP(bool, oclmm_operator_is_truth, oclmm_operator, OCLMM_OPERATORS, THIRD);

const char *oclmm_flags_spelling(unsigned flags)
{
	static const char *const names[] = {
		[0] = "0",
		[OCLMM_FLAG_GLOBAL] = "CLK_GLOBAL_MEM_FENCE",
		[OCLMM_FLAG_LOCAL] = "CLK_LOCAL_MEM_FENCE",
		[OCLMM_FLAG_GLOBAL |
			OCLMM_FLAG_LOCAL] = "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE",
		[OCLMM_FLAG_IMAGE] = "CLK_IMAGE_MEM_FENCE",
		[OCLMM_FLAG_GLOBAL |
			OCLMM_FLAG_IMAGE] = "CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
		[OCLMM_FLAG_LOCAL | OCLMM_FLAG_IMAGE] = "CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
		[OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL | OCLMM_FLAG_IMAGE] =
			"CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
	};

	return flags < OCLMM_COUNT(names) ? names[flags] : outside;
}
