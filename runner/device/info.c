// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string that the driver gives, however long; never NULL. */
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

/* However long it is, its beginning. */
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

/* A device that is asked, and the first question that it fails to answer. */
struct survey {
	cl_device_id id;
	bool must_answer; /* from 3.0 on it knows all that is asked here (A:4.2) */
	struct oclmm_error *error;
	int r;
};

int oclmm_device_answered(cl_device_info what, cl_int code, struct oclmm_error *error)
{
	char call[40];

	snprintf(call, sizeof(call), "clGetDeviceInfo of 0x%04x", (unsigned)what);
	return oclmm_cl_check(error, call, code);
}

/* Queries that an older device does not know leave `value` as it is. Of one that has to know them
 * what it does not say must not count as what it lacks: tests would be skipped, and fail nothing.
 */
static void query(struct survey *survey, cl_device_info what, size_t size, void *value)
{
	size_t given = 0;
	cl_int code = clGetDeviceInfo(survey->id, what, 0, NULL, &given);

	if (code == CL_SUCCESS && given == size)
		code = clGetDeviceInfo(survey->id, what, size, value, NULL);
	if (survey->must_answer && survey->r == 0)
		survey->r = oclmm_device_answered(what, code, survey->error);
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

static void query_extensions(struct survey *survey, struct oclmm_device_info *info)
{
	char *extensions = query_string(survey->id, CL_DEVICE_EXTENSIONS);

	info->int64_atomics = has_all(extensions, oclmm_type_extensions(OCLMM_TYPE_LONG));
	info->fp16 = has_all(extensions, "cl_khr_fp16");
	info->fp64 = has_all(extensions, "cl_khr_fp64");
	if (has_all(extensions, "cl_ext_float_atomics"))
		query_float_atomics(survey->id, info);
	if (survey->r == 0)
		survey->r = oclmm_device_claims(survey->id, extensions, survey->error, info);
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

/* What nobody can do without. A device of no version would lack all that tests need, and its run
 * would be done without any. */
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
	copy_string(id, CL_DEVICE_VERSION, info->version, sizeof(info->version));
	copy_string(id, CL_DEVICE_OPENCL_C_VERSION, info->c_version, sizeof(info->c_version));
	/* CL_DEVICE_IL_VERSION_KHR of cl_khr_il_program has the same number */
	copy_string(id, CL_DEVICE_IL_VERSION, info->il_version, sizeof(info->il_version));
}

int oclmm_device_query(cl_platform_id platform, cl_device_id id, struct oclmm_error *error,
                       struct oclmm_device_info *ret_info)
{
	struct oclmm_device_info info = {0};
	struct survey survey = {.id = id, .error = error};
	cl_command_queue_properties queues = 0;
	cl_bool generic = CL_FALSE, compiler = CL_FALSE, collectives = CL_FALSE, pipes = CL_FALSE;
	int r;

	r = OCLMM_CL_CALL(error, clGetDeviceInfo, id, CL_DEVICE_TYPE, sizeof(info.type), &info.type,
	                  NULL);
	if (r == 0)
		r = query_platform(platform, &info, error);
	if (r < 0)
		return r;
	copy_strings(id, &info);
	if (sscanf(info.version, "OpenCL %9u.%9u", &info.major, &info.minor) != 2)
		info.major = info.minor = 0;
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
	query(&survey, CL_DEVICE_QUEUE_PROPERTIES, sizeof(queues), &queues);
	info.device_enqueue = has_device_enqueue(&survey, info.major);
	info.unordered_queues = queues & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	query(&survey, CL_DEVICE_COMPILER_AVAILABLE, sizeof(compiler), &compiler);
	info.compiler = compiler;
	query(&survey, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(info.program_scope),
	      &info.program_scope);
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
	info.pipes = pipes || info.major == 2;
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
