// SPDX-License-Identifier: Apache-2.0
/* Programs as litmus files: each has one such text, which the reader reads back. */
#include "oclmm/ir.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Which line of the file a line of the text comes from. */
struct line_marks {
	struct line_mark {
		size_t at; /**< the line's first byte in the text */
		uint32_t line;
	} * marks;
	size_t count, capacity;
};

/** Where to print, and the thread whose registers are meant. */
struct printer {
	struct oclmm_text *text;
	const struct oclmm_program *program;
	const struct oclmm_thread *thread;
	struct line_marks *lines; /**< NULL: not needed */
	bool as_written;          /**< not in canonical form */
};

static const char *register_name(const struct printer *printer, uint32_t reg)
{
	return printer->thread->registers[reg].name;
}

static void print_argument(struct oclmm_text *text, const char *argument)
{
	oclmm_text_add(text, ", ");
	oclmm_text_add(text, argument);
}

/* ---- expressions ------------------------------------------------------- */

static void print_expression(const struct printer *printer,
                             const struct oclmm_expression *expression);

static bool is_negative(const struct oclmm_expression *expression)
{
	return expression->kind == OCLMM_EXPRESSION_CONSTANT && expression->constant < 0 &&
	       oclmm_type_is_signed(expression->type);
}

static bool is_operation(const struct oclmm_expression *expression)
{
	return expression->kind == OCLMM_EXPRESSION_BINARY ||
	       expression->kind == OCLMM_EXPRESSION_UNARY ||
	       expression->kind == OCLMM_EXPRESSION_CAST || is_negative(expression);
}

/*
 * Every operand that is an operation itself stands in parentheses, but for a
 * chain of one operator from the left: Dartagnan's precedence is not C's, and
 * the printed text has to mean the same to both.
 */
static void print_operand(const struct printer *printer, const struct oclmm_expression *operand,
                          bool chained)
{
	bool enclosed = !chained && is_operation(operand);

	if (enclosed)
		oclmm_text_add(printer->text, "(");
	print_expression(printer, operand);
	if (enclosed)
		oclmm_text_add(printer->text, ")");
}

/* With the suffix that gives a decimal constant its type again (C99 6.4.4.1): a signed one that an
 * int cannot hold has none. */
static void print_constant(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	const char *suffix = oclmm_type_suffix(type);

	oclmm_value_print(text, type, value);
	if (oclmm_type_is_floating(type) && !oclmm_value_is_whole(type, value))
		return;
	if (oclmm_type_is_floating(type))
		oclmm_text_add(text, ".0");
	else if (oclmm_type_is_signed(type) && !oclmm_value_fits(type, value, OCLMM_TYPE_INT))
		return;
	for (; *suffix; suffix++)
		oclmm_text_add_bytes(text, &(char){(char)tolower((unsigned char)*suffix)}, 1);
}

static void print_element(const struct printer *printer, const struct oclmm_place *place)
{
	oclmm_text_printf(printer->text, "%s, ", printer->program->locations[place->location].name);
	if (place->index)
		print_expression(printer, place->index);
	else
		oclmm_text_add(printer->text, "0");
}

static bool is_subscripted(const struct printer *printer, const struct oclmm_place *place)
{
	return printer->as_written && place->subscripted;
}

/* An object as C's lvalue: `*x`, `a[1]`. */
static void print_object(const struct printer *printer, const struct oclmm_place *place)
{
	const char *name = printer->program->locations[place->location].name;

	if (oclmm_location_is_image(&printer->program->locations[place->location])) {
		oclmm_text_add(printer->text, "read_imagei(");
		print_element(printer, place);
		oclmm_text_add(printer->text, ").x");
		return;
	}
	if (!place->index && !is_subscripted(printer, place)) {
		oclmm_text_add(printer->text, "*");
		oclmm_text_add(printer->text, name);
		return;
	}
	oclmm_text_printf(printer->text, "%s[", name);
	if (place->index)
		print_expression(printer, place->index);
	else
		oclmm_text_add(printer->text, "0");
	oclmm_text_add(printer->text, "]");
}

static void print_pointer(const struct printer *printer, const struct oclmm_place *place)
{
	if (!place->index && !is_subscripted(printer, place)) {
		oclmm_text_add(printer->text, printer->program->locations[place->location].name);
		return;
	}
	oclmm_text_add(printer->text, "&");
	print_object(printer, place);
}

/* The 1.x functions that step by one take no operand (C:6.15.12.8). */
static bool steps_by_one(const struct oclmm_atomic *atomic)
{
	size_t length = strlen(atomic->spelling);

	return atomic->legacy && length > 4 &&
	       (!strcmp(atomic->spelling + length - 4, "_inc") ||
	        !strcmp(atomic->spelling + length - 4, "_dec"));
}

/* What a compare-exchange compares with: a pointer since 2.0, a value before. */
static void print_comparand(const struct printer *printer, const struct oclmm_atomic *atomic)
{
	oclmm_text_add(printer->text, ", ");
	switch (atomic->comparand.kind) {
	case OCLMM_COMPARAND_NONE: break;
	case OCLMM_COMPARAND_REGISTER:
		oclmm_text_add(printer->text, "&");
		oclmm_text_add(printer->text, register_name(printer, atomic->comparand.reg));
		break;
	case OCLMM_COMPARAND_MEMORY: print_pointer(printer, &atomic->comparand.place); break;
	case OCLMM_COMPARAND_VALUE: print_expression(printer, atomic->comparand.value); break;
	}
}

static void print_atomic(const struct printer *printer, const struct oclmm_atomic *atomic)
{
	struct oclmm_text *text = printer->text;

	oclmm_text_add(text, atomic->spelling);
	oclmm_text_add(text, "(");
	print_pointer(printer, &atomic->object);
	if (oclmm_operation_is_cas(atomic->op))
		print_comparand(printer, atomic);
	if (atomic->operand && !steps_by_one(atomic)) {
		oclmm_text_add(text, ", ");
		print_expression(printer, atomic->operand);
	}
	if (atomic->order_written)
		print_argument(text, oclmm_order_spelling(atomic->order));
	if (atomic->order_written && oclmm_operation_is_cas(atomic->op))
		print_argument(text, oclmm_order_spelling(atomic->failure));
	if (atomic->scope_written)
		print_argument(text, oclmm_scope_spelling(atomic->scope));
	oclmm_text_add(text, ")");
}

static void print_binary(const struct printer *printer, const struct oclmm_binary *binary)
{
	const struct oclmm_expression *left = binary->left;
	bool chained = left->kind == OCLMM_EXPRESSION_BINARY && left->binary.op == binary->op;

	print_operand(printer, left, chained);
	oclmm_text_printf(printer->text, " %s ", oclmm_operator_spelling(binary->op));
	print_operand(printer, binary->right, false);
}

static void print_expression(const struct printer *printer,
                             const struct oclmm_expression *expression)
{
	struct oclmm_text *text = printer->text;

	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
		print_constant(text, expression->type, expression->constant);
		break;
	case OCLMM_EXPRESSION_REGISTER:
		oclmm_text_add(text, register_name(printer, expression->reg));
		break;
	case OCLMM_EXPRESSION_LOAD: print_object(printer, &expression->load); break;
	case OCLMM_EXPRESSION_ATOMIC: print_atomic(printer, expression->atomic); break;
	case OCLMM_EXPRESSION_UNARY:
		oclmm_text_add(text, oclmm_operator_spelling(expression->unary.op));
		print_operand(printer, expression->unary.operand, false);
		break;
	case OCLMM_EXPRESSION_BINARY: print_binary(printer, &expression->binary); break;
	case OCLMM_EXPRESSION_CAST:
		oclmm_text_printf(text, "(%s)", oclmm_type_spelling(expression->type, false));
		print_operand(printer, expression->cast, false);
		break;
	}
}

/* ---- statements -------------------------------------------------------- */

static void print_fence(struct oclmm_text *text, const struct oclmm_fence *fence)
{
	oclmm_text_add(text, fence->spelling);
	oclmm_text_add(text, "(");
	oclmm_text_add(text, oclmm_flags_spelling(fence->flags));
	/* mem_fence and its kin have no order of their own to write */
	if (!strcmp(fence->spelling, "atomic_work_item_fence"))
		print_argument(text, oclmm_order_spelling(fence->order));
	if (fence->scope_written)
		print_argument(text, oclmm_scope_spelling(fence->scope));
	oclmm_text_add(text, ");");
}

static void print_barrier(const struct printer *printer, const struct oclmm_barrier *barrier)
{
	struct oclmm_text *text = printer->text;

	if (barrier->label)
		oclmm_text_printf(text, "%s: ", barrier->label);
	oclmm_text_printf(text, "%s(", barrier->spelling);
	if (barrier->value) {
		print_expression(printer, barrier->value);
		if (barrier->from) {
			oclmm_text_add(text, ", ");
			print_expression(printer, barrier->from);
		}
		oclmm_text_add(text, ");");
		return;
	}
	if (barrier->collective) {
		oclmm_text_printf(text, "%" PRId64 ");", barrier->operand);
		return;
	}
	oclmm_text_add(text, oclmm_flags_spelling(barrier->flags));
	if (barrier->scope_written)
		print_argument(text, oclmm_scope_spelling(barrier->scope));
	oclmm_text_add(text, ");");
}

static void print_head(const struct printer *printer, const char *keyword,
                       const struct oclmm_expression *condition)
{
	oclmm_text_printf(printer->text, "%s (", keyword);
	print_expression(printer, condition);
	oclmm_text_add(printer->text, ")");
}

static void print_store(const struct printer *printer, const struct oclmm_store *store)
{
	bool image = oclmm_location_is_image(&printer->program->locations[store->place.location]);

	if (image) {
		oclmm_text_add(printer->text, "write_imagei(");
		print_element(printer, &store->place);
	} else {
		print_object(printer, &store->place);
	}
	oclmm_text_add(printer->text, image ? ", (int4)(" : " = ");
	print_expression(printer, store->value);
	oclmm_text_add(printer->text, image ? ", 0, 0, 0));" : ";");
}

/* `event_t e = async_work_group_copy(l, x, 1, 0);` */
static void print_copy(const struct printer *printer, const struct oclmm_copy *copy)
{
	const char *event = printer->thread->events[copy->event];

	oclmm_text_printf(printer->text, "%s%s = %s(", copy->joins ? "" : "event_t ", event,
	                  copy->spelling);
	print_pointer(printer, &copy->to);
	oclmm_text_add(printer->text, ", ");
	print_pointer(printer, &copy->from);
	oclmm_text_printf(printer->text, ", %u", copy->count);
	if (copy->strided)
		oclmm_text_printf(printer->text, ", %u", copy->stride);
	oclmm_text_printf(printer->text, ", %s);", copy->joins ? event : "0");
}

static void print_wait(const struct printer *printer, const struct oclmm_wait *wait)
{
	oclmm_text_printf(printer->text, "wait_group_events(1, &%s);",
	                  printer->thread->events[wait->event]);
}

static void print_waits(const struct printer *printer, const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_enqueue *before;
	uint32_t parent;

	if (!enqueue->after && !enqueue->event)
		return;
	if (enqueue->after) {
		before = oclmm_find_enqueue(printer->program, enqueue->after - 1, &parent);
		oclmm_text_printf(printer->text, "1, &%s, ", before->event);
	} else {
		oclmm_text_add(printer->text, "0, NULL, ");
	}
	oclmm_text_printf(printer->text, enqueue->event ? "&%s, " : "NULL, ", enqueue->event);
}

/* `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ P1(x); });` */
static void print_enqueue(const struct printer *printer, const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_thread *child = &printer->program->threads[enqueue->child];

	if (enqueue->event)
		oclmm_text_printf(printer->text, "clk_event_t %s; ", enqueue->event);
	oclmm_text_printf(printer->text, "enqueue_kernel(get_default_queue(), %s, ndrange_1D(1), ",
	                  oclmm_enqueue_spelling(enqueue->flag));
	print_waits(printer, enqueue);
	oclmm_text_printf(printer->text, "^{ P%u(", child->id);
	for (uint32_t i = 0; i < child->parameter_count; i++)
		oclmm_text_printf(printer->text, "%s%s", i ? ", " : "",
		                  printer->program->locations[child->parameters[i].location].name);
	oclmm_text_add(printer->text, "); });");
}

static void print_statement(const struct printer *printer, const struct oclmm_statement *statement)
{
	struct oclmm_text *text = printer->text;

	switch (statement->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		oclmm_text_add(text, register_name(printer, statement->assign.reg));
		oclmm_text_add(text, " = ");
		if (statement->assign.collective) {
			print_barrier(printer, statement->assign.collective);
			break;
		}
		print_expression(printer, statement->assign.value);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_STORE: print_store(printer, &statement->store); break;
	case OCLMM_STATEMENT_EVALUATE:
		print_expression(printer, statement->effect);
		oclmm_text_add(text, ";");
		break;
	case OCLMM_STATEMENT_FENCE: print_fence(text, &statement->fence); break;
	case OCLMM_STATEMENT_BARRIER: print_barrier(printer, &statement->barrier); break;
	case OCLMM_STATEMENT_COPY: print_copy(printer, &statement->copy); break;
	case OCLMM_STATEMENT_WAIT: print_wait(printer, &statement->wait); break;
	case OCLMM_STATEMENT_ENQUEUE: print_enqueue(printer, &statement->enqueue); break;
	case OCLMM_STATEMENT_CLOCK:
		oclmm_text_printf(text, "%s();", statement->clock.spelling);
		break;
	case OCLMM_STATEMENT_IF: print_head(printer, "if", statement->branch.condition); break;
	case OCLMM_STATEMENT_WHILE: print_head(printer, "while", statement->loop.condition); break;
	}
}

void oclmm_statement_print(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t thread, const struct oclmm_statement *statement)
{
	print_statement(&(struct printer){.text = text,
	                                  .program = program,
	                                  .thread = &program->threads[thread],
	                                  .as_written = true},
	                statement);
}

/* ---- threads ----------------------------------------------------------- */

static void print_parameters(const struct printer *printer)
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

static void print_command(const struct printer *printer, const struct oclmm_command *command)
{
	struct oclmm_text *text = printer->text;

	oclmm_text_add(text, oclmm_command_word(command->kind));
	/* both are what a map is for where nothing is said */
	if (command->map == OCLMM_MAP_READ)
		oclmm_text_add(text, ", read");
	else if (command->map == OCLMM_MAP_WRITE)
		oclmm_text_add(text, ", write");
	else if (command->map == OCLMM_MAP_INVALIDATE)
		oclmm_text_add(text, ", invalidate");
	if (oclmm_command_is_queued(command->kind))
		oclmm_text_printf(text, ", %s %u", command->unordered ? "unordered" : "queue",
		                  command->queue);
	if (command->device)
		oclmm_text_printf(text, ", dev %u", command->device);
	if (command->sub)
		oclmm_text_printf(text, ", sub %u", command->sub - 1);
	oclmm_text_add(text, command->buffer ? ", buffer" : "");
	if (command->recording)
		oclmm_text_printf(text, ", recording %u", command->recording - 1);
	if (command->again)
		oclmm_text_printf(text, ", again %u",
		                  printer->program->threads[command->again - 1].id);
	oclmm_text_add(text, command->misses & OCLMM_LAUNCH_OFFSET ? ", global_work_offset" : "");
	oclmm_text_add(text, command->misses & OCLMM_LAUNCH_SIZE ? ", global_work_size" : "");
	oclmm_text_add(text, command->misses & OCLMM_LAUNCH_LOCAL ? ", local_work_size" : "");
	oclmm_text_add(text, command->address ? ", address" : "");
	oclmm_text_add(text, command->context ? ", context" : "");
	oclmm_text_add(text, command->indirect ? ", indirect" : "");
	oclmm_text_add(text, command->rect ? ", rect" : "");
	oclmm_text_add(text, command->blocking ? ", blocking" : "");
	print_set(text, printer->program, "after", command->after);
	print_set(text, printer->program, "wait", command->waits);
	print_set(text, printer->program, "callback", command->callbacks);
	print_set(text, printer->program, "poll", command->polls);
	print_set(text, NULL, "finish", command->finishes);
	print_set(text, NULL, "flush", command->flushes);
	print_set(text, NULL, "semaphore", command->semaphores);
}

/* What is printed next begins a line of the text, and stands in this one of the file. */
static void mark(const struct printer *printer, const struct oclmm_position *position)
{
	struct line_marks *lines = printer->lines;

	if (!lines || !position->line)
		return;
	oclmm_grow(&lines->marks, &lines->capacity, lines->count, sizeof(*lines->marks));
	lines->marks[lines->count++] = (struct line_mark){printer->text->length, position->line};
}

static void print_thread_head(const struct printer *printer)
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
static void print_declaration(const struct printer *printer, uint32_t reg, bool *declared)
{
	if (declared[reg])
		return;
	oclmm_text_add(printer->text, oclmm_type_name(printer->thread->registers[reg].type));
	oclmm_text_add(printer->text, " ");
	declared[reg] = true;
}

static void print_body(const struct printer *printer, const struct oclmm_statement *statement,
                       unsigned depth, bool *declared);

static void print_block(const struct printer *printer, const struct oclmm_statement *body,
                        unsigned depth, bool *declared)
{
	oclmm_text_add(printer->text, " {\n");
	print_body(printer, body, depth + 1, declared);
	indent(printer->text, depth);
	oclmm_text_add(printer->text, "}");
}

static void print_body(const struct printer *printer, const struct oclmm_statement *statement,
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
		print_statement(printer, statement);
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

static void print_declarations(const struct printer *printer, bool *declared)
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
static void print_inside(const struct printer *printer)
{
	bool *declared = oclmm_calloc(printer->thread->register_count + 1, sizeof(*declared));

	print_declarations(printer, declared);
	print_body(printer, printer->thread->body, 1, declared);
	free(declared);
}

static void print_thread(const struct printer *printer)
{
	print_thread_head(printer);
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
		const struct printer printer = {.text = &texts[i],
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

/* ---- loops ------------------------------------------------------------ */

static int find_unroll(void *data, const struct oclmm_statement *statement)
{
	uint32_t *bound = data;

	if (statement->kind == OCLMM_STATEMENT_WHILE && statement->loop.unroll > *bound)
		*bound = statement->loop.unroll;
	return 0;
}

/* One line gives the bound of all loops, since all come from one line. */
static void print_unroll(struct oclmm_text *text, const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_unroll};
	uint32_t bound = 0;

	for (uint32_t i = 0; i < program->thread_count; i++)
		oclmm_visit_body(&visitor, program->threads[i].body, &bound);
	if (bound)
		oclmm_text_printf(text, "unroll %u\n\n", bound);
}

/* ---- the initial state ------------------------------------------------- */

static bool is_parameter(const struct oclmm_program *program, uint32_t location)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		for (uint32_t k = 0; k < program->threads[i].parameter_count; k++) {
			if (program->threads[i].parameters[k].location == location)
				return true;
		}
	}
	return false;
}

/* How many initial values of an array are written; those behind them are zeros. Of shorter arrays
 * all are, as they always were, for hashes depend on it. */
static uint32_t count_written(const struct oclmm_location *location)
{
	uint32_t count = location->elements;

	while (location->elements > OCLMM_LISTED_ELEMENTS && count > 1 &&
	       location->initial[count - 1] == 0)
		count--;
	return count;
}

static void print_location(struct oclmm_text *text, const struct oclmm_program *program,
                           uint32_t index)
{
	const struct oclmm_location *location = &program->locations[index];
	const char *word = oclmm_storage_word(location->storage);

	oclmm_text_printf(text, "%s%s", word, *word ? " " : "");
	/* elsewhere the parameters tell the type */
	if (!is_parameter(program, index) && (location->type != OCLMM_TYPE_INT || location->atomic))
		oclmm_text_printf(text, "%s ",
		                  oclmm_type_spelling(location->type, location->atomic));
	/* a local object has no value until somebody writes one */
	if (program->shared && location->space == OCLMM_SPACE_LOCAL && !location->is_given) {
		oclmm_text_printf(text, location->is_array ? "%s[%u]" : "[%s]", location->name,
		                  location->elements);
	} else if (!location->is_array) {
		oclmm_text_add(text, "[");
		oclmm_text_add(text, location->name);
		oclmm_text_add(text, "] = ");
		oclmm_value_print(text, location->type, location->initial[0]);
	} else {
		uint32_t written = count_written(location);

		oclmm_text_printf(text, "%s[%u] = {", location->name, location->elements);
		for (uint32_t i = 0; i < written; i++) {
			oclmm_text_add(text, i ? ", " : "");
			oclmm_value_print(text, location->type, location->initial[i]);
		}
		oclmm_text_add(text, "}");
	}
	oclmm_text_add(text, ";\n");
}

/* Of the arguments that a shared text takes by value. */
static void print_values(struct oclmm_text *text, const struct oclmm_shared_text *shared)
{
	for (uint32_t i = 0; i < shared->parameter_count; i++) {
		const struct oclmm_shared_parameter *p = &shared->parameters[i];

		if (!p->by_value)
			continue;
		oclmm_text_printf(text, "%s = ", p->name);
		oclmm_value_print(text, p->type, p->value);
		oclmm_text_add(text, ";\n");
	}
}

static void print_init(struct oclmm_text *text, const struct oclmm_program *program)
{
	oclmm_text_add(text, "{\n");
	for (uint32_t i = 0; i < program->location_count; i++)
		if (!program->locations[i].copy_of)
			print_location(text, program, i);
	if (program->shared)
		print_values(text, program->shared);
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (uint32_t k = 0; k < thread->register_count; k++) {
			const struct oclmm_register *reg = &thread->registers[k];

			if (!reg->has_initial)
				continue;
			oclmm_text_printf(text, "%s %u:%s = ", oclmm_type_name(reg->type),
			                  thread->id, reg->name);
			oclmm_value_print(text, reg->type, reg->initial);
			oclmm_text_add(text, ";\n");
		}
	}
	oclmm_text_add(text, "}\n");
}

/* ---- what is observed -------------------------------------------------- */

/* Whether the conditions name the observables for the first time in the program's order; `*next`
 * is the one that has to come next. */
static bool mention(const struct oclmm_operand *operand, uint32_t *next)
{
	if (operand->is_constant || operand->observable < *next)
		return true;
	return operand->observable == (*next)++;
}

static bool mentions_in_order(const struct oclmm_condition *condition, uint32_t *next)
{
	if (!condition)
		return true;
	if (condition->kind == OCLMM_CONDITION_COMPARE)
		return mention(&condition->a, next) && mention(&condition->b, next);
	return mentions_in_order(condition->left, next) &&
	       mentions_in_order(condition->right, next);
}

static bool is_element(const struct oclmm_observable *o, uint32_t location)
{
	return !o->is_register && o->location == location;
}

/* How many observables from the `first` on are what a long array's name stands for in a list: the
 * elements that none before it is, in their order, to the last one. 0: they are not. */
static uint32_t count_by_array(const struct oclmm_program *program, uint32_t first)
{
	const struct oclmm_observable *o = &program->observables[first];
	uint32_t elements, before = 0;

	if (o->is_register)
		return 0;
	elements = program->locations[o->location].elements;
	if (elements <= OCLMM_LISTED_ELEMENTS ||
	    program->observable_count - first < elements - o->element)
		return 0;
	for (uint32_t i = 0; i < first; i++)
		before += is_element(&program->observables[i], o->location);
	if (before != o->element)
		return 0;
	for (uint32_t i = 1; i < elements - o->element; i++)
		if (!is_element(&o[i], o->location) || o[i].element != o->element + i)
			return 0;
	return elements - o->element;
}

/* Outcomes are tuples in the order of the observables. Where the conditions
 * alone would not give that order back, a `locations` line says it. */
static void print_observed(struct oclmm_text *text, const struct oclmm_program *program)
{
	uint32_t next = 0;

	if (mentions_in_order(program->condition, &next) &&
	    mentions_in_order(program->filter, &next) && next == program->observable_count)
		return;
	oclmm_text_add(text, "locations [");
	for (uint32_t i = 0; i < program->observable_count;) {
		const struct oclmm_observable *o = &program->observables[i];
		uint32_t count = count_by_array(program, i);

		oclmm_text_printf(text, "%s%s;", i ? " " : "",
		                  count ? program->locations[o->location].name : o->name);
		i += count ? count : 1;
	}
	oclmm_text_add(text, "]\n");
}

const char *oclmm_quantifier_word(enum oclmm_quantifier quantifier)
{
	static const char *const words[] = {
		[OCLMM_QUANTIFIER_EXISTS] = "exists",
		[OCLMM_QUANTIFIER_NOT_EXISTS] = "~exists",
		[OCLMM_QUANTIFIER_FORALL] = "forall",
	};

	return words[quantifier];
}

void oclmm_final_print(struct oclmm_text *text, const struct oclmm_program *program)
{
	oclmm_text_printf(text, "%s (", oclmm_quantifier_word(program->quantifier));
	oclmm_condition_print(text, program, program->condition);
	oclmm_text_add(text, ")");
}

static void print_final(struct oclmm_text *text, const struct oclmm_program *program)
{
	oclmm_text_add(text, "\n");
	print_observed(text, program);
	if (program->filter) {
		oclmm_text_add(text, "filter (");
		oclmm_condition_print(text, program, program->filter);
		oclmm_text_add(text, ")\n");
	}
	oclmm_final_print(text, program);
	oclmm_text_add(text, "\n");
}

/* ---- a text that work-items share --------------------------------------- */

static void print_ranges(struct oclmm_text *text, const struct oclmm_shared_text *shared,
                         const char *word, const uint32_t *counts)
{
	oclmm_text_add(text, word);
	for (uint32_t d = 0; d < shared->dimensions; d++)
		oclmm_text_printf(text, "%s0..%u", d ? " x " : " ", counts[d] - 1);
}

static void print_shared_head(struct oclmm_text *text, const struct oclmm_shared_text *shared)
{
	oclmm_text_add(text, "kernel@");
	print_ranges(text, shared, "wg", shared->groups);
	oclmm_text_add(text, ", ");
	print_ranges(text, shared, "li", shared->items);
	for (uint32_t d = 0; shared->offset_given && d < shared->dimensions; d++)
		oclmm_text_printf(text, "%s %u", d ? " x" : ", offset", shared->offset[d]);
	oclmm_text_add(text, " (");
	for (uint32_t i = 0; i < shared->parameter_count; i++)
		oclmm_text_printf(text, "%s%s%s", i ? ", " : "", shared->parameters[i].words,
		                  shared->parameters[i].name);
	oclmm_text_add(text, ")");
}

static void print_shared(struct oclmm_text *text, const struct oclmm_shared_text *shared)
{
	oclmm_text_add(text, shared->before);
	print_shared_head(text, shared);
	oclmm_text_add(text, " {\n");
	oclmm_text_add(text, shared->body);
	oclmm_text_add(text, "}\n");
}

static void print_all(struct oclmm_text *text, const struct oclmm_program *program,
                      struct line_marks *lines)
{
	oclmm_text_printf(text, "OPENCL %s\n\n", program->name);
	if (!program->shared)
		print_unroll(text, program);
	else if (program->shared->unroll)
		oclmm_text_printf(text, "unroll %u\n\n", program->shared->unroll);
	print_init(text, program);
	if (program->shared) {
		print_shared(text, program->shared);
		print_final(text, program);
		return;
	}
	for (uint32_t i = 0; i < program->thread_count; i++)
		print_thread(&(struct printer){.text = text,
		                               .program = program,
		                               .thread = &program->threads[i],
		                               .lines = lines});
	print_final(text, program);
}

void oclmm_program_print(struct oclmm_text *text, const struct oclmm_program *program)
{
	print_all(text, program, NULL);
}

void oclmm_program_print_numbered(struct oclmm_text *text, const struct oclmm_program *program)
{
	struct line_marks lines = {0};
	struct oclmm_text plain = {0};
	const char *start, *line;
	size_t next = 0;

	print_all(&plain, program, &lines);
	start = oclmm_text_string(&plain);
	for (line = start; *line; line += strcspn(line, "\n") + 1) {
		int length = (int)strcspn(line, "\n");
		bool marked = next < lines.count && lines.marks[next].at == (size_t)(line - start);

		if (marked)
			oclmm_text_printf(text, "%4u  ", lines.marks[next++].line);
		else if (length)
			oclmm_text_add(text, "      ");
		oclmm_text_printf(text, "%.*s\n", length, line);
	}
	free(lines.marks);
	oclmm_text_finish(&plain);
}

/* The name stands in the first line; the rest is what the test means. */
uint64_t oclmm_program_hash(const struct oclmm_program *program)
{
	struct oclmm_text text = {0};
	const char *rest;
	uint64_t hash;

	oclmm_program_print(&text, program);
	rest = strchr(oclmm_text_string(&text), '\n');
	hash = oclmm_hash(rest, strlen(rest));
	oclmm_text_finish(&text);
	return hash;
}
