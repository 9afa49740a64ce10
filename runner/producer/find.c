// SPDX-License-Identifier: Apache-2.0
/* Which toolchains there are: each by the names that distributions give them. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache/cache.h"

/* The oldest that is known to do, and the newest whose names are tried. */
enum { OLDEST = 14, NEWEST = 29, OLDEST_BACKEND = 20 };
/* The front end and the back are of one version of LLVM: another's code they need not read. */
enum { UNVERSIONED = 0 };

static const char install[] = "Debian 12: apt-get install clang-14 llvm-spirv-14 spirv-tools; "
			      "elsewhere clang, its llvm-spirv (spirv-llvm-translator) and "
			      "spirv-tools";

/* `clang-14`; without a number for UNVERSIONED. */
static void name_tool(char *name, size_t size, const char *stem, unsigned version)
{
	if (version == UNVERSIONED)
		snprintf(name, size, "%s", stem);
	else
		snprintf(name, size, "%s-%u", stem, version);
}

static char *find_tool(const char *stem, unsigned version)
{
	char name[48];

	name_tool(name, sizeof(name), stem, version);
	return tool_find(name);
}

/* What a version is made of; whatever else a tool prints is nobody's to print again. */
static const char version_letters[] = "0123456789.abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* What `--version` says behind the word; empty where it says nothing, or nothing of `also`. */
static void ask_version(const struct producer *producer, const char *path, const char *also,
                        char *version, size_t size)
{
	static const char word[] = "version ";
	const char *const arguments[] = {path, "--version", NULL};
	struct oclmm_text nothing = {0}, said;
	struct oclmm_error ignored;
	const char *at;

	*version = '\0';
	if (tool_run(arguments, producer->patience, &nothing, &ignored, &said) < 0)
		return;
	at = strstr(oclmm_text_string(&said), word);
	if (at && strstr(at, also))
		snprintf(version, size, "%.*s", (int)strspn(at + strlen(word), version_letters),
		         at + strlen(word));
	oclmm_text_finish(&said);
}

/* Another build of one version is another tool. */
static void add_file(struct oclmm_text *key, const char *path)
{
	struct stat info = {0};

	if (stat(path, &info) < 0)
		return;
	oclmm_text_printf(key, "%s %lld %lld.%09ld\n", path, (long long)info.st_size,
	                  (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static void describe(struct producer *producer, const char *front, const char *back)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s %s, clang %s", producer->name, back, front);
	producer->words = oclmm_text_steal(&text);
	oclmm_text_printf(&text, "%s\n", producer->words);
	add_file(&text, producer->front);
	add_file(&text, producer->back);
	add_file(&text, producer->validator);
	producer->key = oclmm_text_steal(&text);
}

/* What a search has come by, for the message. */
struct search {
	const char *wanted; /* or NULL */
	const char *lacks;  /* of a toolchain that is there but for this */
	char old[96];       /* one that is too old */
};

static bool is_new_enough(const struct producer *producer, const char *version,
                          struct search *search)
{
	int oldest = producer->translates ? OLDEST : OLDEST_BACKEND;

	if (atoi(version) >= oldest)
		return true;
	if (producer->translates || search->wanted)
		snprintf(search->old, sizeof(search->old), "%s %s does not do, %d and later do",
		         producer->name, *version ? version : "without SPIR-V", oldest);
	return false;
}

static bool complete(struct producer *producer, struct search *search)
{
	char front[32], back[32];

	if (!producer->back)
		return false;
	if (!producer->front)
		search->lacks = "the clang of its version";
	else if (!producer->validator)
		search->lacks = "spirv-val";
	if (!producer->front || !producer->validator)
		return false;
	/* builds of LLVM have the targets that somebody chose */
	ask_version(producer, producer->back, producer->translates ? "" : "spirv64", back,
	            sizeof(back));
	if (!is_new_enough(producer, back, search))
		return false;
	ask_version(producer, producer->front, "", front, sizeof(front));
	describe(producer, front, back);
	return true;
}

static struct producer *try(bool translates, unsigned version, struct search *search)
{
	const char *stem = translates ? "llvm-spirv" : "llc";
	struct producer *producer;
	char name[48];

	name_tool(name, sizeof(name), stem, version);
	if (search->wanted && strcmp(search->wanted, name) != 0)
		return NULL;
	producer = oclmm_calloc(1, sizeof(*producer));
	producer->patience = oclmm_calloc(1, sizeof(*producer->patience));
	producer->patience->seconds = PRODUCER_SECONDS;
	producer->name = oclmm_strdup(name);
	producer->translates = translates;
	producer->back = find_tool(stem, version);
	producer->front = find_tool("clang", version);
	producer->validator = find_tool("spirv-val", UNVERSIONED);
	producer->disassembler = find_tool("spirv-dis", UNVERSIONED);
	if (complete(producer, search))
		return producer;
	producer_destroy(producer);
	return NULL;
}

/* Translators before back ends, which are younger; the distribution's own, then the newest. */
static struct producer *find_next(struct search *search, unsigned *at)
{
	enum { EACH = NEWEST - OLDEST + 2 };
	struct producer *producer = NULL;

	while (!producer && *at < 2 * EACH) {
		unsigned number = *at % EACH;

		producer = try(*at < EACH, number ? NEWEST - number + 1 : UNVERSIONED, search);
		(*at)++;
	}
	return producer;
}

static int refuse(const struct search *search, struct oclmm_error *error)
{
	struct oclmm_text others = {0};

	producer_list(&others);
	if (*search->old)
		oclmm_error_set(error, -ENOENT, "no toolchain for SPIR-V: %s", search->old);
	else if (search->lacks)
		oclmm_error_set(error, -ENOENT, "no toolchain for SPIR-V: %s without %s",
		                search->wanted ? search->wanted : "llvm-spirv", search->lacks);
	else
		oclmm_error_set(error, -ENOENT, "no toolchain for SPIR-V: no %s",
		                search->wanted ? search->wanted : "llvm-spirv");
	if (others.length)
		snprintf(error->note, sizeof(error->note), "there are:%s",
		         oclmm_text_string(&others));
	else
		snprintf(error->note, sizeof(error->note), "%s", install);
	oclmm_text_finish(&others);
	return -ENOENT;
}

int producer_find(const char *name, struct oclmm_error *error, struct producer **ret_producer)
{
	struct search search = {.wanted = name};
	unsigned at = 0;
	struct producer *producer = find_next(&search, &at);

	if (!producer)
		return refuse(&search, error);
	*ret_producer = producer;
	return 0;
}

void producer_list(struct oclmm_text *text)
{
	struct search search = {0};
	struct producer *producer;
	unsigned at = 0;

	while ((producer = find_next(&search, &at))) {
		oclmm_text_printf(text, " %s", producer->name);
		producer_destroy(producer);
	}
}

void producer_destroy(struct producer *producer)
{
	if (!producer)
		return;
	free(producer->name);
	free(producer->front);
	free(producer->back);
	free(producer->validator);
	free(producer->disassembler);
	free(producer->words);
	free(producer->key);
	free(producer->patience);
	free(producer);
}

const char *producer_words(const struct producer *producer)
{
	return producer->words;
}

const char *producer_key(const struct producer *producer)
{
	return producer->key;
}

void producer_limit(struct producer *producer, double seconds)
{
	producer->patience->seconds = seconds;
}

void producer_keep(struct producer *producer, const char *folder)
{
	producer->folder = folder && cache_prepare(folder) == 0 ? folder : NULL;
}
