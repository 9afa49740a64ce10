// SPDX-License-Identifier: Apache-2.0
/* Numbers: literals and their types, what becomes of them in another type, expressions whose value
 * is known, and the sums of floating-point numbers. */
#include "scope.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- literals ---- */

struct suffix {
	bool is_unsigned, is_long;
};

static bool parse_suffix(const char *text, struct suffix *ret_suffix)
{
	struct suffix suffix = {0};

	for (; *text; text++) {
		bool *flag = tolower((unsigned char)*text) == 'u' ? &suffix.is_unsigned
		                                                  : &suffix.is_long;

		if (*flag)
			return false;
		*flag = true;
	}
	*ret_suffix = suffix;
	return true;
}

/* The first type of C's list that holds the number (C99 6.4.4.1; long has 64
 * bits in OpenCL C, C:6.3.1). */
static enum oclmm_type type_of(uint64_t magnitude, struct suffix suffix, bool hexadecimal)
{
	if (!suffix.is_unsigned && !suffix.is_long && magnitude <= INT32_MAX)
		return OCLMM_TYPE_INT;
	if (!suffix.is_long && magnitude <= UINT32_MAX && (suffix.is_unsigned || hexadecimal))
		return OCLMM_TYPE_UINT;
	/* one more for the sake of -9223372036854775808 */
	if (!suffix.is_unsigned && magnitude <= (uint64_t)INT64_MAX + !hexadecimal)
		return OCLMM_TYPE_LONG;
	return OCLMM_TYPE_ULONG;
}

/* The same with the other sign, which a zero and a NaN have, too. */
static int64_t negated(enum oclmm_type type, int64_t value)
{
	uint64_t sign = UINT64_C(1) << (oclmm_type_bits(type) - 1);

	return oclmm_value_of_bits(type, oclmm_value_bits(type, value) ^ sign);
}

/* What is no whole number: by its name, or by its bits. */
static int build_special(const struct builder *builder, const struct syntax_token *at,
                         bool negative, enum oclmm_type *ret_type, int64_t *ret_value)
{
	if (oclmm_check_shared(builder, at))
		return -EINVAL;
	if (!oclmm_special_read(at->text, ret_type, ret_value))
		return REFUSE(builder, at, NULL, "`%.40s` has more bits than its type", at->text);
	if (negative)
		*ret_value = negated(*ret_type, *ret_value);
	return 0;
}

/* `2.0f`: other numbers than whole ones are written by their bits. */
static int build_floating(const struct builder *builder, const struct syntax_token *at,
                          bool negative, enum oclmm_type *ret_type, int64_t *ret_value)
{
	size_t whole = strcspn(at->text, "."), zeros = strspn(at->text + whole + 1, "0");
	const char *suffix = at->text + whole + 1 + zeros;
	int64_t magnitude;

	if (oclmm_check_shared(builder, at))
		return -EINVAL;
	if (isdigit((unsigned char)*suffix))
		return REFUSE(builder, at,
		              "take whole numbers, whose sums are exact in any order, or the bits: "
		              "`as_float(0x3fc00000)`",
		              "`%.40s` is no whole number", at->text);
	*ret_type = tolower((unsigned char)*suffix) == 'f'   ? OCLMM_TYPE_FLOAT
	            : tolower((unsigned char)*suffix) == 'h' ? OCLMM_TYPE_HALF
	                                                     : OCLMM_TYPE_DOUBLE;
	errno = 0;
	magnitude = strtoll(at->text, NULL, 10);
	if (errno || (uint64_t)magnitude > oclmm_type_greatest(*ret_type))
		return REFUSE(builder, at, NULL,
		              "`%.40s` is beyond the whole numbers that are exact", at->text);
	*ret_value = negative ? negated(*ret_type, magnitude) : magnitude;
	return 0;
}

static int check_digits(const struct builder *builder, const struct syntax_token *at, bool negative)
{
	bool hexadecimal = strncmp(at->text, "0x", 2) == 0;
	const char *digits = hexadecimal ? at->text + 2 : at->text;
	size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

	if (!builder->dartagnan || (!digits[length] && !(negative && hexadecimal)))
		return 0;
	return oclmm_check_shared(builder, at);
}

int oclmm_read_number(const struct builder *builder, const struct syntax_token *at, bool negative,
                      enum oclmm_type *ret_type, int64_t *ret_value)
{
	bool hexadecimal = at->text[0] == '0' && tolower((unsigned char)at->text[1]) == 'x';
	struct suffix suffix;
	enum oclmm_type type;
	uint64_t magnitude;
	char *end;

	if (isupper((unsigned char)at->text[0]) || strncmp(at->text, "as_", 3) == 0)
		return build_special(builder, at, negative, ret_type, ret_value);
	/* C:6.3.1 has them for 1 and 0 */
	if (isalpha((unsigned char)at->text[0])) {
		*ret_type = OCLMM_TYPE_INT;
		*ret_value = strcmp(at->text, "true") == 0 ? (negative ? -1 : 1) : 0;
		return 0;
	}
	if (strchr(at->text, '.'))
		return build_floating(builder, at, negative, ret_type, ret_value);
	if (check_digits(builder, at, negative))
		return -EINVAL;
	if (!hexadecimal && at->text[0] == '0' && isdigit((unsigned char)at->text[1]))
		return REFUSE(builder, at, "write it in decimal, or in hexadecimal with `0x`",
		              "octal numbers are outside the format");
	errno = 0;
	magnitude = strtoull(at->text, &end, hexadecimal ? 16 : 10);
	if (errno == ERANGE)
		return REFUSE(builder, at, NULL, "`%.40s` does not fit into 64 bits", at->text);
	if (!parse_suffix(end, &suffix))
		return REFUSE(builder, at, "after a number there may be `u`, `l` or `ul`",
		              "`%.40s` is not a number", at->text);
	type = type_of(magnitude, suffix, hexadecimal);
	if (type == OCLMM_TYPE_ULONG && !suffix.is_unsigned && !hexadecimal)
		return REFUSE(builder, at, "write it as unsigned: append `ul`",
		              "`%.40s` does not fit its type long", at->text);
	if (type == OCLMM_TYPE_LONG && magnitude > INT64_MAX && !negative)
		return REFUSE(builder, at, "write it as unsigned: append `ul`",
		              "`%.40s` does not fit its type long", at->text);
	*ret_type = type;
	*ret_value = oclmm_value_wrap(type, (int64_t)(negative ? 0 - magnitude : magnitude));
	return 0;
}

static int refuse_value(const struct builder *builder, const struct syntax_token *at,
                        const char *note, enum oclmm_type from, int64_t value, enum oclmm_type to)
{
	struct oclmm_text text = {0};
	int result;

	oclmm_value_print(&text, from, value);
	result = REFUSE(builder, at, note, "%s is not a value of type %s", oclmm_text_string(&text),
	                oclmm_type_name(to));
	oclmm_text_finish(&text);
	return result;
}

/* Conversions may lose something where floating-point types come in: only constants have them. */
static int check_kind(const struct builder *builder, const struct syntax_token *at,
                      const struct oclmm_expression *value, enum oclmm_type type)
{
	bool floating = oclmm_type_is_floating(type),
	     constant = value->kind == OCLMM_EXPRESSION_CONSTANT;

	if (value->type == type || (!floating && !oclmm_type_is_floating(value->type)) ||
	    (floating && constant))
		return 0;
	return REFUSE(builder, at, "use one type throughout",
	              "a conversion from %s to %s is outside the format",
	              oclmm_type_name(value->type), oclmm_type_name(type));
}

int oclmm_check_fits(const struct builder *builder, const struct syntax_token *at,
                     struct oclmm_expression *value, enum oclmm_type type)
{
	if (check_kind(builder, at, value, type))
		return -EINVAL;
	/* each integer becomes true or false */
	if (value->kind != OCLMM_EXPRESSION_CONSTANT || type == OCLMM_TYPE_BOOL)
		return 0;
	if (!oclmm_value_convert(value->type, value->constant, type, &value->constant))
		return refuse_value(builder, at,
		                    oclmm_type_is_floating(type) ? NULL : "a cast converts it",
		                    value->type, value->constant, type);
	if (oclmm_type_is_floating(type))
		value->type = type;
	return 0;
}

static bool read_decimal(const char *text, int64_t *ret_value)
{
	unsigned long long value;
	char *end;

	if (text[0] == '0' && text[1])
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end)
		return false;
	*ret_value = (int64_t)value;
	return true;
}

int oclmm_read_constant(const struct builder *builder, const struct tree_constant *constant,
                        enum oclmm_type type, int64_t *ret_value)
{
	enum oclmm_type from = OCLMM_TYPE_INT;
	int64_t value = 0;
	const struct syntax_token *at = constant->minus ? constant->minus : constant->at;

	/* initial and final values have the type of their object, not one of their own */
	if (oclmm_type_greatest(type) > INT64_MAX && !constant->minus &&
	    read_decimal(constant->at->text, ret_value))
		return 0;

	if (oclmm_read_number(builder, constant->at, constant->minus != NULL, &from, &value))
		return -EINVAL;
	if (oclmm_type_is_floating(from) && !oclmm_type_is_floating(type))
		return REFUSE(builder, at, "take an integer", "a value of type %s is no %s",
		              oclmm_type_name(type), oclmm_type_name(from));
	if (!oclmm_value_convert(from, value, type, ret_value))
		return refuse_value(builder, at, NULL, from, value, type);
	return 0;
}

uint32_t oclmm_count_values(const struct tree_constant *values)
{
	uint32_t count = 0;

	for (; values; values = values->next)
		count++;
	return count;
}

int oclmm_read_count(const struct builder *builder, const struct syntax_token *at, uint32_t most,
                     uint32_t *ret_count)
{
	enum oclmm_type type = OCLMM_TYPE_INT;
	int64_t value = 0;

	if (oclmm_read_number(builder, at, false, &type, &value))
		return -EINVAL;
	if ((uint64_t)value > most)
		return REFUSE(builder, at, NULL, "%.40s is more than %" PRIu32, at->text, most);
	*ret_count = (uint32_t)value;
	return 0;
}

/* ---- values that are known ---- */

/* Whether an operator's operands are known, and what it makes of them; `b` is NULL for a unary. */
static bool evaluate_operator(const struct build_state *state, enum oclmm_operator op,
                              const struct oclmm_expression *a, const struct oclmm_expression *b,
                              int64_t *ret_value)
{
	enum oclmm_type type = b ? oclmm_operand_type(op, a->type, b->type) : a->type;
	int64_t left, right = 0;

	if (!oclmm_evaluate(state, a, &left) || (b && !oclmm_evaluate(state, b, &right)))
		return false;
	return oclmm_apply(op, type, oclmm_value_wrap(type, left), oclmm_value_wrap(type, right),
	                   ret_value) == OCLMM_ARITHMETIC_OK;
}

bool oclmm_evaluate(const struct build_state *state, const struct oclmm_expression *e,
                    int64_t *ret_value)
{
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: *ret_value = e->constant; return true;
	case OCLMM_EXPRESSION_REGISTER:
		*ret_value = state->values[e->reg];
		return state->known & (UINT64_C(1) << e->reg);
	case OCLMM_EXPRESSION_UNARY:
		return evaluate_operator(state, e->unary.op, e->unary.operand, NULL, ret_value);
	case OCLMM_EXPRESSION_BINARY:
		return evaluate_operator(state, e->binary.op, e->binary.left, e->binary.right,
		                         ret_value);
	case OCLMM_EXPRESSION_CAST:
		if (!oclmm_evaluate(state, e->cast, ret_value))
			return false;
		*ret_value = oclmm_value_wrap(e->type, *ret_value);
		return true;
	case OCLMM_EXPRESSION_LOAD:
	case OCLMM_EXPRESSION_ATOMIC: break;
	}
	return false;
}

bool oclmm_constant_value(const struct oclmm_expression *expression, int64_t *ret_value)
{
	static const struct build_state nothing;

	return oclmm_evaluate(&nothing, expression, ret_value);
}

/* ---- floating-point numbers ---- */

/*
 * Floating-point objects that are computed with hold whole numbers, and no order of additions may
 * leave those that are exact: the largest that is written anywhere and all that is added or
 * subtracted stay below the type's limit together. Then the oracle may compute with integers, and
 * rounding modes, fused operations and subnormal numbers make no difference. What is no whole
 * number is stored, read and exchanged alone: these know nothing but its bits.
 */

/* Of each type. */
struct sums {
	const struct builder *builder;
	uint64_t rounds; /* how often what is visited may happen */
	uint64_t added[OCLMM_TYPE_COUNT], largest[OCLMM_TYPE_COUNT];
	unsigned special;  /* types of which something is no whole number, a set of 1u << type */
	unsigned computed; /* likewise, of which something is computed or compared */
	struct oclmm_position first[OCLMM_TYPE_COUNT]; /* where */
};

static uint64_t magnitude(int64_t value)
{
	return (uint64_t)(value < 0 ? -value : value);
}

static void note_value(struct sums *sums, enum oclmm_type type, int64_t value)
{
	if (!oclmm_type_is_floating(type))
		return;
	if (!oclmm_value_is_whole(type, value))
		sums->special |= 1u << type;
	else if (magnitude(value) > sums->largest[type])
		sums->largest[type] = magnitude(value);
}

static void note_computed(struct sums *sums, enum oclmm_type type, struct oclmm_position at)
{
	if (!oclmm_type_is_floating(type) || sums->computed >> type & 1)
		return;
	sums->computed |= 1u << type;
	sums->first[type] = at;
}

/* What an operator or a function does with the numbers, beyond moving them. */
static void note_operands(struct sums *sums, const struct oclmm_expression *e)
{
	switch (e->kind) {
	case OCLMM_EXPRESSION_UNARY:
		note_computed(sums, e->unary.operand->type, e->position);
		break;
	case OCLMM_EXPRESSION_BINARY:
		note_computed(sums, e->binary.left->type, e->position);
		note_computed(sums, e->binary.right->type, e->position);
		break;
	case OCLMM_EXPRESSION_ATOMIC:
		if (e->atomic->op >= OCLMM_OP_FETCH_ADD && e->atomic->op <= OCLMM_OP_FETCH_MAX)
			note_computed(sums, e->type, e->position);
		break;
	default: break;
	}
}

/* `if (r0)` asks whether it is 0. */
static void note_condition(struct sums *sums, const struct oclmm_expression *condition)
{
	if (condition)
		note_computed(sums, condition->type, condition->position);
}

/* By bits two values are the same or not, and none is less. */
static void note_compared(struct sums *sums, const struct oclmm_condition *condition)
{
	const struct oclmm_program *program = sums->builder->program;
	const struct oclmm_operand *sides[] = {&condition->a, &condition->b};
	bool ordered = condition->op != OCLMM_OPERATOR_EQ && condition->op != OCLMM_OPERATOR_NE;

	for (unsigned i = 0; i < 2 && condition->kind == OCLMM_CONDITION_COMPARE; i++) {
		enum oclmm_type type;

		if (sides[i]->is_constant)
			continue;
		type = program->observables[sides[i]->observable].type;
		if (sides[!i]->is_constant)
			note_value(sums, type, sides[!i]->constant);
		if (ordered)
			note_computed(sums, type, condition->position);
	}
	if (condition->left)
		note_compared(sums, condition->left);
	if (condition->right)
		note_compared(sums, condition->right);
}

static bool adds(enum oclmm_operation op)
{
	return op == OCLMM_OP_FETCH_ADD || op == OCLMM_OP_FETCH_SUB;
}

/* No more than greatest() times the most rounds of a loop: no overflow. */
static void add_sum(struct sums *sums, enum oclmm_type type, int64_t value)
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
		note_value(sums, e->type, e->constant);
	note_operands(sums, e);
	if (!oclmm_type_is_floating(e->type))
		return 0;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC && adds(e->atomic->op))
		added = e->atomic->operand;
	/* only + and - with a constant on one side give such a value */
	if (e->kind == OCLMM_EXPRESSION_BINARY)
		added = e->binary.left->kind == OCLMM_EXPRESSION_CONSTANT ? e->binary.left
		                                                          : e->binary.right;
	if (added && added->kind != OCLMM_EXPRESSION_CONSTANT)
		return oclmm_refuse(sums->builder->source, &e->position,
		                    "write the number that is added",
		                    "how large a sum of %s becomes would depend on what is read",
		                    oclmm_type_name(e->type));
	if (added)
		add_sum(sums, e->type, added->constant);
	return 0;
}

static int check_statement(void *data, const struct oclmm_statement *s);

static const struct oclmm_visitor visitor = {.expression = check_expression,
                                             .statement = check_statement};

/* The visitor itself visits the body of a loop once. */
static int check_statement(void *data, const struct oclmm_statement *s)
{
	struct sums *sums = data;
	uint64_t rounds = sums->rounds;
	int r;

	if (s->kind == OCLMM_STATEMENT_IF)
		note_condition(sums, s->branch.condition);
	if (s->kind == OCLMM_STATEMENT_WHILE)
		note_condition(sums, s->loop.condition);
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
	return oclmm_refuse(sums->builder->source, &location->position,
	                    "take smaller numbers, or add less often",
	                    "`%s` may become larger than the numbers up to %llu, which are "
	                    "exact as %s",
	                    location->name, (unsigned long long)greatest,
	                    oclmm_type_name(location->type));
}

/* Host threads use C11, which has no half and no atomic addition of floating-point numbers; what
 * they share with kernels has 32 or 64 bits. */
static int check_host(const struct builder *builder, const struct oclmm_location *location)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			return oclmm_refuse(builder->source, &location->position, "take an integer",
			                    "`%s` is a %s, and P%u a thread of the host",
			                    location->name, oclmm_type_name(location->type),
			                    program->threads[i].id);
	return 0;
}

/* The oracle does not work out what sums, minima and comparisons of them give: a minimum of 0.0 and
 * -0.0 may be either, and that of two NaNs a NaN with any bits (cl_ext_float_atomics). */
static int check_special(const struct sums *sums)
{
	unsigned both = sums->special & sums->computed;

	for (unsigned i = 0; i < OCLMM_TYPE_COUNT; i++)
		if (both >> i & 1)
			return oclmm_refuse(
				sums->builder->source, &sums->first[i],
				"load, store, exchange, and compare by a compare-exchange or in "
				"the final condition, with = or !=",
				"nothing is computed with a %s here: the test has one that is no "
				"whole number",
				oclmm_type_name((enum oclmm_type)i));
	return 0;
}

static int build_check_floats(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	struct sums sums = {.builder = builder, .rounds = 1};
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (uint32_t k = 0; k < thread->register_count; k++)
			note_value(&sums, thread->registers[k].type, thread->registers[k].initial);
		r = oclmm_visit_body(&visitor, thread->body, &sums);
	}
	for (uint32_t i = 0; i < program->location_count; i++)
		for (uint32_t k = 0;
		     program->locations[i].initial && k < program->locations[i].elements; k++)
			note_value(&sums, program->locations[i].type,
			           program->locations[i].initial[k]);
	for (uint32_t i = 0; r == 0 && i < program->location_count; i++) {
		bool floating = oclmm_type_is_floating(program->locations[i].type);

		if (floating || oclmm_type_is_narrow(program->locations[i].type))
			r = check_host(builder, &program->locations[i]);
		if (r == 0 && floating)
			r = check_sums(&sums, &program->locations[i]);
	}
	if (r < 0)
		return r;
	note_compared(&sums, program->condition);
	if (program->filter)
		note_compared(&sums, program->filter);
	return check_special(&sums);
}

const struct construct oclmm_floats = {.check = build_check_floats};
