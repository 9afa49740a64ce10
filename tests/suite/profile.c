// SPDX-License-Identifier: Apache-2.0
/*
 * A profile: every line chooses something, it is as long as it should be, and a
 * test never stands in it without its control. Nothing in the quick one needs a
 * feature that PoCL does not claim.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "oclmm/codegen.h"

enum { MAX_LINES = 200 };

struct profile {
	const char *name;
	bool plain;    /* holds nothing beyond what PoCL claims */
	bool controls; /* the line `+controls`: the reader adds them */
	char *text;
	char *lines[MAX_LINES];
	bool used[MAX_LINES];
	size_t count;
	size_t chosen;
};

static void read_profile(struct profile *profile, const char *root)
{
	struct oclmm_text path;
	char *line, *rest;
	size_t length;

	oclmm_text_init(&path);
	oclmm_text_printf(&path, "%s/profiles/%s", root, profile->name);
	if (oclmm_read_file(oclmm_text_string(&path), &profile->text, &length) < 0) {
		complain(oclmm_text_string(&path), "cannot be read: %s", strerror(errno));
		exit(1);
	}
	oclmm_text_finish(&path);
	line = strtok_r(profile->text, "\n", &rest);
	for (; line; line = strtok_r(NULL, "\n", &rest)) {
		if (strcmp(line, "+controls") == 0)
			profile->controls = true;
		else if (line[0] != '#' && profile->count < MAX_LINES)
			profile->lines[profile->count++] = line;
	}
}

static bool chooses(struct profile *profile, const char *name)
{
	bool chosen = false;

	for (size_t i = 0; i < profile->count; i++) {
		if (fnmatch(profile->lines[i], name, FNM_EXTMATCH) == 0)
			chosen = profile->used[i] = true;
	}
	return chosen;
}

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

		if (!chooses(profile, variant->name))
			continue;
		profile->chosen++;
		if (profile->plain)
			check_features(variant);
		if (!profile->controls && variant->control && !chooses(profile, variant->control))
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
	read_profile(&profile, argv[1]);
	visit_folder(argv[1], check_file, &profile);
	for (size_t i = 0; i < profile.count; i++) {
		if (!profile.used[i])
			complain(profile.lines[i], "chooses no variant");
	}
	if (profile.chosen < least || profile.chosen > most)
		complain(profile.name, "%zu variants are chosen, not %zu to %zu", profile.chosen,
		         least, most);
	free(profile.text);
	return complaints != 0;
}
