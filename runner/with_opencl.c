// SPDX-License-Identifier: Apache-2.0
/* What commands that ask no device use of one. */
#include "audit/audit.h"
#include "cli/commands.h"
#include "device/device.h"
#include "process/process.h"
#include "worker/worker.h"

void connect_devices(void)
{
	audit_device_build = oclmm_device_build_apart;
	process_serve = worker_serve;
}
