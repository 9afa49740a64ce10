// SPDX-License-Identifier: Apache-2.0
#include "made.h"

const char *made_object_name(unsigned object)
{
	static const char *const names[MADE_MAX_OBJECTS] = {"x", "y", "z", "u", "v"};

	return names[object];
}

static const char *type_name(const struct made_object *object)
{
	if (object->flag)
		return "atomic_flag";
	if (!object->atomic)
		return oclmm_type_name(object->type);
	switch (object->type) {
	case OCLMM_TYPE_UINT: return "atomic_uint";
	case OCLMM_TYPE_LONG: return "atomic_long";
	case OCLMM_TYPE_ULONG: return "atomic_ulong";
	default: return "atomic_int";
	}
}

long long made_number(const struct made_object *object, int value)
{
	return object->wide ? value * 4294967297LL : value;
}

static bool uses_expected(const struct made_statement *statement)
{
	return statement->kind == MADE_ATOMIC && oclmm_operation_is_cas(statement->op);
}

bool made_uses_object(const struct made_statement *statement, unsigned object)
{
	switch (statement->kind) {
	case MADE_FENCE:
	case MADE_BARRIER:
	case MADE_COLLECTIVE:
	case MADE_COPY_WAIT: return false;
	case MADE_SUM:
	case MADE_TREE:
	case MADE_COPY: return statement->object == object || statement->other == object;
	default: return statement->object == object;
	}
}

bool made_has_result(const struct made *made, const struct made_statement *statement)
{
	(void)made;
	switch (statement->kind) {
	case MADE_ATOMIC: return oclmm_operation_reads(statement->op);
	case MADE_LEGACY:
	case MADE_READ:
	case MADE_SUM: return true;
	case MADE_TREE: return statement->use <= USE_BRANCH;
	default: return false;
	}
}

/* ---- statements ------------------------------------------------------ */

static void print_flags(struct oclmm_text *text, unsigned flags)
{
	if (flags == 0)
		oclmm_text_add(text, "0");
	if (flags & OCLMM_FLAG_GLOBAL)
		oclmm_text_add(text, "CLK_GLOBAL_MEM_FENCE");
	if (flags == (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL))
		oclmm_text_add(text, " | ");
	if (flags & OCLMM_FLAG_LOCAL)
		oclmm_text_add(text, "CLK_LOCAL_MEM_FENCE");
}

/** The value that is stored or added: a constant, or computed from a register. */
static void print_value(struct oclmm_text *text, const struct made *made,
                        const struct made_statement *s)
{
	if (s->source >= 0 && s->adds_nothing)
		oclmm_text_printf(text, "%lld + (r%d & 0)",
		                  made_number(&made->objects[s->object], s->value), s->source);
	else if (s->source >= 0)
		oclmm_text_printf(text, "r%d", s->source);
	else
		oclmm_text_printf(text, "%lld", made_number(&made->objects[s->object], s->value));
}

/** `*x`, or the element of an array that a register selects. */
static void print_place(struct oclmm_text *text, const struct made *made,
                        const struct made_statement *s, bool lvalue)
{
	const char *name = made_object_name(s->object);

	if (!made->objects[s->object].array)
		oclmm_text_printf(text, lvalue ? "*%s" : "%s", name);
	else if (s->source >= 0)
		oclmm_text_printf(text, lvalue ? "%s[r%d & 1]" : "&%s[r%d & 1]", name, s->source);
	else
		oclmm_text_printf(text, lvalue ? "%s[%d]" : "&%s[%d]", name, s->value & 1);
}

static void print_atomic(struct oclmm_text *text, const struct made *made,
                         const struct made_statement *s, unsigned index)
{
	oclmm_text_add(text, oclmm_operation_stem(s->op));
	oclmm_text_add(text, s->op == OCLMM_OP_INIT ? "(" : "_explicit(");
	print_place(text, made, s, false);
	if (uses_expected(s))
		oclmm_text_printf(text, ", &e%u", index);
	if (s->op != OCLMM_OP_LOAD && s->op != OCLMM_OP_FLAG_TEST_AND_SET &&
	    s->op != OCLMM_OP_FLAG_CLEAR) {
		oclmm_text_add(text, ", ");
		print_value(text, made, s);
	}
	if (s->op != OCLMM_OP_INIT)
		oclmm_text_printf(text, ", %s", oclmm_order_spelling(s->order));
	if (uses_expected(s))
		oclmm_text_printf(text, ", %s", oclmm_order_spelling(s->failure));
	if (s->op != OCLMM_OP_INIT)
		oclmm_text_printf(text, ", %s", oclmm_scope_spelling(s->scope));
	oclmm_text_add(text, ")");
}

static void print_legacy(struct oclmm_text *text, const struct made *made,
                         const struct made_statement *s)
{
	static const char *const names[OCLMM_OP_COUNT] = {
		[OCLMM_OP_EXCHANGE] = "atomic_xchg",      [OCLMM_OP_FETCH_ADD] = "atomic_add",
		[OCLMM_OP_FETCH_SUB] = "atomic_sub",      [OCLMM_OP_FETCH_OR] = "atomic_or",
		[OCLMM_OP_CAS_STRONG] = "atomic_cmpxchg",
	};

	oclmm_text_printf(text, "%s(", names[s->op]);
	print_place(text, made, s, false);
	if (s->op == OCLMM_OP_CAS_STRONG)
		oclmm_text_printf(text, ", %lld",
		                  made_number(&made->objects[s->object], s->expected));
	oclmm_text_add(text, ", ");
	print_value(text, made, s);
	oclmm_text_add(text, ")");
}

static void print_operand(struct oclmm_text *text, const struct made *made, unsigned object,
                          const struct made_statement *s)
{
	const struct made_object *o = &made->objects[object];

	if (o->atomic)
		oclmm_text_printf(text, "atomic_load_explicit(%s, %s, %s)",
		                  made_object_name(object), oclmm_order_spelling(s->order),
		                  oclmm_scope_spelling(s->scope));
	else
		oclmm_text_printf(text, "*%s", made_object_name(object));
}

static void print_action(struct oclmm_text *text, const struct made *made,
                         const struct made_statement *s, unsigned index)
{
	if (made_has_result(made, s) && s->kind != MADE_TREE)
		oclmm_text_printf(text, "r%u = ", index);
	switch (s->kind) {
	case MADE_ATOMIC: print_atomic(text, made, s, index); break;
	case MADE_LEGACY: print_legacy(text, made, s); break;
	case MADE_READ: print_place(text, made, s, true); break;
	case MADE_WRITE:
		print_place(text, made, s, true);
		oclmm_text_add(text, " = ");
		print_value(text, made, s);
		break;
	case MADE_FENCE:
		if (s->legacy) {
			oclmm_text_add(text, s->order == OCLMM_ORDER_ACQUIRE   ? "read_mem_fence("
			                     : s->order == OCLMM_ORDER_RELEASE ? "write_mem_fence("
			                                                       : "mem_fence(");
			print_flags(text, s->flags);
			oclmm_text_add(text, ")");
			break;
		}
		oclmm_text_add(text, "atomic_work_item_fence(");
		print_flags(text, s->flags);
		oclmm_text_printf(text, ", %s, %s)", oclmm_order_spelling(s->order),
		                  oclmm_scope_spelling(s->scope));
		break;
	case MADE_BARRIER:
		oclmm_text_add(text, s->sub_group ? "sub_group_barrier("
		                     : s->part == OCLMM_BARRIER_ARRIVE
		                             ? "intel_work_group_barrier_arrive("
		                     : s->part == OCLMM_BARRIER_WAIT
		                             ? "intel_work_group_barrier_wait("
		                             : "work_group_barrier(");
		print_flags(text, s->flags);
		oclmm_text_printf(text, ", %s)", oclmm_scope_spelling(s->scope));
		break;
	case MADE_COLLECTIVE:
		oclmm_text_add(text, s->sub_group ? "sub_group_any(0)" : "work_group_any(0)");
		break;
	case MADE_COPY:
		oclmm_text_printf(text, s->joins ? "ev0 = " : "event_t ev%d = ", s->value);
		oclmm_text_printf(text, "async_work_group_copy(%s, %s, 1, %s)",
		                  made_object_name(s->object), made_object_name(s->other),
		                  s->joins ? "ev0" : "0");
		break;
	case MADE_COPY_WAIT:
		oclmm_text_printf(text, "wait_group_events(1, &ev%d)", s->value);
		break;
	case MADE_SUM:
		print_operand(text, made, s->object, s);
		oclmm_text_add(text, " + ");
		print_operand(text, made, s->other, s);
		break;
	case MADE_TREE: made_print_tree(text, made, s, index); break;
	case MADE_WAIT:
		oclmm_text_add(text, "while (");
		print_operand(text, made, s->object, s);
		oclmm_text_printf(text, " != %lld) { }",
		                  made_number(&made->objects[s->object], s->value));
		return;
	}
	oclmm_text_add(text, ";");
}

static void print_guard(struct oclmm_text *text, const struct made *made,
                        const struct made_thread *thread, const struct made_statement *s)
{
	const struct made_statement *guard = &thread->statements[s->guard];

	oclmm_text_printf(text, "if (r%d %s %lld) { ", s->guard, s->guard_differs ? "!=" : "==",
	                  made_number(&made->objects[guard->object], s->guard_value));
}

static void print_statement(struct oclmm_text *text, const struct made *made,
                            const struct made_thread *thread, unsigned index)
{
	const struct made_statement *s = &thread->statements[index];

	oclmm_text_add(text, "  ");
	if (s->guard >= 0)
		print_guard(text, made, thread, s);
	print_action(text, made, s, index);
	oclmm_text_add(text, s->guard >= 0 ? " }\n" : "\n");
}

/* ---- the whole ------------------------------------------------------- */

static bool thread_uses(const struct made_thread *thread, unsigned object)
{
	for (unsigned i = 0; i < thread->count; i++)
		if (made_uses_object(&thread->statements[i], object))
			return true;
	return false;
}

static bool is_used(const struct made *made, unsigned object)
{
	for (unsigned t = 0; t < made->thread_count; t++)
		if (thread_uses(&made->threads[t], object))
			return true;
	return false;
}

static void print_objects(struct oclmm_text *text, const struct made *made)
{
	oclmm_text_add(text, "{\n");
	for (unsigned i = 0; i < made->object_count; i++) {
		const struct made_object *object = &made->objects[i];

		if (!is_used(made, i))
			continue;
		if (!object->local && object->storage != OCLMM_STORAGE_BUFFER)
			oclmm_text_printf(text, "%s ", oclmm_storage_word(object->storage));
		if (object->array)
			oclmm_text_printf(text, "%s[2] = { %lld, %lld };\n", made_object_name(i),
			                  made_number(object, object->initial),
			                  made_number(object, 1 - object->initial));
		else
			oclmm_text_printf(text, "[%s] = %lld;\n", made_object_name(i),
			                  made_number(object, object->initial));
	}
	oclmm_text_add(text, "}\n");
}

static void print_placement(struct oclmm_text *text, const struct oclmm_placement *placement)
{
	if (placement->host) {
		oclmm_text_add(text, "@host ");
		return;
	}
	oclmm_text_add(text, "@");
	if (placement->sub_group_given)
		oclmm_text_printf(text, "sg %u, ", placement->sub_group);
	oclmm_text_printf(text, "wg %u, dev %u ", placement->work_group, placement->device);
	if (placement->queue > 0)
		oclmm_text_printf(text, "queue %u ", placement->queue);
}

static void print_thread(struct oclmm_text *text, const struct made *made, unsigned index)
{
	const struct made_thread *thread = &made->threads[index];
	const char *comma = "";

	oclmm_text_printf(text, "\nP%u", index);
	print_placement(text, &thread->placement);
	oclmm_text_add(text, "(");
	for (unsigned i = 0; i < made->object_count; i++) {
		if (!thread_uses(thread, i))
			continue;
		oclmm_text_printf(text, "%s%s %s *%s", comma,
		                  made->objects[i].local ? "local" : "global",
		                  type_name(&made->objects[i]), made_object_name(i));
		comma = ", ";
	}
	oclmm_text_add(text, ") {\n");
	for (unsigned i = 0; i < thread->count; i++) {
		const struct made_statement *s = &thread->statements[i];
		const char *type = oclmm_type_name(made->objects[s->object].type);

		if (made_has_result(made, s))
			oclmm_text_printf(text, "  %s r%u = 0;\n",
			                  made->objects[s->object].flag ? "int" : type, i);
		if (uses_expected(s))
			oclmm_text_printf(text, "  %s e%u = %lld;\n", type, i,
			                  made_number(&made->objects[s->object], s->expected));
	}
	for (unsigned i = 0; i < thread->count; i++)
		print_statement(text, made, thread, i);
	oclmm_text_add(text, "}\n");
}

static void print_observed(struct oclmm_text *text, const struct made *made)
{
	oclmm_text_add(text, "\nlocations [");
	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++) {
			if (made_has_result(made, &made->threads[t].statements[i]))
				oclmm_text_printf(text, "%u:r%u; ", t, i);
			if (uses_expected(&made->threads[t].statements[i]))
				oclmm_text_printf(text, "%u:e%u; ", t, i);
		}
	for (unsigned i = 0; made->observe_memory && i < made->object_count; i++) {
		if (!is_used(made, i))
			continue;
		if (made->objects[i].array)
			oclmm_text_printf(text, "%s[0]; %s[1]; ", made_object_name(i),
			                  made_object_name(i));
		else
			oclmm_text_printf(text, "%s; ", made_object_name(i));
	}
	oclmm_text_add(text, "]\nexists (true)\n");
}

static bool has_wait(const struct made *made)
{
	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++)
			if (made->threads[t].statements[i].kind == MADE_WAIT)
				return true;
	return false;
}

void made_print(struct oclmm_text *text, const struct made *made, const char *name)
{
	oclmm_text_printf(text, "OPENCL %s\n\n", name);
	if (has_wait(made))
		oclmm_text_add(text, "unroll 1\n\n");
	print_objects(text, made);
	for (unsigned t = 0; t < made->thread_count; t++)
		print_thread(text, made, t);
	print_observed(text, made);
}
