// SPDX-License-Identifier: Apache-2.0
/* What a child says whose memory a driver has overwritten. */
#include <string.h>

#include "fuzz.h"
#include "worker/child.h"

const int fuzz_json = 0;

static void check_string(const char *string, size_t room)
{
	FUZZ_CHECK(memchr(string, '\0', room));
}

static void take_result(struct wire_reader *reader, uint32_t width)
{
	struct worker_result result, again;
	struct wire_reader packed;
	struct oclmm_text text = {0};

	if (worker_result_unpack(reader, width, &result) < 0)
		return;
	check_string(result.message, sizeof(result.message));
	/* what was believed is believed again */
	worker_result_pack(&text, &result);
	packed = (struct wire_reader){.at = text.data, .left = text.length};
	FUZZ_CHECK(worker_result_unpack(&packed, width, &again) == 0);
	worker_result_finish(&again);
	worker_result_finish(&result);
	oclmm_text_finish(&text);
}

static void take_devices(struct wire_reader *reader)
{
	struct worker_devices devices;

	if (worker_devices_unpack(reader, &devices) < 0)
		return;
	for (size_t i = 0; i < devices.list.count; i++) {
		check_string(devices.list.devices[i].name, sizeof(devices.list.devices[i].name));
		check_string(devices.identities[i].file, sizeof(devices.identities[i].file));
	}
	worker_devices_finish(&devices);
}

static void take(uint32_t kind, struct wire_reader *reader, uint32_t width)
{
	struct oclmm_probe_table table;
	struct worker_result result;
	struct oclmm_error error;

	switch (kind) {
	case WIRE_RESULT:
	case WIRE_NEWS: take_result(reader, width); break;
	case WIRE_DEVICES: take_devices(reader); break;
	case WIRE_ERROR:
		if (worker_error_unpack(reader, &error) == 0)
			check_string(error.note, sizeof(error.note));
		break;
	case WIRE_TABLE: worker_table_unpack(reader, &table); break;
	case WIRE_CLASS: worker_class_unpack(reader, &result); break;
	default: break;
	}
}

/* A frame of some kind around bytes that lie in memory. */
static void put_frame(struct oclmm_text *text, uint32_t kind, const void *bytes, size_t size)
{
	const uint32_t head[2] = {kind, (uint32_t)size};

	wire_put(text, head, sizeof(head));
	wire_put(text, bytes, size);
}

/* What a child that is well says; `width` observables. */
static void say_all(struct oclmm_text *text, uint32_t width)
{
	const struct {
		uint64_t count;
		struct oclmm_device_info info;
		struct oclmm_device_identity identity;
	} devices = {.count = 1, .info = {.name = "Pocket GPU"}, .identity = {.text = "Pocket"}};
	const struct oclmm_error error = {.message = "no device"};
	const struct oclmm_probe_table table = {.builds = 3};
	struct worker_result result = {.missing = "fences", .run = {.counts.instances = 3}};
	const int64_t values[8] = {1, -1};
	struct oclmm_text packed = {0};

	result.run.counts.histogram = oclmm_histogram_create(width);
	oclmm_histogram_add(result.run.counts.histogram, values, 3);
	result.run.build_log = oclmm_strdup("all is well");
	worker_result_pack(&packed, &result);
	worker_result_finish(&result);
	put_frame(text, WIRE_RESULT, packed.data, packed.length);
	oclmm_text_finish(&packed);
	put_frame(text, WIRE_DEVICES, &devices, sizeof(devices));
	put_frame(text, WIRE_ERROR, &error, sizeof(error));
	put_frame(text, WIRE_TABLE, &table, sizeof(table));
}

/* Three bytes each: where, and what stands there instead. How it lies in memory is the machine's.
 */
static void damage(struct oclmm_text *text, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i + 3 <= size; i += 3)
		text->data[((size_t)data[i] << 8 | data[i + 1]) % text->length] = (char)data[i + 2];
}

/*
 * The first byte: the number of observables, and whether frames follow as they are (below 128) or
 * those of a child that is well are damaged as is said then.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind, width;

	if (!size)
		return 0;
	width = data[0] % 8;
	if (data[0] < 128)
		oclmm_text_add_bytes(&input.text, (const char *)data + 1, size - 1);
	else
		say_all(&input.text, width);
	if (data[0] >= 128)
		damage(&input.text, data + 1, size - 1);
	while (wire_next(&input, WIRE_KINDS, &kind, &reader) == 1)
		take(kind, &reader, width);
	oclmm_text_finish(&input.text);
	return 0;
}
