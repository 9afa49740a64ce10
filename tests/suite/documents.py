#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the documents say of litmus tests with the files themselves.

usage: documents.py ROOT

* Each family's README lists its tests, one line each: name, result, question,
  and "(no control: reason)" where a forbidden outcome has none (test_suite
  knows which those are).
* Names of tests in the documents that cite them (CITING, litmus/README.md) exist.
* docs/bugs.md has the rows of litmus/bugs.
* expected/ mirrors litmus/: a file of answers for each test, and no other.
Every mistake is a line on stdout; exit status 1 if there are any.
"""
import pathlib
import re
import sys

LINE = re.compile(r"^\* \[(?P<name>[^\]]+)\]\((?P<file>[^)]+)\) – (?P<rest>.*)$")


def read_test(path):
    """What a README line has to say of one litmus file."""
    text = path.read_text(encoding="utf-8")
    result = re.search(r"Result: (\w+)", text).group(1)
    question = re.search(r'^"(.*)"$', text, re.M).group(1)
    return f"{result}. {question}"


def check_family(folder):
    """Complaints about one family's README."""
    readme = folder / "README.md"
    tests = {path.stem: path for path in folder.glob("*.litmus")}
    if not readme.exists():
        yield f"{folder}: no README.md"
        return
    listed = set()
    for line in readme.read_text(encoding="utf-8").splitlines():
        match = LINE.match(line)
        if not match:
            continue
        name = match["name"]
        if name not in tests:
            yield f"{readme}: there is no test {name}"
            continue
        listed.add(name)
        if match["file"] != f"{name}.litmus":
            yield f"{readme}: {name} leads to {match['file']}"
        if re.sub(r" \(no control: .*\)$", "", match["rest"]) != read_test(tests[name]):
            yield f"{readme}: {name} should read: {read_test(tests[name])}"
    for name in sorted(set(tests) - listed):
        yield f"{readme}: {name} is not listed"


def names_in_table(text):
    """Names in the last column of the table of bugs."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[3] != "tests":
            yield from re.split(r",\s*", cells[3])


def bug_rows(text):
    """The rows that docs/bugs.md has to have, from litmus/bugs."""
    bug = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("bug", "where", "what", "tests"):
            bug[word] = rest
        if word == "tests":
            yield f"| {bug['bug']} | {bug['where']} | {bug['what']} | {', '.join(rest.split())} |"


def check_bugs(root):
    """Complaints about rows that one of the two lists of bugs has and the other has not."""
    wanted = list(bug_rows((root / "litmus/bugs").read_text(encoding="utf-8")))
    lines = (root / "docs/bugs.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| name |")]
    for row in wanted:
        if row not in rows:
            yield f"docs/bugs.md: there should be the row {row}"
    for row in rows:
        if row not in wanted:
            yield f"docs/bugs.md: litmus/bugs has no such bug: {row}"


def names_in_brackets(text):
    """Names in `[...]` that are no links: `[SB+sc+sc, R+sc+sc]`; not in code."""
    prose = re.sub(r"(?m)^    .*$", "", text)
    for group in re.findall(r"\[([^\]]+)\](?!\()", prose.replace("\n", " ")):
        for name in re.split(r"[,;:]\s+", group):
            if re.fullmatch(r"[\w+.=-]+", name.strip()):
                yield name.strip()


def find_test(name, known):
    """The litmus file of a variant: the test whose name it begins with."""
    if name in known:
        return name, ""
    for test in known:
        if name.startswith(test + ".") and re.match(r"\.\w+=", name[len(test):]):
            return test, name[len(test):]
    return None, ""


def check_names(path, names, known):
    """Complaints about tests that do not exist, or that lack an axis."""
    for name in names:
        test, settings = find_test(name, known)
        if not test:
            yield f"{path}: there is no test {name}"
            continue
        for axis in re.findall(r"\.(\w+)=", settings):
            if not re.search(rf"^vary {axis}\b", known[test], re.M):
                yield f"{path}: {name}: there is no axis {axis}"


CITING = {"bugs": names_in_table, "model": names_in_brackets, "recipes": names_in_brackets}


def check_mirror(root):
    """Complaints about tests without answers, and answers without a test."""
    tests = {path.relative_to(root / "litmus").with_suffix("")
             for path in root.glob("litmus/*/*.litmus")}
    answers = {path.relative_to(root / "expected").with_suffix("")
               for path in root.glob("expected/*/*.expected")}
    for name in sorted(tests - answers):
        yield f"expected/{name}.expected is missing: oclmm check --write litmus/{name}.litmus"
    for name in sorted(answers - tests):
        yield f"expected/{name}.expected: there is no such test"


def check_knobs(root):
    """Each knob has its row in docs/model.md, and no other is there."""
    declared = re.findall(r"^\tX\((K\d+),", (root / "include/oclmm/model.h").read_text(encoding="utf-8"), re.MULTILINE)
    text = (root / "docs/model.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (K\d+) \|", text, re.MULTILINE)
    if rows != declared or not declared:
        yield f"docs/model.md: rows of the knobs {' '.join(rows)}, not {' '.join(declared)}"


def check(root):
    """All complaints about the documents of a source tree."""
    litmus = root / "litmus"
    families = sorted({path.parent for path in litmus.glob("*/*.litmus")})
    known = {path.stem: path.read_text(encoding="utf-8") for path in litmus.glob("*/*.litmus")}
    for family in families:
        yield from check_family(family)
        if family.name in known:
            yield f"litmus/{family.name}: a test has this name, too, and `oclmm run {family.name}` is the family"
    overview = (litmus / "README.md").read_text(encoding="utf-8")
    for family in families:
        if f"]({family.name}/README.md)" not in overview:
            yield f"litmus/README.md: the family {family.name} is missing"
    for name, find in CITING.items():
        path = root / "docs" / f"{name}.md"
        names = list(find(path.read_text(encoding="utf-8")))
        if not names:
            yield f"{path}: names no test"
        yield from check_names(path, names, known)
    yield from check_bugs(root)
    yield from check_mirror(root)
    yield from check_knobs(root)
    yield from check_names(litmus / "README.md", names_in_brackets(overview), known)


def main():
    """Prints the complaints."""
    mistakes = list(check(pathlib.Path(sys.argv[1])))
    print("\n".join(mistakes))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
