// SPDX-License-Identifier: Apache-2.0
/*
 * Where the locations' slots lie. Buffer and SVM locations have a block of
 * memory each, SVM of whatever kind; inside it either every location has an area of its own, or
 * one record per instance holds them all.
 */
#include "internal.h"

enum { ALIGNMENT = 128 };

static uint32_t element_size(const struct oclmm_location *location)
{
	return oclmm_type_bits(location->type) / 8;
}

/* An object at program scope, or an image. */
static bool lies_alone(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_PROGRAM || storage == OCLMM_STORAGE_IMAGE;
}

/* Whether what is in these storages lies in one block. */
static bool same_block(enum oclmm_storage a, enum oclmm_storage b)
{
	return !lies_alone(a) && !lies_alone(b) &&
	       oclmm_storage_is_svm(a) == oclmm_storage_is_svm(b);
}

/* Bytes of one record: all of a storage's locations, wide ones first so that none is misaligned,
 * and none of the record behind it. */
static uint64_t record_bytes(const struct oclmm_program *program, enum oclmm_storage storage)
{
	uint64_t bytes = 0, widest = 1;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL || !same_block(l->storage, storage))
			continue;
		bytes += (uint64_t)element_size(l) * l->elements;
		if (element_size(l) > widest)
			widest = element_size(l);
	}
	return (bytes + widest - 1) / widest * widest;
}

/* Offset of a location in the record. */
static uint64_t record_offset(const struct oclmm_program *program, uint32_t location)
{
	const struct oclmm_location *own = &program->locations[location];
	uint64_t offset = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		bool before = element_size(l) > element_size(own) ||
		              (element_size(l) == element_size(own) && i < location);

		if (l->space != OCLMM_SPACE_LOCAL && same_block(l->storage, own->storage) && before)
			offset += (uint64_t)element_size(l) * l->elements;
	}
	return offset;
}

static uint64_t area_bytes(const struct oclmm_environment *environment,
                           const struct oclmm_location *location)
{
	uint64_t bytes = (uint64_t)oclmm_environment_instances(environment) * environment->stride *
	                 location->elements * element_size(location);

	return (bytes + environment->gap + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Byte at which a location's own area begins; the odd ones are moved by the gap. */
static uint64_t area_offset(const struct oclmm_environment *environment,
                            const struct oclmm_program *program, uint32_t location)
{
	uint64_t offset = 0;
	uint32_t before = 0;

	for (uint32_t i = 0; i < location; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL ||
		    !same_block(l->storage, program->locations[location].storage))
			continue;
		offset += area_bytes(environment, l);
		before++;
	}
	return offset + (before % 2 ? environment->gap : 0);
}

void oclmm_layout(const struct oclmm_environment *environment, const struct oclmm_program *program,
                  uint32_t location, struct oclmm_layout *layout)
{
	const struct oclmm_location *l = &program->locations[location];
	uint32_t size = element_size(l);

	if (l->space == OCLMM_SPACE_LOCAL)
		return;
	if (lies_alone(l->storage)) {
		layout->base = 0;
		layout->stride = environment->stride * l->elements;
		return;
	}
	if (environment->interleaved) {
		layout->base = (uint32_t)(record_offset(program, location) / size);
		layout->stride = (uint32_t)(record_bytes(program, l->storage) *
		                            environment->stride / size);
		return;
	}
	layout->base = (uint32_t)(area_offset(environment, program, location) / size);
	layout->stride = environment->stride * l->elements;
}

bool oclmm_layout_covers(const struct oclmm_environment *there,
                         const struct oclmm_environment *wanted,
                         const struct oclmm_program *program)
{
	bool covers = oclmm_environment_instances(wanted) <= oclmm_environment_instances(there);

	for (uint32_t i = 0; covers && i < program->location_count; i++) {
		struct oclmm_layout a = {0}, b = {0};

		oclmm_layout(there, program, i, &a);
		oclmm_layout(wanted, program, i, &b);
		covers = a.base == b.base && a.stride == b.stride;
	}
	return covers;
}

uint64_t oclmm_layout_bytes(const struct oclmm_environment *environment,
                            const struct oclmm_program *program, enum oclmm_storage storage)
{
	uint64_t bytes = 0;

	if (environment->interleaved)
		return record_bytes(program, storage) * environment->stride *
		       oclmm_environment_instances(environment);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL && same_block(l->storage, storage))
			bytes += area_bytes(environment, l) + environment->gap;
	}
	return bytes;
}
