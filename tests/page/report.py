# SPDX-License-Identifier: Apache-2.0
"""oclmm report: what it refuses, what it writes, and that the page is whole."""

import re
import sys
import xml.etree.ElementTree as ElementTree

from fixture import HOSTILE, PageCase
import common

XHTML = "{http://www.w3.org/1999/xhtml}"


class Refused(PageCase):
    def test_usage(self):
        for arguments in ((), ("none.jsonl",), ("--graphs", "some", "r.jsonl"),
                          ("--claims", "all", "r.jsonl"), ("--confidence", "2", "r.jsonl"),
                          ("--unknown", "r.jsonl")):
            _, err = self.run_program("report", *arguments, status=2)
            self.assertTrue(err)

    def test_bad_results_leave_the_old_page(self):
        self.write("page.html", "old\n")
        self.write("bad.jsonl", '{"type": "run"\n')
        self.results("cut.jsonl", [self.record("SB", [1, 2, 3, 4])], complete=False)
        for name in ("bad.jsonl", "cut.jsonl"):
            _, err = self.run_program("report", name, "-o", "page.html", status=2)
            self.assertIn(name, err)
            self.assertEqual(self.read("page.html"), "old\n")
        self.run_program("report", "cut.jsonl", "--partial", "-o", "page.html")
        self.assertNotEqual(self.read("page.html"), "old\n")

    def test_nothing_to_tell(self):
        self.results("empty.jsonl", [])
        self.run_program("report", "empty.jsonl", "-o", "page.html", status=77)
        self.assertFalse((self.folder / "page.html").exists())

    def test_cannot_write(self):
        self.results("r.jsonl", [self.record("SB", [1, 2, 3, 4])])
        _, err = self.run_program("report", "r.jsonl", "-o", "no/such/folder/page.html", status=99)
        self.assertIn("cannot write no/such/folder/page.html", err)


class Written(PageCase):
    def setUp(self):
        super().setUp()
        self.page = self.make().read_text(encoding="utf-8")
        self.tree = ElementTree.fromstring(self.page)

    def test_order_of_files_does_not_matter(self):
        """Nor does where the page goes."""
        page = self.make("--graphs", "all").read_text(encoding="utf-8")
        out, _ = self.run_program("report", "--graphs", "all", "tower.jsonl", "pocket.jsonl", "tower.jsonl")
        self.assertEqual(out, page)

    def test_asks_nothing_of_the_network(self):
        addresses = set(re.findall(r"https?://[^\"'\s<)]+", self.page))
        self.assertLessEqual(addresses, {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"})
        self.assertNotRegex(self.page, r"(?i)@import|\bsrc=|url\(")

    def test_is_judged_again(self):
        verdicts = {test.find(f"{XHTML}summary/{XHTML}b").text: test.get("data-v")
                    for test in self.tree.iter(f"{XHTML}details") if test.get("class") == "t"}
        self.assertEqual(verdicts, {"SB": "pass", "SB.order=sc": "inconclusive", "RACE": "undefined",
                                    "STRONG": "inconclusive forbidden", "STRONG.order=rlx": "pass crash",
                                    HOSTILE: "lost"})

    def test_hostile_names_are_text(self):
        self.assertEqual(len(list(self.tree.iter(f"{XHTML}script"))), 1)
        self.assertIn("alert(1)", "".join(self.tree.itertext()))

    def test_tells_the_test(self):
        strong = next(test for test in self.tree.iter(f"{XHTML}details") if test.get("id") == "t-STRONG")
        text = "".join(strong.itertext())
        for wanted in ("can both reads miss the other's write?", "memory_order_seq_cst", "Never",
                       "oclmm run --device 'Pocket GPU' --seed 1 --instances 1002 STRONG"):
            self.assertIn(wanted, text)

    def test_environments_stand_once(self):
        """A command that repeats a test names its environment, which stands with the devices."""
        self.assertEqual(self.page.count("groups=2 lanes=1"), 1)
        self.assertIn("E1='groups=2 lanes=1'", "".join(self.tree.itertext()))
        self.assertIn("oclmm run --device 'Pocket GPU' --environment \"$E1\" --seed 1 --instances 1010 SB ",
                      "".join(self.tree.itertext()))
        self.assertEqual([node.tag for node in self.tree.iter() if node.get("id") == "E1"], [f"{XHTML}p"])

    def test_pictures(self):
        """A forbidden outcome (STRONG), weak ones (SB, STRONG.order=rlx)."""
        drawn = {graphs: self.make("--graphs", graphs).read_text(encoding="utf-8").count("</figure>")
                 for graphs in ("none", "interesting", "all")}
        # all: also SB.order=sc; RACE is not judged, the hostile one is gone
        self.assertEqual(tuple(drawn.values()), (0, 3, 4))

    def test_pictures_name_nothing(self):
        """Several in one page: identifiers would clash."""
        svg = "{http://www.w3.org/2000/svg}"
        pictures = list(self.tree.iter(f"{svg}svg"))
        self.assertEqual(len(pictures), 3)
        for picture in pictures:
            self.assertEqual(picture.get("role"), "img")
            self.assertTrue(picture.find(f"{svg}title").text.endswith(("allowed", "forbidden (seq_cst)")))
            self.assertFalse([node for node in picture.iter() if node.get("id")])

    def test_expectations(self):
        self.write("known", "* | * | STRONG | forbidden | 0:r0=0; 1:r0=0; | see the tracker | 2999-01-01\n")
        page = self.make("--expectations", "known", "--title", "A <title>").read_text(encoding="utf-8")
        self.assertIn("see the tracker", page)
        self.assertIn("<h1>A &lt;title&gt;</h1>", page)


common.main()
