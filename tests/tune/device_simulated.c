// SPDX-License-Identifier: Apache-2.0
#include "device_simulated.h"

#include <math.h>

double simulated_uniform(struct simulated *device)
{
	return ((double)(oclmm_random(device->key, device->counter++) >> 11) + 1) /
	       9007199254740992.0;
}

static double normal(struct simulated *device)
{
	double radius = sqrt(-2 * log(simulated_uniform(device)));

	return radius * cos(6.283185307179586 * simulated_uniform(device));
}

double simulated_poisson(struct simulated *device, double mean)
{
	double limit, product = 1, count = -1;

	if (mean >= 30) {
		double drawn = floor(mean + sqrt(mean) * normal(device) + 0.5);

		return drawn > 0 ? drawn : 0;
	}
	for (limit = exp(-mean); product > limit || count < 0; count++)
		product *= simulated_uniform(device);
	return count;
}

double simulated_count(struct simulated *device, double rate, double seconds)
{
	/* the spread is a factor with mean 1 */
	double factor = exp(device->noise * normal(device) - device->noise * device->noise / 2);

	return simulated_poisson(device, rate * seconds * factor);
}
