// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <string.h>

static void write_block(struct oclmm_writer *writer, const struct oclmm_statement *body)
{
	writer->depth++;
	oclmm_write_statements(writer, body);
	writer->depth--;
}

static void write_if(struct oclmm_writer *writer, const struct oclmm_branch *branch)
{
	oclmm_line(writer, "if (");
	oclmm_write_expression(writer, branch->condition);
	oclmm_text_add(writer->text, ") {\n");
	write_block(writer, branch->then_body);
	if (branch->else_body) {
		oclmm_line(writer, "} else {\n");
		write_block(writer, branch->else_body);
	}
	oclmm_line(writer, "}\n");
}

/* A loop that would run past its bound ends the thread; the instance has no outcome. */
static void write_while(struct oclmm_writer *writer, const struct oclmm_loop *loop)
{
	unsigned number = writer->loops++;

	oclmm_line(writer, "for (uint turn%u = 0u; ", number);
	oclmm_write_expression(writer, loop->condition);
	oclmm_text_printf(writer->text, "; turn%u++) {\n", number);
	writer->depth++;
	oclmm_line(writer, "if (turn%u == %uu) {\n", number, loop->unroll);
	oclmm_line(writer, "\tr->cut = 1u;\n");
	oclmm_line(writer, "\treturn;\n");
	oclmm_line(writer, "}\n");
	oclmm_write_statements(writer, loop->body);
	oclmm_close(writer);
}

static void write_fence(const struct oclmm_writer *writer, const struct oclmm_fence *fence)
{
	oclmm_line(writer, "%s(", fence->spelling);
	oclmm_text_add(writer->text, oclmm_flags_spelling(fence->flags));
	if (!strcmp(fence->spelling, "atomic_work_item_fence"))
		oclmm_text_printf(writer->text, ", %s, %s", oclmm_order_spelling(fence->order),
		                  oclmm_scope_spelling(fence->scope));
	oclmm_text_add(writer->text, ");\n");
}

/* `barrier` takes no scope; where one was written it is work_group_barrier (C:6.15.8). */
void oclmm_write_barrier(const struct oclmm_writer *writer, const struct oclmm_barrier *barrier)
{
	bool renamed = barrier->scope_written && !barrier->sub_group;

	oclmm_line(writer, "%s(", renamed ? "work_group_barrier" : barrier->spelling);
	oclmm_text_add(writer->text, oclmm_flags_spelling(barrier->flags));
	if (barrier->scope_written)
		oclmm_text_printf(writer->text, ", %s", oclmm_scope_spelling(barrier->scope));
	oclmm_text_add(writer->text, ");\n");
}

static void write_assign(const struct oclmm_writer *writer, const struct oclmm_assign *assign)
{
	oclmm_line(writer, "r->");
	oclmm_write_register(writer, writer->thread, assign->reg);
	oclmm_text_add(writer->text, " = ");
	oclmm_write_expression(writer, assign->value);
	oclmm_text_add(writer->text, ";\n");
}

static void write_store(const struct oclmm_writer *writer, const struct oclmm_store *store)
{
	bool image = oclmm_location_is_image(&writer->program->locations[store->place.location]);

	oclmm_line(writer, "%s", image ? "write_imagei(" : "");
	if (image)
		oclmm_write_element(writer, &store->place);
	else
		oclmm_write_object(writer, &store->place);
	oclmm_text_add(writer->text, image ? ", (int4)(" : " = ");
	oclmm_write_expression(writer, store->value);
	oclmm_text_add(writer->text, image ? ", 0, 0, 0));\n" : ";\n");
}

const struct oclmm_statement *oclmm_write_statements(struct oclmm_writer *writer,
                                                     const struct oclmm_statement *first)
{
	for (; first; first = first->next) {
		switch (first->kind) {
		case OCLMM_STATEMENT_ASSIGN:
			/* the kernel does it, where all have called */
			if (!first->assign.collective)
				write_assign(writer, &first->assign);
			break;
		case OCLMM_STATEMENT_STORE: write_store(writer, &first->store); break;
		case OCLMM_STATEMENT_EVALUATE:
			oclmm_line(writer, "%s", "");
			oclmm_write_expression(writer, first->effect);
			oclmm_text_add(writer->text, ";\n");
			break;
		case OCLMM_STATEMENT_FENCE: write_fence(writer, &first->fence); break;
		case OCLMM_STATEMENT_BARRIER:
		case OCLMM_STATEMENT_COPY:
		case OCLMM_STATEMENT_WAIT: return first;
		case OCLMM_STATEMENT_ENQUEUE: oclmm_write_enqueue(writer, &first->enqueue); break;
		case OCLMM_STATEMENT_IF: write_if(writer, &first->branch); break;
		case OCLMM_STATEMENT_WHILE: write_while(writer, &first->loop); break;
		}
	}
	return NULL;
}

bool oclmm_is_meeting(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY ||
	       s->kind == OCLMM_STATEMENT_WAIT;
}

const struct oclmm_statement *oclmm_nth_meeting(const struct oclmm_thread *thread, uint32_t n)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (oclmm_is_meeting(s) && n-- == 0)
			return s;
	return NULL;
}

static int is_loop(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	return statement->kind == OCLMM_STATEMENT_WHILE;
}

bool oclmm_has_loop(const struct oclmm_statement *body)
{
	static const struct oclmm_visitor visitor = {.statement = is_loop};

	return oclmm_visit_body(&visitor, body, NULL);
}

bool oclmm_has_sub_group_barrier(const struct oclmm_thread *thread)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.sub_group)
			return true;
	return false;
}
