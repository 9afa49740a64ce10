// SPDX-License-Identifier: Apache-2.0
/*
 * Looks at a finished picture as a reader would, from the SVG alone: what
 * stands where, and whether anything lies on anything else. Shares nothing
 * with the room that draws; the widths of letters are those of DejaVu Sans,
 * the widest font that is common where this is drawn.
 */
#ifndef OCLMM_TESTS_PICTURE_LOOK_H
#define OCLMM_TESTS_PICTURE_LOOK_H

#include <stddef.h>

/* Says what is wrong with a picture, in `why`, and returns false; true when it is well. */
struct look_counts {
	unsigned events, arrows, labels;
};
int look_at(const char *svg, char *why, size_t size, struct look_counts *ret_counts);

#endif
