// SPDX-License-Identifier: Apache-2.0
/* How the matrix is read. */
#include "internal.h"

static void kinds(struct page *page)
{
	struct markup *markup = page->markup;

	markup_element(markup, "h3", "Outcomes", NULL);
	markup_element(markup, "p",
	               "An outcome is what one instance of a test ended with. The bars of the "
	               "details show how often each was seen, on a logarithmic scale: one instance "
	               "is a stub, all of them fill the column.",
	               NULL);
	markup_open(markup, "ul", "class", "legend", NULL);
	for (int i = 0; i < PAGE_KIND_COUNT; i++) {
		enum page_kind kind = (enum page_kind)i;

		markup_open(markup, "li", "class", page_kind_word(kind), NULL);
		markup_open(markup, "span", "class", "bar", "aria-hidden", "true", NULL);
		markup_element(markup, "i", NULL, NULL);
		markup_close(markup);
		markup_printf(markup, " %s ", page_kind_sign(kind));
		markup_element(markup, "b", page_kind_word(kind), NULL);
		markup_printf(markup, ": %s", page_kind_meaning(kind));
		markup_close(markup);
	}
	markup_close(markup);
}

static void evidence_bar(struct page *page, enum oclmm_control_kind kind, const char *width,
                         const char *meaning)
{
	struct markup *markup = page->markup;

	markup_open(markup, "li", NULL);
	markup_open(markup, "span", "class", "e", "aria-hidden", "true", NULL);
	markup_element(markup, "i", NULL, "class", oclmm_control_kind_speaks_for(kind), "style",
	               width, NULL);
	markup_close(markup);
	markup_text(markup, " ");
	markup_element(markup, "b", oclmm_control_kind_speaks_for(kind), NULL);
	markup_printf(markup, ": %s", meaning);
	markup_close(markup);
}

static const char silence[] =
	"A test that shows nothing forbidden may run on a good device, or on a bad one that was "
	"not provoked. So each runs beside controls: programs that differ in one thing and in "
	"which the outcome is allowed. Both are launched in turn, many instances at a time. The "
	"more launches of a control showed the outcome, the longer the bar: the upper one for the "
	"compiler, the lower one for the hardware. A bar that reaches the mark stands for %g %% "
	"confidence, a full one for one chance in a million that a device with the bug stayed "
	"silent. An empty, dashed frame: no control showed anything.";

static void evidence(struct page *page)
{
	struct markup *markup = page->markup;

	markup_element(markup, "h3", "What silence is worth", NULL);
	markup_open(markup, "p", NULL);
	markup_printf(markup, silence, 100 * page->options->demand.confidence);
	markup_close(markup);
	markup_open(markup, "ul", "class", "legend", NULL);
	evidence_bar(page, OCLMM_CONTROL_MOVED, "width:70%",
	             "the control is the test after one wrong step of a compiler, such as two "
	             "accesses exchanged");
	evidence_bar(page, OCLMM_CONTROL_WEAKER, "width:45%",
	             "the control lacks some of the test's orders, scopes, fences or barriers, "
	             "so that the machine may show the outcome");
	markup_close(markup);
}

static const char rows[] =
	"Each test is a small program of a few threads that share memory, and asks whether they "
	"can end in a certain way. It ran in millions of instances. A row stands for a family of "
	"tests or, unfolded, for a test; a column for a device or a run on it. A family's cell "
	"counts its tests by verdict. A test's cell has its verdict, and how often the asked "
	"outcome was seen in how many instances. The table of verdicts above says what each means.";

void page_legend(struct page *page)
{
	struct markup *markup = page->markup;

	markup_open(markup, "details", "id", "legend", NULL);
	markup_element(markup, "summary", "How to read this", NULL);
	markup_element(markup, "p", rows, NULL);
	kinds(page);
	evidence(page);
	markup_close(markup);
}
