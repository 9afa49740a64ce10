// SPDX-License-Identifier: Apache-2.0
/* What the layer of external memory and the CUDA of the tests have to agree on. */
#ifndef OCLMM_TESTS_PLANT_EXTERNAL_H
#define OCLMM_TESTS_PLANT_EXTERNAL_H

enum { EXTERNAL_UUID_BYTES = 16 };
/* of the only device */
#define EXTERNAL_UUID "oclmm external!"

#endif
