// SPDX-License-Identifier: Apache-2.0
#include "assemble.h"

#include <assert.h>
#include <string.h>

enum { OP_NAME = 5, OP_CONSTANT = 43, OP_FUNCTION = 54, OP_FUNCTION_END = 56 };

void assemble_head(struct assembled *module)
{
	static const uint32_t head[] = {0x07230203, 0x00010200, 0, ASSEMBLED_BOUND, 0};

	memcpy(module->words, head, sizeof(head));
	module->count = sizeof(head) / sizeof(*head);
}

size_t assemble(struct assembled *module, uint32_t opcode, const uint32_t *operands, size_t count)
{
	size_t begin = module->count;

	assert(begin + 1 + count <= ASSEMBLED_WORDS);
	module->words[module->count++] = (uint32_t)(count + 1) << 16 | opcode;
	for (size_t i = 0; i < count; i++)
		module->words[module->count++] = operands[i];
	return begin;
}

void assemble_name(struct assembled *module, uint32_t id, const char *name)
{
	uint32_t operands[16] = {id};

	assert(strlen(name) < 60);
	strcpy((char *)(operands + 1), name);
	assemble(module, OP_NAME, operands, 1 + strlen(name) / sizeof(uint32_t) + 1);
}

uint32_t assemble_number(struct assembled *module, uint32_t value)
{
	uint32_t id = ASSEMBLED_NUMBERS + value;

	assert(id < ASSEMBLED_BOUND);
	ASSEMBLE(module, OP_CONSTANT, 1, id, value);
	return id;
}

void assemble_begin(struct assembled *module, uint32_t id)
{
	ASSEMBLE(module, OP_FUNCTION, 2, id, 0, 3);
}

void assemble_end(struct assembled *module)
{
	assemble(module, OP_FUNCTION_END, NULL, 0);
}
