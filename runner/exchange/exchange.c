// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "plant/offer.h"
#include "plant/plant.h"

/* ---- the layer ------------------------------------------------------------ */

/* A planted bug, and the layer that plants it. */
struct planting {
	struct oclmm_mutation mutation;
	void (*offer)(uint64_t hash, const char *text, size_t length, size_t places);
};

/* That of an object which is loaded; NULL: it is not our layer. */
static void *find_offer(const char *path)
{
	void *layer = dlopen(path, RTLD_LAZY | RTLD_NOLOAD), *function;

	if (!layer)
		return NULL;
	function = dlsym(layer, OCLMM_PLANT_OFFER_NAME);
	dlclose(layer);
	return function;
}

static int try_object(struct dl_phdr_info *object, size_t size, void *data)
{
	struct planting *planting = data;
	void *function = *object->dlpi_name ? find_offer(object->dlpi_name) : NULL;

	(void)size;
	/* C has no conversion between pointers to objects and to functions */
	memcpy(&planting->offer, &function, sizeof(function));
	return function != NULL;
}

/* Not by OPENCL_LAYERS: ocl-icd writes into it, and what is left is the first of them. */
static bool find_layer(struct planting *planting)
{
	planting->offer = NULL;
	dl_iterate_phdr(try_object, planting);
	return planting->offer;
}

/* False where no plant changes texts. */
static bool choose(struct planting *planting)
{
	const char *choice = getenv("OCLMM_PLANT");
	char message[PLANT_MESSAGE];
	struct plant plant;

	if (!choice || !*choice || !plant_parse(choice, &plant, message) ||
	    plant.mutation.what == OCLMM_WHAT_NOTHING)
		return false;
	planting->mutation = plant.mutation;
	return true;
}

/* The same where no layer takes offers. */
static bool begin(struct planting *planting)
{
	return choose(planting) && find_layer(planting);
}

static void offer(const struct planting *planting, const struct oclmm_text *source,
                  struct oclmm_text *changed, size_t places)
{
	if (places > 0)
		planting->offer(oclmm_hash(source->data, source->length),
		                oclmm_text_string(changed), changed->length, places);
	oclmm_text_finish(changed);
}

/* ---- places ---------------------------------------------------------------- */

static bool is_in_ids(const struct planting *planting)
{
	return planting->mutation.what >= OCLMM_WHAT_LOCAL_IDS;
}

/* In calls of the kernels' own, and in where their work-items are. */
static size_t count_own(const struct planting *planting)
{
	return (size_t)__builtin_popcount(oclmm_change_own(&planting->mutation)) +
	       is_in_ids(planting);
}

/* In the programs' own statements. */
static size_t count_places(const struct planting *planting,
                           const struct oclmm_program *const *programs, uint32_t count)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	size_t places = 0;

	for (uint32_t i = 0; i < count; i++)
		places += oclmm_change_program(arena, programs[i], &planting->mutation).places;
	oclmm_arena_destroy(arena);
	return places;
}

/* ---- texts ------------------------------------------------------------------ */

static int generate(enum exchange_kind kind, const struct oclmm_program *const *programs,
                    const struct oclmm_outcome_space *const *spaces, uint32_t count,
                    const struct oclmm_codegen_options *options, struct oclmm_error *error,
                    struct oclmm_text *ret_source)
{
	switch (kind) {
	case EXCHANGE_TESTS:
		return oclmm_generate_tests(programs, spaces, count, options, error, ret_source);
	case EXCHANGE_COUNT:
		return oclmm_generate_count(programs[0], spaces[0], options, error, ret_source);
	case EXCHANGE_COMMANDS: oclmm_generate_commands(programs[0], ret_source); return 0;
	case EXCHANGE_WHOLE: oclmm_generate_whole(programs[0], ret_source); return 0;
	case EXCHANGE_SIDE: oclmm_generate_side(ret_source); return 0;
	}
	return -EINVAL;
}

/* What a text of a fixed form or of plain accesses alone has is where its work-items are. */
static void offer_ids(const struct planting *planting, const struct oclmm_text *source)
{
	struct oclmm_text text;

	if (!is_in_ids(planting))
		return;
	oclmm_text_init(&text);
	oclmm_change_macros(&planting->mutation, &text);
	oclmm_text_add_bytes(&text, source->data, source->length);
	offer(planting, source, &text, 1);
}

/* Of a text that work-items share, the one after a wrong step. */
static void offer_whole(const struct planting *planting, const struct oclmm_program *program,
                        const struct oclmm_text *source)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_changed changed = oclmm_change_program(arena, program, &planting->mutation);
	struct oclmm_text text;

	oclmm_generate_whole(changed.program, &text);
	offer(planting, source, &text, changed.places);
	oclmm_arena_destroy(arena);
}

int exchange_generate(enum exchange_kind kind, const struct oclmm_program *const *programs,
                      const struct oclmm_outcome_space *const *spaces, uint32_t count,
                      const struct oclmm_codegen_options *options, struct oclmm_error *error,
                      struct oclmm_text *ret_source)
{
	int r = generate(kind, programs, spaces, count, options, error, ret_source);
	struct oclmm_codegen_options changed = {0};
	struct oclmm_text text;
	struct planting planting;
	size_t places;

	if (r < 0 || !begin(&planting))
		return r;
	if (kind == EXCHANGE_WHOLE && !is_in_ids(&planting)) {
		offer_whole(&planting, programs[0], ret_source);
		return 0;
	}
	if (kind == EXCHANGE_COMMANDS || kind == EXCHANGE_WHOLE || kind == EXCHANGE_SIDE) {
		offer_ids(&planting, ret_source);
		return 0;
	}
	places = count_own(&planting);
	if (kind == EXCHANGE_TESTS)
		places += count_places(&planting, programs, count);
	if (options)
		changed = *options;
	changed.change = &planting.mutation;
	if (generate(kind, programs, spaces, count, &changed, error, &text) == 0)
		offer(&planting, ret_source, &text, places);
	return 0;
}

/* ---- for a file that runs without us ---- */

/* As the layer reads it (OCLMM_PLANT_TEXTS). */
static void save(const struct oclmm_text *source, const struct oclmm_text *changed, size_t places,
                 struct oclmm_text *ret_planted)
{
	oclmm_text_printf(ret_planted, "%016llx %zu %zu\n",
	                  (unsigned long long)oclmm_hash(oclmm_text_string(source), source->length),
	                  places, changed->length);
	oclmm_text_add_bytes(ret_planted, oclmm_text_string(changed), changed->length);
}

int exchange_generate_lone(const struct oclmm_program *program,
                           const struct oclmm_outcome_space *space, struct oclmm_lone lone,
                           struct oclmm_error *error, struct oclmm_text *ret_source,
                           struct oclmm_text *ret_planted)
{
	int r = oclmm_generate_lone(program, space, &lone, error, ret_source);
	struct planting planting;
	struct oclmm_text changed;
	size_t places;

	*ret_planted = (struct oclmm_text){0};
	if (r < 0 || !choose(&planting))
		return r;
	places = count_places(&planting, &program, 1) + is_in_ids(&planting);
	lone.change = &planting.mutation;
	if (places == 0 || oclmm_generate_lone(program, space, &lone, error, &changed) < 0)
		return 0;
	save(ret_source, &changed, places, ret_planted);
	oclmm_text_finish(&changed);
	return 0;
}

void exchange_plant_ids(const struct oclmm_text *source, struct oclmm_text *ret_planted)
{
	struct planting planting;
	struct oclmm_text changed = {0};

	*ret_planted = (struct oclmm_text){0};
	if (!choose(&planting) || !is_in_ids(&planting))
		return;
	oclmm_change_macros(&planting.mutation, &changed);
	oclmm_text_add_bytes(&changed, source->data, source->length);
	save(source, &changed, 1, ret_planted);
	oclmm_text_finish(&changed);
}
