#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which targets tests need, in folders described by hand and in the one of this build; and which tests run alone.

usage: test_targets_of_tests.py FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("targets_of_tests.py")
FOLDER = sys.argv.pop(1)
TARGETS = [("small", False), ("large", False), ("layer", False), ("program", True), ("unused", False)]
TESTS = [("unit", ["small"]), ("device", ["large", "layer"]), ("golden", ["small", "program"])]


def run(folder, *suites, status=0):
    done = subprocess.run([sys.executable, SCRIPT, folder, *suites], text=True, capture_output=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout.split("\n")[:-1], done.stderr


class Targets(unittest.TestCase):
    def described(self, tests, *suites, status=0):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            (folder / "meson-info").mkdir()
            targets = [{"id": f"{target}@exe", "installed": installed, "filename": [f"{folder}/tests/{target}"]}
                       for target, installed in TARGETS if tests or not installed]
            described = [{"suite": [f"project:{suite}"], "depends": [f"{target}@exe" for target in depends]}
                         for suite, depends in tests]
            for what, text in (("targets", targets), ("tests", described)):
                (folder / f"meson-info/intro-{what}.json").write_text(json.dumps(text), encoding="utf-8")
            return run(folder, *suites, status=status)

    def test_what_is_needed(self):
        self.assertEqual(self.described(TESTS)[0],
                         ["tests/large", "tests/layer", "tests/program", "tests/small"])
        self.assertEqual(self.described(TESTS, "device", "once")[0], ["tests/program", "tests/small"])
        # what is installed is needed in any case
        self.assertEqual(self.described(TESTS, "device", "golden", "unit")[0], ["tests/program"])

    def test_nothing_is_not_everything(self):
        self.assertIn("no test needs anything", self.described([], status=1)[1])

    def test_this_build(self):
        """ninja knows each of them, and what only a device needs is not there."""
        everything, few = run(FOLDER)[0], run(FOLDER, "device", "once")[0]
        self.assertLess(set(few), set(everything))
        self.assertIn("tests/base/test_base_error", few)
        alone = {"tests/device/test_errors", "tests/device/test_device_missing"}  # which ask no device
        self.assertEqual({target for target in few if target.startswith("tests/device/")}, alone)
        done = subprocess.run(["ninja", "-C", FOLDER, "-t", "query", *everything], text=True, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_alone(self):
        """quickstart runs the suite of that name when nothing else needs the processors: what cannot bear others."""
        tests = json.loads((pathlib.Path(FOLDER) / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
        alone = {test["name"] for test in tests if any(suite.endswith(":alone") for suite in test["suite"])}
        self.assertTrue(alone)
        self.assertEqual(alone, {test["name"] for test in tests if not test["is_parallel"]})

    def test_each_is_run(self):
        """quickstart runs what is neither alone nor once, what is alone, and of what is once what needs no device."""
        tests = json.loads((pathlib.Path(FOLDER) / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
        for test in tests:
            suites = {suite.rpartition(":")[2] for suite in test["suite"]}
            self.assertFalse({"once", "device"} <= suites and "alone" not in suites, test["name"])


if __name__ == "__main__":
    unittest.main()
