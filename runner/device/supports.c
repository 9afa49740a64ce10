// SPDX-License-Identifier: Apache-2.0
/*
 * What a device can do beyond what it claims: what its compiler accepts, and what is tried. Whether
 * a program can run follows from both. A device that accepts more than it claims may still run the
 * test; its results are then told apart.
 */
#include "exporter.h"
#include "internal.h"
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"

/* ---- the name of the widest scope ---- */

static const char scope_probe[] = "kernel void probe(global int *y)\n"
				  "{\n"
				  "\t*y = (int)memory_scope_all_svm_devices;\n"
				  "}\n";

static void define_all_scope(struct oclmm_device *device)
{
	size_t length = strlen(device->options);

	snprintf(device->options + length, sizeof(device->options) - length,
	         " -Dmemory_scope_all_svm_devices=((memory_scope)3)");
}

/*
 * PoCL 3.1 claims the scope and its header lacks the name. The number is the
 * one that clang has for it; whether a device takes it is seen when a kernel
 * that uses it is built.
 */
static void name_all_scope(struct oclmm_device *device)
{
	if (device->all_scope_named || !device->builds)
		return;
	device->all_scope_named = true;
	device->lacks_all_scope = !oclmm_device_accepts(device, scope_probe);
	if (!device->lacks_all_scope)
		return;
	define_all_scope(device);
	device->probe_count = 0;
}

/* ---- orders and scopes that the compiler takes ---- */

_Static_assert(OCLMM_ORDER_COUNT *OCLMM_SCOPE_COUNT <= 64, "a table's row is one word");

static const char *const standard_options[] = {OCLMM_STANDARDS(OCLMM_LIST_FIRST)};

/* One order with one scope. */
struct pair {
	enum oclmm_order order;
	enum oclmm_scope scope;
};

static bool is_fence(enum oclmm_probe probe)
{
	return probe == OCLMM_PROBE_FENCE_GLOBAL || probe == OCLMM_PROBE_FENCE_LOCAL;
}

static void add_atomics(struct oclmm_text *text, enum oclmm_order order, enum oclmm_scope scope)
{
	const char *o = oclmm_order_spelling(order), *s = oclmm_scope_spelling(scope);

	if (oclmm_order_fits(OCLMM_ORDERED_LOAD, order))
		oclmm_text_printf(text, "\tn += atomic_load_explicit(x, %s, %s);\n", o, s);
	if (oclmm_order_fits(OCLMM_ORDERED_STORE, order))
		oclmm_text_printf(text, "\tatomic_store_explicit(x, n, %s, %s);\n", o, s);
	oclmm_text_printf(text, "\tn += atomic_fetch_add_explicit(x, 1, %s, %s);\n", o, s);
}

static void add_fence(struct oclmm_text *text, enum oclmm_probe probe, struct pair pair)
{
	oclmm_text_printf(text, "\tatomic_work_item_fence(%s, %s, %s);\n",
	                  oclmm_flags_spelling(probe == OCLMM_PROBE_FENCE_LOCAL
	                                               ? OCLMM_FLAG_LOCAL
	                                               : OCLMM_FLAG_GLOBAL),
	                  oclmm_order_spelling(pair.order), oclmm_scope_spelling(pair.scope));
}

static const char *pointer_of(enum oclmm_probe probe)
{
	switch (probe) {
	case OCLMM_PROBE_ATOMIC_LOCAL: return "local ";
	case OCLMM_PROBE_ATOMIC_GENERIC: return "";
	default: return "global ";
	}
}

/* A kernel with all of `count` pairs. A generic pointer comes in by a function's parameter. */
static void write_kernel(struct oclmm_text *text, enum oclmm_probe probe, const struct pair *pairs,
                         size_t count)
{
	const char *space = pointer_of(probe);

	oclmm_text_printf(text, "int use(%satomic_int *x, int n)\n{\n", space);
	for (size_t i = 0; i < count; i++) {
		if (is_fence(probe))
			add_fence(text, probe, pairs[i]);
		else
			add_atomics(text, pairs[i].order, pairs[i].scope);
	}
	oclmm_text_printf(text,
	                  "\treturn n;\n}\n\nkernel void probe(%satomic_int *x, global int *y)\n"
	                  "{\n\t*y = use(x, *y);\n}\n",
	                  *space ? space : "global ");
}

static bool builds(struct oclmm_device *device, const char *source, struct oclmm_probe_table *table)
{
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	bool accepted = oclmm_device_compile(device, source, &ignored, &log, &program) == 0;

	table->builds++;
	free(log);
	if (program)
		clReleaseProgram(program);
	return accepted;
}

static bool takes(struct oclmm_device *device, enum oclmm_probe probe, const struct pair *pairs,
                  size_t count, struct oclmm_probe_table *table)
{
	struct oclmm_text text = {0};
	bool accepted;

	write_kernel(&text, probe, pairs, count);
	accepted = builds(device, oclmm_text_string(&text), table);
	oclmm_text_finish(&text);
	return accepted;
}

/* Most compilers take all or refuse a few: halves until each refused pair stands alone. */
static uint64_t search(struct oclmm_device *device, enum oclmm_probe probe,
                       const struct pair *pairs, size_t count, struct oclmm_probe_table *table)
{
	uint64_t accepted = 0;

	if (takes(device, probe, pairs, count, table)) {
		for (size_t i = 0; i < count; i++)
			accepted |= oclmm_probe_bit(pairs[i].order, pairs[i].scope);
		return accepted;
	}
	if (count == 1)
		return 0;
	return search(device, probe, pairs, count / 2, table) |
	       search(device, probe, pairs + count / 2, count - count / 2, table);
}

/*
 * All orders with the scopes that are known at all: a scope that is refused
 * with the relaxed order has no name, and the others need not be tried. The
 * scope work-item is about images alone (C:6.15.12.4).
 */
static size_t make_pairs(struct oclmm_device *device, enum oclmm_probe probe, struct pair *pairs,
                         struct oclmm_probe_table *table)
{
	size_t count = 0;

	for (int scope = OCLMM_SCOPE_SUB_GROUP; scope < OCLMM_SCOPE_COUNT; scope++) {
		const struct pair least = {OCLMM_ORDER_RELAXED, (enum oclmm_scope)scope};

		if (!takes(device, probe, &least, 1, table))
			continue;
		for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++)
			pairs[count++] = (struct pair){(enum oclmm_order)order,
			                               (enum oclmm_scope)scope};
	}
	return count;
}

static void probe_standard(struct oclmm_device *device, enum oclmm_standard standard,
                           struct oclmm_probe_table *table)
{
	const struct pair least = {OCLMM_ORDER_RELAXED, OCLMM_SCOPE_WORK_GROUP};
	struct pair pairs[OCLMM_ORDER_COUNT * OCLMM_SCOPE_COUNT];

	snprintf(device->options, sizeof(device->options), "%s", standard_options[standard]);
	if (!takes(device, OCLMM_PROBE_ATOMIC_GLOBAL, &least, 1, table))
		return;
	table->unnamed[standard] = !builds(device, scope_probe, table);
	if (table->unnamed[standard])
		define_all_scope(device);
	for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++) {
		enum oclmm_probe what = (enum oclmm_probe)probe;
		size_t count = make_pairs(device, what, pairs, table);

		if (count)
			table->accepted[standard][probe] = search(device, what, pairs, count,
			                                          table);
	}
}

void oclmm_device_probe(struct oclmm_device *device, struct oclmm_probe_table *ret_table)
{
	struct oclmm_probe_table table;
	char saved[sizeof(device->options)];

	memset(&table, 0, sizeof(table));
	memcpy(saved, device->options, sizeof(saved));
	for (int standard = 0; device->info.major >= 2 && standard < OCLMM_STANDARD_COUNT;
	     standard++)
		probe_standard(device, (enum oclmm_standard)standard, &table);
	memcpy(device->options, saved, sizeof(saved));
	*ret_table = table;
}

/*
 * ---- kernels in two queues ----
 *
 * Whether they run at the same time is tried, for nothing promises it (A:3.2.1): two kernels
 * wait for each other, for so many polls. Where one runs after the other, the first waits in vain.
 */
static const char meeting[] =
	"kernel void meet(volatile global uint *met, uint polls, global uint *seen)\n"
	"{\n"
	"\tatomic_inc(met);\n"
	"\tfor (uint n = 0u; n < polls && *met < 2u; n++)\n"
	"\t\t;\n"
	"\t*seen = *met;\n"
	"}\n";

enum { PARTIES = 2 };

struct trial {
	struct oclmm_device *device;
	cl_program program;
	void *met; /* in SVM: only there may kernels of two queues meet (A:3.3.9.5) */
	cl_command_queue queue[PARTIES];
	cl_kernel kernel[PARTIES];
	cl_mem seen[PARTIES];
};

static int open_party(struct trial *t, int i, struct oclmm_error *error)
{
	const cl_uint polls = 1 << 20;
	int r = oclmm_device_queue_new(t->device, 0, 0, error, &t->queue[i]);

	if (r == 0)
		r = oclmm_kernel_create(t->program, "meet", error, &t->kernel[i]);
	if (r == 0)
		r = oclmm_buffer_create(t->device, sizeof(cl_uint), error, &t->seen[i]);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clSetKernelArgSVMPointer, t->kernel[i], 0, t->met);
	if (r == 0)
		r = oclmm_argument_set(t->kernel[i], 1, sizeof(polls), &polls, error);
	return r < 0 ? r : oclmm_argument_set(t->kernel[i], 2, sizeof(cl_mem), &t->seen[i], error);
}

static int open_trial(struct trial *t, struct oclmm_error *error)
{
	char *log = NULL;
	int r = oclmm_device_build(t->device, meeting, error, &log, &t->program);

	free(log);
	if (r == 0)
		r = oclmm_svm_create(t->device, OCLMM_STORAGE_SVM_COARSE, sizeof(cl_uint), error,
		                     &t->met);
	for (int i = 0; r == 0 && i < PARTIES; i++)
		r = open_party(t, i, error);
	return r;
}

static void close_trial(struct trial *t)
{
	for (int i = 0; i < PARTIES; i++) {
		if (t->queue[i]) {
			clFinish(t->queue[i]);
			clReleaseCommandQueue(t->queue[i]);
		}
		if (t->kernel[i])
			clReleaseKernel(t->kernel[i]);
		if (t->seen[i])
			clReleaseMemObject(t->seen[i]);
	}
	oclmm_svm_destroy(t->device, OCLMM_STORAGE_SVM_COARSE, t->met);
	if (t->program)
		clReleaseProgram(t->program);
}

/* \return whether both saw the other, or an error */
static int try_once(struct trial *t, struct oclmm_error *error)
{
	const cl_uint zero = 0;
	const size_t one = 1;
	cl_uint seen = 0;
	int met = 1;
	int r = OCLMM_CL_CALL(error, clEnqueueSVMMemFill, t->queue[0], t->met, &zero, sizeof(zero),
	                      sizeof(zero), 0, NULL, NULL);

	if (r == 0)
		r = OCLMM_CL_CALL(error, clFinish, t->queue[0]);
	for (int i = 0; r == 0 && i < PARTIES; i++) {
		r = oclmm_kernel_enqueue(t->queue[i], t->kernel[i], 1, &one, &one, NULL, error);
		if (r == 0)
			r = OCLMM_CL_CALL(error, clFlush, t->queue[i]);
	}
	for (int i = 0; r == 0 && i < PARTIES; i++) {
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, t->queue[i], t->seen[i], CL_TRUE, 0,
		                  sizeof(seen), &seen, 0, NULL, NULL);
		met &= seen == PARTIES;
	}
	return r < 0 ? r : met;
}

/* Now and then kernels that can run together do not; ones that cannot never do. */
static bool try_for_a_while(struct oclmm_device *device)
{
	enum { TRIES_LEAST = 3 };
	const double patience = 1; /* seconds */
	struct trial t = {.device = device};
	struct oclmm_error ignored;
	double end;
	int met = open_trial(&t, &ignored);

	end = oclmm_clock() + patience;
	for (int i = 0; met == 0 && (i < TRIES_LEAST || oclmm_clock() < end); i++)
		met = try_once(&t, &ignored);
	close_trial(&t);
	return met > 0;
}

static bool runs_together(struct oclmm_device *device)
{
	if (!device->together_tried)
		device->together = try_for_a_while(device);
	device->together_tried = true;
	return device->together;
}

/* ---- what a program needs ---- */

static bool divides_equally(cl_device_id id)
{
	cl_device_partition_property kinds[16] = {0};

	if (clGetDeviceInfo(id, CL_DEVICE_PARTITION_PROPERTIES, sizeof(kinds), kinds, NULL) !=
	    CL_SUCCESS)
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++)
		if (kinds[i] == CL_DEVICE_PARTITION_EQUALLY)
			return true;
	return false;
}

bool oclmm_device_has_several(const struct oclmm_device *device, uint32_t count)
{
	if (count <= 1)
		return true;
	if (device->partner)
		return count == 2;
	return count <= OCLMM_DEVICES_MAX && device->info.compute_units >= count &&
	       device->info.compute_units / (device->info.compute_units / count) <=
	               OCLMM_DIVISIONS &&
	       divides_equally(device->id);
}

static enum oclmm_support unsupported(char *missing, size_t size, const char *what)
{
	snprintf(missing, size, "%s", what);
	return OCLMM_SUPPORT_UNSUPPORTED;
}

/* Shared virtual memory that a device lacks; `shared`: one of a pair that both use the memory. */
static const char *find_missing_memory(const struct oclmm_device_info *info,
                                       const struct oclmm_features *need, bool shared)
{
	/* those who play at once meet in it; commands do not */
	bool meet = need->svm_atomics || need->host_threads ||
	            (need->devices > 1 && !need->commands);
	const struct {
		bool needed;
		cl_device_svm_capabilities capability;
		const char *alone, *of_both;
	} kinds[] = {
		{meet, CL_DEVICE_SVM_ATOMICS, "fine-grained SVM with atomics",
	         "fine-grained SVM with atomics of both devices"},
		{need->svm_system, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "fine-grained system SVM",
	         "fine-grained system SVM of both devices"},
		{need->svm_fine, CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine-grained SVM",
	         "fine-grained SVM of both devices"},
		{need->svm_coarse || need->queues, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER,
	         "coarse-grained SVM", "coarse-grained SVM of both devices"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].needed && !(info->svm_capabilities & kinds[i].capability))
			return shared ? kinds[i].of_both : kinds[i].alone;
	return NULL;
}

static const char *find_missing_of_partner(const struct oclmm_device_info *info,
                                           const struct oclmm_features *need)
{
	const char *what = find_missing_memory(info, need, true);

	if (what)
		return what;
	if (need->pipes && !info->pipes)
		return "__opencl_c_pipes of both devices";
	if (need->images_2d && !info->images_2d)
		return "images of both devices";
	if (need->unordered_queue && !info->unordered_queues)
		return "queues that execute out of order, of both devices";
	return NULL;
}

/* Asked where a test needs it: starting another API takes its time, in each child. */
static bool has_exporter(struct oclmm_device *device)
{
	if (!device->exporter_tried)
		device->exporter = oclmm_exporter_of(device->id) != NULL;
	device->exporter_tried = true;
	return device->exporter;
}

/* ---- buffers over shared virtual memory ---- */

static bool knows_buffer(cl_mem buffer)
{
	cl_bool knows = CL_FALSE;

	return clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof(knows), &knows, NULL) ==
	               CL_SUCCESS &&
	       knows;
}

/* A driver that does not know that a buffer is such a one makes an ordinary buffer in memory of the
 * host, which is another object. */
static bool has_svm_buffers(struct oclmm_device *device)
{
	enum { SIZE = 4096 };
	void *memory;
	cl_mem buffer = NULL;

	if (device->svm_buffers_tried)
		return device->svm_buffers;
	device->svm_buffers_tried = true;
	memory = clSVMAlloc(device->context, CL_MEM_READ_WRITE, SIZE, 0);
	if (memory)
		buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
		                        SIZE, memory, NULL);
	device->svm_buffers = buffer && knows_buffer(buffer);
	if (buffer)
		clReleaseMemObject(buffer);
	if (memory)
		clSVMFree(device->context, memory);
	return device->svm_buffers;
}

/* ---- types of cl_khr_unified_svm ---- */

int oclmm_device_svm_type(const struct oclmm_device_info *info, enum oclmm_storage storage,
                          unsigned needed)
{
	/* the heap of the host is no type that is allocated */
	const unsigned owners = 1u << OCLMM_SVM_DEVICE_OWNED | 1u << OCLMM_SVM_HOST_OWNED |
	                        1u << OCLMM_SVM_SYSTEM_ALLOCATED;
	unsigned owner = storage == OCLMM_STORAGE_SVM_DEVICE ? 1u << OCLMM_SVM_DEVICE_OWNED
	                 : storage == OCLMM_STORAGE_SVM_HOST ? 1u << OCLMM_SVM_HOST_OWNED
	                                                     : 0;

	for (int i = 0; i < OCLMM_SVM_TYPES_MOST; i++)
		if (info->svm_types[i] && (info->svm_types[i] & owners) == owner &&
		    !(needed & ~info->svm_types[i]))
			return i;
	return -1;
}

/* The first of what a type needs that no type can do beside what stands before it. */
static const char *find_missing_svm(const struct oclmm_device_info *info,
                                    enum oclmm_storage storage, unsigned needed)
{
	static const char *const names[] = {
#define OCLMM_X(name) "CL_SVM_CAPABILITY_" #name "_KHR",
		OCLMM_SVM_CAPABILITIES(OCLMM_X)
#undef OCLMM_X
	};
	unsigned asked = 0;

	if (oclmm_device_svm_type(info, storage, needed) >= 0)
		return NULL;
	if (oclmm_device_svm_type(info, storage, 0) < 0)
		return storage == OCLMM_STORAGE_SVM_DEVICE ? "SVM that a device owns"
		       : storage == OCLMM_STORAGE_SVM_HOST ? "SVM that the host owns"
		                                           : "SVM that nobody owns";
	for (int i = 0; i < OCLMM_SVM_CAPABILITY_COUNT; i++) {
		asked |= needed & 1u << i;
		if (oclmm_device_svm_type(info, storage, asked) < 0)
			return names[i];
	}
	return NULL;
}

static const char *find_missing_unified(const struct oclmm_device_info *info,
                                        const struct oclmm_features *need)
{
	const char *what = NULL;

	for (int i = 0; !what && i < OCLMM_UNIFIED_SVM_TYPES; i++) {
		if (!need->unified_svm[i])
			continue;
		if (!info->unified_svm)
			return "cl_khr_unified_svm";
		if (need->devices > 1)
			return "types of SVM of two devices";
		what = find_missing_svm(info,
		                        (enum oclmm_storage)((int)OCLMM_STORAGE_SVM_DEVICE + i),
		                        need->unified_svm[i]);
	}
	return what;
}

static const char *find_missing_clock(const struct oclmm_device_info *info, unsigned clocks)
{
	if (clocks & ~info->clocks & 1u << OCLMM_SCOPE_DEVICE)
		return "__opencl_c_kernel_clock_scope_device";
	if (clocks & ~info->clocks & 1u << OCLMM_SCOPE_WORK_GROUP)
		return "__opencl_c_kernel_clock_scope_work_group";
	return clocks & ~info->clocks ? "__opencl_c_kernel_clock_scope_sub_group" : NULL;
}

/* What no compiler can make up for; NULL when all is there. */
static const char *find_missing(struct oclmm_device *device, const struct oclmm_features *need)
{
	const struct oclmm_device_info *info = &device->info;
	const char *what;

	if (need->devices == 0)
		return "a role for a device";
	if (!oclmm_device_has_several(device, need->devices))
		return need->devices == 2 ? "2 devices" : "so many devices";
	if (info->major < 2 && !(need->commands && info->major == 1 && info->minor >= 2))
		return need->commands ? "OpenCL 1.2 or later" : "OpenCL 2.0 or later";
	if (!device->info.compiler)
		return "a compiler";
	if (need->sub_groups && !info->sub_groups)
		return need->scopes & (1u << OCLMM_SCOPE_SUB_GROUP) ? "memory_scope_sub_group"
		                                                    : "placement in sub-groups";
	if (need->collectives && !info->collectives)
		return "__opencl_c_work_group_collective_functions";
	if (need->split_barriers && !info->split_barriers)
		return "cl_intel_split_work_group_barrier";
	what = find_missing_clock(info, need->clocks);
	if (what)
		return what;
	if (need->children && !info->device_enqueue)
		return "__opencl_c_device_enqueue";
	if (need->pipes && !info->pipes)
		return "__opencl_c_pipes";
	what = find_missing_memory(info, need, false);
	if (!what && device->partner && need->devices > 1)
		what = find_missing_of_partner(&device->partner_info, need);
	if (what)
		return what;
	if (need->queues && !runs_together(device))
		return "two queues whose kernels run at once";
	if (need->program_scope && info->program_scope < OCLMM_KERNEL_PROGRAM_BYTES)
		return "variables at program scope";
	if (need->images_2d && !info->images_2d)
		return "images";
	if (need->images > info->images ||
	    (need->images && info->image_elements < OCLMM_KERNEL_IMAGE_ELEMENTS))
		return "images that a kernel reads and writes";
	if (need->unordered_queue && !info->unordered_queues)
		return "queues that execute out of order";
	if (need->command_buffers && !info->command_buffers)
		return "cl_khr_command_buffer";
	if (need->command_buffers && need->devices > 1)
		return "command buffers of one device in a program of two";
	if (need->semaphores && !info->semaphores)
		return "cl_khr_semaphore";
	if (need->buffer_addresses && !info->buffer_addresses)
		return "cl_ext_buffer_device_address";
	if (need->buffer_addresses && need->devices > 1)
		return "addresses of buffers of two devices";
	if (need->svm_buffers && !has_svm_buffers(device))
		return "buffers over shared virtual memory";
	if (need->external_memory && !info->external_memory)
		return "cl_khr_external_memory";
	if (need->external_memory && !info->external_files)
		return "cl_khr_external_memory_opaque_fd";
	if (need->external_memory && !has_exporter(device))
		return "another API that exports memory, CUDA's driver";
	if (need->external_memory && need->devices > 1)
		return "external memory of two devices";
	what = find_missing_unified(info, need);
	if (what)
		return what;
	if (need->unordered_recordings && !info->unordered_recordings)
		return "command buffers for queues that execute out of order";
	if (need->several_queues && !info->several_queues)
		return "cl_khr_command_buffer_multi_device";
	if (need->replays_at_once && !info->replays_at_once)
		return "command buffers that are replayed several times at once";
	if (need->changed_arguments && !info->changed_arguments)
		return "cl_khr_command_buffer_mutable_dispatch";
	if (need->changed_launches & ~info->changed_launches)
		return "cl_khr_command_buffer_mutable_dispatch of offsets and sizes";
	if (need->recorded_transfers && !info->recorded_as_before_0_9_4)
		return "recorded fills and copies of cl_khr_command_buffer before 0.9.4";
	if (need->recorded_barriers && !info->recorded_as_before_0_9_4)
		return "recorded barriers of cl_khr_command_buffer before 0.9.4";
	if (need->local_memory && info->local_memory == 0)
		return "local memory";
	if (need->group_bytes > info->local_memory)
		return "so much local memory";
	if (need->group_items > info->max_work_group_size)
		return "so large work-groups";
	if (need->address_wide && info->address_bits != 64)
		return "addresses of 64 bits, for size_t";
	if ((need->atomic_types & oclmm_types_of_width(64)) && !info->int64_atomics)
		return "64-bit atomics";
	if ((need->floating_types >> OCLMM_TYPE_HALF & 1) && !info->fp16)
		return "half-precision floating point";
	if ((need->floating_types >> OCLMM_TYPE_DOUBLE & 1) && !info->fp64)
		return "double-precision floating point";
	if (need->subnormals & ~info->subnormals)
		return "subnormal numbers, CL_FP_DENORM";
	return NULL;
}

/* One text that uses each order with each scope, atomics and fences apart. */
static bool accepts_orders(struct oclmm_device *device, const struct oclmm_features *need)
{
	struct oclmm_text text = {0};
	bool accepted;

	oclmm_text_add(&text,
	               "kernel void probe(global atomic_int *x, global int *y)\n{\n\tint n = 0;\n");
	for (int s = OCLMM_SCOPE_SUB_GROUP; s < OCLMM_SCOPE_COUNT; s++) {
		const char *scope = oclmm_scope_spelling((enum oclmm_scope)s);

		if (!(need->scopes & (1u << s)))
			continue;
		for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++) {
			const char *order = oclmm_order_spelling((enum oclmm_order)o);

			if (need->orders & (1u << o))
				add_atomics(&text, (enum oclmm_order)o, (enum oclmm_scope)s);
			if (need->fence_orders & (1u << o))
				oclmm_text_printf(
					&text,
					"\tatomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s, %s);\n",
					order, scope);
		}
	}
	oclmm_text_add(&text, "\t*y = n;\n}\n");
	accepted = oclmm_device_accepts(device, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return accepted;
}

static bool accepts_generic(struct oclmm_device *device)
{
	return oclmm_device_accepts(
		device,
		"int take(atomic_int *x)\n"
		"{\n"
		"\treturn atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n"
		"}\n"
		"kernel void probe(global atomic_int *x, global int *y)\n"
		"{\n"
		"\t*y = take(x);\n"
		"}\n");
}

/* The first order or scope that the device does not claim, for the message. */
static const char *find_unclaimed(const struct oclmm_device_info *info,
                                  const struct oclmm_features *need)
{
	for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++)
		if ((need->orders & ~info->orders_claimed) & (1u << o))
			return oclmm_order_spelling((enum oclmm_order)o);
	for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++)
		if ((need->fence_orders & ~info->fence_orders_claimed) & (1u << o))
			return oclmm_order_spelling((enum oclmm_order)o);
	for (int s = OCLMM_SCOPE_WORK_ITEM; s < OCLMM_SCOPE_COUNT; s++)
		if ((need->scopes & ~info->scopes_claimed) & (1u << s))
			return oclmm_scope_spelling((enum oclmm_scope)s);
	return NULL;
}

enum oclmm_support oclmm_device_supports(struct oclmm_device *device,
                                         const struct oclmm_program *program, char *missing,
                                         size_t missing_size)
{
	struct oclmm_features need;
	const char *what;
	enum oclmm_support support = OCLMM_SUPPORT_CLAIMED;

	if (missing_size > 0)
		*missing = '\0';
	oclmm_program_features(program, &need);
	/* those who meet across devices do it with this scope */
	if (need.host_threads || (need.scopes & (1u << OCLMM_SCOPE_ALL_SVM_DEVICES)))
		name_all_scope(device);
	what = find_missing(device, &need);
	if (what)
		return unsupported(missing, missing_size, what);
	if (oclmm_float_feature(&need, device->info.float_atomics, missing, missing_size))
		return OCLMM_SUPPORT_UNSUPPORTED;
	if (need.generic_pointers && !device->info.generic_address_space) {
		if (!accepts_generic(device))
			return unsupported(missing, missing_size, "the generic address space");
		support = OCLMM_SUPPORT_ACCEPTED;
	}
	what = find_unclaimed(&device->info, &need);
	if (!what)
		return support;
	if (!accepts_orders(device, &need))
		return unsupported(missing, missing_size, what);
	/* for the report: what is accepted without being claimed */
	snprintf(missing, missing_size, "%s", what);
	return OCLMM_SUPPORT_ACCEPTED;
}
