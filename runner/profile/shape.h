// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What tests have in common that want the same environments: the outline of
 * their accesses, where their threads run, and where their objects lie.
 *
 *     WaWb-RbRa.01.g
 *     │         │  └ spaces of the objects: g global, l local, s shared virtual memory
 *     │         └ the work-group of each thread
 *     └ accesses of each thread in order: R read, W write, U both; a, b … the
 *       objects in the order in which they first appear
 *
 * Orders, scopes, fences and values do not count, so that all variants of MP in
 * one placement have one shape, a test and its control among them.
 */
#ifndef OCLMM_RUNNER_PROFILE_SHAPE_H
#define OCLMM_RUNNER_PROFILE_SHAPE_H

#include "oclmm/ir.h"

enum { OCLMM_SHAPE_SIZE = 128 };

/** Writes the shape of a program; long ones end in `~` and a hash. Safe as a file name. */
void oclmm_shape(const struct oclmm_program *program, char *ret_shape);
/** Whether a text has the form of a shape. */
bool oclmm_shape_is_valid(const char *shape);
/**
 * How far two shapes are apart: 0 the same, else the number of accesses' letters
 * to change, or -1 where threads, placement or spaces differ, so that one's
 * environments say nothing of the other.
 */
int oclmm_shape_distance(const char *a, const char *b);

#endif
