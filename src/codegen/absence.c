// SPDX-License-Identifier: Apache-2.0
/*
 * What shows that a role was not played. A compiler that leaves a role out in some work-items may
 * leave nothing that the test forbids: registers keep their initial values, objects theirs.
 *
 * So a register that is certainly assigned begins with a value that no outcome has. And an object
 * that certainly gets another value than its initial one is looked at, in some launches, before the
 * counting kernel sets it up again.
 */
#include "internal.h"

/* ---- registers ---- */

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

int64_t oclmm_register_begins(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg)
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

/* ---- looking at local objects, which end with the launch ---- */

/* Whether a kernel that is written plays a role which has the location, of local memory, and each
 * execution changes an element. */
static bool is_looked_at(const struct oclmm_writer *writer, uint32_t location, uint32_t element)
{
	const struct oclmm_program *program = writer->program;

	return program->locations[location].space == OCLMM_SPACE_LOCAL &&
	       oclmm_is_own(writer, oclmm_local_owner(program, location)) &&
	       oclmm_is_changed(program, location, element);
}

bool oclmm_has_local_looks(const struct oclmm_writer *writer)
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
	uint32_t user = oclmm_local_owner(writer->program, location);

	oclmm_line(writer, "missed |= ");
	if (writer->options.split)
		oclmm_text_printf(writer->text, "keeper == %uu && ",
		                  writer->plan->role_work_group[user]);
	oclmm_text_printf(writer->text, "((local %s *)", oclmm_type_spelling(l->type, false));
	oclmm_write_location(writer, location);
	oclmm_text_printf(writer->text, ")[own_lane * %uu + %uu] == ", l->elements, element);
	oclmm_write_constant(writer->text, l->type, l->initial[element]);
	oclmm_text_add(writer->text, ";\n");
}

void oclmm_write_local_looks(struct oclmm_writer *writer)
{
	if (!oclmm_has_local_looks(writer))
		return;
	oclmm_open(writer, "if (p.looks) {\n");
	for (uint32_t i = 0; i < writer->program->location_count; i++)
		for (uint32_t e = 0; e < writer->program->locations[i].elements; e++)
			if (is_looked_at(writer, i, e))
				write_local_look(writer, i, e);
	oclmm_close(writer);
}

/* ---- looking at all others ---- */

static void write_look(struct oclmm_writer *writer, uint32_t location, uint32_t element,
                       uint32_t number)
{
	const struct oclmm_location *l = &writer->program->locations[location];

	oclmm_line(writer, "const %s is%u = ", oclmm_count_word(l), number);
	oclmm_write_count_element(writer, location, element);
	oclmm_text_add(writer->text, ";\n");
	if (oclmm_type_bits(l->type) == 64)
		oclmm_line(writer, "sum = sum * %uu + (uint)(is%u ^ is%u >> 32);\n",
		           OCLMM_INITIAL_FACTOR, number, number);
	else
		oclmm_line(writer, "sum = sum * %uu + (uint)is%u;\n", OCLMM_INITIAL_FACTOR, number);
	if (number < OCLMM_CHANGED_BITS)
		oclmm_line(writer, "wrong += is%u == initial%u_%u ? changed >> %u & 1u : 0u;\n",
		           number, location, element, number);
}

/*
 * Before a launch, whether the values of all objects sum up to what the host says; and after it,
 * whether those changed that each execution changes. The first is not for whom set them up to
 * answer, who may believe what is wrong. The second is, because others set theirs up already.
 */
void oclmm_write_looks(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;
	uint32_t number = 0;

	oclmm_open(writer, "if (p.looks) {\n");
	oclmm_line(writer, "const uint changed = p.only_restore ? 0u : (uint)table[%u];\n",
	           TABLE_CHANGED);
	oclmm_line(writer,
	           "const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;\n");
	oclmm_line(writer, "uint wrong = 0u;\n");
	oclmm_open(writer, "for (uint n = 0u; n < p.count_each; n++) {\n");
	oclmm_line(writer, "const uint i = %sof * p.count_first + n * p.count_step;\n",
	           oclmm_has_quads(writer)
	                   ? "quads ? 4u * (of + (n >> 2) * p.count_step) + (n & 3u) : "
	                   : "");
	if (writer->options.any_count)
		oclmm_line(writer, "if (i > mask)\n\t\t\t\tbreak;\n");
	oclmm_write_count_slots(writer);
	oclmm_line(writer, "uint sum = 0u;\n");
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t e = 0; l->space != OCLMM_SPACE_LOCAL && e < l->elements; e++)
			write_look(writer, i, e, number++);
	}
	oclmm_line(writer, "wrong += p.only_restore && sum != p.initials ? 1u : 0u;\n");
	oclmm_close(writer);
	oclmm_line(writer,
	           "oclmm_add(counters + outcomes + (p.only_restore ? %uu : %uu), wrong);\n",
	           OCLMM_BUCKET_UNSET, OCLMM_BUCKET_UNCHANGED);
	oclmm_close(writer);
}
