// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

#include <dlfcn.h>
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

/* That of a layer which the loader has loaded; NULL: it is not ours. */
static void *find_offer(const char *path)
{
	void *layer = dlopen(path, RTLD_LAZY | RTLD_NOLOAD), *function;

	if (!layer)
		return NULL;
	function = dlsym(layer, OCLMM_PLANT_OFFER_NAME);
	dlclose(layer);
	return function;
}

static bool find_layer(struct planting *planting)
{
	const char *layers = getenv("OPENCL_LAYERS");
	char *paths = oclmm_strdup(layers ? layers : ""), *save = NULL;

	planting->offer = NULL;
	for (char *path = strtok_r(paths, ":", &save); path && !planting->offer;
	     path = strtok_r(NULL, ":", &save)) {
		void *function = find_offer(path);

		/* C has no conversion between pointers to objects and to functions */
		memcpy(&planting->offer, &function, sizeof(function));
	}
	free(paths);
	return planting->offer;
}

/* False where no plant changes texts. */
static bool begin(struct planting *planting)
{
	const char *choice = getenv("OCLMM_PLANT");
	char message[PLANT_MESSAGE];
	struct plant plant;

	if (!choice || !*choice || !plant_parse(choice, &plant, message) ||
	    plant.mutation.what == OCLMM_WHAT_NOTHING)
		return false;
	planting->mutation = plant.mutation;
	return find_layer(planting);
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

static size_t count_places(const struct planting *planting, const struct oclmm_program *program)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	size_t places = oclmm_change_program(arena, program, &planting->mutation).places;

	oclmm_arena_destroy(arena);
	return places;
}

/* ---- texts ------------------------------------------------------------------ */

static struct oclmm_codegen_options with(const struct planting *planting,
                                         const struct oclmm_codegen_options *options)
{
	struct oclmm_codegen_options changed = options ? *options
	                                               : (struct oclmm_codegen_options){0};

	changed.change = &planting->mutation;
	return changed;
}

int exchange_generate_tests(const struct oclmm_program *const *programs,
                            const struct oclmm_outcome_space *const *spaces, uint32_t count,
                            const struct oclmm_codegen_options *options, struct oclmm_error *error,
                            struct oclmm_text *ret_source)
{
	int r = oclmm_generate_tests(programs, spaces, count, options, error, ret_source);
	struct oclmm_codegen_options changed;
	struct oclmm_text text;
	struct planting planting;
	size_t places;

	if (r < 0 || !begin(&planting))
		return r;
	places = count_own(&planting);
	for (uint32_t i = 0; i < count; i++)
		places += count_places(&planting, programs[i]);
	changed = with(&planting, options);
	if (oclmm_generate_tests(programs, spaces, count, &changed, error, &text) == 0)
		offer(&planting, ret_source, &text, places);
	return 0;
}

typedef int generator(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                      const struct oclmm_codegen_options *options, struct oclmm_error *error,
                      struct oclmm_text *ret_source);

/* The text of one kernel, and that of the changed program; `plays`: the kernel has the program's
 * own statements. */
static int exchange_one(generator *generate, bool plays, const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space,
                        const struct oclmm_codegen_options *options, struct oclmm_error *error,
                        struct oclmm_text *ret_source)
{
	int r = generate(program, space, options, error, ret_source);
	struct oclmm_codegen_options changed;
	struct oclmm_text text;
	struct planting planting;

	if (r < 0 || !begin(&planting))
		return r;
	changed = with(&planting, options);
	if (generate(program, space, &changed, error, &text) == 0)
		offer(&planting, ret_source, &text,
		      count_own(&planting) + (plays ? count_places(&planting, program) : 0));
	return 0;
}

int exchange_generate_test(const struct oclmm_program *program,
                           const struct oclmm_outcome_space *space,
                           const struct oclmm_codegen_options *options, struct oclmm_error *error,
                           struct oclmm_text *ret_source)
{
	return exchange_one(oclmm_generate_test, true, program, space, options, error, ret_source);
}

int exchange_generate_count(const struct oclmm_program *program,
                            const struct oclmm_outcome_space *space,
                            const struct oclmm_codegen_options *options, struct oclmm_error *error,
                            struct oclmm_text *ret_source)
{
	return exchange_one(oclmm_generate_count, false, program, space, options, error,
	                    ret_source);
}

/* What a text of a fixed form or of plain accesses alone has is where its work-items are. */
static void offer_ids(const struct oclmm_text *source)
{
	struct oclmm_text text;
	struct planting planting;

	if (!begin(&planting) || !is_in_ids(&planting))
		return;
	oclmm_text_init(&text);
	oclmm_change_macros(&planting.mutation, &text);
	oclmm_text_add_bytes(&text, source->data, source->length);
	offer(&planting, source, &text, 1);
}

void exchange_generate_side(struct oclmm_text *ret_source)
{
	oclmm_generate_side(ret_source);
	offer_ids(ret_source);
}

void exchange_generate_commands(const struct oclmm_program *program, struct oclmm_text *ret_source)
{
	oclmm_generate_commands(program, ret_source);
	offer_ids(ret_source);
}
