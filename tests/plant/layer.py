# SPDX-License-Identifier: Apache-2.0
"""usage: layer.py FOREIGN LAYER KERNEL CODE: a program that is not ours goes through the layer, and a driver compiles
what each plant makes of kernels."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOREIGN, LAYER, KERNEL, CODE = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parents[1] / "runner" / "plant" / "plant.h"
TEXT = HEADER.read_text(encoding="utf-8").replace("\\\n", "")
ALL = re.findall(r'\b(?:X\(|PLANT_VALUE\(X, )\w+,\s*"([a-z0-9-]+)",', TEXT)
# Those in calls change no program: calls.py.
CALLS = re.findall(r'\bX\(\w+,\s*"([a-z0-9-]+)",', TEXT[TEXT.index("define PLANT_CALLS"):].split("\n")[0])
# Those of texts that work-items share are not in these kernels.
SHARED = re.findall(r'\bX\(\w+,\s*"([a-z0-9-]+)",', TEXT[TEXT.index("define PLANT_SHARED"):].split("\n")[0])
PLANTS = [plant for plant in ALL if plant not in CALLS]
# What they change not every device has, so that these kernels have none of it.
ABSENT = {"float-bits", "float-zero", "float-payload", "float-subnormal", "float-equal", "collective-alone", "variable-copied", "variable-dirty", "initialiser-lost", "copy-short", "copy-stride", "copy-unawaited",
          "child-early", "child-unawaited", "image-stale", "none"} | {plant for plant in PLANTS if plant.startswith("split-")}
# The kernel that adds up what was seen is behind that of the test.
COUNTS = "kernel void oclmm_count("
# By its second text a foreign kernel stores something else.
PLAIN = "kernel void foreign(global int *x, global int *y, global int *z) { z[0] = 1; z[1] = 2; z[2] = 3; }\n"
PLANTED = PLAIN.replace("z[1] = 2", "z[1] = 7")


class Layer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oclmm-plant-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"
        (self.folder / "plain.cl").write_text(PLAIN)
        (self.folder / "planted.cl").write_text(PLANTED)

    def run_foreign(self, plant=None, offers=False, pieces=1, launches=1):
        """What the program prints, its standard error, and the events of the layer's log; without a plant there is
        no layer."""
        self.log.unlink(missing_ok=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
        if plant is not None:
            environment.update(OPENCL_LAYERS=LAYER, OCLMM_PLANT_LOG=str(self.log), OCLMM_PLANT_VERBOSE="1",
                               OCLMM_PLANT=plant)
        if offers:
            environment["FOREIGN_OFFERS"] = str(self.folder / "planted.cl")
        result = subprocess.run([FOREIGN, "foreign", "", str(pieces), str(launches), self.folder / "plain.cl"],
                                env=environment, timeout=600, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL)
        if result.returncode == 77:
            self.skipTest("no device")
        self.assertEqual(result.returncode, 0, f"{plant}: {result.stderr}")
        events = [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return result.stdout, result.stderr, events

    def places(self, events):
        return sum(int(places) for _, event, places in events if event == "source")

    def refused(self, paths):
        """The texts that the driver's compiler makes no code of."""
        # whether PoCL takes a text does not hang on how far it is optimised, which takes most of the time
        result = subprocess.run([CODE, "0", *paths], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                env={**os.environ, "POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"})
        if result.returncode == 77:
            self.skipTest("no device")
        refused = re.findall(r"(?m)^.*/(.+)\.cl: no code$", result.stderr)
        self.assertEqual(result.returncode, int(refused != []), result.stderr)
        if not refused:
            self.assertEqual(result.stderr, "")
        return refused

    def test_every_plant_is_accepted(self):
        """The driver's compiler takes what each plant makes."""
        paths, counted = [], set()
        for plant in PLANTS:
            file = "shared.litmus" if plant in SHARED else "waits.litmus" if plant == "load-once" else "modern.litmus"
            text = subprocess.run([KERNEL, plant, HERE / "golden" / file], capture_output=True, text=True,
                                  check=True).stdout
            places, text = text.split("\n", 1)
            self.assertEqual(places.split()[1] == "0", plant in ABSENT, plant)
            if plant not in ABSENT:
                # the same of nearly all: it is asked about once
                head, _, counting = text.partition(COUNTS)
                paths.append(self.folder / f"{plant}.cl")
                paths[-1].write_text(head if counting in counted else text)
                counted.add(counting)
        self.assertEqual(self.refused(paths), [])

    def test_refusals_are_seen(self):
        """What a text calls has to be there when it is compiled, and when it is linked."""
        paths = []
        for name, first in (("whole", "int lacking(int i) { return i; }"), ("undeclared", ""), ("undefined", "int lacking(int i);")):
            paths.append(self.folder / f"{name}.cl")
            paths[-1].write_text(f"{first}\nkernel void k(global int *x) {{ x[0] = lacking(x[1]); }}\n")
        self.assertEqual(self.refused(paths), ["undeclared", "undefined"])

    def test_foreign_programs_pass(self):
        """A program that offers nothing suffers nothing, and the layer says so."""
        plain, _, _ = self.run_foreign()
        for plant in ("none", "all-relaxed", "rmw-split", "first-launches"):
            out, err, events = self.run_foreign(plant)
            self.assertEqual(out, plain)
            self.assertEqual((events[0][1], self.places(events)), ("loaded", 0))
            self.assertIn("1 had nothing to change", err)

    def test_exchange(self):
        """A text for that another one was offered is exchanged, also where it comes in pieces."""
        for pieces in (1, 2, 7):
            out, err, events = self.run_foreign("all-relaxed", offers=True, pieces=pieces)
            self.assertEqual((out, self.places(events)), ("1 7 3\n", 4))
            self.assertIn("4 places changed in 1 programs", err)

    def test_by_launch(self):
        def launches(plant, count):
            _, _, events = self.run_foreign(plant, offers=True, launches=count)
            return [event for _, event, _ in events].count("launch")
        self.assertEqual(launches("first-launches:2", 5), 2)
        self.assertEqual(launches("first-launches", 2), 2)
        self.assertEqual(launches("late-launches:2", 5), 3)
        # one work-item is one group
        self.assertEqual(launches("multi-group", 3), 0)

    def test_refused(self):
        for plant in ("nothing", "update-lost:many"):
            _, err, events = self.run_foreign(plant)
            self.assertEqual(events, [])
            self.assertIn("oclmm plant: OCLMM_PLANT: ", err)
            self.assertIn("  all-relaxed ", err)


unittest.main()
