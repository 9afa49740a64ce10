// SPDX-License-Identifier: Apache-2.0
/* Whether what a control shows is worth something to a test that is silent. */
#include <stdlib.h>

#include "controls.h"
#include "oclmm/control.h"
#include "oclmm/expect.h"
#include "select/test_features.h"

#define HAS(name) UINT64_C(1) << TEST_FEATURE_##name
/* A control of one of these lacks the edge, and its threads then wait for nobody: it shows what a
 * device without that edge shows, one thread after another. */
static const uint64_t EDGES = HAS(BARRIER) | HAS(COLLECTIVE) | HAS(ENQUEUE) | HAS(COPY) |
                              HAS(PIPE) | HAS(HOST) | HAS(COMMAND);

/* Whether what is looked for in a control shows in an outcome that needs no two threads at a time.
 */
static bool shows_at_rest(const struct oclmm_program *test, const struct oclmm_answer *answer,
                          const struct oclmm_program *control, const uint32_t *places)
{
	struct oclmm_expected_file *file = oclmm_expected_create("");
	struct oclmm_serial *serial = NULL;
	int64_t *values = oclmm_calloc((size_t)test->observable_count + 1, sizeof(*values));
	bool shows = false, asked = oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS) ==
	                            OCLMM_OBSERVATION_NEVER;

	oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS);
	if (oclmm_serial_find(control, &serial) < 0)
		serial = NULL;
	for (size_t i = 0; serial && i < serial->count && !shows; i++) {
		const int64_t *own = serial->values + i * serial->width;

		if (asked && !oclmm_condition_holds(control, control->condition, own))
			continue;
		for (uint32_t k = 0; k < test->observable_count; k++)
			values[k] = own[places[k]];
		shows = (!test->filter || oclmm_condition_holds(test, test->filter, values)) &&
		        oclmm_expected_status(oclmm_expected_at(file, 0), values, NULL) ==
		                OCLMM_STATUS_FORBIDDEN;
	}
	oclmm_serial_destroy(serial);
	free(values);
	oclmm_expected_destroy(file);
	return shows;
}

void check_comparable(const struct oclmm_variant *variant, const struct oclmm_answer *answer,
                      const struct oclmm_variant *control)
{
	uint32_t *places = oclmm_calloc((size_t)variant->program->observable_count + 1,
	                                sizeof(*places));

	if (!oclmm_observables_find(variant->program, control->program, places))
		complain(variant->name, "its control %s does not observe what it observes",
		         control->name);
	else if (!(test_features(variant->program) & EDGES) &&
	         shows_at_rest(variant->program, answer, control->program, places))
		complain(variant->name,
		         "its control %s shows what it forbids though no threads meet",
		         control->name);
	free(places);
}
