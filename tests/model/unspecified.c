// SPDX-License-Identifier: Apache-2.0
/*
 * Values that are unspecified, held against a slow reference that tries each: a program whose uchar
 * is a quotient by 0 may do what it does with the 256 values that it may be, and nothing else.
 * Whatever one of them allows must be allowed; programs in the table are answered exactly.
 *
 * usage: unspecified [--count N] [--seed N] [--start N]
 */
#include "oclmm/model.h"
#include "oclmm/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 256, ASKED = 5 };

/* ---- one program ------------------------------------------------------- */

struct answered {
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
};

static void finish(struct answered *a)
{
	oclmm_answer_destroy(a->answer);
	oclmm_litmus_destroy(a->litmus);
}

/* \return whether the text is a program, and was answered. */
static bool answer(const char *body, int value, const char *condition, struct answered *ret)
{
	struct oclmm_text text = {0};
	struct oclmm_error error = {0};

	*ret = (struct answered){0};
	oclmm_text_printf(&text,
	                  "OPENCL t\n{ [d] = 0; [v] = %d; [g] = 0; [h] = 7; a[2] = {5, 6}; }\n"
	                  "P0@wg 0, dev 0 (global int *d, global int *v, global int *g, "
	                  "global int *a, global atomic_int *h) {\n"
	                  "int r = 0;\nint s = 0;\nuchar q = %s;\n%s}\n"
	                  "locations [0:r; 0:s; g; a[0]; a[1]; h;]\nexists (%s)\n",
	                  value < 0 ? 0 : value, value < 0 ? "7 / *d" : "*v", body, condition);
	if (oclmm_litmus_parse("t.litmus", oclmm_text_string(&text), text.length, NULL, &error,
	                       &ret->litmus) == 0)
		(void)oclmm_check(ret->litmus->variants[0].program, NULL, &error, &ret->answer);
	oclmm_text_finish(&text);
	return ret->answer;
}

static bool is_undefined(const struct oclmm_answer *a)
{
	return a->undefined[OCLMM_MODEL_CONSENSUS];
}

static bool allows(const struct oclmm_answer *a, const int64_t *values)
{
	return oclmm_answer_status(a, OCLMM_MODEL_CONSENSUS, values) == OCLMM_STATUS_ALLOWED;
}

struct outcome {
	bool wrong;  /* something that one value allows is not */
	bool coarse; /* something is said that no value does */
};

static struct outcome compare(const struct answered *open, const struct answered *each)
{
	struct outcome o = {0};
	bool some = false;

	for (int v = 0; v < VALUES; v++) {
		some |= is_undefined(each[v].answer);
		for (uint32_t i = 0; i < each[v].answer->state_count; i++) {
			const struct oclmm_state *state = &each[v].answer->states[i];

			if (state->status[OCLMM_MODEL_CONSENSUS] == OCLMM_STATUS_ALLOWED &&
			    !is_undefined(open->answer) && !allows(open->answer, state->values))
				o.wrong = true;
		}
	}
	o.wrong |= some && !is_undefined(open->answer);
	o.coarse |= !some && is_undefined(open->answer);
	for (uint32_t i = 0; i < open->answer->state_count && !is_undefined(open->answer); i++) {
		const struct oclmm_state *state = &open->answer->states[i];
		bool reached = state->status[OCLMM_MODEL_CONSENSUS] != OCLMM_STATUS_ALLOWED;

		for (int v = 0; v < VALUES && !reached; v++)
			reached = allows(each[v].answer, state->values);
		o.coarse |= !reached;
	}
	return o;
}

/* Whether the program may do what one value does first, if it is asked for all of it. */
static bool finds(const char *body, const struct answered *open, const struct answered *one)
{
	const struct oclmm_program *p = one->litmus->variants[0].program;
	struct oclmm_text text = {0};
	struct answered asked;
	bool found;

	if (is_undefined(open->answer) || !one->answer->state_count ||
	    !allows(one->answer, one->answer->states[0].values))
		return true;
	for (uint32_t i = 0; i < p->observable_count; i++) {
		oclmm_text_printf(&text, "%s%s=", i ? " /\\ " : "", p->observables[i].name);
		oclmm_value_print(&text, p->observables[i].type, one->answer->states[0].values[i]);
	}
	found = answer(body, -1, oclmm_text_string(&text), &asked) &&
	        oclmm_answer_observation(asked.answer, OCLMM_MODEL_CONSENSUS) !=
	                OCLMM_OBSERVATION_NEVER;
	finish(&asked);
	oclmm_text_finish(&text);
	return found;
}

/* \return whether it is a program. */
static bool try_body(const char *body, struct outcome *ret)
{
	static struct answered each[VALUES];
	struct answered open;
	bool read = answer(body, -1, "0:r=3", &open);
	int tried = 0;

	*ret = (struct outcome){0};
	for (; read && tried < VALUES; tried++)
		read = answer(body, tried, "0:r=3", &each[tried]);
	if (read)
		*ret = compare(&open, each);
	/* whoever asks for a state that one of them allows is told that it is */
	for (int i = 1; read && i <= ASKED; i++)
		ret->wrong |= !finds(body, &open, &each[(tried - 1) * i / ASKED]);
	for (int i = 0; i < tried; i++)
		finish(&each[i]);
	finish(&open);
	return read;
}

/* ---- the table --------------------------------------------------------- */

static const char *const table[] = {
	/* bits */
	"r = a[q & 1];\n",
	"r = a[q & 1u];\n",
	"r = q >> 7;\ns = q >> 3;\n",
	"r = q | ~0;\n",
	"r = (q | 4) & 4;\n",
	"r = (char)q >> 7;\n",
	"r = ~q & 3;\n",
	"r = a[(q ^ 1) & 1];\n",
	"r = !q;\ns = !!q;\n",
	"r = a[q & 2];\n",
	"r = a[(q & 2) >> 1];\n",
	/* intervals */
	"r = q % 3;\n",
	"r = a[q / 128];\n",
	"r = a[q / 127];\n",
	"r = a[q > 3];\n",
	"r = a[q + 1 > 0];\n",
	"r = q < 256;\n",
	"r = a[q * 0];\n",
	/* one value, wherever it is used */
	"r = q ^ q;\ns = q - q;\n",
	"r = q & 1;\ns = q & 1;\n",
	"r = q > 3;\ns = q > 5;\n",
	"r = q;\ns = q;\n",
	"*g = q;\nr = *g;\ns = *g;\n",
	"*g = q & 3;\nr = *g;\ns = a[1 & *g];\n",
	"int i = q & 1;\nr = a[i];\ns = a[1 - i];\n",
	"r = a[q & 1] + a[~q & 1];\n",
	"a[q & 1] = 9;\n",
	"a[q & 1] = 9;\na[~q & 1] = 8;\n",
	"r = q == (q & 255);\n",
	/* what branches say */
	"if (q < 2) { r = a[q]; }\n",
	"if (q < 3) { r = a[q]; }\n",
	"if (q > 1) { r = 1; } else { r = a[q]; }\n",
	"if (q >= 4 && q < 6) { r = a[q - 4]; }\n",
	"if (q == 3) { r = q + 1; }\n",
	"if (q != 3) { r = q == 3; }\n",
	"if (q & 1) { r = a[q & 1]; s = q & 1; }\n",
	"if ((q & 1) == 0) { r = q & 1; s = (q ^ 1) & 1; }\n",
	"if (!(q > 1 || q < 1)) { r = a[q]; }\n",
	"if (q > 250) { r = a[q > 250]; }\n",
	"r = q < 2 && a[q] == 6;\n",
	"*g = q;\nif (*g < 2) { r = a[*g]; }\n",
	"*g = q;\nif (q < 2) { r = a[*g]; }\n",
	/* what is undefined with some of its values */
	"r = 2147483647 + (q & 1);\n",
	"r = 2147483392 + q;\n",
	"r = 2147483393 + q;\n",
	"if (q > 0) { r = 2147483647 - q; }\n",
	"if (2147483600 + q > 2147483610) { r = 1; }\n",
	"if (q < 10) { r = 2147483600 + q; }\n",
	"int z = q < 10 && 2147483638 + q > 0;\n",
	"r = a[q];\n",
	"r = 1 / (1 + (q & 1));\n",
	/* atomic functions wrap */
	"r = atomic_fetch_xor(h, q);\ns = atomic_load(h) & 1;\n",
	"atomic_store(h, q & 3);\nr = atomic_fetch_max(h, 2);\ns = atomic_load(h);\n",
	"atomic_store(h, q & 3);\nr = atomic_fetch_add(h, 2147483647);\n",
};

static int try_table(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct outcome o;

		if (!try_body(table[i], &o)) {
			printf("refused:\n%s", table[i]);
			failed = 1;
		} else if (o.wrong || o.coarse) {
			printf("%s:\n%s", o.wrong ? "wrong" : "coarse", table[i]);
			failed = 1;
		}
	}
	return failed;
}

/* ---- at random --------------------------------------------------------- */

static uint64_t state;

static unsigned draw(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33) % n;
}

static void draw_expression(struct oclmm_text *text, unsigned depth)
{
	static const char *const leaves[] = {"q", "q", "q", "r", "s", "*g", "a[1]"};
	static const char *const operators[] = {"&",  "|",  "^", "+",  "-",  "*",  "%",  "/",
	                                        "<<", ">>", "<", ">=", "==", "!=", "&&", "||"};
	static const char *const unary[] = {"!", "~", "(uint)", "(char)", "(long)", "(ushort)"};

	if (depth == 0 || draw(4) == 0) {
		if (draw(3) == 0)
			oclmm_text_printf(text, "%u", draw(2) ? draw(4) : draw(300));
		else
			oclmm_text_add(text, leaves[draw(7)]);
	} else if (draw(4) == 0) {
		oclmm_text_printf(text, "%s(", unary[draw(6)]);
		draw_expression(text, depth - 1);
		oclmm_text_add(text, ")");
	} else {
		const char *op = operators[draw(16)];

		oclmm_text_add(text, "(");
		draw_expression(text, depth - 1);
		oclmm_text_printf(text, " %s ", op);
		/* a divisor that is a number */
		if (*op == '/' || *op == '%')
			oclmm_text_printf(text, "%u", 1 + draw(9));
		else
			draw_expression(text, depth - 1);
		oclmm_text_add(text, ")");
	}
}

static void draw_statement(struct oclmm_text *text, unsigned depth)
{
	static const char *const heads[] = {"r = ", "s = ", "*g = ", "q = ", "r = a[", "a["};
	unsigned kind = draw(depth ? 8 : 6);

	if (kind >= 6) {
		oclmm_text_add(text, "if (");
		draw_expression(text, 2);
		oclmm_text_add(text, ") {\n");
		draw_statement(text, depth - 1);
		oclmm_text_add(text, "}\n");
		return;
	}
	oclmm_text_add(text, heads[kind]);
	draw_expression(text, 3);
	/* often one that is inside */
	if (kind >= 4 && draw(4))
		oclmm_text_add(text, " & 1");
	oclmm_text_add(text, kind < 4 ? ";\n" : kind == 4 ? "];\n" : "] = 9;\n");
}

static int try_random(uint64_t seed, unsigned start, unsigned count)
{
	unsigned programs = 0, coarse = 0, wrong = 0;

	for (unsigned i = start; i < start + count; i++) {
		struct oclmm_text text = {0};
		struct outcome o;

		state = seed * 1000003 + i;
		for (unsigned n = 1 + draw(3); n > 0; n--)
			draw_statement(&text, 2);
		if (try_body(oclmm_text_string(&text), &o)) {
			programs++;
			coarse += o.coarse;
			wrong += o.wrong;
			if (o.wrong || (o.coarse && getenv("OCLMM_SHOW_COARSE")))
				printf("%s, number %u:\n%s", o.wrong ? "wrong" : "coarse", i,
				       oclmm_text_string(&text));
		}
		oclmm_text_finish(&text);
	}
	printf("%u programs of %u, %u wrong, %u answered coarsely\n", programs, count, wrong,
	       coarse);
	/* most are answered exactly */
	return wrong || programs < count / 4 || coarse > programs / 4;
}

int main(int argc, char **argv)
{
	unsigned count = 100, start = 0;
	uint64_t seed = 1;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--count") == 0)
			count = (unsigned)strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--start") == 0)
			start = (unsigned)strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--seed") == 0)
			seed = strtoull(argv[i + 1], NULL, 10);
	}
	return try_table() | try_random(seed, start, count);
}
