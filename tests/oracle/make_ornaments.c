// SPDX-License-Identifier: Apache-2.0
/*
 * Fences, barriers and odd things, then what makes the whole legal.
 */
#include "maker.h"

/** Inserts an empty statement before `at`; references to later ones move along. */
static struct made_statement *insert(struct made_thread *thread, unsigned at, enum made_kind kind)
{
	if (append(thread, kind) == NULL)
		return NULL;
	for (unsigned i = thread->count - 1; i > at; i--) {
		struct made_statement last = thread->statements[i];

		thread->statements[i] = thread->statements[i - 1];
		thread->statements[i - 1] = last;
	}
	for (unsigned i = at + 1; i < thread->count; i++) {
		struct made_statement *s = &thread->statements[i];

		s->source += s->source >= (int)at;
		s->guard += s->guard >= (int)at;
	}
	return &thread->statements[at];
}

static void insert_fence(struct maker *maker, struct made_thread *thread, unsigned at)
{
	static const enum oclmm_order orders[] = {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
	                                          OCLMM_ORDER_RELEASE, OCLMM_ORDER_ACQ_REL,
	                                          OCLMM_ORDER_SEQ_CST};
	struct made_statement *s = insert(thread, at, MADE_FENCE);

	if (s == NULL)
		return;
	s->order = orders[1 + draw(maker, 4)];
	if (maker->style == STYLE_SEQ_CST || maker->sc_fences)
		s->order = OCLMM_ORDER_SEQ_CST;
	if (chance(maker, 3))
		s->order = OCLMM_ORDER_RELAXED;
	if (maker->legacy)
		s->order = orders[1 + draw(maker, 3)];
	s->legacy = maker->legacy || (s->order != OCLMM_ORDER_RELAXED &&
	                              s->order != OCLMM_ORDER_SEQ_CST && chance(maker, 20));
	s->scope = draw_scope(maker);
	/* a seq_cst fence may be narrow without a race: then only S is at stake */
	if (s->order == OCLMM_ORDER_SEQ_CST && chance(maker, 20))
		s->scope = chance(maker, 70) ? OCLMM_SCOPE_WORK_GROUP : OCLMM_SCOPE_ALL_SVM_DEVICES;
	s->flags = draw_flags(maker);
}

static void add_fences(struct maker *maker)
{
	unsigned percent = maker->style == STYLE_FENCES || maker->legacy ? 70 : 6;

	for (unsigned t = 0; t < maker->made->thread_count; t++) {
		struct made_thread *thread = &maker->made->threads[t];

		for (unsigned at = thread->count; at > 1; at--)
			if (chance(maker, percent))
				insert_fence(maker, thread, at - 1);
	}
}

static bool together(const struct oclmm_placement *a, const struct oclmm_placement *b,
                     bool sub_group)
{
	if (a->host || b->host || a->device != b->device || a->queue != b->queue ||
	    a->work_group != b->work_group)
		return false;
	return !sub_group || a == b ||
	       (a->sub_group_given && b->sub_group_given && a->sub_group == b->sub_group);
}

static bool is_of_group(const struct made_statement *s)
{
	return s->kind == MADE_BARRIER || s->kind == MADE_COLLECTIVE || s->kind == MADE_COPY ||
	       s->kind == MADE_COPY_WAIT;
}

/** Makes room for so many statements more; what the whole group has stays. */
static void make_room(struct made_thread *thread, unsigned statements)
{
	for (unsigned last = thread->count;
	     last > 0 && thread->count + statements > MADE_MAX_STATEMENTS; last--)
		if (!is_of_group(&thread->statements[last - 1]))
			made_drop_statement(thread, last - 1);
}

/** A barrier somewhere in each thread of a group. */
static void add_barrier(struct maker *maker, unsigned leader, bool sub_group)
{
	enum oclmm_scope scope = chance(maker, 60) ? OCLMM_SCOPE_WORK_GROUP : draw_scope(maker);
	unsigned flags = chance(maker, 8) ? 0 : draw_flags(maker);

	for (unsigned t = 0; t < maker->made->thread_count; t++) {
		struct made_thread *thread = &maker->made->threads[t];
		struct made_statement *s;

		if (!together(&maker->made->threads[leader].placement, &thread->placement,
		              sub_group))
			continue;
		unsigned at;

		make_room(thread, 1);
		at = draw(maker, thread->count + 1);
		s = insert(thread, at, MADE_BARRIER);
		s->sub_group = sub_group;
		s->scope = scope;
		/* which has to be uniform, C:6.15.8 */
		s->flags = chance(maker, 3) ? draw_flags(maker) : flags;
		s->guard = chance(maker, 12) ? last_result(maker, thread, at) : -1;
		s->guard_value = (int)draw(maker, 2);
	}
}

/** An arrival somewhere in each thread of a group, and a wait behind it, seldom in front of it. */
static void add_split_barrier(struct maker *maker, unsigned leader)
{
	static const enum oclmm_barrier_part parts[] = {OCLMM_BARRIER_ARRIVE, OCLMM_BARRIER_WAIT};
	static const enum oclmm_scope others[] = {OCLMM_SCOPE_SUB_GROUP, OCLMM_SCOPE_DEVICE,
	                                          OCLMM_SCOPE_ALL_SVM_DEVICES};
	enum oclmm_scope scopes[2];
	unsigned flags[2];

	for (unsigned i = 0; i < 2; i++) {
		scopes[i] = chance(maker, 60) ? OCLMM_SCOPE_WORK_GROUP
		                              : others[draw(maker, OCLMM_COUNT(others))];
		flags[i] = chance(maker, 6) ? 0 : draw_flags(maker);
	}
	if (chance(maker, 60))
		flags[1] = flags[0];
	for (unsigned t = 0; t < maker->made->thread_count; t++) {
		struct made_thread *thread = &maker->made->threads[t];
		unsigned at = 0;

		if (!together(&maker->made->threads[leader].placement, &thread->placement, false))
			continue;
		make_room(thread, 2);
		for (unsigned i = 0; i < 2; i++) {
			struct made_statement *s;

			if (chance(maker, 2))
				at = 0;
			at += draw(maker, thread->count + 1 - at);
			s = insert(thread, at, MADE_BARRIER);
			if (s == NULL)
				continue;
			s->part = parts[i];
			s->scope = scopes[i];
			s->flags = chance(maker, 2) ? draw_flags(maker) : flags[i];
			s->guard = chance(maker, 4) ? last_result(maker, thread, at) : -1;
			s->guard_value = (int)draw(maker, 2);
			at++;
		}
	}
}

static void add_odd_thing(struct maker *maker)
{
	struct made_thread *thread = &maker->made->threads[draw(maker, maker->made->thread_count)];
	unsigned at = draw(maker, thread->count + 1);
	static const enum made_kind kinds[] = {MADE_SUM, MADE_WAIT, MADE_TREE, MADE_TREE,
	                                       MADE_TREE};
	struct made_statement *s = insert(thread, at, kinds[draw(maker, OCLMM_COUNT(kinds))]);

	if (s == NULL)
		return;
	s->object = draw(maker, maker->made->object_count);
	s->other = draw(maker, maker->made->object_count);
	s->order = draw_order(maker, true, false);
	s->scope = draw_scope(maker);
	s->value = 1;
	if (s->kind == MADE_TREE)
		make_tree(maker, s);
}

/** A collective function somewhere in each thread of a group. */
static void add_collective(struct maker *maker, unsigned leader, bool sub_group)
{
	for (unsigned t = 0; t < maker->made->thread_count; t++) {
		struct made_thread *thread = &maker->made->threads[t];

		if (!together(&maker->made->threads[leader].placement, &thread->placement,
		              sub_group))
			continue;
		make_room(thread, 1);
		insert(thread, draw(maker, thread->count + 1), MADE_COLLECTIVE)->sub_group =
			sub_group;
	}
}

/** A plain object of its own for copies. \return its number. */
static unsigned add_object(struct maker *maker, bool local)
{
	struct made_object *object = &maker->made->objects[maker->made->object_count];

	*object = (struct made_object){.local = local, .type = OCLMM_TYPE_INT};
	object->storage = OCLMM_STORAGE_BUFFER;
	return maker->made->object_count++;
}

/** A copy somewhere in each thread of a group, the wait for it behind it, accesses about. */
static void add_copy(struct maker *maker, unsigned leader, const unsigned *ends, int number)
{
	const struct oclmm_placement *group = &maker->made->threads[leader].placement;
	bool to = chance(maker, 50), joins = number > 0 && chance(maker, 40);
	bool late = chance(maker, 15), fenced = !joins && chance(maker, 30);
	unsigned flags = draw_flags(maker);

	for (unsigned t = 0; t < maker->made->thread_count; t++) {
		struct made_thread *thread = &maker->made->threads[t];
		struct made_statement *s;
		unsigned at;

		if (!together(group, &thread->placement, false))
			continue;
		make_room(thread, 3);
		/* behind the copies before it */
		at = thread->count;
		while (at > 0 && !is_of_group(&thread->statements[at - 1]) && chance(maker, 60))
			at--;
		while (joins && thread->statements[at - 1].kind != MADE_COPY)
			at--;
		if (fenced) {
			s = insert(thread, at++, MADE_BARRIER);
			s->scope = OCLMM_SCOPE_WORK_GROUP;
			s->flags = flags;
		}
		s = insert(thread, at, MADE_COPY);
		s->object = ends[to];
		s->other = ends[!to];
		s->value = number;
		s->joins = joins;
		if (joins)
			continue;
		s = insert(thread, late ? thread->count : at + 1, MADE_COPY_WAIT);
		if (s != NULL)
			s->value = number;
		if (thread->count < MADE_MAX_STATEMENTS && chance(maker, 70)) {
			s = insert(thread, draw(maker, thread->count + 1),
			           chance(maker, 50) ? MADE_READ : MADE_WRITE);
			s->object = ends[draw(maker, 2)];
			s->value = 1 + (int)draw(maker, 3);
		}
	}
}

static bool has_group_statement(const struct made *made)
{
	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++)
			if (is_of_group(&made->threads[t].statements[i]))
				return true;
	return false;
}

static void add_copies(struct maker *maker, unsigned leader)
{
	unsigned ends[2];

	/* they stand between the same barriers in all work-items */
	if (maker->made->object_count + 2 > MADE_MAX_OBJECTS ||
	    maker->made->threads[leader].placement.host || has_group_statement(maker->made))
		return;
	ends[0] = add_object(maker, false);
	ends[1] = add_object(maker, true);
	for (int n = 0; n < 1 + (int)chance(maker, 30); n++)
		add_copy(maker, leader, ends, n);
}

void make_ornaments(struct maker *maker)
{
	unsigned leader = draw(maker, maker->made->thread_count);

	add_fences(maker);
	if (!maker->made->threads[leader].placement.host &&
	    chance(maker, maker->made->threads[leader].placement.sub_group_given ? 25 : 9)) {
		bool sub_group = maker->made->threads[leader].placement.sub_group_given &&
		                 chance(maker, 60);

		add_barrier(maker, leader, sub_group);
		if (chance(maker, 10))
			add_barrier(maker, leader, sub_group && chance(maker, 50));
	}
	if (chance(maker, 12))
		add_odd_thing(maker);
}

/* ---- legality -------------------------------------------------------- */

static void legal_orders(struct made_statement *s)
{
	bool reads = s->kind == MADE_ATOMIC ? oclmm_operation_reads(s->op) : true;
	bool writes = s->kind == MADE_ATOMIC ? oclmm_operation_writes(s->op) : false;

	if (reads && !writes && oclmm_order_releases(s->order) && s->order != OCLMM_ORDER_SEQ_CST)
		s->order = OCLMM_ORDER_ACQUIRE;
	if (writes && !reads && oclmm_order_acquires(s->order) && s->order != OCLMM_ORDER_SEQ_CST)
		s->order = OCLMM_ORDER_RELEASE;
	if (s->failure == OCLMM_ORDER_RELEASE || s->failure == OCLMM_ORDER_ACQ_REL)
		s->failure = OCLMM_ORDER_ACQUIRE;
	if (s->failure == OCLMM_ORDER_SEQ_CST && s->order != OCLMM_ORDER_SEQ_CST)
		s->failure = OCLMM_ORDER_ACQUIRE;
	if (!oclmm_order_acquires(s->order))
		s->failure = OCLMM_ORDER_RELAXED;
}

/** May this thread use this object? Local ones belong to the group of their first user. */
static bool may_use(const struct made *made, const struct oclmm_placement *placement,
                    unsigned object)
{
	const struct made_object *o = &made->objects[object];

	if (placement->host && !oclmm_storage_has_svm_atomics(o->storage) &&
	    (o->atomic || !oclmm_storage_is_svm(o->storage)))
		return false;
	if (!o->local)
		return true;
	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++)
			if (made_uses_object(&made->threads[t].statements[i], object))
				return together(&made->threads[t].placement, placement, false);
	return true;
}

/** Does an expression call functions of OpenCL 1.x? */
static bool calls_legacy(const struct made_statement *s)
{
	for (unsigned n = 0; n < MADE_MAX_NODES; n++)
		if (s->nodes[n].kind == NODE_LEGACY)
			return true;
	return false;
}

static bool is_legal(const struct made *made, const struct made_thread *thread,
                     const struct made_statement *s)
{
	const struct made_object *o = &made->objects[s->object];
	bool host = thread->placement.host;

	switch (s->kind) {
	case MADE_FENCE: return !host || (s->flags == OCLMM_FLAG_GLOBAL && !s->legacy);
	case MADE_BARRIER:
	case MADE_COLLECTIVE:
	case MADE_COPY:
	case MADE_COPY_WAIT: return !host;
	case MADE_SUM:
		return may_use(made, &thread->placement, s->object) &&
		       may_use(made, &thread->placement, s->other) && !o->flag &&
		       !made->objects[s->other].flag && !o->array &&
		       !made->objects[s->other].array && o->type == made->objects[s->other].type;
	case MADE_TREE:
		return may_use(made, &thread->placement, s->object) &&
		       may_use(made, &thread->placement, s->other) && !o->flag &&
		       !made->objects[s->other].flag && o->type == made->objects[s->other].type &&
		       !(host && calls_legacy(s));
	case MADE_WAIT:
		return may_use(made, &thread->placement, s->object) && !o->flag && !o->array;
	case MADE_LEGACY:
		return may_use(made, &thread->placement, s->object) && !host &&
		       oclmm_type_bits(o->type) == 32;
	default: return may_use(made, &thread->placement, s->object);
	}
}

/** All orders of the seq_cst operations are tried: of more than six, the later ones are weakened.
 */
static void bound_seq_cst(struct made *made)
{
	unsigned count = 0;

	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++) {
			struct made_statement *s = &made->threads[t].statements[i];
			bool access = s->kind == MADE_ATOMIC || s->kind == MADE_WAIT;

			for (unsigned n = 0; s->kind == MADE_TREE && n < MADE_MAX_NODES; n++) {
				count += s->nodes[n].order == OCLMM_ORDER_SEQ_CST;
				if (count > 6)
					s->nodes[n].order = OCLMM_ORDER_ACQ_REL;
			}
			if (!access && s->kind != MADE_SUM && s->kind != MADE_FENCE)
				continue;
			if (s->order == OCLMM_ORDER_SEQ_CST)
				count += s->kind == MADE_SUM || s->kind == MADE_WAIT ? 2 : 1;
			if (s->order == OCLMM_ORDER_SEQ_CST && count > 6)
				s->order = OCLMM_ORDER_ACQ_REL;
		}
}

void make_legal(struct made *made)
{
	bound_seq_cst(made);
	for (unsigned t = 0; t < made->thread_count; t++) {
		struct made_thread *thread = &made->threads[t];

		for (unsigned i = thread->count; i > 0; i--) {
			struct made_statement *s = &thread->statements[i - 1];

			if (s->kind != MADE_FENCE)
				legal_orders(s);
			if (thread->placement.host)
				s->scope = OCLMM_SCOPE_ALL_SVM_DEVICES;
			if (!is_legal(made, thread, s))
				made_drop_statement(thread, i - 1);
		}
	}
}

/* ---- what came later --------------------------------------------------- */

static bool is_shared_out(const struct made *made)
{
	bool apart = false;

	for (unsigned t = 0; t < made->thread_count; t++)
		apart |= made->threads[t].placement.host ||
		         made->threads[t].placement.device != made->threads[0].placement.device;
	return apart;
}

void made_extend(struct made *made, uint64_t key)
{
	static const enum oclmm_storage kinds[] = {OCLMM_STORAGE_SVM_ATOMICS,
	                                           OCLMM_STORAGE_SVM_FINE, OCLMM_STORAGE_SVM_COARSE,
	                                           OCLMM_STORAGE_SVM_SYSTEM};
	struct maker maker = {.made = made, .key = ~key};
	unsigned leader = draw(&maker, made->thread_count);
	const struct oclmm_placement *of = &made->threads[leader].placement;

	/* data that host and devices share at commands alone */
	for (unsigned i = 0; i < made->object_count && is_shared_out(made); i++)
		if (!made->objects[i].local && chance(&maker, made->objects[i].atomic ? 4 : 40))
			made->objects[i].storage = kinds[draw(&maker, OCLMM_COUNT(kinds))];
	if (!of->host && !has_group_statement(made) && chance(&maker, 6))
		add_collective(&maker, leader, of->sub_group_given && chance(&maker, 50));
	else if (!of->host && chance(&maker, 8))
		add_split_barrier(&maker, leader);
	/* last, since nobody else may use its objects */
	if (chance(&maker, 6))
		add_copies(&maker, leader);
	make_legal(made);
}
