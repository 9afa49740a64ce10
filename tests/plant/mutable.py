# SPDX-License-Identifier: Apache-2.0
"""oclmm run of kernels that are changed between replays, or recorded for several queues, on a driver that is given that.

usage: mutable.py OCLMM PLANTS MUTABLE LITMUS-FOLDER
"""

import os
import pathlib
import subprocess
import sys

PLANTS, MUTABLE = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

QUEUES = ("recorded+queues", "replay+queues")
NAMES = ("replays+changed", "replays+pending", "replays+reached", "replays+missed")
# what an exported file ends with
SILENT_FILE, SEEN_FILE = 0, 1
# of those whose launch is changed: what by, and what a layer calls that
LAUNCHES = {"": "size", ".launch=offset": "offset", ".launch=local": "local"}


BOTH = """OPENCL both
"Are arguments and size changed together?"
(* Result: Always
 *
 * The first replay reaches nothing, and the second one y.
 *)
{ [x] = 0; [y] = 0; }
P0@kernel unordered 0 recording 0 global_work_size (global int *x) {}
P1@replay unordered 0 recording 0 () {}
P2@kernel unordered 0 recording 0 again 0 (global int *y) { *y = 1; }
P3@replay unordered 0 recording 0 wait 1 () {}
forall (x=0 /\\ y=1)
"""


class Mutable(layer_case.LayerCase):
    layer = MUTABLE

    def setUp(self):
        super().setUp()
        for name in (*NAMES, *QUEUES):
            self.write(f"litmus/command/{name}.litmus", (LITMUS / f"{name}.litmus").read_text(encoding="utf-8"))

    def test_silent_beside_controls(self):
        self.pass_beside_controls((*NAMES, *QUEUES, *(f"replays+{name}.launch={launch}" for name in ("reached", "missed")
                                             for launch in ("offset", "local"))), ("4M", "16M", "64M", "64M"))

    def all_forbidden(self, plant, names):
        lines = self.results("-n", "1M", *names, above=(PLANTS,), status=None, OCLMM_PLANT=plant)
        for name in names:
            self.assertEqual(lines[name]["verdict"], "forbidden", name)
            self.assertEqual(lines[name]["forbidden"], lines[name]["instances"], name)

    def test_update_that_does_nothing(self):
        """Every instance has the old arguments and the old launch, whatever the machine does."""
        launches = [f"replays+{name}{launch}" for name in ("reached", "missed") for launch in LAUNCHES]
        self.all_forbidden("update-ignored", ["replays+changed", *launches])
        self.all_forbidden("launch-kept", launches)

    def test_arguments_beside_a_launch(self):
        """Both are changed by one call."""
        self.write("both.litmus", BOTH)
        # inconclusive, as nothing else is allowed
        found = self.results("-n", "1M", "both.litmus", status=(0, 3))["both"]
        self.assertEqual(found["verdict"], "pass", found)
        found = self.results("-n", "1M", "both.litmus", above=(PLANTS,), status=None, OCLMM_PLANT="launch-kept")["both"]
        self.assertEqual(found["verdict"], "forbidden", found)

    def test_update_of_what_is_enqueued(self):
        """No instance has the arguments of the first replay, which is played after they are changed."""
        found = self.results("-n", "1M", "replays+pending", status=None, OCLMM_MUTABLE_LATE="1")["replays+pending"]
        self.assertEqual(found["verdict"], "forbidden")
        self.assertEqual(found["forbidden"], found["instances"])

    def test_several_queues(self):
        """Sync points that are lost show, and so does an event that is that of the first queue alone."""
        self.see_plants({"sync-point-ignored": ("recorded+queues",)}, PLANTS, ("4M", "16M", "64M"))
        missed = True
        for instances in ("4M", "16M", "64M"):
            if missed:
                line = self.results("-n", instances, "replay+queues", status=None, OCLMM_MUTABLE_LACK="event")["replay+queues"]
                missed = line["verdict"] != "forbidden"
        self.assertFalse(missed)
        for name in QUEUES:
            self.assertEqual(self.exported(name)[0], SILENT_FILE, name)
        out, _ = self.run_program("run", "-n", "1M", *QUEUES, status=77,
                                  environment=self.environment(OPENCL_LAYERS=MUTABLE, OCLMM_MUTABLE_LACK="queues"))
        self.assertIn("cl_khr_command_buffer_multi_device", " ".join(out.split()))
        status, text = self.exported("recorded+queues", OCLMM_MUTABLE_LACK="queues")
        self.assertEqual((status, text.splitlines()[-1]), (77, "the device has no command buffers for several queues"))

    def test_driver_without_it(self):
        """A device that cannot change arguments skips them by name, whatever the driver below the layer has."""
        out, _ = self.run_program("run", "-n", "1M", "replays+changed", status=77,
                                  environment=self.environment(OPENCL_LAYERS=MUTABLE, OCLMM_MUTABLE_LACK="arguments"))
        self.assertIn("cl_khr_command_buffer_mutable_dispatch", " ".join(out.split()))

    def test_driver_that_changes_arguments_alone(self):
        """What of a launch cannot be changed is asked of no driver."""
        for launch, lacking in LAUNCHES.items():
            environment = self.environment(OPENCL_LAYERS=MUTABLE, OCLMM_MUTABLE_LACK=lacking)
            out, _ = self.run_program("run", "-n", "1M", f"replays+reached{launch}", status=77, environment=environment)
            self.assertIn("cl_khr_command_buffer_mutable_dispatch of offsets and sizes", " ".join(out.split()))
            self.results("-n", "1M", "replays+changed", status=(0, 3), OCLMM_MUTABLE_LACK=lacking)

    def test_driver_that_lacks_the_function(self):
        out, err = self.run_program("run", "-n", "1M", "replays+changed", status=99, environment=self.environment(
            OPENCL_LAYERS=MUTABLE, OCLMM_MUTABLE_LACK="clUpdateMutableCommandsKHR"))
        self.assertIn("the driver claims cl_khr_command_buffer_mutable_dispatch and lacks clUpdateMutableCommandsKHR",
                      " ".join((out + err).split()))

    def exported(self, name, *above, **environment):
        """How a test ends as a file of its own: 0 where nothing is seen that it forbids, 1 where something is."""
        self.run_program("export", "--no-search", "-o", "changed.c", name)
        folder = self.folder
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "changed.c", "-lOpenCL", "-o", "changed"],
                       cwd=folder, check=True, timeout=300)
        ran = subprocess.run([os.path.join(folder, "changed"), "", "50"], cwd=folder, check=False, timeout=500, capture_output=True,
                             text=True, env=self.layered((MUTABLE, *above), **environment))
        return ran.returncode, ran.stdout + ran.stderr

    def test_export(self):
        """A file changes arguments and launches as a run does, and sees where that does nothing."""
        for name in "replays+changed", "replays+pending":
            self.assertEqual(self.exported(name)[0], SILENT_FILE, name)
        self.assertEqual(self.exported("replays+changed", PLANTS, OCLMM_PLANT="update-ignored")[0], SEEN_FILE)
        for launch in LAUNCHES:
            for name in f"replays+reached{launch}", f"replays+missed{launch}":
                self.assertEqual(self.exported(name)[0], SILENT_FILE, name)
                self.assertEqual(self.exported(name, PLANTS, OCLMM_PLANT="launch-kept")[0], SEEN_FILE, name)

    def test_export_with_arguments_beside_a_launch(self):
        self.write("both.litmus", BOTH)
        self.assertEqual(self.exported("both.litmus")[0], SILENT_FILE)
        self.assertEqual(self.exported("both.litmus", PLANTS, OCLMM_PLANT="launch-kept")[0], SEEN_FILE)

    def test_export_where_a_driver_lacks_something(self):
        cannot = "the device cannot change such kernels between replays"
        for name, lacking, said in (("replays+changed", "clUpdateMutableCommandsKHR",
                                     "the device lacks clUpdateMutableCommandsKHR"),
                                    ("replays+changed", "arguments", cannot), ("replays+reached", "size", cannot),
                                    ("replays+reached.launch=offset", "offset", cannot),
                                    ("replays+missed.launch=local", "local", cannot)):
            status, text = self.exported(name, OCLMM_MUTABLE_LACK=lacking)
            self.assertEqual((status, text.splitlines()[-1]), (77, said), name)


if __name__ == "__main__":
    layer_case.main()
