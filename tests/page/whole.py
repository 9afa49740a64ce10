# SPDX-License-Identifier: Apache-2.0
"""The page of a whole suite on two devices: its size, and that all of it can be reached.

usage: whole.py PROGRAM            the test; its part in a browser needs Chromium
       whole.py PROGRAM --time     how long it takes: written, opened, filtered key by key
"""

import pathlib
import resource
import sys
import tempfile
import time
import unittest

import browser
import synthetic
from common import PROGRAM
from fixture import Data
import subprocess

# 18.9 MB for 10,524 tests on two devices: a third of it is the results file, of which 74 MB are packed into 5.8
MOST_EACH = 2000
KEYS = "mp+rel acq"
FILTER = """((text) => {
    const box = document.querySelector("[name=q]"), begin = performance.now();
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.getBoundingClientRect();
    return performance.now() - begin;
})"""


def make(folder):
    """The page, its tests and the seconds of processor time that it took."""
    files = [str(folder / f"{name}.jsonl") for name in ("one", "two")]
    listed = synthetic.answers()
    count = [synthetic.write(file, f"Device {number}", listed) for number, file in enumerate(files)][0]
    page = folder / "page.html"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PROGRAM, "report", *files, "-o", str(page)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return page, count, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Whole(unittest.TestCase):
    def test_size_and_reach(self):
        with tempfile.TemporaryDirectory(prefix="oclmm-page-") as name:
            page, count, _ = make(pathlib.Path(name))
            text = page.read_text(encoding="utf-8")
            data = Data(text)
            self.assertGreater(count, 3900)
            self.assertEqual(len(data.tests), count)
            self.assertLess(page.stat().st_size / count, MOST_EACH)
            if browser.find():
                self.look(page, data)

    def look(self, page, data):
        with browser.Browser(browser.find()) as view:
            view.load(page.as_uri())
            self.assertEqual(view.complaints(), [])
            rows = "document.querySelectorAll('tr.t').length"
            self.assertEqual(view.evaluate(rows), 0)
            for at in range(len(KEYS)):
                words = KEYS[:at + 1].split()
                wanted = sum(all(word in f"{name} {data.string(test['question'])}".lower() for word in words)
                             for name, test in data.tests.items())
                view.evaluate(f"{FILTER}({KEYS[:at + 1]!r})")
                self.assertEqual(view.evaluate("document.getElementById('shown').textContent"),
                                 f"{wanted:,} of {len(data.tests):,} tests")
                # what nobody sees is not built
                self.assertLessEqual(view.evaluate(rows), 40)
            while view.evaluate("document.querySelectorAll('tr.more button').length"):
                view.evaluate("document.querySelectorAll('tr.more button').forEach((button) => button.click())")
            self.assertGreater(view.evaluate(rows), 40)


def measure():
    with tempfile.TemporaryDirectory(prefix="oclmm-page-") as name, browser.Browser(browser.find()) as view:
        page, count, seconds = make(pathlib.Path(name))
        print(f"{count} tests on two devices: {page.stat().st_size / 1e6:.2f} MB, {seconds:.2f} s of processor time")
        loads = []
        for _ in range(5):
            begin = time.monotonic()
            view.load(page.as_uri())
            loads.append(time.monotonic() - begin)
        print(f"opened in {sorted(loads)[2]:.2f} s (median of 5)")
        keys = [view.evaluate(f"{FILTER}({KEYS[:at + 1]!r})") for _ in range(5) for at in range(len(KEYS))]
        print(f"filtered per key: median {sorted(keys)[len(keys) // 2]:.0f} ms, most {max(keys):.0f} ms")


if "--time" not in sys.argv:
    unittest.main()
if not browser.find():
    print("no Chromium")
    sys.exit(77)
measure()
