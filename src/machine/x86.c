// SPDX-License-Identifier: Apache-2.0
/*
 * x86-64 in the syntax of AT&T, as compilers write it for such kernels. All loads and stores are
 * plain, whatever order the source asked for; what is locked is a fence as well.
 */
#include "code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, FLAGS = 16, VECTORS = 32 };
enum { TAG_MFENCE = 1, TAG_LOCK = 2 };

/* ---- operands --------------------------------------------------------------- */

enum operand_kind { OPERAND_REGISTER, OPERAND_NUMBER, OPERAND_MEMORY };

struct operand {
	enum operand_kind kind;
	uint16_t reg;
	unsigned width; /* of a register */
	int64_t number;
	struct code_address address;
};

static const char *const legacy_names[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

static bool find_legacy(const char *name, uint16_t *ret_reg)
{
	for (size_t i = 0; i < OCLMM_COUNT(legacy_names); i++) {
		if (strcmp(legacy_names[i], name) == 0) {
			*ret_reg = (uint16_t)i;
			return true;
		}
	}
	return false;
}

/* `eax`, `r8d`, `dil`, without the `%`. */
static bool find_register(const char *name, uint16_t *ret_reg, unsigned *ret_width)
{
	char *end;
	size_t length = strlen(name);

	if ((*name == 'r' || *name == 'e') && find_legacy(name + 1, ret_reg)) {
		*ret_width = *name == 'r' ? 8 : 4;
		return true;
	}
	if (*name == 'r' && isdigit((unsigned char)name[1])) {
		unsigned long number = strtoul(name + 1, &end, 10);

		*ret_reg = (uint16_t)number;
		*ret_width = *end == '\0' ? 8 : *end == 'd' ? 4 : *end == 'w' ? 2 : 1;
		return number >= 8 && number < 16 && strspn(end, "dwb") == strlen(end) &&
		       strlen(end) < 2;
	}
	if (find_legacy(name, ret_reg)) {
		*ret_width = 2;
		return true;
	}
	/* al, dil; ah and its kind are not known */
	*ret_width = 1;
	if (length == 2 && name[1] == 'l') {
		const char wide[] = {name[0], 'x', '\0'};

		return find_legacy(wide, ret_reg) && *ret_reg < RSP;
	}
	if (length == 3 && name[2] == 'l') {
		const char wide[] = {name[0], name[1], '\0'};

		return find_legacy(wide, ret_reg) && *ret_reg >= RSP;
	}
	return false;
}

static bool parse_address_register(const char *text, size_t length, uint16_t *ret_reg)
{
	char name[8];
	unsigned width;

	while (length && *text == ' ') {
		text++;
		length--;
	}
	if (length < 2 || length > sizeof(name) || *text != '%')
		return false;
	memcpy(name, text + 1, length - 1);
	name[length - 1] = '\0';
	return find_register(name, ret_reg, &width) && width == 8;
}

/* `-8(%rsp,%rcx,4)` */
static bool parse_address(const char *text, struct code_address *ret_address)
{
	const char *open = strchr(text, '('), *at;
	struct code_address address = {.base = NO_REGISTER, .index = NO_REGISTER};
	char offset[32];
	size_t part;

	if (!open || (size_t)(open - text) >= sizeof(offset))
		return false;
	memcpy(offset, text, (size_t)(open - text));
	offset[open - text] = '\0';
	if (*offset && !oclmm_code_parse_number(offset, &address.offset))
		return false;
	at = open + 1;
	part = strcspn(at, ",)");
	if (part && !parse_address_register(at, part, &address.base))
		return false;
	at += part;
	if (*at == ',') {
		at++;
		part = strcspn(at, ",)");
		if (!parse_address_register(at, part, &address.index))
			return false;
		at += part;
		if (*at == ',') {
			int scale = atoi(at + 1);

			address.shift = scale == 8 ? 3 : scale == 4 ? 2 : scale == 2;
			at += strcspn(at, ")");
		}
	}
	*ret_address = address;
	return *at == ')' && at[1] == '\0';
}

/* `f.s+4(%rip)`, or the name alone: a variable of the kernel's own. */
static bool parse_symbol(const struct reader *reader, const char *text,
                         struct code_address *ret_address)
{
	const char *open = strchr(text, '(');
	struct code_address address = {.base = NO_REGISTER, .index = NO_REGISTER};

	if ((open && strcmp(open, "(%rip)") != 0) ||
	    !oclmm_code_symbol(reader, text, &address.offset))
		return false;
	*ret_address = address;
	return true;
}

static bool parse_operand(const struct reader *reader, const char *text,
                          struct operand *ret_operand)
{
	struct operand operand = {.reg = NO_REGISTER};

	if (*text == '%') {
		operand.kind = OPERAND_REGISTER;
		if (!find_register(text + 1, &operand.reg, &operand.width))
			return false;
	} else if (*text == '$') {
		operand.kind = OPERAND_NUMBER;
		if (!oclmm_code_symbol(reader, text + 1, &operand.number) &&
		    !oclmm_code_parse_number(text + 1, &operand.number))
			return false;
	} else {
		operand.kind = OPERAND_MEMORY;
		if (!parse_symbol(reader, text, &operand.address) &&
		    !parse_address(text, &operand.address))
			return false;
	}
	*ret_operand = operand;
	return true;
}

/* ---- instructions ------------------------------------------------------------- */

struct instruction {
	struct reader *reader;
	const struct asm_line *line;
	char name[LINE_WORD]; /* without the letter of its width */
	bool locked;
	unsigned width;
	struct operand operand[3]; /* source first */
	unsigned count;
};

/* What the code may know of the flags. */
enum { FLAGS_KNOWN, FLAGS_UNKNOWN, CARRY_UNKNOWN };

static void know_flags(const struct instruction *i, uint64_t what)
{
	i->reader->notes = what;
}

/* The value of an operand; of memory it is loaded. */
static struct code_operand value_of(const struct instruction *i, const struct operand *operand,
                                    unsigned width)
{
	uint16_t to;
	struct code *c;

	if (operand->kind == OPERAND_REGISTER)
		return oclmm_code_value(operand->reg);
	if (operand->kind == OPERAND_NUMBER)
		return oclmm_code_number(operand->number);
	to = oclmm_code_temporary(i->reader);
	c = oclmm_code_add(i->reader, CODE_LOAD);
	c->to = to;
	c->width = (uint8_t)width;
	c->address = operand->address;
	return oclmm_code_value(to);
}

static void put_value(const struct instruction *i, const struct operand *to, unsigned width,
                      struct code_operand value)
{
	struct code *c = oclmm_code_add(i->reader,
	                                to->kind == OPERAND_MEMORY ? CODE_STORE : CODE_SET);

	c->width = (uint8_t)width;
	c->a = value;
	if (to->kind == OPERAND_MEMORY) {
		c->address = to->address;
		return;
	}
	c->to = to->reg;
	c->merge = true;
}

static void set_flags(const struct instruction *i, enum code_op op, struct code_operand a,
                      struct code_operand b)
{
	struct code *c = oclmm_code_add(i->reader, CODE_FLAGS);

	c->op = op;
	c->width = (uint8_t)i->width;
	c->to = FLAGS;
	c->a = a;
	c->b = b;
	know_flags(i, FLAGS_KNOWN);
}

static const struct {
	const char *name;
	enum code_op op;
	bool alone; /* one operand: the other is 1, or none */
} arithmetic[] = {
	{"add", OP_ADD, false}, {"sub", OP_SUB, false},   {"and", OP_AND, false},
	{"or", OP_OR, false},   {"xor", OP_XOR, false},   {"inc", OP_ADD, true},
	{"dec", OP_SUB, true},  {"neg", OP_NEGATE, true}, {"not", OP_NOT, true},
};

/* An update that is one step. */
static int update(const struct instruction *i, enum code_op op, struct code_operand a, uint16_t to)
{
	struct code *c = oclmm_code_add(i->reader, CODE_UPDATE);

	c->op = op;
	c->width = (uint8_t)i->width;
	c->a = a;
	c->to = to;
	c->address = i->operand[i->count - 1].address;
	c->read_tags = c->write_tags = TAG_LOCK;
	return 0;
}

static int read_arithmetic(const struct instruction *i, size_t which)
{
	enum code_op op = arithmetic[which].op;
	bool alone = arithmetic[which].alone, unary = op == OP_NOT || op == OP_NEGATE;
	const struct operand *to = &i->operand[i->count - 1];
	struct code_operand a, b, result;
	struct code *c;
	uint16_t old;

	if (i->count != (alone ? 1 : 2) || to->kind == OPERAND_NUMBER)
		return oclmm_code_refuse(i->reader, "operands");
	b = alone ? oclmm_code_number(1) : value_of(i, &i->operand[0], i->width);
	old = oclmm_code_temporary(i->reader);
	result = oclmm_code_value(oclmm_code_temporary(i->reader));
	if (i->locked) {
		if (to->kind != OPERAND_MEMORY)
			return oclmm_code_refuse(i->reader, "operands");
		/* what is computed of the old value alone has it as the right side */
		if (unary)
			return oclmm_code_refuse(i->reader, "locked");
		update(i, op, b, old);
		a = oclmm_code_value(old);
	} else {
		a = value_of(i, to, i->width);
		c = oclmm_code_add(i->reader, CODE_COMPUTE);
		c->op = op;
		c->width = (uint8_t)i->width;
		c->to = result.reg;
		c->a = a;
		c->b = unary ? a : b;
	}
	if (op != OP_NOT)
		set_flags(i, op, a, unary ? a : b);
	if (alone && !unary)
		know_flags(i, CARRY_UNKNOWN);
	if (!i->locked)
		put_value(i, to, i->width, result);
	return 0;
}

static int read_compare(const struct instruction *i, enum code_op op)
{
	struct code_operand a, b;

	if (i->count != 2)
		return oclmm_code_refuse(i->reader, "operands");
	b = value_of(i, &i->operand[0], i->width);
	a = value_of(i, &i->operand[1], i->width);
	set_flags(i, op, a, b);
	return 0;
}

static int read_shift(const struct instruction *i, enum code_op op)
{
	const struct operand *to = &i->operand[i->count - 1];
	struct code_operand a = value_of(i, to, i->width);
	struct code_operand by = i->count == 2 ? value_of(i, &i->operand[0], 1)
	                                       : oclmm_code_number(1);
	struct code_operand result = oclmm_code_value(oclmm_code_temporary(i->reader));
	struct code *c = oclmm_code_add(i->reader, CODE_COMPUTE);

	/* narrower ones count beyond their width */
	if (i->width < 4 && by.reg != NO_REGISTER)
		return oclmm_code_refuse(i->reader, "operands");
	c->op = op;
	c->width = (uint8_t)i->width;
	c->to = result.reg;
	c->a = a;
	c->b = by;
	put_value(i, to, i->width, result);
	know_flags(i, FLAGS_UNKNOWN);
	return 0;
}

/* btsl %ecx, %eax: a bit of a register is set, cleared or turned; its old value is the carry. In
 * memory the number may lead beyond the operand. */
static int read_bit(const struct instruction *i, enum code_op op)
{
	const struct operand *to = &i->operand[i->count - 1];
	uint16_t mask = oclmm_code_temporary(i->reader), result = oclmm_code_temporary(i->reader);
	struct code_operand by;
	struct code *c;

	if (i->count != 2 || i->width < 4 || i->locked || to->kind != OPERAND_REGISTER ||
	    i->operand[0].kind == OPERAND_MEMORY)
		return oclmm_code_refuse(i->reader, "operands");
	by = value_of(i, &i->operand[0], 1);
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = OP_SHL;
	c->width = (uint8_t)i->width;
	c->to = mask;
	c->a = oclmm_code_number(1);
	c->b = by;
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = op;
	c->width = (uint8_t)i->width;
	c->to = result;
	c->a = value_of(i, to, i->width);
	c->b = oclmm_code_value(mask);
	put_value(i, to, i->width, oclmm_code_value(result));
	know_flags(i, FLAGS_UNKNOWN);
	return 0;
}

/* rol, ror: what leaves at one end comes in at the other. */
static int read_rotation(const struct instruction *i, bool left)
{
	const struct operand *to = &i->operand[i->count - 1];
	uint16_t part[2] = {oclmm_code_temporary(i->reader), oclmm_code_temporary(i->reader)};
	struct code_operand by = i->count == 2 ? value_of(i, &i->operand[0], 1)
	                                       : oclmm_code_number(1);
	struct code_operand a, back = oclmm_code_value(oclmm_code_temporary(i->reader));
	struct code *c;

	/* shifts of narrower ones count by the width, here */
	if (i->count > 2 || i->width < 4)
		return oclmm_code_refuse(i->reader, "operands");
	a = value_of(i, to, i->width);
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = OP_SUB;
	c->width = 1;
	c->to = back.reg;
	c->a = oclmm_code_number(0);
	c->b = by;
	for (unsigned n = 0; n < 2; n++) {
		c = oclmm_code_add(i->reader, CODE_COMPUTE);
		c->op = (n == 0) == left ? OP_SHL : OP_SHR;
		c->width = (uint8_t)i->width;
		c->to = part[n];
		c->a = a;
		c->b = n ? back : by;
	}
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = OP_OR;
	c->width = (uint8_t)i->width;
	c->to = part[0];
	c->a = oclmm_code_value(part[0]);
	c->b = oclmm_code_value(part[1]);
	put_value(i, to, i->width, oclmm_code_value(part[0]));
	know_flags(i, FLAGS_UNKNOWN);
	return 0;
}

static int read_multiply(const struct instruction *i)
{
	struct code_operand a, b, result = oclmm_code_value(oclmm_code_temporary(i->reader));
	struct code *c;

	if (i->count < 2 || i->operand[i->count - 1].kind != OPERAND_REGISTER)
		return oclmm_code_refuse(i->reader, "operands");
	a = value_of(i, &i->operand[0], i->width);
	b = value_of(i, &i->operand[1], i->width);
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = OP_MUL;
	c->width = (uint8_t)i->width;
	c->to = result.reg;
	c->a = a;
	c->b = b;
	put_value(i, &i->operand[i->count - 1], i->width, result);
	know_flags(i, FLAGS_UNKNOWN);
	return 0;
}

static int read_move(const struct instruction *i)
{
	if (i->count != 2)
		return oclmm_code_refuse(i->reader, "operands");
	put_value(i, &i->operand[1], i->width, value_of(i, &i->operand[0], i->width));
	return 0;
}

/* movzbl, movslq: `from` and `to` are letters. */
static int read_extension(const struct instruction *i, bool sign, unsigned from)
{
	struct code_operand value = value_of(i, &i->operand[0], from);
	struct code *c = oclmm_code_add(i->reader, CODE_EXTEND);

	if (i->count != 2 || i->operand[1].kind != OPERAND_REGISTER)
		return oclmm_code_refuse(i->reader, "operands");
	c->width = (uint8_t)i->width;
	c->from = (uint8_t)from;
	c->sign = sign;
	c->a = value;
	c->to = i->operand[1].reg;
	c->merge = true;
	return 0;
}

static int read_lea(const struct instruction *i)
{
	const struct code_address *at = &i->operand[0].address;
	uint16_t sum;
	struct code *c;

	if (i->count != 2 || i->operand[0].kind != OPERAND_MEMORY ||
	    i->operand[1].kind != OPERAND_REGISTER)
		return oclmm_code_refuse(i->reader, "operands");
	sum = oclmm_code_temporary(i->reader);
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = OP_ADD;
	c->to = sum;
	if (at->base != NO_REGISTER)
		c->a = oclmm_code_value(at->base);
	c->b = oclmm_code_number(at->offset);
	if (at->index != NO_REGISTER) {
		uint16_t scaled = oclmm_code_temporary(i->reader);

		c = oclmm_code_add(i->reader, CODE_COMPUTE);
		c->op = OP_SHL;
		c->to = scaled;
		c->a = oclmm_code_value(at->index);
		c->b = oclmm_code_number(at->shift);
		c = oclmm_code_add(i->reader, CODE_COMPUTE);
		c->op = OP_ADD;
		c->to = sum;
		c->a = oclmm_code_value(sum);
		c->b = oclmm_code_value(scaled);
	}
	put_value(i, &i->operand[1], i->width, oclmm_code_value(sum));
	return 0;
}

/* xchg with memory is locked without saying so. */
static int read_exchange(const struct instruction *i)
{
	const struct operand *a = &i->operand[0], *b = &i->operand[1];
	struct instruction turned = *i;
	uint16_t old = oclmm_code_temporary(i->reader);

	if (i->count != 2)
		return oclmm_code_refuse(i->reader, "operands");
	if (a->kind == OPERAND_MEMORY) {
		turned.operand[0] = *b;
		turned.operand[1] = *a;
	}
	if (turned.operand[0].kind != OPERAND_REGISTER)
		return oclmm_code_refuse(i->reader, "operands");
	if (turned.operand[1].kind == OPERAND_MEMORY) {
		update(&turned, OP_MOVE, oclmm_code_value(turned.operand[0].reg), old);
	} else {
		struct code *c = oclmm_code_add(i->reader, CODE_SET);

		c->to = old;
		c->a = oclmm_code_value(b->reg);
		put_value(i, b, i->width, oclmm_code_value(a->reg));
	}
	put_value(i, &turned.operand[0], i->width, oclmm_code_value(old));
	return 0;
}

static int read_exchange_add(const struct instruction *i)
{
	uint16_t old = oclmm_code_temporary(i->reader);

	if (!i->locked || i->count != 2 || i->operand[0].kind != OPERAND_REGISTER ||
	    i->operand[1].kind != OPERAND_MEMORY)
		return oclmm_code_refuse(i->reader, "operands");
	update(i, OP_ADD, oclmm_code_value(i->operand[0].reg), old);
	set_flags(i, OP_ADD, oclmm_code_value(old), oclmm_code_value(i->operand[0].reg));
	put_value(i, &i->operand[0], i->width, oclmm_code_value(old));
	return 0;
}

static int read_compare_exchange(const struct instruction *i)
{
	const struct operand rax = {.kind = OPERAND_REGISTER, .reg = RAX};
	uint16_t old = oclmm_code_temporary(i->reader);
	struct code *c;

	if (!i->locked || i->count != 2 || i->operand[0].kind != OPERAND_REGISTER ||
	    i->operand[1].kind != OPERAND_MEMORY)
		return oclmm_code_refuse(i->reader, "operands");
	c = oclmm_code_add(i->reader, CODE_EXCHANGE_IF);
	c->width = (uint8_t)i->width;
	c->a = oclmm_code_value(RAX);
	c->b = oclmm_code_value(i->operand[0].reg);
	c->to = old;
	c->address = i->operand[1].address;
	c->read_tags = c->write_tags = TAG_LOCK;
	set_flags(i, OP_SUB, oclmm_code_value(RAX), oclmm_code_value(old));
	put_value(i, &rax, i->width, oclmm_code_value(old));
	return 0;
}

/* ---- conditions ------------------------------------------------------------- */

static const struct {
	const char *name;
	enum code_condition condition;
	bool carry; /* it looks at the carry */
} conditions[] = {
	{"e", IF_EQ, false},        {"z", IF_EQ, false},
	{"ne", IF_NE, false},       {"nz", IF_NE, false},
	{"b", IF_BELOW, true},      {"c", IF_BELOW, true},
	{"nae", IF_BELOW, true},    {"ae", IF_NOT_BELOW, true},
	{"nb", IF_NOT_BELOW, true}, {"nc", IF_NOT_BELOW, true},
	{"be", IF_NOT_ABOVE, true}, {"na", IF_NOT_ABOVE, true},
	{"a", IF_ABOVE, true},      {"nbe", IF_ABOVE, true},
	{"s", IF_NEGATIVE, false},  {"ns", IF_NOT_NEGATIVE, false},
	{"o", IF_OVERFLOW, false},  {"no", IF_NO_OVERFLOW, false},
	{"l", IF_LT, false},        {"nge", IF_LT, false},
	{"ge", IF_GE, false},       {"nl", IF_GE, false},
	{"le", IF_LE, false},       {"ng", IF_LE, false},
	{"g", IF_GT, false},        {"nle", IF_GT, false},
};

static bool is_condition(const char *name, size_t length)
{
	for (size_t n = 0; n < OCLMM_COUNT(conditions); n++) {
		if (strlen(conditions[n].name) == length &&
		    strncmp(conditions[n].name, name, length) == 0)
			return true;
	}
	return false;
}

/* The register in which it is 0 or 1, or NO_REGISTER. */
static uint16_t test_condition(const struct instruction *i, const char *name)
{
	uint64_t known = i->reader->notes;

	for (size_t n = 0; n < OCLMM_COUNT(conditions); n++) {
		struct code *c;
		uint16_t to;

		if (strcmp(conditions[n].name, name) != 0)
			continue;
		if (known == FLAGS_UNKNOWN || (known == CARRY_UNKNOWN && conditions[n].carry))
			return NO_REGISTER;
		to = oclmm_code_temporary(i->reader);
		c = oclmm_code_add(i->reader, CODE_TEST);
		c->condition = conditions[n].condition;
		c->to = to;
		c->a = oclmm_code_value(FLAGS);
		return to;
	}
	return NO_REGISTER;
}

static int read_jump_if(const struct instruction *i)
{
	uint16_t met = test_condition(i, i->line->word + 1);

	if (met == NO_REGISTER || i->line->count != 1)
		return oclmm_code_refuse(i->reader, "");
	oclmm_code_add(i->reader, CODE_BRANCH)->a = oclmm_code_value(met);
	oclmm_code_target(i->reader, i->line->operand[0]);
	return 0;
}

static int read_set(const struct instruction *i)
{
	uint16_t met = test_condition(i, i->line->word + 3);

	if (met == NO_REGISTER || i->count != 1)
		return oclmm_code_refuse(i->reader, "");
	put_value(i, &i->operand[0], 1, oclmm_code_value(met));
	return 0;
}

static int read_move_if(const struct instruction *i)
{
	char name[LINE_WORD];
	uint16_t met;
	struct code_operand value;
	struct code *c;

	snprintf(name, sizeof(name), "%s", i->name + 4);
	met = test_condition(i, name);
	if (met == NO_REGISTER || i->count != 2 || i->operand[1].kind != OPERAND_REGISTER)
		return oclmm_code_refuse(i->reader, "");
	value = value_of(i, &i->operand[0], i->width);
	c = oclmm_code_add(i->reader, CODE_SELECT);
	c->width = (uint8_t)i->width;
	c->to = i->operand[1].reg;
	c->merge = true;
	c->a = value;
	c->b = oclmm_code_value(i->operand[1].reg);
	c->c = oclmm_code_value(met);
	return 0;
}

/* adc and sbb: with the carry. */
static int read_carry(const struct instruction *i, enum code_op op)
{
	uint16_t carry = test_condition(i, "c"), result = oclmm_code_temporary(i->reader);
	struct code_operand value;
	struct code *c;

	if (carry == NO_REGISTER || i->count != 2 || i->operand[1].kind != OPERAND_REGISTER)
		return oclmm_code_refuse(i->reader, "operands");
	value = value_of(i, &i->operand[0], i->width);
	for (unsigned n = 0; n < 2; n++) {
		c = oclmm_code_add(i->reader, CODE_COMPUTE);
		c->op = op;
		c->width = (uint8_t)i->width;
		c->to = result;
		c->a = oclmm_code_value(n ? result : i->operand[1].reg);
		c->b = n ? oclmm_code_value(carry) : value;
	}
	put_value(i, &i->operand[1], i->width, oclmm_code_value(result));
	know_flags(i, FLAGS_UNKNOWN);
	return 0;
}

/* ---- vectors ----------------------------------------------------------------- */

/* `%xmm3`: two registers. */
static bool is_vector(const char *text, uint16_t *ret_reg)
{
	int64_t number;

	if (strncmp(text, "%xmm", 4) != 0 || !oclmm_code_parse_number(text + 4, &number) ||
	    number < 0 || number >= 16)
		return false;
	*ret_reg = (uint16_t)(VECTORS + number * 2);
	return true;
}

/* Numbers that the compiler keeps in memory: `.LCPI0_0(%rip)`. */
static bool parse_constants(struct reader *reader, const char *text,
                            struct code_address *ret_address)
{
	size_t length = strcspn(text, "(+");
	struct code_address address = {.base = NO_REGISTER, .index = NO_REGISTER};

	if (strncmp(text, ".L", 2) != 0 || strcmp(text + length, "(%rip)") != 0)
		return false;
	address.offset = oclmm_code_constants(reader, text, length);
	*ret_address = address;
	return address.offset != 0;
}

/* One half of a vector, as a register or in memory. */
struct half {
	uint16_t reg; /* or NO_REGISTER */
	struct code_address address;
};

static bool parse_half(struct reader *reader, const char *text, struct half *ret_half)
{
	struct operand operand;

	*ret_half = (struct half){.reg = NO_REGISTER};
	if (is_vector(text, &ret_half->reg))
		return true;
	if (*text == '%' || *text == '$')
		return false;
	if (parse_constants(reader, text, &ret_half->address))
		return true;
	if (!parse_operand(reader, text, &operand) || operand.kind != OPERAND_MEMORY)
		return false;
	ret_half->address = operand.address;
	return true;
}

static void move_half(const struct instruction *i, const struct half *from, const struct half *to,
                      unsigned bytes, unsigned at)
{
	bool load = from->reg == NO_REGISTER;
	struct code *c = oclmm_code_add(i->reader, load                     ? CODE_LOAD
	                                           : to->reg == NO_REGISTER ? CODE_STORE
	                                                                    : CODE_SET);

	c->width = (uint8_t)bytes;
	if (load || to->reg == NO_REGISTER) {
		c->address = load ? from->address : to->address;
		c->address.offset += (int64_t)at * 8;
	}
	if (!load)
		c->a = oclmm_code_value((uint16_t)(from->reg + at));
	if (to->reg != NO_REGISTER)
		c->to = (uint16_t)(to->reg + at);
}

static void clear_register(const struct instruction *i, uint16_t reg)
{
	oclmm_code_add(i->reader, CODE_SET)->to = reg;
}

/* movd and movq between a vector and another register. */
static int move_across(const struct instruction *i, unsigned bytes)
{
	unsigned vector = strncmp(i->line->operand[1], "%xmm", 4) == 0;
	struct operand other;
	struct code *c;
	uint16_t reg;

	if (!is_vector(i->line->operand[vector], &reg) ||
	    !parse_operand(i->reader, i->line->operand[!vector], &other) ||
	    other.kind != OPERAND_REGISTER || other.width != bytes)
		return oclmm_code_refuse(i->reader, "operands");
	c = oclmm_code_add(i->reader, CODE_SET);
	c->width = (uint8_t)bytes;
	c->a = oclmm_code_value(vector ? other.reg : reg);
	c->to = vector ? reg : other.reg;
	if (vector)
		clear_register(i, (uint16_t)(reg + 1));
	return 0;
}

/* pshufd $255, %xmm0, %xmm1: each word of the second is that of the first which two bits say. */
static int shuffle_words(const struct instruction *i)
{
	uint16_t from, to, word[4];
	int64_t which;

	if (i->line->count != 3 || *i->line->operand[0] != '$' ||
	    !oclmm_code_parse_number(i->line->operand[0] + 1, &which) ||
	    !is_vector(i->line->operand[1], &from) || !is_vector(i->line->operand[2], &to))
		return oclmm_code_refuse(i->reader, "operands");
	for (unsigned n = 0; n < 4; n++) {
		unsigned of = (unsigned)(which >> n * 2) & 3;
		struct code *c = oclmm_code_add(i->reader, CODE_COMPUTE);

		word[n] = oclmm_code_temporary(i->reader);
		c->op = of & 1 ? OP_SHR : OP_AND;
		c->to = word[n];
		c->a = oclmm_code_value((uint16_t)(from + of / 2));
		c->b = oclmm_code_number(of & 1 ? 32 : 0xffffffff);
	}
	for (unsigned n = 0; n < 2; n++) {
		uint16_t high = oclmm_code_temporary(i->reader);
		struct code *c = oclmm_code_add(i->reader, CODE_COMPUTE);

		c->op = OP_SHL;
		c->to = high;
		c->a = oclmm_code_value(word[n ? 3 : 1]);
		c->b = oclmm_code_number(32);
		c = oclmm_code_add(i->reader, CODE_COMPUTE);
		c->op = OP_OR;
		c->to = (uint16_t)(to + n);
		c->a = oclmm_code_value(word[n ? 2 : 0]);
		c->b = oclmm_code_value(high);
	}
	return 0;
}

/* Moves of 16 bytes, or of the lowest 4 or 8; bits of whole vectors. Returns 1 where no operand is
 * a vector. */
static int read_vector(const struct instruction *i)
{
	static const struct {
		const char *name;
		unsigned bytes;
	} moves[] = {{"movaps", 16}, {"movups", 16}, {"movapd", 16}, {"movupd", 16},
	             {"movdqa", 16}, {"movdqu", 16}, {"movq", 8},    {"movsd", 8},
	             {"movlps", 8},  {"movlpd", 8},  {"movd", 4},    {"movss", 4}};
	static const struct {
		const char *name;
		enum code_op op;
	} bits[] = {{"xorps", OP_XOR}, {"xorpd", OP_XOR}, {"pxor", OP_XOR}, {"andps", OP_AND},
	            {"pand", OP_AND},  {"orps", OP_OR},   {"por", OP_OR}};
	const struct asm_line *line = i->line;
	bool across = false, low;
	struct half from, to;
	uint16_t reg;

	for (unsigned n = 0; n < line->count; n++)
		across |= strncmp(line->operand[n], "%xmm", 4) == 0;
	if (!across)
		return 1;
	if (strcmp(line->word, "pshufd") == 0)
		return shuffle_words(i);
	if (line->count != 2)
		return oclmm_code_refuse(i->reader, "");
	across = (*line->operand[0] == '%' && !is_vector(line->operand[0], &reg)) ||
	         (*line->operand[1] == '%' && !is_vector(line->operand[1], &reg));
	for (size_t n = 0; n < OCLMM_COUNT(moves); n++) {
		unsigned bytes = moves[n].bytes;

		if (strcmp(moves[n].name, line->word) != 0)
			continue;
		if (across && (strcmp(line->word, "movq") == 0 || strcmp(line->word, "movd") == 0))
			return move_across(i, bytes);
		low = strncmp(line->word, "movl", 4) == 0;
		if (!parse_half(i->reader, line->operand[0], &from) ||
		    !parse_half(i->reader, line->operand[1], &to) ||
		    (from.reg == NO_REGISTER && to.reg == NO_REGISTER))
			return oclmm_code_refuse(i->reader, line->operand[0]);
		/* between vectors movss and movsd leave the rest, and movq does not */
		if (bytes < 16 && from.reg != NO_REGISTER && to.reg != NO_REGISTER &&
		    strcmp(line->word, "movq") != 0)
			return oclmm_code_refuse(i->reader, "");
		for (unsigned at = 0; at * 8 < bytes; at++)
			move_half(i, &from, &to, bytes < 8 ? bytes : 8, at);
		if (bytes < 16 && to.reg != NO_REGISTER && !low)
			clear_register(i, (uint16_t)(to.reg + 1));
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(bits); n++) {
		if (strcmp(bits[n].name, line->word) != 0)
			continue;
		if (!parse_half(i->reader, line->operand[0], &from) ||
		    !is_vector(line->operand[1], &reg))
			return oclmm_code_refuse(i->reader, line->operand[0]);
		for (unsigned at = 0; at < 2; at++) {
			struct half part = {.reg = oclmm_code_temporary(i->reader)};
			struct code *c;

			part.reg = (uint16_t)(part.reg - at);
			move_half(i, &from, &part, 8, at);
			c = oclmm_code_add(i->reader, CODE_COMPUTE);
			c->op = bits[n].op;
			c->to = (uint16_t)(reg + at);
			c->a = oclmm_code_value((uint16_t)(reg + at));
			c->b = oclmm_code_value((uint16_t)(part.reg + at));
		}
		return 0;
	}
	return oclmm_code_refuse(i->reader, "");
}

/* ---- calls and the rest -------------------------------------------------------- */

/* The return address is on the stack, and is not read. */
static void move_stack(const struct instruction *i, enum code_op op)
{
	struct code *c = oclmm_code_add(i->reader, CODE_COMPUTE);

	c->op = op;
	c->to = RSP;
	c->a = oclmm_code_value(RSP);
	c->b = oclmm_code_number(8);
}

static void read_call(const struct instruction *i, const char *name)
{
	move_stack(i, OP_SUB);
	oclmm_code_call(i->reader, name, false);
	move_stack(i, OP_ADD);
}

static int read_stack(const struct instruction *i, bool push)
{
	const struct operand stack = {.kind = OPERAND_MEMORY,
	                              .address = {.base = RSP, .index = NO_REGISTER}};

	if (i->count != 1 || i->operand[0].kind == OPERAND_MEMORY)
		return oclmm_code_refuse(i->reader, "operands");
	if (!push)
		put_value(i, &i->operand[0], 8, value_of(i, &stack, 8));
	move_stack(i, push ? OP_SUB : OP_ADD);
	if (push)
		put_value(i, &stack, 8, value_of(i, &i->operand[0], 8));
	return 0;
}

/* Those that have no width of their own. Returns 1 where it is none of them. */
static int read_whole_word(const struct instruction *i)
{
	const char *word = i->line->word;
	const char *target = i->line->count == 1 ? i->line->operand[0] : "";

	if (strcmp(word, "mfence") == 0) {
		oclmm_code_add(i->reader, CODE_FENCE)->read_tags = TAG_MFENCE;
	} else if (strcmp(word, "retq") == 0 || strcmp(word, "ret") == 0 ||
	           strcmp(word, "rep ret") == 0 || strcmp(word, "rep retq") == 0) {
		oclmm_code_add(i->reader, CODE_RETURN);
	} else if (strcmp(word, "callq") == 0 || strcmp(word, "call") == 0) {
		read_call(i, target);
	} else if (strcmp(word, "jmp") == 0 && *target == '.') {
		oclmm_code_add(i->reader, CODE_JUMP);
		oclmm_code_target(i->reader, target);
	} else if (strcmp(word, "jmp") == 0) {
		oclmm_code_call(i->reader, target, true);
	} else if (*word == 'j') {
		return read_jump_if(i);
	} else if (strcmp(word, "cltq") == 0) {
		struct code *c = oclmm_code_add(i->reader, CODE_EXTEND);

		c->from = 4;
		c->sign = true;
		c->to = RAX;
		c->a = oclmm_code_value(RAX);
	} else if (strncmp(word, "nop", 3) != 0 && strcmp(word, "endbr64") != 0 &&
	           strcmp(word, "data16") != 0 && strcmp(word, "cs") != 0 &&
	           strcmp(word, "pause") != 0 && strcmp(word, "lfence") != 0 &&
	           strcmp(word, "sfence") != 0) {
		return 1;
	}
	return 0;
}

static unsigned width_of(char letter)
{
	return letter == 'b' ? 1 : letter == 'w' ? 2 : letter == 'l' ? 4 : letter == 'q' ? 8 : 0;
}

/* Names that disassemblers write without a letter for the width; registers have it then. */
static const char *const bare_names[] = {
	"add",  "sub",  "and",     "or",   "xor", "inc", "dec",  "neg", "not",
	"xchg", "xadd", "cmpxchg", "mov",  "lea", "cmp", "test", "shl", "sal",
	"shr",  "sar",  "imul",    "push", "pop", "adc", "sbb",  "rol", "ror",
};

/* Finds the width, and takes its letter from the name. */
static bool find_width(struct instruction *i)
{
	size_t length = strlen(i->name);
	unsigned width = 0;

	for (unsigned n = 0; n < i->count; n++) {
		if (i->operand[n].kind == OPERAND_REGISTER)
			width = i->operand[n].width;
	}
	for (size_t n = 0; n < OCLMM_COUNT(bare_names); n++) {
		if (strcmp(bare_names[n], i->name) == 0) {
			bool stack = strcmp(i->name, "push") == 0 || strcmp(i->name, "pop") == 0;

			i->width = stack ? 8 : width;
			return i->width != 0;
		}
	}
	if (strncmp(i->name, "cmov", 4) == 0) {
		/* `cmovl` is a condition, `cmovll` one with a width */
		if (!width_of(i->name[length - 1]) || !is_condition(i->name + 4, length - 5)) {
			i->width = width;
			return width != 0;
		}
	}
	i->width = width_of(i->name[length - 1]);
	i->name[length - 1] = '\0';
	return i->width != 0;
}

/* rsp = rbp, and rbp comes from the stack. */
static int read_leave(struct instruction *i)
{
	struct code *c = oclmm_code_add(i->reader, CODE_SET);

	c->to = RSP;
	c->a = oclmm_code_value(RBP);
	i->count = 1;
	i->operand[0] = (struct operand){.kind = OPERAND_REGISTER, .reg = RBP, .width = 8};
	return read_stack(i, false);
}

static int read_instruction(struct instruction *i)
{
	size_t length = strlen(i->name);

	if (strncmp(i->name, "set", 3) == 0)
		return read_set(i);
	if (strcmp(i->name, "movabsq") == 0 || strcmp(i->name, "movabs") == 0) {
		i->width = 8;
		return read_move(i);
	}
	if (length == 6 && (strncmp(i->name, "movz", 4) == 0 || strncmp(i->name, "movs", 4) == 0)) {
		i->width = width_of(i->name[5]);
		if (!i->width || !width_of(i->name[4]))
			return oclmm_code_refuse(i->reader, "");
		return read_extension(i, i->name[3] == 's', width_of(i->name[4]));
	}
	if (strcmp(i->name, "leave") == 0 || strcmp(i->name, "leaveq") == 0)
		return read_leave(i);
	if (!find_width(i))
		return oclmm_code_refuse(i->reader, "");
	for (size_t n = 0; n < OCLMM_COUNT(arithmetic); n++) {
		if (strcmp(arithmetic[n].name, i->name) == 0)
			return read_arithmetic(i, n);
	}
	if (!i->locked && (strcmp(i->name, "adc") == 0 || strcmp(i->name, "sbb") == 0))
		return read_carry(i, *i->name == 'a' ? OP_ADD : OP_SUB);
	if (strcmp(i->name, "xchg") == 0)
		return read_exchange(i);
	if (strcmp(i->name, "xadd") == 0)
		return read_exchange_add(i);
	if (strcmp(i->name, "cmpxchg") == 0)
		return read_compare_exchange(i);
	if (i->locked)
		return oclmm_code_refuse(i->reader, "");
	if (strcmp(i->name, "mov") == 0)
		return read_move(i);
	if (strcmp(i->name, "lea") == 0)
		return read_lea(i);
	if (strcmp(i->name, "cmp") == 0)
		return read_compare(i, OP_SUB);
	if (strcmp(i->name, "test") == 0)
		return read_compare(i, OP_AND);
	if (strcmp(i->name, "shl") == 0 || strcmp(i->name, "sal") == 0)
		return read_shift(i, OP_SHL);
	if (strcmp(i->name, "shr") == 0)
		return read_shift(i, OP_SHR);
	if (strcmp(i->name, "sar") == 0)
		return read_shift(i, OP_SAR);
	if (strcmp(i->name, "bts") == 0 || strcmp(i->name, "btr") == 0 ||
	    strcmp(i->name, "btc") == 0)
		return read_bit(i, i->name[2] == 's'   ? OP_OR
		                   : i->name[2] == 'r' ? OP_AND_NOT
		                                       : OP_XOR);
	if (strcmp(i->name, "rol") == 0 || strcmp(i->name, "ror") == 0)
		return read_rotation(i, i->name[2] == 'l');
	if (strcmp(i->name, "imul") == 0)
		return read_multiply(i);
	if (strcmp(i->name, "push") == 0)
		return read_stack(i, true);
	if (strcmp(i->name, "pop") == 0)
		return read_stack(i, false);
	if (strncmp(i->name, "cmov", 4) == 0)
		return read_move_if(i);
	return oclmm_code_refuse(i->reader, "");
}

static int read_x86(struct reader *reader, const struct asm_line *line)
{
	struct instruction i = {.reader = reader, .line = line};
	const char *word = line->word;
	int r = read_whole_word(&i);

	if (r > 0)
		r = read_vector(&i);
	if (r <= 0)
		return r;
	i.locked = strncmp(word, "lock ", 5) == 0;
	snprintf(i.name, sizeof(i.name), "%s", i.locked ? word + 5 : word);
	i.count = line->count;
	if (i.count > OCLMM_COUNT(i.operand))
		return oclmm_code_refuse(reader, "operands");
	for (unsigned n = 0; n < i.count; n++) {
		if (!parse_operand(reader, line->operand[n], &i.operand[n]))
			return oclmm_code_refuse(reader, line->operand[n]);
	}
	return read_instruction(&i);
}

static const struct oclmm_cat_name names[] = {CODE_NAMES, CODE_SET_NAME("MFENCE"),
                                              CODE_SET_NAME("LOCK")};

const struct oclmm_machine oclmm_machine_x86_64 = {
	.name = "x86-64",
	.model = "x86-TSO",
	.cat = oclmm_model_x86,
	.grows = true,
	.names = names,
	.name_count = OCLMM_COUNT(names),
	.full_fence = {TAG_MFENCE},
	.comment = "#",
	.convention = {.argument = {RDI, RSI, RDX, RCX, R8, R8 + 1},
                       .arguments = 6,
                       .given = RAX,
                       .stack = RSP,
                       .stack_offset = 8,
                       .block = NO_REGISTER,
                       .local_bytes = 8},
	.read = read_x86,
};
