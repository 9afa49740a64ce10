// SPDX-License-Identifier: Apache-2.0
/* Which features of OpenCL C a program needs. */
#include "internal.h"

#include <stdio.h>

/* ---- cl_ext_float_atomics ---- */

/* The width of the type is that of a device's addresses. */
static bool is_address_wide(enum oclmm_type type)
{
	return type == OCLMM_TYPE_SIZE || type == OCLMM_TYPE_PTRDIFF;
}

static unsigned floating_bit(enum oclmm_type type)
{
	return oclmm_type_is_floating(type) ? 1u << type : 0;
}

/* C:6.15.12.6 has atomic_float and atomic_double themselves. */
static unsigned ability_of(enum oclmm_operation op, enum oclmm_type type)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD:
	case OCLMM_OP_FETCH_SUB: return OCLMM_FLOAT_ADD;
	case OCLMM_OP_FETCH_MIN:
	case OCLMM_OP_FETCH_MAX: return OCLMM_FLOAT_MIN_MAX;
	default: return type == OCLMM_TYPE_HALF ? OCLMM_FLOAT_LOAD_STORE : 0;
	}
}

static void note_floating(struct oclmm_features *features, const struct oclmm_location *location,
                          enum oclmm_operation op)
{
	unsigned abilities = ability_of(op, location->type);

	if (location->space == OCLMM_SPACE_LOCAL)
		abilities <<= OCLMM_FLOAT_LOCAL;
	if (oclmm_type_is_floating(location->type))
		features->float_atomics[location->type - OCLMM_TYPE_HALF] |= abilities;
}

/* Of one type: `first` is 0 for global memory or OCLMM_FLOAT_LOCAL. */
static const char *lacking(unsigned lacks, unsigned first)
{
	static const char *const words[] = {"load_store", "add", "min_max"};

	for (unsigned i = 0; i < OCLMM_COUNT(words); i++)
		if (lacks >> (first + i) & 1)
			return words[i];
	return NULL;
}

bool oclmm_float_feature(const struct oclmm_features *need, const unsigned *have, char *name,
                         size_t size)
{
	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++) {
		unsigned lacks = need->float_atomics[i] & ~have[i];
		const char *global = lacking(lacks, 0), *local = lacking(lacks, OCLMM_FLOAT_LOCAL);

		if (!global && !local)
			continue;
		snprintf(name, size, "__opencl_c_ext_fp%u_%s_atomic_%s",
		         oclmm_type_bits((enum oclmm_type)(OCLMM_TYPE_HALF + i)),
		         global ? "global" : "local", global ? global : local);
		return true;
	}
	return false;
}

/* ---- all of them ---- */

/* The features found so far, and in which program. */
struct search {
	const struct oclmm_program *program;
	struct oclmm_features *features;
};

static int note_use(void *data, const struct oclmm_use *use)
{
	const struct search *search = data;

	if (use->atomic)
		search->features->atomic_types |=
			1u << search->program->locations[use->place->location].type;
	return 0;
}

/* A subnormal number has no bit in its exponent, and one in its fraction. */
static void note_value(struct oclmm_features *features, enum oclmm_type type, int64_t value)
{
	/* bits, IEEE 754 */
	unsigned fraction = type == OCLMM_TYPE_HALF ? 10 : type == OCLMM_TYPE_FLOAT ? 23 : 52;
	uint64_t bits;

	if (!oclmm_type_is_floating(type))
		return;
	bits = oclmm_value_bits(type, value) & ~(UINT64_C(1) << (oclmm_type_bits(type) - 1));
	if (bits != 0 && bits >> fraction == 0)
		features->subnormals |= 1u << type;
}

static int note_expression(void *data, const struct oclmm_expression *e)
{
	struct oclmm_features *features = ((const struct search *)data)->features;
	const struct oclmm_atomic *atomic;

	features->address_wide |= is_address_wide(e->type);
	if (e->kind == OCLMM_EXPRESSION_CONSTANT)
		note_value(features, e->type, e->constant);
	if (e->kind != OCLMM_EXPRESSION_ATOMIC || e->atomic->op == OCLMM_OP_INIT)
		return 0;
	atomic = e->atomic;
	note_floating(features,
	              &((const struct search *)data)->program->locations[atomic->object.location],
	              atomic->op);
	features->orders |= 1u << atomic->order;
	features->scopes |= 1u << atomic->scope;
	if (oclmm_operation_is_cas(atomic->op) && !atomic->legacy)
		features->orders |= 1u << atomic->failure;
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *s)
{
	struct oclmm_features *features = ((const struct search *)data)->features;

	if (s->kind == OCLMM_STATEMENT_FENCE) {
		/* one for images belongs to these */
		if (s->fence.flags & OCLMM_FLAG_IMAGE)
			return 0;
		features->fence_orders |= 1u << s->fence.order;
		features->scopes |= 1u << s->fence.scope;
	} else if (s->kind == OCLMM_STATEMENT_BARRIER) {
		if (!s->barrier.collective)
			features->scopes |= 1u << s->barrier.scope;
		features->collectives |= s->barrier.collective && !s->barrier.sub_group;
		features->sub_groups |= s->barrier.sub_group;
		features->split_barriers |= s->barrier.part != OCLMM_BARRIER_WHOLE;
	} else if (s->kind == OCLMM_STATEMENT_COPY) {
		features->copies = true;
	} else if (s->kind == OCLMM_STATEMENT_ENQUEUE) {
		features->children = true;
	} else if (s->kind == OCLMM_STATEMENT_CLOCK) {
		features->clocks |= 1u << s->clock.scope;
		features->sub_groups |= s->clock.scope == OCLMM_SCOPE_SUB_GROUP;
	}
	return 0;
}

static void note_registers(struct oclmm_features *features, const struct oclmm_thread *thread)
{
	for (uint32_t i = 0; i < thread->register_count; i++) {
		enum oclmm_type type = thread->registers[i].type;

		features->address_wide |= is_address_wide(type);
		features->floating_types |= floating_bit(type);
	}
}

static void note_parameters(struct oclmm_features *features, const struct oclmm_thread *thread)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		features->generic_pointers |= thread->parameters[i].generic;
}

static void note_placement(struct oclmm_features *features, const struct oclmm_program *program,
                           uint32_t thread)
{
	const struct oclmm_placement *p = &program->threads[thread].placement;
	bool new_device = !p->host, new_group = !p->host && !p->child;

	features->host_threads |= p->host;
	features->sub_groups |= p->sub_group_given;
	for (uint32_t i = 0; i < thread; i++) {
		const struct oclmm_placement *q = &program->threads[i].placement;

		new_device &= q->host || q->device != p->device;
		new_group &= !oclmm_same_work_group(p, q);
		features->queues |= oclmm_two_kernels(p, q);
	}
	features->devices += new_device;
	features->work_groups += new_group;
}

static void note_groups(struct oclmm_features *features, const struct oclmm_program *program)
{
	const struct oclmm_shared_text *shared = program->shared;

	features->work_groups = shared->groups[0] * shared->groups[1] * shared->groups[2];
	features->group_items = shared->items[0] * shared->items[1] * shared->items[2];
	features->generic_pointers |= shared->generic_pointers;
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL && !l->copy_of)
			features->group_bytes += l->elements * (oclmm_type_bits(l->type) / 8);
	}
}

/* A replay is enqueued where the one before it of the same command buffer may not have ended. */
static bool replays_at_once(const struct oclmm_program *program)
{
	struct oclmm_command_order order;
	uint32_t last[OCLMM_RECORDINGS_MOST];
	bool found = false;

	oclmm_command_order(program, 0, &order);
	for (uint32_t i = 0; i < OCLMM_RECORDINGS_MOST; i++)
		last[i] = program->thread_count;
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_command *command = &program->threads[i].placement.command;

		if (command->kind != OCLMM_COMMAND_REPLAY)
			continue;
		if (last[command->recording - 1] < program->thread_count)
			found |= !(order.before[oclmm_moment(last[command->recording - 1],
			                                     OCLMM_MOMENT_END)] >>
			                   oclmm_moment(i, OCLMM_MOMENT_CALL) &
			           1);
		last[command->recording - 1] = i;
	}
	return found;
}

static void note_command(struct oclmm_features *features, const struct oclmm_program *program,
                         const struct oclmm_command *command)
{
	features->unordered_queue |= command->unordered;
	features->command_buffers |= command->recording != 0;
	features->several_queues |= command->recording &&
	                            oclmm_command_several_queues(program, command->recording);
	features->semaphores |= command->semaphores != 0;
	features->buffer_addresses |= command->address;
	features->svm_buffers |= command->buffer;
	features->recorded_barriers |= oclmm_command_is_recorded(command) &&
	                               command->kind == OCLMM_COMMAND_BARRIER;
	features->recorded_transfers |= oclmm_command_is_recorded(command) &&
	                                (command->kind == OCLMM_COMMAND_FILL ||
	                                 command->kind == OCLMM_COMMAND_COPY);
	features->unordered_recordings |= command->recording && command->unordered;
	if (command->device >= features->devices)
		features->devices = command->device + 1;
}

/* ---- unified SVM ---- */

/* What each type of cl_khr_unified_svm can do, CL_SVM_TYPE_MACRO_DEVICE_KHR and its kin. */
#define CAN(name) (1u << OCLMM_SVM_##name)
enum {
	CAN_BE_USED = CAN(SINGLE_ADDRESS_SPACE) | CAN(DEVICE_READ) | CAN(DEVICE_WRITE) |
	              CAN(INDIRECT_ACCESS),
	CAN_BE_SHARED = CAN_BE_USED | CAN(HOST_READ) | CAN(HOST_WRITE),
};
static const unsigned svm_types[OCLMM_UNIFIED_SVM_TYPES] = {
	CAN_BE_USED | CAN(DEVICE_OWNED) | CAN(DEVICE_ATOMIC_ACCESS),
	CAN_BE_SHARED | CAN(HOST_OWNED) | CAN(DEVICE_UNASSOCIATED) | CAN(CONTEXT_ACCESS),
	CAN_BE_SHARED,
};

/* Whether a step of the host and a command may use an object at the same time. */
static bool is_used_at_once(const struct oclmm_program *program,
                            const struct oclmm_command_order *order, uint32_t location)
{
	bool found = false;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (program->threads[i].placement.command.kind != OCLMM_COMMAND_HOST ||
		    !(oclmm_command_uses(program, i) >> location & 1))
			continue;
		for (uint32_t k = 0; k < program->thread_count; k++)
			found |= program->threads[k].placement.command.kind != OCLMM_COMMAND_HOST &&
			         oclmm_command_uses(program, k) >> location & 1 &&
			         !oclmm_command_ordered(order, i, k) &&
			         !oclmm_command_ordered(order, k, i);
	}
	return found;
}

static void note_unified_svm(struct oclmm_features *features, const struct oclmm_program *program)
{
	struct oclmm_command_order order;

	oclmm_command_order(program, 0, &order);
	for (uint32_t i = 0; i < program->location_count; i++) {
		unsigned type = (unsigned)program->locations[i].storage - OCLMM_STORAGE_SVM_DEVICE;

		if (type >= OCLMM_UNIFIED_SVM_TYPES)
			continue;
		features->unified_svm[type] |= svm_types[type];
		if (is_used_at_once(program, &order, i))
			features->unified_svm[type] |= CAN(CONCURRENT_ACCESS);
	}
}
#undef CAN

void oclmm_program_features(const struct oclmm_program *program,
                            struct oclmm_features *ret_features)
{
	static const struct oclmm_visitor visitor = {note_expression, note_use, note_statement};
	struct oclmm_features features = {0};
	struct search search = {program, &features};

	for (uint32_t i = 0; i < program->location_count; i++) {
		features.images_2d |= program->locations[i].storage == OCLMM_STORAGE_IMAGE_2D;
		features.pipes |= program->locations[i].storage == OCLMM_STORAGE_PIPE;
		features.external_memory |= program->locations[i].storage == OCLMM_STORAGE_EXTERNAL;
		features.floating_types |= floating_bit(program->locations[i].type);
		for (uint32_t k = 0; k < program->locations[i].elements; k++)
			note_value(&features, program->locations[i].type,
			           program->locations[i].initial[k]);
		features.local_memory |= program->locations[i].space == OCLMM_SPACE_LOCAL;
		features.svm_atomics |= oclmm_storage_has_svm_atomics(
			program->locations[i].storage);
		features.svm_system |= program->locations[i].storage == OCLMM_STORAGE_SVM_SYSTEM;
		features.svm_fine |= program->locations[i].storage == OCLMM_STORAGE_SVM_FINE;
		features.program_scope |= program->locations[i].storage == OCLMM_STORAGE_PROGRAM;
		features.images += oclmm_location_is_image(&program->locations[i]);
		features.svm_coarse |= program->locations[i].storage == OCLMM_STORAGE_SVM_COARSE;
	}
	features.commands = oclmm_program_has_commands(program);
	if (features.commands) {
		features.replays_at_once = replays_at_once(program);
		features.devices = 1;
		for (uint32_t i = 0; i < program->thread_count; i++)
			note_command(&features, program, &program->threads[i].placement.command);
		for (uint32_t i = 0; i < program->thread_count; i++) {
			features.changed_arguments |= oclmm_command_is_changed(program, i);
			features.changed_launches |= oclmm_command_launches(program, i);
		}
		note_unified_svm(&features, program);
		*ret_features = features;
		return;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		oclmm_visit_body(&visitor, program->threads[i].body, &search);
		note_registers(&features, &program->threads[i]);
		note_parameters(&features, &program->threads[i]);
		/* in a shared text all groups are alike */
		if (!program->shared || i == 0)
			note_placement(&features, program, i);
	}
	if (program->shared)
		note_groups(&features, program);
	if (features.scopes & (1u << OCLMM_SCOPE_SUB_GROUP))
		features.sub_groups = true;
	*ret_features = features;
}
