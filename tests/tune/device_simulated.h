// SPDX-License-Identifier: Apache-2.0
/* A device whose rates are known: counts are drawn, time is counted, nothing runs. */
#ifndef OCLMM_TESTS_TUNE_DEVICE_SIMULATED_H
#define OCLMM_TESTS_TUNE_DEVICE_SIMULATED_H

#include "oclmm/base.h"

struct simulated {
	uint64_t key, counter;
	double noise; /* relative spread of a pull's rate beyond Poisson's */
};

/* Uniform, above 0 and up to 1. */
double simulated_uniform(struct simulated *device);
/* Exactly Poisson below a mean of 30, beyond that a rounded normal with its mean and variance. */
double simulated_poisson(struct simulated *device, double mean);
/* Events in a pull of an arm with this rate. */
double simulated_count(struct simulated *device, double rate, double seconds);

#endif
