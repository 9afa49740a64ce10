// SPDX-License-Identifier: Apache-2.0
/** \file Inside the judges. */
#ifndef JUDGES_INTERNAL_H
#define JUDGES_INTERNAL_H

#include "judge.h"

enum {
	JUDGE_MAX_TAGS = 16,
	JUDGE_MAX_WORDS = 6,
	JUDGE_MAX_RULES = 64,
};

enum judge_kind { JUDGE_LOAD, JUDGE_STORE, JUDGE_UPDATE, JUDGE_FENCE };
enum judge_what { JUDGE_READ, JUDGE_WRITE, JUDGE_BETWEEN, JUDGE_CONTROL };

/** One event of the machine, or the mark `ctrl`. */
struct judge_word {
	enum judge_what what;
	unsigned tags;
};

struct judge_rule {
	enum judge_kind kind;
	unsigned orders, scopes; /**< sets of 1u << enum oclmm_order, oclmm_scope */
	unsigned regions;        /**< set of the values of OCLMM_FLAG_ sets, 1u << flags */
	struct judge_word words[JUDGE_MAX_WORDS];
	unsigned count;
};

/* X(name, spelling, type) */
#define JUDGE_NAMES(X)                                                                             \
	X(R, "R", CAT_SET)                                                                         \
	X(W, "W", CAT_SET)                                                                         \
	X(M, "M", CAT_SET)                                                                         \
	X(F, "F", CAT_SET)                                                                         \
	X(IW, "IW", CAT_SET)                                                                       \
	X(B, "B", CAT_SET)                                                                         \
	X(PO, "po", CAT_RELATION)                                                                  \
	X(PO_LOC, "po-loc", CAT_RELATION)                                                          \
	X(RF, "rf", CAT_RELATION)                                                                  \
	X(RFE, "rfe", CAT_RELATION)                                                                \
	X(RFI, "rfi", CAT_RELATION)                                                                \
	X(CO, "co", CAT_RELATION)                                                                  \
	X(COE, "coe", CAT_RELATION)                                                                \
	X(COI, "coi", CAT_RELATION)                                                                \
	X(FR, "fr", CAT_RELATION)                                                                  \
	X(FRE, "fre", CAT_RELATION)                                                                \
	X(FRI, "fri", CAT_RELATION)                                                                \
	X(LOC, "loc", CAT_RELATION)                                                                \
	X(INT, "int", CAT_RELATION)                                                                \
	X(EXT, "ext", CAT_RELATION)                                                                \
	X(RMW, "rmw", CAT_RELATION)                                                                \
	X(CTRL, "ctrl", CAT_RELATION)                                                              \
	X(DATA, "data", CAT_RELATION)                                                              \
	X(REACH, "reach", CAT_RELATION)                                                            \
	X(SSG, "ssg", CAT_RELATION)                                                                \
	X(SWG, "swg", CAT_RELATION)

enum {
#define OCLMM_X(name, ...) JUDGE_##name,
	JUDGE_NAMES(OCLMM_X)
#undef OCLMM_X
		JUDGE_NAME_COUNT
};

struct judge {
	char *name;
	struct cat_model *model;
	struct cat_name names[JUDGE_NAME_COUNT + JUDGE_MAX_TAGS]; /**< tags last */
	char *tags[JUDGE_MAX_TAGS];
	unsigned tag_count;
	struct judge_rule rules[JUDGE_MAX_RULES];
	unsigned rule_count;
};

/** An event of the machine. */
struct target_event {
	int thread;      /**< -1: an initial write */
	unsigned source; /**< the event of the candidate that it comes from */
	unsigned cell;
	bool reads, writes;
	bool controls, behind_control; /**< `ctrl` behind the read; in front of the event */
	unsigned tags;
	enum oclmm_scope scope;
};

/** An execution of the machine. */
struct target {
	const struct candidate *candidate;
	struct target_event events[CAT_MAX_EVENTS];
	unsigned count;
	int read_of[MAX_EVENTS], write_of[MAX_EVENTS]; /**< of a candidate's event, or -1 */
	cat_relation values[JUDGE_NAME_COUNT + JUDGE_MAX_TAGS];
};

/** Maps the events of a candidate. \return 0 or -E2BIG. */
int target_map(const struct judge *judge, const struct candidate *candidate,
               struct target *ret_target);
/** Fills the sets and relations. */
void target_describe(const struct judge *judge, struct target *target);

#endif
