// SPDX-License-Identifier: Apache-2.0
/* What a child says beside results. */
#include "unpack.h"

#include <errno.h>
#include <stdlib.h>

int worker_error_unpack(struct wire_reader *reader, struct oclmm_error *ret_error)
{
	struct oclmm_error error;

	wire_get(reader, &error, sizeof(error));
	if (reader->failed || reader->left)
		return -EPROTO;
	END_STRING(error.file);
	END_STRING(error.message);
	END_STRING(error.source);
	END_STRING(error.note);
	*ret_error = error;
	return 0;
}

static bool is_sound(struct oclmm_device_info *info, struct oclmm_device_identity *identity)
{
	END_STRING(info->platform);
	END_STRING(info->name);
	END_STRING(info->vendor);
	END_STRING(info->driver);
	END_STRING(info->version);
	END_STRING(info->c_version);
	END_STRING(info->il_version);
	END_STRING(identity->text);
	END_STRING(identity->file);
	END_STRING(identity->id);
	return wire_is_flag(&info->device_enqueue) && wire_is_flag(&info->compiler) &&
	       wire_is_flag(&info->int64_atomics) && wire_is_flag(&info->collectives) &&
	       wire_is_flag(&info->fp16) && wire_is_flag(&info->fp64) &&
	       wire_is_flag(&info->sub_groups) && wire_is_flag(&info->generic_address_space) &&
	       wire_is_flag(&info->short_loops);
}

int worker_devices_unpack(struct wire_reader *reader, struct worker_devices *ret_devices)
{
	struct worker_devices devices = {0};
	uint64_t count = 0;
	bool sound = true;

	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > reader->left / sizeof(*devices.list.devices))
		return -EPROTO;
	devices.list.devices = oclmm_calloc(count + 1, sizeof(*devices.list.devices));
	devices.identities = oclmm_calloc(count + 1, sizeof(*devices.identities));
	for (; sound && devices.list.count < count; devices.list.count++) {
		struct oclmm_device_info *info = &devices.list.devices[devices.list.count];
		struct oclmm_device_identity *identity = &devices.identities[devices.list.count];

		wire_get(reader, info, sizeof(*info));
		wire_get(reader, identity, sizeof(*identity));
		sound = !reader->failed && is_sound(info, identity);
	}
	wire_get(reader, &count, sizeof(count));
	devices.list.left_out_at = count;
	if (!sound || worker_error_unpack(reader, &devices.list.left_out) < 0) {
		worker_devices_finish(&devices);
		return -EPROTO;
	}
	*ret_devices = devices;
	return 0;
}

int worker_table_unpack(struct wire_reader *reader, struct oclmm_probe_table *ret_table)
{
	struct oclmm_probe_table table;

	wire_get(reader, &table, sizeof(table));
	if (reader->failed || reader->left)
		return -EPROTO;
	for (size_t i = 0; i < OCLMM_COUNT(table.unnamed); i++) {
		if (!wire_is_flag(&table.unnamed[i]))
			return -EPROTO;
	}
	*ret_table = table;
	return 0;
}

void worker_devices_finish(struct worker_devices *devices)
{
	oclmm_device_list_finish(&devices->list);
	free(devices->identities);
	*devices = (struct worker_devices){0};
}
