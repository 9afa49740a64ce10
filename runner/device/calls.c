// SPDX-License-Identifier: Apache-2.0
/* Calls that several rooms make, each with its check. */
/* what every version has */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "internal.h"

int oclmm_queue_create(const struct oclmm_device *device, cl_command_queue_properties properties,
                       struct oclmm_error *error, cl_command_queue *ret_queue)
{
	cl_int code;

	*ret_queue = clCreateCommandQueue(device->context, device->id, properties, &code);
	return oclmm_cl_made(error, "clCreateCommandQueue", *ret_queue, code);
}

int oclmm_buffer_create(const struct oclmm_device *device, size_t bytes, struct oclmm_error *error,
                        cl_mem *ret_buffer)
{
	cl_int code;

	*ret_buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	return oclmm_cl_made(error, "clCreateBuffer", *ret_buffer, code);
}

int oclmm_kernel_create(cl_program program, const char *name, struct oclmm_error *error,
                        cl_kernel *ret_kernel)
{
	cl_int code;

	*ret_kernel = clCreateKernel(program, name, &code);
	return oclmm_cl_made(error, "clCreateKernel", *ret_kernel, code);
}

int oclmm_argument_set(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                       struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clSetKernelArg, kernel, index, size, value);
}

int oclmm_kernel_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                         const size_t *global, const size_t *local, cl_event *ret_done,
                         struct oclmm_error *error)
{
	return oclmm_kernel_enqueue_at(queue, kernel, dimensions, NULL, global, local, ret_done,
	                               error);
}

int oclmm_kernel_enqueue_at(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                            const size_t *offset, const size_t *global, const size_t *local,
                            cl_event *ret_done, struct oclmm_error *error)
{
	cl_int code;

	if (ret_done)
		*ret_done = NULL;
	code = clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, 0, NULL,
	                              ret_done);
	return oclmm_cl_made(error, "clEnqueueNDRangeKernel", ret_done ? (void *)*ret_done : kernel,
	                     code);
}
