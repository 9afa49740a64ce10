// SPDX-License-Identifier: Apache-2.0
/* Symbolic values: functions of what a thread reads. */
#include "paths.h"

static int64_t combine_arithmetic(const struct symbol *s, int64_t left, int64_t right,
                                  enum oclmm_undefined *undefined)
{
	int64_t value = 0;
	enum oclmm_arithmetic a = oclmm_apply(s->op, s->operand_type, left, right, &value);

	if (a != OCLMM_ARITHMETIC_OK && undefined)
		*undefined = a == OCLMM_ARITHMETIC_DIVISION ? OCLMM_UNDEFINED_DIVISION
		                                            : OCLMM_UNDEFINED_OVERFLOW;
	return a == OCLMM_ARITHMETIC_DIVISION ? 0 : oclmm_value_wrap(s->type, value);
}

int64_t oclmm_symbol_value(const struct symbol *s, const int64_t *values,
                           enum oclmm_undefined *undefined)
{
	switch (s->kind) {
	case SYMBOL_CONSTANT: return s->constant;
	case SYMBOL_READ: return values[s->read];
	case SYMBOL_CONVERT:
		return oclmm_value_wrap(s->type, oclmm_symbol_value(s->left, values, undefined));
	case SYMBOL_UNARY:
		return combine_arithmetic(s, oclmm_symbol_value(s->left, values, undefined), 0,
		                          undefined);
	case SYMBOL_BINARY: {
		int64_t left = oclmm_symbol_value(s->left, values, undefined);

		/* a right side without effect is still not evaluated where C does not */
		if (s->op == OCLMM_OPERATOR_LOGICAL_AND && !left)
			return 0;
		if (s->op == OCLMM_OPERATOR_LOGICAL_OR && left)
			return 1;
		return combine_arithmetic(s, left, oclmm_symbol_value(s->right, values, undefined),
		                          undefined);
	}
	case SYMBOL_RMW:
		return oclmm_apply_rmw(s->rmw, s->type,
		                       oclmm_symbol_value(s->left, values, undefined),
		                       oclmm_symbol_value(s->right, values, undefined));
	}
	return 0;
}
