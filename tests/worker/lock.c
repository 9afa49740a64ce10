// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/worker.h"

static const struct oclmm_device_identity identity = {.text = "a device", .file = "device-0123"};

static int make_folder(void **state)
{
	char *folder = strdup("/tmp/oclmm-lock-XXXXXX");

	*state = mkdtemp(folder);
	return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int remove_folder(void **state)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/oclmm/%s.lock", (char *)*state, identity.file);
	unlink(oclmm_text_string(&path));
	oclmm_text_finish(&path);
	oclmm_text_printf(&path, "%s/oclmm", (char *)*state);
	if (rmdir(oclmm_text_string(&path)) < 0)
		unlink(oclmm_text_string(&path));
	oclmm_text_finish(&path);
	rmdir(*state);
	free(*state);
	return 0;
}

static int lock(long *ret_holder)
{
	struct oclmm_error error;

	return worker_lock(&identity, &error, ret_holder);
}

/* Whether the folder has the file of the device. */
static bool has_lock(const char *folder)
{
	struct oclmm_text path = {0};
	bool has;

	oclmm_text_printf(&path, "%s/%s.lock", folder, identity.file);
	has = access(oclmm_text_string(&path), F_OK) == 0;
	oclmm_text_finish(&path);
	return has;
}

static void a_device_has_one_holder(void **state)
{
	struct oclmm_text folder = {0};
	long holder = -1;
	int first = lock(&holder), second;

	assert_true(first >= 0);
	oclmm_text_printf(&folder, "%s/oclmm", (char *)*state);
	assert_true(has_lock(oclmm_text_string(&folder)));
	oclmm_text_finish(&folder);
	/* another descriptor is another holder, in this process, too */
	assert_int_equal(lock(&holder), -EWOULDBLOCK);
	assert_int_equal(holder, getpid());
	close(first);
	second = lock(&holder);
	assert_true(second >= 0);
	close(second);
}

static void a_folder_of_others_is_refused(void **state)
{
	struct oclmm_text link = {0};
	struct oclmm_error error;
	long holder;

	oclmm_text_printf(&link, "%s/oclmm", (char *)*state);
	assert_int_equal(symlink("/tmp", oclmm_text_string(&link)), 0);
	assert_int_equal(worker_lock(&identity, &error, &holder), -EPERM);
	assert_non_null(strstr(error.message, oclmm_text_string(&link)));
	oclmm_text_finish(&link);
}

static void without_a_runtime_folder(void **state)
{
	struct oclmm_text folder = {0};
	long holder;
	int file;

	(void)state;
	unsetenv("XDG_RUNTIME_DIR");
	file = lock(&holder);
	/* another run of this test may have it */
	assert_true(file >= 0 || file == -EWOULDBLOCK);
	oclmm_text_printf(&folder, "/tmp/oclmm-%u", (unsigned)geteuid());
	assert_true(has_lock(oclmm_text_string(&folder)));
	oclmm_text_finish(&folder);
	if (file >= 0)
		close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_device_has_one_holder, make_folder,
	                                        remove_folder),
		cmocka_unit_test_setup_teardown(a_folder_of_others_is_refused, make_folder,
	                                        remove_folder),
		cmocka_unit_test_setup_teardown(without_a_runtime_folder, make_folder,
	                                        remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
