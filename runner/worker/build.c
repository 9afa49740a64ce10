// SPDX-License-Identifier: Apache-2.0
/* What a child does that builds kernels ahead, and nothing else. */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

/* Below the children that run tests meanwhile. */
enum { NICENESS = 5 };

/* Seconds of processor time that this process has used. */
static double processor_clock(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* \return the seconds that its programs took. */
static double build(struct oclmm_device *device, const struct oclmm_run_request *job)
{
	const struct oclmm_joint *joint = job->joint;
	struct oclmm_run_request requests[OCLMM_JOINT_MOST] = {{0}};
	struct oclmm_run_result results[OCLMM_JOINT_MOST];
	struct oclmm_run_end ends[OCLMM_JOINT_MOST];
	uint32_t count = joint ? joint->count : 1;
	double seconds = 0;

	for (uint32_t i = 0; i < count; i++)
		requests[i] = (struct oclmm_run_request){
			.program = joint ? joint->programs[i] : job->program,
			.space = joint ? joint->spaces[i] : job->space,
			.joint = joint,
			.environment = job->environment,
			.environment_count = job->environment_count,
			.build_only = true,
		};
	for (uint32_t i = 0; joint && i < count; i++) {
		if (!joint->environments[i])
			continue;
		requests[i].environment = joint->environments[i];
		requests[i].environment_count = joint->environment_counts[i];
	}
	oclmm_run_together(device, requests, count, 0, ends, results);
	for (uint32_t i = 0; i < count; i++) {
		seconds += results[i].build_seconds;
		oclmm_run_result_finish(&results[i]);
	}
	return seconds;
}

struct worker_compiled worker_build(struct oclmm_device *device,
                                    const struct oclmm_run_request *job)
{
	double processor = processor_clock();
	double seconds = build(device, job);

	return (struct worker_compiled){seconds, processor_clock() - processor};
}

/* No two threads have to meet here, and a compiler's thread may be bound to a processor that
 * another builder uses. */
int worker_open_to_build(const struct oclmm_device_identity *identity, struct oclmm_error *error,
                         struct oclmm_device **ret_device)
{
	bool unbound = oclmm_devices_bind(false);
	int r;

	if (nice(NICENESS) == -1)
		errno = 0; /* it is a favour, no more */
	r = oclmm_device_open_identified(identity, error, ret_device);
	/* programs kept on the disk are for runs, whose variables are part of the key */
	if (unbound)
		oclmm_devices_bind(true);
	return r;
}
