// SPDX-License-Identifier: Apache-2.0
/* Without memory the program leaves as it said it would. */
#include "oclmm/base.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fixture/test.h"

static void leave(void)
{
	_exit(99);
}

/* More than an object may have, also where that is half of all addresses. */
static void ask_malloc(void)
{
	oclmm_malloc(SIZE_MAX / 2 + 1);
}

static void ask_calloc(void)
{
	oclmm_calloc(SIZE_MAX / 4, 3);
}

static void ask_realloc(void)
{
	oclmm_realloc(oclmm_malloc(1), SIZE_MAX / 2 + 1);
}

static void ask_grow(void)
{
	size_t capacity = SIZE_MAX / 64;
	char *array = NULL;

	oclmm_grow(&array, &capacity, capacity, 64);
}

static void ask_arena(void)
{
	oclmm_arena_alloc(oclmm_arena_create(), SIZE_MAX);
}

static void ask_text(void)
{
	struct oclmm_text text = {.length = SIZE_MAX / 2 + 1};

	oclmm_text_add_bytes(&text, "x", 1);
}

static void (*const ways[])(void) = {ask_malloc, ask_calloc, ask_realloc,
                                     ask_grow,   ask_arena,  ask_text};

/* How a process ends that asks for what cannot be had. */
static int end_of(void (*ask)(void), void (*how)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		oclmm_on_no_memory(how);
		ask();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

TEST(the_program_says_how_to_leave)
{
	for (size_t i = 0; i < OCLMM_COUNT(ways); i++) {
		int status = end_of(ways[i], leave);

		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 99);
	}
}

TEST(else_it_is_aborted)
{
	for (size_t i = 0; i < OCLMM_COUNT(ways); i++) {
		int status = end_of(ways[i], NULL);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
	}
}
