// SPDX-License-Identifier: Apache-2.0
/*
 * External memory for a driver that has none: a layer of the ICD loader (OPENCL_LAYERS) that adds
 * cl_khr_external_memory to what the devices claim. A buffer in external memory is one of the
 * driver's own, as on a device that keeps what it has acquired to itself: an acquisition fills it
 * from outside, and a release brings it there.
 *
 * OCLMM_EXTERNAL_LACK names a function that is claimed and not there, or an extension that is not
 * claimed; `import`: a buffer in such memory is refused.
 */
#include "plant/icd_layer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims.h"
#include "external.h"

ICD_LAYER("oclmm external memory");

static const char *const extensions[] = {"cl_khr_external_memory",
                                         "cl_khr_external_memory_opaque_fd", "cl_khr_device_uuid"};

/* An import: kept for good, as its address may be looked up while its buffer goes. */
static struct import {
	_Atomic(cl_mem) buffer; /* NULL: released */
	void *memory;
	size_t size;
} imports[4096];
enum { IMPORTS_MOST = sizeof(imports) / sizeof(*imports) };

static const struct import *find(cl_mem buffer)
{
	for (size_t i = 0; i < IMPORTS_MOST; i++)
		if (imports[i].buffer == buffer)
			return &imports[i];
	return NULL;
}

static void CL_CALLBACK forget(cl_mem buffer, void *data)
{
	struct import *import = data;

	(void)buffer;
	munmap(import->memory, import->size);
	import->buffer = NULL;
}

static cl_int map(struct import *import, int file, size_t size)
{
	struct stat status;

	if (fstat(file, &status) < 0 || (size_t)status.st_size < size)
		return CL_INVALID_BUFFER_SIZE;
	import->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	import->size = size;
	return import->memory == MAP_FAILED ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_EXTERNAL_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, const cl_mem_properties *properties,
                                        cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
	struct import *import = (struct import *)find(NULL);
	cl_int result = CL_OUT_OF_RESOURCES;
	cl_mem buffer = NULL;

	/* CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR */
	if (!properties || properties[0] != 0x2060)
		return layer_real->clCreateBufferWithProperties(context, properties, flags, size,
		                                                host, code);
	if (lacks("import"))
		result = CL_INVALID_PROPERTY;
	else if (import)
		result = map(import, (int)properties[1], size);
	if (result == CL_SUCCESS)
		buffer = layer_real->clCreateBuffer(context, flags, size, NULL, &result);
	if (buffer) {
		import->buffer = buffer;
		layer_real->clSetMemObjectDestructorCallback(buffer, forget, import);
		close((int)properties[1]);
	}
	if (code)
		*code = result;
	return buffer;
}

/* Moved by so many commands, one behind the other: in less time nobody could use it too early. */
enum { PARTS = 16 };

static cl_int move_part(bool acquire, cl_command_queue queue, const struct import *import, int part,
                        cl_uint count, const cl_event *waits, cl_event *event)
{
	size_t size = import->size / PARTS, offset = size * (size_t)part;
	char *memory = (char *)import->memory + offset;

	return acquire ? layer_real->clEnqueueWriteBuffer(queue, import->buffer, CL_FALSE, offset,
	                                                  size, memory, count, waits, event)
	               : layer_real->clEnqueueReadBuffer(queue, import->buffer, CL_FALSE, offset,
	                                                 size, memory, count, waits, event);
}

/* The event of the last part is that of all. */
static cl_int move(bool acquire, cl_command_queue queue, cl_uint count, const cl_mem *objects,
                   cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	cl_event before = NULL, done = NULL;
	cl_int code = count > 0 ? CL_SUCCESS : CL_INVALID_VALUE;

	for (cl_uint i = 0; code == CL_SUCCESS && i < count * PARTS; i++) {
		const struct import *import = find(objects[i / PARTS]);

		code = import ? move_part(acquire, queue, import, (int)(i % PARTS),
		                          before ? 1 : wait_count, before ? &before : waits, &done)
		              : CL_INVALID_MEM_OBJECT;
		if (before)
			layer_real->clReleaseEvent(before);
		before = code == CL_SUCCESS ? done : NULL;
	}
	if (code == CL_SUCCESS && event)
		*event = done;
	else if (code == CL_SUCCESS)
		layer_real->clReleaseEvent(done);
	return code;
}

static cl_int CL_API_CALL acquire(cl_command_queue queue, cl_uint count, const cl_mem *objects,
                                  cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	return move(true, queue, count, objects, wait_count, waits, event);
}

static cl_int CL_API_CALL release(cl_command_queue queue, cl_uint count, const cl_mem *objects,
                                  cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	return move(false, queue, count, objects, wait_count, waits, event);
}

/* ---- what the layer replaces ---- */

static void *CL_API_CALL find_function(cl_platform_id platform, const char *name)
{
	cl_int(CL_API_CALL * own)(cl_command_queue, cl_uint, const cl_mem *, cl_uint,
	                          const cl_event *, cl_event *) = NULL;
	void *address;

	if (strcmp(name, "clEnqueueAcquireExternalMemObjectsKHR") == 0)
		own = acquire;
	else if (strcmp(name, "clEnqueueReleaseExternalMemObjectsKHR") == 0)
		own = release;
	else
		return layer_real->clGetExtensionFunctionAddressForPlatform(platform, name);
	memcpy(&address, &own, sizeof(address));
	return lacks(name) ? NULL : address;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	static const unsigned char uuid[EXTERNAL_UUID_BYTES] = EXTERNAL_UUID;
	char claimed[256] = "";

	if (what == 0x106A /* CL_DEVICE_UUID_KHR */)
		return claims_answer(uuid, sizeof(uuid), size, value, ret_size);
	if (what != CL_DEVICE_EXTENSIONS)
		return layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
		if (!lacks(extensions[i])) {
			strcat(claimed, " ");
			strcat(claimed, extensions[i]);
		}
	}
	return claims_extensions(device, claimed, size, value, ret_size);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetExtensionFunctionAddressForPlatform = find_function;
	own->clGetDeviceInfo = get_device_info;
	own->clCreateBufferWithProperties = create_buffer;
	return true;
}
