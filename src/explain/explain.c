// SPDX-License-Identifier: Apache-2.0
/* From a verdict to the execution that shows it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { DEFAULT_CANDIDATES = 200000, DEFAULT_CHECKS = 3000 };

bool program_asks_for(const struct oclmm_program *p, const int64_t *values)
{
	return (!p->filter || oclmm_condition_holds(p, p->filter, values)) &&
	       oclmm_condition_holds(p, p->condition, values) ==
	               (p->quantifier != OCLMM_QUANTIFIER_FORALL);
}

/* ---- the outcome and the reading ----------------------------------------- */

/* Under `scoped` the states of a racy program have their verdicts all the same. */
bool program_is_undefined(const struct oclmm_answer *answer, enum oclmm_model model)
{
	return answer->undefined[model] && model != OCLMM_MODEL_SCOPED;
}

const struct oclmm_state *choose_state(const struct explain *x, const struct oclmm_answer *answer)
{
	static const enum oclmm_status wanted[] = {OCLMM_STATUS_ALLOWED, OCLMM_STATUS_DISPUTED,
	                                           OCLMM_STATUS_FORBIDDEN, OCLMM_STATUS_UNDEFINED};

	for (size_t k = 0; k < OCLMM_COUNT(wanted); k++)
		for (uint32_t i = 0; i < answer->state_count; i++)
			if (program_asks_for(x->program, answer->states[i].values) &&
			    answer->states[i].status[x->e->model] == wanted[k])
				return &answer->states[i];
	return NULL;
}

static void note_state(struct explain *x)
{
	const struct oclmm_answer *answer = x->answer;
	struct oclmm_explanation *e = x->e;

	for (uint32_t i = 0; i < answer->state_count; i++)
		e->states += program_asks_for(x->program, answer->states[i].values);
	x->state = choose_state(x, answer);
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

void prefer_reading(const struct explain *x, bool (*fits)(const struct explain *x, uint32_t i),
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

	if (e->model == OCLMM_MODEL_SCOPED)
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
	uint64_t failures[OCLMM_AXIOM_COUNT];
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

static void keep_failure(struct execution_search *s, const struct oclmm_execution *x)
{
	unsigned rank = failure_rank(x->broken);
	struct oclmm_breach breach;

	s->failures[__builtin_ctz(x->broken)]++;
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
	if (!s->consistent && x->broken)
		keep_failure(s, x);
	if (!s->consistent || x->broken)
		return 0;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
	return 1;
}

int explain_visit(struct explain *x, struct oclmm_visit_options *visit)
{
	int result;

	visit->reading = x->e->reading;
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

	return explain_visit(s->explain, &visit);
}

static int compare_failures(const void *a, const void *b)
{
	const struct oclmm_failure *x = a, *y = b;
	int order = oclmm_compare_numbers(y->executions, x->executions);

	return order ? order : oclmm_compare_numbers(x->axiom, y->axiom);
}

static void note_failures(struct oclmm_explanation *e, const struct execution_search *s)
{
	e->failures = OCLMM_NEW_ARRAY(e->arena, struct oclmm_failure, OCLMM_AXIOM_COUNT);
	for (unsigned i = 0; i < OCLMM_AXIOM_COUNT; i++)
		if (s->failures[i])
			e->failures[e->failure_count++] = (struct oclmm_failure){
				.axiom = (enum oclmm_axiom)i, .executions = s->failures[i]};
	qsort(e->failures, e->failure_count, sizeof(*e->failures), compare_failures);
}

static void note_violation(struct explain *x, const struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;
	struct oclmm_violation *v = OCLMM_NEW(e->arena, struct oclmm_violation);

	v->axiom = oclmm_rule_axiom(s->breach.rule);
	v->rule = oclmm_rule_name(s->breach.rule);
	v->why = explain_rule(e->arena, s->best, &s->breach);
	v->section = oclmm_axiom_section(v->axiom);
	v->step_count = s->breach.count;
	v->steps = OCLMM_NEW_ARRAY(e->arena, struct oclmm_step, v->step_count);
	for (unsigned i = 0; i < v->step_count; i++) {
		const struct oclmm_arrow *a = &s->breach.arrow[i];

		v->steps[i] = (struct oclmm_step){.edge = a->edge, .from = a->from, .to = a->to};
	}
	explain_steps(e->arena, x->program, s->best, v->steps, v->step_count);
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
	if (s.best)
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
	int result = explain_visit(x, &visit);

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

/* ---- the front ---------------------------------------------------------------- */

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

static int explain_all(struct explain *x)
{
	const struct oclmm_check_options check = {.models = x->models,
	                                          .time_limit = x->options->time_limit};
	int result = oclmm_check(x->program, &check, x->error, &x->answer);

	if (result < 0)
		return result;
	note_state(x);
	prefer_reading(x, is_fitting, &x->e->reading);
	list_readings(x);
	result = explain_status(x);
	if (result == 0 && !x->options->no_changes)
		search_changes(x);
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
