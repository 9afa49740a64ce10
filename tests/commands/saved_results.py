# SPDX-License-Identifier: Apache-2.0
"""Results files as a run leaves them, made here: they need no device."""

import json
import pathlib
import sys

from common import SB, SuiteCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
from check_schema import check  # noqa: E402 (found by the line above)

SCHEMA = json.loads((ROOT / "docs/results.schema.json").read_text(encoding="utf-8"))

# The base is sequentially consistent, its control relaxed.
STRONG = (SB.replace("memory_order_relaxed", "memory_order_seq_cst")
          .replace("OPENCL SB", "OPENCL STRONG").replace("Result: Sometimes", "Result: Never")
          .replace("vary order: memory_order_seq_cst => memory_order_seq_cst",
                   "vary order: memory_order_seq_cst => memory_order_relaxed\ncontrol order=rlx"))
VERDICTS = ("pass", "inconclusive", "forbidden", "disputed", "undefined", "skip", "build-failed", "crash",
            "timeout", "lost", "known", "stale")


def test_line(name, **more):
    return {
        "type": "test", "test": name, "hash": "0" * 16, "platform": "Pocket",
        "device": "Pocket GPU", "device_id": None, "driver": "1.2", "environment": None,
        "device_version": "OpenCL 3.0", "file": "relaxed/x.litmus", "family": "relaxed",
        "class": "claimed", "control": None, "ended": "ok", "message": None, "attempts": 1,
        "started": "2026-06-15T12:00:00Z", "seconds": 1.0, "compile_seconds": 0.5, "launches": 1,
        "first_launch": 0, "master_seed": "1", "seed": "1", "stimulus": "0" * 16, "source": "0" * 16,
        "build_options": "-cl-std=CL3.0", "build_log": None, "oracle": "oclmm 0", "verdict": "pass",
        "gates": True, "known": None, "instances": 0, "cut": 0, "filtered": 0, "weak": 0,
        "forbidden": 0, "disputed": 0, "outcomes": [], **more}


def run_line(**more):
    return {"type": "run", "format": 1, "tool": "oclmm 0", "platform": "Pocket", "device": "Pocket GPU",
            "driver": "1.2", "version": "OpenCL 3.0", "seed": "1", "instances": 1000, "budget": 0.0,
            "profile": None, "tests": 0, "whole_suite": True, "confidence": 0.95, "shard": 0, "shards": 0,
            "started": "2026-06-15T12:00:00Z", **more}


def end_line(tests, interrupted=False):
    return {"type": "end", "tests": tests, "verdicts": {verdict: 0 for verdict in VERDICTS},
            "instances": 0, "stimulus": "0" * 16, "left_out": 0, "interrupted": interrupted, "exit": 0}


class ResultsCase(SuiteCase):
    def setUp(self):
        super().setUp()
        self.write("litmus/relaxed/STRONG.litmus", STRONG)
        out, _ = self.run_program("check", "--json")
        self.hashes = {answer["test"]: answer["hash"] for answer in self.lines_of_json(out)}

    def record(self, name, counts, **more):
        """A test line. `counts` are those of 0:r0, 1:r0 = 00, 01, 10, 11; judged as nobody would judge."""
        outcomes = [{"values": {"0:r0": k >> 1, "1:r0": k & 1}, "count": count, "status": "allowed",
                     "witness": False} for k, count in enumerate(counts)]
        return test_line(name, **{"hash": self.hashes.get(name, "0" * 16), "instances": sum(counts),
                                  "outcomes": outcomes, **more})

    def strong(self, weak, hits=10, moved=None):
        """The test beside its control, in 32 blocks; so many of them with a hit."""
        controls = [{"name": "STRONG.order=rlx", "kind": "weaker", "hash": self.hashes["STRONG.order=rlx"],
                     "instances": 1000}]
        # as those of independent launches, spread over all blocks
        blocks = [[1, 1, 0, 1, int(k * 7 % 32 < hits)] + ([1, int(k * 7 % 32 < moved)] if moved is not None else [])
                  for k in range(32)]
        if moved is not None:
            controls.append({"name": "STRONG~x", "kind": "moved", "hash": "2" * 16, "instances": 1000})
        shown = [{"values": {"0:r0": 0, "1:r0": 0}, "count": hits + (moved or 0)}] if hits or moved else []
        evidence = {"controls": controls, "blocks": blocks, "shown": shown, "rounds": 0, "met": 0}
        return [self.record("STRONG", [weak, 500, 500, 0], launches=32, evidence=evidence),
                self.record("STRONG.order=rlx", [hits, 500, 500, 0])]

    def results(self, path, records, complete=True, interrupted=False, **more):
        lines = [run_line(**{"tests": len(records), **more}), *records]
        if complete:
            lines.append(end_line(len(records), interrupted))
        self.write(path, "".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(check(SCHEMA, self.read(path)), [])
        return path

    def verdicts(self, *arguments, status):
        """Final verdicts by test."""
        out, _ = self.run_program("grade", "--format", "json", *arguments, status=status)
        self.assertEqual(check(SCHEMA, out), [])
        lines = self.lines_of_json(out)
        verdicts = {line["test"]: line["verdict"] for line in lines if line["type"] == "test"}
        verdicts.update({line["test"]: line["verdict"] for line in lines if line["type"] == "confidence"})
        self.assertEqual(lines[-1]["exit"], status)
        return verdicts
