// SPDX-License-Identifier: Apache-2.0
/*
 * From a program to its cycle: every order of the threads, and of each update the side that an edge
 * touches, is tried, and the test of the cycle is made again and compared.
 */
#include "internal.h"
#include "oclmm/syntax.h"

enum { SKELETON_MAX_ITEMS = 24, SKELETON_NONE = 255 };

/* One step of a thread as the recogniser sees it: names gone, registers by what sets them. */
struct skeleton_item {
	bool is_fence;
	struct oclmm_cycle_fence fence;
	struct oclmm_cycle_access access; /* `location` is the program's */
	unsigned reg, expected;           /* the registers that it sets, or SKELETON_NONE */
	int64_t operand, comparand;
	unsigned data; /* the register that the operand is computed from */
	/* the innermost branch that it stands in, by the register it looks at */
	unsigned guard;
	int64_t guard_value;
	enum oclmm_order failure;
};
struct skeleton_thread {
	struct oclmm_placement placement;
	struct skeleton_item item[SKELETON_MAX_ITEMS];
	unsigned count;
};
/* An equality of the outcome. */
struct skeleton_atom {
	bool is_register;
	unsigned thread, index; /* register, or location */
	int64_t value;
};
struct skeleton {
	struct skeleton_thread thread[OCLMM_CYCLE_MAX];
	unsigned thread_count;
	struct skeleton_atom atom[2 * OCLMM_CYCLE_MAX];
	unsigned atom_count;
	int64_t initial[OCLMM_CYCLE_MAX]; /* by location */
	struct oclmm_cycle_location location[OCLMM_CYCLE_MAX];
	unsigned location_count;
};

/* ---- A program without its names, if it has the form that tests of cycles have. ---- */

struct maker {
	const struct oclmm_program *program;
	struct skeleton *skeleton;
	unsigned thread;
	unsigned guard;
	int64_t guard_value;
	bool is_constant[SKELETON_NONE]; /* registers */
	int64_t constant[SKELETON_NONE];
};

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
		if (strcmp(oclmm_cycle_fence_function(item->fence.kind), fence->spelling) == 0)
			return true;
	}
	return false;
}

static bool read_barrier(struct maker *maker, const struct oclmm_barrier *barrier)
{
	bool has_words = !barrier->collective && !(barrier->flags & OCLMM_FLAG_IMAGE) &&
	                 barrier->part == OCLMM_BARRIER_WHOLE;
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
	case OCLMM_STATEMENT_ENQUEUE:
	case OCLMM_STATEMENT_CLOCK: return false; /* no word of a cycle says these */
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

/* Returns false for a program of another form. */
static bool skeleton_make(const struct oclmm_program *program, struct skeleton *ret_skeleton)
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

/* ---- Whether two skeletons are one test. ---- */

struct pairing {
	const struct skeleton *a, *b;
	const unsigned *map;
	unsigned location[OCLMM_CYCLE_MAX];           /* of a, in b; SKELETON_NONE: not met */
	unsigned reg[OCLMM_CYCLE_MAX][SKELETON_NONE]; /* by thread of a */
};

static bool same_location(struct pairing *pairing, unsigned a, unsigned b)
{
	const struct oclmm_cycle_location *in_a = &pairing->a->location[a];
	const struct oclmm_cycle_location *in_b = &pairing->b->location[b];

	if (pairing->location[a] != SKELETON_NONE)
		return pairing->location[a] == b;
	for (unsigned i = 0; i < OCLMM_CYCLE_MAX; i++) {
		if (pairing->location[i] == b)
			return false;
	}
	pairing->location[a] = b;
	return in_a->space == in_b->space && in_a->type == in_b->type && in_a->svm == in_b->svm &&
	       in_a->atomic == in_b->atomic && pairing->a->initial[a] == pairing->b->initial[b];
}

/* A register is known by what sets it. */
static bool same_register(const struct pairing *pairing, unsigned thread, unsigned a, unsigned b)
{
	if (a == SKELETON_NONE || b == SKELETON_NONE)
		return a == b;
	return pairing->reg[thread][a] == b;
}

static bool same_fence(const struct oclmm_cycle_fence *a, const struct oclmm_cycle_fence *b)
{
	return a->kind == b->kind && a->flags == b->flags && a->order == b->order &&
	       a->scope == b->scope;
}

static bool same_access(struct pairing *pairing, const struct skeleton_item *a,
                        const struct skeleton_item *b)
{
	const struct oclmm_cycle_access *x = &a->access, *y = &b->access;

	return x->reads == y->reads && x->writes == y->writes && x->op == y->op &&
	       x->order == y->order && x->scope == y->scope && x->legacy == y->legacy &&
	       a->failure == b->failure && a->operand == b->operand &&
	       a->comparand == b->comparand && same_location(pairing, x->location, y->location);
}

static bool same_item(struct pairing *pairing, unsigned thread, const struct skeleton_item *a,
                      const struct skeleton_item *b)
{
	if (a->is_fence != b->is_fence || !same_register(pairing, thread, a->guard, b->guard) ||
	    a->guard_value != b->guard_value)
		return false;
	if (a->is_fence)
		return same_fence(&a->fence, &b->fence);
	if (!same_access(pairing, a, b) || !same_register(pairing, thread, a->data, b->data))
		return false;
	/* a result that is not observed may be kept or not */
	if (a->reg != SKELETON_NONE)
		pairing->reg[thread][a->reg] = b->reg;
	if (a->expected != SKELETON_NONE)
		pairing->reg[thread][a->expected] = b->expected;
	return true;
}

static bool same_thread(struct pairing *pairing, unsigned thread)
{
	const struct skeleton_thread *a = &pairing->a->thread[thread];
	const struct skeleton_thread *b = &pairing->b->thread[pairing->map[thread]];

	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		if (!same_item(pairing, thread, &a->item[i], &b->item[i]))
			return false;
	}
	return true;
}

static bool same_places(const struct pairing *pairing)
{
	for (unsigned i = 0; i < pairing->a->thread_count; i++) {
		const struct oclmm_placement *a = &pairing->a->thread[i].placement;
		const struct oclmm_placement *b = &pairing->b->thread[pairing->map[i]].placement;

		for (unsigned k = 0; k < i; k++) {
			const struct oclmm_placement *c = &pairing->a->thread[k].placement;
			const struct oclmm_placement *d =
				&pairing->b->thread[pairing->map[k]].placement;

			if (oclmm_same_work_group(a, c) != oclmm_same_work_group(b, d) ||
			    oclmm_same_sub_group(a, c) != oclmm_same_sub_group(b, d) ||
			    (!a->host && !c->host &&
			     (a->device == c->device) != (b->device == d->device)))
				return false;
		}
		if (a->host != b->host)
			return false;
	}
	return true;
}

static bool has_atom(const struct pairing *pairing, const struct skeleton_atom *atom)
{
	unsigned thread = atom->is_register ? pairing->map[atom->thread] : 0;
	unsigned index = atom->is_register ? pairing->reg[atom->thread][atom->index]
	                                   : pairing->location[atom->index];

	for (unsigned i = 0; i < pairing->b->atom_count; i++) {
		const struct skeleton_atom *other = &pairing->b->atom[i];

		if (other->is_register == atom->is_register && other->thread == thread &&
		    other->index == index && other->value == atom->value)
			return true;
	}
	return false;
}

/* Whether two are the same when thread i of `a` is thread `map[i]` of `b`. */
static bool skeleton_same(const struct skeleton *a, const struct skeleton *b, const unsigned *map)
{
	struct pairing pairing = {.a = a, .b = b, .map = map};

	for (unsigned i = 0; i < OCLMM_CYCLE_MAX; i++) {
		pairing.location[i] = SKELETON_NONE;
		for (unsigned k = 0; k < SKELETON_NONE; k++)
			pairing.reg[i][k] = SKELETON_NONE;
	}
	if (a->thread_count != b->thread_count || a->atom_count != b->atom_count)
		return false;
	for (unsigned i = 0; i < a->thread_count; i++) {
		if (!same_thread(&pairing, i))
			return false;
	}
	for (unsigned i = 0; i < a->atom_count; i++) {
		if (!has_atom(&pairing, &a->atom[i]))
			return false;
	}
	return same_places(&pairing);
}

/* ---- from a program to its cycle ----------------------------------------------------- */

/* So many candidates: a test of a dozen updates is not worth more. */
enum { MOST_CANDIDATES = 20000 };

struct candidate {
	const struct skeleton *skeleton;
	unsigned map[OCLMM_CYCLE_MAX]; /* the program's threads in the order of the cycle */
	struct oclmm_cycle cycle;
	const struct skeleton_item *item[OCLMM_CYCLE_MAX]; /* by access */
	bool barrier_first[OCLMM_CYCLE_MAX]; /* by access: in front of a thread's first */
	const struct oclmm_cycle_fence *barrier[OCLMM_CYCLE_MAX]; /* behind a thread's last */
	bool in_write[OCLMM_CYCLE_MAX], out_write[OCLMM_CYCLE_MAX];
	unsigned tried;
};

/* The value that the outcome asks_for for in a register; false when it asks_for for none. */
static bool asks_for(const struct skeleton *skeleton, unsigned thread, unsigned reg,
                     int64_t *ret_value)
{
	for (unsigned i = 0; i < skeleton->atom_count; i++) {
		const struct skeleton_atom *atom = &skeleton->atom[i];

		if (atom->is_register && atom->thread == thread && atom->index == reg) {
			*ret_value = atom->value;
			return true;
		}
	}
	return false;
}

static void take_access(struct candidate *candidate, const struct skeleton_item *item,
                        unsigned thread)
{
	struct oclmm_cycle *cycle = &candidate->cycle;
	const struct oclmm_cycle_location *location =
		&candidate->skeleton->location[item->access.location];
	struct oclmm_cycle_access *access = &cycle->access[cycle->count];

	candidate->item[cycle->count] = item;
	*access = item->access;
	if (access->legacy)
		access->scope = OCLMM_SCOPE_NONE;
	access->thread = thread;
	access->host = candidate->skeleton->thread[thread].placement.host;
	access->local = location->space == OCLMM_SPACE_LOCAL;
	access->svm = location->svm;
	access->typed = location->type != OCLMM_TYPE_FLAG;
	access->type = location->type;
	if (access->update && oclmm_operation_is_cas(access->op) &&
	    item->failure == access->order && item->failure != OCLMM_ORDER_RELAXED &&
	    item->reg != SKELETON_NONE) {
		int64_t result;

		access->fails = asks_for(candidate->skeleton, thread, item->reg, &result) &&
		                result == 0;
	}
	cycle->count++;
}

/* Of a barrier, the scope that is the default is not said. */
static bool take_fence(struct candidate *candidate, const struct skeleton_item *item)
{
	struct oclmm_cycle_access *access = &candidate->cycle.access[candidate->cycle.count - 1];
	struct oclmm_cycle_fence *fence;

	if (access->fence_count == OCLMM_CYCLE_FENCES)
		return false;
	fence = &access->fences[access->fence_count++];
	*fence = item->fence;
	if (fence->kind != OCLMM_CYCLE_FENCE_FENCE)
		fence->order = OCLMM_ORDER_NONE;
	if (fence->kind != OCLMM_CYCLE_FENCE_FENCE && !fence_is_barrier(fence))
		fence->scope = OCLMM_SCOPE_NONE;
	if (fence->kind == OCLMM_CYCLE_FENCE_BARRIER && fence->scope == OCLMM_SCOPE_WORK_GROUP)
		fence->scope = OCLMM_SCOPE_NONE;
	if (fence->kind == OCLMM_CYCLE_FENCE_SUB_BARRIER && fence->scope == OCLMM_SCOPE_SUB_GROUP)
		fence->scope = OCLMM_SCOPE_NONE;
	fence->inside = item->guard != candidate->item[candidate->cycle.count - 1]->guard;
	return true;
}

static bool take_thread(struct candidate *candidate, unsigned thread)
{
	const struct skeleton_thread *from = &candidate->skeleton->thread[thread];
	struct oclmm_cycle *cycle = &candidate->cycle;
	unsigned first = cycle->count, last;

	for (unsigned i = 0; i < from->count; i++) {
		const struct skeleton_item *item = &from->item[i];

		if (!item->is_fence && cycle->count == OCLMM_CYCLE_MAX)
			return false;
		if (!item->is_fence) {
			take_access(candidate, item, thread);
		} else if (cycle->count == first) {
			if (i || !fence_is_barrier(&item->fence))
				return false;
			candidate->barrier_first[first] = true;
		} else if (!take_fence(candidate, item)) {
			return false;
		}
	}
	if (cycle->count == first)
		return false;
	/* what stands behind the last access belongs to the edge that leaves */
	last = cycle->count - 1;
	candidate->barrier[last] = NULL;
	if (from->item[from->count - 1].is_fence) {
		struct oclmm_cycle_access *access = &cycle->access[last];

		if (access->fence_count != 1 || !fence_is_barrier(&access->fences[0]))
			return false;
		candidate->barrier[last] = &access->fences[--access->fence_count];
	}
	return true;
}

static bool join_threads(struct candidate *candidate, unsigned i, unsigned next)
{
	const struct oclmm_placement *a, *b;
	struct oclmm_link *link = &candidate->cycle.link[i];
	const struct oclmm_cycle_fence *barrier = candidate->barrier[i];

	a = &candidate->skeleton->thread[candidate->cycle.access[i].thread].placement;
	b = &candidate->skeleton->thread[candidate->cycle.access[next].thread].placement;
	link->external = candidate->skeleton->thread_count > 1;
	if (barrier || candidate->barrier_first[next]) {
		if (!barrier || !candidate->barrier_first[next])
			return false;
		link->kind = barrier->kind == OCLMM_CYCLE_FENCE_BARRIER ? OCLMM_LINK_BARRIER
		                                                        : OCLMM_LINK_SUB_BARRIER;
		link->flags = barrier->flags;
		link->scope = barrier->scope;
		return true;
	}
	if (!link->same || (!link->from_write && !link->to_write))
		return false;
	link->kind = !link->from_write ? OCLMM_LINK_FR
	             : link->to_write  ? OCLMM_LINK_CO
	                               : OCLMM_LINK_RF;
	if (link->external && !a->host && !b->host)
		link->near = oclmm_same_sub_group(a, b)    ? OCLMM_SCOPE_SUB_GROUP
		             : oclmm_same_work_group(a, b) ? OCLMM_SCOPE_WORK_GROUP
		             : a->device == b->device      ? OCLMM_SCOPE_DEVICE
		                                           : OCLMM_SCOPE_ALL_SVM_DEVICES;
	return true;
}

static bool sets(const struct skeleton_item *item, unsigned reg)
{
	return reg != SKELETON_NONE && (item->reg == reg || item->expected == reg);
}

static void join_inside(struct candidate *candidate, unsigned i, unsigned next)
{
	const struct skeleton_item *from = candidate->item[i], *to = candidate->item[next];
	struct oclmm_link *link = &candidate->cycle.link[i];

	link->kind = sets(from, to->data) && !link->from_write    ? OCLMM_LINK_DATA
	             : sets(from, to->guard) && !link->from_write ? OCLMM_LINK_CTRL
	                                                          : OCLMM_LINK_PO;
}

static bool join(struct candidate *candidate)
{
	struct oclmm_cycle *cycle = &candidate->cycle;

	for (unsigned i = 0; i < cycle->count; i++) {
		unsigned next = cycle_next(cycle, i);

		cycle->link[i] = (struct oclmm_link){
			.same = candidate->item[i]->access.location ==
		                candidate->item[next]->access.location,
			.from_write = candidate->out_write[i],
			.to_write = candidate->in_write[next],
		};
		if (next == 0 || cycle->access[i].thread != cycle->access[next].thread) {
			if (!join_threads(candidate, i, next))
				return false;
		} else {
			join_inside(candidate, i, next);
		}
	}
	return true;
}

static bool is_same(struct candidate *candidate, const struct oclmm_cycle *cycle)
{
	struct oclmm_litmus *litmus;
	struct skeleton made;
	unsigned back[OCLMM_CYCLE_MAX];
	bool same;

	if (oclmm_cycle_program(cycle, NULL, &litmus) < 0)
		return false;
	for (unsigned i = 0; i < candidate->skeleton->thread_count; i++)
		back[candidate->map[i]] = i;
	same = skeleton_make(litmus->variants[0].program, &made) &&
	       skeleton_same(candidate->skeleton, &made, back);
	oclmm_litmus_destroy(litmus);
	return same;
}

static bool try_sides(struct candidate *candidate, unsigned i, struct oclmm_cycle *ret_cycle)
{
	const struct oclmm_cycle_access *access = &candidate->cycle.access[i];

	if (i == candidate->cycle.count) {
		struct oclmm_cycle cycle;

		if (candidate->tried++ >= MOST_CANDIDATES || !join(candidate))
			return false;
		cycle = candidate->cycle;
		if (oclmm_cycle_settle(&cycle, NULL) < 0 || !is_same(candidate, &cycle))
			return false;
		*ret_cycle = cycle;
		return true;
	}
	if (access->fails || !access->update) {
		candidate->in_write[i] = candidate->out_write[i] = access->writes && !access->fails;
		return try_sides(candidate, i + 1, ret_cycle);
	}
	/* one side for both edges comes first */
	for (unsigned sides = 0; sides < 4; sides++) {
		candidate->in_write[i] = sides == 0 || sides == 2;
		candidate->out_write[i] = sides == 0 || sides == 3;
		if (try_sides(candidate, i + 1, ret_cycle))
			return true;
	}
	return false;
}

static bool try_order(struct candidate *candidate, unsigned next, struct oclmm_cycle *ret_cycle)
{
	unsigned count = candidate->skeleton->thread_count, before = candidate->cycle.count;

	if (next == count)
		return try_sides(candidate, 0, ret_cycle);
	for (unsigned thread = 0; thread < count; thread++) {
		bool used = next == 0 && thread > 0;

		for (unsigned i = 0; i < next; i++)
			used |= candidate->map[i] == thread;
		if (used)
			continue;
		candidate->map[next] = thread;
		memset(&candidate->cycle.access[before], 0,
		       (OCLMM_CYCLE_MAX - before) * sizeof(candidate->cycle.access[0]));
		if (take_thread(candidate, thread) && try_order(candidate, next + 1, ret_cycle))
			return true;
		memset(&candidate->barrier_first[before], 0,
		       (OCLMM_CYCLE_MAX - before) * sizeof(bool));
		candidate->cycle.count = before;
	}
	return false;
}

bool oclmm_cycle_recognise(const struct oclmm_program *program, struct oclmm_cycle *ret_cycle)
{
	struct skeleton skeleton;
	struct candidate candidate = {.skeleton = &skeleton};

	return skeleton_make(program, &skeleton) && try_order(&candidate, 0, ret_cycle);
}
