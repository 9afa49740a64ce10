// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdlib.h>
#include <string.h>

static void (*leave_program)(void);

void oclmm_on_no_memory(void (*leave)(void))
{
	leave_program = leave;
}

/* Running out of memory is no state that a caller could mend: every litmus
 * test fits in kilobytes, so a failure here means that the machine is gone. */
_Noreturn void oclmm_no_memory(void)
{
	if (leave_program)
		leave_program();
	abort();
}

static void *check(void *pointer, size_t size)
{
	if (!pointer && size)
		oclmm_no_memory();
	return pointer;
}

void *oclmm_malloc(size_t size)
{
	return check(malloc(size), size);
}

void *oclmm_calloc(size_t count, size_t size)
{
	return check(calloc(count, size), count && size ? 1 : 0);
}

void *oclmm_realloc(void *pointer, size_t size)
{
	/* what realloc() does with a size of 0 is up to the implementation */
	return check(realloc(pointer, size ? size : 1), 1);
}

char *oclmm_strdup(const char *text)
{
	return check(strdup(text), 1);
}

void oclmm_grow(void *array_pointer, size_t *capacity, size_t count, size_t element_size)
{
	size_t wanted;
	void *array;

	if (count < *capacity)
		return;
	wanted = *capacity ? *capacity : 8;
	while (wanted <= count)
		wanted *= 2;
	if (element_size && wanted > SIZE_MAX / element_size)
		oclmm_no_memory();
	/* The caller's pointer has a type of its own; copying its bytes is the
	 * way to read and write it that aliasing rules allow. */
	memcpy(&array, array_pointer, sizeof(array));
	array = oclmm_realloc(array, wanted * element_size);
	memcpy(array_pointer, &array, sizeof(array));
	*capacity = wanted;
}
