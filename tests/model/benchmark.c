// SPDX-License-Identifier: Apache-2.0
/*
 * How long the oracle takes: works of the size that herd7's figures in
 * docs/performance.md are for, and how the cost grows. Prints medians; judges
 * nothing.
 */
#include "on_all.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "shapes.h"

enum { REPETITIONS = 7, MAX_TEXTS = 2048, GENERATED = 1645 };

struct work {
	const char *name;
	char *texts[MAX_TEXTS];
	unsigned count;
};

/* Of all threads; unlike the wall clock, it does not count what else the machine does. */
static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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
	double times[REPETITIONS], used[REPETITIONS];
	uint64_t candidates = 0;

	for (unsigned r = 0; r < REPETITIONS; r++) {
		double start = oclmm_clock(), processor = processor_time();

		candidates = 0;
		for (unsigned i = 0; i < w->count; i++)
			candidates += answer_one(w->texts[i]);
		times[r] = oclmm_clock() - start;
		used[r] = processor_time() - processor;
	}
	qsort(times, REPETITIONS, sizeof(times[0]), compare_doubles);
	qsort(used, REPETITIONS, sizeof(used[0]), compare_doubles);
	printf("%-44s %5u tests %9llu candidates  median %9.3f ms  (min %.3f, max %.3f, processor "
	       "%.3f)\n",
	       w->name, w->count, (unsigned long long)candidates, times[REPETITIONS / 2] * 1e3,
	       times[0] * 1e3, times[REPETITIONS - 1] * 1e3, used[REPETITIONS / 2] * 1e3);
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

/*
 * As many distinct tests as in herd7's figure: all 256 directions with each of the four orders,
 * each thread with a load behind the cycle but in the last 128; then the first ones again with such
 * a load in three threads.
 */
static struct work *make_cycles(struct oclmm_text *text)
{
	struct work *w = start("four-thread cycles, all orders");

	for (unsigned n = 0; w->count < GENERATED; n++) {
		shape_cycle(text, 4, n % 256, n < 896 ? 4 : 3,
		            (enum shape_orders)(n / 256 % SHAPE_ORDERS));
		add(w, text);
	}
	return w;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A table that says "distinct" had better count. */
static unsigned count_distinct(const struct work *w)
{
	char *sorted[MAX_TEXTS];
	unsigned distinct = 0;

	memcpy(sorted, w->texts, w->count * sizeof(*sorted));
	qsort(sorted, w->count, sizeof(*sorted), compare_texts);
	for (unsigned i = 0; i < w->count; i++)
		distinct += i == 0 || strcmp(sorted[i - 1], sorted[i]) != 0;
	return distinct;
}

/* ---- many small programs ---------------------------------------------- */

enum { SMALL = 20000 };

static void count_answer(void *data, size_t index, int result, const struct oclmm_answer *answer,
                         const struct oclmm_error *error)
{
	(void)index;
	if (result < 0) {
		fprintf(stderr, "%s\n", error->message);
		exit(1);
	}
	atomic_fetch_add((atomic_ullong *)data, answer->candidates);
}

/* Two threads with two accesses each, read beforehand; SMALL of them, on all processors. */
static void measure_small(struct oclmm_text *text, unsigned models, const char *name)
{
	static const struct oclmm_program *programs[SMALL];
	struct oclmm_litmus *litmus[16 * SHAPE_ORDERS];
	const struct oclmm_check_options options = {.models = models};
	atomic_ullong candidates = 0;
	double times[REPETITIONS], used[REPETITIONS];

	for (unsigned n = 0; n < OCLMM_COUNT(litmus); n++) {
		struct oclmm_error error;

		shape_cycle(text, 2, n % 16, 0, (enum shape_orders)(n / 16));
		if (oclmm_litmus_parse("generated", text->data, text->length, NULL, &error,
		                       &litmus[n]) < 0)
			exit(1);
		oclmm_text_finish(text);
		oclmm_text_init(text);
	}
	for (unsigned i = 0; i < SMALL; i++)
		programs[i] = litmus[i % OCLMM_COUNT(litmus)]->variants[0].program;
	for (unsigned r = 0; r < REPETITIONS; r++) {
		double begin = oclmm_clock(), processor = processor_time();

		atomic_store(&candidates, 0);
		on_all_check(programs, SMALL, &options, 0, count_answer, &candidates);
		times[r] = oclmm_clock() - begin;
		used[r] = processor_time() - processor;
	}
	qsort(times, REPETITIONS, sizeof(times[0]), compare_doubles);
	qsort(used, REPETITIONS, sizeof(used[0]), compare_doubles);
	printf("%-44s %5u tests %9llu candidates  median %9.0f programs/s on %ld processors, "
	       "%.0f per second of one\n",
	       name, SMALL, atomic_load(&candidates), SMALL / times[REPETITIONS / 2],
	       sysconf(_SC_NPROCESSORS_ONLN), SMALL / used[REPETITIONS / 2]);
	for (unsigned n = 0; n < OCLMM_COUNT(litmus); n++)
		oclmm_litmus_destroy(litmus[n]);
}

int main(void)
{
	struct oclmm_text text = {0};
	struct rusage usage;
	struct work *w;

	w = make_cycles(&text);
	printf("%u of %u four-thread cycles are distinct\n", count_distinct(w), w->count);
	finish(w);
	measure_small(&text, 1u << OCLMM_MODEL_CONSENSUS,
	              "two-thread cycles, consensus and versions");
	measure_small(&text, 1u << OCLMM_MODEL_OPENCL_2_1, "two-thread cycles, opencl-2.1");
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
