// SPDX-License-Identifier: Apache-2.0
/*
 * Wrong steps in a text that work-items share. A device is given the text itself, so a step is an
 * edit of it: what a compiler makes of a kernel that it cut at its barriers wrongly. The text is as
 * the reader of litmus files writes it, with a statement a line.
 */
#include "oclmm/change.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The first work-item of a group. */
static const char first_item[] = "get_local_id(0) + get_local_id(1) + get_local_id(2) == 0";

enum part_kind {
	PART_SIMPLE,
	PART_DECLARATION,
	PART_BARRIER,
	PART_BLOCK,
	PART_IF,
	PART_LOOP,
	PART_SWITCH,
	PART_LABEL,
	PART_JUMP,
};

#define NONE UINT32_MAX

/* A statement: its bytes, and where it stands. */
struct part {
	enum part_kind kind;
	size_t from, end;
	size_t head, head_end;   /* what stands in brackets behind `if`, `for`, `while`, `switch` */
	uint32_t parent, next;   /* NONE: the body of the kernel; the last of its block */
	uint32_t inside[2];      /* what a branch or loop has: the first of each body, or NONE */
	bool has_barrier, jumps; /* it, or what is in it */
};

struct parts {
	const char *text;
	struct part *items; /* malloc-ed, in the order of the text */
	size_t count, capacity;
};

/* ---- reading ---- */

static size_t skip_space(const char *text, size_t at)
{
	while (isspace((unsigned char)text[at]))
		at++;
	return at;
}

/* Behind the bracket that closes the one at `at`. */
static size_t skip_brackets(const char *text, size_t at)
{
	int depth = 0;

	for (; text[at]; at++) {
		depth += text[at] == '(' || text[at] == '[' || text[at] == '{';
		depth -= text[at] == ')' || text[at] == ']' || text[at] == '}';
		if (depth == 0)
			return at + 1;
	}
	return at;
}

static bool begins(const char *text, size_t at, const char *word)
{
	size_t length = strlen(word);

	return strncmp(text + at, word, length) == 0 &&
	       !isalnum((unsigned char)text[at + length]) && text[at + length] != '_';
}

static bool begins_any(const char *text, size_t at, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (begins(text, at, words[i]))
			return true;
	return false;
}

/* Behind the next semicolon that no bracket holds. */
static size_t skip_simple(const char *text, size_t at)
{
	while (text[at] && text[at] != ';')
		at = text[at] == '(' || text[at] == '[' || text[at] == '{' ? skip_brackets(text, at)
		                                                           : at + 1;
	return text[at] ? at + 1 : at;
}

static uint32_t add_part(struct parts *parts, enum part_kind kind, size_t from, uint32_t parent)
{
	oclmm_grow(&parts->items, &parts->capacity, parts->count, sizeof(*parts->items));
	parts->items[parts->count] = (struct part){
		.kind = kind,
		.from = from,
		.parent = parent,
		.next = NONE,
		.inside = {NONE, NONE},
	};
	return (uint32_t)parts->count++;
}

static uint32_t read_part(struct parts *parts, size_t at, uint32_t parent);

/* Up to the closing brace, or the end. */
static uint32_t read_parts(struct parts *parts, size_t *at, uint32_t parent)
{
	uint32_t first = NONE, last = NONE;

	for (*at = skip_space(parts->text, *at); parts->text[*at] && parts->text[*at] != '}';
	     *at = skip_space(parts->text, parts->items[last].end)) {
		uint32_t part = read_part(parts, *at, parent);

		if (last == NONE)
			first = part;
		else
			parts->items[last].next = part;
		last = part;
	}
	return first;
}

/* The brackets behind a word; gives where the body begins. */
static size_t read_head(struct parts *parts, uint32_t part)
{
	size_t at = parts->items[part].from, end;

	while (parts->text[at] && parts->text[at] != '(')
		at++;
	end = skip_brackets(parts->text, at);
	parts->items[part].head = at + 1;
	parts->items[part].head_end = end - 1;
	return skip_space(parts->text, end);
}

static size_t read_body(struct parts *parts, uint32_t part, size_t at, int arm)
{
	uint32_t body = read_part(parts, at, part);

	parts->items[part].inside[arm] = body;
	return parts->items[body].end;
}

static size_t read_if(struct parts *parts, uint32_t part)
{
	size_t end = read_body(parts, part, read_head(parts, part), 0);
	size_t at = skip_space(parts->text, end);

	if (begins(parts->text, at, "else"))
		end = read_body(parts, part, skip_space(parts->text, at + strlen("else")), 1);
	return end;
}

static size_t read_do(struct parts *parts, uint32_t part)
{
	size_t at = skip_space(parts->text, parts->items[part].from + strlen("do"));
	size_t end = skip_space(parts->text, read_body(parts, part, at, 0));

	while (parts->text[end] && parts->text[end] != '(')
		end++;
	parts->items[part].head = end + 1;
	parts->items[part].head_end = skip_brackets(parts->text, end) - 1;
	return skip_simple(parts->text, end);
}

static size_t read_block(struct parts *parts, uint32_t part)
{
	size_t at = parts->items[part].from + 1;
	uint32_t first = read_parts(parts, &at, part);

	parts->items[part].inside[0] = first;
	return parts->text[at] ? at + 1 : at;
}

/* Whether a statement waits for the group as a barrier does: for copies, or in a collective
 * function, `r = work_group_reduce_add(a);`. */
static bool waits(const char *text, size_t at)
{
	static const char word[] = "work_group_";
	size_t end = skip_simple(text, at);

	if (begins(text, at, "wait_group_events"))
		return true;
	for (; at < end; at++)
		if (strncmp(text + at, word, sizeof(word) - 1) == 0 &&
		    (at == 0 || (!isalnum((unsigned char)text[at - 1]) && text[at - 1] != '_')))
			return true;
	return false;
}

static size_t skip_word(const char *text, size_t at)
{
	while (isalnum((unsigned char)text[at]) || text[at] == '_')
		at++;
	return at;
}

/* `int4 v`, `struct pair p`, `pair p`: one name behind another; and `atomic_int *p`. */
static bool declares_own(const char *text, size_t at)
{
	static const char atomic[] = "atomic_";
	size_t end = skip_word(text, at), next = skip_space(text, end);

	if (text[next] == '*')
		return strncmp(text + at, atomic, sizeof(atomic) - 1) == 0;
	return end > at && next > end && (isalpha((unsigned char)text[next]) || text[next] == '_');
}

static enum part_kind kind_of(const char *text, size_t at)
{
	static const char *const types[] = {"const",  "int",     "uint",     "long",    "ulong",
	                                    "bool",   "char",    "uchar",    "short",   "ushort",
	                                    "size_t", "float",   "double",   "event_t", "local",
	                                    "global", "private", "ptrdiff_t"};
	static const char *const jumps[] = {"break", "continue", "return"};
	static const char *const barriers[] = {"barrier", "work_group_barrier", "sub_group_barrier",
	                                       "intel_work_group_barrier_arrive",
	                                       "intel_work_group_barrier_wait"};
	static const char *const labels[] = {"case", "default"};

	if (text[at] == '{')
		return PART_BLOCK;
	if (begins(text, at, "if"))
		return PART_IF;
	if (begins(text, at, "for") || begins(text, at, "while") || begins(text, at, "do"))
		return PART_LOOP;
	if (begins(text, at, "switch"))
		return PART_SWITCH;
	if (begins_any(text, at, labels, OCLMM_COUNT(labels)))
		return PART_LABEL;
	if (begins_any(text, at, jumps, OCLMM_COUNT(jumps)))
		return PART_JUMP;
	if (begins_any(text, at, barriers, OCLMM_COUNT(barriers)))
		return PART_BARRIER;
	if (waits(text, at))
		return PART_BARRIER;
	return begins_any(text, at, types, OCLMM_COUNT(types)) || declares_own(text, at)
	               ? PART_DECLARATION
	               : PART_SIMPLE;
}

static size_t end_of(struct parts *parts, uint32_t part, enum part_kind kind)
{
	const char *text = parts->text;
	size_t at = parts->items[part].from;

	switch (kind) {
	case PART_BLOCK: return read_block(parts, part);
	case PART_IF: return read_if(parts, part);
	case PART_SWITCH: return read_body(parts, part, read_head(parts, part), 0);
	case PART_LOOP:
		return begins(text, at, "do") ? read_do(parts, part)
		                              : read_body(parts, part, read_head(parts, part), 0);
	case PART_LABEL:
		while (text[at] && text[at] != ':')
			at++;
		return text[at] ? at + 1 : at;
	default: return skip_simple(text, at);
	}
}

static uint32_t read_part(struct parts *parts, size_t at, uint32_t parent)
{
	enum part_kind kind = kind_of(parts->text, at);
	uint32_t part = add_part(parts, kind, at, parent);
	size_t end = end_of(parts, part, kind);
	struct part *own = &parts->items[part];

	own->end = end;
	own->has_barrier |= kind == PART_BARRIER;
	own->jumps |= kind == PART_JUMP || kind == PART_LABEL;
	if (parent != NONE) {
		parts->items[parent].has_barrier |= own->has_barrier;
		parts->items[parent].jumps |= own->jumps;
	}
	return part;
}

/* ---- edits ---- */

/* At most two places, the earlier one first: what is there goes, and what is written comes. */
struct edit {
	struct {
		size_t from, end;
		const char *text;
	} at[2];
	uint32_t count;
};

static void add_edit(struct edit *edit, size_t from, size_t end, const char *text)
{
	edit->at[edit->count].from = from;
	edit->at[edit->count].end = end;
	edit->at[edit->count++].text = text;
}

/* The text with the edits made. */
static void write_edits(struct oclmm_text *out, const char *text, const struct edit *edit)
{
	size_t done = 0;

	for (uint32_t i = 0; i < edit->count; i++) {
		oclmm_text_add_bytes(out, text + done, edit->at[i].from - done);
		oclmm_text_add(out, edit->at[i].text);
		done = edit->at[i].end;
	}
	oclmm_text_add(out, text + done);
}

/* ---- finding places ---- */

/* Where a statement stands. */
static enum oclmm_where place_of(const struct parts *parts, uint32_t part)
{
	for (uint32_t p = parts->items[part].parent; p != NONE; p = parts->items[p].parent) {
		switch (parts->items[p].kind) {
		case PART_IF: return OCLMM_WHERE_BRANCH;
		case PART_LOOP: return OCLMM_WHERE_LOOP;
		case PART_SWITCH: return OCLMM_WHERE_SWITCH;
		default: break;
		}
	}
	return OCLMM_WHERE_STRAIGHT;
}

/* An access: not a declaration, which others name, and no jump. */
static bool is_access(const struct part *part)
{
	return part->kind == PART_SIMPLE;
}

static uint32_t before(const struct parts *parts, uint32_t part)
{
	for (uint32_t i = 0; i < parts->count; i++)
		if (parts->items[i].next == part)
			return i;
	return NONE;
}

/* What stands behind a barrier in its block up to the next one: `*ret_end` is where it ends. False:
 * nothing does. */
static bool find_region(const struct parts *parts, uint32_t barrier, size_t *ret_from,
                        size_t *ret_end, bool *ret_jumps, bool *ret_declares)
{
	uint32_t first = parts->items[barrier].next;

	*ret_jumps = *ret_declares = false;
	*ret_end = 0;
	for (uint32_t p = first; p != NONE && !parts->items[p].has_barrier;
	     p = parts->items[p].next) {
		/* a `break` or `return` stays where it is */
		if (parts->items[p].kind == PART_LABEL || parts->items[p].kind == PART_JUMP)
			break;
		*ret_from = parts->items[first].from;
		*ret_end = parts->items[p].end;
		*ret_jumps |= parts->items[p].jumps;
		*ret_declares |= parts->items[p].kind == PART_DECLARATION;
	}
	return *ret_end != 0;
}

/* Of variables that are declared in a block around the barrier, with no `const` and no brackets:
 * the names, one a call. */
static bool next_name(const struct parts *parts, const struct part *declaration, size_t *at,
                      char *ret_name, size_t size)
{
	const char *text = parts->text;
	size_t from, length;

	/* the name behind a type, or behind a comma */
	while (*at < declaration->end && text[*at] != ';') {
		from = skip_space(text, *at);
		length = 0;
		while (isalnum((unsigned char)text[from + length]) || text[from + length] == '_')
			length++;
		/* to the next comma that no bracket holds */
		*at = from + length;
		while (text[*at] != ';' && text[*at] != ',')
			*at = strchr("([{", text[*at]) ? skip_brackets(text, *at) : *at + 1;
		if (text[*at] == ',')
			++*at;
		if (length == 0 || length >= size || text[from + length] == '[' ||
		    text[from] == '*')
			continue;
		memcpy(ret_name, text + from, length);
		ret_name[length] = '\0';
		return true;
	}
	return false;
}

static bool is_around(const struct parts *parts, uint32_t block, uint32_t part)
{
	uint32_t p = parts->items[part].parent;

	while (p != NONE && p != block)
		p = parts->items[p].parent;
	return p == block;
}

/* Whether a name stands behind a place. */
static bool is_used(const char *text, size_t at, const char *name)
{
	size_t length = strlen(name);

	for (const char *found = strstr(text + at, name); found; found = strstr(found + 1, name)) {
		bool alone = !isalnum((unsigned char)found[-1]) && found[-1] != '_' &&
		             !isalnum((unsigned char)found[length]) && found[length] != '_';

		if (alone)
			return true;
	}
	return false;
}

/* ---- the steps ---- */

/* A step at a place. */
struct found {
	enum oclmm_moved_step step;
	uint32_t part;
	struct edit edit;
};

struct finder {
	struct parts parts;
	struct oclmm_arena *arena;
	enum oclmm_moved_step step;
	struct found *found; /* malloc-ed */
	size_t count, capacity;
};

static const char *copy_text(const struct finder *f, size_t from, size_t end)
{
	return oclmm_arena_strndup(f->arena, f->parts.text + from, end - from);
}

static void add(struct finder *f, uint32_t part, const struct edit *edit)
{
	oclmm_grow(&f->found, &f->capacity, f->count, sizeof(*f->found));
	f->found[f->count++] = (struct found){f->step, part, *edit};
}

static void find_barrier_lost(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part];
	struct edit edit = {0};

	add_edit(&edit, p->from, p->end, "{\n}");
	add(f, part, &edit);
}

static void find_early(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part], *next;
	struct edit edit = {0};

	if (p->next == NONE || !is_access(&f->parts.items[p->next]))
		return;
	next = &f->parts.items[p->next];
	add_edit(&edit, p->from, p->from,
	         oclmm_arena_printf(f->arena, "%s\n", copy_text(f, next->from, next->end)));
	add_edit(&edit, next->from, next->end, "");
	add(f, part, &edit);
}

static void find_late(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part], *other;
	uint32_t previous = before(&f->parts, part);
	struct edit edit = {0};

	if (previous == NONE || !is_access(&f->parts.items[previous]))
		return;
	other = &f->parts.items[previous];
	add_edit(&edit, other->from, other->end, "");
	add_edit(&edit, p->end, p->end,
	         oclmm_arena_printf(f->arena, "\n%s", copy_text(f, other->from, other->end)));
	add(f, part, &edit);
}

/* Of a structure it is written with its type. */
static const char *zero_of(const struct finder *f, size_t type, size_t end)
{
	static const char *const bases[] = {"int",    "uint",   "long",     "ulong", "float",
	                                    "double", "bool",   "char",     "uchar", "short",
	                                    "ushort", "size_t", "ptrdiff_t"};
	size_t length = strcspn(f->parts.text + type, "0123456789 ");

	for (size_t i = 0; i < OCLMM_COUNT(bases); i++)
		if (strlen(bases[i]) == length &&
		    strncmp(f->parts.text + type, bases[i], length) == 0)
			return "0";
	return oclmm_arena_printf(f->arena, "(%.*s){0}", (int)(end - type), f->parts.text + type);
}

static void find_private(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part];

	for (uint32_t d = 0; d < part; d++) {
		const struct part *declaration = &f->parts.items[d];
		size_t at = declaration->from, type;
		const char *zero;
		char name[64];

		if (declaration->kind != PART_DECLARATION || begins(f->parts.text, at, "const") ||
		    begins(f->parts.text, at, "local") || begins(f->parts.text, at, "event_t") ||
		    (declaration->parent != NONE &&
		     !is_around(&f->parts, declaration->parent, part)))
			continue;
		type = at;
		at = skip_word(f->parts.text,
		               begins(f->parts.text, at, "struct")
		                       ? skip_space(f->parts.text, at + strlen("struct"))
		                       : at);
		zero = zero_of(f, type, at);
		while (next_name(&f->parts, declaration, &at, name, sizeof(name))) {
			struct edit edit = {0};

			if (!is_used(f->parts.text, p->end, name))
				continue;
			add_edit(&edit, p->end, p->end,
			         oclmm_arena_printf(f->arena, "\n%s = %s;", name, zero));
			add(f, part, &edit);
		}
	}
}

static void find_rest(struct finder *f, uint32_t part)
{
	size_t from = 0, end;
	bool jumps, declares;
	struct edit edit = {0};

	if (!find_region(&f->parts, part, &from, &end, &jumps, &declares))
		return;
	if (declares || (jumps && f->step == OCLMM_STEP_REST_TWICE))
		return;
	switch (f->step) {
	case OCLMM_STEP_REST_LOST: add_edit(&edit, from, end, ""); break;
	case OCLMM_STEP_REST_TWICE:
		add_edit(&edit, from, from,
		         oclmm_arena_printf(f->arena, "if (%s) {\n%s\n}\n", first_item,
		                            copy_text(f, from, end)));
		break;
	default:
		add_edit(&edit, from, from,
		         oclmm_arena_printf(f->arena, "if (%s) {\n", first_item));
		add_edit(&edit, end, end, "\n}");
	}
	add(f, part, &edit);
}

static void find_branch(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part];
	struct edit edit = {0};

	if (f->step == OCLMM_STEP_ALL_ENTER && p->has_barrier)
		return;
	add_edit(&edit, p->head, p->head_end, f->step == OCLMM_STEP_ALL_ENTER ? "1" : "0");
	add(f, part, &edit);
}

/* Of a loop with a barrier: its body twice in each turn. */
static void find_turn(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part], *body = &f->parts.items[p->inside[0]];
	struct edit edit = {0};

	if (!p->has_barrier)
		return;
	add_edit(&edit, body->from, body->from,
	         oclmm_arena_printf(f->arena, "{\n%s\n", copy_text(f, body->from, body->end)));
	add_edit(&edit, body->end, body->end, "\n}");
	add(f, part, &edit);
}

/* A jump that is not made. */
static void find_jump(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part];
	struct edit edit = {0};

	add_edit(&edit, p->from, p->end, "{\n}");
	add(f, part, &edit);
}

/* The first sign of a kind in a part of the text that no bracket holds, or where the part ends. */
static size_t find_sign(const char *text, size_t at, size_t end, char sign)
{
	while (at < end && text[at] != sign)
		at = strchr("([{", text[at]) ? skip_brackets(text, at) : at + 1;
	return at < end ? at : end;
}

/* `local int *p = CONDITION ? s : u;`: the lanes of an instruction have one pointer, the first or
 * the second. */
static void find_pointer(struct finder *f, uint32_t part)
{
	const struct part *p = &f->parts.items[part];
	const char *text = f->parts.text;
	size_t equals = find_sign(text, p->from, p->end, '=');
	size_t choice = find_sign(text, equals, p->end, '?');

	if (find_sign(text, p->from, equals, '*') == equals || choice == p->end)
		return;
	for (int second = 0; second < 2; second++) {
		struct edit edit = {0};

		add_edit(&edit, equals + 1, choice, second ? " 0 " : " 1 ");
		add(f, part, &edit);
	}
}

static void find_at(struct finder *f, uint32_t part)
{
	enum part_kind kind = f->parts.items[part].kind;

	switch (f->step) {
	case OCLMM_STEP_BARRIER_LOST:
		if (kind == PART_BARRIER)
			find_barrier_lost(f, part);
		break;
	case OCLMM_STEP_ACCESS_EARLY:
		if (kind == PART_BARRIER)
			find_early(f, part);
		break;
	case OCLMM_STEP_ACCESS_LATE:
		if (kind == PART_BARRIER)
			find_late(f, part);
		break;
	case OCLMM_STEP_PRIVATE_LOST:
		if (kind == PART_BARRIER)
			find_private(f, part);
		break;
	case OCLMM_STEP_REST_LOST:
	case OCLMM_STEP_REST_TWICE:
	case OCLMM_STEP_REST_FIRST:
		if (kind == PART_BARRIER)
			find_rest(f, part);
		break;
	case OCLMM_STEP_ALL_ENTER:
	case OCLMM_STEP_NONE_ENTERS:
		if (kind == PART_IF)
			find_branch(f, part);
		break;
	case OCLMM_STEP_TURN_TWICE:
		if (kind == PART_LOOP)
			find_turn(f, part);
		break;
	case OCLMM_STEP_JUMP_LOST:
		if (kind == PART_JUMP)
			find_jump(f, part);
		break;
	case OCLMM_STEP_POINTER_SAME:
		if (kind == PART_DECLARATION)
			find_pointer(f, part);
		break;
	default: break;
	}
}

/* Where steps can be taken, step by step; `text` outlives it. */
static void find_all(struct finder *f, struct oclmm_arena *arena, const char *text)
{
	size_t at = 0;

	*f = (struct finder){.parts = {.text = text}, .arena = arena};
	read_parts(&f->parts, &at, NONE);
	for (int s = OCLMM_STEP_FIRST_OF_TEXT; s < OCLMM_STEP_COUNT; s++) {
		f->step = (enum oclmm_moved_step)s;
		for (uint32_t part = 0; part < f->parts.count; part++)
			find_at(f, part);
	}
}

static void finish(struct finder *f)
{
	free(f->parts.items);
	free(f->found);
}

static uint32_t line_of(const char *text, size_t at)
{
	uint32_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

void oclmm_text_steps_find(struct oclmm_arena *arena, const char *body,
                           struct oclmm_text_steps *ret_steps)
{
	struct oclmm_text_step *items;
	struct finder f;

	find_all(&f, arena, body);
	items = OCLMM_NEW_ARRAY(arena, struct oclmm_text_step, f.count + 1);
	for (size_t i = 0; i < f.count; i++) {
		struct oclmm_text text = {0};

		write_edits(&text, body, &f.found[i].edit);
		items[i] = (struct oclmm_text_step){
			.step = f.found[i].step,
			.where = place_of(&f.parts, f.found[i].part),
			.line = line_of(body, f.parts.items[f.found[i].part].from),
			.body = oclmm_text_keep(&text, arena),
		};
	}
	*ret_steps = (struct oclmm_text_steps){items, f.count};
	finish(&f);
}

/* ---- a step wherever it can be taken ---- */

/* Steps that lie in each other's way are not taken together: the first one is. */
size_t oclmm_text_steps_take(struct oclmm_arena *arena, const char *body,
                             enum oclmm_moved_step step, enum oclmm_where where,
                             const char **ret_body)
{
	struct oclmm_text text = {0};
	size_t done = 0, places = 0;
	struct finder f;

	find_all(&f, arena, body);
	for (size_t i = 0; i < f.count; i++) {
		const struct found *found = &f.found[i];

		if (found->step != step || found->edit.at[0].from < done ||
		    (where != OCLMM_WHERE_ANYWHERE && place_of(&f.parts, found->part) != where))
			continue;
		for (uint32_t e = 0; e < found->edit.count; e++) {
			oclmm_text_add_bytes(&text, body + done, found->edit.at[e].from - done);
			oclmm_text_add(&text, found->edit.at[e].text);
			done = found->edit.at[e].end;
		}
		places++;
	}
	oclmm_text_add(&text, body + done);
	*ret_body = oclmm_text_keep(&text, arena);
	finish(&f);
	return places;
}

/* ---- what can be left out ---- */

static void add_cut(struct oclmm_arena *arena, const char *text, const struct edit *edit,
                    struct oclmm_text_cuts *cuts, size_t *capacity, const char ***list)
{
	struct oclmm_text out = {0};

	write_edits(&out, text, edit);
	oclmm_grow(list, capacity, cuts->count, sizeof(**list));
	(*list)[cuts->count++] = oclmm_text_keep(&out, arena);
}

static int compare_lengths(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return oclmm_compare_numbers(strlen(*x), strlen(*y));
}

void oclmm_text_cuts_find(struct oclmm_arena *arena, const char *body,
                          struct oclmm_text_cuts *ret_cuts)
{
	struct parts parts = {.text = body};
	const char **list = NULL;
	size_t at = 0, capacity = 0;

	*ret_cuts = (struct oclmm_text_cuts){0};
	read_parts(&parts, &at, NONE);
	for (uint32_t i = 0; i < parts.count; i++) {
		const struct part *p = &parts.items[i];
		bool body_alone = p->parent != NONE && parts.items[p->parent].kind != PART_BLOCK;
		struct edit gone = {0};

		/* what an `if` has to have stays, as a block of nothing */
		add_edit(&gone, p->from, p->end, body_alone ? "{\n}" : "");
		if (!(p->kind == PART_BLOCK && body_alone && p->inside[0] == NONE))
			add_cut(arena, body, &gone, ret_cuts, &capacity, &list);
		for (int arm = 0; arm < 2; arm++) {
			const struct part *inside;
			struct edit kept = {0};

			if (p->inside[arm] == NONE || p->kind == PART_BLOCK)
				continue;
			inside = &parts.items[p->inside[arm]];
			add_edit(&kept, p->from, inside->from, "");
			add_edit(&kept, inside->end, p->end, "");
			add_cut(arena, body, &kept, ret_cuts, &capacity, &list);
			/* without the braces */
			if (inside->kind != PART_BLOCK)
				continue;
			kept = (struct edit){0};
			add_edit(&kept, p->from, inside->from + 1, "");
			add_edit(&kept, inside->end - 1, p->end, "");
			add_cut(arena, body, &kept, ret_cuts, &capacity, &list);
		}
	}
	if (list) {
		qsort(list, ret_cuts->count, sizeof(*list), compare_lengths);
		ret_cuts->bodies = oclmm_arena_copy(arena, list, ret_cuts->count * sizeof(*list));
	}
	free(list);
	free(parts.items);
}
