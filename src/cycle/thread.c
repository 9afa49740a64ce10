// SPDX-License-Identifier: Apache-2.0
/* A thread's statements. */
#include "internal.h"

struct printer {
	struct oclmm_text *text;
	const struct oclmm_cycle *cycle;
	const struct outcome *outcome;
	unsigned depth, barriers;
	unsigned braces; /* set of depths whose branch has them */
};

const char *cycle_location_name(unsigned location)
{
	static const char *const names[OCLMM_CYCLE_MAX] = {"x", "y", "z", "a", "b", "c", "d", "f",
	                                                   "g", "h", "i", "j", "k", "l", "m", "n"};

	return names[location];
}

void cycle_print_value(struct oclmm_text *text, enum oclmm_type type, int64_t value)
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

/* ---- registers ---- */

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

void cycle_print_atom(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                      const struct outcome *outcome, unsigned i)
{
	const struct printer printer = {.text = text, .cycle = cycle, .outcome = outcome};
	unsigned thread = cycle->access[i].thread;

	oclmm_text_printf(text, "%u:r%u=", thread, number_of(&printer, i, false));
	cycle_print_value(text, result_type(&printer, i), result_of(&printer, i));
	if (!cycle->access[i].fails)
		return;
	oclmm_text_printf(text, " /\\ %u:", thread);
	print_register(&printer, i);
	oclmm_text_add(text, "=");
	cycle_print_value(text, type_of(cycle, i), outcome->read[i]);
}

/* ---- expressions ---- */

static void print_scope(const struct printer *printer, enum oclmm_scope scope)
{
	oclmm_text_add(printer->text,
	               oclmm_scope_spelling(scope ? scope : cycle_default_scope(printer->cycle)));
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
			cycle_print_value(printer->text, type_of(cycle, i),
			                  more < 0 ? -more : more);
	} else if (printer->outcome->plain_operand[i]) {
		oclmm_value_print(printer->text, type_of(cycle, i),
		                  oclmm_value_wrap(type_of(cycle, i), operand));
	} else {
		cycle_print_value(printer->text, type_of(cycle, i), operand);
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
	const char *stem = words_operation(access->op);
	bool compares = is_cas(access);

	oclmm_text_printf(printer->text, "atomic_%s(%s, ", compares ? "cmpxchg" : stem,
	                  cycle_location_name(access->location));
	if (compares) {
		cycle_print_value(printer->text, type_of(printer->cycle, i),
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
	                  cycle_location_name(access->location));
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

/* ---- statements ---- */

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
	cycle_print_value(printer->text, type_of(printer->cycle, i),
	                  printer->outcome->comparand[i]);
	oclmm_text_add(printer->text, ";\n");
}

/* Registers that a branch may leave out hold something else than what is asked for. */
static void declare(const struct printer *printer, unsigned i)
{
	if (printer->outcome->known[i]) {
		indent(printer);
		print_type(printer, result_type(printer, i));
		oclmm_text_printf(printer->text, "r%u = ", number_of(printer, i, false));
		cycle_print_value(printer->text, result_type(printer, i), !result_of(printer, i));
		oclmm_text_add(printer->text, ";\n");
	}
	print_expected(printer, i);
}

static void print_plain(const struct printer *printer, unsigned i)
{
	const struct oclmm_cycle_access *access = &printer->cycle->access[i];
	const char *name = cycle_location_name(access->location);

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
	                                                 : cycle_regions(printer->cycle);

	if (fence_is_barrier(fence)) {
		print_barrier(printer, fence->kind == OCLMM_CYCLE_FENCE_SUB_BARRIER, flags,
		              fence->scope);
		return;
	}
	indent(printer);
	oclmm_text_printf(printer->text, "%s(", words_fence_function(fence->kind));
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
	cycle_print_value(printer->text, succeeds ? OCLMM_TYPE_INT : type_of(printer->cycle, i),
	                  succeeds ? 1 : printer->outcome->read[i]);
	printer->depth++;
	if (!is_one_left(printer->cycle, i))
		printer->braces |= 1u << printer->depth;
	oclmm_text_add(printer->text, printer->braces & 1u << printer->depth ? ") {\n" : ")\n");
}

static void print_link(struct printer *printer, unsigned i, bool behind)
{
	const struct oclmm_link *link = &printer->cycle->link[i];
	unsigned regions = cycle_regions(printer->cycle);

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

void cycle_print_thread(struct oclmm_text *text, const struct oclmm_cycle *cycle,
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
