// SPDX-License-Identifier: Apache-2.0
/* The host's atomics with a mistake of a compiler: stores of every order are release stores,
 * and fences of every order are acquire and release fences. */
#include <stdatomic.h>

#undef atomic_store_explicit
#define atomic_store_explicit(at, value, order) __atomic_store_n(at, value, __ATOMIC_RELEASE)

#undef atomic_thread_fence
#define atomic_thread_fence(order) __atomic_thread_fence(__ATOMIC_ACQ_REL)

#include "host/play.c"
