// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int rank(const struct oclmm_device_info *info)
{
	int by_type = info->type & CL_DEVICE_TYPE_GPU           ? 3
	              : info->type & CL_DEVICE_TYPE_ACCELERATOR ? 2
	                                                        : 1;

	/* a device without C11 atomics is of use only when nothing else is there */
	return info->major >= 2 ? by_type + 3 : by_type;
}

static int refuse(const struct oclmm_device_list *list, const char *wanted,
                  struct oclmm_error *error)
{
	struct oclmm_text note = {0};

	if (list->count == 0) {
		oclmm_error_set(error, -ENODEV, "no OpenCL device found");
		return -1;
	}
	oclmm_error_set(error, -ENODEV, "no device matches '%s'", wanted);
	oclmm_text_add(&note, "there are:");
	for (size_t i = 0; i < list->count; i++)
		oclmm_text_printf(&note, "%s %zu: %s (%s)", i ? "," : "", i, list->devices[i].name,
		                  list->devices[i].platform);
	strncpy(error->note, oclmm_text_string(&note), sizeof(error->note) - 1);
	oclmm_text_finish(&note);
	return -1;
}

static bool is_number(const char *text)
{
	for (; *text; text++)
		if (!isdigit((unsigned char)*text))
			return false;
	return true;
}

static int best(const struct oclmm_device_list *list)
{
	int found = -1;

	for (size_t i = 0; i < list->count; i++)
		if (found < 0 || rank(&list->devices[i]) > rank(&list->devices[found]))
			found = (int)i;
	return found;
}

int oclmm_device_choose(const struct oclmm_device_list *list, const char *wanted,
                        struct oclmm_error *error)
{
	if (!wanted || !*wanted) {
		int found = best(list);

		return found >= 0 ? found : refuse(list, "", error);
	}
	if (is_number(wanted)) {
		unsigned long index = strtoul(wanted, NULL, 10);

		/* those behind it have other numbers than on a machine that is well */
		if (*list->left_out.message && index >= list->left_out_at) {
			oclmm_error_set(error, -ENODEV,
			                "device %zu cannot be asked, so no number from there on "
			                "is sure; name the device",
			                list->left_out_at);
			return -1;
		}
		return index < list->count ? (int)index : refuse(list, wanted, error);
	}
	for (size_t i = 0; i < list->count; i++)
		if (strcasestr(list->devices[i].name, wanted) ||
		    strcasestr(list->devices[i].platform, wanted))
			return (int)i;
	/* "PoCL" stands nowhere else */
	for (size_t i = 0; i < list->count; i++)
		if (strcasestr(list->devices[i].version, wanted))
			return (int)i;
	return refuse(list, wanted, error);
}
