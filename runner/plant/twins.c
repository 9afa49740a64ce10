// SPDX-License-Identifier: Apache-2.0
/*
 * Plants that act in some launches only. The application keeps its program and
 * kernels; beside each stands a changed twin that is built with the same
 * options and gets the same arguments, and a launch in which the plant acts
 * runs the twin. Programs that are compiled and linked apart, or are cloned,
 * have none.
 */
#include "layer.h"
#include "oclmm/base.h"

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

void twins_add(cl_program program, cl_program twin)
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

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
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

static bool acts(struct known_kernel *known, const struct command *command)
{
	uint64_t launch = known->launches++;

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

void twins_init(struct _cl_icd_dispatch *layer)
{
	layer->clBuildProgram = build_program;
	layer->clReleaseProgram = release_program;
	layer->clCreateKernel = create_kernel;
	layer->clCreateKernelsInProgram = create_kernels;
	layer->clReleaseKernel = kernels_release;
	layer->clSetKernelArg = set_argument;
	layer->clSetKernelArgSVMPointer = set_pointer;
	layer->clSetKernelExecInfo = set_info;
	commands_init(layer, COMMAND_KERNEL, launch);
}
