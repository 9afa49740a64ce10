// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * From tree to program: names, types, places, and every rule that a legal
 * OpenCL C program of this shape has to keep. Functions that return int give
 * 0 or -EINVAL with the source's error filled; those that return a pointer
 * give NULL then.
 */
#ifndef OCLMM_SYNTAX_BUILD_H
#define OCLMM_SYNTAX_BUILD_H

#include "tree.h"

/** What is known of a location besides what the program keeps. */
struct build_location {
	const struct syntax_token *name;
	const struct syntax_token *type_at;    /**< NULL: no type written yet */
	const struct syntax_token *space_at;   /**< NULL: no parameter with an address space yet */
	const struct syntax_token *generic_at; /**< the first one without, or NULL */
	const struct syntax_token *svm_at;
	const struct tree_entry *entry; /**< NULL: declared by a parameter only */
};

/** A block that is open: the registers declared in it. */
struct build_block {
	uint64_t declared;
	struct build_block *outer;
};

/** A `clk_event_t` of the thread. */
struct build_child_event {
	const char *name;
	uint32_t child; /**< 1 + the thread that gives it; 0: none before */
	struct build_child_event *next;
};

/** The words before a name, understood. */
struct build_type {
	enum oclmm_type type;
	bool atomic, is_volatile, space_given;
	enum oclmm_space space;
	const struct syntax_token *type_at, *space_at, *svm_at, *volatile_at;
};

/** What a name stands for that is neither a register nor a parameter of the thread. */
struct build_name {
	enum build_name_kind {
		BUILD_COUNTER,  /**< the variable of a `for`: a constant in each round */
		BUILD_REGISTER, /**< a variable or parameter of a function */
		BUILD_OBJECT,   /**< a pointer that a function was given */
		BUILD_ARRAY,    /**< private: a register for each element */
		BUILD_TABLE,    /**< `constant`: known values */
	} kind;
	const struct syntax_token *name;
	struct build_type type;
	int64_t value;            /**< COUNTER */
	uint32_t reg;             /**< REGISTER */
	struct oclmm_place place; /**< OBJECT */
	bool is_array;            /**< ARRAY, TABLE: it has an index */
	bool is_const;            /**< ARRAY: its elements are set by its declaration alone */
	uint32_t count;           /**< ARRAY, TABLE: elements */
	uint32_t *regs;           /**< ARRAY */
	int64_t *values;          /**< TABLE */
	const struct build_name *outer;
};

/** A register of the thread that stands for a variable of a function or an element of an array. */
struct build_local {
	const struct syntax_token *at; /**< its declaration */
	uint32_t element;              /**< of an array, else 0 */
	uint32_t reg;
	struct build_local *next;
};

/** A function that is being put in place of its call. */
struct build_call {
	const struct tree_function *function;
	uint32_t result; /**< the register that takes its value */
	const struct build_call *outer;
};

/** A loop, or the body of a function or thread, that may be left before its end. */
struct build_leave {
	bool loop;
	bool used;    /**< something leaves it */
	uint32_t reg; /**< that is 1 once it was left */
	const struct build_leave *outer;
};

/** The registers that expressions read, and those that a compare-exchange in them may set. */
struct build_used {
	uint64_t read, written;
};

/** The expressions of one statement: what has to be done before it, how many calls that were, and
 * what their arguments used. */
struct build_full {
	struct oclmm_statement *first, **last;
	unsigned calls;
	struct build_used used;
};

struct builder {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	const struct tree_file *tree;
	struct oclmm_program *program;
	bool dartagnan;
	uint32_t unroll;                  /**< of the `unroll` line, 0 without one */
	struct build_location *locations; /**< parallel to program->locations */
	struct oclmm_thread *thread;      /**< the one whose body is built */
	struct build_block *block;        /**< the innermost one that is open */
	const struct build_name *names;   /**< that are known here, the innermost first */
	const struct build_call *call;    /**< the innermost function at work, or NULL */
	const struct build_leave *leave;  /**< the innermost that is at work */
	struct build_local *locals;       /**< of the thread */
	const struct build_name *tables;  /**< known everywhere, unless another name hides it */
	uint64_t constants;               /**< registers of the thread that are `const` */
	uint64_t closed;                  /**< registers of the thread whose block has ended */
	struct build_full *full; /**< of the statement at work; NULL: no call may stand here */
	uint32_t rounds;         /**< of the loops of the thread that were unrolled */
	struct build_child_event *child_events; /**< of the thread */
	uint32_t enqueued; /**< the threads that some `enqueue_kernel` starts, 1u << index */
};

/**
 * Builds a program in `arena`.
 * \param unroll bound of the loops, 0 when the file gives none.
 */
int syntax_build(const struct syntax_source *source, struct oclmm_arena *arena,
                 const struct tree_file *tree, bool dartagnan, uint32_t unroll,
                 struct oclmm_program **ret_program);

/* ---- refusals ---- */

#define REFUSE(builder, token, note, ...)                                                          \
	syntax_refuse((builder)->source, &(token)->written, (note), __VA_ARGS__)
/** Refuses a word that is none of `words`, with text before and after it, and says which of them
 * may have been meant. */
int build_unknown(const struct builder *builder, const struct syntax_token *at, const char *before,
                  const char *after, const char *const *words, size_t count);
/** Refuses the name of a function that is not part of the format. */
int build_unknown_function(const struct builder *builder, const struct syntax_token *at);
/** Refuses a word that is not in the grammar shared with Dartagnan, if that is asked for. */
int build_extension(const struct builder *builder, const struct syntax_token *at);
/*
 * The rest of what that grammar lacks. All of these allow everything when it
 * is not asked for.
 */
/** A name that is a keyword there. */
int build_check_name(const struct builder *builder, const struct syntax_token *at);
/** A barrier without a label, or with one that is no `B` and a number; `label` may be NULL. */
int build_check_label(const struct builder *builder, const struct syntax_token *barrier,
                      const struct syntax_token *label);
/** A place that is not `wg`, a comma, and `dev`. */
int build_check_place(const struct builder *builder, const struct tree_placement *tree);
/** A number with a suffix, with `0X`, or hexadecimal behind a minus. */
int build_check_number(const struct builder *builder, const struct syntax_token *at, bool negative);
/* The last two are only to be called when it is asked for. */
/** A `{` in a comment or question before the init block. */
int build_check_preamble(const struct syntax_source *source, const struct syntax_token *tokens,
                         size_t count);
/** A comment where it has none. */
int build_check_comments(const struct syntax_source *source, const struct syntax_tokens *body);

/* ---- types and constants ---- */

int build_type(const struct builder *builder, const struct tree_specifier *specifiers,
               struct build_type *ret_type);
/** The same for an object in memory, which cannot have each of them. */
int build_object_type(const struct builder *builder, const struct tree_specifier *specifiers,
                      struct build_type *ret_type);
bool build_is_event(const char *word);
/** The value of a number word and its type in C. */
int build_number(const struct builder *builder, const struct syntax_token *at, bool negative,
                 enum oclmm_type *ret_type, int64_t *ret_value);
/** A number that has to be a value of `type`. */
int build_constant(const struct builder *builder, const struct tree_constant *constant,
                   enum oclmm_type type, int64_t *ret_value);
/** A small count: an array length, a group number. */
int build_count(const struct builder *builder, const struct syntax_token *at, uint32_t most,
                uint32_t *ret_count);

/* ---- threads and locations ---- */

int build_threads(struct builder *builder);
int build_placements(struct builder *builder);
/** Whether some thread is placed as a command; then all are. */
bool build_has_commands(const struct builder *builder);
int build_commands(struct builder *builder);
int build_locations(struct builder *builder);
/** Hosts see only shared virtual memory. */
int build_check_hosts(struct builder *builder);
/**
 * Each work-group has its own local objects, each device its own variables at
 * program scope: only one may use an object, and only its threads keep the parameter.
 */
int build_settle_instances(struct builder *builder);
/** Reads `P1` or `1`. \return false when the word is neither. */
bool build_thread_number(const char *text, uint32_t *ret_number);
/** The thread that a word names, or NULL after refusing it. */
struct oclmm_thread *build_find_thread(const struct builder *builder,
                                       const struct syntax_token *at);
int build_registers_of_init(struct builder *builder);

/* ---- bodies ---- */

int build_bodies(struct builder *builder);
struct oclmm_expression *build_expression(struct builder *builder,
                                          const struct tree_expression *tree);
/** Like build_expression(), for a statement: functions without a value are allowed. */
struct oclmm_expression *build_effect(struct builder *builder, const struct tree_expression *tree);
/**
 * A call of an atomic function; `*ret_expression` is NULL after a refusal.
 * \return false when the name is not one of an atomic function.
 */
bool build_atomic(struct builder *builder, const struct tree_expression *call,
                  struct oclmm_expression **ret_expression);
/** A fence or barrier; `*ret_statement` is NULL when the call is neither. */
int build_synchronisation(struct builder *builder, const struct tree_expression *call,
                          const struct syntax_token *label, struct oclmm_statement **ret_statement);
bool build_is_synchronisation(const char *name);
/** Whether it calls a collective function. */
bool build_is_collective(const struct tree_expression *tree);
/** The names of all functions that the format has, or of these, into `names`, which has room for
 * BUILD_FUNCTION_NAMES. \return their number */
size_t build_function_names(const struct builder *builder, const char **names);
size_t build_atomic_names(struct oclmm_arena *arena, const char **names);
size_t build_synchronisation_names(const char **names);
enum { BUILD_FUNCTION_NAMES = 128 };
int build_order(const struct builder *builder, const struct tree_expression *tree,
                enum oclmm_order *ret_order);
int build_scope(const struct builder *builder, const struct tree_expression *tree,
                enum oclmm_scope *ret_scope);
/** An expression that designates an object by pointer: `x`, `&a[1]`. */
int build_pointer(struct builder *builder, const struct tree_expression *tree,
                  struct oclmm_place *ret_place);
/** An lvalue in memory: `*x`, `a[1]`. */
int build_object(struct builder *builder, const struct tree_expression *tree,
                 struct oclmm_place *ret_place);
/** What tells a word from all others of the variant; not 0. */
static inline uint32_t build_written(const struct builder *builder, const struct syntax_token *at)
{
	return (uint32_t)(builder->tree->end - at);
}
/** What a private variable may be: a plain integer. */
int build_register_type(const struct builder *builder, const struct tree_specifier *specifiers,
                        enum oclmm_type *ret_type);
/** The statements of a body, with or without braces, in a block of their own. */
int build_body(struct builder *builder, const struct tree_statement *body,
               struct oclmm_statement **ret_first);
/** `while` and `do`. */
int build_loop(struct builder *builder, const struct tree_statement *tree,
               struct oclmm_statement **ret_first);
/** Unrolls a loop whose rounds only constants bound. */
int build_for(struct builder *builder, const struct tree_statement *tree,
              struct oclmm_statement **ret_first);
/** Counts a round that is written out, of which a thread has so many. */
int build_count_round(struct builder *builder, const struct syntax_token *at);
/** What a name stands for here, or NULL: see the thread's registers and parameters. */
const struct build_name *build_find_name(const struct builder *builder, const char *name);
/** The counter of this name, or NULL. */
const struct build_name *build_find_counter(const struct builder *builder, const char *name);
/** Index of the register that a name stands for here, or -1. */
int build_register(const struct builder *builder, const char *name);
/** Refuses a name that is none of a register here. */
int build_no_register(const struct builder *builder, const struct syntax_token *at);
/** Declares a register that only the thread's functions know, in the block at work. */
int build_declare_local(struct builder *builder, const struct syntax_token *name,
                        enum oclmm_type type, uint32_t *ret_register);
/** The register of an element, whose names the thread's own cannot be. */
int build_add_local(struct builder *builder, const struct syntax_token *at, const char *name,
                    uint32_t element, enum oclmm_type type, uint32_t *ret_register);
/** The name of a variable in the registers of the thread: `v`, or `f_v` in a function. */
const char *build_local_name(const struct builder *builder, const struct syntax_token *at);
/** `int t[3] = {1, 2};` \return as of a statement. */
int build_array(struct builder *builder, const struct tree_statement *tree,
                struct oclmm_statement **ret_first);
/** Its number of elements: the length that is written, or the number of values. */
int build_elements(const struct builder *builder, const struct syntax_token *name,
                   const struct syntax_token *length, uint32_t values, uint32_t *ret_count);
uint32_t build_count_values(const struct tree_constant *values);
int build_tables(struct builder *builder);
/** A `const` whose value is known: no register, but the value wherever its name stands. */
int build_const(struct builder *builder, const struct syntax_token *at, enum oclmm_type type,
                int64_t value);
/** What `left` of an expression `left[index]` is, or `left` itself: an array of registers or a
 * table; NULL: neither. */
const struct build_name *build_find_array(const struct builder *builder,
                                          const struct tree_expression *left);
/** The value of an element, or of a constant that is no array. */
struct oclmm_expression *build_array_value(struct builder *builder,
                                           const struct tree_expression *tree,
                                           const struct build_name *array);
/** The register that `left[index]` designates and that is to be written. */
int build_array_target(struct builder *builder, const struct tree_expression *tree,
                       const struct build_name *array, uint32_t *ret_register);
/** The list without the words `const`; `*ret_const` is one of them, or NULL. */
const struct tree_specifier *build_without_const(const struct builder *builder,
                                                 const struct tree_specifier *specifiers,
                                                 const struct syntax_token **ret_const);
/** Expressions beside each other that C evaluates in no order. */
bool build_has_access(const struct oclmm_expression *expression);
/** Whether a register of the thread is one of those. */
bool build_is_local(const struct builder *builder, uint32_t reg);
int build_add_register(struct builder *builder, struct oclmm_thread *thread,
                       const struct syntax_token *name, enum oclmm_type type);
/** Names and heads of all functions. */
int build_check_functions(struct builder *builder);
/** The function of this name, or NULL. */
const struct tree_function *build_find_function(const struct builder *builder, const char *name);
/** `condition ? a : b` */
struct oclmm_expression *build_choice(struct builder *builder, const struct tree_expression *tree);
/** `(r0 = a)` */
struct oclmm_expression *build_assigned(struct builder *builder,
                                        const struct tree_expression *tree);
/** Puts a function in place of its call; `*ret_value` is NULL for one without a value. */
int build_inline(struct builder *builder, const struct tree_expression *call,
                 struct oclmm_expression **ret_value);
/**
 * Begins a loop, or the body of a function or thread that is called `at`; who calls it puts
 * `builder->leave` back at the end. `*ret_first` is what has to be done before.
 */
int build_enter_loop(struct builder *builder, const struct tree_statement *loop,
                     struct build_leave *leave, struct oclmm_statement **ret_first);
int build_enter_body(struct builder *builder, const struct syntax_token *at,
                     const struct tree_statement *body, struct build_leave *leave,
                     struct oclmm_statement **ret_first);
/** The condition of a loop that also ends when it is left. Both may be NULL, for none. */
struct oclmm_expression *build_goes_on(struct builder *builder, const struct syntax_token *at,
                                       const struct tree_statement *loop,
                                       struct oclmm_expression *condition);
/** What follows a statement that may leave something goes into an `if`, where `*last` then is. */
void build_leave_out(struct builder *builder, const struct tree_statement *before,
                     struct oclmm_statement ***last);
int build_break(struct builder *builder, const struct tree_statement *tree,
                struct oclmm_statement **ret_statement);
/** The value goes to the register that waits for it. */
int build_return(struct builder *builder, const struct tree_statement *tree,
                 struct oclmm_statement **ret_first);
/** What to write in place of expressions that have no order. */
extern const char build_assign_first[];
/** Adds the registers of an expression, which may be NULL. */
void build_add_used(struct build_used *used, const struct oclmm_expression *expression);
/** Adds what stands beside the others, unless one of the two may set what the other uses. */
int build_check_used(const struct builder *builder, const struct syntax_token *at,
                     struct build_used *all, const struct build_used *more);
/** The same for all that stands beside each other in the expressions of one statement, and in the
 * calls before it. */
int build_check_registers(const struct builder *builder, const struct syntax_token *at,
                          struct build_used calls, const struct oclmm_statement *statement);
/** A call and an access of memory in one expression have no order. */
int build_check_full(const struct builder *builder, const struct syntax_token *at,
                     const struct oclmm_statement *statement);
/** A statement of which nothing is known yet but its kind and where it stands. */
struct oclmm_statement *build_bare(struct builder *builder, enum oclmm_statement_kind kind,
                                   const struct syntax_token *at);
/** The statement `register = value`. */
struct oclmm_statement *build_assign(struct builder *builder, const struct syntax_token *at,
                                     uint32_t reg, struct oclmm_expression *value);
/** The expression of a value that is known. */
struct oclmm_expression *build_known(struct builder *builder, const struct syntax_token *at,
                                     enum oclmm_type type, int64_t value);
/** One of which nothing else is known yet. */
struct oclmm_expression *build_node(struct builder *builder, enum oclmm_expression_kind kind,
                                    enum oclmm_type type, const struct syntax_token *at);
struct oclmm_expression *build_register_value(struct builder *builder,
                                              const struct syntax_token *at, uint32_t reg);
/** A value that becomes one of `type`. */
int build_value(struct builder *builder, const struct tree_expression *tree, enum oclmm_type type,
                struct oclmm_expression **ret_value);
int build_block(struct builder *builder, const struct tree_statement *tree,
                struct oclmm_statement **ret_first);
/** Whether the value is known here; no register has one. */
bool build_constant_value(const struct oclmm_expression *expression, int64_t *ret_value);
/** Whether it is a function of asynchronous copies. */
bool build_is_copy(const char *name);
size_t build_copy_names(const char **names);
/** Whether the words before a name are `event_t`. */
bool build_declares_event(const struct tree_specifier *specifiers);
/** Whether a name is that of an event. */
bool build_names_event(const struct builder *builder, const char *name);
/** `event_t e = async_work_group_copy(l, x, 1, 0);` */
int build_copy(struct builder *builder, const struct tree_statement *tree,
               struct oclmm_statement **ret_statement);
/** `e = async_work_group_copy(l, x, 1, e);` */
int build_copy_more(struct builder *builder, const struct tree_statement *tree,
                    struct oclmm_statement **ret_statement);
/** `wait_group_events(1, &e);`, or a copy whose event goes nowhere. */
int build_wait(struct builder *builder, const struct tree_expression *call,
               struct oclmm_statement **ret_statement);
/** All work-items of a group make the same copies, and wait for each. */
int build_check_copies(const struct builder *builder);
/** Whether it is the function that enqueues a kernel. */
bool build_is_enqueue(const char *name);
size_t build_enqueue_names(const char **names);
/** Whether a type is that of the events of child kernels. */
bool build_is_child_event(const char *word);
/** `clk_event_t e;` */
int build_declare_child_event(struct builder *builder, const struct tree_statement *tree);
/** `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ P1(x); });` */
int build_enqueue(struct builder *builder, const struct tree_expression *call,
                  struct oclmm_statement **ret_statement);
/** Each child is enqueued, and does nothing that takes a work-group. */
int build_check_children(const struct builder *builder);
/** Whether it is a function of images. */
bool build_is_image(const char *name);
size_t build_image_names(const char **names);
/** Refuses a call of one of them where it cannot stand. */
int build_refuse_image(const struct builder *builder, const struct syntax_token *at);
/** `read_imagei(x, 0).x`. */
struct oclmm_expression *build_image_read(struct builder *builder,
                                          const struct tree_expression *tree);
/** `write_imagei(x, 0, (int4)(1, 0, 0, 0));` */
int build_image_write(struct builder *builder, const struct tree_expression *call,
                      struct oclmm_statement **ret_statement);
/** The index of an element, NULL for the first one. */
int build_index(struct builder *builder, const struct tree_expression *tree,
                const struct oclmm_location *location, struct oclmm_expression *base,
                struct oclmm_expression **ret_index);
/** The parameter of the thread for a location that it has. */
const struct oclmm_parameter *build_parameter(const struct builder *builder, uint32_t location);
/** Index of the parameter's location, or -1. */
int build_find_parameter(const struct builder *builder, const char *name);
/** The first word of an expression, where a caret belongs. */
const struct syntax_token *build_first_word(const struct tree_expression *tree);
/** Refuses a constant that is no value of the type it becomes, and conversions from and to
 * floating-point types; a constant gets such a type. */
int build_check_fits(const struct builder *builder, const struct syntax_token *at,
                     struct oclmm_expression *value, enum oclmm_type type);

/* ---- what holds of whole bodies ---- */

/** Every register is set before it is read, on every path. */
int build_check_flow(const struct builder *builder);
/** Gives every loop its bound. */
int build_bound_loops(struct builder *builder);
/** The bodies of commands make plain copies of what each can reach. */
int build_check_commands(struct builder *builder);
/** Sees to it that a pipe has one kernel at each end, and that no condition names it. */
int build_check_pipes(struct builder *builder);
/** Sees to it that floating-point objects hold numbers that are exact, and that no host uses them.
 */
int build_check_floats(struct builder *builder);
/** Refuses arithmetic of floating-point operands (`right` NULL: of one), and gives a constant among
 * them the other's type. */
int build_check_floating(struct builder *builder, const struct tree_expression *tree,
                         struct oclmm_expression *left, struct oclmm_expression *right);
/** The work-items of a group come to the same collective functions; finds their results. */
int build_check_collectives(struct builder *builder);
/** The work-items of a group can reach the same number of barriers. */
int build_check_barriers(const struct builder *builder);

/* ---- the final condition ---- */

int build_final(struct builder *builder);

#endif
