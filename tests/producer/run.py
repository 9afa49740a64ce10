#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclmm run --il spirv, by a layer that makes a device take SPIR-V, and by scripts around the real tools.

usage: run.py OCLMM LAYER ROOT
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

from compiler_cache import compiler_cache  # noqa: E402

PROGRAM, LAYER, ROOT = (os.path.abspath(argument) for argument in sys.argv[1:4])

# Keeps the text by a hash of what is made of it, for the layer.
FRONT = """#!/bin/sh
[ "$1" = --version ] && exec {clang} "$@"
cd "$OCLMM_IL_FOLDER" || exit 9
echo >> calls
[ -n "$OCLMM_IL_HANG" ] && exec sleep 1000
cat > $$.text
{clang} "$@" < $$.text > $$.bc || exit 1
mv $$.text "$(md5sum < $$.bc | cut -c1-32).cl"
cat $$.bc
"""
BACK = """#!/bin/sh
[ "$1" = --version ] && exec {back} "$@"
cd "$OCLMM_IL_FOLDER" || exit 9
cat > $$.bc
name=$(md5sum < $$.bc | cut -c1-32)
{back} "$1" $$.bc -o $$.made || exit 1
if [ -n "$OCLMM_IL_SED" ]; then
    spirv-dis $$.made | sed "$OCLMM_IL_SED" > $$.text
    spirv-as --target-env spv1.2 -o $$.made $$.text || exit 1
fi
mv $$.made "$name.spv"
cat "$name.spv"
"""


def find_tools():
    """clang and llvm-spirv of one version, with what takes modules apart and puts them together."""
    if not all(shutil.which(tool) for tool in ("spirv-val", "spirv-dis", "spirv-as", "md5sum")):
        return None
    for suffix in ["", *(f"-{version}" for version in range(29, 13, -1))]:
        clang, back = shutil.which("clang" + suffix), shutil.which("llvm-spirv" + suffix)
        if clang and back:
            return clang, back
    return None


class Run(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oclmm-il-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.made = self.folder / "made"
        for name in ("tools", "made", "run"):
            (self.folder / name).mkdir(mode=0o700)
        clang, back = TOOLS
        # names without a number are looked for first
        for name, text in (("clang", FRONT), ("llvm-spirv", BACK)):
            path = self.folder / "tools" / name
            path.write_text(text.format(clang=clang, back=back))
            path.chmod(0o755)

    def call(self, *arguments, layer=True, **variables):
        environment = {**os.environ, "PATH": f"{self.folder / 'tools'}:{os.environ['PATH']}",
                       "XDG_CACHE_HOME": str(self.folder / "cache"), "XDG_DATA_HOME": str(self.folder / "data"),
                       "XDG_RUNTIME_DIR": str(self.folder / "run"), "OCLMM_IL_FOLDER": str(self.made), **compiler_cache(), **variables}
        environment.pop("OPENCL_LAYERS", None)
        if layer:
            environment["OPENCL_LAYERS"] = LAYER
        return subprocess.run([PROGRAM, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True,
                              timeout=300, check=False)

    def run_il(self, test, output, *arguments, **variables):
        return self.call("run", "--il", "spirv", "--seed", "1", "--instances", "1000", "--compilers", "0",
                         "--output", str(self.folder / output), *arguments, test, **variables)

    def lines(self, name, kind):
        with open(self.folder / name, encoding="utf-8") as file:
            return [line for line in map(json.loads, file) if line["type"] == kind]

    def calls(self):
        return len((self.made / "calls").read_text()) if (self.made / "calls").exists() else 0

    def test_both_doors(self):
        run = self.run_il("MP+rel+acq", "il.jsonl", OCLMM_IL_ONLY="1")
        self.assertIn(run.returncode, (0, 3), run.stdout + run.stderr)
        header, (record,) = self.lines("il.jsonl", "run")[0], self.lines("il.jsonl", "test")
        self.assertRegex(header["il"], r"^llvm-spirv [\d.]+, clang [\d.]+$")
        self.assertEqual(record["il"], header["il"])
        self.assertIn("SPIR-V by " + header["il"], run.stdout)
        self.assertEqual(record["ended"], "ok")
        # the second run has no need of the tools
        before = self.calls()
        self.assertGreater(before, 0)
        self.assertIn(self.run_il("MP+rel+acq", "again.jsonl", OCLMM_IL_ONLY="1").returncode, (0, 3))
        self.assertEqual(self.calls(), before)
        # the same stimulus by the front door, whose environments have the same turns, and whoever compares is told
        turns = ["--turns", record["turns"]] if record.get("turns") else []
        run = self.call("run", "--seed", "1", "--instances", "1000", *turns, "--output", str(self.folder / "c.jsonl"),
                        "MP+rel+acq")
        self.assertIn(run.returncode, (0, 3), run.stdout + run.stderr)
        (other,) = self.lines("c.jsonl", "test")
        self.assertIsNone(other["il"])
        self.assertEqual((record["stimulus"], record["source"]), (other["stimulus"], other["source"]))
        run = self.call("compare", str(self.folder / "c.jsonl"), str(self.folder / "il.jsonl"))
        self.assertIn(f"given       by OpenCL C before and by {header['il']} after", run.stdout)
        # one page and one file have both
        run = self.call("merge", str(self.folder / "c.jsonl"), str(self.folder / "il.jsonl"),
                        "--output", str(self.folder / "both.jsonl"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(record["il"] or "" for record in self.lines("both.jsonl", "test")),
                         ["", header["il"]])
        run = self.call("report", str(self.folder / "both.jsonl"), "--output", str(self.folder / "page.html"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(", SPIR-V by " + header["il"], (self.folder / "page.html").read_text())
        # but none goes on where the other ended
        run = self.call("run", "--seed", "1", "--instances", "1000", "--resume", str(self.folder / "il.jsonl"),
                        "MP+rel+acq")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("by another door", run.stderr)

    def test_other_kernels(self):
        """Local memory, barriers, and programs of commands."""
        for test in ("MP+barrier+local.flags=none", "in-order"):
            with self.subTest(test):
                run = self.run_il(test, f"{test}.jsonl", OCLMM_IL_ONLY="1")
                self.assertIn(run.returncode, (0, 3), run.stdout + run.stderr)
                self.assertEqual(self.lines(f"{test}.jsonl", "test")[0]["ended"], "ok")

    def refused(self, message, status=99, **variables):
        run = self.run_il("MP+rel+acq", "refused.jsonl", "--artifacts", str(self.folder / "kept"), **variables)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        (record,) = self.lines("refused.jsonl", "test")
        self.assertRegex(record["message"], message)
        self.assertEqual(record["instances"], 0)
        self.assertNotEqual(record["verdict"], "pass")
        return record

    def test_a_producer_that_weakens_is_named(self):
        # constants by the names that the disassembler gives them: of device scope, release becomes relaxed
        sed = r"s/\(OpAtomicStore %[^ ]* %uint_1 \)%uint_4 /\1%uint_0 /"
        record = self.refused("the producer's module is not the test: P0, operation 2, atomic_store_explicit: is to "
                              "be memory_order_release, and is memory_order_relaxed, in word [0-9]+",
                              OCLMM_IL_SED=sed)
        (kept,) = (self.folder / "kept").iterdir()
        self.assertEqual((kept / "kernel.spv").read_bytes()[:4], b"\x03\x02\x23\x07")
        self.assertIn(f"il           {record['il']}", (kept / "facts.txt").read_text())
        self.assertEqual((record["verdict"], record["cause"], record["attempts"]), ("build-failed", "producer", 1))

    def test_a_module_that_is_not_valid_is_named(self):
        record = self.refused("spirv-val: error: ", OCLMM_IL_SED="/OpReturn$/d")
        self.assertEqual((record["verdict"], record["cause"]), ("build-failed", "producer"))

    def test_a_producer_that_hangs_is_given_up(self):
        tests = ("MP+rel+acq", "SB+sc+sc", "LB+ctrls", "MP+barrier+local.flags=none", "in-order")
        run = self.call("run", "--il", "spirv", "--seed", "1", "--instances", "1000", "--timeout", "6", "--compilers",
                        "0", "--output", str(self.folder / "hang.jsonl"), *tests, OCLMM_IL_HANG="1")
        self.assertEqual(run.returncode, 99, run.stdout + run.stderr)
        records = self.lines("hang.jsonl", "test")
        self.assertEqual({(record["verdict"], record["cause"]) for record in records},
                         {("build-failed", "producer")})
        messages = [record["message"] for record in records]
        self.assertIn("clang does not end", messages[0])
        self.assertIn("clang is not started: 3 tools did not end before", messages[-1])
        self.assertLessEqual(self.calls(), 3)

    def test_a_driver_that_refuses_is_named(self):
        record = self.refused("clCreateProgramWithIL: CL_INVALID_VALUE", OCLMM_IL_REFUSE="1")
        self.assertNotEqual(record["cause"], "producer")

    def test_a_device_without_il(self):
        for variables in ({"OCLMM_IL_VERSION": ""}, {"OCLMM_IL_VERSION": "SPIR-V_1.4 SPIR-V_1.6"}):
            run = self.run_il("MP+rel+acq", "none.jsonl", **variables)
            self.assertEqual(run.returncode, 77, run.stdout + run.stderr)
            self.assertRegex(run.stderr, "takes no SPIR-V up to 1.2: it reports (nothing|SPIR-V_1.4 SPIR-V_1.6) as its IL")
            self.assertEqual(run.stdout, "")

    def test_command_line(self):
        run = self.call("run", "--il", "dxil", "MP+rel+acq")
        self.assertEqual(run.returncode, 2)
        self.assertIn('--il takes spirv or spirv:NAME, not "dxil"', run.stderr)
        run = self.call("run", "--il", "spirv:llvm-spirv-99", "MP+rel+acq")
        self.assertEqual(run.returncode, 99)
        self.assertRegex(run.stderr, "no toolchain for SPIR-V: no llvm-spirv-99\n +there are:.* llvm-spirv")


if __name__ == "__main__":
    TOOLS = find_tools()
    if not TOOLS:
        sys.exit(77)
    listed = subprocess.run([PROGRAM, "devices", "-l"], env={**os.environ, "OPENCL_LAYERS": LAYER},
                            capture_output=True, text=True, timeout=120, check=False).stdout
    # no device, or a loader without layers
    if "SPIR-V_1.2 SPIR-V_1.4" not in listed:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
