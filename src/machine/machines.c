// SPDX-License-Identifier: Apache-2.0
/* The machines that there are. */
#include "code.h"

static const struct oclmm_machine *const machines[] = {
	&oclmm_machine_x86_64,  &oclmm_machine_aarch64, &oclmm_machine_gfx9,  &oclmm_machine_gfx940,
	&oclmm_machine_gfx10,   &oclmm_machine_gfx11,   &oclmm_machine_gfx12, &oclmm_machine_ptx,
	&oclmm_machine_riscv64, &oclmm_machine_spirv,
};

const struct oclmm_machine *oclmm_machine_at(size_t index)
{
	return index < OCLMM_COUNT(machines) ? machines[index] : NULL;
}

const struct oclmm_machine *oclmm_machine_find(const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(machines); i++) {
		if (strcmp(machines[i]->name, name) == 0)
			return machines[i];
	}
	return NULL;
}

const char *oclmm_machine_name(const struct oclmm_machine *machine)
{
	return machine->name;
}

const char *oclmm_machine_model_name(const struct oclmm_machine *machine)
{
	return machine->model;
}

const char *oclmm_machine_model_text(const struct oclmm_machine *machine)
{
	return machine->cat;
}
