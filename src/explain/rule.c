// SPDX-License-Identifier: Apache-2.0
/* What the rule says that an execution breaks. */
#include "internal.h"

static const char *const sentences[] = {
	[OCLMM_RULE_ATOMICITY] =
		"a read-modify-write reads the write that stands immediately before "
		"its own in modification order",
	[OCLMM_RULE_HAPPENS_BEFORE] = "nothing happens before itself",
	[OCLMM_RULE_FUTURE] = "no read happens before the write that it reads from",
	[OCLMM_RULE_HIDDEN] = "a plain read returns the last write before it in happens-before",
	[OCLMM_RULE_UNORDERED] = "a plain read takes its value from a write that happens before it",
	[OCLMM_RULE_WRITE_WRITE] = "of two writes to one object, the one that happens before the "
				   "other comes first in modification order",
	[OCLMM_RULE_WRITE_READ] =
		"a read returns no value that is older in modification order than "
		"a write which happens before it",
	[OCLMM_RULE_READ_WRITE] = "what a read returns stands in modification order before a write "
				  "that it happens before",
	[OCLMM_RULE_READ_READ] = "a read returns no value that is older in modification order than "
				 "what an earlier read returned",
	[OCLMM_RULE_THIN_AIR] = "no value is computed from itself",
};

/* ---- the order S -------------------------------------------------------- */

static bool misses(const struct oclmm_execution *x, const struct oclmm_total_edge *e)
{
	return oclmm_event_reads(&x->event[e->from]) && e->from != e->to &&
	       x->mo[x->rf[e->from]] & BIT(e->to);
}

static const char *reason(const struct oclmm_execution *x, const struct oclmm_total_edge *e)
{
	switch (e->rule) {
	case OCLMM_TOTAL_HB: return "S contains happens-before";
	case OCLMM_TOTAL_MO: return "S contains modification order";
	case OCLMM_TOTAL_READ:
		return misses(x, e) ? "rule 1: it misses that write" : "rule 1: it is read from";
	case OCLMM_TOTAL_PLACED:
		return misses(x, e) ? "rule 1: it misses that write"
		                    : "rule 1: its place in this try";
	case OCLMM_TOTAL_RULE_2: return "rule 2: a read after a seq_cst fence";
	case OCLMM_TOTAL_RULE_3: return "rule 3: a write before a seq_cst fence";
	case OCLMM_TOTAL_RULE_4: return "rule 4: a write before one fence, a read after another";
	case OCLMM_TOTAL_RULE_5: return "rule 5: a write before one fence, a write after another";
	case OCLMM_TOTAL_SCOPED: return "the scoped order of seq_cst";
	}
	return "";
}

static void print_letters(struct oclmm_text *text, const struct oclmm_execution *x,
                          const struct oclmm_total_cycle *circle)
{
	for (unsigned i = 0; i < circle->count; i++)
		oclmm_text_printf(text, "%s → ", oclmm_event_letter(x, circle->edge[i].from).text);
	oclmm_text_add(text, oclmm_event_letter(x, circle->edge[0].from).text);
}

static void print_others(struct oclmm_text *text, const struct oclmm_execution *x,
                         const struct oclmm_breach *b)
{
	oclmm_text_add(
		text,
		". A seq_cst read from a weaker write may stand in several places (rule 1); ");
	oclmm_text_add(text, b->other_count ? "the others close circles too: "
	                                    : "all of them close this circle");
	for (unsigned i = 0; i < b->other_count; i++) {
		oclmm_text_add(text, i ? "; " : "");
		print_letters(text, x, &b->other[i]);
	}
	oclmm_text_add(text, b->more ? " and more" : "");
}

static void print_order(struct oclmm_text *text, const struct oclmm_execution *x,
                        const struct oclmm_breach *b)
{
	const struct oclmm_total_cycle *c = &b->total;

	oclmm_text_add(text, "the seq_cst operations stand in one order S, and here ");
	for (unsigned i = 0; i < c->count; i++) {
		oclmm_text_add(text, i == 0 ? "" : i + 1 == c->count ? " and " : ", ");
		oclmm_text_printf(text, "%s would stand before %s (%s)",
		                  oclmm_event_letter(x, c->edge[i].from).text,
		                  oclmm_event_letter(x, c->edge[i].to).text,
		                  reason(x, &c->edge[i]));
	}
	if (b->placed)
		print_others(text, x, b);
}

const char *explain_rule(struct oclmm_arena *arena, const struct oclmm_execution *x,
                         const struct oclmm_breach *breach)
{
	struct oclmm_text text = {0};

	if (oclmm_rule_axiom(breach->rule) != OCLMM_AXIOM_SEQ_CST)
		return sentences[breach->rule];
	print_order(&text, x, breach);
	return oclmm_text_keep(&text, arena);
}
