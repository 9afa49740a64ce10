// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <string.h>

static void print_flags(struct oclmm_text *text, unsigned flags)
{
	bool global = flags & OCLMM_FLAG_GLOBAL, local = flags & OCLMM_FLAG_LOCAL;

	if (!global && !local)
		oclmm_text_add(text, "0");
	if (global)
		oclmm_text_add(text, "CLK_GLOBAL_MEM_FENCE");
	if (global && local)
		oclmm_text_add(text, " | ");
	if (local)
		oclmm_text_add(text, "CLK_LOCAL_MEM_FENCE");
}

static void print_fence(struct oclmm_text *text, const struct oclmm_statement *statement)
{
	oclmm_text_add(text, statement->spelling);
	oclmm_text_add(text, "(");
	print_flags(text, statement->flags);
	/* mem_fence and its kin have no order of their own to write */
	if (!strcmp(statement->spelling, "atomic_work_item_fence"))
		oclmm_print_argument(text, oclmm_order_spelling(statement->order));
	if (statement->scope_written)
		oclmm_print_argument(text, oclmm_scope_spelling(statement->scope));
	oclmm_text_add(text, ");");
}

static void print_barrier(struct oclmm_text *text, const struct oclmm_statement *statement)
{
	if (statement->label)
		oclmm_text_printf(text, "%s: ", statement->label);
	oclmm_text_printf(text, "%s(", statement->spelling);
	print_flags(text, statement->flags);
	if (statement->scope_written)
		oclmm_print_argument(text, oclmm_scope_spelling(statement->scope));
	oclmm_text_add(text, ");");
}

void oclmm_print_simple(const struct oclmm_printer *printer,
                        const struct oclmm_statement *statement)
{
	struct oclmm_text *text = printer->text;

	switch (statement->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		oclmm_text_add(text, oclmm_print_register(printer, statement->reg));
		oclmm_text_add(text, " = ");
		oclmm_print_expression(printer, statement->expression);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_STORE:
		oclmm_print_object(printer, &statement->place);
		oclmm_text_add(text, " = ");
		oclmm_print_expression(printer, statement->expression);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_EVALUATE:
		oclmm_print_expression(printer, statement->expression);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_FENCE: print_fence(text, statement); break;
	case OCLMM_STATEMENT_BARRIER: print_barrier(text, statement); break;
	case OCLMM_STATEMENT_IF:
	case OCLMM_STATEMENT_WHILE: break;
	}
}

static void print_line(const struct oclmm_printer *printer,
                       const struct oclmm_statement *statement);

static void print_block(const struct oclmm_printer *printer, const struct oclmm_statement *first)
{
	oclmm_text_add(printer->text, "{");
	for (; first; first = first->next) {
		oclmm_text_add(printer->text, " ");
		print_line(printer, first);
	}
	oclmm_text_add(printer->text, " }");
}

static void print_line(const struct oclmm_printer *printer, const struct oclmm_statement *statement)
{
	if (statement->kind != OCLMM_STATEMENT_IF && statement->kind != OCLMM_STATEMENT_WHILE) {
		oclmm_print_simple(printer, statement);
		return;
	}
	oclmm_text_add(printer->text, statement->kind == OCLMM_STATEMENT_IF ? "if (" : "while (");
	oclmm_print_expression(printer, statement->expression);
	oclmm_text_add(printer->text, ") ");
	print_block(printer, statement->then_body);
	if (statement->else_body) {
		oclmm_text_add(printer->text, " else ");
		print_block(printer, statement->else_body);
	}
}

void oclmm_statement_print(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t thread, const struct oclmm_statement *statement)
{
	print_line(&(struct oclmm_printer){text, program, &program->threads[thread]}, statement);
}
