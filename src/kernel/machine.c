// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a work-item, instruction by instruction, from one atomic access or barrier to the next.
 *
 * A work-item's state is a stack of frames. A frame holds the values of its function and its
 * variables; a pointer into it is an offset into the state. So two states whose bytes are the same
 * go on in the same way.
 *
 * Numbers of floating point are computed as long as each result is exact, which no compiler may
 * change. One that is not becomes a mark, which goes on into what is computed from it. A branch, an
 * index or an integer that comes of a mark is not understood.
 */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/base_wide.h"
#include "opcodes.h"

/* More instructions than these between two accesses are taken for a loop without an end. */
enum { INSTRUCTIONS_MOST = 4000000 };

enum { PENDING_RESULT = 1, PENDING_BARRIER };

struct run {
	struct machine *m;
	struct oclmm_explorer *x;
	unsigned thread;
	struct oclmm_thread_bytes *state;
	struct oclmm_explored_step *step;
	const uint32_t *w; /* the instruction at hand */
	uint32_t length, at;
	bool over; /* there is a step, or the search stops */
	uint64_t scratch[8];
	unsigned next_scratch;
	uint64_t writes; /* so far, to shared memory */
	uint8_t *old;    /* the state at an earlier turn */
	size_t old_size;
	uint64_t old_writes, turns, next_turn;
	uint32_t stored; /* the value that is being written, or 0 */
	bool moves;      /* what is read may be undefined: it is only put elsewhere */
};

/* ---- faults ---- */

static void fault(struct run *r, bool undefined, const char *message)
{
	if (r->over)
		return;
	r->over = true;
	r->m->undefined = undefined;
	snprintf(r->m->message, sizeof(r->m->message), "%s", message);
	r->m->fault_where = r->at;
	r->step->kind = OCLMM_EXPLORED_FAULT;
	r->step->where = r->at;
}

/* The name of an instruction. */
static void name_opcode(uint32_t opcode, const char *what, char *message, size_t size)
{
	static const struct {
		uint32_t number;
		const char *name;
	} names[] = {
#define OCLMM_X(name, word, number) {number, word},
		OPCODES(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(word, number) {number, word},
			OPCODES_REFUSED(OCLMM_X)
#undef OCLMM_X
	};

	snprintf(message, size, "instruction number %u of SPIR-V", opcode);
	for (size_t i = 0; i < OCLMM_COUNT(names); i++)
		if (names[i].number == opcode)
			snprintf(message, size, "%s%s%s", names[i].name, *what ? ": " : "", what);
}

static void misunderstand(struct run *r, const char *what)
{
	char message[200];

	name_opcode(r->w[0] & 0xffff, what, message, sizeof(message));
	fault(r, false, message);
}

/* Functions of a sub-group that need not be reached by all of it. */
static bool is_non_uniform(uint16_t opcode)
{
	return (opcode >= OP_LANES_ELECT && opcode <= OP_LANES_INVERSE_BALLOT) ||
	       (opcode >= OP_LANES_SHUFFLE && opcode <= OP_LANES_LOGICAL_XOR);
}

/* ---- values ---- */

static struct machine_head *head_of(const struct run *r)
{
	return (void *)r->state->bytes;
}

static struct frame_head *frame_of(const struct run *r)
{
	return (void *)(r->state->bytes + head_of(r)->frame);
}

static const struct type *type_of(const struct run *r, uint32_t id)
{
	const struct module *m = r->m->module;

	return oclmm_module_type(m, id < m->bound ? m->ids[id].type : 0);
}

static uint64_t pointer_to(uint64_t object)
{
	return ((object + 1) << OFFSET_BITS) + OFFSET_BEGIN;
}

/* From the beginning of what a pointer points into. */
static int64_t offset_of(uint64_t pointer)
{
	return (int64_t)(pointer & ((UINT64_C(1) << OFFSET_BITS) - 1)) - (int64_t)OFFSET_BEGIN;
}

static uint32_t group_of(const struct run *r)
{
	return r->m->placed[r->thread].group;
}

/* The pointer to a variable that stands outside of functions: local memory is its group's. */
static uint64_t variable_pointer(const struct run *r, const struct id *id)
{
	const struct machine *m = r->m;
	uint32_t object = m->module->variables[id->number].class == CLASS_WORKGROUP
	                          ? m->local_of[id->number * m->group_count + group_of(r)]
	                          : m->object_of_variable[id->number];

	return pointer_to(object);
}

/* The bytes of a value. */
static const uint8_t *value_of(struct run *r, uint32_t id)
{
	static const uint8_t nothing[256];
	const struct module *m = r->m->module;
	const struct id *i = id < m->bound ? &m->ids[id] : &m->ids[0];
	uint64_t *scratch;

	switch (i->kind) {
	case ID_CONSTANT: return i->bytes;
	case ID_VALUE: return (const uint8_t *)frame_of(r) + i->slot;
	case ID_VARIABLE:
		scratch = &r->scratch[r->next_scratch++ % OCLMM_COUNT(r->scratch)];
		*scratch = variable_pointer(r, i);
		return (const uint8_t *)scratch;
	default: misunderstand(r, "an operand that is no value"); return nothing;
	}
}

static const struct type *component_type(const struct run *r, const struct type *t)
{
	return t->kind == TYPE_VECTOR ? oclmm_module_type(r->m->module, t->of) : t;
}

static unsigned components(const struct type *t)
{
	return t->kind == TYPE_VECTOR ? t->count : 1;
}

static uint64_t load_bits(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size < 8 ? size : 8);
	return value;
}

static uint64_t component(struct run *r, uint32_t id, unsigned n)
{
	const struct type *of = component_type(r, type_of(r, id));

	return load_bits(value_of(r, id) + (size_t)n * of->size, of->size);
}

static uint64_t scalar(struct run *r, uint32_t id)
{
	return component(r, id, 0);
}

static int64_t extended(uint64_t value, unsigned bits)
{
	return bits == 0 || bits >= 64 ? (int64_t)value
	                               : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static struct oclmm_wide widened(uint64_t value, unsigned bits, bool is_signed)
{
	return is_signed ? oclmm_wide_of_signed(extended(value, bits))
	                 : oclmm_wide_of_unsigned(value);
}

static uint8_t *result_of(const struct run *r)
{
	const struct module *m = r->m->module;
	const struct id *i = &m->ids[r->w[2] < m->bound ? r->w[2] : 0];

	return (uint8_t *)frame_of(r) + i->slot;
}

static const struct type *result_type(const struct run *r)
{
	return oclmm_module_type(r->m->module, r->w[1]);
}

static void set_component(const struct run *r, unsigned n, uint64_t value)
{
	const struct type *of = component_type(r, result_type(r));

	memcpy(result_of(r) + (size_t)n * of->size, &value, of->size);
}

/* ---- turns of loops ---- */

/* Of a loop with atomic accesses more are not told apart: states of one that waits would go on for
 * ever. */
enum { TURNS_MOST = 64 };

/* Who meets: the turns of a loop are counted for each. */
enum { UNIT_GROUP, UNIT_SUB_GROUP, UNITS };

static uint32_t frame_size(const struct machine *m, const struct function *f)
{
	size_t next = (size_t)(f - m->module->functions) + 1;
	uint32_t end = next < m->module->function_count ? m->module->functions[next].first
	                                                : (uint32_t)m->module->code_count;

	return f->frame + (m->unroll ? (uint32_t)sizeof(uint32_t) * (end - f->first) : 0) +
	       (m->turnings ? (uint32_t)sizeof(uint32_t) * UNITS * m->turnings[next - 1].count : 0);
}

/* Of the loops of a frame's function, for each unit, behind its variables and the turns that have a
 * bound. */
static uint32_t *turns_of(const struct run *r, const struct frame_head *f)
{
	const struct machine *m = r->m;
	const struct function *function = &m->module->functions[f->function];
	uint32_t size = frame_size(m, function) -
	                (uint32_t)sizeof(uint32_t) * UNITS * m->turnings[f->function].count;

	return (void *)((uint8_t *)(uintptr_t)f + size);
}

/* ---- undefined values ---- */

/*
 * A shuffle may take its value from a work-item that there is not. That value is undefined, which
 * matters to nobody who does not look at it: prefix sums take it and throw it away. So it may be
 * put elsewhere, and what else is made of it is not understood.
 *
 * What a clock says may be anything, too (cl_khr_kernel_clock). Kernels compute with it and store
 * the result, which does not matter either: 0 is stored, and whoever would look at it is refused.
 */

/* A clock of cl_khr_kernel_clock, by the name that oclmm_kernel_source() gives it. */
static bool is_clock_call(const char *name)
{
	return strstr(name, "oclmm_clock_");
}

static bool is_clock_at(const struct module *m, uint32_t at)
{
	const uint32_t *w = m->words + m->code[at].word;

	return (w[0] & 0xffff) == OP_FUNCTION_CALL && w[3] < m->bound &&
	       m->ids[w[3]].kind == ID_FUNCTION &&
	       is_clock_call(m->functions[m->ids[w[3]].number].name);
}

enum { UNKNOWNS_AT = 16 };

static struct unknowns *unknowns_of(const struct run *r)
{
	return r->m->lanes ? (void *)(r->state->bytes + UNKNOWNS_AT) : NULL;
}

/* The first undefined part of the bytes at an offset into the state, or NULL. */
static const struct unknown *unknown_at(const struct run *r, uint64_t at, uint64_t size)
{
	const struct unknowns *u = unknowns_of(r);

	for (uint32_t i = 0; u && i < u->count; i++)
		if (u->parts[i].at < at + size && at < u->parts[i].at + u->parts[i].size)
			return &u->parts[i];
	return NULL;
}

static uint32_t slot_at(const struct run *r, uint32_t id)
{
	return head_of(r)->frame + r->m->module->ids[id].slot;
}

static const struct unknown *unknown_value(const struct run *r, uint32_t id)
{
	const struct module *m = r->m->module;

	if (!r->m->lanes || id >= m->bound || m->ids[id].kind != ID_VALUE)
		return NULL;
	return unknown_at(r, slot_at(r, id), type_of(r, id)->size);
}

static void add_unknown(struct run *r, uint32_t at, uint32_t size, uint32_t where)
{
	struct unknowns *u = unknowns_of(r);

	if (u->count == UNKNOWN_MOST)
		misunderstand(r, "more than 24 undefined values of a work-item at a time");
	else if (size)
		u->parts[u->count++] = (struct unknown){at, size, where};
}

/* What is written there is defined, or is said to be undefined afterwards. */
static void forget_unknown(struct run *r, uint32_t at, uint32_t size)
{
	const struct unknown *found;

	while (!r->over && (found = unknown_at(r, at, size))) {
		struct unknowns *u = unknowns_of(r);
		struct unknown old = *found;
		uint32_t n = (uint32_t)(found - u->parts), end = old.at + old.size;

		u->count--;
		memmove(u->parts + n, u->parts + n + 1, (u->count - n) * sizeof(old));
		memset(u->parts + u->count, 0, sizeof(old));
		if (old.at < at)
			add_unknown(r, old.at, at - old.at, old.where);
		if (end > at + size)
			add_unknown(r, at + size, end - at - size, old.where);
	}
}

/* Something was put there that is undefined where `of` is not NULL. */
static void put_unknown(struct run *r, const struct unknown *of, uint32_t at, uint32_t size)
{
	uint32_t where = of ? of->where : 0;

	forget_unknown(r, at, size);
	if (of)
		add_unknown(r, at, size, where);
}

enum { LINE_NAME = 56 };

/* `line 4`, or `line 4 of help.h`. */
static const char *line_name(const struct module *m, uint32_t where, char name[LINE_NAME])
{
	const struct instruction *code = &m->code[where];
	const char *file = oclmm_module_file(m, code), *slash = file ? strrchr(file, '/') : NULL;

	if (file)
		snprintf(name, LINE_NAME, "line %u of %s", code->line, slash ? slash + 1 : file);
	else
		snprintf(name, LINE_NAME, "line %u", code->line);
	return name;
}

static void refuse_unknown(struct run *r, const struct unknown *u)
{
	const struct module *m = r->m->module;
	char name[44], message[200], line[LINE_NAME];

	if (!u)
		return;
	name_opcode(m->words[m->code[u->where].word] & 0xffff, "", name, sizeof(name));
	if (is_clock_at(m, u->where))
		snprintf(message, sizeof(message),
		         "what is done depends on the clock that is read at %s, which may say "
		         "anything",
		         line_name(m, u->where, line));
	else
		snprintf(message, sizeof(message),
		         "an undefined value is used: %s at %s took it from a work-item that its "
		         "group does not have",
		         name, line_name(m, u->where, line));
	fault(r, false, message);
}

/* Whether it computes with integers alone, or parts of them, and cannot go wrong whatever they are.
 */
static bool is_safe_arithmetic(uint16_t opcode)
{
	switch (opcode) {
	case OP_U_CONVERT:
	case OP_S_CONVERT:
	case OP_S_NEGATE:
	case OP_I_ADD:
	case OP_I_SUB:
	case OP_I_MUL:
	case OP_SHIFT_RIGHT_LOGICAL:
	case OP_SHIFT_LEFT_LOGICAL:
	case OP_BITWISE_OR:
	case OP_BITWISE_XOR:
	case OP_BITWISE_AND:
	case OP_NOT:
	case OP_COMPOSITE_CONSTRUCT:
	case OP_COMPOSITE_EXTRACT: return true;
	default: return false;
	}
}

/* The operand, if there is one, that has the value of a clock. */
static const struct unknown *clock_among(const struct run *r, uint16_t opcode)
{
	/* behind what it is taken from, an extraction has no ids */
	uint32_t last = opcode == OP_COMPOSITE_EXTRACT ? 4 : r->length;

	for (uint32_t k = 3; k < last; k++) {
		const struct unknown *u = unknown_value(r, r->w[k]);

		if (u)
			return is_clock_at(r->m->module, u->where) ? u : NULL;
	}
	return NULL;
}

/* Looks at the operands of an instruction that does more with them than to put them elsewhere. */
static void refuse_unknown_operands(struct run *r, uint16_t opcode)
{
	const struct module *m = r->m->module;
	bool gives = r->length > 2 && r->w[1] < m->bound && m->ids[r->w[1]].kind == ID_TYPE;
	uint32_t first = gives ? 3 : 1, last = r->length;

	if (is_safe_arithmetic(opcode) && clock_among(r, opcode)) {
		put_unknown(r, clock_among(r, opcode), slot_at(r, r->w[2]), result_type(r)->size);
		return;
	}
	switch (opcode) {
	case OP_PHI:
	case OP_COPY_OBJECT:
	case OP_BITCAST:
	case OP_RETURN_VALUE:
	case OP_VARIABLE:
	case OP_LIFETIME_START:
	case OP_LIFETIME_STOP: last = first; break;
	case OP_FUNCTION_CALL:
		if (m->ids[r->w[3]].kind == ID_FUNCTION &&
		    m->functions[m->ids[r->w[3]].number].has_body)
			last = first;
		break;
	case OP_STORE:
	case OP_BRANCH_CONDITIONAL:
	case OP_SWITCH: last = 2; break;
	case OP_SELECT:
		if (type_of(r, r->w[3])->kind == TYPE_VECTOR)
			break;
		last = 4;
		break;
	case OP_LOAD:
	case OP_COMPOSITE_EXTRACT: last = 4; break;
	case OP_COMPOSITE_INSERT:
	case OP_VECTOR_SHUFFLE: last = 5; break;
	case OP_EXT_INST: first = 5; break;
	default: break;
	}
	for (uint32_t k = first; k < last && k < r->length && !r->over; k++)
		refuse_unknown(r, unknown_value(r, r->w[k]));
	/* what it gives takes the place of what it gave before */
	if (gives && !r->over && r->w[2] < m->bound && m->ids[r->w[2]].kind == ID_VALUE)
		forget_unknown(r, slot_at(r, r->w[2]), result_type(r)->size);
}

/* The result is one of the operands. */
static void move_unknown(struct run *r, uint32_t from)
{
	const struct unknown *u = unknown_value(r, from);

	if (u)
		put_unknown(r, u, slot_at(r, r->w[2]), result_type(r)->size);
}

/* ---- floating point ---- */

#define MARK_FLOAT  UINT64_C(0x7fc0f10a)
#define MARK_DOUBLE UINT64_C(0x7ff8f10a00000000)

static bool is_mark(uint64_t bits, unsigned width)
{
	return bits == (width == 32 ? MARK_FLOAT : width == 64 ? MARK_DOUBLE : 0x7e0a);
}

static uint64_t mark_of(unsigned width)
{
	return width == 32 ? MARK_FLOAT : width == 64 ? MARK_DOUBLE : 0x7e0a;
}

static double half_number(uint64_t bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double fraction = (double)(bits & 1023), value;

	if (exponent == 31)
		value = bits & 1023 ? NAN : HUGE_VAL;
	else if (exponent == 0)
		value = ldexp(fraction, -24);
	else
		value = ldexp(fraction + 1024, exponent - 25);
	return bits & 0x8000 ? -value : value;
}

static double number_of(uint64_t bits, unsigned width)
{
	float f;
	double d;
	uint32_t low = (uint32_t)bits;

	if (width == 16)
		return half_number(bits);
	if (width == 64) {
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
	memcpy(&f, &low, sizeof(f));
	return f;
}

bool oclmm_machine_number(uint64_t bits, unsigned width, double *ret_value)
{
	*ret_value = number_of(bits, width);
	return !is_mark(bits, width);
}

/* The nearest half, even where two are as near (A.9 of IEEE 754's binary16). */
uint64_t oclmm_machine_half(double value)
{
	uint64_t sign = signbit(value) ? 0x8000 : 0;
	double size = fabs(value), units;
	int exponent;

	if (size != size)
		return mark_of(16);
	if (size == 0)
		return sign;
	frexp(size, &exponent); /* size is below 2^exponent, and half of that at least */
	if (exponent < -13)
		exponent = -13;
	units = nearbyint(ldexp(size, 11 - exponent)); /* of the last of 11 bits */
	if (units >= 2048) {
		units /= 2;
		exponent++;
	}
	if (exponent > 16)
		return sign | 0x7c00;
	return sign | (units < 1024 ? (uint64_t)units
	                            : (uint64_t)(exponent + 14) << 10 | ((uint64_t)units - 1024));
}

/* The bits of a number, of a width that has it; a mark where it would have to be rounded. */
static uint64_t bits_of(double value, unsigned width)
{
	float f = (float)value;
	uint64_t bits = 0;

	if (width == 64)
		memcpy(&bits, &value, sizeof(value));
	else if (width == 32 && (double)f == value)
		memcpy(&bits, &f, sizeof(f));
	else if (width == 16 && half_number(oclmm_machine_half(value)) == value)
		bits = oclmm_machine_half(value);
	else
		return mark_of(width);
	return bits;
}

static uint64_t from_integer(uint64_t value, bool is_signed, unsigned width)
{
	volatile double d;

	feclearexcept(FE_INEXACT);
	d = is_signed ? (double)(int64_t)value : (double)value;
	return fetestexcept(FE_INEXACT) ? mark_of(width) : bits_of(d, width);
}

/* Computed as wide as there is: what is exact so, and fits, is exact in its own width. */
static uint64_t float_result(uint16_t opcode, uint64_t a, uint64_t b, unsigned width)
{
	volatile double x, y, result;

	if (is_mark(a, width) || is_mark(b, width))
		return mark_of(width);
	x = number_of(a, width);
	y = number_of(b, width);
	feclearexcept(FE_INEXACT);
	switch (opcode) {
	case OP_F_ADD: result = x + y; break;
	case OP_F_SUB: result = x - y; break;
	case OP_F_MUL: result = x * y; break;
	case OP_F_DIV: result = x / y; break;
	case OP_F_NEGATE: result = -x; break;
	case OP_F_REM: result = fmod(x, y); break;
	default: return mark_of(width);
	}
	return fetestexcept(FE_INEXACT) || result != result ? mark_of(width)
	                                                    : bits_of(result, width);
}

static bool compare_floats(uint16_t opcode, double x, double y)
{
	bool unordered = x != x || y != y;

	switch (opcode) {
	case OP_F_ORD_EQUAL: return x == y;
	case OP_F_UNORD_EQUAL: return unordered || x == y;
	case OP_LESS_OR_GREATER:
	case OP_F_ORD_NOT_EQUAL: return !unordered && x != y;
	case OP_F_UNORD_NOT_EQUAL: return unordered || x != y;
	case OP_F_ORD_LESS_THAN: return x < y;
	case OP_F_UNORD_LESS_THAN: return unordered || x < y;
	case OP_F_ORD_GREATER_THAN: return x > y;
	case OP_F_UNORD_GREATER_THAN: return unordered || x > y;
	case OP_F_ORD_LESS_THAN_EQUAL: return x <= y;
	case OP_F_UNORD_LESS_THAN_EQUAL: return unordered || x <= y;
	case OP_F_ORD_GREATER_THAN_EQUAL: return x >= y;
	case OP_ORDERED: return !unordered;
	case OP_UNORDERED: return unordered;
	default: return unordered || x >= y;
	}
}

static bool classify_float(uint16_t opcode, double x, unsigned width)
{
	static const double least[] = {0x1p-14, 0x1p-126, 0x1p-1022};

	switch (opcode) {
	case OP_IS_NAN: return x != x;
	case OP_IS_INF: return fabs(x) == HUGE_VAL;
	case OP_IS_FINITE: return fabs(x) < HUGE_VAL;
	case OP_IS_NORMAL:
		return fabs(x) < HUGE_VAL && fabs(x) >= least[width == 16 ? 0 : width / 32];
	default: return signbit(x);
	}
}

static const char deciding[] =
	"a result of floating point that depends on rounding decides something";

/* ---- what decides nothing ---- */

/* A part of a function's frame: of a value, or of a variable. */
struct blank {
	uint32_t function, node, offset, size;
};

static struct oclmm_slice *slice_of(const struct run *r)
{
	return &r->m->slices[r->thread];
}

/* The value of a variable of a function, beside those of ids. */
static uint32_t content_of(const struct module *m, uint32_t variable)
{
	return m->bound + variable;
}

/* What is looked at twice: for what comes of what, and for what is needed. */
struct slicing {
	const struct machine *m;
	struct oclmm_slice *slice;
	const uint32_t *w;
	/* by id of a pointer into a function's variable: of its own type, and of another */
	uint32_t *variable_of, *cast_of;
	uint32_t function; /* id */
	bool needs;        /* the second time */
};

static void flow(const struct slicing *s, uint32_t from, uint32_t to)
{
	if (!s->needs)
		oclmm_slice_flow(s->slice, from, to);
}

static void need(const struct slicing *s, uint32_t node)
{
	if (s->needs)
		oclmm_slice_need(s->slice, node);
}

/* An operand that decides something; a pointer to a variable that goes elsewhere takes it along. */
static void need_operand(const struct slicing *s, uint32_t id)
{
	if (id >= s->m->module->bound)
		return;
	need(s, id);
	if (s->variable_of[id])
		need(s, content_of(s->m->module, s->variable_of[id]));
	if (s->cast_of[id])
		need(s, content_of(s->m->module, s->cast_of[id]));
}

/* Whether an instruction does no more than to make its result of its operands, and has one that
 * stays as small as they are. */
static bool is_computed(const struct module *m, const uint32_t *w)
{
	const struct type *to = oclmm_module_type(m, w[1]), *from;

	switch (w[0] & 0xffff) {
	case OP_I_ADD:
	case OP_I_SUB:
	case OP_S_NEGATE:
	case OP_NOT:
	case OP_BITWISE_OR:
	case OP_BITWISE_XOR:
	case OP_BITWISE_AND:
	case OP_SELECT:
	case OP_LOGICAL_EQUAL:
	case OP_LOGICAL_NOT_EQUAL:
	case OP_LOGICAL_OR:
	case OP_LOGICAL_AND:
	case OP_LOGICAL_NOT:
	case OP_I_EQUAL:
	case OP_I_NOT_EQUAL:
	case OP_U_GREATER_THAN:
	case OP_S_GREATER_THAN:
	case OP_U_GREATER_THAN_EQUAL:
	case OP_S_GREATER_THAN_EQUAL:
	case OP_U_LESS_THAN:
	case OP_S_LESS_THAN:
	case OP_U_LESS_THAN_EQUAL:
	case OP_S_LESS_THAN_EQUAL:
	case OP_S_CONVERT:
	case OP_CONVERT_S_TO_F:
	case OP_CONVERT_U_TO_F:
	case OP_F_CONVERT:
	case OP_F_NEGATE:
	case OP_F_ADD:
	case OP_F_SUB:
	case OP_F_MUL:
	case OP_F_DIV: return true;
	case OP_U_CONVERT:
	case OP_COPY_OBJECT:
		from = oclmm_module_type(m, m->ids[w[3] < m->bound ? w[3] : 0].type);
		return from->size >= to->size && from->kind == to->kind;
	default: return false;
	}
}

static void slice_call(const struct slicing *s, uint32_t length)
{
	const struct module *m = s->m->module;
	const struct id *callee = &m->ids[s->w[3] < m->bound ? s->w[3] : 0];
	const struct function *f = callee->kind == ID_FUNCTION ? &m->functions[callee->number]
	                                                       : NULL;

	for (uint32_t k = 4; k < length; k++)
		if (f && f->has_body && k - 4 < f->parameter_count && s->w[k] < m->bound &&
		    !s->variable_of[s->w[k]] && !s->cast_of[s->w[k]])
			flow(s, s->w[k], f->parameters[k - 4]);
		else
			need_operand(s, s->w[k]);
	if (f && f->has_body)
		flow(s, f->id, s->w[2]);
}

static void slice_access(const struct slicing *s, uint16_t opcode)
{
	const struct module *m = s->m->module;
	const uint32_t *w = s->w;
	uint32_t pointer = opcode == OP_LOAD ? w[3] : w[1], variable = s->variable_of[pointer];
	const struct type *to = oclmm_module_type(m, m->ids[pointer].type);

	if (variable)
		need(s, pointer);
	else
		need_operand(s, pointer);
	if (opcode == OP_LOAD) {
		if (variable)
			flow(s, content_of(m, variable), w[2]);
		return;
	}
	/* whether anybody looks at other memory is seen on the way */
	if (variable)
		flow(s, w[2], content_of(m, variable));
	else if (to->class != CLASS_CROSS_WORKGROUP && to->class != CLASS_WORKGROUP)
		need(s, w[2]);
	if (s->variable_of[w[2]] || s->cast_of[w[2]])
		need_operand(s, w[2]);
}

static void slice_instruction(const struct slicing *s, bool changed)
{
	enum { PRINTF = 184 }; /* of OpenCL.std */
	const struct module *m = s->m->module;
	const uint32_t *w = s->w;
	uint32_t length = w[0] >> 16;
	uint16_t opcode = w[0] & 0xffff;
	bool has_result = length > 2 && w[1] < m->bound && m->ids[w[1]].kind == ID_TYPE;

	switch (changed ? OP_UNDEF : opcode) {
	case OP_VARIABLE:
	case OP_BRANCH:
	case OP_LIFETIME_START:
	case OP_LIFETIME_STOP: return;
	case OP_LOAD:
	case OP_STORE: slice_access(s, opcode); return;
	case OP_ACCESS_CHAIN:
	case OP_IN_BOUNDS_ACCESS_CHAIN:
	case OP_PTR_ACCESS_CHAIN:
	case OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
		for (uint32_t k = s->variable_of[w[2]] ? 4 : 3; k < length; k++)
			need_operand(s, w[k]);
		return;
	case OP_BITCAST: /* what begins or ends the life of a variable says no more of it */
		if (!s->cast_of[w[2]])
			break;
		need(s, w[3]);
		return;
	case OP_FUNCTION_CALL: slice_call(s, length); return;
	case OP_RETURN_VALUE:
		if (s->variable_of[w[1]] || s->cast_of[w[1]])
			need_operand(s, w[1]);
		else
			flow(s, w[1], s->function);
		return;
	case OP_PHI:
		for (uint32_t k = 3; k + 1 < length; k += 2) {
			flow(s, w[k], w[2]);
			if (s->variable_of[w[k]] || s->cast_of[w[k]])
				need_operand(s, w[k]);
		}
		return;
	case OP_EXT_INST:
		if (length > 4 && w[4] == PRINTF && m->ids[w[3]].standard)
			return;
		break;
	default: break;
	}
	for (uint32_t k = has_result ? 3 : 1; k < length; k++)
		if (!changed && is_computed(m, w) && w[k] < m->bound && !s->variable_of[w[k]] &&
		    !s->cast_of[w[k]])
			flow(s, w[k], w[2]);
		else
			need_operand(s, w[k]);
}

/* Pointers into variables: their own, and those to parts. */
static void find_variables(struct slicing *s)
{
	const struct module *m = s->m->module;

	for (size_t i = 0; i < m->code_count; i++) {
		const uint32_t *w = m->words + m->code[i].word;
		uint16_t opcode = w[0] & 0xffff;

		if (opcode == OP_VARIABLE)
			s->variable_of[w[2]] = w[2];
		else if (opcode == OP_ACCESS_CHAIN || opcode == OP_IN_BOUNDS_ACCESS_CHAIN ||
		         opcode == OP_PTR_ACCESS_CHAIN || opcode == OP_IN_BOUNDS_PTR_ACCESS_CHAIN)
			s->variable_of[w[2]] = s->variable_of[w[3]];
		else if (opcode == OP_BITCAST)
			s->cast_of[w[2]] = s->variable_of[w[3]];
	}
}

/* The parts of frames that decide nothing, unless somebody looks at memory where they are written.
 */
static void find_blanks(struct machine *m, const struct slicing *s)
{
	const struct module *module = m->module;

	m->blanks = OCLMM_NEW_ARRAY(module->arena, struct blank, 2 * module->code_count + 1);
	for (size_t i = 0; i < module->code_count; i++) {
		const uint32_t *w = module->words + module->code[i].word;
		uint32_t id = w[0] >> 16 > 2 ? w[2] : 0, node = id;
		const struct id *value = &module->ids[id < module->bound ? id : 0];
		struct blank blank = {.function = module->code[i].function, .offset = value->slot};
		const struct type *t = oclmm_module_type(module, value->type);

		if (value->kind != ID_VALUE ||
		    module->ids[w[1] < module->bound ? w[1] : 0].kind != ID_TYPE)
			continue;
		if ((w[0] & 0xffff) == OP_VARIABLE) {
			node = content_of(module, id);
			t = oclmm_module_type(module, t->of);
			blank.offset = value->storage;
		}
		blank.node = node;
		blank.size = t->size;
		if (!s->slice->needed[node] && blank.size)
			m->blanks[m->blank_count++] = blank;
	}
}

static void make_slices(struct machine *m)
{
	const struct module *module = m->module;
	unsigned threads = m->thread_count;
	struct oclmm_slice slice;
	struct slicing s = {
		.m = m,
		.slice = &slice,
		.variable_of = OCLMM_NEW_ARRAY(module->arena, uint32_t, module->bound),
		.cast_of = OCLMM_NEW_ARRAY(module->arena, uint32_t, module->bound),
	};

	oclmm_slice_begin(module->arena, 2 * module->bound, &slice);
	find_variables(&s);
	for (int pass = 0; pass < 2; pass++) {
		s.needs = pass == 1;
		for (size_t i = 0; i < module->code_count; i++) {
			s.w = module->words + module->code[i].word;
			s.function = module->functions[module->code[i].function].id;
			slice_instruction(&s, m->change_at[i] != NULL);
		}
	}
	find_blanks(m, &s);
	m->slices = OCLMM_NEW_ARRAY(module->arena, struct oclmm_slice, threads + 1);
	for (unsigned t = 0; t < threads; t++) {
		m->slices[t] = slice;
		m->slices[t].needed = oclmm_arena_copy(module->arena, slice.needed,
		                                       (slice.count + 1) * sizeof(*slice.needed));
	}
}

/* What is changed at an instruction may look at what it is given. */
static void need_for_changes(struct machine *m)
{
	const struct module *module = m->module;

	for (size_t i = 0; i < module->code_count; i++) {
		const struct change *c = m->change_at[i];
		const uint32_t *w = module->words + module->code[i].word;

		for (unsigned t = 0; c && t < m->thread_count; t++) {
			for (uint32_t k = 1; k < w[0] >> 16; k++)
				if (w[k] < module->bound)
					oclmm_slice_need(&m->slices[t], w[k]);
			if (c->updates && c->operand < module->bound)
				oclmm_slice_need(&m->slices[t], c->operand);
		}
	}
}

static void forget(void *machine, unsigned thread, struct oclmm_thread_bytes *copy)
{
	const struct machine *m = machine;
	const bool *needed = m->slices[thread].needed;

	for (uint32_t at = ((struct machine_head *)(void *)copy->bytes)->frame; at;) {
		const struct frame_head *f = (const void *)(copy->bytes + at);

		for (size_t i = 0; i < m->blank_count; i++) {
			const struct blank *b = &m->blanks[i];

			if (b->function == f->function && !needed[b->node])
				memset(copy->bytes + at + b->offset, 0, b->size);
		}
		at = f->caller;
	}
}

/* Whether a value is no more than a sum that decides nothing. */
static bool is_idle_sum(const struct run *r, uint32_t id)
{
	const struct oclmm_slice *slice = slice_of(r);

	return id < r->m->module->bound && !slice->needed[id] && slice->comes_of[id];
}

/* Tells how great an integer is that is put elsewhere, so that sums may be made of it there. */
static void note_moved(struct run *r, uint32_t id)
{
	const struct type *t = type_of(r, id), *of = component_type(r, t);

	for (unsigned i = 0; of->kind == TYPE_INT && i < components(t) && r->m->blank_count; i++) {
		int64_t value = extended(component(r, id, i), of->bits);

		oclmm_explored_unneeded(r->x, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 0,
		                        0);
	}
}

/* Tells of an integer that decides nothing how great it is, and how many went into it. */
static void note_idle(struct run *r)
{
	const struct module *m = r->m->module;
	uint16_t opcode = r->w[0] & 0xffff;
	const struct type *of = component_type(r, result_type(r));
	unsigned operands = 0, bits = 0;

	if (of->kind != TYPE_INT)
		return;
	switch (opcode) {
	case OP_I_ADD:
	case OP_I_SUB:
	case OP_S_NEGATE:
	case OP_NOT:
	case OP_BITWISE_OR:
	case OP_BITWISE_XOR:
	case OP_BITWISE_AND:
		operands = is_idle_sum(r, r->w[3]) && r->length > 4 && is_idle_sum(r, r->w[4]) ? 2
		                                                                               : 1;
		bits = m->ids[r->w[2]].no_wrap ? of->bits : 0;
		break;
	default: break;
	}
	for (unsigned i = 0; i < components(result_type(r)); i++) {
		uint64_t size = 0;

		for (uint32_t k = 3; k < r->length && k < 5 && operands; k++)
			if (!is_idle_sum(r, r->w[k])) {
				int64_t value = extended(component(r, r->w[k], i), of->bits);
				uint64_t own = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

				size = own > size ? own : size;
			}
		if (!operands && !slice_of(r)->comes_of[r->w[2]]) {
			int64_t value = extended(
				load_bits(result_of(r) + (size_t)i * of->size, of->size), of->bits);

			size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
		}
		oclmm_explored_unneeded(r->x, size, i == 0 ? operands : 0, bits);
	}
}

/* ---- memory ---- */

bool oclmm_machine_builtin(const struct machine *m, unsigned thread, uint32_t builtin, unsigned n,
                           uint64_t *ret_value)
{
	unsigned group = m->placed[thread].group, in_group = m->placed[thread].in_group;
	unsigned size = m->setup->sub_group ? m->setup->sub_group : m->group_size;
	const unsigned *shape = m->shapes[group].size;
	unsigned id[3], own[3], all = shape[0] * shape[1] * shape[2];
	uint64_t value;

	own[0] = in_group % shape[0];
	own[1] = in_group / shape[0] % shape[1];
	own[2] = in_group / shape[0] / shape[1];
	id[0] = group % m->groups[0];
	id[1] = group / m->groups[0] % m->groups[1];
	id[2] = group / m->groups[0] / m->groups[1];
	n = n < 3 ? n : 0;
	switch (builtin) {
	case 24: /* NumWorkgroups */ value = m->groups[n]; break;
	case 25: /* WorkgroupSize */ value = shape[n]; break;
	case 26: /* WorkgroupId */ value = id[n]; break;
	case 27: /* LocalInvocationId */ value = own[n]; break;
	case 28: /* GlobalInvocationId */
		value = (uint64_t)id[n] * m->local[n] + own[n] + m->setup->offset[n];
		break;
	case 29: /* LocalInvocationIndex */ value = in_group; break;
	case 30: /* WorkDim */ value = oclmm_machine_dimensions(m); break;
	case 31: /* GlobalSize */ value = m->dimensions[n]; break;
	case 32: /* EnqueuedWorkgroupSize */ value = m->local[n]; break;
	case 33: /* GlobalOffset */ value = m->setup->offset[n]; break;
	case 34: /* GlobalLinearId */
		value = (((uint64_t)id[2] * m->local[2] + own[2]) * m->dimensions[1] +
		         (uint64_t)id[1] * m->local[1] + own[1]) *
		                m->dimensions[0] +
		        (uint64_t)id[0] * m->local[0] + own[0];
		break;
	case 36: /* SubgroupSize */
		value = (in_group / size + 1) * size > all ? all % size : size;
		break;
	case 37: /* SubgroupMaxSize */ value = size; break;
	case 38: /* NumSubgroups */ value = (all + size - 1) / size; break;
	case 39: /* NumEnqueuedSubgroups */ value = (m->group_size + size - 1) / size; break;
	case 40: /* SubgroupId */ value = in_group / size; break;
	case 41: /* SubgroupLocalInvocationId */ value = in_group % size; break;
	case 4416: /* SubgroupEqMask, two of its four parts at a time */
	case 4417: /* SubgroupGeMask */
	case 4418: /* SubgroupGtMask */
	case 4419: /* SubgroupLeMask */
	case 4420: /* SubgroupLtMask */ {
		uint64_t own_bit = UINT64_C(1) << in_group % size % 64, less = own_bit - 1,
			 lanes = UINT64_MAX >> (size < 64 ? 64 - size : 0);

		if (size > 64)
			return false;
		value = builtin == 4416   ? own_bit
		        : builtin == 4417 ? lanes & ~less
		        : builtin == 4418 ? lanes & ~less & ~own_bit
		        : builtin == 4419 ? less | own_bit
		                          : less;
		value = n == 0 ? value : 0;
		break;
	}
	default: return false;
	}
	*ret_value = value;
	return true;
}

static uint64_t builtin_value(struct run *r, uint32_t builtin, unsigned n)
{
	uint64_t value = 0;

	if ((builtin >= 36 && builtin <= 41) || (builtin >= 4416 && builtin <= 4420))
		r->m->sub_groups = true;
	if (!oclmm_machine_builtin(r->m, r->thread, builtin, n, &value))
		misunderstand(r, "a built-in variable that is not known");
	return value;
}

/* The object that a pointer points into, if `size` bytes behind the pointer are all in it. */
static struct object *object_at(struct run *r, uint64_t pointer, uint64_t size,
                                uint64_t *ret_offset)
{
	uint64_t number = pointer >> OFFSET_BITS;
	int64_t offset = offset_of(pointer);
	struct object *o;
	char message[160];

	if (r->over)
		return NULL;
	if (number == 0 || number > r->m->object_count) {
		fault(r, true,
		      pointer == 0 ? "a null pointer is followed"
		                   : "a pointer that points to nothing is followed");
		return NULL;
	}
	o = &r->m->objects[number - 1];
	if (offset < 0 || (uint64_t)offset + size > o->size) {
		snprintf(message, sizeof(message),
		         "an access outside of %s: %lld bytes from its beginning, of %u", o->name,
		         (long long)offset, o->size);
		fault(r, true, message);
		return NULL;
	}
	*ret_offset = (uint64_t)offset;
	return o;
}

static bool is_private(uint64_t pointer)
{
	return pointer >> OFFSET_BITS == OBJECT_PRIVATE;
}

/* The bytes of private memory behind a pointer. */
static uint8_t *private_at(struct run *r, uint64_t pointer, uint64_t size)
{
	int64_t offset = offset_of(pointer);

	if (offset < (int64_t)sizeof(struct machine_head) +
	                     (r->m->lanes ? (int64_t)(UNKNOWNS_AT + sizeof(struct unknowns)) : 0) ||
	    (uint64_t)offset + size > r->state->size) {
		fault(r, true, "an access outside of the variables of a work-item");
		return NULL;
	}
	return r->state->bytes + offset;
}

/* The cell that begins at an offset, no longer than `left`; 0: cells have to be cut anew. */
static uint32_t cell_at(struct run *r, struct object *o, uint64_t offset, uint64_t left,
                        uint32_t *ret_size)
{
	uint32_t cell = o->cell_at[offset];

	if (!cell) {
		o->boundary[offset] = BOUNDARY_OF_ACCESS;
	} else {
		*ret_size = r->m->cells[cell - 1].size;
		if (*ret_size <= left)
			return cell;
		o->boundary[offset + left] = BOUNDARY_OF_ACCESS;
	}
	r->m->split = true;
	r->over = true;
	r->step->kind = OCLMM_EXPLORED_FAULT;
	return 0;
}

static void look_at(struct run *r, struct object *o)
{
	char message[160];

	o->looked_at = true;
	if (!o->clocked)
		return;
	snprintf(message, sizeof(message),
	         "%.60s is read, where the value of a clock may have been stored, which may be "
	         "anything",
	         o->name);
	fault(r, false, message);
}

/* The value of a clock is stored, and may be anything: it must not matter. */
static void store_clock(struct run *r, uint64_t pointer, uint64_t size)
{
	uint64_t offset;
	struct object *o = object_at(r, pointer, size, &offset);

	if (!o)
		return;
	o->clocked = true;
	if (o->looked_at)
		look_at(r, o);
}

static bool read_memory(struct run *r, uint64_t pointer, uint8_t *bytes, uint64_t size)
{
	uint64_t offset, value;
	struct object *o;

	if (is_private(pointer)) {
		const uint8_t *from = private_at(r, pointer, size);

		if (from && !r->moves)
			refuse_unknown(r, unknown_at(r, (uint64_t)offset_of(pointer), size));
		if (from)
			memmove(bytes, from, size);
		return from && !r->over;
	}
	o = object_at(r, pointer, size, &offset);
	if (!o)
		return false;
	if (o->kind == OBJECT_CONSTANT) {
		if (o->data)
			memcpy(bytes, o->data + offset, size);
		else
			memset(bytes, 0, size);
		return true;
	}
	if (o->kind == OBJECT_BUILTIN) {
		unsigned width = o->size % 8 == 0 ? 8 : 4;

		for (uint64_t i = 0; i < size; i += width) {
			value = builtin_value(r, o->builtin, (unsigned)((offset + i) / width));
			memcpy(bytes + i, &value, size - i < width ? size - i : width);
		}
		return !r->over;
	}
	look_at(r, o);
	for (uint64_t i = 0; i < size && !r->over;) {
		uint32_t length = 0, cell = cell_at(r, o, offset + i, size - i, &length);

		if (!cell)
			return false;
		if (!oclmm_explored_read(r->x, cell - 1, r->at, &value)) {
			r->over = true;
			return false;
		}
		memcpy(bytes + i, &value, length);
		i += length;
	}
	return !r->over;
}

static bool write_memory(struct run *r, uint64_t pointer, const uint8_t *bytes, uint64_t size)
{
	uint64_t offset, value;
	struct object *o;

	if (is_private(pointer)) {
		uint8_t *to = private_at(r, pointer, size);

		if (to)
			memmove(to, bytes, size);
		if (to && r->m->lanes)
			forget_unknown(r, (uint32_t)offset_of(pointer), (uint32_t)size);
		return to;
	}
	o = object_at(r, pointer, size, &offset);
	if (!o)
		return false;
	if (o->kind != OBJECT_SHARED) {
		fault(r, true, "a write to constant memory");
		return false;
	}
	r->writes++;
	for (uint64_t i = 0; i < size;) {
		uint32_t length = 0, cell = cell_at(r, o, offset + i, size - i, &length);

		if (!cell)
			return false;
		value = load_bits(bytes + i, length);
		if (r->stored)
			oclmm_explored_store_of(r->x, cell - 1, slice_of(r), r->stored);
		if (!oclmm_explored_write(r->x, cell - 1, value, r->at)) {
			r->over = true;
			return false;
		}
		i += length;
	}
	return true;
}

static bool made_atomic(struct run *r, uint32_t pointer, const struct type *t,
                        enum oclmm_explored_kind kind, uint64_t operand);

/* An integer that is the bits of a number which depends on rounding. */
static void refuse_mark(struct run *r, const struct type *t, const uint8_t *bytes)
{
	const struct type *of = component_type(r, t);

	for (unsigned i = 0; i < components(t) && of->kind == TYPE_INT && of->size >= 4; i++)
		if (is_mark(load_bits(bytes + (size_t)i * of->size, of->size), of->bits))
			misunderstand(r, deciding);
}

static void load(struct run *r)
{
	const struct type *t = result_type(r);
	uint32_t size = oclmm_accessed(t, r->m->module);

	if (made_atomic(r, r->w[3], t, OCLMM_EXPLORED_READ, 0))
		return;
	r->moves = true;
	if (read_memory(r, scalar(r, r->w[3]), result_of(r), size)) {
		uint64_t pointer = scalar(r, r->w[3]);

		refuse_mark(r, t, result_of(r));
		if (is_private(pointer))
			put_unknown(r, unknown_at(r, (uint64_t)offset_of(pointer), size),
			            slot_at(r, r->w[2]), t->size);
	}
	r->moves = false;
}

static void store(struct run *r)
{
	const struct type *t = type_of(r, r->w[2]);
	const struct change *change = r->m->change_at[r->at];
	uint8_t bytes[512];
	uint32_t size = oclmm_accessed(t, r->m->module);

	if (change && change->skipped)
		return;
	if (size > sizeof(bytes)) {
		misunderstand(r, "a value of more than 512 bytes");
		return;
	}
	memcpy(bytes, value_of(r, r->w[2]), size);
	if (!is_private(scalar(r, r->w[1])) && unknown_value(r, r->w[2])) {
		if (is_clock_at(r->m->module, unknown_value(r, r->w[2])->where))
			store_clock(r, scalar(r, r->w[1]), size);
		else
			refuse_unknown(r, unknown_value(r, r->w[2]));
		memset(bytes, 0, size);
	}
	if (r->over)
		return;
	if (made_atomic(r, r->w[1], t, OCLMM_EXPLORED_WRITE, load_bits(bytes, size)))
		return;
	note_moved(r, r->w[2]);
	r->stored = r->w[2];
	if (write_memory(r, scalar(r, r->w[1]), bytes, size) && unknown_value(r, r->w[2]) &&
	    is_private(scalar(r, r->w[1])))
		put_unknown(r, unknown_value(r, r->w[2]), (uint32_t)offset_of(scalar(r, r->w[1])),
		            size);
	r->stored = 0;
}

static void copy_memory(struct run *r, uint64_t size)
{
	uint64_t to = scalar(r, r->w[1]), from = scalar(r, r->w[2]);
	uint8_t *bytes;

	if (size > 1 << 20) {
		misunderstand(r, "more than a million bytes");
		return;
	}
	bytes = oclmm_malloc(size + 1);
	if (read_memory(r, from, bytes, size))
		write_memory(r, to, bytes, size);
	free(bytes);
}

/* Element of element, from a pointer. */
static void access_chain(struct run *r, bool first_is_element)
{
	const struct module *m = r->m->module;
	const struct type *t = oclmm_module_type(m, type_of(r, r->w[3])->of);
	uint64_t pointer = scalar(r, r->w[3]);

	for (uint32_t i = 4; i < r->length; i++) {
		int64_t index = extended(scalar(r, r->w[i]), type_of(r, r->w[i])->bits);

		if (i == 4 && first_is_element) {
			pointer += (uint64_t)index * t->size;
		} else if (t->kind == TYPE_STRUCT) {
			if (index < 0 || (uint64_t)index >= t->count) {
				misunderstand(r, "no such member");
				return;
			}
			pointer += t->offsets[index];
			t = oclmm_module_type(m, t->members[index]);
		} else {
			t = oclmm_module_type(m, t->of);
			pointer += (uint64_t)index * t->size;
		}
	}
	set_component(r, 0, pointer);
}

/* ---- orders and scopes ---- */

static void change_step(struct run *r, enum oclmm_order *order, enum oclmm_scope *scope,
                        unsigned *flags)
{
	const struct change *c = r->m->change_at[r->at];

	if (!c)
		return;
	if (c->order != OCLMM_ORDER_NONE)
		*order = c->order;
	if (c->scope != OCLMM_SCOPE_NONE)
		*scope = c->scope;
	*flags |= c->flags;
}

/* ---- atomic accesses ---- */

/* The thread waits for what the explorer makes of its step. */
static void wait_for(struct run *r)
{
	r->step->where = r->at;
	head_of(r)->pending = PENDING_RESULT;
	r->over = true;
}

/* What tells a work-item's calls and turns of loops from those of another. */
static uint64_t turn_of(struct run *r, unsigned unit)
{
	uint32_t words[512], count = 0;

	for (uint32_t at = head_of(r)->frame; at && r->m->turnings && !r->over;) {
		const struct frame_head *f = (const void *)(r->state->bytes + at);
		const struct turning *t = &r->m->turnings[f->function];
		const uint32_t *turns = turns_of(r, f);

		if (count + t->count + 2 > OCLMM_COUNT(words)) {
			misunderstand(r, "more calls and loops within each other than 500");
			break;
		}
		words[count++] = f->function;
		words[count++] = f->at;
		for (uint32_t n = 0; n < t->count; n++) {
			if (f->at < t->loops[n].first || f->at > t->loops[n].last)
				continue;
			if (turns[n * UNITS + unit] == TURNS_MOST && t->loops[n].does & DOES_ACCESS)
				misunderstand(r, "in a loop with atomic accesses that turned 64 "
				                 "times without it");
			words[count++] = turns[n * UNITS + unit];
		}
		at = f->caller;
	}
	return oclmm_hash(words, count * sizeof(*words));
}

/* It waits for the others of its group or sub-group to come here, too. */
static void wait_for_all(struct run *r)
{
	if (r->over)
		return;
	r->step->kind = OCLMM_EXPLORED_BARRIER;
	r->step->turn = turn_of(r, r->step->sub_group ? UNIT_SUB_GROUP : UNIT_GROUP);
	if (!r->over)
		wait_for(r);
}

/* Makes one cell of numbers that are accessed as one, such as a pointer in a buffer of `uint`.
 * \return false: some access is to a part of it */
static bool join_cells(struct run *r, const struct object *o, uint64_t offset, uint32_t size)
{
	for (uint32_t i = 1; i < size; i++)
		if (o->boundary[offset + i] == BOUNDARY_OF_ACCESS)
			return false;
	memset(o->boundary + offset + 1, 0, size - 1);
	r->m->split = true;
	r->over = true;
	r->step->kind = OCLMM_EXPLORED_FAULT;
	return true;
}

static bool take_object(struct run *r, uint64_t pointer, uint32_t size)
{
	uint64_t offset;
	struct object *o;
	uint32_t length = 0;

	if (is_private(pointer)) {
		misunderstand(r, "an atomic access to a private variable");
		return false;
	}
	o = object_at(r, pointer, size, &offset);
	if (!o)
		return false;
	if (o->kind != OBJECT_SHARED) {
		misunderstand(r, "an atomic access to constant memory");
		return false;
	}
	if (offset % size) {
		fault(r, true, "an atomic access that is not aligned");
		return false;
	}
	look_at(r, o);
	if (r->over)
		return false;
	r->step->cell = cell_at(r, o, offset, size, &length) - 1;
	if (r->over)
		return false;
	if (length != size) {
		if (join_cells(r, o, offset, size))
			return false;
		misunderstand(r, "an object that is accessed as a whole, atomically, and in parts");
		return false;
	}
	return true;
}

/* A plain access that a repair makes atomic. \return false: it stays what it is */
static bool made_atomic(struct run *r, uint32_t pointer, const struct type *t,
                        enum oclmm_explored_kind kind, uint64_t operand)
{
	const struct change *c = r->m->change_at[r->at];
	uint64_t at = scalar(r, pointer);

	if (!c || !(c->atomic || c->updates) || is_private(at) || (t->size != 4 && t->size != 8) ||
	    !take_object(r, at, t->size))
		return false;
	r->step->kind = kind;
	if (c->updates) {
		r->step->kind = OCLMM_EXPLORED_UPDATE;
		r->step->op = c->op;
		operand = scalar(r, c->operand);
	}
	r->step->order = r->step->failure = c->order;
	r->step->scope = c->scope;
	r->step->operand = operand;
	wait_for(r);
	return true;
}

/* Whether no instruction uses what the one at hand gives. */
static bool is_unused(const struct run *r)
{
	return r->at > 0 && r->m->module->ids[r->w[2]].last_use == r->at;
}

static void make_access(struct run *r, enum oclmm_explored_kind kind, enum oclmm_operation op,
                        uint32_t pointer, uint32_t scope, uint32_t semantics, uint64_t operand,
                        uint32_t size)
{
	struct oclmm_explored_step *s = r->step;
	unsigned no_flags = 0;

	if (!take_object(r, scalar(r, pointer), size))
		return;
	s->kind = kind;
	s->op = op;
	s->order = oclmm_machine_order(scalar(r, semantics));
	s->failure = s->order;
	s->scope = oclmm_machine_scope(scalar(r, scope));
	s->operand = operand;
	change_step(r, &s->order, &s->scope, &no_flags);
	wait_for(r);
}

/* The weak form is the strong one in SPIR-V: "has the same semantics as OpAtomicCompareExchange".
 * Of OpenCL C it is weak_call(). */
static void compare_exchange(struct run *r)
{
	uint32_t size = result_type(r)->size;

	make_access(r, OCLMM_EXPLORED_COMPARE, OCLMM_OP_CAS_STRONG, r->w[3], r->w[4], r->w[5],
	            scalar(r, r->w[7]), size);
	if (r->step->kind != OCLMM_EXPLORED_COMPARE)
		return;
	r->step->compare = scalar(r, r->w[8]);
	r->step->failure = oclmm_machine_order(scalar(r, r->w[6]));
	/* what a failure orders is what its success does at most */
	if (r->step->failure == OCLMM_ORDER_RELEASE)
		r->step->failure = OCLMM_ORDER_RELAXED;
	if (r->step->failure == OCLMM_ORDER_ACQ_REL)
		r->step->failure = OCLMM_ORDER_ACQUIRE;
}

static void update(struct run *r, uint16_t opcode)
{
	static const struct {
		uint16_t opcode;
		enum oclmm_operation op;
		bool is_signed;
	} updates[] = {
		{OP_ATOMIC_EXCHANGE, OCLMM_OP_EXCHANGE, false},
		{OP_ATOMIC_INCREMENT, OCLMM_OP_FETCH_ADD, false},
		{OP_ATOMIC_DECREMENT, OCLMM_OP_FETCH_SUB, false},
		{OP_ATOMIC_ADD, OCLMM_OP_FETCH_ADD, false},
		{OP_ATOMIC_SUB, OCLMM_OP_FETCH_SUB, false},
		{OP_ATOMIC_SMIN, OCLMM_OP_FETCH_MIN, true},
		{OP_ATOMIC_UMIN, OCLMM_OP_FETCH_MIN, false},
		{OP_ATOMIC_SMAX, OCLMM_OP_FETCH_MAX, true},
		{OP_ATOMIC_UMAX, OCLMM_OP_FETCH_MAX, false},
		{OP_ATOMIC_AND, OCLMM_OP_FETCH_AND, false},
		{OP_ATOMIC_OR, OCLMM_OP_FETCH_OR, false},
		{OP_ATOMIC_XOR, OCLMM_OP_FETCH_XOR, false},
	};

	for (size_t i = 0; i < OCLMM_COUNT(updates); i++)
		if (updates[i].opcode == opcode) {
			make_access(r, OCLMM_EXPLORED_UPDATE, updates[i].op, r->w[3], r->w[4],
			            r->w[5], r->length > 6 ? scalar(r, r->w[6]) : 1,
			            result_type(r)->size);
			r->step->is_signed = updates[i].is_signed;
			r->step->unused = is_unused(r);
		}
}

static void atomic(struct run *r, uint16_t opcode)
{
	switch (opcode) {
	case OP_ATOMIC_LOAD:
		make_access(r, OCLMM_EXPLORED_READ, OCLMM_OP_LOAD, r->w[3], r->w[4], r->w[5], 0,
		            result_type(r)->size);
		break;
	case OP_ATOMIC_STORE:
		make_access(r, OCLMM_EXPLORED_WRITE, OCLMM_OP_STORE, r->w[1], r->w[2], r->w[3],
		            scalar(r, r->w[4]), type_of(r, r->w[4])->size);
		break;
	case OP_ATOMIC_FLAG_TEST_AND_SET:
		make_access(r, OCLMM_EXPLORED_UPDATE, OCLMM_OP_EXCHANGE, r->w[3], r->w[4], r->w[5],
		            1, 4);
		break;
	case OP_ATOMIC_FLAG_CLEAR:
		make_access(r, OCLMM_EXPLORED_WRITE, OCLMM_OP_STORE, r->w[1], r->w[2], r->w[3], 0,
		            4);
		break;
	case OP_ATOMIC_COMPARE_EXCHANGE:
	case OP_ATOMIC_COMPARE_EXCHANGE_WEAK: compare_exchange(r); break;
	default: update(r, opcode); break;
	}
}

/* The functions of OpenCL 1.x, by the names that oclmm_kernel_source() gives them. */
static const struct legacy {
	const char *name;
	enum oclmm_operation op;
} legacies[] = {
	{"cmpxchg", OCLMM_OP_CAS_STRONG}, {"add", OCLMM_OP_FETCH_ADD}, {"sub", OCLMM_OP_FETCH_SUB},
	{"inc", OCLMM_OP_FETCH_ADD},      {"dec", OCLMM_OP_FETCH_SUB}, {"xchg", OCLMM_OP_EXCHANGE},
	{"min", OCLMM_OP_FETCH_MIN},      {"max", OCLMM_OP_FETCH_MAX}, {"and", OCLMM_OP_FETCH_AND},
	{"xor", OCLMM_OP_FETCH_XOR},      {"or", OCLMM_OP_FETCH_OR},
};

/* They are relaxed and of the work-group, C:6.15.12.8. */
static bool legacy_call(struct run *r, const char *name)
{
	static const char prefix[] = "oclmm_legacy_";
	const char *at = strstr(name, prefix);
	struct oclmm_explored_step *s = r->step;
	unsigned no_flags = 0;

	if (!at)
		return false;
	at += strlen(prefix);
	for (size_t i = 0; i < OCLMM_COUNT(legacies); i++) {
		const struct legacy *l = &legacies[i];
		uint32_t size = result_type(r)->size;
		char last = name[strlen(name) - 1];

		if (strncmp(at, l->name, strlen(l->name)) != 0)
			continue;
		if (!take_object(r, scalar(r, r->w[4]), size))
			return true;
		s->kind = OCLMM_EXPLORED_UPDATE;
		s->op = l->op;
		s->legacy = true;
		s->order = s->failure = OCLMM_ORDER_RELAXED;
		s->scope = OCLMM_SCOPE_WORK_GROUP;
		s->operand = r->length > 5 ? scalar(r, r->w[5]) : 1;
		s->is_signed = last == 'i' || last == 'l';
		s->unused = is_unused(r);
		if (l->op == OCLMM_OP_CAS_STRONG) {
			s->kind = OCLMM_EXPLORED_COMPARE;
			s->compare = s->operand;
			s->operand = scalar(r, r->w[6]);
		}
		change_step(r, &s->order, &s->scope, &no_flags);
		s->failure = s->kind == OCLMM_EXPLORED_COMPARE && oclmm_order_acquires(s->order)
		                     ? OCLMM_ORDER_ACQUIRE
		                     : OCLMM_ORDER_RELAXED;
		wait_for(r);
		return true;
	}
	return false;
}

/* atomic_compare_exchange_weak(), by the name that oclmm_kernel_source() gives it: the object, what
 * is expected, what is stored, and the orders and the scope that are given. */
static bool is_weak_call(const char *name)
{
	return strstr(name, "oclmm_weak_exchange");
}

static void weak_call(struct run *r)
{
	struct oclmm_explored_step *s = r->step;
	uint32_t size = type_of(r, r->w[6])->size;
	uint64_t expected = 0;
	unsigned no_flags = 0;

	if (!read_memory(r, scalar(r, r->w[5]), (uint8_t *)&expected, size) ||
	    !take_object(r, scalar(r, r->w[4]), size))
		return;
	s->kind = OCLMM_EXPLORED_COMPARE;
	s->op = OCLMM_OP_CAS_STRONG;
	s->weak = true;
	s->compare = expected;
	s->operand = scalar(r, r->w[6]);
	s->order = r->length > 7 ? oclmm_machine_order_numbered(scalar(r, r->w[7]))
	                         : OCLMM_ORDER_SEQ_CST;
	s->failure = r->length > 8 ? oclmm_machine_order_numbered(scalar(r, r->w[8]))
	                           : OCLMM_ORDER_SEQ_CST;
	s->scope = r->length > 9 ? oclmm_machine_scope_numbered(scalar(r, r->w[9]))
	                         : OCLMM_SCOPE_DEVICE;
	change_step(r, &s->order, &s->scope, &no_flags);
	wait_for(r);
}

/* Its result; where it failed, what it found stands in place of what was expected. */
static void finish_weak_call(struct run *r, uint64_t found)
{
	bool failed = oclmm_explored_failed(r->x);

	if (failed)
		write_memory(r, scalar(r, r->w[5]), (const uint8_t *)&found,
		             type_of(r, r->w[6])->size);
	set_component(r, 0, !failed);
}

/* ---- barriers and collective functions ---- */

static void misuse_split(struct run *r, const char *what)
{
	char message[160], line[LINE_NAME];

	snprintf(message, sizeof(message), "%s, and has not waited since its arrival at %s", what,
	         line_name(r->m->module, head_of(r)->arrived - 1, line));
	fault(r, true, message);
}

/* A half of a split barrier: arrivals and waits take turns (cl_intel_split_work_group_barrier). */
static void half_call(struct run *r, enum oclmm_barrier_part part)
{
	struct oclmm_explored_step s = {.kind = OCLMM_EXPLORED_BARRIER, .where = r->at};
	enum oclmm_order order = OCLMM_ORDER_ACQ_REL;

	s.flags = oclmm_machine_flags_numbered(scalar(r, r->w[4]));
	s.scope = r->length > 5 ? oclmm_machine_scope_numbered(scalar(r, r->w[5]))
	                        : OCLMM_SCOPE_WORK_GROUP;
	change_step(r, &order, &s.scope, &s.flags);
	if (part == OCLMM_BARRIER_WAIT) {
		if (!head_of(r)->arrived) {
			fault(r, true, "a wait at a split barrier at which it has not arrived");
			return;
		}
		head_of(r)->arrived = 0;
		s.waits = true;
		*r->step = s;
		wait_for_all(r);
		return;
	}
	if (head_of(r)->arrived) {
		misuse_split(r, "it arrives at a split barrier again");
		return;
	}
	s.turn = turn_of(r, UNIT_GROUP);
	if (r->over)
		return;
	head_of(r)->arrived = r->at + 1;
	r->over = !oclmm_explored_arrive(r->x, &s);
}

static void control_barrier(struct run *r)
{
	struct oclmm_explored_step *s = r->step;
	uint64_t semantics = scalar(r, r->w[3]);
	enum oclmm_order order = OCLMM_ORDER_ACQ_REL;

	s->sub_group = scalar(r, r->w[1]) == 3;
	if (!s->sub_group && head_of(r)->arrived) {
		misuse_split(r, "it comes to a barrier of the work-group");
		return;
	}
	r->m->sub_groups |= s->sub_group;
	s->scope = oclmm_machine_scope(scalar(r, r->w[2]));
	s->flags = oclmm_machine_flags(semantics);
	change_step(r, &order, &s->scope, &s->flags);
	wait_for_all(r);
}

static void memory_barrier(struct run *r)
{
	uint64_t semantics = scalar(r, r->w[2]);
	enum oclmm_order order = oclmm_machine_order(semantics);
	enum oclmm_scope scope = oclmm_machine_scope(scalar(r, r->w[1]));
	unsigned flags = oclmm_machine_flags(semantics);

	change_step(r, &order, &scope, &flags);
	if (order != OCLMM_ORDER_RELAXED)
		oclmm_explored_fence(r->x, order, scope, flags, r->at);
}

/* The work-item, by its number in its group or sub-group, whose value a function gives; `false`:
 * the function gives no single one's. */
static bool takes_lane(struct run *r, uint64_t *ret_lane, uint64_t *ret_count)
{
	enum { SUB_GROUP_SIZE = 36, LANE = 41 };
	uint16_t opcode = r->w[0] & 0xffff;
	const unsigned *shape = r->m->shapes[group_of(r)].size;
	uint64_t own = 0, n;

	if (opcode != OP_GROUP_BROADCAST && opcode != OP_LANES_BROADCAST &&
	    (opcode < OP_LANES_SHUFFLE || opcode > OP_LANES_SHUFFLE_DOWN))
		return false;
	*ret_count = (uint64_t)shape[0] * shape[1] * shape[2];
	if (scalar(r, r->w[3]) == 3) {
		oclmm_machine_builtin(r->m, r->thread, SUB_GROUP_SIZE, 0, ret_count);
		oclmm_machine_builtin(r->m, r->thread, LANE, 0, &own);
	}
	n = component(r, r->w[5], 0);
	switch (opcode) {
	case OP_LANES_SHUFFLE_XOR: n ^= own; break;
	case OP_LANES_SHUFFLE_UP: n = own - n; break;
	case OP_LANES_SHUFFLE_DOWN: n += own; break;
	default: break;
	}
	for (unsigned i = 1, row = 1; i < components(type_of(r, r->w[5])); i++) {
		row *= shape[i - 1];
		n += component(r, r->w[5], i) * row;
	}
	*ret_lane = n;
	return true;
}

static void collective(struct run *r, uint32_t operand)
{
	struct oclmm_explored_step *s = r->step;
	uint64_t count;

	if (result_type(r)->kind == TYPE_VECTOR && (r->w[0] & 0xffff) != OP_LANES_BALLOT) {
		misunderstand(r, "of vectors");
		return;
	}
	s->collective = true;
	s->sub_group = scalar(r, r->w[3]) == 3;
	r->m->sub_groups |= s->sub_group;
	s->operand = operand ? scalar(r, operand) : 0;
	if ((r->w[0] & 0xffff) == OP_LANES_INVERSE_BALLOT)
		s->operand |= component(r, operand, 1) << 32;
	takes_lane(r, &s->compare, &count);
	wait_for_all(r);
}

/* All of the unit have come here by the same turns: others are counted from here on. Where the
 * group meets, its sub-groups do. */
static void begin_turns(const struct run *r, unsigned unit)
{
	for (uint32_t at = head_of(r)->frame; at && r->m->turnings;) {
		struct frame_head *f = (void *)(r->state->bytes + at);
		uint32_t *turns = turns_of(r, f);

		for (uint32_t n = 0; n < r->m->turnings[f->function].count; n++)
			for (unsigned u = unit; u < UNITS; u++)
				turns[n * UNITS + u] = 0;
		at = f->caller;
	}
}

static bool is_arithmetic_of_lanes(uint16_t opcode)
{
	return opcode >= OP_LANES_I_ADD && opcode <= OP_LANES_LOGICAL_XOR;
}

/* A function that gives each of a sub-group something of the others, of those who come to it. */
static void lanes(struct run *r, uint16_t opcode)
{
	bool arithmetic = is_arithmetic_of_lanes(opcode);
	uint32_t operand = opcode == OP_LANES_ELECT ? 0 : r->w[arithmetic ? 5 : 4];
	uint64_t size = 0;

	oclmm_machine_builtin(r->m, r->thread, 37, 0, &size);
	if (scalar(r, r->w[3]) != 3)
		misunderstand(r, "of more than a sub-group");
	if (arithmetic && r->w[4] == 3) {
		uint64_t cluster = scalar(r, r->w[6]);

		if (cluster == 0 || cluster > size || cluster & (cluster - 1))
			misunderstand(r, "of a cluster that no sub-group is made of");
		r->step->more[0] = cluster;
	} else if (arithmetic && r->w[4] > 3) {
		misunderstand(r, "of a partition");
	}
	if ((opcode == OP_LANES_BALLOT || opcode == OP_LANES_INVERSE_BALLOT) && size > 64)
		misunderstand(r, "of a sub-group of more than 64");
	if (operand && type_of(r, operand)->kind == TYPE_FLOAT && opcode == OP_LANES_ALL_EQUAL &&
	    is_mark(scalar(r, operand), type_of(r, operand)->bits))
		misunderstand(r, deciding);
	if (r->over)
		return;
	r->step->non_uniform = true;
	collective(r, operand);
}

/* What a work-item computes of a ballot for itself. */
static void read_ballot(struct run *r, uint16_t opcode)
{
	uint32_t ballot = r->w[opcode == OP_LANES_BALLOT_BIT_COUNT ? 5 : 4];
	uint64_t size = 0, lane = 0, bits = component(r, ballot, 0) | component(r, ballot, 1) << 32;

	oclmm_machine_builtin(r->m, r->thread, 37, 0, &size);
	oclmm_machine_builtin(r->m, r->thread, 41, 0, &lane);
	if (size > 64) {
		misunderstand(r, "of a sub-group of more than 64");
		return;
	}
	bits &= UINT64_MAX >> (64 - size);
	switch (opcode) {
	case OP_LANES_BALLOT_BIT_EXTRACT:
		if (scalar(r, r->w[5]) >= size)
			misunderstand(r, "of a work-item that no sub-group has");
		else
			set_component(r, 0, bits >> scalar(r, r->w[5]) & 1);
		break;
	case OP_LANES_BALLOT_BIT_COUNT:
		if (r->w[4] == 1)
			bits &= UINT64_MAX >> (63 - lane);
		else if (r->w[4] == 2)
			bits &= (UINT64_C(1) << lane) - 1;
		set_component(r, 0, (unsigned)__builtin_popcountll(bits));
		break;
	default:
		if (!bits)
			misunderstand(r, "of a ballot without a bit");
		else
			set_component(r, 0,
			              opcode == OP_LANES_BALLOT_FIND_LSB
			                      ? (unsigned)__builtin_ctzll(bits)
			                      : 63U - (unsigned)__builtin_clzll(bits));
		break;
	}
}

/* Why a function of a sub-group is not understood. */
static void note_apart(void *machine, const struct oclmm_explored_step *step, unsigned other,
                       const struct oclmm_explored_step *its)
{
	struct machine *m = machine;
	char what[160], line[LINE_NAME];
	uint16_t opcode = m->module->words[m->module->code[step->where].word] & 0xffff;

	if (its->kind == OCLMM_EXPLORED_END)
		snprintf(what, sizeof(what), "work-item %u of the sub-group ends without it",
		         other);
	else if (its->where == step->where)
		snprintf(what, sizeof(what),
		         "work-item %u of the sub-group is in another turn of a loop, or another "
		         "call",
		         other);
	else
		snprintf(what, sizeof(what),
		         "work-item %u of the sub-group is at %s, and not there with it", other,
		         line_name(m->module, its->where, line));
	name_opcode(opcode, what, m->message, sizeof(m->message));
	m->undefined = false;
	m->fault_where = step->where;
}

/* ---- asynchronous copies ---- */

/* dest, src, number, stride, event */
static void begin_copy(struct run *r)
{
	struct oclmm_explored_step *s = r->step;

	s->collective = true;
	s->operand = scalar(r, r->w[4]);
	s->compare = scalar(r, r->w[5]);
	for (unsigned i = 0; i < 3; i++)
		s->more[i] = scalar(r, r->w[6 + i]);
	wait_for_all(r);
}

static void wait_for_copies(struct run *r)
{
	struct oclmm_explored_step *s = r->step;
	uint64_t count = scalar(r, r->w[2]), list = scalar(r, r->w[3]), events = 0;

	for (uint64_t i = 0; i < count && !r->over; i++) {
		uint64_t event = 0;

		read_memory(r, list + i * sizeof(event), (uint8_t *)&event, sizeof(event));
		events |= event;
	}
	s->collective = true;
	s->operand = events;
	wait_for_all(r);
}

/* One element, cell by cell: both are cut where either is. */
static bool copy_element(struct run *r, uint64_t to, uint64_t from, uint32_t size)
{
	uint64_t at_to, at_from;
	struct object *d = object_at(r, to, size, &at_to), *s = object_at(r, from, size, &at_from);

	if (!d || !s)
		return false;
	if (d->kind != OBJECT_SHARED || s->kind != OBJECT_SHARED) {
		misunderstand(r, "an asynchronous copy of constant memory");
		return false;
	}
	for (uint32_t i = 0; i < size;) {
		uint32_t length = 0, other = 0, cell = cell_at(r, d, at_to + i, size - i, &length),
			 source = cell ? cell_at(r, s, at_from + i, length, &other) : 0;

		if (source && other < length)
			cell_at(r, d, at_to + i, other, &length);
		if (r->over || !oclmm_explored_copy_cell(r->x, source - 1, cell - 1, r->at))
			return false;
		i += length;
	}
	return true;
}

static bool copy_all(struct run *r, const struct oclmm_explored_step *step)
{
	const struct type *of = oclmm_module_type(r->m->module, type_of(r, r->w[4])->of);
	bool from_global = type_of(r, r->w[5])->class == CLASS_CROSS_WORKGROUP;
	uint64_t to = step->operand, from = step->compare, stride = step->more[1] * of->size;

	if (!oclmm_explored_copy_begin(r->x, step->more[2], &r->m->event)) {
		misunderstand(r, "more copies than 60 that nobody has waited for");
		return false;
	}
	for (uint64_t i = 0; i < step->more[0]; i++) {
		if (!copy_element(r, to, from, of->size))
			return false;
		to += from_global ? of->size : stride;
		from += from_global ? stride : of->size;
	}
	return true;
}

static bool same_arguments(const struct oclmm_explored_step *a, const struct oclmm_explored_step *b)
{
	return a->operand == b->operand && a->compare == b->compare &&
	       memcmp(a->more, b->more, sizeof(a->more)) == 0;
}

/* What all of a group do who have come to a copy, or to the wait for one. */
static bool meet(void *machine, struct oclmm_explorer *explorer,
                 const struct oclmm_explored_step *const *steps, unsigned count)
{
	struct machine *m = machine;
	struct oclmm_explored_step made = {0};
	struct run r = {.m = m, .x = explorer, .step = &made, .at = steps[0]->where};
	bool goes_on;
	uint16_t opcode;

	r.w = m->module->words + m->module->code[r.at].word;
	r.length = r.w[0] >> 16;
	opcode = r.w[0] & 0xffff;
	for (unsigned i = 1; i < count; i++)
		if ((opcode == OP_GROUP_BROADCAST || opcode == OP_LANES_BROADCAST) &&
		    steps[0]->compare != steps[i]->compare)
			fault(&r, true,
			      "a broadcast from another work-item than in other work-items of the "
			      "group");
		else if (opcode == OP_LANES_INVERSE_BALLOT &&
		         steps[0]->operand != steps[i]->operand)
			fault(&r, true, "another ballot than in other work-items of the sub-group");
	if (r.over)
		oclmm_explored_refuse(explorer, r.at);
	if (opcode != OP_GROUP_ASYNC_COPY && opcode != OP_GROUP_WAIT_EVENTS)
		return !r.over;
	for (unsigned i = 1; i < count; i++)
		if (!same_arguments(steps[0], steps[i]))
			fault(&r, true,
			      opcode == OP_GROUP_ASYNC_COPY
			              ? "an asynchronous copy with other arguments than in other "
			                "work-items of the group"
			              : "a wait for other events than in other work-items of the "
			                "group");
	goes_on = !r.over;
	if (goes_on && opcode == OP_GROUP_ASYNC_COPY)
		goes_on = copy_all(&r, steps[0]);
	else if (goes_on)
		oclmm_explored_copy_wait(explorer, steps[0]->operand);
	if (r.over)
		oclmm_explored_refuse(explorer, r.at);
	return goes_on && !r.over;
}

static uint64_t collect_two(uint16_t opcode, uint64_t a, uint64_t b, unsigned bits)
{
	bool less = extended(a, bits) < extended(b, bits);

	switch (opcode) {
	case OP_LANES_LOGICAL_AND:
	case OP_LANES_ALL:
	case OP_GROUP_ALL: return a && b;
	case OP_LANES_LOGICAL_OR:
	case OP_LANES_ANY:
	case OP_GROUP_ANY: return a || b;
	case OP_LANES_LOGICAL_XOR: return !a != !b;
	case OP_LANES_BITWISE_AND: return a & b;
	case OP_LANES_BITWISE_OR: return a | b;
	case OP_LANES_BITWISE_XOR: return a ^ b;
	case OP_LANES_I_ADD:
	case OP_GROUP_I_ADD: return a + b;
	case OP_LANES_I_MUL: return a * b;
	case OP_LANES_F_ADD:
	case OP_GROUP_F_ADD: return float_result(OP_F_ADD, a, b, bits);
	case OP_LANES_F_MUL: return float_result(OP_F_MUL, a, b, bits);
	case OP_LANES_F_MIN:
	case OP_LANES_F_MAX:
	case OP_GROUP_F_MIN:
	case OP_GROUP_F_MAX:
		if (is_mark(a, bits) || is_mark(b, bits))
			return mark_of(bits);
		less = number_of(a, bits) < number_of(b, bits);
		return less == (opcode == OP_GROUP_F_MIN || opcode == OP_LANES_F_MIN) ? a : b;
	case OP_LANES_U_MIN:
	case OP_GROUP_U_MIN: return a < b ? a : b;
	case OP_LANES_U_MAX:
	case OP_GROUP_U_MAX: return a < b ? b : a;
	case OP_LANES_S_MIN:
	case OP_GROUP_S_MIN: return less ? a : b;
	default: return less ? b : a;
	}
}

static uint64_t neutral(uint16_t opcode, unsigned bits)
{
	uint64_t all = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;

	switch (opcode) {
	case OP_LANES_I_MUL:
	case OP_LANES_LOGICAL_AND:
	case OP_LANES_ALL:
	case OP_GROUP_ALL: return 1;
	case OP_LANES_F_MUL: return bits_of(1, bits);
	case OP_LANES_F_MIN:
	case OP_GROUP_F_MIN: return bits_of(HUGE_VAL, bits);
	case OP_LANES_F_MAX:
	case OP_GROUP_F_MAX: return bits_of(-HUGE_VAL, bits);
	case OP_LANES_BITWISE_AND:
	case OP_LANES_U_MIN:
	case OP_GROUP_U_MIN: return all;
	case OP_LANES_S_MIN:
	case OP_GROUP_S_MIN: return all >> 1;
	case OP_LANES_S_MAX:
	case OP_GROUP_S_MAX: return all ^ all >> 1;
	default: return 0;
	}
}

/* OpGroupNonUniformAllEqual: OpIEqual, of floating point OpFOrdEqual. */
static bool all_equal(const struct machine *m, uint32_t id,
                      const struct oclmm_explored_step *const *steps, unsigned count)
{
	const struct type *t = oclmm_module_type(m->module, m->module->ids[id].type);
	bool equal = true;

	for (unsigned i = 0; i < count; i++)
		equal = equal &&
		        (t->kind == TYPE_FLOAT ? number_of(steps[0]->operand, t->bits) ==
		                                         number_of(steps[i]->operand, t->bits)
		                               : steps[0]->operand == steps[i]->operand);
	return equal;
}

static uint64_t collect(void *machine, const struct oclmm_explored_step *const *steps,
                        unsigned count, unsigned rank)
{
	const struct machine *m = machine;
	const uint32_t *w = m->module->words + m->module->code[steps[rank]->where].word;
	uint16_t opcode = w[0] & 0xffff;
	const struct type *t = oclmm_module_type(m->module, w[1]);
	unsigned bits = t->bits, first = 0, last = count;
	uint64_t value;

	if (opcode == OP_GROUP_ASYNC_COPY || opcode == OP_GROUP_WAIT_EVENTS)
		return m->event;
	switch (opcode) {
	case OP_LANES_ELECT: return rank == 0;
	case OP_LANES_BROADCAST_FIRST: return steps[0]->operand;
	case OP_LANES_ALL_EQUAL: return all_equal(m, w[4], steps, count);
	case OP_LANES_INVERSE_BALLOT: return steps[rank]->operand >> rank & 1;
	case OP_LANES_BALLOT:
		value = 0;
		for (unsigned i = 0; i < count; i++)
			value |= (uint64_t)(steps[i]->operand != 0) << i;
		return value;
	case OP_GROUP_BROADCAST:
	case OP_LANES_BROADCAST:
	case OP_LANES_SHUFFLE:
	case OP_LANES_SHUFFLE_XOR:
	case OP_LANES_SHUFFLE_UP:
	case OP_LANES_SHUFFLE_DOWN:
		/* of others it is undefined: advance() says so */
		return steps[rank]->compare < count ? steps[steps[rank]->compare]->operand : 0;
	case OP_GROUP_ALL:
	case OP_GROUP_ANY:
	case OP_LANES_ALL:
	case OP_LANES_ANY: break;
	default:
		if (w[4] == 3) {
			first = rank & ~((unsigned)steps[rank]->more[0] - 1);
			last = first + (unsigned)steps[rank]->more[0];
			last = last < count ? last : count;
		} else if (w[4] != 0) {
			last = w[4] == 1 ? rank + 1 : rank;
		}
		break;
	}
	value = neutral(opcode, bits);
	for (unsigned i = first; i < last; i++)
		value = collect_two(opcode, value, steps[i]->operand, bits);
	return value;
}

/* ---- arithmetic ---- */

/* A result of two integers of some bits. A state holds one value, and where there is no quotient
 * any is possible (C:6.4; docs/model.md, section 7). */
static uint64_t integer_result(struct run *r, uint16_t opcode, uint64_t a, uint64_t b,
                               unsigned bits)
{
	int64_t x = extended(a, bits), y = extended(b, bits);
	unsigned shift = (unsigned)(b & (bits - 1));

	switch (opcode) {
	case OP_I_ADD: return a + b;
	case OP_I_SUB: return a - b;
	case OP_I_MUL: return a * b;
	case OP_BITWISE_OR: return a | b;
	case OP_BITWISE_XOR: return a ^ b;
	case OP_BITWISE_AND: return a & b;
	case OP_SHIFT_LEFT_LOGICAL: return a << shift;
	case OP_SHIFT_RIGHT_LOGICAL: return a >> shift;
	case OP_SHIFT_RIGHT_ARITHMETIC: return (uint64_t)(x >> shift);
	case OP_I_EQUAL: return a == b;
	case OP_I_NOT_EQUAL: return a != b;
	case OP_U_GREATER_THAN: return a > b;
	case OP_S_GREATER_THAN: return x > y;
	case OP_U_GREATER_THAN_EQUAL: return a >= b;
	case OP_S_GREATER_THAN_EQUAL: return x >= y;
	case OP_U_LESS_THAN: return a < b;
	case OP_S_LESS_THAN: return x < y;
	case OP_U_LESS_THAN_EQUAL: return a <= b;
	case OP_S_LESS_THAN_EQUAL: return x <= y;
	case OP_LOGICAL_EQUAL: return a == b;
	case OP_LOGICAL_NOT_EQUAL: return a != b;
	case OP_LOGICAL_OR: return a || b;
	case OP_LOGICAL_AND: return a && b;
	default: break;
	}
	if (b == 0) {
		fault(r, false, "a division by zero, whose value is unspecified");
		return 0;
	}
	if (opcode == OP_U_DIV)
		return a / b;
	if (opcode == OP_U_MOD)
		return a % b;
	if (y == -1 && x == extended(UINT64_C(1) << ((bits - 1) & 63), bits)) {
		fault(r, false, "a quotient that does not fit, whose value is unspecified");
		return 0;
	}
	if (y == -1)
		return opcode == OP_S_DIV ? 0 - a : 0;
	if (opcode == OP_S_DIV)
		return (uint64_t)(x / y);
	return (uint64_t)(opcode == OP_S_REM ? x % y : (x % y + y) % y);
}

/* The ends of a type of `bits` bits. */
static struct oclmm_wide greatest(unsigned bits, bool is_signed)
{
	uint64_t all = UINT64_MAX >> ((64 - bits) & 63);

	return oclmm_wide_of_unsigned(is_signed ? all >> 1 : all);
}

static struct oclmm_wide least(unsigned bits, bool is_signed)
{
	return oclmm_wide_of_signed(
		is_signed ? -(int64_t)(UINT64_MAX >> ((64 - bits) & 63) >> 1) - 1 : 0);
}

/* Whether a sum, a difference, a product or a shift is more than the type holds. */
static bool overflows(uint16_t opcode, uint64_t a, uint64_t b, unsigned bits)
{
	struct oclmm_wide x = oclmm_wide_of_signed(extended(a, bits)),
			  y = oclmm_wide_of_signed(extended(b, bits)), result;

	switch (opcode) {
	case OP_I_ADD: result = oclmm_wide_add(x, y); break;
	case OP_I_SUB: result = oclmm_wide_subtract(x, y); break;
	case OP_I_MUL: result = oclmm_wide_multiply(x, y); break;
	case OP_SHIFT_LEFT_LOGICAL:
		result = oclmm_wide_shift_left(x, (unsigned)b & (bits - 1) & 63);
		break;
	default: return false;
	}
	return oclmm_wide_compare(result, greatest(bits, true)) > 0 ||
	       oclmm_wide_compare(result, least(bits, true)) < 0;
}

static void binary(struct run *r, uint16_t opcode)
{
	const struct type *of = component_type(r, type_of(r, r->w[3]));
	bool no_wrap = r->m->module->ids[r->w[2] < r->m->module->bound ? r->w[2] : 0].no_wrap;

	for (unsigned i = 0; i < components(result_type(r)); i++) {
		uint64_t a = component(r, r->w[3], i), b = component(r, r->w[4], i);

		if (no_wrap && overflows(opcode, a, b, of->bits)) {
			fault(r, true, "a signed integer overflows");
			return;
		}
		set_component(r, i, integer_result(r, opcode, a, b, of->bits));
	}
}

static void float_binary(struct run *r, uint16_t opcode)
{
	const struct type *of = component_type(r, result_type(r));

	for (unsigned i = 0; i < components(result_type(r)); i++) {
		uint64_t a = component(r, r->w[3], i), b = opcode == OP_F_NEGATE ? 0
		                                           : opcode == OP_VECTOR_TIMES_SCALAR
		                                                   ? scalar(r, r->w[4])
		                                                   : component(r, r->w[4], i);

		set_component(r, i,
		              float_result(opcode == OP_VECTOR_TIMES_SCALAR ? OP_F_MUL : opcode, a,
		                           b, of->bits));
	}
}

static void float_compare(struct run *r, uint16_t opcode)
{
	unsigned bits = component_type(r, type_of(r, r->w[3]))->bits;

	for (unsigned i = 0; i < components(result_type(r)); i++) {
		uint64_t a = component(r, r->w[3], i), b = component(r, r->w[4], i);

		if (is_mark(a, bits) || is_mark(b, bits))
			misunderstand(r, deciding);
		set_component(r, i, compare_floats(opcode, number_of(a, bits), number_of(b, bits)));
	}
}

static void float_class(struct run *r, uint16_t opcode)
{
	unsigned bits = component_type(r, type_of(r, r->w[3]))->bits;

	for (unsigned i = 0; i < components(result_type(r)); i++) {
		uint64_t a = component(r, r->w[3], i);

		if (is_mark(a, bits))
			misunderstand(r, deciding);
		set_component(r, i, classify_float(opcode, number_of(a, bits), bits));
	}
}

/* Of sums of products that are all exact, in whatever order they are added. */
static void dot(struct run *r)
{
	const struct type *t = type_of(r, r->w[3]);
	unsigned bits = component_type(r, t)->bits;
	uint64_t sum = 0;

	for (unsigned i = 0; i < components(t); i++)
		sum = float_result(OP_F_ADD, sum,
		                   float_result(OP_F_MUL, component(r, r->w[3], i),
		                                component(r, r->w[4], i), bits),
		                   bits);
	set_component(r, 0, sum);
}

/* Numbers as they would be without end, held within a type. */
static uint64_t saturated(struct oclmm_wide value, unsigned bits, bool is_signed)
{
	struct oclmm_wide most = greatest(bits, is_signed), fewest = least(bits, is_signed);

	if (oclmm_wide_compare(value, most) > 0)
		return most.low;
	return oclmm_wide_compare(value, fewest) < 0 ? fewest.low : value.low;
}

static double rounded(double d, enum rounding rounding)
{
	return rounding == ROUND_EVEN   ? nearbyint(d)
	       : rounding == ROUND_UP   ? ceil(d)
	       : rounding == ROUND_DOWN ? floor(d)
	                                : trunc(d);
}

/* An integer of a number, which has to fit: what does not is undefined (C:6.4.3), unless it
 * saturates. */
static uint64_t to_integer(struct run *r, uint64_t bits, unsigned from, unsigned to, bool is_signed)
{
	const struct id *id = &r->m->module->ids[r->w[2]];
	double d = rounded(number_of(bits, from), id->rounding), limit = ldexp(1, (int)to);
	double above = is_signed ? limit / 2 : limit, below = is_signed ? -limit / 2 : 0;

	if (is_mark(bits, from)) {
		misunderstand(r, deciding);
		return 0;
	}
	if (id->saturated) {
		if (d != d)
			return 0;
		if (d >= above)
			return greatest(to, is_signed).low;
		if (d < below)
			return least(to, is_signed).low;
	}
	if (d != d || d >= above || d < below) {
		fault(r, false,
		      "a number of floating point that no integer of that type holds, so that its "
		      "value is implementation-defined");
		return 0;
	}
	return d < 0 ? (uint64_t)(int64_t)d : (uint64_t)d;
}

static void convert(struct run *r, uint16_t opcode)
{
	unsigned from = component_type(r, type_of(r, r->w[3]))->bits,
		 to = component_type(r, result_type(r))->bits;
	bool saturates = r->m->module->ids[r->w[2]].saturated;

	for (unsigned i = 0; i < components(result_type(r)); i++) {
		uint64_t a = component(r, r->w[3], i);

		switch (opcode) {
		case OP_S_CONVERT:
			a = (uint64_t)extended(a, from);
			if (saturates)
				a = saturated(oclmm_wide_of_signed((int64_t)a), to, true);
			break;
		case OP_U_CONVERT:
			if (saturates)
				a = saturated(oclmm_wide_of_unsigned(a), to, false);
			break;
		case OP_CONVERT_S_TO_F:
			a = from_integer((uint64_t)extended(a, from), true, to);
			break;
		case OP_CONVERT_U_TO_F: a = from_integer(a, false, to); break;
		case OP_F_CONVERT:
			a = is_mark(a, from) ? mark_of(to) : bits_of(number_of(a, from), to);
			break;
		case OP_CONVERT_F_TO_S:
		case OP_CONVERT_F_TO_U:
			a = to_integer(r, a, from, to, opcode == OP_CONVERT_F_TO_S);
			break;
		default: break;
		}
		set_component(r, i, a);
	}
}

static void select_value(struct run *r)
{
	const struct type *t = result_type(r);
	bool by_component = type_of(r, r->w[3])->kind == TYPE_VECTOR;

	if (!by_component) {
		memcpy(result_of(r), value_of(r, scalar(r, r->w[3]) ? r->w[4] : r->w[5]), t->size);
		return;
	}
	for (unsigned i = 0; i < components(t); i++)
		set_component(r, i, component(r, component(r, r->w[3], i) ? r->w[4] : r->w[5], i));
}

/* ---- functions of OpenCL C ---- */

/* Numbers in the set OpenCL.std. */
enum standard {
	STD_S_ABS = 141,
	STD_S_ABS_DIFF,
	STD_S_ADD_SAT,
	STD_U_ADD_SAT,
	STD_S_HADD,
	STD_U_HADD,
	STD_S_RHADD,
	STD_U_RHADD,
	STD_S_CLAMP,
	STD_U_CLAMP,
	STD_CLZ,
	STD_CTZ,
	STD_S_MAD_HI,
	STD_U_MAD_SAT,
	STD_S_MAD_SAT,
	STD_S_MAX,
	STD_U_MAX,
	STD_S_MIN,
	STD_U_MIN,
	STD_S_MUL_HI,
	STD_ROTATE,
	STD_S_SUB_SAT,
	STD_U_SUB_SAT,
	STD_U_UPSAMPLE,
	STD_S_UPSAMPLE,
	STD_POPCOUNT,
	STD_S_MAD24,
	STD_U_MAD24,
	STD_S_MUL24,
	STD_U_MUL24,
	STD_VLOADN,
	STD_VSTOREN,
	STD_VLOAD_HALF,
	STD_VLOAD_HALFN,
	STD_VSTORE_HALF,
	STD_VSTORE_HALF_R,
	STD_VSTORE_HALFN,
	STD_VSTORE_HALFN_R,
	STD_VLOADA_HALFN,
	STD_VSTOREA_HALFN,
	STD_VSTOREA_HALFN_R,
	STD_SHUFFLE,
	STD_SHUFFLE2,
	STD_PRINTF,
	STD_PREFETCH,
	STD_BITSELECT,
	STD_SELECT,
	STD_U_ABS = 201,
	STD_U_ABS_DIFF,
	STD_U_MUL_HI,
	STD_U_MAD_HI,
};

static bool signed_function(uint32_t number)
{
	switch (number) {
	case STD_S_ABS:
	case STD_S_ABS_DIFF:
	case STD_S_ADD_SAT:
	case STD_S_HADD:
	case STD_S_RHADD:
	case STD_S_CLAMP:
	case STD_S_MAD_HI:
	case STD_S_MAD_SAT:
	case STD_S_MAX:
	case STD_S_MIN:
	case STD_S_MUL_HI:
	case STD_S_SUB_SAT:
	case STD_S_MAD24:
	case STD_S_MUL24: return true;
	default: return false;
	}
}

/* a * b + c without signs, held within the type: the product alone may need all of 128 bits. */
static uint64_t saturated_sum(uint64_t a, uint64_t b, uint64_t c, unsigned bits)
{
	struct oclmm_wide product = oclmm_wide_product(a, b);

	if (product.high)
		return greatest(bits, false).low;
	return saturated(oclmm_wide_add(product, oclmm_wide_of_unsigned(c)), bits, false);
}

static uint64_t function_result(struct run *r, uint32_t number, const uint64_t *raw, unsigned bits)
{
	bool is_signed = signed_function(number);
	unsigned low = number == STD_S_MAD24 || number == STD_U_MAD24 || number == STD_S_MUL24 ||
	                               number == STD_U_MUL24
	                       ? 24
	                       : bits;
	struct oclmm_wide v[3], one = oclmm_wide_of_unsigned(1);
	bool negative, less;

	for (unsigned i = 0; i < 3; i++) {
		uint64_t cut = i < 2 && low < 64 ? raw[i] & ((UINT64_C(1) << low) - 1) : raw[i];

		v[i] = widened(cut, i < 2 ? low : bits, is_signed);
	}
	negative = v[0].high >> 63;
	less = oclmm_wide_compare(v[0], v[1]) < 0;
	switch (number) {
	case STD_S_ABS:
	case STD_U_ABS: return negative ? oclmm_wide_negate(v[0]).low : v[0].low;
	case STD_S_ABS_DIFF:
	case STD_U_ABS_DIFF: return less ? v[1].low - v[0].low : v[0].low - v[1].low;
	case STD_S_ADD_SAT:
	case STD_U_ADD_SAT: return saturated(oclmm_wide_add(v[0], v[1]), bits, is_signed);
	case STD_S_SUB_SAT:
	case STD_U_SUB_SAT: return saturated(oclmm_wide_subtract(v[0], v[1]), bits, is_signed);
	case STD_S_MAD_SAT:
		return saturated(oclmm_wide_add(oclmm_wide_multiply(v[0], v[1]), v[2]), bits, true);
	case STD_U_MAD_SAT: return saturated_sum(raw[0], raw[1], raw[2], bits);
	case STD_S_HADD:
	case STD_U_HADD: return oclmm_wide_shift_right(oclmm_wide_add(v[0], v[1]), 1).low;
	case STD_S_RHADD:
	case STD_U_RHADD:
		return oclmm_wide_shift_right(oclmm_wide_add(oclmm_wide_add(v[0], v[1]), one), 1)
		        .low;
	case STD_S_CLAMP:
	case STD_U_CLAMP:
		return less ? v[1].low : oclmm_wide_compare(v[0], v[2]) > 0 ? v[2].low : v[0].low;
	case STD_S_MAX:
	case STD_U_MAX: return less ? v[1].low : v[0].low;
	case STD_S_MIN:
	case STD_U_MIN: return less ? v[0].low : v[1].low;
	case STD_S_MUL_HI:
	case STD_U_MUL_HI: return oclmm_wide_shift_right(oclmm_wide_multiply(v[0], v[1]), bits).low;
	case STD_S_MAD_HI:
	case STD_U_MAD_HI:
		return oclmm_wide_shift_right(oclmm_wide_multiply(v[0], v[1]), bits).low + v[2].low;
	case STD_S_MAD24:
	case STD_U_MAD24: return oclmm_wide_multiply(v[0], v[1]).low + v[2].low;
	case STD_S_MUL24:
	case STD_U_MUL24: return oclmm_wide_multiply(v[0], v[1]).low;
	case STD_CLZ: return raw[0] ? (unsigned)__builtin_clzll(raw[0]) - (64 - bits) : bits;
	case STD_CTZ: return raw[0] ? (unsigned)__builtin_ctzll(raw[0]) : bits;
	case STD_POPCOUNT: return (unsigned)__builtin_popcountll(raw[0]);
	case STD_ROTATE: {
		unsigned by = (unsigned)raw[1] & (bits - 1);

		return by ? raw[0] << by | raw[0] >> (bits - by) : raw[0];
	}
	case STD_BITSELECT: return (raw[0] & ~raw[2]) | (raw[1] & raw[2]);
	case STD_U_UPSAMPLE:
	case STD_S_UPSAMPLE: return raw[0] << bits | raw[1];
	default: misunderstand(r, "a function of OpenCL C that is not known"); return 0;
	}
}

/* Of floating point, by their numbers. */
enum float_standard {
	STD_CEIL = 12,
	STD_COPYSIGN,
	STD_FABS = 23,
	STD_FDIM,
	STD_FLOOR,
	STD_FMA,
	STD_FMAX,
	STD_FMIN,
	STD_FMOD,
	STD_FRACT,
	STD_FREXP,
	STD_ILOGB = 33,
	STD_LDEXP,
	STD_LGAMMA_R = 36,
	STD_MAD = 42,
	STD_MODF = 45,
	STD_REMQUO = 52,
	STD_RINT,
	STD_ROUND = 55,
	STD_SINCOS = 58,
	STD_SQRT = 61,
	STD_TRUNC = 66,
	STD_F_CLAMP = 95,
	STD_MIX = 99,
	STD_STEP = 101,
	STD_SIGN = 103,
};

/* Those of floating point that are computed; of others the result is a mark. */
static uint64_t float_function(struct run *r, uint32_t number, unsigned n, unsigned bits)
{
	double x, y;
	uint64_t v[3] = {0};

	for (uint32_t k = 0; k < 3 && k + 5 < r->length; k++) {
		const struct type *t = type_of(r, r->w[k + 5]);

		v[k] = component(r, r->w[k + 5], t->kind == TYPE_VECTOR ? n : 0);
		if (number == STD_LDEXP && k == 1)
			break;
		if (component_type(r, t)->kind != TYPE_FLOAT || is_mark(v[k], bits))
			return mark_of(bits);
	}
	x = number_of(v[0], bits);
	y = number_of(v[1], bits);
	switch (number) {
	case STD_CEIL: return bits_of(ceil(x), bits);
	case STD_FLOOR: return bits_of(floor(x), bits);
	case STD_RINT: return bits_of(rint(x), bits);
	case STD_ROUND: return bits_of(round(x), bits);
	case STD_TRUNC: return bits_of(trunc(x), bits);
	case STD_SQRT: /* of a square that is exact */
		x = sqrt(x);
		return x >= 0 && float_result(OP_F_MUL, bits_of(x, bits), bits_of(x, bits), bits) ==
		                               v[0]
		               ? bits_of(x, bits)
		               : mark_of(bits);
	case STD_F_CLAMP: return x < y ? v[1] : x > number_of(v[2], bits) ? v[2] : v[0];
	case STD_FMA:
	case STD_MAD:
		return float_result(OP_F_ADD, float_result(OP_F_MUL, v[0], v[1], bits), v[2], bits);
	case STD_MIX:
		return float_result(OP_F_ADD, v[0],
		                    float_result(OP_F_MUL, float_result(OP_F_SUB, v[1], v[0], bits),
		                                 v[2], bits),
		                    bits);
	case STD_FABS: return bits_of(fabs(x), bits);
	case STD_COPYSIGN: return bits_of(copysign(x, y), bits);
	case STD_FDIM: return x > y ? float_result(OP_F_SUB, v[0], v[1], bits) : 0;
	case STD_FMOD: return float_result(OP_F_REM, v[0], v[1], bits);
	case STD_FMAX: return x < y ? v[1] : v[0];
	case STD_FMIN: return y < x ? v[1] : v[0];
	case STD_STEP: return bits_of(y < x ? 0 : 1, bits);
	case STD_SIGN: return bits_of(x > 0 ? 1 : x < 0 ? -1 : x, bits);
	case STD_LDEXP: {
		const struct type *t = component_type(r, type_of(r, r->w[6]));
		int64_t by = extended(v[1], t->bits);

		return by > -2000 && by < 2000 ? bits_of(ldexp(x, (int)by), bits) : mark_of(bits);
	}
	default: return mark_of(bits);
	}
}

/* Numbers of a vector in OpenCL C. */
enum { VECTOR_MOST = 16 };

static bool has_pointer(uint32_t number)
{
	return number == STD_FRACT || number == STD_FREXP || number == STD_MODF ||
	       number == STD_SINCOS || number == STD_LGAMMA_R || number == STD_REMQUO;
}

/* Functions that have a second result, which they store. */
static void float_function_of_two(struct run *r, uint32_t number)
{
	const struct type *t = result_type(r), *of = component_type(r, t),
			  *to = oclmm_module_type(r->m->module, type_of(r, r->w[6])->of);
	uint8_t second[8 * VECTOR_MOST] = {0};
	uint32_t size = component_type(r, to)->size;

	if (components(t) > VECTOR_MOST || components(to) != components(t)) {
		misunderstand(r, "vectors of other sizes than OpenCL C has");
		return;
	}
	if (number == STD_LGAMMA_R || number == STD_REMQUO) {
		misunderstand(r, "a function of OpenCL C whose integer depends on rounding");
		return;
	}
	for (unsigned i = 0; i < components(t); i++) {
		uint64_t v = component(r, r->w[5], i), first = mark_of(of->bits),
			 other = mark_of(of->bits);
		double x = number_of(v, of->bits);
		int exponent = 0;

		if (number == STD_FREXP && is_mark(v, of->bits)) {
			misunderstand(r, deciding);
			return;
		}
		if (number == STD_FREXP) {
			first = bits_of(frexp(x, &exponent), of->bits);
			other = (uint64_t)exponent;
		} else if (!is_mark(v, of->bits) && number != STD_SINCOS) {
			other = bits_of(number == STD_MODF ? trunc(x) : floor(x), of->bits);
			first = float_result(OP_F_SUB, v, other, of->bits);
		}
		set_component(r, i, first);
		memcpy(second + (size_t)i * size, &other, size);
	}
	write_memory(r, scalar(r, r->w[6]), second, oclmm_accessed(to, r->m->module));
}

/* Halves in memory that are no halves to compute with. */
static void half_access(struct run *r, uint32_t number)
{
	bool stores = (number >= STD_VSTORE_HALF && number <= STD_VSTORE_HALFN_R) ||
	              number == STD_VSTOREA_HALFN || number == STD_VSTOREA_HALFN_R;
	bool aligned = number >= STD_VLOADA_HALFN;
	bool rounds = number == STD_VSTORE_HALF_R || number == STD_VSTORE_HALFN_R ||
	              number == STD_VSTOREA_HALFN_R;
	const struct type *t = stores ? type_of(r, r->w[5]) : result_type(r),
			  *of = component_type(r, t);
	unsigned count = components(t);
	uint64_t stride = aligned && count == 3 ? 4 : count,
		 pointer = scalar(r, r->w[stores ? 7 : 6]) +
	                   scalar(r, r->w[stores ? 6 : 5]) * stride * 2;
	uint8_t bytes[2 * VECTOR_MOST];

	if (count > VECTOR_MOST) {
		misunderstand(r, "a vector of more than 16");
		return;
	}
	if (!stores && !read_memory(r, pointer, bytes, count * UINT64_C(2)))
		return;
	for (unsigned i = 0; i < count; i++) {
		uint64_t value = load_bits(bytes + (size_t)i * 2, 2);

		if (!stores) {
			set_component(r, i,
			              is_mark(value, 16) ? mark_of(of->bits)
			                                 : bits_of(half_number(value), of->bits));
			continue;
		}
		value = component(r, r->w[5], i);
		if (is_mark(value, of->bits))
			value = mark_of(16);
		else if (!rounds || r->w[8] == 0) /* to the nearest, even */
			value = oclmm_machine_half(number_of(value, of->bits));
		else
			value = bits_of(number_of(value, of->bits), 16);
		memcpy(bytes + (size_t)i * 2, &value, 2);
	}
	if (stores)
		write_memory(r, pointer, bytes, count * UINT64_C(2));
}

static void vector_access(struct run *r, bool stores)
{
	const struct type *t = stores ? type_of(r, r->w[5]) : result_type(r);
	uint32_t size = oclmm_accessed(t, r->m->module);
	uint64_t pointer = scalar(r, r->w[stores ? 7 : 6]) + scalar(r, r->w[stores ? 6 : 5]) * size;
	uint8_t bytes[256];

	if (stores) {
		memcpy(bytes, value_of(r, r->w[5]), size);
		write_memory(r, pointer, bytes, size);
	} else {
		read_memory(r, pointer, result_of(r), size);
	}
}

/* By the low bits of each number of a mask: of one vector, or of two behind each other. */
static void shuffle_by_mask(struct run *r, bool two)
{
	unsigned count = components(type_of(r, r->w[5])), wide_count = count == 3 ? 4 : count;
	uint32_t mask = r->w[two ? 7 : 6];

	for (unsigned i = 0; i < components(result_type(r)); i++) {
		unsigned n = (unsigned)component(r, mask, i) & (wide_count * (two ? 2 : 1) - 1);
		uint32_t from = r->w[n < wide_count ? 5 : 6];

		n %= wide_count;
		set_component(r, i, n < count ? component(r, from, n) : 0);
	}
}

static void standard_function(struct run *r)
{
	uint32_t number = r->w[4];
	const struct type *t = result_type(r), *of = component_type(r, t), *from;

	if (!r->m->module->ids[r->w[3] < r->m->module->bound ? r->w[3] : 0].standard)
		return;
	if (number == STD_PRINTF || number == STD_PREFETCH) {
		if (t->kind != TYPE_VOID)
			set_component(r, 0, 0);
		return;
	}
	if (number == STD_VLOADN || number == STD_VSTOREN) {
		vector_access(r, number == STD_VSTOREN);
		return;
	}
	if (number == STD_SHUFFLE || number == STD_SHUFFLE2) {
		shuffle_by_mask(r, number == STD_SHUFFLE2);
		return;
	}
	if (number >= STD_VLOAD_HALF && number <= STD_VSTOREA_HALFN_R) {
		half_access(r, number);
		return;
	}
	if (of->kind == TYPE_FLOAT && has_pointer(number)) {
		float_function_of_two(r, number);
		return;
	}
	if (of->kind == TYPE_FLOAT && number != STD_SELECT && number != STD_BITSELECT) {
		for (unsigned i = 0; i < components(t); i++)
			set_component(r, i, float_function(r, number, i, of->bits));
		return;
	}
	from = component_type(r, type_of(r, r->w[5]));
	if (of->kind == TYPE_INT && from->kind == TYPE_FLOAT && number != STD_ILOGB) {
		misunderstand(r, "a function of OpenCL C that is not known");
		return;
	}
	for (unsigned i = 0; i < components(t); i++) {
		uint64_t raw[3] = {0};

		if (number == STD_SELECT) {
			const struct type *c = component_type(r, type_of(r, r->w[7]));
			uint64_t chosen = component(r, r->w[7], i);

			if (t->kind == TYPE_VECTOR)
				chosen = chosen >> (c->bits - 1) & 1;
			set_component(r, i, component(r, r->w[chosen ? 6 : 5], i));
			continue;
		}
		for (uint32_t k = 0; k < 3 && k + 5 < r->length; k++) {
			raw[k] = component(r, r->w[k + 5],
			                   type_of(r, r->w[k + 5])->kind == TYPE_VECTOR ? i : 0);
			if (from->kind == TYPE_FLOAT && is_mark(raw[k], from->bits))
				misunderstand(r, deciding);
		}
		if (from->kind == TYPE_FLOAT && number == STD_ILOGB) {
			double x = number_of(raw[0], from->bits);
			int exponent;

			frexp(x, &exponent);
			if (x == 0 || x != x || fabs(x) == HUGE_VAL)
				misunderstand(r, "ilogb() of no finite number, or of zero");
			set_component(r, i, (uint64_t)(int64_t)(exponent - 1));
			continue;
		}
		set_component(r, i, function_result(r, number, raw, from->bits));
	}
}

/* ---- parts of values ---- */

static uint32_t part_offset(struct run *r, const struct type *t, uint32_t first,
                            const struct type **ret_part)
{
	uint32_t offset = 0;

	for (uint32_t i = first; i < r->length; i++) {
		if (t->kind == TYPE_STRUCT) {
			offset += t->offsets[r->w[i] < t->count ? r->w[i] : 0];
			t = oclmm_module_type(r->m->module, t->members[r->w[i] % t->count]);
		} else {
			t = oclmm_module_type(r->m->module, t->of);
			offset += r->w[i] * t->size;
		}
	}
	*ret_part = t;
	return offset;
}

static void composite(struct run *r, uint16_t opcode)
{
	const struct type *t = result_type(r), *part;
	uint32_t offset = 0;

	if (opcode == OP_COMPOSITE_EXTRACT) {
		offset = part_offset(r, type_of(r, r->w[3]), 4, &part);
		memmove(result_of(r), value_of(r, r->w[3]) + offset, part->size);
	} else if (opcode == OP_COMPOSITE_INSERT) {
		offset = part_offset(r, t, 5, &part);
		memmove(result_of(r), value_of(r, r->w[4]), t->size);
		memcpy(result_of(r) + offset, value_of(r, r->w[3]), part->size);
	} else { /* OpCompositeConstruct */
		for (uint32_t i = 3; i < r->length; i++) {
			part = type_of(r, r->w[i]);
			if (t->kind == TYPE_STRUCT && i - 3 < t->count)
				offset = t->offsets[i - 3];
			memcpy(result_of(r) + offset, value_of(r, r->w[i]),
			       oclmm_accessed(part, r->m->module));
			offset += oclmm_accessed(part, r->m->module);
		}
	}
}

static void shuffle(struct run *r)
{
	unsigned first = components(type_of(r, r->w[3]));

	for (uint32_t i = 5; i < r->length; i++) {
		uint32_t n = r->w[i];

		set_component(r, i - 5,
		              n == UINT32_MAX ? 0
		              : n < first     ? component(r, r->w[3], n)
		                              : component(r, r->w[4], n - first));
	}
}

static void dynamic_part(struct run *r, bool inserts)
{
	uint64_t n = scalar(r, r->w[inserts ? 5 : 4]);

	if (n >= components(type_of(r, r->w[3]))) {
		fault(r, true, "an index outside of a vector");
		return;
	}
	if (inserts) {
		memmove(result_of(r), value_of(r, r->w[3]), result_type(r)->size);
		set_component(r, (unsigned)n, scalar(r, r->w[4]));
	} else {
		set_component(r, 0, component(r, r->w[3], (unsigned)n));
	}
}

/* ---- control flow ---- */

/* Room for a frame, empty. */
static uint32_t push_frame(struct oclmm_thread_bytes *state, uint32_t size)
{
	uint32_t at = (uint32_t)((state->size + 15) & ~(size_t)15);

	if (at + size > state->capacity) {
		state->capacity = 2 * ((size_t)at + size);
		state->bytes = oclmm_realloc(state->bytes, state->capacity);
	}
	memset(state->bytes + state->size, 0, at + size - state->size);
	state->size = at + size;
	return at;
}

/* Where private memory stays as it was from one turn of a loop to another, and nothing was written,
 * it stays so for ever. */
static bool turns_for_ever(struct run *r)
{
	if (r->old && r->old_size == r->state->size && r->old_writes == r->writes &&
	    memcmp(r->old, r->state->bytes, r->old_size) == 0)
		return true;
	if (++r->turns < r->next_turn)
		return false;
	r->next_turn = 2 * r->turns;
	r->old = oclmm_realloc(r->old, r->state->size);
	memcpy(r->old, r->state->bytes, r->state->size);
	r->old_size = r->state->size;
	r->old_writes = r->writes;
	return false;
}

/* Counts the turns of a loop, where these have a bound, behind the frame's variables. */
static bool may_turn(struct run *r, uint32_t label, bool back)
{
	struct frame_head *f = frame_of(r);
	const struct function *function = &r->m->module->functions[f->function];
	uint32_t n = r->m->module->ids[label].number - function->first;
	uint32_t *turns = (void *)((uint8_t *)f + function->frame);

	if (!r->m->unroll)
		return true;
	turns[n] = back ? turns[n] + 1 : 0;
	return turns[n] <= r->m->unroll;
}

/* Counts the turns of loops in which work-items may meet. What is behind a loop does not depend on
 * how often it turned. */
static void count_turn(struct run *r, uint32_t to, bool back)
{
	const struct frame_head *f = frame_of(r);
	const struct turning *t = r->m->turnings ? &r->m->turnings[f->function] : NULL;

	for (uint32_t n = 0; t && n < t->count; n++) {
		const struct loop *loop = &t->loops[n];
		uint32_t *turns = &turns_of(r, f)[(size_t)n * UNITS];

		for (unsigned unit = 0; unit < UNITS; unit++) {
			uint32_t most = loop->does & DOES_ACCESS ? TURNS_MOST : UINT32_MAX;

			if ((loop->first == to && !back) || to < loop->first || to > loop->last)
				turns[unit] = 0;
			else if (loop->first == to && loop->does >> unit & 1 && turns[unit] < most)
				turns[unit]++;
		}
	}
}

/* All values at the beginning of a block at once, from where the work-item comes: the new ones are
 * put by until all old ones are read. Returns the instruction behind them. */
static uint32_t take_phis(struct run *r, uint32_t from, uint32_t to)
{
	const struct module *m = r->m->module;
	uint8_t values[4096];
	struct unknown unknown[UNKNOWN_MOST + 1];
	size_t used = 0;
	uint32_t n = 0, known = 0;

	for (int pass = 0; pass < 2; pass++) {
		known = n;
		used = n = 0;
		for (uint32_t i = to; (m->words[m->code[i].word] & 0xffff) == OP_PHI; i++) {
			const uint32_t *w = m->words + m->code[i].word;
			uint32_t size = oclmm_module_type(m, w[1])->size;

			if (used + size > sizeof(values)) {
				misunderstand(r, "more than 4096 bytes");
				return to;
			}
			for (uint32_t k = 3; pass == 0 && k + 1 < w[0] >> 16; k += 2)
				if (w[k + 1] == from) {
					const struct unknown *u = unknown_value(r, w[k]);

					note_moved(r, w[k]);
					memcpy(values + used, value_of(r, w[k]), size);
					if (u && n < UNKNOWN_MOST)
						unknown[n++] = (struct unknown){w[2], size,
						                                u->where};
				}
			if (pass == 1) {
				memcpy((uint8_t *)frame_of(r) + m->ids[w[2]].slot, values + used,
				       size);
				forget_unknown(r, slot_at(r, w[2]), size);
				if (n < known && unknown[n].at == w[2]) {
					add_unknown(r, slot_at(r, w[2]), size, unknown[n].where);
					n++;
				}
			}
			used += size;
		}
	}
	while ((m->words[m->code[to].word] & 0xffff) == OP_PHI)
		to++;
	return to;
}

static void jump(struct run *r, uint32_t label)
{
	const struct module *m = r->m->module;
	struct frame_head *f = frame_of(r);
	uint32_t here = m->code[r->at].block, to = label < m->bound ? m->ids[label].number : 0;
	bool back = to <= r->at;

	if (!may_turn(r, label, back)) {
		r->over = true;
		r->step->kind = OCLMM_EXPLORED_CUT;
		r->step->where = to;
		return;
	}
	count_turn(r, to, back);
	f->at = take_phis(r, here, to);
	if (back && turns_for_ever(r)) {
		r->over = true;
		r->step->kind = OCLMM_EXPLORED_ENDLESS;
		r->step->where = r->at;
	}
}

static void switch_over(struct run *r)
{
	const struct type *t = type_of(r, r->w[1]);
	uint64_t value = scalar(r, r->w[1]);
	uint32_t words = t->bits > 32 ? 2 : 1, target = r->w[2];

	for (uint32_t i = 3; i + words < r->length; i += words + 1) {
		uint64_t literal = r->w[i] | (words == 2 ? (uint64_t)r->w[i + 1] << 32 : 0);

		if (t->bits < 32)
			literal &= (UINT64_C(1) << t->bits) - 1;
		if (literal == value) {
			target = r->w[i + words];
			break;
		}
	}
	jump(r, target);
}

/* A copy of what a pointer points to, behind the frame. Returns the pointer to it. */
static uint64_t copy_value(struct run *r, uint32_t id)
{
	uint64_t from = scalar(r, id);
	uint32_t size = oclmm_module_type(r->m->module, type_of(r, id)->of)->size,
		 at = push_frame(r->state, size);

	read_memory(r, from, r->state->bytes + at, size);
	return (OBJECT_PRIVATE << OFFSET_BITS) + OFFSET_BEGIN + at;
}

static void call(struct run *r)
{
	enum { DEEPEST = 1 << 20 };
	const struct module *m = r->m->module;
	const struct id *id = &m->ids[r->w[3] < m->bound ? r->w[3] : 0];
	const struct function *f;
	uint32_t caller = head_of(r)->frame, callee;
	uint64_t copies[256] = {0};

	if (id->kind != ID_FUNCTION) {
		misunderstand(r, "a function by a pointer");
		return;
	}
	f = &m->functions[id->number];
	if (!f->has_body) {
		char message[160];

		if (is_weak_call(f->name)) {
			weak_call(r);
			return;
		}
		if (oclmm_machine_half_named(f->name) != OCLMM_BARRIER_WHOLE) {
			half_call(r, oclmm_machine_half_named(f->name));
			return;
		}
		if (is_clock_call(f->name)) {
			uint32_t size = result_type(r)->size;

			memset(result_of(r), 0, size);
			add_unknown(r, slot_at(r, r->w[2]), size, r->at);
			return;
		}
		if (legacy_call(r, f->name) || r->over)
			return;
		snprintf(message, sizeof(message), "the function %s, which is not known", f->name);
		fault(r, false, message);
		return;
	}
	if (r->state->size > DEEPEST) {
		misunderstand(r, "recursion, or more than a million bytes of variables");
		return;
	}
	for (uint32_t i = 0; i < f->parameter_count && i + 4 < r->length; i++)
		if (m->ids[f->parameters[i]].by_value)
			copies[i] = copy_value(r, r->w[i + 4]);
	if (r->over)
		return;
	callee = push_frame(r->state, frame_size(r->m, f));
	for (uint32_t i = 0; i < f->parameter_count && i + 4 < r->length; i++) {
		const struct id *p = &m->ids[f->parameters[i]];
		const struct unknown *u;

		head_of(r)->frame = caller;
		note_moved(r, r->w[i + 4]);
		u = p->by_value ? NULL : unknown_value(r, r->w[i + 4]);
		if (u)
			put_unknown(r, u, callee + p->slot, oclmm_module_type(m, p->type)->size);
		memcpy(r->state->bytes + callee + p->slot,
		       p->by_value ? (const uint8_t *)&copies[i] : value_of(r, r->w[i + 4]),
		       oclmm_module_type(m, p->type)->size);
	}
	head_of(r)->frame = callee;
	*frame_of(
		r) = (struct frame_head){.function = id->number, .at = f->first, .caller = caller};
}

static void finish_instruction(struct run *r);

static void leave(struct run *r, uint32_t value)
{
	const struct module *m = r->m->module;
	struct frame_head *f = frame_of(r);
	uint32_t caller = f->caller, size = 0;
	uint8_t bytes[512] = {0};
	struct unknown unknown = {0};

	if (value) {
		size = type_of(r, value)->size;
		if (unknown_value(r, value))
			unknown = *unknown_value(r, value);
		if (size > sizeof(bytes)) {
			misunderstand(r, "a value of more than 512 bytes");
			return;
		}
		memcpy(bytes, value_of(r, value), size);
		note_moved(r, value);
	}
	if (!caller) {
		r->state->size = sizeof(struct machine_head);
		memset(r->state->bytes, 0, r->state->size);
		r->over = true;
		r->step->kind = OCLMM_EXPLORED_END;
		r->step->where = r->at;
		return;
	}
	if (r->m->lanes)
		forget_unknown(r, head_of(r)->frame, (uint32_t)r->state->size - head_of(r)->frame);
	r->state->size = head_of(r)->frame;
	head_of(r)->frame = caller;
	f = frame_of(r);
	/* padding in front of the callee's frame was not there before */
	r->state->size = caller + frame_size(r->m, &m->functions[f->function]);
	r->at = f->at;
	r->w = m->words + m->code[r->at].word;
	r->length = r->w[0] >> 16;
	if (value)
		memcpy(result_of(r), bytes, size);
	if (unknown.size)
		put_unknown(r, &unknown, slot_at(r, r->w[2]), size);
	finish_instruction(r);
}

/* ---- one instruction ---- */

/* Goes on to the next one, and forgets what none needs any more. */
static void finish_instruction(struct run *r)
{
	const struct module *m = r->m->module;
	struct frame_head *f = frame_of(r);

	if (r->length > 2 && r->w[2] < m->bound && !slice_of(r)->needed[r->w[2]] &&
	    m->ids[r->w[2]].kind == ID_VALUE && m->ids[r->w[1]].kind == ID_TYPE)
		note_idle(r);
	for (uint32_t k = 1; k < r->length; k++) {
		uint32_t id = r->w[k];

		if (id < m->bound && m->ids[id].kind == ID_VALUE && m->ids[id].last_use == r->at &&
		    r->at) {
			uint32_t size = oclmm_module_type(m, m->ids[id].type)->size;

			memset((uint8_t *)f + m->ids[id].slot, 0, size);
			if (r->m->lanes)
				forget_unknown(r, slot_at(r, id), size);
		}
	}
	f->at = r->at + 1;
}

static void lifetime(struct run *r)
{
	uint64_t pointer = scalar(r, r->w[1]);
	uint8_t *bytes = is_private(pointer) ? private_at(r, pointer, r->w[2]) : NULL;

	if (bytes)
		memset(bytes, 0, r->w[2]);
	if (bytes && r->m->lanes)
		forget_unknown(r, (uint32_t)offset_of(pointer), r->w[2]);
}

/* What is seen as integers of numbers that depend on rounding. */
static void refuse_mark_of_float(struct run *r, uint32_t id, const struct type *to)
{
	const struct type *t = type_of(r, id), *of = component_type(r, t);

	for (unsigned i = 0; i < components(t) && of->kind == TYPE_FLOAT; i++)
		if (component_type(r, to)->kind == TYPE_INT &&
		    is_mark(component(r, id, i), of->bits))
			misunderstand(r, deciding);
}

static uint64_t reversed(uint64_t bits, unsigned width)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < width; i++)
		result |= (bits >> i & 1) << (width - 1 - i);
	return result;
}

static void execute(struct run *r, uint16_t opcode)
{
	const struct type *t;

	switch (opcode) {
	case OP_NO_LINE:
	case OP_LOOP_MERGE:
	case OP_SELECTION_MERGE:
	case OP_UNDEF: break;
	case OP_VARIABLE: {
		const struct id *id = &r->m->module->ids[r->w[2]];
		uint32_t at = head_of(r)->frame + id->storage;

		t = oclmm_module_type(r->m->module, result_type(r)->of);
		if (r->length > 4)
			memcpy(r->state->bytes + at, value_of(r, r->w[4]), t->size);
		break;
	}
	case OP_LOAD: load(r); break;
	case OP_STORE: store(r); break;
	case OP_COPY_MEMORY:
		t = oclmm_module_type(r->m->module, type_of(r, r->w[1])->of);
		copy_memory(r, t->size);
		break;
	case OP_COPY_MEMORY_SIZED: copy_memory(r, scalar(r, r->w[3])); break;
	case OP_ACCESS_CHAIN:
	case OP_IN_BOUNDS_ACCESS_CHAIN: access_chain(r, false); break;
	case OP_PTR_ACCESS_CHAIN:
	case OP_IN_BOUNDS_PTR_ACCESS_CHAIN: access_chain(r, true); break;
	case OP_COPY_OBJECT:
	case OP_BITCAST:
	case OP_CONVERT_PTR_TO_U:
	case OP_CONVERT_U_TO_PTR:
	case OP_PTR_CAST_TO_GENERIC:
	case OP_GENERIC_CAST_TO_PTR:
		t = result_type(r);
		if (opcode == OP_BITCAST)
			refuse_mark_of_float(r, r->w[3], t);
		memmove(result_of(r), value_of(r, r->w[3]), t->size);
		move_unknown(r, r->w[3]);
		break;
	case OP_GENERIC_CAST_TO_PTR_EXPLICIT: {
		uint64_t pointer = scalar(r, r->w[3]), number = pointer >> OFFSET_BITS;
		unsigned class = r->w[4];
		bool fits = is_private(pointer) ? class == CLASS_FUNCTION
		            : number == 0 || number > r->m->object_count
		                    ? false
		                    : (r->m->objects[number - 1].region == OCLMM_SPACE_LOCAL
		                               ? class == CLASS_WORKGROUP
		                               : class == CLASS_CROSS_WORKGROUP);

		set_component(r, 0, fits ? pointer : 0);
		break;
	}
	case OP_U_CONVERT:
	case OP_S_CONVERT:
	case OP_F_CONVERT:
	case OP_CONVERT_S_TO_F:
	case OP_CONVERT_U_TO_F:
	case OP_CONVERT_F_TO_S:
	case OP_CONVERT_F_TO_U: convert(r, opcode); break;
	case OP_SAT_CONVERT_S_TO_U:
	case OP_SAT_CONVERT_U_TO_S:
		for (unsigned i = 0; i < components(result_type(r)); i++) {
			unsigned from = component_type(r, type_of(r, r->w[3]))->bits,
				 to = component_type(r, result_type(r))->bits;
			uint64_t a = component(r, r->w[3], i);
			bool is_signed = opcode == OP_SAT_CONVERT_S_TO_U;

			set_component(r, i, saturated(widened(a, from, is_signed), to, !is_signed));
		}
		break;
	case OP_S_NEGATE:
	case OP_NOT:
	case OP_BIT_COUNT:
	case OP_BIT_REVERSE:
	case OP_LOGICAL_NOT:
		for (unsigned i = 0; i < components(result_type(r)); i++) {
			uint64_t a = component(r, r->w[3], i);

			set_component(r, i,
			              opcode == OP_S_NEGATE    ? 0 - a
			              : opcode == OP_NOT       ? ~a
			              : opcode == OP_BIT_COUNT ? (unsigned)__builtin_popcountll(a)
			              : opcode == OP_BIT_REVERSE
			                      ? reversed(a, component_type(r, result_type(r))->bits)
			                      : !a);
		}
		break;
	case OP_I_ADD:
	case OP_I_SUB:
	case OP_I_MUL:
	case OP_U_DIV:
	case OP_S_DIV:
	case OP_U_MOD:
	case OP_S_REM:
	case OP_S_MOD:
	case OP_LOGICAL_EQUAL:
	case OP_LOGICAL_NOT_EQUAL:
	case OP_LOGICAL_OR:
	case OP_LOGICAL_AND:
	case OP_I_EQUAL:
	case OP_I_NOT_EQUAL:
	case OP_U_GREATER_THAN:
	case OP_S_GREATER_THAN:
	case OP_U_GREATER_THAN_EQUAL:
	case OP_S_GREATER_THAN_EQUAL:
	case OP_U_LESS_THAN:
	case OP_S_LESS_THAN:
	case OP_U_LESS_THAN_EQUAL:
	case OP_S_LESS_THAN_EQUAL:
	case OP_SHIFT_RIGHT_LOGICAL:
	case OP_SHIFT_RIGHT_ARITHMETIC:
	case OP_SHIFT_LEFT_LOGICAL:
	case OP_BITWISE_OR:
	case OP_BITWISE_XOR:
	case OP_BITWISE_AND: binary(r, opcode); break;
	case OP_F_NEGATE:
	case OP_F_ADD:
	case OP_F_SUB:
	case OP_F_MUL:
	case OP_F_DIV:
	case OP_F_REM:
	case OP_F_MOD:
	case OP_VECTOR_TIMES_SCALAR: float_binary(r, opcode); break;
	case OP_DOT: dot(r); break;
	case OP_IS_NAN:
	case OP_IS_INF:
	case OP_IS_FINITE:
	case OP_IS_NORMAL:
	case OP_SIGN_BIT_SET: float_class(r, opcode); break;
	case OP_LESS_OR_GREATER:
	case OP_ORDERED:
	case OP_UNORDERED:
	case OP_F_ORD_EQUAL:
	case OP_F_UNORD_EQUAL:
	case OP_F_ORD_NOT_EQUAL:
	case OP_F_UNORD_NOT_EQUAL:
	case OP_F_ORD_LESS_THAN:
	case OP_F_UNORD_LESS_THAN:
	case OP_F_ORD_GREATER_THAN:
	case OP_F_UNORD_GREATER_THAN:
	case OP_F_ORD_LESS_THAN_EQUAL:
	case OP_F_UNORD_LESS_THAN_EQUAL:
	case OP_F_ORD_GREATER_THAN_EQUAL:
	case OP_F_UNORD_GREATER_THAN_EQUAL: float_compare(r, opcode); break;
	case OP_ANY:
	case OP_ALL: {
		bool result = opcode == OP_ALL;

		for (unsigned i = 0; i < components(type_of(r, r->w[3])); i++)
			result = opcode == OP_ALL ? result && component(r, r->w[3], i)
			                          : result || component(r, r->w[3], i);
		set_component(r, 0, result);
		break;
	}
	case OP_SELECT:
		note_moved(r, r->w[4]);
		note_moved(r, r->w[5]);
		select_value(r);
		if (type_of(r, r->w[3])->kind != TYPE_VECTOR)
			move_unknown(r, scalar(r, r->w[3]) ? r->w[4] : r->w[5]);
		break;
	case OP_VECTOR_SHUFFLE: shuffle(r); break;
	case OP_VECTOR_EXTRACT_DYNAMIC: dynamic_part(r, false); break;
	case OP_VECTOR_INSERT_DYNAMIC: dynamic_part(r, true); break;
	case OP_COMPOSITE_CONSTRUCT:
	case OP_COMPOSITE_EXTRACT:
	case OP_COMPOSITE_INSERT: composite(r, opcode); break;
	case OP_EXT_INST: standard_function(r); break;
	case OP_LIFETIME_START:
	case OP_LIFETIME_STOP: lifetime(r); break;
	case OP_MEMORY_BARRIER: memory_barrier(r); break;
	case OP_CONTROL_BARRIER: control_barrier(r); break;
	case OP_GROUP_ASYNC_COPY: begin_copy(r); break;
	case OP_GROUP_WAIT_EVENTS: wait_for_copies(r); break;
	case OP_GENERIC_PTR_MEM_SEMANTICS: {
		uint64_t number = scalar(r, r->w[3]) >> OFFSET_BITS;

		set_component(r, 0,
		              number > 0 && number <= r->m->object_count &&
		                              r->m->objects[number - 1].region == OCLMM_SPACE_LOCAL
		                      ? 0x100
		                      : 0x200);
		break;
	}
	case OP_GROUP_ALL:
	case OP_GROUP_ANY:
	case OP_GROUP_BROADCAST: collective(r, r->w[4]); break;
	case OP_GROUP_I_ADD:
	case OP_GROUP_F_ADD:
	case OP_GROUP_F_MIN:
	case OP_GROUP_U_MIN:
	case OP_GROUP_S_MIN:
	case OP_GROUP_F_MAX:
	case OP_GROUP_U_MAX:
	case OP_GROUP_S_MAX: collective(r, r->w[5]); break;
	case OP_LANES_BALLOT_BIT_EXTRACT:
	case OP_LANES_BALLOT_BIT_COUNT:
	case OP_LANES_BALLOT_FIND_LSB:
	case OP_LANES_BALLOT_FIND_MSB: read_ballot(r, opcode); break;
	default:
		if (is_non_uniform(opcode)) {
			lanes(r, opcode);
			break;
		}
		if ((opcode >= OP_ATOMIC_LOAD && opcode <= OP_ATOMIC_XOR) ||
		    opcode == OP_ATOMIC_FLAG_TEST_AND_SET || opcode == OP_ATOMIC_FLAG_CLEAR)
			atomic(r, opcode);
		else
			misunderstand(r, "");
		break;
	}
}

static void run_instruction(struct run *r)
{
	const struct module *m = r->m->module;
	uint16_t opcode;

	r->at = frame_of(r)->at;
	r->w = m->words + m->code[r->at].word;
	r->length = r->w[0] >> 16;
	opcode = r->w[0] & 0xffff;
	r->m->reached[r->at] = true;
	if (r->m->change_at[r->at] && r->m->change_at[r->at]->barrier && !head_of(r)->passed) {
		r->step->scope = OCLMM_SCOPE_WORK_GROUP;
		r->step->flags = r->m->change_at[r->at]->flags;
		wait_for_all(r);
		head_of(r)->pending = PENDING_BARRIER;
		return;
	}
	head_of(r)->passed = 0;
	if (r->m->lanes && unknowns_of(r)->count) {
		refuse_unknown_operands(r, opcode);
		if (r->over)
			return;
	}
	switch (opcode) {
	case OP_BRANCH: jump(r, r->w[1]); break;
	case OP_BRANCH_CONDITIONAL: jump(r, scalar(r, r->w[1]) ? r->w[2] : r->w[3]); break;
	case OP_SWITCH: switch_over(r); break;
	case OP_RETURN: leave(r, 0); break;
	case OP_RETURN_VALUE: leave(r, r->w[1]); break;
	case OP_UNREACHABLE: fault(r, true, "code that is never to be reached is"); break;
	case OP_FUNCTION_CALL: {
		uint32_t before = head_of(r)->frame;

		call(r);
		if (!r->over && head_of(r)->frame == before)
			finish_instruction(r);
		break;
	}
	case OP_PHI: frame_of(r)->at++; break;
	default:
		execute(r, opcode);
		if (!r->over)
			finish_instruction(r);
		break;
	}
}

/* ---- where a sub-group may meet ---- */

/* Notes the loop that a jump goes back to. */
static void add_loop(struct turning *t, uint32_t first, uint32_t last, struct oclmm_arena *arena)
{
	struct loop *more;

	for (uint32_t n = 0; n < t->count; n++)
		if (t->loops[n].first == first) {
			t->loops[n].last = last;
			return;
		}
	more = OCLMM_NEW_ARRAY(arena, struct loop, t->count + 1);
	if (t->count)
		memcpy(more, t->loops, t->count * sizeof(*more));
	more[t->count++] = (struct loop){.first = first, .last = last};
	t->loops = more;
}

/* Loops that `goto` has put halfway into each other are one inside the other from here on, so that
 * all turns of the code in them are counted. */
static void nest_loops(struct turning *t)
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t a = 0; a < t->count; a++)
			for (uint32_t b = 0; b < t->count; b++)
				if (t->loops[a].first < t->loops[b].first &&
				    t->loops[b].first <= t->loops[a].last &&
				    t->loops[a].last < t->loops[b].last) {
					t->loops[a].last = t->loops[b].last;
					again = true;
				}
	}
}

/* Who meets at an instruction, by its operand for that; they are alone who are no more than one. */
static unsigned meets_by(const struct machine *m, uint32_t id)
{
	const struct id *scope = &m->module->ids[id < m->module->bound ? id : 0];
	unsigned meets = DOES_MEET_GROUP | DOES_MEET_SUB_GROUP;

	if (scope->kind == ID_CONSTANT)
		meets = load_bits(scope->bytes, 4) == 3 ? DOES_MEET_SUB_GROUP : DOES_MEET_GROUP;
	return m->group_size > 1 ? meets : 0;
}

/* What an instruction does, with what it calls: a set of DOES_. */
static unsigned does_at(const struct machine *m, uint32_t at)
{
	const struct instruction *code = &m->module->code[at];
	const uint32_t *w = m->module->words + code->word;
	uint16_t opcode = w[0] & 0xffff;
	unsigned added = m->change_at[at] && m->change_at[at]->barrier && m->group_size > 1
	                         ? DOES_MEET_GROUP
	                         : 0;
	const struct id *callee;

	if (is_non_uniform(opcode) || (opcode >= OP_GROUP_ASYNC_COPY && opcode <= OP_GROUP_S_MAX))
		return added | meets_by(m, w[opcode == OP_GROUP_WAIT_EVENTS ? 1 : 3]);
	if (opcode == OP_CONTROL_BARRIER)
		return added | meets_by(m, w[1]);
	if (oclmm_machine_half_at(m->module, at) != OCLMM_BARRIER_WHOLE)
		return added | (m->group_size > 1 ? DOES_MEET_GROUP : 0);
	if ((opcode >= OP_ATOMIC_LOAD && opcode <= OP_ATOMIC_XOR && opcode != OP_ATOMIC_STORE) ||
	    opcode == OP_ATOMIC_FLAG_TEST_AND_SET)
		return added | DOES_ACCESS;
	if (opcode != OP_FUNCTION_CALL || w[3] >= m->module->bound)
		return added;
	callee = &m->module->ids[w[3]];
	if (callee->kind == ID_FUNCTION && is_weak_call(m->module->functions[callee->number].name))
		added |= DOES_ACCESS;
	return callee->kind == ID_FUNCTION ? added | m->turnings[callee->number].does : added;
}

static void find_loops(struct machine *m, uint32_t function)
{
	const struct module *module = m->module;
	struct turning *t = &m->turnings[function];
	uint32_t kept = 0;

	for (uint32_t i = 0; i < module->code_count; i++) {
		const uint32_t *w = module->words + module->code[i].word;
		uint16_t opcode = w[0] & 0xffff;

		if (module->code[i].function != function ||
		    (opcode != OP_BRANCH && opcode != OP_BRANCH_CONDITIONAL && opcode != OP_SWITCH))
			continue;
		for (uint32_t k = 1; k < w[0] >> 16; k++)
			if (w[k] < module->bound && module->ids[w[k]].kind == ID_LABEL &&
			    module->ids[w[k]].number <= i)
				add_loop(t, module->ids[w[k]].number, i, module->arena);
	}
	nest_loops(t);
	for (uint32_t n = 0; n < t->count; n++) {
		struct loop loop = t->loops[n];

		for (uint32_t i = loop.first; i <= loop.last; i++)
			loop.does |= does_at(m, i);
		if (loop.does & (DOES_MEET_GROUP | DOES_MEET_SUB_GROUP))
			t->loops[kept++] = loop;
	}
	t->count = kept;
}

static void find_turnings(struct machine *m)
{
	const struct module *module = m->module;
	unsigned does = 0;

	for (uint32_t i = 0; i < module->code_count; i++) {
		uint16_t opcode = module->words[module->code[i].word] & 0xffff;

		m->lanes = m->lanes || is_non_uniform(opcode) || opcode == OP_GROUP_BROADCAST ||
		           is_clock_at(module, i);
	}
	m->turnings = OCLMM_NEW_ARRAY(module->arena, struct turning, module->function_count + 1);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t i = 0; i < module->code_count; i++) {
			struct turning *t = &m->turnings[module->code[i].function];
			unsigned more = does_at(m, i) & ~t->does;

			t->does |= more;
			again = again || more;
			does |= more;
		}
	}
	if (!(does & (DOES_MEET_GROUP | DOES_MEET_SUB_GROUP)))
		m->turnings = NULL;
	for (uint32_t n = 0; m->turnings && n < module->function_count; n++)
		find_loops(m, n);
}

/* ---- the explorer's side ---- */

/* A copy of a value for the work-item alone. Returns the pointer to it. */
static uint64_t push_value(struct oclmm_thread_bytes *state, const struct value *value)
{
	uint32_t at = push_frame(state, value->size);

	memcpy(state->bytes + at, value->bytes, value->size);
	return (OBJECT_PRIVATE << OFFSET_BITS) + OFFSET_BEGIN + at;
}

static void begin(void *machine, unsigned thread, struct oclmm_thread_bytes *state)
{
	const struct machine *m = machine;
	uint64_t copies[256] = {0};
	const struct function *f = m->kernel;
	unsigned group = m->placed[thread].group;
	struct machine_head *head;
	struct frame_head *frame;
	uint32_t at;

	if (state->capacity < sizeof(struct machine_head)) {
		state->capacity = 4096;
		state->bytes = oclmm_realloc(state->bytes, state->capacity);
	}
	memset(state->bytes, 0, sizeof(struct machine_head));
	state->size = sizeof(struct machine_head);
	if (m->lanes)
		push_frame(state, sizeof(struct unknowns));
	/* structures by value stand in front of the frame */
	for (uint32_t i = 0; i < f->parameter_count; i++)
		if (m->values[i].pointed)
			copies[i] = push_value(state, &m->values[i]);
	at = push_frame(state, frame_size(m, f));
	head = (void *)state->bytes;
	head->frame = at;
	frame = (void *)(state->bytes + at);
	*frame = (struct frame_head){.function = (uint32_t)(f - m->module->functions),
	                             .at = f->first};
	for (uint32_t i = 0; i < f->parameter_count; i++) {
		const struct id *p = &m->module->ids[f->parameters[i]];
		uint32_t size = oclmm_module_type(m->module, p->type)->size;

		if (m->values[i].pointed)
			memcpy(state->bytes + at + p->slot, &copies[i], sizeof(copies[i]));
		else if (m->values[i].bytes)
			memcpy(state->bytes + at + p->slot, m->values[i].bytes, m->values[i].size);
		else
			memcpy(state->bytes + at + p->slot,
			       &m->arguments[(size_t)group * f->parameter_count + i],
			       size < 8 ? size : 8);
	}
}

/* The pointers to a frame's own variables are not stored: they say where it stands. */
static void set_pointers(struct run *r)
{
	const struct module *m = r->m->module;
	struct frame_head *f = frame_of(r);

	for (uint32_t i = f->at; i < m->code_count; i++) {
		const uint32_t *w = m->words + m->code[i].word;
		uint64_t pointer;

		if ((w[0] & 0xffff) != OP_VARIABLE)
			break;
		pointer = (OBJECT_PRIVATE << OFFSET_BITS) + OFFSET_BEGIN + head_of(r)->frame +
		          m->ids[w[2]].storage;
		memcpy((uint8_t *)f + m->ids[w[2]].slot, &pointer, sizeof(pointer));
	}
}

static void advance(void *machine, struct oclmm_explorer *explorer, unsigned thread,
                    struct oclmm_thread_bytes *state, uint64_t result,
                    struct oclmm_explored_step *ret_step)
{
	struct run r = {.m = machine,
	                .x = explorer,
	                .thread = thread,
	                .state = state,
	                .step = ret_step,
	                .next_turn = 8};
	const struct module *m = r.m->module;
	unsigned instructions = 0;

	if (head_of(&r)->pending == PENDING_BARRIER) {
		begin_turns(&r, UNIT_GROUP);
		head_of(&r)->pending = 0;
		head_of(&r)->passed = 1;
	} else if (head_of(&r)->pending) {
		uint32_t opcode;
		unsigned does;

		head_of(&r)->pending = 0;
		r.at = frame_of(&r)->at;
		r.w = m->words + m->code[r.at].word;
		r.length = r.w[0] >> 16;
		opcode = r.w[0] & 0xffff;
		if (opcode == OP_ATOMIC_FLAG_TEST_AND_SET)
			result = result != 0;
		does = r.m->turnings ? does_at(r.m, r.at) : 0;
		if (does & (DOES_MEET_GROUP | DOES_MEET_SUB_GROUP))
			begin_turns(&r, does & DOES_MEET_GROUP ? UNIT_GROUP : UNIT_SUB_GROUP);
		if (opcode == OP_FUNCTION_CALL &&
		    is_weak_call(m->functions[m->ids[r.w[3]].number].name))
			finish_weak_call(&r, result);
		else if (oclmm_machine_half_at(m, r.at) == OCLMM_BARRIER_WHOLE &&
		         opcode != OP_ATOMIC_STORE && opcode != OP_ATOMIC_FLAG_CLEAR &&
		         opcode != OP_CONTROL_BARRIER && opcode != OP_STORE &&
		         opcode != OP_GROUP_WAIT_EVENTS) {
			uint64_t lane, count;

			set_component(&r, 0, result);
			if (opcode == OP_LANES_BALLOT)
				set_component(&r, 1, result >> 32);
			refuse_mark(&r, result_type(&r), result_of(&r));
			if (takes_lane(&r, &lane, &count) && lane >= count)
				add_unknown(&r, slot_at(&r, r.w[2]), result_type(&r)->size, r.at);
		}
		finish_instruction(&r);
	}
	while (!r.over) {
		if (!frame_of(&r)->started) {
			frame_of(&r)->started = 1;
			set_pointers(&r);
		}
		run_instruction(&r);
		if (++instructions > INSTRUCTIONS_MOST && !r.over)
			misunderstand(&r, "more than four million instructions without an access");
	}
	free(r.old);
}

void oclmm_machine_source(struct machine *machine, struct oclmm_explored_source *ret_source)
{
	if (!machine->slices)
		make_slices(machine);
	find_turnings(machine);
	need_for_changes(machine);
	*ret_source = (struct oclmm_explored_source){.data = machine,
	                                             .begin = begin,
	                                             .advance = advance,
	                                             .meet = meet,
	                                             .forget = machine->blank_count ? forget : NULL,
	                                             .collect = collect,
	                                             .apart = note_apart};
}
