# SPDX-License-Identifier: Apache-2.0
"""Which of a compiler's built-in functions tests have a use for: those on integers, alone and by four.

Work-items meet in integers, and a work-item that plays four instances has them in a vector. Mathematics and what is there
once more for each other vector is most of what PoCL declares and reads."""

import re

# What shares memory, waits and turns values into bits, on any scalar.
SHARED = re.compile(r"convert_|get_|atom|barrier|work_group|sub_group|\w*fence|to_|(async|wait)_|__pocl_at")

# Of makers, and conversions that say how they round.
UNUSED = re.compile(r"^(amd|arm|bitfield|intel)_|_rt[ezpn]$")

FLOATING = re.compile(r"\b(float|double)\b")
OTHER = re.compile(r"\bhalf\b|\b((half|float|double)(2|3|4|8|16)|u?(char|short|int|long)(2|3|8|16))\b")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)")


def is_kept(name, floating, other):
    """`name` takes or returns floating-point numbers, or other vectors, as pixels are."""
    if "image" in name:
        return True
    return not other and not UNUSED.search(name) and (not floating or SHARED.match(name) is not None)


def is_kept_declaration(text):
    """The same of a declaration in OpenCL C; whatever declares no function is kept."""
    called = re.search(r"(\w+)\s*\(", ATTRIBUTE.sub("", text))
    return not called or is_kept(called[1], FLOATING.search(text), OTHER.search(text))


def is_kept_symbol(symbol):
    """The same of a function in the library, by its name as the linker has it."""
    mangled = re.match(r"_Z(\d+)", symbol)
    if not mangled:
        return not symbol.startswith("Sleef_")  # mathematics
    end = mangled.end() + int(mangled[1])
    name, types = symbol[mangled.end():end].removeprefix("_cl_"), symbol[end:]
    other = re.search(r"Dh|Dv(2|3|8|16)_|Dv4_[fdD]", types)
    while named := re.search(r"\d+", types):  # a type, or an address space, with the length of its name
        types = types[:named.start()] + types[named.end() + int(named[0]):]
    return is_kept(name, re.search("[fd]", types), other)
