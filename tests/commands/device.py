# SPDX-License-Identifier: Apache-2.0
"""Commands on a device; skipped (77) where there is none."""

import re
import shlex
import signal
import subprocess

import common
import shown
from robustness import ends_as
from common import HOST, LB, REFUSED, SB, SILENT, SMALL, SuiteCase

USUAL = ("--instances", "20000")
FEW = (*SMALL, *USUAL)


class Devices(SuiteCase):
    def test_lists(self):
        out, _ = self.run_program("devices")
        self.assertRegex(out, r"^0  ")
        objects = self.lines_of_json(self.run_program("devices", "--json")[0])
        self.assertEqual([o["index"] for o in objects], list(range(len(objects))))
        self.assertIn("rlx", objects[0]["orders"])


class New(SuiteCase):
    """The file that `oclmm new` writes runs as it stands, and beside it its variant as a control."""

    def test_runs(self):
        self.run_program("new", "MINE")
        out, _ = self.run_program("run", *FEW, "--format", "json", "MINE.litmus", status=SILENT)
        tests = [r for r in self.lines_of_json(out) if r["type"] == "test"]
        self.assertEqual({r["test"]: r["ended"] for r in tests}, {"MINE": "ok", "MINE.order=rlx": "ok"})
        self.assertIn("MINE.order=rlx", [c["name"] for c in tests[0]["evidence"]["controls"]])


class Fresh(SuiteCase):
    """With --fresh a driver compiles what it has compiled before."""

    def test_driver_compiles_again(self):
        cache = self.folder / "pocl-cache"
        environment = self.environment(POCL_CACHE_DIR=str(cache))
        compiled = []
        for options in ((), (), ("--fresh",), ("--fresh",)):
            self.run_program("run", *FEW, "--seed", "3", "--cache", "never", *options, "SB", environment=environment, status=3)
            compiled.append(sum(1 for _ in cache.rglob("program.bc")))
        self.assertGreater(compiled[0], 0)
        self.assertEqual(compiled[0], compiled[1])
        self.assertGreater(compiled[2], compiled[1])
        self.assertGreater(compiled[3], compiled[2])
        self.run_program("run", "--fresh", "--il", "spirv", "SB", status=2)


class Division(SuiteCase):
    """C:6.4: where there is no quotient any value is right, and a processor may trap. The text that work-items share is given
    to the device as it stands, so it is not given one that may divide so, seen or not."""

    TEXT = """OPENCL {name}
{{
out[4] = {{-1}};
[a] = {divisor};
[b] = {least};
}}
kernel@wg 0, li 0..3 (global int *out, global const int *a, global const int *b) {{
  const int l = get_local_id(0);
  int m = *a, n = *b;
  {statement}
}}
exists (~ out[0]=3)
"""

    def test_is_not_asked_of_a_device(self):
        rows = (("zero", 0, 1, "out[l] = 7 / m;"), ("remainder", 0, 1, "out[l] = 7 % m;"), ("least", -1, -2147483648, "out[l] = n / m;"),
                ("rest", -1, -2147483648, "out[l] = n % m;"), ("unseen", 0, 1, "int q = 7 / m; out[l] = 3 + (q & 0);"),
                ("branch", 0, 1, "if (7 / m == 1) { out[l] = 3; } else { out[l] = 3; }"))
        sound = (("guarded", 0, 1, "out[l] = m ? 7 / m : 3;"), ("fits", -1, -3, "out[l] = n / m;"), ("two", 2, 1, "out[l] = 7 / m;"))
        for name, divisor, least, statement in rows + sound:
            self.write(name + ".litmus", self.TEXT.format(name=name, divisor=divisor, least=least, statement=statement))
        out, _ = self.run_program("run", *FEW, "--format", "json", *(row[0] + ".litmus" for row in rows + sound), status=SILENT)
        tests = {r["test"]: r for r in self.lines_of_json(out) if r["type"] == "test"}
        for name, *_ in rows:
            self.assertEqual(tests[name]["verdict"], "skip", name)
            self.assertIn("a value that is specified", tests[name]["message"])
        for name, *_ in sound:
            self.assertEqual(tests[name]["ended"], "ok", name)
        # a stored answer says so, too
        self.run_program("check", "-q", "--write", "unseen.litmus")
        self.assertIn("\nunspecified nothing that is observed\n", self.read(self.folder / "unseen.expected"))
        out, _ = self.run_program("run", *FEW, "--format", "json", "unseen.litmus", status=77)
        self.assertIn('"skip"', out)


class ModelOfOnesOwn(SuiteCase):
    """`--cat`: a device is held to the text, and a run goes on under that text alone."""

    def test_held_to_it(self):
        ours = (shown.ROOT / "docs/opencl.cat").read_text(encoding="utf-8")
        self.write("stronger.cat", ours + "empty R as nothing-is-read\n")
        out, _ = self.run_program("run", *SMALL, "-n", "1M", "--cat", "stronger.cat", "--output", "r.jsonl", "SB", status=1)
        self.assertRegex(out, r"(?m)^FORBIDDEN +SB ")
        self.assertRegex(out, r"(?m)^    replay: .*oclmm run .*--cat '?stronger\.cat'? ")
        self.run_program("grade", "--cat", "stronger.cat", "r.jsonl", status=1)
        self.run_program("grade", "r.jsonl", status=3)
        self.write("stronger.cat", ours)
        _, err = self.run_program("run", *SMALL, "-n", "1M", "--cat", "stronger.cat", "--resume", "r.jsonl", "SB", status=2)
        self.assertIn("was judged by another model", err)


class Turns(SuiteCase):
    """Environments have their turns by what they yield; the record says how, and `--turns` repeats it."""

    def test_repeated(self):
        # always seen, however busy the machine
        self.write("ANY.litmus", re.sub(r"exists .*", "exists (0:r0=0 \\/ 0:r0=1)",
                                        re.sub("vary .*|.. Result.*", "", SB.replace("OPENCL SB", "OPENCL ANY"))))
        long = ("--seed", "3", "--environment", "groups=2 lanes=4 rounds=64; groups=2 lanes=4 rounds=16", "-n", "100k")
        out, _ = self.run_program("run", *long, "--format", "json", "ANY.litmus", status=None)
        first = self.lines_of_json(out)[1]
        self.assertRegex(first["turns"], r"^10:\d+,\d+(;\d+:\d+,\d+)*$")
        out, _ = self.run_program("run", *long, "--format", "json", "--turns", first["turns"], "ANY.litmus", status=None)
        again = self.lines_of_json(out)[1]
        self.assertEqual([again[key] for key in ("turns", "stimulus", "launches")],
                         [first[key] for key in ("turns", "stimulus", "launches")])
        # the other environment nearly always
        other = "10:4095,1" if int(re.match(r"10:(\d+)", first["turns"])[1]) < 2048 else "10:1,4095"
        out, _ = self.run_program("run", *long, "--format", "json", "--turns", other, "ANY.litmus", status=None)
        self.assertNotEqual(self.lines_of_json(out)[1]["stimulus"], first["stimulus"])
        for value in ("", "10", "10:1,2", "10:4096", "x"):
            _, err = self.run_program("run", *long, f"--turns={value}", "ANY.litmus", status=2)
            self.assertIn("--turns", err)


class BuildOptions(SuiteCase):
    """OCLMM_BUILD_OPTIONS: given to the device's compiler, told, and part of what a run is."""

    def run_with(self, options, *arguments, status=3):
        return self.run_program("run", *FEW, "--seed", "3", *arguments,
                                "SB", status=status, environment=self.environment(OCLMM_BUILD_OPTIONS=options))

    def test_told(self):
        out, _ = self.run_with("-cl-opt-disable", "--format", "json")
        header, *records = self.lines_of_json(out)
        self.assertEqual(header["variables"].count("OCLMM_BUILD_OPTIONS=-cl-opt-disable"), 1)
        for record in records:
            if record["type"] == "test":
                self.assertRegex(record["build_options"], r"^-cl-std=CL\d\.0 -cl-opt-disable( |;|$)")

    def test_replayed(self):
        """A kernel that does not build with them, where others do, fails its test, and is repeated with them."""
        out, _ = self.run_with("-DP0=1", status=99)
        self.assertRegex(out, r"(?m)^build-failed SB ")
        self.assertRegex(out, r"(?m)^    replay: (\S+=\S* )*OCLMM_BUILD_OPTIONS=-DP0=1 (\S+=\S* )*oclmm run ")

    def test_resumed(self):
        self.run_with("-cl-opt-disable -cl-mad-enable", "--output", "all.jsonl")
        for options in ("", "-cl-opt-disable", "-cl-opt-disable -cl-mad-enable -w"):
            _, err = self.run_with(options, "--resume", "all.jsonl", status=2)
            self.assertIn("was begun with other OCLMM_BUILD_OPTIONS", err)
        self.run_with("-cl-opt-disable -cl-mad-enable", "--resume", "all.jsonl")
        self.run_with("", "--output", "none.jsonl")
        self.run_program("run", *FEW, "--seed", "3", "SB",
                         "--resume", "none.jsonl", status=3)

    def test_refused(self):
        """Options that no compiler takes are no reason to skip a test."""
        for options, words in (("-oclmm-has-no-such-option", "builds nothing with OCLMM_BUILD_OPTIONS"),
                               ("-w " * 50, "longer than 120 characters")):
            _, err = self.run_with(options, status=99)
            self.assertIn(words, common.joined(err))


class Pair(SuiteCase):
    """Two devices of one platform: PoCL gives as many as it is asked for."""

    def setUp(self):
        super().setUp()
        self.write("litmus/svm/TWO.litmus", HOST.replace("OPENCL HOST", "OPENCL TWO")
                   .replace("P0@host", "P0@wg 0, dev 0").replace("P1@host", "P1@wg 0, dev 1"))
        self.two = self.environment(POCL_DEVICES="pthread pthread")
        self.devices = self.lines_of_json(
            self.run_program("devices", "--json", environment=self.two)[0])

    def refused(self, pair, *more):
        return self.run_program("run", *FEW, "--pair", pair, *more, "TWO", status=2,
                                environment=self.two)[1]

    def test_runs_on_both(self):
        if len(self.devices) < 2 or self.devices[0]["platform"] != self.devices[1]["platform"]:
            self.skipTest("no two devices of one platform")
        self.assertIn("names one device twice", self.refused("1,1"))
        self.assertIn("either --device or --pair", self.refused("0,1", "--device", "0"))
        out, _ = self.run_program("run", *FEW, "--format", "json", "--pair", "1,0", "TWO", "SB",
                                  environment=self.two, status=3)
        records = self.lines_of_json(out)
        self.assertEqual(records[0]["partner"], self.devices[0]["name"])
        tests = [r for r in records if r["type"] == "test"]
        self.assertEqual([r["ended"] for r in tests], ["ok"] * len(tests))
        self.assertIn("TWO", [r["test"] for r in tests])
        # whatever it is resumed on must be the same pair
        self.write("pair.jsonl", out)
        _, err = self.run_program("run", *FEW, "--resume", "pair.jsonl", "--pair", "0,1", "TWO", "SB",
                                  status=None, environment=self.two)
        self.assertNotIn("another device", err)
        _, err = self.run_program("run", *FEW, "--resume", "pair.jsonl", "--device", "1", "TWO", "SB",
                                  status=2, environment=self.two)
        self.assertIn("another device", err)

    def test_is_two_devices(self):
        for pair in ("0", "", ",", "0,", ",0", " ,0", "0, ", "\t,\t"):
            self.assertIn("takes two devices", self.refused(pair))
        self.assertIn("no device matches", self.refused("0,no such device"))


class Run(SuiteCase):
    def results(self, *arguments, status=SILENT):
        out, _ = self.run_program("run", "--format", "json", *FEW, *arguments, status=status)
        return self.lines_of_json(out)

    def records(self, *arguments, status=SILENT):
        return {r["test"]: r for r in self.results(*arguments, status=status) if r["type"] == "test"}

    def test_looks_are_told(self):
        """The first two launches look at their objects, and one of 64 of the others; the summary says how many did."""
        record = self.records()["SB"]
        self.assertGreaterEqual(record["looked"], 2)
        self.assertLess(record["looked"], record["launches"])
        out, _ = self.run_program("run", "--seed", record["master_seed"], *FEW, "SB", status=3)
        self.assertIn(f"objects looked at in {100 * record['looked'] / record['launches']:.2g} % of launches", common.joined(out))
        ends_as("sets objects up wrongly in launches that do not look at them, one in 64 looks",
                "the summary has the share of launches that did")

    def test_counts_sum_up(self):
        for record in self.records().values():
            total = sum(o["count"] for o in record["outcomes"]) + record["cut"] + record["filtered"]
            self.assertEqual(total, record["instances"])
            self.assertGreaterEqual(record["instances"], 20000)

    def test_verdicts(self):
        results = self.results()
        types = [r["type"] for r in results if r["type"] != "confidence"]
        self.assertEqual(types, ["run", "test", "test", "test", "end"])
        verdicts = {r["test"]: r["verdict"] for r in results if r["type"] == "test"}
        self.assertEqual(verdicts["RACE"], "undefined")
        self.assertEqual(verdicts["SB"], "pass")
        self.assertIn(results[-1]["exit"], SILENT)
        self.assertEqual(results[-1]["tests"], 3)

    def test_stimulus_follows_the_seed(self):
        first = self.records("--seed", "7")
        again = self.records("--seed", "7")
        other = self.records("--seed", "8")
        alone = self.records("--seed", "7", "SB")
        for name, record in first.items():
            self.assertEqual(record["stimulus"], again[name]["stimulus"])
            self.assertEqual(record["seed"], again[name]["seed"])
            self.assertNotEqual(record["stimulus"], other[name]["stimulus"])
        self.assertEqual(alone["SB"]["stimulus"], first["SB"]["stimulus"])
        self.assertNotEqual(first["SB"]["stimulus"], first["RACE"]["stimulus"])
        whole = [self.results("--seed", "7", *names)[-1]["stimulus"] for names in
                 ((), ("race", "relaxed"), ("relaxed", "race"), ("SB",))]
        self.assertEqual(whole[0], whole[1])
        self.assertEqual(whole[1], whole[2], "the order of the tests is of no account")
        self.assertNotEqual(whole[2], whole[3])

    def test_halvings_are_read(self):
        too_many = ",".join(map(str, range(33)))
        for value in ("", "x", "5,2", "2,2", "1,", "-1", "1 2", "18446744073709551616", too_many):
            _, err = self.run_program("run", *FEW, f"--halved-at={value}", "SB", status=2)
            self.assertIn("numbers of launches that rise", err)

    def test_drawn_seed_is_printed(self):
        seeds = set()
        for _ in range(2):
            out, _ = self.run_program("run", *FEW, "SB", status=3)
            seeds.add(re.search(r"seed (\d+)", out).group(1))
        self.assertEqual(len(seeds), 2)

    def test_text_report_and_output(self):
        out, _ = self.run_program("run", "--verbose", "--output", "log.txt", *FEW, "SB", status=3)
        self.assertEqual(out, self.read("log.txt"))
        self.assertRegex(out, r"\nTest SB Allowed\nHistogram \(4 states\)\n")
        self.assertRegex(out, r"\nWitnesses\nPositive: \d+, Negative: \d+\n")
        self.run_program("run", "--output", "log.jsonl", *FEW, "SB", status=3)
        self.assertEqual(self.lines_of_json(self.read("log.jsonl"))[-1]["type"], "end")

    def test_unknown_device(self):
        out, err = self.run_program("run", "--device", "no such device", "SB", status=2)
        self.assertEqual(out, "")
        name = self.lines_of_json(self.run_program("devices", "--json")[0])[0]["name"]
        self.assertIn(name, err)
        self.run_program("run", "--device", "99", "SB", status=2)

    def test_refused_file_touches_no_output(self):
        self.write("litmus/relaxed/REFUSED.litmus", REFUSED)
        self.write("results.jsonl", "old\n")
        _, err = self.run_program("run", "--output", "results.jsonl", status=2)
        self.assertIn("^", err)
        self.assertEqual(self.read("results.jsonl"), "old\n")

    def test_flags_from_memory(self):
        """A barrier whose flags the device reads: its text has the value, and the oracle knows what it is."""
        for flags, word in ((1, "Never"), (3, "Never"), (2, "Undefined")):
            self.write("flags.litmus", f"""OPENCL flags
{{ x[2] = {{0, 0}}; uint [f] = {flags}; out[2] = {{-1}}; }}
kernel@wg 0, li 0..1 (global int *out, local int *x, global const uint *f) {{
  const int l = get_local_id(0);
  const cl_mem_fence_flags k = *f;
  x[l] = l + 1;
  barrier(k);
  out[l] = x[1 - l];
}}
locations [out;]
exists (~ (out[0]=2 /\\ out[1]=1))
""")
            self.assertIn(f"Observation flags {word} ", self.run_program("check", "flags.litmus")[0])
        self.assertIn("\n  barrier(k);\n", self.run_program("show", "-k", "flags.litmus")[0])
        self.write("flags.litmus", self.read("flags.litmus").replace("[f] = 2", "[f] = 1"))
        out, _ = self.run_program("run", *FEW, "--no-controls", "--format", "json", "flags.litmus", status=3)
        test = next(line for line in self.lines_of_json(out) if line["type"] == "test")
        self.assertEqual((test["verdict"], [state["count"] > 0 for state in test["outcomes"]]), ("pass", [True]))

    def test_refused_file_takes_no_others_along(self):
        for name in "AC":
            self.write(f"folder/{name}.litmus", SB.replace("OPENCL SB", f"OPENCL {name}"))
        self.write("folder/B.litmus", REFUSED)
        out, err = self.run_program("run", *FEW, "--format", "json", "--output", "results.jsonl", "folder", status=2)
        self.assertRegex(err, r"B\.litmus:\d+:\d+: error: [^^]*\^")
        for text in (out, self.read("results.jsonl")):
            tests = {line["test"].partition(".")[0] for line in self.lines_of_json(text) if line["type"] == "test"}
            self.assertEqual(tests, {"A", "C"})
        # alone it leaves nothing to run, and nothing is written over
        self.run_program("run", *FEW, "--output", "results.jsonl", "folder/B.litmus", status=2)
        self.assertEqual(self.read("results.jsonl"), text)

    def test_output_cannot_be_opened(self):
        _, err = self.run_program("run", "--output", "no/such/folder/x.txt", "SB", status=99)
        self.assertIn("no/such/folder/x.txt", err)

    def test_nothing_applicable(self):
        self.write("litmus/svm/HOST.litmus", HOST)
        out, _ = self.run_program("run", *FEW, "HOST", status=77)
        self.assertRegex(out, r"(?m)^skip +HOST +\S")
        self.assertIn("does not verify conformance", common.joined(out))

    def test_budget_is_fair(self):
        """One test of each family in turn, those that forbid something first and with their controls."""
        (self.folder / "litmus/race/RACE.litmus").unlink()
        for family, name in (("aaa", "A1"), ("aaa", "A2"), ("zzz", "Z1")):
            self.write(f"litmus/{family}/{name}.litmus", LB.replace("OPENCL LB", f"OPENCL {name}"))
        self.run_program("check", "--write")
        # nobody has time for anything
        out, _ = self.run_program("run", *FEW, "--budget", "0.000001", status=4)
        self.assertIn("verdict: unfinished", out)
        self.run_program("run", *FEW, "--budget", "0.000001", "--allow-unfinished", status=77)
        # how many there are time for is the machine's, which ones and in which order is not
        out, _ = self.run_program("run", *FEW, "--budget", "9", "--format", "json", status=None)
        lines = self.lines_of_json(out)
        names = list(dict.fromkeys(line["test"] for line in lines if line["type"] == "test"))
        families = {"A1": "aaa", "A2": "aaa", "Z1": "zzz", "SB.order=sc": "relaxed"}
        strong = [name for name in names if name in families]
        for number, name in enumerate(names[:-1]):
            if name in families and name != "SB.order=sc":
                self.assertEqual(names[number + 1], name + ".order=rlx")
        self.assertEqual(len({families[name] for name in strong[:3]}), len(strong[:3]))
        end = lines[-1]
        self.assertEqual(end["unfinished"], len(families) - len(strong))
        self.assertIn(end["exit"], (4,) if end["unfinished"] else (0, 3))
        # it stays so when it is graded
        self.write("all.jsonl", out)
        self.run_program("grade", "all.jsonl", status=end["exit"])

    def test_forbidden(self):
        self.forbid_the_strong()
        out, _ = self.run_program("run", *USUAL, "--seed", "5", "SB*", status=1)
        self.assertRegex(out, r"(?m)^FORBIDDEN +SB ")
        self.assertRegex(out, r"(?m)^ +[1-9]\d* x 0:r0=1; 1:r0=0; # !! forbidden$")
        replay = re.search(r"replay: .*\boclmm (run .*)$", out, re.M).group(1)
        replay = shlex.split(replay)
        self.assertEqual(replay[-1], "SB")
        again, _ = self.run_program(*replay, status=1)
        stimulus = re.findall(r"stimulus ([0-9a-f]+)\n    replay", out + again)
        self.assertEqual(stimulus[0], stimulus[1])
        self.assertEqual(len(stimulus), 2)

    def test_replay_of_long_launches(self):
        """They are longer where many instances are asked for, so that the test alone would have other environments."""
        self.forbid_the_strong()
        out, _ = self.run_program("run", "--seed", "5", "--instances", "17000000", "SB", status=1)
        replay = shlex.split(re.search(r"replay: .*\boclmm (run .*)$", out, re.M).group(1))
        self.assertIn("--environment", replay)
        again, _ = self.run_program(*replay, status=1)
        stimulus = re.findall(r"stimulus ([0-9a-f]+)\n    replay", out + again)
        self.assertEqual(len(stimulus), 2)
        self.assertEqual(stimulus[0], stimulus[1])

    def test_replay_outside_the_suite(self):
        """A name alone does not find such a test: its file stands before it, as a shell takes it."""
        name = "it's; mine/S B.litmus"
        self.write(name, SB.replace("OPENCL SB", "OPENCL OWN"))
        self.run_program("check", "--write", name)
        path = name.replace(".litmus", ".expected")
        self.write(path, self.read(path).replace("allowed :> 0:r0=1; 1:r0=0;\n", "", 1))
        out, _ = self.run_program("run", *USUAL, "--seed", "5", "--artifacts", "kept", name, status=1)
        replay = re.search(r"replay: .*\boclmm (run .*)$", out, re.M).group(1)
        self.assertEqual(shlex.split(replay)[-1], name + ":OWN")
        facts = self.read("kept/OWN/facts.txt")
        self.assertEqual(re.search(r"^    .*\boclmm (run .*)$", facts, re.M).group(1), replay)
        again, _ = self.run_program(*shlex.split(replay), status=1)
        self.assertNotIn("OWN.order=sc", again)    # it alone
        stimulus = re.findall(r"stimulus ([0-9a-f]+)\n    replay", out + again)
        self.assertEqual(stimulus[0], stimulus[1])

    def test_stale_expected_is_not_used(self):
        self.forbid_the_strong()
        path = "expected/relaxed/SB.expected"
        text = self.read(path)
        digits = re.search(r"(?m)^variant ([0-9a-f]{16}) ", text).group(1)
        self.write(path, text.replace(digits, "0123456789abcdef"))
        _, err = self.run_program("run", *FEW, "SB", status=3)
        self.assertIn("not of this version", err)

    def test_budget(self):
        # that it ends at all is what run_program() sees to
        results = self.results("--budget", "3", "--allow-unfinished", status=(*SILENT, 77))  # 77: no time for any
        self.assertEqual(results[-1]["left_out"] + results[-1]["tests"], 3)
        for record in results:
            if record["type"] == "test":
                self.assertGreaterEqual(record["instances"], 20000)

    def test_time_left_is_within_the_budget(self):
        # of the end of the budget as of its beginning
        for budget in 4, 16, 64:
            text = self.on_a_terminal("run", "--budget", str(budget), "--instances", "100G", "SB", stream="stderr",
                                     enough=rb" 0 s left ")
            left = [float(seconds) for seconds in re.findall(r"\] \d+/\d+ (\d+) s left ", text)]
            if left:    # a busy machine may need all of a short one to begin
                break
        self.assertTrue(left, text)
        self.assertLess(max(left), budget)
        self.assertNotIn(" min left", text)

    def test_interrupt(self):
        command = [common.PROGRAM, "run", "--format", "json", "--budget", "240", *FEW]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.DEVNULL, env=self.environment())
        lines = [process.stdout.readline()]
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=120), 99)
        end = self.lines_of_json("".join(lines))[-1]
        self.assertEqual(end["type"], "end")
        self.assertTrue(end["interrupted"])
        self.assertGreater(end["left_out"], 0)


common.main_on_device()
