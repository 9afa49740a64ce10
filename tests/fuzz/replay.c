// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a harness over files, and over so many inputs made of them.
 *
 *     replay [--runs N] [--seed N] [--keep FILE] FILE|DIR...
 *
 * What is made depends on seed and number alone. --keep: the input at hand lies in FILE, also when
 * it ended the process. An input that takes a minute ends it, too.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

enum { MOST = 32 * 1024, SECONDS = 60 };

struct input {
	char *data;
	size_t size;
};

static struct {
	struct input *inputs;
	size_t count, capacity;
	uint8_t *kept; /* of MOST bytes, and a file's */
	int keep;
	uint64_t runs, seed;
} replay = {.keep = -1, .seed = 1};

static int add_file(const char *path)
{
	struct input input;

	if (oclmm_read_file(path, &input.data, &input.size) < 0) {
		fprintf(stderr, "cannot read %s\n", path);
		return -1;
	}
	oclmm_grow(&replay.inputs, &replay.capacity, replay.count, sizeof(input));
	replay.inputs[replay.count++] = input;
	return 0;
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* In the order of their names, so that a seed means the same everywhere. */
static int add(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, compare_names), r = 0;

	if (count < 0)
		return add_file(path);
	for (int i = 0; i < count; i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && add_file(name) < 0)
			r = -1;
		free(entries[i]);
	}
	free(entries);
	return r;
}

/* The bytes lie in memory of exactly their size, so that reading beyond them is seen. */
static void run(const void *data, size_t size)
{
	uint8_t *copy = oclmm_malloc(size + !size);

	if (size)
		memcpy(copy, data, size);
	/* a page of the mapping behind the file's end must not be touched */
	if (replay.kept && size && size <= MOST && ftruncate(replay.keep, (off_t)size) == 0)
		memcpy(replay.kept, data, size);
	alarm(SECONDS);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

/* A piece of another file stands somewhere in an input, as libFuzzer puts two together. Returns the
 * size. */
static size_t cross(uint8_t *made, size_t size, uint64_t key)
{
	const struct input *other = &replay.inputs[oclmm_random_below(key, 1001, replay.count)];
	size_t at = (size_t)oclmm_random_below(key, 1002, size + 1), from, length;

	if (!other->size || oclmm_random_below(key, 1003, 4))
		return size;
	from = (size_t)oclmm_random_below(key, 1004, other->size);
	length = 1 + (size_t)oclmm_random_below(key, 1005, other->size - from);
	if (length > MOST - size)
		return size;
	memmove(made + at + length, made + at, size - at);
	memcpy(made + at, other->data + from, length);
	return size + length;
}

static int open_kept(const char *path)
{
	replay.keep = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (replay.keep < 0 || ftruncate(replay.keep, MOST) < 0)
		return -1;
	replay.kept = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, replay.keep, 0);
	return replay.kept == MAP_FAILED ? -1 : 0;
}

static int take(int argc, char **argv)
{
	int r = 0;

	for (int i = 1; i < argc && r == 0; i++) {
		if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
			replay.runs = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			replay.seed = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc)
			r = open_kept(argv[++i]);
		else
			r = add(argv[i]);
	}
	return r < 0 || replay.count == 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	static uint8_t made[MOST];
	double started = oclmm_clock();

	if (take(argc, argv) < 0)
		return 2;
	for (size_t i = 0; i < replay.count; i++)
		run(replay.inputs[i].data, replay.inputs[i].size);
	for (uint64_t i = 0; i < replay.runs; i++) {
		uint64_t key = oclmm_random(replay.seed, i);
		const struct input *input =
			&replay.inputs[oclmm_random_below(key, 1000, replay.count)];
		size_t size = input->size < MOST ? input->size : MOST;

		memcpy(made, input->data, size);
		size = cross(made, size, key);
		size = fuzz_mutate(made, size, MOST, key, fuzz_json);
		run(made, size);
	}
	printf("%zu files, %llu inputs made of them, %.0f a second\n", replay.count,
	       (unsigned long long)replay.runs,
	       (double)(replay.count + replay.runs) / (oclmm_clock() - started + 1e-9));
	for (size_t i = 0; i < replay.count; i++)
		free(replay.inputs[i].data);
	free(replay.inputs);
	return 0;
}
