// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Toolchains that make SPIR-V of OpenCL C: clang with the translator llvm-spirv,
 * or with the back end of LLVM itself (llc), and the validator of SPIRV-Tools.
 * They are programs of the machine, found by probing and run as child processes.
 *
 * May see: process, cache, spirv.
 */
#ifndef OCLMM_RUNNER_PRODUCER_PRODUCER_H
#define OCLMM_RUNNER_PRODUCER_PRODUCER_H

#include "oclmm/spirv.h"
#include "process/wire.h"

/** A toolchain. */
struct producer;

/**
 * Finds one. \param name `llvm-spirv`, `llvm-spirv-15`, `llc-20`; NULL: the first there is
 * \return 0; -ENOENT with `error` that says what is missing or too old, and how it is had
 */
int producer_find(const char *name, struct oclmm_error *error, struct producer **ret_producer);
void producer_destroy(struct producer *producer);
/** Adds the names that producer_find() would take on this machine, each with a blank before it. */
void producer_list(struct oclmm_text *text);
/** `llvm-spirv-14 14.0.6, clang 14.0.6`: which one it is, for people and for records. */
const char *producer_words(const struct producer *producer);
/** All that tells it from others, its files among it: another build of one version is another. */
const char *producer_key(const struct producer *producer);
/** As bytes for another process of this program, and back, without looking for anything. \return
 * NULL where there is none */
void producer_pack(const struct producer *producer, struct oclmm_text *text);
struct producer *producer_unpack(struct wire_reader *reader);
/** Keeps modules there from now on; NULL: nowhere. The path stays the caller's. */
void producer_keep(struct producer *producer, const char *folder);

/** Seconds that each tool may take unless producer_limit() is called: no kernel of ours takes a
 * compiler so long. */
enum { PRODUCER_SECONDS = 30 };
/** How long each tool may take. */
void producer_limit(struct producer *producer, double seconds);

/** The version of SPIR-V that a module is to have. */
struct producer_version {
	unsigned major, minor;
};

/**
 * Makes a module of a text, or takes the one that was kept, and sees to it that
 * the validator accepts it.
 * \param options of clang, with blanks between them, in quotes where they have some
 * \return 0; -EBADMSG where a tool fails or refuses, with its first error in `error`
 */
int producer_translate(const struct producer *producer, struct producer_version version,
                       const char *options, const char *source, struct oclmm_error *error,
                       struct oclmm_text *ret_module);
/** The same of a kernel's own text: names and lines stay in the module, and `error` has the
 * compiler's whole message. SPIR-V 1.2. */
int producer_translate_lines(const struct producer *producer, const char *options,
                             const char *source, struct oclmm_error *error,
                             struct oclmm_text *ret_module);
/**
 * The text behind its directives: what it includes stands in it, comments do not, and what OpenCL C
 * itself declares keeps its name.
 * \return 0; -EBADMSG where the compiler refuses it
 */
int producer_preprocess(const struct producer *producer, const char *options, const char *source,
                        struct oclmm_error *error, struct oclmm_text *ret_text);
/**
 * Adds the module as text.
 * \return 0; -ENOENT without a disassembler; -EBADMSG where it fails
 */
int producer_disassemble(const struct producer *producer, const struct oclmm_text *module,
                         struct oclmm_error *error, struct oclmm_text *text);

#endif
