// SPDX-License-Identifier: Apache-2.0
#include "build.h"

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

/* ---- hosts ---- */

static int check_host(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < program->threads[thread].parameter_count; i++) {
		const struct oclmm_parameter *parameter = &program->threads[thread].parameters[i];
		const struct oclmm_location *location = &program->locations[parameter->location];

		if (!oclmm_storage_is_svm(location->storage))
			return REFUSE(builder, parameter_name(builder, thread, i),
			              "declare it in the init block: `svm [x] = 0;`",
			              "the host thread P%u can use only shared virtual memory, and "
			              "`%s` is not",
			              program->threads[thread].id, location->name);
	}
	return 0;
}

int build_check_hosts(struct builder *builder)
{
	int result = 0;

	for (uint32_t i = 0; i < builder->program->thread_count && !result; i++) {
		if (builder->program->threads[i].placement.host)
			result = check_host(builder, i);
	}
	return result;
}

/* ---- local objects ---- */

/** Looks for an access of an object. */
struct search {
	uint32_t location;
	const struct oclmm_position *found; /**< the first access, or NULL */
};

static int note_use(void *data, const struct oclmm_use *use)
{
	struct search *search = data;

	if (use->place->location != search->location)
		return 0;
	search->found = &use->place->position;
	return 1;
}

static const struct oclmm_position *find_use(const struct oclmm_thread *thread, uint32_t location)
{
	static const struct oclmm_visitor visitor = {.use = note_use};
	struct search search = {.location = location};

	oclmm_visit_body(&visitor, thread->body, &search);
	return search.found;
}

static bool lists(const struct oclmm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		if (thread->parameters[i].location == location)
			return true;
	}
	return false;
}

static void drop_parameter(struct oclmm_thread *thread, uint32_t location)
{
	uint32_t i, kept = 0;

	for (i = 0; i < thread->parameter_count; i++) {
		if (thread->parameters[i].location != location)
			thread->parameters[kept++] = thread->parameters[i];
	}
	thread->parameter_count = kept;
}

/* Whether two threads that use an object use the same one: each work-group has its own local
 * objects, each device its own variables at program scope (A:3.3.5). */
static bool shares_instance(const struct oclmm_location *location, const struct oclmm_thread *a,
                            const struct oclmm_thread *b)
{
	if (location->space == OCLMM_SPACE_LOCAL)
		return oclmm_same_work_group(&a->placement, &b->placement);
	return a->placement.device == b->placement.device;
}

/* The first thread that uses an object; without any, the first that lists it. */
static int find_owner(const struct builder *builder, uint32_t location,
                      const struct oclmm_thread **ret_owner)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_location *object = &program->locations[location];
	const struct oclmm_thread *owner = NULL, *listed = NULL;
	bool local = object->space == OCLMM_SPACE_LOCAL;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		const struct oclmm_position *use = find_use(thread, location);

		if (!listed && lists(thread, location))
			listed = thread;
		if (use && owner && !shares_instance(object, owner, thread))
			return syntax_refuse(builder->source, use,
			                     local ? "each work-group has its own local objects"
			                           : "each device has its own variables at program "
			                             "scope",
			                     "the %s `%s` is used from two %s, by P%u and P%u",
			                     local ? "local object" : "variable", object->name,
			                     local ? "work-groups" : "devices", owner->id,
			                     thread->id);
		if (use && !owner)
			owner = thread;
	}
	*ret_owner = owner ? owner : listed;
	return 0;
}

/* A work-group that only lists a local object has a copy that nobody touches, and so has a device
 * of a variable: without it, the program has one instance of each object. */
static int settle(struct builder *builder, uint32_t location)
{
	struct oclmm_program *program = builder->program;
	const struct oclmm_thread *owner = NULL;
	int result = find_owner(builder, location, &owner);

	for (uint32_t i = 0; i < program->thread_count && !result && owner; i++) {
		if (!shares_instance(&program->locations[location], owner, &program->threads[i]))
			drop_parameter(&program->threads[i], location);
	}
	return result;
}

int build_settle_instances(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	int result = 0;

	for (uint32_t i = 0; i < program->location_count && !result; i++) {
		if (program->locations[i].space == OCLMM_SPACE_LOCAL ||
		    program->locations[i].storage == OCLMM_STORAGE_PROGRAM)
			result = settle(builder, i);
	}
	return result;
}
