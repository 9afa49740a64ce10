// SPDX-License-Identifier: Apache-2.0
/*
 * `condition ? a : b`, and `(r0 = a)`. Programs have neither: statements before the one that they
 * stand in, as of a function that is called in it, give the value to a register. Where a condition
 * is known, it is the value.
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

/* What it reads and sets, and whether it accesses memory, of a choice or an assignment. */
static int count(struct builder *builder, const struct syntax_token *at, const struct part *part,
                 struct build_used *mine, bool *access)
{
	struct build_full *full = builder->full;

	mine->read |= part->full.used.read;
	mine->written |= part->full.used.written;
	build_add_used(mine, part->value);
	if (!part->full.calls && !build_has_access(part->value))
		return 0;
	if (full->calls && !*access)
		return REFUSE(builder, at, build_assign_first, "%s", two_calls);
	*access = true;
	full->calls = 1;
	return 0;
}

static struct oclmm_expression *choose(struct builder *builder, const struct tree_expression *tree,
                                       struct part *first, bool access, struct part *a,
                                       struct part *b)
{
	struct oclmm_statement *branch = build_bare(builder, OCLMM_STATEMENT_IF, tree->at);
	struct build_full *full = builder->full;
	struct build_used mine = {0};
	const char *name = "chosen";
	uint32_t reg;

	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_chosen",
		                          builder->call->function->name->text);
	if (count(builder, tree->at, first, &mine, &access) ||
	    count(builder, tree->at, a, &mine, &access) ||
	    count(builder, tree->at, b, &mine, &access) ||
	    build_check_used(builder, tree->at, &full->used, &mine) ||
	    build_add_local(builder, tree->at, name, 1, a->value->type, &reg) ||
	    finish_side(builder, tree->at, reg, a) || finish_side(builder, tree->at, reg, b))
		return NULL;
	branch->branch = (struct oclmm_branch){first->value, a->full.first, b->full.first};
	if (build_check_registers(builder, tree->at, first->full.used, branch))
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
	if (build_check_used(builder, at, &full->used, &part->full.used))
		return NULL;
	*full->last = part->full.first;
	full->last = part->full.last;
	return part->value;
}

struct oclmm_expression *build_choice(struct builder *builder, const struct tree_expression *tree)
{
	struct build_full *full = builder->full;
	const struct build_used outer = full ? full->used : (struct build_used){0};
	unsigned calls = full ? full->calls : 0;
	struct part first = {0}, a, b;
	int64_t known;

	if (build_extension(builder, tree->at))
		return NULL;
	/* what the condition does comes before both sides, and beside the rest of the statement */
	if (full)
		full->used = (struct build_used){0};
	first.value = build_expression(builder, tree->left);
	if (full) {
		first.full.used = full->used;
		full->used = outer;
	}
	if (!first.value || build_part(builder, tree->arguments, &a) ||
	    build_part(builder, tree->arguments->next, &b) || make_alike(builder, tree->at, &a, &b))
		return NULL;
	if (build_constant_value(first.value, &known))
		return take(builder, tree->at, known ? &a : &b);
	if (full)
		return choose(builder, tree, &first, full->calls > calls, &a, &b);
	REFUSE(builder, tree->at, "assign it to a register first: `int r0 = r1 ? 2 : 3;`",
	       "`?` stands where it may be evaluated not at all, or again");
	return NULL;
}

/* The register that is assigned, or -1 after a refusal. */
static int find_target(struct builder *builder, const struct tree_expression *target)
{
	const struct syntax_token *at = build_first_word(target);
	int found = target->kind == TREE_NAME ? build_register(builder, at->text) : -1;

	if (target->kind != TREE_NAME || build_find_array(builder, target) ||
	    build_find_counter(builder, at->text))
		REFUSE(builder, at, "write a statement of its own before",
		       "within an expression only a register is assigned");
	else if (found < 0)
		build_no_register(builder, at);
	else if (builder->constants >> found & 1)
		REFUSE(builder, at, NULL, "`%s` is const", at->text);
	else
		return found;
	return -1;
}

struct oclmm_expression *build_assigned(struct builder *builder, const struct tree_expression *tree)
{
	struct build_full *full = builder->full;
	const char *name = "assigned";
	struct build_used mine = {0};
	struct part part;
	bool access = false;
	uint32_t reg;
	int target;

	if (build_extension(builder, tree->at))
		return NULL;
	if (!full) {
		REFUSE(builder, tree->at, "write a statement of its own before",
		       "this assignment may be done not at all, or again");
		return NULL;
	}
	target = find_target(builder, tree->left);
	if (target < 0 || build_part(builder, tree->right, &part))
		return NULL;
	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_assigned",
		                          builder->call->function->name->text);
	/* the value is that of the register, whose other uses beside it have no order */
	if (build_check_fits(builder, build_first_word(tree->right), part.value,
	                     builder->thread->registers[target].type) ||
	    count(builder, tree->at, &part, &mine, &access))
		return NULL;
	mine.written |= UINT64_C(1) << target;
	if (build_check_used(builder, tree->at, &full->used, &mine) ||
	    build_add_local(builder, tree->at, name, 1, builder->thread->registers[target].type,
	                    &reg) ||
	    finish_side(builder, tree->at, reg, &part))
		return NULL;
	*full->last = part.full.first;
	while (*full->last)
		full->last = &(*full->last)->next;
	*full->last = build_assign(builder, tree->at, (uint32_t)target,
	                           build_register_value(builder, tree->at, reg));
	full->last = &(*full->last)->next;
	return build_register_value(builder, tree->at, reg);
}
