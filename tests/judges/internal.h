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
	X(R, "R", OCLMM_CAT_SET)                                                                   \
	X(W, "W", OCLMM_CAT_SET)                                                                   \
	X(M, "M", OCLMM_CAT_SET)                                                                   \
	X(F, "F", OCLMM_CAT_SET)                                                                   \
	X(IW, "IW", OCLMM_CAT_SET)                                                                 \
	X(B, "B", OCLMM_CAT_SET)                                                                   \
	X(PO, "po", OCLMM_CAT_RELATION)                                                            \
	X(PO_LOC, "po-loc", OCLMM_CAT_RELATION)                                                    \
	X(RF, "rf", OCLMM_CAT_RELATION)                                                            \
	X(RFE, "rfe", OCLMM_CAT_RELATION)                                                          \
	X(RFI, "rfi", OCLMM_CAT_RELATION)                                                          \
	X(CO, "co", OCLMM_CAT_RELATION)                                                            \
	X(COE, "coe", OCLMM_CAT_RELATION)                                                          \
	X(COI, "coi", OCLMM_CAT_RELATION)                                                          \
	X(FR, "fr", OCLMM_CAT_RELATION)                                                            \
	X(FRE, "fre", OCLMM_CAT_RELATION)                                                          \
	X(FRI, "fri", OCLMM_CAT_RELATION)                                                          \
	X(LOC, "loc", OCLMM_CAT_RELATION)                                                          \
	X(INT, "int", OCLMM_CAT_RELATION)                                                          \
	X(EXT, "ext", OCLMM_CAT_RELATION)                                                          \
	X(RMW, "rmw", OCLMM_CAT_RELATION)                                                          \
	X(CTRL, "ctrl", OCLMM_CAT_RELATION)                                                        \
	X(DATA, "data", OCLMM_CAT_RELATION)                                                        \
	X(REACH, "reach", OCLMM_CAT_RELATION)                                                      \
	X(SSG, "ssg", OCLMM_CAT_RELATION)                                                          \
	X(SWG, "swg", OCLMM_CAT_RELATION)

enum {
#define OCLMM_X(name, ...) JUDGE_##name,
	JUDGE_NAMES(OCLMM_X)
#undef OCLMM_X
		JUDGE_NAME_COUNT
};

struct judge {
	char *name;
	struct oclmm_cat_model *model;
	struct oclmm_cat_name names[JUDGE_NAME_COUNT + JUDGE_MAX_TAGS]; /**< tags last */
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
	struct target_event events[OCLMM_CAT_MAX_EVENTS];
	unsigned count;
	int read_of[MAX_EVENTS], write_of[MAX_EVENTS]; /**< of a candidate's event, or -1 */
	oclmm_cat_relation values[JUDGE_NAME_COUNT + JUDGE_MAX_TAGS];
};

/** Whether the machine's code for an operation of order `from` is not that of order `to`; NONE: no
 * operation. */
bool judge_tells(const struct judge *judge, enum judge_kind kind, enum oclmm_order from,
                 enum oclmm_order to, enum oclmm_scope scope, unsigned regions);

/** Maps the events of a candidate. \return 0 or -E2BIG. */
int target_map(const struct judge *judge, const struct candidate *candidate,
               struct target *ret_target);
/** Fills the sets and relations. */
void target_describe(const struct judge *judge, struct target *target);

#endif
