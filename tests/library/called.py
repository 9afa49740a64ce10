#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a header that notes which functions and variables of the public headers a program uses.

usage: called.py HEADER-FOLDER RESULT [DEPENDENCIES]

Each name becomes a macro that notes its number and then stands for what it did before. With CALLS_FOUND it stands for
what is at an address that the caller of the program has found, so that nothing is linked.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import exports  # noqa: E402

HEAD = """\
#include <oclmm/{headers}.h>

enum {{ CALLS_COUNT = {count} }};
void calls_note(unsigned number);
extern const char *const calls_names[CALLS_COUNT];
extern void *calls_found[CALLS_COUNT];

#ifdef CALLS_FOUND
#define CALLS_AT(number, name) ((__typeof__(name) *)calls_found[number])
#else
#define CALLS_AT(number, name) (&name)
#endif
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    headers = sorted(folder.glob("*.h"))
    text = "\n".join(header.read_text(encoding="utf-8") for header in headers)
    names = exports.names(headers)
    functions = [name for name in names if re.search(rf"\b{name}\s*\(", text)]
    lines = [HEAD.format(headers=".h>\n#include <oclmm/".join(header.stem for header in headers), count=len(names))]
    for number, name in enumerate(names):
        if name in functions:
            lines.append(f"#define {name}(...) (calls_note({number}), CALLS_AT({number}, {name})(__VA_ARGS__))")
        else:
            lines.append(f"#define {name} (*(calls_note({number}), CALLS_AT({number}, {name})))")
    lines.append("#define CALLS_NAMES \\\n" + " \\\n".join(f'\t"{name}",' for name in names) + "\n")
    pathlib.Path(sys.argv[2]).write_text("\n".join(lines), encoding="utf-8")
    if len(sys.argv) > 3:  # the folder changes when a header comes
        pathlib.Path(sys.argv[3]).write_text(f"{sys.argv[2]}: {folder} {' '.join(map(str, headers))}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
