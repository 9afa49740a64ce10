// SPDX-License-Identifier: Apache-2.0
/* The values of a program that the counting kernel is given, because its text has none. */
#include "internal.h"

#include <string.h>

uint32_t oclmm_room_for_values(const struct oclmm_outcome_space *space)
{
	bool contiguous = true;
	uint32_t room = 4;

	for (uint32_t i = 0; i < space->observable_count; i++) {
		contiguous &= oclmm_is_contiguous(&space->domains[i]);
		while (room < space->domains[i].count)
			room *= 2;
	}
	return contiguous ? 1 : room;
}

static uint32_t count_elements(const struct oclmm_program *program)
{
	uint32_t elements = 0;

	for (uint32_t i = 0; i < program->location_count; i++)
		if (program->locations[i].space != OCLMM_SPACE_LOCAL)
			elements += program->locations[i].elements;
	return elements;
}

/* A value as it is observed. */
static uint64_t observed(enum oclmm_type type, int64_t value)
{
	return oclmm_type_observed_bits(type) == 64 ? (uint64_t)value : (uint32_t)value;
}

static uint64_t float_bits(int64_t value)
{
	float number = (float)value;
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static uint64_t double_bits(int64_t value)
{
	double number = (double)value;
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

/* IEEE 754 binary16: of a whole number that it has, hence no subnormal one. Its exponent is 112
 * less than that of binary32 and its fraction lacks the last 13 bits, which are 0. */
static uint64_t half_bits(int64_t value)
{
	uint64_t bits = float_bits(value);
	uint64_t sign = bits >> 31 << 15;

	return value ? sign | ((bits & 0x7fffffff) - (UINT64_C(112) << 23)) >> 13 : 0;
}

/* The bits with which it stands in memory, in a word of its width. */
static uint64_t stored(enum oclmm_type type, int64_t value)
{
	switch (type) {
	case OCLMM_TYPE_HALF: return half_bits(value);
	case OCLMM_TYPE_FLOAT: return float_bits(value);
	case OCLMM_TYPE_DOUBLE: return double_bits(value);
	default: return observed(type, value);
	}
}

static void fill_domains(const struct oclmm_program *program,
                         const struct oclmm_outcome_space *space, uint64_t *table)
{
	uint32_t room = oclmm_room_for_values(space);

	for (uint32_t i = 0; i < space->observable_count; i++, table += DOMAIN_VALUES + room) {
		const struct oclmm_outcome_domain *domain = &space->domains[i];

		table[DOMAIN_COUNT] = domain->count;
		table[DOMAIN_STRIDE] = domain->stride;
		/* a value that stands there again is never found there */
		for (uint32_t k = 0; domain->count && k < room; k++)
			table[DOMAIN_VALUES + k] =
				observed(program->observables[i].type,
			                 domain->values[k < domain->count ? k : 0]);
	}
}

/* Each element that no execution leaves as it was set up has a bit. */
static uint32_t changed_elements(const struct oclmm_program *program)
{
	uint32_t changed = 0;
	uint32_t number = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements;
		     e++, number++)
			if (number < OCLMM_CHANGED_BITS && oclmm_is_changed(program, i, e))
				changed |= 1u << number;
	}
	return changed;
}

uint32_t oclmm_initials(const struct oclmm_program *program)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++) {
			uint64_t value = stored(l->type, l->initial ? l->initial[e] : 0);

			sum = sum * OCLMM_INITIAL_FACTOR + (uint32_t)(value ^ value >> 32);
		}
	}
	return sum;
}

uint64_t *oclmm_count_table(const struct oclmm_program *program,
                            const struct oclmm_outcome_space *space, size_t *ret_words)
{
	size_t at = TABLE_INITIAL, words = at + count_elements(program) +
	                                   (size_t)space->observable_count *
	                                           (DOMAIN_VALUES + oclmm_room_for_values(space));
	uint64_t *table = oclmm_calloc(words, sizeof(*table));

	table[TABLE_OUTCOMES] = space->size;
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++)
			table[at++] = stored(l->type, l->initial ? l->initial[e] : 0);
	}
	table[TABLE_CHANGED] = changed_elements(program);
	fill_domains(program, space, table + at);
	*ret_words = words;
	return table;
}
