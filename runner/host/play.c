// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <string.h>

/*
 * An index that another thread's value decides is held inside the array, as in
 * kernels, so that no instance can reach another one's memory.
 */
static void *object_of(const struct host_operation *o, void *const *objects, const int64_t *values)
{
	uint32_t index = o->last > 0 ? (uint32_t)values[o->index] : 0;

	if (index > o->last)
		index = o->last;
	return (char *)objects[o->location] + (size_t)index * o->bytes;
}

static int64_t load(const struct host_operation *o, const void *object)
{
	int64_t bits = o->bytes == 8 ? *(const int64_t *)object : *(const int32_t *)object;

	return oclmm_value_wrap(o->call.type, bits);
}

static void store(const struct host_operation *o, void *object, int64_t value)
{
	if (o->bytes == 8)
		*(int64_t *)object = value;
	else
		*(int32_t *)object = (int32_t)value;
}

static int64_t apply(const struct host_operation *o, const int64_t *values)
{
	int64_t value = 0; /* where none is defined */

	oclmm_apply(o->op, o->call.type, values[o->a], values[o->b], &value);
	return value;
}

bool host_play(const struct host_code *code, void *const *objects, int64_t *values)
{
	const struct host_operation *o = code->operations;

	memcpy(values, code->initial, code->values * sizeof(*values));
	for (;; o++) {
		switch (o->kind) {
		case HOST_COPY: values[o->to] = oclmm_value_wrap(o->call.type, values[o->a]); break;
		case HOST_APPLY: values[o->to] = apply(o, values); break;
		case HOST_LOAD: values[o->to] = load(o, object_of(o, objects, values)); break;
		case HOST_STORE: store(o, object_of(o, objects, values), values[o->a]); break;
		case HOST_ATOMIC:
			values[o->to] = host_atomic(&o->call, object_of(o, objects, values),
			                            values[o->a], &values[o->b]);
			break;
		case HOST_FENCE: host_fence(o->call.order); break;
		case HOST_JUMP: o = code->operations + o->target - 1; break;
		case HOST_JUMP_ZERO:
			if (values[o->a] == 0)
				o = code->operations + o->target - 1;
			break;
		case HOST_TURN:
			if (values[o->a]++ == o->target)
				return false;
			break;
		case HOST_END: return true;
		}
	}
}
