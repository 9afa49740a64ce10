// SPDX-License-Identifier: Apache-2.0
/*
 * The bugs that can be planted into a driver, each in one line: what becomes of
 * programs, the rule of the specification that is then
 * broken, and what must be so for it to show.
 *
 * May see: change.
 */
#ifndef OCLMM_RUNNER_PLANT_PLANT_H
#define OCLMM_RUNNER_PLANT_PLANT_H

#include "oclmm/change.h"

/*
 * Mistakes in one operation; :FUNCTION (fetch_add, or of OpenCL 1.x add) in that one only, else in
 * every one but those of OpenCL 1.x that the line says something of.
 */
#define PLANT_MISTAKES(X)                                                                          \
	PLANT_VALUE(X, NOTHING_STORED, "nothing-stored", "the new value is not stored")            \
	PLANT_VALUE(X, AS_EXCHANGE, "as-exchange", "the operand is stored")                        \
	PLANT_VALUE(X, AS_ADD, "as-add", "the operand is added")                                   \
	PLANT_VALUE(X, AS_SUB, "as-sub", "the operand is subtracted")                              \
	PLANT_VALUE(X, AS_OR, "as-or", "the operand is or-ed")                                     \
	PLANT_VALUE(X, AS_XOR, "as-xor", "the operand is xor-ed")                                  \
	PLANT_VALUE(X, AS_AND, "as-and", "the operand is and-ed")                                  \
	PLANT_VALUE(X, AS_MIN, "as-min", "the lesser of the two is stored")                        \
	PLANT_VALUE(X, AS_MAX, "as-max", "the greater of the two is stored")                       \
	PLANT_VALUE(X, AS_INC, "as-inc", "one is added, and from the operand on it is 0 again")    \
	PLANT_VALUE(X, AS_DEC, "as-dec",                                                           \
	            "one is taken away; 0, and what is beyond the operand, become that")           \
	PLANT_VALUE(X, STORES_BYTE, "stores-byte", "the low byte of a new value is stored")        \
	PLANT_VALUE(X, STORES_LOW, "stores-low", "the low half of a new value is stored")          \
	PLANT_VALUE(X, STORES_HIGH, "stores-high", "the high half of a new value is stored")       \
	PLANT_VALUE(X, STORES_NO_TOP, "stores-no-top",                                             \
	            "the highest bit of a new value is not stored")                                \
	PLANT_VALUE(X, STORES_NARROW, "stores-narrow",                                             \
	            "the low half of a new value is stored, and 0 beside it")                      \
	PLANT_VALUE(X, STORES_NARROW_SIGN, "stores-narrow-sign",                                   \
	            "the low half of a new value is stored, sign-extended")                        \
	PLANT_VALUE(X, ZERO_KEPT, "zero-kept", "a new value of 0 is not stored")                   \
	PLANT_VALUE(X, COMPARES_BYTE, "compares-byte", "only the low bytes are compared")          \
	PLANT_VALUE(X, COMPARES_LOW, "compares-low", "only the low halves are compared")           \
	PLANT_VALUE(X, COMPARES_HIGH, "compares-high", "only the high halves are compared")        \
	PLANT_VALUE(X, COMPARES_NO_TOP, "compares-no-top", "the highest bits are not compared")    \
	PLANT_VALUE(X, OTHER_SIGN, "other-sign", "signed is taken for unsigned, and back")         \
	PLANT_VALUE(X, NO_CARRY_8, "no-carry-8", "no carry leaves the low 8 bits")                 \
	PLANT_VALUE(X, NO_CARRY_16, "no-carry-16", "no carry leaves the low 16 bits")              \
	PLANT_VALUE(X, NO_CARRY_32, "no-carry-32", "no carry leaves the low 32 bits")              \
	PLANT_VALUE(X, SATURATES, "saturates", "what would wrap stays at the type's limit")        \
	PLANT_VALUE(X, RETURNS_NEW, "returns-new", "the result is the new value")                  \
	PLANT_VALUE(X, RETURNS_LOW, "returns-low", "the result is the old value's low half")       \
	PLANT_VALUE(X, RETURNS_NO_TOP, "returns-no-top",                                           \
	            "the result is the old value without its highest bit")                         \
	PLANT_VALUE(X, FAILURE_WRITES, "failure-writes", "a failing compare-exchange stores")      \
	PLANT_VALUE(X, EXPECTED_KEPT, "expected-kept", "a failing one leaves what it expects")     \
	PLANT_VALUE(X, OPERAND_8, "operand-8", "of the operand the low 8 bits are taken")          \
	PLANT_VALUE(X, OPERAND_16, "operand-16", "of the operand the low 16 bits are taken")       \
	PLANT_VALUE(X, OPERAND_32, "operand-32", "of the operand the low 32 bits are taken")       \
	PLANT_VALUE(X, OPERAND_NO_TOP, "operand-no-top",                                           \
	            "of the operand the highest bit is not taken")                                 \
	PLANT_VALUE(X, OPERAND_SIGN_8, "operand-sign-8", "its low 8 bits, sign-extended")          \
	PLANT_VALUE(X, OPERAND_SIGN_16, "operand-sign-16", "its low 16 bits, sign-extended")       \
	PLANT_VALUE(X, OPERAND_SIGN_32, "operand-sign-32", "its low 32 bits, sign-extended")       \
	PLANT_VALUE(X, OPERAND_ONE_MORE, "operand-one-more", "the operand is one more")            \
	PLANT_VALUE(X, OPERAND_NEGATED, "operand-negated", "the operand has the other sign")       \
	PLANT_VALUE(X, SWAPPED, "swapped", "what is expected and what is stored change places")    \
	PLANT_VALUE(X, EXPECTS_16, "expects-16", "of what is expected the low 16 bits count")      \
	PLANT_VALUE(X, EXPECTS_ONE_MORE, "expects-one-more", "one more is expected")               \
	PLANT_VALUE(X, OPERAND_INVERTED, "operand-inverted", "of the operand all bits are turned") \
	PLANT_VALUE(X, REVERSED, "reversed", "the old value is taken from the operand")            \
	PLANT_VALUE(X, RETURNS_OPERAND, "returns-operand", "the result is the operand")            \
	PLANT_VALUE(X, EXPECTED_STORED, "expected-stored",                                         \
	            "one that succeeds leaves in what it expects the value that it stored")        \
	PLANT_VALUE(X, SAYS_SUCCESS, "says-success", "one that fails says that it succeeded")      \
	PLANT_VALUE(X, SAYS_FAILURE, "says-failure", "one that succeeds says that it failed")      \
	PLANT_VALUE(X, FAILS, "fails", "one that finds what it expects fails")                     \
	PLANT_VALUE(X, SUCCEEDS, "succeeds", "one that finds something else succeeds")
#define PLANT_VALUE(X, name, word, becomes)                                                        \
	X(name, word, name, ANYWHERE, becomes, "C:6.15.12.7 what the function computes",           \
	  "everywhere")

/* Bugs of orders and updates that show in some calls only. */
#define PLANT_SOME(X)                                                                              \
	X(WIDE_RELAXED, "wide-relaxed", RELAXED, WIDE, "operations on 64-bit objects are relaxed", \
	  "A:3.3.9.1 all of it", "64-bit forms of store buffering")                                \
	X(WIDE_SPLIT, "wide-split", SPLIT, WIDE, "updates of 64-bit objects load and store",       \
	  "C:6.15.12.7 indivisible updates", "everywhere")                                         \
	X(SHORT_RELAXED, "short-relaxed", RELAXED, SHORT,                                          \
	  "operations without an order are relaxed", "C:6.15.12.7 they are seq_cst",               \
	  "store buffering without orders")                                                        \
	X(LOCAL_LOST, "local-lost", NOTHING_STORED, LOCAL,                                         \
	  "operations on local memory store nothing", "C:6.15.12.7 an update takes place",         \
	  "everywhere")                                                                            \
	X(ZERO_LOAD, "zero-to-load", ZERO_LOAD, ANYWHERE,                                          \
	  "updates that add, set or clear nothing are relaxed loads",                              \
	  "A:3.3.9.1 an update is one whatever it stores", "an update of nothing as a fence")      \
	X(SAME_LOAD, "same-to-load", SAME_LOAD, ANYWHERE,                                          \
	  "a compare-exchange that would store what it expects is a relaxed load",                 \
	  "A:3.3.9.1 an update is one whatever it stores", "an update of nothing as a fence")      \
	X(UNUSED_RELAXED, "unused-relaxed", RELAXED, UNUSED,                                       \
	  "updates whose result is unused are relaxed",                                            \
	  "A:3.3.9.1 an update is one whoever looks at its result", "R and SB of updates")         \
	X(BRANCH_SPLIT, "branch-split", SPLIT, BRANCH, "updates in a branch load and store",       \
	  "C:6.15.12.7 indivisible updates", "updates in a branch")                                \
	X(BRANCH_RELAXED, "branch-relaxed", RELAXED, BRANCH,                                       \
	  "atomic operations in a branch are relaxed", "A:3.3.9.1 all of it",                      \
	  "operations in a branch")                                                                \
	X(OTHER_RELAXED, "other-relaxed", RELAXED, OTHER, "stores of anything but 1 are relaxed",  \
	  "A:3.3.9.1 all of it", "store buffering with other values")                              \
	X(MIXED_SPLIT, "mixed-split", SPLIT, MIXED,                                                \
	  "updates load and store where another function updates the object, too",                 \
	  "C:6.15.12.7 indivisible updates", "updates by different functions")                     \
	X(STORED_SPLIT, "stored-split", SPLIT, STORED,                                             \
	  "updates load and store where the object is stored, too",                                \
	  "C:6.15.12.7 indivisible updates", "updates beside stores")                              \
	X(FLOAT_BITS, "float-bits", FLOAT_BITS, ANYWHERE,                                          \
	  "sums, minima and maxima of floats are those of their bits",                             \
	  "cl_ext_float_atomics what the function computes", "devices with that extension")        \
	X(FLOAT_ZERO, "float-zero", FLOAT_ZERO, ANYWHERE,                                          \
	  "stores and exchanges of floats add 0, so that -0.0 becomes 0.0",                        \
	  "C:6.15.12.7 the value is stored", "load+store+bits")                                    \
	X(FLOAT_PAYLOAD, "float-payload", FLOAT_PAYLOAD, ANYWHERE,                                 \
	  "loads and exchanges of floats give each NaN the same bits",                             \
	  "C:6.15.12.7 the value is read", "load+store+bits")                                      \
	X(FLOAT_SUBNORMAL, "float-subnormal", FLOAT_SUBNORMAL, ANYWHERE,                           \
	  "loads and exchanges of floats flush subnormal numbers to zero",                         \
	  "C:7.2 what computes nothing flushes nothing", "load+store+subnormal")                   \
	X(FLOAT_EQUAL, "float-equal", FLOAT_EQUAL, ANYWHERE,                                       \
	  "compare-exchanges of floats compare as == does", "C:6.15.12.7.4 it compares the bits",  \
	  "compare_exchange+bits")                                                                 \
	X(COLLECTIVE_ALONE, "collective-alone", COLLECTIVE_ALONE, ANYWHERE,                        \
	  "collective functions give what the work-item itself passes",                            \
	  "C:6.15.16 what all work-items of the group pass", "devices with such functions")        \
	X(GROUP_RELAXED, "group-relaxed", RELAXED, BIG_GROUP,                                      \
	  "all-relaxed in groups of N (:N, 8) work-items or more", "A:3.3.9.1 all of it",          \
	  "environments with groups of many work-items")                                           \
	X(GROUP_SPLIT, "group-split", SPLIT, BIG_GROUP,                                            \
	  "updates load and store in groups of N (:N, 8) or more",                                 \
	  "C:6.15.12.7 indivisible updates", "environments with groups of many work-items")        \
	X(MANY_RELAXED, "many-relaxed", RELAXED, MANY_GROUPS,                                      \
	  "all-relaxed in launches of N (:N, 16) groups or more", "A:3.3.9.1 all of it",           \
	  "environments with many groups")                                                         \
	X(MANY_SPLIT, "many-split", SPLIT, MANY_GROUPS,                                            \
	  "updates load and store in launches of N (:N, 16) groups",                               \
	  "C:6.15.12.7 indivisible updates", "environments with many groups")                      \
	X(ODD_RELAXED, "odd-relaxed", RELAXED, ODD_GROUP,                                          \
	  "all-relaxed in work-groups of odd number", "A:3.3.9.1 all of it", "everywhere")         \
	X(ODD_SPLIT, "odd-split", SPLIT, ODD_GROUP,                                                \
	  "updates load and store in work-groups of odd number",                                   \
	  "C:6.15.12.7 indivisible updates", "everywhere")                                         \
	X(LANE_RELAXED, "lane-relaxed", RELAXED, LANE,                                             \
	  "all-relaxed in the last of N (:N, 4) work-items", "A:3.3.9.1 all of it",                \
	  "environments with groups of many work-items")                                           \
	X(LANE_SPLIT, "lane-split", SPLIT, LANE,                                                   \
	  "updates load and store in the last of N (:N, 4) work-items",                            \
	  "C:6.15.12.7 indivisible updates", "environments with groups of many work-items")        \
	X(SMALL_RELAXED, "small-relaxed", RELAXED, SMALL_GROUP,                                    \
	  "all-relaxed in groups of N (:N, 1) work-items or less", "A:3.3.9.1 all of it",          \
	  "environments with small groups: CPUs")                                                  \
	X(SMALL_SPLIT, "small-split", SPLIT, SMALL_GROUP,                                          \
	  "updates load and store in groups of N (:N, 1) or less",                                 \
	  "C:6.15.12.7 indivisible updates", "environments with small groups: CPUs")               \
	X(UNEVEN_RELAXED, "uneven-relaxed", RELAXED, UNEVEN_GROUP,                                 \
	  "all-relaxed in groups of no multiple of N (:N, 32)", "A:3.3.9.1 all of it",             \
	  "environments with groups of other sizes")                                               \
	X(UNEVEN_SPLIT, "uneven-split", SPLIT, UNEVEN_GROUP,                                       \
	  "updates load and store in groups of no multiple of N",                                  \
	  "C:6.15.12.7 indivisible updates", "environments with groups of other sizes")            \
	X(EXACT_RELAXED, "exact-relaxed", RELAXED, EXACT_GROUP,                                    \
	  "all-relaxed in groups of exactly N (:N, 32)", "A:3.3.9.1 all of it",                    \
	  "environments with groups of that size")                                                 \
	X(EXACT_SPLIT, "exact-split", SPLIT, EXACT_GROUP,                                          \
	  "updates load and store in groups of exactly N (:N, 32)",                                \
	  "C:6.15.12.7 indivisible updates", "environments with groups of that size")              \
	X(FROM_RELAXED, "from-relaxed", RELAXED, FROM_GROUP,                                       \
	  "all-relaxed in work-groups from number N (:N, 64) on", "A:3.3.9.1 all of it",           \
	  "environments with many groups")                                                         \
	X(FROM_SPLIT, "from-split", SPLIT, FROM_GROUP,                                             \
	  "updates load and store in groups from number N (:N, 64) on",                            \
	  "C:6.15.12.7 indivisible updates", "environments with many groups")                      \
	X(SHIFTED_RELAXED, "shifted-relaxed", RELAXED, SHIFTED,                                    \
	  "all-relaxed at addresses of no multiple of N (:N, 8)", "A:3.3.9.1 all of it",           \
	  "objects that lie side by side")                                                         \
	X(SHIFTED_SPLIT, "shifted-split", SPLIT, SHIFTED,                                          \
	  "updates load and store at addresses of no multiple of N",                               \
	  "C:6.15.12.7 indivisible updates", "objects that lie side by side")                      \
	X(RARE_RELAXED, "rare-relaxed", RELAXED, RARE, "one operation in N (:N, 1000) is relaxed", \
	  "A:3.3.9.1 all of it", "everywhere")                                                     \
	X(RARE_SPLIT, "rare-split", SPLIT, RARE, "one update in N (:N, 1000) loads and stores",    \
	  "C:6.15.12.7 indivisible updates", "everywhere")                                         \
	X(COUNT_LOST, "count-lost", COUNT_LOST, RARE,                                              \
	  "one OpenCL 1.x update in N (:N, 1000) writes nothing",                                  \
	  "C:6.15.12.8 an update takes place", "in the counts that kernels keep themselves")       \
	X(INIT_LOST, "init-lost", INIT_LOST, ANYWHERE, "atomic_init stores nothing",               \
	  "C:6.15.12.2 atomic_init gives the value", "everywhere")                                 \
	X(INIT_NARROW, "init-narrow", INIT_NARROW, ANYWHERE,                                       \
	  "atomic_init stores the low half of a value, and 0 beside",                              \
	  "C:6.15.12.2 atomic_init gives the value", "everywhere")

/* Bugs of what a device has or lacks. */
#define PLANT_FEATURES(X)                                                                          \
	X(VARIABLE_COPIED, "variable-copied", VARIABLE_COPIED, ANYWHERE,                           \
	  "of a variable at program scope odd work-groups have a copy of their own",               \
	  "C:6.7.1 all work-items of the device share it", "tests that span work-groups")          \
	X(VARIABLE_DIRTY, "variable-dirty", VARIABLE_DIRTY, ANYWHERE,                              \
	  "variables at program scope without an initialiser begin as 5", "C:6.7.1 they are zero", \
	  "the first launch of a program")                                                         \
	X(INITIALISER_LOST, "initialiser-lost", INITIALISER_LOST, ANYWHERE,                        \
	  "variables at program scope with an initialiser begin as 0",                             \
	  "C:6.7.1 they have its value", "the first launch of a program")                          \
	X(COPY_SHORT, "copy-short", COPY_SHORT, ANYWHERE,                                          \
	  "asynchronous copies leave out their last element", "C:6.15.11 all elements are copied", \
	  "everywhere")                                                                            \
	X(COPY_STRIDE, "copy-stride", COPY_STRIDE, ANYWHERE,                                       \
	  "strided asynchronous copies have a stride of 1", "C:6.15.11 the stride of a copy",      \
	  "copies with a stride")                                                                  \
	X(COPY_UNAWAITED, "copy-unawaited", COPY_UNAWAITED, ANYWHERE,                              \
	  "wait_group_events waits for nothing", "C:6.15.11 who has waited sees the copy",         \
	  "copies that others make, or that go on behind the call")                                \
	X(CHILD_EARLY, "child-early", CHILD_EARLY, ANYWHERE,                                       \
	  "child kernels wait for no end of their parent",                                         \
	  "A:3.3.9.5 (13), (14) they begin behind it", "writes of another work-group")             \
	X(CHILD_UNAWAITED, "child-unawaited", CHILD_UNAWAITED, ANYWHERE,                           \
	  "child kernels wait for no events", "A:3.3.9.5 (2) they begin behind them",              \
	  "two children and an event")                                                             \
	X(IMAGE_STALE, "image-stale", IMAGE_STALE, ANYWHERE,                                       \
	  "an image is read as it was before the kernel, 0",                                       \
	  "C:6.15.15.6 a write is visible behind a fence or barrier for images", "everywhere")

/* Bugs of a compiler that cuts kernels at their barriers: in texts that work-items share alone. */
#define PLANT_SHARED(X)                                                                            \
	X(BRANCH_BARRIER, "branch-barrier", BARRIER_LOST, BRANCH,                                  \
	  "barriers in a branch do nothing", "C:6.15.8 all work-items of the group wait",          \
	  "kernels that hand values on in a branch")                                               \
	X(LOOP_BARRIER, "loop-barrier", BARRIER_LOST, LOOP, "barriers in a loop do nothing",       \
	  "C:6.15.8 all work-items of the group wait", "kernels that hand values on in a loop")    \
	X(SWITCH_BARRIER, "switch-barrier", BARRIER_LOST, SWITCH,                                  \
	  "barriers in a switch do nothing", "C:6.15.8 all work-items of the group wait",          \
	  "kernels that hand values on in a switch")                                               \
	X(TOP_BARRIER, "top-barrier", BARRIER_LOST, STRAIGHT,                                      \
	  "barriers outside of branches and loops do nothing",                                     \
	  "C:6.15.8 all work-items of the group wait", "kernels that hand values on")              \
	X(BRANCH_HOIST, "branch-hoist", ACCESS_EARLY, BRANCH,                                      \
	  "in a branch what stands behind a barrier is done before it",                            \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on in a branch")           \
	X(LOOP_HOIST, "loop-hoist", ACCESS_EARLY, LOOP,                                            \
	  "in a loop what stands behind a barrier is done before it",                              \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on in a loop")             \
	X(SWITCH_HOIST, "switch-hoist", ACCESS_EARLY, SWITCH,                                      \
	  "in a switch what stands behind a barrier is done before it",                            \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on in a switch")           \
	X(TOP_HOIST, "top-hoist", ACCESS_EARLY, STRAIGHT, "outside of both, the same",             \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on")                       \
	X(BRANCH_SINK, "branch-sink", ACCESS_LATE, BRANCH,                                         \
	  "in a branch what stands before a barrier is done behind it",                            \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on in a branch")           \
	X(LOOP_SINK, "loop-sink", ACCESS_LATE, LOOP,                                               \
	  "in a loop what stands before a barrier is done behind it",                              \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on in a loop")             \
	X(SWITCH_SINK, "switch-sink", ACCESS_LATE, SWITCH,                                         \
	  "in a switch what stands before a barrier is done behind it",                            \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on in a switch")           \
	X(TOP_SINK, "top-sink", ACCESS_LATE, STRAIGHT, "outside of both, the same",                \
	  "C:6.15.8 a barrier orders memory", "kernels that hand values on")                       \
	X(BRANCH_PRIVATE, "branch-private", PRIVATE_LOST, BRANCH,                                  \
	  "private variables are 0 behind a barrier in a branch",                                  \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(LOOP_PRIVATE, "loop-private", PRIVATE_LOST, LOOP,                                        \
	  "private variables are 0 behind a barrier in a loop",                                    \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(SWITCH_PRIVATE, "switch-private", PRIVATE_LOST, SWITCH,                                  \
	  "private variables are 0 behind a barrier in a switch",                                  \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(TOP_PRIVATE, "top-private", PRIVATE_LOST, STRAIGHT,                                      \
	  "private variables are 0 behind any other barrier",                                      \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(BRANCH_REST, "branch-rest", REST_LOST, BRANCH,                                           \
	  "what stands behind a barrier in a branch is lost",                                      \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(LOOP_REST, "loop-rest", REST_LOST, LOOP,                                                 \
	  "what stands behind a barrier in a loop is lost",                                        \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(SWITCH_REST, "switch-rest", REST_LOST, SWITCH,                                           \
	  "what stands behind a barrier in a switch is lost",                                      \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(TOP_REST, "top-rest", REST_LOST, STRAIGHT,                                               \
	  "what stands behind any other barrier is lost",                                          \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(BRANCH_TWICE, "branch-twice", REST_TWICE, BRANCH,                                        \
	  "the first work-item does twice what stands behind a barrier in a branch",               \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(LOOP_TWICE, "loop-twice", REST_TWICE, LOOP,                                              \
	  "the first work-item does twice what stands behind a barrier in a loop",                 \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(SWITCH_TWICE, "switch-twice", REST_TWICE, SWITCH,                                        \
	  "the first work-item does twice what stands behind a barrier in a switch",               \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(TOP_TWICE, "top-twice", REST_TWICE, STRAIGHT,                                            \
	  "the first work-item does twice what stands behind any other barrier",                   \
	  "C:6.15.8 what is done behind a barrier is the kernel's text", "everywhere")             \
	X(BRANCH_FIRST, "branch-first", REST_FIRST, BRANCH,                                        \
	  "only the first work-item does what stands behind a barrier in a branch",                \
	  "C:6.15.8 what is done behind a barrier is the kernel's text",                           \
	  "groups of several work-items")                                                          \
	X(LOOP_FIRST, "loop-first", REST_FIRST, LOOP,                                              \
	  "only the first work-item does what stands behind a barrier in a loop",                  \
	  "C:6.15.8 what is done behind a barrier is the kernel's text",                           \
	  "groups of several work-items")                                                          \
	X(SWITCH_FIRST, "switch-first", REST_FIRST, SWITCH,                                        \
	  "only the first work-item does what stands behind a barrier in a switch",                \
	  "C:6.15.8 what is done behind a barrier is the kernel's text",                           \
	  "groups of several work-items")                                                          \
	X(TOP_FIRST, "top-first", REST_FIRST, STRAIGHT,                                            \
	  "only the first work-item does what stands behind any other barrier",                    \
	  "C:6.15.8 what is done behind a barrier is the kernel's text",                           \
	  "groups of several work-items")                                                          \
	X(ALL_ENTER, "all-enter", ALL_ENTER, ANYWHERE,                                             \
	  "all work-items take a branch that has no barrier", "C:6.11 statements",                 \
	  "work that some do and others do not")                                                   \
	X(BRANCH_ALL_ENTER, "branch-all-enter", ALL_ENTER, BRANCH,                                 \
	  "in a branch all work-items take a branch that has no barrier", "C:6.11 statements",     \
	  "work that some do in a branch, and others do not")                                      \
	X(NONE_ENTERS, "none-enters", NONE_ENTERS, ANYWHERE, "no work-item takes a branch",        \
	  "C:6.11 statements", "everywhere")                                                       \
	X(BRANCH_NONE_ENTERS, "branch-none-enters", NONE_ENTERS, BRANCH,                           \
	  "in a branch no work-item takes a branch", "C:6.11 statements",                          \
	  "work that some do in a branch")                                                         \
	X(TURN_TWICE, "turn-twice", TURN_TWICE, ANYWHERE,                                          \
	  "loops with a barrier do each turn twice", "C:6.11 statements", "everywhere")            \
	X(JUMP_LOST, "jump-lost", JUMP_LOST, ANYWHERE, "break, continue and return do nothing",    \
	  "C:6.11 statements", "kernels that all leave early")                                     \
	X(BRANCH_JUMP, "branch-jump", JUMP_LOST, BRANCH,                                           \
	  "in a branch break, continue and return do nothing", "C:6.11 statements",                \
	  "kernels that all leave early")                                                          \
	X(SWITCH_JUMP, "switch-jump", JUMP_LOST, SWITCH, "break in a switch does nothing",         \
	  "C:6.11 statements", "kernels with a switch")                                            \
	X(POINTER_SAME, "pointer-same", POINTER_SAME, ANYWHERE,                                    \
	  "a pointer that each work-item chooses is the first one in all", "C:6.5 operators",      \
	  "lanes of one instruction that access two objects")

/* Bugs of what orders commands, and of what they find: programs pass unchanged, calls do not. */
#define PLANT_CALLS(X)                                                                             \
	X(START_CHANGED, "start-changed", NOTHING, ANYWHERE,                                       \
	  "from the second launch on a kernel's first buffer is full of N (:N, 1)",                \
	  "A:3.3.9.5 a command finds what was left to it", "loads that nothing may precede")       \
	X(EVENT_EARLY, "event-early", NOTHING, ANYWHERE,                                           \
	  "events of commands are complete at once", "A:3.3.9.5 an event follows its command",     \
	  "commands that wait for events, callbacks")                                              \
	X(FLUSH_LOST, "flush-lost", NOTHING, ANYWHERE,                                             \
	  "clFlush sends nothing, and commands wait for a call that waits", "A:5.15 clFlush",      \
	  "events of another queue, callbacks, status")                                            \
	X(WAIT_LIST_IGNORED, "wait-list-ignored", NOTHING, ANYWHERE,                               \
	  "commands do not wait for the events listed",                                            \
	  "A:3.3.9.5 a command follows its wait list", "two queues, queues out of order")          \
	X(MAP_EMPTY, "map-empty", NOTHING, ANYWHERE,                                               \
	  "a map gives memory of its own, and unmapping drops it",                                 \
	  "A:5.5.4 what is mapped is the object", "everywhere")                                    \
	X(MAP_STALE, "map-stale", NOTHING, ANYWHERE,                                               \
	  "a blocking map gives what an earlier one gave, until a clFinish",                       \
	  "A:5.5.4 what is mapped is the object", "an object that is mapped twice")                \
	X(IMAGE_LIST_IGNORED, "image-list-ignored", NOTHING, ANYWHERE,                             \
	  "reads, writes and copies of images do not wait for the events listed",                  \
	  "A:3.3.9.5 a command follows its wait list", "images in two queues")                     \
	X(IMAGE_UNBLOCKED, "image-unblocked", NOTHING, ANYWHERE,                                   \
	  "no read or write of an image blocks", "A:3.3.9.5 a blocking call follows its command",  \
	  "a host that goes on behind the call")                                                   \
	X(HOST_POINTER_COPIED, "host-pointer-copied", NOTHING, ANYWHERE,                           \
	  "a buffer copies the memory that the host gives for it",                                 \
	  "A:5.5.4 the memory given shows what is mapped",                                         \
	  "buffers made with CL_MEM_USE_HOST_PTR")                                                 \
	X(SVM_COPIED, "svm-copied", NOTHING, ANYWHERE,                                             \
	  "a buffer over shared virtual memory copies it, and says that it does not",              \
	  "A:5.5.4 the memory given shows what is mapped",                                         \
	  "maps of buffers over shared virtual memory")                                            \
	X(UNMAP_EARLY, "unmap-early", NOTHING, ANYWHERE,                                           \
	  "events of unmappings are complete at once", "A:3.3.9.5 an event follows its command",   \
	  "commands that wait for an unmapping")                                                   \
	X(QUEUE_ORDERED, "queue-ordered", NOTHING, ANYWHERE,                                       \
	  "queues out of order are queues in order", "A:3.2 no command keeps another one back",    \
	  "commands that wait for what is enqueued behind them")                                   \
	X(FINISH_EARLY, "finish-early", NOTHING, ANYWHERE,                                         \
	  "clFinish sends what is queued, and does not wait",                                      \
	  "A:3.3.9.5 clFinish follows all before it", "a host that goes on behind clFinish")       \
	X(QUEUE_UNORDERED, "queue-unordered", NOTHING, ANYWHERE,                                   \
	  "queues in order are queues out of order", "A:3.3.9.5 commands in order",                \
	  "several commands in one queue")                                                         \
	X(BARRIER_IGNORED, "barrier-ignored", NOTHING, ANYWHERE,                                   \
	  "commands that are barriers or markers wait for nothing",                                \
	  "A:3.3.9.5 a barrier follows all before it", "queues out of order, markers")             \
	X(ARGUMENT_KEPT, "argument-kept", NOTHING, ANYWHERE,                                       \
	  "from the second launch on a kernel keeps its arguments",                                \
	  "A:5.9.2 the value that was set", "kernels whose arguments change")                      \
	X(ARGUMENT_LATE, "argument-late", NOTHING, ANYWHERE,                                       \
	  "an argument of a kernel that was launched counts from the launch after the next one",   \
	  "A:5.9.2 the value that was set", "kernels whose arguments change")                      \
	X(LAUNCH_SHORT, "launch-short", NOTHING, ANYWHERE,                                         \
	  "the last work-group of a launch is left out", "A:5.10 all work-items execute",          \
	  "everywhere")                                                                            \
	X(TRANSFER_SHORT, "transfer-short", NOTHING, ANYWHERE,                                     \
	  "fills, copies, reads and writes leave out their last eight bytes",                      \
	  "A:5.2.2 all bytes are transferred", "everywhere")                                       \
	X(TRANSFER_OFFSET, "transfer-offset", NOTHING, ANYWHERE,                                   \
	  "fills, copies, reads and writes have no offset",                                        \
	  "A:5.2.2 transfers begin at their offset", "transfers behind the beginning")             \
	X(PITCH_IGNORED, "pitch-ignored", NOTHING, ANYWHERE,                                       \
	  "rows of a rectangle lie side by side in buffers", "A:5.2.2 rows have a pitch",          \
	  "rectangles")                                                                            \
	X(MAP_OFFSET, "map-offset", NOTHING, ANYWHERE,                                             \
	  "what is mapped begins where its buffer does", "A:5.2.4 a map begins at its offset",     \
	  "maps behind the beginning")                                                             \
	X(MIGRATE_LOST, "migrate-lost", NOTHING, ANYWHERE,                                         \
	  "an object that migrates is full of zeros", "A:5.5.5 migration keeps the contents",      \
	  "tests that migrate")                                                                    \
	X(WAIT_LIST_FIRST, "wait-list-first", NOTHING, ANYWHERE,                                   \
	  "of a wait list only the first event counts",                                            \
	  "A:3.3.9.5 a command follows its wait list", "wait lists of several events")             \
	X(SYNC_POINT_IGNORED, "sync-point-ignored", NOTHING, ANYWHERE,                             \
	  "recorded kernels, fills and copies do not wait for sync points",                        \
	  "cl_khr_command_buffer a command follows its sync points", "command buffers")            \
	X(REPLAY_LIST_IGNORED, "replay-list-ignored", NOTHING, ANYWHERE,                           \
	  "replays of command buffers do not wait for the events listed",                          \
	  "cl_khr_command_buffer a replay follows its wait list", "command buffers")               \
	X(REPLAY_QUEUE_KEPT, "replay-queue-kept", NOTHING, ANYWHERE,                               \
	  "replays are in the queue that they were recorded for, whatever queue they are given",   \
	  "cl_khr_command_buffer a replay is in the queue given", "command buffers")               \
	X(UPDATE_IGNORED, "update-ignored", NOTHING, ANYWHERE,                                     \
	  "kernels are replayed with the arguments that they were recorded with",                  \
	  "cl_khr_command_buffer_mutable_dispatch an update changes later replays",                \
	  "kernels that are changed between replays")                                              \
	X(LAUNCH_KEPT, "launch-kept", NOTHING, ANYWHERE,                                           \
	  "kernels are replayed with the offset and the sizes that they were recorded with",       \
	  "cl_khr_command_buffer_mutable_dispatch an update changes later replays",                \
	  "kernels whose offset or sizes are changed between replays")                             \
	X(SEMAPHORE_IGNORED, "semaphore-ignored", NOTHING, ANYWHERE,                               \
	  "a wait for semaphores waits for its list alone",                                        \
	  "cl_khr_semaphore a wait follows the signals", "semaphores")                             \
	X(SEMAPHORE_EARLY, "semaphore-early", NOTHING, ANYWHERE,                                   \
	  "a semaphore is signaled before what the signal waits for has ended",                    \
	  "cl_khr_semaphore a signal follows its list and its queue", "semaphores")                \
	X(SEMAPHORE_FIRST, "semaphore-first", NOTHING, ANYWHERE,                                   \
	  "of the semaphores of a wait only the first counts",                                     \
	  "cl_khr_semaphore a wait follows the signals", "waits for several semaphores")           \
	X(ADDRESS_APART, "address-apart", NOTHING, ANYWHERE,                                       \
	  "the address of a buffer leads to a copy of it",                                         \
	  "cl_ext_buffer_device_address a buffer and its address are one memory",                  \
	  "addresses of buffers")                                                                  \
	X(EXEC_INFO_DROPPED, "exec-info-dropped", NOTHING, ANYWHERE,                               \
	  "memory that clSetKernelExecInfo alone names is a copy of the device's own",             \
	  "A:5.9.2 a kernel reaches the memory that is named",                                     \
	  "kernels that find pointers in memory")                                                  \
	X(SVM_APART, "svm-apart", NOTHING, ANYWHERE,                                               \
	  "what a kernel does to memory of clSVMAllocWithPropertiesKHR is done to a copy",         \
	  "cl_khr_unified_svm the host and the devices have one memory",                           \
	  "types of SVM of cl_khr_unified_svm")                                                    \
	X(ACQUIRE_IGNORED, "acquire-ignored", NOTHING, ANYWHERE,                                   \
	  "external memory is not acquired",                                                       \
	  "cl_khr_external_memory acquired memory has what was written outside",                   \
	  "external memory")                                                                       \
	X(ACQUIRE_LATE, "acquire-late", NOTHING, ANYWHERE,                                         \
	  "external memory is acquired after the event of its acquisition is complete",            \
	  "cl_khr_external_memory an acquisition precedes its event", "external memory")           \
	X(ACQUIRE_AT_ONCE, "acquire-at-once", NOTHING, ANYWHERE,                                   \
	  "an acquisition of external memory, and its event, waits for nothing",                   \
	  "cl_khr_external_memory an acquisition follows its list and its queue",                  \
	  "external memory")                                                                       \
	X(RELEASE_AT_ONCE, "release-at-once", NOTHING, ANYWHERE,                                   \
	  "a release of external memory, and its event, waits for nothing",                        \
	  "cl_khr_external_memory a release follows its list and its queue", "external memory")    \
	X(RELEASE_IGNORED, "release-ignored", NOTHING, ANYWHERE,                                   \
	  "external memory is not released",                                                       \
	  "cl_khr_external_memory released memory is seen outside", "external memory")             \
	X(RELEASE_EARLY, "release-early", NOTHING, ANYWHERE,                                       \
	  "external memory is released before what its release waits for has ended",               \
	  "cl_khr_external_memory a release follows its list and its queue", "external memory")    \
	X(BLOCKING_IGNORED, "blocking-ignored", NOTHING, ANYWHERE, "no read, write or map blocks", \
	  "A:3.3.9.5 a blocking call follows its command", "a host that goes on behind the call")  \
	X(WAIT_EARLY, "wait-early", NOTHING, ANYWHERE,                                             \
	  "clWaitForEvents sends what is queued, and does not wait",                               \
	  "A:3.3.9.5 clWaitForEvents follows the commands", "a host that goes on behind the call") \
	X(CALLBACK_EARLY, "callback-early", NOTHING, ANYWHERE,                                     \
	  "callbacks are called as they are set", "A:5.11 a callback follows its command",         \
	  "a host that goes on by a callback")                                                     \
	X(USER_EVENT_EARLY, "user-event-early", NOTHING, ANYWHERE,                                 \
	  "user events are complete from the beginning",                                           \
	  "A:5.11 a command waits until the event is set", "commands that wait for user events")   \
	X(ORIGIN_IGNORED, "origin-ignored", NOTHING, ANYWHERE,                                     \
	  "sub-buffers begin where their buffer does",                                             \
	  "A:5.2.1 a sub-buffer begins at its origin", "sub-buffers behind the beginning")         \
	X(OFFSET_IGNORED, "offset-ignored", NOTHING, ANYWHERE, "launches have no global offset",   \
	  "A:3.2.1 the offset is added to global ids", "launches with an offset")                  \
	X(OFFSET_DOUBLED, "offset-doubled", NOTHING, ANYWHERE,                                     \
	  "the global offset of a launch counts twice",                                            \
	  "A:3.2.1 the offset is added to global ids", "launches with an offset")                  \
	X(OFFSET_FIRST, "offset-first", NOTHING, ANYWHERE,                                         \
	  "the first dimension's offset is that of the others",                                    \
	  "A:3.2.1 each dimension has its offset", "offsets in two or three dimensions")           \
	X(ROWS_SWAPPED, "rows-swapped", NOTHING, ANYWHERE,                                         \
	  "the first two dimensions of a launch change places",                                    \
	  "A:3.2.1 each dimension has its size", "launches of two or three dimensions")            \
	X(GROUP_REPEATED, "group-repeated", NOTHING, ANYWHERE,                                     \
	  "the first work-group of a launch runs twice", "A:5.10 each work-item executes once",    \
	  "everywhere")

/* X(enumerator, name, what is changed and where (OCLMM_WHAT_, OCLMM_WHERE_), the same in words, the
 * rule broken, where it can show). What is in calls changes nothing. */
#define PLANT_LIST(X)                                                                              \
	X(NONE, "none", NOTHING, ANYWHERE, "nothing: programs pass unchanged", "none", "nowhere")  \
	X(SC_ACQ_REL, "sc-to-acq-rel", NO_TOTAL_ORDER, ANYWHERE,                                   \
	  "seq_cst operations are acquire, release or both",                                       \
	  "A:3.3.9.1 the total order of seq_cst operations", "a store before a load: x86, GPUs")   \
	X(ACQUIRE_RELAXED, "acquire-to-relaxed", NO_ACQUIRE, ANYWHERE,                             \
	  "operations do not acquire, seq_cst ones excepted", "A:3.3.9.1 synchronizes-with",       \
	  "loads reordered by compiler or machine: ARM, POWER, GPUs")                              \
	X(RELEASE_RELAXED, "release-to-relaxed", NO_RELEASE, ANYWHERE,                             \
	  "operations do not release, seq_cst ones excepted", "A:3.3.9.1 synchronizes-with",       \
	  "stores reordered by compiler or machine: ARM, POWER, GPUs")                             \
	X(RMW_RELAXED, "rmw-to-relaxed", RMW_RELAXED, ANYWHERE,                                    \
	  "read-modify-writes neither acquire nor release", "A:3.3.9.1 synchronizes-with",         \
	  "machines whose atomic updates order nothing: ARM, GPUs")                                \
	X(ALL_RELAXED, "all-relaxed", RELAXED, ANYWHERE, "every operation and fence is relaxed",   \
	  "A:3.3.9.1 all of it", "everywhere: store buffering at least")                           \
	X(NOTHING_ORDERS, "nothing-orders", UNORDERED, ANYWHERE,                                   \
	  "all is relaxed, fences do nothing (:scopes: and nothing leaves the group)",             \
	  "A:3.3.9.1 all of it", "everywhere: store buffering at least")                           \
	X(PLAIN_ACCESS, "plain-access", PLAIN_ACCESS, ANYWHERE,                                    \
	  "atomic loads and stores are plain accesses", "A:3.3.9.1 all of it",                     \
	  "everywhere: store buffering at least")                                                  \
	X(CAS_FAIL_RELAXED, "cas-fail-relaxed", FAILURE_RELAXED, ANYWHERE,                         \
	  "a failed compare-exchange does not acquire", "C:6.15.12.7.4 the failure order",         \
	  "machines whose atomic updates order nothing")                                           \
	X(SCOPE_NARROWED, "scope-narrowed", SCOPE, ANYWHERE,                                       \
	  "scopes end at the work-group, or (:sub_group) at the sub-group",                        \
	  "A:3.3.8 inclusive scopes", "caches of their own per compute unit: GPUs")                \
	X(FENCE_REMOVED, "fence-removed", FENCE_DROPPED, ANYWHERE,                                 \
	  "atomic_work_item_fence does nothing", "A:3.3.9.2 fences",                               \
	  "everywhere: store buffering at least")                                                  \
	X(FENCE_WEAKENED, "fence-weakened", FENCE_WEAKENED, ANYWHERE,                              \
	  "seq_cst fences are acq_rel, the others relaxed", "A:3.3.9.2 fences",                    \
	  "everywhere: store buffering at least")                                                  \
	X(FENCE_TO_ACQUIRE, "fence-to-acquire", FENCE_TO_ACQUIRE, ANYWHERE,                        \
	  "acq_rel and seq_cst fences only acquire", "A:3.3.9.2 fences",                           \
	  "everywhere: store buffering at least")                                                  \
	X(FENCE_TO_RELEASE, "fence-to-release", FENCE_TO_RELEASE, ANYWHERE,                        \
	  "acq_rel and seq_cst fences only release", "A:3.3.9.2 fences",                           \
	  "everywhere: store buffering at least")                                                  \
	X(FENCE_ONCE, "fence-once", FENCE_ONCE, ANYWHERE,                                          \
	  "of fences that look alike a block keeps the first one", "A:3.3.9.2 fences",             \
	  "two fences in a row")                                                                   \
	X(FENCE_NARROWED, "fence-narrowed", FENCE_FLAGS, ANYWHERE,                                 \
	  "a fence for local and global memory is for one (:local, the default, or :global)",      \
	  "C:6.15.12.5 the flags of a fence", "compilers that heed the flags")                     \
	X(MEM_FENCE_EMPTY, "mem-fence-empty", MEM_FENCE_DROPPED, ANYWHERE,                         \
	  "mem_fence and its kin do nothing", "C:6.15.9 explicit memory fences",                   \
	  "accesses reordered by compiler or machine")                                             \
	X(BARRIER_NO_FENCE, "barrier-no-fence", BARRIER_NO_FLAGS, ANYWHERE,                        \
	  "barriers meet, but order no memory", "C:6.15.8 the fences of a barrier",                \
	  "barriers that are not fences by themselves")                                            \
	X(BARRIER_SWAPPED, "barrier-swapped", BARRIER_SWAPPED, ANYWHERE,                           \
	  "barriers for local memory are for global, and back", "C:6.15.8 the flags of a barrier", \
	  "compilers that heed the flags")                                                         \
	X(BARRIER_REMOVED, "barrier-removed", BARRIER_DROPPED, ANYWHERE,                           \
	  "barriers do nothing, nobody waits", "C:6.15.8 all work-items of the group wait",        \
	  "everywhere")                                                                            \
	X(SMALL_BARRIER, "small-barrier", BARRIER_DROPPED, SMALL_GROUP,                            \
	  "barriers do nothing in groups of N or less (:N, 32)",                                   \
	  "C:6.15.8 all work-items of the group wait", "everywhere")                               \
	X(LONE_BARRIER, "lone-barrier", BARRIER_DROPPED, LONE_GROUP,                               \
	  "barriers do nothing in launches of one work-group",                                     \
	  "C:6.15.8 all work-items of the group wait", "launches of one work-group")               \
	X(EXACT_BARRIER, "exact-barrier", BARRIER_DROPPED, EXACT_GROUP,                            \
	  "barriers do nothing in groups of exactly N (:N, 32)",                                   \
	  "C:6.15.8 all work-items of the group wait", "environments with groups of that size")    \
	X(GROUP_BARRIER, "group-barrier", BARRIER_DROPPED, BIG_GROUP,                              \
	  "barriers do nothing in groups of N or more (:N, 8)",                                    \
	  "C:6.15.8 all work-items of the group wait", "tests with wide groups")                   \
	X(ARRIVE_NO_FENCE, "split-arrive-no-fence", BARRIER_NO_FLAGS, ARRIVE,                      \
	  "arrivals at split barriers order no memory",                                            \
	  "cl_intel_split_work_group_barrier an arrival releases",                                 \
	  "split barriers that are not fences by themselves")                                      \
	X(ARRIVE_SWAPPED, "split-arrive-swapped", BARRIER_SWAPPED, ARRIVE,                         \
	  "arrivals for local memory are for global, and back",                                    \
	  "cl_intel_split_work_group_barrier the flags of both calls",                             \
	  "compilers that heed the flags")                                                         \
	X(WAIT_NO_FENCE, "split-wait-no-fence", BARRIER_NO_FLAGS, WAIT,                            \
	  "waits at split barriers order no memory",                                               \
	  "cl_intel_split_work_group_barrier a wait acquires",                                     \
	  "split barriers that are not fences by themselves")                                      \
	X(WAIT_SWAPPED, "split-wait-swapped", BARRIER_SWAPPED, WAIT,                               \
	  "waits for local memory are for global, and back",                                       \
	  "cl_intel_split_work_group_barrier the flags of both calls",                             \
	  "compilers that heed the flags")                                                         \
	X(WAIT_REMOVED, "split-wait-removed", BARRIER_DROPPED, WAIT,                               \
	  "waits at split barriers do nothing, nobody waits",                                      \
	  "cl_intel_split_work_group_barrier all work-items of the group arrive first",            \
	  "split barriers")                                                                        \
	X(RMW_SPLIT, "rmw-split", SPLIT_FETCH, ANYWHERE,                                           \
	  "a fetch-and-modify or exchange is a load and a store",                                  \
	  "C:6.15.12.7.5 indivisible updates", "everywhere")                                       \
	X(CAS_SPLIT, "cas-split", SPLIT_CAS, ANYWHERE,                                             \
	  "a compare-exchange loads, compares and stores in turn",                                 \
	  "C:6.15.12.7.4 indivisible updates", "everywhere")                                       \
	X(LEGACY_SPLIT, "legacy-split", SPLIT_LEGACY, ANYWHERE,                                    \
	  "updates of OpenCL 1.x whose result is used load and store (:all: the others too)",      \
	  "C:6.15.12.8 indivisible updates", "everywhere")                                         \
	X(EXCHANGE_STORE, "exchange-to-store", STORE_FOR_EXCHANGE, ANYWHERE,                       \
	  "an exchange whose result is unused is a store",                                         \
	  "A:3.3.9.1 release sequences; an update that acquires", "release sequences; ARM, GPUs")  \
	X(UPDATE_LOST, "update-lost", LOST, ANYWHERE, "one update in N (:N, 1000) writes nothing", \
	  "C:6.15.12.7 an update takes place", "everywhere")                                       \
	X(UPDATE_TWICE, "update-twice", TWICE, ANYWHERE,                                           \
	  "one update in N (:N, 1000) takes place twice", "C:6.15.12.7 an update takes place",     \
	  "everywhere")                                                                            \
	X(LOCAL_PLAIN, "local-plain", PLAIN, LOCAL,                                                \
	  "atomic operations on local memory are plain accesses",                                  \
	  "C:6.15.12.7 indivisible updates", "work-items of a group that truly run at once: GPUs") \
	X(NO_RETRY, "no-retry", NO_RETRY, ANYWHERE,                                                \
	  "an update that others come before N times (:N, 1) is not tried again",                  \
	  "C:6.15.12.7.5 an update takes place", "everywhere")                                     \
	X(RESULT_EARLY, "result-early", RESULT_EARLY, ANYWHERE,                                    \
	  "the result of an update is loaded before it", "C:6.15.12.7.5 indivisible updates",      \
	  "everywhere")                                                                            \
	X(EXPECTED_LATE, "expected-late", EXPECTED_LATE, ANYWHERE,                                 \
	  "a compare-exchange that fails loads what it gives",                                     \
	  "C:6.15.12.7.4 it gives what it compared", "everywhere")                                 \
	X(LOADS_REVERSED, "loads-reversed", LOADS_REVERSED, ANYWHERE,                              \
	  "two loads of one location in a row are swapped", "A:3.3.9 coherence of reads",          \
	  "everywhere")                                                                            \
	X(LOAD_REUSED, "load-reused", LOAD_REUSED, ANYWHERE,                                       \
	  "a later load of a location gives what the first one gave",                              \
	  "A:3.3.9 coherence, synchronizes-with", "everywhere")                                    \
	X(STORES_SWAPPED, "stores-swapped", STORES_SWAPPED, ANYWHERE,                              \
	  "two stores to different locations are swapped",                                         \
	  "A:3.3.9.1 a release follows what is before it", "everywhere")                           \
	X(LOADS_SWAPPED, "loads-swapped", LOADS_SWAPPED, ANYWHERE,                                 \
	  "two loads of different locations are swapped",                                          \
	  "A:3.3.9.1 an acquire precedes what comes after it", "everywhere")                       \
	X(LOAD_EARLY, "load-early", LOAD_EARLY, ANYWHERE, "a load moves over the store before it", \
	  "A:3.3.9.1 the total order of seq_cst operations", "everywhere")                         \
	X(STORE_EARLY, "store-early", STORE_EARLY, ANYWHERE,                                       \
	  "a store moves over the load before it",                                                 \
	  "A:3.3.9.1 a release follows, an acquire precedes", "everywhere")                        \
	X(UPDATE_EARLY, "update-early", UPDATE_EARLY, ANYWHERE,                                    \
	  "an update moves over the access before it",                                             \
	  "A:3.3.9.1 a release follows, an acquire precedes", "everywhere")                        \
	X(UPDATE_LATE, "update-late", UPDATE_LATE, ANYWHERE,                                       \
	  "an update moves behind the load or store after it",                                     \
	  "A:3.3.9.1 a release follows, an acquire precedes", "everywhere")                        \
	X(PLAIN_LATE, "plain-late", PLAIN_LATE, ANYWHERE,                                          \
	  "a plain store moves behind the atomic or fence after it",                               \
	  "A:3.3.9.1 a release follows what is before it", "everywhere")                           \
	X(FENCE_EARLY, "fence-early", FENCE_EARLY, ANYWHERE,                                       \
	  "a fence moves over the access before it", "A:3.3.9.2 fences", "everywhere")             \
	X(FENCE_LATE, "fence-late", FENCE_LATE, ANYWHERE,                                          \
	  "a fence moves behind the access after it", "A:3.3.9.2 fences", "everywhere")            \
	X(GUARDED_EARLY, "guarded-early", GUARDED_EARLY, ANYWHERE,                                 \
	  "a load in a branch is done before what is branched on",                                 \
	  "A:3.3.9.1 an acquire precedes what comes after it", "everywhere")                       \
	X(STORE_INVENTED, "store-invented", STORE_INVENTED, ANYWHERE,                              \
	  "a store in a branch is done before it, and undone",                                     \
	  "A:3.3.6 only what the program stores is stored", "everywhere")                          \
	X(STORE_FORWARDED, "store-forwarded", STORE_FORWARDED, ANYWHERE,                           \
	  "a load behind an own store gives what was stored",                                      \
	  "A:3.3.9 coherence, synchronizes-with", "everywhere")                                    \
	X(UPDATE_FORWARDED, "update-forwarded", UPDATE_FORWARDED, ANYWHERE,                        \
	  "a load behind an own update gives what that left there",                                \
	  "A:3.3.9 coherence, synchronizes-with", "everywhere")                                    \
	X(SAME_DROPPED, "same-dropped", SAME_DROPPED, ANYWHERE,                                    \
	  "a store is dropped of what the work-item stored or read",                               \
	  "A:3.3.9 coherence of writes", "everywhere")                                             \
	X(STORE_DROPPED, "store-dropped", STORE_DROPPED, ANYWHERE,                                 \
	  "a store is dropped that an own later one overwrites",                                   \
	  "A:3.3.9.1 a release follows what is before it", "everywhere")                           \
	X(STORE_REPEATED, "store-repeated", STORE_REPEATED, ANYWHERE,                              \
	  "a store is done again behind the next statement", "A:3.3.9 coherence of writes",        \
	  "everywhere")                                                                            \
	X(LOAD_REPEATED, "load-repeated", LOAD_REPEATED, ANYWHERE,                                 \
	  "a value that is used is loaded again for that", "A:3.3.9 a load has one value",         \
	  "everywhere")                                                                            \
	X(LOAD_ONCE, "load-once", LOAD_ONCE, ANYWHERE,                                             \
	  "a load in a loop is done in the first turn only",                                       \
	  "A:3.3.9 a store should be visible in a reasonable time",                                \
	  "waits for another work-group")                                                          \
	X(LOAD_STORED, "load-stored", LOAD_STORED, ANYWHERE, "a load stores what it read",         \
	  "A:3.3.6 only what the program stores is stored", "everywhere")                          \
	X(TORN, "torn", TORN, ANYWHERE,                                                            \
	  "64-bit loads and stores are made of 32-bit halves, or (:16, :8) all of such parts",     \
	  "C:6.15.12.6 an atomic object has one value", "everywhere")                              \
	X(NEIGHBOUR_STORED, "neighbour-stored", NEIGHBOUR, ANYWHERE,                               \
	  "a 32-bit store stores the 8 bytes around it",                                           \
	  "A:3.3.6 only what the program stores is stored", "objects that lie side by side")       \
	X(WORD_STORED, "word-stored", WORD, ANYWHERE,                                              \
	  "a plain store of 8 or 16 bits stores the word around them",                             \
	  "A:3.3.6 only what the program stores is stored", "small objects that lie side by side") \
	X(ELEMENT_BEFORE, "element-before", ELEMENT, ANYWHERE,                                     \
	  "operations on 32-bit objects at odd multiples of 4 act on the object before",           \
	  "A:3.3.6 each object has a value of its own", "objects that lie side by side")           \
	X(MULTI_GROUP, "multi-group", RELAXED, ANYWHERE,                                           \
	  "all-relaxed, in launches of several work-groups only", "A:3.3.9.1 all of it",           \
	  "tests that span work-groups")                                                           \
	X(FIRST_LAUNCHES, "first-launches", RELAXED, ANYWHERE,                                     \
	  "all-relaxed, in the first N (:N, 3) launches of a kernel", "A:3.3.9.1 all of it",       \
	  "tests that need no warming up")                                                         \
	X(LATE_LAUNCHES, "late-launches", RELAXED, ANYWHERE,                                       \
	  "all-relaxed, from launch N (:N, 8) of a kernel on", "A:3.3.9.1 all of it",              \
	  "tests with many launches")                                                              \
	PLANT_MISTAKES(X)                                                                          \
	PLANT_SOME(X)                                                                              \
	PLANT_SHARED(X)                                                                            \
	PLANT_FEATURES(X)                                                                          \
	PLANT_CALLS(X)                                                                             \
	X(LOCAL_IDS_SWAPPED, "local-ids-swapped", LOCAL_IDS, ANYWHERE,                             \
	  "local ids of the first two dimensions change places", "C:6.15.1 get_local_id",          \
	  "groups of several work-items")                                                          \
	X(GROUP_IDS_SWAPPED, "group-ids-swapped", GROUP_IDS, ANYWHERE,                             \
	  "numbers of groups in the first two dimensions change places", "C:6.15.1 get_group_id",  \
	  "everywhere")                                                                            \
	X(SIZES_SWAPPED, "sizes-swapped", SIZES, ANYWHERE,                                         \
	  "counts of groups in the first two dimensions change places", "C:6.15.1 get_num_groups", \
	  "launches of two or three dimensions")                                                   \
	X(IDS_SWAPPED, "ids-swapped", GLOBAL_IDS, ANYWHERE,                                        \
	  "global ids of the first two dimensions change places", "C:6.15.1 get_global_id",        \
	  "everywhere")

enum plant_bug {
#define PLANT_X(name, ...) PLANT_##name,
	PLANT_LIST(PLANT_X)
#undef PLANT_X
		PLANT_COUNT
};

struct plant_description {
	const char *name;
	const char *what;
	const char *rule;
	const char *where;
};
extern const struct plant_description plant_descriptions[PLANT_COUNT];

/* One bug to plant, as chosen by `NAME[:PARAMETER][@WORD,WORD…]` or `drawn-SEED-NUMBER`. */
struct plant {
	enum plant_bug bug;
	struct oclmm_mutation mutation; /* its number is that of plants in calls, too */
	/* Launches in which a changed text runs, by what the launch says of its groups and its
	 * number; ANYWHERE: all. */
	enum oclmm_where launches;
	uint64_t launch_number;
	/* Drawn at random: `bug` is what it is a part of. */
	bool drawn;
	uint64_t seed, draw;
};

enum { PLANT_MESSAGE = 256, PLANT_CHOICE = 96 };

/* Reads a choice. On failure `message` says what is wrong, without a full stop. */
bool plant_parse(const char *choice, struct plant *ret_plant, char message[PLANT_MESSAGE]);
/* Calls `each` with every choice of the table of plants in some calls only, fewer than
 * PLANT_CHOICE bytes each.
 * \param in_each_call where one would act in some calls only, by their number, it acts in each */
void plant_cross(bool in_each_call, void (*each)(void *data, const char *choice), void *data);
/* What is changed, and where: `sc-to-acq-rel: store; ulong`. */
void plant_rule(const struct plant *plant, struct oclmm_text *text);
/* It acts in some functions, orders, scopes, widths, spaces or forms only. */
bool plant_is_narrowed(const struct plant *plant);
/* `inner` is `outer`, or the same bug in fewer calls. */
bool plant_is_part(const struct plant *inner, const struct plant *outer);
/* The bug is a mistake in one operation. */
bool plant_is_mistake(enum plant_bug bug);
/* The bug is in calls, not in programs. */
bool plant_in_calls(enum plant_bug bug);
/* It acts in some launches only, in which a program of its own runs. */
bool plant_by_launch(const struct plant *plant);

#endif
