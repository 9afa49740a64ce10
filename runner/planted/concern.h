// SPDX-License-Identifier: Apache-2.0
/* Which tests can show a plant: those whose own statements it changes, and among them, where the
 * model can read what becomes of them, those that it then allows what it forbade. */
#ifndef OCLMM_RUNNER_PLANTED_CONCERN_H
#define OCLMM_RUNNER_PLANTED_CONCERN_H

#include "oclmm/model.h"
#include "plant/plant.h"

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
	bool left_out; /* it showed something forbidden without a plant */
	char *pattern; /* matches its name only, which may be that of a family, too */
	char *text;    /* its canonical print, once it was needed */
	bool asked, derived;
	unsigned steps;              /* of its moved controls: set of 1u << enum oclmm_moved_step */
	struct oclmm_answer *answer; /* NULL: none could be had */
};

/* `model`: of the device's version. */
enum concern concern_of(const struct plant *plant, struct concerned *test, enum oclmm_model model);
void concerned_finish(struct concerned *test);

#endif
