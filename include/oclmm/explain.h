// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Why an outcome is allowed, forbidden, disputed or undefined: the execution or
 * the broken rule in sentences, and the changes that would turn the verdict.
 * docs/explain.md shows how to read it.
 */
#ifndef OCLMM_EXPLAIN_H
#define OCLMM_EXPLAIN_H

#include "oclmm/change.h"
#include "oclmm/model_execution.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- the question ---------------------------------------------------- */

/**
 * A copy of a program that asks for another outcome: its final condition is
 * `outcome`, written as in a litmus file, e.g. `1:r0=1 /\ 1:r1=0` or `[x]=2`.
 * Everything else, lines included, stays as it was.
 * \param arena owns the copy, which also refers to `program`.
 * \return 0; -EINVAL when the text is refused: `error` then has the text as its
 * source line and the place in it.
 */
int oclmm_explain_ask(struct oclmm_arena *arena, const struct oclmm_program *program,
                      const char *outcome, struct oclmm_error *error,
                      const struct oclmm_program **ret_program);

/* ---- executions ------------------------------------------------------ */

/** One edge of a cycle: from one event to the next. */
struct oclmm_step {
	enum oclmm_edge edge; /**< of a model's own relation HB, as which it is drawn */
	const char *name;     /**< as it is printed: `sb`, or the model's name for it */
	unsigned from, to;    /**< events of the execution */
	const char *why;      /**< a clause without full stop: why the edge is there */
	const char *section;  /**< of the specification */
};

/** The rule that an execution breaks. */
struct oclmm_violation {
	enum oclmm_axiom axiom; /**< OCLMM_AXIOM_COUNT: of a model as text */
	const char *rule;       /**< its name as in docs/model.md, e.g. `coherence, write-read` */
	const char *section;    /**< of the specification */
	const char *why;        /**< one or two sentences, with full stops */
	/**
	 * The edges, each from where the one before it leads; the last leads back to
	 * the first event. A rule that asks for an edge which is missing (visible
	 * side effect) has one step, the reads-from edge that it refuses.
	 */
	struct oclmm_step *steps;
	unsigned step_count;
};

/** How many candidate executions with the outcome fail first for a rule. */
struct oclmm_failure {
	const char *name; /**< of the axiom, or of the check of a model as text */
	uint64_t executions;
};

/** A change of the program that turns the verdict, as found by search. */
struct oclmm_change {
	const char *what; /**< e.g. `the atomic_load of P1 in line 38 with memory_order_relaxed` */
	unsigned edits;   /**< how many single edits it consists of */
	struct oclmm_change_line *lines;
	unsigned line_count;
	const struct oclmm_program *program; /**< as changed: a legal program */
	enum oclmm_status status;            /**< consensus on the outcome afterwards */
	bool made_atomic;                    /**< an object becomes atomic */
};

/** What one reading of the texts says. */
struct oclmm_reading_verdict {
	struct oclmm_reading reading;
	enum oclmm_status status;
};

struct oclmm_explain_options {
	unsigned models;          /**< one 1u << enum oclmm_model; 0 means consensus */
	uint64_t candidate_limit; /**< executions looked at; 0 means 200,000 */
	unsigned check_limit;     /**< changed programs that are judged; 0 means 3,000 */
	double time_limit;        /**< processor seconds for each of the two searches; 0: none */
	/** As of oclmm_check_options: what it returns ends oclmm_explain(). */
	int (*ended)(const void *data);
	const void *data;            /**< for it */
	bool no_changes;             /**< do not look for repairs and weakenings */
	struct oclmm_cat_model *cat; /**< answers in place of ours, or NULL */
};

/** Owned by its arena; free with oclmm_explanation_destroy(). Refers to the program. */
struct oclmm_explanation {
	struct oclmm_arena *arena;
	const struct oclmm_program *program;
	enum oclmm_model model;
	const char *text;         /**< the name of the model as text that answered, or NULL */
	enum oclmm_status status; /**< of the outcome explained */
	bool reached;             /**< some candidate execution ends so */
	int64_t *values;          /**< the outcome, a value per observable; NULL unless `reached` */
	unsigned states;          /**< how many outcomes fulfil the condition */
	struct oclmm_reading reading;      /**< under which the execution is judged */
	struct oclmm_execution *execution; /**< the witness or the closest failure, or NULL */
	const struct oclmm_violation
		*violation;             /**< forbidden, disputed: what the execution breaks */
	struct oclmm_failure *failures; /**< forbidden: by rule, most frequent first */
	unsigned failure_count;
	unsigned race_a, race_b; /**< undefined by a race, with `execution`: the two events */
	const struct oclmm_witness *witness; /**< undefined: NULL otherwise */
	const char *why; /**< what is missing where it races; why it is not `reached` */
	/** Not `reached`: a comparison of the condition that no execution fulfils, or NULL. */
	const struct oclmm_condition *unreachable;
	struct oclmm_reading_verdict *readings; /**< consensus: every reading that was asked */
	unsigned reading_count;
	unsigned deciding; /**< disputed: set of 1u << enum oclmm_knob */
	/** of the outcome, for devices of each version; valid for the models of `versions` */
	enum oclmm_status by_version[OCLMM_MODEL_COUNT];
	unsigned versions; /**< disputed under consensus: set of 1u << enum oclmm_model; else 0 */
	struct oclmm_reading allowing; /**< disputed: a reading that allows the outcome */
	const char *allowing_why;      /**< disputed: what is different there; a sentence */
	struct oclmm_change
		*changes; /**< undefined: repairs; forbidden: weakenings; smallest first */
	unsigned change_count;
	/** Of a shared text that was run step by step, where its executions are too many to be
	 * looked at: the only outcome, a value per observable; else NULL. */
	int64_t *only;
	uint64_t candidates; /**< executions with the outcome that were looked at */
	bool candidates_cut; /**< a limit ended the search for executions */
	unsigned checks;     /**< changed programs judged */
	bool changes_cut;    /**< a limit ended the search for changes */
	bool changes_searched;
};

/**
 * Explains the final condition of a program: of `forall`, its negation. Where
 * several outcomes fulfil it, an allowed one if there is any, else a disputed
 * one, else a forbidden one.
 * \return 0; -E2BIG, -ETIME, -EINTR, -EINVAL as oclmm_check().
 */
int oclmm_explain(const struct oclmm_program *program, const struct oclmm_explain_options *options,
                  struct oclmm_error *error, struct oclmm_explanation **ret_explanation);
void oclmm_explanation_destroy(struct oclmm_explanation *explanation);

/** Prints it for people. */
void oclmm_explanation_print(struct oclmm_text *text, const struct oclmm_explanation *explanation);
/** Prints one event: `a: W x=1 rel dev`. Fences `F GL rel dev`, barriers `B entry GL`. */
void oclmm_event_print(struct oclmm_text *text, const struct oclmm_program *program,
                       const struct oclmm_execution *execution, unsigned event);
/** The letter of an event, `a` … `z`, `aa` …; initial writes are `i0` …. For a call of printf():
 * `oclmm_event_letter(execution, event).text`. */
struct oclmm_event_letter {
	char text[8];
};
struct oclmm_event_letter oclmm_event_letter(const struct oclmm_execution *execution,
                                             unsigned event);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
