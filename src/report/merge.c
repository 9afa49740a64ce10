// SPDX-License-Identifier: Apache-2.0
/*
 * Joins results: the union of the lines of all inputs, sorted, under a manifest
 * that is a function of that union. So the order of the inputs, their grouping
 * and repetitions cannot matter.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record and the file it is from. */
struct source {
	const struct oclmm_saved *saved;
	const struct oclmm_results *results;
};

struct merge {
	struct source *sources;
	size_t source_count;
	const struct oclmm_saved_run **runs;
	size_t run_count;
	bool interrupted;
	uint64_t unfinished;
};

static int compare_sources(const void *a, const void *b)
{
	const struct source *x = a, *y = b;
	int order = oclmm_saved_compare(x->saved, y->saved);

	if (order || !x->saved->text || !y->saved->text)
		return order;
	return strcmp(x->saved->text, y->saved->text);
}

static int compare_runs(const void *a, const void *b)
{
	const struct oclmm_saved_run *const *x = a, *const *y = b;

	return strcmp((*x)->text, (*y)->text);
}

static void gather(struct merge *merge, const struct oclmm_results *const *results, size_t count)
{
	size_t sources = 0, runs = 0;

	for (size_t i = 0; i < count; i++) {
		sources += results[i]->saved_count;
		runs += results[i]->run_count;
	}
	merge->sources = oclmm_calloc(sources + 1, sizeof(*merge->sources));
	merge->runs = oclmm_calloc(runs + 1, sizeof(*merge->runs));
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < results[i]->saved_count; j++)
			merge->sources[merge->source_count++] =
				(struct source){&results[i]->saved[j], results[i]};
		for (size_t j = 0; j < results[i]->run_count; j++)
			merge->runs[merge->run_count++] = &results[i]->runs[j];
		merge->unfinished += results[i]->unfinished;
		merge->interrupted |= results[i]->interrupted || !results[i]->complete;
	}
	qsort(merge->sources, merge->source_count, sizeof(*merge->sources), compare_sources);
	qsort(merge->runs, merge->run_count, sizeof(*merge->runs), compare_runs);
}

static int refuse_conflict(const struct source *a, const struct source *b,
                           struct oclmm_error *error)
{
	oclmm_error_set(error, -EEXIST,
	                "two results of %s for the same device, environment, seed and time differ: "
	                "one was changed",
	                a->saved->record.program->name);
	snprintf(error->file, sizeof(error->file), "%s", a->results->path);
	error->position.line = a->saved->line;
	snprintf(error->note, sizeof(error->note),
	         "the other is %.170s:%u; leave out one of the files", b->results->path,
	         b->saved->line);
	return -EEXIST;
}

/* Of two records of one key: 0, -EEXIST, or -EAGAIN where only their texts would say. */
static int check_same(const struct source *a, const struct source *b, struct oclmm_error *error)
{
	if (a->saved->line_hash == b->saved->line_hash)
		return 0;
	if (!a->saved->text || !b->saved->text)
		return oclmm_error_set(error, -EAGAIN, "two lines of %s have to be compared",
		                       a->saved->record.program->name);
	return strcmp(a->saved->text, b->saved->text) == 0 ? 0 : refuse_conflict(a, b, error);
}

static int drop_doubles(struct merge *merge, struct oclmm_error *error)
{
	size_t kept = 0;
	int r;

	for (size_t i = 0; i < merge->source_count; i++) {
		const struct source *last = kept ? &merge->sources[kept - 1] : NULL;

		if (last && oclmm_saved_compare(last->saved, merge->sources[i].saved) == 0) {
			r = check_same(last, &merge->sources[i], error);
			if (r < 0)
				return r;
			continue;
		}
		merge->sources[kept++] = merge->sources[i];
	}
	merge->source_count = kept;
	kept = 0;
	for (size_t i = 0; i < merge->run_count; i++) {
		if (!kept || strcmp(merge->runs[kept - 1]->text, merge->runs[i]->text) != 0)
			merge->runs[kept++] = merge->runs[i];
	}
	merge->run_count = kept;
	return 0;
}

/* Shards of one division but for its seed: the same device, driver and version, the same tests, as
 * many shards. */
static bool alike(const struct oclmm_run_header *a, const struct oclmm_run_header *b)
{
	return a->shards == b->shards &&
	       oclmm_same_string(a->identity.device, b->identity.device) &&
	       oclmm_same_string(a->identity.device_id, b->identity.device_id) &&
	       oclmm_same_string(a->identity.driver, b->identity.driver) &&
	       oclmm_same_string(a->identity.version, b->identity.version) &&
	       oclmm_same_string(a->identity.il, b->identity.il) &&
	       oclmm_same_string(a->profile, b->profile);
}

/* Shards of one division have one seed: a shard of another day fills no gap. */
static bool has_shard(const struct merge *merge, const struct oclmm_run_header *like,
                      uint32_t shard, bool *ret_other_seed)
{
	*ret_other_seed = false;
	for (size_t i = 0; i < merge->run_count; i++) {
		const struct oclmm_run_header *header = &merge->runs[i]->header;

		if (header->shard != shard || !alike(header, like))
			continue;
		if (header->seed == like->seed)
			return true;
		*ret_other_seed = true;
	}
	return false;
}

static int check_shards(const struct merge *merge, struct oclmm_error *error)
{
	for (size_t i = 0; i < merge->run_count; i++) {
		const struct oclmm_run_header *header = &merge->runs[i]->header;

		for (uint32_t shard = 1; shard <= header->shards; shard++) {
			bool other;

			if (!has_shard(merge, header, shard, &other))
				return oclmm_error_set(
					error, -ENOENT, "shard %u of %u on %s is missing%s", shard,
					header->shards,
					header->identity.device ? header->identity.device : "?",
					other ? ": the one there is has another seed" : "");
		}
	}
	return 0;
}

/* The end of the parts of a test, of which this is the first: each goes on where the one before it
 * ended, on the same device, driver and version. */
static size_t end_of_parts(const struct merge *merge, size_t first)
{
	struct oclmm_record whole = merge->sources[first].saved->record;
	size_t next = first + 1;

	for (; next < merge->source_count; next++) {
		const struct oclmm_record *part = &merge->sources[next].saved->record;

		if (!oclmm_record_continues(&whole, part))
			break;
		whole.counts.launches += part->counts.launches;
		whole.end = part->end;
		if (part->end == OCLMM_END_OK)
			whole.counts.stimulus = part->counts.stimulus;
	}
	return next;
}

static int check_parts(const struct merge *merge, struct oclmm_error *error)
{
	for (size_t i = 0; i < merge->source_count; i = end_of_parts(merge, i)) {
		const struct source *source = &merge->sources[i];

		if (source->saved->record.first_launch == 0)
			continue;
		oclmm_error_set(error, -ENOENT,
		                "a later part of %s, and of the same run on the same device, "
		                "driver and version no part before it",
		                source->saved->record.program->name);
		snprintf(error->file, sizeof(error->file), "%s", source->results->path);
		error->position.line = source->saved->line;
		return -ENOENT;
	}
	return 0;
}

static int check_complete(const struct oclmm_results *const *results, size_t count,
                          struct oclmm_error *error)
{
	for (size_t i = 0; i < count; i++) {
		if (results[i]->complete)
			continue;
		oclmm_error_set(error, -ENOENT, "the run was cut short: the file has no last line");
		snprintf(error->file, sizeof(error->file), "%s", results[i]->path);
		return -ENOENT;
	}
	return 0;
}

/* A test that was run in parts, which stand side by side, counts once. */
static size_t tally_test(const struct merge *merge, size_t first, struct oclmm_tally *tally)
{
	struct oclmm_record whole = merge->sources[first].saved->record;
	size_t end = end_of_parts(merge, first);

	for (size_t i = first + 1; i < end; i++) {
		const struct oclmm_record *part = &merge->sources[i].saved->record;

		whole.grade.verdict = oclmm_verdict_worse(whole.grade.verdict, part->grade.verdict);
		whole.grade.instances += part->grade.instances;
		whole.grade.weak += part->grade.weak;
		whole.end = part->end;
		if (part->end == OCLMM_END_OK)
			whole.counts.stimulus = part->counts.stimulus;
	}
	oclmm_tally_add(tally, &whole);
	return end;
}

/* What the manifest of the union says; each test once. */
static struct oclmm_tally tally_all(const struct merge *merge)
{
	struct oclmm_tally tally = {.interrupted = merge->interrupted};
	uint64_t chosen = 0, tests = 0;

	for (size_t i = 0; i < merge->run_count; i++)
		chosen += merge->runs[i]->header.tests;
	for (size_t i = 0; i < merge->source_count; tests++)
		i = tally_test(merge, i, &tally);
	tally.left_out = chosen > tests ? chosen - tests : 0;
	/* another file may have had time for them */
	tally.unfinished = merge->unfinished < tally.left_out ? merge->unfinished : tally.left_out;
	return tally;
}

static void print(const struct merge *merge, struct oclmm_text *text)
{
	struct oclmm_tally tally = tally_all(merge);
	uint64_t records = merge->source_count;
	struct oclmm_report report = {.state = &records};

	for (size_t i = 0; i < merge->run_count; i++)
		oclmm_text_printf(text, "%s\n", merge->runs[i]->text);
	for (size_t i = 0; i < merge->source_count; i++) {
		oclmm_text_add(text, merge->sources[i].saved->text);
		oclmm_text_add(text, "\n");
	}
	oclmm_report_json.end(&report, &tally, oclmm_tally_exit(&tally, false), text);
}

static void finish(struct merge *merge)
{
	free(merge->sources);
	free(merge->runs);
}

static int make(const struct oclmm_results *const *results, size_t count, bool partial,
                struct oclmm_error *error, struct merge *merge)
{
	int r = partial ? 0 : check_complete(results, count, error);

	*merge = (struct merge){0};
	if (r < 0)
		return r;
	gather(merge, results, count);
	r = drop_doubles(merge, error);
	if (r == 0 && !partial)
		r = check_shards(merge, error);
	if (r == 0 && !partial)
		r = check_parts(merge, error);
	if (r < 0)
		finish(merge);
	return r;
}

int oclmm_results_merge(const struct oclmm_results *const *results, size_t count, bool partial,
                        struct oclmm_error *error, struct oclmm_text *text)
{
	struct merge merge;
	int r = make(results, count, partial, error, &merge);

	if (r < 0)
		return r;
	print(&merge, text);
	finish(&merge);
	return 0;
}

/* ---- without a text in between ---- */

/* The sum over all tests still has to be exact in a double, of several files, too. */
static int check_sums(const struct merge *merge, struct oclmm_error *error)
{
	uint64_t instances = 0, launches = 0;

	for (size_t i = 0; i < merge->source_count; i++) {
		instances += merge->sources[i].saved->record.counts.instances;
		launches += merge->sources[i].saved->record.counts.launches;
		if (instances > OCLMM_RESULTS_MOST || launches > OCLMM_RESULTS_MOST)
			return oclmm_error_set(error, -EOVERFLOW,
			                       "the %s of all tests together are more than 2^53",
			                       instances > OCLMM_RESULTS_MOST ? "instances"
			                                                      : "launches");
	}
	return 0;
}

/* Whether the records are those of one file, as they stand there. */
static bool is_one_file(const struct merge *merge, const struct oclmm_results *results)
{
	if (merge->source_count != results->saved_count)
		return false;
	for (size_t i = 0; i < merge->source_count; i++)
		if (merge->sources[i].saved != &results->saved[i])
			return false;
	return true;
}

static struct oclmm_results *take(const struct merge *merge, struct oclmm_results **results,
                                  size_t count)
{
	struct oclmm_results *whole = oclmm_calloc(1, sizeof(*whole));

	whole->arena = oclmm_arena_create();
	whole->runs = oclmm_calloc(merge->run_count + 1, sizeof(*whole->runs));
	whole->parts = oclmm_calloc(count + 1, sizeof(struct oclmm_results *));
	whole->unfinished = tally_all(merge).unfinished;
	whole->interrupted = merge->interrupted;
	whole->complete = true;
	snprintf(whole->path, sizeof(whole->path), "merged results");
	for (; whole->run_count < merge->run_count; whole->run_count++)
		whole->runs[whole->run_count] = *merge->runs[whole->run_count];
	if (count == 1 && is_one_file(merge, results[0])) {
		whole->saved = results[0]->saved;
		whole->saved_count = results[0]->saved_count;
		results[0]->saved = NULL;
		results[0]->saved_count = 0;
	} else {
		whole->saved = oclmm_calloc(merge->source_count + 1, sizeof(*whole->saved));
		for (; whole->saved_count < merge->source_count; whole->saved_count++)
			whole->saved[whole->saved_count] =
				*merge->sources[whole->saved_count].saved;
	}
	for (; whole->part_count < count; whole->part_count++) {
		struct oclmm_results *part = results[whole->part_count];

		/* what its records point to is all that is needed of it */
		free(part->saved);
		part->saved = NULL;
		part->saved_count = 0;
		whole->parts[whole->part_count] = part;
	}
	return whole;
}

int oclmm_results_join(struct oclmm_results **results, size_t count, bool partial,
                       struct oclmm_error *error, struct oclmm_results **ret_results)
{
	struct merge merge;
	int r = make((const struct oclmm_results *const *)results, count, partial, error, &merge);

	if (r < 0)
		return r;
	r = check_sums(&merge, error);
	if (r == 0)
		*ret_results = take(&merge, results, count);
	finish(&merge);
	return r;
}
