# SPDX-License-Identifier: Apache-2.0
"""The page by keyboard alone and on paper, in headless Chromium. Skipped (77) without a browser."""

import html
import re
import shutil
import subprocess
import unittest

from fixture import HOSTILE
from viewing import CUT, DETAILS, OVERFLOW, BrowserCase, need_browser
import common

# What a key can reach, as a reader sees it: those that are there to be seen, in the order of the text.
CONTROLS = """window.controls = Array.from(document.querySelectorAll(
    "a[href], button, input, select, summary, [tabindex='0']")).filter((part) => part.checkVisibility())"""
# Which of them has the keys, and whether a reader sees it: in the window, below nothing else, and marked.
FOCUSED = """(() => {
    const part = document.activeElement, style = getComputedStyle(part), box = part.getClientRects()[0];
    const x = Math.max(box.left, 0) + Math.min(box.width, 8) / 2;
    /* of what is higher than the window the upper end, the middle or the lower one suffices */
    const seen = [box.top + 4, (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2, box.bottom - 4]
        .map((y) => document.elementFromPoint(x, y));
    return [window.controls.indexOf(part), seen.some((top) => top && part.contains(top)),
        style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        `${part.tagName} ${part.textContent.slice(0, 40)}`];
})()"""
FOCUS_NAME = "document.activeElement.textContent"
# A4 between margins of 1 cm, at 96 to the inch
PAPER = 718
# Boxes on paper that hold more than they show.
SHORTENED = ('Array.from(document.querySelectorAll(".frame, pre")).filter((part) => part.checkVisibility()'
             ' && (part.scrollWidth > part.clientWidth + 1)).map((part) => part.innerText)')
# Of the matrix, on each sheet; and points between it and what stands below.
HEAD = ["family,", "test", "Pocket", "GPU", "Tower", "GPU", "</pre>", *HOSTILE.removeprefix("</pre>").split()]
LEAST_BELOW = 7
# More than a sheet.
LONG = "; ".join(["groups=2 lanes=1 rounds=16384 flip_groups=1 reverse_results=50 polls=1000"] * 80)
COMMANDS = 'document.querySelectorAll(".replay[open]").length'


class Keyboard(BrowserCase):
    def walk(self, back=False):
        """What the reader meets on the way through the page; how many controls there are."""
        self.get(f"{CONTROLS}; null")
        count = self.get("window.controls.length")
        self.get(f"window.controls[{count - 1 if back else 0}].focus({{ focusVisible: true }})")
        met = [self.get(FOCUSED)]
        while len(met) < count:
            self.press("Tab", shift=back)
            met.append(self.get(FOCUSED))
        return met, count

    def everything(self):
        self.load()
        self.open_all()
        self.get('document.querySelectorAll("details").forEach((part) => { part.open = true; })')

    def test_everything_is_reached_and_seen(self):
        """In the order of the text and back, at each width, also where the matrix is wider than the window."""
        for make in (self.make, self.make_wide):
            self.address = make().as_uri()
            for width in (360, 820, 1440):
                self.browser.size(width, 700)
                self.everything()
                for back in (False, True):
                    met, count = self.walk(back)
                    with self.subTest(make=make.__name__, width=width, back=back):
                        order = list(range(count))
                        self.assertEqual(str([at for at, *_ in met]), str(order[::-1] if back else order))
                        self.assertEqual([name for _, seen, marked, name in met if not (seen and marked)], [])

    def test_what_hides_the_focus_is_found(self):
        for harm in ("* { outline: none !important; }", "#filter { height: 90vh; }"):
            self.address = self.make_wide().as_uri()
            self.everything()
            self.get(f'document.head.append(Object.assign(document.createElement("style"), {{ textContent: "{harm}" }}))')
            met, _ = self.walk(back=True)
            self.assertNotEqual([part for part in met if not (part[1] and part[2])], [], harm)

    def test_from_the_search_to_a_test(self):
        """What is opened keeps the focus."""
        self.load()
        self.get('document.querySelector("[name=q]").focus()')
        self.browser.call("Input.insertText", text="strong")
        for _ in range(20):
            self.press("Tab")
            if self.get(FOCUS_NAME) == "STRONG":
                break
        self.assertEqual(self.get(FOCUS_NAME), "STRONG")
        self.press("Enter")
        self.assertEqual(self.get(DETAILS), 1)
        self.assertEqual(self.get(FOCUS_NAME), "STRONG")
        self.press("Tab")
        self.assertTrue(self.get('document.querySelector(".detail").contains(document.activeElement)'))

    def follow(self, link):
        self.get(f"document.querySelector('{link}').focus()")
        self.press("Enter")
        # the address changes at once, its event comes later
        self.get("new Promise((done) => setTimeout(done, 100))")

    def test_a_link_takes_the_keys_along(self):
        """To the test that it names, or to the filter that it sets."""
        self.load()
        self.follow("#attention a")
        self.assertEqual(self.get(FOCUS_NAME), "STRONG")
        self.load()
        self.follow("#differences a")
        self.assertEqual(self.get("location.hash"), "#seen=differs")
        for _ in range(20):
            self.press("Tab")
            if self.get("document.activeElement.name") == "q":
                break
            self.assertTrue(self.get('document.getElementById("tests").contains(document.activeElement)'))
        self.assertEqual(self.get("document.activeElement.name"), "q")

    def test_back_takes_the_filter_away(self):
        self.load()
        self.follow("#differences a")
        shown = 'document.getElementById("shown").textContent'
        self.assertEqual(self.get(shown), "3 of 6 tests")
        # the page's own listener was added first, so that it is called before this one
        self.get("new Promise((done) => { addEventListener('hashchange', () => setTimeout(done), { once: true });"
                 " history.back(); })")
        self.assertEqual(self.get(shown), "6 of 6 tests")
        self.assertEqual(self.get('document.querySelector("[name=seen]").value'), "")


class Paper(BrowserCase):
    def printing(self, expression):
        """Its value while the page is on its way to paper."""
        self.load()
        self.get(f'addEventListener("beforeprint", () => {{ window.printed = {expression}; }})')
        self.assertTrue(self.browser.pdf().startswith(b"%PDF-"))
        return self.get("window.printed")

    def test_what_failed_is_open(self):
        """And folded again after it."""
        names = ('Array.from(document.querySelectorAll(".detail"), (part) =>'
                 ' part.closest("tr").previousSibling.querySelector("button").textContent)')
        printed = self.printing(names)
        self.assertEqual(printed[1:], ["STRONG", "STRONG.order=rlx"])
        self.assertEqual(self.get(DETAILS), 0)
        # of each result that failed, and of no other of these tests
        self.assertEqual(self.printing(COMMANDS), 3)
        self.assertEqual(self.printing('document.querySelectorAll(".replay").length'), 5)
        for part in ("header details", "#legend"):
            self.assertEqual(self.printing(f'document.querySelector("{part}").open'), True)
            self.assertEqual(self.get(f'document.querySelector("{part}").open'), False)

    def test_what_failed_stands_first(self):
        """Of many devices, whichever columns they have."""
        self.address = self.make_wide().as_uri()
        self.load("#t-STRONG")
        results = self.get('Array.from(document.querySelectorAll(".result"), (part) => part.innerText)')
        self.assertEqual(len(results), 7)
        self.assertRegex(results[0], "forbidden Pocket GPU")
        self.assertRegex(results[1], "pass Device 0 of a lab")

    def test_nothing_is_cut_and_nothing_asks_to_be_pressed(self):
        for make in (self.make, self.make_wide):
            self.address = make().as_uri()
            self.browser.size(PAPER, 1000)
            self.browser.media()
            self.load()
            self.browser.media("print")
            # the page is told a frame later
            self.get(f"new Promise((done) => {{ const look = () => {DETAILS} ? done() : setTimeout(look, 20); look(); }})")
            self.assertLessEqual(self.get(OVERFLOW), 0)
            self.assertEqual(self.get(CUT), [])
            self.assertEqual(self.get(SHORTENED), [])
            controls = 'Array.from(document.querySelectorAll("button:not(.fold), input, select")).filter((p) => p.checkVisibility())'
            self.assertEqual(self.get(f"{controls}.length"), 0)
            signs = 'Array.from(document.querySelectorAll("button.fold"), (p) => getComputedStyle(p, "::before").content)'
            self.assertEqual(set(self.get(signs)), {"none"})
            self.assertEqual(self.get('getComputedStyle(document.querySelector("summary")).listStyleType'), "none")

    def heads(self, harm=""):
        """Of each sheet on which the matrix goes on: its head, and how far below it the next text stands, in points."""
        self.load()
        if harm:
            self.get(f"document.styleSheets[0].insertRule({harm!r}, document.styleSheets[0].cssRules.length)")
        path = self.folder / "page.pdf"
        path.write_bytes(self.browser.pdf())
        text = subprocess.run(["pdftotext", "-bbox", path, "-"], check=True, capture_output=True, text=True).stdout
        sheets = [re.findall(r'yMin="(.*?)".*yMax="(.*?)">(.*?)</word>', sheet) for sheet in text.split("<page ")[1:]]
        first = next(number for number, sheet in enumerate(sheets) if "family," in (part[2] for part in sheet))
        for sheet in sheets[first + 1:]:
            head, rest = sheet[:len(HEAD)], sheet[len(HEAD):]
            below = min((float(top) for top, _, _ in rest), default=0)
            below -= max(float(bottom) for _, bottom, _ in head)
            yield [html.unescape(word) for _, _, word in head], below

    @unittest.skipUnless(shutil.which("pdftotext"), "no pdftotext")
    def test_each_sheet_has_the_head_of_the_matrix(self):
        """And what goes on from the sheet before does not touch it, a command that is cut at the border, say."""
        self.results("pocket.jsonl", [self.record("STRONG", [2, 500, 500, 0], environment=LONG)], seed="1")
        self.run_program("report", "pocket.jsonl", "tower.jsonl", "-o", "page.html")
        found = list(self.heads())
        self.assertGreater(len(found), 2)
        self.assertEqual([words for words, _ in found], [HEAD] * len(found))
        self.assertGreater(min(below for _, below in found), LEAST_BELOW)
        self.assertLess(min(below for _, below in self.heads("#matrix > table > thead::after { display: none }")),
                        LEAST_BELOW)
        self.assertNotIn(HEAD, [words for words, _ in self.heads("#matrix thead { display: table-row-group }")])


need_browser()
common.main()
