// SPDX-License-Identifier: Apache-2.0
/* Which devices there are, and what each says of itself and claims. */
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- queries ---- */

/* A string of any length; never NULL. */
static char *query_string(cl_device_id id, cl_device_info what)
{
	size_t size = 0;
	char *text;

	if (clGetDeviceInfo(id, what, 0, NULL, &size) != CL_SUCCESS || size == 0)
		return oclmm_strdup("");
	text = oclmm_calloc(size + 1, 1);
	if (clGetDeviceInfo(id, what, size, text, NULL) != CL_SUCCESS)
		*text = '\0';
	return text;
}

static void copy_string(cl_device_id id, cl_device_info what, char *to, size_t size)
{
	char *text = query_string(id, what);

	snprintf(to, size, "%s", text);
	free(text);
}

/* The beginning of a name of any length. */
static int query_platform(cl_platform_id platform, struct oclmm_device_info *info,
                          struct oclmm_error *error)
{
	size_t size = 0;
	char *text;
	int r = OCLMM_CL_CALL(error, clGetPlatformInfo, platform, CL_PLATFORM_NAME, 0, NULL, &size);

	if (r < 0)
		return r;
	text = oclmm_calloc(size + 1, 1);
	r = OCLMM_CL_CALL(error, clGetPlatformInfo, platform, CL_PLATFORM_NAME, size, text, NULL);
	snprintf(info->platform, sizeof(info->platform), "%s", text);
	free(text);
	return r;
}

static int check_answer(cl_device_info what, cl_int code, struct oclmm_error *error)
{
	char call[40];

	snprintf(call, sizeof(call), "clGetDeviceInfo of 0x%04x", (unsigned)what);
	return oclmm_cl_check(error, call, code);
}

/*
 * ---- orders and scopes ----
 *
 * A device claims them by query from 3.0 on (A:4.2), by version before: 2.x must have them
 * all, 1.x has none. What its version and profile require it claims whatever it answers, so that
 * a wrong answer skips no test.
 */
#define ORDER(name) (1u << OCLMM_ORDER_##name)
#define SCOPE(name) (1u << OCLMM_SCOPE_##name)

static const cl_bitfield all_orders = CL_DEVICE_ATOMIC_ORDER_RELAXED |
                                      CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                      CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
static const cl_bitfield all_scopes = CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                      CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                                      CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

static int query_bits(cl_device_id id, cl_device_info what, cl_bitfield least,
                      struct oclmm_error *error, cl_bitfield *ret_bits)
{
	cl_bitfield bits = 0;
	int r = check_answer(what, clGetDeviceInfo(id, what, sizeof(bits), &bits, NULL), error);

	*ret_bits = bits | least;
	return r;
}

/* From 3.0 on. A device that does not answer must not count as one that has the least: it would
 * fail no test that needs more. */
static int query_capabilities(cl_device_id id, struct oclmm_error *error,
                              struct oclmm_device_info *info)
{
	const cl_bitfield least = CL_DEVICE_ATOMIC_ORDER_RELAXED |
	                          CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
	int r = query_bits(id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, least, error,
	                   &info->memory_capabilities);

	return r < 0 ? r
	             : query_bits(id, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
	                          least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL, error,
	                          &info->fence_capabilities);
}

/* Only an embedded profile may be without a compiler, and nothing is asked of a device of its own
 * kind. */
static void claim_least(cl_device_id id, struct oclmm_device_info *info)
{
	enum { LOCAL_FULL = 32768, LOCAL_EMBEDDED = 1024 };
	char profile[64] = "";
	bool full = clGetDeviceInfo(id, CL_DEVICE_PROFILE, sizeof(profile), profile, NULL) ==
	                    CL_SUCCESS &&
	            strcmp(profile, "FULL_PROFILE") == 0;
	cl_ulong local = full ? LOCAL_FULL : LOCAL_EMBEDDED;

	if (info->type & CL_DEVICE_TYPE_CUSTOM)
		return;
	info->compiler |= full;
	if (info->local_memory < local)
		info->local_memory = local;
}

/* A stronger order implies the weaker ones. */
static unsigned orders_of(cl_bitfield bits)
{
	unsigned orders = 0;

	if (bits & all_orders)
		orders |= ORDER(RELAXED);
	if (bits & (CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST))
		orders |= ORDER(ACQUIRE) | ORDER(RELEASE) | ORDER(ACQ_REL);
	if (bits & CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
		orders |= ORDER(SEQ_CST);
	return orders;
}

/* A wider scope implies the narrower ones; the work-item bit is about images and stands alone. */
static unsigned scopes_of(cl_bitfield bits)
{
	unsigned scopes = 0;

	if (bits & all_scopes)
		scopes |= SCOPE(WORK_GROUP);
	if (bits & (CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES))
		scopes |= SCOPE(DEVICE);
	if (bits & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
		scopes |= SCOPE(ALL_SVM_DEVICES);
	return scopes;
}

static int query_claims(cl_device_id id, const char *extensions, struct oclmm_error *error,
                        struct oclmm_device_info *info)
{
	cl_uint sub_groups = 0;
	int r = 0;

	claim_least(id, info);
	if (info->major < 2)
		return 0;
	if (info->major == 2)
		info->memory_capabilities = info->fence_capabilities = all_orders | all_scopes;
	else
		r = query_capabilities(id, error, info);
	if (r < 0)
		return r;
	info->orders_claimed = orders_of(info->memory_capabilities);
	info->fence_orders_claimed = orders_of(info->fence_capabilities);
	info->scopes_claimed = scopes_of(info->memory_capabilities);
	if (clGetDeviceInfo(id, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(sub_groups), &sub_groups,
	                    NULL) != CL_SUCCESS)
		sub_groups = 0;
	info->sub_groups = sub_groups > 0 || strstr(extensions, "cl_khr_subgroups");
	if (info->sub_groups)
		info->scopes_claimed |= SCOPE(SUB_GROUP);
	return 0;
}

/* ---- the rest ---- */

/* A device, and the first query that it fails to answer. */
struct survey {
	cl_device_id id;
	bool must_answer; /* from 3.0 on a device knows every query here (A:4.2) */
	struct oclmm_error *error;
	int r;
};

/* A query that an older device does not know leaves `value` as it is. Where a device has to know
 * it, no answer must not count as lacking: tests would be skipped instead of failing. */
static void query(struct survey *survey, cl_device_info what, size_t size, void *value)
{
	size_t given = 0;
	cl_int code = clGetDeviceInfo(survey->id, what, 0, NULL, &given);

	if (code == CL_SUCCESS && given == size)
		code = clGetDeviceInfo(survey->id, what, size, value, NULL);
	if (survey->must_answer && survey->r == 0)
		survey->r = check_answer(what, code, survey->error);
}

/* Whether every name is among a device's extensions; both have blanks between them. */
static bool has_all(const char *extensions, const char *names)
{
	while (*names) {
		size_t length = strcspn(names, " ");

		if (!memmem(extensions, strlen(extensions), names, length))
			return false;
		names += length + strspn(names + length, " ");
	}
	return true;
}

/* Headers are older than the extension. */
static void query_float_atomics(cl_device_id id, struct oclmm_device_info *info)
{
	static const cl_device_info queries[OCLMM_FLOAT_TYPES] = {
		0x4233, /* CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT */
		0x4231, /* …SINGLE… */
		0x4232, /* …DOUBLE… */
	};

	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++) {
		struct survey lenient = {.id = id};
		cl_bitfield bits = 0;

		query(&lenient, queries[i], sizeof(bits), &bits);
		info->float_atomics[i] = (unsigned)bits;
	}
}

/* C:7.2: of float and half they are optional. */
static void query_subnormals(cl_device_id id, struct oclmm_device_info *info)
{
	static const cl_device_info queries[OCLMM_FLOAT_TYPES] = {
		0x1033, /* CL_DEVICE_HALF_FP_CONFIG, of cl_khr_fp16 */
		CL_DEVICE_SINGLE_FP_CONFIG,
		CL_DEVICE_DOUBLE_FP_CONFIG,
	};

	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++) {
		struct survey lenient = {.id = id};
		cl_device_fp_config config = 0;

		query(&lenient, queries[i], sizeof(config), &config);
		if (config & CL_FP_DENORM)
			info->subnormals |= 1u << (OCLMM_TYPE_HALF + i);
	}
}

/* Whether an extension has a version below another; not where no version is told. */
static bool has_version_below(cl_device_id id, const char *name, cl_version version)
{
	size_t size = 0;
	cl_name_version *list;
	bool below = false;

	if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &size) != CL_SUCCESS ||
	    size < sizeof(*list))
		return false;
	list = oclmm_calloc(1, size);
	if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, list, NULL) == CL_SUCCESS)
		for (size_t i = 0; i < size / sizeof(*list); i++)
			if (strncmp(list[i].name, name, sizeof(list[i].name)) == 0)
				below = list[i].version < version;
	free(list);
	return below;
}

static void query_clocks(cl_device_id id, struct oclmm_device_info *info)
{
	enum { CLOCK_CAPABILITIES = 0x1076 }; /* headers may be older than the extension */
	static const enum oclmm_scope scopes[] = {OCLMM_SCOPE_DEVICE, OCLMM_SCOPE_WORK_GROUP,
	                                          OCLMM_SCOPE_SUB_GROUP}; /* bit by bit */
	cl_bitfield capabilities = 0;

	if (clGetDeviceInfo(id, CLOCK_CAPABILITIES, sizeof(capabilities), &capabilities, NULL) !=
	    CL_SUCCESS)
		return;
	for (size_t i = 0; i < OCLMM_COUNT(scopes); i++)
		if (capabilities >> i & 1)
			info->clocks |= 1u << scopes[i];
}

/* Functions that record have other parameters from 0.9.4 on, but for that of kernels. */
static void query_command_buffers(cl_device_id id, const char *extensions,
                                  struct oclmm_device_info *info)
{
	/* headers may be older than the extension, or than its later versions */
	enum {
		CAPABILITIES = 0x12A9,
		MUTABLE_CAPABILITIES = 0x12B0,
		LAUNCHES = OCLMM_LAUNCH_OFFSET | OCLMM_LAUNCH_SIZE | OCLMM_LAUNCH_LOCAL,
		ARGUMENTS = 1 << 3,
		SUPPORTED_PROPERTIES = 0x129A,
		AT_ONCE = 1 << 2,
		OUT_OF_ORDER = 1 << 3,
		SEVERAL_QUEUES = 1 << 4
	};
	cl_bitfield capabilities = 0, properties = 0, mutable = 0;

	info->command_buffers = true;
	info->recorded_as_before_0_9_4 = has_version_below(id, "cl_khr_command_buffer",
	                                                   CL_MAKE_VERSION(0, 9, 4));
	if (clGetDeviceInfo(id, CAPABILITIES, sizeof(capabilities), &capabilities, NULL) !=
	    CL_SUCCESS)
		capabilities = 0;
	if (clGetDeviceInfo(id, SUPPORTED_PROPERTIES, sizeof(properties), &properties, NULL) !=
	    CL_SUCCESS)
		properties = 0;
	info->replays_at_once = capabilities & AT_ONCE;
	info->several_queues = has_all(extensions, "cl_khr_command_buffer_multi_device") &&
	                       capabilities & SEVERAL_QUEUES;
	if (has_all(extensions, "cl_khr_command_buffer_mutable_dispatch") &&
	    !has_version_below(id, "cl_khr_command_buffer_mutable_dispatch",
	                       CL_MAKE_VERSION(0, 9, 2)) &&
	    clGetDeviceInfo(id, MUTABLE_CAPABILITIES, sizeof(mutable), &mutable, NULL) ==
	            CL_SUCCESS) {
		info->changed_arguments = mutable & ARGUMENTS;
		info->changed_launches = (unsigned)mutable & LAUNCHES;
	}
	info->unordered_recordings = capabilities & OUT_OF_ORDER ||
	                             properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

/* A device without the extension has no such types, and neither has one that does not tell. */
static void query_svm_types(cl_device_id id, struct oclmm_device_info *info)
{
	enum { TYPES = 0x1077 /* CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR */ };
	size_t size = 0;
	cl_bitfield *types;

	info->unified_svm = true;
	if (clGetDeviceInfo(id, TYPES, 0, NULL, &size) != CL_SUCCESS || size < sizeof(*types))
		return;
	types = oclmm_calloc(1, size);
	if (clGetDeviceInfo(id, TYPES, size, types, NULL) == CL_SUCCESS)
		for (size_t i = 0; i < size / sizeof(*types) && i < OCLMM_SVM_TYPES_MOST; i++)
			info->svm_types[i] = types[i];
	free(types);
}

static void query_extensions(struct survey *survey, struct oclmm_device_info *info)
{
	char *extensions = query_string(survey->id, CL_DEVICE_EXTENSIONS);

	if (has_all(extensions, "cl_khr_command_buffer"))
		query_command_buffers(survey->id, extensions, info);
	info->external_memory = has_all(extensions, "cl_khr_external_memory");
	info->external_files = has_all(extensions, "cl_khr_external_memory_opaque_fd") &&
	                       oclmm_opencl()->clCreateBufferWithProperties_;
	info->buffer_addresses = has_all(extensions, "cl_ext_buffer_device_address") &&
	                         oclmm_opencl()->clCreateBufferWithProperties_;
	if (has_all(extensions, "cl_khr_unified_svm"))
		query_svm_types(survey->id, info);
	info->semaphores = has_all(extensions, "cl_khr_semaphore");
	if (has_all(extensions, "cl_khr_kernel_clock"))
		query_clocks(survey->id, info);
	info->split_barriers = has_all(extensions, "cl_intel_split_work_group_barrier");
	info->int64_atomics = has_all(extensions, oclmm_type_extensions(OCLMM_TYPE_LONG));
	info->fp16 = has_all(extensions, "cl_khr_fp16");
	info->fp64 = has_all(extensions, "cl_khr_fp64");
	query_subnormals(survey->id, info);
	if (has_all(extensions, "cl_ext_float_atomics"))
		query_float_atomics(survey->id, info);
	if (survey->r == 0)
		survey->r = query_claims(survey->id, extensions, survey->error, info);
	free(extensions);
}

uint32_t oclmm_device_units(const struct oclmm_device_info *info)
{
	uint32_t units = info->compute_units ? info->compute_units : 1;

	if ((info->type & CL_DEVICE_TYPE_CPU) && info->processors && info->processors < units)
		return info->processors;
	return units;
}

static cl_uint count_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (cl_uint)CPU_COUNT(&set) : 0;
}

/* The first query is of 3.0; in 2.x queues on the device are mandatory from 2.0 on, and counted. */
static bool has_device_enqueue(struct survey *survey, unsigned major)
{
	cl_device_device_enqueue_capabilities capabilities = 0;
	cl_uint queues = 0;

	query(survey, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof(capabilities), &capabilities);
	query(survey, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(queues), &queues);
	return major >= 3 ? capabilities & CL_DEVICE_QUEUE_SUPPORTED : queues > 0;
}

/* A device without a version would lack all that tests need, and a run would end without any test.
 */
static int check_info(const struct oclmm_device_info *info, struct oclmm_error *error)
{
	if (!*info->platform || !*info->name || !*info->version || info->max_work_group_size == 0)
		return oclmm_error_set(error, -EIO, "a driver that says nothing of its device");
	if (info->major == 0)
		return oclmm_error_set(error, -EIO,
		                       "a driver that gives its device no version (A:4.2): '%s'",
		                       info->version);
	return 0;
}

static void copy_strings(cl_device_id id, struct oclmm_device_info *info)
{
	copy_string(id, CL_DEVICE_NAME, info->name, sizeof(info->name));
	copy_string(id, CL_DEVICE_VENDOR, info->vendor, sizeof(info->vendor));
	copy_string(id, CL_DRIVER_VERSION, info->driver, sizeof(info->driver));
	copy_string(id, CL_DEVICE_OPENCL_C_VERSION, info->c_version, sizeof(info->c_version));
	/* CL_DEVICE_IL_VERSION_KHR of cl_khr_il_program has the same number */
	copy_string(id, CL_DEVICE_IL_VERSION, info->il_version, sizeof(info->il_version));
	if ((info->major > 2 || (info->major == 2 && info->minor > 0)) &&
	    !oclmm_opencl()->clCreateProgramWithIL_)
		info->il_version[0] = '\0';
}

/* The functions of shared virtual memory are all there. */
static bool has_svm_calls(void)
{
	const struct oclmm_opencl *t = oclmm_opencl();

	return t->clSVMAlloc_ && t->clSVMFree_ && t->clSetKernelArgSVMPointer_ &&
	       t->clSetKernelExecInfo_ && t->clEnqueueSVMMap_ && t->clEnqueueSVMUnmap_ &&
	       t->clEnqueueSVMMemcpy_ && t->clEnqueueSVMMemFill_;
}

static int query_device(cl_platform_id platform, cl_device_id id, struct oclmm_error *error,
                        struct oclmm_device_info *ret_info)
{
	struct oclmm_device_info info = {0};
	struct survey survey = {.id = id, .error = error};
	cl_command_queue_properties queues = 0;
	cl_bool generic = CL_FALSE, compiler = CL_FALSE, collectives = CL_FALSE, pipes = CL_FALSE,
		image_support = CL_FALSE;
	int r;

	r = OCLMM_CL_CALL(error, clGetDeviceInfo, id, CL_DEVICE_TYPE, sizeof(info.type), &info.type,
	                  NULL);
	if (r == 0)
		r = query_platform(platform, &info, error);
	if (r < 0)
		return r;
	copy_string(id, CL_DEVICE_VERSION, info.version, sizeof(info.version));
	if (sscanf(info.version, "OpenCL %9u.%9u", &info.major, &info.minor) != 2)
		info.major = info.minor = 0;
	copy_strings(id, &info);
	survey.must_answer = info.major >= 3 && !(info.type & CL_DEVICE_TYPE_CUSTOM);
	query(&survey, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(info.compute_units),
	      &info.compute_units);
	query(&survey, CL_DEVICE_ADDRESS_BITS, sizeof(info.address_bits), &info.address_bits);
	info.processors = count_processors();
	query(&survey, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(info.max_work_group_size),
	      &info.max_work_group_size);
	query(&survey, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(info.global_memory), &info.global_memory);
	query(&survey, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(info.local_memory), &info.local_memory);
	query(&survey, CL_DEVICE_SVM_CAPABILITIES, sizeof(info.svm_capabilities),
	      &info.svm_capabilities);
	if (!has_svm_calls())
		info.svm_capabilities = 0;
	query(&survey, CL_DEVICE_QUEUE_PROPERTIES, sizeof(queues), &queues);
	info.device_enqueue = has_device_enqueue(&survey, info.major) &&
	                      oclmm_opencl()->clCreateCommandQueueWithProperties_;
	info.unordered_queues = queues & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	query(&survey, CL_DEVICE_COMPILER_AVAILABLE, sizeof(compiler), &compiler);
	info.compiler = compiler;
	query(&survey, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(info.program_scope),
	      &info.program_scope);
	query(&survey, CL_DEVICE_IMAGE_SUPPORT, sizeof(image_support), &image_support);
	info.images_2d = image_support && info.major >= 2;
	query(&survey, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(info.images), &info.images);
	query(&survey, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(info.image_elements),
	      &info.image_elements);
	query(&survey, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof(generic), &generic);
	query(&survey, CL_DEVICE_PIPE_SUPPORT, sizeof(pipes), &pipes);
	query(&survey, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(collectives),
	      &collectives);
	/* mandatory in 2.x, where there is no query for it */
	info.generic_address_space = generic || info.major == 2;
	info.collectives = collectives || info.major == 2;
	info.pipes = (pipes || info.major == 2) && oclmm_opencl()->clCreatePipe_;
	info.short_loops = strncmp(info.name, "llvmpipe", 8) == 0;
	query_extensions(&survey, &info);
	r = check_info(&info, error);
	if (r == 0)
		r = survey.r;
	if (r < 0)
		return r;
	*ret_info = info;
	return 0;
}

/*
 * ---- PoCL's cache ----
 *
 * PoCL shows no device when it cannot write its cache, and says why only where nobody reads it.
 */
/* Where it would be. Returns the variable that says so. */
static const char *find_folder(char *path, size_t size)
{
	static const struct {
		const char *variable, *below;
	} places[] = {{"POCL_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/pocl"}, {"HOME", "/.cache"}};

	for (size_t i = 0; i < OCLMM_COUNT(places); i++) {
		const char *value = getenv(places[i].variable);

		if (value && (size_t)snprintf(path, size, "%s%s", value, places[i].below) < size)
			return places[i].variable;
	}
	return NULL;
}

/* By trying: permissions bind neither a superuser nor every file system. */
static bool can_write(const char *folder)
{
	char path[4200];
	int file;

	snprintf(path, sizeof(path), "%s/oclmm-XXXXXX", folder);
	file = mkstemp(path);
	if (file < 0)
		return false;
	close(file);
	unlink(path);
	return true;
}

static int check_cache(cl_platform_id platform, struct oclmm_error *error)
{
	char name[64] = "", path[4096], *end;
	const char *variable = find_folder(path, sizeof(path));

	if (!variable ||
	    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL) != 0 ||
	    strcmp(name, "Portable Computing Language") != 0)
		return 0;
	/* what is not there is made, in the nearest folder that is */
	while (access(path, F_OK) < 0 && (end = strrchr(path, '/')))
		end[end == path] = '\0';
	if (can_write(access(path, F_OK) < 0 ? "." : path))
		return 0;
	return oclmm_error_set(error, -EIO,
	                       "%s shows no device, and cannot write its cache: %s, by %s: %s",
	                       name, path, variable, strerror(errno));
}

/* ---- the list ---- */

static void note_left_out(struct oclmm_device_list *list, const struct oclmm_error *error)
{
	if (*list->left_out.message)
		return;
	list->left_out = *error;
	list->left_out_at = list->count;
}

/*
 * Passes over platforms without devices and those that fail to answer; `error` says why the last
 * one did.
 */
static void add_platform(struct oclmm_device_list *list, cl_platform_id platform,
                         struct oclmm_error *error)
{
	cl_uint count = 0;
	cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
	cl_device_id *ids;

	if (code == CL_DEVICE_NOT_FOUND)
		check_cache(platform, error);
	if (code == CL_DEVICE_NOT_FOUND || oclmm_cl_check(error, "clGetDeviceIDs", code) < 0 ||
	    count == 0)
		return;
	ids = oclmm_calloc(count, sizeof(*ids));
	if (OCLMM_CL_CALL(error, clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, count, ids, NULL) <
	    0)
		count = 0;
	list->devices = oclmm_realloc(list->devices,
	                              (list->count + count + 1) * sizeof(*list->devices));
	list->ids = oclmm_realloc(list->ids, (list->count + count + 1) * sizeof(cl_device_id));
	for (cl_uint i = 0; i < count; i++) {
		if (query_device(platform, ids[i], error, &list->devices[list->count]) < 0) {
			note_left_out(list, error);
			continue;
		}
		list->ids[list->count++] = ids[i];
	}
	free(ids);
}

/* Whether PoCL binds its threads to processors. */
static const char binding[] = "POCL_AFFINITY";

/*
 * PoCL's threads share a core whenever the machine is busy, and then no two
 * work-groups ever run at the same time; bound to cores they do. A user who
 * set the variable is left alone.
 */
static void prepare_drivers(void)
{
	setenv(binding, "1", 0);
}

bool oclmm_devices_bind(bool bind)
{
	if (bind)
		return setenv(binding, "1", 1) == 0;
	return !getenv(binding) && setenv(binding, "0", 1) == 0;
}

int oclmm_devices_list(struct oclmm_error *error, struct oclmm_device_list *ret_list)
{
	struct oclmm_device_list list = {0};
	struct oclmm_error failed = {0};
	cl_platform_id *platforms;
	const char *missing;
	bool broken;
	cl_uint count = 0;
	cl_int code;
	int r;

	prepare_drivers();
	missing = oclmm_opencl_missing(&broken);
	/* without a loader there is nothing to run; one that cannot be used has failed */
	if (broken)
		return oclmm_error_set(error, -EIO, "%s", missing);
	code = clGetPlatformIDs(0, NULL, &count);
	if (code == PLATFORM_NOT_FOUND_KHR)
		count = 0;
	else if ((r = oclmm_cl_check(error, "clGetPlatformIDs", code)) < 0)
		return r;
	platforms = oclmm_calloc((size_t)count + 1, sizeof(cl_platform_id));
	if (count > 0 && (r = OCLMM_CL_CALL(error, clGetPlatformIDs, count, platforms, NULL)) < 0) {
		free(platforms);
		return r;
	}
	/* a NULL platform would be the loader's choice */
	for (cl_uint i = 0; i < count; i++)
		if (oclmm_cl_made(&failed, "clGetPlatformIDs", platforms[i], CL_SUCCESS) == 0)
			add_platform(&list, platforms[i], &failed);
	free(platforms);
	/* a machine without devices has nothing to run; one whose only driver is broken has failed
	 */
	if (list.count == 0 && *failed.message) {
		oclmm_device_list_finish(&list);
		*error = failed;
		return -EIO;
	}
	*ret_list = list;
	return 0;
}

void oclmm_device_list_finish(struct oclmm_device_list *list)
{
	if (!list)
		return;
	free(list->devices);
	free(list->ids);
	memset(list, 0, sizeof(*list));
}
