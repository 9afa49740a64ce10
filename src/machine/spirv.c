// SPDX-License-Identifier: Apache-2.0
/*
 * SPIR-V as a machine of its own: what spirv-dis prints of a module (--raw-id --no-indent), after
 * the SPIR-V specification, chapter 3. What an instruction asks for by its memory semantics and
 * scope is judged by OpenCL's own model; what a driver makes of it is not seen.
 */
#include "code.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	TAG_ATOMIC = 1,
	TAG_ACQ = 2,
	TAG_REL = 4,
	TAG_SC = 8,
	TAG_GLOBAL = 16, /* of fences: which memory */
	TAG_LOCAL = 32,
	/* registers of the convention */
	BLOCK = 0,
	STACK = 1,
	FROM = 2, /* the block that control came from */
	WORDS_MOST = 64,
};

/* ---- instructions --------------------------------------------------------------- */

struct instruction {
	struct reader *reader;
	const char *at; /* where it stands in the whole text */
	char text[1024];
	const char *word[WORDS_MOST]; /* the operands behind the name */
	unsigned count;
	const char *result; /* `%27`, or NULL */
	const char *name;   /* without Op */
};

static const char *text_of(const struct instruction *i)
{
	return i->reader->assembly ? i->reader->assembly->text : NULL;
}

static int refuse(const struct instruction *i)
{
	return oclmm_code_refuse(i->reader, i->result ? i->name : "");
}

static bool cut(struct instruction *i, const char *text, size_t length)
{
	char *at = i->text, *word;

	i->count = 0;
	i->result = NULL;
	i->name = NULL;
	if (length >= sizeof(i->text))
		return false;
	memcpy(i->text, text, length);
	i->text[length] = '\0';
	while ((word = strsep(&at, " \t"))) {
		if (!*word || strcmp(word, "=") == 0)
			continue;
		if (!i->name && *word == '%')
			i->result = word;
		else if (!i->name && strncmp(word, "Op", 2) == 0)
			i->name = word + 2;
		else if (!i->name || i->count == WORDS_MOST)
			return false;
		else
			i->word[i->count++] = word;
	}
	return i->name != NULL;
}

/* Where the instruction is whose result an id is, or NULL: mostly a little before its use, or at
 * the head of the text, where types and constants are. */
static const char *find_definition(const struct instruction *i, const char *id)
{
	enum { NEAR = 4096 };
	const char *text = text_of(i), *from, *at;
	char words[64];

	if (!text || *id != '%')
		return NULL;
	snprintf(words, sizeof(words), "\n%s = ", id);
	from = i->at - text > NEAR ? i->at - NEAR : text;
	at = memmem(from, (size_t)(i->at - from), words, strlen(words));
	if (!at)
		at = strstr(text, words);
	return at ? at + 1 : NULL;
}

/* The instruction whose result an id is. */
static bool define(const struct instruction *i, const char *id, struct instruction *ret)
{
	const char *at = find_definition(i, id);

	ret->reader = i->reader;
	ret->at = i->at;
	return at && cut(ret, at, strcspn(at, "\n"));
}

/* ---- types ------------------------------------------------------------------------ */

static bool size_of(const struct instruction *i, const char *type, uint64_t *ret_size);
static bool aligned(const struct instruction *i, const char *type, uint64_t *ret_multiple);

/* The type that a pointer's type points to. */
static bool pointee(const struct instruction *i, const char *type, struct instruction *d,
                    const char **ret_type)
{
	if (!define(i, type, d) || strcmp(d->name, "TypePointer") != 0 || d->count != 2)
		return false;
	*ret_type = d->word[1];
	return true;
}

/* A whole number that is constant. */
static bool constant(const struct instruction *i, const char *id, uint64_t *ret_value)
{
	struct instruction d;
	int64_t number;

	if (!define(i, id, &d))
		return false;
	if (strcmp(d.name, "ConstantNull") == 0 || strcmp(d.name, "ConstantFalse") == 0 ||
	    strcmp(d.name, "Undef") == 0) {
		*ret_value = 0;
		return true;
	}
	if (strcmp(d.name, "ConstantTrue") == 0) {
		*ret_value = 1;
		return true;
	}
	if (strcmp(d.name, "Constant") != 0 || d.count != 2 ||
	    !oclmm_code_parse_number(d.word[1], &number))
		return false;
	*ret_value = (uint64_t)number;
	return true;
}

/*
 * Where a member of a structure begins, each at a multiple of its own size as OpenCL C has it; of
 * the one behind the last the size of the structure, in which the greatest of them counts. A packed
 * one is not known.
 */
static bool member_of(const struct instruction *i, const struct instruction *structure,
                      uint64_t member, uint64_t *ret_offset)
{
	uint64_t at = 0, most = 1, size, each;
	char packed[64];

	snprintf(packed, sizeof(packed), "\nOpDecorate %s CPacked", structure->result);
	if (!structure->count || member > structure->count || strstr(text_of(i), packed))
		return false;
	for (unsigned n = 0; n < structure->count; n++) {
		if (!size_of(i, structure->word[n], &size) ||
		    !aligned(i, structure->word[n], &each))
			return false;
		at = (at + each - 1) / each * each;
		if (n == member) {
			*ret_offset = at;
			return true;
		}
		at += size;
		most = each > most ? each : most;
	}
	*ret_offset = (at + most - 1) / most * most;
	return true;
}

/* What the address of something of a type is a multiple of. */
static bool aligned(const struct instruction *i, const char *type, uint64_t *ret_multiple)
{
	struct instruction d;
	uint64_t each, most = 1;

	if (!define(i, type, &d))
		return false;
	if (strcmp(d.name, "TypeArray") == 0 && d.count == 2)
		return aligned(i, d.word[0], ret_multiple);
	if (strcmp(d.name, "TypeStruct") != 0)
		return size_of(i, type, ret_multiple) && *ret_multiple;
	for (unsigned n = 0; n < d.count; n++) {
		if (!aligned(i, d.word[n], &each))
			return false;
		most = each > most ? each : most;
	}
	*ret_multiple = most;
	return true;
}

static bool size_of(const struct instruction *i, const char *type, uint64_t *ret_size)
{
	struct instruction d;
	uint64_t count;

	if (!define(i, type, &d))
		return false;
	if (strcmp(d.name, "TypeStruct") == 0)
		return member_of(i, &d, d.count, ret_size);
	if (strcmp(d.name, "TypeInt") == 0 && d.count == 2)
		*ret_size = strtoul(d.word[0], NULL, 10) / 8;
	else if (strcmp(d.name, "TypeBool") == 0)
		*ret_size = 1;
	else if (strcmp(d.name, "TypePointer") == 0)
		*ret_size = 8;
	else if (strcmp(d.name, "TypeArray") != 0 || d.count != 2 ||
	         !size_of(i, d.word[0], ret_size) || !constant(i, d.word[1], &count))
		return false;
	else
		*ret_size *= count;
	return true;
}

/* Of a number or a pointer. */
static bool width_of(const struct instruction *i, const char *type, unsigned *ret_width)
{
	uint64_t size;

	if (!size_of(i, type, &size) || (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	*ret_width = (unsigned)size;
	return true;
}

/* The type of an id. */
static bool type_of(const struct instruction *i, const char *id, char *ret_type, size_t size)
{
	struct instruction d;

	if (!define(i, id, &d) || !d.count)
		return false;
	snprintf(ret_type, size, "%s", d.word[0]);
	return true;
}

/* ---- operands ---------------------------------------------------------------------- */

static bool value_of(const struct instruction *i, const char *id, struct code_operand *ret_value)
{
	uint64_t number;

	if (constant(i, id, &number)) {
		*ret_value = oclmm_code_number((int64_t)number);
		return true;
	}
	*ret_value = oclmm_code_value(*id == '%' ? oclmm_code_register(i->reader, id)
	                                         : NO_REGISTER);
	return ret_value->reg != NO_REGISTER;
}

static bool value_at(const struct instruction *i, unsigned at, struct code_operand *ret_value)
{
	return at < i->count && value_of(i, i->word[at], ret_value);
}

/* The result, and how wide it is: the first operand is its type. */
static bool target_of(const struct instruction *i, uint16_t *ret_reg, unsigned *ret_width)
{
	if (!i->result || !i->count || !width_of(i, i->word[0], ret_width))
		return false;
	*ret_reg = oclmm_code_register(i->reader, i->result);
	return *ret_reg != NO_REGISTER;
}

static bool address_at(const struct instruction *i, unsigned at, struct code_address *ret_address)
{
	struct code_operand value;

	if (!value_at(i, at, &value) || value.reg == NO_REGISTER)
		return false;
	*ret_address = (struct code_address){.base = value.reg, .index = NO_REGISTER};
	return true;
}

/* The width of what a pointer points to. */
static bool width_at(const struct instruction *i, unsigned at, unsigned *ret_width)
{
	struct instruction d;
	const char *type;
	char pointer[32];

	return at < i->count && type_of(i, i->word[at], pointer, sizeof(pointer)) &&
	       pointee(i, pointer, &d, &type) && width_of(i, type, ret_width);
}

static bool scope_at(const struct instruction *i, unsigned at, enum oclmm_scope *ret_scope)
{
	static const enum oclmm_scope scopes[] = {OCLMM_SCOPE_ALL_SVM_DEVICES, OCLMM_SCOPE_DEVICE,
	                                          OCLMM_SCOPE_WORK_GROUP, OCLMM_SCOPE_SUB_GROUP,
	                                          OCLMM_SCOPE_WORK_ITEM};
	uint64_t number;

	if (at >= i->count || !constant(i, i->word[at], &number) || number >= OCLMM_COUNT(scopes))
		return false;
	*ret_scope = scopes[number];
	return true;
}

/* Memory semantics: orders, and which memory they are for. */
static bool semantics_at(const struct instruction *i, unsigned at, unsigned *ret_tags)
{
	enum {
		ACQUIRE = 2,
		RELEASE = 4,
		ACQ_REL = 8,
		SEQ_CST = 16,
		SUB_GROUP = 0x80,
		WORKGROUP = 0x100,
		CROSS_WORKGROUP = 0x200,
		IMAGE = 0x800,
	};
	uint64_t bits;
	unsigned tags = 0;

	if (at >= i->count || !constant(i, i->word[at], &bits))
		return false;
	if (bits & ~(uint64_t)(ACQUIRE | RELEASE | ACQ_REL | SEQ_CST | SUB_GROUP | WORKGROUP |
	                       CROSS_WORKGROUP | IMAGE))
		return false;
	tags |= bits & (ACQUIRE | ACQ_REL | SEQ_CST) ? TAG_ACQ : 0;
	tags |= bits & (RELEASE | ACQ_REL | SEQ_CST) ? TAG_REL : 0;
	tags |= bits & SEQ_CST ? TAG_SC : 0;
	tags |= bits & CROSS_WORKGROUP ? TAG_GLOBAL : 0;
	tags |= bits & WORKGROUP ? TAG_LOCAL : 0;
	*ret_tags = tags;
	return true;
}

/* ---- memory ------------------------------------------------------------------------ */

static struct code *add(const struct instruction *i, enum code_kind kind, unsigned width)
{
	struct code *c = oclmm_code_add(i->reader, kind);

	c->width = (uint8_t)width;
	return c;
}

static int read_load(const struct instruction *i)
{
	struct code_address address;
	unsigned width;
	uint16_t to;
	struct code *c;

	if (i->count < 2 || !target_of(i, &to, &width) || !address_at(i, 1, &address))
		return refuse(i);
	c = add(i, CODE_LOAD, width);
	c->to = to;
	c->address = address;
	return 0;
}

static int read_store(const struct instruction *i)
{
	struct code_address address;
	struct code_operand value;
	unsigned width;
	struct code *c;

	if (i->count < 2 || !address_at(i, 0, &address) || !value_at(i, 1, &value) ||
	    !width_at(i, 0, &width))
		return refuse(i);
	c = add(i, CODE_STORE, width);
	c->a = value;
	c->address = address;
	return 0;
}

static unsigned read_side(unsigned tags)
{
	return TAG_ATOMIC | (tags & (TAG_ACQ | TAG_SC));
}

static unsigned write_side(unsigned tags)
{
	return TAG_ATOMIC | (tags & (TAG_REL | TAG_SC));
}

static const struct {
	const char *name;
	enum code_op op;
	int64_t alone; /* the operand where there is none, or 0 */
} updates[] = {
	{"AtomicExchange", OP_MOVE, 0},  {"AtomicIAdd", OP_ADD, 0},
	{"AtomicISub", OP_SUB, 0},       {"AtomicSMin", OP_SMIN, 0},
	{"AtomicUMin", OP_UMIN, 0},      {"AtomicSMax", OP_SMAX, 0},
	{"AtomicUMax", OP_UMAX, 0},      {"AtomicAnd", OP_AND, 0},
	{"AtomicOr", OP_OR, 0},          {"AtomicXor", OP_XOR, 0},
	{"AtomicIIncrement", OP_ADD, 1}, {"AtomicIDecrement", OP_SUB, 1},
};

static int read_update(const struct instruction *i, size_t which)
{
	struct code_operand value = oclmm_code_number(updates[which].alone);
	struct code_address address;
	enum oclmm_scope scope;
	unsigned width, tags;
	uint16_t to;
	struct code *c;

	if (i->count != (updates[which].alone ? 4u : 5u) || !target_of(i, &to, &width) ||
	    !address_at(i, 1, &address) || !scope_at(i, 2, &scope) || !semantics_at(i, 3, &tags) ||
	    (!updates[which].alone && !value_at(i, 4, &value)))
		return refuse(i);
	c = add(i, CODE_UPDATE, width);
	c->op = updates[which].op;
	c->to = to;
	c->a = value;
	c->address = address;
	c->scope = scope;
	c->read_tags = read_side(tags);
	c->write_tags = write_side(tags);
	return 0;
}

/* Type, pointer, scope, semantics where equal, where unequal, value, what it is compared with. */
static int read_compare_exchange(const struct instruction *i)
{
	struct code_operand value, compared;
	struct code_address address;
	enum oclmm_scope scope;
	unsigned width, equal, unequal;
	uint16_t to;
	struct code *c;

	if (i->count != 7 || !target_of(i, &to, &width) || !address_at(i, 1, &address) ||
	    !scope_at(i, 2, &scope) || !semantics_at(i, 3, &equal) ||
	    !semantics_at(i, 4, &unequal) || !value_at(i, 5, &value) || !value_at(i, 6, &compared))
		return refuse(i);
	c = add(i, CODE_EXCHANGE_IF, width);
	c->to = to;
	c->a = compared;
	c->b = value;
	c->address = address;
	c->scope = scope;
	c->read_tags = read_side(equal);
	c->write_tags = write_side(equal);
	c->fails = true;
	c->failure_tags = read_side(unequal);
	return 0;
}

static int read_atomic(const struct instruction *i)
{
	bool load = strcmp(i->name, "AtomicLoad") == 0, store = strcmp(i->name, "AtomicStore") == 0;
	bool set = strcmp(i->name, "AtomicFlagTestAndSet") == 0;
	bool clear = strcmp(i->name, "AtomicFlagClear") == 0;
	struct code_operand value = oclmm_code_number(set ? 1 : 0);
	struct code_address address;
	enum oclmm_scope scope;
	unsigned at = load || set ? 1 : 0, width, tags, unused;
	uint16_t to = NO_REGISTER, old;
	struct code *c;

	for (size_t n = 0; n < OCLMM_COUNT(updates); n++) {
		if (strcmp(updates[n].name, i->name) == 0)
			return read_update(i, n);
	}
	if (strncmp(i->name, "AtomicCompareExchange", 21) == 0)
		return read_compare_exchange(i);
	if ((!load && !store && !set && !clear) || i->count != at + 3u + store ||
	    !address_at(i, at, &address) || !scope_at(i, at + 1, &scope) ||
	    !semantics_at(i, at + 2, &tags) || !width_at(i, at, &width) ||
	    (store && !value_at(i, 3, &value)) || (at && !target_of(i, &to, &unused)))
		return refuse(i);
	old = set ? oclmm_code_temporary(i->reader) : to;
	c = add(i, load ? CODE_LOAD : set ? CODE_UPDATE : CODE_STORE, width);
	c->op = OP_MOVE;
	c->to = old;
	c->a = value;
	c->address = address;
	c->scope = scope;
	c->read_tags = load || set ? read_side(tags) : 0;
	c->write_tags = load ? 0 : write_side(tags);
	if (set) {
		c = add(i, CODE_COMPARE, width);
		c->relation = REL_NE;
		c->to = to;
		c->a = oclmm_code_value(old);
		c->b = oclmm_code_number(0);
	}
	return 0;
}

static void add_fence(const struct instruction *i, unsigned tags, enum oclmm_scope scope)
{
	struct code *c = oclmm_code_add(i->reader, CODE_FENCE);

	c->read_tags = tags;
	c->scope = scope;
}

/* A barrier releases before it and acquires behind it, where it has semantics. */
static int read_barrier(const struct instruction *i)
{
	bool control = strcmp(i->name, "ControlBarrier") == 0;
	enum oclmm_scope execution = OCLMM_SCOPE_WORK_GROUP, scope;
	unsigned tags, flags;
	struct code *c;

	if (i->count != 2u + control || (control && !scope_at(i, 0, &execution)) ||
	    !scope_at(i, control, &scope) || !semantics_at(i, 1u + control, &tags) ||
	    (execution != OCLMM_SCOPE_WORK_GROUP && execution != OCLMM_SCOPE_SUB_GROUP))
		return refuse(i);
	flags = tags & (TAG_GLOBAL | TAG_LOCAL);
	if (!control) {
		if (tags & (TAG_ACQ | TAG_REL))
			add_fence(i, tags, scope);
		return 0;
	}
	if (flags && tags & TAG_REL)
		add_fence(i, flags | TAG_REL, scope);
	c = oclmm_code_add(i->reader, CODE_BARRIER);
	c->sub_group = execution == OCLMM_SCOPE_SUB_GROUP;
	c->scope = scope;
	if (flags && tags & TAG_ACQ)
		add_fence(i, flags | TAG_ACQ, scope);
	return 0;
}

/* ---- addresses ----------------------------------------------------------------------- */

static void add_index(const struct instruction *i, uint16_t to, struct code_operand index,
                      unsigned index_width, uint64_t size)
{
	uint16_t scaled = oclmm_code_temporary(i->reader);
	struct code *c = add(i, CODE_EXTEND, 8);

	c->from = (uint8_t)index_width;
	c->sign = true;
	c->to = scaled;
	c->a = index;
	c = add(i, CODE_COMPUTE, 8);
	c->op = OP_MUL;
	c->to = scaled;
	c->a = oclmm_code_value(scaled);
	c->b = oclmm_code_number((int64_t)size);
	c = add(i, CODE_COMPUTE, 8);
	c->op = OP_ADD;
	c->to = to;
	c->a = oclmm_code_value(to);
	c->b = oclmm_code_value(scaled);
}

/* With an element first, or without; what follows goes into arrays and structures. */
static int read_chain(const struct instruction *i)
{
	bool element = strstr(i->name, "PtrAccessChain") != NULL;
	struct instruction d;
	struct code_operand base, index;
	char type[32];
	const char *pointed;
	unsigned width, index_width;
	uint64_t size;
	uint16_t to;
	struct code *c;

	if (!target_of(i, &to, &width) || !value_at(i, 1, &base) ||
	    !type_of(i, i->word[1], type, sizeof(type)) || !pointee(i, type, &d, &pointed))
		return refuse(i);
	snprintf(type, sizeof(type), "%s", pointed);
	c = add(i, CODE_SET, 8);
	c->to = to;
	c->a = base;
	for (unsigned n = 2; n < i->count; n++) {
		char index_type[32];

		if (n > 2 || !element) {
			uint64_t member, offset;
			bool structure;

			if (!define(i, type, &d))
				return refuse(i);
			structure = strcmp(d.name, "TypeStruct") == 0;
			if (structure && (!constant(i, i->word[n], &member) || member >= d.count ||
			                  !member_of(i, &d, member, &offset)))
				return refuse(i);
			if (structure) {
				snprintf(type, sizeof(type), "%s", d.word[member]);
				c = add(i, CODE_COMPUTE, 8);
				c->op = OP_ADD;
				c->to = to;
				c->a = oclmm_code_value(to);
				c->b = oclmm_code_number((int64_t)offset);
				continue;
			}
			if (strcmp(d.name, "TypeArray") != 0)
				return refuse(i);
			snprintf(type, sizeof(type), "%s", d.word[0]);
		}
		if (!size_of(i, type, &size) || !value_at(i, n, &index) ||
		    !type_of(i, i->word[n], index_type, sizeof(index_type)) ||
		    !width_of(i, index_type, &index_width))
			return refuse(i);
		add_index(i, to, index, index_width, size);
	}
	return 0;
}

/* What the reader keeps: how many parameters the function at hand has so far, and how much of the
 * stack is taken. */
enum { PARAMETER_MASK = 0xffff, STACK_SHIFT = 16, STACK_MOST = 448 };

/* A variable of the thread's own; those of all functions stand beside each other. */
static int read_variable(const struct instruction *i)
{
	uint64_t *notes = &i->reader->notes, size, at = *notes >> STACK_SHIFT;
	struct instruction d;
	const char *type;
	uint16_t to = i->result ? oclmm_code_register(i->reader, i->result) : NO_REGISTER;
	struct code *c;

	/* of the module: is_nothing() */
	if (i->count == 3 && strcmp(i->word[1], "UniformConstant") == 0)
		return 0;
	if (i->count != 2 || strcmp(i->word[1], "Function") != 0 || to == NO_REGISTER ||
	    !pointee(i, i->word[0], &d, &type) || !size_of(i, type, &size))
		return refuse(i);
	size = (size + 7) / 8 * 8;
	if (at + size > STACK_MOST)
		return refuse(i);
	*notes += size << STACK_SHIFT;
	c = add(i, CODE_COMPUTE, 8);
	c->op = OP_ADD;
	c->to = to;
	c->a = oclmm_code_value(STACK);
	c->b = oclmm_code_number((int64_t)at);
	return 0;
}

/* Whether a pointer is to a variable of the module that is 0 everywhere. */
static bool is_nothing(const struct instruction *i, const char *id)
{
	struct instruction d, of;

	if (!define(i, id, &d))
		return false;
	if (strcmp(d.name, "Bitcast") == 0 && d.count == 2)
		return is_nothing(i, d.word[1]);
	return strcmp(d.name, "Variable") == 0 && d.count == 3 &&
	       strcmp(d.word[1], "UniformConstant") == 0 && define(i, d.word[2], &of) &&
	       strcmp(of.name, "ConstantNull") == 0;
}

/* OpCopyMemorySized to, from, bytes; of the thread's own memory. */
static int read_copy(const struct instruction *i)
{
	struct code_operand to, from, bytes;
	bool nothing = i->count >= 3 && is_nothing(i, i->word[1]);
	struct code *c;

	if (!value_at(i, 0, &to) || !value_at(i, 1, &from) || !value_at(i, 2, &bytes))
		return refuse(i);
	c = add(i, nothing ? CODE_FILL : CODE_COPY, 8);
	c->a = to;
	c->b = nothing ? oclmm_code_number(0) : from;
	c->c = bytes;
	return 0;
}

/* ---- computing ------------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum code_op op;
	unsigned operands;
} operations[] = {
	{"IAdd", OP_ADD, 2},
	{"ISub", OP_SUB, 2},
	{"IMul", OP_MUL, 2},
	{"UDiv", OP_UDIV, 2},
	{"SDiv", OP_DIV, 2},
	{"UMod", OP_UREM, 2},
	{"SRem", OP_REM, 2},
	{"ShiftLeftLogical", OP_SHL, 2},
	{"ShiftRightLogical", OP_SHR, 2},
	{"ShiftRightArithmetic", OP_SAR, 2},
	{"BitwiseAnd", OP_AND, 2},
	{"BitwiseOr", OP_OR, 2},
	{"BitwiseXor", OP_XOR, 2},
	{"LogicalAnd", OP_AND, 2},
	{"LogicalOr", OP_OR, 2},
	{"LogicalNotEqual", OP_XOR, 2},
	{"Not", OP_NOT, 1},
	{"SNegate", OP_NEGATE, 1},
};

static const struct {
	const char *name;
	enum code_relation relation;
} relations[] = {
	{"IEqual", REL_EQ},        {"INotEqual", REL_NE},
	{"SLessThan", REL_LT},     {"SLessThanEqual", REL_LE},
	{"SGreaterThan", REL_GT},  {"SGreaterThanEqual", REL_GE},
	{"ULessThan", REL_ULT},    {"ULessThanEqual", REL_ULE},
	{"UGreaterThan", REL_UGT}, {"UGreaterThanEqual", REL_UGE},
	{"PtrEqual", REL_EQ},      {"LogicalEqual", REL_EQ},
};

static int compute(const struct instruction *i, enum code_op op, unsigned first, unsigned operands)
{
	struct code_operand a, b;
	unsigned width;
	uint16_t to;
	struct code *c;

	if (i->count != first + operands || !target_of(i, &to, &width) || !value_at(i, first, &a) ||
	    !value_at(i, first + operands - 1, &b))
		return refuse(i);
	c = add(i, CODE_COMPUTE, width);
	c->op = op;
	c->to = to;
	c->a = a;
	c->b = b;
	return 0;
}

static int read_comparison(const struct instruction *i, enum code_relation relation)
{
	struct code_operand a, b;
	unsigned width, of;
	char type[32];
	uint16_t to;
	struct code *c;

	if (i->count != 3 || !target_of(i, &to, &width) || !value_at(i, 1, &a) ||
	    !value_at(i, 2, &b) || !type_of(i, i->word[1], type, sizeof(type)) ||
	    !width_of(i, type, &of))
		return refuse(i);
	c = add(i, CODE_COMPARE, of);
	c->relation = relation;
	c->to = to;
	c->a = a;
	c->b = b;
	return 0;
}

/* From the type of the operand to that of the result. */
static int read_conversion(const struct instruction *i, bool sign)
{
	struct code_operand value;
	unsigned width, from;
	char type[32];
	uint16_t to;
	struct code *c;

	if (i->count != 2 || !target_of(i, &to, &width) || !value_at(i, 1, &value) ||
	    !type_of(i, i->word[1], type, sizeof(type)) || !width_of(i, type, &from))
		return refuse(i);
	c = add(i, CODE_EXTEND, width);
	c->from = (uint8_t)from;
	c->sign = sign;
	c->to = to;
	c->a = value;
	return 0;
}

static int read_selection(const struct instruction *i)
{
	struct code_operand which, a, b;
	unsigned width;
	uint16_t to;
	struct code *c;

	if (i->count != 4 || !target_of(i, &to, &width) || !value_at(i, 1, &which) ||
	    !value_at(i, 2, &a) || !value_at(i, 3, &b))
		return refuse(i);
	c = add(i, CODE_SELECT, width);
	c->to = to;
	c->a = a;
	c->b = b;
	c->c = which;
	return 0;
}

/* The functions of OpenCL.std on integers. */
static int read_extended(const struct instruction *i)
{
	static const struct {
		const char *name;
		enum code_op op;
	} functions[] = {{"s_min", OP_SMIN},         {"s_max", OP_SMAX},
	                 {"u_min", OP_UMIN},         {"u_max", OP_UMAX},
	                 {"s_add_sat", OP_SADD_SAT}, {"u_add_sat", OP_UADD_SAT},
	                 {"s_sub_sat", OP_SSUB_SAT}, {"u_sub_sat", OP_USUB_SAT}};

	for (size_t n = 0; i->count > 2 && n < OCLMM_COUNT(functions); n++) {
		if (strcmp(functions[n].name, i->word[2]) == 0)
			return compute(i, functions[n].op, 3, 2);
	}
	return oclmm_code_refuse(i->reader, i->count > 2 ? i->word[2] : "");
}

/* ---- control -------------------------------------------------------------------------- */

static int64_t number_of(const char *id)
{
	return strtoll(id + 1, NULL, 10);
}

static void target(const struct instruction *i, const char *id)
{
	char label[32];

	snprintf(label, sizeof(label), ".L%s", id + 1);
	oclmm_code_target(i->reader, label);
}

/* Whether a value is of the block at hand, before this. */
static bool stands_before(const struct instruction *i, const char *id)
{
	const char *text = text_of(i), *at = find_definition(i, id);
	const char *block = i->at;

	while (block > text && strncmp(block, ".L", 2) != 0) {
		block--;
		while (block > text && block[-1] != '\n')
			block--;
	}
	return at && at > block && at < i->at;
}

/* %to = OpPhi %type %a %from-a %b %from-b: the value by where control came from. Those of a block
 * are taken at once, so that none may be what another one of the block has just become. */
static int read_phi(const struct instruction *i)
{
	uint16_t to, met = oclmm_code_temporary(i->reader), result;
	unsigned width;
	struct code *c;

	if (!target_of(i, &to, &width) || i->count < 3 || i->count % 2 == 0)
		return refuse(i);
	result = oclmm_code_temporary(i->reader);
	for (unsigned n = 1; n < i->count; n += 2) {
		struct code_operand value;

		if (!value_at(i, n, &value))
			return refuse(i);
		if (value.reg != NO_REGISTER && stands_before(i, i->word[n]))
			return oclmm_code_refuse(i->reader, "a phi of its own block");
		c = add(i, CODE_COMPARE, 8);
		c->relation = REL_EQ;
		c->to = met;
		c->a = oclmm_code_value(FROM);
		c->b = oclmm_code_number(number_of(i->word[n + 1]));
		c = add(i, CODE_SELECT, width);
		c->to = result;
		c->a = value;
		c->b = n == 1 ? oclmm_code_number(0) : oclmm_code_value(result);
		c->c = oclmm_code_value(met);
	}
	c = add(i, CODE_SET, width);
	c->to = to;
	c->a = oclmm_code_value(result);
	return 0;
}

static int read_branch(const struct instruction *i)
{
	struct code_operand met;

	if (strcmp(i->name, "Branch") == 0 && i->count == 1) {
		oclmm_code_add(i->reader, CODE_JUMP);
		target(i, i->word[0]);
		return 0;
	}
	if (i->count < 3 || !value_at(i, 0, &met))
		return refuse(i);
	oclmm_code_add(i->reader, CODE_BRANCH)->a = met;
	target(i, i->word[1]);
	oclmm_code_add(i->reader, CODE_JUMP);
	target(i, i->word[2]);
	return 0;
}

/* OpSwitch %value %default 1 %a 2 %b */
static int read_switch(const struct instruction *i)
{
	uint16_t met = oclmm_code_temporary(i->reader);
	struct code_operand value;
	unsigned width;
	char type[32];

	if (i->count < 2 || i->count % 2 || !value_at(i, 0, &value) ||
	    !type_of(i, i->word[0], type, sizeof(type)) || !width_of(i, type, &width))
		return refuse(i);
	for (unsigned n = 2; n < i->count; n += 2) {
		struct code *c = add(i, CODE_COMPARE, width);
		int64_t number;

		if (!oclmm_code_parse_number(i->word[n], &number))
			return refuse(i);
		c->relation = REL_EQ;
		c->to = met;
		c->a = value;
		c->b = oclmm_code_number(number);
		oclmm_code_add(i->reader, CODE_BRANCH)->a = oclmm_code_value(met);
		target(i, i->word[n + 1]);
	}
	oclmm_code_add(i->reader, CODE_JUMP);
	target(i, i->word[1]);
	return 0;
}

/* Blocks are numbered by their labels. Control that falls into one has come from nowhere. */
static void begin_block(const struct instruction *i)
{
	struct code *c;
	uint16_t here = oclmm_code_register(i->reader, "here");

	c = oclmm_code_add(i->reader, CODE_SET);
	c->to = FROM;
	c->a = oclmm_code_value(here);
	c = oclmm_code_add(i->reader, CODE_SET);
	c->to = here;
	c->a = oclmm_code_number(number_of(i->result));
}

/* Of an entry they are in a block of memory, and of what is called in registers of their own. */
static int read_parameter(const struct instruction *i)
{
	uint64_t *notes = &i->reader->notes, number = *notes & PARAMETER_MASK;
	unsigned width;
	uint16_t to;
	char name[32];
	struct code *c;

	if (!target_of(i, &to, &width) || number >= PARAMETERS_MOST)
		return refuse(i);
	++*notes;
	if (i->reader->scope == 1) {
		c = add(i, CODE_LOAD, 8);
		c->address.base = BLOCK;
		c->address.offset = (int64_t)number * 8;
	} else {
		snprintf(name, sizeof(name), "parameter %u", (unsigned)number);
		c = add(i, CODE_SET, width);
		c->a = oclmm_code_value(oclmm_code_register(i->reader, name));
	}
	c->to = to;
	return 0;
}

/* The label of a function stands before the line that defines it. */
static bool label_of(const struct instruction *i, const char *id, char ret_label[LINE_WORD])
{
	const char *text = text_of(i), *at = find_definition(i, id), *end;

	if (!at || at - text < 2)
		return false;
	end = at - 2; /* at the colon */
	at = end;
	while (at > text && at[-1] != '\n')
		at--;
	snprintf(ret_label, LINE_WORD, "%.*s", (int)(end - at), at);
	return *end == ':';
}

/* Nothing calls itself in OpenCL C. What the caller came from is kept. */
static int read_call(const struct instruction *i)
{
	uint16_t here = oclmm_code_register(i->reader, "here");
	uint16_t kept = oclmm_code_register(i->reader, i->result ? i->result : "");
	char name[40], function[LINE_WORD];
	struct instruction type;
	struct code *c;

	if (i->count < 2 || i->count - 2 > PARAMETERS_MOST || kept == NO_REGISTER ||
	    !define(i, i->word[0], &type) || !label_of(i, i->word[1], function))
		return refuse(i);
	if (strcmp(function, "oclmm_number") == 0) {
		c = add(i, CODE_NUMBER, 8);
		c->to = oclmm_code_register(i->reader, i->result);
		return i->count == 3 && value_at(i, 2, &c->a) ? 0 : refuse(i);
	}
	for (unsigned n = 2; n < i->count; n++) {
		struct code_operand value;

		if (!value_at(i, n, &value))
			return refuse(i);
		snprintf(name, sizeof(name), "parameter %u", n - 2);
		c = add(i, CODE_SET, 8);
		c->to = oclmm_code_register(i->reader, name);
		c->a = value;
	}
	snprintf(name, sizeof(name), "here %s", i->result);
	kept = oclmm_code_register(i->reader, name);
	c = add(i, CODE_SET, 8);
	c->to = kept;
	c->a = oclmm_code_value(here);
	oclmm_code_add(i->reader, CODE_CALL);
	oclmm_code_target(i->reader, function);
	c = add(i, CODE_SET, 8);
	c->to = here;
	c->a = oclmm_code_value(kept);
	if (strcmp(type.name, "TypeVoid") != 0) {
		c = add(i, CODE_SET, 8);
		c->to = oclmm_code_register(i->reader, i->result);
		c->a = oclmm_code_value(oclmm_code_register(i->reader, "result"));
	}
	return 0;
}

static int read_return(const struct instruction *i)
{
	struct code_operand value;
	struct code *c;

	if (strcmp(i->name, "ReturnValue") == 0) {
		if (!value_at(i, 0, &value))
			return refuse(i);
		c = add(i, CODE_SET, 8);
		c->to = oclmm_code_register(i->reader, "result");
		c->a = value;
	}
	oclmm_code_add(i->reader, CODE_RETURN);
	return 0;
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool is_one_of(const char *name, const char *const *words, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		if (strcmp(words[n], name) == 0)
			return true;
	}
	return false;
}

static int read_other(const struct instruction *i)
{
	static const char *const nothing[] = {"LifetimeStart", "LifetimeStop", "FunctionEnd",
	                                      "Nop",           "Line",         "NoLine",
	                                      "Decorate",      "LoopMerge",    "SelectionMerge"};
	static const char *const same[] = {"Bitcast",          "PtrCastToGeneric",
	                                   "GenericCastToPtr", "GenericCastToPtrExplicit",
	                                   "CopyObject",       "ConvertPtrToU",
	                                   "ConvertUToPtr",    "UConvert"};
	static const char *const chains[] = {"AccessChain", "InBoundsAccessChain", "PtrAccessChain",
	                                     "InBoundsPtrAccessChain"};

	if (is_one_of(i->name, nothing, OCLMM_COUNT(nothing)) || strncmp(i->name, "Type", 4) == 0 ||
	    strncmp(i->name, "Constant", 8) == 0)
		return 0;
	if (is_one_of(i->name, same, OCLMM_COUNT(same)))
		return read_conversion(i, false);
	if (is_one_of(i->name, chains, OCLMM_COUNT(chains)))
		return read_chain(i);
	if (strcmp(i->name, "SConvert") == 0)
		return read_conversion(i, true);
	if (strcmp(i->name, "Select") == 0)
		return read_selection(i);
	if (strcmp(i->name, "ExtInst") == 0)
		return read_extended(i);
	if (strcmp(i->name, "LogicalNot") == 0) {
		struct instruction turned = *i;

		/* it is equal to what is false */
		return i->count == 2 ? read_comparison(&turned, REL_EQ) : refuse(i);
	}
	for (size_t n = 0; n < OCLMM_COUNT(operations); n++) {
		if (strcmp(operations[n].name, i->name) == 0)
			return compute(i, operations[n].op, 1, operations[n].operands);
	}
	for (size_t n = 0; n < OCLMM_COUNT(relations); n++) {
		if (strcmp(relations[n].name, i->name) == 0)
			return read_comparison(i, relations[n].relation);
	}
	return refuse(i);
}

static int read_spirv(struct reader *reader, const struct asm_line *line)
{
	struct instruction i = {.reader = reader, .at = line->text};

	if (!cut(&i, line->text, line->length))
		return oclmm_code_refuse(reader, "");
	if (strcmp(i.name, "Function") == 0) {
		reader->notes &= ~(uint64_t)PARAMETER_MASK;
		return 0;
	}
	if (strcmp(i.name, "FunctionParameter") == 0)
		return read_parameter(&i);
	if (strcmp(i.name, "Label") == 0) {
		begin_block(&i);
		return 0;
	}
	if (strcmp(i.name, "Variable") == 0)
		return read_variable(&i);
	if (strcmp(i.name, "Load") == 0)
		return read_load(&i);
	if (strcmp(i.name, "Store") == 0)
		return read_store(&i);
	if (strcmp(i.name, "CopyMemorySized") == 0)
		return read_copy(&i);
	if (strncmp(i.name, "Atomic", 6) == 0)
		return read_atomic(&i);
	if (strcmp(i.name, "MemoryBarrier") == 0 || strcmp(i.name, "ControlBarrier") == 0)
		return read_barrier(&i);
	if (strcmp(i.name, "Phi") == 0)
		return read_phi(&i);
	if (strcmp(i.name, "Branch") == 0 || strcmp(i.name, "BranchConditional") == 0)
		return read_branch(&i);
	if (strcmp(i.name, "Switch") == 0)
		return read_switch(&i);
	if (strcmp(i.name, "FunctionCall") == 0)
		return read_call(&i);
	if (strcmp(i.name, "Return") == 0 || strcmp(i.name, "ReturnValue") == 0)
		return read_return(&i);
	return read_other(&i);
}

/* ---- the text -------------------------------------------------------------------------- */

/* The name of an id, or of an entry, by OpName. */
static bool name_of(const char *text, const char *id, size_t length, char *ret_name, size_t size)
{
	char words[64];
	const char *at;

	snprintf(words, sizeof(words), "\nOpName %.*s \"", (int)length, id);
	at = strstr(text, words);
	if (at)
		at += strlen(words);
	if (at)
		snprintf(ret_name, size, "%.*s", (int)strcspn(at, "\"\n"), at);
	return at != NULL;
}

/* Whether a function is declared alone: what it does is not in the module. */
static bool has_no_body(const char *function, const char *end)
{
	size_t length = (size_t)(end - function);
	const char *label = memmem(function, length, " = OpLabel", 10);
	const char *last = memmem(function, length, "OpFunctionEnd", 13);

	return !label || (last && last < label);
}

/* Labels before functions, by their names and by their ids, and before blocks. */
/*
 * Names of types and constants by what they are: `%uint_3`. Their numbers are those of the module,
 * so that nobody could tell whether two functions are the same.
 */
enum { ID_NAME = 30 };
struct id_names {
	char (*name)[ID_NAME]; /* by number; empty: it keeps that */
	size_t count, capacity;
};

/* Adds a line with such names. */
static void add_named(struct oclmm_text *text, const struct id_names *names, const char *line,
                      size_t length)
{
	for (size_t at = 0, digits; at < length; at += digits) {
		size_t number = 0;

		for (digits = 1; line[at] == '%' && at + digits < length &&
		                 isdigit((unsigned char)line[at + digits]) && digits < 8;
		     digits++)
			number = number * 10 + (size_t)(line[at + digits] - '0');
		if (digits > 1 && number < names->count && *names->name[number])
			oclmm_text_printf(text, "%%%s", names->name[number]);
		else
			oclmm_text_add_bytes(text, line + at, digits);
	}
}

/* `TypeInt 32 0` is uint, `Constant %uint 3` is uint_3; what has no short name has one by its hash.
 */
static void name_definition(char *name, const char *definition)
{
	static const struct {
		const char *definition, *name;
	} plain[] = {{"TypeInt 8 0", "uchar"}, {"TypeInt 16 0", "ushort"},
	             {"TypeInt 32 0", "uint"}, {"TypeInt 64 0", "ulong"},
	             {"TypeBool", "bool"},     {"TypeVoid", "void"}};
	const char *second = strchr(definition, ' '),
		   *third = second ? strchr(second + 1, ' ') : NULL;
	struct oclmm_text made = {0};

	for (size_t n = 0; n < OCLMM_COUNT(plain); n++) {
		if (strcmp(plain[n].definition, definition) == 0)
			oclmm_text_add(&made, plain[n].name);
	}
	if (strncmp(definition, "Constant %", 10) == 0 && third && !strchr(third + 1, ' '))
		oclmm_text_printf(&made, "%.*s_%s", (int)(third - second - 2), second + 2,
		                  third + 1);
	else if (strncmp(definition, "TypePointer ", 12) == 0 && third && third[1] == '%')
		oclmm_text_printf(&made, "%.*s_%s", (int)(third - second - 1), second + 1,
		                  third + 2);
	if (!made.length || made.length >= ID_NAME) {
		oclmm_text_finish(&made);
		made = (struct oclmm_text){0};
		oclmm_text_printf(&made, "%.*s_%016" PRIx64,
		                  (int)(strcspn(definition, " ") < 12 ? strcspn(definition, " ")
		                                                      : 12),
		                  definition, oclmm_hash(definition, strlen(definition)));
	}
	snprintf(name, ID_NAME, "%s", oclmm_text_string(&made));
	oclmm_text_finish(&made);
}

static void find_names(struct id_names *names, const char *module, size_t length)
{
	enum { MOST = 1000000 };
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "", module, length);
	while (oclmm_lines_next(&lines)) {
		const char *line = lines.line, *op;
		size_t left = lines.length, number;
		struct oclmm_text definition = {0};

		while (left && isspace((unsigned char)*line)) {
			line++;
			left--;
		}
		op = memmem(line, left, " = Op", 5);
		if (!left || *line != '%' || !op ||
		    (strncmp(op + 5, "Type", 4) != 0 && strncmp(op + 5, "Constant", 8) != 0))
			continue;
		number = strtoul(line + 1, NULL, 10);
		if (!number || number >= MOST)
			continue;
		while (names->count <= number) {
			oclmm_grow(&names->name, &names->capacity, names->count,
			           sizeof(*names->name));
			*names->name[names->count++] = '\0';
		}
		add_named(&definition, names, op + 5, (size_t)(line + left - op) - 5);
		name_definition(names->name[number], oclmm_text_string(&definition));
		oclmm_text_finish(&definition);
	}
}

static void prepare(struct oclmm_text *text, const char *module, size_t length)
{
	struct id_names names = {0};
	struct oclmm_lines lines;
	bool inside = false, declared = false;

	find_names(&names, module, length);
	oclmm_text_add(text, "\n");
	oclmm_lines_begin(&lines, "", module, length);
	while (oclmm_lines_next(&lines)) {
		const char *line = lines.line, *function, *label, *blank;
		size_t left = lines.length, id;
		char name[128];

		while (left && isspace((unsigned char)*line)) {
			line++;
			left--;
		}
		function = memmem(line, left, " = OpFunction ", 14);
		label = memmem(line, left, " = OpLabel", 10);
		blank = function ? function : label;
		id = blank ? (size_t)(blank - line) : 0;
		/* what decorates and names, of all functions, would have to be searched each
		 * time; member_of() looks for what is packed */
		if (left > 2 && strncmp(line, "Op", 2) == 0 && !inside &&
		    !memmem(line, left, " CPacked", 8))
			continue;
		inside |= function || label;
		if (declared && !function)
			continue;
		declared = function && has_no_body(line, module + length);
		if (label)
			oclmm_text_printf(text, ".L%.*s:\n", (int)id - 1, line + 1);
		if (function && name_of(module, line, id, name, sizeof(name)))
			oclmm_text_printf(text, "%s:\n", name);
		else if (function)
			oclmm_text_printf(text, "function%.*s:\n", (int)id - 1, line + 1);
		add_named(text, &names, line, left);
		oclmm_text_add(text, "\n");
		/* no instruction: who calls it is refused by this */
		if (declared)
			oclmm_text_printf(text, "OpUndefinedFunction %s\n",
			                  name_of(module, line, id, name, sizeof(name)) ? name
			                                                                : "");
	}
	free(names.name);
}

static const struct oclmm_cat_name names[] = {
	CODE_NAMES,
	CODE_SET_NAME("ATOMIC"),
	CODE_SET_NAME("ACQ"),
	CODE_SET_NAME("REL"),
	CODE_SET_NAME("SC"),
	CODE_SET_NAME("FGLOBAL"),
	CODE_SET_NAME("FLOCAL"),
};

const struct oclmm_machine oclmm_machine_spirv = {
	.name = "spirv",
	.model = "OpenCL",
	.cat = oclmm_model_spirv,
	.names = names,
	.name_count = OCLMM_COUNT(names),
	.full_fence = {TAG_ACQ | TAG_REL | TAG_SC | TAG_GLOBAL | TAG_LOCAL},
	.comment = ";",
	.convention = {.given = NO_REGISTER, .stack = STACK, .block = BLOCK, .local_bytes = 8},
	.prepare = prepare,
	.read = read_spirv,
};
