// SPDX-License-Identifier: Apache-2.0
/*
 * How a round plays its roles: the calls of their segments, in an order that differs between groups
 * and rounds or each by the work-items whose own it is, and what they do together between them.
 */
#include "internal.h"

#include <stdio.h>

/* ---- the call of a segment ---- */

static void write_enqueue_arguments(const struct oclmm_writer *writer, const char *comma)
{
	oclmm_put(writer,
	          "%scodes, results, played + place * p.width + own_lane, mask, p.salt, i_P%u, "
	          "&started",
	          comma, writer->program->threads[writer->thread].id);
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
	oclmm_write_slots(writer, location);
	if (l->space == OCLMM_SPACE_LOCAL)
		oclmm_put(writer, " + lane_%s * %uu", own, l->elements);
	else
		oclmm_put(writer, "%soclmm_slot(p.location[%u], i_%s, %s)",
		          oclmm_location_is_image(l) ? ", (int)" : " + ", location, own,
		          writer->options.any_count ? "mask + 1u, p.instances_inverse" : "mask");
	if (parameter->atomic != l->atomic)
		oclmm_put(writer, ")");
}

/*
 * A compiler that sees where a generic pointer comes from uses the instructions of that region. So
 * it comes from either region here, by a condition that is never true, which no compiler knows.
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
	          local ? "global" : "local", type, local ? "codes" : "oclmm_elsewhere", type);
	write_slot(writer, parameter);
	oclmm_put(writer, ")");
}

static void write_play(struct oclmm_writer *writer, uint32_t thread, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const char *comma = "";

	writer->thread = thread;
	oclmm_line(writer, "%s", "");
	oclmm_write_function_name(writer, thread, segment);
	oclmm_put(writer, "(");
	if (oclmm_has_state(writer->program, t)) {
		oclmm_put(writer, "&r_P%u", t->id);
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_text_add(writer->text, comma);
		write_argument(writer, &t->parameters[i]);
		comma = ", ";
	}
	if (oclmm_enqueues(t))
		write_enqueue_arguments(writer, comma);
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

static void write_own_instance(struct oclmm_writer *writer)
{
	static const char *const names[] = {"i", "lane"};

	for (size_t k = 0; k < (writer->plan->has_local ? 2 : 1); k++) {
		oclmm_line(writer, "const uint %s_own = ", names[k]);
		for (uint32_t i = 0; i < writer->program->thread_count; i++)
			if (oclmm_is_own(writer, i))
				oclmm_put(writer, "own == %uu ? %s_P%u : ", i, names[k],
				          writer->program->threads[i].id);
		oclmm_put(writer, "0u;\n");
	}
}

/* The registers of a role become those of another one, which is like it; of who plays `own`. */
static void write_handing_over(struct oclmm_writer *writer, uint32_t own, uint32_t from,
                               uint32_t to)
{
	const struct oclmm_thread *t = &writer->program->threads[from];
	unsigned ids[] = {t->id, writer->program->threads[to].id};

	if (!oclmm_has_state(writer->program, t))
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

static void write_own(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                      uint32_t segment)
{
	const uint32_t *alike = writer->plan->role_alike;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t others = 0;

		for (uint32_t k = 0; k < n; k++)
			others += k != i && alike[roles[k]] == alike[roles[i]];
		if (alike[roles[i]] != roles[i])
			continue;
		if (others > 0) {
			write_alike(writer, roles, n, roles[i]);
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
		if (oclmm_is_meeting(s) && n-- == 0)
			return s;
	return NULL;
}

/* `barrier` takes no scope; where one was written it is work_group_barrier (C:6.15.8). */
static void write_barrier(const struct oclmm_writer *writer, const struct oclmm_barrier *barrier)
{
	bool renamed = barrier->scope_written && !barrier->sub_group;

	oclmm_line(writer, "%s(", renamed ? "work_group_barrier" : barrier->spelling);
	oclmm_text_add(writer->text, oclmm_flags_spelling(barrier->flags));
	if (barrier->scope_written)
		oclmm_put(writer, ", %s", oclmm_scope_spelling(barrier->scope));
	oclmm_put(writer, ");\n");
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
	const char *number = first->sub_group ? "get_sub_group_local_id()" : "member";

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
		oclmm_line(writer, "r_P%u.", writer->program->threads[callers[i].role].id);
		oclmm_write_register(writer, callers[i].role, call->reg);
		oclmm_put(writer, " = given;\n");
	}
}

/* Any number but 0 is true (C:6.15.16). */
static bool is_truth(enum oclmm_collective collective)
{
	return collective == OCLMM_COLLECTIVE_ANY || collective == OCLMM_COLLECTIVE_ALL;
}

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
static bool speaks(const struct oclmm_writer *writer, uint32_t thread)
{
	for (uint32_t i = 0; i < thread; i++)
		if (oclmm_roles_together(writer->plan, i, thread))
			return false;
	return oclmm_is_own(writer, thread);
}

static void write_events(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		for (uint32_t e = 0;
		     speaks(writer, i) && e < writer->program->threads[i].event_count; e++) {
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
	oclmm_write_slots(writer, end->location);
	if (l->space == OCLMM_SPACE_LOCAL)
		oclmm_put(writer, " + n * %uu", l->elements);
	else
		oclmm_put(writer, " + oclmm_slot(p.location[%u], first + n, %s)", end->location,
		          writer->options.any_count ? "mask + 1u, p.instances_inverse" : "mask");
	oclmm_put(writer, " + %uu", oclmm_copy_element(writer->program, copy, end, 0));
}

/* For the instances of all lanes. */
static void write_copies(struct oclmm_writer *writer, uint32_t thread,
                         const struct oclmm_copy *copy)
{
	oclmm_line(writer, "for (uint n = 0u, first = round * width + ");
	oclmm_write_group(writer, writer->plan->role_work_group[thread]);
	oclmm_put(writer, " * p.lanes; n < p.lanes; n++)\n");
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

/* Those of a party, behind `count` others. */
static uint32_t list_callers(const struct party *party, struct caller *callers, uint32_t count)
{
	for (uint32_t i = 0; i < party->count; i++)
		callers[count++] = (struct caller){party->roles[i], party->segment - 1};
	return count;
}

/* What the roles of some parties stand at. */
static void write_meeting(struct oclmm_writer *writer, const struct party *parties, uint32_t count,
                          const struct oclmm_barrier *barrier)
{
	struct caller callers[OCLMM_KERNEL_ROLES];
	uint32_t n = 0;

	if (!barrier->collective) {
		write_barrier(writer, barrier);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		n = list_callers(&parties[i], callers, n);
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
		if (oclmm_is_own(writer, i))
			roles[count++] = i;
	if (writer->options.split)
		write_own(writer, roles, count, 0);
	else
		write_shuffled(writer, roles, count, 0);
}

/* A round of all roles of the kernel, from its copies' events to the last segment. */
void oclmm_write_roles(struct oclmm_writer *writer)
{
	write_events(writer);
	if (writer->options.split && writer->plan->alike)
		write_own_instance(writer);
	write_all_roles(writer);
}
