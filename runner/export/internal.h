// SPDX-License-Identifier: Apache-2.0
/* What the files of the room share. */
#ifndef OCLMM_RUNNER_EXPORT_INTERNAL_H
#define OCLMM_RUNNER_EXPORT_INTERNAL_H

#include <stdarg.h>

#include "export.h"
#include "oclmm/codegen.h"

/* ---- frame.c -------------------------------------------------------------------------------- */

/* Whether the final condition asks for what a location ends with. */
bool export_is_observed(const struct oclmm_program *program, uint32_t location);
/* \return -ENOTSUP, with the reason */
int export_refuse(const struct oclmm_program *program, struct oclmm_error *error, const char *why);
/* What printf() would print, to be freed. */
__attribute__((format(printf, 1, 0))) char *export_words(const char *format, va_list arguments);
/* A type as the host names it. */
const char *export_host_type(enum oclmm_type type);
/* memory(): a buffer with contents. */
extern const char export_memory_function[];
void export_add_number(struct oclmm_text *text, int64_t value);
/* What the host stores for an object to begin with it; a half by its bits. */
void export_add_initial(struct oclmm_text *text, enum oclmm_type type, int64_t value);
/* A condition on the values `v[0]`, `v[1]` … */
void export_add_condition(struct oclmm_text *text, const struct oclmm_condition *c);
/* Adds text as lines of a C string. */
void export_add_string(struct oclmm_text *text, const char *string);
/* What all files have: outcomes, which are allowed, CHECK(), check(), find_device(). */
void export_add_frame(const struct export_job *job, uint32_t devices, struct oclmm_text *text);
/* main() up to the program, which is built of `kernels`; `declarations` stand among its own, and
 * `needs` what the context must have before anything is built. */
void export_add_opening(const struct export_job *job, uint32_t devices, const char *declarations,
                        const char *needs, const char *kernels, struct oclmm_text *text);
/* What every file includes, and the C library's headers behind that. */
extern const char export_includes[], export_standard_includes[];
/* The head of the loop over launches: so many, and further ones while nothing is seen, for SECONDS
 * at most. */
void export_add_loop(struct oclmm_text *text);
/* In the loop over instances, with what one ended with in `v`. */
void export_add_note(struct oclmm_text *text);
/* main() from the histogram on. */
void export_add_end(const struct export_job *job, struct oclmm_text *text);

/* ---- write.c -------------------------------------------------------------------------------- */

/* Lines of the comment at the head; what would end it is taken apart. */
void export_paragraph(struct oclmm_text *text, const char *format, ...) OCLMM_PRINTF(2, 3);
/* What a file takes on its command line, and its exit status. */
extern const char export_usage[];

/* ---- roles.c, commands.c, whole.c ------------------------------------------------------------ */

int export_roles(const struct export_job *job, const struct export_setting *setting,
                 struct oclmm_error *error, struct oclmm_text *ret_kernels,
                 struct oclmm_text *ret_planted, struct oclmm_text *text);
int export_commands(const struct export_job *job, const struct export_setting *setting,
                    struct oclmm_error *error, struct oclmm_text *ret_kernels,
                    struct oclmm_text *ret_planted, struct oclmm_text *text);
/* `launched`: the program, or the text of its threads. */
int export_whole(const struct export_job *job, const struct oclmm_program *launched,
                 const struct export_setting *setting, struct oclmm_error *error,
                 struct oclmm_text *ret_kernels, struct oclmm_text *ret_planted,
                 struct oclmm_text *text);

#endif
