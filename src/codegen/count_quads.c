// SPDX-License-Identifier: Apache-2.0
/*
 * Counting four neighbouring instances at a time, where each object stands
 * behind that of the instance before it: a work-item then reads and writes
 * vectors of four words, and stores nothing before it has seen what it loaded.
 */
#include "internal.h"

#include <stdio.h>

bool oclmm_has_quads(const struct oclmm_writer *writer)
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

void oclmm_write_quads_function(struct oclmm_writer *writer)
{
	oclmm_text_add(
		writer->text,
		"/* Whether an object stands behind that of the instance before it, and each "
		"fourth one where a vector\n"
		" * of four may. */\n"
		"static uint oclmm_in_quads(oclmm_layout where)\n"
		"{\n"
		"\treturn where.stride == 1u && where.multiplier == 1u && where.addend == 0u && "
		"(where.base & 3u) == 0u;\n"
		"}\n\n");
}

void oclmm_write_quads_condition(struct oclmm_writer *writer)
{
	oclmm_line(writer, "const uint quads = (p.count_each & 3u) == 0u");
	for (uint32_t i = 0; i < writer->program->location_count; i++)
		if (writer->program->locations[i].space != OCLMM_SPACE_LOCAL)
			oclmm_text_printf(writer->text, " && oclmm_in_quads(p.location[%u])", i);
	oclmm_text_add(writer->text, ";\n");
}

/* `*(global const uint4 *)(at_0 + p.location[0].base + i)`; `qualifier` is "const " or nothing. */
static void write_quad(struct oclmm_writer *writer, uint32_t location, const char *qualifier)
{
	const char *word = oclmm_count_word(&writer->program->locations[location]);

	oclmm_text_printf(writer->text, "*(global %s%s4 *)(at_%u + p.location[%u].base + i)",
	                  qualifier, word, location, location);
}

static void write_stored(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                         uint32_t number, uint32_t observable)
{
	const char *type = oclmm_count_word_observed(writer, observable);
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

static void write_values(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; i < writer->program->observable_count; i++) {
		const struct oclmm_observable *o = &writer->program->observables[i];
		uint32_t plane = oclmm_find_plane(writer, planes, i);

		if (plane < writer->plan->planes) {
			write_stored(writer, &planes[plane], plane, i);
			continue;
		}
		oclmm_line(writer, "const %s4 v%u = ", oclmm_count_word_observed(writer, i), i);
		write_quad(writer, o->location, "const ");
		oclmm_text_add(writer->text, ";\n");
	}
}

/* `nK`: as for a single instance. */
static void write_position(struct oclmm_writer *writer, uint32_t number)
{
	const char *type = oclmm_count_word_observed(writer, number);
	uint32_t room = oclmm_room_for_values(writer->space);

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
		write_position(writer, i);
	oclmm_line(writer, "uint4 bucket = (uint4)(0u)");
	for (uint32_t i = 0; i < observables; i++)
		oclmm_text_printf(writer->text, " + n%u * stride%u", i, i);
	oclmm_text_add(writer->text, ";\n");
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
		oclmm_line(writer, "%s values%u[4];\n", oclmm_count_word_observed(writer, i), i);
		oclmm_line(writer, "vstore4(v%u, 0, values%u);\n", i, i);
	}
	oclmm_open(writer, "for (uint k = 0u; k < 4u; k++) {\n");
	oclmm_line(writer, "if (buckets[k] != %s)\n", other);
	oclmm_line(writer, "\tcontinue;\n");
	for (uint32_t i = 0; i < writer->space->observable_count; i++)
		oclmm_line(writer, "const %s v%u = values%u[k];\n",
		           oclmm_count_word_observed(writer, i), i, i);
	oclmm_write_other(writer, other, "i + k");
	oclmm_close(writer);
	oclmm_close(writer);
}

static void write_tally(struct oclmm_writer *writer, uint32_t buckets, bool shared)
{
	uint32_t words = oclmm_packed_words(buckets);

	for (uint32_t k = 0; words == 0 && k < 4; k++) {
		oclmm_line(writer, "if (bucket.s%u != outcomes + %uu)\n", k, OCLMM_BUCKET_OTHER);
		oclmm_line(writer, "\tatomic_inc(&%s[bucket.s%u]);\n", shared ? "seen" : "counters",
		           k);
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
			oclmm_text_printf(writer->text, "%s(word.s%u == %uu ? one.s%u : 0UL)",
			                  k ? " + " : "", k, w, k);
		oclmm_text_add(writer->text, ";\n");
	}
}

static void write_restore(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		if (writer->program->locations[i].space == OCLMM_SPACE_LOCAL)
			continue;
		oclmm_line(writer, "%s", "");
		write_quad(writer, i, "");
		oclmm_text_printf(writer->text, " = (%s4)(initial%u_0);\n",
		                  oclmm_count_word(&writer->program->locations[i]), i);
	}
}

void oclmm_write_quads(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                       uint32_t buckets, bool shared)
{
	oclmm_open(writer, "for (; quads && done < end; done += 4u, i += 4u * p.count_step) {\n");
	oclmm_open(writer, "if (!p.only_restore) {\n");
	write_values(writer, planes);
	write_buckets(writer, planes);
	write_others(writer);
	write_tally(writer, buckets, shared);
	oclmm_close(writer);
	write_restore(writer);
	oclmm_close(writer);
}
