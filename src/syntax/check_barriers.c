// SPDX-License-Identifier: Apache-2.0
#include "build.h"

/*
 * Every work-item of a work-group (sub-group) has to reach a barrier when one
 * does (C:6.15.8). Which path a work-item takes is for the model to find out;
 * here a test is refused when no choice of paths makes the numbers agree.
 */

/** The numbers of barriers that the paths through some statements can meet: bit n for n. */
typedef uint64_t count_set;

enum { MOST_COUNT = 63 };

/* Sums of one number of each set; beyond 63 they all count as 63. */
static count_set add_counts(count_set a, count_set b)
{
	count_set sums = 0;

	for (unsigned i = 0; i <= MOST_COUNT; i++) {
		for (unsigned k = 0; k <= MOST_COUNT && (a >> i & 1); k++) {
			unsigned sum = i + k > MOST_COUNT ? MOST_COUNT : i + k;

			if (b >> k & 1)
				sums |= UINT64_C(1) << sum;
		}
	}
	return sums;
}

static bool is_barrier(const struct oclmm_statement *statement, bool sub_group)
{
	return statement->kind == OCLMM_STATEMENT_BARRIER &&
	       statement->barrier.sub_group == sub_group;
}

static count_set count_list(const struct oclmm_statement *statement, bool sub_group);

static count_set count_loop(const struct oclmm_loop *loop, bool sub_group)
{
	count_set body = count_list(loop->body, sub_group);
	count_set total = 1, all = 1;

	if (body == 1)
		return 1;
	for (uint32_t i = 0; i < loop->unroll; i++) {
		total = add_counts(total, body);
		all |= total;
	}
	return all;
}

static count_set count_list(const struct oclmm_statement *statement, bool sub_group)
{
	count_set counts = 1;

	for (; statement; statement = statement->next) {
		count_set own = 1;

		if (is_barrier(statement, sub_group))
			own = 2;
		else if (statement->kind == OCLMM_STATEMENT_IF)
			own = count_list(statement->branch.then_body, sub_group) |
			      count_list(statement->branch.else_body, sub_group);
		else if (statement->kind == OCLMM_STATEMENT_WHILE)
			own = count_loop(&statement->loop, sub_group);
		if (own != 1)
			counts = add_counts(counts, own);
	}
	return counts;
}

struct search {
	bool sub_group;
	const struct oclmm_position *found;
};

static int find_barrier(void *data, const struct oclmm_statement *statement)
{
	struct search *search = data;

	if (!is_barrier(statement, search->sub_group))
		return 0;
	search->found = &statement->position;
	return 1;
}

static int refuse_pair(const struct builder *builder, const struct oclmm_thread *a,
                       const struct oclmm_thread *b, bool sub_group)
{
	static const struct oclmm_visitor visitor = {.statement = find_barrier};
	struct search search = {.sub_group = sub_group};

	if (!oclmm_visit_body(&visitor, b->body, &search))
		oclmm_visit_body(&visitor, a->body, &search);
	return syntax_refuse(builder->source, search.found,
	                     "every work-item of the group has to reach each barrier",
	                     "P%u and P%u of one %s never reach the same number of barriers", a->id,
	                     b->id, sub_group ? "sub-group" : "work-group");
}

static int check_kind(const struct builder *builder, bool sub_group)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		count_set common = count_list(thread->body, sub_group);

		for (uint32_t k = 0; k < program->thread_count; k++) {
			const struct oclmm_thread *other = &program->threads[k];

			if (k == i ||
			    !oclmm_same_group(&thread->placement, &other->placement, sub_group))
				continue;
			common &= count_list(other->body, sub_group);
			if (!common)
				return refuse_pair(builder, thread, other, sub_group);
		}
	}
	return 0;
}

int build_check_barriers(const struct builder *builder)
{
	int result = check_kind(builder, false);

	return result ? result : check_kind(builder, true);
}
