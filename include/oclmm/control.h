// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Moved controls: what a compiler does when it takes one wrong step. From a
 * program and the outcomes that it forbids, the programs that differ from it by
 * one such step and show a forbidden outcome, derived rather than written. The
 * outcome comes of mere interleaving, so that it is seen on every device on
 * which the roles of a test meet at all.
 */
#ifndef OCLMM_CONTROL_H
#define OCLMM_CONTROL_H

#include "oclmm/change.h"
#include "oclmm/expect.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A program that differs from a test by one step. */
struct oclmm_moved {
	/** The test's name, `~`, and the step: `MP+rel+acq~exchange-P1.1-2`. */
	const char *name;
	enum oclmm_moved_step step;
	/** Index into the program's threads; of EVERYWHERE the first one. */
	uint32_t thread;
	/** Statement of the thread, from 1 in the order of its text; what only computes with
	 * registers is not counted. Of a text that work-items share the line of its body. */
	uint32_t from;
	uint32_t
		to; /**< the other one of EXCHANGE, EARLY, LATE, HOIST, REUSE, AGAIN; else `from` */
	/**
	 * Named as above. It has the observables, the condition and the filter of the test.
	 */
	const struct oclmm_program *program;
	/** What it may show: the outcomes of the test, and those with values that only it has.
	 * The test's own space where there are none. */
	const struct oclmm_outcome_space *space;
	bool whole; /**< no execution of it has other values than `space` */
};

struct oclmm_litmus;

/** Owns its programs. Free with oclmm_controls_destroy(). */
struct oclmm_controls {
	struct oclmm_arena *arena;
	struct oclmm_moved *moved; /**< the most alike first */
	uint32_t count;
	uint32_t tried; /**< steps that the program has, whether they show anything or not */
	/** Those of a text that work-items share were read anew: what holds them. */
	struct oclmm_litmus **texts;
	uint32_t text_count;
};

/**
 * Derives the moved controls of a test: those among all single steps after
 * which sequentially consistent interleaving reaches an outcome that
 * `expected` forbids. Of each thread one stands before the second of any. Behind
 * the first stands EVERYWHERE, for what a compiler does wrong it does wherever it
 * can: each thread has the first of its own steps that alone show something, or else
 * one that moves an access.
 * Of a test whose work-items share a text they are that text after one step, where it shows a
 * forbidden outcome whichever work-item runs first; those that show it where the work-items
 * run in lanes, too, stand in front (oclmm_play_in_step()).
 * \param expected outlives them
 * \param limit at most so many, of which EVERYWHERE is the last to go; 0: all
 * \return 0, also where there are none; -ENOENT where the test forbids nothing that could be
 * looked for
 */
int oclmm_controls_derive(const struct oclmm_program *program,
                          const struct oclmm_expected *expected, uint32_t limit,
                          struct oclmm_controls **ret_controls);
void oclmm_controls_destroy(struct oclmm_controls *controls);

/**
 * How many of a test's moved controls a run takes at most. On a CPU one: there the
 * first and EVERYWHERE either both show something or neither does, and each is a
 * kernel to compile.
 */
enum { OCLMM_CONTROLS_USUAL = 2, OCLMM_CONTROLS_CPU = 1 };

/* ---- roles that never met ---------------------------------------------- */

/**
 * The outcomes of a program that need no two threads at the same time: each
 * plays to its end, or to the next barrier, before another one goes on. Whatever
 * else a run shows, its roles have met.
 */
struct oclmm_serial {
	uint32_t width;  /**< values of an outcome, in the order of the program's observables */
	int64_t *values; /**< `width` of each outcome */
	size_t count;
	/** What mere interleaving reaches beside these: where it shows, threads met. */
	int64_t *others;
	size_t other_count;
};

/**
 * Finds them; free with oclmm_serial_destroy().
 * \return 0; -ETIME for a program with too many candidate executions, or as
 * oclmm_executions()
 */
int oclmm_serial_find(const struct oclmm_program *program, struct oclmm_serial **ret_serial);
/** \param values as many as `width` */
bool oclmm_serial_has(const struct oclmm_serial *serial, const int64_t *values);
void oclmm_serial_destroy(struct oclmm_serial *serial);

/* ---- barriers in branches ------------------------------------------------ */

/**
 * What a device is given to play a program: of threads that come to barriers inside branches and
 * loops the text of oclmm_fuse(), in which the oracle sees all work-items come to the same barrier;
 * else, and where there is no such text, the program itself.
 * \param model by which the device is judged: the text has a meaning by it, too
 */
const struct oclmm_program *oclmm_program_for_device(struct oclmm_arena *arena,
                                                     const struct oclmm_program *program,
                                                     enum oclmm_model model);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
