// SPDX-License-Identifier: Apache-2.0
/*
 * Which settings a program is answered for. A knob that cannot make a
 * difference stays at its default; why it cannot is said where it is left out.
 */
#include "settings.h"

#include <string.h>

/** What a program contains, whether or not it is ever executed. */
struct contents {
	bool sc_access, sc_fence, narrow_sc_fence, legacy, legacy_compare, one_way, atomics, waits,
		enqueues, wide_fence, reduced, fine, apart, collectives;
	bool region[OCLMM_SPACE_COUNT]; /**< locations in, or flags for */
};

bool is_one_way_fence(const struct oclmm_fence *fence)
{
	return strcmp(fence->spelling, "read_mem_fence") == 0 ||
	       strcmp(fence->spelling, "write_mem_fence") == 0;
}

static int look_at_expression(void *data, const struct oclmm_expression *expression)
{
	struct contents *contents = data;
	const struct oclmm_atomic *atomic;

	if (expression->kind != OCLMM_EXPRESSION_ATOMIC)
		return 0;
	atomic = expression->atomic;
	contents->atomics = true;
	contents->legacy |= atomic->legacy;
	contents->legacy_compare |= atomic->comparand.kind == OCLMM_COMPARAND_VALUE;
	contents->sc_access |= atomic->order == OCLMM_ORDER_SEQ_CST ||
	                       atomic->failure == OCLMM_ORDER_SEQ_CST;
	return 0;
}

static int look_at_statement(void *data, const struct oclmm_statement *statement)
{
	struct contents *contents = data;
	unsigned flags = 0;

	if (statement->kind == OCLMM_STATEMENT_BARRIER)
		flags = statement->barrier.flags;
	if (statement->kind == OCLMM_STATEMENT_FENCE)
		flags = statement->fence.flags;
	for (unsigned r = 0; r < 2; r++)
		contents->region[r] |= (flags & (1u << r)) != 0;
	contents->collectives |= statement->kind == OCLMM_STATEMENT_BARRIER &&
	                         statement->barrier.collective && !statement->barrier.sub_group;
	contents->wide_fence |= (statement->kind == OCLMM_STATEMENT_BARRIER &&
	                         statement->barrier.scope == OCLMM_SCOPE_ALL_SVM_DEVICES) ||
	                        (statement->kind == OCLMM_STATEMENT_FENCE &&
	                         statement->fence.scope == OCLMM_SCOPE_ALL_SVM_DEVICES);
	contents->waits |= statement->kind == OCLMM_STATEMENT_WAIT;
	contents->enqueues |= statement->kind == OCLMM_STATEMENT_ENQUEUE;
	if (statement->kind == OCLMM_STATEMENT_FENCE)
		contents->one_way |= is_one_way_fence(&statement->fence);
	if (statement->kind == OCLMM_STATEMENT_FENCE &&
	    statement->fence.order == OCLMM_ORDER_SEQ_CST) {
		contents->sc_fence = true;
		contents->narrow_sc_fence |= flags != (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL);
	}
	return 0;
}

static struct contents look_at_program(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.expression = look_at_expression,
	                                             .statement = look_at_statement};
	struct contents contents = {0};

	for (uint32_t l = 0; l < program->location_count; l++) {
		const struct oclmm_location *location = &program->locations[l];

		contents.region[location->space] = true;
		contents.reduced |= location->space == OCLMM_SPACE_GLOBAL &&
		                    !oclmm_storage_has_svm_atomics(location->storage);
		contents.fine |= location->storage == OCLMM_STORAGE_SVM_FINE;
	}
	for (uint32_t t = 0; t < program->thread_count; t++) {
		oclmm_visit_body(&visitor, program->threads[t].body, &contents);
		contents.apart |= program->threads[t].placement.host !=
		                          program->threads[0].placement.host ||
		                  program->threads[t].placement.device !=
		                          program->threads[0].placement.device;
		contents.wide_fence |= program->threads[t].placement.host;
		/* a host fence covers global memory, whatever it is written with */
		if (program->threads[t].placement.host)
			contents.region[OCLMM_SPACE_GLOBAL] = contents.narrow_sc_fence = true;
	}
	return contents;
}

/*
 *  - K2, K8 are about seq_cst operations.
 *  - K3: where all locations and flags are of one region, the other region's
 *    happens-before relates only seq_cst accesses, and only those that the
 *    first one relates too (sb among them, and the clause on seq_cst pairs).
 *  - K4 is about the flags of a seq_cst fence that lacks one.
 *  - K5 is about two atomics. K7 and K9 are about legacy ones.
 *  - K10 is about seq_cst fences, K11 about one-way fences, K12 about waits
 *    for copies, K13 about kernels that are enqueued.
 *  - K14 is about fences of the widest scope and memory for which scopes are
 *    reduced, K15 about fine-grained memory that host and devices share, K16
 *    about collective functions. K17 to K19 are about commands, which are not judged here.
 */
unsigned knobs_that_matter(const struct oclmm_program *program)
{
	struct contents contents = look_at_program(program);
	unsigned knobs = 0;

	if (contents.sc_access || contents.sc_fence)
		knobs |= 1u << OCLMM_KNOB_K2 | 1u << OCLMM_KNOB_K8;
	if (contents.sc_access && contents.region[0] && contents.region[1])
		knobs |= 1u << OCLMM_KNOB_K3;
	if (contents.sc_fence)
		knobs |= 1u << OCLMM_KNOB_K10;
	if (contents.legacy_compare)
		knobs |= 1u << OCLMM_KNOB_K9;
	if (contents.one_way)
		knobs |= 1u << OCLMM_KNOB_K11;
	if (contents.waits)
		knobs |= 1u << OCLMM_KNOB_K12;
	if (contents.enqueues)
		knobs |= 1u << OCLMM_KNOB_K13;
	if (contents.wide_fence && contents.reduced)
		knobs |= 1u << OCLMM_KNOB_K14;
	if (contents.fine && contents.apart)
		knobs |= 1u << OCLMM_KNOB_K15;
	if (contents.collectives)
		knobs |= 1u << OCLMM_KNOB_K16;
	if (contents.sc_fence && contents.narrow_sc_fence)
		knobs |= 1u << OCLMM_KNOB_K4;
	if (contents.atomics)
		knobs |= 1u << OCLMM_KNOB_K5;
	if (contents.legacy)
		knobs |= 1u << OCLMM_KNOB_K7;
	return knobs;
}

unsigned list_settings(const struct oclmm_program *program, struct reference_setting *ret_settings)
{
	unsigned matter = knobs_that_matter(program);
	unsigned count = 0;

	for (unsigned regime = 0; regime < REFERENCE_REGIME_COUNT; regime++)
		ret_settings[count++] = (struct reference_setting){regime, 0};
	/* every subset of them but the empty one */
	for (unsigned knobs = matter & -matter; knobs; knobs = (knobs - matter) & matter)
		for (unsigned regime = 0; regime < REFERENCE_SCOPED; regime++) {
			/* only 2.0 has conditions for the order S */
			if (regime == REFERENCE_R20 || !(knobs & 1u << OCLMM_KNOB_K10))
				ret_settings[count++] = (struct reference_setting){regime, knobs};
		}
	return count;
}

int reference_find_setting(const struct reference_answer *answer, enum reference_regime regime,
                           unsigned knobs)
{
	unsigned wanted = knobs & answer->knobs;

	for (unsigned i = 0; i < answer->setting_count; i++)
		if (answer->settings[i].regime == regime && answer->settings[i].knobs == wanted)
			return (int)i;
	return -1;
}
