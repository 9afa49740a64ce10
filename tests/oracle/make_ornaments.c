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

/** Makes room for one statement more; barriers stay, since the whole group has them. */
static void make_room(struct made_thread *thread)
{
	unsigned last = thread->count;

	if (thread->count < MADE_MAX_STATEMENTS)
		return;
	while (thread->statements[last - 1].kind == MADE_BARRIER)
		last--;
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

		make_room(thread);
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

static bool uses(const struct made_statement *s, unsigned object)
{
	if (s->kind == MADE_FENCE || s->kind == MADE_BARRIER)
		return false;
	return s->object == object ||
	       ((s->kind == MADE_SUM || s->kind == MADE_TREE) && s->other == object);
}

/** May this thread use this object? Local ones belong to the group of their first user. */
static bool may_use(const struct made *made, const struct oclmm_placement *placement,
                    unsigned object)
{
	const struct made_object *o = &made->objects[object];

	if (placement->host && !oclmm_storage_has_svm_atomics(o->storage))
		return false;
	if (!o->local)
		return true;
	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++)
			if (uses(&made->threads[t].statements[i], object))
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
	case MADE_BARRIER: return !host;
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
