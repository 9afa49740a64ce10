# SPDX-License-Identifier: Apache-2.0
"""The commands in the documents are real: options and tests exist, the output is what is shown.

usage: documented.py PROGRAM            what needs no device
       documented.py PROGRAM --device   what runs on PoCL; skipped (77) where it is not the first device
       documented.py PROGRAM --promote  writes the output of now into the documents, for review

What a device printed is compared without its counts. What another device printed
(--device NVIDIA) is compared with what the specification allows.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

MODE = sys.argv.pop(2) if sys.argv[2:3] in (["--device"], ["--promote"]) else ""

import common  # noqa: E402 (takes the program from the command line)
import shown  # noqa: E402
from common import SuiteCase  # noqa: E402

DOCS = shown.ROOT / "docs"
# In code, in blocks or in the line; without the marks of a prompt or an assignment before it.
CODE = re.compile(r"`(oclmm [^`]+)`"
                  r"|^(?:    |\s*- run: |\s*- )(?:\$ )?((?:[A-Z_]+=\S+ )*(?:oclmm|\./quickstart)(?!\S).*)$", re.M)
# Names as most tests have them; words such as `lock-tas` could be anything.
NAME = re.compile(r"[A-Z0-9.]*[A-Z0-9][\w.]*\+[\w+.=-]+")
# The same in prose and tables, where patterns (`SB+*`), ends of names (`….order=rlx`) and paths stand, too.
TOLD = re.compile(r"(?<![\w+.=/@…*-])\w[\w.+-]*(?:\+[a-z][\w.=-]*)+(?![\w.=+*…\[(-])")
# Words that stand for any test.
STANDS_IN = re.compile(r"^(FILE|DIR|TEST|NAME|COMMAND|PATTERN|.*[…$].*)$")


def commands(path):
    """(command, words) of all calls of the program, line continuations joined."""
    text = re.sub(r"\\\n\s*", " ", path.read_text(encoding="utf-8"))
    for match in CODE.finditer(text):
        line = re.split(r"\s#\s|[|;]|\s{2,}", match.group(1) or match.group(2))[0]
        words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
        if words[:1] == ["./quickstart"]:
            if words[1:] != ["test"]:
                yield "run", words[1:]
        elif words[1:] and re.fullmatch("[a-z]+", words[1]):
            yield words[1], words[2:]


class Runner:
    """Runs commands of a document as its reader would, in the source tree, but that files they
    write stay out of it: in a folder of links to what is in it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="oclmm-documented-")
        folders = {name: os.path.join(self.folder.name, name) for name in ("bin", "run", "data", "tree")}
        for folder in folders.values():
            os.mkdir(folder)
        os.symlink(common.PROGRAM, os.path.join(folders["bin"], "oclmm"))
        self.tree = folders["tree"]
        for entry in shown.ROOT.iterdir():
            os.symlink(entry, os.path.join(self.tree, entry.name))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
        self.environment.update(LC_ALL="C.UTF-8", XDG_RUNTIME_DIR=folders["run"],
                                XDG_DATA_HOME=folders["data"],
                                PATH=folders["bin"] + os.pathsep + os.environ["PATH"])

    def run(self, command):
        """Standard output as lines, and the status of a command."""
        result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.tree,
                                env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, timeout=240)
        lines = [line.rstrip() for line in result.stdout.splitlines()]
        return shown.strip(lines), result.returncode, result.stderr

    def close(self):
        self.folder.cleanup()


def all_shown():
    """Every command with output, of all documents, but what would install packages or build."""
    for path in shown.documents():
        for one in shown.shown(path):
            if one.words[:1] == ["oclmm"]:
                yield one


class RunnerCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.runner = Runner()
        self.addCleanup(self.runner.close)

    def output(self, command, *statuses):
        lines, status, err = self.runner.run(command)
        self.assertIn(status, statuses or (0,), f"{command}\n{err}")
        return lines


class Shown(RunnerCase):
    def test_output_is_what_is_shown(self):
        compared = [one for one in all_shown() if one.output and not one.needs_device]
        self.assertGreater(len(compared), 0)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(self.runner.run, [one.command for one in compared]))
        for one, (got, status, err) in zip(compared, results):
            with self.subTest(one.place):
                self.assertEqual(status, 0, err)
                if not shown.fits(one.output, got):
                    self.assertEqual(got, one.output, "see --promote")

    def test_files_stay_out_of_the_tree(self):
        before = {entry.name for entry in shown.ROOT.iterdir()}
        self.output("oclmm explain MP+rel+acq --svg drawn-here.svg")
        self.assertTrue(os.path.exists(os.path.join(self.runner.tree, "drawn-here.svg")))
        self.assertEqual({entry.name for entry in shown.ROOT.iterdir()} - before, set())

    def test_other_devices_kept_the_model(self):
        """A histogram that nobody can repeat here has at least no outcome that is forbidden."""
        allowed = {}
        for one in all_shown():
            if not one.elsewhere:
                continue
            for test, outcome in shown.rows(one.output):
                if test not in allowed:
                    allowed[test] = self.states(test, one)
                with self.subTest(one.place, test=test):
                    self.assertTrue(allowed[test] is None or outcome in allowed[test],
                                    f"{test}: {outcome} is not among {allowed[test]}")

    def states(self, logged, one):
        """What consensus allows or disputes; None for a test that is undefined."""
        # reports write `.` for what the herd tools do not take in a name
        wanted = [word for word in one.words if re.sub(r"[^\w+.-]", ".", word) == logged]
        lines = self.output(f"oclmm check {shlex.quote(wanted[0] if wanted else logged)}")
        if any(line.startswith("Undefined=") for line in lines):
            return None
        count = int(next(re.match(r"States (\d+)", line)[1] for line in lines if line.startswith("States")))
        disputed = [line.split("=", 1)[1].split(" #")[0] for line in lines if line.startswith("Disputed=")]
        return lines[2:2 + count] + disputed

    def test_a_forbidden_row_would_be_found(self):
        output = ["Test MP+rel+acq.order.sc Allowed", "9     :>1:r0=1; 1:r1=1;", "1     *>1:r0=1; 1:r1=0;"]
        one = shown.Shown(DOCS, 1, "", "oclmm run --device NVIDIA -v MP+rel+acq.order=sc", output)
        states = self.states("MP+rel+acq.order.sc", one)
        self.assertEqual([outcome in states for _, outcome in shown.rows(output)], [True, False])


class Loose(RunnerCase):
    """Output of a device, or of files that nobody keeps, stands behind no `$`. It has its command before it all the
    same, and what does not depend on the day is compared."""

    def setUp(self):
        super().setUp()
        self.loose = [one for path in shown.documents() for one in shown.loose(path)]
        self.known = {re.sub(r"[^\w+.-]", ".", name) for name in self.output("oclmm list")}

    def test_comes_from_a_command(self):
        self.assertGreater(len(self.loose), 5)
        for one in self.loose:
            with self.subTest(one.place):
                self.assertTrue(one.command, "no command stands before it in its section")
                self.assertNotIn(one.command[0], shown.EVERYWHERE, "put the command before it behind a `$`")

    def test_is_of_tests_that_there_are(self):
        for one in self.loose:
            rows = [re.match(r"(?:Test|Observation) (\S+) |", line)[1] for line in one.lines]
            rows += [row[2] for row in map(shown.ROW.match, one.lines) if row]
            for name in filter(None, rows):
                with self.subTest(one.place):
                    self.assertIn(re.sub(r"[^\w+.-]", ".", name), self.known)

    def test_is_printed_so(self):
        for one in self.loose:
            for line in one.lines:
                with self.subTest(one.place):
                    self.assertFalse(shown.misprinted(line), line)
                    # it is one line, however long
                    self.assertTrue(not line.startswith("verdict: ") or re.search(r" (skipped|left out|can fail\))$", line), line)

    def test_keeps_the_model(self):
        for one in self.loose:
            states = {}
            for test, outcome in shown.rows(one.lines):
                if test not in states:
                    [name] = [name for name in self.output("oclmm list") if re.sub(r"[^\w+.-]", ".", name) == test]
                    states[test] = [line for line in self.output(f"oclmm check {shlex.quote(name)}")]
                with self.subTest(one.place, test=test):
                    self.assertIn(outcome, [state.split(" #")[0] for state in states[test]])


class Options(RunnerCase):
    def test_options_exist(self):
        help_of = {}
        for path in shown.documents():
            for command, words in commands(path):
                if command not in help_of:
                    help_of[command] = "\n".join(self.output(f"oclmm help {command}"))
                help_text = help_of[command]
                for word in words:
                    option = re.match(r"--[a-z-]+|-[a-z]", word)
                    if option and option[0] != "--no-install":
                        there = rf"{option[0]}(?=[ \n])" if option[0][1] == "-" else rf"(?m)^  {option[0]}, "
                        with self.subTest(path.name, command=command, words=words):
                            self.assertRegex(help_text + "\n", there)

    def test_tests_exist(self):
        """Whoever types a name or a pattern from a document gets a test."""
        known = set(self.output("oclmm list"))
        for path in shown.documents():
            for command, words in commands(path):
                if command not in ("check", "show", "list", "run", "explain"):
                    continue
                for name in words:
                    if NAME.fullmatch(name) and not STANDS_IN.match(name):
                        with self.subTest(path.name, command=command):
                            self.assertIn(name, known)


def told(path):
    """Names of tests in a page's prose and tables."""
    prose = re.sub(r"(?m)^    .*$|^```(?:.|\n)*?^```$", "", path.read_text(encoding="utf-8"))
    return {name.rstrip(".").removesuffix(".litmus") for name in TOLD.findall(prose)}


class Told(RunnerCase):
    """A page that says what a test showed names one that there is."""

        # what `generate` calls a cycle, what follows a page's # in an address, and files that `export` writes
    OTHERS = {"MP+rel-rlx+acq", "t-MP+rel+acq", "SB+sc+sc.c", "add+add.planted"}

    def test_exist(self):
        known = set(self.output("oclmm list"))
        names = {path: told(path) for path in shown.documents()}
        self.assertGreater(sum(map(len, names.values())), 300)
        for path in names:
            with self.subTest(path.name):
                self.assertEqual(names[path] - known - self.OTHERS, set())

    def test_plants_exist(self):
        """`rmw-split:N@load` in docs/planted.md is a plant, or `rmw-…` the beginning of some."""
        lines, status, _ = self.runner.run("oclmm planted --list")
        if status:
            self.skipTest("built without a device")
        known = {line.split()[0] for line in lines if line[:1].strip()}
        page = (DOCS / "planted.md").read_text(encoding="utf-8")
        named = set(re.findall(r"`([a-z]+-[a-z0-9-]*)(?=[`:@])", page))
        begun = set(re.findall(r"`([a-z]+-)…", page))
        self.assertGreater(len(named), 80)
        self.assertEqual(named - known - {"twin-failed", "without-order"}, set())    # an event of the log, a line of a matrix
        self.assertEqual([word for word in begun if not any(name.startswith(word) for name in known)], [])

    def test_another_would_be_found(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        page = pathlib.Path(self.folder.name) / "page.md"
        page.write_text("MP+rel+acq, 2+2W+sc+sc.by=fence; not SB+*, `SB+sc…`, R+rel+acq.op=m*, C++11, ../a/X+y.litmus\n\n"
                        "    LB+acq+acq\n\n| R+sc+sx. | add+and |\n")
        self.assertEqual(told(page), {"MP+rel+acq", "2+2W+sc+sc.by=fence", "R+sc+sx", "add+and"})


def anchors(path):
    """The anchors that GitHub and GitLab give to the headings of a document."""
    for heading in re.findall(r"(?m)^#+ (.*)$", path.read_text(encoding="utf-8")):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        for path in shown.documents():
            prose = re.sub(r"(?m)^    .*$|`[^`]*`", "", path.read_text(encoding="utf-8"))
            for target in re.findall(r"\]\(([^)\s]+)\)", prose):
                if re.match(r"\w+:", target):
                    continue
                name, _, anchor = target.partition("#")
                there = (path.parent / name) if name else path
                with self.subTest(path.name, target=target):
                    self.assertTrue(there.exists())
                    if anchor:
                        self.assertIn(anchor, set(anchors(there)))


class Examples(SuiteCase):
    def test_expectations_example(self):
        text = (DOCS / "ci.md").read_text(encoding="utf-8")
        lines = [line[4:] for line in text.splitlines() if line.startswith("    ") and line.count("|") == 6]
        self.assertGreaterEqual(len(lines), 3)
        self.write("known", "\n".join(lines) + "\n")
        # refused expectations come before the missing results
        _, err = self.run_program("grade", "--expectations", "known", "none.jsonl", status=2)
        self.assertIn("none.jsonl", err)
        self.assertNotIn("known:", err)

    def test_statuses(self):
        """The table of ci.md has the statuses of gate, all of them and in order."""
        text = (DOCS / "ci.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?m)^\| (\d+) \|", text), ["0", "1", "2", "3", "4", "77", "99"])


class Device(RunnerCase):
    def test_output_is_what_is_shown(self):
        for one in all_shown():
            if not one.needs_device or one.elsewhere or not one.output:
                continue
            with self.subTest(one.place):
                # what is not judged may still be missing an expected confidence
                # whether a run proved something is told by its last line, where that is shown
                last = re.findall(r"(?m)^verdict: (\w+)", "\n".join(one.output))
                statuses = {"pass": (0,), "inconclusive": (3,)}[last[-1]] if last else (0, 3)
                got = shown.without_chance(self.output(one.command, *statuses))
                wanted = shown.without_chance(one.output)
                if not shown.fits(wanted, got):
                    self.assertEqual(got, wanted, "see --promote")


def has_pocl():
    result = subprocess.run([common.PROGRAM, "devices"], capture_output=True, text=True)
    return result.returncode == 0 and result.stdout.startswith("0  Portable Computing Language")


def same(one, got):
    """Whether the document need not change."""
    if one.needs_device:
        return shown.fits(shown.without_chance(one.output), shown.without_chance(got))
    return shown.fits(one.output, got)


def promote():
    """Puts the output of now where it differs."""
    runner = Runner()
    for path in shown.documents():
        lines, changed = path.read_text(encoding="utf-8").splitlines(), False
        for one in reversed(list(shown.shown(path))):
            if one.words[:1] != ["oclmm"] or one.elsewhere or (one.needs_device and not has_pocl()):
                continue
            got, status, err = runner.run(one.command)
            if status:
                print(f"{one.place}: status {status}\n{err}")
                continue
            if not same(one, got):
                print(one.place)
                changed = True
                lines[one.last - len(one.output):one.last] = [
                    (one.indent + line).rstrip() for line in shown.with_gaps(one.output, got)]
        if changed:
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    runner.close()


if MODE == "--promote":
    promote()
elif MODE == "--device":
    if not has_pocl():
        print("PoCL is not the first device")
        sys.exit(77)
    del Shown, Loose, Options, Told, Links, Examples
    common.main()
else:
    del Device
    common.main()
