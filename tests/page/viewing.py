# SPDX-License-Identifier: Apache-2.0
"""Tests that look at the page in headless Chromium."""

import sys

import browser
from browser import Browser
from fixture import PageCase

DETAILS = 'document.querySelectorAll(".detail").length'
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Tables of which a reader does not see all at once.
CUT = ('Array.from(document.querySelectorAll("table")).filter((table) =>'
       ' table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1'
       ' || table.getBoundingClientRect().right > innerWidth).map((table) => table.innerText)')
KEYS = {"Tab": 9, "Enter": 13}


def need_browser():
    if not browser.find():
        print("no Chromium")
        sys.exit(77)


class BrowserCase(PageCase):
    """The fixture's page in a browser that all tests of a class share."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(browser.find())
        cls.browser.__enter__()
        cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        super().setUp()
        self.address = self.make().as_uri()
        self.browser.size(1200, 900)
        self.browser.media()

    def load(self, view=""):
        self.browser.load(self.address + view)
        self.assertEqual(self.browser.complaints(), [])

    def get(self, expression):
        return self.browser.evaluate(expression)

    def press(self, button, shift=False):
        """A key, as the hand presses it."""
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=button, code=button, modifiers=8 * shift,
                              windowsVirtualKeyCode=KEYS[button], **({"text": "\r"} if button == "Enter" else {}))

    def open_all(self):
        """Each family, and then each test."""
        self.get('document.querySelectorAll("tr.f button[aria-expanded=false]").forEach((b) => b.click())')
        self.get('document.getElementById("open").click()')
