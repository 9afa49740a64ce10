# SPDX-License-Identifier: Apache-2.0
"""The page in headless Chromium: scripts, filters, narrow windows, print. Skipped (77) without a browser."""

import sys

import browser
from browser import Browser
from fixture import PageCase
import common

SHOWN = 'document.getElementById("shown").textContent'
NAMES = ('Array.from(document.querySelectorAll("details.t")).filter((test) => test.checkVisibility())'
         '.map((test) => test.querySelector("summary b").textContent)')
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class View(PageCase):
    def setUp(self):
        super().setUp()
        self.address = self.make().as_uri()
        self.browser = Browser(browser.find())
        self.browser.__enter__()
        self.addCleanup(self.browser.__exit__)
        self.browser.size(1200, 900)

    def load(self, view=""):
        self.browser.load(self.address + view)
        self.assertEqual(self.browser.complaints(), [])

    def names(self):
        return self.browser.evaluate(NAMES)

    def test_shows_all(self):
        self.load()
        self.assertEqual(self.browser.evaluate(SHOWN), "6 of 6 tests")
        self.assertEqual(len(self.names()), 6)
        self.assertEqual(self.browser.evaluate("document.title"), "OpenCL memory model: results")

    def test_address_filters(self):
        for view, wanted in (("#verdict=forbidden", ["STRONG"]), ("#q=sb", ["SB", "SB.order=sc"]),
                             ("#q=order%3Dsc", ["SB.order=sc"]), ("#family=race", ["RACE"]),
                             ("#verdict=pass&q=strong", ["STRONG.order=rlx"]), ("#seen=unjudged", ["RACE"]),
                             ("#seen=differs", ["SB", "STRONG", "STRONG.order=rlx"]),
                             ("#verdict=forbidden&family=race", []), ("#q=%", [])):
            self.load(view)
            self.assertEqual(self.names(), wanted, view)
            self.assertEqual(self.browser.evaluate(SHOWN), f"{len(wanted)} of 6 tests")

    def test_typing_filters_and_is_remembered(self):
        self.load()
        self.browser.evaluate('document.querySelector("[name=q]").focus()')
        self.browser.call("Input.insertText", text="strong RLX")
        self.assertEqual(self.names(), ["STRONG.order=rlx"])
        self.assertEqual(self.browser.evaluate("location.hash"), "#q=strong%20RLX")

    def test_link_opens_a_hidden_test(self):
        self.load("#q=race")
        self.browser.evaluate('document.querySelector("#attention a").click()')
        # the address changes at once, its event comes later
        self.browser.evaluate("new Promise((done) => setTimeout(done, 100))")
        self.assertEqual(self.browser.evaluate('document.getElementById("t-STRONG").open'), True)
        self.assertIn("STRONG", self.names())
        self.assertEqual(self.browser.complaints(), [])

    def test_link_opens_the_environments(self):
        self.load("#t-SB")
        self.browser.evaluate('document.querySelector("#t-SB a[href=\\"#E1\\"]").click()')
        self.browser.evaluate("new Promise((done) => setTimeout(done, 100))")
        self.assertEqual(self.browser.evaluate('document.getElementById("E1").checkVisibility()'), True)

    def test_opens_and_closes_what_is_shown(self):
        opened = 'document.querySelectorAll("details.t[open]").length'
        self.load("#q=strong")
        self.browser.evaluate('document.getElementById("open").click()')
        self.assertEqual(self.browser.evaluate(opened), 2)
        self.browser.evaluate('document.getElementById("close").click()')
        self.assertEqual(self.browser.evaluate(opened), 0)

    def test_reads_without_scripts(self):
        self.browser.scripts(False)
        self.load("#t-STRONG")
        self.browser.scripts(True)
        self.assertEqual(len(self.names()), 6)
        self.assertEqual(self.browser.evaluate('document.getElementById("filter").checkVisibility()'), False)

    def test_fits_a_phone(self):
        self.browser.size(360, 740)
        for view in ("", "#t-STRONG"):
            self.load(view)
            self.browser.evaluate('document.getElementById("open").click()')
            self.assertEqual(self.browser.evaluate(OVERFLOW), 0)

    def test_colours_follow_the_reader(self):
        seen = set()
        for scheme in ("light", "dark"):
            self.browser.media(prefers_color_scheme=scheme)
            self.load()
            seen.add(self.browser.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        self.assertEqual(len(seen), 2)

    def test_kinds_differ_by_more_than_colour(self):
        """The bars of the legend: no two have the same pattern when the colours are taken away."""
        self.load()
        patterns = self.browser.evaluate(
            'Array.from(document.querySelectorAll(".legend .bar i"), (bar) =>'
            'getComputedStyle(bar).backgroundImage.replace(/rgba?\\([^)]*\\)/g, "c"))')
        self.assertEqual(len(patterns), 5)
        self.assertEqual(len(set(patterns)), 5)

    def test_prints(self):
        self.load("#t-STRONG")
        self.browser.media("print")
        self.assertEqual(self.browser.evaluate('document.getElementById("filter").checkVisibility()'), False)
        self.assertTrue(self.browser.pdf().startswith(b"%PDF-"))


if not browser.find():
    print("no Chromium")
    sys.exit(77)
common.main()
