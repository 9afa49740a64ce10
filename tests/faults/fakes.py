# SPDX-License-Identifier: Apache-2.0
"""Drivers that hold back what they have to say, and leave processes behind."""

import os
import pathlib
import signal
import subprocess
import sys

FAKES = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, ALONE, FaultCase, litmus, passing  # noqa: E402 (takes the command line)
from common import PROGRAM, joined, main  # noqa: E402
from robustness import ends_as  # noqa: E402

TWO = {"POCL_DEVICES": "pthread pthread", "POCL_MAX_PTHREAD_COUNT": "2"}


class Fakes(FaultCase):
    def setUp(self):
        super().setUp()
        self.write("litmus/relaxed/t.litmus", passing("own", "x", "y"))
        self.run_program("check", "--write")

    def faked(self, lie, **more):
        return self.environment(OPENCL_LAYERS=f"{LAYER}:{FAKES}", OCLMM_LIE=lie,
                                OCLMM_LIE_FILE=str(self.folder / "helpers"), **more)

    def test_what_a_device_has_to_say(self):
        """Taken for the least that it may have, its tests of more would be skipped or gate nothing."""
        for words in (["devices"], ["run", *ALONE]):
            _, err = self.run_program(*words, status=99, environment=self.faked("silent"))
            self.assertIn("clGetDeviceInfo of 0x1063: CL_OUT_OF_RESOURCES", joined(err))
            ends_as("does not say what its atomics have", "99")

    def test_one_of_all_devices_that_cannot_be_asked(self):
        """The others stand for themselves, and not for all."""
        run = ("run", *ALONE, "--no-controls")
        out, err = self.run_program("devices", environment=self.faked("second", **TWO))
        self.assertEqual(len([line for line in out.splitlines() if line[:1].isdigit()]), 1)
        self.assertIn("note: a device is left out: clGetDeviceInfo of 0x1063", joined(err))
        _, err = self.run_program(*run, environment=self.faked("second", **TWO), status=3)
        self.assertIn("a device is left out", joined(err))
        _, err = self.run_program(*run, "--device", "all", status=99, environment=self.faked("second", **TWO))
        self.assertIn("--device all takes all devices, and one cannot be asked", joined(err))
        self.run_program(*run, "--device", "all", environment=self.faked("none", **TWO), status=3)

    def driver(self, name, answer):
        """The path of a library that answers so where it is asked for its entry point."""
        source, library = self.folder / f"{name}.c", self.folder / f"lib{name}.so"
        source.write_text("static int entry(unsigned n, void *p, unsigned *c) { (void)n; (void)p; (void)c; return -6; }\n"
                          "static int absent(unsigned n, void *p, unsigned *c) { return c ? entry(n, p, c) - 995 : 0; }\n"
                          "static int nothing(unsigned n, void *p, unsigned *c) { return c ? *c = 0, absent(n, p, 0) : 0; }\n"
                          "void *clGetExtensionFunctionAddress(const char *name) "
                          f"{{ (void)name; (void)nothing; return (void *){answer}; }}\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
        return str(library)

    def test_drivers_that_the_loader_drops(self):
        """They are named, and whoever asks for a device of theirs is not told that there is nothing to run."""
        vendors = self.folder / "vendors"
        vendors.mkdir()
        environment = self.faked("none", OCL_ICD_VENDORS=str(vendors))
        bare, failing, absent, nothing = (self.driver(name, answer) for name, answer in (
            ("bare", "0"), ("failing", "entry"), ("absent", "absent"), ("nothing", "nothing")))
        for name, library, why in (("gone", "libpocket-cl.so.1", "it cannot be loaded: libpocket-cl.so.1"),
                                   ("empty", "libm.so.6", "libm.so.6 has no clGetExtensionFunctionAddress"),
                                   ("early", bare, f"{bare} has no clIcdGetPlatformIDsKHR"),
                                   ("ends", failing, f"clIcdGetPlatformIDsKHR of {failing} fails (-6)"),
                                   ("gap", "", "it names no library"),
                                   ("ghost", absent, f"{absent} has no platform: it finds no device"),
                                   ("gone-too", nothing, f"{nothing} has no platform: it finds no device")):
            (vendors / f"{name}.icd").write_text(f"{library}\n")
            _, err = self.run_program("devices", status=77, environment=environment)
            self.assertIn(f"note: a driver is left out: {vendors}/{name}.icd: {why}", joined(err))
        self.run_program("run", *ALONE, status=77, environment=environment)
        for device in ("Pocket", "0", "all"):
            _, err = self.run_program("run", *ALONE, "--device", device, status=99, environment=environment)
            for name in ("gone", "empty", "early", "ends", "gap", "ghost", "gone-too"):
                self.assertIn(f"{name}.icd", err)
        # beside one that works
        for path in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd"):
            (vendors / path.name).write_text(path.read_text())
        _, err = self.run_program("run", *ALONE, "--no-controls", environment=environment, status=3)
        self.assertIn("gone.icd", err)
        _, err = self.run_program("run", *ALONE, "--device", "Pocket", status=99, environment=environment)
        self.assertIn("no device matches 'Pocket'", err)
        for path in vendors.glob("[eg]*.icd"):
            path.unlink()
        _, err = self.run_program("run", *ALONE, "--device", "Pocket", status=2, environment=environment)
        self.assertNotIn("left out", err)

    def test_numbers_of_devices(self):
        """Behind one that cannot be asked they are not what they are otherwise: another device would be tested."""
        run = ("run", *ALONE, "--no-controls", "--device")
        self.run_program(*run, "0", environment=self.faked("second", **TWO), status=3)
        for device in ("0", "1"):
            _, err = self.run_program(*run, device, status=2, environment=self.faked("others", **TWO))
            self.assertIn("device 0 cannot be asked, so no number from there on is sure", joined(err))
        out, _ = self.run_program(*run, "pthread", environment=self.faked("others", **TWO), status=3)
        self.assertRegex(out, r"(?m)^inconclusive own ")

    def test_a_driver_that_writes_to_files_that_are_not_its_own(self):
        """The results, the lock and the standard streams are out of its reach."""
        for lie, status in (("scribble", 3), ("blot", 99)):
            out, _ = self.run_program("run", *ALONE, "--no-controls", "-o", "all.jsonl", "-o", "all.xml",
                                      status=status, environment=self.faked(lie))
            self.assertNotIn("scribbled", out)
            # what it writes to its standard streams is kept of a test that went wrong
            kept = {self.folder / name for name in ("all.jsonl", "all.xml") if lie == "blot"}
            for path in self.folder.rglob("*"):
                if path.is_file() and path not in kept:
                    self.assertNotIn(b"scribbled", path.read_bytes(), path)
            # a socket that it spoilt is told of, and not hidden; without controls nothing else is proven
            self.run_program("grade", "all.jsonl", status=status)
            self.assertEqual(self.recorded_tests("all.jsonl"), {"own"})

    def recorded_tests(self, name):
        return {line["test"] for line in self.lines_of_json(self.read(name)) if line["type"] == "test"}

    def helpers(self):
        return [int(word) for word in self.read("helpers").split()]

    @staticmethod
    def lives(pid):
        """What was killed may not have been waited for yet."""
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                return file.read().rpartition(") ")[2][:1] not in "ZX"
        except OSError:
            return False

    def end_helpers(self):
        for pid in self.helpers():
            if self.lives(pid):
                os.kill(pid, signal.SIGKILL)

    def test_processes_that_a_driver_leaves_behind(self):
        """They end with the run; one that was killed leaves them, and they do not hold the device."""
        self.run_program("run", *ALONE, "--no-controls", environment=self.faked("helper"), status=3)
        self.addCleanup(self.end_helpers)
        self.assertGreater(len(self.helpers()), 0)
        self.until(lambda: not any(self.lives(pid) for pid in self.helpers()))
        self.run_program("run", *ALONE, "--no-controls", "--no-wait", environment=self.faked("none"), status=3)
        self.assertGreater(len(self.helpers()), 0)
        before = len(self.helpers())
        self.write("litmus/relaxed/u.litmus", litmus("slow", "fault_hang"))
        with subprocess.Popen([PROGRAM, "run", *ALONE, "--no-controls", "slow"], cwd=self.folder, env=self.faked("helper"),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            self.until(lambda: len(self.helpers()) > before)
            run.kill()
        # its children, which end with it, may take a moment
        self.run_program("run", *ALONE, "--no-controls", "--wait", "20", "own", environment=self.faked("none"), status=3)
        self.assertTrue(any(self.lives(pid) for pid in self.helpers()))


if __name__ == "__main__":
    main()
