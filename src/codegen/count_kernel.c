// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel that turns what an instance left behind into an outcome index,
 * counts it, and puts the instance's objects back to their initial values.
 * Where the test kernel counts, only the latter is left.
 *
 * Its text depends on how many objects and observables there are and how wide
 * they are. Their values come in a table, so that tests share it: drivers take
 * as long to compile it as to compile a test.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOCAL_BUCKETS = 2048, /* 8 KiB of local memory, which every device has */
	FEW_ROOMS = 256,      /* where texts are to be few: those that are not packed */
};

/* ---- the table ---- */

/* Words before the initial values of all elements of all objects that are not local. CHANGED: a
 * bit for each of the first 32 of these elements. */
enum { TABLE_OUTCOMES, TABLE_CHANGED, TABLE_INITIAL };
enum { CHANGED_BITS = 32, INITIAL_FACTOR = 0x01000193 /* FNV */ };
/* Words of a domain, behind them, before its values. */
enum { DOMAIN_COUNT, DOMAIN_STRIDE, DOMAIN_VALUES };

/* For how many values of each observable, in few sizes. */
static uint32_t room_for_values(const struct oclmm_outcome_space *space)
{
	uint32_t room = 4;

	for (uint32_t i = 0; i < space->observable_count; i++)
		while (room < space->domains[i].count)
			room *= 2;
	return room;
}

/* Of how many of these the text speaks: of the least alone where in all observables each value is
 * one more than that before it. */
static uint32_t values_in_text(const struct oclmm_writer *writer)
{
	bool contiguous = !writer->options.few_forms;

	for (uint32_t i = 0; contiguous && i < writer->space->observable_count; i++)
		contiguous = oclmm_is_contiguous(&writer->space->domains[i]);
	return contiguous ? 1 : room_for_values(writer->space);
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

/* The bits with which it stands in memory, in a word of its width. */
static uint64_t stored(enum oclmm_type type, int64_t value)
{
	return oclmm_type_is_floating(type) ? oclmm_value_bits(type, value) : observed(type, value);
}

static void fill_domains(const struct oclmm_program *program,
                         const struct oclmm_outcome_space *space, uint64_t *table)
{
	uint32_t room = room_for_values(space);

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
			if (number < CHANGED_BITS && oclmm_is_changed(program, i, e))
				changed |= 1u << number;
	}
	return changed;
}

uint32_t oclmm_initials(const struct oclmm_program *program, bool given)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++) {
			bool zero = !l->initial || (given && l->storage == OCLMM_STORAGE_PROGRAM &&
			                            !oclmm_location_has_initialiser(l));
			uint64_t value = stored(l->type, zero ? 0 : l->initial[e]);

			sum = sum * INITIAL_FACTOR + (uint32_t)(value ^ value >> 32);
		}
	}
	return sum;
}

uint64_t *oclmm_count_table(const struct oclmm_program *program,
                            const struct oclmm_outcome_space *space, size_t *ret_words)
{
	size_t at = TABLE_INITIAL,
	       words = at + count_elements(program) +
	               (size_t)space->observable_count * (DOMAIN_VALUES + room_for_values(space));
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

/* ---- objects and observables ---- */

/* The word in which an object of the location stands. */
static const char *count_word(const struct oclmm_location *l)
{
	return oclmm_unsigned_word(oclmm_type_bits(l->type));
}

static const char *count_word_observed(const struct oclmm_writer *writer, uint32_t number)
{
	return oclmm_unsigned_word(
		oclmm_type_observed_bits(writer->program->observables[number].type));
}

/* The slots of the instance's objects, once each. */
static void write_count_slots(struct oclmm_writer *writer)
{
	const char *modulus = writer->options.any_count ? "mask + 1u, p.instances_inverse" : "mask";

	for (uint32_t i = 0; i < writer->program->location_count; i++)
		if (writer->program->locations[i].space != OCLMM_SPACE_LOCAL)
			oclmm_line(writer,
			           "const uint slot%u = oclmm_slot(p.location[%u], i, %s);\n", i, i,
			           modulus);
}

/* `at_0[slot0 + 1u]`: a plain access. */
static void write_count_element(struct oclmm_writer *writer, uint32_t location, uint32_t element)
{
	const struct oclmm_location *l = &writer->program->locations[location];

	if (l->storage == OCLMM_STORAGE_PROGRAM) {
		oclmm_put(writer, "((global %s *)", count_word(l));
		oclmm_write_slots(writer, location);
		oclmm_put(writer, ")");
	} else {
		oclmm_put(writer, "at_%u", location);
	}
	oclmm_put(writer, "[slot%u + %uu]", location, element);
}

/* The plane that an observable is stored in, or their number when the object itself is read. */
static uint32_t find_plane(const struct oclmm_writer *writer, const struct oclmm_plane *planes,
                           uint32_t observable)
{
	uint32_t plane = 0;

	while (plane < writer->plan->planes &&
	       (planes[plane].kind == OCLMM_PLANE_CUT || planes[plane].observable != observable))
		plane++;
	return plane;
}

/* ---- four at a time ---- */

/*
 * Counting four neighbouring instances at a time, where each object stands
 * behind that of the instance before it: a work-item then reads and writes
 * vectors of four words, and stores nothing before it has seen what it loaded.
 */

/* Whether the counting kernel has a loop that takes four instances at a time. */
static bool has_quads(const struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	if (!writer->options.quads || writer->options.direct || writer->options.any_count)
		return false;
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			continue;
		/* arrays at program scope are aligned to an element only */
		if (l->elements > 1 || l->storage == OCLMM_STORAGE_PROGRAM ||
		    *oclmm_observe_opening(l->type))
			return false;
	}
	return true;
}

static void write_quads_function(struct oclmm_writer *writer)
{
	oclmm_put(writer,
	          "/* Whether an object stands behind that of the instance before it, and each "
	          "fourth one where a vector\n"
	          " * of four may. */\n"
	          "static uint oclmm_in_quads(oclmm_layout where)\n"
	          "{\n"
	          "\treturn where.stride == 1u && where.multiplier == 1u && where.addend == 0u && "
	          "(where.base & 3u) == 0u;\n"
	          "}\n\n");
}

/* `quads`: a launch's layout permits it. */
static void write_quads_condition(struct oclmm_writer *writer)
{
	oclmm_line(writer, "const uint quads = (p.count_each & 3u) == 0u");
	for (uint32_t i = 0; i < writer->program->location_count; i++)
		if (writer->program->locations[i].space != OCLMM_SPACE_LOCAL)
			oclmm_put(writer, " && oclmm_in_quads(p.location[%u])", i);
	oclmm_put(writer, ";\n");
}

/* `*(global const uint4 *)(at_0 + p.location[0].base + i)`; `qualifier` is "const " or nothing. */
static void write_quad(struct oclmm_writer *writer, uint32_t location, const char *qualifier)
{
	const char *word = count_word(&writer->program->locations[location]);

	oclmm_put(writer, "*(global %s%s4 *)(at_%u + p.location[%u].base + i)", qualifier, word,
	          location, location);
}

static void write_stored(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                         uint32_t number, uint32_t observable)
{
	const char *type = count_word_observed(writer, observable);
	const char *word = oclmm_unsigned_word(writer->plan->wide ? 64 : 32);

	if (!plane->narrow) {
		oclmm_line(writer,
		           "const %s4 v%u = convert_%s4(*(global const %s4 *)(results + %uu * "
		           "(mask + 1u) + i) - p.salt);\n",
		           type, observable, type, word, number);
		return;
	}
	oclmm_line(writer,
	           "%s4 v%u = convert_%s4(*(global const uchar4 *)(codes + %uu * (mask + 1u) + "
	           "i) - (uchar)p.salt);\n",
	           type, observable, type, number);
	oclmm_line(writer, "if (any(v%u == 255u))\n", observable);
	oclmm_line(writer,
	           "\tv%u = select(v%u, convert_%s4(*(global const %s4 *)(results + %uu * (mask + "
	           "1u) + i) - p.salt), v%u == 255u);\n",
	           observable, observable, type, word, number, observable);
}

static void write_quad_values(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; i < writer->program->observable_count; i++) {
		const struct oclmm_observable *o = &writer->program->observables[i];
		uint32_t plane = find_plane(writer, planes, i);

		if (plane < writer->plan->planes) {
			write_stored(writer, &planes[plane], plane, i);
			continue;
		}
		oclmm_line(writer, "const %s4 v%u = ", count_word_observed(writer, i), i);
		write_quad(writer, o->location, "const ");
		oclmm_put(writer, ";\n");
	}
}

/* `nK`: as for a single instance. */
static void write_quad_position(struct oclmm_writer *writer, uint32_t number)
{
	const char *type = count_word_observed(writer, number);
	uint32_t room = values_in_text(writer);

	if (room == 1) {
		oclmm_line(writer,
		           "const uint4 n%u = convert_uint4(min(v%u - value%u_0, (%s)count%u));\n",
		           number, number, number, type, number);
		return;
	}
	oclmm_line(writer, "uint4 n%u = (uint4)(count%u);\n", number, number);
	for (uint32_t k = room; k-- > 0;)
		oclmm_line(writer,
		           "n%u = select(n%u, (uint4)(%uu), convert_int4(v%u == value%u_%u));\n",
		           number, number, k, number, number, k);
}

static void write_buckets(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	uint32_t observables = writer->space->observable_count;

	for (uint32_t i = 0; i < observables; i++)
		write_quad_position(writer, i);
	oclmm_line(writer, "uint4 bucket = (uint4)(0u)");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_put(writer, " + n%u * stride%u", i, i);
	oclmm_put(writer, ";\n");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_line(writer,
		           "bucket = select(bucket, (uint4)(outcomes + %uu), n%u == count%u);\n",
		           OCLMM_BUCKET_OTHER, i, i);
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		if (planes[i].kind == OCLMM_PLANE_CUT)
			oclmm_line(writer,
			           "bucket = select(bucket, (uint4)(outcomes + %uu), "
			           "convert_int4(*(global const uchar4 *)(codes + %uu * (mask + "
			           "1u) + i) != (uchar)0));\n",
			           OCLMM_BUCKET_CUT, i);
}

/* Those outside of the outcome space, which are rare, one by one. */
static void write_others(struct oclmm_writer *writer)
{
	char other[32];

	snprintf(other, sizeof(other), "outcomes + %uu", OCLMM_BUCKET_OTHER);
	oclmm_open(writer, "if (any(bucket == %s)) {\n", other);
	oclmm_line(writer, "uint buckets[4];\n");
	oclmm_line(writer, "vstore4(bucket, 0, buckets);\n");
	for (uint32_t i = 0; i < writer->space->observable_count; i++) {
		oclmm_line(writer, "%s values%u[4];\n", count_word_observed(writer, i), i);
		oclmm_line(writer, "vstore4(v%u, 0, values%u);\n", i, i);
	}
	oclmm_open(writer, "for (uint k = 0u; k < 4u; k++) {\n");
	oclmm_line(writer, "if (buckets[k] != %s)\n", other);
	oclmm_line(writer, "\tcontinue;\n");
	for (uint32_t i = 0; i < writer->space->observable_count; i++)
		oclmm_line(writer, "const %s v%u = values%u[k];\n", count_word_observed(writer, i),
		           i, i);
	oclmm_write_other(writer, other, "i + k");
	oclmm_close(writer);
	oclmm_close(writer);
}

static void write_quad_tally(struct oclmm_writer *writer, uint32_t buckets, bool shared)
{
	uint32_t words = oclmm_packed_words(buckets);

	for (uint32_t k = 0; words == 0 && k < 4; k++) {
		oclmm_line(writer, "if (bucket.s%u != outcomes + %uu)\n", k, OCLMM_BUCKET_OTHER);
		oclmm_line(writer, "\t%s(&%s[bucket.s%u]);\n",
		           oclmm_own_function(writer, shared ? OCLMM_OWN_INC_LOCAL : OCLMM_OWN_INC),
		           shared ? "seen" : "counters", k);
	}
	if (words == 0)
		return;
	oclmm_line(writer,
	           "const ulong4 one = (convert_ulong4(bucket != outcomes + %uu) & 1UL) << "
	           "convert_ulong4(8u * (bucket & 7u));\n",
	           OCLMM_BUCKET_OTHER);
	if (words == 1) {
		oclmm_line(writer, "packed0 += one.s0 + one.s1 + one.s2 + one.s3;\n");
		return;
	}
	oclmm_line(writer, "const uint4 word = bucket >> 3u;\n");
	for (uint32_t w = 0; w < words; w++) {
		oclmm_line(writer, "packed%u += ", w);
		for (uint32_t k = 0; k < 4; k++)
			oclmm_put(writer, "%s(word.s%u == %uu ? one.s%u : 0UL)", k ? " + " : "", k,
			          w, k);
		oclmm_put(writer, ";\n");
	}
}

static void write_quad_restore(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		if (writer->program->locations[i].space == OCLMM_SPACE_LOCAL)
			continue;
		oclmm_line(writer, "%s", "");
		write_quad(writer, i, "");
		oclmm_put(writer, " = (%s4)(initial%u_0);\n",
		          count_word(&writer->program->locations[i]), i);
	}
}

/* `shared`: the work-group has counters of its own. */
static void write_quads(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                        uint32_t buckets, bool shared)
{
	oclmm_open(writer, "for (; quads && done < end; done += 4u, i += 4u * p.count_step) {\n");
	oclmm_open(writer, "if (!p.only_restore) {\n");
	write_quad_values(writer, planes);
	write_buckets(writer, planes);
	write_others(writer);
	write_quad_tally(writer, buckets, shared);
	oclmm_close(writer);
	write_quad_restore(writer);
	oclmm_close(writer);
}

/* ---- looking at objects before they are set up ---- */

static void write_look(struct oclmm_writer *writer, uint32_t location, uint32_t element,
                       uint32_t number)
{
	const struct oclmm_location *l = &writer->program->locations[location];

	oclmm_line(writer, "const %s is%u = ", count_word(l), number);
	if (writer->plan->program_bytes && l->storage != OCLMM_STORAGE_PROGRAM)
		oclmm_put(writer, "p.only_restore == 2u ? initial%u_%u : ", location, element);
	write_count_element(writer, location, element);
	oclmm_put(writer, ";\n");
	if (oclmm_type_bits(l->type) == 64)
		oclmm_line(writer, "sum = sum * %uu + (uint)(is%u ^ is%u >> 32);\n", INITIAL_FACTOR,
		           number, number);
	else
		oclmm_line(writer, "sum = sum * %uu + (uint)is%u;\n", INITIAL_FACTOR, number);
	if (number < CHANGED_BITS)
		oclmm_line(writer, "wrong += is%u == initial%u_%u ? changed >> %u & 1u : 0u;\n",
		           number, location, element, number);
}

/*
 * Before a launch this tells whether the values of all objects sum up to what the host says, and
 * after it whether those changed that each execution changes. The first cannot be left to the
 * work-items that set them up, which may believe what is wrong; the second can, because others set
 * theirs up already.
 */
static void write_looks(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;
	uint32_t number = 0;

	oclmm_open(writer, "if (p.looks) {\n");
	oclmm_line(writer, "const uint changed = p.only_restore ? 0u : (uint)table[%u];\n",
	           TABLE_CHANGED);
	oclmm_line(writer,
	           "const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;\n");
	oclmm_line(writer, "uint wrong = 0u;\n");
	oclmm_open(writer, "for (uint n = 0u; n < p.count_each; n++) {\n");
	oclmm_line(writer, "const uint i = %sof * p.count_first + n * p.count_step;\n",
	           has_quads(writer) ? "quads ? 4u * (of + (n >> 2) * p.count_step) + (n & 3u) : "
	                             : "");
	if (writer->options.any_count)
		oclmm_line(writer, "if (i > mask)\n\t\t\t\tbreak;\n");
	write_count_slots(writer);
	oclmm_line(writer, "uint sum = 0u;\n");
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++)
			write_look(writer, i, e, number++);
	}
	oclmm_line(writer, "wrong += p.only_restore && sum != p.initials ? 1u : 0u;\n");
	oclmm_close(writer);
	oclmm_line(writer,
	           "oclmm_add(counters + outcomes + (p.only_restore ? %uu : %uu), wrong);\n",
	           OCLMM_BUCKET_UNSET, OCLMM_BUCKET_UNCHANGED);
	oclmm_close(writer);
}

/* ---- one at a time ---- */

/* What the text provides for, in few sizes; more than LOCAL_BUCKETS: as many as there are. */
static uint32_t room_for_buckets(const struct oclmm_writer *writer)
{
	static const uint32_t rooms[] = {8, 16, 24, 32, 256, LOCAL_BUCKETS};
	uint32_t buckets = oclmm_bucket_count(writer);

	if (writer->options.direct)
		return 0;
	/* no other work-item counts: local memory would save nothing, and may be broken */
	if (writer->options.alone)
		return LOCAL_BUCKETS + 1;
	for (size_t i = 0; i < OCLMM_COUNT(rooms); i++)
		if (buckets <= rooms[i] && (!writer->options.few_forms || rooms[i] >= FEW_ROOMS))
			return rooms[i];
	return LOCAL_BUCKETS + 1;
}

static void write_arguments(struct oclmm_writer *writer)
{
	const char *word = oclmm_unsigned_word(writer->plan->wide ? 64 : 32);

	oclmm_put(writer, "kernel void oclmm_count(\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (oclmm_location_is_buffer(l))
			oclmm_put(writer, "\tglobal %s *at_%u,\n", count_word(l), i);
	}
	oclmm_put(writer,
	          "\tglobal const uchar *codes,\n"
	          "\tglobal const %s *results,\n"
	          "\tvolatile global uint *counters,\n"
	          "\tglobal uint *played,\n"
	          "\tglobal uint *meeting,\n"
	          "\tglobal %s *raw,\n"
	          "\tconst oclmm_parameters p,\n"
	          "\tglobal const ulong *table)\n"
	          "{\n",
	          word, word);
}

static void write_domains(struct oclmm_writer *writer, uint32_t at)
{
	uint32_t room = room_for_values(writer->space), told = values_in_text(writer);

	for (uint32_t i = 0; i < writer->space->observable_count; i++, at += room) {
		const char *word = count_word_observed(writer, i);

		oclmm_line(writer, "const uint count%u = (uint)table[%u];\n", i, at + DOMAIN_COUNT);
		oclmm_line(writer, "const uint stride%u = (uint)table[%u];\n", i,
		           at + DOMAIN_STRIDE);
		at += DOMAIN_VALUES;
		for (uint32_t k = 0; k < told; k++)
			oclmm_line(writer, "const %s value%u_%u = (%s)table[%u];\n", word, i, k,
			           word, at + k);
	}
}

/* Once, before anything is stored. */
static void write_table(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;
	uint32_t at = TABLE_INITIAL;

	oclmm_line(writer, "const uint outcomes = (uint)table[%u];\n", TABLE_OUTCOMES);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++, at++)
			oclmm_line(writer, "const %s initial%u_%u = (%s)table[%u];\n",
			           count_word(l), i, e, count_word(l), at);
	}
	if (!writer->options.direct)
		write_domains(writer, at);
}

static void write_opening(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                          uint32_t buckets)
{
	bool quads = has_quads(writer);
	const char *bound = writer->options.any_count ? " && i <= mask" : "";

	if (buckets > 0 && buckets <= LOCAL_BUCKETS)
		oclmm_write_seen(writer, buckets, "get_local_id(0)", "get_local_size(0)");
	write_table(writer);
	oclmm_line(writer, "const uint id = get_global_id(0);\n");
	oclmm_line(writer, "const uint mask = p.groups * p.lanes * p.rounds - 1u;\n");
	if (quads)
		write_quads_condition(writer);
	write_looks(writer);
	if (quads)
		oclmm_line(writer, "uint i = id * (quads ? 4u : p.count_first);\n");
	else
		oclmm_line(writer, "uint i = id * p.count_first;\n");
	oclmm_line(writer, "uint done = 0u;\n");
	oclmm_open(writer, "while (done < p.count_each) {\n");
	oclmm_write_packed(writer, buckets);
	if (oclmm_packed_words(buckets) > 0)
		oclmm_line(writer, "const uint end = min(done + %uu, p.count_each);\n\n",
		           quads ? 252 : 255);
	else
		oclmm_line(writer, "const uint end = p.count_each;\n\n");
	if (quads)
		write_quads(writer, planes, buckets, buckets <= LOCAL_BUCKETS);
	/* the last work-items may have no instances left, and then run idle to the end */
	oclmm_open(writer, "for (; done < end%s; done++, i += p.count_step) {\n", bound);
}

static void write_stored_value(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                               uint32_t number, uint32_t observable, const char *type)
{
	if (!plane->narrow) {
		oclmm_line(writer,
		           "const %s v%u = (%s)(results[%uu * (mask + 1u) + i] - p.salt);\n", type,
		           observable, type, number);
		return;
	}
	oclmm_line(writer, "%s v%u = (codes[%uu * (mask + 1u) + i] - p.salt) & 255u;\n", type,
	           observable, number);
	oclmm_line(writer, "if (v%u == 255u)\n", observable);
	oclmm_line(writer, "\tv%u = (%s)(results[%uu * (mask + 1u) + i] - p.salt);\n", observable,
	           type, number);
}

static void write_values(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		const char *type = oclmm_unsigned_word(oclmm_type_observed_bits(o->type));
		uint32_t plane = find_plane(writer, planes, i);

		if (plane < writer->plan->planes) {
			write_stored_value(writer, &planes[plane], plane, i, type);
			continue;
		}
		oclmm_line(writer, "const %s v%u = (%s)%s", type, i, type,
		           oclmm_observe_opening(o->type));
		/* an unsigned word of its width, as the value whose bits it has */
		if (oclmm_type_is_floating(o->type))
			oclmm_put(writer, "as_%s(", oclmm_type_spelling(o->type, false));
		write_count_element(writer, o->location, o->element);
		oclmm_put(writer, "%s%s;\n", oclmm_type_is_floating(o->type) ? ")" : "",
		          oclmm_observe_closing(o->type));
	}
}

static void write_restore(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++) {
			oclmm_line(writer, "%s", "");
			write_count_element(writer, i, e);
			oclmm_put(writer, " = initial%u_%u;\n", i, e);
		}
	}
}

/* `nK`: the position of value K in its domain, or the domain's size when it is not there. */
static void write_position(struct oclmm_writer *writer, uint32_t number)
{
	uint32_t room = values_in_text(writer);

	oclmm_line(writer, "const uint n%u = ", number);
	if (room == 1) {
		oclmm_put(writer, "(uint)min(v%u - value%u_0, (%s)count%u);\n", number, number,
		          count_word_observed(writer, number), number);
		return;
	}
	for (uint32_t k = 0; k < room; k++)
		oclmm_put(writer, "v%u == value%u_%u ? %uu : ", number, number, k, k);
	oclmm_put(writer, "count%u;\n", number);
}

/* `bucket`, from the values `v0`, `v1` … */
static void write_bucket(struct oclmm_writer *writer)
{
	uint32_t observables = writer->space->observable_count;

	for (uint32_t i = 0; i < observables; i++)
		write_position(writer, i);
	oclmm_line(writer, "uint bucket = 0u");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_put(writer, " + n%u * stride%u", i, i);
	oclmm_put(writer, ";\n");
	oclmm_line(writer, "if (");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_put(writer, "%sn%u == count%u", i ? " || " : "", i, i);
	oclmm_put(writer, observables ? ")\n" : "false)\n");
	oclmm_line(writer, "\tbucket = outcomes + %uu;\n", OCLMM_BUCKET_OTHER);
}

/*
 * Whether objects are set up again only after the instance was counted. Some GPUs take long over a
 * store to what they have not loaded yet, and the condition waits for that.
 */
static bool restores_last(const struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; writer->options.quads && i < writer->program->observable_count; i++)
		if (find_plane(writer, planes, i) == writer->plan->planes)
			return true;
	return false;
}

static void write_count(struct oclmm_writer *writer, uint32_t buckets)
{
	if (writer->options.alone)
		oclmm_line(writer, "counters[bucket]++;\n");
	else if (oclmm_packed_words(buckets) == 0)
		oclmm_line(writer, "%s(&%s[bucket]);\n",
		           oclmm_own_function(writer, buckets <= LOCAL_BUCKETS ? OCLMM_OWN_INC_LOCAL
		                                                               : OCLMM_OWN_INC),
		           buckets <= LOCAL_BUCKETS ? "seen" : "counters");
	oclmm_write_tally(writer, buckets);
}

static void write_counting(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                           uint32_t buckets)
{
	char other[32];

	snprintf(other, sizeof(other), "outcomes + %uu", OCLMM_BUCKET_OTHER);
	write_bucket(writer);
	for (uint32_t i = 0; i < writer->plan->planes; i++) {
		if (planes[i].kind != OCLMM_PLANE_CUT)
			continue;
		oclmm_line(writer, "if (codes[%uu * (mask + 1u) + i] != 0)\n", i);
		oclmm_line(writer, "\tbucket = outcomes + %uu;\n", OCLMM_BUCKET_CUT);
	}
	oclmm_open(writer, "if (bucket == %s) {\n", other);
	oclmm_write_other(writer, other, "i");
	if (restores_last(writer, planes)) {
		oclmm_else(writer);
		write_count(writer, buckets);
	} else {
		oclmm_line(writer, "continue;\n");
	}
	oclmm_close(writer);
	if (!restores_last(writer, planes))
		write_count(writer, buckets);
}

/* What is done for an instance. */
static void write_instance(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                           uint32_t buckets)
{
	bool last = !writer->options.direct && restores_last(writer, planes);

	write_count_slots(writer);
	if (!writer->options.direct)
		write_values(writer, planes);
	if (!last)
		write_restore(writer);
	if (writer->options.direct)
		return;
	if (last) {
		oclmm_open(writer, "if (!p.only_restore) {\n");
	} else {
		oclmm_line(writer, "if (p.only_restore)\n");
		oclmm_line(writer, "\tcontinue;\n");
	}
	write_counting(writer, planes, buckets);
	if (last) {
		oclmm_close(writer);
		write_restore(writer);
	}
}

/* ---- who played ---- */

bool oclmm_has_played_bytes(const struct oclmm_writer *writer)
{
	/* by what both kernels are made with: a counting kernel serves test kernels with `sums` and
	 * without */
	return writer->options.quads && !writer->plan->children;
}

static void write_bits_function(struct oclmm_writer *writer)
{
	oclmm_put(writer, "/* In how many bytes bit 7 is set; none has another one. */\n"
	                  "static uint oclmm_bytes_set(uint4 bits)\n"
	                  "{\n"
	                  "\tbits >>= 7;\n"
	                  "\treturn (bits.s0 + bits.s1 + bits.s2 + bits.s3) * 0x01010101u >> 24;\n"
	                  "}\n\n");
}

/* A byte without bit 7 that is not the number of rounds gives a sum that has bit 7. */
static void write_played_bytes(struct oclmm_writer *writer)
{
	oclmm_line(writer,
	           "for (uint n = id; n < p.places * p.width / 16u; n += get_global_size(0)) {\n");
	oclmm_line(writer, "\tconst uint4 all = ((global const uint4 *)played)[n];\n");
	oclmm_line(writer, "\tconst uint4 off = ((all & 0x7f7f7f7fu) ^ (p.rounds * 0x01010101u)) + "
	                   "0x7f7f7f7fu;\n");
	oclmm_line(writer,
	           "\toclmm_add(counters + outcomes + %u, p.only_restore ? 0u : "
	           "oclmm_bytes_set(off & 0x80808080u));\n",
	           OCLMM_BUCKET_UNPLAYED);
	oclmm_line(writer,
	           "\toclmm_add(counters + outcomes + %u, p.only_restore ? 0u : "
	           "oclmm_bytes_set(all & 0x80808080u));\n",
	           OCLMM_BUCKET_UNCHANGED);
	oclmm_line(writer, "\t((global uint4 *)played)[n] = (uint4)(0u);\n");
	oclmm_line(writer, "}\n");
}

static void write_played_words(struct oclmm_writer *writer)
{
	oclmm_line(writer,
	           "for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {\n");
	oclmm_line(writer,
	           "\toclmm_add(counters + outcomes + %u, (played[n] & ~%s) != p.rounds && "
	           "!p.only_restore);\n",
	           OCLMM_BUCKET_UNPLAYED, OCLMM_PLAYED_MISSED);
	oclmm_line(writer,
	           "\toclmm_add(counters + outcomes + %u, (played[n] & %s) != 0u && "
	           "!p.only_restore);\n",
	           OCLMM_BUCKET_UNCHANGED, OCLMM_PLAYED_MISSED);
	oclmm_line(writer, "\tplayed[n] = 0u;\n");
	oclmm_line(writer, "}\n");
}

static void write_played(struct oclmm_writer *writer)
{
	if (!oclmm_has_played_bytes(writer)) {
		write_played_words(writer);
		return;
	}
	oclmm_open(writer, "if (%s) {\n", OCLMM_PLAYED_BYTES);
	write_played_bytes(writer);
	oclmm_else(writer);
	write_played_words(writer);
	oclmm_close(writer);
}

static void write_closing(struct oclmm_writer *writer, uint32_t buckets)
{
	oclmm_close(writer);
	oclmm_write_unpacking(writer, buckets);
	if (writer->options.any_count)
		oclmm_line(writer, "if (i > mask)\n\t\t\tbreak;\n");
	oclmm_close(writer);
	/* where it counts nothing, no sum would tell of instances that were left out */
	if (!writer->options.direct)
		oclmm_line(writer, "if (p.only_restore)\n\t");
	oclmm_line(writer, "((global uint *)raw)[id] += done;\n");
	write_played(writer);
	oclmm_line(writer,
	           "oclmm_add(counters + outcomes + %u, id != (uint)(get_group_id(0) * "
	           "get_local_size(0) + get_local_id(0)));\n",
	           OCLMM_BUCKET_UNPLAYED);
	oclmm_line(writer, "if (get_local_id(0) == 0u)\n");
	oclmm_line(
		writer,
		"\toclmm_add(counters + outcomes + %u, (counters[outcomes + %u] + (p.salt << 1)) "
		"* (1u + (uint)get_group_id(0) * %uu)%s);\n",
		OCLMM_TICKET_COUNTED, OCLMM_TICKET_TESTED, OCLMM_TICKET_GROUP,
		writer->options.direct ? " * (uint)get_local_size(0)" : "");
	oclmm_line(writer, "for (uint n = id; n < p.width; n += get_global_size(0))\n");
	oclmm_line(writer, "\tmeeting[n] = 0u;\n");
	if (buckets > 0 && buckets <= LOCAL_BUCKETS)
		oclmm_write_sums(writer, buckets, "get_local_id(0)", "get_local_size(0)");
}

void oclmm_write_count_kernel(struct oclmm_writer *writer)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);
	uint32_t buckets = room_for_buckets(writer);

	oclmm_write_add_function(writer, "", "global");
	if (oclmm_packed_words(buckets) > 0)
		oclmm_write_add_function(writer, "_local", "local");
	if (oclmm_has_played_bytes(writer))
		write_bits_function(writer);
	if (has_quads(writer))
		write_quads_function(writer);
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer, planes, buckets);
	write_instance(writer, planes, buckets);
	write_closing(writer, buckets);
	writer->depth = 0;
	oclmm_put(writer, "}\n");
	free(planes);
}
