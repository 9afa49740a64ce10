#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""documents.py has to find each kind of mistake."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import documents  # noqa: E402

TEST = 'OPENCL CoRR+x\n\n"Two reads?"\n\n(* Result: {result}\n *)\n\nvary a: b => c\n{control}\n{{\n}}\n'
KNOBS = "| K1 | a | b | c | CoRR+x |\n| K2 | a | b | c | CoRR+x |\n"


class Documents(unittest.TestCase):
    """A tree with one test, right at first."""

    def setUp(self):
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs").mkdir()
        for folder in ("litmus", "expected"):
            (self.root / folder / "coherence").mkdir(parents=True)
        self.write("expected/coherence/CoRR+x.expected", "")
        self.write("litmus/coherence/CoRR+x.litmus", TEST.format(result="Never", control="control a=b"))
        self.write("litmus/coherence/README.md", "* [CoRR+x](CoRR+x.litmus) – Never. Two reads?\n")
        self.write("litmus/README.md", "[coherence](coherence/README.md)\n")
        self.write("litmus/bugs", "bug n\nwhere a\nwhat b\ntests CoRR+x CoRR+x.a=b\n")
        self.write("docs/bugs.md", "| name | where | what | tests |\n|---|---|---|---|\n"
                                   "| n | a | b | CoRR+x, CoRR+x.a=b |\n")
        (self.root / "include/oclmm").mkdir(parents=True)
        self.write("include/oclmm/model.h", '\tX(K1, "K1", "regime")\n\tX(K2, "K2", "order")\n')
        self.write("docs/model.md", "coherence [CoRR+x]\n\n" + KNOBS)
        self.write("docs/recipes.md", "read twice [CoRR+x.a=c]\n")

    def write(self, name, text):
        """Replaces one file."""
        (self.root / name).write_text(text, encoding="utf-8")

    def mistakes(self):
        """What documents.py complains of, in one string."""
        return "\n".join(documents.check(self.root))

    def test_right(self):
        """Nothing to complain of."""
        self.assertEqual(self.mistakes(), "")

    def test_result(self):
        """A README that states another result."""
        self.write("litmus/coherence/README.md", "* [CoRR+x](CoRR+x.litmus) – Always. Two reads?\n")
        self.assertIn("should read: Never", self.mistakes())

    def test_control(self):
        """Behind the question may stand why there is no control, and nothing else."""
        line = "* [CoRR+x](CoRR+x.litmus) – Never. Two reads?"
        self.write("litmus/coherence/README.md", line + " (no control: one object)\n")
        self.assertEqual(self.mistakes(), "")
        self.write("litmus/coherence/README.md", line + " (no control)\n")
        self.assertIn("should read", self.mistakes())

    def test_bugs(self):
        """The two lists of bugs must be one."""
        self.write("litmus/bugs", "bug n\nwhere a\nwhat c\ntests CoRR+x CoRR+x.a=b\n")
        self.assertIn("there should be the row | n | a | c |", self.mistakes())
        self.assertIn("litmus/bugs has no such bug: | n | a | b |", self.mistakes())

    def test_mirror(self):
        """Answers without a test, and a test without answers."""
        self.write("expected/coherence/CoRR+y.expected", "")
        self.assertIn("CoRR+y.expected: there is no such test", self.mistakes())
        (self.root / "expected/coherence/CoRR+x.expected").unlink()
        self.assertIn("CoRR+x.expected is missing", self.mistakes())

    def test_missing(self):
        """A test that is not listed, and a family."""
        self.write("litmus/coherence/README.md", "\n")
        self.write("litmus/README.md", "\n")
        self.assertIn("is not listed", self.mistakes())
        self.assertIn("the family coherence is missing", self.mistakes())

    def test_family(self):
        """A test that nobody can name, because a family has its name."""
        self.write("litmus/coherence/coherence.litmus", TEST.format(result="Never", control="control a=b"))
        self.assertIn("litmus/coherence: a test has this name, too", self.mistakes())

    def test_unknown(self):
        """Names that do not exist, in each document."""
        self.write("docs/bugs.md", "| n | a | b | CoRR+y |\n")
        self.write("docs/model.md", "[CoRR+x, CoRR+z]\n")
        self.write("litmus/coherence/README.md", "* [W+W](W+W.litmus) – Never. Two reads?\n")
        for name in ("CoRR+y", "CoRR+z", "W+W"):
            self.assertIn(f"there is no test {name}", self.mistakes())

    def test_knobs(self):
        """A knob without a row."""
        self.write("docs/model.md", "coherence [CoRR+x]\n\n" + KNOBS.replace("| K2", "| X2"))
        self.assertIn("rows of the knobs K1, not K1 K2", self.mistakes())

    def test_axis(self):
        """A variant by an axis that the test does not have."""
        self.write("docs/recipes.md", "read twice [CoRR+x.order=rlx]\n")
        self.assertIn("there is no axis order", self.mistakes())


if __name__ == "__main__":
    unittest.main()
