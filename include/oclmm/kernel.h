// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Kernels as they are: what the memory model lets a whole kernel do, read from the module of SPIR-V
 * that a compiler made of it without optimising.
 */
#ifndef OCLMM_KERNEL_H
#define OCLMM_KERNEL_H

#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { OCLMM_KERNEL_MAX_ARGUMENTS = 64, OCLMM_KERNEL_MAX_ASKS = 16 };

/** How a kernel is launched, and what is asked of it. */
struct oclmm_kernel_setup {
	const char *kernel;           /**< its name; NULL: the only one there is */
	unsigned global[3], local[3]; /**< sizes; 0: 1, and for `local` the global size */
	unsigned offset[3];
	unsigned sub_group; /**< work-items of a sub-group; 0: those of the group */
	const char *arguments[OCLMM_KERNEL_MAX_ARGUMENTS]; /**< `x=0,0` */
	unsigned argument_count;
	const char *asks[OCLMM_KERNEL_MAX_ASKS]; /**< `x[0] == 3` */
	unsigned ask_count;
	/** Scope of functions of OpenCL 1.x towards other work-groups: DEVICE, or that which they
	 * have by the text, WORK_GROUP; NONE: not given. */
	enum oclmm_scope legacy_scope;
	unsigned unroll; /**< turns of a loop; 0: as many as it takes */
	double seconds;  /**< processor time; 0: without a limit */
	size_t memory;   /**< bytes; 0: without a limit */
	bool explain;    /**< of what is undefined, say how it comes about, and what mends it */
	/** The text, where members of structures have their names; NULL: they are numbered. */
	const char *source;
	/** NULL, or what is called now and then: not 0 ends the search as a time limit does. */
	int (*ended)(const void *data);
	const void *data; /**< for it */
};

/**
 * Reads what the comment at the head of a file says: of lines with the word `oclmm:` what follows
 * it, options as on the command line. \param options of clang, added to; \return 0; -EINVAL
 */
int oclmm_kernel_head(struct oclmm_arena *arena, const char *path, const char *text,
                      struct oclmm_kernel_setup *setup, struct oclmm_text *options,
                      struct oclmm_error *error);
/** One of these options, `--kernel f` say. \return 1; 0 where there is no such option; -EINVAL */
int oclmm_kernel_option(struct oclmm_kernel_setup *setup, const char *name, const char *value,
                        struct oclmm_error *error);

/** What a compiler reads in place of a file: with the functions of OpenCL 1.x by names of ours,
 * since SPIR-V does not tell them from others. */
void oclmm_kernel_source(struct oclmm_text *source, const char *path, const char *text);
/** Says that the lines that follow are those of a file. */
void oclmm_kernel_name_lines(struct oclmm_text *source, const char *path);

enum oclmm_kernel_verdict {
	OCLMM_KERNEL_SOUND,      /**< nothing undefined; the asked outcomes stand with each ask */
	OCLMM_KERNEL_UNDEFINED,  /**< a race, or other undefined behaviour */
	OCLMM_KERNEL_UNREAD,     /**< it does what is not understood */
	OCLMM_KERNEL_UNFINISHED, /**< a limit was reached before anything was found */
};

/** A line of the file, or of one that it includes. */
struct oclmm_kernel_line {
	const char *file;
	bool included;
	unsigned line, column;
};

/** A parameter, and what it is given. */
struct oclmm_kernel_parameter {
	const char *name;
	enum oclmm_kernel_parameter_kind {
		OCLMM_KERNEL_BUFFER, /**< in global or constant memory */
		OCLMM_KERNEL_SCALAR,
		OCLMM_KERNEL_LOCAL, /**< so many bytes of local memory */
	} kind;
	const void *bytes; /**< NULL: LOCAL */
	size_t size;
};

/** What a device has to be told to launch the kernel as it was checked. */
struct oclmm_kernel_launch {
	const struct oclmm_kernel_parameter *parameters;
	unsigned parameter_count;
	unsigned dimensions;
	size_t global[3], local[3], offset[3];
	unsigned sub_group; /**< work-items of a sub-group; 0: nothing depends on it */
	const char *kept;   /**< a variable at program scope, which outlives a launch; or NULL */
};

/** The values that the asks are about, where a launch ends. */
struct oclmm_kernel_state {
	const uint64_t *values;
};

/** An access, a fence or a meeting of a work-item, or of its group's asynchronous copy. */
struct oclmm_kernel_step {
	unsigned work_item, group; /**< numbers in the whole range */
	bool copies;               /**< the asynchronous copy of the group did it */
	struct oclmm_kernel_line line;
	const char *what;   /**< `read`, `write`, `update`, or what is passed: `barrier` … */
	const char *object; /**< `x[2]`; NULL where nothing is accessed */
	const char *read, *written; /**< values, or NULL */
	const char *order, *scope;  /**< as OpenCL C spells them; NULL of plain accesses */
	int from; /**< the step that wrote what it reads; -1: none of them, or it reads nothing */
};

/** Steps in an order in which they may be made. */
struct oclmm_kernel_execution {
	const struct oclmm_kernel_step *steps;
	unsigned count;
	unsigned before; /**< steps that came before and are left out */
};

struct oclmm_kernel_answer {
	struct oclmm_arena *arena;
	enum oclmm_kernel_verdict verdict;
	struct oclmm_kernel_line line, other; /**< where, and where the other side of a race is */
	const char *message;                  /**< what happens there, or which limit was reached */
	bool waits;                           /**< somebody may wait for ever */
	bool cut;                             /**< loops turned as often as `unroll` lets them */
	bool early;                           /**< reads might be earlier than is looked at */
	struct oclmm_kernel_line cut_line;
	unsigned turns;
	/** Of each ask, the word for it: `Never`, `Sometimes`, `Always`, `None within 2 turns …`.
	 */
	const char *observations[OCLMM_KERNEL_MAX_ASKS];
	/** Of each ask, how many final states it holds in, and in how many it does not. */
	unsigned holds[OCLMM_KERNEL_MAX_ASKS], fails[OCLMM_KERNEL_MAX_ASKS];
	/** What is undefined: how it comes about, and of a race its two sides, which may be among
	 * the steps. Of a wait: how it comes to it. */
	struct oclmm_kernel_execution execution;
	const struct oclmm_kernel_step *sides[2];
	/** Of each ask that holds in some state and in some not, how it ends in one where it does.
	 */
	struct oclmm_kernel_execution asked[OCLMM_KERNEL_MAX_ASKS];
	/** Who waits for ever: where, and for what. */
	const struct oclmm_kernel_step *waiting;
	unsigned waiting_count;
	/** With `explain`: changes that together mend a race, `k.cl:3: memory_order_…`. */
	const char **repairs;
	unsigned repair_count;
	uint64_t state_count, visited;
	const struct oclmm_kernel_state *states; /**< those that it may end in */
	unsigned value_count;                    /**< of a state */
	double seconds;
	char *text; /**< all of it, as people read it */
	const char *name;
	struct oclmm_kernel_launch launch;
};

/**
 * Answers for a kernel. \param path of its source, for messages \return 0; -EINVAL where the setup
 * does not fit the kernel, or the module is none; -EOPNOTSUPP where it is not understood
 */
int oclmm_kernel_check(const char *path, const void *module, size_t length,
                       const struct oclmm_kernel_setup *setup, struct oclmm_error *error,
                       struct oclmm_kernel_answer **ret_answer);
void oclmm_kernel_answer_destroy(struct oclmm_kernel_answer *answer);
/**
 * Adds a picture of the execution that is undefined, of that which waits, or else of the first that
 * ends as was asked, as an `<svg>` element that is a whole file by itself.
 * \return 0; -ENOENT where there is none
 */
int oclmm_kernel_svg(struct oclmm_text *text, const struct oclmm_kernel_answer *answer);
/** The same as text in Graphviz' language. */
int oclmm_kernel_dot(struct oclmm_text *text, const struct oclmm_kernel_answer *answer);
/** Of what the asks are about, something that no host sees: local memory, or a variable at program
 * scope. NULL: all of it is in buffers. */
const char *oclmm_kernel_unseen(const struct oclmm_kernel_answer *answer);
/** Where a value of a state stands behind a launch. */
struct oclmm_kernel_place {
	uint32_t parameter; /**< a buffer; UINT32_MAX: no host sees it */
	size_t offset;      /**< in it, in bytes */
	size_t size;        /**< bytes, at most 8; the first ones of the value, the others are 0 */
};
/** \param value below `value_count` */
struct oclmm_kernel_place oclmm_kernel_place(const struct oclmm_kernel_answer *answer,
                                             unsigned value);
/** Whether an ask holds in a state. */
bool oclmm_kernel_holds(const struct oclmm_kernel_answer *answer, unsigned ask,
                        const uint64_t *values);
/** Of a state, the values of the observables of oclmm_kernel_program(). */
void oclmm_kernel_observed(const struct oclmm_kernel_answer *answer, const uint64_t *values,
                           int64_t *ret_values);
/**
 * The launch as a test: what the asks are about as its observables, pointers as its objects, and
 * work-items as its threads, which have no text. Its condition is that of oclmm_kernel_condition()
 * without further ends.
 * \return in the answer's arena
 */
struct oclmm_program *oclmm_kernel_program(const struct oclmm_kernel_answer *answer);
/**
 * That some ask holds, as a condition of that program: told apart among the states that the launch
 * may end in, and among further ends, by observable. Of any other end it is false.
 * \return in the answer's arena
 */
struct oclmm_condition *oclmm_kernel_condition(const struct oclmm_kernel_answer *answer,
                                               const struct oclmm_program *program,
                                               const int64_t *const *ends, size_t end_count);
/** A launch for who reads the code that a compiler made of the kernel. Memory lies in blocks: one
 * for each parameter that is a pointer, and one for each variable of the kernel's own. */
struct oclmm_kernel_layout {
	/** As oclmm_kernel_program(), but its objects are numbers, each by itself. */
	struct oclmm_program *program;
	const struct oclmm_kernel_number {
		uint32_t block, offset;
	} * numbers;                /**< by object of the program: where it lies */
	const uint32_t *parameters; /**< by parameter: its block; scalars: UINT32_MAX */
	const struct oclmm_kernel_variable {
		const char *name; /**< as compilers call it: `f.s`, or `v` of program scope */
		uint32_t block;
	} * variables;
	uint32_t variable_count;
};
/**
 * \return in the answer's arena; NULL where it cannot be said so, with `ret_why`: a parameter by
 * value that is no number, ends that no buffer holds, more work-items than a program has threads
 */
const struct oclmm_kernel_layout *oclmm_kernel_layout(const struct oclmm_kernel_answer *answer,
                                                      const char **ret_why);
enum {
	OCLMM_KERNEL_FIRST_NUMBER = 24, /**< NumWorkgroups, the first built-in variable of SPIR-V */
	OCLMM_KERNEL_NUMBERS = 54,      /**< three for each */
};
/**
 * What a work-item finds in built-in variables: at 3 × (number of the variable in SPIR-V -
 * OCLMM_KERNEL_FIRST_NUMBER) + dimension.
 */
void oclmm_kernel_numbers(const struct oclmm_kernel_answer *answer, unsigned work_item,
                          uint32_t ret_numbers[OCLMM_KERNEL_NUMBERS]);
/** Adds a state: `x[0]=3; y=1;`. */
void oclmm_kernel_print_state(struct oclmm_text *text, const struct oclmm_kernel_answer *answer,
                              const uint64_t *values);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
