// SPDX-License-Identifier: Apache-2.0
/*
 * Machines whose code is known well enough to be asked what a changed program can show: a model in
 * cat stands for what a compiler makes of each call.
 */
#ifndef OCLMM_RUNNER_PLANTED_KNOWN_MACHINE_H
#define OCLMM_RUNNER_PLANTED_KNOWN_MACHINE_H

#include "equivalents.h"
#include "oclmm/cat.h"
#include "oclmm/change.h"
#include "oclmm/ir.h"
#include "same_code.h"

/* `model` is NULL where nothing is known, and OpenCL's model stands alone. */
struct machine {
	struct oclmm_cat_model *model;
	const struct known_machine *known;
	enum code code;
	const struct equivalent *hides; /* why no test can show a bug that the model hides */
};

/*
 * The one that is named; with NULL that of a device, if it is known, by its platform and the
 * machine (as uname has it). Returns 0; -EINVAL where there is none of that name; another negative
 * errno value where the model cannot be read.
 */
int machine_read(const char *named, const char *platform, const char *machine,
                 struct oclmm_error *error, struct machine *ret_machine);
void machine_finish(struct machine *machine);
/*
 * By what is changed, without its model, a test shows nothing new on the machine; or what comes
 * apart is a relaxed access there, for one part has all values of the test.
 */
enum machine_view { MACHINE_MAY_SHOW, MACHINE_HIDES, MACHINE_RELAXES };
enum machine_view machine_view(const struct machine *machine, const struct oclmm_program *program,
                               const struct oclmm_changed *changed, const struct plant *plant);

#endif
