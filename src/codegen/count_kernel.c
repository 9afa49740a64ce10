// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel that turns what an instance left behind into an outcome index,
 * counts it, and puts the instance's objects back to their initial values.
 *
 * With few buckets, a work-item counts in bytes packed into 64-bit words and
 * adds them to the group's counters before a byte can overflow: most instances
 * end alike, and a counter shared by all of a group would be fought over.
 */
#include "internal.h"

#include <stdlib.h>

enum {
	PACKED_BUCKETS = 32,  /* four words of eight bytes */
	LOCAL_BUCKETS = 2048, /* 8 KiB of local memory, which every device has */
};

/* The buckets that instances fall into and that are counted group by group. */
static uint32_t bucket_count(const struct oclmm_writer *writer)
{
	return writer->plan->outcomes + OCLMM_BUCKET_CUT + 1;
}

static void write_arguments(struct oclmm_writer *writer)
{
	const char *word = writer->plan->wide ? "ulong" : "uint";

	oclmm_text_add(writer->text, "kernel void oclmm_count(\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			continue;
		oclmm_text_printf(writer->text, "\tglobal %s *", oclmm_value_type(l->type));
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
	                  "{\n", word, word);
}

static uint32_t packed_words(uint32_t buckets)
{
	return buckets <= PACKED_BUCKETS ? (buckets + 7) / 8 : 0;
}

static void write_opening(struct oclmm_writer *writer, uint32_t buckets)
{
	if (buckets <= LOCAL_BUCKETS) {
		oclmm_line(writer, "local uint seen[%u];\n\n", buckets);
		oclmm_line(writer, "for (uint n = get_local_id(0); n < %uu; n += get_local_size(0))\n", buckets);
		oclmm_line(writer, "\tseen[n] = 0u;\n");
		oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
	}
	oclmm_line(writer, "const uint id = get_global_id(0);\n");
	oclmm_line(writer, "const uint mask = p.groups * p.lanes * p.rounds - 1u;\n");
	oclmm_line(writer, "uint i = id * p.count_first;\n");
	oclmm_line(writer, "for (uint done = 0u; done < p.count_each;) {\n");
	writer->depth++;
	for (uint32_t w = 0; w < packed_words(buckets); w++)
		oclmm_line(writer, "ulong packed%u = 0UL;\n", w);
	if (packed_words(buckets) > 0)
		oclmm_line(writer, "const uint end = min(done + 255u, p.count_each);\n\n");
	else
		oclmm_line(writer, "const uint end = p.count_each;\n\n");
	oclmm_line(writer, "for (; done < end; done++, i += p.count_step) {\n");
	writer->depth++;
}

/* The slots of the instance's objects, once each. */
static void write_slots(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++)
		if (writer->program->locations[i].space != OCLMM_SPACE_LOCAL)
			oclmm_line(writer, "const uint slot%u = oclmm_slot(p.location[%u], i, mask);\n", i, i);
}

static void write_stored_value(struct oclmm_writer *writer, const struct oclmm_plane *plane, uint32_t number,
                               uint32_t observable, const char *type)
{
	if (!plane->narrow) {
		oclmm_line(writer, "const %s v%u = (%s)results[%uu * (mask + 1u) + i];\n", type, observable, type,
		           number);
		return;
	}
	oclmm_line(writer, "%s v%u = codes[%uu * (mask + 1u) + i];\n", type, observable, number);
	oclmm_line(writer, "if (v%u == 255u)\n", observable);
	oclmm_line(writer, "\tv%u = (%s)results[%uu * (mask + 1u) + i];\n", observable, type, number);
}

static void write_values(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		const char *type = oclmm_type_bits(o->type) == 64 ? "ulong" : "uint";
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

static bool is_contiguous(const struct oclmm_outcome_domain *domain)
{
	for (uint32_t i = 1; i < domain->count; i++)
		if (domain->values[i] != domain->values[i - 1] + 1)
			return false;
	return domain->count > 0;
}

/* A value as the bit pattern that the results hold. */
static void write_pattern(struct oclmm_text *text, unsigned bits, int64_t value)
{
	if (bits == 64)
		oclmm_text_printf(text, "%lluUL", (unsigned long long)value);
	else
		oclmm_text_printf(text, "%uu", (unsigned)(uint32_t)value);
}

/* `nK`: the position of value K in its domain, or the domain's size when it is not there. */
static void write_position(struct oclmm_writer *writer, const struct oclmm_outcome_domain *domain,
                           uint32_t number, unsigned bits)
{
	struct oclmm_text *text = writer->text;

	oclmm_line(writer, "const uint n%u = ", number);
	if (is_contiguous(domain)) {
		oclmm_text_printf(text, "(uint)min(v%u - ", number);
		write_pattern(text, bits, domain->values[0]);
		oclmm_text_add(text, ", ");
		write_pattern(text, bits, domain->count);
		oclmm_text_add(text, ");\n");
		return;
	}
	for (uint32_t i = 0; i < domain->count; i++) {
		oclmm_text_printf(text, "v%u == ", number);
		write_pattern(text, bits, domain->values[i]);
		oclmm_text_printf(text, " ? %uu : ", i);
	}
	oclmm_text_printf(text, "%uu;\n", domain->count);
}

/* A tuple outside the outcome space is kept as it is; the buffer has room for all instances. */
static void write_other(struct oclmm_writer *writer)
{
	const char *word = writer->plan->wide ? "ulong" : "uint";

	oclmm_line(writer, "const ulong at = (ulong)atomic_inc(&counters[%u]) * %uu;\n",
	           writer->plan->outcomes + OCLMM_BUCKET_OTHER, writer->plan->observables + 1);
	oclmm_line(writer, "raw[at] = (%s)i;\n", word);
	for (uint32_t i = 0; i < writer->plan->observables; i++)
		oclmm_line(writer, "raw[at + %u] = v%u;\n", i + 1, i);
	oclmm_line(writer, "continue;\n");
}

static void write_bucket(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_outcome_space *space = writer->space;


	oclmm_line(writer, "uint bucket = 0u");
	for (uint32_t i = 0; i < space->observable_count; i++)
		oclmm_text_printf(writer->text, " + n%u * %uu", i, space->domains[i].stride);
	oclmm_text_add(writer->text, ";\n");
	oclmm_line(writer, "if (");
	for (uint32_t i = 0; i < space->observable_count; i++)
		oclmm_text_printf(writer->text, "%sn%u == %uu", i ? " || " : "", i, space->domains[i].count);
	oclmm_text_add(writer->text, space->observable_count ? ")" : "false)");
	oclmm_text_printf(writer->text, "\n\t\t\t\tbucket = %uu;\n",
	                  writer->plan->outcomes + OCLMM_BUCKET_OTHER);
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		if (planes[i].kind == OCLMM_PLANE_CUT)
			oclmm_line(writer, "if (codes[%uu * (mask + 1u) + i] != 0)\n\t\t\t\tbucket = %uu;\n", i,
			           writer->plan->outcomes + OCLMM_BUCKET_CUT);
	oclmm_line(writer, "if (bucket == %uu) {\n", writer->plan->outcomes + OCLMM_BUCKET_OTHER);
	writer->depth++;
	write_other(writer);
	writer->depth--;
	oclmm_line(writer, "}\n");
}

static void write_tally(struct oclmm_writer *writer, uint32_t buckets)
{
	uint32_t words = packed_words(buckets);

	if (words == 1)
		oclmm_line(writer, "packed0 += 1UL << (8u * bucket);\n");
	else if (words == 0)
		oclmm_line(writer, "atomic_inc(&%s[bucket]);\n", buckets <= LOCAL_BUCKETS ? "seen" : "counters");
	for (uint32_t w = 0; words > 1 && w < words; w++)
		oclmm_line(writer, "packed%u += bucket / 8u == %uu ? 1UL << (8u * (bucket %% 8u)) : 0UL;\n", w, w);
}

static void write_closing(struct oclmm_writer *writer, uint32_t buckets)
{
	writer->depth--;
	oclmm_line(writer, "}\n");
	for (uint32_t b = 0; packed_words(buckets) > 0 && b < buckets; b++)
		oclmm_line(writer, "oclmm_add_local(seen + %u, (uint)(packed%u >> %u) & 255u);\n", b, b / 8, b % 8 * 8);
	writer->depth--;
	oclmm_line(writer, "}\n");
	oclmm_line(writer, "for (uint n = id; n < p.groups * p.lanes; n += get_global_size(0)) {\n");
	oclmm_line(writer, "\toclmm_add(counters + %u, played[n] != p.rounds && !p.only_restore);\n",
	           writer->plan->outcomes + OCLMM_BUCKET_UNPLAYED);
	oclmm_line(writer, "\tplayed[n] = 0u;\n");
	oclmm_line(writer, "}\n");
	oclmm_line(writer, "for (uint n = id; n < p.lanes; n += get_global_size(0))\n");
	oclmm_line(writer, "\tmeeting[n] = 0u;\n");
	if (buckets <= LOCAL_BUCKETS) {
		oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
		oclmm_line(writer, "for (uint n = get_local_id(0); n < %uu; n += get_local_size(0))\n", buckets);
		/* the OTHER bucket counts straight into the launch's counters: here it adds nothing */
		oclmm_line(writer, "\tif (seen[n] != 0u)\n");
		oclmm_line(writer, "\t\tatomic_add(&counters[n], seen[n]);\n");
	}
}

static void write_add_function(struct oclmm_writer *writer, uint32_t buckets)
{
	static const char format[] =
		"static void oclmm_add%s(volatile %s uint *counter, uint n)\n"
		"{\n"
		"\tif (n != 0u)\n"
		"\t\tatomic_add(counter, n);\n"
		"}\n\n";

	oclmm_text_printf(writer->text, format, "", "global");
	if (packed_words(buckets) > 0)
		oclmm_text_printf(writer->text, format, "_local", "local");
}

void oclmm_write_count_kernel(struct oclmm_writer *writer)
{
	const struct oclmm_outcome_space *space = writer->space;
	struct oclmm_plane *planes = oclmm_list_planes(writer);
	uint32_t buckets = bucket_count(writer);

	write_add_function(writer, buckets);
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer, buckets);
	write_slots(writer);
	write_values(writer, planes);
	write_restore(writer);
	oclmm_line(writer, "if (p.only_restore)\n\t\t\t\tcontinue;\n");
	for (uint32_t i = 0; i < space->observable_count; i++)
		write_position(writer, &space->domains[i], i, oclmm_type_bits(writer->program->observables[i].type));
	write_bucket(writer, planes);
	write_tally(writer, buckets);
	write_closing(writer, buckets);
	writer->depth = 0;
	oclmm_text_add(writer->text, "}\n");
	free(planes);
}
