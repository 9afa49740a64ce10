// SPDX-License-Identifier: Apache-2.0
/*
 * HTML that is XML as well. Whatever comes from outside goes through here and
 * is escaped; bytes that XML does not have are replaced.
 */
#ifndef OCLMM_PAGE_MARKUP_H
#define OCLMM_PAGE_MARKUP_H

#include "oclmm/base.h"

struct markup;

/* Writes into `text`, which must outlive it. NULL when libxml2 has no memory. */
struct markup *markup_create(struct oclmm_text *text);
/* Closes what is open. Returns 0 or -ENOMEM. */
int markup_destroy(struct markup *markup);

/* Attributes are pairs of name and value, behind them NULL; those whose value is NULL are left
 * out. */
void markup_open(struct markup *markup, const char *name, ...) __attribute__((sentinel));
void markup_close(struct markup *markup);
/* An element that holds text only; NULL: nothing. */
void markup_element(struct markup *markup, const char *name, const char *content, ...)
	__attribute__((sentinel));
/* An element without content, such as `br`. */
void markup_void(struct markup *markup, const char *name, ...) __attribute__((sentinel));
void markup_text(struct markup *markup, const char *text);
void markup_printf(struct markup *markup, const char *format, ...) OCLMM_PRINTF(2, 3);
/* Well-formed markup of our own, as it is. */
void markup_raw(struct markup *markup, const char *text);

#endif
