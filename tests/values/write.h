// SPDX-License-Identifier: Apache-2.0
/** \file The texts of the files under litmus/values. */
#ifndef TESTS_VALUES_WRITE_H
#define TESTS_VALUES_WRITE_H

#include "search.h"

/** What the files of fetch functions, of exchange and of their OpenCL 1.x forms differ in. */
struct family {
	enum oclmm_operation op;
	const char *stem;   /**< `fetch_add`, or of the legacy ones `add` */
	const char *noun;   /**< of what the question asks two: `additions` */
	const char *detail; /**< a sentence on the values, or "" */
	const char *update; /**< operator of the control, "<" and ">" for min and max, "=" */
	bool legacy, by_one;
};

extern const struct family families[];
extern const size_t family_count;

/** Of the controls' loads and stores. */
#define ORDER_SCOPE "memory_order_relaxed, memory_scope_device"
/** The axis of the files with orders: in local memory the scope is that of the work-group. */
#define VARY_PLACE                                                                                 \
	"vary place: wg 1, global, memory_scope_device\n"                                          \
	"    => \"wg00\" wg 0, global, memory_scope_device\n"                                      \
	"    | \"local\" wg 0, local, memory_scope_work_group\n"

/** The name of a family's file without its suffix. */
void write_name(struct oclmm_text *text, const struct family *family);
/** What a family's file asks; the line of the README has it too. */
void write_question(struct oclmm_text *text, const struct family *family);
void write_family(struct oclmm_text *text, const struct family *family);
/** The file of compare-exchanges: strong, weak, or atomic_cmpxchg. */
void write_compare_exchange(struct oclmm_text *text, enum oclmm_operation op, bool legacy);
/** A value of a type as a litmus file has it in front and in the condition, and in a thread. */
void write_literal(struct oclmm_text *text, enum oclmm_type type, int64_t value);
void write_value(struct oclmm_text *text, enum oclmm_type type, int64_t value);
/** What the comments of files with orders end with, a paragraph of its own. */
void write_about_orders(struct oclmm_text *text);
/** Lines of a comment, of at most 78 columns. */
void write_paragraph(struct oclmm_text *text, const char *format, ...) OCLMM_PRINTF(2, 3);

#endif
