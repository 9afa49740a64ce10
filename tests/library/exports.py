# SPDX-License-Identifier: Apache-2.0
"""The functions and variables that the public headers declare, and so the library exports."""

import pathlib
import re

# comments, and lines of the preprocessor with those that continue them
DROPPED = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*(?<=\\)(?:\n[^\n]*(?<=\\))*\n[^\n]*|^[ \t]*#[^\n]*",
                     re.S | re.M)
# has its body in the header, which is `@` by then
INLINE = re.compile(r"\bstatic inline\b[^;@]*@")
BRACES = re.compile(r"\{[^{}]*\}")
# `int oclmm_f(`, `extern const char oclmm_v[]`, `extern int oclmm_v`
DECLARED = re.compile(r"\b(oclmm_\w+)\s*[(\[]|^\s*extern\b.*\b(oclmm_\w+)\s*$", re.S)


def declared(text):
    """The functions and variables of a header; not its types."""
    text = DROPPED.sub("", text).replace('extern "C" {', "")
    while BRACES.search(text):
        text = BRACES.sub("@", text)
    text = INLINE.sub("", text)
    for statement in text.split(";"):
        found = DECLARED.search(statement)
        if found and not statement.lstrip().startswith("typedef"):
            yield found[1] or found[2]


def names(headers):
    return sorted({name for header in headers for name in declared(pathlib.Path(header).read_text())})
