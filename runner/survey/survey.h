// SPDX-License-Identifier: Apache-2.0
/*
 * Which devices there are, and what their compilers accept, asked once per device
 * and driver and then remembered.
 *
 * May see: worker, select, cache.
 */
#ifndef OCLMM_RUNNER_SURVEY_SURVEY_H
#define OCLMM_RUNNER_SURVEY_SURVEY_H

#include "cli/cli.h"
#include "cli/json.h"
#include "worker/worker.h"

/* The devices of this machine, at least one. Returns 0 or the status to leave with: said already.
 */
int devices_find(const struct command *command, const struct worker_options *options,
                 struct worker_devices *ret_devices);

/*
 * From $XDG_CACHE_HOME/oclmm (or ~/.cache/oclmm), else from the device, which
 * is then written there; a cache that cannot be written is no error.
 */
enum oclmm_end probes_get(const struct worker_options *options,
                          const struct oclmm_device_info *info,
                          const struct oclmm_device_identity *identity, struct oclmm_error *error,
                          struct oclmm_probe_table *ret_table);

/* The table as JSON. */
json_t *probes_json(const struct oclmm_probe_table *table);

/* A table for people: what is claimed, accepted and refused. */
void probes_print(const struct oclmm_device_info *info, const struct oclmm_probe_table *table,
                  struct oclmm_text *text);

#endif
