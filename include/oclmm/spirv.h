// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What a SPIR-V module says of memory: its atomics, fences and barriers with
 * their orders and scopes, and whether they are those of the program whose
 * kernels it has. A producer that says something else than the program is told
 * from a driver that does something else than the module.
 *
 * Instructions and their numbers are those of the SPIR-V specification, 1.6,
 * section 3; what they mean to OpenCL is in the OpenCL SPIR-V environment
 * specification.
 */
#ifndef OCLMM_SPIRV_H
#define OCLMM_SPIRV_H

#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Bits of memory semantics: X(enumerator, bit). */
#define OCLMM_SPIRV_SEMANTICS(X)                                                                   \
	X(ACQUIRE, 0x2)                                                                            \
	X(RELEASE, 0x4)                                                                            \
	X(ACQUIRE_RELEASE, 0x8)                                                                    \
	X(SEQUENTIALLY_CONSISTENT, 0x10)                                                           \
	X(WORKGROUP_MEMORY, 0x100)                                                                 \
	X(CROSS_WORKGROUP_MEMORY, 0x200)                                                           \
	X(IMAGE_MEMORY, 0x800)

enum oclmm_spirv_semantics {
#define OCLMM_X(name, bit) OCLMM_SPIRV_##name = bit,
	OCLMM_SPIRV_SEMANTICS(OCLMM_X)
#undef OCLMM_X
};

/** In the place of an operand: the instruction has none, or it is no constant. */
#define OCLMM_SPIRV_UNKNOWN UINT32_MAX

/** An instruction that orders memory. Scopes and semantics are SPIR-V's numbers. */
struct oclmm_spirv_operation {
	const char *name; /**< `OpAtomicStore` */
	uint16_t opcode;
	uint32_t word;      /**< where it stands in the module, in words from 0 */
	uint32_t execution; /**< scope of those who wait; control barriers only */
	uint32_t scope;
	uint32_t semantics;
	uint32_t unequal; /**< semantics of a compare-exchange that fails */
};

/** A function of a module. */
struct oclmm_spirv_function {
	const char *name; /**< never NULL; empty where it has none */
	struct oclmm_spirv_operation *operations;
	size_t count; /**< of these, in the order of the module */
};

struct oclmm_spirv_module {
	uint32_t major, minor; /**< of SPIR-V */
	struct oclmm_spirv_function *functions;
	size_t count;
	struct oclmm_arena *arena; /**< which all of it lives in */
};

/**
 * Reads a module. \return 0; -EINVAL for what is none, with the reason in `error`.
 */
int oclmm_spirv_read(const void *bytes, size_t length, struct oclmm_error *error,
                     struct oclmm_spirv_module **ret_module);
void oclmm_spirv_destroy(struct oclmm_spirv_module *module);
/** The function of a name, or NULL. */
const struct oclmm_spirv_function *oclmm_spirv_find(const struct oclmm_spirv_module *module,
                                                    const char *name);

/** What was compared. */
struct oclmm_spirv_found {
	uint32_t operations; /**< of the program, that are in the module as the program has them */
	/** of them, those whose semantics do not name the memory that they are about: that is the
	 * producer's, and no difference of order or scope */
	uint32_t classless;
};

/**
 * Compares the functions `P0` … and the kernel `oclmm_test` of a generated text
 * (codegen.h) with the program: each atomic operation, fence and barrier has to be
 * there, in the program's order, with the program's order and scope, and no other.
 * \param threads which of them the text plays, 1u << index
 * \param suffix what follows the names of functions in this text
 * \return 0; -EBADMSG with the first difference in `error`
 */
int oclmm_spirv_check(const struct oclmm_spirv_module *module, const struct oclmm_program *program,
                      uint32_t threads, const char *suffix, struct oclmm_error *error,
                      struct oclmm_spirv_found *ret_found);
/**
 * Whether a module has as many barriers as a text of OpenCL C calls of functions for them; which
 * they are, the check of each program says.
 * \return 0 or -EBADMSG
 */
int oclmm_spirv_check_barriers(const struct oclmm_spirv_module *module, const char *source,
                               struct oclmm_error *error);

/**
 * Takes from a module, well-formed or not, the instructions of extended sets other than OpenCL's
 * own: what describes types and variables for debuggers, which not every validator knows. And the
 * hints on loops, which kernels need not have and translators place where validators refuse them.
 * Lines stay.
 */
void oclmm_spirv_strip(struct oclmm_text *module);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
