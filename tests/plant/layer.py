# SPDX-License-Identifier: Apache-2.0
"""usage: layer.py FOREIGN LAYER REWRITE: a program that is not ours suffers plants, and is told so.

What each plant makes of its text is compiled and run, all in one process, without the layer; some go through it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOREIGN, LAYER, REWRITE = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parents[1] / "runner" / "plant" / "plant.h"
TEXT = HEADER.read_text(encoding="utf-8").replace("\\\n", "")
ALL = re.findall(r'\bX\(\w+,\s*"([a-z0-9-]+)",', TEXT)
# Those in calls change no program: calls.py.
CALLS = re.findall(r'\bX\(\w+,\s*"([a-z0-9-]+)",', TEXT[TEXT.index("define PLANT_CALLS"):].split("\n")[0])
PLANTS = [plant for plant in ALL if plant not in CALLS]
MODERN = (str(HERE / "golden" / "modern.cl"), "modern", "-cl-std=CL3.0")
LEGACY = (str(HERE / "golden" / "legacy.cl"), "legacy", "-cl-std=CL1.2")
# One operation in N is another: chance, by addresses that each process has others of. For these tests it never comes.
CHANCE = {plant: f"{plant}:1000000000" for plant in re.findall(r'"([a-z-]+)", +"[^"]*\(:N, 1000\)', TEXT)}
# Those that need no more than a changed text, and those that decide when it is launched, or have a parameter.
THROUGH_THE_LAYER = ("none", "all-relaxed", "sc-to-acq-rel", "rmw-split", "torn", "load-early", "float-bits", "multi-group",
                     "first-launches", "late-launches", CHANCE["count-lost"], "update-lost:1", "legacy-split:all",
                     "fence-narrowed:global")
# Plants that show even where one work-item runs alone.
SEQUENTIAL = {"load-reused", "update-lost:1"}
# What they change not every device has, so that the foreign program has none of it.
ABSENT = {"float-bits", "collective-alone", "variable-copied", "copy-short", "copy-unawaited",
          "child-early", "child-unawaited", "image-stale", "ids-swapped", "group-ids-swapped", "sizes-swapped"}


class Layer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oclmm-plant-")
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log"

    def run_foreign(self, program, plant=None, pieces=1, launches=2, files=None):
        """What the program prints, its standard error, and the events of the layer's log; without a plant there is
        no layer."""
        self.log.unlink(missing_ok=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
        if plant is not None:
            environment.update(OPENCL_LAYERS=LAYER, OCLMM_PLANT_LOG=str(self.log), OCLMM_PLANT_VERBOSE="1",
                               OCLMM_PLANT=plant)
        path, *how = program
        result = subprocess.run([FOREIGN, *how, str(pieces), str(launches), *(files or [path])], env=environment,
                                timeout=600, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode == 77:
            self.skipTest("no device")
        self.assertEqual(result.returncode, 0, f"{plant}: after {result.stdout.count(chr(10))} files: {result.stderr}")
        events = [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return result.stdout, result.stderr, events

    def rewritten(self, plant, program):
        """Where its text is as the plant leaves it, and in how many places that changed it."""
        path = self.log.with_name(f"{plant}.cl")
        result = subprocess.run([REWRITE, plant, program[0]], capture_output=True, text=True, check=True)
        path.write_text(result.stdout)
        return path, int(result.stderr.split()[0])

    def places(self, events):
        return sum(int(places) for _, event, places in events if event == "source")

    def check_output(self, plant, out, plain):
        """A work-item that runs alone sees its program's order."""
        with self.subTest(plant):
            (self.assertNotEqual if plant in SEQUENTIAL else self.assertEqual)(out, plain)

    def check_accepted(self, program, files):
        """The driver's compiler takes what each plant made."""
        plain, _, _ = self.run_foreign(program)
        out, _, _ = self.run_foreign(program, files=files.values())
        lines = out.splitlines(keepends=True)
        self.assertEqual(len(lines), len(files))
        for plant, line in zip(files, lines):
            self.check_output(plant, line, plain)

    def test_every_plant_is_accepted(self):
        plants = dict.fromkeys(CHANCE.get(plant, plant) for plant in (*PLANTS, *THROUGH_THE_LAYER))
        made = {plant: self.rewritten(plant, MODERN) for plant in plants}
        self.assertEqual({plant for plant, (_, places) in made.items() if places == 0}, ABSENT | {"none"})
        self.check_accepted(MODERN, {plant: path for plant, (path, places) in made.items() if places})

    def test_layer(self):
        """It does what the rewriter does, and says so."""
        plain, _, _ = self.run_foreign(MODERN)
        for plant in THROUGH_THE_LAYER:
            out, err, events = self.run_foreign(MODERN, plant)
            self.check_output(plant, out, plain)
            with self.subTest(plant):
                self.assertEqual((events[0][1], self.places(events)), ("loaded", self.rewritten(plant, MODERN)[1]))
                if plant != "none":
                    self.assertIn(f"{self.places(events)} places changed in ", err)

    def test_old_language(self):
        made = {plant: self.rewritten(plant, LEGACY) for plant in
                ("legacy-split", "legacy-split:all", "mem-fence-empty", "barrier-no-fence", "exchange-to-store",
                 "local-plain", "fence-narrowed", "barrier-swapped")}
        for plant, (_, places) in made.items():
            self.assertGreater(places, 0, plant)
        self.check_accepted(LEGACY, {plant: path for plant, (path, _) in made.items()})

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
            self.assertIn("oclmm plant: OCLMM_PLANT: ", err)
            self.assertIn("  all-relaxed ", err)


unittest.main()
