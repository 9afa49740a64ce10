// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What a device's compiler accepts, found by building small kernels. Claims
 * are what a device says (device.h); what it does is what tests find out.
 */
#ifndef OCLMM_RUNNER_DEVICE_PROBE_H
#define OCLMM_RUNNER_DEVICE_PROBE_H

#include "device.h"

/* Language versions that have C11 atomics. X(enumerator, option, word) */
#define OCLMM_STANDARDS(X)                                                                         \
	X(CL20, "-cl-std=CL2.0", "CL2.0")                                                          \
	X(CL30, "-cl-std=CL3.0", "CL3.0")

/* What an order and a scope are given to. X(enumerator, word) */
#define OCLMM_PROBES(X)                                                                            \
	X(ATOMIC_GLOBAL, "atomic global")                                                          \
	X(ATOMIC_LOCAL, "atomic local")                                                            \
	X(ATOMIC_GENERIC, "atomic generic")                                                        \
	X(FENCE_GLOBAL, "fence global")                                                            \
	X(FENCE_LOCAL, "fence local")

enum oclmm_standard {
#define OCLMM_X(name, ...) OCLMM_STANDARD_##name,
	OCLMM_STANDARDS(OCLMM_X)
#undef OCLMM_X
		OCLMM_STANDARD_COUNT
};
enum oclmm_probe {
#define OCLMM_X(name, ...) OCLMM_PROBE_##name,
	OCLMM_PROBES(OCLMM_X)
#undef OCLMM_X
		OCLMM_PROBE_COUNT
};

/** Plain data. */
struct oclmm_probe_table {
	/** set of oclmm_probe_bit() */
	uint64_t accepted[OCLMM_STANDARD_COUNT][OCLMM_PROBE_COUNT];
	/** the header lacks memory_scope_all_svm_devices, so that its number was used */
	bool unnamed[OCLMM_STANDARD_COUNT];
	uint32_t builds; /**< that this took */
};

/** The bit of an order with a scope. */
static inline uint64_t oclmm_probe_bit(enum oclmm_order order, enum oclmm_scope scope)
{
	return (uint64_t)1 << ((unsigned)order * OCLMM_SCOPE_COUNT + (unsigned)scope);
}

/** Asks the compiler. A few dozen builds at most; none where the version has no atomics. */
void oclmm_device_probe(struct oclmm_device *device, struct oclmm_probe_table *ret_table);

#endif
