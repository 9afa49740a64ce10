// SPDX-License-Identifier: Apache-2.0
/*
 * PTX, NVIDIA's portable assembly, as compilers and drivers write it for such kernels; after the
 * PTX ISA's manual, chapters 9 (instructions) and 8 (memory consistency). Addresses of global,
 * shared and generic memory are the same here. Plain accesses are weak; `volatile` is relaxed at
 * system scope, and `membar` is fence.sc, as the manual has it for sm_70 and later.
 */
#include "code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	TAG_STRONG = 1,
	TAG_ACQ = 2,
	TAG_REL = 4,
	TAG_FSC = 8,
	TAG_NC = 16,  /* ld.global.nc: by a cache that nothing keeps coherent */
	TAG_RED = 32, /* the read of a reduction */
	TAG_FENCE = TAG_STRONG | TAG_ACQ | TAG_REL,
	/* the two that the convention has; names of registers have those from 16 on */
	BLOCK = 0,
	STACK = 1,
	PARTS = 12,
};

/* ---- an instruction ------------------------------------------------------------ */

struct instruction {
	struct reader *reader;
	const struct asm_line *line;
	char word[LINE_WORD]; /* without its predicate, cut at the points */
	const char *part[PARTS];
	unsigned parts;
	char operand[LINE_OPERANDS][LINE_WORD];
	unsigned count;
	uint16_t guard;
	bool guard_not;
};

static int refuse(const struct instruction *i)
{
	const char *text = i->line->word;

	return oclmm_code_refuse(i->reader, *text == '@' ? i->part[0] : "");
}

static struct code *add(const struct instruction *i, enum code_kind kind)
{
	struct code *c = oclmm_code_add(i->reader, kind);

	c->guard = i->guard;
	c->guard_not = i->guard_not;
	return c;
}

static bool has_part(const struct instruction *i, const char *word)
{
	for (unsigned n = 1; n < i->parts; n++) {
		if (strcmp(i->part[n], word) == 0)
			return true;
	}
	return false;
}

/* ---- types and operands --------------------------------------------------------- */

struct type {
	unsigned bytes;
	bool sign;
};

/* `u32`, `b64`, `pred`. */
static bool parse_type(const char *text, struct type *ret_type)
{
	static const struct {
		const char *name;
		struct type type;
	} types[] = {
		{"u8", {1, false}},   {"s8", {1, true}},   {"b8", {1, false}},  {"u16", {2, false}},
		{"s16", {2, true}},   {"b16", {2, false}}, {"u32", {4, false}}, {"s32", {4, true}},
		{"b32", {4, false}},  {"u64", {8, false}}, {"s64", {8, true}},  {"b64", {8, false}},
		{"pred", {1, false}},
	};

	for (size_t n = 0; n < OCLMM_COUNT(types); n++) {
		if (strcmp(types[n].name, text) == 0) {
			*ret_type = types[n].type;
			return true;
		}
	}
	return false;
}

/* The last part of the word. */
static bool type_of(const struct instruction *i, struct type *ret_type)
{
	return i->parts > 1 && parse_type(i->part[i->parts - 1], ret_type);
}

/* The register of a name in the function at hand. */
static bool find_own_register(const struct instruction *i, const char *text, uint16_t *ret_reg)
{
	char name[LINE_WORD + 48];

	snprintf(name, sizeof(name), "%u:%s", i->reader->scope, text);
	*ret_reg = oclmm_code_register(i->reader, name);
	return *ret_reg != NO_REGISTER;
}

static bool parse_register(const struct instruction *i, const char *text, uint16_t *ret_reg)
{
	/* numbers of work-items and the like are no registers */
	static const char *const special[] = {"%tid",    "%ntid",   "%ctaid",  "%nctaid",
	                                      "%laneid", "%warpid", "%envreg", "%clock"};

	if (*text != '%')
		return false;
	for (size_t n = 0; n < OCLMM_COUNT(special); n++) {
		if (strncmp(special[n], text, strlen(special[n])) == 0)
			return false;
	}
	return find_own_register(i, text, ret_reg);
}

static bool value_at(const struct instruction *i, unsigned at, struct code_operand *ret_value)
{
	uint16_t reg;
	int64_t number;
	char text[LINE_WORD];
	size_t length;

	if (at >= i->count)
		return false;
	if (parse_register(i, i->operand[at], &reg)) {
		*ret_value = oclmm_code_value(reg);
		return true;
	}
	/* `0x1U` */
	snprintf(text, sizeof(text), "%s", i->operand[at]);
	length = strlen(text);
	if (length > 1 && text[length - 1] == 'U')
		text[length - 1] = '\0';
	if (!oclmm_code_parse_number(text, &number))
		return false;
	*ret_value = oclmm_code_number(number);
	return true;
}

/* `_` takes nothing. */
static bool target_at(const struct instruction *i, unsigned at, uint16_t *ret_reg)
{
	*ret_reg = NO_REGISTER;
	return at < i->count &&
	       (strcmp(i->operand[at], "_") == 0 || parse_register(i, i->operand[at], ret_reg));
}

/* ---- memory ------------------------------------------------------------------------ */

/* Where arrays of the thread's own are, one behind the other: that of the function at hand, the end
 * of all so far, and which function it is. */
enum { DEPOT_BITS = 16, DEPOT_MASK = 0xffff, DEPOTS_BYTES = 512 };

/* `__local_depot0`, whose size its directive has. */
static bool find_depot(const struct instruction *i, const char *name, int64_t *ret_offset)
{
	uint64_t *notes = &i->reader->notes;
	uint64_t next = *notes >> DEPOT_BITS & DEPOT_MASK, scope = i->reader->scope;
	const char *text = i->reader->assembly ? i->reader->assembly->text : NULL, *at;
	char word[LINE_WORD + 1];
	uint64_t size = 0;

	if (strncmp(name, "__local_depot", 13) != 0)
		return false;
	if (*notes >> 2 * DEPOT_BITS != scope) {
		snprintf(word, sizeof(word), "%s[", name);
		at = text ? strstr(text, word) : NULL;
		size = at ? strtoul(at + strlen(word), NULL, 10) : DEPOTS_BYTES;
		if (size > DEPOTS_BYTES || next + size > DEPOTS_BYTES)
			return false;
		*notes = next | (next + (size + 15) / 16 * 16) << DEPOT_BITS |
		         scope << 2 * DEPOT_BITS;
	}
	*ret_offset = (int64_t)(*notes & DEPOT_MASK);
	return true;
}

/* `name_param_3+4`: the block has eight bytes for each. */
static bool parse_parameter(const char *text, int64_t *ret_offset)
{
	static const char word[] = "_param_";
	const char *at = strstr(text, word), *next;
	char *end;
	unsigned long number;

	while (at && (next = strstr(at + 1, word)))
		at = next;
	if (!at)
		return false;
	at += sizeof(word) - 1;
	number = strtoul(at, &end, 10);
	if (end == at || number >= PARAMETERS_MOST)
		return false;
	*ret_offset = (int64_t)number * 8 + (*end == '+' ? strtol(end + 1, &end, 10) : 0);
	return *end == '\0';
}

/* `[%rd1+8]`, `[P0_param_0]` */
static bool address_at(const struct instruction *i, unsigned at, struct code_address *ret_address)
{
	struct code_address address = {.base = NO_REGISTER, .index = NO_REGISTER};
	char text[LINE_WORD], *plus;
	int64_t depot;
	size_t length;

	if (at >= i->count)
		return false;
	length = strlen(i->operand[at]);
	if (length < 3 || i->operand[at][0] != '[' || i->operand[at][length - 1] != ']')
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)length - 2, i->operand[at] + 1);
	if (has_part(i, "param")) {
		address.base = BLOCK;
		if (!parse_parameter(text, &address.offset))
			return false;
	} else {
		if (oclmm_code_symbol(i->reader, text, &address.offset)) {
			*ret_address = address;
			return true;
		}
		plus = strchr(text, '+');
		if (plus && !oclmm_code_parse_number(plus + 1, &address.offset))
			return false;
		if (plus)
			*plus = '\0';
		/* of an array of its own */
		if (find_depot(i, text, &depot)) {
			address.base = STACK;
			address.offset += depot;
		} else if (!parse_register(i, text, &address.base)) {
			return false;
		}
	}
	*ret_address = address;
	return true;
}

/* What it says of order, and where; false for a word that is not known. */
struct meaning {
	unsigned tags; /* ACQ where it acquires, REL where it releases */
	enum oclmm_scope scope;
};

static bool find_meaning(const struct instruction *i, unsigned first, struct meaning *meaning)
{
	static const struct {
		const char *word;
		unsigned tags;
	} orders[] = {
		{"weak", 0},
		{"relaxed", TAG_STRONG},
		{"volatile", TAG_STRONG},
		{"acquire", TAG_STRONG | TAG_ACQ},
		{"release", TAG_STRONG | TAG_REL},
		{"acq_rel", TAG_FENCE},
		{"sc", TAG_FENCE | TAG_FSC},
	};
	static const struct {
		const char *word;
		enum oclmm_scope scope;
	} scopes[] = {{"cta", OCLMM_SCOPE_WORK_GROUP},
	              {"gpu", OCLMM_SCOPE_DEVICE},
	              {"gl", OCLMM_SCOPE_DEVICE},
	              {"sys", OCLMM_SCOPE_ALL_SVM_DEVICES}};
	/* where, and which caches: nothing of order */
	static const char *const places[] = {"global", "shared", "shared::cta", "local", "param",
	                                     "cg",     "ca",     "cv",          "wb",    "wt"};

	for (unsigned n = first; n < i->parts; n++) {
		bool known = false;
		struct type type;

		for (size_t k = 0; k < OCLMM_COUNT(orders); k++) {
			if (strcmp(orders[k].word, i->part[n]) != 0)
				continue;
			meaning->tags = orders[k].tags;
			if (strcmp(i->part[n], "volatile") == 0)
				meaning->scope = OCLMM_SCOPE_ALL_SVM_DEVICES;
			known = true;
		}
		for (size_t k = 0; k < OCLMM_COUNT(scopes); k++) {
			if (strcmp(scopes[k].word, i->part[n]) == 0) {
				meaning->scope = scopes[k].scope;
				known = true;
			}
		}
		for (size_t k = 0; k < OCLMM_COUNT(places); k++)
			known |= strcmp(places[k], i->part[n]) == 0;
		if (strcmp(i->part[n], "nc") == 0 && strcmp(i->part[0], "ld") == 0 &&
		    has_part(i, "global")) {
			meaning->tags |= TAG_NC;
			known = true;
		}
		if (!known && !(n == i->parts - 1 && parse_type(i->part[n], &type)))
			return false;
	}
	return true;
}

/*
 * The register of what is handed over in a call: `param0` and `retval0` of the caller, `f_param_0`
 * and `func_retval0` of what is called, which are moved from one to the other at the call. Nothing
 * calls itself in OpenCL C.
 */
static bool find_handed(const struct instruction *i, const char *name, uint16_t *ret_reg)
{
	if (!strstr(name, "_param_") && strncmp(name, "func_retval", 11) != 0)
		return find_own_register(i, name, ret_reg);
	*ret_reg = oclmm_code_register(i->reader, name);
	return *ret_reg != NO_REGISTER;
}

/* Only of the first function, which is an entry, are they in a block. */
static bool is_handed(const struct instruction *i, unsigned at)
{
	return has_part(i, "param") && at < i->count &&
	       (i->reader->scope > 1 || !strstr(i->operand[at], "_param_"));
}

/* ld.param.b32 %r1, [f_param_0+4]; st.param.b64 [param0], %rd1 */
static int read_handed(const struct instruction *i, bool load)
{
	char name[LINE_WORD], *plus;
	struct code_operand value;
	struct type type;
	int64_t offset = 0;
	uint16_t reg, to;
	struct code *c;

	if (i->count != 2 || i->parts != 3 || !type_of(i, &type))
		return refuse(i);
	snprintf(name, sizeof(name), "%s", i->operand[load] + (i->operand[load][0] == '['));
	name[strcspn(name, "]")] = '\0';
	plus = strchr(name, '+');
	if (plus && !oclmm_code_parse_number(plus + 1, &offset))
		return refuse(i);
	if (plus)
		*plus = '\0';
	/* of structures there are more than eight bytes */
	if (offset < 0 || offset + type.bytes > 8 || (!load && offset) ||
	    !find_handed(i, name, &reg) || (load ? !target_at(i, 0, &to) : !value_at(i, 1, &value)))
		return refuse(i);
	if (!load) {
		c = add(i, CODE_SET);
		c->width = (uint8_t)type.bytes;
		c->to = reg;
		c->a = value;
		return 0;
	}
	c = add(i, CODE_COMPUTE);
	c->op = OP_SHR;
	c->to = to;
	c->a = oclmm_code_value(reg);
	c->b = oclmm_code_number(offset * 8);
	c = add(i, CODE_EXTEND);
	c->from = (uint8_t)type.bytes;
	c->sign = type.sign;
	c->to = to;
	c->a = oclmm_code_value(to);
	return 0;
}

/* The names between brackets: `(param0, param1)`. */
static bool cut_names(char *text, char *names[PARAMETERS_MOST], unsigned *ret_count)
{
	size_t length = strlen(text);
	char *at = text + 1, *name;

	if (length < 2 || *text != '(' || text[length - 1] != ')')
		return false;
	text[length - 1] = '\0';
	*ret_count = 0;
	while ((name = strsep(&at, ", \t"))) {
		if (!*name)
			continue;
		if (*ret_count == PARAMETERS_MOST)
			return false;
		names[(*ret_count)++] = name;
	}
	return true;
}

/* call.uni (retval0), f, (param0, param1); */
static int read_call(const struct instruction *i)
{
	char operand[3][LINE_WORD] = {""}, *given[PARAMETERS_MOST], *result[PARAMETERS_MOST];
	char name[LINE_WORD + 32];
	unsigned given_count = 0, result_count = 0, at = 0;
	uint16_t from, to;
	struct code *c;

	for (unsigned n = 0; n < i->count && n < 3; n++)
		snprintf(operand[n], LINE_WORD, "%s", i->operand[n]);
	if (*operand[0] == '(' && !cut_names(operand[at++], result, &result_count))
		return refuse(i);
	/* what a register points to is not known */
	if (i->guard != NO_REGISTER || i->count < at + 1 || i->count > at + 2 ||
	    *operand[at] == '%' || result_count > 1 ||
	    (i->count == at + 2 && !cut_names(operand[at + 1], given, &given_count)))
		return refuse(i);
	for (unsigned n = 0; n < given_count; n++) {
		snprintf(name, sizeof(name), "%s_param_%u", operand[at], n);
		if (!find_handed(i, given[n], &from) || !find_handed(i, name, &to))
			return refuse(i);
		c = add(i, CODE_SET);
		c->to = to;
		c->a = oclmm_code_value(from);
	}
	add(i, CODE_CALL);
	oclmm_code_target(i->reader, operand[at]);
	if (result_count) {
		if (!find_handed(i, "func_retval0", &from) || !find_handed(i, result[0], &to))
			return refuse(i);
		c = add(i, CODE_SET);
		c->to = to;
		c->a = oclmm_code_value(from);
	}
	return 0;
}

static int read_access(const struct instruction *i, bool load)
{
	struct meaning meaning = {.scope = OCLMM_SCOPE_ALL_SVM_DEVICES};
	struct code_address address;
	struct code_operand value = {0};
	struct type type;
	uint16_t to = NO_REGISTER;
	struct code *c;

	if (i->count != 2 || !type_of(i, &type) || !find_meaning(i, 1, &meaning) ||
	    !address_at(i, load ? 1 : 0, &address) ||
	    (load ? !target_at(i, 0, &to) : !value_at(i, 1, &value)) ||
	    (meaning.tags & (load ? TAG_REL : TAG_ACQ)) ||
	    (meaning.tags & TAG_NC && meaning.tags != TAG_NC))
		return refuse(i);
	c = add(i, load ? CODE_LOAD : CODE_STORE);
	c->width = (uint8_t)type.bytes;
	/* a register may be wider than what is loaded */
	if (load && (type.bytes < 4 || (type.sign && type.bytes < 8))) {
		c->from = (uint8_t)type.bytes;
		c->sign = type.sign;
		c->width = 8;
	}
	c->to = to;
	c->a = value;
	c->address = address;
	c->scope = meaning.scope;
	c->read_tags = load ? meaning.tags : 0;
	c->stale = meaning.tags & TAG_NC;
	c->write_tags = load ? 0 : meaning.tags;
	return 0;
}

static const struct {
	const char *name;
	enum code_op sign, plain;
} updates[] = {
	{"add", OP_ADD, OP_ADD},
	{"and", OP_AND, OP_AND},
	{"or", OP_OR, OP_OR},
	{"xor", OP_XOR, OP_XOR},
	{"exch", OP_MOVE, OP_MOVE},
	{"min", OP_SMIN, OP_UMIN},
	{"max", OP_SMAX, OP_UMAX},
	{"inc", OP_INC_WRAP, OP_INC_WRAP},
	{"dec", OP_DEC_WRAP, OP_DEC_WRAP},
};

/* atom gives what was there; red gives nothing, and so does atom with the destination `_`, which is
 * a reduction, too (PTX ISA, atom). Both are relaxed at the scope of the GPU where nothing is said;
 * red is never an acquire. */
static int read_update(const struct instruction *i, bool gives)
{
	struct meaning meaning = {.tags = TAG_STRONG, .scope = OCLMM_SCOPE_DEVICE};
	struct instruction rest = *i;
	struct code_address address;
	struct code_operand a, b = {0};
	struct type type;
	uint16_t to = NO_REGISTER;
	unsigned at = gives, op_at = 0;
	size_t op = 0;
	bool cas = false;
	struct code *c;

	/* the operation stands before the type */
	rest.parts = 1;
	for (unsigned n = 1; n < i->parts; n++) {
		bool found = strcmp(i->part[n], "cas") == 0;

		cas |= found;
		for (size_t k = 0; k < OCLMM_COUNT(updates); k++) {
			if (strcmp(updates[k].name, i->part[n]) == 0) {
				op = k;
				found = true;
			}
		}
		if (found)
			op_at = n;
		else
			rest.part[rest.parts++] = i->part[n];
	}
	if (!op_at || !type_of(i, &type) || type.bytes < 4 || !find_meaning(&rest, 1, &meaning) ||
	    meaning.tags & TAG_FSC || (!gives && meaning.tags & TAG_ACQ) ||
	    (gives && !target_at(i, 0, &to)) || !address_at(i, at, &address) ||
	    !value_at(i, at + 1, &a) || (cas && !value_at(i, at + 2, &b)) ||
	    i->count != at + 2 + cas)
		return refuse(i);
	c = add(i, cas ? CODE_EXCHANGE_IF : CODE_UPDATE);
	c->op = type.sign ? updates[op].sign : updates[op].plain;
	c->width = (uint8_t)type.bytes;
	c->to = to;
	c->a = a;
	c->b = b;
	c->address = address;
	c->scope = meaning.scope;
	c->read_tags = TAG_STRONG | (meaning.tags & TAG_ACQ) |
	               (to == NO_REGISTER && !cas ? TAG_RED : 0);
	c->write_tags = TAG_STRONG | (meaning.tags & TAG_REL);
	return 0;
}

static int read_fence(const struct instruction *i)
{
	bool membar = strcmp(i->part[0], "membar") == 0;
	struct meaning meaning = {.tags = membar ? TAG_FENCE | TAG_FSC : TAG_FENCE,
	                          .scope = OCLMM_SCOPE_SUB_GROUP};
	struct code *c;

	if (i->count || !find_meaning(i, 1, &meaning) || meaning.scope == OCLMM_SCOPE_SUB_GROUP)
		return refuse(i);
	c = add(i, CODE_FENCE);
	c->read_tags = meaning.tags;
	c->scope = meaning.scope;
	return 0;
}

/* `bar.sync 0`, `barrier.sync.aligned 0`, `bar.warp.sync 0xffffffff`: of all work-items of the
 * group.
 */
static int read_barrier(const struct instruction *i)
{
	bool warp = has_part(i, "warp");
	int64_t number;

	if (i->count != 1 || !has_part(i, "sync") ||
	    !oclmm_code_parse_number(i->operand[0], &number) ||
	    (warp ? (uint32_t)number != UINT32_MAX : number != 0))
		return refuse(i);
	add(i, CODE_BARRIER)->sub_group = warp;
	return 0;
}

/* ---- computing ------------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum code_op sign, plain;
	unsigned operands;
} operations[] = {
	{"add", OP_ADD, OP_ADD, 2},       {"sub", OP_SUB, OP_SUB, 2},
	{"and", OP_AND, OP_AND, 2},       {"or", OP_OR, OP_OR, 2},
	{"xor", OP_XOR, OP_XOR, 2},       {"not", OP_NOT, OP_NOT, 1},
	{"neg", OP_NEGATE, OP_NEGATE, 1}, {"shl", OP_SHL, OP_SHL, 2},
	{"shr", OP_SAR, OP_SHR, 2},       {"min", OP_SMIN, OP_UMIN, 2},
	{"max", OP_SMAX, OP_UMAX, 2},     {"div", OP_DIV, OP_UDIV, 2},
	{"rem", OP_REM, OP_UREM, 2},      {"brev", OP_REVERSE, OP_REVERSE, 1},
};

/* A shift by what a register has: by the width and more it is one by the width (PTX ISA, shl, shr),
 * which a processor's is not. */
static int shift(const struct instruction *i, enum code_op op, unsigned bytes, uint16_t to,
                 struct code_operand a, struct code_operand by)
{
	uint16_t over = oclmm_code_temporary(i->reader), places = oclmm_code_temporary(i->reader);
	uint16_t result = oclmm_code_temporary(i->reader);
	struct code *c = add(i, CODE_COMPARE);

	c->relation = REL_UGE;
	c->width = 4;
	c->to = over;
	c->a = by;
	c->b = oclmm_code_number(8 * (int64_t)bytes);
	c = add(i, CODE_SELECT);
	c->to = places;
	c->a = oclmm_code_number(8 * (int64_t)bytes - 1);
	c->b = by;
	c->c = oclmm_code_value(over);
	c = add(i, CODE_COMPUTE);
	c->op = op;
	c->width = (uint8_t)bytes;
	c->to = result;
	c->a = a;
	c->b = oclmm_code_value(places);
	c = add(i, CODE_SELECT);
	c->to = to;
	/* of a negative number its sign is left, which is that of a shift by one less */
	c->a = op == OP_SAR ? oclmm_code_value(result) : oclmm_code_number(0);
	c->b = oclmm_code_value(result);
	c->c = oclmm_code_value(over);
	return 0;
}

static int compute(const struct instruction *i, enum code_op op, struct type type,
                   unsigned operands)
{
	struct code_operand a, b = {0};
	bool pred = has_part(i, "pred");
	uint16_t to;
	struct code *c;

	if (i->count != operands + 1 || !target_at(i, 0, &to) || !value_at(i, 1, &a) ||
	    (operands == 2 && !value_at(i, 2, &b)))
		return refuse(i);
	if (op == OP_SHL || op == OP_SHR || op == OP_SAR) {
		if (b.reg != NO_REGISTER)
			return shift(i, op, type.bytes, to, a, b);
		if ((uint64_t)b.number >= UINT64_C(8) * type.bytes)
			return refuse(i);
	}
	c = add(i, CODE_COMPUTE);
	c->op = op;
	c->width = (uint8_t)type.bytes;
	c->to = to;
	c->a = a;
	c->b = operands == 2 ? b : a;
	if (pred && op == OP_NOT) {
		c->op = OP_XOR;
		c->b = oclmm_code_number(1);
	}
	return 0;
}

static int read_computation(const struct instruction *i)
{
	struct type type;

	if (!type_of(i, &type))
		return 1;
	for (size_t n = 0; n < OCLMM_COUNT(operations); n++) {
		if (strcmp(operations[n].name, i->part[0]) != 0)
			continue;
		/* with a carry, saturated and so on */
		if (i->parts != 2)
			return refuse(i);
		return compute(i, type.sign ? operations[n].sign : operations[n].plain, type,
		               operations[n].operands);
	}
	return 1;
}

static void compute_wide(const struct instruction *i, enum code_op op, uint16_t to,
                         struct code_operand a, struct code_operand b)
{
	struct code *c = add(i, CODE_COMPUTE);

	c->op = op;
	c->width = 8;
	c->to = to;
	c->a = a;
	c->b = b;
}

/* shf.r.wrap.b32 %r1, %r2, %r3, 7: 32 bits of two registers, the first the lower one; shf.l: the
 * upper 32 of them moved up. The number of places counts by 32. */
static int read_funnel(const struct instruction *i)
{
	bool left = has_part(i, "l");
	struct code_operand low, high, by;
	uint16_t to, both, places;
	struct code *c;

	if (i->parts != 4 || (!left && !has_part(i, "r")) || !has_part(i, "wrap") ||
	    !has_part(i, "b32") || i->count != 4 || !target_at(i, 0, &to) ||
	    !value_at(i, 1, &low) || !value_at(i, 2, &high) || !value_at(i, 3, &by))
		return refuse(i);
	both = oclmm_code_temporary(i->reader);
	places = oclmm_code_temporary(i->reader);
	compute_wide(i, OP_SHL, both, high, oclmm_code_number(32));
	c = add(i, CODE_EXTEND);
	c->from = 4;
	c->to = places;
	c->a = low;
	compute_wide(i, OP_OR, both, oclmm_code_value(both), oclmm_code_value(places));
	compute_wide(i, OP_AND, places, by, oclmm_code_number(31));
	compute_wide(i, left ? OP_SHL : OP_SHR, both, oclmm_code_value(both),
	             oclmm_code_value(places));
	if (left)
		compute_wide(i, OP_SHR, both, oclmm_code_value(both), oclmm_code_number(32));
	c = add(i, CODE_EXTEND);
	c->from = 4;
	c->width = 4;
	c->to = to;
	c->a = oclmm_code_value(both);
	return 0;
}

/* bfe.u32 %r1, %r2, 8, 4: so many bits from one on, as a number; those with a sign repeat it */
static int read_field(const struct instruction *i)
{
	struct code_operand value, low, bits;
	struct type type;
	uint16_t to, part;
	int64_t up, down;
	struct code *c;

	if (i->parts != 2 || !type_of(i, &type) || i->count != 4 || !target_at(i, 0, &to) ||
	    !value_at(i, 1, &value) || !value_at(i, 2, &low) || !value_at(i, 3, &bits) ||
	    low.reg != NO_REGISTER || bits.reg != NO_REGISTER || low.number < 0 ||
	    bits.number < 1 || low.number + bits.number > (int64_t)type.bytes * 8)
		return refuse(i);
	part = oclmm_code_temporary(i->reader);
	down = (int64_t)type.bytes * 8 - bits.number;
	up = down - low.number;
	for (unsigned n = 0; n < 2; n++) {
		c = add(i, CODE_COMPUTE);
		c->op = n == 0 ? OP_SHL : type.sign ? OP_SAR : OP_SHR;
		c->width = (uint8_t)type.bytes;
		c->to = n ? to : part;
		c->a = n ? oclmm_code_value(part) : value;
		c->b = oclmm_code_number(n ? down : up);
	}
	return 0;
}

/* bfi.b64 %rd1, %rd2, %rd3, 32, 32: the lowest bits of the first into the second, from one on */
static int read_insert(const struct instruction *i)
{
	struct code_operand from, into, low, bits;
	struct type type;
	uint16_t to, part, rest;
	struct code_operand a[4], b[4];
	static const enum code_op ops[] = {OP_AND, OP_SHL, OP_AND_NOT, OP_OR};
	uint64_t mask;

	if (i->parts != 2 || !type_of(i, &type) || i->count != 5 || !target_at(i, 0, &to) ||
	    !value_at(i, 1, &from) || !value_at(i, 2, &into) || !value_at(i, 3, &low) ||
	    !value_at(i, 4, &bits) || low.reg != NO_REGISTER || bits.reg != NO_REGISTER ||
	    low.number < 0 || bits.number < 1 || bits.number > 63 ||
	    low.number + bits.number > (int64_t)type.bytes * 8)
		return refuse(i);
	part = oclmm_code_temporary(i->reader);
	rest = oclmm_code_temporary(i->reader);
	mask = (UINT64_C(1) << bits.number) - 1;
	a[0] = from;
	b[0] = oclmm_code_number((int64_t)mask);
	a[1] = a[3] = oclmm_code_value(part);
	b[1] = low;
	a[2] = into;
	b[2] = oclmm_code_number((int64_t)(mask << low.number));
	b[3] = oclmm_code_value(rest);
	for (unsigned n = 0; n < OCLMM_COUNT(ops); n++) {
		struct code *c = add(i, CODE_COMPUTE);

		c->op = ops[n];
		c->width = (uint8_t)type.bytes;
		c->to = n == 3 ? to : n == 2 ? rest : part;
		c->a = a[n];
		c->b = b[n];
	}
	return 0;
}

/* mul.lo.s32, mul.hi.s32, mad.lo.s32, mul.wide.s32 */
static int read_product(const struct instruction *i)
{
	bool mad = strcmp(i->part[0], "mad") == 0, high = has_part(i, "hi");
	bool wide = high || has_part(i, "wide");
	struct code_operand value[3] = {{0}};
	struct type type;
	uint16_t to, product;
	struct code *c;

	if (i->parts != 3 || (!wide && !has_part(i, "lo")) || !type_of(i, &type) ||
	    i->count != 3u + mad || !target_at(i, 0, &to) || (high && (mad || type.bytes > 4)))
		return refuse(i);
	for (unsigned n = 0; n < 2u + mad; n++) {
		if (!value_at(i, n + 1, &value[n]))
			return refuse(i);
	}
	for (unsigned n = 0; wide && n < 2; n++) {
		uint16_t extended = oclmm_code_temporary(i->reader);

		c = add(i, CODE_EXTEND);
		c->from = (uint8_t)type.bytes;
		c->sign = type.sign;
		c->to = extended;
		c->a = value[n];
		value[n] = oclmm_code_value(extended);
	}
	product = mad || high ? oclmm_code_temporary(i->reader) : to;
	c = add(i, CODE_COMPUTE);
	c->op = OP_MUL;
	c->width = (uint8_t)(wide ? type.bytes * 2 : type.bytes);
	c->to = product;
	c->a = value[0];
	c->b = value[1];
	if (high) {
		compute_wide(i, OP_SHR, product, oclmm_code_value(product),
		             oclmm_code_number((int64_t)type.bytes * 8));
		c = add(i, CODE_EXTEND);
		c->from = c->width = (uint8_t)type.bytes;
		c->to = to;
		c->a = oclmm_code_value(product);
	}
	if (mad) {
		c = add(i, CODE_COMPUTE);
		c->op = OP_ADD;
		c->width = (uint8_t)(wide ? type.bytes * 2 : type.bytes);
		c->to = to;
		c->a = oclmm_code_value(product);
		c->b = value[2];
	}
	return 0;
}

/* cvt.s64.s32: from the last type to the one before. */
static int read_conversion(const struct instruction *i)
{
	struct type to_type, type;
	struct code_operand value;
	uint16_t to;
	struct code *c;

	if (i->parts != 3 || !parse_type(i->part[1], &to_type) || !type_of(i, &type) ||
	    i->count != 2 || !target_at(i, 0, &to) || !value_at(i, 1, &value))
		return refuse(i);
	c = add(i, CODE_EXTEND);
	c->from = (uint8_t)type.bytes;
	c->sign = type.sign;
	c->width = (uint8_t)to_type.bytes;
	c->to = to;
	c->a = value;
	return 0;
}

static bool find_relation(const char *name, bool sign, enum code_relation *ret_relation)
{
	static const struct {
		const char *name;
		enum code_relation sign, plain;
	} relations[] = {
		{"eq", REL_EQ, REL_EQ},   {"ne", REL_NE, REL_NE},   {"lt", REL_LT, REL_ULT},
		{"le", REL_LE, REL_ULE},  {"gt", REL_GT, REL_UGT},  {"ge", REL_GE, REL_UGE},
		{"lo", REL_ULT, REL_ULT}, {"ls", REL_ULE, REL_ULE}, {"hi", REL_UGT, REL_UGT},
		{"hs", REL_UGE, REL_UGE},
	};

	for (size_t n = 0; n < OCLMM_COUNT(relations); n++) {
		if (strcmp(relations[n].name, name) == 0) {
			*ret_relation = sign ? relations[n].sign : relations[n].plain;
			return true;
		}
	}
	return false;
}

/* setp.eq.s32 %p1, %r1, 0 */
static int read_comparison(const struct instruction *i)
{
	enum code_relation relation;
	struct code_operand a, b;
	struct type type;
	uint16_t to;
	struct code *c;

	if (i->parts != 3 || !type_of(i, &type) ||
	    !find_relation(i->part[1], type.sign, &relation) || i->count != 3 ||
	    !target_at(i, 0, &to) || !value_at(i, 1, &a) || !value_at(i, 2, &b))
		return refuse(i);
	c = add(i, CODE_COMPARE);
	c->relation = relation;
	c->width = (uint8_t)type.bytes;
	c->to = to;
	c->a = a;
	c->b = b;
	return 0;
}

/* selp.u64 %rd3, 1, 0, %p1 */
static int read_selection(const struct instruction *i)
{
	struct code_operand a, b, which;
	struct type type;
	uint16_t to;
	struct code *c;

	if (i->parts != 2 || !type_of(i, &type) || i->count != 4 || !target_at(i, 0, &to) ||
	    !value_at(i, 1, &a) || !value_at(i, 2, &b) || !value_at(i, 3, &which))
		return refuse(i);
	c = add(i, CODE_SELECT);
	c->width = (uint8_t)type.bytes;
	c->to = to;
	c->a = a;
	c->b = b;
	c->c = which;
	return 0;
}

/* mov; cvta, which leaves an address what it is here; mov.u64 %SPL, __local_depot0 */
static int read_move(const struct instruction *i)
{
	struct code_operand value;
	struct type type;
	int64_t depot;
	uint16_t to;
	struct code *c;

	if (!type_of(i, &type) || i->count != 2 || !target_at(i, 0, &to))
		return refuse(i);
	if (find_depot(i, i->operand[1], &depot)) {
		c = add(i, CODE_COMPUTE);
		c->op = OP_ADD;
		c->to = to;
		c->a = oclmm_code_value(STACK);
		c->b = oclmm_code_number(depot);
		return 0;
	}
	value = oclmm_code_number(0);
	if (!oclmm_code_symbol(i->reader, i->operand[1], &value.number) && !value_at(i, 1, &value))
		return refuse(i);
	c = add(i, CODE_SET);
	c->width = (uint8_t)type.bytes;
	c->to = to;
	c->a = value;
	return 0;
}

/* ---- lines -------------------------------------------------------------------------------- */

static int read_branch(const struct instruction *i)
{
	uint16_t met = oclmm_code_temporary(i->reader);
	struct code *c;

	if (i->count != 1)
		return refuse(i);
	if (i->guard == NO_REGISTER) {
		oclmm_code_add(i->reader, CODE_JUMP);
	} else {
		c = oclmm_code_add(i->reader, CODE_COMPARE);
		c->relation = i->guard_not ? REL_EQ : REL_NE;
		c->width = 1;
		c->to = met;
		c->a = oclmm_code_value(i->guard);
		oclmm_code_add(i->reader, CODE_BRANCH)->a = oclmm_code_value(met);
	}
	oclmm_code_target(i->reader, i->operand[0]);
	return 0;
}

static int read_instruction(const struct instruction *i)
{
	const char *name = i->part[0];
	int r;

	if (strcmp(name, "ld") == 0 || strcmp(name, "ldu") == 0)
		return is_handed(i, 1) ? read_handed(i, true) : read_access(i, true);
	if (strcmp(name, "st") == 0)
		return is_handed(i, 0) ? read_handed(i, false) : read_access(i, false);
	if (strcmp(name, "call") == 0)
		return read_call(i);
	if (strcmp(name, "atom") == 0 || strcmp(name, "red") == 0)
		return read_update(i, *name == 'a');
	if (strcmp(name, "fence") == 0 || strcmp(name, "membar") == 0)
		return read_fence(i);
	if (strcmp(name, "bar") == 0 || strcmp(name, "barrier") == 0)
		return read_barrier(i);
	if (strcmp(name, "bra") == 0)
		return read_branch(i);
	if (strcmp(name, "ret") == 0 || strcmp(name, "exit") == 0) {
		add(i, CODE_RETURN);
		return 0;
	}
	if (strcmp(name, "mov") == 0 || strcmp(name, "cvta") == 0)
		return read_move(i);
	if (strcmp(name, "mul") == 0 || strcmp(name, "mad") == 0)
		return read_product(i);
	if (strcmp(name, "shf") == 0)
		return read_funnel(i);
	if (strcmp(name, "bfi") == 0)
		return read_insert(i);
	if (strcmp(name, "bfe") == 0)
		return read_field(i);
	if (strcmp(name, "cvt") == 0)
		return read_conversion(i);
	if (strcmp(name, "setp") == 0)
		return read_comparison(i);
	if (strcmp(name, "selp") == 0)
		return read_selection(i);
	r = read_computation(i);
	return r > 0 ? refuse(i) : r;
}

/* `@%p1 bra $L1` has its instruction where others have their first operand. */
static bool take_predicate(struct instruction *i)
{
	const struct asm_line *line = i->line;
	const char *name = line->word + 1, *blank;

	if (*name == '!') {
		i->guard_not = true;
		name++;
	}
	if (!parse_register(i, name, &i->guard) || !line->count)
		return false;
	blank = line->operand[0] + strcspn(line->operand[0], " \t");
	snprintf(i->word, sizeof(i->word), "%.*s", (int)(blank - line->operand[0]),
	         line->operand[0]);
	blank += strspn(blank, " \t");
	i->count = 0;
	if (*blank)
		snprintf(i->operand[i->count++], LINE_WORD, "%s", blank);
	for (unsigned n = 1; n < line->count; n++)
		snprintf(i->operand[i->count++], LINE_WORD, "%s", line->operand[n]);
	return true;
}

static int read_ptx(struct reader *reader, const struct asm_line *line)
{
	struct instruction i = {.reader = reader, .line = line, .guard = NO_REGISTER};
	char *at = i.word, *part;

	if (*line->word == '@') {
		i.part[0] = line->word;
		if (!take_predicate(&i))
			return oclmm_code_refuse(reader, "");
	} else {
		snprintf(i.word, sizeof(i.word), "%s", line->word);
		i.count = line->count;
		memcpy(i.operand, line->operand, sizeof(i.operand));
	}
	while ((part = strsep(&at, "."))) {
		if (i.parts == PARTS)
			return oclmm_code_refuse(reader, "");
		i.part[i.parts++] = part;
	}
	return read_instruction(&i);
}

static const struct oclmm_cat_name names[] = {
	CODE_NAMES,           CODE_SET_NAME("STRONG"), CODE_SET_NAME("ACQ"), CODE_SET_NAME("REL"),
	CODE_SET_NAME("FSC"), CODE_SET_NAME("NC"),     CODE_SET_NAME("RED"),
};

/* Each parameter takes eight bytes of the block; names say which it is. */
const struct oclmm_machine oclmm_machine_ptx = {
	.name = "ptx",
	.model = "PTX",
	.cat = oclmm_model_ptx,
	.grows = true,
	.names = names,
	.name_count = OCLMM_COUNT(names),
	.full_fence = {TAG_FENCE | TAG_FSC},
	.entries = true,
	.loose = true,
	.comment = "//",
	.convention = {.given = NO_REGISTER, .stack = STACK, .block = BLOCK, .local_bytes = 8},
	.read = read_ptx,
};
