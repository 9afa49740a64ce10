// SPDX-License-Identifier: Apache-2.0
/* Toolchains for SPIR-V: how they are found, run, and used. */
#include "producer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache/cache.h"
#include "platform/system.h"
#include "process/tool.h"

struct producer {
	char *name;         /* of the back: `llvm-spirv-14` */
	char *front, *back; /* paths */
	bool translates;    /* the back is llvm-spirv; else llc */
	char *validator;    /* path */
	char *disassembler; /* the same; NULL: there is none */
	char *words;
	char *key;          /* all that tells these tools from others */
	const char *folder; /* the caller's, or … */
	char *own_folder;   /* … that of one that came as bytes */
	struct tool_patience *patience;
};

/* ---- finding: each by the names that distributions give it ---- */
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
	return oclmm_find_program(name);
}

/* The characters of a version; anything else that a tool prints is not repeated. */
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
	free(producer->own_folder);
	free(producer->patience);
	free(producer);
}

void producer_pack(const struct producer *producer, struct oclmm_text *text)
{
	wire_put_string(text, producer ? producer->name : NULL);
	if (!producer)
		return;
	wire_put_string(text, producer->front);
	wire_put_string(text, producer->back);
	wire_put_string(text, producer->validator);
	wire_put_string(text, producer->disassembler);
	wire_put_string(text, producer->words);
	wire_put_string(text, producer->key);
	wire_put_string(text, producer->folder);
	wire_put(text, &producer->translates, sizeof(producer->translates));
	wire_put(text, producer->patience, sizeof(*producer->patience));
}

struct producer *producer_unpack(struct wire_reader *reader)
{
	char *name = wire_get_string(reader);
	struct producer *producer;

	if (!name)
		return NULL;
	producer = oclmm_calloc(1, sizeof(*producer));
	*producer = (struct producer){
		.name = name,
		.patience = oclmm_calloc(1, sizeof(*producer->patience)),
	};
	producer->front = wire_get_string(reader);
	producer->back = wire_get_string(reader);
	producer->validator = wire_get_string(reader);
	producer->disassembler = wire_get_string(reader);
	producer->words = wire_get_string(reader);
	producer->key = wire_get_string(reader);
	producer->own_folder = wire_get_string(reader);
	producer->folder = producer->own_folder;
	wire_get(reader, &producer->translates, sizeof(producer->translates));
	wire_get(reader, producer->patience, sizeof(*producer->patience));
	if (!reader->failed)
		return producer;
	producer_destroy(producer);
	return NULL;
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

/*
 * ---- from OpenCL C to a valid module ----
 *
 * Nothing is optimised: the driver has to see what the test says, and what is compared with the
 * test has to keep its order.
 */
/* Changes when modules are made in another way, so that old ones are not used. */
#define FORMAT "3"

/* Not -O0, which forbids drivers to optimise as well. */
static const char *const front_options[] = {/* clang 14 declares the functions by it, and does not
                                               define it */
                                            "-D__opencl_c_work_group_collective_functions=1",
                                            "-x",
                                            "cl",
                                            "-Xclang",
                                            "-finclude-default-header",
                                            "-O1",
                                            "-Xclang",
                                            "-disable-llvm-passes",
                                            "-emit-llvm",
                                            "-c",
                                            "-o",
                                            "-",
                                            "-"};

static const char *const preprocess_options[] = {"-x", "cl", "-cl-no-stdinc", "-E", "-P", "-"};

static int run_front(const struct producer *producer, const char *options, bool preprocess,
                     const struct oclmm_text *source, struct oclmm_error *error,
                     struct oclmm_text *ret_code)
{
	const char *const *last = preprocess ? preprocess_options : front_options;
	size_t last_count = preprocess ? OCLMM_COUNT(preprocess_options)
	                               : OCLMM_COUNT(front_options);
	const char *const first[] = {producer->front, "-target",
	                             producer->translates ? "spir64-unknown-unknown"
	                                                  : "spirv64-unknown-unknown"};
	struct tool_words words = {0};
	int r;

	for (size_t i = 0; i < OCLMM_COUNT(first); i++)
		tool_word(&words, first[i]);
	tool_quoted_words(&words, options);
	for (size_t i = 0; i < last_count; i++)
		tool_word(&words, last[i]);
	r = tool_run(words.argument, producer->patience, source, error, ret_code);
	tool_words_finish(&words);
	return r;
}

/* What cl_ext_float_atomics takes; a module that uses none of it does not name it. */
static const char extensions[] = "--spirv-ext=+SPV_EXT_shader_atomic_float_add,"
				 "+SPV_EXT_shader_atomic_float_min_max";

/* Besides, what says which sums of signed numbers must not overflow. */
static const char with_wraps[] = ",+SPV_KHR_no_integer_wrap_decoration";

static int run_back(const struct producer *producer, struct producer_version version, bool lines,
                    const struct oclmm_text *code, struct oclmm_error *error,
                    struct oclmm_text *ret_module)
{
	char choice[64], taken[sizeof(extensions) + sizeof(with_wraps)];
	const char *const translator[] = {producer->back, choice, taken, "-", "-o", "-", NULL};
	const char *const backend[] = {
		producer->back, choice, "-filetype=obj", "-O0", "-", "-o", "-", NULL};

	snprintf(taken, sizeof(taken), "%s%s", extensions, lines ? with_wraps : "");
	snprintf(choice, sizeof(choice),
	         producer->translates ? "--spirv-max-version=%u.%u"
	                              : "-mtriple=spirv64v%u.%u-unknown-unknown",
	         version.major, version.minor);
	return tool_run(producer->translates ? translator : backend, producer->patience, code,
	                error, ret_module);
}

static int validate_as(const struct producer *producer, const char *environment,
                       const struct oclmm_text *module, struct oclmm_error *error)
{
	const char *const arguments[] = {producer->validator, "--target-env", environment, "-",
	                                 NULL};
	struct oclmm_text said;
	int r = tool_run(arguments, producer->patience, module, error, &said);

	if (r == 0)
		oclmm_text_finish(&said);
	return r;
}

/*
 * SPIR-V up to 1.2, and what OpenCL allows of it. What is optional there, such
 * as 64-bit atomics, the validator takes for forbidden: then SPIR-V's own rules
 * remain.
 */
static int validate(const struct producer *producer, const struct oclmm_text *module,
                    struct oclmm_error *error)
{
	int r = validate_as(producer, "opencl2.2", module, error);

	if (r < 0 && strstr(error->message, "Capability ") &&
	    strstr(error->message, " is not allowed by OpenCL"))
		r = validate_as(producer, "spv1.2", module, error);
	if (r < 0 && strstr(error->message, "Invalid SPIR-V binary version 1.3"))
		r = validate_as(producer, "spv1.3", module, error);
	return r;
}

/* With it a module has lines. */
static const char with_lines[] = "-gline-tables-only";

static int make(const struct producer *producer, struct producer_version version,
                const char *options, const char *text, struct oclmm_error *error,
                struct oclmm_text *ret_module)
{
	struct oclmm_text source = {0}, code, module;
	bool lines;
	int r;

	oclmm_text_add(&source, text);
	r = run_front(producer, options, false, &source, error, &code);
	oclmm_text_finish(&source);
	if (r < 0)
		return r;
	lines = strstr(options, with_lines);
	r = run_back(producer, version, lines, &code, error, &module);
	oclmm_text_finish(&code);
	if (r < 0)
		return r;
	if (lines)
		oclmm_spirv_strip(&module);
	r = validate(producer, &module, error);
	/* the translator leaves blocks of a loop that is entered in its middle in the order of the
	 * text, and chooses between vectors by one condition, as SPIR-V 1.4 may: only a driver need
	 * mind */
	if (r < 0 && lines &&
	    (strstr(error->message, "in the binary before its dominator") ||
	     strstr(error->message, "the condition to be equal: Select"))) {
		*error = (struct oclmm_error){0};
		r = 0;
	}
	if (r < 0)
		oclmm_text_finish(&module);
	else
		*ret_module = module;
	return r;
}

int producer_translate(const struct producer *producer, struct producer_version version,
                       const char *options, const char *source, struct oclmm_error *error,
                       struct oclmm_text *ret_module)
{
	struct oclmm_text key = {0};
	int r;

	oclmm_text_printf(&key, "module " FORMAT "\n%s\n%u.%u %s\n", producer->key, version.major,
	                  version.minor, options);
	oclmm_text_add(&key, source);
	if (producer->folder && cache_read(producer->folder, &key, ret_module) == 0) {
		oclmm_text_finish(&key);
		return 0;
	}
	r = make(producer, version, options, source, error, ret_module);
	/* what is not kept is made again */
	if (r == 0 && producer->folder)
		cache_write(producer->folder, &key, ret_module);
	oclmm_text_finish(&key);
	return r;
}

int producer_translate_lines(const struct producer *producer, const char *options,
                             const char *source, struct oclmm_error *error,
                             struct oclmm_text *ret_module)
{
	static const struct producer_version version = {1, 2}, later = {1, 3};
	struct oclmm_text all = {0};
	int r;

	oclmm_text_printf(&all, "%s -fno-discard-value-names %s", with_lines, options);
	r = producer_translate(producer, version, oclmm_text_string(&all), source, error,
	                       ret_module);
	/* what is of a later version is for the reader to name: the translator dies of it */
	if (r < 0 && strstr(error->message, "isAllowedToUseVersion"))
		r = producer_translate(producer, later, oclmm_text_string(&all), source, error,
		                       ret_module);
	oclmm_text_finish(&all);
	return r;
}

int producer_preprocess(const struct producer *producer, const char *options, const char *source,
                        struct oclmm_error *error, struct oclmm_text *ret_text)
{
	struct oclmm_text text = {0};
	int r;

	oclmm_text_add(&text, source);
	r = run_front(producer, options, true, &text, error, ret_text);
	oclmm_text_finish(&text);
	return r;
}

int producer_disassemble(const struct producer *producer, const struct oclmm_text *module,
                         struct oclmm_error *error, struct oclmm_text *text)
{
	const char *const arguments[] = {producer->disassembler, "-", NULL};
	struct oclmm_text said;
	int r;

	if (!producer->disassembler)
		return oclmm_error_set(error, -ENOENT,
		                       "no spirv-dis; Debian and Ubuntu have it in spirv-tools");
	r = tool_run(arguments, producer->patience, module, error, &said);
	if (r < 0)
		return r;
	oclmm_text_add_bytes(text, oclmm_text_string(&said), said.length);
	oclmm_text_finish(&said);
	return 0;
}
