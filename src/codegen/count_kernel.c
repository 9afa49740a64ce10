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

enum { LOCAL_BUCKETS = 2048 /* 8 KiB of local memory, which every device has */ };

/* What the text provides for, in few sizes; more than LOCAL_BUCKETS: as many as there are. */
static uint32_t room_for_buckets(const struct oclmm_writer *writer)
{
	static const uint32_t rooms[] = {8, 16, 24, 32, 256, LOCAL_BUCKETS};
	uint32_t buckets = oclmm_bucket_count(writer);

	if (writer->options.direct)
		return 0;
	/* nobody else counts, so local memory would save nothing, and may be what is broken */
	if (writer->options.alone)
		return LOCAL_BUCKETS + 1;
	for (size_t i = 0; i < OCLMM_COUNT(rooms); i++)
		if (buckets <= rooms[i])
			return rooms[i];
	return LOCAL_BUCKETS + 1;
}

const char *oclmm_count_word(const struct oclmm_location *l)
{
	return oclmm_unsigned_word(oclmm_type_bits(l->type));
}

static void write_arguments(struct oclmm_writer *writer)
{
	const char *word = oclmm_unsigned_word(writer->plan->wide ? 64 : 32);

	oclmm_text_add(writer->text, "kernel void oclmm_count(\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (oclmm_location_is_buffer(l))
			oclmm_text_printf(writer->text, "\tglobal %s *at_%u,\n",
			                  oclmm_count_word(l), i);
	}
	oclmm_text_printf(writer->text,
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

const char *oclmm_count_word_observed(const struct oclmm_writer *writer, uint32_t number)
{
	return oclmm_unsigned_word(
		oclmm_type_observed_bits(writer->program->observables[number].type));
}

static void write_domains(struct oclmm_writer *writer, uint32_t at)
{
	uint32_t room = oclmm_room_for_values(writer->space);

	for (uint32_t i = 0; i < writer->space->observable_count; i++) {
		const char *word = oclmm_count_word_observed(writer, i);

		oclmm_line(writer, "const uint count%u = (uint)table[%u];\n", i, at + DOMAIN_COUNT);
		oclmm_line(writer, "const uint stride%u = (uint)table[%u];\n", i,
		           at + DOMAIN_STRIDE);
		at += DOMAIN_VALUES;
		for (uint32_t k = 0; k < room; k++, at++)
			oclmm_line(writer, "const %s value%u_%u = (%s)table[%u];\n", word, i, k,
			           word, at);
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
			           oclmm_count_word(l), i, e, oclmm_count_word(l), at);
	}
	if (!writer->options.direct)
		write_domains(writer, at);
}

static void write_opening(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                          uint32_t buckets)
{
	bool quads = oclmm_has_quads(writer);
	const char *bound = writer->options.any_count ? " && i <= mask" : "";

	if (buckets > 0 && buckets <= LOCAL_BUCKETS)
		oclmm_write_seen(writer, buckets, "get_local_id(0)", "get_local_size(0)");
	write_table(writer);
	oclmm_line(writer, "const uint id = get_global_id(0);\n");
	oclmm_line(writer, "const uint mask = p.groups * p.lanes * p.rounds - 1u;\n");
	if (quads)
		oclmm_write_quads_condition(writer);
	oclmm_write_looks(writer);
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
		oclmm_write_quads(writer, planes, buckets, buckets <= LOCAL_BUCKETS);
	/* the last work-items may have no instances left, and then run idle to the end */
	oclmm_open(writer, "for (; done < end%s; done++, i += p.count_step) {\n", bound);
}

/* The slots of the instance's objects, once each. */
void oclmm_write_count_slots(struct oclmm_writer *writer)
{
	const char *modulus = writer->options.any_count ? "mask + 1u, p.instances_inverse" : "mask";

	for (uint32_t i = 0; i < writer->program->location_count; i++)
		if (writer->program->locations[i].space != OCLMM_SPACE_LOCAL)
			oclmm_line(writer,
			           "const uint slot%u = oclmm_slot(p.location[%u], i, %s);\n", i, i,
			           modulus);
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

/* `at_0[slot0 + 1u]`: a plain access. */
void oclmm_write_count_element(struct oclmm_writer *writer, uint32_t location, uint32_t element)
{
	const struct oclmm_location *l = &writer->program->locations[location];

	if (l->storage == OCLMM_STORAGE_PROGRAM) {
		oclmm_text_printf(writer->text, "((global %s *)", oclmm_count_word(l));
		oclmm_write_slots(writer, location);
		oclmm_text_add(writer->text, ")");
	} else {
		oclmm_text_printf(writer->text, "at_%u", location);
	}
	oclmm_text_printf(writer->text, "[slot%u + %uu]", location, element);
}

uint32_t oclmm_find_plane(const struct oclmm_writer *writer, const struct oclmm_plane *planes,
                          uint32_t observable)
{
	uint32_t plane = 0;

	while (plane < writer->plan->planes &&
	       (planes[plane].kind == OCLMM_PLANE_CUT || planes[plane].observable != observable))
		plane++;
	return plane;
}

static void write_values(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		const char *type = oclmm_unsigned_word(oclmm_type_observed_bits(o->type));
		uint32_t plane = oclmm_find_plane(writer, planes, i);

		if (plane < writer->plan->planes) {
			write_stored_value(writer, &planes[plane], plane, i, type);
			continue;
		}
		oclmm_line(writer, "const %s v%u = (%s)%s%s", type, i, type,
		           oclmm_observe_opening(o->type), oclmm_from_word_opening(o->type));
		oclmm_write_count_element(writer, o->location, o->element);
		oclmm_text_printf(writer->text, "%s%s;\n", oclmm_from_word_closing(o->type),
		                  oclmm_observe_closing(o->type));
	}
}

static void write_restore(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++) {
			oclmm_line(writer, "%s", "");
			oclmm_write_count_element(writer, i, e);
			oclmm_text_printf(writer->text, " = initial%u_%u;\n", i, e);
		}
	}
}

/* `nK`: the position of value K in its domain, or the domain's size when it is not there. */
static void write_position(struct oclmm_writer *writer, uint32_t number)
{
	uint32_t room = oclmm_room_for_values(writer->space);

	oclmm_line(writer, "const uint n%u = ", number);
	if (room == 1) {
		oclmm_text_printf(writer->text, "(uint)min(v%u - value%u_0, (%s)count%u);\n",
		                  number, number, oclmm_count_word_observed(writer, number),
		                  number);
		return;
	}
	for (uint32_t k = 0; k < room; k++)
		oclmm_text_printf(writer->text, "v%u == value%u_%u ? %uu : ", number, number, k, k);
	oclmm_text_printf(writer->text, "count%u;\n", number);
}

/* `bucket`, from the values `v0`, `v1` … */
static void write_bucket(struct oclmm_writer *writer)
{
	uint32_t observables = writer->space->observable_count;

	for (uint32_t i = 0; i < observables; i++)
		write_position(writer, i);
	oclmm_line(writer, "uint bucket = 0u");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_text_printf(writer->text, " + n%u * stride%u", i, i);
	oclmm_text_add(writer->text, ";\n");
	oclmm_line(writer, "if (");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_text_printf(writer->text, "%sn%u == count%u", i ? " || " : "", i, i);
	oclmm_text_add(writer->text, observables ? ")\n" : "false)\n");
	oclmm_line(writer, "\tbucket = outcomes + %uu;\n", OCLMM_BUCKET_OTHER);
}

/*
 * Whether objects are set up again only after the instance was counted. Some GPUs take long over a
 * store to what they have not loaded yet, and the condition waits for that.
 */
static bool restores_last(const struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; writer->options.quads && i < writer->program->observable_count; i++)
		if (oclmm_find_plane(writer, planes, i) == writer->plan->planes)
			return true;
	return false;
}

static void write_count(struct oclmm_writer *writer, uint32_t buckets)
{
	if (writer->options.alone)
		oclmm_line(writer, "counters[bucket]++;\n");
	else if (oclmm_packed_words(buckets) == 0)
		oclmm_line(writer, "atomic_inc(&%s[bucket]);\n",
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

	oclmm_write_count_slots(writer);
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
	if (oclmm_has_quads(writer))
		oclmm_write_quads_function(writer);
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer, planes, buckets);
	write_instance(writer, planes, buckets);
	write_closing(writer, buckets);
	writer->depth = 0;
	oclmm_text_add(writer->text, "}\n");
	free(planes);
}
