// SPDX-License-Identifier: Apache-2.0
#include "reads.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reads_shorten(void *bytes, size_t size)
{
	uint32_t *counts = bytes;

	for (size_t i = 0; i < size / sizeof(*counts); i++) {
		if (counts[i]) {
			counts[i]--;
			return;
		}
	}
}

void reads_swap(void *bytes, size_t size, size_t stale)
{
	static size_t last_size;
	static void *last;
	void *now = malloc(size);

	memcpy(now, bytes, size);
	if (last_size == size)
		memcpy(bytes, last, stale);
	free(last);
	last = now;
	last_size = size;
}

void reads_replay(void *bytes, size_t size)
{
	static FILE *file;
	const char *record = getenv("OCLMM_FAULT_RECORD"), *replay = getenv("OCLMM_FAULT_REPLAY");
	size_t length;

	if (!file && (record || replay))
		file = record ? fopen(record, "ab") : fopen(replay, "rb");
	if (!file)
		return;
	if (record) {
		fwrite(&size, sizeof(size), 1, file);
		fwrite(bytes, 1, size, file);
		fflush(file);
	} else if (fread(&length, sizeof(length), 1, file) == 1 && length == size) {
		if (fread(bytes, 1, size, file) != size)
			fputs("the record ends\n", stderr);
	}
}
