// SPDX-License-Identifier: Apache-2.0
/*
 * Types of SVM for a driver whose fine-grained shared virtual memory can do all that they can: a
 * layer of the ICD loader (OPENCL_LAYERS) that adds cl_khr_unified_svm to what the devices claim.
 * Each allocation is one of the driver's own. What an allocation must not be used for is refused:
 * it has to be associated with a device where its type says so.
 *
 * OCLMM_UNIFIED_SVM_LACK names a function that is claimed and not there, or a capability that no
 * type has: its number; `extension`: it is not claimed; `types`: the device has none;
 * `allocation`: each fails.
 */
#include "plant/icd_layer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm types of SVM");

static const char extension[] = "cl_khr_unified_svm";

/* CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR */
enum { TYPES = 0x1077, ASSOCIATED_DEVICE = 0x2078 };

/* cl_svm_capabilities_khr */
enum {
	SINGLE_ADDRESS_SPACE = 1 << 0,
	SYSTEM_ALLOCATED = 1 << 1,
	DEVICE_OWNED = 1 << 2,
	UNASSOCIATED = 1 << 3,
	CONTEXT_ACCESS = 1 << 4,
	HOST_OWNED = 1 << 5,
	HOST_ACCESS = 3 << 6,
	HOST_MAP = 1 << 8,
	DEVICE_ACCESS = 3 << 9,
	ATOMIC_ACCESS = 1 << 11,
	CONCURRENT_ACCESS = 1 << 12,
	INDIRECT_ACCESS = 1 << 14,
	USED = SINGLE_ADDRESS_SPACE | DEVICE_ACCESS | ATOMIC_ACCESS
};

/* In the order of the extension's table: coarse-grained, one that the device lacks, device, host,
 * single-device shared, system. */
static const cl_bitfield types[] = {
	USED | UNASSOCIATED | CONTEXT_ACCESS | HOST_MAP,
	0,
	USED | DEVICE_OWNED | INDIRECT_ACCESS,
	USED | HOST_OWNED | UNASSOCIATED | CONTEXT_ACCESS | HOST_ACCESS | CONCURRENT_ACCESS |
		INDIRECT_ACCESS,
	USED | HOST_ACCESS | CONCURRENT_ACCESS | INDIRECT_ACCESS,
	USED | SYSTEM_ALLOCATED | UNASSOCIATED | CONTEXT_ACCESS | HOST_ACCESS | HOST_MAP |
		CONCURRENT_ACCESS | INDIRECT_ACCESS,
};
enum { TYPE_COUNT = sizeof(types) / sizeof(*types) };

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_UNIFIED_SVM_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	cl_bitfield own[TYPE_COUNT];
	char number[8];

	if (what != TYPES || lacks("types"))
		return claims_device_info(device, what, size, value, ret_size);
	memcpy(own, types, sizeof(own));
	for (int i = 0; i < 15; i++) {
		snprintf(number, sizeof(number), "%d", i);
		for (size_t k = 0; lacks(number) && k < TYPE_COUNT; k++)
			own[k] &= ~((cl_bitfield)1 << i);
	}
	return claims_answer(own, sizeof(own), size, value, ret_size);
}

static bool is_associated(const cl_ulong *properties)
{
	return properties && properties[0] == ASSOCIATED_DEVICE && properties[1] != 0 &&
	       properties[2] == 0;
}

static void *CL_API_CALL allocate(cl_context context, const cl_ulong *properties, cl_uint type,
                                  size_t size, cl_int *code)
{
	cl_int result = CL_SUCCESS;
	void *memory = NULL;

	if (type >= TYPE_COUNT)
		result = CL_INVALID_VALUE;
	else if (!types[type])
		result = CL_INVALID_OPERATION;
	else if (properties ? !is_associated(properties) : !(types[type] & UNASSOCIATED))
		result = CL_INVALID_PROPERTY;
	else if (!lacks("allocation"))
		memory = layer_real->clSVMAlloc(context,
		                                CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
		                                size, 0);
	if (result == CL_SUCCESS && !memory)
		result = CL_OUT_OF_RESOURCES;
	if (code)
		*code = result;
	return memory;
}

static cl_int CL_API_CALL release(cl_context context, const cl_ulong *properties, cl_bitfield flags,
                                  void *memory)
{
	if ((properties && properties[0]) || flags)
		return CL_INVALID_VALUE;
	layer_real->clSVMFree(context, memory);
	return CL_SUCCESS;
}

static void *CL_API_CALL find_function(cl_platform_id platform, const char *name)
{
	void *(CL_API_CALL * own_allocate)(cl_context, const cl_ulong *, cl_uint, size_t,
	                                   cl_int *) = allocate;
	cl_int(CL_API_CALL * own_release)(cl_context, const cl_ulong *, cl_bitfield,
	                                  void *) = release;
	const bool allocates = strcmp(name, "clSVMAllocWithPropertiesKHR") == 0;
	void *address;

	if (!allocates && strcmp(name, "clSVMFreeWithPropertiesKHR") != 0)
		return layer_real->clGetExtensionFunctionAddressForPlatform(platform, name);
	if (allocates)
		memcpy(&address, &own_allocate, sizeof(address));
	else
		memcpy(&address, &own_release, sizeof(address));
	return lacks(name) ? NULL : address;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetExtensionFunctionAddressForPlatform = find_function;
	claims_begin(own, lacks("extension") ? NULL : extension);
	own->clGetDeviceInfo = get_device_info;
	return true;
}
