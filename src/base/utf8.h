// SPDX-License-Identifier: Apache-2.0
/* UTF-8, as those need it who print strings from outside. */
#ifndef OCLMM_BASE_UTF8_H
#define OCLMM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character that a string begins with, and its length; 0 where there is none. */
size_t utf8_decode(const char *at, uint32_t *ret_character);
/*
 * Whether a character is seen and leaves the others as they are: none that is for control,
 * separates lines, turns the direction of writing or has no width. A tab is.
 */
bool utf8_is_seen(uint32_t character);

#endif
