// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What a machine may do with the code that a compiler made of a test: readers of assembly text, and
 * models of machines in the cat language. A reader that does not know an instruction says so, and
 * guesses nothing. Knows neither compilers nor OpenCL's memory model.
 */
#ifndef OCLMM_MACHINE_H
#define OCLMM_MACHINE_H

#include "oclmm/cat.h"
#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A machine whose assembly can be read: its instructions and its memory model. */
struct oclmm_machine;

/** \return the machines in turn, NULL behind the last */
const struct oclmm_machine *oclmm_machine_at(size_t index);
/** \return the machine of this name, or NULL */
const struct oclmm_machine *oclmm_machine_find(const char *name);
/** `x86-64` */
const char *oclmm_machine_name(const struct oclmm_machine *machine);
/** Of the memory model: `x86-TSO`. */
const char *oclmm_machine_model_name(const struct oclmm_machine *machine);
/** The memory model in cat, with its sources. */
const char *oclmm_machine_model_text(const struct oclmm_machine *machine);

/** A text of assembly, cut into functions. It is read function by function, when one is judged. */
struct oclmm_assembly;

/** \param text is copied; of an assembler, or what objdump -d --no-show-raw-insn prints */
struct oclmm_assembly *oclmm_assembly_create(const struct oclmm_machine *machine, const char *text,
                                             size_t length);
void oclmm_assembly_destroy(struct oclmm_assembly *assembly);
/** \return the text of a function, line by line, or NULL where there is none of this name */
const char *oclmm_assembly_function(const struct oclmm_assembly *assembly, const char *name,
                                    size_t *ret_length);

enum {
	OCLMM_MACHINE_EVENTS = OCLMM_CAT_MAX_EVENTS,
	OCLMM_MACHINE_TEXT = 96,
	OCLMM_MACHINE_GAPS = 3, /**< places that are looked for at most */
};

enum oclmm_machine_event_kind {
	OCLMM_MACHINE_READ,
	OCLMM_MACHINE_WRITE,
	OCLMM_MACHINE_FENCE,
};

/** Something that an instruction does to memory. */
struct oclmm_machine_event {
	enum oclmm_machine_event_kind kind;
	int thread;        /**< index into program->threads; -1: an initial write */
	bool barrier;      /**< a mark that work-items meeting at a barrier leave for each other */
	uint32_t location; /**< accesses that are no barrier's */
	uint32_t element;
	int64_t value;
	/** The instruction, or empty; a read and a write may be of one. */
	char text[OCLMM_MACHINE_TEXT];
	uint32_t line;   /**< in the function's text, from 1; 0: of none */
	uint32_t other;  /**< 1 + the write of a read's read-modify-write, or 0 */
	uint32_t source; /**< reads: the write that is read from */
};

/** An execution of the machine code that ends in a state that was asked for. */
struct oclmm_machine_execution {
	const int64_t *values; /**< one per observable */
	unsigned count;
	struct oclmm_machine_event event[OCLMM_MACHINE_EVENTS];
	oclmm_cat_relation co; /**< coherence order of the writes, transitive */
	/**
	 * Places for a full fence, each behind an event of a thread and before the next, that
	 * together make the model refuse the execution; none where no fence does.
	 */
	struct {
		unsigned before, behind; /**< the events on both sides */
	} gap[OCLMM_MACHINE_GAPS];
	unsigned gap_count;
};

/** A parameter of a function: a pointer to an object of the program, or a number. */
struct oclmm_machine_parameter {
	bool is_number;
	uint32_t block; /**< no number: an object of the program, or as its places have it */
	uint64_t number;
	unsigned bytes; /**< of the number */
};

/** Where an object of the program lies: in a block of memory, behind so many bytes. */
struct oclmm_machine_place {
	uint32_t block, offset;
};

/** A name in the code that stands for the address of a block. */
struct oclmm_machine_symbol {
	const char *name;
	uint32_t block;
};

/**
 * A number of which an instruction that sets a register to it stands for one that a work-item asks
 * for: added to it is which one, below OCLMM_MACHINE_NUMBERS. Compilers for CPUs are given a
 * function oclmm_number() for the same.
 */
#define OCLMM_MACHINE_NUMBER 0x6f636c00
enum { OCLMM_MACHINE_NUMBERS = 64 };

struct oclmm_machine_options {
	struct oclmm_cat_model
		*model; /**< NULL: the machine's own; read with oclmm_machine_cat() */
	/** Chooses the final states that are looked for. */
	bool (*wanted)(void *data, const int64_t *values);
	void *data;
	bool first;        /**< the first one that is found suffices; no gaps are looked for */
	uint64_t limit;    /**< candidate executions, 0: none */
	double time_limit; /**< seconds of processor time; 0: none */
	/** NULL, or what is called now and then with `data`: 0 to go on, or the value with which
	 * the search ends, such as -EINTR. */
	int (*ended)(const void *data);
	/** Functions take a pointer behind their parameters to these words of a runtime; or none.
	 */
	const uint64_t *context;
	unsigned context_words;
	/** What all functions take, in place of pointers to the objects that the program's threads
	 * name; NULL: those. With them a function is a whole kernel: turns of a loop that change
	 * nothing, but wait, are looked at once. */
	const struct oclmm_machine_parameter *parameters;
	unsigned parameter_count;
	/** By object of the program, where it lies; NULL: each is a block by itself, but that two
	 * of one size and less than eight bytes lie side by side, the first at a multiple of eight.
	 */
	const struct oclmm_machine_place *places;
	const struct oclmm_machine_symbol *symbols;
	unsigned symbol_count;
	/** By thread, the numbers that a work-item asks for; NULL: there are none. */
	uint32_t (*numbers)[OCLMM_MACHINE_NUMBERS];
	/** Also executions that every machine refuses: updates that are not one step, threads that
	 * see their own accesses to one object in another order, values that come from nowhere. */
	bool wide;
};

/** What was found. Free with oclmm_machine_answer_destroy(). */
struct oclmm_machine_answer {
	struct oclmm_arena *arena;
	struct oclmm_machine_execution *executions; /**< one for each state that was asked for */
	size_t count;
	bool cut;  /**< some path goes on beyond the bound of a loop of the machine code */
	bool asks; /**< the code of some thread asks for numbers of its work-item */
	uint64_t candidates; /**< executions looked at */
};

/** Reads a model in cat for a machine, with the names that its readers give events.
 * \return as oclmm_cat_parse() */
int oclmm_machine_cat(const struct oclmm_machine *machine, const char *path, const char *text,
                      size_t length, struct oclmm_error *error, struct oclmm_cat_model **ret_model);
/**
 * Looks for executions of the code of a program's threads that end in states that are asked for.
 * \param functions by thread: its function's name
 * \return 0; -ENOTSUP where an instruction cannot be read: `error` names it and the line of its
 * function; -ENXIO for two devices where the model knows one; -E2BIG or
 * -ETIME past a limit; or what `ended` returned
 */
int oclmm_machine_judge(const struct oclmm_assembly *assembly, const struct oclmm_program *program,
                        const char *const *functions, const struct oclmm_machine_options *options,
                        struct oclmm_error *error, struct oclmm_machine_answer **ret_answer);
void oclmm_machine_answer_destroy(struct oclmm_machine_answer *answer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
