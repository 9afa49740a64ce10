// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel's launch: work-items, arguments, the memory that they share; what is asked of its end;
 * and what the explorer found, in words and lines of the file.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "opcodes.h"

/* A structure whose members have names. */
struct named {
	const struct type *type;
	const char **names;
	struct named *next;
};

struct launch {
	struct oclmm_arena *arena;
	const char *path;
	const struct oclmm_kernel_setup *setup;
	struct oclmm_error *error;
	struct module *module;
	struct machine machine;
	struct oclmm_explored_thread *threads;
	unsigned thread_count;
	const char *source;         /* without comments, or NULL */
	struct named *named;        /* structures whose members have names */
	uint32_t *parameter_object; /* by parameter: of the first group; UINT32_MAX: a scalar */
	struct oclmm_kernel_parameter *parameters;
};

/* An answer, and what its questions are asked of. */
struct answered {
	struct oclmm_kernel_answer answer; /* the first member */
	struct launch launch;
};

static int refuse(const struct launch *l, const char *format, ...) OCLMM_PRINTF(2, 3);

static int refuse(const struct launch *l, const char *format, ...)
{
	char message[256];
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	return oclmm_error_set(l->error, -EINVAL, "%s: %s", l->path, message);
}

/* ---- lines ------------------------------------------------------------------ */

/* The line of an instruction, or of the nearest before it that has one. */
static struct oclmm_kernel_line line_of(const struct launch *l, uint32_t where)
{
	const struct module *m = l->module;
	struct oclmm_kernel_line line = {.file = l->path};

	if (where >= m->code_count)
		return line;
	for (uint32_t i = where + 1; i-- > 0;) {
		const struct instruction *c = &m->code[i];

		if (c->function != m->code[where].function)
			break;
		if (!c->line)
			continue;
		line.line = c->line;
		line.column = c->column;
		line.included = oclmm_module_file(m, c);
		if (line.included)
			line.file = oclmm_module_file(m, c);
		break;
	}
	return line;
}

static void print_line(struct oclmm_text *text, struct oclmm_kernel_line line)
{
	oclmm_text_printf(text, "%s:%u:%u: ", line.file, line.line, line.column);
}

/* `line 4`, or `line 4 of help.h`; kept. */
static const char *name_line(const struct launch *l, struct oclmm_kernel_line line)
{
	return oclmm_arena_printf(l->arena, "line %u%s%s", line.line, line.included ? " of " : "",
	                          line.included ? line.file : "");
}

/* ---- objects and cells -------------------------------------------------------- */

static uint32_t add_object(struct launch *l, struct object object)
{
	struct machine *m = &l->machine;

	object.boundary = OCLMM_NEW_ARRAY(l->arena, uint8_t, object.size + 1);
	object.cell_at = OCLMM_NEW_ARRAY(l->arena, uint32_t, object.size + 1);
	oclmm_grow(&m->objects, &m->object_capacity, m->object_count, sizeof(*m->objects));
	m->objects[m->object_count] = object;
	return (uint32_t)m->object_count++;
}

/* Calls for each number that a type is made of. */
struct leaf {
	uint32_t offset;
	const struct type *type;
};

struct leaves {
	struct leaf *items;
	size_t count, capacity;
};

static void find_leaves(const struct module *m, const struct type *t, uint32_t offset,
                        struct leaves *leaves)
{
	if (t->kind == TYPE_VECTOR || t->kind == TYPE_ARRAY) {
		const struct type *of = oclmm_module_type(m, t->of);

		for (uint32_t i = 0; i < t->count; i++)
			find_leaves(m, of, offset + i * of->size, leaves);
		return;
	}
	if (t->kind == TYPE_STRUCT) {
		for (uint32_t i = 0; i < t->count; i++)
			find_leaves(m, oclmm_module_type(m, t->members[i]), offset + t->offsets[i],
			            leaves);
		return;
	}
	oclmm_grow(&leaves->items, &leaves->capacity, leaves->count, sizeof(*leaves->items));
	leaves->items[leaves->count++] = (struct leaf){offset, t};
}

/* ---- names of members ---------------------------------------------------------- */

static bool is_word(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

/* The source with blanks in place of comments. */
static char *without_comments(struct oclmm_arena *arena, const char *source)
{
	char *text = oclmm_arena_strdup(arena, source);

	for (char *at = text; *at; at++) {
		const char *end = NULL;

		if (strncmp(at, "//", 2) == 0)
			end = at + strcspn(at, "\n");
		else if (strncmp(at, "/*", 2) == 0 && strstr(at + 2, "*/"))
			end = strstr(at + 2, "*/") + 2;
		for (; end && at < end; at++)
			*at = ' ';
		if (!*at)
			break;
	}
	return text;
}

/* Where the braces that end at `end` begin, or that begin there end; NULL: nowhere. */
static const char *other_brace(const char *text, const char *at)
{
	int step = *at == '{' ? 1 : -1, depth = 0;

	for (;; at += step) {
		depth += (*at == '{') - (*at == '}');
		if (depth == 0)
			return at;
		if (!*at || (step < 0 && at == text))
			return NULL;
	}
}

/* What stands between the braces of a structure, by `struct name {` or `} name;`. */
static const char *body_of(const char *text, const char *name, size_t length, size_t *ret_length)
{
	for (const char *at = text; (at = strstr(at, name)); at += length) {
		const char *behind = at + length, *before = at, *begin = NULL;

		if (is_word(*behind) || (at > text && is_word(at[-1])))
			continue;
		behind += strspn(behind, " \t\n");
		while (before > text && strchr(" \t\n", before[-1]))
			before--;
		if (*behind == '{')
			begin = behind;
		else if (before > text && before[-1] == '}')
			begin = other_brace(text, before - 1);
		if (!begin || !other_brace(text, begin))
			continue;
		*ret_length = (size_t)(other_brace(text, begin) - begin) - 1;
		return begin + 1;
	}
	return NULL;
}

/* The name that a declarator `*next[4]` declares: the last word in front of a bracket; NULL: none.
 */
static const char *declared(struct oclmm_arena *arena, const char *text, size_t length)
{
	size_t end = 0, begin;

	while (end < length && text[end] != '[' && text[end] != ':')
		end++;
	while (end && !is_word(text[end - 1]))
		end--;
	for (begin = end; begin && is_word(text[begin - 1]);)
		begin--;
	return end > begin ? oclmm_arena_strndup(arena, text + begin, end - begin) : NULL;
}

/* Members' names as the source has them, where it has as many as the type; NULL: they are not
 * known. */
static const char **find_member_names(const struct launch *l, const struct type *t)
{
	const char *name = t->name ? strchr(t->name, '.') : NULL, *body;
	const char **names = OCLMM_NEW_ARRAY(l->arena, const char *, t->count + 1);
	size_t length = 0, begin = 0;
	uint32_t count = 0;
	int depth = 0;

	if (!l->source || !name || strncmp(t->name, "struct.", 7) != 0)
		return NULL;
	name = oclmm_arena_strndup(l->arena, name + 1, strcspn(name + 1, "."));
	body = body_of(l->source, name, strlen(name), &length);
	if (!body || memchr(body, '#', length) || memchr(body, '(', length))
		return NULL;
	for (size_t i = 0; i < length; i++) {
		depth += (body[i] == '{') - (body[i] == '}');
		if (depth || (body[i] != ',' && body[i] != ';'))
			continue;
		if (count == t->count)
			return NULL;
		names[count] = declared(l->arena, body + begin, i - begin);
		if (!names[count++])
			return NULL;
		begin = i + 1;
	}
	return count == t->count ? names : NULL;
}

static const char **member_names(const struct launch *l, const struct type *t)
{
	struct named *n = l->named;

	while (n && n->type != t)
		n = n->next;
	return n ? n->names : NULL;
}

/* Finds those of a type and of what it is made of. Returns false where some are not known. */
static bool name_members(struct launch *l, const struct type *t)
{
	struct named *n;

	if (t->kind == TYPE_VECTOR || t->kind == TYPE_ARRAY)
		return name_members(l, oclmm_module_type(l->module, t->of));
	if (t->kind != TYPE_STRUCT)
		return true;
	if (!member_names(l, t)) {
		n = OCLMM_NEW(l->arena, struct named);
		*n = (struct named){t, find_member_names(l, t), l->named};
		if (!n->names)
			return false;
		l->named = n;
	}
	for (uint32_t i = 0; i < t->count; i++)
		if (!name_members(l, oclmm_module_type(l->module, t->members[i])))
			return false;
	return true;
}

/* `.it.x[1]`: what is so far behind the beginning of a type. */
static void print_path(struct oclmm_text *text, const struct launch *l, const struct type *t,
                       uint32_t offset)
{
	while (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR) {
		uint32_t n = 0;

		if (t->kind == TYPE_STRUCT) {
			while (n + 1 < t->count && t->offsets[n + 1] <= offset)
				n++;
			oclmm_text_printf(text, ".%s", member_names(l, t)[n]);
			offset -= t->offsets[n];
			t = oclmm_module_type(l->module, t->members[n]);
			continue;
		}
		n = offset / oclmm_module_type(l->module, t->of)->size;
		if (t->kind == TYPE_VECTOR && t->count <= 4)
			oclmm_text_printf(text, ".%c", "xyzw"[n]);
		else
			oclmm_text_printf(text, t->kind == TYPE_VECTOR ? ".s%x" : "[%u]", n);
		t = oclmm_module_type(l->module, t->of);
		offset -= n * t->size;
	}
}

static void mark_boundaries(struct launch *l, struct object *o)
{
	struct leaves leaves = {0};

	o->boundary[0] = BOUNDARY_OF_TYPE;
	if (o->leaf && o->leaf->size) {
		find_leaves(l->module, o->leaf, 0, &leaves);
		for (uint32_t at = 0; at + o->leaf->size <= o->size; at += o->leaf->size)
			for (size_t i = 0; i < leaves.count; i++)
				if (at + leaves.items[i].offset < o->size)
					o->boundary[at + leaves.items[i].offset] = BOUNDARY_OF_TYPE;
	}
	free(leaves.items);
}

/* Cells go from boundary to boundary, and are of 1, 2, 4 or 8 bytes. */
static void cut_cells(struct launch *l)
{
	struct machine *m = &l->machine;

	m->cell_count = 0;
	for (size_t n = 0; n < m->object_count; n++) {
		struct object *o = &m->objects[n];

		if (o->kind != OBJECT_SHARED)
			continue;
		for (uint32_t at = 0; at < o->size;) {
			uint32_t size = 1;
			struct oclmm_cell *cell;

			while (size < 8 && at % (2 * size) == 0 && at + 2 * size <= o->size) {
				bool whole = true;

				for (uint32_t i = at + 1; i < at + 2 * size; i++)
					whole = whole && !o->boundary[i];
				if (!whole)
					break;
				size *= 2;
			}
			oclmm_grow(&m->cells, &m->cell_capacity, m->cell_count, sizeof(*m->cells));
			oclmm_grow(&m->object_of, &m->object_of_capacity, m->cell_count,
			           sizeof(*m->object_of));
			oclmm_grow(&m->offset_of, &m->offset_of_capacity, m->cell_count,
			           sizeof(*m->offset_of));
			m->object_of[m->cell_count] = (uint32_t)n;
			m->offset_of[m->cell_count] = at;
			cell = &m->cells[m->cell_count++];
			*cell = (struct oclmm_cell){.size = (uint8_t)size, .region = o->region};
			if (o->data)
				memcpy(&cell->initial, o->data + at, size);
			o->cell_at[at] = (uint32_t)m->cell_count;
			for (uint32_t i = at + 1; i < at + size; i++)
				o->cell_at[i] = 0;
			at += size;
		}
	}
}

/* ---- work-items --------------------------------------------------------------------- */

/* Where the groups do not divide the range, the last ones in a dimension are smaller (C:6.15.1). */
static void place_threads(struct launch *l)
{
	struct machine *m = &l->machine;
	unsigned t = 0;

	m->thread_count = l->thread_count;
	m->placed = OCLMM_NEW_ARRAY(l->arena, struct placed, l->thread_count);
	m->shapes = OCLMM_NEW_ARRAY(l->arena, struct shape, m->group_count);
	for (unsigned group = 0; group < m->group_count; group++) {
		unsigned size = 1, id = group;

		for (unsigned i = 0; i < 3; i++) {
			unsigned left = m->dimensions[i] - id % m->groups[i] * m->local[i];

			m->shapes[group].size[i] = left < m->local[i] ? left : m->local[i];
			size *= m->shapes[group].size[i];
			id /= m->groups[i];
		}
		for (unsigned n = 0; n < size; n++)
			m->placed[t++] = (struct placed){.group = group, .in_group = n};
	}
}

static int make_range(struct launch *l)
{
	const struct oclmm_kernel_setup *s = l->setup;
	struct machine *m = &l->machine;
	unsigned sub;

	enum { MOST = 1024 };

	m->group_count = m->group_size = l->thread_count = 1;
	for (unsigned i = 0; i < 3; i++) {
		m->dimensions[i] = s->global[i] ? s->global[i] : 1;
		m->local[i] = s->local[i] ? s->local[i] : s->local[0] ? 1 : m->dimensions[i];
		m->groups[i] = (m->dimensions[i] + m->local[i] - 1) / m->local[i];
		m->group_count *= m->groups[i];
		m->group_size *= m->local[i];
		l->thread_count *= m->dimensions[i];
		if (l->thread_count > MOST)
			return refuse(l, "more than %d work-items", MOST);
	}
	place_threads(l);
	l->threads = OCLMM_NEW_ARRAY(l->arena, struct oclmm_explored_thread, l->thread_count);
	sub = s->sub_group ? s->sub_group : m->group_size;
	for (unsigned t = 0; t < l->thread_count; t++) {
		l->threads[t].group = m->placed[t].group;
		l->threads[t].sub_group = m->placed[t].group * m->group_size +
		                          m->placed[t].in_group / sub;
	}
	return 0;
}

static int find_kernel(struct launch *l)
{
	const struct module *m = l->module;
	const struct function *only = NULL;
	struct oclmm_text names = {0};
	unsigned count = 0;
	int r = 0;

	/* an entry point calls the function that has its name, or is that function */
	for (size_t i = 0; i < m->function_count; i++) {
		const struct function *f = &m->functions[i];
		bool entry = false;

		for (size_t k = 0; k < m->entry_count; k++)
			entry = entry || strcmp(m->entries[k], f->name) == 0;
		/* the compiler makes one of each block that a kernel enqueues */
		if (!entry || !f->has_body || strstr(f->name, "_block_invoke"))
			continue;
		count++;
		oclmm_text_printf(&names, "%s %s", count > 1 ? "," : "", f->name);
		if (!l->setup->kernel || strcmp(l->setup->kernel, f->name) == 0)
			only = f;
	}
	if (count == 0)
		r = refuse(l, "there is no kernel in it");
	else if (!only)
		r = refuse(l, "no kernel is named %s; there are:%s", l->setup->kernel,
		           oclmm_text_string(&names));
	else if (!l->setup->kernel && count > 1)
		r = refuse(l, "which kernel? --kernel takes one of:%s", oclmm_text_string(&names));
	l->machine.kernel = only;
	oclmm_text_finish(&names);
	return only ? r : -EINVAL;
}

/* ---- variables and arguments --------------------------------------------------------------- */

static void make_variables(struct launch *l)
{
	const struct module *m = l->module;
	struct machine *machine = &l->machine;

	machine->object_of_variable = OCLMM_NEW_ARRAY(l->arena, uint32_t, m->variable_count + 1);
	machine->local_of = OCLMM_NEW_ARRAY(l->arena, uint32_t,
	                                    m->variable_count * machine->group_count + 1);
	for (size_t i = 0; i < m->variable_count; i++) {
		const struct variable *v = &m->variables[i];
		const struct type *t = oclmm_module_type(m, oclmm_module_type(m, v->type)->of);
		const char *dot = strrchr(v->name, '.');
		struct object o = {.name = dot && dot[1] ? dot + 1 : v->name,
		                   .size = t->size,
		                   .data = v->initial,
		                   .leaf = t};

		if (v->builtin != NO_BUILTIN) {
			o.kind = OBJECT_BUILTIN;
			o.builtin = v->builtin;
		} else if (v->class == CLASS_CONSTANT) {
			o.kind = OBJECT_CONSTANT;
		} else if (v->class == CLASS_WORKGROUP) {
			o.region = OCLMM_SPACE_LOCAL;
		}
		if (o.region == OCLMM_SPACE_LOCAL) {
			for (unsigned g = 0; g < machine->group_count; g++) {
				o.group = g;
				machine->local_of[i * machine->group_count + g] = add_object(l, o);
			}
		} else {
			machine->object_of_variable[i] = add_object(l, o);
		}
	}
}

static uint64_t pointer_to(uint32_t object)
{
	return (((uint64_t)object + 1) << OFFSET_BITS) + OFFSET_BEGIN;
}

/* Pointers that stand in constants. One to local memory would be another in each group, and the
 * compiler makes none. */
static void make_pointers(struct launch *l)
{
	const struct module *m = l->module;
	const struct machine *machine = &l->machine;

	for (size_t i = 0; i < m->pointing_count; i++) {
		const struct pointing *p = &m->pointing[i];
		uint32_t object =
			m->variables[p->variable].class == CLASS_WORKGROUP
				? machine->local_of[(size_t)p->variable * machine->group_count]
				: machine->object_of_variable[p->variable];
		uint64_t pointer;

		memcpy(&pointer, p->at, sizeof(pointer));
		pointer += pointer_to(object);
		memcpy(p->at, &pointer, sizeof(pointer));
	}
}

/* The text behind `NAME=`, or NULL. */
static const char *argument_text(const struct launch *l, const char *name)
{
	size_t length = strlen(name);

	for (unsigned i = 0; i < l->setup->argument_count; i++) {
		const char *text = l->setup->arguments[i];

		if (strncmp(text, name, length) == 0 && text[length] == '=')
			return text + length + 1;
	}
	return NULL;
}

static bool is_number(const char *text, const char **ret_end, uint64_t *ret_value)
{
	char *end;

	errno = 0;
	*ret_value = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	*ret_end = end;
	return end != text && errno == 0;
}

static int put_number(struct launch *l, const char *name, const char **text, const struct type *t,
                      uint8_t *bytes)
{
	uint64_t value;
	const char *end;

	if (t->kind == TYPE_FLOAT) {
		char *stop;
		double d = strtod(*text, &stop);
		float f = (float)d;

		if (stop == *text)
			return refuse(l, "--arg %s: %s is not a number", name, *text);
		*text = stop;
		if (t->bits == 32) {
			memcpy(bytes, &f, sizeof(f));
		} else if (t->bits == 16) {
			uint64_t half = oclmm_machine_half(d);

			memcpy(bytes, &half, 2);
		} else {
			memcpy(bytes, &d, sizeof(d));
		}
		return 0;
	}
	if (!is_number(*text, &end, &value))
		return refuse(l, "--arg %s: %s is not a number", name, *text);
	memcpy(bytes, &value, t->size < 8 ? t->size : 8);
	*text = end;
	return 0;
}

/* `0,1`, `0*64`: the numbers of a buffer in order. */
static int read_buffer(struct launch *l, const char *name, const char *text, const struct type *of,
                       uint8_t **ret_data, uint32_t *ret_size)
{
	enum { MOST = 1 << 16 };
	struct leaves leaves = {0};
	struct oclmm_text data = {0};
	static const uint8_t zeros[256];
	size_t n = 0;
	int r = 0;

	find_leaves(l->module, of, 0, &leaves);
	if (leaves.count == 0 || of->size == 0 || of->size > sizeof(zeros))
		r = refuse(l, "--arg %s: not understood: a buffer of elements of %u bytes", name,
		           of->size);
	while (r == 0 && leaves.count && *text) {
		const struct leaf *leaf = &leaves.items[n % leaves.count];
		uint8_t bytes[8] = {0};
		uint64_t times = 1;
		const char *from = text;

		r = put_number(l, name, &text, leaf->type, bytes);
		if (r == 0 && *text == '*' && !is_number(text + 1, &text, &times))
			r = refuse(l, "--arg %s: %s is not a number", name, text);
		if (r == 0 && (times == 0 || data.length + times * leaf->type->size > MOST))
			r = refuse(l, "--arg %s: more than %d bytes, or none", name, MOST);
		for (uint64_t i = 0; r == 0 && i < times; i++) {
			leaf = &leaves.items[n % leaves.count];
			if (n % leaves.count == 0)
				oclmm_text_add_bytes(&data, (const char *)zeros, of->size);
			text = i ? from : text;
			if (i)
				r = put_number(l, name, &text, leaf->type, bytes);
			memcpy(data.data + n / leaves.count * of->size + leaf->offset, bytes,
			       leaf->type->size);
			n++;
		}
		if (r == 0 && *text == '*')
			text += 1 + strspn(text + 1, "0123456789xXabcdefABCDEF");
		if (r == 0 && *text == ',')
			text++;
		else if (r == 0 && *text)
			r = refuse(l, "--arg %s: `%s` is not understood", name, text);
	}
	*ret_size = (uint32_t)data.length;
	*ret_data = oclmm_arena_copy(l->arena, data.data, data.length);
	oclmm_text_finish(&data);
	free(leaves.items);
	return r;
}

/* A vector, or a structure by value. */
static int make_value(struct launch *l, uint32_t n, const char *text, const struct type *t,
                      bool pointed)
{
	const char *name = l->parameters[n].name;
	uint8_t *data = NULL;
	uint32_t size = 0;
	int r = read_buffer(l, name, text, t, &data, &size);

	if (r == 0 && size != t->size)
		r = refuse(l, "--arg %s: numbers for one value", name);
	l->machine.values[n] = (struct value){data, size, pointed};
	l->parameters[n].kind = OCLMM_KERNEL_SCALAR;
	l->parameters[n].bytes = data;
	l->parameters[n].size = size;
	return r;
}

static int make_argument(struct launch *l, uint32_t n)
{
	const struct module *m = l->module;
	struct machine *machine = &l->machine;
	const struct function *f = machine->kernel;
	const struct id *p = &m->ids[f->parameters[n]];
	const struct type *t = oclmm_module_type(m, p->type), *of = oclmm_module_type(m, t->of);
	const char *name = p->name ? p->name : "", *text = argument_text(l, name);
	struct object o = {.name = name, .leaf = of, .is_buffer = true};
	uint8_t *data = NULL;
	uint64_t value = 0;
	int r;

	if (!text)
		return refuse(l, "the parameter %s of %s has no value: --arg %s=%s", name, f->name,
		              name, t->kind == TYPE_POINTER ? "0,0" : "0");
	l->parameter_object[n] = UINT32_MAX;
	l->parameters[n].name = name;
	if (t->kind == TYPE_VECTOR)
		return make_value(l, n, text, t, false);
	if (t->kind == TYPE_POINTER && t->class == CLASS_FUNCTION)
		return make_value(l, n, text, of, true);
	if (t->kind != TYPE_POINTER) {
		uint8_t bytes[8] = {0};

		if (t->kind != TYPE_INT && t->kind != TYPE_FLOAT)
			return refuse(l, "--arg %s: not understood: a parameter of that type",
			              name);
		r = put_number(l, name, &text, t, bytes);
		memcpy(&value, bytes, sizeof(value));
		l->parameters[n].kind = OCLMM_KERNEL_SCALAR;
		l->parameters[n].bytes = oclmm_arena_copy(l->arena, bytes, sizeof(bytes));
		l->parameters[n].size = t->size;
		for (unsigned g = 0; g < machine->group_count; g++)
			machine->arguments[(size_t)g * f->parameter_count + n] = value;
		return r < 0 || !*text ? r : refuse(l, "--arg %s: one number", name);
	}
	if (t->class == CLASS_WORKGROUP) {
		const char *end;

		if (!is_number(text, &end, &value) || *end || value == 0 ||
		    value * of->size > 1 << 16)
			return refuse(l,
			              "--arg %s: of a pointer to local memory, how many elements "
			              "there are",
			              name);
		o.region = OCLMM_SPACE_LOCAL;
		o.size = (uint32_t)value * of->size;
		l->parameters[n].kind = OCLMM_KERNEL_LOCAL;
		l->parameters[n].size = o.size;
		for (unsigned g = 0; g < machine->group_count; g++) {
			uint32_t object;

			o.group = g;
			object = add_object(l, o);
			machine->arguments[(size_t)g * f->parameter_count + n] = pointer_to(object);
			if (g == 0)
				l->parameter_object[n] = object;
		}
		return 0;
	}
	if (t->class != CLASS_CROSS_WORKGROUP && t->class != CLASS_CONSTANT)
		return refuse(l, "--arg %s: not understood: a parameter of that type", name);
	r = read_buffer(l, name, text, of, &data, &o.size);
	if (r < 0)
		return r;
	if (t->class == CLASS_CONSTANT)
		o.kind = OBJECT_CONSTANT;
	o.data = data;
	l->parameters[n].kind = OCLMM_KERNEL_BUFFER;
	l->parameters[n].bytes = data;
	l->parameters[n].size = o.size;
	l->parameter_object[n] = add_object(l, o);
	for (unsigned g = 0; g < machine->group_count; g++)
		machine->arguments[(size_t)g * f->parameter_count + n] = pointer_to(
			l->parameter_object[n]);
	return 0;
}

static int make_arguments(struct launch *l)
{
	const struct function *f = l->machine.kernel;
	int r = 0;

	l->parameter_object = OCLMM_NEW_ARRAY(l->arena, uint32_t, f->parameter_count + 1);
	l->machine.values = OCLMM_NEW_ARRAY(l->arena, struct value, f->parameter_count + 1);
	l->parameters = OCLMM_NEW_ARRAY(l->arena, struct oclmm_kernel_parameter,
	                                f->parameter_count + 1);
	l->machine.arguments = OCLMM_NEW_ARRAY(
		l->arena, uint64_t, (size_t)l->machine.group_count * f->parameter_count + 1);
	for (uint32_t i = 0; i < f->parameter_count && r == 0; i++)
		r = make_argument(l, i);
	for (unsigned i = 0; i < l->setup->argument_count && r == 0; i++) {
		const char *text = l->setup->arguments[i];
		bool known = false;

		for (uint32_t k = 0; k < f->parameter_count; k++) {
			const char *name = l->module->ids[f->parameters[k]].name;

			known = known || (name && strncmp(text, name, strlen(name)) == 0 &&
			                  text[strlen(name)] == '=');
		}
		if (!known)
			r = refuse(l, "--arg %s: %s has no such parameter", text, f->name);
	}
	return r;
}

/* ---- questions ------------------------------------------------------------------------------- */

/* An integer, or a number of floating point, which C's arithmetic keeps apart. */
struct number {
	bool real;
	int64_t whole;
	double value;
};

/* An expression of C over final values: reads along, computing as it goes. */
struct question {
	struct launch *l;
	const char *text, *at;
	const uint64_t *values; /* of the observed cells; NULL: only find which these are */
	int result;
};

static struct number ask_or(struct question *q);

static struct number integer(int64_t value)
{
	return (struct number){.whole = value, .value = (double)value};
}

static struct number real(double value)
{
	return (struct number){.real = true, .value = value};
}

static bool is_true(struct number n)
{
	return n.real ? n.value != 0 : n.whole != 0;
}

static void skip(struct question *q)
{
	while (*q->at == ' ' || *q->at == '\t')
		q->at++;
}

static bool take(struct question *q, const char *word)
{
	skip(q);
	if (strncmp(q->at, word, strlen(word)) != 0)
		return false;
	q->at += strlen(word);
	return true;
}

static struct number wrong(struct question *q, const char *why)
{
	if (q->result == 0)
		q->result = refuse(q->l, "--ask '%s': %s: %s", q->text, why,
		                   *q->at ? q->at : "the end");
	q->at += strlen(q->at);
	return integer(0);
}

/* What stands between brackets. */
static uint64_t ask_index(struct question *q)
{
	struct number n = ask_or(q);

	if (q->result == 0 && n.real)
		wrong(q, "an index is a whole number, before");
	else if (q->result == 0 && !take(q, "]"))
		wrong(q, "a `]` is missing before");
	return (uint64_t)n.whole;
}

static const struct object *object_named(const struct launch *l, const char *name, size_t length)
{
	const struct machine *m = &l->machine;

	for (size_t i = 0; i < m->object_count; i++) {
		const struct object *o = &m->objects[i];

		if (o->kind == OBJECT_SHARED && o->group == 0 && strlen(o->name) == length &&
		    strncmp(o->name, name, length) == 0)
			return o;
	}
	return NULL;
}

/* The value of an object's number, `x[1]`: the n-th of those that its type is made of. */
static struct number final_value(struct question *q, const struct object *o, uint64_t index)
{
	struct machine *m = &q->l->machine;
	struct leaves leaves = {0};
	struct leaf leaf = {0};
	uint32_t offset;
	uint64_t value = 0;

	find_leaves(q->l->module, o->leaf, 0, &leaves);
	if (leaves.count) {
		leaf = leaves.items[index % leaves.count];
		offset = (uint32_t)(index / leaves.count) * o->leaf->size + leaf.offset;
	}
	free(leaves.items);
	if (!leaf.type || offset + leaf.type->size > o->size)
		return wrong(q, "there is no such element");
	for (uint32_t i = 0; i < leaf.type->size;) {
		uint32_t cell = o->cell_at[offset + i], at = 0;

		if (!cell || m->cells[cell - 1].size > leaf.type->size)
			return wrong(q,
			             "a part of what is accessed as a whole, atomically, before");
		cell--;
		if (!q->values)
			m->cells[cell].observed = true;
		for (uint32_t c = 0; c < cell && q->values; c++)
			at += m->cells[c].observed;
		if (q->values)
			value |= q->values[at] << 8 * i;
		i += m->cells[cell].size;
	}
	if (leaf.type->kind == TYPE_FLOAT) {
		double number;

		if (!oclmm_machine_number(value, leaf.type->bits, &number))
			return wrong(q, "a number of floating point that depends on rounding");
		return real(number);
	}
	return integer((int64_t)(value << (64 - leaf.type->bits)) >> (64 - leaf.type->bits));
}

/* A component of a vector, `y` or `sf`. */
static bool ask_component(struct question *q, uint32_t count, uint32_t *ret_n)
{
	static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
	bool by_digit = (*q->at == 's' || *q->at == 'S') && q->at[1];
	char c = by_digit ? q->at[1] : *q->at;
	const char *of = by_digit ? digits : letters;
	const char *found = c ? strchr(of, by_digit && c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c)
	                      : NULL;

	if (!found || (uint32_t)(found - of) >= count)
		return false;
	*ret_n = (uint32_t)(found - of);
	q->at += by_digit ? 2 : 1;
	return true;
}

/* Behind the name, or the number of an element: `.it.x[1]`, `->head`, `[0]`. */
static struct number final_member(struct question *q, const struct object *o, uint64_t element)
{
	const struct module *m = q->l->module;
	const struct type *t = o->leaf;
	struct leaves leaves = {0};
	uint64_t offset = 0, index = 0;
	size_t count;

	while (q->result == 0) {
		size_t length = 0;
		uint32_t n = 0;

		if (t->kind == TYPE_STRUCT && (take(q, ".") || take(q, "->"))) {
			const char *const *names = member_names(q->l, t);

			while (is_word(q->at[length]))
				length++;
			while (n < t->count && (strlen(names[n]) != length ||
			                        strncmp(names[n], q->at, length) != 0))
				n++;
			if (n == t->count)
				return wrong(q, "no member has that name");
			q->at += length;
			offset += t->offsets[n];
			t = oclmm_module_type(m, t->members[n]);
		} else if (t->kind == TYPE_VECTOR && (take(q, ".") || take(q, "->"))) {
			if (!ask_component(q, t->count, &n))
				return wrong(q, "no component has that name");
			t = oclmm_module_type(m, t->of);
			offset += (uint64_t)n * t->size;
		} else if (t->kind == TYPE_ARRAY && take(q, "[")) {
			index = ask_index(q);
			if (q->result == 0 && index >= t->count)
				return wrong(q, "there is no such element");
			t = oclmm_module_type(m, t->of);
			offset += index * t->size;
		} else {
			break;
		}
	}
	if (q->result == 0 &&
	    (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR))
		return wrong(q, "several numbers, of which one is to be named");
	find_leaves(m, o->leaf, 0, &leaves);
	count = leaves.count;
	for (index = 0; index + 1 < count && leaves.items[index].offset < offset;)
		index++;
	free(leaves.items);
	return q->result ? integer(0) : final_value(q, o, element * count + index);
}

/* `3`, `0x1fu`, `0.5`, `1e3f`: with an f it is a float, whose value has fewer digits. */
static struct number ask_literal(struct question *q)
{
	bool hex = q->at[0] == '0' && (q->at[1] == 'x' || q->at[1] == 'X');
	size_t digits = strspn(q->at, hex ? "0123456789abcdefABCDEFxX" : "0123456789");
	const char *end;
	uint64_t value;

	if (q->at[digits] && strchr(hex ? ".pP" : ".eE", q->at[digits])) {
		char *stop;
		double d = strtod(q->at, &stop);

		q->at = stop;
		if (*q->at == 'f' || *q->at == 'F') {
			d = (float)d;
			q->at++;
		}
		return real(d);
	}
	if (!is_number(q->at, &end, &value))
		return wrong(q, "no number");
	q->at = end + strspn(end, "uUlL");
	return integer((int64_t)value);
}

static struct number ask_primary(struct question *q)
{
	const struct object *o;
	const char *begin;
	uint64_t value;

	skip(q);
	if (take(q, "(")) {
		struct number inner = ask_or(q);

		return take(q, ")") ? inner : wrong(q, "a `)` is missing before");
	}
	if (take(q, "-")) {
		struct number n = ask_primary(q);

		return n.real ? real(-n.value) : integer((int64_t)(0 - (uint64_t)n.whole));
	}
	if (take(q, "~")) {
		struct number n = ask_primary(q);

		return n.real ? wrong(q, "`~` takes a whole number, before") : integer(~n.whole);
	}
	if (*q->at == '!' && q->at[1] != '=') {
		q->at++;
		return integer(!is_true(ask_primary(q)));
	}
	if ((*q->at >= '0' && *q->at <= '9') ||
	    (*q->at == '.' && q->at[1] >= '0' && q->at[1] <= '9'))
		return ask_literal(q);
	begin = q->at;
	while (*q->at == '_' || (*q->at >= 'a' && *q->at <= 'z') ||
	       (*q->at >= 'A' && *q->at <= 'Z') ||
	       (q->at > begin && *q->at >= '0' && *q->at <= '9'))
		q->at++;
	o = q->at > begin ? object_named(q->l, begin, (size_t)(q->at - begin)) : NULL;
	if (!o) {
		q->at = begin;
		return wrong(q, "no parameter or variable in memory has that name");
	}
	if (o->clocked)
		return wrong(q, "the value of a clock was stored there, which may be anything");
	begin = q->at;
	value = take(q, "[") ? ask_index(q) : 0;
	if (q->result)
		return integer(0);
	if (!o->named || (*q->at != '.' && *q->at != '[' && strncmp(q->at, "->", 2) != 0))
		return final_value(q, o, value);
	/* what stands first is an index into a buffer, but a part of a variable's own type */
	if (!o->is_buffer) {
		q->at = begin;
		value = 0;
	}
	return final_member(q, o, value);
}

/* Operators of two operands from the weakest to the strongest, as in C. */
static const struct operator
{
	const char *word;
	unsigned level;
}
operators[] = {
	{"||", 0}, {"&&", 1}, {"==", 5}, {"!=", 5}, {"<=", 6}, {">=", 6},
	{"<<", 7}, {">>", 7}, {"|", 2},  {"^", 3},  {"&", 4},  {"<", 6},
	{">", 6},  {"+", 8},  {"-", 8},  {"*", 9},  {"/", 9},  {"%", 9},
};

static struct number apply_real(struct question *q, const char *word, double a, double b)
{
	switch (word[0]) {
	case '=': return integer(a == b);
	case '!': return integer(a != b);
	case '<':
		return word[1] == '<' ? wrong(q, "a shift of whole numbers is before")
		                      : integer(word[1] ? a <= b : a < b);
	case '>':
		return word[1] == '>' ? wrong(q, "a shift of whole numbers is before")
		                      : integer(word[1] ? a >= b : a > b);
	case '+': return real(a + b);
	case '-': return real(a - b);
	case '*': return real(a * b);
	case '/': return real(a / b);
	default: return wrong(q, "an operator of whole numbers is before");
	}
}

static struct number apply(struct question *q, const char *word, struct number left,
                           struct number right)
{
	int64_t a = left.whole, b = right.whole;
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	if (strcmp(word, "||") == 0)
		return integer(is_true(left) || is_true(right));
	if (strcmp(word, "&&") == 0)
		return integer(is_true(left) && is_true(right));
	if (left.real || right.real)
		return apply_real(q, word, left.value, right.value);
	switch (word[0]) {
	case '|': return integer(a | b);
	case '&': return integer(a & b);
	case '^': return integer(a ^ b);
	case '=': return integer(a == b);
	case '!': return integer(a != b);
	case '<':
		return integer(word[1] == '<' ? (int64_t)(x << (y & 63))
		               : word[1]      ? a <= b
		                              : a < b);
	case '>': return integer(word[1] == '>' ? a >> (y & 63) : word[1] ? a >= b : a > b);
	case '+': return integer((int64_t)(x + y));
	case '-': return integer((int64_t)(x - y));
	case '*': return integer((int64_t)(x * y));
	default: break;
	}
	if (b == 0)
		return q->values ? wrong(q, "a division by zero") : integer(0);
	if (b == -1)
		return integer(word[0] == '/' ? (int64_t)(0 - x) : 0);
	return integer(word[0] == '/' ? a / b : a % b);
}

static struct number ask_level(struct question *q, unsigned level)
{
	struct number left = level > 9 ? ask_primary(q) : ask_level(q, level + 1);
	bool found = level <= 9;

	while (found && q->result == 0) {
		const struct operator* op = NULL;

		skip(q);
		/* the longer words come first in the table */
		for (size_t i = 0; i < OCLMM_COUNT(operators) && !op; i++)
			if (strncmp(q->at, operators[i].word, strlen(operators[i].word)) == 0)
				op = &operators[i];
		found = op && op->level == level;
		if (found) {
			q->at += strlen(op->word);
			left = apply(q, op->word, left, ask_level(q, level + 1));
		}
	}
	return left;
}

static struct number ask_or(struct question *q)
{
	return ask_level(q, 0);
}

/* Whether what is asked holds; without values, only what it needs is found. */
static int ask(struct launch *l, const char *text, const uint64_t *values, bool *ret_holds)
{
	struct question q = {.l = l, .text = text, .at = text, .values = values};
	struct number value = ask_or(&q);

	skip(&q);
	if (q.result == 0 && *q.at)
		wrong(&q, "not understood");
	*ret_holds = is_true(value);
	return q.result;
}

static int find_observed(struct launch *l)
{
	bool holds;
	int r = 0;

	for (unsigned i = 0; i < l->setup->ask_count && r == 0; i++)
		r = ask(l, l->setup->asks[i], NULL, &holds);
	return r;
}

/* ---- words
 * --------------------------------------------------------------------------------------- */

static void print_work_item(struct oclmm_text *text, const struct launch *l, unsigned thread)
{
	const struct machine *m = &l->machine;

	oclmm_text_printf(text, "work-item %u", thread);
	if (m->group_count > 1)
		oclmm_text_printf(text, " (%u of group %u)", m->placed[thread].in_group,
		                  m->placed[thread].group);
}

/* Who makes an access: a work-item, or a copy of its group. */
static void print_agent(struct oclmm_text *text, const struct launch *l, unsigned thread,
                        bool copies)
{
	if (!copies)
		print_work_item(text, l, thread);
	else if (l->machine.group_count > 1)
		oclmm_text_printf(text, "the asynchronous copy of group %u",
		                  l->machine.placed[thread].group);
	else
		oclmm_text_add(text, "the asynchronous copy");
}

/* The number of an object that a cell is, or is a part of. */
static const struct type *leaf_of(const struct launch *l, uint32_t cell, uint32_t *ret_index,
                                  size_t *ret_count)
{
	const struct machine *m = &l->machine;
	const struct object *o = &m->objects[m->object_of[cell]];
	uint32_t offset = m->offset_of[cell];
	const struct type *type = NULL;
	struct leaves leaves = {0};

	*ret_index = 0;
	find_leaves(l->module, o->leaf, 0, &leaves);
	for (size_t i = 0; i < leaves.count; i++)
		if (leaves.items[i].offset <= offset % o->leaf->size) {
			*ret_index = (uint32_t)i;
			type = leaves.items[i].type;
		}
	*ret_count = leaves.count;
	free(leaves.items);
	return type;
}

static void print_value(struct oclmm_text *text, const struct launch *l, uint32_t cell,
                        uint64_t value)
{
	unsigned width = 8u * l->machine.cells[cell].size;
	uint32_t index;
	size_t count;
	const struct type *t = leaf_of(l, cell, &index, &count);
	double number;

	if (!t || t->kind != TYPE_FLOAT || t->bits != width)
		oclmm_text_printf(text, "%lld",
		                  (long long)((int64_t)(value << (64 - width)) >> (64 - width)));
	else if (oclmm_machine_number(value, width, &number))
		oclmm_text_printf(text, "%.9g", number);
	else
		oclmm_text_add(text, "a number that depends on rounding");
}

/* `x[2]`, `tile[1][0]`, `v[1].y`, as the source writes it; by the numbers that its type is made of
 * where members have no names. */
static void print_cell(struct oclmm_text *text, const struct launch *l, uint32_t cell)
{
	const struct machine *m = &l->machine;
	const struct object *o = &m->objects[m->object_of[cell]];
	uint32_t offset = m->offset_of[cell], index;
	struct leaves leaves = {0};

	if (o->named) {
		oclmm_text_add(text, o->name);
		if (o->is_buffer && (o->size > o->leaf->size || o->leaf->kind == TYPE_ARRAY))
			oclmm_text_printf(text, "[%u]", offset / o->leaf->size);
		print_path(text, l, o->leaf, offset % o->leaf->size);
		return;
	}
	leaf_of(l, cell, &index, &leaves.count);
	if (leaves.count)
		index += offset / o->leaf->size * (uint32_t)leaves.count;
	if (o->size > o->leaf->size || leaves.count > 1)
		oclmm_text_printf(text, "%s[%u]", o->name, index);
	else
		oclmm_text_add(text, o->name);
}

/* A call of a function of OpenCL 1.x, which was renamed for the compiler. */
static bool is_legacy(const struct module *m, uint32_t at)
{
	const uint32_t *w = m->words + m->code[at].word;
	const struct id *callee = (w[0] & 0xffff) == OP_FUNCTION_CALL ? &m->ids[w[3]] : NULL;

	return callee && callee->kind == ID_FUNCTION &&
	       strstr(m->functions[callee->number].name, "oclmm_legacy_");
}

/* Functions of 1.x have the scope that they were taken for. */
static const char *scope_of(const struct launch *l, enum oclmm_scope scope, uint32_t where)
{
	bool device = l->setup->legacy_scope == OCLMM_SCOPE_DEVICE && is_legacy(l->module, where);

	return oclmm_scope_spelling(device ? OCLMM_SCOPE_DEVICE : scope);
}

static void print_place(struct oclmm_text *text, const struct launch *l,
                        const struct oclmm_explored_place *p)
{
	struct oclmm_kernel_line line = line_of(l, p->where);

	print_line(text, line);
	print_agent(text, l, p->thread, p->copies);
	oclmm_text_printf(text, " %s ", p->writes ? "writes" : "reads");
	print_cell(text, l, p->cell);
	if (p->atomic)
		oclmm_text_printf(text, ", atomically, with %s", scope_of(l, p->scope, p->where));
	else if (!p->copies)
		oclmm_text_add(text, ", with a plain access");
}

static const char *passing_word(const struct launch *l, uint32_t where)
{
	enum oclmm_barrier_part half = oclmm_machine_half_at(l->module, where);

	if (half != OCLMM_BARRIER_WHOLE)
		return half == OCLMM_BARRIER_ARRIVE ? "arrives at a split barrier"
		                                    : "has waited at a split barrier";
	switch (l->module->words[l->module->code[where].word] & 0xffff) {
	case OP_MEMORY_BARRIER: return "passes a fence";
	case OP_CONTROL_BARRIER: return "passes a barrier";
	case OP_GROUP_ASYNC_COPY: return "begins an asynchronous copy";
	case OP_GROUP_WAIT_EVENTS: return "has waited for asynchronous copies";
	default: return "passes a function of its group";
	}
}

static bool is_same_look(const struct oclmm_done *a, const struct oclmm_done *b)
{
	return a->kind == OCLMM_EXPLORED_READ && b->kind == a->kind && b->where == a->where &&
	       b->thread == a->thread && b->cell == a->cell && b->read == a->read &&
	       b->copies == a->copies && b->order == a->order;
}

static void print_execution(struct oclmm_text *text, const struct launch *l,
                            const struct oclmm_done *last)
{
	enum { MOST = 60 };
	const struct oclmm_done *order[MOST];
	unsigned count = 0;
	bool more = false;

	for (const struct oclmm_done *d = last; d; d = d->before) {
		if (count == MOST) {
			more = true;
			break;
		}
		order[count++] = d;
	}
	if (more)
		oclmm_text_printf(text, "  … (the last %d accesses)\n", MOST);
	while (count-- > 0) {
		const struct oclmm_done *d = order[count];
		unsigned times = 1;

		/* who waits looks again and again */
		while (count > 0 && is_same_look(d, order[count - 1])) {
			times++;
			count--;
		}
		oclmm_text_printf(text, "  %s: ", name_line(l, line_of(l, d->where)));
		print_agent(text, l, d->thread, d->copies);
		if (d->kind == OCLMM_EXPLORED_BARRIER) {
			oclmm_text_printf(text, " %s\n", passing_word(l, d->where));
			continue;
		}
		oclmm_text_printf(text, " %s ",
		                  d->kind == OCLMM_EXPLORED_READ    ? "reads"
		                  : d->kind == OCLMM_EXPLORED_WRITE ? "writes"
		                                                    : "updates");
		print_cell(text, l, d->cell);
		oclmm_text_add(text, ": ");
		print_value(text, l, d->cell,
		            d->kind == OCLMM_EXPLORED_WRITE ? d->written : d->read);
		if (d->kind != OCLMM_EXPLORED_READ && d->kind != OCLMM_EXPLORED_WRITE) {
			oclmm_text_add(text, " becomes ");
			print_value(text, l, d->cell, d->written);
		}
		if (d->order != OCLMM_ORDER_NONE)
			oclmm_text_printf(text, " (%s)", oclmm_order_spelling(d->order));
		if (times > 1)
			oclmm_text_printf(text, ", %u times", times);
		oclmm_text_add(text, "\n");
	}
}

/* What work-items of a group meet at. */
static const char *meeting_word(const struct launch *l, uint32_t where)
{
	if (oclmm_machine_half_at(l->module, where) != OCLMM_BARRIER_WHOLE)
		return "a split barrier";
	switch (l->module->words[l->module->code[where].word] & 0xffff) {
	case OP_CONTROL_BARRIER: return "a barrier";
	case OP_GROUP_ASYNC_COPY: return "an asynchronous copy";
	case OP_GROUP_WAIT_EVENTS: return "wait_group_events()";
	default:
		/* a barrier that a repair puts in front of something is no instruction */
		return l->machine.change_at[where] ? "a barrier" : "a function of its group";
	}
}

static const char *waits_word(const struct launch *l, uint32_t where)
{
	return oclmm_machine_half_at(l->module, where) == OCLMM_BARRIER_ARRIVE ? "arrives at"
	                                                                       : "waits at";
}

static const char *another_word(const struct launch *l, const struct oclmm_explored *found)
{
	const char *first = meeting_word(l, found->first.where),
		   *second = meeting_word(l, found->second.where);

	return strcmp(first, second) == 0 ? "another one" : second;
}

static const char not_waited[] = "ends without having waited for an asynchronous copy";

/* ---- the same as data ---- */

static const char *kept_cell(const struct launch *l, uint32_t cell)
{
	struct oclmm_text text = {0};

	print_cell(&text, l, cell);
	return oclmm_text_keep(&text, l->arena);
}

static const char *kept_value(const struct launch *l, uint32_t cell, uint64_t value)
{
	struct oclmm_text text = {0};

	print_value(&text, l, cell, value);
	return oclmm_text_keep(&text, l->arena);
}

static const char *access_word(enum oclmm_explored_kind kind)
{
	return kind == OCLMM_EXPLORED_READ    ? "read"
	       : kind == OCLMM_EXPLORED_WRITE ? "write"
	                                      : "update";
}

static const char *passed_word(const struct launch *l, uint32_t where)
{
	enum oclmm_barrier_part half = oclmm_machine_half_at(l->module, where);

	if (half != OCLMM_BARRIER_WHOLE)
		return half == OCLMM_BARRIER_ARRIVE ? "arrival" : "wait";
	switch (l->module->words[l->module->code[where].word] & 0xffff) {
	case OP_MEMORY_BARRIER: return "fence";
	case OP_GROUP_ASYNC_COPY: return "copy";
	case OP_GROUP_WAIT_EVENTS: return "wait for copies";
	case OP_CONTROL_BARRIER: return "barrier";
	default: return l->machine.change_at[where] ? "barrier" : "function of the group";
	}
}

static struct oclmm_kernel_step step_of_place(const struct launch *l,
                                              const struct oclmm_explored_place *p)
{
	return (struct oclmm_kernel_step){
		.work_item = p->thread,
		.group = l->machine.placed[p->thread].group,
		.copies = p->copies,
		.line = line_of(l, p->where),
		.what = p->writes ? "write" : "read",
		.object = kept_cell(l, p->cell),
		.scope = p->atomic ? scope_of(l, p->scope, p->where) : NULL,
		.from = -1,
	};
}

static struct oclmm_kernel_step step_of(const struct launch *l, const struct oclmm_done *d)
{
	struct oclmm_kernel_step step = {
		.work_item = d->thread,
		.group = l->machine.placed[d->thread].group,
		.copies = d->copies,
		.line = line_of(l, d->where),
		.from = -1,
	};

	if (d->order != OCLMM_ORDER_NONE && d->kind != OCLMM_EXPLORED_BARRIER) {
		step.order = oclmm_order_spelling(d->order);
		step.scope = scope_of(l, d->scope, d->where);
	}
	if (d->kind == OCLMM_EXPLORED_BARRIER) {
		step.what = passed_word(l, d->where);
		return step;
	}
	step.what = access_word(d->kind);
	step.object = kept_cell(l, d->cell);
	if (d->kind != OCLMM_EXPLORED_WRITE)
		step.read = kept_value(l, d->cell, d->read);
	if (d->kind != OCLMM_EXPLORED_READ)
		step.written = kept_value(l, d->cell, d->written);
	return step;
}

enum { STEPS_MOST = 60 };

static struct oclmm_kernel_execution keep_execution(const struct launch *l,
                                                    const struct oclmm_done *last)
{
	struct oclmm_kernel_execution execution = {0};
	const struct oclmm_done *done[STEPS_MOST];
	struct oclmm_kernel_step *steps;
	unsigned count = 0;

	for (const struct oclmm_done *d = last; d; d = d->before)
		if (count < STEPS_MOST)
			done[count++] = d;
		else
			execution.before++;
	steps = OCLMM_NEW_ARRAY(l->arena, struct oclmm_kernel_step, count + 1);
	for (unsigned i = 0; i < count; i++) {
		const struct oclmm_done *d = done[count - 1 - i];

		steps[i] = step_of(l, d);
		for (unsigned k = 0; k < i; k++)
			if (done[count - 1 - k] == d->from)
				steps[i].from = (int)k;
	}
	execution.steps = steps;
	execution.count = count;
	return execution;
}

static const struct oclmm_kernel_step *keep_place(const struct launch *l,
                                                  const struct oclmm_explored_place *place)
{
	struct oclmm_kernel_step *step = OCLMM_NEW(l->arena, struct oclmm_kernel_step);

	*step = step_of_place(l, place);
	return step;
}

static void keep_waiting(const struct launch *l, const struct oclmm_explored *found,
                         struct oclmm_kernel_answer *answer)
{
	struct oclmm_kernel_step *steps = OCLMM_NEW_ARRAY(l->arena, struct oclmm_kernel_step,
	                                                  found->waiting_count + 1);

	for (unsigned i = 0; i < found->waiting_count; i++) {
		steps[i] = step_of_place(l, &found->waiting[i]);
		steps[i].what = "wait";
		steps[i].scope = NULL;
		/* a loop that nothing ends, or a barrier, waits for no object */
		if (found->waiting[i].ended || !found->waiting[i].reads)
			steps[i].object = NULL;
	}
	answer->waiting = steps;
	answer->waiting_count = found->waiting_count;
}

static const char legacy_scope_text[] =
	"Functions of OpenCL 1.x have the scope of the work-group. With --legacy-scope device they "
	"count as the device's between groups, as programs of 1.x take for granted\n";

static void print_fault(struct oclmm_text *text, struct launch *l,
                        const struct oclmm_explored *found, struct oclmm_kernel_answer *answer)
{
	struct oclmm_text message = {0};

	answer->line = line_of(l, found->second.where);
	answer->other = line_of(l, found->first.where);
	switch (found->fault) {
	case OCLMM_EXPLORED_RACE:
		print_place(text, l, &found->second);
		oclmm_text_add(text, "\n");
		print_place(text, l, &found->first);
		oclmm_text_add(text, "\na data race: nothing orders the two accesses\n");
		if (l->setup->legacy_scope != OCLMM_SCOPE_DEVICE && found->first.atomic &&
		    found->second.atomic &&
		    (is_legacy(l->module, found->first.where) ||
		     is_legacy(l->module, found->second.where)))
			oclmm_text_add(text, legacy_scope_text);
		oclmm_text_add(&message, "a data race");
		break;
	case OCLMM_EXPLORED_DIVERGED:
		answer->line = line_of(l, found->first.where);
		answer->other = line_of(l, found->second.where);
		print_line(text, answer->line);
		print_work_item(text, l, found->first.thread);
		oclmm_text_printf(text, " %s %s\n", waits_word(l, found->first.where),
		                  meeting_word(l, found->first.where));
		print_line(text, answer->other);
		print_work_item(text, l, found->second.thread);
		if (found->second.ended)
			oclmm_text_add(text, " ends without reaching it\n");
		else if (found->second.elsewhen)
			oclmm_text_printf(text,
			                  " %s it in another turn of a loop, or by another call\n",
			                  waits_word(l, found->second.where));
		else
			oclmm_text_printf(text, " %s %s\n", waits_word(l, found->second.where),
			                  found->second.where == found->first.where
			                          ? "another one"
			                          : another_word(l, found));
		oclmm_text_add(text, "not all work-items of the group reach the barrier\n");
		oclmm_text_add(&message, "a barrier that not all reach");
		break;
	case OCLMM_EXPLORED_UNWAITED:
		answer->line = line_of(l, found->first.where);
		print_line(text, answer->line);
		print_work_item(text, l, found->first.thread);
		oclmm_text_printf(text, " %s\n", not_waited);
		oclmm_text_add(&message, not_waited);
		break;
	default:
		answer->line = line_of(l, l->machine.fault_where);
		print_line(text, answer->line);
		print_work_item(text, l, found->first.thread);
		oclmm_text_printf(text, ": %s%s\n", l->machine.undefined ? "" : "not understood: ",
		                  l->machine.message);
		oclmm_text_add(&message, l->machine.message);
		break;
	}
	answer->message = oclmm_text_keep(&message, l->arena);
}

static void print_waits(struct oclmm_text *text, const struct launch *l,
                        const struct oclmm_explored *found)
{
	for (unsigned i = 0; i < found->waiting_count; i++) {
		const struct oclmm_explored_place *p = &found->waiting[i];
		struct oclmm_kernel_line line = line_of(l, p->where);

		print_line(text, line);
		print_work_item(text, l, p->thread);
		oclmm_text_add(text, " waits, and nobody ends that\n");
	}
}

/* What is looked at of kernels whose relaxed reads may be early. */
static const char in_turn[] = "no read is earlier than the write that it reads";

/* The word for an ask that holds in all states that were found, or in none of them; and what was
 * not looked at. */
static const char *print_extent(const struct launch *l, const struct oclmm_explored *found,
                                bool all)
{
	const char *word = all ? "All" : "None";

	if (found->cut)
		return oclmm_arena_printf(l->arena, "%s within %u turns of the loop at %s", word,
		                          l->setup->unroll,
		                          name_line(l, line_of(l, found->cut_where)));
	if (found->early)
		return oclmm_arena_printf(l->arena, "%s where %s", word, in_turn);
	return all ? "Always" : "Never";
}

/* The word for an ask; where loops were cut, what was not found may be behind the bound. */
static void print_ask(struct oclmm_text *text, const struct launch *l,
                      const struct oclmm_explored *found, struct oclmm_kernel_answer *answer,
                      unsigned n)
{
	const struct oclmm_explored_state *example = NULL;
	bool holds;

	oclmm_text_printf(text, "Condition %s\n", l->setup->asks[n]);
	for (size_t i = 0; i < found->state_count && !example; i++)
		if (ask((struct launch *)(uintptr_t)l, l->setup->asks[n], found->states[i].values,
		        &holds) == 0 &&
		    holds)
			example = &found->states[i];
	if (!answer->holds[n] || !answer->fails[n])
		answer->observations[n] = print_extent(l, found, answer->holds[n] > 0);
	else
		answer->observations[n] = "Sometimes";
	oclmm_text_printf(text, "Observation %s %s", answer->name, answer->observations[n]);
	if (!strchr(answer->observations[n], ' '))
		oclmm_text_printf(text, " %u %u", answer->holds[n], answer->fails[n]);
	oclmm_text_add(text, "\n");
	if (example && answer->fails[n]) {
		oclmm_text_add(text, "An execution that ends so:\n");
		print_execution(text, l, example->last);
		answer->asked[n] = keep_execution(l, example->last);
	}
}

/* ---- the front
 * -------------------------------------------------------------------------------------- */

/* Seconds of a limit that are left; 0: there is none. */
static double time_left(double limit, double spent)
{
	const double least = 0.001; /* none at all would be no limit */

	if (limit <= 0)
		return 0;
	return limit - spent > least ? limit - spent : least;
}

static int explore(struct launch *l, double seconds, struct oclmm_explored **ret_found)
{
	struct machine *m = &l->machine;
	struct oclmm_explore_options options = {.legacy_device = l->setup->legacy_scope ==
	                                                         OCLMM_SCOPE_DEVICE,
	                                        .memory = l->setup->memory,
	                                        .ended = l->setup->ended,
	                                        .data = l->setup->data};
	double spent = 0;
	int r;

	for (;;) {
		struct oclmm_explored_source source;

		options.seconds = time_left(seconds, spent);
		oclmm_machine_source(m, &source);
		source.threads = l->threads;
		source.thread_count = l->thread_count;

		cut_cells(l);
		r = find_observed(l);
		if (r < 0)
			return r;
		source.cells = m->cells;
		source.cell_count = (uint32_t)m->cell_count;
		m->split = false;
		r = oclmm_explore(&source, &options, ret_found);
		spent += (*ret_found)->seconds;
		(*ret_found)->seconds = spent;
		if (!m->split && (*ret_found)->scopes_differ &&
		    (*ret_found)->fault == OCLMM_EXPLORED_SOUND && r == 0 && !options.wide_scopes) {
			/* what a text forbids because scopes differ, a later one may allow */
			options.wide_scopes = true;
		} else if (!m->split) {
			return r;
		}
		oclmm_explored_destroy(*ret_found);
	}
}

/* ---- repairs --------------------------------------------------------------------- */

/* Changes that are tried together, and what they are for. */
struct repair {
	struct change *items;
	size_t count, capacity;
	double left; /* seconds */
	/* nothing is undefined; besides, an ask holds never, or always */
	enum { GOAL_SOUND, GOAL_NEVER, GOAL_ALWAYS } goal;
	unsigned ask;
	/* the races are gone, and what is left is another fault, at a line */
	struct oclmm_kernel_line other_line;
};

static void add_change(struct repair *repair, struct change change)
{
	oclmm_grow(&repair->items, &repair->capacity, repair->count, sizeof(*repair->items));
	repair->items[repair->count++] = change;
}

static uint32_t constant_at(const struct module *m, const uint32_t *w, uint32_t n)
{
	uint32_t value = 0, id = n < w[0] >> 16 ? w[n] : 0;

	if (id < m->bound && m->ids[id].bytes)
		memcpy(&value, m->ids[id].bytes, sizeof(value));
	return value;
}

/* A call of atomic_compare_exchange_weak(), which was renamed for the compiler. */
static bool is_weak_exchange(const struct module *m, const uint32_t *w)
{
	const struct id *callee = (w[0] & 0xffff) == OP_FUNCTION_CALL ? &m->ids[w[3]] : NULL;

	return callee && callee->kind == ID_FUNCTION &&
	       strstr(m->functions[callee->number].name, "oclmm_weak_exchange");
}

/* Whether an instruction makes an atomic access, a fence or a barrier, and what order is the
 * strongest that it can have. */
static bool is_ordered(const struct module *m, uint32_t at, enum oclmm_order *ret_order)
{
	const uint32_t *w = m->words + m->code[at].word;
	uint16_t opcode = w[0] & 0xffff;
	const struct id *callee = opcode == OP_FUNCTION_CALL ? &m->ids[w[3]] : NULL;

	*ret_order = OCLMM_ORDER_ACQ_REL;
	if (opcode == OP_ATOMIC_LOAD)
		*ret_order = OCLMM_ORDER_ACQUIRE;
	if (opcode == OP_ATOMIC_STORE || opcode == OP_ATOMIC_FLAG_CLEAR)
		*ret_order = OCLMM_ORDER_RELEASE;
	if (callee && callee->kind == ID_FUNCTION)
		return is_legacy(m, at) || is_weak_exchange(m, w) ||
		       oclmm_machine_half_at(m, at) != OCLMM_BARRIER_WHOLE;
	return (opcode >= OP_ATOMIC_LOAD && opcode <= OP_ATOMIC_XOR) ||
	       opcode == OP_ATOMIC_FLAG_TEST_AND_SET || opcode == OP_ATOMIC_FLAG_CLEAR ||
	       opcode == OP_MEMORY_BARRIER || opcode == OP_CONTROL_BARRIER;
}

/* Of a call that is a half of a split barrier: the flags, or the scope, that it gives. */
static unsigned half_flags(const struct module *m, const uint32_t *w)
{
	return oclmm_machine_flags_numbered(constant_at(m, w, 4));
}

static enum oclmm_scope half_scope(const struct module *m, const uint32_t *w)
{
	return w[0] >> 16 > 5 ? oclmm_machine_scope_numbered(constant_at(m, w, 5))
	                      : OCLMM_SCOPE_WORK_GROUP;
}

/* All that can be ordered, as strongly as it goes; or by seq_cst. */
static void strengthen_all(const struct launch *l, struct repair *repair, bool seq_cst)
{
	for (uint32_t i = 0; i < l->module->code_count; i++) {
		enum oclmm_order order;

		if (!is_ordered(l->module, i, &order))
			continue;
		if (seq_cst)
			order = OCLMM_ORDER_SEQ_CST;
		add_change(repair, (struct change){.where = i, .order = order});
		add_change(repair, (struct change){.where = i, .scope = OCLMM_SCOPE_DEVICE});
		add_change(repair, (struct change){.where = i,
		                                   .flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL});
	}
}

static void merge_change(struct launch *l, struct change *merged, const struct change *c)
{
	struct change *to = &merged[c->where];

	to->order = c->order ? c->order : to->order;
	to->scope = c->scope ? c->scope : to->scope;
	to->flags |= c->flags;
	to->barrier |= c->barrier;
	to->atomic |= c->atomic;
	l->machine.change_at[c->where] = to;
	if (c->updates) {
		to->updates = true;
		to->op = c->op;
		to->operand = c->operand;
		merged[c->store].skipped = true;
		l->machine.change_at[c->store] = &merged[c->store];
	}
}

static bool leaves_writes(const struct launch *l);

/* Whether reads that are earlier than what they read could do more than was found. */
static bool may_be_early(const struct launch *l, const struct oclmm_explored *found)
{
	return found->early || (found->loose && leaves_writes(l));
}

static bool is_reached(struct launch *l, const struct repair *repair,
                       const struct oclmm_explored *found)
{
	bool holds, wanted = repair->goal == GOAL_ALWAYS;

	if (found->fault != OCLMM_EXPLORED_SOUND || found->waits)
		return false;
	if (repair->goal == GOAL_SOUND)
		return true;
	if (found->cut || found->state_count == 0 ||
	    (repair->goal == GOAL_ALWAYS && may_be_early(l, found)))
		return false;
	for (size_t i = 0; i < found->state_count; i++)
		if (ask(l, l->setup->asks[repair->ask], found->states[i].values, &holds) < 0 ||
		    holds != wanted)
			return false;
	return true;
}

/* Whether these changes do what they are for, without `count` of them from one on. */
static bool mends_without(struct launch *l, struct repair *repair, size_t from, size_t count,
                          struct oclmm_explored **ret_found)
{
	size_t code_count = l->module->code_count;
	struct change *merged = oclmm_calloc(code_count + 1, sizeof(*merged));
	struct oclmm_explored *found = NULL;
	bool reached;
	int r;

	for (size_t i = 0; i < repair->count; i++)
		if (i < from || i >= from + count)
			merge_change(l, merged, &repair->items[i]);
	r = explore(l, repair->left > 0.01 ? repair->left : 0.01, &found);
	reached = r == 0 && is_reached(l, repair, found);
	for (size_t i = 0; i < code_count; i++)
		l->machine.change_at[i] = NULL;
	free(merged);
	repair->left -= found ? found->seconds : 0;
	if (ret_found)
		*ret_found = found;
	else
		oclmm_explored_destroy(found);
	return reached;
}

static bool mends(struct launch *l, struct repair *repair, struct oclmm_explored **ret_found)
{
	return mends_without(l, repair, 0, 0, ret_found);
}

/* Leaves out all changes of scopes, of flags, of orders: of one alone, others may ask for the same.
 */
static void reduce_kinds(struct launch *l, struct repair *repair)
{
	for (unsigned kind = 0; kind < 3; kind++) {
		struct repair without = {.left = repair->left,
		                         .goal = repair->goal,
		                         .ask = repair->ask};

		for (size_t i = 0; i < repair->count; i++) {
			const struct change *c = &repair->items[i];
			bool drops = !c->barrier && !c->atomic && !c->updates &&
			             (kind == 0   ? c->scope != OCLMM_SCOPE_NONE
			              : kind == 1 ? c->flags != 0
			                          : c->order != OCLMM_ORDER_NONE);

			if (!drops)
				add_change(&without, *c);
		}
		if (without.count < repair->count && without.left > 0 && mends(l, &without, NULL)) {
			free(repair->items);
			*repair = without;
		} else {
			repair->left = without.left;
			free(without.items);
		}
	}
}

/* Leaves out what is not needed, many at a time first. */
static void reduce(struct launch *l, struct repair *repair)
{
	for (size_t many = (repair->count + 1) / 2; many > 0; many /= 2)
		for (size_t end = repair->count; end > 0 && repair->left > 0;) {
			size_t count = many < end ? many : end, from = end - count;

			if (mends_without(l, repair, from, count, NULL)) {
				memmove(&repair->items[from], &repair->items[end],
				        (repair->count - end) * sizeof(*repair->items));
				repair->count -= count;
			}
			end = from;
		}
}

/* Tries one of the values that a change may have instead. */
static bool try_instead(struct launch *l, struct repair *repair, size_t n, struct change instead)
{
	struct change before = repair->items[n];

	repair->items[n] = instead;
	if (repair->left > 0 && mends(l, repair, NULL))
		return true;
	repair->items[n] = before;
	return false;
}

static void weaken_order(struct launch *l, struct repair *repair, size_t n)
{
	static const enum oclmm_order weaker[] = {OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_RELEASE};
	struct change instead = repair->items[n];

	if (instead.order == OCLMM_ORDER_SEQ_CST) {
		is_ordered(l->module, instead.where, &instead.order);
		if (!try_instead(l, repair, n, instead))
			return;
	}
	for (size_t i = 0; i < 2 && repair->items[n].order == OCLMM_ORDER_ACQ_REL; i++) {
		instead = repair->items[n];
		instead.order = weaker[i];
		try_instead(l, repair, n, instead);
	}
}

/* Leaves the least of what is left: one order of two, one flag of two. */
static void weaken(struct launch *l, struct repair *repair)
{
	static const unsigned flags[] = {OCLMM_FLAG_GLOBAL, OCLMM_FLAG_LOCAL};

	for (size_t n = 0; n < repair->count; n++) {
		struct change instead = repair->items[n];

		if (instead.updates) {
			instead.order = OCLMM_ORDER_RELAXED;
			try_instead(l, repair, n, instead);
		}
		weaken_order(l, repair, n);
		for (size_t i = 0; i < 2; i++) {
			instead = repair->items[n];
			if (instead.flags != (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL))
				break;
			instead.flags = flags[i];
			try_instead(l, repair, n, instead);
		}
	}
}

static uint16_t opcode_at(const struct launch *l, uint32_t at)
{
	return l->module->words[l->module->code[at].word] & 0xffff;
}

static bool is_plain_access(const struct launch *l, uint32_t where)
{
	return opcode_at(l, where) == OP_LOAD || opcode_at(l, where) == OP_STORE;
}

/* ---- a read and a write that are one step ---- */

static bool same_block(const struct launch *l, uint32_t a, uint32_t b)
{
	const struct instruction *code = l->module->code;

	return code[a].function == code[b].function && code[a].block == code[b].block;
}

/* What gives an id its value, in front of an instruction in its block. */
static bool find_source(const struct launch *l, uint32_t at, uint32_t id, uint32_t *ret_at)
{
	for (uint32_t i = at; i-- > 0 && same_block(l, i, at);) {
		const uint32_t *w = l->module->words + l->module->code[i].word;

		switch (w[0] & 0xffff) {
		case OP_LOAD:
		case OP_ACCESS_CHAIN:
		case OP_IN_BOUNDS_ACCESS_CHAIN:
		case OP_PTR_ACCESS_CHAIN:
		case OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
		case OP_U_CONVERT:
		case OP_S_CONVERT:
		case OP_BITCAST:
		case OP_I_ADD:
		case OP_I_SUB:
		case OP_BITWISE_OR:
		case OP_BITWISE_XOR:
		case OP_BITWISE_AND:
			if (w[2] == id) {
				*ret_at = i;
				return true;
			}
		}
	}
	return false;
}

/* The same behind conversions. */
static bool find_converted(const struct launch *l, uint32_t at, uint32_t id, uint32_t *ret_at)
{
	while (find_source(l, at, id, ret_at)) {
		uint16_t opcode = opcode_at(l, *ret_at);

		if (opcode != OP_U_CONVERT && opcode != OP_S_CONVERT)
			return true;
		id = l->module->words[l->module->code[*ret_at].word + 3];
	}
	return false;
}

/* Whether two ids are of one value: the same, or computed in the same way. */
static bool is_same(const struct launch *l, uint32_t at, uint32_t a, uint32_t b)
{
	uint32_t from_a, from_b;
	const uint32_t *v, *w;

	if (a == b)
		return true;
	if (!find_source(l, at, a, &from_a) || !find_source(l, at, b, &from_b))
		return false;
	v = l->module->words + l->module->code[from_a].word;
	w = l->module->words + l->module->code[from_b].word;
	if (v[0] != w[0] || v[1] != w[1])
		return false;
	for (uint32_t i = 3; i < v[0] >> 16; i++)
		if ((v[0] & 0xffff) == OP_LOAD && i > 3)
			return true;
		else if (!is_same(l, at, v[i], w[i]))
			return false;
	return true;
}

/* `x += n`: a plain write of what a plain read of the same object gives with a number that is known
 * before the read. */
static bool find_update(const struct launch *l, uint32_t store, struct change *ret)
{
	static const struct {
		uint16_t opcode;
		enum oclmm_operation op;
	} operations[] = {
		{OP_I_ADD, OCLMM_OP_FETCH_ADD},       {OP_I_SUB, OCLMM_OP_FETCH_SUB},
		{OP_BITWISE_OR, OCLMM_OP_FETCH_OR},   {OP_BITWISE_XOR, OCLMM_OP_FETCH_XOR},
		{OP_BITWISE_AND, OCLMM_OP_FETCH_AND},
	};
	const uint32_t *w = l->module->words + l->module->code[store].word, *o;
	uint32_t at, load, of;

	if (!find_converted(l, store, w[2], &at))
		return false;
	o = l->module->words + l->module->code[at].word;
	for (size_t i = 0; i < OCLMM_COUNT(operations); i++)
		for (unsigned side = 0; side < 2; side++) {
			if ((o[0] & 0xffff) != operations[i].opcode ||
			    (side && operations[i].opcode == OP_I_SUB) ||
			    !find_converted(l, at, o[3 + side], &load) ||
			    opcode_at(l, load) != OP_LOAD ||
			    !is_same(l, store, w[1],
			             l->module->words[l->module->code[load].word + 3]) ||
			    (find_source(l, store, o[4 - side], &of) && of > load))
				continue;
			*ret = (struct change){.where = load,
			                       .order = OCLMM_ORDER_ACQ_REL,
			                       .updates = true,
			                       .store = store,
			                       .op = operations[i].op,
			                       .operand = o[4 - side]};
			return true;
		}
	return false;
}

/* The same of the read or the write of it. */
static bool find_update_at(const struct launch *l, uint32_t where, struct change *ret)
{
	for (uint32_t i = where; i < l->module->code_count && same_block(l, i, where); i++)
		if (opcode_at(l, i) == OP_STORE && find_update(l, i, ret) &&
		    (i == where || ret->where == where))
			return true;
	return false;
}

/* ---- what mends a race ---- */

static bool changes_access(const struct repair *repair, uint32_t where)
{
	for (size_t i = 0; i < repair->count; i++) {
		const struct change *c = &repair->items[i];

		if ((c->atomic || c->updates) &&
		    (c->where == where || (c->updates && c->store == where)))
			return true;
	}
	return false;
}

/* Makes the plain ones of two accesses that race atomic. \return whether there are any */
static bool make_atomic(const struct launch *l, struct repair *repair,
                        const struct oclmm_explored_place sides[2])
{
	enum oclmm_scope scope = l->machine.cells[sides[0].cell].region == OCLMM_SPACE_LOCAL
	                                 ? OCLMM_SCOPE_WORK_GROUP
	                                 : OCLMM_SCOPE_DEVICE;
	bool added = false;

	for (unsigned i = 0; i < 2; i++) {
		const struct oclmm_explored_place *p = &sides[i];
		struct change change = {.where = p->where,
		                        .order = p->writes ? OCLMM_ORDER_RELEASE
		                                           : OCLMM_ORDER_ACQUIRE,
		                        .scope = scope,
		                        .atomic = true};

		if (p->atomic || p->copies || !is_plain_access(l, p->where) ||
		    changes_access(repair, p->where))
			continue;
		if (find_update_at(l, p->where, &change))
			change.scope = scope;
		add_change(repair, change);
		added = true;
	}
	return added;
}

enum { BARRIER_PLACES = 4 };

/* In front of an access, and of the statements that decide whether it is made: there all come by.
 */
static unsigned find_barrier_places(const struct launch *l, uint32_t where,
                                    uint32_t places[BARRIER_PLACES])
{
	const struct instruction *code = l->module->code;
	unsigned count = 0;

	places[count++] = where;
	for (uint32_t i = where; i-- > 0 && code[i].function == code[where].function;) {
		uint32_t first = i;

		if (opcode_at(l, i) != OP_BRANCH_CONDITIONAL && opcode_at(l, i) != OP_SWITCH)
			continue;
		while (first > 0 && code[first - 1].block == code[i].block &&
		       code[first - 1].function == code[i].function &&
		       code[first - 1].line == code[i].line &&
		       code[first - 1].file == code[i].file && opcode_at(l, first - 1) != OP_PHI &&
		       opcode_at(l, first - 1) != OP_VARIABLE)
			first--;
		places[count++] = first;
		if (count == BARRIER_PLACES)
			break;
	}
	return count;
}

static bool same_race(const struct oclmm_explored *a, const struct oclmm_explored_place sides[2])
{
	return a->first.where == sides[0].where && a->second.where == sides[1].where;
}

/* Puts a barrier in front of one of two accesses of a group that race, so that these two do not.
 * \return whether there is such a place */
static bool put_barrier(struct launch *l, struct repair *repair,
                        const struct oclmm_explored_place sides[2])
{
	uint32_t places[2 * BARRIER_PLACES];
	unsigned count;
	size_t kept = SIZE_MAX;

	if (l->threads[sides[0].thread].group != l->threads[sides[1].thread].group)
		return false;
	count = find_barrier_places(l, sides[1].where, places);
	count += find_barrier_places(l, sides[0].where, places + count);
	for (unsigned i = 0; i < count && repair->left > 0; i++) {
		struct oclmm_explored *found = NULL;
		bool sound, other;

		add_change(repair,
		           (struct change){.where = places[i],
		                           .flags = 1u << l->machine.cells[sides[0].cell].region,
		                           .barrier = true});
		sound = mends(l, repair, &found);
		other = found &&
		        (found->fault == OCLMM_EXPLORED_FAULTED ||
		         (found->fault == OCLMM_EXPLORED_RACE && !same_race(found, sides)));
		oclmm_explored_destroy(found);
		if (sound)
			return true;
		if (other && kept == SIZE_MAX)
			kept = i;
		repair->count--;
	}
	if (kept == SIZE_MAX)
		return false;
	add_change(repair, (struct change){.where = places[kept],
	                                   .flags = 1u << l->machine.cells[sides[0].cell].region,
	                                   .barrier = true});
	return true;
}

/* Changes by which nothing is undefined: one race after the other, with all that can be ordered as
 * strong as it goes. */
static bool find_repair(struct launch *l, struct repair *repair, const struct oclmm_explored *race)
{
	enum { MOST = 10 };
	struct oclmm_explored_place sides[2] = {race->first, race->second};

	strengthen_all(l, repair, true);
	if (repair->count && mends(l, repair, NULL))
		return true;
	repair->count = 0;
	strengthen_all(l, repair, false);
	for (unsigned turn = 0; turn < MOST && repair->left > 0; turn++) {
		struct oclmm_explored *found = NULL;
		bool sound = mends(l, repair, &found), races;

		races = found && found->fault == OCLMM_EXPLORED_RACE;
		if (found && found->fault == OCLMM_EXPLORED_FAULTED)
			repair->other_line = line_of(l, l->machine.fault_where);
		if (races) {
			sides[0] = found->first;
			sides[1] = found->second;
		}
		oclmm_explored_destroy(found);
		if (sound)
			return true;
		if (!races || (!put_barrier(l, repair, sides) && !make_atomic(l, repair, sides)))
			return false;
	}
	return false;
}

/* What an instruction has now, for messages. */
static void print_now(struct oclmm_text *text, const struct launch *l, const struct change *c)
{
	const struct module *m = l->module;
	const uint32_t *w = m->words + m->code[c->where].word;
	uint16_t opcode = w[0] & 0xffff;
	bool stores = opcode == OP_ATOMIC_STORE || opcode == OP_ATOMIC_FLAG_CLEAR;

	if (is_weak_exchange(m, w)) {
		bool given = w[0] >> 16 > (c->order ? 7 : 9);
		uint32_t now = constant_at(m, w, c->order ? 7 : 9);

		oclmm_text_add(
			text,
			c->order ? oclmm_order_spelling(given ? oclmm_machine_order_numbered(now)
		                                              : OCLMM_ORDER_SEQ_CST)
				 : oclmm_scope_spelling(given ? oclmm_machine_scope_numbered(now)
		                                              : OCLMM_SCOPE_DEVICE));
		return;
	}
	if (oclmm_machine_half_at(m, c->where) != OCLMM_BARRIER_WHOLE) {
		oclmm_text_add(text, oclmm_scope_spelling(half_scope(m, w)));
		return;
	}
	if (opcode == OP_FUNCTION_CALL) {
		oclmm_text_add(text,
		               c->order ? "memory_order_relaxed, as functions of OpenCL 1.x are"
		                        : "memory_scope_work_group, as functions of OpenCL "
		                          "1.x are");
		return;
	}
	if (c->order)
		oclmm_text_add(text, oclmm_order_spelling(oclmm_machine_order(
					     constant_at(m, w,
		                                         opcode == OP_MEMORY_BARRIER ? 2
		                                         : stores                    ? 3
		                                                                     : 5))));
	else
		oclmm_text_add(text,
		               oclmm_scope_spelling(oclmm_machine_scope(
				       constant_at(m, w,
		                                   opcode == OP_MEMORY_BARRIER              ? 1
		                                   : opcode == OP_CONTROL_BARRIER || stores ? 2
		                                                                            : 4))));
}

static void print_flags(struct oclmm_text *text, unsigned flags)
{
	oclmm_text_add(text, flags == OCLMM_FLAG_GLOBAL  ? "CLK_GLOBAL_MEM_FENCE"
	                     : flags == OCLMM_FLAG_LOCAL ? "CLK_LOCAL_MEM_FENCE"
	                                                 : "CLK_GLOBAL_MEM_FENCE | "
	                                                   "CLK_LOCAL_MEM_FENCE");
}

static const char *update_word(enum oclmm_operation op)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD: return "atomic_fetch_add_explicit";
	case OCLMM_OP_FETCH_SUB: return "atomic_fetch_sub_explicit";
	case OCLMM_OP_FETCH_OR: return "atomic_fetch_or_explicit";
	case OCLMM_OP_FETCH_XOR: return "atomic_fetch_xor_explicit";
	default: return "atomic_fetch_and_explicit";
	}
}

static void print_change(struct oclmm_text *text, const struct launch *l, const struct change *c)
{
	struct oclmm_kernel_line line = line_of(l, c->where);

	oclmm_text_printf(text, "%s:%u: ", line.file, line.line);
	if (c->barrier) {
		oclmm_text_add(text, "barrier(");
		print_flags(text, c->flags);
		oclmm_text_add(text, ") in front of it");
	} else if (c->updates) {
		oclmm_text_printf(text, "%s with %s and %s in place of the plain read and write",
		                  update_word(c->op), oclmm_order_spelling(c->order),
		                  oclmm_scope_spelling(c->scope));
	} else if (c->atomic) {
		oclmm_text_printf(text, "an atomic %s with %s and %s in place of the plain one",
		                  c->order == OCLMM_ORDER_RELEASE ? "store" : "load",
		                  oclmm_order_spelling(c->order), oclmm_scope_spelling(c->scope));
	} else if (c->flags) {
		const uint32_t *w = l->module->words + l->module->code[c->where].word;
		bool fence = (w[0] & 0xffff) == OP_MEMORY_BARRIER;
		bool half = oclmm_machine_half_at(l->module, c->where) != OCLMM_BARRIER_WHOLE;
		unsigned now = half ? half_flags(l->module, w)
		                    : oclmm_machine_flags(constant_at(l->module, w, fence ? 2 : 3));

		oclmm_text_add(text, "the flags ");
		print_flags(text, c->flags | now);
	} else {
		oclmm_text_printf(text, "%s in place of ",
		                  c->order ? oclmm_order_spelling(c->order)
		                           : oclmm_scope_spelling(c->scope));
		print_now(text, l, c);
	}
}

static const char no_repair[] =
	"No order, scope or flag of what is there mends it, nor a barrier in "
	"front of one of the two, nor atomic accesses in their place.\n";
static const char if_a_lock[] =
	"If it is a lock, take it in one step, by atomic_exchange_explicit or "
	"atomic_compare_exchange_strong_explicit with memory_order_acquire, and give it back by "
	"atomic_store_explicit with memory_order_release: between a plain read and a plain write "
	"another work-item may come.\n";

static const char in_a_group[] =
	"Both work-items are of one group: between the two accesses a barrier(CLK_%s_MEM_FENCE) is "
	"missing, which has to stand where all work-items of the group come by. Where a statement "
	"reads and writes, read into a variable first, and write behind the barrier.\n";

static const char of_a_copy[] =
	"An asynchronous copy reads and writes until wait_group_events() returns: behind that "
	"alone what it brings may be read, and what it takes be overwritten. What it takes has "
	"to be written before all work-items of the group begin it, with a barrier between.\n";

/* A barrier that not all reach: the statement in front of it that sends them different ways. */
static void print_decision(struct oclmm_text *text, const struct launch *l,
                           const struct oclmm_explored *found)
{
	uint32_t where = found->first.where;

	for (uint32_t i = where; i-- > 0;) {
		if (l->module->code[i].function != l->module->code[where].function)
			return;
		if (opcode_at(l, i) != OP_BRANCH_CONDITIONAL && opcode_at(l, i) != OP_SWITCH)
			continue;
		oclmm_text_printf(
			text,
			"Who comes to it is decided in %s: put it where all work-items of "
			"the group come by.\n",
			name_line(l, line_of(l, i)));
		return;
	}
}

/* By line; of one line by instruction. */
static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->where > y->where) - (x->where < y->where);
}

static void print_changes(struct oclmm_text *text, struct launch *l, struct repair *repair,
                          struct oclmm_kernel_answer *answer)
{
	qsort(repair->items, repair->count, sizeof(*repair->items), compare_changes);
	answer->repairs = OCLMM_NEW_ARRAY(l->arena, const char *, repair->count + 1);
	answer->repair_count = 0;
	for (size_t i = 0; i < repair->count; i++) {
		struct oclmm_text change = {0};

		print_change(&change, l, &repair->items[i]);
		oclmm_text_printf(text, "%s\n", oclmm_text_string(&change));
		answer->repairs[answer->repair_count++] = oclmm_text_keep(&change, l->arena);
	}
}

/* What is asked, of the kernel with the changes. */
static void print_asks_then(struct oclmm_text *text, struct launch *l, struct repair *repair)
{
	struct oclmm_explored *found = NULL;
	bool holds;

	if (l->setup->ask_count && repair->left > 0 && mends(l, repair, &found)) {
		found->early = may_be_early(l, found);
		for (unsigned n = 0; n < l->setup->ask_count; n++) {
			unsigned counts[2] = {0};

			for (size_t i = 0; i < found->state_count; i++)
				if (ask(l, l->setup->asks[n], found->states[i].values, &holds) == 0)
					counts[holds]++;
			oclmm_text_printf(text, "Then %s: %s %u %u\n", l->setup->asks[n],
			                  counts[0] && counts[1]
			                          ? "Sometimes"
			                          : print_extent(l, found, counts[1] > 0),
			                  counts[1], counts[0]);
		}
	}
	oclmm_explored_destroy(found);
}

enum { REPAIR_SECONDS = 5 };

static struct repair begin_repair(const struct launch *l)
{
	double seconds = l->setup->seconds;

	return (struct repair){.left = seconds > 0 && seconds < REPAIR_SECONDS ? seconds
	                                                                       : REPAIR_SECONDS};
}

/* The smallest of the changes that mend a race, of those that are tried. */
static void print_repair(struct oclmm_text *text, struct launch *l,
                         const struct oclmm_explored *race, struct oclmm_kernel_answer *answer)
{
	struct repair repair = begin_repair(l);

	if (race->fault == OCLMM_EXPLORED_DIVERGED)
		print_decision(text, l, race);
	if (race->fault != OCLMM_EXPLORED_RACE)
		return;
	if (find_repair(l, &repair, race)) {
		reduce_kinds(l, &repair);
		reduce(l, &repair);
		weaken(l, &repair);
		oclmm_text_add(text, repair.count > 1 ? "It is mended by these changes together:\n"
		                                      : "It is mended by this change:\n");
		print_changes(text, l, &repair, answer);
		print_asks_then(text, l, &repair);
	} else if (race->first.copies || race->second.copies) {
		oclmm_text_add(text, of_a_copy);
	} else if (repair.other_line.line) {
		oclmm_text_printf(text,
		                  "Without it, %s is undefined: what mends the race is looked "
		                  "for where nothing else is.\n",
		                  name_line(l, repair.other_line));
	} else if (repair.left <= 0) {
		oclmm_text_printf(text, "No repair was found in %d seconds.\n", REPAIR_SECONDS);
	} else {
		oclmm_text_add(text, no_repair);
		if (l->threads[race->first.thread].group == l->threads[race->second.thread].group)
			oclmm_text_printf(text, in_a_group,
			                  l->machine.cells[race->first.cell].region ==
			                                  OCLMM_SPACE_LOCAL
			                          ? "LOCAL"
			                          : "GLOBAL");
		else if (!race->first.atomic && !race->second.atomic)
			oclmm_text_add(text, if_a_lock);
	}
	free(repair.items);
}

/* Of an outcome that some executions end in: orders, scopes and flags by which none does, or all
 * do. */
static void print_stronger(struct oclmm_text *text, struct launch *l, unsigned n,
                           struct oclmm_kernel_answer *answer)
{
	struct repair repair = begin_repair(l);
	struct oclmm_explored *early;
	bool found = false;

	repair.ask = n;
	for (unsigned goal = GOAL_NEVER; goal <= GOAL_ALWAYS && !found; goal++) {
		repair.goal = goal;
		repair.count = 0;
		strengthen_all(l, &repair, true);
		found = repair.count && repair.left > 0 && mends(l, &repair, NULL);
	}
	if (found) {
		reduce_kinds(l, &repair);
		reduce(l, &repair);
		weaken(l, &repair);
		early = NULL;
		mends(l, &repair, &early);
		oclmm_text_printf(text, "It is %s so%s%s%s with %s:\n",
		                  repair.goal == GOAL_NEVER ? "never" : "always",
		                  may_be_early(l, early) ? ", where " : "",
		                  may_be_early(l, early) ? in_turn : "",
		                  may_be_early(l, early) ? "," : "",
		                  repair.count > 1 ? "these changes together" : "this change");
		oclmm_explored_destroy(early);
		print_changes(text, l, &repair, answer);
	}
	free(repair.items);
}

/* ---- the answer -------------------------------------------------------------------- */

/* Whether an instruction writes to memory that others see, or calls what may. */
static bool may_write(const struct module *m, uint32_t at)
{
	const uint32_t *w = m->words + m->code[at].word;
	uint16_t opcode = w[0] & 0xffff;
	const struct id *pointer = w[0] >> 16 > 1 && w[1] < m->bound ? &m->ids[w[1]] : &m->ids[0];

	if (opcode == OP_STORE || opcode == OP_COPY_MEMORY || opcode == OP_COPY_MEMORY_SIZED)
		return oclmm_module_type(m, pointer->type)->class != CLASS_FUNCTION;
	return (opcode >= OP_ATOMIC_STORE && opcode <= OP_ATOMIC_XOR) ||
	       opcode == OP_ATOMIC_FLAG_TEST_AND_SET || opcode == OP_ATOMIC_FLAG_CLEAR ||
	       opcode == OP_FUNCTION_CALL;
}

/* A write that no execution reaches may be one that each of two reads would let happen. */
static bool leaves_writes(const struct launch *l)
{
	const struct module *m = l->module;

	for (size_t f = 0; f < m->function_count; f++) {
		size_t end = f + 1 < m->function_count ? m->functions[f + 1].first : m->code_count;
		bool entered = false;

		for (size_t i = m->functions[f].first; i < end; i++)
			entered = entered || l->machine.reached[i];
		for (size_t i = m->functions[f].first; i < end && entered; i++)
			if (!l->machine.reached[i] && may_write(m, (uint32_t)i))
				return true;
	}
	return false;
}

static void keep_states(struct launch *l, struct oclmm_kernel_answer *answer,
                        const struct oclmm_explored *found)
{
	struct oclmm_kernel_state *states = OCLMM_NEW_ARRAY(l->arena, struct oclmm_kernel_state,
	                                                    found->state_count + 1);

	for (size_t c = 0; c < l->machine.cell_count; c++)
		answer->value_count += l->machine.cells[c].observed;
	for (size_t i = 0; i < found->state_count; i++)
		states[i].values = oclmm_arena_copy(l->arena, found->states[i].values,
		                                    answer->value_count * sizeof(uint64_t));
	answer->states = states;
}

static const char *name_limit(const struct launch *l, int result)
{
	enum { MEGABYTE = 1 << 20 };

	if (result != -ETIME)
		return oclmm_arena_printf(l->arena, "the limit of memory, %zu MiB, was reached",
		                          l->setup->memory / MEGABYTE);
	if (l->setup->ended && l->setup->ended(l->setup->data) != 0)
		return "it was interrupted";
	return oclmm_arena_printf(l->arena, "the time limit of %g s of processor time was reached",
	                          l->setup->seconds);
}

static int answer_for(struct launch *l, struct oclmm_kernel_answer *answer)
{
	struct oclmm_explored *found = NULL;
	struct oclmm_text text = {0};
	int r = explore(l, l->setup->seconds, &found);
	bool holds;

	if (r == -EINVAL || !found)
		return r;
	answer->name = l->machine.kernel->name;
	found->early = may_be_early(l, found);
	answer->visited = found->visited;
	answer->state_count = found->state_count;
	answer->waits = found->waits;
	answer->cut = found->cut;
	answer->early = found->early;
	answer->turns = l->setup->unroll;
	if (found->cut)
		answer->cut_line = line_of(l, found->cut_where);
	if (found->fault != OCLMM_EXPLORED_SOUND) {
		answer->verdict = found->fault == OCLMM_EXPLORED_FAULTED && !l->machine.undefined
		                          ? OCLMM_KERNEL_UNREAD
		                          : OCLMM_KERNEL_UNDEFINED;
		print_fault(&text, l, found, answer);
		answer->execution = keep_execution(l, found->last);
		for (unsigned n = 0; n < l->setup->ask_count; n++)
			answer->observations[n] = "Undefined";
		if (found->fault == OCLMM_EXPLORED_RACE) {
			answer->sides[0] = keep_place(l, &found->second);
			answer->sides[1] = keep_place(l, &found->first);
		}
		if (answer->verdict == OCLMM_KERNEL_UNDEFINED)
			oclmm_text_printf(&text, "Observation %s Undefined 0 0\n", answer->name);
		if (answer->verdict == OCLMM_KERNEL_UNDEFINED && l->setup->explain) {
			oclmm_text_add(&text, "How it comes to it:\n");
			print_execution(&text, l, found->last);
			print_repair(&text, l, found, answer);
		}
	} else if (r < 0) {
		answer->verdict = OCLMM_KERNEL_UNFINISHED;
		answer->message = name_limit(l, r);
		oclmm_text_printf(
			&text, "%s: %s: nothing found in %llu states, then %s%s\n", l->path,
			answer->name, (unsigned long long)found->visited, answer->message,
			l->setup->unroll ? ""
					 : "; fewer work-items, or a bound of loops, `--unroll 2`, "
					   "leave less to look at");
	} else {
		r = 0;
		for (unsigned n = 0; n < l->setup->ask_count && r == 0; n++)
			for (size_t i = 0; i < found->state_count && r == 0; i++) {
				r = ask(l, l->setup->asks[n], found->states[i].values, &holds);
				*(holds ? &answer->holds[n] : &answer->fails[n]) += 1;
			}
		if (r < 0) {
			oclmm_explored_destroy(found);
			return r;
		}
		if (found->waits) {
			print_waits(&text, l, found);
			keep_waiting(l, found, answer);
			answer->execution = keep_execution(l, found->last);
		}
		if (l->setup->ask_count == 0)
			oclmm_text_printf(&text, "%s: no undefined behaviour%s%s\n", answer->name,
			                  found->cut     ? " within the bound of its loops"
			                  : found->early ? " where "
			                                 : "",
			                  found->early && !found->cut ? in_turn : "");
		for (unsigned n = 0; n < l->setup->ask_count; n++) {
			print_ask(&text, l, found, answer, n);
			if (l->setup->explain && answer->holds[n] && answer->fails[n])
				print_stronger(&text, l, n, answer);
		}
	}
	answer->text = oclmm_text_keep(&text, l->arena);
	keep_states(l, answer, found);
	oclmm_explored_destroy(found);
	return 0;
}

/* What the host of a device has to know. */
static void describe_launch(const struct launch *l, struct oclmm_kernel_launch *launch)
{
	const struct machine *m = &l->machine;

	launch->parameters = l->parameters;
	launch->parameter_count = m->kernel->parameter_count;
	launch->dimensions = oclmm_machine_dimensions(m);
	for (unsigned i = 0; i < 3; i++) {
		launch->global[i] = m->dimensions[i];
		launch->local[i] = m->local[i];
		launch->offset[i] = l->setup->offset[i];
	}
	if (m->sub_groups)
		launch->sub_group = l->setup->sub_group ? l->setup->sub_group : m->group_size;
	for (size_t i = 0; i < l->module->variable_count; i++) {
		const struct variable *v = &l->module->variables[i];

		if (v->builtin == NO_BUILTIN && v->class == CLASS_CROSS_WORKGROUP)
			launch->kept = v->name;
	}
}

static void finish(struct launch *l)
{
	free(l->machine.objects);
	free(l->machine.cells);
	free(l->machine.object_of);
	free(l->machine.offset_of);
	if (l->module) {
		free(l->module->code);
		free(l->module->entries);
		free(l->module->functions);
		free(l->module->variables);
		free(l->module->pointing);
	}
}

int oclmm_kernel_check(const char *path, const void *module, size_t length,
                       const struct oclmm_kernel_setup *setup, struct oclmm_error *error,
                       struct oclmm_kernel_answer **ret_answer)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct answered *answered = OCLMM_NEW(arena, struct answered);
	struct oclmm_kernel_answer *answer = &answered->answer;
	struct launch *l = &answered->launch;
	double start = oclmm_clock();
	int r;

	*l = (struct launch){.arena = arena, .path = path, .setup = setup, .error = error};
	r = oclmm_module_read(arena, l->path, module, length, error, &l->module);
	answer->arena = arena;
	l->machine.module = l->module;
	l->machine.setup = setup;
	l->machine.unroll = setup->unroll;
	if (r == 0) {
		l->machine.reached = OCLMM_NEW_ARRAY(arena, bool, l->module->code_count + 1);
		l->machine.change_at = OCLMM_NEW_ARRAY(arena, const struct change *,
		                                       l->module->code_count + 1);
	}
	if (r == 0)
		r = find_kernel(l);
	if (r == 0)
		r = make_range(l);
	if (r == 0) {
		make_variables(l);
		make_pointers(l);
		r = make_arguments(l);
	}
	l->source = setup->source ? without_comments(arena, setup->source) : NULL;
	for (size_t i = 0; i < l->machine.object_count && r == 0; i++) {
		struct object *o = &l->machine.objects[i];

		o->named = o->leaf && o->leaf->size && name_members(l, o->leaf);
		mark_boundaries(l, o);
	}
	if (r == 0)
		r = answer_for(l, answer);
	answer->seconds = oclmm_clock() - start;
	if (r == 0)
		describe_launch(l, &answer->launch);
	l->error = NULL;
	if (r == 0) {
		*ret_answer = answer;
	} else {
		finish(l);
		oclmm_arena_destroy(arena);
	}
	return r;
}

void oclmm_kernel_answer_destroy(struct oclmm_kernel_answer *answer)
{
	if (!answer)
		return;
	finish(&((struct answered *)answer)->launch);
	oclmm_arena_destroy(answer->arena);
}

/* ---- states of a device -------------------------------------------------------------- */

static const struct launch *launch_of(const struct oclmm_kernel_answer *answer)
{
	return &((const struct answered *)answer)->launch;
}

/* The parameter whose buffer holds an object; UINT32_MAX: none does. */
static uint32_t parameter_of(const struct launch *l, uint32_t object)
{
	for (uint32_t n = 0; n < l->machine.kernel->parameter_count; n++)
		if (l->parameter_object[n] == object &&
		    l->parameters[n].kind == OCLMM_KERNEL_BUFFER)
			return n;
	return UINT32_MAX;
}

const char *oclmm_kernel_unseen(const struct oclmm_kernel_answer *answer)
{
	const struct launch *l = launch_of(answer);
	const struct machine *m = &l->machine;

	for (size_t c = 0; c < m->cell_count; c++)
		if (m->cells[c].observed && parameter_of(l, m->object_of[c]) == UINT32_MAX)
			return m->objects[m->object_of[c]].name;
	return NULL;
}

struct oclmm_kernel_place oclmm_kernel_place(const struct oclmm_kernel_answer *answer,
                                             unsigned value)
{
	const struct launch *l = launch_of(answer);
	const struct machine *m = &l->machine;
	size_t c = 0;

	for (unsigned before = 0;; c++) {
		if (m->cells[c].observed && before++ == value)
			break;
	}
	return (struct oclmm_kernel_place){.parameter = parameter_of(l, m->object_of[c]),
	                                   .offset = m->offset_of[c],
	                                   .size = m->cells[c].size};
}

bool oclmm_kernel_holds(const struct oclmm_kernel_answer *answer, unsigned ask_number,
                        const uint64_t *values)
{
	const struct launch *l = launch_of(answer);
	struct oclmm_error ignored;
	struct launch asked = *l;
	bool holds = false;

	asked.error = &ignored;
	return ask(&asked, l->setup->asks[ask_number], values, &holds) == 0 && holds;
}

void oclmm_kernel_print_state(struct oclmm_text *text, const struct oclmm_kernel_answer *answer,
                              const uint64_t *values)
{
	const struct launch *l = launch_of(answer);
	bool first = true;

	for (uint32_t c = 0; c < l->machine.cell_count; c++) {
		if (!l->machine.cells[c].observed)
			continue;
		oclmm_text_add(text, first ? "" : " ");
		print_cell(text, l, c);
		oclmm_text_add(text, "=");
		print_value(text, l, c, *values);
		oclmm_text_add(text, ";");
		first = false;
		values++;
	}
}

/* ---- a launch as a test ---------------------------------------------------------------- */

/* The numbers that an object is made of, where all are of one size and stand side by side: their
 * bytes; else 0. */
static unsigned even_bytes(const struct launch *l, const struct object *o)
{
	struct leaves leaves = {0};
	unsigned bytes = 0;

	find_leaves(l->module, o->leaf, 0, &leaves);
	if (leaves.count)
		bytes = leaves.items[0].type->size;
	for (size_t i = 0; i < leaves.count; i++)
		if (leaves.items[i].type->size != bytes)
			bytes = 0;
	if (bytes * leaves.count != o->leaf->size)
		bytes = 0;
	free(leaves.items);
	return bytes;
}

static enum oclmm_type type_of_bytes(unsigned bytes)
{
	return bytes == 1   ? OCLMM_TYPE_CHAR
	       : bytes == 2 ? OCLMM_TYPE_SHORT
	       : bytes == 4 ? OCLMM_TYPE_INT
	                    : OCLMM_TYPE_LONG;
}

static void fill_location(const struct launch *l, uint32_t n, struct oclmm_location *location)
{
	const struct oclmm_kernel_parameter *p = &l->parameters[n];
	const struct object *o = &l->machine.objects[l->parameter_object[n]];
	unsigned bytes = even_bytes(l, o);

	bytes = bytes ? bytes : 1;
	*location = (struct oclmm_location){
		.name = p->name,
		.type = type_of_bytes(bytes),
		.space = o->region,
		.storage = p->kind == OCLMM_KERNEL_LOCAL ? OCLMM_STORAGE_LOCAL
	                                                 : OCLMM_STORAGE_BUFFER,
		.elements = o->size / bytes,
		.is_array = o->size / bytes != 1,
	};
	location->initial = OCLMM_NEW_ARRAY(l->arena, int64_t, location->elements);
	for (uint32_t i = 0; p->bytes && i < location->elements; i++) {
		int64_t bits = 0;

		memcpy(&bits, (const char *)p->bytes + (size_t)i * bytes, bytes);
		location->initial[i] = oclmm_value_wrap(location->type, bits);
	}
}

static void fill_observables(const struct launch *l, const uint32_t *location_of,
                             struct oclmm_program *program)
{
	const struct machine *m = &l->machine;

	program->observables = OCLMM_NEW_ARRAY(l->arena, struct oclmm_observable,
	                                       m->cell_count + 1);
	for (uint32_t c = 0; c < m->cell_count; c++) {
		struct oclmm_observable *o = &program->observables[program->observable_count];
		uint32_t parameter;
		struct oclmm_text name = {0};

		if (!m->cells[c].observed)
			continue;
		parameter = parameter_of(l, m->object_of[c]);
		print_cell(&name, l, c);
		o->name = oclmm_text_keep(&name, l->arena);
		o->type = type_of_bytes(m->cells[c].size);
		if (parameter != UINT32_MAX) {
			o->location = location_of[parameter];
			o->element = m->offset_of[c] /
			             (oclmm_type_bits(program->locations[o->location].type) / 8);
		}
		program->observable_count++;
	}
}

static struct oclmm_condition *end_is(struct oclmm_arena *arena,
                                      const struct oclmm_program *program, const int64_t *end)
{
	struct oclmm_condition *all = OCLMM_NEW(arena, struct oclmm_condition);

	for (uint32_t i = 0; i < program->observable_count; i++) {
		struct oclmm_condition *one = OCLMM_NEW(arena, struct oclmm_condition), *both;

		*one = (struct oclmm_condition){.kind = OCLMM_CONDITION_COMPARE,
		                                .op = OCLMM_OPERATOR_EQ,
		                                .a = {.observable = i},
		                                .b = {.is_constant = true, .constant = end[i]}};
		both = OCLMM_NEW(arena, struct oclmm_condition);
		*both = (struct oclmm_condition){.kind = OCLMM_CONDITION_AND,
		                                 .left = all,
		                                 .right = one};
		all = i ? both : one;
	}
	return all;
}

/* Halved again and again, so that it is not deep. */
static struct oclmm_condition *some_end(struct oclmm_arena *arena,
                                        const struct oclmm_program *program,
                                        const int64_t *const *ends, size_t count)
{
	struct oclmm_condition *either, *left, *right;

	if (count == 1)
		return end_is(arena, program, ends[0]);
	left = some_end(arena, program, ends, count / 2);
	right = some_end(arena, program, ends + count / 2, count - count / 2);
	either = OCLMM_NEW(arena, struct oclmm_condition);
	*either =
		(struct oclmm_condition){.kind = OCLMM_CONDITION_OR, .left = left, .right = right};
	return either;
}

/* Whether some ask holds in an end, by observable. */
static bool is_asked(const struct oclmm_kernel_answer *answer, const int64_t *end)
{
	const struct launch *l = launch_of(answer);
	uint64_t *values = oclmm_calloc(answer->value_count + 1, sizeof(*values));
	uint32_t at = 0;
	bool holds = false;

	for (uint32_t c = 0; c < l->machine.cell_count; c++) {
		unsigned bits = 8u * l->machine.cells[c].size;

		if (!l->machine.cells[c].observed)
			continue;
		values[at] = (uint64_t)end[at] << (64 - bits) >> (64 - bits);
		at++;
	}
	for (unsigned n = 0; n < l->setup->ask_count && !holds; n++)
		holds = oclmm_kernel_holds(answer, n, values);
	free(values);
	return holds;
}

static int compare_ends(const void *a, const void *b, void *width)
{
	const int64_t *const *x = a, *const *y = b;

	return oclmm_compare_values(*x, *y, *(const uint32_t *)width);
}

/* Sorts them. Returns how many differ. */
static size_t leave_out_twins(const int64_t **ends, size_t count, uint32_t width)
{
	size_t kept = 0;

	qsort_r(ends, count, sizeof(*ends), compare_ends, &width);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || oclmm_compare_values(ends[kept - 1], ends[i], width) != 0)
			ends[kept++] = ends[i];
	return kept;
}

struct oclmm_condition *oclmm_kernel_condition(const struct oclmm_kernel_answer *answer,
                                               const struct oclmm_program *program,
                                               const int64_t *const *ends, size_t end_count)
{
	struct oclmm_arena *arena = answer->arena;
	const int64_t **asked = oclmm_calloc(answer->state_count + end_count + 1, sizeof(*asked));
	struct oclmm_condition *condition = OCLMM_NEW(arena, struct oclmm_condition);
	size_t count = 0;

	for (size_t i = 0; i < answer->state_count; i++) {
		int64_t *end = OCLMM_NEW_ARRAY(arena, int64_t, answer->value_count + 1);

		oclmm_kernel_observed(answer, answer->states[i].values, end);
		if (is_asked(answer, end))
			asked[count++] = end;
	}
	for (size_t i = 0; i < end_count; i++)
		if (is_asked(answer, ends[i]))
			asked[count++] = ends[i];
	count = leave_out_twins(asked, count, program->observable_count);
	condition->kind = OCLMM_CONDITION_TRUE;
	if (count) {
		condition = some_end(arena, program, asked, count);
	} else {
		struct oclmm_condition *never = OCLMM_NEW(arena, struct oclmm_condition);

		*never = (struct oclmm_condition){.kind = OCLMM_CONDITION_NOT, .left = condition};
		condition = never;
	}
	free(asked);
	return condition;
}

void oclmm_kernel_observed(const struct oclmm_kernel_answer *answer, const uint64_t *values,
                           int64_t *ret_values)
{
	const struct machine *m = &launch_of(answer)->machine;

	for (uint32_t c = 0; c < m->cell_count; c++) {
		if (!m->cells[c].observed)
			continue;
		*ret_values++ = oclmm_value_wrap(type_of_bytes(m->cells[c].size),
		                                 (int64_t)*values++);
	}
}

struct oclmm_program *oclmm_kernel_program(const struct oclmm_kernel_answer *answer)
{
	const struct launch *l = launch_of(answer);
	uint32_t count = l->machine.kernel->parameter_count, pointers = 0;
	uint32_t *location_of = OCLMM_NEW_ARRAY(l->arena, uint32_t, count + 1);
	struct oclmm_program *program = OCLMM_NEW(l->arena, struct oclmm_program);
	struct oclmm_parameter *parameters = OCLMM_NEW_ARRAY(l->arena, struct oclmm_parameter,
	                                                     count + 1);

	*program = (struct oclmm_program){.name = answer->name, .file = l->path};
	program->locations = OCLMM_NEW_ARRAY(l->arena, struct oclmm_location, count + 1);
	for (uint32_t n = 0; n < count; n++) {
		if (l->parameters[n].kind == OCLMM_KERNEL_SCALAR)
			continue;
		location_of[n] = program->location_count;
		fill_location(l, n, &program->locations[program->location_count]);
		program->locations[program->location_count].first_cell = program->cell_count;
		program->cell_count += program->locations[program->location_count].elements;
		parameters[pointers++] = (struct oclmm_parameter){
			.location = program->location_count,
			.type = program->locations[program->location_count].type};
		program->location_count++;
	}
	program->threads = OCLMM_NEW_ARRAY(l->arena, struct oclmm_thread, l->thread_count);
	program->thread_count = l->thread_count;
	for (uint32_t t = 0; t < l->thread_count; t++)
		program->threads[t] =
			(struct oclmm_thread){.id = t,
		                              .placement = {.sub_group_given = true,
		                                            .work_group = l->threads[t].group,
		                                            .sub_group = l->threads[t].sub_group},
		                              .parameters = parameters,
		                              .parameter_count = pointers};
	fill_observables(l, location_of, program);
	program->quantifier = OCLMM_QUANTIFIER_EXISTS;
	program->condition = oclmm_kernel_condition(answer, program, NULL, 0);
	return program;
}

/* Why a launch has no layout, or NULL. */
static const char *no_layout(const struct oclmm_kernel_answer *answer)
{
	const struct launch *l = launch_of(answer);
	const char *unseen = oclmm_kernel_unseen(answer);

	if (l->thread_count > OCLMM_MAX_THREADS)
		return oclmm_arena_printf(l->arena, "%u work-items, more than %d", l->thread_count,
		                          OCLMM_MAX_THREADS);
	if (unseen)
		return oclmm_arena_printf(l->arena, "an end of %s, which is in no buffer", unseen);
	for (uint32_t n = 0; n < l->machine.kernel->parameter_count; n++)
		if (l->parameters[n].kind == OCLMM_KERNEL_SCALAR && l->machine.values[n].bytes)
			return oclmm_arena_printf(l->arena,
			                          "the parameter %s, a vector or a structure",
			                          l->parameters[n].name);
	return NULL;
}

/* Where the cells of objects become those of a program. */
struct laying {
	const struct launch *launch;
	struct oclmm_program *program;
	struct oclmm_kernel_number *numbers;
	uint32_t *location_of; /* by cell */
	uint32_t blocks;
};

/* The cells of an object, as a block. Returns its number. */
static uint32_t lay_object(struct laying *laying, uint32_t object)
{
	const struct launch *l = laying->launch;
	const struct machine *m = &l->machine;
	struct oclmm_program *program = laying->program;

	for (uint32_t c = 0; c < m->cell_count; c++) {
		struct oclmm_location *to = &program->locations[program->location_count];
		struct oclmm_text name = {0};

		if (m->object_of[c] != object)
			continue;
		print_cell(&name, l, c);
		*to = (struct oclmm_location){
			.name = oclmm_text_keep(&name, l->arena),
			.type = type_of_bytes(m->cells[c].size),
			.space = m->objects[object].region,
			.storage = m->objects[object].region == OCLMM_SPACE_LOCAL
		                           ? OCLMM_STORAGE_LOCAL
		                           : OCLMM_STORAGE_BUFFER,
			.elements = 1,
			.first_cell = program->cell_count++,
			.initial = OCLMM_NEW(l->arena, int64_t),
		};
		to->initial[0] = oclmm_value_wrap(to->type, (int64_t)m->cells[c].initial);
		laying->numbers[program->location_count] =
			(struct oclmm_kernel_number){laying->blocks, m->offset_of[c]};
		laying->location_of[c] = program->location_count++;
	}
	return laying->blocks++;
}

const struct oclmm_kernel_layout *oclmm_kernel_layout(const struct oclmm_kernel_answer *answer,
                                                      const char **ret_why)
{
	const struct launch *l = launch_of(answer);
	const struct module *module = l->module;
	const struct machine *m = &l->machine;
	struct oclmm_kernel_layout *layout = OCLMM_NEW(l->arena, struct oclmm_kernel_layout);
	struct oclmm_kernel_variable *variables =
		OCLMM_NEW_ARRAY(l->arena, struct oclmm_kernel_variable, module->variable_count + 1);
	uint32_t count = m->kernel->parameter_count;
	uint32_t *parameters = OCLMM_NEW_ARRAY(l->arena, uint32_t, count + 1);
	struct laying laying = {
		.launch = l,
		.program = oclmm_kernel_program(answer),
		.numbers = OCLMM_NEW_ARRAY(l->arena, struct oclmm_kernel_number, m->cell_count + 1),
		.location_of = OCLMM_NEW_ARRAY(l->arena, uint32_t, m->cell_count + 1)};
	struct oclmm_observable *observable;

	*ret_why = no_layout(answer);
	if (*ret_why)
		return NULL;
	laying.program->location_count = laying.program->cell_count = 0;
	laying.program->locations = OCLMM_NEW_ARRAY(l->arena, struct oclmm_location,
	                                            m->cell_count + 1);
	for (uint32_t n = 0; n < count; n++)
		parameters[n] = l->parameters[n].kind == OCLMM_KERNEL_SCALAR
		                        ? UINT32_MAX
		                        : lay_object(&laying, l->parameter_object[n]);
	for (size_t i = 0; i < module->variable_count; i++) {
		const struct variable *v = &module->variables[i];
		bool local = v->class == CLASS_WORKGROUP;

		if (v->builtin != NO_BUILTIN || (!local && v->class != CLASS_CROSS_WORKGROUP))
			continue;
		variables[layout->variable_count++] = (struct oclmm_kernel_variable){
			v->name, lay_object(&laying, local ? m->local_of[i * m->group_count]
		                                           : m->object_of_variable[i])};
	}
	observable = laying.program->observables;
	for (uint32_t c = 0; c < m->cell_count; c++) {
		if (!m->cells[c].observed)
			continue;
		observable->location = laying.location_of[c];
		observable->element = 0;
		observable++;
	}
	layout->program = laying.program;
	layout->numbers = laying.numbers;
	layout->parameters = parameters;
	layout->variables = variables;
	return layout;
}

void oclmm_kernel_numbers(const struct oclmm_kernel_answer *answer, unsigned work_item,
                          uint32_t ret_numbers[OCLMM_KERNEL_NUMBERS])
{
	const struct machine *m = &launch_of(answer)->machine;

	for (unsigned i = 0; i < OCLMM_KERNEL_NUMBERS; i++) {
		uint64_t value = 0;

		oclmm_machine_builtin(m, work_item, OCLMM_KERNEL_FIRST_NUMBER + i / 3, i % 3,
		                      &value);
		ret_numbers[i] = (uint32_t)value;
	}
}
