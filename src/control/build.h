// SPDX-License-Identifier: Apache-2.0
/* Makers of the statements and expressions that a wrong step puts into a copy of a program. */
#ifndef OCLMM_CONTROL_BUILD_H
#define OCLMM_CONTROL_BUILD_H

#include "internal.h"

/* What is built into: the copy, and where the next statement goes. */
struct builder {
	struct oclmm_program *program;
	struct oclmm_arena *arena;
	uint32_t thread;
	struct oclmm_statement **link;
	struct oclmm_position position;
};

/* The call that a statement is, where it is nothing else; NULL for any other. */
const struct oclmm_atomic *control_call(const struct oclmm_statement *statement);
/* Whether an expression, or none, may stand twice in the text. */
bool control_is_value(const struct oclmm_expression *e);

struct oclmm_expression *control_constant(const struct builder *b, enum oclmm_type type,
                                          int64_t value);
struct oclmm_expression *control_read_register(const struct builder *b, uint32_t reg);
struct oclmm_expression *control_binary(const struct builder *b, enum oclmm_operator op,
                                        enum oclmm_type type, struct oclmm_expression *left,
                                        struct oclmm_expression *right);
struct oclmm_expression *control_cast(const struct builder *b, enum oclmm_type type,
                                      struct oclmm_expression *value);
/* Statements, each behind the last one. */
void control_assign(struct builder *b, uint32_t reg, struct oclmm_expression *value);
/* The load and the store that a call is taken apart into. */
void control_load(struct builder *b, const struct oclmm_atomic *from, uint32_t reg);
void control_store(struct builder *b, const struct oclmm_atomic *from,
                   struct oclmm_expression *value);
struct oclmm_statement *control_branch(struct builder *b, struct oclmm_expression *condition);
/* One that nothing observes and no parameter hides. */
uint32_t control_new_register(struct builder *b, enum oclmm_type type);

#endif
