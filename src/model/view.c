// SPDX-License-Identifier: Apache-2.0
/*
 * Inclusive scopes (A:3.3.8) and what else of happens-before depends on the
 * reading. Settings whose view is the same share one, so that happens-before
 * is computed once for them.
 */
#include <string.h>

#include "internal.h"

/* Scope reduction: local objects are known to one work-group, what is no shared virtual memory with
 * atomics to one device. */
static enum oclmm_scope effective(enum oclmm_scope scope, enum oclmm_storage storage)
{
	if (storage == OCLMM_STORAGE_LOCAL && scope > OCLMM_SCOPE_WORK_GROUP)
		return OCLMM_SCOPE_WORK_GROUP;
	if (!oclmm_storage_has_svm_atomics(storage) && scope == OCLMM_SCOPE_ALL_SVM_DEVICES)
		return OCLMM_SCOPE_DEVICE;
	return scope;
}

bool oclmm_scope_covers(const struct oclmm_program *program, enum oclmm_scope scope, int a, int b)
{
	const struct oclmm_placement *p = &program->threads[a].placement;
	const struct oclmm_placement *q = &program->threads[b].placement;
	bool device = !p->host && !q->host && p->device == q->device;

	if (a == b)
		return true;
	switch (scope) {
	case OCLMM_SCOPE_SUB_GROUP: return oclmm_same_sub_group(p, q);
	case OCLMM_SCOPE_WORK_GROUP: return oclmm_same_work_group(p, q);
	case OCLMM_SCOPE_DEVICE: return device;
	case OCLMM_SCOPE_ALL_SVM_DEVICES: return true;
	default: return false;
	}
}

/* Whether two threads are of two kernels of one device. */
static bool kernels_apart(const struct oclmm_program *program, int a, int b)
{
	return oclmm_two_kernels(&program->threads[a].placement, &program->threads[b].placement);
}

static bool scopes_include(const struct combination *c, const struct oclmm_reading *s,
                           enum oclmm_scope x, enum oclmm_scope y, int a, int b)
{
	enum oclmm_scope narrow = x < y ? x : y;

	if (x <= OCLMM_SCOPE_WORK_ITEM || y <= OCLMM_SCOPE_WORK_ITEM)
		return false;
	if (x != y && s->regime != OCLMM_MODEL_OPENCL_3_1)
		return false;
	return oclmm_scope_covers(c->program, narrow, a, b);
}

/* K7: towards another work-group a legacy atomic may count as device-scoped. */
static enum oclmm_scope scope_towards(const struct combination *c, const struct oclmm_reading *s,
                                      const struct oclmm_event *e, const struct oclmm_event *other)
{
	if (s->alternatives & ALT_K7 && e->legacy &&
	    !oclmm_scope_covers(c->program, OCLMM_SCOPE_WORK_GROUP, e->thread, other->thread))
		return OCLMM_SCOPE_DEVICE;
	return e->scope;
}

static bool is_inclusive(const struct combination *c, const struct oclmm_reading *s, unsigned a,
                         unsigned b, enum oclmm_storage storage)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
	enum oclmm_scope p = scope_towards(c, s, x, y), q = scope_towards(c, s, y, x);

	if (x->thread == THREAD_INIT || y->thread == THREAD_INIT)
		return false;
	if (s->regime != OCLMM_MODEL_SCOPED) {
		/* atomic operations of two kernels on one buffer are the implementation's
		 * (A:3.3.9.5) */
		if (storage == OCLMM_STORAGE_BUFFER &&
		    kernels_apart(c->program, x->thread, y->thread))
			return false;
		p = effective(p, storage);
		q = effective(q, storage);
	}
	return scopes_include(c, s, p, q, x->thread, y->thread);
}

/*
 * Inclusion of two events without a common location, as the scoped order of
 * seq_cst needs it: each access is reduced by its own location, a fence by the
 * other's; two fences count as written.
 */
static bool is_inclusive_apart(const struct combination *c, const struct oclmm_reading *s,
                               unsigned a, unsigned b)
{
	const struct oclmm_event *x = &c->event[a], *y = &c->event[b];
	bool x_fence = x->kind == OCLMM_EVENT_FENCE, y_fence = y->kind == OCLMM_EVENT_FENCE;
	enum oclmm_scope p = scope_towards(c, s, x, y), q = scope_towards(c, s, y, x);

	if (s->regime != OCLMM_MODEL_SCOPED && !(x_fence && y_fence)) {
		enum oclmm_storage k = x_fence ? y->storage : x->storage,
				   l = y_fence ? x->storage : y->storage;

		if ((k == OCLMM_STORAGE_BUFFER || l == OCLMM_STORAGE_BUFFER) &&
		    kernels_apart(c->program, x->thread, y->thread))
			return false;
		p = effective(p, k);
		q = effective(q, l);
	}
	return scopes_include(c, s, p, q, x->thread, y->thread);
}

static bool is_total(const struct combination *c, const row *inclusive)
{
	FOR_EACH (a, c->seq_cst)
		if (c->seq_cst & ~inclusive[a] & ~BIT(a))
			return false;
	return true;
}

/* Both kinds of inclusion are the same in either direction, and only what has a scope is in one. */
static void find_inclusion(const struct combination *c, const struct oclmm_reading *s,
                           struct view *v)
{
	row scoped = c->atomics | c->fences;

	FOR_EACH (a, scoped) {
		FOR_EACH (b, scoped & (BIT(a) - 1)) {
			bool apart = c->event[a].thread != c->event[b].thread;

			FOR_EACH (k, apart ? c->storages : 0) {
				if (is_inclusive(c, s, a, b, (enum oclmm_storage)k)) {
					v->inclusive[k][a] |= BIT(b);
					v->inclusive[k][b] |= BIT(a);
				}
			}
			if (c->seq_cst & BIT(a) && c->seq_cst & BIT(b) &&
			    is_inclusive_apart(c, s, a, b)) {
				v->sc_inclusive[a] |= BIT(b);
				v->sc_inclusive[b] |= BIT(a);
			}
		}
	}
}

/*
 * Under 2.0, where no total order is required, seq_cst is acquire and release
 * for the whole program: neither K3 nor the pair rule for both regions applies.
 */
static bool is_degraded(const struct combination *c, const struct oclmm_reading *s)
{
	return s->regime == OCLMM_MODEL_OPENCL_2_0 &&
	       !(s->alternatives & ALT_K10 ? c->conditional_order_fences : c->conditional_order);
}

static void find_acts(const struct combination *c, const struct oclmm_reading *s, struct view *v)
{
	bool both = s->alternatives & ALT_K3 && !is_degraded(c, s);

	for (unsigned i = 0; i < c->count; i++) {
		const struct oclmm_event *e = &c->event[i];

		for (unsigned r = 0; r < c->region_count; r++) {
			bool acts = e->kind == OCLMM_EVENT_FENCE ? e->flags >> r & 1
			                                         : e->region == r;

			/* K3: seq_cst atomics as actions of both regions */
			acts |= both && r != OCLMM_SPACE_IMAGE && c->seq_cst & c->atomics & BIT(i);
			if (acts)
				v->acts[r] |= BIT(i);
		}
	}
	/* the pair rule changes something only where both regions have actions */
	if (v->acts[OCLMM_SPACE_GLOBAL] && v->acts[OCLMM_SPACE_LOCAL] && !is_degraded(c, s))
		v->seq_cst = c->seq_cst;
}

/*
 * Of kernels in two queues. A:3.3.9.5 guarantees what they do with atomic operations on shared
 * virtual memory, and says two paragraphs later that access to buffers and coarse-grained memory
 * is ordered at synchronization points of commands. Whether atomic operations then order plain
 * accesses to these is open: no device is held to it. Two atomic operations are as anywhere.
 */
static bool is_apart(const struct combination *c, const struct oclmm_event *x,
                     const struct oclmm_event *y)
{
	return !(oclmm_event_is_atomic(x) && oclmm_event_is_atomic(y)) &&
	       (x->storage == OCLMM_STORAGE_BUFFER || x->storage == OCLMM_STORAGE_SVM_COARSE) &&
	       kernels_apart(c->program, x->thread, y->thread);
}

/* Conflicts that only happens-before can keep from being races (A:3.3.9). */
static void find_racing(const struct combination *c, struct view *v)
{
	for (unsigned a = c->init_count; a < c->count; a++) {
		const struct oclmm_event *x = &c->event[a];

		if (x->kind == OCLMM_EVENT_FENCE)
			continue;
		FOR_EACH (b, c->of_cell[c->init_of[a]]) {
			const struct oclmm_event *y = &c->event[b];
			bool shielded = oclmm_event_is_atomic(x) && oclmm_event_is_atomic(y) &&
			                v->inclusive[x->storage][a] & BIT(b);

			if (b > a && y->thread != x->thread &&
			    (oclmm_event_writes(x) || oclmm_event_writes(y)) && !shielded) {
				v->racing[a] |= BIT(b);
				v->apart[a] |= is_apart(c, x, y) ? BIT(b) : 0;
			}
		}
	}
}

/* K5 changes nothing where every releasing and acquiring pair of atomics is inclusive anyway. */
static bool scope_condition_matters(const struct combination *c, const struct view *v)
{
	FOR_EACH (a, c->writes & c->atomics) {
		if (!oclmm_order_releases(c->event[a].order))
			continue;
		FOR_EACH (b, c->of_cell[c->init_of[a]] & c->reads & c->atomics)
			if (oclmm_order_acquires(c->event[b].order) &&
			    c->event[a].thread != c->event[b].thread &&
			    !(v->inclusive[c->event[a].storage][a] & BIT(b)))
				return true;
	}
	return false;
}

static bool same_view(const struct combination *c, const struct view *a, const struct view *b)
{
	size_t rows = c->count * sizeof(row);
	bool same = a->scoped == b->scoped && a->seq_cst == b->seq_cst &&
	            memcmp(a->acts, b->acts, sizeof(a->acts)) == 0 &&
	            memcmp(a->sc_inclusive, b->sc_inclusive, rows) == 0 &&
	            !((a->alternatives ^ b->alternatives) & ALT_K5);

	FOR_EACH (k, c->storages)
		same = same && memcmp(a->inclusive[k], b->inclusive[k], rows) == 0;
	return same;
}

/* Takes the view behind the last one, unless there is one that is the same. */
static struct view *take_view(struct combination *c)
{
	struct view *wanted = &c->view[c->view_count];

	for (unsigned i = 0; i < c->view_count; i++)
		if (same_view(c, &c->view[i], wanted))
			return &c->view[i];
	c->view_count++;
	return wanted;
}

/* K2, K4 and K8 as a number 0 … 7. */
static unsigned seq_cst_key(unsigned alternatives)
{
	return (alternatives & ALT_K2 ? 1u : 0) | (alternatives & ALT_K4 ? 2u : 0) |
	       (alternatives & ALT_K8 ? 4u : 0);
}

/* A view in which nothing is related; of its relations the rows that events have are cleared. */
static void start_view(const struct combination *c, const struct oclmm_reading *s, struct view *v)
{
	size_t rows = c->count * sizeof(row);

	v->regime = s->regime;
	v->alternatives = s->alternatives & ALT_HB;
	v->scoped = s->regime == OCLMM_MODEL_SCOPED;
	v->seq_cst = 0;
	FOR_EACH (k, c->storages)
		memset(v->inclusive[k], 0, rows);
	memset(v->sc_inclusive, 0, rows);
	memset(v->racing, 0, rows);
	memset(v->apart, 0, rows);
	memset(v->acts, 0, sizeof(v->acts));
	memset(v->settings, 0, sizeof(v->settings));
	memset(v->present, 0, sizeof(v->present));
	memset(&v->all, 0, sizeof(v->all));
}

static struct view *make_view(struct combination *c, const struct oclmm_reading *s)
{
	struct view *v = &c->view[c->view_count];

	start_view(c, s, v);
	find_inclusion(c, s, v);
	v->sc_all_inclusive = is_total(c, v->sc_inclusive);
	find_acts(c, s, v);
	find_racing(c, v);
	if (!scope_condition_matters(c, v))
		v->alternatives &= ~(unsigned)ALT_K5;
	return take_view(c);
}

void oclmm_views_build(struct combination *c, const struct setting_list *settings, bool scoped)
{
	/* views already made, by regime and the alternatives that they depend on */
	struct view *made[REGIME_COUNT][ALT_HB + 1] = {{0}};

	c->view_count = 0;
	for (unsigned i = 0; i < settings->count; i++) {
		const struct oclmm_reading *s = &settings->items[i];
		bool degraded = is_degraded(c, s);
		/* 2.0 and 2.1 differ in seq_cst only */
		enum oclmm_model regime = s->regime == OCLMM_MODEL_OPENCL_2_0 && !degraded
		                                  ? OCLMM_MODEL_OPENCL_2_1
		                                  : s->regime;
		struct view **slot = &made[regime][s->alternatives & ALT_HB];
		unsigned key = seq_cst_key(s->alternatives);

		if (s->regime == OCLMM_MODEL_SCOPED && !scoped)
			continue;
		if (!*slot && s->alternatives & ALT_K5) {
			struct view *without =
				made[regime][s->alternatives & ALT_HB & ~(unsigned)ALT_K5];

			if (without && !scope_condition_matters(c, without))
				*slot = without;
		}
		if (!*slot)
			*slot = make_view(c, s);
		setting_add(&(*slot)->settings[degraded][key], i);
		setting_add(&(*slot)->all, i);
		(*slot)->present[degraded][key] = true;
	}
}
