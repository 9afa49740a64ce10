// SPDX-License-Identifier: Apache-2.0
/* What became of a plant, and what all of them come to. */
#ifndef OCLMM_RUNNER_PLANTED_OUTCOME_H
#define OCLMM_RUNNER_PLANTED_OUTCOME_H

#include "equivalents.h"

/* X(enumerator, word, meaning) */
#define PLANT_STATES(X)                                                                            \
	X(CLEAN, "clean", "nothing was planted, and nothing forbidden was seen")                   \
	X(KILLED, "killed", "a test showed a forbidden outcome")                                   \
	X(CONTRADICTION, "contradiction", "killed, although it is listed as equivalent here")      \
	X(EQUIVALENT, "equivalent", "not killed, and listed: it cannot show here")                 \
	X(NOTICED, "noticed",                                                                      \
	  "no forbidden outcome, but tests whose counts were lost, or crashes")                    \
	X(SURVIVED, "survived", "programs were changed, and no test noticed")                      \
	X(QUIET, "quiet",                                                                          \
	  "survived, and its tests show nothing either where no order and fence is left at all")   \
	X(LACKING, "lacking",                                                                      \
	  "the device lacks what its tests need, or need once changed, or runs none to its end")   \
	X(REFUSED, "refused", "programs that the driver takes were refused as they were changed")  \
	X(GAP, "gap", "tests have what it changes, and by the model none can show it")             \
	X(UNTOUCHED, "untouched", "no program had anything to change, or no launch ran it")        \
	X(FAILED, "failed", "it could not be tried")

enum plant_state {
#define PLANT_X(name, ...) PLANT_##name,
	PLANT_STATES(PLANT_X)
#undef PLANT_X
		PLANT_STATE_COUNT
};

/* A test that showed a forbidden outcome, and what had run by then. */
struct kill {
	char *test;
	uint64_t seen;             /* instances with a forbidden outcome */
	uint64_t instances;        /* of this test */
	uint64_t instances_before; /* of all tests up to and with this one */
	double seconds;            /* since the plant's first test was started */
};
struct kills {
	struct kill *items;
	size_t count, capacity;
};

/* Owns a copy of the test's name; the kill's own is nobody's. */
void kills_add(struct kills *kills, const char *test, struct kill kill);

/* A test that could not be run to the end. */
struct broken_test {
	char *name, *verdict;   /* of the first run of it that was not */
	uint64_t runs, refused; /* of these its program was not built */
	bool checked;           /* it was run to the end without the plant */
};

/* What became of it as it is written. */
const char *plant_state_word(enum plant_state state);

struct plant_outcome {
	const char *choice; /* NAME or NAME:PARAMETER */
	struct plant plant;
	enum plant_state state;
	struct kills kills; /* in the order in which they came */
	uint64_t tests;     /* that ran */
	uint64_t skipped;   /* tests that did not, for a feature that the device lacks: also for one
	                       that they need only when they are changed */
	uint64_t concerned; /* of the chosen ones: whose own text the plant changes */
	uint64_t able;      /* of these: that can show it, as the model says */
	bool hopeless;      /* none of them can, and nothing was run */
	bool quiet;         /* it survived, and all these tests show nothing where nothing orders */
	struct kills shows; /* else those that do, the surest first */
	uint64_t loosened;  /* tests that were run where nothing orders, */
	uint64_t loosened_instances; /* and their instances */
	uint64_t asked;    /* of a drawn one: concerned tests that were looked at so far */
	uint64_t refused;  /* build-failed, though nothing more is needed: changed wrongly */
	uint64_t broken;   /* build-failed, crash, timeout, lost */
	uint64_t left_out; /* tests that are so without the plant, too, and count nowhere else */
	uint64_t ungated;  /* tests that saw something forbidden and do not gate: no kills */
	uint64_t instances;
	uint64_t programs; /* that the layer saw as text */
	uint64_t places;   /* that it changed */
	uint64_t opaque;   /* programs that came as binaries or IL */
	uint64_t launches; /* in which a plant acted that acts by launch */
	uint64_t unbuilt;  /* changed programs that could not be built */
	bool loaded;       /* the layer was there */
	double seconds;
	char broken_text[128];            /* the first of those that are broken, and how */
	struct broken_test *broken_tests; /* all of those, in the order in which they came */
	size_t broken_count, broken_capacity;
	const struct equivalent *equivalent;
};

void plant_outcome_finish(struct plant_outcome *outcome);
/* A test that could not be run to the end. */
void plant_outcome_add_broken(struct plant_outcome *outcome, const char *test, const char *verdict);
/* The n-th of them could not without the plant either: it says nothing of the plant. */
void plant_outcome_leave_out_broken(struct plant_outcome *outcome, size_t n);
/* Sets the state from what was seen. */
void plant_outcome_judge(struct plant_outcome *outcome);
/* Whether the plant changed anything that ran. */
bool plant_outcome_touched(const struct plant_outcome *outcome);
/* Whether it counts as killed. */
bool plant_outcome_is_kill(const struct plant_outcome *outcome);
/* It can show on the device. */
bool plant_outcome_is_able(const struct plant_outcome *outcome);

/* Classes of plants, in the order of the list: X(first plant, name) */
#define PLANT_CLASSES(X)                                                                           \
	X(NONE, "nothing")                                                                         \
	X(SC_ACQ_REL, "orders and scopes")                                                         \
	X(FENCE_REMOVED, "fences and barriers")                                                    \
	X(RMW_SPLIT, "indivisible updates")                                                        \
	X(LOADS_REVERSED, "reordering")                                                            \
	X(TORN, "torn accesses")                                                                   \
	X(MULTI_GROUP, "some launches")                                                            \
	X(NOTHING_STORED, "what operations compute")                                               \
	X(WIDE_RELAXED, "widths, forms, operands")                                                 \
	X(GROUP_RELAXED, "some groups and work-items")                                             \
	X(RARE_RELAXED, "rare")                                                                    \
	X(COUNT_LOST, "the counting itself")                                                       \
	X(INIT_LOST, "initial values")                                                             \
	X(BRANCH_BARRIER, "kernels cut at barriers")                                               \
	X(VARIABLE_COPIED, "features that a device may lack")                                      \
	X(EVENT_EARLY, "commands")                                                                 \
	X(OFFSET_IGNORED, "what launches range over")
enum { PLANT_CLASS_COUNT = 17 };
unsigned plant_class(enum plant_bug bug);
const char *plant_class_name(unsigned class);

/* The whole matrix in numbers. */
struct plant_score {
	size_t states[PLANT_STATE_COUNT];
	size_t killed; /* contradictions too */
	size_t able;   /* all but the equivalent ones, and those that the device lacks */
	size_t quiet;  /* of these: those that the machine does not show */
	size_t class_killed[PLANT_CLASS_COUNT], class_able[PLANT_CLASS_COUNT];
	size_t class_tried[PLANT_CLASS_COUNT]; /* these too */
	struct drawn_plant *drawn;             /* those that were drawn and can show */
	size_t drawn_count, drawn_capacity;
};
/* A drawn plant that can show on the device, for what survivors have in common. */
struct drawn_plant {
	char choice[PLANT_CHOICE];
	struct plant plant;
	bool killed;
};
void plant_score_finish(struct plant_score *score);
void plant_score_add(struct plant_score *score, const struct plant_outcome *outcome);

#endif
