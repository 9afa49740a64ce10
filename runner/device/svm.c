// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>

int oclmm_svm_create(const struct oclmm_device *device, enum oclmm_storage kind, size_t bytes,
                     struct oclmm_error *error, void **ret_memory)
{
	cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
	void *memory;

	if (kind != OCLMM_STORAGE_SVM_COARSE)
		flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
	if (kind == OCLMM_STORAGE_SVM_ATOMICS)
		flags |= CL_MEM_SVM_ATOMICS;
	memory = clSVMAlloc(oclmm_device_context(device), flags, bytes, 0);
	if (!memory)
		return oclmm_error_set(error, -ENOMEM, "clSVMAlloc: no %zu bytes", bytes);
	*ret_memory = memory;
	return 0;
}
