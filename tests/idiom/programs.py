# SPDX-License-Identifier: Apache-2.0
"""All programs of oclmm idiom on a device, with small sizes; what is refused there; and what hangs."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (lies beside, and takes the program from the command line)
from common import QUICKLY_COMPILED, SuiteCase  # noqa: E402
from drawn import drawn  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BARRIERS = ("global-barrier-count", "global-barrier-leaders", "global-barrier-flags")
SUMS = ("sum-by-atomics", "product-by-atomics", "sum-by-host", "last-group-done", "staged-reduction", "tree-reduction")
SCANS = ("scan-segments", "scan-look-back", "scan-packed")
WAITING = BARRIERS + ("staged-reduction",)
# More groups than any device has places.
MANY = "10000000"
# What must happen soon, but may take its time where other work has the processors.
PATIENCE = 120


class Programs(SuiteCase):
    COMPILED = QUICKLY_COMPILED

    def idiom(self, *arguments, status=0, suite=ROOT):
        return self.run_program("idiom", *arguments, status=status,
                                environment=self.environment(OCLMM_SUITE=str(suite), **self.COMPILED))

    def records(self, *arguments, status=0, suite=ROOT):
        out, _ = self.idiom(*arguments, "--json", status=status, suite=suite)
        return self.lines_of_json(out)

    def probe(self, group_size):
        record, = self.records("progress", "--group-size", str(group_size))
        row, = record["rows"]
        self.assertEqual(row["group_size"], group_size)
        return row

    def changed_suite(self, file, old, new):
        """A copy of the kernels in which a text is another one."""
        folder = self.folder / "changed/litmus/idiom"
        if not folder.exists():
            folder.mkdir(parents=True)
            for path in (ROOT / "litmus/idiom").glob("*.cl"):
                shutil.copy(path, folder)
        text = (folder / file).read_text()
        self.assertIn(old, text, file)
        (folder / file).write_text(text.replace(old, new))
        return self.folder / "changed"


class Repaired(Programs):
    COMPILED = {}    # as usual

    def test_any_size(self):
        """No elements, one, and more than a group, but no power of two: all right."""
        # in another order than below, so that the two draw other programs
        some, barriers = drawn(SUMS[3:] + SCANS + SUMS[:3], 3), drawn(BARRIERS, 1)
        for size in (0, 1, 4099):
            records = self.records(*some, "--size", str(size), "--runs", "1", "--repeat", "1")
            records += self.records(*barriers, "--size", str(size), "--steps", "7", "--runs", "1", "--repeat", "1")
            self.assertEqual([r["program"] for r in records], [*some, *barriers])
            for record in records:
                self.assertEqual((record["end"], record["size"]), ("right", size), record)
                self.assertEqual((record["stress_runs"], record["stress_right"]), (1, 1), record)

    def test_any_group_size(self):
        some, barriers = drawn(SCANS + SUMS, 3), drawn(("global-barrier-leaders", "global-barrier-flags"), 1)
        for group_size in (1, 96):
            records = self.records(*some, "--size", "5000", "--group-size", str(group_size), "--runs", "1")
            records += self.records(*barriers, "--size", "300", "--steps", "5", "--group-size", str(group_size),
                                    "--runs", "1")
            for record in records:
                self.assertEqual((record["end"], record["group_size"]), ("right", group_size), record)

    def test_one_group(self):
        for record in self.records(*SUMS, "--size", "777", "--groups", "1", "--runs", "1"):
            self.assertEqual((record["end"], record["groups"]), ("right", 1), record)

    def test_seeds(self):
        for seed in ("1", "0xffffffffffffffff"):
            records = self.records("scan-look-back", "--size", "3000", "--repeat", "4", "--seed", seed)
            self.assertEqual([(r["end"], r["stress_right"]) for r in records], [("right", 4)])

    def test_text(self):
        out, err = self.idiom("global-barrier-leaders", "--steps", "20", "--repeat", "2")
        self.assertEqual(err, "")
        self.assertRegex(out, r"(?m)^right +global-barrier-leaders, repaired$")
        self.assertRegex(out, r"(?m)^    2048 elements, 20 steps, \d+ groups? of 64 \(\d+ run at the same time\)$")
        self.assertRegex(out, r"(?m)^    [\d.e+]+ [num]?s per barrier, 40 barriers$")
        self.assertIn("under stress: 2 of 2 right", out)

    def test_one_of_each(self):
        out, _ = self.idiom("global-barrier-leaders", "--size", "1", "--steps", "1", "--groups", "1", "--group-size", "1")
        self.assertRegex(out, r"(?m)^    1 element, 1 step, 1 group of 1 \(")

    def test_json(self):
        record, = self.records("sum-by-atomics", "--size", "100000")
        self.assertEqual(record["runs"], 5)
        for key in ("kernel_seconds", "wall_seconds", "sequential_seconds", "elements_per_second",
                    "bytes_per_second", "copy_bytes_per_second"):
            self.assertGreater(record[key], 0, key)
        self.assertAlmostEqual(record["bytes_per_second"] / (400000 / record["kernel_seconds"]), 1, places=5)


    def test_side_by_side(self):
        """What kernels do on a GPU alone, on whatever device is here."""
        suite = self.changed_suite("common.cl", "// SPDX", "#undef SIDE_BY_SIDE\n#define SIDE_BY_SIDE 1\n// SPDX")
        for size in ("3", "100003"):
            for record in self.records(*drawn(SUMS + SCANS, 3), "--size", size, "--group-size", "40", "--runs", "1",
                                       suite=suite):
                self.assertEqual(record["end"], "right", record)


class Picture(Programs):
    SVG = "{http://www.w3.org/2000/svg}"

    def test_drawn(self):
        """A line for each group size and a point for each size, and the host's times beside them."""
        path = self.folder / "times.svg"
        records = self.records("sum-by-host", "--size", "5000", "--runs", "1", "--plot", str(path))
        panel, = self.panels(path)
        sizes = sorted({r["group_size"] for r in records})
        self.assertEqual({r["size"] for r in records}, {1024, 5000})
        self.check_panel(panel, "sum-by-host", sizes, records)

    def test_two_panels(self):
        path = self.folder / "times.svg"
        records = self.records("sum-by-host", "scan-segments", "--size", "100", "--group-size", "8", "--runs", "1",
                               "--plot", str(path))
        panels = self.panels(path)
        self.assertEqual(len(panels), 2)
        for name, panel in zip(("sum-by-host", "scan-segments"), panels):
            mine = [r for r in records if r["program"] == name]
            self.assertEqual([(r["size"], r["group_size"]) for r in mine], [(100, 8)])
            self.check_panel(panel, name, [8], mine)

    def panels(self, path):
        return xml.etree.ElementTree.parse(path).getroot().findall(f"{self.SVG}g")

    def check_panel(self, panel, name, sizes, records):
        words = [text.text for text in panel.iter(f"{self.SVG}text")]
        self.assertIn(name, words)
        self.assertIn("host, one by one", words)
        for size in sizes:
            self.assertIn(f"groups of {size}", words)
        self.assertEqual(len(panel.findall(f"{self.SVG}polyline")), len(sizes) + 1)
        self.assertEqual(len(panel.findall(f"{self.SVG}circle")), len(records))

    def test_refused(self):
        _, err = self.idiom("progress", "--plot", str(self.folder / "p.svg"), status=2)
        self.assertIn("--plot: progress has no sizes to draw", err)
        _, err = self.idiom("scan-packed", "--as-published", "--plot", str(self.folder / "p.svg"), status=2)
        self.assertIn("--plot: scan-packed has no sizes to draw", err)
        out, err = self.idiom("sum-by-host", "--plot", str(self.folder / "none/p.svg"), status=99)
        self.assertEqual(out, "")
        self.assertIn(f"cannot write {self.folder}/none/p.svg", err)


class Progress(Programs):
    def test_probe(self):
        record, = self.records("progress")
        sizes = [row["group_size"] for row in record["rows"]]
        self.assertEqual(sizes, sorted(set(sizes)))
        self.assertEqual(sizes[0], 1)
        self.assertTrue(record["rows"][0]["together"], "one work-item waits for nobody")
        for row in record["rows"]:
            self.assertGreaterEqual(row["groups"], 1)

    def test_more_than_there_are(self):
        """Refused with the number that was found."""
        _, err = self.idiom("progress", "--group-size", "64", "--groups", MANY, status=2)
        self.assertRegex(err, rf"--groups {MANY}: only \d+ groups of 64 run at the same time here")
        out, err = self.idiom(*WAITING, "--group-size", "1", "--groups", MANY, status=2)
        self.assertEqual(out, "")
        for name in WAITING:
            self.assertRegex(err, rf"{name}: --groups {MANY}: only \d+ groups of 1 run at the same time here, "
                                  "and these groups wait for each other")

    def test_what_is_found_can_be_used(self):
        groups = self.probe(16)["groups"]
        for name in ("global-barrier-leaders", "global-barrier-flags"):
            record, = self.records(name, "--group-size", "16", "--steps", "5", "--groups", str(groups), status=None)
            # another program may have taken a processor since
            self.assertIn(record["end"], ("right", "refused"), record)

    def test_work_items_that_run_one_after_another(self):
        together = self.probe(2)["together"]
        out, err = self.idiom("global-barrier-count", "--group-size", "2", "--steps", "5",
                              status=0 if together else 2)
        if together:
            self.assertIn("right", out)
        else:
            self.assertIn("those of one group run one after another here", err)

    def test_waits_end(self):
        """A probe that claims too much: the waits give up, and say so."""
        suite = self.changed_suite("common.cl", "if (poll_is_closed(poll) || !poll_lock(poll, turns))\n\t\treturn;\n\tif",
                                   "atomic_store_explicit(&poll[POLL_COUNT], 9000u, memory_order_relaxed, "
                                   "memory_scope_device);\n\treturn;\n\tif")
        self.changed_suite("common.cl", "turn <= turns;", "turn <= turns / 1000;")
        for name in ("global-barrier-flags", "staged-reduction"):
            out, _ = self.idiom(name, "--group-size", "16", "--size", "144000", "--groups", "9000", status=3,
                                suite=suite)
            self.assertIn("gave up", out)
            self.assertRegex(out, r"[0-9]{3,} groups of 16 \(9000 run at the same time\)")
            self.assertIn("what it waited for did not run", out)


class Refused(Programs):
    def test_group_size(self):
        names = (*SUMS, *SCANS, *BARRIERS, "progress")
        _, err = self.idiom(*names, "--group-size", "1e9", status=2)
        for name in names:
            self.assertRegex(err, f"{name}: --group-size 1000000000: this device takes at most [0-9]+ work-items")

    def test_beyond_memory(self):
        for size in ("1e17", "1e13"):
            out, err = self.idiom(*SUMS, *SCANS, *BARRIERS, "--size", size, status=2)
            self.assertEqual(out, "")
            for name in (*SUMS, *SCANS, *BARRIERS):
                self.assertRegex(err, f"{name}: --size 1[0-9]+.*(memory|MiB)")

        # of which a device may have less than the words for so many groups, or for the poll that counts them
        for name, groups in (("sum-by-host", "4e9"), ("last-group-done", "4.2e9"), ("sum-by-host", "1e17")):
            out, err = self.idiom(name, "--groups", groups, "--group-size", "1", "--size", "1000", status=2)
            self.assertEqual(out, "")
            self.assertRegex(err, f"{name}: .*groups.*(MiB|work-items)")

    def test_what_a_program_does_not_have(self):
        _, err = self.idiom("sum-by-host", "--steps", "5", status=2)
        self.assertIn("--steps: sum-by-host has none", err)
        _, err = self.idiom("scan-look-back", "--groups", "5", status=2)
        self.assertIn("--groups: their number follows from the size", err)
        _, err = self.idiom("global-barrier-flags", "--steps", "1e10", status=2)
        self.assertIn("--steps 10000000000: at most 2^31-1", err)
        _, err = self.idiom("scan-look-back", "--as-published", status=2)
        self.assertIn("scan-look-back has no published form", err)

    def test_as_published(self):
        for arguments, message in [
                (("sum-by-atomics", "--size", "1000", "--group-size", "64"), "has to be a multiple of the group size"),
                (("staged-reduction", "--size", "0"), "has to be a multiple of the group size"),
                (("global-barrier-leaders", "--group-size", "64", "--groups", "3"),
                 "2048 elements make 32 groups of 64, not 3"),
                (("global-barrier-flags", "--group-size", "32"), "64 groups are more than 32 work-items"),
                (("global-barrier-leaders", "--size", "96"), "a power of two below 2^31"),
                (("tree-reduction", "--size", "98"), "a multiple of four"),
                (("tree-reduction", "--group-size", "48"), "a power of two up to 64"),
                (("scan-segments", "--group-size", "96"), "the number of work-items is a power of two"),
                (("progress", "--groups", "10001"), "at most that many can wait for it"),
        ]:
            _, err = self.idiom(*arguments, "--as-published", status=2)
            self.assertIn(message, err)

    def test_idle_groups(self):
        """A device that is asked for billions of work-items that do nothing seems to hang."""
        for name in SUMS:
            if name == "staged-reduction":
                continue    # its groups have to run at the same time, which is refused before
            _, err = self.idiom(name, "--size", "1M", "--group-size", "64", "--groups", "2000000", status=2)
            self.assertIn("more than 2^26 of them and more than there are elements", err)

    def test_several_programs(self):
        """The worst status counts, and the others run."""
        out, err = self.idiom("sum-by-host", "scan-look-back", "tree-reduction", "--size", "100", "--groups", "1",
                              status=2)
        self.assertIn("scan-look-back: --groups", err)
        self.assertEqual(out.count("\nright") + out.startswith("right"), 2, out)


class Published(Programs):
    COMPILED = {}

    def test_that_end(self):
        for record in self.records("sum-by-atomics", "sum-by-host", "last-group-done", "tree-reduction",
                                   "--as-published", "--size", "8192", "--group-size", "64", "--runs", "1"):
            self.assertEqual((record["form"], record["end"]), ("published", "right"), record)
        # one segment: no second group shares the array
        record, = self.records("scan-segments", "--as-published", "--size", "1024", "--group-size", "64")
        self.assertEqual((record["end"], record["groups"]), ("right", 1))

    def test_one_group(self):
        """Nobody to wait for: the published barriers are right."""
        for name in ("global-barrier-leaders", "global-barrier-flags"):
            record, = self.records(name, "--as-published", "--size", "64", "--group-size", "64", "--steps", "10")
            self.assertEqual((record["end"], record["groups"], record["barriers"]), ("right", 1, 20))

    def test_that_hang(self):
        """More groups wait than any device has places: ended by the limit, with words and a status for it."""
        for name, size in drawn((("global-barrier-leaders", 16 * 8192), ("global-barrier-count", 16 * 8192),
                                 ("staged-reduction", 16 * 16 * 65536)), 2):
            started = time.monotonic()
            out, _ = self.idiom(name, "--as-published", "--size", str(size), "--group-size", "16", "--timeout", "1.5",
                                status=3)
            self.assertLess(time.monotonic() - started, PATIENCE)
            self.assertRegex(out, rf"(?m)^did not end +{name}, as published$")
            self.assertIn("did not end within 1.5 s: ", out)
            self.assertIn(f"{size} elements", out)
        record, = self.records("progress", "--as-published", "--groups", "10000", "--group-size", "1", "--timeout",
                               "2", status=3)
        self.assertEqual(record["end"], "did not end")
        self.assertIn("the waiting groups take all places", record["message"])

    def test_experiment_that_ends(self):
        record, = self.records("progress", "--as-published", "--groups", "1", "--group-size", "1", "--timeout", "60")
        self.assertEqual(record["end"], "right")


class Judged(Programs):
    """Kernels that are wrong are found out."""

    def test_wrong_answers(self):
        for file, old, new in drawn([
                ("sum-by-atomics.cl", "(sum, mine,", "(sum, mine + 1,"),
                ("last-group-done.cl", "mine += partial[i]", "mine += partial[0]"),
                ("tree-reduction.cl", "sum.x + sum.y", "sum.x"),
                ("staged-reduction.cl", "*sum = mine;", "*sum = mine ^ 1;"),
                ("scan-segments.cl", "out[first + i] += totals", "out[first + i] -= totals"),
                ("product-by-atomics.cl", "&old, old * mine", "&old, mine"),
                ("scan-look-back.cl", "values[tile] = value", "values[tile] = 0"),
                ("scan-packed.cl", "as_uint(value)", "as_uint(0.0f)"),
                ("global-barrier-leaders.cl", "a[(i + 2) % n]", "a[(i + 1) % n]"),
        ], 5):
            suite = self.changed_suite(file, old, new)
            steps = ("--steps", "3") if file.startswith("global") else ()
            groups = ("--group-size", "8") if file == "scan-segments.cl" else \
                ("--group-size", "1") if file.startswith("scan") else \
                ("--groups", "3") if file.startswith("last") else ()
            record, = self.records(file[:-3], "--size", "3000", *steps, *groups, status=1, suite=suite)
            self.assertEqual(record["end"], "wrong", file)
            self.assertRegex(record["message"], r"^element \d+ of \d+ is \S+ and should be \S+$")

    def test_a_step_too_few(self):
        suite = self.changed_suite("global-barrier-flags.cl", "step < steps", "step + 1 < steps")
        out, _ = self.idiom("global-barrier-flags", "--steps", "5", status=3, suite=suite)
        self.assertIn("the device ended the loop after 4 of 5 steps", out)

    def test_broken_kernels(self):
        suite = self.changed_suite("sum-by-host.cl", "SIZED void", "SIZED vooid")
        _, err = self.idiom("sum-by-host", status=99, suite=suite)
        self.assertIn("the device's compiler refuses the kernel", err)
        (suite / "litmus/idiom/tree-reduction.cl").unlink()
        _, err = self.idiom("tree-reduction", status=99, suite=suite)
        self.assertIn("tree-reduction.cl: No such file or directory", err)


class Processes(Programs):
    def start(self, *arguments):
        return subprocess.Popen([common.PROGRAM, "idiom", *arguments], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                env=self.environment(OCLMM_SUITE=str(ROOT)))

    @staticmethod
    def processes_of(folder):
        """Numbers of live processes of the program that work in a folder."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/cwd") == str(folder):
                    found.append(pid)
            except OSError:
                pass    # gone, or another user's
        return found

    def test_leaves_nothing_behind(self):
        """Neither a limit nor a kill leaves a process that still holds the device."""
        hanging = ("progress", "--as-published", "--groups", "10000", "--group-size", "1")
        self.idiom(*hanging, "--timeout", "1", status=3)
        self.assertEqual(self.processes_of(self.folder), [])
        process = self.start(*hanging, "--timeout", "600")
        end = time.monotonic() + PATIENCE
        while len(self.processes_of(self.folder)) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        self.assertGreaterEqual(len(self.processes_of(self.folder)), 2)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        while self.processes_of(self.folder) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(self.processes_of(self.folder), [])

    def test_repaired_form_has_a_limit_too(self):
        out, _ = self.idiom("global-barrier-leaders", "--size", "2048", "--steps", "1e9", "--timeout", "2", status=3)
        self.assertIn("did not end within 2 s", out)


if __name__ == "__main__":
    common.main()
