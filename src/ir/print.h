// SPDX-License-Identifier: Apache-2.0
/* What the printers of expressions, statements and programs share. */
#ifndef OCLMM_IR_PRINT_H
#define OCLMM_IR_PRINT_H

#include "oclmm/ir.h"

/** Which line of the file a line of the text comes from. */
struct oclmm_line_marks {
	struct oclmm_line_mark {
		size_t at; /**< the line's first byte in the text */
		uint32_t line;
	} * marks;
	size_t count, capacity;
};

/** Where to print, and the thread whose registers are meant. */
struct oclmm_printer {
	struct oclmm_text *text;
	const struct oclmm_program *program;
	const struct oclmm_thread *thread;
	struct oclmm_line_marks *lines; /**< NULL: nobody asks */
};

static inline const char *oclmm_print_register(const struct oclmm_printer *printer, uint32_t reg)
{
	return printer->thread->registers[reg].name;
}

static inline void oclmm_print_argument(struct oclmm_text *text, const char *argument)
{
	oclmm_text_add(text, ", ");
	oclmm_text_add(text, argument);
}

/** Image and element, as the functions of images take them: `x, 0`. */
void oclmm_print_element(const struct oclmm_printer *printer, const struct oclmm_place *place);
/** An object as C's lvalue: `*x`, `a[1]`; of an image the value that is read there. */
void oclmm_print_object(const struct oclmm_printer *printer, const struct oclmm_place *place);
/** An object as a pointer argument: `x`, `&a[1]`. */
void oclmm_print_pointer(const struct oclmm_printer *printer, const struct oclmm_place *place);
/** Copies of a whole work-group, and the wait for them. */
void oclmm_print_copy(const struct oclmm_printer *printer, const struct oclmm_copy *copy);
void oclmm_print_wait(const struct oclmm_printer *printer, const struct oclmm_wait *wait);
/** `enqueue_kernel`, behind the declaration of the event that it gives. */
void oclmm_print_enqueue(const struct oclmm_printer *printer, const struct oclmm_enqueue *enqueue);
void oclmm_print_expression(const struct oclmm_printer *printer,
                            const struct oclmm_expression *expression);
/** A statement with its semicolon; of IF and WHILE the head, `if (r0)`. */
void oclmm_print_statement(const struct oclmm_printer *printer,
                           const struct oclmm_statement *statement);
/** A whole thread, `P0@wg 0, dev 0 (...) { ... }`. */
void oclmm_print_thread(const struct oclmm_printer *printer);

#endif
