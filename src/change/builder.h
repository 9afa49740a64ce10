// SPDX-License-Identifier: Apache-2.0
/* Makers of the statements and expressions that a step puts into a copy of a program. */
#ifndef OCLMM_CHANGE_BUILDER_H
#define OCLMM_CHANGE_BUILDER_H

#include "oclmm/change.h"

/* What is built into: the copy, and where the next statement goes. */
struct builder {
	struct oclmm_program *program;
	struct oclmm_arena *arena;
	uint32_t thread;
	struct oclmm_statement **link;
	struct oclmm_position position;
};

/* Gives a call another order, and a compare-exchange one of failure, or another scope; the function
 * becomes the one that has them written. */
void oclmm_build_set_order(struct oclmm_arena *arena, struct oclmm_atomic *atomic,
                           enum oclmm_order order, enum oclmm_order failure);
void oclmm_build_set_scope(struct oclmm_arena *arena, struct oclmm_atomic *atomic,
                           enum oclmm_scope scope);

struct oclmm_expression *oclmm_build_read_register(const struct builder *b, uint32_t reg);
struct oclmm_expression *oclmm_build_binary(const struct builder *b, enum oclmm_operator op,
                                            enum oclmm_type type, struct oclmm_expression *left,
                                            struct oclmm_expression *right);
/* With which an update computes what it stores, or OCLMM_OPERATOR_COUNT. */
enum oclmm_operator oclmm_build_operator(enum oclmm_operation op);
/* Statements, each behind the last one. */
void oclmm_build_assign(struct builder *b, uint32_t reg, struct oclmm_expression *value);
/* The load and the store that a call is taken apart into. */
void oclmm_build_load(struct builder *b, const struct oclmm_atomic *from, uint32_t reg);
void oclmm_build_store(struct builder *b, const struct oclmm_atomic *from,
                       struct oclmm_expression *value);
struct oclmm_statement *oclmm_build_branch(struct builder *b, struct oclmm_expression *condition);
/* One that nothing observes and no parameter hides. */
uint32_t oclmm_build_new_register(struct builder *b, enum oclmm_type type);

/* The order that a change gives an operation, a failing compare-exchange or a fence in place of its
 * own. */
enum oclmm_order oclmm_weaker_order(enum oclmm_what what, enum oclmm_function_kind kind,
                                    bool failure, enum oclmm_order order);

#endif
