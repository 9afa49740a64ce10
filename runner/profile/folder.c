// SPDX-License-Identifier: Apache-2.0
/* Where a user's profiles are, and which of them fits a test. */
#include "profile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char suffix[] = ".profile";

/* Letters and digits; anything else between them is one dash. */
static void add_plain(struct oclmm_text *text, const char *name)
{
	bool gap = false;

	for (; *name; name++) {
		if (!isalnum((unsigned char)*name)) {
			gap = true;
			continue;
		}
		if (gap && text->length)
			oclmm_text_add(text, "-");
		gap = false;
		oclmm_text_add_bytes(text, name, 1);
	}
}

/* Readable, and told apart by a hash where what is readable is the same. */
static char *device_folder(const struct oclmm_device_info *info)
{
	struct oclmm_text name = {0}, exact = {0};

	oclmm_text_printf(&exact, "%s/%s", info->platform, info->name);
	add_plain(&name, oclmm_text_string(&exact));
	if (name.length > 80) {
		name.length = 80;
		name.data[80] = '\0';
	}
	oclmm_text_printf(&name, "%s%08x", name.length ? "-" : "",
	                  (unsigned)oclmm_hash(exact.data, exact.length));
	oclmm_text_finish(&exact);
	return oclmm_text_steal(&name);
}

char *oclmm_profile_folder(const struct oclmm_device_info *info)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *device;
	struct oclmm_text path = {0};

	/* a relative one is to be ignored, says the XDG Base Directory Specification */
	if (data && *data == '/')
		oclmm_text_add(&path, data);
	else if (home && *home == '/')
		oclmm_text_printf(&path, "%s/.local/share", home);
	else
		return NULL;
	device = device_folder(info);
	oclmm_text_printf(&path, "/oclmm/profiles/%s", device);
	free(device);
	return oclmm_text_steal(&path);
}

int oclmm_profile_write(const char *folder, const struct oclmm_profile *profile, char **ret_path)
{
	struct oclmm_text path = {0}, text = {0};
	int r = oclmm_make_folders(folder);

	oclmm_text_printf(&path, "%s/%s%s", folder, profile->shape, suffix);
	oclmm_profile_print(&text, profile);
	if (r == 0)
		r = oclmm_write_file(oclmm_text_string(&path), oclmm_text_string(&text),
		                     text.length);
	oclmm_text_finish(&text);
	*ret_path = oclmm_text_steal(&path);
	return r;
}

static int compare(const void *a, const void *b)
{
	const struct oclmm_profile *x = a, *y = b;

	return strcmp(x->shape, y->shape);
}

static int add_file(struct oclmm_profiles *profiles, const char *path, struct oclmm_error *error)
{
	struct oclmm_profile profile;
	int r = oclmm_profile_read(path, error, &profile);

	if (r < 0)
		return r;
	for (size_t i = 0; i < profiles->count; i++) {
		if (strcmp(profiles->profiles[i].shape, profile.shape) == 0)
			return oclmm_error_set(error, -EINVAL,
			                       "%s and %s are of the same shape, %s",
			                       profiles->profiles[i].path, path, profile.shape);
	}
	oclmm_grow(&profiles->profiles, &profiles->capacity, profiles->count,
	           sizeof(*profiles->profiles));
	profiles->profiles[profiles->count++] = profile;
	return 0;
}

static int is_profile(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > strlen(suffix) &&
	       strcmp(entry->d_name + length - strlen(suffix), suffix) == 0;
}

static int add_folder(struct oclmm_profiles *profiles, const char *path, struct oclmm_error *error)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_profile, alphasort), r = 0;

	if (count < 0)
		return oclmm_error_set(error, -errno, "cannot read %s: %s", path, strerror(errno));
	for (int i = 0; i < count; i++) {
		struct oclmm_text file = {0};

		oclmm_text_printf(&file, "%s/%s", path, entries[i]->d_name);
		if (r == 0)
			r = add_file(profiles, oclmm_text_string(&file), error);
		oclmm_text_finish(&file);
		free(entries[i]);
	}
	free(entries);
	return r;
}

int oclmm_profiles_add(struct oclmm_profiles *profiles, const char *path, struct oclmm_error *error)
{
	size_t before = profiles->count;
	struct stat info;
	int r;

	if (stat(path, &info) < 0)
		return oclmm_error_set(error, -errno, "cannot open %s: %s", path, strerror(errno));
	r = S_ISDIR(info.st_mode) ? add_folder(profiles, path, error)
	                          : add_file(profiles, path, error);
	if (r < 0)
		profiles->count = before;
	else if (profiles->count > 1)
		qsort(profiles->profiles, profiles->count, sizeof(*profiles->profiles), compare);
	return r;
}

void oclmm_profiles_finish(struct oclmm_profiles *profiles)
{
	free(profiles->profiles);
	*profiles = (struct oclmm_profiles){0};
}

const struct oclmm_profile *oclmm_profiles_find(const struct oclmm_profiles *profiles,
                                                const char *shape)
{
	const struct oclmm_profile *found = NULL;
	int nearest = 0;

	for (size_t i = 0; i < profiles->count; i++) {
		int distance = oclmm_shape_distance(profiles->profiles[i].shape, shape);

		if (distance >= 0 && (!found || distance < nearest)) {
			found = &profiles->profiles[i];
			nearest = distance;
		}
	}
	return found;
}
