// SPDX-License-Identifier: Apache-2.0
/*
 * Programs by the other door: a text is made into SPIR-V by programs of the
 * machine, and the driver sees the module alone. What it says of memory is
 * compared with the test, so that a bug of those programs is told from one of
 * the driver.
 */
#include "internal.h"

#include <CL/cl_ext.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "producer/producer.h"

/* The newest version that has rules of OpenCL which spirv-val knows. */
enum { NEWEST_MAJOR = 1, NEWEST_MINOR = 2 };

static const struct producer *chosen;

void oclmm_device_take_il(const struct producer *producer)
{
	chosen = producer;
}

const struct producer *oclmm_il_producer(void)
{
	return chosen;
}

const char *oclmm_device_il(const struct oclmm_device *device)
{
	return device->producer ? producer_words(device->producer) : NULL;
}

struct oclmm_il_found oclmm_device_il_found(const struct oclmm_device *device)
{
	struct oclmm_il_found found = device->found;

	for (uint32_t i = 0; i < OCLMM_DEVICES_MAX; i++) {
		if (!device->several[i])
			continue;
		found.operations += device->several[i]->found.operations;
		found.classless += device->several[i]->found.classless;
	}
	return found;
}

/* `SPIR-V_1.0 SPIR-V_1.2`, A:4.2 */
bool oclmm_device_il_version(const struct oclmm_device_info *info, unsigned *ret_major,
                             unsigned *ret_minor)
{
	static const char prefix[] = "SPIR-V_";
	bool any = false;

	for (const char *at = info->il_version; (at = strstr(at, prefix));) {
		unsigned major, minor;

		at += strlen(prefix);
		if (sscanf(at, "%u.%u", &major, &minor) != 2 || major != NEWEST_MAJOR ||
		    minor > NEWEST_MINOR || (any && minor < *ret_minor))
			continue;
		*ret_major = major;
		*ret_minor = minor;
		any = true;
	}
	return any;
}

/* The compiler in front of the module is told what the device has not: what clang has by default,
 * it would use. Clang 14 knows -cl-ext behind -Xclang only. */
static void print_options(const struct oclmm_device *device, struct oclmm_text *options)
{
	oclmm_text_init(options);
	oclmm_text_add(options, device->options);
	if (!device->info.generic_address_space && strstr(device->options, "CL3.0"))
		oclmm_text_add(options,
		               " -Xclang -cl-ext=-__opencl_c_generic_address_space,"
		               "-__opencl_c_device_enqueue,-__opencl_c_pipes,"
		               "-__opencl_c_program_scope_global_variables,-__opencl_c_subgroups");
}

void oclmm_il_forget(struct oclmm_device *device)
{
	oclmm_text_finish(&device->last.module);
	device->last.hash = 0;
}

/* The module of a text, which stays the device's until the next one. */
static int translate(struct oclmm_device *device, const char *source, struct oclmm_error *error)
{
	uint64_t hash = oclmm_hash(source, strlen(source));
	struct producer_version version;
	struct oclmm_text options, module;
	int r;

	if (device->last.hash == hash)
		return 0;
	if (!oclmm_device_il_version(&device->info, &version.major, &version.minor))
		return oclmm_error_set(error, -ENOTSUP, "the device takes no SPIR-V up to %d.%d",
		                       NEWEST_MAJOR, NEWEST_MINOR);
	print_options(device, &options);
	r = producer_translate(device->producer, version, oclmm_text_string(&options), source,
	                       error, &module);
	oclmm_text_finish(&options);
	if (r < 0)
		return r;
	oclmm_il_forget(device);
	device->last.module = module;
	device->last.hash = hash;
	return 0;
}

/* Of OpenCL 2.1, or of cl_khr_il_program before. */
static cl_program create(const struct oclmm_device *device, const struct oclmm_text *module,
                         cl_int *code)
{
	clCreateProgramWithILKHR_fn call = NULL;
	cl_platform_id platform;

	if (device->info.major > 2 || (device->info.major == 2 && device->info.minor > 0))
		return clCreateProgramWithIL(device->context, module->data, module->length, code);
	*code = clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform,
	                        NULL);
	if (*code != CL_SUCCESS)
		return NULL;
	*(void **)&call = clGetExtensionFunctionAddressForPlatform(platform,
	                                                           "clCreateProgramWithILKHR");
	*code = CL_INVALID_OPERATION;
	return call ? call(device->context, module->data, module->length, code) : NULL;
}

int oclmm_il_create(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                    cl_program *ret_program)
{
	cl_int code;
	int r = translate(device, source, error);

	if (r < 0)
		return r;
	*ret_program = create(device, &device->last.module, &code);
	return oclmm_cl_made(error, "clCreateProgramWithIL", *ret_program, code);
}

/*
 * All else was clang's affair. Without the version Intel's runtime for CPUs
 * takes a module for one of OpenCL C 1.2, and its atomics for those of that.
 */
const char *oclmm_il_options(const struct oclmm_device *device)
{
	return device->producer ? device->il_options : device->options;
}

static int check(struct oclmm_device *device, const struct oclmm_spirv_module *module,
                 const struct oclmm_program *const *programs, uint32_t count, uint32_t threads,
                 struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < count; i++) {
		char suffix[OCLMM_SUFFIX_SIZE];
		struct oclmm_spirv_found found;

		oclmm_test_suffix(i, suffix);
		r = oclmm_spirv_check(module, programs[i], threads, suffix, error, &found);
		if (r < 0)
			break;
		device->found.operations += found.operations;
		device->found.classless += found.classless;
	}
	return r;
}

int oclmm_device_check_il(struct oclmm_device *device, const char *source,
                          const struct oclmm_program *const *programs, uint32_t count,
                          uint32_t threads, struct oclmm_error *error)
{
	struct oclmm_spirv_module *module;
	int r = translate(device, source, error);

	if (r < 0)
		return r;
	r = oclmm_spirv_read(device->last.module.data, device->last.module.length, error, &module);
	if (r < 0)
		return -EBADMSG;
	r = oclmm_spirv_check_barriers(module, source, error);
	if (r == 0)
		r = check(device, module, programs, count, threads, error);
	oclmm_spirv_destroy(module);
	return r;
}
