// SPDX-License-Identifier: Apache-2.0
/*
 * Functions that threads call. A call is replaced by the function's statements, before the
 * statement that it stands in; its variables become registers of the thread, its pointers the
 * objects that they point to.
 */
#include "expression.h"

#include <errno.h>
#include <string.h>

/* ---- heads ---- */

static int check_parameter(const struct builder *builder, const struct tree_function *function,
                           const struct tree_parameter *parameter)
{
	const struct tree_parameter *before = function->parameters;
	const struct syntax_token *is_const;
	struct build_type type;
	enum oclmm_type integer;
	enum build_word word;

	for (; before != parameter; before = before->next) {
		if (strcmp(before->name->text, parameter->name->text) == 0)
			return REFUSE(builder, parameter->name, NULL,
			              "two parameters are called `%s`", parameter->name->text);
	}
	if (parameter->by_value && oclmm_find_word_type(parameter->specifiers, &word))
		return oclmm_check_shared(builder, parameter->name);
	if (parameter->by_value)
		return oclmm_read_register_type(
			builder, oclmm_without_const(builder, parameter->specifiers, &is_const),
			&integer);
	if (oclmm_read_object_type(builder, parameter->specifiers, &type))
		return -EINVAL;
	if (!type.type_at)
		return REFUSE(builder, parameter->name, "write `global atomic_int *x`, say",
		              "the parameter `%s` has no type", parameter->name->text);
	if (type.svm_at)
		return REFUSE(builder, type.svm_at, NULL, "`%s` stands in the init block",
		              type.svm_at->text);
	if (type.space == OCLMM_SPACE_IMAGE)
		return REFUSE(builder, parameter->name, "only threads use images",
		              "the parameter `%s` is an image", parameter->name->text);
	/* a device compiles it, called or not */
	if (builder->shared && !type.space_given)
		builder->shared->generic_pointers = true;
	return 0;
}

static int check_function(const struct builder *builder, const struct tree_function *function)
{
	const struct construct *construct = oclmm_find_construct(builder, function->name->text);
	const struct tree_parameter *parameter = function->parameters;
	enum oclmm_type type;
	uint32_t number;

	if (construct && construct != &oclmm_functions)
		return REFUSE(builder, function->name, "choose another name",
		              "`%s` is a function of OpenCL C", function->name->text);
	if (oclmm_thread_number(function->name->text, &number))
		return REFUSE(builder, function->name,
		              "a thread has no type: `P0@wg 0, dev 0 (...) { ... }`",
		              "`%s` is the name of a thread", function->name->text);
	if (oclmm_find_function(builder, function->name->text) != function)
		return REFUSE(builder, function->name, NULL, "two functions are called `%s`",
		              function->name->text);
	if (function->specifiers && oclmm_read_register_type(builder, function->specifiers, &type))
		return -EINVAL;
	for (; parameter; parameter = parameter->next)
		if (check_parameter(builder, function, parameter))
			return -EINVAL;
	return 0;
}

static int check_functions(struct builder *builder)
{
	const struct tree_function *function = builder->tree->functions;

	for (; function; function = function->next)
		if (check_function(builder, function))
			return -EINVAL;
	return 0;
}

/* ---- arguments ---- */

static int build_argument(struct builder *builder, const struct tree_expression *tree,
                          const struct tree_parameter *parameter, struct build_name *name,
                          struct oclmm_expression **ret_value)
{
	const struct syntax_token *is_const;
	enum build_word word;

	name->name = parameter->name;
	if (!parameter->by_value)
		return oclmm_bind_pointer(builder, tree, parameter->specifiers, name);
	if (oclmm_find_word_type(parameter->specifiers, &word)) {
		/* flags that are not known are a number */
		if (word != BUILD_WORD_FLAGS || !oclmm_are_flags_value(builder, tree))
			return oclmm_read_word(builder, tree, word, name);
		(void)oclmm_without_const(builder, parameter->specifiers, &is_const);
		name->kind = BUILD_REGISTER;
		name->type.type = OCLMM_TYPE_UINT;
		name->is_const = is_const != NULL;
		return oclmm_read_flags_value(builder, tree, ret_value);
	}
	if (oclmm_read_register_type(builder,
	                             oclmm_without_const(builder, parameter->specifiers, &is_const),
	                             &name->type.type))
		return -EINVAL;
	name->kind = BUILD_REGISTER;
	name->is_const = is_const != NULL;
	return oclmm_read_value(builder, tree, name->type.type, ret_value);
}

struct arguments {
	struct build_name *names;
	struct oclmm_expression **values; /* NULL for pointers */
	uint32_t count;
};

/* All are evaluated before the function, and among each other in no order. */
static int build_arguments(struct builder *builder, const struct tree_expression *call,
                           const struct tree_function *function, struct arguments *arguments)
{
	const struct tree_expression *tree = call->arguments;
	const struct tree_parameter *parameter = function->parameters;
	struct build_full *full = builder->full;
	const struct build_used outer = full->used;
	struct build_used all = {0};
	unsigned calls = full->calls, found = 0;
	int result = 0;

	full->calls = 0;
	for (; tree && parameter && !result; tree = tree->next, parameter = parameter->next) {
		uint32_t i = arguments->count++;

		full->used = (struct build_used){0};
		result = build_argument(builder, tree, parameter, &arguments->names[i],
		                        &arguments->values[i]);
		found += !result && oclmm_has_access(arguments->values[i]);
		oclmm_add_used(&full->used, arguments->values[i]);
		oclmm_add_used(&full->used, arguments->names[i].place.index);
		if (!result)
			result = oclmm_check_used(builder, call->at, &all, &full->used);
	}
	if (!result && (tree || parameter))
		result = REFUSE(builder, call->at, NULL, "`%s` takes %s", call->at->text,
		                parameter ? "more arguments" : "fewer arguments");
	if (!result && found + full->calls > 1)
		result = REFUSE(builder, call->at, oclmm_assign_first,
		                "the arguments of `%s` are evaluated in no order", call->at->text);
	full->calls = calls;
	full->used = outer;
	return result ? result : oclmm_check_used(builder, call->at, &full->used, &all);
}

/* ---- the call ---- */

/* As in C, the innermost declaration counts. */
static bool is_hidden(const struct builder *builder, const char *name)
{
	if (oclmm_find_name(builder, name))
		return true;
	return !builder->call &&
	       (oclmm_find_object(builder, name) >= 0 || oclmm_find_register(builder, name) >= 0);
}

static int check_call(const struct builder *builder, const struct syntax_token *at,
                      const struct tree_function *function)
{
	const struct build_call *outer = builder->call;

	if (at < function->name)
		return REFUSE(builder, at, "move the function up: C reads from the top",
		              "`%s` is called before it is declared", at->text);
	if (is_hidden(builder, at->text))
		return REFUSE(builder, at, "choose another name for one of them",
		              "`%s` is a variable or a parameter here, which hides the function",
		              at->text);
	while (outer && outer->function != function)
		outer = outer->outer;
	if (outer)
		return REFUSE(builder, at, NULL, "`%s` calls itself, which OpenCL C does not have",
		              at->text);
	if (!builder->full)
		return REFUSE(
			builder, at, oclmm_assign_first,
			"`%s` is called where the call may be skipped, or made more than once",
			at->text);
	if (builder->full->calls++)
		return REFUSE(builder, at, oclmm_assign_first,
		              "two calls in one expression have no order");
	return 0;
}

static void emit(struct build_full *full, struct oclmm_statement *first)
{
	*full->last = first;
	while (*full->last)
		full->last = &(*full->last)->next;
}

/* Declares the parameters and assigns the values of those that are integers. A known value of a
 * `const` one needs no register. */
static int enter(struct builder *builder, struct build_full *full, struct arguments *arguments)
{
	for (uint32_t i = 0; i < arguments->count; i++) {
		struct build_name *name = &arguments->names[i];
		uint32_t reg;
		int64_t known;

		if (name->kind == BUILD_OBJECT || name->kind == BUILD_WORD) {
			name->outer = builder->names;
			builder->names = name;
			continue;
		}
		if (name->is_const && oclmm_constant_value(arguments->values[i], &known)) {
			if (oclmm_declare_const(builder, name->name, name->type.type, known))
				return -EINVAL;
			continue;
		}
		if (oclmm_declare_register(builder, name->name, name->type.type, &reg))
			return -EINVAL;
		if (name->is_const)
			builder->constants |= UINT64_C(1) << reg;
		emit(full, oclmm_make_assign(builder, name->name, reg, arguments->values[i]));
	}
	return 0;
}

static int run(struct builder *builder, const struct tree_function *function,
               struct arguments *arguments, uint32_t *ret_result)
{
	struct build_call call = {.function = function, .outer = builder->call};
	struct build_full *full = builder->full;
	struct oclmm_statement *first = NULL;
	enum oclmm_type type;

	builder->call = &call;
	builder->names = NULL;
	builder->block = NULL;
	if (function->specifiers &&
	    (oclmm_read_register_type(builder, function->specifiers, &type) ||
	     oclmm_declare_register(builder, function->name, type, &call.result)))
		return -EINVAL;
	/* the function does not know the register of its result by name */
	builder->names = NULL;
	if (enter(builder, full, arguments) ||
	    oclmm_read_body(builder, function->name, function->body, &first))
		return -EINVAL;
	emit(full, first);
	*ret_result = call.result;
	return 0;
}

static int build_inline(struct builder *builder, const struct tree_expression *call,
                        struct oclmm_expression **ret_value)
{
	const struct tree_function *function = oclmm_find_function(builder, call->at->text);
	const struct builder before = *builder;
	struct arguments arguments = {
		.names = OCLMM_NEW_ARRAY(builder->arena, struct build_name,
	                                 call->argument_count + 1),
		.values = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_expression *,
	                                  call->argument_count + 1),
	};
	uint32_t reg = 0;

	/* functions that call others twice double with each */
	if (builder->inlined++ == SYNTAX_MAX_CALLS)
		return REFUSE(builder, call->at, "a call is replaced by what the function does",
		              "P%u calls functions more than %d times", builder->thread->id,
		              SYNTAX_MAX_CALLS);
	if (check_call(builder, call->at, function) ||
	    build_arguments(builder, call, function, &arguments) ||
	    run(builder, function, &arguments, &reg))
		return -EINVAL;
	builder->call = before.call;
	builder->names = before.names;
	builder->block = before.block;
	builder->full = before.full;
	*ret_value = function->specifiers ? oclmm_make_register(builder, call->at, reg) : NULL;
	return 0;
}

static bool is_function(const struct builder *builder, const char *name)
{
	return oclmm_find_function(builder, name) != NULL;
}

static struct oclmm_expression *build_call(struct builder *builder,
                                           const struct tree_expression *call)
{
	struct oclmm_expression *value = NULL;

	if (build_inline(builder, call, &value))
		return NULL;
	if (!value)
		REFUSE(builder, call->at, NULL, "`%s` gives no value", call->at->text);
	return value;
}

/* The statements of the function replace this one. */
static int build_call_alone(struct builder *builder, const struct tree_statement *tree,
                            struct oclmm_statement **ret_first)
{
	struct oclmm_expression *value;

	(void)ret_first;
	return build_inline(builder, tree->expression, &value);
}

const struct construct oclmm_functions = {.declare = check_functions,
                                          .has = is_function,
                                          .value = build_call,
                                          .statement = build_call_alone};
