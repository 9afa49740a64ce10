// SPDX-License-Identifier: Apache-2.0
/* What the files of the rewriter share: calls of OpenCL's functions, and how a text is written
 * again. */
#ifndef OCLMM_RUNNER_PLANT_INTERNAL_H
#define OCLMM_RUNNER_PLANT_INTERNAL_H

#include "lexer.h"
#include "oclmm/base.h"
#include "plant.h"

enum function_kind {
	FUNCTION_LOAD,
	FUNCTION_STORE,
	FUNCTION_FETCH, /* and exchange */
	FUNCTION_CAS,
	FUNCTION_FLAG_SET,
	FUNCTION_FLAG_CLEAR,
	FUNCTION_FENCE,     /* atomic_work_item_fence */
	FUNCTION_MEM_FENCE, /* mem_fence, read_mem_fence, write_mem_fence */
	FUNCTION_BARRIER,
	FUNCTION_LEGACY, /* OpenCL 1.x: atomic_add and atom_add alike */
	FUNCTION_LEGACY_CAS,
	FUNCTION_INIT,
};

/* OpenCL C: how many work-items the group has. */
#define GROUP_SIZE "get_local_size(0) * get_local_size(1) * get_local_size(2)"

/* The same: the number of the group. */
#define GROUP_NUMBER                                                                               \
	"get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * "            \
	"get_group_id(2))"

/* The same: how many groups the launch has. */
#define GROUP_COUNT "get_num_groups(0) * get_num_groups(1) * get_num_groups(2)"

/* One of OpenCL's functions. */
struct function {
	const char
		*name; /* of C11's forms the short one; of the legacy ones what follows atomic_ */
	enum function_kind kind;
	unsigned operands;  /* arguments before orders, or all */
	const char *update; /* operator that makes the new value: = < (min) > (max) + - & | ^ */
};

enum order {
	ORDER_RELAXED,
	ORDER_ACQUIRE,
	ORDER_RELEASE,
	ORDER_ACQ_REL,
	ORDER_SEQ_CST,
	ORDER_COUNT,
	ORDER_OPAQUE = ORDER_COUNT, /* an expression, a macro: known to the compiler only */
	ORDER_NONE,                 /* there is no such argument: the default is seq_cst */
};
extern const char *const order_names[ORDER_COUNT];

/* Tokens from `first` up to but not `last`. */
struct range {
	size_t first, last;
};

enum { CALL_ARGUMENTS = 6 };

struct call {
	const struct function *function;
	bool is_explicit; /* the form that names orders; legacy and fences: false */
	size_t name, open, close;
	struct range arguments[CALL_ARGUMENTS];
	unsigned count;
	/* where these stand, or CALL_ARGUMENTS for none */
	unsigned order, failure, scope;
};

struct rewriter {
	struct plant plant;
	struct source source;
	struct oclmm_text *text;
	size_t places;
	bool splitting; /* updates come apart, whatever the plant is */
	bool relaxing;  /* orders become relaxed, whatever the plant is */
};

/* The functions that can be named, `fetch_add` or of OpenCL 1.x `add`; NULL behind the last. */
const struct function *function_at(size_t index, const char **ret_name);
/* The same of fences and barriers, and of atomic_init, by their whole names. */
const struct function *fence_at(size_t index);
/* Recognises a call of one of OpenCL's functions at a token. */
bool call_at(const struct source *source, size_t index, struct call *ret_call);
/* The order of an argument, `ORDER_NONE` where the call has none. */
enum order call_order(const struct source *source, const struct call *call, unsigned argument);
/* One token, parentheses around it apart, spelt like this. */
bool range_is(const struct source *source, struct range range, const char *spelling);
bool range_mentions(const struct source *source, struct range range, const char *spelling);
bool range_same(const struct source *source, struct range a, struct range b);
/* Where the object of an atomic operation is, by its declaration within the same function. */
enum space {
	SPACE_GLOBAL, /* or unknown */
	SPACE_LOCAL,
	SPACE_GENERIC, /* a pointer that names no address space */
};
enum space object_space(const struct source *source, const struct call *call);
bool is_local(const struct source *source, const struct call *call);

/* The bits of that object: 32 or 64, or 0 where its declaration is not in the same function. */
unsigned object_bits(const struct source *source, const struct call *call);

/* `int`, `uint`, `long` or `ulong`, where it is declared so in the same function; else "". */
const char *object_integer(const struct source *source, const struct call *call);

/* `float`, `double` or `half`, where it is declared so in the same function; else NULL. */
const char *object_float(const struct source *source, const struct call *call);

/* Whether a plant acts in a call. */
enum taken {
	TAKEN_NOT,
	TAKEN,
	TAKEN_BY_WIDTH, /* where the object has the width: the compiler knows */
};
enum taken take_call(const struct plant *plant, const struct source *source,
                     const struct call *call);

/* Writes tokens and the gaps between them; calls among them are rewritten. */
void put_range(struct rewriter *rewriter, struct range range);
/* White space and comments between a token and the one before it. */
void put_gap(struct rewriter *rewriter, size_t token);
void put(struct rewriter *rewriter, const char *format, ...) OCLMM_PRINTF(2, 3);
/* The same as it stood, for what is not evaluated. */
void put_raw(struct rewriter *rewriter, struct range range);
/* Writes a call with other arguments: `replaced[i]`, where not NULL, stands for argument i. */
void put_call(struct rewriter *rewriter, const struct call *call,
              const char *const replaced[CALL_ARGUMENTS]);

/* By what the two halves of an update reach the object. */
enum access {
	ACCESS_ATOMIC,   /* relaxed or stronger atomic operations, ordered as the update was */
	ACCESS_VOLATILE, /* for the 1.x functions, whose objects are of no atomic type */
	ACCESS_PLAIN,
};
bool is_legacy(const struct call *call);
/* A statement of its own: also behind `if (…)`, `else` and `(void)`. */
bool is_unused(const struct source *source, const struct call *call);
/* `, memory_scope_device`, `, memory_order_seq_cst`: those of the call, or the default. */
void put_scope(struct rewriter *rewriter, const struct call *call);
void put_given_order(struct rewriter *rewriter, const struct call *call);
/* Declares oclmm_old, with what is there now. */
void put_old(struct rewriter *rewriter, const struct call *call);
/* Ends a loop: stores oclmm_new where there still is oclmm_old, or tries again. */
void put_exchange(struct rewriter *rewriter, const struct call *call);
/* Begins a statement expression: oclmm_p, and oclmm_m through which the object is reached without
 * atomic operations. */
void put_object(struct rewriter *rewriter, const struct call *call, enum access access);
/* The type of the object's value, once there is oclmm_p. */
void put_type(struct rewriter *rewriter, const struct call *call);
void put_argument(struct rewriter *rewriter, const struct call *call, unsigned argument);
/*
 * Code with parts of a call in it: `@0` is an argument in brackets, `$0` the same as it stood;
 * `@T` put_type(), `@O` put_old(), `@S` put_scope(), `@G` put_given_order().
 */
void put_code(struct rewriter *rewriter, const struct call *call, const char *format, ...)
	OCLMM_PRINTF(3, 4);

/*
 * The plants, by family. A call: writes what it becomes and returns true, or
 * writes nothing and returns false. A statement: the same; `*ret_next` is the
 * token behind what was consumed.
 */
bool rewrite_orders(struct rewriter *rewriter, const struct call *call);
bool rewrite_scope(struct rewriter *rewriter, const struct call *call);
bool rewrite_fence(struct rewriter *rewriter, const struct call *call);
bool rewrite_update(struct rewriter *rewriter, const struct call *call);
bool rewrite_local(struct rewriter *rewriter, const struct call *call);
bool rewrite_mistake(struct rewriter *rewriter, const struct call *call);
/* mistaken.c: whether a mistake in an operation is in a call. */
bool is_mistaken(const struct rewriter *rewriter, const struct call *call);
/* The operator that takes the place of an update's own, or 0. */
char mistaken_operator(enum plant_bug bug);
bool rewrite_some(struct rewriter *rewriter, const struct call *call);
bool rewrite_init(struct rewriter *rewriter, const struct call *call);
bool rewrite_float_bits(struct rewriter *rewriter, const struct call *call);
bool rewrite_neighbour(struct rewriter *rewriter, const struct call *call);
bool rewrite_element(struct rewriter *rewriter, const struct call *call);
bool rewrite_plain(struct rewriter *rewriter, const struct call *call);
bool rewrite_torn(struct rewriter *rewriter, const struct call *call);
bool rewrite_pair(struct rewriter *rewriter, size_t first, size_t *ret_next);
/* One token that begins no call. */
bool rewrite_token(struct rewriter *rewriter, size_t token);
/* ids.c */
bool swap_ids(struct rewriter *rewriter, size_t token);
/* The parenthesis that a token stands in, or 0, and the commas between them. */
size_t find_open(const struct source *source, size_t token, unsigned *ret_commas);
/* Flags and wait lists of enqueue_kernel. */
bool start_at_once(struct rewriter *rewriter, size_t token);
bool drop_events(struct rewriter *rewriter, size_t token);
/* The name of a collective function in a call: left out, what it is passed stays. */
bool is_collective(const struct source *source, size_t token);
bool rewrite_word(struct rewriter *rewriter, size_t first, size_t *ret_next);
bool rewrite_reuse(struct rewriter *rewriter, size_t first, size_t *ret_next);
bool rewrite_known(struct rewriter *rewriter, size_t first, size_t *ret_next);
bool rewrite_step(struct rewriter *rewriter, size_t first, size_t *ret_next);

#endif
