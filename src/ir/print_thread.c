// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <stdlib.h>

static void print_parameters(const struct oclmm_printer *printer)
{
	const struct oclmm_thread *thread = printer->thread;

	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		const struct oclmm_parameter *parameter = &thread->parameters[i];
		const struct oclmm_location *location =
			&printer->program->locations[parameter->location];

		oclmm_text_add(printer->text, i ? ", " : "");
		if (oclmm_location_is_image(location)) {
			oclmm_text_printf(printer->text, "%s ", OCLMM_IMAGE_SPELLING);
			oclmm_text_add(printer->text, location->name);
			continue;
		}
		if (parameter->is_volatile)
			oclmm_text_add(printer->text, "volatile ");
		if (!parameter->generic) {
			oclmm_text_add(printer->text, oclmm_space_spelling(location->space));
			oclmm_text_add(printer->text, " ");
		}
		oclmm_text_add(printer->text,
		               oclmm_type_spelling(parameter->type, parameter->atomic));
		oclmm_text_add(printer->text, " *");
		oclmm_text_add(printer->text, location->name);
	}
}

static void print_set(struct oclmm_text *text, const struct oclmm_program *program,
                      const char *word, uint32_t set)
{
	for (uint32_t i = 0; set >> i; i++) {
		if (set >> i & 1)
			oclmm_text_printf(text, ", %s %u", word,
			                  program ? program->threads[i].id : i);
	}
}

static void print_command(const struct oclmm_printer *printer, const struct oclmm_command *command)
{
	struct oclmm_text *text = printer->text;

	oclmm_text_add(text, oclmm_command_word(command->kind));
	if (oclmm_command_is_queued(command->kind))
		oclmm_text_printf(text, ", %s %u", command->unordered ? "unordered" : "queue",
		                  command->queue);
	if (command->device)
		oclmm_text_printf(text, ", dev %u", command->device);
	if (command->sub)
		oclmm_text_printf(text, ", sub %u", command->sub - 1);
	oclmm_text_add(text, command->blocking ? ", blocking" : "");
	print_set(text, printer->program, "wait", command->waits);
	print_set(text, printer->program, "callback", command->callbacks);
	print_set(text, printer->program, "poll", command->polls);
	print_set(text, NULL, "finish", command->finishes);
	print_set(text, NULL, "flush", command->flushes);
}

/* What is printed next begins a line of the text, and stands in this one of the file. */
static void mark(const struct oclmm_printer *printer, const struct oclmm_position *position)
{
	struct oclmm_line_marks *lines = printer->lines;

	if (!lines || !position->line)
		return;
	oclmm_grow(&lines->marks, &lines->capacity, lines->count, sizeof(*lines->marks));
	lines->marks[lines->count++] = (struct oclmm_line_mark){printer->text->length,
	                                                        position->line};
}

static void print_head(const struct oclmm_printer *printer)
{
	const struct oclmm_thread *thread = printer->thread;
	const struct oclmm_placement *placement = &thread->placement;

	oclmm_text_add(printer->text, "\n");
	mark(printer, &thread->position);
	oclmm_text_printf(printer->text, "P%u@", thread->id);
	if (placement->command.kind)
		print_command(printer, &placement->command);
	else
		oclmm_placement_print(printer->text, placement);
	oclmm_text_add(printer->text, " (");
	print_parameters(printer);
	oclmm_text_add(printer->text, ") {\n");
}

static void indent(struct oclmm_text *text, unsigned depth)
{
	while (depth--)
		oclmm_text_add(text, "  ");
}

struct search {
	uint32_t reg;
	const struct oclmm_statement *found;
};

static int find_assignment(void *data, const struct oclmm_statement *statement)
{
	struct search *search = data;

	if (statement->kind != OCLMM_STATEMENT_ASSIGN || statement->assign.reg != search->reg)
		return 0;
	search->found = statement;
	return 1;
}

/* Whether the first assignment to a register stands at top level. */
static bool declared_in_place(const struct oclmm_statement *body, uint32_t reg)
{
	static const struct oclmm_visitor visitor = {.statement = find_assignment};
	struct search search = {.reg = reg};

	oclmm_visit_body(&visitor, body, &search);
	while (body && body != search.found)
		body = body->next;
	return body != NULL;
}

/*
 * The program does not keep where a register was declared. The first
 * assignment declares it when it stands at top level, where every later use
 * sees it; any other register is declared at the head of the thread.
 */
static void print_declaration(const struct oclmm_printer *printer, uint32_t reg, bool *declared)
{
	if (declared[reg])
		return;
	oclmm_text_add(printer->text, oclmm_type_name(printer->thread->registers[reg].type));
	oclmm_text_add(printer->text, " ");
	declared[reg] = true;
}

static void print_body(const struct oclmm_printer *printer, const struct oclmm_statement *statement,
                       unsigned depth, bool *declared);

static void print_block(const struct oclmm_printer *printer, const struct oclmm_statement *body,
                        unsigned depth, bool *declared)
{
	oclmm_text_add(printer->text, " {\n");
	print_body(printer, body, depth + 1, declared);
	indent(printer->text, depth);
	oclmm_text_add(printer->text, "}");
}

static void print_body(const struct oclmm_printer *printer, const struct oclmm_statement *statement,
                       unsigned depth, bool *declared)
{
	for (; statement; statement = statement->next) {
		/* it stands in the assignment of its result */
		if (statement->kind == OCLMM_STATEMENT_BARRIER && statement->barrier.assigns)
			continue;
		mark(printer, &statement->position);
		indent(printer->text, depth);
		if (statement->kind == OCLMM_STATEMENT_ASSIGN)
			print_declaration(printer, statement->assign.reg, declared);
		oclmm_print_statement(printer, statement);
		if (statement->kind == OCLMM_STATEMENT_WHILE)
			print_block(printer, statement->loop.body, depth, declared);
		if (statement->kind == OCLMM_STATEMENT_IF)
			print_block(printer, statement->branch.then_body, depth, declared);
		if (statement->kind == OCLMM_STATEMENT_IF && statement->branch.else_body) {
			oclmm_text_add(printer->text, " else");
			print_block(printer, statement->branch.else_body, depth, declared);
		}
		oclmm_text_add(printer->text, "\n");
	}
}

static void print_declarations(const struct oclmm_printer *printer, bool *declared)
{
	const struct oclmm_thread *thread = printer->thread;

	for (uint32_t i = 0; i < thread->register_count; i++) {
		/* the init block declares those it gives a value */
		declared[i] = thread->registers[i].has_initial;
		if (declared[i] || declared_in_place(thread->body, i))
			continue;
		oclmm_text_printf(printer->text, "  %s %s;\n",
		                  oclmm_type_name(thread->registers[i].type),
		                  thread->registers[i].name);
		declared[i] = true;
	}
}

/* What it declares and does. */
static void print_inside(const struct oclmm_printer *printer)
{
	bool *declared = oclmm_calloc(printer->thread->register_count + 1, sizeof(*declared));

	print_declarations(printer, declared);
	print_body(printer, printer->thread->body, 1, declared);
	free(declared);
}

void oclmm_print_thread(const struct oclmm_printer *printer)
{
	print_head(printer);
	print_inside(printer);
	oclmm_text_add(printer->text, "}\n");
}

static bool same_registers(const struct oclmm_thread *a, const struct oclmm_thread *b)
{
	bool same = a->register_count == b->register_count;

	for (uint32_t i = 0; same && i < a->register_count; i++)
		same = a->registers[i].type == b->registers[i].type &&
		       oclmm_same_string(a->registers[i].name, b->registers[i].name);
	return same;
}

bool oclmm_same_thread(const struct oclmm_program *program, uint32_t a, uint32_t b)
{
	const struct oclmm_thread *threads[] = {&program->threads[a], &program->threads[b]};
	struct oclmm_text texts[2];
	bool same;

	for (int i = 0; i < 2; i++) {
		const struct oclmm_printer printer = {.text = &texts[i],
		                                      .program = program,
		                                      .thread = threads[i]};

		oclmm_text_init(&texts[i]);
		print_parameters(&printer);
		print_inside(&printer);
	}
	same = same_registers(threads[0], threads[1]) &&
	       oclmm_same_string(oclmm_text_string(&texts[0]), oclmm_text_string(&texts[1]));
	oclmm_text_finish(&texts[0]);
	oclmm_text_finish(&texts[1]);
	return same;
}
