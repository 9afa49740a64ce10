// SPDX-License-Identifier: Apache-2.0
/* Programs from the disk: the same as from their text, of this driver and this text alone, and
 * never between a layer and its driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fixture/folder.h"
#include "cache/cache.h"
#include "device/internal.h"
#include "fixture.h"

static const char first[] = "kernel void answer(global int *y)\n{\n\t*y = 42;\n}\n";
static const char second[] = "kernel void answer(global int *y)\n{\n\t*y = 43;\n}\n";

static char folder[64];

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/oclmm-programs-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_NEVER, NULL);
	fixture_each_file(folder, fixture_remove_file);
	return rmdir(folder);
}

/* What the kernel answers; in a child, which cannot fail a test. */
static int run(struct oclmm_device *device, cl_program program)
{
	size_t one = 1;
	cl_int answer = 0, code;
	cl_kernel kernel = clCreateKernel(program, "answer", &code);
	cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof(answer), NULL,
	                               NULL);

	if (code != CL_SUCCESS || clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) ||
	    clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) ||
	    clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, sizeof(answer), &answer, 0, NULL,
	                        NULL))
		return -1;
	return answer;
}

enum { COMPILED, RECALLED, FAILED };

static _Noreturn void build_in_child(const char *source, int answer, bool afresh)
{
	struct oclmm_device *device = fixture_open();
	struct oclmm_error error;
	cl_program program;
	char *log = NULL;

	if (!device)
		_exit(FAILED);
	oclmm_device_build_afresh(device, afresh);
	if (oclmm_device_build(device, source, &error, &log, &program) < 0 ||
	    run(device, program) != answer)
		_exit(FAILED);
	_exit(oclmm_device_built(device).recalled > 0 ? RECALLED : COMPILED);
}

/* In a process of its own, as each child of a run is one. */
static bool comes_from_disk(const char *source, int answer, bool afresh)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		build_in_child(source, answer, afresh);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), COMPILED, RECALLED);
	return WEXITSTATUS(status) == RECALLED;
}

static void texts_are_kept(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_ALWAYS, folder);
	assert_false(comes_from_disk(first, 42, false));
	assert_int_equal(fixture_each_file(folder, NULL), 1);
	assert_true(comes_from_disk(first, 42, false));
	assert_false(comes_from_disk(second, 43, false));
	assert_int_equal(fixture_each_file(folder, NULL), 2);
	assert_true(comes_from_disk(second, 43, false));
	/* a second attempt trusts none */
	assert_false(comes_from_disk(first, 42, true));
	assert_true(comes_from_disk(first, 42, false));
	oclmm_device_keep_programs(OCLMM_KEEP_NEVER, NULL);
	assert_false(comes_from_disk(first, 42, false));
}

static void variables_of_drivers_count(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_ALWAYS, folder);
	assert_false(comes_from_disk(first, 42, false));
	setenv("MESA_OCLMM_TEST", "1", 1);
	assert_false(comes_from_disk(first, 42, false));
	assert_true(comes_from_disk(first, 42, false));
	setenv("MESA_OCLMM_TEST", "2", 1);
	assert_false(comes_from_disk(first, 42, false));
	unsetenv("MESA_OCLMM_TEST");
	assert_true(comes_from_disk(first, 42, false));
}

static void layers_turn_it_off(void **state)
{
	static const char *const variables[] = {"OPENCL_LAYERS", "LD_PRELOAD"};

	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_ALWAYS, folder);
	for (size_t i = 0; i < OCLMM_COUNT(variables); i++) {
		const char *before = getenv(variables[i]);
		char *kept = before ? oclmm_strdup(before) : NULL;

		setenv(variables[i], "/nowhere/layer.so", 1);
		assert_false(comes_from_disk(first, 42, false));
		assert_int_equal(fixture_each_file(folder, NULL), 0);
		if (kept)
			setenv(variables[i], kept, 1);
		else
			unsetenv(variables[i]);
		free(kept);
	}
}

/* A file that is whole, and of the right key, but holds nothing that the driver takes. */
static void spoil(const char *path)
{
	static const char nonsense[] = "\0\0\0\0\0\0\0\0this is no binary of any driver";
	enum { MAGIC = 16, HEAD = 40 };
	struct oclmm_text key = {0}, bytes = {0};
	uint64_t key_length;
	char *data;
	size_t length;

	assert_int_equal(oclmm_read_file(path, &data, &length), 0);
	assert_true(length > HEAD);
	memcpy(&key_length, data + MAGIC, sizeof(key_length));
	oclmm_text_add_bytes(&key, data + HEAD, key_length);
	oclmm_text_add_bytes(&bytes, nonsense, sizeof(nonsense));
	assert_int_equal(cache_write(folder, &key, &bytes), 0);
	oclmm_text_finish(&key);
	oclmm_text_finish(&bytes);
	free(data);
}

static void what_the_driver_refuses_is_replaced(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_ALWAYS, folder);
	assert_false(comes_from_disk(first, 42, false));
	fixture_each_file(folder, spoil);
	assert_false(comes_from_disk(first, 42, false));
	assert_true(comes_from_disk(first, 42, false));
	assert_int_equal(fixture_each_file(folder, NULL), 1);
}

static void no_folder_is_no_failure(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_ALWAYS, "/dev/null/below");
	assert_false(comes_from_disk(first, 42, false));
	assert_false(comes_from_disk(first, 42, false));
}

enum { OTHER, POCL, NONE };

static int find_platform(void)
{
	struct oclmm_device *device = fixture_open();

	if (!device)
		return NONE;
	return strcmp(device->info.platform, "Portable Computing Language") == 0 ? POCL : OTHER;
}

static int ask_for_platform(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(find_platform());
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return NONE;
	return WEXITSTATUS(status);
}

/* PoCL is known not to; with others it is measured once, and that is kept. */
static void it_is_kept_where_it_pays(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_WHERE_IT_PAYS, folder);
	assert_false(comes_from_disk(first, 42, false));
	if (ask_for_platform() == POCL)
		assert_int_equal(fixture_each_file(folder, NULL), 0);
	else
		assert_in_range(fixture_each_file(folder, NULL), 1, 2);
}

/* ---- whether it pays ---- */

/* In the children that are forked while it is set, kernels cannot be made. */
static bool kernels_fail;
static unsigned kernels_made;

#undef clCreateKernel
cl_kernel clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret)
{
	cl_kernel (*next)(cl_program, const char *, cl_int *) = (cl_kernel(*)(
		cl_program, const char *, cl_int *))(uintptr_t)dlsym(RTLD_NEXT, "clCreateKernel");

	if (kernels_fail) {
		*errcode_ret = CL_OUT_OF_HOST_MEMORY;
		return NULL;
	}
	kernels_made++;
	return next(program, kernel_name, errcode_ret);
}

/* Exits with whether it measured. */
static _Noreturn void ask_in_child(void)
{
	struct oclmm_device *device = fixture_open();

	if (!device)
		_exit(FAILED);
	device->driver_key = oclmm_strdup("a driver");
	oclmm_programs_pay(device);
	_exit(kernels_made > 0);
}

/* How many of some processes measured, that ask at the same time. */
static int ask_in_children(int count)
{
	int measured = 0, status;

	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			ask_in_child();
	}
	for (int i = 0; i < count; i++) {
		assert_true(waitpid(-1, &status, 0) > 0);
		assert_true(WIFEXITED(status));
		assert_in_range(WEXITSTATUS(status), 0, 1);
		measured += WEXITSTATUS(status);
	}
	return measured;
}

static void one_process_measures(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_WHERE_IT_PAYS, folder);
	assert_int_equal(ask_in_children(3), 1);
	assert_int_equal(fixture_each_file(folder, NULL), 1);
	assert_int_equal(ask_in_children(1), 0);
}

/* A device that is short of memory now may have more the next time. */
static void what_failed_says_nothing(void **state)
{
	(void)state;
	oclmm_device_keep_programs(OCLMM_KEEP_WHERE_IT_PAYS, folder);
	kernels_fail = true;
	assert_int_equal(ask_in_children(1), 0);
	assert_int_equal(fixture_each_file(folder, NULL), 0);
	kernels_fail = false;
	assert_int_equal(ask_in_children(1), 1);
	assert_int_equal(fixture_each_file(folder, NULL), 1);
}

/* ---- which driver it is ---- */

static uint64_t hash_of_driver(void)
{
	static const struct oclmm_device_info info = {.platform = "p", .driver = "1.0"};
	struct oclmm_text key = {0};
	uint64_t hash;

	assert_int_equal(oclmm_driver_key(&info, &key), 0);
	hash = oclmm_hash(key.data, key.length);
	oclmm_text_finish(&key);
	return hash;
}

/* Libraries may be built anew, or read other files, under one version. */
static void files_beside_libraries_count(void **state)
{
	const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	char library[128], beside[128], *data;
	uint64_t before, now;
	Dl_info loader;
	size_t length;
	void *handle;

	(void)state;
	assert_true(dladdr((void *)(uintptr_t)clGetPlatformIDs, &loader) != 0);
	assert_int_equal(oclmm_read_file(loader.dli_fname, &data, &length), 0);
	snprintf(library, sizeof(library), "%s/driver.so", folder);
	snprintf(beside, sizeof(beside), "%s/builtins.bc", folder);
	assert_int_equal(oclmm_write_file(library, data, length), 0);
	before = hash_of_driver();
	assert_true(hash_of_driver() == before);
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(handle);
	now = hash_of_driver();
	assert_true(now != before);
	assert_int_equal(oclmm_write_file(beside, "one", 3), 0);
	assert_true(hash_of_driver() != now);
	now = hash_of_driver();
	assert_int_equal(oclmm_write_file(beside, "two", 3), 0);
	/* both may have been written between two ticks of the clock of files */
	assert_int_equal(utimensat(AT_FDCWD, beside, times, 0), 0);
	assert_true(hash_of_driver() != now);
	dlclose(handle);
	free(data);
}

/* Code that a program makes for itself lies in no folder. */
static void memory_with_a_name_does_not_count(void **state)
{
	uint64_t before = hash_of_driver();
	int fd = memfd_create("code", MFD_CLOEXEC);
	void *code;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	assert_true(code != MAP_FAILED);
	assert_true(hash_of_driver() == before);
	munmap(code, 4096);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(variables_of_drivers_count, begin, end),
		cmocka_unit_test_setup_teardown(layers_turn_it_off, begin, end),
		cmocka_unit_test_setup_teardown(what_the_driver_refuses_is_replaced, begin, end),
		cmocka_unit_test_setup_teardown(no_folder_is_no_failure, begin, end),
		cmocka_unit_test_setup_teardown(it_is_kept_where_it_pays, begin, end),
		cmocka_unit_test_setup_teardown(one_process_measures, begin, end),
		cmocka_unit_test_setup_teardown(what_failed_says_nothing, begin, end),
		cmocka_unit_test(memory_with_a_name_does_not_count),
		cmocka_unit_test_setup_teardown(files_beside_libraries_count, begin, end),
	};

	/* the program itself makes no OpenCL call, or its forks could not */
	if (ask_for_platform() == NONE)
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
