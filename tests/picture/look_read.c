// SPDX-License-Identifier: Apache-2.0
#include "look_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void look_complain(struct picture *p, const char *format, ...)
{
	va_list arguments;

	if (p->wrong)
		return;
	p->wrong = true;
	va_start(arguments, format);
	vsnprintf(p->why, p->size, format, arguments);
	va_end(arguments);
}

/* ---- letters ---------------------------------------------------------------------- */

/* Advance widths of DejaVu Sans, and of its bold, from the space on, in thousandths of an em. */
static const short widths[2][95] = {
	{318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
         636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
         1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
         603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
         500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
         635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838},
	{348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
         696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
         1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
         733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
         500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
         716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838},
};

static double width_of(const char *text, double font, bool mono, bool bold)
{
	double width = 0;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (mono)
			width += 602;
		else
			width += c >= 32 && c < 127 ? widths[bold][c - 32] : 1000;
	}
	return width * font / 1000;
}

/* ---- reading ------------------------------------------------------------------------- */

/* An attribute of an element or of what it stands in; "" where there is none. */
const char *look_attribute(const xmlNode *node, const char *name)
{
	for (; node && node->type == XML_ELEMENT_NODE; node = node->parent)
		for (const xmlAttr *a = node->properties; a; a = a->next)
			if (xmlStrEqual(a->name, BAD_CAST name) && a->children)
				return (const char *)a->children->content;
	return "";
}

static double number(const xmlNode *node, const char *name)
{
	return strtod(look_attribute(node, name), NULL);
}

bool look_is_element(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST name);
}

static bool has_class(const xmlNode *node, const char *class)
{
	const char *at = look_attribute(node, "class");
	size_t length = strlen(class);

	for (; *at; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");

		if (word == length && strncmp(at, class, length) == 0)
			return true;
		at += word;
	}
	return false;
}

static struct item *add_item(struct picture *p, int kind)
{
	struct item *item;

	if (p->count == MAX_ITEMS) {
		look_complain(p, "more than %d things", MAX_ITEMS);
		p->count--;
	}
	item = &p->items[p->count++];
	memset(item, 0, sizeof(*item));
	item->kind = kind;
	return item;
}

static void read_ends(const xmlNode *node, struct item *item)
{
	snprintf(item->from, sizeof(item->from), "%s", look_attribute(node, "data-from"));
	snprintf(item->to, sizeof(item->to), "%s", look_attribute(node, "data-to"));
}

static struct item *read_box(struct picture *p, const xmlNode *node, int kind)
{
	struct item *item = add_item(p, kind);

	item->box.left = number(node, "x");
	item->box.top = number(node, "y");
	item->box.right = item->box.left + number(node, "width");
	item->box.bottom = item->box.top + number(node, "height");
	snprintf(item->text, sizeof(item->text), "a frame");
	return item;
}

static void read_event(struct picture *p, const xmlNode *node)
{
	struct item *item = read_box(p, node, EVENT);

	snprintf(item->from, sizeof(item->from), "%s", look_attribute(node, "data-event"));
	snprintf(item->text, sizeof(item->text), "event %s", item->from);
}

static void read_words(struct picture *p, const xmlNode *node)
{
	int kind = has_class(node, "label") ? LABEL : has_class(node, "words") ? WORDS : NAME;
	struct item *item;
	xmlChar *content = xmlNodeGetContent(node);
	double font = number(node, "font-size"), x = number(node, "x"), y = number(node, "y");
	bool mono = strstr(look_attribute(node, "font-family"), "monospace") != NULL;
	double width = width_of((const char *)content, font, mono,
	                        strcmp(look_attribute(node, "font-weight"), "bold") == 0);

	if (has_class(node->parent, "label"))
		kind = LABEL;
	item = add_item(p, kind);
	if (strcmp(look_attribute(node, "text-anchor"), "middle") == 0)
		x -= width / 2;
	else if (strcmp(look_attribute(node, "text-anchor"), "end") == 0)
		x -= width;
	item->box = (struct box){x, y - 0.76 * font, x + width, y + 0.24 * font};
	snprintf(item->text, sizeof(item->text), "%s", (const char *)content);
	read_ends(node, item);
	xmlFree(content);
}

/* ---- lines ------------------------------------------------------------------------------- */

static void add_point(struct picture *p, struct item *item, double x, double y)
{
	if (item->points == MAX_POINTS) {
		look_complain(p, "a line of more than %d points", MAX_POINTS);
		return;
	}
	item->x[item->points] = x;
	item->y[item->points++] = y;
}

static void add_curve(struct picture *p, struct item *item, const double *c)
{
	double x = item->x[item->points - 1], y = item->y[item->points - 1];

	for (int i = 1; i <= STEPS; i++) {
		double t = (double)i / STEPS, s = 1 - t;

		add_point(p, item,
		          s * s * s * x + 3 * s * s * t * c[0] + 3 * s * t * t * c[2] +
		                  t * t * t * c[4],
		          s * s * s * y + 3 * s * s * t * c[1] + 3 * s * t * t * c[3] +
		                  t * t * t * c[5]);
	}
}

/* M, L and C with absolute coordinates is all there may be, and Z at the end. */
static void read_path(struct picture *p, struct item *item, const char *path)
{
	while (*path && *path != 'Z') {
		char command = *path++;
		unsigned wanted = command == 'C' ? 6 : 2;
		double c[6];

		if (!strchr("MLC", command)) {
			look_complain(p, "a path with %c", command);
			return;
		}
		for (unsigned i = 0; i < wanted; i++) {
			char *end;

			c[i] = strtod(path, &end);
			if (end == path)
				look_complain(p, "a path that breaks off");
			path = end;
		}
		if (command == 'C' && item->points)
			add_curve(p, item, c);
		else
			add_point(p, item, c[0], c[1]);
	}
}

void look_surround(struct box *box, double x, double y)
{
	box->left = fmin(box->left, x);
	box->right = fmax(box->right, x);
	box->top = fmin(box->top, y);
	box->bottom = fmax(box->bottom, y);
}

/* The first path is the line; of the others, the last one is the head at the tip. */
static void read_arrow(struct picture *p, const xmlNode *node)
{
	struct item *item = add_item(p, ARROW);
	static struct item head; /* large */

	read_ends(node, item);
	item->bold = has_class(node, "bold");
	snprintf(item->text, sizeof(item->text), "arrow %s to %s", item->from, item->to);
	for (const xmlNode *child = node->children; child; child = child->next) {
		double r = number(child, "r"), x = number(child, "cx"), y = number(child, "cy");

		head.points = 0;
		if (look_is_element(child, "circle")) {
			item->head = (struct box){x - r, y - r, x + r, y + r};
			continue;
		}
		if (!look_is_element(child, "path"))
			continue;
		read_path(p, item->points ? &head : item, look_attribute(child, "d"));
		if (!head.points)
			continue;
		item->head = (struct box){head.x[0], head.y[0], head.x[0], head.y[0]};
		for (unsigned i = 1; i < head.points; i++)
			look_surround(&item->head, head.x[i], head.y[i]);
	}
	if (item->points < 2)
		look_complain(p, "%s has no line", item->text);
}

void look_read_elements(struct picture *p, const xmlNode *node)
{
	for (const xmlNode *child = node->children; child && !p->wrong; child = child->next) {
		if (child->type != XML_ELEMENT_NODE)
			continue;
		if (xmlHasProp(child, BAD_CAST "id") || look_is_element(child, "script") ||
		    look_is_element(child, "a") || look_is_element(child, "image"))
			look_complain(p, "an identifier or an element that has no place here: %s",
			              (const char *)child->name);
		if (look_is_element(child, "rect") && has_class(child, "event"))
			read_event(p, child);
		else if (has_class(child, "device") || has_class(child, "group"))
			read_box(p, child, FRAME);
		else if (look_is_element(child, "text"))
			read_words(p, child);
		else if (look_is_element(child, "g") && has_class(child, "arrow"))
			read_arrow(p, child);
		else
			look_read_elements(p, child);
	}
}
