// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

/* A page, so that no object of the host's own lies in a line of the device's. */
enum { ALIGNMENT = 4096 };

static void *create_system(size_t bytes)
{
	size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	return whole >= bytes ? aligned_alloc(ALIGNMENT, whole) : NULL;
}

static void *create_buffer(const struct oclmm_device *device, enum oclmm_storage kind, size_t bytes)
{
	cl_svm_mem_flags flags = CL_MEM_READ_WRITE;

	if (kind != OCLMM_STORAGE_SVM_COARSE)
		flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
	if (kind == OCLMM_STORAGE_SVM_ATOMICS)
		flags |= CL_MEM_SVM_ATOMICS;
	return clSVMAlloc(oclmm_device_context(device), flags, bytes, 0);
}

int oclmm_svm_create(const struct oclmm_device *device, enum oclmm_storage kind, size_t bytes,
                     struct oclmm_error *error, void **ret_memory)
{
	bool system = kind == OCLMM_STORAGE_SVM_SYSTEM;
	void *memory = system ? create_system(bytes) : create_buffer(device, kind, bytes);

	if (!memory)
		return oclmm_error_set(error, -ENOMEM, "%s: no %zu bytes",
		                       system ? "system memory" : "clSVMAlloc", bytes);
	*ret_memory = memory;
	return 0;
}

void oclmm_svm_destroy(const struct oclmm_device *device, enum oclmm_storage kind, void *memory)
{
	if (kind == OCLMM_STORAGE_SVM_SYSTEM)
		free(memory);
	else if (memory)
		clSVMFree(oclmm_device_context(device), memory);
}
