// SPDX-License-Identifier: Apache-2.0
#include "expression.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- what C evaluates in no order ------------------------------------------ */

/* Parts of an expression that C evaluates in no order. The model tries every order of accesses to
 * memory. Registers are no events: two orders that give a register different values are refused.
 */

const char oclmm_assign_first[] = "assign its value to a register first: `int r0 = f(...);`";

/* ---- accesses beside a call ---- */

static int is_access(void *data, const struct oclmm_expression *e)
{
	(void)data;
	return e->kind == OCLMM_EXPRESSION_LOAD || e->kind == OCLMM_EXPRESSION_ATOMIC;
}

static const struct oclmm_visitor accesses = {.expression = is_access};

bool oclmm_has_access(const struct oclmm_expression *e)
{
	return e && oclmm_visit_expression(&accesses, e, NULL) != 0;
}

/* An atomic function or a read accesses memory itself only after its operands. */
static bool has_access_inside(struct oclmm_expression *e)
{
	struct oclmm_parts parts;

	if (!is_access(NULL, e))
		return oclmm_has_access(e);
	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++) {
		if (oclmm_has_access(*parts.expressions[i]))
			return true;
	}
	return false;
}

int oclmm_check_full(const struct builder *builder, const struct syntax_token *at,
                     const struct oclmm_statement *statement)
{
	struct oclmm_parts parts;
	bool found = false;

	/* a store evaluates index and value before it writes */
	oclmm_statement_parts((struct oclmm_statement *)statement, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		found = found ||
		        (parts.expression_count > 1 ? oclmm_has_access(*parts.expressions[i])
		                                    : has_access_inside(*parts.expressions[i]));
	return found ? REFUSE(builder, at, oclmm_assign_first,
	                      "the call and the access beside it have no order")
	             : 0;
}

/* ---- registers that a compare-exchange sets ---- */

static int add_used(void *data, const struct oclmm_expression *e)
{
	struct build_used *used = data;

	if (e->kind == OCLMM_EXPRESSION_REGISTER)
		used->read |= UINT64_C(1) << e->reg;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		used->written |= UINT64_C(1) << e->atomic->comparand.reg;
	return 0;
}

void oclmm_add_used(struct build_used *used, const struct oclmm_expression *e)
{
	static const struct oclmm_visitor visitor = {.expression = add_used};

	if (e)
		oclmm_visit_expression(&visitor, e, used);
}

int oclmm_check_used(const struct builder *builder, const struct syntax_token *at,
                     struct build_used *all, const struct build_used *more)
{
	uint64_t clash = (all->written & (more->read | more->written)) |
	                 (more->written & all->read);
	uint32_t reg = 0;

	all->read |= more->read;
	all->written |= more->written;
	if (!clash)
		return 0;
	while (!(clash >> reg & 1))
		reg++;
	return REFUSE(builder, at, "write a statement of its own for what sets it",
	              "`%s` is used beside what may set it, in no order",
	              builder->thread->registers[reg].name);
}

static int check_parts(const struct builder *builder, const struct syntax_token *at,
                       const struct oclmm_parts *parts)
{
	struct build_used all = {0};
	int result = 0;

	for (unsigned i = 0; i < parts->expression_count && !result; i++) {
		struct build_used more = {0};

		oclmm_add_used(&more, *parts->expressions[i]);
		result = oclmm_check_used(builder, at, &all, &more);
	}
	return result;
}

struct checking {
	const struct builder *builder;
	const struct syntax_token *at;
};

static int check_node(void *data, const struct oclmm_expression *e)
{
	const struct checking *checking = data;
	struct oclmm_parts parts;

	/* the left side of these comes first */
	if (e->kind == OCLMM_EXPRESSION_BINARY && (e->binary.op == OCLMM_OPERATOR_LOGICAL_AND ||
	                                           e->binary.op == OCLMM_OPERATOR_LOGICAL_OR))
		return 0;
	oclmm_expression_parts((struct oclmm_expression *)e, &parts);
	return check_parts(checking->builder, checking->at, &parts);
}

int oclmm_check_registers(const struct builder *builder, const struct syntax_token *at,
                          struct build_used calls, const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.expression = check_node};
	struct checking checking = {.builder = builder, .at = at};
	struct build_used own = {0};
	struct oclmm_parts parts;
	int result = oclmm_visit_statement(&visitor, statement, &checking);

	oclmm_statement_parts((struct oclmm_statement *)statement, &parts);
	if (!result)
		result = check_parts(builder, at, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		oclmm_add_used(&own, *parts.expressions[i]);
	return result ? result : oclmm_check_used(builder, at, &calls, &own);
}

/* Expressions: values, the objects that pointers lead to, operators, casts, `?` and calls. */

/* ---- parts of a program ---- */

const struct syntax_token *oclmm_first_word(const struct tree_expression *tree)
{
	while (tree->kind == TREE_BINARY || tree->kind == TREE_INDEX || tree->kind == TREE_MEMBER ||
	       tree->kind == TREE_CHOICE || tree->kind == TREE_ASSIGNED)
		tree = tree->left;
	return tree->at;
}

struct oclmm_expression *oclmm_make_node(struct builder *builder, enum oclmm_expression_kind kind,
                                         enum oclmm_type type, const struct syntax_token *at)
{
	return OCLMM_MAKE(builder->arena, struct oclmm_expression, .kind = kind, .type = type,
	                  .position = at->place);
}

struct oclmm_expression *oclmm_make_known(struct builder *builder, const struct syntax_token *at,
                                          enum oclmm_type type, int64_t value)
{
	struct oclmm_expression *constant = oclmm_make_node(builder, OCLMM_EXPRESSION_CONSTANT,
	                                                    type, at);

	constant->constant = value;
	return constant;
}

struct oclmm_expression *oclmm_make_register(struct builder *builder, const struct syntax_token *at,
                                             uint32_t reg)
{
	struct oclmm_expression *expression = oclmm_make_node(builder, OCLMM_EXPRESSION_REGISTER,
	                                                      builder->thread->registers[reg].type,
	                                                      at);

	expression->reg = reg;
	return expression;
}

struct oclmm_statement *oclmm_make_statement(struct builder *builder,
                                             enum oclmm_statement_kind kind,
                                             const struct syntax_token *at)
{
	return OCLMM_MAKE(builder->arena, struct oclmm_statement, .kind = kind,
	                  .position = at->place, .written = oclmm_written(builder, at));
}

struct oclmm_statement *oclmm_make_assign(struct builder *builder, const struct syntax_token *at,
                                          uint32_t reg, struct oclmm_expression *value)
{
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_ASSIGN,
	                                                         at);

	statement->assign = (struct oclmm_assign){.reg = reg, .value = value};
	return statement;
}

/* ---- elements of arrays and tables ---- */

/** The element of an array that `left[index]` designates, which has to be known. */
static int known_element(struct builder *builder, const struct tree_expression *tree,
                         const struct build_name *array, uint32_t *ret_element)
{
	const char *name = array->name->text;
	const struct oclmm_expression *index;
	int64_t value;

	if (tree->kind != TREE_INDEX && array->is_array)
		return REFUSE(builder, tree->at, "write an element of it, `t[0]` say",
		              "`%s` is an array", name);
	if (tree->kind == TREE_INDEX && !array->is_array)
		return REFUSE(builder, tree->left->at, NULL, "`%s` is not an array", name);
	*ret_element = 0;
	if (!array->is_array)
		return 0;
	index = oclmm_read_expression(builder, tree->right);
	if (!index)
		return -EINVAL;
	if (!oclmm_constant_value(index, &value))
		return REFUSE(builder, oclmm_first_word(tree->right),
		              "write an `if` for each element", "the index of `%s` is not constant",
		              name);
	if (value < 0 || value >= array->count)
		return REFUSE(builder, oclmm_first_word(tree->right), NULL, "`%s` has %u elements",
		              name, array->count);
	*ret_element = (uint32_t)value;
	return 0;
}

static struct oclmm_expression *build_array_value(struct builder *builder,
                                                  const struct tree_expression *tree,
                                                  const struct build_name *array)
{
	const struct syntax_token *at = oclmm_first_word(tree);
	uint32_t element = 0;

	if (known_element(builder, tree, array, &element))
		return NULL;
	if (array->kind == BUILD_ARRAY)
		return oclmm_make_register(builder, at, array->regs[element]);
	return oclmm_make_known(builder, at, array->type.type, array->values[element]);
}

int oclmm_read_element(struct builder *builder, const struct tree_expression *tree,
                       const struct build_name *array, uint32_t *ret_register)
{
	uint32_t element = 0;

	if (known_element(builder, tree, array, &element))
		return -EINVAL;
	if (array->kind == BUILD_TABLE || array->is_const)
		return REFUSE(builder, oclmm_first_word(tree), NULL, "`%s` is const",
		              array->name->text);
	*ret_register = array->regs[element];
	return 0;
}

/* ---- objects in memory ---- */

static int refuse_name(const struct builder *builder, const struct tree_expression *tree)
{
	bool array = oclmm_find_array(builder, tree) != NULL;
	const struct syntax_token *at = tree->at;
	unsigned id = builder->thread->id;

	if (oclmm_find_register(builder, at->text) >= 0)
		return REFUSE(builder, at, NULL, "`%s` is a register of P%u, not a pointer",
		              at->text, id);
	if (array)
		return REFUSE(builder, at, "write an element of it, `t[0]` say",
		              "`%s` is an array, not a pointer", at->text);
	if (builder->call)
		return REFUSE(builder, at, "a function names the objects that it uses in its head",
		              "`%s` is not a parameter of `%s`", at->text,
		              builder->call->function->name->text);
	if (oclmm_program_find_location(builder->program, at->text) >= 0)
		return REFUSE(builder, at, "a thread names the objects that it uses in its head",
		              "`%s` is not a parameter of P%u", at->text, id);
	return REFUSE(builder, at, "pointers are the parameters of the thread", "unknown name `%s`",
	              at->text);
}

static int build_pointer_name(struct builder *builder, const struct tree_expression *tree,
                              struct oclmm_place *place)
{
	const struct build_name *found;
	int location;

	if (tree->kind != TREE_NAME)
		return REFUSE(builder, oclmm_first_word(tree),
		              "write `x`, or `&a[1]` for an element",
		              "this is not a pointer to an object");
	location = oclmm_find_object(builder, tree->at->text);
	if (location < 0)
		return refuse_name(builder, tree);
	if (oclmm_location_is_image(&builder->program->locations[location]))
		return REFUSE(
			builder, tree->at,
			"write `read_imagei(x, 0).x`, `write_imagei(x, 0, (int4)(1, 0, 0, 0))`",
			"`%s` is an image, not a pointer", tree->at->text);
	found = oclmm_find_name(builder, tree->at->text);
	if (found && found->pointers)
		return REFUSE(builder, tree->at, "write an element of it, `t[0]` say",
		              "`%s` is an array of pointers", tree->at->text);
	place->location = (uint32_t)location;
	place->position = tree->at->place;
	if (found)
		place->index = found->place.index;
	return 0;
}

/* ---- pointers of pointers: by a condition, out of an array ---- */

/* The array of pointers that a name is, or NULL. */
static const struct build_name *find_pointers(const struct builder *builder,
                                              const struct tree_expression *tree)
{
	const struct build_name *found = tree->kind == TREE_NAME
	                                         ? oclmm_find_name(builder, tree->at->text)
	                                         : NULL;

	return found && found->kind == BUILD_OBJECT && found->pointers ? found : NULL;
}

/* An element of such an array, NULL after a refusal: which one is known. */
static const struct build_name *find_pointer(struct builder *builder,
                                             const struct build_name *pointers,
                                             const struct tree_expression *index)
{
	const struct syntax_token *at = oclmm_first_word(index);
	const struct oclmm_expression *value = oclmm_read_expression(builder, index);
	int64_t known;

	if (!value)
		return NULL;
	if (!oclmm_constant_value(value, &known)) {
		REFUSE(builder, at, "let an argument of the kernel, a constant or a number choose",
		       "the choice of a pointer depends on a value that is not known before "
		       "the run");
		return NULL;
	}
	if (known < 0 || known >= pointers->count) {
		REFUSE(builder, at, NULL, "`%s` has %u elements", pointers->name->text,
		       pointers->count);
		return NULL;
	}
	return &pointers->pointers[known];
}

static const struct oclmm_parameter *parameter_of(const struct builder *builder, uint32_t location)
{
	const struct oclmm_parameter *parameter = builder->thread->parameters;

	while (parameter->location != location)
		parameter++;
	return parameter;
}

struct build_type oclmm_pointer_type(const struct builder *builder,
                                     const struct tree_expression *tree)
{
	const struct oclmm_parameter *parameter;
	const struct build_name *name;
	struct build_type type, other;

	while (tree->kind != TREE_NAME && tree->kind != TREE_CHOICE)
		tree = tree->left;
	if (tree->kind == TREE_CHOICE) {
		type = oclmm_pointer_type(builder, tree->arguments);
		other = oclmm_pointer_type(builder, tree->arguments->next);
		type.space_given &= other.space_given;
		return type;
	}
	name = oclmm_find_name(builder, tree->at->text);
	if (name)
		return name->type;
	parameter = parameter_of(builder, (uint32_t)oclmm_find_object(builder, tree->at->text));
	return (struct build_type){
		.type = parameter->type,
		.atomic = parameter->atomic,
		.is_volatile = parameter->is_volatile,
		.space_given = !parameter->generic,
		.space = builder->program->locations[parameter->location].space,
	};
}

/* Both have to be pointers to one type, whichever it is. */
static int build_chosen(struct builder *builder, const struct tree_expression *tree,
                        struct oclmm_place *place)
{
	const struct tree_expression *a = tree->arguments, *b = a->next;
	struct oclmm_place first = {0}, second = {0};
	struct oclmm_expression *condition;
	const struct oclmm_location *x, *y;
	struct build_type one, other;
	bool differs;
	int64_t known;

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	condition = oclmm_read_expression(builder, tree->left);
	if (!condition || oclmm_read_pointer(builder, a, &first) ||
	    oclmm_read_pointer(builder, b, &second))
		return -EINVAL;
	x = &builder->program->locations[first.location];
	y = &builder->program->locations[second.location];
	one = oclmm_pointer_type(builder, a);
	other = oclmm_pointer_type(builder, b);
	/* C:6.7.1: a pointer without an address space may be the one or the other */
	differs = one.type != other.type || one.atomic != other.atomic;
	if (differs || (x->space != y->space && one.space_given && other.space_given))
		return REFUSE(builder, tree->at,
		              differs ? "choose between pointers of one kind"
		                      : "let a pointer without an address space lead to one of "
		                        "them: `int *p = s;`",
		              "`%s` is %s %s, and `%s` %s %s", x->name,
		              oclmm_space_spelling(x->space),
		              oclmm_type_spelling(one.type, one.atomic), y->name,
		              oclmm_space_spelling(y->space),
		              oclmm_type_spelling(other.type, other.atomic));
	if (!oclmm_constant_value(condition, &known))
		return REFUSE(builder, oclmm_first_word(tree->left),
		              "let an argument of the kernel, a constant or a number choose",
		              "the choice of a pointer depends on a value that is not known before "
		              "the run");
	*place = known ? first : second;
	return 0;
}

/* What stands before an index, or before `+`. */
static int build_base(struct builder *builder, const struct tree_expression *tree,
                      struct oclmm_place *place)
{
	const struct build_name *pointers = tree->kind == TREE_INDEX
	                                            ? find_pointers(builder, tree->left)
	                                            : NULL,
				*found;

	if (tree->kind == TREE_CHOICE)
		return build_chosen(builder, tree, place);
	if (!pointers)
		return build_pointer_name(builder, tree, place);
	found = find_pointer(builder, pointers, tree->right);
	if (!found)
		return -EINVAL;
	*place = found->place;
	return 0;
}

/* A pointer that a function was given counts elements from the one that it points to. */
static struct oclmm_expression *add_index(struct builder *builder, struct oclmm_expression *base,
                                          struct oclmm_expression *value)
{
	struct oclmm_expression *sum = OCLMM_NEW(builder->arena, struct oclmm_expression);

	sum->position = value->position;
	sum->type = oclmm_common_type(base->type, value->type);
	if (base->kind == OCLMM_EXPRESSION_CONSTANT && value->kind == OCLMM_EXPRESSION_CONSTANT) {
		sum->kind = OCLMM_EXPRESSION_CONSTANT;
		sum->constant = base->constant + value->constant;
	} else {
		sum->kind = OCLMM_EXPRESSION_BINARY;
		sum->binary = (struct oclmm_binary){OCLMM_OPERATOR_ADD, base, value};
	}
	return sum;
}

int oclmm_read_index(struct builder *builder, const struct tree_expression *tree,
                     const struct oclmm_location *location, struct oclmm_expression *base,
                     struct oclmm_expression **ret_index)
{
	const struct syntax_token *at = oclmm_first_word(tree);
	struct oclmm_expression *value = oclmm_read_expression(builder, tree);
	int64_t known;

	if (!value)
		return -EINVAL;
	if (oclmm_type_is_floating(value->type))
		return REFUSE(builder, at, NULL, "the index is a %s", oclmm_type_name(value->type));
	if (base)
		value = add_index(builder, base, value);
	/* `x[0]` is `*x`, array or not */
	if (!location->is_array && !oclmm_location_is_image(location)) {
		if (oclmm_constant_value(value, &known) && known == 0)
			return 0;
		return REFUSE(builder, at,
		              oclmm_arena_printf(builder->arena,
		                                 "what has elements is declared so in the init "
		                                 "block, `%s[2];`",
		                                 location->name),
		              "`%s` is not an array: its only index is 0", location->name);
	}
	if (value->kind != OCLMM_EXPRESSION_CONSTANT) {
		*ret_index = value;
		return 0;
	}
	if (value->constant < 0 || value->constant >= location->elements)
		return REFUSE(builder, at, NULL, "`%s` has %u elements", location->name,
		              location->elements);
	/* element 0 is what the bare pointer designates: one form for both */
	*ret_index = value->constant ? value : NULL;
	return 0;
}

/* `name[index]` or `name + index`. */
static int build_cell(struct builder *builder, const struct tree_expression *tree,
                      struct oclmm_place *place)
{
	const struct tree_expression *name = tree->left, *index = tree->right;
	const struct oclmm_location *location;

	if (build_base(builder, name, place) || oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	location = &builder->program->locations[place->location];
	return oclmm_read_index(builder, index, location, place->index, &place->index);
}

int oclmm_read_pointer(struct builder *builder, const struct tree_expression *tree,
                       struct oclmm_place *ret_place)
{
	struct oclmm_place place = {0};
	int result;

	if (tree->kind == TREE_ADDRESS)
		return oclmm_read_object(builder, tree->left, ret_place);
	if (tree->kind == TREE_BINARY && tree->op == OCLMM_OPERATOR_ADD)
		result = build_cell(builder, tree, &place);
	else
		result = build_base(builder, tree, &place);
	if (!result)
		*ret_place = place;
	return result;
}

int oclmm_read_object(struct builder *builder, const struct tree_expression *tree,
                      struct oclmm_place *ret_place)
{
	struct oclmm_place place = {0};

	if (tree->kind == TREE_DEREFERENCE)
		return oclmm_read_pointer(builder, tree->left, ret_place);
	if (tree->kind == TREE_NAME && oclmm_find_object(builder, tree->at->text) >= 0)
		return REFUSE(builder, tree->at, "write it without `&`",
		              "`%s` is a pointer already", tree->at->text);
	if (tree->kind == TREE_NAME && oclmm_find_register(builder, tree->at->text) >= 0)
		return REFUSE(builder, tree->at,
		              "pointers are to objects; a function gives back what it returns",
		              "`%s` is a register of P%u, not an object in memory", tree->at->text,
		              (unsigned)builder->thread->id);
	if (tree->kind != TREE_INDEX)
		return REFUSE(builder, oclmm_first_word(tree),
		              "write `*x`, or `a[1]` for an element",
		              "this is not an object in memory");
	if (build_cell(builder, tree, &place))
		return -EINVAL;
	place.subscripted = !place.index && tree->right->kind == TREE_NUMBER;
	*ret_place = place;
	return 0;
}

/* ---- pointers that get a name ---- */

static int check_pointer(const struct builder *builder, const struct syntax_token *at,
                         const char *name, const struct build_type *wanted,
                         const struct build_type *given)
{
	if (given->type != wanted->type || given->atomic != wanted->atomic)
		return REFUSE(builder, at, NULL, "`%s` points to %s, not to %s", name,
		              oclmm_type_spelling(wanted->type, wanted->atomic),
		              oclmm_type_spelling(given->type, given->atomic));
	if (wanted->space_given && !given->space_given)
		return REFUSE(builder, at, "write the address space in the head of the thread",
		              "`%s` points to %s memory, and this pointer is generic", name,
		              oclmm_space_spelling(wanted->space));
	if (wanted->space_given && given->space != wanted->space)
		return REFUSE(builder, at, NULL, "`%s` points to %s memory, not to %s", name,
		              oclmm_space_spelling(wanted->space),
		              oclmm_space_spelling(given->space));
	if (wanted->is_volatile != given->is_volatile)
		return REFUSE(builder, at, "write it in both heads, or in none",
		              "`%s` is %svolatile, and the argument is %s", name,
		              wanted->is_volatile ? "" : "not ",
		              wanted->is_volatile ? "not" : "so");
	return 0;
}

int oclmm_bind_pointer(struct builder *builder, const struct tree_expression *tree,
                       const struct tree_specifier *specifiers, struct build_name *name)
{
	const struct syntax_token *at = oclmm_first_word(tree), *is_const;
	struct build_type given;

	if (oclmm_read_type(builder, oclmm_without_const(builder, specifiers, &is_const),
	                    &name->type) ||
	    oclmm_read_pointer(builder, tree, &name->place))
		return -EINVAL;
	given = oclmm_pointer_type(builder, tree);
	name->kind = BUILD_OBJECT;
	if (check_pointer(builder, at, name->name->text, &name->type, &given))
		return -EINVAL;
	if (!name->type.space_given) {
		name->type.space = builder->program->locations[name->place.location].space;
		if (builder->shared)
			builder->shared->generic_pointers = true;
	}
	if (oclmm_has_access(name->place.index))
		return REFUSE(builder, at, "read the index into a register first",
		              "the index of a pointer that is passed reads memory");
	return 0;
}

/* ---- values and operators ---- */

static struct oclmm_expression *build_literal(struct builder *builder,
                                              const struct syntax_token *at, bool negative)
{
	enum oclmm_type type;
	int64_t value;

	if (oclmm_read_number(builder, at, negative, &type, &value))
		return NULL;
	return oclmm_make_known(builder, at, type, value);
}

static struct oclmm_expression *build_name(struct builder *builder, const struct syntax_token *at)
{
	const struct build_name *counter = oclmm_find_counter(builder, at->text);
	int found = oclmm_find_register(builder, at->text);

	if (counter)
		return oclmm_make_known(builder, at, counter->type.type, counter->value);
	if (found < 0) {
		int object = oclmm_find_object(builder, at->text);

		if (object >= 0 && oclmm_location_is_image(&builder->program->locations[object]))
			REFUSE(builder, at, "write `read_imagei(x, 0).x`",
			       "`%s` is an image, not a value", at->text);
		else if (object >= 0)
			REFUSE(builder, at, "write `*x` for a plain access, or an atomic function",
			       "`%s` is a pointer, not a value", at->text);
		else
			oclmm_refuse_register(builder, at);
		return NULL;
	}
	return oclmm_make_register(builder, at, (uint32_t)found);
}

static struct oclmm_expression *build_load(struct builder *builder,
                                           const struct tree_expression *tree)
{
	struct oclmm_expression *load;
	struct oclmm_place place;
	enum oclmm_type type;

	if (oclmm_read_object(builder, tree, &place))
		return NULL;
	type = builder->program->locations[place.location].type;
	if (type == OCLMM_TYPE_FLAG) {
		REFUSE(builder, oclmm_first_word(tree), "use atomic_flag_test_and_set",
		       "an atomic_flag has no value to read");
		return NULL;
	}
	load = oclmm_make_node(builder, OCLMM_EXPRESSION_LOAD, type, oclmm_first_word(tree));
	load->load = place;
	return load;
}

/* Of floating-point numbers there are the operations that do not round: comparisons, `!`, &&, ||, +
 * and -. */
static int check_floating(struct builder *builder, const struct tree_expression *tree,
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
	if (oclmm_check_fits(builder, oclmm_first_word(tree->left), left, type) ||
	    oclmm_check_fits(builder, oclmm_first_word(tree->right), right, type))
		return -EINVAL;
	return 0;
}

static struct oclmm_expression *build_unary(struct builder *builder,
                                            const struct tree_expression *tree)
{
	struct oclmm_expression *operand, *expression;

	if (tree->op == OCLMM_OPERATOR_NEGATE && tree->left->kind == TREE_NUMBER &&
	    !(builder->dartagnan && tree->left->parenthesised))
		return build_literal(builder, tree->left->at, true);
	if (tree->op != OCLMM_OPERATOR_NOT && oclmm_check_shared(builder, tree->at))
		return NULL;
	operand = oclmm_read_expression(builder, tree->left);
	if (!operand || check_floating(builder, tree, operand, NULL))
		return NULL;
	expression = oclmm_make_node(builder, OCLMM_EXPRESSION_UNARY,
	                             oclmm_operator_is_truth(tree->op)
	                                     ? OCLMM_TYPE_INT
	                                     : oclmm_common_type(operand->type, operand->type),
	                             tree->at);
	expression->unary = (struct oclmm_unary){tree->op, operand};
	return expression;
}

/* Dartagnan has no remainder and no shifts. */
static bool is_foreign(enum oclmm_operator op)
{
	return op == OCLMM_OPERATOR_REM || op == OCLMM_OPERATOR_SHL || op == OCLMM_OPERATOR_SHR;
}

/* Dartagnan binds && tighter than ==, and knows no precedence among + - & ^ |:
 * without parentheses the two readings may differ. */
static int check_precedence(const struct builder *builder, const struct tree_expression *tree)
{
	const struct tree_expression *const sides[] = {tree->left, tree->right};

	if (!builder->dartagnan)
		return 0;
	for (size_t i = 0; i < 2; i++) {
		if (sides[i]->kind == TREE_BINARY && !sides[i]->parenthesised &&
		    sides[i]->op != tree->op)
			return REFUSE(
				builder, tree->at, "put the inner operation into parentheses",
				"Dartagnan reads `%s` and `%s` side by side differently from C",
				oclmm_operator_spelling(sides[i]->op),
				oclmm_operator_spelling(tree->op));
	}
	return 0;
}

static struct oclmm_expression *build_binary(struct builder *builder,
                                             const struct tree_expression *tree)
{
	struct oclmm_expression *left, *right, *expression;
	struct build_full *full = builder->full;
	enum oclmm_type type;

	if (is_foreign(tree->op) && oclmm_check_shared(builder, tree->at))
		return NULL;
	if (check_precedence(builder, tree))
		return NULL;
	left = oclmm_read_expression(builder, tree->left);
	/* a call in what may be skipped cannot be done before the statement */
	if (tree->op == OCLMM_OPERATOR_LOGICAL_AND || tree->op == OCLMM_OPERATOR_LOGICAL_OR)
		builder->full = NULL;
	right = left ? oclmm_read_expression(builder, tree->right) : NULL;
	builder->full = full;
	if (!right)
		return NULL;
	if ((tree->op == OCLMM_OPERATOR_DIV || tree->op == OCLMM_OPERATOR_REM) &&
	    right->kind == OCLMM_EXPRESSION_CONSTANT && right->constant == 0) {
		REFUSE(builder, oclmm_first_word(tree->right), NULL, "division by zero");
		return NULL;
	}
	if (check_floating(builder, tree, left, right))
		return NULL;
	type = oclmm_operand_type(tree->op, left->type, right->type);
	expression = oclmm_make_node(builder, OCLMM_EXPRESSION_BINARY,
	                             oclmm_operator_is_truth(tree->op) ? OCLMM_TYPE_INT : type,
	                             oclmm_first_word(tree));
	expression->binary = (struct oclmm_binary){tree->op, left, right};
	return expression;
}

/* Between integers (C:6.4.2); none is needed where the type stays. */
static struct oclmm_expression *build_cast(struct builder *builder,
                                           const struct tree_expression *tree)
{
	struct build_type type;
	struct oclmm_expression *operand, *expression;

	if (oclmm_check_shared(builder, tree->at) ||
	    oclmm_read_type(builder, tree->specifiers, &type))
		return NULL;
	if (!type.type_at || type.atomic || type.space_given || type.svm_at || type.volatile_at) {
		REFUSE(builder, tree->at, "a cast is to one of" SYNTAX_INTEGERS,
		       "a cast names a type and nothing else");
		return NULL;
	}
	operand = oclmm_read_expression(builder, tree->left);
	if (!operand || operand->type == type.type)
		return operand;
	if (oclmm_type_is_floating(operand->type) || oclmm_type_is_floating(type.type)) {
		REFUSE(builder, tree->at, "casts are between integers",
		       "a conversion from %s to %s is outside the format",
		       oclmm_type_name(operand->type), oclmm_type_name(type.type));
		return NULL;
	}
	expression = oclmm_make_node(builder, OCLMM_EXPRESSION_CAST, type.type, tree->at);
	expression->cast = operand;
	return expression;
}

/* ---- `?` and assignments within an expression ---- */

/*
 * Programs have neither. As for a call, statements before the one that contains them assign the
 * value to a register. Where the condition is known, the chosen side takes their place.
 */

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
	/* what cannot precede the statement cannot precede this part of it */
	builder->full = outer ? &part->full : NULL;
	part->value = oclmm_read_expression(builder, tree);
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

/* Converts both to one type, whichever is chosen (C99 6.5.15). */
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
	struct oclmm_statement *set = oclmm_make_assign(builder, at, reg, part->value);

	if ((part->full.calls ? oclmm_check_full(builder, at, set) : 0) ||
	    oclmm_check_registers(builder, at, part->full.used, set))
		return -EINVAL;
	*part->full.last = set;
	return 0;
}

/* Adds what a part of a choice or an assignment reads and sets, and whether it accesses memory. */
static int count_part(struct builder *builder, const struct syntax_token *at,
                      const struct part *part, struct build_used *mine, bool *access)
{
	struct build_full *full = builder->full;

	mine->read |= part->full.used.read;
	mine->written |= part->full.used.written;
	oclmm_add_used(mine, part->value);
	if (!part->full.calls && !oclmm_has_access(part->value))
		return 0;
	if (full->calls && !*access)
		return REFUSE(builder, at, oclmm_assign_first, "%s", two_calls);
	*access = true;
	full->calls = 1;
	return 0;
}

static struct oclmm_expression *choose(struct builder *builder, const struct tree_expression *tree,
                                       struct part *first, bool access, struct part *a,
                                       struct part *b)
{
	struct oclmm_statement *branch = oclmm_make_statement(builder, OCLMM_STATEMENT_IF,
	                                                      tree->at);
	struct build_full *full = builder->full;
	struct build_used mine = {0};
	const char *name = "chosen";
	uint32_t reg;

	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_chosen",
		                          builder->call->function->name->text);
	if (count_part(builder, tree->at, first, &mine, &access) ||
	    count_part(builder, tree->at, a, &mine, &access) ||
	    count_part(builder, tree->at, b, &mine, &access) ||
	    oclmm_check_used(builder, tree->at, &full->used, &mine) ||
	    oclmm_add_hidden(builder, tree->at, name, 1, a->value->type, &reg) ||
	    finish_side(builder, tree->at, reg, a) || finish_side(builder, tree->at, reg, b))
		return NULL;
	branch->branch = (struct oclmm_branch){first->value, a->full.first, b->full.first};
	if (oclmm_check_registers(builder, tree->at, first->full.used, branch))
		return NULL;
	*full->last = branch;
	full->last = &branch->next;
	return oclmm_make_register(builder, tree->at, reg);
}

/* Takes the place of a choice whose condition is known. */
static struct oclmm_expression *take(struct builder *builder, const struct syntax_token *at,
                                     struct part *part)
{
	struct build_full *full = builder->full;

	if (!full || !part->full.first)
		return part->value;
	if (full->calls && part->full.calls) {
		REFUSE(builder, at, oclmm_assign_first, "%s", two_calls);
		return NULL;
	}
	full->calls += part->full.calls;
	if (oclmm_check_used(builder, at, &full->used, &part->full.used))
		return NULL;
	*full->last = part->full.first;
	full->last = part->full.last;
	return part->value;
}

static struct oclmm_expression *build_choice(struct builder *builder,
                                             const struct tree_expression *tree)
{
	struct build_full *full = builder->full;
	const struct build_used outer = full ? full->used : (struct build_used){0};
	unsigned calls = full ? full->calls : 0;
	struct part first = {0}, a, b;
	int64_t known;

	if (oclmm_check_shared(builder, tree->at))
		return NULL;
	/* the condition is evaluated before both sides, and in no order with the rest */
	if (full)
		full->used = (struct build_used){0};
	first.value = oclmm_read_expression(builder, tree->left);
	if (full) {
		first.full.used = full->used;
		full->used = outer;
	}
	if (!first.value || build_part(builder, tree->arguments, &a) ||
	    build_part(builder, tree->arguments->next, &b) || make_alike(builder, tree->at, &a, &b))
		return NULL;
	if (oclmm_constant_value(first.value, &known))
		return take(builder, tree->at, known ? &a : &b);
	if (full)
		return choose(builder, tree, &first, full->calls > calls, &a, &b);
	REFUSE(builder, tree->at, "assign it to a register first: `int r0 = r1 ? 2 : 3;`",
	       "`?` stands where it may be skipped, or evaluated more than once");
	return NULL;
}

/* The register that is assigned, or -1 after a refusal. */
static int find_target(struct builder *builder, const struct tree_expression *target)
{
	const struct syntax_token *at = oclmm_first_word(target);
	int found = target->kind == TREE_NAME ? oclmm_find_register(builder, at->text) : -1;

	if (target->kind != TREE_NAME || oclmm_find_array(builder, target) ||
	    oclmm_find_counter(builder, at->text))
		REFUSE(builder, at, "write a statement of its own before",
		       "within an expression only a register is assigned");
	else if (found < 0)
		oclmm_refuse_register(builder, at);
	else if (builder->constants >> found & 1)
		REFUSE(builder, at, NULL, "`%s` is const", at->text);
	else
		return found;
	return -1;
}

static struct oclmm_expression *build_assigned(struct builder *builder,
                                               const struct tree_expression *tree)
{
	struct build_full *full = builder->full;
	const char *name = "assigned";
	struct build_used mine = {0};
	struct part part;
	bool access = false;
	uint32_t reg;
	int target;

	if (oclmm_check_shared(builder, tree->at))
		return NULL;
	if (!full) {
		REFUSE(builder, tree->at, "write a statement of its own before",
		       "this assignment may be skipped, or done more than once");
		return NULL;
	}
	target = find_target(builder, tree->left);
	if (target < 0 || build_part(builder, tree->right, &part))
		return NULL;
	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_assigned",
		                          builder->call->function->name->text);
	/* other uses of the register in the statement have no order with this one */
	if (oclmm_check_fits(builder, oclmm_first_word(tree->right), part.value,
	                     builder->thread->registers[target].type) ||
	    count_part(builder, tree->at, &part, &mine, &access))
		return NULL;
	mine.written |= UINT64_C(1) << target;
	if (oclmm_check_used(builder, tree->at, &full->used, &mine) ||
	    oclmm_add_hidden(builder, tree->at, name, 1, builder->thread->registers[target].type,
	                     &reg) ||
	    finish_side(builder, tree->at, reg, &part))
		return NULL;
	*full->last = part.full.first;
	while (*full->last)
		full->last = &(*full->last)->next;
	*full->last = oclmm_make_assign(builder, tree->at, (uint32_t)target,
	                                oclmm_make_register(builder, tree->at, reg));
	full->last = &(*full->last)->next;
	return oclmm_make_register(builder, tree->at, reg);
}

/* ---- calls ---- */

/* What to write instead of a function, by the beginning of its name; the first row that fits
 * counts. */
static const struct {
	const char *beginning, *note;
} foreign[] = {
	{"get_local_",
         "a work-item has no numbers: `P0@wg 0, dev 0` places it; write a constant, or let "
         "work-items share a text: `kernel@wg 0..1, li 0..3 (...)`"},
	{"get_group_",
         "a work-item has no numbers: `P0@wg 0, dev 0` places it; write a constant, or let "
         "work-items share a text: `kernel@wg 0..1, li 0..3 (...)`"},
	{"get_", "each Pn is one work-item: write a constant for its number"},
	{"convert_float", "nothing but a constant is converted to floating point: write `2.0f`"},
	{"convert_", "write a cast, `(char)r0`, which keeps the lowest bits"},
	{"as_float", "the bits are a hexadecimal number: `as_float(0x7fc00001)`"},
	{"as_half", "the bits are a hexadecimal number: `as_half(0x7e01)`"},
	{"as_double", "the bits are a hexadecimal number: `as_double(0x7ff8000000000001)`"},
	{"as_", "write a cast, `(uint)r0`, which keeps the bits"},
	{"vload", "there are no vectors: write an access for each element"},
	{"vstore", "there are no vectors: write an access for each element"},
	{"atomic_fetch_inc", "write `atomic_fetch_add(x, 1)`"},
	{"atomic_fetch_dec", "write `atomic_fetch_sub(x, 1)`"},
	{"atomic_thread_fence", "write `atomic_work_item_fence(flags, order, scope)`"},
	{"atomic_add_explicit", "write `atomic_fetch_add_explicit(x, v, order, scope)`"},
	{"atomic_sub_explicit", "write `atomic_fetch_sub_explicit(x, v, order, scope)`"},
	{"atomic_xchg_explicit", "write `atomic_exchange_explicit(x, v, order, scope)`"},
	{"atomic_cmpxchg_explicit",
         "write `atomic_compare_exchange_strong_explicit(x, &e, v, order, order, scope)`"},
	/* those of CUDA have device scope, which those of OpenCL 1.x need not have */
	{"atomicAdd",
         "write `atomic_fetch_add_explicit(x, v, memory_order_relaxed, memory_scope_device)`"},
	{"atomicExch",
         "write `atomic_exchange_explicit(x, v, memory_order_relaxed, memory_scope_device)`"},
	{"atomicCAS",
         "write `atomic_compare_exchange_strong_explicit(x, &e, v, memory_order_relaxed, "
         "memory_order_relaxed, memory_scope_device)`"},
	{"__threadfence_block",
         "write `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, "
         "memory_order_seq_cst, memory_scope_work_group)`"},
	{"__threadfence_system",
         "write `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
         "memory_scope_all_svm_devices)`"},
	{"__threadfence",
         "write `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
         "memory_scope_device)`"},
	{"printf", "the registers that a condition names are reported"},
	{"prefetch", "leave it out: it changes no value and no order"},
	{"__syncthreads", "write `barrier(CLK_LOCAL_MEM_FENCE)`"},
	{"ATOMIC_", "write the value itself in the init block, `[x] = 0;`"},
	{"assert", "the final condition says what has to hold: `forall (x=1)`"},
	{"sub_group_",
         "sub_group_barrier, _any, _all, _reduce_min and _reduce_max are part of the format"},
	{"work_group_",
         "work_group_barrier, _any, _all, _reduce_min and _reduce_max are part of the format"},
};

/* Functions of OpenCL C on numbers alone. */
static const char of_numbers[] =
	" min max clamp select abs abs_diff add_sat sub_sat mul_hi mul24 mad24 mad_hi mad_sat hadd "
	"rhadd rotate clz ctz popcount upsample ";

static const char *note_of_word(const char *word)
{
	char wanted[64];

	for (size_t i = 0; i < OCLMM_COUNT(foreign); i++) {
		if (strncmp(word, foreign[i].beginning, strlen(foreign[i].beginning)) == 0)
			return foreign[i].note;
	}
	snprintf(wanted, sizeof(wanted), " %.60s ", word);
	return strstr(of_numbers, wanted)
	               ? "write one above the threads, `int least(int a, int b) { ... }`"
	               : NULL;
}

enum { MOST_FUNCTIONS = 128 };

static size_t function_names(const struct builder *builder, const char **names)
{
	size_t count = 0;

	for (const struct construct *const *one = builder->constructs; *one; one++)
		count += (*one)->names ? (*one)->names(builder->arena, names + count) : 0;
	return count;
}

static int refuse_function(const struct builder *builder, const struct syntax_token *at)
{
	const char *note = note_of_word(at->text);
	const char *words[MOST_FUNCTIONS];
	size_t count;

	if (note)
		return REFUSE(builder, at, note, "unknown function `%.60s`", at->text);
	count = function_names(builder, words);
	if (oclmm_nearest(at->text, words, count))
		return oclmm_refuse_unknown(builder, at, "unknown function ", "", words, count);
	return REFUSE(
		builder, at,
		"threads call atomic functions, fences, barriers, and functions that stand above "
		"them in the file",
		"unknown function `%.60s`", at->text);
}

const struct construct *oclmm_find_construct(const struct builder *builder, const char *name)
{
	const struct construct *const *one = builder->constructs;

	while (*one && !((*one)->has && (*one)->has(builder, name)))
		one++;
	return *one;
}

static struct oclmm_expression *build_call(struct builder *builder,
                                           const struct tree_expression *tree)
{
	const struct construct *construct = oclmm_find_construct(builder, tree->at->text);

	if (construct && construct->value)
		return construct->value(builder, tree);
	refuse_function(builder, tree->at);
	return NULL;
}

static struct oclmm_expression *build_member(struct builder *builder,
                                             const struct tree_expression *tree)
{
	const struct construct *const *one = builder->constructs;

	while (!(*one)->member)
		one++;
	return (*one)->member(builder, tree);
}

struct oclmm_expression *oclmm_read_expression(struct builder *builder,
                                               const struct tree_expression *tree)
{
	const struct build_name *array;

	switch (tree->kind) {
	case TREE_NUMBER: return build_literal(builder, tree->at, false);
	case TREE_NAME:
		array = oclmm_find_array(builder, tree);
		return array ? build_array_value(builder, tree, array)
		             : build_name(builder, tree->at);
	case TREE_CALL: return build_call(builder, tree);
	case TREE_INDEX:
		array = oclmm_find_array(builder, tree);
		return array ? build_array_value(builder, tree, array) : build_load(builder, tree);
	case TREE_DEREFERENCE: return build_load(builder, tree);
	case TREE_CAST: return build_cast(builder, tree);
	case TREE_MEMBER: return build_member(builder, tree);
	case TREE_VECTOR:
		REFUSE(builder, tree->at, NULL, "only write_imagei takes a vector");
		return NULL;
	case TREE_UNARY: return build_unary(builder, tree);
	case TREE_BINARY: return build_binary(builder, tree);
	case TREE_CHOICE: return build_choice(builder, tree);
	case TREE_ASSIGNED: return build_assigned(builder, tree);
	case TREE_CHILD:
		REFUSE(builder, tree->at, NULL, "a block stands in enqueue_kernel alone");
		return NULL;
	case TREE_ADDRESS: break;
	}
	REFUSE(builder, tree->at, NULL, "an address is no value here");
	return NULL;
}

int oclmm_read_value(struct builder *builder, const struct tree_expression *tree,
                     enum oclmm_type type, struct oclmm_expression **ret_value)
{
	struct oclmm_expression *value = oclmm_read_expression(builder, tree);

	if (!value || oclmm_check_fits(builder, oclmm_first_word(tree), value, type))
		return -EINVAL;
	*ret_value = value;
	return 0;
}
