// SPDX-License-Identifier: Apache-2.0
/* What is done to bytes that a driver has read. Test code only. */
#ifndef OCLMM_TESTS_FAULTS_READS_H
#define OCLMM_TESTS_FAULTS_READS_H

#include <stddef.h>

/* The first count that is not zero loses one. */
void reads_shorten(void *bytes, size_t size);
/* Keeps what was read; the first `stale` bytes are then those of the read before it, if that was as
 * long. */
void reads_swap(void *bytes, size_t size, size_t stale);
/*
 * With OCLMM_FAULT_RECORD=FILE what is read is kept there; with OCLMM_FAULT_REPLAY=FILE the reads
 * of that run are given, one by one, in the place of what was read.
 */
void reads_replay(void *bytes, size_t size);

#endif
