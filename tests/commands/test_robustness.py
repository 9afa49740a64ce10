# SPDX-License-Identifier: Apache-2.0
"""Each lie that docs/robustness.md tables names tests that there are, and these show it.

    test_robustness.py BUILD

A script says ends_as(row, end) where its lie has ended, which compares that with the table; a test in C says
SHOWS(row, end), which is compared here.
"""

import json
import pathlib
import re
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()

import robustness  # noqa: E402
from robustness import ROOT, Row, rows  # noqa: E402

LITERAL = r'"((?:[^"\\]|\\.)*)"'


def together(text):
    """The text with string literals that stand beside each other made one."""
    return re.sub(r'(?<!")"\s*\n\s*"(?!")', "", text)


def sources(build):
    """The text of each test, by its name: of its script, or of what its executable is made of."""
    made = {}
    for target in json.loads((build / "meson-info/intro-targets.json").read_text(encoding="utf-8")):
        files = [path for part in target["target_sources"] for path in part.get("sources", ())]
        made.update({path: files for path in target["filename"]})
    found = {}
    for test in json.loads((build / "meson-info/intro-tests.json").read_text(encoding="utf-8")):
        command = test["cmd"]
        scripts = [word for word in command if word.endswith(".py")][:1]
        files = [(build / file).resolve() for file in scripts or made.get(command[0], [])]
        found[test["name"]] = together("\n".join(file.read_text(encoding="utf-8") for file in files
                                                 if file.is_relative_to(ROOT / "tests") and file != pathlib.Path(__file__).resolve()))
    return found


def complaints(table, tests):
    def shows(name, row):
        return f'"{row.lie}"' in tests[name]
    for row in table:
        if sum(other.lie == row.lie for other in table) > 1:
            yield f"two rows: {row.lie}"
        if not row.tests() and not robustness.UNSEEN.search(row.shown):
            yield f"no test shows it, and nothing says why: {row.lie}"
        for name in row.tests():
            if name not in tests:
                yield f"there is no test {name}: {row.lie}"
            elif not shows(name, row):
                yield f"{name} does not show it: {row.lie}"
    by_lie = {row.lie: row for row in table}
    for name, text in tests.items():
        for lie, end in re.findall(rf"\bSHOWS\(\s*{LITERAL},\s*{LITERAL}\)", text):
            if lie not in by_lie or not by_lie[lie].may_end(end):
                yield f"{name} shows what the table does not say: {lie}: {end}"
        for row in table:
            # a script may be several tests, by its options
            if shows(name, row) and tests[name] not in [tests.get(other) for other in row.tests()]:
                yield f"{name} shows it, and the table does not name the test: {row.lie}"


class Table(unittest.TestCase):
    def test_table_is_what_tests_show(self):
        table = rows()
        self.assertGreater(len(table), 40)
        self.assertEqual(list(complaints(table, sources(BUILD))), [])

    def test_what_is_wrong_is_seen(self):
        good, unseen = Row("does this", "lost", "`one`"), Row("does that", "pass", "cannot be seen by any program")
        tests = {"one": 'ends_as("does this", end)', "two": 'SHOWS("does so", "lost")'}
        other = Row("does so", "lost or forbidden", "`two`")
        self.assertEqual(list(complaints([good, unseen, other], tests)), [])
        for table in ([good, unseen], [good, other, other], [good, other, Row("does what", "pass", "nobody knows")],
                      [good, other, Row("does what", "pass", "`none`")], [good, other, Row("does what", "pass", "`one`")],
                      [good, Row("does so", "forbidden", "`two`")], [good, Row("does so", "lost", "`one`")]):
            self.assertNotEqual(list(complaints(table, tests)), [], table)

    def test_ends(self):
        row = Row("does this", "lost, crash or forbidden; 99 with an option", "`one`")
        self.assertTrue(all(row.may_end(end) for end in ("lost", "crash", "forbidden", "99")))
        self.assertFalse(any(row.may_end(end) for end in ("pass", "9", "los", "inconclusive")))
        robustness.ends_as("plays half of the rounds", "lost")
        for lie, end in (("plays half of the rounds", "pass"), ("plays no such trick", "lost")):
            self.assertRaises(AssertionError, robustness.ends_as, lie, end)


if __name__ == "__main__":
    unittest.main()
