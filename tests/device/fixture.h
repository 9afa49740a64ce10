// SPDX-License-Identifier: Apache-2.0
/* A device, and litmus texts run on it with the oracle's outcome space. */
#ifndef OCLMM_TESTS_DEVICE_FIXTURE_H
#define OCLMM_TESTS_DEVICE_FIXTURE_H

#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "stress/environment.h"
#include "stress/stress.h"

/* Store buffering between work-group 0 and another or the same one. */
#define FIXTURE_SB(order, scope, second_group)                                                     \
	"OPENCL SB\n{ [x] = 0; [y] = 0; }\n"                                                       \
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"                          \
	"  atomic_store_explicit(x, 1, " order ", " scope ");\n"                                   \
	"  int r0 = atomic_load_explicit(y, " order ", " scope ");\n}\n"                           \
	"P1@wg " second_group ", dev 0 (global atomic_int *x, global atomic_int *y) {\n"           \
	"  atomic_store_explicit(y, 1, " order ", " scope ");\n"                                   \
	"  int r0 = atomic_load_explicit(x, " order ", " scope ");\n}\n"                           \
	"exists (0:r0=0 /\\ 1:r0=0)\n"

struct fixture_test {
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_answer *answer;
};

/* The device that OCLMM_DEVICE names, or the best one; NULL when there is none with atomics. */
struct oclmm_device *fixture_open(void);
void fixture_close(struct oclmm_device *device);

/* Both fail the running cmocka test when something is wrong with the text. */
struct fixture_test fixture_read(const char *text);
void fixture_finish(struct fixture_test *test);
/* Skips the running test when the device cannot run the program. */
void fixture_require(struct oclmm_device *device, struct fixture_test *test);

/* Runs a test, asserts that it went well and that the counts sum up. Finish the result. */
struct oclmm_run_result fixture_run(struct oclmm_device *device, const struct fixture_test *test,
                                    uint64_t instances, uint64_t seed);
/* Asserts that no outcome was seen that the oracle forbids. */
void fixture_assert_legal(const struct fixture_test *test, struct oclmm_run_result *result);
/*
 * Asserts that an outcome is seen, in runs of so many instances each and no other outcome that is
 * forbidden. A busy machine may keep two units apart for a while, hence many of them; one
 * that keeps them apart all the time skips the running test.
 */
void fixture_assert_shown(struct oclmm_device *device, struct fixture_test *test,
                          const int64_t *values, uint64_t instances);
/* The same of an outcome that is forbidden from OpenCL 2.1 on, and that something planted shows. */
void fixture_assert_betrayed(struct oclmm_device *device, struct fixture_test *test,
                             const int64_t *values, uint64_t instances);

#endif
