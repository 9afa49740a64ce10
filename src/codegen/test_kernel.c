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

	/* left to itself this compiler makes no vectors of such a kernel, in which alone
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

		for (uint32_t n = 0; n < t->parameter_count && oclmm_is_own(writer, i); n++)
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

static int reads_register(void *data, const struct oclmm_expression *e)
{
	uint32_t reg = *(const uint32_t *)data;

	if (e->kind == OCLMM_EXPRESSION_REGISTER)
		return e->reg == reg;
	return e->kind == OCLMM_EXPRESSION_ATOMIC &&
	       e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER &&
	       e->atomic->comparand.reg == reg;
}

static int names_register(void *data, const struct oclmm_statement *s)
{
	uint32_t reg = *(const uint32_t *)data;

	if (s->kind == OCLMM_STATEMENT_BARRIER)
		return s->barrier.assigns && s->barrier.reg == reg;
	return s->kind == OCLMM_STATEMENT_ASSIGN && s->assign.reg == reg;
}

/* Whether a thread assigns a register before anything else names it, and in each execution. Where a
 * loop is cut before it comes to that, the instance is counted as cut. */
static bool is_assigned(const struct oclmm_thread *thread, uint32_t reg)
{
	static const struct oclmm_visitor reads = {.expression = reads_register};
	static const struct oclmm_visitor names = {reads_register, NULL, names_register};

	for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
		struct oclmm_statement alone = *s;

		alone.next = NULL;
		if (!oclmm_visit_body(&names, &alone, &reg))
			continue;
		return s->kind == OCLMM_STATEMENT_ASSIGN && !s->assign.collective &&
		       !oclmm_visit_statement(&reads, s, &reg);
	}
	return false;
}

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

static int64_t register_begins(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg)
{
	const struct oclmm_program *program = writer->program;
	const struct oclmm_register *r = &program->threads[thread].registers[reg];

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (o->is_register && o->thread == thread && o->reg == reg &&
		    is_assigned(&program->threads[thread], reg))
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
	       oclmm_is_own(writer, local_owner(program, location)) &&
	       oclmm_is_changed(program, location, element);
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
	/* the work-items of another shape than the host thought stand aside, all of a group or
	 * none */
	oclmm_put(writer,
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
	oclmm_write_group(writer, writer->plan->role_work_group[thread]);
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
		if (oclmm_is_own(writer, i))
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

	if (!oclmm_has_state(writer->program, t))
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
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
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

	if (!oclmm_is_own(writer, user))
		return;
	snprintf(value, sizeof(value), "v%u", number);
	snprintf(instance, sizeof(instance), "i%u", number);
	if (writer->options.split)
		oclmm_open(writer, "if (keeper == %uu) {\n", owner);
	oclmm_line(writer, "const uint %s = round * width + ", instance);
	oclmm_write_group(writer, owner);
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
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
	write_local_looks(writer);
	for (uint32_t i = 0; i < writer->plan->planes; i++)
		if (planes[i].kind == OCLMM_PLANE_LOCAL)
			write_local_result(writer, &planes[i], i);
	oclmm_line(writer, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

static void write_child_results(struct oclmm_writer *writer, const struct oclmm_plane *planes)
{
	for (uint32_t i = 0; i < writer->plan->planes; i++) {
		write_observed(writer, &planes[i], i);
		write_store_plane(writer, &planes[i], i);
	}
}

/* ---- child kernels ---- */

static void write_body(struct oclmm_writer *writer, uint32_t thread,
                       const struct oclmm_plane *planes)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	write_state(writer, thread);
	oclmm_line(writer, "P%u%s(", t->id, writer->suffix);
	if (oclmm_has_state(writer->program, t))
		oclmm_put(writer, "&r_P%u", t->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		if (i || oclmm_has_state(writer->program, t))
			oclmm_put(writer, ", ");
		oclmm_write_location(writer, t->parameters[i].location);
	}
	oclmm_put(writer, ");\n");
	write_child_results(writer, planes);
	oclmm_line(writer, "atomic_inc(played);\n");
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
		if (oclmm_is_own(writer, i))
			oclmm_line(writer, "const uint i_P%u = round * width + first_P%u;\n",
			           program->threads[i].id, program->threads[i].id);
	if (program->thread_count > 1 && !writer->options.split)
		oclmm_line(
			writer,
			"const bool flip = ((place & p.flip_groups) != 0u) ^"
			" ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);\n");
	/* never: no launch has that many rounds; but a compiler knows of neither number */
	if (has_generic(writer, OCLMM_SPACE_GLOBAL) || has_generic(writer, OCLMM_SPACE_LOCAL))
		oclmm_line(writer, "const bool elsewhere = round == ~p.split;\n");
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			write_state(writer, i);
	oclmm_put(writer, "\n");
	if (writer->plan->has_local)
		write_local_setup(writer);
	oclmm_line(writer, "if (p.polls != 0u && (round & p.poll_mask) == 0u) {\n");
	oclmm_line(writer, "\twanted += p.parties;\n");
	/* groups start one by one: the first meeting waits longer */
	oclmm_line(writer, "\tbudget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget "
	                   "/ 2u : p.polls,"
	                   " budget);\n");
	oclmm_line(writer, "}\n");
	oclmm_write_roles(writer);
	write_results(writer, planes);
	if (writer->plan->has_local)
		write_local_results(writer, planes);
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
	if (has_local_looks(writer)) {
		oclmm_line(writer, "if (missed)\n");
		oclmm_line(writer, "\tround |= %s;\n", OCLMM_PLAYED_MISSED);
	}
	oclmm_line(writer, "if (testing)\n\t\t");
	if (writer->plan->children)
		oclmm_put(writer, "atomic_add((volatile global uint *)played + place * "
		                  "p.width + own_lane, round - started);\n");
	else if (writer->options.part > 0)
		oclmm_put(writer,
		          "played[place * p.width + own_lane] += (round ^ 0x%08xu) + p.salt;\n",
		          oclmm_kernel_mark(writer->program, &writer->options));
	else
		oclmm_put(writer, "played[place * p.width + own_lane] += round;\n");
}

void oclmm_write_test_kernel(struct oclmm_writer *writer)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);

	write_children(writer, planes);
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (oclmm_is_own(writer, i))
			oclmm_write_thread(writer, i);
	write_arguments(writer);
	writer->depth = 1;
	write_opening(writer);
	if (writer->plan->children)
		oclmm_line(writer, "uint started = 0u;\n");
	if (has_local_looks(writer))
		oclmm_line(writer, "bool missed = false;\n");
	oclmm_open(writer, "for (; round < rounds; round++) {\n");
	write_round(writer, planes);
	oclmm_close(writer);
	write_played(writer);
	if (writer->options.direct)
		write_direct_sums(writer);
	writer->depth = 0;
	oclmm_put(writer, "}\n");
	free(planes);
}
