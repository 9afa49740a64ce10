#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_house.py must find what is planted, in trees of a few files.

usage: test_check_house.py COMPILER [ARGUMENT...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_house.py")


def check(files, *options):
    with tempfile.TemporaryDirectory() as folder:
        root, build = pathlib.Path(folder, "tree"), pathlib.Path(folder, "made")
        commands = []
        for name, text in files.items():
            source, output = root / name, name.replace("/", "_") + ".o"
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, encoding="utf-8")
            if source.suffix == ".h":
                continue
            build.mkdir(exist_ok=True)
            subprocess.run([*sys.argv[1:], "-c", source, "-o", build / output], check=True)
            commands.append({"directory": str(build), "file": str(source), "output": output})
        build.mkdir(exist_ok=True)
        (build / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
        return subprocess.run([sys.executable, CHECK, build, "--root", root, *options],
                              capture_output=True, text=True, check=False)


def expect(words, changes, *options):
    """What is said of GOOD with some of its files changed; nothing is complained of where no words are wanted."""
    said = check({name: text for name, text in {**GOOD, **changes}.items() if text}, *options)
    if (said.returncode != 0) != bool(words) or any(word not in said.stdout + said.stderr for word in words):
        sys.exit(f"{changes}: exit status {said.returncode}, wanted {words}\n{said.stdout}{said.stderr}")


def c(*functions, calls=()):
    """A file with these functions, which call the others."""
    declared = "".join(f"int {name}(void); " for name in calls)
    value = " + ".join(f"{name}()" for name in calls) or "1"
    return declared + "".join(f"int {name}(void) {{ return {value}; }}\n" for name in functions)


# Each function but main serves two files.
GOOD = {
    "src/low/low.c": c("oclmm_low"),
    "src/high/one.c": c("oclmm_one", calls=["oclmm_low"]),
    "src/high/two.c": c("oclmm_two", calls=["oclmm_low", "oclmm_one"]),
    "runner/top/top.c": c("top", calls=["oclmm_one", "oclmm_two"]),
    "runner/top/main.c": c("main", calls=["oclmm_two", "top"]),
    "runner/top/other.c": c("main", calls=["top"]),
    "tests/high/test.c": c("main", calls=["oclmm_low"]),
}
expect([], {})
expect(["src/low/low.c: low is exported without oclmm_"],
       {"src/low/low.c": c("oclmm_low", "low"), "src/high/one.c": c("oclmm_one", calls=["oclmm_low", "low"]),
        "src/high/two.c": c("oclmm_two", calls=["oclmm_low", "oclmm_one", "low"])})
expect(["src/low/low.c: oclmm_spare is used by no other file"], {"src/low/low.c": c("oclmm_low", "oclmm_spare")})
expect(["src/low/low.c: oclmm_tested is used by tests only"],
       {"src/low/low.c": c("oclmm_low", "oclmm_tested"), "tests/high/test.c": c("main", calls=["oclmm_tested"])})
expect([], {"src/low/low.c": c("oclmm_low", "oclmm_tested"), "tests/high/test.c": c("main", calls=["oclmm_tested"]),
            "include/oclmm/low.h": "int oclmm_tested(void);\n"})
expect(["a cycle of calls without a reason: src/high/one, src/low/low", "src/low/low -> src/high/one: oclmm_one"],
       {"src/low/low.c": c("oclmm_low", calls=["oclmm_one"])}, "--cycles")
# Of the rooms each calls the other, and none of their files does.
expect(["a cycle of rooms: src/high, src/low", "src/low -> src/high: oclmm_one"],
       {"src/low/other.c": c("oclmm_other", calls=["oclmm_one"]), "runner/top/main.c": c("main", calls=["oclmm_other", "top"])})
ALONE = {"src/high/one.c": c("oclmm_one", calls=["oclmm_low", "oclmm_alone"]),
         "src/low/low.c": c("oclmm_low", "oclmm_alone"), "runner/top/main.c": c("main", calls=["oclmm_two"])}
expect(["40 % of the exported functions serve one other file alone"], ALONE)
expect(["src/low/low.c: oclmm_alone for src/high/one.c"], ALONE, "--single")
expect(["no objects"], dict.fromkeys(GOOD))
