// SPDX-License-Identifier: Apache-2.0
/* The host's atomics with a mistake of a compiler: stores of every order are release stores. */
#include <stdatomic.h>

#undef atomic_store_explicit
#define atomic_store_explicit(at, value, order) __atomic_store_n(at, value, __ATOMIC_RELEASE)

#include "host/atomic.c"
