// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A writer of XML, element by element. Part of base.h.
 */
#ifndef OCLMM_BASE_XML_H
#define OCLMM_BASE_XML_H

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Writes XML to a text: `{.text = text}`, or `{.text = text, .indents = true}`, where each element
 * begins a line, indented by the number of those around it.
 */
struct oclmm_xml {
	struct oclmm_text *text;
	bool indents;
	bool in_tag;       /**< the last tag may still get attributes */
	bool after_text;   /**< of an element; what ends it follows without a line of its own */
	const char **open; /**< the elements around */
	size_t depth, capacity;
};
/** Begins an element; its name is not copied. */
void oclmm_xml_open(struct oclmm_xml *xml, const char *name);
/** Gives the element that was just begun an attribute. Values and strings are cleaned and escaped.
 */
void oclmm_xml_attribute(struct oclmm_xml *xml, const char *name, const char *value);
void oclmm_xml_string(struct oclmm_xml *xml, const char *string);
/** Writes well-formed markup as it is. */
void oclmm_xml_raw(struct oclmm_xml *xml, const char *markup);
/** Ends the element that was begun last; one without content is `<br/>`. */
void oclmm_xml_close(struct oclmm_xml *xml);
/** The same as `<p></p>`: a reader of HTML takes `<p/>` for an opening tag. */
void oclmm_xml_close_with_tag(struct oclmm_xml *xml);
/** Ends all elements, and the line, and frees what the writer holds. */
void oclmm_xml_finish(struct oclmm_xml *xml);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
