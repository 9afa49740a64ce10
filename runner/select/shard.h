// SPDX-License-Identifier: Apache-2.0
/* A part of the tests, the same whatever the order they are chosen in. */
#ifndef OCLMM_RUNNER_SELECT_SHARD_H
#define OCLMM_RUNNER_SELECT_SHARD_H

#include "select.h"

/* Part `index` of `count`, from 1; 0 of 0 is everything. */
struct shard {
	uint32_t index;
	uint32_t count;
	const char *from; /* the variable it was taken from, or NULL */
};

/* `K/N`: an option_setter of a struct shard. */
int shard_parse(const char *option, const char *value, void *ret_shard);
/*
 * From the variables of the usual runners, where set: TEST_SHARD_INDEX (from 0) and
 * TEST_TOTAL_SHARDS; CI_NODE_INDEX (from 1) and CI_NODE_TOTAL;
 * SLURM_ARRAY_TASK_ID, _MIN and _COUNT. Returns 0, or negative with `error`.
 */
int shard_from_environment(struct oclmm_error *error, struct shard *ret_shard);
/* Keeps the tests of a shard, by a hash of their files' names: variants of one file stay
 * together. */
void shard_apply(const struct shard *shard, struct selection *selection);

#endif
