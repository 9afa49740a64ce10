// SPDX-License-Identifier: Apache-2.0
/* What a signal leaves that comes while a file is written: here each is sent by write() itself. */
#include "process/process.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fixture/test.h"

static int sent; /* by the next write(); 0: none */

/* In place of that of the C library. */
ssize_t write(int file, const void *data, size_t size)
{
	int number = sent;

	sent = 0;
	if (number)
		raise(number);
	return syscall(SYS_write, file, data, size);
}

static unsigned entries(void)
{
	DIR *directory = opendir(".");
	unsigned count = 0;

	assert_non_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2; /* . and .. */
}

enum how { OVER, PRIVATE, NEW };

static int write_by(enum how how)
{
	switch (how) {
	case OVER: return oclmm_write_file("old", "later", 5);
	case PRIVATE: return oclmm_write_private_file("old", "later", 5);
	case NEW: break;
	}
	return oclmm_create_file("new", "later", 5);
}

/* Whether a signal asks for an end, so that a second one is needed, or ends. */
static void be_interrupted(int number, enum how how, bool asked, int errors)
{
	dup2(errors, STDERR_FILENO);
	/* whoever runs the tests behind a shell's back ignores it */
	signal(number, SIG_DFL);
	if (asked) {
		process_catch_interrupts();
		raise(number);
		process_nap(0.6);
	} else {
		process_end_by_interrupts("list");
	}
	sent = number;
	_exit(write_by(how) == 0 ? 0 : 1);
}

static void check(int number, enum how how, bool asked)
{
	char said[64] = "", old[8] = "";
	int status, errors[2];
	FILE *file;
	pid_t pid;

	assert_int_equal(pipe(errors), 0);
	assert_int_equal(oclmm_write_file("old", "before", 6), 0);
	pid = fork();
	if (pid == 0)
		be_interrupted(number, how, asked, errors[1]);
	close(errors[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	assert_true(read(errors[0], said, sizeof(said) - 1) >= 0);
	close(errors[0]);
	assert_string_equal(said, asked ? "" : "oclmm list: interrupted\n");
	assert_int_equal(entries(), 1);
	file = fopen("old", "r");
	assert_non_null(file);
	assert_int_equal(fread(old, 1, sizeof(old) - 1, file), 6);
	fclose(file);
	assert_string_equal(old, "before");
}

TEST(nothing_half_written_stays)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	char folder[] = "/tmp/oclmm-interrupt-XXXXXX";

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < OCLMM_COUNT(numbers); i++) {
		for (int how = OVER; how <= NEW; how++)
			check(numbers[i], (enum how)how, false);
	}
	check(SIGTERM, OVER, true);
	check(SIGINT, NEW, true);
	assert_int_equal(unlink("old"), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* Who starts it may want it to go on: nohup, or a shell that starts it in the background. */
TEST(a_signal_that_is_ignored_stays_so)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGINT, SIG_IGN);
		process_end_by_interrupts("list");
		raise(SIGINT);
		_exit(7);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}
