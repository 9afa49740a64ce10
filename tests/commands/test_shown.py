# SPDX-License-Identifier: Apache-2.0
"""What counts as shown in a document, and as the same."""

import pathlib
import tempfile
import unittest

import shown

TEXT = """# Title

    oclmm list        # no prompt: nothing is shown

    $ oclmm check SB | grep \\
        Observation
    Observation SB Sometimes 1 3

    two paragraphs of one output
    $ oclmm run SB

Text with `oclmm show SB`.

* a list

  ```
  $ oclmm show SB
  OPENCL SB
  ```

    $ oclmm run --device NVIDIA SB
    Test SB Allowed
    1234  :>0:r0=0; 1:r0=1;
    0     *>0:r0=0; 1:r0=0;
    7     :>0:r0=1; 1:r0=1; # ? disputed K2
"""


class Parse(unittest.TestCase):
    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".md", delete=False, encoding="utf-8") as file:
            file.write(TEXT)
        self.path = pathlib.Path(file.name)
        self.addCleanup(self.path.unlink)
        self.all = list(shown.shown(self.path))

    def test_commands(self):
        self.assertEqual([one.command for one in self.all],
                         ["oclmm check SB | grep Observation", "oclmm run SB", "oclmm show SB",
                          "oclmm run --device NVIDIA SB"])
        self.assertEqual([one.line for one in self.all], [5, 10, 17, 21])
        self.assertEqual([one.needs_device for one in self.all], [False, True, False, True])
        self.assertEqual([one.elsewhere for one in self.all], [False, False, False, True])

    def test_output(self):
        self.assertEqual(self.all[0].output,
                         ["Observation SB Sometimes 1 3", "", "two paragraphs of one output"])
        self.assertEqual(self.all[1].output, [])
        self.assertEqual(self.all[2].output, ["OPENCL SB"])

    def test_place_of_output(self):
        lines = TEXT.splitlines()
        for one in self.all:
            there = lines[one.last - len(one.output):one.last]
            self.assertEqual([line[len(one.indent):] for line in there], one.output)

    def test_rows_with_a_count(self):
        self.assertEqual(list(shown.rows(self.all[3].output)),
                         [("SB", "0:r0=0; 1:r0=1;"), ("SB", "0:r0=1; 1:r0=1;")])


class Compare(unittest.TestCase):
    def test_gaps(self):
        for wanted, got, fits in ((["a"], ["a"], True), (["a"], ["b"], False), (["a"], ["a", "b"], False),
                                  (["a", "…"], ["a", "b"], True), (["…", "b"], ["a", "b"], True),
                                  (["…", "c"], ["a", "b"], False), (["…"], [], True), ([], ["a"], False),
                                  (["a", "…", "c"], ["a", "c"], True), (["a", "b"], ["a"], False)):
            self.assertEqual(shown.fits(wanted, got), fits, (wanted, got))

    def test_gaps_are_kept(self):
        got = ["head", "Test SB", "1 a", "2 b", "Ok", "tail 1", "tail 2"]
        for wanted, now in ((["x"], got), (["hed", "…"], ["head", "…"]),
                            (["…", "tail 9"], ["…", "tail 2"]),
                            (["…", "Test SB", "7 a", "8 b", "Ok", "…"], ["…", *got[1:5], "…"]),
                            (["head", "…", "9 b", "…", "tail 2"], ["head", "…", "2 b", "…", "tail 2"])):
            kept = shown.with_gaps(wanted, got)
            self.assertEqual(kept, now)
            self.assertTrue(shown.fits(kept, got))

    def test_chance(self):
        """What two runs of one device print alike, and what must not be overlooked."""
        same = (("12*>1:r0=1;", "1234567*>1:r0=1;"),
                ("Observation SB Sometimes 3 4", "Observation SB Never 0 7"),
                ("pass         SB     1.0 M, 0 asked", "pass         SB     1.0 M, 5 asked (3.4 k/s)"),
                ("pass?        SB     1.0 M, 0 asked", "pass?        SB     2.1 M, 0 asked"),
                ("pass         SB     1.9e-06    never seen 0.094", "inconclusive SB     0.25       no control -"),
                ("Ok", "No"))
        other = (("12*>1:r0=1;", "12:>1:r0=1;"), ("12*>1:r0=1;", "12*>1:r0=0;"),
                 ("12:>1:r0=1;", "12:>1:r0=1; # !! forbidden"),
                 ("pass         SB     1.0 M", "FORBIDDEN    SB     1.0 M"),
                 ("pass         SB     0.5        0.5        0.1", "pass         LB     0.5        0.5        0.1"),
                 ("pass         SB     0.5        0.5        0.1", "FORBIDDEN    SB     0.5        0.5        0.1"),
                 ("Verdict=pass", "Verdict=undefined"), ("Test SB Allowed", "Test SB2 Allowed"))
        for a, b in same:
            self.assertEqual(shown.without_chance([a]), shown.without_chance([b]))
        for a, b in other:
            self.assertNotEqual(shown.without_chance([a]), shown.without_chance([b]))

    def test_chance_of_a_remark(self):
        """Only an inconclusive test may have one, below its row."""
        row = "inconclusive SB                                   0.25       no control -"
        remark = "    never met in the environment 2x64 …"
        self.assertEqual(shown.without_chance([row, remark, row]), shown.without_chance([row, row]))
        self.assertNotEqual(shown.without_chance([row, "    crash: signal 11", row]), shown.without_chance([row, row]))

    def loose(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(text, encoding="utf-8")
            return [(one.line, one.command) for one in shown.loose(path)]

    def test_output_without_a_prompt(self):
        row = "    pass         SB                                   1.0 M, 0 asked\n"
        self.assertEqual(self.loose(f"Run `oclmm run SB`:\n\n{row}"), [(3, ["run", "SB"])])
        self.assertEqual(self.loose(f"    oclmm check SB\n\nwhich says\n\n{row}"), [(5, ["check", "SB"])])
        self.assertEqual(self.loose(f"    $ oclmm run SB\n{row}"), [])
        self.assertEqual(self.loose(f"`oclmm run SB`\n\n## Another\n\n{row}"), [(5, [])])
        self.assertEqual(self.loose("    int pass = 1;\n"), [])

    def test_columns(self):
        good = "pass         SB                                   1.0 M, 0 asked"
        for line in (good, "verdict: pass: of 2", "pass         " + "x" * 40 + " 1.0 M", "…", "word word"):
            self.assertFalse(shown.misprinted(line), line)
        for line in (good.replace("SB ", "SB     "), good.replace("pass ", "pass"), good[:20] + good[30:]):
            self.assertTrue(shown.misprinted(line), line)


unittest.main()
