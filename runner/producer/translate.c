// SPDX-License-Identifier: Apache-2.0
/*
 * From OpenCL C to a module that is valid. Nothing is optimised on the way: the
 * driver has to see what the test says, and what is compared with the test has
 * to be in its order.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"

/* Changes when modules are made in another way, so that old ones are not used. */
#define FORMAT "3"

enum { ARGUMENTS = 32 };

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

static int run_front(const struct producer *producer, const char *options,
                     const struct oclmm_text *source, struct oclmm_error *error,
                     struct oclmm_text *ret_code)
{
	char *words = oclmm_strdup(options), *rest = words, *word;
	const char *arguments[ARGUMENTS] = {producer->front, "-target",
	                                    producer->translates ? "spir64-unknown-unknown"
	                                                         : "spirv64-unknown-unknown"};
	size_t count = 3;
	int r;

	while ((word = strsep(&rest, " ")))
		if (*word && count < ARGUMENTS - OCLMM_COUNT(front_options) - 1)
			arguments[count++] = word;
	for (size_t i = 0; i < OCLMM_COUNT(front_options); i++)
		arguments[count++] = front_options[i];
	r = tool_run(arguments, producer->patience, source, error, ret_code);
	free(words);
	return r;
}

/* What cl_ext_float_atomics takes; a module that uses none of it does not name it. */
static const char extensions[] = "--spirv-ext=+SPV_EXT_shader_atomic_float_add,"
				 "+SPV_EXT_shader_atomic_float_min_max";

static int run_back(const struct producer *producer, struct producer_version version,
                    const struct oclmm_text *code, struct oclmm_error *error,
                    struct oclmm_text *ret_module)
{
	char choice[64];
	const char *const translator[] = {producer->back, choice, extensions, "-", "-o", "-", NULL};
	const char *const backend[] = {
		producer->back, choice, "-filetype=obj", "-O0", "-", "-o", "-", NULL};

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
	return r;
}

static int make(const struct producer *producer, struct producer_version version,
                const char *options, const char *text, struct oclmm_error *error,
                struct oclmm_text *ret_module)
{
	struct oclmm_text source = {0}, code, module;
	int r;

	oclmm_text_add(&source, text);
	r = run_front(producer, options, &source, error, &code);
	oclmm_text_finish(&source);
	if (r < 0)
		return r;
	r = run_back(producer, version, &code, error, &module);
	oclmm_text_finish(&code);
	if (r < 0)
		return r;
	r = validate(producer, &module, error);
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
	/* what is not kept is made again, that is all */
	if (r == 0 && producer->folder)
		cache_write(producer->folder, &key, ret_module);
	oclmm_text_finish(&key);
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
