// SPDX-License-Identifier: Apache-2.0
/*
 * How the generator's files share one text under construction.
 *
 * Names in the generated text carry a prefix, so that a litmus test may call
 * its objects what it likes: location `x` is `at_x`, register `r0` of P1 is
 * `P1_r0`, the harness's own functions are `oclmm_…`.
 */
#ifndef OCLMM_CODEGEN_INTERNAL_H
#define OCLMM_CODEGEN_INTERNAL_H

#include "oclmm/codegen.h"

struct oclmm_writer {
	struct oclmm_text *text;
	const struct oclmm_program *program;
	const struct oclmm_kernel_plan *plan;
	const struct oclmm_outcome_space *space;
	struct oclmm_codegen_options options;
	const char *suffix; /* of the names of one of several programs in a text */
	bool together;      /* the kernels of all parts are in the text */
	uint32_t thread;    /* the thread whose code is written */
	bool for_alike;     /* a call for whichever of several roles a work-item plays */
	unsigned depth;     /* tabs at the start of a line */
	unsigned loops;     /* loops written so far, for distinct counters */
	uint32_t child;     /* 1 + the role of the child kernel that is written; 0: none */
};

/* plan.c */
/* Whether the test kernel that is written plays a role. */
bool oclmm_is_own(const struct oclmm_writer *writer, uint32_t role);

/* names.c */
/* The unsigned type of a width, which holds bit patterns. */
const char *oclmm_unsigned_word(unsigned bits);
void oclmm_write_location(const struct oclmm_writer *writer, uint32_t location);
/* The number of the instance's first element of an image. */
void oclmm_write_pixel(const struct oclmm_writer *writer, uint32_t location);
/* What holds the objects of all instances: a parameter of the kernel, or an array at program scope.
 */
void oclmm_write_slots(const struct oclmm_writer *writer, uint32_t location);
void oclmm_write_register(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg);
void oclmm_write_constant(struct oclmm_text *text, enum oclmm_type type, int64_t value);
/* Starts a line at the writer's depth; the caller ends it. */
void oclmm_line(const struct oclmm_writer *writer, const char *format, ...) OCLMM_PRINTF(2, 3);
/* A line that opens a block, the end of the block, and where another begins for it. */
void oclmm_open(struct oclmm_writer *writer, const char *format, ...) OCLMM_PRINTF(2, 3);
void oclmm_close(struct oclmm_writer *writer);
void oclmm_else(struct oclmm_writer *writer);
/* The thread's parameter for a location, or NULL. */
const struct oclmm_parameter *oclmm_find_parameter(const struct oclmm_thread *thread,
                                                   uint32_t location);

/* expression.c */
void oclmm_write_expression(const struct oclmm_writer *writer,
                            const struct oclmm_expression *expression);
/* Image and element: `at_x, pixel_x + 1`. */
void oclmm_write_element(const struct oclmm_writer *writer, const struct oclmm_place *place);
/* A plain object as an lvalue. */
void oclmm_write_object(const struct oclmm_writer *writer, const struct oclmm_place *place);

/* statement.c */
/* What all roles of a work-group do together: barriers, copies and waits for them. */
bool oclmm_is_meeting(const struct oclmm_statement *statement);
/* NULL: it comes to no more than `n`. */
const struct oclmm_statement *oclmm_nth_meeting(const struct oclmm_thread *thread, uint32_t n);
/* Writes statements up to the end of the list or the next of these, which is returned. */
const struct oclmm_statement *oclmm_write_statements(struct oclmm_writer *writer,
                                                     const struct oclmm_statement *first);
void oclmm_write_barrier(const struct oclmm_writer *writer, const struct oclmm_barrier *barrier);
bool oclmm_has_loop(const struct oclmm_statement *body);
bool oclmm_has_sub_group_barrier(const struct oclmm_thread *thread);

/* collective.c */
/* A role, and how many meetings it has come by. */
struct oclmm_caller {
	uint32_t role, segment;
};
/* The call of all roles of a group, and the registers that take what it gives. */
void oclmm_write_collective(struct oclmm_writer *writer, const struct oclmm_caller *callers,
                            uint32_t count);

/* thread.c */
/* Number of segments into which meetings at top level cut a body, at least 1. */
uint32_t oclmm_segments(const struct oclmm_thread *thread);
bool oclmm_has_state(const struct oclmm_program *program, const struct oclmm_thread *thread);
void oclmm_write_thread(struct oclmm_writer *writer, uint32_t thread);
/* The call that plays a segment for the instance `i_P…`. */
void oclmm_write_play(struct oclmm_writer *writer, uint32_t thread, uint32_t segment);

/* Whether a role of the kernel has a pointer without address space to an object of a region. */
bool oclmm_has_generic(const struct oclmm_writer *writer, enum oclmm_space space);
void oclmm_write_parameter(const struct oclmm_writer *writer,
                           const struct oclmm_parameter *parameter);

/* own.c */
/* `i_own` and `lane_own`: the instance and the lane of whatever role a work-item plays. */
void oclmm_write_own_instance(struct oclmm_writer *writer);
/* A segment of some roles, by the work-items whose own they are; barriers stand outside, for all.
 */
void oclmm_write_own(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                     uint32_t segment);

/* enqueue.c */
/* Whether a thread enqueues kernels. */
bool oclmm_enqueues(const struct oclmm_thread *thread);
/* Whether it waits for events only between the same two meetings as they are given. */
bool oclmm_events_in_segments(const struct oclmm_thread *thread);
/* What the functions of such a thread take besides its objects, behind `comma`. */
void oclmm_write_enqueue_parameters(const struct oclmm_writer *writer, const char *comma);
void oclmm_write_enqueue_arguments(const struct oclmm_writer *writer, const char *comma);
/* The functions of all child kernels. */
void oclmm_write_children(struct oclmm_writer *writer, const struct oclmm_plane *planes);
void oclmm_write_enqueue(struct oclmm_writer *writer, const struct oclmm_enqueue *enqueue);
/* Releases the events of the statements from `s` up to `end`. */
void oclmm_write_releases(struct oclmm_writer *writer, const struct oclmm_statement *s,
                          const struct oclmm_statement *end);

/* results.c */
void oclmm_write_results(struct oclmm_writer *writer, const struct oclmm_plane *planes);
/* After all roles of a round, what is left in local memory. */
void oclmm_write_local_results(struct oclmm_writer *writer, const struct oclmm_plane *planes);
/* At the end of the child kernel that is written. */
void oclmm_write_child_results(struct oclmm_writer *writer, const struct oclmm_plane *planes);

/* copy.c */
/* The event variables of a litmus work-group's copies, once each round. */
void oclmm_write_events(struct oclmm_writer *writer);
/* A copy of the work-group of `thread` for each lane's instance, or the wait for them. */
void oclmm_write_copy(struct oclmm_writer *writer, uint32_t thread,
                      const struct oclmm_statement *statement);

/* observation.c */
uint32_t oclmm_count_planes(const struct oclmm_program *program);
/* The first role that uses a local location; 0 when none does. */
uint32_t oclmm_local_owner(const struct oclmm_program *program, uint32_t location);

/* harness.c */
void oclmm_write_harness(struct oclmm_writer *writer);
/* The function that stresses the memory. */
void oclmm_write_stress(struct oclmm_writer *writer);

/* opening.c */
void oclmm_write_opening(struct oclmm_writer *writer);
/* The group of the instances that the place plays for a litmus work-group. */
void oclmm_write_group(struct oclmm_writer *writer, uint32_t work_group);

/* bucket.c */
/* The buckets that instances fall into and that are counted group by group. */
uint32_t oclmm_bucket_count(const struct oclmm_writer *writer);
/* Words in which a work-item counts for itself; 0 when there are too many buckets for it. */
uint32_t oclmm_packed_words(uint32_t buckets);
/* Whether each value of a domain is one more than that before it. */
bool oclmm_is_contiguous(const struct oclmm_outcome_domain *domain);
/* `bucket`, from the values `v0`, `v1` … */
void oclmm_write_bucket(struct oclmm_writer *writer);
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

/* count_table.c */
/* Words before the initial values of all elements of all objects that are not local. CHANGED: a
 * bit for each of the first 32 of these elements. */
enum { TABLE_OUTCOMES, TABLE_CHANGED, TABLE_INITIAL };
enum { OCLMM_CHANGED_BITS = 32, OCLMM_INITIAL_FACTOR = 0x01000193 /* FNV */ };
/* Words of a domain, behind them, before its values. */
enum { DOMAIN_COUNT, DOMAIN_STRIDE, DOMAIN_VALUES };

/* For how many values of each observable: one, the least, where in all of them each is one more
 * than that before it. */
uint32_t oclmm_room_for_values(const struct oclmm_outcome_space *space);

/* floating.c */
/* What stands around a value that is observed as an integer. */
const char *oclmm_observe_opening(enum oclmm_type type);
const char *oclmm_observe_closing(enum oclmm_type type);
/* What stands around an unsigned word of its width, for the value whose bits it has. */
const char *oclmm_from_word_opening(enum oclmm_type type);
const char *oclmm_from_word_closing(enum oclmm_type type);
/* The functions that those of a set of types call. */
void oclmm_write_whole_functions(struct oclmm_writer *writer, unsigned types);
/* What an atomic operation needs of cl_ext_float_atomics. */
void oclmm_note_floating(struct oclmm_features *features, const struct oclmm_location *location,
                         enum oclmm_operation op);

/* absence.c */
/* The value that a register begins with: one that no outcome has, where each execution assigns it
 * and it is observed. */
int64_t oclmm_register_begins(const struct oclmm_writer *writer, uint32_t thread, uint32_t reg);
/* After the roles of a round, whether local objects that each execution changes were; `missed` says
 * so, where there are any, and then the word in which a work-item's rounds are counted. */
#define OCLMM_PLAYED_MISSED "0x80000000u"
bool oclmm_has_local_looks(const struct oclmm_writer *writer);
void oclmm_write_local_looks(struct oclmm_writer *writer);
/* The part of the counting kernel that looks at what it is to set up. */
void oclmm_write_looks(struct oclmm_writer *writer);

/* changes.c */
/* Whether no execution leaves an element as it was set up, by what is known without running it: the
 * constants that are stored, added and so on. */
bool oclmm_is_changed(const struct oclmm_program *program, uint32_t location, uint32_t element);

/* direct.c */
void oclmm_write_direct_opening(struct oclmm_writer *writer);
/* At the end of a round, with the observed values in `v0`, `v1` …; and after the last one. */
void oclmm_write_direct(struct oclmm_writer *writer);
void oclmm_write_direct_sums(struct oclmm_writer *writer);

/* test_kernel.c, count_kernel.c */
/* What all test kernels of a text call. */
void oclmm_write_test_functions(struct oclmm_writer *writer);
void oclmm_write_test_kernel(struct oclmm_writer *writer);
/* The registers of a thread, with their initial values. */
void oclmm_write_state(struct oclmm_writer *writer, uint32_t thread);
void oclmm_write_count_kernel(struct oclmm_writer *writer);
/* The word in which an object of the location stands, and that in which an observable is counted.
 */
const char *oclmm_count_word(const struct oclmm_location *l);
const char *oclmm_count_word_observed(const struct oclmm_writer *writer, uint32_t number);
/* `slot0` …: where the objects of instance `i` stand; and one of their elements there. */
void oclmm_write_count_slots(struct oclmm_writer *writer);
void oclmm_write_count_element(struct oclmm_writer *writer, uint32_t location, uint32_t element);
/* The plane that an observable is stored in, or their number when the object itself is read. */
uint32_t oclmm_find_plane(const struct oclmm_writer *writer, const struct oclmm_plane *planes,
                          uint32_t observable);

/* count_quads.c */
/* Whether the counting kernel has a loop that takes four instances at a time … */
bool oclmm_has_quads(const struct oclmm_writer *writer);
void oclmm_write_quads_function(struct oclmm_writer *writer);
/* … `quads`: a launch's layout permits it … */
void oclmm_write_quads_condition(struct oclmm_writer *writer);
/* … and the loop. `shared`: the work-group has counters of its own. */
void oclmm_write_quads(struct oclmm_writer *writer, const struct oclmm_plane *planes,
                       uint32_t buckets, bool shared);

#endif
