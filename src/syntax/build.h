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

#include "composite.h"
#include "tree.h"

/** A block that is open: the registers declared in it. */
struct build_block {
	uint64_t declared;
	struct build_block *outer;
};

/** The words before a name, understood. */
struct build_type {
	enum oclmm_type type;
	bool atomic, is_volatile, space_given;
	enum oclmm_space space;
	const struct syntax_token *type_at, *space_at, *svm_at, *volatile_at;
};

/** Of what kind the word is that a name stands for. */
enum build_word { BUILD_WORD_ORDER, BUILD_WORD_SCOPE, BUILD_WORD_FLAGS };

/** What a name stands for that is neither a register nor a parameter of the thread. */
struct build_name {
	enum build_name_kind {
		BUILD_COUNTER,  /**< the variable of a `for`: a constant in each round */
		BUILD_REGISTER, /**< a variable or parameter of a function */
		BUILD_OBJECT,   /**< a pointer that a function was given, or that was declared */
		BUILD_ARRAY,    /**< private: a register for each element */
		BUILD_TABLE,    /**< `constant`: known values */
		BUILD_WORD,     /**< a memory order, a scope, flags */
	} kind;
	const struct syntax_token *name;
	struct build_type type;
	int64_t value;               /**< COUNTER, WORD */
	enum build_word word;        /**< WORD */
	uint32_t reg;                /**< REGISTER */
	struct oclmm_place place;    /**< OBJECT */
	struct build_name *pointers; /**< OBJECT that is an array of pointers: `count` of them */
	bool is_array;               /**< ARRAY, TABLE: it has an index */
	bool is_const;               /**< ARRAY: its elements are set by its declaration alone */
	uint32_t count;              /**< ARRAY, TABLE: elements */
	uint32_t *regs;              /**< ARRAY */
	int64_t *values;             /**< TABLE */
	const struct build_name *outer;
};

/** A function that is being put in place of its call. */
struct build_call {
	const struct tree_function *function;
	uint32_t result; /**< the register that takes its value */
	const struct build_call *outer;
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

/** Which work-item of a shared text a thread is. */
struct build_item {
	uint32_t number; /**< among all, group by group */
	uint32_t group_number;
	uint32_t group[3], local[3];
};

struct builder {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	const struct tree_file *tree;
	struct oclmm_program *program;
	bool dartagnan, commands;                  /**< a thread is placed as a command: all are */
	uint32_t unroll;                           /**< of the `unroll` line, 0 without one */
	const struct construct *const *constructs; /**< that have functions; NULL ends them */
	struct build_location *locations;          /**< parallel to program->locations */
	struct oclmm_thread *thread;               /**< the one whose body is built */
	struct build_block *block;                 /**< the innermost one that is open */
	const struct build_name *names;            /**< that are known here, the innermost first */
	const struct build_call *call;             /**< the innermost function at work, or NULL */
	const struct build_leave *leave;           /**< the innermost that is at work */
	struct build_local *locals;                /**< of the thread */
	const struct build_name *tables;           /**< known everywhere, unless hidden */
	uint64_t constants;                        /**< registers of the thread that are `const` */
	uint64_t closed;                           /**< those whose block has ended */
	struct build_full *full;                   /**< of the statement; NULL: no call here */
	uint32_t rounds;                           /**< of the thread's loops that were unrolled */
	uint32_t inlined;                          /**< calls of functions in the thread */
	struct oclmm_shared_text *shared;          /**< that is read, or NULL */
	const struct composite_words *composites;  /**< its structures and vectors */
	const struct build_item *item;             /**< of the thread, or NULL */
	struct build_child_event *child_events;    /**< of the thread */
	/** Where the events of the thread are declared. */
	const struct syntax_token *events[OCLMM_EVENTS_MOST];
	uint32_t enqueued; /**< threads that are children, 1u << index */
};

/** What one construct of OpenCL C gives to the others; NULL where it has nothing. */
struct construct {
	/** The type of what it declares, unless that is a number; NULL: none. */
	const char *type;
	/** Reads a part of the tree. */
	int (*declare)(struct builder *builder);
	/** Holds the program to a rule, once all bodies are there. */
	int (*check)(struct builder *builder);
	/** Whether it has this function; and the names of all, of which there are so many. */
	bool (*has)(const struct builder *builder, const char *name);
	size_t (*names)(struct oclmm_arena *arena, const char **names);
	/** A call within an expression, a member of what it gives, and a statement: such a call, or
	 * what declares or sets a variable of its type. */
	struct oclmm_expression *(*value)(struct builder *builder,
	                                  const struct tree_expression *call);
	struct oclmm_expression *(*member)(struct builder *builder,
	                                   const struct tree_expression *tree);
	int (*statement)(struct builder *builder, const struct tree_statement *tree,
	                 struct oclmm_statement **ret_first);
};
extern const struct construct oclmm_shared, oclmm_threads, oclmm_locations, oclmm_init_registers,
	oclmm_tables, oclmm_functions, oclmm_bodies, oclmm_atomics, oclmm_synchronisation,
	oclmm_copies, oclmm_enqueued, oclmm_images, oclmm_commands, oclmm_pipes, oclmm_floats,
	oclmm_final;

/* ---- refusals ---- */

#define REFUSE(builder, token, note, ...)                                                          \
	oclmm_refuse((builder)->source, &(token)->written, (note), __VA_ARGS__)
/** Refuses a word that is none of `words`, with text before and after it, and says which of them
 * may have been meant. */
int oclmm_refuse_unknown(const struct builder *builder, const struct syntax_token *at,
                         const char *before, const char *after, const char *const *words,
                         size_t count);
/* Refuse what is not in the grammar shared with Dartagnan, if that is asked for: a word, a name
 * that is a keyword there. */
int oclmm_check_shared(const struct builder *builder, const struct syntax_token *at);
int oclmm_check_name(const struct builder *builder, const struct syntax_token *at);

#endif
