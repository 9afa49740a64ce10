// SPDX-License-Identifier: Apache-2.0
/*
 * Files of compare-exchanges. P0 and P1 both expect the initial value, and one
 * of them finds it; then P0 tries three times more, with a value of which one half
 * only is what it stored if it was first, or all but the highest bit, and fails; once it offers
 * what it expected first, so that a weak one that takes one for the other would succeed. P1 stores
 * 0: a function of 1.x in place of what it stored first, because nothing but a result says that it
 * did; the others at once, as what they expected says it, and a second attempt would cost eight
 * times as many executions.
 */

#include "write.h"

/* What the letters stand for, as halves. */
static const struct {
	char name;
	int thread; /* -1: both */
	int high, low;
	bool turned; /* its highest bit */
	bool legacy; /* for functions of 1.x alone */
} halves[] = {
	{'e', -1, 1, 2, false, false}, /* expected first: what the object begins as */
	{'a', 0, -3, 4, false, false},  {'f', 0, 5, 4, false, false}, /* the low half of a */
	{'h', 0, -3, 10, false, false},                               /* its high half */
	{'t', 0, -3, 4, true, false}, /* all of it but the highest bit */
	{'b', 0, 6, 7, false, false},   {'c', 1, -8, 9, false, true}, {'z', 1, 0, 0, false, false},
};
enum { INITIAL = 0, P1_STORES = 7 };

/* The calls, P0's first. */
static const struct attempt {
	char expected, desired;
	const char *result;
	const char *success, *failure; /* orders; functions of 1.x have none */
} attempts[] = {{'e', 'a', "r0", "relaxed", "relaxed"},
                {'f', 'b', "r1", "acq_rel", "acquire"},
                {'h', 'e', "r2", "release", "relaxed"},
                {'t', 'b', "r3", "acquire", "acquire"},
                {'e', 'z', "r0", "acq_rel", "relaxed"}},
  legacy_attempts[] = {{'e', 'a', "r0", NULL, NULL}, {'f', 'b', "r1", NULL, NULL},
                       {'h', 'e', "r2", NULL, NULL}, {'t', 'b', "r3", NULL, NULL},
                       {'e', 'c', "r0", NULL, NULL}, {'c', 'z', "r1", NULL, NULL}};
enum { P0_ATTEMPTS = 4 };
/* What shows without their results: what P0 stores last, and P1. */
enum { LAST = 1 << 3 | 1 << 4, LEGACY_LAST = 1 << 3 | 1 << 5 };

struct compare {
	const char *function; /* without `_explicit` */
	bool legacy, weak;
	const struct attempt *attempts;
	unsigned count; /* of attempts */
};

/* A way to write the calls: which ones have their results used. */
struct spelling {
	const char *name; /* NULL: as the file has them */
	bool is_short;
	unsigned unused; /* set of 1u << attempt */
};

/* Of the functions of 1.x nothing but a result shows what is there in between. */
static const struct spelling legacy_forms[] = {{NULL, false, 0},
                                               {"unused", false, 3 | LEGACY_LAST},
                                               {"unused-2", false, 5 | LEGACY_LAST}};
static const struct spelling strong_forms[] = {{NULL, false, 0},
                                               {"unused", false, 7 | LAST},
                                               {"short", true, 0},
                                               {"short-unused", true, 7 | LAST}};
static const struct spelling weak_forms[] = {{NULL, false, 0}, {"short", true, 0}};

static int64_t number(enum oclmm_type type, size_t index)
{
	unsigned half = oclmm_type_bits(type) / 2;
	/* every byte of the low half, too, is another one */
	uint64_t low = (uint64_t)halves[index].low;
	uint64_t high = (uint64_t)(int64_t)halves[index].high << half;

	if (halves[index].turned)
		high ^= UINT64_C(1) << (2 * half - 1);
	return oclmm_value_wrap(type, (int64_t)(high | low));
}

static void write_declaration(struct oclmm_text *text, enum oclmm_type type, size_t index)
{
	oclmm_text_printf(text, "%s %c = ", oclmm_type_name(type), halves[index].name);
	write_literal(text, type, number(type, index));
	oclmm_text_add(text, ";");
}

static void write_attempt(struct oclmm_text *text, const struct compare *compare,
                          const struct spelling *form, unsigned index)
{
	const struct attempt *attempt = &compare->attempts[index];
	bool is_explicit = !form->is_short && !compare->legacy;

	oclmm_text_printf(text, "int %s = ", attempt->result);
	if (form->unused >> index & 1)
		oclmm_text_add(text, "0; ");
	oclmm_text_printf(text, "%s%s(x, %s%c, %c", compare->function,
	                  is_explicit ? "_explicit" : "", compare->legacy ? "" : "&",
	                  attempt->expected, attempt->desired);
	if (is_explicit)
		oclmm_text_printf(text, ", memory_order_%s, memory_order_%s, memory_scope_device",
		                  attempt->success, attempt->failure);
	oclmm_text_add(text, ");");
}

static void write_in_two(struct oclmm_text *text, const struct compare *compare, unsigned index)
{
	const struct attempt *attempt = &compare->attempts[index];
	const char *result = attempt->result;
	const char *scope = compare->legacy ? "memory_order_relaxed, memory_scope_work_group"
	                                    : ORDER_SCOPE;
	char expected = attempt->expected, desired = attempt->desired;

	if (compare->legacy) {
		oclmm_text_printf(text,
		                  "int %s = atomic_load_explicit(x, %s); if (%s == %c) "
		                  "atomic_store_explicit(x, %c, %s);",
		                  result, scope, result, expected, desired, scope);
		return;
	}
	oclmm_text_printf(text,
	                  "int %s = (%c == atomic_load_explicit(x, %s)); "
	                  "if (%s) atomic_store_explicit(x, %c, %s); "
	                  "if (%s == 0) %c = atomic_load_explicit(x, %s);",
	                  result, expected, scope, result, desired, scope, result, expected, scope);
}

/* ---- axes ------------------------------------------------------------ */

static void write_form(struct oclmm_text *text, const struct compare *compare,
                       const struct spelling *form)
{
	for (unsigned i = 0; i < compare->count; i++) {
		oclmm_text_add(text, i > 0 ? "\n    , " : "");
		write_attempt(text, compare, form, i);
	}
}

static void write_by(struct oclmm_text *text, const struct compare *compare)
{
	const struct spelling *forms = compare->legacy ? legacy_forms
	                               : compare->weak ? weak_forms
	                                               : strong_forms;
	size_t count = compare->legacy ? OCLMM_COUNT(legacy_forms)
	               : compare->weak ? OCLMM_COUNT(weak_forms)
	                               : OCLMM_COUNT(strong_forms);

	oclmm_text_add(text, "vary by: ");
	write_form(text, compare, &forms[0]);
	for (size_t i = 1; i < count; i++) {
		oclmm_text_printf(text, "\n    %s \"%s\" ", i == 1 ? "=>" : "|", forms[i].name);
		write_form(text, compare, &forms[i]);
	}
	oclmm_text_add(text, "\n    | \"load-store\" ");
	for (unsigned i = 0; i < compare->count; i++) {
		oclmm_text_add(text, i > 0 ? "\n    , " : "");
		write_in_two(text, compare, i);
	}
	oclmm_text_add(text, "\n");
}

/* P1 succeeded, and what it stored last is gone. */
static void write_wrong(struct oclmm_text *text, const struct compare *compare,
                        enum oclmm_type type)
{
	oclmm_text_add(text, compare->legacy ? "1:r0=" : compare->weak ? "1:r0=1" : "1:e=");
	if (!compare->weak)
		write_value(text, type, number(type, INITIAL));
	oclmm_text_add(text, " /\\ [x]!=");
	write_value(text, type, number(type, P1_STORES));
}

static void write_type(struct oclmm_text *text, const struct compare *compare)
{
	for (int t = OCLMM_TYPE_INT; t <= OCLMM_TYPE_ULONG; t++) {
		enum oclmm_type type = (enum oclmm_type)t;
		const char *name = oclmm_type_name(type);

		oclmm_text_add(text, t == 0 ? "vary type: " : t == 1 ? "\n    => " : "\n    | ");
		if (t > 0)
			oclmm_text_printf(text, "\"%s\" ", name);
		oclmm_text_printf(text, "%s *x", oclmm_type_spelling(type, !compare->legacy));
		oclmm_text_add(text, "\n    , [x] = ");
		write_value(text, type, number(type, 0));
		oclmm_text_add(text, ";");
		for (size_t i = 0; i < OCLMM_COUNT(halves); i++) {
			if (halves[i].legacy && !compare->legacy)
				continue;
			oclmm_text_add(text, "\n    , ");
			write_declaration(text, type, i);
		}
		if (compare->legacy)
			oclmm_text_printf(
				text,
				"\n    , %s r0\n    , %s r1\n    , %s r2\n    , %s r3\n    , %s",
				name, name, name, name,
				oclmm_type_bits(type) == 64 ? "atom_cmpxchg" : "atomic_cmpxchg");
		oclmm_text_add(text, "\n    , ");
		write_wrong(text, compare, type);
	}
	oclmm_text_add(text, "\n");
}

/* ---- the file -------------------------------------------------------- */

static void write_head(struct oclmm_text *text, const struct compare *compare)
{
	const char *name = compare->legacy ? "atomic_cmpxchg"
	                   : compare->weak ? "compare_exchange_weak"
	                                   : "compare_exchange_strong";

	oclmm_text_printf(text,
	                  "OPENCL %s+values\n\n"
	                  "\"%sompare-exchanges of values that agree in one half: as they "
	                  "should be?\"\n\n"
	                  "(* Result: Never\n *\n",
	                  name,
	                  compare->legacy ? "OpenCL 1.x c"
	                  : compare->weak ? "Weak c"
	                                  : "C");
	write_paragraph(
		text,
		"P0 and P1 both expect what is there in the beginning, %s. Then P0 tries "
		"three times more, with the low half of what it stored if it was first, with "
		"the high half, and with all but the highest bit: that must fail, store "
		"nothing, and give what is there. P1 stores 0%s. "
		"The control compares and stores in two steps.",
		compare->weak ? "and at most one of them finds it" : "and one of them finds it",
		compare->legacy ? " in place of what it stored" : "");
	if (!compare->legacy)
		write_about_orders(text);
	oclmm_text_add(text, " *)\n\n");
}

static void write_axes(struct oclmm_text *text, const struct compare *compare)
{
	write_by(text, compare);
	write_type(text, compare);
	if (compare->legacy)
		oclmm_text_add(text, "vary space: global => local\n");
	else
		oclmm_text_add(text, VARY_PLACE);
	oclmm_text_add(text, "control by=load-store\n\n");
}

static void write_thread(struct oclmm_text *text, const struct compare *compare, int thread)
{
	oclmm_text_printf(text, "\nP%d@wg %d, dev 0 (global %s *x) {\n", thread,
	                  compare->legacy ? 0 : thread,
	                  oclmm_type_spelling(OCLMM_TYPE_INT, !compare->legacy));
	for (size_t i = 0; i < OCLMM_COUNT(halves); i++) {
		if ((halves[i].thread == thread || halves[i].thread < 0) &&
		    (!halves[i].legacy || compare->legacy)) {
			oclmm_text_add(text, "  ");
			write_declaration(text, OCLMM_TYPE_INT, i);
			oclmm_text_add(text, "\n");
		}
	}
	for (unsigned i = thread ? P0_ATTEMPTS : 0; i < (thread ? compare->count : P0_ATTEMPTS);
	     i++) {
		oclmm_text_add(text, i % P0_ATTEMPTS ? "\n  " : "  ");
		write_attempt(text, compare, &strong_forms[0], i);
	}
	oclmm_text_add(text, "\n}\n");
}

void write_compare_exchange(struct oclmm_text *text, enum oclmm_operation op, bool legacy)
{
	const struct compare compare = {
		legacy ? "atomic_cmpxchg" : oclmm_operation_stem(op),
		legacy,
		op == OCLMM_OP_CAS_WEAK,
		legacy ? legacy_attempts : attempts,
		legacy ? OCLMM_COUNT(legacy_attempts) : OCLMM_COUNT(attempts),
	};

	write_head(text, &compare);
	write_axes(text, &compare);
	oclmm_text_add(text, "{\n[x] = ");
	write_value(text, OCLMM_TYPE_INT, number(OCLMM_TYPE_INT, 0));
	oclmm_text_add(text, ";\n}\n");
	for (int i = 0; i < 2; i++)
		write_thread(text, &compare, i);
	oclmm_text_printf(text, "\nlocations [x; 0:r0; 0:r1; 0:r2; 0:r3; %s1:r0;%s]\nexists (",
	                  legacy ? "" : "0:e; 0:f; 0:h; 0:t; ", legacy ? " 1:r1;" : " 1:e;");
	write_wrong(text, &compare, OCLMM_TYPE_INT);
	oclmm_text_add(text, ")\n");
}
