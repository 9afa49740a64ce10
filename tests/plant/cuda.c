// SPDX-License-Identifier: Apache-2.0
/*
 * As much of CUDA's driver as makes memory and exports it, for a machine that has none: memory is a
 * file without a name. Calls out of turn fail, as those of the original do.
 *
 * OCLMM_CUDA_FAIL names a function that fails; `start`: to start it ends the process.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "external.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_INITIALIZED = 3, INVALID_CONTEXT = 201 };
enum { GRANULE = 65536 };

static bool initialized;
static _Thread_local const void *current;
static const char context;

/* No header of the tests declares them. */
#define CU_FUNCTION(name, ...)                                                                     \
	int name(__VA_ARGS__);                                                                     \
	int name(__VA_ARGS__)

/* What each call but the first asks. */
static int may(const char *name, bool in_context)
{
	const char *fails = getenv("OCLMM_CUDA_FAIL");

	if (fails && strcmp(fails, name) == 0)
		return INVALID_VALUE;
	if (!initialized)
		return NOT_INITIALIZED;
	return in_context && current != &context ? INVALID_CONTEXT : SUCCESS;
}

CU_FUNCTION(cuInit, unsigned flags)
{
	const char *fails = getenv("OCLMM_CUDA_FAIL");

	if (fails && strcmp(fails, "start") == 0)
		abort();
	initialized = flags == 0;
	return initialized ? may("cuInit", false) : INVALID_VALUE;
}

CU_FUNCTION(cuDeviceGetCount, int *ret_count)
{
	*ret_count = 2;
	return may("cuDeviceGetCount", false);
}

CU_FUNCTION(cuDeviceGet, int *ret_device, int number)
{
	*ret_device = number + 10;
	return may("cuDeviceGet", false);
}

/* The first is another card. */
CU_FUNCTION(cuDeviceGetUuid, unsigned char *ret_uuid, int device)
{
	static const unsigned char uuid[EXTERNAL_UUID_BYTES] = EXTERNAL_UUID;

	memcpy(ret_uuid, uuid, sizeof(uuid));
	ret_uuid[0] ^= device != 11;
	return may("cuDeviceGetUuid", false);
}

CU_FUNCTION(cuDevicePrimaryCtxRetain, const void **ret_context, int device)
{
	*ret_context = &context;
	return device == 11 ? may("cuDevicePrimaryCtxRetain", false) : INVALID_VALUE;
}

CU_FUNCTION(cuCtxSetCurrent, const void *wanted)
{
	current = wanted;
	return may("cuCtxSetCurrent", false);
}

CU_FUNCTION(cuCtxSynchronize, void)
{
	return may("cuCtxSynchronize", true);
}

/* CUmemAllocationProp, and of CUmemAccessDesc its beginning */
struct location {
	int kind, id;
};
struct properties {
	int kind, handle;
	struct location location;
	void *win32;
	unsigned char compression, rdma;
	unsigned short usage;
	unsigned char reserved[4];
};
struct access {
	struct location location;
	int flags;
};

static bool is_of_device(struct location location)
{
	return location.kind == 1 && location.id == 11;
}

CU_FUNCTION(cuMemGetAllocationGranularity, size_t *ret_bytes, const struct properties *properties,
            int which)
{
	*ret_bytes = GRANULE;
	return which == 0 && is_of_device(properties->location)
	               ? may("cuMemGetAllocationGranularity", true)
	               : INVALID_VALUE;
}

/* An allocation is its file's number, and 1000. */
CU_FUNCTION(cuMemCreate, uint64_t *ret_allocation, size_t bytes,
            const struct properties *properties, unsigned long long flags)
{
	int file, code = may("cuMemCreate", true);

	if (code != SUCCESS || bytes % GRANULE || bytes == 0 || properties->kind != 1 ||
	    properties->handle != 1 || !is_of_device(properties->location) || flags)
		return code == SUCCESS ? INVALID_VALUE : code;
	file = memfd_create("cuda", MFD_CLOEXEC);
	if (file < 0 || ftruncate(file, (off_t)bytes) < 0)
		return INVALID_VALUE;
	*ret_allocation = (uint64_t)file + 1000;
	return SUCCESS;
}

CU_FUNCTION(cuMemRelease, uint64_t allocation)
{
	close((int)(allocation - 1000));
	return may("cuMemRelease", true);
}

CU_FUNCTION(cuMemExportToShareableHandle, void *ret_handle, uint64_t allocation, int kind,
            unsigned long long flags)
{
	int file, code = may("cuMemExportToShareableHandle", true);

	if (code != SUCCESS || kind != 1 || flags)
		return code == SUCCESS ? INVALID_VALUE : code;
	file = dup((int)(allocation - 1000));
	memcpy(ret_handle, &file, sizeof(file));
	return file < 0 ? INVALID_VALUE : SUCCESS;
}

CU_FUNCTION(cuMemAddressReserve, uint64_t *ret_address, size_t bytes, size_t alignment,
            uint64_t wanted, unsigned long long flags)
{
	void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*ret_address = (uintptr_t)memory;
	return memory == MAP_FAILED || alignment || wanted || flags
	               ? INVALID_VALUE
	               : may("cuMemAddressReserve", true);
}

CU_FUNCTION(cuMemAddressFree, uint64_t address, size_t bytes)
{
	munmap((void *)(uintptr_t)address, bytes);
	return may("cuMemAddressFree", true);
}

CU_FUNCTION(cuMemMap, uint64_t address, size_t bytes, size_t offset, uint64_t allocation,
            unsigned long long flags)
{
	int code = may("cuMemMap", true);

	if (code != SUCCESS || offset || flags)
		return code == SUCCESS ? INVALID_VALUE : code;
	return mmap((void *)(uintptr_t)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
	            (int)(allocation - 1000), 0) == MAP_FAILED
	               ? INVALID_VALUE
	               : SUCCESS;
}

CU_FUNCTION(cuMemUnmap, uint64_t address, size_t bytes)
{
	return mmap((void *)(uintptr_t)address, bytes, PROT_NONE,
	            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED
	               ? INVALID_VALUE
	               : may("cuMemUnmap", true);
}

CU_FUNCTION(cuMemSetAccess, uint64_t address, size_t bytes, const struct access *access,
            size_t count)
{
	int code = may("cuMemSetAccess", true);

	if (code != SUCCESS || count != 1 || access->flags != 3 || !is_of_device(access->location))
		return code == SUCCESS ? INVALID_VALUE : code;
	return mprotect((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE) < 0
	               ? INVALID_VALUE
	               : SUCCESS;
}

CU_FUNCTION(cuMemcpyHtoD_v2, uint64_t to, const void *from, size_t bytes)
{
	int code = may("cuMemcpyHtoD_v2", true);

	if (code == SUCCESS)
		memcpy((void *)(uintptr_t)to, from, bytes);
	return code;
}

CU_FUNCTION(cuMemcpyDtoH_v2, void *to, uint64_t from, size_t bytes)
{
	int code = may("cuMemcpyDtoH_v2", true);

	if (code == SUCCESS)
		memcpy(to, (const void *)(uintptr_t)from, bytes);
	return code;
}
