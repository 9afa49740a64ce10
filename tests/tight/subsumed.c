// SPDX-License-Identifier: Apache-2.0
/*
 * Tests of other hands: each variant that is a cycle within the bound of the list and whose outcome
 * consensus forbids stands above a tight test of the list, which is printed behind it.
 *
 * usage: test_subsumed LIST FOLDER          a folder of litmus files
 *        test_subsumed LIST --environment   that of $OCLMM_FOREIGN_LITMUS; 77 when it is not set
 *        test_subsumed LIST --cycles FILE   a file with a name and a cycle on each line
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "oclmm/syntax.h"
#include "select/suite.h"

struct counts {
	unsigned files, refused, variants, cycles, within, forbidden, missing;
};

static void print(const char *name, const struct oclmm_cycle *cycle)
{
	struct oclmm_text words = {0};

	oclmm_cycle_print(&words, cycle);
	printf("%s: %s\n", name, oclmm_text_string(&words));
	oclmm_text_finish(&words);
}

static void check_cycle(const char *name, const struct oclmm_cycle *cycle, const struct list *list,
                        unsigned edges, struct counts *counts)
{
	struct oclmm_tight_space *space;
	struct oclmm_cycle tight;
	uint64_t number;
	int models;

	counts->cycles++;
	space = cycle->count == edges ? oclmm_tight_space_create(cycle, list->updates) : NULL;
	if (!space || !oclmm_tight_space_find(space, cycle, &number)) {
		oclmm_tight_space_destroy(space);
		return;
	}
	counts->within++;
	models = oclmm_tight_space_ask(space, number);
	if (models > 0 && models & 1 << OCLMM_MODEL_CONSENSUS) {
		counts->forbidden++;
		if (descend(space, number, OCLMM_MODEL_CONSENSUS, &tight) < 0 ||
		    !list_has(list, &tight, OCLMM_MODEL_CONSENSUS)) {
			counts->missing++;
			fprintf(stderr, "not in the list: ");
		}
		print(name, &tight);
	}
	oclmm_tight_space_destroy(space);
}

static void check_variant(const struct oclmm_variant *variant, const struct list *list,
                          unsigned edges, struct counts *counts)
{
	struct oclmm_cycle cycle;

	counts->variants++;
	if (oclmm_cycle_recognise(variant->program, &cycle))
		check_cycle(variant->name, &cycle, list, edges, counts);
}

static void check_file(const char *path, const struct list *list, unsigned edges,
                       struct counts *counts)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	counts->files++;
	if (oclmm_litmus_read(path, NULL, &error, &litmus) < 0) {
		counts->refused++;
		return;
	}
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		check_variant(&litmus->variants[i], list, edges, counts);
	oclmm_litmus_destroy(litmus);
}

static bool check_folder(const char *folder, const struct list *list, unsigned edges,
                         struct counts *counts)
{
	struct suite_files files = {0};
	struct oclmm_error error;
	bool good = suite_add_folder(&files, folder, &error) == 0;

	for (size_t i = 0; i < files.count; i++)
		check_file(files.files[i].path, list, edges, counts);
	suite_files_finish(&files);
	return good;
}

static bool check_cycles(const char *path, const struct list *list, unsigned edges,
                         struct counts *counts)
{
	struct list others = {0};
	bool good = true;

	list_read(&others, path);
	for (size_t i = 0; i < others.count; i++) {
		struct oclmm_error error;
		struct oclmm_cycle cycle;

		if (oclmm_cycle_parse(others.lines[i].words, &error, &cycle) == 0) {
			check_cycle(others.lines[i].words, &cycle, list, edges, counts);
		} else {
			fprintf(stderr, "%s: %s\n", others.lines[i].words, error.message);
			good = false;
		}
	}
	/* these are chosen to be forbidden */
	good &= counts->forbidden == others.count;
	list_finish(&others);
	return good;
}

int main(int argc, char **argv)
{
	const char *folder = argc > 2 ? argv[2] : "";
	struct counts counts = {0};
	struct oclmm_cycle first;
	struct list list = {0};
	bool good;

	if (strcmp(folder, "--environment") == 0)
		folder = getenv("OCLMM_FOREIGN_LITMUS");
	if (!folder)
		return 77;
	if (!*folder)
		return 2;
	list_read(&list, argv[1]);
	if (list.count == 0 || oclmm_cycle_parse(list.lines[0].words, NULL, &first) < 0)
		return 2;
	if (argc == 4 && strcmp(folder, "--cycles") == 0)
		good = check_cycles(argv[3], &list, first.count, &counts);
	else
		good = check_folder(folder, &list, first.count, &counts);
	printf("%u files (%u refused), %u variants, %u cycles, %u within the bound, %u forbidden, "
	       "%u of them above no test of the list\n",
	       counts.files, counts.refused, counts.variants, counts.cycles, counts.within,
	       counts.forbidden, counts.missing);
	list_finish(&list);
	return !good || counts.missing > 0 || counts.forbidden == 0;
}
