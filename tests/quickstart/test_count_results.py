#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of logs written by hand."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("count_results.py")
CMOCKA_GOOD = "[==========] 5 test(s) run.\n[  PASSED  ] 5 test(s).\n"
CMOCKA_BAD = "[  PASSED  ] 3 test(s).\n[  FAILED  ] 2 test(s), listed below:\n[  FAILED  ] a\n[  FAILED  ] b\n"


def run(*logs):
    """(exit status, lines printed) for logs given as lists of entries or as text."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, log in enumerate(logs):
            path = pathlib.Path(folder) / f"{index}.json"
            if log is not None:
                text = log if isinstance(log, str) else "".join(json.dumps(e) + "\n" for e in log)
                path.write_text(text, encoding="utf-8")
            paths.append(path)
        done = subprocess.run([sys.executable, SCRIPT, *paths], text=True, capture_output=True, check=False)
        return done.returncode, done.stdout.splitlines()


class Counts(unittest.TestCase):
    def test_results(self):
        for result, expected in (("OK", (0, "1 passed, 0 failed")), ("FAIL", (1, "0 passed, 1 failed")),
                                 ("TIMEOUT", (1, "0 passed, 1 failed")), ("ERROR", (1, "0 passed, 1 failed")),
                                 ("INTERRUPT", (1, "0 passed, 1 failed")),
                                 ("UNEXPECTEDPASS", (1, "0 passed, 1 failed")),
                                 ("EXPECTEDFAIL", (0, "1 passed, 0 failed"))):
            with self.subTest(result):
                status, lines = run([{"result": result}])
                self.assertEqual((status, lines[-1]), expected)

    def test_sums_logs(self):
        self.assertEqual(run([{"result": "OK"}, {"result": "SKIP"}], [{"result": "OK"}, {"result": "FAIL"}]),
                         (1, ["failed: a test without a name (FAIL)", "1 skipped", "2 passed, 1 failed"]))

    def test_names_what_failed_with_its_last_lines(self):
        output = "\n".join(f"line {number}" for number in range(50)) + "\n"
        status, lines = run([{"name": "good", "result": "OK", "stdout": "quiet\n"},
                             {"name": "suite / bad", "result": "TIMEOUT", "stdout": output, "stderr": "why\n"}])
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "failed: suite / bad (TIMEOUT)")
        self.assertEqual(lines[-2:], ["    why", "1 passed, 1 failed"])
        self.assertEqual(len(lines), 32)
        self.assertNotIn("    quiet", lines)

    def test_cmocka_cases(self):
        self.assertEqual(run([{"result": "OK", "stderr": CMOCKA_GOOD}]), (0, ["5 passed, 0 failed"]))
        status, lines = run([{"result": "FAIL", "stderr": CMOCKA_BAD}])
        self.assertEqual((status, lines[-1]), (1, "3 passed, 2 failed"))

    def test_crash_after_cases_passed(self):
        status, lines = run([{"result": "FAIL", "stderr": CMOCKA_GOOD}])
        self.assertEqual((status, lines[-1]), (1, "5 passed, 1 failed"))

    def test_failed_cases_count_whatever_the_status_says(self):
        status, lines = run([{"result": "OK", "stderr": CMOCKA_BAD}])
        self.assertEqual((status, lines[-1]), (1, "3 passed, 2 failed"))

    def test_nothing_run_is_a_failure(self):
        self.assertEqual(run([]), (1, ["0 passed, 1 failed"]))
        self.assertEqual(run(None), (1, ["0 passed, 1 failed"]))
        self.assertEqual(run([{"result": "OK"}], [{"result": "SKIP"}]), (1, ["1 skipped", "1 passed, 1 failed"]))

    def test_half_a_log_is_a_failure(self):
        self.assertEqual(run('{"result": "OK"}\n{"resu'), (1, ["0 passed, 1 failed"]))


if __name__ == "__main__":
    unittest.main()
