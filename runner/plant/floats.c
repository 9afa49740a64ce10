// SPDX-License-Identifier: Apache-2.0
/*
 * Updates of floating-point objects by a driver that takes their bits for an
 * integer (cl_ext_float_atomics): of the same order and scope, and indivisible
 * but for a half, which has no compare-exchange.
 */
#include <string.h>

#include "internal.h"

/* The integer that has the bits of a type. */
static const char *integer_of(const char *type)
{
	return strcmp(type, "double") == 0 ? "long" : strcmp(type, "half") == 0 ? "short" : "int";
}

static const char *result_of(char update)
{
	switch (update) {
	case '+': return "oclmm_a + oclmm_b";
	case '-': return "oclmm_a - oclmm_b";
	case '<': return "oclmm_b < oclmm_a ? oclmm_b : oclmm_a";
	default: return "oclmm_a < oclmm_b ? oclmm_b : oclmm_a";
	}
}

bool rewrite_float_bits(struct rewriter *rewriter, const struct call *call)
{
	const char *update = call->function->update, *type, *integer;
	bool half;

	if (call->function->kind != FUNCTION_FETCH || !strchr("+-<>", update[0]))
		return false;
	type = object_float(&rewriter->source, call);
	if (!type)
		return false;
	integer = integer_of(type);
	half = strcmp(type, "half") == 0;
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call,
	         "@O, oclmm_v = @1; %s oclmm_a, oclmm_b = as_%s(oclmm_v); "
	         "do { oclmm_a = as_%s(oclmm_old); oclmm_new = as_%s((%s)(%s))",
	         integer, integer, integer, type, integer, result_of(update[0]));
	if (half) {
		put_code(rewriter, call,
		         "; } while (0); atomic_store_explicit(oclmm_p, oclmm_new, "
		         "memory_order_relaxed@S); oclmm_old; })");
		return true;
	}
	put_exchange(rewriter, call);
	put(rewriter, "oclmm_old; })");
	return true;
}
