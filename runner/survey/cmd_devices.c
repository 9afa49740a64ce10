// SPDX-License-Identifier: Apache-2.0
/* oclmm devices: what there is to run on, and what it claims. */
#include <stdio.h>

#include "claims.h"
#include "cli/commands.h"
#include "oclmm/grade.h"
#include "select/select.h"
#include "survey.h"
#include "worker/worker.h"

struct devices_options {
	bool json;
	bool details;
	bool probes;
};

static const struct option_spec options[] = {
	{"json", 'j', NULL, "print one JSON object per device",
         SETS_FLAG(struct devices_options, json)},
	{"long", 'l', NULL, "print everything that was asked of each device",
         SETS_FLAG(struct devices_options, details)},
	{"verbose", 'v', NULL, "the same, and what its compiler accepts, by small builds",
         SETS_FLAG(struct devices_options, probes)},
	{0},
};

/* A driver that says nothing for so long will not say anything any more. */
static const struct worker_options worker_options = {.limit = 60};

static const char *type_word(cl_device_type type)
{
	return type & CL_DEVICE_TYPE_GPU           ? "GPU"
	       : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
	       : type & CL_DEVICE_TYPE_CPU         ? "CPU"
	                                           : "other";
}

static bool has_float_atomics(const struct oclmm_device_info *info)
{
	unsigned all = 0;

	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++)
		all |= info->float_atomics[i];
	return all != 0;
}

static void print_set(const char *label, unsigned set,
                      void (*add)(struct oclmm_text *, unsigned, char))
{
	struct oclmm_text text = {0};

	add(&text, set, ' ');
	cli_print_fitted("    %-16s %s", label, oclmm_shown(oclmm_text_string(&text)).text);
	oclmm_text_finish(&text);
}

static void print_details(const struct oclmm_device_info *info)
{
	cli_print_fitted("    %-16s %s", "vendor", oclmm_shown(info->vendor).text);
	cli_print_fitted("    %-16s %s", "driver", oclmm_shown(info->driver).text);
	cli_print_fitted("    %-16s %s", "version", oclmm_shown(info->version).text);
	cli_print_fitted("    %-16s %s", "OpenCL C", oclmm_shown(info->c_version).text);
	cli_print_fitted("    %-16s %s", "IL",
	                 *info->il_version ? oclmm_shown(info->il_version).text : "none");
	cli_print_fitted("    %-16s %u", "compute units", info->compute_units);
	cli_print_fitted("    %-16s %zu", "work-group size", info->max_work_group_size);
	cli_print_fitted("    %-16s %llu MiB", "global memory",
	                 (unsigned long long)info->global_memory >> 20);
	cli_print_fitted("    %-16s %llu KiB", "local memory",
	                 (unsigned long long)info->local_memory >> 10);
	print_set("orders claimed", info->orders_claimed, claims_add_orders);
	print_set("fence orders", info->fence_orders_claimed, claims_add_orders);
	print_set("scopes claimed", info->scopes_claimed, claims_add_scopes);
	cli_print_fitted("    %-16s%s%s%s%s%s%s%s", "features",
	                 info->int64_atomics ? " int64-atomics" : "",
	                 info->sub_groups ? " sub-groups" : "",
	                 info->generic_address_space ? " generic" : "",
	                 info->program_scope ? " program-scope" : "",
	                 info->svm_capabilities & CL_DEVICE_SVM_ATOMICS ? " svm-atomics" : "",
	                 info->svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER ? " svm-fine"
	                                                                          : "",
	                 has_float_atomics(info) ? " float-atomics" : "");
}

static void print_json(size_t index, const struct oclmm_device_info *info,
                       const struct oclmm_probe_table *table)
{
	json_t *object = json_object();

	json_put_count(object, "index", index);
	json_put_text(object, "platform", info->platform);
	json_put_text(object, "name", info->name);
	json_put_text(object, "vendor", info->vendor);
	json_put_text(object, "driver", info->driver);
	json_put_text(object, "version", info->version);
	json_put_text(object, "c_version", info->c_version);
	json_put_text(object, "il_version", info->il_version);
	json_put_text(object, "type", type_word(info->type));
	json_put_count(object, "compute_units", info->compute_units);
	claims_set_json(object, info);
	if (table)
		json_object_set_new(object, "accepts", probes_json(table));
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static void print_probes(const struct oclmm_device_info *info,
                         const struct oclmm_probe_table *table)
{
	struct oclmm_text text = {0};

	probes_print(info, table, &text);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

static int print_device(const struct command *command, const struct devices_options *wanted,
                        const struct worker_devices *devices, size_t index)
{
	const struct oclmm_device_info *info = &devices->list.devices[index];
	const struct oclmm_probe_table *shown = NULL;
	struct oclmm_probe_table table;
	struct oclmm_error error = {0};
	int status = 0;

	if (wanted->probes) {
		if (probes_get(&worker_options, info, &devices->identities[index], &error,
		               &table) == OCLMM_END_OK) {
			shown = &table;
		} else {
			options_error(command, "%s: its compiler cannot be asked: %s", info->name,
			              error.message);
			status = OCLMM_EXIT_INFRASTRUCTURE;
		}
	}
	if (wanted->json) {
		print_json(index, info, shown);
		return status;
	}
	cli_print_fitted("%zu  %s: %s (%s, %s, driver %s)", index, oclmm_shown(info->platform).text,
	                 oclmm_shown(info->name).text, type_word(info->type),
	                 oclmm_shown(info->version).text, oclmm_shown(info->driver).text);
	if (wanted->details || wanted->probes)
		print_details(info);
	if (shown)
		print_probes(info, shown);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct devices_options wanted = {0};
	struct worker_devices devices = {0};
	int first, status = options_parse(command, argc, argv, &wanted, &first);

	if (status)
		return status;
	if (first < argc)
		return options_error(command, "unexpected argument \"%s\"", argv[first]);
	status = devices_find(command, &worker_options, &devices);
	for (size_t i = 0; i < devices.list.count; i++) {
		int r = print_device(command, &wanted, &devices, i);

		status = r ? r : status;
	}
	worker_devices_finish(&devices);
	return status;
}

const struct command command_devices = {
	.name = "devices",
	.arguments = "",
	.summary = "list the OpenCL devices of this machine and what they claim",
	.options = options,
	.run = run,
};
