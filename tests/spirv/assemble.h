// SPDX-License-Identifier: Apache-2.0
/* Modules of SPIR-V, word by word. */
#ifndef OCLMM_TESTS_SPIRV_ASSEMBLE_H
#define OCLMM_TESTS_SPIRV_ASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

enum {
	ASSEMBLED_WORDS = 512,
	ASSEMBLED_NUMBERS = 64, /* ids from here on are the constants 0, 1, … */
	ASSEMBLED_BOUND = 128,
};

struct assembled {
	uint32_t words[ASSEMBLED_WORDS];
	size_t count;
};

/* The head of a module of SPIR-V 1.2. */
void assemble_head(struct assembled *module);
/* An instruction of so many operands. Returns the word it begins at. */
size_t assemble(struct assembled *module, uint32_t opcode, const uint32_t *operands, size_t count);
#define ASSEMBLE(module, opcode, ...)                                                              \
	assemble(module, opcode, (const uint32_t[]){__VA_ARGS__},                                  \
	         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* OpName; the text ends in a word of its own where it has to. */
void assemble_name(struct assembled *module, uint32_t id, const char *name);
/* A constant of one word; its id, which depends on the value alone. Values below 0x40. */
uint32_t assemble_number(struct assembled *module, uint32_t value);
void assemble_begin(struct assembled *module, uint32_t id);
void assemble_end(struct assembled *module);

#endif
