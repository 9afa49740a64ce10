// SPDX-License-Identifier: Apache-2.0
/*
 * What every layer of the ICD loader (OPENCL_LAYERS) begins with. icd_layer.c, which is linked into
 * each, answers the loader; a layer says its name and which calls it replaces.
 */
#ifndef OCLMM_RUNNER_PLANT_ICD_LAYER_H
#define OCLMM_RUNNER_PLANT_ICD_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <stdbool.h>

/* Stands in one file of each layer, with the layer's name. */
#define ICD_LAYER(name)                                                                            \
	const char layer_name[] = name;                                                            \
	const struct _cl_icd_dispatch *layer_real
extern const char layer_name[];
extern const struct _cl_icd_dispatch *layer_real; /* the driver, or the next layer */

/* To be defined by the layer. */
/* Replaces calls in `own`, a copy of layer_real, which is set. False where it cannot. */
bool layer_start(struct _cl_icd_dispatch *own);

#endif
