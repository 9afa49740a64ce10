// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Tight tests: cycles whose outcome is forbidden, and no longer is after any single step down.
 * docs/tight.md says what is claimed of them.
 */
#ifndef OCLMM_TIGHT_H
#define OCLMM_TIGHT_H

#include "oclmm/cycle.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The models under which tests may be tight: the versions, and consensus. */
#define OCLMM_TIGHT_MODELS (OCLMM_MODEL_VERSIONS | 1u << OCLMM_MODEL_CONSENSUS)

/** A test that is tight under a set of 1u << enum oclmm_model. */
struct oclmm_tight {
	struct oclmm_cycle cycle;
	unsigned models;
};

/**
 * A form: a critical cycle, the regions of its locations and the groups of its threads. All its
 * decorations were looked at.
 */
struct oclmm_tight_form {
	char name[512]; /**< the cycle in words, all accesses relaxed */
	struct oclmm_tight *found;
	size_t count;
	uint64_t decorations; /**< how many there are */
	uint64_t asked;       /**< of how many the oracle was asked */
	double seconds;
};

struct oclmm_tight_options {
	unsigned edges;
	bool updates; /**< read-modify-writes, too */
	/** Ask for every decoration, without use of monotonicity. The threads divide each form. */
	bool brute;
	unsigned threads;       /**< 0: one for each processor */
	unsigned shard, shards; /**< forms `shard`, `shard` + `shards` and so on; 0, 0: all */
	/** So many answers each thread remembers at most; 0: 2,097,152. */
	size_t remembered;
	/** \return whether a form need not be searched; may be NULL */
	bool (*skip)(void *data, const char *name);
	/** Called for each form that was searched, one at a time, in no order; it is gone
	 * afterwards. Non-zero ends the search. */
	int (*done)(void *data, const struct oclmm_tight_form *form);
	/** As of oclmm_check_options, for any thread: what it returns ends the search. */
	int (*ended)(const void *data);
	void *data;
};

/**
 * Searches all forms of a size.
 * \return 0; what `done` ended it with; -EFBIG: a form has more than 2^32 decorations, too many to
 * ask for each; what `ended` returned; the oracle's error
 */
int oclmm_tight_search(const struct oclmm_tight_options *options, struct oclmm_error *error);

/** The decorations of one form, for those who look at them one by one. */
struct oclmm_tight_space;
/** Of the form that a cycle has, whatever is said on it. \return NULL beyond the bounds of tight
 * tests. */
struct oclmm_tight_space *oclmm_tight_space_create(const struct oclmm_cycle *form, bool updates);
void oclmm_tight_space_destroy(struct oclmm_tight_space *space);
uint64_t oclmm_tight_space_size(const struct oclmm_tight_space *space);
/** The cycle of a decoration by its number below the size. */
void oclmm_tight_space_cycle(const struct oclmm_tight_space *space, uint64_t number,
                             struct oclmm_cycle *ret_cycle);
/** \return the models, a set as above, that forbid a decoration's outcome; negative: as
 * oclmm_check(). */
int oclmm_tight_space_ask(struct oclmm_tight_space *space, uint64_t number);
/** The number of a cycle of the form. \return false when it says what no decoration does. */
bool oclmm_tight_space_find(const struct oclmm_tight_space *space, const struct oclmm_cycle *cycle,
                            uint64_t *ret_number);
/** Of its rotations that have the same edges, the one that lists have. */
void oclmm_tight_turn(struct oclmm_cycle *cycle);
/** Calls for each decoration that is one step weaker. */
void oclmm_tight_space_steps(const struct oclmm_tight_space *space, uint64_t number,
                             void (*each)(void *data, uint64_t weaker), void *data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
