// SPDX-License-Identifier: Apache-2.0
#include "look.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "look_internal.h"

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

/* The square of how far a point is from a box; 0 within. Without the library's functions, for it
 * is asked for very many points. */
static double squared_distance(const struct box *b, double x, double y)
{
	double across = x < b->left ? b->left - x : x > b->right ? x - b->right : 0;
	double along = y < b->top ? b->top - y : y > b->bottom ? y - b->bottom : 0;

	return across * across + along * along;
}

static double distance(const struct box *b, double x, double y)
{
	return sqrt(squared_distance(b, x, y));
}

/* How near a line comes to a box, by points a fraction of a pixel from each other. */
static double nearest(const struct item *arrow, const struct box *b)
{
	double best = 1e18;

	for (unsigned i = 0; i + 1 < arrow->points; i++) {
		double x = arrow->x[i], y = arrow->y[i];
		double dx = arrow->x[i + 1] - x, dy = arrow->y[i + 1] - y;
		int steps = (int)(hypot(dx, dy) * 2) + 1;

		for (int k = 0; k <= steps; k++) {
			double there = squared_distance(b, x + dx * k / steps, y + dy * k / steps);

			best = there < best ? there : best;
		}
	}
	return sqrt(best);
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
				look_surround(&b, item->x[k], item->y[k]);
		}
		if (!holds(&whole, &b))
			look_complain(p, "%s is not within the picture", item->text);
	}
}

/* Words stand in the event that was drawn before them, and on nothing else. */
static void judge_words(struct picture *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct item *a = &p->items[i];

		if (a->kind == ARROW || a->kind == FRAME)
			continue;
		if (a->kind == WORDS && (i == 0 || p->items[i - 1].kind != EVENT ||
		                         !holds(&p->items[i - 1].box, &a->box)))
			look_complain(p, "the words %s are not within their event", a->text);
		for (unsigned k = i + 1; k < p->count; k++) {
			const struct item *b = &p->items[k];
			bool own = a->kind == EVENT && b->kind == WORDS && k == i + 1;

			if (b->kind != ARROW && b->kind != FRAME && !own &&
			    overlap(&a->box, &b->box))
				look_complain(p, "%s lies on %s", a->text, b->text);
		}
	}
}

/* Labels are within a frame or outside of it. */
static void judge_frames(struct picture *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct item *label = &p->items[i];

		for (unsigned k = 0; label->kind == LABEL && k < p->count; k++) {
			const struct box *frame = &p->items[k].box;

			if (p->items[k].kind == FRAME && overlap(frame, &label->box) &&
			    !holds(frame, &label->box))
				look_complain(p, "the label %s of %s to %s lies on a frame",
				              label->text, label->from, label->to);
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
		look_complain(p, "%s joins no events", arrow->text);
		return;
	}
	/* a head at the tail stands between the event and the line */
	if (distance(&from->box, arrow->x[0], arrow->y[0]) > 14)
		look_complain(p, "%s begins elsewhere", arrow->text);
	head.left -= 0.5;
	head.right += 0.5;
	head.top -= 0.5;
	head.bottom += 0.5;
	if (!overlap(&head, &to->box) &&
	    distance(&to->box, arrow->x[arrow->points - 1], arrow->y[arrow->points - 1]) > 14)
		look_complain(p, "%s ends elsewhere", arrow->text);
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

			if (b->kind == ARROW || b->kind == WORDS || b->kind == FRAME)
				continue;
			if (nearest(arrow, &inner) <= 0)
				look_complain(p, "the line of %s lies on %s", arrow->text, b->text);
			if (!own && overlap(&arrow->head, &b->box))
				look_complain(p, "the head of %s lies on %s", arrow->text, b->text);
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
			look_complain(p, "the label %s of %s to %s is %.1f from its arrow",
			              label->text, label->from, label->to, own);
		if (other < own)
			look_complain(
				p,
				"the label %s of %s to %s is nearer to another arrow: %.1f, %.1f",
				label->text, label->from, label->to, other, own);
	}
	if (arrows != labels)
		look_complain(p, "%u arrows and %u labels", arrows, labels);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void judge_root(struct picture *p, const xmlNode *root)
{
	const xmlNode *title = xmlFirstElementChild((xmlNode *)(size_t)root);
	const xmlNode *description = title ? xmlNextElementSibling((xmlNode *)(size_t)title) : NULL;
	double x, y;

	if (!look_is_element(root, "svg") || !root->ns ||
	    !xmlStrEqual(root->ns->href, BAD_CAST "http://www.w3.org/2000/svg"))
		look_complain(p, "not an <svg> element");
	if (strcmp(look_attribute(root, "role"), "img") != 0)
		look_complain(p, "the picture does not say that it is one");
	if (!title || !look_is_element(title, "title") || !title->children || !description ||
	    !look_is_element(description, "desc") || !description->children)
		look_complain(p, "no title, or no description");
	if (sscanf(look_attribute(root, "viewBox"), "%lf %lf %lf %lf", &x, &y, &p->width,
	           &p->height) != 4 ||
	    x != 0 || y != 0)
		look_complain(p, "no view");
}

static void judge(struct picture *p, const xmlNode *root)
{
	judge_root(p, root);
	if (p->wrong)
		return;
	look_read_elements(p, root);
	judge_within(p);
	judge_words(p);
	judge_frames(p);
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
		look_complain(&p, "not well-formed");
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
