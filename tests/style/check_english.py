#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Phrases that were found odd are in no page and no message, and no page says an item of a list, or CHANGELOG the heading
of a version's part, twice: check_english.py SOURCE-FOLDER

Pages are README, CONTRIBUTING, CHANGELOG, docs/ and the READMEs of litmus/; messages are the strings of C in src/ and
runner/, and the texts of the playground. docs/style.md says how to write instead, and may quote what it warns of.
"""
import pathlib
import re
import sys

# (phrase, what to write instead); letters of either case, and any white space for a blank.
PHRASES = [
    (r"\bcircles?\b", "cycle"),
    (r"\bno verdicts\b", "they do not judge the device"),
    (r"verdicts that are none", "they do not judge the device"),
    (r"\bis called so\b", "has this name"),
    (r"\bwhat stands (below|above|after the colon)\b", "name what it is: the answer below"),
    (r"\bbeside compiling\b", "plus the time to compile"),
    (r"\bnobody foresaw\b", "that no execution produces"),
    (r"\bnobody knows\b(?! how)", "is not known"),
    (r"\bis found out, too\b", "is noticed as well"),
    (r"\bfor it the events would\b", "to end like this, the events would"),
    (r"\bends so, and that\b", "ends like this and"),
    (r"\bor a (file|profile) not be\b", "or a file could not be"),
    (r"\bare only told\b", "are reported"),
    (r"\bthis command only tells\b", "this command only shows"),
    (r"\bof which one hopes\b", "say what is expected, and why"),
    (r"\beach telling\b", "each report"),
    (r"\bit so was\b", "it was so"),
    (r"\bthere are, and leave\b", "and run nothing"),
    (r"\bonly those with so many\b", "only those with this many"),
    (r"\bat most so long\b", "at most this long"),
    (r"\bsomething is said of them\b", "you say something about them"),
    (r"\bknows? anything of\b", "depends on"),
]
# A circle of SVG is a shape.
SHAPE = re.compile(r"</?circle\b")
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
RUN = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')


def prose(text):
    """A page without its blocks of code, which show what others say."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"^```.*?^```", blank, text, flags=re.S | re.M)
    return re.sub(r"^(?: {4}|\t).*$", blank, text, flags=re.M)


def messages(text):
    """The strings of a C file, each in the line where it begins; those that follow each other are one."""
    lines = [""] * (text.count("\n") + 1)
    for run in RUN.finditer(text):
        string = "".join(STRING.findall(run[0])).replace("\\n", " ")
        lines[text.count("\n", 0, run.start())] += SHAPE.sub("", string) + "  "
    return "\n".join(lines)


def files(source):
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        yield source / name, prose
    for path in sorted((source / "docs").glob("**/*.md")):
        if path.name != "style.md":
            yield path, prose
    for path in sorted((source / "litmus").glob("**/README.md")):
        yield path, prose
    for folder in ("src", "runner"):
        for path in sorted((source / folder).glob("**/*.[ch]")):
            yield path, messages
    for name in ("page.html", "page.js"):
        yield source / "packaging" / "playground" / name, lambda text: SHAPE.sub("", text)


def complaints(text):
    """(line, phrase, better) of each odd phrase in a text."""
    for phrase, better in PHRASES:
        for match in re.finditer(phrase.replace(" ", r"\s+"), text, re.I):
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), better


def repeated(text):
    """(line, what, advice) of each item of a list that the page has said before, and of each heading that a version of
    the list of changes has had."""
    said = set()
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            said = {seen for seen in said if not seen.startswith("### ")}
        if re.match(r"[-*] .{20}|### ", line):
            if line in said:
                yield number, line, "said twice"
            said.add(line)


def main():
    source, count, seen = pathlib.Path(sys.argv[1]), 0, 0
    for path, part in files(source):
        if not path.is_file():
            continue
        seen += 1
        text = part(path.read_text(encoding="utf-8"))
        for line, phrase, better in [*complaints(text), *(repeated(text) if path.suffix == ".md" else ())]:
            print(f'{path}:{line}: "{phrase}": {better}')
            count += 1
    print(f"{seen} files, {count} complaints")
    return 1 if count or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
