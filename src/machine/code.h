// SPDX-License-Identifier: Apache-2.0
/*
 * The code of a thread as readers give it: a few operations on registers and memory, to which each
 * instruction of a machine is taken apart. Registers hold 64 bits.
 */
#ifndef OCLMM_MACHINE_CODE_H
#define OCLMM_MACHINE_CODE_H

#include "oclmm/machine.h"

enum {
	MACHINE_REGISTERS = 1024,
	NO_REGISTER = 0xffff,
};

enum code_kind {
	CODE_SET,         /* to = a */
	CODE_EXTEND,      /* to = the lowest `from` bytes of a, with their sign where `sign` */
	CODE_COMPUTE,     /* to = a op b */
	CODE_FLAGS,       /* to = flags of a op b: OP_ADD, OP_SUB, OP_AND, or of b alone: OP_MOVE */
	CODE_TEST,        /* to = whether the flags a fulfil `condition` */
	CODE_NUMBER,      /* to = the number a of those that a work-item asks for */
	CODE_COMPARE,     /* to = a `relation` b, 0 or 1 */
	CODE_SELECT,      /* to = c ? a : b */
	CODE_LOAD,        /* to = *address */
	CODE_STORE,       /* *address = a */
	CODE_UPDATE,      /* to = *address; *address = to op a; one step */
	CODE_EXCHANGE_IF, /* to = *address; if to == a: *address = b; one step */
	CODE_LINKED,      /* to = *address, and the monitor is set */
	CODE_CONDITIONAL, /* if the monitor is set: *address = a, to = 0; else to = 1 */
	CODE_FENCE,
	CODE_FILL,    /* `c` bytes at the address a = b; of the thread's own memory */
	CODE_COPY,    /* `c` bytes at the address a = those at b; the same */
	CODE_BARRIER, /* of the work-group, or `sub_group`; a: its flags, 0 orders nothing */
	CODE_BRANCH,  /* to `target` if a != 0 */
	CODE_JUMP,
	CODE_CALL, /* of `target`, which comes back by CODE_RETURN */
	CODE_RETURN,
	CODE_BEYOND, /* the end of the text: what follows is not of the function */
};

/* clang-format off */
enum code_op {
	OP_ADD, OP_SUB, OP_AND, OP_OR, OP_XOR, OP_SHL, OP_SHR, OP_SAR, OP_MUL,
	OP_DIV, OP_UDIV, OP_REM, OP_UREM,
	OP_MOVE,           /* the right side */
	OP_NOT, OP_NEGATE, OP_REVERSE, /* of the right side; the order of its bits */
	OP_COUNT, /* the bits that are set in the right side */
	OP_SMIN, OP_SMAX, OP_UMIN, OP_UMAX,
	OP_AND_NOT, OP_OR_NOT,
	OP_INC_WRAP, OP_DEC_WRAP, /* as GPUs have them */
	OP_SADD_SAT, OP_SSUB_SAT, OP_UADD_SAT, OP_USUB_SAT, /* what would wrap stays at the limit */
};

/* Conditions over flags. BELOW: a difference borrowed, a sum carried. */
enum code_condition {
	IF_EQ, IF_NE, IF_BELOW, IF_NOT_BELOW, IF_NEGATIVE, IF_NOT_NEGATIVE, IF_OVERFLOW,
	IF_NO_OVERFLOW, IF_ABOVE, IF_NOT_ABOVE, IF_GE, IF_LT, IF_GT, IF_LE,
};

enum code_relation {
	REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE, REL_ULT, REL_ULE, REL_UGT, REL_UGE,
};
/* clang-format on */

/* Of a barrier: all of it, that one has come, or that one waits for the others. */
enum code_half { HALF_BOTH, HALF_COMES, HALF_WAITS };

struct code_operand {
	uint16_t reg; /* NO_REGISTER: a number */
	int64_t number;
};

struct code_address {
	uint16_t base, index; /* or NO_REGISTER */
	uint8_t shift;        /* of the index */
	int64_t offset;
};

struct code {
	enum code_kind kind;
	enum code_op op;
	enum code_condition condition;
	enum code_relation relation;
	uint8_t width; /* bytes */
	uint8_t from;  /* EXTEND; LOAD: 0, or the number of bytes it is extended from */
	bool sign;     /* of that; FLAGS: BELOW is the other way round */
	bool merge;    /* a result of one or two bytes leaves the rest of the register alone */
	bool sub_group;
	/* SELECT: what decides is no dependency of an address that is read, but a pick dependency
	 * (Arm's manual, B2.3): a store waits for it, and so do stores behind an access at such an
	 * address. */
	bool picks;
	bool stale;          /* LOAD: of memory that is said not to change while the kernel runs */
	enum code_half half; /* BARRIER */
	bool guard_not;      /* only if the guard is 0 */
	uint16_t guard;      /* only if this register is not 0; or NO_REGISTER */
	uint16_t to;         /* or NO_REGISTER */
	struct code_operand a, b, c;
	struct code_address address;
	enum oclmm_scope scope;
	unsigned read_tags, write_tags; /* of what reads or writes; FENCE: read_tags */
	bool fails;                     /* EXCHANGE_IF: one that fails has other tags */
	unsigned failure_tags;
	uint32_t target; /* index of code */
	uint32_t line;   /* in the function, from 1 */
};

enum { CONSTANTS_MOST = 32 };

struct code_function {
	struct code *code;
	size_t count, capacity;
	/* numbers that stand in memory, from CONSTANTS_ADDRESS on */
	uint64_t constants[CONSTANTS_MOST];
	unsigned constant_count;
	/* its text, and behind it those of the functions that it calls: lines are numbered in it */
	const char *text;
	size_t length;
};

/* ---- reading -------------------------------------------------------------- */

/* The line at hand, cut up: a mnemonic, and operands between commas that no bracket holds. */
enum { LINE_OPERANDS = 12, LINE_WORD = 128 };
struct asm_line {
	char word[LINE_WORD];
	char operand[LINE_OPERANDS][LINE_WORD];
	unsigned count;
	uint32_t number;  /* in the function, from 1 */
	const char *text; /* as it stands, without blanks around it: `length` bytes */
	size_t length;
};

/* A text, cut into its functions. */
struct function_text {
	char *name;
	const char *text;
	size_t length;
};

struct oclmm_assembly {
	const struct oclmm_machine *machine;
	char *text;
	struct function_text *functions;
	size_t count, capacity;
};

/* Names in the code that stand for addresses. */
struct code_symbol {
	const char *name;
	uint64_t address;
};
struct code_symbols {
	struct code_symbol *items;
	unsigned count;
};

struct label {
	char *name;
	size_t at;
};

struct jump {
	char *label;
	size_t at;
	struct asm_line line;
};

/* What is known while a function is read. */
struct reader {
	const struct oclmm_machine *machine;
	struct code_function *function;
	const struct asm_line *line;
	struct oclmm_error *error;
	struct oclmm_arena *arena; /* of names of labels */
	struct label *labels;
	size_t label_count, label_capacity;
	struct jump *jumps;
	size_t jump_count, jump_capacity;
	uint16_t temporaries; /* of the line at hand */
	uint64_t notes;       /* what a machine's reader keeps between lines; 0 at the beginning */
	char **names;         /* of registers, from FIRST_NAMED on */
	size_t name_count, name_capacity;
	const struct oclmm_assembly *assembly; /* the whole text that it is of, or NULL */
	const struct code_symbols *symbols;    /* or NULL */
	struct oclmm_text text;                /* of all functions that were read */
	unsigned scope; /* their number: where names of registers are free, each function has its
	                   own */
	uint32_t lines; /* in it */
};

enum { FIRST_TEMPORARY = MACHINE_REGISTERS - 32, FIRST_NAMED = 16 };

/* Cuts a line up; false where a part is too long. */
bool oclmm_code_cut(struct asm_line *line, const char *text, size_t length);
/* Adds an operation that the line at hand is made of: registers NO_REGISTER, 8 bytes wide. The
 * caller fills in the rest. It moves with the next one. */
struct code *oclmm_code_add(struct reader *reader, enum code_kind kind);
/* Refuses the line at hand. Returns -ENOTSUP. */
int oclmm_code_refuse(struct reader *reader, const char *why);
/* The target of the operation that was added last, looked up when the function is read: a label of
 * it, or another function of the text, which is read, too. */
void oclmm_code_target(struct reader *reader, const char *label);
/* Calls, or `jumps` to, a function by its name. What a runtime or a library gives is made here: the
 * barriers of the head, memset and memcpy, whose parameters are in the registers of the machine's
 * convention. */
void oclmm_code_call(struct reader *reader, const char *name, bool jumps);
/* A register of the reader's own for the line at hand. */
uint16_t oclmm_code_temporary(struct reader *reader);
/* The register of a name, one for each, where names are free; NO_REGISTER where there are too many.
 */
uint16_t oclmm_code_register(struct reader *reader, const char *name);
/* The address of the numbers that stand in memory behind a label (`length` bytes of `label`), as
 * directives of the whole text give them, or 0: there are none, or too many. */
int64_t oclmm_code_constants(struct reader *reader, const char *label, size_t length);
/* Reads `name+4`, or the name alone, of something that has an address. */
bool oclmm_code_symbol(const struct reader *reader, const char *text, int64_t *ret_address);
struct code_operand oclmm_code_number(int64_t number);
struct code_operand oclmm_code_value(uint16_t reg);
/* Reads a whole number, in decimal or 0x…, that takes all of the text. */
bool oclmm_code_parse_number(const char *text, int64_t *ret_number);

/* ---- machines ------------------------------------------------------------- */

/* Names that each model knows; those of its tags follow. */
#define CODE_SET_NAME(name)                                                                        \
	{                                                                                          \
		name, OCLMM_CAT_SET                                                                \
	}
#define CODE_NAMES                                                                                 \
	CODE_SET_NAME("R"), CODE_SET_NAME("W"), CODE_SET_NAME("M"), CODE_SET_NAME("F"),            \
		CODE_SET_NAME("IW"), CODE_SET_NAME("B"), CODE_SET_NAME("LOCAL"),                   \
		{"po", OCLMM_CAT_RELATION}, {"po-loc", OCLMM_CAT_RELATION},                        \
		{"loc", OCLMM_CAT_RELATION}, {"ext", OCLMM_CAT_RELATION},                          \
		{"int", OCLMM_CAT_RELATION}, {"rf", OCLMM_CAT_RELATION},                           \
		{"rfe", OCLMM_CAT_RELATION}, {"rfi", OCLMM_CAT_RELATION},                          \
		{"co", OCLMM_CAT_RELATION}, {"coe", OCLMM_CAT_RELATION},                           \
		{"coi", OCLMM_CAT_RELATION}, {"fr", OCLMM_CAT_RELATION},                           \
		{"fre", OCLMM_CAT_RELATION}, {"fri", OCLMM_CAT_RELATION},                          \
		{"rmw", OCLMM_CAT_RELATION}, {"addr", OCLMM_CAT_RELATION},                         \
		{"data", OCLMM_CAT_RELATION}, {"ctrl", OCLMM_CAT_RELATION},                        \
		{"reach", OCLMM_CAT_RELATION}, {"ssg", OCLMM_CAT_RELATION},                        \
	{                                                                                          \
		"swg", OCLMM_CAT_RELATION                                                          \
	}
/* clang-format off */
enum code_name {
	NAME_R, NAME_W, NAME_M, NAME_F, NAME_IW, NAME_B, NAME_LOCAL,
	NAME_PO, NAME_PO_LOC, NAME_LOC, NAME_EXT, NAME_INT, NAME_RF, NAME_RFE, NAME_RFI,
	NAME_CO, NAME_COE, NAME_COI, NAME_FR, NAME_FRE, NAME_FRI,
	NAME_RMW, NAME_ADDR, NAME_DATA, NAME_CTRL, NAME_REACH, NAME_SSG, NAME_SWG,
	NAME_COUNT,
	TAGS_MOST = 12,
	FENCES_MOST = 3,
};
/* clang-format on */

/* Where a thread's parameters are when it begins. */
enum { PARAMETERS_MOST = 24, ARGUMENT_REGISTERS = 8 };
struct code_convention {
	uint16_t argument[ARGUMENT_REGISTERS]; /* the first of them */
	unsigned arguments;
	uint16_t given;        /* where a called function leaves its result, or NO_REGISTER */
	uint16_t stack;        /* the stack pointer, or NO_REGISTER */
	unsigned stack_offset; /* from there to the parameters that have no register */
	uint16_t block;        /* points to a block with all of them, or NO_REGISTER */
	unsigned local_bytes;  /* of a pointer to local memory there */
	uint16_t lanes;        /* the mask of lanes, which has one lane; 0: no mask */
};

struct oclmm_machine {
	const char *name;
	const char *model; /* in words */
	const char *cat;   /* the model */
	const struct oclmm_cat_name *names;
	unsigned name_count;
	/* Tags of a fence that orders everything, or of several, one behind the other. */
	unsigned full_fence[FENCES_MOST];
	bool entries; /* functions begin with a head that has .entry or .func, and not with labels
	               */
	bool loose; /* weak accesses see old values again, and come between the halves of updates */
	bool one_device; /* its model knows no second one */
	/* Its model takes nothing away where it forbids: what it refuses of an execution in which
	 * not every read has its write yet, and not all writes their order, stays refused. */
	bool grows;
	/* Of the fences before and behind a barrier that orders memory; 0: none is needed. */
	unsigned barrier_entry, barrier_exit;
	const char *comment; /* what begins one */
	/* A comment that stands for an instruction which the machine does not have, or NULL. */
	const char *marker;
	struct code_convention convention;
	/* Where the block of a function is, by the directives in the whole text; or NULL. */
	uint16_t (*find_block)(const char *text, const char *function);
	/* Makes of a text one with labels before functions and blocks; or NULL. */
	void (*prepare)(struct oclmm_text *text, const char *module, size_t length);
	/* Reads a line. Returns 0, or -ENOTSUP of oclmm_code_refuse(). */
	int (*read)(struct reader *reader, const struct asm_line *line);
};

extern const struct oclmm_machine oclmm_machine_aarch64;
extern const struct oclmm_machine oclmm_machine_gfx9, oclmm_machine_gfx940, oclmm_machine_gfx10,
	oclmm_machine_gfx11, oclmm_machine_gfx12;
extern const struct oclmm_machine oclmm_machine_ptx;
extern const struct oclmm_machine oclmm_machine_riscv64;
extern const struct oclmm_machine oclmm_machine_spirv;
extern const struct oclmm_machine oclmm_machine_x86_64;

/* The models, of the files in models/. */
extern const char oclmm_model_aarch64[];
extern const char oclmm_model_gfx9[], oclmm_model_gfx940[], oclmm_model_gfx10[],
	oclmm_model_gfx12[];
extern const char oclmm_model_ptx[];
extern const char oclmm_model_riscv[];
extern const char oclmm_model_spirv[];
extern const char oclmm_model_x86[];

/* A function's code, and that of the functions of `assembly` (or NULL) that it calls; `symbols` may
 * be NULL. Returns 0, or
 * -ENOTSUP with the line in `error`. */
int oclmm_code_read(const struct oclmm_machine *machine, const struct oclmm_assembly *assembly,
                    const struct code_symbols *symbols, const char *text, size_t length,
                    struct oclmm_arena *arena, struct oclmm_error *error,
                    struct code_function *ret_function);

/* ---- execution ------------------------------------------------------------ */

enum { TRACE_EVENTS = 48, TRACE_WORDS = 32 };

enum trace_kind { TRACE_READ, TRACE_WRITE, TRACE_FENCE, TRACE_BARRIER };

struct trace_event {
	enum trace_kind kind;
	uint32_t cell;
	uint64_t value; /* of the cell's width */
	unsigned tags;
	enum oclmm_scope scope;
	bool sub_group, orders;                   /* of barriers */
	enum code_half half;                      /* the same */
	uint64_t address_of, data_of, control_of; /* reads that it depends on */
	int partner; /* of a read-modify-write: the other half, or -1 */
	uint32_t line;
};

/* One way through the code of a thread. */
struct trace {
	unsigned count;
	struct trace_event event[TRACE_EVENTS];
	uint64_t results[TRACE_WORDS]; /* as they were stored at the end */
};

struct code_cell {
	uint64_t address;
	unsigned bytes;
	bool is_part; /* of an object that is stored in parts: each is a cell of its own */
};

/* Where a thread runs. */
struct code_place {
	const struct code_function *function;
	const struct code_convention *convention;
	const struct code_cell *cells;
	uint32_t cell_count;
	struct {
		uint64_t value;
		unsigned bytes;
	} parameter[PARAMETERS_MOST];
	unsigned parameter_count;
	const uint32_t *numbers; /* of a work-item; NULL: there are none */
	bool whole_kernel;       /* that may wait for others for ever; else a thread of a test */
	const uint64_t *context; /* words that the parameter behind them points to, or NULL */
	unsigned context_words;
};

enum trace_end {
	TRACE_ENDED,
	TRACE_ASKS,   /* what the read of `ret_cell` gives is not chosen yet */
	TRACE_CUT,    /* it goes on and on */
	TRACE_WAITS,  /* a turn of a loop changed nothing: without that turn it is the same */
	TRACE_ASTRAY, /* an access that is of no object as a whole; or, with line 0, CODE_BEYOND */
	TRACE_PART,   /* a store to a part of `ret_cell`, which could be taken in two */
	TRACE_MIXED,  /* an access of another size than those to the parts of an object */
	TRACE_STALE,  /* a stale load behind the thread's own store, of which nobody says what it
	                 gives */
};

/* Where results are stored: the last parameter. */
#define RESULTS_ADDRESS UINT64_C(0x60000000)
/* Of what a runtime gives a function beside its parameters. */
#define CONTEXT_ADDRESS   UINT64_C(0x58000000)
#define CONSTANTS_ADDRESS UINT64_C(0x5c000000)

/* Runs the code of a thread, given what its reads return one after the other. */
enum trace_end oclmm_code_run(const struct code_place *place, const uint64_t *choices,
                              unsigned choice_count, struct trace *trace, uint32_t *ret_cell,
                              uint32_t *ret_line);

#endif
