// SPDX-License-Identifier: Apache-2.0
/* What the test kernel stores of each instance for the counting kernel. */
#include "internal.h"

#include <stdio.h>

/*
 * A byte where that does, and the whole value where it does not. Both are moved by the launch's
 * salt: what an earlier one left there, because a store was lost or a cache is stale, is another
 * value.
 */
static void write_store_value(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                              uint32_t number, const char *value, const char *instance)
{
	const char *salt = writer->child ? "salt" : "p.salt";
	bool wide = plane->kind != OCLMM_PLANE_CUT &&
	            oclmm_type_observed_bits(
			    writer->program->observables[plane->observable].type) == 64;

	if (!plane->narrow) {
		oclmm_line(writer, "results[%uu * (mask + 1u) + %s] = %s + %s;\n", number, instance,
		           value, salt);
		return;
	}
	if (plane->kind == OCLMM_PLANE_CUT) {
		oclmm_line(writer, "codes[%uu * (mask + 1u) + %s] = (uchar)min(%s, 255u);\n",
		           number, instance, value);
		return;
	}
	oclmm_line(writer, "codes[%uu * (mask + 1u) + %s] = (uchar)(min(%s, 255u%s) + %s);\n",
	           number, instance, value, wide ? "l" : "", salt);
	oclmm_line(writer, "if (%s >= 255u)\n", value);
	oclmm_line(writer, "\tresults[%uu * (mask + 1u) + %s] = %s + %s;\n", number, instance,
	           value, salt);
}

/* A child kernel has no loops: that it plays says that it was not refused. */
static void say_cut(const struct oclmm_writer *writer, uint32_t thread, char *value, size_t size)
{
	snprintf(value, size, "r_P%u.cut", writer->program->threads[thread].id);
	if (writer->child)
		snprintf(value, size, "0u");
}

static void write_store_plane(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                              uint32_t number)
{
	unsigned id = writer->program->threads[plane->thread].id;
	char value[32], instance[32];

	if (plane->kind == OCLMM_PLANE_LOCAL || !oclmm_is_own(writer, plane->thread))
		return;
	snprintf(instance, sizeof(instance), "i_P%u", id);
	snprintf(value, sizeof(value), "v%u", number);
	if (plane->kind == OCLMM_PLANE_CUT)
		say_cut(writer, plane->thread, value, sizeof(value));
	if (writer->options.split)
		oclmm_open(writer, "if (own == %uu) {\n", plane->thread);
	write_store_value(writer, plane, number, value, instance);
	if (writer->options.split)
		oclmm_close(writer);
}

/* Observed registers as unsigned numbers of their width, so that no sign creeps into a wide
 * result. */
static void write_observed(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                           uint32_t number)
{
	const struct oclmm_observable *o = &writer->program->observables[plane->observable];
	const char *bits = oclmm_unsigned_word(oclmm_type_observed_bits(o->type));

	if (plane->kind != OCLMM_PLANE_REGISTER || !oclmm_is_own(writer, plane->thread))
		return;
	oclmm_line(writer, "const %s v%u = (%s)%sr_P%u.", bits, number, bits,
	           oclmm_observe_opening(o->type), writer->program->threads[plane->thread].id);
	oclmm_write_register(writer, plane->thread, o->reg);
	oclmm_text_printf(writer->text, "%s;\n", oclmm_observe_closing(o->type));
}

void oclmm_write_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < writer->plan->planes; i++)
		n += planes[i].kind != OCLMM_PLANE_LOCAL &&
		     !writer->plan->role_child[planes[i].thread];
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		write_observed(writer, &planes[i], i);
	if (writer->options.direct) {
		oclmm_write_direct(writer);
		return;
	}
	if (n > 1) {
		oclmm_open(writer, "if (p.results_reversed) {\n");
		for (uint32_t i = writer->plan->planes; i-- > 0;)
			write_store_plane(writer, &planes[i], i);
		oclmm_else(writer);
	}
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		write_store_plane(writer, &planes[i], i);
	if (n > 1)
		oclmm_close(writer);
}

static void write_local_result(struct oclmm_writer *writer, const struct oclmm_plane *plane,
                               uint32_t number)
{
	const struct oclmm_program *program = writer->program;
	const struct oclmm_observable *o = &program->observables[plane->observable];
	const struct oclmm_location *l = &program->locations[o->location];
	const char *bits = oclmm_unsigned_word(oclmm_type_observed_bits(o->type));
	uint32_t user = oclmm_local_owner(program, o->location);
	uint32_t owner = writer->plan->role_work_group[user];
	bool plain = !*oclmm_observe_opening(o->type);
	char value[32], instance[32];

	if (!oclmm_is_own(writer, user))
		return;
	snprintf(value, sizeof(value), "v%u", number);
	snprintf(instance, sizeof(instance), "i%u", number);
	if (writer->options.split)
		oclmm_open(writer, "if (keeper == %uu) {\n", owner);
	oclmm_line(writer, "const uint %s = round * width + ", instance);
	oclmm_write_group(writer, owner);
	oclmm_text_add(writer->text, " * p.lanes + own_lane;\n");
	oclmm_line(writer, "const %s %s = (%s)%s((local %s *)", bits, value, bits,
	           plain ? "(" : oclmm_observe_opening(o->type),
	           oclmm_type_spelling(l->type, false));
	oclmm_write_location(writer, o->location);
	oclmm_text_printf(writer->text, ")[own_lane * %uu + %uu]%s;\n", l->elements, o->element,
	                  plain ? ")" : oclmm_observe_closing(o->type));
	write_store_value(writer, plane, number, value, instance);
	if (writer->options.split)
		oclmm_close(writer);
}

/* After all roles of the round: each lane reads the slot of the instance that has its own
 * number. */
void oclmm_write_local_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
	oclmm_write_local_looks(writer);
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		if (planes[i].kind == OCLMM_PLANE_LOCAL)
			write_local_result(writer, &planes[i], i);
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

void oclmm_write_child_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; i < writer->plan->planes; i++) {
		write_observed(writer, &planes[i], i);
		write_store_plane(writer, &planes[i], i);
	}
}
