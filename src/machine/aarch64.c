// SPDX-License-Identifier: Apache-2.0
/*
 * AArch64 as compilers write it for such kernels. A store-conditional whose link holds succeeds: a
 * turn of its loop that fails writes nothing, and reads that are made again allow nothing more.
 */
#include "code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { SP = 31, ZERO = 32, FLAGS = 33 };
enum {
	TAG_A = 1,      /* load-acquire */
	TAG_Q = 2,      /* load-acquire of processor consistency, LDAPR */
	TAG_L = 4,      /* store-release */
	TAG_SY = 8,     /* DMB SY, DMB ISH */
	TAG_LD = 16,    /* DMB LD */
	TAG_ST = 32,    /* DMB ST */
	TAG_NORET = 64, /* the read of an update that gives nothing */
	TAG_AMO = 128,  /* of an update that is one instruction */
};

/* ---- operands ------------------------------------------------------------------ */

/* `w3`, `x30`, `wzr`, `sp`. */
static bool parse_register(const char *text, uint16_t *ret_reg, unsigned *ret_width)
{
	char *end;
	unsigned long number;

	*ret_width = *text == 'w' ? 4 : 8;
	if (strcmp(text, "wzr") == 0 || strcmp(text, "xzr") == 0) {
		*ret_reg = ZERO;
		return true;
	}
	if (strcmp(text, "sp") == 0) {
		*ret_reg = SP;
		return true;
	}
	if ((*text != 'w' && *text != 'x') || !isdigit((unsigned char)text[1]))
		return false;
	number = strtoul(text + 1, &end, 10);
	*ret_reg = (uint16_t)number;
	return *end == '\0' && number < SP;
}

static bool parse_immediate(const char *text, int64_t *ret_number)
{
	return oclmm_code_parse_number(text + (*text == '#'), ret_number);
}

/* The register zero is a number. */
static struct code_operand source(uint16_t reg)
{
	return reg == ZERO ? oclmm_code_number(0) : oclmm_code_value(reg);
}

static uint16_t target(uint16_t reg)
{
	return reg == ZERO ? NO_REGISTER : reg;
}

struct instruction {
	struct reader *reader;
	const struct asm_line *line;
	char name[LINE_WORD];
	unsigned width; /* of the first register */
	uint16_t reg;   /* that */
};

static int refuse(const struct instruction *i)
{
	return oclmm_code_refuse(i->reader, "");
}

static bool register_at(const struct instruction *i, unsigned at, uint16_t *ret_reg)
{
	unsigned width;

	return at < i->line->count && parse_register(i->line->operand[at], ret_reg, &width);
}

static struct code *compute(const struct instruction *i, enum code_op op, uint16_t to,
                            struct code_operand a, struct code_operand b)
{
	struct code *c = oclmm_code_add(i->reader, CODE_COMPUTE);

	c->op = op;
	c->width = (uint8_t)i->width;
	c->to = to;
	c->a = a;
	c->b = b;
	return c;
}

static struct code_operand extended(const struct instruction *i, struct code_operand value,
                                    unsigned from, bool sign)
{
	uint16_t to = oclmm_code_temporary(i->reader);
	struct code *c = oclmm_code_add(i->reader, CODE_EXTEND);

	c->to = to;
	c->from = (uint8_t)from;
	c->sign = sign;
	c->a = value;
	return oclmm_code_value(to);
}

/* `lsl #2`, `sxtw`, `uxtw #2` */
static bool apply_modifier(const struct instruction *i, const char *modifier,
                           struct code_operand *value)
{
	static const struct {
		const char *word;
		unsigned from;
		bool sign;
	} extensions[] = {{"uxtb", 1, false}, {"uxth", 2, false}, {"uxtw", 4, false},
	                  {"sxtb", 1, true},  {"sxth", 2, true},  {"sxtw", 4, true},
	                  {"uxtx", 8, false}, {"sxtx", 8, true}};
	static const struct {
		const char *word;
		enum code_op op;
	} shifts[] = {{"lsl", OP_SHL}, {"lsr", OP_SHR}, {"asr", OP_SAR}};
	char word[8];
	int64_t by = 0;
	const char *blank = strchr(modifier, ' ');
	enum code_op op = OP_SHL;
	bool known = false;

	snprintf(word, sizeof(word), "%.*s",
	         (int)(blank ? blank - modifier : (long)strlen(modifier)), modifier);
	if (blank && !parse_immediate(blank + 1, &by))
		return false;
	for (size_t n = 0; n < OCLMM_COUNT(extensions); n++) {
		if (strcmp(extensions[n].word, word) != 0)
			continue;
		*value = extended(i, *value, extensions[n].from, extensions[n].sign);
		known = true;
	}
	for (size_t n = 0; n < OCLMM_COUNT(shifts); n++) {
		if (strcmp(shifts[n].word, word) == 0) {
			op = shifts[n].op;
			known = true;
		}
	}
	if (by) {
		uint16_t to = oclmm_code_temporary(i->reader);

		compute(i, op, to, *value, oclmm_code_number(by));
		*value = oclmm_code_value(to);
	}
	return known;
}

/* The operands from `at` on: a register, perhaps with a modifier, or a number. */
static bool value_at(const struct instruction *i, unsigned at, struct code_operand *ret_value)
{
	const struct asm_line *line = i->line;
	uint16_t reg;
	int64_t number;

	if (at >= line->count)
		return false;
	if (register_at(i, at, &reg)) {
		*ret_value = source(reg);
		return at + 1 >= line->count || apply_modifier(i, line->operand[at + 1], ret_value);
	}
	/* the lower part of an address: read_constants() */
	if (strncmp(line->operand[at], ":lo12:", 6) == 0)
		number = 0;
	else if (!parse_immediate(line->operand[at], &number))
		return false;
	if (at + 1 < line->count) {
		int64_t by;

		if (strncmp(line->operand[at + 1], "lsl ", 4) != 0 ||
		    !parse_immediate(line->operand[at + 1] + 4, &by))
			return false;
		number = (int64_t)((uint64_t)number << by);
	}
	*ret_value = oclmm_code_number(number);
	return true;
}

/* ---- memory ---------------------------------------------------------------------- */

/* What is added to the base before or behind the access. */
struct place {
	struct code_address address;
	int64_t before, behind;
};

static bool parse_inside(const struct instruction *i, char *inside, struct place *place)
{
	char *at = inside, *word;
	unsigned n = 0, width;
	struct code_operand index;
	char modifier[LINE_WORD] = "";

	while ((word = strsep(&at, ","))) {
		while (*word == ' ')
			word++;
		if (n == 0) {
			if (!parse_register(word, &place->address.base, &width) || width != 8)
				return false;
		} else if (n == 1 && parse_register(word, &place->address.index, &width)) {
			;
		} else if (n == 1) {
			/* of a number in memory: read_constants() */
			if (strncmp(word, ":lo12:", 6) != 0 &&
			    !parse_immediate(word, &place->address.offset))
				return false;
		} else {
			snprintf(modifier, sizeof(modifier), "%s", word);
		}
		n++;
	}
	if (place->address.index == NO_REGISTER)
		return n <= 2;
	index = source(place->address.index);
	if (*modifier && !apply_modifier(i, modifier, &index))
		return false;
	if (index.reg == NO_REGISTER)
		place->address.index = NO_REGISTER;
	else
		place->address.index = index.reg;
	return true;
}

static bool parse_place(const struct instruction *i, unsigned at, struct place *ret_place)
{
	struct place place = {.address = {.base = NO_REGISTER, .index = NO_REGISTER}};
	const char *text, *close;
	char inside[LINE_WORD];

	if (at >= i->line->count)
		return false;
	text = i->line->operand[at];
	close = strchr(text, ']');
	if (*text != '[' || !close)
		return false;
	snprintf(inside, sizeof(inside), "%.*s", (int)(close - text - 1), text + 1);
	if (!parse_inside(i, inside, &place))
		return false;
	if (close[1] == '!') {
		place.before = place.address.offset;
		place.address.offset = 0;
	}
	if (at + 1 < i->line->count && !parse_immediate(i->line->operand[at + 1], &place.behind))
		return false;
	*ret_place = place;
	return close[1] == '\0' || close[1] == '!';
}

static void move_base(const struct instruction *i, const struct place *place, int64_t by)
{
	struct code *c;

	if (!by)
		return;
	c = oclmm_code_add(i->reader, CODE_COMPUTE);
	c->op = OP_ADD;
	c->to = place->address.base;
	c->a = oclmm_code_value(place->address.base);
	c->b = oclmm_code_number(by);
}

static void set_access(struct code *c, const struct place *place, unsigned bytes)
{
	c->width = (uint8_t)bytes;
	c->address = place->address;
}

static unsigned bytes_of(const char *suffix, unsigned whole)
{
	return *suffix == 'b' ? 1 : *suffix == 'h' ? 2 : whole;
}

/* ldr, ldrb, ldrsw, ldar, ldapr, ldxr, ldaxr … */
static int read_load(const struct instruction *i, enum code_kind kind, unsigned tags,
                     const char *suffix)
{
	struct place place;
	struct code *c;
	bool sign = *suffix == 's';

	if (sign)
		suffix++;
	if (!parse_place(i, 1, &place) || strspn(suffix, "bhw") != strlen(suffix))
		return refuse(i);
	move_base(i, &place, place.before);
	c = oclmm_code_add(i->reader, kind);
	set_access(c, &place, i->width);
	c->from = (uint8_t)(*suffix == 'w' ? 4 : bytes_of(suffix, i->width));
	c->sign = sign;
	c->to = target(i->reg);
	c->read_tags = tags;
	move_base(i, &place, place.behind);
	return 0;
}

static int read_store(const struct instruction *i, unsigned tags, const char *suffix)
{
	struct place place;
	struct code *c;

	if (!parse_place(i, 1, &place) || strspn(suffix, "bh") != strlen(suffix))
		return refuse(i);
	move_base(i, &place, place.before);
	c = oclmm_code_add(i->reader, CODE_STORE);
	set_access(c, &place, bytes_of(suffix, i->width));
	c->a = source(i->reg);
	c->write_tags = tags;
	move_base(i, &place, place.behind);
	return 0;
}

/* ldp, stp: of one's own stack, and of objects beside each other. */
static int read_pair(const struct instruction *i, bool load)
{
	struct place place;
	uint16_t second;

	bool sign = strcmp(i->name, "ldpsw") == 0;
	unsigned width = sign ? 4 : i->width;
	uint16_t base = oclmm_code_temporary(i->reader);
	struct code *c;

	if (!register_at(i, 1, &second) || !parse_place(i, 2, &place))
		return refuse(i);
	move_base(i, &place, place.before);
	/* the first may be the base itself */
	c = oclmm_code_add(i->reader, CODE_SET);
	c->to = base;
	c->a = oclmm_code_value(place.address.base);
	for (unsigned n = 0; n < 2; n++) {
		uint16_t reg = n ? second : i->reg;

		c = oclmm_code_add(i->reader, load ? CODE_LOAD : CODE_STORE);
		set_access(c, &place, width);
		c->address.base = base;
		c->address.offset += (int64_t)n * width;
		if (sign) {
			c->from = 4;
			c->width = 8;
			c->sign = true;
		}
		if (load)
			c->to = target(reg);
		else
			c->a = source(reg);
	}
	move_base(i, &place, place.behind);
	return 0;
}

/* stxr w8, w9, [x0]; stlxr */
static int read_conditional(const struct instruction *i, unsigned tags, const char *suffix)
{
	struct instruction shifted = *i;
	struct place place;
	unsigned width;
	uint16_t value;
	struct code *c;

	if (i->line->count != 3 || !parse_register(i->line->operand[1], &value, &width) ||
	    !parse_place(&shifted, 2, &place) || strspn(suffix, "bh") != strlen(suffix))
		return refuse(i);
	c = oclmm_code_add(i->reader, CODE_CONDITIONAL);
	set_access(c, &place, bytes_of(suffix, width));
	c->to = target(i->reg);
	c->a = source(value);
	c->write_tags = tags;
	return 0;
}

/* Whether what follows the stem of an atomic instruction is its orders and its width. */
static bool parse_orders(const char *rest, unsigned *ret_read, unsigned *ret_write,
                         const char **ret_suffix)
{
	*ret_read = *ret_write = 0;
	if (*rest == 'a') {
		*ret_read = TAG_A;
		rest++;
	}
	if (*rest == 'l') {
		*ret_write = TAG_L;
		rest++;
	}
	*ret_suffix = rest;
	return *rest == '\0' || ((*rest == 'b' || *rest == 'h') && rest[1] == '\0');
}

static const struct {
	const char *stem;
	enum code_op op;
} updates[] = {
	{"add", OP_ADD},   {"set", OP_OR},    {"clr", OP_AND_NOT}, {"eor", OP_XOR},
	{"smin", OP_SMIN}, {"smax", OP_SMAX}, {"umin", OP_UMIN},   {"umax", OP_UMAX},
};

static int add_update(const struct instruction *i, enum code_op op, uint16_t to, unsigned read,
                      unsigned write, const char *suffix, unsigned place_at)
{
	struct place place;
	struct code *c;

	if (!parse_place(i, place_at, &place))
		return refuse(i);
	c = oclmm_code_add(i->reader, CODE_UPDATE);
	set_access(c, &place, bytes_of(suffix, i->width));
	c->op = op;
	c->to = target(to);
	c->a = source(i->reg);
	/* without a result there is no acquire either */
	c->read_tags = TAG_AMO | (to == ZERO ? TAG_NORET : read);
	c->write_tags = write;
	return 0;
}

/* ldaddal, staddl, swpa, casal. Returns 1 for any other instruction. */
static int read_atomic(const struct instruction *i)
{
	bool store = strncmp(i->name, "st", 2) == 0, load = strncmp(i->name, "ld", 2) == 0;
	unsigned read, write;
	const char *suffix;
	uint16_t to;

	for (size_t n = 0; (store || load) && n < OCLMM_COUNT(updates); n++) {
		size_t length = strlen(updates[n].stem);

		if (strncmp(i->name + 2, updates[n].stem, length) != 0 ||
		    !parse_orders(i->name + 2 + length, &read, &write, &suffix))
			continue;
		if (store)
			return add_update(i, updates[n].op, ZERO, 0, write, suffix, 1);
		return register_at(i, 1, &to)
		               ? add_update(i, updates[n].op, to, read, write, suffix, 2)
		               : refuse(i);
	}
	if (strncmp(i->name, "swp", 3) == 0 && parse_orders(i->name + 3, &read, &write, &suffix))
		return register_at(i, 1, &to) ? add_update(i, OP_MOVE, to, read, write, suffix, 2)
		                              : refuse(i);
	if (strncmp(i->name, "cas", 3) == 0 && parse_orders(i->name + 3, &read, &write, &suffix)) {
		struct place place;
		struct code *c;

		if (!register_at(i, 1, &to) || !parse_place(i, 2, &place))
			return refuse(i);
		c = oclmm_code_add(i->reader, CODE_EXCHANGE_IF);
		set_access(c, &place, bytes_of(suffix, i->width));
		c->to = target(i->reg);
		c->a = source(i->reg);
		c->b = source(to);
		c->read_tags = TAG_AMO | read;
		c->write_tags = write;
		return 0;
	}
	return 1;
}

/* `adrp x8, .LCPI0_0`: the address of numbers that the compiler keeps in memory, of which what
 * follows adds the lower part. */
static int read_constants(const struct instruction *i)
{
	int64_t address = 0;

	if (i->line->count == 2 && oclmm_code_symbol(i->reader, i->line->operand[1], &address))
		; /* a variable of the kernel's own */
	else if (i->line->count == 2 && strncmp(i->line->operand[1], ".L", 2) == 0)
		address = oclmm_code_constants(i->reader, i->line->operand[1],
		                               strlen(i->line->operand[1]));
	if (!address)
		return refuse(i);
	compute(i, OP_MOVE, target(i->reg), oclmm_code_number(0), oclmm_code_number(address));
	return 0;
}

enum { VECTORS = 64, VECTORS_MOST = 32 };

/* `d0`, `q0`, of 8 and 16 bytes: two registers. */
static bool parse_vector(const char *text, uint16_t *ret_reg, unsigned *ret_bytes)
{
	int64_t number;

	if ((*text != 'd' && *text != 'q') || !oclmm_code_parse_number(text + 1, &number) ||
	    number < 0 || number >= VECTORS_MOST)
		return false;
	*ret_reg = (uint16_t)(VECTORS + number * 2);
	*ret_bytes = *text == 'q' ? 16 : 8;
	return true;
}

/* `v0.2s`: so many elements of so many bytes; `v0.s[1]` is not known. */
static bool parse_elements(const char *text, uint16_t *ret_reg, unsigned *ret_count,
                           unsigned *ret_bytes)
{
	static const char letters[] = "bhsd";
	char *end;
	unsigned long number, count;
	const char *letter;

	if (*text != 'v' || !isdigit((unsigned char)text[1]))
		return false;
	number = strtoul(text + 1, &end, 10);
	if (*end != '.' || !isdigit((unsigned char)end[1]) || number >= VECTORS_MOST)
		return false;
	count = strtoul(end + 1, &end, 10);
	letter = *end && !end[1] ? strchr(letters, *end) : NULL;
	if (!letter)
		return false;
	*ret_reg = (uint16_t)(VECTORS + number * 2);
	*ret_count = (unsigned)count;
	*ret_bytes = 1u << (letter - letters);
	return count * *ret_bytes == 8 || count * *ret_bytes == 16;
}

/* `v0.s[1]`: an element, from a bit of one of the two registers on. */
static bool parse_element(const char *text, uint16_t *ret_reg, unsigned *ret_bytes,
                          unsigned *ret_bit)
{
	static const char letters[] = "bhsd";
	unsigned long number, index;
	const char *letter;
	char *end;

	if (*text != 'v' || !isdigit((unsigned char)text[1]))
		return false;
	number = strtoul(text + 1, &end, 10);
	letter = *end == '.' && end[1] ? strchr(letters, end[1]) : NULL;
	if (!letter || end[2] != '[' || number >= VECTORS_MOST)
		return false;
	*ret_bytes = 1u << (letter - letters);
	index = strtoul(end + 3, &end, 10);
	if (strcmp(end, "]") != 0 || index * *ret_bytes >= 16)
		return false;
	*ret_reg = (uint16_t)(VECTORS + number * 2 + index * *ret_bytes / 8);
	*ret_bit = (unsigned)(index * *ret_bytes * 8 % 64);
	return true;
}

/* mov w8, v0.s[1]; umov w8, v0.b[3]; mov v0.s[1], w8. Returns 1 where it is none. */
static int read_element(const struct instruction *i)
{
	const struct asm_line *line = i->line;
	unsigned bytes, width, bit;
	uint16_t vector, reg, part;
	uint64_t mask;

	if ((strcmp(i->name, "mov") != 0 && strcmp(i->name, "umov") != 0) || line->count != 2)
		return 1;
	part = oclmm_code_temporary(i->reader);
	if (parse_element(line->operand[1], &vector, &bytes, &bit) &&
	    parse_register(line->operand[0], &reg, &width)) {
		struct code *c;

		compute(i, OP_SHR, part, oclmm_code_value(vector), oclmm_code_number(bit));
		c = oclmm_code_add(i->reader, CODE_EXTEND);
		c->from = (uint8_t)bytes;
		c->to = target(reg);
		c->a = oclmm_code_value(part);
		return 0;
	}
	if (!parse_element(line->operand[0], &vector, &bytes, &bit))
		return 1;
	if (!parse_register(line->operand[1], &reg, &width) || width < bytes)
		return refuse(i);
	mask = (bytes < 8 ? (UINT64_C(1) << bytes * 8) - 1 : ~UINT64_C(0)) << bit;
	compute(i, OP_SHL, part, source(reg), oclmm_code_number(bit));
	compute(i, OP_AND, part, oclmm_code_value(part), oclmm_code_number((int64_t)mask));
	compute(i, OP_AND_NOT, vector, oclmm_code_value(vector), oclmm_code_number((int64_t)mask));
	compute(i, OP_OR, vector, oclmm_code_value(vector), oclmm_code_value(part));
	return 0;
}

/* movi v0.2s, #2; movi v0.4s, #1, lsl #8; movi d0, #0; mvni; dup v0.4s, w8; fmov d0, x8. Returns 1
 * where it is none. */
static int read_filled(const struct instruction *i)
{
	const struct asm_line *line = i->line;
	bool not = strcmp(i->name, "mvni") == 0, across = strcmp(i->name, "fmov") == 0;
	bool copies = strcmp(i->name, "dup") == 0;
	unsigned bytes = 8, count = 1, whole, width;
	uint16_t reg, from = NO_REGISTER;
	int64_t number = 0, by = 0;
	uint64_t part, value = 0;

	if (!not &&!across && !copies && strcmp(i->name, "movi") != 0)
		return 1;
	/* fmov x8, d0 */
	if (across && line->count == 2 && parse_register(line->operand[0], &reg, &width) &&
	    parse_vector(line->operand[1], &from, &whole) && whole == 8 && width == 8) {
		compute(i, OP_MOVE, target(reg), oclmm_code_number(0), oclmm_code_value(from))
			->width = 8;
		return 0;
	}
	if (line->count < 2 || line->count > 3)
		return refuse(i);
	if (parse_vector(line->operand[0], &reg, &whole))
		count = whole / 8;
	else if (!parse_elements(line->operand[0], &reg, &count, &bytes))
		return refuse(i);
	if (across || copies) {
		struct code_operand given;

		if (line->count != 2 || !parse_register(line->operand[1], &from, &width) ||
		    width != (bytes < 4 ? 4 : bytes))
			return refuse(i);
		given = source(from);
		for (unsigned n = 0; n < 2; n++) {
			uint16_t to = (uint16_t)(reg + n), one = oclmm_code_temporary(i->reader);
			struct code *c = oclmm_code_add(i->reader, CODE_EXTEND);

			c->from = (uint8_t)bytes;
			c->to = to;
			c->a = n && count * bytes == 8 ? oclmm_code_number(0) : given;
			for (unsigned at = bytes; at < 8; at *= 2) {
				compute(i, OP_SHL, one, oclmm_code_value(to),
				        oclmm_code_number((int64_t)at * 8))
					->width = 8;
				compute(i, OP_OR, to, oclmm_code_value(to), oclmm_code_value(one))
					->width = 8;
			}
		}
		return 0;
	}
	if (!parse_immediate(line->operand[1], &number) ||
	    (line->count == 3 && (strncmp(line->operand[2], "lsl ", 4) != 0 ||
	                          !parse_immediate(line->operand[2] + 4, &by))))
		return refuse(i);
	part = (uint64_t)number << by;
	if (not )
		part = ~part;
	if (bytes < 8)
		part &= (UINT64_C(1) << bytes * 8) - 1;
	for (unsigned at = 0; at < 8; at += bytes)
		value |= part << at * 8;
	for (unsigned n = 0; n < 2; n++) {
		struct code *c = oclmm_code_add(i->reader, CODE_SET);

		c->to = (uint16_t)(reg + n);
		c->a = oclmm_code_number(n && count * bytes == 8 ? 0 : (int64_t)value);
	}
	return 0;
}

/* ldp q0, q1, [x0]; stp d0, d1, [sp]. Returns 1 where it is neither. */
static int read_vector_pair(const struct instruction *i)
{
	bool load = strcmp(i->name, "ldp") == 0;
	struct place place;
	unsigned bytes[2];
	uint16_t reg[2];

	if ((!load && strcmp(i->name, "stp") != 0) || i->line->count < 3 ||
	    !parse_vector(i->line->operand[0], &reg[0], &bytes[0]))
		return 1;
	if (!parse_vector(i->line->operand[1], &reg[1], &bytes[1]) || bytes[0] != bytes[1] ||
	    !parse_place(i, 2, &place))
		return refuse(i);
	move_base(i, &place, place.before);
	for (unsigned done = 0; done < 2 * bytes[0]; done += 8) {
		struct code *c = oclmm_code_add(i->reader, load ? CODE_LOAD : CODE_STORE);
		uint16_t at = (uint16_t)(reg[done / bytes[0]] + done % bytes[0] / 8);

		c->address = place.address;
		c->address.offset += done;
		if (load)
			c->to = at;
		else
			c->a = oclmm_code_value(at);
	}
	for (unsigned n = 0; load && bytes[0] == 8 && n < 2; n++)
		oclmm_code_add(i->reader, CODE_SET)->to = (uint16_t)(reg[n] + 1);
	move_base(i, &place, place.behind);
	return 0;
}

/* ldr q0, [x8, :lo12:.LCPI0_0]; str q0, [x1]. Returns 1 where it is neither. */
static int read_vector(const struct instruction *i)
{
	bool load = strcmp(i->name, "ldr") == 0 || strcmp(i->name, "ldur") == 0;
	bool store = strcmp(i->name, "str") == 0 || strcmp(i->name, "stur") == 0;
	struct place place;
	unsigned bytes;
	uint16_t reg;

	if ((!load && !store) || !i->line->count ||
	    !parse_vector(i->line->operand[0], &reg, &bytes))
		return 1;
	if (!parse_place(i, 1, &place) || place.address.base == NO_REGISTER)
		return refuse(i);
	move_base(i, &place, place.before);
	for (unsigned done = 0; done < bytes; done += 8) {
		struct code *c = oclmm_code_add(i->reader, load ? CODE_LOAD : CODE_STORE);

		c->address = place.address;
		c->address.offset += done;
		if (load)
			c->to = (uint16_t)(reg + done / 8);
		else
			c->a = oclmm_code_value((uint16_t)(reg + done / 8));
	}
	if (load && bytes == 8)
		oclmm_code_add(i->reader, CODE_SET)->to = (uint16_t)(reg + 1);
	move_base(i, &place, place.behind);
	return 0;
}

/* Returns 1 where it reaches no memory. */
static int read_memory(const struct instruction *i)
{
	static const struct {
		const char *stem;
		enum code_kind kind;
		unsigned tags;
	} accesses[] = {
		{"ldaxr", CODE_LINKED, TAG_A},
		{"ldxr", CODE_LINKED, 0},
		{"ldapr", CODE_LOAD, TAG_Q},
		{"ldar", CODE_LOAD, TAG_A},
		{"ldur", CODE_LOAD, 0},
		{"ldr", CODE_LOAD, 0},
		{"stlxr", CODE_CONDITIONAL, TAG_L},
		{"stxr", CODE_CONDITIONAL, 0},
		{"stlr", CODE_STORE, TAG_L},
		{"stur", CODE_STORE, 0},
		{"str", CODE_STORE, 0},
	};

	if (strcmp(i->name, "ldp") == 0 || strcmp(i->name, "ldpsw") == 0 ||
	    strcmp(i->name, "stp") == 0)
		return read_pair(i, *i->name == 'l');
	for (size_t n = 0; n < OCLMM_COUNT(accesses); n++) {
		size_t length = strlen(accesses[n].stem);
		const char *rest = i->name + length;

		if (strncmp(i->name, accesses[n].stem, length) != 0)
			continue;
		switch (accesses[n].kind) {
		case CODE_STORE: return read_store(i, accesses[n].tags, rest);
		case CODE_CONDITIONAL: return read_conditional(i, accesses[n].tags, rest);
		default: return read_load(i, accesses[n].kind, accesses[n].tags, rest);
		}
	}
	return read_atomic(i);
}

/* ---- conditions -------------------------------------------------------------------- */

/* The carry is the other way round: set where a difference does not borrow. */
static const struct {
	const char *name;
	enum code_condition condition, opposite;
} conditions[] = {
	{"eq", IF_EQ, IF_NE},
	{"ne", IF_NE, IF_EQ},
	{"hs", IF_NOT_BELOW, IF_BELOW},
	{"cs", IF_NOT_BELOW, IF_BELOW},
	{"lo", IF_BELOW, IF_NOT_BELOW},
	{"cc", IF_BELOW, IF_NOT_BELOW},
	{"mi", IF_NEGATIVE, IF_NOT_NEGATIVE},
	{"pl", IF_NOT_NEGATIVE, IF_NEGATIVE},
	{"vs", IF_OVERFLOW, IF_NO_OVERFLOW},
	{"vc", IF_NO_OVERFLOW, IF_OVERFLOW},
	{"hi", IF_ABOVE, IF_NOT_ABOVE},
	{"ls", IF_NOT_ABOVE, IF_ABOVE},
	{"ge", IF_GE, IF_LT},
	{"lt", IF_LT, IF_GE},
	{"gt", IF_GT, IF_LE},
	{"le", IF_LE, IF_GT},
};

/* The register in which it is 0 or 1, or NO_REGISTER. */
static uint16_t test_condition(const struct instruction *i, const char *name, bool opposite)
{
	for (size_t n = 0; n < OCLMM_COUNT(conditions); n++) {
		struct code *c;
		uint16_t to;

		if (strcmp(conditions[n].name, name) != 0)
			continue;
		to = oclmm_code_temporary(i->reader);
		c = oclmm_code_add(i->reader, CODE_TEST);
		c->condition = opposite ? conditions[n].opposite : conditions[n].condition;
		c->to = to;
		c->a = oclmm_code_value(FLAGS);
		return to;
	}
	return NO_REGISTER;
}

static void set_flags(const struct instruction *i, enum code_op op, struct code_operand a,
                      struct code_operand b)
{
	struct code *c = oclmm_code_add(i->reader, CODE_FLAGS);

	c->op = op;
	c->width = (uint8_t)i->width;
	c->sign = op != OP_SUB; /* no carry is a borrow */
	c->to = FLAGS;
	c->a = a;
	c->b = b;
}

/* csel, csinc, csinv, csneg; cset, cinc, cneg and their kin, which have the condition inverted. */
static int read_select(const struct instruction *i)
{
	static const struct {
		const char *name;
		enum code_op op; /* of the other value; OP_MOVE: none */
		char form;       /* s: two registers, i: one, z: none */
	} selects[] = {
		{"csel", OP_MOVE, 's'},    {"csinc", OP_ADD, 's'}, {"csinv", OP_NOT, 's'},
		{"csneg", OP_NEGATE, 's'}, {"cinc", OP_ADD, 'i'},  {"cinv", OP_NOT, 'i'},
		{"cneg", OP_NEGATE, 'i'},  {"cset", OP_ADD, 'z'},  {"csetm", OP_NOT, 'z'},
	};
	uint16_t a = ZERO, b = ZERO, met, other;
	struct code *c;

	for (size_t n = 0; n < OCLMM_COUNT(selects); n++) {
		unsigned operands = selects[n].form == 's' ? 4 : selects[n].form == 'i' ? 3 : 2;

		if (strcmp(selects[n].name, i->name) != 0)
			continue;
		if (i->line->count != operands || (operands > 2 && !register_at(i, 1, &a)) ||
		    (operands > 3 && !register_at(i, 2, &b)))
			return refuse(i);
		if (operands == 3)
			b = a;
		met = test_condition(i, i->line->operand[operands - 1], operands < 4);
		if (met == NO_REGISTER)
			return refuse(i);
		other = oclmm_code_temporary(i->reader);
		compute(i, selects[n].op, other,
		        selects[n].op == OP_ADD ? oclmm_code_number(1) : source(b), source(b));
		c = oclmm_code_add(i->reader, CODE_SELECT);
		c->width = (uint8_t)i->width;
		c->to = target(i->reg);
		c->a = source(a);
		c->b = oclmm_code_value(other);
		c->c = oclmm_code_value(met);
		c->picks = true;
		return 0;
	}
	return 1;
}

static int branch_if(const struct instruction *i, uint16_t met, const char *label)
{
	if (met == NO_REGISTER)
		return refuse(i);
	oclmm_code_add(i->reader, CODE_BRANCH)->a = oclmm_code_value(met);
	oclmm_code_target(i->reader, label);
	return 0;
}

/* cbz, cbnz, tbz, tbnz */
static int read_zero_branch(const struct instruction *i)
{
	bool bit = *i->name == 't', zero = i->name[2] == 'z';
	uint16_t value = oclmm_code_temporary(i->reader), met = oclmm_code_temporary(i->reader);
	int64_t number = 0;
	struct code *c;

	if (i->line->count != (bit ? 3 : 2) ||
	    (bit && !parse_immediate(i->line->operand[1], &number)))
		return refuse(i);
	compute(i, bit ? OP_AND : OP_OR, value, source(i->reg),
	        oclmm_code_number(bit ? (int64_t)(UINT64_C(1) << number) : 0));
	c = oclmm_code_add(i->reader, CODE_COMPARE);
	c->relation = zero ? REL_EQ : REL_NE;
	c->to = met;
	c->a = oclmm_code_value(value);
	return branch_if(i, met, i->line->operand[i->line->count - 1]);
}

/* ---- arithmetic ------------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum code_op op;
	bool flags;
} arithmetic[] = {
	{"add", OP_ADD, false},     {"adds", OP_ADD, true},    {"sub", OP_SUB, false},
	{"subs", OP_SUB, true},     {"and", OP_AND, false},    {"ands", OP_AND, true},
	{"orr", OP_OR, false},      {"eor", OP_XOR, false},    {"bic", OP_AND_NOT, false},
	{"bics", OP_AND_NOT, true}, {"orn", OP_OR_NOT, false}, {"lsl", OP_SHL, false},
	{"lsr", OP_SHR, false},     {"asr", OP_SAR, false},    {"mul", OP_MUL, false},
	{"sdiv", OP_DIV, false},    {"udiv", OP_UDIV, false},
};

/* Returns 1 where it is none. */
static int read_arithmetic(const struct instruction *i)
{
	struct code_operand b;
	uint16_t a;

	for (size_t n = 0; n < OCLMM_COUNT(arithmetic); n++) {
		if (strcmp(arithmetic[n].name, i->name) != 0)
			continue;
		if (!register_at(i, 1, &a) || !value_at(i, 2, &b))
			return refuse(i);
		if (arithmetic[n].flags)
			set_flags(i, arithmetic[n].op, source(a), b);
		compute(i, arithmetic[n].op, target(i->reg), source(a), b);
		return 0;
	}
	return 1;
}

static const struct {
	const char *name;
	enum code_op op;
} comparisons[] = {{"cmp", OP_SUB}, {"cmn", OP_ADD}, {"tst", OP_AND}};

static int read_comparison(const struct instruction *i)
{
	struct code_operand b;

	for (size_t n = 0; n < OCLMM_COUNT(comparisons); n++) {
		if (strcmp(comparisons[n].name, i->name) != 0)
			continue;
		if (!value_at(i, 1, &b))
			return refuse(i);
		set_flags(i, comparisons[n].op, source(i->reg), b);
		return 0;
	}
	return 1;
}

/* mov, movk, movn, mvn, neg */
static int read_move(const struct instruction *i)
{
	struct code_operand value;

	if (strcmp(i->name, "movk") == 0) {
		int64_t part, by = 0;

		if (i->line->count < 2 || !parse_immediate(i->line->operand[1], &part) ||
		    (i->line->count == 3 && (strncmp(i->line->operand[2], "lsl ", 4) != 0 ||
		                             !parse_immediate(i->line->operand[2] + 4, &by))))
			return refuse(i);
		compute(i, OP_AND, i->reg, oclmm_code_value(i->reg),
		        oclmm_code_number((int64_t) ~(UINT64_C(0xffff) << by)));
		compute(i, OP_OR, i->reg, oclmm_code_value(i->reg),
		        oclmm_code_number((int64_t)((uint64_t)part << by)));
		return 0;
	}
	if (!value_at(i, 1, &value))
		return refuse(i);
	if (strcmp(i->name, "mov") == 0)
		compute(i, OP_MOVE, target(i->reg), value, value);
	else
		compute(i, strcmp(i->name, "neg") == 0 ? OP_NEGATE : OP_NOT, target(i->reg), value,
		        value);
	return 0;
}

/* sxtw, uxtb, … and ubfx, sbfx, and their kin */
static int read_extension(const struct instruction *i)
{
	uint16_t from;
	struct code *c;
	unsigned bytes = i->name[3] == 'b' ? 1 : i->name[3] == 'h' ? 2 : 4;

	if (!register_at(i, 1, &from))
		return refuse(i);
	c = oclmm_code_add(i->reader, CODE_EXTEND);
	c->width = (uint8_t)i->width;
	c->from = (uint8_t)bytes;
	c->sign = *i->name == 's';
	c->to = target(i->reg);
	c->a = source(from);
	return 0;
}

/* sbfiz x8, x0, #2, #32: so many of the lowest bits, moved up, with their sign or without. */
static int read_moved_field(const struct instruction *i)
{
	int64_t low, width, bits = (int64_t)i->width * 8;
	uint16_t from, part;

	if (i->line->count != 4 || !register_at(i, 1, &from) ||
	    !parse_immediate(i->line->operand[2], &low) ||
	    !parse_immediate(i->line->operand[3], &width) || width < 1 || low + width > bits)
		return refuse(i);
	part = oclmm_code_temporary(i->reader);
	compute(i, OP_SHL, part, source(from), oclmm_code_number(bits - width));
	compute(i, *i->name == 's' ? OP_SAR : OP_SHR, target(i->reg), oclmm_code_value(part),
	        oclmm_code_number(bits - width - low));
	return 0;
}

/* bfi w8, w9, #4, #8: the lowest bits of one register into another, from a place on; bfxil: those
 * from a place on, into the lowest. */
static int read_insert(const struct instruction *i)
{
	int64_t low, width;
	bool extracts = strcmp(i->name, "bfxil") == 0;
	uint16_t from, part;
	uint64_t mask;

	if (i->line->count != 4 || !register_at(i, 1, &from) ||
	    !parse_immediate(i->line->operand[2], &low) ||
	    !parse_immediate(i->line->operand[3], &width) || width >= 64)
		return refuse(i);
	mask = (UINT64_C(1) << width) - 1;
	part = oclmm_code_temporary(i->reader);
	if (extracts) {
		compute(i, OP_SHR, part, source(from), oclmm_code_number(low));
		compute(i, OP_AND, part, oclmm_code_value(part), oclmm_code_number((int64_t)mask));
		low = 0;
	} else {
		compute(i, OP_AND, part, source(from), oclmm_code_number((int64_t)mask));
		compute(i, OP_SHL, part, oclmm_code_value(part), oclmm_code_number(low));
	}
	compute(i, OP_AND_NOT, i->reg, oclmm_code_value(i->reg),
	        oclmm_code_number((int64_t)(mask << low)));
	compute(i, OP_OR, i->reg, oclmm_code_value(i->reg), oclmm_code_value(part));
	return 0;
}

static int read_field(const struct instruction *i)
{
	bool sign = *i->name == 's';
	int64_t low, width;
	uint16_t from, part;

	if (i->line->count != 4 || !register_at(i, 1, &from) ||
	    !parse_immediate(i->line->operand[2], &low) ||
	    !parse_immediate(i->line->operand[3], &width))
		return refuse(i);
	part = oclmm_code_temporary(i->reader);
	compute(i, OP_SHL, part, source(from),
	        oclmm_code_number((int64_t)i->width * 8 - low - width));
	compute(i, sign ? OP_SAR : OP_SHR, target(i->reg), oclmm_code_value(part),
	        oclmm_code_number((int64_t)i->width * 8 - width));
	return 0;
}

/* madd x8, x9, x10, x11: the product and the last one; msub: the last one without the product */
static int read_product_sum(const struct instruction *i)
{
	uint16_t a, b, to_add, product;

	if (i->line->count != 4 || !register_at(i, 1, &a) || !register_at(i, 2, &b) ||
	    !register_at(i, 3, &to_add))
		return refuse(i);
	product = oclmm_code_temporary(i->reader);
	compute(i, OP_MUL, product, source(a), source(b));
	compute(i, i->name[1] == 'a' ? OP_ADD : OP_SUB, target(i->reg), source(to_add),
	        oclmm_code_value(product));
	return 0;
}

/* umull x8, w9, w10, and with a sign: all bits of a product */
static int read_whole_product(const struct instruction *i)
{
	bool sign = *i->name == 's';
	uint16_t a, b;

	if (i->line->count != 3 || i->width != 8 || !register_at(i, 1, &a) ||
	    !register_at(i, 2, &b))
		return refuse(i);
	compute(i, OP_MUL, target(i->reg), extended(i, source(a), 4, sign),
	        extended(i, source(b), 4, sign));
	return 0;
}

/* ror w8, w9, #31, or by a register: what leaves below comes in above. */
static int read_rotation(const struct instruction *i)
{
	uint16_t from, below, above, back;
	struct code_operand by;

	if (i->line->count != 3 || !register_at(i, 1, &from) || !value_at(i, 2, &by))
		return refuse(i);
	below = oclmm_code_temporary(i->reader);
	above = oclmm_code_temporary(i->reader);
	back = oclmm_code_temporary(i->reader);
	compute(i, OP_SHR, below, source(from), by);
	/* shifts take their number by the width */
	compute(i, OP_SUB, back, oclmm_code_number(0), by);
	compute(i, OP_SHL, above, source(from), oclmm_code_value(back));
	compute(i, OP_OR, target(i->reg), oclmm_code_value(below), oclmm_code_value(above));
	return 0;
}

/* ---- the whole ------------------------------------------------------------------------- */

/* Those whose first operand is no register. Returns 1 where it is none of them. */
static int read_other(const struct instruction *i)
{
	const char *first = i->line->count ? i->line->operand[0] : "";

	if (strcmp(i->name, "ret") == 0) {
		oclmm_code_add(i->reader, CODE_RETURN);
	} else if (strcmp(i->name, "dmb") == 0) {
		struct code *c = oclmm_code_add(i->reader, CODE_FENCE);

		if (strcmp(first, "ish") == 0 || strcmp(first, "sy") == 0)
			c->read_tags = TAG_SY;
		else if (strcmp(first, "ishld") == 0 || strcmp(first, "ld") == 0)
			c->read_tags = TAG_LD;
		else if (strcmp(first, "ishst") == 0 || strcmp(first, "st") == 0)
			c->read_tags = TAG_ST;
		else
			return oclmm_code_refuse(i->reader, first);
	} else if (strcmp(i->name, "bl") == 0) {
		oclmm_code_call(i->reader, first, false);
	} else if (strcmp(i->name, "b") == 0 && *first == '.') {
		oclmm_code_add(i->reader, CODE_JUMP);
		oclmm_code_target(i->reader, first);
	} else if (strcmp(i->name, "b") == 0) {
		oclmm_code_call(i->reader, first, true);
	} else if (strncmp(i->name, "b.", 2) == 0) {
		return branch_if(i, test_condition(i, i->name + 2, false), first);
	} else if (strcmp(i->name, "clrex") != 0 && strcmp(i->name, "nop") != 0 &&
	           strcmp(i->name, "hint") != 0) {
		return 1;
	}
	return 0;
}

static int read_aarch64(struct reader *reader, const struct asm_line *line)
{
	struct instruction i = {.reader = reader, .line = line, .width = 8};
	int r;

	snprintf(i.name, sizeof(i.name), "%s", line->word);
	r = read_other(&i);
	if (r > 0)
		r = read_vector(&i);
	if (r > 0)
		r = read_vector_pair(&i);
	if (r > 0)
		r = read_filled(&i);
	if (r > 0)
		r = read_element(&i);
	if (r <= 0)
		return r;
	if (!line->count || !parse_register(line->operand[0], &i.reg, &i.width))
		return oclmm_code_refuse(reader, "");
	if (strcmp(i.name, "mov") == 0 || strcmp(i.name, "movk") == 0 ||
	    strcmp(i.name, "mvn") == 0 || strcmp(i.name, "neg") == 0)
		return read_move(&i);
	if (strcmp(i.name, "sxtw") == 0 || strcmp(i.name, "sxth") == 0 ||
	    strcmp(i.name, "sxtb") == 0 || strcmp(i.name, "uxth") == 0 ||
	    strcmp(i.name, "uxtb") == 0 || strcmp(i.name, "uxtw") == 0)
		return read_extension(&i);
	if (strcmp(i.name, "adrp") == 0)
		return read_constants(&i);
	if (strcmp(i.name, "ubfx") == 0 || strcmp(i.name, "sbfx") == 0)
		return read_field(&i);
	if (strcmp(i.name, "ubfiz") == 0 || strcmp(i.name, "sbfiz") == 0)
		return read_moved_field(&i);
	if (strcmp(i.name, "ror") == 0)
		return read_rotation(&i);
	if (strcmp(i.name, "umull") == 0 || strcmp(i.name, "smull") == 0)
		return read_whole_product(&i);
	if (strcmp(i.name, "madd") == 0 || strcmp(i.name, "msub") == 0)
		return read_product_sum(&i);
	if (strcmp(i.name, "bfi") == 0 || strcmp(i.name, "bfxil") == 0)
		return read_insert(&i);
	if (strcmp(i.name, "cbz") == 0 || strcmp(i.name, "cbnz") == 0 ||
	    strcmp(i.name, "tbz") == 0 || strcmp(i.name, "tbnz") == 0)
		return read_zero_branch(&i);
	r = read_arithmetic(&i);
	if (r > 0)
		r = read_comparison(&i);
	if (r > 0)
		r = read_select(&i);
	if (r > 0)
		r = read_memory(&i);
	return r > 0 ? oclmm_code_refuse(reader, "") : r;
}

static const struct oclmm_cat_name names[] = {
	CODE_NAMES,
	CODE_SET_NAME("A"),
	CODE_SET_NAME("Q"),
	CODE_SET_NAME("L"),
	CODE_SET_NAME("DMB.SY"),
	CODE_SET_NAME("DMB.LD"),
	CODE_SET_NAME("DMB.ST"),
	CODE_SET_NAME("NORET"),
	CODE_SET_NAME("AMO"),
};

const struct oclmm_machine oclmm_machine_aarch64 = {
	.name = "aarch64",
	.model = "Armv8",
	.cat = oclmm_model_aarch64,
	.grows = true,
	.names = names,
	.name_count = OCLMM_COUNT(names),
	.full_fence = {TAG_SY},
	.barrier_entry = TAG_LD | TAG_ST,
	.barrier_exit = TAG_LD,
	.comment = "//",
	.convention = {.argument = {0, 1, 2, 3, 4, 5, 6, 7},
                       .arguments = 8,
                       .given = 0,
                       .stack = SP,
                       .block = NO_REGISTER,
                       .local_bytes = 8},
	.read = read_aarch64,
};
