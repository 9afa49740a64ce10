// SPDX-License-Identifier: Apache-2.0
/*
 * The one thing that an application tells the layer: what to give the driver in place of a text.
 * It finds the function by dlsym() in the layer that the loader has loaded. Without an offer a text
 * passes unchanged.
 */
#ifndef OCLMM_RUNNER_PLANT_OFFER_H
#define OCLMM_RUNNER_PLANT_OFFER_H

#include <stddef.h>
#include <stdint.h>

#define OCLMM_PLANT_OFFER_NAME "oclmm_plant_offer"
#define OCLMM_PLANT_OFFER                                                                          \
	__attribute__((visibility("default"))) void oclmm_plant_offer(                             \
		uint64_t hash, const char *text, size_t length, size_t places)

/* `hash` is oclmm_hash() of the text that is to be exchanged; `places`, at least 1, how many were
 * changed in it, for the log. */
OCLMM_PLANT_OFFER;

#endif
