// SPDX-License-Identifier: Apache-2.0
/* Of CPUs: there is one memory and one kind of fence; a barrier is a call of the runtime. */
#define OCLMM_ENTRY
#define OCLMM_NUMBERS __attribute__((const)) size_t oclmm_number(uint);
#define OCLMM_LEGACY_SPACES(T) OCLMM_LEGACY(T, generic)
#define OCLMM_FENCE(flags, order, scope) __c11_atomic_thread_fence(order)
void oclmm_barrier(uint flags);
void oclmm_sub_barrier(uint flags);
#define OCLMM_BARRIER(flags, scope) oclmm_barrier(flags)
#define OCLMM_SUB_BARRIER(flags, scope) oclmm_sub_barrier(flags)
