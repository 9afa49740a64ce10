# SPDX-License-Identifier: Apache-2.0
"""The table of lies of docs/robustness.md: a test says which row its lie is, and how it ended."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGINS = "### Kinds of lies, and what each ends as"
# Why no test shows a row: this, and words on what nobody sees.
UNSEEN = re.compile(r"cannot be seen by any program|told by the limit|not seen: ")
# How a run or a test of it may end.
ENDS = ("pass", "inconclusive", "lost", "crash", "timeout", "forbidden", "build-failed", "no evidence", "recomputed", "refused",
        "1", "2", "99")


@dataclasses.dataclass
class Row:
    lie: str
    ends: str
    shown: str

    def tests(self):
        return re.findall(r"`([^`]+)`", self.shown)

    def may_end(self, end):
        return re.search(rf"(?<![\w-]){re.escape(end)}(?![\w-])", self.ends) is not None


def rows(text=None):
    text = (ROOT / "docs/robustness.md").read_text(encoding="utf-8") if text is None else text
    table = text.partition(BEGINS)[2].partition("\n## ")[0]
    found = [Row(*row) for row in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.M)]
    return found[1:] if found and found[0].shown == "shown by" else found


def ends_as(lie, end):
    """Raises where the table does not have this lie, or says that it ends in another way."""
    found = [row for row in rows() if row.lie == lie]
    if len(found) != 1:
        raise AssertionError(f"docs/robustness.md has {len(found)} rows of a driver that {lie}")
    if not found[0].may_end(end):
        raise AssertionError(f"a driver that {lie} ended as {end}, and docs/robustness.md says: {found[0].ends}")
