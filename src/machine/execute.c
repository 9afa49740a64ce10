// SPDX-License-Identifier: Apache-2.0
/*
 * Runs the code of one thread on concrete values. What its reads of shared memory return is
 * given; the stack, and what it stores as results, are its own and seen by nobody else. Beside each
 * value stand the reads that it depends on.
 */
#include "code.h"

enum {
	STACK_BYTES = 1024,
	CALLS_MOST = 16,
	TURNS_MOST = 64,   /* of which it is known how they began */
	STEPS_MOST = 4000, /* no thread of a test is as long; loops are */
};
#define STACK_BASE  UINT64_C(0x7fff0000)
#define BLOCK_BASE  UINT64_C(0x50000000)
#define RETURN_HERE UINT64_C(0x40000000)

struct value {
	uint64_t bits;
	uint64_t of;     /* reads, by their number among the events */
	uint64_t picked; /* those that only decided which of two values it is: code.picks */
};

struct own_byte {
	uint8_t byte;
	uint64_t of, picked;
};

struct thread {
	const struct code_place *place;
	struct value registers[MACHINE_REGISTERS];
	struct own_byte stack[STACK_BYTES];
	uint8_t block[PARAMETERS_MOST * 8];
	struct trace *trace;
	const uint64_t *choices;
	unsigned choice_count, chosen;
	uint64_t control;
	uint32_t calls[CALLS_MOST]; /* where those that are open go on */
	unsigned call_count;
	int monitor; /* the read of a linked load, or -1 */
	/* how turns of loops began, one behind the other */
	struct {
		uint32_t at;
		unsigned count; /* of events */
		uint64_t state;
	} turns[TURNS_MOST];
	unsigned turn_count;
	uint32_t asks;
};

static uint64_t lowest(uint64_t bits, unsigned bytes)
{
	return bytes >= 8 ? bits : bits & ((UINT64_C(1) << bytes * 8) - 1);
}

static int64_t with_sign(uint64_t bits, unsigned bytes)
{
	unsigned up = 64 - (bytes >= 8 ? 8 : bytes) * 8;

	return (int64_t)(bits << up) >> up;
}

/* ---- values ---------------------------------------------------------------- */

static struct value get(const struct thread *t, struct code_operand operand)
{
	if (operand.reg == NO_REGISTER) {
		uint64_t which = (uint64_t)operand.number - OCLMM_MACHINE_NUMBER;

		if (t->place->numbers && which < OCLMM_MACHINE_NUMBERS)
			return (struct value){.bits = t->place->numbers[which]};
		return (struct value){.bits = (uint64_t)operand.number};
	}
	return t->registers[operand.reg];
}

/* Lets a value depend on what another one depends on. */
static void depend(struct value *value, const struct value *on)
{
	value->of |= on->of;
	value->picked |= on->picked;
}

static void set(struct thread *t, const struct code *c, struct value value)
{
	struct value *to;

	if (c->to == NO_REGISTER)
		return;
	to = &t->registers[c->to];
	value.bits = lowest(value.bits, c->width);
	if (c->merge && c->width < 4) {
		value.bits |= to->bits & ~lowest(~UINT64_C(0), c->width);
		depend(&value, to);
	}
	*to = value;
}

static int64_t divide(const struct code *c, uint64_t a, uint64_t b)
{
	int64_t x = with_sign(a, c->width), y = with_sign(b, c->width);

	if (y == 0)
		return 0;
	if (y == -1)
		return c->op == OP_DIV ? (int64_t)(0 - (uint64_t)x) : 0;
	return c->op == OP_DIV ? x / y : x % y;
}

static uint64_t reverse(uint64_t value, unsigned bits)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < bits; i++)
		result |= (value >> i & 1) << (bits - 1 - i);
	return result;
}

/* A sum, or a difference, that stays at the limit of its type. */
static uint64_t saturate(const struct code *c, uint64_t a, uint64_t b)
{
	uint64_t top = UINT64_C(1) << (c->width * 8 - 1);
	bool sum = c->op == OP_SADD_SAT || c->op == OP_UADD_SAT;
	uint64_t result = lowest(sum ? a + b : a - b, c->width);

	if (c->op == OP_UADD_SAT)
		return result < a ? ~UINT64_C(0) : result;
	if (c->op == OP_USUB_SAT)
		return a < b ? 0 : result;
	if ((sum ? ~(a ^ b) : a ^ b) & (a ^ result) & top)
		return a & top ? top : top - 1;
	return result;
}

static uint64_t compute(const struct code *c, uint64_t a, uint64_t b)
{
	unsigned bits = c->width * 8u, by = (unsigned)b & (bits - 1);

	a = lowest(a, c->width);
	b = lowest(b, c->width);
	switch (c->op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_AND_NOT: return a & ~b;
	case OP_OR_NOT: return a | ~b;
	case OP_SHL: return a << by;
	case OP_SHR: return a >> by;
	case OP_SAR: return (uint64_t)(with_sign(a, c->width) >> by);
	case OP_MUL: return a * b;
	case OP_DIV:
	case OP_REM: return (uint64_t)divide(c, a, b);
	case OP_UDIV: return b ? a / b : 0;
	case OP_UREM: return b ? a % b : 0;
	case OP_MOVE: return b;
	case OP_NOT: return ~b;
	case OP_NEGATE: return 0 - b;
	case OP_REVERSE: return reverse(b, bits);
	case OP_COUNT: return (uint64_t)__builtin_popcountll(b);
	case OP_SMIN: return with_sign(a, c->width) < with_sign(b, c->width) ? a : b;
	case OP_SMAX: return with_sign(a, c->width) > with_sign(b, c->width) ? a : b;
	case OP_UMIN: return a < b ? a : b;
	case OP_UMAX: return a > b ? a : b;
	case OP_INC_WRAP: return a >= b ? 0 : a + 1;
	case OP_DEC_WRAP: return a == 0 || a > b ? b : a - 1;
	case OP_SADD_SAT:
	case OP_SSUB_SAT:
	case OP_UADD_SAT:
	case OP_USUB_SAT: return saturate(c, a, b);
	}
	return 0;
}

enum { ZERO = 1, NEGATIVE = 2, BELOW = 4, OVERFLOWN = 8 };

static uint64_t flags_of(const struct code *c, uint64_t a, uint64_t b)
{
	uint64_t top = UINT64_C(1) << (c->width * 8 - 1), result, flags = 0;
	bool below = false, over = false;

	a = lowest(a, c->width);
	b = lowest(b, c->width);
	result = lowest(compute(c, a, b), c->width);
	if (c->op == OP_SUB || c->op == OP_NEGATE) {
		if (c->op == OP_NEGATE)
			a = 0;
		below = a < b;
		over = ((a ^ b) & (a ^ result) & top) != 0;
	} else if (c->op == OP_ADD) {
		below = result < a;
		over = (~(a ^ b) & (a ^ result) & top) != 0;
	}
	if (c->sign)
		below = !below;
	flags |= result == 0 ? ZERO : 0;
	flags |= result & top ? NEGATIVE : 0;
	flags |= below ? BELOW : 0;
	return flags | (over ? OVERFLOWN : 0);
}

static bool is_met(enum code_condition condition, uint64_t flags)
{
	bool zero = flags & ZERO, below = flags & BELOW;
	bool less = !(flags & NEGATIVE) != !(flags & OVERFLOWN);

	switch (condition) {
	case IF_EQ: return zero;
	case IF_NE: return !zero;
	case IF_BELOW: return below;
	case IF_NOT_BELOW: return !below;
	case IF_NEGATIVE: return flags & NEGATIVE;
	case IF_NOT_NEGATIVE: return !(flags & NEGATIVE);
	case IF_OVERFLOW: return flags & OVERFLOWN;
	case IF_NO_OVERFLOW: return !(flags & OVERFLOWN);
	case IF_ABOVE: return !below && !zero;
	case IF_NOT_ABOVE: return below || zero;
	case IF_GE: return !less;
	case IF_LT: return less;
	case IF_GT: return !less && !zero;
	case IF_LE: return less || zero;
	}
	return false;
}

static bool holds(const struct code *c, uint64_t a, uint64_t b)
{
	int64_t x = with_sign(a, c->width), y = with_sign(b, c->width);

	a = lowest(a, c->width);
	b = lowest(b, c->width);
	switch (c->relation) {
	case REL_EQ: return a == b;
	case REL_NE: return a != b;
	case REL_LT: return x < y;
	case REL_LE: return x <= y;
	case REL_GT: return x > y;
	case REL_GE: return x >= y;
	case REL_ULT: return a < b;
	case REL_ULE: return a <= b;
	case REL_UGT: return a > b;
	case REL_UGE: return a >= b;
	}
	return false;
}

static void calculate(struct thread *t, const struct code *c)
{
	struct value a = get(t, c->a), b = get(t, c->b), x = get(t, c->c);
	struct value result = {.of = a.of | b.of, .picked = a.picked | b.picked};

	switch (c->kind) {
	case CODE_SET: result.bits = a.bits; break;
	case CODE_EXTEND:
		result.bits = c->sign ? (uint64_t)with_sign(a.bits, c->from)
		                      : lowest(a.bits, c->from);
		break;
	case CODE_COMPUTE: result.bits = compute(c, a.bits, b.bits); break;
	case CODE_FLAGS: result.bits = flags_of(c, a.bits, b.bits); break;
	case CODE_TEST: result.bits = is_met(c->condition, a.bits); break;
	case CODE_COMPARE: result.bits = holds(c, a.bits, b.bits); break;
	case CODE_NUMBER:
		if (t->place->numbers)
			result.bits = t->place->numbers[a.bits % OCLMM_MACHINE_NUMBERS];
		break;
	case CODE_SELECT:
		result = x.bits ? a : b;
		if (c->picks)
			result.picked |= x.of | x.picked;
		else
			depend(&result, &x);
		break;
	default: break;
	}
	if (c->kind == CODE_FLAGS || c->kind == CODE_TEST || c->kind == CODE_COMPARE)
		t->registers[c->to] = result;
	else
		set(t, c, result);
}

/* ---- memory ---------------------------------------------------------------- */

static struct value address_of(const struct thread *t, const struct code *c)
{
	const struct code_address *at = &c->address;
	struct value value = {.bits = (uint64_t)at->offset};

	if (at->base != NO_REGISTER) {
		value.bits += t->registers[at->base].bits;
		depend(&value, &t->registers[at->base]);
	}
	if (at->index != NO_REGISTER) {
		value.bits += t->registers[at->index].bits << at->shift;
		depend(&value, &t->registers[at->index]);
	}
	return value;
}

/* The bytes of a thread's own stack, or NULL. */
static struct own_byte *find_own(struct thread *t, uint64_t address, unsigned bytes)
{
	if (address < STACK_BASE || address + bytes > STACK_BASE + STACK_BYTES)
		return NULL;
	return &t->stack[address - STACK_BASE];
}

static struct value load_own(const struct own_byte *own, unsigned bytes)
{
	struct value value = {0};

	for (unsigned i = 0; i < bytes; i++) {
		value.bits |= (uint64_t)own[i].byte << i * 8;
		value.of |= own[i].of;
		value.picked |= own[i].picked;
	}
	return value;
}

static void store_own(struct own_byte *own, unsigned bytes, struct value value)
{
	for (unsigned i = 0; i < bytes; i++)
		own[i] = (struct own_byte){.byte = (uint8_t)(value.bits >> i * 8),
		                           .of = value.of,
		                           .picked = value.picked};
}

static bool find_cell(const struct thread *t, uint64_t address, unsigned bytes, uint32_t *ret_cell)
{
	for (uint32_t i = 0; i < t->place->cell_count; i++) {
		if (t->place->cells[i].address == address && t->place->cells[i].bytes == bytes) {
			*ret_cell = i;
			return true;
		}
	}
	return false;
}

static struct trace_event *add_event(struct thread *t, const struct code *c, enum trace_kind kind)
{
	struct trace_event *e;

	if (t->trace->count == TRACE_EVENTS)
		return NULL;
	e = &t->trace->event[t->trace->count++];
	*e = (struct trace_event){.kind = kind,
	                          .scope = c->scope,
	                          .partner = -1,
	                          .control_of = t->control,
	                          .line = c->line};
	return e;
}

/* The access of a code to a cell. */
struct access {
	const struct code *code;
	uint32_t cell;
	uint64_t address_of, address_picked;
	unsigned bytes;
};

static enum trace_end read_cell(struct thread *t, const struct access *access,
                                struct value *ret_value)
{
	struct trace_event *e;

	for (unsigned i = 0; access->code->stale && i < t->trace->count; i++) {
		if (t->trace->event[i].kind == TRACE_WRITE &&
		    t->trace->event[i].cell == access->cell)
			return TRACE_STALE;
	}
	if (t->chosen == t->choice_count) {
		t->asks = access->cell;
		return TRACE_ASKS;
	}
	e = add_event(t, access->code, TRACE_READ);
	if (!e)
		return TRACE_CUT;
	e->cell = access->cell;
	e->value = lowest(t->choices[t->chosen++], access->bytes);
	e->tags = access->code->read_tags;
	e->address_of = access->address_of;
	/* orders no read; but every write behind waits for the address */
	t->control |= access->address_picked;
	*ret_value = (struct value){.bits = e->value, .of = UINT64_C(1) << (t->trace->count - 1)};
	return TRACE_ENDED;
}

static enum trace_end write_cell(struct thread *t, const struct access *access, struct value value,
                                 int partner)
{
	struct trace_event *e = add_event(t, access->code, TRACE_WRITE);

	if (!e)
		return TRACE_CUT;
	e->cell = access->cell;
	e->value = lowest(value.bits, access->bytes);
	e->tags = access->code->write_tags;
	e->address_of = access->address_of;
	t->control |= access->address_picked;
	e->control_of |= access->address_picked | value.picked;
	e->data_of = value.of;
	e->partner = partner;
	if (partner >= 0)
		t->trace->event[partner].partner = (int)t->trace->count - 1;
	return TRACE_ENDED;
}

static bool writes_results(struct thread *t, const struct code *c, uint64_t address)
{
	if (c->kind != CODE_STORE || c->width != 8 || address < RESULTS_ADDRESS || address % 8 ||
	    address >= RESULTS_ADDRESS + (uint64_t)TRACE_WORDS * 8)
		return false;
	t->trace->results[(address - RESULTS_ADDRESS) / 8] = get(t, c->a).bits;
	return true;
}

/* The same for a thread's own memory, which no other thread changes. */
static void access_own(struct thread *t, const struct code *c, struct own_byte *own, unsigned bytes)
{
	struct value old = load_own(own, bytes), a = get(t, c->a), result = old;

	switch (c->kind) {
	case CODE_LOAD:
	case CODE_LINKED:
		if (c->from && c->sign)
			result.bits = (uint64_t)with_sign(old.bits, bytes);
		set(t, c, result);
		break;
	case CODE_STORE: store_own(own, bytes, a); break;
	case CODE_UPDATE:
		result.bits = compute(c, old.bits, a.bits);
		depend(&result, &a);
		store_own(own, bytes, result);
		set(t, c, old);
		break;
	case CODE_EXCHANGE_IF:
		if (old.bits == lowest(a.bits, bytes))
			store_own(own, bytes, get(t, c->b));
		set(t, c, old);
		break;
	default:
		store_own(own, bytes, a);
		set(t, c, (struct value){0});
		break;
	}
}

static enum trace_end access_cell(struct thread *t, const struct access *access)
{
	const struct code *c = access->code;
	struct value a = get(t, c->a), b = get(t, c->b), old, result;
	enum trace_end end;
	int read;

	if (c->kind == CODE_STORE)
		return write_cell(t, access, a, -1);
	if (c->kind == CODE_CONDITIONAL) {
		bool linked = t->monitor >= 0 && t->trace->event[t->monitor].cell == access->cell;
		int partner = t->monitor;

		t->monitor = -1;
		set(t, c, (struct value){.bits = !linked});
		return linked ? write_cell(t, access, a, partner) : TRACE_ENDED;
	}
	end = read_cell(t, access, &old);
	if (end != TRACE_ENDED)
		return end;
	read = (int)t->trace->count - 1;
	result = old;
	if (c->from && c->sign)
		result.bits = (uint64_t)with_sign(old.bits, access->bytes);
	if (c->kind == CODE_LINKED)
		t->monitor = read;
	if (c->kind == CODE_UPDATE) {
		struct value stored = a;

		stored.bits = compute(c, old.bits, a.bits);
		if (c->op != OP_MOVE)
			depend(&stored, &old);
		end = write_cell(t, access, stored, read);
	}
	if (c->kind == CODE_EXCHANGE_IF && old.bits == lowest(a.bits, access->bytes))
		end = write_cell(t, access, b, read);
	else if (c->kind == CODE_EXCHANGE_IF && c->fails)
		t->trace->event[read].tags = c->failure_tags;
	set(t, c, result);
	return end;
}

/* A load of a part of an object, as compilers make of one that is cast to a narrower type: it reads
 * the whole object and takes the part. `ret_end` is how. */
static bool load_part(struct thread *t, const struct access *access, uint64_t address,
                      enum trace_end *ret_end)
{
	const struct code *c = access->code;

	if (c->kind != CODE_LOAD)
		return false;
	for (uint32_t i = 0; i < t->place->cell_count; i++) {
		const struct code_cell *cell = &t->place->cells[i];
		struct access whole = *access;
		struct value value = {0};

		if (address < cell->address ||
		    address + access->bytes > cell->address + cell->bytes)
			continue;
		whole.cell = i;
		whole.bytes = cell->bytes;
		*ret_end = read_cell(t, &whole, &value);
		value.bits = lowest(value.bits >> (address - cell->address) * 8, access->bytes);
		if (c->from && c->sign)
			value.bits = (uint64_t)with_sign(value.bits, access->bytes);
		if (*ret_end == TRACE_ENDED)
			set(t, c, value);
		return true;
	}
	return false;
}

/* Whether a byte is of no object of a test, and one lies in its eight bytes. Nobody names such
 * memory: it holds 0, and an access that is wider than its object may store that again. */
static bool is_padding(const struct thread *t, uint64_t address)
{
	bool beside = false;

	for (uint32_t i = 0; i < t->place->cell_count; i++) {
		const struct code_cell *cell = &t->place->cells[i];

		if (address >= cell->address && address < cell->address + cell->bytes)
			return false;
		beside |= cell->address / 8 == address / 8;
	}
	return beside && !t->place->whole_kernel;
}

/* Whether a store is to a part of an object. `ret_cell` is that. */
static bool stores_part(const struct thread *t, const struct access *access, uint64_t address,
                        uint32_t *ret_cell)
{
	for (uint32_t i = 0; i < t->place->cell_count && !t->place->whole_kernel; i++) {
		const struct code_cell *cell = &t->place->cells[i];

		if (access->code->kind == CODE_STORE && access->bytes < cell->bytes &&
		    address >= cell->address && address % access->bytes == 0 &&
		    address + access->bytes <= cell->address + cell->bytes) {
			*ret_cell = i;
			return true;
		}
	}
	return false;
}

/* Whether bytes are of an object that is accessed in parts. */
static bool is_in_parts(const struct thread *t, uint64_t address, unsigned bytes)
{
	for (uint32_t i = 0; i < t->place->cell_count; i++) {
		const struct code_cell *cell = &t->place->cells[i];

		if (cell->is_part && address < cell->address + cell->bytes &&
		    cell->address < address + bytes)
			return true;
	}
	return false;
}

/* An access to several objects beside each other, one after the other: that they are reached at
 * once is nothing that anybody relies on. */
static enum trace_end access_cells(struct thread *t, const struct access *access, uint64_t address)
{
	const struct code *c = access->code;
	struct value whole = get(t, c->a), read = {0};
	unsigned done = 0;
	enum trace_end loaded;

	if (load_part(t, access, address, &loaded))
		return loaded;
	if (stores_part(t, access, address, &t->asks))
		return TRACE_PART;
	if (is_in_parts(t, address, access->bytes))
		return TRACE_MIXED;
	if ((c->kind != CODE_LOAD && c->kind != CODE_STORE) || c->sign)
		return TRACE_ASTRAY;
	while (done < access->bytes) {
		struct access part = *access;
		struct value value = {0};
		enum trace_end end;

		for (part.bytes = access->bytes / 2; part.bytes; part.bytes /= 2) {
			if (done + part.bytes <= access->bytes &&
			    find_cell(t, address + done, part.bytes, &part.cell))
				break;
		}
		value = whole;
		value.bits >>= done * 8;
		if (!part.bytes) {
			if (!is_padding(t, address + done) ||
			    (c->kind == CODE_STORE && (value.bits & 0xff)))
				return TRACE_ASTRAY;
			done++;
			continue;
		}
		end = c->kind == CODE_STORE ? write_cell(t, &part, value, -1)
		                            : read_cell(t, &part, &value);
		if (end != TRACE_ENDED)
			return end;
		read.bits |= value.bits << done * 8;
		depend(&read, &value);
		done += part.bytes;
	}
	if (c->kind == CODE_LOAD)
		set(t, c, read);
	return TRACE_ENDED;
}

/* At most eight bytes that begin somewhere in words of eight. */
static uint64_t bytes_at(const uint64_t *words, uint64_t at, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (words[(at + i) / 8] >> (at + i) % 8 * 8 & 0xff) << i * 8;
	return value;
}

static bool load_block(struct thread *t, const struct code *c, uint64_t address, unsigned bytes)
{
	struct value value = {0};

	if (c->kind != CODE_LOAD)
		return false;
	if (address >= CONTEXT_ADDRESS &&
	    address + bytes <= CONTEXT_ADDRESS + (uint64_t)t->place->context_words * 8) {
		value.bits = bytes_at(t->place->context, address - CONTEXT_ADDRESS, bytes);
		set(t, c, value);
		return true;
	}
	if (address >= CONSTANTS_ADDRESS &&
	    address + bytes <=
	            CONSTANTS_ADDRESS + t->place->function->constant_count * UINT64_C(8)) {
		value.bits = bytes_at(t->place->function->constants, address - CONSTANTS_ADDRESS,
		                      bytes);
		if (c->from && c->sign)
			value.bits = (uint64_t)with_sign(value.bits, bytes);
		set(t, c, value);
		return true;
	}
	if (address < BLOCK_BASE || address + bytes > BLOCK_BASE + sizeof(t->block))
		return false;
	for (unsigned i = 0; i < bytes; i++)
		value.bits |= (uint64_t)t->block[address - BLOCK_BASE + i] << i * 8;
	set(t, c, value);
	return true;
}

static enum trace_end access_memory(struct thread *t, const struct code *c)
{
	struct value at = address_of(t, c);
	struct access access = {.code = c,
	                        .bytes = c->from ? c->from : c->width,
	                        .address_of = at.of,
	                        .address_picked = at.picked};
	struct own_byte *own = find_own(t, at.bits, access.bytes);

	if (own) {
		/* a locked operation on one's own stack is a fence, too */
		if (c->kind == CODE_UPDATE && c->write_tags) {
			struct trace_event *e = add_event(t, c, TRACE_FENCE);

			if (!e)
				return TRACE_CUT;
			e->tags = c->write_tags;
		}
		access_own(t, c, own, access.bytes);
		return TRACE_ENDED;
	}
	if (writes_results(t, c, at.bits) || load_block(t, c, at.bits, access.bytes))
		return TRACE_ENDED;
	if (find_cell(t, at.bits, access.bytes, &access.cell))
		return access_cell(t, &access);
	return access_cells(t, &access, at.bits);
}

/* memset and memcpy, of the thread's own memory alone: what others see is no matter of bytes. */
static enum trace_end move_bytes(struct thread *t, const struct code *c)
{
	struct value to = get(t, c->a), from = get(t, c->b), bytes = get(t, c->c);
	struct own_byte *own, *other = NULL;

	if (bytes.bits > STACK_BYTES)
		return TRACE_ASTRAY;
	own = find_own(t, to.bits, (unsigned)bytes.bits);
	if (c->kind == CODE_COPY)
		other = find_own(t, from.bits, (unsigned)bytes.bits);
	if (!own || (c->kind == CODE_COPY && !other))
		return TRACE_ASTRAY;
	if (other) {
		memmove(own, other, bytes.bits * sizeof(*own));
	} else {
		for (uint64_t i = 0; i < bytes.bits; i++)
			store_own(own + i, 1, from);
	}
	set(t, c, to);
	return TRACE_ENDED;
}

/* ---- the way through ------------------------------------------------------- */

static void put_block(struct thread *t, unsigned *at, uint64_t value, unsigned bytes)
{
	*at = (*at + bytes - 1) / bytes * bytes;
	for (unsigned i = 0; i < bytes; i++)
		t->block[*at + i] = (uint8_t)(value >> i * 8);
	*at += bytes;
}

static void enter(struct thread *t)
{
	const struct code_convention *convention = t->place->convention;
	uint64_t stack = STACK_BASE + STACK_BYTES / 2;
	unsigned block = 0, beyond = 0;

	if (convention->stack != NO_REGISTER)
		t->registers[convention->stack].bits = stack;
	if (convention->block != NO_REGISTER)
		t->registers[convention->block].bits = BLOCK_BASE;
	if (convention->lanes)
		t->registers[convention->lanes].bits = 1;
	for (unsigned i = 0; i < t->place->parameter_count; i++) {
		uint64_t value = t->place->parameter[i].value;

		if (convention->block != NO_REGISTER) {
			put_block(t, &block, value, t->place->parameter[i].bytes);
		} else if (i < convention->arguments) {
			t->registers[convention->argument[i]].bits = value;
		} else {
			struct own_byte *own = find_own(
				t, stack + convention->stack_offset + (uint64_t)beyond++ * 8, 8);

			store_own(own, 8, (struct value){.bits = value});
		}
	}
}

static enum trace_end step(struct thread *t, const struct code *c, uint32_t *at)
{
	struct trace_event *e;

	switch (c->kind) {
	case CODE_LOAD:
	case CODE_STORE:
	case CODE_UPDATE:
	case CODE_EXCHANGE_IF:
	case CODE_LINKED:
	case CODE_CONDITIONAL: return access_memory(t, c);
	case CODE_FENCE:
	case CODE_BARRIER:
		e = add_event(t, c, c->kind == CODE_FENCE ? TRACE_FENCE : TRACE_BARRIER);
		if (!e)
			return TRACE_CUT;
		e->tags = c->read_tags;
		e->sub_group = c->sub_group;
		e->half = c->half;
		e->orders = get(t, c->a).bits != 0;
		return TRACE_ENDED;
	case CODE_BRANCH:
		t->control |= get(t, c->a).of | get(t, c->a).picked;
		if (get(t, c->a).bits)
			*at = c->target;
		return TRACE_ENDED;
	case CODE_FILL:
	case CODE_COPY: return move_bytes(t, c);
	case CODE_JUMP: *at = c->target; return TRACE_ENDED;
	case CODE_CALL:
		if (t->call_count == CALLS_MOST)
			return TRACE_CUT;
		t->calls[t->call_count++] = *at;
		*at = c->target;
		return TRACE_ENDED;
	case CODE_RETURN:
		*at = t->call_count ? t->calls[--t->call_count] : UINT32_MAX;
		return TRACE_ENDED;
	case CODE_BEYOND: return TRACE_ASTRAY;
	default: calculate(t, c); return TRACE_ENDED;
	}
}

/* ---- loops that wait --------------------------------------------------------- */

/* Whether events from one on change nothing that others see: reads, fences, and updates that write
 * what they read. */
static bool changes_nothing(const struct trace *trace, unsigned from)
{
	for (unsigned i = from; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];

		if (e->kind == TRACE_BARRIER)
			return false;
		if (e->kind == TRACE_WRITE &&
		    (e->partner < (int)from || trace->event[e->partner].value != e->value))
			return false;
	}
	return true;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
}

/* All that decides how it goes on. */
static uint64_t state_of(const struct thread *t)
{
	uint64_t hash = (uint64_t)(t->monitor >= 0);

	for (unsigned i = 0; i < MACHINE_REGISTERS; i++)
		hash = t->registers[i].bits ? mix(hash ^ i, t->registers[i].bits) : hash;
	for (unsigned i = 0; i < STACK_BYTES; i++)
		hash = t->stack[i].byte ? mix(hash ^ (i + MACHINE_REGISTERS), t->stack[i].byte)
		                        : hash;
	for (unsigned i = 0; i < t->call_count; i++)
		hash = mix(hash, t->calls[i]);
	return hash;
}

/* Notes that a turn of a loop begins at a code. Returns whether the turn before began as this one
 * does, and changed nothing. */
static bool turns_again(struct thread *t, uint32_t at)
{
	uint64_t state = state_of(t);

	for (unsigned i = 0; i < t->turn_count; i++)
		if (t->turns[i].at == at && t->turns[i].state == state &&
		    changes_nothing(t->trace, t->turns[i].count))
			return true;
	if (t->turn_count < TURNS_MOST) {
		t->turns[t->turn_count].at = at;
		t->turns[t->turn_count].count = t->trace->count;
		t->turns[t->turn_count++].state = state;
	}
	return false;
}

/* Whether it is done; one that is not leaves its result as it was, which depends on the guard. */
static bool passes_guard(struct thread *t, const struct code *c)
{
	const struct value *guard;

	if (c->guard == NO_REGISTER)
		return true;
	guard = &t->registers[c->guard];
	/* machines with guards order nothing by control alone, but that no value comes from nowhere
	 */
	if (c->kind >= CODE_LOAD)
		t->control |= guard->of;
	else if (c->to != NO_REGISTER)
		t->registers[c->to].of |= guard->of;
	return (guard->bits != 0) != c->guard_not;
}

enum trace_end oclmm_code_run(const struct code_place *place, const uint64_t *choices,
                              unsigned choice_count, struct trace *trace, uint32_t *ret_cell,
                              uint32_t *ret_line)
{
	static _Thread_local struct thread t;
	enum trace_end end = TRACE_ENDED;
	uint32_t at = 0;

	memset(&t, 0, sizeof(t));
	memset(trace->results, 0, sizeof(trace->results));
	trace->count = 0;
	t.place = place;
	t.trace = trace;
	t.choices = choices;
	t.choice_count = choice_count;
	t.monitor = -1;
	enter(&t);
	for (unsigned steps = 0; end == TRACE_ENDED && at < place->function->count; steps++) {
		const struct code *c = &place->function->code[at++];
		uint32_t next = at;

		if (steps == STEPS_MOST)
			return TRACE_CUT;
		*ret_line = c->line;
		if (passes_guard(&t, c))
			end = step(&t, c, &at);
		if (end == TRACE_ENDED && place->whole_kernel && at < next && turns_again(&t, at))
			end = TRACE_WAITS;
	}
	*ret_cell = t.asks;
	return end;
}
