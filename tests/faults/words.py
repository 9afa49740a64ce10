# SPDX-License-Identifier: Apache-2.0
"""Drivers whose names, complaints and output mean harm: whatever is printed stays what it is."""

import json
import os
import pathlib
import re
import sys

LAYER = os.path.abspath(sys.argv.pop(2))

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "commands"))

import common  # noqa: E402 (takes the program from the command line)
from common import SB, SuiteCase  # noqa: E402
from compiler_cache import compiler_cache  # noqa: E402
from harm import HARM, check_lines, check_markup  # noqa: E402

FEW = ("--instances", "2000", "--seed", "11", "--compilers", "0", "--no-controls", "--timeout", "60")


class Words(SuiteCase):
    def setUp(self):
        super().setUp()
        for fault in ("crash", "build"):
            text = SB.replace("OPENCL SB", f"OPENCL {fault}").replace("\nvary order: memory_order_relaxed => "
                                                                      "memory_order_seq_cst\n", "")
            self.write(f"litmus/relaxed/{fault}.litmus", re.sub(r"\bx\b", f"fault_{fault}", text))
        self.run_program("check", "--write")

    def says(self, *arguments, status=0):
        """Runs with the driver, and looks at all that is printed."""
        bad = self.environment(OPENCL_LAYERS=LAYER, OCLMM_FAULT_WORDS=HARM,
                               XDG_CACHE_HOME=str(self.folder / "cache"), **compiler_cache())
        out, err = self.run_program(*arguments, status=status, environment=bad)
        if "json" not in arguments and "--json" not in arguments:    # which keeps strings, on one line
            check_lines(self, arguments, out + err)
        return out, err

    def test_what_is_known_of_devices(self):
        for more in ((), ("--long",), ("--verbose",), ("--json",)):
            out, _ = self.says("devices", *more)
            self.assertIn("forged", out, "what was there is seen")
        _, err = self.says("run", "--device", "no such device", status=2)
        self.assertIn("\\x1b[2J", err)

    def test_files_to_go_on_with(self):
        """What has no end is refused before anything is waited for."""
        os.mkfifo(self.folder / "pipe")
        for path in ("pipe", "/dev/full"):
            _, err = self.run_program("run", *FEW, "--resume", path, "SB", status=2)
            self.assertIn(f"{path} is no regular file", err)

    def test_runs(self):
        self.says("run", *FEW, "--output", "all.jsonl", "--output", "all.xml", "--artifacts", "kept", status=99)
        for kind in ("brief", "text", "tap", "github"):
            out, _ = self.says("run", *FEW, "--format", kind, "crash", "build", status=99)
            self.assertIn("refused", out)
        ended = {r["test"]: r["ended"] for r in map(json.loads, self.read("all.jsonl").split("\n")[:-1])
                 if r["type"] == "test"}
        self.assertEqual((ended["SB"], ended["crash"], ended["build"]), ("ok", "crash", "build-failed"))
        self.says("report", "all.jsonl", "--output", "all.html")
        for path in ("all.xml", "all.html"):
            check_markup(self, path, self.read(path))
        for kind in ("crash", "build"):
            check_lines(self, kind, self.read(f"kept/{kind}/facts.txt"))
        for path in self.folder.rglob("*"):
            check_lines(self, "a name of a file", str(path.relative_to(self.folder)))

    def test_what_tune_keeps(self):
        """A name with an end of a line is no line of a profile; a later run reads it."""
        # A profile is kept only where the control showed its outcome: a busy machine needs longer.
        for seconds in ("0.2", "2", "20", "100"):
            self.says("tune", "--seconds", seconds, "--environments", "1", "SB")
            kept = list((self.folder / "data").rglob("*.profile"))
            if kept:
                break
        self.assertNotEqual(kept, [])
        check_lines(self, "a profile", kept[0].read_text())
        out, _ = self.says("tune", "--list")
        self.assertNotIn("another one now", out)
        _, err = self.says("run", *FEW, "SB", status=None)
        self.assertIn("environments tuned for 1 shape", err)
        self.assertNotRegex(err, "tuned (on another device|with driver)")
        self.assertNotIn("is no line", self.says("tune", "--show", "SB")[1])


if __name__ == "__main__":
    common.main()
