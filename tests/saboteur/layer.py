# SPDX-License-Identifier: Apache-2.0
"""usage: layer.py FOREIGN LAYER: a program that is not ours suffers each plant, and is told so."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOREIGN, LAYER = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parents[1] / "runner" / "saboteur" / "saboteur.h"
TEXT = HEADER.read_text(encoding="utf-8").replace("\\\n", "")
ALL = re.findall(r'\bX\(\w+,\s*"([a-z0-9-]+)",', TEXT)
# Those in calls change no program: calls.py.
CALLS = re.findall(r'\bX\(\w+,\s*"([a-z0-9-]+)",', TEXT[TEXT.index("define SABOTEUR_CALLS"):].split("\n")[0])
PLANTS = [plant for plant in ALL if plant not in CALLS]
MODERN = (str(HERE / "golden" / "modern.cl"), "modern", "-cl-std=CL3.0")
LEGACY = (str(HERE / "golden" / "legacy.cl"), "legacy", "-cl-std=CL1.2")
# Plants that show even where one work-item runs alone.
SEQUENTIAL = {"load-reused", "update-lost:1"}
# What they change not every device has, so that the foreign program has none of it.
ABSENT = {"float-bits", "collective-alone", "variable-copied", "copy-short", "copy-unawaited",
          "child-early", "child-unawaited", "image-stale", "ids-swapped", "group-ids-swapped", "sizes-swapped"}


class Layer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oclmm-saboteur-")
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log"

    def run_foreign(self, program, plant=None, pieces=1, launches=2, layer=True):
        """What the program prints, its standard error, and the events of the layer's log."""
        self.log.unlink(missing_ok=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
        if layer:
            environment.update(OPENCL_LAYERS=LAYER, OCLMM_PLANT_LOG=str(self.log), OCLMM_PLANT_VERBOSE="1")
        if plant is not None:
            environment["OCLMM_PLANT"] = plant
        result = subprocess.run([FOREIGN, *program, str(pieces), str(launches)], env=environment, timeout=240,
                                capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode == 77:
            self.skipTest("no device")
        self.assertEqual(result.returncode, 0, f"{plant}: {result.stderr}")
        events = [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return result.stdout, result.stderr, events

    def places(self, events):
        return sum(int(places) for _, event, places in events if event == "source")

    def test_every_plant_is_accepted(self):
        plain, _, _ = self.run_foreign(MODERN, layer=False)
        for plant in PLANTS + ["update-lost:1", "legacy-split:all", "fence-narrowed:global"]:
            with self.subTest(plant):
                out, err, events = self.run_foreign(MODERN, plant)
                self.assertEqual(events[0][1], "loaded")
                if plant == "none":
                    self.assertEqual((out, self.places(events)), (plain, 0))
                    continue
                self.assertEqual(self.places(events) == 0, plant in ABSENT)
                self.assertIn(f"{self.places(events)} places changed in ", err)
                if plant in SEQUENTIAL:
                    self.assertNotEqual(out, plain)
                else:
                    self.assertEqual(out, plain, "a work-item that runs alone sees its program's order")

    def test_old_language(self):
        plain, _, _ = self.run_foreign(LEGACY, layer=False)
        for plant in ("legacy-split", "legacy-split:all", "mem-fence-empty", "barrier-no-fence", "exchange-to-store",
                      "local-plain", "fence-narrowed", "barrier-swapped"):
            out, _, events = self.run_foreign(LEGACY, plant)
            self.assertEqual(out, plain, plant)
            self.assertGreater(self.places(events), 0, plant)

    def test_pieces(self):
        """Calls that begin in one string and end in the next."""
        _, _, whole = self.run_foreign(MODERN, "all-relaxed")
        for pieces in (2, 7, 61):
            out, _, events = self.run_foreign(MODERN, "all-relaxed", pieces=pieces)
            self.assertEqual(self.places(events), self.places(whole))
        self.assertTrue(out)

    def test_untouched_is_told(self):
        _, err, events = self.run_foreign(LEGACY, "all-relaxed")
        self.assertEqual(self.places(events), 0)
        self.assertIn("1 had nothing to change", err)

    def test_by_launch(self):
        def launches(plant, count):
            _, _, events = self.run_foreign(MODERN, plant, launches=count)
            return [event for _, event, _ in events].count("launch")
        self.assertEqual(launches("first-launches:2", 5), 2)
        self.assertEqual(launches("first-launches", 2), 2)
        self.assertEqual(launches("late-launches:2", 5), 3)
        # one work-item is one group
        self.assertEqual(launches("multi-group", 3), 0)

    def test_refused(self):
        for plant in ("nothing", "update-lost:many"):
            _, err, events = self.run_foreign(LEGACY, plant)
            self.assertEqual(events, [])
            self.assertIn("oclmm saboteur: OCLMM_PLANT: ", err)
            self.assertIn("  all-relaxed ", err)


unittest.main()
