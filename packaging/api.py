#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One page about the library, written from its headers.

usage: api.py HEADER-FOLDER VERSION PAGE

A comment that begins with two stars belongs to the declaration after it; the
one with \\file opens a header. What has no comment is shown where it stands.
"""
import html
import pathlib
import re
import sys

BLOCK = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
STYLE = ("body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}"
         "pre{overflow:auto;padding:.5rem;border:1px solid #8888}p{margin:.3rem 0}section{margin-top:3rem}")


def prose(comment):
    """The text of a comment as paragraphs; `words` in code, parameters and results named."""
    lines = [re.sub(r"^\s*\*? ?", "", line) for line in comment.strip().split("\n")]
    text = html.escape("\n".join(lines).strip())
    text = re.sub(r"\\file\s*", "", text)
    text = re.sub(r"\\param (\w+)", r"\n\n<b>\1</b>:", text)
    text = re.sub(r"\\return\b", "\n\n<b>Returns</b>", text)
    text = re.sub(r"\\(?:name|p|c|ref)\s+|@[{}]", "", text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return "".join(f"<p>{part.strip()}</p>\n" for part in re.split(r"\n\s*\n", text) if part.strip())


def declaration(text):
    """The declaration at the beginning of a text, whole: to its semicolon, or to the end of a macro."""
    if text.startswith("#"):
        return re.match(r"(?:[^\n]*\\\n)*[^\n]*", text)[0]
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "{(") - (sign in "})")
        if sign == ";" and depth == 0:
            return text[:at + 1]
    return text


def plain(text):
    """The functions that a stretch of a header declares without a comment."""
    text = re.sub(r"/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    for statement in text.replace('extern "C" {', "").split(";"):
        if re.search(r"\boclmm_\w+\s*\(|^\s*extern\b.*\boclmm_\w+", statement):
            yield statement.strip() + ";"


def entries(text):
    """(comment, declaration) for each one at the top level of a header; the comment may be empty."""
    at = 0
    while True:
        match = BLOCK.search(text, at)
        yield from (("", what) for what in plain(text[at:match.start() if match else len(text)]))
        if not match:
            return
        at = match.end()
        if "\\file" in match[1]:
            continue
        rest = text[at:].lstrip()
        what = declaration(rest)
        yield match[1], what
        # comments inside belong to members and stand in the declaration
        at = len(text) - len(rest) + len(what)


def section(path):
    text = path.read_text(encoding="utf-8")
    head = next(match[1] for match in BLOCK.finditer(text) if "\\file" in match[1])
    parts = [f'<section id="{path.stem}"><h2>oclmm/{path.name}</h2>', prose(head)]
    for comment, what in entries(text):
        parts.append(f"<pre>{html.escape(what)}</pre>\n{prose(comment)}")
    return "\n".join(parts) + "</section>\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    headers = sorted(pathlib.Path(sys.argv[1]).glob("*.h"))
    links = " · ".join(f'<a href="#{path.stem}">{path.name}</a>' for path in headers)
    page = (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>liboclmm {sys.argv[2]}</title>'
            f"<style>{STYLE}</style></head><body><h1>liboclmm {sys.argv[2]}</h1>"
            "<p>Reads litmus tests of OpenCL and answers which outcomes the memory model allows, and why. "
            "Programs include <code>&lt;oclmm/…&gt;</code> and link with <code>pkg-config --cflags --libs oclmm</code>; "
            "two examples stand beside this page (<code>examples/</code>).</p>"
            f"<nav>{links}</nav>\n{''.join(map(section, headers))}</body></html>\n")
    pathlib.Path(sys.argv[3]).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
