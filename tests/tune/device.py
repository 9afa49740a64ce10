# SPDX-License-Identifier: Apache-2.0
"""oclmm tune, and oclmm run with what it found, on a device; skipped (77) where there is none."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time

LAYER = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
from common import SB, SuiteCase  # noqa: E402

FEW = ("--instances", "20000", "--seed", "7")
# Any launch will do: what is tested is that it is taken as it stands.
TUNED = "groups=2 lanes=3 rounds=1000 stride=2 flip_groups=1 count_lanes=4 count_each=8"
OTHER = "groups=5 lanes=2 rounds=500 count_lanes=2 count_each=4"


class TuneCase(SuiteCase):
    def device(self):
        return self.lines_of_json(self.run_program("devices", "--json")[0])[0]

    def profiles(self):
        return sorted((self.folder / "data").rglob("*.profile"))

    def profile(self, *environments, driver=None, shape="WaRb-WbRa.01.g"):
        device = self.device()
        lines = ["oclmm-profile 1", f"platform {device['platform']}", f"device {device['name']}",
                 f"driver {driver or device['driver']}", f"shape {shape}", "test SB",
                 "date 2026-01-31T12:00:00Z", "seed 1", "seconds 1", "candidates 2", "showing 1", "weak 2",
                 "weak-default 1", "instances 3"]
        return "\n".join(lines + [f"environment {e}" for e in environments]) + "\n"

    def install(self, text):
        """Puts a profile where oclmm run looks for it; oclmm tune says where that is."""
        out, _ = self.run_program("tune", "--list")
        folder = re.search(r"(?m)profiles? in\s+(.*)$", out).group(1)
        path = self.folder / "data" / os.path.relpath(folder, self.folder / "data")
        path.mkdir(parents=True, exist_ok=True)
        (path / "one.profile").write_text(text)
        return path / "one.profile"

    def records(self, *arguments, status=(0, 3)):
        out, err = self.run_program("run", "--format", "json", *FEW, *arguments, status=status)
        return {r["test"]: r for r in self.lines_of_json(out) if r["type"] == "test"}, err


class Tune(TuneCase):
    def test_finds_and_run_uses_it(self):
        out, _ = self.run_program("tune", "SB", "--seconds", "3", "--environments", "6", "--seed", "5", "--output", "found.jsonl")
        self.assertRegex(out, r"(?m)^(tuned|defaults|silent) +SB(  .*)?$")
        found = self.lines_of_json(self.read("found.jsonl"))[0]
        self.assertEqual((found["test"], found["shape"]), ("SB", "WaRb-WbRa.01.g"))
        self.assertEqual(found["forbidden"], 0)
        self.assertGreaterEqual(found["candidates"], found["showing"])
        self.assertGreater(found["candidates"], 0)
        self.assertEqual(found["weak"] > 0, found["to_first"] is not None)
        self.assertEqual(found["showing"] > 0, found["weak"] > 0)
        self.assertEqual(len(self.profiles()), found["end"] == "tuned")
        # how much the controls show is the machine's
        records, err = self.records(status=(0, 3))
        if found["end"] == "tuned":
            self.assertGreater(found["tuned"]["weak"], found["default"]["weak"])
            self.assertIn("environments tuned for 1 shape", err)
            for name in ("SB", "SB.order=sc"):
                self.assertEqual(records[name]["environment"], "; ".join(found["environments"]))
            listed, _ = self.run_program("tune", "--list")
            self.assertRegex(listed, r"(?m)^WaRb-WbRa\.01\.g +SB$")
            # what is there already takes part the next time
            self.run_program("tune", "SB", "--seconds", "0.5", "--environments", "2", "--seed", "6")

    def test_environments_of_another_device_take_part(self):
        self.write("there/one.profile", self.profile(TUNED))
        self.run_program("tune", "SB", "--seconds", "0.5", "--environments", "0", "--with", "there",
                         "--output", "found.jsonl")
        known = {k["environment"]: k for k in self.lines_of_json(self.read("found.jsonl"))[0]["known"]}
        self.assertEqual(known[TUNED]["origin"], "given")
        # null where a busy machine left no time for it
        self.assertNotEqual(known[TUNED]["instances"], 0)
        self.assertIn("default", {k["origin"] for k in known.values()})
        self.run_program("tune", "SB", "--with", "nowhere", status=2)

    def test_the_legend_explains_the_table(self):
        """Each column of the table and each word that a shape may end with."""
        out, _ = self.run_program("tune", "SB", "--seconds", "0.3", "--environments", "2", "--dry-run")
        legend = {words: meaning for words, meaning in re.findall(r"(?m)^  (\S.*?) {2,}(\S.*)$", out)}
        [head] = re.findall(r"(?m)^ +weak/s default .*$", out)
        columns = re.split(r" +", head.strip().replace("to ", "to_"))
        explained = {words.replace("to ", "to_") for words in legend}
        self.assertEqual(set(columns) - explained, set())
        self.assertEqual({"tuned", "defaults", "silent", "skip"} - explained, set())

    def test_dry_run_writes_nothing(self):
        self.run_program("tune", "SB", "--seconds", "0.3", "--environments", "2", "--dry-run")
        self.assertEqual(self.profiles(), [])

    def test_the_weakest_of_a_shape_stands_for_it(self):
        out, _ = self.run_program("tune", "SB.order=sc", "SB", "--seconds", "0.2", "--environments", "0", "--dry-run")
        self.assertEqual(re.findall(r"(?m)^\w+ +(SB\S*)(?:  .*)?$", out), ["SB"])

    def test_show_says_what_run_will_do(self):
        out, _ = self.run_program("tune", "--show", "SB", "RACE")
        self.assertRegex(out, r"(?m)^SB: shape WaRb-WbRa\.01\.g, the defaults$")
        environments = re.findall(r"(?m)^    (.*)$", out[out.index("SB: shape"):])
        records, _ = self.records("SB")
        shown = records["SB"]["environment"].split("; ")
        self.assertEqual(environments[:len(shown)], shown)
        self.install(self.profile(TUNED))
        out, _ = self.run_program("tune", "--show", "SB")
        self.assertIn("one.profile", out)
        self.assertIn(f"    {TUNED}\n", out)

    def test_usage(self):
        for arguments in (("--seconds", "0"), ("--environments", "1001"), ("--list", "SB"), ("--list", "--show"),
                          ("nonsense",), ("--device", "no such device", "SB")):
            self.run_program("tune", *arguments, status=2)

    def test_folder_that_cannot_be_written(self):
        self.write("file", "")
        environment = self.environment()
        environment["XDG_DATA_HOME"] = str(self.folder / "file")
        out, err = self.run_program("tune", "SB", status=99, environment=environment)
        self.assertIn(str(self.folder / "file"), err)
        self.assertEqual(out, "", "found out before minutes are spent")
        _, err = self.run_program("tune", "SB", "--output", "no/such/file", status=99)
        self.assertIn("no/such/file", err)

    def start(self):
        """A search that is under way."""
        process = subprocess.Popen([common.PROGRAM, "tune", "SB", "--seconds", "60"], cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        while "compiling" not in process.stdout.readline():
            self.assertIsNone(process.poll())
        return process

    def test_killed_in_the_middle(self):
        path = self.install(self.profile(TUNED))
        before = path.read_bytes()
        process = self.start()
        process.kill()
        process.wait(60)
        self.assertEqual(path.read_bytes(), before)
        records, _ = self.records("SB")
        self.assertEqual(records["SB"]["environment"], TUNED)

    def test_interrupted(self):
        process = self.start()
        # into the search, most likely; before it, the table has no line
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=common.PATIENCE)
        self.assertEqual(process.returncode, 99)
        self.assertRegex(out, r"\A(interrupted +SB\n(.*\n)?)?\Z")
        self.assertEqual(self.profiles(), [])


class Run(TuneCase):
    def test_records_say_the_defaults(self):
        records, err = self.records()
        self.assertNotIn("tuned", err)
        for name, record in records.items():
            self.assertRegex(record["environment"], r"^groups=\d+ lanes=\d+ rounds=\d+ ", name)

    def test_profile_of_the_device(self):
        self.install(self.profile(TUNED, OTHER))
        records, err = self.records()
        self.assertIn("environments tuned for 1 shape", err)
        for name in ("SB", "SB.order=sc"):
            self.assertEqual(records[name]["environment"], f"{TUNED}; {OTHER}")
        default, err = self.records("--no-profile")
        self.assertNotIn("tuned", err)
        self.assertNotEqual(default["SB"]["environment"], records["SB"]["environment"])
        # the nearest shape serves where threads, placement and spaces are the same …
        self.assertEqual(records["RACE"]["environment"], f"{TUNED}; {OTHER}")
        # … and none where they are not
        self.write("litmus/relaxed/NEAR.litmus", SB.replace("OPENCL SB", "OPENCL NEAR").replace("@wg 1", "@wg 0"))
        records, _ = self.records("NEAR")
        default, _ = self.records("--no-profile", "NEAR")
        self.assertEqual(records["NEAR"]["environment"], default["NEAR"]["environment"])

    def test_profile_by_path_beside_a_profile_of_tests(self):
        self.install(self.profile(OTHER))
        self.write("litmus/profiles/small", "SB\n")
        self.write("here.profile", self.profile(TUNED))
        self.write("small", "this is no profile")
        records, err = self.records("--profile", "small", "--profile", "here.profile")
        self.assertEqual(list(records), ["SB"])
        self.assertEqual(records["SB"]["environment"], TUNED)
        self.assertIn("here.profile", err)
        self.run_program("run", "--profile", "./no.profile", "SB", status=2)
        self.run_program("run", "--profile", "here.profile", "--no-profile", "SB", status=2)
        self.run_program("run", "--profile", "here.profile", "--environment", TUNED, "SB", status=2)

    def test_damaged_profile(self):
        path = self.install(self.profile(TUNED).replace("stride=2", "strode=2"))
        _, err = self.run_program("run", *FEW, "SB", status=2)
        self.assertRegex(err, rf"{re.escape(str(path))}:15:\d+: error: .*strode")
        self.assertIn("^", err)
        self.assertIn("--no-profile", err)
        self.run_program("run", *FEW, "--no-profile", "SB", status=3)

    def test_other_driver_and_other_device(self):
        self.install(self.profile(TUNED, driver="0.0.1"))
        records, err = self.records("SB")
        self.assertIn("tuned with driver 0.0.1", err)
        self.assertEqual(records["SB"]["environment"], TUNED)
        self.write("far.profile", self.profile(TUNED).replace(f"device {self.device()['name']}", "device Far"))
        _, err = self.records("--profile", "far.profile", "SB")
        self.assertIn("another device, Far", err)

    def test_given_environments(self):
        self.install(self.profile(OTHER))
        records, _ = self.records("--environment", f"{TUNED};{OTHER}")
        self.assertEqual({r["environment"] for r in records.values()}, {f"{TUNED}; {OTHER}"})
        _, err = self.run_program("run", "--environment", "groups=2 lanse=1", "SB", status=2)
        self.assertRegex(err, r"--environment:1:10: error: .*lanse")
        out, _ = self.run_program("run", *FEW, "--environment", "groups=1", "SB", status=77)
        self.assertIn("the test needs at least 2 groups", common.joined(out))

    def test_few_groups(self):
        """Launches of one environment with other numbers of groups, wider ones as on a GPU: all are counted, none is lost. Of 32 launches
        four have two groups of 64, which play 64 rounds, and no more, where 512 of one work-item play 32."""
        few = "groups=512 lanes=1 rounds=32 shuffle_locations=50 count_lanes=64 count_each=16 few_groups=64"
        records, _ = self.records("--environment", few, "SB", "SB.order=sc")
        for record in records.values():
            self.assertEqual(record["environment"], few)
            self.assertEqual((record["launches"], record["instances"]), (32, 28 * 512 * 32 + 4 * 2 * 64 * 64))

    def test_sizes(self):
        """Launches of some sizes alone: those that a test has, or else its own are changed; a replay asks for the same."""
        records, _ = self.records("--sizes", "groups=16", "SB", "SB.order=sc")
        for text in {r["environment"] for r in records.values()}:
            for environment in text.split("; "):
                self.assertRegex(environment, r"^groups=16 ")
        records, _ = self.records("--sizes", "lanes=40-44 groups=-2", "SB")
        for environment in records["SB"]["environment"].split("; "):
            self.assertRegex(environment, r"^groups=2 lanes=4[0-4] ")
            self.assertNotIn("few_groups", environment)
            self.assertNotIn("stress_groups", environment)
        out, _ = self.run_program("run", *FEW, "--sizes", "groups=1", "SB", status=77)
        self.assertIn("the test needs at least 2 groups", common.joined(out))
        _, err = self.run_program("run", "--sizes", "groups=16 lanes=4-2", "SB", status=2)
        self.assertRegex(err, r"--sizes:1:17: error: numbers are")
        self.assertIn("                ^~~", err)
        self.run_program("run", "--sizes", "groups=16", "--environment", TUNED, "SB", status=2)
        self.forbid_the_strong()
        out, _ = self.run_program("run", *FEW, "--sizes", "groups=16", "SB", status=1)
        replay = re.search(r"replay: .*\boclmm (run .*)$", out, re.M).group(1)
        self.assertIn("--sizes groups=16 ", replay)
        again, _ = self.run_program(*shlex.split(replay), status=1)
        stimulus = re.findall(r"stimulus ([0-9a-f]+)\n    replay", out + again)
        self.assertEqual(len(stimulus), 2)
        self.assertEqual(stimulus[0], stimulus[1])

    def test_replay_outlives_the_profile(self):
        self.forbid_the_strong()
        path = self.install(self.profile(TUNED, OTHER))
        out, _ = self.run_program("run", *FEW, "SB", status=1)
        replay = re.search(r"replay: .*\boclmm (run .*)$", out, re.M).group(1)
        self.assertIn(f"--environment '{TUNED}; {OTHER}'", replay)
        path.write_text(self.profile("groups=64 lanes=1 rounds=64"))
        again, _ = self.run_program(*shlex.split(replay), status=1)
        stimulus = re.findall(r"stimulus ([0-9a-f]+)\n    replay", out + again)
        self.assertEqual(len(stimulus), 2)
        self.assertEqual(stimulus[0], stimulus[1])

    def test_replay_of_the_defaults_outlives_them(self):
        self.forbid_the_strong()
        out, _ = self.run_program("run", *FEW, "SB", status=1)
        replay = re.search(r"replay: .*\boclmm (run .*)$", out, re.M).group(1)
        self.install(self.profile(TUNED))
        again, _ = self.run_program(*shlex.split(replay), status=1)
        stimulus = re.findall(r"stimulus ([0-9a-f]+)\n    replay", out + again)
        self.assertEqual(stimulus[0], stimulus[1])

    def test_resume_in_other_environments(self):
        # few launches, of which the control's may show enough
        self.run_program("run", *FEW, "--resume", "run.jsonl", "SB", "SB.order=sc", status=(0, 3))
        text = self.read("run.jsonl")
        self.write("run.jsonl", "".join(text.splitlines(keepends=True)[:2]))
        path = self.install(self.profile(TUNED))
        _, err = self.run_program("run", *FEW, "--resume", "run.jsonl", "SB", "SB.order=sc", status=2)
        self.assertRegex(err, r"run\.jsonl:2: .*other environments")
        path.unlink()
        self.run_program("run", *FEW, "--resume", "run.jsonl", "SB", "SB.order=sc", status=(0, 3))


class Faults(TuneCase):
    def setUp(self):
        super().setUp()
        if not LAYER:
            self.skipTest("no layer that fails on demand")

    def tune(self, fault, status, once=False, timeout="20"):
        self.write("litmus/relaxed/SB.litmus", re.sub(r"\bx\b", f"fault_{fault}", SB))
        environment = self.environment(OPENCL_LAYERS=LAYER)
        if once:
            environment["OCLMM_FAULT_ONCE"] = str(self.folder / "once")
        return self.run_program("tune", "SB", "--seconds", "0.5", "--environments", "4", "--timeout", timeout,
                                status=status, environment=environment)

    def test_a_crash_costs_one_environment(self):
        out, err = self.tune("crash", 0, once=True)
        self.assertIn("its environment is out", err)
        self.assertRegex(out, r"(?m)^(tuned|defaults|silent) +SB(  .*)?$")

    def test_a_driver_that_always_crashes(self):
        out, _ = self.tune("crash", 99)
        self.assertRegex(out, r"(?m)^failed +SB .*signal 11")
        self.assertEqual(self.profiles(), [])

    def test_a_compiler_that_refuses(self):
        out, _ = self.tune("build", 77)
        self.assertRegex(out, r"(?m)^skip +SB .*refuses the kernel")


if __name__ == "__main__":
    common.main_on_device()
