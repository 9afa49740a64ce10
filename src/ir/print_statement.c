// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <inttypes.h>
#include <string.h>

static void print_fence(struct oclmm_text *text, const struct oclmm_fence *fence)
{
	oclmm_text_add(text, fence->spelling);
	oclmm_text_add(text, "(");
	oclmm_text_add(text, oclmm_flags_spelling(fence->flags));
	/* mem_fence and its kin have no order of their own to write */
	if (!strcmp(fence->spelling, "atomic_work_item_fence"))
		oclmm_print_argument(text, oclmm_order_spelling(fence->order));
	if (fence->scope_written)
		oclmm_print_argument(text, oclmm_scope_spelling(fence->scope));
	oclmm_text_add(text, ");");
}

static void print_barrier(struct oclmm_text *text, const struct oclmm_barrier *barrier)
{
	if (barrier->label)
		oclmm_text_printf(text, "%s: ", barrier->label);
	oclmm_text_printf(text, "%s(", barrier->spelling);
	if (barrier->collective) {
		oclmm_text_printf(text, "%" PRId64 ");", barrier->operand);
		return;
	}
	oclmm_text_add(text, oclmm_flags_spelling(barrier->flags));
	if (barrier->scope_written)
		oclmm_print_argument(text, oclmm_scope_spelling(barrier->scope));
	oclmm_text_add(text, ");");
}

static void print_head(const struct oclmm_printer *printer, const char *keyword,
                       const struct oclmm_expression *condition)
{
	oclmm_text_printf(printer->text, "%s (", keyword);
	oclmm_print_expression(printer, condition);
	oclmm_text_add(printer->text, ")");
}

static void print_store(const struct oclmm_printer *printer, const struct oclmm_store *store)
{
	bool image = oclmm_location_is_image(&printer->program->locations[store->place.location]);

	if (image) {
		oclmm_text_add(printer->text, "write_imagei(");
		oclmm_print_element(printer, &store->place);
	} else {
		oclmm_print_object(printer, &store->place);
	}
	oclmm_text_add(printer->text, image ? ", (int4)(" : " = ");
	oclmm_print_expression(printer, store->value);
	oclmm_text_add(printer->text, image ? ", 0, 0, 0));" : ";");
}

void oclmm_print_statement(const struct oclmm_printer *printer,
                           const struct oclmm_statement *statement)
{
	struct oclmm_text *text = printer->text;

	switch (statement->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		oclmm_text_add(text, oclmm_print_register(printer, statement->assign.reg));
		oclmm_text_add(text, " = ");
		if (statement->assign.collective) {
			print_barrier(text, statement->assign.collective);
			break;
		}
		oclmm_print_expression(printer, statement->assign.value);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_STORE: print_store(printer, &statement->store); break;
	case OCLMM_STATEMENT_EVALUATE:
		oclmm_print_expression(printer, statement->effect);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_FENCE: print_fence(text, &statement->fence); break;
	case OCLMM_STATEMENT_BARRIER: print_barrier(text, &statement->barrier); break;
	case OCLMM_STATEMENT_COPY: oclmm_print_copy(printer, &statement->copy); break;
	case OCLMM_STATEMENT_WAIT: oclmm_print_wait(printer, &statement->wait); break;
	case OCLMM_STATEMENT_ENQUEUE: oclmm_print_enqueue(printer, &statement->enqueue); break;
	case OCLMM_STATEMENT_IF: print_head(printer, "if", statement->branch.condition); break;
	case OCLMM_STATEMENT_WHILE: print_head(printer, "while", statement->loop.condition); break;
	}
}

void oclmm_statement_print(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t thread, const struct oclmm_statement *statement)
{
	oclmm_print_statement(&(struct oclmm_printer){.text = text,
	                                              .program = program,
	                                              .thread = &program->threads[thread]},
	                      statement);
}
