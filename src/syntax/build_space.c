// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>

/* The word of the tree that declares a parameter. */
static const struct syntax_token *parameter_name(const struct builder *builder, uint32_t thread,
                                                 uint32_t parameter)
{
	const struct tree_thread *tree = builder->tree->threads;
	const struct tree_parameter *found;

	while (thread--)
		tree = tree->next;
	found = tree->parameters;
	while (parameter--)
		found = found->next;
	return found->name;
}

static bool same_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return a->device == b->device && a->work_group == b->work_group;
}

static int check_host(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	uint32_t i;

	for (i = 0; i < program->threads[thread].parameter_count; i++) {
		const struct oclmm_parameter *parameter = &program->threads[thread].parameters[i];
		const struct oclmm_location *location = &program->locations[parameter->location];

		if (location->storage != OCLMM_STORAGE_SVM_ATOMICS)
			return REFUSE(builder, parameter_name(builder, thread, i),
			              "declare it in the init block: `svm [x] = 0;`",
			              "the host thread P%u can use only shared virtual memory, and `%s` is not",
			              program->threads[thread].id, location->name);
	}
	return 0;
}

static int check_local(const struct builder *builder, uint32_t index)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *user = NULL;
	uint32_t i, k;

	for (i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (k = 0; k < thread->parameter_count; k++) {
			if (thread->parameters[k].location != index)
				continue;
			if (user && !same_group(&user->placement, &thread->placement))
				return REFUSE(builder, parameter_name(builder, i, k),
				              "each work-group has its own local objects",
				              "the local object `%s` is used from two work-groups, by P%u and P%u",
				              program->locations[index].name, user->id, thread->id);
			user = thread;
		}
	}
	return 0;
}

int build_check_spaces(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	uint32_t i;
	int result = 0;

	for (i = 0; i < program->thread_count && !result; i++) {
		if (program->threads[i].placement.host)
			result = check_host(builder, i);
	}
	for (i = 0; i < program->location_count && !result; i++) {
		if (program->locations[i].space == OCLMM_SPACE_LOCAL)
			result = check_local(builder, i);
	}
	return result;
}
