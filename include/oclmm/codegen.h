// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * From a program to OpenCL C text. Pure: the same program gives the same text.
 */
#ifndef OCLMM_CODEGEN_H
#define OCLMM_CODEGEN_H

#include "oclmm/change.h"
#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What cl_ext_float_atomics adds, as its queries have it for global memory: CL_DEVICE_GLOBAL_FP_…;
 * of local memory shifted by OCLMM_FLOAT_LOCAL. */
enum {
	OCLMM_FLOAT_LOAD_STORE = 1u << 0,
	OCLMM_FLOAT_ADD = 1u << 1,
	OCLMM_FLOAT_MIN_MAX = 1u << 2,
	OCLMM_FLOAT_LOCAL = 16,
	OCLMM_FLOAT_TYPES = 3, /**< half, float, double */
};

/* What a type of shared virtual memory can do, in the order of the bits of cl_svm_capabilities_khr
 * (cl_khr_unified_svm). */
#define OCLMM_SVM_CAPABILITIES(X)                                                                  \
	X(SINGLE_ADDRESS_SPACE)                                                                    \
	X(SYSTEM_ALLOCATED)                                                                        \
	X(DEVICE_OWNED)                                                                            \
	X(DEVICE_UNASSOCIATED)                                                                     \
	X(CONTEXT_ACCESS)                                                                          \
	X(HOST_OWNED)                                                                              \
	X(HOST_READ)                                                                               \
	X(HOST_WRITE)                                                                              \
	X(HOST_MAP)                                                                                \
	X(DEVICE_READ)                                                                             \
	X(DEVICE_WRITE)                                                                            \
	X(DEVICE_ATOMIC_ACCESS)                                                                    \
	X(CONCURRENT_ACCESS)                                                                       \
	X(CONCURRENT_ATOMIC_ACCESS)                                                                \
	X(INDIRECT_ACCESS)

enum oclmm_svm_capability {
#define OCLMM_X(name) OCLMM_SVM_##name,
	OCLMM_SVM_CAPABILITIES(OCLMM_X)
#undef OCLMM_X
		OCLMM_SVM_CAPABILITY_COUNT
};
/** The types of cl_khr_unified_svm that programs name: OCLMM_STORAGE_SVM_DEVICE and those behind
 * it. */
enum { OCLMM_UNIFIED_SVM_TYPES = 3 };

/** The features of OpenCL C that a program needs (C:6.2.1 and the OpenCL C feature macros). */
struct oclmm_features {
	unsigned orders;       /**< set of 1u << enum oclmm_order, of atomic operations */
	unsigned fence_orders; /**< the same of fences */
	unsigned scopes; /**< set of 1u << enum oclmm_scope, of atomics, fences and barriers */
	bool local_memory;
	bool copies;   /**< async_work_group_copy and its kin */
	bool children; /**< enqueue_kernel */
	bool generic_pointers;
	bool sub_groups;
	bool collectives;        /**< of work-groups: __opencl_c_work_group_collective_functions */
	bool split_barriers;     /**< cl_intel_split_work_group_barrier */
	unsigned clocks;         /**< cl_khr_kernel_clock: set of 1u << scope, whose are read */
	unsigned atomic_types;   /**< of objects of atomic functions, 1u << enum oclmm_type */
	unsigned floating_types; /**< of registers and objects, the same */
	unsigned subnormals;     /**< of values that are subnormal numbers, the same */
	unsigned float_atomics[OCLMM_FLOAT_TYPES]; /**< sets of OCLMM_FLOAT_ */
	bool svm_atomics;
	bool svm_system;    /**< the host's heap */
	bool svm_fine;      /**< fine-grained shared virtual memory, without atomics */
	bool svm_coarse;    /**< coarse-grained */
	bool program_scope; /**< variables at program scope,
	                       __opencl_c_program_scope_global_variables */
	unsigned images;    /**< that a kernel reads and writes, __opencl_c_read_write_images */
	bool images_2d;     /**< that commands copy, and a kernel reads or writes */
	bool pipes;         /**< __opencl_c_pipes */
	bool host_threads;
	bool queues;          /**< kernels in several queues of a device at once */
	bool commands;        /**< its threads are commands of queues … */
	bool unordered_queue; /**< … some of which execute out of order */
	bool command_buffers; /**< cl_khr_command_buffer … */
	/** … with barriers, with fills or copies, for a queue that executes out of order */
	bool recorded_barriers, recorded_transfers, unordered_recordings;
	bool several_queues;    /**< … which are recorded for several queues of one device */
	bool replays_at_once;   /**< … which is enqueued again before it has ended */
	bool changed_arguments; /**< … whose kernels have others when it is replayed again */
	/** … or other offsets or sizes: set of OCLMM_LAUNCH_* */
	unsigned changed_launches;
	bool semaphores;       /**< cl_khr_semaphore */
	bool external_memory;  /**< cl_khr_external_memory */
	bool buffer_addresses; /**< cl_ext_buffer_device_address */
	bool svm_buffers;      /**< buffers made over shared virtual memory */
	/** cl_khr_unified_svm: by type what it has to do, set of 1u << enum oclmm_svm_capability;
	 * 0: the program has no such memory */
	unsigned unified_svm[OCLMM_UNIFIED_SVM_TYPES];
	bool address_wide;    /**< values of size_t or ptrdiff_t, here of 64 bits */
	uint32_t devices;     /**< number of different devices in the placement */
	uint32_t work_groups; /**< number of litmus work-groups */
	uint32_t group_items; /**< of a text that work-items share: of a work-group; else 0 */
	uint32_t group_bytes; /**< the same: local memory of a work-group */
};
/** Of a program as it is written, whatever a device does with it. */
void oclmm_program_features(const struct oclmm_program *program,
                            struct oclmm_features *ret_features);
/**
 * Names the first feature of OpenCL C that a program needs of cl_ext_float_atomics
 * and a device, with these sets of OCLMM_FLOAT_ by type, lacks. \return false: it lacks none
 */
bool oclmm_float_feature(const struct oclmm_features *need, const unsigned *have, char *name,
                         size_t size);

/**
 * Choices that change the text; everything else is a kernel argument. All
 * false is the text that most launches take. Each is a text of its own rather
 * than an argument because the others would pay for it in every round.
 */
struct oclmm_codegen_options {
	bool any_count; /**< groups, lanes and rounds need not be powers of two */
	bool split;     /**< a work-item plays one role, not all of them */
	bool direct; /**< the role that observes counts the outcomes; for plans with `direct` only
	              */
	bool sums;   /**< with `direct`: every work-item keeps its counts to itself until its end;
	                that compiles faster and serves few work-items with many rounds */
	bool quads;  /**< the counting kernel takes four instances at a time where their objects lie
	                side by side, and sets objects up again only when it has seen them; a
	                test kernel tells few rounds in bytes then */
	bool calm;   /**< work-items of the test kernel make no memory traffic beside the test */
	bool alone;  /**< one work-item counts, and needs no atomic functions, which may be what is
	                broken; not with `direct` or `quads`; of a test kernel it changes nothing */
	bool few_forms; /**< the counting kernel has one text for many tests, which count more
	                   slowly by it: for devices that spend most of a run in their compiler; of
	                   a test kernel it changes nothing */
	bool waits; /**< waits may go on behind their bound, and tell how they end then; of programs
	               without `waits` in their plan it changes nothing */
	uint32_t part; /**< whose roles the test kernel plays, where a plan has several parts */
	/** NULL, or what is wrong with the driver: the text is one that does what the text without
	 * does there. It takes the same launches. */
	const struct oclmm_mutation *change;
};

/** Limits of the generated kernels; a program beyond them is refused. */
enum {
	OCLMM_KERNEL_PARTS = 4, /**< of kernels */
	OCLMM_KERNEL_ROLES = 16,
	OCLMM_KERNEL_LOCATIONS = 16,
	OCLMM_KERNEL_OUTCOMES = 1 << 20,
	/** Bytes of a variable at program scope: what every device with any has (A:4.2,
	 * CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE). */
	OCLMM_KERNEL_PROGRAM_BYTES = 1 << 16,
	OCLMM_KERNEL_CHILDREN = 1 << 10, /**< kernels that one launch enqueues */
	/** Elements of an image: what every device that has images has (A:4.2,
	 * CL_DEVICE_IMAGE_MAX_BUFFER_SIZE). */
	OCLMM_KERNEL_IMAGE_ELEMENTS = 1 << 16,
};

/**
 * \name The arguments of a launch
 *
 * One structure of 32-bit words, passed by value to both kernels, and the same
 * on the host and in the generated text because both come from these lists.
 *
 * Instances are numbered round · groups · lanes + G · lanes + L. A *place* is a
 * work-group of the launch, counted from `rotation`: the first `places` of them
 * test, the others only stress the memory. A launch may have up to three
 * dimensions, and a global offset: its work-groups are counted row by row, and
 * so are the work-items of a group. Where every work-item plays every
 * role there is a place for each group and a work-item for each lane; where
 * roles are split, a place for each group and litmus work-group, and a
 * work-item for each lane and role of the litmus work-group.
 *
 * Where `groups`, `lanes` and `rounds` are powers of two, every permutation
 * below is an odd multiplication and an addition under a mask, which is a
 * bijection whatever the numbers are and however they overflow. In a text for
 * any count a permutation of n numbers is (x · multiplier + addend) mod n with
 * a multiplier that has no divisor in common with n and is so small that the
 * sum stays below 2³²; the host sees to that (oclmm_parameters_check()).
 * @{
 */
#define OCLMM_PARAMETERS(X)                                                                        \
	X(groups, "work-groups that an instance may be in")                                        \
	X(lanes, "instances that a work-group has at a time")                                      \
	X(rounds, "instances per work-item and role")                                              \
	X(groups_inverse, "(2^32 - 1) / groups")                                                   \
	X(instances_inverse, "(2^32 - 1) / (groups * lanes * rounds)")                             \
	X(places, "testing work-groups of the launch")                                             \
	X(width, "work-items of a work-group of the launch")                                       \
	X(all_groups, "testing and stressing work-groups")                                         \
	X(offset_x, "of the launch's global ids in the first dimension")                           \
	X(offset_y, "in the second")                                                               \
	X(offset_z, "in the third")                                                                \
	X(shape, "oclmm_launch_shape() of the launch")                                             \
	X(split, "roles are split 1: among places and lanes far apart, more: among neighbours")    \
	X(sub_groups, "sub-groups of a work-group, for programs placed in them")                   \
	X(sub_lanes, "work-items of one of them")                                                  \
	X(rotation, "the work-group that is place 0")                                              \
	X(group_multiplier, "shuffle of the places")                                               \
	X(group_addend, "shuffle of the places")                                                   \
	X(lane_addend, "rotation of the lanes, common to all roles")                               \
	X(flip_groups, "places with one of these bits play the roles in the other order")          \
	X(flip_lanes, "lanes with one of these bits play the roles in the other order")            \
	X(flip_rounds, "rounds with one of these bits play the roles in the other order")          \
	X(results_reversed, "1: observed registers are stored last one first")                     \
	X(polls, "at most so many polls at a rendezvous; 0: none")                                 \
	X(parties, "places of all devices and threads of the host: who meet at a rendezvous")      \
	X(poll_mask, "a rendezvous is held in the rounds whose number has none of these bits")     \
	X(poll_budget, "at most so many polls of one work-item in one launch")                     \
	X(pre_stress, "memory operations of a testing work-item before its first round")           \
	X(stress, "memory operations of a work-item that only stresses")                           \
	X(stress_pattern, "0 load-load, 1 load-store, 2 store-load, 3 store-store")                \
	X(stress_lines, "number of lines in the scratch area, a power of two")                     \
	X(stress_stride, "words from one of these lines to the next")                              \
	X(other_before, "what the counter of foreign values stood at before the launch")           \
	X(salt, "a number of the launch's own, on what its kernels hand each other")               \
	X(only_restore, "1: the counting kernel counts nothing, it sets the objects up")           \
	X(looks, "1: it looks first whether objects are as they must be")                          \
	X(initials, "where it only sets them up and looks: what they hold, summed up")             \
	X(patience, "turns that a wait may take behind its bound; 0: none")                        \
	X(patience_budget, "all such turns of one work-item in one launch")                        \
	X(opaque, "1: waits load by an address of which no compiler knows that it stays")          \
	X(nothing, "0, which no compiler knows")                                                   \
	X(count_each, "instances that one work-item of the counting kernel looks at")              \
	X(count_first, "its first instance is its id times this")                                  \
	X(count_step, "its next instance is this far")

struct oclmm_parameters {
#define OCLMM_X(name, meaning) uint32_t name;
	OCLMM_PARAMETERS(OCLMM_X)
#undef OCLMM_X
	uint32_t group_shift[OCLMM_KERNEL_ROLES]; /**< per litmus work-group of a device, distinct
	                                             modulo `groups` */
	/** per role, below `lanes` and distinct within a litmus work-group; below `sub_lanes` and
	 * distinct within a litmus sub-group where the program has them */
	uint32_t lane_shift[OCLMM_KERNEL_ROLES];
	/** per role: below `sub_groups`, the same within a litmus sub-group, distinct for two of
	 * one work-group */
	uint32_t sub_shift[OCLMM_KERNEL_ROLES];
	struct oclmm_layout {
		uint32_t base;   /**< element at which the location's slots begin */
		uint32_t stride; /**< elements from slot to slot, at least the location's length */
		uint32_t multiplier; /**< permutation of the slots */
		uint32_t addend;
	} location[OCLMM_KERNEL_LOCATIONS]; /**< local objects use none of it */
};
/** @} */

/** The shape of a launch: of its global and local sizes, by dimension. */
uint32_t oclmm_launch_shape(const size_t global[3], const size_t local[3]);

/** Buckets of the counters beyond the outcomes, as offsets from `outcomes`. */
enum {
	OCLMM_BUCKET_OTHER,    /**< a value outside its domain; the tuple is kept raw */
	OCLMM_BUCKET_CUT,      /**< a bounded loop was still running at its bound */
	OCLMM_BUCKET_UNPLAYED, /**< work-items that did not play all their rounds; not instances */
	OCLMM_BUCKET_UNSET, /**< objects that did not have their initial values before a launch */
	OCLMM_BUCKET_UNCHANGED, /**< objects that still had them, although no execution leaves them,
	                           and work-items that found such local ones */
	OCLMM_BUCKET_LATE,      /**< waits that ended behind their bound */
	OCLMM_BUCKET_STUCK,     /**< that did not, and a look by another access saw them ended */
	/**
	 * Tickets, by which a launch is known to have run, once and in order, and by its own
	 * parameters. One work-item of the test kernel adds oclmm_kernel_mark(), exclusive or
	 * twice the salt, or 2, to the first; one of each work-group of the counting kernel adds
	 * the first and twice the salt to the second, as often as 1 and OCLMM_TICKET_GROUP times
	 * its number say, so that none stands in for another. They start at an odd number of the
	 * host's choice. They come last, so that a read which lacks its end lacks them.
	 */
	OCLMM_TICKET_TESTED,
	OCLMM_TICKET_COUNTED,
	OCLMM_BUCKET_COUNT,
	OCLMM_TICKET_GROUP = 1 << 16,
};

/** One value that the test kernel, or the host, stores per instance. */
struct oclmm_plane {
	enum { OCLMM_PLANE_REGISTER, OCLMM_PLANE_LOCAL, OCLMM_PLANE_CUT } kind;
	uint32_t observable; /**< REGISTER, LOCAL */
	uint32_t thread;     /**< REGISTER, CUT */
	bool narrow;         /**< expected values are below 255: a byte does */
};

/**
 * What the host must know of the generated kernels.
 *
 * A *part* is the roles that one kernel plays, in a queue of a device, or one thread of the host:
 * a program has one part where all its roles are in one kernel. The parts of kernels come first.
 * Each of them has a test kernel of its own; that of part 0 alone
 * clears the counters and draws the ticket, and `played` is each one's own. Codes, results and
 * meeting are shared by all and lie in SVM: fine-grained with atomics, or coarse-grained where all
 * parts are kernels of one device. All parts take the same parameters.
 *
 * Arguments of `oclmm_test`: one buffer per location that is neither local nor at program scope,
 * in the order of the program, of an image the view of that buffer; one block of local memory per
 * local location (`lanes` times its size); codes, results, counters, played, meeting, scratch; the
 * parameters. Arguments of `oclmm_count`: the same buffers per location, of an image too; codes,
 * results, counters, played, meeting, raw; the parameters; the table.
 *
 *  - codes: `planes` bytes per instance, the observed values that are below 255, plane by
 *    plane; of a CUT plane 1 where a loop of the role was still running at its bound
 *  - results: `planes` values (32 or 64 bits: `wide`) per instance, written only
 *    where a byte does not do
 *  - counters: outcomes + OCLMM_BUCKET_COUNT words, which nobody clears: they go on from
 *    launch to launch, modulo 2³²
 *  - played: one word per testing work-item, to which it adds its rounds; checked and cleared by
 *    the counting kernel. Of other parts than the first, which it does not see, each adds its
 *    rounds ^ oclmm_kernel_mark()
 *  - meeting: one word per work-item of a group, 0 before the first launch, cleared by the counting
 * kernel
 *  - scratch: stress_lines · stress_stride words
 *  - raw: per instance in the OTHER bucket its number and then its observed
 *    values, each in the width of the results; room for all instances. A test
 *    kernel that counts directly has it in the place of the results.
 *    Of a launch in which the counting kernel only sets objects up, and wherever the test kernel
 *    counts, it has a word of 32 bits there for each of its work-items, to which that one adds
 *    the instances that it went through
 *  - table: what oclmm_count_table() gives
 *
 * An object at program scope is an array there, with an element (or as many as it has) for each
 * instance. The program that has it has both kernels.
 *
 * A program placed in sub-groups takes a launch whose work-groups have
 * `sub_groups` full sub-groups of `sub_lanes` work-items, in one dimension or
 * two; in any other its work-items do not play. Its text is always one for any
 * count, and its roles are never split.
 */
struct oclmm_kernel_plan {
	uint32_t roles; /**< threads of the program */
	uint32_t parts; /**< who plays them */
	uint32_t
		kernels; /**< the first so many parts are kernels, the others threads of the host */
	uint32_t devices;                         /**< that the kernels run on */
	uint32_t part_device[OCLMM_KERNEL_PARTS]; /**< of a kernel, from 0 */
	uint32_t part_queue[OCLMM_KERNEL_PARTS];  /**< of the device, from 0 */
	uint32_t role_part[OCLMM_KERNEL_ROLES];
	uint32_t work_groups;                /**< most litmus work-groups of one kernel */
	bool role_child[OCLMM_KERNEL_ROLES]; /**< a kernel that another role of the part enqueues */
	uint32_t children;                   /**< how many of them there are */
	uint32_t role_work_group[OCLMM_KERNEL_ROLES]; /**< numbered within the part */
	/** The first role of its litmus work-group that does the same with the same objects, often
	 * itself. Only of roles that meet nobody at a barrier. */
	uint32_t role_alike[OCLMM_KERNEL_ROLES];
	bool alike;         /**< of some role it is another one */
	uint32_t crowd;     /**< most roles in one litmus work-group: lanes needed */
	bool in_sub_groups; /**< placed in sub-groups, or with barriers of them */
	uint32_t role_sub_group[OCLMM_KERNEL_ROLES]; /**< numbered within the litmus work-group */
	uint32_t sub_groups; /**< most litmus sub-groups in one litmus work-group */
	uint32_t sub_crowd;  /**< most roles in one litmus sub-group */
	bool direct; /**< one role observes all, of few outcomes: it can count them itself */
	uint32_t direct_role;
	uint32_t planes;
	bool wide;
	bool has_local;
	uint32_t local_bytes; /**< local memory per lane */
	/** Bytes that the largest object at program scope has for an instance; 0: there are none.
	 * All instances of a launch lie in OCLMM_KERNEL_PROGRAM_BYTES. */
	uint32_t program_bytes;
	/** Elements that the largest image has for an instance; 0: there are none. All instances of
	 * a launch lie in OCLMM_KERNEL_IMAGE_ELEMENTS. */
	uint32_t image_elements;
	bool has_barrier;
	bool keeps_over; /**< registers are assigned before a barrier, and kept over it */
	bool plain_data; /**< several litmus work-groups, and plain objects in global memory */
	uint32_t waits;  /**< roles, as bits, in which some loop only loads until it sees a value */
	uint32_t outcomes;
	uint32_t observables;
};

/** \return 0, or -ENOTSUP with the construct or the limit named in `error`. */
int oclmm_kernel_plan(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                      struct oclmm_error *error, struct oclmm_kernel_plan *ret_plan);

/** Whether all parts are kernels of one device. */
bool oclmm_on_one_device(const struct oclmm_kernel_plan *plan);
/** Whether two roles are in one work-group of one kernel. */
bool oclmm_roles_together(const struct oclmm_kernel_plan *plan, uint32_t a, uint32_t b);
/** The planes of a program, `plan->planes` entries (and room for none); free with free(). */
struct oclmm_plane *oclmm_kernel_planes(const struct oclmm_program *program,
                                        const struct oclmm_outcome_space *space,
                                        const struct oclmm_kernel_plan *plan);

/**
 * Generates the kernels of one program, `oclmm_test` of each part of a kernel and `oclmm_count`,
 * as one text.
 * `options` NULL: all false. \return 0, or -ENOTSUP with the construct named in `error`.
 */
int oclmm_generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                   const struct oclmm_codegen_options *options, struct oclmm_error *error,
                   struct oclmm_text *ret_source);
/**
 * The test kernel of the part that the options name, as a complete text. It is
 * called `oclmm_test`; in the text of all kernels, that of part N is `oclmm_test_N` from 1 on.
 * Where objects are at program scope the counting kernel stands there, too. Returns as
 * oclmm_generate() does.
 */
int oclmm_generate_test(const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space,
                        const struct oclmm_codegen_options *options, struct oclmm_error *error,
                        struct oclmm_text *ret_source);
/**
 * The test kernels of several programs, with the outcome space of each, as one text,
 * which costs a compiler less than one for each: `oclmm_test` with a suffix each.
 * \return as above; -EINVAL where they cannot take the same launches
 */
int oclmm_generate_tests(const struct oclmm_program *const *programs,
                         const struct oclmm_outcome_space *const *spaces, uint32_t count,
                         const struct oclmm_codegen_options *options, struct oclmm_error *error,
                         struct oclmm_text *ret_source);
/**
 * By what a test kernel is told from the kernels of all other texts, should a
 * driver have mistaken one for the other. Even, and not a multiple of 4.
 */
uint32_t oclmm_kernel_mark(const struct oclmm_program *program,
                           const struct oclmm_codegen_options *options);
enum { OCLMM_SUFFIX_SIZE = 16 };
/** What follows `oclmm_test` in the name of the n-th of them, from 0: nothing for the first. */
void oclmm_test_suffix(uint32_t index, char *ret_suffix);
/**
 * The counting kernel alone, as a complete text. It depends on how many locations
 * and observables there are, how wide they are and how many outcomes they have room
 * for, so that many tests share it.
 * Not for programs with objects at program scope. Returns as oclmm_generate() does.
 */
int oclmm_generate_count(const struct oclmm_program *program,
                         const struct oclmm_outcome_space *space,
                         const struct oclmm_codegen_options *options, struct oclmm_error *error,
                         struct oclmm_text *ret_source);
/**
 * What the counting kernel must know of the values of a program: a buffer of
 * `*ret_words` words of 64 bits; free with free().
 */
uint64_t *oclmm_count_table(const struct oclmm_program *program,
                            const struct oclmm_outcome_space *space, size_t *ret_words);
/**
 * What the initial values of all objects of an instance sum up to, for the parameter of that name.
 * \param given of variables at program scope those that the device has to give them, which the
 * counting kernel looks at where `only_restore` is 2
 */
uint32_t oclmm_initials(const struct oclmm_program *program, bool given);
/** The words that one run of `gather` brings together. */
enum { OCLMM_GATHERED_WORDS = 16 };
/**
 * The kernels of a program of commands: `P0`, `P1` of the threads that are kernels, with the
 * buffers of their parameters, one for each register, the base, the launch's global offset and the
 * word in which it counts its runs as arguments; `set_cells`, `lag` and `gather`, which takes
 * OCLMM_GATHERED_WORDS buffers of a word each, the one that it writes them to, and the place of the
 * first.
 * The base is given ^ oclmm_kernel_mark() of no options.
 */
void oclmm_generate_commands(const struct oclmm_program *program, struct oclmm_text *ret_source);
/** What a kernel that stands alone has beside the test. */
struct oclmm_lone {
	bool meets;    /**< work-items wait a little for those that play the same instance */
	bool scatters; /**< the instances' objects are permuted, each location's otherwise */
	bool stresses; /**< further work-groups make memory traffic */
	const struct oclmm_mutation *change; /**< NULL, or what is wrong with the driver */
};
enum { OCLMM_LONE_SCRATCH = 4096 }; /**< words that those write to, a power of two */
/** The factor by which instances of a location are permuted; odd. */
uint32_t oclmm_lone_factor(uint32_t location);
/** The word of an observed register or local object in `out`: the values of all instances begin
 * at that many times their number. Behind them comes one for each thread. */
uint32_t oclmm_lone_plane(const struct oclmm_program *program, uint32_t observable);
/** The plane of a thread: 0: it did not play the instance, 1: it did, 2: a loop was cut. */
uint32_t oclmm_lone_played(const struct oclmm_program *program, uint32_t thread);
/** Who comes to the rendezvous of a lane: a work-item of each litmus work-group, and each thread of
 * the host. */
uint32_t oclmm_lone_parties(const struct oclmm_kernel_plan *plan);
/**
 * The kernels of a program as somebody would write them by hand, one for each part: `test`, or
 * `test0`, `test1` … Each work-item plays one thread, `rounds` instances of it. The first `pairs`
 * work-groups play the first litmus work-group, the next as many the second, and so on; a
 * work-group has its threads `lanes` times, each work-item one after the other.
 * Arguments: one buffer per location that is neither local nor at program scope, one block of local
 * memory per local location (as many objects as the work-group has work-items), out, met (`meets`),
 * scratch (`stresses`), and a structure of words by value: pairs, lanes, rounds, stride, polls
 * (`meets`), busy and stress (`stresses`). Variables at program scope are set and fetched by
 * kernels `set_…` and `get_…` of their number, whose argument is a buffer. Children are enqueued to
 * the default queue of the device. Returns as oclmm_generate() does.
 */
int oclmm_generate_lone(const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space, const struct oclmm_lone *lone,
                        struct oclmm_error *error, struct oclmm_text *ret_source);
/** Adds the registers and statements of a thread of the host in C11, in lines of so many tabs. Its
 * objects are pointers of their names. */
void oclmm_generate_lone_host(const struct oclmm_program *program, uint32_t thread, unsigned depth,
                              struct oclmm_text *text);
/**
 * Adds a program's threads as functions of their own, with nothing around them: of thread N
 * `PN`, `suffix` and `_bare`. Each takes the objects of its parameters and last `volatile global
 * long *`, where it stores at its end each register that is observed, by its number, and behind
 * all registers whether a loop was cut. They have `OCLMM_ENTRY` before them, and call functions as
 * OpenCL C has them: what both are stands in a head that is the caller's.
 * \param change NULL, or what is wrong; the head has oclmm_change_macros() then
 * \return 0, or -ENOTSUP with the construct named in `error`, and nothing is added
 */
int oclmm_generate_bare(const struct oclmm_program *program, const struct oclmm_mutation *change,
                        const char *suffix, struct oclmm_error *error, struct oclmm_text *text);
/**
 * The kernel of a second queue, `oclmm_side`, as a complete text: its arguments
 * are a scratch buffer as above and the parameters. The same for all programs.
 */
void oclmm_generate_side(struct oclmm_text *ret_source);

/** \name Texts that work-items share (oclmm_program.shared)
 *
 * An instance is all work-groups of the program. The kernel `oclmm_test` takes the arguments of the
 * text: a buffer in which each instance has oclmm_whole_stride() elements, a block of local memory,
 * a value. A launch has `groups[0]` work-groups in the first dimension for each instance.
 * @{
 */
enum { OCLMM_WHOLE_GUARD = 8 /**< elements behind an object that nobody may write */ };
uint32_t oclmm_whole_stride(const struct oclmm_location *location);
void oclmm_generate_whole(const struct oclmm_program *program, struct oclmm_text *ret_source);
/** @} */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
