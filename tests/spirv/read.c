// SPDX-License-Identifier: Apache-2.0
/* Modules that were put together by hand, whole and damaged. */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "assemble.h"
#include "oclmm/spirv.h"

enum { LOAD = 227, STORE = 228, EXCHANGE_IF = 230, MEMORY_BARRIER = 225, CONTROL_BARRIER = 224 };

static struct oclmm_spirv_module *read_well(const struct assembled *module)
{
	struct oclmm_spirv_module *read = NULL;
	struct oclmm_error error;

	assert_int_equal(oclmm_spirv_read(module->words, module->count * sizeof(uint32_t), &error,
	                                  &read),
	                 0);
	return read;
}

/* Two functions, the second with each form of operands. */
static void assemble_all(struct assembled *module)
{
	uint32_t device, group, sub_group, relaxed, acquire, release, both;

	assemble_head(module);
	assemble_name(module, 10, "empty");
	assemble_name(module, 11, "P0_part12"); /* 9 bytes, and the end in a word of its own */
	device = assemble_number(module, 1);
	group = assemble_number(module, 2);
	sub_group = assemble_number(module, 3);
	relaxed = assemble_number(module, 0);
	acquire = group; /* the number 2 is both */
	release = assemble_number(module, 4);
	both = assemble_number(module, 8);
	assemble_begin(module, 10);
	assemble_end(module);
	assemble_begin(module, 11);
	ASSEMBLE(module, LOAD, 1, 20, 21, device, acquire);
	ASSEMBLE(module, STORE, 21, group, release, 22);
	ASSEMBLE(module, EXCHANGE_IF, 1, 23, 21, device, both, relaxed, 22, 20);
	ASSEMBLE(module, MEMORY_BARRIER, device, both);
	ASSEMBLE(module, CONTROL_BARRIER, sub_group, group, both);
	assemble_end(module);
}

TEST(operations_are_read)
{
	struct assembled module;
	struct oclmm_spirv_module *read;
	const struct oclmm_spirv_function *function;
	const struct oclmm_spirv_operation *o;

	assemble_all(&module);
	read = read_well(&module);
	assert_int_equal(read->major, 1);
	assert_int_equal(read->minor, 2);
	assert_int_equal(read->count, 2);
	assert_int_equal(oclmm_spirv_find(read, "empty")->count, 0);
	assert_null(oclmm_spirv_find(read, "P0"));
	function = oclmm_spirv_find(read, "P0_part12");
	assert_non_null(function);
	assert_int_equal(function->count, 5);
	o = function->operations;
	assert_string_equal(o[0].name, "OpAtomicLoad");
	assert_int_equal(o[0].scope, 1);
	assert_int_equal(o[0].semantics, OCLMM_SPIRV_ACQUIRE);
	assert_int_equal(o[0].unequal, OCLMM_SPIRV_UNKNOWN);
	assert_int_equal(module.words[o[0].word] & 0xffff, LOAD);
	assert_string_equal(o[1].name, "OpAtomicStore");
	assert_int_equal(o[1].scope, 2);
	assert_int_equal(o[1].semantics, OCLMM_SPIRV_RELEASE);
	assert_int_equal(o[2].semantics, OCLMM_SPIRV_ACQUIRE_RELEASE);
	assert_int_equal(o[2].unequal, 0);
	assert_int_equal(o[3].scope, 1);
	assert_int_equal(o[3].execution, OCLMM_SPIRV_UNKNOWN);
	assert_int_equal(o[4].execution, 3);
	assert_int_equal(o[4].scope, 2);
	assert_int_equal(o[4].semantics, OCLMM_SPIRV_ACQUIRE_RELEASE);
	oclmm_spirv_destroy(read);
}

/* A specialisation constant may become another number: it says nothing. */
TEST(what_is_no_constant_is_unknown)
{
	enum { SPEC_CONSTANT = 50, CONSTANT_NULL = 46 };
	struct assembled module;
	struct oclmm_spirv_module *read;

	assemble_head(&module);
	ASSEMBLE(&module, SPEC_CONSTANT, 1, 30, 1);
	ASSEMBLE(&module, CONSTANT_NULL, 1, 31);
	assemble_begin(&module, 10);
	ASSEMBLE(&module, MEMORY_BARRIER, 30, 31);
	assemble_end(&module);
	read = read_well(&module);
	assert_string_equal(read->functions[0].name, "");
	assert_int_equal(read->functions[0].operations[0].scope, OCLMM_SPIRV_UNKNOWN);
	assert_int_equal(read->functions[0].operations[0].semantics, 0);
	oclmm_spirv_destroy(read);
}

/* A kernel may be wrapped: the entry point's name is then another function's. */
TEST(entry_points_name_what_has_no_name)
{
	enum { ENTRY_POINT = 15 };
	struct assembled module;
	struct oclmm_spirv_module *read;

	assemble_head(&module);
	ASSEMBLE(&module, ENTRY_POINT, 6, 12, 0x74736574 /* "test" */, 0);
	ASSEMBLE(&module, ENTRY_POINT, 6, 13, 0x6b, 0); /* "k" */
	assemble_name(&module, 11, "test");
	for (uint32_t id = 11; id < 14; id++) {
		assemble_begin(&module, id);
		assemble_end(&module);
	}
	read = read_well(&module);
	assert_string_equal(read->functions[0].name, "test");
	assert_string_equal(read->functions[1].name, "");
	assert_string_equal(read->functions[2].name, "k");
	oclmm_spirv_destroy(read);
}

/* ---- refused ---- */

static void refuse(const void *bytes, size_t length, const char *why)
{
	struct oclmm_spirv_module *read = NULL;
	struct oclmm_error error;

	assert_int_equal(oclmm_spirv_read(bytes, length, &error, &read), -EINVAL);
	assert_null(read);
	assert_non_null(strstr(error.message, why));
}

TEST(damaged_heads_are_refused)
{
	struct assembled module;

	assemble_all(&module);
	refuse("", 0, "shorter than a head");
	refuse(module.words, 16, "shorter than a head");
	refuse(module.words, module.count * sizeof(uint32_t) - 1, "within a word");
	module.words[0] = 0x03022307;
	refuse(module.words, module.count * sizeof(uint32_t), "other way round");
	module.words[0] = 0x07230204;
	refuse(module.words, module.count * sizeof(uint32_t), "magic number");
	assemble_all(&module);
	module.words[3] = 0;
	refuse(module.words, module.count * sizeof(uint32_t), "bound");
	module.words[3] = 0xffffffff;
	refuse(module.words, module.count * sizeof(uint32_t), "bound");
}

/* Wherever it is cut, it is refused, but for the ends of instructions outside of functions. */
TEST(truncated_modules_are_refused)
{
	struct assembled module;
	size_t refused = 0;

	assemble_all(&module);
	for (size_t words = 0; words < module.count; words++) {
		struct oclmm_spirv_module *read = NULL;
		struct oclmm_error error;

		if (oclmm_spirv_read(module.words, words * sizeof(uint32_t), &error, &read) < 0)
			refused++;
		else
			oclmm_spirv_destroy(read);
	}
	/* well: behind the head, each of 2 names and 6 constants, and the end of the first function
	 */
	assert_int_equal(module.count - refused, 10);
}

TEST(damaged_instructions_are_refused)
{
	struct assembled module;
	size_t at;

	assemble_head(&module);
	module.words[module.count++] = 0;
	refuse(module.words, module.count * sizeof(uint32_t), "ends where none can");
	assemble_head(&module);
	at = ASSEMBLE(&module, STORE, 21, 1, 2, 22);
	refuse(module.words, module.count * sizeof(uint32_t), "outside of functions");
	assemble_head(&module);
	assemble_begin(&module, 10);
	at = ASSEMBLE(&module, STORE, 21, 1, 2);
	assemble_end(&module);
	refuse(module.words, module.count * sizeof(uint32_t), "without all its operands");
	module.words[at] |= 0xffffu << 16;
	refuse(module.words, module.count * sizeof(uint32_t), "ends where none can");
	assemble_head(&module);
	assemble_begin(&module, 10);
	refuse(module.words, module.count * sizeof(uint32_t), "does not end");
	assemble_begin(&module, 11);
	refuse(module.words, module.count * sizeof(uint32_t), "inside a function");
	assemble_head(&module);
	assemble_end(&module);
	refuse(module.words, module.count * sizeof(uint32_t), "did not begin");
	assemble_head(&module);
	assemble_begin(&module, ASSEMBLED_BOUND);
	refuse(module.words, module.count * sizeof(uint32_t), "without an id");
	assemble_head(&module);
	ASSEMBLE(&module, 5, 10, 0x61616161);
	refuse(module.words, module.count * sizeof(uint32_t), "a name without");
}
