// SPDX-License-Identifier: Apache-2.0
/* What commands that ask no device use of one. */
#include "audit/audit.h"
#include "cli/commands.h"
#include "device/device.h"
#include "idiom/idiom.h"
#include "launch/launch.h"
#include "process/process.h"
#include "worker/worker.h"

void connect_devices(void)
{
	static process_service *const services[] = {worker_serve, oclmm_device_serve_apart,
	                                            idiom_serve, launch_serve, NULL};

	audit_device_build = oclmm_device_build_apart;
	process_services = services;
}
