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

/* Whether the kernel that is written plays a role. */
static bool is_own(const struct oclmm_writer *writer, uint32_t role)
{
	if (writer->child || writer->plan->role_child[role])
		return writer->child == role + 1;
	return writer->plan->role_part[role] == writer->options.part;
}

/* The group of the instances that the place plays for a litmus work-group. */
static void write_group(const struct oclmm_writer *writer, uint32_t work_group)
{
	if (writer->options.any_count)
		oclmm_put(writer, "oclmm_turn(group + p.group_shift[%u], p.groups)", work_group);
	else
		oclmm_put(writer, "((group + p.group_shift[%u]) & (p.groups - 1u))", work_group);
}

/* ---- the head ---- */

static void write_object_type(struct oclmm_writer *writer, const struct oclmm_location *l)
{
	if (oclmm_location_is_image(l)) {
		oclmm_put(writer, "\t" OCLMM_IMAGE_SPELLING " ");
		return;
	}
	oclmm_put(writer, "\t%s ", oclmm_space_spelling(l->space));
	oclmm_text_add(writer->text, oclmm_type_spelling(l->type, l->atomic));
	oclmm_put(writer, " *");
}

static void write_arguments(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	/* by itself this compiler makes no vectors of such a kernel, and only in vectors do
	 * neighbours come to an object at once */
	if (writer->options.split && writer->plan->alike)
		oclmm_put(writer, "#ifdef __has_attribute\n"
		                  "#if __has_attribute(intel_vec_len_hint)\n"
		                  "__attribute__((intel_vec_len_hint(8)))\n"
		                  "#endif\n"
		                  "#endif\n");
	oclmm_put(writer, "kernel void oclmm_test%s", writer->suffix);
	if (writer->together && writer->options.part > 0)
		oclmm_put(writer, "_%u", writer->options.part);
	oclmm_put(writer, "(\n");
	for (int local = 0; local <= 1; local++) {
		for (uint32_t i = 0; i < program->location_count; i++) {
			const struct oclmm_location *l = &program->locations[i];

			if ((l->space == OCLMM_SPACE_LOCAL) != local ||
			    l->storage == OCLMM_STORAGE_PROGRAM)
				continue;
			write_object_type(writer, l);
			oclmm_write_location(writer, i);
			oclmm_put(writer, ",\n");
		}
	}
	oclmm_put(writer, "\tglobal uchar *codes,\n\tglobal %s *%s,\n",
	          oclmm_unsigned_word(writer->plan->wide ? 64 : 32),
	          writer->options.direct ? "raw" : "results");
	/* volatile, or compilers make vectors of the loop that clears them, at length */
	oclmm_put(writer, "\tvolatile global uint *counters,\n"
	                  "\tglobal uint *played,\n"
	                  "\tvolatile global uint *meeting,\n"
	                  "\tvolatile global uint *scratch,\n"
	                  "\tconst oclmm_parameters p)\n");
}

/* Whether a role of the kernel has a pointer without address space to an object of a region. */
static bool has_generic(const struct oclmm_writer *writer, enum oclmm_space space)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *t = &program->threads[i];

		for (uint32_t n = 0; n < t->parameter_count && is_own(writer, i); n++)
			if (t->parameters[n].generic &&
			    program->locations[t->parameters[n].location].space == space)
				return true;
	}
	return false;
}

/* ---- what shows that a role was not played ---- */

/*
 * A compiler that leaves a role out in some work-items may
 * leave nothing that the test forbids: registers keep their initial values, objects theirs.
 *
 * So a register that is certainly assigned begins with a value that no outcome has. And an object
 * that certainly gets another value than its initial one is looked at, in some launches, before the
 * counting kernel sets it up again.
 */

/* As small as the values of tests, so that it costs no more; every type but bool has them all. */
enum { FIRST_TRACE = 91, LAST_TRACE = 126 };

static bool has_value(const struct oclmm_outcome_domain *domain, int64_t value)
{
	for (uint32_t i = 0; i < domain->count; i++)
		if (domain->values[i] == value)
			return true;
	return false;
}

static int64_t find_trace(const struct oclmm_outcome_domain *domain, enum oclmm_type type,
                          int64_t initial)
{
	for (int64_t value = FIRST_TRACE; value <= LAST_TRACE; value++)
		if (!has_value(domain, value) && oclmm_value_wrap(type, value) == value)
			return value;
	return initial;
}

/* The value that a register begins with: one that no outcome has, where each execution assigns it
 * and it is observed. */
static int64_t register_begins(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg)
{
	const struct oclmm_program *program = writer->original;
	const struct oclmm_register *r = &writer->program->threads[thread].registers[reg];

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (o->is_register && o->thread == thread && o->reg == reg &&
		    oclmm_is_assigned(&program->threads[thread], reg))
			return find_trace(&writer->space->domains[i], r->type, r->initial);
	}
	return r->initial;
}

/* The first role that uses a local location; 0 when none does. */
static uint32_t local_owner(const struct oclmm_program *program, uint32_t location)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (oclmm_find_parameter(&program->threads[i], location))
			return i;
	return 0;
}

/* Whether a kernel that is written plays a role which has the location, of local memory, and each
 * execution changes an element. */
static bool is_looked_at(const struct oclmm_writer *writer, uint32_t location, uint32_t element)
{
	const struct oclmm_program *program = writer->program;

	return program->locations[location].space == OCLMM_SPACE_LOCAL &&
	       is_own(writer, local_owner(program, location)) &&
	       oclmm_is_changed(writer->original, location, element);
}

static bool has_local_looks(const struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++)
		for (uint32_t e = 0; e < writer->program->locations[i].elements; e++)
			if (is_looked_at(writer, i, e))
				return true;
	return false;
}

static void write_local_look(struct oclmm_writer *writer, uint32_t location, uint32_t element)
{
	const struct oclmm_location *l = &writer->program->locations[location];
	uint32_t user = local_owner(writer->program, location);

	oclmm_line(writer, "missed |= ");
	if (writer->options.split)
		oclmm_put(writer, "keeper == %uu && ", writer->plan->role_work_group[user]);
	oclmm_put(writer, "((local %s *)", oclmm_type_spelling(l->type, false));
	oclmm_write_location(writer, location);
	oclmm_put(writer, ")[own_lane * %uu + %uu] == ", l->elements, element);
	oclmm_write_constant(writer->text, l->type, l->initial[element]);
	oclmm_put(writer, ";\n");
}

static void write_local_looks(struct oclmm_writer *writer)
{
	if (!has_local_looks(writer))
		return;
	oclmm_open(writer, "if (p.looks) {\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++)
		for (uint32_t e = 0; e < writer->program->locations[i].elements; e++)
			if (is_looked_at(writer, i, e))
				write_local_look(writer, i, e);
	oclmm_close(writer);
}

/* ---- counting where one role observes everything ---- */

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
	if (oclmm_is_contiguous(domain)) {
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

/* `bucket`, from the values `v0`, `v1` … */
static void write_bucket(struct oclmm_writer *writer)
{
	const struct oclmm_outcome_space *space = writer->space;

	for (uint32_t i = 0; i < space->observable_count; i++)
		write_position(writer, &space->domains[i], i,
		               oclmm_type_observed_bits(writer->program->observables[i].type));
	oclmm_line(writer, "uint bucket = 0u");
	for (uint32_t i = 0; i < space->observable_count; i++)
		oclmm_put(writer, " + n%u * %uu", i, space->domains[i].stride);
	oclmm_put(writer, ";\n");
	oclmm_line(writer, "if (");
	for (uint32_t i = 0; i < space->observable_count; i++)
		oclmm_put(writer, "%sn%u == %uu", i ? " || " : "", i, space->domains[i].count);
	oclmm_put(writer, space->observable_count ? ")\n" : "false)\n");
	oclmm_line(writer, "\tbucket = %uu;\n", writer->plan->outcomes + OCLMM_BUCKET_OTHER);
}

/* Foreign values are counted where they are kept; only loops are cut. */
static bool is_tallied(const struct oclmm_writer *writer, uint32_t bucket)
{
	const struct oclmm_thread *thread = &writer->program->threads[writer->plan->direct_role];

	return bucket < writer->plan->outcomes ||
	       (bucket == writer->plan->outcomes + OCLMM_BUCKET_CUT &&
	        oclmm_has_loop(thread->body));
}

static void write_direct_opening(struct oclmm_writer *writer)
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

/* At the end of a round, with the observed values in `v0`, `v1` …. */
static void write_direct(struct oclmm_writer *writer)
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
	write_bucket(writer);
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

static void write_direct_sums(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	write_flush(writer);
	for (uint32_t b = 0; writer->options.sums && b < buckets; b++)
		if (is_tallied(writer, b))
			oclmm_line(writer, "oclmm_add_sum(counters + %u, sum%u);\n", b, b);
	if (!writer->options.sums)
		oclmm_write_sums(writer, buckets, "own_lane", "p.width");
}

/* ---- where a work-item stands ---- */

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
		oclmm_put(writer, "\tconst uint own_lane = member;\n"
		                  "\tconst bool testing = place < p.places;\n");
		return;
	}
	/* where the shape is not what the host expects the work-items do nothing, all of a group
	 * or none */
	oclmm_put(writer,
	          "\tconst uint sub_group = get_sub_group_id();\n"
	          "\tconst uint sub_lane = get_sub_group_local_id();\n"
	          "\tconst uint own_lane = sub_group * get_max_sub_group_size() + sub_lane;\n"
	          "\tconst bool testing = place < p.places && get_max_sub_group_size() == "
	          "p.sub_lanes &&\n"
	          "\t                     get_num_sub_groups() == p.sub_groups &&\n"
	          "\t                     p.sub_groups * p.sub_lanes == p.width;\n");
}

/* The role at a position among those of a litmus work-group, or one that is not played. */
static uint32_t role_at(const struct oclmm_writer *writer, uint32_t work_group, uint32_t position)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (is_own(writer, i) && writer->plan->role_work_group[i] == work_group &&
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
		oclmm_put(writer, "\n\t\tpart == %uu ? (", w);
		for (uint32_t n = 0; n + 1 < plan->crowd; n++)
			oclmm_put(writer, "share == %uu ? %uu : ", n, role_at(writer, w, n));
		oclmm_put(writer, "%uu) :", role_at(writer, w, plan->crowd - 1));
	}
	oclmm_put(writer, " %uu;\n", OCLMM_KERNEL_ROLES);
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
	write_group(writer, writer->plan->role_work_group[thread]);
	oclmm_put(writer, " * p.lanes + lane_P%u;\n", id);
}

/*
 * One work-item of the launch adds to the ticket what no other text adds. That all groups ran,
 * once, is seen from what their work-items played: updates of one word by all groups would come one
 * after another, and keep the groups from meeting.
 */
static void write_ticket(struct oclmm_writer *writer)
{
	oclmm_put(writer,
	          "\tif (team == 0u && member == 0u)\n"
	          "\t\t%s(&counters[%u], (0x%08xu ^ (p.salt << 1)) | 2u);\n",
	          oclmm_own_function(writer, OCLMM_OWN_ADD),
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
	oclmm_put(writer, "\toclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * "
	                  "p.stress_stride,\n"
	                  "\t             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), "
	                  "p.stress_pattern);\n");
}

static void write_opening(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	oclmm_put(writer, "{\n");
	if (has_generic(writer, OCLMM_SPACE_GLOBAL))
		oclmm_line(writer, "local ulong oclmm_elsewhere[1];\n");
	write_place(writer);
	if (writer->options.direct && !writer->options.sums)
		oclmm_write_seen(writer, buckets, "member", "p.width");
	if (writer->options.split)
		write_split(writer);
	write_permutations(writer);
	oclmm_put(writer, "\tconst uint rounds = testing ? p.rounds : 0u;\n"
	                  "\tconst uint width = p.groups * p.lanes;\n"
	                  "\tconst uint mask = width * p.rounds - 1u;\n"
	                  "\tuint budget = p.poll_budget;\n"
	                  "\tuint wanted = 0u;\n"
	                  "\tuint round = 0u;\n");
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (is_own(writer, i))
			write_first(writer, i);
	oclmm_put(writer, "\n");
	if (writer->options.direct)
		write_direct_opening(writer);
	if (writer->options.part == 0)
		write_ticket(writer);
	if (!writer->options.calm)
		write_stress(writer);
	oclmm_put(writer, "\n");
}

/* ---- the beginning of a round ---- */

static void write_state(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	if (!has_state(writer->program, t))
		return;
	oclmm_line(writer, "private struct P%u_registers%s r_P%u;\n", t->id, writer->suffix, t->id);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_line(writer, "r_P%u.", t->id);
		oclmm_write_register(writer, thread, i);
		oclmm_put(writer, " = ");
		oclmm_write_constant(writer->text, t->registers[i].type,
		                     register_begins(writer, thread, i));
		oclmm_put(writer, ";\n");
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
			oclmm_put(writer, ")[own_lane * %uu + %uu] = ", l->elements, e);
			oclmm_write_constant(writer->text, l->type, l->initial ? l->initial[e] : 0);
			oclmm_put(writer, ";\n");
		}
	}
	if (writer->options.split)
		oclmm_close(writer);
	oclmm_line(writer, "%s(CLK_LOCAL_MEM_FENCE);\n",
	           oclmm_own_function(writer, OCLMM_OWN_BARRIER));
}

/* ---- the call of a segment ---- */

/* `all_x`, where the objects of all instances are. */
static void write_lone_all(const struct oclmm_writer *writer, uint32_t location)
{
	oclmm_put(writer, "all_");
	oclmm_write_location(writer, location);
}

/* ` + i * stride` */
static void write_lone_slot(const struct oclmm_writer *writer, uint32_t location,
                            const char *instance)
{
	if (writer->lone->scatters)
		oclmm_put(writer, " + (%s * 0x%xu & (n - 1)) * e.stride", instance,
		          oclmm_lone_factor(location));
	else
		oclmm_put(writer, " + %s * e.stride", instance);
}

/*
 * Where compiling is most of a run no role computes where its objects are: that is known of round
 * 0, and each later round is a step further. For the compiler this is half of the multiplications,
 * and outside of the loop.
 */
bool oclmm_has_steps(const struct oclmm_writer *writer)
{
	return writer->options.calm && writer->options.any_count && !writer->options.split &&
	       !writer->lone;
}

/* What a work-item enqueues does not know its rounds. */
static bool has_steps(const struct oclmm_writer *writer)
{
	return oclmm_has_steps(writer) && !writer->plan->children;
}

static bool has_slot(const struct oclmm_writer *writer, uint32_t thread, uint32_t location)
{
	return writer->program->locations[location].space != OCLMM_SPACE_LOCAL &&
	       is_own(writer, thread) &&
	       oclmm_find_parameter(&writer->program->threads[thread], location);
}

/* `at0_P0`, of the round that comes; `step0` from one round to the next, and `left0`, which that is
 * short of all instances: no sum of two numbers needs more bits than these. */
static void write_first_slots(struct oclmm_writer *writer)
{
	static const char rest[] = "mask + 1u, p.instances_inverse);\n";
	const struct oclmm_program *program = writer->program;

	for (uint32_t l = 0; has_steps(writer) && l < program->location_count; l++) {
		bool used = false;

		for (uint32_t t = 0; t < program->thread_count; t++) {
			unsigned id = program->threads[t].id;

			if (!has_slot(writer, t, l))
				continue;
			used = true;
			oclmm_line(writer,
			           "uint at%u_P%u = oclmm_first(p.location[%u], first_P%u, %s", l,
			           id, l, id, rest);
		}
		if (!used)
			continue;
		oclmm_line(writer, "const uint step%u = oclmm_step(p.location[%u], width, %s", l, l,
		           rest);
		oclmm_line(writer, "const uint left%u = mask + 1u - step%u;\n", l, l);
	}
}

static void write_steps(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t l = 0; has_steps(writer) && l < program->location_count; l++)
		for (uint32_t t = 0; t < program->thread_count; t++) {
			unsigned id = program->threads[t].id;

			if (has_slot(writer, t, l))
				oclmm_line(writer,
				           "at%u_P%u = at%u_P%u < left%u ? at%u_P%u + step%u : "
				           "at%u_P%u - left%u;\n",
				           l, id, l, id, l, l, id, l, l, id, l);
		}
}

/* The object of the instance that the thread plays: a slot of the location's buffer, or of the
 * group. */
static void write_slot(const struct oclmm_writer *writer, const struct oclmm_parameter *parameter)
{
	uint32_t location = parameter->location;
	const struct oclmm_location *l = &writer->program->locations[location];
	char own[16] = "own";

	if (!writer->for_alike)
		snprintf(own, sizeof(own), "P%u", writer->program->threads[writer->thread].id);
	if (parameter->atomic != l->atomic) {
		oclmm_put(writer, "(%s ", oclmm_space_spelling(l->space));
		oclmm_text_add(writer->text, oclmm_type_spelling(l->type, parameter->atomic));
		oclmm_put(writer, " *)(");
	}
	if (writer->lone && l->storage != OCLMM_STORAGE_PROGRAM)
		write_lone_all(writer, location);
	else
		oclmm_write_slots(writer, location);
	if (writer->lone && l->space == OCLMM_SPACE_LOCAL)
		oclmm_put(writer, l->elements > 1 ? " + lane * %u" : " + lane", l->elements);
	else if (writer->lone)
		write_lone_slot(writer, location, "i");
	else if (l->space == OCLMM_SPACE_LOCAL)
		oclmm_put(writer, " + lane_%s * %uu", own, l->elements);
	else if (has_steps(writer))
		oclmm_put(writer, "%s(p.location[%u].base + at%u_%s * p.location[%u].stride)",
		          oclmm_location_is_image(l) ? ", (int)" : " + ", location, location, own,
		          location);
	else
		oclmm_put(writer, "%soclmm_slot(p.location[%u], i_%s, %s)",
		          oclmm_location_is_image(l) ? ", (int)" : " + ", location, own,
		          writer->options.any_count ? "mask + 1u, p.instances_inverse" : "mask");
	if (parameter->atomic != l->atomic)
		oclmm_put(writer, ")");
}

/*
 * A compiler that knows the region of a generic pointer uses the instructions of that region. So
 * the pointer comes from either region here, by a condition that is never true and that no
 * compiler knows.
 */
static void write_argument(const struct oclmm_writer *writer,
                           const struct oclmm_parameter *parameter)
{
	const struct oclmm_location *l = &writer->program->locations[parameter->location];
	const char *type = oclmm_type_spelling(l->type, parameter->atomic);
	bool local = l->space == OCLMM_SPACE_LOCAL;

	if (!parameter->generic) {
		write_slot(writer, parameter);
		return;
	}
	oclmm_put(writer, "elsewhere ? (%s *)(%s %s *)%s : (%s *)(", type,
	          local ? "global" : "local", type,
	          !local         ? "oclmm_elsewhere"
	          : writer->lone ? "out"
	                         : "codes",
	          type);
	write_slot(writer, parameter);
	oclmm_put(writer, ")");
}

/* The call that plays a segment for the instance `i_P…`. */
static void write_play(struct oclmm_writer *writer, uint32_t thread, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const char *comma = "";

	writer->thread = thread;
	oclmm_line(writer, "%s", "");
	oclmm_write_function_name(writer, thread, segment);
	oclmm_put(writer, "(");
	if (has_state(writer->program, t)) {
		oclmm_put(writer, "&r_P%u", t->id);
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_text_add(writer->text, comma);
		write_argument(writer, &t->parameters[i]);
		comma = ", ";
	}
	if (oclmm_enqueues(t))
		oclmm_put(writer,
		          "%scodes, results, played + place * p.width + own_lane, mask, p.salt, "
		          "i_P%u, &started",
		          comma, t->id);
	/* behind the registers that a thread with a loop has */
	if (tells_of_waits(writer, thread))
		oclmm_put(writer, ", &waits");
	oclmm_put(writer, ");\n");
}

/* Plays one segment of `n` roles, in an order that differs between groups, lanes and rounds. */
static void write_shuffled(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                           uint32_t segment)
{
	if (n == 1) {
		write_play(writer, roles[0], segment);
		return;
	}
	if (n == 2) {
		oclmm_open(writer, "if (flip) {\n");
		write_play(writer, roles[1], segment);
		write_play(writer, roles[0], segment);
		oclmm_else(writer);
		write_play(writer, roles[0], segment);
		write_play(writer, roles[1], segment);
		oclmm_close(writer);
		return;
	}
	oclmm_open(writer, "for (uint n = 0u; n < %uu; n++) {\n", n);
	oclmm_line(writer, "switch (flip ? %uu - n : n) {\n", n - 1);
	for (uint32_t i = 0; i < n; i++) {
		oclmm_line(writer, "case %uu:\n", i);
		writer->depth++;
		write_play(writer, roles[i], segment);
		oclmm_line(writer, "break;\n");
		writer->depth--;
	}
	oclmm_line(writer, "}\n");
	oclmm_close(writer);
}

/* ---- where each work-item plays one role ---- */

/* `i_own` and `lane_own`: the instance and the lane of whatever role a work-item plays. */
static void write_own_instance(struct oclmm_writer *writer)
{
	static const char *const names[] = {"i", "lane"};

	for (size_t k = 0; k < (writer->plan->has_local ? 2 : 1); k++) {
		oclmm_line(writer, "const uint %s_own = ", names[k]);
		for (uint32_t i = 0; i < writer->program->thread_count; i++)
			if (is_own(writer, i))
				oclmm_put(writer, "own == %uu ? %s_P%u : ", i, names[k],
				          writer->program->threads[i].id);
		oclmm_put(writer, "0u;\n");
	}
}

/* The registers of a role become those of another one, which is like it and which a work-item
 * plays as its own. */
static void write_handing_over(struct oclmm_writer *writer, uint32_t own, uint32_t from,
                               uint32_t to)
{
	const struct oclmm_thread *t = &writer->program->threads[from];
	unsigned ids[] = {t->id, writer->program->threads[to].id};

	if (!has_state(writer->program, t))
		return;
	oclmm_open(writer, "if (own == %uu) {\n", own);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_line(writer, "r_P%u.", ids[1]);
		oclmm_write_register(writer, to, i);
		oclmm_put(writer, " = r_P%u.", ids[0]);
		oclmm_write_register(writer, from, i);
		oclmm_put(writer, ";\n");
	}
	if (oclmm_has_loop(t->body))
		oclmm_line(writer, "r_P%u.cut = r_P%u.cut;\n", ids[1], ids[0]);
	oclmm_close(writer);
}

static void write_handing_all(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                              uint32_t first, bool back)
{
	for (uint32_t i = 0; i < n; i++)
		if (writer->plan->role_alike[roles[i]] == first && roles[i] != first)
			write_handing_over(writer, roles[i], back ? first : roles[i],
			                   back ? roles[i] : first);
}

/*
 * Roles that are alike are one call: work-items of an instance may come to an object by one and the
 * same instruction, which a compiler or a processor may take apart into less than they are.
 */
static void write_alike(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                        uint32_t first)
{
	const uint32_t *alike = writer->plan->role_alike;
	const char *separator = "";

	oclmm_line(writer, "if (");
	for (uint32_t i = 0; i < n; i++)
		if (alike[roles[i]] == first) {
			oclmm_put(writer, "%sown == %uu", separator, roles[i]);
			separator = " || ";
		}
	oclmm_put(writer, ") {\n");
	writer->depth++;
	write_handing_all(writer, roles, n, first, false);
	writer->for_alike = true;
	write_play(writer, first, 0);
	writer->for_alike = false;
	write_handing_all(writer, roles, n, first, true);
	oclmm_close(writer);
}

/* Whether all threads of the kernel that have the location have it alike. */
static bool is_common(const struct oclmm_writer *writer, uint32_t location)
{
	const struct oclmm_parameter *first = NULL;

	for (uint32_t i = 0; i < writer->plan->roles; i++) {
		const struct oclmm_parameter *p = oclmm_find_parameter(&writer->program->threads[i],
		                                                       location);

		if (!is_own(writer, i) || !p)
			continue;
		first = first ? first : p;
		if (p->atomic != first->atomic || p->generic != first->generic ||
		    p->is_volatile != first->is_volatile)
			return false;
	}
	return true;
}

static void write_lone_object(struct oclmm_writer *writer, const struct oclmm_parameter *p)
{
	const struct oclmm_location *l = &writer->program->locations[p->location];

	if (oclmm_location_is_image(l)) {
		oclmm_line(writer, "const int ");
		oclmm_write_object(writer, WRITE_PIXEL, p->location);
		oclmm_put(writer, " = (int)(0");
		write_lone_slot(writer, p->location, "i");
		oclmm_put(writer, ");\n");
		return;
	}
	oclmm_line(writer, "%s%s%s%s *", p->is_volatile ? "volatile " : "",
	           p->generic ? "" : oclmm_space_spelling(l->space), p->generic ? "" : " ",
	           oclmm_type_spelling(l->type, p->atomic));
	oclmm_write_location(writer, p->location);
	oclmm_put(writer, " = ");
	write_argument(writer, p);
	oclmm_put(writer, ";\n");
}

/* The objects of the instance, by the names that the statements of a thread have for them: those
 * that its kernel has in common with others, or its own. */
static void write_lone_objects(struct oclmm_writer *writer, uint32_t thread, bool common)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	writer->thread = thread;
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		uint32_t location = t->parameters[i].location;
		bool first = true;

		for (uint32_t k = 0; k < thread && common; k++)
			first &= !is_own(writer, k) ||
			         !oclmm_find_parameter(&writer->program->threads[k], location);
		if (is_common(writer, location) == common && first)
			write_lone_object(writer, &t->parameters[i]);
	}
}

/* Whether a segment is one plain statement, whose objects stand above. */
static bool is_lone(const struct oclmm_writer *writer, uint32_t role, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[role];
	const struct oclmm_statement *s = t->body;

	for (uint32_t i = 0; i < t->parameter_count; i++)
		if (!is_common(writer, t->parameters[i].location))
			return false;
	for (; segment > 0; segment -= is_meeting(s), s = s->next)
		;
	return (!s->next || is_meeting(s->next)) &&
	       (s->kind == OCLMM_STATEMENT_STORE || s->kind == OCLMM_STATEMENT_EVALUATE ||
	        (s->kind == OCLMM_STATEMENT_ASSIGN && !s->assign.collective));
}

/* Of a thread that meets others its statements from one meeting to the next. */
static void write_lone_segment(struct oclmm_writer *writer, uint32_t role, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[role];

	bool lone;

	if (oclmm_is_segment_empty(t, segment))
		return;
	lone = is_lone(writer, role, segment);
	oclmm_line(writer, "if (own == %u", role);
	if (segment > 0 && oclmm_has_loop(t->body))
		oclmm_put(writer, " && !cut_P%u", t->id);
	oclmm_put(writer, lone ? ") /* P%u */\n" : ") { /* P%u */\n", t->id);
	writer->depth++;
	if (!lone)
		write_lone_objects(writer, role, false);
	oclmm_write_inlined(writer, role, segment);
	writer->depth--;
	if (!lone)
		oclmm_line(writer, "}\n");
}

/* A segment of some roles, by the work-items whose own they are; barriers stand outside, for all.
 */
static void write_own(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                      uint32_t segment)
{
	const uint32_t *alike = writer->plan->role_alike;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t others = 0;

		for (uint32_t k = 0; k < n; k++)
			others += k != i && alike[roles[k]] == alike[roles[i]];
		if (!writer->lone && alike[roles[i]] != roles[i])
			continue;
		if (!writer->lone && others > 0) {
			write_alike(writer, roles, n, roles[i]);
			continue;
		}
		if (writer->lone) {
			write_lone_segment(writer, roles[i], segment);
			continue;
		}
		oclmm_line(writer, "if (own == %uu)\n", roles[i]);
		writer->depth++;
		write_play(writer, roles[i], segment);
		writer->depth--;
	}
}

/* ---- barriers and collective functions ---- */

/* NULL: it comes to no more than `n`. */
static const struct oclmm_statement *nth_meeting(const struct oclmm_thread *thread, uint32_t n)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (is_meeting(s) && n-- == 0)
			return s;
	return NULL;
}

/* `barrier` takes no scope; where one was written it is work_group_barrier (C:6.15.8). */
static void write_barrier(const struct oclmm_writer *writer, const struct oclmm_barrier *barrier)
{
	bool renamed = barrier->scope_written && !barrier->sub_group &&
	               barrier->part == OCLMM_BARRIER_WHOLE;

	oclmm_line(writer, "%s%s(", barrier->wrong ? "oclmm_wrong_barrier(" : "",
	           renamed ? "work_group_barrier" : barrier->spelling);
	oclmm_text_add(writer->text, oclmm_flags_spelling(barrier->flags));
	if (barrier->scope_written)
		oclmm_put(writer, ", %s", oclmm_scope_spelling(barrier->scope));
	oclmm_put(writer, barrier->wrong ? "));\n" : ");\n");
}

/* A role, and how many meetings it has come by. */
struct caller {
	uint32_t role, segment;
};

/*
 * Collective functions. All work-items of a work-group of the launch call, and
 * they play many instances: what each passes is what some thread of the test
 * passes, so that all get what the threads would get among themselves. Where a
 * work-item plays all roles the first one passes what they make together.
 */

static const struct oclmm_barrier *call_of(const struct oclmm_writer *writer,
                                           const struct caller *caller)
{
	const struct oclmm_thread *thread = &writer->program->threads[caller->role];

	return &nth_meeting(thread, caller->segment)->barrier;
}

/* What changes no result. */
static const char *neutral(enum oclmm_collective collective)
{
	switch (collective) {
	case OCLMM_COLLECTIVE_ALL: return "1";
	case OCLMM_COLLECTIVE_REDUCE_MIN: return "INT_MAX";
	case OCLMM_COLLECTIVE_REDUCE_MAX: return "INT_MIN";
	default: return "0";
	}
}

static void write_operand(const struct oclmm_writer *writer, const struct caller *callers,
                          uint32_t count)
{
	const struct oclmm_barrier *first = call_of(writer, callers);
	const char *number = first->sub_group ? "get_sub_group_local_id()"
	                     : writer->lone   ? "get_local_id(0)"
	                                      : "member";

	if (!writer->options.split) {
		oclmm_put(writer, "%s == 0u ? ", number);
		oclmm_write_constant(writer->text, OCLMM_TYPE_INT, first->result);
		oclmm_put(writer, " : ");
	}
	for (uint32_t i = 0; i < count; i++) {
		if (writer->options.split)
			oclmm_put(writer, "own == %uu ? ", callers[i].role);
		else if (i + 1 < count)
			oclmm_put(writer, "%s %% %uu == %uu ? ", number, count, i);
		oclmm_write_constant(writer->text, OCLMM_TYPE_INT,
		                     call_of(writer, &callers[i])->operand);
		if (writer->options.split || i + 1 < count)
			oclmm_put(writer, " : ");
	}
	if (writer->options.split)
		oclmm_text_add(writer->text, neutral(first->collective));
}

static void write_given(const struct oclmm_writer *writer, const struct caller *callers,
                        uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_barrier *call = call_of(writer, &callers[i]);

		if (!call->assigns)
			continue;
		if (writer->options.split)
			oclmm_line(writer, "if (own == %uu)\n\t", callers[i].role);
		oclmm_line(writer, "%s", "");
		if (writer->lone) {
			oclmm_write_inlined_register(writer, callers[i].role, call->reg);
		} else {
			oclmm_put(writer, "r_P%u.", writer->program->threads[callers[i].role].id);
			oclmm_write_register(writer, callers[i].role, call->reg);
		}
		oclmm_put(writer, " = given;\n");
	}
}

/* Any number but 0 is true (C:6.15.16). */
static bool is_truth(enum oclmm_collective collective)
{
	return collective == OCLMM_COLLECTIVE_ANY || collective == OCLMM_COLLECTIVE_ALL;
}

/* The call of all roles of a group, and the registers that take what it gives. */
static void write_collective(struct oclmm_writer *writer, const struct caller *callers,
                             uint32_t count)
{
	const struct oclmm_barrier *first = call_of(writer, callers);

	oclmm_open(writer, "{\n");
	oclmm_line(writer, "const int given = %s(", first->spelling);
	write_operand(writer, callers, count);
	oclmm_text_add(writer->text, is_truth(first->collective) ? ") != 0;\n" : ");\n");
	write_given(writer, callers, count);
	oclmm_close(writer);
}

/* ---- copies ---- */

/*
 * Copies that a litmus work-group makes. A work-group of the launch plays one
 * of them for each lane, and all of its work-items make all of their copies,
 * one after the other, with one event: the wait is for all at once.
 */

static void write_event(const struct oclmm_writer *writer, uint32_t thread, uint32_t event)
{
	oclmm_put(writer, "e%u_%u", writer->plan->role_work_group[thread], event);
}

/* Whether it is the first one of its litmus work-group, whose copies are alike. */
static bool is_first_of_group(const struct oclmm_writer *writer, uint32_t thread)
{
	for (uint32_t i = 0; i < thread; i++)
		if (oclmm_roles_together(writer->plan, i, thread))
			return false;
	return is_own(writer, thread);
}

/* The event variables of a litmus work-group's copies, once each round. */
static void write_events(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		for (uint32_t e = 0;
		     is_first_of_group(writer, i) && e < writer->program->threads[i].event_count;
		     e++) {
			oclmm_line(writer, "event_t ");
			write_event(writer, i, e);
			oclmm_put(writer, " = 0;\n");
		}
}

/* `(global int *)at_x + oclmm_slot(p.location[0], i, mask) + 1u` */
static void write_end(const struct oclmm_writer *writer, const struct oclmm_copy *copy,
                      const struct oclmm_place *end)
{
	const struct oclmm_location *l = &writer->program->locations[end->location];

	oclmm_put(writer, "(%s %s *)", oclmm_space_spelling(l->space),
	          oclmm_type_spelling(l->type, false));
	if (writer->lone && l->storage != OCLMM_STORAGE_PROGRAM)
		write_lone_all(writer, end->location);
	else
		oclmm_write_slots(writer, end->location);
	if (l->space == OCLMM_SPACE_LOCAL)
		oclmm_put(writer, " + %s * %uu", writer->lone ? "turn" : "n", l->elements);
	else if (writer->lone)
		write_lone_slot(writer, end->location, "(first + turn)");
	else
		oclmm_put(writer, " + oclmm_slot(p.location[%u], first + n, %s)", end->location,
		          writer->options.any_count ? "mask + 1u, p.instances_inverse" : "mask");
	oclmm_put(writer, " + %uu", oclmm_copy_element(writer->program, copy, end, 0));
}

/* For the instances of all lanes. */
static void write_copies(struct oclmm_writer *writer, uint32_t thread,
                         const struct oclmm_copy *copy)
{
	if (writer->lone) {
		oclmm_line(writer, "for (uint turn = 0, first = (round * e.pairs + pair) * lanes;"
		                   " turn < lanes; turn++)\n");
	} else {
		oclmm_line(writer, "for (uint n = 0u, first = round * width + ");
		write_group(writer, writer->plan->role_work_group[thread]);
		oclmm_put(writer, " * p.lanes; n < p.lanes; n++)\n");
	}
	oclmm_line(writer, "\t");
	write_event(writer, thread, copy->event);
	oclmm_put(writer, " = %s(", copy->spelling);
	write_end(writer, copy, &copy->to);
	oclmm_put(writer, ", ");
	write_end(writer, copy, &copy->from);
	oclmm_put(writer, ", %u, ", copy->count);
	if (copy->strided)
		oclmm_put(writer, "%u, ", copy->stride);
	write_event(writer, thread, copy->event);
	oclmm_put(writer, ");\n");
}

/* A copy of the work-group of `thread` for each lane's instance, or the wait for them. */
static void write_copy(struct oclmm_writer *writer, uint32_t thread,
                       const struct oclmm_statement *s)
{
	if (writer->options.split)
		oclmm_open(writer, "if (part == %uu) {\n", writer->plan->role_work_group[thread]);
	if (s->kind == OCLMM_STATEMENT_COPY) {
		write_copies(writer, thread, &s->copy);
	} else {
		oclmm_line(writer, "wait_group_events(1, &");
		write_event(writer, thread, s->wait.event);
		oclmm_put(writer, ");\n");
	}
	if (writer->options.split)
		oclmm_close(writer);
}

/* ---- from meeting to meeting ---- */

/* Roles that stand at the same barrier. */
struct party {
	uint32_t roles[OCLMM_KERNEL_ROLES];
	uint32_t count;
	uint32_t segment; /* that they come to next */
};

/* What the roles of some parties stand at. */
static void write_meeting(struct oclmm_writer *writer, const struct party *parties, uint32_t count,
                          const struct oclmm_barrier *barrier)
{
	struct caller callers[OCLMM_KERNEL_ROLES] = {{0}};
	uint32_t n = 0;

	if (!barrier->collective) {
		write_barrier(writer, barrier);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < parties[i].count; k++)
			callers[n++] = (struct caller){parties[i].roles[k], parties[i].segment - 1};
	write_collective(writer, callers, n);
}

/* Plays on to the next meeting of the whole work-group, which is returned, or to the end. */
static const struct oclmm_statement *write_phase(struct oclmm_writer *writer, struct party *party)
{
	const struct oclmm_thread *first = &writer->program->threads[party->roles[0]];

	for (;;) {
		const struct oclmm_statement *met;

		if (writer->options.split)
			write_own(writer, party->roles, party->count, party->segment);
		else
			write_shuffled(writer, party->roles, party->count, party->segment);
		met = nth_meeting(first, party->segment++);
		if (!met || !is_of_sub_group(met))
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
	const struct oclmm_statement *s;
	bool apart = false;
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->roles; i++)
		if (is_own(writer, i) && plan->role_work_group[i] == work_group)
			for (s = writer->program->threads[i].body; s; s = s->next)
				apart |= is_of_sub_group(s);
	for (uint32_t i = 0; i < plan->roles; i++) {
		uint32_t number = apart ? plan->role_sub_group[i] : 0;

		if (!is_own(writer, i) || plan->role_work_group[i] != work_group)
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
			write_copy(writer, parties[0].roles[0], met);
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
		if (is_own(writer, i))
			roles[count++] = i;
	if (writer->options.split)
		write_own(writer, roles, count, 0);
	else
		write_shuffled(writer, roles, count, 0);
}

/* A round of all roles of the kernel, from its copies' events to the last segment. */
static void write_roles(struct oclmm_writer *writer)
{
	write_events(writer);
	if (writer->options.split && writer->plan->alike && !writer->lone)
		write_own_instance(writer);
	write_all_roles(writer);
}

/* ---- what is stored for the counting kernel ---- */

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
static void write_cut_value(const struct oclmm_writer *writer, uint32_t thread, char *value,
                            size_t size)
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

	if (plane->kind == OCLMM_PLANE_LOCAL || !is_own(writer, plane->thread))
		return;
	snprintf(instance, sizeof(instance), "i_P%u", id);
	snprintf(value, sizeof(value), "v%u", number);
	if (plane->kind == OCLMM_PLANE_CUT)
		write_cut_value(writer, plane->thread, value, sizeof(value));
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

	if (plane->kind != OCLMM_PLANE_REGISTER || !is_own(writer, plane->thread))
		return;
	oclmm_line(writer, "const %s v%u = (%s)%sr_P%u.", bits, number, bits,
	           oclmm_observe_opening(o->type), writer->program->threads[plane->thread].id);
	oclmm_write_register(writer, plane->thread, o->reg);
	oclmm_put(writer, "%s;\n", oclmm_observe_closing(o->type));
}

static void write_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < writer->plan->planes; i++)
		n += planes[i].kind != OCLMM_PLANE_LOCAL &&
		     !writer->plan->role_child[planes[i].thread];
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		write_observed(writer, &planes[i], i);
	if (writer->options.direct) {
		write_direct(writer);
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
	uint32_t user = local_owner(program, o->location);
	uint32_t owner = writer->plan->role_work_group[user];
	bool plain = !*oclmm_observe_opening(o->type);
	char value[32], instance[32];

	if (!is_own(writer, user))
		return;
	snprintf(value, sizeof(value), "v%u", number);
	snprintf(instance, sizeof(instance), "i%u", number);
	if (writer->options.split)
		oclmm_open(writer, "if (keeper == %uu) {\n", owner);
	oclmm_line(writer, "const uint %s = round * width + ", instance);
	write_group(writer, owner);
	oclmm_put(writer, " * p.lanes + own_lane;\n");
	oclmm_line(writer, "const %s %s = (%s)%s((local %s *)", bits, value, bits,
	           plain ? "(" : oclmm_observe_opening(o->type),
	           oclmm_type_spelling(l->type, false));
	oclmm_write_location(writer, o->location);
	oclmm_put(writer, ")[own_lane * %uu + %uu]%s;\n", l->elements, o->element,
	          plain ? ")" : oclmm_observe_closing(o->type));
	write_store_value(writer, plane, number, value, instance);
	if (writer->options.split)
		oclmm_close(writer);
}

/* After all roles of the round: each lane reads the slot of the instance that has its own
 * number. */
static void write_local_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	oclmm_line(writer, "%s(CLK_LOCAL_MEM_FENCE);\n",
	           oclmm_own_function(writer, OCLMM_OWN_BARRIER));
	write_local_looks(writer);
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		if (planes[i].kind == OCLMM_PLANE_LOCAL)
			write_local_result(writer, &planes[i], i);
	oclmm_line(writer, "%s(CLK_LOCAL_MEM_FENCE);\n",
	           oclmm_own_function(writer, OCLMM_OWN_BARRIER));
}

/* ---- child kernels ---- */

static void write_body(struct oclmm_writer *writer, uint32_t thread,
                       const struct oclmm_plane *planes)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	write_state(writer, thread);
	oclmm_line(writer, "P%u%s(", t->id, writer->suffix);
	if (has_state(writer->program, t))
		oclmm_put(writer, "&r_P%u", t->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		if (i || has_state(writer->program, t))
			oclmm_put(writer, ", ");
		oclmm_write_location(writer, t->parameters[i].location);
	}
	oclmm_put(writer, ");\n");
	for (uint32_t i = 0; i < writer->plan->planes; i++) {
		write_observed(writer, &planes[i], i);
		write_store_plane(writer, &planes[i], i);
	}
	oclmm_line(writer, "%s(played);\n", oclmm_own_function(writer, OCLMM_OWN_INC));
}

static void write_child(struct oclmm_writer *writer, uint32_t thread,
                        const struct oclmm_plane *planes)
{
	struct oclmm_writer own = *writer;

	own.child = thread + 1;
	own.thread = thread;
	own.options.split = false;
	oclmm_write_thread(&own, thread);
	own.depth = 1;
	write_body(&own, thread, planes);
	oclmm_text_add(own.text, "}\n\n");
}

static void write_children(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (writer->plan->role_child[i])
			write_child(writer, i, planes);
}

/* ---- the kernel ---- */

static void write_round(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	const struct oclmm_program *program = writer->program;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (is_own(writer, i))
			oclmm_line(writer, "const uint i_P%u = round * width + first_P%u;\n",
			           program->threads[i].id, program->threads[i].id);
	if (program->thread_count > 1 && !writer->options.split)
		oclmm_line(
			writer,
			"const bool flip = ((place & p.flip_groups) != 0u) ^"
			" ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);\n");
	/* never true: no launch has that many rounds, but a compiler knows neither number */
	if (has_generic(writer, OCLMM_SPACE_GLOBAL) || has_generic(writer, OCLMM_SPACE_LOCAL))
		oclmm_line(writer, "const bool elsewhere = round == ~p.split;\n");
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (is_own(writer, i))
			write_state(writer, i);
	oclmm_put(writer, "\n");
	if (writer->plan->has_local)
		write_local_setup(writer);
	oclmm_line(writer, "if (p.polls != 0u && (round & p.poll_mask) == 0u) {\n");
	oclmm_line(writer, "\twanted += p.parties;\n");
	/* groups start one after another: the first rendezvous waits longer */
	oclmm_line(writer, "\tbudget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget "
	                   "/ 2u : p.polls,"
	                   " budget);\n");
	oclmm_line(writer, "}\n");
	write_roles(writer);
	write_results(writer, planes);
	if (writer->plan->has_local)
		write_local_results(writer, planes);
}

/*
 * This shows a device that cuts loops short, drops work-items, runs them twice, or has global ids
 * that are not those of the launch: their rounds do not count. A work-item that found a local
 * object unchanged says so in a bit of its own, for its rounds do count: what they saw may be
 * forbidden.
 */
static void write_played(struct oclmm_writer *writer)
{
	bool bytes = writer->options.part == 0 && oclmm_has_played_bytes(writer);

	oclmm_line(writer, "if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))\n");
	oclmm_line(writer, "\tround = p.rounds + 1u;\n");
	if (has_local_looks(writer)) {
		oclmm_line(writer, "if (missed)\n");
		oclmm_line(writer, "\tround |= %s;\n", OCLMM_PLAYED_MISSED);
	}
	if (bytes) {
		oclmm_line(writer, "if (testing && %s)\n", OCLMM_PLAYED_BYTES);
		oclmm_line(writer,
		           "\t((global uchar *)played)[place * p.width + own_lane] += (uchar)%s;\n",
		           has_local_looks(writer) ? "(round | round >> 24)" : "round");
	}
	oclmm_line(writer, bytes ? "else if (testing)\n\t\t" : "if (testing)\n\t\t");
	if (writer->plan->children)
		oclmm_put(writer,
		          "%s((volatile global uint *)played + place * "
		          "p.width + own_lane, round - started);\n",
		          oclmm_own_function(writer, OCLMM_OWN_ADD));
	else if (writer->options.part > 0)
		oclmm_put(writer,
		          "played[place * p.width + own_lane] += (round ^ 0x%08xu) + p.salt;\n",
		          oclmm_kernel_mark(writer->program, &writer->options));
	else
		oclmm_put(writer, "played[place * p.width + own_lane] += round;\n");
}

static bool has_waits(const struct oclmm_writer *writer)
{
	return writer->options.waits && writer->plan->waits;
}

static void write_waits(const struct oclmm_writer *writer)
{
	if (!has_waits(writer))
		return;
	oclmm_put(writer,
	          "struct oclmm_waits%s {\n"
	          "\tuint patience; /* turns behind its bound that a wait has */\n"
	          "\tuint budget; /* that are left in this launch */\n"
	          "\tuint opaque; /* 1: waits load by addresses of which nothing is known */\n"
	          "\tuint nothing; /* 0, which no compiler knows */\n"
	          "\tuint late; /* waits that ended behind their bound */\n"
	          "\tuint stuck; /* that did not, although they would have ended by a new look "
	          "*/\n"
	          "};\n\n",
	          writer->suffix);
}

static void write_told_waits(const struct oclmm_writer *writer)
{
	static const struct {
		const char *name;
		uint32_t bucket;
	} told[] = {{"late", OCLMM_BUCKET_LATE}, {"stuck", OCLMM_BUCKET_STUCK}};

	for (size_t i = 0; has_waits(writer) && i < OCLMM_COUNT(told); i++) {
		oclmm_line(writer, "if (waits.%s != 0u)\n", told[i].name);
		oclmm_line(writer, "\t%s(&counters[%u], waits.%s);\n",
		           oclmm_own_function(writer, OCLMM_OWN_ADD),
		           writer->plan->outcomes + told[i].bucket, told[i].name);
	}
}

void oclmm_write_test_kernel(struct oclmm_writer *writer)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);

	write_children(writer, planes);
	write_waits(writer);
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (is_own(writer, i))
			oclmm_write_thread(writer, i);
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer);
	if (writer->plan->children)
		oclmm_line(writer, "uint started = 0u;\n");
	if (has_local_looks(writer))
		oclmm_line(writer, "bool missed = false;\n");
	if (has_waits(writer))
		oclmm_line(writer,
		           "private struct oclmm_waits%s waits = {p.patience, p.patience_budget, "
		           "p.opaque, p.nothing, 0u, 0u};\n",
		           writer->suffix);
	write_first_slots(writer);
	oclmm_open(writer, "for (; round < rounds; round++) {\n");
	write_round(writer, planes);
	write_steps(writer);
	oclmm_close(writer);
	write_played(writer);
	write_told_waits(writer);
	if (writer->options.direct)
		write_direct_sums(writer);
	writer->depth = 0;
	oclmm_put(writer, "}\n");
	free(planes);
}

/* ---- a kernel that stands alone ----------------------------------------------------------- */

/*
 * Nothing but the test: no tickets, no counting, no permutation of roles. What a work-item plays
 * follows from where it is, and the host looks at each instance.
 */

uint32_t oclmm_lone_factor(uint32_t location)
{
	return 0x9e3779b1u + 0x3c6ef372u * location;
}

uint32_t oclmm_lone_plane(const struct oclmm_program *program, uint32_t observable)
{
	uint32_t plane = 0;

	for (uint32_t i = 0; i < observable; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		plane += o->is_register ||
		         program->locations[o->location].space == OCLMM_SPACE_LOCAL;
	}
	return plane;
}

uint32_t oclmm_lone_played(const struct oclmm_program *program, uint32_t thread)
{
	return oclmm_lone_plane(program, program->observable_count) + thread;
}

static void write_lone_parameters(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	oclmm_put(writer, "kernel void test");
	if (writer->plan->kernels > 1)
		oclmm_put(writer, "%u", writer->options.part);
	oclmm_put(writer, "(");
	for (int local = 0; local <= 1; local++) {
		for (uint32_t i = 0; i < program->location_count; i++) {
			const struct oclmm_location *l = &program->locations[i];

			if ((l->space == OCLMM_SPACE_LOCAL) != local ||
			    l->storage == OCLMM_STORAGE_PROGRAM)
				continue;
			if (oclmm_location_is_image(l))
				oclmm_put(writer, OCLMM_IMAGE_SPELLING " ");
			else
				oclmm_put(writer, "%s %s *", oclmm_space_spelling(l->space),
				          oclmm_type_spelling(l->type, l->atomic));
			write_lone_all(writer, i);
			oclmm_put(writer, ", ");
		}
	}
	oclmm_put(writer, "global %s *out,\n\t", writer->plan->wide ? "ulong" : "uint");
	if (writer->lone->meets)
		oclmm_put(writer, "volatile global %s *met, ",
		          oclmm_on_one_device(writer->plan) ? "uint" : "atomic_uint");
	if (writer->lone->stresses)
		oclmm_put(writer, "volatile global uint *scratch, ");
	oclmm_put(writer, "const struct environment e)\n{\n");
}

/* How many litmus work-groups the part has. */
static uint32_t lone_groups(const struct oclmm_writer *writer)
{
	uint32_t groups = 0;

	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (is_own(writer, i) && writer->plan->role_work_group[i] >= groups)
			groups = writer->plan->role_work_group[i] + 1;
	return groups;
}

/* The place of a role among those of its litmus work-group, or of its litmus sub-group. */
static uint32_t lone_share(const struct oclmm_writer *writer, uint32_t role)
{
	const struct oclmm_kernel_plan *plan = writer->plan;
	uint32_t share = 0;

	for (uint32_t i = 0; i < role; i++)
		share += oclmm_roles_together(plan, i, role) &&
		         (!plan->in_sub_groups ||
		          plan->role_sub_group[i] == plan->role_sub_group[role]);
	return share;
}

/* `lane`, the instance that a work-item plays in its group, and `share`, as whom. */
static void write_lone_place(struct oclmm_writer *writer)
{
	const struct oclmm_kernel_plan *plan = writer->plan;

	if (!plan->in_sub_groups) {
		if (plan->crowd == 1)
			oclmm_put(writer, "\tconst uint lanes = get_local_size(0), lane = "
			                  "get_local_id(0);\n");
		else
			oclmm_put(writer,
			          "\tconst uint lanes = get_local_size(0) / %u, lane = "
			          "get_local_id(0) %% lanes;\n"
			          "\tconst uint share = (get_local_id(0) / lanes + pair) %% %u;\n",
			          plan->crowd, plan->crowd);
		return;
	}
	oclmm_put(writer,
	          "\t/* work-items that are left over in a sub-group stand by */\n"
	          "\tconst uint width = get_max_sub_group_size() / %u, lanes = "
	          "get_local_size(0);\n"
	          "\tconst bool plays = get_sub_group_id() < get_num_sub_groups() / %u * %u &&\n"
	          "\t                   get_sub_group_local_id() < width * %u;\n"
	          "\tconst uint sub = (get_sub_group_id() + pair) %% %u;\n"
	          "\tconst uint share = plays ? get_sub_group_local_id() / width : %u;\n"
	          "\tconst uint lane = get_sub_group_id() / %u * width + "
	          "get_sub_group_local_id() %% width;\n",
	          plan->sub_crowd, plan->sub_groups, plan->sub_groups, plan->sub_crowd,
	          plan->sub_groups, OCLMM_KERNEL_ROLES, plan->sub_groups);
}

/* Whether the number of a work-item's litmus work-group, or its share, is its thread's. */
static const char *lone_role_itself(const struct oclmm_writer *writer)
{
	const struct oclmm_kernel_plan *plan = writer->plan;
	bool part = plan->crowd == 1, share = plan->work_groups == 1;

	for (uint32_t i = 0; i < plan->roles; i++) {
		if (plan->role_child[i])
			continue;
		part &= is_own(writer, i) && plan->role_work_group[i] == i;
		share &= is_own(writer, i) && lone_share(writer, i) == i;
	}
	return plan->in_sub_groups ? NULL : part ? "part" : share ? "share" : NULL;
}

/* See write_own_role() for the qualifier. */
static void write_lone_role(struct oclmm_writer *writer)
{
	const struct oclmm_kernel_plan *plan = writer->plan;
	const char *qualifier = plan->has_barrier || plan->has_local ? "volatile" : "const";
	const char *itself = lone_role_itself(writer);

	if (itself) {
		oclmm_line(writer, "%s uint own = %s; /* the thread */\n", qualifier, itself);
		return;
	}
	oclmm_line(writer, "%s uint own =", qualifier);
	for (uint32_t i = 0; i < plan->roles; i++) {
		if (!is_own(writer, i))
			continue;
		oclmm_put(writer, " part == %u", plan->role_work_group[i]);
		if (plan->in_sub_groups)
			oclmm_put(writer, " && sub == %u", plan->role_sub_group[i]);
		if (plan->in_sub_groups || plan->crowd > 1)
			oclmm_put(writer, " && share == %u", lone_share(writer, i));
		oclmm_put(writer, " ? %u :", i);
	}
	oclmm_put(writer, " %u; /* the thread */\n", OCLMM_KERNEL_ROLES);
}

static void write_lone_opening(struct oclmm_writer *writer)
{
	if (has_generic(writer, OCLMM_SPACE_GLOBAL))
		oclmm_line(writer, "local ulong oclmm_elsewhere[1];\n");
	oclmm_line(writer, "const uint part = get_group_id(0) / e.pairs, pair = get_group_id(0) %% "
	                   "e.pairs;\n");
	write_lone_place(writer);
	oclmm_line(writer, "const uint n = e.pairs * lanes * e.rounds; /* instances */\n");
	write_lone_role(writer);
	if (writer->lone->meets)
		oclmm_line(writer,
		           "uint budget = e.polls; /* how long it waits for the others */\n");
	if (writer->lone->meets)
		oclmm_line(writer,
		           "volatile global %s *meeting = met + pair * get_local_size(0) + "
		           "get_local_id(0);\n",
		           oclmm_on_one_device(writer->plan) ? "uint" : "atomic_uint");
	if (writer->lone->stresses) {
		oclmm_line(writer,
		           "for (uint k = 0; part >= %u && k < e.stress; k++) /* traffic */\n",
		           lone_groups(writer));
		oclmm_line(writer, "\tscratch[(get_global_id(0) * 16 + k %% 4) & %u] += k;\n",
		           OCLMM_LONE_SCRATCH - 1);
		oclmm_line(writer, "if (part >= %u)\n\t\treturn;\n", lone_groups(writer));
	}
}

static void write_lone_setup(struct oclmm_writer *writer)
{
	if (!writer->plan->has_local)
		return;
	if (!writer->plan->in_sub_groups)
		oclmm_open(writer, "if (get_local_id(0) < lanes) {\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		for (uint32_t e = 0; l->space == OCLMM_SPACE_LOCAL && e < l->elements; e++) {
			oclmm_line(writer, "((local %s *)", oclmm_type_spelling(l->type, false));
			write_lone_all(writer, i);
			oclmm_put(writer, ")[get_local_id(0) * %u + %u] = ", l->elements, e);
			oclmm_write_constant(writer->text, l->type, l->initial ? l->initial[e] : 0);
			oclmm_put(writer, ";\n");
		}
	}
	if (!writer->plan->in_sub_groups)
		oclmm_close(writer);
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

/* `out[2 * n + i] = (uint)r0, out[3 * n + i] = 1;` */
static void write_lone_stores(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_program *program = writer->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const char *word = writer->plan->wide ? "ulong" : "uint";
	uint32_t stores = 0;

	oclmm_line(writer, "%s", "");
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (!o->is_register || o->thread != thread)
			continue;
		if (stores && stores % 3 == 0)
			oclmm_line(writer, "%s", "");
		oclmm_put(writer, "out[%u * n + i] = (%s)%s", oclmm_lone_plane(program, i), word,
		          oclmm_observe_opening(o->type));
		oclmm_write_inlined_register(writer, thread, o->reg);
		oclmm_put(writer, "%s%s", oclmm_observe_closing(o->type),
		          ++stores % 3 ? ", " : ",\n");
	}
	if (stores && stores % 3 == 0)
		oclmm_line(writer, "%s", "");
	oclmm_put(writer, "out[%u * n + i] = 1", oclmm_lone_played(program, thread));
	if (oclmm_has_loop(t->body))
		oclmm_put(writer, " + cut_P%u", t->id);
	oclmm_put(writer, ";\n");
}

static void write_lone_local(struct oclmm_writer *writer, uint32_t observable)
{
	const struct oclmm_program *program = writer->program;
	const struct oclmm_observable *o = &program->observables[observable];
	uint32_t user;

	if (o->is_register || program->locations[o->location].space != OCLMM_SPACE_LOCAL)
		return;
	user = local_owner(program, o->location);
	if (!is_own(writer, user))
		return;
	oclmm_line(writer, "if (own == %u)\n", user);
	oclmm_line(writer, "\tout[%u * n + i] = (%s)%s((local %s *)",
	           oclmm_lone_plane(program, observable), writer->plan->wide ? "ulong" : "uint",
	           oclmm_observe_opening(o->type), oclmm_type_spelling(o->type, false));
	write_lone_all(writer, o->location);
	oclmm_put(writer, ")[lane * %u + %u]%s;\n", program->locations[o->location].elements,
	          o->element, oclmm_observe_closing(o->type));
}

/* Without barriers each thread is a block of its own. */
static void write_lone_blocks(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++) {
		if (!is_own(writer, i))
			continue;
		oclmm_open(writer, "if (own == %u) { /* P%u */\n", i,
		           writer->program->threads[i].id);
		write_lone_objects(writer, i, false);
		oclmm_write_inlined_state(writer, i);
		oclmm_write_inlined(writer, i, 0);
		write_lone_stores(writer, i);
		oclmm_close(writer);
	}
}

static void write_lone_phases(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (is_own(writer, i))
			oclmm_write_inlined_state(writer, i);
	write_roles(writer);
	for (uint32_t i = 0; i < writer->plan->roles; i++) {
		if (!is_own(writer, i))
			continue;
		oclmm_line(writer, "if (own == %u)\n", i);
		writer->depth++;
		write_lone_stores(writer, i);
		writer->depth--;
	}
}

uint32_t oclmm_lone_parties(const struct oclmm_kernel_plan *plan)
{
	uint32_t parties = 0;

	for (uint32_t i = 0; i < plan->roles; i++) {
		bool first = !plan->role_child[i];

		for (uint32_t k = 0; k < i; k++)
			first &= !oclmm_roles_together(plan, i, k);
		parties += first;
	}
	return parties;
}

/* It waits a little for the others that play the instance. */
static void write_lone_meeting(struct oclmm_writer *writer)
{
	bool alone = oclmm_on_one_device(writer->plan);
	const char *scope = "memory_order_relaxed, memory_scope_all_svm_devices)";
	uint32_t parties = oclmm_lone_parties(writer->plan);

	if (alone)
		oclmm_line(writer, "atomic_inc(meeting);\n");
	else
		oclmm_line(writer, "atomic_fetch_add_explicit(meeting, 1, %s;\n", scope);
	if (alone)
		oclmm_line(writer, "while (*meeting < (round + 1) * %u && budget > 0)\n", parties);
	else
		oclmm_line(writer,
		           "while (atomic_load_explicit(meeting, %s < (round + 1) * %u && budget > "
		           "0)\n",
		           scope, parties);
	oclmm_line(writer, "\tbudget--;\n");
}

static void write_lone_round(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;

	oclmm_line(writer,
	           "const uint i = (round * e.pairs + pair) * lanes + lane; /* instance */\n");
	/* never, but a compiler knows of neither number */
	if (has_generic(writer, OCLMM_SPACE_GLOBAL) || has_generic(writer, OCLMM_SPACE_LOCAL))
		oclmm_line(writer, "const bool elsewhere = round == ~e.stride;\n");
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (is_own(writer, i))
			write_lone_objects(writer, i, true);
	write_lone_setup(writer);
	if (writer->lone->meets)
		write_lone_meeting(writer);
	if (writer->plan->has_barrier)
		write_lone_phases(writer);
	else
		write_lone_blocks(writer);
	if (!writer->plan->has_local)
		return;
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
	for (uint32_t i = 0; i < program->observable_count; i++)
		write_lone_local(writer, i);
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

/* What a work-item enqueues for an instance. */
static void write_lone_child(struct oclmm_writer *writer, uint32_t thread)
{
	writer->child = thread + 1;
	writer->thread = thread;
	writer->depth = 1;
	oclmm_write_child_head(writer);
	oclmm_write_inlined_state(writer, thread);
	oclmm_write_inlined(writer, thread, 0);
	write_lone_stores(writer, thread);
	oclmm_put(writer, "}\n\n");
	writer->child = 0;
}

void oclmm_write_lone_kernel(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->plan->roles; i++)
		if (writer->plan->role_child[i])
			write_lone_child(writer, i);
	write_lone_parameters(writer);
	writer->depth = 1;
	write_lone_opening(writer);
	oclmm_open(writer, "for (uint round = 0; round < e.rounds; round++) {\n");
	write_lone_round(writer);
	oclmm_close(writer);
	writer->depth = 0;
	oclmm_put(writer, "}\n");
}
