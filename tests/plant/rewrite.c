// SPDX-License-Identifier: Apache-2.0
/* usage: rewrite PLANT [FILE]: writes the text as the plant leaves it, and `N places` on standard
 * error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plant/rewrite.h"

int main(int argc, char **argv)
{
	char message[PLANT_MESSAGE], *source;
	struct plant plant;
	struct oclmm_text text;
	size_t length;
	int r;

	if (argc < 2 || !plant_parse(argv[1], &plant, message)) {
		fprintf(stderr, "%s\n", argc < 2 ? "usage: rewrite PLANT [FILE]" : message);
		return 2;
	}
	r = oclmm_read_file(argc > 2 ? argv[2] : "/dev/stdin", &source, &length);
	if (r < 0) {
		fprintf(stderr, "cannot read: %s\n", strerror(-r));
		return 2;
	}
	fprintf(stderr, "%zu places\n", plant_rewrite(&plant, source, length, &text));
	fwrite(oclmm_text_string(&text), 1, text.length, stdout);
	oclmm_text_finish(&text);
	free(source);
	return 0;
}
