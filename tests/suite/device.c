// SPDX-License-Identifier: Apache-2.0
/*
 * The suite against the device that is there: what a variant needs and the
 * device does not claim is named, in words of the specification or of the
 * suite; and kernels of variants that the device claims, or its compiler accepts,
 * build: of all files and of one variant in sixteen, or in as many as the second
 * argument says.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "folder.h"
#include "oclmm/codegen.h"
#include "oclmm/model.h"

enum { EXIT_SKIPPED = 77 };

static unsigned claimed, accepted, unsupported, built, texts;
static unsigned long one_in = 16;

/* All that a device can lack. */
static bool is_feature(const char *missing)
{
	static const char *const words[] = {
		"a role for a device",
		"2 devices",
		"cl_khr_semaphore",
		"cl_khr_command_buffer",
		"cl_khr_command_buffer_mutable_dispatch",
		"cl_khr_command_buffer_multi_device",
		"cl_khr_command_buffer_mutable_dispatch of offsets and sizes",
		"cl_ext_buffer_device_address",
		"buffers over shared virtual memory",
		"cl_khr_unified_svm",
		"cl_khr_external_memory",
		"cl_khr_external_memory_opaque_fd",
		"another API that exports memory, CUDA's driver",
		"memory_scope_sub_group",
		"placement in sub-groups",
		"fine-grained SVM with atomics",
		"fine-grained SVM with atomics of both devices",
		"fine-grained system SVM",
		"fine-grained system SVM of both devices",
		"local memory",
		"64-bit atomics",
		"the generic address space",
		"cl_intel_split_work_group_barrier",
		"variables at program scope",
		"half-precision floating point",
		"double-precision floating point",
		"subnormal numbers, CL_FP_DENORM",
	};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		if (strcmp(missing, words[i]) == 0)
			return true;
	}
	/* a macro of OpenCL C, 3.0, says it */
	if (strncmp(missing, "__opencl_c_", 11) == 0)
		return true;
	for (int i = OCLMM_ORDER_RELAXED; i < OCLMM_ORDER_COUNT; i++) {
		if (strcmp(missing, oclmm_order_spelling((enum oclmm_order)i)) == 0)
			return true;
	}
	for (int i = OCLMM_SCOPE_WORK_ITEM; i < OCLMM_SCOPE_COUNT; i++) {
		if (strcmp(missing, oclmm_scope_spelling((enum oclmm_scope)i)) == 0)
			return true;
	}
	return false;
}

/* A variant whose kernel is to build, and what it needs for that. */
struct job {
	const struct oclmm_variant *variant;
	struct oclmm_answer *answer;
};

/* A text of several tests costs little more than that of one: a compiler reads its header first. */
enum { AT_A_TIME = 16, MOST = 512 };

static int generate(const struct job *jobs, size_t count, struct oclmm_error *error,
                    struct oclmm_text *source)
{
	const struct oclmm_program *programs[AT_A_TIME];
	const struct oclmm_outcome_space *spaces[AT_A_TIME];
	const struct oclmm_program *first = jobs->variant->program;

	if (count == 1 && oclmm_program_has_commands(first)) {
		oclmm_generate_commands(first, source);
		return 0;
	}
	if (count == 1 && first->shared) {
		oclmm_generate_whole(first, source);
		return 0;
	}
	if (count == 1)
		return oclmm_generate_test(first, &jobs->answer->space, NULL, error, source);
	for (size_t i = 0; i < count; i++) {
		programs[i] = jobs[i].variant->program;
		spaces[i] = &jobs[i].answer->space;
		if (oclmm_program_has_commands(programs[i]) || programs[i]->shared)
			return -EINVAL;
	}
	return oclmm_generate_tests(programs, spaces, (uint32_t)count, NULL, error, source);
}

/* As one text; where that is not to be, or does not build, each half, and in the end each alone. */
static void build(struct oclmm_device *device, const struct job *jobs, size_t count)
{
	struct oclmm_error error = {0};
	struct oclmm_text source = {0};
	cl_program program;
	char *log = NULL;
	int r = generate(jobs, count, &error, &source);

	if (r < 0 && count == 1 && !is_for_the_oracle(jobs->variant->name))
		complain(jobs->variant->name, "no kernel: %s", error.message);
	if (r == 0 && count == 1 && is_for_the_oracle(jobs->variant->name))
		complain(jobs->variant->name, "has a kernel, and is not for the oracle alone");
	if (r == 0) {
		r = oclmm_device_build(device, oclmm_text_string(&source), &error, &log, &program);
		if (r < 0 && count == 1)
			complain(jobs->variant->name, "the kernel does not build: %s\n%s",
			         error.message, log ? log : "");
	}
	if (r == 0) {
		clReleaseProgram(program);
		built += (unsigned)count;
		texts++;
	} else if (count > 1) {
		build(device, jobs, count / 2);
		build(device, jobs + count / 2, count - count / 2);
	}
	free(log);
	oclmm_text_finish(&source);
}

static void add_job(struct job *jobs, size_t *count, const struct oclmm_variant *variant)
{
	struct oclmm_error error = {0};

	if (*count == MOST)
		complain(variant->name, "is one of more than %d of %d files", MOST, AT_A_TIME);
	else if (oclmm_check(variant->program, NULL, &error, &jobs[*count].answer) == 0)
		jobs[(*count)++].variant = variant;
}

static void check_variants(struct oclmm_device *device, const struct oclmm_litmus *litmus,
                           struct job *jobs, size_t *count)
{
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];
		char missing[128];
		enum oclmm_support support = oclmm_device_supports(device, variant->program,
		                                                   missing, sizeof(missing));

		claimed += support == OCLMM_SUPPORT_CLAIMED;
		accepted += support == OCLMM_SUPPORT_ACCEPTED;
		unsupported += support == OCLMM_SUPPORT_UNSUPPORTED;
		if (support == OCLMM_SUPPORT_UNSUPPORTED && !is_feature(missing))
			complain(variant->name, "is skipped for \"%s\", which names no feature",
			         missing);
		if (support != OCLMM_SUPPORT_UNSUPPORTED &&
		    (i == 0 || variant->program->hash % one_in == 0))
			add_job(jobs, count, variant);
	}
}

static void check_files(struct oclmm_litmus *const *litmus, size_t files, void *data)
{
	struct oclmm_device *device = data;
	struct job jobs[MOST];
	size_t count = 0;

	for (size_t i = 0; i < files; i++)
		check_variants(device, litmus[i], jobs, &count);
	for (size_t i = 0; i < count; i += AT_A_TIME)
		build(device, jobs + i, count - i < AT_A_TIME ? count - i : AT_A_TIME);
	while (count)
		oclmm_answer_destroy(jobs[--count].answer);
}

static struct oclmm_device *open_device(struct oclmm_device_list *list)
{
	struct oclmm_device *device;
	struct oclmm_error error = {0};
	int index;

	if (oclmm_devices_list(&error, list) < 0)
		return NULL;
	index = oclmm_device_choose(list, getenv("OCLMM_DEVICE"), &error);
	if (index < 0 || list->devices[index].major < 2 ||
	    oclmm_device_open(list, (size_t)index, &error, &device) < 0) {
		oclmm_device_list_finish(list);
		return NULL;
	}
	return device;
}

int main(int argc, char **argv)
{
	struct oclmm_device_list list = {0};
	struct oclmm_device *device;

	if (argc == 3)
		one_in = strtoul(argv[2], NULL, 10);
	if (argc < 2 || argc > 3 || one_in == 0)
		return 2;
	device = open_device(&list);
	if (!device)
		return EXIT_SKIPPED;
	visit_folder_by(AT_A_TIME, argv[1], check_files, device);
	printf("%u variants are claimed, %u accepted, %u unsupported; "
	       "%u kernels were built, of %u texts\n",
	       claimed, accepted, unsupported, built, texts);
	if (!claimed || !built)
		complain(argv[1], "the device claims nothing");
	oclmm_device_close(device);
	oclmm_device_list_finish(&list);
	return complaints != 0;
}
