# SPDX-License-Identifier: Apache-2.0
"""opencl-c.h, in which clang declares the built-in functions of OpenCL C, without those that no test uses."""

import re

from kept import is_kept_declaration

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# a directive with its continued lines, or what ends with a semicolon and has no directive in it
PIECE = re.compile(r"[ \t]*#(?:\\\n|[^\n])*\n|(?:[^#;\n]*\n)*?[^#;\n]*;[^\n]*\n|[^\n]*\n")


def pieces(text):
    """Directives and declarations, in their order; together they are the text."""
    return PIECE.findall(text)


def lean_header(text):
    """The text without comments and the declarations that are not kept."""
    return "".join(piece for piece in pieces(COMMENT.sub("", text))
                   if piece.strip() and (piece.lstrip().startswith("#") or is_kept_declaration(piece)))
