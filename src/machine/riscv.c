// SPDX-License-Identifier: Apache-2.0
/*
 * RISC-V of 64 bits with A and M, as compilers write it for such kernels. A store-conditional whose
 * link holds succeeds: a turn of its loop that fails writes nothing, and reads that are made again
 * allow nothing more.
 */
#include "code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { ZERO = 0, SP = 2, A0 = 10 };
enum {
	/* of a fence: what it orders before it, and behind */
	TAG_BEFORE_R = 1,
	TAG_BEFORE_W = 2,
	TAG_BEHIND_R = 4,
	TAG_BEHIND_W = 8,
	TAG_TSO = 16, /* fence.tso */
	TAG_AQ = 32,
	TAG_RL = 64,
	TAG_X = 128, /* of an update: lr and sc, amo */
};

struct instruction {
	struct reader *reader;
	const struct asm_line *line;
	char name[LINE_WORD];
};

static int refuse(const struct instruction *i)
{
	return oclmm_code_refuse(i->reader, "");
}

/* ---- operands ------------------------------------------------------------------ */

/* `a0`, `s11`, `zero`, `x5`. */
static bool parse_register(const char *text, uint16_t *ret_reg)
{
	static const char *const names[] = {
		"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
		"a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
		"s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
	};
	char *end;
	unsigned long number;

	for (size_t n = 0; n < OCLMM_COUNT(names); n++) {
		if (strcmp(names[n], text) == 0) {
			*ret_reg = (uint16_t)n;
			return true;
		}
	}
	if (strcmp(text, "fp") == 0) {
		*ret_reg = 8;
		return true;
	}
	if (*text != 'x' || !isdigit((unsigned char)text[1]))
		return false;
	number = strtoul(text + 1, &end, 10);
	*ret_reg = (uint16_t)number;
	return *end == '\0' && number < 32;
}

static struct code_operand source(uint16_t reg)
{
	return reg == ZERO ? oclmm_code_number(0) : oclmm_code_value(reg);
}

static bool register_at(const struct instruction *i, unsigned at, uint16_t *ret_reg)
{
	return at < i->line->count && parse_register(i->line->operand[at], ret_reg);
}

static bool target_at(const struct instruction *i, unsigned at, uint16_t *ret_reg)
{
	if (!register_at(i, at, ret_reg))
		return false;
	if (*ret_reg == ZERO)
		*ret_reg = NO_REGISTER;
	return true;
}

/* The lower part of the address of a number in memory, which is 0 here: read_constant(). */
static bool is_low_part(const char *text)
{
	static const char low[] = "%pcrel_lo(";

	return strncmp(text, low, sizeof(low) - 1) == 0;
}

static bool value_at(const struct instruction *i, unsigned at, struct code_operand *ret_value)
{
	uint16_t reg;
	int64_t number;

	if (register_at(i, at, &reg)) {
		*ret_value = source(reg);
		return true;
	}
	if (at >= i->line->count)
		return false;
	if (is_low_part(i->line->operand[at]))
		number = 0;
	else if (!oclmm_code_parse_number(i->line->operand[at], &number))
		return false;
	*ret_value = oclmm_code_number(number);
	return true;
}

/* `8(a0)`, `(a0)`; of updates `0(a0)`, too */
static bool address_at(const struct instruction *i, unsigned at, struct code_address *ret_address)
{
	struct code_address address = {.base = NO_REGISTER, .index = NO_REGISTER};
	char text[LINE_WORD], *open;
	size_t length;

	if (at >= i->line->count)
		return false;
	snprintf(text, sizeof(text), "%s", i->line->operand[at]);
	length = strlen(text);
	open = strrchr(text, '(');
	if (!open || text[length - 1] != ')')
		return false;
	text[length - 1] = '\0';
	*open = '\0';
	if (*text && !is_low_part(text) && !oclmm_code_parse_number(text, &address.offset))
		return false;
	if (!parse_register(open + 1, &address.base) || address.base == ZERO)
		return false;
	*ret_address = address;
	return true;
}

/* ---- computing ---------------------------------------------------------------------- */

/* Registers hold the sign of what has 32 bits. */
static void extend(const struct instruction *i, uint16_t reg)
{
	struct code *c;

	if (reg == NO_REGISTER)
		return;
	c = oclmm_code_add(i->reader, CODE_EXTEND);
	c->from = 4;
	c->sign = true;
	c->to = reg;
	c->a = oclmm_code_value(reg);
}

static int compute(const struct instruction *i, enum code_op op, unsigned width, uint16_t to,
                   struct code_operand a, struct code_operand b)
{
	struct code *c = oclmm_code_add(i->reader, CODE_COMPUTE);

	c->op = op;
	c->width = (uint8_t)width;
	c->to = to;
	c->a = a;
	c->b = b;
	if (width == 4)
		extend(i, to);
	return 0;
}

static int compare(const struct instruction *i, enum code_relation relation, uint16_t to,
                   struct code_operand a, struct code_operand b)
{
	struct code *c;

	if (to == NO_REGISTER)
		return 0;
	c = oclmm_code_add(i->reader, CODE_COMPARE);
	c->relation = relation;
	c->to = to;
	c->a = a;
	c->b = b;
	return 0;
}

static const struct {
	const char
		*name; /* with an `i` behind it the last operand is a number, with a `w` 32 bits */
	enum code_op op;
} operations[] = {
	{"add", OP_ADD},   {"sub", OP_SUB}, {"and", OP_AND},   {"or", OP_OR},   {"xor", OP_XOR},
	{"sll", OP_SHL},   {"srl", OP_SHR}, {"sra", OP_SAR},   {"mul", OP_MUL}, {"div", OP_DIV},
	{"divu", OP_UDIV}, {"rem", OP_REM}, {"remu", OP_UREM},
};

static int read_operation(const struct instruction *i)
{
	struct code_operand a, b;
	uint16_t to;

	for (size_t n = 0; n < OCLMM_COUNT(operations); n++) {
		size_t length = strlen(operations[n].name);
		const char *rest = i->name + length;

		if (strncmp(operations[n].name, i->name, length) != 0)
			continue;
		rest += *rest == 'i';
		if (strcmp(rest, "") != 0 && strcmp(rest, "w") != 0)
			continue;
		if (i->line->count != 3 || !target_at(i, 0, &to) || !value_at(i, 1, &a) ||
		    !value_at(i, 2, &b))
			return refuse(i);
		return compute(i, operations[n].op, *rest == 'w' ? 4 : 8, to, a, b);
	}
	return 1;
}

static const struct {
	const char *name;
	enum code_relation relation;
	bool zero; /* with 0 */
} comparisons[] = {
	{"slt", REL_LT, false},    {"slti", REL_LT, false}, {"sltu", REL_ULT, false},
	{"sltiu", REL_ULT, false}, {"seqz", REL_EQ, true},  {"snez", REL_NE, true},
	{"sltz", REL_LT, true},    {"sgtz", REL_GT, true},  {"sgt", REL_GT, false},
	{"sgtu", REL_UGT, false},
};

static const struct {
	const char *name;
	enum code_relation relation;
	bool zero;
} branches[] = {
	{"beq", REL_EQ, false},   {"bne", REL_NE, false},   {"blt", REL_LT, false},
	{"bge", REL_GE, false},   {"bltu", REL_ULT, false}, {"bgeu", REL_UGE, false},
	{"bgt", REL_GT, false},   {"ble", REL_LE, false},   {"bgtu", REL_UGT, false},
	{"bleu", REL_ULE, false}, {"beqz", REL_EQ, true},   {"bnez", REL_NE, true},
	{"blez", REL_LE, true},   {"bgez", REL_GE, true},   {"bltz", REL_LT, true},
	{"bgtz", REL_GT, true},
};

static int read_comparison(const struct instruction *i)
{
	struct code_operand a, b = oclmm_code_number(0);
	uint16_t to;

	for (size_t n = 0; n < OCLMM_COUNT(comparisons); n++) {
		if (strcmp(comparisons[n].name, i->name) != 0)
			continue;
		if (i->line->count != 3u - comparisons[n].zero || !target_at(i, 0, &to) ||
		    !value_at(i, 1, &a) || (!comparisons[n].zero && !value_at(i, 2, &b)))
			return refuse(i);
		return compare(i, comparisons[n].relation, to, a, b);
	}
	for (size_t n = 0; n < OCLMM_COUNT(branches); n++) {
		unsigned count = 3u - branches[n].zero;

		if (strcmp(branches[n].name, i->name) != 0)
			continue;
		if (i->line->count != count || !value_at(i, 0, &a) ||
		    (!branches[n].zero && !value_at(i, 1, &b)))
			return refuse(i);
		to = oclmm_code_temporary(i->reader);
		compare(i, branches[n].relation, to, a, b);
		oclmm_code_add(i->reader, CODE_BRANCH)->a = oclmm_code_value(to);
		oclmm_code_target(i->reader, i->line->operand[count - 1]);
		return 0;
	}
	return 1;
}

/* `auipc a0, %pcrel_hi(.LCPI0_0)`: the address of a number that the compiler keeps in memory, of
 * which what follows adds the lower part. */
static int read_constant(const struct instruction *i)
{
	static const char high[] = "%pcrel_hi(";
	struct code_operand address;
	const char *label;
	uint16_t to;

	if (i->line->count != 2 || !target_at(i, 0, &to) ||
	    strncmp(i->line->operand[1], high, sizeof(high) - 1) != 0)
		return refuse(i);
	label = i->line->operand[1] + sizeof(high) - 1;
	address = oclmm_code_number(0);
	if (!oclmm_code_symbol(i->reader, label, &address.number))
		address.number = oclmm_code_constants(i->reader, label, strcspn(label, ")"));
	return address.number ? compute(i, OP_MOVE, 8, to, address, address) : refuse(i);
}

/* mv, li, lui, neg, not, sext.w */
static int read_move(const struct instruction *i)
{
	static const struct {
		const char *name;
		enum code_op op;
		unsigned width;
	} moves[] = {{"mv", OP_MOVE, 8},     {"li", OP_MOVE, 8}, {"neg", OP_NEGATE, 8},
	             {"negw", OP_NEGATE, 4}, {"not", OP_NOT, 8}, {"sext.w", OP_MOVE, 4}};
	struct code_operand value;
	uint16_t to;

	for (size_t n = 0; n < OCLMM_COUNT(moves); n++) {
		if (strcmp(moves[n].name, i->name) != 0)
			continue;
		if (i->line->count != 2 || !target_at(i, 0, &to) || !value_at(i, 1, &value))
			return refuse(i);
		return compute(i, moves[n].op, moves[n].width, to, value, value);
	}
	if (strcmp(i->name, "lui") != 0)
		return 1;
	if (i->line->count != 2 || !target_at(i, 0, &to) || !value_at(i, 1, &value) ||
	    value.reg != NO_REGISTER)
		return refuse(i);
	value.number = (int32_t)((uint32_t)value.number << 12);
	return compute(i, OP_MOVE, 8, to, value, value);
}

/* ---- memory ---------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned bytes;
	bool load, sign;
} accesses[] = {
	{"lb", 1, true, true},   {"lbu", 1, true, false}, {"lh", 2, true, true},
	{"lhu", 2, true, false}, {"lw", 4, true, true},   {"lwu", 4, true, false},
	{"ld", 8, true, false},  {"sb", 1, false, false}, {"sh", 2, false, false},
	{"sw", 4, false, false}, {"sd", 8, false, false},
};

static int read_access(const struct instruction *i)
{
	for (size_t n = 0; n < OCLMM_COUNT(accesses); n++) {
		struct code_address address;
		struct code_operand value;
		uint16_t to;
		struct code *c;

		if (strcmp(accesses[n].name, i->name) != 0)
			continue;
		if (i->line->count != 2 || !address_at(i, 1, &address) || !target_at(i, 0, &to) ||
		    !value_at(i, 0, &value))
			return refuse(i);
		c = oclmm_code_add(i->reader, accesses[n].load ? CODE_LOAD : CODE_STORE);
		c->width = (uint8_t)(accesses[n].load ? 8 : accesses[n].bytes);
		c->from = (uint8_t)(accesses[n].load && accesses[n].bytes < 8 ? accesses[n].bytes
		                                                              : 0);
		c->sign = accesses[n].sign;
		c->to = accesses[n].load ? to : NO_REGISTER;
		c->a = value;
		c->address = address;
		return 0;
	}
	return 1;
}

static const struct {
	const char *name;
	enum code_op op;
} updates[] = {
	{"amoswap", OP_MOVE}, {"amoadd", OP_ADD},   {"amoand", OP_AND},
	{"amoor", OP_OR},     {"amoxor", OP_XOR},   {"amomin", OP_SMIN},
	{"amomax", OP_SMAX},  {"amominu", OP_UMIN}, {"amomaxu", OP_UMAX},
};

/* `.w.aqrl` behind a name: how wide, and what it orders. */
static bool parse_form(const char *text, unsigned *ret_bytes, unsigned *ret_tags)
{
	static const struct {
		const char *word;
		unsigned tags;
	} orders[] = {{"", 0}, {".aq", TAG_AQ}, {".rl", TAG_RL}, {".aqrl", TAG_AQ | TAG_RL}};

	if (text[0] != '.' || (text[1] != 'w' && text[1] != 'd'))
		return false;
	*ret_bytes = text[1] == 'w' ? 4 : 8;
	for (size_t n = 0; n < OCLMM_COUNT(orders); n++) {
		if (strcmp(orders[n].word, text + 2) == 0) {
			*ret_tags = TAG_X | orders[n].tags;
			return true;
		}
	}
	return false;
}

/* `amoadd.w.aqrl a0, a1, (a2)`, `lr.w.aq a0, (a1)`, `sc.w.rl a0, a1, (a2)`; `amocas.w a0, a1, (a2)`
 * compares with a0, and if it fails releases nothing, for it stores nothing. */
static int read_update(const struct instruction *i)
{
	size_t length = strcspn(i->name, ".");
	bool linked = length == 2 && strncmp(i->name, "lr", 2) == 0;
	bool conditional = length == 2 && strncmp(i->name, "sc", 2) == 0;
	struct code_address address;
	struct code_operand value = oclmm_code_number(0);
	unsigned bytes, tags;
	enum code_op op = OP_MOVE;
	bool compares = length == 6 && strncmp(i->name, "amocas", 6) == 0;
	bool known = linked || conditional || compares;
	uint16_t to;
	struct code *c;

	for (size_t n = 0; n < OCLMM_COUNT(updates); n++) {
		if (strlen(updates[n].name) == length &&
		    strncmp(updates[n].name, i->name, length) == 0) {
			op = updates[n].op;
			known = true;
		}
	}
	if (!known)
		return 1;
	if (!parse_form(i->name + length, &bytes, &tags) || i->line->count != 3u - linked ||
	    !target_at(i, 0, &to) || (compares && to == NO_REGISTER) ||
	    (!linked && !value_at(i, 1, &value)) || !address_at(i, i->line->count - 1, &address))
		return refuse(i);
	c = oclmm_code_add(i->reader, linked        ? CODE_LINKED
	                              : conditional ? CODE_CONDITIONAL
	                              : compares    ? CODE_EXCHANGE_IF
	                                            : CODE_UPDATE);
	c->op = op;
	c->width = (uint8_t)bytes;
	c->to = to;
	c->a = value;
	c->address = address;
	c->read_tags = c->write_tags = tags;
	if (compares) {
		c->a = oclmm_code_value(to);
		c->b = value;
		c->fails = true;
		c->failure_tags = tags & ~(unsigned)TAG_RL;
	}
	if (bytes == 4 && !conditional)
		extend(i, to);
	return 0;
}

/* `fence rw, w`; what it says of input and output is nothing here. */
static int read_fence(const struct instruction *i)
{
	unsigned tags = 0;

	if (strcmp(i->name, "fence.tso") == 0) {
		oclmm_code_add(i->reader, CODE_FENCE)->read_tags = TAG_TSO;
		return 0;
	}
	if (i->line->count == 0)
		tags = TAG_BEFORE_R | TAG_BEFORE_W | TAG_BEHIND_R | TAG_BEHIND_W;
	else if (i->line->count != 2)
		return refuse(i);
	for (unsigned n = 0; n < i->line->count; n++) {
		const char *set = i->line->operand[n];

		if (strspn(set, "iorw") != strlen(set))
			return refuse(i);
		tags |= strchr(set, 'r') ? (n ? TAG_BEHIND_R : TAG_BEFORE_R) : 0;
		tags |= strchr(set, 'w') ? (n ? TAG_BEHIND_W : TAG_BEFORE_W) : 0;
	}
	oclmm_code_add(i->reader, CODE_FENCE)->read_tags = tags;
	return 0;
}

/* ---- lines ------------------------------------------------------------------------------- */

static int read_riscv(struct reader *reader, const struct asm_line *line)
{
	struct instruction i = {.reader = reader, .line = line};
	const char *first = line->count ? line->operand[0] : "";
	int r;

	snprintf(i.name, sizeof(i.name), "%s", line->word);
	if (strcmp(i.name, "ret") == 0) {
		oclmm_code_add(reader, CODE_RETURN);
		return 0;
	}
	if (strcmp(i.name, "j") == 0 && line->count == 1) {
		oclmm_code_add(reader, CODE_JUMP);
		oclmm_code_target(reader, first);
		return 0;
	}
	if ((strcmp(i.name, "call") == 0 || strcmp(i.name, "tail") == 0) && line->count == 1) {
		oclmm_code_call(reader, first, *i.name == 't');
		return 0;
	}
	if (strcmp(i.name, "nop") == 0)
		return 0;
	if (strncmp(i.name, "fence", 5) == 0)
		return read_fence(&i);
	if (strcmp(i.name, "auipc") == 0)
		return read_constant(&i);
	r = read_access(&i);
	if (r > 0)
		r = read_update(&i);
	if (r > 0)
		r = read_move(&i);
	if (r > 0)
		r = read_comparison(&i);
	if (r > 0)
		r = read_operation(&i);
	return r > 0 ? refuse(&i) : r;
}

static const struct oclmm_cat_name names[] = {
	CODE_NAMES,
	CODE_SET_NAME("BEFORE.R"),
	CODE_SET_NAME("BEFORE.W"),
	CODE_SET_NAME("BEHIND.R"),
	CODE_SET_NAME("BEHIND.W"),
	CODE_SET_NAME("TSO"),
	CODE_SET_NAME("AQ"),
	CODE_SET_NAME("RL"),
	CODE_SET_NAME("X"),
};

const struct oclmm_machine oclmm_machine_riscv64 = {
	.name = "riscv64",
	.model = "RVWMO",
	.cat = oclmm_model_riscv,
	.names = names,
	.name_count = OCLMM_COUNT(names),
	.full_fence = {TAG_BEFORE_R | TAG_BEFORE_W | TAG_BEHIND_R | TAG_BEHIND_W},
	.barrier_entry = TAG_BEFORE_R | TAG_BEFORE_W | TAG_BEHIND_W,
	.barrier_exit = TAG_BEFORE_R | TAG_BEHIND_R | TAG_BEHIND_W,
	.comment = "#",
	.convention = {.argument = {A0, A0 + 1, A0 + 2, A0 + 3, A0 + 4, A0 + 5, A0 + 6, A0 + 7},
                       .arguments = 8,
                       .given = A0,
                       .stack = SP,
                       .block = NO_REGISTER,
                       .local_bytes = 8},
	.read = read_riscv,
};
