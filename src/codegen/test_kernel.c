// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel that plays the roles. Every work-item plays every role, each for
 * another instance: role p of instance (G, L) runs at the place
 * G - group_shift[w(p)] and the lane L - lane_shift[p], so that the roles of
 * one litmus work-group meet in one work-group of the launch, and those of
 * different ones in different ones.
 */
#include "internal.h"

#include <stdlib.h>

static const char meet_function[] =
	"/* Waits a little for the same lane of the other places. Failing to meet is no error. */\n"
	"static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint "
	"budget)\n"
	"{\n"
	"\tatomic_inc(meeting);\n"
	"\tfor (uint n = 0u; n < polls && budget != 0u && *meeting < wanted; n++)\n"
	"\t\tbudget--;\n"
	"\treturn budget;\n"
	"}\n"
	"\n";

/* The same where others than one device's kernel come. */
static const char meet_all_function[] =
	"/* Waits a little for the others, on this device or not. Failing to meet is no error. */\n"
	"static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint "
	"budget)\n"
	"{\n"
	"\tvolatile global atomic_uint *met = (volatile global atomic_uint *)meeting;\n"
	"\n"
	"\tatomic_fetch_add_explicit(met, 1u, memory_order_relaxed, "
	"memory_scope_all_svm_devices);\n"
	"\tfor (uint n = 0u; n < polls && budget != 0u &&\n"
	"\t                 atomic_load_explicit(met, memory_order_relaxed, "
	"memory_scope_all_svm_devices) < wanted; n++)\n"
	"\t\tbudget--;\n"
	"\treturn budget;\n"
	"}\n"
	"\n";

static void write_object_type(struct oclmm_writer *writer, const struct oclmm_location *l)
{
	if (oclmm_location_is_image(l)) {
		oclmm_text_add(writer->text, "\t" OCLMM_IMAGE_SPELLING " ");
		return;
	}
	oclmm_text_printf(writer->text, "\t%s ", oclmm_space_spelling(l->space));
	oclmm_text_add(writer->text, oclmm_type_spelling(l->type, l->atomic));
	oclmm_text_add(writer->text, " *");
}

static void write_arguments(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	/* left to itself this compiler makes no vectors of such a kernel, in which alone
	 * neighbours come to an object at once */
	if (writer->options.split && writer->plan->alike)
		oclmm_text_add(writer->text, "#ifdef __has_attribute\n"
		                             "#if __has_attribute(intel_vec_len_hint)\n"
		                             "__attribute__((intel_vec_len_hint(8)))\n"
		                             "#endif\n"
		                             "#endif\n");
	oclmm_text_printf(writer->text, "kernel void oclmm_test%s", writer->suffix);
	if (writer->together && writer->options.part > 0)
		oclmm_text_printf(writer->text, "_%u", writer->options.part);
	oclmm_text_add(writer->text, "(\n");
	for (int local = 0; local <= 1; local++) {
		for (uint32_t i = 0; i < program->location_count; i++) {
			const struct oclmm_location *l = &program->locations[i];

			if ((l->space == OCLMM_SPACE_LOCAL) != local ||
			    l->storage == OCLMM_STORAGE_PROGRAM)
				continue;
			write_object_type(writer, l);
			oclmm_write_location(writer, i);
			oclmm_text_add(writer->text, ",\n");
		}
	}
	oclmm_text_printf(writer->text, "\tglobal uchar *codes,\n\tglobal %s *%s,\n",
	                  oclmm_unsigned_word(writer->plan->wide ? 64 : 32),
	                  writer->options.direct ? "raw" : "results");
	/* volatile, or compilers make vectors of the loop that clears them, at length */
	oclmm_text_add(writer->text, "\tvolatile global uint *counters,\n"
	                             "\tglobal uint *played,\n"
	                             "\tvolatile global uint *meeting,\n"
	                             "\tvolatile global uint *scratch,\n"
	                             "\tconst oclmm_parameters p)\n");
}

void oclmm_write_state(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	if (!oclmm_has_state(writer->program, t))
		return;
	oclmm_line(writer, "private struct P%u_registers%s r_P%u;\n", t->id, writer->suffix, t->id);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_line(writer, "r_P%u.", t->id);
		oclmm_write_register(writer, thread, i);
		oclmm_text_add(writer->text, " = ");
		oclmm_write_constant(writer->text, t->registers[i].type,
		                     oclmm_register_begins(writer, thread, i));
		oclmm_text_add(writer->text, ";\n");
	}
	if (oclmm_has_loop(t->body))
		oclmm_line(writer, "r_P%u.cut = 0u;\n", t->id);
}

/* Local objects live as long as the group: each lane sets up one slot for every round. */
static void write_local_setup(struct oclmm_writer *writer)
{
	if (writer->options.split)
		oclmm_open(writer, "if (keeper != %uu) {\n", OCLMM_KERNEL_ROLES);
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL)
			continue;
		for (uint32_t e = 0; e < l->elements; e++) {
			oclmm_line(writer, "((local %s *)", oclmm_type_spelling(l->type, false));
			oclmm_write_location(writer, i);
			oclmm_text_printf(writer->text, ")[own_lane * %uu + %uu] = ", l->elements,
			                  e);
			oclmm_write_constant(writer->text, l->type, l->initial ? l->initial[e] : 0);
			oclmm_text_add(writer->text, ";\n");
		}
	}
	if (writer->options.split)
		oclmm_close(writer);
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

/* Plays one segment of `n` roles, in an order that differs between groups, lanes and rounds. */
static void write_roles(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                        uint32_t segment)
{
	if (n == 1) {
		oclmm_write_play(writer, roles[0], segment);
		return;
	}
	if (n == 2) {
		oclmm_open(writer, "if (flip) {\n");
		oclmm_write_play(writer, roles[1], segment);
		oclmm_write_play(writer, roles[0], segment);
		oclmm_else(writer);
		oclmm_write_play(writer, roles[0], segment);
		oclmm_write_play(writer, roles[1], segment);
		oclmm_close(writer);
		return;
	}
	oclmm_open(writer, "for (uint n = 0u; n < %uu; n++) {\n", n);
	oclmm_line(writer, "switch (flip ? %uu - n : n) {\n", n - 1);
	for (uint32_t i = 0; i < n; i++) {
		oclmm_line(writer, "case %uu:\n", i);
		writer->depth++;
		oclmm_write_play(writer, roles[i], segment);
		oclmm_line(writer, "break;\n");
		writer->depth--;
	}
	oclmm_line(writer, "}\n");
	oclmm_close(writer);
}

/* Roles that stand at the same barrier. */
struct party {
	uint32_t roles[OCLMM_KERNEL_ROLES];
	uint32_t count;
	uint32_t segment; /* that they come to next */
};

/* Those of a party, behind `count` others. */
static uint32_t list_callers(const struct party *party, struct oclmm_caller *callers,
                             uint32_t count)
{
	for (uint32_t i = 0; i < party->count; i++)
		callers[count++] = (struct oclmm_caller){party->roles[i], party->segment - 1};
	return count;
}

/* What the roles of some parties stand at. */
static void write_meeting(struct oclmm_writer *writer, const struct party *parties, uint32_t count,
                          const struct oclmm_barrier *barrier)
{
	struct oclmm_caller callers[OCLMM_KERNEL_ROLES];
	uint32_t n = 0;

	if (!barrier->collective) {
		oclmm_write_barrier(writer, barrier);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		n = list_callers(&parties[i], callers, n);
	oclmm_write_collective(writer, callers, n);
}

/* Plays on to the next meeting of the whole work-group, which is returned, or to the end. */
static const struct oclmm_statement *write_phase(struct oclmm_writer *writer, struct party *party)
{
	const struct oclmm_thread *first = &writer->program->threads[party->roles[0]];

	for (;;) {
		const struct oclmm_statement *met;

		if (writer->options.split)
			oclmm_write_own(writer, party->roles, party->count, party->segment);
		else
			write_roles(writer, party->roles, party->count, party->segment);
		met = oclmm_nth_meeting(first, party->segment++);
		if (!met || met->kind != OCLMM_STATEMENT_BARRIER || !met->barrier.sub_group)
			return met;
		write_meeting(writer, party, 1, &met->barrier);
	}
}

/* Where a litmus work-group has barriers of sub-groups, each of these is a party; else it is one
 * itself. */
static uint32_t list_parties(const struct oclmm_writer *writer, uint32_t work_group,
                             struct party *parties)
{
	const struct oclmm_kernel_plan *plan = writer->plan;
	bool apart = false;
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->roles; i++)
		if (oclmm_is_own(writer, i) && plan->role_work_group[i] == work_group)
			apart |= oclmm_has_sub_group_barrier(&writer->program->threads[i]);
	for (uint32_t i = 0; i < plan->roles; i++) {
		uint32_t number = apart ? plan->role_sub_group[i] : 0;

		if (!oclmm_is_own(writer, i) || plan->role_work_group[i] != work_group)
			continue;
		for (; count <= number; count++)
			parties[count] = (struct party){.count = 0};
		parties[number].roles[parties[number].count++] = i;
	}
	return count;
}

/* Phase after phase, and between two of them the barrier that all roles of the group reach. */
static void write_work_group(struct oclmm_writer *writer, uint32_t work_group)
{
	struct party parties[OCLMM_KERNEL_ROLES];
	uint32_t count = list_parties(writer, work_group, parties);
	const struct oclmm_statement *met;

	do {
		met = NULL;
		for (uint32_t i = 0; i < count; i++) {
			const struct oclmm_statement *reached = write_phase(writer, &parties[i]);

			met = met ? met : reached;
		}
		if (met && met->kind == OCLMM_STATEMENT_BARRIER)
			write_meeting(writer, parties, count, &met->barrier);
		else if (met)
			oclmm_write_copy(writer, parties[0].roles[0], met);
	} while (met);
}

static void write_all_roles(struct oclmm_writer *writer)
{
	uint32_t roles[OCLMM_KERNEL_ROLES], count = 0;

	if (writer->plan->has_barrier) {
		for (uint32_t w = 0; w < writer->plan->work_groups; w++)
			write_work_group(writer, w);
		return;
	}
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			roles[count++] = i;
	if (writer->options.split)
		oclmm_write_own(writer, roles, count, 0);
	else
		write_roles(writer, roles, count, 0);
}

static void write_round(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			oclmm_line(writer, "const uint i_P%u = round * width + first_P%u;\n",
			           program->threads[i].id, program->threads[i].id);
	if (program->thread_count > 1 && !writer->options.split)
		oclmm_line(
			writer,
			"const bool flip = ((place & p.flip_groups) != 0u) ^"
			" ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);\n");
	/* never: no launch has that many rounds; but a compiler knows of neither number */
	if (oclmm_has_generic(writer, OCLMM_SPACE_GLOBAL) ||
	    oclmm_has_generic(writer, OCLMM_SPACE_LOCAL))
		oclmm_line(writer, "const bool elsewhere = round == ~p.split;\n");
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			oclmm_write_state(writer, i);
	oclmm_text_add(writer->text, "\n");
	if (writer->plan->has_local)
		write_local_setup(writer);
	oclmm_line(writer, "if (p.polls != 0u && (round & p.poll_mask) == 0u) {\n");
	oclmm_line(writer, "\twanted += p.parties;\n");
	/* groups start one by one: the first meeting waits longer */
	oclmm_line(writer, "\tbudget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget "
	                   "/ 2u : p.polls,"
	                   " budget);\n");
	oclmm_line(writer, "}\n");
	oclmm_write_events(writer);
	if (writer->options.split && writer->plan->alike)
		oclmm_write_own_instance(writer);
	write_all_roles(writer);
	oclmm_write_results(writer, planes);
	if (writer->plan->has_local)
		oclmm_write_local_results(writer, planes);
}

/* Of the global and the local size in each dimension. */
static const uint32_t shape_factors[3][2] = {{0x9e3779b1, 0x85ebca77},
                                             {0xc2b2ae3d, 0x27d4eb2f},
                                             {0x165667b1, 0x2545f491}};

uint32_t oclmm_launch_shape(const size_t global[3], const size_t local[3])
{
	uint32_t shape = 0;

	for (size_t i = 0; i < 3; i++)
		shape += (uint32_t)global[i] * shape_factors[i][0] +
		         (uint32_t)local[i] * shape_factors[i][1];
	return shape;
}

static void write_astray_function(struct oclmm_writer *writer)
{
	oclmm_text_add(writer->text,
	               "/* Whether a global id is not its group's and its place there, behind the "
	               "offset, or the\n"
	               " * sizes are not the launch's. */\n"
	               "static bool oclmm_astray(uint x, uint y, uint z, uint shape)\n"
	               "{\n");
	for (int i = 0; i < 3; i++)
		oclmm_text_printf(writer->text,
		                  "\tshape -= (uint)get_global_size(%d) * 0x%08xu + "
		                  "(uint)get_local_size(%d) * 0x%08xu;\n",
		                  i, shape_factors[i][0], i, shape_factors[i][1]);
	oclmm_text_add(
		writer->text,
		"\treturn (uint)get_global_id(0) != x + (uint)(get_group_id(0) * "
		"get_local_size(0) + get_local_id(0)) ||\n"
		"\t       (uint)get_global_id(1) != y + (uint)(get_group_id(1) * "
		"get_local_size(1) + get_local_id(1)) ||\n"
		"\t       (uint)get_global_id(2) != z + (uint)(get_group_id(2) * "
		"get_local_size(2) + get_local_id(2)) ||\n"
		"\t       (uint)get_global_offset(0) != x || (uint)get_global_offset(1) != y "
		"||\n"
		"\t       (uint)get_global_offset(2) != z || shape != 0u;\n"
		"}\n"
		"\n");
}

void oclmm_write_test_functions(struct oclmm_writer *writer)
{
	write_astray_function(writer);
	if (!writer->options.calm)
		oclmm_write_stress(writer);
	oclmm_text_add(writer->text,
	               oclmm_on_one_device(writer->plan) ? meet_function : meet_all_function);
	if (writer->options.sums)
		oclmm_write_add_function(writer, "_sum", "global");
	else if (writer->options.direct)
		oclmm_write_add_function(writer, "_local", "local");
}

/*
 * A device that cuts loops short, drops work-items or runs them twice, shows here, and one whose
 * global ids are not those of the launch: their rounds do not count. Who found a local object
 * unchanged says so in a bit of its own, for these rounds do count: what they saw may be forbidden.
 */
static void write_played(struct oclmm_writer *writer)
{
	oclmm_line(writer, "if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))\n");
	oclmm_line(writer, "\tround = p.rounds + 1u;\n");
	if (oclmm_has_local_looks(writer)) {
		oclmm_line(writer, "if (missed)\n");
		oclmm_line(writer, "\tround |= %s;\n", OCLMM_PLAYED_MISSED);
	}
	oclmm_line(writer, "if (testing)\n\t\t");
	if (writer->plan->children)
		oclmm_text_add(writer->text, "atomic_add((volatile global uint *)played + place * "
		                             "p.width + own_lane, round - started);\n");
	else if (writer->options.part > 0)
		oclmm_text_printf(
			writer->text,
			"played[place * p.width + own_lane] += (round ^ 0x%08xu) + p.salt;\n",
			oclmm_kernel_mark(writer->program, &writer->options));
	else
		oclmm_text_add(writer->text, "played[place * p.width + own_lane] += round;\n");
}

void oclmm_write_test_kernel(struct oclmm_writer *writer)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);

	oclmm_write_children(writer, planes);
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			oclmm_write_thread(writer, i);
	write_arguments(writer);
	writer->depth = 1;
	oclmm_write_opening(writer);
	if (writer->plan->children)
		oclmm_line(writer, "uint started = 0u;\n");
	if (oclmm_has_local_looks(writer))
		oclmm_line(writer, "bool missed = false;\n");
	oclmm_open(writer, "for (; round < rounds; round++) {\n");
	write_round(writer, planes);
	oclmm_close(writer);
	write_played(writer);
	if (writer->options.direct)
		oclmm_write_direct_sums(writer);
	writer->depth = 0;
	oclmm_text_add(writer->text, "}\n");
	free(planes);
}
