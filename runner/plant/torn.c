// SPDX-License-Identifier: Apache-2.0
/* Plants in where and how a load or store reaches memory (C:6.15.12.6): in parts, plain, elsewhere.
 */
#include "internal.h"

/* Nothing is torn where no object has 64 bits. */
static bool has_wide_atomics(const struct source *source)
{
	static const char *const types[] = {"atomic_long",     "atomic_ulong",
	                                    "atomic_double",   "atomic_size_t",
	                                    "atomic_intptr_t", "atomic_uintptr_t",
	                                    "atomic_ptrdiff_t"};

	for (size_t i = 0; i < source->count; i++) {
		for (size_t k = 0; k < OCLMM_COUNT(types); k++) {
			if (token_is(source, i, types[k]))
				return true;
		}
	}
	return false;
}

static const char *space_word(const struct source *source, const struct call *call)
{
	switch (object_space(source, call)) {
	case SPACE_LOCAL: return "__local";
	case SPACE_GENERIC: return "";
	default: return "__global";
	}
}

/* How wide an object is only the compiler knows; it drops the branch that does not apply. */
bool rewrite_torn(struct rewriter *rewriter, const struct call *call)
{
	bool store = call->function->kind == FUNCTION_STORE;
	const char *space = space_word(&rewriter->source, call);
	int bits = (int)rewriter->plant.number, bytes = bits / 8;
	const char *part = bits == 8 ? "uchar" : bits == 16 ? "ushort" : "uint";

	if ((call->function->kind != FUNCTION_LOAD && !store) ||
	    (bits == 32 && !has_wide_atomics(&rewriter->source)))
		return false;
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call,
	         "union { @T value; %s part[%d]; } oclmm_u; "
	         "if (sizeof(oclmm_u.value) > %d) { volatile %s %s *oclmm_h = (volatile %s %s "
	         "*)oclmm_p; ",
	         part, 8 / bytes, bytes, space, part, space, part);
	if (store) {
		put_code(rewriter, call, "oclmm_u.value = @1; ");
	}
	put(rewriter,
	    "for (int oclmm_i = 0; oclmm_i < (int)sizeof(oclmm_u.value) / %d; oclmm_i++) %s; } "
	    "else ",
	    bytes,
	    store ? "oclmm_h[oclmm_i] = oclmm_u.part[oclmm_i]"
	          : "oclmm_u.part[oclmm_i] = oclmm_h[oclmm_i]");
	put(rewriter, store ? "" : "oclmm_u.value = ");
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, store ? "; (void)0; })" : "; oclmm_u.value; })");
	return true;
}

/* The other half as it was before, which may be another object. */
bool rewrite_neighbour(struct rewriter *rewriter, const struct call *call)
{
	const char *space = space_word(&rewriter->source, call);

	if (call->function->kind != FUNCTION_STORE)
		return false;
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call,
	         "@T oclmm_v = @1; if (sizeof(oclmm_v) == 4) { volatile %s uint *oclmm_h = "
	         "(volatile %s uint *)((size_t)oclmm_p & ~(size_t)7); "
	         "bool oclmm_i = ((size_t)oclmm_p & 4) != 0; "
	         "uint oclmm_n = oclmm_h[!oclmm_i]; oclmm_h[oclmm_i] = (uint)oclmm_v; "
	         "oclmm_h[!oclmm_i] = oclmm_n; } else ",
	         space, space);
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, "; (void)0; })");
	return true;
}

/* No atomic operation at all, of the same type. */
bool rewrite_plain(struct rewriter *rewriter, const struct call *call)
{
	const char *space = space_word(&rewriter->source, call);
	bool store = call->function->kind == FUNCTION_STORE;

	if (call->function->kind != FUNCTION_LOAD && !store)
		return false;
	put_object(rewriter, call, ACCESS_ATOMIC);
	put_code(rewriter, call, "%s @T *oclmm_m = (%s @T *)oclmm_p; *oclmm_m", space, space);
	if (store) {
		put_code(rewriter, call, " = @1; (void)0");
	}
	put(rewriter, "; })");
	return true;
}

/* The address without its lowest bit that counts. */
bool rewrite_element(struct rewriter *rewriter, const struct call *call)
{
	const char *replaced[CALL_ARGUMENTS] = {NULL};
	struct rewriter inner = *rewriter;
	struct oclmm_text text;

	if (call->function->kind > FUNCTION_FLAG_CLEAR)
		return false;
	inner.text = &text;
	oclmm_text_init(&text);
	put(&inner, "(__typeof__(&*(");
	put_raw(&inner, call->arguments[0]);
	put(&inner, ")))((size_t)");
	put_argument(&inner, call, 0);
	put(&inner, " & ~(size_t)(sizeof(*");
	put_argument(&inner, call, 0);
	put(&inner, ") == 4 ? 4 : 0))");
	replaced[0] = oclmm_text_string(&text);
	put_call(rewriter, call, replaced);
	oclmm_text_finish(&text);
	return true;
}

/* `*p = VALUE;` or `*(p + 1) = VALUE;` */
static bool plain_store_at(const struct source *source, size_t first, struct range *ret_object,
                           struct range *ret_value)
{
	size_t last = first + 2;

	if (!token_is(source, first, "*") || last >= source->count)
		return false;
	if (token_is(source, first + 1, "(")) {
		if (source->tokens[first + 1].match == TOKEN_UNMATCHED)
			return false;
		last = source->tokens[first + 1].match + 1;
	} else if (!token_is_name(source, first + 1)) {
		return false;
	}
	*ret_object = (struct range){first + 1, last};
	*ret_value = (struct range){last + 1, last + 1};
	while (ret_value->last < source->count && !token_is(source, ret_value->last, ";"))
		ret_value->last++;
	return token_is(source, last, "=") && ret_value->last < source->count &&
	       ret_value->last > ret_value->first;
}

/* What lies beside the object in its word as it was before. */
bool rewrite_word(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	const struct source *source = &rewriter->source;
	struct call named = {.name = first};
	struct range object, value;
	const char *space;

	if (!plain_store_at(source, first, &object, &value))
		return false;
	named.arguments[0] = object;
	space = space_word(source, &named);
	put(rewriter, "{ __typeof__(&*(");
	put_raw(rewriter, object);
	put(rewriter, ")) oclmm_p = (");
	put_raw(rewriter, object);
	put(rewriter,
	    "); if (sizeof(*oclmm_p) < 4) { volatile %s uint *oclmm_w = (volatile %s uint *)"
	    "((size_t)oclmm_p & ~(size_t)3); uint oclmm_s = (uint)((size_t)oclmm_p & 3) * 8; "
	    "uint oclmm_m = (sizeof(*oclmm_p) == 1 ? 0xffu : 0xffffu) << oclmm_s; "
	    "*oclmm_w = (*oclmm_w & ~oclmm_m) | ((uint)(",
	    space, space);
	put_raw(rewriter, value);
	put(rewriter, ") << oclmm_s & oclmm_m); } else ");
	put_raw(rewriter, (struct range){first, value.last + 1});
	put(rewriter, " }");
	*ret_next = value.last + 1;
	return true;
}
