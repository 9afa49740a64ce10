// SPDX-License-Identifier: Apache-2.0
/* The words are facts of OpenCL C; each is written out here once more. */
#include "oclmm/ir.h"

#include <string.h>

#include "../fixture/test.h"

TEST(orders)
{
	assert_string_equal(oclmm_order_spelling(OCLMM_ORDER_NONE), "");
	assert_string_equal(oclmm_order_spelling(OCLMM_ORDER_RELAXED), "memory_order_relaxed");
	assert_string_equal(oclmm_order_spelling(OCLMM_ORDER_ACQ_REL), "memory_order_acq_rel");
	assert_string_equal(oclmm_order_spelling(OCLMM_ORDER_SEQ_CST), "memory_order_seq_cst");
	assert_string_equal(oclmm_order_short(OCLMM_ORDER_RELAXED), "rlx");
	assert_string_equal(oclmm_order_short(OCLMM_ORDER_COUNT), "?");
}

/* Code compares scopes by `<`: the list has to ascend. */
TEST(scopes_ascend)
{
	assert_true(OCLMM_SCOPE_WORK_ITEM < OCLMM_SCOPE_SUB_GROUP);
	assert_true(OCLMM_SCOPE_SUB_GROUP < OCLMM_SCOPE_WORK_GROUP);
	assert_true(OCLMM_SCOPE_WORK_GROUP < OCLMM_SCOPE_DEVICE);
	assert_true(OCLMM_SCOPE_DEVICE < OCLMM_SCOPE_ALL_SVM_DEVICES);
	assert_string_equal(oclmm_scope_spelling(OCLMM_SCOPE_ALL_SVM_DEVICES),
	                    "memory_scope_all_svm_devices");
	assert_string_equal(oclmm_scope_short(OCLMM_SCOPE_WORK_GROUP), "wg");
	assert_string_equal(oclmm_space_spelling(OCLMM_SPACE_LOCAL), "local");
}

TEST(types)
{
	assert_string_equal(oclmm_type_name(OCLMM_TYPE_ULONG), "ulong");
	assert_string_equal(oclmm_type_spelling(OCLMM_TYPE_LONG, true), "atomic_long");
	assert_string_equal(oclmm_type_spelling(OCLMM_TYPE_FLAG, true), "atomic_flag");
	/* the functions of atomic_flag give its state as a bool, which is an int */
	assert_string_equal(oclmm_type_spelling(OCLMM_TYPE_FLAG, false), "int");
	assert_string_equal(oclmm_type_spelling(OCLMM_TYPE_COUNT, true), "?");
	assert_string_equal(oclmm_type_suffix(OCLMM_TYPE_ULONG), "UL");
	assert_string_equal(oclmm_type_extensions(OCLMM_TYPE_INT), "");
	assert_non_null(strstr(oclmm_type_extensions(OCLMM_TYPE_ULONG), "int64_base_atomics"));
	assert_int_equal(oclmm_types_of_width(64),
	                 1u << OCLMM_TYPE_LONG | 1u << OCLMM_TYPE_ULONG | 1u << OCLMM_TYPE_DOUBLE |
	                         1u << OCLMM_TYPE_SIZE | 1u << OCLMM_TYPE_PTRDIFF);
	for (int i = 0; i < OCLMM_TYPE_COUNT; i++)
		assert_int_equal(oclmm_type_is_floating((enum oclmm_type)i),
		                 i == OCLMM_TYPE_HALF || i == OCLMM_TYPE_FLOAT ||
		                         i == OCLMM_TYPE_DOUBLE);
	assert_int_equal(oclmm_type_bits(OCLMM_TYPE_HALF), 16);
	assert_int_equal(oclmm_type_observed_bits(OCLMM_TYPE_HALF), 32);
	assert_int_equal(oclmm_type_observed_bits(OCLMM_TYPE_DOUBLE), 64);
	assert_int_equal(oclmm_type_bits(OCLMM_TYPE_UINT), 32);
	assert_int_equal(oclmm_type_bits(OCLMM_TYPE_LONG), 64);
	assert_true(oclmm_type_is_signed(OCLMM_TYPE_INT));
	assert_false(oclmm_type_is_signed(OCLMM_TYPE_FLAG));
}

TEST(flags)
{
	assert_string_equal(oclmm_flags_spelling(0), "0");
	assert_string_equal(oclmm_flags_spelling(OCLMM_FLAG_GLOBAL), "CLK_GLOBAL_MEM_FENCE");
	assert_string_equal(oclmm_flags_spelling(OCLMM_FLAG_LOCAL), "CLK_LOCAL_MEM_FENCE");
	assert_string_equal(oclmm_flags_spelling(OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL),
	                    "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE");
}

/* An operation that neither reads nor writes, or a store that reads, would
 * quietly vanish from the model's relations. */
TEST(operations)
{
	int op;

	for (op = 0; op < OCLMM_OP_COUNT; op++) {
		const char *stem = oclmm_operation_stem(op);
		bool stores = op == OCLMM_OP_STORE || op == OCLMM_OP_FLAG_CLEAR ||
		              op == OCLMM_OP_INIT;

		assert_int_equal(strncmp(stem, "atomic_", 7), 0);
		assert_int_equal(oclmm_operation_reads(op), !stores);
		assert_int_equal(oclmm_operation_writes(op), op != OCLMM_OP_LOAD);
		assert_int_equal(oclmm_operation_is_cas(op), strstr(stem, "compare") != NULL);
		/* C:6.15.12.7.5 and cl_ext_float_atomics have nothing of bits */
		assert_int_equal(oclmm_operation_takes_floats(op),
		                 !strstr(stem, "fetch_or") && !strstr(stem, "xor") &&
		                         !strstr(stem, "and") && !strstr(stem, "flag"));
	}
	assert_string_equal(oclmm_operation_stem(OCLMM_OP_FETCH_XOR), "atomic_fetch_xor");
	assert_string_equal(oclmm_operator_spelling(OCLMM_OPERATOR_SHR), ">>");
}
