# SPDX-License-Identifier: Apache-2.0
"""Commands that need no device, and what the others say where there is none."""

import os
import pathlib
import re
import resource
import shutil
import subprocess

import common
import shown
from common import RACE, REFUSED, SB, SuiteCase


def untried(commands, texts):
    """The commands, and options of them, that no test names: {command: options} against the texts of tests."""
    for command, options in commands.items():
        if not re.search(rf"[\"' ]{command}[\"' ]", texts):
            yield command
        yield from (f"{command} --{name}" for name in options if not re.search(rf"--{name}\b(?!-)", texts))


class Usage(SuiteCase):
    def test_help_and_version(self):
        out, _ = self.run_program("--version")
        self.assertRegex(out, r"^oclmm \d+\.\d+\.\d+\n$")
        out, _ = self.run_program("--help")
        for command in ("check", "compare", "devices", "grade", "list", "merge", "run", "show"):
            self.assertIn(f"\n  {command} ", out)
            help_text, _ = self.run_program("help", command)
            self.assertIn(f"usage: oclmm {command}", help_text)
            if command in ("compare", "grade", "merge"):
                self.assertIn("Exit status:", " ".join(help_text.split()))

    def test_a_letter_means_one_option(self):
        """Whatever the command: who knows `-j` from one does not get something else from another."""
        meanings, out = {}, self.run_program("--help")[0]
        commands = re.findall(r"(?m)^  ([a-z]+) ", out)
        self.assertGreater(len(commands), 10)
        for command in commands:
            for letter, name in re.findall(r"(?m)^  -(\w), --([a-z-]+)", self.run_program("help", command)[0]):
                self.assertEqual(meanings.setdefault(letter, name), name, f"{command} -{letter}")
        self.assertIn("j", meanings)

    def test_lines_of_help_fit_a_terminal(self):
        whole = self.run_program("--help")[0]
        texts = {"": whole, "idiom": self.run_program("idiom")[0]}
        texts.update((command, self.run_program("help", command)[0])
                     for command in re.findall(r"(?m)^  ([a-z]+) ", whole))
        for command, text in texts.items():
            for line in text.splitlines():
                if not line.startswith("usage:"):
                    self.assertLessEqual(len(line), 80, f"{command}: {line}")

    def test_readme_names_every_command(self):
        readme = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
        table = "\n".join(line for line in readme.splitlines() if line.startswith("| `oclmm"))
        commands = re.findall(r"^  ([a-z]+) ", self.run_program("--help")[0], re.M)
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.assertRegex(table, rf"`(oclmm )?{command}\b")

    def test_table_has_every_command(self):
        """What is written in a file of its own and stands in no table is no command."""
        files = (pathlib.Path(__file__).resolve().parents[2] / "runner").glob("*/cmd_*.c")
        written = {path.stem.removeprefix("cmd_") for path in files}
        self.assertGreater(len(written), 10)
        self.assertEqual(written - set(re.findall(r"^  ([a-z]+) ", self.run_program("--help")[0], re.M)), set())

    def test_a_build_without_opencl_has_every_command(self):
        """It says of those that need a device that they are missing, under the same names and with the same arguments."""
        runner = shown.ROOT / "runner"
        rooms = re.search(r"runner_rooms \+= \[(.*)\]", (runner / "meson.build").read_text(encoding="utf-8"))[1]
        written = {path.stem.removeprefix("cmd_") for room in re.findall(r"\w+", rooms)
                   for path in (runner / room).glob("cmd_*.c")}
        doubles = re.findall(r'^MISSING\((\w+), "(.*)", ".*"\);$', (runner / "without_opencl.c").read_text(encoding="utf-8"),
                             re.M)
        self.assertEqual(sorted(written), [name for name, _ in doubles])
        for name, takes in doubles:
            usage = self.run_program("help", name)[0].splitlines()
            self.assertEqual(usage[0], f"usage: oclmm {name} [OPTION…] {takes}".rstrip())

    def test_every_command_and_option_is_tried(self):
        help_text = self.run_program("--help")[0]
        commands = {name: re.findall(r"^ +(?:-\w, )?--([a-z-]+)", self.run_program("help", name)[0], re.M)
                    for name in re.findall(r"^  ([a-z]+) ", help_text, re.M)}
        self.assertGreater(sum(map(len, commands.values())), 100)
        tests = [path for end in ("py", "build") for path in (shown.ROOT / "tests").glob(f"*/*.{end}")]
        texts = "\n".join(path.read_text(encoding="utf-8") for path in tests)
        self.assertEqual(list(untried(commands, texts)), [])
        commands["list"].append("fil" + "e")
        commands["cen" + "sus"] = ["files"]
        self.assertEqual(list(untried(commands, texts)), ["list --fil" + "e", "cen" + "sus"])

    def test_page_on_ci_names_every_format(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/ci.md").read_text(encoding="utf-8")
        for name in self.formats():
            self.assertTrue(f"`{name}`" in page, f"docs/ci.md does not name `{name}`")

    def test_script_of_a_lab(self):
        """The script of docs/ci.md knows options that there are, and tells each end of a run apart."""
        text = (shown.ROOT / "docs/ci.md").read_text(encoding="utf-8")
        script = next(lines for _, _, lines in shown.blocks(text) if lines[0] == "#!/bin/sh")
        known = set(re.findall(r"--[a-z-]+", self.run_program("help", "run")[0]))
        options = set(re.findall(r" (--[a-z-]+)", "\n".join(script)))
        self.assertGreater(len(options), 5)
        self.assertLessEqual(options, known)
        self.write("oclmm", '#!/bin/sh\nexit "$STATUS"\n').chmod(0o755)
        for status, told in ((0, "pass"), (1, "fail"), (2, ""), (4, "unfinished"), (77, "skip"), (99, "board")):
            done = subprocess.run(["sh", "-c", "\n".join(script), "lab", "1"], cwd=self.folder, capture_output=True, text=True,
                                  env={"STATUS": str(status), "PATH": f"{self.folder}:{os.environ['PATH']}"}, check=False)
            self.assertEqual((done.returncode, re.sub(r"\W(.|\n)*", "", done.stdout)), (0 if status == 77 else status, told))

    def test_a_model_of_ones_own(self):
        """`--cat`: our model as text says what ours says; a copy of it without a rule forbids less; a flag is undefined."""
        text = (shown.ROOT / "docs/opencl.cat").read_text(encoding="utf-8")
        rules = [line for line in text.splitlines() if "seq-cst" in line and "as" in line]
        self.assertGreater(len(rules), 4)
        for name, model, word in (("ours.cat", text, "Never"),
                                  ("weaker.cat", "\n".join(line for line in text.splitlines() if line not in rules), "Sometimes"),
                                  ("flag.cat", text + "\nflag ~empty rf as wild\n", "Undefined")):
            self.write(name, model)
            out, _ = self.run_program("check", "--cat", name, "SB.order=sc")
            self.assertRegex(out, rf"(?m)^Observation SB\.order\.sc {word}\b")
        self.assertIn("wild", out)
        out, _ = self.run_program("check", "--cat", "weaker.cat", "--json", "SB.order=sc")
        self.assertEqual(len(out.splitlines()), 1)

    def test_a_model_of_ones_own_explains(self):
        """`explain --cat`: the check that is broken, its line, and a cycle of what the file builds it from; a flag and its pair."""
        text = (shown.ROOT / "docs/opencl.cat").read_text(encoding="utf-8")
        self.write("ours.cat", text)
        self.write("tight.cat", text + "\nirreflexive rb; po; rb; po as no-store-buffering\n")
        self.write("flag.cat", text + "\nflag ~empty [W]; (co & ext) as two-writers\nflag ~empty [R]; po; [R] as two-reads\n")
        out, _ = self.run_program("explain", "--cat", "tight.cat", "--no-changes", "SB", "--json")
        told = self.lines_of_json(out)[0]
        self.assertRegex(told["model"], r"^tight\.cat-[0-9a-f]{8}$")
        self.assertEqual((told["status"], told["violation"]["rule"]), ("forbidden", "no-store-buffering"))
        self.assertEqual(told["failures"], {"no-store-buffering": told["candidates"]})
        self.assertEqual(sorted(s["edge"] for s in told["violation"]["steps"]), ["fr", "fr", "sb", "sb"])
        line = 1 + (text + "\nirr").count("\n")
        self.assertTrue(told["violation"]["section"].endswith(f", line {line}"), told["violation"]["section"])
        out, _ = self.run_program("explain", "--cat", "tight.cat", "--no-changes", "SB")
        self.assertIn("irreflexive rb; po; rb; po", " ".join(out.split()))
        out, _ = self.run_program("explain", "--cat", "flag.cat", "--no-changes", "SB", "--json")
        told = self.lines_of_json(out)[0]
        self.assertEqual((told["status"], told["undefined"]), ("undefined", "data race"))
        # what both models say is explained alike, with repairs and weakenings
        for name, status in (("SB.order=sc", "forbidden"), ("SB", "allowed")):
            told = [self.lines_of_json(self.run_program("explain", *model, "--json", name)[0])[0]
                    for model in (("--cat", "ours.cat"), ("--model", "opencl-2.1"))]
            self.assertEqual([t["status"] for t in told], [status, status])
            self.assertEqual(*(sorted((c["what"], c["status"]) for c in t["changes"]) for t in told))
        self.run_program("explain", "--cat", "ours.cat", "--svg", "x.svg", "SB.order=sc")
        self.assertIn("<svg", (self.folder / "x.svg").read_text(encoding="utf-8"))
        _, err = self.run_program("explain", "--cat", "ours.cat", "--model", "scoped", "SB", status=2)
        self.assertIn("--model", err)

    def test_a_model_that_is_refused(self):
        for text, where in (("let a = po | rff\n", "1:14: error: nothing has the name rff"),
                            ("acyclic\nW as x\n", "2:1: error: a relation is wanted here, this is a set")):
            self.write("bad.cat", text)
            out, err = self.run_program("check", "--cat", "bad.cat", "SB", status=2)
            self.assertIn(f"bad.cat:{where}", err)
            self.assertRegex(err, r"(?m)^ *\| +\^|^ +\^")
            self.assertEqual(out, "")
        _, err = self.run_program("check", "--cat", "nowhere.cat", "SB", status=2)
        self.assertIn("nowhere.cat", err)
        self.write("ours.cat", (shown.ROOT / "docs/opencl.cat").read_text(encoding="utf-8"))
        _, err = self.run_program("check", "--cat", "ours.cat", "--write", status=2)
        self.assertIn("--cat", err)

    def test_no_command(self):
        _, err = self.run_program(status=2)
        self.assertIn("usage: oclmm", err)

    def test_guesses(self):
        for arguments, guess in (
                (("chekc",), '"check"'),
                (("check", "--modle", "x"), '"--model"'),
                (("check", "--model", "opencl-31"), '"opencl-3.1"'),
                (("check", "SV"), '"SB"')):
            _, err = self.run_program(*arguments, status=2)
            self.assertIn(f"did you mean {guess}?", err)

    def test_values(self):
        for arguments, part in (
                (("check", "--time-limit", "soon"), '"soon" is not a time'),
                (("check", "--time-limit"), "needs a value"),
                (("check", "--time-limit", "-0"), '"-0" is not a time'),
                *(((command, "--device", word), f'"{word}" is not a number or a part of a name')
                  for command in ("run", "tune", "planted", "idiom") for word in ("", " ")),
                (("check", "--json=1"), "takes no value"),
                (("check", "--help=1"), '"--help=1" takes no value'),
                (("check", "-Z"), 'unknown option "-Z"'),
                (("show",), "name a test"),
                (("list", "--profile", "x", "SB"), "not both")):
            _, err = self.run_program(*arguments, status=2)
            self.assertIn(part, err)

    def test_what_contradicts_itself(self):
        """Of two values, or two options of which one goes, the last would win, and nobody would be told."""
        for arguments, part in (
                ("run --quick --profile full", 'either profile "quick" or "full", not both'),
                ("run --profile quick -p full", 'either profile "quick" or "full", not both'),
                ("run -n 1M -n 2M", '--instances is given twice, as "1M" and as "2M"'),
                ("run --seed 1 -s 2", '--seed is given twice, as "1" and as "2"'),
                ("run -v --format json", "either --format or --verbose, not both"),
                ("run --brief -v", "either --brief or --verbose, not both"),
                ("run --wait 3 --no-wait", "either --no-wait or --wait, not both"),
                ("run --device 0 --pair 0,1", "either --device or --pair, not both"),
                ("run --pair 0,1 --spread", "either --pair or --spread, not both"),
                ("tune --wait 3 --no-wait", "either --no-wait or --wait, not both"),
                ("tune --list --show", "either --list or --show, not both"),
                ("tune --show -o x.jsonl", "either --output or --show, not both"),
                ("idiom --wait 3 --no-wait", "either --no-wait or --wait, not both"),
                ("idiom --size 1 --size 2", '--size is given twice, as "1" and as "2"'),
                ("planted --list --able", "either --able or --list, not both"),
                ("planted --able --render x", "either --able or --render, not both"),
                ("planted --resume x -o y", "either --output or --resume, not both"),
                ("check -w --verify", "either --verify or --write, not both"),
                ("check --json -q", "either --json or --quiet, not both"),
                ("check --model scoped -m opencl-2.0", '--model is given twice, as "scoped" and as "opencl-2.0"'),
                ("show -k --il SB", "either --il or --kernel, not both"),
                ("show --numbers --cycle SB", "either --cycle or --numbers, not both"),
                ("explain --json --svg - SB", "only one of --dot -, --json and --svg -"),
                ("explain --dot - --svg - SB", "only one of --dot -, --json and --svg -"),
                ("generate --shape SB --jobs 2", "go with --tight"),
                ("generate --shape SB --no-updates", "go with --tight"),
                ("generate --shape SB --edges 4", "go with --all"),
                ("grade --brief -f text x", "either --brief or --format, not both"),
                ("grade -e a -e b x", '--expectations is given twice, as "a" and as "b"'),
                ("merge -o a -o b x y", '--output is given twice, as "a" and as "b"'),
                ("compare --all -q x y", "either --all or --quiet, not both")):
            with self.subTest(arguments):
                _, err = self.run_program(*arguments.split(), status=2)
                self.assertIn(part, err)

    def test_what_only_repeats_itself(self):
        out, _ = self.run_program("check", "-a", "-a", "--model", "scoped", "-m", "scoped", "SB")
        self.assertEqual(out, self.run_program("check", "-a", "--model", "scoped", "SB")[0])


class Suite(SuiteCase):
    def test_time_limit(self):
        """16! orders of writes: given up with a word, and at once, not when all are through."""
        threads = "".join(f"P{t}@wg {t}, dev 0 (global atomic_int *x) {{ atomic_store(x, {t + 1}); }}\n"
                          for t in range(16))
        self.write("writers.litmus", f"OPENCL writers\n{{ [x] = 0; }}\n{threads}exists (x=1)\n")
        out, err = self.run_program("check", "--time-limit", "0.01", "writers.litmus", status=99)
        self.assertEqual(out, "")
        self.assertIn("writers: not answered within 0.01 s; --time-limit gives it more", err)
        for command in ("check", "explain"):
            out, _ = self.run_program(command, "--time-limit", "0", "SB")
            self.assertIn("SB", out)

    def test_list(self):
        out, _ = self.run_program("list")
        self.assertEqual(out.split(), ["RACE", "SB"] + [n for n in out.split() if n.startswith("SB.")])
        self.assertEqual(len(out.split()), 3)
        out, _ = self.run_program("list", "--files")
        self.assertEqual(out.split(), ["race/RACE.litmus", "relaxed/SB.litmus"])

    def test_ways_to_name_tests(self):
        sb = "SB\n"
        self.assertEqual(self.run_program("list", "SB")[0], sb)
        for name in ("relaxed", "relaxed/SB", "relaxed/SB.litmus", "litmus/relaxed",
                     "litmus/relaxed/SB.litmus", "SB*"):
            out, _ = self.run_program("list", name)
            self.assertEqual(len(out.split()), 2, name)
        # however often it is named, it is one test
        out, _ = self.run_program("list", "SB", "SB", "S?", "relaxed/SB", "litmus/relaxed")
        self.assertEqual(len(out.split()), 2)

    def test_nothing_matches(self):
        for name in ("NOPE*", "nope/SB", "nope.litmus"):
            _, err = self.run_program("list", name, status=2)
            self.assertIn(f'matches "{name}"', err)

    def test_found_from_below_and_by_variable(self):
        out, _ = self.run_program("list", "SB", cwd=self.folder / "litmus/relaxed")
        self.assertEqual(out, "SB\n")
        environment = self.environment(OCLMM_SUITE=str(self.folder))
        out, _ = self.run_program("list", "SB", cwd="/", environment=environment)
        self.assertEqual(out, "SB\n")
        environment = self.environment(OCLMM_SUITE="/nonexistent")
        _, err = self.run_program("list", status=2, environment=environment)
        self.assertIn("OCLMM_SUITE", err)

    def test_profile(self):
        self.write("litmus/profiles/two", "# comment\n\nSB   # the base\nRACE\n")
        out, _ = self.run_program("list", "--profile", "two")
        self.assertEqual(sorted(out.split()), ["RACE", "SB"])
        self.write("litmus/profiles/base", "!(*=*)\n")
        out, _ = self.run_program("list", "--profile", "base")
        self.assertEqual(sorted(out.split()), ["RACE", "SB"])
        self.write("litmus/profiles/empty", "# nothing\n")
        for name, part in (("empty", "is empty"), ("none", "unknown profile"),
                           ("../relaxed/SB.litmus", "unknown profile")):
            _, err = self.run_program("list", "--profile", name, status=2)
            self.assertIn(part, err)


class Show(SuiteCase):
    def test_shown_text_means_the_same(self):
        before, _ = self.run_program("check", "SB")
        text, _ = self.run_program("show", "SB")
        (self.folder / "SB.litmus").write_text(text)
        after, _ = self.run_program("check", "SB.litmus")
        self.assertEqual(before, after)

    def test_numbers(self):
        """They are those of the file, and stand beside the same text."""
        plain, _ = self.run_program("show", "SB")
        text, _ = self.run_program("show", "--numbers", "SB")
        self.assertEqual([line[6:] for line in text.splitlines()], plain.splitlines())
        written = next(self.folder.rglob("SB.litmus")).read_text().splitlines()
        numbered = [line for line in text.splitlines() if line[:6].strip()]
        self.assertGreater(len(numbered), 4)
        for line in numbered:
            self.assertEqual(written[int(line[:6]) - 1].split("(")[0], line[6:].split("(")[0])
        self.run_program("show", "--numbers", "--kernel", "SB", status=2)

    def test_controls(self):
        text, _ = self.run_program("show", "--controls", "SB.order=sc")
        lines = text.splitlines()
        self.assertEqual(lines[:5], [
            "SB.order=sc",
            "  moved   SB.order=sc~exchange-P0.1-2: "
            "two accesses of one work-item are exchanged",
            "  moved   SB.order=sc~everywhere: "
            "work-items have a step each, as one compiler makes it",
            "  moved   SB.order=sc~exchange-P1.1-2: "
            "two accesses of one work-item are exchanged",
            "  moved   SB.order=sc~drop-P0.1: a store is left out",
        ])
        self.assertIn("OPENCL SB.order=sc~exchange-P1.1-2", lines)
        text, _ = self.run_program("show", "--controls", "SB")
        self.assertIn("forbids nothing", text)
        self.run_program("show", "--controls", "--kernel", "SB", status=2)

    def test_kernel(self):
        self.write("commands.litmus", "OPENCL commands\n{ [x] = 0; }\n"
                   "P0@kernel (global int *x) { *x = 1; }\nexists (x=1)\n")
        text, _ = self.run_program("show", "--kernel", "commands.litmus")
        self.assertIn("kernel void P0(global uint *x_, uint base, uint offset, global uint *ran)", text)
        text, _ = self.run_program("show", "--kernel", "SB")
        self.assertIn("atomic_store_explicit", text)
        self.assertRegex(text, r"\bkernel void ")


class Check(SuiteCase):
    def test_text(self):
        out, _ = self.run_program("check", "SB")
        self.assertTrue(out.startswith("Test SB Allowed\nStates 4\n0:r0=0; 1:r0=0;\n"), out)
        self.assertIn("\nObservation SB Sometimes 1 3\n", out)

    def test_quiet(self):
        self.assertEqual(self.run_program("check", "--quiet"), ("", ""))

    def test_json(self):
        out, _ = self.run_program("check", "--json", "--all-models")
        answers = {answer["test"]: answer for answer in self.lines_of_json(out)}
        self.assertEqual(len(answers), 3)
        for answer in answers.values():
            self.assertEqual(set(answer["models"]), {
                "opencl-2.0", "opencl-2.1", "opencl-3.1", "scoped", "consensus"})
        states = answers["SB"]["models"]["consensus"]["states"]
        self.assertEqual([s["values"] for s in states], [[0, 0], [0, 1], [1, 0], [1, 1]])
        self.assertEqual(states[0]["outcome"], "0:r0=0; 1:r0=0;")
        self.assertEqual({s["status"] for s in states}, {"allowed"})
        race = answers["RACE"]["models"]["consensus"]
        self.assertEqual(race["observation"], "Undefined")
        self.assertEqual([a["line"] for a in race["witness"]["accesses"]],
                         [RACE[:RACE.index("*x = 1")].count("\n") + 1,
                          RACE[:RACE.index("= *x")].count("\n") + 1])

    def test_arithmetic_without_a_value(self):
        """C:6.4: a division by zero has an unspecified value. As an index it may lie outside, and its line is told;
        compared by an old function it decides either way; seen, it is told that it may be any."""
        for statement, condition, lines in (
                ("a[1 / r0] = 1;", "0:r0=0",
                 ["Observation case Undefined 0 0", "Undefined=index out of bounds in opencl-2.0: P0 line 7"]),
                ("int r1 = atomic_cmpxchg(b, 1 / r0, 5);", "b=5", ["Observation case Sometimes 1 1"]),
                ("int r1 = 1 % r0;", "0:r1=7", ["Observation case Sometimes 1 4", "Unspecified=0:r1"])):
            with self.subTest(statement):
                self.write("case.litmus", f"""OPENCL case

{{ [x] = 0; [b] = 0; a[2]; }}

P0@wg 0, dev 0 (global int *a, global int *b, global atomic_int *x) {{
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
  {statement}
}}

exists ({condition})
""")
                out = self.run_program("check", "case.litmus")[0].splitlines()
                for line in lines:
                    self.assertIn(line, out)

    def test_unspecified_is_stored(self):
        """What is stored for a test with an unspecified value says whose it is, and is read again."""
        for statement, line in (("int r1 = 1 / r0;", "unspecified 0:r1"), ("int r1 = (1 / r0) & 0;", "unspecified nothing that is observed"),
                                ("int r1 = 1 / (r0 + 1);", None)):
            with self.subTest(statement):
                self.write("case.litmus", f"""OPENCL case

{{ [x] = 0; }}

P0@wg 0, dev 0 (global int *x) {{
  int r0 = *x;
  {statement}
}}

exists (0:r1=7)
""")
                self.run_program("check", "--write", "case.litmus")
                stored = self.read(self.folder / "case.expected").splitlines()
                self.assertEqual([row for row in stored if row.startswith("unspecified")], [line] if line else [])
                self.run_program("check", "--verify", "case.litmus")

    def test_asks_for_names(self):
        """A whole suite is too much to read."""
        for options in ((), ("--all-models",), ("--model", "scoped")):
            out, err = self.run_program("check", *options, status=2)
            self.assertEqual((out, err), ("", "oclmm check: name a test, a file or a folder; '*' is the whole suite\n"))
        for arguments in (("--json",), ("*",), ("--family", "relaxed"), ("--feature", "seq_cst")):
            self.assertTrue(self.run_program("check", *arguments)[0])

    def test_model(self):
        out, _ = self.run_program("check", "--model", "opencl-3.1", "SB*")
        self.assertEqual(out.count("\nObservation "), 2)
        self.assertRegex(out, r"Observation SB\.\S+ Never 0 3")

    def test_result_line_must_hold(self):
        self.write("litmus/relaxed/SB.litmus", SB.replace("Sometimes", "Never"))
        _, err = self.run_program("check", "*", status=1)
        self.assertRegex(err, r"litmus/relaxed/SB\.litmus:5:\d+: error: .*Never.*Sometimes")
        self.run_program("check", "--write", status=1)
        # the other file was in order
        self.assertTrue((self.folder / "expected/race/RACE.expected").exists())
        self.assertFalse((self.folder / "expected/relaxed/SB.expected").exists())


class Expected(SuiteCase):
    path = "expected/relaxed/SB.expected"

    def test_write_and_verify(self):
        self.run_program("check", "--verify", "--quiet", status=1)
        self.run_program("check", "--write")
        text = self.read(self.path)
        self.assertEqual(text.count("\nvariant "), 2)
        self.run_program("check", "--verify")
        self.run_program("check", "--write", "SB")
        self.assertEqual(self.read(self.path), text, "one variant asked for, the whole file written")

    def test_differences_are_shown(self):
        self.run_program("check", "--write")
        self.write("litmus/relaxed/SB.litmus", SB.replace("exists (0:r0=0 /\\ 1:r0=0)", "exists (0:r0=0)"))
        out, _ = self.run_program("check", "--verify", status=1)
        self.assertIn("- condition exists (0:r0=0 /\\ 1:r0=0)\n", out)
        self.assertIn("+ condition exists (0:r0=0)\n", out)

    def test_damaged(self):
        self.run_program("check", "--write")
        self.write(self.path, self.read(self.path).replace("observation Sometimes", "observation Never", 1))
        _, err = self.run_program("check", "--verify", status=1)
        self.assertRegex(err, r"expected/relaxed/SB\.expected:\d+:\d+: error: ")
        self.assertIn("^", err)

    def test_refused_file_changes_nothing(self):
        self.run_program("check", "--write")
        before = self.read(self.path)
        self.write("litmus/relaxed/REFUSED.litmus", REFUSED)
        _, err = self.run_program("check", "--write", status=2)
        line = REFUSED[:REFUSED.index("memory_order_release")].count("\n") + 1
        self.assertRegex(err, rf"REFUSED\.litmus:{line}:\d+: error: ")
        self.assertIn("^~", err)
        self.assertEqual(self.read(self.path), before)
        self.assertFalse((self.folder / "expected/relaxed/REFUSED.expected").exists())

    def test_loops_that_never_end(self):
        """Of a loop that is too long in every execution nothing is allowed, and nothing said."""
        spin = """OPENCL spin

unroll 2

{
x = 0;
}

P0 (global atomic_int *x) {
  while (atomic_load(x) == 0);
}

exists (x=1)
"""
        self.write("litmus/relaxed/spin.litmus", spin)
        out, err = self.run_program("check", "spin")
        self.assertIn("Observation spin Never 0 0\n", out)
        self.assertIn("spin: no execution ends within its `unroll` line, so that Never says nothing", err)
        self.write("litmus/relaxed/spin.litmus", spin.replace("x = 0;", "x = 1;"))
        _, err = self.run_program("check", "spin")
        self.assertNotIn("says nothing", err)

    def test_rules_of_the_scoped_model(self):
        """Of its own published tests two have another word by the text; the rule that makes the difference is named."""
        def thread(number, place, *lines):
            return f"P{number}@{place} (global atomic_int *x, global atomic_int *y, global atomic_int *m, global atomic_int *n) {{\n" + "".join(
                f"  {line}\n" for line in lines) + "}\n"

        def put(name, value, order, scope="device"):
            return f"atomic_store_explicit({name}, {value}, memory_order_{order}, memory_scope_{scope});"

        def get(name, order, scope="device"):
            return f"atomic_load_explicit({name}, memory_order_{order}, memory_scope_{scope})"

        init, one = "{ [x] = 0; [y] = 0; [m] = 0; [n] = 0; }\n", "wg 0, dev 0"
        order = ("OPENCL order\n" + init + thread(0, one, put("x", 1, "relaxed"))
                 + thread(1, one, f"int a = {get('x', 'relaxed')};", f"int b = {get('x', 'relaxed')};")
                 + thread(2, one, put("x", 2, "seq_cst"), f"int c = {get('y', 'seq_cst')};")
                 + thread(3, one, put("y", 1, "seq_cst"), f"int d = {get('x', 'seq_cst')};")
                 + "exists (1:a=1 /\\ 1:b=2 /\\ 2:c=0 /\\ 3:d=1)\n")
        message = "OPENCL message\n" + init + "".join(
            thread(2 * i, f"wg 0, dev {i}", put(data, 1, "seq_cst"), put(flag, 1, "release", "all_svm_devices"))
            + thread(2 * i + 1, f"wg 0, dev {i}", "int r = 9;",
                     f"if ({get(other, 'acquire', 'all_svm_devices')} == 1) {{ r = {get(data, 'seq_cst')}; }}")
            for i, (data, flag, other) in enumerate((("x", "m", "n"), ("y", "n", "m")))) + "exists (1:r=0 /\\ 3:r=0)\n"
        for text, word, scoped, rule in (
                (order, "Sometimes", "Never", "seq_cst operations have an acyclic relation instead of the order S (A:3.3.9.1)"),
                (message, "Undefined", "Sometimes", "no scope is reduced by the memory that it is used on (A:3.3.8)")):
            self.write("case.litmus", text)
            out, _ = self.run_program("check", "--all-models", "case.litmus")
            self.assertIn(f"Models=opencl-2.0:{word} opencl-2.1:{word} opencl-3.1:{word} scoped:{scoped}\n", out)
            self.assertIn(f"Rules=scoped: {rule}\n", out)
        # where its word is the same no rule is named
        out, _ = self.run_program("check", "--all-models", "SB")
        self.assertNotIn("Rules=", out)

    def test_all_refused_files_are_named(self):
        self.write("litmus/relaxed/REFUSED.litmus", REFUSED)
        self.write("litmus/relaxed/EMPTY.litmus", "")
        out, err = self.run_program("check", "*", status=2)
        self.assertIn("REFUSED.litmus:", err)
        self.assertIn("EMPTY.litmus:", err)
        # the others are answered all the same
        self.assertIn("Observation SB Sometimes 1 3\n", out)

    def test_a_refused_file_takes_no_others_along(self):
        for refused, others in (("A.litmus", ("B", "C")), ("B.litmus", ("A", "C")), ("C.litmus", ("A", "B"))):
            for name in "ABC":
                self.write(f"folder/{name}.litmus", SB.replace("OPENCL SB", f"OPENCL {name}"))
            self.write(f"folder/{refused}", REFUSED)
            for command in ("check", "list", "show", "explain"):
                out, err = self.run_program(command, "folder", status=2)
                self.assertIn(f"{refused}:", err)
                for other in others:
                    self.assertRegex(out, rf"(?m)^(OPENCL |Observation )?{other}\b")
            (self.folder / "written").mkdir(exist_ok=True)
            _, err = self.run_program("export", "folder", "--no-search", "--output", "written", status=2)
            self.assertRegex(err, rf"{refused}:\d+:\d+: error: [^^]*\^")
            self.assertEqual({path.stem.partition(".")[0] for path in (self.folder / "written").glob("*.c")}, set(others))
            shutil.rmtree(self.folder / "written")
        # where no other is left nothing is said to be missing
        for name in "ABC":
            self.write(f"folder/{name}.litmus", REFUSED)
        for command in ("check", "list", "show", "explain", "export", "audit", "run"):
            out, err = self.run_program(command, "folder", status=2)
            self.assertEqual(out, "")
            self.assertNotIn("no test", err)
            self.assertEqual(err.count("error: "), 3)


class WithoutDevice(SuiteCase):
    """No driver, or a program built without OpenCL: the oracle works, the runner says what is missing."""

    def environment(self, **more):
        return super().environment(OCL_ICD_VENDORS="/nonexistent", OCL_ICD_FILENAMES="", **more)

    def test_says_what_to_install(self):
        for arguments in (("devices",), ("run", "SB"), ("run", "--device", "7", "SB")):
            out, err = self.run_program(*arguments, status=77)
            self.assertEqual(out, "")
            self.assertIn("pocl-opencl-icd", err)

    def test_output_is_not_touched(self):
        self.write("results.jsonl", "old\n")
        self.run_program("run", "--output", "results.jsonl", "SB", status=77)
        self.assertEqual(self.read("results.jsonl"), "old\n")

    def test_oracle_works(self):
        self.run_program("check", "--quiet")


class LittleMemory(SuiteCase):
    def status(self, megabytes, *arguments):
        most = megabytes << 20
        result = subprocess.run([common.PROGRAM, *arguments], cwd=self.folder, env=self.environment(),
                                capture_output=True, text=True, check=False,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
        if result.returncode == 99:
            self.assertEqual(result.stderr, "oclmm: out of memory\n")
        return result.returncode

    def test_says_so_and_leaves(self):
        for number in range(400):
            self.write(f"litmus/relaxed/SB-{number}.litmus", SB.replace("OPENCL SB", f"OPENCL SB-{number}"))
        enough = next((size for size in (16 << n for n in range(8)) if self.status(size, "--version") == 0), None)
        if enough is None:
            self.skipTest("it reserves more address space than there is, as under a sanitizer")
        least = next(size for size in range(enough // 2, enough + 1, 2) if self.status(size, "--version") == 0)
        # files are read on several threads: where more than one runs out of memory, one says so
        ends = [self.status(least + more, "list") for more in [*range(40), 1024]]
        self.assertIn(99, ends)
        self.assertEqual(ends[-1], 0, ends)
        self.assertLessEqual(set(ends), {0, 99})


class FullDisk(SuiteCase):
    def test_full_standard_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            result = subprocess.run([common.PROGRAM, "list"], cwd=self.folder, stdout=full,
                                    stderr=subprocess.PIPE, text=True, env=self.environment())
        self.assertEqual(result.returncode, 99)
        self.assertIn("cannot write", result.stderr)


common.main()
