# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/ci.md and docs/results-format.md are real: their options exist, their examples parse."""

import pathlib
import re
import shlex

import common
from common import SuiteCase

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
COMMAND = re.compile(r"(?:^|[\s`])((?:oclmm|\./quickstart) (?:[^`\n]|\\\n)*)")


def commands(name):
    """(command, words) of all calls of the program, line continuations joined."""
    for match in COMMAND.finditer(re.sub(r"\\\n\s*", " ", (DOCS / name).read_text(encoding="utf-8"))):
        words = shlex.split(match.group(1))
        if words[0] == "./quickstart":
            yield "run", words[1:]
        elif words[1:] and re.fullmatch("[a-z]+", words[1]):
            yield words[1], words[2:]


class Documented(SuiteCase):
    def test_options_exist(self):
        seen = set()
        for name in ("ci.md", "results-format.md"):
            for command, words in commands(name):
                help_text, _ = self.run_program("help", command)
                seen.add(command)
                for word in words:
                    if word.startswith("--") and word != "--no-install":
                        option = word.split("=")[0]
                        self.assertRegex(help_text, rf"(?m) {option}( |$)", f"{name}: {command} {words}")
        self.assertEqual(seen, {"run", "merge", "grade", "compare"})

    def test_expectations_example(self):
        text = (DOCS / "ci.md").read_text(encoding="utf-8")
        lines = [line[4:] for line in text.splitlines() if line.startswith("    ") and line.count("|") == 6]
        self.assertGreaterEqual(len(lines), 3)
        self.write("known", "\n".join(lines) + "\n")
        # refused expectations come before the missing results
        _, err = self.run_program("grade", "--expectations", "known", "none.jsonl", status=2)
        self.assertIn("none.jsonl", err)
        self.assertNotIn("known:", err)

    def test_statuses(self):
        """The table of ci.md has the statuses of gate, all of them and in order."""
        text = (DOCS / "ci.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?m)^\| (\d+) \|", text), ["0", "1", "2", "3", "77", "99"])


common.main()
