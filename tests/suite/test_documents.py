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


class Documents(unittest.TestCase):
    """A tree with one test, right at first."""

    def setUp(self):
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs").mkdir()
        (self.root / "litmus" / "coherence").mkdir(parents=True)
        self.write("litmus/coherence/CoRR+x.litmus", TEST.format(result="Never", control="control a=b"))
        self.write("litmus/coherence/README.md", "* [CoRR+x](CoRR+x.litmus) – Never. Two reads?\n")
        self.write("litmus/README.md", "[coherence](coherence/README.md)\n")
        self.write("docs/bugs.md", "| where | what | tests |\n|---|---|---|\n| a | b | CoRR+x, CoRR+x.a=b |\n")
        self.write("docs/model.md", "coherence [CoRR+x]\n")
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
        """A forbidden outcome without a control has to be listed as such."""
        self.write("litmus/coherence/CoRR+x.litmus", TEST.format(result="Never", control=""))
        self.assertIn("(no control)", self.mistakes())

    def test_missing(self):
        """A test that is not listed, and a family."""
        self.write("litmus/coherence/README.md", "\n")
        self.write("litmus/README.md", "\n")
        self.assertIn("is not listed", self.mistakes())
        self.assertIn("the family coherence is missing", self.mistakes())

    def test_unknown(self):
        """Names that do not exist, in each document."""
        self.write("docs/bugs.md", "| a | b | CoRR+y |\n")
        self.write("docs/model.md", "[CoRR+x, CoRR+z]\n")
        self.write("litmus/coherence/README.md", "* [W+W](W+W.litmus) – Never. Two reads?\n")
        for name in ("CoRR+y", "CoRR+z", "W+W"):
            self.assertIn(f"there is no test {name}", self.mistakes())

    def test_axis(self):
        """A variant by an axis that the test does not have."""
        self.write("docs/recipes.md", "read twice [CoRR+x.order=rlx]\n")
        self.assertIn("there is no axis order", self.mistakes())


if __name__ == "__main__":
    unittest.main()
