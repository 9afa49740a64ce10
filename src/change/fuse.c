// SPDX-License-Identifier: Apache-2.0
/*
 * Threads that come to barriers inside branches and loops, as one text that work-items share: a
 * device can meet at such a barrier only where all work-items of the group run the same statement.
 *
 * The threads of a work-group are laid side by side by what they do together: barriers, copies,
 * waits, and the branches and loops that hold some. What stands between two of these is each
 * thread's own and is guarded by its number, but for what all of them do. A branch or loop becomes
 * one whose condition is each thread's own.
 */
#include "oclmm/change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is left to write of a thread's statements. */
struct part {
	uint32_t thread;
	const struct oclmm_statement *first;
};

/* The threads of one work-group, by their numbers in it. */
struct group {
	struct part *parts; /* one of each */
	uint32_t count;
};

struct fusing {
	struct oclmm_arena *arena;
	const struct oclmm_program *original;
	struct oclmm_program *program; /* its registers are renamed, and its objects grow */
	struct oclmm_shared_text *shared;
	struct oclmm_text text;
	struct oclmm_error *error;
	const char *role,
		*number; /* names of the variables that tell work-items and groups apart */
	struct group *groups;
	uint32_t group_count;
	uint32_t items;   /* of a group */
	uint32_t *places; /* of each thread: its number in its group */
};

/* ---- what is done together ---- */

static bool meets(const struct oclmm_statement *s);

static bool meets_within(const struct oclmm_statement *body)
{
	for (; body; body = body->next)
		if (meets(body))
			return true;
	return false;
}

/* Whether a statement is a barrier, a copy or a wait, or has one inside. */
static bool meets(const struct oclmm_statement *s)
{
	switch (s->kind) {
	case OCLMM_STATEMENT_BARRIER:
	case OCLMM_STATEMENT_COPY:
	case OCLMM_STATEMENT_WAIT: return true;
	case OCLMM_STATEMENT_IF:
		return meets_within(s->branch.then_body) || meets_within(s->branch.else_body);
	case OCLMM_STATEMENT_WHILE: return meets_within(s->loop.body);
	default: return false;
	}
}

static bool has_inner_meeting(const struct oclmm_thread *thread)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if ((s->kind == OCLMM_STATEMENT_IF || s->kind == OCLMM_STATEMENT_WHILE) && meets(s))
			return true;
	return false;
}

bool oclmm_has_inner_barrier(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->thread_count && !program->shared; i++)
		if (has_inner_meeting(&program->threads[i]))
			return true;
	return false;
}

/* ---- refusals ---- */

/* The message is there. */
static int place(struct fusing *f, const struct oclmm_position *position)
{
	if (f->original->file)
		snprintf(f->error->file, sizeof(f->error->file), "%s", f->original->file);
	f->error->position = *position;
	return -ENOTSUP;
}

static int refuse(struct fusing *f, const struct oclmm_position *position, const char *what)
{
	oclmm_error_set(f->error, -ENOTSUP, "%s cannot be run on a device", what);
	return place(f, position);
}

/* `P0 to \`barrier(CLK_LOCAL_MEM_FENCE)\` in line 7`. */
static void print_coming(struct fusing *f, struct oclmm_text *text, const struct part *part,
                         const struct oclmm_statement *s)
{
	oclmm_text_printf(text, "P%u to ", f->program->threads[part->thread].id);
	if (!s) {
		oclmm_text_add(text, "none");
		return;
	}
	oclmm_text_add(text, "`");
	oclmm_statement_print(text, f->original, part->thread, s);
	if (text->length && oclmm_text_string(text)[text->length - 1] == ';')
		text->length--;
	oclmm_text_printf(text, "` in line %u", s->position.line);
}

/* Two threads that have nothing in common here. */
static int refuse_apart(struct fusing *f, const struct part *a, const struct oclmm_statement *s,
                        const struct part *b, const struct oclmm_statement *t)
{
	struct oclmm_text text = {0};

	print_coming(f, &text, a, s);
	oclmm_text_add(&text, ", and ");
	print_coming(f, &text, b, t);
	oclmm_error_set(f->error, -ENOTSUP,
	                "a barrier inside if or while cannot be run on a device where threads come "
	                "to different ones: %s",
	                oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return place(f, s ? &s->position : &t->position);
}

static int find_floating(void *data, const struct oclmm_expression *e)
{
	(void)data;
	return oclmm_type_is_floating(e->type);
}

static int find_trap(void *data, const struct oclmm_expression *e)
{
	const struct oclmm_expression *by;

	(void)data;
	if (e->kind != OCLMM_EXPRESSION_BINARY ||
	    (e->binary.op != OCLMM_OPERATOR_DIV && e->binary.op != OCLMM_OPERATOR_REM))
		return 0;
	by = e->binary.right;
	return by->kind != OCLMM_EXPRESSION_CONSTANT || by->constant == 0 || by->constant == -1;
}

static int find_memory(void *data, const struct oclmm_expression *e)
{
	(void)data;
	return e->kind == OCLMM_EXPRESSION_LOAD || e->kind == OCLMM_EXPRESSION_ATOMIC;
}

/* A loop without a barrier that waits for another work-item may not end where a device runs
 * work-items one after the other. Others come to their barriers. */
static int find_waiting(void *data, const struct oclmm_statement *s)
{
	static const struct oclmm_visitor memory = {.expression = find_memory};

	(void)data;
	if (s->kind != OCLMM_STATEMENT_WHILE || meets(s))
		return 0;
	return oclmm_visit_expression(&memory, s->loop.condition, NULL) ||
	       oclmm_visit_body(&memory, s->loop.body, NULL);
}

static int find_other(void *data, const struct oclmm_statement *s)
{
	(void)data;
	if (s->kind == OCLMM_STATEMENT_ASSIGN)
		return s->assign.collective != NULL;
	return s->kind == OCLMM_STATEMENT_ENQUEUE ||
	       (s->kind == OCLMM_STATEMENT_BARRIER &&
	        (s->barrier.sub_group || s->barrier.collective ||
	         s->barrier.part != OCLMM_BARRIER_WHOLE));
}

static const char *unfit_thread(const struct oclmm_program *program, uint32_t thread)
{
	static const struct oclmm_visitor floating = {.expression = find_floating};
	static const struct oclmm_visitor trap = {.expression = find_trap};
	static const struct oclmm_visitor waiting = {.statement = find_waiting};
	static const struct oclmm_visitor other = {.statement = find_other};
	const struct oclmm_thread *t = &program->threads[thread];

	if (t->placement.host)
		return "a thread of the host beside a barrier inside if or while";
	if (t->placement.child || oclmm_program_has_children(program))
		return "a child kernel beside a barrier inside if or while";
	if (!oclmm_same_kernel(&t->placement, &program->threads[0].placement))
		return "a second kernel beside a barrier inside if or while";
	if (t->placement.sub_group_given)
		return "a barrier inside if or while in a test of sub-groups";
	for (uint32_t i = 0; i < t->parameter_count; i++)
		if (t->parameters[i].generic)
			return "a pointer without an address space beside a barrier inside if or "
			       "while";
	if (oclmm_visit_body(&trap, t->body, NULL))
		return "division by a value that may be 0 or -1";
	if (oclmm_visit_body(&floating, t->body, NULL))
		return "a floating-point value beside a barrier inside if or while";
	if (oclmm_visit_body(&other, t->body, NULL))
		return "a collective function, or one of sub-groups, or a split barrier, beside a "
		       "barrier inside if or while";
	if (oclmm_visit_body(&waiting, t->body, NULL))
		return "a loop without a barrier that reads memory, beside a barrier inside if or "
		       "while,";
	return NULL;
}

static int check(struct fusing *f)
{
	const struct oclmm_program *program = f->original;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const char *unfit = unfit_thread(program, i);

		if (unfit)
			return refuse(f, &program->threads[i].position, unfit);
	}
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (oclmm_type_is_floating(l->type) || l->type == OCLMM_TYPE_FLAG ||
		    (l->space != OCLMM_SPACE_LOCAL && l->storage != OCLMM_STORAGE_BUFFER))
			return refuse(f, &l->position,
			              "an object that is no buffer of whole numbers beside a "
			              "barrier inside if or while");
	}
	return 0;
}

/* ---- names ---- */

static bool is_taken(const struct fusing *f, const char *name)
{
	if (oclmm_program_find_location(f->program, name) >= 0)
		return true;
	for (uint32_t i = 0; i < f->program->thread_count; i++)
		if (oclmm_thread_find_register(&f->program->threads[i], name) >= 0)
			return true;
	return false;
}

static const char *new_name(const struct fusing *f, const char *name)
{
	while (is_taken(f, name))
		name = oclmm_arena_printf(f->arena, "%s_", name);
	return name;
}

/* Whether earlier threads have a variable of this name and another type. */
static bool is_of_two_types(const struct fusing *f, uint32_t thread, const struct oclmm_register *r)
{
	for (uint32_t i = 0; i < thread; i++) {
		int other = oclmm_thread_find_register(&f->program->threads[i], r->name);

		if (other >= 0 && f->program->threads[i].registers[other].type != r->type)
			return true;
	}
	return oclmm_program_find_location(f->program, r->name) >= 0;
}

/* Variables of one name and type are one variable of the text. */
static void name_registers(struct fusing *f)
{
	for (uint32_t i = 0; i < f->program->thread_count; i++) {
		struct oclmm_thread *thread = &f->program->threads[i];
		struct oclmm_register *registers = OCLMM_NEW_ARRAY(f->arena, struct oclmm_register,
		                                                   thread->register_count + 1);

		/* the text declares them with their values */
		for (uint32_t r = 0; r < thread->register_count; r++) {
			registers[r] = thread->registers[r];
			registers[r].has_initial = false;
		}
		thread->registers = registers;
		for (uint32_t r = 0; r < thread->register_count; r++)
			if (is_of_two_types(f, i, &registers[r]))
				registers[r].name = new_name(
					f, oclmm_arena_printf(f->arena, "P%u_%s", thread->id,
				                              registers[r].name));
	}
	f->role = new_name(f, "role");
	f->number = new_name(f, "group");
}

/* ---- objects ---- */

static uint32_t add_object(struct fusing *f, const char *name, enum oclmm_type type)
{
	struct oclmm_program *program = f->program;
	struct oclmm_location *l = &program->locations[program->location_count];

	*l = (struct oclmm_location){
		.name = new_name(f, name),
		.type = type,
		.space = OCLMM_SPACE_GLOBAL,
		.storage = OCLMM_STORAGE_BUFFER,
		.elements = 1,
		.initial = OCLMM_NEW(f->arena, int64_t),
		.is_given = true,
		.first_cell = program->cell_count++,
	};
	/* what no work-item wrote is told from what it left at 0 */
	l->initial[0] = oclmm_value_wrap(type, -1);
	return program->location_count++;
}

/* Of the types that a kernel's buffer may have, the one with the same values. */
static enum oclmm_type type_in_memory(enum oclmm_type type)
{
	switch (type) {
	case OCLMM_TYPE_BOOL: return OCLMM_TYPE_UCHAR;
	case OCLMM_TYPE_SIZE: return OCLMM_TYPE_ULONG;
	case OCLMM_TYPE_PTRDIFF: return OCLMM_TYPE_LONG;
	default: return type;
	}
}

static bool is_local(const struct fusing *f, const struct oclmm_observable *o)
{
	return !o->is_register && f->original->locations[o->location].space == OCLMM_SPACE_LOCAL;
}

/* What a work-item or a work-group has at its end is stored in an object of its own. */
static void add_objects(struct fusing *f)
{
	struct oclmm_program *program = f->program;
	const uint32_t count = program->observable_count;
	struct oclmm_location *locations = OCLMM_NEW_ARRAY(f->arena, struct oclmm_location,
	                                                   program->location_count + count + 1);
	struct oclmm_observable *observables = OCLMM_NEW_ARRAY(f->arena, struct oclmm_observable,
	                                                       count + 1);

	memcpy(locations, program->locations, program->location_count * sizeof(*locations));
	program->locations = locations;
	for (uint32_t i = 0; i < program->location_count; i++)
		locations[i].is_given = true;
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		struct oclmm_observable *own = &observables[i];
		const char *name;

		*own = *o;
		if (!o->is_register && !is_local(f, o))
			continue;
		name = o->is_register
		               ? oclmm_arena_printf(
					 f->arena, "P%u_%s", f->original->threads[o->thread].id,
					 f->original->threads[o->thread].registers[o->reg].name)
		               : oclmm_arena_printf(f->arena, "%s_%u", locations[o->location].name,
		                                    o->element);
		own->location = add_object(f, name, type_in_memory(o->type));
		own->is_register = false;
		own->element = 0;
		own->type = locations[own->location].type;
		own->name = oclmm_arena_printf(f->arena, "[%s]", locations[own->location].name);
	}
	program->observables = observables;
}

static const char *words_of(struct fusing *f, const struct oclmm_parameter *p)
{
	return oclmm_arena_printf(f->arena, "%s%s %s *", p->is_volatile ? "volatile " : "",
	                          oclmm_space_spelling(f->program->locations[p->location].space),
	                          oclmm_type_spelling(p->type, p->atomic));
}

static int add_parameter(struct fusing *f, const struct oclmm_thread *thread,
                         const struct oclmm_parameter *p)
{
	struct oclmm_shared_text *shared = f->shared;
	const char *words = words_of(f, p);

	for (uint32_t i = 0; i < shared->parameter_count; i++) {
		if (shared->parameters[i].location != p->location)
			continue;
		if (strcmp(shared->parameters[i].words, words) == 0)
			return 0;
		return refuse(f, &thread->position,
		              "an object that two threads take by different types beside a barrier "
		              "inside if or while");
	}
	shared->parameters[shared->parameter_count++] = (struct oclmm_shared_parameter){
		.name = f->program->locations[p->location].name,
		.words = words,
		.location = p->location,
	};
	return 0;
}

static int add_parameters(struct fusing *f)
{
	const struct oclmm_program *program = f->program;
	int r = 0;

	f->shared->parameters = OCLMM_NEW_ARRAY(f->arena, struct oclmm_shared_parameter,
	                                        program->location_count + 1);
	for (uint32_t i = 0; i < program->thread_count; i++)
		for (uint32_t k = 0; k < program->threads[i].parameter_count && r == 0; k++)
			r = add_parameter(f, &program->threads[i],
			                  &program->threads[i].parameters[k]);
	for (uint32_t i = f->original->location_count; i < program->location_count && r == 0; i++) {
		const struct oclmm_parameter p = {.location = i,
		                                  .type = program->locations[i].type};

		r = add_parameter(f, &program->threads[0], &p);
	}
	return r;
}

/* ---- lines ---- */

static void indent(struct oclmm_text *text, unsigned depth)
{
	while (depth--)
		oclmm_text_add(text, "  ");
}

/* A statement as the thread has it, without its label and what is inside. */
static void print_head(const struct fusing *f, struct oclmm_text *text, uint32_t thread,
                       const struct oclmm_statement *s)
{
	struct oclmm_statement plain = *s;

	/* work-items meet at one barrier here, which needs none */
	if (s->kind == OCLMM_STATEMENT_BARRIER)
		plain.barrier.label = NULL;
	oclmm_statement_print(text, f->program, thread, &plain);
}

static void print_whole(const struct fusing *f, struct oclmm_text *text, uint32_t thread,
                        const struct oclmm_statement *s, unsigned depth)
{
	struct oclmm_parts parts;

	indent(text, depth);
	print_head(f, text, thread, s);
	oclmm_statement_parts((struct oclmm_statement *)s, &parts);
	for (unsigned i = 0; i < parts.body_count; i++) {
		oclmm_text_add(text, i > 0 ? " else {\n" : " {\n");
		for (const struct oclmm_statement *b = *parts.bodies[i]; b; b = b->next)
			print_whole(f, text, thread, b, depth + 1);
		indent(text, depth);
		oclmm_text_add(text, "}");
	}
	oclmm_text_add(text, "\n");
}

static const char *head_of(const struct fusing *f, uint32_t thread, const struct oclmm_statement *s)
{
	struct oclmm_text text = {0};

	print_head(f, &text, thread, s);
	return oclmm_text_keep(&text, f->arena);
}

static const char *condition_of(const struct fusing *f, uint32_t thread,
                                const struct oclmm_statement *s)
{
	const char *head = head_of(f, thread, s);
	const size_t from = strlen(s->kind == OCLMM_STATEMENT_IF ? "if (" : "while (");

	return oclmm_arena_printf(f->arena, "%.*s", (int)(strlen(head) - from - 1), head + from);
}

/* ---- between two meetings ---- */

/* What a thread does there, a text a statement. */
struct segment {
	const char **lines;
	uint32_t count;
};

static void list_lines(const struct fusing *f, const struct part *part,
                       const struct oclmm_statement *end, unsigned depth, struct segment *segment)
{
	uint32_t count = 0;

	for (const struct oclmm_statement *s = part->first; s != end; s = s->next)
		count++;
	segment->lines = OCLMM_NEW_ARRAY(f->arena, const char *, count + 1);
	segment->count = 0;
	for (const struct oclmm_statement *s = part->first; s != end; s = s->next) {
		struct oclmm_text text = {0};

		print_whole(f, &text, part->thread, s, depth);
		segment->lines[segment->count++] = oclmm_text_keep(&text, f->arena);
	}
}

/* How many statements all threads begin with, or end with. */
static uint32_t count_common(const struct segment *segments, uint32_t count, bool at_end)
{
	for (uint32_t k = 0;; k++)
		for (uint32_t i = 0; i < count; i++) {
			const struct segment *s = &segments[i], *first = &segments[0];

			if (k == s->count ||
			    strcmp(s->lines[at_end ? s->count - 1 - k : k],
			           first->lines[at_end ? first->count - 1 - k : k]) != 0)
				return k;
		}
}

static bool same_segment(const struct segment *a, const struct segment *b)
{
	for (uint32_t i = 0; i < a->count && a->count == b->count; i++)
		if (strcmp(a->lines[i], b->lines[i]) != 0)
			return false;
	return a->count == b->count;
}

static void add_lines(struct fusing *f, const struct segment *segment, unsigned deeper)
{
	for (uint32_t i = 0; i < segment->count; i++) {
		const char *line = segment->lines[i];

		/* a line of a body each */
		while (*line) {
			size_t length = strcspn(line, "\n") + 1;

			indent(&f->text, deeper);
			oclmm_text_add_bytes(&f->text, line, length);
			line += length;
		}
	}
}

/* `if (role == 0 || role == 2) {`, of all that do the same as this one. */
static void add_guard(struct fusing *f, const struct group *group, const struct segment *segments,
                      uint32_t like, unsigned depth)
{
	bool any = false;

	indent(&f->text, depth);
	oclmm_text_add(&f->text, "if (");
	for (uint32_t i = like; i < group->count; i++) {
		if (!same_segment(&segments[i], &segments[like]))
			continue;
		oclmm_text_printf(&f->text, "%s%s == %u", any ? " || " : "", f->role, i);
		any = true;
	}
	oclmm_text_add(&f->text, ") {\n");
}

static bool is_like_earlier(const struct segment *segments, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		if (same_segment(&segments[i], &segments[at]))
			return true;
	return false;
}

/* Up to `ends`, a statement of each thread, or all that is left. */
static void add_segments(struct fusing *f, const struct group *group,
                         const struct oclmm_statement *const *ends, unsigned depth)
{
	struct segment *segments = OCLMM_NEW_ARRAY(f->arena, struct segment, group->count);
	struct segment tail;
	uint32_t front, back;

	for (uint32_t i = 0; i < group->count; i++)
		list_lines(f, &group->parts[i], ends[i], depth, &segments[i]);
	front = count_common(segments, group->count, false);
	add_lines(f, &(struct segment){segments[0].lines, front}, 0);
	for (uint32_t i = 0; i < group->count; i++) {
		segments[i].lines += front;
		segments[i].count -= front;
	}
	back = count_common(segments, group->count, true);
	tail = (struct segment){segments[0].lines + segments[0].count - back, back};
	for (uint32_t i = 0; i < group->count; i++)
		segments[i].count -= back;
	for (uint32_t i = 0; i < group->count; i++) {
		if (segments[i].count == 0 || is_like_earlier(segments, i))
			continue;
		add_guard(f, group, segments, i, depth);
		add_lines(f, &segments[i], 1);
		indent(&f->text, depth);
		oclmm_text_add(&f->text, "}\n");
	}
	add_lines(f, &tail, 0);
}

/* ---- meetings ---- */

static const struct oclmm_statement *next_meeting(const struct part *part)
{
	const struct oclmm_statement *s = part->first;

	while (s && !meets(s))
		s = s->next;
	return s;
}

static int add_block(struct fusing *f, const struct group *group, unsigned depth);

static const struct oclmm_statement *body_of(const struct oclmm_statement *s, unsigned which)
{
	if (s->kind == OCLMM_STATEMENT_WHILE)
		return s->loop.body;
	return which ? s->branch.else_body : s->branch.then_body;
}

/* A body of each thread's branch or loop. */
static int add_body(struct fusing *f, const struct group *group,
                    const struct oclmm_statement *const *at, unsigned which, unsigned depth)
{
	struct group inside = {OCLMM_NEW_ARRAY(f->arena, struct part, group->count), group->count};

	for (uint32_t i = 0; i < group->count; i++)
		inside.parts[i] = (struct part){.thread = group->parts[i].thread,
		                                .first = body_of(at[i], which)};
	return add_block(f, &inside, depth);
}

static void add_condition(struct fusing *f, const struct group *group,
                          const struct oclmm_statement *const *at)
{
	const char **conditions = OCLMM_NEW_ARRAY(f->arena, const char *, group->count);
	bool same = true;

	for (uint32_t i = 0; i < group->count; i++) {
		conditions[i] = condition_of(f, group->parts[i].thread, at[i]);
		same &= strcmp(conditions[i], conditions[0]) == 0;
	}
	if (same) {
		oclmm_text_add(&f->text, conditions[0]);
		return;
	}
	for (uint32_t i = 0; i + 1 < group->count; i++)
		oclmm_text_printf(&f->text, "%s == %u ? (%s) : ", f->role, i, conditions[i]);
	oclmm_text_printf(&f->text, "(%s)", conditions[group->count - 1]);
}

static int add_branch(struct fusing *f, const struct group *group,
                      const struct oclmm_statement *const *at, unsigned depth)
{
	bool loop = at[0]->kind == OCLMM_STATEMENT_WHILE, other = false;
	int r;

	for (uint32_t i = 0; i < group->count && !loop; i++)
		other |= at[i]->branch.else_body != NULL;
	indent(&f->text, depth);
	oclmm_text_add(&f->text, loop ? "while (" : "if (");
	add_condition(f, group, at);
	oclmm_text_add(&f->text, ") {\n");
	r = add_body(f, group, at, 0, depth + 1);
	if (r == 0 && other) {
		indent(&f->text, depth);
		oclmm_text_add(&f->text, "} else {\n");
		r = add_body(f, group, at, 1, depth + 1);
	}
	indent(&f->text, depth);
	oclmm_text_add(&f->text, "}\n");
	return r;
}

/* Flags and scope are the same in all, or the program is undefined. */
static int add_meeting(struct fusing *f, const struct group *group,
                       const struct oclmm_statement *const *at, unsigned depth)
{
	const char *head = head_of(f, group->parts[0].thread, at[0]);

	for (uint32_t i = 1; i < group->count; i++)
		if (strcmp(head_of(f, group->parts[i].thread, at[i]), head) != 0)
			return refuse_apart(f, &group->parts[0], at[0], &group->parts[i], at[i]);
	indent(&f->text, depth);
	oclmm_text_printf(&f->text, "%s\n", head);
	return 0;
}

/* ---- threads that come to a barrier without the others' branch ---- */

static uint32_t count_meetings(const struct oclmm_statement *body)
{
	uint32_t count = 0;

	for (; body; body = body->next)
		count += meets(body);
	return count;
}

static struct oclmm_statement *new_branch(const struct fusing *f, const struct oclmm_position *at,
                                          int64_t value)
{
	struct oclmm_expression *condition = OCLMM_NEW(f->arena, struct oclmm_expression);
	struct oclmm_statement *s = OCLMM_NEW(f->arena, struct oclmm_statement);

	*condition = (struct oclmm_expression){.kind = OCLMM_EXPRESSION_CONSTANT,
	                                       .type = OCLMM_TYPE_INT,
	                                       .position = *at,
	                                       .constant = value};
	*s = (struct oclmm_statement){.kind = OCLMM_STATEMENT_IF,
	                              .position = *at,
	                              .branch = {.condition = condition}};
	return s;
}

/* A branch that a thread always takes around its next `count` meetings. NULL: it has fewer. */
static struct oclmm_statement *wrap(const struct fusing *f, const struct oclmm_statement *from,
                                    uint32_t count, bool then)
{
	struct oclmm_statement *branch = new_branch(f, &from->position, then);
	struct oclmm_statement **last = then ? &branch->branch.then_body
	                                     : &branch->branch.else_body;
	const struct oclmm_statement *s = from;

	for (; count > 0; s = s->next) {
		if (!s)
			return NULL;
		*last = OCLMM_NEW(f->arena, struct oclmm_statement);
		**last = *s;
		(*last)->next = NULL;
		last = &(*last)->next;
		count -= meets(s);
	}
	branch->next = (struct oclmm_statement *)s;
	return branch;
}

/* A branch whose condition is no negation, with the arms the other way for each that it loses: so
 * that threads which ask the same take the same arm. */
static const struct oclmm_statement *straighten(const struct fusing *f,
                                                const struct oclmm_statement *s)
{
	const struct oclmm_expression *condition = s->branch.condition;
	struct oclmm_statement *turned;

	if (condition->kind != OCLMM_EXPRESSION_UNARY || condition->unary.op != OCLMM_OPERATOR_NOT)
		return s;
	turned = OCLMM_NEW(f->arena, struct oclmm_statement);
	*turned = *s;
	turned->branch = (struct oclmm_branch){.condition = condition->unary.operand,
	                                       .then_body = s->branch.else_body,
	                                       .else_body = s->branch.then_body};
	return straighten(f, turned);
}

static struct oclmm_statement *turn_round(const struct fusing *f, const struct oclmm_statement *s)
{
	struct oclmm_expression *condition = OCLMM_NEW(f->arena, struct oclmm_expression);
	struct oclmm_statement *turned = OCLMM_NEW(f->arena, struct oclmm_statement);

	*condition = (struct oclmm_expression){.kind = OCLMM_EXPRESSION_UNARY,
	                                       .type = OCLMM_TYPE_INT,
	                                       .position = s->position,
	                                       .unary = {OCLMM_OPERATOR_NOT, s->branch.condition}};
	*turned = *s;
	turned->branch = (struct oclmm_branch){.condition = condition,
	                                       .then_body = s->branch.else_body,
	                                       .else_body = s->branch.then_body};
	return turned;
}

/* Makes a thread's next meeting one of the same kind as `like`, a branch with barriers in one arm;
 * NULL: there is no way. */
static const struct oclmm_statement *liken(const struct fusing *f, const struct oclmm_statement *s,
                                           const struct oclmm_statement *like)
{
	uint32_t then = count_meetings(like->branch.then_body);
	uint32_t other = count_meetings(like->branch.else_body);

	if ((then > 0) == (other > 0))
		return s->kind == OCLMM_STATEMENT_IF ? s : NULL;
	if (s->kind != OCLMM_STATEMENT_IF)
		return wrap(f, s, then + other, then > 0);
	if (count_meetings(s->branch.then_body) == other &&
	    count_meetings(s->branch.else_body) == then)
		return turn_round(f, s);
	return s;
}

/* The branch that the others are likened to: the first one. NULL: no thread comes to one. */
static const struct oclmm_statement *find_branch(const struct oclmm_statement *const *at,
                                                 uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (at[i]->kind == OCLMM_STATEMENT_IF)
			return at[i];
	return NULL;
}

static int align(struct fusing *f, const struct group *group, const struct oclmm_statement **at)
{
	const struct oclmm_statement *like;

	for (uint32_t i = 0; i < group->count; i++)
		if (at[i]->kind == OCLMM_STATEMENT_IF)
			at[i] = straighten(f, at[i]);
	like = find_branch(at, group->count);
	for (uint32_t i = 0; i < group->count && like; i++) {
		const struct oclmm_statement *made = at[i] == like ? like : liken(f, at[i], like);

		if (made)
			at[i] = made;
	}
	for (uint32_t i = 1; i < group->count; i++)
		if (at[i]->kind != at[0]->kind)
			return refuse_apart(f, &group->parts[0], at[0], &group->parts[i], at[i]);
	return 0;
}

/* ---- a block ---- */

static int add_block(struct fusing *f, const struct group *group, unsigned depth)
{
	const struct oclmm_statement **at =
		OCLMM_NEW_ARRAY(f->arena, const struct oclmm_statement *, group->count);

	for (;;) {
		uint32_t coming = 0, missing = 0;
		int r;

		for (uint32_t i = 0; i < group->count; i++) {
			at[i] = next_meeting(&group->parts[i]);
			if (at[i])
				coming = i;
			else
				missing = i;
		}
		add_segments(f, group, at, depth);
		if (!at[coming])
			return 0;
		if (!at[missing])
			return refuse_apart(f, &group->parts[coming], at[coming],
			                    &group->parts[missing], NULL);
		r = align(f, group, at);
		if (r == 0)
			r = at[0]->kind == OCLMM_STATEMENT_IF ||
			                    at[0]->kind == OCLMM_STATEMENT_WHILE
			            ? add_branch(f, group, at, depth)
			            : add_meeting(f, group, at, depth);
		if (r < 0)
			return r;
		for (uint32_t i = 0; i < group->count; i++)
			group->parts[i].first = at[i]->next;
	}
}

/* ---- the whole text ---- */

static void find_groups(struct fusing *f)
{
	const struct oclmm_program *program = f->program;

	f->groups = OCLMM_NEW_ARRAY(f->arena, struct group, program->thread_count);
	f->places = OCLMM_NEW_ARRAY(f->arena, uint32_t, program->thread_count);
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_placement *own = &program->threads[i].placement;
		struct group *group = NULL;

		for (uint32_t g = 0; g < f->group_count && !group; g++) {
			uint32_t first = f->groups[g].parts[0].thread;

			if (oclmm_same_work_group(&program->threads[first].placement, own))
				group = &f->groups[g];
		}
		if (!group) {
			group = &f->groups[f->group_count++];
			*group = (struct group){
				OCLMM_NEW_ARRAY(f->arena, struct part, program->thread_count), 0};
		}
		f->places[i] = group->count;
		group->parts[group->count++] = (struct part){.thread = i,
		                                             .first = program->threads[i].body};
		f->items = group->count > f->items ? group->count : f->items;
	}
}

/* `role == 0`, or `group == 1 && role == 0`: whether a work-item plays a thread. */
static const char *is_played(const struct fusing *f, uint32_t thread)
{
	for (uint32_t g = 0; g < f->group_count && f->group_count > 1; g++)
		if (f->groups[g].parts[f->places[thread]].thread == thread &&
		    f->places[thread] < f->groups[g].count)
			return oclmm_arena_printf(f->arena, "%s == %u && %s == %u", f->number, g,
			                          f->role, f->places[thread]);
	return oclmm_arena_printf(f->arena, "%s == %u", f->role, f->places[thread]);
}

static void add_declaration(struct fusing *f, const struct oclmm_register *r)
{
	const struct oclmm_thread *threads = f->program->threads;

	oclmm_text_printf(&f->text, "  %s %s = ", oclmm_type_name(r->type), r->name);
	for (uint32_t i = 0; i < f->program->thread_count; i++) {
		int other = oclmm_thread_find_register(&threads[i], r->name);

		if (other < 0 || threads[i].registers[other].initial == r->initial)
			continue;
		oclmm_text_printf(&f->text, "%s ? ", is_played(f, i));
		oclmm_value_print(&f->text, r->type, threads[i].registers[other].initial);
		oclmm_text_add(&f->text, " : ");
	}
	oclmm_value_print(&f->text, r->type, r->initial);
	oclmm_text_add(&f->text, ";\n");
}

static bool is_declared(const struct fusing *f, uint32_t before, const char *name)
{
	for (uint32_t i = 0; i < before; i++)
		if (oclmm_thread_find_register(&f->program->threads[i], name) >= 0)
			return true;
	return false;
}

static void add_declarations(struct fusing *f)
{
	oclmm_text_printf(&f->text, "  const int %s = get_local_id(0);\n", f->role);
	if (f->group_count > 1)
		oclmm_text_printf(&f->text, "  const int %s = get_group_id(0);\n", f->number);
	for (uint32_t i = 0; i < f->program->thread_count; i++) {
		const struct oclmm_thread *thread = &f->program->threads[i];

		for (uint32_t r = 0; r < thread->register_count; r++)
			if (!is_declared(f, i, thread->registers[r].name))
				add_declaration(f, &thread->registers[r]);
	}
}

static const char *object_of(const struct fusing *f, uint32_t observable)
{
	return f->program->locations[f->program->observables[observable].location].name;
}

/* What a thread's variables are at its end. */
static void add_observed(struct fusing *f, uint32_t thread)
{
	bool any = false;

	for (uint32_t i = 0; i < f->program->observable_count; i++) {
		const struct oclmm_observable *o = &f->original->observables[i];

		if (!o->is_register || o->thread != thread)
			continue;
		if (!any)
			oclmm_text_printf(&f->text, "  if (%s) {\n", is_played(f, thread));
		any = true;
		oclmm_text_printf(&f->text, "    *%s = %s;\n", object_of(f, i),
		                  f->program->threads[thread].registers[o->reg].name);
	}
	if (any)
		oclmm_text_add(&f->text, "  }\n");
}

/* The thread whose work-group a local object belongs to. */
static uint32_t owner_of(const struct fusing *f, uint32_t location)
{
	for (uint32_t i = 0; i < f->program->thread_count; i++)
		for (uint32_t k = 0; k < f->program->threads[i].parameter_count; k++)
			if (f->program->threads[i].parameters[k].location == location)
				return i;
	return 0;
}

/* A thread of the group reads each local object when all are at their end. */
static void add_observed_local(struct fusing *f)
{
	bool any = false;

	for (uint32_t i = 0; i < f->program->observable_count; i++) {
		const struct oclmm_observable *o = &f->original->observables[i];
		const struct oclmm_location *l = &f->original->locations[o->location];

		if (!is_local(f, o))
			continue;
		if (!any)
			oclmm_text_add(&f->text, "  barrier(CLK_LOCAL_MEM_FENCE);\n");
		any = true;
		oclmm_text_printf(&f->text,
		                  "  if (%s) {\n    *%s = ", is_played(f, owner_of(f, o->location)),
		                  object_of(f, i));
		if (l->atomic)
			oclmm_text_printf(&f->text,
			                  "atomic_load_explicit(&%s[%u], memory_order_relaxed, "
			                  "memory_scope_work_group);\n  }\n",
			                  l->name, o->element);
		else
			oclmm_text_printf(&f->text, "%s[%u];\n  }\n", l->name, o->element);
	}
}

static int add_group(struct fusing *f, uint32_t number)
{
	const struct group *group = &f->groups[number];
	const bool alone = f->group_count == 1, whole = group->count == f->items;
	int r;

	for (uint32_t i = 0; i < group->count && !whole; i++)
		if (meets_within(group->parts[i].first))
			return refuse(f, &f->program->threads[group->parts[i].thread].position,
			              "a work-group with barriers that has fewer work-items than "
			              "another, beside a barrier inside if or while,");
	if (!alone && whole)
		oclmm_text_printf(&f->text, "  if (%s == %u) {\n", f->number, number);
	else if (!whole)
		oclmm_text_printf(&f->text, "  if (%s == %u && %s < %u) {\n", f->number, number,
		                  f->role, group->count);
	r = add_block(f, group, alone ? 1 : 2);
	if (!alone)
		oclmm_text_add(&f->text, "  }\n");
	return r;
}

static int add_all(struct fusing *f)
{
	int r = 0;

	add_declarations(f);
	for (uint32_t g = 0; g < f->group_count && r == 0; g++)
		r = add_group(f, g);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < f->program->thread_count; i++)
		add_observed(f, i);
	add_observed_local(f);
	return 0;
}

int oclmm_fuse(struct oclmm_arena *arena, const struct oclmm_program *program,
               struct oclmm_error *error, const struct oclmm_program **ret_program)
{
	struct fusing f = {
		.arena = arena,
		.original = program,
		.program = oclmm_program_copy(arena, program),
		.shared = OCLMM_NEW(arena, struct oclmm_shared_text),
		.error = error,
	};
	int r = check(&f);

	if (r < 0)
		return r;
	name_registers(&f);
	find_groups(&f);
	*f.shared = (struct oclmm_shared_text){
		.dimensions = 1,
		.groups = {f.group_count, 1, 1},
		.items = {f.items, 1, 1},
		.before = "",
	};
	add_objects(&f);
	r = add_parameters(&f);
	if (r == 0)
		r = add_all(&f);
	if (r < 0) {
		oclmm_text_finish(&f.text);
		return r;
	}
	f.shared->body = oclmm_text_keep(&f.text, arena);
	f.program->shared = f.shared;
	*ret_program = f.program;
	return 0;
}
