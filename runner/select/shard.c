// SPDX-License-Identifier: Apache-2.0
#include "shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { MAX_SHARDS = 1000000 };

static bool read_number(const char *text, const char **ret_end, uint32_t *ret_number)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || number > MAX_SHARDS)
		return false;
	*ret_number = (uint32_t)number;
	*ret_end = end;
	return true;
}

int shard_parse(const char *option, const char *value, void *ret_shard)
{
	struct shard shard = {0};
	const char *end;

	if (!read_number(value, &end, &shard.index) || *end != '/' ||
	    !read_number(end + 1, &end, &shard.count) || *end || shard.index < 1 ||
	    shard.index > shard.count)
		return option_refuse(option, value, "K/N with K from 1 to N");
	*(struct shard *)ret_shard = shard;
	return 0;
}

/* Variables of one runner: where shards are counted from, and how many there are. */
struct source {
	const char *index, *count;
	uint32_t first;
	const char *least; /* a variable with the first number, or NULL */
};

static const struct source sources[] = {
	{"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, NULL},
	{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1, NULL},
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN"},
};

static int take_source(const struct source *source, struct oclmm_error *error,
                       struct shard *ret_shard)
{
	const char *index = getenv(source->index), *count = getenv(source->count), *end_index,
		   *end_count;
	const char *least = source->least ? getenv(source->least) : NULL;
	uint32_t number, first = source->first;
	struct shard shard = {.from = source->index};

	if (!index || !*index || !count || !*count)
		return 0;
	if (!read_number(index, &end_index, &number) || *end_index ||
	    !read_number(count, &end_count, &shard.count) || *end_count ||
	    (least && *least && !read_number(least, &end_count, &first)) || number < first ||
	    number - first >= shard.count)
		return oclmm_error_set(error, -EINVAL,
		                       "%s=%s and %s=%s name no shard; say --shard K/N",
		                       source->index, index, source->count, count);
	shard.index = number - first + 1;
	*ret_shard = shard;
	return 0;
}

int shard_from_environment(struct oclmm_error *error, struct shard *ret_shard)
{
	struct shard shard = {0};

	for (size_t i = 0; i < OCLMM_COUNT(sources) && shard.count == 0; i++) {
		int r = take_source(&sources[i], error, &shard);

		if (r < 0)
			return r;
	}
	*ret_shard = shard;
	return 0;
}

void shard_apply(const struct shard *shard, struct selection *selection)
{
	size_t kept = 0;

	if (shard->count == 0)
		return;
	for (size_t i = 0; i < selection->count; i++) {
		/* the file's name: a test and its control, variants of one file, stay together */
		const char *name = selection->chosen[i].litmus->name;

		if (oclmm_hash(name, strlen(name)) % shard->count == shard->index - 1)
			selection->chosen[kept++] = selection->chosen[i];
	}
	selection->count = kept;
}
