// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel that plays the roles. Every work-item plays every role, each for
 * another instance: role p of instance (G, L) runs at the place
 * G - group_shift[w(p)] and the lane L - lane_shift[p], so that the roles of
 * one litmus work-group meet in one work-group of the launch, and those of
 * different ones in different ones.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char stress_functions[] =
	"/* Memory traffic beside the test, on lines that no instance uses. */\n"
	"static void oclmm_stress(volatile global uint *line, uint operations, uint pattern)\n"
	"{\n"
	"\tuint seen = 0u;\n"
	"\n"
	"\tfor (uint n = 0u; n < operations; n++) {\n"
	"\t\tif (pattern & 2u)\n"
	"\t\t\t*line = n;\n"
	"\t\telse\n"
	"\t\t\tseen += *line;\n"
	"\t\tif (pattern & 1u)\n"
	"\t\t\t*line = seen;\n"
	"\t\telse\n"
	"\t\t\tseen += *line;\n"
	"\t}\n"
	"}\n"
	"\n"
	"/* Waits a little for the same lane of the other places. Failing to meet is no error. */\n"
	"static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint budget)\n"
	"{\n"
	"\tatomic_inc(meeting);\n"
	"\tfor (uint n = 0u; n < polls && budget != 0u && *meeting < wanted; n++)\n"
	"\t\tbudget--;\n"
	"\treturn budget;\n"
	"}\n"
	"\n";

static void write_arguments(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	oclmm_text_add(writer->text, "kernel void oclmm_test(\n");
	for (int space = OCLMM_SPACE_GLOBAL; space <= OCLMM_SPACE_LOCAL; space++) {
		for (uint32_t i = 0; i < program->location_count; i++) {
			const struct oclmm_location *l = &program->locations[i];

			if ((int)l->space != space)
				continue;
			oclmm_text_printf(writer->text, "\t%s ", oclmm_space_spelling(l->space));
			if (l->atomic)
				oclmm_write_atomic_type(writer->text, l->type);
			else
				oclmm_text_add(writer->text, oclmm_value_type(l->type));
			oclmm_text_add(writer->text, " *");
			oclmm_write_location(writer, i);
			oclmm_text_add(writer->text, ",\n");
		}
	}
	oclmm_text_printf(writer->text, "\tglobal uchar *codes,\n\tglobal %s *results,\n",
	                  writer->plan->wide ? "ulong" : "uint");
	oclmm_text_add(writer->text,
	               "\tglobal uint *counters,\n"
	               "\tglobal uint *played,\n"
	               "\tvolatile global uint *meeting,\n"
	               "\tvolatile global uint *scratch,\n"
	               "\tconst oclmm_parameters p)\n");
}

static void write_opening(struct oclmm_writer *writer)
{
	oclmm_text_add(writer->text,
	               "{\n"
	               "\tconst uint id = get_global_id(0);\n"
	               "\tconst uint turned = get_group_id(0) + p.rotation;\n"
	               "\tconst uint place = turned < p.all_groups ? turned : turned - p.all_groups;\n"
	               "\tconst uint own_lane = get_local_id(0);\n"
	               "\tconst uint lane = (own_lane + p.lane_addend) & (p.lanes - 1u);\n"
	               "\tconst bool testing = place < p.groups;\n"
	               "\tconst uint rounds = testing ? p.rounds : 0u;\n"
	               "\tconst uint group = place * (p.group_multiplier | 1u) + p.group_addend;\n"
	               "\tconst uint width = p.groups * p.lanes;\n"
	               "\tconst uint mask = width * p.rounds - 1u;\n"
	               "\tuint budget = p.poll_budget;\n"
	               "\tuint wanted = 0u;\n"
	               "\tuint round = 0u;\n");
	for (uint32_t i = 0; i < writer->program->thread_count; i++) {
		unsigned id = writer->program->threads[i].id;

		oclmm_line(writer, "const uint lane_P%u = (lane + p.lane_shift[%u]) & (p.lanes - 1u);\n", id, i);
		oclmm_line(writer, "const uint first_P%u = ((group + p.group_shift[%u]) & (p.groups - 1u))"
		           " * p.lanes + lane_P%u;\n", id, writer->plan->role_work_group[i], id);
	}
	oclmm_text_printf(writer->text,
	                  "\n\tfor (uint n = id; n < %uu; n += get_global_size(0))\n"
	                  "\t\tcounters[n] = 0u;\n"
	                  "\toclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,\n"
	                  "\t             testing ? p.pre_stress : p.stress, p.stress_pattern);\n\n",
	                  writer->plan->outcomes + OCLMM_BUCKET_COUNT);
}

static void write_state(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	if (!oclmm_has_state(writer->program, t))
		return;
	oclmm_line(writer, "private struct P%u_registers r_P%u;\n", t->id, t->id);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_line(writer, "r_P%u.", t->id);
		oclmm_write_register(writer, thread, i);
		oclmm_text_add(writer->text, " = ");
		oclmm_write_constant(writer->text, t->registers[i].type, t->registers[i].initial);
		oclmm_text_add(writer->text, ";\n");
	}
	if (oclmm_has_loop(t->body))
		oclmm_line(writer, "r_P%u.cut = 0u;\n", t->id);
}

/* Local objects live as long as the group: each lane sets up one slot for every round. */
static void write_local_setup(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL)
			continue;
		for (uint32_t e = 0; e < l->elements; e++) {
			oclmm_line(writer, "((local %s *)", oclmm_value_type(l->type));
			oclmm_write_location(writer, i);
			oclmm_text_printf(writer->text, ")[own_lane * %uu + %uu] = ", l->elements, e);
			oclmm_write_constant(writer->text, l->type, l->initial ? l->initial[e] : 0);
			oclmm_text_add(writer->text, ";\n");
		}
	}
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

/* Plays one segment of `n` roles, in an order that differs between groups, lanes and rounds. */
static void write_roles(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n, uint32_t segment)
{
	if (n == 1) {
		oclmm_write_play(writer, roles[0], segment);
		return;
	}
	if (n == 2) {
		oclmm_line(writer, "if (flip) {\n");
		writer->depth++;
		oclmm_write_play(writer, roles[1], segment);
		oclmm_write_play(writer, roles[0], segment);
		writer->depth--;
		oclmm_line(writer, "} else {\n");
		writer->depth++;
		oclmm_write_play(writer, roles[0], segment);
		oclmm_write_play(writer, roles[1], segment);
		writer->depth--;
		oclmm_line(writer, "}\n");
		return;
	}
	oclmm_line(writer, "for (uint n = 0u; n < %uu; n++) {\n", n);
	writer->depth++;
	oclmm_line(writer, "switch (flip ? %uu - n : n) {\n", n - 1);
	for (uint32_t i = 0; i < n; i++) {
		oclmm_line(writer, "case %uu:\n", i);
		writer->depth++;
		oclmm_write_play(writer, roles[i], segment);
		oclmm_line(writer, "break;\n");
		writer->depth--;
	}
	oclmm_line(writer, "}\n");
	writer->depth--;
	oclmm_line(writer, "}\n");
}

static const struct oclmm_statement *nth_barrier(const struct oclmm_thread *thread, uint32_t n)
{
	const struct oclmm_statement *s = thread->body;

	for (; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_BARRIER && n-- == 0)
			break;
	return s;
}

/* Segment after segment, and between two of them the barrier that all roles of the group reach. */
static void write_group(struct oclmm_writer *writer, uint32_t group)
{
	const struct oclmm_program *program = writer->program;
	uint32_t roles[OCLMM_KERNEL_ROLES], n = 0;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (writer->plan->role_work_group[i] == group)
			roles[n++] = i;
	for (uint32_t segment = 0; segment < oclmm_segments(&program->threads[roles[0]]); segment++) {
		if (segment > 0)
			oclmm_write_barrier(writer, nth_barrier(&program->threads[roles[0]], segment - 1));
		write_roles(writer, roles, n, segment);
	}
}

static void write_all_roles(struct oclmm_writer *writer)
{
	uint32_t roles[OCLMM_KERNEL_ROLES];

	if (writer->plan->has_barrier) {
		for (uint32_t w = 0; w < writer->plan->work_groups; w++)
			write_group(writer, w);
		return;
	}
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		roles[i] = i;
	write_roles(writer, roles, writer->program->thread_count, 0);
}

/* A byte where that does, and the whole value where it does not. */
static void write_store_value(struct oclmm_writer *writer, const struct oclmm_plane *plane, uint32_t number,
                              const char *value, const char *instance)
{
	bool wide = plane->kind != OCLMM_PLANE_CUT &&
	            oclmm_type_bits(writer->program->observables[plane->observable].type) == 64;

	if (!plane->narrow) {
		oclmm_line(writer, "results[%uu * (mask + 1u) + %s] = %s;\n", number, instance, value);
		return;
	}
	oclmm_line(writer, "codes[%uu * (mask + 1u) + %s] = (uchar)min(%s, 255u%s);\n", number, instance, value,
	           wide ? "l" : "");
	if (plane->kind == OCLMM_PLANE_CUT)
		return;
	oclmm_line(writer, "if (%s >= 255u)\n", value);
	oclmm_line(writer, "\tresults[%uu * (mask + 1u) + %s] = %s;\n", number, instance, value);
}

static void write_store_plane(struct oclmm_writer *writer, const struct oclmm_plane *plane, uint32_t number)
{
	unsigned id = writer->program->threads[plane->thread].id;
	char value[32], instance[32];

	if (plane->kind == OCLMM_PLANE_LOCAL)
		return;
	snprintf(instance, sizeof(instance), "i_P%u", id);
	snprintf(value, sizeof(value), "v%u", number);
	if (plane->kind == OCLMM_PLANE_CUT)
		snprintf(value, sizeof(value), "r_P%u.cut", id);
	write_store_value(writer, plane, number, value, instance);
}

/* Observed registers as unsigned numbers of their width, so that no sign creeps into a wide result. */
static void write_observed(struct oclmm_writer *writer, const struct oclmm_plane *plane, uint32_t number)
{
	const struct oclmm_observable *o = &writer->program->observables[plane->observable];
	const char *bits = oclmm_type_bits(o->type) == 64 ? "ulong" : "uint";

	if (plane->kind != OCLMM_PLANE_REGISTER)
		return;
	oclmm_line(writer, "const %s v%u = (%s)r_P%u.", bits, number, bits,
	           writer->program->threads[plane->thread].id);
	oclmm_write_register(writer, plane->thread, o->reg);
	oclmm_text_add(writer->text, ";\n");
}

static void write_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < writer->plan->planes; i++)
		n += planes[i].kind != OCLMM_PLANE_LOCAL;
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		write_observed(writer, &planes[i], i);
	if (n > 1) {
		oclmm_line(writer, "if (p.results_reversed) {\n");
		writer->depth++;
		for (uint32_t i = writer->plan->planes; i-- > 0;)
			write_store_plane(writer, &planes[i], i);
		writer->depth--;
		oclmm_line(writer, "} else {\n");
		writer->depth++;
	}
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		write_store_plane(writer, &planes[i], i);
	if (n > 1) {
		writer->depth--;
		oclmm_line(writer, "}\n");
	}
}

/* After all roles of the round: each lane reads the slot of the instance that has its own number. */
static void write_local_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
	for (uint32_t i = 0; i < writer->plan->planes; i++) {
		const struct oclmm_observable *o = &program->observables[planes[i].observable];
		const struct oclmm_location *l = &program->locations[o->location];
		const char *bits = oclmm_type_bits(o->type) == 64 ? "ulong" : "uint";
		char value[32], instance[32];

		if (planes[i].kind != OCLMM_PLANE_LOCAL)
			continue;
		snprintf(value, sizeof(value), "v%u", i);
		snprintf(instance, sizeof(instance), "i%u", i);
		oclmm_line(writer, "const uint %s = round * width + ((group + p.group_shift[%u]) & (p.groups - 1u))"
		           " * p.lanes + own_lane;\n", instance,
		           oclmm_local_owner(program, writer->plan, o->location));
		oclmm_line(writer, "const %s %s = (%s)(((local %s *)", bits, value, bits,
		           oclmm_value_type(l->type));
		oclmm_write_location(writer, o->location);
		oclmm_text_printf(writer->text, ")[own_lane * %uu + %uu]%s);\n", l->elements, o->element,
		                  o->type == OCLMM_TYPE_FLAG ? " != 0" : "");
		write_store_value(writer, &planes[i], i, value, instance);
	}
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

static void write_round(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->thread_count; i++)
		oclmm_line(writer, "const uint i_P%u = round * width + first_P%u;\n", program->threads[i].id,
		           program->threads[i].id);
	if (program->thread_count > 1)
		oclmm_line(writer, "const bool flip = ((place & p.flip_groups) != 0u) ^"
		           " ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);\n");
	for (uint32_t i = 0; i < program->thread_count; i++)
		write_state(writer, i);
	oclmm_text_add(writer->text, "\n");
	if (writer->plan->has_local)
		write_local_setup(writer);
	oclmm_line(writer, "if (p.polls != 0u && (round & p.poll_mask) == 0u) {\n");
	oclmm_line(writer, "\twanted += p.groups;\n");
	/* groups start one by one: the first meeting waits longer */
	oclmm_line(writer, "\tbudget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls,"
	           " budget);\n");
	oclmm_line(writer, "}\n");
	write_all_roles(writer);
	write_results(writer, planes);
	if (writer->plan->has_local)
		write_local_results(writer, planes);
}

void oclmm_write_test_kernel(struct oclmm_writer *writer)
{
	struct oclmm_plane *planes = oclmm_list_planes(writer);

	oclmm_text_add(writer->text, stress_functions);
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		oclmm_write_thread(writer, i);
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer);
	oclmm_line(writer, "for (; round < rounds; round++) {\n");
	writer->depth = 2;
	write_round(writer, planes);
	writer->depth = 1;
	oclmm_line(writer, "}\n");
	/* a device that cuts loops short, or drops work-items, shows here */
	oclmm_line(writer, "if (testing)\n\t\tplayed[place * p.lanes + own_lane] = round;\n");
	writer->depth = 0;
	oclmm_text_add(writer->text, "}\n");
	free(planes);
}
