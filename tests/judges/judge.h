// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A judge: a machine or another language that OpenCL is compiled to. It has a
 * memory model of its own (a cat file) and a mapping from OpenCL's operations
 * to its own (a map file), and shows which final states can come of that.
 *
 * A map file, line by line (`#` begins a comment):
 *
 *     model x86.cat              the cat file beside it
 *     tags LOCK MFENCE           names of sets that the words below put events into
 *     load acq sc @ dev all : MFENCE R:LOCK
 *
 * The last form says what becomes of a load, store, update (one that reads
 * and writes) or fence of these orders (na, rlx, acq, rel, acq_rel, sc; `*` is
 * any) and scopes (sg, wg, dev, all; any without `@`), with `in local` or `in global`
 * behind them only of objects of that region, and of fences and barriers that
 * name that region alone; the first line that fits counts. The words: R and W are the access
 * itself; a tag alone is a fence with this tag, F one with the tags behind it; `ctrl` makes what
 * follows control-dependent on R. Colons add tags.
 *
 * Besides the tags, the cat file may use the sets R, W, M, F, IW, B (a barrier's own accesses) and
 * the relations po, po-loc, rf, rfe, rfi, co, coe, coi, fr, fre, fri, loc, int, ext, rmw, ctrl,
 * data, ssg, swg (threads of one sub-group, work-group) and reach: the first event's scope includes
 * the second one's thread. data leads to a write from the reads that its value or place is computed
 * from; dependencies of reads on reads are left out, because OpenCL promises nothing for them and a
 * compiler may break each.
 *
 * A barrier is its entry fence (release), a store that says "here", a load of
 * each other work-item's store, and its exit fence (acquire).
 */
#ifndef JUDGES_JUDGE_H
#define JUDGES_JUDGE_H

#include "execution.h"
#include "oclmm/cat.h"

struct judge;

/**
 * Reads a map file and the cat file that it names. The judge's name is the
 * map file's, without `.map`. `first`, unless NULL, is a line that comes
 * before all others of its kind: a wrong mapping, to see it caught.
 * \return 0; -EINVAL with place and reason; another negative errno value when a
 * file cannot be read.
 */
int judge_read(const char *path, const char *first, struct oclmm_error *error,
               struct judge **ret_judge);
void judge_destroy(struct judge *judge);
const char *judge_name(const struct judge *judge);

/**
 * Can the machine run a candidate like this?
 * \return 0, or -E2BIG when there are too many events.
 */
int judge_hear(struct judge *judge, const struct candidate *candidate, bool *ret_shows);

#endif
