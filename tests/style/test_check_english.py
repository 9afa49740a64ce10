# SPDX-License-Identifier: Apache-2.0
"""check_english.py finds each phrase of its table, in pages and in messages, and nothing in what only looks like one."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT = ROOT / "tests" / "style" / "check_english.py"
sys.path.insert(0, str(SCRIPT.parent))
import check_english  # noqa: E402


class Check(unittest.TestCase):
    def run_on(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name.replace("__", "/").replace("_md", ".md").replace("_c", ".c")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)

    def test_every_phrase_is_found(self):
        for old in ("The arrows form a circle.", "are words and no verdicts", "verdicts that are none", "no test is called\nso",
                    "what stands below is older", "10 s, beside compiling", "values that nobody foresaw", "then nobody knows.",
                    "is found out, too", "For it the events would", "An execution that ends so, and that breaks", "or a profile not be\nwritten",
                    "are only told.", "this command only tells", "of which one hopes", "each telling tells all", "it so was",
                    "say which there are, and leave", "only those with so many", "at most so long", "where something is said of\nthem",
                    "knows anything of"):
            with self.subTest(old):
                said = self.run_on(docs__a_md=f"# A\n\n{old}\n")
                self.assertEqual(said.returncode, 1, said.stdout)
                self.assertIn("a.md:3: ", said.stdout)
        # each row of the table is tried above
        self.assertEqual(len(check_english.PHRASES), 22)

    def test_in_a_message(self):
        said = self.run_on(src__a_c='int f(void)\n{\n\treturn say("no test is "\n\t           "called so");\n}\n')
        self.assertEqual(said.returncode, 1)
        self.assertIn("a.c:3: ", said.stdout)

    def test_what_is_no_complaint(self):
        said = self.run_on(docs__a_md="# A\n\nA cycle. Nobody knows how.\n\n    a circle in code\n\n```\na circle\n```\n",
                           src__a_c='/* a circle in a comment */\nadd("<circle r=3></circle>");\n', docs__style_md="a circle\n")
        self.assertEqual(said.returncode, 0, said.stdout)

    def test_said_twice(self):
        item = "- `check` names the file that it could not read.\n"
        for text, line in ((f"# A\n\n{item}- Else.\n\n## B\n\n{item}", 8), ("## 0.2\n### Added\n- x\n### Fixed\n### Added\n", 5)):
            said = self.run_on(docs__a_md=text)
            self.assertEqual(said.returncode, 1, said.stdout)
            self.assertIn(f"a.md:{line}: ", said.stdout)
        said = self.run_on(docs__a_md="## 0.2\n### Added\n- no\n## 0.1\n### Added\n- no\n")
        self.assertEqual(said.returncode, 0, said.stdout)

    def test_the_page_shows_real_ones(self):
        """docs/style.md has twenty rows, and what it puts in place of a sentence is not odd itself."""
        rows = re.findall(r"(?m)^\| (?!before|---)(.*?) \| (.*?) \|$", (ROOT / "docs" / "style.md").read_text(encoding="utf-8"))
        self.assertEqual(len(rows), 20)
        for _, after in rows:
            with self.subTest(after):
                self.assertEqual(list(check_english.complaints(after)), [])


unittest.main(verbosity=1)
