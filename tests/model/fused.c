// SPDX-License-Identifier: Apache-2.0
/*
 * Threads that meet at barriers inside branches and loops, and the text that a device is given in
 * their place: the oracle reads that text anew and has to say the same of it, outcome by outcome
 * and model by model. Programs are drawn: a plan of barriers, branches and loops that all threads
 * of a group have, which some write in another way, with statements of their own in between.
 *
 * usage: fused [--count N] [--seed N] [--start N] [--print]
 */
#include "oclmm/change.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- drawing ----------------------------------------------------------- */

enum { MOST_THREADS = 4, NODES = 12 };

struct drawing {
	uint64_t key, at;
	struct oclmm_text text;
	unsigned thread, threads;
	unsigned left;       /* nodes that the plan may still have */
	unsigned statements; /* that the thread may still have */
	unsigned loops;
};

static unsigned draw(struct drawing *d, unsigned below)
{
	return (unsigned)(oclmm_random(d->key, d->at++) % below);
}

enum kind { BARRIER, BRANCH, LOOP };

struct node {
	enum kind kind;
	unsigned flags;     /* of the barrier */
	unsigned condition; /* of the branch */
	unsigned turns;     /* of the loop */
	struct node *arms[2], *next;
};

static struct node *draw_plan(struct drawing *d, struct oclmm_arena *arena, unsigned depth)
{
	struct node *first = NULL, **last = &first;

	for (unsigned n = 1 + draw(d, 2); n > 0 && d->left > 0; n--) {
		struct node *node = OCLMM_NEW(arena, struct node);

		d->left--;
		node->kind = depth < 2 ? (enum kind)(draw(d, 8) < 4   ? BRANCH
		                                     : draw(d, 3) > 0 ? BARRIER
		                                                      : LOOP)
		                       : BARRIER;
		node->flags = draw(d, 4);
		node->condition = draw(d, 4);
		node->turns = 1 + draw(d, 2);
		if (node->kind != BARRIER)
			node->arms[0] = draw_plan(d, arena, depth + 1);
		if (node->kind == BRANCH && draw(d, 3) == 0)
			node->arms[1] = draw_plan(d, arena, depth + 1);
		*last = node;
		last = &node->next;
	}
	return first;
}

static void add_plain(struct drawing *d)
{
	static const char *const of_all[] = {
		"r0 = s[#];",
		"s[#] = r0 + 1;",
		"r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);",
		"atomic_store_explicit(y, #, memory_order_relaxed, memory_scope_device);",
		"r1 = g[#];",
		"g[#] = 3;",
		"r1 = r1 + 1;",
		"r0 = r0 + r1;",
		"if (r0 == #) { r1 = r1 + 2; }",
		"if (r1 == #) { r0 = 5; } else { r0 = r0 + 1; }",
	};
	const unsigned which = draw(d, OCLMM_COUNT(of_all));
	/* mostly a cell of one's own, so that not all programs race */
	const bool own = which > 2 && which != 4 && draw(d, 4);
	const unsigned number = own ? d->thread : draw(d, d->threads);

	if (d->statements == 0)
		return;
	d->statements--;
	for (const char *c = of_all[which]; *c; c++)
		oclmm_text_add_bytes(&d->text, *c == '#' ? &"0123"[number] : c, 1);
	oclmm_text_add(&d->text, "\n");
}

static void add_plains(struct drawing *d)
{
	while (draw(d, 2))
		add_plain(d);
}

static void add_plan(struct drawing *d, const struct node *node);

static void add_branch(struct drawing *d, const struct node *node)
{
	static const char *const conditions[] = {"*a > 0", "*b > 0", "r1 < 3", "*a == *b"};
	unsigned way = draw(d, 8);

	/* who knows what a condition says needs no branch, and may have the arms the other way */
	if (way == 0) {
		add_plan(d, node->arms[0]);
		return;
	}
	oclmm_text_printf(&d->text, way == 1 ? "if (!(%s)) {\n" : "if (%s) {\n",
	                  conditions[way == 2 ? draw(d, 4) : node->condition]);
	add_plan(d, node->arms[way == 1]);
	oclmm_text_add(&d->text, "} else {\n");
	add_plan(d, node->arms[way != 1]);
	oclmm_text_add(&d->text, "}\n");
}

static void add_loop(struct drawing *d, const struct node *node)
{
	const unsigned counter = d->loops++, turns = node->turns + (draw(d, 6) == 0);

	oclmm_text_printf(&d->text, "int i%u = 0;\nwhile (i%u < %u) {\n", counter, counter, turns);
	oclmm_text_printf(&d->text, "if (i%u < %u) {\n", counter, node->turns);
	add_plan(d, node->arms[0]);
	oclmm_text_printf(&d->text, "}\ni%u = i%u + 1;\n}\n", counter, counter);
}

static void add_plan(struct drawing *d, const struct node *node)
{
	static const char *const flags[] = {"CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
	                                    "CLK_GLOBAL_MEM_FENCE",
	                                    "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};

	add_plains(d);
	for (; node; node = node->next) {
		switch (node->kind) {
		case BARRIER:
			oclmm_text_printf(&d->text, "barrier(%s);\n", flags[node->flags]);
			break;
		case BRANCH: add_branch(d, node); break;
		case LOOP: add_loop(d, node); break;
		}
		add_plains(d);
	}
}

static void draw_program(struct drawing *d)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	unsigned second = draw(d, 4) == 0; /* threads of a second group */
	struct oclmm_text head = {0};
	struct node *plan;

	d->threads = 2 + draw(d, 3) / 2 + second;
	d->left = 5;
	plan = draw_plan(d, arena, 0);
	oclmm_text_add(&d->text, "{ s[4] = {0, 7, 0, 7}; g[4] = {0, 0, 2, 0}; "
	                         "[y] = 0; [a] = 1; [b] = 0; 1:r1 = 2; }\n");
	for (d->thread = 0; d->thread < d->threads; d->thread++) {
		bool apart = second && d->thread + 1 == d->threads;

		oclmm_text_printf(&d->text,
		                  "P%u@wg %u, dev 0 (%sglobal int *g, global atomic_int *y, "
		                  "global int *a, global int *b) {\n%s",
		                  d->thread, apart, apart ? "" : "local int *s, ",
		                  d->thread == 1 ? "int r0 = 0;\n" : "int r0 = 0;\nint r1 = 0;\n");
		d->statements = 4;
		d->loops = 0;
		if (apart)
			oclmm_text_add(&d->text, "r0 = atomic_fetch_add_explicit(y, 1, "
			                         "memory_order_relaxed, memory_scope_device);\n");
		else
			add_plan(d, plan);
		oclmm_text_add(&d->text, "}\n");
	}
	oclmm_text_add(&d->text, "locations [s[0]; g[1];");
	for (unsigned i = 0; i < d->threads; i++)
		oclmm_text_printf(&d->text, " %u:r0; %u:r1;", i, i);
	oclmm_text_add(&d->text, " y;]\nexists (0:r0=1 /\\ 1:r0=1)\n");
	oclmm_arena_destroy(arena);
	/* the line is refused where it bounds no loop */
	oclmm_text_printf(&head, "OPENCL t\n%s%s",
	                  strstr(oclmm_text_string(&d->text), "while") ? "unroll 4\n" : "",
	                  oclmm_text_string(&d->text));
	oclmm_text_finish(&d->text);
	d->text = head;
}

/* ---- comparing --------------------------------------------------------- */

struct tally {
	uint64_t compared, undefined, refused, unread, unanswered, outcomes, wrong;
	uint64_t apart; /* work-items come to several barriers of the text at once: it is not run */
};

static struct oclmm_answer *ask(const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {.time_limit = 5};
	struct oclmm_error error;
	struct oclmm_answer *answer = NULL;

	return oclmm_check(program, &options, &error, &answer) < 0 ? NULL : answer;
}

/* Whether one says of each state of the other what that one says. */
static bool covers(const struct oclmm_answer *a, const struct oclmm_answer *b,
                   enum oclmm_model model)
{
	for (uint32_t i = 0; i < a->state_count; i++)
		if (oclmm_answer_status(b, model, a->states[i].values) !=
		    a->states[i].status[model])
			return false;
	return true;
}

static bool same_answer(const struct oclmm_answer *a, const struct oclmm_answer *b)
{
	for (int m = 0; m < OCLMM_MODEL_COUNT; m++) {
		enum oclmm_model model = (enum oclmm_model)m;

		if (!(a->models >> m & 1))
			continue;
		/* it alone asks that all turn equally often in a loop that they share */
		if (b->undefined[m] && b->undefined[OCLMM_MODEL_OPENCL_2_0] &&
		    !b->undefined[OCLMM_MODEL_OPENCL_2_1])
			continue;
		if (a->undefined[m] != b->undefined[m])
			return false;
		if (!a->undefined[m] && (!covers(a, b, model) || !covers(b, a, model)))
			return false;
	}
	return true;
}

static void compare(struct tally *tally, const struct oclmm_program *program,
                    const struct oclmm_program *fused)
{
	struct oclmm_text text = {0};
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_answer *a = NULL, *b = NULL;

	oclmm_program_print(&text, fused);
	if (oclmm_litmus_parse("fused.litmus", oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus) < 0) {
		printf("not read: %s\n%s\n", error.message, oclmm_text_string(&text));
		tally->unread++;
	} else {
		a = ask(program);
		b = ask(litmus->variants[0].program);
		if (!a || !b) {
			tally->unanswered++;
		} else {
			tally->compared++;
			tally->undefined += a->undefined[OCLMM_MODEL_CONSENSUS];
			tally->outcomes += !a->undefined[OCLMM_MODEL_CONSENSUS] ? a->state_count
			                                                        : 0;
			if (b->undefined[OCLMM_MODEL_OPENCL_2_1] &&
			    !a->undefined[OCLMM_MODEL_OPENCL_2_1]) {
				tally->apart++;
			} else if (!same_answer(a, b)) {
				tally->wrong++;
				printf("not the same:\n%s\n", oclmm_text_string(&text));
			}
		}
	}
	oclmm_answer_destroy(a);
	oclmm_answer_destroy(b);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

static void try_one(struct tally *tally, uint64_t seed, uint64_t number, bool print)
{
	struct drawing d = {.key = oclmm_random(seed, number)};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus = NULL;
	const struct oclmm_program *program, *fused;
	uint64_t wrong = tally->wrong;

	draw_program(&d);
	if (print)
		printf("%s", oclmm_text_string(&d.text));
	if (oclmm_litmus_parse("drawn.litmus", oclmm_text_string(&d.text), d.text.length, NULL,
	                       &error, &litmus) < 0) {
		printf("%llu: %s\n%s", (unsigned long long)number, error.message,
		       oclmm_text_string(&d.text));
		tally->unread++;
	} else {
		program = litmus->variants[0].program;
		if (oclmm_has_inner_barrier(program)) {
			if (oclmm_fuse(arena, program, &error, &fused) == 0)
				compare(tally, program, fused);
			else
				tally->refused++;
			if (print && error.message[0])
				printf("refused: %s\n", error.message);
		}
		if (tally->wrong > wrong)
			printf("%llu:\n%s", (unsigned long long)number, oclmm_text_string(&d.text));
	}
	oclmm_litmus_destroy(litmus);
	oclmm_arena_destroy(arena);
	oclmm_text_finish(&d.text);
}

int main(int argc, char **argv)
{
	uint64_t count = 1500, seed = 1, start = 0;
	struct tally tally = {0};
	bool print = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--print"))
			print = true;
		else if (!strcmp(argv[i], "--count") && i + 1 < argc)
			count = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--start") && i + 1 < argc)
			start = strtoull(argv[++i], NULL, 10);
		else
			return 2;
	}
	for (uint64_t i = start; i < start + count; i++)
		try_one(&tally, seed, i, print);
	printf("%llu programs: %llu compared, %llu of them undefined, %llu outcomes of the others, "
	       "%llu refused, %llu unread, %llu unanswered, %llu not run, %llu wrong\n",
	       (unsigned long long)count, (unsigned long long)tally.compared,
	       (unsigned long long)tally.undefined, (unsigned long long)tally.outcomes,
	       (unsigned long long)tally.refused, (unsigned long long)tally.unread,
	       (unsigned long long)tally.unanswered, (unsigned long long)tally.apart,
	       (unsigned long long)tally.wrong);
	/* a draw that compares next to nothing is no test */
	return tally.wrong || tally.unread || tally.compared * 4 < count ||
	       (tally.compared - tally.undefined) * 8 < count || tally.apart * 20 > count;
}
