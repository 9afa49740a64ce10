// SPDX-License-Identifier: Apache-2.0
/* How the generator's files share one text under construction. */
#ifndef OCLMM_CODEGEN_INTERNAL_H
#define OCLMM_CODEGEN_INTERNAL_H

#include "oclmm/codegen.h"

struct oclmm_writer {
	struct oclmm_text *text;
	const struct oclmm_program *program;  /* whose statements are written */
	const struct oclmm_program *original; /* that it was made of by a change, or itself */
	const struct oclmm_kernel_plan *plan;
	const struct oclmm_outcome_space *space;
	struct oclmm_codegen_options options;
	const char *suffix;            /* of the names of one of several programs in a text */
	bool together;                 /* the kernels of all parts are in the text */
	uint32_t thread;               /* the thread whose code is written */
	bool for_alike;                /* a call for whichever of several roles a work-item plays */
	unsigned depth;                /* tabs at the start of a line */
	unsigned loops;                /* loops written so far, for distinct counters */
	bool inlined;                  /* statements stand in a kernel, and their registers, too */
	bool host;                     /* C11, for a thread of the host */
	const struct oclmm_lone *lone; /* a kernel that stands alone; NULL: one of a run's */
	uint32_t child; /* 1 + the role of the child kernel that is written; 0: none */
	/* Loads are written by an address that is another one in each turn of this loop, for all
	 * that a compiler knows; NULL: as the program has them. */
	const char *turn;
	unsigned loop;     /* 1 + the number of the innermost loop; 0: none */
	uint32_t assigned; /* 1 + the register that is given what is written; 0: none */
};

/* Whether launches have many work-items that play few rounds each, as those of GPUs do: what a
 * work-item does or keeps by itself is a large part of them then. */
static inline bool oclmm_is_for_gpus(const struct oclmm_writer *writer)
{
	const struct oclmm_codegen_options *o = &writer->options;

	return o->quads || (o->direct && !o->sums);
}

/* What all roles of a work-group do together: barriers, copies and waits for them. */
static inline bool is_meeting(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY ||
	       s->kind == OCLMM_STATEMENT_WAIT;
}

static inline bool is_of_sub_group(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.sub_group;
}

/* ---- plan.c: what writers ask -------------------------------------------- */

/* The thread's parameter for a location, or NULL. */
const struct oclmm_parameter *oclmm_find_parameter(const struct oclmm_thread *thread,
                                                   uint32_t location);
/* Number of segments into which meetings at top level cut a body, at least 1. */
uint32_t oclmm_segments(const struct oclmm_thread *thread);
bool oclmm_has_loop(const struct oclmm_statement *body);
/* Whether a loop only loads, atomically, until it sees a value. */
bool oclmm_is_wait(const struct oclmm_loop *loop);
/* Whether the functions of a thread tell how its waits end. */
static inline bool tells_of_waits(const struct oclmm_writer *writer, uint32_t thread)
{
	return writer->options.waits && writer->plan->waits >> thread & 1;
}
/* The types, as 1u << enum oclmm_type, of expected values that stand in memory. */
unsigned oclmm_expected_types(const struct oclmm_program *program,
                              const struct oclmm_statement *body);
/* Whether the functions of a thread take a structure of registers; C has no empty ones. */
static inline bool has_state(const struct oclmm_program *program, const struct oclmm_thread *thread)
{
	return thread->register_count > 0 || oclmm_has_loop(thread->body) ||
	       oclmm_expected_types(program, thread->body) != 0;
}
/* Whether a thread assigns a register before anything else names it, and in each execution. Where a
 * loop is cut before it comes to that, the instance is counted as cut. */
bool oclmm_is_assigned(const struct oclmm_thread *thread, uint32_t reg);
/* Whether a thread enqueues kernels. */
bool oclmm_enqueues(const struct oclmm_thread *thread);
/* The buckets that instances fall into and that are counted group by group. */
uint32_t oclmm_bucket_count(const struct oclmm_writer *writer);
/* Words in which a work-item counts for itself; 0 when there are too many buckets for it. */
uint32_t oclmm_packed_words(uint32_t buckets);
/* Whether each value of a domain is one more than that before it. */
bool oclmm_is_contiguous(const struct oclmm_outcome_domain *domain);

/* changes.c: whether no execution leaves an element as it was set up, by what is known without
 * running it: the constants that are stored, added and so on. */
bool oclmm_is_changed(const struct oclmm_program *program, uint32_t location, uint32_t element);

/* ---- writer.c ------------------------------------------------------------ */

/* The function of a call of the kernel's own, one of OCLMM_OWN_. */
const char *oclmm_own_function(const struct oclmm_writer *writer, unsigned call);
/* The unsigned type of a width, which holds bit patterns. */
const char *oclmm_unsigned_word(unsigned bits);
/* The name of an object with a prefix: WRITE_PIXEL is the number of the instance's first element of
 * an image, WRITE_VARIABLE an array at program scope, where it is declared. */
#define WRITE_PIXEL    "pixel"
#define WRITE_VARIABLE "program"
void oclmm_write_object(const struct oclmm_writer *writer, const char *prefix, uint32_t location);
void oclmm_write_location(const struct oclmm_writer *writer, uint32_t location);
/* What holds the objects of all instances: a parameter of the kernel, or an array at program scope.
 */
void oclmm_write_slots(const struct oclmm_writer *writer, uint32_t location);
/* Whether a change lets odd work-groups have a copy of each variable at program scope. */
bool oclmm_copies_variables(const struct oclmm_writer *writer);
void oclmm_write_register(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg);
void oclmm_write_constant(struct oclmm_text *text, enum oclmm_type type, int64_t value);
/* The same for declaration and call: `P1`, or `P1_part0` … where barriers cut it. */
void oclmm_write_function_name(const struct oclmm_writer *writer, uint32_t thread,
                               uint32_t segment);
/* What stands around a value that is observed as an integer. */
const char *oclmm_observe_opening(enum oclmm_type type);
const char *oclmm_observe_closing(enum oclmm_type type);
/* A piece of a line. */
void oclmm_put(const struct oclmm_writer *writer, const char *format, ...) OCLMM_PRINTF(2, 3);
/* Starts a line at the writer's depth; the caller ends it. */
void oclmm_line(const struct oclmm_writer *writer, const char *format, ...) OCLMM_PRINTF(2, 3);
/* A line that opens a block, the end of the block, and where another begins for it. */
void oclmm_open(struct oclmm_writer *writer, const char *format, ...) OCLMM_PRINTF(2, 3);
void oclmm_close(struct oclmm_writer *writer);
void oclmm_else(struct oclmm_writer *writer);

/* ---- bucket.c ------------------------------------------------------------ */

/* Keeps the values of an instance; `counter` counts those kept. */
void oclmm_write_other(struct oclmm_writer *writer, const char *counter, const char *instance);
void oclmm_write_packed(struct oclmm_writer *writer, uint32_t buckets);
void oclmm_write_tally(struct oclmm_writer *writer, uint32_t buckets);
/* From the work-item's counters to the group's, `seen`, and from these to the launch's; `lane` of
 * `width` is the work-item's number in its group. */
void oclmm_write_seen(struct oclmm_writer *writer, uint32_t buckets, const char *lane,
                      const char *width);
void oclmm_write_unpacking(struct oclmm_writer *writer, uint32_t buckets);
void oclmm_write_sums(struct oclmm_writer *writer, uint32_t buckets, const char *lane,
                      const char *width);
void oclmm_write_add_function(struct oclmm_writer *writer, const char *suffix, const char *space);

/* ---- what the texts are made of ------------------------------------------ */

/* thread.c */
/* All functions of a thread; behind those of a child the head of the one that the kernel enqueues.
 */
void oclmm_write_thread(struct oclmm_writer *writer, uint32_t thread);
/* In a kernel that has a thread's statements itself: where registers begin, one of them, and the
 * statements up to the n-th meeting. */
void oclmm_write_inlined_state(struct oclmm_writer *writer, uint32_t thread);
void oclmm_write_inlined_register(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg);
void oclmm_write_inlined(struct oclmm_writer *writer, uint32_t thread, uint32_t segment);
/* The function that plays the thread as a child, up to its body. */
void oclmm_write_child_head(const struct oclmm_writer *writer);
/* Whether there are none. */
bool oclmm_is_segment_empty(const struct oclmm_thread *thread, uint32_t segment);
/* test_kernel.c, count_kernel.c */
/* In the word in which a work-item's rounds are counted: it found a local object unchanged that
 * each execution changes. */
#define OCLMM_PLAYED_MISSED "0x80000000u"
/* Whether a launch has a byte for each work-item in place of a word. The counting kernel reads
 * vectors of 16, and takes bit 7 for the one above. */
#define OCLMM_PLAYED_BYTES "p.rounds <= 32u && (p.places * p.width & 15u) == 0u"
/* Whether a text has the functions by which roles find their objects in steps. */
bool oclmm_has_steps(const struct oclmm_writer *writer);
/* Whether the kernels know launches with a byte for each work-item. */
bool oclmm_has_played_bytes(const struct oclmm_writer *writer);
void oclmm_write_test_kernel(struct oclmm_writer *writer);
void oclmm_write_count_kernel(struct oclmm_writer *writer);
/* The kernel of a part that stands alone, with its functions. */
void oclmm_write_lone_kernel(struct oclmm_writer *writer);

#endif
