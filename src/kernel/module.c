// SPDX-License-Identifier: Apache-2.0
/* Reads a module of SPIR-V: types with their layouts, constants, variables, functions with the
 * lines of their instructions. What an instruction means is machine.c's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "opcodes.h"

enum { MAGIC = 0x07230203, HEAD = 5, BOUND_MOST = 0x3fffff };
enum { SIZE_MOST = 1 << 20 };

struct reading {
	struct module *m;
	struct oclmm_error *error;
	size_t at;
	uint32_t length;
	uint32_t file, line, column;
	uint32_t function; /* 1 + number of the one at hand; 0: outside */
	uint32_t block;
	uint32_t frame;
};

static int refuse(const struct reading *r, const char *what)
{
	return oclmm_error_set(r->error, -EINVAL, "SPIR-V that is not understood: %s, word %zu",
	                       what, r->at);
}

static uint32_t word(const struct reading *r, uint32_t n)
{
	return n < r->length ? r->m->words[r->at + n] : 0;
}

static struct id *id_of(const struct reading *r, uint32_t n)
{
	uint32_t id = word(r, n);

	return id < r->m->bound ? &r->m->ids[id] : &r->m->ids[0];
}

static const char *string_at(const struct reading *r, uint32_t n)
{
	const char *begin = (const char *)(r->m->words + r->at + n);

	if (n >= r->length)
		return "";
	return oclmm_arena_strndup(r->m->arena, begin,
	                           strnlen(begin, (r->length - n) * sizeof(uint32_t)));
}

const struct type *oclmm_module_type(const struct module *m, uint32_t id)
{
	static const struct type none;

	return id < m->bound && m->ids[id].is ? m->ids[id].is : &none;
}

/* ---- types ------------------------------------------------------------------ */

static uint32_t up_to(uint32_t n, uint32_t align)
{
	return align ? (n + align - 1) / align * align : n;
}

static void lay_out_struct(struct module *m, struct type *t)
{
	uint32_t size = 0, align = 1;

	t->offsets = OCLMM_NEW_ARRAY(m->arena, uint32_t, t->count + 1);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct type *member = oclmm_module_type(m, t->members[i]);
		uint32_t own = t->packed ? 1 : member->align;

		size = up_to(size, own);
		t->offsets[i] = size;
		size += member->size;
		align = own > align ? own : align;
	}
	t->size = up_to(size, align);
	t->align = align;
}

static int take_type(struct reading *r, uint16_t opcode)
{
	struct module *m = r->m;
	struct id *id = id_of(r, 1);
	struct type *t = OCLMM_NEW(m->arena, struct type);
	const struct type *of;

	id->kind = ID_TYPE;
	id->is = t;
	switch (opcode) {
	case OP_TYPE_VOID: t->kind = TYPE_VOID; break;
	case OP_TYPE_BOOL:
		t->kind = TYPE_BOOL;
		t->bits = 8;
		t->size = t->align = 1;
		break;
	case OP_TYPE_INT:
	case OP_TYPE_FLOAT:
		t->kind = opcode == OP_TYPE_INT ? TYPE_INT : TYPE_FLOAT;
		t->bits = word(r, 2);
		t->size = t->align = t->bits / 8;
		if (t->bits != 8 && t->bits != 16 && t->bits != 32 && t->bits != 64)
			return refuse(r, "a number of that width");
		break;
	case OP_TYPE_VECTOR:
		t->kind = TYPE_VECTOR;
		t->of = word(r, 2);
		t->count = word(r, 3);
		of = oclmm_module_type(m, t->of);
		t->size = t->align = of->size * (t->count == 3 ? 4 : t->count);
		break;
	case OP_TYPE_ARRAY: {
		const struct id *length = id_of(r, 3);
		uint64_t count = 0;

		t->kind = TYPE_ARRAY;
		t->of = word(r, 2);
		of = oclmm_module_type(m, t->of);
		if (length->bytes)
			memcpy(&count, length->bytes, oclmm_module_type(m, length->type)->size);
		if (count * of->size > SIZE_MOST)
			return refuse(r, "an array of more than a million bytes");
		t->count = (uint32_t)count;
		t->size = t->count * of->size;
		t->align = of->align;
		break;
	}
	case OP_TYPE_STRUCT:
		t->kind = TYPE_STRUCT;
		t->name = id->name;
		t->count = r->length - 2;
		t->members = m->words + r->at + 2;
		t->packed = id->packed;
		lay_out_struct(m, t);
		break;
	case OP_TYPE_POINTER:
		t->kind = TYPE_POINTER;
		t->class = word(r, 2);
		t->of = word(r, 3);
		t->size = t->align = 8;
		t->bits = 64;
		break;
	case OP_TYPE_FUNCTION:
		t->kind = TYPE_FUNCTION;
		t->of = word(r, 2);
		break;
	case OP_TYPE_EVENT:
		t->kind = TYPE_EVENT;
		t->size = t->align = 8;
		t->bits = 64;
		break;
	default:
		t->kind = TYPE_OTHER;
		t->size = t->align = 8;
		t->bits = 64;
		break;
	}
	return 0;
}

/* ---- constants ----------------------------------------------------------------- */

/* NOLINTNEXTLINE(readability-non-const-parameter): what is there is changed later on */
static void add_pointing(struct module *m, uint8_t *at, uint32_t variable)
{
	oclmm_grow(&m->pointing, &m->pointing_capacity, m->pointing_count, sizeof(*m->pointing));
	m->pointing[m->pointing_count++] = (struct pointing){at, variable};
}

/* What a constant's bytes are made of, put into others: pointers among them stay pointers. */
static void put_constant(struct module *m, const struct id *id, uint8_t *bytes)
{
	uint32_t size = oclmm_module_type(m, id->type)->size;

	if (id->kind == ID_VARIABLE) {
		add_pointing(m, bytes, id->number);
		return;
	}
	if (!id->bytes)
		return;
	memcpy(bytes, id->bytes, size);
	for (size_t i = 0, count = m->pointing_count; i < count; i++)
		if (m->pointing[i].at >= id->bytes && m->pointing[i].at < id->bytes + size)
			add_pointing(m, bytes + (m->pointing[i].at - id->bytes),
			             m->pointing[i].variable);
}

static void take_composite(struct reading *r, const struct type *t, uint8_t *bytes)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i + 3 < r->length; i++) {
		const struct id *part = id_of(r, i + 3);
		const struct type *of = oclmm_module_type(r->m, part->type);

		if (t->kind == TYPE_STRUCT && i < t->count)
			at = t->offsets[i];
		if (at + of->size <= t->size)
			put_constant(r->m, part, bytes + at);
		at += of->size;
	}
}

static uint64_t number_at(const struct module *m, const struct id *id)
{
	const struct type *t = oclmm_module_type(m, id->type);
	uint64_t value = 0;

	if (id->bytes)
		memcpy(&value, id->bytes, t->size < 8 ? t->size : 8);
	return value;
}

static int64_t signed_at(const struct module *m, const struct id *id)
{
	unsigned unused = 64 - oclmm_module_type(m, id->type)->bits;

	return (int64_t)(number_at(m, id) << (unused & 63)) >> (unused & 63);
}

/* How far behind a pointer its element of element stands. \return whether that is known */
static bool find_element(const struct reading *r, bool first_is_element, uint64_t *value)
{
	const struct module *m = r->m;
	const struct type *t = oclmm_module_type(m, oclmm_module_type(m, id_of(r, 4)->type)->of);

	for (uint32_t i = 5; i < r->length; i++) {
		const struct id *operand = id_of(r, i);
		int64_t index = signed_at(m, operand);

		if (operand->kind != ID_CONSTANT)
			return false;
		if (i == 5 && first_is_element) {
			*value += (uint64_t)index * t->size;
		} else if (t->kind == TYPE_STRUCT) {
			if (index < 0 || (uint64_t)index >= t->count)
				return false;
			*value += t->offsets[index];
			t = oclmm_module_type(m, t->members[index]);
		} else {
			t = oclmm_module_type(m, t->of);
			*value += (uint64_t)index * t->size;
		}
	}
	return true;
}

/* A constant that is computed from others: pointers into variables, mostly. Of what is not known it
 * stays no value, which whoever uses it is told. */
static void take_computed(struct reading *r)
{
	struct module *m = r->m;
	struct id *id = id_of(r, 2), *from = id_of(r, 4);
	const struct type *t = oclmm_module_type(m, word(r, 1));
	uint32_t from_size = oclmm_module_type(m, from->type)->size;
	uint8_t *bytes = oclmm_arena_alloc(m->arena,
	                                   (t->size > from_size ? t->size : from_size) + 16);
	uint16_t opcode = (uint16_t)word(r, 3);
	uint64_t value, second = r->length > 5 ? number_at(m, id_of(r, 5)) : 0;
	bool as_it_is = opcode == OP_BITCAST || opcode == OP_COPY_OBJECT;

	if (from->kind != ID_CONSTANT && from->kind != ID_VARIABLE)
		return;
	/* numbers of a vector are computed one by one, which is not done here */
	if (!as_it_is && (t->kind == TYPE_VECTOR || t->size > sizeof(value)))
		return;
	put_constant(m, from, bytes);
	memcpy(&value, bytes, 8);
	switch (opcode) {
	case OP_BITCAST:
	case OP_COPY_OBJECT:
	case OP_CONVERT_PTR_TO_U:
	case OP_CONVERT_U_TO_PTR:
	case OP_PTR_CAST_TO_GENERIC:
	case OP_GENERIC_CAST_TO_PTR:
	case OP_U_CONVERT: break;
	case OP_S_CONVERT: value = (uint64_t)signed_at(m, from); break;
	case OP_I_ADD: value += second; break;
	case OP_I_SUB: value -= second; break;
	case OP_ACCESS_CHAIN:
	case OP_IN_BOUNDS_ACCESS_CHAIN:
	case OP_PTR_ACCESS_CHAIN:
	case OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
		if (!find_element(r,
		                  opcode == OP_PTR_ACCESS_CHAIN ||
		                          opcode == OP_IN_BOUNDS_PTR_ACCESS_CHAIN,
		                  &value))
			return;
		break;
	default: return;
	}
	if (!as_it_is)
		memcpy(bytes, &value, t->size);
	id->kind = ID_CONSTANT;
	id->type = word(r, 1);
	id->bytes = bytes;
}

static int take_constant(struct reading *r, uint16_t opcode)
{
	struct id *id = id_of(r, 2);
	const struct type *t = oclmm_module_type(r->m, word(r, 1));
	uint8_t *bytes = oclmm_arena_alloc(r->m->arena, t->size + 16);

	id->kind = ID_CONSTANT;
	id->type = word(r, 1);
	id->bytes = bytes;
	switch (opcode) {
	case OP_CONSTANT_TRUE: bytes[0] = 1; break;
	case OP_CONSTANT: {
		uint64_t value = word(r, 3);

		if (r->length > 4)
			value |= (uint64_t)word(r, 4) << 32;
		memcpy(bytes, &value, t->size < 8 ? t->size : 8);
		break;
	}
	case OP_CONSTANT_COMPOSITE: take_composite(r, t, bytes); break;
	default: break; /* false, null, undefined */
	}
	return 0;
}

static int take_variable(struct reading *r)
{
	struct module *m = r->m;
	struct id *id = id_of(r, 2);
	const struct type *pointer = oclmm_module_type(m, word(r, 1));
	struct variable *v;

	id->type = word(r, 1);
	if (r->function) {
		const struct type *t = oclmm_module_type(m, pointer->of);

		id->kind = ID_VALUE;
		id->slot = r->frame;
		r->frame += 8;
		r->frame = up_to(r->frame, 16);
		id->storage = r->frame;
		r->frame = up_to(r->frame + t->size, 8);
		return 0;
	}
	id->kind = ID_VARIABLE;
	id->number = (uint32_t)m->variable_count;
	oclmm_grow(&m->variables, &m->variable_capacity, m->variable_count, sizeof(*m->variables));
	v = &m->variables[m->variable_count++];
	*v = (struct variable){.id = word(r, 2),
	                       .type = word(r, 1),
	                       .class = word(r, 3),
	                       .name = id->name ? id->name : "",
	                       .builtin = id->builtin};
	if (r->length > 4) {
		uint8_t *initial = oclmm_arena_alloc(m->arena,
		                                     oclmm_module_type(m, pointer->of)->size + 16);

		put_constant(m, id_of(r, 4), initial);
		v->initial = initial;
	}
	return 0;
}

/* ---- functions --------------------------------------------------------------------- */

static int begin_function(struct reading *r)
{
	struct module *m = r->m;
	struct id *id = id_of(r, 2);
	struct function *f;

	oclmm_grow(&m->functions, &m->function_capacity, m->function_count, sizeof(*m->functions));
	f = &m->functions[m->function_count];
	*f = (struct function){.id = word(r, 2),
	                       .type = word(r, 1),
	                       .name = id->linkage ? id->linkage
	                               : id->name  ? id->name
	                                           : "",
	                       .first = (uint32_t)m->code_count};
	f->parameters = OCLMM_NEW_ARRAY(m->arena, uint32_t, 256);
	id->kind = ID_FUNCTION;
	id->type = word(r, 1);
	id->number = (uint32_t)m->function_count++;
	r->function = (uint32_t)m->function_count;
	r->frame = sizeof(struct frame_head);
	return 0;
}

static void give_slot(struct reading *r, struct id *id, uint32_t type)
{
	uint32_t size = oclmm_module_type(r->m, type)->size;

	if (id->kind == ID_VALUE || id == &r->m->ids[0])
		return;
	id->kind = ID_VALUE;
	id->type = type;
	id->slot = r->frame;
	r->frame = up_to(r->frame + (size ? size : 8), 8);
}

/* Instructions without a result, of those that stand in functions. */
static bool has_result(uint16_t opcode)
{
	switch (opcode) {
	case OP_STORE:
	case OP_COPY_MEMORY:
	case OP_COPY_MEMORY_SIZED:
	case OP_ATOMIC_STORE:
	case OP_ATOMIC_FLAG_CLEAR:
	case OP_CONTROL_BARRIER:
	case OP_MEMORY_BARRIER:
	case OP_LOOP_MERGE:
	case OP_SELECTION_MERGE:
	case OP_BRANCH:
	case OP_BRANCH_CONDITIONAL:
	case OP_SWITCH:
	case OP_RETURN:
	case OP_RETURN_VALUE:
	case OP_UNREACHABLE:
	case OP_LIFETIME_START:
	case OP_LIFETIME_STOP:
	case OP_GROUP_WAIT_EVENTS:
	case OP_KILL: return false;
	default: return true;
	}
}

static int take_instruction(struct reading *r, uint16_t opcode)
{
	struct module *m = r->m;

	if (opcode == OP_LABEL) {
		struct id *label = id_of(r, 1);

		label->kind = ID_LABEL;
		label->number = (uint32_t)m->code_count;
		r->block = word(r, 1);
		m->functions[r->function - 1].has_body = true;
		return 0;
	}
	if (opcode == OP_VARIABLE) {
		int result = take_variable(r);

		if (result < 0)
			return result;
	} else if (has_result(opcode) && r->length > 2) {
		give_slot(r, id_of(r, 2), word(r, 1));
	}
	oclmm_grow(&m->code, &m->code_capacity, m->code_count, sizeof(*m->code));
	m->code[m->code_count++] = (struct instruction){.word = (uint32_t)r->at,
	                                                .file = r->file,
	                                                .line = r->line,
	                                                .column = r->column,
	                                                .function = r->function - 1,
	                                                .block = r->block};
	return 0;
}

static int take_parameter(struct reading *r)
{
	struct function *f = &r->m->functions[r->function - 1];

	if (f->parameter_count == 256)
		return refuse(r, "a function of more than 256 parameters");
	give_slot(r, id_of(r, 2), word(r, 1));
	f->parameters[f->parameter_count++] = word(r, 2);
	return 0;
}

static void take_decoration(struct reading *r)
{
	enum {
		PACKED = 10,
		BUILTIN = 11,
		SATURATED = 28,
		PARAMETER = 38,
		ROUNDING = 39,
		LINKAGE = 41,
		NO_SIGNED_WRAP = 4469
	};
	enum { BY_VALUE = 2 };
	struct id *id = id_of(r, 1);

	if (word(r, 2) == PACKED)
		id->packed = true;
	else if (word(r, 2) == SATURATED)
		id->saturated = true;
	else if (word(r, 2) == PARAMETER && word(r, 3) == BY_VALUE)
		id->by_value = true;
	else if (word(r, 2) == NO_SIGNED_WRAP)
		id->no_wrap = true;
	else if (word(r, 2) == ROUNDING)
		id->rounding = (enum rounding)(ROUND_EVEN + (word(r, 3) & 3));
	else if (word(r, 2) == BUILTIN)
		id->builtin = word(r, 3);
	else if (word(r, 2) == LINKAGE)
		id->linkage = string_at(r, 3);
}

/* What a group of decorations says holds for all that are named. */
static void take_decorated(struct reading *r)
{
	const struct id *group = id_of(r, 1);

	for (uint32_t i = 2; i < r->length; i++) {
		struct id *id = id_of(r, i);

		id->packed |= group->packed;
		id->saturated |= group->saturated;
		id->by_value |= group->by_value;
		id->no_wrap |= group->no_wrap;
		if (group->rounding != ROUND_NOT_SAID)
			id->rounding = group->rounding;
		if (group->builtin != NO_BUILTIN)
			id->builtin = group->builtin;
		if (group->linkage)
			id->linkage = group->linkage;
	}
}

static int take(struct reading *r, uint16_t opcode)
{
	switch (opcode) {
	case OP_EXT_INST_IMPORT: {
		struct id *id = id_of(r, 1);

		id->kind = ID_SET;
		id->standard = strcmp(string_at(r, 2), "OpenCL.std") == 0;
		return 0;
	}
	case OP_NAME: id_of(r, 1)->name = string_at(r, 2); return 0;
	case OP_STRING:
		if (word(r, 1) < r->m->bound)
			r->m->strings[word(r, 1)] = string_at(r, 2);
		return 0;
	case OP_ENTRY_POINT:
		oclmm_grow(&r->m->entries, &r->m->entry_capacity, r->m->entry_count,
		           sizeof(*r->m->entries));
		r->m->entries[r->m->entry_count++] = string_at(r, 3);
		return 0;
	case OP_DECORATE: take_decoration(r); return 0;
	case OP_GROUP_DECORATE: take_decorated(r); return 0;
	case OP_LINE:
		r->file = word(r, 1) < r->m->bound ? word(r, 1) : 0;
		r->line = word(r, 2);
		r->column = word(r, 3);
		return 0;
	case OP_NO_LINE: r->file = r->line = r->column = 0; return 0;
	case OP_FUNCTION: return begin_function(r);
	case OP_FUNCTION_PARAMETER: return r->function ? take_parameter(r) : 0;
	case OP_FUNCTION_END:
		if (r->function)
			r->m->functions[r->function - 1].frame = up_to(r->frame, 16);
		r->function = 0;
		return 0;
	case OP_CONSTANT_TRUE:
	case OP_CONSTANT_FALSE:
	case OP_CONSTANT:
	case OP_CONSTANT_COMPOSITE:
	case OP_CONSTANT_NULL:
	case OP_UNDEF: return take_constant(r, opcode);
	case OP_SPEC_CONSTANT_OP: take_computed(r); return 0;
	case OP_VARIABLE: return r->function ? take_instruction(r, opcode) : take_variable(r);
	default: break;
	}
	if (opcode >= OP_TYPE_VOID && opcode <= OP_TYPE_PIPE)
		return take_type(r, opcode);
	return r->function ? take_instruction(r, opcode) : 0;
}

/* ---- what lives no longer than its block ----------------------------------------------- */

/* How many words of an instruction may be ids: alignments and indices behind them are numbers. */
static uint32_t ids_of(const uint32_t *w)
{
	uint32_t length = w[0] >> 16, most = length;

	switch (w[0] & 0xffff) {
	case OP_STORE: most = 3; break;
	case OP_LOAD:
	case OP_COMPOSITE_EXTRACT: most = 4; break;
	case OP_COMPOSITE_INSERT:
	case OP_VECTOR_SHUFFLE: most = 5; break;
	default: break;
	}
	return length < most ? length : most;
}

/* A value that all its uses find in the block that makes it is gone behind the last of them, so
 * that states do not differ in what nobody looks at. */
static void find_last_uses(struct module *m)
{
	uint32_t *made = oclmm_calloc(m->bound, sizeof(*made)); /* 1 + instruction */
	bool *stays = oclmm_calloc(m->bound, sizeof(*stays));

	for (size_t i = 0; i < m->code_count; i++) {
		const uint32_t *w = m->words + m->code[i].word;
		uint16_t opcode = w[0] & 0xffff;

		if (opcode != OP_VARIABLE && has_result(opcode) && w[0] >> 16 > 2 &&
		    w[2] < m->bound)
			made[w[2]] = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < m->code_count; i++) {
		const uint32_t *w = m->words + m->code[i].word;
		uint16_t opcode = w[0] & 0xffff;

		for (uint32_t k = 1; k < ids_of(w); k++) {
			uint32_t id = w[k];

			if (id >= m->bound || !made[id] || (k == 2 && made[id] == i + 1))
				continue;
			if (opcode == OP_PHI || made[id] > i + 1 ||
			    m->code[made[id] - 1].block != m->code[i].block)
				stays[id] = true;
			else
				m->ids[id].last_use = (uint32_t)i;
		}
	}
	for (uint32_t id = 0; id < m->bound; id++) {
		if (made[id] && !m->ids[id].last_use)
			m->ids[id].last_use = made[id] - 1;
		if (stays[id] || !made[id])
			m->ids[id].last_use = 0;
	}
	free(made);
	free(stays);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* How many bytes stand in front of a path in the name of a file; SIZE_MAX: it is another file. */
static size_t folder_of(const char *name, const char *path)
{
	size_t length = strlen(name), end;

	while (strncmp(path, "./", 2) == 0)
		path += 2;
	end = strlen(path);
	if (length < end || (length > end && name[length - end - 1] != '/'))
		return SIZE_MAX;
	/* oclmm_kernel_name_lines() has no end of a line in a name */
	for (size_t i = 0; i < end; i++)
		if (name[length - end + i] != (path[i] == '\n' ? '?' : path[i]))
			return SIZE_MAX;
	return length - end;
}

/* The compiler gives whole paths: of those that end like the kernel's its own is the one in front
 * of which there is least. */
static void find_own_file(struct module *m, const char *path)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < m->code_count; i++) {
		const char *name = m->strings[m->code[i].file];
		size_t folder = name ? folder_of(name, path) : SIZE_MAX;

		if (folder < least) {
			least = folder;
			m->own = name;
			m->folder = folder;
		}
	}
}

const char *oclmm_module_file(const struct module *m, const struct instruction *code)
{
	const char *name = m->strings[code->file];

	if (!name || (m->own && strcmp(name, m->own) == 0))
		return NULL;
	if (m->own && strncmp(name, m->own, m->folder) == 0)
		name += m->folder;
	return strncmp(name, "./", 2) == 0 ? name + 2 : name;
}

/* ---- the front ----------------------------------------------------------------------------- */

int oclmm_module_read(struct oclmm_arena *arena, const char *path, const void *bytes, size_t length,
                      struct oclmm_error *error, struct module **ret_module)
{
	struct module *m = OCLMM_NEW(arena, struct module);
	struct reading r = {.m = m, .error = error, .at = HEAD};
	int result = 0;

	m->arena = arena;
	m->count = length / sizeof(uint32_t);
	m->words = oclmm_arena_copy(arena, bytes, m->count * sizeof(uint32_t));
	if (m->count < HEAD || m->words[0] != MAGIC)
		return refuse(&r, "no module");
	m->bound = m->words[3];
	if (m->bound == 0 || m->bound > BOUND_MOST)
		return refuse(&r, "its ids have no bound, or one beyond what SPIR-V allows");
	m->ids = OCLMM_NEW_ARRAY(arena, struct id, m->bound);
	m->strings = OCLMM_NEW_ARRAY(arena, const char *, m->bound);
	for (uint32_t i = 0; i < m->bound; i++)
		m->ids[i].builtin = NO_BUILTIN;
	while (result == 0 && r.at < m->count) {
		r.length = m->words[r.at] >> 16;
		if (r.length == 0 || r.length > m->count - r.at)
			result = refuse(&r, "an instruction that ends where none can");
		else
			result = take(&r, m->words[r.at] & 0xffff);
		r.at += r.length;
	}
	if (result == 0) {
		find_last_uses(m);
		find_own_file(m, path);
	}
	*ret_module = m;
	return result;
}
