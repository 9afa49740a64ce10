// SPDX-License-Identifier: Apache-2.0
/*
 * How long the oracle takes: works of the size that herd7's figures in
 * docs/performance.md are for, and how the cost grows. Prints medians; judges
 * nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "shapes.h"

enum { REPETITIONS = 7, MAX_TEXTS = 2048, GENERATED = 1645 };

struct work {
	const char *name;
	char *texts[MAX_TEXTS];
	unsigned count;
};

/* Reads and answers one test under the consensus model. \return candidates looked at. */
static uint64_t answer_one(const char *text)
{
	const struct oclmm_syntax_options plain = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error;
	uint64_t candidates;
	size_t length = 0;

	while (text[length])
		length++;
	if (oclmm_litmus_parse("generated", text, length, &plain, &error, &litmus) < 0 ||
	    oclmm_check(litmus->variants[0].program, NULL, &error, &answer) < 0) {
		fprintf(stderr, "%s\n%s", error.message, text);
		exit(1);
	}
	candidates = answer->candidates;
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
	return candidates;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(const struct work *w)
{
	double times[REPETITIONS];
	uint64_t candidates = 0;

	for (unsigned r = 0; r < REPETITIONS; r++) {
		double start = oclmm_clock();

		candidates = 0;
		for (unsigned i = 0; i < w->count; i++)
			candidates += answer_one(w->texts[i]);
		times[r] = oclmm_clock() - start;
	}
	qsort(times, REPETITIONS, sizeof(times[0]), compare_doubles);
	printf("%-44s %5u tests %9llu candidates  median %9.3f ms  (min %.3f, max %.3f)\n", w->name,
	       w->count, (unsigned long long)candidates, times[REPETITIONS / 2] * 1e3,
	       times[0] * 1e3, times[REPETITIONS - 1] * 1e3);
}

static void finish(struct work *w)
{
	measure(w);
	for (unsigned i = 0; i < w->count; i++)
		free(w->texts[i]);
	free(w);
}

static struct work *start(const char *name)
{
	struct work *w = oclmm_calloc(1, sizeof(*w));

	w->name = name;
	return w;
}

static void add(struct work *w, struct oclmm_text *text)
{
	w->texts[w->count++] = oclmm_text_steal(text);
}

int main(void)
{
	struct oclmm_text text;
	struct rusage usage;
	struct work *w = start("four-thread cycles, all orders");

	oclmm_text_init(&text);
	for (unsigned n = 0; w->count < GENERATED; n++) {
		/*
		 * All 256 directions, then the next orders; the rest of 1645 repeats
		 * from the start. With three loads more than the cycle there are
		 * 147,757 choices of rf and mo in all, as many as herd7 looks at.
		 */
		shape_cycle(&text, 4, n % 256, 3, (enum shape_orders)(n / 256 % SHAPE_ORDERS));
		add(w, &text);
	}
	finish(w);
	w = start("IRIW, six threads");
	shape_iriw(&text, 3, 3);
	add(w, &text);
	finish(w);
	for (unsigned o = 0; o < SHAPE_ORDERS; o++) {
		static const char *const names[] = {"SB ring of ten, relaxed",
		                                    "SB ring of ten, release/acquire",
		                                    "SB ring of ten, seq_cst",
		                                    "SB ring of ten, seq_cst fences"};

		w = start(names[o]);
		shape_ring(&text, 10, (enum shape_orders)o);
		add(w, &text);
		finish(w);
	}
	for (unsigned n = 4; n <= 12; n += 2) {
		char name[64];

		snprintf(name, sizeof(name), "SB ring of %u threads, relaxed", n);
		w = start(name);
		shape_ring(&text, n, SHAPE_RELAXED);
		add(w, &text);
		finish(w);
	}
	for (unsigned n = 3; n <= 9; n++) {
		char name[64];

		snprintf(name, sizeof(name), "%u writers of one location, two reads", n);
		w = start(name);
		shape_writers(&text, n);
		add(w, &text);
		finish(w);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("peak memory %.1f MiB\n", (double)usage.ru_maxrss / 1024);
	oclmm_text_finish(&text);
	return 0;
}
