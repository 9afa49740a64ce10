// SPDX-License-Identifier: Apache-2.0
/*
 * Kinds of arrows differ in colour, line and head, and carry their names, so
 * that they read in black and white too.
 */
#include "graph.h"

static const struct look looks[KIND_COUNT] = {
	[OCLMM_EDGE_SB] = {"#000000", "#e4e8ec", NULL, "solid", "normal", HEAD_FULL, false, 0},
	[OCLMM_EDGE_RF] = {"#b2182b", "#ff8a80", "6 3", "dashed", "normal", HEAD_FULL, false, 2},
	[OCLMM_EDGE_MO] = {"#2166ac", "#7db8f0", "2 3", "dotted", "vee", HEAD_OPEN, false, 1},
	[OCLMM_EDGE_FR] = {"#b35806", "#f0a050", "6 3", "dashed", "empty", HEAD_HOLLOW, false, 4},
	[OCLMM_EDGE_SW] = {"#1b7837", "#6fcf86", NULL, "solid", "normal", HEAD_FULL, true, 5},
	[OCLMM_EDGE_HB] = {"#636363", "#b0b0b0", NULL, "solid", "vee", HEAD_OPEN, false, 3},
	[OCLMM_EDGE_S] = {"#762a83", "#d8a0e8", "2 3", "dotted", "diamond", HEAD_DIAMOND, false, 6},
	[OCLMM_EDGE_DATA] = {"#762a83", "#d8a0e8", "2 3", "dotted", "dot", HEAD_DISC, false, 2},
	[KIND_RACE] = {"#b2182b", "#ff8a80", NULL, "solid", "box", HEAD_BOX, false, 7},
};

const struct look *kind_look(unsigned kind)
{
	return &looks[kind];
}

const char *kind_name(unsigned kind)
{
	return kind == KIND_RACE ? "race" : oclmm_edge_name((enum oclmm_edge)kind);
}

const char *kind_meaning(unsigned kind)
{
	return kind == KIND_RACE ? "nothing orders the two accesses"
	                         : oclmm_edge_meaning((enum oclmm_edge)kind);
}
