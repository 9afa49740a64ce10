// SPDX-License-Identifier: Apache-2.0
/* Each capability, taken from a device that has all: what needs it is skipped, and says its name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/internal.h"
#include "oclmm/syntax.h"

#define STORE "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
#define TEST(memory, thread, type)                                                                 \
	"OPENCL text\n{ " memory "[x] = 0; }\nP0@" thread " (" type " *x) {\n" STORE "}\n"
#define GLOBAL "global atomic_int"
#define HOST   "P1@host (global atomic_int *x) {\n  atomic_store(x, 2);\n}\n"
#define END    "exists (x=1)\n"

static void no_svm_atomics(struct oclmm_device *device)
{
	device->info.svm_capabilities &= ~(cl_bitfield)CL_DEVICE_SVM_ATOMICS;
}

static void no_system(struct oclmm_device *device)
{
	device->info.svm_capabilities &= ~(cl_bitfield)CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

static void no_fine(struct oclmm_device *device)
{
	device->info.svm_capabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
}

static void no_svm(struct oclmm_device *device)
{
	device->info.svm_capabilities = 0;
}

static void version_1_2(struct oclmm_device *device)
{
	device->info.major = 1;
	device->info.minor = 2;
}

static void version_1_1(struct oclmm_device *device)
{
	device->info.major = device->info.minor = 1;
}

/* Of the fields that say yes or no, or how many there are. */
#define WITHOUT(field)                                                                             \
	static void no_##field(struct oclmm_device *device)                                        \
	{                                                                                          \
		device->info.field = 0;                                                            \
	}
WITHOUT(compiler)
WITHOUT(sub_groups)
WITHOUT(collectives)
WITHOUT(device_enqueue)
WITHOUT(pipes)
WITHOUT(program_scope)
WITHOUT(images)
WITHOUT(images_2d)
WITHOUT(image_elements)
WITHOUT(unordered_queues)
WITHOUT(local_memory)
WITHOUT(int64_atomics)
WITHOUT(fp16)
WITHOUT(fp64)
WITHOUT(generic_address_space)
WITHOUT(external_memory)
WITHOUT(external_files)
WITHOUT(command_buffers)
WITHOUT(changed_arguments)
WITHOUT(changed_launches)
WITHOUT(several_queues)
WITHOUT(clocks)
WITHOUT(semaphores)
WITHOUT(buffer_addresses)
WITHOUT(subnormals)

/* The types of the extension's table that a device owns, the host, and nobody. */
enum { TYPE_DEVICE = 2, TYPE_HOST, TYPE_SHARED };

static void no_unified_svm(struct oclmm_device *device)
{
	device->info.unified_svm = false;
}

static void no_device_svm(struct oclmm_device *device)
{
	device->info.svm_types[TYPE_DEVICE] = 0;
}

static void no_host_svm(struct oclmm_device *device)
{
	device->info.svm_types[TYPE_HOST] = 0;
}

static void no_shared_svm(struct oclmm_device *device)
{
	device->info.svm_types[TYPE_SHARED] = 0;
}

static void no_concurrent_access(struct oclmm_device *device)
{
	device->info.svm_types[TYPE_HOST] &= ~(1u << OCLMM_SVM_CONCURRENT_ACCESS);
}

static void no_host_read(struct oclmm_device *device)
{
	device->info.svm_types[TYPE_HOST] &= ~(1u << OCLMM_SVM_HOST_READ);
}

static void no_exporter(struct oclmm_device *device)
{
	device->exporter = false;
}

static void no_svm_buffers(struct oclmm_device *device)
{
	device->svm_buffers = false;
}

static const struct {
	const char
		*test; /* a text, or a file below litmus/ and in it the end of a variant's name */
	const char *variant;
	void (*take)(struct oclmm_device *device);
	const char *missing;
} rows[] = {
	{TEST("", "wg 0", GLOBAL) END, "", no_compiler, "a compiler"},
	{TEST("", "wg 0", GLOBAL) END, "", version_1_2, "OpenCL 2.0 or later"},
	{"command/event+unordered", "", version_1_1, "OpenCL 1.2 or later"},
	{"command/event+unordered", "", no_unordered_queues, "queues that execute out of order"},
	{"command/pipe", "", no_pipes, "__opencl_c_pipes"},
	{"command/event+image", "", no_images_2d, "images"},
	{"command/semaphore", "", no_semaphores, "cl_khr_semaphore"},
	{"command/address", "", no_buffer_addresses, "cl_ext_buffer_device_address"},
	{"command/buffer+svm", "", no_svm_buffers, "buffers over shared virtual memory"},
	{"command/event+unified-svm", "", no_unified_svm, "cl_khr_unified_svm"},
	{"command/event+unified-svm", "", no_device_svm, "SVM that a device owns"},
	{"command/event+unified-svm", ".memory=host", no_host_svm, "SVM that the host owns"},
	{"command/event+unified-svm", ".memory=shared", no_shared_svm, "SVM that nobody owns"},
	{"command/kernel+host+unified-svm", "", no_host_read, "CL_SVM_CAPABILITY_HOST_READ_KHR"},
	{"command/readers+unified-svm", "", no_concurrent_access,
         "CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR"},
	{"command/replays+changed", "", no_command_buffers, "cl_khr_command_buffer"},
	{"command/recorded+queues", "", no_several_queues, "cl_khr_command_buffer_multi_device"},
	{"relaxed/MP+clock+clock", "", no_clocks, "__opencl_c_kernel_clock_scope_device"},
	{"relaxed/MP+clock+clock", ".clock=wg", no_clocks,
         "__opencl_c_kernel_clock_scope_work_group"},
	{"relaxed/MP+clock+clock", ".clock=sg", no_clocks,
         "__opencl_c_kernel_clock_scope_sub_group"},
	{"command/replays+changed", "", no_changed_arguments,
         "cl_khr_command_buffer_mutable_dispatch"},
	{"command/replays+reached", "", no_changed_launches,
         "cl_khr_command_buffer_mutable_dispatch of offsets and sizes"},
	{"command/external", "", no_external_memory, "cl_khr_external_memory"},
	{"command/external", "", no_external_files, "cl_khr_external_memory_opaque_fd"},
	{"command/external", "", no_exporter, "another API that exports memory, CUDA's driver"},
	{TEST("svm ", "wg 0", GLOBAL) END, "", no_svm_atomics, "fine-grained SVM with atomics"},
	/* the host meets the device in such memory, whatever the test is about */
	{TEST("fine ", "wg 0", GLOBAL) HOST END, "", no_svm_atomics,
         "fine-grained SVM with atomics"},
	{TEST("system ", "wg 0", GLOBAL) END, "", no_system, "fine-grained system SVM"},
	{TEST("fine ", "wg 0", GLOBAL) END, "", no_fine, "fine-grained SVM"},
	{TEST("coarse ", "wg 0", GLOBAL) END, "", no_svm, "coarse-grained SVM"},
	{TEST("", "sg 0, wg 0", GLOBAL) END, "", no_sub_groups, "placement in sub-groups"},
	{TEST("", "wg 0", "local atomic_int") END, "", no_local_memory, "local memory"},
	{TEST("", "wg 0", "global atomic_long") END, "", no_int64_atomics, "64-bit atomics"},
	{TEST("", "wg 0", "atomic_int") END, "", no_generic_address_space,
         "the generic address space"},
	{"collective/MP+collective", "", no_collectives,
         "__opencl_c_work_group_collective_functions"},
	{"enqueue/MP+child", "", no_device_enqueue, "__opencl_c_device_enqueue"},
	{"program-scope/SB+sc+sc+program", "", no_program_scope, "variables at program scope"},
	{"image/MP+barrier+image+sg", "", no_images, "images that a kernel reads and writes"},
	{"image/MP+barrier+image+sg", "", no_image_elements,
         "images that a kernel reads and writes"},
	{"float/MP+float+rel+acq", ".type=half", no_fp16, "half-precision floating point"},
	{"float/MP+float+rel+acq", ".type=double", no_fp64, "double-precision floating point"},
	{"float/load+store+subnormal", "", no_subnormals, "subnormal numbers, CL_FP_DENORM"},
	{"float/load+store+subnormal", ".type=float", no_subnormals,
         "subnormal numbers, CL_FP_DENORM"},
};

static void read_test(size_t row, struct oclmm_litmus **ret_litmus)
{
	struct oclmm_error error;
	char path[512];
	int r;

	if (strncmp(rows[row].test, "OPENCL", 6) == 0) {
		r = oclmm_litmus_parse("text", rows[row].test, strlen(rows[row].test), NULL, &error,
		                       ret_litmus);
	} else {
		snprintf(path, sizeof(path), "%s/%s.litmus", getenv("OCLMM_LITMUS"),
		         rows[row].test);
		r = oclmm_litmus_read(path, NULL, &error, ret_litmus);
	}
	if (r < 0)
		fail_msg("row %zu, line %u: %s", row, error.position.line, error.message);
}

static const struct oclmm_program *find_variant(const struct oclmm_litmus *litmus, const char *end)
{
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const char *name = litmus->variants[i].name;
		size_t length = strlen(name);

		if (length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0)
			return litmus->variants[i].program;
	}
	fail_msg("no variant ends with %s", end);
	return NULL;
}

/* One that claims all, and whose compiler nobody asks: whatever it says is what it lacks. */
static struct oclmm_device able(void)
{
	struct oclmm_device device = {.info = {.major = 3, .address_bits = 64}};
	struct oclmm_device_info *info = &device.info;

	info->compiler = info->int64_atomics = info->fp16 = info->fp64 = true;
	info->sub_groups = info->collectives = info->unordered_queues = true;
	info->device_enqueue = info->generic_address_space = info->pipes = true;
	info->command_buffers = info->unordered_recordings = info->replays_at_once = true;
	info->changed_arguments = info->semaphores = info->buffer_addresses = true;
	info->several_queues = true;
	info->clocks = 1u << OCLMM_SCOPE_DEVICE | 1u << OCLMM_SCOPE_WORK_GROUP |
	               1u << OCLMM_SCOPE_SUB_GROUP;
	info->changed_launches = OCLMM_LAUNCH_OFFSET | OCLMM_LAUNCH_SIZE | OCLMM_LAUNCH_LOCAL;
	info->images_2d = info->external_memory = info->external_files = true;
	device.exporter_tried = device.exporter = true;
	device.svm_buffers_tried = device.svm_buffers = true;
	info->unified_svm = true;
	for (int i = TYPE_DEVICE; i <= TYPE_SHARED; i++)
		info->svm_types[i] = (1u << OCLMM_SVM_CAPABILITY_COUNT) - 1 -
		                     (1u << OCLMM_SVM_SYSTEM_ALLOCATED) -
		                     (i == TYPE_DEVICE ? 0 : 1u << OCLMM_SVM_DEVICE_OWNED) -
		                     (i == TYPE_HOST ? 0 : 1u << OCLMM_SVM_HOST_OWNED);
	info->svm_capabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
	                         CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM |
	                         CL_DEVICE_SVM_ATOMICS;
	info->orders_claimed = info->fence_orders_claimed = info->scopes_claimed = UINT32_MAX;
	info->local_memory = info->program_scope = info->image_elements = 1 << 16;
	info->images = 8;
	info->subnormals = UINT32_MAX;
	for (size_t i = 0; i < OCLMM_FLOAT_TYPES; i++)
		info->float_atomics[i] = UINT32_MAX;
	return device;
}

static void what_is_taken_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct oclmm_device device = able();
		const struct oclmm_program *program;
		struct oclmm_litmus *litmus;
		char missing[64];

		read_test(i, &litmus);
		program = find_variant(litmus, rows[i].variant);
		if (oclmm_device_supports(&device, program, missing, sizeof(missing)) !=
		    OCLMM_SUPPORT_CLAIMED)
			fail_msg("row %zu: a device with all lacks %s", i, missing);
		rows[i].take(&device);
		assert_int_equal(oclmm_device_supports(&device, program, missing, sizeof(missing)),
		                 OCLMM_SUPPORT_UNSUPPORTED);
		assert_string_equal(missing, rows[i].missing);
		oclmm_litmus_destroy(litmus);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_taken_is_named)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
