# SPDX-License-Identifier: Apache-2.0
"""oclmm planted on a small suite: what is killed, what is not, and what that comes to."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

LAYER, REFUSING = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
from common import SuiteCase  # noqa: E402

# Undefined, for the functions reach no further than one work-group: sums other than 2 are outside
# what can be, and each such instance is counted by an atomic function.
ADDS = """OPENCL ADDS

"Two additions from two work-groups: may one be lost?"

(* Result: Undefined *)

{ [x] = 0; }

P0@wg 0, dev 0 (global int *x) { int r0 = atomic_add(x, 1); }

P1@wg 1, dev 0 (global int *x) { int r0 = atomic_add(x, 1); }

exists ([x]=1)
"""
# A plant is killed as soon as two work-groups run at the same time often enough, for which a busy machine may need minutes; an idle
# one needs a second, and then it ends.
PATIENT = ("--seconds", "300")
# Where the relaxed test shows its outcome the device can show the plants.
KILLED = ("--plant", "all-relaxed", "--plant", "sc-to-acq-rel", *PATIENT)
# PoCL makes the same machine code of all scopes.
SURVIVES = ("--plant", "scope-narrowed", "--seconds", "3")
FEW = ("--instances", "300000", "SB*")


class Planted(SuiteCase):
    def setUp(self):
        super().setUp()
        (self.folder / "litmus/race/RACE.litmus").unlink()

    def planted(self, *arguments, status=0, **more):
        out, err = self.run_program("planted", *arguments, status=status, environment=self.environment(**more))
        return self.lines_of_json(out) if "--json" in arguments else out, err

    def test_killed(self):
        lines, _ = self.planted(*KILLED, "--json", "--output", "matrix.jsonl", *FEW)
        self.assertEqual(lines, self.lines_of_json(self.read("matrix.jsonl")))
        self.assertEqual([line["type"] for line in lines], ["planted", "plant", "plant", "plant", "score"])
        none, relaxed, acq_rel = lines[1:4]
        self.assertEqual((none["plant"], none["result"], none["places"]), ("none", "clean", 0))
        for plant in (relaxed, acq_rel):
            self.assertEqual(plant["result"], "killed")
            kill = plant["kills"][0]
            self.assertEqual(kill["test"], "SB.order=sc")
            self.assertGreater(kill["forbidden"], 0)
            self.assertAlmostEqual(kill["rate"], kill["forbidden"] / kill["instances"])
            self.assertGreater(plant["places"], 0)
        self.assertEqual((lines[4]["killed"], lines[4]["able"], lines[4]["exit"]), (2, 2, 0))

    def test_named_like_a_folder(self):
        """What can show a plant is a test, and not the family that has its name."""
        fence = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);"
        sides = ("x", "y"), ("y", "x")
        self.write("litmus/some/FENCES.litmus", 'OPENCL FENCES\n"Fences?"\n(* Result: Never *)\n{ [x] = 0; [y] = 0; }\n' +
                   "".join(f"""P{i}@wg {i}, dev 0 (global atomic_int *x, global atomic_int *y) {{
  atomic_store_explicit({mine}, 1, memory_order_relaxed, memory_scope_device);
  {fence}
  int r0 = atomic_load_explicit({other}, memory_order_relaxed, memory_scope_device);
}}
""" for i, (mine, other) in enumerate(sides)) + "exists (0:r0=0 /\\ 1:r0=0)\n")
        self.write("litmus/FENCES/ADDS.litmus", ADDS)
        lines, _ = self.planted("--plant", "fence-removed", *PATIENT, "--json", "--instances", "300000", "FENC*",
                                status=None)
        self.assertEqual([line for line in lines if line["type"] == "plant"][1]["result"], "killed")

    def test_going_on(self):
        """A matrix that was cut short goes on with what it has, is shown again, and is another's no more."""
        lines, _ = self.planted(*KILLED, "--json", "--output", "matrix.jsonl", *FEW)
        text = self.read("matrix.jsonl")
        # as if it had been ended within the second plant's line
        self.write("matrix.jsonl", text[:text.rindex('{"type":"plant"') + 30])
        # no time is left for it
        out, _ = self.planted(*KILLED, "--budget", "0.000001", "--resume", "matrix.jsonl", *FEW, status=4)
        self.assertRegex(out, r"(?m)^all-relaxed +killed")
        self.assertNotRegex(out, r"(?m)^sc-to-acq-rel ")
        again, _ = self.planted(*KILLED, "--json", "--resume", "matrix.jsonl", *FEW)
        self.assertEqual(again[:3], lines[:3])
        self.assertEqual((again[3]["plant"], again[3]["result"], again[4]["killed"]), ("sc-to-acq-rel", "killed", 2))
        self.assertEqual(again, self.lines_of_json(self.read("matrix.jsonl")))
        shown, _ = self.planted("--render", "matrix.jsonl", "--json")
        self.assertEqual(shown, again)
        out, _ = self.planted("--render", "matrix.jsonl", "--table")
        self.assertIn("| orders and scopes | 2 | 0 | 2 | 100.0 % |", out)
        _, err = self.planted(*KILLED, "--seed", "2", "--resume", "matrix.jsonl", *FEW, status=2)
        self.assertIn("was begun with other tests", err)
        self.check_full_disk(self.read("matrix.jsonl"))
        self.write("matrix.jsonl", "{}\n")
        _, err = self.planted("--render", "matrix.jsonl", status=2)
        self.assertIn("matrix.jsonl:1:1: error: this is no matrix of planted bugs", err)

    def check_full_disk(self, text):
        """What is gone on with stays what it was where nothing can be written."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        result = subprocess.run([common.PROGRAM, "planted", *KILLED, "--resume", "matrix.jsonl", *FEW], cwd=self.folder,
                                env=self.environment(), capture_output=True, text=True, timeout=common.PATIENCE, preexec_fn=limit)
        self.assertEqual(result.returncode, 99, result.stderr)
        self.assertIn("cannot write matrix.jsonl", result.stderr)
        self.assertEqual(self.read("matrix.jsonl"), text)

    def test_interrupted_while_it_asks_the_model(self):
        """What is told stands, and the rest is counted: all plants and all tests would take minutes."""
        with subprocess.Popen([common.PROGRAM, "planted", "--able", "--each", "*"], env=self.environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            first = process.stdout.readline()
            process.terminate()
            rest, err = process.communicate(timeout=common.PATIENCE)
        self.assertEqual(process.returncode, 99, err)
        for line in [first, *rest.splitlines(True)]:
            self.assertRegex(line, r"^\S+ +\d+ able +\d+ changed  .*\n$")
        self.assertRegex(err, r"^oclmm: interrupted: \d+ plants not looked at\n$")

    def test_a_disk_that_fills(self):
        """Nothing more is tried, and the status is that of what could not be written."""
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or not shutil.which("mount") or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=4k", "none", disk], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("needs to mount a small file system")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        # what no text here has is not even tried, so that each takes no time
        out, _ = self.run_program("planted", "--able", "SB", status=None)
        names = re.findall(r"(?m)^(\S+) +0 able +0 changed", out)[:14]
        plants = [word for name in names for word in ("--plant", name)]
        out, err = self.planted(*plants, "--output", "disk/m.jsonl", "--instances", "20000", "SB", status=99)
        self.assertIn("cannot write disk/m.jsonl: No space left on device", err)
        told = re.search(r"oclmm: (\d+) plants not tried; --resume goes on", err)
        self.assertIsNotNone(told, err)
        lines = [json.loads(line) for line in self.read("disk/m.jsonl").splitlines(keepends=True) if line.endswith("\n")]
        written = [line for line in lines if line["type"] == "plant" and line["plant"] != "none"]
        self.assertGreater(len(written), 3)
        # the one at which the disk was full was tried
        self.assertEqual(len(written) + 1 + int(told[1]), len(names))
        shutil.copy(disk / "m.jsonl", self.folder / "moved.jsonl")
        self.planted(*plants, "--resume", "moved.jsonl", "--instances", "20000", "SB", status=1)
        self.assertEqual(sum(line["type"] == "plant" for line in self.lines_of_json(self.read("moved.jsonl"))),
                         len(names) + 1)

    def test_a_bug_of_the_device(self):
        """A test that fails without a plant tells nothing of one: it is left out, and the others go on."""
        plant = ("--plant", "all-relaxed", "--json")
        lines, _ = self.planted(*plant, *PATIENT, *FEW)
        bug = {"result": "killed", "kills": lines[2]["kills"]}
        self.write("matrix.jsonl", "".join(json.dumps(line) + "\n" for line in (lines[0], lines[1] | bug)))
        more = (*plant, "--seconds", "2", "--resume", "matrix.jsonl")
        again, err = self.planted(*more, *FEW, status=1)
        self.assertIn("1 test showed something forbidden without a plant: left out", err)
        self.assertEqual([line["plant"] for line in again[1:3]], ["none", "all-relaxed"])
        self.assertNotEqual(again[2]["result"], "killed")
        # a file runs as a whole
        self.write("matrix.jsonl", "".join(json.dumps(line) + "\n" for line in (lines[0], lines[1] | bug)))
        again, err = self.planted(*more, *FEW[:2], "litmus/relaxed/SB.litmus", status=1)
        self.assertIn("nothing else is tried", err)
        self.assertEqual(len(again), 3)

    def test_a_crash_of_the_device(self):
        """A test that crashes without a plant is left out of the plants' runs, and costs no other."""
        plant = ("--plant", "all-relaxed", "--json")
        lines, _ = self.planted(*plant, *PATIENT, *FEW)
        killer = lines[2]["kills"][0]["test"]
        other = next(name for name in self.run_program("list", FEW[-1])[0].split() if name != killer)
        crash = {"result": "noticed", "broken": 1, "broken_test": f"{other}: crash"}
        for more, status in ({"broken_tests": [other]}, 0), ({"broken_tests": [killer]}, 1), ({}, 99):
            self.write("matrix.jsonl", "".join(json.dumps(line) + "\n" for line in (lines[0], lines[1] | crash | more)))
            # without the killer nothing is killed, however long it takes
            time = ("--seconds", "4") if status == 1 else PATIENT
            again, err = self.planted(*plant, *time, "--resume", "matrix.jsonl", *FEW, status=status)
            self.assertEqual("1 test could not be run to the end without a plant: left out" in err, bool(more), err)
            self.assertEqual(again[1].get("broken_tests"), more.get("broken_tests"))
            kills = [kill["test"] for kill in again[2]["kills"]]
            self.assertNotIn(more.get("broken_tests", [""])[0], kills)
            self.assertEqual(again[2]["result"] == "killed", status != 1)

    def test_a_crash_of_the_device_under_a_rule(self):
        """What is drawn has no run of all tests without a plant: a test that is not run to its end is tried without it."""
        self.write("litmus/some/WIDE.litmus", common.SB.replace("OPENCL SB", "OPENCL WIDE").replace("atomic_int ", "atomic_uint ").replace(
            "vary order: memory_order_relaxed => memory_order_seq_cst\n", "").replace("Sometimes", "Never").replace("_relaxed", "_seq_cst"))
        rule = "--plant", self.drawn("sc-to-acq-rel"), "--json"
        told = "oclmm: WIDE could not be run to the end without a plant: left out"
        # the program of one test alone is refused, planted or not: nothing can be said of the bug
        under = {"OPENCL_LAYERS": REFUSING, "OCLMM_REFUSED": "atomic_uint"}
        lines, err = self.planted(*rule, "--seconds", "30", "--resume", "wide.jsonl", *FEW[:2], "SB", "WIDE", **under)
        self.assertIn(told, err)
        self.assertEqual([lines[2][key] for key in ("result", "tests", "left_out", "broken", "broken_test", "refused")],
                         ["lacking", 0, 1, 0, None, 0])
        self.assertEqual((lines[-1]["able"], lines[-1]["exit"]), (0, 0))
        out, _ = self.planted("--render", "wide.jsonl")
        self.assertIn("1 test left out: not run to the end without the plant either", out)
        # it costs no other
        lines, _ = self.planted(*rule, *PATIENT, *FEW, "WIDE", **under)
        self.assertEqual((lines[2]["result"], [kill["test"] for kill in lines[2]["kills"]]), ("killed", ["SB.order=sc"]))
        # where the change alone is refused, the test is not left out
        lines, err = self.planted(*rule, "--seconds", "2", *FEW[:2], "SB", "WIDE", status=1, OPENCL_LAYERS=REFUSING,
                                  OCLMM_REFUSED="memory_order_release")
        self.assertNotIn(told, err)
        self.assertEqual((lines[2]["result"], lines[2]["left_out"]), ("refused", 0))

    def test_able(self):
        """Which tests can show a plant, without a device."""
        alone = {"OCL_ICD_VENDORS": str(self.folder)}
        out, _ = self.planted("--able", "--plant", "all-relaxed", *FEW[2:], **alone)
        self.assertRegex(out, r"(?m)^all-relaxed +1 able +1 changed +SB.order=sc$")
        # all of them, each with the part of what it may then show that it forbids: one state of four
        drawn = self.drawn("sc-to-acq-rel")
        out, _ = self.planted("--able", "--all", "--plant", drawn, *FEW[2:], **alone)
        self.assertRegex(out, rf"^{drawn} +1 able +1 changed +SB.order=sc\n +SB.order=sc +0\.250\n$")
        # what found such a bug before comes first
        self.write("litmus/some/TWIN.litmus", common.SB.replace("OPENCL SB", "OPENCL TWIN").replace(
            "vary order: memory_order_relaxed => memory_order_seq_cst\n", "").replace("Sometimes", "Never").replace("_relaxed", "_seq_cst"))
        for found, names in ("", ["SB.order=sc", "TWIN"]), ("# known\nTWIN torn sc-to-acq-rel\n", ["TWIN", "SB.order=sc"]):
            self.write("litmus/planted/first", found)
            out, _ = self.planted("--able", "--all", "--plant", drawn, FEW[2], "TWIN", **alone)
            self.assertEqual(re.findall(r"(?m)^ +(\S+) +0\.250$", out), names)
        # a plant of calls that no test has, and one that makes nothing weaker
        out, _ = self.planted("--able", "--plant", "all-relaxed@load,64", *FEW[2:], status=1, **alone)
        self.assertRegex(out, r"(?m)^all-relaxed@load,64 +0 able +0 changed +-$")
        out, _ = self.planted("--able", "--plant", "sc-to-acq-rel@load,local", *FEW[2:], status=1, **alone)
        self.assertIn(" 0 able", out)
        # an update that gives up late needs several others of one object
        order = "memory_order_relaxed, memory_scope_device"
        adds = f"  atomic_fetch_add_explicit(x, 1, {order});\n"
        for name, count in ("ONE", 1), ("THREE", 3):
            self.write(f"litmus/rmw/{name}.litmus", f'OPENCL {name}\n"Lost?"\n(* Result: Never *)\n' +
                       f"vary split: {adds.strip()} => \"two\" atomic_store_explicit(x, atomic_load_explicit(x, {order}) "
                       f"+ 1, {order});\ncontrol split=two\n{{ [x] = 0; }}\nP0@wg 0, dev 0 (global atomic_int *x) {{\n{adds}}}\n"
                       f"P1@wg 1, dev 0 (global atomic_int *x) {{\n{adds * count}}}\nexists ([x]!={1 + count})\n")
        out, _ = self.planted("--able", "--plant", "no-retry", "--plant", "no-retry:2", "ONE", "THREE", **alone)
        self.assertRegex(out, r"(?m)^no-retry +2 able +\d+ changed +ONE$")
        self.assertRegex(out, r"(?m)^no-retry:2 +0 able +\d+ changed +THREE$")
        # and one that stores what it expects has to expect it
        for name, desired in ("OTHER", 1), ("SAME", 0):
            swap = f"int e = 0; atomic_compare_exchange_strong_explicit(x, &e, {desired}, memory_order_relaxed, {order});"
            self.write(f"litmus/rmw/{name}.litmus", f'OPENCL {name}\n"Two?"\n(* Result: Never *)\n' +
                       f"vary by: {swap} => \"two\" atomic_store_explicit(x, {desired}, {order});\ncontrol by=two\n" +
                       f"{{ [x] = 0; }}\nP0@wg 0, dev 0 (global atomic_int *x) {{ {swap} }}\nexists ([x]=7)\n")
        out, _ = self.planted("--able", "--plant", "same-to-load", "OTHER", "SAME", **alone)
        self.assertRegex(out, r"(?m)^same-to-load +0 able +\d+ changed +SAME$")

    def test_hopeless(self):
        """What no test can show is not run."""
        lines, _ = self.planted("--plant", "all-relaxed@load,64", "--plant", "all-relaxed@store,32", *PATIENT,
                                "--json", *FEW, status=1)
        self.assertEqual([(line["result"], line["tests"] > 0) for line in lines[2:4]],
                         [("untouched", False), ("killed", True)])

    def test_run_alone(self):
        """The gate itself, with the layer put in by hand."""
        name = "SB.order=sc"
        self.run_program("run", name, environment=self.environment(OPENCL_LAYERS=LAYER, OCLMM_PLANT="none"), status=(0, 3))
        for _ in range(20):
            out, _ = self.run_program("run", name, status=None, environment=self.environment(
                OPENCL_LAYERS=LAYER, OCLMM_PLANT="all-relaxed"))
            if "!! forbidden" in out:
                return
        self.fail("seq_cst made relaxed never showed")

    def test_many(self):
        """Of more tests than are tried at once each is tried once: here those of a type that the device lacks."""
        count = 203
        for i in range(count):
            name = f"HALF{i:03}"
            self.write(f"litmus/half/{name}.litmus", f"""OPENCL {name}
"Store buffering."
(* Result: Never *)
{{ [x] = 0; [y] = 0; }}
""" + "".join(f"""P{k}@wg {k}, dev 0 (global atomic_half *x, global atomic_half *y) {{
  atomic_store_explicit({"xy"[k]}, 1, memory_order_seq_cst, memory_scope_device);
  half r0 = atomic_load_explicit({"yx"[k]}, memory_order_seq_cst, memory_scope_device);
}}
""" for k in (0, 1)) + "exists (0:r0=0 /\\ 1:r0=0)\n")
        lines, _ = self.planted("--plant", "all-relaxed", "--json", "--instances", "20000", "SB", "HALF*", status=None)
        plant = lines[2]
        self.assertEqual((plant["plant"], plant["able"]), ("all-relaxed", count))
        if plant["tests"]:
            self.skipTest("the device has the type")
        self.assertEqual((plant["result"], plant["skipped"]), ("lacking", count))

    def test_refused_as_changed(self):
        """A device lacks what a compiler refuses where the change needs more than the test; else the change is wrong."""
        def under(plant, word):
            lines, _ = self.planted("--plant", plant, "--seconds", "2", "--json", "SB.order=sc", status=None,
                                    OPENCL_LAYERS=REFUSING, OCLMM_REFUSED=word)
            return lines[2], lines[3]

        relaxed = "memory_order_relaxed, memory_scope_device"
        # the second one is a program beside the test's, for some of the launches
        for plant, word in ("sc-to-acq-rel", "memory_order_release"), ("multi-group", relaxed):
            line, score = under(plant, word)
            self.assertEqual((line["result"], score["able"], score["exit"]), ("refused", 1, 1), plant)
            self.assertGreater(line["refused"] + line["unbuilt"], 0, plant)
        # no place in the test is in a sub-group, nor a scope
        line, score = under("scope-narrowed:sub_group", "memory_scope_sub_group")
        self.assertEqual((line["result"], line["refused"], score["able"]), ("lacking", 0, 0))
        self.assertGreater(line["skipped"], 0)
        # what is not in the text that is built is not refused
        self.assertNotEqual(under("sc-to-acq-rel", "memory_scope_sub_group")[0]["result"], "refused")

    def test_kept_programs(self):
        """A layer that may change programs gets none from the disk; ours without a plant is said to change none."""
        programs = self.folder / "programs"

        def from_disk(**more):
            self.run_program("run", "SB", "--no-controls", "--instances", "20000", "--cache", "always", "--compilers", "0",
                             "-o", "all.jsonl", environment=self.environment(
                                 OPENCL_LAYERS=LAYER, OCLMM_PLANT="none", OCLMM_PROGRAMS=str(programs), **more), status=3)
            record, = (line for line in self.lines_of_json(self.read("all.jsonl")) if line["type"] == "test")
            return record["build_options"].endswith("; binaries from the disk")

        for _ in range(2):
            self.assertFalse(from_disk())
            self.assertFalse(from_disk(OCLMM_PASSING_LAYERS=LAYER + "x"))
        self.assertFalse(from_disk(OCLMM_PASSING_LAYERS=LAYER))
        self.assertTrue(from_disk(OCLMM_PASSING_LAYERS=LAYER))
        self.assertFalse(from_disk())

    def test_counts_lost(self):
        """Where atomic functions lose something the second attempt counts without them; it passes nothing."""
        self.write("litmus/race/ADDS.litmus", ADDS)
        environment = self.environment(OPENCL_LAYERS=LAYER, OCLMM_PLANT="legacy-split")
        run = ("run", "--instances", "3M", "--seed", "5", "ADDS")
        for number in range(20):
            saved = f"{number}.jsonl"
            _, err = self.run_program(*run, "--output", saved, status=None, environment=environment)
            record = next(line for line in self.lines_of_json(self.read(saved)) if line["type"] == "test")
            self.assertEqual(record["ended"], "lost" if record["attempts"] == 2 else "ok")
            if record["attempts"] == 2:
                self.assertIn("trying again, counted by one work-item", err)
                self.assertIn("count_each=32768", record["environment"])
                self.assertEqual(sum(outcome["count"] for outcome in record["outcomes"]), record["instances"])
                # it is not taken for another run's
                self.run_program(*run, "--resume", saved, environment=environment, status=None)
                self.assertEqual(len([line for line in self.lines_of_json(self.read(saved))
                                      if line["type"] == "test"]), 1)
                _, err = self.run_program(*run, "--resume", saved, environment=environment, status=None)
                self.assertNotIn("other environments", err)
                return
        self.fail("no counts were lost")

    def test_local_updates_lost(self):
        """Counting does without what is broken, and a local object that stays as it was is an outcome like others."""
        self.write("litmus/some/LOCAL.litmus", """OPENCL LOCAL

"Two additions in local memory: may one be lost?"

(* Result: Never *)

{ [x] = 0; }

P0@wg 0, dev 0 (local atomic_int *x) {
  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);
}

P1@wg 0, dev 0 (local atomic_int *x) {
  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);
}

exists ([x]=0)
""")
        lines, _ = self.planted("--plant", "local-lost", "--json", "--instances", "300000", "LOCAL")
        kill, = [kill for line in lines for kill in line.get("kills", [])]
        self.assertEqual((kill["test"], kill["forbidden"]), ("LOCAL", kill["instances"]))

    def test_survivor(self):
        out, _ = self.planted(*SURVIVES, *FEW, status=1)
        self.assertRegex(out, r"(?m)^scope-narrowed +survived ")
        self.assertIn("score: 0 of 1 plants", out)

    def test_untouched(self):
        out, _ = self.planted("--plant", "torn", *FEW, status=1)
        self.assertRegex(out, r"(?m)^torn +untouched ")

    def test_equivalent(self):
        self.write("same", "# known\nscope-narrowed | * | * | * | same code | disassembled\n")
        lines, _ = self.planted(*SURVIVES, "--equivalents", "same", "--json", *FEW)
        self.assertEqual((lines[2]["result"], lines[2]["argument"]), ("equivalent", "same code"))
        self.assertEqual(lines[3]["able"], 0)
        # of another device
        self.write("same", "scope-narrowed | * | No such device* | * | same code | disassembled\n")
        self.planted(*SURVIVES, "--equivalents", "same", *FEW, status=1)

    def test_contradiction(self):
        self.write("litmus/planted/equivalents", "all-relaxed | * | * | * | wrong | not at all\n")
        # what is listed is tried once; a busy machine may need more than that to show anything
        for _ in range(20):
            lines, _ = self.planted("--plant", "all-relaxed", "--json", *FEW, status=None)
            if lines[2]["result"] != "equivalent":
                break
        self.assertEqual((lines[2]["result"], lines[3]["exit"]), ("contradiction", 1))

    def test_baseline(self):
        self.write("killed", "# plants\nall-relaxed\n")
        # nothing of the test is 64 bits wide
        arguments = ("--plant", "all-relaxed", "--plant", "torn", *PATIENT, *FEW, "--baseline", "killed")
        self.planted(*arguments)
        self.write("killed", "all-relaxed\ntorn\n")
        self.planted(*arguments, status=1)
        self.write("killed", "all-relaxed\n\nbogus\n")
        _, err = self.planted(*arguments, status=2)
        self.assertIn('killed:3:1: error: no plant is called "bogus"', err)

    def test_refused(self):
        _, err = self.planted("--plant", "all-relaxd", status=2)
        self.assertIn('did you mean "all-relaxed"?', err)
        _, err = self.planted("--plant", "update-lost:0", status=2)
        self.assertIn("not a number", err)
        _, err = self.planted("NOTHING*", status=2)
        self.assertIn("NOTHING", err)
        _, err = self.planted("--profile", "none", status=2)
        self.assertIn('unknown profile "none"', err)
        self.write("bad", "all-relaxed | * | *\n")
        _, err = self.planted("--equivalents", "bad", *FEW, status=2)
        self.assertIn("bad:1:", err)
        _, err = self.planted("--plant", "all-relaxed@16", status=2)
        self.assertIn("no function, order, scope, width, space or form", err)
        _, err = self.planted("--shard", "3/2", status=2)
        self.assertIn("K/N with K from 1 to N", err)
        _, err = self.planted("--table", status=2)
        self.assertIn("--render", err)
        _, err = self.planted("--resume", "a", "--output", "b", status=2)
        self.assertIn("not both", err)
        _, err = self.planted("--output", "no/folder", *FEW, status=99)
        self.assertIn("no/folder", err)

    def test_without(self):
        self.planted(*FEW, status=77, OCL_ICD_VENDORS=str(self.folder))
        _, err = self.planted(*FEW, status=2, OCLMM_PLANT_LAYER=str(self.folder / "none.so"))
        self.assertIn("none.so", err)
        # where temporary files are to be
        _, err = self.planted(*FEW, status=99, TMPDIR=str(self.folder / "none"))
        self.assertIn("No such file or directory", err)
        _, err = self.planted(*FEW, status=99, TMPDIR="/" + "x" * 5000)
        self.assertIn("Invalid argument", err)
        # what cannot be opened
        path = pathlib.Path(self.write("empty.so", "this is no layer"))
        # nor is anything run until then
        _, err = self.planted("--instances", "1000G", "SB*", status=99, OCLMM_PLANT_LAYER=str(path))
        self.assertIn("cannot open the layer", common.joined(err))

    def test_shards(self):
        """Every plant is in one shard, each goes on with the same run without plants, and together they are a matrix."""
        self.planted(*KILLED, "--budget", "0.000001", "--resume", "none.jsonl", *FEW, status=4)
        parts = []
        for number in (1, 2):
            self.write(f"{number}.jsonl", self.read("none.jsonl"))
            out, _ = self.planted(*KILLED, "--json", "--shard", f"{number}/2", "--resume", f"{number}.jsonl", *FEW)
            parts.append(out)
        self.assertEqual([[line["plant"] for line in part if line["type"] == "plant"] for part in parts],
                         [["none", KILLED[1]], ["none", KILLED[3]]])
        self.assertEqual(parts[0][1], parts[1][1])
        plants = [line for part in parts for line in part if line["type"] == "plant"]
        self.write("all.jsonl", "".join(json.dumps(line) + "\n" for line in (parts[0][0], *plants)))
        whole, _ = self.planted(*KILLED, "--json", "--resume", "all.jsonl", *FEW)
        self.assertEqual((len(whole), whole[-1]["killed"], whole[-1]["able"]), (5, 2, 2))

    def drawn(self, what):
        """The first rule of seed 1 that is all of this."""
        out, _ = self.planted("--list", "--drawn", "900", "--seed", "1")
        return re.search(rf"(?m)^(drawn-1-\d+) +{what}$", out)[1]

    def test_drawn(self):
        """A rule is killed by its name; one that cannot show on the machine is counted apart if that is known, else survives."""
        name = self.drawn("sc-to-acq-rel")
        lines, _ = self.planted("--plant", name, *PATIENT, "--json", "--resume", "drawn.jsonl", *FEW)
        plant, score = lines[2:]
        self.assertEqual((plant["plant"], plant["part_of"], plant["where"], plant["result"]),
                         (name, "sc-to-acq-rel", "", "killed"))
        self.assertEqual((score["killed"], score["able"]), (1, 1))
        self.assertIn({"by": "what", "word": "sc-to-acq-rel", "able": 1, "survived": 0, "survivors": ""}, score["causes"])
        # the same line, and nothing is run
        again, _ = self.planted("--plant", name, *PATIENT, "--json", "--resume", "drawn.jsonl", *FEW)
        self.assertEqual(again, lines)
        hidden = "--plant", self.drawn("scope-narrowed"), "--seconds", "2", "--json", *FEW
        lines, _ = self.planted(*hidden, status=1)
        self.assertEqual((lines[2]["result"], lines[-1]["killed"], lines[-1]["able"]), ("survived", 0, 1))
        self.assertEqual(lines[-1]["causes"][0]["survivors"], hidden[1])
        # the same test shows where no order is left, and says so
        self.assertEqual([show["test"] for show in lines[2]["without_order"]["shows"]], ["SB.order=sc"])
        self.assertEqual(lines[-1]["quiet"], 0)
        if os.uname().machine != "x86_64" or not lines[0]["platform"].startswith("Portable Computing Language"):
            return
        model = "litmus/planted/x86-tso.cat"
        self.write(model, (pathlib.Path(__file__).resolve().parents[2] / model).read_text(encoding="utf-8"))
        lines, _ = self.planted(*hidden)
        self.assertEqual((lines[2]["result"], lines[-1]["able"], lines[2]["tests"]), ("equivalent", 0, 0))
        self.assertIn("x86-TSO", lines[2]["argument"])

    def test_quiet(self):
        """What no test could show here, since the machine orders it by itself, is counted apart; what shows without any order is not."""
        if os.uname().machine != "x86_64":
            self.skipTest("is about x86")
        scope = "memory_scope_device"
        self.write("litmus/some/MESSAGE.litmus", f"""OPENCL MESSAGE
"Message passing."
(* Result: Never *)
{{ [x] = 0; [y] = 0; }}
P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {{
  atomic_store_explicit(x, 1, memory_order_relaxed, {scope});
  atomic_store_explicit(y, 1, memory_order_release, {scope});
}}
P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {{
  int r0 = atomic_load_explicit(y, memory_order_acquire, {scope});
  int r1 = atomic_load_explicit(x, memory_order_relaxed, {scope});
}}
exists (1:r0=1 /\\ 1:r1=0)
""")
        name = self.drawn("acquire-to-relaxed")
        plant = ("--plant", name, "--seconds", "2", "--json", "--resume", "quiet.jsonl", "--instances", "300000", "MESSAGE")
        # it counts as not killed by the model, and is none of what the machine shows: nothing is amiss
        lines, _ = self.planted(*plant)
        told = lines[2]["without_order"]
        self.assertEqual((lines[2]["result"], told["tests"], told["shows"]), ("quiet", 1, []))
        self.assertGreaterEqual(told["instances"], lines[2]["instances"])
        self.assertEqual([lines[-1][key] for key in ("killed", "able", "quiet", "exit")], [0, 1, 1, 0])
        self.assertNotIn("causes", lines[-1])
        out, _ = self.planted("--render", "quiet.jsonl")
        self.assertRegex(out, rf"(?m)^{name} +quiet ")
        self.assertIn("without any order: 1 test,", out)
        # what was asked is not asked again
        kept = [line for line in self.lines_of_json(self.read("quiet.jsonl")) if line["type"] == "without-order"]
        self.assertTrue(all((line["plant"], line["test"], line["forbidden"]) == ("nothing-orders", "MESSAGE", 0) for line in kept))
        # had it shown there once, the bug would be a survivor, and get its time there again
        head = [line for line in self.lines_of_json(self.read("quiet.jsonl")) if line["type"] in ("planted", "without-order")]
        head[-1]["forbidden"] = 1
        none = [line for line in lines if line.get("plant") == "none"]
        self.write("quiet.jsonl", "".join(json.dumps(line) + "\n" for line in (head[0], *none, *head[1:])))
        again, _ = self.planted(*plant, status=1)
        self.assertEqual((again[2]["result"], [show["test"] for show in again[2]["without_order"]["shows"]]), ("survived", ["MESSAGE"]))
        self.assertGreater(again[2]["seconds"], 3)
        self.assertEqual((again[-1]["quiet"], again[-1]["exit"]), (0, 1))

    def test_drawn_alone(self):
        """Only a test that kills is run without a plant, and what has no place is not run at all."""
        lines, _ = self.planted("--drawn", "12", "--seed", "3", "--json", "--seconds", "2", *FEW, status=None)
        plants = [line for line in lines if line["type"] == "plant"]
        self.assertEqual([line["plant"] for line in plants], ["none"] + [f"drawn-3-{i}" for i in range(1, 13)])
        self.assertEqual(plants[0]["tests"], 1)
        for plant in plants[1:]:
            if plant["concerned"] == 0:
                self.assertEqual((plant["result"], plant["tests"]), ("untouched", 0))
        # so it is with one that is named
        name = self.drawn("sc-to-acq-rel")
        lines, _ = self.planted("--plant", name, *PATIENT, "--json", "--resume", "drawn.jsonl", *FEW)
        self.assertEqual((lines[1]["plant"], lines[1]["tests"], lines[2]["result"]), ("none", 1, "killed"))
        # and what has had no run of all tests without a plant is no beginning for other plants
        _, err = self.planted("--plant", "all-relaxed", "--resume", "drawn.jsonl", *FEW, status=2)
        self.assertIn("drawn.jsonl is of drawn bugs alone", err)

    def test_list(self):
        out, _ = self.planted("--list")
        self.assertGreaterEqual(out.count(" breaks "), 25)


common.main()
