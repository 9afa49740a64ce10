// SPDX-License-Identifier: Apache-2.0
/* Arrows as SVG. */
#ifndef OCLMM_PICTURE_PAINT_H
#define OCLMM_PICTURE_PAINT_H

#include "layout.h"

/* The colours of what is no arrow. */
#define PAPER  "#ffffff"
#define INK    "#000000"
#define BORDER "#808080"
#define RACING "#f4d9d9"

/* A length in pixels: `12`, `7.5`. */
void paint_length(struct oclmm_text *text, int tenths);
/* ` name="length"` */
void paint_attribute(struct oclmm_text *text, const char *name, int tenths);
/* Line and heads, in the colour that is current. */
void paint_arrow(struct oclmm_text *text, const struct route *route);
/* A straight arrow of a kind, for the legend. */
void paint_sample(struct oclmm_text *text, unsigned kind, struct point from, int length);

#endif
