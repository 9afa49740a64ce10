// SPDX-License-Identifier: Apache-2.0
/*
 * Floating-point objects hold whole numbers, and no order of additions may leave
 * those that are exact: the largest that is written anywhere and all that is
 * added or subtracted stay below the type's limit together. Then the oracle may
 * compute with integers, and rounding modes, fused operations and subnormal
 * numbers make no difference.
 */
#include "build.h"

#include <errno.h>

/* Of each type. */
struct sums {
	const struct builder *builder;
	uint64_t rounds; /* how often what is visited may happen */
	uint64_t added[OCLMM_TYPE_COUNT], largest[OCLMM_TYPE_COUNT];
};

static uint64_t magnitude(int64_t value)
{
	return (uint64_t)(value < 0 ? -value : value);
}

static void note(struct sums *sums, enum oclmm_type type, int64_t value)
{
	if (oclmm_type_is_floating(type) && magnitude(value) > sums->largest[type])
		sums->largest[type] = magnitude(value);
}

static bool adds(enum oclmm_operation op)
{
	return op == OCLMM_OP_FETCH_ADD || op == OCLMM_OP_FETCH_SUB;
}

/* No more than greatest() times the most rounds of a loop: no overflow. */
static void add(struct sums *sums, enum oclmm_type type, int64_t value)
{
	sums->added[type] += sums->rounds * magnitude(value);
	if (sums->added[type] > oclmm_type_greatest(type))
		sums->added[type] = oclmm_type_greatest(type) + 1;
}

static int check_expression(void *data, const struct oclmm_expression *e)
{
	struct sums *sums = data;
	const struct oclmm_expression *added = NULL;

	if (e->kind == OCLMM_EXPRESSION_CONSTANT)
		note(sums, e->type, e->constant);
	if (!oclmm_type_is_floating(e->type))
		return 0;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC && adds(e->atomic->op))
		added = e->atomic->operand;
	/* the only ones that give such a value are + and -, with a constant on one side */
	if (e->kind == OCLMM_EXPRESSION_BINARY)
		added = e->binary.left->kind == OCLMM_EXPRESSION_CONSTANT ? e->binary.left
		                                                          : e->binary.right;
	if (added && added->kind != OCLMM_EXPRESSION_CONSTANT)
		return syntax_refuse(sums->builder->source, &e->position,
		                     "write the number that is added",
		                     "how large a sum of %s becomes would depend on what is read",
		                     oclmm_type_name(e->type));
	if (added)
		add(sums, e->type, added->constant);
	return 0;
}

static int check_statement(void *data, const struct oclmm_statement *s);

static const struct oclmm_visitor visitor = {.expression = check_expression,
                                             .statement = check_statement};

/* The visitor comes by the body of a loop once itself. */
static int check_statement(void *data, const struct oclmm_statement *s)
{
	struct sums *sums = data;
	uint64_t rounds = sums->rounds;
	int r;

	if (s->kind != OCLMM_STATEMENT_WHILE || s->loop.unroll < 2)
		return 0;
	sums->rounds = rounds * (s->loop.unroll - 1);
	if (sums->rounds > UINT32_MAX / 1024)
		sums->rounds = UINT32_MAX / 1024;
	r = oclmm_visit_body(&visitor, s->loop.body, sums);
	sums->rounds = rounds;
	return r;
}

static int check_sums(const struct sums *sums, const struct oclmm_location *location)
{
	uint64_t greatest = oclmm_type_greatest(location->type);

	if (sums->largest[location->type] + sums->added[location->type] <= greatest)
		return 0;
	return syntax_refuse(sums->builder->source, &location->position,
	                     "take smaller numbers, or add less often",
	                     "`%s` may become larger than the numbers up to %llu, which are "
	                     "exact as %s",
	                     location->name, (unsigned long long)greatest,
	                     oclmm_type_name(location->type));
}

/* Host threads play by C11, which knows no half, and adds no floating-point numbers at once;
 * what they share with kernels has 32 bits or 64. */
static int check_host(const struct builder *builder, const struct oclmm_location *location)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			return syntax_refuse(builder->source, &location->position,
			                     "take an integer",
			                     "`%s` is a %s, and P%u a thread of the host",
			                     location->name, oclmm_type_name(location->type),
			                     program->threads[i].id);
	return 0;
}

int build_check_floats(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	struct sums sums = {.builder = builder, .rounds = 1};
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (uint32_t k = 0; k < thread->register_count; k++)
			note(&sums, thread->registers[k].type, thread->registers[k].initial);
		r = oclmm_visit_body(&visitor, thread->body, &sums);
	}
	for (uint32_t i = 0; i < program->location_count; i++)
		for (uint32_t k = 0;
		     program->locations[i].initial && k < program->locations[i].elements; k++)
			note(&sums, program->locations[i].type, program->locations[i].initial[k]);
	for (uint32_t i = 0; r == 0 && i < program->location_count; i++) {
		bool floating = oclmm_type_is_floating(program->locations[i].type);

		if (floating || oclmm_type_is_narrow(program->locations[i].type))
			r = check_host(builder, &program->locations[i]);
		if (r == 0 && floating)
			r = check_sums(&sums, &program->locations[i]);
	}
	return r;
}

/* Comparisons, `!`, && and ||, and sums: what does not round. */
int build_check_floating(struct builder *builder, const struct tree_expression *tree,
                         struct oclmm_expression *left, struct oclmm_expression *right)
{
	bool any = oclmm_type_is_floating(left->type) ||
	           (right && oclmm_type_is_floating(right->type));
	bool sum = tree->op == OCLMM_OPERATOR_ADD || tree->op == OCLMM_OPERATOR_SUB;
	enum oclmm_type type;

	if (!any || tree->op == OCLMM_OPERATOR_NOT || tree->op == OCLMM_OPERATOR_LOGICAL_AND ||
	    tree->op == OCLMM_OPERATOR_LOGICAL_OR)
		return 0;
	if (!sum && !oclmm_operator_is_truth(tree->op))
		return REFUSE(builder, tree->at, "they are added, subtracted and compared",
		              "`%s` of floating-point numbers is outside the format",
		              oclmm_operator_spelling(tree->op));
	/* a constant takes the type of the other side */
	type = left->kind == OCLMM_EXPRESSION_CONSTANT ? right->type : left->type;
	if (build_check_fits(builder, build_first_word(tree->left), left, type) ||
	    build_check_fits(builder, build_first_word(tree->right), right, type))
		return -EINVAL;
	return 0;
}
