// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What tuning found, on disk: one file per device and shape, written whole or
 * not at all, and refused when anything in it is not understood.
 * docs/tuning.md describes the form.
 *
 * May see: stress.
 */
#ifndef OCLMM_RUNNER_PROFILE_PROFILE_H
#define OCLMM_RUNNER_PROFILE_PROFILE_H

#include "oclmm/ir.h"
#include "stress/environment.h"

/* ---- environments that launches take in turn ---- */

/** A few of them, and their text: what a record says of the conditions of its run, and
 * `--environment` repeats. */
struct oclmm_environment_set {
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	uint32_t count;
};

/** Prints what differs from the base: `groups=2 lanes=1 …; groups=4 …`. */
void oclmm_environment_set_print(struct oclmm_text *text, const struct oclmm_environment_set *set);
/** One of them, in the same form. */
void oclmm_environment_brief(struct oclmm_text *text, const struct oclmm_environment *environment);
/**
 * Reads that form. A field may be named once in each environment.
 * \return 0, or -EINVAL with the place in `error`, counted from column 1 of line 1.
 */
int oclmm_environment_set_parse(const char *text, struct oclmm_error *error,
                                struct oclmm_environment_set *ret_set);

/* ---- profiles ---- */

enum { OCLMM_SHAPE_SIZE = 128 };

/** Writes the shape of a program; long ones end in `~` and a hash. Safe as a file name. */
void oclmm_shape(const struct oclmm_program *program, char *ret_shape);
/** Whether a text has the form of a shape. */
bool oclmm_shape_is_valid(const char *shape);
/**
 * How far two shapes are apart: 0 the same, else the number of accesses' letters
 * to change, or -1 where threads, placement or spaces differ, so that one's
 * environments say nothing of the other.
 */
int oclmm_shape_distance(const char *a, const char *b);

struct oclmm_profile {
	char path[512]; /**< where it was read; empty for a new one */
	char platform[128], device[128], driver[128];
	char shape[OCLMM_SHAPE_SIZE];
	char test[256]; /**< that was run to find it */
	char date[24];  /**< UTC, `2026-01-31T12:00:00Z` */
	uint64_t seed;
	double seconds; /**< that the search took */
	uint64_t candidates,
		showing;     /**< environments tried, and those that showed a weak outcome */
	double weak;         /**< weak outcomes per second in these environments … */
	double weak_default; /**< … and in the default ones, measured in turn */
	double instances;    /**< per second */
	struct oclmm_environment_set set;
};

void oclmm_profile_print(struct oclmm_text *text, const struct oclmm_profile *profile);
/** \return 0; -EINVAL with the place in `error`; or why the file cannot be read. */
int oclmm_profile_read(const char *path, struct oclmm_error *error,
                       struct oclmm_profile *ret_profile);
/** The same for a text in memory; `path` is for messages. */
int oclmm_profile_parse(const char *path, const char *text, size_t length,
                        struct oclmm_error *error, struct oclmm_profile *ret_profile);

/** Whether the name of a device or a version in a profile is the one that a driver gives: a file
 * has it as it is shown, and cut. */
bool oclmm_profile_names(const char *name, const char *of_driver);

/**
 * The folder of a device's profiles: below $XDG_DATA_HOME or ~/.local/share,
 * by platform and name, so that equal devices share it and another driver
 * finds what the last one had. Malloc-ed, or NULL where the user has no such
 * folder; it need not exist.
 */
char *oclmm_profile_folder(const struct oclmm_device_info *info);
/** Writes a profile there, under its shape's name. `*ret_path` is malloc-ed, and set on failure
 * too. */
int oclmm_profile_write(const char *folder, const struct oclmm_profile *profile, char **ret_path);

struct oclmm_profiles {
	struct oclmm_profile *profiles; /**< by shape, each once */
	size_t count, capacity;
};

/**
 * Adds a file, or all *.profile of a folder. One that does not exist is
 * -ENOENT. \return 0, or negative with `error`; then nothing of it was added.
 */
int oclmm_profiles_add(struct oclmm_profiles *profiles, const char *path,
                       struct oclmm_error *error);
void oclmm_profiles_finish(struct oclmm_profiles *profiles);
/** The profile of a shape, else of the nearest shape (the first by name of those equally near),
 * else NULL. */
const struct oclmm_profile *oclmm_profiles_find(const struct oclmm_profiles *profiles,
                                                const char *shape);

#endif
