// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What the launches of a test and of its controls showed, and how probable it
 * is that a bug stayed silent beside them. Knows launches and hits, nothing of
 * tests.
 *
 * Instances of one launch share its conditions and come and go together, so
 * the launch is the unit. A launch is a *hit* when it showed, at least once, an
 * outcome that is looked for: one that the test forbids. Launches stand in
 * *blocks*: each member (the test and its controls) runs in a block, in one
 * environment, with equal instances per launch, in an order that was drawn.
 * Had the device the bug as often per launch as a control shows its outcome,
 * the launches of both would be exchangeable within the block, whatever the
 * machine was doing meanwhile.
 */
#ifndef OCLMM_EVIDENCE_H
#define OCLMM_EVIDENCE_H

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * What a control lacks, and so what its hits speak for. X(enumerator, word, whose bug it stands
 * for)
 */
#define OCLMM_CONTROL_KINDS(X)                                                                     \
	X(WEAKER, "weaker", "hardware") /* orders, scopes, fences or barriers are taken away */    \
	X(MOVED, "moved", "compiler")   /* the source has one wrong step of a compiler */

enum oclmm_control_kind {
#define OCLMM_X(name, ...) OCLMM_CONTROL_##name,
	OCLMM_CONTROL_KINDS(OCLMM_X)
#undef OCLMM_X
		OCLMM_CONTROL_KIND_COUNT
};

/** `weaker`, `moved`. */
const char *oclmm_control_kind_word(enum oclmm_control_kind kind);
/** `hardware` or `compiler`. */
const char *oclmm_control_kind_speaks_for(enum oclmm_control_kind kind);

/** What one member did in one block; sums of blocks fit as well. */
struct oclmm_launches {
	uint64_t launches; /**< of which at least one instance was counted */
	uint64_t hits;     /**< launches that showed what is looked for; never more */
};

/** The most launches of a member in one block. A block shares its conditions, so it is short. */
enum { OCLMM_BLOCK_LAUNCHES = 4096 };

/**
 * Whether the roles of a member ran at the same time, as its own launches tell. What tells it is
 * the same for all members of a test, and never what is looked for: else it would favour a side.
 */
struct oclmm_meeting {
	uint64_t rounds; /**< instances whose outcome could have shown it; 0: none can */
	uint64_t met;    /**< of them, those that did; never more */
	/** Different outcomes that the test does not forbid: of the test all that it showed, of a
	 * control those that are at least one instance in a hundred of these. */
	uint64_t outcomes;
	/** Observables that have more than one value in these outcomes, as bits; those from the
	 * 52nd on share one. */
	uint64_t varied;
};

/**
 * How often one value of an observable was seen in a test and in its control,
 * in outcomes that the test does not forbid: block by block, in those in which
 * equally many instances of both ran.
 */
struct oclmm_value_counts {
	uint32_t observable;
	int64_t value;
	uint64_t test, control; /**< instances with it */
	uint64_t blocks;        /**< in which either showed it */
	uint64_t fewer; /**< of them, those in which the test showed it oclmm_counts_seldom() */
};

struct oclmm_evidence_control {
	const char *name;
	enum oclmm_control_kind kind;
	uint64_t hash;      /**< of the program that ran */
	uint64_t instances; /**< counted; cut and filtered ones are not */
	struct oclmm_meeting meeting;
	uint64_t compared; /**< blocks in which values were compared; 0: nobody did */
	uint64_t values;   /**< how many values were; of several parts the larger number */
	/** Those of them that the test showed seldom, in any of several parts. */
	struct oclmm_value_counts *seldom;
	size_t seldom_count, seldom_capacity;
};

/** An outcome whose appearance made a launch a hit. */
struct oclmm_evidence_outcome {
	const int64_t *values;
	uint64_t count; /**< how often the controls showed it */
};

/** Equal blocks that follow each other. */
struct oclmm_evidence_blocks {
	uint64_t repeat;                      /**< how many blocks, from 1 */
	const struct oclmm_launches *members; /**< of each: the test, then the controls in turn */
	/** By member, instances that ran in its launches; NULL where that is not known. Those of a
	 * block have the same number in each launch. */
	const uint64_t *instances;
};

/** The launches of one test and its controls. Read it; change it by the functions below. */
struct oclmm_evidence {
	struct oclmm_arena *arena; /**< borrowed; holds all of this */
	uint32_t width;            /**< values per outcome */
	struct oclmm_evidence_control *controls;
	size_t control_count;
	struct oclmm_evidence_blocks *blocks; /**< in the order in which they ran */
	size_t block_count;                   /**< elements of `blocks`, see `repeat` */
	struct oclmm_launches *sums; /**< of all blocks, by member; NULL before the first */
	struct oclmm_evidence_outcome *outcomes;
	size_t outcome_count;
	/** Of the test. Without outcomes where nobody looked, as in results of older versions, … */
	struct oclmm_meeting meeting;
	/** … which have instances of test and controls together, and only where no control was hit.
	 */
	uint64_t rounds;
	uint64_t met; /**< of them, those that showed it */
	size_t control_capacity, block_capacity, outcome_capacity;
	struct oclmm_index index; /**< of the outcomes, by their values; not for users */
};

/** \param width number of observables of the test */
struct oclmm_evidence *oclmm_evidence_create(struct oclmm_arena *arena, uint32_t width);
/**
 * Names a control; its place is the member's in each block. What is named
 * counts, also when it never ran: name those that were chosen before any launch.
 * \return 0; -EEXIST where the name is there; -EBUSY after the first block
 */
int oclmm_evidence_add_control(struct oclmm_evidence *evidence, const char *name,
                               enum oclmm_control_kind kind, uint64_t hash);
/**
 * Adds `repeat` equal blocks behind the others.
 * \param members 1 + control_count of them: the test first
 * \return 0; -EINVAL for more hits than launches or no block; -EOVERFLOW for more launches than
 * OCLMM_BLOCK_LAUNCHES or sums beyond 2^53
 */
int oclmm_evidence_add_blocks(struct oclmm_evidence *evidence, uint64_t repeat,
                              const struct oclmm_launches *members);
/**
 * The same where it is known how many instances ran in the launches of each member.
 * \return as above; also -EINVAL where a launch of one member had more than one of another: it was
 * likelier to be a hit
 */
int oclmm_evidence_add_sized_blocks(struct oclmm_evidence *evidence, uint64_t repeat,
                                    const struct oclmm_launches *members,
                                    const uint64_t *instances);
/** Adds counted instances of a control. Saturates. */
void oclmm_evidence_add_instances(struct oclmm_evidence *evidence, size_t control, uint64_t count);
/** Adds to what the controls showed of one outcome. Saturates. */
void oclmm_evidence_add_outcome(struct oclmm_evidence *evidence, const int64_t *values,
                                uint64_t count);
/** Adds to what a member's own launches tell. Saturates; of outcomes the larger number stays. */
void oclmm_evidence_add_meeting(struct oclmm_evidence *evidence, size_t member,
                                struct oclmm_meeting meeting);
/**
 * Whether a test showed a value seldom: less than three tenths as often as its
 * control. So seldom hardly any honest device shows a value that it shows often beside
 * it: fences that cost much and change who comes first made it a third on one.
 */
static inline bool oclmm_counts_seldom(uint64_t test, uint64_t control)
{
	return 10 * (double)test < 3 * (double)control;
}
/**
 * Adds what a comparison with a control told: in so many blocks, of so many values, those that
 * were seen seldom. Saturates. What an earlier part told of other values stays, and of these the
 * new blocks tell nothing.
 */
void oclmm_evidence_compare(struct oclmm_evidence *evidence, size_t control, uint64_t blocks,
                            uint64_t values, const struct oclmm_value_counts *seldom, size_t count);
/** Adds to `rounds` and `met`. Saturates; `met` never exceeds `rounds`. */
void oclmm_evidence_add_rounds(struct oclmm_evidence *evidence, uint64_t rounds, uint64_t met);
/** Whether `part` was gained beside the same controls as `whole`, and the sums stay in bounds. */
bool oclmm_evidence_fits(const struct oclmm_evidence *whole, const struct oclmm_evidence *part);
/**
 * Adds what later launches showed, of the same test beside the same controls.
 * \return 0; -EINVAL where it does not fit, and nothing was changed
 */
int oclmm_evidence_extend(struct oclmm_evidence *whole, const struct oclmm_evidence *part);

/** Reorders the values of all outcomes: the i-th is what was the `places[i]`-th. */
void oclmm_evidence_reorder(struct oclmm_evidence *evidence, const uint32_t *places);

/** \return the control of this name, or NULL. */
const struct oclmm_evidence_control *oclmm_evidence_find(const struct oclmm_evidence *evidence,
                                                         const char *name);
/** All blocks of a member together: 0 is the test, 1 + i the control i. */
struct oclmm_launches oclmm_evidence_sum(const struct oclmm_evidence *evidence, size_t member);

/* ---- how the test met ------------------------------------------------- */

/** How the roles of a test met beside those of one of its controls. */
enum oclmm_met {
	OCLMM_MET_UNTOLD, /**< nobody looked, or no outcome could tell */
	OCLMM_MET_ALIKE,
	OCLMM_MET_SELDOM,       /**< less than a quarter as often as the control's */
	OCLMM_MET_SELDOM_VALUE, /**< see oclmm_evidence_seldom() */
	OCLMM_MET_ONE_VALUE,    /**< an observable has one value, and several in the control */
	OCLMM_MET_ONE_OUTCOME,  /**< one outcome in all instances, and several of the control */
	OCLMM_MET_NEVER,
};
enum oclmm_met oclmm_evidence_met(const struct oclmm_evidence *evidence, size_t control);

/**
 * A value that the test showed clearly less often than its control: seldom in
 * all, and in so many blocks that chance would have it in one of 1,000 tests at
 * most. Had the device shown it alike in both, which of the two shows it
 * seldom in a block would be a fair coin at best, for their order is drawn;
 * that is all that is used. NULL: none is.
 */
const struct oclmm_value_counts *oclmm_evidence_seldom(const struct oclmm_evidence *evidence,
                                                       size_t control);

/* ---- what silence is worth ------------------------------------------- */

/**
 * The natural logarithm of the probability that all h hits of a block fell on
 * the c launches of the control and none on the t launches of the test, had
 * they been exchangeable: C(c, h) / C(c + t, h). 0 where the test was hit.
 */
double oclmm_launches_log_escape(struct oclmm_launches test, struct oclmm_launches control);
/**
 * The same of all blocks together, for one control: the logarithm of their
 * product. 0 where the test never met, or showed one outcome, or one value of an observable, where
 * its control shows several;
 * where it met less than a quarter as often, the part of it that as many meetings of the control
 * were worth. 0 where it clearly showed a value less often (oclmm_evidence_seldom()), and where it
 * did so, but not clearly, the part that its instances with that value are worth. It
 * may be looked at after each block and launches may end as soon as it is small enough: the
 * probability that a bug as frequent as the control's outcome ever lets it fall to ln p is p at
 * most.
 */
double oclmm_evidence_log_escape(const struct oclmm_evidence *evidence, size_t control);
/** What the controls of a kind say together. */
struct oclmm_escape {
	uint32_t controls; /**< of the kind */
	uint32_t hit;      /**< of them, those that were hit at least once */
	size_t best;       /**< the control that says most; 0 where there is none */
	double log;        /**< its logarithm, times their number (Bonferroni), 0 at most */
};
struct oclmm_escape oclmm_evidence_escape(const struct oclmm_evidence *evidence,
                                          enum oclmm_control_kind kind);
/**
 * How much more the number of hits varies than that of independent launches with the same rate
 * would: 1 where they are independent, n where hits come n at a time. Of the control that says
 * most of it; 1 also where none has enough hits to tell.
 */
double oclmm_evidence_dispersion(const struct oclmm_evidence *evidence);
/**
 * What shows in at least this fraction of launches would have been seen in one of so many with a
 * probability of 95 %, if its launches come `dispersion` at a time (1: independently of each
 * other).
 */
double oclmm_detection_limit(uint64_t launches, double dispersion);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
