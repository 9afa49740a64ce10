// SPDX-License-Identifier: Apache-2.0
/* From a verdict to the execution that shows it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/cat.h"

enum { DEFAULT_CANDIDATES = 200000, DEFAULT_CHECKS = 3000 };

/* ---- the outcome and the reading ----------------------------------------- */

static void note_state(struct explain *x)
{
	const struct oclmm_answer *answer = x->answer;
	struct oclmm_explanation *e = x->e;

	for (uint32_t i = 0; i < answer->state_count; i++)
		e->states += program_asks_for(x->program, answer->states[i].values);
	x->state = oclmm_explain_state(x, answer);
	e->status = x->state ? x->state->status[e->model] : OCLMM_STATUS_FORBIDDEN;
	if (program_is_undefined(answer, e->model)) {
		e->status = OCLMM_STATUS_UNDEFINED;
		e->witness = oclmm_arena_copy(e->arena, &answer->witness[e->model],
		                              sizeof(*e->witness));
	}
	if (e->status == OCLMM_STATUS_DISPUTED)
		e->deciding = x->state->deciding[e->model];
	if (e->status == OCLMM_STATUS_DISPUTED && e->model == OCLMM_MODEL_CONSENSUS) {
		e->versions = OCLMM_MODEL_VERSIONS;
		memcpy(e->by_version, x->state->status, sizeof(e->by_version));
	}
}

/* Readings as they are preferred: 2.1 first, for most devices are of its kind; then without
 * alternatives. */
static unsigned reading_rank(const struct oclmm_reading *r)
{
	static const unsigned ranks[OCLMM_MODEL_COUNT] = {
		[OCLMM_MODEL_OPENCL_2_1] = 0,
		[OCLMM_MODEL_OPENCL_3_1] = 1,
		[OCLMM_MODEL_OPENCL_2_0] = 2,
		[OCLMM_MODEL_SCOPED] = 3,
	};

	return ranks[r->regime] + 4 * (unsigned)__builtin_popcount(r->alternatives);
}

static void prefer_reading(const struct explain *x,
                           bool (*fits)(const struct explain *x, uint32_t i),
                           struct oclmm_reading *ret_reading)
{
	bool found = false;

	for (uint32_t i = 0; i < x->answer->reading_count; i++) {
		const struct oclmm_reading *reading = &x->answer->readings[i];

		if (!oclmm_model_covers(x->e->model, reading) || !fits(x, i) ||
		    (found && reading_rank(reading) >= reading_rank(ret_reading)))
			continue;
		*ret_reading = *reading;
		found = true;
	}
}

/* Whether a reading is one that gives the verdict its reason. */
static bool is_fitting(const struct explain *x, uint32_t reading)
{
	const struct oclmm_explanation *e = x->e;

	if (e->status == OCLMM_STATUS_UNDEFINED)
		return x->answer->undefined_by[reading];
	return e->status != OCLMM_STATUS_DISPUTED || !x->state->allowed_by[reading];
}

static void list_readings(struct explain *x)
{
	struct oclmm_explanation *e = x->e;

	if (e->model == OCLMM_MODEL_SCOPED || e->text)
		return;
	e->readings = OCLMM_NEW_ARRAY(e->arena, struct oclmm_reading_verdict,
	                              x->answer->reading_count + 1);
	for (uint32_t i = 0; i < x->answer->reading_count; i++) {
		enum oclmm_status status = OCLMM_STATUS_FORBIDDEN;

		if (!oclmm_model_covers(e->model, &x->answer->readings[i]))
			continue;
		if (x->answer->undefined_by[i])
			status = OCLMM_STATUS_UNDEFINED;
		else if (x->state && x->state->allowed_by[i])
			status = OCLMM_STATUS_ALLOWED;
		e->readings[e->reading_count++] = (struct oclmm_reading_verdict){
			.reading = x->answer->readings[i], .status = status};
	}
}

/* ---- executions ------------------------------------------------------------ */

struct execution_search {
	struct explain *explain;
	const int64_t *values; /* the one state wanted; NULL: all that are asked for */
	bool consistent;       /* a consistent one is looked for, not the closest failure */
	struct oclmm_execution *best;
	struct oclmm_breach breach;
	unsigned rank;
	struct oclmm_cat_why why; /* by a model as text, in place of `breach` */
	struct tally {
		const char *name;
		unsigned number; /* in the order in which they are asked */
		uint64_t executions;
	} * failures;
	size_t failure_count, failure_capacity;
};

static bool is_wanted(void *data, const int64_t *values)
{
	const struct execution_search *s = data;
	const struct oclmm_program *p = s->explain->program;

	if (s->values)
		return memcmp(s->values, values, p->observable_count * sizeof(*values)) == 0;
	return program_asks_for(p, values);
}

/* An execution is the closer the later its first broken axiom is asked; basic axioms weigh most. */
static unsigned failure_rank(unsigned broken)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < OCLMM_AXIOM_COUNT; i++)
		if (broken & 1u << i)
			rank |= 1u << (OCLMM_AXIOM_COUNT - 1 - i);
	return rank;
}

static void count_failure(struct execution_search *s, const char *name, unsigned number)
{
	size_t i = 0;

	while (i < s->failure_count && s->failures[i].number != number)
		i++;
	if (i == s->failure_count) {
		oclmm_grow(&s->failures, &s->failure_capacity, i, sizeof(*s->failures));
		s->failures[s->failure_count++] = (struct tally){.name = name, .number = number};
	}
	s->failures[i].executions++;
}

/* The later in the model the check that fails first, the closer; then the shorter its cycle. */
static void keep_failed_check(struct execution_search *s, const struct oclmm_execution *x)
{
	const struct oclmm_cat_why *why = x->why;
	bool shown = why->count > 0;

	count_failure(s, why->name, why->number);
	if (s->best && (why->number < s->why.number ||
	                (why->number == s->why.number &&
	                 (!shown || (s->why.count > 0 && why->count >= s->why.count)))))
		return;
	s->why = *why;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
}

static void keep_failure(struct execution_search *s, const struct oclmm_execution *x)
{
	unsigned rank = failure_rank(x->broken), first = (unsigned)__builtin_ctz(x->broken);
	struct oclmm_breach breach;

	count_failure(s, oclmm_axiom_name((enum oclmm_axiom)first), first);
	if (s->best && rank > s->rank)
		return;
	if (!oclmm_execution_breach(x, &breach) ||
	    (s->best && rank == s->rank && breach.count >= s->breach.count))
		return;
	s->rank = rank;
	s->breach = breach;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
}

static int look(void *data, const struct oclmm_execution *x)
{
	struct execution_search *s = data;

	s->explain->e->candidates++;
	if (!s->consistent && x->why)
		keep_failed_check(s, x);
	else if (!s->consistent && x->broken)
		keep_failure(s, x);
	if (!s->consistent || x->broken)
		return 0;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
	return 1;
}

static int visit_executions(struct explain *x, struct oclmm_visit_options *visit)
{
	int result;

	visit->reading = x->e->reading;
	visit->text = x->options->text;
	visit->limit = x->options->candidate_limit;
	visit->time_limit = x->options->time_limit;
	result = oclmm_executions(x->program, visit, x->error);
	x->e->candidates_cut |= result == -ETIME;
	return result < 0 && result != -ETIME ? result : 0;
}

static int search(struct execution_search *s, bool wide)
{
	struct oclmm_visit_options visit = {
		.wide = wide, .wanted = is_wanted, .visit = look, .data = s};

	return visit_executions(s->explain, &visit);
}

static int compare_failures(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;
	int order = oclmm_compare_numbers(y->executions, x->executions);

	return order ? order : oclmm_compare_numbers(x->number, y->number);
}

static void note_failures(struct oclmm_explanation *e, struct execution_search *s)
{
	e->failures = OCLMM_NEW_ARRAY(e->arena, struct oclmm_failure, s->failure_count + 1);
	if (s->failures)
		qsort(s->failures, s->failure_count, sizeof(*s->failures), compare_failures);
	for (size_t i = 0; i < s->failure_count; i++)
		e->failures[e->failure_count++] = (struct oclmm_failure){
			.name = oclmm_arena_strdup(e->arena, s->failures[i].name),
			.executions = s->failures[i].executions};
	free(s->failures);
}

/* The edge that a base relation of a model as text is; HB, as which it is drawn, for all else. */
static enum oclmm_edge edge_of(const struct oclmm_cat_step *step)
{
	static const struct {
		const char *name;
		enum oclmm_edge edge;
	} known[] = {
		{"po", OCLMM_EDGE_SB},
		{"rf", OCLMM_EDGE_RF},
		{"co", OCLMM_EDGE_MO},
		{"dep", OCLMM_EDGE_DATA},
	};

	for (size_t i = 0; !step->inverse && i < OCLMM_COUNT(known); i++)
		if (strcmp(step->name, known[i].name) == 0)
			return known[i].edge;
	return OCLMM_EDGE_HB;
}

/* From a read back to its write and on to a later one: our fr, the rb of docs/opencl.cat. */
static bool is_from_read(const struct oclmm_cat_step *step)
{
	return step[0].inverse && strcmp(step[0].name, "rf") == 0 && !step[1].inverse &&
	       strcmp(step[1].name, "co") == 0;
}

static void note_steps_of_check(struct explain *x, const struct execution_search *s,
                                const char *section, struct oclmm_violation *v)
{
	const struct oclmm_cat_why *why = &s->why;
	struct oclmm_arena *arena = x->e->arena;

	v->steps = OCLMM_NEW_ARRAY(arena, struct oclmm_step, why->count + 1);
	for (unsigned i = 0; i < why->count; i++) {
		const struct oclmm_cat_step *from = &why->steps[i];
		struct oclmm_step *step = &v->steps[v->step_count++];

		*step = (struct oclmm_step){.edge = edge_of(from),
		                            .from = from->from,
		                            .to = from->to};
		if (i + 1 < why->count && is_from_read(from)) {
			step->edge = OCLMM_EDGE_FR;
			step->to = why->steps[++i].to;
		}
		if (step->edge == OCLMM_EDGE_HB) {
			step->name = oclmm_arena_printf(arena, "%s%s", from->name,
			                                from->inverse ? "^-1" : "");
			step->why = "by the model's relation of this name";
			step->section = section;
		} else {
			oclmm_explain_steps(arena, x->program, s->best, step, 1);
		}
	}
}

/* The check of a model as text that the execution breaks. */
static void note_check(struct explain *x, const struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;
	struct oclmm_violation *v = OCLMM_NEW(e->arena, struct oclmm_violation);

	v->axiom = OCLMM_AXIOM_COUNT;
	v->rule = oclmm_arena_strdup(e->arena, s->why.name);
	v->section = oclmm_arena_printf(e->arena, "%s, line %u", e->text, s->why.line);
	v->why = oclmm_arena_printf(e->arena, "The model asks for `%s`%s", s->why.check,
	                            s->why.ordered
	                                    ? "; some check breaks under each order that its "
	                                      "`with` may choose, this one under the last"
	                                    : "");
	note_steps_of_check(x, s, v->section, v);
	e->violation = v;
}

static void note_violation(struct explain *x, const struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;
	struct oclmm_violation *v = OCLMM_NEW(e->arena, struct oclmm_violation);

	v->axiom = oclmm_rule_axiom(s->breach.rule);
	v->rule = oclmm_rule_name(s->breach.rule);
	v->why = oclmm_explain_rule(e->arena, s->best, &s->breach);
	v->section = oclmm_axiom_section(v->axiom);
	v->step_count = s->breach.count;
	v->steps = OCLMM_NEW_ARRAY(e->arena, struct oclmm_step, v->step_count);
	for (unsigned i = 0; i < v->step_count; i++) {
		const struct oclmm_arrow *a = &s->breach.arrow[i];

		v->steps[i] = (struct oclmm_step){.edge = a->edge, .from = a->from, .to = a->to};
	}
	oclmm_explain_steps(e->arena, x->program, s->best, v->steps, v->step_count);
	e->violation = v;
}

static void note_execution(struct explain *x, struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;

	e->execution = s->best;
	if (!s->best)
		return;
	e->reached = true;
	e->values = oclmm_arena_copy(e->arena, s->best->values,
	                             x->program->observable_count * sizeof(*e->values));
}

static int explain_allowed(struct explain *x)
{
	struct execution_search s = {.explain = x, .values = x->state->values, .consistent = true};
	int result = search(&s, false);

	note_execution(x, &s);
	return result;
}

/* The closest failure: among those that keep to the rules of one work-item, if there are any. */
static int explain_forbidden(struct explain *x)
{
	struct execution_search s = {.explain = x};
	int result;

	if (x->e->status == OCLMM_STATUS_DISPUTED)
		s.values = x->state->values;
	result = search(&s, false);
	if (result == 0 && !s.best && !x->e->candidates_cut)
		result = search(&s, true);
	note_execution(x, &s);
	if (s.best && x->e->text)
		note_check(x, &s);
	else if (s.best)
		note_violation(x, &s);
	note_failures(x->e, &s);
	return result;
}

/* ---- outcomes that nothing ends in ------------------------------------------ */

enum { MAX_DOMAIN = 16 };

struct domain_search {
	const struct oclmm_program *program;
	struct domain {
		int64_t values[MAX_DOMAIN];
		unsigned count;
		bool more;
	} * domains;
};

static bool in_domain(const struct domain *d, int64_t value)
{
	for (unsigned i = 0; i < d->count; i++)
		if (d->values[i] == value)
			return true;
	return d->more;
}

static bool note_values(void *data, const int64_t *values)
{
	struct domain_search *s = data;

	for (uint32_t i = 0; i < s->program->observable_count; i++) {
		struct domain *d = &s->domains[i];

		if (in_domain(d, values[i]))
			continue;
		if (d->count == MAX_DOMAIN)
			d->more = true;
		else
			d->values[d->count++] = values[i];
	}
	return false;
}

static int visit_nothing(void *data, const struct oclmm_execution *x)
{
	(void)data;
	(void)x;
	return 0;
}

/* A comparison for equality with a value that the observable never takes. */
static const struct oclmm_condition *find_unreachable(const struct domain_search *s,
                                                      const struct oclmm_condition *c)
{
	const struct oclmm_condition *found = NULL;

	if (!c)
		return NULL;
	if (c->kind == OCLMM_CONDITION_COMPARE && c->op == OCLMM_OPERATOR_EQ && !c->a.is_constant &&
	    c->b.is_constant && !in_domain(&s->domains[c->a.observable], c->b.constant))
		return c;
	if (c->kind != OCLMM_CONDITION_NOT)
		found = find_unreachable(s, c->left);
	return found || c->kind == OCLMM_CONDITION_NOT ? found : find_unreachable(s, c->right);
}

static int compare_values(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static const char *tell_domain(struct explain *x, const struct domain_search *s)
{
	const struct oclmm_condition *c = x->e->unreachable;
	struct domain *d = &s->domains[c->a.observable];
	const struct oclmm_observable *o = &x->program->observables[c->a.observable];
	struct oclmm_text text = {0};

	qsort(d->values, d->count, sizeof(*d->values), compare_values);
	oclmm_text_printf(&text, "%s never has the value ", o->name);
	oclmm_value_print(&text, o->type, c->b.constant);
	oclmm_text_add(&text, ": it ends as ");
	for (unsigned i = 0; i < d->count; i++) {
		oclmm_text_add(&text, i == 0 ? "" : i + 1 == d->count ? " or " : ", ");
		oclmm_value_print(&text, o->type, d->values[i]);
	}
	return oclmm_text_keep(&text, x->e->arena);
}

static int explain_unreached(struct explain *x)
{
	struct domain_search s = {
		.program = x->program,
		.domains = OCLMM_NEW_ARRAY(x->e->arena, struct domain,
	                                   x->program->observable_count + 1),
	};
	struct oclmm_visit_options visit = {
		.wide = true, .wanted = note_values, .visit = visit_nothing, .data = &s};
	int result = visit_executions(x, &visit);

	if (result < 0)
		return result;
	x->e->why = "no candidate execution ends so: whichever write each read takes its value "
		    "from, these "
		    "values do not come together";
	if (x->e->candidates_cut)
		return 0;
	x->e->unreachable = find_unreachable(&s, x->program->condition);
	if (x->e->unreachable)
		x->e->why = tell_domain(x, &s);
	return 0;
}

/* ---- disputes: the same execution under a reading that allows it --------------------- */

struct dispute {
	const struct oclmm_execution *shown;
	const struct oclmm_program *program;
	struct oclmm_arena *arena;
	struct oclmm_execution *same; /* what was shown, under the other reading */
};

static bool is_outcome_shown(void *data, const int64_t *values)
{
	const struct dispute *d = data;

	return memcmp(values, d->shown->values, d->program->observable_count * sizeof(*values)) ==
	       0;
}

static bool is_same(const struct oclmm_execution *a, const struct oclmm_execution *b)
{
	if (a->count != b->count || memcmp(a->mo, b->mo, sizeof(a->mo)) != 0)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		const struct oclmm_event *e = &a->event[i], *f = &b->event[i];

		if (e->kind != f->kind || e->thread != f->thread ||
		    e->position.line != f->position.line ||
		    e->position.column != f->position.column ||
		    (oclmm_event_reads(e) && a->rf[i] != b->rf[i]))
			return false;
	}
	return true;
}

static int look_for_shown(void *data, const struct oclmm_execution *x)
{
	struct dispute *d = data;

	if (!is_same(x, d->shown))
		return 0;
	d->same = oclmm_execution_copy(d->arena, d->program, x);
	return 1;
}

/* The first edge of the cycle that the other reading does not have. */
static const struct oclmm_step *missing_step(const struct explain *x,
                                             const struct oclmm_execution *other)
{
	const struct oclmm_violation *v = x->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++) {
		const struct oclmm_step *s = &v->steps[i];
		oclmm_events sw = oclmm_execution_sw(other, s->from);

		if (s->edge == OCLMM_EDGE_SW && !(sw & BIT(s->to)))
			return s;
	}
	return NULL;
}

/* What is different under the reading that allows, where the cycle does not show it. */
static const char *sentence_of(enum oclmm_knob knob)
{
	switch (knob) {
	/* what these change are edges of the cycle, or whether there is one */
	case OCLMM_KNOB_K1:
	case OCLMM_KNOB_K2:
	case OCLMM_KNOB_K3:
	case OCLMM_KNOB_K4:
	case OCLMM_KNOB_K5:
	case OCLMM_KNOB_K6:
	case OCLMM_KNOB_K7:
	case OCLMM_KNOB_K8:
	case OCLMM_KNOB_COUNT: break;
	case OCLMM_KNOB_K9: return "an atomic_cmpxchg that fails only reads there";
	case OCLMM_KNOB_K10:
		return "no order S is asked for there: its conditions speak of locations, and a "
		       "fence affects none";
	case OCLMM_KNOB_K11:
		return "read_mem_fence orders only loads there, and write_mem_fence only stores";
	case OCLMM_KNOB_K12:
		return "wait_group_events orders only what is copied there: it is no barrier";
	case OCLMM_KNOB_K13:
		return "enqueue_kernel orders only fine-grained shared virtual memory there";
	case OCLMM_KNOB_K14:
		return "a fence of scope all_svm_devices keeps its scope there, whatever memory it "
		       "orders";
	case OCLMM_KNOB_K15:
		return "only synchronization points of commands order fine-grained memory without "
		       "atomics there";
	case OCLMM_KNOB_K16:
		return "a collective function orders no memory there: it is no barrier";
	case OCLMM_KNOB_K17:
		return "the call of a blocking write returns there before the command is complete";
	}
	return NULL;
}

/* The sentence of a knob that alone makes the difference: of the alternative, or for those that
 * allow less, of the text without it. */
static const char *tell_knob(const struct explain *x)
{
	const unsigned forbidding = 1u << OCLMM_KNOB_K12 | 1u << OCLMM_KNOB_K13 |
	                            1u << OCLMM_KNOB_K15 | 1u << OCLMM_KNOB_K16;
	unsigned deciding = x->e->deciding, alternatives = x->e->allowing.alternatives;

	if (deciding == 0 || deciding & (deciding - 1) ||
	    (deciding & forbidding ? alternatives & deciding : alternatives != deciding))
		return NULL;
	return sentence_of((enum oclmm_knob)__builtin_ctz(deciding));
}

static const char *tell_difference(const struct explain *x, const struct oclmm_execution *other)
{
	const struct oclmm_step *missing = other ? missing_step(x, other) : NULL;
	const char *knob = tell_knob(x);

	if (knob)
		return knob;
	if (!other || other->broken)
		return "another execution that ends so is consistent there";
	if (missing)
		return oclmm_arena_printf(x->e->arena,
		                          "the same execution is consistent there, because %s does "
		                          "not synchronize with %s",
		                          oclmm_event_letter(other, missing->from).text,
		                          oclmm_event_letter(other, missing->to).text);
	switch (x->e->violation ? x->e->violation->axiom : OCLMM_AXIOM_COUNT) {
	case OCLMM_AXIOM_SEQ_CST:
		return "the same execution is consistent there: that reading does not ask for "
		       "every step of this cycle in an order S";
	case OCLMM_AXIOM_THIN_AIR:
		return "the same execution is consistent there: that reading lets a value depend "
		       "on itself";
	default:
		return "the same execution is consistent there: that reading does not order what "
		       "this cycle orders by happens-before";
	}
}

static bool is_allowing(const struct explain *x, uint32_t reading)
{
	return x->state->allowed_by[reading];
}

static int explain_dispute(struct explain *x)
{
	struct dispute d = {.shown = x->e->execution, .program = x->program, .arena = x->e->arena};
	struct oclmm_visit_options visit = {
		.wide = x->e->violation && x->e->violation->axiom == OCLMM_AXIOM_THIN_AIR,
		.wanted = is_outcome_shown,
		.visit = look_for_shown,
		.data = &d,
		.limit = x->options->candidate_limit,
		.time_limit = x->options->time_limit,
	};
	int result;

	prefer_reading(x, is_allowing, &x->e->allowing);
	if (!d.shown)
		return 0;
	visit.reading = x->e->allowing;
	result = oclmm_executions(x->program, &visit, x->error);
	if (result < 0 && result != -ETIME)
		return result;
	x->e->allowing_why = tell_difference(x, d.same);
	return 0;
}

/* ---- races --------------------------------------------------------------------------- */

/* A program that is undefined for another reason keeps the oracle's witness, which names the place.
 */

struct race_search {
	struct explain *explain;
	struct oclmm_execution *best;
	unsigned a, b;
	unsigned rank;
};

/* Reads of b's thread in front of b that take their value from a's thread, from a on or behind
 * it. */
static unsigned contacts(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	unsigned n = 0;

	for (unsigned y = x->init_count; y < x->count; y++)
		n += oclmm_event_reads(&x->event[y]) && x->sb[y] & BIT(b) &&
		     x->sb[a] & BIT(x->rf[y]);
	return n;
}

static bool is_access(const struct oclmm_event *e, const struct oclmm_access *access)
{
	return e->thread == (int)access->thread && e->statement == access->statement &&
	       e->position.line == access->position.line &&
	       e->position.column == access->position.column;
}

/* Whether it is the pair that the oracle has named. */
static bool is_named(const struct race_search *s, const struct oclmm_execution *x, unsigned a,
                     unsigned b)
{
	const struct oclmm_witness *w = s->explain->e->witness;
	const struct oclmm_event *ea = &x->event[a], *eb = &x->event[b];

	return (is_access(ea, &w->a) && is_access(eb, &w->b)) ||
	       (is_access(ea, &w->b) && is_access(eb, &w->a));
}

/* The race that check names comes before all others; then one with the outcome asked for, which
 * says more, and one where the two threads have met already. */
static unsigned rank_of(const struct race_search *s, const struct oclmm_execution *x, unsigned a,
                        unsigned b)
{
	bool asked = x->values && program_asks_for(s->explain->program, x->values);
	unsigned met = contacts(x, a, b) + contacts(x, b, a);

	return 1 + (is_named(s, x, a, b) ? 16 : 0) + (asked ? 8 : 0) + (met > 3 ? 3 : met) * 2 +
	       (x->values ? 1 : 0);
}

static int look_for_race(void *data, const struct oclmm_execution *x)
{
	struct race_search *s = data;

	if (x->broken)
		return 0;
	for (unsigned a = x->init_count; a < x->count; a++) {
		FOR_EACH (b, x->races[a]) {
			unsigned rank = rank_of(s, x, a, (unsigned)b);

			if (rank <= s->rank)
				continue;
			s->rank = rank;
			s->a = a;
			s->b = (unsigned)b;
			s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program,
			                               x);
		}
	}
	return 0;
}

static int explain_race(struct explain *x)
{
	struct race_search s = {.explain = x};
	struct oclmm_visit_options visit = {.visit = look_for_race, .data = &s};
	int result = visit_executions(x, &visit);

	if (result < 0 || !s.best)
		return result;
	x->e->execution = s.best;
	x->e->race_a = s.a;
	x->e->race_b = s.b;
	x->e->why = x->e->text ? oclmm_arena_printf(x->e->arena, "The model raises its flag %s.",
	                                            s.best->flag)
	                       : oclmm_explain_race(x->e->arena, x->program, s.best, s.a, s.b);
	return 0;
}

static int explain_status(struct explain *x)
{
	struct oclmm_explanation *e = x->e;
	int result;

	switch (e->status) {
	case OCLMM_STATUS_ALLOWED: return explain_allowed(x);
	case OCLMM_STATUS_UNDEFINED:
		return e->witness->reason == OCLMM_UNDEFINED_RACE ? explain_race(x) : 0;
	default:
		result = explain_forbidden(x);
		if (result == 0 && !e->reached && !e->candidates_cut)
			result = explain_unreached(x);
		if (result == 0 && e->status == OCLMM_STATUS_DISPUTED)
			result = explain_dispute(x);
		return result;
	}
}

static enum oclmm_model asked_model(unsigned models)
{
	return models ? (enum oclmm_model)__builtin_ctz(models) : OCLMM_MODEL_CONSENSUS;
}

/* Too large for a search: all that can be shown is where it ends. */
static int note_only(struct explain *x)
{
	struct oclmm_explanation *e = x->e;
	size_t size = x->program->observable_count * sizeof(*e->only);

	if (x->answer->state_count)
		e->only = oclmm_arena_copy(e->arena, x->answer->states[0].values, size);
	e->execution = NULL;
	e->violation = NULL;
	e->failure_count = 0;
	e->candidates = 0;
	e->candidates_cut = false;
	return 0;
}

static int explain_all(struct explain *x)
{
	const struct oclmm_check_options check = {.models = x->models,
	                                          .time_limit = x->options->time_limit,
	                                          .text = x->options->text};
	int result = oclmm_check(x->program, &check, x->error, &x->answer);

	if (result < 0)
		return result;
	/* executions are shown with one value for each of these, which none has in particular */
	if (x->answer->unspecified && !x->answer->undefined[x->e->model])
		return oclmm_error_set(
			x->error, -EINVAL,
			"%s: %s may have any value, after a division by zero, say: "
			"there is no execution to show",
			x->program->name,
			x->program->observables[__builtin_ctzll(x->answer->unspecified)].name);
	note_state(x);
	prefer_reading(x, is_fitting, &x->e->reading);
	list_readings(x);
	result = explain_status(x);
	if (x->answer->in_step && (result == -E2BIG || x->e->candidates_cut))
		return note_only(x);
	if (result == 0 && !x->options->no_changes)
		oclmm_explain_changes(x);
	return result;
}

int oclmm_explain(const struct oclmm_program *program, const struct oclmm_explain_options *options,
                  struct oclmm_error *error, struct oclmm_explanation **ret_explanation)
{
	struct oclmm_explain_options o = options ? *options : (struct oclmm_explain_options){0};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_explanation *e = OCLMM_NEW(arena, struct oclmm_explanation);
	struct explain x = {.program = program, .options = &o, .error = error, .e = e};
	int result;

	if (!o.candidate_limit)
		o.candidate_limit = DEFAULT_CANDIDATES;
	if (!o.check_limit)
		o.check_limit = DEFAULT_CHECKS;
	e->arena = arena;
	e->program = program;
	e->model = asked_model(o.models);
	if (o.text)
		e->text = oclmm_arena_strdup(arena, oclmm_cat_name(o.text));
	x.models = 1u << e->model | 1u << OCLMM_MODEL_CONSENSUS;
	result = explain_all(&x);
	oclmm_answer_destroy(x.answer);
	if (result < 0) {
		oclmm_explanation_destroy(e);
		return result;
	}
	*ret_explanation = e;
	return 0;
}

void oclmm_explanation_destroy(struct oclmm_explanation *e)
{
	if (e)
		oclmm_arena_destroy(e->arena);
}
