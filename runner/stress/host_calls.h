// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Plays a program of commands: the calls that the host makes for it, in the
 * order of its threads, on many cells at once. Says nothing of whether what
 * the cells then hold is legal.
 *
 * Each object of the program is a buffer (or memory of the host) of many
 * cells, each cell an instance. A launch is some rounds, each with objects of
 * its own; all cells are set before, and looked at when all queues are done.
 */
#ifndef OCLMM_RUNNER_STRESS_HOST_CALLS_H
#define OCLMM_RUNNER_STRESS_HOST_CALLS_H

#include "device/device.h"
#include "oclmm/ir.h"

struct commands;

/** How much is played at once. */
struct commands_shape {
	uint32_t cells;  /**< of each object in a round */
	uint32_t rounds; /**< of a launch, at most */
	uint32_t offset; /**< global one of the kernels of the program */
};

/**
 * Creates queues, objects and kernels. `*ret_log` is the compiler's output, malloc-ed or NULL, and
 * is set on failure, too; `*ret_source_hash` names the kernels' text.
 */
int commands_create(struct oclmm_device *device, const struct oclmm_program *program,
                    const struct commands_shape *shape, struct oclmm_error *error, char **ret_log,
                    uint64_t *ret_source_hash, struct commands **ret_commands);
void commands_destroy(struct commands *commands);

/** What is drawn for a launch. */
struct commands_draw {
	uint32_t base;     /**< from which those of the rounds are counted */
	uint32_t rotation; /**< of the queues, below OCLMM_QUEUES_MOST: which one of those that are
	                      alike is queue 0 */
	uint32_t lag;      /**< steps of a loop before the first command of the first queue */
	uint32_t first;    /**< the round that comes first; they follow each other in a ring */
};

/**
 * Plays `rounds` rounds, and brings what is observed to the host.
 * \return 0; an error of OpenCL; -ERANGE where something did not come that the host waits for, or
 * where a command left no result
 */
int commands_play(struct commands *commands, const struct commands_draw *draw, uint32_t rounds,
                  struct oclmm_error *error);

#endif
