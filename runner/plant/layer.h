// SPDX-License-Identifier: Apache-2.0
/* What the files of the layer share. */
#ifndef OCLMM_RUNNER_PLANT_LAYER_H
#define OCLMM_RUNNER_PLANT_LAYER_H

#include <pthread.h>

#include "icd_layer.h"
#include "plant.h"

extern struct plant layer_plant;

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
/* Appends to the file that a variable names, in one write: processes at the same time do not mix.
 */
void layer_append(const char *variable, const char *bytes, size_t length);
void layer_summarise(void);

/* Whether an object goes with its next release, and its address perhaps to another one. */
#define LAYER_IS_LAST(what, type, get, name)                                                       \
	static inline bool layer_is_last_##what(type object)                                       \
	{                                                                                          \
		cl_uint references = 0;                                                            \
                                                                                                   \
		layer_real->get(object, name, sizeof(references), &references, NULL);              \
		return references == 1;                                                            \
	}
LAYER_IS_LAST(kernel, cl_kernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT)
LAYER_IS_LAST(program, cl_program, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT)
LAYER_IS_LAST(buffer, cl_mem, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)

/* ---- commands ---- */

enum {
	COMMAND_KERNEL = 1 << 0,
	COMMAND_FILL = 1 << 1,
	COMMAND_COPY = 1 << 2,
	COMMAND_READ = 1 << 3,
	COMMAND_WRITE = 1 << 4,
	COMMAND_MARKER = 1 << 5,
	COMMAND_MAP = 1 << 6,
	COMMAND_SVM_COPY = 1 << 7,
	COMMAND_SVM_MAP = 1 << 8,
	COMMANDS_THAT_BLOCK = COMMAND_READ | COMMAND_WRITE | COMMAND_MAP | COMMAND_SVM_COPY |
	                      COMMAND_SVM_MAP,
};
/* A command on its way to the driver. */
struct command {
	unsigned kind;
	cl_command_queue queue;
	cl_uint count; /* of its wait list */
	const cl_event *list;
	cl_event *event; /* where the application has it; NULL: it asks for none */
	cl_bool blocking;
	cl_kernel kernel;
	cl_uint dimensions;
	const size_t *offsets, *global, *local;
	cl_mem buffer, to; /* the latter of a copy */
	size_t offset, to_offset, size;
	const void *from; /* a pattern, or what is written */
	size_t pattern_size;
	void *memory; /* what is read into, or mapped */
	cl_map_flags flags;
};
/* Gives commands of these kinds to a function, which sends them. */
void commands_init(struct _cl_icd_dispatch *layer, unsigned kinds,
                   cl_int (*change)(struct command *command));
cl_int command_send(struct command *command);

/* ---- kernels ---- */

struct known_buffer {
	cl_mem buffer;
	size_t size;
};
/* What plants remember of a kernel. */
struct known_kernel {
	cl_kernel kernel;
	uint64_t launches;
	cl_kernel twin;             /* changed, or NULL */
	struct known_buffer first;  /* its first argument; NULL where that is no buffer */
	struct late_argument *late; /* set behind the last launch, for the one after the next */
	size_t late_count, late_capacity;
};
struct late_argument {
	cl_uint index;
	size_t size;
	void *value; /* NULL: local memory */
};
extern pthread_mutex_t kernels_lock; /* for all of them, and what plants keep beside */
struct known_kernel *kernels_find(cl_kernel kernel);
void kernels_forget_buffer(cl_mem buffer);
void kernels_drop_late(struct known_kernel *known);
/* In place of clReleaseKernel, without the lock: a kernel that goes may leave its address to
 * another one. */
cl_int CL_API_CALL kernels_release(cl_kernel kernel);

/* Replaces the calls that the plant is in. */
void calls_init(struct _cl_icd_dispatch *layer);

#endif
