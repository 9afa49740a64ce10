#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A header that leans on another, and one without a guard, must be named, and two that have one name must be seen.

usage: test_compile_alone.py COMPILER...
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import compile_alone  # noqa: E402

FILES = {
    "include/oclmm/good.h": "#pragma once\n#include <stdint.h>\nuint64_t oclmm_good(void);\n",
    "include/oclmm/leans.h": "#pragma once\nuint64_t oclmm_leans(void);\n",
    "include/oclmm/unguarded.h": "struct oclmm_unguarded { int a; };\n",
    "runner/device/leans.h": '#pragma once\nuint64_t leans(void);\n',
    "runner/stress/good.h": '#pragma once\n#include "oclmm/good.h"\n',
}

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    failed, count = compile_alone.check(root, sys.argv[1:], "c", True)
    for name in ("leans.h", "unguarded.h"):
        (root / "include/oclmm" / name).unlink()
    alone = compile_alone.check_together(root, sys.argv[1:], "c")
    for kind, inside in (("struct", "int a;"), ("enum", "OCLMM_A")):
        text = f"#pragma once\n{kind} oclmm_same {{ {inside} }};\n"
        (root / "include/oclmm" / f"{kind}.h").write_text(text, encoding="utf-8")
    clash = compile_alone.check_together(root, sys.argv[1:], "c")

assert count == len(FILES), count
assert failed == ["oclmm/leans.h", "oclmm/unguarded.h", "runner/device/leans.h"], failed
assert alone and not clash
