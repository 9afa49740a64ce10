// SPDX-License-Identifier: Apache-2.0
/*
 * Of AMD's GPUs: fences and barriers as the device libraries of ROCm have them. The compiler knows no
 * flags of fences, which order all memory.
 */
#define OCLMM_ENTRY kernel
/* Which number it is stands in an instruction that the machine would take for the number itself. */
#define OCLMM_NUMBER_CASE(n) case n: __asm__("v_mov_b32 %0, %1" : "=v"(result) : "n"(0x6f636c00 + n)); break;
#define OCLMM_LEGACY_SPACES(T) OCLMM_LEGACY(T, global) OCLMM_LEGACY(T, local)
#define OCLMM_FENCE(flags, order, scope) oclmm_fence(order, scope)
#define OCLMM_FENCE_OF(ORDER, SCOPE)                                                                                          \
	switch (order) {                                                                                                      \
	case memory_order_relaxed: break;                                                                                     \
	case memory_order_acquire: __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, SCOPE); break;                                    \
	case memory_order_release: __builtin_amdgcn_fence(__ATOMIC_RELEASE, SCOPE); break;                                    \
	case memory_order_acq_rel: __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, SCOPE); break;                                    \
	case memory_order_seq_cst: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, SCOPE); break;                                    \
	}
static __attribute__((always_inline)) void oclmm_fence(memory_order order, memory_scope scope)
{
	switch (scope) {
	case memory_scope_work_item: break;
	case memory_scope_sub_group: OCLMM_FENCE_OF(order, "wavefront") break;
	case memory_scope_work_group: OCLMM_FENCE_OF(order, "workgroup") break;
	case memory_scope_device: OCLMM_FENCE_OF(order, "agent") break;
	default: OCLMM_FENCE_OF(order, "") break;
	}
}
/*
 * What the others of a group store before a barrier is in the same kernel, and the compiler sees it. Here each thread is
 * a kernel of its own, and memory that it does not store to itself would be taken for constant: by scalar loads.
 */
#define OCLMM_OTHERS_STORE() __asm__ volatile("" ::: "memory")
static __attribute__((always_inline)) void oclmm_barrier(uint flags, memory_scope scope)
{
	if (flags) {
		oclmm_fence(memory_order_release, scope);
		OCLMM_OTHERS_STORE();
	}
	__builtin_amdgcn_s_barrier();
	if (flags)
		oclmm_fence(memory_order_acquire, scope);
}
static __attribute__((always_inline)) void oclmm_sub_barrier(uint flags, memory_scope scope)
{
	if (flags) {
		oclmm_fence(memory_order_release, scope);
		OCLMM_OTHERS_STORE();
	}
	__builtin_amdgcn_wave_barrier();
	if (flags)
		oclmm_fence(memory_order_acquire, scope);
}
#define OCLMM_BARRIER(flags, scope) oclmm_barrier(flags, scope)
#define OCLMM_SUB_BARRIER(flags, scope) oclmm_sub_barrier(flags, scope)
