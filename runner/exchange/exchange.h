// SPDX-License-Identifier: Apache-2.0
/*
 * The texts of kernels, as oclmm_generate_…() give them. Where the layer that plants bugs is loaded
 * (OPENCL_LAYERS, OCLMM_PLANT), it is offered the text that each is to be exchanged for: that of
 * the program as the plant changes it. All else goes on as if there were no plant.
 *
 * May see: plant, codegen.
 */
#ifndef OCLMM_RUNNER_EXCHANGE_EXCHANGE_H
#define OCLMM_RUNNER_EXCHANGE_EXCHANGE_H

#include "oclmm/codegen.h"

enum exchange_kind {
	EXCHANGE_TESTS,    /* oclmm_generate_tests(), of one program or several */
	EXCHANGE_COUNT,    /* oclmm_generate_count() */
	EXCHANGE_COMMANDS, /* oclmm_generate_commands(); `spaces` is not looked at, */
	EXCHANGE_WHOLE,    /* oclmm_generate_whole(), nor here, */
	EXCHANGE_SIDE,     /* oclmm_generate_side(); nor are the programs */
};
/* \param options may be NULL. \return 0 or what the generator returned; the latter three cannot
 * fail
 */
int exchange_generate(enum exchange_kind kind, const struct oclmm_program *const *programs,
                      const struct oclmm_outcome_space *const *spaces, uint32_t count,
                      const struct oclmm_codegen_options *options, struct oclmm_error *error,
                      struct oclmm_text *ret_source);
/**
 * The kernels of a file that stands alone. Where a plant is chosen (OCLMM_PLANT), loaded or not,
 * `ret_planted` gets what the layer reads (OCLMM_PLANT_TEXTS) that the file is run under;
 * it stays empty where the plant changes nothing of the text.
 */
int exchange_generate_lone(const struct oclmm_program *program,
                           const struct oclmm_outcome_space *space, struct oclmm_lone lone,
                           struct oclmm_error *error, struct oclmm_text *ret_source,
                           struct oclmm_text *ret_planted);
/** The same of a text of a fixed form, or one of plain accesses alone. */
void exchange_plant_ids(const struct oclmm_text *source, struct oclmm_text *ret_planted);

#endif
