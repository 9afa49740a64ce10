// SPDX-License-Identifier: Apache-2.0
/* Environments drawn blindly from the ranges that are known to matter: where a search starts. */
#include "benchmark.h"
#include "profile/candidates.h"

int shape_measure_randomly(struct subject *subject)
{
	const struct bench *bench = subject->bench;
	struct randomly *all = &subject->measured->randomly;

	for (unsigned i = 0; i < bench->random; i++) {
		struct oclmm_environment e =
			oclmm_environment_draw(oclmm_random(bench->seed, i),
		                               oclmm_device_info(bench->device), &subject->plan);
		struct run_figures run;
		int r = subject_run(subject, &e, 0, bench->seconds / 50, &run);

		if (r < 0)
			return r;
		all->tried++;
		all->showing += run.weak > 0;
		if ((double)run.weak / run.seconds > all->best) {
			all->best = (double)run.weak / run.seconds;
			all->environment = e;
		}
	}
	return 0;
}
