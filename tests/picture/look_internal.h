// SPDX-License-Identifier: Apache-2.0
/* What is read from a picture (look_read.c), to be judged (look.c). */
#ifndef OCLMM_TESTS_PICTURE_LOOK_INTERNAL_H
#define OCLMM_TESTS_PICTURE_LOOK_INTERNAL_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

enum { MAX_ITEMS = 512, MAX_POINTS = 200, STEPS = 16 };

struct box {
	double left, top, right, bottom;
};

struct item {
	enum { EVENT, WORDS, NAME, LABEL, ARROW, FRAME } kind; /* FRAME: around a unit */
	struct box box;                                        /* of all but arrows */
	char text[64];                                         /* the words */
	char from[8], to[8]; /* arrows, labels; events: `from` is their letter */
	bool bold;
	double x[MAX_POINTS], y[MAX_POINTS]; /* arrows: the line */
	unsigned points;
	struct box head; /* arrows: around it */
};

struct picture {
	struct item *items;
	unsigned count;
	double width, height;
	char *why;
	size_t size;
	bool wrong;
};

/* The first complaint counts. */
void look_complain(struct picture *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *look_attribute(const xmlNode *node, const char *name);
bool look_is_element(const xmlNode *node, const char *name);
void look_surround(struct box *box, double x, double y);
void look_read_elements(struct picture *p, const xmlNode *node);

#endif
