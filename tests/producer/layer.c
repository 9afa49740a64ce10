// SPDX-License-Identifier: Apache-2.0
/*
 * A device that takes SPIR-V, made of one that does not: a layer of the ICD
 * loader for which NAME.spv in the folder OCLMM_IL_FOLDER stands for NAME.cl
 * beside it, which the driver is given. With OCLMM_IL_REFUSE it refuses all, and
 * with OCLMM_IL_VERSION it says that it takes that. Test code only.
 */
#include "plant/icd_layer.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ICD_LAYER("oclmm il");

/* malloc-ed, and ends in a NUL that does not count; NULL where there is none. */
static char *read_file(const char *path, size_t *ret_length)
{
	FILE *file = fopen(path, "re");
	char *data = NULL;
	size_t capacity = 0, length = 0, size = 1;

	if (!file)
		return NULL;
	while (size > 0) {
		if (length + 1 >= capacity)
			data = realloc(data, capacity = 2 * capacity + 4096);
		size = fread(data + length, 1, capacity - length - 1, file);
		length += size;
	}
	data[length] = '\0';
	fclose(file);
	*ret_length = length;
	return data;
}

static bool is_module(const char *path, const void *il, size_t length)
{
	size_t size;
	char *data = read_file(path, &size);
	bool same = data && size == length && memcmp(data, il, length) == 0;

	free(data);
	return same;
}

/* The text that a module was made of. */
static char *find_source(const void *il, size_t length)
{
	const char *folder = getenv("OCLMM_IL_FOLDER");
	DIR *opened = folder ? opendir(folder) : NULL;
	const struct dirent *entry;
	char *source = NULL;
	size_t size;

	while (opened && !source && (entry = readdir(opened))) {
		char path[4096];
		const char *end = strrchr(entry->d_name, '.');

		if (!end || strcmp(end, ".spv") != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (!is_module(path, il, length))
			continue;
		strcpy(path + strlen(path) - strlen(end), ".cl");
		source = read_file(path, &size);
	}
	if (opened)
		closedir(opened);
	return source;
}

static cl_program CL_API_CALL create_il(cl_context context, const void *il, size_t length,
                                        cl_int *code)
{
	char *source = getenv("OCLMM_IL_REFUSE") ? NULL : find_source(il, length);
	cl_program program;

	*code = CL_INVALID_VALUE;
	if (!source)
		return NULL;
	program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&source, NULL,
	                                                code);
	free(source);
	return program;
}

/* No text may come by the other door. */
static cl_program CL_API_CALL create_source(cl_context context, cl_uint count, const char **strings,
                                            const size_t *lengths, cl_int *code)
{
	if (!getenv("OCLMM_IL_ONLY"))
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	*code = CL_INVALID_OPERATION;
	return NULL;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	const char *version = getenv("OCLMM_IL_VERSION");

	if (what != CL_DEVICE_IL_VERSION)
		return layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
	if (!version)
		version = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.4";
	if (ret_size)
		*ret_size = strlen(version) + 1;
	if (value && size > strlen(version))
		strcpy(value, version);
	return CL_SUCCESS;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetDeviceInfo = get_device_info;
	own->clCreateProgramWithIL = create_il;
	own->clCreateProgramWithSource = create_source;
	return true;
}
