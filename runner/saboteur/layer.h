// SPDX-License-Identifier: Apache-2.0
/* What the files of the layer share. */
#ifndef OCLMM_RUNNER_SABOTEUR_LAYER_H
#define OCLMM_RUNNER_SABOTEUR_LAYER_H

#include "icd_layer.h"
#include "saboteur.h"

extern struct saboteur_plant layer_plant;

/* What happened to a program; one line of OCLMM_PLANT_LOG, and a number in the closing summary. */
enum layer_event {
	LAYER_LOADED,
	LAYER_SOURCE, /* came as text; `places` of it were changed */
	LAYER_BINARY, /* came compiled, and passed unchanged */
	LAYER_IL,
	LAYER_TWIN_FAILED, /* the changed program could not be built: the other one runs */
	LAYER_LAUNCH,      /* a launch in which a plant acts that acts by launch */
	LAYER_CALL,        /* a call that a plant changed */
	LAYER_EVENTS,
};
void layer_note(enum layer_event event, size_t places);
/* That of the command whose event it is; NULL: a user's event has none. */
cl_command_queue layer_queue_of(cl_event event);

/*
 * Twins: a plant that acts by launch leaves the application its program and
 * keeps a changed one beside it, with kernels that get the same arguments.
 */

/* Remembers the changed program of an application's program. Takes over `twin`. */
void twins_add(cl_program program, cl_program twin);
/* Replaces the calls that twins must see. */
void twins_init(struct _cl_icd_dispatch *layer);

/* Replaces the calls that the plant is in. */
void calls_init(struct _cl_icd_dispatch *layer);
/* The same for clFlush. */
void flush_init(struct _cl_icd_dispatch *layer);
/* The same for what a launch finds in memory. */
void starts_init(struct _cl_icd_dispatch *layer);
/* For the arguments of kernels. */
void arguments_init(struct _cl_icd_dispatch *layer);
/* For how much of a command is done. */
void short_init(struct _cl_icd_dispatch *layer);
/* For what a launch ranges over. */
void ranges_init(struct _cl_icd_dispatch *layer);
/* For what waits for a command, and what a command waits for of the host. */
void waits_init(struct _cl_icd_dispatch *layer);

#endif
