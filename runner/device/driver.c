// SPDX-License-Identifier: Apache-2.0
/* What a result depends on beside the device: the build of the driver, and the variables that it
 * reads. And the drivers that the loader drops without a word. */
#include "internal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/system.h"

/*
 * ---- variables ----
 *
 * Those that choose a driver, put a layer before it, or change what it does: a repetition
 * needs them, and a result speaks for them alone.
 */
/* Of loaders, of drivers, and our own; not those that say where things are installed (CUDA_HOME).
 */
static const char *const prefixes[] = {
	"OCL_ICD_",      "OPENCL_",       "AMD_",        "CL_CONFIG_",   "CUDA_CACHE_",
	"CUDA_DEVICE_",  "CUDA_DISABLE_", "CUDA_FORCE_", "CUDA_LAUNCH_", "CUDA_MODULE_",
	"CUDA_VISIBLE_", "GALLIUM_",      "GPU_",        "HIP_VISIBLE_", "HSA_",
	"IGC_",          "LP_",           "MESA_",       "NEO_",         "ONEAPI_DEVICE_",
	"POCL_",         "ROCR_",         "RUSTICL_",    "ZES_",         "ZET_",
	"ZE_",           "OCLMM_BUILD_",  "OCLMM_LAYER",
};

static bool concerns_driver(const char *variable)
{
	for (size_t i = 0; i < OCLMM_COUNT(prefixes); i++) {
		if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void oclmm_driver_variables(struct oclmm_text *text)
{
	const char **found = NULL;
	size_t count = 0, capacity = 0;

	for (char **at = environ; at && *at; at++) {
		if (!concerns_driver(*at) || !strchr(*at, '='))
			continue;
		oclmm_grow(&found, &capacity, count, sizeof(*found));
		found[count++] = *at;
	}
	if (count)
		qsort(found, count, sizeof(*found), compare_strings);
	for (size_t i = 0; i < count; i++) {
		const char *value = strchr(found[i], '=') + 1;

		oclmm_text_add_bytes(text, found[i], (size_t)(value - found[i]));
		oclmm_text_add_quoted(text, value);
		oclmm_text_add(text, " ");
	}
	free(found);
}

/*
 * ---- the build ----
 *
 * A driver's version does not tell its builds apart: whoever works on it builds it many
 * times a day. So the key has every file beside the libraries that this process has loaded: the
 * driver's own, those of its compiler, which may be loaded later, and the files that it reads.
 */
/* Folders of loaded libraries. */
struct folders {
	char **paths;
	size_t count, capacity;
};

static void add_folder(struct folders *folders, const char *path, size_t length)
{
	char *folder;

	for (size_t i = 0; i < folders->count; i++) {
		if (strlen(folders->paths[i]) == length &&
		    memcmp(folders->paths[i], path, length) == 0)
			return;
	}
	folder = oclmm_calloc(length + 1, 1);
	memcpy(folder, path, length);
	oclmm_grow(&folders->paths, &folders->capacity, folders->count, sizeof(char *));
	folders->paths[folders->count++] = folder;
}

/* A line of /proc/self/maps: `7f00-7f80 r-xp 00000000 fe:00 1234   /path`. */
static void take_line(struct folders *folders, const char *line, const char *own)
{
	const char *path = strchr(line, '/'), *rights = strchr(line, ' ');
	const char *end;

	if (!path || !rights || rights[3] != 'x')
		return;
	end = strrchr(path, '/');
	/* named memory, not a file */
	if (end == path)
		return;
	/* files beside this program, in a build folder, are not the driver's */
	if (strncmp(path, own, (size_t)(end - path)) == 0 && own[end - path] == '/' &&
	    !strchr(own + (end - path) + 1, '/'))
		return;
	add_folder(folders, path, (size_t)(end - path));
}

/* False where the system does not tell. */
static bool find_folders(struct folders *folders)
{
	char own[4096], *line = NULL;
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	FILE *maps = fopen("/proc/self/maps", "re");
	size_t size = 0;

	own[length > 0 ? length : 0] = '\0';
	while (maps && getline(&line, &size, maps) > 0)
		take_line(folders, line, own);
	if (maps)
		fclose(maps);
	free(line);
	/* addresses differ from process to process */
	if (folders->count)
		qsort(folders->paths, folders->count, sizeof(char *), compare_strings);
	return folders->count > 0;
}

struct stamp {
	uint64_t name;
	int64_t size, seconds, nanoseconds;
};

/* The sum of the hashes, because the files of a folder have no order. */
static uint64_t hash_folder(const char *path)
{
	const struct dirent *entry;
	DIR *folder = opendir(path);
	struct oclmm_text file = {0};
	uint64_t sum = 0;
	struct stat info;

	while (folder && (entry = readdir(folder))) {
		struct stamp stamp;

		oclmm_text_drop(&file, file.length);
		oclmm_text_printf(&file, "%s/%s", path, entry->d_name);
		if (stat(oclmm_text_string(&file), &info) < 0 || !S_ISREG(info.st_mode))
			continue;
		stamp = (struct stamp){
			.name = oclmm_hash(entry->d_name, strlen(entry->d_name)),
			.size = (int64_t)info.st_size,
			.seconds = (int64_t)info.st_mtim.tv_sec,
			.nanoseconds = info.st_mtim.tv_nsec,
		};
		sum += oclmm_hash(&stamp, sizeof(stamp));
	}
	if (folder)
		closedir(folder);
	oclmm_text_finish(&file);
	return sum;
}

int oclmm_driver_key(const struct oclmm_device_info *info, struct oclmm_text *key)
{
	struct folders folders = {0};
	bool found = find_folders(&folders);

	oclmm_text_printf(key, "%s|%s|%s|%s|%s|%s\n", info->platform, info->vendor, info->name,
	                  info->driver, info->version, info->c_version);
	oclmm_driver_variables(key);
	for (size_t i = 0; i < folders.count; i++) {
		oclmm_text_printf(key, "\n%s %016" PRIx64, folders.paths[i],
		                  hash_folder(folders.paths[i]));
		free(folders.paths[i]);
	}
	oclmm_text_add(key, "\n");
	free(folders.paths);
	return found ? 0 : -ENOTSUP;
}

/*
 * ---- drivers that are not there ----
 *
 * The loader (cl_khr_icd) takes a driver from each file NAME.icd of its folder, which has the name
 * of a library, and leaves out what does not load. A machine without its driver looks to a program
 * like one without a device.
 */
typedef void *(CL_API_CALL *get_function)(const char *name);
typedef cl_int(CL_API_CALL *get_platforms)(cl_uint count, cl_platform_id *platforms,
                                           cl_uint *ret_count);

static const cl_int NO_PLATFORM = -1001;

/* Why the loader has no platform of a library, one line; false where it has. */
static bool is_dropped(const char *library, char *why, size_t size)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL), *symbol;
	get_platforms platforms = NULL;
	get_function function = NULL;
	cl_uint count = 0;
	cl_int code;

	if (!handle) {
		const char *said = dlerror();

		snprintf(why, size, "it cannot be loaded: %s", said ? said : library);
		return true;
	}
	/* ISO C has no cast from a pointer to data; it stays open, as the loader keeps it */
	symbol = dlsym(handle, "clGetExtensionFunctionAddress");
	memcpy(&function, &symbol, sizeof(function));
	symbol = function ? function("clIcdGetPlatformIDsKHR")
	                  : dlsym(handle, "clIcdGetPlatformIDsKHR");
	memcpy(&platforms, &symbol, sizeof(platforms));
	if (!platforms) {
		snprintf(why, size, "%s has no %s", library,
		         function ? "clIcdGetPlatformIDsKHR" : "clGetExtensionFunctionAddress");
		return true;
	}
	code = platforms(0, NULL, &count);
	if (code == CL_SUCCESS && count)
		return false;
	if (code == CL_SUCCESS || code == NO_PLATFORM)
		snprintf(why, size, "%s has no platform: it finds no device", library);
	else
		snprintf(why, size, "clIcdGetPlatformIDsKHR of %s fails (%d)", library, code);
	return true;
}

static void check_icd(const char *folder, const char *name, struct oclmm_text *text)
{
	struct oclmm_text path = {0};
	char *library = NULL, why[512];
	size_t length;
	int r;

	oclmm_text_printf(&path, "%s/%s", folder, name);
	r = oclmm_read_file(oclmm_text_string(&path), &library, &length);
	if (r == 0)
		library[strcspn(library, "\r\n")] = '\0';
	if (r < 0)
		snprintf(why, sizeof(why), "it cannot be read: %s", strerror(-r));
	else if (!*library)
		snprintf(why, sizeof(why), "it names no library");
	if (r < 0 || !*library || is_dropped(library, why, sizeof(why))) {
		why[strcspn(why, "\n")] = '\0';
		oclmm_text_printf(text, "%s: %s\n", oclmm_text_string(&path), why);
	}
	free(library);
	oclmm_text_finish(&path);
}

static int is_icd(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, ".icd") == 0;
}

void oclmm_drivers_dropped(struct oclmm_text *text)
{
	const char *asked = getenv("OCL_ICD_VENDORS");
	const char *folder = asked && *asked ? asked : oclmm_opencl_vendors;
	struct dirent **entries;
	int count = oclmm_opencl_vendors ? scandir(folder, &entries, is_icd, alphasort) : -1;

	/* a file or a library in place of the folder is somebody's choice for now */
	for (int i = 0; i < count; i++) {
		check_icd(folder, entries[i]->d_name, text);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}
