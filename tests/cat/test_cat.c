// SPDX-License-Identifier: Apache-2.0
/*
 * The cat reader and evaluator: every operator on small sets and relations
 * worked out by hand, and what is refused, with the place.
 */

#include "../fixture/test.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/cat.h"

/* Four events; r is 0 -> 1 -> 2, s is 2 -> 3; A is {0, 1}, B is {1, 2}. */
static const struct oclmm_cat_name names[] = {{"A", OCLMM_CAT_SET},
                                              {"B", OCLMM_CAT_SET},
                                              {"r", OCLMM_CAT_RELATION},
                                              {"s-t", OCLMM_CAT_RELATION}};
static const oclmm_cat_relation a = {0x3}, b = {0x6}, r = {0x2, 0x4}, s = {0, 0, 0x8};
static const uint64_t *const values[] = {a, b, r, s};

static struct oclmm_cat_verdict judge(const char *text)
{
	static char broken[64];
	struct oclmm_cat_verdict verdict;
	struct oclmm_cat_model *model;
	struct oclmm_error error;

	if (oclmm_cat_parse("test.cat", text, strlen(text), names, OCLMM_COUNT(names), &error,
	                    &model) != 0)
		fail_msg("%s: %s", text, error.message);
	assert_int_equal(oclmm_cat_evaluate(model, 4, values, &verdict, NULL), 0);
	snprintf(broken, sizeof(broken), "%s", verdict.broken != NULL ? verdict.broken : "");
	verdict.broken = broken; /* the name is the model's */
	oclmm_cat_destroy(model);
	return verdict;
}

static void expect(const char *text, bool consistent)
{
	if (judge(text).consistent != consistent)
		fail_msg("%s should %shold", text, consistent ? "" : "not ");
}

/** Two expressions of one type have the same value. */
static void expect_equal(const char *left, const char *right)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "empty (%s) \\ (%s) empty (%s) \\ (%s)", left, right, right, left);
	expect(oclmm_text_string(&text), true);
	oclmm_text_finish(&text);
}

TEST(test_operators)
{
	expect_equal("[A]; r", "r & A * _");
	expect_equal("domain(r)", "A");
	expect_equal("range(r)", "B");
	expect_equal("domain(r; s-t)", "A & B");
	expect_equal("range(r+)", "B");
	expect_equal("r^+", "r | r; r");
	expect_equal("r?", "r | [_]");
	expect_equal("r*", "r? | r; r");
	expect_equal("r^-1; r", "[B]");
	expect_equal("r; r^-1", "[A]");
	expect_equal("(A * B)^-1", "B * A");
	expect_equal("~A & B", "B \\ A");
	expect_equal("~(A * A) & A * B", "A * (B \\ A)");
	expect_equal("~~r", "r");
	/* (A \ B) \ A is empty, A \ (B \ A) is not */
	expect("empty A \\ B \\ A", true);
	expect("empty A \\ (B \\ A)", false);
	/* & binds tighter than \, which binds tighter than ;, and that tighter than | */
	expect_equal("A \\ B & A", "A \\ (B & A)");
	expect_equal("r; r \\ r", "r; (r \\ r)");
	expect_equal("r | r; s-t", "r | (r; s-t)");
}

TEST(test_checks)
{
	expect("acyclic r | s-t", true);
	expect("acyclic r | r; s-t; (_ * _)", false);
	expect("irreflexive r; r", true);
	expect("irreflexive r; r^-1", false);
	expect("~empty r", true);
	expect("~acyclic r", false);
	assert_string_equal(judge("acyclic r as one irreflexive r; r^-1 as two").broken, "two");
	assert_string_equal(judge("empty A").broken, "empty");
	assert_int_equal(judge("flag empty A as f flag ~empty A as g flag ~empty r").flags, 6);
}

TEST(test_let)
{
	expect("\"title\" (* a (* nested *) comment *) let x = r and y = s-t empty x; y \\ r; s-t",
	       true);
	/* the later x is the nearer one */
	expect("let x = r let x = x & s-t empty x", true);
	expect("let rec p = r | r; p empty p \\ r^+ empty r^+ \\ p", true);
	/* each in terms of the other: paths of odd and of even length */
	expect("let rec odd = r | r; even and even = r; odd empty odd \\ r empty even \\ r; r "
	       "~empty even",
	       true);
	expect("let rec x = x empty x", true);
}

TEST(test_functions)
{
	expect("let f(x) = x; x empty f(r) \\ r; r ~empty f(r)", true);
	/* of sets and of relations, with the names that are known where it stands */
	expect("let x = s-t let f(y) = x | y let x = r empty f(r) \\ (r | s-t) empty s-t \\ f(r)",
	       true);
	expect("let f(x) = x & x empty f(A) \\ A empty f(r) \\ r", true);
	/* each call has its own arguments, calls in arguments too */
	expect("let f(x, y) = x \\ y empty f(A, f(A, B)) \\ (A & B) ~empty f(A, f(A, B))", true);
	expect("let f(x) = x let g(x) = f(x); f(r) empty g(f(s-t)) \\ s-t; r", true);
	/* up to the next statement, and beside others of a let */
	expect("let f(x) = x and y = r ~empty f(y) acyclic f(y)", true);
	expect("let f(x) = x ~acyclic f(r)", false);
	/* in a recursion, which is found to be one through them */
	expect("let step(x) = r | r; x let rec p = step(p) empty p \\ r+ empty r+ \\ p", true);
	expect("let not(x) = ~x let rec p = r | not(not(p; r)) empty p \\ r+ empty r+ \\ p", true);
}

TEST(test_words_of_others)
{
	expect("C RC11\nempty r", false);
	expect("OpenCL\n(* a *) empty r", false);
	expect("OpenCL \"of some year\" empty r", false);
	expect("// empty r\nempty r \\ r // ~empty r", true);
	expect("show r, s-t as x unshow r show (A * _) \\ id as y ~empty r", true);
	assert_int_equal(judge("undefined_unless empty A as f undefined_unless empty A \\ A "
	                       "undefined_unless ~empty A flag ~empty A")
	                         .flags,
	                 9);
	expect_equal("0", "r \\ r");
	expect_equal("A | 0", "A");
	expect_equal("0 | A", "A");
	expect_equal("A * 0", "r \\ r");
	expect_equal("id & r", "0");
	expect_equal("toid(A); unv", "A * _");
	/* a name of the model's own stands before it */
	expect("let id = r empty id \\ r", true);
	assert_string_equal(judge("irreflexive r | id // r\n as x").broken, "x");
}

/* As herd and Dartagnan define them, in terms of names that a model is given. */
TEST(test_standard_names)
{
	static const struct oclmm_cat_name given[] = {
		{"R", OCLMM_CAT_SET},        {"W", OCLMM_CAT_SET},
		{"A", OCLMM_CAT_SET},        {"rf", OCLMM_CAT_RELATION},
		{"co", OCLMM_CAT_RELATION},  {"po", OCLMM_CAT_RELATION},
		{"loc", OCLMM_CAT_RELATION}, {"int", OCLMM_CAT_RELATION},
		{"ext", OCLMM_CAT_RELATION}, {"ACQ", OCLMM_CAT_SET},
		{"REL", OCLMM_CAT_SET},      {"ACQ_REL", OCLMM_CAT_SET},
		{"SC", OCLMM_CAT_SET}};
	/* write 0, write 1 and update 2 of one work-item, read 3 of another, all of one object:
	 * co is 0 1 2; 2 reads from 1, and 3 reads from 0; 1 and 2 are atomic, 2 is an acquire */
	static const uint64_t reads = 0xc, writes = 0x7, atomic = 0x6, acquires = 0x4, none = 0;
	static const oclmm_cat_relation from = {0x8, 0x4}, order = {0x6, 0x4}, before = {0x6, 0x4},
					same = {0xf, 0xf, 0xf, 0xf}, inside = {0x7, 0x7, 0x7, 0x8},
					outside = {0x8, 0x8, 0x8, 0x7};
	const uint64_t *const all[] = {&reads, &writes, &atomic,   from,  order, before, same,
	                               inside, outside, &acquires, &none, &none, &none};
	static const char *const equal[][2] = {{"M", "_"},
	                                       {"RMW", "R & W"},
	                                       {"RLX", "A & W \\ R"},
	                                       {"NA", "_ \\ A"},
	                                       {"fr", "[R \\ W]; loc; [W \\ (W \\ A \\ R)]"},
	                                       {"fre", "fr & ext"},
	                                       {"fri", "0"},
	                                       {"rfe", "[W \\ A]; rf"},
	                                       {"rfi", "[A]; rf"},
	                                       {"coe", "0"},
	                                       {"coi", "co"},
	                                       {"po-loc", "po"},
	                                       {"fencerel(A)", "[W \\ A]; po; [A & R]"}};

	for (size_t i = 0; i < OCLMM_COUNT(equal); i++) {
		struct oclmm_text text = {0};
		struct oclmm_cat_verdict verdict;
		struct oclmm_cat_model *model;
		struct oclmm_error error;

		oclmm_text_printf(&text, "empty (%s) \\ (%s) empty (%s) \\ (%s)", equal[i][0],
		                  equal[i][1], equal[i][1], equal[i][0]);
		if (oclmm_cat_parse("t", text.data, text.length, given, OCLMM_COUNT(given), &error,
		                    &model) != 0)
			fail_msg("%s: %s", equal[i][0], error.message);
		assert_int_equal(oclmm_cat_evaluate(model, 4, all, &verdict, NULL), 0);
		if (!verdict.consistent)
			fail_msg("%s is not %s", equal[i][0], equal[i][1]);
		oclmm_cat_destroy(model);
		oclmm_text_finish(&text);
	}
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* From the folder of the file that names it on; the name of the model changes with each of them. */
TEST(test_include)
{
	char folder[] = "cat-XXXXXX", main[64], part[64], again[64];
	struct oclmm_cat_verdict verdict;
	struct oclmm_cat_model *model;
	struct oclmm_error error;
	char name[64];
	FILE *file;

	assert_non_null(mkdtemp(folder));
	snprintf(main, sizeof(main), "%s/main.cat", folder);
	snprintf(part, sizeof(part), "%s/part.cat", folder);
	snprintf(again, sizeof(again), "%s/again.cat", folder);
	write_file(main, "C MAIN\ninclude \"cos.cat\"\ninclude \"part.cat\"\nempty f(x) as last\n");
	write_file(part, "PART\nlet f(y) = y; y\nlet x = r acyclic x as first");
	assert_int_equal(oclmm_cat_read(main, names, OCLMM_COUNT(names), &error, &model), 0);
	assert_int_equal(oclmm_cat_evaluate(model, 4, values, &verdict, NULL), 0);
	assert_string_equal(verdict.broken, "last");
	snprintf(name, sizeof(name), "%s", oclmm_cat_name(model));
	assert_memory_equal(name, "main.cat-", strlen("main.cat-"));
	oclmm_cat_destroy(model);

	/* what is wrong is said of the file that it stands in */
	write_file(part, "let f(y) = y; y\nlet x = r irreflexive x as first");
	assert_int_equal(oclmm_cat_read(main, names, OCLMM_COUNT(names), &error, &model), 0);
	assert_string_not_equal(name, oclmm_cat_name(model));
	oclmm_cat_destroy(model);
	write_file(part, "\n  let x = nothing");
	assert_int_equal(oclmm_cat_read(main, names, OCLMM_COUNT(names), &error, &model), -EINVAL);
	assert_string_equal(error.file, part);
	assert_int_equal(error.position.line, 2);
	assert_string_equal(error.source, "  let x = nothing");
	write_file(part, "let f(y) = [y]\nlet x = r");
	assert_int_equal(oclmm_cat_read(main, names, OCLMM_COUNT(names), &error, &model), -EINVAL);
	assert_string_equal(error.file, part);
	assert_string_equal(error.source, "let f(y) = [y]");
	assert_string_equal(error.message,
	                    "a set is wanted here, this is a relation; line 4 calls f");

	/* what is not there is no deeper */
	file = fopen(main, "w");
	for (unsigned i = 0; i < 300; i++)
		fputs("include \"cos.cat\"\n", file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(oclmm_cat_read(main, names, OCLMM_COUNT(names), &error, &model), 0);
	oclmm_cat_destroy(model);

	/* files that name each other */
	write_file(main, "include \"part.cat\"");
	write_file(part, "include \"again.cat\"");
	write_file(again, "include \"part.cat\"");
	assert_int_equal(oclmm_cat_read(main, names, OCLMM_COUNT(names), &error, &model), -EINVAL);
	assert_string_equal(error.message, "nested too deeply");
	remove(main);
	remove(part);
	remove(again);
	assert_int_equal(rmdir(folder), 0);
}

/* Each function calls the one before it twice. */
TEST(test_growth)
{
	struct oclmm_text text = {0};
	struct oclmm_error error;
	struct oclmm_cat_model *model;

	oclmm_text_add(&text, "let f0(x) = x\n");
	for (unsigned i = 1; i < 40; i++)
		oclmm_text_printf(&text, "let f%u(x) = (f%u(x)); (f%u(x))\n", i, i - 1, i - 1);
	oclmm_text_add(&text, "empty f39(r)");
	assert_int_equal(oclmm_cat_parse("big.cat", text.data, text.length, names,
	                                 OCLMM_COUNT(names), &error, &model),
	                 -EINVAL);
	assert_memory_equal(error.message, "with what its functions call, this is too large",
	                    strlen("with what its functions call, this is too large"));
	oclmm_text_finish(&text);
}

TEST(test_linearisations)
{
	expect("with S from linearisations(_, r) ~empty [A \\ B]; S; [B \\ A]", true);
	/* some order will do: B's first event may come before A's, unless r is obeyed */
	expect("with S from linearisations(A | B, r) empty S & r", false);
	expect("with S from linearisations(A | B, r \\ r) empty S & r", true);
	/* total and transitive, on three events: three pairs */
	expect("with S from linearisations(A | B, r \\ r) "
	       "empty ((A | B) * (A | B)) \\ (S | S^-1 | [_]) empty S; S \\ S acyclic S",
	       true);
	expect("with S from linearisations(_, r | r^-1) empty S \\ S", false);
	assert_string_equal(judge("with S from linearisations(_, r | r^-1)").broken,
	                    "linearisations");
}

/* ---- why a check does not hold ---- */

enum { EVENTS = 6 };

static const struct oclmm_cat_name drawn_names[] = {{"A", OCLMM_CAT_SET},
                                                    {"p", OCLMM_CAT_RELATION},
                                                    {"q", OCLMM_CAT_RELATION}};

/* Checks whose ways consist of p and q alone; those of `empty` are no cycles. */
static const struct {
	const char *text;
	bool cycle;
} drawn_checks[] = {
	{"acyclic p | q", true},
	{"acyclic p; q", true},
	{"irreflexive p; q^-1; p?", true},
	{"let a = p+ let b = (a; q) | q; a irreflexive b", true},
	{"let a = [A]; p & A * _ acyclic a | q", true},
	{"irreflexive ((p | q)+ & A * A) \\ p", true},
	{"acyclic (p; q*)", true},
	{"with S from linearisations(A, p & q) acyclic p | q", true},
	{"empty p; q; p", false},
	{"empty (p; q^-1) & A * A", false},
	{"let f(x, y) = (x; y) | (y; x) acyclic f(p, q)", true},
	{"let f(x) = x & A * A let g(x) = f(x); q+ irreflexive g(p | q)", true},
	{"let rec t = p | t; q empty t \\ t", false},
};

static uint64_t drawn(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Every step is an edge of the relation that it names, and leads on from the one before. */
static void check_way(const struct oclmm_cat_why *why, const uint64_t *p, const uint64_t *q,
                      bool cycle)
{
	assert_true(why->count > 0);
	for (unsigned i = 0; i < why->count; i++) {
		const struct oclmm_cat_step *step = &why->steps[i];
		const uint64_t *relation = strcmp(step->name, "p") == 0 ? p : q;

		assert_true(relation == p || strcmp(step->name, "q") == 0);
		if (step->inverse)
			assert_true(relation[step->to] >> step->from & 1);
		else
			assert_true(relation[step->from] >> step->to & 1);
		if (i > 0)
			assert_int_equal(why->steps[i - 1].to, step->from);
	}
	if (cycle)
		assert_int_equal(why->steps[why->count - 1].to, why->steps[0].from);
}

TEST(test_why)
{
	uint64_t seed = 1;
	unsigned broken[OCLMM_COUNT(drawn_checks)] = {0};

	for (unsigned round = 0; round < 4000; round++) {
		size_t at = round % OCLMM_COUNT(drawn_checks);
		const char *text = drawn_checks[at].text;
		oclmm_cat_relation p, q;
		const uint64_t set = drawn(&seed) & ((1 << EVENTS) - 1);
		const uint64_t *const all[] = {&set, p, q};
		struct oclmm_cat_verdict verdict, plain;
		struct oclmm_cat_model *model;
		struct oclmm_cat_why why;
		struct oclmm_error error;

		for (unsigned i = 0; i < EVENTS; i++) {
			p[i] = drawn(&seed) & drawn(&seed) & ((1 << EVENTS) - 1);
			q[i] = drawn(&seed) & drawn(&seed) & ((1 << EVENTS) - 1);
		}
		if (oclmm_cat_parse("t", text, strlen(text), drawn_names, 3, &error, &model) != 0)
			fail_msg("%s: %s", text, error.message);
		assert_int_equal(oclmm_cat_evaluate(model, EVENTS, all, &verdict, &why), 0);
		assert_int_equal(oclmm_cat_evaluate(model, EVENTS, all, &plain, NULL), 0);
		assert_int_equal(verdict.consistent, plain.consistent);
		if (!verdict.consistent && strcmp(verdict.broken, "linearisations") != 0) {
			broken[at]++;
			check_way(&why, p, q, drawn_checks[at].cycle);
		}
		oclmm_cat_destroy(model);
	}
	for (size_t i = 0; i + 1 < OCLMM_COUNT(broken); i++)
		if (broken[i] < 20)
			fail_msg("%s broke %u times only", drawn_checks[i].text, broken[i]);
}

/* Two ways to the same answer: leaving out what nothing follows, and the closure. */
TEST(test_acyclic_is_no_loop_of_the_closure)
{
	static const char text[] = "flag ~acyclic p as cycle flag ~irreflexive p+ as loop";
	struct oclmm_cat_model *model;
	struct oclmm_error error;
	unsigned cycles = 0;
	uint64_t seed = 2;

	if (oclmm_cat_parse("t", text, strlen(text), drawn_names, 3, &error, &model) != 0)
		fail_msg("%s", error.message);
	for (unsigned round = 0; round < 4000; round++) {
		/* of all sizes, up to the most events that there may be */
		unsigned events = 1 + round % OCLMM_CAT_MAX_EVENTS;
		oclmm_cat_relation p = {0}, q = {0};
		const uint64_t set = 0;
		const uint64_t *const all[] = {&set, p, q};
		struct oclmm_cat_verdict verdict;

		for (unsigned edge = 0; edge < events; edge++)
			p[drawn(&seed) % events] |= UINT64_C(1) << drawn(&seed) % events;
		assert_int_equal(oclmm_cat_evaluate(model, events, all, &verdict, NULL), 0);
		assert_true(verdict.flags == 0 || verdict.flags == 3);
		cycles += verdict.flags != 0;
	}
	assert_in_range(cycles, 400, 3600);
	oclmm_cat_destroy(model);
}

static struct oclmm_cat_why explain(const char *text, struct oclmm_cat_model **ret_model)
{
	struct oclmm_cat_verdict verdict;
	struct oclmm_cat_why why;
	struct oclmm_error error;

	assert_int_equal(oclmm_cat_parse("t", text, strlen(text), names, OCLMM_COUNT(names), &error,
	                                 ret_model),
	                 0);
	assert_int_equal(oclmm_cat_evaluate(*ret_model, 4, values, &verdict, &why), 0);
	assert_false(verdict.consistent);
	return why;
}

/* The check as written, its line, and the way: 0 -r-> 1 -r-> 2 -s-t-> 3. */
TEST(test_why_in_words)
{
	struct oclmm_cat_model *model;
	struct oclmm_cat_why why = explain("let x = r; r\n\nempty  x;\n  (* a *) s-t as name",
	                                   &model);

	assert_string_equal(why.name, "name");
	assert_string_equal(why.check, "empty x; s-t");
	assert_int_equal(why.line, 3);
	assert_int_equal(why.number, 1);
	assert_false(why.ordered);
	assert_int_equal(why.count, 3);
	assert_string_equal(why.steps[2].name, "s-t");
	assert_int_equal(why.steps[2].to, 3);
	oclmm_cat_destroy(model);
	/* of a set, and of a check that is turned round, there is nothing to show */
	why = explain("empty A", &model);
	assert_int_equal(why.count, 0);
	oclmm_cat_destroy(model);
	why = explain("~empty r \\ r", &model);
	assert_int_equal(why.count, 0);
	oclmm_cat_destroy(model);
	/* what no relation is named by, is named by its let */
	why = explain("let pairs = A * B empty pairs", &model);
	assert_string_equal(why.steps[0].name, "pairs");
	oclmm_cat_destroy(model);
}

TEST(test_limits)
{
	static const char text[] = "with S from linearisations(_, _ * _ \\ _ * _)";
	struct oclmm_cat_verdict verdict;
	struct oclmm_cat_model *model;
	struct oclmm_error error;

	assert_int_equal(oclmm_cat_parse("t", text, strlen(text), names, OCLMM_COUNT(names), &error,
	                                 &model),
	                 0);
	assert_int_equal(oclmm_cat_evaluate(model, 13, values, &verdict, NULL), -E2BIG);
	assert_int_equal(oclmm_cat_evaluate(model, 65, values, &verdict, NULL), -E2BIG);
	oclmm_cat_destroy(model);
}

#define EXPECTED                                                                                   \
	"expected let, with, flag, acyclic, irreflexive, empty, undefined_unless, show or include"
#define FALLS(name) name " stands behind ~ or \\ in its own let rec: no solution is the least"

TEST(test_refusals)
{
	static const struct {
		const char *text;
		uint32_t line, column, length;
		const char *message;
	} refusals[] = {
		{"let x = y", 1, 9, 1, "nothing has the name y"},
		{"lets x = r", 1, 1, 4, EXPECTED},
		{"C RC11 x\nlet y = r", 1, 1, 1, EXPECTED},
		{"let x = fre", 1, 9, 3, "nothing has the name fre"},
		{"let x = rmw", 1, 9, 3,
	         "nothing has the name rmw: a read-modify-write is one event, in R and in W"},
		{"forall x in r do acyclic x end", 1, 1, 6, EXPECTED},
		{"let f(x) = x; z\nempty f(r)", 1, 15, 1, "nothing has the name z; line 2 calls f"},
		{"let f(x) = [x]\n\nempty f(r)", 1, 13, 1,
	         "a set is wanted here, this is a relation; line 3 calls f"},
		{"let f(x) = x x\nempty f(r)", 1, 14, 1,
	         "the function's body ends before this; line 2 calls f"},
		{"let f(x) =\nempty f(r)", 2, 1, 5, "expected an expression; line 2 calls f"},
		{"let f(x) = f(x)\nempty f(r)", 1, 12, 1, "nothing has the name f; line 2 calls f"},
		{"let rec f(x) = r", 1, 10, 1, "a function cannot call itself"},
		{"let f(x, y) = x; y\nempty f(r)", 2, 10, 1, "expected ,"},
		{"let f(x) = x\nempty f(r, r)", 2, 10, 1, "expected )"},
		{"let f(x) = x\nempty f", 2, 8, 1, "expected ("},
		{"let f(x = x", 1, 9, 1, "expected )"},
		{"let f() = r", 1, 7, 1, "expected a name"},
		{"let f(a,b,c,d,e,g,h,i,j) = a", 1, 23, 1, "too many parameters"},
		{"empty toid(r)", 1, 2, 1,
	         "a set is wanted here, this is a relation; line 1 calls toid"},
		{"let rec p = r \\ p", 1, 17, 1, FALLS("p")},
		{"let rec p = ~p", 1, 14, 1, FALLS("p")},
		{"let rec p = r \\ q and q = p", 1, 17, 1, FALLS("q")},
		{"let rec p = ~(r \\ ~(r; p))", 1, 24, 1, FALLS("p")},
		{"let not(x) = ~x let rec p = r & not(not(not(p)))", 1, 45, 1, FALLS("p")},
		{"include x", 1, 9, 1, "expected the name of a file in quotes"},
		{"empty r include \"none.cat\"", 1, 17, 1,
	         "cannot read none.cat: No such file or directory"},
		{"let x = A\nempty x | r", 2, 11, 1, "a set is wanted here, this is a relation"},
		{"acyclic A", 1, 9, 1, "a relation is wanted here, this is a set"},
		{"empty A; r", 1, 7, 1, "a relation is wanted here, this is a set"},
		{"empty r * A", 1, 11, 1, EXPECTED},
		{"empty A * r", 1, 11, 1, "a set is wanted here, this is a relation"},
		{"empty A+", 1, 7, 1, "a relation is wanted here, this is a set"},
		{"empty [r]", 1, 8, 1, "a set is wanted here, this is a relation"},
		{"let rec x = A", 1, 13, 1, "a relation is wanted here, this is a set"},
		{"empty (A", 1, 9, 1, "expected )"},
		{"empty domain r", 1, 14, 1, "expected ("},
		{"let let = A", 1, 5, 3, "this word cannot be a name"},
		{"let 3 = A", 1, 5, 1, "this character means nothing here"},
		{"let x A", 1, 7, 1, "expected ="},
		{"empty", 1, 6, 1, "expected an expression"},
		{"empty A as", 1, 11, 1, "expected a name"},
		{"\n  (* no end", 2, 3, 2, "comment without end"},
		{"\"no end\n", 1, 1, 1, "string without end"},
		{"empty A $", 1, 9, 1, "this character means nothing here"},
		{"empty r^2", 1, 8, 1, "this character means nothing here"},
		{"with S from generate_cos(r)", 1, 13, 12, "expected linearisations"},
	};

	for (size_t i = 0; i < OCLMM_COUNT(refusals); i++) {
		const char *text = refusals[i].text;
		struct oclmm_error error;
		struct oclmm_cat_model *model;

		assert_int_equal(oclmm_cat_parse("bad.cat", text, strlen(text), names,
		                                 OCLMM_COUNT(names), &error, &model),
		                 -EINVAL);
		assert_string_equal(error.message, refusals[i].message);
		assert_string_equal(error.file, "bad.cat");
		assert_int_equal(error.position.line, refusals[i].line);
		assert_int_equal(error.position.column, refusals[i].column);
		assert_int_equal(error.position.length, refusals[i].length);
	}
}

TEST(test_depth)
{
	struct oclmm_text text = {0};
	struct oclmm_error error;
	struct oclmm_cat_model *model;

	oclmm_text_add(&text, "empty ");
	for (unsigned i = 0; i < 100000; i++)
		oclmm_text_add(&text, i % 2 == 0 ? "(" : "~");
	assert_int_equal(oclmm_cat_parse("deep.cat", text.data, text.length, names,
	                                 OCLMM_COUNT(names), &error, &model),
	                 -EINVAL);
	assert_string_equal(error.message, "nested too deeply");
	oclmm_text_finish(&text);
}

TEST(test_missing_file)
{
	struct oclmm_error error;
	struct oclmm_cat_model *model;

	assert_int_equal(oclmm_cat_read("/nowhere/x.cat", names, OCLMM_COUNT(names), &error,
	                                &model),
	                 -ENOENT);
	assert_string_equal(error.message, "cannot read /nowhere/x.cat: No such file or directory");
}
