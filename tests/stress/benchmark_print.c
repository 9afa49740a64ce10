// SPDX-License-Identifier: Apache-2.0
/* The tables, in Markdown. */
#include "benchmark.h"

#include "../fixture/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct range range_of(double *values, unsigned count)
{
	if (count == 0)
		return (struct range){0};
	qsort(values, count, sizeof(*values), compare_doubles);
	return (struct range){(values[(count - 1) / 2] + values[count / 2]) / 2, values[0],
	                      values[count - 1], count};
}

/* A number of three digits and what it is multiplied with; static, a few at a time. */
static const char *short_number(double x)
{
	static const struct {
		double from;
		const char *prefix;
	} prefixes[] = {
		{1e12, " T"}, {1e9, " G"},  {1e6, " M"},  {1e3, " k"},
		{1, ""},      {1e-3, " m"}, {1e-6, " µ"}, {1e-9, " n"},
	};
	static char texts[8][32];
	static unsigned next;
	char *text = texts[next++ % 8];
	size_t i = 0;

	if (x == 0)
		return "0";
	while (i + 1 < OCLMM_COUNT(prefixes) && x < prefixes[i].from)
		i++;
	snprintf(text, sizeof(texts[0]), "%.3g%s", x / prefixes[i].from, prefixes[i].prefix);
	return text;
}

/* `median (min – max)` */
static const char *cell(struct range range)
{
	static char texts[8][96];
	static unsigned next;
	char *text = texts[next++ % 8];

	if (range.count == 0)
		return "–";
	if (range.max == 0)
		return "0";
	snprintf(text, sizeof(texts[0]), "%s (%s – %s)", short_number(range.median),
	         short_number(range.min), short_number(range.max));
	return text;
}

double limit_of(const struct limits *limits, const struct cost *cost, enum footprint footprint)
{
	double seconds = cost->bytes / limits->rate[TRAFFIC_COPY][footprint].median;

	if (limits->rate[TRAFFIC_LOAD][footprint].count == 0)
		return 0;
	seconds += cost->loads / limits->rate[TRAFFIC_LOAD][footprint].median;
	seconds += cost->stores / limits->rate[TRAFFIC_STORE][footprint].median;
	seconds += cost->updates / limits->rate[TRAFFIC_ADD][footprint].median;
	return 1 / seconds;
}

static void print_heading(const struct report *report)
{
	const struct oclmm_device_info *d = report->device;

	printf("%s: %s, driver %s, %u compute units\n", d->platform, d->name, d->driver,
	       d->compute_units);
	printf("%g s per shape, seed %llu; medians of %d runs, with the least and the largest in "
	       "brackets\n",
	       report->bench->seconds, (unsigned long long)report->bench->seed, REPETITIONS);
}

static void print_limits(const struct limits *limits)
{
	static const char *const what[] = {
#define X(name, kernel, text) text,
		TRAFFICS(X)
#undef X
	};

	printf("\n| what the device does in a second | in %s bytes | in %s bytes "
	       "|\n|---|---|---|\n",
	       short_number((double)limits->bytes[FOOTPRINT_LAUNCH]),
	       short_number((double)limits->bytes[FOOTPRINT_MEMORY]));
	for (int t = 0; t < TRAFFIC_COUNT; t++)
		printf("| %s | %s | %s |\n", what[t], cell(limits->rate[t][FOOTPRINT_LAUNCH]),
		       cell(limits->rate[t][FOOTPRINT_MEMORY]));
	if (limits->refused[0])
		printf("\nThe atomics were refused: %s\n", limits->refused);
	printf("\n| empty launch | seconds |\n|---|---|\n");
	printf("| one work-item, in the pipeline | %s |\n", cell(limits->launch_one));
	printf("| as wide as a test, in the pipeline | %s |\n", cell(limits->launch_wide));
	printf("| one work-item, waited for | %s |\n", cell(limits->round_trip));
}

static const struct measured *find_measured(const struct report *report, const char *name)
{
	for (unsigned i = 0; i < report->count; i++)
		if (report->measured[i].done && strcmp(report->measured[i].name, name) == 0)
			return &report->measured[i];
	return NULL;
}

static void print_by_hand(const struct report *report)
{
	printf("\nKernels written by hand, in launches as wide as those of environment 0, or a "
	       "half or a quarter of that; and how\n"
	       "many of their instances the best default environment alone plays.\n"
	       "\n| test | instances of a launch | instances/s | weak outcomes/s | the best "
	       "environment |\n"
	       "|---|---|---|---|---|\n");
	for (int i = 0; i < HAND_COUNT; i++) {
		const struct by_hand *hand = &report->by_hand[i];
		const struct measured *m = hand->test ? find_measured(report, hand->test) : NULL;

		if (!hand->test)
			continue;
		printf("| %s | %u | %s | %s |", hand->test, hand->launch, cell(hand->instances),
		       cell(hand->weak));
		if (m)
			printf(" %.0f %% |\n",
			       100 * m->single.instances.median / hand->instances.median);
		else
			printf(" – |\n");
	}
}

static double share_of(const struct figures *figures)
{
	return figures->total ? 100 * (double)figures->total_weak / (double)figures->total : 0;
}

static void print_row(const char *name, const struct figures *figures)
{
	printf("| %s | %s | %s | %.3g %% |", name, cell(figures->instances), cell(figures->weak),
	       share_of(figures));
}

static void print_turns(const struct report *report)
{
	printf("\nAll default environments in turn. `forbidden` counts the forbidden outcomes of "
	       "all runs.\n"
	       "\n| test | instances/s | weak outcomes/s | share | forbidden | compiling: first | "
	       "again |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < report->count; i++) {
		const struct measured *m = &report->measured[i];

		if (!m->done)
			continue;
		print_row(m->name, &m->turn);
		printf(" %llu | %.3g s | %.3g s |\n", (unsigned long long)m->forbidden,
		       m->compile_first, m->compile_again.median);
	}
}

static void print_best(const struct report *report)
{
	printf("\nThe best default environment alone, and how many seconds it took to 3 and to "
	       "12 weak outcomes.\n"
	       "\n| test | instances/s | weak outcomes/s | share | environment | to 3, s | to 12, "
	       "s |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < report->count; i++) {
		const struct measured *m = &report->measured[i];

		if (!m->done)
			continue;
		print_row(m->name, &m->single);
		printf(" %u | %s | %s |\n", m->best, cell(m->to_three), cell(m->to_twelve));
	}
}

static void print_each(const struct report *report)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < report->count; i++)
		if (report->measured[i].done && report->measured[i].environment_count > most)
			most = report->measured[i].environment_count;
	printf("\nEach default environment alone, in one run: instances/s, weak outcomes/s.\n"
	       "\n| test |");
	for (uint32_t k = 0; k < most; k++)
		printf(k ? " %u |" : " environment %u |", k);
	printf("\n|---|");
	for (uint32_t k = 0; k < most; k++)
		printf("---|");
	printf("\n");
	for (unsigned i = 0; i < report->count; i++) {
		const struct measured *m = &report->measured[i];

		if (!m->done)
			continue;
		printf("| %s |", m->name);
		for (uint32_t k = 0; k < m->environment_count; k++)
			printf(" %s, %s |", short_number(m->each[k].instances.median),
			       short_number(m->each[k].weak.median));
		for (uint32_t k = m->environment_count; k < most; k++)
			printf(" – |");
		printf("\n");
	}
}

static uint32_t fastest_of(const struct measured *m)
{
	uint32_t fastest = 0;

	for (uint32_t k = 1; k < m->environment_count; k++)
		if (m->each[k].instances.median > m->each[fastest].instances.median)
			fastest = k;
	return fastest;
}

static void print_instance(const struct limits *limits, const struct measured *m)
{
	uint32_t fastest = fastest_of(m);
	double reached = m->each[fastest].instances.median;
	double limit = limit_of(limits, &m->cost, FOOTPRINT_LAUNCH);

	printf("| %s | %u | %u | %u | %u | %s | %s | %s (%u) |", m->name, m->cost.loads,
	       m->cost.stores, m->cost.updates, m->cost.bytes, short_number(limit),
	       short_number(limit_of(limits, &m->cost, FOOTPRINT_MEMORY)), short_number(reached),
	       fastest);
	if (limit > 0)
		printf(" %.0f %% |\n", 100 * reached / limit);
	else
		printf(" – |\n");
}

static void print_instances(const struct report *report)
{
	printf("\nWhat one instance costs in global memory, how many instances a second the "
	       "rates above allow at\n"
	       "most, and how many the fastest default environment reached (its number is in "
	       "brackets).\n"
	       "\n| test | loads | stores | updates | other bytes | limit, launch's footprint | "
	       "limit, memory | "
	       "instances/s | of the first limit |\n|---|---|---|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < report->count; i++)
		if (report->measured[i].done)
			print_instance(report->limits, &report->measured[i]);
}

static void print_environment(const char *before, const struct oclmm_environment *environment)
{
	struct oclmm_text text = {0};

	environment_print(&text, environment);
	printf("%s%s\n", before, oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static void print_random(const struct report *report)
{
	printf("\nEnvironments drawn at random, with %g s for each.\n"
	       "\n| test | environments | that showed a weak outcome | best weak outcomes/s "
	       "|\n|---|---|---|---|\n",
	       report->bench->seconds / 50);
	for (unsigned i = 0; i < report->count; i++) {
		const struct randomly *r = &report->measured[i].randomly;

		if (r->tried > 0)
			printf("| %s | %u | %u (%.0f %%) | %s |\n", report->measured[i].name,
			       r->tried, r->showing, 100.0 * r->showing / r->tried,
			       short_number(r->best));
	}
	printf("\n");
	for (unsigned i = 0; i < report->count; i++) {
		const struct measured *m = &report->measured[i];
		char before[160];

		snprintf(before, sizeof(before), "    %s: ", m->name);
		if (m->randomly.showing > 0)
			print_environment(before, &m->randomly.environment);
	}
}

void report_print(const struct report *report)
{
	print_heading(report);
	print_limits(report->limits);
	print_by_hand(report);
	print_turns(report);
	print_best(report);
	print_each(report);
	print_instances(report);
	if (report->bench->random > 0)
		print_random(report);
	for (unsigned i = 0; i < report->count; i++)
		if (!report->measured[i].done)
			printf("\nnot measured: %s: %s\n", report->measured[i].name,
			       report->measured[i].message);
	/* they depend on the number of work-groups: those of the first test stand for all */
	for (uint32_t k = 0; report->count > 0 && k < report->measured[0].environment_count; k++) {
		char before[48];

		snprintf(before, sizeof(before), "%s    environment %u: ", k ? "" : "\n", k);
		print_environment(before, &report->measured[0].environments[k]);
	}
}
