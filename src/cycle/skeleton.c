// SPDX-License-Identifier: Apache-2.0
/* A program without its names, if it has the form that tests of cycles have. */
#include "internal.h"

struct maker {
	const struct oclmm_program *program;
	struct skeleton *skeleton;
	unsigned thread;
	unsigned guard;
	int64_t guard_value;
	bool is_constant[SKELETON_NONE]; /* registers */
	int64_t constant[SKELETON_NONE];
};

/* ---- expressions ---- */

static bool read_constant(const struct oclmm_expression *expression, int64_t *ret_value)
{
	if (expression->kind == OCLMM_EXPRESSION_CONSTANT) {
		*ret_value = expression->constant;
		return true;
	}
	if (expression->kind != OCLMM_EXPRESSION_UNARY ||
	    expression->unary.op != OCLMM_OPERATOR_NEGATE ||
	    !read_constant(expression->unary.operand, ret_value))
		return false;
	*ret_value = oclmm_value_wrap(expression->type, -*ret_value);
	return true;
}

/* A constant, a register, or a register and a constant. */
static bool read_operand(const struct oclmm_expression *expression, struct skeleton_item *item)
{
	const struct oclmm_binary *binary = &expression->binary;

	item->data = SKELETON_NONE;
	if (read_constant(expression, &item->operand))
		return true;
	item->operand = 0;
	if (expression->kind == OCLMM_EXPRESSION_REGISTER) {
		item->data = expression->reg;
		return true;
	}
	if (expression->kind != OCLMM_EXPRESSION_BINARY ||
	    binary->left->kind != OCLMM_EXPRESSION_REGISTER ||
	    (binary->op != OCLMM_OPERATOR_ADD && binary->op != OCLMM_OPERATOR_SUB) ||
	    !read_constant(binary->right, &item->operand))
		return false;
	item->data = binary->left->reg;
	if (binary->op == OCLMM_OPERATOR_SUB)
		item->operand = -item->operand;
	return true;
}

/* ---- accesses ---- */

static bool read_comparand(const struct maker *maker, const struct oclmm_atomic *atomic,
                           struct skeleton_item *item)
{
	const struct oclmm_comparand *comparand = &atomic->comparand;

	switch (comparand->kind) {
	case OCLMM_COMPARAND_NONE: return true;
	case OCLMM_COMPARAND_REGISTER:
		item->expected = comparand->reg;
		item->comparand = maker->constant[comparand->reg];
		return maker->is_constant[comparand->reg];
	case OCLMM_COMPARAND_VALUE: return read_constant(comparand->value, &item->comparand);
	default: return false;
	}
}

static bool read_atomic(const struct maker *maker, const struct oclmm_atomic *atomic,
                        struct skeleton_item *item)
{
	struct oclmm_cycle_access *access = &item->access;

	if (atomic->object.index)
		return false;
	access->location = atomic->object.location;
	access->writes = oclmm_operation_writes(atomic->op);
	access->reads = oclmm_operation_reads(atomic->op);
	access->update = access->writes && access->reads;
	if (access->update || atomic->op == OCLMM_OP_FLAG_CLEAR)
		access->op = atomic->op;
	access->order = atomic->order;
	access->scope = atomic->scope;
	access->legacy = atomic->legacy;
	item->failure = oclmm_operation_is_cas(atomic->op) ? atomic->failure : OCLMM_ORDER_NONE;
	return (!atomic->operand || read_operand(atomic->operand, item)) &&
	       read_comparand(maker, atomic, item);
}

static bool read_place(const struct oclmm_place *place, struct skeleton_item *item)
{
	item->access.location = place->location;
	return !place->index;
}

static struct skeleton_item *add_item(struct maker *maker)
{
	struct skeleton_thread *thread = &maker->skeleton->thread[maker->thread];
	struct skeleton_item *item;

	if (thread->count == SKELETON_MAX_ITEMS)
		return NULL;
	item = &thread->item[thread->count++];
	*item = (struct skeleton_item){
		.reg = SKELETON_NONE,
		.expected = SKELETON_NONE,
		.data = SKELETON_NONE,
		.guard = maker->guard,
		.guard_value = maker->guard_value,
	};
	return item;
}

/* ---- statements ---- */

static bool read_assign(struct maker *maker, const struct oclmm_assign *assign)
{
	struct skeleton_item *item;
	int64_t value;

	if (assign->reg >= SKELETON_NONE)
		return false;
	if (read_constant(assign->value, &value)) {
		maker->is_constant[assign->reg] = true;
		maker->constant[assign->reg] = value;
		return true;
	}
	item = add_item(maker);
	if (!item)
		return false;
	item->reg = assign->reg;
	if (assign->value->kind == OCLMM_EXPRESSION_ATOMIC)
		return read_atomic(maker, assign->value->atomic, item);
	item->access.reads = true;
	return assign->value->kind == OCLMM_EXPRESSION_LOAD &&
	       read_place(&assign->value->load, item);
}

/* No word of a cycle says the flag of images. */
static bool read_fence(struct maker *maker, const struct oclmm_fence *fence)
{
	struct skeleton_item *item = fence->flags & OCLMM_FLAG_IMAGE ? NULL : add_item(maker);

	if (!item)
		return false;
	item->is_fence = true;
	item->fence.flags = fence->flags;
	item->fence.order = fence->order;
	item->fence.scope = fence->scope;
	for (unsigned kind = 0; kind < OCLMM_CYCLE_FENCE_COUNT; kind++) {
		item->fence.kind = (enum oclmm_cycle_fence_kind)kind;
		if (strcmp(words_fence_function(item->fence.kind), fence->spelling) == 0)
			return true;
	}
	return false;
}

static bool read_barrier(struct maker *maker, const struct oclmm_barrier *barrier)
{
	bool has_words = !barrier->collective && !(barrier->flags & OCLMM_FLAG_IMAGE);
	struct skeleton_item *item = has_words ? add_item(maker) : NULL;

	if (!item)
		return false;
	item->is_fence = true;
	item->fence.kind = barrier->sub_group ? OCLMM_CYCLE_FENCE_SUB_BARRIER
	                                      : OCLMM_CYCLE_FENCE_BARRIER;
	item->fence.flags = barrier->flags;
	item->fence.no_flags = barrier->flags == 0;
	item->fence.scope = barrier->scope;
	return true;
}

static bool read_body(struct maker *maker, const struct oclmm_statement *first);

static bool read_branch(struct maker *maker, const struct oclmm_branch *branch)
{
	const struct oclmm_expression *condition = branch->condition;
	unsigned guard = maker->guard;
	int64_t value = maker->guard_value;
	bool good;

	if (branch->else_body || condition->kind != OCLMM_EXPRESSION_BINARY ||
	    condition->binary.op != OCLMM_OPERATOR_EQ ||
	    condition->binary.left->kind != OCLMM_EXPRESSION_REGISTER ||
	    !read_constant(condition->binary.right, &maker->guard_value))
		return false;
	maker->guard = condition->binary.left->reg;
	good = read_body(maker, branch->then_body);
	maker->guard = guard;
	maker->guard_value = value;
	return good;
}

static bool read_statement(struct maker *maker, const struct oclmm_statement *statement)
{
	struct skeleton_item *item;

	switch (statement->kind) {
	case OCLMM_STATEMENT_ASSIGN: return read_assign(maker, &statement->assign);
	case OCLMM_STATEMENT_FENCE: return read_fence(maker, &statement->fence);
	case OCLMM_STATEMENT_BARRIER: return read_barrier(maker, &statement->barrier);
	case OCLMM_STATEMENT_COPY:
	case OCLMM_STATEMENT_WAIT:
	case OCLMM_STATEMENT_ENQUEUE: return false; /* no word of a cycle says these */
	case OCLMM_STATEMENT_IF: return read_branch(maker, &statement->branch);
	case OCLMM_STATEMENT_STORE:
		item = add_item(maker);
		if (!item)
			return false;
		item->access.writes = true;
		return read_place(&statement->store.place, item) &&
		       read_operand(statement->store.value, item);
	case OCLMM_STATEMENT_EVALUATE:
		item = statement->effect->kind == OCLMM_EXPRESSION_ATOMIC ? add_item(maker) : NULL;
		return item && read_atomic(maker, statement->effect->atomic, item);
	default: return false;
	}
}

static bool read_body(struct maker *maker, const struct oclmm_statement *first)
{
	for (const struct oclmm_statement *s = first; s; s = s->next) {
		if (!read_statement(maker, s))
			return false;
	}
	return true;
}

/* ---- the rest ---- */

static bool read_thread(const struct oclmm_program *program, unsigned index,
                        struct skeleton *skeleton)
{
	const struct oclmm_thread *thread = &program->threads[index];
	struct maker maker = {
		.program = program, .skeleton = skeleton, .thread = index, .guard = SKELETON_NONE};

	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		if (thread->parameters[i].generic || thread->parameters[i].is_volatile)
			return false;
	}
	for (uint32_t i = 0; i < thread->register_count; i++) {
		if (thread->registers[i].has_initial)
			return false;
	}
	/* cycles know one kernel of a device */
	if (thread->register_count >= SKELETON_NONE || thread->placement.queue > 0)
		return false;
	skeleton->thread[index].placement = thread->placement;
	return read_body(&maker, thread->body);
}

static bool read_condition(const struct oclmm_program *program,
                           const struct oclmm_condition *condition, struct skeleton *skeleton)
{
	const struct oclmm_observable *observable;
	struct skeleton_atom *atom = &skeleton->atom[skeleton->atom_count];

	if (condition->kind == OCLMM_CONDITION_AND)
		return read_condition(program, condition->left, skeleton) &&
		       read_condition(program, condition->right, skeleton);
	if (condition->kind != OCLMM_CONDITION_COMPARE || condition->op != OCLMM_OPERATOR_EQ ||
	    condition->a.is_constant || !condition->b.is_constant ||
	    skeleton->atom_count == OCLMM_COUNT(skeleton->atom))
		return false;
	observable = &program->observables[condition->a.observable];
	skeleton->atom_count++;
	*atom = (struct skeleton_atom){
		.is_register = observable->is_register,
		.thread = observable->is_register ? observable->thread : 0,
		.index = observable->is_register ? observable->reg : observable->location,
		.value = condition->b.constant,
	};
	return true;
}

static bool read_locations(const struct oclmm_program *program, struct skeleton *skeleton)
{
	if (program->location_count > OCLMM_CYCLE_MAX)
		return false;
	skeleton->location_count = program->location_count;
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *location = &program->locations[i];

		/* no word of a cycle says these */
		if (location->is_array || oclmm_type_is_floating(location->type) ||
		    location->storage == OCLMM_STORAGE_SVM_FINE ||
		    location->storage == OCLMM_STORAGE_SVM_COARSE ||
		    location->storage == OCLMM_STORAGE_SVM_SYSTEM ||
		    location->storage == OCLMM_STORAGE_PROGRAM || oclmm_location_is_image(location))
			return false;
		skeleton->initial[i] = location->initial[0];
		skeleton->location[i] = (struct oclmm_cycle_location){
			.space = location->space,
			.type = location->type,
			.svm = location->storage == OCLMM_STORAGE_SVM_ATOMICS,
			.atomic = location->atomic,
		};
	}
	return true;
}

bool skeleton_make(const struct oclmm_program *program, struct skeleton *ret_skeleton)
{
	*ret_skeleton = (struct skeleton){.thread_count = program->thread_count};
	if (program->thread_count > OCLMM_CYCLE_MAX || program->filter ||
	    program->quantifier != OCLMM_QUANTIFIER_EXISTS ||
	    program->condition->kind == OCLMM_CONDITION_TRUE ||
	    !read_locations(program, ret_skeleton) ||
	    !read_condition(program, program->condition, ret_skeleton) ||
	    ret_skeleton->atom_count != program->observable_count)
		return false;
	for (unsigned i = 0; i < program->thread_count; i++) {
		if (!read_thread(program, i, ret_skeleton))
			return false;
	}
	return true;
}
