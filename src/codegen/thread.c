// SPDX-License-Identifier: Apache-2.0
/*
 * A litmus thread becomes one function per segment between its barriers, and its registers a
 * structure that lives over them. The functions are small and called once or twice: every compiler
 * inlines them. An atomic call has the form that the program gives it: with order and scope,
 * without the scope, or without both.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- expressions ---- */

static void write_expression(const struct oclmm_writer *writer,
                             const struct oclmm_expression *expression);

static const struct oclmm_parameter *parameter_of(const struct oclmm_writer *writer,
                                                  uint32_t location)
{
	return oclmm_find_parameter(&writer->program->threads[writer->thread], location);
}

/* `volatile global ` as the thread's parameter has it; nothing for a generic pointer. */
static void write_qualifiers(const struct oclmm_writer *writer, uint32_t location, bool is_volatile)
{
	const struct oclmm_parameter *parameter = parameter_of(writer, location);

	if (is_volatile || (parameter && parameter->is_volatile))
		oclmm_put(writer, "volatile ");
	if (!writer->host && (!parameter || !parameter->generic))
		oclmm_put(writer, "%s ",
		          oclmm_space_spelling(writer->program->locations[location].space));
}

static bool declared_atomic(const struct oclmm_writer *writer, uint32_t location)
{
	const struct oclmm_parameter *parameter = parameter_of(writer, location);

	return parameter ? parameter->atomic : writer->program->locations[location].atomic;
}

/*
 * `at_a + index`; of an image the element's number, `pixel_a + index`. An index that is not
 * constant may come from a value that another thread wrote: it is held inside the array, so that no
 * instance can reach another one's memory.
 */
static void write_address(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	const struct oclmm_location *location = &writer->program->locations[place->location];

	if (oclmm_location_is_image(location))
		oclmm_write_object(writer, WRITE_PIXEL, place->location);
	else
		oclmm_write_location(writer, place->location);
	if (writer->turn)
		oclmm_put(writer, " + (%s & w->nothing)", writer->turn);
	if (!place->index)
		return;
	oclmm_put(writer, " + ");
	if (place->index->kind == OCLMM_EXPRESSION_CONSTANT &&
	    (uint64_t)place->index->constant < location->elements) {
		oclmm_put(writer, "%u", (unsigned)place->index->constant);
		return;
	}
	oclmm_put(writer, "min((uint)(");
	write_expression(writer, place->index);
	oclmm_put(writer, "), %uu)", location->elements - 1);
}

/* Registers are in a structure, or, where statements stand in a kernel, beside them. */
static void write_own_register(const struct oclmm_writer *writer, const char *prefix, uint32_t reg)
{
	oclmm_put(writer, "%s%s", prefix, writer->inlined ? "" : "r->");
	if (writer->inlined)
		oclmm_write_inlined_register(writer, writer->thread, reg);
	else
		oclmm_write_register(writer, writer->thread, reg);
}

/* `r->expected_int`, `expected_int_P1` */
static void write_expected_object(const struct oclmm_writer *writer, const char *type)
{
	if (writer->inlined)
		oclmm_put(writer, "expected_%s_P%u", type,
		          writer->program->threads[writer->thread].id);
	else
		oclmm_put(writer, "r->expected_%s", type);
}

/* A pointer to the object with the type that a function of this kind takes. */
static void write_pointer(const struct oclmm_writer *writer, const struct oclmm_place *place,
                          bool atomic, bool is_volatile)
{
	struct oclmm_text *text = writer->text;
	enum oclmm_type type = writer->program->locations[place->location].type;
	bool cast = declared_atomic(writer, place->location) != atomic || place->is_volatile;

	if (cast) {
		oclmm_text_add(text, "(");
		write_qualifiers(writer, place->location, is_volatile || place->is_volatile);
		oclmm_text_add(text, oclmm_type_spelling(type, atomic));
		oclmm_text_add(text, " *)");
	}
	if (cast && (place->index || writer->turn))
		oclmm_text_add(text, "(");
	write_address(writer, place);
	if (cast && (place->index || writer->turn))
		oclmm_text_add(text, ")");
}

/* Image and element: `at_x, pixel_x + 1`. */
static void write_element(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	oclmm_put(writer, writer->inlined ? "all_" : "");
	oclmm_write_location(writer, place->location);
	oclmm_put(writer, ", ");
	write_address(writer, place);
}

static void write_object(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	bool simple = !place->index && !declared_atomic(writer, place->location) &&
	              !place->is_volatile;

	oclmm_put(writer, simple ? "*" : "*(");
	write_pointer(writer, place, false, false);
	if (!simple)
		oclmm_put(writer, ")");
}

/* A plain read: an lvalue that may also be written, but for that of an image. */
static void write_load(const struct oclmm_writer *writer, const struct oclmm_place *place)
{
	if (!oclmm_location_is_image(&writer->program->locations[place->location])) {
		write_object(writer, place);
		return;
	}
	oclmm_put(writer, "read_imagei(");
	write_element(writer, place);
	oclmm_put(writer, ").x");
}

/* The 1.x functions that step by one take no operand (C:6.15.12.8). */
static bool steps_by_one(const char *spelling)
{
	size_t length = strlen(spelling);

	return length > 4 &&
	       (!strcmp(spelling + length - 4, "_inc") || !strcmp(spelling + length - 4, "_dec"));
}

static void write_legacy(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	struct oclmm_text *text = writer->text;

	oclmm_text_printf(text, "%s(", atomic->spelling);
	write_pointer(writer, &atomic->object, false, true);
	if (atomic->comparand.kind == OCLMM_COMPARAND_VALUE) {
		oclmm_text_add(text, ", ");
		write_expression(writer, atomic->comparand.value);
	}
	if (atomic->operand && !steps_by_one(atomic->spelling)) {
		oclmm_text_add(text, ", ");
		write_expression(writer, atomic->operand);
	}
	oclmm_text_add(text, ")");
}

/*
 * A call without order and scope stays one: compilers have other functions for
 * it. Not so where a program was made of another by changing the order.
 */
static bool is_short(const struct oclmm_atomic *atomic)
{
	return atomic->op == OCLMM_OP_INIT ||
	       (!atomic->order_written && atomic->order == OCLMM_ORDER_SEQ_CST &&
	        atomic->scope == OCLMM_SCOPE_DEVICE &&
	        (!oclmm_operation_is_cas(atomic->op) || atomic->failure == OCLMM_ORDER_SEQ_CST));
}

/* An order, and no scope: a form of its own as well, whose scope is the device. */
static bool is_unscoped(const struct oclmm_atomic *atomic)
{
	return atomic->order_written && !atomic->scope_written &&
	       atomic->scope == OCLMM_SCOPE_DEVICE;
}

/* The address of what a compare-exchange expects, a private object. */
static void write_expected(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY) {
		enum oclmm_type type = writer->program->locations[atomic->object.location].type;

		oclmm_put(writer, "&");
		write_expected_object(writer, oclmm_type_spelling(type, false));
	} else {
		write_own_register(writer, "&", atomic->comparand.reg);
	}
}

static void write_value(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	enum oclmm_type type = writer->program->locations[atomic->object.location].type;
	/* some headers have overloads between which an int cannot decide */
	bool wide = oclmm_type_bits(type) == 64;

	if (wide)
		oclmm_text_printf(writer->text, "(%s)(", oclmm_type_spelling(type, false));
	write_expression(writer, atomic->operand);
	oclmm_text_add(writer->text, wide ? ")" : "");
}

/* The call as it stands. */
static void write_call(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	struct oclmm_text *text = writer->text;
	bool cas = oclmm_operation_is_cas(atomic->op);

	oclmm_text_printf(text, "%s%s(", oclmm_operation_stem(atomic->op),
	                  is_short(atomic) ? "" : "_explicit");
	write_pointer(writer, &atomic->object, true, false);
	if (atomic->comparand.kind != OCLMM_COMPARAND_NONE) {
		oclmm_text_add(text, ", ");
		write_expected(writer, atomic);
	}
	if (atomic->operand) {
		oclmm_text_add(text, ", ");
		write_value(writer, atomic);
	}
	if (!is_short(atomic)) {
		oclmm_text_printf(text, ", %s", oclmm_order_spelling(atomic->order));
		if (cas)
			oclmm_text_printf(text, ", %s", oclmm_order_spelling(atomic->failure));
		if (!is_unscoped(atomic) && !writer->host)
			oclmm_text_printf(text, ", %s", oclmm_scope_spelling(atomic->scope));
	}
	oclmm_text_add(text, ")");
}

/* ---- calls that a change has marked as wrong ---- */

static const char *kind_of(const struct oclmm_atomic *atomic)
{
	if (atomic->legacy)
		return oclmm_operation_is_cas(atomic->op) ? "legacy_cas" : "legacy";
	switch (atomic->op) {
	case OCLMM_OP_LOAD: return "load";
	case OCLMM_OP_STORE: return "store";
	case OCLMM_OP_CAS_STRONG:
	case OCLMM_OP_CAS_WEAK: return "cas";
	case OCLMM_OP_FLAG_TEST_AND_SET: return "flag_set";
	case OCLMM_OP_FLAG_CLEAR: return "flag_clear";
	case OCLMM_OP_INIT: return "init";
	default: return "update";
	}
}

/* `add` of atomic_fetch_add; a store is an exchange whose result is not used. */
static const char *what_it_does(enum oclmm_operation op)
{
	const char *stem = oclmm_operation_stem(op) + strlen("atomic_");

	if (op == OCLMM_OP_STORE)
		return "exchange";
	return strncmp(stem, "fetch_", 6) == 0 ? stem + 6 : stem;
}

/* The order that a load or a store in the place of an operation has. */
static enum oclmm_order half_order(const struct oclmm_atomic *atomic, bool store)
{
	bool half = store ? oclmm_order_releases(atomic->order)
	                  : oclmm_order_acquires(atomic->order);

	if (atomic->order == OCLMM_ORDER_SEQ_CST)
		return OCLMM_ORDER_SEQ_CST;
	/* a compare-exchange may acquire although its success does not */
	if (!store && !half && oclmm_order_acquires(atomic->failure))
		return atomic->failure;
	return !half ? OCLMM_ORDER_RELAXED : store ? OCLMM_ORDER_RELEASE : OCLMM_ORDER_ACQUIRE;
}

static const char *order_or_none(enum oclmm_order order)
{
	return order == OCLMM_ORDER_NONE ? "0" : oclmm_order_spelling(order);
}

/* `, P, E, V` */
static void write_operands(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	oclmm_text_add(writer->text, ", ");
	write_pointer(writer, &atomic->object, !atomic->legacy, atomic->legacy);
	oclmm_text_add(writer->text, ", ");
	if (atomic->op == OCLMM_OP_LOAD && writer->loop && writer->assigned) {
		/* what has another address in each turn is loaded in each */
		oclmm_put(writer, writer->turn ? "0u, " : "turn%u, ", writer->loop - 1);
		write_own_register(writer, "", writer->assigned - 1);
		return;
	}
	if (atomic->comparand.kind == OCLMM_COMPARAND_NONE)
		oclmm_text_add(writer->text, "0");
	else if (atomic->comparand.kind == OCLMM_COMPARAND_VALUE)
		write_expression(writer, atomic->comparand.value);
	else
		write_expected(writer, atomic);
	oclmm_text_add(writer->text, ", ");
	if (!atomic->operand)
		oclmm_text_add(writer->text, "0");
	else if (atomic->legacy)
		write_expression(writer, atomic->operand);
	else
		write_value(writer, atomic);
}

/* `oclmm_wrong_KIND(CALL, T, SPACE, FN, OP, P, E, V, O, F, S, LO, SO)`, see src/change/macros.c. */
static void write_wrong(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	const struct oclmm_location *l = &writer->program->locations[atomic->object.location];
	const struct oclmm_parameter *parameter = parameter_of(writer, atomic->object.location);
	bool atom = strncmp(atomic->spelling, "atom_", 5) == 0;

	oclmm_text_printf(writer->text, "oclmm_wrong_%s(", kind_of(atomic));
	if (atomic->legacy)
		write_legacy(writer, atomic);
	else
		write_call(writer, atomic);
	oclmm_text_printf(writer->text, ", %s, %s, %s, %s", oclmm_type_spelling(l->type, false),
	                  parameter && parameter->generic ? "" : oclmm_space_spelling(l->space),
	                  !atomic->legacy ? oclmm_operation_stem(atomic->op)
	                  : atom          ? "atom"
	                                  : "atomic",
	                  what_it_does(atomic->op));
	write_operands(writer, atomic);
	oclmm_text_printf(writer->text, ", %s, %s, %s, %s, %s)", order_or_none(atomic->order),
	                  order_or_none(atomic->failure),
	                  atomic->scope == OCLMM_SCOPE_NONE ? "0"
	                                                    : oclmm_scope_spelling(atomic->scope),
	                  order_or_none(half_order(atomic, false)),
	                  order_or_none(half_order(atomic, true)));
}

/*
 * An expected value in memory is read and, on failure, written by plain
 * accesses (C:6.15.12.7.4): spelled out, because some devices lack the
 * overloads whose second pointer is not private.
 */
static void write_cas_in_memory(const struct oclmm_writer *writer,
                                const struct oclmm_atomic *atomic)
{
	const char *type = oclmm_type_spelling(
		writer->program->locations[atomic->object.location].type, false);

	oclmm_put(writer, "((");
	write_expected_object(writer, type);
	oclmm_put(writer, " = ");
	write_object(writer, &atomic->comparand.place);
	oclmm_put(writer, ", ");
	if (atomic->wrong)
		write_wrong(writer, atomic);
	else
		write_call(writer, atomic);
	oclmm_put(writer, ") || (");
	write_object(writer, &atomic->comparand.place);
	oclmm_put(writer, " = ");
	write_expected_object(writer, type);
	oclmm_put(writer, ", 0))");
}

static void write_atomic(const struct oclmm_writer *writer, const struct oclmm_atomic *atomic)
{
	if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		write_cas_in_memory(writer, atomic);
	else if (atomic->wrong)
		write_wrong(writer, atomic);
	else if (atomic->legacy)
		write_legacy(writer, atomic);
	else
		write_call(writer, atomic);
}

static void write_operand(const struct oclmm_writer *writer, const struct oclmm_expression *operand)
{
	bool enclosed = operand->kind == OCLMM_EXPRESSION_BINARY ||
	                operand->kind == OCLMM_EXPRESSION_UNARY ||
	                operand->kind == OCLMM_EXPRESSION_CAST;

	if (enclosed)
		oclmm_put(writer, "(");
	write_expression(writer, operand);
	if (enclosed)
		oclmm_put(writer, ")");
}

static void write_binary(const struct oclmm_writer *writer, const struct oclmm_binary *binary)
{
	write_operand(writer, binary->left);
	oclmm_put(writer, " %s ", oclmm_operator_spelling(binary->op));
	write_operand(writer, binary->right);
}

static void write_expression(const struct oclmm_writer *writer,
                             const struct oclmm_expression *expression)
{
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
		oclmm_write_constant(writer->text, expression->type, expression->constant);
		break;
	case OCLMM_EXPRESSION_REGISTER: write_own_register(writer, "", expression->reg); break;
	case OCLMM_EXPRESSION_LOAD: write_load(writer, &expression->load); break;
	case OCLMM_EXPRESSION_ATOMIC: write_atomic(writer, expression->atomic); break;
	case OCLMM_EXPRESSION_UNARY:
		oclmm_text_add(writer->text, oclmm_operator_spelling(expression->unary.op));
		write_operand(writer, expression->unary.operand);
		break;
	case OCLMM_EXPRESSION_BINARY: write_binary(writer, &expression->binary); break;
	case OCLMM_EXPRESSION_CAST:
		oclmm_put(writer, "(%s)", oclmm_type_spelling(expression->type, false));
		write_operand(writer, expression->cast);
		break;
	}
}

/* ---- kernels that a thread enqueues ---- */

/*
 * Kernels that roles enqueue. A work-item that plays their parent enqueues a
 * kernel of one work-item for each instance, which plays the child and stores
 * what it observes. One more is added to the parent's word of `played` by each
 * child at its end, and taken off by the parent, so that a child that is lost
 * or comes too late shows there. An instance whose child the device refuses
 * (C:6.15.14.1) is counted as cut.
 */

/* What both the child and the thread that enqueues it take besides objects. */
static void write_harness_parameters(const struct oclmm_writer *writer, const char *comma)
{
	oclmm_put(writer,
	          "%sglobal uchar *codes, global %s *results, volatile global uint "
	          "*played, const uint mask, const uint salt, const uint ",
	          comma, oclmm_unsigned_word(writer->plan->wide ? 64 : 32));
}

static void write_type(const struct oclmm_writer *writer, const struct oclmm_parameter *parameter)
{
	const struct oclmm_location *l = &writer->program->locations[parameter->location];

	oclmm_put(writer, "(%s%s%s%s *)", parameter->is_volatile ? "volatile " : "",
	          parameter->generic ? "" : oclmm_space_spelling(l->space),
	          parameter->generic ? "" : " ", oclmm_type_spelling(l->type, parameter->atomic));
}

static bool is_alike(const struct oclmm_parameter *a, const struct oclmm_parameter *b)
{
	return a->atomic == b->atomic && a->generic == b->generic &&
	       a->is_volatile == b->is_volatile;
}

static void write_enqueued_block(const struct oclmm_writer *writer,
                                 const struct oclmm_thread *child)
{
	const struct oclmm_thread *parent = &writer->program->threads[writer->thread];

	oclmm_put(writer, "^{ %schild_P%u%s(", writer->lone ? "" : "oclmm_", child->id,
	          writer->suffix);
	for (uint32_t i = 0; i < child->parameter_count; i++) {
		const struct oclmm_parameter *p = &child->parameters[i];

		if (!writer->lone || !is_alike(p, oclmm_find_parameter(parent, p->location)))
			write_type(writer, p);
		oclmm_write_location(writer, child->parameters[i].location);
		oclmm_put(writer, ", ");
	}
	oclmm_put(writer, "%s); }",
	          writer->lone ? "out, n, i" : "codes, results, played, mask, salt, i");
}

/* The plane that says whether a child was cut. */
static uint32_t cut_plane(const struct oclmm_writer *writer, uint32_t child)
{
	struct oclmm_plane *planes = oclmm_kernel_planes(writer->program, writer->space,
	                                                 writer->plan);
	uint32_t n = 0;

	while (planes[n].kind != OCLMM_PLANE_CUT || planes[n].thread != child)
		n++;
	free(planes);
	return n;
}

static void write_enqueue_call(const struct oclmm_writer *writer,
                               const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_thread *threads = writer->program->threads;

	oclmm_put(writer, "enqueue_kernel(get_default_queue(), %s, ndrange_1D(1), ",
	          oclmm_enqueue_spelling(enqueue->flag));
	if (enqueue->after)
		oclmm_put(writer, "1, &e_P%u, ", threads[enqueue->after - 1].id);
	else if (enqueue->event)
		oclmm_put(writer, "0, NULL, ");
	if (enqueue->event)
		oclmm_put(writer, "&e_P%u, ", threads[enqueue->child].id);
	else if (enqueue->after)
		oclmm_put(writer, "NULL, ");
	write_enqueued_block(writer, &threads[enqueue->child]);
	oclmm_put(writer, ")");
}

/* A child that is refused does not say that it played the instance. */
static void write_lone_enqueue(const struct oclmm_writer *writer,
                               const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_thread *threads = writer->program->threads;

	if (enqueue->event)
		oclmm_line(writer, "const bool begun_P%u = ", threads[enqueue->child].id);
	else
		oclmm_line(writer, "%s", "");
	if (enqueue->after)
		oclmm_put(writer, enqueue->event ? "begun_P%u && " : "if (begun_P%u)\n",
		          threads[enqueue->after - 1].id);
	if (enqueue->after && !enqueue->event)
		oclmm_line(writer, "\t");
	write_enqueue_call(writer, enqueue);
	oclmm_put(writer, enqueue->event ? " == CLK_SUCCESS;\n" : ";\n");
}

/* Without one that it waits for, a kernel is not enqueued either. */
static void write_enqueue(struct oclmm_writer *writer, const struct oclmm_enqueue *enqueue)
{
	const struct oclmm_thread *threads = writer->program->threads;

	if (enqueue->event)
		oclmm_line(writer, "clk_event_t e_P%u;\n", threads[enqueue->child].id);
	if (writer->lone) {
		write_lone_enqueue(writer, enqueue);
		return;
	}
	oclmm_line(writer, "const bool lost_P%u = ", threads[enqueue->child].id);
	if (enqueue->after)
		oclmm_put(writer, "lost_P%u || ", threads[enqueue->after - 1].id);
	write_enqueue_call(writer, enqueue);
	oclmm_put(writer, " != CLK_SUCCESS;\n");
	oclmm_line(writer, "*started += !lost_P%u;\n", threads[enqueue->child].id);
	oclmm_line(writer, "if (lost_P%u)\n", threads[enqueue->child].id);
	oclmm_line(writer, "\tcodes[%uu * (mask + 1u) + i] = 1;\n",
	           cut_plane(writer, enqueue->child));
}

/* What the segment that ends at `end` has enqueued behind `s`. */
static void write_releases(struct oclmm_writer *writer, const struct oclmm_statement *s,
                           const struct oclmm_statement *end)
{
	for (; s != end; s = s->next) {
		unsigned id;

		if (s->kind != OCLMM_STATEMENT_ENQUEUE || !s->enqueue.event)
			continue;
		id = writer->program->threads[s->enqueue.child].id;
		oclmm_line(writer, writer->lone ? "if (begun_P%u)\n" : "if (!lost_P%u)\n", id);
		oclmm_line(writer, "\trelease_event(e_P%u);\n", id);
	}
}

/* ---- statements ---- */

/* Volatile: a compiler leaves out a reading that nobody uses. */
static void write_clock(struct oclmm_writer *writer, const struct oclmm_clock *clock)
{
	oclmm_line(writer, "{ volatile ulong oclmm_sampled = %s(); (void)oclmm_sampled; }\n",
	           clock->spelling);
}

/* Writes statements up to the end of the list or the next meeting, which is returned. */
static const struct oclmm_statement *write_statements(struct oclmm_writer *writer,
                                                      const struct oclmm_statement *first);

static void write_block(struct oclmm_writer *writer, const struct oclmm_statement *body)
{
	writer->depth++;
	write_statements(writer, body);
	writer->depth--;
}

/* Whether a body is short enough to stand without braces where somebody is to read it. */
static bool is_lone(const struct oclmm_writer *writer, const struct oclmm_statement *body)
{
	return writer->inlined && body && !body->next && body->kind != OCLMM_STATEMENT_IF &&
	       body->kind != OCLMM_STATEMENT_WHILE && body->kind != OCLMM_STATEMENT_ENQUEUE;
}

static void write_if(struct oclmm_writer *writer, const struct oclmm_branch *branch)
{
	bool lone = is_lone(writer, branch->then_body) &&
	            (!branch->else_body || is_lone(writer, branch->else_body));

	oclmm_line(writer, "if (");
	write_expression(writer, branch->condition);
	oclmm_put(writer, lone ? ")\n" : ") {\n");
	write_block(writer, branch->then_body);
	if (branch->else_body) {
		oclmm_line(writer, lone ? "else\n" : "} else {\n");
		write_block(writer, branch->else_body);
	}
	if (!lone)
		oclmm_line(writer, "}\n");
}

/* `for (; …; turn0++) {` and its end, around statements with a bound on the turns. */
static void write_turns(struct oclmm_writer *writer, const struct oclmm_loop *loop, unsigned number,
                        const char *bound)
{
	oclmm_line(writer, "for (; ");
	write_expression(writer, loop->condition);
	oclmm_put(writer, "; turn%u++) {\n", number);
	writer->depth++;
	oclmm_line(writer, "if (turn%u == %uu%s) {\n", number, loop->unroll, bound);
	oclmm_line(writer, "\tended%u = false;\n", number);
	oclmm_line(writer, "\tbreak;\n");
	oclmm_line(writer, "}\n");
	write_statements(writer, loop->body);
	oclmm_close(writer);
}

/* Where the wait did not end it goes on by other addresses: what was there all the time ends it at
 * once, and what comes meanwhile does so later. */
static void write_looking_again(struct oclmm_writer *writer, const struct oclmm_loop *loop,
                                unsigned number)
{
	oclmm_open(writer, "if (patience%u != 0u && (!ended%u || turn%u > %uu)) {\n", number,
	           number, number, loop->unroll);
	oclmm_line(writer, "const uint end%u = turn%u + patience%u;\n", number, number, number);
	oclmm_line(writer, "w->budget -= min(w->budget, turn%u - %uu);\n", number, loop->unroll);
	oclmm_line(writer, "w->late += ended%u ? 1u : 0u;\n", number);
	oclmm_open(writer, "if (!ended%u) {\n", number);
	oclmm_open(writer, "for (; !ended%u && turn%u != end%u; turn%u++) {\n", number, number,
	           number, number);
	write_statements(writer, loop->body);
	oclmm_line(writer, "ended%u = !(", number);
	write_expression(writer, loop->condition);
	oclmm_put(writer, ");\n");
	oclmm_close(writer);
	oclmm_line(writer, "w->budget -= min(w->budget, patience%u);\n", number);
	oclmm_line(writer, "w->stuck += ended%u ? 1u : 0u;\n", number);
	oclmm_close(writer);
	oclmm_line(writer, "ended%u = false;\n", number);
	oclmm_close(writer);
}

/*
 * In most launches a wait is what any loop is. In some it goes on behind its bound, where the
 * instance has no outcome any more: as the program has it, or, as these are compared with, by
 * addresses of which no compiler knows that they stay the same.
 */
static void write_wait(struct oclmm_writer *writer, const struct oclmm_loop *loop, unsigned number)
{
	char turn[32], bound[32];

	snprintf(turn, sizeof(turn), "turn%u", number);
	snprintf(bound, sizeof(bound), " + patience%u", number);
	oclmm_line(writer, "const uint patience%u = min(w->patience, w->budget);\n", number);
	oclmm_line(writer, "uint turn%u = 0u;\n", number);
	oclmm_line(writer, "bool ended%u = true;\n", number);
	oclmm_open(writer, "if (patience%u == 0u) {\n", number);
	write_turns(writer, loop, number, "");
	writer->depth--;
	oclmm_open(writer, "} else if (w->opaque == 0u) {\n");
	write_turns(writer, loop, number, bound);
	oclmm_else(writer);
	writer->turn = turn;
	write_turns(writer, loop, number, bound);
	oclmm_close(writer);
	write_looking_again(writer, loop, number);
	writer->turn = NULL;
	oclmm_line(writer, "if (!ended%u) {\n", number);
	oclmm_line(writer, "\tr->cut = 1u;\n");
	oclmm_line(writer, "\treturn;\n");
	oclmm_line(writer, "}\n");
}

/* A loop that would run past its bound ends the thread; the instance has no outcome. */
static void write_while(struct oclmm_writer *writer, const struct oclmm_loop *loop)
{
	unsigned number = writer->loops++, around = writer->loop;

	writer->loop = 1 + number;
	if (tells_of_waits(writer, writer->thread) && oclmm_is_wait(loop)) {
		write_wait(writer, loop, number);
		writer->loop = around;
		return;
	}
	oclmm_line(writer, "for (uint turn%u = 0u; ", number);
	write_expression(writer, loop->condition);
	oclmm_put(writer, "; turn%u++) {\n", number);
	writer->depth++;
	oclmm_line(writer, "if (turn%u == %uu) {\n", number, loop->unroll);
	if (writer->inlined)
		oclmm_line(writer, "\tcut_P%u = 1;\n", writer->program->threads[writer->thread].id);
	else
		oclmm_line(writer, "\tr->cut = 1u;\n");
	oclmm_line(writer, writer->inlined ? "\tbreak;\n" : "\treturn;\n");
	oclmm_line(writer, "}\n");
	write_statements(writer, loop->body);
	writer->loop = around;
	oclmm_close(writer);
}

static void write_fence(const struct oclmm_writer *writer, const struct oclmm_fence *fence)
{
	if (writer->host) {
		oclmm_line(writer, "atomic_thread_fence(%s);\n",
		           oclmm_order_spelling(fence->order));
		return;
	}
	oclmm_line(writer, "%s%s(", fence->wrong ? "oclmm_wrong_fence(" : "", fence->spelling);
	oclmm_text_add(writer->text, oclmm_flags_spelling(fence->flags));
	if (!strcmp(fence->spelling, "atomic_work_item_fence"))
		oclmm_put(writer, ", %s, %s", oclmm_order_spelling(fence->order),
		          oclmm_scope_spelling(fence->scope));
	if (fence->wrong)
		oclmm_put(writer, "), %s, %s, %s", oclmm_flags_spelling(fence->flags),
		          oclmm_order_spelling(fence->order), oclmm_scope_spelling(fence->scope));
	oclmm_put(writer, ");\n");
}

/* Whether a register begins here, because each execution assigns it before anything names it. */
static bool is_declaration(const struct oclmm_writer *writer, const struct oclmm_assign *assign)
{
	const struct oclmm_thread *t = &writer->program->threads[writer->thread];
	const struct oclmm_statement *s = t->body;

	if (!writer->inlined || writer->plan->has_barrier || !oclmm_is_assigned(t, assign->reg))
		return false;
	while (s->kind != OCLMM_STATEMENT_ASSIGN || s->assign.reg != assign->reg)
		s = s->next;
	return &s->assign == assign;
}

static void write_assign(const struct oclmm_writer *writer, const struct oclmm_assign *assign)
{
	struct oclmm_writer within = *writer;

	within.assigned = assign->value->kind == OCLMM_EXPRESSION_ATOMIC ? 1 + assign->reg : 0;
	oclmm_line(writer, "%s", "");
	if (is_declaration(writer, assign))
		oclmm_put(writer, "%s ",
		          oclmm_type_spelling(writer->program->threads[writer->thread]
		                                      .registers[assign->reg]
		                                      .type,
		                              false));
	write_own_register(writer, "", assign->reg);
	oclmm_put(writer, " = ");
	write_expression(&within, assign->value);
	oclmm_put(writer, ";\n");
}

/* `oclmm_wrong_write(CALL, T, SPACE, P, V)` */
static void write_wrong_store(const struct oclmm_writer *writer, const struct oclmm_store *store)
{
	const struct oclmm_location *l = &writer->program->locations[store->place.location];

	oclmm_line(writer, "oclmm_wrong_write(");
	write_object(writer, &store->place);
	oclmm_put(writer, " = ");
	write_expression(writer, store->value);
	oclmm_put(writer, ", %s, %s, &", oclmm_type_spelling(l->type, false),
	          oclmm_space_spelling(l->space));
	write_object(writer, &store->place);
	oclmm_put(writer, ", ");
	write_expression(writer, store->value);
	oclmm_put(writer, ");\n");
}

static void write_store(const struct oclmm_writer *writer, const struct oclmm_store *store)
{
	bool image = oclmm_location_is_image(&writer->program->locations[store->place.location]);

	if (store->wrong) {
		write_wrong_store(writer, store);
		return;
	}
	oclmm_line(writer, "%s", image ? "write_imagei(" : "");
	if (image)
		write_element(writer, &store->place);
	else
		write_object(writer, &store->place);
	oclmm_put(writer, image ? ", (int4)(" : " = ");
	write_expression(writer, store->value);
	oclmm_put(writer, image ? ", 0, 0, 0));\n" : ";\n");
}

static const struct oclmm_statement *write_statements(struct oclmm_writer *writer,
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
			write_expression(writer, first->effect);
			oclmm_put(writer, ";\n");
			break;
		case OCLMM_STATEMENT_FENCE: write_fence(writer, &first->fence); break;
		case OCLMM_STATEMENT_BARRIER:
		case OCLMM_STATEMENT_COPY:
		case OCLMM_STATEMENT_WAIT: return first;
		case OCLMM_STATEMENT_ENQUEUE: write_enqueue(writer, &first->enqueue); break;
		case OCLMM_STATEMENT_CLOCK: write_clock(writer, &first->clock); break;
		case OCLMM_STATEMENT_IF: write_if(writer, &first->branch); break;
		case OCLMM_STATEMENT_WHILE: write_while(writer, &first->loop); break;
		}
	}
	return NULL;
}

/* ---- functions ---- */

static void write_registers(const struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	unsigned types = oclmm_expected_types(writer->program, t->body);

	oclmm_put(writer, "struct P%u_registers%s {\n", t->id, writer->suffix);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_put(writer, "\t%s ", oclmm_type_spelling(t->registers[i].type, false));
		oclmm_write_register(writer, thread, i);
		oclmm_put(writer, ";\n");
	}
	if (oclmm_has_loop(t->body))
		oclmm_put(writer, "\tuint cut; /* a loop was still running at its bound */\n");
	for (int type = 0; type < OCLMM_TYPE_COUNT; type++) {
		const char *name = oclmm_type_spelling((enum oclmm_type)type, false);

		if (types & (1u << type))
			oclmm_put(writer, "\t%s expected_%s;\n", name, name);
	}
	oclmm_put(writer, "};\n\n");
}

static void write_parameter(const struct oclmm_writer *writer,
                            const struct oclmm_parameter *parameter)
{
	const struct oclmm_location *location = &writer->program->locations[parameter->location];

	if (oclmm_location_is_image(location)) {
		oclmm_put(writer, OCLMM_IMAGE_SPELLING " ");
		oclmm_write_location(writer, parameter->location);
		oclmm_put(writer, ", const int ");
		oclmm_write_object(writer, WRITE_PIXEL, parameter->location);
		return;
	}
	if (parameter->is_volatile)
		oclmm_put(writer, "volatile ");
	if (!parameter->generic)
		oclmm_put(writer, "%s ", oclmm_space_spelling(location->space));
	oclmm_text_add(writer->text, oclmm_type_spelling(location->type, parameter->atomic));
	oclmm_put(writer, " *");
	oclmm_write_location(writer, parameter->location);
}

static void write_head(const struct oclmm_writer *writer, uint32_t segment)
{
	const struct oclmm_thread *t = &writer->program->threads[writer->thread];
	const char *comma = "";

	oclmm_put(writer, "static void ");
	oclmm_write_function_name(writer, writer->thread, segment);
	oclmm_put(writer, "(");
	if (has_state(writer->program, t)) {
		oclmm_put(writer, "%sstruct P%u_registers%s *r", writer->host ? "" : "private ",
		          t->id, writer->suffix);
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_text_add(writer->text, comma);
		write_parameter(writer, &t->parameters[i]);
		comma = ", ";
	}
	if (oclmm_enqueues(t)) {
		write_harness_parameters(writer, *comma ? ",\n\t" : "");
		oclmm_put(writer, "i, private uint *started");
		comma = ", ";
	}
	if (tells_of_waits(writer, writer->thread)) {
		oclmm_put(writer, "%sprivate struct oclmm_waits%s *w", comma, writer->suffix);
		comma = ", ";
	}
	oclmm_put(writer, *comma ? ")\n{\n" : "void)\n{\n");
}

/* The function that plays a child, up to its body. */
void oclmm_write_child_head(const struct oclmm_writer *writer)
{
	const struct oclmm_thread *t = &writer->program->threads[writer->thread];

	oclmm_put(writer, "static void %schild_P%u%s(", writer->lone ? "" : "oclmm_", t->id,
	          writer->suffix);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		oclmm_put(writer, i ? ", " : "");
		write_parameter(writer, &t->parameters[i]);
	}
	if (writer->lone) {
		oclmm_put(writer, "%sglobal %s *out, const uint n, const uint i)\n{\n",
		          t->parameter_count ? ",\n\t" : "",
		          oclmm_unsigned_word(writer->plan->wide ? 64 : 32));
		return;
	}
	write_harness_parameters(writer, t->parameter_count ? ",\n\t" : "");
	oclmm_put(writer, "i_P%u)\n{\n", t->id);
}

/* Whether another thread of the kernel has a register of this name. */
static bool has_namesake(const struct oclmm_writer *writer, uint32_t thread, const char *name)
{
	for (uint32_t i = 0; i < writer->program->thread_count; i++)
		if (i != thread &&
		    oclmm_thread_find_register(&writer->program->threads[i], name) >= 0)
			return true;
	return false;
}

void oclmm_write_inlined_register(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];

	if (writer->plan->has_barrier && has_namesake(writer, thread, t->registers[reg].name))
		oclmm_put(writer, "P%u_", t->id);
	oclmm_write_register(writer, thread, reg);
}

void oclmm_write_inlined_state(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	unsigned types = oclmm_expected_types(writer->program, t->body);
	bool open = false;

	for (uint32_t i = 0; i < t->register_count; i++) {
		enum oclmm_type type = t->registers[i].type;

		/* declared where it is assigned */
		if (!writer->plan->has_barrier && oclmm_is_assigned(t, i))
			continue;
		if (open && t->registers[i - 1].type == type)
			oclmm_put(writer, ", ");
		else if (open)
			oclmm_put(writer, ";\n");
		if (!open || t->registers[i - 1].type != type)
			oclmm_line(writer, "%s ", oclmm_type_spelling(type, false));
		oclmm_write_inlined_register(writer, thread, i);
		oclmm_put(writer, " = ");
		oclmm_write_constant(writer->text, type, t->registers[i].initial);
		open = true;
		if (i + 1 < t->register_count && !writer->plan->has_barrier &&
		    oclmm_is_assigned(t, i + 1)) {
			oclmm_put(writer, ";\n");
			open = false;
		}
	}
	oclmm_put(writer, open ? ";\n" : "");
	if (oclmm_has_loop(t->body))
		oclmm_line(writer,
		           "uint cut_P%u = 0; /* a loop was still running at its bound */\n",
		           t->id);
	for (int type = 0; type < OCLMM_TYPE_COUNT; type++) {
		const char *name = oclmm_type_spelling((enum oclmm_type)type, false);

		if (types & (1u << type))
			oclmm_line(writer, "%s expected_%s_P%u;\n", name, name, t->id);
	}
}

void oclmm_write_inlined(struct oclmm_writer *writer, uint32_t thread, uint32_t segment)
{
	const struct oclmm_statement *s = writer->program->threads[thread].body, *end;

	writer->thread = thread;
	writer->inlined = true;
	for (; segment > 0; segment--) {
		while (!is_meeting(s))
			s = s->next;
		s = s->next;
	}
	end = write_statements(writer, s);
	write_releases(writer, s, end);
	writer->inlined = false;
}

bool oclmm_is_segment_empty(const struct oclmm_thread *thread, uint32_t segment)
{
	const struct oclmm_statement *s = thread->body;

	for (; segment > 0; segment--) {
		while (!is_meeting(s))
			s = s->next;
		s = s->next;
	}
	while (s && s->kind == OCLMM_STATEMENT_ASSIGN && s->assign.collective)
		s = s->next;
	return !s || is_meeting(s);
}

void oclmm_write_thread(struct oclmm_writer *writer, uint32_t thread)
{
	const struct oclmm_thread *t = &writer->program->threads[thread];
	const struct oclmm_statement *next = t->body, *end;
	uint32_t segments = oclmm_segments(t);

	writer->thread = thread;
	writer->loops = 0;
	if (has_state(writer->program, t))
		write_registers(writer, thread);
	for (uint32_t segment = 0; segment < segments; segment++) {
		write_head(writer, segment);
		writer->depth = 1;
		if (segment > 0 && oclmm_has_loop(t->body))
			oclmm_line(writer, "if (r->cut)\n\t\treturn;\n");
		end = write_statements(writer, next);
		write_releases(writer, next, end);
		next = end ? end->next : NULL;
		writer->depth = 0;
		oclmm_put(writer, "}\n\n");
	}
	if (writer->child)
		oclmm_write_child_head(writer);
}
