// SPDX-License-Identifier: Apache-2.0
/* The test of a cycle as a litmus file: its statements, its condition, and the weaker tests that
 * control it. */
#include <stdlib.h>

#include "internal.h"
#include "oclmm/change.h"
#include "oclmm/syntax.h"

struct printer {
	struct oclmm_text *text;
	const struct oclmm_cycle *cycle;
	const struct outcome *outcome;
	unsigned depth, barriers;
	unsigned braces; /* set of depths whose branch has them */
};

/* Prints a small value as one of a type. */
static void print_value(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	uint64_t wide = oclmm_type_bits(type) == 64 ? 0x100000001u : 1;

	oclmm_value_print(text, type, oclmm_value_wrap(type, (int64_t)((uint64_t)value * wide)));
}

static enum oclmm_type type_of(const struct oclmm_cycle *cycle, unsigned i)
{
	return cycle->location[cycle->access[i].location].type;
}

static bool is_cas(const struct oclmm_cycle_access *access)
{
	return access->update && oclmm_operation_is_cas(access->op);
}

/* How many registers, or registers of expected values, its thread has before an access. */
static unsigned number_of(const struct printer *printer, unsigned access, bool expected)
{
	const struct oclmm_cycle *cycle = printer->cycle;
	unsigned count = 0;

	for (unsigned i = 0; i < access; i++) {
		if (cycle->access[i].thread == cycle->access[access].thread &&
		    (expected ? is_cas(&cycle->access[i]) && !cycle->access[i].legacy
		              : printer->outcome->known[i]))
			count++;
	}
	return count;
}

/* The register that holds what was read. */
static void print_register(const struct printer *printer, unsigned i)
{
	bool expected = printer->cycle->access[i].fails;

	oclmm_text_printf(printer->text, "%c%u", expected ? 'e' : 'r',
	                  number_of(printer, i, expected));
}

/* What the result register holds. */
static int64_t result_of(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];

	if (is_cas(access) && !access->legacy)
		return !access->fails;
	return printer->outcome->read[i];
}

static enum oclmm_type result_type(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];

	return is_cas(access) && !access->legacy ? OCLMM_TYPE_INT : type_of(printer->cycle, i);
}

/* Adds what the registers of an access have to hold: `1:r0=1`. */
static void print_atom(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       const struct outcome *outcome, unsigned i)
{
	const struct printer printer = {.text = text, .cycle = cycle, .outcome = outcome};
	unsigned thread = cycle->access[i].thread;

	oclmm_text_printf(text, "%u:r%u=", thread, number_of(&printer, i, false));
	print_value(text, result_type(&printer, i), result_of(&printer, i));
	if (!cycle->access[i].fails)
		return;
	oclmm_text_printf(text, " /\\ %u:", thread);
	print_register(&printer, i);
	oclmm_text_add(text, "=");
	print_value(text, type_of(cycle, i), outcome->read[i]);
}

static void print_scope(const struct printer *printer, enum oclmm_scope scope)
{
	oclmm_text_add(printer->text,
	               oclmm_scope_spelling(scope ? scope
	                                          : oclmm_cycle_default_scope(printer->cycle)));
}

static void print_operand(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle *cycle = printer->cycle;
	unsigned before = cycle_before(cycle, i);
	int64_t operand = printer->outcome->operand[i], more;

	if (cycle->link[before].kind == OCLMM_LINK_DATA) {
		print_register(printer, before);
		more = operand - printer->outcome->read[before];
		if (more)
			oclmm_text_add(printer->text, more < 0 ? " - " : " + ");
		if (more)
			print_value(printer->text, type_of(cycle, i), more < 0 ? -more : more);
	} else if (printer->outcome->plain_operand[i]) {
		oclmm_value_print(printer->text, type_of(cycle, i),
		                  oclmm_value_wrap(type_of(cycle, i), operand));
	} else {
		print_value(printer->text, type_of(cycle, i), operand);
	}
}

/* The order for failure is as strong as that of the access may make it. */
static enum oclmm_order failure_order(const struct oclmm_cycle_access *access)
{
	return access->fails ? access->order : OCLMM_ORDER_RELAXED;
}

static void print_legacy(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];
	const char *stem = oclmm_cycle_operation_word(access->op);
	bool compares = is_cas(access);

	oclmm_text_printf(printer->text, "atomic_%s(%s, ", compares ? "cmpxchg" : stem,
	                  oclmm_cycle_location_name(access->location));
	if (compares) {
		print_value(printer->text, type_of(printer->cycle, i),
		            printer->outcome->comparand[i]);
		oclmm_text_add(printer->text, ", ");
	}
	print_operand(printer, i);
	oclmm_text_add(printer->text, ")");
}

static void print_call(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];
	enum oclmm_operation op = access->update || access->op ? access->op
	                          : access->writes             ? OCLMM_OP_STORE
	                                                       : OCLMM_OP_LOAD;

	if (access->legacy) {
		print_legacy(printer, i);
		return;
	}
	oclmm_text_printf(printer->text, "%s_explicit(%s", oclmm_operation_stem(op),
	                  oclmm_cycle_location_name(access->location));
	if (is_cas(access))
		oclmm_text_printf(printer->text, ", &e%u", number_of(printer, i, true));
	if (op != OCLMM_OP_LOAD && op != OCLMM_OP_FLAG_TEST_AND_SET && op != OCLMM_OP_FLAG_CLEAR) {
		oclmm_text_add(printer->text, ", ");
		print_operand(printer, i);
	}
	oclmm_text_printf(printer->text, ", %s, ", oclmm_order_spelling(access->order));
	if (is_cas(access))
		oclmm_text_printf(printer->text, "%s, ",
		                  oclmm_order_spelling(failure_order(access)));
	print_scope(printer, access->scope);
	oclmm_text_add(printer->text, ")");
}

static void indent(const struct printer *printer)
{
	oclmm_text_printf(printer->text, "%*s", (int)(2 * printer->depth + 2), "");
}

static void print_type(const struct printer *printer, enum oclmm_type type)
{
	oclmm_text_printf(printer->text, "%s ", oclmm_type_spelling(type, false));
}

/* An expected value, for a compare-exchange that takes it by a pointer. */
static void print_expected(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];

	if (!is_cas(access) || access->legacy)
		return;
	indent(printer);
	print_type(printer, type_of(printer->cycle, i));
	oclmm_text_printf(printer->text, "e%u = ", number_of(printer, i, true));
	print_value(printer->text, type_of(printer->cycle, i), printer->outcome->comparand[i]);
	oclmm_text_add(printer->text, ";\n");
}

/* Registers that a branch may leave out hold something else than what is asked for. */
static void declare(const struct printer *printer, unsigned i)
{
	if (printer->outcome->known[i]) {
		indent(printer);
		print_type(printer, result_type(printer, i));
		oclmm_text_printf(printer->text, "r%u = ", number_of(printer, i, false));
		print_value(printer->text, result_type(printer, i), !result_of(printer, i));
		oclmm_text_add(printer->text, ";\n");
	}
	print_expected(printer, i);
}

static void print_plain(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];
	const char *name = oclmm_cycle_location_name(access->location);

	if (!access->writes) {
		oclmm_text_printf(printer->text, "*%s", name);
	} else if (printer->cycle->location[access->location].atomic) {
		oclmm_text_printf(printer->text, "atomic_init(%s, ", name);
		print_operand(printer, i);
		oclmm_text_add(printer->text, ")");
	} else {
		oclmm_text_printf(printer->text, "*%s = ", name);
		print_operand(printer, i);
	}
}

static void print_access(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];

	/* else a register for it is declared above a branch */
	if (printer->depth == 0)
		print_expected(printer, i);
	indent(printer);
	if (printer->outcome->known[i]) {
		if (printer->depth == 0)
			print_type(printer, result_type(printer, i));
		oclmm_text_printf(printer->text, "r%u = ", number_of(printer, i, false));
	}
	if (access->order == OCLMM_ORDER_NONE)
		print_plain(printer, i);
	else
		print_call(printer, i);
	oclmm_text_add(printer->text, ";\n");
}

static void print_barrier(struct printer *printer, bool sub_group, unsigned flags,
                          enum oclmm_scope scope)
{
	indent(printer);
	if (sub_group)
		oclmm_text_add(printer->text, "sub_group_barrier(");
	else
		oclmm_text_printf(printer->text, "B%u: barrier(", printer->barriers++);
	oclmm_text_add(printer->text, oclmm_flags_spelling(flags));
	if (scope)
		oclmm_text_printf(printer->text, ", %s", oclmm_scope_spelling(scope));
	oclmm_text_add(printer->text, ");\n");
}

static void print_fence(struct printer *printer, const struct oclmm_cycle_fence *fence)
{
	unsigned flags = fence->flags || fence->no_flags ? fence->flags
	                                                 : oclmm_cycle_regions(printer->cycle);

	if (fence_is_barrier(fence)) {
		print_barrier(printer, fence->kind == OCLMM_CYCLE_FENCE_SUB_BARRIER, flags,
		              fence->scope);
		return;
	}
	indent(printer);
	oclmm_text_printf(printer->text, "%s(", oclmm_cycle_fence_function(fence->kind));
	oclmm_text_add(printer->text, oclmm_flags_spelling(flags));
	if (fence->kind == OCLMM_CYCLE_FENCE_FENCE) {
		oclmm_text_printf(printer->text, ", %s, ", oclmm_order_spelling(fence->order));
		print_scope(printer, fence->scope);
	}
	oclmm_text_add(printer->text, ");\n");
}

static void print_fences(struct printer *printer, unsigned i, bool inside)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];

	for (unsigned k = 0; k < access->fence_count; k++) {
		if (access->fences[k].inside == inside)
			print_fence(printer, &access->fences[k]);
	}
}

/* Whether only one statement of the thread stands behind an access. */
static bool is_one_left(const struct oclmm_cycle *cycle, unsigned i)
{
	unsigned next = i + 1;

	for (unsigned k = 0; k < cycle->access[i].fence_count; k++) {
		if (cycle->access[i].fences[k].inside)
			return false;
	}
	return !link_is_barrier(&cycle->link[next]) &&
	       (next + 1 == cycle->count ||
	        cycle->access[next + 1].thread != cycle->access[i].thread);
}

static void print_branch(struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];
	bool succeeds = is_cas(access) && !access->legacy && !access->fails;

	indent(printer);
	oclmm_text_add(printer->text, "if (");
	print_register(printer, i);
	oclmm_text_add(printer->text, " == ");
	print_value(printer->text, succeeds ? OCLMM_TYPE_INT : type_of(printer->cycle, i),
	            succeeds ? 1 : printer->outcome->read[i]);
	printer->depth++;
	if (!is_one_left(printer->cycle, i))
		printer->braces |= 1u << printer->depth;
	oclmm_text_add(printer->text, printer->braces & 1u << printer->depth ? ") {\n" : ")\n");
}

static void print_link(struct printer *printer, unsigned i, bool behind)
{
	const struct oclmm_link *link = &printer->cycle->link[i];
	unsigned regions = oclmm_cycle_regions(printer->cycle);

	if (link_is_barrier(link))
		print_barrier(printer, link->kind == OCLMM_LINK_SUB_BARRIER,
		              link->flags ? link->flags : regions, link->scope);
	if (!behind || link->external)
		return;
	print_fences(printer, i, false);
	if (link->kind == OCLMM_LINK_CTRL)
		print_branch(printer, i);
	print_fences(printer, i, true);
}

static void print_thread(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                         const struct outcome *outcome, unsigned thread)
{
	struct printer printer = {.text = text, .cycle = cycle, .outcome = outcome};
	bool branched = false, first = true;

	for (unsigned i = 0; i < cycle->count; i++) {
		if (cycle->access[i].thread == thread && branched)
			declare(&printer, i);
		branched |= cycle->access[i].thread == thread &&
		            cycle->link[i].kind == OCLMM_LINK_CTRL;
	}
	for (unsigned i = 0; i < cycle->count; i++) {
		if (cycle->access[i].thread != thread)
			continue;
		if (first && cycle->link[cycle_before(cycle, i)].external)
			print_link(&printer, cycle_before(cycle, i), false);
		first = false;
		print_access(&printer, i);
		print_link(&printer, i, true);
	}
	for (; printer.depth; printer.depth--) {
		if (printer.braces & 1u << printer.depth)
			oclmm_text_printf(text, "%*s}\n", (int)(2 * printer.depth), "");
	}
}

/* ---- init block, threads and condition ----------------------------------------------- */

static void print_init(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       const struct outcome *outcome)
{
	oclmm_text_add(text, "{\n");
	for (unsigned i = 0; i < cycle->location_count; i++) {
		oclmm_text_printf(text, "%s[%s] = ", cycle->location[i].svm ? "svm " : "",
		                  oclmm_cycle_location_name(i));
		print_value(text, cycle->location[i].type, outcome->initial[i]);
		oclmm_text_add(text, ";\n");
	}
	oclmm_text_add(text, "}\n");
}

static bool uses(const struct oclmm_cycle *cycle, unsigned thread, unsigned location)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		if (cycle->access[i].thread == thread && cycle->access[i].location == location)
			return true;
	}
	return false;
}

static void print_thread_head(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                              unsigned thread)
{
	const char *before = "";

	oclmm_text_printf(text, "\nP%u@", thread);
	oclmm_placement_print(text, &cycle->placement[thread]);
	oclmm_text_add(text, " (");
	for (unsigned i = 0; i < cycle->location_count; i++) {
		const struct oclmm_cycle_location *location = &cycle->location[i];

		if (!uses(cycle, thread, i))
			continue;
		oclmm_text_printf(text, "%s%s %s *%s", before,
		                  oclmm_space_spelling(location->space),
		                  oclmm_type_spelling(location->type, location->atomic),
		                  oclmm_cycle_location_name(i));
		before = ", ";
	}
	oclmm_text_add(text, ") {\n");
}

static void print_condition(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                            const struct outcome *outcome)
{
	const char *before = "\nexists (";

	for (unsigned i = 0; i < cycle->count; i++) {
		if (!outcome->known[i])
			continue;
		oclmm_text_add(text, before);
		print_atom(text, cycle, outcome, i);
		before = " /\\ ";
	}
	for (unsigned i = 0; i < cycle->location_count; i++) {
		if (!outcome->is_final[i])
			continue;
		oclmm_text_printf(text, "%s[%s]=", before, oclmm_cycle_location_name(i));
		print_value(text, cycle->location[i].type, outcome->final[i]);
		before = " /\\ ";
	}
	oclmm_text_add(text, ")\n");
}

static bool asks(const struct oclmm_cycle *cycle, const struct outcome *outcome)
{
	bool any = false;

	for (unsigned i = 0; i < OCLMM_CYCLE_MAX; i++)
		any |= (i < cycle->count && outcome->known[i]) ||
		       (i < cycle->location_count && outcome->is_final[i]);
	return any;
}

int oclmm_cycle_body(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                     struct oclmm_text *text)
{
	struct outcome outcome;
	int r = oclmm_cycle_outcome(cycle, error, &outcome);

	if (r < 0)
		return r;
	if (!asks(cycle, &outcome))
		return oclmm_cycle_refuse(error, NULL, NULL,
		                          "the outcome shows nothing of these edges");
	print_init(text, cycle, &outcome);
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		print_thread_head(text, cycle, i);
		print_thread(text, cycle, &outcome, i);
		oclmm_text_add(text, "}\n");
	}
	print_condition(text, cycle, &outcome);
	return 0;
}

int oclmm_cycle_program(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                        struct oclmm_litmus **ret_litmus)
{
	struct oclmm_text text = {0};
	int r;

	oclmm_text_add(&text, "OPENCL ");
	oclmm_cycle_name(&text, cycle);
	oclmm_text_add(&text, "\n");
	r = oclmm_cycle_body(cycle, error, &text);
	if (r >= 0)
		r = oclmm_litmus_parse("cycle", oclmm_text_string(&text), text.length, NULL, error,
		                       ret_litmus);
	oclmm_text_finish(&text);
	return r;
}

/* ---- single steps down --------------------------------------------------------------- */

struct steps {
	const struct oclmm_cycle *from;
	struct oclmm_cycle cycle; /* under change, */
	unsigned access, fence;   /* there */
	void (*each)(void *data, const struct oclmm_cycle *weaker, const char *what);
	void *data;
};

static void take_step(struct steps *steps, unsigned access, const char *what)
{
	const struct oclmm_cycle_access *at = &steps->from->access[access];
	char word[64];

	snprintf(word, sizeof(word), "P%u-%s-%s", at->thread,
	         oclmm_cycle_location_name(at->location), what);
	if (oclmm_cycle_settle(&steps->cycle, NULL) == 0)
		steps->each(steps->data, &steps->cycle, word);
	steps->cycle = *steps->from;
}

static enum oclmm_scope scope_of(const struct oclmm_cycle *cycle, enum oclmm_scope scope)
{
	return scope ? scope : oclmm_cycle_default_scope(cycle);
}

static bool has_scope(const struct oclmm_cycle_access *access)
{
	return access->order != OCLMM_ORDER_NONE && !access->legacy && !access->host;
}

/* ---- accesses ---- */

static int take_access(void *data, enum oclmm_weaker step, const struct oclmm_strength *weaker)
{
	struct steps *steps = data;
	struct oclmm_cycle_access *access = &steps->cycle.access[steps->access];

	access->order = weaker->order;
	if (step == OCLMM_WEAKER_PART) {
		access->update = access->fails = false;
		access->op = OCLMM_OP_LOAD;
		take_step(steps, steps->access, access->writes ? "store" : "load");
	} else if (step == OCLMM_WEAKER_SCOPE) {
		access->scope = weaker->scope;
		take_step(steps, steps->access, oclmm_scope_short(weaker->scope));
	} else {
		take_step(steps, steps->access, oclmm_order_short(weaker->order));
	}
	return 0;
}

static void weaken_access(struct steps *steps, enum oclmm_weaker step, enum oclmm_ordered kind)
{
	const struct oclmm_cycle_access *access = &steps->from->access[steps->access];
	const struct oclmm_strength from = {.kind = kind,
	                                    .present = true,
	                                    .order = access->order,
	                                    .scope = scope_of(steps->from, access->scope)};

	oclmm_weaker_each(&from, 1u << step,
	                  access->writes ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD, take_access,
	                  steps);
}

static void weaken_order(struct steps *steps)
{
	weaken_access(steps, OCLMM_WEAKER_ORDER,
	              cycle_ordered(&steps->from->access[steps->access]));
}

static void weaken_scope(struct steps *steps)
{
	const struct oclmm_cycle_access *access = &steps->from->access[steps->access];

	if (has_scope(access))
		weaken_access(steps, OCLMM_WEAKER_SCOPE, cycle_ordered(access));
}

/* A read-modify-write whose other side is not part of the cycle. */
static void weaken_update(struct steps *steps)
{
	const struct oclmm_cycle_access *access = &steps->from->access[steps->access];

	if (access->update && !access->legacy && !(access->reads && access->writes) &&
	    steps->from->location[access->location].type != OCLMM_TYPE_FLAG)
		weaken_access(steps, OCLMM_WEAKER_PART, OCLMM_ORDERED_UPDATE);
}

/* ---- fences ---- */

static void remove_fence(struct steps *steps)
{
	struct oclmm_cycle_access *access = &steps->cycle.access[steps->access];

	access->fence_count--;
	memmove(&access->fences[steps->fence], &access->fences[steps->fence + 1],
	        (access->fence_count - steps->fence) * sizeof(access->fences[0]));
	take_step(steps, steps->access, "nofence");
}

static int take_fence(void *data, enum oclmm_weaker step, const struct oclmm_strength *weaker)
{
	struct steps *steps = data;
	struct oclmm_cycle_fence *fence = &steps->cycle.access[steps->access].fences[steps->fence];
	char what[32];

	if (step == OCLMM_WEAKER_FLAGS) {
		fence->flags = weaker->flags;
		take_step(steps, steps->access,
		          weaker->flags == OCLMM_FLAG_GLOBAL ? "fenceG" : "fenceL");
		return 0;
	}
	if (step == OCLMM_WEAKER_SCOPE)
		fence->scope = weaker->scope;
	else
		fence->order = weaker->order;
	snprintf(what, sizeof(what), "fence-%s",
	         step == OCLMM_WEAKER_SCOPE ? oclmm_scope_short(weaker->scope)
	                                    : oclmm_order_short(weaker->order));
	take_step(steps, steps->access, what);
	return 0;
}

static void weaken_fence(struct steps *steps)
{
	const struct oclmm_cycle_fence *fence =
		&steps->from->access[steps->access].fences[steps->fence];
	const struct oclmm_strength from = {.kind = OCLMM_ORDERED_FENCE,
	                                    .present = true,
	                                    .order = fence->order,
	                                    .scope = scope_of(steps->from, fence->scope),
	                                    .flags = fence->flags
	                                                     ? fence->flags
	                                                     : oclmm_cycle_regions(steps->from)};

	if (!fence_is_barrier(fence))
		remove_fence(steps);
	if (fence->kind == OCLMM_CYCLE_FENCE_FENCE)
		oclmm_weaker_each(&from,
		                  1u << OCLMM_WEAKER_ORDER | 1u << OCLMM_WEAKER_FLAGS |
		                          1u << OCLMM_WEAKER_SCOPE,
		                  OCLMM_ORDERED_UPDATE, take_fence, steps);
}

/* ---- what is no call's alone ---- */

static void weaken_link(struct steps *steps)
{
	const unsigned i = steps->access;
	enum oclmm_link_kind kind = steps->from->link[i].kind;

	if (kind != OCLMM_LINK_DATA && kind != OCLMM_LINK_CTRL)
		return;
	steps->cycle.link[i].kind = OCLMM_LINK_PO;
	take_step(steps, i, kind == OCLMM_LINK_DATA ? "nodata" : "noctrl");
}

/* One scope for all accesses of a location. */
static void weaken_location(struct steps *steps, unsigned location)
{
	const struct oclmm_cycle *from = steps->from;
	enum oclmm_scope scope = OCLMM_SCOPE_NONE;
	unsigned first = 0, count = 0;
	char what[32];

	for (unsigned i = 0; i < from->count; i++) {
		const struct oclmm_cycle_access *access = &from->access[i];
		enum oclmm_scope mine = oclmm_scope_narrower(scope_of(from, access->scope));

		if (access->location != location || !has_scope(access))
			continue;
		if (!mine || (count && mine != scope))
			return;
		first = count++ ? first : i;
		scope = mine;
		steps->cycle.access[i].scope = mine;
	}
	if (count > 1) {
		snprintf(what, sizeof(what), "all-%s", oclmm_scope_short(scope));
		take_step(steps, first, what);
	}
	steps->cycle = *from;
}

/*
 * Calls for each cycle that is one step weaker: an order, a scope, a flag less, a fence, a
 * dependency gone, a read-modify-write turned into a load or store; and for each location whose
 * accesses have one scope, that scope made narrower at all of them.
 * `what` is a word for the step, `P0-y-rlx`.
 */
static void weaken(const struct oclmm_cycle *cycle,
                   void (*each)(void *data, const struct oclmm_cycle *weaker, const char *what),
                   void *data)
{
	struct steps steps = {.from = cycle, .cycle = *cycle, .each = each, .data = data};

	for (steps.access = 0; steps.access < cycle->count; steps.access++) {
		const unsigned fences = cycle->access[steps.access].fence_count;

		weaken_order(&steps);
		weaken_update(&steps);
		for (steps.fence = 0; steps.fence < fences; steps.fence++)
			weaken_fence(&steps);
		weaken_link(&steps);
	}
	for (steps.access = 0; steps.access < cycle->count; steps.access++)
		weaken_scope(&steps);
	for (unsigned i = 0; i < cycle->location_count; i++)
		weaken_location(&steps, i);
}

/* ---- a whole litmus file ------------------------------------------------------------- */

/* The oracle's word on the outcome of a cycle. */
static int ask(const struct oclmm_cycle *cycle, struct oclmm_error *error,
               enum oclmm_observation *ret_observation)
{
	const struct oclmm_check_options options = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	int r = oclmm_cycle_program(cycle, error, &litmus);

	if (r < 0)
		return r;
	r = oclmm_check(litmus->variants[0].program, &options, error, &answer);
	if (r >= 0) {
		*ret_observation = oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS);
		oclmm_answer_destroy(answer);
	}
	oclmm_litmus_destroy(litmus);
	return r;
}

enum { MOST_CONTROLS = 16 };

struct controls {
	struct oclmm_cycle cycle[MOST_CONTROLS];
	char name[MOST_CONTROLS][64];
	unsigned count;
};

static void take(void *data, const struct oclmm_cycle *weaker, const char *what)
{
	struct controls *controls = data;
	enum oclmm_observation observation;

	if (controls->count == MOST_CONTROLS || ask(weaker, NULL, &observation) < 0 ||
	    (observation != OCLMM_OBSERVATION_SOMETIMES && observation != OCLMM_OBSERVATION_ALWAYS))
		return;
	controls->cycle[controls->count] = *weaker;
	snprintf(controls->name[controls->count++], sizeof(controls->name[0]), "%s", what);
}

/* Where no single step shows the outcome, all at once may. */
static void take_relaxed(struct controls *controls, const struct oclmm_cycle *cycle)
{
	struct oclmm_cycle relaxed = *cycle;

	for (unsigned i = 0; i < relaxed.count; i++) {
		struct oclmm_cycle_access *access = &relaxed.access[i];
		unsigned kept = 0;

		if (access->order != OCLMM_ORDER_NONE)
			access->order = OCLMM_ORDER_RELAXED;
		for (unsigned k = 0; k < access->fence_count; k++) {
			if (fence_is_barrier(&access->fences[k]))
				access->fences[kept++] = access->fences[k];
		}
		access->fence_count = kept;
	}
	if (oclmm_cycle_settle(&relaxed, NULL) == 0)
		take(controls, &relaxed, "rlx");
}

/* ---- a control as an axis ---- */

struct lines {
	const char *start, *end; /* those of a thread that differ in some control */
};

/* Narrows [*ret, end) of `a` to the lines in which `b` differs. */
static void differ(const char *a, const char *b, struct lines *ret_a, struct lines *ret_b)
{
	const char *end_a = a + strlen(a), *end_b = b + strlen(b);

	while (*a) {
		size_t line = strcspn(a, "\n") + 1;

		if (strncmp(a, b, line) != 0)
			break;
		a += line;
		b += line;
	}
	while (end_a > a && end_b > b) {
		const char *from_a = end_a - 1, *from_b = end_b - 1;

		while (from_a > a && from_a[-1] != '\n')
			from_a--;
		while (from_b > b && from_b[-1] != '\n')
			from_b--;
		if (end_a - from_a != end_b - from_b ||
		    strncmp(from_a, from_b, (size_t)(end_a - from_a)) != 0)
			break;
		end_a = from_a;
		end_b = from_b;
	}
	*ret_a = (struct lines){a, end_a};
	*ret_b = (struct lines){b, end_b};
}

/* Lines as one run of words. */
static void print_lines(struct oclmm_text *text, const char *from, const char *to)
{
	while (from < to) {
		size_t length = strcspn(from, "\n");
		size_t blank = strspn(from, " ");

		oclmm_text_printf(text, " %.*s", (int)(length - blank), from + blank);
		from += length + 1;
	}
}

/* What one thread is in the cycle and in each control. */
struct thread_texts {
	char *base, *weaker[MOST_CONTROLS];
	const char *start, *end; /* of `base`: what some control changes */
};

static char *thread_text(const struct oclmm_cycle *cycle, unsigned thread)
{
	struct oclmm_text text = {0};
	struct outcome outcome;

	if (oclmm_cycle_outcome(cycle, NULL, &outcome) == 0)
		print_thread(&text, cycle, &outcome, thread);
	oclmm_text_add(&text, "");
	return oclmm_text_steal(&text);
}

static void compare_thread(const struct oclmm_cycle *cycle, const struct controls *controls,
                           unsigned thread, struct thread_texts *texts)
{
	texts->base = thread_text(cycle, thread);
	texts->start = texts->base + strlen(texts->base);
	texts->end = texts->base;
	for (unsigned i = 0; i < controls->count; i++) {
		struct lines mine, other;

		texts->weaker[i] = thread_text(&controls->cycle[i], thread);
		differ(texts->base, texts->weaker[i], &mine, &other);
		if (mine.start == mine.end && other.start == other.end)
			continue;
		texts->start = mine.start < texts->start ? mine.start : texts->start;
		texts->end = mine.end > texts->end ? mine.end : texts->end;
	}
}

static bool is_changed(const struct thread_texts *texts)
{
	return texts->start < texts->end;
}

/* How often the lines between `start` and `end` stand in a text. */
static unsigned count_lines(const struct thread_texts *texts, const char *in)
{
	size_t length = (size_t)(texts->end - texts->start);
	unsigned count = 0;

	for (; strlen(in) >= length; in++)
		count += strncmp(in, texts->start, length) == 0;
	return count;
}

/* An axis rewrites its words wherever they stand: with more lines they stand in one place. */
static void make_unique(const struct oclmm_cycle *cycle, struct thread_texts *all, unsigned thread)
{
	struct thread_texts *texts = &all[thread];

	while (is_changed(texts)) {
		unsigned count = 0;

		for (unsigned i = 0; i < cycle->thread_count; i++)
			count += count_lines(texts, all[i].base);
		if (count == 1 || (texts->start == texts->base && !*texts->end))
			return;
		if (texts->start > texts->base) {
			texts->start--;
			while (texts->start > texts->base && texts->start[-1] != '\n')
				texts->start--;
		} else {
			texts->end += strcspn(texts->end, "\n") + 1;
		}
	}
}

/* In a control, the lines that stand for those between `start` and `end`. */
static void print_changed(struct oclmm_text *text, const struct thread_texts *texts, unsigned i)
{
	const char *weaker = texts->weaker[i];
	size_t behind = strlen(texts->end);

	print_lines(text, weaker + (texts->start - texts->base), weaker + strlen(weaker) - behind);
}

/* What is changed, thread by thread: as it is in the cycle, or in the control `i`. */
static void print_parts(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        const struct thread_texts *texts, int i)
{
	const char *before = "";

	for (unsigned k = 0; k < cycle->thread_count; k++) {
		if (!is_changed(&texts[k]))
			continue;
		oclmm_text_add(text, before);
		if (i < 0)
			print_lines(text, texts[k].start, texts[k].end);
		else
			print_changed(text, &texts[k], (unsigned)i);
		before = "\n    ,";
	}
}

static void print_axis(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       const struct controls *controls, const struct thread_texts *texts)
{
	oclmm_text_add(text, "vary weaker");
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		if (is_changed(&texts[i]))
			oclmm_text_printf(text, "@P%u", i);
	}
	oclmm_text_add(text, ":");
	print_parts(text, cycle, texts, -1);
	for (unsigned k = 0; k < controls->count; k++) {
		oclmm_text_printf(text, "\n    %s \"%s\"", k ? "|" : "=>", controls->name[k]);
		print_parts(text, cycle, texts, (int)k);
	}
	oclmm_text_printf(text, "\ncontrol weaker=%s\n\n", controls->name[0]);
}

static void finish_texts(const struct oclmm_cycle *cycle, const struct controls *controls,
                         struct thread_texts *texts)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		free(texts[i].base);
		for (unsigned k = 0; k < controls->count; k++)
			free(texts[i].weaker[k]);
	}
}

/* A preamble has no braces, so that a branch of several statements cannot be put into an axis. */
static bool has_brace(const struct oclmm_cycle *cycle, const struct controls *controls,
                      const struct thread_texts *texts)
{
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		const struct thread_texts *mine = &texts[i];

		if (!is_changed(mine))
			continue;
		if (memchr(mine->start, '{', (size_t)(mine->end - mine->start)) ||
		    memchr(mine->start, '}', (size_t)(mine->end - mine->start)))
			return true;
		for (unsigned k = 0; k < controls->count; k++) {
			const char *from = mine->weaker[k] + (mine->start - mine->base);
			const char *to = mine->weaker[k] + strlen(mine->weaker[k]) -
			                 strlen(mine->end);

			if (memchr(from, '{', (size_t)(to - from)) ||
			    memchr(from, '}', (size_t)(to - from)))
				return true;
		}
	}
	return false;
}

static bool try_controls(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                         const struct controls *controls)
{
	struct thread_texts texts[OCLMM_CYCLE_MAX] = {{0}};
	bool good;

	for (unsigned i = 0; i < cycle->thread_count; i++)
		compare_thread(cycle, controls, i, &texts[i]);
	for (unsigned i = 0; i < cycle->thread_count; i++)
		make_unique(cycle, texts, i);
	good = !has_brace(cycle, controls, texts);
	if (good)
		print_axis(text, cycle, controls, texts);
	finish_texts(cycle, controls, texts);
	return good;
}

/* All controls, or those that can be said. */
static void print_controls(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                           const struct controls *controls)
{
	struct controls *fewer = oclmm_malloc(sizeof(*fewer));

	if (!try_controls(text, cycle, controls)) {
		for (unsigned i = 0; i < controls->count; i++) {
			fewer->count = 1;
			fewer->cycle[0] = controls->cycle[i];
			memcpy(fewer->name[0], controls->name[i], sizeof(fewer->name[0]));
			if (try_controls(text, cycle, fewer))
				break;
		}
	}
	free(fewer);
}

static void print_head(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                       enum oclmm_observation observation, const struct controls *controls)
{
	oclmm_text_add(text, "OPENCL ");
	oclmm_cycle_name(text, cycle);
	oclmm_text_printf(text, "\n\n\"%s\"\n\n(* Result: %s\n *\n * Cycle: ",
	                  oclmm_cycle_question(cycle), oclmm_observation_word(observation));
	oclmm_cycle_print(text, cycle);
	oclmm_text_add(text, "\n");
	if (observation == OCLMM_OBSERVATION_NEVER && controls->count == 0)
		oclmm_text_add(text,
		               " * No weaker test of the same cycle shows the outcome: it has no "
		               "control.\n");
	oclmm_text_add(text, " *)\n\n");
}

int oclmm_cycle_file(const struct oclmm_cycle *cycle, struct oclmm_error *error,
                     struct oclmm_text *text)
{
	struct controls *controls;
	enum oclmm_observation observation;
	int r = ask(cycle, error, &observation);

	if (r < 0)
		return r;
	controls = oclmm_calloc(1, sizeof(*controls));
	if (observation == OCLMM_OBSERVATION_NEVER || observation == OCLMM_OBSERVATION_DISPUTED) {
		weaken(cycle, take, controls);
		if (controls->count == 0)
			take_relaxed(controls, cycle);
	}
	print_head(text, cycle, observation, controls);
	if (controls->count)
		print_controls(text, cycle, controls);
	free(controls);
	return oclmm_cycle_body(cycle, error, text);
}
