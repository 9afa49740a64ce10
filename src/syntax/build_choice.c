// SPDX-License-Identifier: Apache-2.0
/*
 * `condition ? a : b`. Programs have none: an `if` before the statement, as of a function that is
 * called in it, gives the value to a register. Where the condition is known, it is the value.
 */
#include "build.h"

#include <errno.h>

static const char two_calls[] = "two calls or `?` in one expression have no order";

/* An expression, and what has to be done before it. */
struct part {
	struct oclmm_expression *value;
	struct build_full full;
};

static int build_part(struct builder *builder, const struct tree_expression *tree,
                      struct part *part)
{
	struct build_full *outer = builder->full;

	part->full = (struct build_full){.last = &part->full.first};
	/* what cannot be done before the statement cannot be done within it */
	builder->full = outer ? &part->full : NULL;
	part->value = build_expression(builder, tree);
	builder->full = outer;
	return part->value ? 0 : -EINVAL;
}

static struct oclmm_expression *convert(struct builder *builder, struct oclmm_expression *value,
                                        enum oclmm_type type)
{
	struct oclmm_expression *cast;

	if (value->type == type)
		return value;
	cast = OCLMM_NEW(builder->arena, struct oclmm_expression);
	cast->kind = OCLMM_EXPRESSION_CAST;
	cast->type = type;
	cast->position = value->position;
	cast->cast = value;
	return cast;
}

/* Both become of one type, whichever is taken (C99 6.5.15). */
static int make_alike(struct builder *builder, const struct syntax_token *at, struct part *a,
                      struct part *b)
{
	enum oclmm_type type = a->value->type;

	if (oclmm_type_is_floating(type) || oclmm_type_is_floating(b->value->type))
		return type == b->value->type
		               ? 0
		               : REFUSE(builder, at, "write both of one type: `2.0f`",
		                        "one value is %s, and the other %s", oclmm_type_name(type),
		                        oclmm_type_name(b->value->type));
	type = oclmm_common_type(type, b->value->type);
	a->value = convert(builder, a->value, type);
	b->value = convert(builder, b->value, type);
	return 0;
}

/* The statements of one side, with the assignment as their last. */
static int finish_side(struct builder *builder, const struct syntax_token *at, uint32_t reg,
                       struct part *part)
{
	struct oclmm_statement *set = build_assign(builder, at, reg, part->value);
	int result = part->full.calls ? build_check_full(builder, at, set) : 0;

	if (!result)
		result = build_check_registers(builder, at, part->full.used, set);
	*part->full.last = set;
	return result;
}

/* What it reads and sets, and whether it accesses memory, beside the rest of the statement. */
static int count(struct builder *builder, const struct syntax_token *at, const struct part *part,
                 bool *access)
{
	struct build_full *full = builder->full;
	struct build_used used = part->full.used;

	build_add_used(&used, part->value);
	full->used.read |= used.read;
	full->used.written |= used.written;
	if (!part->full.calls && !build_has_access(part->value))
		return 0;
	if (full->calls && !*access)
		return REFUSE(builder, at, build_assign_first, "%s", two_calls);
	*access = true;
	full->calls = 1;
	return 0;
}

static struct oclmm_expression *choose(struct builder *builder, const struct tree_expression *tree,
                                       struct oclmm_expression *condition, bool access,
                                       struct part *a, struct part *b)
{
	struct oclmm_statement *branch = build_bare(builder, OCLMM_STATEMENT_IF, tree->at);
	const struct part first = {.value = condition};
	struct build_full *full = builder->full;
	const char *name = "chosen";
	uint32_t reg;

	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_chosen",
		                          builder->call->function->name->text);
	if (count(builder, tree->at, &first, &access) || count(builder, tree->at, a, &access) ||
	    count(builder, tree->at, b, &access) ||
	    build_add_local(builder, tree->at, name, 1, a->value->type, &reg) ||
	    finish_side(builder, tree->at, reg, a) || finish_side(builder, tree->at, reg, b))
		return NULL;
	branch->branch = (struct oclmm_branch){condition, a->full.first, b->full.first};
	if (build_check_registers(builder, tree->at, (struct build_used){0}, branch))
		return NULL;
	*full->last = branch;
	full->last = &branch->next;
	return build_register_value(builder, tree->at, reg);
}

/* It stands there as if the rest did not. */
static struct oclmm_expression *take(struct builder *builder, const struct syntax_token *at,
                                     struct part *part)
{
	struct build_full *full = builder->full;

	if (!full || !part->full.first)
		return part->value;
	if (full->calls && part->full.calls) {
		REFUSE(builder, at, build_assign_first, "%s", two_calls);
		return NULL;
	}
	full->calls += part->full.calls;
	full->used.read |= part->full.used.read;
	full->used.written |= part->full.used.written;
	*full->last = part->full.first;
	full->last = part->full.last;
	return part->value;
}

struct oclmm_expression *build_choice(struct builder *builder, const struct tree_expression *tree)
{
	const struct build_full *full = builder->full;
	unsigned calls = full ? full->calls : 0;
	struct oclmm_expression *condition;
	struct part a, b;
	int64_t known;

	if (build_extension(builder, tree->at))
		return NULL;
	condition = build_expression(builder, tree->left);
	if (!condition || build_part(builder, tree->arguments, &a) ||
	    build_part(builder, tree->arguments->next, &b) || make_alike(builder, tree->at, &a, &b))
		return NULL;
	if (build_constant_value(condition, &known))
		return take(builder, tree->at, known ? &a : &b);
	if (!full) {
		REFUSE(builder, tree->at, "assign it to a register first: `int r0 = r1 ? 2 : 3;`",
		       "`?` stands where it may be evaluated not at all, or again");
		return NULL;
	}
	/* a call in the condition comes before both sides */
	return choose(builder, tree, condition, full->calls > calls, &a, &b);
}
