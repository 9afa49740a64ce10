// SPDX-License-Identifier: Apache-2.0
/*
 * Random tests that are likely to be of interest: a known shape, most of its
 * accesses synchronised in one style and by a scope that is wide enough, then
 * a few changes.
 */
#include <string.h>

#include "maker.h"

/* Threads are separated by '|'; W, R, U (read-modify-write) on objects a to e. */
static const char *const skeletons[] = {
	"WaWb|RbRa", /* MP */
	"WaWb|RbRa",
	"WaWb|RbRa",
	"WaRb|WbRa", /* SB */
	"WaRb|WbRa",
	"RaWb|RbWa",   /* LB */
	"WaWb|RbWa",   /* S */
	"WaWb|WbRa",   /* R */
	"WaWb|WbWa",   /* 2+2W */
	"WaUb|UbRa",   /* MP over read-modify-writes */
	"WaWbWb|RbRa", /* release sequence */
	"WaWb|Ub|RbRa",
	"WaWbWb|Wb|RbRa",
	"Wa|RaWb|RbRa",   /* WRC */
	"Wa|RaRb|WbRa",   /* RWC */
	"WaWb|RbWc|RcRa", /* ISA2 */
	"WaWb|WbRc|WcRa", /* Z6.3-like */
	"WaWb|UbRb|WbRa", /* Z6.U */
	"WaRb|WbRc|WcRa", /* 3.SB */
	"RaWb|RbWc|RcWa", /* 3.LB */
	"Wa|RaRa",        /* CoRR */
	"WaRa|Wa",        /* CoWR */
	"RaWa|Wa",        /* CoRW */
	"Wa|Wa|RaRa",
	"Ua|Ua|Ra",
	"Ua|UaRb|WbRa",
	"Wa|Wb|RaRb|RbRa", /* IRIW */
	"WaWc|RdRa|WbWd|RcRb",
	"UaWb|UaRb",
	"WaUb|UbWa",
};

/* Shapes whose outcome hangs on the order of seq_cst operations. */
static const char *const sc_skeletons[] = {
	"WaRb|WbRa",      "WaRb|WbRa",      "WaUb|WbRa",           "UaRb|WbRa",
	"WaWb|WbRa",      "WaWb|WbWa",      "Wa|RaRb|WbRa",        "Wa|Wb|RaRb|RbRa",
	"WaWb|UbRb|WbRa", "WaRb|WbRc|WcRa", "WaWc|RdRa|WbWd|RcRb", "Wa|WaRb|WbRa",
	"WaRb|WbWa",      "WaWaRb|WbRa",
};

unsigned draw(struct maker *maker, unsigned bound)
{
	return (unsigned)oclmm_random_below(maker->key, maker->counter++, bound);
}

bool chance(struct maker *maker, unsigned percent)
{
	return draw(maker, 100) < percent;
}

/* ---- where the threads run ------------------------------------------- */

enum pattern { ONE_GROUP, OWN_GROUPS, PAIRS, SUB_GROUPS, TWO_DEVICES, TWO_QUEUES, WITH_HOST };

static enum pattern draw_pattern(struct maker *maker)
{
	static const enum pattern patterns[] = {
		ONE_GROUP,  ONE_GROUP,  ONE_GROUP,   ONE_GROUP,  OWN_GROUPS,
		OWN_GROUPS, OWN_GROUPS, OWN_GROUPS,  PAIRS,      PAIRS,
		SUB_GROUPS, SUB_GROUPS, TWO_DEVICES, TWO_QUEUES, WITH_HOST,
	};

	return patterns[draw(maker, OCLMM_COUNT(patterns))];
}

static void place_thread(struct maker *maker, enum pattern pattern, unsigned index)
{
	struct oclmm_placement *placement = &maker->made->threads[index].placement;

	switch (pattern) {
	case ONE_GROUP: break;
	case OWN_GROUPS: placement->work_group = index; break;
	case PAIRS: placement->work_group = draw(maker, 2); break;
	case SUB_GROUPS:
		placement->sub_group_given = !chance(maker, 10);
		placement->sub_group = placement->sub_group_given && chance(maker, 25);
		break;
	case TWO_DEVICES:
		placement->device = draw(maker, 2);
		placement->work_group = draw(maker, 2);
		break;
	case TWO_QUEUES:
		placement->queue = draw(maker, 2);
		placement->work_group = draw(maker, 2);
		break;
	case WITH_HOST:
		placement->host = index == 0;
		placement->work_group = placement->host ? 0 : draw(maker, 2);
		break;
	}
}

static void place_threads(struct maker *maker, enum pattern pattern)
{
	static const enum oclmm_scope scopes[] = {
		[ONE_GROUP] = OCLMM_SCOPE_WORK_GROUP,
		[OWN_GROUPS] = OCLMM_SCOPE_DEVICE,
		[PAIRS] = OCLMM_SCOPE_DEVICE,
		[SUB_GROUPS] = OCLMM_SCOPE_WORK_GROUP,
		[TWO_DEVICES] = OCLMM_SCOPE_ALL_SVM_DEVICES,
		[TWO_QUEUES] = OCLMM_SCOPE_DEVICE,
		[WITH_HOST] = OCLMM_SCOPE_ALL_SVM_DEVICES,
	};

	maker->scope = scopes[pattern];
	if (pattern == ONE_GROUP && chance(maker, 40))
		maker->scope = OCLMM_SCOPE_DEVICE;
	if (pattern == SUB_GROUPS && chance(maker, 50))
		maker->scope = OCLMM_SCOPE_SUB_GROUP;
	for (unsigned t = 0; t < maker->made->thread_count; t++)
		place_thread(maker, pattern, t);
}

/* ---- objects --------------------------------------------------------- */

static void make_objects(struct maker *maker, enum pattern pattern, bool all_atomic)
{
	static const enum oclmm_type types[] = {OCLMM_TYPE_INT,  OCLMM_TYPE_INT,  OCLMM_TYPE_INT,
	                                        OCLMM_TYPE_INT,  OCLMM_TYPE_INT,  OCLMM_TYPE_INT,
	                                        OCLMM_TYPE_UINT, OCLMM_TYPE_LONG, OCLMM_TYPE_ULONG};
	enum oclmm_type type = types[draw(maker, OCLMM_COUNT(types) - (maker->legacy ? 2 : 0))];
	bool wide = oclmm_type_bits(type) == 64 && chance(maker, 60);
	static const enum oclmm_storage kinds[] = {OCLMM_STORAGE_SVM_ATOMICS,
	                                           OCLMM_STORAGE_SVM_FINE, OCLMM_STORAGE_SVM_COARSE,
	                                           OCLMM_STORAGE_SVM_SYSTEM};
	bool svm = pattern == TWO_DEVICES || pattern == TWO_QUEUES || pattern == WITH_HOST ||
	           chance(maker, 12);
	bool one_group = pattern == ONE_GROUP || pattern == SUB_GROUPS;
	unsigned local = one_group ? (chance(maker, 40) ? 50 : 5) : pattern == PAIRS ? 8 : 0;

	for (unsigned i = 0; i < maker->made->object_count; i++) {
		struct made_object *object = &maker->made->objects[i];

		object->atomic = !maker->legacy;
		object->type = type;
		object->wide = wide;
		object->initial = chance(maker, 4) ? 1 : 0;
		object->local = chance(maker, local);
		object->storage = OCLMM_STORAGE_BUFFER;
		if (!object->local && svm && !chance(maker, 8))
			object->storage =
				kinds[pattern == TWO_QUEUES ? draw(maker, OCLMM_COUNT(kinds)) : 0];
		if (!object->local && !svm && chance(maker, 5))
			object->storage = OCLMM_STORAGE_PROGRAM;
	}
	/* the first object is often the data that the others guard */
	if (chance(maker, all_atomic || maker->made->object_count == 1 ? 4 : 55))
		maker->made->objects[0].atomic = false;
	if (chance(maker, all_atomic ? 1 : 6))
		maker->made->objects[draw(maker, maker->made->object_count)].atomic = false;
	if (maker->legacy)
		return;
	if (chance(maker, 6)) {
		struct made_object *object =
			&maker->made->objects[draw(maker, maker->made->object_count)];

		object->array = !object->local;
	} else if (chance(maker, 4)) {
		struct made_object *object =
			&maker->made->objects[draw(maker, maker->made->object_count)];

		object->flag = true;
		object->atomic = true;
		object->type = OCLMM_TYPE_FLAG;
		object->wide = false;
		object->initial = 0;
	}
}

/* ---- the shape ------------------------------------------------------- */

static void count_shape(const char *shape, struct made *made)
{
	made->thread_count = 1;
	for (const char *c = shape; *c != '\0'; c++) {
		if (*c == '|')
			made->thread_count++;
		else if (*c >= 'a' && (unsigned)(*c - 'a') >= made->object_count)
			made->object_count = (unsigned)(*c - 'a') + 1;
	}
}

static void random_shape(struct maker *maker, char *ret_shape)
{
	static const char what[] = "RRRWWWU";
	unsigned threads = 2 + draw(maker, 2), objects = 1 + draw(maker, 3);
	char *c = ret_shape;

	for (unsigned t = 0; t < threads; t++) {
		unsigned count = 1 + draw(maker, threads == 2 ? 4 : 3);

		for (unsigned i = 0; i < count; i++) {
			*c++ = what[draw(maker, sizeof(what) - 1)];
			*c++ = (char)('a' + draw(maker, objects));
		}
		*c++ = '|';
	}
	c[-1] = '\0';
}

void made_generate(struct made *ret_made, uint64_t key)
{
	struct maker maker = {.made = ret_made, .key = key};
	enum pattern pattern;
	char shape[64];
	unsigned thread = 0;
	bool seq_cst;

	memset(ret_made, 0, sizeof(*ret_made));
	maker.style = (enum maker_style)draw(&maker, STYLE_COUNT);
	maker.legacy = chance(&maker, 3);
	maker.sc_fences = !maker.legacy && chance(&maker, 50);
	seq_cst = maker.style == STYLE_SEQ_CST ||
	          (maker.style == STYLE_FENCES && maker.sc_fences) || chance(&maker, 20);
	if (seq_cst && chance(&maker, 75))
		strcpy(shape, sc_skeletons[draw(&maker, OCLMM_COUNT(sc_skeletons))]);
	else if (chance(&maker, 15))
		random_shape(&maker, shape);
	else
		strcpy(shape, skeletons[draw(&maker, OCLMM_COUNT(skeletons))]);
	count_shape(shape, ret_made);
	pattern = draw_pattern(&maker);
	place_threads(&maker, pattern);
	make_objects(&maker, pattern, seq_cst && chance(&maker, 85));
	maker.narrow = chance(&maker, 15);
	for (const char *c = shape; *c != '\0'; c++) {
		if (*c == '|')
			thread++;
		else if (*c < 'a')
			make_access(&maker, &ret_made->threads[thread], *c, (unsigned)(c[1] - 'a'));
	}
	make_ornaments(&maker);
	ret_made->observe_memory = chance(&maker, 50);
	make_legal(ret_made);
}
