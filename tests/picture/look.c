// SPDX-License-Identifier: Apache-2.0
#include "look.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 512, MAX_POINTS = 200, STEPS = 16 };

struct box {
	double left, top, right, bottom;
};

struct item {
	enum { EVENT, WORDS, NAME, LABEL, ARROW } kind;
	struct box box;      /* of all but arrows */
	char text[64];       /* the words */
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

static void complain(struct picture *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The first complaint counts. */
static void complain(struct picture *p, const char *format, ...)
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
static const char *attribute(const xmlNode *node, const char *name)
{
	for (; node && node->type == XML_ELEMENT_NODE; node = node->parent)
		for (const xmlAttr *a = node->properties; a; a = a->next)
			if (xmlStrEqual(a->name, BAD_CAST name) && a->children)
				return (const char *)a->children->content;
	return "";
}

static double number(const xmlNode *node, const char *name)
{
	return strtod(attribute(node, name), NULL);
}

static bool is_element(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST name);
}

static bool has_class(const xmlNode *node, const char *class)
{
	const char *at = attribute(node, "class");
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
		complain(p, "more than %d things", MAX_ITEMS);
		p->count--;
	}
	item = &p->items[p->count++];
	memset(item, 0, sizeof(*item));
	item->kind = kind;
	return item;
}

static void read_ends(const xmlNode *node, struct item *item)
{
	snprintf(item->from, sizeof(item->from), "%s", attribute(node, "data-from"));
	snprintf(item->to, sizeof(item->to), "%s", attribute(node, "data-to"));
}

static void read_event(struct picture *p, const xmlNode *node)
{
	struct item *item = add_item(p, EVENT);

	item->box.left = number(node, "x");
	item->box.top = number(node, "y");
	item->box.right = item->box.left + number(node, "width");
	item->box.bottom = item->box.top + number(node, "height");
	snprintf(item->from, sizeof(item->from), "%s", attribute(node, "data-event"));
	snprintf(item->text, sizeof(item->text), "event %s", item->from);
}

static void read_words(struct picture *p, const xmlNode *node)
{
	int kind = has_class(node, "label") ? LABEL : has_class(node, "words") ? WORDS : NAME;
	struct item *item;
	xmlChar *content = xmlNodeGetContent(node);
	double font = number(node, "font-size"), x = number(node, "x"), y = number(node, "y");
	bool mono = strstr(attribute(node, "font-family"), "monospace") != NULL;
	double width = width_of((const char *)content, font, mono,
	                        strcmp(attribute(node, "font-weight"), "bold") == 0);

	if (has_class(node->parent, "label"))
		kind = LABEL;
	item = add_item(p, kind);
	if (strcmp(attribute(node, "text-anchor"), "middle") == 0)
		x -= width / 2;
	else if (strcmp(attribute(node, "text-anchor"), "end") == 0)
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
		complain(p, "a line of more than %d points", MAX_POINTS);
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
			complain(p, "a path with %c", command);
			return;
		}
		for (unsigned i = 0; i < wanted; i++) {
			char *end;

			c[i] = strtod(path, &end);
			if (end == path)
				complain(p, "a path that breaks off");
			path = end;
		}
		if (command == 'C' && item->points)
			add_curve(p, item, c);
		else
			add_point(p, item, c[0], c[1]);
	}
}

static void surround(struct box *box, double x, double y)
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
		if (is_element(child, "circle")) {
			item->head = (struct box){x - r, y - r, x + r, y + r};
			continue;
		}
		if (!is_element(child, "path"))
			continue;
		read_path(p, item->points ? &head : item, attribute(child, "d"));
		if (!head.points)
			continue;
		item->head = (struct box){head.x[0], head.y[0], head.x[0], head.y[0]};
		for (unsigned i = 1; i < head.points; i++)
			surround(&item->head, head.x[i], head.y[i]);
	}
	if (item->points < 2)
		complain(p, "%s has no line", item->text);
}

static void read_elements(struct picture *p, const xmlNode *node)
{
	for (const xmlNode *child = node->children; child && !p->wrong; child = child->next) {
		if (child->type != XML_ELEMENT_NODE)
			continue;
		if (xmlHasProp(child, BAD_CAST "id") || is_element(child, "script") ||
		    is_element(child, "a") || is_element(child, "image"))
			complain(p, "an identifier or an element that has no place here: %s",
			         (const char *)child->name);
		if (is_element(child, "rect") && has_class(child, "event"))
			read_event(p, child);
		else if (is_element(child, "text"))
			read_words(p, child);
		else if (is_element(child, "g") && has_class(child, "arrow"))
			read_arrow(p, child);
		else
			read_elements(p, child);
	}
}

/* ---- judging -------------------------------------------------------------------------------- */

static bool overlap(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool holds(const struct box *outer, const struct box *b)
{
	return b->left >= outer->left && b->right <= outer->right && b->top >= outer->top &&
	       b->bottom <= outer->bottom;
}

/* How far a point is from a box; 0 within. */
static double distance(const struct box *b, double x, double y)
{
	double across = fmax(fmax(b->left - x, x - b->right), 0);
	double along = fmax(fmax(b->top - y, y - b->bottom), 0);

	return hypot(across, along);
}

/* How near a line comes to a box, by points a fraction of a pixel from each other. */
static double nearest(const struct item *arrow, const struct box *b)
{
	double best = 1e9;

	for (unsigned i = 0; i + 1 < arrow->points; i++) {
		double x = arrow->x[i], y = arrow->y[i];
		double dx = arrow->x[i + 1] - x, dy = arrow->y[i + 1] - y;
		int steps = (int)(hypot(dx, dy) * 2) + 1;

		for (int k = 0; k <= steps; k++)
			best = fmin(best, distance(b, x + dx * k / steps, y + dy * k / steps));
	}
	return best;
}

static void judge_within(struct picture *p)
{
	const struct box whole = {0, 0, p->width, p->height};

	for (unsigned i = 0; i < p->count; i++) {
		struct item *item = &p->items[i];
		struct box b = item->box;

		if (item->kind == ARROW) {
			b = item->head;
			for (unsigned k = 0; k < item->points; k++)
				surround(&b, item->x[k], item->y[k]);
		}
		if (!holds(&whole, &b))
			complain(p, "%s is not within the picture", item->text);
	}
}

/* Words stand in the event that was drawn before them, and on nothing else. */
static void judge_words(struct picture *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct item *a = &p->items[i];

		if (a->kind == ARROW)
			continue;
		if (a->kind == WORDS && (i == 0 || p->items[i - 1].kind != EVENT ||
		                         !holds(&p->items[i - 1].box, &a->box)))
			complain(p, "the words %s are not within their event", a->text);
		for (unsigned k = i + 1; k < p->count; k++) {
			const struct item *b = &p->items[k];
			bool own = a->kind == EVENT && b->kind == WORDS && k == i + 1;

			if (b->kind != ARROW && !own && overlap(&a->box, &b->box))
				complain(p, "%s lies on %s", a->text, b->text);
		}
	}
}

static const struct item *find_event(const struct picture *p, const char *letter)
{
	for (unsigned i = 0; i < p->count; i++)
		if (p->items[i].kind == EVENT && strcmp(p->items[i].from, letter) == 0)
			return &p->items[i];
	return NULL;
}

static void judge_ends(struct picture *p, const struct item *arrow)
{
	const struct item *from = find_event(p, arrow->from), *to = find_event(p, arrow->to);
	struct box head = arrow->head;

	if (!from || !to) {
		complain(p, "%s joins no events", arrow->text);
		return;
	}
	/* a head at the tail stands between the event and the line */
	if (distance(&from->box, arrow->x[0], arrow->y[0]) > 14)
		complain(p, "%s begins elsewhere", arrow->text);
	head.left -= 0.5;
	head.right += 0.5;
	head.top -= 0.5;
	head.bottom += 0.5;
	if (!overlap(&head, &to->box) &&
	    distance(&to->box, arrow->x[arrow->points - 1], arrow->y[arrow->points - 1]) > 14)
		complain(p, "%s ends elsewhere", arrow->text);
}

/* Lines touch no event but their own, and no words. */
static void judge_lines(struct picture *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct item *arrow = &p->items[i];

		if (arrow->kind != ARROW)
			continue;
		judge_ends(p, arrow);
		for (unsigned k = 0; k < p->count; k++) {
			const struct item *b = &p->items[k];
			bool own = b->kind == EVENT && (strcmp(b->from, arrow->from) == 0 ||
			                                strcmp(b->from, arrow->to) == 0);
			struct box inner = {b->box.left + 0.1, b->box.top + 0.1, b->box.right - 0.1,
			                    b->box.bottom - 0.1};

			if (b->kind == ARROW || b->kind == WORDS)
				continue;
			if (nearest(arrow, &inner) <= 0)
				complain(p, "the line of %s lies on %s", arrow->text, b->text);
			if (!own && overlap(&arrow->head, &b->box))
				complain(p, "the head of %s lies on %s", arrow->text, b->text);
		}
	}
}

static bool same_ends(const struct item *a, const struct item *b)
{
	return strcmp(a->from, b->from) == 0 && strcmp(a->to, b->to) == 0;
}

/* Each arrow has a label, and no other arrow is nearer to it. */
static void judge_labels(struct picture *p)
{
	unsigned arrows = 0, labels = 0;

	for (unsigned i = 0; i < p->count; i++) {
		const struct item *label = &p->items[i];
		double own = 1e9, other = 1e9;

		arrows += label->kind == ARROW;
		if (label->kind != LABEL)
			continue;
		labels++;
		for (unsigned k = 0; k < p->count; k++) {
			const struct item *arrow = &p->items[k];

			if (arrow->kind != ARROW)
				continue;
			if (same_ends(label, arrow))
				own = fmin(own, nearest(arrow, &label->box));
			else
				other = fmin(other, nearest(arrow, &label->box));
		}
		if (own > 12)
			complain(p, "the label %s of %s to %s is %.1f from its arrow", label->text,
			         label->from, label->to, own);
		if (other < own)
			complain(p,
			         "the label %s of %s to %s is nearer to another arrow: %.1f, %.1f",
			         label->text, label->from, label->to, other, own);
	}
	if (arrows != labels)
		complain(p, "%u arrows and %u labels", arrows, labels);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void judge_root(struct picture *p, const xmlNode *root)
{
	const xmlNode *title = xmlFirstElementChild((xmlNode *)(size_t)root);
	const xmlNode *description = title ? xmlNextElementSibling((xmlNode *)(size_t)title) : NULL;
	double x, y;

	if (!is_element(root, "svg") || !root->ns ||
	    !xmlStrEqual(root->ns->href, BAD_CAST "http://www.w3.org/2000/svg"))
		complain(p, "not an <svg> element");
	if (strcmp(attribute(root, "role"), "img") != 0)
		complain(p, "the picture does not say that it is one");
	if (!title || !is_element(title, "title") || !title->children || !description ||
	    !is_element(description, "desc") || !description->children)
		complain(p, "no title, or no description");
	if (sscanf(attribute(root, "viewBox"), "%lf %lf %lf %lf", &x, &y, &p->width, &p->height) !=
	            4 ||
	    x != 0 || y != 0)
		complain(p, "no view");
}

static void judge(struct picture *p, const xmlNode *root)
{
	judge_root(p, root);
	if (p->wrong)
		return;
	read_elements(p, root);
	judge_within(p);
	judge_words(p);
	judge_lines(p);
	judge_labels(p);
}

int look_at(const char *svg, char *why, size_t size, struct look_counts *ret_counts)
{
	struct picture p = {.why = why, .size = size};
	xmlDoc *document = xmlReadMemory(svg, (int)strlen(svg), NULL, "UTF-8",
	                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
	                                         XML_PARSE_NOBLANKS);

	p.items = calloc(MAX_ITEMS, sizeof(*p.items));
	if (!document || !p.items)
		complain(&p, "not well-formed");
	else
		judge(&p, xmlDocGetRootElement(document));
	*ret_counts = (struct look_counts){0};
	for (unsigned i = 0; i < p.count; i++) {
		ret_counts->events += p.items[i].kind == EVENT;
		ret_counts->arrows += p.items[i].kind == ARROW;
		ret_counts->labels += p.items[i].kind == LABEL;
	}
	free(p.items);
	xmlFreeDoc(document);
	return !p.wrong;
}
