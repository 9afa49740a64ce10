// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <stdlib.h>

const char worker_test[] =
	"OPENCL one\n{ [x] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"exists (1:r0=1)\n";

bool worker_find_device(struct oclmm_device_identity *ret_identity)
{
	struct worker_options options = {.limit = 60};
	struct worker_devices devices;
	struct oclmm_error error;
	struct worker *worker;
	int index = -1;

	if (worker_start(&options, NULL, 0, &error, &worker) < 0)
		return false;
	if (worker_devices(worker, &error, &devices) == OCLMM_END_OK) {
		index = oclmm_device_choose(&devices.list, getenv("OCLMM_DEVICE"), &error);
		if (index >= 0 && devices.list.devices[index].major >= 2)
			*ret_identity = devices.identities[index];
		else
			index = -1;
		worker_devices_finish(&devices);
	}
	worker_stop(worker);
	return index >= 0;
}
