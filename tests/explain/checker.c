// SPDX-License-Identifier: Apache-2.0
/*
 * Nothing here is shared with src/explain: each kind of edge is looked up or
 * derived anew from events, sb, rf and mo; synchronisation from the rules of
 * A:3.3.9.1 to A:3.3.9.4.
 */
#include "checker.h"

#include <string.h>

static const struct oclmm_program *program;
static const struct oclmm_execution *x;

static bool has(const oclmm_events *relation, unsigned a, unsigned b)
{
	return relation[a] >> b & 1;
}

static bool reads(unsigned e)
{
	return x->event[e].kind == OCLMM_EVENT_READ || x->event[e].kind == OCLMM_EVENT_UPDATE;
}

static bool writes(unsigned e)
{
	return x->event[e].kind == OCLMM_EVENT_WRITE || x->event[e].kind == OCLMM_EVENT_UPDATE;
}

static bool fence(unsigned e)
{
	return x->event[e].kind == OCLMM_EVENT_FENCE;
}

static bool atomic(unsigned e)
{
	return !fence(e) && x->event[e].order != OCLMM_ORDER_NONE;
}

static bool seq_cst(unsigned e)
{
	return x->event[e].order == OCLMM_ORDER_SEQ_CST;
}

static bool same_object(unsigned a, unsigned b)
{
	return !fence(a) && !fence(b) && x->event[a].location == x->event[b].location &&
	       x->event[a].element == x->event[b].element;
}

static bool knob(enum oclmm_knob k)
{
	return x->reading.alternatives >> k & 1;
}

/* ---- the execution itself ------------------------------------------------- */

static const char *check_reads_from(void)
{
	for (unsigned r = 0; r < x->count; r++) {
		unsigned w = x->rf[r];

		if (!reads(r))
			continue;
		if (w == r || !writes(w) || !same_object(r, w))
			return "a read reads from no write to its object";
		if (x->event[w].written != x->event[r].read)
			return "a read has another value than the write that it reads from";
	}
	return NULL;
}

static const char *check_modification_order(void)
{
	for (unsigned a = 0; a < x->count; a++) {
		for (unsigned b = 0; b < x->count; b++) {
			bool both = a != b && writes(a) && writes(b) && same_object(a, b);

			if (has(x->mo, a, b) && !both)
				return "mo relates what are no two writes to one object";
			if (both && has(x->mo, a, b) == has(x->mo, b, a))
				return "mo is not total";
			if (both && a < x->init_count && !has(x->mo, a, b))
				return "an initial write is not first in mo";
			for (unsigned c = 0; c < x->count; c++)
				if (has(x->mo, a, b) && has(x->mo, b, c) && !has(x->mo, a, c))
					return "mo is not transitive";
		}
	}
	return NULL;
}

/* ---- synchronisation --------------------------------------------------------- */

static bool reaches(enum oclmm_scope scope, int a, int b)
{
	const struct oclmm_placement *p = &program->threads[a].placement,
				     *q = &program->threads[b].placement;
	bool device = !p->host && !q->host && p->device == q->device;
	bool group = device && p->queue == q->queue && p->work_group == q->work_group;

	if (scope == OCLMM_SCOPE_ALL_SVM_DEVICES)
		return true;
	if (scope == OCLMM_SCOPE_DEVICE)
		return device;
	if (scope == OCLMM_SCOPE_WORK_GROUP)
		return group;
	return scope == OCLMM_SCOPE_SUB_GROUP && group && p->sub_group_given &&
	       q->sub_group_given && p->sub_group == q->sub_group;
}

/* The scope of an operation relative to an object and seen from another thread, A:3.3.8. */
static enum oclmm_scope reduced(unsigned e, unsigned other, unsigned object)
{
	const struct oclmm_location *l = &program->locations[x->event[object].location];
	enum oclmm_scope scope = x->event[e].scope;

	if (x->event[e].legacy && knob(OCLMM_KNOB_K7) &&
	    !reaches(OCLMM_SCOPE_WORK_GROUP, x->event[e].thread, x->event[other].thread))
		scope = OCLMM_SCOPE_DEVICE;
	if (x->reading.regime == OCLMM_MODEL_SCOPED)
		return scope;
	if (l->space == OCLMM_SPACE_LOCAL && scope > OCLMM_SCOPE_WORK_GROUP)
		return OCLMM_SCOPE_WORK_GROUP;
	if (l->space == OCLMM_SPACE_GLOBAL && !oclmm_storage_has_svm_atomics(l->storage) &&
	    scope == OCLMM_SCOPE_ALL_SVM_DEVICES)
		return OCLMM_SCOPE_DEVICE;
	return scope;
}

static enum oclmm_storage storage(unsigned event)
{
	return program->locations[x->event[event].location].storage;
}

static bool two_kernels(unsigned a, unsigned b)
{
	const struct oclmm_placement *p = &program->threads[x->event[a].thread].placement,
				     *q = &program->threads[x->event[b].thread].placement;

	return !p->host && !q->host && p->device == q->device && p->queue != q->queue;
}

/* What two kernels do to one buffer is left to the implementation, A:3.3.9.5. */
static bool apart(unsigned a, unsigned b, unsigned object)
{
	return storage(object) == OCLMM_STORAGE_BUFFER && two_kernels(a, b);
}

static bool inclusive(unsigned a, unsigned b, unsigned object)
{
	enum oclmm_scope s = reduced(a, b, object), t = reduced(b, a, object);

	if (x->reading.regime != OCLMM_MODEL_SCOPED && apart(a, b, object))
		return false;
	if (s != t && x->reading.regime != OCLMM_MODEL_OPENCL_3_1)
		return false;
	return reaches(s, x->event[a].thread, x->event[b].thread) &&
	       reaches(t, x->event[a].thread, x->event[b].thread);
}

static bool in_release_sequence(unsigned head, unsigned w)
{
	if (w == head)
		return true;
	if (!has(x->mo, head, w))
		return false;
	for (unsigned m = 0; m < x->count; m++)
		if (has(x->mo, head, m) && !has(x->mo, w, m) &&
		    x->event[m].kind != OCLMM_EVENT_UPDATE &&
		    x->event[m].thread != x->event[head].thread)
			return false;
	return true;
}

static bool side(unsigned end, unsigned access, bool release)
{
	enum oclmm_order order = x->event[end].order;

	if (!(release ? oclmm_order_releases(order) : oclmm_order_acquires(order)))
		return false;
	if (!fence(end))
		return end == access;
	return x->event[end].flags >> x->event[access].region & 1 &&
	       (release ? has(x->sb, end, access) : has(x->sb, access, end));
}

static bool synchronises_through(unsigned a, unsigned b, unsigned head, unsigned y)
{
	if (!atomic(head) || !atomic(y) || !writes(head) || !reads(y) || !same_object(head, y))
		return false;
	if (!in_release_sequence(head, x->rf[y]) || !side(a, head, true) || !side(b, y, false))
		return false;
	return inclusive(a, b, y) || (knob(OCLMM_KNOB_K5) && !fence(a) && !fence(b));
}

static bool synchronises_in(unsigned a, unsigned b, enum oclmm_space region)
{
	const struct oclmm_event *e = &x->event[a], *f = &x->event[b];

	if (e->barrier && f->barrier && e->entry && !f->entry && e->instance == f->instance &&
	    e->sub_group == f->sub_group && e->flags >> region & 1 &&
	    reaches(e->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP, e->thread,
	            f->thread))
		return true;
	for (unsigned head = x->init_count; head < x->count; head++)
		for (unsigned y = x->init_count; y < x->count; y++)
			if (x->event[y].region == region && synchronises_through(a, b, head, y))
				return true;
	return false;
}

static bool synchronises(unsigned a, unsigned b, enum oclmm_space region)
{
	const unsigned all = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL;
	enum oclmm_space other = region == OCLMM_SPACE_GLOBAL ? OCLMM_SPACE_LOCAL
	                                                      : OCLMM_SPACE_GLOBAL;
	bool both = fence(a) && fence(b) && x->event[a].flags == all && x->event[b].flags == all;

	if (x->event[a].thread == x->event[b].thread || a < x->init_count || b < x->init_count)
		return false;
	if (synchronises_in(a, b, region))
		return true;
	return (both || (seq_cst(a) && seq_cst(b))) && synchronises_in(a, b, other);
}

static bool acts(unsigned e, enum oclmm_space region)
{
	if (fence(e))
		return x->event[e].flags >> region & 1;
	return x->event[e].region == region || (knob(OCLMM_KNOB_K3) && seq_cst(e));
}

/* ---- edges ------------------------------------------------------------------------- */

static bool is_fr(unsigned a, unsigned b)
{
	return a != b && reads(a) && has(x->mo, x->rf[a], b);
}

static bool is_edge(const struct oclmm_step *s)
{
	unsigned a = s->from, b = s->to;

	switch (s->edge) {
	case OCLMM_EDGE_SB:
		return x->event[a].thread >= 0 && x->event[a].thread == x->event[b].thread &&
		       has(x->sb, a, b) && !has(x->sb, b, a);
	case OCLMM_EDGE_RF: return reads(b) && x->rf[b] == a;
	case OCLMM_EDGE_MO: return has(x->mo, a, b);
	case OCLMM_EDGE_FR: return is_fr(a, b);
	case OCLMM_EDGE_SW:
		return synchronises(a, b, OCLMM_SPACE_GLOBAL) ||
		       synchronises(a, b, OCLMM_SPACE_LOCAL);
	case OCLMM_EDGE_HB: return a < x->init_count && b >= x->init_count;
	case OCLMM_EDGE_DATA:
		return reads(a) && writes(b) && x->event[a].thread == x->event[b].thread &&
		       has(x->data, a, b);
	case OCLMM_EDGE_S: return seq_cst(a) && seq_cst(b);
	default: return false;
	}
}

/* A step of happens-before of a region. */
static bool is_hb_step(const struct oclmm_step *s, enum oclmm_space region)
{
	if (s->edge == OCLMM_EDGE_SW)
		return synchronises(s->from, s->to, region);
	return (s->edge == OCLMM_EDGE_SB || s->edge == OCLMM_EDGE_HB) && acts(s->from, region) &&
	       acts(s->to, region);
}

static bool are_hb(const struct oclmm_step *steps, unsigned count, enum oclmm_space region)
{
	for (unsigned i = 0; i < count; i++)
		if (!is_hb_step(&steps[i], region))
			return false;
	return count > 0;
}

static bool are_any_hb(const struct oclmm_step *steps, unsigned count)
{
	return are_hb(steps, count, OCLMM_SPACE_GLOBAL) || are_hb(steps, count, OCLMM_SPACE_LOCAL);
}

/* ---- rules: which cycles each of them forbids ------------------------------------------ */

static bool ends_with(const struct oclmm_violation *v, unsigned count, enum oclmm_edge first,
                      enum oclmm_edge second)
{
	const struct oclmm_step *end = v->steps + v->step_count - count;

	return v->step_count > count && end[0].edge == first &&
	       (count == 1 || end[1].edge == second);
}

/* happens-before from a to b, both accesses of one object, and back by `count` edges. */
static bool is_value_cycle(const struct oclmm_violation *v, unsigned count, enum oclmm_edge first,
                           enum oclmm_edge second)
{
	unsigned a = v->steps[0].from, n = v->step_count - count;

	return ends_with(v, count, first, second) && same_object(a, v->steps[n - 1].to) &&
	       are_hb(v->steps, n, x->event[a].region);
}

static bool is_rule(const struct oclmm_violation *v, const char *name)
{
	return strcmp(v->rule, name) == 0;
}

static bool breaks_values(const struct oclmm_violation *v)
{
	const struct oclmm_step *s = v->steps;

	if (is_rule(v, "coherence, write-write"))
		return is_value_cycle(v, 1, OCLMM_EDGE_MO, OCLMM_EDGE_COUNT);
	if (is_rule(v, "coherence, write-read") ||
	    (is_rule(v, "visible side effect") && v->step_count > 1))
		return is_value_cycle(v, 1, OCLMM_EDGE_FR, OCLMM_EDGE_COUNT) && writes(s->from);
	if (is_rule(v, "coherence, read-write"))
		return is_value_cycle(v, 2, OCLMM_EDGE_MO, OCLMM_EDGE_RF);
	if (is_rule(v, "coherence, read-read"))
		return is_value_cycle(v, 2, OCLMM_EDGE_FR, OCLMM_EDGE_RF);
	if (is_rule(v, "no read from the future"))
		return is_value_cycle(v, 1, OCLMM_EDGE_RF, OCLMM_EDGE_COUNT);
	/* what is missing: the write does not happen before the plain read */
	return is_rule(v, "visible side effect") && s->edge == OCLMM_EDGE_RF && !atomic(s->to) &&
	       !has(x->hb[x->event[s->to].region], s->from, s->to);
}

/* A relation that may stand between the fences of model scoped. */
static bool is_scoped_middle(const struct oclmm_step *s, unsigned n)
{
	return are_any_hb(s, n) ||
	       (n == 1 && (s->edge == OCLMM_EDGE_FR || s->edge == OCLMM_EDGE_MO));
}

/* Fsb?; (rb, mo, ghb or lhb); sbF? */
static bool is_scoped_stretch(const struct oclmm_step *s, unsigned n)
{
	bool front = s[0].edge == OCLMM_EDGE_SB && fence(s[0].from);
	bool back = s[n - 1].edge == OCLMM_EDGE_SB && fence(s[n - 1].to);

	return is_scoped_middle(s, n) || (n > 1 && front && is_scoped_middle(s + 1, n - 1)) ||
	       (n > 1 && back && is_scoped_middle(s, n - 1)) ||
	       (n > 2 && front && back && is_scoped_middle(s + 1, n - 2));
}

/* A stretch between two seq_cst operations that S must follow. */
static bool is_total_stretch(const struct oclmm_step *s, unsigned n)
{
	enum oclmm_edge a = s[0].edge, b = n > 1 ? s[1].edge : OCLMM_EDGE_COUNT;

	if (x->reading.regime == OCLMM_MODEL_SCOPED)
		return is_scoped_stretch(s, n);
	if (are_any_hb(s, n))
		return true;
	if (n == 1)
		return a == OCLMM_EDGE_MO || a == OCLMM_EDGE_RF || a == OCLMM_EDGE_FR ||
		       a == OCLMM_EDGE_S;
	/* rules 2 and 3, then 4 and 5 */
	if (n == 2)
		return (a == OCLMM_EDGE_SB && fence(s[0].from) && b == OCLMM_EDGE_FR) ||
		       (a == OCLMM_EDGE_FR && b == OCLMM_EDGE_SB && fence(s[1].to));
	return n == 3 && a == OCLMM_EDGE_SB && s[2].edge == OCLMM_EDGE_SB && fence(s[0].from) &&
	       fence(s[2].to) && (b == OCLMM_EDGE_FR || b == OCLMM_EDGE_MO);
}

/* The cycle falls into such stretches; an operation inside of one may be seq_cst too. */
static bool breaks_total(const struct oclmm_violation *v)
{
	bool reached[OCLMM_MAX_EVENTS + 1] = {seq_cst(v->steps[0].from)};

	for (unsigned to = 1; to <= v->step_count; to++)
		for (unsigned from = 0; from < to && seq_cst(v->steps[to - 1].to); from++)
			reached[to] |= reached[from] &&
			               is_total_stretch(v->steps + from, to - from);
	return reached[v->step_count];
}

static bool breaks(const struct oclmm_violation *v)
{
	const struct oclmm_step *s = v->steps;

	switch (v->axiom) {
	case OCLMM_AXIOM_ATOMICITY:
		return v->step_count == 2 &&
		       ((s[0].edge == OCLMM_EDGE_FR && s[1].edge == OCLMM_EDGE_MO &&
		         reads(s[0].from) && writes(s[0].from)) ||
		        (s[0].edge == OCLMM_EDGE_MO && s[1].edge == OCLMM_EDGE_RF &&
		         reads(s[0].from)));
	case OCLMM_AXIOM_HAPPENS_BEFORE: return are_any_hb(s, v->step_count);
	case OCLMM_AXIOM_VISIBLE:
	case OCLMM_AXIOM_COHERENCE: return breaks_values(v);
	case OCLMM_AXIOM_SEQ_CST: return breaks_total(v);
	case OCLMM_AXIOM_THIN_AIR:
		for (unsigned i = 0; i < v->step_count; i++)
			if (s[i].edge != (i & 1 ? OCLMM_EDGE_RF : OCLMM_EDGE_DATA))
				return false;
		return v->step_count % 2 == 0;
	default: return false;
	}
}

static const char *check_violation(const struct oclmm_violation *v)
{
	bool missing = v->axiom == OCLMM_AXIOM_VISIBLE && v->step_count == 1;

	for (unsigned i = 0; i < v->step_count; i++) {
		const struct oclmm_step *next = &v->steps[(i + 1) % v->step_count];

		if (!missing && v->steps[i].to != next->from)
			return "the edges form no cycle";
		if (!is_edge(&v->steps[i]))
			return "an edge is not there";
		if (!v->steps[i].why || !v->steps[i].why[0] || !v->steps[i].section)
			return "an edge has no reason";
	}
	if (!(x->broken >> v->axiom & 1))
		return "the axiom named is not broken";
	return breaks(v) ? NULL : "the cycle breaks no rule of that name";
}

/* ---- races ------------------------------------------------------------------------------- */

/* Two kernels have these in common at synchronization points of commands, and whether atomic
 * operations order accesses in between is open, A:3.3.9.5. */
static bool nothing_orders(unsigned a, unsigned b)
{
	return !(atomic(a) && atomic(b)) && two_kernels(a, b) &&
	       (storage(a) == OCLMM_STORAGE_BUFFER || storage(a) == OCLMM_STORAGE_SVM_COARSE);
}

static const char *check_race(unsigned a, unsigned b)
{
	enum oclmm_space region = x->event[a].region;

	if (x->broken)
		return "the racing execution is not consistent";
	if (!same_object(a, b) || x->event[a].thread == x->event[b].thread ||
	    !(writes(a) || writes(b)))
		return "the racing accesses do not conflict";
	if (!nothing_orders(a, b) && (has(x->hb[region], a, b) || has(x->hb[region], b, a)))
		return "one of the racing accesses happens before the other";
	if (atomic(a) && atomic(b) && inclusive(a, b, a))
		return "the racing accesses are atomics with inclusive scopes";
	return NULL;
}

const char *check_explanation(const struct oclmm_explanation *e)
{
	const char *wrong;

	program = e->program;
	x = e->execution;
	if (!x)
		return e->violation ? "a violation without an execution" : NULL;
	wrong = check_reads_from();
	if (!wrong)
		wrong = check_modification_order();
	if (wrong)
		return wrong;
	if (e->values && !oclmm_condition_holds(program, program->condition, e->values))
		return "the execution ends in another outcome";
	switch (e->status) {
	case OCLMM_STATUS_ALLOWED: return x->broken ? "the witness is not consistent" : NULL;
	case OCLMM_STATUS_UNDEFINED: return check_race(e->race_a, e->race_b);
	default: return e->violation ? check_violation(e->violation) : "no rule is named";
	}
}
