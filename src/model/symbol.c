// SPDX-License-Identifier: Apache-2.0
/*
 * Symbolic values: functions of what a thread reads.
 *
 * Some values are unspecified: the quotient and the remainder of a division by zero, and of the
 * least number by -1 (C:6.4, arithmetic operators). Each is some value of its type, and one value
 * wherever it is used. What is computed from it has a range; a candidate is judged in cases, in
 * each of which values with a small range have one of it, and the branches taken narrow the others.
 */
#include "internal.h"

#include <string.h>

enum {
	CASE_VALUES_MOST = 16,
	CASES_MOST = 256,  /* of a candidate */
	LOOKS_MOST = 1024, /* for a value with few alternatives */
	ROUNDS_MOST = 8,   /* of narrowing values by what all branches say */
};

/* Steps of a search for the values of a range that has few. */
enum { STEPS_MOST = 1 << 12 };

/* ---- patterns ---------------------------------------------------------- */

static unsigned width_of(enum oclmm_type type)
{
	return oclmm_type_is_floating(type) ? 64 : oclmm_type_bits(type);
}

static uint64_t mask_of(enum oclmm_type type)
{
	return ~UINT64_C(0) >> (64 - width_of(type));
}

static uint64_t sign_of(enum oclmm_type type)
{
	bool is_signed = oclmm_type_is_signed(type) || oclmm_type_is_floating(type);

	return is_signed ? UINT64_C(1) << (width_of(type) - 1) : 0;
}

static bool less(enum oclmm_type type, int64_t a, int64_t b)
{
	return sign_of(type) ? a < b : (uint64_t)a < (uint64_t)b;
}

/* The value that a pattern of bits is. */
static int64_t value_of(enum oclmm_type type, uint64_t pattern)
{
	uint64_t sign = sign_of(type);

	return (int64_t)(sign ? (pattern ^ sign) - sign : pattern);
}

/* ---- ranges ------------------------------------------------------------ */

static struct range range_all(enum oclmm_type type);
static bool range_is_empty(const struct range *range);

static void tighten_by_bits(struct range *r)
{
	uint64_t sign = sign_of(r->type);
	int64_t least = value_of(r->type, r->must | (r->may & sign));
	int64_t greatest = value_of(r->type, (r->must & sign) | (r->may & ~sign));

	if (less(r->type, r->least, least))
		r->least = least;
	if (less(r->type, greatest, r->greatest))
		r->greatest = greatest;
}

/* Bits before the first in which the limits differ are the same in between. */
static void tighten_by_limits(struct range *r)
{
	uint64_t a = (uint64_t)r->least & mask_of(r->type),
		 b = (uint64_t)r->greatest & mask_of(r->type), open = 0;

	if ((a ^ b) & sign_of(r->type))
		return;
	if (a != b)
		open = ~UINT64_C(0) >> __builtin_clzll(a ^ b);
	r->may &= a | open;
	r->must |= a & ~open;
}

static struct range tight(struct range r)
{
	for (int i = 0; i < 2 && !range_is_empty(&r); i++) {
		tighten_by_bits(&r);
		if (!less(r.type, r.greatest, r.least))
			tighten_by_limits(&r);
	}
	return r;
}

static struct range with_bits(enum oclmm_type type, uint64_t may, uint64_t must)
{
	struct range r = range_all(type);

	r.may &= may;
	r.must |= must & mask_of(type);
	return tight(r);
}

/* Everything from `least` to `greatest`. */
static struct range range_between(enum oclmm_type type, int64_t least, int64_t greatest)
{
	return tight((struct range){type, least, greatest, mask_of(type), 0});
}

static struct range range_all(enum oclmm_type type)
{
	if (oclmm_type_is_floating(type))
		return (struct range){type, INT64_MIN, INT64_MAX, ~UINT64_C(0), 0};
	return range_between(type, oclmm_type_least(type), (int64_t)oclmm_type_greatest(type));
}

static struct range range_of(enum oclmm_type type, int64_t value)
{
	uint64_t pattern = (uint64_t)value & mask_of(type);

	return (struct range){type, value, value, pattern, pattern};
}

static struct range range_empty(enum oclmm_type type)
{
	return (struct range){.type = type, .must = 1};
}

static bool range_is_empty(const struct range *range)
{
	return less(range->type, range->greatest, range->least) || range->must & ~range->may;
}

bool oclmm_range_has(const struct range *range, int64_t value)
{
	uint64_t pattern = (uint64_t)value & mask_of(range->type);

	return !less(range->type, value, range->least) &&
	       !less(range->type, range->greatest, value) && !(pattern & ~range->may) &&
	       !(range->must & ~pattern);
}

static bool range_is_one(const struct range *range)
{
	return range->least == range->greatest;
}

/* What both have; both are of one type. */
static struct range range_meet(const struct range *a, const struct range *b)
{
	struct range r = *a;

	if (less(r.type, r.least, b->least))
		r.least = b->least;
	if (less(r.type, b->greatest, r.greatest))
		r.greatest = b->greatest;
	r.may &= b->may;
	r.must |= b->must;
	return tight(r);
}

/* Whether each value is one of the type, too. */
static bool range_fits(const struct range *range, enum oclmm_type type)
{
	return oclmm_value_fits(range->type, range->least, type) &&
	       oclmm_value_fits(range->type, range->greatest, type);
}

/* The bits of each value as wide as numbers go: what stands before a sign repeats it. */
static void widen(const struct range *range, uint64_t *ret_may, uint64_t *ret_must)
{
	uint64_t before = ~mask_of(range->type), sign = sign_of(range->type);

	*ret_may = range->may | (range->may & sign ? before : 0);
	*ret_must = range->must | (range->must & sign ? before : 0);
}

/* The values converted to a type. */
static struct range range_convert(enum oclmm_type type, const struct range *range)
{
	struct range r;
	uint64_t may, must;

	if (range->type == type)
		return *range;
	if (oclmm_type_is_floating(type) || oclmm_type_is_floating(range->type))
		return range_all(type);
	if (type == OCLMM_TYPE_BOOL || type == OCLMM_TYPE_FLAG) {
		if (!oclmm_range_has(range, 0))
			return range_of(type, 1);
		return range_is_one(range) ? range_of(type, 0) : range_all(type);
	}
	widen(range, &may, &must);
	r = with_bits(type, may, must);
	if (range_fits(range, type)) {
		struct range same = range_between(type, range->least, range->greatest);

		r = range_meet(&r, &same);
	}
	return r;
}

/* Those of `from` that may convert to one of `to`. */
static struct range range_unconvert(const struct range *from, const struct range *to)
{
	struct range r = *from;
	uint64_t shared = mask_of(from->type) & mask_of(to->type);

	if (oclmm_type_is_floating(from->type) || oclmm_type_is_floating(to->type))
		return r;
	if (to->type == OCLMM_TYPE_BOOL || to->type == OCLMM_TYPE_FLAG) {
		if (!oclmm_range_has(to, 1)) {
			struct range zero = range_of(from->type, 0);

			return range_meet(from, &zero);
		}
		if (!oclmm_range_has(to, 0) && r.least == 0)
			r.least = 1;
		return tight(r);
	}
	if (range_fits(from, to->type)) {
		/* each value stays what it is: those outside of `to` go */
		if (oclmm_value_fits(to->type, to->least, from->type) &&
		    less(r.type, r.least, to->least))
			r.least = to->least;
		if (oclmm_value_fits(to->type, to->greatest, from->type) &&
		    less(r.type, to->greatest, r.greatest))
			r.greatest = to->greatest;
		if (!oclmm_value_fits(to->type, to->least, from->type) &&
		    less(to->type, r.greatest, to->least))
			return range_empty(r.type);
	}
	r.may &= to->may | ~shared;
	r.must |= to->must & shared;
	return tight(r);
}

/* ---- operators on ranges ----------------------------------------------- */

/* What applying an operator may do beside giving a value. */
struct range_trouble {
	bool overflows;       /* some result does not fit its signed type */
	bool has_no_quotient; /* some division has none; the range is then all of the type */
};

static struct range truth(bool may_be_false, bool may_be_true)
{
	return range_between(OCLMM_TYPE_INT, !may_be_false, may_be_true);
}

static struct range compare(enum oclmm_operator op, const struct range *a, const struct range *b)
{
	struct range both = range_meet(a, b);
	bool disjoint = range_is_empty(&both),
	     same = range_is_one(a) && range_is_one(b) && a->least == b->least;
	enum oclmm_type type = a->type;

	switch (op) {
	case OCLMM_OPERATOR_EQ: return truth(!same, !disjoint);
	case OCLMM_OPERATOR_NE: return truth(!disjoint, !same);
	case OCLMM_OPERATOR_LT:
		return truth(!less(type, a->greatest, b->least), less(type, a->least, b->greatest));
	case OCLMM_OPERATOR_GE:
		return truth(less(type, a->least, b->greatest), !less(type, a->greatest, b->least));
	case OCLMM_OPERATOR_GT: return compare(OCLMM_OPERATOR_LT, b, a);
	default: return compare(OCLMM_OPERATOR_GE, b, a);
	}
}

/* The least and the greatest of a sum, difference or product, where numbers hold them; they are
 * each one of two limits of each operand. \return whether they do */
static bool limits_of(enum oclmm_operator op, const struct range *a, const struct range *b,
                      int64_t *ret_least, int64_t *ret_greatest)
{
	const int64_t left[] = {a->least, a->greatest}, right[] = {b->least, b->greatest};
	bool exact = sign_of(a->type) || width_of(a->type) < 64;

	for (int i = 0; i < 4; i++) {
		int64_t x = left[i / 2], y = right[i % 2], value;
		bool over = op == OCLMM_OPERATOR_ADD   ? __builtin_add_overflow(x, y, &value)
		            : op == OCLMM_OPERATOR_SUB ? __builtin_sub_overflow(x, y, &value)
		                                       : __builtin_mul_overflow(x, y, &value);

		if (over || !exact)
			return false;
		if (i == 0 || value < *ret_least)
			*ret_least = value;
		if (i == 0 || value > *ret_greatest)
			*ret_greatest = value;
	}
	return true;
}

static struct range add(enum oclmm_operator op, enum oclmm_type type, const struct range *a,
                        const struct range *b, struct range_trouble *trouble)
{
	int64_t most = (int64_t)oclmm_type_greatest(type), fewest = oclmm_type_least(type), least,
		greatest;
	struct range all = range_all(type);

	if (oclmm_type_is_floating(type)) {
		trouble->overflows = true;
		return all;
	}
	if (!limits_of(op, a, b, &least, &greatest)) {
		trouble->overflows = oclmm_type_is_signed(type);
		return all;
	}
	if (least >= fewest && greatest <= most)
		return range_between(type, least, greatest);
	if (!oclmm_type_is_signed(type))
		return all;
	trouble->overflows = true;
	return range_between(type, least > fewest ? (least < most ? least : most) : fewest,
	                     greatest < most ? (greatest > fewest ? greatest : fewest) : most);
}

static uint64_t size_of(enum oclmm_type type, int64_t value)
{
	return sign_of(type) && value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* By a divisor that is one number, not 0; -1 only where each quotient fits. */
static struct range divide_by(enum oclmm_operator op, enum oclmm_type type, const struct range *a,
                              int64_t divisor)
{
	int64_t least = 0, greatest = 0;
	uint64_t size = size_of(type, divisor);

	if (op == OCLMM_OPERATOR_DIV) {
		/* by a negative number the least is the greatest */
		bool turns = sign_of(type) && divisor < 0;

		(void)oclmm_apply(op, type, turns ? a->greatest : a->least, divisor, &least);
		(void)oclmm_apply(op, type, turns ? a->least : a->greatest, divisor, &greatest);
		return range_between(type, least, greatest);
	}
	/* what is smaller than the divisor stays */
	if (size_of(type, a->least) < size && size_of(type, a->greatest) < size)
		return *a;
	if (!sign_of(type))
		return size & (size - 1)
		               ? range_between(type, 0, (int64_t)(size - 1))
		               : with_bits(type, a->may & (size - 1), a->must & (size - 1));
	return range_between(type, a->least < 0 ? -(int64_t)(size - 1) : 0,
	                     a->greatest > 0 ? (int64_t)(size - 1) : 0);
}

static struct range divide(enum oclmm_operator op, enum oclmm_type type, const struct range *a,
                           const struct range *b, struct range_trouble *trouble)
{
	bool spills = oclmm_type_is_signed(type) && oclmm_range_has(b, -1) &&
	              oclmm_range_has(a, oclmm_type_least(type));

	if (oclmm_type_is_floating(type))
		return range_all(type);
	if (oclmm_range_has(b, 0) || spills) {
		trouble->has_no_quotient = true;
		return range_all(type);
	}
	if (range_is_one(b))
		return divide_by(op, type, a, b->least);
	/* neither is larger than the dividend */
	if (!sign_of(type))
		return range_between(type, 0, a->greatest);
	if (a->least == oclmm_type_least(type))
		return range_all(type);
	{
		int64_t most = a->greatest > -a->least ? a->greatest : -a->least;

		return range_between(type, -most, most);
	}
}

static struct range shift(enum oclmm_operator op, enum oclmm_type type, const struct range *a,
                          const struct range *b)
{
	unsigned count = (unsigned)b->least & (width_of(type) - 1);
	uint64_t sign = sign_of(type), may, must, new;
	struct range r, between;
	int64_t least = 0, greatest = 0;

	if (!range_is_one(b)) {
		/* to the right, nothing grows, and no sign changes */
		if (op == OCLMM_OPERATOR_SHL)
			return range_all(type);
		if (!sign)
			return range_between(type, 0, a->greatest);
		return range_between(type, a->least < 0 ? a->least : 0,
		                     a->greatest < 0 ? -1 : a->greatest);
	}
	if (op == OCLMM_OPERATOR_SHL)
		return with_bits(type, a->may << count, a->must << count);
	may = a->may >> count;
	must = a->must >> count;
	new = mask_of(type) & ~(mask_of(type) >> count);
	if (a->may & sign)
		may |= new;
	if (a->must & sign)
		must |= new;
	r = with_bits(type, may, must);
	(void)oclmm_apply(op, type, a->least, (int64_t)count, &least);
	(void)oclmm_apply(op, type, a->greatest, (int64_t)count, &greatest);
	between = range_between(type, least, greatest);
	return range_meet(&r, &between);
}

/* The results of an operator on operands of a type, as oclmm_apply() computes them. */
static struct range range_apply(enum oclmm_operator op, enum oclmm_type type,
                                const struct range *left, const struct range *right,
                                struct range_trouble *ret_trouble)
{
	struct range zero = range_of(type, 0);

	*ret_trouble = (struct range_trouble){0};
	switch (op) {
	case OCLMM_OPERATOR_NEGATE: return add(OCLMM_OPERATOR_SUB, type, &zero, left, ret_trouble);
	case OCLMM_OPERATOR_ADD:
	case OCLMM_OPERATOR_SUB:
	case OCLMM_OPERATOR_MUL: return add(op, type, left, right, ret_trouble);
	case OCLMM_OPERATOR_DIV:
	case OCLMM_OPERATOR_REM: return divide(op, type, left, right, ret_trouble);
	case OCLMM_OPERATOR_SHL:
	case OCLMM_OPERATOR_SHR: return shift(op, type, left, right);
	case OCLMM_OPERATOR_COMPLEMENT: return with_bits(type, ~left->must, ~left->may);
	case OCLMM_OPERATOR_AND:
		return with_bits(type, left->may & right->may, left->must & right->must);
	case OCLMM_OPERATOR_OR:
		return with_bits(type, left->may | right->may, left->must | right->must);
	case OCLMM_OPERATOR_XOR:
		return with_bits(type, (left->may | right->may) & ~(left->must & right->must),
		                 (left->must & ~right->may) | (right->must & ~left->may));
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_NE:
	case OCLMM_OPERATOR_LT:
	case OCLMM_OPERATOR_GT:
	case OCLMM_OPERATOR_LE:
	case OCLMM_OPERATOR_GE: return compare(op, left, right);
	case OCLMM_OPERATOR_NOT: return compare(OCLMM_OPERATOR_EQ, left, &zero);
	case OCLMM_OPERATOR_LOGICAL_AND:
	case OCLMM_OPERATOR_LOGICAL_OR:
	case OCLMM_OPERATOR_COUNT: break;
	}
	return truth(true, true);
}

/* The results of oclmm_apply_rmw(). */
static struct range range_apply_rmw(enum oclmm_operation op, const struct range *old,
                                    const struct range *operand)
{
	enum oclmm_type type = old->type;
	struct range_trouble trouble = {0};
	struct range r;
	bool less_first, less_last;

	if (oclmm_type_is_floating(type))
		return range_all(type);
	switch (op) {
	case OCLMM_OP_FETCH_ADD:
	case OCLMM_OP_FETCH_SUB:
		r = add(op == OCLMM_OP_FETCH_ADD ? OCLMM_OPERATOR_ADD : OCLMM_OPERATOR_SUB, type,
		        old, operand, &trouble);
		/* they wrap */
		return trouble.overflows ? range_all(type) : r;
	case OCLMM_OP_FETCH_AND:
		return range_apply(OCLMM_OPERATOR_AND, type, old, operand, &trouble);
	case OCLMM_OP_FETCH_OR: return range_apply(OCLMM_OPERATOR_OR, type, old, operand, &trouble);
	case OCLMM_OP_FETCH_XOR:
		return range_apply(OCLMM_OPERATOR_XOR, type, old, operand, &trouble);
	case OCLMM_OP_FETCH_MIN:
	case OCLMM_OP_FETCH_MAX:
		less_first = less(type, old->least, operand->least);
		less_last = less(type, old->greatest, operand->greatest);
		if (op == OCLMM_OP_FETCH_MAX) {
			less_first = !less_first;
			less_last = !less_last;
		}
		return range_between(type, less_first ? old->least : operand->least,
		                     less_last ? old->greatest : operand->greatest);
	case OCLMM_OP_STORE:
	case OCLMM_OP_EXCHANGE: return *operand;
	default: return range_all(type);
	}
}

/* ---- and back ---------------------------------------------------------- */

static void restrict_to(struct range *range, struct range kept)
{
	*range = range_meet(range, &kept);
}

static void restrict_bits(struct range *range, uint64_t may, uint64_t must)
{
	restrict_to(range, with_bits(range->type, may, must));
}

/* Without its least or greatest value, where that is `value`. */
static void drop(struct range *range, int64_t value)
{
	if (range->least == value && range->greatest == value) {
		*range = range_empty(range->type);
		return;
	}
	if (range->least == value)
		range->least = (int64_t)((uint64_t)value + 1);
	if (range->greatest == value)
		range->greatest = (int64_t)((uint64_t)value - 1);
	*range = tight(*range);
}

/* a < b, or a <= b */
static void order(struct range *a, struct range *b, bool strictly)
{
	if (less(a->type, b->greatest, a->greatest))
		a->greatest = b->greatest;
	if (less(a->type, b->least, a->least))
		b->least = a->least;
	*a = tight(*a);
	*b = tight(*b);
	if (strictly && a->greatest == b->greatest)
		drop(a, b->greatest);
	if (strictly && a->least == b->least)
		drop(b, a->least);
}

static void uncompare(enum oclmm_operator op, bool holds, struct range *a, struct range *b)
{
	switch (op) {
	case OCLMM_OPERATOR_NE: uncompare(OCLMM_OPERATOR_EQ, !holds, a, b); break;
	case OCLMM_OPERATOR_EQ:
		if (holds) {
			*a = range_meet(a, b);
			*b = *a;
		} else if (range_is_one(b)) {
			drop(a, b->least);
		} else if (range_is_one(a)) {
			drop(b, a->least);
		}
		break;
	case OCLMM_OPERATOR_LT:
		if (holds)
			order(a, b, true);
		else
			order(b, a, false);
		break;
	case OCLMM_OPERATOR_GE: uncompare(OCLMM_OPERATOR_LT, !holds, a, b); break;
	case OCLMM_OPERATOR_GT: uncompare(OCLMM_OPERATOR_LT, holds, b, a); break;
	default: uncompare(OCLMM_OPERATOR_LT, !holds, b, a); break;
	}
}

static void unadd(enum oclmm_operator op, const struct range *result, struct range *left,
                  struct range *right)
{
	struct range_trouble trouble = {0};
	struct range was = *left, back;
	int64_t least, greatest;

	/* only where every sum is a number of the type: none of those that are not may go */
	if (!limits_of(op, left, right, &least, &greatest) ||
	    least < oclmm_type_least(left->type) ||
	    greatest > (int64_t)oclmm_type_greatest(left->type))
		return;
	back = add(op == OCLMM_OPERATOR_ADD ? OCLMM_OPERATOR_SUB : OCLMM_OPERATOR_ADD, left->type,
	           result, right, &trouble);
	if (!trouble.overflows && !oclmm_type_is_floating(left->type) && sign_of(left->type))
		restrict_to(left, back);
	trouble = (struct range_trouble){0};
	back = op == OCLMM_OPERATOR_ADD
	               ? add(OCLMM_OPERATOR_SUB, left->type, result, &was, &trouble)
	               : add(OCLMM_OPERATOR_SUB, left->type, &was, result, &trouble);
	if (!trouble.overflows && sign_of(left->type))
		restrict_to(right, back);
}

static void unshift(enum oclmm_operator op, const struct range *result, struct range *left,
                    const struct range *right)
{
	uint64_t mask = mask_of(left->type), kept;
	unsigned count = (unsigned)right->least & (width_of(left->type) - 1);

	if (!range_is_one(right))
		return;
	if (op == OCLMM_OPERATOR_SHL) {
		kept = mask >> count;
		restrict_bits(left, result->may >> count | ~kept, result->must >> count & kept);
	} else {
		kept = mask << count & mask;
		restrict_bits(left, result->may << count | ~kept, result->must << count & kept);
	}
}

/* Takes from the operands what cannot give one of `result`; of one operand the other is ignored. */
static void range_unapply(enum oclmm_operator op, enum oclmm_type type, const struct range *result,
                          struct range *left, struct range *right)
{
	struct range zero = range_of(type, 0), a = *left;

	if (oclmm_type_is_floating(type))
		return;
	switch (op) {
	case OCLMM_OPERATOR_COMPLEMENT: restrict_bits(left, ~result->must, ~result->may); break;
	case OCLMM_OPERATOR_AND:
		restrict_bits(left, result->may | ~right->must, result->must);
		restrict_bits(right, result->may | ~a.must, result->must);
		break;
	case OCLMM_OPERATOR_OR:
		restrict_bits(left, result->may, result->must & ~right->may);
		restrict_bits(right, result->may, result->must & ~a.may);
		break;
	case OCLMM_OPERATOR_XOR:
		restrict_to(left, range_apply(op, type, result, right, &(struct range_trouble){0}));
		restrict_to(right, range_apply(op, type, result, &a, &(struct range_trouble){0}));
		break;
	case OCLMM_OPERATOR_ADD:
	case OCLMM_OPERATOR_SUB: unadd(op, result, left, right); break;
	case OCLMM_OPERATOR_SHL:
	case OCLMM_OPERATOR_SHR: unshift(op, result, left, right); break;
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_NE:
	case OCLMM_OPERATOR_LT:
	case OCLMM_OPERATOR_GT:
	case OCLMM_OPERATOR_LE:
	case OCLMM_OPERATOR_GE:
		if (range_is_one(result))
			uncompare(op, result->least != 0, left, right);
		break;
	case OCLMM_OPERATOR_NOT:
		if (range_is_one(result))
			uncompare(OCLMM_OPERATOR_EQ, result->least != 0, left, &zero);
		break;
	default: break;
	}
}

/* ---- single values ----------------------------------------------------- */

/* Those of the interval, one after the other. \return whether they are all */
static bool list_between(const struct range *range, size_t most, int64_t *ret_values,
                         size_t *ret_count)
{
	uint64_t between = (uint64_t)range->greatest - (uint64_t)range->least, i = 0;

	for (*ret_count = 0; i <= between && i < STEPS_MOST; i++) {
		int64_t value = (int64_t)((uint64_t)range->least + i);

		if (!oclmm_range_has(range, value))
			continue;
		if (*ret_count == most)
			return false;
		ret_values[(*ret_count)++] = value;
	}
	return i > between;
}

/* Those that single bits make, one after the other. */
static bool list_bits(const struct range *range, size_t most, int64_t *ret_values,
                      size_t *ret_count)
{
	uint64_t open = range->may & ~range->must, chosen = 0;

	*ret_count = 0;
	for (int i = 0; i < STEPS_MOST; i++) {
		int64_t value = value_of(range->type, range->must | chosen);

		if (oclmm_range_has(range, value)) {
			if (*ret_count == most)
				return false;
			ret_values[(*ret_count)++] = value;
		}
		chosen = ((chosen | ~open) + 1) & open;
		if (!chosen)
			return true;
	}
	return false;
}

size_t oclmm_range_list(const struct range *range, size_t most, int64_t *ret_values, bool *ret_all)
{
	uint64_t between = (uint64_t)range->greatest - (uint64_t)range->least;
	size_t count = 0;

	*ret_all = range_is_empty(range);
	if (*ret_all)
		return 0;
	*ret_all = list_between(range, most, ret_values, &count);
	/* values may be few and lie far apart */
	if (!*ret_all && count < most && between >= STEPS_MOST)
		*ret_all = list_bits(range, most, ret_values, &count);
	return count;
}

/* A value that is unspecified. */
struct open {
	struct range range;
	const struct symbol *origin;
};

struct meaning {
	int64_t value;
	const struct open *open; /* NULL: it is `value` */
};

struct evaluation {
	const struct candidate *x; /* NULL: what is evaluated has no reads */
	int thread;
	const int64_t *values;
	row unspecified; /* of the thread's reads, by path index */
	enum oclmm_undefined undefined;
	bool divides;
	bool impossible; /* what is known contradicts itself */
};

/* `room` is for what is unspecified. */
static struct meaning evaluate(struct evaluation *e, const struct symbol *s, struct open *room);
static void narrow(struct evaluation *e, const struct symbol *s, const struct range *to);
static void narrow_truth(struct evaluation *e, const struct symbol *s, bool truth);

static struct meaning just(int64_t value)
{
	return (struct meaning){.value = value};
}

static void note(struct evaluation *e, enum oclmm_undefined undefined)
{
	if (!e->undefined)
		e->undefined = undefined;
}

/* ---- the thread at hand ------------------------------------------------ */

static void enter(struct evaluation *e, int thread)
{
	unsigned first = e->x->c->first[thread];

	e->thread = thread;
	e->values = e->x->value + first;
	/* a thread without events may stand behind the last bit */
	e->unspecified = first < MAX_EVENTS ? e->x->unspecified >> first : 0;
}

static struct evaluation begin(const struct candidate *x, int thread)
{
	struct evaluation e = {.x = x};

	if (x)
		enter(&e, thread);
	return e;
}

/* The write of which a read of the thread takes an unspecified value. */
static unsigned source_of(const struct evaluation *e, unsigned read)
{
	return e->x->rf[e->x->c->first[e->thread] + read];
}

/* ---- what is unspecified ----------------------------------------------- */

static const struct symbol *identity(const struct symbol *s)
{
	while (s->pinned)
		s = s->pinned;
	return s;
}

static struct meaning keep(struct evaluation *e, struct range range, const struct symbol *origin,
                           struct open *room)
{
	e->impossible |= range_is_empty(&range);
	if (range_is_empty(&range) || range_is_one(&range))
		return just(range.least);
	*room = (struct open){range, origin};
	return (struct meaning){.open = room};
}

/* A value that the symbol itself makes, so that facts may be known of it. */
static struct meaning made(struct evaluation *e, const struct symbol *s, struct range range,
                           struct open *room)
{
	const struct facts *facts = e->x ? e->x->facts : NULL;
	const struct symbol *origin = identity(s);

	for (unsigned i = 0; facts && i < facts->count; i++)
		if (facts->items[i].of == origin && facts->items[i].range.type == range.type)
			range = range_meet(&range, &facts->items[i].range);
	return keep(e, range, origin, room);
}

static struct range open_range(const struct meaning *m, enum oclmm_type type)
{
	if (!m->open)
		return range_of(type, m->value);
	return range_convert(type, &m->open->range);
}

static bool is_same(const struct meaning *a, const struct meaning *b)
{
	return a->open && b->open && a->open->origin == b->open->origin;
}

/* ---- operators --------------------------------------------------------- */

/* \return whether the result is known where both operands are the same value. */
static bool apply_to_same(const struct symbol *s, const struct range *range, int64_t *ret_value)
{
	switch (s->op) {
	case OCLMM_OPERATOR_SUB:
	case OCLMM_OPERATOR_XOR:
	case OCLMM_OPERATOR_NE:
	case OCLMM_OPERATOR_LT:
	case OCLMM_OPERATOR_GT: *ret_value = 0; return true;
	case OCLMM_OPERATOR_EQ:
	case OCLMM_OPERATOR_LE:
	case OCLMM_OPERATOR_GE: *ret_value = 1; return true;
	case OCLMM_OPERATOR_DIV:
	case OCLMM_OPERATOR_REM:
		*ret_value = s->op == OCLMM_OPERATOR_DIV;
		return !oclmm_range_has(range, 0);
	default: return false;
	}
}

/* Whether an operand is given back as it is: `q & 255` of a uchar, `q + 0`, `q | q`. */
static bool gives_back(enum oclmm_operator op, const struct range *range,
                       const struct meaning *operand, const struct meaning *other, bool is_left)
{
	if (is_same(operand, other))
		return op == OCLMM_OPERATOR_AND || op == OCLMM_OPERATOR_OR;
	if (other->open)
		return false;
	switch (op) {
	case OCLMM_OPERATOR_AND: return !(range->may & ~(uint64_t)other->value);
	case OCLMM_OPERATOR_OR: return !((uint64_t)other->value & ~range->must);
	case OCLMM_OPERATOR_XOR:
	case OCLMM_OPERATOR_ADD: return other->value == 0;
	case OCLMM_OPERATOR_SUB:
	case OCLMM_OPERATOR_SHL:
	case OCLMM_OPERATOR_SHR: return is_left && other->value == 0;
	case OCLMM_OPERATOR_MUL: return other->value == 1;
	case OCLMM_OPERATOR_DIV: return is_left && other->value == 1;
	default: return false;
	}
}

static struct meaning apply_to_open(struct evaluation *e, const struct symbol *s,
                                    const struct meaning *left, const struct meaning *right,
                                    struct open *room)
{
	bool shift = s->op == OCLMM_OPERATOR_SHL || s->op == OCLMM_OPERATOR_SHR;
	struct range a = open_range(left, s->operand_type), b = a, result;
	struct range_trouble trouble;
	int64_t value;

	if (s->right) {
		b = open_range(right, shift ? s->right->type : s->operand_type);
		if (is_same(left, right) && apply_to_same(s, &a, &value))
			return just(value);
		if (left->open && gives_back(s->op, &a, left, right, true))
			return keep(e, a, left->open->origin, room);
		if (right->open && gives_back(s->op, &b, right, left, false))
			return keep(e, b, right->open->origin, room);
	}
	result = range_apply(s->op, s->operand_type, &a, &b, &trouble);
	if (trouble.overflows)
		note(e, OCLMM_UNDEFINED_OVERFLOW);
	e->divides |= trouble.has_no_quotient;
	return made(e, s, result, room);
}

static struct meaning apply(struct evaluation *e, const struct symbol *s,
                            const struct meaning *left, const struct meaning *right,
                            struct open *room)
{
	int64_t value = 0;

	if (left->open || right->open)
		return apply_to_open(e, s, left, right, room);
	switch (oclmm_apply(s->op, s->operand_type, left->value, right->value, &value)) {
	case OCLMM_ARITHMETIC_OK: break;
	case OCLMM_ARITHMETIC_OVERFLOW: note(e, OCLMM_UNDEFINED_OVERFLOW); break;
	case OCLMM_ARITHMETIC_DIVISION:
		e->divides = true;
		return made(e, s, range_all(s->type), room);
	}
	return just(oclmm_value_wrap(s->type, value));
}

static bool may_be(const struct meaning *m, bool truth)
{
	if (!m->open)
		return (m->value != 0) == truth;
	return truth || oclmm_range_has(&m->open->range, 0);
}

/*
 * `&&` and `||`. Where the left side leaves it open, the right side is evaluated in the case in
 * which C evaluates it: a right side without effect is still not evaluated where C does not.
 */
static struct meaning connect(struct evaluation *e, const struct symbol *s, struct open *room)
{
	bool goes_on = s->op == OCLMM_OPERATOR_LOGICAL_AND; /* the truth of the left that decides
	                                                       nothing */
	struct facts *facts = e->x ? e->x->facts : NULL;
	unsigned known = facts ? facts->count : 0;
	struct open left_room, right_room;
	struct meaning left = evaluate(e, s->left, &left_room), right;
	bool decides = may_be(&left, !goes_on), impossible = e->impossible;
	struct range truth;

	if (!may_be(&left, goes_on))
		return just(!goes_on);
	if (decides && facts)
		narrow_truth(e, s->left, goes_on);
	if (e->impossible && !impossible) {
		e->impossible = false;
		facts->count = known;
		return just(!goes_on);
	}
	right = evaluate(e, s->right, &right_room);
	if (facts)
		facts->count = known;
	decides |= may_be(&right, !goes_on);
	if (!may_be(&right, goes_on))
		return just(!goes_on);
	if (!decides)
		return just(goes_on);
	truth = range_between(s->type, 0, 1);
	return made(e, s, truth, room);
}

static struct meaning update(struct evaluation *e, const struct symbol *s, struct open *room)
{
	struct open left_room, right_room;
	struct meaning left = evaluate(e, s->left, &left_room),
		       right = evaluate(e, s->right, &right_room);
	struct range a, b;

	if (!left.open && !right.open)
		return just(oclmm_apply_rmw(s->rmw, s->type, left.value, right.value));
	a = open_range(&left, s->type);
	b = open_range(&right, s->type);
	return made(e, s, range_apply_rmw(s->rmw, &a, &b), room);
}

static struct meaning convert(struct evaluation *e, const struct symbol *s, struct open *room)
{
	struct open left_room;
	struct meaning left = evaluate(e, s->left, &left_room);
	struct range range;

	if (!left.open)
		return just(oclmm_value_wrap(s->type, left.value));
	range = open_range(&left, s->type);
	if (range_fits(&left.open->range, s->type))
		return keep(e, range, left.open->origin, room);
	return made(e, s, range, room);
}

/* What is read is the value that was written, the same for each who reads it. */
static struct meaning read_open(struct evaluation *e, unsigned read, struct open *room)
{
	unsigned write = source_of(e, read);
	struct evaluation writer = begin(e->x, e->x->c->event[write].thread);
	struct meaning m = evaluate(&writer, e->x->c->stored[write].value, room);

	e->impossible |= writer.impossible;
	return m;
}

static struct meaning evaluate(struct evaluation *e, const struct symbol *s, struct open *room)
{
	struct open left_room, right_room;
	struct meaning left, right = {0};

	switch (s->kind) {
	case SYMBOL_CONSTANT: return just(s->constant);
	case SYMBOL_READ:
		if (e->unspecified >> s->read & 1)
			return read_open(e, s->read, room);
		return just(e->values[s->read]);
	case SYMBOL_CONVERT: return convert(e, s, room);
	case SYMBOL_BINARY:
		if (s->op == OCLMM_OPERATOR_LOGICAL_AND || s->op == OCLMM_OPERATOR_LOGICAL_OR)
			return connect(e, s, room);
		left = evaluate(e, s->left, &left_room);
		right = evaluate(e, s->right, &right_room);
		return apply(e, s, &left, &right, room);
	case SYMBOL_UNARY:
		left = evaluate(e, s->left, &left_room);
		return apply(e, s, &left, &right, room);
	case SYMBOL_RMW: return update(e, s, room);
	}
	return just(0);
}

/* Most symbols are one of two kinds and have one value. \return whether this one does */
static bool is_plain(const struct symbol *s, const struct candidate *x, int thread,
                     int64_t *ret_value)
{
	unsigned event;

	if (s->kind == SYMBOL_CONSTANT) {
		*ret_value = s->constant;
		return true;
	}
	if (s->kind != SYMBOL_READ)
		return false;
	event = x->c->first[thread] + s->read;
	*ret_value = x->value[event];
	return !(x->unspecified & BIT(event));
}

int64_t oclmm_symbol_value(const struct symbol *symbol, const struct candidate *x, int thread,
                           struct symbol_finding *ret_finding)
{
	struct evaluation e;
	struct open room;
	struct meaning m;

	if (is_plain(symbol, x, thread, &m.value)) {
		if (ret_finding) {
			ret_finding->undefined = OCLMM_UNDEFINED_NOT;
			ret_finding->divides = false;
			ret_finding->unspecified = false;
		}
		return m.value;
	}
	e = begin(x, thread);
	m = evaluate(&e, symbol, &room);
	if (ret_finding) {
		ret_finding->undefined = e.undefined;
		ret_finding->divides = e.divides;
		ret_finding->unspecified = m.open != NULL;
		if (m.open) {
			ret_finding->range = m.open->range;
			ret_finding->origin = m.open->origin;
		}
	}
	return m.value;
}

/* ---- what is known narrows values -------------------------------------- */

static bool is_smaller(const struct range *a, const struct range *b)
{
	return a->least != b->least || a->greatest != b->greatest || a->may != b->may ||
	       a->must != b->must;
}

static void narrow_operands(struct evaluation *e, const struct symbol *s, const struct range *to)
{
	bool shift = s->op == OCLMM_OPERATOR_SHL || s->op == OCLMM_OPERATOR_SHR;
	struct open left_room, right_room;
	struct meaning left = evaluate(e, s->left, &left_room), right = {0};
	struct range a = open_range(&left, s->operand_type), b = a, was_a = a, was_b;

	if (s->right) {
		right = evaluate(e, s->right, &right_room);
		b = open_range(&right, shift ? s->right->type : s->operand_type);
	}
	was_b = b;
	range_unapply(s->op, s->operand_type, to, &a, &b);
	if (is_smaller(&a, &was_a))
		narrow(e, s->left, &a);
	if (s->right && !e->impossible && is_smaller(&b, &was_b))
		narrow(e, s->right, &b);
}

static void narrow_sides(struct evaluation *e, const struct symbol *s, bool truth)
{
	bool goes_on = s->op == OCLMM_OPERATOR_LOGICAL_AND;
	struct open room;
	struct meaning left;

	if (truth == goes_on) {
		narrow_truth(e, s->left, truth);
		narrow_truth(e, s->right, truth);
		return;
	}
	left = evaluate(e, s->left, &room);
	if (!may_be(&left, truth))
		narrow_truth(e, s->right, truth);
}

static void narrow_parts(struct evaluation *e, const struct symbol *s, const struct range *to)
{
	struct evaluation writer;
	struct open room;
	struct meaning left;
	struct range range, was;
	unsigned write;

	switch (s->kind) {
	case SYMBOL_READ:
		if (!(e->unspecified >> s->read & 1))
			break;
		write = source_of(e, s->read);
		writer = begin(e->x, e->x->c->event[write].thread);
		narrow(&writer, e->x->c->stored[write].value, to);
		e->impossible |= writer.impossible;
		break;
	case SYMBOL_CONVERT:
		left = evaluate(e, s->left, &room);
		was = open_range(&left, s->left->type);
		range = range_unconvert(&was, to);
		if (is_smaller(&range, &was))
			narrow(e, s->left, &range);
		break;
	case SYMBOL_BINARY:
	case SYMBOL_UNARY:
		if (s->op != OCLMM_OPERATOR_LOGICAL_AND && s->op != OCLMM_OPERATOR_LOGICAL_OR)
			narrow_operands(e, s, to);
		else if (range_is_one(to))
			narrow_sides(e, s, to->least != 0);
		break;
	case SYMBOL_CONSTANT:
	case SYMBOL_RMW: break;
	}
}

static bool makes_value(const struct symbol *s, const struct open *open)
{
	return open->origin == identity(s);
}

/* Notes that a value is one of `to`, and what follows for those that it is computed from. */
static void narrow(struct evaluation *e, const struct symbol *s, const struct range *to)
{
	struct facts *facts = e->x->facts;
	struct open room;
	struct meaning m = evaluate(e, s, &room);
	struct range now = open_range(&m, to->type);

	now = range_meet(&now, to);
	e->impossible |= range_is_empty(&now);
	if (e->impossible)
		return;
	if (m.open && makes_value(s, m.open) && m.open->range.type == now.type &&
	    is_smaller(&now, &m.open->range) && facts->count < MAX_FACTS)
		facts->items[facts->count++] = (struct known){m.open->origin, now};
	narrow_parts(e, s, &now);
}

static void narrow_truth(struct evaluation *e, const struct symbol *s, bool truth)
{
	struct open room;
	struct meaning m = evaluate(e, s, &room);
	struct range range = open_range(&m, s->type), unused = range,
		     not = range_of(OCLMM_TYPE_INT, !truth);

	range_unapply(OCLMM_OPERATOR_NOT, s->type, &not, &range, &unused);
	narrow(e, s, &range);
}

/* ---- cases ------------------------------------------------------------- */

struct cases {
	struct candidate *x;
	int (*judge)(void *data);
	void *data;
	unsigned left; /* how many more there may be */
};

/* A value with few alternatives. */
struct split {
	const struct symbol *symbol;
	int thread;
	int64_t values[CASE_VALUES_MOST];
	size_t count; /* 0: none was found */
	unsigned looks;
};

/* \return whether what all branches say can be. */
static bool narrow_by_branches(struct candidate *x)
{
	const struct combination *c = x->c;

	for (int round = 0; round < ROUNDS_MOST; round++) {
		unsigned known = x->facts->count;

		for (unsigned t = 0; t < c->program->thread_count; t++) {
			struct evaluation e = begin(x, (int)t);

			for (unsigned i = 0; i < c->path[t]->constraint_count; i++) {
				const struct constraint *k = &c->path[t]->constraints[i];

				narrow_truth(&e, k->symbol, k->truth);
				if (e.impossible)
					return false;
			}
		}
		if (x->facts->count == known)
			break;
	}
	return true;
}

static void look(struct evaluation *e, const struct symbol *s, struct split *split)
{
	int64_t values[CASE_VALUES_MOST];
	struct open room;
	struct meaning m;
	size_t count;
	bool all;

	if (!s || split->looks++ >= LOOKS_MOST)
		return;
	m = evaluate(e, s, &room);
	if (!m.open)
		return;
	if (makes_value(s, m.open)) {
		count = oclmm_range_list(&m.open->range, CASE_VALUES_MOST, values, &all);
		if (all && count && (!split->count || count < split->count)) {
			split->symbol = s;
			split->thread = e->thread;
			split->count = count;
			memcpy(split->values, values, sizeof(values));
		}
	}
	look(e, s->left, split);
	look(e, s->right, split);
}

static void find_split(struct candidate *x, struct split *split)
{
	const struct combination *c = x->c;
	const struct oclmm_program *p = c->program;

	for (unsigned t = 0; t < p->thread_count; t++) {
		struct evaluation e = begin(x, (int)t);

		for (unsigned i = 0; i < c->path[t]->constraint_count; i++)
			look(&e, c->path[t]->constraints[i].symbol, split);
		for (unsigned i = 0; i < c->path[t]->event_count; i++)
			look(&e, c->path[t]->stored[i].value, split);
		for (uint32_t i = 0; i < p->observable_count; i++)
			if (p->observables[i].is_register && p->observables[i].thread == t)
				look(&e, c->path[t]->registers[p->observables[i].reg], split);
	}
}

/* Judges the candidate with those reads that have one value in this case. */
static int judge_case(struct cases *cases)
{
	struct candidate *x = cases->x;
	row unspecified = x->unspecified, known = 0;
	int64_t values[MAX_EVENTS];
	int result;

	FOR_EACH (r, unspecified) {
		unsigned write = x->rf[r];
		struct evaluation e = begin(x, x->c->event[write].thread);
		struct open room;
		struct meaning m = evaluate(&e, x->c->stored[write].value, &room);

		values[r] = m.value;
		known |= m.open ? 0 : BIT(r);
	}
	FOR_EACH (r, known)
		x->value[r] = values[r];
	x->unspecified &= ~known;
	result = cases->judge(cases->data);
	x->unspecified = unspecified;
	return result;
}

static int judge_cases(struct cases *cases)
{
	struct candidate *x = cases->x;
	struct facts *facts = x->facts;
	struct split split = {0};
	unsigned known;
	int result = 0;

	if (!narrow_by_branches(x))
		return 0;
	find_split(x, &split);
	if (!split.count || split.count > cases->left)
		return judge_case(cases);
	cases->left -= (unsigned)split.count - 1;
	known = facts->count;
	for (size_t i = 0; result == 0 && i < split.count; i++) {
		struct evaluation e = begin(x, split.thread);
		struct range one = range_of(split.symbol->type, split.values[i]);

		narrow(&e, split.symbol, &one);
		if (!e.impossible)
			result = judge_cases(cases);
		facts->count = known;
	}
	return result;
}

int oclmm_symbol_cases(struct candidate *x, int (*judge)(void *data), void *data)
{
	struct cases cases = {x, judge, data, CASES_MOST};
	int result = judge_cases(&cases);

	x->facts->count = 0;
	return result;
}
