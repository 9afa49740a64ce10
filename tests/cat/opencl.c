// SPDX-License-Identifier: Apache-2.0
/*
 * Sets and relations of a candidate, and the answer of a cat model.
 */
#include "opencl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct oclmm_cat_name cat_opencl_names[CAT_OPENCL_COUNT] = {
#define OCLMM_X(name, string, type) {string, type},
	CAT_OPENCL_NAMES(OCLMM_X)
#undef OCLMM_X
};

/* ---- one candidate --------------------------------------------------- */

static void describe_event(const struct event *e, unsigned at, struct cat_opencl *v)
{
	static const int orders[OCLMM_ORDER_COUNT] = {
		[OCLMM_ORDER_ACQUIRE] = CAT_OPENCL_ACQ,
		[OCLMM_ORDER_RELEASE] = CAT_OPENCL_REL,
		[OCLMM_ORDER_ACQ_REL] = CAT_OPENCL_ACQ_REL,
		[OCLMM_ORDER_SEQ_CST] = CAT_OPENCL_SC,
	};
	static const int scopes[OCLMM_SCOPE_COUNT] = {
		[OCLMM_SCOPE_SUB_GROUP] = CAT_OPENCL_SG,
		[OCLMM_SCOPE_WORK_GROUP] = CAT_OPENCL_WG,
		[OCLMM_SCOPE_DEVICE] = CAT_OPENCL_DV,
		[OCLMM_SCOPE_ALL_SVM_DEVICES] = CAT_OPENCL_ALL,
	};
	bool global = e->fence ? e->flags & OCLMM_FLAG_GLOBAL : e->space == OCLMM_SPACE_GLOBAL;
	bool local = e->fence ? e->flags & OCLMM_FLAG_LOCAL : e->space == OCLMM_SPACE_LOCAL;
	const struct {
		bool is;
		int set;
	} sets[] = {
		{e->reads, CAT_OPENCL_R},
		{e->writes, CAT_OPENCL_W},
		{e->thread < 0, CAT_OPENCL_IW},
		{e->fence, CAT_OPENCL_F},
		{e->barrier == BARRIER_ENTRY, CAT_OPENCL_ENTRY},
		{e->barrier == BARRIER_EXIT, CAT_OPENCL_EXIT},
		{is_atomic_access(e), CAT_OPENCL_A},
		{orders[e->order] != 0, orders[e->order]},
		{e->order != OCLMM_ORDER_NONE && scopes[e->scope] != 0, scopes[e->scope]},
		{global, CAT_OPENCL_GLOBAL},
		{local, CAT_OPENCL_LOCAL},
		{!e->fence && oclmm_storage_has_svm_atomics(e->storage), CAT_OPENCL_SVM},
		{!e->fence && (e->storage == OCLMM_STORAGE_SVM_COARSE ||
	                       e->storage == OCLMM_STORAGE_PROGRAM),
	         CAT_OPENCL_COARSE},
		{!e->fence && e->storage == OCLMM_STORAGE_BUFFER, CAT_OPENCL_BUFFER},
	};

	for (size_t i = 0; i < OCLMM_COUNT(sets); i++)
		if (sets[i].is)
			v->values[sets[i].set][0] |= 1ull << at;
}

/** Are two events' work-items in one unit of a scope? */
static bool in_one(const struct candidate *c, unsigned a, unsigned b, enum oclmm_scope scope)
{
	if (c->events[a].thread < 0 || c->events[b].thread < 0)
		return false;
	return share_unit(&c->program->threads[c->events[a].thread].placement,
	                  &c->program->threads[c->events[b].thread].placement, scope);
}

static void describe_pair(const struct candidate *c, unsigned a, unsigned b, struct cat_opencl *v)
{
	const struct event *ea = &c->events[a], *eb = &c->events[b];
	const struct {
		bool is;
		int relation;
	} relations[] = {
		{c->sb[a][b], CAT_OPENCL_PO},
		{c->rf[b] == (int)a, CAT_OPENCL_RF},
		{c->mo[a][b], CAT_OPENCL_CO},
		{c->dep[a][b], CAT_OPENCL_DEP},
		{same_cell(ea, eb), CAT_OPENCL_LOC},
		{ea->thread == eb->thread, CAT_OPENCL_INT},
		{ea->thread != eb->thread, CAT_OPENCL_EXT},
		{in_one(c, a, b, OCLMM_SCOPE_SUB_GROUP), CAT_OPENCL_SSG},
		{in_one(c, a, b, OCLMM_SCOPE_WORK_GROUP), CAT_OPENCL_SWG},
		{in_one(c, a, b, OCLMM_SCOPE_DEVICE), CAT_OPENCL_SDV},
		{in_two_kernels(c, a, b), CAT_OPENCL_STK},
		{barrier_synchronizes(c, a, b), CAT_OPENCL_SYNCBAR},
		{copy_synchronizes(c, a, b), CAT_OPENCL_SYNCCOPY},
		{child_synchronizes(c, false, a, b), CAT_OPENCL_SYNCCHILD},
	};

	for (size_t i = 0; i < OCLMM_COUNT(relations); i++)
		if (relations[i].is)
			v->values[relations[i].relation][a] |= 1ull << b;
}

void cat_opencl_describe(const struct candidate *candidate, struct cat_opencl *ret_values)
{
	memset(ret_values, 0, sizeof(*ret_values));
	for (unsigned a = 0; a < candidate->count; a++) {
		describe_event(&candidate->events[a], a, ret_values);
		for (unsigned b = 0; b < candidate->count; b++)
			describe_pair(candidate, a, b, ret_values);
	}
}

/* ---- all candidates -------------------------------------------------- */

struct check {
	struct oclmm_cat_model *model;
	struct cat_answer *answer;
	uint64_t limit;
	struct cat_opencl opencl;
};

bool cat_opencl_allows(const struct cat_answer *answer, const struct oclmm_program *program,
                       const int64_t *values)
{
	size_t size = program->observable_count * sizeof(*values);

	for (size_t i = 0; i < answer->count; i++)
		if (memcmp(answer->states[i], values, size) == 0)
			return true;
	return false;
}

static void add_state(struct check *check, const struct candidate *candidate)
{
	struct cat_answer *answer = check->answer;
	int64_t values[64];

	if (!find_final_state(candidate, values) ||
	    cat_opencl_allows(answer, candidate->program, values))
		return;
	oclmm_grow(&answer->states, &answer->capacity, answer->count, sizeof(*answer->states));
	memcpy(answer->states[answer->count++], values, sizeof(values));
}

/** The relations that change with mo are filled anew. */
static int check_order(struct candidate *candidate, void *data)
{
	struct check *check = data;
	const uint64_t *values[CAT_OPENCL_COUNT];
	struct oclmm_cat_verdict verdict;
	int result;

	if (++check->answer->candidates > check->limit)
		return -E2BIG;
	for (unsigned i = 0; i < CAT_OPENCL_COUNT; i++)
		values[i] = check->opencl.values[i];
	for (unsigned a = 0; a < candidate->count; a++) {
		check->opencl.values[CAT_OPENCL_CO][a] = 0;
		for (unsigned b = 0; b < candidate->count; b++)
			if (candidate->mo[a][b])
				check->opencl.values[CAT_OPENCL_CO][a] |= 1ull << b;
	}
	result = oclmm_cat_evaluate(check->model, candidate->count, values, &verdict, NULL);
	if (result != 0 || !verdict.consistent)
		return result;
	check->answer->undefined |= verdict.flags != 0 || is_troubled(candidate);
	add_state(check, candidate);
	return 0;
}

static int check_candidate(struct candidate *candidate, void *data)
{
	struct check *check = data;

	cat_opencl_describe(candidate, &check->opencl);
	return enumerate_modification_orders(candidate, check_order, check);
}

int cat_opencl_check(struct oclmm_cat_model *model, const struct oclmm_program *program,
                     uint64_t limit, struct cat_answer *ret_answer)
{
	struct cat_answer answer = {0};
	struct check *check;
	int result;

	if (program->observable_count > OCLMM_COUNT(answer.states[0]))
		return -E2BIG;
	check = oclmm_malloc(sizeof(*check));
	*check = (struct check){.model = model, .answer = &answer, .limit = limit};
	result = enumerate_program(program, false, check_candidate, check);
	free(check);
	if (result != 0)
		cat_opencl_finish(&answer);
	else
		*ret_answer = answer;
	return result;
}

void cat_opencl_finish(struct cat_answer *answer)
{
	free(answer->states);
	answer->states = NULL;
}
