# SPDX-License-Identifier: Apache-2.0
"""What oclmm idiom lists and refuses before it looks for a device."""

import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (lies beside, and takes the program from the command line)
from common import SuiteCase  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Refused(SuiteCase):
    def idiom(self, *arguments, status):
        # no device is needed for any of this, and none is there
        environment = self.environment(OCLMM_SUITE=str(ROOT), OCL_ICD_VENDORS=str(self.folder / "none"))
        return self.run_program("idiom", *arguments, status=status, environment=environment)

    def test_lists(self):
        out, err = self.idiom(status=0)
        self.assertEqual(err, "")
        names = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
        kernels = {path.stem for path in (ROOT / "litmus/idiom").glob("*.cl")} - {"common", "background", "scan-tiles"}
        self.assertEqual(set(names), {name for name in kernels if not name.endswith("-published")})
        self.assertEqual(len(names), len(set(names)))

    def test_bad_options(self):
        for arguments, message in [
                (("sum-by-hist",), 'no program "sum-by-hist"; did you mean "sum-by-host"?'),
                (("zzz",), 'no program "zzz"; oclmm idiom lists them'),
                (("progress", "zzz"), 'no program "zzz"'),
                (("--as-published", "--repaired", "progress"), "either --as-published or --repaired"),
                (("--size", "-1", "progress"), '--size: "-1" is not a count'),
                (("--size", "many", "progress"), '--size: "many" is not a count'),
                (("--size", "", "progress"), '--size: "" is not a count'),
                (("--size", "1e99", "progress"), '--size: "1e99" is not a count'),
                (("--size", "1.5", "progress"), '--size: "1.5" is not a count'),
                (("--size", "1.0005k", "progress"), '--size: "1.0005k" is not a count'),
                (("--size", "1e-3", "progress"), '--size: "1e-3" is not a count'),
                (("--size", "0.0015k", "progress"), '--size: "0.0015k" is not a count'),
                (("--size", "1234567890.5", "progress"), '--size: "1234567890.5" is not a count'),
                (("--size", "8Mi", "progress"), '--size: "8Mi" is not a count'),
                (("--size", "1,000", "progress"), '--size: "1,000" is not a count'),
                (("--size", "nan", "progress"), '--size: "nan" is not a count'),
                (("--size", "18446744073709551616", "progress"), '"18446744073709551616" is not a count'),
                (("--groups", "2.5", "progress"), '--groups: "2.5" is not a count'),
                (("--group-size", "63.9", "progress"), '--group-size: "63.9" is not a count'),
                (("--steps", "1.5", "progress"), '--steps: "1.5" is not a count'),
                (("--steps", "0", "progress"), '--steps: "0" is not a count'),
                (("--groups", "0", "progress"), '--groups: "0" is not a count'),
                (("--group-size", "0", "progress"), '--group-size: "0" is not a count'),
                (("--repeat", "0", "progress"), '--repeat: "0" is not a count'),
                (("--repeat", "1e9", "progress"), '--repeat: "1e9" is not a number of runs'),
                (("--runs", "0", "progress"), '--runs: "0" is not a count'),
                (("--timeout", "0", "progress"), '--timeout: "0" is not a time'),
                (("--seed", "x", "progress"), '--seed: "x" is not a number'),
                (("--groop", "1"), 'unknown option "--groop"; did you mean "--groups"?'),
        ]:
            out, err = self.idiom(*arguments, status=2)
            self.assertIn(message, err, arguments)
            self.assertEqual(out, "", arguments)

    def test_whole_after_all(self):
        """Refused for want of a device only."""
        for size in ("1.1M", "1.5k", "2.5e1", "1e6", "0"):
            _, err = self.idiom("--size", size, "progress", status=77)
            self.assertIn("no OpenCL device found", err)

    def test_no_device(self):
        _, err = self.idiom("progress", status=77)
        self.assertIn("no OpenCL device found", err)

    def test_no_suite(self):
        environment = self.environment(OCLMM_SUITE=str(self.folder / "none"))
        _, err = self.run_program("idiom", "progress", status=2, environment=environment)
        self.assertIn("OCLMM_SUITE", err)


if __name__ == "__main__":
    common.main()
