# SPDX-License-Identifier: Apache-2.0
"""Commands that documents show, and the output that they show behind them.

In an indented or fenced block, `$ oclmm …` is a command as typed into a shell
in the source tree, and the lines behind it, up to the next `$` or the end of
the block, are all that it prints. A line `…` stands for any lines left out.
"""

import dataclasses
import difflib
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAP = "…"
# A cell of the table of confidence: a probability, or why there is none.
WORTH = r"(?:\d[\d.e-]*|never (?:seen|met)|not (?:run|needed)|no control)"


def documents():
    """All documents for people, the suite's aside: those name tests, not commands."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@dataclasses.dataclass
class Shown:
    """One command with its output, at `line` of its document, indented by `indent`."""
    path: pathlib.Path
    line: int
    indent: str
    command: str
    output: list
    last: int = 0           # the document's line behind the output

    @property
    def words(self):
        return shlex.split(self.command.split("|")[0])

    @property
    def place(self):
        return f"{self.path.name}:{self.line}: {self.command}"

    @property
    def needs_device(self):
        """Not `oclmm run`, which may also say how it is called."""
        return self.words[:1] == ["oclmm"] and self.words[1:2] in (["run"], ["devices"], ["tune"])

    @property
    def elsewhere(self):
        """Ran on a device that the document names, not on the one at hand."""
        return any(word.startswith("NVIDIA") for word in self.words)


def blocks(text):
    """(first line, indent, lines) of every code block; line numbers count from 1."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        fence = re.match(r"( *)```", lines[at])
        if fence:
            first = at = at + 1
            while at < len(lines) and not lines[at].strip().startswith("```"):
                at += 1
            yield first + 1, fence[1], [line[len(fence[1]):] for line in lines[first:at]]
            at += 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            first = at
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            yield first + 1, "    ", [line[4:] for line in lines[first:at]]
        else:
            at += 1


def strip(lines):
    """Without empty lines at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def shown(path):
    """All commands of a document that stand behind `$`."""
    for first, indent, lines in blocks(path.read_text(encoding="utf-8")):
        at = 0
        while at < len(lines):
            if not lines[at].startswith("$ "):
                at += 1
                continue
            start, command = at, lines[at][2:]
            while command.endswith("\\"):
                at += 1
                command = command[:-1] + lines[at].strip()
            at += 1
            begin = at
            while at < len(lines) and not lines[at].startswith("$ "):
                at += 1
            output = strip(lines[begin:at])
            yield Shown(path, first + start, indent, command, output, first + begin - 1 + len(output))


# What the program prints of tests. A row of its table of tests, and of a table's heading, has fixed columns.
VERDICTS = "pass|pass\\?|inconclusive|FORBIDDEN|forbidden|disputed|undefined|skip|known|stale|crash|timeout|lost|build-failed"
PRINTED = re.compile(rf"(?:{VERDICTS}) +\S+ +\S|Test \S+ (?:Allowed|Required|Forbidden)$|Histogram \(|verdict: "
                     r"|(?:States \d+|The cycle, each event before the next:)$|Observation \S+ (?:Never|Sometimes|Always) "
                     r"|Undefined=|score: \d|\S+: .* is (?:forbidden|allowed|disputed|undefined)(?: under .*)?$")
ROW = re.compile(rf"(?=(?:{VERDICTS}) )(\S+) +(\S+)(?: |$)")
# Commands whose output is the same wherever they run: pages show it behind a `$`, and it is compared as a whole.
EVERYWHERE = ("check", "explain", "show", "list", "generate", "help")


@dataclasses.dataclass
class Loose:
    """Output that stands behind no `$`, for it comes from a device or from files, and the last command before it."""
    path: pathlib.Path
    line: int
    lines: list
    command: list           # words, without `oclmm`; empty where the section has none

    @property
    def place(self):
        return f"{self.path.name}:{self.line}"


def last_command(text):
    """Of the last section of a text, words of the last call of the program that it shows or names."""
    section = re.split(r"(?m)^#+ ", text)[-1]
    calls = re.findall(r"`oclmm ([a-z]+[^`]*)`|^ *(?:\$ |- run: )?oclmm ([a-z]+.*)$", section, re.M)
    return shlex.split(" ".join("".join(calls[-1]).split())) if calls else []


def loose(path):
    """All blocks with lines that the program printed, but for those behind a `$`."""
    text = path.read_text(encoding="utf-8")
    whole = text.splitlines(keepends=True)
    tied = {line for one in shown(path) for line in range(one.line, one.last + 2)}
    for first, _, lines in blocks(text):
        found = [at for at, line in enumerate(lines) if PRINTED.match(line.strip()) and first + at not in tied]
        if found:
            yield Loose(path, first + found[0], lines, last_command("".join(whole[:first + found[0] - 1])))


def misprinted(line):
    """Whether a row of a table of tests has other columns than the program gives it."""
    row = ROW.match(line)
    if not row or len(row[2]) > 36:
        return False
    at = line.find(row[2], len(row[1]))
    rest = line[at + len(row[2]):].rstrip()
    return at != 13 or (bool(rest) and len(rest) - len(rest.lstrip()) != 50 - at - len(row[2]))


def fits(wanted, got):
    """Whether lines are those wanted, where a gap stands for any."""
    if not wanted:
        return not got
    if wanted[0] == GAP:
        return any(fits(wanted[1:], got[at:]) for at in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and fits(wanted[1:], got[1:])


def nearest(segment, got, first, last):
    """Where in got[first:last], a place of its length, the lines are most like a segment."""
    places = range(first, max(first, last - len(segment)) + 1)
    text = "\n".join(segment)
    return max(places, key=lambda at: difflib.SequenceMatcher(
        None, text, "\n".join(got[at:at + len(segment)]), autojunk=False).quick_ratio())


def with_gaps(wanted, got):
    """The lines of now with the gaps of before: each piece between gaps gives way to what it resembles."""
    if GAP not in wanted:
        return got
    result, at = [], 0
    while wanted:
        length = wanted.index(GAP) if GAP in wanted else len(wanted)
        if length and result:
            # behind a gap; the last piece ends where the output ends
            at = nearest(wanted[:length], got, at, len(got)) if length < len(wanted) else len(got) - length
        result += got[at:at + length]
        at += length
        if length < len(wanted):
            result.append(GAP)
        wanted = wanted[length + 1:]
    return result


def without_chance(report):
    """A device's report without what differs from run to run."""
    # whether work-items meet is chance where there are few launches, and this is said below a test without confidence
    return [_without_counts(line) for line in report if not line.startswith("    never met in the environment ")]


def _without_counts(line):
    """A line of it without counts, rates and times."""
    row = re.match(r"\d+\s*([*:]>.*)$", line)
    if row:
        return row[1]
    # what silence is worth, and so the verdict, hangs on how many launches of the controls were hits
    line = re.sub(rf"^(pass|inconclusive) +(\S+) +{WORTH} +{WORTH} +([\d.e-]+|-)$", r"? \2 ? ? ?", line)
    line = re.sub(r" \([^()]*/s\)", "", line)
    line = re.sub(r"\b(Never|Sometimes|Always)\b", "?", line)
    line = re.sub(r"^(Ok|No)$", "?", line)
    line = re.sub(r"is (NOT )?validated", "is ?", line)
    return re.sub(r"(?<=[ =])\d[\d.]*(e[-+]\d+)?( [kMGT])?(?=[ ,;]|$)", "#", line)


def rows(output):
    """(test, outcome) of every row with a count in the histograms of a report."""
    test = None
    for line in output:
        name = re.match(r"Test (\S+) ", line)
        row = re.match(r"(\d+)\s*[*:]>(.*?)(?: #.*)?$", line)
        if name:
            test = name[1]
        elif row and int(row[1]):
            yield test, row[2].strip()
