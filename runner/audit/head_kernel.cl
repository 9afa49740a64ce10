// SPDX-License-Identifier: Apache-2.0
/*
 * Of a kernel of one's own: the numbers that a work-item asks for are given by who reads the code, by their place behind
 * the first built-in variable of SPIR-V; and functions in the forms that only whole kernels use.
 */
#ifdef OCLMM_NUMBER_CASE
#define OCLMM_NUMBER_CASES(n) OCLMM_NUMBER_CASE(n) OCLMM_NUMBER_CASE(n + 1) OCLMM_NUMBER_CASE(n + 2)
static __attribute__((always_inline)) uint oclmm_number(uint which)
{
	uint result = 0;
	switch (which) {
		OCLMM_NUMBER_CASES(0) OCLMM_NUMBER_CASES(3) OCLMM_NUMBER_CASES(6)
		OCLMM_NUMBER_CASES(9) OCLMM_NUMBER_CASES(12) OCLMM_NUMBER_CASES(15)
		OCLMM_NUMBER_CASES(18) OCLMM_NUMBER_CASES(21) OCLMM_NUMBER_CASES(24)
		OCLMM_NUMBER_CASES(27) OCLMM_NUMBER_CASES(30) OCLMM_NUMBER_CASES(33)
		OCLMM_NUMBER_CASES(36) OCLMM_NUMBER_CASES(39) OCLMM_NUMBER_CASES(42)
		OCLMM_NUMBER_CASES(45) OCLMM_NUMBER_CASES(48) OCLMM_NUMBER_CASES(51)
	}
	return result;
}
#else
OCLMM_NUMBERS
#endif
#define OCLMM_NUMBER_OF(n, d, other) ((d) < 3u ? (size_t)oclmm_number((n) + (d)) : (size_t)(other))
#define get_num_groups(d) OCLMM_NUMBER_OF(0, d, 1)
#define get_local_size(d) OCLMM_NUMBER_OF(3, d, 1)
#define get_group_id(d) OCLMM_NUMBER_OF(6, d, 0)
#define get_local_id(d) OCLMM_NUMBER_OF(9, d, 0)
#define get_global_id(d) OCLMM_NUMBER_OF(12, d, 0)
#define get_local_linear_id() ((size_t)oclmm_number(15))
#define get_work_dim() ((uint)oclmm_number(18))
#define get_global_size(d) OCLMM_NUMBER_OF(21, d, 1)
#define get_enqueued_local_size(d) OCLMM_NUMBER_OF(24, d, 1)
#define get_global_offset(d) OCLMM_NUMBER_OF(27, d, 0)
#define get_global_linear_id() ((size_t)oclmm_number(30))
#define get_sub_group_size() ((uint)oclmm_number(36))
#define get_max_sub_group_size() ((uint)oclmm_number(39))
#define get_num_sub_groups() ((uint)oclmm_number(42))
#define get_enqueued_num_sub_groups() ((uint)oclmm_number(45))
#define get_sub_group_id() ((uint)oclmm_number(48))
#define get_sub_group_local_id() ((uint)oclmm_number(51))
