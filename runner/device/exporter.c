// SPDX-License-Identifier: Apache-2.0
#include "exporter.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "opencl.h"

/*
 * Of cuda.h, as its version 10.2 and all later ones have it.
 */
enum {
	CU_DEVICE_UUID_BYTES = 16,
	CU_ALLOCATION_PINNED = 1,
	CU_HANDLE_FILE = 1, /* CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR */
	CU_LOCATION_DEVICE = 1,
	CU_ACCESS_READ_WRITE = 3,
};
struct cu_location {
	int kind, id;
};
struct cu_properties {
	int kind, handle;
	struct cu_location location;
	void *win32;
	unsigned char flags[8];
};
struct cu_access {
	struct cu_location location;
	int flags;
};

/* Name, result and parameters of each function. */
#define CU_FUNCTIONS(X)                                                                            \
	X(cuInit, (unsigned flags))                                                                \
	X(cuDeviceGetCount, (int *ret_count))                                                      \
	X(cuDeviceGet, (int *ret_device, int number))                                              \
	X(cuDeviceGetUuid, (unsigned char *ret_uuid, int device))                                  \
	X(cuDevicePrimaryCtxRetain, (void **ret_context, int device))                              \
	X(cuCtxSetCurrent, (void *context))                                                        \
	X(cuCtxSynchronize, (void))                                                                \
	X(cuMemGetAllocationGranularity,                                                           \
	  (size_t * ret_bytes, const struct cu_properties *properties, int which))                 \
	X(cuMemCreate, (uint64_t * ret_allocation, size_t bytes,                                   \
	                const struct cu_properties *properties, unsigned long long flags))         \
	X(cuMemRelease, (uint64_t allocation))                                                     \
	X(cuMemExportToShareableHandle,                                                            \
	  (void *ret_handle, uint64_t allocation, int kind, unsigned long long flags))             \
	X(cuMemAddressReserve, (uint64_t * ret_address, size_t bytes, size_t alignment,            \
	                        uint64_t wanted, unsigned long long flags))                        \
	X(cuMemAddressFree, (uint64_t address, size_t bytes))                                      \
	X(cuMemMap, (uint64_t address, size_t bytes, size_t offset, uint64_t allocation,           \
	             unsigned long long flags))                                                    \
	X(cuMemUnmap, (uint64_t address, size_t bytes))                                            \
	X(cuMemSetAccess,                                                                          \
	  (uint64_t address, size_t bytes, const struct cu_access *access, size_t count))          \
	X(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))                          \
	X(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))

static struct {
#define CU_X(name, parameters) int(CL_API_CALL * name) parameters;
	CU_FUNCTIONS(CU_X)
#undef CU_X
	bool there;
} cu;

/* Never closed, as drivers are not. */
static void find_cuda(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *function = NULL;
	bool all = library != NULL;

#define CU_X(name, parameters)                                                                     \
	function = all ? dlsym(library, #name) : NULL;                                             \
	memcpy(&cu.name, &function, sizeof(function));                                             \
	all &= function != NULL;
	CU_FUNCTIONS(CU_X)
#undef CU_X
	cu.there = all && cu.cuInit(0) == 0;
}

static int check(struct oclmm_error *error, const char *call, int code)
{
	return code == 0 ? 0
	                 : oclmm_error_set(error, -EIO, "%s failed: CUDA's error %d", call, code);
}
#define CU_CALL(error, call, arguments) check(error, #call, cu.call arguments)

/* CUDA's number of a device, or -1. The same card has one UUID in both. */
static int find_device(cl_device_id id)
{
	enum { UUID = 0x106A /* CL_DEVICE_UUID_KHR */ };
	unsigned char wanted[CU_DEVICE_UUID_BYTES], uuid[CU_DEVICE_UUID_BYTES];
	int count = 0, device;

	if (clGetDeviceInfo(id, UUID, sizeof(wanted), wanted, NULL) != CL_SUCCESS ||
	    cu.cuDeviceGetCount(&count) != 0)
		return -1;
	for (int i = 0; i < count; i++) {
		if (cu.cuDeviceGet(&device, i) == 0 && cu.cuDeviceGetUuid(uuid, device) == 0 &&
		    memcmp(uuid, wanted, sizeof(uuid)) == 0)
			return device;
	}
	return -1;
}

/* Calls on memory are of the context that is current in the thread. The primary context stays until
 * the process ends. */
static int enter(int device, struct oclmm_error *error)
{
	void *context = NULL;
	int r = CU_CALL(error, cuDevicePrimaryCtxRetain, (&context, device));

	return r < 0 ? r : CU_CALL(error, cuCtxSetCurrent, (context));
}

static int map(struct oclmm_exported *exported, struct oclmm_error *error)
{
	const struct cu_access access = {{CU_LOCATION_DEVICE, exported->device},
	                                 CU_ACCESS_READ_WRITE};
	uint64_t address = 0;
	int r = CU_CALL(error, cuMemAddressReserve, (&address, exported->bytes, 0, 0, 0));

	if (r < 0)
		return r;
	r = CU_CALL(error, cuMemMap, (address, exported->bytes, 0, exported->allocation, 0));
	if (r < 0) {
		cu.cuMemAddressFree(address, exported->bytes);
		return r;
	}
	exported->address = address;
	return CU_CALL(error, cuMemSetAccess, (address, exported->bytes, &access, 1));
}

static int make(cl_device_id id, size_t bytes, struct oclmm_error *error,
                struct oclmm_exported *ret_exported)
{
	struct cu_properties properties = {.kind = CU_ALLOCATION_PINNED, .handle = CU_HANDLE_FILE};
	struct oclmm_exported *exported = ret_exported;
	size_t granule = 1;
	int r;

	*exported = (struct oclmm_exported){.device = find_device(id), .file = -1};
	properties.location = (struct cu_location){CU_LOCATION_DEVICE, exported->device};
	r = enter(exported->device, error);
	if (r == 0)
		r = CU_CALL(error, cuMemGetAllocationGranularity, (&granule, &properties, 0));
	if (r < 0)
		return r;
	exported->bytes = (bytes + granule - 1) / granule * granule;
	r = CU_CALL(error, cuMemCreate, (&exported->allocation, exported->bytes, &properties, 0));
	if (r == 0)
		r = map(exported, error);
	return r < 0 ? r
	             : CU_CALL(error, cuMemExportToShareableHandle,
	                       (&exported->file, exported->allocation, CU_HANDLE_FILE, 0));
}

/* A copy from memory that is not pinned may return before it has ended. */
static int write_outside(const struct oclmm_exported *exported, const void *from, size_t bytes,
                         struct oclmm_error *error)
{
	int r = enter(exported->device, error);

	if (r == 0)
		r = CU_CALL(error, cuMemcpyHtoD_v2, (exported->address, from, bytes));
	return r < 0 ? r : CU_CALL(error, cuCtxSynchronize, ());
}

static int read_outside(const struct oclmm_exported *exported, void *to, size_t bytes,
                        struct oclmm_error *error)
{
	int r = enter(exported->device, error);

	if (r == 0)
		r = CU_CALL(error, cuMemcpyDtoH_v2, (to, exported->address, bytes));
	return r < 0 ? r : CU_CALL(error, cuCtxSynchronize, ());
}

static int share(const struct oclmm_exported *exported)
{
	return dup(exported->file);
}

static void give_back(int file)
{
	if (file >= 0)
		close(file);
}

static void destroy(struct oclmm_exported *exported)
{
	struct oclmm_error ignored;

	if (exported->bytes == 0 || enter(exported->device, &ignored) < 0)
		return;
	if (exported->address) {
		cu.cuMemUnmap(exported->address, exported->bytes);
		cu.cuMemAddressFree(exported->address, exported->bytes);
	}
	if (exported->allocation)
		cu.cuMemRelease(exported->allocation);
	if (exported->file >= 0)
		close(exported->file);
	*exported = (struct oclmm_exported){0};
}

const struct oclmm_exporter *oclmm_exporter_of(cl_device_id id)
{
	static const struct oclmm_exporter cuda = {make,  write_outside, read_outside,
	                                           share, give_back,     destroy};
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_cuda);
	return cu.there && find_device(id) >= 0 ? &cuda : NULL;
}
