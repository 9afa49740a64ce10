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

int exchange_generate_test(const struct oclmm_program *program,
                           const struct oclmm_outcome_space *space,
                           const struct oclmm_codegen_options *options, struct oclmm_error *error,
                           struct oclmm_text *ret_source);
int exchange_generate_tests(const struct oclmm_program *const *programs,
                            const struct oclmm_outcome_space *const *spaces, uint32_t count,
                            const struct oclmm_codegen_options *options, struct oclmm_error *error,
                            struct oclmm_text *ret_source);
int exchange_generate_count(const struct oclmm_program *program,
                            const struct oclmm_outcome_space *space,
                            const struct oclmm_codegen_options *options, struct oclmm_error *error,
                            struct oclmm_text *ret_source);
void exchange_generate_side(struct oclmm_text *ret_source);
void exchange_generate_commands(const struct oclmm_program *program, struct oclmm_text *ret_source);

#endif
