// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Changes of programs, as a compiler, a driver or a machine makes them that is wrong: single steps,
 * each at a place of a copy that is the caller's (oclmm_program_copy()).
 */
#ifndef OCLMM_CHANGE_H
#define OCLMM_CHANGE_H

#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- what statements do ------------------------------------------------ */

/** What a statement does, the bodies inside included. Registers beyond 63 share the last bit. */
struct oclmm_effects {
	uint64_t reads, writes; /**< registers, as oclmm_register_bit() */
	unsigned accesses;      /**< to memory, in the text */
	uint32_t location;      /**< of the last of them */
	bool synchronises;      /**< a fence or a barrier */
};
uint64_t oclmm_register_bit(uint32_t reg);
struct oclmm_effects oclmm_statement_effects(const struct oclmm_statement *statement);
/** Whether one of two statements needs a register that the other one writes. */
bool oclmm_effects_depend(const struct oclmm_effects *a, const struct oclmm_effects *b);
/** Whether a statement only computes with registers. */
bool oclmm_is_arithmetic(const struct oclmm_statement *statement);

/* ---- steps ------------------------------------------------------------- */

/** The thread of a copy that is changed, and where what is new comes from. */
struct oclmm_edit {
	struct oclmm_program *program;
	struct oclmm_arena *arena;
	uint32_t thread;
};

/** Two statements change places; `first` stands before `second`. */
void oclmm_change_exchange(struct oclmm_statement **first, struct oclmm_statement **second);
/** Moves a statement before or `behind` another one, which is no part of it. */
void oclmm_change_move(struct oclmm_statement **from, struct oclmm_statement **to, bool behind);
void oclmm_change_drop(struct oclmm_statement **link);
/** A load takes its value from a register instead. */
void oclmm_change_reuse(const struct oclmm_edit *edit, struct oclmm_statement *load, uint32_t reg);

/** Whether a statement is a read-modify-write alone, and one that can be taken apart into a load
 * and a store. */
bool oclmm_change_can_split(const struct oclmm_statement *statement);
void oclmm_change_split(const struct oclmm_edit *edit, struct oclmm_statement **link);
/** The same for a load or store of 64 bits, which becomes two of 32. */
bool oclmm_change_can_halve(const struct oclmm_program *program,
                            const struct oclmm_statement *statement);
void oclmm_change_halve(const struct oclmm_edit *edit, struct oclmm_statement **link);
/** A read-modify-write whose value is of a load of its own. */
bool oclmm_change_can_reload(const struct oclmm_statement *statement);
void oclmm_change_reload(const struct oclmm_edit *edit, struct oclmm_statement **link);
/** Whether a branch can be taken always: no other way, no barrier in it. */
bool oclmm_change_can_always(const struct oclmm_statement *statement);
void oclmm_change_always(struct oclmm_statement **link);
/** Whether a statement stores just what a register holds. */
bool oclmm_change_stores_register(const struct oclmm_statement *statement, uint32_t *ret_register);
/** Makes a load twice, the second time for the store. */
void oclmm_change_again(const struct oclmm_edit *edit, struct oclmm_statement *store,
                        struct oclmm_statement *load);
/** Makes the first statement of a branch stand before the statement at `to`. */
void oclmm_change_hoist(const struct oclmm_edit *edit, struct oclmm_statement **from,
                        struct oclmm_statement **to);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
