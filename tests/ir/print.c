// SPDX-License-Identifier: Apache-2.0
/* Programs built by hand, and the text that a reader of the litmus format
 * expects of them. tests/syntax reads such texts back. */
#include "oclmm/ir.h"

#include <setjmp.h>

#include <cmocka.h>

static struct oclmm_arena *arena;

static struct oclmm_expression *new_expression(enum oclmm_expression_kind kind)
{
	struct oclmm_expression *expression = OCLMM_NEW(arena, struct oclmm_expression);

	expression->kind = kind;
	return expression;
}

static struct oclmm_expression *number(enum oclmm_type type, int64_t value)
{
	struct oclmm_expression *expression = new_expression(OCLMM_EXPRESSION_CONSTANT);

	expression->type = type;
	expression->constant = value;
	return expression;
}

static struct oclmm_expression *integer(int64_t value)
{
	return number(OCLMM_TYPE_INT, value);
}

static struct oclmm_expression *reg(uint32_t index)
{
	struct oclmm_expression *expression = new_expression(OCLMM_EXPRESSION_REGISTER);

	expression->reg = index;
	return expression;
}

static struct oclmm_expression *load(uint32_t location, struct oclmm_expression *index)
{
	struct oclmm_expression *expression = new_expression(OCLMM_EXPRESSION_LOAD);

	expression->load = (struct oclmm_place){.location = location, .index = index};
	return expression;
}

static struct oclmm_expression *unary(enum oclmm_operator op, struct oclmm_expression *operand)
{
	struct oclmm_expression *expression = new_expression(OCLMM_EXPRESSION_UNARY);

	expression->unary = (struct oclmm_unary){op, operand};
	return expression;
}

static struct oclmm_expression *binary(struct oclmm_expression *left, enum oclmm_operator op,
                                       struct oclmm_expression *right)
{
	struct oclmm_expression *expression = new_expression(OCLMM_EXPRESSION_BINARY);

	expression->binary = (struct oclmm_binary){op, left, right};
	return expression;
}

static struct oclmm_expression *atomic(const struct oclmm_atomic *call)
{
	struct oclmm_expression *expression = new_expression(OCLMM_EXPRESSION_ATOMIC);

	expression->atomic = oclmm_arena_copy(arena, call, sizeof(*call));
	return expression;
}

static struct oclmm_statement *statement(enum oclmm_statement_kind kind)
{
	struct oclmm_statement *made = OCLMM_NEW(arena, struct oclmm_statement);

	made->kind = kind;
	return made;
}

static struct oclmm_statement *assign(uint32_t target, struct oclmm_expression *expression)
{
	struct oclmm_statement *made = statement(OCLMM_STATEMENT_ASSIGN);

	made->assign = (struct oclmm_assign){.reg = target, .value = expression};
	return made;
}

static struct oclmm_statement *loop(struct oclmm_expression *condition,
                                    struct oclmm_statement *body, uint32_t unroll)
{
	struct oclmm_statement *made = statement(OCLMM_STATEMENT_WHILE);

	made->loop = (struct oclmm_loop){.condition = condition, .body = body, .unroll = unroll};
	return made;
}

static struct oclmm_statement *then(struct oclmm_statement *first, struct oclmm_statement *next)
{
	first->next = next;
	return first;
}

static int set_up(void **state)
{
	(void)state;
	arena = oclmm_arena_create();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	oclmm_arena_destroy(arena);
	return 0;
}

/* The vocabulary of all tests: locations x (0), a (1), registers r0, r1. */
static struct oclmm_register registers[] = {
	{.name = "r0", .type = OCLMM_TYPE_INT},
	{.name = "r1", .type = OCLMM_TYPE_UINT},
};
static struct oclmm_thread plain_threads[] = {{.registers = registers, .register_count = 2}};
static struct oclmm_location plain_locations[] = {{.name = "x", .elements = 1},
                                                  {.name = "a", .elements = 4, .is_array = true}};
static const struct oclmm_program plain = {
	.threads = plain_threads,
	.thread_count = 1,
	.locations = plain_locations,
	.location_count = 2,
};

static void assert_statement(const struct oclmm_statement *made, const char *expected)
{
	struct oclmm_text text = {0};

	oclmm_statement_print(&text, &plain, 0, made);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

static void assert_expression(struct oclmm_expression *expression, const char *expected)
{
	const struct oclmm_statement made = {.kind = OCLMM_STATEMENT_EVALUATE,
	                                     .effect = expression};

	assert_statement(&made, oclmm_arena_printf(arena, "%s;", expected));
}

static void constants_keep_their_type(void **state)
{
	(void)state;
	assert_expression(integer(-7), "-7");
	assert_expression(number(OCLMM_TYPE_UINT, 7), "7u");
	assert_expression(number(OCLMM_TYPE_LONG, 7), "7l");
	assert_expression(number(OCLMM_TYPE_LONG, INT64_C(1) << 40), "1099511627776");
	assert_expression(number(OCLMM_TYPE_ULONG, -1), "18446744073709551615ul");
}

static void operators_are_parenthesised(void **state)
{
	struct oclmm_expression *sum = binary(reg(0), OCLMM_OPERATOR_ADD, integer(1));

	(void)state;
	assert_expression(sum, "r0 + 1");
	assert_expression(binary(sum, OCLMM_OPERATOR_ADD, reg(1)), "r0 + 1 + r1");
	assert_expression(binary(reg(1), OCLMM_OPERATOR_ADD, sum), "r1 + (r0 + 1)");
	assert_expression(binary(sum, OCLMM_OPERATOR_EQ, integer(-2)), "(r0 + 1) == (-2)");
	assert_expression(binary(reg(0), OCLMM_OPERATOR_SUB, unary(OCLMM_OPERATOR_NEGATE, reg(1))),
	                  "r0 - (-r1)");
	assert_expression(unary(OCLMM_OPERATOR_NEGATE, unary(OCLMM_OPERATOR_NEGATE, reg(0))),
	                  "-(-r0)");
	assert_expression(unary(OCLMM_OPERATOR_NEGATE, integer(-1)), "-(-1)");
	assert_expression(unary(OCLMM_OPERATOR_NOT,
	                        binary(reg(0), OCLMM_OPERATOR_LOGICAL_AND, reg(1))),
	                  "!(r0 && r1)");
	assert_expression(binary(load(0, NULL), OCLMM_OPERATOR_MUL, load(1, sum)),
	                  "*x * a[r0 + 1]");
}

static void atomics_print_what_was_written(void **state)
{
	struct oclmm_atomic call = {
		.op = OCLMM_OP_LOAD,
		.spelling = "atomic_load",
		.order = OCLMM_ORDER_SEQ_CST,
		.scope = OCLMM_SCOPE_DEVICE,
	};

	(void)state;
	assert_expression(atomic(&call), "atomic_load(x)");
	call.order_written = true;
	call.spelling = "atomic_load_explicit";
	assert_expression(atomic(&call), "atomic_load_explicit(x, memory_order_seq_cst)");
	call.scope_written = true;
	call.object = (struct oclmm_place){.location = 1, .index = integer(2)};
	call.op = OCLMM_OP_FETCH_ADD;
	call.spelling = "atomic_fetch_add_explicit";
	call.operand = reg(1);
	assert_expression(atomic(&call),
	                  "atomic_fetch_add_explicit(&a[2], r1, memory_order_seq_cst, "
	                  "memory_scope_device)");
}

static void compare_exchanges(void **state)
{
	struct oclmm_atomic call = {
		.op = OCLMM_OP_CAS_STRONG,
		.spelling = "atomic_compare_exchange_strong_explicit",
		.comparand = {.kind = OCLMM_COMPARAND_REGISTER, .reg = 1},
		.operand = integer(5),
		.order = OCLMM_ORDER_ACQ_REL,
		.failure = OCLMM_ORDER_RELAXED,
		.scope = OCLMM_SCOPE_WORK_GROUP,
		.order_written = true,
		.scope_written = true,
	};

	(void)state;
	assert_expression(
		atomic(&call),
		"atomic_compare_exchange_strong_explicit(x, &r1, 5, memory_order_acq_rel, "
		"memory_order_relaxed, memory_scope_work_group)");
	call.comparand = (struct oclmm_comparand){.kind = OCLMM_COMPARAND_MEMORY,
	                                          .place = {.location = 1}};
	call.order_written = call.scope_written = false;
	assert_expression(atomic(&call), "atomic_compare_exchange_strong_explicit(x, a, 5)");
	call.legacy = true;
	call.comparand = (struct oclmm_comparand){.kind = OCLMM_COMPARAND_VALUE,
	                                          .value = integer(0)};
	call.spelling = "atomic_cmpxchg";
	assert_expression(atomic(&call), "atomic_cmpxchg(x, 0, 5)");
}

static void legacy_steps_have_no_operand(void **state)
{
	struct oclmm_atomic call = {
		.op = OCLMM_OP_FETCH_ADD,
		.legacy = true,
		.spelling = "atomic_inc",
		.operand = integer(1),
		.order = OCLMM_ORDER_RELAXED,
		.scope = OCLMM_SCOPE_WORK_GROUP,
	};

	(void)state;
	assert_expression(atomic(&call), "atomic_inc(x)");
	call.spelling = "atom_dec";
	assert_expression(atomic(&call), "atom_dec(x)");
	call.spelling = "atomic_add";
	assert_expression(atomic(&call), "atomic_add(x, 1)");
}

static void statements_fit_a_line(void **state)
{
	struct oclmm_statement *fence = statement(OCLMM_STATEMENT_FENCE);
	struct oclmm_statement *barrier = statement(OCLMM_STATEMENT_BARRIER);
	struct oclmm_statement *store = statement(OCLMM_STATEMENT_STORE);
	struct oclmm_statement *branch = statement(OCLMM_STATEMENT_IF);

	(void)state;
	assert_statement(assign(0, load(0, NULL)), "r0 = *x;");
	store->store.place = (struct oclmm_place){.location = 1, .index = integer(3)};
	store->store.value = integer(1);
	assert_statement(store, "a[3] = 1;");
	fence->fence = (struct oclmm_fence){.spelling = "atomic_work_item_fence",
	                                    .flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL,
	                                    .order = OCLMM_ORDER_RELEASE,
	                                    .scope = OCLMM_SCOPE_DEVICE,
	                                    .scope_written = true};
	assert_statement(fence,
	                 "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, "
	                 "memory_order_release, memory_scope_device);");
	barrier->barrier = (struct oclmm_barrier){.spelling = "barrier",
	                                          .flags = OCLMM_FLAG_LOCAL,
	                                          .label = "B1"};
	assert_statement(barrier, "B1: barrier(CLK_LOCAL_MEM_FENCE);");
	barrier->barrier = (struct oclmm_barrier){.spelling = "barrier"};
	assert_statement(barrier, "barrier(0);");
	/* of those with bodies, the head */
	branch->branch = (struct oclmm_branch){reg(0), store, assign(1, integer(0))};
	assert_statement(branch, "if (r0)");
	assert_statement(loop(reg(0), store, 1), "while (r0)");
}

static void assert_program(const struct oclmm_program *program, const char *expected)
{
	struct oclmm_text text = {0};

	oclmm_program_print(&text, program);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

static struct oclmm_condition compare(uint32_t observable, int64_t constant)
{
	return (struct oclmm_condition){
		.kind = OCLMM_CONDITION_COMPARE,
		.op = OCLMM_OPERATOR_EQ,
		.a = {.observable = observable},
		.b = {.is_constant = true, .constant = constant},
	};
}

/* Everything that a program can have besides its statements. */
static const char whole[] =
	"OPENCL all.order=rlx\n"
	"\n"
	"unroll 3\n"
	"\n"
	"{\n"
	"[x] = 0;\n"
	"[f] = 0;\n"
	"svm s[2] = {0, -1};\n"
	"uint [u] = 4294967295;\n"
	"int 0:r2 = -4;\n"
	"}\n"
	"\n"
	"P0@sg 1, wg 2, dev 0 (volatile global atomic_int *x, local atomic_flag *f) {\n"
	"  long r1;\n"
	"  uint r3;\n"
	"  int r0 = 1;\n"
	"  if (r2) {\n"
	"    r1 = 1;\n"
	"  } else {\n"
	"    while (r0) {\n"
	"      r0 = 0;\n"
	"    }\n"
	"  }\n"
	"  r1 = r0;\n"
	"}\n"
	"\n"
	"P2@host (atomic_int *s) {\n"
	"}\n"
	"\n"
	"filter (s[1]=0)\n"
	"~exists (0:r0=1)\n";

/* What its roles share, and have of their own. */
static int64_t zero[] = {0}, pair[] = {0, -1}, large[] = {UINT32_MAX};
static struct oclmm_location locations[] = {
	{.name = "x", .atomic = true, .elements = 1, .initial = zero},
	{.name = "f",
         .type = OCLMM_TYPE_FLAG,
         .atomic = true,
         .elements = 1,
         .initial = zero,
         .space = OCLMM_SPACE_LOCAL,
         .storage = OCLMM_STORAGE_LOCAL},
	{.name = "s",
         .atomic = true,
         .elements = 2,
         .is_array = true,
         .initial = pair,
         .storage = OCLMM_STORAGE_SVM_ATOMICS},
	{.name = "u", .type = OCLMM_TYPE_UINT, .elements = 1, .initial = large},
};
static struct oclmm_parameter p0[] = {
	{.location = 0, .atomic = true, .is_volatile = true},
	{.location = 1, .type = OCLMM_TYPE_FLAG, .atomic = true},
};
static struct oclmm_parameter p2[] = {{.location = 2, .atomic = true, .generic = true}};
static struct oclmm_register of_p0[] = {
	{.name = "r0"},                          /* declared where it is assigned */
	{.name = "r1", .type = OCLMM_TYPE_LONG}, /* first assigned in a branch */
	{.name = "r2", .has_initial = true, .initial = -4},
	{.name = "r3", .type = OCLMM_TYPE_UINT}, /* never assigned */
};

static void a_whole_program(void **state)
{
	struct oclmm_statement *branch = statement(OCLMM_STATEMENT_IF);
	struct oclmm_thread threads[] = {
		{.id = 0,
	         .placement = {.sub_group_given = true, .sub_group = 1, .work_group = 2},
	         .parameters = p0,
	         .parameter_count = 2,
	         .registers = of_p0,
	         .register_count = 4},
		{.id = 2, .placement = {.host = true}, .parameters = p2, .parameter_count = 1},
	};
	struct oclmm_observable observed[] = {
		{.is_register = true, .name = "0:r0"},
		{.location = 2, .element = 1, .name = "s[1]"},
	};
	struct oclmm_condition filter = compare(1, 0), final = compare(0, 1);
	struct oclmm_program program = {
		.name = "all.order=rlx",
		.locations = locations,
		.location_count = 4,
		.threads = threads,
		.thread_count = 2,
		.observables = observed,
		.observable_count = 2,
		.quantifier = OCLMM_QUANTIFIER_NOT_EXISTS,
		.condition = &final,
		.filter = &filter,
	};

	(void)state;
	branch->branch = (struct oclmm_branch){reg(2), assign(1, integer(1)),
	                                       loop(reg(0), assign(0, integer(0)), 3)};
	threads[0].body = then(assign(0, integer(1)), then(branch, assign(1, reg(0))));
	assert_program(&program, whole);
}

/* The order of the tuple must be found again by a reader of the text. */
static void locations_tell_the_order(void **state)
{
	struct oclmm_observable observed[] = {{.is_register = true, .name = "0:r0"},
	                                      {.is_register = true, .name = "1:r0"}};
	struct oclmm_condition x = compare(0, 1), y = compare(1, 2);
	struct oclmm_condition both = {.kind = OCLMM_CONDITION_AND, .left = &x, .right = &y};
	struct oclmm_program program = {
		.name = "n",
		.observables = observed,
		.observable_count = 2,
		.condition = &both,
		.quantifier = OCLMM_QUANTIFIER_FORALL,
	};

	(void)state;
	assert_program(&program, "OPENCL n\n\n{\n}\n\nforall (0:r0=1 /\\ 1:r0=2)\n");
	both.left = &y;
	both.right = &x;
	assert_program(&program,
	               "OPENCL n\n\n{\n}\n\nlocations [0:r0; 1:r0;]\nforall (1:r0=2 /\\ 0:r0=1)\n");
	program.condition = &x;
	assert_program(&program, "OPENCL n\n\n{\n}\n\nlocations [0:r0; 1:r0;]\nforall (0:r0=1)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(constants_keep_their_type, set_up, tear_down),
		cmocka_unit_test_setup_teardown(operators_are_parenthesised, set_up, tear_down),
		cmocka_unit_test_setup_teardown(atomics_print_what_was_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(compare_exchanges, set_up, tear_down),
		cmocka_unit_test_setup_teardown(legacy_steps_have_no_operand, set_up, tear_down),
		cmocka_unit_test_setup_teardown(statements_fit_a_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_whole_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(locations_tell_the_order, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
