# SPDX-License-Identifier: Apache-2.0
"""Makes each change that explain tells in the text of its test, as a reader would who goes by what is printed, and
asks the oracle whether it gives the verdict that was promised.

usage: repairs.py PROGRAM EXPLAIN_PROPERTY STEP COUNT

Of the suite every STEP-th variant is taken, and COUNT random programs.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = re.compile(r"(?P<end>at the end of P(?P<thread>\d+))|before (?:`(?P<text>.*)` in )?line (?P<line>\d+)"
                   r"|(?P<side>first|last) in the (?P<other>else )?block of line (?P<head>\d+)")
ATOMIC = re.compile(r"(\w+) made atomic \(|made atomic: ([\w, ]+)")
BEST = ["allowed", "disputed", "forbidden"]


def oclmm(*arguments, status=(0,)):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
    result = subprocess.run([os.path.abspath(sys.argv[1]), *arguments], cwd=ROOT, env=environment, capture_output=True,
                            text=True, check=False, timeout=120)
    if result.returncode not in status:
        sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stderr}")
    return result


def matching(text, at):
    """Where the bracket at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "({") - (text[i] in ")}")
        if depth == 0:
            return i
    raise ValueError("a bracket is not closed")


def statement_end(text, at):
    """The end of the statement that begins at `at`."""
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at] == "{":
        return matching(text, at) + 1
    if re.match(r"(if|while|for)\b", text[at:]):
        end = statement_end(text, matching(text, text.index("(", at)) + 1)
        other = re.match(r"\s*else\b", text[end:])
        return statement_end(text, end + other.end()) if other else end
    return text.index(";", at) + 1


def find(text, words, start, end):
    """Where words stand, with whatever blanks and parentheses the text has."""
    pattern = r"[\s()]*".join(re.escape(c) for c in words if c not in " ()")
    found = re.compile(pattern if words.endswith(";") else pattern + r"[\s)]*").search(text, start, end)
    if not found:
        raise ValueError(f"{words} does not stand there")
    return found.span()


class Text:
    """A litmus file under change; places are those of the text as it was."""

    def __init__(self, text):
        self.text = text
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.edits = []  # (from, to, words)

    def line(self, number):
        start = self.starts[number - 1]
        return start, self.text.find("\n", start)

    def block(self, head, other):
        """The block of the statement in a line: where it begins, where it ends, whether it has braces."""
        start, _ = self.line(head)
        at = start + re.search(r"\b(if|while|for)\b", self.text[start:]).start()
        at = matching(self.text, self.text.index("(", at)) + 1
        if other:
            at = statement_end(self.text, at)
            at += re.match(r"\s*else\b", self.text[at:]).end()
        begin = at + len(self.text[at:]) - len(self.text[at:].lstrip())
        end = statement_end(self.text, at)
        braces = self.text[begin] == "{"
        return (begin + 1, end - 1, True) if braces else (begin, end, False)

    def insert(self, place, words):
        told = PLACE.fullmatch(place)
        if not told:
            raise ValueError(f"no place is \"{place}\"")
        if told["end"]:
            body = self.text.index("{", re.search(rf"^P{told['thread']}@", self.text, re.M).start())
            at = matching(self.text, body)
        elif told["line"]:
            at, end = self.line(int(told["line"]))
            if told["text"]:
                at, _ = find(self.text, told["text"], at, end)
        else:
            begin, end, braces = self.block(int(told["head"]), told["other"])
            if not braces:
                self.edits += [(begin, begin, "{ "), (end, end, " }")]
            at = begin if told["side"] == "first" else end
        self.edits.append((at, at, f" {words} "))

    def replace(self, number, before, after):
        self.edits.append((*find(self.text, before, *self.line(number)), after))

    def make_atomic(self, name):
        for told in re.finditer(rf"\b(int|uint|long|ulong|float|double)(?= \*{name}\b)", self.text):
            self.edits.append((told.start(), told.end(), f"atomic_{told[1]}"))

    def changed(self):
        text, at = "", 0
        for start, end, words in sorted(self.edits, key=lambda edit: edit[:2]):
            text, at = text + self.text[at:start] + words, end
        return text + self.text[at:]


def make(text, change):
    file = Text(text)
    for line in change["lines"]:
        if "before" not in line:
            file.insert(line["place"], line["after"])
        else:
            file.replace(line["line"], line["before"], line.get("after", ""))
    for one, several in ATOMIC.findall(change["what"]):
        for name in (one or several).split(", "):
            file.make_atomic(name)
    return file.changed()


def verdict(path, forall):
    """What the oracle says of the states that a file asks for."""
    result = oclmm("check", "--json", str(path), status=(0, 1, 2))
    if result.returncode == 2:
        return f"refused: {result.stderr}"
    answer = json.loads(result.stdout.splitlines()[0])["models"]["consensus"]
    if answer["undefined"]:
        return "undefined"
    asked = {state["status"] for state in answer["states"] if state["condition"] != forall}
    return next((word for word in BEST if word in asked), "forbidden")


def check(path, text):
    """The number of changes that were made, and complaints."""
    path.write_text(text, encoding="utf-8")
    found = json.loads(oclmm("explain", "--json", "--time-limit", "20", str(path)).stdout.splitlines()[0])
    condition = re.search(r"^(exists|forall|~exists) .*$", text, re.M)
    if re.search(r"^filter ", text, re.M) or not condition:
        return 0, []
    forall, complaints = condition[1] == "forall", []
    if found["status"] != "undefined":
        outcome = found["outcome"].rstrip("; ").replace(";", " /\\")
        text, forall = text.replace(condition[0], f"exists ({outcome})"), False
    for change in found["changes"]:
        try:
            changed = make(text, change)
        except ValueError as error:
            complaints.append(f"{change['what']}: it cannot be made: {error}\n{text}")
            continue
        path.write_text(changed, encoding="utf-8")
        got = verdict(path, forall)
        if got != change["status"]:
            complaints.append(f"{change['what']}: promised {change['status']}, got {got}\n{changed}")
    return len(found["changes"]), complaints


def drawn(count):
    """Random programs, as the reader has them."""
    result = subprocess.run([os.path.abspath(sys.argv[2]), "--print", "1", "--count", str(count), "--seed", "3"],
                            capture_output=True, text=True, check=True)
    for text in re.split(r"(?m)^(?=OPENCL )", result.stdout):
        if text:
            yield text


def main():
    made, failed, tests = 0, 0, 0
    names = oclmm("list").stdout.split()[::int(sys.argv[3])]
    texts = [oclmm("show", name).stdout for name in names] + list(drawn(int(sys.argv[4])))
    with tempfile.TemporaryDirectory() as folder:
        for text in texts:
            count, complaints = check(pathlib.Path(folder, "case.litmus"), text)
            made, tests, failed = made + count, tests + 1, failed + len(complaints)
            for complaint in complaints:
                print(f"{text.splitlines()[0]}: {complaint}")
    print(f"{tests} tests, {made} changes made, {failed} wrong")
    return 1 if failed or not made else 0


if __name__ == "__main__":
    sys.exit(main())
