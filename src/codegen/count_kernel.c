// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel that turns what an instance left behind into an outcome index,
 * counts it, and puts the instance's objects back to their initial values.
 * Where the test kernel counts, only the latter is left.
 */
#include "internal.h"

#include <stdlib.h>

enum { LOCAL_BUCKETS = 2048 /* 8 KiB of local memory, which every device has */ };

static void write_arguments(struct oclmm_writer *writer)
{
	const char *word = oclmm_unsigned_word(writer->plan->wide ? 64 : 32);

	oclmm_text_add(writer->text, "kernel void oclmm_count(\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			continue;
		oclmm_text_printf(writer->text, "\tglobal %s *",
		                  oclmm_type_spelling(l->type, false));
		oclmm_write_location(writer, i);
		oclmm_text_add(writer->text, ",\n");
	}
	oclmm_text_printf(writer->text,
	                  "\tglobal const uchar *codes,\n"
	                  "\tglobal const %s *results,\n"
	                  "\tvolatile global uint *counters,\n"
	                  "\tglobal uint *played,\n"
	                  "\tglobal uint *meeting,\n"
	                  "\tglobal %s *raw,\n"
	                  "\tconst oclmm_parameters p)\n"
	                  "{\n",
	                  word, word);
}

static void write_opening(struct oclmm_writer *writer, uint32_t buckets)
{
	const char *bound = writer->options.any_count ? " && i <= mask" : "";

	if (buckets > 0 && buckets <= LOCAL_BUCKETS)
		oclmm_write_seen(writer, buckets);
	oclmm_line(writer, "const uint id = get_global_id(0);\n");
	oclmm_line(writer, "const uint mask = p.groups * p.lanes * p.rounds - 1u;\n");
	oclmm_line(writer, "uint i = id * p.count_first;\n");
	oclmm_line(writer, "for (uint done = 0u; done < p.count_each;) {\n");
	writer->depth++;
	oclmm_write_packed(writer, buckets);
	if (oclmm_packed_words(buckets) > 0)
		oclmm_line(writer, "const uint end = min(done + 255u, p.count_each);\n\n");
	else
		oclmm_line(writer, "const uint end = p.count_each;\n\n");
	/* the last work-items may have no instances left, and then run idle to the end */
	oclmm_line(writer, "for (; done < end%s; done++, i += p.count_step) {\n", bound);
	writer->depth++;
}

/* The slots of the instance's objects, once each. */
static void write_slots(struct oclmm_writer *writer)
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
		oclmm_line(writer, "const %s v%u = (%s)results[%uu * (mask + 1u) + i];\n", type,
		           observable, type, number);
		return;
	}
	oclmm_line(writer, "%s v%u = codes[%uu * (mask + 1u) + i];\n", type, observable, number);
	oclmm_line(writer, "if (v%u == 255u)\n", observable);
	oclmm_line(writer, "\tv%u = (%s)results[%uu * (mask + 1u) + i];\n", observable, type,
	           number);
}

static void write_values(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		const char *type = oclmm_unsigned_word(oclmm_type_bits(o->type));
		uint32_t plane = 0;

		while (plane < writer->plan->planes &&
		       (planes[plane].kind == OCLMM_PLANE_CUT || planes[plane].observable != i))
			plane++;
		if (plane < writer->plan->planes) {
			write_stored_value(writer, &planes[plane], plane, i, type);
			continue;
		}
		oclmm_line(writer, "const %s v%u = (%s)", type, i, type);
		oclmm_text_add(writer->text, o->type == OCLMM_TYPE_FLAG ? "(" : "");
		oclmm_write_location(writer, o->location);
		oclmm_text_printf(writer->text, "[slot%u + %uu]%s;\n", o->location, o->element,
		                  o->type == OCLMM_TYPE_FLAG ? " != 0)" : "");
	}
}

static void write_restore(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++) {
			oclmm_line(writer, "%s", "");
			oclmm_write_location(writer, i);
			oclmm_text_printf(writer->text, "[slot%u + %uu] = ", i, e);
			oclmm_write_constant(writer->text, l->type, l->initial ? l->initial[e] : 0);
			oclmm_text_add(writer->text, ";\n");
		}
	}
}

static void write_counting(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                           uint32_t buckets)
{
	oclmm_line(writer, "if (p.only_restore)\n");
	oclmm_line(writer, "\tcontinue;\n");
	oclmm_write_bucket(writer);
	for (uint32_t i = 0; i < writer->plan->planes; i++) {
		if (planes[i].kind != OCLMM_PLANE_CUT)
			continue;
		oclmm_line(writer, "if (codes[%uu * (mask + 1u) + i] != 0)\n", i);
		oclmm_line(writer, "\tbucket = %uu;\n", writer->plan->outcomes + OCLMM_BUCKET_CUT);
	}
	oclmm_line(writer, "if (bucket == %uu) {\n", writer->plan->outcomes + OCLMM_BUCKET_OTHER);
	writer->depth++;
	oclmm_write_other(writer, "", "i");
	oclmm_line(writer, "continue;\n");
	writer->depth--;
	oclmm_line(writer, "}\n");
	if (oclmm_packed_words(buckets) == 0)
		oclmm_line(writer, "atomic_inc(&%s[bucket]);\n",
		           buckets <= LOCAL_BUCKETS ? "seen" : "counters");
	oclmm_write_tally(writer, buckets);
}

static void write_closing(struct oclmm_writer *writer, uint32_t buckets)
{
	writer->depth--;
	oclmm_line(writer, "}\n");
	oclmm_write_unpacking(writer, buckets);
	if (writer->options.any_count)
		oclmm_line(writer, "if (i > mask)\n\t\t\tbreak;\n");
	writer->depth--;
	oclmm_line(writer, "}\n");
	oclmm_line(writer,
	           "for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {\n");
	oclmm_line(writer,
	           "\toclmm_add(counters + %u, played[n] != p.rounds && !p.only_restore);\n",
	           writer->plan->outcomes + OCLMM_BUCKET_UNPLAYED);
	oclmm_line(writer, "\tplayed[n] = 0u;\n");
	oclmm_line(writer, "}\n");
	oclmm_line(writer, "if (id == 0u)\n\t\tcounters[%u] += counters[%u];\n",
	           writer->plan->outcomes + OCLMM_TICKET_COUNTED,
	           writer->plan->outcomes + OCLMM_TICKET_TESTED);
	oclmm_line(writer, "for (uint n = id; n < p.width; n += get_global_size(0))\n");
	oclmm_line(writer, "\tmeeting[n] = 0u;\n");
	if (buckets > 0 && buckets <= LOCAL_BUCKETS)
		oclmm_write_sums(writer, buckets, "get_local_id(0)", "get_local_size(0)");
}

void oclmm_write_count_kernel(struct oclmm_writer *writer)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);
	uint32_t buckets = writer->options.direct ? 0 : oclmm_bucket_count(writer);

	oclmm_write_add_function(writer, "", "global");
	if (oclmm_packed_words(buckets) > 0)
		oclmm_write_add_function(writer, "_local", "local");
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer, buckets);
	write_slots(writer);
	if (!writer->options.direct)
		write_values(writer, planes);
	write_restore(writer);
	if (!writer->options.direct)
		write_counting(writer, planes, buckets);
	write_closing(writer, buckets);
	writer->depth = 0;
	oclmm_text_add(writer->text, "}\n");
	free(planes);
}
