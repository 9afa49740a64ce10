# SPDX-License-Identifier: Apache-2.0
"""oclmm run of barriers in two calls, on a driver that is given such: controls fire, and mistakes are seen.

usage: split_barrier.py OCLMM PLANTS SPLIT LITMUS-FOLDER
"""

import os
import pathlib
import sys

PLANTS, SPLIT = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "barrier"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

# What a plant breaks, and tests that have to see it.
KILLED = dict.fromkeys(("split-arrive-no-fence", "split-arrive-swapped", "split-wait-no-fence", "split-wait-swapped",
                        "split-wait-removed"), ("LB+split-barrier", "MP+split-barrier", "SB+split-barrier"))
FILES = sorted(path.name for path in LITMUS.glob("*split-barrier*.litmus"))


# One for all: which defaults a test has changes with them, and what is looked at here does not.
ENVIRONMENT = "groups=2 lanes=16 rounds=1024 flip_groups=1"


class SplitBarrier(layer_case.LayerCase):
    layer = SPLIT

    def results(self, *arguments, **options):
        return super().results("--environment", ENVIRONMENT, *arguments, **options)

    def setUp(self):
        super().setUp()
        for name in FILES:
            self.write(f"litmus/barrier/{name}", (LITMUS / name).read_text(encoding="utf-8"))

    def test_silent(self):
        """What the oracle forbids does not come, whatever controls show."""
        names = [name.removesuffix(".litmus") for name in FILES]
        lines = self.results("-n", "100k", *names, status=(0, 3))
        self.assertEqual({name for name in lines if "=" not in name}, set(names))
        for name, line in lines.items():
            self.assertIn(line["verdict"], ("pass", "inconclusive"), name)
            self.assertGreater(line["instances"], 0, name)

    def test_silent_beside_controls(self):
        self.pass_beside_controls(["LB+split-barrier", "MP+split-barrier", "SB+split-barrier"], ("1M", "4M", "16M"))

    def test_mistakes_are_seen(self):
        self.see_plants(KILLED, PLANTS, ("100k", "1M", "4M"))

    def test_wait_that_does_not_wait(self):
        """PoCL runs the work-items of a group one after the other: the first one to run misses what the other writes."""
        lines = self.results("-n", "100k", "SB+split-barrier", status=None, OCLMM_SPLIT_LACK="wait")
        line = lines["SB+split-barrier"]
        self.assertEqual(line["verdict"], "forbidden")

    def ended(self, lacking, status):
        out, err = self.run_program("run", "-n", "1k", "MP+split-barrier", status=status,
                                    environment=self.environment(OPENCL_LAYERS=SPLIT, OCLMM_SPLIT_LACK=lacking))
        return " ".join((out + err).split())

    def test_driver_without_it(self):
        self.assertIn("cl_intel_split_work_group_barrier", self.ended("extension", 77))

    def test_driver_whose_compiler_lacks_the_functions(self):
        self.assertIn("intel_work_group_barrier_arrive", self.ended("functions", 99))


if __name__ == "__main__":
    layer_case.main()
