# SPDX-License-Identifier: Apache-2.0
"""What a run on a real device writes is what docs/results-format.md says, and what the others read."""

import json
import pathlib
import shutil
import subprocess
import sys

import common
from common import SuiteCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
from check_schema import check  # noqa: E402 (found by the line above)

SCHEMA = json.loads((ROOT / "docs/results.schema.json").read_text(encoding="utf-8"))
RUN = ("run", "--instances", "20000", "--seed", "7")


class Written(SuiteCase):
    def lines(self, path):
        self.assertEqual(check(SCHEMA, self.read(path)), [])
        return self.lines_of_json(self.read(path))

    def test_files(self):
        self.run_program(*RUN, "--output", "r.jsonl", "--output", "r.xml", "--output", "r.tap", status=0)
        lines = self.lines("r.jsonl")
        self.assertEqual([line["type"] for line in lines if line["type"] != "confidence"],
                         ["run", "test", "test", "test", "end"])
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--nonet", "--schema", ROOT / "tests/report/junit.xsd",
                            self.folder / "r.xml"], check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(self.read("r.tap").splitlines()[2], "1..3")
        if shutil.which("prove"):
            subprocess.run(["prove", "--exec", "cat", self.folder / "r.tap"], check=True,
                           stdout=subprocess.DEVNULL)

    def test_graded_as_it_was_judged(self):
        self.run_program(*RUN, "--output", "r.jsonl", status=0)
        out, _ = self.run_program("grade", "--format", "json", "r.jsonl", status=0)
        self.assertEqual(check(SCHEMA, out), [])
        ran, graded = self.lines("r.jsonl"), self.lines_of_json(out)
        for kind, keys in (("test", ("verdict", "outcomes", "weak", "gates", "bound")),
                           ("confidence", ("verdict", "confidence", "escape", "seen"))):
            wanted = {line["test"]: {key: line[key] for key in keys} for line in ran if line["type"] == kind}
            got = {line["test"]: {key: line[key] for key in keys} for line in graded if line["type"] == kind}
            self.assertEqual(got, wanted)
        self.assertEqual(graded[-1], ran[-1])

    def test_shards_make_the_whole(self):
        for shard in (1, 2):
            self.run_program(*RUN, "--shard", f"{shard}/2", "--output", f"{shard}.jsonl", status=None)
        self.run_program("merge", "1.jsonl", "2.jsonl", "--output", "all.jsonl")
        tests = [line["test"] for line in self.lines("all.jsonl") if line["type"] == "test"]
        listed, _ = self.run_program("list")
        self.assertEqual(sorted(tests), sorted(listed.split()))
        self.run_program("run", "--instances", "20000", "--seed", "8", "--output", "whole.jsonl", status=0)
        self.run_program("compare", "whole.jsonl", "all.jsonl", status=0)


def has_device():
    return subprocess.run([common.PROGRAM, "devices"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


if not has_device():
    sys.exit(77)
common.main()
