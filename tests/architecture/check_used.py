#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds functions and objects that nothing uses, and headers of the system that nothing of a file is of.

A function that a private header declares is called by another file of src/ or runner/, or by its own and a
test; or else it is static, or stands in tests/, or goes. One of a public header is part of the library, so that
a test will do. So it is with objects, such as tables; an executor has a test that plays it, too.

usage: check_used.py ROOT
"""
import collections
import pathlib
import re
import sys

# Called by what is not in the tree: the loader of OpenCL, and the parser that bison makes.
CALLED = {"clGetLayerInfo", "clInitLayer", "oclmm_syntax_error", "oclmm_syntax_lex"}

DEFINED = re.compile(r"^(?!static\b|typedef\b|extern\b|else\b)[A-Za-z_][\w \t*]*?\b(\w+)\([^;{}]*?\)\n\{", re.MULTILINE)
LOOK_UP = re.compile(r"^[A-Z_]*LOOK_UP\((?:[^,(]* \*, |bool, )?(\w+),", re.MULTILINE)
OBJECT = re.compile(r"^(?:const )?(?:struct \w+|enum \w+|\w+) \*?(?:const )?(\w+)(?:\[\w*\])* =", re.MULTILINE)
EXTERN = re.compile(r"^extern [^;]*;", re.MULTILINE)
# The table of the kinds makes these names.
MADE = "oclmm_report_"
# Kernels need a device: whatever runs there plays them.
PLAYED = {"oclmm_executor_kernel", "oclmm_executor_other_kernel"}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
# A prototype is no use; what a macro or an inline function of a header calls is one.
PROTOTYPE = re.compile(r"^[A-Za-z_][\w \t*]*?\b\w+\([^;{}]*?\)[^;{}]*;", re.MULTILINE)
SOURCES = {".c", ".h", ".y", ".l", ".inc"}
# What a file has of a header that it includes: those whose names are few, or of one form.
INCLUDE = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
NAMES = {
    "ctype.h": r"\b(is[a-z]+|to(upper|lower))\(",
    "errno.h": r"\b(E[A-Z0-9]+|errno)\b",
    "inttypes.h": r"\b(PRI|SCN)[a-zX]\w+|strto[iu]max",
    "signal.h": r"\b(SIG|SA_|sig)\w*|\b(kill|raise)\(",
    "stdio.h": r"printf|\bFILE\b|\b(fputs|puts|fputc|putchar|perror|f?getc|getline|fflush|fclose|rename|remove|sscanf)\(",
    "stdlib.h": r"\b([mc]alloc|realloc|free|_?exit|abort|strto\w+|qsort|bsearch|l?l?abs|\w*env|mk\w+temp|realpath|atoi|"
                r"atexit)\b|EXIT_",
    "string.h": r"\b(str|mem)[a-z]+\(",
    "time.h": r"\b(time|clock|gmtime|localtime|strftime|mktime|timegm|nanosleep)\w*\(|\btimespec\b|\bstruct tm\b|"
              r"time_t|CLOCK_",
}


def texts(root):
    """(path, text) of what may call, without comments and prototypes."""
    for top in ("include", "src", "runner", "packaging", "tests"):
        for path in sorted((root / top).glob("**/*")):
            if path.suffix in SOURCES | {".ini", ".js", ".py"} and path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                if path.suffix in SOURCES:
                    text = COMMENT.sub(" ", text)
                if path.suffix == ".h":
                    text = EXTERN.sub("", PROTOTYPE.sub("", text))
                yield path.relative_to(root), text


def complaints(root):
    public = set()
    for header in (root / "include").glob("**/*.h"):
        public |= set(WORD.findall(COMMENT.sub(" ", header.read_text(encoding="utf-8"))))
    defined, used = {}, collections.defaultdict(set)
    for path, text in texts(root):
        counts = collections.Counter(WORD.findall(text))
        if path.parts[0] in ("src", "runner") and path.suffix in (".c", ".y", ".l"):
            for name in DEFINED.findall(text) + LOOK_UP.findall(text) + OBJECT.findall(text):
                defined[name] = path
                counts[name] -= 1
        for name, count in counts.items():
            if count > 0:
                used[name].add(path)
    for name, path in sorted(defined.items()):
        places = {"own" if place == path else "tests" if place.parts[0] == "tests" else "others"
                  for place in used[name]}
        if name.startswith("oclmm_executor_") and name not in PLAYED and "tests" not in places:
            yield f"{path}: no test plays {name}"
        if name in CALLED | {"main"} or name.startswith(MADE) or "others" in places or (name in public and places):
            continue
        if places == {"own"}:
            yield f"{path}: {name} is used in its own file only: make it static"
        elif places != {"own", "tests"}:
            yield f"{path}: {name} is used by {'tests only' if places else 'nothing'}"
    if not defined:
        yield "no functions: is this the root of the tree?"


def idle_includes(root):
    """A header may include for those who include it, so that it is not asked."""
    for top in ("src", "runner"):
        for path in sorted((root / top).glob("**/*.c")):
            text = COMMENT.sub(" ", path.read_text(encoding="utf-8"))
            for header in INCLUDE.findall(text):
                if header in NAMES and not re.search(NAMES[header], INCLUDE.sub("", text)):
                    yield f"{path.relative_to(root)}: uses nothing of <{header}>"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(complaints(root)) + list(idle_includes(root))
    print("\n".join(found or ["every function is used, and every header that was asked about"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
