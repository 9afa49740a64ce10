// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Every stress parameter as plain data. Most are arguments of the kernels; `split`,
 * `direct`, `count_chunked` and counts that are no powers of two choose among a few
 * texts. What varies from launch to launch is drawn from the seed within the bounds
 * given here.
 */
#ifndef OCLMM_RUNNER_STRESS_ENVIRONMENT_H
#define OCLMM_RUNNER_STRESS_ENVIRONMENT_H

#include "device/device.h"
#include "oclmm/codegen.h"

/* X(field, meaning). A percentage is that of the launches in which a thing is done. */
#define OCLMM_ENVIRONMENT(X)                                                                       \
	X(groups, "testing work-groups; where roles are split, of each litmus work-group")         \
	X(lanes, "work-items of a work-group; where roles are split, of each role in it")          \
	X(rounds, "instances per work-item and role")                                              \
	X(offset,                                                                                  \
	  "of the global ids of a launch; in its 2nd and 3rd dimension 2 and 3 times that")        \
	X(dimensions, "of a launch, whose groups and work-items then lie in rows; 0: one")         \
	X(stride, "slots from one instance's object to the next one's, at least 1")                \
	X(interleaved, "1: an instance's objects lie side by side; 0: each location apart")        \
	X(gap, "bytes between the locations' areas when they lie apart, a multiple of 8")          \
	X(shuffle_locations, "percentage: each location's slots are permuted")                     \
	X(shuffle_groups, "percentage: work-groups are permuted")                                  \
	X(far_groups, "percentage: those of an instance are half of all apart, else neighbours")   \
	X(shuffle_lanes, "percentage: roles are far apart in the lanes, else on neighbours")       \
	X(flip_groups, "work-groups with one of these bits play the roles in the other order")     \
	X(flip_lanes, "lanes with one of these bits do")                                           \
	X(flip_rounds, "rounds with one of these bits do")                                         \
	X(reverse_results, "percentage: observed registers are stored last one first")             \
	X(polls, "at most so many polls at a rendezvous, 0: none is held")                         \
	X(poll_every, "rounds from one rendezvous to the next, a power of two")                    \
	X(poll_budget, "at most so many polls of one work-item in one launch")                     \
	X(pre_stress, "memory operations of a testing work-item before its first round")           \
	X(sub_lanes,                                                                               \
	  "work-items of a sub-group, for tests placed in them; 0: as the device likes")           \
	X(split,                                                                                   \
	  "0: a work-item plays every role; 1: one, as its neighbours do; 2: one, unlike them; "   \
	  "3: one, and its neighbours play the others of the same instance")                       \
	X(direct, "1: outcomes are counted where they are observed, if one role observes all")     \
	X(stress_groups, "work-groups that only stress the memory")                                \
	X(stress, "memory operations of each of their work-items")                                 \
	X(stress_pattern, "0 load-load, 1 load-store, 2 store-load, 3 store-store, 4 any")         \
	X(stress_lines, "lines in the scratch area, a power of two")                               \
	X(stress_stride, "words from one of these lines to the next, at least 1")                  \
	X(queue_groups,                                                                            \
	  "work-groups of a launch in a second queue that stresses the memory; 0: none")           \
	X(queue_stress, "memory operations of each of their work-items")                           \
	X(count_chunked,                                                                           \
	  "a counting work-item takes 0: every n-th instance; 1: neighbours; 2: every n-th four")  \
	X(count_lanes, "work-items of a counting work-group, a power of two")                      \
	X(count_each, "instances that a counting work-item looks at, a power of two")              \
	/* last, so that what a search draws for the others stays what it was */                   \
	X(few_groups, "some launches have 2, 16 or 32 groups, as wide at least; 0: none")

struct oclmm_environment {
#define OCLMM_X(field, meaning) uint32_t field;
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
};

/* `count_chunked` of devices whose neighbouring work-items read together. */
enum { OCLMM_COUNT_QUADS = 2 };
/* `split` of an instance whose work-items are neighbours. */
enum { OCLMM_SPLIT_NEIGHBOURS = 3 };

enum { OCLMM_ENVIRONMENTS_MAX = 8 };

/** Slots of one location at most, since 32 bits number them. */
#define OCLMM_SLOTS_MOST ((uint64_t)1 << 32)
/** Operations of stress in one launch at most: seconds of a CPU, which is no hang yet. */
#define OCLMM_STRESS_MOST ((uint64_t)1 << 32)

/** The one of programs of commands: `groups` · `lanes` cells of each object, `rounds` rounds, and
 * kernels behind `offset`; they have one dimension. */
void oclmm_environment_commands(struct oclmm_environment *ret_environment);
/** The one of all texts that work-items share, for launches of about so many instances: how many
 * are side by side at most. */
void oclmm_environment_whole(const struct oclmm_device_info *info, uint64_t instances,
                             struct oclmm_environment *ret_environment);
/**
 * The environments that a run takes in turn when none is asked for: fitted to
 * the kind of device and to the number of work-groups and lanes that the
 * program needs.
 * \return how many were written to `ret_environments`, 1 … OCLMM_ENVIRONMENTS_MAX.
 */
uint32_t oclmm_environment_defaults(const struct oclmm_device_info *info,
                                    const struct oclmm_kernel_plan *plan,
                                    struct oclmm_environment *ret_environments);
/**
 * Which of the default environments a test has, by a key that it shares with
 * its controls. Compilers of CPUs build a kernel for each size of work-groups,
 * which is most of a run's cost: one key in four keeps all environments, the
 * others those whose groups are as wide as the first one's. Some also build one
 * for launches with an offset and one for those without, and one for each shape
 * of groups: all environments of one width are alike in that. Of four keys one
 * has offsets, one offsets and rows, and one both where its groups are wide; tests with
 * barriers have no rows, which PoCL takes long to compile. One in four has more than 256 groups.
 * \return how many are left, the first one always
 */
uint32_t oclmm_environment_share(const struct oclmm_device_info *info,
                                 const struct oclmm_kernel_plan *plan, uint64_t key,
                                 struct oclmm_environment *environments, uint32_t count);
/**
 * Changes an environment so that one work-item counts a whole launch: what a
 * driver whose atomic functions lose something cannot spoil. Launches become
 * small, because that takes its time; the stimulus is otherwise what it was.
 */
void oclmm_environment_count_alone(struct oclmm_environment *environment,
                                   const struct oclmm_kernel_plan *plan);
/** \return 0, or -EINVAL naming the field that does not fit the device or the program. */
int oclmm_environment_check(const struct oclmm_environment *environment,
                            const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan, struct oclmm_error *error);
/** The part of the same that holds for every device and program. */
int oclmm_environment_check_alone(const struct oclmm_environment *environment,
                                  struct oclmm_error *error);
/**
 * Sets the fields that a text names, `groups=2 lanes=1 …` in any order, and
 * leaves the others as they are. \return 0, or -EINVAL and nothing changed.
 */
int oclmm_environment_parse(const char *text, struct oclmm_error *error,
                            struct oclmm_environment *environment);
/** Whether a number is a power of two. */
static inline bool oclmm_is_power(uint32_t n)
{
	return n > 0 && (n & (n - 1)) == 0;
}
/** The least power of two that is at least `n`, and the largest that is at most `n` (1 for 0);
 * below 2^31. */
uint32_t oclmm_power_at_least(uint32_t n);
uint32_t oclmm_power_at_most(uint64_t n);
/** Memory operations of a launch that only stress, of all its work-items and of those beside it. */
uint64_t oclmm_environment_stress(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan);
/** Instances of one launch: groups · lanes · rounds. */
uint32_t oclmm_environment_instances(const struct oclmm_environment *environment);
/** Work-groups of a launch that test, and work-items in each of them. */
uint32_t oclmm_environment_places(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan);
uint32_t oclmm_environment_width(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan);
/** Dimensions of a launch, 1 to 3. */
uint32_t oclmm_environment_dimensions(const struct oclmm_environment *environment);
/** Whether a launch needs the kernels for any count: not all its counts are powers of two. */
bool oclmm_environment_any_count(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan);

/** Forms of an environment, itself among them. */
enum { OCLMM_FORMS = 5 };
/**
 * All that its launches are, itself first: where it has `few_groups`, launches of few groups, and
 * groups of two work-items for those of one. None has more instances, or another text.
 * \return how many were written to `ret_forms`.
 */
uint32_t oclmm_environment_forms(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan,
                                 struct oclmm_environment ret_forms[OCLMM_FORMS]);
/**
 * The one that the launches of a block are. Pure: the same for a test and its controls.
 * \param environments how many take turns
 */
struct oclmm_environment oclmm_environment_form(const struct oclmm_environment *environment,
                                                const struct oclmm_kernel_plan *plan,
                                                uint32_t environments, uint64_t block);

/**
 * Draws the parameters of a launch. Pure: the same key, environment and
 * program give the same parameters. Layouts (`location[].base`, `.stride`)
 * depend on the environment alone.
 */
void oclmm_draw(const struct oclmm_environment *environment, const struct oclmm_program *program,
                const struct oclmm_kernel_plan *plan, uint64_t key,
                struct oclmm_parameters *ret_parameters);
/**
 * Whether a launch looks at its objects: that each begins as the program says, and that what some
 * role must have changed has changed. It takes a counting kernel more, which is no small part of a
 * launch, so not each looks. The first two do, since what a compiler makes wrong shows there; the
 * second finds what the counting kernel of the first left. Of the others one in 64 does, drawn from
 * the key: a driver that is wrong in some launches only, each 64th or all but each 64th, is met.
 * Pure.
 * @key: that of the launch, as for oclmm_draw()
 * @number: of the launch, from 0
 */
bool oclmm_draw_look(uint64_t key, uint64_t number);
/**
 * Checks that all factors, shifts and inverses are what the kernel relies on: what can be seen of a
 * launch without playing it. Cheap enough for every one.
 * \return 0, or -EINVAL with what is wrong.
 */
int oclmm_parameters_check(const struct oclmm_parameters *parameters,
                           const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan, struct oclmm_error *error);

/** Bytes that the locations of a storage need under an environment. */
uint64_t oclmm_layout_bytes(const struct oclmm_environment *environment,
                            const struct oclmm_program *program, enum oclmm_storage storage);

#endif
