// SPDX-License-Identifier: Apache-2.0
/*
 * A model as text: the sets and relations of a candidate execution that a cat file may name.
 */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "oclmm/cat.h"

/* X(enumerator, name, type); docs/opencl.cat says what they mean, at its head. */
#define VOCABULARY(X)                                                                              \
	X(R, "R", SET)                                                                             \
	X(W, "W", SET)                                                                             \
	X(IW, "IW", SET)                                                                           \
	X(F, "F", SET)                                                                             \
	X(ENTRY, "ENTRY", SET)                                                                     \
	X(EXIT, "EXIT", SET)                                                                       \
	X(A, "A", SET)                                                                             \
	X(ACQ, "ACQ", SET)                                                                         \
	X(REL, "REL", SET)                                                                         \
	X(ACQ_REL, "ACQ_REL", SET)                                                                 \
	X(SC, "SC", SET)                                                                           \
	X(SG, "SG", SET)                                                                           \
	X(WG, "WG", SET)                                                                           \
	X(DV, "DV", SET)                                                                           \
	X(ALL, "ALL", SET)                                                                         \
	X(GLOBAL, "GLOBAL", SET)                                                                   \
	X(LOCAL, "LOCAL", SET)                                                                     \
	X(IMAGE, "IMAGE", SET)                                                                     \
	X(SVM, "SVM", SET)                                                                         \
	X(COARSE, "COARSE", SET)                                                                   \
	X(FINE, "FINE", SET)                                                                       \
	X(BUFFER, "BUFFER", SET)                                                                   \
	X(PO, "po", RELATION)                                                                      \
	X(RF, "rf", RELATION)                                                                      \
	X(CO, "co", RELATION)                                                                      \
	X(LOC, "loc", RELATION)                                                                    \
	X(INT, "int", RELATION)                                                                    \
	X(EXT, "ext", RELATION)                                                                    \
	X(DEP, "dep", RELATION)                                                                    \
	X(SSG, "ssg", RELATION)                                                                    \
	X(SWG, "swg", RELATION)                                                                    \
	X(SDV, "sdv", RELATION)                                                                    \
	X(STK, "stk", RELATION)                                                                    \
	X(SYNCBAR, "syncbar", RELATION)                                                            \
	X(SYNCCOLL, "synccoll", RELATION)                                                          \
	X(SYNCCOPY, "synccopy", RELATION)                                                          \
	X(SYNCEARLY, "syncearly", RELATION)                                                        \
	X(SYNCSEEN, "syncseen", RELATION)                                                          \
	X(SYNCEARLYSEEN, "syncearlyseen", RELATION)                                                \
	X(UNSHOWN, "unshown", RELATION)                                                            \
	X(UNSHOWNEARLY, "unshownearly", RELATION)                                                  \
	X(UNSHOWNSEEN, "unshownseen", RELATION)                                                    \
	X(UNSHOWNEARLYSEEN, "unshownearlyseen", RELATION)                                          \
	X(SYNCCMD, "synccmd", RELATION)                                                            \
	X(SYNCCHILD, "syncchild", RELATION)

enum word {
#define OCLMM_X(id, ...) WORD_##id,
	VOCABULARY(OCLMM_X)
#undef OCLMM_X
		WORD_COUNT
};

static const struct oclmm_cat_name names[] = {
#define OCLMM_X(id, name, type) {name, OCLMM_CAT_##type},
	VOCABULARY(OCLMM_X)
#undef OCLMM_X
};

int oclmm_model_read(const char *path, struct oclmm_error *error,
                     struct oclmm_cat_model **ret_model)
{
	return oclmm_cat_read(path, names, OCLMM_COUNT(names), error, ret_model);
}

/* ---- one candidate --------------------------------------------------- */

/* Sets have one word, relations one for each event. */
struct oclmm_cat_values {
	row of[WORD_COUNT][MAX_EVENTS];
};

static bool acts_in(const struct oclmm_event *e, enum oclmm_space region)
{
	return oclmm_event_is_fence(e) ? e->flags >> region & 1 : e->region == region;
}

static void describe_event(const struct combination *c, unsigned at,
                           struct oclmm_cat_values *values)
{
	static const enum word orders[OCLMM_ORDER_COUNT] = {
		[OCLMM_ORDER_ACQUIRE] = WORD_ACQ,
		[OCLMM_ORDER_RELEASE] = WORD_REL,
		[OCLMM_ORDER_ACQ_REL] = WORD_ACQ_REL,
		[OCLMM_ORDER_SEQ_CST] = WORD_SC,
	};
	static const enum word scopes[OCLMM_SCOPE_COUNT] = {
		[OCLMM_SCOPE_SUB_GROUP] = WORD_SG,
		[OCLMM_SCOPE_WORK_GROUP] = WORD_WG,
		[OCLMM_SCOPE_DEVICE] = WORD_DV,
		[OCLMM_SCOPE_ALL_SVM_DEVICES] = WORD_ALL,
	};
	const struct oclmm_event *e = &c->event[at];
	bool fence = oclmm_event_is_fence(e), ordered = e->order != OCLMM_ORDER_NONE;
	const struct {
		enum word set;
		bool is;
	} sets[] = {
		{WORD_R, oclmm_event_reads(e)},
		{WORD_W, oclmm_event_writes(e)},
		{WORD_IW, at < c->init_count},
		{WORD_F, fence},
		{WORD_ENTRY, e->barrier && e->entry},
		{WORD_EXIT, e->barrier && !e->entry},
		{WORD_A, oclmm_event_is_atomic(e)},
		{orders[e->order], orders[e->order] != 0},
		{scopes[e->scope], ordered && scopes[e->scope] != 0},
		{WORD_GLOBAL, acts_in(e, OCLMM_SPACE_GLOBAL)},
		{WORD_LOCAL, acts_in(e, OCLMM_SPACE_LOCAL)},
		{WORD_IMAGE, acts_in(e, OCLMM_SPACE_IMAGE)},
		{WORD_SVM, !fence && oclmm_storage_has_svm_atomics(e->storage)},
		{WORD_COARSE, !fence && (e->storage == OCLMM_STORAGE_SVM_COARSE ||
	                                 e->storage == OCLMM_STORAGE_PROGRAM)},
		{WORD_FINE, !fence && e->storage == OCLMM_STORAGE_SVM_FINE},
		{WORD_BUFFER, !fence && e->storage == OCLMM_STORAGE_BUFFER},
	};

	for (size_t i = 0; i < OCLMM_COUNT(sets); i++)
		if (sets[i].is)
			values->of[sets[i].set][0] |= BIT(at);
}

/* Whether the work-items of two events are in one unit of a scope. */
static bool share(const struct combination *c, unsigned a, unsigned b, enum oclmm_scope scope)
{
	int x = c->event[a].thread, y = c->event[b].thread;

	return x != THREAD_INIT && y != THREAD_INIT && oclmm_scope_covers(c->program, scope, x, y);
}

static bool are_kernels_apart(const struct combination *c, unsigned a, unsigned b)
{
	int x = c->event[a].thread, y = c->event[b].thread;

	return x != THREAD_INIT && y != THREAD_INIT &&
	       oclmm_two_kernels(&c->program->threads[x].placement,
	                         &c->program->threads[y].placement);
}

/* From a collective function of a work-group to the same one of another work-item. */
static bool are_collective(const struct combination *c, unsigned a, unsigned b)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];

	return x->collective && y->collective && !x->sub_group && x->entry && !y->entry &&
	       x->thread != y->thread && x->instance == y->instance &&
	       share(c, a, b, OCLMM_SCOPE_WORK_GROUP);
}

static void describe_pair(const struct combination *c, unsigned a, unsigned b,
                          struct oclmm_cat_values *values)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
	bool waits = false, meets = false;
	row bit = BIT(b);

	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++) {
		bool group = c->group_sw[r][a] & bit;

		meets |= group && x->barrier;
		waits |= group && !x->barrier;
	}

	const struct {
		enum word relation;
		bool is;
	} relations[] = {
		{WORD_PO, c->sb[a] & bit},
		{WORD_DEP, c->writes & bit && c->stored[b].reads & BIT(a)},
		{WORD_LOC, oclmm_event_same_cell(x, y)},
		{WORD_INT, x->thread == y->thread},
		{WORD_EXT, x->thread != y->thread},
		{WORD_SSG, share(c, a, b, OCLMM_SCOPE_SUB_GROUP)},
		{WORD_SWG, share(c, a, b, OCLMM_SCOPE_WORK_GROUP)},
		{WORD_SDV, share(c, a, b, OCLMM_SCOPE_DEVICE)},
		{WORD_STK, are_kernels_apart(c, a, b)},
		{WORD_SYNCBAR, meets},
		{WORD_SYNCCOLL, are_collective(c, a, b)},
		{WORD_SYNCCOPY, waits},
		{WORD_SYNCCMD, c->command_sw[a] & bit},
		{WORD_SYNCCHILD, c->child_sw[a] & bit},
	};

	for (size_t i = 0; i < OCLMM_COUNT(relations); i++)
		if (relations[i].is)
			values->of[relations[i].relation][a] |= bit;
}

static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER;

void oclmm_cat_judges(struct search *s, struct oclmm_cat_model *model)
{
	pthread_mutex_lock(&in_use);
	s->cat = model;
	s->cat_values = OCLMM_NEW(s->arena, struct oclmm_cat_values);
	s->wide = true;
}

void oclmm_cat_leave(void)
{
	pthread_mutex_unlock(&in_use);
}

void oclmm_cat_describe(const struct combination *c, struct oclmm_cat_values *values)
{
	/* by the set of OCLMM_COMMANDS_* by which commands are ordered */
	static const enum word ordered_by[] = {
		[OCLMM_COMMANDS_EARLY_WRITES] = WORD_SYNCEARLY,
		[OCLMM_COMMANDS_SEEN_COMPLETE] = WORD_SYNCSEEN,
		[OCLMM_COMMANDS_EARLY_WRITES | OCLMM_COMMANDS_SEEN_COMPLETE] = WORD_SYNCEARLYSEEN,
	};
	static const enum word unshown_by[OCLMM_COUNT(ordered_by)] = {
		[0] = WORD_UNSHOWN,
		[OCLMM_COMMANDS_EARLY_WRITES] = WORD_UNSHOWNEARLY,
		[OCLMM_COMMANDS_SEEN_COMPLETE] = WORD_UNSHOWNSEEN,
		[OCLMM_COMMANDS_EARLY_WRITES |
			OCLMM_COMMANDS_SEEN_COMPLETE] = WORD_UNSHOWNEARLYSEEN,
	};

	memset(values, 0, sizeof(*values));
	for (unsigned a = 0; a < c->count; a++) {
		describe_event(c, a, values);
		for (unsigned b = 0; b < c->count; b++)
			describe_pair(c, a, b, values);
	}
	for (unsigned readings = 0; readings < OCLMM_COUNT(ordered_by); readings++) {
		/* by 0 it is synccmd */
		if (readings)
			oclmm_order_commands_by(c, readings, values->of[ordered_by[readings]]);
		oclmm_find_unshown(c, readings, values->of[unshown_by[readings]]);
	}
}

int oclmm_cat_judge(struct search *s, const struct candidate *x,
                    struct oclmm_cat_verdict *ret_verdict, struct oclmm_cat_why *ret_why)
{
	struct oclmm_cat_values *values = s->cat_values;
	const struct combination *c = x->c;
	const uint64_t *all[WORD_COUNT];
	int result;

	memset(values->of[WORD_RF], 0, c->count * sizeof(row));
	FOR_EACH (r, c->reads)
		values->of[WORD_RF][x->rf[r]] |= BIT(r);
	memset(values->of[WORD_CO], 0, c->count * sizeof(row));
	FOR_EACH (w, c->writes)
		values->of[WORD_CO][w] = x->mo[w];
	for (unsigned i = 0; i < WORD_COUNT; i++)
		all[i] = values->of[i];
	result = oclmm_cat_evaluate(s->cat, c->count, all, ret_verdict, ret_why);
	if (result == -E2BIG)
		oclmm_error_set(
			s->error, -E2BIG,
			"test %s has more events than `linearisations` can put in order: %d",
			s->program->name, OCLMM_CAT_MAX_LINEARISED);
	return result;
}
