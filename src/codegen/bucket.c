// SPDX-License-Identifier: Apache-2.0
/*
 * Counting a bucket.
 *
 * With few buckets, a work-item counts in bytes packed into 64-bit words and
 * adds them to the group's counters before a byte can overflow: most instances
 * end alike, and a counter shared by all of a group would be fought over.
 */
#include "internal.h"

#include <string.h>

/* A tuple outside the outcome space is kept as it is; the buffer has room for all instances. */
void oclmm_write_other(struct oclmm_writer *writer, const char *counter, const char *instance)
{
	const char *word = oclmm_unsigned_word(writer->plan->wide ? 64 : 32);
	bool alone = writer->options.alone;

	oclmm_line(writer, "const ulong at = (ulong)(%s%scounters[%s]%s - p.other_before) * %uu;\n",
	           alone ? "" : oclmm_own_function(writer, OCLMM_OWN_INC_USED), alone ? "" : "(&",
	           counter, alone ? "++" : ")", writer->plan->observables + 1);
	oclmm_line(writer, "raw[at] = (%s)%s;\n", word, instance);
	for (uint32_t i = 0; i < writer->plan->observables; i++)
		oclmm_line(writer, "raw[at + %u] = v%u;\n", i + 1, i);
}

void oclmm_write_packed(struct oclmm_writer *writer, uint32_t buckets)
{
	for (uint32_t w = 0; w < oclmm_packed_words(buckets); w++)
		oclmm_line(writer, "ulong packed%u = 0UL;\n", w);
}

void oclmm_write_tally(struct oclmm_writer *writer, uint32_t buckets)
{
	uint32_t words = oclmm_packed_words(buckets);

	if (words == 1)
		oclmm_line(writer, "packed0 += 1UL << (8u * bucket);\n");
	for (uint32_t w = 0; words > 1 && w < words; w++)
		oclmm_line(writer,
		           "packed%u += bucket / 8u == %uu ? 1UL << (8u * (bucket %% 8u)) : 0UL;\n",
		           w, w);
}

void oclmm_write_unpacking(struct oclmm_writer *writer, uint32_t buckets)
{
	for (uint32_t b = 0; oclmm_packed_words(buckets) > 0 && b < buckets; b++)
		oclmm_line(writer, "oclmm_add_local(seen + %u, (uint)(packed%u >> %u) & 255u);\n",
		           b, b / 8, b % 8 * 8);
}

void oclmm_write_seen(struct oclmm_writer *writer, uint32_t buckets, const char *lane,
                      const char *width)
{
	oclmm_line(writer, "local uint seen[%u];\n\n", buckets);
	oclmm_line(writer, "for (uint n = %s; n < %uu; n += %s)\n", lane, buckets, width);
	oclmm_line(writer, "\tseen[n] = 0u;\n");
	oclmm_line(writer, "%s(CLK_LOCAL_MEM_FENCE);\n",
	           oclmm_own_function(writer, OCLMM_OWN_BARRIER));
}

void oclmm_write_sums(struct oclmm_writer *writer, uint32_t buckets, const char *lane,
                      const char *width)
{
	oclmm_line(writer, "%s(CLK_LOCAL_MEM_FENCE);\n",
	           oclmm_own_function(writer, OCLMM_OWN_BARRIER));
	oclmm_line(writer, "for (uint n = %s; n < %uu; n += %s)\n", lane, buckets, width);
	/* the OTHER bucket counts straight into the launch's counters: here it adds nothing */
	oclmm_line(writer, "\tif (seen[n] != 0u)\n");
	oclmm_line(writer, "\t\t%s(&counters[n], seen[n]);\n",
	           oclmm_own_function(writer, OCLMM_OWN_ADD));
}

void oclmm_write_add_function(struct oclmm_writer *writer, const char *suffix, const char *space)
{
	bool local = strcmp(space, "local") == 0;

	oclmm_put(writer,
	          "static void oclmm_add%s(volatile %s uint *counter, uint n)\n"
	          "{\n"
	          "\tif (n != 0u)\n"
	          "\t\t",
	          suffix, space);
	if (writer->options.alone)
		oclmm_put(writer, "*counter += n");
	else
		oclmm_put(writer, "%s(counter, n)",
		          oclmm_own_function(writer, local ? OCLMM_OWN_ADD_LOCAL : OCLMM_OWN_ADD));
	oclmm_put(writer, ";\n}\n\n");
}
