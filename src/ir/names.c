// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

/* Tables come from the lists in the header, so that a word added there has a
 * name here. An index outside its list is a programmer's error, answered with
 * a word that shows in any output. */
static const char outside[] = "?";

#define LOOK_UP(table, index) ((size_t)(index) < OCLMM_COUNT(table) ? (table)[index] : outside)

const char *oclmm_order_short(enum oclmm_order order)
{
	static const char *const names[] = {OCLMM_ORDERS(OCLMM_LIST_FIRST)};

	return LOOK_UP(names, order);
}

const char *oclmm_order_spelling(enum oclmm_order order)
{
	static const char *const names[] = {OCLMM_ORDERS(OCLMM_LIST_SECOND)};

	return LOOK_UP(names, order);
}

const char *oclmm_scope_short(enum oclmm_scope scope)
{
	static const char *const names[] = {OCLMM_SCOPES(OCLMM_LIST_FIRST)};

	return LOOK_UP(names, scope);
}

const char *oclmm_scope_spelling(enum oclmm_scope scope)
{
	static const char *const names[] = {OCLMM_SCOPES(OCLMM_LIST_SECOND)};

	return LOOK_UP(names, scope);
}

const char *oclmm_space_spelling(enum oclmm_space space)
{
	static const char *const names[] = {OCLMM_SPACES(OCLMM_LIST_SECOND)};

	return LOOK_UP(names, space);
}

const char *oclmm_storage_word(enum oclmm_storage storage)
{
#define OCLMM_X(name, word, svm) word,
	static const char *const words[] = {OCLMM_STORAGES(OCLMM_X)};
#undef OCLMM_X

	return LOOK_UP(words, storage);
}

bool oclmm_storage_is_svm(enum oclmm_storage storage)
{
#define OCLMM_X(name, word, svm) svm,
	static const bool are[] = {OCLMM_STORAGES(OCLMM_X)};
#undef OCLMM_X

	return are[storage];
}

bool oclmm_storage_has_svm_atomics(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_SVM_ATOMICS || storage == OCLMM_STORAGE_SVM_SYSTEM;
}

bool oclmm_storage_is_mapped(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_BUFFER || storage == OCLMM_STORAGE_SVM_COARSE;
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
	return *types[type].atomic_name;
}

bool oclmm_type_is_address_wide(enum oclmm_type type)
{
	return type == OCLMM_TYPE_SIZE || type == OCLMM_TYPE_PTRDIFF;
}

unsigned oclmm_type_bits(enum oclmm_type type)
{
	return types[type].bits;
}

bool oclmm_type_is_signed(enum oclmm_type type)
{
	return types[type].least < 0;
}

unsigned oclmm_floating_types(void)
{
#define OCLMM_X(name, ...) | 1u << OCLMM_TYPE_##name
	return 0 OCLMM_FLOATS(OCLMM_X);
#undef OCLMM_X
}

bool oclmm_type_is_floating(enum oclmm_type type)
{
	return oclmm_floating_types() >> type & 1;
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

const char *oclmm_operation_stem(enum oclmm_operation op)
{
	static const char *const names[] = {OCLMM_OPERATIONS(OCLMM_LIST_FIRST)};

	return LOOK_UP(names, op);
}

bool oclmm_operation_reads(enum oclmm_operation op)
{
	static const bool facts[] = {OCLMM_OPERATIONS(OCLMM_LIST_SECOND)};

	return facts[op];
}

bool oclmm_operation_writes(enum oclmm_operation op)
{
	static const bool facts[] = {OCLMM_OPERATIONS(OCLMM_LIST_THIRD)};

	return facts[op];
}

bool oclmm_operation_takes_floats(enum oclmm_operation op)
{
	static const bool facts[] = {OCLMM_OPERATIONS(OCLMM_LIST_FOURTH)};

	return facts[op];
}

bool oclmm_operation_is_cas(enum oclmm_operation op)
{
	return op == OCLMM_OP_CAS_STRONG || op == OCLMM_OP_CAS_WEAK;
}

const char *oclmm_operator_spelling(enum oclmm_operator op)
{
	static const char *const names[] = {OCLMM_OPERATORS(OCLMM_LIST_FIRST)};

	return LOOK_UP(names, op);
}

bool oclmm_operator_is_unary(enum oclmm_operator op)
{
	static const bool facts[] = {OCLMM_OPERATORS(OCLMM_LIST_SECOND)};

	return facts[op];
}

bool oclmm_operator_is_truth(enum oclmm_operator op)
{
	static const bool facts[] = {OCLMM_OPERATORS(OCLMM_LIST_THIRD)};

	return facts[op];
}

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

	return LOOK_UP(names, flags);
}

bool oclmm_order_acquires(enum oclmm_order order)
{
	return order == OCLMM_ORDER_ACQUIRE || order == OCLMM_ORDER_ACQ_REL ||
	       order == OCLMM_ORDER_SEQ_CST;
}

bool oclmm_order_releases(enum oclmm_order order)
{
	return order == OCLMM_ORDER_RELEASE || order == OCLMM_ORDER_ACQ_REL ||
	       order == OCLMM_ORDER_SEQ_CST;
}
