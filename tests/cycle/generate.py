# SPDX-License-Identifier: Apache-2.0
"""oclmm generate, show --cycle, and tests from standard input.

The files of golden/ are what generate writes; each begins with the cycle that it is made from, in
its comment. usage: generate.py OCLMM [--promote | --searches | --lists]: --searches has what takes several searches, and --lists
searches the suite's lists anew; each has nothing else
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest

OCLMM = os.path.abspath(sys.argv[1])
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
ROOT = GOLDEN.parents[2]
CYCLE = "W.rlx PodWW W.rel Rfe R.acq PodRR R.rlx Fre"


def run(*arguments, text=None, status=0, folder=None):
    """Runs the program, checks its exit status, and returns standard output and error."""
    result = subprocess.run([OCLMM, *arguments], input=text, capture_output=True, text=True, timeout=120,
                            cwd=folder, env={**os.environ, "LC_ALL": "C"})
    if result.returncode != status:
        raise AssertionError(f"{arguments}: {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout, result.stderr


def cycles(path):
    """The lines of a list that are tests."""
    return [line for line in pathlib.Path(path).read_text().splitlines() if line[0] != "#"]


def cycles_without_updates():
    """What a search of four edges finds without updates, by the suite's list."""
    return [line for line in cycles(ROOT / "litmus/tight/four-edges.cycles") if " U." not in line]


class Generate(unittest.TestCase):
    maxDiff = None

    def test_golden_files(self):
        files = sorted(GOLDEN.glob("*.litmus"))
        self.assertGreater(len(files), 8)
        for path in files:
            wanted = path.read_text()
            words = re.search(r"^ \* Cycle: (.*)$", wanted, re.MULTILINE).group(1)
            found = run("generate", words)[0]
            if "--promote" in sys.argv:
                path.write_text(found)
                continue
            self.assertEqual(found, wanted)
            self.assertEqual(path.stem, re.match(r"OPENCL (\S+)", found).group(1))
            # what stands behind Result: is compared with the oracle, and so are controls by `list`
            run("check", str(path))
            shown = run("show", "--cycle", str(path))[0].splitlines()[0]
            self.assertEqual(shown, f"{path.stem}: {words}")

    def test_controls_are_allowed(self):
        """What a file says of its control is true: the outcome is allowed there, and nothing races."""
        for path in sorted(GOLDEN.glob("*.litmus")):
            control = re.search(r"^control (\S+)$", path.read_text(), re.MULTILINE)
            if control:
                name = f"{path.stem}.{control.group(1)}"
                said = run("check", str(path))[0]
                self.assertIn(f"Observation {name.replace('=', '.')} Sometimes", said)

    def test_words_may_be_one_argument_or_many(self):
        self.assertEqual(run("generate", CYCLE), run("generate", *CYCLE.split()))

    def test_shape(self):
        self.assertEqual(run("generate", "--shape", "SB"), run("generate", "PodWR Fre PodWR Fre"))
        self.assertIn("IRIW ", run("generate", "--shape", "list")[0])

    def test_standard_input(self):
        text = run("generate", CYCLE)[0]
        self.assertIn("Observation MP+rel+acq Never", run("check", "-", text=text)[0])
        self.assertIn("is forbidden under every reading", run("explain", "-", text=text)[0])
        self.assertEqual(run("show", "--cycle", "-", text=text)[0].splitlines()[0], f"MP+rel+acq: {CYCLE}")
        error = run("check", "-", text="no test\n", status=2)[1]
        self.assertIn("standard input:1:1: error:", error)
        self.assertIn("larger than", run("check", "-", text="OPENCL x\n" + "y " * 1000000, status=2)[1])

    def test_all(self):
        lines = run("generate", "--all", "--edges", "4")[0].splitlines()
        self.assertEqual(sorted(line.split()[0] for line in lines), ["2+2W", "LB", "MP", "R", "S", "SB"])
        lines = run("generate", "--all", "--edges", "6", "--threads", "4", "--locations", "2")[0].splitlines()
        self.assertEqual(sorted(line.split()[0] for line in lines), ["IRIW", "IRRWIW", "IRWIW"])
        run("generate", "--all", "--edges", "3", status=77)

    def test_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            run("generate", "--all", "--edges", "5", "-o", folder + "/new")
            names = sorted(path.name for path in pathlib.Path(folder, "new").iterdir())
            self.assertEqual(len(names), 6)
            self.assertIn("WRC+rlx+rlx+rlx.litmus", names)
            run("check", folder + "/new")

    def test_tight_goes_on_where_it_was_ended(self):
        """And finds what the suite's list has."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "list")
            part = pathlib.Path(folder, "list.part")
            search = ["generate", "--tight", "--edges", "4", "--no-updates", "--output", str(path)]
            with subprocess.Popen([OCLMM, *search], stdout=subprocess.DEVNULL) as running:
                while running.poll() is None and not (part.exists() and "\nform " in part.read_text()):
                    time.sleep(0.01)
                running.kill()
            if part.exists():
                part.write_text(part.read_text() + "c013 W.rlx PodWW W.rel Rfe")
                done = part.read_text().count("\nform ")
                self.assertGreater(done, 0)
            said = run(*search)[0]
            self.assertRegex(said, r"^4 edges: 27 forms, 9179568 decorations, ")
            self.assertEqual(cycles(path), cycles_without_updates())
            self.assertFalse(part.exists())
            for text in ("search edges=5 updates=yes\n", "search edges=4 updates=no\nno-test\nform 1 1 1 MP\n",
                         "something else, in one line", "search edges=4 updates=no\n\0else"):
                part.write_text(text)
                self.assertIn("is of another search", run(*search, status=2)[1])
                self.assertEqual(part.read_text(), text)

    def test_lists(self):
        """A list stands for the tests of its lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "some.cycles")
            path.write_text(f"# comment\nc013 {CYCLE}\n")
            names = run("list", str(path))[0].split()
            self.assertEqual(names, ["MP+rel+acq", "MP+rel+acq.weaker=P0-y-rlx", "MP+rel+acq.weaker=P1-y-rlx"])
            self.assertIn("Observation MP+rel+acq Never", run("check", str(path))[0])
            path.write_text(f"c013 {CYCLE}\nc013 PodWW Rfe PodRR\n")
            error = run("list", str(path), status=2)[1]
            self.assertIn("some.cycles:2:6: error: PodWW begins with a write", error)

    def test_profile_tight(self):
        names = run("list", "--profile", "tight", folder=ROOT)[0].split()
        base = [name for name in names if ".weaker=" not in name]
        self.assertEqual(len(names), len(set(names)))
        lines = [line for path in (ROOT / "litmus/tight").glob("*.cycles") for line in cycles(path)]
        self.assertEqual(len(base), len(lines))

    def test_refusals(self):
        for arguments, message in [
                ([], "give a cycle, --shape, --all, --kernels or --tight"),
                (["PodWW", "--all"], "give a cycle, --shape, --all, --kernels or --tight"),
                (["--tight"], "--tight needs --edges and --output"),
                (["--tight", "--edges", "7", "-o", "x"], "--tight has up to 6 edges"),
                (["--all"], "--all needs --edges"),
                (["--all", "--edges", "11"], "--edges is between 1 and 10"),
                (["--edges", "4", CYCLE], "go with --all"),
                (["--shape", "IRIV"], 'no shape "IRIV"; did you mean "IRIW"?'),
                (["SB"], '"SB" is a shape, not an edge; write --shape SB'),
                (["PodWW Rfe PodRR Frx"], "cycle:1:17: error: unknown edge `Frx`\n"
                                          "    1 | PodWW Rfe PodRR Frx\n"
                                          "      |                 ^~~\n"
                                          "      did you mean `Fre`?"),
                (["--output", "/dev/null/x", CYCLE], "cannot write"),
        ]:
            status = 99 if "cannot write" in message else 2
            error = run("generate", *arguments, status=status)[1]
            self.assertIn(message, error)

    def test_more_decorations_than_can_be_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            error = run("generate", "--tight", "--every-decoration", "--edges", "6", "--output", f"{folder}/six", status=2)[1]
            self.assertIn("a form has more decorations than can be asked for one by one", error)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_show_prints_one_thing(self):
        error = run("show", "--cycle", "--kernel", "-", text="", status=2)[1]
        self.assertIn("either --cycle or --kernel", error)


class Searches(unittest.TestCase):
    """What searches several times; once is enough for sanitizers."""

    def test_tight_on_a_full_disk(self):
        """It is said what takes no more, and the search goes on elsewhere; a pipe is not waited for."""
        with tempfile.TemporaryDirectory() as folder:
            path, part = pathlib.Path(folder, "list"), pathlib.Path(folder, "list.part")
            search = [OCLMM, "generate", "--tight", "--edges", "4", "--no-updates", "--output", str(path)]
            for most in (10, 300):
                said = subprocess.run(search, capture_output=True, text=True, check=False, preexec_fn=lambda: (
                    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))))    # pylint: disable=cell-var-from-loop
                self.assertEqual((said.returncode, said.stderr),
                                 (99, f"oclmm generate: cannot write {part}: File too large\n"))
                self.assertEqual(part.stat().st_size, most)
            run(*search[1:])
            self.assertFalse(part.exists())
            os.mkfifo(part)
            self.assertIn("is no regular file", run(*search[1:], status=2)[1])

    def test_tight_in_shards(self):
        """Shards have each form once, and put one behind another they are the whole search."""
        with tempfile.TemporaryDirectory() as folder:
            search = ["generate", "--tight", "--edges", "4", "--no-updates"]
            parts, forms = [], []
            for i in range(1, 4):
                run(*search, "--shard", f"{i}/3", "--output", f"{folder}/{i}")
                self.assertFalse(pathlib.Path(folder, str(i)).exists())
                parts.append(pathlib.Path(folder, f"{i}.part").read_text())
                forms.append([line for line in parts[-1].splitlines() if line.startswith("form ")])
            self.assertEqual([len(some) for some in forms], [9, 9, 9])
            self.assertEqual(len(set(sum(forms, []))), 27)
            # one shard twice, one that was ended within a block, and one of parts of forms
            left = parts[0] + parts[1] + parts[0]
            left += "search edges=4 updates=no\nc013 no test\nform 1 1 1 some form #1/8\nc013 no te" + parts[2]
            pathlib.Path(folder, "all.part").write_text(left)
            said = run(*search, "--output", f"{folder}/all")[0]
            self.assertEqual(cycles(f"{folder}/all"), cycles_without_updates())
            self.assertRegex(said, r"^4 edges: 27 forms, 9179568 decorations, ")
            # what is missing is searched
            pathlib.Path(folder, "all.part").write_text(parts[0] + parts[2])
            run(*search, "--output", f"{folder}/all")
            self.assertEqual(cycles(f"{folder}/all"), cycles_without_updates())
            self.assertIn("K/N", run(*search, "--shard", "4/3", "--output", f"{folder}/no", status=2)[1])


class Lists(unittest.TestCase):
    maxDiff = None

    def test_lists_of_the_suite(self):
        """They are what a search writes, to the byte."""
        with tempfile.TemporaryDirectory() as folder:
            for name, options in (("four", ["4"]), ("five", ["5", "--no-updates"])):
                path = pathlib.Path(folder, name)
                run("generate", "--tight", "--edges", *options, "--output", str(path))
                self.assertEqual(path.read_text(), (ROOT / f"litmus/tight/{name}-edges.cycles").read_text())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], {"--lists": "Lists", "--searches": "Searches"}.get(sys.argv[-1], "Generate")])
