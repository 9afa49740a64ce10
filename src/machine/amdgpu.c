// SPDX-License-Identifier: Apache-2.0
/*
 * AMD's GCN, CDNA and RDNA, GFX9 to GFX12, as compilers write them for such kernels. One lane is
 * followed, the lowest, whose bit is 1 where masks of lanes are computed. An access has an effect
 * of its own, and s_waitcnt is what waits for it; caches are invalidated by instructions.
 */
#include "code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { VCC = 108, EXEC = 110, SCC = 112, M0 = 113, VGPR = 128, NOWHERE = 400, SCRATCH = 404 };
enum {
	TAG_VM = 1,       /* s_waitcnt vmcnt(0): loads, and whatever else it counts */
	TAG_VS = 2,       /* s_waitcnt_vscnt 0: stores, and updates that return nothing */
	TAG_LGKM = 4,     /* s_waitcnt lgkmcnt(0): local memory, scalar loads */
	TAG_INV0 = 8,     /* buffer_gl0_inv */
	TAG_INV1 = 16,    /* buffer_gl1_inv; of GFX9 buffer_wbinvl1 */
	TAG_PAST0 = 32,   /* does not look into the first cache */
	TAG_PAST1 = 64,   /* nor into the second; of GFX9 the only one */
	TAG_VSC = 128,    /* counted by vscnt */
	TAG_SCALAR = 256, /* a scalar load, by a cache of its own */
	TAG_WB = 512,     /* of GFX940 buffer_wbl2 */
	TAG_DS = 1024,    /* of GFX12 s_wait_dscnt 0: local memory */
	TAG_KM = 2048     /* of GFX12 s_wait_kmcnt 0: scalar loads */
};

/* ---- operands ------------------------------------------------------------------ */

struct operand {
	struct code_operand half[2]; /* low and high */
	unsigned words;              /* 1: the high half is the sign of a number, or 0 */
	uint16_t first;              /* register, or NO_REGISTER */
};

struct instruction {
	struct reader *reader;
	const struct asm_line *line;
	bool gfx10;  /* or later */
	bool gfx11;  /* or later, which has other names for much, and other bits for caches */
	bool gfx12;  /* whose accesses have scopes, and each counter a wait of its own */
	bool gfx940; /* a GFX9 with several second caches, and bits for scopes */
	char name[LINE_WORD];
	char word[LINE_OPERANDS][LINE_WORD]; /* operands without modifiers */
	unsigned count;
	bool glc, dlc;
	bool sc0, sc1;
	enum { CACHE_CU, CACHE_SE, CACHE_DEV } cache; /* of GFX12: what it must reach past */
	int64_t offset;
	int64_t offsets[2]; /* of two accesses in one */
	unsigned select;    /* op_sel: a set of operands whose high half is taken */
	/* of sdwa: which bytes of the result and of the sources, and what becomes of the others;
	 * the same of operands that are halves of registers, as GFX11 has them: v0.l, v1.h */
	bool parts, halves, offen;
	bool clamp;    /* what would wrap stays at the limit of its type */
	int64_t table; /* of bitop3, or -1 */
	enum { D16_NONE, D16_LOW, D16_HIGH } d16; /* the half of a register that is accessed */
	struct part {
		unsigned at, bits; /* bits 0: all of them */
	} part[3];
	enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE } unused;
	uint16_t whole; /* the result before its part is taken; 0: there is none */
};

static int refuse(const struct instruction *i)
{
	return oclmm_code_refuse(i->reader, "");
}

static bool parse_range(const char *text, uint16_t base, struct operand *operand)
{
	char *end;
	unsigned long low = strtoul(text, &end, 10), high;

	if (*end != ':')
		return false;
	high = strtoul(end + 1, &end, 10);
	if (strcmp(end, "]") != 0 || high < low || high >= 256)
		return false;
	operand->first = (uint16_t)(base + low);
	operand->words = (unsigned)(high - low) + 1;
	return true;
}

static bool parse_named(const char *text, struct operand *operand)
{
	static const struct {
		const char *name;
		uint16_t reg;
		unsigned words;
	} names[] = {
		{"vcc", VCC, 2},
		{"vcc_lo", VCC, 1},
		{"vcc_hi", VCC + 1, 1},
		{"exec", EXEC, 2},
		{"exec_lo", EXEC, 1},
		{"exec_hi", EXEC + 1, 1},
		{"scc", SCC, 1},
		{"m0", M0, 1},
		{"null", NOWHERE, 1},
		/* where private memory is, which is known here */
		{"flat_scratch", NOWHERE + 2, 2},
		{"flat_scratch_lo", NOWHERE + 2, 1},
		{"flat_scratch_hi", NOWHERE + 3, 1},
	};

	for (size_t n = 0; n < OCLMM_COUNT(names); n++) {
		if (strcmp(names[n].name, text) == 0) {
			operand->first = names[n].reg;
			operand->words = names[n].words;
			return true;
		}
	}
	return false;
}

static bool parse_operand(const char *text, struct operand *ret_operand)
{
	struct operand operand = {.first = NO_REGISTER, .words = 1};
	int64_t number;

	if (oclmm_code_parse_number(text, &number)) {
		operand.half[0] = oclmm_code_number((int32_t)number);
		operand.half[1] = oclmm_code_number((int32_t)(number >> 32));
		*ret_operand = operand;
		return true;
	}
	if ((*text == 's' || *text == 'v') && text[1] == '[') {
		if (!parse_range(text + 2, *text == 'v' ? VGPR : 0, &operand))
			return false;
	} else if ((*text == 's' || *text == 'v') && isdigit((unsigned char)text[1])) {
		char *end;
		unsigned long reg = strtoul(text + 1, &end, 10);

		if (*end || reg >= (*text == 'v' ? 256u : 106u))
			return false;
		operand.first = (uint16_t)((*text == 'v' ? VGPR : 0) + reg);
	} else if (!parse_named(text, &operand)) {
		return false;
	}
	operand.half[0] = oclmm_code_value(operand.first);
	operand.half[1] = operand.words > 1 ? oclmm_code_value((uint16_t)(operand.first + 1))
	                                    : oclmm_code_number(0);
	*ret_operand = operand;
	return true;
}

static struct code_operand field(const struct instruction *i, struct code_operand of, unsigned low,
                                 unsigned bits, bool sign);

static bool operand_at(const struct instruction *i, unsigned at, struct operand *ret_operand)
{
	if (at >= i->count || !parse_operand(i->word[at], ret_operand))
		return false;
	/* v_cmpx has no result in front */
	if ((at >= 1 || (i->halves && strncmp(i->name, "v_cmpx_", 7) == 0)) &&
	    at < OCLMM_COUNT(i->part) && i->part[at].bits) {
		ret_operand->half[0] = field(i, ret_operand->half[0], i->part[at].at,
		                             i->part[at].bits, false);
		ret_operand->words = 1;
	}
	return true;
}

static bool target_at(const struct instruction *i, unsigned at, struct operand *ret_operand)
{
	if (at >= i->count || !parse_operand(i->word[at], ret_operand) ||
	    ret_operand->first == NO_REGISTER)
		return false;
	if (i->whole && at == 0)
		*ret_operand = (struct operand){.half = {oclmm_code_value(i->whole)},
		                                .words = 1,
		                                .first = i->whole};
	return true;
}

/* ---- pieces ---------------------------------------------------------------------- */

static bool is_vector(const struct instruction *i)
{
	return *i->name == 'v' || *i->name == 'd' || *i->name == 'g' || *i->name == 'f' ||
	       strncmp(i->name, "scratch_", 8) == 0 || strncmp(i->name, "buffer_load_", 12) == 0 ||
	       strncmp(i->name, "buffer_store_", 13) == 0;
}

static struct code *add(const struct instruction *i, enum code_kind kind)
{
	struct code *c = oclmm_code_add(i->reader, kind);

	c->width = 4;
	if (is_vector(i))
		c->guard = EXEC;
	return c;
}

static struct code *compute(const struct instruction *i, enum code_op op, uint16_t to,
                            struct code_operand a, struct code_operand b)
{
	struct code *c = add(i, CODE_COMPUTE);

	c->op = op;
	c->to = to;
	c->a = a;
	c->b = b;
	return c;
}

static void compare(const struct instruction *i, enum code_relation relation, uint16_t to,
                    struct code_operand a, struct code_operand b, unsigned width)
{
	struct code *c = add(i, CODE_COMPARE);

	c->relation = relation;
	c->width = (uint8_t)width;
	c->to = to;
	c->a = a;
	c->b = b;
}

/* Both halves as one value. */
static struct code_operand join(const struct instruction *i, const struct operand *operand)
{
	uint16_t high = oclmm_code_temporary(i->reader), to = oclmm_code_temporary(i->reader);
	struct code *c;

	c = compute(i, OP_SHL, high, operand->half[1], oclmm_code_number(32));
	c->width = 8;
	c->guard = NO_REGISTER;
	c = add(i, CODE_EXTEND);
	c->width = 8;
	c->from = 4;
	c->to = to;
	c->a = operand->half[0];
	c->guard = NO_REGISTER;
	c = compute(i, OP_OR, to, oclmm_code_value(to), oclmm_code_value(high));
	c->width = 8;
	c->guard = NO_REGISTER;
	return oclmm_code_value(to);
}

static void split(const struct instruction *i, uint16_t to, struct code_operand value)
{
	struct code *c;

	c = compute(i, OP_SHR, (uint16_t)(to + 1), value, oclmm_code_number(32));
	c->width = 8;
	compute(i, OP_MOVE, to, value, value);
}

static struct code *compute_wide(const struct instruction *i, enum code_op op, uint16_t to,
                                 struct code_operand a, struct code_operand b)
{
	struct code *c = compute(i, op, to, a, b);

	c->width = 8;
	return c;
}

/* So many bits of a register from one on. */
static struct code_operand field(const struct instruction *i, struct code_operand of, unsigned low,
                                 unsigned bits, bool sign)
{
	uint16_t to = oclmm_code_temporary(i->reader);

	if (!bits)
		return oclmm_code_number(0);
	if (low + bits > 32)
		bits = 32 - low;
	compute(i, OP_SHL, to, of, oclmm_code_number(32 - low - bits))->guard = NO_REGISTER;
	compute(i, sign ? OP_SAR : OP_SHR, to, oclmm_code_value(to), oclmm_code_number(32 - bits))
		->guard = NO_REGISTER;
	return oclmm_code_value(to);
}

/* All 64 bits, of 32 with their sign or without. */
static uint16_t widen(const struct instruction *i, struct code_operand value, bool sign)
{
	uint16_t to = oclmm_code_temporary(i->reader);
	struct code *c = add(i, CODE_EXTEND);

	c->width = 8;
	c->from = 4;
	c->sign = sign;
	c->to = to;
	c->a = value;
	c->guard = NO_REGISTER;
	return to;
}

/* Whether a mask has any lane. */
static void set_scc(const struct instruction *i, const struct operand *of)
{
	uint16_t any = oclmm_code_temporary(i->reader);

	compute(i, OP_OR, any, of->half[0], of->half[1]);
	compare(i, REL_NE, SCC, oclmm_code_value(any), oclmm_code_number(0), 4);
}

/* ---- scalar instructions ------------------------------------------------------------ */

static const struct {
	const char *name;
	enum code_op op;
	/* scc: whether the result is not 0; overflows; is the first operand */
	enum { SCC_KEPT, SCC_ANY, SCC_OVERFLOW, SCC_FIRST } scc;
} scalar_ops[] = {
	{"add_i32", OP_ADD, SCC_OVERFLOW},   {"add_co_i32", OP_ADD, SCC_OVERFLOW},
	{"sub_i32", OP_SUB, SCC_OVERFLOW},   {"sub_co_i32", OP_SUB, SCC_OVERFLOW},
	{"and_b32", OP_AND, SCC_ANY},        {"or_b32", OP_OR, SCC_ANY},
	{"xor_b32", OP_XOR, SCC_ANY},        {"andn2_b32", OP_AND_NOT, SCC_ANY},
	{"orn2_b32", OP_OR_NOT, SCC_ANY},    {"and_not1_b32", OP_AND_NOT, SCC_ANY},
	{"or_not1_b32", OP_OR_NOT, SCC_ANY}, {"lshl_b32", OP_SHL, SCC_ANY},
	{"lshr_b32", OP_SHR, SCC_ANY},       {"ashr_i32", OP_SAR, SCC_ANY},
	{"mul_i32", OP_MUL, SCC_KEPT},       {"min_i32", OP_SMIN, SCC_FIRST},
	{"min_u32", OP_UMIN, SCC_FIRST},     {"max_i32", OP_SMAX, SCC_FIRST},
	{"max_u32", OP_UMAX, SCC_FIRST},
};

/* Of 64 bits, where the halves matter to each other. */
static const struct {
	const char *name;
	enum code_op op;
	bool shift; /* by one word; and scc is whether the result is not 0 */
} scalar_wide_ops[] = {
	{"lshl_b64", OP_SHL, true}, {"lshr_b64", OP_SHR, true},    {"ashr_i64", OP_SAR, true},
	{"mul_u64", OP_MUL, false}, {"add_nc_u64", OP_ADD, false}, {"sub_nc_u64", OP_SUB, false},
};

static const struct {
	const char *name;
	enum code_op op;
} mask_ops[] = {
	{"and_b64", OP_AND},        {"or_b64", OP_OR},       {"xor_b64", OP_XOR},
	{"andn2_b64", OP_AND_NOT},  {"orn2_b64", OP_OR_NOT}, {"and_not1_b64", OP_AND_NOT},
	{"or_not1_b64", OP_OR_NOT},
};

static const struct {
	const char *name;
	enum code_op op;
} saveexec_ops[] = {{"and_saveexec_b", OP_AND},
                    {"or_saveexec_b", OP_OR},
                    {"xor_saveexec_b", OP_XOR},
                    {"andn2_saveexec_b", OP_AND_NOT},
                    {"and_not1_saveexec_b", OP_AND_NOT}};

static const struct {
	const char *name;
	enum code_relation relation;
} scalar_relations[] = {
	{"eq_i32", REL_EQ},  {"lg_i32", REL_NE},  {"gt_i32", REL_GT},  {"ge_i32", REL_GE},
	{"lt_i32", REL_LT},  {"le_i32", REL_LE},  {"eq_u32", REL_EQ},  {"lg_u32", REL_NE},
	{"gt_u32", REL_UGT}, {"ge_u32", REL_UGE}, {"lt_u32", REL_ULT}, {"le_u32", REL_ULE},
};

static int read_saveexec(const struct instruction *i, enum code_op op, bool wide)
{
	struct operand to, mask;

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &mask))
		return refuse(i);
	for (unsigned h = 0; h < 1u + wide; h++) {
		uint16_t exec = (uint16_t)(EXEC + h), old = oclmm_code_temporary(i->reader);

		compute(i, OP_MOVE, old, oclmm_code_value(exec), oclmm_code_value(exec));
		/* the mask and, or, and not, the lanes that there were */
		compute(i, op, exec, mask.half[h], oclmm_code_value(old));
		compute(i, OP_MOVE, (uint16_t)(to.first + h), oclmm_code_value(old),
		        oclmm_code_value(old));
	}
	set_scc(i,
	        &(struct operand){.half = {oclmm_code_value(EXEC), wide ? oclmm_code_value(EXEC + 1)
	                                                                : oclmm_code_number(0)}});
	return 0;
}

static int read_scalar_move(const struct instruction *i, enum code_op op, unsigned words)
{
	struct operand to, from;

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &from))
		return refuse(i);
	for (unsigned h = 0; h < words; h++)
		compute(i, op, (uint16_t)(to.first + h), from.half[h], from.half[h]);
	return 0;
}

static int read_scalar_select(const struct instruction *i, unsigned words)
{
	struct operand to, a, b;

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b))
		return refuse(i);
	for (unsigned h = 0; h < words; h++) {
		struct code *c = add(i, CODE_SELECT);

		c->to = (uint16_t)(to.first + h);
		c->a = a.half[h];
		c->b = b.half[h];
		c->c = oclmm_code_value(SCC);
	}
	return 0;
}

/* s_add_u32, s_addc_u32, s_sub_u32 and s_subb_u32 carry by scc. */
static int read_scalar_carry(const struct instruction *i, enum code_op op, bool with)
{
	struct operand to, a, b;
	uint16_t sum = oclmm_code_temporary(i->reader);

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b))
		return refuse(i);
	compute_wide(i, op, sum, oclmm_code_value(widen(i, a.half[0], false)),
	             oclmm_code_value(widen(i, b.half[0], false)));
	if (with)
		compute_wide(i, op, sum, oclmm_code_value(sum), oclmm_code_value(SCC));
	compute(i, OP_MOVE, to.first, oclmm_code_value(sum), oclmm_code_value(sum));
	/* above a sum that carries stands 1, and above a difference that borrows 1 everywhere */
	compute_wide(i, OP_SHR, sum, oclmm_code_value(sum), oclmm_code_number(32));
	compute(i, OP_AND, SCC, oclmm_code_value(sum), oclmm_code_number(1));
	return 0;
}

/*
 * s_bfe_u32 s0, s1, 0x80010: of 64 bits too. From the bit that the lowest bits of the number say,
 * as many as those from bit 16 on.
 */
static int read_scalar_field(const struct instruction *i, bool wide, bool sign)
{
	unsigned bits = wide ? 64 : 32;
	struct operand to, from;
	int64_t number, low, width;
	uint16_t value;
	struct code *c;

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &from) || i->count != 3 ||
	    !oclmm_code_parse_number(i->word[2], &number))
		return refuse(i);
	low = number & (bits - 1);
	width = number >> 16 & 0x7f;
	if (!width || low + width > bits)
		return refuse(i);
	value = oclmm_code_temporary(i->reader);
	c = compute(i, OP_SHL, value, wide ? join(i, &from) : from.half[0],
	            oclmm_code_number(bits - low - width));
	c->width = wide ? 8 : 4;
	c = compute(i, sign ? OP_SAR : OP_SHR, value, oclmm_code_value(value),
	            oclmm_code_number(bits - width));
	c->width = wide ? 8 : 4;
	if (wide)
		split(i, to.first, oclmm_code_value(value));
	else
		compute(i, OP_MOVE, to.first, oclmm_code_value(value), oclmm_code_value(value));
	compare(i, REL_NE, SCC, oclmm_code_value(value), oclmm_code_number(0), wide ? 8 : 4);
	return 0;
}

/* s_sext_i32_i8, s_sext_i32_i16 */
static int read_scalar_extension(const struct instruction *i, unsigned bits)
{
	struct operand to, from;
	struct code_operand value;

	if (i->count != 2 || !target_at(i, 0, &to) || !operand_at(i, 1, &from))
		return refuse(i);
	value = field(i, from.half[0], 0, bits, true);
	compute(i, OP_MOVE, to.first, value, value);
	return 0;
}

/* The upper half of a product: of all bits of the factors, or of the lowest 24. */
static int read_high_product(const struct instruction *i, unsigned bits, bool sign)
{
	uint16_t product = oclmm_code_temporary(i->reader);
	struct operand to, factor[2];

	if (i->count != 3 || !target_at(i, 0, &to) || !operand_at(i, 1, &factor[0]) ||
	    !operand_at(i, 2, &factor[1]))
		return refuse(i);
	for (unsigned k = 0; k < 2 && bits < 32; k++)
		factor[k].half[0] = field(i, factor[k].half[0], 0, bits, sign);
	compute_wide(i, OP_MUL, product, oclmm_code_value(widen(i, factor[0].half[0], sign)),
	             oclmm_code_value(widen(i, factor[1].half[0], sign)));
	compute_wide(i, OP_SHR, product, oclmm_code_value(product), oclmm_code_number(32));
	compute(i, OP_MOVE, to.first, oclmm_code_value(product), oclmm_code_value(product));
	return 0;
}

/* s_bcnt1_i32_b64 s0, s[2:3] */
static int read_scalar_count(const struct instruction *i, bool wide)
{
	struct operand to, from;
	struct code *c;

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &from))
		return refuse(i);
	c = compute(i, OP_COUNT, to.first, oclmm_code_number(0),
	            wide ? join(i, &from) : from.half[0]);
	c->width = wide ? 8 : 4;
	compare(i, REL_NE, SCC, oclmm_code_value(to.first), oclmm_code_number(0), 4);
	return 0;
}

/* Of GFX12: s_load_u8, s_load_i16 and their kin. Returns 1 where it is none. */
static int read_scalar_part(const struct instruction *i)
{
	static const struct {
		const char *name;
		unsigned bytes;
		bool sign;
	} parts[] = {{"s_load_u8", 1, false},
	             {"s_load_i8", 1, true},
	             {"s_load_u16", 2, false},
	             {"s_load_i16", 2, true}};
	struct operand to, base;
	int64_t offset;

	for (size_t n = 0; i->gfx12 && n < OCLMM_COUNT(parts); n++) {
		struct code *c;
		struct code_operand address;

		if (strcmp(parts[n].name, i->name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &base) || base.words != 2 ||
		    i->count != 3 || !oclmm_code_parse_number(i->word[2], &offset))
			return refuse(i);
		address = join(i, &base);
		c = add(i, CODE_LOAD);
		c->from = (uint8_t)parts[n].bytes;
		c->sign = parts[n].sign;
		c->to = to.first;
		c->address.base = address.reg;
		c->address.offset = offset;
		c->read_tags = TAG_SCALAR;
		return 0;
	}
	return 1;
}

/* s_load_dword, with x2, x4 and so on: of parameters, and of objects by a cache of its own. */
static int read_scalar_load(const struct instruction *i)
{
	const char *rest = i->name + 2 + strlen(i->gfx11 ? "load_b" : "load_dword");
	unsigned words = i->gfx11 ? (unsigned)atoi(rest) / 32
	                 : *rest  ? (unsigned)atoi(rest + 1)
	                          : 1;
	struct operand to, base;
	int64_t offset;
	struct code_operand address;

	if ((!i->gfx11 && *rest && *rest != 'x') || words == 0 || words > 16 ||
	    !target_at(i, 0, &to) || !operand_at(i, 1, &base) || base.words != 2 || i->count != 3 ||
	    !oclmm_code_parse_number(i->word[2], &offset))
		return refuse(i);
	/* the first words may be the base itself */
	address = join(i, &base);
	for (unsigned n = 0; n < words; n++) {
		struct code *c = add(i, CODE_LOAD);

		c->to = (uint16_t)(to.first + n);
		c->address.base = address.reg;
		c->address.offset = offset + (int64_t)n * 4;
		c->read_tags = TAG_SCALAR;
	}
	return 0;
}

static int read_scalar_compare(const struct instruction *i, const char *name)
{
	struct operand a, b;

	if (!operand_at(i, 0, &a) || !operand_at(i, 1, &b))
		return refuse(i);
	if (strcmp(name, "lg_u64") == 0 || strcmp(name, "eq_u64") == 0) {
		struct code_operand x = join(i, &a), y = join(i, &b);

		compare(i, *name == 'e' ? REL_EQ : REL_NE, SCC, x, y, 8);
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(scalar_relations); n++) {
		if (strcmp(scalar_relations[n].name, name) != 0)
			continue;
		compare(i, scalar_relations[n].relation, SCC, a.half[0], b.half[0], 4);
		return 0;
	}
	return refuse(i);
}

static void read_scalar_result(const struct instruction *i, size_t which, uint16_t to,
                               struct code_operand a, struct code_operand b)
{
	enum code_op op = scalar_ops[which].op;
	uint16_t result = oclmm_code_temporary(i->reader), flags;
	struct code *c;

	compute(i, op, result, a, b);
	if (scalar_ops[which].scc == SCC_ANY) {
		compare(i, REL_NE, SCC, oclmm_code_value(result), oclmm_code_number(0), 4);
	} else if (scalar_ops[which].scc == SCC_FIRST) {
		/* as the ISA has it: a < b for a minimum, and a >= b for a maximum */
		compare(i,
		        op == OP_SMIN   ? REL_LT
		        : op == OP_UMIN ? REL_ULT
		        : op == OP_SMAX ? REL_GE
		                        : REL_UGE,
		        SCC, a, b, 4);
	} else if (scalar_ops[which].scc == SCC_OVERFLOW) {
		flags = oclmm_code_temporary(i->reader);
		c = add(i, CODE_FLAGS);
		c->op = op;
		c->to = flags;
		c->a = a;
		c->b = b;
		c = add(i, CODE_TEST);
		c->condition = IF_OVERFLOW;
		c->to = SCC;
		c->a = oclmm_code_value(flags);
	}
	compute(i, OP_MOVE, to, oclmm_code_value(result), oclmm_code_value(result));
}

static int read_scalar_arithmetic(const struct instruction *i, const char *name)
{
	struct operand to, a, b;

	for (size_t n = 0; n < OCLMM_COUNT(scalar_ops); n++) {
		if (strcmp(scalar_ops[n].name, name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b))
			return refuse(i);
		read_scalar_result(i, n, to.first, a.half[0], b.half[0]);
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(scalar_wide_ops); n++) {
		bool shift = scalar_wide_ops[n].shift;
		uint16_t value = oclmm_code_temporary(i->reader);

		if (strcmp(scalar_wide_ops[n].name, name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b))
			return refuse(i);
		compute_wide(i, scalar_wide_ops[n].op, value, join(i, &a),
		             shift ? b.half[0] : join(i, &b));
		split(i, to.first, oclmm_code_value(value));
		if (shift)
			compare(i, REL_NE, SCC, oclmm_code_value(value), oclmm_code_number(0), 8);
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(mask_ops); n++) {
		if (strcmp(mask_ops[n].name, name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b) ||
		    to.words != 2)
			return refuse(i);
		for (unsigned h = 0; h < 2; h++)
			compute(i, mask_ops[n].op, (uint16_t)(to.first + h), a.half[h], b.half[h]);
		set_scc(i, &to);
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(saveexec_ops); n++) {
		size_t length = strlen(saveexec_ops[n].name);

		if (strncmp(saveexec_ops[n].name, name, length) == 0)
			return read_saveexec(i, saveexec_ops[n].op,
			                     strcmp(name + length, "64") == 0);
	}
	return 1;
}

static int branch(const struct instruction *i, uint16_t reg, bool zero)
{
	uint16_t met = oclmm_code_temporary(i->reader);

	if (i->count != 1)
		return refuse(i);
	compare(i, zero ? REL_EQ : REL_NE, met, oclmm_code_value(reg), oclmm_code_number(0), 4);
	add(i, CODE_BRANCH)->a = oclmm_code_value(met);
	oclmm_code_target(i->reader, i->word[0]);
	return 0;
}

static int read_wait(const struct instruction *i)
{
	static const struct {
		const char *name;
		unsigned tag;
	} counters[] = {{"vmcnt(0)", TAG_VM}, {"lgkmcnt(0)", TAG_LGKM}};
	unsigned tags = 0;

	/* waits for all but the last accesses are for registers, and order less than they may */
	for (size_t n = 0; n < OCLMM_COUNT(counters); n++)
		tags |= memmem(i->line->text, i->line->length, counters[n].name,
		               strlen(counters[n].name))
		                ? counters[n].tag
		                : 0;
	if (tags & TAG_VM && !i->gfx10)
		tags |= TAG_VS;
	if (tags)
		add(i, CODE_FENCE)->read_tags = tags;
	return 0;
}

/* Of GFX12: s_wait_loadcnt 0x0, s_wait_storecnt_dscnt 0x0 … Waits for all but the last accesses
 * are for registers. */
static int read_one_wait(const struct instruction *i, const char *counters)
{
	static const struct {
		const char *name;
		unsigned tags;
	} waits[] = {
		{"loadcnt", TAG_VM},
		{"storecnt", TAG_VS},
		{"dscnt", TAG_DS},
		{"kmcnt", TAG_KM},
		{"loadcnt_dscnt", TAG_VM | TAG_DS},
		{"storecnt_dscnt", TAG_VS | TAG_DS},
		/* of images, exports, and the processor's own units */
		{"samplecnt", 0},
		{"bvhcnt", 0},
		{"expcnt", 0},
		{"alu", 0},
		{"event", 0},
		{"idle", 0},
	};
	int64_t number;

	for (size_t n = 0; n < OCLMM_COUNT(waits); n++) {
		if (strcmp(waits[n].name, counters) != 0)
			continue;
		if (!waits[n].tags)
			return 0;
		if (i->count != 1 || !oclmm_code_parse_number(i->word[0], &number))
			return refuse(i);
		if (number == 0)
			add(i, CODE_FENCE)->read_tags = waits[n].tags;
		return 0;
	}
	return refuse(i);
}

/* Of GFX12 s_barrier_signal and s_barrier_wait, which come by turns. */
static int read_split_barrier(const struct instruction *i, bool wait)
{
	uint64_t *signalled = &i->reader->notes;

	if (i->count != 1 || strcmp(i->word[0], "-1") != 0 || (*signalled != 0) != wait)
		return refuse(i);
	*signalled = !wait;
	add(i, CODE_BARRIER)->half = wait ? HALF_WAITS : HALF_COMES;
	return 0;
}

static int read_scalar(const struct instruction *i)
{
	const char *name = i->name + 2;
	int64_t number;
	int r;

	if (strcmp(name, "endpgm") == 0) {
		add(i, CODE_RETURN);
	} else if (strcmp(name, "barrier") == 0) {
		add(i, CODE_BARRIER);
	} else if (i->gfx12 && strncmp(name, "wait_", 5) == 0) {
		return read_one_wait(i, name + 5);
	} else if (i->gfx12 &&
	           (strcmp(name, "barrier_signal") == 0 || strcmp(name, "barrier_wait") == 0)) {
		return read_split_barrier(i, name[8] == 'w');
	} else if (strcmp(name, "waitcnt") == 0) {
		return read_wait(i);
	} else if (strcmp(name, "waitcnt_vscnt") == 0) {
		if (i->count != 2 || !oclmm_code_parse_number(i->word[1], &number))
			return refuse(i);
		if (number == 0)
			add(i, CODE_FENCE)->read_tags = TAG_VS;
	} else if (strcmp(name, "branch") == 0 && i->count == 1) {
		add(i, CODE_JUMP);
		oclmm_code_target(i->reader, i->word[0]);
	} else if (strcmp(name, "cbranch_scc0") == 0 || strcmp(name, "cbranch_scc1") == 0) {
		return branch(i, SCC, name[11] == '0');
	} else if (strcmp(name, "cbranch_vccz") == 0 || strcmp(name, "cbranch_vccnz") == 0) {
		return branch(i, VCC, name[11] == 'z');
	} else if (strcmp(name, "cbranch_execz") == 0 || strcmp(name, "cbranch_execnz") == 0) {
		return branch(i, EXEC, name[12] == 'z');
	} else if (strncmp(name, i->gfx11 ? "load_b" : "load_dword", i->gfx11 ? 6 : 10) == 0) {
		return read_scalar_load(i);
	} else if (strncmp(name, "load_", 5) == 0) {
		r = read_scalar_part(i);
		return r > 0 ? refuse(i) : r;
	} else if (strcmp(name, "mov_b32") == 0 || strcmp(name, "movk_i32") == 0) {
		return read_scalar_move(i, OP_MOVE, 1);
	} else if (strcmp(name, "mov_b64") == 0) {
		return read_scalar_move(i, OP_MOVE, 2);
	} else if (strcmp(name, "brev_b32") == 0) {
		return read_scalar_move(i, OP_REVERSE, 1);
	} else if (strcmp(name, "not_b32") == 0) {
		return read_scalar_move(i, OP_NOT, 1);
	} else if (strcmp(name, "not_b64") == 0) {
		return read_scalar_move(i, OP_NOT, 2);
	} else if (strcmp(name, "cselect_b32") == 0) {
		return read_scalar_select(i, 1);
	} else if (strcmp(name, "cselect_b64") == 0) {
		return read_scalar_select(i, 2);
	} else if (strcmp(name, "bcnt1_i32_b32") == 0 || strcmp(name, "bcnt1_i32_b64") == 0) {
		return read_scalar_count(i, strcmp(name + 10, "b64") == 0);
	} else if (strcmp(name, "add_u32") == 0 || strcmp(name, "add_co_u32") == 0) {
		return read_scalar_carry(i, OP_ADD, false);
	} else if (strcmp(name, "addc_u32") == 0 || strcmp(name, "add_co_ci_u32") == 0) {
		return read_scalar_carry(i, OP_ADD, true);
	} else if (strcmp(name, "sub_u32") == 0 || strcmp(name, "sub_co_u32") == 0) {
		return read_scalar_carry(i, OP_SUB, false);
	} else if (strcmp(name, "subb_u32") == 0 || strcmp(name, "sub_co_ci_u32") == 0) {
		return read_scalar_carry(i, OP_SUB, true);
	} else if (strncmp(name, "bfe_", 4) == 0) {
		return read_scalar_field(i, strcmp(name + 5, "64") == 0, name[4] == 'i');
	} else if (strcmp(name, "sext_i32_i8") == 0 || strcmp(name, "sext_i32_i16") == 0) {
		return read_scalar_extension(i, name[10] == '8' ? 8 : 16);
	} else if (strcmp(name, "mul_hi_u32") == 0 || strcmp(name, "mul_hi_i32") == 0) {
		return read_high_product(i, 32, name[7] == 'i');
	} else if (strncmp(name, "setreg_b32", 10) == 0) {
		/* where private memory is */
		return i->count == 2 && strncmp(i->word[0], "hwreg(HW_REG_FLAT_SCR_", 22) == 0
		               ? 0
		               : refuse(i);
	} else if (strncmp(name, "cmp_", 4) == 0) {
		return read_scalar_compare(i, name + 4);
	} else if (strcmp(name, "sendmsg") == 0) {
		/* registers that are given back, at the end */
		return i->count == 1 && strcmp(i->word[0], "sendmsg(MSG_DEALLOC_VGPRS)") == 0
		               ? 0
		               : refuse(i);
	} else if (strcmp(name, "nop") != 0 && strcmp(name, "clause") != 0 &&
	           strcmp(name, "waitcnt_depctr") != 0 &&
	           strcmp(name, "set_inst_prefetch_distance") != 0 &&
	           strcmp(name, "inst_prefetch") != 0 && strcmp(name, "code_end") != 0) {
		r = read_scalar_arithmetic(i, name);
		return r > 0 ? refuse(i) : r;
	}
	return 0;
}

/* ---- vector instructions -------------------------------------------------------------- */

static const struct {
	const char *name;
	enum code_op op;
	bool turned; /* the second operand stands first */
} vector_ops[] = {
	{"add_u32", OP_ADD, false},    {"add_nc_u32", OP_ADD, false},
	{"sub_u32", OP_SUB, false},    {"sub_nc_u32", OP_SUB, false},
	{"subrev_u32", OP_SUB, true},  {"subrev_nc_u32", OP_SUB, true},
	{"and_b32", OP_AND, false},    {"or_b32", OP_OR, false},
	{"xor_b32", OP_XOR, false},    {"min_i32", OP_SMIN, false},
	{"min_u32", OP_UMIN, false},   {"max_i32", OP_SMAX, false},
	{"max_u32", OP_UMAX, false},   {"lshlrev_b32", OP_SHL, true},
	{"lshrrev_b32", OP_SHR, true}, {"ashrrev_i32", OP_SAR, true},
	{"mul_lo_u32", OP_MUL, false}, {"mul_lo_i32", OP_MUL, false},
	{"add_i32", OP_ADD, false},    {"add_nc_i32", OP_ADD, false},
	{"sub_i32", OP_SUB, false},    {"sub_nc_i32", OP_SUB, false},
};

/* With clamp. */
static const struct {
	const char *name;
	enum code_op op;
	unsigned bytes;
	bool turned;
} vector_limited_ops[] = {
	{"add_u32", OP_UADD_SAT, 4, false},    {"add_nc_u32", OP_UADD_SAT, 4, false},
	{"sub_u32", OP_USUB_SAT, 4, false},    {"sub_nc_u32", OP_USUB_SAT, 4, false},
	{"subrev_u32", OP_USUB_SAT, 4, true},  {"subrev_nc_u32", OP_USUB_SAT, 4, true},
	{"add_i32", OP_SADD_SAT, 4, false},    {"add_nc_i32", OP_SADD_SAT, 4, false},
	{"sub_i32", OP_SSUB_SAT, 4, false},    {"sub_nc_i32", OP_SSUB_SAT, 4, false},
	{"add_u16", OP_UADD_SAT, 2, false},    {"add_nc_u16", OP_UADD_SAT, 2, false},
	{"sub_u16", OP_USUB_SAT, 2, false},    {"sub_nc_u16", OP_USUB_SAT, 2, false},
	{"subrev_u16", OP_USUB_SAT, 2, true},  {"add_i16", OP_SADD_SAT, 2, false},
	{"add_nc_i16", OP_SADD_SAT, 2, false}, {"sub_i16", OP_SSUB_SAT, 2, false},
	{"sub_nc_i16", OP_SSUB_SAT, 2, false},
};

/* Of 16 bits; GFX9 clears the other half of the register, later ones leave it. */
static const struct {
	const char *name;
	enum code_op op;
	bool turned;
} vector_half_ops[] = {
	{"add_u16", OP_ADD, false},    {"add_nc_u16", OP_ADD, false}, {"add_nc_i16", OP_ADD, false},
	{"sub_u16", OP_SUB, false},    {"sub_nc_u16", OP_SUB, false}, {"sub_nc_i16", OP_SUB, false},
	{"subrev_u16", OP_SUB, true},  {"mul_lo_u16", OP_MUL, false}, {"lshlrev_b16", OP_SHL, true},
	{"lshrrev_b16", OP_SHR, true}, {"ashrrev_i16", OP_SAR, true}, {"min_i16", OP_SMIN, false},
	{"min_u16", OP_UMIN, false},   {"max_i16", OP_SMAX, false},   {"max_u16", OP_UMAX, false},
	{"and_b16", OP_AND, false},    {"or_b16", OP_OR, false},      {"xor_b16", OP_XOR, false},
	{"add_i16", OP_ADD, false},    {"sub_i16", OP_SUB, false},
};

static const struct {
	const char *name;
	enum code_op op;
} vector_wide_ops[] = {{"lshlrev_b64", OP_SHL}, {"lshrrev_b64", OP_SHR}, {"ashrrev_i64", OP_SAR}};

/* (a first b) second c */
static const struct {
	const char *name;
	enum code_op first, second;
} vector_triples[] = {
	{"lshl_add_u32", OP_SHL, OP_ADD}, {"add_lshl_u32", OP_ADD, OP_SHL},
	{"lshl_or_b32", OP_SHL, OP_OR},   {"and_or_b32", OP_AND, OP_OR},
	{"or3_b32", OP_OR, OP_OR},        {"add3_u32", OP_ADD, OP_ADD},
	{"xad_u32", OP_XOR, OP_ADD},      {"xor3_b32", OP_XOR, OP_XOR},
	{"min3_i32", OP_SMIN, OP_SMIN},   {"min3_u32", OP_UMIN, OP_UMIN},
	{"max3_i32", OP_SMAX, OP_SMAX},   {"max3_u32", OP_UMAX, OP_UMAX},
};

static const struct {
	const char *name;
	enum code_relation relation[2]; /* signed and unsigned */
} vector_relations[] = {
	{"eq_", {REL_EQ, REL_EQ}},  {"ne_", {REL_NE, REL_NE}},  {"lt_", {REL_LT, REL_ULT}},
	{"le_", {REL_LE, REL_ULE}}, {"gt_", {REL_GT, REL_UGT}}, {"ge_", {REL_GE, REL_UGE}},
};

/* The lanes for which it holds, of those that are there; `v_cmpx` leaves the others. */
static int read_vector_compare(const struct instruction *i, const char *name, bool leaves)
{
	struct operand to, a, b;
	unsigned at = i->count == 3;
	uint16_t met = oclmm_code_temporary(i->reader);

	for (size_t n = 0; n < OCLMM_COUNT(vector_relations); n++) {
		const char *type = name + 3;
		bool wide = strcmp(type + 1, "64") == 0, half = strcmp(type + 1, "16") == 0;
		struct code_operand x, y;
		struct code *c;

		if (strncmp(vector_relations[n].name, name, 3) != 0)
			continue;
		if ((*type != 'i' && *type != 'u') ||
		    (!wide && !half && strcmp(type + 1, "32") != 0) || !operand_at(i, at, &a) ||
		    !operand_at(i, at + 1, &b) ||
		    (leaves ? !parse_operand("exec", &to) : !target_at(i, 0, &to)))
			return refuse(i);
		x = wide ? join(i, &a) : a.half[0];
		y = wide ? join(i, &b) : b.half[0];
		compare(i, vector_relations[n].relation[*type == 'u'], met, x, y,
		        wide   ? 8
		        : half ? 2
		               : 4);
		/* lanes that are not there have 0, whatever the guard keeps */
		c = compute(i, OP_AND, to.first, oclmm_code_value(met), oclmm_code_value(EXEC));
		c->guard = NO_REGISTER;
		if (to.words == 2 && !leaves) {
			c = compute(i, OP_MOVE, (uint16_t)(to.first + 1), oclmm_code_number(0),
			            oclmm_code_number(0));
			c->guard = NO_REGISTER;
		}
		return 0;
	}
	return refuse(i);
}

/* v_add_co_u32 v0, vcc, v1, v2; v_addc_co_u32 v0, vcc, v1, v2, vcc; v_subrev_co_u32 takes the first
 * operand from the second */
static int read_vector_carry(const struct instruction *i, bool sub, bool turned)
{
	struct operand to, carry, a, b, with;
	uint16_t result = oclmm_code_temporary(i->reader), wide = oclmm_code_temporary(i->reader);
	struct code *c;

	if (!target_at(i, 0, &to) || !target_at(i, 1, &carry) || !operand_at(i, 2, &a) ||
	    !operand_at(i, 3, &b) || (i->count == 5 && !operand_at(i, 4, &with)))
		return refuse(i);
	c = add(i, CODE_EXTEND);
	c->width = 8;
	c->from = 4;
	c->to = result;
	c->a = turned ? b.half[0] : a.half[0];
	c = add(i, CODE_EXTEND);
	c->width = 8;
	c->from = 4;
	c->to = wide;
	c->a = turned ? a.half[0] : b.half[0];
	c = compute(i, sub ? OP_SUB : OP_ADD, result, oclmm_code_value(result),
	            oclmm_code_value(wide));
	c->width = 8;
	if (i->count == 5) {
		compute(i, OP_AND, wide, with.half[0], oclmm_code_number(1));
		c = compute(i, sub ? OP_SUB : OP_ADD, result, oclmm_code_value(result),
		            oclmm_code_value(wide));
		c->width = 8;
	}
	compute(i, OP_MOVE, to.first, oclmm_code_value(result), oclmm_code_value(result));
	c = compute(i, OP_SHR, wide, oclmm_code_value(result), oclmm_code_number(32));
	c->width = 8;
	compute(i, OP_AND, carry.first, oclmm_code_value(wide), oclmm_code_number(1));
	return 0;
}

static int read_vector_select(const struct instruction *i)
{
	struct operand to, a, b, mask = {.half = {{.reg = VCC}}};
	uint16_t lane = oclmm_code_temporary(i->reader);
	struct code *c;

	if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b) ||
	    (i->count == 4 && !operand_at(i, 3, &mask)))
		return refuse(i);
	compute(i, OP_AND, lane, mask.half[0], oclmm_code_number(1));
	c = add(i, CODE_SELECT);
	c->to = to.first;
	c->a = b.half[0];
	c->b = a.half[0];
	c->c = oclmm_code_value(lane);
	return 0;
}

static int read_packed_move(const struct instruction *i)
{
	struct operand to, a, b;
	uint16_t low = oclmm_code_temporary(i->reader), high = oclmm_code_temporary(i->reader);

	if (!target_at(i, 0, &to) || to.words != 2 || !operand_at(i, 1, &a) ||
	    !operand_at(i, 2, &b))
		return refuse(i);
	compute(i, OP_MOVE, low, a.half[i->select & 1], a.half[i->select & 1]);
	compute(i, OP_MOVE, high, b.half[i->select >> 1 & 1], b.half[i->select >> 1 & 1]);
	compute(i, OP_MOVE, to.first, oclmm_code_value(low), oclmm_code_value(low));
	compute(i, OP_MOVE, (uint16_t)(to.first + 1), oclmm_code_value(high),
	        oclmm_code_value(high));
	return 0;
}

/* v_bfe_u32 v0, v1, 8, 8 */
static int read_vector_field(const struct instruction *i, bool sign)
{
	struct code_operand value;
	struct operand to, from;
	int64_t low, bits;

	if (i->count != 4 || !target_at(i, 0, &to) || !operand_at(i, 1, &from) ||
	    !oclmm_code_parse_number(i->word[2], &low) ||
	    !oclmm_code_parse_number(i->word[3], &bits) || low < 0 || low > 31 || bits < 0 ||
	    bits > 31)
		return refuse(i);
	value = field(i, from.half[0], (unsigned)low, (unsigned)bits, sign);
	compute(i, OP_MOVE, to.first, value, value);
	return 0;
}

/* v_mul_u32_u24, v_mad_u32_u24 and those with a sign: of the 24 lowest bits. */
static int read_short_product(const struct instruction *i, bool sum, bool sign)
{
	uint16_t product = oclmm_code_temporary(i->reader);
	struct operand to, a, b, c;

	if (i->count != 3u + sum || !target_at(i, 0, &to) || !operand_at(i, 1, &a) ||
	    !operand_at(i, 2, &b) || (sum && !operand_at(i, 3, &c)))
		return refuse(i);
	compute(i, OP_MUL, product, field(i, a.half[0], 0, 24, sign),
	        field(i, b.half[0], 0, 24, sign));
	if (sum)
		compute(i, OP_ADD, product, oclmm_code_value(product), c.half[0]);
	compute(i, OP_MOVE, to.first, oclmm_code_value(product), oclmm_code_value(product));
	return 0;
}

/*
 * v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]. The carry is bit 64 of a sum of 65 bits (the ISA of
 * RDNA3, V_MAD_U64_U32 and V_MAD_I64_I32): of one with a sign it is the sign that the sum would
 * have.
 */
static int read_wide_product(const struct instruction *i, bool sign)
{
	uint16_t product = oclmm_code_temporary(i->reader), sum64, over, other;
	struct operand to, carry, a, b, sum;
	struct code_operand added;

	if (i->count != 5 || !target_at(i, 0, &to) || to.words != 2 || !target_at(i, 1, &carry) ||
	    !operand_at(i, 2, &a) || !operand_at(i, 3, &b) || !operand_at(i, 4, &sum))
		return refuse(i);
	added = join(i, &sum);
	compute_wide(i, OP_MUL, product, oclmm_code_value(widen(i, a.half[0], sign)),
	             oclmm_code_value(widen(i, b.half[0], sign)));
	sum64 = oclmm_code_temporary(i->reader);
	over = oclmm_code_temporary(i->reader);
	compute_wide(i, OP_ADD, sum64, oclmm_code_value(product), added);
	if (sign) {
		/* another sign than both of them have: the sum wrapped */
		other = oclmm_code_temporary(i->reader);
		compute_wide(i, OP_XOR, over, oclmm_code_value(product), oclmm_code_value(sum64));
		compute_wide(i, OP_XOR, other, added, oclmm_code_value(sum64));
		compute_wide(i, OP_AND, over, oclmm_code_value(over), oclmm_code_value(other));
		compute_wide(i, OP_XOR, over, oclmm_code_value(over), oclmm_code_value(sum64));
		compute_wide(i, OP_SHR, over, oclmm_code_value(over), oclmm_code_number(63));
	} else {
		compare(i, REL_ULT, over, oclmm_code_value(sum64), added, 8);
	}
	split(i, to.first, oclmm_code_value(sum64));
	compute(i, OP_MOVE, carry.first, oclmm_code_value(over), oclmm_code_value(over));
	return 0;
}

/* v_lshl_add_u64 v[0:1], v[2:3], 2, v[4:5] */
static int read_wide_sum(const struct instruction *i)
{
	uint16_t value = oclmm_code_temporary(i->reader);
	struct operand to, a, by, b;

	if (i->count != 4 || !target_at(i, 0, &to) || to.words != 2 || !operand_at(i, 1, &a) ||
	    !operand_at(i, 2, &by) || !operand_at(i, 3, &b))
		return refuse(i);
	compute_wide(i, OP_SHL, value, join(i, &a), by.half[0]);
	compute_wide(i, OP_ADD, value, oclmm_code_value(value), join(i, &b));
	split(i, to.first, oclmm_code_value(value));
	return 0;
}

/* v_alignbit_b32: 32 bits of two registers, the first the upper one. */
static int read_aligned(const struct instruction *i)
{
	uint16_t by = oclmm_code_temporary(i->reader), value = oclmm_code_temporary(i->reader);
	struct operand to, high, low, shift, both = {.words = 2};

	if (i->count != 4 || !target_at(i, 0, &to) || !operand_at(i, 1, &high) ||
	    !operand_at(i, 2, &low) || !operand_at(i, 3, &shift))
		return refuse(i);
	both.half[0] = low.half[0];
	both.half[1] = high.half[0];
	compute(i, OP_AND, by, shift.half[0], oclmm_code_number(31));
	compute_wide(i, OP_SHR, value, join(i, &both), oclmm_code_value(by));
	compute(i, OP_MOVE, to.first, oclmm_code_value(value), oclmm_code_value(value));
	return 0;
}

/* v_perm_b32 v0, v1, v2, s4: four bytes of the second operand and, above it, the first; each byte
 * of the last one chooses one. Up to 7 it is that of the eight, from 8 on the sign of every second
 * one, from 12 on 0, and from 13 on all bits. */
static int read_permutation(const struct instruction *i)
{
	uint16_t value = oclmm_code_temporary(i->reader), byte = oclmm_code_temporary(i->reader);
	uint16_t place = oclmm_code_temporary(i->reader), met = oclmm_code_temporary(i->reader);
	struct operand to, high, low, choice, both = {.words = 2};
	struct code_operand eight;

	if (i->count != 4 || !target_at(i, 0, &to) || !operand_at(i, 1, &high) ||
	    !operand_at(i, 2, &low) || !operand_at(i, 3, &choice))
		return refuse(i);
	both.half[0] = low.half[0];
	both.half[1] = high.half[0];
	eight = join(i, &both);
	compute(i, OP_MOVE, value, oclmm_code_number(0), oclmm_code_number(0));
	for (unsigned n = 0; n < 4; n++) {
		static const int64_t from[] = {8, 12, 13};
		struct code_operand which = field(i, choice.half[0], n * 8, 8, false);
		struct code_operand others[] = {{0}, oclmm_code_number(0), oclmm_code_number(0xff)};

		compute(i, OP_AND, place, which, oclmm_code_number(3));
		compute(i, OP_SHL, place, oclmm_code_value(place), oclmm_code_number(4));
		compute(i, OP_ADD, place, oclmm_code_value(place), oclmm_code_number(15));
		compute_wide(i, OP_SHR, byte, eight, oclmm_code_value(place));
		others[0] = field(i, oclmm_code_value(byte), 0, 1, true);
		compute(i, OP_AND, place, which, oclmm_code_number(7));
		compute(i, OP_SHL, place, oclmm_code_value(place), oclmm_code_number(3));
		compute_wide(i, OP_SHR, byte, eight, oclmm_code_value(place));
		for (unsigned k = 0; k < OCLMM_COUNT(from); k++) {
			struct code *c;

			compare(i, REL_UGE, met, which, oclmm_code_number(from[k]), 4);
			c = add(i, CODE_SELECT);
			c->to = byte;
			c->a = others[k];
			c->b = oclmm_code_value(byte);
			c->c = oclmm_code_value(met);
		}
		compute(i, OP_AND, byte, oclmm_code_value(byte), oclmm_code_number(0xff));
		compute(i, OP_SHL, byte, oclmm_code_value(byte), oclmm_code_number((int64_t)n * 8));
		compute(i, OP_OR, value, oclmm_code_value(value), oclmm_code_value(byte));
	}
	compute(i, OP_MOVE, to.first, oclmm_code_value(value), oclmm_code_value(value));
	return 0;
}

/* v_bfi_b32: the bits of the second operand where the first has them, else of the third. */
static int read_inserted(const struct instruction *i)
{
	uint16_t in = oclmm_code_temporary(i->reader), out = oclmm_code_temporary(i->reader);
	struct operand to, mask, a, b;

	if (i->count != 4 || !target_at(i, 0, &to) || !operand_at(i, 1, &mask) ||
	    !operand_at(i, 2, &a) || !operand_at(i, 3, &b))
		return refuse(i);
	compute(i, OP_AND, in, mask.half[0], a.half[0]);
	compute(i, OP_AND_NOT, out, b.half[0], mask.half[0]);
	compute(i, OP_OR, to.first, oclmm_code_value(in), oclmm_code_value(out));
	return 0;
}

/*
 * v_bitop3_b32 v0, v1, v2, v3 bitop3:0x78: a bit of the result is that bit of the table whose
 * number the bits of the operands make, that of the first one the highest (LLVM,
 * AMDGPUISelDAGToDAG.cpp, BitOp3_Op: the operands stand for 0xf0, 0xcc and 0xaa). A table of 0 is
 * not written, and no compiler needs it.
 */
static int read_truth_table(const struct instruction *i)
{
	uint16_t turned[3], term = oclmm_code_temporary(i->reader), value;
	struct operand to, from[3];

	if (i->count != 4 || i->table < 1 || i->table > 0xff || i->select || !target_at(i, 0, &to))
		return refuse(i);
	for (unsigned n = 0; n < 3; n++) {
		if (!operand_at(i, n + 1, &from[n]))
			return refuse(i);
		turned[n] = oclmm_code_temporary(i->reader);
		compute(i, OP_NOT, turned[n], from[n].half[0], from[n].half[0]);
	}
	value = oclmm_code_temporary(i->reader);
	compute(i, OP_MOVE, value, oclmm_code_number(0), oclmm_code_number(0));
	for (unsigned row = 0; row < 8; row++) {
		struct code_operand bit[3];

		if (!(i->table >> row & 1))
			continue;
		for (unsigned n = 0; n < 3; n++)
			bit[n] = row & 4u >> n ? from[n].half[0] : oclmm_code_value(turned[n]);
		compute(i, OP_AND, term, bit[0], bit[1]);
		compute(i, OP_AND, term, oclmm_code_value(term), bit[2]);
		compute(i, OP_OR, value, oclmm_code_value(value), oclmm_code_value(term));
	}
	compute(i, OP_MOVE, to.first, oclmm_code_value(value), oclmm_code_value(value));
	return 0;
}

static int read_vector_by_name(const struct instruction *i, const char *name);

/* v_or_b32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0 */
static int read_vector_parts(const struct instruction *i, const char *name)
{
	struct instruction part = *i;
	unsigned at = i->part[0].at, bits = i->part[0].bits;
	struct operand to;
	uint16_t value;
	int r;

	if (strncmp(name, "cmp_", 4) == 0)
		return i->part[0].bits ? refuse(i) : read_vector_by_name(i, name);
	if (i->halves && strncmp(name, "cmpx_", 5) == 0)
		return read_vector_by_name(i, name);
	if (i->count > (i->halves ? 4 : 3) || !target_at(i, 0, &to) || to.words != 1 ||
	    (i->clamp && bits && !i->halves))
		return refuse(i);
	part.whole = value = oclmm_code_temporary(i->reader);
	compute(i, OP_MOVE, value, to.half[0], to.half[0]);
	r = read_vector_by_name(&part, name);
	if (r < 0)
		return r;
	if (bits && i->unused == UNUSED_PRESERVE) {
		int64_t mask = (int64_t)((UINT64_C(1) << bits) - 1) << at;
		uint16_t rest = oclmm_code_temporary(i->reader);

		compute(i, OP_SHL, value, oclmm_code_value(value), oclmm_code_number(at));
		compute(i, OP_AND, value, oclmm_code_value(value), oclmm_code_number(mask));
		compute(i, OP_AND_NOT, rest, to.half[0], oclmm_code_number(mask));
		compute(i, OP_OR, value, oclmm_code_value(value), oclmm_code_value(rest));
	} else if (bits) {
		compute(i, OP_SHL, value, oclmm_code_value(value), oclmm_code_number(32 - bits));
		compute(i, i->unused == UNUSED_SEXT ? OP_SAR : OP_SHR, value,
		        oclmm_code_value(value), oclmm_code_number(32 - bits - at));
	}
	compute(i, OP_MOVE, to.first, oclmm_code_value(value), oclmm_code_value(value));
	return 0;
}

static int read_vector(const struct instruction *i)
{
	static const char *const suffixes[] = {"_e32", "_e64", "_sdwa"};
	char name[LINE_WORD];
	size_t length;

	snprintf(name, sizeof(name), "%s", i->name + 2);
	length = strlen(name);
	for (size_t n = 0; n < OCLMM_COUNT(suffixes); n++) {
		size_t suffix = strlen(suffixes[n]);

		if (length <= suffix || strcmp(name + length - suffix, suffixes[n]) != 0)
			continue;
		name[length - suffix] = '\0';
		if (n == 2)
			return i->parts && !i->halves ? read_vector_parts(i, name) : refuse(i);
		break;
	}
	if (i->halves) {
		/* all of its operands have 16 bits then */
		length = strlen(name);
		return length > 3 && strcmp(name + length - 2, "16") == 0
		               ? read_vector_parts(i, name)
		               : refuse(i);
	}
	return i->parts ? refuse(i) : read_vector_by_name(i, name);
}

/* v_add_u32 v0, v1, v2 clamp */
static int read_limited(const struct instruction *i, const char *name)
{
	struct operand to, a, b;

	for (size_t n = 0; n < OCLMM_COUNT(vector_limited_ops); n++) {
		bool turned = vector_limited_ops[n].turned;
		struct code *c;

		if (strcmp(vector_limited_ops[n].name, name) != 0)
			continue;
		if (i->count != 3 || i->select || !target_at(i, 0, &to) || !operand_at(i, 1, &a) ||
		    !operand_at(i, 2, &b))
			return refuse(i);
		c = compute(i, vector_limited_ops[n].op, to.first, turned ? b.half[0] : a.half[0],
		            turned ? a.half[0] : b.half[0]);
		c->width = (uint8_t)vector_limited_ops[n].bytes;
		c->merge = c->width == 2 && i->gfx10;
		return 0;
	}
	return refuse(i);
}

static int read_vector_by_name(const struct instruction *i, const char *name)
{
	struct operand to, a, b;

	if (i->table >= 0)
		return i->gfx940 && !i->clamp && strcmp(name, "bitop3_b32") == 0
		               ? read_truth_table(i)
		               : refuse(i);
	if (i->clamp)
		return read_limited(i, name);
	if (strncmp(name, "cmp_", 4) == 0)
		return read_vector_compare(i, name + 4, false);
	if (strncmp(name, "cmpx_", 5) == 0)
		return i->gfx10 ? read_vector_compare(i, name + 5, true) : refuse(i);
	if (strcmp(name, "mov_b32") == 0 || strcmp(name, "not_b32") == 0 ||
	    strcmp(name, "readfirstlane_b32") == 0 ||
	    (i->halves && (strcmp(name, "mov_b16") == 0 || strcmp(name, "not_b16") == 0)))
		return read_scalar_move(i, *name == 'n' ? OP_NOT : OP_MOVE, 1);
	if (strcmp(name, "mov_b64") == 0)
		return read_scalar_move(i, OP_MOVE, 2);
	if (strcmp(name, "bfrev_b32") == 0)
		return read_scalar_move(i, OP_REVERSE, 1);
	if (strcmp(name, "cndmask_b32") == 0 || (i->halves && strcmp(name, "cndmask_b16") == 0))
		return read_vector_select(i);
	/* how many lanes of the mask stand below this one, which is the lowest */
	if (strcmp(name, "mbcnt_lo_u32_b32") == 0 || strcmp(name, "mbcnt_hi_u32_b32") == 0) {
		if (i->count != 3 || !target_at(i, 0, &to) || !operand_at(i, 2, &b))
			return refuse(i);
		compute(i, OP_MOVE, to.first, b.half[0], b.half[0]);
		return 0;
	}
	if (strcmp(name, "pk_mov_b32") == 0)
		return read_packed_move(i);
	if (strcmp(name, "bfe_u32") == 0 || strcmp(name, "bfe_i32") == 0)
		return read_vector_field(i, name[4] == 'i');
	if (strcmp(name, "bfi_b32") == 0)
		return read_inserted(i);
	if (strcmp(name, "perm_b32") == 0)
		return read_permutation(i);
	if (strcmp(name, "alignbit_b32") == 0)
		return read_aligned(i);
	if (strcmp(name, "lshl_add_u64") == 0)
		return read_wide_sum(i);
	if (strcmp(name, "mul_hi_u32") == 0 || strcmp(name, "mul_hi_i32") == 0)
		return read_high_product(i, 32, name[7] == 'i');
	if (strcmp(name, "mul_hi_u32_u24") == 0 || strcmp(name, "mul_hi_i32_i24") == 0)
		return read_high_product(i, 24, name[7] == 'i');
	if (strcmp(name, "mul_u32_u24") == 0 || strcmp(name, "mul_i32_i24") == 0 ||
	    strcmp(name, "mad_u32_u24") == 0 || strcmp(name, "mad_i32_i24") == 0)
		return read_short_product(i, name[1] == 'a', name[4] == 'i');
	if (strcmp(name, "mad_u64_u32") == 0 || strcmp(name, "mad_co_u64_u32") == 0)
		return read_wide_product(i, false);
	if (strcmp(name, "mad_i64_i32") == 0 || strcmp(name, "mad_co_i64_i32") == 0)
		return read_wide_product(i, true);
	if (strcmp(name, "add_co_u32") == 0 || strcmp(name, "addc_co_u32") == 0 ||
	    strcmp(name, "add_co_ci_u32") == 0)
		return read_vector_carry(i, false, false);
	if (strcmp(name, "sub_co_u32") == 0 || strcmp(name, "subb_co_u32") == 0 ||
	    strcmp(name, "sub_co_ci_u32") == 0)
		return read_vector_carry(i, true, false);
	if (strcmp(name, "subrev_co_u32") == 0 || strcmp(name, "subbrev_co_u32") == 0 ||
	    strcmp(name, "subrev_co_ci_u32") == 0)
		return read_vector_carry(i, true, true);
	for (size_t n = 0; n < OCLMM_COUNT(vector_ops); n++) {
		bool turned = vector_ops[n].turned;

		if (strcmp(vector_ops[n].name, name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b))
			return refuse(i);
		compute(i, vector_ops[n].op, to.first, turned ? b.half[0] : a.half[0],
		        turned ? a.half[0] : b.half[0]);
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(vector_half_ops); n++) {
		bool turned = vector_half_ops[n].turned;
		struct code *c;

		if (strcmp(vector_half_ops[n].name, name) != 0)
			continue;
		if (i->select || !target_at(i, 0, &to) || !operand_at(i, 1, &a) ||
		    !operand_at(i, 2, &b))
			return refuse(i);
		c = compute(i, vector_half_ops[n].op, to.first, turned ? b.half[0] : a.half[0],
		            turned ? a.half[0] : b.half[0]);
		c->width = 2;
		c->merge = i->gfx10;
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(vector_triples); n++) {
		uint16_t first;
		struct operand c;

		if (strcmp(vector_triples[n].name, name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b) ||
		    !operand_at(i, 3, &c))
			return refuse(i);
		first = oclmm_code_temporary(i->reader);
		compute(i, vector_triples[n].first, first, a.half[0], b.half[0]);
		compute(i, vector_triples[n].second, to.first, oclmm_code_value(first), c.half[0]);
		return 0;
	}
	for (size_t n = 0; n < OCLMM_COUNT(vector_wide_ops); n++) {
		uint16_t result;
		struct code *c;

		if (strcmp(vector_wide_ops[n].name, name) != 0)
			continue;
		if (!target_at(i, 0, &to) || !operand_at(i, 1, &a) || !operand_at(i, 2, &b))
			return refuse(i);
		result = oclmm_code_temporary(i->reader);
		c = compute(i, vector_wide_ops[n].op, result, join(i, &b), a.half[0]);
		c->width = 8;
		split(i, to.first, oclmm_code_value(result));
		return 0;
	}
	return refuse(i);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* The address: of local memory one register, else two, or a base and one register. */
static bool place(const struct instruction *i, unsigned at, unsigned base_at, bool local,
                  struct code_address *ret_address)
{
	struct operand index, base;
	struct code_address address = {.base = NO_REGISTER,
	                               .index = NO_REGISTER,
	                               .offset = i->offset};
	struct code_operand value;

	if (!operand_at(i, at, &index) || index.first == NO_REGISTER)
		return false;
	if (local) {
		address.base = index.first;
	} else if (base_at < i->count && strcmp(i->word[base_at], "off") != 0) {
		if (!operand_at(i, base_at, &base) || base.words != 2 || index.words != 1)
			return false;
		value = join(i, &base);
		address.base = value.reg;
		address.index = index.first;
	} else {
		if (index.words != 2)
			return false;
		address.base = join(i, &index).reg;
	}
	*ret_address = address;
	return true;
}

/* The value of a store, or of what an update does. */
static bool data_at(const struct instruction *i, unsigned at, unsigned first, unsigned bytes,
                    struct code_operand *ret_value)
{
	struct operand data, part;

	if (!operand_at(i, at, &data))
		return false;
	if (data.first == NO_REGISTER) {
		*ret_value = data.half[0];
		return bytes <= 4;
	}
	part.half[0] = oclmm_code_value((uint16_t)(data.first + first));
	part.half[1] = oclmm_code_value((uint16_t)(data.first + first + 1));
	*ret_value = bytes == 8 ? join(i, &part) : part.half[0];
	return true;
}

static unsigned past(const struct instruction *i)
{
	if (i->gfx12)
		return i->cache == CACHE_DEV  ? TAG_PAST0 | TAG_PAST1
		       : i->cache == CACHE_SE ? TAG_PAST0
		                              : 0;
	if (i->gfx940)
		return i->sc1 ? TAG_PAST0 | TAG_PAST1 : i->sc0 ? TAG_PAST0 : 0;
	if (i->gfx11)
		return i->glc ? TAG_PAST0 | TAG_PAST1 : 0;
	if (i->gfx10)
		return (i->glc ? TAG_PAST0 : 0) | (i->dlc ? TAG_PAST1 : 0);
	return i->glc ? TAG_PAST0 | TAG_PAST1 : 0;
}

/* What a load or an update gave, in the register or two that it is for. */
static void give(const struct instruction *i, uint16_t to, uint16_t value, unsigned bytes)
{
	if (bytes == 8)
		split(i, to, oclmm_code_value(value));
	else
		compute(i, OP_MOVE, to, oclmm_code_value(value), oclmm_code_value(value));
}

/* Copies what an address is made of: several loads may begin with a register of it. */
static void keep_address(const struct instruction *i, struct code_address *address)
{
	uint16_t *const parts[] = {&address->base, &address->index};

	for (size_t n = 0; n < OCLMM_COUNT(parts); n++) {
		uint16_t copy;

		if (*parts[n] == NO_REGISTER)
			continue;
		copy = oclmm_code_temporary(i->reader);
		compute_wide(i, OP_MOVE, copy, oclmm_code_number(0), oclmm_code_value(*parts[n]))
			->guard = NO_REGISTER;
		*parts[n] = copy;
	}
}

/* One load, into registers from `to` on. */
static void load_one(const struct instruction *i, const struct code_address *address, uint16_t to,
                     unsigned bytes, bool sign, unsigned tags)
{
	uint16_t value = oclmm_code_temporary(i->reader);
	struct code *c = add(i, CODE_LOAD);

	c->width = (uint8_t)(bytes < 4 ? 4 : bytes);
	c->from = (uint8_t)bytes;
	c->sign = sign;
	c->to = value;
	c->address = *address;
	c->read_tags = tags;
	if (i->d16 == D16_NONE) {
		give(i, to, value, bytes);
		return;
	}
	if (i->d16 == D16_HIGH) {
		uint16_t low = oclmm_code_temporary(i->reader);

		compute(i, OP_AND, low, oclmm_code_value(to), oclmm_code_number(0xffff));
		compute(i, OP_SHL, value, oclmm_code_value(value), oclmm_code_number(16));
		compute(i, OP_OR, to, oclmm_code_value(value), oclmm_code_value(low));
		return;
	}
	c = compute(i, OP_MOVE, to, oclmm_code_value(value), oclmm_code_value(value));
	c->width = 2;
	c->merge = true;
}

/* Where it is of several words each is an access of its own; a whole of four or eight bytes is
 * read at once. */
static int add_load(const struct instruction *i, bool local, unsigned bytes, bool sign)
{
	struct code_address address;
	struct operand to;

	if (!target_at(i, 0, &to) || !place(i, 1, 2, local, &address))
		return refuse(i);
	if (bytes > 8)
		keep_address(i, &address);
	for (unsigned done = 0, part; done < bytes; done += part) {
		struct code_address at = address;

		part = bytes <= 8 ? bytes : 4;
		at.offset += done;
		load_one(i, &at, (uint16_t)(to.first + done / 4), part, sign, local ? 0 : past(i));
	}
	return 0;
}

static bool store_one(const struct instruction *i, const struct code_address *address, unsigned at,
                      unsigned first, unsigned bytes, unsigned tags)
{
	struct code_operand value;
	struct code *c;

	if (!data_at(i, at, first, bytes, &value))
		return false;
	if (i->d16 == D16_HIGH)
		value = field(i, value, 16, 16, false);
	c = add(i, CODE_STORE);
	c->width = (uint8_t)bytes;
	c->a = value;
	c->address = *address;
	c->write_tags = tags;
	return true;
}

/* Results, which stand beside each other, are of eight bytes. */
static int add_store(const struct instruction *i, bool local, unsigned bytes)
{
	struct code_address address;
	unsigned tags = local ? 0 : i->gfx10 ? TAG_VSC : i->gfx940 ? past(i) & TAG_PAST1 : 0;

	if (!place(i, 0, 2, local, &address))
		return refuse(i);
	for (unsigned done = 0, part; done < bytes; done += part) {
		struct code_address at = address;

		part = bytes - done < 8 ? bytes - done : 8;
		at.offset += done;
		if (!store_one(i, &at, 1, done / 4, part, tags))
			return refuse(i);
	}
	return 0;
}

/* ds_read2_b32 v[0:1], v2 offset0:2 offset1:3; ds_store_2addr_b64. The offsets count accesses, or
 * 64 of them. Returns 1 where it is none. */
static int add_two(const struct instruction *i, bool load, const char *rest)
{
	static const struct {
		const char *name;
		int64_t stride;
	} kinds[] = {{"2_", 1}, {"2st64_", 64}, {"2addr_", 1}, {"2addr_stride64_", 64}};

	for (size_t n = 0; n < OCLMM_COUNT(kinds); n++) {
		size_t length = strlen(kinds[n].name);
		unsigned bytes = strcmp(rest + length, "b32") == 0   ? 4
		                 : strcmp(rest + length, "b64") == 0 ? 8
		                                                     : 0;
		struct code_address address;
		struct operand to;

		if (strncmp(kinds[n].name, rest, length) != 0 || !bytes)
			continue;
		if (!place(i, load, LINE_OPERANDS, true, &address) ||
		    (load && !target_at(i, 0, &to)) || (!load && i->count != 3))
			return refuse(i);
		if (load)
			keep_address(i, &address);
		for (unsigned k = 0; k < 2; k++) {
			struct code_address at = address;

			at.offset += i->offsets[k] * kinds[n].stride * bytes;
			if (load)
				load_one(i, &at, (uint16_t)(to.first + k * bytes / 4), bytes, false,
				         0);
			else if (!store_one(i, &at, 1 + k, 0, bytes, 0))
				return refuse(i);
		}
		return 0;
	}
	return 1;
}

/*
 * Private memory: scratch_store_b32 off, v1, s33 offset:16; buffer_load_dword v0, v1, s[0:3], 0
 * offen offset:4. A register that is added there counts in bytes of all lanes, and is not known.
 */
static bool private_place(const struct instruction *i, bool load, struct code_address *ret_address)
{
	bool buffer = *i->name == 'b';
	const char *vector = i->word[load || buffer ? 1 : 0], *base = i->word[2];
	struct code_address address = {.base = SCRATCH, .index = NO_REGISTER, .offset = i->offset};
	struct operand operand;
	bool indexed = strcmp(vector, "off") != 0;

	if (i->count != (buffer ? 4 : 3) ||
	    (buffer &&
	     (indexed != i->offen || strcmp(i->word[3], "0") != 0 || strncmp(base, "s[", 2) != 0)))
		return false;
	if (indexed) {
		if (!parse_operand(vector, &operand) || operand.words != 1 ||
		    operand.first < VGPR || operand.first >= VGPR + 256)
			return false;
		address.index = operand.first;
	}
	if (!buffer && strcmp(base, "off") != 0) {
		uint16_t sum = oclmm_code_temporary(i->reader);
		struct code *c;

		if (!parse_operand(base, &operand) || operand.words != 1)
			return false;
		c = compute_wide(i, OP_ADD, sum, operand.half[0], oclmm_code_value(SCRATCH));
		c->guard = NO_REGISTER;
		address.base = sum;
	}
	*ret_address = address;
	return true;
}

/* Updates of global memory are made beyond the caches. */
static int add_update(const struct instruction *i, bool local, bool gives, enum code_op op,
                      unsigned bytes)
{
	unsigned at = gives, tags = local ? 0 : TAG_PAST0 | TAG_PAST1;
	struct code_address address;
	struct code_operand value;
	struct operand to;
	uint16_t old = oclmm_code_temporary(i->reader);
	struct code *c;

	if ((gives && !target_at(i, 0, &to)) || !place(i, at, at + 2, local, &address) ||
	    !data_at(i, at + 1, 0, bytes, &value))
		return refuse(i);
	if (!local && !gives && i->gfx10)
		tags |= TAG_VSC;
	c = add(i, CODE_UPDATE);
	c->op = op;
	c->width = (uint8_t)bytes;
	c->a = value;
	c->to = old;
	c->address = address;
	c->read_tags = c->write_tags = tags;
	if (gives)
		give(i, to.first, old, bytes);
	return 0;
}

/* Of global memory the new value stands before what is compared with, and of local memory behind;
 * since GFX11 before it, too. */
static int add_compare_exchange(const struct instruction *i, bool local, bool gives, unsigned bytes)
{
	unsigned at = gives, tags = local ? 0 : TAG_PAST0 | TAG_PAST1;
	struct code_address address;
	struct code_operand wanted, stored;
	struct operand to;
	uint16_t old = oclmm_code_temporary(i->reader);
	struct code *c;

	if ((gives && !target_at(i, 0, &to)) ||
	    !place(i, at, local ? LINE_OPERANDS : at + 2, local, &address) ||
	    !data_at(i, local && i->gfx11 ? at + 2 : at + 1, local ? 0 : bytes / 4, bytes,
	             &wanted) ||
	    !data_at(i, local && !i->gfx11 ? at + 2 : at + 1, 0, bytes, &stored))
		return refuse(i);
	if (!local && !gives && i->gfx10)
		tags |= TAG_VSC;
	c = add(i, CODE_EXCHANGE_IF);
	c->width = (uint8_t)bytes;
	c->a = wanted;
	c->b = stored;
	c->to = old;
	c->address = address;
	c->read_tags = c->write_tags = tags;
	if (gives)
		give(i, to.first, old, bytes);
	return 0;
}

static const struct {
	const char *name;
	unsigned bytes;
	bool sign;
} global_widths[] = {{"dword", 4, false},    {"dwordx2", 8, false}, {"dwordx3", 12, false},
                     {"dwordx4", 16, false}, {"ubyte", 1, false},   {"sbyte", 1, true},
                     {"ushort", 2, false},   {"sshort", 2, true},   {"byte", 1, false},
                     {"short", 2, false}},
  local_widths[] = {{"b32", 4, false}, {"b64", 8, false}, {"b96", 12, false}, {"b128", 16, false},
                    {"u8", 1, false},  {"i8", 1, true},   {"u16", 2, false},  {"i16", 2, true},
                    {"b8", 1, false},  {"b16", 2, false}};

static const struct {
	const char *name;
	enum code_op op;
} global_updates[] =
	{
		{"swap", OP_MOVE}, {"add", OP_ADD},   {"sub", OP_SUB},      {"smin", OP_SMIN},
		{"umin", OP_UMIN}, {"smax", OP_SMAX}, {"umax", OP_UMAX},    {"and", OP_AND},
		{"or", OP_OR},     {"xor", OP_XOR},   {"inc", OP_INC_WRAP}, {"dec", OP_DEC_WRAP},
},
  local_updates[] = {
	  {"add_u", OP_ADD},        {"sub_u", OP_SUB},      {"min_i", OP_SMIN},
	  {"min_u", OP_UMIN},       {"max_i", OP_SMAX},     {"max_u", OP_UMAX},
	  {"and_b", OP_AND},        {"or_b", OP_OR},        {"xor_b", OP_XOR},
	  {"inc_u", OP_INC_WRAP},   {"dec_u", OP_DEC_WRAP}, {"wrxchg_b", OP_MOVE},
	  {"storexchg_b", OP_MOVE},
};

/* By GFX11's names, with the sign that GFX10's have, too. */
static const struct {
	const char *name;
	unsigned bytes;
	bool sign;
} new_widths[] = {{"b32", 4, false}, {"b64", 8, false}, {"b96", 12, false}, {"b128", 16, false},
                  {"u8", 1, false},  {"i8", 1, true},   {"u16", 2, false},  {"i16", 2, true},
                  {"b8", 1, false},  {"b16", 2, false}};

static const struct {
	const char *name;
	enum code_op op;
} new_updates[] = {
	{"swap_b", OP_MOVE}, {"add_u", OP_ADD},  {"sub_u", OP_SUB},      {"min_i", OP_SMIN},
	{"min_u", OP_UMIN},  {"max_i", OP_SMAX}, {"max_u", OP_UMAX},     {"and_b", OP_AND},
	{"or_b", OP_OR},     {"xor_b", OP_XOR},  {"inc_u", OP_INC_WRAP}, {"dec_u", OP_DEC_WRAP},
};

/* global_load_b32, flat_store_b8, global_atomic_add_u64 … */
static int read_new_global(const struct instruction *i)
{
	const char *name = strchr(i->name, '_') + 1;
	bool load = strncmp(name, "load_", 5) == 0, store = strncmp(name, "store_", 6) == 0;

	for (size_t n = 0; (load || store) && n < OCLMM_COUNT(new_widths); n++) {
		if (strcmp(new_widths[n].name, name + (load ? 5 : 6)) != 0)
			continue;
		return load ? add_load(i, false, new_widths[n].bytes, new_widths[n].sign)
		            : add_store(i, false, new_widths[n].bytes);
	}
	if (strncmp(name, "atomic_", 7) != 0)
		return refuse(i);
	name += 7;
	if (strcmp(name, "cmpswap_b32") == 0 || strcmp(name, "cmpswap_b64") == 0)
		return add_compare_exchange(i, false, i->glc, name[9] == '3' ? 4 : 8);
	for (size_t n = 0; n < OCLMM_COUNT(new_updates); n++) {
		size_t length = strlen(new_updates[n].name);

		if (strncmp(new_updates[n].name, name, length) != 0)
			continue;
		if (strcmp(name + length, "32") == 0 || strcmp(name + length, "64") == 0)
			return add_update(i, false, i->glc, new_updates[n].op,
			                  name[length] == '3' ? 4 : 8);
	}
	return refuse(i);
}

/* global_load_dword, flat_store_byte, global_atomic_add_x2 … */
static int read_global(const struct instruction *i)
{
	const char *name = strchr(i->name, '_') + 1;
	bool load = strncmp(name, "load_", 5) == 0, store = strncmp(name, "store_", 6) == 0;
	char op[LINE_WORD];
	size_t length;
	unsigned bytes = 4;

	if (i->gfx11)
		return read_new_global(i);
	for (size_t n = 0; (load || store) && n < OCLMM_COUNT(global_widths); n++) {
		if (strcmp(global_widths[n].name, name + (load ? 5 : 6)) != 0)
			continue;
		return load ? add_load(i, false, global_widths[n].bytes, global_widths[n].sign)
		            : add_store(i, false, global_widths[n].bytes);
	}
	if (strncmp(name, "atomic_", 7) != 0)
		return refuse(i);
	snprintf(op, sizeof(op), "%s", name + 7);
	length = strlen(op);
	if (length > 3 && strcmp(op + length - 3, "_x2") == 0) {
		op[length - 3] = '\0';
		bytes = 8;
	}
	if (strcmp(op, "cmpswap") == 0)
		return add_compare_exchange(i, false, i->glc, bytes);
	for (size_t n = 0; n < OCLMM_COUNT(global_updates); n++) {
		if (strcmp(global_updates[n].name, op) == 0)
			return add_update(i, false, i->glc, global_updates[n].op, bytes);
	}
	return refuse(i);
}

/* ds_read_b32, ds_add_rtn_u32, ds_cmpst_b32 … */
static int read_local(const struct instruction *i)
{
	const char *name = i->name + 3, *width = NULL;
	bool load = strncmp(name, i->gfx11 ? "load_" : "read", i->gfx11 ? 5 : 4) == 0;
	bool store = strncmp(name, i->gfx11 ? "store_" : "write", i->gfx11 ? 6 : 5) == 0;
	const char *rtn = strstr(name, "_rtn");
	char op[LINE_WORD];

	for (size_t n = 0; (load || store) && n < OCLMM_COUNT(local_widths); n++) {
		if (strcmp(local_widths[n].name, name + (load ? 5 : 6)) != 0)
			continue;
		return load ? add_load(i, true, local_widths[n].bytes, local_widths[n].sign)
		            : add_store(i, true, local_widths[n].bytes);
	}
	if (load || store) {
		int r = add_two(i, load, name + (i->gfx11 ? load ? 5 : 6 : load ? 4 : 5));

		return r > 0 ? refuse(i) : r;
	}
	snprintf(op, sizeof(op), "%.*s%s", rtn ? (int)(rtn - name) : (int)strlen(name), name,
	         rtn ? rtn + 4 : "");
	width = strlen(op) > 2 ? op + strlen(op) - 2 : "";
	if (strcmp(width, "32") != 0 && strcmp(width, "64") != 0)
		return refuse(i);
	if (i->gfx11 && strncmp(op, "cmpstore_b", 10) == 0)
		return add_compare_exchange(i, true, rtn != NULL, *width == '3' ? 4 : 8);
	if (strncmp(op, "cmpst_b", 7) == 0)
		return add_compare_exchange(i, true, rtn != NULL, *width == '3' ? 4 : 8);
	for (size_t n = 0; n < OCLMM_COUNT(local_updates); n++) {
		size_t length = strlen(local_updates[n].name);

		if (strncmp(local_updates[n].name, op, length) == 0 && op + length == width)
			return add_update(i, true, rtn != NULL, local_updates[n].op,
			                  *width == '3' ? 4 : 8);
	}
	return refuse(i);
}

/* scratch_load_b32, buffer_store_dword, buffer_load_ubyte … */
static int read_private(const struct instruction *i)
{
	const char *name = strchr(i->name, '_') + 1;
	bool load = strncmp(name, "load_", 5) == 0, store = strncmp(name, "store_", 6) == 0;
	unsigned bytes = 0;
	bool sign = false;
	struct code_address address;
	struct operand to;

	name += load ? 5 : 6;
	for (size_t n = 0; !i->gfx11 && n < OCLMM_COUNT(global_widths); n++) {
		if (strcmp(global_widths[n].name, name) == 0) {
			bytes = global_widths[n].bytes;
			sign = global_widths[n].sign;
		}
	}
	for (size_t n = 0; i->gfx11 && n < OCLMM_COUNT(new_widths); n++) {
		if (strcmp(new_widths[n].name, name) == 0) {
			bytes = new_widths[n].bytes;
			sign = new_widths[n].sign;
		}
	}
	if ((!load && !store) || !bytes || !private_place(i, load, &address) ||
	    (load && !target_at(i, 0, &to)))
		return refuse(i);
	if (load)
		keep_address(i, &address);
	for (unsigned done = 0, part; done < bytes; done += part) {
		struct code_address at = address;

		part = bytes - done < 4 ? bytes - done : 4;
		at.offset += done;
		if (load)
			load_one(i, &at, (uint16_t)(to.first + done / 4), part, sign, 0);
		else if (!store_one(i, &at, *i->name == 'b' ? 0 : 1, done / 4, part, 0))
			return refuse(i);
	}
	return 0;
}

static bool take_scope(struct instruction *i, const char *word)
{
	static const char *const words[] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};

	for (unsigned n = 0; n < OCLMM_COUNT(words); n++) {
		if (strcmp(words[n], word) == 0) {
			i->cache = n < CACHE_DEV ? n : CACHE_DEV;
			return true;
		}
	}
	return false;
}

/* `dst_sel:BYTE_1`, and what becomes of the rest. */
static bool take_part(struct instruction *i, const char *word)
{
	static const char *const names[] = {"dst_sel:", "src0_sel:", "src1_sel:"};
	static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
	static const struct {
		const char *name;
		struct part part;
	} parts[] = {{"DWORD", {0, 0}},   {"BYTE_0", {0, 8}},  {"BYTE_1", {8, 8}},
	             {"BYTE_2", {16, 8}}, {"BYTE_3", {24, 8}}, {"WORD_0", {0, 16}},
	             {"WORD_1", {16, 16}}};

	i->parts = true;
	for (unsigned n = 0; n < OCLMM_COUNT(unused); n++) {
		if (strncmp(word, "dst_unused:", 11) == 0 && strcmp(word + 11, unused[n]) == 0) {
			i->unused = n;
			return true;
		}
	}
	for (unsigned n = 0; n < OCLMM_COUNT(names); n++) {
		size_t length = strlen(names[n]);

		for (unsigned k = 0; strncmp(word, names[n], length) == 0 && k < OCLMM_COUNT(parts);
		     k++) {
			if (strcmp(parts[k].name, word + length) == 0) {
				i->part[n] = parts[k].part;
				return true;
			}
		}
	}
	return false;
}

static bool take_modifier(struct instruction *i, const char *word)
{
	static const char offset[] = "offset:", select[] = "op_sel:[", table[] = "bitop3:";

	if (i->gfx940 && strcmp(word, "sc0") == 0) {
		i->sc0 = i->glc = true; /* of updates: they return what was there */
	} else if (i->gfx940 && strcmp(word, "sc1") == 0) {
		i->sc1 = true;
	} else if (i->gfx12 && strncmp(word, "scope:", 6) == 0) {
		return take_scope(i, word + 6);
	} else if (i->gfx12 && strncmp(word, "th:", 3) == 0) {
		/* how long it stays in caches, but for updates */
		i->glc = strncmp(word, "th:TH_ATOMIC_", 13) == 0 && strstr(word, "RETURN");
	} else if (i->gfx940 && strcmp(word, "nt") == 0) {
		return true; /* how long it stays in caches */
	} else if (!i->gfx940 && !i->gfx12 && strcmp(word, "glc") == 0) {
		i->glc = true;
	} else if (strcmp(word, "dlc") == 0) {
		i->dlc = true;
	} else if (strncmp(word, offset, sizeof(offset) - 1) == 0) {
		return oclmm_code_parse_number(word + sizeof(offset) - 1, &i->offset);
	} else if (strncmp(word, "offset0:", 8) == 0 || strncmp(word, "offset1:", 8) == 0) {
		return oclmm_code_parse_number(word + 8, &i->offsets[word[6] == '1']);
	} else if (strcmp(word, "offen") == 0) {
		i->offen = true;
	} else if (strcmp(word, "clamp") == 0) {
		i->clamp = true;
	} else if (strncmp(word, table, sizeof(table) - 1) == 0) {
		return oclmm_code_parse_number(word + sizeof(table) - 1, &i->table) &&
		       i->table >= 0;
	} else if (strncmp(word, "dst_", 4) == 0 || strncmp(word, "src", 3) == 0) {
		return take_part(i, word);
	} else if (strncmp(word, select, sizeof(select) - 1) == 0) {
		const char *at = word + sizeof(select) - 1;

		i->select = (unsigned)(at[0] == '1') | (unsigned)(at[1] == ',' && at[2] == '1')
		                                               << 1;
	} else {
		return false;
	}
	return true;
}

/* Of GFX940: buffer_inv sc1, buffer_wbl2 sc0 sc1 */
static int read_scoped_cache(struct instruction *i)
{
	bool write_back = strcmp(i->name, "buffer_wbl2") == 0;
	unsigned tags;

	if (i->count > 1 || (i->count && !take_modifier(i, i->word[0])) ||
	    (!write_back && strcmp(i->name, "buffer_inv") != 0) || (!i->sc0 && !i->sc1))
		return refuse(i);
	tags = write_back ? i->sc1 ? TAG_WB : 0 : i->sc1 ? TAG_INV0 | TAG_INV1 : TAG_INV0;
	if (tags)
		add(i, CODE_FENCE)->read_tags = tags;
	return 0;
}

/* Of GFX12: global_inv scope:SCOPE_DEV, and global_wb, which is for other agents. */
static int read_new_cache(struct instruction *i)
{
	unsigned tags;

	if (i->count > 1 || (i->count && !take_modifier(i, i->word[0])))
		return refuse(i);
	tags = past(i);
	if (strcmp(i->name, "global_inv") == 0 && tags)
		add(i, CODE_FENCE)->read_tags = (tags & TAG_PAST0 ? TAG_INV0 : 0) |
		                                (tags & TAG_PAST1 ? TAG_INV1 : 0);
	return 0;
}

static int read_cache(struct instruction *i)
{
	static const struct {
		const char *name;
		unsigned tags;
	} caches[] = {
		{"buffer_gl0_inv", TAG_INV0},
		{"buffer_gl1_inv", TAG_INV1},
		{"buffer_wbinvl1", TAG_INV0 | TAG_INV1},
		{"buffer_wbinvl1_vol", TAG_INV0 | TAG_INV1},
		/* between several agents, of which there is one here */
		{"buffer_wbl2", 0},
		{"buffer_invl2", 0},
	};

	if (i->gfx940)
		return read_scoped_cache(i);
	for (size_t n = 0; n < OCLMM_COUNT(caches); n++) {
		if (strcmp(caches[n].name, i->name) != 0)
			continue;
		if (caches[n].tags)
			add(i, CODE_FENCE)->read_tags = caches[n].tags;
		return 0;
	}
	return refuse(i);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Of GFX11 `v1.h`: the operand is the half of a register, and what is beside it stays. */
static void take_half_register(struct instruction *i, unsigned at)
{
	char *word = i->word[at], *dot = strchr(word, '.');

	if (!i->gfx11 || *word != 'v' || !dot || (dot[1] != 'l' && dot[1] != 'h') || dot[2] ||
	    at >= OCLMM_COUNT(i->part))
		return;
	*dot = '\0';
	i->part[at] = (struct part){.at = dot[1] == 'h' ? 16 : 0, .bits = 16};
	i->parts = i->halves = true;
	i->unused = UNUSED_PRESERVE;
}

/* Modifiers stand behind the last operand. */
static bool cut_modifiers(struct instruction *i, const struct asm_line *line)
{
	for (unsigned n = 0; n < line->count; n++) {
		char text[LINE_WORD], *at = text, *word;
		bool first = true;

		snprintf(text, sizeof(text), "%s", line->operand[n]);
		while ((word = strsep(&at, " "))) {
			if (!*word)
				continue;
			if (first)
				snprintf(i->word[i->count++], LINE_WORD, "%s", word);
			else if (!take_modifier(i, word))
				return false;
			first = false;
		}
	}
	for (unsigned n = 0; n < i->count; n++)
		take_half_register(i, n);
	return true;
}

/* Takes from the name that a half of a register is meant: global_load_d16_hi_b16,
 * global_load_ubyte_d16, ds_write_b8_d16_hi. */
static void take_half(struct instruction *i)
{
	static const char *const words[] = {"_d16_hi", "_d16"};

	for (size_t n = 0; n < OCLMM_COUNT(words); n++) {
		char *at = strstr(i->name, words[n]);
		size_t length = strlen(words[n]);

		if (!at)
			continue;
		i->d16 = n ? D16_LOW : D16_HIGH;
		memmove(at, at + length, strlen(at + length) + 1);
		return;
	}
}

enum { GFX940 = 9 + 90 };

static int read_one(struct reader *reader, const struct asm_line *line, unsigned generation)
{
	struct instruction i = {.reader = reader,
	                        .line = line,
	                        .table = -1,
	                        .gfx10 = generation >= 10 && generation != GFX940,
	                        .gfx11 = generation >= 11 && generation != GFX940,
	                        .gfx12 = generation == 12,
	                        .gfx940 = generation == GFX940};

	snprintf(i.name, sizeof(i.name), "%s", line->word);
	if (*i.name == ';') {
		add(&i, CODE_BARRIER)->sub_group = true;
		return 0;
	}
	if (strcmp(i.name, "s_waitcnt") == 0)
		return read_wait(&i);
	/* when it issues, and nothing of what it does */
	if (i.gfx11 && strcmp(i.name, "s_delay_alu") == 0)
		return 0;
	if (!cut_modifiers(&i, line))
		return oclmm_code_refuse(reader, line->operand[line->count - 1]);
	if (i.gfx12 && (strcmp(i.name, "global_inv") == 0 || strcmp(i.name, "global_wb") == 0))
		return read_new_cache(&i);
	if (strncmp(i.name, "s_", 2) == 0)
		return i.clamp || i.halves || i.table >= 0 ? refuse(&i) : read_scalar(&i);
	if (strncmp(i.name, "v_", 2) == 0)
		return read_vector(&i);
	if (i.clamp || i.halves || i.table >= 0)
		return refuse(&i);
	take_half(&i);
	if (strncmp(i.name, "scratch_", 8) == 0 || strncmp(i.name, "buffer_load_", 12) == 0 ||
	    strncmp(i.name, "buffer_store_", 13) == 0)
		return read_private(&i);
	if (strncmp(i.name, "ds_", 3) == 0)
		return read_local(&i);
	if (strncmp(i.name, "global_", 7) == 0 || strncmp(i.name, "flat_", 5) == 0)
		return read_global(&i);
	return read_cache(&i);
}

/* Whether the second of two instructions reads what the first writes. */
static bool follows(const struct asm_line *first, const struct asm_line *second)
{
	struct operand written, read;

	if (!first->count || !parse_operand(first->operand[0], &written))
		return true;
	for (unsigned k = 1; k < second->count; k++) {
		if (parse_operand(second->operand[k], &read) && read.first != NO_REGISTER &&
		    read.first == written.first)
			return true;
	}
	return false;
}

/*
 * Two instructions of GFX11 in one: `v_dual_mov_b32 v1, 0 :: v_dual_mov_b32 v0, 1`. Both read
 * before either writes, so that one which reads what the other writes is made first.
 */
static int read_dual(struct reader *reader, const struct asm_line *line, const char *between,
                     unsigned generation)
{
	static const char dual[] = "dual_";
	struct asm_line half[2] = {{.number = line->number}, {.number = line->number}};
	const char *begin[] = {line->text, between + 2};
	const char *end[] = {between, line->text + line->length};
	bool turned;
	int r;

	for (unsigned n = 0; n < 2; n++) {
		char *name;

		while (begin[n] < end[n] && isspace((unsigned char)*begin[n]))
			begin[n]++;
		if (!oclmm_code_cut(&half[n], begin[n], (size_t)(end[n] - begin[n])) ||
		    !(name = strstr(half[n].word, dual)))
			return oclmm_code_refuse(reader, "");
		memmove(name, name + strlen(dual), strlen(name + strlen(dual)) + 1);
		half[n].text = line->text;
		half[n].length = line->length;
	}
	turned = follows(&half[0], &half[1]);
	if (turned && follows(&half[1], &half[0]))
		return oclmm_code_refuse(reader, "each half reads what the other writes");
	r = read_one(reader, &half[turned], generation);
	return r == 0 ? read_one(reader, &half[!turned], generation) : r;
}

static int read_gfx9(struct reader *reader, const struct asm_line *line)
{
	return read_one(reader, line, 9);
}

static int read_gfx10(struct reader *reader, const struct asm_line *line)
{
	return read_one(reader, line, 10);
}

static int read_gfx11(struct reader *reader, const struct asm_line *line)
{
	const char *second = memmem(line->text, line->length, "::", 2);

	return second ? read_dual(reader, line, second, 11) : read_one(reader, line, 11);
}

static int read_gfx12(struct reader *reader, const struct asm_line *line)
{
	const char *second = memmem(line->text, line->length, "::", 2);

	return second ? read_dual(reader, line, second, 12) : read_one(reader, line, 12);
}

static int read_gfx940(struct reader *reader, const struct asm_line *line)
{
	return read_one(reader, line, GFX940);
}

static bool has_directive(const char *text, const char *end, const char *word)
{
	const char *at = memmem(text, (size_t)(end - text), word, strlen(word));

	return at && at[strlen(word)] == ' ' && at[strlen(word) + 1] == '1';
}

/* The registers that stand before the pointer to parameters, by the directives behind the function.
 */
static uint16_t find_block(const char *text, const char *function)
{
	enum { USUAL = 4 };
	char word[LINE_WORD];
	const char *at, *end;
	uint16_t block = 0;

	snprintf(word, sizeof(word), ".amdhsa_kernel %s\n", function);
	at = strstr(text, word);
	end = at ? strstr(at, ".end_amdhsa_kernel") : NULL;
	if (!end)
		return USUAL;
	block += has_directive(at, end, ".amdhsa_user_sgpr_private_segment_buffer") ? 4 : 0;
	block += has_directive(at, end, ".amdhsa_user_sgpr_dispatch_ptr") ? 2 : 0;
	block += has_directive(at, end, ".amdhsa_user_sgpr_queue_ptr") ? 2 : 0;
	return block;
}

/* The lanes of a wavefront go together: of their barrier nothing is left but that nothing moves
 * over it. */
static const char wave_barrier[] = "; wave barrier";

static const struct oclmm_cat_name names[] = {
	CODE_NAMES,
	CODE_SET_NAME("VM"),
	CODE_SET_NAME("VS"),
	CODE_SET_NAME("LGKM"),
	CODE_SET_NAME("INV0"),
	CODE_SET_NAME("INV1"),
	CODE_SET_NAME("PAST0"),
	CODE_SET_NAME("PAST1"),
	CODE_SET_NAME("VSC"),
	CODE_SET_NAME("SCALAR"),
	CODE_SET_NAME("WB"),
	CODE_SET_NAME("DS"),
	CODE_SET_NAME("KM"),
};

/* Parameters are in a block to which two scalar registers point. */
#define CONVENTION                                                                                 \
	{                                                                                          \
		.stack = SCRATCH, .block = 4, .local_bytes = 4, .lanes = EXEC                      \
	}

/* Everything is written back, then waited for, and then caches are emptied. */
#define GENERATION(number, cat_of_it, read_by)                                                     \
	{                                                                                          \
		.name = "gfx" number, .model = "AMD GFX" number, .cat = cat_of_it, .names = names, \
		.name_count = OCLMM_COUNT(names),                                                  \
		.full_fence = {TAG_WB, TAG_VM | TAG_VS | TAG_LGKM | TAG_DS | TAG_KM,               \
		               TAG_INV0 | TAG_INV1},                                               \
		.one_device = true, .grows = true, .comment = ";", .marker = wave_barrier,         \
		.convention = CONVENTION, .find_block = find_block, .read = read_by                \
	}

const struct oclmm_machine oclmm_machine_gfx9 = GENERATION("9", oclmm_model_gfx9, read_gfx9);
const struct oclmm_machine oclmm_machine_gfx10 = GENERATION("10", oclmm_model_gfx10, read_gfx10);
/* The guide has one model for both; glc goes past both caches here. */
const struct oclmm_machine oclmm_machine_gfx11 = GENERATION("11", oclmm_model_gfx10, read_gfx11);
const struct oclmm_machine oclmm_machine_gfx12 = GENERATION("12", oclmm_model_gfx12, read_gfx12);
const struct oclmm_machine oclmm_machine_gfx940 = GENERATION("940", oclmm_model_gfx940,
                                                             read_gfx940);
