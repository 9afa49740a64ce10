// SPDX-License-Identifier: Apache-2.0
/*
 * Programs of commands. In a launch cells are set, round after round is played,
 * and results are brought to the host and counted there; it ends before the next
 * one begins.
 */
#include "host_calls.h"

#include "internal.h"

#include "device/exporter.h"
#include "exchange/exchange.h"
#include "oclmm/codegen.h"
#include "plant/changed_kernel.h"
#include "platform/system.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the cells of a register hold before anything is stored there, moved by the base. */
enum { COMMANDS_NOTHING = 0x5a5a5a5a };

/* Cells: a buffer, shared virtual memory, or memory of the host. */
struct cells {
	cl_mem buffer; /* or a pipe, or over shared virtual memory; else NULL */
	cl_mem sub[OCLMM_SUB_BUFFERS_MOST]; /* of the buffer, where commands use them */
	cl_mem all;                         /* that of all cells, where they begin behind origin */
	size_t origin;                      /* bytes of the buffer before the first cell */
	void *svm;                          /* NULL: one of the others; of this kind: */
	enum oclmm_storage storage;
	bool over; /* commands use a buffer over it; the last to write it did so: */
	bool last_by_buffer;
	void *pointer;    /* memory of the same kind with its address; NULL: nobody uses it */
	uint64_t address; /* of a buffer in the device's memory; 0: nobody uses it */
	uint32_t *host;   /* its own memory; of the others, where their values are brought */
	uint32_t *given;  /* the host gave it for the buffer; NULL: it did not */
	uint32_t *map;    /* NULL: not mapped */
	cl_event mapped;
	cl_command_queue map_queue;
	cl_mem map_buffer;              /* that was mapped: itself or a sub-buffer */
	struct oclmm_exported exported; /* external memory, as who made it has it */
	cl_mem elsewhere;               /* the same, imported in a second context; or NULL */
	bool acquired;                  /* that: the last call was an acquisition */
};

/* What cl_khr_command_buffer brings, whose header may be older or newer. A kernel is recorded in
 * all versions by the same parameters; others are up to 0.9.3, see oclmm_device_info. */
struct recorder {
	void *(CL_API_CALL *create)(cl_uint count, const cl_command_queue *queues,
	                            const cl_ulong *properties, cl_int *ret_code);
	cl_int(CL_API_CALL *finalize)(void *buffer);
	cl_int(CL_API_CALL *release)(void *buffer);
	cl_int(CL_API_CALL *enqueue)(cl_uint count, cl_command_queue *queues, void *buffer,
	                             cl_uint wait_count, const cl_event *waits, cl_event *event);
	cl_int(CL_API_CALL *barrier)(void *buffer, cl_command_queue queue, cl_uint wait_count,
	                             const cl_uint *waits, cl_uint *sync_point, void **handle);
	cl_int(CL_API_CALL *fill)(void *buffer, cl_command_queue queue, cl_mem object,
	                          const void *pattern, size_t pattern_size, size_t offset,
	                          size_t size, cl_uint wait_count, const cl_uint *waits,
	                          cl_uint *sync_point, void **handle);
	cl_int(CL_API_CALL *copy)(void *buffer, cl_command_queue queue, cl_mem from, cl_mem to,
	                          size_t from_offset, size_t to_offset, size_t size,
	                          cl_uint wait_count, const cl_uint *waits, cl_uint *sync_point,
	                          void **handle);
	cl_int(CL_API_CALL *kernel)(void *buffer, cl_command_queue queue,
	                            const cl_ulong *properties, cl_kernel kernel,
	                            cl_uint dimensions, const size_t *offset, const size_t *global,
	                            const size_t *local, cl_uint wait_count, const cl_uint *waits,
	                            cl_uint *sync_point, void **handle);
	/* of cl_khr_command_buffer_mutable_dispatch, from 0.9.2 on */
	cl_int(CL_API_CALL *update)(void *buffer, cl_uint count, const cl_uint *kinds,
	                            const void **changes);
};

enum { CHANGED_ARGUMENTS = 1 << 3 /* CL_MUTABLE_DISPATCH_ARGUMENTS_KHR */ };

/* What cl_khr_semaphore brings, whose header may be older than a driver's. */
struct signaler {
	void *(CL_API_CALL *create)(cl_context context, const cl_ulong *properties,
	                            cl_int *ret_code);
	cl_int(CL_API_CALL *release)(void *semaphore);
	cl_int(CL_API_CALL *signal)(cl_command_queue queue, cl_uint count, void *const *semaphores,
	                            const cl_ulong *payloads, cl_uint wait_count,
	                            const cl_event *waits, cl_event *event);
	cl_int(CL_API_CALL *wait)(cl_command_queue queue, cl_uint count, void *const *semaphores,
	                          const cl_ulong *payloads, cl_uint wait_count,
	                          const cl_event *waits, cl_event *event);
};

/* What cl_khr_external_memory brings, likewise. */
struct importer {
	cl_int(CL_API_CALL *acquire)(cl_command_queue queue, cl_uint count, const cl_mem *objects,
	                             cl_uint wait_count, const cl_event *waits, cl_event *event);
	cl_int(CL_API_CALL *release)(cl_command_queue queue, cl_uint count, const cl_mem *objects,
	                             cl_uint wait_count, const cl_event *waits, cl_event *event);
	const struct oclmm_exporter *exporter;
	/* a second context of the device and a queue of it, where a step of the host asks for one
	 */
	cl_context context;
	cl_command_queue queue;
};

/* What cl_khr_unified_svm brings, likewise. */
struct allocator {
	void *(CL_API_CALL *allocate)(cl_context context, const cl_ulong *properties, cl_uint type,
	                              size_t size, cl_int *ret_code);
	cl_int(CL_API_CALL *free)(cl_context context, const cl_ulong *properties, cl_bitfield flags,
	                          void *memory);
	unsigned needed[OCLMM_UNIFIED_SVM_TYPES]; /* of each type, as oclmm_features has it */
};

/* What cl_ext_buffer_device_address brings, likewise: an address in place of a buffer. */
typedef cl_int(CL_API_CALL *set_address_fn)(cl_kernel kernel, cl_uint index, cl_ulong address);

/* A thread in a round. */
struct turn {
	cl_event event;
	cl_uint sync_point; /* of what is recorded */
	void *handle;       /* likewise, where arguments are changed */
	atomic_bool called; /* by the callback of its event */
};

struct round {
	uint32_t base; /* that all its values are moved by; no other round has it */
	/* how often each kernel ran in all launches: on the device, and as it should be */
	cl_mem ran[OCLMM_MAX_THREADS];
	uint32_t wanted[OCLMM_MAX_THREADS];
	struct cells object[OCLMM_COMMAND_OBJECTS_MOST];
	struct cells reg[OCLMM_COMMAND_REGISTERS_MOST]; /* of all threads, one after the other */
	struct turn turn[OCLMM_MAX_THREADS];
	void *recording[OCLMM_RECORDINGS_MOST]; /* command buffers; NULL: not begun */
	cl_command_queue recorded_for[OCLMM_RECORDINGS_MOST];
	bool finalized[OCLMM_RECORDINGS_MOST];
	void *semaphore[OCLMM_SEMAPHORES_MOST]; /* NULL: not used yet */
};

struct commands {
	struct oclmm_device *device;
	const struct oclmm_program *program;
	struct commands_shape shape;
	cl_program kernels;
	uint32_t mark; /* that they take off the base */
	/* `set_svm` is `set` again: with some drivers an argument that was shared virtual memory
	 * is never a buffer again (docs/results.md) */
	cl_kernel set, set_svm, lag, gather, kernel[OCLMM_MAX_THREADS];
	cl_event lagging; /* of the lag, where order is free; NULL: no command waits for it */
	cl_mem lag_end;   /* the result of the loop of `lag`, which is not read */
	/* The words `ran` of all rounds and kernels side by side: where they are, that of them all
	 * on the device, as it was read, and their number. */
	cl_mem *counters, gathered;
	uint32_t *times;
	uint32_t counter_count;
	cl_command_queue in_order[OCLMM_QUEUES_MOST], unordered[OCLMM_QUEUES_MOST];
	uint32_t device_of[OCLMM_QUEUES_MOST];
	uint32_t first_register[OCLMM_MAX_THREADS];
	uint32_t register_count;
	uint32_t sub_count; /* sub-buffers that each buffer has */
	/* threads whose events somebody asks for, by a callback, and from outside of its queue */
	uint32_t asked, called_back, leaving;
	struct round *rounds;
	bool large; /* values may be as far from each other as those of two rounds */
	struct recorder recorder;
	struct signaler signaler;
	struct importer importer;
	struct allocator allocator;
	set_address_fn set_address;
	uint64_t addressed; /* set of objects whose addresses kernels are given */
	uint64_t pointed;   /* likewise, to which kernels find pointers in memory */
	/* likewise, in shared virtual memory with a buffer over it; those written last by that */
	uint64_t over, last_by_buffer;
	uint32_t devices; /* of the program, all in its context */
	bool replays_at_once;
	cl_ulong changes; /* between replays: cl_mutable_dispatch_fields_khr */
	bool abandoned;   /* a round failed: a callback may still come, and finds its place */
	struct commands_draw draw;
};

/* Where the host writes it; of buffers and coarse-grained memory while they are mapped.
 * Fine-grained memory has its own pointer, also while a buffer over it is mapped. */
static uint32_t *memory_of(struct cells *cells)
{
	if (cells->svm && !oclmm_storage_is_mapped(cells->storage))
		return cells->svm;
	return cells->map ? cells->map : cells->svm ? cells->svm : cells->host;
}

/* Where the host reads it. What it gave for a buffer has the latest of what is mapped, whichever
 * pointer the map returned (A:5.5.4). */
static const uint32_t *shown_by(struct cells *cells)
{
	return cells->given ? cells->given + cells->origin / sizeof(uint32_t) : memory_of(cells);
}

/* The byte of that at which a transfer or a map begins. */
static size_t origin_of(const struct cells *cells, const struct oclmm_command *command)
{
	return command->sub ? 0 : cells->origin;
}

/* The buffer or the sub-buffer of it that a command uses. */
static cl_mem buffer_of(const struct cells *cells, const struct oclmm_command *command)
{
	return command->sub ? cells->sub[command->sub - 1] : cells->buffer;
}

/* The shared virtual memory that a command uses by its pointer; NULL: it uses a buffer. */
static void *pointer_of(const struct cells *cells, const struct oclmm_command *command)
{
	return command->buffer ? NULL : cells->svm;
}

/* Of an object in a round. */
static size_t bytes_of(const struct commands *c)
{
	return (size_t)c->shape.cells * sizeof(uint32_t);
}

static const struct oclmm_command *command_of(const struct commands *c, uint32_t thread)
{
	return &c->program->threads[thread].placement.command;
}

/* ---- queues ---- */

/* As many as the program names; those that are alike change places from launch to launch. */
static int create_queues(struct commands *c, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(c, i);
		cl_command_queue *queue = command->unordered ? &c->unordered[command->queue]
		                                             : &c->in_order[command->queue];

		if (!oclmm_command_is_queued(command->kind) || *queue)
			continue;
		c->device_of[command->queue] = command->device;
		r = oclmm_device_queue_new(c->device, command->device,
		                           command->unordered
		                                   ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
		                                   : 0,
		                           error, queue);
	}
	return r;
}

static void destroy_queues(struct commands *c)
{
	for (uint32_t i = 0; i < OCLMM_QUEUES_MOST; i++) {
		if (c->in_order[i])
			clReleaseCommandQueue(c->in_order[i]);
		if (c->unordered[i])
			clReleaseCommandQueue(c->unordered[i]);
	}
}

/* The n-th queue behind one among those that there are of its device. */
static cl_command_queue turn(const struct commands *c, const cl_command_queue *queues,
                             uint32_t queue, uint32_t steps)
{
	uint32_t at = queue;

	for (uint32_t i = 0; i < steps; i++) {
		do
			at = (at + 1) % OCLMM_QUEUES_MOST;
		while (!queues[at] || c->device_of[at] != c->device_of[queue]);
	}
	return queues[at];
}

static cl_command_queue queue_of(const struct commands *c, const struct oclmm_command *command)
{
	return turn(c, command->unordered ? c->unordered : c->in_order, command->queue,
	            c->draw.rotation);
}

static int settle(cl_command_queue queue, struct oclmm_error *error)
{
	cl_event all = NULL;
	cl_int code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &all);
	int r = oclmm_cl_made(error, "clEnqueueMarkerWithWaitList", all, code);

	if (r < 0)
		return r;
	r = OCLMM_CL_CALL(error, clWaitForEvents, 1, &all);
	clReleaseEvent(all);
	return r < 0 ? r : OCLMM_CL_CALL(error, clFinish, queue);
}

static int finish_queues(struct commands *c, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < OCLMM_QUEUES_MOST; i++) {
		if (c->in_order[i])
			r = settle(c->in_order[i], error);
		if (r == 0 && c->unordered[i])
			r = settle(c->unordered[i], error);
	}
	return r;
}

/* ---- the cells of a launch: made, set before it, brought to the host behind it ---- */

enum { ALIGNMENT = 4096 };

static int make_sub_buffer(struct cells *cells, size_t size, cl_mem *ret_sub,
                           struct oclmm_error *error)
{
	cl_buffer_region region = {cells->origin, size};
	cl_int code;

	*ret_sub = clCreateSubBuffer(cells->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
	                             &code);
	return oclmm_cl_made(error, "clCreateSubBuffer", *ret_sub, code);
}

/*
 * Each from the first cell on, and one larger than the other: they overlap, and are not alike.
 * Where cells do not begin with the buffer a kernel, which has no offset for them, reaches the
 * buffer's own by a sub-buffer, too.
 */
static int make_sub_buffers(const struct commands *c, struct cells *cells,
                            struct oclmm_error *error)
{
	int r = 0;

	if (cells->origin > 0)
		r = make_sub_buffer(cells, bytes_of(c), &cells->all, error);
	for (uint32_t i = 0; r == 0 && i < c->sub_count; i++)
		r = make_sub_buffer(cells, bytes_of(c) + (size_t)i * ALIGNMENT, &cells->sub[i],
		                    error);
	return r;
}

static int make_given_buffer(const struct commands *c, struct cells *cells, size_t size,
                             struct oclmm_error *error)
{
	cl_int code;

	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	cells->given = oclmm_take_pages(size);
	if (!cells->given)
		return oclmm_error_set(error, -ENOMEM, "no memory for the cells of a round");
	memset(cells->given, OCLMM_POISON, size);
	cells->buffer = clCreateBuffer(oclmm_device_context(c->device),
	                               CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, cells->given,
	                               &code);
	return oclmm_cl_made(error, "clCreateBuffer", cells->buffer, code);
}

/* One that has an address in the device's memory for as long as it is there. */
static int make_addressed_buffer(const struct commands *c, struct cells *cells, size_t size,
                                 struct oclmm_error *error)
{
	/* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_MEM_DEVICE_ADDRESS_EXT */
	enum { PRIVATE_ADDRESS = 0x5000, ADDRESS = 0x5001 };
	static const cl_mem_properties properties[] = {PRIVATE_ADDRESS, CL_TRUE, 0};
	cl_ulong address = 0;
	cl_int code;
	int r;

	cells->buffer = clCreateBufferWithProperties(oclmm_device_context(c->device), properties,
	                                             CL_MEM_READ_WRITE, size, NULL, &code);
	r = oclmm_cl_made(error, "clCreateBufferWithProperties", cells->buffer, code);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clGetMemObjectInfo, cells->buffer, ADDRESS,
		                  sizeof(address), &address, NULL);
	if (r == 0 && address == 0)
		return oclmm_error_set(error, -EIO, "a buffer has no address in the device");
	cells->address = address + cells->origin;
	return r;
}

static int make_buffer(const struct commands *c, struct cells *cells, bool addressed,
                       struct oclmm_error *error)
{
	size_t size = bytes_of(c) + (c->sub_count + 1) * (size_t)ALIGNMENT;
	int r = addressed ? make_addressed_buffer(c, cells, size, error)
	        : cells->storage == OCLMM_STORAGE_HOST_POINTER
	                ? make_given_buffer(c, cells, size, error)
	                : oclmm_buffer_create(c->device, size, error, &cells->buffer);

	return r < 0 ? r : make_sub_buffers(c, cells, error);
}

/*
 * Of rectangles and images: the cells are a box of slices of rows.
 */
struct box {
	size_t width, rows, slices; /* in cells */
};

/* The largest power of two that divides a number, at most 64. */
static size_t part_of(size_t cells)
{
	size_t part = 1;

	while (part < 64 && cells % (2 * part) == 0)
		part *= 2;
	return part;
}

static struct box box_of(size_t cells)
{
	struct box box = {.width = part_of(cells)};

	box.rows = part_of(cells / box.width);
	box.slices = cells / box.width / box.rows;
	return box;
}

/* What of an image all transfers are of: all of it, as an image has one slice. */
struct area {
	size_t origin[3], region[3];
};

static struct area area_of(const struct commands *c)
{
	struct box box = box_of(c->shape.cells);

	return (struct area){{0, 0, 0}, {box.width, box.rows * box.slices, 1}};
}

static int make_image(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	static const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
	struct area area = area_of(c);
	cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D,
	                             .image_width = area.region[0],
	                             .image_height = area.region[1]};
	cl_int code;

	cells->origin = 0;
	cells->buffer = clCreateImage(oclmm_device_context(c->device), CL_MEM_READ_WRITE, &format,
	                              &description, NULL, &code);
	return oclmm_cl_made(error, "clCreateImage", cells->buffer, code);
}

/* A buffer in memory of another API. A driver that has imported a file descriptor owns it. */
static int import_in(cl_context context, const struct cells *cells, int file,
                     struct oclmm_error *error, cl_mem *ret_buffer)
{
	enum { FILE_HANDLE = 0x2060 /* CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR */ };
	cl_mem_properties properties[] = {FILE_HANDLE, (cl_mem_properties)file, 0};
	cl_int code;

	*ret_buffer = clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE,
	                                           cells->exported.bytes, NULL, &code);
	return oclmm_cl_made(error, "clCreateBufferWithProperties", *ret_buffer, code);
}

static int import(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	int r;

	cells->origin = 0;
	r = c->importer.exporter->make(oclmm_device_id(c->device, 0), bytes_of(c), error,
	                               &cells->exported);
	if (r < 0)
		return r;
	if (c->importer.context) {
		int file = c->importer.exporter->share(&cells->exported);

		r = import_in(c->importer.context, cells, file, error, &cells->elsewhere);
		if (r < 0)
			c->importer.exporter->give_back(file);
	}
	if (r == 0)
		r = import_in(oclmm_device_context(c->device), cells, cells->exported.file, error,
		              &cells->buffer);
	if (r == 0)
		cells->exported.file = -1;
	return r;
}

/* Memory in which a kernel finds the address of the cells. */
static int make_pointer(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	const cl_ulong address = (uintptr_t)cells->svm;
	int r = oclmm_svm_create(c->device, cells->storage, sizeof(address), error,
	                         &cells->pointer);

	return r < 0 ? r
	             : OCLMM_CL_CALL(error, clEnqueueSVMMemcpy, oclmm_device_queue(c->device),
	                             CL_TRUE, cells->pointer, &address, sizeof(address), 0, NULL,
	                             NULL);
}

/* The number of a type of cl_khr_unified_svm; OCLMM_UNIFIED_SVM_TYPES or more: it is none. */
static unsigned unified_type(enum oclmm_storage storage)
{
	return (unsigned)storage - OCLMM_STORAGE_SVM_DEVICE;
}

/* Memory of a type that can do without a device is the context's. */
static int allocate(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	enum { DEVICE = 0x2078 /* CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR */ };
	const struct oclmm_device_info *info = oclmm_device_info(c->device);
	const cl_ulong properties[] = {DEVICE, (cl_ulong)(uintptr_t)oclmm_device_id(c->device, 0),
	                               0};
	int type = oclmm_device_svm_type(info, cells->storage,
	                                 c->allocator.needed[unified_type(cells->storage)]);
	cl_int code = CL_SUCCESS;

	if (type < 0)
		return oclmm_error_set(error, -EIO, "the device has no such type of SVM any more");
	cells->svm = c->allocator.allocate(
		oclmm_device_context(c->device),
		info->svm_types[type] >> OCLMM_SVM_DEVICE_UNASSOCIATED & 1 ? NULL : properties,
		(cl_uint)type, bytes_of(c), &code);
	return oclmm_cl_made(error, "clSVMAllocWithPropertiesKHR", cells->svm, code);
}

static int make(const struct commands *c, enum oclmm_storage storage, size_t origin, bool addressed,
                struct cells *cells, struct oclmm_error *error)
{
	cells->storage = storage;
	cells->origin = origin;
	cells->host = oclmm_take_pages(bytes_of(c));
	if (!cells->host)
		return oclmm_error_set(error, -ENOMEM, "no memory for the cells of a round");
	if (storage == OCLMM_STORAGE_EXTERNAL)
		return import(c, cells, error);
	/* a pipe is made anew for each launch */
	if (storage == OCLMM_STORAGE_HOST || storage == OCLMM_STORAGE_PIPE)
		return 0;
	if (unified_type(storage) < OCLMM_UNIFIED_SVM_TYPES)
		return allocate(c, cells, error);
	if (oclmm_storage_is_svm(storage))
		return oclmm_svm_create(c->device, storage, bytes_of(c), error, &cells->svm);
	if (storage == OCLMM_STORAGE_IMAGE_2D)
		return make_image(c, cells, error);
	return make_buffer(c, cells, addressed, error);
}

/* Of programs with sub-buffers every second round has them behind the buffer's beginning. */
static int make_round(struct commands *c, uint32_t number, struct oclmm_error *error)
{
	const struct oclmm_program *p = c->program;
	struct round *round = &c->rounds[number];
	size_t origin = c->sub_count > 0 && number % 2 ? ALIGNMENT : 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < p->location_count; i++) {
		round->object[i].over = c->over >> i & 1;
		round->object[i].last_by_buffer = c->last_by_buffer >> i & 1;
		r = make(c, p->locations[i].storage, c->over >> i & 1 ? 0 : origin,
		         c->addressed >> i & 1, &round->object[i], error);
		if (r == 0 && c->pointed >> i & 1 && round->object[i].svm)
			r = make_pointer(c, &round->object[i], error);
	}
	for (uint32_t t = 0; t < p->thread_count; t++) {
		bool queued = oclmm_command_is_queued(command_of(c, t)->kind);

		for (uint32_t i = 0; r == 0 && i < p->threads[t].register_count; i++)
			r = make(c, queued ? OCLMM_STORAGE_BUFFER : OCLMM_STORAGE_HOST, origin,
			         false, &round->reg[c->first_register[t] + i], error);
	}
	return r;
}

static int create_cells(struct commands *c, struct oclmm_error *error)
{
	int r = 0;

	c->rounds = oclmm_calloc(c->shape.rounds, sizeof(*c->rounds));
	for (uint32_t i = 0; r == 0 && i < c->shape.rounds; i++)
		r = make_round(c, i, error);
	return r;
}

static void drop(const struct commands *c, struct cells *cells)
{
	if (cells->mapped)
		clReleaseEvent(cells->mapped);
	for (uint32_t i = 0; i < OCLMM_SUB_BUFFERS_MOST; i++) {
		if (cells->sub[i])
			clReleaseMemObject(cells->sub[i]);
	}
	if (cells->all)
		clReleaseMemObject(cells->all);
	if (cells->buffer)
		clReleaseMemObject(cells->buffer);
	/* behind the buffer that may be over it (A:5.6.1) */
	if (unified_type(cells->storage) >= OCLMM_UNIFIED_SVM_TYPES)
		oclmm_svm_destroy(c->device, cells->storage, cells->svm);
	else if (cells->svm)
		c->allocator.free(oclmm_device_context(c->device), NULL, 0, cells->svm);
	oclmm_svm_destroy(c->device, cells->storage, cells->pointer);
	if (cells->elsewhere)
		clReleaseMemObject(cells->elsewhere);
	if (c->importer.exporter)
		c->importer.exporter->destroy(&cells->exported);
	oclmm_free_pages(cells->given);
	oclmm_free_pages(cells->host);
}

static void destroy_cells(struct commands *c)
{
	for (uint32_t i = 0; c->rounds && i < c->shape.rounds; i++) {
		for (uint32_t k = 0; k < OCLMM_COMMAND_OBJECTS_MOST; k++)
			drop(c, &c->rounds[i].object[k]);
		for (uint32_t k = 0; k < OCLMM_COMMAND_REGISTERS_MOST; k++)
			drop(c, &c->rounds[i].reg[k]);
	}
	if (!c->abandoned)
		free(c->rounds);
}

/* What a kernel is given of them, where they are no shared virtual memory. */
static cl_mem argument_of(const struct cells *cells, const struct oclmm_command *command)
{
	return cells->all && !command->sub ? cells->all : buffer_of(cells, command);
}

static int set_cells_argument(cl_kernel kernel, cl_uint index, const struct cells *cells,
                              const struct oclmm_command *command, struct oclmm_error *error)
{
	cl_mem buffer = argument_of(cells, command);
	void *memory = pointer_of(cells, command);

	if (!memory)
		return oclmm_argument_set(kernel, index, sizeof(cl_mem), &buffer, error);
	return OCLMM_CL_CALL(error, clSetKernelArgSVMPointer, kernel, index, memory);
}

/* ---- setting ---- */

/* A new pipe is empty. What a launch left in the one before it, no call takes out. */
static int set_pipe(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	cl_int code;

	if (cells->buffer)
		clReleaseMemObject(cells->buffer);
	cells->buffer = clCreatePipe(oclmm_device_context(c->device), 0, sizeof(uint32_t),
	                             c->shape.cells, NULL, &code);
	return oclmm_cl_made(error, "clCreatePipe", cells->buffer, code);
}

/* The host writes it; it has waited for all that used the image before. */
static int set_image(const struct commands *c, const struct cells *cells, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(c->device);
	struct area area = area_of(c);

	return OCLMM_CL_CALL(error, clEnqueueWriteImage, queue, cells->buffer, CL_FALSE,
	                     area.origin, area.region, 0, 0, cells->host, 0, NULL, NULL);
}

/* What the other API does with external memory. The host's copy is what it writes, or has read. */
static int write_outside(const struct commands *c, const struct cells *cells,
                         struct oclmm_error *error)
{
	return c->importer.exporter->write(&cells->exported, cells->host, bytes_of(c), error);
}

static int read_outside(const struct commands *c, const struct cells *cells,
                        struct oclmm_error *error)
{
	return c->importer.exporter->read(&cells->exported, cells->host, bytes_of(c), error);
}

/* A call of the harness's own, that acquires or releases. */
static int hand_over_cells(const struct commands *c, struct cells *cells, bool acquire,
                           struct oclmm_error *error)
{
	const struct importer *importer = &c->importer;

	return oclmm_cl_check(error,
	                      acquire ? "clEnqueueAcquireExternalMemObjectsKHR"
	                              : "clEnqueueReleaseExternalMemObjectsKHR",
	                      (acquire ? importer->acquire
	                               : importer->release)(oclmm_device_queue(c->device), 1,
	                                                    &cells->buffer, 0, NULL, NULL));
}

static int set_by_kernel(struct commands *c, struct cells *cells, uint32_t value,
                         struct oclmm_error *error)
{
	static const struct oclmm_command itself = {.kind = OCLMM_COMMAND_KERNEL};
	cl_kernel set = pointer_of(cells, &itself) ? c->set_svm : c->set;
	size_t global = c->shape.cells;
	int r;

	r = set_cells_argument(set, 0, cells, &itself, error);
	if (r == 0)
		r = oclmm_argument_set(set, 1, sizeof(value), &value, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(oclmm_device_queue(c->device), set, 1, &global, NULL, NULL,
		                         error);
	return r;
}

/* Both sides write it: what either keeps to itself is of this launch, whatever the driver does when
 * memory is handed over. */
static int set_external(struct commands *c, struct cells *cells, uint32_t value,
                        struct oclmm_error *error)
{
	int r = write_outside(c, cells, error);

	if (r == 0)
		r = hand_over_cells(c, cells, true, error);
	if (r == 0)
		r = set_by_kernel(c, cells, value, error);
	return r < 0 ? r : hand_over_cells(c, cells, false, error);
}

static int set(struct commands *c, struct cells *cells, uint32_t value, struct oclmm_error *error)
{
	bool image = cells->storage == OCLMM_STORAGE_IMAGE_2D;
	bool external = cells->storage == OCLMM_STORAGE_EXTERNAL;

	if (cells->storage == OCLMM_STORAGE_PIPE)
		return set_pipe(c, cells, error);
	if (!image && !external && (cells->buffer || cells->svm))
		return set_by_kernel(c, cells, value, error);
	for (uint32_t i = 0; i < c->shape.cells; i++)
		cells->host[i] = value;
	if (external)
		return set_external(c, cells, value, error);
	return image ? set_image(c, cells, error) : 0;
}

/* What is in the memory when the buffer is made is in the buffer (A:5.2.1), whatever a driver keeps
 * of it: so it is made anew for each launch, when the memory is set. */
static int put_buffer_over(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	cl_int code;

	if (cells->buffer)
		clReleaseMemObject(cells->buffer);
	cells->buffer = clCreateBuffer(oclmm_device_context(c->device),
	                               CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes_of(c),
	                               cells->svm, &code);
	return oclmm_cl_made(error, "clCreateBuffer", cells->buffer, code);
}

static int put_buffers_over(const struct commands *c, uint32_t rounds, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; i < rounds; i++)
		for (uint32_t k = 0; r == 0 && k < c->program->location_count; k++)
			if (c->rounds[i].object[k].over)
				r = put_buffer_over(c, &c->rounds[i].object[k], error);
	return r;
}

static int set_cells(struct commands *c, uint32_t rounds, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		struct round *round = &c->rounds[i];

		for (uint32_t k = 0; r == 0 && k < c->program->location_count; k++)
			r = set(c, &round->object[k],
			        round->base + (uint32_t)c->program->locations[k].initial[0], error);
		for (uint32_t k = 0; r == 0 && k < c->register_count; k++)
			r = set(c, &round->reg[k], round->base + COMMANDS_NOTHING, error);
	}
	if (r == 0)
		r = settle(oclmm_device_queue(c->device), error);
	return r < 0 ? r : put_buffers_over(c, rounds, error);
}

/* ---- bringing ---- */

static struct cells *observed(const struct commands *c, struct round *round, uint32_t observable)
{
	const struct oclmm_observable *o = &c->program->observables[observable];

	return o->is_register ? &round->reg[c->first_register[o->thread] + o->reg]
	                      : &round->object[o->location];
}

/* Cells of an object that are looked at together: most are alike. */
enum { CHUNK = 256 };

static bool is_uniform(const uint32_t *cells, uint32_t count)
{
	return memcmp(cells, cells + 1, (count - 1) * sizeof(*cells)) == 0;
}

/* Values of a program are few and small: what is far from a base is none of it. Of the values that
 * a race leaves by chance one in 2^20 is taken for that of a given other round. */
enum { NEAR = 1 << 11 };

static bool is_near(uint32_t value, uint32_t base)
{
	return value - base + NEAR < 2 * NEAR || value == base + COMMANDS_NOTHING;
}

/* What nobody wrote or read is none of a round, though some round's base may be near it. */
static bool is_of_another(const struct commands *c, const struct round *round, uint32_t value)
{
	uint32_t i = 0;

	if (value == 0 || value == OCLMM_POISON_WORD)
		return false;
	while (i < c->shape.rounds &&
	       (&c->rounds[i] == round || !is_near(value, c->rounds[i].base)))
		i++;
	return i < c->shape.rounds;
}

/* What is wrong with what was read of a round's observable. */
struct amiss {
	uint32_t others;  /* cells with the bytes of another round */
	uint32_t missing; /* registers without a stored value */
};

static void look_at_cell(const struct commands *c, const struct round *round, uint32_t value,
                         uint32_t times, struct amiss *amiss)
{
	if (value == round->base + COMMANDS_NOTHING)
		amiss->missing += times;
	else if (!c->large && !is_near(value, round->base) && is_of_another(c, round, value))
		amiss->others += times;
}

static struct amiss look_at_cells(const struct commands *c, const struct round *round,
                                  const uint32_t *values)
{
	struct amiss amiss = {0};

	for (uint32_t first = 0; first < c->shape.cells; first += CHUNK) {
		uint32_t count = c->shape.cells - first < CHUNK ? c->shape.cells - first : CHUNK;

		if (is_uniform(values + first, count)) {
			look_at_cell(c, round, values[first], count, &amiss);
			continue;
		}
		for (uint32_t i = first; i < first + count; i++)
			look_at_cell(c, round, values[i], 1, &amiss);
	}
	return amiss;
}

/* A read that took the bytes of another one tells nothing of this round. Cells that it left out
 * hold no value of any program. The thread of a register in which nobody stored has not run. */
static int check_there(const struct commands *c, struct round *round, uint32_t observable,
                       struct oclmm_error *error)
{
	const struct oclmm_observable *o = &c->program->observables[observable];
	const struct cells *cells = observed(c, round, observable);
	const struct amiss amiss = look_at_cells(c, round, cells->host);

	if ((cells->svm || cells->buffer) && amiss.others)
		return oclmm_error_set(error, -ERANGE,
		                       "%u cells of a round were read back as another round's",
		                       amiss.others);
	if (o->is_register && amiss.missing)
		return oclmm_error_set(error, -ERANGE, "P%u left no result in %u cells of a round",
		                       c->program->threads[o->thread].id, amiss.missing);
	return 0;
}

/* A driver whose reads of images do not block is told by the test, not by this one. */
static int bring_image(const struct commands *c, const struct cells *cells,
                       struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(c->device);
	struct area area = area_of(c);
	int r = OCLMM_CL_CALL(error, clEnqueueReadImage, queue, cells->buffer, CL_FALSE,
	                      area.origin, area.region, 0, 0, cells->host, 0, NULL, NULL);

	return r < 0 ? r : settle(queue, error);
}

static int bring(const struct commands *c, const struct cells *cells, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(c->device);

	if (cells->svm || cells->buffer)
		memset(cells->host, OCLMM_POISON, bytes_of(c));
	/* by the name by which it was written last: the other need not show it */
	if (cells->svm && !cells->last_by_buffer)
		return OCLMM_CL_CALL(error, clEnqueueSVMMemcpy, queue, CL_TRUE, cells->host,
		                     cells->svm, bytes_of(c), 0, NULL, NULL);
	if (!cells->buffer)
		return 0;
	if (cells->storage == OCLMM_STORAGE_IMAGE_2D)
		return bring_image(c, cells, error);
	if (cells->storage == OCLMM_STORAGE_EXTERNAL)
		return read_outside(c, cells, error);
	return OCLMM_CL_CALL(error, clEnqueueReadBuffer, queue, cells->buffer, CL_TRUE,
	                     cells->origin, bytes_of(c), cells->host, 0, NULL, NULL);
}

static uint32_t count_kernels(const struct commands *c)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < c->program->thread_count; t++)
		count += c->kernel[t] != NULL;
	return count;
}

static int create_counter(struct commands *c, struct round *round, uint32_t thread,
                          struct oclmm_error *error)
{
	int r = oclmm_buffer_create(c->device, sizeof(cl_uint), error, &round->ran[thread]);

	round->wanted[thread] = oclmm_fresh_number();
	c->counters[c->counter_count++] = round->ran[thread];
	return r < 0 ? r
	             : OCLMM_CL_CALL(error, clEnqueueWriteBuffer, oclmm_device_queue(c->device),
	                             round->ran[thread], CL_FALSE, 0, sizeof(cl_uint),
	                             &round->wanted[thread], 0, NULL, NULL);
}

/* A buffer of one word for each kernel of each round: one that all had would let drivers run them
 * one after the other. */
static int create_counters(struct commands *c, struct oclmm_error *error)
{
	uint32_t whole = c->shape.rounds * count_kernels(c) + OCLMM_GATHERED_WORDS;
	int r = oclmm_buffer_create(c->device, whole * sizeof(cl_uint), error, &c->gathered);

	c->counters = oclmm_calloc(whole, sizeof(cl_mem));
	c->times = oclmm_calloc(whole, sizeof(*c->times));
	for (uint32_t i = 0; i < c->shape.rounds; i++) {
		for (uint32_t t = 0; r == 0 && t < c->program->thread_count; t++) {
			if (c->kernel[t])
				r = create_counter(c, &c->rounds[i], t, error);
		}
	}
	return r < 0 ? r : settle(oclmm_device_queue(c->device), error);
}

static void destroy_counters(struct commands *c)
{
	for (uint32_t i = 0; i < c->counter_count; i++) {
		if (c->counters[i])
			clReleaseMemObject(c->counters[i]);
	}
	if (c->gathered)
		clReleaseMemObject(c->gathered);
	free(c->counters);
	free(c->times);
}

/* More than any driver runs a kernel too often: the number is that of another launch or run. */
enum { TIMES_MOST = 1000 };

static int check_ran(const struct commands *c, const struct round *round, uint32_t thread,
                     uint32_t read, struct oclmm_error *error)
{
	uint32_t times = read - (round->wanted[thread] - 1);

	if (times == 1)
		return 0;
	if (read == OCLMM_POISON_WORD)
		return oclmm_error_set(error, -ERANGE, "how often P%u ran was not read back",
		                       c->program->threads[thread].id);
	if (times > TIMES_MOST)
		return oclmm_error_set(error, -ERANGE,
		                       "how often P%u ran was read back as another launch's",
		                       c->program->threads[thread].id);
	return oclmm_error_set(error, -ERANGE, "P%u ran %u times in a round, not once",
	                       c->program->threads[thread].id, times);
}

/* Of the last words some are gathered more than once. */
static int gather(struct commands *c, uint32_t first, struct oclmm_error *error)
{
	const size_t one = 1;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < OCLMM_GATHERED_WORDS; i++)
		r = oclmm_argument_set(c->gather, i, sizeof(cl_mem),
		                       &c->counters[(first + i) % c->counter_count], error);
	if (r == 0)
		r = oclmm_argument_set(c->gather, OCLMM_GATHERED_WORDS, sizeof(cl_mem),
		                       &c->gathered, error);
	if (r == 0)
		r = oclmm_argument_set(c->gather, OCLMM_GATHERED_WORDS + 1, sizeof(first), &first,
		                       error);
	return r < 0 ? r
	             : oclmm_kernel_enqueue(oclmm_device_queue(c->device), c->gather, 1, &one, NULL,
	                                    NULL, error);
}

/* Words that were not gathered are those of the launch before, and show that no kernel ran. */
static int bring_counters(struct commands *c, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(c->device);
	/* a driver whose transfers are short, or do not wait, is told by the test, not by these */
	enum { SPARE = 2 };
	size_t size = (c->counter_count + SPARE) * sizeof(*c->times);
	uint32_t at = 0;
	int r = 0;

	_Static_assert((int)SPARE <= (int)OCLMM_GATHERED_WORDS,
	               "there is room behind the last counter");
	if (c->counter_count == 0)
		return 0;
	memset(c->times, OCLMM_POISON, size);
	for (uint32_t i = 0; r == 0 && i < c->counter_count; i += OCLMM_GATHERED_WORDS)
		r = gather(c, i, error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, queue, c->gathered, CL_FALSE, 0, size,
		                  c->times, 0, NULL, NULL);
	if (r == 0)
		r = settle(queue, error);
	for (uint32_t i = 0; i < c->shape.rounds; i++) {
		for (uint32_t t = 0; r == 0 && t < c->program->thread_count; t++) {
			if (c->kernel[t])
				r = check_ran(c, &c->rounds[i], t, c->times[at++], error);
		}
	}
	return r;
}

static int bring_cells(struct commands *c, uint32_t rounds, struct oclmm_error *error)
{
	int r = bring_counters(c, error);

	for (uint32_t i = 0; r == 0 && i < rounds; i++) {
		for (uint32_t k = 0; r == 0 && k < c->program->observable_count; k++) {
			r = bring(c, observed(c, &c->rounds[i], k), error);
			if (r == 0)
				r = check_there(c, &c->rounds[i], k, error);
		}
	}
	return r;
}

/* The values of an observable in a round that was played last, one for each cell, still moved by
 * the base. */
static const uint32_t *values_of(const struct commands *commands, uint32_t observable,
                                 uint32_t round)
{
	return observed(commands, &commands->rounds[round], observable)->host;
}

/* ---- calls ---- */

/* A command that is about to be enqueued. */
struct call {
	struct commands *c;
	struct round *round;
	uint32_t number;
	const struct oclmm_thread *thread;
	const struct oclmm_command *command;
	cl_command_queue queue;
	cl_event waits[OCLMM_MAX_THREADS + 1];
	cl_uint wait_count;
	cl_uint sync_points[OCLMM_MAX_THREADS];
	cl_uint sync_count;
	cl_event *event; /* NULL: not needed */
	struct oclmm_error *error;
};

/* The wait list as the functions take it. */
static const cl_event *list(const struct call *call)
{
	return call->wait_count ? call->waits : NULL;
}

static struct cells *target(const struct call *call)
{
	return &call->round->object[call->thread->body->store.place.location];
}

static struct cells *origin(const struct call *call)
{
	return &call->round->object[call->thread->body->store.value->load.location];
}

static uint32_t value_of_fill(const struct call *call)
{
	return call->round->base + (uint32_t)call->thread->body->store.value->constant;
}

/* Of a map or an unmapping. */
static struct cells *whole(const struct call *call)
{
	return &call->round->object[call->thread->parameters[0].location];
}

/* ---- the calls that enqueue commands on objects in shared virtual memory ---- */

static int svm_fill(const struct call *call)
{
	uint32_t value = value_of_fill(call);

	return OCLMM_CL_CALL(call->error, clEnqueueSVMMemFill, call->queue, target(call)->svm,
	                     &value, sizeof(value), bytes_of(call->c), call->wait_count, list(call),
	                     call->event);
}

static void *bytes_at(const struct cells *cells)
{
	return cells->svm ? cells->svm : cells->host;
}

static int svm_copy(const struct call *call)
{
	return OCLMM_CL_CALL(call->error, clEnqueueSVMMemcpy, call->queue, call->command->blocking,
	                     bytes_at(target(call)), bytes_at(origin(call)), bytes_of(call->c),
	                     call->wait_count, list(call), call->event);
}

static cl_map_flags flags_of(const struct oclmm_command *command)
{
	return (command->map & OCLMM_MAP_READ ? CL_MAP_READ : 0) |
	       (command->map & OCLMM_MAP_WRITE ? CL_MAP_WRITE : 0) |
	       (command->map & OCLMM_MAP_INVALIDATE ? CL_MAP_WRITE_INVALIDATE_REGION : 0);
}

static int svm_map(const struct call *call)
{
	struct cells *cells = whole(call);
	cl_int code = clEnqueueSVMMap(call->queue, call->command->blocking, flags_of(call->command),
	                              cells->svm, bytes_of(call->c), call->wait_count, list(call),
	                              call->event);
	int r = oclmm_cl_check(call->error, "clEnqueueSVMMap", code);

	if (r == 0)
		cells->map = cells->svm;
	return r;
}

static int svm_unmap(cl_command_queue queue, const struct cells *cells, const cl_event *waits,
                     cl_uint count, cl_event *event, struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clEnqueueSVMUnmap, queue, cells->svm, count, waits, event);
}

static int make_second_context(struct commands *c, struct oclmm_error *error)
{
	cl_device_id id = oclmm_device_id(c->device, 0);
	cl_int code;
	int r;

	c->importer.context = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
	r = oclmm_cl_made(error, "clCreateContext", c->importer.context, code);
	if (r < 0)
		return r;
	c->importer.queue = clCreateCommandQueue(c->importer.context, id, 0, &code);
	return oclmm_cl_made(error, "clCreateCommandQueue", c->importer.queue, code);
}

/* ---- functions of extensions ---- */

struct extension_function {
	const char *name;
	void *to;
};

/* They are looked up by name, each in its place. */
static int find_functions(const struct commands *c, const char *extension,
                          const struct extension_function *functions, size_t count,
                          struct oclmm_error *error)
{
	cl_platform_id platform = NULL;
	int r = OCLMM_CL_CALL(error, clGetDeviceInfo, oclmm_device_id(c->device, 0),
	                      CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);

	for (size_t i = 0; r == 0 && i < count; i++) {
		void *address = clGetExtensionFunctionAddressForPlatform(platform,
		                                                         functions[i].name);

		if (!address)
			return oclmm_error_set(error, -EIO, "the driver claims %s and lacks %s",
			                       extension, functions[i].name);
		memcpy(functions[i].to, &address, sizeof(address));
	}
	return r;
}

static int find_extensions(struct commands *c, struct oclmm_error *error)
{
	const struct extension_function recorder[] = {
		{"clCreateCommandBufferKHR", &c->recorder.create},
		{"clFinalizeCommandBufferKHR", &c->recorder.finalize},
		{"clReleaseCommandBufferKHR", &c->recorder.release},
		{"clEnqueueCommandBufferKHR", &c->recorder.enqueue},
		{"clCommandBarrierWithWaitListKHR", &c->recorder.barrier},
		{"clCommandNDRangeKernelKHR", &c->recorder.kernel},
		{"clCommandFillBufferKHR", &c->recorder.fill},
		{"clCommandCopyBufferKHR", &c->recorder.copy},
	};
	const struct extension_function updater = {"clUpdateMutableCommandsKHR",
	                                           &c->recorder.update};
	const struct extension_function signaler[] = {
		{"clCreateSemaphoreWithPropertiesKHR", &c->signaler.create},
		{"clReleaseSemaphoreKHR", &c->signaler.release},
		{"clEnqueueSignalSemaphoresKHR", &c->signaler.signal},
		{"clEnqueueWaitSemaphoresKHR", &c->signaler.wait},
	};
	const struct extension_function importer[] = {
		{"clEnqueueAcquireExternalMemObjectsKHR", &c->importer.acquire},
		{"clEnqueueReleaseExternalMemObjectsKHR", &c->importer.release},
	};
	const struct extension_function allocator[] = {
		{"clSVMAllocWithPropertiesKHR", &c->allocator.allocate},
		{"clSVMFreeWithPropertiesKHR", &c->allocator.free},
	};
	const struct extension_function addresser = {"clSetKernelArgDevicePointerEXT",
	                                             &c->set_address};
	struct oclmm_features need;
	bool unified = false;
	int r = 0;

	oclmm_program_features(c->program, &need);
	memcpy(c->allocator.needed, need.unified_svm, sizeof(need.unified_svm));
	for (int i = 0; i < OCLMM_UNIFIED_SVM_TYPES; i++)
		unified |= need.unified_svm[i] != 0;
	c->devices = need.devices;
	c->replays_at_once = need.replays_at_once;
	c->changes = need.changed_launches | (need.changed_arguments ? CHANGED_ARGUMENTS : 0);
	if (need.command_buffers)
		r = find_functions(c, "cl_khr_command_buffer", recorder, OCLMM_COUNT(recorder),
		                   error);
	if (r == 0 && c->changes)
		r = find_functions(c, "cl_khr_command_buffer_mutable_dispatch", &updater, 1, error);
	if (r == 0 && need.semaphores)
		r = find_functions(c, "cl_khr_semaphore", signaler, OCLMM_COUNT(signaler), error);
	if (r == 0 && need.buffer_addresses)
		r = find_functions(c, "cl_ext_buffer_device_address", &addresser, 1, error);
	if (r == 0 && unified)
		r = find_functions(c, "cl_khr_unified_svm", allocator, OCLMM_COUNT(allocator),
		                   error);
	if (r == 0 && need.external_memory)
		r = find_functions(c, "cl_khr_external_memory", importer, OCLMM_COUNT(importer),
		                   error);
	if (r == 0 && need.external_memory)
		c->importer.exporter = oclmm_exporter_of(oclmm_device_id(c->device, 0));
	for (uint32_t i = 0; r == 0 && !c->importer.queue && i < c->program->thread_count; i++)
		if (command_of(c, i)->context)
			r = make_second_context(c, error);
	return r;
}

/* ---- semaphores ---- */

/* One of a round, which the first command that uses it makes. In a context of two devices it says
 * of which it is. */
static int get_semaphore(const struct call *call, uint32_t number, void **ret_semaphore)
{
	/* CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
	 * CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR and its end */
	enum { TYPE = 0x203D, BINARY = 1, DEVICES = 0x2053, DEVICES_END = 0 };
	cl_ulong properties[] = {TYPE, BINARY, 0, 0, 0, 0};
	void **semaphore = &call->round->semaphore[number];
	cl_context context = oclmm_device_context(call->c->device);
	cl_int code = CL_SUCCESS;
	int r = 0;

	if (call->c->devices > 1) {
		properties[2] = DEVICES;
		properties[3] = (cl_ulong)(uintptr_t)oclmm_device_id(call->c->device,
		                                                     call->command->device);
		properties[4] = DEVICES_END;
	}
	if (!*semaphore) {
		*semaphore = call->c->signaler.create(context, properties, &code);
		r = oclmm_cl_made(call->error, "clCreateSemaphoreWithPropertiesKHR", *semaphore,
		                  code);
	}
	*ret_semaphore = *semaphore;
	return r;
}

static int use_semaphores(const struct call *call)
{
	const struct signaler *signaler = &call->c->signaler;
	bool waits = call->command->kind == OCLMM_COMMAND_WAIT;
	void *semaphores[OCLMM_SEMAPHORES_MOST];
	cl_uint count = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < OCLMM_SEMAPHORES_MOST; i++) {
		if (call->command->semaphores >> i & 1)
			r = get_semaphore(call, i, &semaphores[count++]);
	}
	if (r < 0)
		return r;
	return oclmm_cl_check(call->error,
	                      waits ? "clEnqueueWaitSemaphoresKHR" : "clEnqueueSignalSemaphoresKHR",
	                      (waits ? signaler->wait : signaler->signal)(call->queue, count,
	                                                                  semaphores, NULL,
	                                                                  call->wait_count,
	                                                                  list(call), call->event));
}

/* When all that uses them has ended. */
static void drop_semaphores(const struct commands *c, struct round *round)
{
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++) {
		if (round->semaphore[i])
			c->signaler.release(round->semaphore[i]);
		round->semaphore[i] = NULL;
	}
}

/* ---- external memory ---- */

static int hand_over(const struct call *call)
{
	bool acquires = call->command->kind == OCLMM_COMMAND_ACQUIRE;
	const struct importer *importer = &call->c->importer;
	cl_mem objects[OCLMM_COMMAND_OBJECTS_MOST];
	cl_uint count = 0;

	for (; count < call->thread->parameter_count; count++) {
		struct cells *cells =
			&call->round->object[call->thread->parameters[count].location];

		objects[count] = cells->buffer;
		cells->acquired = acquires;
	}
	return oclmm_cl_check(call->error,
	                      acquires ? "clEnqueueAcquireExternalMemObjectsKHR"
	                               : "clEnqueueReleaseExternalMemObjectsKHR",
	                      (acquires ? importer->acquire : importer->release)(
				      call->queue, count, objects, call->wait_count, list(call),
				      call->event));
}

/* What a round leaves acquired, when all of it has ended. */
static int release_all(struct commands *c, uint32_t rounds, struct oclmm_error *error)
{
	bool any = false;
	int r = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		for (uint32_t k = 0; r == 0 && k < c->program->location_count; k++) {
			struct cells *cells = &c->rounds[i].object[k];

			if (!cells->acquired)
				continue;
			any = true;
			cells->acquired = false;
			r = hand_over_cells(c, cells, false, error);
		}
	}
	return r == 0 && any ? settle(oclmm_device_queue(c->device), error) : r;
}

/* ---- command buffers ---- */

/* The queues that a command buffer is recorded for, in the order of its commands. */
static cl_uint queues_of(const struct call *call, cl_command_queue *ret_queues)
{
	const struct oclmm_program *program = call->c->program;
	cl_uint count = 0;

	for (uint32_t i = 0, had = 0; i < program->thread_count; i++) {
		const struct oclmm_command *command = &program->threads[i].placement.command;

		if (command->recording != call->command->recording ||
		    !oclmm_command_is_recorded(command) || had >> command->queue & 1)
			continue;
		had |= 1u << command->queue;
		ret_queues[count++] = queue_of(call->c, command);
	}
	return count;
}

/* The queue by which a command is recorded: it is given where there are several. */
static cl_command_queue recorded_by(const struct call *call)
{
	return oclmm_command_several_queues(call->c->program, call->command->recording)
	               ? call->queue
	               : NULL;
}

/* The command buffer that a command is recorded in, which the first of them begins. */
static int get_recording(const struct call *call, void **ret_buffer)
{
	/* CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
	 * CL_COMMAND_BUFFER_MUTABLE_KHR */
	enum { FLAGS = 0x1293, SIMULTANEOUS_USE = 1, MUTABLE = 2 };
	const cl_ulong flags = (call->c->replays_at_once ? SIMULTANEOUS_USE : 0) |
	                       (call->c->changes ? MUTABLE : 0);
	const cl_ulong properties[] = {FLAGS, flags, 0};
	uint32_t number = call->command->recording - 1;
	cl_command_queue queues[OCLMM_QUEUES_MOST];
	void **buffer = &call->round->recording[number];
	cl_int code = CL_SUCCESS;
	int r = 0;

	if (!*buffer) {
		*buffer = call->c->recorder.create(queues_of(call, queues), queues,
		                                   flags ? properties : NULL, &code);
		r = oclmm_cl_made(call->error, "clCreateCommandBufferKHR", *buffer, code);
		call->round->recorded_for[number] = call->queue;
		call->round->finalized[number] = false;
	}
	*ret_buffer = *buffer;
	return r;
}

/* The parameters of a kernel's launch; local: 0 where the driver chooses it. */
struct launch {
	size_t offset, global, local;
};

/* Of work-groups in which a kernel reaches its cells; in ones of half that size it does not. */
static size_t group_of(const struct commands *c)
{
	return part_of(c->shape.cells);
}

/* Work-items before those that reach cells, of a kernel whose size is changed: all that a launch
 * has which is too small. */
static uint32_t unused_cells(const struct commands *c, unsigned changes)
{
	return changes & OCLMM_LAUNCH_SIZE ? c->shape.cells : 0;
}

/* \param changes what runs of the command change of their launch, set of OCLMM_LAUNCH_* */
static struct launch launch_of(const struct commands *c, unsigned changes,
                               const struct oclmm_command *command)
{
	size_t cells = c->shape.cells, unused = unused_cells(c, changes);
	bool behind = command->misses & OCLMM_LAUNCH_OFFSET;
	bool small = command->misses & OCLMM_LAUNCH_SIZE;
	bool halves = command->misses & OCLMM_LAUNCH_LOCAL;

	return (struct launch){
		.offset = c->shape.offset + (behind ? unused + cells : 0),
		.global = small ? unused : unused + cells,
		.local = changes & OCLMM_LAUNCH_LOCAL ? group_of(c) >> halves : 0,
	};
}

static const cl_uint *sync_list(const struct call *call)
{
	return call->sync_count ? call->sync_points : NULL;
}

static int record_kernel(const struct call *call, cl_kernel own, const struct launch *launch)
{
	enum { UPDATABLE_FIELDS = 0x12B1 /* CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR */ };
	const cl_ulong changes = call->c->changes, updatable[] = {UPDATABLE_FIELDS, changes, 0};
	struct turn *turn = &call->round->turn[call->number];
	void *buffer;
	int r = get_recording(call, &buffer);

	return r < 0 ? r
	             : oclmm_cl_check(call->error, "clCommandNDRangeKernelKHR",
	                              call->c->recorder.kernel(
					      buffer, recorded_by(call), changes ? updatable : NULL,
					      own, 1, &launch->offset, &launch->global,
					      launch->local ? &launch->local : NULL,
					      call->sync_count, sync_list(call), &turn->sync_point,
					      changes ? &turn->handle : NULL));
}

static int record_barrier(const struct call *call)
{
	void *buffer;
	int r = get_recording(call, &buffer);

	return r < 0 ? r
	             : oclmm_cl_check(call->error, "clCommandBarrierWithWaitListKHR",
	                              call->c->recorder.barrier(
					      buffer, recorded_by(call), call->sync_count,
					      sync_list(call),
					      &call->round->turn[call->number].sync_point, NULL));
}

static int record_fill(const struct call *call)
{
	uint32_t value = value_of_fill(call);
	void *buffer;
	int r = get_recording(call, &buffer);

	return r < 0 ? r
	             : oclmm_cl_check(call->error, "clCommandFillBufferKHR",
	                              call->c->recorder.fill(
					      buffer, recorded_by(call),
					      buffer_of(target(call), call->command), &value,
					      sizeof(value), origin_of(target(call), call->command),
					      bytes_of(call->c), call->sync_count, sync_list(call),
					      &call->round->turn[call->number].sync_point, NULL));
}

static int record_copy(const struct call *call)
{
	void *buffer;
	int r = get_recording(call, &buffer);

	return r < 0 ? r
	             : oclmm_cl_check(call->error, "clCommandCopyBufferKHR",
	                              call->c->recorder.copy(
					      buffer, recorded_by(call),
					      buffer_of(origin(call), call->command),
					      buffer_of(target(call), call->command),
					      origin_of(origin(call), call->command),
					      origin_of(target(call), call->command),
					      bytes_of(call->c), call->sync_count, sync_list(call),
					      &call->round->turn[call->number].sync_point, NULL));
}

/* In the queue that it was recorded for, or in another one like that. */
static int replay(const struct call *call)
{
	const struct recorder *recorder = &call->c->recorder;
	uint32_t number = call->command->recording - 1;
	bool elsewhere = call->queue != call->round->recorded_for[number];
	cl_command_queue queue = call->queue;
	void *buffer;
	int r = get_recording(call, &buffer);

	if (r == 0 && !call->round->finalized[number])
		r = oclmm_cl_check(call->error, "clFinalizeCommandBufferKHR",
		                   recorder->finalize(buffer));
	call->round->finalized[number] = r == 0;
	return r < 0 ? r
	             : oclmm_cl_check(call->error, "clEnqueueCommandBufferKHR",
	                              recorder->enqueue(elsewhere, elsewhere ? &queue : NULL,
	                                                buffer, call->wait_count, list(call),
	                                                call->event));
}

/* The objects that a kernel has when it is played again, and its launch; what the harness gave it
 * stays. */
static int change_kernel(const struct call *call)
{
	struct round *round = call->round;
	uint32_t recorded = call->command->again - 1;
	const unsigned fields = oclmm_command_launches(call->c->program, recorded);
	const struct launch launch = launch_of(call->c, fields, call->command);
	struct changed_argument arguments[OCLMM_COMMAND_OBJECTS_MOST];
	cl_mem buffers[OCLMM_COMMAND_OBJECTS_MOST];
	struct changed_kernel kernel = {
		.command = round->turn[recorded].handle,
		.dimensions = fields ? 1 : 0,
		.offset = fields & OCLMM_LAUNCH_OFFSET ? &launch.offset : NULL,
		.global = fields & OCLMM_LAUNCH_SIZE ? &launch.global : NULL,
		.local = fields & OCLMM_LAUNCH_LOCAL ? &launch.local : NULL,
	};
	const cl_uint kind = 0; /* CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR */
	const void *changes = &kernel;

	for (cl_uint i = 0;
	     call->c->changes & CHANGED_ARGUMENTS && i < call->thread->parameter_count; i++) {
		const struct cells *cells = &round->object[call->thread->parameters[i].location];

		if (cells->svm)
			continue;
		buffers[i] = argument_of(cells, call->command);
		arguments[kernel.arguments++] = (struct changed_argument){i, sizeof(cl_mem),
		                                                          &buffers[i]};
	}
	if (kernel.arguments > 0)
		kernel.argument = arguments;
	else if (!fields)
		return 0;
	return oclmm_cl_check(
		call->error, "clUpdateMutableCommandsKHR",
		call->c->recorder.update(round->recording[call->command->recording - 1], 1, &kind,
	                                 &changes));
}

/* What a later replay plays is recorded; of a kernel it is one more run. */
static int play_again(const struct call *call)
{
	if (call->command->kind != OCLMM_COMMAND_KERNEL)
		return 0;
	call->round->wanted[call->command->again - 1]++;
	return call->c->changes ? change_kernel(call) : 0;
}

/* When what was enqueued of them has ended. */
static void drop_recordings(const struct commands *c, struct round *round)
{
	for (uint32_t i = 0; i < OCLMM_RECORDINGS_MOST; i++) {
		if (round->recording[i])
			c->recorder.release(round->recording[i]);
		round->recording[i] = NULL;
	}
}

/* ---- the calls that enqueue commands ---- */

static int set_object(const struct call *call, cl_kernel own, cl_uint index,
                      const struct cells *cells)
{
	if (call->command->indirect && cells->svm)
		return OCLMM_CL_CALL(call->error, clSetKernelArgSVMPointer, own, index,
		                     cells->pointer);
	if (!call->command->address)
		return set_cells_argument(own, index, cells, call->command, call->error);
	return oclmm_cl_check(call->error, "clSetKernelArgDevicePointerEXT",
	                      call->c->set_address(own, index, cells->address));
}

/* Which memory the kernel reaches by pointers that it finds: what clSVMAlloc gave is listed, and
 * that it is the system's is said (A:5.9.2). */
static int set_reached(const struct call *call, cl_kernel own)
{
	void *listed[OCLMM_COMMAND_OBJECTS_MOST];
	const cl_bool yes = CL_TRUE;
	bool system = false;
	size_t count = 0;
	int r = 0;

	for (uint32_t i = 0; i < call->thread->parameter_count; i++) {
		const struct cells *cells =
			&call->round->object[call->thread->parameters[i].location];

		if (cells->svm && cells->storage == OCLMM_STORAGE_SVM_SYSTEM)
			system = true;
		else if (cells->svm)
			listed[count++] = cells->svm;
	}
	if (count > 0)
		r = OCLMM_CL_CALL(call->error, clSetKernelExecInfo, own,
		                  CL_KERNEL_EXEC_INFO_SVM_PTRS, count * sizeof(*listed), listed);
	if (r == 0 && system)
		r = OCLMM_CL_CALL(call->error, clSetKernelExecInfo, own,
		                  CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes);
	return r;
}

static int kernel(const struct call *call)
{
	static const struct oclmm_command itself = {.kind = OCLMM_COMMAND_KERNEL};
	struct commands *c = call->c;
	cl_kernel own = c->kernel[call->number];
	unsigned changes = oclmm_command_launches(c->program, call->number);
	const struct launch launch = launch_of(c, changes, call->command);
	cl_uint index = 0, base = call->round->base ^ c->mark;
	cl_uint first = c->shape.offset + unused_cells(c, changes), group = (cl_uint)group_of(c);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < call->thread->parameter_count; i++)
		r = set_object(call, own, index++,
		               &call->round->object[call->thread->parameters[i].location]);
	if (r == 0 && call->command->indirect)
		r = set_reached(call, own);
	for (uint32_t i = 0; r == 0 && i < call->thread->register_count; i++)
		r = set_cells_argument(own, index++,
		                       &call->round->reg[c->first_register[call->number] + i],
		                       &itself, call->error);
	if (r == 0)
		r = oclmm_argument_set(own, index++, sizeof(base), &base, call->error);
	if (r == 0)
		r = oclmm_argument_set(own, index++, sizeof(first), &first, call->error);
	if (r == 0)
		r = oclmm_argument_set(own, index++, sizeof(cl_mem),
		                       &call->round->ran[call->number], call->error);
	if (r == 0 && changes)
		r = oclmm_argument_set(own, index++, sizeof(cl_uint), &c->shape.cells, call->error);
	if (r == 0 && changes)
		r = oclmm_argument_set(own, index, sizeof(group), &group, call->error);
	if (r < 0)
		return r;
	call->round->wanted[call->number]++;
	if (call->command->recording)
		return record_kernel(call, own, &launch);
	return OCLMM_CL_CALL(call->error, clEnqueueNDRangeKernel, call->queue, own, 1,
	                     &launch.offset, &launch.global, NULL, call->wait_count, list(call),
	                     call->event);
}

static int fill(const struct call *call)
{
	uint32_t value = value_of_fill(call);

	if (call->command->recording)
		return record_fill(call);
	if (pointer_of(target(call), call->command))
		return svm_fill(call);
	return OCLMM_CL_CALL(call->error, clEnqueueFillBuffer, call->queue,
	                     buffer_of(target(call), call->command), &value, sizeof(value),
	                     origin_of(target(call), call->command), bytes_of(call->c),
	                     call->wait_count, list(call), call->event);
}

/* Of rectangles: the left and the right half of the box are a call each. So rows and slices have
 * pitches, and the right half begins within a row. */

/* What of an object one of the calls uses. `offset`: bytes before the first cell. */
struct rect {
	size_t origin[3], row, slice;
};

static struct rect rect_of(const struct box *box, size_t offset, size_t first)
{
	struct rect rect = {.row = box->width * sizeof(uint32_t)};

	rect.slice = rect.row * box->rows;
	rect.origin[2] = offset / rect.slice;
	rect.origin[1] = offset % rect.slice / rect.row;
	rect.origin[0] = offset % rect.row + first * sizeof(uint32_t);
	return rect;
}

/* Cells `first` and behind of each row; `event` may be NULL. */
static int transfer_half(const struct call *call, const struct box *box, size_t first, size_t width,
                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	const struct oclmm_command *command = call->command;
	const size_t region[] = {width * sizeof(uint32_t), box->rows, box->slices};
	const cl_event *waited = wait_count ? waits : NULL;
	struct cells *from = origin(call), *to = target(call);
	struct rect in = rect_of(box, from->buffer ? origin_of(from, command) : 0, first);
	struct rect out = rect_of(box, to->buffer ? origin_of(to, command) : 0, first);

	if (command->kind == OCLMM_COMMAND_WRITE)
		return OCLMM_CL_CALL(call->error, clEnqueueWriteBufferRect, call->queue,
		                     buffer_of(to, command), command->blocking, out.origin,
		                     in.origin, region, out.row, out.slice, in.row, in.slice,
		                     from->host, wait_count, waited, event);
	if (command->kind == OCLMM_COMMAND_READ)
		return OCLMM_CL_CALL(call->error, clEnqueueReadBufferRect, call->queue,
		                     buffer_of(from, command), command->blocking, in.origin,
		                     out.origin, region, in.row, in.slice, out.row, out.slice,
		                     to->host, wait_count, waited, event);
	return OCLMM_CL_CALL(call->error, clEnqueueCopyBufferRect, call->queue,
	                     buffer_of(from, command), buffer_of(to, command), in.origin,
	                     out.origin, region, in.row, in.slice, out.row, out.slice, wait_count,
	                     waited, event);
}

/* The right half waits for the left one, whose event is part of its list then: its own is that of
 * both. */
static int transfer_rect(const struct call *call)
{
	struct box box = box_of(call->c->shape.cells);
	size_t half = box.width / 2;
	cl_event waits[OCLMM_MAX_THREADS + 2], left;
	int r;

	if (half == 0)
		return transfer_half(call, &box, 0, box.width, call->wait_count, call->waits,
		                     call->event);
	r = transfer_half(call, &box, 0, half, call->wait_count, call->waits, &left);
	if (r < 0)
		return r;
	memcpy(waits, call->waits, call->wait_count * sizeof(*waits));
	waits[call->wait_count] = left;
	r = transfer_half(call, &box, half, half, call->wait_count + 1, waits, call->event);
	clReleaseEvent(left);
	return r;
}

static bool is_image(const struct cells *cells)
{
	return cells->storage == OCLMM_STORAGE_IMAGE_2D;
}

static int write_image(const struct call *call)
{
	struct area area = area_of(call->c);

	return OCLMM_CL_CALL(call->error, clEnqueueWriteImage, call->queue, target(call)->buffer,
	                     call->command->blocking, area.origin, area.region, 0, 0,
	                     origin(call)->host, call->wait_count, list(call), call->event);
}

static int read_image(const struct call *call)
{
	struct area area = area_of(call->c);

	return OCLMM_CL_CALL(call->error, clEnqueueReadImage, call->queue, origin(call)->buffer,
	                     call->command->blocking, area.origin, area.region, 0, 0,
	                     target(call)->host, call->wait_count, list(call), call->event);
}

/* From an image to another, to a buffer, or from a buffer. */
static int copy_image(const struct call *call)
{
	struct cells *from = origin(call), *to = target(call);
	struct area area = area_of(call->c);

	if (!is_image(to))
		return OCLMM_CL_CALL(call->error, clEnqueueCopyImageToBuffer, call->queue,
		                     from->buffer, to->buffer, area.origin, area.region,
		                     origin_of(to, call->command), call->wait_count, list(call),
		                     call->event);
	if (!is_image(from))
		return OCLMM_CL_CALL(call->error, clEnqueueCopyBufferToImage, call->queue,
		                     from->buffer, to->buffer, origin_of(from, call->command),
		                     area.origin, area.region, call->wait_count, list(call),
		                     call->event);
	return OCLMM_CL_CALL(call->error, clEnqueueCopyImage, call->queue, from->buffer, to->buffer,
	                     area.origin, area.origin, area.region, call->wait_count, list(call),
	                     call->event);
}

static int write(const struct call *call)
{
	if (is_image(target(call)))
		return write_image(call);
	if (call->command->rect)
		return transfer_rect(call);
	if (pointer_of(target(call), call->command))
		return svm_copy(call);
	return OCLMM_CL_CALL(call->error, clEnqueueWriteBuffer, call->queue,
	                     buffer_of(target(call), call->command), call->command->blocking,
	                     origin_of(target(call), call->command), bytes_of(call->c),
	                     origin(call)->host, call->wait_count, list(call), call->event);
}

static int read(const struct call *call)
{
	if (is_image(origin(call)))
		return read_image(call);
	if (call->command->rect)
		return transfer_rect(call);
	if (pointer_of(origin(call), call->command))
		return svm_copy(call);
	return OCLMM_CL_CALL(call->error, clEnqueueReadBuffer, call->queue,
	                     buffer_of(origin(call), call->command), call->command->blocking,
	                     origin_of(origin(call), call->command), bytes_of(call->c),
	                     target(call)->host, call->wait_count, list(call), call->event);
}

static int copy(const struct call *call)
{
	if (call->command->recording)
		return record_copy(call);
	if (is_image(target(call)) || is_image(origin(call)))
		return copy_image(call);
	if (call->command->rect)
		return transfer_rect(call);
	if (pointer_of(target(call), call->command))
		return svm_copy(call);
	return OCLMM_CL_CALL(call->error, clEnqueueCopyBuffer, call->queue,
	                     buffer_of(origin(call), call->command),
	                     buffer_of(target(call), call->command),
	                     origin_of(origin(call), call->command),
	                     origin_of(target(call), call->command), bytes_of(call->c),
	                     call->wait_count, list(call), call->event);
}

static int map_buffer(const struct call *call)
{
	cl_int code;
	void *memory = clEnqueueMapBuffer(call->queue, buffer_of(whole(call), call->command),
	                                  call->command->blocking, flags_of(call->command),
	                                  origin_of(whole(call), call->command), bytes_of(call->c),
	                                  call->wait_count, list(call), call->event, &code);
	int r = oclmm_cl_made(call->error, "clEnqueueMapBuffer", memory, code);

	if (r == 0)
		whole(call)->map = memory;
	return r;
}

static int map(const struct call *call)
{
	struct cells *cells = whole(call);
	int r;

	/* the host's use waits for it */
	if (!call->event)
		return oclmm_error_set(call->error, -EINVAL, "nobody asks for the event of a map");
	r = pointer_of(cells, call->command) ? svm_map(call) : map_buffer(call);
	if (r == 0)
		r = OCLMM_CL_CALL(call->error, clRetainEvent, *call->event);
	if (r < 0) {
		cells->map = NULL;
		return r;
	}
	cells->mapped = *call->event;
	cells->map_queue = call->queue;
	cells->map_buffer = pointer_of(cells, call->command) ? NULL
	                                                     : buffer_of(cells, call->command);
	return 0;
}

static int unmap_cells(cl_command_queue queue, struct cells *cells, const cl_event *waits,
                       cl_uint count, cl_event *event, struct oclmm_error *error)
{
	uint32_t *mapped = cells->map;

	cells->map = NULL;
	clReleaseEvent(cells->mapped);
	cells->mapped = NULL;
	if (!cells->map_buffer)
		return svm_unmap(queue, cells, waits, count, event, error);
	return OCLMM_CL_CALL(error, clEnqueueUnmapMemObject, queue, cells->map_buffer, mapped,
	                     count, waits, event);
}

static int unmap(const struct call *call)
{
	return unmap_cells(call->queue, whole(call), list(call), call->wait_count, call->event,
	                   call->error);
}

static int migrate(const struct call *call)
{
	cl_mem objects[OCLMM_COMMAND_OBJECTS_MOST];
	cl_uint count = 0;

	for (; count < call->thread->parameter_count; count++)
		objects[count] =
			buffer_of(&call->round->object[call->thread->parameters[count].location],
		                  call->command);
	return OCLMM_CL_CALL(call->error, clEnqueueMigrateMemObjects, call->queue, count, objects,
	                     0, call->wait_count, list(call), call->event);
}

static int marker(const struct call *call)
{
	return OCLMM_CL_CALL(call->error, clEnqueueMarkerWithWaitList, call->queue,
	                     call->wait_count, list(call), call->event);
}

static int barrier(const struct call *call)
{
	if (call->command->recording)
		return record_barrier(call);
	return OCLMM_CL_CALL(call->error, clEnqueueBarrierWithWaitList, call->queue,
	                     call->wait_count, list(call), call->event);
}

static int make_call(const struct call *call)
{
	switch (call->command->kind) {
	case OCLMM_COMMAND_KERNEL: return kernel(call);
	case OCLMM_COMMAND_FILL: return fill(call);
	case OCLMM_COMMAND_WRITE: return write(call);
	case OCLMM_COMMAND_READ: return read(call);
	case OCLMM_COMMAND_COPY: return copy(call);
	case OCLMM_COMMAND_MAP: return map(call);
	case OCLMM_COMMAND_UNMAP: return unmap(call);
	case OCLMM_COMMAND_MIGRATE: return migrate(call);
	case OCLMM_COMMAND_MARKER: return marker(call);
	case OCLMM_COMMAND_BARRIER: return barrier(call);
	case OCLMM_COMMAND_REPLAY: return replay(call);
	case OCLMM_COMMAND_SIGNAL:
	case OCLMM_COMMAND_WAIT: return use_semaphores(call);
	case OCLMM_COMMAND_ACQUIRE:
	case OCLMM_COMMAND_RELEASE: return hand_over(call);
	default: return 0;
	}
}

/* The first thread that has a queue, or their number. */
static uint32_t first_queued(const struct commands *c)
{
	uint32_t i = 0;

	while (i < c->program->thread_count && (!oclmm_command_is_queued(command_of(c, i)->kind) ||
	                                        oclmm_command_is_recorded(command_of(c, i))))
		i++;
	return i;
}

static int lag(struct commands *c, struct oclmm_error *error)
{
	uint32_t thread = first_queued(c);
	const struct oclmm_command *first = &c->program->threads[thread].placement.command;
	const size_t one = 1;
	int r;

	if (thread == c->program->thread_count || c->draw.lag == 0)
		return 0;
	r = oclmm_argument_set(c->lag, 0, sizeof(cl_mem), &c->lag_end, error);
	if (r == 0)
		r = oclmm_argument_set(c->lag, 1, sizeof(cl_uint), &c->draw.lag, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(queue_of(c, first), c->lag, 1, &one, NULL,
		                         first->unordered ? &c->lagging : NULL, error);
	return r < 0 ? r : OCLMM_CL_CALL(error, clFlush, queue_of(c, first));
}

static int enqueue(struct commands *c, struct round *round, uint32_t thread,
                   struct oclmm_error *error)
{
	struct call call = {
		.c = c,
		.round = round,
		.number = thread,
		.thread = &c->program->threads[thread],
		.command = command_of(c, thread),
		.event = c->asked >> thread & 1 ? &round->turn[thread].event : NULL,
		.error = error,
	};
	int r;

	call.queue = queue_of(c, call.command);
	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (call.command->waits >> i & 1)
			call.waits[call.wait_count++] = round->turn[i].event;
		if (call.command->after >> i & 1)
			call.sync_points[call.sync_count++] = round->turn[i].sync_point;
	}
	/* where order is free, nothing else holds it up */
	if (c->lagging && thread == first_queued(c))
		call.waits[call.wait_count++] = c->lagging;
	r = call.command->again ? play_again(&call) : make_call(&call);
	if (r == 0 && c->leaving >> thread & 1 && call.command->kind == OCLMM_COMMAND_REPLAY) {
		cl_command_queue queues[OCLMM_QUEUES_MOST];
		cl_uint count = queues_of(&call, queues);

		/* of several, each has a part of it */
		for (cl_uint i = 0; r == 0 && count > 1 && i < count; i++)
			r = OCLMM_CL_CALL(error, clFlush, queues[i]);
	}
	if (r == 0 && c->leaving >> thread & 1)
		r = OCLMM_CL_CALL(error, clFlush, call.queue);
	return r;
}

static int unmap_all(struct commands *c, struct round *round, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < c->program->location_count; i++) {
		struct cells *cells = &round->object[i];
		cl_event mapped = cells->mapped;

		if (!cells->map)
			continue;
		/* the host may have used it without waiting; to give it back it waits */
		r = OCLMM_CL_CALL(error, clWaitForEvents, 1, &mapped);
		if (r == 0)
			r = unmap_cells(cells->map_queue, cells, NULL, 0, NULL, error);
	}
	return r;
}

/* ---- what the host does between its calls ---- */

/* It waits for nothing without a bound of its own, but where the function itself waits. */

/* Seconds in which a callback comes, and a status changes: far beyond what a launch takes. */
static const double PATIENCE = 5;
/* What has not come within these is late, and may need the processor that the host looks with. */
static const double LATE = 0.05;

static void CL_CALLBACK note_call(cl_event event, cl_int status, void *data)
{
	struct turn *turn = data;

	(void)event;
	(void)status;
	atomic_store_explicit(&turn->called, true, memory_order_release);
}

static int ask_call(struct round *round, uint32_t thread, struct oclmm_error *error)
{
	struct turn *turn = &round->turn[thread];

	return OCLMM_CL_CALL(error, clSetEventCallback, turn->event, CL_COMPLETE, note_call, turn);
}

/* ---- waiting ---- */

static int has_come(struct turn *turn, bool by_call, bool *ret_come, struct oclmm_error *error)
{
	cl_int status = CL_QUEUED, code;

	if (by_call) {
		*ret_come = atomic_load_explicit(&turn->called, memory_order_acquire);
		return 0;
	}
	code = clGetEventInfo(turn->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
	                      &status, NULL);
	*ret_come = status == CL_COMPLETE;
	if (code == CL_SUCCESS && status < 0)
		return oclmm_cl_check(error, "a command", status);
	return oclmm_cl_check(error, "clGetEventInfo", code);
}

static int await(const struct commands *c, struct round *round, uint32_t thread, bool by_call,
                 struct oclmm_error *error)
{
	const struct timespec a_moment = {.tv_nsec = 500000};
	double begun = oclmm_clock();
	bool come = false;
	int r = has_come(&round->turn[thread], by_call, &come, error);

	while (r == 0 && !come) {
		double waited = oclmm_clock() - begun;

		if (waited > PATIENCE)
			return oclmm_error_set(error, -ERANGE,
			                       by_call ? "the callback of P%u did not come"
			                               : "P%u did not become complete",
			                       c->program->threads[thread].id);
		if (waited > LATE)
			nanosleep(&a_moment, NULL);
		else
			sched_yield();
		r = has_come(&round->turn[thread], by_call, &come, error);
	}
	return r;
}

/* The queues of a set, by way of a command in each. */
static int for_queues(const struct commands *c, uint32_t set, bool finish,
                      struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(c, i);
		cl_command_queue queue;

		if (!oclmm_command_is_queued(command->kind) || !(set >> command->queue & 1))
			continue;
		set &= ~(1u << command->queue);
		queue = queue_of(c, command);
		r = finish ? OCLMM_CL_CALL(error, clFinish, queue)
		           : OCLMM_CL_CALL(error, clFlush, queue);
	}
	return r;
}

/* Whether the host sets a user event later: a device that keeps back what need not wait for it
 * (A:3.2) would then never end a call that waits. */
static bool sets_later(const struct commands *c, uint32_t thread)
{
	for (uint32_t i = thread + 1; i < c->program->thread_count; i++)
		if (command_of(c, i)->kind == OCLMM_COMMAND_USER)
			return true;
	return false;
}

/* How far the commands of a set have come: a digit each; and one that has not ended. */
struct standing {
	uint32_t digits, open;
	bool runs;
};

static int find_standing(struct round *round, uint32_t set, struct standing *ret_standing,
                         struct oclmm_error *error)
{
	*ret_standing = (struct standing){.open = UINT32_MAX};
	for (uint32_t i = 0; i < OCLMM_MAX_THREADS; i++) {
		cl_int status = CL_QUEUED;
		int r;

		if (!(set >> i & 1))
			continue;
		r = OCLMM_CL_CALL(error, clGetEventInfo, round->turn[i].event,
		                  CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
		if (r == 0 && status < 0)
			r = oclmm_cl_check(error, "a command", status);
		if (r < 0)
			return r;
		ret_standing->digits = ret_standing->digits * 4 + (uint32_t)status;
		ret_standing->runs |= status == CL_RUNNING;
		if (status != CL_COMPLETE && ret_standing->open == UINT32_MAX)
			ret_standing->open = i;
	}
	return 0;
}

/* Seconds without a sign of what is waited for, and kernels of our own that a GPU ended in them: it
 * is not busy, it keeps something back. Of a CPU that says little: one of its threads may be held
 * up while another one plays them. */
static const double KEPT_BACK = 1;
enum { PROBES = 3 };

struct probing {
	cl_event pending; /* NULL: none is under way */
	uint32_t ended;
};

static bool can_probe(const struct commands *c)
{
	/* of several devices another one may have the time */
	return c->devices <= 1 && (oclmm_device_info(c->device)->type & CL_DEVICE_TYPE_GPU) != 0;
}

/* A kernel that takes no time, in a queue that no command of the program is in. */
static int enqueue_probe(const struct commands *c, cl_event *ret_probe, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(c->device);
	const cl_uint turns = 0;
	const size_t one = 1;
	int r = oclmm_argument_set(c->lag, 0, sizeof(cl_mem), &c->lag_end, error);

	if (r == 0)
		r = oclmm_argument_set(c->lag, 1, sizeof(turns), &turns, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(queue, c->lag, 1, &one, NULL, ret_probe, error);
	return r < 0 ? r : OCLMM_CL_CALL(error, clFlush, queue);
}

static int probe(const struct commands *c, struct probing *probing, struct oclmm_error *error)
{
	cl_int status = CL_QUEUED;
	int r;

	if (!probing->pending)
		return enqueue_probe(c, &probing->pending, error);
	r = OCLMM_CL_CALL(error, clGetEventInfo, probing->pending,
	                  CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
	if (r == 0 && status < 0)
		r = oclmm_cl_check(error, "a kernel of our own", status);
	if (r < 0 || status != CL_COMPLETE)
		return r;
	clReleaseEvent(probing->pending);
	probing->pending = NULL;
	probing->ended++;
	return 0;
}

static int watch(const struct commands *c, struct round *round, uint32_t set,
                 struct probing *probing, struct oclmm_error *error)
{
	const struct timespec a_moment = {.tv_nsec = 500000};
	double since = oclmm_clock(), waited = 0;
	struct standing now, before = {0};
	int r = find_standing(round, set, &before, error);

	now = before;
	while (r == 0 && now.open != UINT32_MAX) {
		if (now.runs || now.digits != before.digits) {
			since = oclmm_clock();
			probing->ended = 0;
		}
		waited = oclmm_clock() - since;
		if (waited > PATIENCE || (waited > KEPT_BACK && probing->ended >= PROBES))
			return oclmm_error_set(
				error, -ERANGE,
				"P%u does not begin, though nothing that it waits for is "
				"missing%s: the device stalls (A:3.2)",
				c->program->threads[now.open].id,
				probing->ended >= PROBES ? " and others end" : "");
		/* only in the second half: what is not kept back has begun before that */
		if (waited > KEPT_BACK / 2 && can_probe(c))
			r = probe(c, probing, error);
		before = now;
		nanosleep(&a_moment, NULL);
		if (r == 0)
			r = find_standing(round, set, &now, error);
	}
	return r;
}

/*
 * Waits before the call that waits, where that might never return. A device that is slow has a
 * command that runs, or begins one now and then, and the run's time limit is for it. One that
 * stalls has none of its own that runs, and begins none though nothing holds it up.
 */
static int see_it_begin(const struct commands *c, struct round *round, uint32_t set,
                        struct oclmm_error *error)
{
	struct probing probing = {0};
	uint32_t queues = 0;
	int r;

	for (uint32_t i = 0; i < c->program->thread_count; i++)
		if (set >> i & 1 && oclmm_command_is_queued(command_of(c, i)->kind))
			queues |= 1u << command_of(c, i)->queue;
	r = for_queues(c, queues, false, error);
	if (r == 0)
		r = watch(c, round, set, &probing, error);
	if (probing.pending)
		clReleaseEvent(probing.pending);
	return r;
}

static int wait_for_events(const struct commands *c, struct round *round, uint32_t set,
                           struct oclmm_error *error)
{
	cl_event events[OCLMM_MAX_THREADS];
	cl_uint count = 0;

	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (set >> i & 1)
			events[count++] = round->turn[i].event;
	}
	if (count == 0)
		return 0;
	return OCLMM_CL_CALL(error, clWaitForEvents, count, events);
}

/* ---- its own work ---- */

static uint32_t *place(const struct commands *c, struct round *round, uint32_t thread,
                       const struct oclmm_statement *s)
{
	if (s->kind == OCLMM_STATEMENT_STORE)
		return memory_of(&round->object[s->store.place.location]);
	return round->reg[c->first_register[thread] + s->assign.reg].host;
}

/* The second context acquires the memory, uses it and releases it, and all that has ended. */
static int in_second_context(const struct commands *c, const struct cells *cells, bool writes,
                             struct oclmm_error *error)
{
	const struct importer *importer = &c->importer;
	cl_command_queue queue = importer->queue;
	int r = oclmm_cl_check(error, "clEnqueueAcquireExternalMemObjectsKHR",
	                       importer->acquire(queue, 1, &cells->elsewhere, 0, NULL, NULL));

	if (r == 0 && writes)
		r = OCLMM_CL_CALL(error, clEnqueueWriteBuffer, queue, cells->elsewhere, CL_TRUE, 0,
		                  bytes_of(c), cells->host, 0, NULL, NULL);
	else if (r == 0)
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, queue, cells->elsewhere, CL_TRUE, 0,
		                  bytes_of(c), cells->host, 0, NULL, NULL);
	if (r == 0)
		r = oclmm_cl_check(error, "clEnqueueReleaseExternalMemObjectsKHR",
		                   importer->release(queue, 1, &cells->elsewhere, 0, NULL, NULL));
	return r < 0 ? r : OCLMM_CL_CALL(error, clFinish, queue);
}

/* A plain copy for each cell; what another thread of the driver stores meanwhile is read as it
 * comes. Of external memory the other API has a copy. */
static int copy_cells(const struct commands *c, struct round *round, uint32_t thread,
                      const struct oclmm_statement *s, struct oclmm_error *error)
{
	const struct oclmm_expression *value = s->kind == OCLMM_STATEMENT_STORE ? s->store.value
	                                                                        : s->assign.value;
	volatile uint32_t *to = place(c, round, thread, s);
	const volatile uint32_t *from = NULL;
	const struct cells *stored = s->kind == OCLMM_STATEMENT_STORE
	                                     ? &round->object[s->store.place.location]
	                                     : NULL;
	int r = 0;

	if (value->kind == OCLMM_EXPRESSION_REGISTER) {
		from = round->reg[c->first_register[thread] + value->reg].host;
	} else if (value->kind == OCLMM_EXPRESSION_LOAD) {
		struct cells *loaded = &round->object[value->load.location];

		if (loaded->storage == OCLMM_STORAGE_EXTERNAL)
			r = command_of(c, thread)->context
			            ? in_second_context(c, loaded, false, error)
			            : read_outside(c, loaded, error);
		from = shown_by(loaded);
	}
	for (uint32_t i = 0; i < c->shape.cells; i++)
		to[i] = from ? from[i] : round->base + (uint32_t)value->constant;
	if (r == 0 && stored && stored->storage == OCLMM_STORAGE_EXTERNAL)
		r = command_of(c, thread)->context ? in_second_context(c, stored, true, error)
		                                   : write_outside(c, stored, error);
	return r;
}

static int play_host(const struct commands *c, struct round *round, uint32_t thread,
                     struct oclmm_error *error)
{
	const struct oclmm_command *command = command_of(c, thread);
	int r = for_queues(c, command->flushes, false, error);

	if (r == 0 && command->waits && sets_later(c, thread))
		r = see_it_begin(c, round, command->waits, error);
	if (r == 0)
		r = wait_for_events(c, round, command->waits, error);
	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		if (command->callbacks >> i & 1)
			r = await(c, round, i, true, error);
		if (r == 0 && command->polls >> i & 1)
			r = await(c, round, i, false, error);
	}
	if (r == 0)
		r = for_queues(c, command->finishes, true, error);
	for (const struct oclmm_statement *s = c->program->threads[thread].body; r == 0 && s;
	     s = s->next)
		r = copy_cells(c, round, thread, s, error);
	return r;
}

static int play_user(const struct commands *c, struct round *round, uint32_t thread,
                     struct oclmm_error *error)
{
	uint32_t waits = command_of(c, thread)->waits;
	int r = waits ? see_it_begin(c, round, waits, error) : 0;

	if (r == 0)
		r = wait_for_events(c, round, waits, error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clSetUserEventStatus, round->turn[thread].event,
		                  CL_COMPLETE);
	return r;
}

/* ---- a program, and its launches ---- */

/* ---- making ---- */

static int build(struct commands *c, struct oclmm_error *error, char **ret_log, uint64_t *ret_hash)
{
	struct oclmm_text source;
	char name[16];
	int r;

	exchange_generate(EXCHANGE_COMMANDS, &c->program, NULL, 1, NULL, error, &source);
	c->mark = oclmm_kernel_mark(c->program, &(struct oclmm_codegen_options){0});
	*ret_hash = oclmm_hash(oclmm_text_string(&source), strlen(oclmm_text_string(&source)));
	r = oclmm_device_build(c->device, oclmm_text_string(&source), error, ret_log, &c->kernels);
	oclmm_text_finish(&source);
	if (r == 0)
		r = oclmm_kernel_create(c->kernels, "set_cells", error, &c->set);
	if (r == 0)
		r = oclmm_kernel_create(c->kernels, "set_cells", error, &c->set_svm);
	if (r == 0)
		r = oclmm_kernel_create(c->kernels, "lag", error, &c->lag);
	if (r == 0)
		r = oclmm_kernel_create(c->kernels, "gather", error, &c->gather);
	if (r == 0)
		r = oclmm_buffer_create(c->device, sizeof(cl_uint), error, &c->lag_end);
	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		if (command_of(c, i)->kind != OCLMM_COMMAND_KERNEL)
			continue;
		snprintf(name, sizeof(name), "P%u", c->program->threads[i].id);
		r = oclmm_kernel_create(c->kernels, name, error, &c->kernel[i]);
	}
	return r;
}

/* What a thread waits for from outside of a queue, which has to be flushed then (A:5.15). */
static uint32_t outside(const struct commands *c, uint32_t thread)
{
	const struct oclmm_command *command = command_of(c, thread);
	uint32_t set = command->callbacks | command->polls;

	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (oclmm_command_is_queued(command->kind) &&
		    command_of(c, i)->queue != command->queue)
			set |= command->waits & 1u << i;
	}
	/* the text asks for no flush here, and a driver that needs one hurts nobody's data */
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++) {
		if (command->kind == OCLMM_COMMAND_WAIT && command->semaphores >> i & 1)
			set |= 1u << oclmm_command_signal_of(c->program, thread, i);
	}
	return set;
}

static bool is_large(int64_t value)
{
	return value >= NEAR || value <= -NEAR;
}

static bool has_large_values(const struct oclmm_program *program)
{
	bool large = false;

	for (uint32_t i = 0; i < program->location_count; i++)
		large |= is_large(program->locations[i].initial[0]);
	for (uint32_t i = 0; i < program->thread_count; i++) {
		for (const struct oclmm_statement *s = program->threads[i].body; s; s = s->next) {
			const struct oclmm_expression *value = NULL;

			if (s->kind == OCLMM_STATEMENT_STORE)
				value = s->store.value;
			else if (s->kind == OCLMM_STATEMENT_ASSIGN)
				value = s->assign.value;
			large |= value && value->kind == OCLMM_EXPRESSION_CONSTANT &&
			         is_large(value->constant);
		}
	}
	return large;
}

/* Which objects have a buffer over them, and are written by it last as the threads are enqueued. */
static void note_buffers(struct commands *c, uint32_t thread)
{
	const struct oclmm_thread *t = &c->program->threads[thread];

	for (uint32_t i = 0; i < c->program->location_count; i++) {
		bool used = oclmm_command_by_buffer(c->program, thread, i);

		for (uint32_t k = 0; used && k < t->parameter_count; k++)
			if (t->parameters[k].location == i)
				c->over |= UINT64_C(1) << i;
	}
	for (const struct oclmm_statement *s = t->body; s; s = s->next) {
		uint64_t object;

		if (s->kind != OCLMM_STATEMENT_STORE)
			continue;
		object = UINT64_C(1) << s->store.place.location;
		if (oclmm_command_by_buffer(c->program, thread, s->store.place.location))
			c->last_by_buffer |= object;
		else
			c->last_by_buffer &= ~object;
	}
}

/* Registers of all threads stand in one row; events that are not needed are not made. */
static void number(struct commands *c)
{
	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(c, i);

		c->first_register[i] = c->register_count;
		c->register_count += c->program->threads[i].register_count;
		c->asked |= command->waits | command->callbacks | command->polls;
		if (command->kind == OCLMM_COMMAND_MAP)
			c->asked |= 1u << i;
		c->called_back |= command->callbacks;
		if (command->sub > c->sub_count)
			c->sub_count = command->sub;
		for (uint32_t k = 0; command->address && k < c->program->threads[i].parameter_count;
		     k++)
			c->addressed |= UINT64_C(1)
			                << c->program->threads[i].parameters[k].location;
		note_buffers(c, i);
		for (uint32_t k = 0;
		     command->indirect && k < c->program->threads[i].parameter_count; k++)
			c->pointed |= UINT64_C(1) << c->program->threads[i].parameters[k].location;
		c->leaving |= outside(c, i);
	}
}

int commands_create(struct oclmm_device *device, const struct oclmm_program *program,
                    const struct commands_shape *shape, struct oclmm_error *error, char **ret_log,
                    uint64_t *ret_source_hash, struct commands **ret_commands)
{
	struct commands *c = oclmm_calloc(1, sizeof(*c));
	int r;

	c->device = device;
	c->program = program;
	c->shape = *shape;
	*ret_log = NULL;
	c->large = has_large_values(program);
	number(c);
	r = find_extensions(c, error);
	if (r == 0)
		r = build(c, error, ret_log, ret_source_hash);
	if (r == 0)
		r = create_queues(c, error);
	if (r == 0)
		r = create_cells(c, error);
	if (r == 0)
		r = create_counters(c, error);
	if (r < 0)
		commands_destroy(c);
	else
		*ret_commands = c;
	return r;
}

void commands_destroy(struct commands *c)
{
	struct oclmm_error ignored;

	if (!c)
		return;
	finish_queues(c, &ignored);
	clFinish(oclmm_device_queue(c->device));
	destroy_counters(c);
	destroy_cells(c);
	destroy_queues(c);
	if (c->importer.queue)
		clReleaseCommandQueue(c->importer.queue);
	if (c->importer.context)
		clReleaseContext(c->importer.context);
	for (uint32_t i = 0; i < OCLMM_MAX_THREADS; i++) {
		if (c->kernel[i])
			clReleaseKernel(c->kernel[i]);
	}
	if (c->set)
		clReleaseKernel(c->set);
	if (c->set_svm)
		clReleaseKernel(c->set_svm);
	if (c->lag)
		clReleaseKernel(c->lag);
	if (c->gather)
		clReleaseKernel(c->gather);
	if (c->lag_end)
		clReleaseMemObject(c->lag_end);
	if (c->kernels)
		clReleaseProgram(c->kernels);
	free(c);
}

/* ---- a round ---- */

/* User events are there before anything waits for them. */
static int begin(struct commands *c, struct round *round, struct oclmm_error *error)
{
	int r = 0;

	memset(round->turn, 0, sizeof(round->turn));
	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		cl_int code;

		if (command_of(c, i)->kind != OCLMM_COMMAND_USER)
			continue;
		round->turn[i].event = clCreateUserEvent(oclmm_device_context(c->device), &code);
		r = oclmm_cl_made(error, "clCreateUserEvent", round->turn[i].event, code);
	}
	return r;
}

static int play_thread(struct commands *c, struct round *round, uint32_t i,
                       struct oclmm_error *error)
{
	int r;

	switch (command_of(c, i)->kind) {
	case OCLMM_COMMAND_HOST: return play_host(c, round, i, error);
	case OCLMM_COMMAND_USER: return play_user(c, round, i, error);
	default: break;
	}
	r = enqueue(c, round, i, error);
	if (r == 0 && c->called_back >> i & 1)
		r = ask_call(round, i, error);
	return r;
}

/* A command that waits for an event which the host failed to set would hold its queue for ever. */
static void release_waiting(const struct commands *c, struct round *round)
{
	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (command_of(c, i)->kind == OCLMM_COMMAND_USER && round->turn[i].event)
			clSetUserEventStatus(round->turn[i].event, CL_COMPLETE);
	}
}

static int play_round(struct commands *c, struct round *round, struct oclmm_error *error)
{
	int r = begin(c, round, error);

	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++)
		r = play_thread(c, round, i, error);
	if (r < 0) {
		c->abandoned = true;
		release_waiting(c, round);
	}
	return r;
}

/* ---- a launch ---- */

/* When all is done. A callback may still be on its way to what it tells. */
static void drop_events(struct commands *c, uint32_t rounds)
{
	if (c->lagging)
		clReleaseEvent(c->lagging);
	c->lagging = NULL;
	for (uint32_t i = 0; i < rounds; i++) {
		drop_recordings(c, &c->rounds[i]);
		drop_semaphores(c, &c->rounds[i]);
		for (uint32_t k = 0; k < OCLMM_MAX_THREADS; k++) {
			struct turn *turn = &c->rounds[i].turn[k];

			if (turn->event)
				clReleaseEvent(turn->event);
			turn->event = NULL;
		}
	}
}

int commands_play(struct commands *c, const struct commands_draw *draw, uint32_t rounds,
                  struct oclmm_error *error)
{
	struct oclmm_error later;
	int finished, r;

	c->draw = *draw;
	/* far from each other, so that no value of one round is one of another */
	for (uint32_t i = 0; i < rounds; i++)
		c->rounds[i].base = (draw->base + i * UINT32_C(0x01234567)) | 0x10000;
	r = set_cells(c, rounds, error);
	if (r == 0)
		r = lag(c, error);
	for (uint32_t i = 0; r == 0 && i < rounds; i++)
		r = play_round(c, &c->rounds[(draw->first + i) % rounds], error);
	for (uint32_t i = 0; r == 0 && i < rounds; i++)
		r = unmap_all(c, &c->rounds[i], error);
	finished = finish_queues(c, r == 0 ? error : &later);
	r = r == 0 ? finished : r;
	drop_events(c, rounds);
	if (r == 0)
		r = release_all(c, rounds, error);
	return r < 0 ? r : bring_cells(c, rounds, error);
}

/* ---- in a session ---- */

/* An environment as it is for commands. */
static struct commands_shape shape_of(const struct oclmm_environment *e)
{
	return (struct commands_shape){
		.cells = e->groups * e->lanes,
		.rounds = e->rounds,
		.offset = e->offset,
	};
}

static int open_session(struct oclmm_session *session, struct oclmm_error *error,
                        struct oclmm_run_result *result)
{
	struct commands_shape shape;
	double start = oclmm_clock();
	int r;

	if (session->request->environment)
		session->environments[0] = *session->request->environment;
	else
		oclmm_environment_commands(&session->environments[0]);
	session->environment_count = 1;
	session->plan = (struct oclmm_kernel_plan){
		.outcomes = session->request->space->size,
		.observables = session->program->observable_count,
	};
	shape = shape_of(&session->environments[0]);
	r = commands_create(session->device, session->program, &shape, error, &result->build_log,
	                    &result->counts.source_hash, &session->commands);
	result->counts.compile_seconds = oclmm_clock() - start;
	return r;
}

static void close_session(struct oclmm_session *session)
{
	commands_destroy(session->commands);
}

/* ---- counting ---- */

struct counting {
	struct oclmm_session *session;
	const uint32_t **values; /* by observable, of the round at hand */
	int64_t *tuple;
	uint32_t base; /* the round's */
	uint64_t block;
	uint64_t mask; /* of outcomes that were seen */
};

static void count_cell(struct counting *counting, uint32_t cell, uint32_t times)
{
	struct oclmm_session *session = counting->session;
	const struct oclmm_outcome_space *space = session->request->space;

	for (uint32_t k = 0; k < space->observable_count; k++)
		counting->tuple[k] = oclmm_value_wrap(session->program->observables[k].type,
		                                      (int32_t)(counting->values[k][cell] -
		                                                counting->base));
	oclmm_count_tuple(session, counting->block, counting->tuple, times, &counting->mask);
}

static void count_chunk(struct counting *counting, uint32_t first, uint32_t count)
{
	uint32_t observables = counting->session->program->observable_count;
	bool uniform = true;

	for (uint32_t k = 0; uniform && k < observables; k++)
		uniform = is_uniform(counting->values[k] + first, count);
	if (uniform) {
		count_cell(counting, first, count);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		count_cell(counting, first + i, 1);
}

static void count_round(struct counting *counting, uint32_t round, uint32_t cells)
{
	struct oclmm_session *session = counting->session;

	counting->base = session->commands->rounds[round].base;
	for (uint32_t k = 0; k < session->program->observable_count; k++)
		counting->values[k] = values_of(session->commands, k, round);
	for (uint32_t i = 0; i < cells; i += CHUNK)
		count_chunk(counting, i, cells - i < CHUNK ? cells - i : CHUNK);
}

static void count_launch(struct oclmm_session *session, struct oclmm_slot *slot,
                         const struct commands_shape *shape)
{
	size_t width = (size_t)session->program->observable_count + 1;
	struct counting counting = {
		.session = session,
		.values = oclmm_calloc(width, sizeof(const uint32_t *)),
		.tuple = oclmm_calloc(width, sizeof(int64_t)),
		.block = slot->block,
	};

	for (uint32_t i = 0; i < shape->rounds; i++)
		count_round(&counting, i, shape->cells);
	oclmm_seen_add(&session->shown, slot->block, counting.mask, slot->instances);
	session->instances += slot->instances;
	session->launches++;
	/* what was not set is no value of the round */
	session->looked++;
	free(counting.values);
	free(counting.tuple);
}

/* ---- a launch ---- */

/*
 * None in one launch of ten; else up to some milliseconds: a GPU's driver may keep commands for
 * so long. Most are shorter, the smaller of two draws. A CPU's driver begins with commands at once,
 * and its lag is processor time.
 */
static uint32_t draw_lag(const struct oclmm_device_info *info, uint64_t random)
{
	enum { NONE = 10, LEAST = 12, LENGTHS = 11, LENGTHS_CPU = 8 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t lengths = cpu ? LENGTHS_CPU : LENGTHS;
	uint32_t first = random / NONE % lengths, second = random / NONE / lengths % lengths;

	return random % NONE == 0 ? 0 : 1u << (LEAST + (cpu || first < second ? first : second));
}

static int play_launch(struct oclmm_session *session, const struct oclmm_environment *environment,
                       uint32_t which, struct oclmm_slot *slot, uint64_t number,
                       struct oclmm_error *error)
{
	uint64_t key = oclmm_launch_key(session->request->seed, number);
	struct commands_shape shape = shape_of(environment);
	struct {
		uint64_t before;
		struct commands_draw draw;
		struct commands_shape shape;
	} link;
	int r;

	(void)which;
	memset(&link, 0, sizeof(link));
	link.before = session->stimulus;
	link.shape = shape;
	link.draw.rotation = (uint32_t)oclmm_random(key, 1) % OCLMM_QUEUES_MOST;
	link.draw.first = (uint32_t)oclmm_random(key, 2) % shape.rounds;
	link.draw.lag = draw_lag(oclmm_device_info(session->device), oclmm_random(key, 3));
	session->stimulus = oclmm_hash(&link, sizeof(link));
	/* far from 0, so that no value of the program is one of another base */
	link.draw.base = oclmm_fresh_number() | 0x10000u;
	slot->number = number;
	slot->instances = shape.cells * shape.rounds;
	slot->queued = oclmm_clock();
	session->queued += slot->instances;
	r = commands_play(session->commands, &link.draw, shape.rounds, error);
	if (r < 0)
		return r;
	oclmm_note_duration(session, slot);
	count_launch(session, slot, &shape);
	return 0;
}

const struct oclmm_playing oclmm_playing_commands = {
	.open = open_session,
	.launch = play_launch,
	.close = close_session,
};
