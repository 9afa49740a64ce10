// SPDX-License-Identifier: Apache-2.0
/*
 * Device addresses of buffers for a driver that has none: a layer of the ICD loader (OPENCL_LAYERS)
 * that adds cl_ext_buffer_device_address to what the devices claim. A buffer with an address lies
 * in shared virtual memory, whose pointer is the address, and a kernel that is given the address is
 * given that pointer.
 *
 * OCLMM_ADDRESS_LACK names a function that is claimed and not there; `extension`: it is not
 * claimed; `address`: buffers have none.
 */
#include "plant/icd_layer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm buffer addresses");

static const char extension[] = "cl_ext_buffer_device_address";

/* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_MEM_DEVICE_ADDRESS_EXT */
enum { PRIVATE_ADDRESS = 0x5000, DEVICE_ADDRESS = 0x5001 };

static struct addressed {
	_Atomic(cl_mem) buffer; /* NULL: released */
	cl_context context;
	void *memory;
} table[4096];
enum { TABLE_MOST = sizeof(table) / sizeof(*table) };

static struct addressed *find(cl_mem buffer)
{
	for (size_t i = 0; i < TABLE_MOST; i++)
		if (table[i].buffer == buffer)
			return &table[i];
	return NULL;
}

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_ADDRESS_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

static void CL_CALLBACK forget(cl_mem buffer, void *data)
{
	struct addressed *addressed = data;

	(void)buffer;
	layer_real->clSVMFree(addressed->context, addressed->memory);
	addressed->buffer = NULL;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, const cl_mem_properties *properties,
                                        cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
	struct addressed *addressed = find(NULL);
	cl_int result = CL_OUT_OF_RESOURCES;
	cl_mem buffer = NULL;

	if (!properties || properties[0] != PRIVATE_ADDRESS || !properties[1])
		return layer_real->clCreateBufferWithProperties(context, properties, flags, size,
		                                                host, code);
	if (addressed) {
		addressed->context = context;
		addressed->memory = layer_real->clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
	}
	if (addressed && addressed->memory)
		buffer = layer_real->clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, size,
		                                    addressed->memory, &result);
	if (buffer) {
		addressed->buffer = buffer;
		layer_real->clSetMemObjectDestructorCallback(buffer, forget, addressed);
	}
	if (code)
		*code = result;
	return buffer;
}

static cl_int CL_API_CALL get_buffer_info(cl_mem buffer, cl_mem_info what, size_t size, void *value,
                                          size_t *ret_size)
{
	const struct addressed *addressed = what == DEVICE_ADDRESS ? find(buffer) : NULL;
	cl_ulong address;

	if (what != DEVICE_ADDRESS)
		return layer_real->clGetMemObjectInfo(buffer, what, size, value, ret_size);
	if (!addressed)
		return CL_INVALID_OPERATION;
	address = lacks("address") ? 0 : (cl_ulong)(uintptr_t)addressed->memory;
	return claims_answer(&address, sizeof(address), size, value, ret_size);
}

static cl_int CL_API_CALL set_address(cl_kernel kernel, cl_uint index, cl_ulong address)
{
	return layer_real->clSetKernelArgSVMPointer(kernel, index,
	                                            (const void *)(uintptr_t)address);
}

static void *CL_API_CALL find_function(cl_platform_id platform, const char *name)
{
	cl_int(CL_API_CALL * own)(cl_kernel, cl_uint, cl_ulong) = set_address;
	void *address;

	if (strcmp(name, "clSetKernelArgDevicePointerEXT") != 0)
		return layer_real->clGetExtensionFunctionAddressForPlatform(platform, name);
	memcpy(&address, &own, sizeof(address));
	return lacks(name) ? NULL : address;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetExtensionFunctionAddressForPlatform = find_function;
	claims_begin(own, lacks("extension") ? NULL : extension);
	own->clGetMemObjectInfo = get_buffer_info;
	own->clCreateBufferWithProperties = create_buffer;
	return true;
}
