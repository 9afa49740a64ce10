// SPDX-License-Identifier: Apache-2.0
/* What a test uses, as words that a selection can ask for (`--feature WORD`). */
#ifndef OCLMM_RUNNER_SELECT_TEST_FEATURES_H
#define OCLMM_RUNNER_SELECT_TEST_FEATURES_H

#include "oclmm/ir.h"

/* X(enumerator, word, which programs have it) */
#define TEST_FEATURES(X)                                                                           \
	X(RELAXED, "relaxed", "an atomic operation or fence with memory_order_relaxed")            \
	X(ACQUIRE, "acquire", "one with memory_order_acquire")                                     \
	X(RELEASE, "release", "one with memory_order_release")                                     \
	X(ACQ_REL, "acq_rel", "one with memory_order_acq_rel; mem_fence is one")                   \
	X(SEQ_CST, "seq_cst", "one with memory_order_seq_cst")                                     \
	X(SUB_GROUP, "scope:sub_group", "an operation, fence or barrier of this scope")            \
	X(WORK_GROUP, "scope:work_group", "the same; functions of OpenCL 1.x have it")             \
	X(DEVICE, "scope:device", "the same")                                                      \
	X(ALL, "scope:all_svm_devices", "the same")                                                \
	X(ATOMIC, "atomic", "an atomic operation")                                                 \
	X(RMW, "rmw", "a read-modify-write")                                                       \
	X(CAS, "cas", "a compare-exchange")                                                        \
	X(FLAG, "atomic_flag", "a function of atomic_flag")                                        \
	X(INIT, "atomic_init", "atomic_init")                                                      \
	X(LEGACY, "legacy", "an atomic function of OpenCL 1.x")                                    \
	X(PLAIN, "plain", "a plain access of a global or local object")                            \
	X(VOLATILE, "volatile", "a volatile pointer")                                              \
	X(FENCE, "fence", "a fence; mem_fence and its kin too")                                    \
	X(BARRIER, "barrier", "a barrier of work-group or sub-group")                              \
	X(SPLIT_BARRIER, "split_barrier", "a barrier in two calls, an arrival and a wait")         \
	X(CLOCK, "clock", "a reading of a clock of kernels")                                       \
	X(COLLECTIVE, "collective", "a collective function of work-group or sub-group")            \
	X(LOOP, "loop", "a loop, bounded")                                                         \
	X(ENQUEUE, "enqueue", "a kernel that a work-item enqueues")                                \
	X(COPY, "copy", "an asynchronous copy of a work-group, and the wait for it")               \
	X(BRANCH, "branch", "an if")                                                               \
	X(GLOBAL, "global", "a global object")                                                     \
	X(LOCAL, "local", "a local object")                                                        \
	X(GENERIC, "generic", "a generic pointer")                                                 \
	X(INT64, "int64", "a 64-bit atomic operation")                                             \
	X(FLOAT, "float", "a floating-point object")                                               \
	X(SVM, "svm", "an object in shared virtual memory with atomics")                           \
	X(PROGRAM_SCOPE, "program_scope", "a variable at program scope")                           \
	X(IMAGE, "image", "an image")                                                              \
	X(PIPE, "pipe", "a pipe from kernel to kernel")                                            \
	X(HOST, "host", "a thread of the host")                                                    \
	X(COMMAND, "command", "commands of queues as threads")                                     \
	X(UNORDERED, "out_of_order", "a queue that executes out of order")                         \
	X(DEVICES, "devices", "work-items on two devices or more")                                 \
	X(GROUPS, "groups", "work-items of two work-groups or more")                               \
	X(SUB_GROUPS, "sub_groups", "sub-groups: in the placement, a scope or a barrier")

enum test_feature {
#define OCLMM_X(name, ...) TEST_FEATURE_##name,
	TEST_FEATURES(OCLMM_X)
#undef OCLMM_X
		TEST_FEATURE_COUNT
};

const char *test_feature_word(enum test_feature feature);
/* The set of UINT64_C(1) << enum test_feature that a program has. */
uint64_t test_features(const struct oclmm_program *program);

#endif
