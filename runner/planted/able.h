// SPDX-License-Identifier: Apache-2.0
/* Which tests can show a plant. */
#ifndef OCLMM_RUNNER_PLANTED_ABLE_H
#define OCLMM_RUNNER_PLANTED_ABLE_H

#include "known_machine.h"
#include "oclmm/model.h"

/*
 * Those whose own statements it changes, and among them, where the model can read what becomes of
 * them, those that it then allows what it forbade.
 */

/* How early a test is tried under a plant. */
enum concern {
	CONCERN_ABLE_SC, /* the changed program is allowed an outcome that the test forbids, and
	                    has seq_cst operations, without which x86 shows little, or, where an
	                    update is lost, stores that loads overtake, or, where a load stores,
	                    two roles */
	CONCERN_ABLE,    /* the same without them */
	CONCERN_STRONG,  /* changed, names a control, and has seq_cst operations: most is forbidden
	                    there */
	CONCERN_CONTROL, /* changed, and names a control, so that something is forbidden */
	CONCERN_CHANGED,
	CONCERN_UNABLE, /* changed, and still allowed no more than before */
	CONCERN_NONE,
	CONCERN_COUNT,
};

/* A test, with what the model says of it, which is asked for once. */
struct concerned {
	const struct oclmm_program *program;
	bool control;  /* it names one */
	bool left_out; /* without a plant it showed what is forbidden, or did not end */
	bool clean;    /* it showed nothing of that in a run of its own */
	bool ends;     /* and was run to the end in one */
	char *pattern; /* matches its name only, which may be that of a family, too */
	char *text;    /* its canonical print, once it was needed */
	bool asked, derived;
	double share;   /* of what it may show under the plant asked about last: what it forbids */
	unsigned steps; /* of its moved controls: set of 1u << enum oclmm_moved_step */
	struct oclmm_answer *answer; /* NULL: none could be had */
};

void concerned_finish(struct concerned *test);
/* How many calls of a test the plant changes. */
size_t concerned_calls(const struct plant *plant, struct concerned *test);
/* The changed test needs a feature that the test does without, so that a device may refuse
 * it. */
bool concerned_needs_more(const struct plant *plant, const struct oclmm_program *program);
/* By OpenCL's model. */
enum concern concern_of(const struct plant *plant, struct concerned *test, enum oclmm_model model);
/* ABLE, UNABLE by the model, or NONE: able by the model, and not on the machine. */
enum concern concern_of_drawn(const struct machine *machine, const struct plant *plant,
                              struct concerned *test, enum oclmm_model model);

#endif
