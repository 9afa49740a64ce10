// SPDX-License-Identifier: Apache-2.0
/*
 * The code in what a driver gives as the binary of a program: PTX of NVIDIA's, which is text, and
 * of PoCL's an archive in which a shared object stands for each kernel, for objdump.
 */
#include "driver.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- shared objects --------------------------------------------------------- */

struct object {
	const char *bytes;
	size_t size;
	unsigned machine;
};

/* The next one at or behind `at`; they stand in the archive as they would in a file. */
static bool next_object(const struct oclmm_text *binary, size_t at, struct object *ret_object)
{
	const char *bytes = oclmm_text_string(binary);

	while (at + sizeof(Elf64_Ehdr) <= binary->length) {
		const char *found = memmem(bytes + at, binary->length - at, ELFMAG, SELFMAG);
		Elf64_Ehdr head;
		uint64_t size;

		if (!found || (size_t)(bytes + binary->length - found) < sizeof(head))
			return false;
		memcpy(&head, found, sizeof(head));
		size = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
		if (head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_type == ET_DYN &&
		    size >= sizeof(head) && size <= (uint64_t)(bytes + binary->length - found)) {
			*ret_object = (struct object){.bytes = found,
			                              .size = size,
			                              .machine = head.e_machine};
			return true;
		}
		at = (size_t)(found - bytes) + 1;
	}
	return false;
}

static bool write_object(const struct object *object, const char *path)
{
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return false;
	written = fwrite(object->bytes, 1, object->size, file) == object->size;
	return fclose(file) == 0 && written;
}

static int dump_object(const struct object *object, const char *path,
                       struct tool_patience *patience, const char *tool, struct oclmm_error *error,
                       struct oclmm_text *ret_text)
{
	const char *const arguments[] = {tool, "-d", "--no-show-raw-insn", path, NULL};
	struct oclmm_text nothing = {0}, said = {0};
	int r = 0;

	if (!write_object(object, path))
		return oclmm_error_set(error, -EBADMSG, "cannot write %s", path);
	r = tool_run(arguments, patience, &nothing, error, &said);
	if (r == 0)
		oclmm_text_add_bytes(ret_text, oclmm_text_string(&said), said.length);
	oclmm_text_finish(&said);
	return r;
}

static int dump_objects(const struct oclmm_text *binary, struct tool_patience *patience,
                        struct oclmm_error *error, struct oclmm_text *ret_text)
{
	char *tool = tool_find("objdump");
	const char *folder = getenv("TMPDIR");
	struct object object;
	char *path;
	size_t at = 0;
	int r = 0, file;

	if (!tool)
		tool = tool_find("llvm-objdump");
	if (!tool)
		return oclmm_error_set(error, -ENODEV,
		                       "no objdump, which reads the driver's code (binutils)");
	if (asprintf(&path, "%s/oclmm-code-XXXXXX", folder && *folder ? folder : "/tmp") < 0)
		oclmm_no_memory();
	file = mkstemp(path);
	if (file < 0)
		r = oclmm_error_set(error, -ENODEV, "cannot write %s: %s", path, strerror(errno));
	while (r == 0 && next_object(binary, at, &object)) {
		r = dump_object(&object, path, patience, tool, error, ret_text);
		at = (size_t)(object.bytes - oclmm_text_string(binary)) + object.size;
	}
	if (file >= 0) {
		close(file);
		unlink(path);
	}
	free(path);
	free(tool);
	return r;
}

/* ---- binaries ------------------------------------------------------------------ */

static bool is_ptx(const struct oclmm_text *binary)
{
	size_t length = binary->length < 4096 ? binary->length : 4096;

	return memmem(oclmm_text_string(binary), length, ".version ", 9) &&
	       memmem(oclmm_text_string(binary), length, ".target sm_", 11);
}

const char *driver_machine(const struct oclmm_text *binary)
{
	struct object object;

	if (is_ptx(binary))
		return "ptx";
	if (!next_object(binary, 0, &object))
		return NULL;
	return object.machine == EM_X86_64    ? "x86-64"
	       : object.machine == EM_AARCH64 ? "aarch64"
	                                      : NULL;
}

int driver_text(const struct oclmm_text *binary, struct tool_patience *patience,
                struct oclmm_error *error, struct oclmm_text *ret_text)
{
	if (!is_ptx(binary))
		return dump_objects(binary, patience, error, ret_text);
	/* behind the text stands a zero */
	oclmm_text_add_bytes(ret_text, oclmm_text_string(binary),
	                     strnlen(oclmm_text_string(binary), binary->length));
	return 0;
}
