// SPDX-License-Identifier: Apache-2.0
/*
 * A profile: every line chooses something, it is as long as it should be, and a
 * test never stands in it without its control. Nothing in the quick one needs a
 * feature that PoCL does not claim.
 */
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "lines.h"
#include "oclmm/codegen.h"

struct profile {
	const char *name;
	bool plain; /* holds nothing beyond what PoCL claims */
	struct lines lines;
	size_t chosen;
};

static void check_features(const struct oclmm_variant *variant)
{
	struct oclmm_features f;

	oclmm_program_features(variant->program, &f);
	if (f.svm_atomics || f.host_threads || f.devices > 1)
		complain(variant->name, "needs shared virtual memory or a second device");
	if (f.sub_groups || f.generic_pointers || f.atomic_types & oclmm_types_of_width(64))
		complain(variant->name, "needs sub-groups, generic pointers or 64-bit atomics");
	if (f.scopes & 1u << OCLMM_SCOPE_ALL_SVM_DEVICES)
		complain(variant->name, "needs the scope all_svm_devices");
}

static void check_file(const struct oclmm_litmus *litmus, void *data)
{
	struct profile *profile = data;

	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];

		if (!lines_choose(&profile->lines, variant->name))
			continue;
		profile->chosen++;
		if (profile->plain)
			check_features(variant);
		if (!profile->lines.controls && variant->control &&
		    !lines_choose(&profile->lines, variant->control))
			complain(variant->name, "its control %s is left out", variant->control);
	}
}

int main(int argc, char **argv)
{
	struct profile profile = {0};
	size_t least, most;

	if (argc != 5)
		return 2;
	profile.name = argv[2];
	profile.plain = strcmp(profile.name, "quick") == 0;
	least = strtoul(argv[3], NULL, 10);
	most = strtoul(argv[4], NULL, 10);
	lines_read(&profile.lines, argv[1], profile.name);
	visit_folder(argv[1], check_file, &profile);
	for (size_t i = 0; i < profile.lines.count; i++) {
		if (!profile.lines.used[i])
			complain(profile.lines.line[i], "chooses no variant");
	}
	if (profile.chosen < least || profile.chosen > most)
		complain(profile.name, "%zu variants are chosen, not %zu to %zu", profile.chosen,
		         least, most);
	lines_finish(&profile.lines);
	return complaints != 0;
}
