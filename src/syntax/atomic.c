// SPDX-License-Identifier: Apache-2.0
/* Atomic functions, C:6.15.12.7, and those of OpenCL 1.x, C:6.15.12.8. */
#include "expression.h"

#include <errno.h>
#include <string.h>

/** A function by name: what it does and how many arguments it takes. */
struct function {
	enum oclmm_operation op;
	bool legacy;
	bool is_explicit;
	bool by_one; /**< atomic_inc, atomic_dec */
	uint32_t least, most;
};

static const struct {
	const char *stem; /* after `atomic_` or `atom_` */
	enum oclmm_operation op;
	uint32_t arguments;
	bool by_one;
} legacy_functions[] = {
	{"add", OCLMM_OP_FETCH_ADD, 2, false}, {"sub", OCLMM_OP_FETCH_SUB, 2, false},
	{"xchg", OCLMM_OP_EXCHANGE, 2, false}, {"inc", OCLMM_OP_FETCH_ADD, 1, true},
	{"dec", OCLMM_OP_FETCH_SUB, 1, true},  {"cmpxchg", OCLMM_OP_CAS_STRONG, 3, false},
	{"min", OCLMM_OP_FETCH_MIN, 2, false}, {"max", OCLMM_OP_FETCH_MAX, 2, false},
	{"and", OCLMM_OP_FETCH_AND, 2, false}, {"or", OCLMM_OP_FETCH_OR, 2, false},
	{"xor", OCLMM_OP_FETCH_XOR, 2, false},
};

static bool has_operand(enum oclmm_operation op)
{
	return op != OCLMM_OP_LOAD && op != OCLMM_OP_FLAG_TEST_AND_SET && op != OCLMM_OP_FLAG_CLEAR;
}

/* The operation whose stem these letters are, or OCLMM_OP_COUNT. */
static unsigned find_stem(const char *name, size_t length)
{
	unsigned op;

	for (op = 0; op < OCLMM_OP_COUNT; op++) {
		const char *stem = oclmm_operation_stem((enum oclmm_operation)op);

		/* all stems begin with `atomic_` */
		if (stem[7] == name[7] && strncmp(stem, name, length) == 0 && !stem[length])
			break;
	}
	return op;
}

static bool find_modern(const char *name, struct function *ret_function)
{
	static const char suffix[] = "_explicit";
	const size_t tail = sizeof(suffix) - 1;
	size_t length = strlen(name);
	bool is_explicit = length > tail && strcmp(name + length - tail, suffix) == 0;
	struct function function = {.is_explicit = is_explicit};
	bool cas;

	if (strncmp(name, "atomic_", 7) != 0)
		return false;
	function.op = find_stem(name, is_explicit ? length - tail : length);
	if (function.op == OCLMM_OP_COUNT || (is_explicit && function.op == OCLMM_OP_INIT))
		return false;
	cas = oclmm_operation_is_cas(function.op);
	function.least = cas ? 3 : has_operand(function.op) ? 2 : 1;
	if (is_explicit)
		function.least += cas ? 2 : 1;
	function.most = function.least + is_explicit;
	*ret_function = function;
	return true;
}

static bool find_legacy(const char *name, struct function *ret_function)
{
	const char *stem = strncmp(name, "atomic_", 7) == 0 ? name + 7
	                   : strncmp(name, "atom_", 5) == 0 ? name + 5
	                                                    : NULL;

	for (size_t i = 0; stem && i < OCLMM_COUNT(legacy_functions); i++) {
		if (strcmp(legacy_functions[i].stem, stem) != 0)
			continue;
		*ret_function = (struct function){
			.op = legacy_functions[i].op,
			.legacy = true,
			.by_one = legacy_functions[i].by_one,
			.least = legacy_functions[i].arguments,
			.most = legacy_functions[i].arguments,
		};
		return true;
	}
	return false;
}

static bool find_function(const char *name, struct function *ret_function)
{
	return find_modern(name, ret_function) || find_legacy(name, ret_function);
}

static size_t list_names(struct oclmm_arena *arena, const char **names)
{
	size_t count = 0;

	for (unsigned op = 0; op < OCLMM_OP_COUNT; op++) {
		const char *stem = oclmm_operation_stem((enum oclmm_operation)op);

		names[count++] = stem;
		if (op != OCLMM_OP_INIT)
			names[count++] = oclmm_arena_printf(arena, "%s_explicit", stem);
	}
	for (size_t i = 0; i < OCLMM_COUNT(legacy_functions); i++) {
		const char *stem = legacy_functions[i].stem;

		names[count++] = oclmm_arena_printf(arena, "atomic_%s", stem);
		names[count++] = oclmm_arena_printf(arena, "atom_%s", stem);
	}
	return count;
}

/* How a call of the function looks, with all that it takes. */
static const char *call_of(const struct builder *builder, const char *name,
                           const struct function *function)
{
	bool cas = oclmm_operation_is_cas(function->op);
	const char *values = cas && function->legacy                          ? ", e, v"
	                     : cas                                            ? ", &e, v"
	                     : function->by_one || !has_operand(function->op) ? ""
	                                                                      : ", v";
	const char *orders = !function->is_explicit ? ""
	                     : cas                  ? ", success, failure, scope"
	                                            : ", order, scope";

	return oclmm_arena_printf(builder->arena, "write `%s(x%s%s)`", name, values, orders);
}

static int check_arguments(const struct builder *builder, const struct tree_expression *call,
                           const struct function *function)
{
	const char *name = call->at->text, *note;

	if (call->argument_count >= function->least && call->argument_count <= function->most)
		return 0;
	note = call_of(builder, name, function);
	if (function->least == function->most)
		return REFUSE(builder, call->at, note, "`%s` takes %u argument%s, not %u", name,
		              function->least, function->least == 1 ? "" : "s",
		              call->argument_count);
	return REFUSE(builder, call->at, note, "`%s` takes %u or %u arguments, not %u", name,
	              function->least, function->most, call->argument_count);
}

/* ---- the object ---- */

/*
 * Those of OpenCL 1.x: `atomic_` names take 32 bits (C:6.15.12.8), and `atomic_xchg` a float; for
 * 64 bits there are the `atom_` names of cl_khr_int64_base_atomics and
 * cl_khr_int64_extended_atomics. None takes a generic pointer.
 */
static int check_legacy(const struct builder *builder, const struct syntax_token *at,
                        const char *name, enum oclmm_type type)
{
	bool atom = strncmp(name, "atom_", 5) == 0;

	if (!atom && oclmm_type_bits(type) == 64)
		return REFUSE(builder, at,
		              oclmm_arena_printf(builder->arena,
		                                 "for 64 bits there is `atom_%s`, of "
		                                 "cl_khr_int64_base_atomics and "
		                                 "cl_khr_int64_extended_atomics",
		                                 name + 7),
		              "there is no `%s` that takes a %s", name, oclmm_type_name(type));
	if (atom && oclmm_type_is_floating(type))
		return REFUSE(builder, at, "there is `atomic_xchg` for a float",
		              "there is no `%s` that takes a %s", name, oclmm_type_name(type));
	return 0;
}

/* C:6.15.12.7.5, cl_ext_float_atomics; of OpenCL 1.x C:6.15.12.8. */
static int check_floating(const struct builder *builder, const struct syntax_token *at,
                          const struct function *function, enum oclmm_type type)
{
	if (function->legacy && (function->op != OCLMM_OP_EXCHANGE || type != OCLMM_TYPE_FLOAT))
		return REFUSE(builder, at, "of the OpenCL 1.x functions atomic_xchg takes a float",
		              "this function takes no %s", oclmm_type_name(type));
	/* cl_ext_float_atomics has loads, stores, exchanges, sums and minima of them */
	if (oclmm_operation_is_cas(function->op) && type == OCLMM_TYPE_HALF)
		return REFUSE(builder, at, "take a float",
		              "there is no compare-exchange of a half");
	if (!oclmm_operation_takes_floats(function->op))
		return REFUSE(builder, at, "add, sub, min and max take one",
		              "this function takes no %s", oclmm_type_name(type));
	return 0;
}

static int check_object(const struct builder *builder, const struct tree_expression *tree,
                        const char *name, const struct function *function,
                        const struct oclmm_place *place)
{
	const struct syntax_token *at = oclmm_first_word(tree);
	struct build_type pointer = oclmm_pointer_type(builder, tree);
	struct oclmm_location *location = &builder->program->locations[place->location];
	bool flag = function->op == OCLMM_OP_FLAG_TEST_AND_SET ||
	            function->op == OCLMM_OP_FLAG_CLEAR;

	if (flag && location->type != OCLMM_TYPE_FLAG)
		return REFUSE(builder, at, "declare it `global atomic_flag *`, say",
		              "the atomic_flag functions take an `atomic_flag *`");
	if (!flag && location->type == OCLMM_TYPE_FLAG)
		return REFUSE(builder, at, "use atomic_flag_test_and_set or atomic_flag_clear",
		              "an atomic_flag takes only the atomic_flag functions");
	if (oclmm_type_is_floating(location->type) &&
	    check_floating(builder, at, function, location->type))
		return -EINVAL;
	if (oclmm_type_is_narrow(location->type))
		return REFUSE(builder, at, "take an int", "no atomic function takes a %s",
		              oclmm_type_name(location->type));
	if (!function->legacy) {
		/* a device is given such a text as it stands */
		if (builder->shared && !pointer.atomic && !flag)
			return REFUSE(builder, at, "declare it `local atomic_int *`, say",
			              "`%s` takes a pointer to an atomic object", name);
		location->atomic = true;
		return 0;
	}
	if (builder->thread->placement.host)
		return REFUSE(builder, at, NULL,
		              "the OpenCL 1.x functions do not exist on the host");
	if (check_legacy(builder, at, name, location->type))
		return -EINVAL;
	if (!pointer.space_given)
		return REFUSE(
			builder, at,
			"declare it `global` or `local`, or call atomic_fetch_add and its like",
			"the OpenCL 1.x functions take no generic pointer");
	if (pointer.atomic)
		return REFUSE(
			builder, at,
			"declare it `volatile global int *`, or call atomic_fetch_add and its like",
			"the OpenCL 1.x functions take a pointer to a plain integer");
	return 0;
}

static int build_expected(struct builder *builder, const struct tree_expression *tree,
                          struct oclmm_comparand *comparand, enum oclmm_type type)
{
	const struct syntax_token *at = oclmm_first_word(tree);
	enum oclmm_type found;
	int reg;

	if (tree->kind == TREE_ADDRESS && oclmm_find_array(builder, tree->left)) {
		if (oclmm_read_element(builder, tree->left, oclmm_find_array(builder, tree->left),
		                       &comparand->reg))
			return -EINVAL;
		comparand->kind = OCLMM_COMPARAND_REGISTER;
		found = builder->thread->registers[comparand->reg].type;
	} else if (tree->kind == TREE_ADDRESS && tree->left->kind == TREE_NAME) {
		if (oclmm_check_shared(builder, tree->at))
			return -EINVAL;
		reg = oclmm_find_register(builder, tree->left->at->text);
		if (oclmm_find_counter(builder, tree->left->at->text))
			return REFUSE(builder, tree->left->at, "take a register of its own",
			              "`%s` counts the rounds of the loop, which is unrolled",
			              tree->left->at->text);
		if (reg < 0)
			return oclmm_refuse_register(builder, tree->left->at);
		if (builder->constants & UINT64_C(1) << reg)
			return REFUSE(builder, tree->left->at, NULL, "`%s` is const",
			              tree->left->at->text);
		comparand->kind = OCLMM_COMPARAND_REGISTER;
		comparand->reg = (uint32_t)reg;
		found = builder->thread->registers[reg].type;
	} else {
		int result;

		bool is_register = tree->kind == TREE_NAME &&
		                   oclmm_find_register(builder, tree->at->text) >= 0;

		if (is_register || tree->kind == TREE_NUMBER)
			return REFUSE(builder, at,
			              is_register ? "write `&` before it"
			                          : "declare a register for it, `int e = 0;`, and "
			                            "write `&e`",
			              "the expected value is passed by pointer");
		result = oclmm_read_pointer(builder, tree, &comparand->place);
		if (result)
			return result;
		/* it is read, and written where the comparison fails */
		if (oclmm_has_access(comparand->place.index))
			return REFUSE(builder, at, "read the index into a register first",
			              "the index of the expected value reads memory");
		comparand->kind = OCLMM_COMPARAND_MEMORY;
		found = builder->program->locations[comparand->place.location].type;
	}
	if (found != type)
		return REFUSE(builder, at, NULL, "the expected value is %s, the object is %s",
		              oclmm_type_name(found), oclmm_type_name(type));
	return 0;
}

/* ---- orders ---- */

static int check_order(const struct builder *builder, const struct syntax_token *at,
                       enum oclmm_operation op, enum oclmm_order order)
{
	enum oclmm_ordered ordered = oclmm_operation_ordered(op);
	bool load = ordered == OCLMM_ORDERED_LOAD;

	if (oclmm_order_fits(ordered, order))
		return 0;
	return REFUSE(builder, at,
	              load ? "loads are relaxed, acquire or seq_cst"
	                   : "stores are relaxed, release or seq_cst",
	              "`%s` is not an order of a %s", oclmm_order_spelling(order),
	              load ? "load" : "store");
}

static int check_failure(const struct builder *builder, const struct syntax_token *at,
                         enum oclmm_order success, enum oclmm_order failure)
{
	if (!oclmm_order_fits(OCLMM_ORDERED_LOAD, failure))
		return REFUSE(builder, at,
		              "a failed compare-exchange only loads: relaxed, acquire or seq_cst",
		              "`%s` is not an order of a failure", oclmm_order_spelling(failure));
	if (failure == OCLMM_ORDER_ACQUIRE && success == OCLMM_ORDER_RELEASE)
		return REFUSE(
			builder, at,
			"write memory_order_acq_rel for success, or memory_order_relaxed for "
			"failure",
			"whether acquire on failure may go with release on success is disputed");
	if (!oclmm_order_leq(failure, success))
		return REFUSE(builder, at, NULL,
		              "the order of a failure must not be stronger than that of success");
	return 0;
}

/* Orders and scope: the arguments that are left after object and values. */
static int build_orders(struct builder *builder, const struct tree_expression *argument,
                        struct oclmm_atomic *atomic)
{
	bool host = builder->thread->placement.host;
	const struct tree_expression *second = argument ? argument->next : NULL;

	atomic->order = OCLMM_ORDER_SEQ_CST;
	atomic->failure = oclmm_operation_is_cas(atomic->op) ? OCLMM_ORDER_SEQ_CST
	                                                     : OCLMM_ORDER_NONE;
	atomic->scope = host ? OCLMM_SCOPE_ALL_SVM_DEVICES : OCLMM_SCOPE_DEVICE;
	if (!argument)
		return 0;
	atomic->order_written = true;
	if (oclmm_read_order(builder, argument, &atomic->order) ||
	    check_order(builder, oclmm_first_word(argument), atomic->op, atomic->order))
		return -EINVAL;
	if (oclmm_operation_is_cas(atomic->op)) {
		if (oclmm_read_order(builder, second, &atomic->failure) ||
		    check_failure(builder, oclmm_first_word(second), atomic->order,
		                  atomic->failure))
			return -EINVAL;
		second = second->next;
	}
	if (!second)
		return 0;
	atomic->scope_written = true;
	if (oclmm_read_scope(builder, second, &atomic->scope))
		return -EINVAL;
	if (host && atomic->scope != OCLMM_SCOPE_ALL_SVM_DEVICES)
		return REFUSE(builder, oclmm_first_word(second),
		              "leave the scope out: C11 functions have none",
		              "atomic operations of the host have the scope "
		              "memory_scope_all_svm_devices");
	return 0;
}

/* ---- the call ---- */

static struct oclmm_expression *
build_operand(struct builder *builder, const struct tree_expression *tree, enum oclmm_type type)
{
	struct oclmm_expression *operand = oclmm_read_expression(builder, tree);

	if (operand && oclmm_check_fits(builder, oclmm_first_word(tree), operand, type))
		return NULL;
	return operand;
}

/* Object, expected value, operand. On success `*argument` is the first that is left. */
static int build_values(struct builder *builder, const struct function *function,
                        struct oclmm_atomic *atomic, const struct syntax_token *at,
                        const struct tree_expression **argument)
{
	const struct tree_expression *tree = *argument;
	enum oclmm_type type;

	if (oclmm_read_pointer(builder, tree, &atomic->object) ||
	    check_object(builder, tree, at->text, function, &atomic->object))
		return -EINVAL;
	type = builder->program->locations[atomic->object.location].type;
	tree = tree->next;
	if (oclmm_operation_is_cas(function->op)) {
		if (function->legacy) {
			atomic->comparand.kind = OCLMM_COMPARAND_VALUE;
			atomic->comparand.value = build_operand(builder, tree, type);
			if (!atomic->comparand.value)
				return -EINVAL;
		} else if (build_expected(builder, tree, &atomic->comparand, type)) {
			return -EINVAL;
		}
		tree = tree->next;
	}
	if (function->by_one) {
		atomic->operand = oclmm_make_known(builder, at, OCLMM_TYPE_INT, 1);
	} else if (has_operand(function->op)) {
		atomic->operand = build_operand(builder, tree, type);
		if (!atomic->operand)
			return -EINVAL;
		tree = tree->next;
	}
	*argument = tree;
	return 0;
}

static enum oclmm_type result_type(const struct builder *builder, const struct oclmm_atomic *atomic)
{
	if (atomic->op == OCLMM_OP_FLAG_TEST_AND_SET)
		return OCLMM_TYPE_INT;
	if (oclmm_operation_is_cas(atomic->op) && !atomic->legacy)
		return OCLMM_TYPE_INT;
	if (!oclmm_operation_reads(atomic->op))
		return OCLMM_TYPE_INT;
	return builder->program->locations[atomic->object.location].type;
}

/* Dartagnan knows neither the 1.x functions, nor min and max, nor flags, nor atomic_init. */
static bool is_shared(const struct function *function)
{
	if (function->op == OCLMM_OP_FETCH_MIN || function->op == OCLMM_OP_FETCH_MAX)
		return false;
	return !function->legacy && function->op < OCLMM_OP_FLAG_TEST_AND_SET;
}

static struct oclmm_expression *build_call(struct builder *builder,
                                           const struct tree_expression *call)
{
	struct oclmm_expression *expression;
	struct oclmm_atomic *atomic = OCLMM_NEW(builder->arena, struct oclmm_atomic);
	const struct tree_expression *argument = call->arguments;
	struct function function;

	find_function(call->at->text, &function);
	if (!is_shared(&function) && oclmm_check_shared(builder, call->at))
		return NULL;
	if (check_arguments(builder, call, &function))
		return NULL;
	atomic->op = function.op;
	atomic->legacy = function.legacy;
	atomic->spelling = oclmm_arena_strdup(builder->arena, call->at->text);
	atomic->written = oclmm_written(builder, call->at);
	if (build_values(builder, &function, atomic, call->at, &argument))
		return NULL;
	if (function.legacy) {
		atomic->order = OCLMM_ORDER_RELAXED;
		atomic->failure = oclmm_operation_is_cas(function.op) ? OCLMM_ORDER_RELAXED
		                                                      : OCLMM_ORDER_NONE;
		atomic->scope = OCLMM_SCOPE_WORK_GROUP;
	} else if (function.op != OCLMM_OP_INIT && build_orders(builder, argument, atomic)) {
		return NULL;
	}
	expression = oclmm_make_node(builder, OCLMM_EXPRESSION_ATOMIC, result_type(builder, atomic),
	                             call->at);
	expression->atomic = atomic;
	return expression;
}

static struct oclmm_expression *build_value(struct builder *builder,
                                            const struct tree_expression *call)
{
	struct oclmm_expression *expression = build_call(builder, call);

	if (!expression || oclmm_operation_reads(expression->atomic->op))
		return expression;
	REFUSE(builder, call->at, NULL, "`%s` gives no value", call->at->text);
	return NULL;
}

static int build_statement(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_statement)
{
	struct oclmm_expression *effect = build_call(builder, tree->expression);

	if (!effect)
		return -EINVAL;
	*ret_statement = oclmm_make_statement(builder, OCLMM_STATEMENT_EVALUATE,
	                                      tree->expression->at);
	(*ret_statement)->effect = effect;
	return 0;
}

static bool is_atomic(const struct builder *builder, const char *name)
{
	struct function function;

	(void)builder;
	return find_function(name, &function);
}

const struct construct oclmm_atomics = {
	.has = is_atomic, .names = list_names, .value = build_value, .statement = build_statement};
