// SPDX-License-Identifier: Apache-2.0
/* usage: device_code DEVICE FILE...: builds OpenCL C texts and writes what the driver made of each
 * to FILE.code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

static int write_code(struct oclmm_device *device, const char *path)
{
	struct oclmm_text code = {0};
	char *source, target[4096];
	size_t length;
	int r = oclmm_read_file(path, &source, &length);

	if (r < 0) {
		fprintf(stderr, "cannot read %s: %s\n", path, strerror(-r));
		return 1;
	}
	oclmm_device_binary(device, source, &code);
	snprintf(target, sizeof(target), "%s.code", path);
	r = code.length ? oclmm_write_file(target, code.data, code.length) : -1;
	if (r < 0)
		fprintf(stderr, "%s: no code\n", path);
	oclmm_text_finish(&code);
	free(source);
	return r < 0;
}

int main(int argc, char **argv)
{
	struct oclmm_device_list list;
	struct oclmm_device *device;
	struct oclmm_error error = {0};
	int index, status = 0;

	if (argc < 3) {
		fputs("usage: device_code DEVICE FILE...\n", stderr);
		return 2;
	}
	if (oclmm_devices_list(&error, &list) < 0 ||
	    (index = oclmm_device_choose(&list, argv[1], &error)) < 0 ||
	    oclmm_device_open(&list, (size_t)index, &error, &device) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return 77;
	}
	for (int i = 2; i < argc; i++)
		status |= write_code(device, argv[i]);
	oclmm_device_close(device);
	oclmm_device_list_finish(&list);
	return status;
}
