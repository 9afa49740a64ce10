// SPDX-License-Identifier: Apache-2.0
/** \file Types, numbers, and what names stand for. */
#ifndef OCLMM_SYNTAX_SCOPE_H
#define OCLMM_SYNTAX_SCOPE_H

#include "build.h"

/* ---- types and numbers ---- */

/** The words before a name: of anything, of an object in memory, of a register; `*ret_const` of
 * oclmm_without_const() is one of the words `const`, or NULL. */
int oclmm_read_type(const struct builder *builder, const struct tree_specifier *specifiers,
                    struct build_type *ret_type);
int oclmm_read_object_type(const struct builder *builder, const struct tree_specifier *specifiers,
                           struct build_type *ret_type);
int oclmm_read_register_type(const struct builder *builder, const struct tree_specifier *specifiers,
                             enum oclmm_type *ret_type);
const struct tree_specifier *oclmm_without_const(const struct builder *builder,
                                                 const struct tree_specifier *specifiers,
                                                 const struct syntax_token **ret_const);
/** Whether words before a name say that it holds a memory order, a scope, or flags. */
bool oclmm_find_word_type(const struct tree_specifier *specifiers, enum build_word *ret_word);
/** A number word with its type in C; one that has to be a value of `type`; one that is at most
 * `most`. */
int oclmm_read_number(const struct builder *builder, const struct syntax_token *at, bool negative,
                      enum oclmm_type *ret_type, int64_t *ret_value);
int oclmm_read_constant(const struct builder *builder, const struct tree_constant *constant,
                        enum oclmm_type type, int64_t *ret_value);
int oclmm_read_count(const struct builder *builder, const struct syntax_token *at, uint32_t most,
                     uint32_t *ret_count);
uint32_t oclmm_count_values(const struct tree_constant *values);
/** Refuses a constant that is no value of the type it becomes, and conversions from and to
 * floating-point types; a constant gets such a type. */
int oclmm_check_fits(const struct builder *builder, const struct syntax_token *at,
                     struct oclmm_expression *value, enum oclmm_type type);
/** What is known of a thread's registers at a point. */
struct build_state {
	uint64_t known;
	int64_t values[SYNTAX_MAX_REGISTERS];
};
/** Whether the value is known there, or everywhere. */
bool oclmm_evaluate(const struct build_state *state, const struct oclmm_expression *expression,
                    int64_t *ret_value);
bool oclmm_constant_value(const struct oclmm_expression *expression, int64_t *ret_value);

/* ---- names ---- */

/** Reads `P1` or `1`; finds the thread that a word names, or refuses it and returns NULL. */
bool oclmm_thread_number(const char *text, uint32_t *ret_number);
struct oclmm_thread *oclmm_find_thread(const struct builder *builder,
                                       const struct syntax_token *at);
/** What a name stands for here, or NULL, or -1: see build_name; such a counter; a register; the
 * location of a parameter; a function. */
const struct build_name *oclmm_find_name(const struct builder *builder, const char *name);
const struct build_name *oclmm_find_counter(const struct builder *builder, const char *name);
int oclmm_find_register(const struct builder *builder, const char *name);
int oclmm_find_object(const struct builder *builder, const char *name);
const struct tree_function *oclmm_find_function(const struct builder *builder, const char *name);
/** What `left` of an expression `left[index]` is, or `left` itself: an array of registers or a
 * table; NULL: neither. */
const struct build_name *oclmm_find_array(const struct builder *builder,
                                          const struct tree_expression *left);
int oclmm_refuse_register(const struct builder *builder, const struct syntax_token *at);
/** Refuses a name that something here has already. */
int oclmm_check_new(const struct builder *builder, const struct syntax_token *at);
/** Declares a register of the thread or, in a function, of the function. */
int oclmm_declare_register(struct builder *builder, const struct syntax_token *name,
                           enum oclmm_type type, uint32_t *ret_register);
/** The register of an element, whose names the thread's own cannot be. */
int oclmm_add_hidden(struct builder *builder, const struct syntax_token *at, const char *name,
                     uint32_t element, enum oclmm_type type, uint32_t *ret_register);
/** A `const` whose value is known: no register, but the value wherever its name stands. */
int oclmm_declare_const(struct builder *builder, const struct syntax_token *at,
                        enum oclmm_type type, int64_t value);
/** Declares an array, whose `length` may be NULL, with a register for each element. */
int oclmm_declare_array(struct builder *builder, struct build_name *array,
                        const struct syntax_token *length, uint32_t values);
/** The elements of an array: the length that is written, or the number of values. */
int oclmm_read_elements(const struct builder *builder, const struct syntax_token *name,
                        const struct syntax_token *length, uint32_t values, uint32_t *ret_count);

#endif
