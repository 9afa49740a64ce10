// SPDX-License-Identifier: Apache-2.0
/*
 * Wherever memory runs out while a test is read and written as C, the program leaves as it said it
 * would: each allocation fails once, in a process of its own.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oclmm/codegen.h"
#include "oclmm/syntax.h"

#include "../fixture/test.h"

static const char text[] = "OPENCL MP\n"
			   "(* Result: Sometimes *)\n"
			   "vary order: memory_order_release => memory_order_relaxed\n"
			   "{ [x] = 7; a[2] = {1, 2}; }\n"
			   "P0@wg 0, dev 0 (global atomic_int *x, global int *a) {\n"
			   "  a[1] = 3; // a comment\n"
			   "  atomic_store_explicit(x, 1, memory_order_release);\n"
			   "}\n"
			   "P1@wg 1, dev 0 (global atomic_int *x, global int *a) {\n"
			   "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
			   "}\n"
			   "exists (1:r0=1 /\\ a[1]=3)\n";

/* The linker puts these in front of the C library's (--wrap). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_vasprintf(char **ret_text, const char *format, va_list arguments);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_vasprintf(char **ret_text, const char *format, va_list arguments);

static unsigned long left; /* 0: none fails any more */

static bool fails(void)
{
	return left > 0 && --left == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

int __wrap_vasprintf(char **ret_text, const char *format, va_list arguments)
{
	return fails() ? -1 : __real_vasprintf(ret_text, format, arguments);
}

static void leave(void)
{
	_exit(99);
}

/* \return the status with which the process is to end */
static int read_and_write(void)
{
	struct oclmm_text source = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (oclmm_litmus_parse("t.litmus", text, strlen(text), NULL, &error, &litmus) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	if (oclmm_generate_bare(litmus->variants[0].program, NULL, "", &error, &source) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	oclmm_text_finish(&source);
	oclmm_litmus_destroy(litmus);
	/* the process is over before the allocation that should fail: all have failed once */
	return left > 0 ? 2 : 0;
}

TEST(every_allocation_fails_once)
{
	enum { MOST = 100000 };
	int status = 0;

	for (unsigned long n = 1; n < MOST; n++) {
		pid_t pid = fork();

		if (pid == 0) {
			signal(SIGABRT, SIG_DFL);
			oclmm_on_no_memory(leave);
			left = n;
			_exit(read_and_write());
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (!WIFEXITED(status))
			fail_msg("signal %d when the allocation number %lu failed",
			         WTERMSIG(status), n);
		if (WEXITSTATUS(status) == 2) {
			assert_true(n > 100);
			return;
		}
		assert_int_equal(WEXITSTATUS(status), 99);
	}
	fail_msg("there was no end of allocations");
}
