# SPDX-License-Identifier: Apache-2.0
"""The OpenCL loader is opened at run time: none, one that is none, and one of OpenCL 1.2; with a layer before it.

usage: loader.py PROGRAM OLD_LOADER PLANT_LAYER ODD_LAYER
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

OLD, PLANT, ODD = (os.path.abspath(path) for path in sys.argv[2:])
del sys.argv[2:]
ROOT = pathlib.Path(__file__).resolve().parents[2]

import common  # noqa: E402  pylint: disable=wrong-import-position
from common import SMALL, SuiteCase  # noqa: E402  pylint: disable=wrong-import-position


class Loader(SuiteCase):
    def by(self, loader, *arguments, status=0):
        return self.run_program(*arguments, status=status, environment=self.environment(OCLMM_OPENCL=str(loader)))

    def test_program_links_none(self):
        linked = subprocess.run(["ldd", common.PROGRAM], capture_output=True, text=True, check=True).stdout
        self.assertIn("libc.so", linked)
        self.assertNotIn("OpenCL", linked)

    def test_none(self):
        for command in (("devices",), ("run", "SB")):
            _, err = self.by(self.folder / "libOpenCL.so.1", *command, status=99)
            self.assertIn("there is no OpenCL loader: ", err)
            self.assertIn("libOpenCL.so.1", err)
        # what needs no device does not ask for one
        self.by(self.folder / "libOpenCL.so.1", "check", "SB")

    def test_another_library(self):
        for command in (("devices",), ("run", "SB")):
            _, err = self.by("libm.so.6", *command, status=99)
            self.assertIn("the OpenCL loader has no function cl", err)

    def test_of_1_2(self):
        """What came later is a capability that is missing; all else is as ever."""
        now = self.lines_of_json(self.run_program("devices", "--json")[0])[0]
        old = self.lines_of_json(self.by(OLD, "devices", "--json")[0])[0]
        later = {"svm", "il_version"}
        self.assertEqual({key: old[key] for key in old.keys() - later}, {key: now[key] for key in now.keys() - later})
        self.assertEqual((old["svm"], old["il_version"]), ("", ""))
        out, _ = self.by(OLD, "run", *SMALL, "-n", "20000", "--format", "json", "SB", status=None)
        record = self.lines_of_json(out)[1]
        self.assertEqual((record["test"], record["ended"]), ("SB", "ok"))
        self.assertGreater(record["instances"], 20000)


class Layer(SuiteCase):
    """What OCLMM_LAYER names stands between the program and a loader that knows no layers."""

    def under(self, layer, *arguments, status=0, **more):
        return self.run_program(*arguments, status=status,
                                environment=self.environment(OCLMM_OPENCL=OLD, OCLMM_LAYER=str(layer), **more))

    def test_calls_are_in_the_order_of_layers(self):
        """The position of each call is the interface between loader and layer."""
        with_all = subprocess.run(["cc", "-E", "-P", "-DCL_TARGET_OPENCL_VERSION=300", "-include", "CL/cl_icd.h", "-xc", "/dev/null"],
                                  capture_output=True, text=True, check=True).stdout
        members = re.search(r"struct _cl_icd_dispatch \{(.*?)\}", with_all, re.DOTALL)[1]
        source = (ROOT / "runner/device/opencl.c").read_text(encoding="utf-8")
        listed = re.search(r"const calls\[\] = \{(.*?)\}", source, re.DOTALL)[1]
        self.assertEqual(re.findall(r'"(\w+)"', listed), re.findall(r"(cl[A-Z]\w+);", members))

    def test_what_is_none_is_refused(self):
        for layer, how, said in ((self.folder / "none.so", "", "cannot open the layer that OCLMM_LAYER names: "),
                                 ("libm.so.6", "", "which is no layer of OpenCL loaders"),
                                 (ODD, "version", "which is no layer of OpenCL loaders"),
                                 (ODD, "none", "which is no layer of OpenCL loaders"),
                                 (ODD, "refuse", "which does not start"), (ODD, "nothing", "which does not start"),
                                 (ODD, "fewer", "which does not start")):
            for command in (("devices",), ("run", "SB")):
                _, err = self.under(layer, *command, status=99, ODD_LAYER=how)
                self.assertIn(said, common.joined(err), how)
                self.assertIn(str(layer), common.joined(err))
        _, err = self.under(PLANT, "devices", status=99, OCLMM_PLANT="nonsense")
        self.assertIn("which does not start", common.joined(err))
        # it takes bugs, and plants none
        _, err = self.under(ODD, "planted", "--plant", "returns-new", "SB", status=99, OCLMM_PLANT_LAYER=ODD)
        self.assertIn("nothing passed through", common.joined(err))

    def test_what_a_loader_lacks_it_lacks_with_a_layer(self):
        """The plant layer has functions of its own for what came after OpenCL 1.2."""
        without = self.run_program("devices", "--json", environment=self.environment(OCLMM_OPENCL=OLD))[0]
        saw = self.folder / "saw"
        self.assertEqual(self.under(ODD, "devices", "--json", ODD_LAYER_SAW=str(saw))[0], without)
        # the old loader has the calls that the program makes, of 1.2
        self.assertRegex(saw.read_text(encoding="utf-8"), r"^(\d+) of \1: ids 1, build 1, context 0, last 0$")
        self.assertEqual(self.under(PLANT, "devices", "--json", OCLMM_PLANT="none")[0], without)

    def test_texts_pass_through_it(self):
        log = self.folder / "log"
        out, _ = self.under(PLANT, "run", *SMALL, "-n", "20000", "--format", "json", "SB.order=sc", status=None,
                            OCLMM_PLANT="all-relaxed", OCLMM_PLANT_LOG=str(log))
        events = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
        self.assertIn(["all-relaxed", "loaded", "0"], events)
        self.assertGreater(sum(int(places) for _, event, places in events if event == "source"), 0)
        variables = shlex.split(self.lines_of_json(out)[0]["variables"])
        self.assertIn(f"OCLMM_LAYER={PLANT}", variables)
        self.assertIn("OCLMM_PLANT=all-relaxed", variables)


common.main_on_device()
