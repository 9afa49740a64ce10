// SPDX-License-Identifier: Apache-2.0
/** \file Expressions and statements. */
#ifndef OCLMM_SYNTAX_EXPRESSION_H
#define OCLMM_SYNTAX_EXPRESSION_H

#include "scope.h"

/* ---- expressions ---- */

/** The first word of an expression, where a caret belongs. */
const struct syntax_token *oclmm_first_word(const struct tree_expression *tree);
/** An expression of which nothing else is known yet, a known value, a register. */
struct oclmm_expression *oclmm_make_node(struct builder *builder, enum oclmm_expression_kind kind,
                                         enum oclmm_type type, const struct syntax_token *at);
struct oclmm_expression *oclmm_make_known(struct builder *builder, const struct syntax_token *at,
                                          enum oclmm_type type, int64_t value);
struct oclmm_expression *oclmm_make_register(struct builder *builder, const struct syntax_token *at,
                                             uint32_t reg);
/** A value; and one that becomes a value of `type`. */
struct oclmm_expression *oclmm_read_expression(struct builder *builder,
                                               const struct tree_expression *tree);
int oclmm_read_value(struct builder *builder, const struct tree_expression *tree,
                     enum oclmm_type type, struct oclmm_expression **ret_value);
/** What designates an object by pointer, `x`, `&a[1]`; an lvalue in memory, `*x`, `a[1]`; the index
 * of an element, NULL for the first one. */
int oclmm_read_pointer(struct builder *builder, const struct tree_expression *tree,
                       struct oclmm_place *ret_place);
int oclmm_read_object(struct builder *builder, const struct tree_expression *tree,
                      struct oclmm_place *ret_place);
int oclmm_read_index(struct builder *builder, const struct tree_expression *tree,
                     const struct oclmm_location *location, struct oclmm_expression *base,
                     struct oclmm_expression **ret_index);
/** How a pointer is declared that oclmm_read_pointer() took; of a choice, what both are. */
struct build_type oclmm_pointer_type(const struct builder *builder,
                                     const struct tree_expression *tree);
/** What a pointer is that a function is given, or that is declared: `name` has a name. */
int oclmm_bind_pointer(struct builder *builder, const struct tree_expression *tree,
                       const struct tree_specifier *specifiers, struct build_name *name);
/** The register that `left[index]` designates and that is to be written. */
int oclmm_read_element(struct builder *builder, const struct tree_expression *tree,
                       const struct build_name *array, uint32_t *ret_register);
/** A memory order, a scope, flags: words, or what stands for one. */
int oclmm_read_order(struct builder *builder, const struct tree_expression *tree,
                     enum oclmm_order *ret_order);
int oclmm_read_scope(struct builder *builder, const struct tree_expression *tree,
                     enum oclmm_scope *ret_scope);
int oclmm_read_flags(struct builder *builder, const struct tree_expression *tree,
                     unsigned *ret_flags);
/** Whether flags are computed when the call runs, `k`, `k | CLK_LOCAL_MEM_FENCE`, and no words. */
bool oclmm_are_flags_value(const struct builder *builder, const struct tree_expression *flags);
/** What they are then. Words are numbers on every compiler, as clang's opencl-c-base.h has them. */
enum { VALUE_LOCAL = 1, VALUE_GLOBAL = 2 };
int oclmm_read_flags_value(struct builder *builder, const struct tree_expression *flags,
                           struct oclmm_expression **ret_value);
/** What a name is to hold, a word or what stands for one; the declaration of such a name. */
int oclmm_read_word(struct builder *builder, const struct tree_expression *tree,
                    enum build_word word, struct build_name *name);
int oclmm_declare_word(struct builder *builder, const struct tree_statement *tree,
                       enum build_word word);
/** The construct that has a function of this name, or NULL. */
const struct construct *oclmm_find_construct(const struct builder *builder, const char *name);

/* ---- what C evaluates in no order ---- */

extern const char oclmm_assign_first[]; /**< what to write in place of it */
bool oclmm_has_access(const struct oclmm_expression *expression);
/** Adds the registers of an expression, which may be NULL. */
void oclmm_add_used(struct build_used *used, const struct oclmm_expression *expression);
/** Adds what stands beside the others, unless one of the two may set what the other uses. */
int oclmm_check_used(const struct builder *builder, const struct syntax_token *at,
                     struct build_used *all, const struct build_used *more);
/** The same for all that stands beside each other in the expressions of one statement, and in the
 * calls before it. */
int oclmm_check_registers(const struct builder *builder, const struct syntax_token *at,
                          struct build_used calls, const struct oclmm_statement *statement);
/** A call and an access of memory in one expression have no order. */
int oclmm_check_full(const struct builder *builder, const struct syntax_token *at,
                     const struct oclmm_statement *statement);

/* ---- statements ---- */

/** What tells a word from all others of the variant; not 0. */
static inline uint32_t oclmm_written(const struct builder *builder, const struct syntax_token *at)
{
	return (uint32_t)(builder->tree->end - at);
}
/** A statement of which nothing else is known yet; `register = value`. */
struct oclmm_statement *oclmm_make_statement(struct builder *builder,
                                             enum oclmm_statement_kind kind,
                                             const struct syntax_token *at);
struct oclmm_statement *oclmm_make_assign(struct builder *builder, const struct syntax_token *at,
                                          uint32_t reg, struct oclmm_expression *value);
/** The body of a function or thread that is called `at`. */
int oclmm_read_body(struct builder *builder, const struct syntax_token *at,
                    const struct tree_statement *body, struct oclmm_statement **ret_first);
/** Whether a name of the init block is that of an argument which a shared text takes by value. */
bool oclmm_is_value_argument(const struct builder *builder, const struct syntax_token *name);
/** Whether it calls a collective function; a register that is set to what such a call gives. */
bool oclmm_is_collective(const struct tree_expression *tree);
int oclmm_read_collective(struct builder *builder, const struct tree_statement *tree,
                          const struct syntax_token *at, uint32_t reg,
                          struct oclmm_statement **ret_statement);
/** Whether a name is that of an event of copies. */
bool oclmm_names_event(const struct builder *builder, const char *name);

#endif
