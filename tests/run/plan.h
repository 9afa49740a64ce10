// SPDX-License-Identifier: Apache-2.0
/* A plan of which tests run beside what, for a device, a budget and a seed drawn at random. */
#ifndef OCLMM_TESTS_RUN_PLAN_H
#define OCLMM_TESTS_RUN_PLAN_H

/* before cmocka, which has a macro of the name of one of its functions */
#include "run/evidence.h"
#include "run/schedule.h"
#include "run/session.h"

struct plan {
	struct oclmm_device_info info;
	struct oclmm_device_identity identity;
	struct run_session session;
	struct run run;
	struct run_schedule schedule;
};

/* All plans are of the same tests, which are read once; for cmocka. */
int plan_read_tests(void **state);
int plan_forget_tests(void **state);
/* `key` draws all but the seed. */
void plan_prepare(struct plan *plan, uint64_t key, uint64_t seed);
void plan_make(struct plan *plan);
/* What it compiles as one text is as it should be. */
void plan_check_texts(const struct plan *plan);
void plan_finish(struct plan *plan);

#endif
