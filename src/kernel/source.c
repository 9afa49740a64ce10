// SPDX-License-Identifier: Apache-2.0
/* What a kernel's file says of its launch, and what a compiler reads of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- options ---------------------------------------------------------------- */

static bool read_sizes(const char *value, unsigned sizes[3])
{
	for (unsigned i = 0; i < 3; i++) {
		char *end;
		unsigned long n = strtoul(value, &end, 10);

		if (end == value || *value == '-' || n > 1 << 20)
			return false;
		sizes[i] = (unsigned)n;
		if (!*end)
			return true;
		if (*end != ',' && *end != 'x')
			return false;
		value = end + 1;
	}
	return false;
}

int oclmm_kernel_option(struct oclmm_kernel_setup *setup, const char *name, const char *value,
                        struct oclmm_error *error)
{
	bool fits = true;
	unsigned number[3] = {0};

	if (strcmp(name, "kernel") == 0)
		setup->kernel = value;
	else if (strcmp(name, "global") == 0)
		fits = read_sizes(value, setup->global) && setup->global[0];
	else if (strcmp(name, "local") == 0)
		fits = read_sizes(value, setup->local) && setup->local[0];
	else if (strcmp(name, "offset") == 0)
		fits = read_sizes(value, setup->offset);
	else if (strcmp(name, "sub-group") == 0 || strcmp(name, "unroll") == 0) {
		fits = read_sizes(value, number) && !number[1];
		*(name[0] == 's' ? &setup->sub_group : &setup->unroll) = number[0];
	} else if (strcmp(name, "legacy-scope") == 0) {
		bool device = strcmp(value, "device") == 0;

		fits = device || strcmp(value, "work_group") == 0;
		setup->legacy_scope = device ? OCLMM_SCOPE_DEVICE : OCLMM_SCOPE_WORK_GROUP;
	} else if (strcmp(name, "arg") == 0) {
		fits = strchr(value, '=') && setup->argument_count < OCLMM_KERNEL_MAX_ARGUMENTS;
		if (fits)
			setup->arguments[setup->argument_count++] = value;
	} else if (strcmp(name, "ask") == 0) {
		fits = setup->ask_count < OCLMM_KERNEL_MAX_ASKS;
		if (fits)
			setup->asks[setup->ask_count++] = value;
	} else {
		return 0;
	}
	if (!fits)
		return oclmm_error_set(error, -EINVAL, "--%s: `%s` is not understood", name, value);
	return 1;
}

static const char *next_word(struct oclmm_arena *arena, const char **at)
{
	char *word = oclmm_quoted_word(at);
	const char *kept = word ? oclmm_arena_strdup(arena, word) : NULL;

	free(word);
	return kept;
}

/* Options of the compiler are words, in quotes where they need them. */
static void add_option(struct oclmm_text *options, const char *word)
{
	oclmm_text_add(options, " ");
	if (!*word || strpbrk(word, " \t'\"\\"))
		oclmm_text_add_quoted(options, word);
	else
		oclmm_text_add(options, word);
}

static int read_head_line(struct oclmm_arena *arena, struct oclmm_kernel_setup *setup,
                          const char *at, struct oclmm_text *options, struct oclmm_error *error)
{
	const char *word;

	while ((word = next_word(arena, &at))) {
		const char *value;
		int r;

		if (strncmp(word, "--", 2) != 0) { /* an option of the compiler */
			add_option(options, word);
			continue;
		}
		value = strchr(word, '=');
		if (value && strncmp(word, "--arg", 5) != 0 && strncmp(word, "--ask", 5) != 0) {
			char *name = oclmm_arena_strndup(arena, word, (size_t)(value - word));

			word = name;
			value++;
		} else {
			value = next_word(arena, &at);
		}
		if (!value)
			return oclmm_error_set(error, -EINVAL, "%s takes a value", word);
		if (strcmp(word, "--build") == 0) { /* as on the command line */
			oclmm_text_printf(options, " %s", value);
			continue;
		}
		r = oclmm_kernel_option(setup, word + 2, value, error);
		if (r == 0)
			r = oclmm_error_set(error, -EINVAL, "there is no option %s", word);
		if (r < 0)
			return r;
	}
	return 0;
}

int oclmm_kernel_head(struct oclmm_arena *arena, const char *path, const char *text,
                      struct oclmm_kernel_setup *setup, struct oclmm_text *options,
                      struct oclmm_error *error)
{
	static const char word[] = "oclmm:";
	unsigned line = 1;

	for (const char *at = text; *at; line++) {
		const char *end = at + strcspn(at, "\n"), *found = strstr(at, word), *stop = end;
		int r;

		if (found && found < end) {
			char *name = oclmm_arena_printf(arena, "%s:%u", path, line);
			const char *close = strstr(found, "*/");

			if (close && close < end)
				stop = close;
			while (stop > found && stop[-1] == '\r')
				stop--;
			found += strlen(word);
			r = read_head_line(arena, setup,
			                   oclmm_arena_strndup(arena, found,
			                                       (size_t)(stop - found)),
			                   options, error);
			if (r < 0)
				return oclmm_error_set(error, r, "%s: %s", name,
				                       oclmm_arena_strdup(arena, error->message));
		}
		at = *end ? end + 1 : end;
	}
	return 0;
}

/* ---- what the compiler reads ---------------------------------------------------- */

static const char *const two[] = {"add", "sub", "xchg", "min", "max", "and", "or", "xor"};
static const char *const one[] = {"inc", "dec"};

static void declare(struct oclmm_text *source, const char *name, const char *type,
                    unsigned operands)
{
	static const char *const spaces[] = {"global", "local"};

	for (size_t s = 0; s < OCLMM_COUNT(spaces); s++) {
		oclmm_text_printf(
			source, "%s __attribute__((overloadable)) oclmm_legacy_%s(volatile %s %s *",
			type, name, spaces[s], type);
		for (unsigned i = 0; i < operands; i++)
			oclmm_text_printf(source, ", %s", type);
		oclmm_text_add(source, ");");
	}
}

/* With as many orders and scopes as can be given. */
static void declare_weak(struct oclmm_text *source, const char *atomic, const char *type)
{
	static const char *const given[] = {"", ", int, int", ", int, int, int"};

	for (size_t i = 0; i < OCLMM_COUNT(given); i++)
		oclmm_text_printf(source,
		                  "bool __attribute__((overloadable)) oclmm_weak_exchange(volatile "
		                  "%s *, %s *, %s%s);",
		                  atomic, type, type, given[i]);
}

/* Both halves of a split barrier, as cl_intel_split_work_group_barrier declares them. No compiler
 * of now makes instructions of them without being told to, and few declare them. */
static void declare_half(struct oclmm_text *source, const char *half)
{
	oclmm_text_printf(
		source,
		"void __attribute__((overloadable, convergent)) oclmm_split_%s(uint);"
		"\n#if __OPENCL_C_VERSION__ >= 200\n"
		"void __attribute__((overloadable, convergent)) oclmm_split_%s(uint, memory_scope);"
		"\n#endif\n#define intel_work_group_barrier_%s oclmm_split_%s\n",
		half, half, half, half);
}

/* The clocks of cl_khr_kernel_clock, which few compilers declare. */
static void declare_clock(struct oclmm_text *source, const char *whose)
{
	oclmm_text_printf(source,
	                  "ulong oclmm_clock_%s(void); uint2 oclmm_clock_hilo_%s(void);"
	                  "\n#define clock_read_%s oclmm_clock_%s"
	                  "\n#define clock_read_hilo_%s oclmm_clock_hilo_%s\n",
	                  whose, whose, whose, whose, whose, whose);
}

static void rename_function(struct oclmm_text *source, const char *name)
{
	oclmm_text_printf(source,
	                  "\n#define atomic_%s oclmm_legacy_%s\n#define atom_%s oclmm_legacy_%s\n",
	                  name, name, name, name);
}

void oclmm_kernel_name_lines(struct oclmm_text *source, const char *path)
{
	oclmm_text_add(source, "#line 1 \"");
	for (const char *at = path; *at; at++) {
		if (*at == '"' || *at == '\\')
			oclmm_text_add(source, "\\");
		oclmm_text_add_bytes(source, *at == '\n' ? "?" : at, 1);
	}
	oclmm_text_add(source, "\"\n");
}

void oclmm_kernel_source(struct oclmm_text *source, const char *path, const char *text)
{
	static const char *const types[] = {"int", "uint", "long", "ulong"};

	for (size_t t = 0; t < OCLMM_COUNT(types); t++) {
		for (size_t i = 0; i < OCLMM_COUNT(two); i++)
			declare(source, two[i], types[t], 1);
		for (size_t i = 0; i < OCLMM_COUNT(one); i++)
			declare(source, one[i], types[t], 0);
		declare(source, "cmpxchg", types[t], 2);
	}
	declare(source, "xchg", "float", 1);
	declare_half(source, "arrive");
	declare_half(source, "wait");
	declare_clock(source, "device");
	declare_clock(source, "work_group");
	declare_clock(source, "sub_group");
	for (size_t i = 0; i < OCLMM_COUNT(two); i++)
		rename_function(source, two[i]);
	for (size_t i = 0; i < OCLMM_COUNT(one); i++)
		rename_function(source, one[i]);
	rename_function(source, "cmpxchg");
	oclmm_text_add(source, "\n#if __OPENCL_C_VERSION__ >= 200\n");
	for (size_t t = 0; t < OCLMM_COUNT(types); t++) {
		char atomic[16];

		snprintf(atomic, sizeof(atomic), "atomic_%s", types[t]);
		declare_weak(source, atomic, types[t]);
	}
	declare_weak(source, "atomic_float", "float");
	oclmm_text_add(source, "\n#define atomic_compare_exchange_weak oclmm_weak_exchange"
	                       "\n#define atomic_compare_exchange_weak_explicit "
	                       "oclmm_weak_exchange\n#endif\n");
	oclmm_kernel_name_lines(source, path);
	oclmm_text_add(source, text);
}
