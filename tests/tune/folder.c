// SPDX-License-Identifier: Apache-2.0
/* Where profiles are kept, that they are written whole, and which one a shape gets. */
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

#include "profile/profile.h"

static char folder[] = "/tmp/oclmm-tune-XXXXXX";

static struct oclmm_profile make(const char *shape)
{
	struct oclmm_profile profile = {
		.platform = "P",
		.device = "D",
		.driver = "1",
		.test = "T",
		.date = "2026-01-01T00:00:00Z",
		.set = {.count = 1,
	                .environments = {{.groups = 2,
	                                  .lanes = 3,
	                                  .rounds = 4,
	                                  .stride = 1,
	                                  .poll_every = 1,
	                                  .stress_lines = 1,
	                                  .stress_stride = 1,
	                                  .count_lanes = 1,
	                                  .count_each = 1}}},
	};

	snprintf(profile.shape, sizeof(profile.shape), "%s", shape);
	return profile;
}

static void write_one(const char *shape)
{
	struct oclmm_profile profile = make(shape);
	char *path;

	assert_int_equal(oclmm_profile_write(folder, &profile, &path), 0);
	free(path);
}

static void chooses_the_nearest(void **state)
{
	struct oclmm_profiles profiles = {0};
	struct oclmm_error error;

	(void)state;
	write_one("WaWb-RbRa.01.g");
	write_one("WaRb-WbRa.01.g");
	write_one("RaWb-RbWa.00.l");
	assert_int_equal(oclmm_profiles_add(&profiles, folder, &error), 0);
	assert_int_equal(profiles.count, 3);
	assert_string_equal(oclmm_profiles_find(&profiles, "WaWb-RbRa.01.g")->shape,
	                    "WaWb-RbRa.01.g");
	/* S, WaWb-RbWa: one letter from MP, three from SB */
	assert_string_equal(oclmm_profiles_find(&profiles, "WaWb-RbWa.01.g")->shape,
	                    "WaWb-RbRa.01.g");
	/* R, WaWb-WbRa: one letter from either; the first by name */
	assert_string_equal(oclmm_profiles_find(&profiles, "WaWb-WbRa.01.g")->shape,
	                    "WaRb-WbRa.01.g");
	assert_string_equal(oclmm_profiles_find(&profiles, "RaWb-RbWa.00.l")->shape,
	                    "RaWb-RbWa.00.l");
	/* elsewhere placed, elsewhere stored, or with other threads: nothing is known */
	assert_null(oclmm_profiles_find(&profiles, "WaWb-RbRa.00.g"));
	assert_null(oclmm_profiles_find(&profiles, "WaWb-RbRa.01.l"));
	assert_null(oclmm_profiles_find(&profiles, "WaWb-RbRa-Rb.012.g"));
	/* the same folder again: every shape twice */
	assert_int_equal(oclmm_profiles_add(&profiles, folder, &error), -EINVAL);
	assert_non_null(strstr(error.message, "same shape"));
	assert_int_equal(profiles.count, 3);
	oclmm_profiles_finish(&profiles);
	assert_null(oclmm_profiles_find(&profiles, "WaWb-RbRa.01.g"));
}

static void a_damaged_one_is_refused(void **state)
{
	struct oclmm_profiles profiles = {0};
	struct oclmm_error error;
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/damaged.profile", folder);
	assert_int_equal(oclmm_write_file(path, "oclmm-profile 1\ndevice\n", 23), 0);
	assert_int_equal(oclmm_profiles_add(&profiles, folder, &error), -EINVAL);
	assert_int_equal(profiles.count, 0);
	assert_string_equal(error.file, path);
	assert_int_equal(error.position.line, 2);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(oclmm_profiles_add(&profiles, "/nonexistent", &error), -ENOENT);
	oclmm_profiles_finish(&profiles);
}

/* A long name is cut between two characters, and what is then its end is no blank. */
static void a_cut_name_is_the_same_again(void **state)
{
	static const char *const ends[] = {"\t      and more",     "aaaaäöü",   "aaaaaäöü",
	                                   "aaaa\xf0\x9f\x92\xa5", "##[error]", "\n\n\n"};
	struct oclmm_profile profile = make("RaRa-WaWa.01.g"), again;
	struct oclmm_text once, twice;
	struct oclmm_error error;

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(ends); i++) {
		/* each byte of the name is four when it is shown */
		memset(profile.test, '\x80', 62);
		snprintf(profile.test + 62, sizeof(profile.test) - 62, "%s", ends[i]);
		oclmm_text_init(&once);
		oclmm_text_init(&twice);
		oclmm_profile_print(&once, &profile);
		assert_int_equal(oclmm_profile_parse("p", once.data, once.length, &error, &again),
		                 0);
		oclmm_profile_print(&twice, &again);
		assert_string_equal(oclmm_text_string(&once), oclmm_text_string(&twice));
		oclmm_text_finish(&once);
		oclmm_text_finish(&twice);
	}
	assert_true(oclmm_profile_names("a\\nb", " a\nb "));
	assert_true(oclmm_profile_names("?", " "));
	assert_false(oclmm_profile_names("a", "b"));
}

/* What a driver calls itself: lines of a profile, nothing at all, more than there is room for. */
static void any_name_is_read_again(void **state)
{
	struct oclmm_profile profile = make("RaRa-WaWa.01.g"), again;
	struct oclmm_error error;
	char *path;

	(void)state;
	snprintf(profile.platform, sizeof(profile.platform), "\x1b[2J\nenvironment groups=99\n");
	snprintf(profile.device, sizeof(profile.device), " ");
	memset(profile.driver, '\n', sizeof(profile.driver) - 1);
	assert_int_equal(oclmm_profile_write(folder, &profile, &path), 0);
	assert_int_equal(oclmm_profile_read(path, &error, &again), 0);
	assert_string_equal(again.platform, "\\x1b[2J\\nenvironment groups=99\\n");
	assert_string_equal(again.device, "?");
	assert_int_equal(strlen(again.driver), sizeof(again.driver) - 1);
	assert_int_equal(again.set.count, 1);
	assert_int_equal(unlink(path), 0);
	free(path);
}

/* What cannot be written leaves what was there. */
static void a_failure_leaves_the_old_one(void **state)
{
	struct oclmm_profile profile = make("RaRb-WaWb.01.g"), again;
	struct oclmm_error error;
	char *path, *other;

	(void)state;
	assert_int_equal(oclmm_profile_write(folder, &profile, &path), 0);
	assert_int_equal(oclmm_profile_read(path, &error, &again), 0);
	assert_memory_equal(&again.set, &profile.set, sizeof(again.set));
	profile.set.environments[0].groups = 99;
	assert_true(oclmm_profile_write("/proc/nonexistent", &profile, &other) < 0);
	assert_string_equal(other, "/proc/nonexistent/RaRb-WaWb.01.g.profile");
	free(other);
	assert_int_equal(oclmm_profile_read(path, &error, &again), 0);
	assert_int_equal(again.set.environments[0].groups, 2);
	assert_int_equal(oclmm_profile_write(folder, &profile, &other), 0);
	assert_int_equal(oclmm_profile_read(path, &error, &again), 0);
	assert_int_equal(again.set.environments[0].groups, 99);
	free(other);
	free(path);
}

static void the_folder_is_the_devices(void **state)
{
	struct oclmm_device_info a = {.platform = "NVIDIA CUDA",
	                              .name = "NVIDIA H200",
	                              .driver = "1"},
				 b = a, c = a;
	char *of_a, *of_b, *of_c;

	(void)state;
	snprintf(b.driver, sizeof(b.driver), "2");
	snprintf(c.name, sizeof(c.name), "NVIDIA  H200");
	setenv("XDG_DATA_HOME", "/data", 1);
	of_a = oclmm_profile_folder(&a);
	of_b = oclmm_profile_folder(&b);
	of_c = oclmm_profile_folder(&c);
	assert_int_equal(strncmp(of_a, "/data/oclmm/profiles/NVIDIA-CUDA-NVIDIA-H200-", 45), 0);
	/* another driver finds what the last one had; another device does not, however alike the
	 * names are */
	assert_string_equal(of_a, of_b);
	assert_string_not_equal(of_a, of_c);
	free(of_a);
	free(of_b);
	free(of_c);
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/home/me", 1);
	of_a = oclmm_profile_folder(&a);
	assert_int_equal(strncmp(of_a, "/home/me/.local/share/oclmm/profiles/", 37), 0);
	free(of_a);
	unsetenv("HOME");
	assert_null(oclmm_profile_folder(&a));
}

static void shapes_have_a_form(void **state)
{
	static const char *const good[] = {"WaWb-RbRa.01.g", "Ua-Ua.01s00.gl",
	                                   "WaRb~0123456789abcdef.0h.gs", "Wa.0."};
	static const char *const bad[] = {
		"",      "MP",        "WaWb-RbRa", "WaWb-RbRa.01", "WaWb-RbRa..g",
		".01.g", "Wa/..01.g", "Wa.01.x"};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(good); i++)
		assert_true(oclmm_shape_is_valid(good[i]));
	for (size_t i = 0; i < OCLMM_COUNT(bad); i++)
		assert_false(oclmm_shape_is_valid(bad[i]));
	assert_int_equal(oclmm_shape_distance("WaWb-RbRa.01.g", "WaWb-RbRa.01.g"), 0);
	assert_int_equal(oclmm_shape_distance("WaWb-RbRa.01.g", "WaRb-WbRa.01.g"), 2);
	assert_int_equal(oclmm_shape_distance("WaWb-RbRa.01.g", "WaWb-Ra.01.g"), 2);
	assert_int_equal(oclmm_shape_distance("WaWb-RbRa.01.g", "WaWb-RbRa.01.l"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses_the_nearest),
		cmocka_unit_test(a_damaged_one_is_refused),
		cmocka_unit_test(any_name_is_read_again),
		cmocka_unit_test(a_cut_name_is_the_same_again),
		cmocka_unit_test(a_failure_leaves_the_old_one),
		cmocka_unit_test(the_folder_is_the_devices),
		cmocka_unit_test(shapes_have_a_form),
	};
	char command[64];
	int status;

	if (!mkdtemp(folder))
		return 99;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) == 0 ? status : 99;
}
