// SPDX-License-Identifier: Apache-2.0
/*
 * Where a work-item stands: its place, its lane, the role that it plays where
 * roles are split, and the first instance of each role.
 */
#include "internal.h"

/* Row by row: OpenCL 1.x has no functions for that. */
static const char numbers[] =
	"\tconst uint team = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + "
	"get_num_groups(1) * get_group_id(2));\n"
	"\tconst uint member = get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
	"get_local_size(1) * get_local_id(2));\n"
	"\tconst uint turned = team + p.rotation;\n"
	"\tconst uint place = turned < p.all_groups ? turned : turned - p.all_groups;\n";

static void write_place(struct oclmm_writer *writer)
{
	oclmm_text_add(writer->text, numbers);
	if (!writer->plan->in_sub_groups) {
		oclmm_text_add(writer->text, "\tconst uint own_lane = member;\n"
		                             "\tconst bool testing = place < p.places;\n");
		return;
	}
	/* the work-items of another shape than the host thought stand aside, all of a group or
	 * none */
	oclmm_text_add(writer->text,
	               "\tconst uint sub_group = get_sub_group_id();\n"
	               "\tconst uint sub_lane = get_sub_group_local_id();\n"
	               "\tconst uint own_lane = sub_group * get_max_sub_group_size() + sub_lane;\n"
	               "\tconst bool testing = place < p.places && get_max_sub_group_size() == "
	               "p.sub_lanes &&\n"
	               "\t                     get_num_sub_groups() == p.sub_groups &&\n"
	               "\t                     p.sub_groups * p.sub_lanes == p.width;\n");
}

/* The role that stands in a position among those of a litmus work-group, or one that nobody
 * plays. */
static uint32_t role_at(const struct oclmm_writer *writer, uint32_t work_group, uint32_t position)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (oclmm_is_own(writer, i) && writer->plan->role_work_group[i] == work_group &&
		    position-- == 0)
			return i;
	return OCLMM_KERNEL_ROLES;
}

/*
 * A compiler that knew after a barrier what a condition was before it might
 * follow the two cases separately, each with a barrier of its own: PoCL 3.1
 * does, and then lets work-items pass that others still wait for.
 */
static void write_own_role(struct oclmm_writer *writer)
{
	const char *qualifier = writer->plan->has_barrier || writer->plan->has_local ? "volatile"
	                                                                             : "const";
	const struct oclmm_kernel_plan *plan = writer->plan;

	oclmm_line(writer, "%s uint own =", qualifier);
	for (uint32_t w = 0; w < plan->work_groups; w++) {
		oclmm_text_printf(writer->text, "\n\t\tpart == %uu ? (", w);
		for (uint32_t n = 0; n + 1 < plan->crowd; n++)
			oclmm_text_printf(writer->text, "share == %uu ? %uu : ", n,
			                  role_at(writer, w, n));
		oclmm_text_printf(writer->text, "%uu) :", role_at(writer, w, plan->crowd - 1));
	}
	oclmm_text_printf(writer->text, " %uu;\n", OCLMM_KERNEL_ROLES);
	if (writer->plan->has_local)
		oclmm_line(writer, "%s uint keeper = own_lane < p.lanes ? part : %uu;\n", qualifier,
		           OCLMM_KERNEL_ROLES);
}

/* `part`, the litmus work-group of the place, and `share`, the position of the lane's role in
 * it. */
static void write_split(struct oclmm_writer *writer)
{
	unsigned parts = writer->plan->work_groups, shares = writer->plan->crowd;

	oclmm_line(writer, "const uint part = p.split > 1u ? place %% %uu : place / p.groups;\n",
	           parts);
	oclmm_line(writer,
	           "const uint spot = p.split > 1u ? place / %uu : place - part * p.groups;\n",
	           parts);
	oclmm_line(writer,
	           "const uint share = p.split > 1u ? own_lane %% %uu : own_lane / p.lanes;\n",
	           shares);
	oclmm_line(
		writer,
		"const uint slice = p.split > 1u ? own_lane / %uu : own_lane - share * p.lanes;\n",
		shares);
	write_own_role(writer);
}

static void write_permutations(struct oclmm_writer *writer)
{
	const char *spot = writer->options.split ? "spot" : "place";
	const char *lane = writer->plan->in_sub_groups ? "sub_lane"
	                   : writer->options.split     ? "slice"
	                                               : "own_lane";

	if (writer->options.any_count) {
		oclmm_line(writer, "const uint lane = oclmm_turn(%s + p.lane_addend, p.%slanes);\n",
		           lane, writer->plan->in_sub_groups ? "sub_" : "");
		oclmm_line(
			writer,
			"const uint group = oclmm_modulo(%s * p.group_multiplier + p.group_addend,"
			" p.groups, p.groups_inverse);\n",
			spot);
		return;
	}
	oclmm_line(writer, "const uint lane = (%s + p.lane_addend) & (p.lanes - 1u);\n", lane);
	oclmm_line(writer, "const uint group = %s * (p.group_multiplier | 1u) + p.group_addend;\n",
	           spot);
}

void oclmm_write_group(struct oclmm_writer *writer, uint32_t work_group)
{
	if (writer->options.any_count)
		oclmm_text_printf(writer->text, "oclmm_turn(group + p.group_shift[%u], p.groups)",
		                  work_group);
	else
		oclmm_text_printf(writer->text, "((group + p.group_shift[%u]) & (p.groups - 1u))",
		                  work_group);
}

static void write_first(struct oclmm_writer *writer, uint32_t thread)
{
	unsigned id = writer->program->threads[thread].id;

	if (writer->plan->in_sub_groups)
		oclmm_line(writer,
		           "const uint lane_P%u = oclmm_turn(sub_group + p.sub_shift[%u], "
		           "p.sub_groups) *"
		           " p.sub_lanes + oclmm_turn(lane + p.lane_shift[%u], p.sub_lanes);\n",
		           id, thread, thread);
	else if (writer->options.any_count)
		oclmm_line(writer,
		           "const uint lane_P%u = oclmm_turn(lane + p.lane_shift[%u], p.lanes);\n",
		           id, thread);
	else
		oclmm_line(writer,
		           "const uint lane_P%u = (lane + p.lane_shift[%u]) & (p.lanes - 1u);\n",
		           id, thread);
	oclmm_line(writer, "const uint first_P%u = ", id);
	oclmm_write_group(writer, writer->plan->role_work_group[thread]);
	oclmm_text_printf(writer->text, " * p.lanes + lane_P%u;\n", id);
}

/*
 * One work-item of the launch adds to the ticket what no other text adds. That all groups ran,
 * once, is seen from what their work-items played: updates of one word by all groups would come one
 * after another, and keep the groups from meeting.
 */
static void write_ticket(struct oclmm_writer *writer)
{
	oclmm_text_printf(writer->text,
	                  "\tif (team == 0u && member == 0u)\n"
	                  "\t\tatomic_add(&counters[%u], (0x%08xu ^ (p.salt << 1)) | 2u);\n",
	                  writer->plan->outcomes + OCLMM_TICKET_TESTED,
	                  oclmm_kernel_mark(writer->program, &writer->options));
}

/*
 * In a kernel with barriers, PoCL makes each turn of a loop end with one more barrier if all
 * work-items surely take the same number of turns. Round this loop that took four fifths of all
 * that such a kernel costs to compile. So the number depends on the work-item, for a compiler that
 * does not know that no group has 2^31 of them.
 */
static void write_stress(struct oclmm_writer *writer)
{
	oclmm_text_add(writer->text,
	               "\toclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * "
	               "p.stress_stride,\n"
	               "\t             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), "
	               "p.stress_pattern);\n");
}

void oclmm_write_opening(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	oclmm_text_add(writer->text, "{\n");
	if (oclmm_has_generic(writer, OCLMM_SPACE_GLOBAL))
		oclmm_line(writer, "local ulong oclmm_elsewhere[1];\n");
	write_place(writer);
	if (writer->options.direct && !writer->options.sums)
		oclmm_write_seen(writer, buckets, "member", "p.width");
	if (writer->options.split)
		write_split(writer);
	write_permutations(writer);
	oclmm_text_add(writer->text, "\tconst uint rounds = testing ? p.rounds : 0u;\n"
	                             "\tconst uint width = p.groups * p.lanes;\n"
	                             "\tconst uint mask = width * p.rounds - 1u;\n"
	                             "\tuint budget = p.poll_budget;\n"
	                             "\tuint wanted = 0u;\n"
	                             "\tuint round = 0u;\n");
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			write_first(writer, i);
	oclmm_text_add(writer->text, "\n");
	if (writer->options.direct)
		oclmm_write_direct_opening(writer);
	if (writer->options.part == 0)
		write_ticket(writer);
	if (!writer->options.calm)
		write_stress(writer);
	oclmm_text_add(writer->text, "\n");
}
