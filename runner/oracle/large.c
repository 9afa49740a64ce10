// SPDX-License-Identifier: Apache-2.0
/* Litmus tests whose executions are too many: explored by states, under the texts as they are
 * written. */
#include "large.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "oclmm/explore.h"
#include "oclmm/grade.h"
#include "oclmm/model.h"

enum { MEMORY_MOST = 1 << 30 };

struct large {
	const struct oclmm_program *program;
	struct oclmm_explored *found;
	bool complete;
};

static void print_head(const struct oclmm_program *p, size_t states)
{
	printf("Test %s %s\nStates %zu\n", oclmm_shown(p->name).text, oclmm_log_kind(p->quantifier),
	       states);
}

static void print_end(const struct oclmm_program *p, const struct oclmm_explored *found,
                      const char *word, unsigned positive, unsigned negative)
{
	struct oclmm_text text = {0};

	oclmm_final_print(&text, p);
	printf("Witnesses\nPositive: %u Negative: %u\nCondition %s\nObservation %s %s %u %u\n",
	       positive, negative, oclmm_text_string(&text), oclmm_shown(p->name).text, word,
	       positive, negative);
	oclmm_text_finish(&text);
	printf("Hash=%016" PRIx64 "\nVariant=%s\n", oclmm_program_hash(p),
	       oclmm_shown(p->name).text);
	if (found->cut)
		printf("Cut=yes\n");
}

static void print_undefined(const struct oclmm_program *p, const struct oclmm_explored *found)
{
	const struct oclmm_explored_place *a = &found->first, *b = &found->second;

	print_head(p, 0);
	printf("Undef\n");
	print_end(p, found, "Undefined", 0, 0);
	if (found->fault == OCLMM_EXPLORED_RACE)
		printf("Undefined=data race: P%u line %u and P%u line %u\n",
		       p->threads[a->thread].id, a->where, p->threads[b->thread].id, b->where);
	else if (found->fault == OCLMM_EXPLORED_DIVERGED)
		printf("Undefined=barrier divergence: P%u and P%u\n", p->threads[a->thread].id,
		       p->threads[b->thread].id);
	else
		printf("Undefined=arithmetic or an index: P%u\n", p->threads[a->thread].id);
	printf("\n");
}

static const char as_written[] =
	"opencl-2.1 and opencl-3.1 without alternatives: there are too many "
	"executions for the others";

static int compare_states(const void *a, const void *b, void *count)
{
	const struct oclmm_explored_state *x = a, *y = b;

	return oclmm_compare_values((const int64_t *)x->values, (const int64_t *)y->values,
	                            *(const uint32_t *)count);
}

static void print_states(const struct oclmm_program *p, const struct oclmm_explored *found)
{
	unsigned positive = 0, negative = 0;
	struct oclmm_text text = {0};

	print_head(p, found->state_count);
	qsort_r(found->states, found->state_count, sizeof(*found->states), compare_states,
	        (void *)(uintptr_t)&p->observable_count);
	for (size_t i = 0; i < found->state_count; i++) {
		const int64_t *values = (const int64_t *)found->states[i].values;

		for (uint32_t o = 0; o < p->observable_count; o++) {
			oclmm_text_printf(&text, "%s=", p->observables[o].name);
			oclmm_value_print(&text, p->observables[o].type, values[o]);
			oclmm_text_add(&text, "; ");
		}
		oclmm_text_add(&text, "\n");
		*(oclmm_condition_holds(p, p->condition, values) ? &positive : &negative) += 1;
	}
	printf("%s%s\n", oclmm_text_string(&text), positive ? "Ok" : "No");
	oclmm_text_finish(&text);
	print_end(p, found,
	          oclmm_observation_word(
			  oclmm_observation_of(positive, negative, positive, negative)),
	          positive, negative);
	printf("Readings=%s\n\n", as_written);
}

struct large *large_explore(const struct oclmm_program *program, double seconds)
{
	struct oclmm_explore_options options = {.seconds = seconds, .memory = MEMORY_MOST};
	struct large *large = oclmm_calloc(1, sizeof(*large));
	struct oclmm_explored *wide;
	int r = oclmm_explore_program(program, &options, &large->found);

	large->program = program;
	if (r == -EOPNOTSUPP) {
		free(large);
		return NULL;
	}
	large->complete = r == 0 && !large->found->early;
	if (large_is_undefined(large) || !large->complete || !large->found->scopes_differ)
		return large;
	/* scopes that differ may be inclusive for 3.1 */
	options.wide_scopes = true;
	r = oclmm_explore_program(program, &options, &wide);
	large->complete = r == 0 && wide->fault == OCLMM_EXPLORED_SOUND &&
	                  wide->state_count == large->found->state_count;
	oclmm_explored_destroy(wide);
	return large;
}

void large_destroy(struct large *large)
{
	if (!large)
		return;
	oclmm_explored_destroy(large->found);
	free(large);
}

bool large_is_undefined(const struct large *large)
{
	return large->found->fault != OCLMM_EXPLORED_SOUND;
}

bool large_is_complete(const struct large *large)
{
	return large->complete;
}

void large_print(const struct large *large)
{
	if (large_is_undefined(large))
		print_undefined(large->program, large->found);
	else
		print_states(large->program, large->found);
}
