// SPDX-License-Identifier: Apache-2.0
/* Toolchains made of scripts: what is missing, too old, fails or was done before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "producer/producer.h"

static const char *const names[] = {"clang",     "llvm-spirv", "llvm-spirv-15", "clang-15", "llc",
                                    "spirv-val", "log"};
static char folder[64], kept[80];

static char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* A tool that says its version when asked, and else does what it is told. */
static void put(const char *name, const char *version, const char *does)
{
	FILE *file = fopen(path_of(name), "we");

	assert_non_null(file);
	fprintf(file,
	        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '%s'; exit 0; fi\n"
	        "%s\n",
	        version, does);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path_of(name), 0755), 0);
}

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/oclmm-tools-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(kept, sizeof(kept), "%s/kept", folder);
	return setenv("PATH", folder, 1);
}

static int end(void **state)
{
	char command[128];

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(names); i++)
		unlink(path_of(names[i]));
	snprintf(command, sizeof(command), "/bin/rm -rf %s", kept);
	return system(command) == 0 ? rmdir(folder) : -1;
}

/* All tools, which hand on what they are given. */
static void put_all(void)
{
	put("clang", "Some clang version 14.0.6", "/bin/cat");
	put("llvm-spirv", "  LLVM version 14.0.6", "/bin/cat");
	put("spirv-val", "", ":");
}

static void lack(const char *name, const char *message, const char *note)
{
	struct producer *producer = NULL;
	struct oclmm_error error = {0};

	assert_int_equal(producer_find(name, &error, &producer), -ENOENT);
	assert_null(producer);
	assert_string_equal(error.message, message);
	assert_non_null(strstr(error.note, note));
}

static struct producer *find(const char *name)
{
	struct producer *producer = NULL;
	struct oclmm_error error = {0};

	assert_int_equal(producer_find(name, &error, &producer), 0);
	return producer;
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	lack(NULL, "no toolchain for SPIR-V: no llvm-spirv",
	     "apt-get install clang-14 llvm-spirv-14 spirv-tools");
	put("llvm-spirv", "LLVM version 14.0.6", "/bin/cat");
	lack(NULL, "no toolchain for SPIR-V: llvm-spirv without the clang of its version",
	     "apt-get");
	put("clang", "clang version 14.0.6", "/bin/cat");
	lack(NULL, "no toolchain for SPIR-V: llvm-spirv without spirv-val", "apt-get");
	put("spirv-val", "", ":");
	lack("llvm-spirv-15", "no toolchain for SPIR-V: no llvm-spirv-15", "there are: llvm-spirv");
}

static void what_is_too_old_is_named(void **state)
{
	(void)state;
	put_all();
	put("llvm-spirv", "LLVM version 11.1.0", "/bin/cat");
	lack(NULL, "no toolchain for SPIR-V: llvm-spirv 11.1.0 does not do, 14 and later do",
	     "apt-get");
	/* no back end of its own, whatever its version */
	put("llc", "LLVM version 21.1.0", "/bin/cat");
	lack("llc", "no toolchain for SPIR-V: llc without SPIR-V does not do, 20 and later do",
	     "apt-get");
}

static void what_there_is_can_be_chosen(void **state)
{
	struct producer *producer;
	struct oclmm_text text = {0};

	(void)state;
	put_all();
	put("clang-15", "clang version 15.0.1", "/bin/cat");
	put("llvm-spirv-15", "LLVM version 15.0.1-rc1", "/bin/cat");
	/* the distribution's own first */
	producer = find(NULL);
	assert_string_equal(producer_words(producer), "llvm-spirv 14.0.6, clang 14.0.6");
	producer_destroy(producer);
	producer = find("llvm-spirv-15");
	assert_string_equal(producer_words(producer), "llvm-spirv-15 15.0.1, clang 15.0.1");
	producer_destroy(producer);
	/* words for people, whatever a tool prints */
	put("llvm-spirv-15", "LLVM version 15.0\033[31m", "/bin/cat");
	put("clang-15", "clang version 15.0\n::error::\007", "/bin/cat");
	producer = find("llvm-spirv-15");
	assert_string_equal(producer_words(producer), "llvm-spirv-15 15.0, clang 15.0");
	producer_destroy(producer);
	put("llc", "LLVM version 21.1.0\n  Registered Targets:\n    spirv64 - SPIR-V", "/bin/cat");
	put("clang", "clang version 21.1.0", "/bin/cat");
	producer = find("llc");
	assert_string_equal(producer_words(producer), "llc 21.1.0, clang 21.1.0");
	producer_destroy(producer);
	producer_list(&text);
	assert_string_equal(oclmm_text_string(&text), " llvm-spirv llvm-spirv-15 llc");
	oclmm_text_finish(&text);
}

static int translate(const struct producer *producer, struct oclmm_error *error, char *ret_text)
{
	const struct producer_version version = {1, 2};
	struct oclmm_text module;
	int r = producer_translate(producer, version, "-cl-std=CL3.0", "kernel", error, &module);

	if (r == 0) {
		strcpy(ret_text, oclmm_text_string(&module));
		oclmm_text_finish(&module);
	}
	return r;
}

static void each_tool_may_fail(void **state)
{
	static const struct {
		const char *tool, *does, *message;
	} failures[] = {
		{"clang", "echo 'warning: w' >&2; echo '<stdin>:1:2: error: e' >&2; exit 1",
	         "clang: <stdin>:1:2: error: e"},
		{"clang", "kill -9 $$", "clang fails and says nothing"},
		{"llvm-spirv", "echo 'Fails to translate' >&2; exit 3",
	         "llvm-spirv: Fails to translate"},
		/* what it has written stands in memory */
		{"clang", "/usr/bin/yes | /usr/bin/head -c 1000000000",
	         "clang writes more than 64 MiB"},
		{"llvm-spirv", "/usr/bin/yes", "llvm-spirv writes more than 64 MiB"},
		{"spirv-val", "echo 'error: line 3: no' >&2; exit 1",
	         "spirv-val: error: line 3: no"},
		/* what says more than anybody keeps does not wait for a listener */
		{"spirv-val",
	         "while /bin/echo 0123456789012345678901234567890; do n=x$n; "
	         "[ ${#n} -gt 3000 ] && break; done >&2; echo error: long >&2; exit 1",
	         "spirv-val: error: long"},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(failures); i++) {
		struct producer *producer;
		struct oclmm_error error = {0};
		char text[64];

		put_all();
		put(failures[i].tool, "version 14.0.6", failures[i].does);
		producer = find(NULL);
		assert_int_equal(translate(producer, &error, text), -EBADMSG);
		assert_string_equal(error.message, failures[i].message);
		producer_destroy(producer);
	}
}

/* A toolchain that hangs costs a run three times its limit, not that of each test. */
static void tools_that_hang_are_given_up(void **state)
{
	static const char *const wanted[] = {
		"clang does not end",
		"clang does not end",
		"clang does not end",
		"clang is not started: 3 tools did not end before",
	};
	struct producer *producer;

	(void)state;
	put_all();
	put("clang", "version 14.0.6", "echo error: soon; exec /bin/sleep 1000");
	producer = find(NULL);
	producer_limit(producer, 0.1);
	for (size_t i = 0; i < OCLMM_COUNT(wanted); i++) {
		struct oclmm_error error = {0};
		char text[64];

		assert_int_equal(translate(producer, &error, text), -EBADMSG);
		assert_string_equal(error.message, wanted[i]);
	}
	producer_destroy(producer);
}

/* Whatever it starts ends with it. */
static void nothing_outlives_a_tool(void **state)
{
	struct oclmm_error error = {0};
	struct producer *producer;
	char text[64], command[256], *number;
	size_t length;

	(void)state;
	put_all();
	snprintf(command, sizeof(command), "/bin/sleep 1000 & echo $! > %s; exit 1",
	         path_of("log"));
	put("clang", "version 14.0.6", command);
	producer = find(NULL);
	assert_int_equal(translate(producer, &error, text), -EBADMSG);
	assert_int_equal(oclmm_read_file(path_of("log"), &number, &length), 0);
	/* killed, it may take a moment */
	snprintf(command, sizeof(command),
	         "while test \"$(/bin/ps -o stat= -p %d 2>/dev/null | /usr/bin/tr -d ' Z')\"; "
	         "do /bin/sleep 0.01; done",
	         atoi(number));
	assert_int_equal(system(command), 0);
	free(number);
	assert_int_equal(unlink(path_of("log")), 0);
	producer_destroy(producer);
}

static size_t count_calls(void)
{
	char *data;
	size_t length;

	if (oclmm_read_file(path_of("log"), &data, &length) < 0)
		return 0;
	free(data);
	return length;
}

static void modules_are_kept(void **state)
{
	struct producer *producer;
	struct oclmm_error error = {0};
	char does[192], text[64];

	(void)state;
	put_all();
	snprintf(does, sizeof(does), "printf x >> %s", path_of("log"));
	put("spirv-val", "", does);
	producer = find(NULL);
	assert_int_equal(translate(producer, &error, text), 0);
	assert_string_equal(text, "kernel");
	assert_int_equal(translate(producer, &error, text), 0);
	assert_int_equal(count_calls(), 2); /* kept nowhere */
	producer_keep(producer, kept);
	assert_int_equal(translate(producer, &error, text), 0);
	assert_int_equal(count_calls(), 3);
	assert_int_equal(translate(producer, &error, text), 0);
	assert_string_equal(text, "kernel");
	assert_int_equal(count_calls(), 3);
	producer_destroy(producer);
	/* another build of the same version is another tool */
	put("llvm-spirv", "  LLVM version 14.0.6", "/bin/cat; printf '!'");
	producer = find(NULL);
	producer_keep(producer, kept);
	assert_int_equal(translate(producer, &error, text), 0);
	assert_string_equal(text, "kernel!");
	assert_int_equal(count_calls(), 4);
	producer_destroy(producer);
}

/* The validator knows no options of OpenCL: then it is asked for SPIR-V's own rules. */
static void options_of_opencl_are_no_mistake(void **state)
{
	struct producer *producer;
	struct oclmm_error error = {0};
	char text[64];

	(void)state;
	put_all();
	put("spirv-val", "",
	    "[ $2 = spv1.2 ] && exit 0\n"
	    "echo 'error: line 5: Capability Int64Atomics is not allowed by OpenCL 2.2' >&2\n"
	    "exit 1");
	producer = find(NULL);
	assert_int_equal(translate(producer, &error, text), 0);
	producer_destroy(producer);
}

/* What is refused is not kept. */
static void failures_are_not_kept(void **state)
{
	struct producer *producer;
	struct oclmm_error error = {0};
	char text[64];

	(void)state;
	put_all();
	put("spirv-val", "", "exit 1");
	producer = find(NULL);
	producer_keep(producer, kept);
	assert_int_equal(translate(producer, &error, text), -EBADMSG);
	assert_int_equal(translate(producer, &error, text), -EBADMSG);
	producer_destroy(producer);
}

/* What is kept elsewhere by the key is not taken for the work of another build. */
static void another_build_has_another_key(void **state)
{
	struct oclmm_error error = {0};
	struct producer *before, *after;

	(void)state;
	put_all();
	assert_int_equal(producer_find(NULL, &error, &before), 0);
	put("clang", "Some clang version 14.0.6", "/bin/cat; :");
	assert_int_equal(producer_find(NULL, &error, &after), 0);
	assert_string_equal(producer_words(before), producer_words(after));
	assert_string_not_equal(producer_key(before), producer_key(after));
	producer_destroy(before);
	producer_destroy(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_missing_is_named, begin, end),
		cmocka_unit_test_setup_teardown(what_is_too_old_is_named, begin, end),
		cmocka_unit_test_setup_teardown(what_there_is_can_be_chosen, begin, end),
		cmocka_unit_test_setup_teardown(each_tool_may_fail, begin, end),
		cmocka_unit_test_setup_teardown(tools_that_hang_are_given_up, begin, end),
		cmocka_unit_test_setup_teardown(nothing_outlives_a_tool, begin, end),
		cmocka_unit_test_setup_teardown(modules_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(options_of_opencl_are_no_mistake, begin, end),
		cmocka_unit_test_setup_teardown(failures_are_not_kept, begin, end),
		cmocka_unit_test_setup_teardown(another_build_has_another_key, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
