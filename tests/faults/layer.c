// SPDX-License-Identifier: Apache-2.0
/*
 * A driver that fails on demand: a layer of the ICD loader (OPENCL_LAYERS),
 * which passes every call on to the real driver but for the kernels whose text
 * has one of these words; a litmus test gets it by the name of a location.
 *
 *     fault_build   the compiler refuses the kernel
 *     fault_crash   the launch ends in SIGSEGV
 *     fault_leave   the launch calls exit()
 *     fault_hang    the launch never comes back
 *     fault_spin    the same, and it uses the processor
 *     fault_short   one outcome of each read-back is missing
 *     fault_memory  buffers cannot be allocated
 *     fault_gone    the launch says that the device is not available
 *     fault_flood   the launch prints 64 MiB, and ends in SIGSEGV
 *     fault_vanish  the same as gone, and from then on no device can be opened
 *     fault_late    waiting for a launch fails
 *     fault_slow    waiting for a launch takes 2.2 s
 *     fault_idle_…  launches do nothing: all, every other one (half), every third
 *                   (third), both kernels of every third pair (pair), the last one
 *                   of a pair and the first one of the next (across)
 *     fault_half_…  a kernel runs without its last work-group: the test's own (test), the one
 *                   that counts (count)
 *     fault_again   the first work-group of the test's own kernel runs twice
 *     fault_twice_… a kernel runs twice: the test's own (test), the one that counts (count)
 *     fault_order   the kernel that counts runs before the test's own
 *     fault_stale   a read returns what the one before it gave
 *     fault_torn    the same, but for the last eight bytes
 *     fault_blank   a read returns nothing
 *     fault_cached  it is compiled once: other texts with that word get the first one's program
 *     fault_forge   what the test stores there as 1 is 7: no outcome that is allowed
 *     fault_any     what OCLMM_FAULT_ANY says (idle_all, say): one text for all is compiled once;
 *                   OCLMM_FAULT_MARK is another word for it, of texts that nobody writes
 *
 * OCLMM_FAULT_LIST=crash or =hang spoils the listing of devices. With
 * OCLMM_FAULT_CLAIMS=minimum the device claims of atomics what OpenCL 3.0 asks for
 * at least (A:4.2), though its compiler takes more, with =none nothing at all, no compiler and no
 * local memory, as no device of its profile may, with =version no version that one could read; with
 * OCLMM_FAULT_REFUSE its
 * compiler takes nothing. With OCLMM_FAULT_AFTER=N the first N launches of a test,
 * by its own kernel or the one that counts, are as they should be, and its reads with them. With
 * OCLMM_FAULT_DEVICE=N only the N-th device of its platform fails, counted from 0. With
 * OCLMM_FAULT_RECORD=FILE and then OCLMM_FAULT_REPLAY=FILE a run reads what another one read.
 * With OCLMM_FAULT_LOG=N its compiler says N bytes of each kernel, the first line of them an error.
 * The words of OCLMM_FAULT_WORDS follow each name and version that the driver gives, and what it
 * says of a kernel that it refuses; it prints them where it crashes.
 *
 * Files, named by variables: OCLMM_FAULT_LOADED is created when the layer is in
 * place; OCLMM_FAULT_ONCE at the first fault, after which there is no other;
 * without OCLMM_FAULT_FROM, where it is set, there is none; while OCLMM_FAULT_STATE
 * exists no device can be opened. Test code only.
 */
#include "plant/icd_layer.h"
#include "reads.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

ICD_LAYER("oclmm faults");
static char *text;        /* of the test kernel that was built last */
static unsigned launched; /* kernels since */

/* A launch that waits for the next one to overtake it. */
static struct {
	cl_kernel kernel;
	cl_uint dimensions;
	size_t global[3], local[3];
} held;

static cl_program cached; /* what texts with fault_cached get, once there is one */

/* Of the platform that was asked last, and whether the device at hand is the one that is meant. */
static cl_device_id listed[16];
static bool spared;

static bool exists(const char *variable)
{
	const char *path = getenv(variable);

	return path && access(path, F_OK) == 0;
}

static void create(const char *variable)
{
	const char *path = getenv(variable);
	int file = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (file >= 0)
		close(file);
}

static unsigned number(const char *variable)
{
	const char *value = getenv(variable);

	return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

static bool is_meant(const char *fault)
{
	const char *any = getenv("OCLMM_FAULT_ANY"), *mark = getenv("OCLMM_FAULT_MARK");

	return text && (strstr(text, fault) || (any && strcmp(any, fault + strlen("fault_")) == 0 &&
	                                        strstr(text, mark ? mark : "fault_any")));
}

/* Whether to fail in this way now. */
static bool strikes(const char *fault)
{
	if (spared || !is_meant(fault) || launched < number("OCLMM_FAULT_AFTER") ||
	    exists("OCLMM_FAULT_ONCE") ||
	    (getenv("OCLMM_FAULT_FROM") && !exists("OCLMM_FAULT_FROM")))
		return false;
	create("OCLMM_FAULT_ONCE");
	return true;
}

static const char *added(void)
{
	const char *words = getenv("OCLMM_FAULT_WORDS");

	return words ? words : "";
}

static void crash(void)
{
	fprintf(stderr, "assertion of the driver failed: planted%s\n", added());
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint count,
                                      cl_device_id *devices, cl_uint *ret_count)
{
	const char *fault = getenv("OCLMM_FAULT_LIST");

	if (fault && !exists("OCLMM_FAULT_ONCE")) {
		create("OCLMM_FAULT_ONCE");
		if (strcmp(fault, "crash") == 0)
			crash();
		for (;;)
			pause();
	}
	layer_real->clGetDeviceIDs(platform, type, sizeof(listed) / sizeof(*listed), listed, NULL);
	return layer_real->clGetDeviceIDs(platform, type, count, devices, ret_count);
}

/* A string that was asked for, and the words behind it. */
static cl_int give(const char *string, size_t size, void *value, size_t *ret_size)
{
	size_t length = strlen(string), more = strlen(added());

	if (value && size < length + more + 1)
		return CL_INVALID_VALUE;
	if (value) {
		memcpy(value, string, length);
		memcpy((char *)value + length, added(), more + 1);
	}
	if (ret_size)
		*ret_size = length + more + 1;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info what,
                                            size_t size, void *value, size_t *ret_size)
{
	char string[4096] = "";

	if (!*added() || what == CL_PLATFORM_EXTENSIONS ||
	    layer_real->clGetPlatformInfo(platform, what, sizeof(string), string, NULL))
		return layer_real->clGetPlatformInfo(platform, what, size, value, ret_size);
	return give(string, size, value, ret_size);
}

static bool is_name(cl_device_info what)
{
	return what == CL_DEVICE_NAME || what == CL_DEVICE_VENDOR || what == CL_DEVICE_VERSION ||
	       what == CL_DRIVER_VERSION || what == CL_DEVICE_OPENCL_C_VERSION ||
	       what == CL_DEVICE_EXTENSIONS || what == CL_DEVICE_PROFILE;
}

static bool is_feature(cl_device_info what)
{
	return what == CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES ||
	       what == CL_DEVICE_ATOMIC_FENCE_CAPABILITIES ||
	       what == CL_DEVICE_COMPILER_AVAILABLE || what == CL_DEVICE_LOCAL_MEM_SIZE;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	const char *claims = getenv("OCLMM_FAULT_CLAIMS");
	char string[8192] = "";
	cl_int code = layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
	cl_bitfield least = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;

	if (*added() && is_name(what) &&
	    !layer_real->clGetDeviceInfo(device, what, sizeof(string), string, NULL))
		return give(string, size, value, ret_size);
	if (!claims || code != CL_SUCCESS || !value)
		return code;
	if (strcmp(claims, "version") == 0) {
		if (what == CL_DEVICE_VERSION)
			strncpy(value, "OpenCL 3", size);
		return code;
	}
	if (strcmp(claims, "none") == 0) {
		if (is_feature(what))
			memset(value, 0, size);
		return code;
	}
	if (what == CL_DEVICE_ATOMIC_FENCE_CAPABILITIES)
		least |= CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
	else if (what != CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES)
		return code;
	memcpy(value, &least, sizeof(least));
	return code;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *,
                                                                       size_t, void *),
                                             void *data, cl_int *code)
{
	unsigned meant = number("OCLMM_FAULT_DEVICE") % (sizeof(listed) / sizeof(*listed));

	spared = getenv("OCLMM_FAULT_DEVICE") && devices[0] != listed[meant];
	if (!spared && exists("OCLMM_FAULT_STATE")) {
		if (code)
			*code = CL_DEVICE_NOT_AVAILABLE;
		return NULL;
	}
	return layer_real->clCreateContext(properties, count, devices, notify, data, code);
}

static void forge(void)
{
	static const char stored[] = "at_fault_forge, 1,";
	char *at = strstr(text, stored);

	if (at)
		at[strcspn(at, "1")] = '7';
}

static cl_program create_test(cl_context context, cl_int *code)
{
	bool shared = strstr(text, "fault_cached") != NULL;
	cl_program program = shared ? cached : NULL;

	if (code)
		*code = CL_SUCCESS;
	if (!program)
		program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&text,
		                                                NULL, code);
	if (shared && program) {
		cached = program;
		layer_real->clRetainProgram(program);
	}
	return program;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	/* the counting kernel is built after the test's own, which decides */
	if (count == 1 && strstr(strings[0], "oclmm_test")) {
		free(text);
		text = strdup(strings[0]);
		launched = 1; /* one sets objects up; then a launch has an even kernel and an odd
		                 one */
		forge();
		return create_test(context, code);
	}
	return layer_real->clCreateProgramWithSource(context, count, strings, lengths, code);
}

static bool is_built(cl_program program, cl_device_id device)
{
	cl_build_status status = CL_BUILD_NONE;

	layer_real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(status),
	                                  &status, NULL);
	return status == CL_BUILD_SUCCESS;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	if (getenv("OCLMM_FAULT_REFUSE") || strikes("fault_build")) {
		fputs("internal compiler error: planted\n", stderr);
		return CL_BUILD_PROGRAM_FAILURE;
	}
	if (program == cached && is_built(program, devices[0]))
		return CL_SUCCESS;
	return layer_real->clBuildProgram(program, count, devices, options, notify, data);
}

static cl_int give_log(size_t length, size_t size, void *value, size_t *ret_size)
{
	static const char line[] = "error: planted, and more of it\n";

	if (value && size < length)
		return CL_INVALID_VALUE;
	for (size_t i = 0; value && i < length; i++)
		((char *)value)[i] = i + 1 < length ? line[i % (sizeof(line) - 1)] : '\0';
	if (ret_size)
		*ret_size = length;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device,
                                         cl_program_build_info what, size_t size, void *value,
                                         size_t *ret_size)
{
	if (what == CL_PROGRAM_BUILD_LOG && *added())
		return give("error: refused", size, value, ret_size);
	if (what == CL_PROGRAM_BUILD_LOG && number("OCLMM_FAULT_LOG"))
		return give_log(number("OCLMM_FAULT_LOG"), size, value, ret_size);
	return layer_real->clGetProgramBuildInfo(program, device, what, size, value, ret_size);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	if (strikes("fault_memory")) {
		if (code)
			*code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
		return NULL;
	}
	return layer_real->clCreateBuffer(context, flags, size, host, code);
}

static void flood(void)
{
	static const char line[] = "the driver has something to say: planted\n";

	for (size_t printed = 0; printed < (size_t)64 << 20; printed += sizeof(line) - 1)
		fputs(line, stdout);
	crash();
}

static cl_int fail_launch(void)
{
	if (strikes("fault_flood"))
		flood();
	if (strikes("fault_crash"))
		crash();
	if (strikes("fault_leave"))
		exit(3);
	for (volatile bool on = strikes("fault_spin"); on;)
		;
	if (strikes("fault_hang")) {
		for (;;)
			pause();
	}
	if (strikes("fault_gone"))
		return CL_DEVICE_NOT_AVAILABLE;
	if (strikes("fault_vanish")) {
		create("OCLMM_FAULT_STATE");
		return CL_DEVICE_NOT_AVAILABLE;
	}
	return CL_SUCCESS;
}

/* Whether this launch is one of those that are left out. */
static bool is_idle(void)
{
	return strikes("fault_idle_all") || (launched % 2 == 0 && strikes("fault_idle_half")) ||
	       (launched % 3 == 0 && strikes("fault_idle_third")) ||
	       (launched / 2 % 3 == 0 && strikes("fault_idle_pair")) ||
	       ((launched + 1) / 2 % 3 == 0 && strikes("fault_idle_across"));
}

static bool counts(cl_kernel kernel)
{
	char name[32] = "";

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	return strcmp(name, "oclmm_count") == 0;
}

static void hold(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local)
{
	held.kernel = kernel;
	held.dimensions = dimensions;
	memcpy(held.global, global, dimensions * sizeof(*global));
	memcpy(held.local, local, dimensions * sizeof(*local));
}

/* The one that was held back, once the other one is in the queue. */
static cl_int release(cl_command_queue queue)
{
	cl_kernel kernel = held.kernel;

	held.kernel = NULL;
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, held.dimensions, NULL, held.global,
	                                          held.local, 0, NULL, NULL);
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	cl_int code = fail_launch();
	bool idle = is_idle(), second = counts(kernel);
	bool twice = strikes(second ? "fault_twice_count" : "fault_twice_test");
	bool early = !second && strikes("fault_order");
	bool half = strikes(second ? "fault_half_count" : "fault_half_test");
	bool again = !second && strikes("fault_again");
	const size_t less = half && *global > *local ? *global - *local : *global;

	launched++;
	if (code != CL_SUCCESS || idle)
		return code;
	if (early) {
		hold(kernel, dimensions, global, local);
		return CL_SUCCESS;
	}
	code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
	                                          half ? &less : global, local, wait_count, waits,
	                                          event);
	/* with an offset, so that none of its work-items is the first of all */
	if (code == CL_SUCCESS && again)
		code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, local, local,
		                                          local, 0, NULL, NULL);
	if (code == CL_SUCCESS && twice)
		code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
		                                          local, 0, NULL, NULL);
	if (code == CL_SUCCESS && second && held.kernel)
		code = release(queue);
	return code;
}

/* Longer than a device may take that is not thought slow. */
static void dawdle(void)
{
	struct timespec left = {.tv_sec = 2, .tv_nsec = 200000000};

	while (nanosleep(&left, &left) < 0)
		continue;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
	cl_int code = layer_real->clWaitForEvents(count, events);

	if (strikes("fault_slow"))
		dawdle();
	return code == CL_SUCCESS && strikes("fault_late") ? CL_INVALID_EVENT : code;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	bool spoil = strikes("fault_short"), torn = is_meant("fault_torn");
	bool stale = torn || is_meant("fault_stale");
	bool replayed = getenv("OCLMM_FAULT_RECORD") || getenv("OCLMM_FAULT_REPLAY");
	const size_t tickets = 8;
	cl_int code;

	if (strikes("fault_blank"))
		return layer_real->clEnqueueMarkerWithWaitList(queue, wait_count, waits, event);
	code = layer_real->clEnqueueReadBuffer(queue, buffer,
	                                       spoil || stale || replayed ? CL_TRUE : blocking,
	                                       offset, size, to, wait_count, waits, event);
	if (code != CL_SUCCESS)
		return code;
	if (spoil)
		reads_shorten(to, size);
	if (stale)
		reads_swap(to, size,
		           strikes("fault_stale")  ? size
		           : strikes("fault_torn") ? size - tickets
		                                   : 0);
	reads_replay(to, size);
	return code;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetDeviceIDs = get_devices;
	own->clGetPlatformInfo = get_platform_info;
	own->clGetDeviceInfo = get_device_info;
	own->clGetProgramBuildInfo = get_build_info;
	own->clCreateContext = create_context;
	own->clCreateProgramWithSource = create_program;
	own->clBuildProgram = build_program;
	own->clCreateBuffer = create_buffer;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clEnqueueReadBuffer = read_buffer;
	own->clWaitForEvents = wait_for_events;
	create("OCLMM_FAULT_LOADED");
	return true;
}
