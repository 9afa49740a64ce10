# SPDX-License-Identifier: Apache-2.0
"""Links between the documents lead somewhere, and every document can be reached from the README."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A command that begins with a script of the tree: a line of its own or the beginning of a code span.
SCRIPT = re.compile(r"(?:^(?: {4}|\t)|`)(?:nice -n \d+ )?(tests/[\w/]+\.py) ", re.M)


def prose(path):
    """The text without what is code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^(    |\t).*$", "", text, flags=re.M))


def anchors(path):
    """What GitHub and GitLab make of headings."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ +(.+?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(path):
    """(file, anchor) of each link to a file; the file itself where it names none."""
    for target in LINK.findall(prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        yield (path.parent / name).resolve() if name else path, anchor


def documents():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "litmus").glob("**/*.md"))]


class Links(unittest.TestCase):
    def test_they_lead_somewhere(self):
        seen = 0
        for path in documents():
            for target, anchor in links(path):
                seen += 1
                with self.subTest(path.relative_to(ROOT), target=str(target), anchor=anchor):
                    self.assertTrue(target.exists())
                    self.assertTrue(not anchor or anchor in anchors(target))
        self.assertGreater(seen, 100)

    def test_scripts_can_be_called(self):
        called = {script for path in documents() for script in SCRIPT.findall(path.read_text(encoding="utf-8"))}
        self.assertGreater(len(called), 5)
        for script in sorted(called):
            with self.subTest(script):
                self.assertTrue(os.access(ROOT / script, os.X_OK))
                # without it a shell takes the text for its own
                self.assertTrue((ROOT / script).read_bytes().startswith(b"#!"))

    def test_all_can_be_reached(self):
        reached, waiting = set(), [ROOT / "README.md"]
        while waiting:
            path = waiting.pop()
            if path in reached or path.suffix != ".md" or not path.is_file():
                continue
            reached.add(path)
            waiting += [target for target, _ in links(path)]
        self.assertEqual([], [str(path) for path in (ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"))
                              if path not in reached])


if __name__ == "__main__":
    unittest.main()
