// SPDX-License-Identifier: Apache-2.0
/*
 * A thread of a program is the functions `P0`, or `P0_part0` and so on between
 * its barriers; the barriers stand in the kernel, between those that the kernel
 * has for itself.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

struct check {
	const struct oclmm_spirv_module *module;
	const struct oclmm_program *program;
	const char *suffix;
	struct oclmm_error *error;
	struct oclmm_spirv_found *found;
};

/* `P1, operation 2, atomic_store_explicit` */
static void print_place(struct oclmm_text *text, const struct check *check, uint32_t thread,
                        const struct expected *expected, size_t number)
{
	const char *spelling = expected->kind == EXPECTED_ATOMIC
	                               ? expected->atomic->atomic->spelling
	                       : expected->kind == EXPECTED_FENCE
	                               ? expected->statement->fence.spelling
	                               : expected->statement->barrier.spelling;

	oclmm_text_printf(text, "P%u, %s %zu, %s", check->program->threads[thread].id,
	                  expected->kind == EXPECTED_BARRIER ? "barrier" : "operation", number + 1,
	                  spelling);
}

static int differ(const struct check *check, struct oclmm_text *text)
{
	int r = oclmm_error_set(check->error, -EBADMSG, "the producer's module is not the test: %s",
	                        oclmm_text_string(text));

	oclmm_text_finish(text);
	return r;
}

static int compare(const struct check *check, uint32_t thread, const struct expected *expected,
                   size_t number, const struct oclmm_spirv_operation *operation)
{
	struct oclmm_text text = {0}, why = {0};
	bool differs;

	differs = spirv_differs(expected, operation, &why);
	if (!differs) {
		check->found->operations++;
		check->found->classless += !spirv_names_memory(expected, operation);
		return 0;
	}
	print_place(&text, check, thread, expected, number);
	oclmm_text_printf(&text, ": is to be %s, in word %u", oclmm_text_string(&why),
	                  operation->word);
	oclmm_text_finish(&why);
	return differ(check, &text);
}

/* ---- atomics and fences ---- */

/* The n-th of the functions that a thread has become; NULL behind the last. */
static const struct oclmm_spirv_function *part_of(const struct check *check, uint32_t thread,
                                                  uint32_t part)
{
	unsigned id = check->program->threads[thread].id;
	const struct oclmm_spirv_function *function;
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "P%u%s", id, check->suffix);
	function = oclmm_spirv_find(check->module, name);
	if (function)
		return part == 0 ? function : NULL;
	snprintf(name, sizeof(name), "P%u%s_part%u", id, check->suffix, part);
	return oclmm_spirv_find(check->module, name);
}

static int lack(const struct check *check, uint32_t thread, const struct expected *expected,
                size_t number)
{
	struct oclmm_text text = {0};

	print_place(&text, check, thread, expected, number);
	oclmm_text_add(&text, " is missing");
	return differ(check, &text);
}

static int check_function(const struct check *check, uint32_t thread,
                          const struct expected_list *list,
                          const struct oclmm_spirv_function *function, size_t *next)
{
	struct oclmm_text text = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < function->count; i++) {
		if (*next < list->count) {
			r = compare(check, thread, &list->items[*next], *next,
			            &function->operations[i]);
			(*next)++;
			continue;
		}
		oclmm_text_printf(&text, "P%u has one more operation, %s in word %u",
		                  check->program->threads[thread].id, function->operations[i].name,
		                  function->operations[i].word);
		r = differ(check, &text);
	}
	return r;
}

static int check_thread(const struct check *check, uint32_t thread)
{
	const struct oclmm_spirv_function *function;
	struct expected_list list;
	size_t next = 0;
	int r = 0;

	spirv_expect(check->program, thread, false, &list);
	for (uint32_t part = 0; r == 0 && (function = part_of(check, thread, part)); part++)
		r = check_function(check, thread, &list, function, &next);
	if (r == 0 && next < list.count)
		r = lack(check, thread, &list.items[next], next);
	free(list.items);
	return r;
}

/* ---- barriers ---- */

/* Whether an operation may be a barrier of the test; `just`: it is about that memory and no other.
 */
static bool may_be(const struct expected *expected, const struct oclmm_spirv_operation *operation,
                   bool just)
{
	struct oclmm_text ignored = {0};
	bool differs;

	differs = spirv_differs(expected, operation, &ignored);
	oclmm_text_finish(&ignored);
	return !differs && (!just || spirv_names_just(expected, operation));
}

/* What the kernel's own are like: those of local objects, at both ends of a round. */
static bool is_own(const struct oclmm_spirv_operation *operation)
{
	static const struct expected own = {.kind = EXPECTED_BARRIER,
	                                    .order = OCLMM_ORDER_ACQ_REL,
	                                    .scope = OCLMM_SCOPE_WORK_GROUP,
	                                    .flags = OCLMM_FLAG_LOCAL};

	return may_be(&own, operation, false);
}

/* Those of a list, one behind the other, as numbers of operations; returns how many are there. */
static size_t find_barriers(const struct expected_list *list,
                            const struct oclmm_spirv_function *kernel, bool just, size_t *places)
{
	size_t next = 0;

	for (size_t i = 0; i < kernel->count && next < list->count; i++)
		if (may_be(&list->items[next], &kernel->operations[i], just))
			places[next++] = i;
	return next;
}

/* One is not there: what stands in its place is the first that is nobody's. */
static int miss(const struct check *check, uint32_t thread, const struct expected *expected,
                size_t number, const struct oclmm_spirv_function *kernel, const bool *used)
{
	for (size_t i = 0; i < kernel->count; i++)
		if (kernel->operations[i].opcode == SPIRV_CONTROL_BARRIER && !used[i] &&
		    !is_own(&kernel->operations[i]))
			return compare(check, thread, expected, number, &kernel->operations[i]);
	return lack(check, thread, expected, number);
}

/*
 * The barriers of a thread stand in the kernel one behind the other. Between
 * them are the kernel's own and those of other threads: `used` notes which are
 * some thread's. What memory a barrier is about tells them apart, where the
 * producer says it.
 */
static int check_barriers(const struct check *check, uint32_t thread,
                          const struct oclmm_spirv_function *kernel, bool *used)
{
	struct expected_list list;
	size_t *places, found;
	int r = 0;

	spirv_expect(check->program, thread, true, &list);
	places = oclmm_calloc(list.count + 1, sizeof(*places));
	found = find_barriers(&list, kernel, true, places);
	if (found < list.count)
		found = find_barriers(&list, kernel, false, places);
	for (size_t i = 0; i < found; i++) {
		check->found->operations++;
		check->found->classless += !spirv_names_memory(&list.items[i],
		                                               &kernel->operations[places[i]]);
		used[places[i]] = true;
	}
	if (found < list.count)
		r = miss(check, thread, &list.items[found], found, kernel, used);
	free(places);
	free(list.items);
	return r;
}

static int refuse_barrier(const struct check *check, const struct oclmm_spirv_operation *operation)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "it has a barrier of another order or scope, in word %u",
	                  operation->word);
	return differ(check, &text);
}

static int check_kernel(const struct check *check, uint32_t threads)
{
	const struct oclmm_spirv_function *kernel;
	char name[NAME_SIZE];
	bool *used;
	int r = 0;

	snprintf(name, sizeof(name), "oclmm_test%s", check->suffix);
	kernel = oclmm_spirv_find(check->module, name);
	if (!kernel)
		return oclmm_error_set(check->error, -EBADMSG,
		                       "the producer's module is not the test: it has no %s", name);
	used = oclmm_calloc(kernel->count + 1, sizeof(*used));
	for (uint32_t i = 0; r == 0 && i < check->program->thread_count; i++)
		if (threads & 1u << i)
			r = check_barriers(check, i, kernel, used);
	for (size_t i = 0; r == 0 && i < kernel->count; i++)
		if (kernel->operations[i].opcode == SPIRV_CONTROL_BARRIER && !used[i] &&
		    !is_own(&kernel->operations[i]))
			r = refuse_barrier(check, &kernel->operations[i]);
	free(used);
	return r;
}

int oclmm_spirv_check(const struct oclmm_spirv_module *module, const struct oclmm_program *program,
                      uint32_t threads, const char *suffix, struct oclmm_error *error,
                      struct oclmm_spirv_found *ret_found)
{
	struct oclmm_spirv_found found = {0};
	const struct check check = {.module = module,
	                            .program = program,
	                            .suffix = suffix,
	                            .error = error,
	                            .found = &found};
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < program->thread_count; i++)
		if (threads & 1u << i)
			r = check_thread(&check, i);
	if (r == 0)
		r = check_kernel(&check, threads);
	if (r == 0)
		*ret_found = found;
	return r;
}

/* ---- how many barriers ---- */

static size_t count_calls(const char *source)
{
	static const char call[] = "barrier(";
	size_t count = 0;

	while ((source = strstr(source, call))) {
		source += strlen(call);
		count++;
	}
	return count;
}

int oclmm_spirv_check_barriers(const struct oclmm_spirv_module *module, const char *source,
                               struct oclmm_error *error)
{
	size_t wanted = count_calls(source), count = 0;

	for (size_t i = 0; i < module->count; i++)
		for (size_t k = 0; k < module->functions[i].count; k++)
			count += module->functions[i].operations[k].opcode == SPIRV_CONTROL_BARRIER;
	if (count == wanted)
		return 0;
	return oclmm_error_set(error, -EBADMSG,
	                       "the producer's module is not the test: its text has %s, and it has "
	                       "%zu",
	                       oclmm_counted(wanted, "barrier").text, count);
}
