// SPDX-License-Identifier: Apache-2.0
#include "build.h"

static int build(struct builder *builder)
{
	int (*const steps[])(struct builder *) = {
		build_threads,
		build_placements,
		build_locations,
		build_check_hosts,
		build_registers_of_init,
		build_check_functions,
		build_tables,
		build_bodies,
		build_settle_instances,
		build_check_commands,
		build_check_floats,
		build_final,
		build_check_pipes,
	};

	for (size_t i = 0; i < OCLMM_COUNT(steps); i++) {
		int result = steps[i](builder);

		if (result)
			return result;
	}
	return 0;
}

int syntax_build(const struct syntax_source *source, struct oclmm_arena *arena,
                 const struct tree_file *tree, bool dartagnan, uint32_t unroll,
                 struct oclmm_program **ret_program)
{
	struct builder builder = {
		.source = source,
		.arena = arena,
		.tree = tree,
		.program = OCLMM_NEW(arena, struct oclmm_program),
		.dartagnan = dartagnan,
		.unroll = unroll,
	};
	int result;

	builder.program->file = source->path;
	/* until a variant gives it its name */
	builder.program->name = "";
	result = build(&builder);
	if (result)
		return result;
	builder.program->hash = oclmm_program_hash(builder.program);
	*ret_program = builder.program;
	return 0;
}
