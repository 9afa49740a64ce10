// SPDX-License-Identifier: Apache-2.0
/* OpenCL C's atomic functions by the builtins of clang. OCLMM_FENCE and OCLMM_BARRIER are the target's. */
#define OCLMM_PICK2(a, b, c, ...) c
#define OCLMM_PICK3(a, b, c, d, ...) d
#define OCLMM_PICK4(a, b, c, d, e, ...) e
#define OCLMM_PICK6(a, b, c, d, e, f, g, ...) g
#define OCLMM_DEV memory_scope_device
#define OCLMM_SC memory_order_seq_cst
#define OCLMM_LOAD2(p, o) __opencl_atomic_load(p, o, OCLMM_DEV)
#define OCLMM_LOAD3(p, o, s) __opencl_atomic_load(p, o, s)
#define OCLMM_STORE3(p, v, o) __opencl_atomic_store(p, v, o, OCLMM_DEV)
#define OCLMM_STORE4(p, v, o, s) __opencl_atomic_store(p, v, o, s)
#define OCLMM_RMW3(f, p, v, o) __opencl_atomic_##f(p, v, o, OCLMM_DEV)
#define OCLMM_RMW4(f, p, v, o, s) __opencl_atomic_##f(p, v, o, s)
#define OCLMM_CAS5(f, p, e, d, o, u) __opencl_atomic_compare_exchange_##f(p, e, d, o, u, OCLMM_DEV)
#define OCLMM_CAS6(f, p, e, d, o, u, s) __opencl_atomic_compare_exchange_##f(p, e, d, o, u, s)
#define OCLMM_SET2(p, o) (__opencl_atomic_exchange(p, 1, o, OCLMM_DEV) != 0)
#define OCLMM_SET3(p, o, s) (__opencl_atomic_exchange(p, 1, o, s) != 0)
#define OCLMM_CLEAR2(p, o) __opencl_atomic_store(p, 0, o, OCLMM_DEV)
#define OCLMM_CLEAR3(p, o, s) __opencl_atomic_store(p, 0, o, s)
#define atomic_init(p, v) __opencl_atomic_init(p, v)
#define atomic_load(p) OCLMM_LOAD2(p, OCLMM_SC)
#define atomic_load_explicit(...) OCLMM_PICK3(__VA_ARGS__, OCLMM_LOAD3, OCLMM_LOAD2, )(__VA_ARGS__)
#define atomic_store(p, v) OCLMM_STORE3(p, v, OCLMM_SC)
#define atomic_store_explicit(...) OCLMM_PICK4(__VA_ARGS__, OCLMM_STORE4, OCLMM_STORE3, , )(__VA_ARGS__)
#define OCLMM_RMW(f, ...) OCLMM_PICK4(__VA_ARGS__, OCLMM_RMW4, OCLMM_RMW3, , )(f, __VA_ARGS__)
#define atomic_exchange(p, v) OCLMM_RMW3(exchange, p, v, OCLMM_SC)
#define atomic_exchange_explicit(...) OCLMM_RMW(exchange, __VA_ARGS__)
#define atomic_fetch_add(p, v) OCLMM_RMW3(fetch_add, p, v, OCLMM_SC)
#define atomic_fetch_add_explicit(...) OCLMM_RMW(fetch_add, __VA_ARGS__)
#define atomic_fetch_sub(p, v) OCLMM_RMW3(fetch_sub, p, v, OCLMM_SC)
#define atomic_fetch_sub_explicit(...) OCLMM_RMW(fetch_sub, __VA_ARGS__)
#define atomic_fetch_or(p, v) OCLMM_RMW3(fetch_or, p, v, OCLMM_SC)
#define atomic_fetch_or_explicit(...) OCLMM_RMW(fetch_or, __VA_ARGS__)
#define atomic_fetch_xor(p, v) OCLMM_RMW3(fetch_xor, p, v, OCLMM_SC)
#define atomic_fetch_xor_explicit(...) OCLMM_RMW(fetch_xor, __VA_ARGS__)
#define atomic_fetch_and(p, v) OCLMM_RMW3(fetch_and, p, v, OCLMM_SC)
#define atomic_fetch_and_explicit(...) OCLMM_RMW(fetch_and, __VA_ARGS__)
#define atomic_fetch_min(p, v) OCLMM_RMW3(fetch_min, p, v, OCLMM_SC)
#define atomic_fetch_min_explicit(...) OCLMM_RMW(fetch_min, __VA_ARGS__)
#define atomic_fetch_max(p, v) OCLMM_RMW3(fetch_max, p, v, OCLMM_SC)
#define atomic_fetch_max_explicit(...) OCLMM_RMW(fetch_max, __VA_ARGS__)
#define OCLMM_CAS(f, ...) OCLMM_PICK6(__VA_ARGS__, OCLMM_CAS6, OCLMM_CAS5, , , , )(f, __VA_ARGS__)
#define atomic_compare_exchange_strong(p, e, d) OCLMM_CAS5(strong, p, e, d, OCLMM_SC, OCLMM_SC)
#define atomic_compare_exchange_strong_explicit(...) OCLMM_CAS(strong, __VA_ARGS__)
#define atomic_compare_exchange_weak(p, e, d) OCLMM_CAS5(weak, p, e, d, OCLMM_SC, OCLMM_SC)
#define atomic_compare_exchange_weak_explicit(...) OCLMM_CAS(weak, __VA_ARGS__)
#define atomic_flag_test_and_set(p) OCLMM_SET2(p, OCLMM_SC)
#define atomic_flag_test_and_set_explicit(...) OCLMM_PICK3(__VA_ARGS__, OCLMM_SET3, OCLMM_SET2, )(__VA_ARGS__)
#define atomic_flag_clear(p) OCLMM_CLEAR2(p, OCLMM_SC)
#define atomic_flag_clear_explicit(...) OCLMM_PICK3(__VA_ARGS__, OCLMM_CLEAR3, OCLMM_CLEAR2, )(__VA_ARGS__)

/* The functions of OpenCL 1.x: relaxed, at the scope of the device. */
#define OCLMM_INLINE static __attribute__((overloadable, always_inline))
#define OCLMM_LEGACY(T, SPACE)                                                                                    \
	OCLMM_INLINE T oclmm_xchg(volatile SPACE T *p, T v)                                                       \
	{                                                                                                         \
		return __opencl_atomic_exchange((volatile SPACE atomic_##T *)p, v, memory_order_relaxed, OCLMM_DEV); \
	}                                                                                                         \
	OCLMM_LEGACY_FETCH(T, SPACE, add)                                                                         \
	OCLMM_LEGACY_FETCH(T, SPACE, sub)                                                                         \
	OCLMM_LEGACY_FETCH(T, SPACE, and)                                                                         \
	OCLMM_LEGACY_FETCH(T, SPACE, or)                                                                          \
	OCLMM_LEGACY_FETCH(T, SPACE, xor)                                                                         \
	OCLMM_LEGACY_FETCH(T, SPACE, min)                                                                         \
	OCLMM_LEGACY_FETCH(T, SPACE, max)                                                                         \
	OCLMM_INLINE T oclmm_cmpxchg(volatile SPACE T *p, T expected, T v)                                        \
	{                                                                                                         \
		__opencl_atomic_compare_exchange_strong((volatile SPACE atomic_##T *)p, &expected, v,             \
		                                        memory_order_relaxed, memory_order_relaxed, OCLMM_DEV);   \
		return expected;                                                                                  \
	}
#define OCLMM_LEGACY_FETCH(T, SPACE, f)                                                                           \
	OCLMM_INLINE T oclmm_##f(volatile SPACE T *p, T v)                                                        \
	{                                                                                                         \
		return __opencl_atomic_fetch_##f((volatile SPACE atomic_##T *)p, v, memory_order_relaxed, OCLMM_DEV); \
	}
#define OCLMM_LEGACY_TYPE(T) OCLMM_LEGACY_SPACES(T)
OCLMM_LEGACY_TYPE(int)
OCLMM_LEGACY_TYPE(uint)
OCLMM_LEGACY_TYPE(long)
OCLMM_LEGACY_TYPE(ulong)
#define atomic_add(p, v) oclmm_add(p, v)
#define atomic_sub(p, v) oclmm_sub(p, v)
#define atomic_xchg(p, v) oclmm_xchg(p, v)
#define atomic_inc(p) oclmm_add(p, 1)
#define atomic_dec(p) oclmm_sub(p, 1)
#define atomic_cmpxchg(p, c, v) oclmm_cmpxchg(p, c, v)
#define atomic_min(p, v) oclmm_min(p, v)
#define atomic_max(p, v) oclmm_max(p, v)
#define atomic_and(p, v) oclmm_and(p, v)
#define atomic_or(p, v) oclmm_or(p, v)
#define atomic_xor(p, v) oclmm_xor(p, v)
#define atom_add(p, v) oclmm_add(p, v)
#define atom_sub(p, v) oclmm_sub(p, v)
#define atom_xchg(p, v) oclmm_xchg(p, v)
#define atom_inc(p) oclmm_add(p, 1)
#define atom_dec(p) oclmm_sub(p, 1)
#define atom_cmpxchg(p, c, v) oclmm_cmpxchg(p, c, v)
#define atom_min(p, v) oclmm_min(p, v)
#define atom_max(p, v) oclmm_max(p, v)
#define atom_and(p, v) oclmm_and(p, v)
#define atom_or(p, v) oclmm_or(p, v)
#define atom_xor(p, v) oclmm_xor(p, v)
#define min(a, b) ((a) < (b) ? (a) : (b))
/* Sums and differences that stay at the limit of their type: of T, which U is without a sign. */
#define OCLMM_SATURATED(T, U)                                                                                     \
	OCLMM_INLINE U add_sat(U a, U b) { return (U)(a + b) < a ? (U)-1 : a + b; }                               \
	OCLMM_INLINE U sub_sat(U a, U b) { return a < b ? 0 : a - b; }                                            \
	OCLMM_INLINE T oclmm_limit(T a) { return (T)((U)-1 >> 1) ^ (T)(a < 0 ? -1 : 0); }                         \
	OCLMM_INLINE T add_sat(T a, T b)                                                                          \
	{                                                                                                         \
		T sum = (T)((U)a + (U)b);                                                                         \
		return ((a ^ sum) & (b ^ sum)) < 0 ? oclmm_limit(a) : sum;                                        \
	}                                                                                                         \
	OCLMM_INLINE T sub_sat(T a, T b)                                                                          \
	{                                                                                                         \
		T difference = (T)((U)a - (U)b);                                                                  \
		return ((a ^ b) & (a ^ difference)) < 0 ? oclmm_limit(a) : difference;                            \
	}
OCLMM_SATURATED(int, uint)
OCLMM_SATURATED(long, ulong)

/* Fences and barriers: the scope of those without one is the work-group. */
#define atomic_work_item_fence(flags, order, scope) OCLMM_FENCE(flags, order, scope)
#define mem_fence(flags) OCLMM_FENCE(flags, memory_order_acq_rel, memory_scope_work_group)
#define read_mem_fence(flags) OCLMM_FENCE(flags, memory_order_acquire, memory_scope_work_group)
#define write_mem_fence(flags) OCLMM_FENCE(flags, memory_order_release, memory_scope_work_group)
#define work_group_barrier(flags, scope) OCLMM_BARRIER(flags, scope)
#define sub_group_barrier(flags, scope) OCLMM_SUB_BARRIER(flags, scope)
