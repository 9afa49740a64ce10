// SPDX-License-Identifier: Apache-2.0
/* A role of the host whose device never comes: it plays all its instances and ends. */

#include "../fixture/test.h"

#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"
#include "stress/internal.h"

enum { ROUNDS = 256, WIDTH = 4, INSTANCES = ROUNDS * WIDTH };

static const char text[] = "OPENCL text\n{ svm [x] = -5; svm [y] = 0; }\n"
			   "P0@wg 0, dev 0 (global atomic_int *y) {\n"
			   "  int r0 = atomic_load_explicit(y, memory_order_relaxed,"
			   " memory_scope_all_svm_devices);\n}\n"
			   "P1@host (global atomic_int *x, global atomic_int *y) {\n"
			   "  int r0 = atomic_exchange(x, 300); int r1 = atomic_fetch_add(y, 7);\n"
			   "  int r2 = atomic_load(x);\n}\n"
			   "exists (0:r0=0 /\\ 1:r0=0 /\\ 1:r1=0 /\\ 1:r2=0)\n";

static struct oclmm_outcome_domain domains[] = {
	{(int64_t[]){0, 7}, 2, 1},
	{(int64_t[]){-5}, 1, 2},
	{(int64_t[]){0}, 1, 2},
	{(int64_t[]){300}, 1, 2},
};

static const struct oclmm_environment environment = {
	.groups = 2,
	.lanes = 2,
	.rounds = ROUNDS,
	.stride = 16,
	.shuffle_locations = 100,
	.reverse_results = 50,
	.polls = 1000,
	.poll_every = 1,
	.poll_budget = 1 << 24,
	.stress_lines = 1,
	.stress_stride = 1,
	.count_lanes = 1,
	.count_each = 1,
};

static void *zeros(uint64_t bytes)
{
	return oclmm_calloc(bytes, 1);
}

/* All slots of a location, whichever instance they are of. */
static void assert_all(const struct oclmm_session *session, const struct oclmm_parameters *p,
                       uint32_t location, int32_t value)
{
	for (uint32_t i = 0; i < INSTANCES; i++) {
		uint32_t slot = oclmm_slot_of(p, &p->location[location], i, false);

		assert_int_equal(((const int32_t *)session->svm)[slot], value);
	}
}

TEST(it_ends_alone)
{
	struct oclmm_outcome_space space = {4, domains, 2};
	struct oclmm_run_request request = {.space = &space};
	struct oclmm_session session = {.request = &request};
	struct oclmm_parameters p;
	struct oclmm_launch launch = {.environment = &environment, .parameters = &p};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_part part = {&oclmm_executor_host, &session.hosts[1], 2};

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("line %u: %s", error.position.line, error.message);
	session.program = litmus->variants[0].program;
	assert_int_equal(oclmm_kernel_plan(session.program, &space, &error, &session.plan), 0);
	assert_int_equal(session.plan.parts, 2);
	oclmm_draw(&environment, session.program, &session.plan, 11, &p);
	assert_int_equal(p.parties, 3); /* two work-groups and the host */
	session.svm = zeros(
		oclmm_layout_bytes(&environment, session.program, OCLMM_STORAGE_SVM_ATOMICS));
	session.codes.svm = zeros((uint64_t)INSTANCES * session.plan.planes);
	session.results.svm = zeros((uint64_t)INSTANCES * session.plan.planes * 4);
	session.meeting.svm = zeros((uint64_t)p.width * 4);
	for (uint32_t i = 0; i < INSTANCES; i++)
		((int32_t *)session.svm)[oclmm_slot_of(&p, &p.location[0], i, false)] = -5;

	assert_int_equal(oclmm_host_role_create(&session, 1, &error), 0);
	assert_int_equal(oclmm_parts_play(&part, 1, &launch, &error), 0);
	assert_all(&session, &p, 0, 300);
	assert_all(&session, &p, 1, 7);
	for (uint32_t i = 0; i < INSTANCES; i++) {
		/* planes: 0:r0, which is the device's, 1:r0, 1:r1, 1:r2 */
		const uint8_t *codes = session.codes.svm;
		const uint32_t *results = session.results.svm;

		assert_int_equal(codes[i], 0);
		assert_int_equal(results[INSTANCES + i], UINT32_MAX - 4);
		assert_int_equal(codes[2 * INSTANCES + i], 0);
		assert_int_equal(results[3 * INSTANCES + i], 300);
	}
	for (uint32_t lane = 0; lane < p.width; lane++)
		assert_int_equal(((const uint32_t *)session.meeting.svm)[lane], ROUNDS);
	oclmm_host_role_destroy(&session.hosts[1]);
	free(session.svm);
	free(session.codes.svm);
	free(session.results.svm);
	free(session.meeting.svm);
	oclmm_litmus_destroy(litmus);
}
