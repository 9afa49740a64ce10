// SPDX-License-Identifier: Apache-2.0
/*
 * Counting in the test kernel, where one role observes everything: no result
 * passes through memory.
 */
#include "internal.h"

#include <stdio.h>

/* Foreign values are counted where they are kept; only loops are cut. */
static bool is_tallied(const struct oclmm_writer *writer, uint32_t bucket)
{
	const struct oclmm_thread *thread = &writer->program->threads[writer->plan->direct_role];

	return bucket < writer->plan->outcomes ||
	       (bucket == writer->plan->outcomes + OCLMM_BUCKET_CUT &&
	        oclmm_has_loop(thread->body));
}

void oclmm_write_direct_opening(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	oclmm_write_packed(writer, buckets);
	for (uint32_t b = 0; writer->options.sums && b < buckets; b++)
		if (is_tallied(writer, b))
			oclmm_line(writer, "uint sum%u = 0u;\n", b);
}

/* From bytes to words, before a byte can overflow. */
static void write_flush(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	if (!writer->options.sums)
		oclmm_write_unpacking(writer, buckets);
	for (uint32_t b = 0; writer->options.sums && b < buckets; b++)
		if (is_tallied(writer, b))
			oclmm_line(writer, "sum%u += (uint)(packed%u >> %u) & 255u;\n", b, b / 8,
			           b % 8 * 8);
}

void oclmm_write_direct(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer), role = writer->plan->direct_role;
	const struct oclmm_thread *thread = &writer->program->threads[role];
	char instance[32], other[32];

	snprintf(other, sizeof(other), "%u", writer->plan->outcomes + OCLMM_BUCKET_OTHER);
	snprintf(instance, sizeof(instance), "i_P%u", thread->id);
	if (writer->options.split)
		oclmm_open(writer, "if (own == %uu) {\n", role);
	else
		oclmm_open(writer, "{\n");
	oclmm_write_bucket(writer);
	if (oclmm_has_loop(thread->body)) {
		oclmm_line(writer, "if (r_P%u.cut != 0u)\n", thread->id);
		oclmm_line(writer, "\tbucket = %uu;\n", writer->plan->outcomes + OCLMM_BUCKET_CUT);
	}
	oclmm_open(writer, "if (bucket == %uu) {\n", writer->plan->outcomes + OCLMM_BUCKET_OTHER);
	oclmm_write_other(writer, other, instance);
	oclmm_else(writer);
	oclmm_write_tally(writer, buckets);
	oclmm_close(writer);
	oclmm_close(writer);
	oclmm_open(writer, "if ((round & 127u) == 127u) {\n");
	write_flush(writer);
	for (uint32_t w = 0; w < oclmm_packed_words(buckets); w++)
		oclmm_line(writer, "packed%u = 0UL;\n", w);
	oclmm_close(writer);
}

void oclmm_write_direct_sums(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	write_flush(writer);
	for (uint32_t b = 0; writer->options.sums && b < buckets; b++)
		if (is_tallied(writer, b))
			oclmm_line(writer, "oclmm_add_sum(counters + %u, sum%u);\n", b, b);
	if (!writer->options.sums)
		oclmm_write_sums(writer, buckets, "own_lane", "p.width");
}
