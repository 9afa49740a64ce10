// SPDX-License-Identifier: Apache-2.0
/* Behind head_common.cl, for a kernel of one's own: what it calls with fewer arguments, and functions on integers. */
#undef work_group_barrier
#undef sub_group_barrier
#undef min
#define OCLMM_BARRIER1(flags) OCLMM_BARRIER(flags, memory_scope_work_group)
#define OCLMM_BARRIER2(flags, scope) OCLMM_BARRIER(flags, scope)
#define OCLMM_SUB_BARRIER1(flags) OCLMM_SUB_BARRIER(flags, memory_scope_sub_group)
#define OCLMM_SUB_BARRIER2(flags, scope) OCLMM_SUB_BARRIER(flags, scope)
#define barrier(flags) OCLMM_BARRIER1(flags)
#define work_group_barrier(...) OCLMM_PICK2(__VA_ARGS__, OCLMM_BARRIER2, OCLMM_BARRIER1)(__VA_ARGS__)
#define sub_group_barrier(...) OCLMM_PICK2(__VA_ARGS__, OCLMM_SUB_BARRIER2, OCLMM_SUB_BARRIER1)(__VA_ARGS__)
#define OCLMM_INTEGERS(T, U)                                                \
	OCLMM_INLINE T oclmm_lesser(T a, T b) { return a < b ? a : b; }     \
	OCLMM_INLINE T oclmm_greater(T a, T b) { return a > b ? a : b; }    \
	OCLMM_INLINE U oclmm_absolute(T a) { return a < 0 ? -(U)a : (U)a; }
OCLMM_INTEGERS(char, uchar)
OCLMM_INTEGERS(uchar, uchar)
OCLMM_INTEGERS(short, ushort)
OCLMM_INTEGERS(ushort, ushort)
OCLMM_INTEGERS(int, uint)
OCLMM_INTEGERS(uint, uint)
OCLMM_INTEGERS(long, ulong)
OCLMM_INTEGERS(ulong, ulong)
#define min(a, b) oclmm_lesser(a, b)
#define max(a, b) oclmm_greater(a, b)
#define clamp(x, low, high) oclmm_lesser(oclmm_greater(x, low), high)
#define abs(x) oclmm_absolute(x)
#define mul24(a, b) ((a) * (b))
#define mad24(a, b, c) ((a) * (b) + (c))
#define printf(...) 0
