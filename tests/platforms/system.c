// SPDX-License-Identifier: Apache-2.0
/*
 * What everything expects of a system, whichever it is: files, locks, programs that are started.
 * Here it shows what POSIX has; elsewhere, that what stands in its place does the same.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "oclmm/base.h"
#include "planted.h"
#include "platform/system.h"
#include "process/process.h"
#include "process/tool.h"

/* Longer than anything here takes on the slowest machine. */
static const double PATIENCE = 120;

static char *folder;

static int make_folder(void **state)
{
	(void)state;
	folder = tool_temporary("system");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	DIR *opened = opendir(folder);
	struct dirent *entry;

	(void)state;
	while (opened && (entry = readdir(opened))) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/%s", folder, entry->d_name);
		unlink(oclmm_text_string(&path));
		oclmm_text_finish(&path);
	}
	if (opened)
		closedir(opened);
	rmdir(folder);
	free(folder);
	return 0;
}

static char *path_of(const char *name)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/%s", folder, name);
	return oclmm_text_steal(&path);
}

/* ---- files ---- */

/* No end of a line is changed, and no byte ends a file. */
static const char bytes[] = "one\ntwo\r\nthree\032four\n\r\0five";

static void all_bytes_arrive(void **state)
{
	char *path = path_of("bytes"), *data, more[sizeof(bytes) + 1];
	size_t length;
	FILE *file;

	(void)state;
	assert_int_equal(oclmm_write_file(path, bytes, sizeof(bytes)), 0);
	assert_int_equal(oclmm_read_file(path, &data, &length), 0);
	assert_int_equal(length, sizeof(bytes));
	assert_memory_equal(data, bytes, sizeof(bytes));
	free(data);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fread(more, 1, sizeof(more), file), sizeof(bytes));
	assert_memory_equal(more, bytes, sizeof(bytes));
	fclose(file);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs("a\nb\n", file);
	fclose(file);
	assert_int_equal(oclmm_read_file(path, &data, &length), 0);
	assert_int_equal(length, 4);
	free(data);
	free(path);
}

static void a_file_takes_anothers_place(void **state)
{
	char *path = path_of("place"), *data, old[4] = "";
	int file;

	(void)state;
	assert_int_equal(oclmm_write_file(path, "old", 3), 0);
	/* somebody reads it meanwhile, and goes on to have the old one */
	file = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(oclmm_write_file(path, "new", 3), 0);
	assert_int_equal(read(file, old, 3), 3);
	assert_string_equal(old, "old");
	close(file);
	assert_int_equal(oclmm_read_file(path, &data, NULL), 0);
	assert_string_equal(data, "new");
	free(data);
	free(path);
}

static void files_are_told_apart(void **state)
{
	char *a = path_of("a"), *b = path_of("b"), *none = path_of("none");
	struct stat first, again, other, opened;
	int file;

	(void)state;
	assert_int_equal(oclmm_write_file(a, "12345", 5), 0);
	assert_int_equal(oclmm_write_file(b, "", 0), 0);
	assert_int_equal(stat(a, &first), 0);
	assert_int_equal(stat(a, &again), 0);
	assert_int_equal(stat(b, &other), 0);
	assert_true(S_ISREG(first.st_mode) && !S_ISDIR(first.st_mode));
	assert_int_equal(first.st_size, 5);
	assert_true(first.st_ino == again.st_ino && first.st_dev == again.st_dev);
	assert_true(first.st_ino != other.st_ino);
	/* this century */
	assert_true(first.st_mtim.tv_sec > 946684800);
	file = open(a, O_RDONLY | O_CLOEXEC);
	assert_int_equal(fstat(file, &opened), 0);
	assert_true(first.st_ino == opened.st_ino && first.st_dev == opened.st_dev);
	close(file);
	assert_int_equal(stat(folder, &other), 0);
	assert_true(S_ISDIR(other.st_mode));
	assert_int_equal(stat(none, &other), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(open(none, O_RDONLY | O_CLOEXEC), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(open(a, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(oclmm_write_file(folder, "", 0), -EISDIR);
	free(a);
	free(b);
	free(none);
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void folders_are_read_in_order(void **state)
{
	static const char *const names[] = {"beta", "Alpha", "gamma+x=1"};
	char *below = path_of("below"), *missing = path_of("missing");
	struct dirent **entries;
	int count;

	(void)state;
	assert_int_equal(oclmm_make_folders(below), 0);
	assert_int_equal(oclmm_make_folders(below), 0);
	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/%s", below, names[i]);
		assert_int_equal(oclmm_create_file(oclmm_text_string(&path), "", 0), 0);
		assert_int_equal(oclmm_create_file(oclmm_text_string(&path), "", 0), -EEXIST);
		oclmm_text_finish(&path);
	}
	count = scandir(below, &entries, no_dots, by_name);
	assert_int_equal(count, 3);
	assert_string_equal(entries[0]->d_name, "Alpha");
	assert_string_equal(entries[1]->d_name, "beta");
	assert_string_equal(entries[2]->d_name, "gamma+x=1");
	for (int i = 0; i < count; i++) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/%s", below, entries[i]->d_name);
		assert_int_equal(unlink(oclmm_text_string(&path)), 0);
		oclmm_text_finish(&path);
		free(entries[i]);
	}
	free(entries);
	assert_int_equal(rmdir(below), 0);
	assert_int_equal(scandir(missing, &entries, no_dots, by_name), -1);
	assert_int_equal(errno, ENOENT);
	free(below);
	free(missing);
}

static void files_without_a_name_go(void **state)
{
	int file = memfd_create("anything", MFD_CLOEXEC),
	    other = memfd_create("anything", MFD_CLOEXEC);
	char read_back[8] = "";

	(void)state;
	assert_true(file >= 0 && other >= 0);
	assert_int_equal(write(file, "text\n", 5), 5);
	assert_int_equal(lseek(file, 0, SEEK_SET), 0);
	assert_int_equal(read(file, read_back, sizeof(read_back)), 5);
	assert_string_equal(read_back, "text\n");
	assert_int_equal(read(other, read_back, 1), 0);
	close(file);
	close(other);
}

static void whole_paths(void **state)
{
	char *path = path_of("whole"), *missing = path_of("missing"), *whole;

	(void)state;
	assert_int_equal(oclmm_write_file(path, "", 0), 0);
	whole = realpath(path, NULL);
	assert_non_null(whole);
	assert_true(oclmm_is_absolute(whole));
	assert_non_null(strchr(whole, '/'));
	assert_null(strchr(whole, '\\'));
	assert_false(oclmm_is_absolute("litmus/seq-cst"));
	assert_null(realpath(missing, NULL));
	free(whole);
	free(path);
	free(missing);
}

/* ---- programs ---- */

/* Until it ends; what it said is malloc-ed. */
static int run(const char *const *arguments, char **ret_said)
{
	const struct process_job job = {.arguments = arguments, .heard = true, .leads = true};
	double deadline = oclmm_clock() + PATIENCE;
	struct process process;
	int r = process_start(&job, &process), status;

	if (ret_said)
		*ret_said = NULL;
	if (r < 0)
		return r;
	while (!process_is_gone(&process) && oclmm_clock() < deadline)
		process_hear(&process, 0.05);
	assert_true(process_is_gone(&process));
	status = process.status;
	if (ret_said)
		*ret_said = process_said(&process);
	process_finish(&process);
	return status;
}

static void words_arrive_as_they_are(void **state)
{
	static const char *const arguments[] = {
		"/proc/self/exe", "words", "",       "two words", "a\"b",   "c:\\d\\", "\\\\e\\\"f",
		"100%",           "*",     "g\\ \\", "x=1;y=2",   "'q' $H", NULL};
	struct oclmm_text wanted = {0};
	char *said;

	(void)state;
	for (size_t i = 2; arguments[i]; i++)
		oclmm_text_printf(&wanted, "[%s]\n", arguments[i]);
	assert_int_equal(run(arguments, &said), 0);
	assert_string_equal(said, oclmm_text_string(&wanted));
	oclmm_text_finish(&wanted);
	free(said);
}

/* Variables of its own, and no others than this program has. */
static void variables_are_otherwise(void **state)
{
	static const char *const asks[] = {"/proc/self/exe",
	                                   "variables",
	                                   "OCLMM_TEST_KEPT",
	                                   "OCLMM_TEST_NEW",
	                                   "OCLMM_TEST_OTHER",
	                                   "OCLMM_TEST_GONE",
	                                   NULL};
	static const char *const variables[] = {"OCLMM_TEST_NEW=a=b c", "OCLMM_TEST_OTHER=two",
	                                        "OCLMM_TEST_GONE", NULL};
	const struct process_job job = {.arguments = asks,
	                                .variables = variables,
	                                .talks = true,
	                                .speaks = true,
	                                .leads = true};
	double deadline = oclmm_clock() + PATIENCE;
	struct process process;

	(void)state;
	setenv("OCLMM_TEST_KEPT", "kept", 1);
	setenv("OCLMM_TEST_OTHER", "one", 1);
	setenv("OCLMM_TEST_GONE", "there", 1);
	assert_int_equal(process_start(&job, &process), 0);
	/* what it prints comes over the socket */
	while (process_hear(&process, 0.05) == 0)
		assert_true(oclmm_clock() < deadline);
	process_stop(&process, PATIENCE);
	assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 0);
	assert_string_equal(oclmm_text_string(&process.input.text),
	                    "[kept]\n[a=b c]\n[two]\nnone\n");
	process_finish(&process);
	/* of this program nothing has changed */
	assert_string_equal(getenv("OCLMM_TEST_OTHER"), "one");
	assert_null(getenv("OCLMM_TEST_NEW"));
	unsetenv("OCLMM_TEST_KEPT");
	unsetenv("OCLMM_TEST_OTHER");
	unsetenv("OCLMM_TEST_GONE");
}

static void programs_are_filters(void **state)
{
	static const char *const arguments[] = {"/proc/self/exe", "filter", NULL};
	static const char *const fails[] = {"/proc/self/exe", "fail", NULL};
	struct tool_patience patience = {.seconds = PATIENCE};
	struct oclmm_text input = {0}, output = {0};
	struct oclmm_error error = {0};

	(void)state;
	/* more than a pipe holds */
	for (unsigned i = 0; i < 40000; i++)
		oclmm_text_printf(&input, "line %u\n", i);
	assert_int_equal(tool_run(arguments, &patience, &input, &error, &output), 0);
	assert_int_equal(output.length, input.length);
	assert_memory_equal(output.data, input.data, input.length);
	oclmm_text_finish(&output);
	assert_int_equal(tool_run(fails, &patience, &input, &error, &output), -EBADMSG);
	assert_non_null(strstr(error.message, "error: so it is"));
	oclmm_text_finish(&input);
}

static void ends_are_told(void **state)
{
	static const char *const leaves[] = {"/proc/self/exe", "leave", "37", NULL};
	static const char *const crashes[] = {"/proc/self/exe", "crash", NULL};
	static const char *const missing[] = {"./no-such-program", NULL};
	int status;

	(void)state;
	status = run(leaves, NULL);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 37);
	status = run(crashes, NULL);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	/* a system that starts programs without copying itself first knows at once */
	status = run(missing, NULL);
	assert_true(status == -ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127));
}

/* Kills one that waits for ever; and what it had started goes, too. */
static void whoever_hangs_is_killed(void **state)
{
	static const char *const hangs[] = {"/proc/self/exe", "hang", NULL};
	const struct process_job job = {.arguments = hangs, .heard = true, .leads = true};
	double deadline = oclmm_clock() + PATIENCE;
	struct process process;
	char *said = NULL;

	(void)state;
	assert_int_equal(process_start(&job, &process), 0);
	while (!said && oclmm_clock() < deadline) {
		process_hear(&process, 0.05);
		said = process_said(&process);
	}
	assert_non_null(said);
	assert_string_equal(said, "waiting\n");
	free(said);
	assert_false(process_is_gone(&process));
	process_stop(&process, 0);
	assert_true(WIFSIGNALED(process.status) && WTERMSIG(process.status) == SIGKILL);
	process_finish(&process);
}

/* Whether it says something within the time. */
static bool says(struct process *process, double seconds)
{
	double deadline = oclmm_clock() + seconds;
	char *said = NULL;
	bool heard;

	while (!said && oclmm_clock() < deadline) {
		process_hear(process, 0.05);
		said = process_said(process);
	}
	heard = said != NULL;
	free(said);
	return heard;
}

static void whoever_halts_goes_on(void **state)
{
	static const char *const ticks[] = {"/proc/self/exe", "tick", NULL};
	const struct process_job job = {.arguments = ticks, .heard = true, .leads = true};
	struct process process;
	struct process_used used;

	(void)state;
	assert_int_equal(process_start(&job, &process), 0);
	assert_true(says(&process, PATIENCE));
	used = process_used(&process);
	/* a program of some megabytes */
	assert_in_range(used.memory, 100 << 10, 1 << 30);
	assert_true(used.processor >= 0);
	process_signal(&process, SIGSTOP);
	/* it may take the rest of its turn */
	process_nap(0.2);
	process_forget(&process);
	assert_false(says(&process, 0.5));
	process_signal(&process, SIGCONT);
	assert_true(says(&process, PATIENCE));
	process_finish(&process);
	assert_true(process_used(&process).processor < 0);
}

/* ---- children that are this program, started anew ---- */

enum { ECHO = 1, LEAVE, KINDS = LEAVE };

/* What such a child does: says what it hears. */
static void serve(int socket)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;

	while (wire_wait(&input, socket, KINDS, &kind, &reader) > 0) {
		struct oclmm_text text = {0};

		if (kind == LEAVE)
			_exit(7);
		oclmm_text_add_bytes(&text, reader.at, reader.left);
		wire_send(socket, ECHO, &text);
		oclmm_text_finish(&text);
	}
	_exit(42);
}

static void serve_copy(void *data, int socket)
{
	(void)data;
	serve(socket);
}

/* What the first number stands for, which nobody asks for. */
static void refuse(int socket)
{
	(void)socket;
	_exit(1);
}

static struct process start_child(void)
{
	const struct process_job job = {
		.run = serve_copy, .anew = serve, .talks = true, .heard = true, .leads = true};
	struct process process;

	setenv(PROCESS_ANEW, "anew", 1);
	assert_int_equal(process_start(&job, &process), 0);
	unsetenv(PROCESS_ANEW);
	assert_true(process.anew);
	return process;
}

/* Waits for an answer and returns whether it is of these bytes. */
static bool is_answered(struct process *process, const struct oclmm_text *wanted)
{
	struct wire_reader reader;
	uint32_t kind;

	return process_await(process, KINDS, oclmm_clock() + PATIENCE, &kind, &reader) ==
	               PROCESS_FRAME &&
	       kind == ECHO && reader.left == wanted->length &&
	       memcmp(reader.at, wanted->data, reader.left) == 0;
}

static void children_answer(void **state)
{
	struct process one = start_child(), other = start_child();
	struct oclmm_text small = {0}, large = {0};

	(void)state;
	oclmm_text_add_bytes(&small, bytes, sizeof(bytes));
	/* more than any pipe holds */
	for (unsigned i = 0; i < 100000; i++)
		oclmm_text_printf(&large, "line %u\n", i);
	for (unsigned turn = 0; turn < 3; turn++) {
		assert_int_equal(wire_send(one.socket, ECHO, &small), 0);
		assert_int_equal(wire_send(other.socket, ECHO, &large), 0);
		assert_true(is_answered(&one, &small));
		assert_true(is_answered(&other, &large));
	}
	/* nothing has come, and nobody waits for ever */
	{
		struct wire_reader reader;
		uint32_t kind;

		assert_int_equal(process_await(&one, KINDS, oclmm_clock() + 0.05, &kind, &reader),
		                 PROCESS_SILENT);
	}
	/* it is told that nobody asks any more, while the other one goes on */
	process_stop(&one, PATIENCE);
	assert_true(WIFEXITED(one.status) && WEXITSTATUS(one.status) == 42);
	assert_int_equal(wire_send(other.socket, ECHO, &small), 0);
	assert_true(is_answered(&other, &small));
	process_finish(&one);
	process_finish(&other);
	oclmm_text_finish(&small);
	oclmm_text_finish(&large);
}

/* What it said last is heard although it has gone, and then that it has. */
static void children_that_go_are_noticed(void **state)
{
	struct process process = start_child();
	struct oclmm_text text = {0};
	struct wire_reader reader;
	uint32_t kind;

	(void)state;
	oclmm_text_add(&text, "the last word");
	assert_int_equal(wire_send(process.socket, ECHO, &text), 0);
	assert_int_equal(wire_send(process.socket, LEAVE, NULL), 0);
	while (!process_is_gone(&process))
		process_nap(0.01);
	assert_true(is_answered(&process, &text));
	assert_int_equal(process_await(&process, KINDS, oclmm_clock() + PATIENCE, &kind, &reader),
	                 PROCESS_GONE);
	assert_true(WIFEXITED(process.status) && WEXITSTATUS(process.status) == 7);
	/* an error, and no signal */
	assert_true(wire_send(process.socket, ECHO, &text) < 0);
	process_finish(&process);
	oclmm_text_finish(&text);
}

/* A program that is started without a socket has none, whatever else is open. */
static void no_socket_without_a_child(void **state)
{
	static const char *const asks[] = {"/proc/self/exe", "socket", NULL};
	char *said;

	(void)state;
	assert_int_equal(run(asks, &said), 0);
	assert_string_equal(said, "none\n");
	free(said);
}

/* Waits until somebody has the lock of a file, or nobody. */
static bool await_lock(const char *path, bool held)
{
	double deadline = oclmm_clock() + PATIENCE;
	bool is_held;

	for (;;) {
		int file = open(path, O_RDWR | O_CLOEXEC);

		is_held = file >= 0 && flock(file, LOCK_EX | LOCK_NB) < 0;
		assert_true(!is_held || errno == EWOULDBLOCK);
		if (file >= 0)
			close(file);
		if (is_held == held || oclmm_clock() > deadline)
			return is_held == held;
		process_nap(0.01);
	}
}

/* What stands beside a file of such a lock. */
static char *beside(const char *path, const char *what)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s.%s", path, what);
	return oclmm_text_steal(&text);
}

/*
 * Kills one that has started another, which holds a lock while it lives. That one goes, too; only
 * where the system fails it stays, until it is told that it is enough. \return whether it stayed
 */
static bool somebody_stays(const char *name, const char *planted)
{
	char *path = path_of(name), *enough = beside(path, "enough"), *left = beside(path, "left");
	const char *const starts[] = {"/proc/self/exe", "start", path, NULL};
	const struct process_job job = {.arguments = starts, .heard = true};
	struct process process;
	struct stat info;
	bool stays;

	if (planted)
		setenv(PLANTED, planted, 1);
	assert_int_equal(process_start(&job, &process), 0);
	unsetenv(PLANTED);
	assert_true(await_lock(path, true));
	process_stop(&process, 0);
	assert_true(WIFSIGNALED(process.status));
	if (planted) {
		/* much longer than it takes to end somebody */
		process_nap(1);
		assert_int_equal(oclmm_write_file(enough, "", 0), 0);
	}
	assert_true(await_lock(path, false));
	stays = stat(left, &info) == 0;
	process_finish(&process);
	free(path);
	free(enough);
	free(left);
	return stays;
}

static void nobody_stays(void **state)
{
	(void)state;
	assert_false(somebody_stays("alive", NULL));
}

/* Where what is to end it does nothing, that is seen. */
static void who_stays_is_seen(void **state)
{
	(void)state;
	for (size_t i = 0; planted_stays[i]; i++) {
		char name[16];

		snprintf(name, sizeof(name), "stays%zu", i);
		assert_true(somebody_stays(name, planted_stays[i]));
	}
}

/* Nobody is started who could not be ended. */
static void nobody_is_started_to_stay(void **state)
{
	(void)state;
	for (size_t i = 0; planted_refusals[i]; i++) {
		char *path = path_of("refused");
		const char *const holds[] = {"/proc/self/exe", "hold", path, NULL};
		const struct process_job job = {.arguments = holds, .leads = true};
		struct process process;
		struct stat info;

		setenv(PLANTED, planted_refusals[i], 1);
		assert_int_equal(process_start(&job, &process), -EPERM);
		unsetenv(PLANTED);
		assert_true(planted_is_gone(PATIENCE));
		assert_int_equal(stat(path, &info), -1);
		free(path);
	}
}

/* ---- locks ---- */

static void locks_keep_others_out(void **state)
{
	char *path = path_of("locked");
	const char *const tries[] = {"/proc/self/exe", "lock", path, NULL};
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char *said;
	int file;

	(void)state;
	assert_int_equal(oclmm_write_file(path, "text", 4), 0);
	file = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(fcntl(file, F_SETLK, &whole), 0);
	assert_int_equal(run(tries, &said), 0);
	assert_string_equal(said, "busy, 4 bytes\n");
	free(said);
	close(file);
	assert_int_equal(run(tries, &said), 0);
	assert_string_equal(said, "free, 4 bytes\n");
	free(said);
	free(path);
}

static void locks_of_folders(void **state)
{
	const char *const tries[] = {"/proc/self/exe", "lock-folder", folder, NULL};
	int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *said;

	(void)state;
	assert_true(file >= 0);
	assert_int_equal(flock(file, LOCK_EX), 0);
	assert_int_equal(run(tries, &said), 0);
	assert_string_equal(said, "busy\n");
	free(said);
	close(file);
	assert_int_equal(run(tries, &said), 0);
	assert_string_equal(said, "free\n");
	free(said);
}

/* ---- words and numbers ---- */

static int compare_by(const void *a, const void *b, void *context)
{
	int factor = *(int *)context;

	return factor * (*(const int *)a - *(const int *)b);
}

static void sorting_has_a_context(void **state)
{
	int numbers[257], factor = -1;

	(void)state;
	for (int i = 0; i < 257; i++)
		numbers[i] = i * 101 % 257;
	qsort_r(numbers, 257, sizeof(*numbers), compare_by, &factor);
	for (int i = 0; i < 257; i++)
		assert_int_equal(numbers[i], 256 - i);
}

static void strings(void **state)
{
	static const char letters[] = "abcabd";
	char text[] = "a,b,,c", *at = text, *copy, to[8];

	(void)state;
	assert_ptr_equal(memmem(letters, 6, "abd", 3), letters + 3);
	assert_null(memmem(letters, 5, "abd", 3));
	assert_string_equal(strsep(&at, ","), "a");
	assert_string_equal(strsep(&at, ","), "b");
	assert_string_equal(strsep(&at, ","), "");
	assert_string_equal(strsep(&at, ","), "c");
	assert_null(at);
	assert_null(strsep(&at, ","));
	copy = strndup("abcdef", 3);
	assert_string_equal(copy, "abc");
	free(copy);
	assert_ptr_equal(stpcpy(to, "four"), to + 4);
	assert_string_equal(to, "four");
	assert_string_equal(strsignal(SIGSEGV), "Segmentation fault");
	assert_ptr_equal(strcasestr(letters, "ABD"), letters + 3);
	assert_ptr_equal(strcasestr(letters, ""), letters);
	assert_null(strcasestr(letters, "abde"));
}

/* Lines of any length, and the last one without its end. */
static void lines(void **state)
{
	char *path = path_of("lines"), *line = NULL;
	struct oclmm_text text = {0};
	size_t size = 0;
	FILE *file;

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		oclmm_text_add(&text, "x");
	oclmm_text_add(&text, "\n\nend");
	assert_int_equal(oclmm_write_file(path, text.data, text.length), 0);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(getline(&line, &size, file), 1001);
	assert_int_equal(getline(&line, &size, file), 1);
	assert_int_equal(getline(&line, &size, file), 3);
	assert_string_equal(line, "end");
	assert_int_equal(getline(&line, &size, file), -1);
	fclose(file);
	free(line);
	free(path);
	oclmm_text_finish(&text);
}

static void places_in_files(void **state)
{
	char *path = path_of("places"), part[4] = "";
	int file;

	(void)state;
	assert_int_equal(oclmm_write_file(path, "0123456789", 10), 0);
	file = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(read(file, part, 2), 2);
	assert_int_equal(pread(file, part, 3, 5), 3);
	assert_string_equal(part, "567");
	assert_int_equal(pwrite(file, "ab", 2, 8), 2);
	assert_int_equal(pread(file, part, 3, 10), 0);
	/* where it was */
	assert_int_equal(read(file, part, 3), 3);
	assert_string_equal(part, "234");
	assert_int_equal(pread(file, part, 3, 7), 3);
	assert_string_equal(part, "7ab");
	close(file);
	free(path);
}

static void what_the_system_has(void **state)
{
	unsigned char drawn[2][24] = {{0}};
	struct utsname names;
	cpu_set_t set;
	char *pages;

	(void)state;
	assert_int_equal(getrandom(drawn[0], sizeof(drawn[0]), 0), sizeof(drawn[0]));
	assert_int_equal(getrandom(drawn[1], sizeof(drawn[1]) - 1, 0), sizeof(drawn[1]) - 1);
	assert_memory_not_equal(drawn[0], drawn[1], sizeof(drawn[0]));
	assert_int_equal(drawn[1][sizeof(drawn[1]) - 1], 0);
	assert_int_equal(uname(&names), 0);
	assert_true(*names.sysname && *names.release && *names.machine);
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	assert_in_range(CPU_COUNT(&set), 1, sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(sysconf(_SC_PHYS_PAGES) > 1000);
	pages = oclmm_take_pages(5000);
	assert_non_null(pages);
	assert_int_equal((uintptr_t)pages % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
	memset(pages, 1, 5000);
	oclmm_free_pages(pages);
	oclmm_free_pages(NULL);
}

/* ---- what this program does where it is started by itself ---- */

static int play_lock(const char *path)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int file = open(path, O_RDWR | O_CLOEXEC);
	char text[16];

	if (fcntl(file, F_GETLK, &whole) < 0)
		return 1;
	/* whoever cannot write may read */
	printf("%s, %d bytes\n", whole.l_type == F_UNLCK ? "free" : "busy",
	       (int)read(file, text, sizeof(text)));
	return 0;
}

static int play_lock_folder(const char *path)
{
	int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (flock(file, LOCK_EX | LOCK_NB) == 0)
		puts("free");
	else if (errno == EWOULDBLOCK)
		puts("busy");
	return 0;
}

static int play_socket(void)
{
	/* a file in the place of the socket */
	int file = open("/dev/null", O_RDONLY);

	puts(oclmm_inherited_socket() < 0 ? "none" : "one");
	return file < 0;
}

/* Starts one that holds a lock, and waits. */
static int play_start(const char *path)
{
	const char *const holds[] = {"/proc/self/exe", "hold", path, NULL};
	const struct process_job job = {.arguments = holds};
	struct process process;

	if (process_start(&job, &process) < 0)
		return 1;
	for (;;)
		process_nap(1);
}

/* Locks a file until it is told that this is enough, and says that it left. */
static int play_hold(const char *path)
{
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char *enough = beside(path, "enough"), *left = beside(path, "left");
	double deadline = oclmm_clock() + 2 * PATIENCE;
	struct stat info;

	if (flock(file, LOCK_EX) < 0)
		return 1;
	while (stat(enough, &info) < 0) {
		if (oclmm_clock() > deadline)
			return 1;
		process_nap(0.01);
	}
	return oclmm_write_file(left, "", 0) < 0;
}

/* No page is there. */
static volatile uintptr_t nowhere = 16;

static int play(int count, char **words)
{
	if (strcmp(words[1], "words") == 0) {
		for (int i = 2; i < count; i++)
			printf("[%s]\n", words[i]);
	} else if (strcmp(words[1], "variables") == 0) {
		for (int i = 2; i < count; i++)
			printf(getenv(words[i]) ? "[%s]\n" : "none\n", getenv(words[i]));
	} else if (strcmp(words[1], "filter") == 0) {
		struct oclmm_text text = {0};

		if (oclmm_read_rest(STDIN_FILENO, &text) < 0 ||
		    oclmm_write_rest(STDOUT_FILENO, text.data, text.length) < 0)
			return 1;
		oclmm_text_finish(&text);
	} else if (strcmp(words[1], "fail") == 0) {
		fputs("a line\nerror: so it is\n", stderr);
		return 3;
	} else if (strcmp(words[1], "leave") == 0) {
		return atoi(words[2]);
	} else if (strcmp(words[1], "crash") == 0) {
		signal(SIGSEGV, SIG_DFL); /* not a sanitizer's */
		*(volatile char *)nowhere = 1;
	} else if (strcmp(words[1], "hang") == 0) {
		puts("waiting");
		fflush(stdout);
		for (;;)
			process_nap(1);
	} else if (strcmp(words[1], "tick") == 0) {
		for (;;) {
			puts("tick");
			fflush(stdout);
			process_nap(0.01);
		}
	} else if (strcmp(words[1], PROCESS_CHILD) == 0) {
		process_services[atoi(words[2])](oclmm_inherited_socket());
	} else if (strcmp(words[1], "socket") == 0) {
		return play_socket();
	} else if (strcmp(words[1], "start") == 0) {
		return play_start(words[2]);
	} else if (strcmp(words[1], "hold") == 0) {
		return play_hold(words[2]);
	} else if (strcmp(words[1], "lock") == 0) {
		return play_lock(words[2]);
	} else if (strcmp(words[1], "lock-folder") == 0) {
		return play_lock_folder(words[2]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_bytes_arrive),
		cmocka_unit_test(a_file_takes_anothers_place),
		cmocka_unit_test(files_are_told_apart),
		cmocka_unit_test(folders_are_read_in_order),
		cmocka_unit_test(files_without_a_name_go),
		cmocka_unit_test(whole_paths),
		cmocka_unit_test(words_arrive_as_they_are),
		cmocka_unit_test(variables_are_otherwise),
		cmocka_unit_test(programs_are_filters),
		cmocka_unit_test(ends_are_told),
		cmocka_unit_test(whoever_hangs_is_killed),
		cmocka_unit_test(whoever_halts_goes_on),
		cmocka_unit_test(children_answer),
		cmocka_unit_test(children_that_go_are_noticed),
		cmocka_unit_test(no_socket_without_a_child),
		cmocka_unit_test(nobody_stays),
		cmocka_unit_test(who_stays_is_seen),
		cmocka_unit_test(nobody_is_started_to_stay),
		cmocka_unit_test(locks_keep_others_out),
		cmocka_unit_test(locks_of_folders),
		cmocka_unit_test(sorting_has_a_context),
		cmocka_unit_test(strings),
		cmocka_unit_test(lines),
		cmocka_unit_test(places_in_files),
		cmocka_unit_test(what_the_system_has),
	};
	static process_service *const services[] = {refuse, serve, NULL};

	process_services = services;
	/* its words are not paths, which are changed where that is called for */
	oclmm_begin_program(1, argv);
	if (argc > 1)
		return play(argc, argv);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
