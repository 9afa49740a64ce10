// SPDX-License-Identifier: Apache-2.0
/*
 * Of NVIDIA's GPUs: compilers of LLVM before 19 make no ordered accesses for them, so that atomic functions are
 * instructions here, by the mapping that NVIDIA's own headers and its paper have (Lustig, Sahasrabuddhe and Giroux,
 * ASPLOS 2019): seq_cst is fence.sc before the access.
 */
#define OCLMM_ENTRY kernel
/* Which number it is stands in an instruction that the machine would take for the number itself. */
#define OCLMM_NUMBER_CASE(n) case n: __asm__("mov.u32 %0, %1;" : "=r"(result) : "n"(0x6f636c00 + n)); break;
#define OCLMM_LEGACY_SPACES(T) OCLMM_LEGACY(T, generic)
#define OCLMM_PTX static __attribute__((overloadable, always_inline))
/* One of three texts, by the scope. */
#define OCLMM_BY_SCOPE(scope, TEXT)               \
	switch (scope) {                          \
	case memory_scope_work_item:              \
	case memory_scope_sub_group:              \
	case memory_scope_work_group: TEXT("cta"); break; \
	case memory_scope_device: TEXT("gpu"); break;     \
	default: TEXT("sys"); break;              \
	}
#define OCLMM_FENCE_SC(scope) __asm__ volatile("fence.sc." scope ";" ::: "memory")
#define OCLMM_FENCE_ACQ_REL(scope) __asm__ volatile("fence.acq_rel." scope ";" ::: "memory")
OCLMM_PTX void oclmm_fence(memory_order order, memory_scope scope)
{
	if (scope == memory_scope_work_item || order == memory_order_relaxed)
		return;
	if (order == memory_order_seq_cst)
		OCLMM_BY_SCOPE(scope, OCLMM_FENCE_SC)
	else
		OCLMM_BY_SCOPE(scope, OCLMM_FENCE_ACQ_REL)
}
OCLMM_PTX void oclmm_before(memory_order order, memory_scope scope)
{
	if (order == memory_order_seq_cst)
		OCLMM_BY_SCOPE(scope, OCLMM_FENCE_SC)
}
#define OCLMM_FENCE(flags, order, scope) oclmm_fence(order, scope)
OCLMM_PTX void oclmm_barrier(uint flags, memory_scope scope)
{
	if (flags && scope > memory_scope_work_group)
		oclmm_fence(memory_order_acq_rel, scope);
	__asm__ volatile("bar.sync 0;" ::: "memory");
	if (flags && scope > memory_scope_work_group)
		oclmm_fence(memory_order_acq_rel, scope);
}
OCLMM_PTX void oclmm_sub_barrier(uint flags, memory_scope scope)
{
	if (flags && scope > memory_scope_sub_group)
		oclmm_fence(memory_order_acq_rel, scope);
	__asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
	if (flags && scope > memory_scope_sub_group)
		oclmm_fence(memory_order_acq_rel, scope);
}
#define OCLMM_BARRIER(flags, scope) oclmm_barrier(flags, scope)
#define OCLMM_SUB_BARRIER(flags, scope) oclmm_sub_barrier(flags, scope)

#define OCLMM_LD(sem, scope, B, C) \
	__asm__ volatile("ld." sem "." scope ".u" B " %0, [%1];" : "=" C(result) : "l"(p) : "memory")
#define OCLMM_ST(sem, scope, B, C) \
	__asm__ volatile("st." sem "." scope ".u" B " [%0], %1;" : : "l"(p), C(value) : "memory")
#define OCLMM_RMW_ASM(sem, scope, op, C) \
	__asm__ volatile("atom." sem "." scope "." op " %0, [%1], %2;" : "=" C(result) : "l"(p), C(value) : "memory")
#define OCLMM_CAS_ASM(sem, scope, B, C)                                                         \
	__asm__ volatile("atom." sem "." scope ".cas.b" B " %0, [%1], %2, %3;"                  \
	                 : "=" C(result)                                                        \
	                 : "l"(p), C(wanted), C(value)                                          \
	                 : "memory")
#define OCLMM_LD_RLX_32(s) OCLMM_LD("relaxed", s, "32", "r")
#define OCLMM_LD_RLX_64(s) OCLMM_LD("relaxed", s, "64", "l")
#define OCLMM_LD_ACQ_32(s) OCLMM_LD("acquire", s, "32", "r")
#define OCLMM_LD_ACQ_64(s) OCLMM_LD("acquire", s, "64", "l")
#define OCLMM_ST_RLX_32(s) OCLMM_ST("relaxed", s, "32", "r")
#define OCLMM_ST_RLX_64(s) OCLMM_ST("relaxed", s, "64", "l")
#define OCLMM_ST_REL_32(s) OCLMM_ST("release", s, "32", "r")
#define OCLMM_ST_REL_64(s) OCLMM_ST("release", s, "64", "l")
#define OCLMM_ACCESSES(T, B)                                                                    \
	OCLMM_PTX T oclmm_load(const volatile generic atomic_##T *p, memory_order order, memory_scope scope) \
	{                                                                                       \
		T result;                                                                       \
		oclmm_before(order, scope);                                                     \
		if (order == memory_order_relaxed)                                              \
			OCLMM_BY_SCOPE(scope, OCLMM_LD_RLX_##B)                                 \
		else                                                                            \
			OCLMM_BY_SCOPE(scope, OCLMM_LD_ACQ_##B)                                 \
		return result;                                                                  \
	}                                                                                       \
	OCLMM_PTX void oclmm_store(volatile generic atomic_##T *p, T value, memory_order order, memory_scope scope) \
	{                                                                                       \
		oclmm_before(order, scope);                                                     \
		if (order == memory_order_relaxed)                                              \
			OCLMM_BY_SCOPE(scope, OCLMM_ST_RLX_##B)                                 \
		else                                                                            \
			OCLMM_BY_SCOPE(scope, OCLMM_ST_REL_##B)                                 \
	}
#define OCLMM_UPDATE_BY(sem, op, C)                                                             \
	switch (scope) {                                                                        \
	case memory_scope_work_item:                                                            \
	case memory_scope_sub_group:                                                            \
	case memory_scope_work_group: OCLMM_RMW_ASM(sem, "cta", op, C); break;                  \
	case memory_scope_device: OCLMM_RMW_ASM(sem, "gpu", op, C); break;                      \
	default: OCLMM_RMW_ASM(sem, "sys", op, C); break;                                       \
	}
#define OCLMM_CAS_BY(sem, B, C)                                                                 \
	switch (scope) {                                                                        \
	case memory_scope_work_item:                                                            \
	case memory_scope_sub_group:                                                            \
	case memory_scope_work_group: OCLMM_CAS_ASM(sem, "cta", B, C); break;                   \
	case memory_scope_device: OCLMM_CAS_ASM(sem, "gpu", B, C); break;                       \
	default: OCLMM_CAS_ASM(sem, "sys", B, C); break;                                        \
	}
#define OCLMM_UPDATE(T, NAME, op, C)                                                            \
	OCLMM_PTX T oclmm_update_##NAME(volatile generic atomic_##T *p, T value, memory_order order, memory_scope scope) \
	{                                                                                       \
		T result;                                                                       \
		oclmm_before(order, scope);                                                     \
		switch (order) {                                                                \
		case memory_order_relaxed: OCLMM_UPDATE_BY("relaxed", op, C) break;             \
		case memory_order_acquire: OCLMM_UPDATE_BY("acquire", op, C) break;             \
		case memory_order_release: OCLMM_UPDATE_BY("release", op, C) break;             \
		default: OCLMM_UPDATE_BY("acq_rel", op, C) break;                               \
		}                                                                               \
		return result;                                                                  \
	}
#define OCLMM_TYPE(T, B, S, C)                                                                  \
	OCLMM_ACCESSES(T, B)                                                                    \
	OCLMM_UPDATE(T, exchange, "exch.b" #B, C)                                               \
	OCLMM_UPDATE(T, fetch_add, "add.u" #B, C)                                               \
	OCLMM_UPDATE(T, fetch_and, "and.b" #B, C)                                               \
	OCLMM_UPDATE(T, fetch_or, "or.b" #B, C)                                                 \
	OCLMM_UPDATE(T, fetch_xor, "xor.b" #B, C)                                               \
	OCLMM_UPDATE(T, fetch_min, "min." S #B, C)                                              \
	OCLMM_UPDATE(T, fetch_max, "max." S #B, C)                                              \
	OCLMM_PTX T oclmm_update_fetch_sub(volatile generic atomic_##T *p, T value, memory_order order, memory_scope scope) \
	{                                                                                       \
		return oclmm_update_fetch_add(p, -value, order, scope);                         \
	}                                                                                       \
	OCLMM_PTX bool oclmm_cas(volatile generic atomic_##T *p, generic T *expected, T value, memory_order order, \
	                         memory_order failing, memory_scope scope)                      \
	{                                                                                       \
		T result, wanted = *expected;                                                   \
		if (failing == memory_order_seq_cst)                                            \
			order = failing;                                                        \
		else if (failing == memory_order_acquire)                                       \
			order = order == memory_order_release   ? memory_order_acq_rel          \
			        : order == memory_order_relaxed ? memory_order_acquire          \
			                                        : order;                        \
		oclmm_before(order, scope);                                                     \
		switch (order) {                                                                \
		case memory_order_relaxed: OCLMM_CAS_BY("relaxed", #B, C) break;                \
		case memory_order_acquire: OCLMM_CAS_BY("acquire", #B, C) break;                \
		case memory_order_release: OCLMM_CAS_BY("release", #B, C) break;                \
		default: OCLMM_CAS_BY("acq_rel", #B, C) break;                                  \
		}                                                                               \
		if (result != wanted)                                                           \
			*expected = result;                                                     \
		return result == wanted;                                                        \
	}
OCLMM_TYPE(int, 32, "s", "r")
OCLMM_TYPE(uint, 32, "u", "r")
OCLMM_TYPE(long, 64, "s", "l")
OCLMM_TYPE(ulong, 64, "u", "l")
#define __opencl_atomic_load(p, o, s) oclmm_load(p, o, s)
#define __opencl_atomic_store(p, v, o, s) oclmm_store(p, v, o, s)
#define __opencl_atomic_exchange(p, v, o, s) oclmm_update_exchange(p, v, o, s)
#define __opencl_atomic_fetch_add(p, v, o, s) oclmm_update_fetch_add(p, v, o, s)
#define __opencl_atomic_fetch_sub(p, v, o, s) oclmm_update_fetch_sub(p, v, o, s)
#define __opencl_atomic_fetch_and(p, v, o, s) oclmm_update_fetch_and(p, v, o, s)
#define __opencl_atomic_fetch_or(p, v, o, s) oclmm_update_fetch_or(p, v, o, s)
#define __opencl_atomic_fetch_xor(p, v, o, s) oclmm_update_fetch_xor(p, v, o, s)
#define __opencl_atomic_fetch_min(p, v, o, s) oclmm_update_fetch_min(p, v, o, s)
#define __opencl_atomic_fetch_max(p, v, o, s) oclmm_update_fetch_max(p, v, o, s)
#define __opencl_atomic_compare_exchange_strong(p, e, d, o, u, s) oclmm_cas(p, e, d, o, u, s)
#define __opencl_atomic_compare_exchange_weak(p, e, d, o, u, s) oclmm_cas(p, e, d, o, u, s)
