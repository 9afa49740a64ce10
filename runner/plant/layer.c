// SPDX-License-Identifier: Apache-2.0
/*
 * A layer of the ICD loader that plants one bug into the driver under it. It lies about calls, and
 * exchanges the texts of programs for those that the application offered for them
 * (oclmm_plant_offer()). Of OpenCL C it knows nothing.
 *
 *     OPENCL_LAYERS=/usr/lib/oclmm/liboclmm-plant.so OCLMM_PLANT=NAME[:PARAMETER] application
 *
 * OCLMM_PLANT_VERBOSE=1   says at the end, on standard error, what was changed
 * OCLMM_PLANT_LOG=FILE    appends a line per program, each in one write; see layer_note()
 * OCLMM_PLANT_SAVE=FILE   appends the changed texts
 * OCLMM_PLANT_TEXTS=FILE  offers texts for an application that knows nothing of the layer: each a
 *                         line `HASH PLACES LENGTH`, and so many bytes behind it
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/base.h"

#include "changed_kernel.h"
#include "icd_layer.h"
#include "offer.h"
#include "plant.h"

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
	void **reached; /* shared virtual memory that its exec info names */
	size_t reached_count;
};
struct late_argument {
	cl_uint index;
	size_t size;
	void *value; /* NULL: local memory */
};

ICD_LAYER("oclmm plant");
static struct plant layer_plant;

/* ---- the log --------------------------------------------------------------- */

static struct {
	pthread_mutex_t lock;
	size_t events[LAYER_EVENTS];
	size_t places;
	size_t untouched; /* texts in which nothing was to be changed */
} tally = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const words[LAYER_EVENTS] = {
	[LAYER_LOADED] = "loaded", [LAYER_SOURCE] = "source",           [LAYER_BINARY] = "binary",
	[LAYER_IL] = "il",         [LAYER_TWIN_FAILED] = "twin-failed", [LAYER_LAUNCH] = "launch",
	[LAYER_CALL] = "call",
};

/* Appends to the file that a variable names, in one write: processes at the same time do not mix.
 */
static void layer_append(const char *variable, const char *bytes, size_t length)
{
	const char *path = getenv(variable);
	int file = path && *path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (file < 0)
		return;
	if (write(file, bytes, length) != (ssize_t)length)
		fprintf(stderr, "oclmm plant: cannot write to %s\n", path);
	close(file);
}

static void layer_note(enum layer_event event, size_t places)
{
	char line[128];
	int length = snprintf(line, sizeof(line), "%s %s %zu\n",
	                      plant_descriptions[layer_plant.bug].name, words[event], places);
	bool again;

	pthread_mutex_lock(&tally.lock);
	tally.events[event]++;
	tally.places += places;
	tally.untouched += event == LAYER_SOURCE && places == 0;
	again = event == LAYER_CALL && tally.events[event] > 1;
	pthread_mutex_unlock(&tally.lock);
	/* of calls there are many */
	if (!again)
		layer_append("OCLMM_PLANT_LOG", line, (size_t)length);
}

static void layer_summarise(void)
{
	fprintf(stderr,
	        "oclmm plant: %s: %zu places changed in %zu programs; %zu had nothing to "
	        "change, "
	        "%zu came as binaries or IL\n",
	        plant_descriptions[layer_plant.bug].name, tally.places,
	        tally.events[LAYER_SOURCE] - tally.untouched, tally.untouched,
	        tally.events[LAYER_BINARY] + tally.events[LAYER_IL]);
	if (plant_by_launch(&layer_plant))
		fprintf(stderr, "oclmm plant: they ran in %zu launches\n",
		        tally.events[LAYER_LAUNCH]);
	if (plant_in_calls(layer_plant.bug))
		fprintf(stderr, "oclmm plant: %zu calls changed\n", tally.events[LAYER_CALL]);
	if (tally.events[LAYER_TWIN_FAILED])
		fprintf(stderr, "oclmm plant: %zu changed programs could not be built\n",
		        tally.events[LAYER_TWIN_FAILED]);
}

/* ---- commands -------------------------------------------------------------- */

static cl_int (*plant)(struct command *command);

/* What all of these calls have. */
#define BASE(kind_) .kind = (kind_), .queue = queue, .count = count, .list = list, .event = event

static cl_int CL_API_CALL kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_KERNEL), .kernel = kernel, .dimensions = dimensions,
	                          .offsets = offset,    .global = global, .local = local};

	return plant(&command);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint count,
                               const cl_event *list, cl_event *event)
{
	struct command command = {
		BASE(COMMAND_FILL),           .buffer = buffer, .from = pattern, .offset = offset,
		.pattern_size = pattern_size, .size = size};

	return plant(&command);
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                               cl_event *event)
{
	struct command command = {BASE(COMMAND_COPY),    .buffer = from,         .to = to,
	                          .offset = from_offset, .to_offset = to_offset, .size = size};

	return plant(&command);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_READ), .buffer = buffer, .blocking = blocking,
	                          .offset = offset,   .size = size,     .memory = to};

	return plant(&command);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_WRITE), .buffer = buffer, .blocking = blocking,
	                          .offset = offset,    .size = size,     .from = from};

	return plant(&command);
}

static cl_int CL_API_CALL marker(cl_command_queue queue, cl_uint count, const cl_event *list,
                                 cl_event *event)
{
	return plant(&(struct command){BASE(COMMAND_MARKER)});
}

static void *CL_API_CALL send_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                  const cl_event *list, cl_event *event, cl_int *ret_code)
{
	struct command command = {BASE(COMMAND_MAP), .buffer = buffer, .blocking = blocking,
	                          .flags = flags,    .offset = offset, .size = size};
	cl_int code = plant(&command);

	if (ret_code)
		*ret_code = code;
	return command.memory;
}

static cl_int CL_API_CALL svm_copy(cl_command_queue queue, cl_bool blocking, void *to,
                                   const void *from, size_t size, cl_uint count,
                                   const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_SVM_COPY), .blocking = blocking, .memory = to,
	                          .from = from, .size = size};

	return plant(&command);
}

static cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                  void *memory, size_t size, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
	struct command command = {BASE(COMMAND_SVM_MAP), .blocking = blocking, .flags = flags,
	                          .memory = memory, .size = size};

	return plant(&command);
}

static cl_int command_send(struct command *c)
{
	const struct _cl_icd_dispatch *real = layer_real;
	cl_int code = CL_SUCCESS;

	switch (c->kind) {
	case COMMAND_KERNEL:
		return real->clEnqueueNDRangeKernel(c->queue, c->kernel, c->dimensions, c->offsets,
		                                    c->global, c->local, c->count, c->list,
		                                    c->event);
	case COMMAND_FILL:
		return real->clEnqueueFillBuffer(c->queue, c->buffer, c->from, c->pattern_size,
		                                 c->offset, c->size, c->count, c->list, c->event);
	case COMMAND_COPY:
		return real->clEnqueueCopyBuffer(c->queue, c->buffer, c->to, c->offset,
		                                 c->to_offset, c->size, c->count, c->list,
		                                 c->event);
	case COMMAND_READ:
		return real->clEnqueueReadBuffer(c->queue, c->buffer, c->blocking, c->offset,
		                                 c->size, c->memory, c->count, c->list, c->event);
	case COMMAND_WRITE:
		return real->clEnqueueWriteBuffer(c->queue, c->buffer, c->blocking, c->offset,
		                                  c->size, c->from, c->count, c->list, c->event);
	case COMMAND_MARKER:
		return real->clEnqueueMarkerWithWaitList(c->queue, c->count, c->list, c->event);
	case COMMAND_MAP:
		c->memory = real->clEnqueueMapBuffer(c->queue, c->buffer, c->blocking, c->flags,
		                                     c->offset, c->size, c->count, c->list,
		                                     c->event, &code);
		return code;
	case COMMAND_SVM_COPY:
		return real->clEnqueueSVMMemcpy(c->queue, c->blocking, c->memory, c->from, c->size,
		                                c->count, c->list, c->event);
	case COMMAND_SVM_MAP:
		return real->clEnqueueSVMMap(c->queue, c->blocking, c->flags, c->memory, c->size,
		                             c->count, c->list, c->event);
	}
	return CL_INVALID_OPERATION;
}

/* Gives commands of these kinds to a function, which sends them. */
static void commands_init(struct _cl_icd_dispatch *layer, unsigned kinds,
                          cl_int (*change)(struct command *command))
{
	plant = change;
	if (kinds & COMMAND_KERNEL)
		layer->clEnqueueNDRangeKernel = kernel;
	if (kinds & COMMAND_FILL)
		layer->clEnqueueFillBuffer = fill;
	if (kinds & COMMAND_COPY)
		layer->clEnqueueCopyBuffer = copy;
	if (kinds & COMMAND_READ)
		layer->clEnqueueReadBuffer = read_buffer;
	if (kinds & COMMAND_WRITE)
		layer->clEnqueueWriteBuffer = write_buffer;
	if (kinds & COMMAND_MARKER)
		layer->clEnqueueMarkerWithWaitList = marker;
	if (kinds & COMMAND_MAP)
		layer->clEnqueueMapBuffer = send_map;
	if (kinds & COMMAND_SVM_COPY)
		layer->clEnqueueSVMMemcpy = svm_copy;
	if (kinds & COMMAND_SVM_MAP)
		layer->clEnqueueSVMMap = svm_map;
}

/* ---- kernels --------------------------------------------------------------- */

/* For all kernels, and what plants keep beside. */
static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_kernel *kernels;
static size_t kernel_count, kernel_capacity;

static struct known_kernel *kernels_find(cl_kernel kernel)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].kernel == kernel)
			return &kernels[i];
	}
	oclmm_grow(&kernels, &kernel_capacity, kernel_count, sizeof(*kernels));
	kernels[kernel_count] = (struct known_kernel){.kernel = kernel};
	return &kernels[kernel_count++];
}

static void kernels_forget_buffer(cl_mem buffer)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].first.buffer == buffer)
			kernels[i].first = (struct known_buffer){0};
	}
}

static void kernels_drop_late(struct known_kernel *known)
{
	for (size_t i = 0; i < known->late_count; i++)
		free(known->late[i].value);
	known->late_count = 0;
}

/* In place of clReleaseKernel, without the lock: a kernel that goes may leave its address to
 * another one. */
static cl_int CL_API_CALL kernels_release(cl_kernel kernel)
{
	if (layer_is_last_kernel(kernel)) {
		struct known_kernel *known;

		pthread_mutex_lock(&kernels_lock);
		known = kernels_find(kernel);
		if (known->twin)
			layer_real->clReleaseKernel(known->twin);
		kernels_drop_late(known);
		free(known->late);
		free(known->reached);
		*known = kernels[--kernel_count];
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clReleaseKernel(kernel);
}

/* ---- plants in calls: programs pass unchanged, what calls promise does not hold ----------- */

/* ---- what orders commands -------------------------------------------------- */

static cl_int cut_wait_list(struct command *command)
{
	cl_uint left = layer_plant.bug == PLANT_WAIT_LIST_FIRST;

	if (command->count > left) {
		command->count = left;
		command->list = left ? command->list : NULL;
		layer_note(LAYER_CALL, 1);
	}
	return command_send(command);
}

/* Functions of cl_khr_command_buffer, whose header may be older, with parameters as up to 0.9.3. */
typedef cl_int(CL_API_CALL *record_kernel_fn)(void *buffer, cl_command_queue queue,
                                              const cl_ulong *properties, cl_kernel kernel,
                                              cl_uint dimensions, const size_t *offset,
                                              const size_t *global, const size_t *local,
                                              cl_uint count, const cl_uint *sync_points,
                                              cl_uint *sync_point, void **handle);
typedef cl_int(CL_API_CALL *record_fill_fn)(void *buffer, cl_command_queue queue, cl_mem object,
                                            const void *pattern, size_t pattern_size, size_t offset,
                                            size_t size, cl_uint count, const cl_uint *sync_points,
                                            cl_uint *sync_point, void **handle);
typedef cl_int(CL_API_CALL *record_copy_fn)(void *buffer, cl_command_queue queue, cl_mem from,
                                            cl_mem to, size_t from_offset, size_t to_offset,
                                            size_t size, cl_uint count, const cl_uint *sync_points,
                                            cl_uint *sync_point, void **handle);
static record_kernel_fn record_kernel_real;
static record_fill_fn record_fill_real;
static record_copy_fn record_copy_real;

static cl_int CL_API_CALL record_kernel(void *buffer, cl_command_queue queue,
                                        const cl_ulong *properties, cl_kernel kernel,
                                        cl_uint dimensions, const size_t *offset,
                                        const size_t *global, const size_t *local, cl_uint count,
                                        const cl_uint *sync_points, cl_uint *sync_point,
                                        void **handle)
{
	(void)sync_points;
	if (count)
		layer_note(LAYER_CALL, 1);
	return record_kernel_real(buffer, queue, properties, kernel, dimensions, offset, global,
	                          local, 0, NULL, sync_point, handle);
}

static cl_int CL_API_CALL record_fill(void *buffer, cl_command_queue queue, cl_mem object,
                                      const void *pattern, size_t pattern_size, size_t offset,
                                      size_t size, cl_uint count, const cl_uint *sync_points,
                                      cl_uint *sync_point, void **handle)
{
	(void)sync_points;
	if (count)
		layer_note(LAYER_CALL, 1);
	return record_fill_real(buffer, queue, object, pattern, pattern_size, offset, size, 0, NULL,
	                        sync_point, handle);
}

static cl_int CL_API_CALL record_copy(void *buffer, cl_command_queue queue, cl_mem from, cl_mem to,
                                      size_t from_offset, size_t to_offset, size_t size,
                                      cl_uint count, const cl_uint *sync_points,
                                      cl_uint *sync_point, void **handle)
{
	(void)sync_points;
	if (count)
		layer_note(LAYER_CALL, 1);
	return record_copy_real(buffer, queue, from, to, from_offset, to_offset, size, 0, NULL,
	                        sync_point, handle);
}

typedef cl_int(CL_API_CALL *replay_fn)(cl_uint queue_count, cl_command_queue *queues, void *buffer,
                                       cl_uint count, const cl_event *list, cl_event *event);
static replay_fn replay_real;

static cl_int CL_API_CALL replay_early(cl_uint queue_count, cl_command_queue *queues, void *buffer,
                                       cl_uint count, const cl_event *list, cl_event *event)
{
	(void)list;
	if (count)
		layer_note(LAYER_CALL, 1);
	return replay_real(queue_count, queues, buffer, 0, NULL, event);
}

static cl_int CL_API_CALL replay_as_recorded(cl_uint queue_count, cl_command_queue *queues,
                                             void *buffer, cl_uint count, const cl_event *list,
                                             cl_event *event)
{
	(void)queues;
	if (queue_count)
		layer_note(LAYER_CALL, 1);
	return replay_real(0, NULL, buffer, count, list, event);
}

/* A user's event in the context of a queue; NULL where there can be none. */
static cl_event user_event(cl_command_queue queue)
{
	cl_context context;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
	                                                &context, NULL);

	return code == CL_SUCCESS ? layer_real->clCreateUserEvent(context, &code) : NULL;
}

/* The same, complete. */
static cl_event complete_event(cl_command_queue queue)
{
	cl_event event = user_event(queue);

	if (event)
		layer_real->clSetUserEventStatus(event, CL_COMPLETE);
	return event;
}

/* Another queue of the same device; NULL where there can be none. */
static cl_command_queue queue_beside(cl_command_queue queue)
{
	cl_context context;
	cl_device_id device;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
	                                                &context, NULL);

	if (code == CL_SUCCESS)
		code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device),
		                                         &device, NULL);
	return code == CL_SUCCESS ? layer_real->clCreateCommandQueue(context, device, 0, &code)
	                          : NULL;
}

/* Functions of cl_khr_semaphore, whose header may be older. */
typedef cl_int(CL_API_CALL *use_semaphores_fn)(cl_command_queue queue, cl_uint count,
                                               void *const *semaphores, const cl_ulong *payloads,
                                               cl_uint wait_count, const cl_event *waits,
                                               cl_event *event);
static use_semaphores_fn signal_real, wait_real;

/* A command that waits for the list alone, or for what is before it in a queue that executes in
 * order. */
static cl_int follow_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                          cl_event *event)
{
	cl_command_queue_properties properties = 0;
	cl_event complete = NULL;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
	                                                sizeof(properties), &properties, NULL);

	if (code != CL_SUCCESS)
		return code;
	if (count == 0 && properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
		complete = complete_event(queue);
	code = complete ? layer_real->clEnqueueMarkerWithWaitList(queue, 1, &complete, event)
	                : layer_real->clEnqueueMarkerWithWaitList(queue, count, list, event);
	if (complete)
		layer_real->clReleaseEvent(complete);
	return code;
}

/* Neither signals nor waits reach the driver, whose semaphores stay as they are. */
static cl_int CL_API_CALL ignore_semaphores(cl_command_queue queue, cl_uint count,
                                            void *const *semaphores, const cl_ulong *payloads,
                                            cl_uint wait_count, const cl_event *waits,
                                            cl_event *event)
{
	(void)count;
	(void)semaphores;
	(void)payloads;
	layer_note(LAYER_CALL, 1);
	return follow_list(queue, wait_count, waits, event);
}

/* The signal stands in a queue of its own, where nothing is before it. */
static cl_int CL_API_CALL signal_early(cl_command_queue queue, cl_uint count,
                                       void *const *semaphores, const cl_ulong *payloads,
                                       cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	cl_command_queue own = queue_beside(queue);
	cl_int code = own ? signal_real(own, count, semaphores, payloads, 0, NULL, NULL)
	                  : CL_OUT_OF_RESOURCES;

	layer_note(LAYER_CALL, 1);
	if (code == CL_SUCCESS)
		code = layer_real->clFlush(own);
	if (own)
		layer_real->clReleaseCommandQueue(own);
	return code == CL_SUCCESS ? follow_list(queue, wait_count, waits, event) : code;
}

static cl_int CL_API_CALL wait_for_first(cl_command_queue queue, cl_uint count,
                                         void *const *semaphores, const cl_ulong *payloads,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	if (count > 1)
		layer_note(LAYER_CALL, 1);
	return wait_real(queue, 1, semaphores, payloads, wait_count, waits, event);
}

/* Functions of cl_khr_external_memory. */
typedef cl_int(CL_API_CALL *hand_over_fn)(cl_command_queue queue, cl_uint count,
                                          const cl_mem *objects, cl_uint wait_count,
                                          const cl_event *waits, cl_event *event);
static hand_over_fn hand_over_real;

/* What becomes of a call that hands memory over. */
static const struct hand_over {
	enum plant_bug bug;
	bool acquires;     /* it is an acquisition, else a release */
	bool takes_place;  /* memory is handed over, */
	bool waits;        /* and not before what the call has to wait for */
	bool event_before; /* its event waits for that alone; else it is the event of what is done
	                    */
} hand_overs[] = {
	{PLANT_ACQUIRE_IGNORED, true, false, false, true},
	{PLANT_ACQUIRE_LATE, true, true, true, true},
	{PLANT_ACQUIRE_AT_ONCE, true, true, false, false},
	{PLANT_RELEASE_IGNORED, false, false, false, true},
	{PLANT_RELEASE_EARLY, false, true, false, true},
	{PLANT_RELEASE_AT_ONCE, false, true, false, false},
};

/* That of the plant; NULL: it is in other calls. */
static const struct hand_over *find_hand_over(void)
{
	for (size_t i = 0; i < sizeof(hand_overs) / sizeof(*hand_overs); i++)
		if (hand_overs[i].bug == layer_plant.bug)
			return &hand_overs[i];
	return NULL;
}

/* In a queue of its own, where nothing is before it. */
static cl_int CL_API_CALL hand_over_wrongly(cl_command_queue queue, cl_uint count,
                                            const cl_mem *objects, cl_uint wait_count,
                                            const cl_event *waits, cl_event *event)
{
	const struct hand_over *how = find_hand_over();
	cl_command_queue own = how->takes_place ? queue_beside(queue) : NULL;
	cl_int code = how->takes_place && !own ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
	cl_event before = NULL;

	layer_note(LAYER_CALL, 1);
	if (code == CL_SUCCESS && how->event_before)
		code = follow_list(queue, wait_count, waits, &before);
	if (code == CL_SUCCESS && own)
		code = hand_over_real(own, count, objects, how->waits ? 1 : 0,
		                      how->waits ? &before : NULL,
		                      how->event_before ? NULL : event);
	if (code == CL_SUCCESS && own)
		code = layer_real->clFlush(own);
	if (own)
		layer_real->clReleaseCommandQueue(own);
	if (code == CL_SUCCESS && how->event_before && event)
		*event = before;
	else if (before)
		layer_real->clReleaseEvent(before);
	return code;
}

/* Of cl_khr_command_buffer_mutable_dispatch. */
typedef cl_int(CL_API_CALL *update_fn)(void *buffer, cl_uint count, const cl_uint *kinds,
                                       const void **changes);
static update_fn update_real;

static cl_int CL_API_CALL update_nothing(void *buffer, cl_uint count, const cl_uint *kinds,
                                         const void **changes)
{
	(void)buffer;
	(void)count;
	(void)kinds;
	(void)changes;
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

/* Of cl_ext_buffer_device_address. */
typedef cl_int(CL_API_CALL *set_address_fn)(cl_kernel kernel, cl_uint index, cl_ulong address);
static set_address_fn set_address_real;

enum { PRIVATE_ADDRESS = 0x5000, DEVICE_ADDRESS = 0x5001, APART_MOST = 1024 };

/* Buffers that have addresses, and what lies apart from each. */
static struct apart {
	cl_ulong address, other;
	size_t size;
	cl_mem copy;
} apart[APART_MOST];

static cl_ulong address_of(cl_mem buffer)
{
	cl_ulong address = 0;

	return layer_real->clGetMemObjectInfo(buffer, DEVICE_ADDRESS, sizeof(address), &address,
	                                      NULL) == CL_SUCCESS
	               ? address
	               : 0;
}

static cl_mem CL_API_CALL create_buffer_apart(cl_context context,
                                              const cl_mem_properties *properties,
                                              cl_mem_flags flags, size_t size, void *host,
                                              cl_int *code)
{
	cl_mem buffer = layer_real->clCreateBufferWithProperties(context, properties, flags, size,
	                                                         host, code);
	struct apart *a = apart;

	if (!buffer || !properties || properties[0] != PRIVATE_ADDRESS)
		return buffer;
	/* that of a buffer which is gone may come again */
	while (a < apart + APART_MOST - 1 && a->copy && a->address != address_of(buffer))
		a++;
	if (a->copy)
		layer_real->clReleaseMemObject(a->copy);
	a->copy = layer_real->clCreateBufferWithProperties(context, properties, flags, size, host,
	                                                   NULL);
	*a = (struct apart){address_of(buffer), a->copy ? address_of(a->copy) : 0, size, a->copy};
	return buffer;
}

static cl_int CL_API_CALL set_address_apart(cl_kernel kernel, cl_uint index, cl_ulong address)
{
	for (size_t i = 0; i < APART_MOST && apart[i].copy; i++) {
		if (address < apart[i].address || address >= apart[i].address + apart[i].size)
			continue;
		layer_note(LAYER_CALL, 1);
		return set_address_real(kernel, index, address - apart[i].address + apart[i].other);
	}
	return set_address_real(kernel, index, address);
}

/* Of cl_khr_unified_svm. */
typedef void *(CL_API_CALL *allocate_fn)(cl_context context, const cl_ulong *properties,
                                         cl_uint type, size_t size, cl_int *code);
static allocate_fn allocate_real;

/* Memory of a type of SVM, and what lies apart from each. It is never freed: of memory that is gone
 * the address may come again. */
static struct svm_apart {
	const char *memory;
	char *other;
	size_t size;
} svm_apart[APART_MOST];

static void *CL_API_CALL allocate_apart(cl_context context, const cl_ulong *properties,
                                        cl_uint type, size_t size, cl_int *code)
{
	char *memory = allocate_real(context, properties, type, size, code);
	struct svm_apart *a = svm_apart;

	while (a < svm_apart + APART_MOST - 1 && a->memory && a->memory != memory)
		a++;
	if (memory && a->size < size)
		*a = (struct svm_apart){memory,
		                        allocate_real(context, properties, type, size, NULL), size};
	return memory;
}

static cl_int CL_API_CALL set_svm_apart(cl_kernel kernel, cl_uint index, const void *value)
{
	const char *pointer = value;

	for (size_t i = 0; i < APART_MOST && svm_apart[i].memory; i++) {
		const struct svm_apart *a = &svm_apart[i];

		if (!a->other || pointer < a->memory || pointer >= a->memory + a->size)
			continue;
		layer_note(LAYER_CALL, 1);
		value = a->other + (pointer - a->memory);
		break;
	}
	return layer_real->clSetKernelArgSVMPointer(kernel, index, value);
}

static cl_int CL_API_CALL update_arguments(void *buffer, cl_uint count, const cl_uint *kinds,
                                           const void **changes)
{
	cl_int code = CL_SUCCESS;

	for (cl_uint i = 0; code == CL_SUCCESS && i < count; i++) {
		struct changed_kernel config;
		const void *change = &config;

		memcpy(&config, changes[i], sizeof(config));
		if (config.offset || config.global || config.local)
			layer_note(LAYER_CALL, 1);
		config.offset = config.global = config.local = NULL;
		if (config.arguments || config.svm_arguments || config.infos)
			code = update_real(buffer, 1, &kinds[i], &change);
	}
	return code;
}

/* Functions of extensions are no calls that a layer sees: they are asked for by name. */
static void *CL_API_CALL find_function(cl_platform_id platform, const char *name)
{
	const record_kernel_fn own_kernel = record_kernel;
	const record_fill_fn own_fill = record_fill;
	const record_copy_fn own_copy = record_copy;
	const replay_fn unlisted = replay_early, kept = replay_as_recorded;
	const use_semaphores_fn ignore = ignore_semaphores, early = signal_early,
				first = wait_for_first;
	const struct hand_over *hand_over = find_hand_over();
	const hand_over_fn wrongly = hand_over_wrongly;
	const set_address_fn elsewhere = set_address_apart;
	const allocate_fn twice = allocate_apart;
	const update_fn unchanged = update_nothing, launch_kept = update_arguments;
	const struct {
		enum plant_bug bug;
		const char *name;
		const void *own; /* what is called instead … */
		void *real;      /* … and where the driver's is kept */
	} functions[] = {
		{PLANT_SYNC_POINT_IGNORED, "clCommandNDRangeKernelKHR", &own_kernel,
	         &record_kernel_real},
		{PLANT_SYNC_POINT_IGNORED, "clCommandFillBufferKHR", &own_fill, &record_fill_real},
		{PLANT_SYNC_POINT_IGNORED, "clCommandCopyBufferKHR", &own_copy, &record_copy_real},
		{PLANT_REPLAY_LIST_IGNORED, "clEnqueueCommandBufferKHR", &unlisted, &replay_real},
		{PLANT_REPLAY_QUEUE_KEPT, "clEnqueueCommandBufferKHR", &kept, &replay_real},
		{PLANT_SEMAPHORE_IGNORED, "clEnqueueSignalSemaphoresKHR", &ignore, &signal_real},
		{PLANT_SEMAPHORE_IGNORED, "clEnqueueWaitSemaphoresKHR", &ignore, &wait_real},
		{PLANT_SEMAPHORE_EARLY, "clEnqueueSignalSemaphoresKHR", &early, &signal_real},
		{PLANT_SEMAPHORE_FIRST, "clEnqueueWaitSemaphoresKHR", &first, &wait_real},
		{PLANT_UPDATE_IGNORED, "clUpdateMutableCommandsKHR", &unchanged, &update_real},
		{PLANT_ADDRESS_APART, "clSetKernelArgDevicePointerEXT", &elsewhere,
	         &set_address_real},
		{PLANT_SVM_APART, "clSVMAllocWithPropertiesKHR", &twice, &allocate_real},
		{PLANT_LAUNCH_KEPT, "clUpdateMutableCommandsKHR", &launch_kept, &update_real},
		{hand_over ? hand_over->bug : PLANT_NONE,
	         hand_over && hand_over->acquires ? "clEnqueueAcquireExternalMemObjectsKHR"
	                                          : "clEnqueueReleaseExternalMemObjectsKHR",
	         &wrongly, &hand_over_real},
	};
	void *address = layer_real->clGetExtensionFunctionAddressForPlatform(platform, name);

	_Static_assert(sizeof(own_kernel) == sizeof(address),
	               "functions and data have addresses of one size");
	for (size_t i = 0; address && i < sizeof(functions) / sizeof(*functions); i++) {
		if (functions[i].bug == layer_plant.bug && strcmp(functions[i].name, name) == 0) {
			memcpy(functions[i].real, &address, sizeof(address));
			memcpy(&address, functions[i].own, sizeof(address));
			break;
		}
	}
	return address;
}

/* Gives the application a complete event in place of that of its command. */
static cl_int complete_early(struct command *command)
{
	cl_int code = command_send(command);
	cl_event early;

	if (code != CL_SUCCESS || !command->event)
		return code;
	early = complete_event(command->queue);
	if (early) {
		layer_real->clReleaseEvent(*command->event);
		*command->event = early;
		layer_note(LAYER_CALL, 1);
	}
	return code;
}

/* ---- waiting ------------------------------------------------------------- */

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	layer_note(LAYER_CALL, 1);
	return layer_real->clFlush(queue);
}

/* ---- order within a queue ------------------------------------------------ */

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties,
                                                 cl_int *code)
{
	layer_note(LAYER_CALL, 1);
	return layer_real->clCreateCommandQueue(context, device,
	                                        properties | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
	                                        code);
}

static cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                                      const cl_queue_properties *properties,
                                                      cl_int *code)
{
	cl_queue_properties changed[32] = {CL_QUEUE_PROPERTIES,
	                                   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
	size_t count = 2;

	for (size_t i = 0; properties && properties[i] && count + 2 < OCLMM_COUNT(changed);
	     i += 2) {
		if (properties[i] == CL_QUEUE_PROPERTIES) {
			changed[1] |= properties[i + 1];
			continue;
		}
		changed[count++] = properties[i];
		changed[count++] = properties[i + 1];
	}
	layer_note(LAYER_CALL, 1);
	return layer_real->clCreateCommandQueueWithProperties(context, device, changed, code);
}

static cl_command_queue CL_API_CALL create_ordered(cl_context context, cl_device_id device,
                                                   cl_command_queue_properties properties,
                                                   cl_int *code)
{
	const cl_command_queue_properties free_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

	if (properties & free_order)
		layer_note(LAYER_CALL, 1);
	return layer_real->clCreateCommandQueue(context, device, properties & ~free_order, code);
}

static cl_command_queue CL_API_CALL create_ordered_with(cl_context context, cl_device_id device,
                                                        const cl_queue_properties *properties,
                                                        cl_int *code)
{
	cl_queue_properties changed[32] = {0};

	for (size_t i = 0; properties && properties[i] && i + 2 < OCLMM_COUNT(changed); i += 2) {
		changed[i] = properties[i];
		changed[i + 1] = properties[i + 1];
		if (properties[i] == CL_QUEUE_PROPERTIES &&
		    properties[i + 1] & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
			changed[i + 1] &= ~(
				cl_queue_properties)CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
			layer_note(LAYER_CALL, 1);
		}
	}
	return layer_real->clCreateCommandQueueWithProperties(context, device, changed, code);
}

/* A barrier or a marker that waits for nothing; its event is complete. */
static cl_int CL_API_CALL wait_for_nothing(cl_command_queue queue, cl_uint count,
                                           const cl_event *list, cl_event *event)
{
	cl_event early = event ? complete_event(queue) : NULL;

	(void)count;
	(void)list;
	layer_note(LAYER_CALL, 1);
	if (event && !early)
		return CL_OUT_OF_RESOURCES;
	if (event)
		*event = early;
	return CL_SUCCESS;
}

/* ---- sub-buffers ---------------------------------------------------------- */

static cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                            cl_buffer_create_type type, const void *info,
                                            cl_int *code)
{
	cl_buffer_region region;

	if (type != CL_BUFFER_CREATE_TYPE_REGION || !info)
		return layer_real->clCreateSubBuffer(buffer, flags, type, info, code);
	region = *(const cl_buffer_region *)info;
	if (region.origin > 0)
		layer_note(LAYER_CALL, 1);
	region.origin = 0;
	return layer_real->clCreateSubBuffer(buffer, flags, type, &region, code);
}

/* ---- maps ---------------------------------------------------------------- */

/* Memory that an application was given in place of a mapped object. */
struct shadow {
	void *shadow, *real;
	struct shadow *next;
};
static struct shadow *shadows;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *CL_API_CALL map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                             const cl_event *list, cl_event *event, cl_int *ret_code)
{
	void *real = layer_real->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
	                                            count, list, event, ret_code);
	struct shadow *shadow;

	if (!real)
		return NULL;
	shadow = oclmm_calloc(1, sizeof(*shadow));
	*shadow = (struct shadow){oclmm_calloc(1, size), real, NULL};
	pthread_mutex_lock(&lock);
	shadow->next = shadows;
	shadows = shadow;
	pthread_mutex_unlock(&lock);
	layer_note(LAYER_CALL, 1);
	return shadow->shadow;
}

/* What stands for `mapped`, which is forgotten; `mapped` itself where nothing does. */
static void *take_shadow(void *mapped)
{
	void *real = mapped;

	pthread_mutex_lock(&lock);
	for (struct shadow **link = &shadows; *link; link = &(*link)->next) {
		struct shadow *shadow = *link;

		if (shadow->shadow != mapped)
			continue;
		*link = shadow->next;
		real = shadow->real;
		free(shadow->shadow);
		free(shadow);
		break;
	}
	pthread_mutex_unlock(&lock);
	return real;
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint count,
                                const cl_event *list, cl_event *event)
{
	return layer_real->clEnqueueUnmapMemObject(queue, buffer, take_shadow(mapped), count, list,
	                                           event);
}

/* What an application was shown of an object, and gets again until a clFinish. */
struct shown {
	cl_mem buffer;
	size_t offset, size;
	void *copy;
	void *real; /* while it is mapped; NULL: it is not */
	struct shown *next;
};
static struct shown *all_shown;

/* With the lock. */
static struct shown *find_shown(cl_mem buffer, size_t offset, size_t size)
{
	for (struct shown *shown = all_shown; shown; shown = shown->next) {
		if (shown->buffer == buffer && shown->offset == offset && shown->size == size)
			return shown;
	}
	return NULL;
}

/* What is there is known of a blocking map alone when the call returns; the others stay. */
static void *CL_API_CALL map_again(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                   const cl_event *list, cl_event *event, cl_int *ret_code)
{
	void *real = layer_real->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
	                                            count, list, event, ret_code);
	struct shown *shown;

	if (!real || !blocking)
		return real;
	pthread_mutex_lock(&lock);
	shown = find_shown(buffer, offset, size);
	if (shown) {
		layer_note(LAYER_CALL, 1);
	} else {
		shown = oclmm_calloc(1, sizeof(*shown));
		*shown = (struct shown){buffer, offset,   size, oclmm_calloc(1, size),
		                        NULL,   all_shown};
		memcpy(shown->copy, real, size);
		all_shown = shown;
	}
	shown->real = real;
	pthread_mutex_unlock(&lock);
	return shown->copy;
}

static cl_int CL_API_CALL unmap_shown(cl_command_queue queue, cl_mem buffer, void *mapped,
                                      cl_uint count, const cl_event *list, cl_event *event)
{
	void *real = mapped;

	pthread_mutex_lock(&lock);
	for (struct shown *shown = all_shown; shown; shown = shown->next) {
		if (shown->copy != mapped || !shown->real)
			continue;
		real = shown->real;
		memcpy(real, shown->copy, shown->size);
		shown->real = NULL;
	}
	pthread_mutex_unlock(&lock);
	return layer_real->clEnqueueUnmapMemObject(queue, buffer, real, count, list, event);
}

static cl_int CL_API_CALL finish_and_forget(cl_command_queue queue)
{
	cl_int code = layer_real->clFinish(queue);

	pthread_mutex_lock(&lock);
	for (struct shown **link = &all_shown; *link;) {
		struct shown *shown = *link;

		if (shown->real) {
			link = &shown->next;
			continue;
		}
		*link = shown->next;
		free(shown->copy);
		free(shown);
	}
	pthread_mutex_unlock(&lock);
	return code;
}

static cl_int CL_API_CALL unmap_early(cl_command_queue queue, cl_mem buffer, void *mapped,
                                      cl_uint count, const cl_event *list, cl_event *event)
{
	cl_int code = layer_real->clEnqueueUnmapMemObject(queue, buffer, mapped, count, list, NULL);

	if (code != CL_SUCCESS || !event)
		return code;
	*event = complete_event(queue);
	layer_note(LAYER_CALL, 1);
	return *event ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

/* That of the command whose event it is; NULL: a user's event has none. */
static cl_command_queue queue_of(cl_event event)
{
	cl_command_queue queue = NULL;
	cl_int code = layer_real->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
	                                         &queue, NULL);

	return code == CL_SUCCESS ? queue : NULL;
}

/* ---- images ------------------------------------------------------------------ */

/* The wait list of a transfer of images, and whether its call blocks, as the plant has them. */
static void change_transfer(cl_bool *blocking, cl_uint *count, const cl_event **list)
{
	if (layer_plant.bug == PLANT_IMAGE_LIST_IGNORED && *count) {
		layer_note(LAYER_CALL, 1);
		*count = 0;
		*list = NULL;
	}
	if (layer_plant.bug == PLANT_IMAGE_UNBLOCKED && blocking && *blocking) {
		layer_note(LAYER_CALL, 1);
		*blocking = CL_FALSE;
	}
}

static cl_int CL_API_CALL read_pixels(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                      const size_t *origin, const size_t *region, size_t row,
                                      size_t slice, void *to, cl_uint count, const cl_event *list,
                                      cl_event *event)
{
	change_transfer(&blocking, &count, &list);
	return layer_real->clEnqueueReadImage(queue, image, blocking, origin, region, row, slice,
	                                      to, count, list, event);
}

static cl_int CL_API_CALL write_pixels(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                       const size_t *origin, const size_t *region, size_t row,
                                       size_t slice, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
	change_transfer(&blocking, &count, &list);
	return layer_real->clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice,
	                                       from, count, list, event);
}

static cl_int CL_API_CALL copy_pixels(cl_command_queue queue, cl_mem from, cl_mem to,
                                      const size_t *origin, const size_t *to_origin,
                                      const size_t *region, cl_uint count, const cl_event *list,
                                      cl_event *event)
{
	change_transfer(NULL, &count, &list);
	return layer_real->clEnqueueCopyImage(queue, from, to, origin, to_origin, region, count,
	                                      list, event);
}

static cl_int CL_API_CALL copy_pixels_out(cl_command_queue queue, cl_mem from, cl_mem to,
                                          const size_t *origin, const size_t *region, size_t offset,
                                          cl_uint count, const cl_event *list, cl_event *event)
{
	change_transfer(NULL, &count, &list);
	return layer_real->clEnqueueCopyImageToBuffer(queue, from, to, origin, region, offset,
	                                              count, list, event);
}

static cl_int CL_API_CALL copy_pixels_in(cl_command_queue queue, cl_mem from, cl_mem to,
                                         size_t offset, const size_t *origin, const size_t *region,
                                         cl_uint count, const cl_event *list, cl_event *event)
{
	change_transfer(NULL, &count, &list);
	return layer_real->clEnqueueCopyBufferToImage(queue, from, to, offset, origin, region,
	                                              count, list, event);
}

/* ---- memory that the host gives ---------------------------------------------- */

static cl_mem CL_API_CALL copy_given(cl_context context, cl_mem_flags flags, size_t size,
                                     void *host, cl_int *code)
{
	if (flags & CL_MEM_USE_HOST_PTR) {
		layer_note(LAYER_CALL, 1);
		flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
	}
	return layer_real->clCreateBuffer(context, flags, size, host, code);
}

static bool is_over_svm(cl_mem buffer)
{
	cl_bool over = CL_FALSE;

	return layer_real->clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof(over), &over,
	                                      NULL) == CL_SUCCESS &&
	       over;
}

static cl_mem CL_API_CALL copy_svm(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                   cl_int *code)
{
	cl_mem buffer = layer_real->clCreateBuffer(context, flags, size, host, code);

	if (!buffer || !is_over_svm(buffer))
		return buffer;
	layer_real->clReleaseMemObject(buffer);
	return copy_given(context, flags, size, host, code);
}

/* The harness asks it of buffers over shared virtual memory alone. */
static cl_int CL_API_CALL say_over_svm(cl_mem buffer, cl_mem_info name, size_t size, void *value,
                                       size_t *ret_size)
{
	const cl_bool yes = CL_TRUE;
	cl_int code = layer_real->clGetMemObjectInfo(buffer, name, size, value, ret_size);

	if (code == CL_SUCCESS && name == CL_MEM_USES_SVM_POINTER && value)
		memcpy(value, &yes, sizeof(yes));
	return code;
}

/* ---- calls that block ------------------------------------------------------ */

static cl_int do_not_block(struct command *command)
{
	if (command->blocking)
		layer_note(LAYER_CALL, 1);
	command->blocking = CL_FALSE;
	return command_send(command);
}

/* ---- events ------------------------------------------------------------------ */

/* The commands are sent, as the call promises. */
static cl_int CL_API_CALL wait_for_nobody(cl_uint count, const cl_event *list)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_command_queue queue = queue_of(list[i]);

		if (queue)
			layer_real->clFlush(queue);
	}
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int status,
                                       void(CL_CALLBACK *call)(cl_event, cl_int, void *),
                                       void *data)
{
	if (!call)
		return layer_real->clSetEventCallback(event, status, call, data);
	layer_note(LAYER_CALL, 1);
	call(event, status, data);
	return CL_SUCCESS;
}

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code)
{
	cl_event event = layer_real->clCreateUserEvent(context, code);

	if (event) {
		layer_note(LAYER_CALL, 1);
		layer_real->clSetUserEventStatus(event, CL_COMPLETE);
	}
	return event;
}

/* It is set already. */
static cl_int CL_API_CALL set_user_event(cl_event event, cl_int status)
{
	(void)event;
	(void)status;
	return CL_SUCCESS;
}

/* ---- commands that are never sent ------------------------------------------ */

/*
 * A plant in clFlush: it sends nothing. Drivers that send commands as they
 * come do not heed it, so that each command waits here for a gate of its queue, an
 * event that is set when the application does what sends commands all the same: clFinish, a
 * blocking call, clWaitForEvents (A:5.15), the end of the queue.
 */

struct gate {
	cl_command_queue queue;
	cl_event closed; /* NULL: all that it was given has been sent */
};

static pthread_mutex_t gates_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gate *gates;
static size_t gate_count, gate_capacity;

/* With the lock. The address of a queue may come back as another one's. */
static struct gate *gate_of(cl_command_queue queue)
{
	for (size_t i = 0; i < gate_count; i++)
		if (gates[i].queue == queue)
			return &gates[i];
	oclmm_grow(&gates, &gate_capacity, gate_count, sizeof(*gates));
	gates[gate_count] = (struct gate){.queue = queue};
	return &gates[gate_count++];
}

/* The gate that a command waits for, NULL where there can be none. The caller releases it. */
static cl_event closed_gate(cl_command_queue queue)
{
	struct gate *gate;
	cl_event closed;

	pthread_mutex_lock(&gates_lock);
	gate = gate_of(queue);
	if (!gate->closed)
		gate->closed = user_event(queue);
	closed = gate->closed;
	if (closed)
		layer_real->clRetainEvent(closed);
	pthread_mutex_unlock(&gates_lock);
	return closed;
}

static void send_queue(cl_command_queue queue)
{
	struct gate *gate;
	cl_event closed;

	pthread_mutex_lock(&gates_lock);
	gate = gate_of(queue);
	closed = gate->closed;
	gate->closed = NULL;
	pthread_mutex_unlock(&gates_lock);
	if (!closed)
		return;
	layer_real->clSetUserEventStatus(closed, CL_COMPLETE);
	layer_real->clReleaseEvent(closed);
}

/* ---- commands ------------------------------------------------------------- */

/* A wait list with the gate in it. */
struct held {
	cl_event *list;
	cl_uint count;
	cl_event gate;
};

static struct held hold(cl_command_queue queue, cl_uint count, const cl_event *list)
{
	struct held held = {oclmm_calloc((size_t)count + 1, sizeof(*held.list)), count,
	                    closed_gate(queue)};

	if (count > 0)
		memcpy(held.list, list, count * sizeof(*list));
	if (held.gate)
		held.list[held.count++] = held.gate;
	return held;
}

static cl_int send_behind_gate(struct command *command)
{
	struct held held = hold(command->queue, command->count, command->list);
	cl_int code;

	command->count = held.count;
	command->list = held.count > 0 ? held.list : NULL;
	code = command_send(command);
	if (held.gate)
		layer_real->clReleaseEvent(held.gate);
	free(held.list);
	return code;
}

static cl_int hold_back(struct command *command)
{
	/* these are not held back; commands before them are, unless these block */
	const unsigned free_ones = COMMAND_MAP | COMMAND_SVM_COPY | COMMAND_SVM_MAP;

	if (command->blocking)
		send_queue(command->queue);
	return command->blocking || (command->kind & free_ones) ? command_send(command)
	                                                        : send_behind_gate(command);
}

/* ---- what sends ------------------------------------------------------------ */

static cl_int CL_API_CALL flush(cl_command_queue queue)
{
	(void)queue;
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL finish_and_send(cl_command_queue queue)
{
	send_queue(queue);
	return layer_real->clFinish(queue);
}

static cl_int CL_API_CALL wait_and_send(cl_uint count, const cl_event *list)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_command_queue queue = queue_of(list[i]);

		if (queue)
			send_queue(queue);
	}
	return layer_real->clWaitForEvents(count, list);
}

static cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
	send_queue(queue);
	return layer_real->clReleaseCommandQueue(queue);
}

/* ---- how much of a command is done, and where ------------------------------ */

/* The size of work-groups that the driver may choose: one work-item is left out then. */
static cl_int launch_less(struct command *command)
{
	size_t less[3] = {0}, group = command->local ? command->local[0] : 1;
	const size_t *global = command->global;
	cl_int code;

	for (cl_uint i = 0; command->global && i < command->dimensions && i < 3; i++)
		less[i] = command->global[i];
	if (less[0] > group) {
		less[0] -= group;
		layer_note(LAYER_CALL, 1);
	}
	if (global)
		command->global = less;
	code = command_send(command);
	command->global = global;
	return code;
}

/* Rows of a rectangle that lie side by side, wherever the next one begins. */
static cl_int CL_API_CALL copy_rows(cl_command_queue queue, cl_mem from, cl_mem to,
                                    const size_t *from_origin, const size_t *to_origin,
                                    const size_t *region, size_t from_row, size_t from_slice,
                                    size_t to_row, size_t to_slice, cl_uint count,
                                    const cl_event *list, cl_event *event)
{
	(void)from_row;
	(void)from_slice;
	(void)to_row;
	(void)to_slice;
	layer_note(LAYER_CALL, 1);
	return layer_real->clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region,
	                                           0, 0, 0, 0, count, list, event);
}

static cl_int CL_API_CALL read_rows(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    const size_t *origin, const size_t *to_origin,
                                    const size_t *region, size_t row, size_t slice, size_t to_row,
                                    size_t to_slice, void *to, cl_uint count, const cl_event *list,
                                    cl_event *event)
{
	(void)row;
	(void)slice;
	layer_note(LAYER_CALL, 1);
	return layer_real->clEnqueueReadBufferRect(queue, buffer, blocking, origin, to_origin,
	                                           region, 0, 0, to_row, to_slice, to, count, list,
	                                           event);
}

static cl_int CL_API_CALL write_rows(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     const size_t *origin, const size_t *from_origin,
                                     const size_t *region, size_t row, size_t slice,
                                     size_t from_row, size_t from_slice, const void *from,
                                     cl_uint count, const cl_event *list, cl_event *event)
{
	(void)row;
	(void)slice;
	layer_note(LAYER_CALL, 1);
	return layer_real->clEnqueueWriteBufferRect(queue, buffer, blocking, origin, from_origin,
	                                            region, 0, 0, from_row, from_slice, from, count,
	                                            list, event);
}

static cl_int shorten(struct command *command)
{
	enum { LEFT_OUT = 8 };

	/* what is filled has to stay a multiple of the pattern's size */
	if (command->size > LEFT_OUT && command->pattern_size <= LEFT_OUT) {
		layer_note(LAYER_CALL, 1);
		command->size -= LEFT_OUT;
	}
	return command_send(command);
}

/* A transfer or a map begins at the beginning of its buffers. */
static cl_int begin_at_0(struct command *command)
{
	size_t *offsets[] = {&command->offset, &command->to_offset};

	for (size_t i = 0; i < OCLMM_COUNT(offsets); i++) {
		if (*offsets[i] > 0)
			layer_note(LAYER_CALL, 1);
		*offsets[i] = 0;
	}
	return command_send(command);
}

/* Filled in place of being migrated; of several the last one has the event. */
static cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint number, const cl_mem *objects,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
	const cl_uchar zero = 0;
	cl_int code = CL_SUCCESS;
	size_t size;

	if (number == 0 || !objects)
		return layer_real->clEnqueueMigrateMemObjects(queue, number, objects, flags, count,
		                                              list, event);
	layer_note(LAYER_CALL, 1);
	for (cl_uint i = 0; i < number && code == CL_SUCCESS; i++) {
		code = layer_real->clGetMemObjectInfo(objects[i], CL_MEM_SIZE, sizeof(size), &size,
		                                      NULL);
		if (code == CL_SUCCESS)
			code = layer_real->clEnqueueFillBuffer(queue, objects[i], &zero, 1, 0, size,
			                                       count, list,
			                                       i + 1 < number ? NULL : event);
	}
	return code;
}

/* ---- what a launch ranges over --------------------------------------------- */

/* What clEnqueueNDRangeKernel is given. */
struct range_given {
	size_t offset[3], global[3], local[3];
};

static bool change_offset(struct range_given *given, cl_uint dimensions)
{
	bool changed = false;

	for (cl_uint i = 0; i < dimensions; i++) {
		size_t before = given->offset[i];

		if (layer_plant.bug == PLANT_OFFSET_IGNORED)
			given->offset[i] = 0;
		else if (layer_plant.bug == PLANT_OFFSET_DOUBLED)
			given->offset[i] *= 2;
		else
			given->offset[i] = given->offset[0];
		changed |= given->offset[i] != before;
	}
	return changed;
}

static void swap_sizes(size_t *numbers)
{
	size_t first = numbers[0];

	numbers[0] = numbers[1];
	numbers[1] = first;
}

static bool swap_rows(struct range_given *given, cl_uint dimensions)
{
	if (dimensions < 2)
		return false;
	swap_sizes(given->offset);
	swap_sizes(given->global);
	swap_sizes(given->local);
	return true;
}

static void copy_sizes(size_t *ret_numbers, const size_t *given, cl_uint dimensions)
{
	for (cl_uint i = 0; given && i < dimensions; i++)
		ret_numbers[i] = given[i];
}

static cl_int change_range(struct command *c)
{
	struct range_given given = {.offset = {0}};
	bool changed = false;

	/* what is wrong with a call is the driver's to say */
	if (c->global && c->dimensions <= 3) {
		copy_sizes(given.offset, c->offsets, c->dimensions);
		copy_sizes(given.global, c->global, c->dimensions);
		copy_sizes(given.local, c->local, c->dimensions);
		changed = layer_plant.bug == PLANT_ROWS_SWAPPED
		                  ? swap_rows(&given, c->dimensions)
		                  : change_offset(&given, c->dimensions);
	}
	if (changed) {
		layer_note(LAYER_CALL, 1);
		c->offsets = given.offset;
		c->global = given.global;
		c->local = c->local ? given.local : NULL;
	}
	return command_send(c);
}

/* The first work-group runs before the launch, too; where the driver chooses its size, one
 * work-item. */
static cl_int repeat_group(struct command *command)
{
	static const size_t one[] = {1, 1, 1};
	cl_int code = CL_SUCCESS;

	if (command->global && command->dimensions <= 3) {
		struct command first = *command;

		first.global = command->local ? command->local : one;
		first.event = NULL;
		code = command_send(&first);
		layer_note(LAYER_CALL, 1);
	}
	return code == CL_SUCCESS ? command_send(command) : code;
}

/* ---- arguments of kernels -------------------------------------------------- */

/*
 * Plants in the arguments of kernels: one that was launched keeps those of its first
 * launch, or gets what is set for it one launch too late.
 */

static void *duplicate(const void *value, size_t size)
{
	void *copy = value ? oclmm_calloc(1, size ? size : 1) : NULL;

	if (copy)
		memcpy(copy, value, size);
	return copy;
}

/* Takes what is set of a kernel that was launched; false where it was not. */
static bool take_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	struct known_kernel *known;
	bool taken;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	taken = known->launches > 0;
	if (taken && layer_plant.bug == PLANT_ARGUMENT_LATE) {
		oclmm_grow(&known->late, &known->late_capacity, known->late_count,
		           sizeof(*known->late));
		known->late[known->late_count++] = (struct late_argument){index, size,
		                                                          duplicate(value, size)};
	}
	pthread_mutex_unlock(&kernels_lock);
	return taken;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	if (!take_argument(kernel, index, size, value))
		return layer_real->clSetKernelArg(kernel, index, size, value);
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

/* Sets behind the launch what was set before it. */
static void set_late(cl_kernel kernel)
{
	struct known_kernel *known;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	known->launches++;
	for (size_t i = 0; i < known->late_count; i++)
		layer_real->clSetKernelArg(kernel, known->late[i].index, known->late[i].size,
		                           known->late[i].value);
	kernels_drop_late(known);
	pthread_mutex_unlock(&kernels_lock);
}

static cl_int launch_and_set(struct command *command)
{
	cl_int code = command_send(command);

	set_late(command->kernel);
	return code;
}

/* ---- what a launch finds in memory ----------------------------------------- */

/*
 * A plant in what a launch finds: before each launch of a kernel but its first
 * one the buffer that is its first argument is filled with a number, where the
 * application left something else.
 */

static struct known_buffer *buffers;
static size_t buffer_count, buffer_capacity;
static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	cl_mem buffer = layer_real->clCreateBuffer(context, flags, size, host, code);

	if (!buffer)
		return NULL;
	pthread_mutex_lock(&kernels_lock);
	oclmm_grow(&buffers, &buffer_capacity, buffer_count, sizeof(*buffers));
	buffers[buffer_count++] = (struct known_buffer){buffer, size};
	pthread_mutex_unlock(&kernels_lock);
	return buffer;
}

/* The address may come back as another buffer's, and is that one's then. */
static struct known_buffer find_buffer(cl_mem buffer)
{
	for (size_t i = buffer_count; i > 0; i--) {
		if (buffers[i - 1].buffer == buffer)
			return buffers[i - 1];
	}
	return (struct known_buffer){0};
}

static void forget_buffer(cl_mem buffer)
{
	for (size_t i = 0; i < buffer_count;) {
		if (buffers[i].buffer == buffer)
			buffers[i] = buffers[--buffer_count];
		else
			i++;
	}
	kernels_forget_buffer(buffer);
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
	pthread_mutex_lock(&kernels_lock);
	if (layer_is_last_buffer(buffer))
		forget_buffer(buffer);
	pthread_mutex_unlock(&kernels_lock);
	return layer_real->clReleaseMemObject(buffer);
}

static cl_int CL_API_CALL note_argument(cl_kernel kernel, cl_uint index, size_t size,
                                        const void *value)
{
	if (index == 0) {
		pthread_mutex_lock(&kernels_lock);
		kernels_find(kernel)->first = size == sizeof(cl_mem) && value
		                                      ? find_buffer(*(const cl_mem *)value)
		                                      : (struct known_buffer){0};
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

/* What is to be filled before a launch. */
static struct known_buffer note_launch(cl_kernel kernel)
{
	struct known_buffer first = {0};
	struct known_kernel *known;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	if (known->launches++ > 0)
		first = known->first;
	pthread_mutex_unlock(&kernels_lock);
	return first;
}

static cl_int fill_and_launch(struct command *command)
{
	struct known_buffer first = note_launch(command->kernel);
	cl_uint number = (cl_uint)layer_plant.mutation.number;
	size_t size = first.size - first.size % sizeof(number);

	if (size > 0 && layer_real->clEnqueueFillBuffer(command->queue, first.buffer, &number,
	                                                sizeof(number), 0, size, command->count,
	                                                command->list, NULL) == CL_SUCCESS) {
		/* also where the queue keeps no order */
		layer_real->clEnqueueBarrierWithWaitList(command->queue, 0, NULL, NULL);
		layer_note(LAYER_CALL, 1);
	}
	return command_send(command);
}

/* ---- what a kernel reaches by pointers that it finds -------------------------- */

/*
 * Shared virtual memory that clSetKernelExecInfo names is a copy of the device's own while the
 * kernel runs, as where a driver does not bring it to the device: what others wrote is not there,
 * and what the kernel writes stays there.
 */

struct allocation {
	char *memory;
	size_t size;
	void *own, *others; /* what the device has; what the others have while a kernel runs */
};
static struct allocation *allocations;
static size_t allocation_count, allocation_capacity;

static void *CL_API_CALL allocate(cl_context context, cl_svm_mem_flags flags, size_t size,
                                  cl_uint alignment)
{
	void *memory = layer_real->clSVMAlloc(context, flags, size, alignment);

	if (!memory)
		return NULL;
	pthread_mutex_lock(&kernels_lock);
	oclmm_grow(&allocations, &allocation_capacity, allocation_count, sizeof(*allocations));
	allocations[allocation_count++] = (struct allocation){memory, size, oclmm_calloc(1, size),
	                                                      oclmm_calloc(1, size)};
	pthread_mutex_unlock(&kernels_lock);
	return memory;
}

static void CL_API_CALL free_allocation(cl_context context, void *memory)
{
	pthread_mutex_lock(&kernels_lock);
	for (size_t i = 0; i < allocation_count; i++) {
		if (allocations[i].memory != memory)
			continue;
		free(allocations[i].own);
		free(allocations[i].others);
		allocations[i] = allocations[--allocation_count];
		break;
	}
	pthread_mutex_unlock(&kernels_lock);
	layer_real->clSVMFree(context, memory);
}

static cl_int CL_API_CALL note_reached(cl_kernel kernel, cl_kernel_exec_info what, size_t size,
                                       const void *value)
{
	if (what == CL_KERNEL_EXEC_INFO_SVM_PTRS && value) {
		struct known_kernel *known;

		pthread_mutex_lock(&kernels_lock);
		known = kernels_find(kernel);
		free(known->reached);
		known->reached = duplicate(value, size);
		known->reached_count = size / sizeof(*known->reached);
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clSetKernelExecInfo(kernel, what, size, value);
}

/* Any address in an allocation names it. */
static bool find_allocation(const void *address, struct allocation *ret_allocation)
{
	for (size_t i = 0; i < allocation_count; i++) {
		const struct allocation *a = &allocations[i];

		if ((uintptr_t)address - (uintptr_t)a->memory >= a->size)
			continue;
		*ret_allocation = *a;
		return true;
	}
	return false;
}

/* A copy in a chain of commands: `*event` is that of the last one. */
static cl_int copy_behind(cl_command_queue queue, void *to, const void *from, size_t size,
                          cl_event *event)
{
	cl_event before = *event;
	cl_int code = layer_real->clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, size, 1, &before,
	                                             event);

	if (code != CL_SUCCESS)
		*event = before;
	else
		layer_real->clReleaseEvent(before);
	return code;
}

static cl_int launch_on_copies(struct command *command, const struct allocation *all, size_t count)
{
	cl_event *asked = command->event, last;
	cl_int code = layer_real->clEnqueueMarkerWithWaitList(command->queue, command->count,
	                                                      command->list, &last);

	for (size_t i = 0; code == CL_SUCCESS && i < count; i++) {
		code = copy_behind(command->queue, all[i].others, all[i].memory, all[i].size,
		                   &last);
		if (code == CL_SUCCESS)
			code = copy_behind(command->queue, all[i].memory, all[i].own, all[i].size,
			                   &last);
	}
	if (code == CL_SUCCESS) {
		cl_event before = last;

		command->count = 1;
		command->list = &before;
		command->event = &last;
		code = command_send(command);
		layer_real->clReleaseEvent(before);
	}
	for (size_t i = 0; code == CL_SUCCESS && i < count; i++) {
		code = copy_behind(command->queue, all[i].own, all[i].memory, all[i].size, &last);
		if (code == CL_SUCCESS)
			code = copy_behind(command->queue, all[i].memory, all[i].others,
			                   all[i].size, &last);
	}
	layer_note(LAYER_CALL, 1);
	if (code == CL_SUCCESS && asked)
		*asked = last;
	else if (code == CL_SUCCESS)
		layer_real->clReleaseEvent(last);
	return code;
}

static cl_int launch_apart(struct command *command)
{
	struct known_kernel *known;
	struct allocation *all;
	size_t count = 0;
	cl_int code;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(command->kernel);
	all = oclmm_calloc(known->reached_count + 1, sizeof(*all));
	for (size_t i = 0; i < known->reached_count; i++)
		count += find_allocation(known->reached[i], &all[count]);
	pthread_mutex_unlock(&kernels_lock);
	code = count > 0 ? launch_on_copies(command, all, count) : command_send(command);
	free(all);
	return code;
}

/* ---- the calls of each plant ------------------------------------------------ */

/* Replaces the calls that the plant is in. */
static void calls_init(struct _cl_icd_dispatch *layer)
{
	const unsigned transfers = COMMAND_FILL | COMMAND_COPY | COMMAND_READ | COMMAND_WRITE;
	const unsigned ordered = COMMAND_KERNEL | transfers | COMMAND_MARKER;

	switch (layer_plant.bug) {
	case PLANT_FLUSH_LOST:
		commands_init(layer,
		              COMMAND_KERNEL | COMMAND_FILL | COMMAND_COPY | COMMANDS_THAT_BLOCK,
		              hold_back);
		layer->clFlush = flush;
		layer->clFinish = finish_and_send;
		layer->clWaitForEvents = wait_and_send;
		layer->clReleaseCommandQueue = release_queue;
		break;
	case PLANT_EVENT_EARLY: commands_init(layer, ordered, complete_early); break;
	case PLANT_WAIT_LIST_IGNORED:
	case PLANT_WAIT_LIST_FIRST: commands_init(layer, ordered, cut_wait_list); break;
	case PLANT_SYNC_POINT_IGNORED:
	case PLANT_REPLAY_LIST_IGNORED:
	case PLANT_REPLAY_QUEUE_KEPT:
	case PLANT_SEMAPHORE_IGNORED:
	case PLANT_SEMAPHORE_EARLY:
	case PLANT_SEMAPHORE_FIRST:
	case PLANT_UPDATE_IGNORED:
	case PLANT_LAUNCH_KEPT:
	case PLANT_ACQUIRE_IGNORED:
	case PLANT_ACQUIRE_LATE:
	case PLANT_ACQUIRE_AT_ONCE:
	case PLANT_RELEASE_AT_ONCE:
	case PLANT_RELEASE_IGNORED:
	case PLANT_RELEASE_EARLY:
		layer->clGetExtensionFunctionAddressForPlatform = find_function;
		break;
	case PLANT_ADDRESS_APART:
		layer->clGetExtensionFunctionAddressForPlatform = find_function;
		layer->clCreateBufferWithProperties = create_buffer_apart;
		break;
	case PLANT_EXEC_INFO_DROPPED:
		layer->clSVMAlloc = allocate;
		layer->clSVMFree = free_allocation;
		layer->clSetKernelExecInfo = note_reached;
		layer->clReleaseKernel = kernels_release;
		commands_init(layer, COMMAND_KERNEL, launch_apart);
		break;
	case PLANT_SVM_APART:
		layer->clGetExtensionFunctionAddressForPlatform = find_function;
		layer->clSetKernelArgSVMPointer = set_svm_apart;
		break;
	case PLANT_MAP_EMPTY:
		layer->clEnqueueMapBuffer = map;
		layer->clEnqueueUnmapMemObject = unmap;
		break;
	case PLANT_MAP_STALE:
		layer->clEnqueueMapBuffer = map_again;
		layer->clEnqueueUnmapMemObject = unmap_shown;
		layer->clFinish = finish_and_forget;
		break;
	case PLANT_PITCH_IGNORED:
		layer->clEnqueueCopyBufferRect = copy_rows;
		layer->clEnqueueReadBufferRect = read_rows;
		layer->clEnqueueWriteBufferRect = write_rows;
		break;
	case PLANT_IMAGE_LIST_IGNORED:
	case PLANT_IMAGE_UNBLOCKED:
		layer->clEnqueueReadImage = read_pixels;
		layer->clEnqueueWriteImage = write_pixels;
		layer->clEnqueueCopyImage = copy_pixels;
		layer->clEnqueueCopyImageToBuffer = copy_pixels_out;
		layer->clEnqueueCopyBufferToImage = copy_pixels_in;
		break;
	case PLANT_HOST_POINTER_COPIED: layer->clCreateBuffer = copy_given; break;
	case PLANT_SVM_COPIED:
		layer->clCreateBuffer = copy_svm;
		layer->clGetMemObjectInfo = say_over_svm;
		break;
	case PLANT_UNMAP_EARLY: layer->clEnqueueUnmapMemObject = unmap_early; break;
	case PLANT_QUEUE_ORDERED:
		layer->clCreateCommandQueue = create_ordered;
		layer->clCreateCommandQueueWithProperties = create_ordered_with;
		break;
	case PLANT_FINISH_EARLY: layer->clFinish = finish; break;
	case PLANT_QUEUE_UNORDERED:
		layer->clCreateCommandQueue = create_queue;
		layer->clCreateCommandQueueWithProperties = create_queue_with;
		break;
	case PLANT_BARRIER_IGNORED:
		layer->clEnqueueBarrierWithWaitList = wait_for_nothing;
		layer->clEnqueueMarkerWithWaitList = wait_for_nothing;
		break;
	case PLANT_ORIGIN_IGNORED: layer->clCreateSubBuffer = create_sub_buffer; break;
	case PLANT_START_CHANGED:
		layer->clCreateBuffer = create_buffer;
		layer->clReleaseMemObject = release_buffer;
		layer->clReleaseKernel = kernels_release;
		layer->clSetKernelArg = note_argument;
		commands_init(layer, COMMAND_KERNEL, fill_and_launch);
		break;
	case PLANT_ARGUMENT_KEPT:
	case PLANT_ARGUMENT_LATE:
		layer->clReleaseKernel = kernels_release;
		layer->clSetKernelArg = set_argument;
		commands_init(layer, COMMAND_KERNEL, launch_and_set);
		break;
	case PLANT_OFFSET_IGNORED:
	case PLANT_OFFSET_DOUBLED:
	case PLANT_OFFSET_FIRST:
	case PLANT_ROWS_SWAPPED: commands_init(layer, COMMAND_KERNEL, change_range); break;
	case PLANT_GROUP_REPEATED: commands_init(layer, COMMAND_KERNEL, repeat_group); break;
	case PLANT_LAUNCH_SHORT: commands_init(layer, COMMAND_KERNEL, launch_less); break;
	case PLANT_TRANSFER_SHORT: commands_init(layer, transfers, shorten); break;
	case PLANT_TRANSFER_OFFSET: commands_init(layer, transfers, begin_at_0); break;
	case PLANT_MAP_OFFSET: commands_init(layer, COMMAND_MAP, begin_at_0); break;
	case PLANT_MIGRATE_LOST: layer->clEnqueueMigrateMemObjects = migrate; break;
	case PLANT_BLOCKING_IGNORED: commands_init(layer, COMMANDS_THAT_BLOCK, do_not_block); break;
	case PLANT_WAIT_EARLY: layer->clWaitForEvents = wait_for_nobody; break;
	case PLANT_CALLBACK_EARLY: layer->clSetEventCallback = set_callback; break;
	case PLANT_USER_EVENT_EARLY:
		layer->clCreateUserEvent = create_user_event;
		layer->clSetUserEventStatus = set_user_event;
		break;
	default: break;
	}
}

/* ---- launches of changed programs ------------------------------------------ */

/*
 * Plants that act in some launches only. The application keeps its program and
 * kernels; beside each stands a changed twin that is built with the same
 * options and gets the same arguments, and a launch in which the plant acts
 * runs the twin. Programs that are compiled and linked apart, or are cloned,
 * have none.
 */

struct twin_program {
	cl_program program, twin;
	bool built;
};

static struct twin_program *programs;
static size_t program_count, program_capacity;

static struct twin_program *find_program(cl_program program)
{
	for (size_t i = 0; i < program_count; i++) {
		if (programs[i].program == program)
			return &programs[i];
	}
	return NULL;
}

static void twins_add(cl_program program, cl_program twin)
{
	if (!twin) {
		layer_note(LAYER_TWIN_FAILED, 0);
		return;
	}
	pthread_mutex_lock(&kernels_lock);
	oclmm_grow(&programs, &program_capacity, program_count, sizeof(*programs));
	programs[program_count++] = (struct twin_program){.program = program, .twin = twin};
	pthread_mutex_unlock(&kernels_lock);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	cl_int code = layer_real->clBuildProgram(program, count, devices, options, notify, data);
	struct twin_program *pair;

	if (code != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&kernels_lock);
	pair = find_program(program);
	if (pair && layer_real->clBuildProgram(pair->twin, count, devices, options, NULL, NULL) ==
	                    CL_SUCCESS)
		pair->built = true;
	else if (pair)
		layer_note(LAYER_TWIN_FAILED, 0);
	pthread_mutex_unlock(&kernels_lock);
	return code;
}

static cl_int CL_API_CALL release_program(cl_program program)
{
	pthread_mutex_lock(&kernels_lock);
	if (layer_is_last_program(program)) {
		struct twin_program *pair = find_program(program);

		if (pair) {
			layer_real->clReleaseProgram(pair->twin);
			*pair = programs[--program_count];
		}
	}
	pthread_mutex_unlock(&kernels_lock);
	return layer_real->clReleaseProgram(program);
}

static void add_kernel(cl_program program, cl_kernel kernel, const char *name)
{
	struct twin_program *pair = find_program(program);

	if (pair && pair->built)
		kernels_find(kernel)->twin = layer_real->clCreateKernel(pair->twin, name, NULL);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel kernel = layer_real->clCreateKernel(program, name, code);

	if (!kernel)
		return NULL;
	pthread_mutex_lock(&kernels_lock);
	add_kernel(program, kernel, name);
	pthread_mutex_unlock(&kernels_lock);
	return kernel;
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel *all,
                                         cl_uint *ret_count)
{
	cl_uint created = 0;
	cl_int code = layer_real->clCreateKernelsInProgram(program, count, all, &created);

	if (ret_count)
		*ret_count = created;
	if (code != CL_SUCCESS || !all)
		return code;
	pthread_mutex_lock(&kernels_lock);
	for (cl_uint i = 0; i < created; i++) {
		char name[256] = "";

		if (layer_real->clGetKernelInfo(all[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
		                                NULL) == CL_SUCCESS)
			add_kernel(program, all[i], name);
	}
	pthread_mutex_unlock(&kernels_lock);
	return code;
}

static cl_kernel twin_of(cl_kernel kernel)
{
	cl_kernel twin;

	pthread_mutex_lock(&kernels_lock);
	twin = kernels_find(kernel)->twin;
	pthread_mutex_unlock(&kernels_lock);
	return twin;
}

static cl_int CL_API_CALL set_twin_argument(cl_kernel kernel, cl_uint index, size_t size,
                                            const void *value)
{
	cl_kernel twin = twin_of(kernel);

	if (twin)
		layer_real->clSetKernelArg(twin, index, size, value);
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
	cl_kernel twin = twin_of(kernel);

	if (twin)
		layer_real->clSetKernelArgSVMPointer(twin, index, value);
	return layer_real->clSetKernelArgSVMPointer(kernel, index, value);
}

static cl_int CL_API_CALL set_info(cl_kernel kernel, cl_kernel_exec_info what, size_t size,
                                   const void *value)
{
	cl_kernel twin = twin_of(kernel);

	if (twin)
		layer_real->clSetKernelExecInfo(twin, what, size, value);
	return layer_real->clSetKernelExecInfo(kernel, what, size, value);
}

/* Where the driver chooses the group's size itself, several groups are the rule. */
static bool has_groups(cl_uint dimensions, const size_t *global, const size_t *local)
{
	for (cl_uint i = 0; global && i < dimensions; i++) {
		if (local ? global[i] > local[i] : global[i] > 1)
			return true;
	}
	return false;
}

/* Where the launch leaves the group's size to the driver it counts as one work-item. */
static bool is_meant(const struct command *command, uint64_t launch)
{
	uint64_t size = 1, groups = 1, n = layer_plant.launch_number;

	for (cl_uint i = 0; i < command->dimensions; i++) {
		size_t local = command->local ? command->local[i] : 1;

		size *= local;
		groups *= command->global && local ? command->global[i] / local : 1;
	}
	switch (layer_plant.launches) {
	case OCLMM_WHERE_BIG_GROUP: return size >= n;
	case OCLMM_WHERE_SMALL_GROUP: return size <= n;
	case OCLMM_WHERE_EXACT_GROUP: return size == n;
	case OCLMM_WHERE_UNEVEN_GROUP: return size % n != 0;
	case OCLMM_WHERE_MANY_GROUPS: return groups >= n;
	case OCLMM_WHERE_LONE_GROUP: return groups == n;
	case OCLMM_WHERE_FIRST_LAUNCH: return launch < n;
	case OCLMM_WHERE_LATE_LAUNCH: return launch >= n;
	default: return true;
	}
}

static bool acts(struct known_kernel *known, const struct command *command)
{
	uint64_t launch = known->launches++;

	if (layer_plant.launches != OCLMM_WHERE_ANYWHERE)
		return is_meant(command, launch);
	switch (layer_plant.bug) {
	case PLANT_FIRST_LAUNCHES: return launch < layer_plant.mutation.number;
	case PLANT_LATE_LAUNCHES: return launch >= layer_plant.mutation.number;
	default: return has_groups(command->dimensions, command->global, command->local);
	}
}

static cl_int launch(struct command *command)
{
	struct known_kernel *known;
	bool changed;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(command->kernel);
	changed = known->twin && acts(known, command);
	if (changed)
		command->kernel = known->twin;
	pthread_mutex_unlock(&kernels_lock);
	if (changed)
		layer_note(LAYER_LAUNCH, 0);
	return command_send(command);
}

static void twins_init(struct _cl_icd_dispatch *layer)
{
	layer->clBuildProgram = build_program;
	layer->clReleaseProgram = release_program;
	layer->clCreateKernel = create_kernel;
	layer->clCreateKernelsInProgram = create_kernels;
	layer->clReleaseKernel = kernels_release;
	layer->clSetKernelArg = set_twin_argument;
	layer->clSetKernelArgSVMPointer = set_pointer;
	layer->clSetKernelExecInfo = set_info;
	commands_init(layer, COMMAND_KERNEL, launch);
}

/* ---- texts exchanged ------------------------------------------------------- */

/* All strings as one: a text is known by the hash of the whole. */
static void join(struct oclmm_text *text, cl_uint count, const char **strings,
                 const size_t *lengths)
{
	oclmm_text_init(text);
	for (cl_uint i = 0; i < count; i++) {
		if (lengths && lengths[i])
			oclmm_text_add_bytes(text, strings[i], lengths[i]);
		else
			oclmm_text_add(text, strings[i]);
	}
}

static bool is_complete(cl_uint count, const char **strings)
{
	for (cl_uint i = 0; strings && i < count; i++) {
		if (!strings[i])
			return false;
	}
	return strings && count > 0;
}

static cl_program create(cl_context context, const struct oclmm_text *text, cl_int *code)
{
	const char *string = oclmm_text_string(text);
	size_t length = text->length;

	return layer_real->clCreateProgramWithSource(context, 1, &string, &length, code);
}

/* What takes the place of a text, by its hash. */
struct offer {
	uint64_t hash;
	struct oclmm_text text;
	size_t places;
};
static struct {
	pthread_mutex_t lock;
	struct offer *items;
	size_t count, capacity;
} offers = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { OFFER_MOST = 16 << 20 }; /* bytes of a text in a file */

/* With the lock; NULL where the text passes unchanged. */
static struct offer *find_offer(uint64_t hash)
{
	for (size_t i = 0; i < offers.count; i++)
		if (offers.items[i].hash == hash)
			return &offers.items[i];
	return NULL;
}

OCLMM_PLANT_OFFER
{
	struct offer *offer;

	pthread_mutex_lock(&offers.lock);
	offer = find_offer(hash);
	if (!offer) {
		oclmm_grow(&offers.items, &offers.capacity, offers.count, sizeof(*offers.items));
		offer = &offers.items[offers.count++];
		*offer = (struct offer){.hash = hash, .places = places};
		oclmm_text_init(&offer->text);
		oclmm_text_add_bytes(&offer->text, text, length);
	}
	pthread_mutex_unlock(&offers.lock);
}

/* What OCLMM_PLANT_TEXTS offers; false: it cannot be read. */
static bool load_offers(void)
{
	const char *path = getenv("OCLMM_PLANT_TEXTS");
	unsigned long long hash;
	size_t places, length;
	FILE *file = path && *path ? fopen(path, "r") : NULL;
	bool well = true;

	if (!path || !*path)
		return true;
	while (file && well && fscanf(file, "%16llx %zu %zu", &hash, &places, &length) == 3) {
		char *text = length < OFFER_MOST ? malloc(length + 1) : NULL;

		well = text && fgetc(file) == '\n' && fread(text, 1, length, file) == length;
		if (well)
			oclmm_plant_offer(hash, text, length, places);
		free(text);
	}
	well &= file && feof(file);
	if (file)
		fclose(file);
	if (!well)
		fprintf(stderr, "oclmm plant: cannot read the texts of %s\n", path);
	return well;
}

/* Returns the places in which the text is changed; `ret_changed` is the caller's to finish. */
static size_t exchange(const struct oclmm_text *text, struct oclmm_text *ret_changed)
{
	const struct offer *offer;
	size_t places = 0;

	oclmm_text_init(ret_changed);
	pthread_mutex_lock(&offers.lock);
	offer = find_offer(oclmm_hash(oclmm_text_string(text), text->length));
	if (offer) {
		oclmm_text_add_bytes(ret_changed, offer->text.data, offer->text.length);
		places = offer->places;
	}
	pthread_mutex_unlock(&offers.lock);
	return places;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	struct oclmm_text text, changed;
	cl_program program;
	size_t places;

	/* what is refused is the driver's to refuse */
	if (!is_complete(count, strings))
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	join(&text, count, strings, lengths);
	places = exchange(&text, &changed);
	if (places > 0)
		layer_append("OCLMM_PLANT_SAVE", oclmm_text_string(&changed), changed.length);
	if (places == 0 || plant_by_launch(&layer_plant))
		program = layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                                code);
	else
		program = create(context, &changed, code);
	if (program) {
		layer_note(LAYER_SOURCE, places);
		if (places > 0 && plant_by_launch(&layer_plant))
			twins_add(program, create(context, &changed, NULL));
	}
	oclmm_text_finish(&text);
	oclmm_text_finish(&changed);
	return program;
}

static cl_program CL_API_CALL create_binary(cl_context context, cl_uint count,
                                            const cl_device_id *devices, const size_t *lengths,
                                            const unsigned char **binaries, cl_int *statuses,
                                            cl_int *code)
{
	layer_note(LAYER_BINARY, 0);
	return layer_real->clCreateProgramWithBinary(context, count, devices, lengths, binaries,
	                                             statuses, code);
}

static cl_program CL_API_CALL create_il(cl_context context, const void *il, size_t length,
                                        cl_int *code)
{
	layer_note(LAYER_IL, 0);
	return layer_real->clCreateProgramWithIL(context, il, length, code);
}

static void refuse(const char *message)
{
	fprintf(stderr, "oclmm plant: OCLMM_PLANT: %s; there are\n", message);
	for (int i = 0; i < PLANT_COUNT; i++)
		fprintf(stderr, "  %-18s %s\n", plant_descriptions[i].name,
		        plant_descriptions[i].what);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	const char *choice = getenv("OCLMM_PLANT"), *verbose = getenv("OCLMM_PLANT_VERBOSE");
	char message[PLANT_MESSAGE];

	if (!plant_parse(choice && *choice ? choice : "none", &layer_plant, message)) {
		refuse(message);
		return false;
	}
	if (!load_offers())
		return false;
	own->clCreateProgramWithSource = create_program;
	own->clCreateProgramWithBinary = create_binary;
	own->clCreateProgramWithIL = create_il;
	if (plant_by_launch(&layer_plant))
		twins_init(own);
	calls_init(own);
	if (verbose && strcmp(verbose, "1") == 0)
		atexit(layer_summarise);
	layer_note(LAYER_LOADED, 0);
	return true;
}
