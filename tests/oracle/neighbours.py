#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the text leaves undefined beside what it defines: asynchronous copies of one work-item, maps, migrations, plain data and
atomic operations in memory that only commands make consistent. Each row's word is read from the section that stands above it.
More rows stand in neighbours.txt, where no pattern says them.

usage: neighbours.py OCLMM
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROWS = []  # name, text of the file, word
NEVER, UNDEFINED = "Never", "Undefined"


def row(name, text, word):
    ROWS.append((name, text.replace("OPENCL case", f"OPENCL {name}"), word))


# ---- asynchronous copies, C:6.15.11: until the wait they race with what follows the call, in a group of any size ----

CALL, WAIT = "event_t e = async_work_group_copy(d, x, 1, 0); ", "wait_group_events(1, &e); "
BACK, WAIT_BACK = "event_t f = async_work_group_copy(y, d, 1, 0); ", "wait_group_events(1, &f); "


def copy(name, body, condition, word, kind="int", size=0):
    one, two, none = ("x[2] = {1, 2};", "y[2] = {3, 4};", "d[2] = {0, 0};") if size else (f"{kind} x = 1;", f"{kind} y = 2;", f"local {kind} d = 0;")
    if not size:
        none = f"{kind} d = 0;"
    row("copy-" + name, f"OPENCL case\n{{ {one} {two} {none} }}\nP0@wg 0, dev 0 (global {kind} *x, global {kind} *y, local {kind} *d) "
        f"{{\n  {body}\n}}\nexists ({condition})\n", word)


for kind in ("int", "uint", "long", "ulong"):
    copy("read-early-" + kind, CALL + f"{kind} r = *d; " + WAIT, "0:r=0", UNDEFINED, kind)
    copy("read-late-" + kind, CALL + WAIT + f"{kind} r = *d;", "~ 0:r=1", NEVER, kind)
copy("write-early", CALL + "*d = 5; " + WAIT + "int r = *d;", "0:r=5", UNDEFINED)
copy("source-overwritten", CALL + "*x = 5; " + WAIT + "int r = *d;", "0:r=5", UNDEFINED)
copy("source-overwritten-late", CALL + WAIT + "*x = 5; int r = *d;", "0:r=5", NEVER)
copy("source-read", CALL + "int s = *x; " + WAIT + "int r = *d;", "0:r=0 \\/ 0:s=0", NEVER)
copy("behind-barrier", CALL + "barrier(CLK_LOCAL_MEM_FENCE); int r = *d; " + WAIT, "0:r=0", UNDEFINED)
copy("behind-fence", CALL + "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group); int r = *d; " + WAIT,
     "0:r=0", UNDEFINED)
copy("to-memory-early", "event_t e = async_work_group_copy(x, d, 1, 0); int r = *x; " + WAIT, "0:r=1", UNDEFINED)
copy("two-to-one-place", CALL + "event_t f = async_work_group_copy(d, y, 1, 0); " + WAIT + WAIT_BACK + "int r = *d;", "0:r=0", UNDEFINED)
copy("chain", CALL + BACK + WAIT + WAIT_BACK + "int r = *y;", "0:r=0", UNDEFINED)
copy("chain-waited", CALL + WAIT + BACK + WAIT_BACK + "int r = *y;", "~ 0:r=1", NEVER)
copy("two-cells-early", "event_t e = async_work_group_copy(d, x, 2, 0); int r = d[1]; " + WAIT, "0:r=0", UNDEFINED, size=2)
copy("other-cell", CALL + "int r = d[1]; " + WAIT, "~ 0:r=0", NEVER, size=2)

# ---- maps, A:5.5.4 and A:5.6.1; migrations, A:5.5.5 ----


def commands(name, threads, condition, word, init="[x] = 0; [y] = 0; host [h] = 5;"):
    row(name, f"OPENCL case\n{{ {init} }}\n{threads}locations [x;]\nexists ({condition})\n", word)


WRITES = {
    "kernel": "kernel queue 0 (global int *x) { *x = 1; }", "fill": "fill queue 0 (global int *x) { *x = 1; }",
    "write": "write queue 0 (global int *x, int *h) { *x = *h; }", "copy-to": "copy queue 0 (global int *x, global int *y) { *x = *y; }",
    "sub-buffer": "kernel queue 0 sub 1 (global int *x) { *x = 1; }", "other-queue": "kernel queue 1 (global int *x) { *x = 1; }",
    "unordered": "kernel unordered 1 (global int *x) { *x = 1; }", "other-device": "kernel queue 1 dev 1 (global int *x) { *x = 1; }",
}
READS = {
    "reader": "kernel queue 0 (global int *x) { int r = *x; }", "read": "read queue 0 (global int *x, int *h) { *h = *x; }",
    "copy-from": "copy queue 0 (global int *x, global int *y) { *y = *x; }", "other-reader": "kernel queue 1 (global int *x) { int r = *x; }",
    "migration": "migrate queue 0 (global int *x) {}", "sub-reader": "kernel queue 0 sub 1 (global int *x) { int r = *x; }",
}
for flags in ("", " read", " write", " read write"):
    for word_of, uses in ((UNDEFINED, WRITES), (NEVER if flags == " read" else UNDEFINED, READS)):
        for what, use in uses.items():
            place, body = use.split(" (", 1)
            commands(f"map{flags.replace(' ', '-')}-{what}", f"P0@map{flags} queue 0 blocking (global int *x) {{}}\nP1@{place} ({body}\n"
                     "P2@unmap queue 0 wait 1 (global int *x) {}\n", "x=7", word_of)
            # once it is unmapped all are free
            commands(f"unmap{flags.replace(' ', '-')}-{what}", f"P0@map{flags} queue 0 blocking (global int *x) {{}}\n"
                     f"P1@unmap queue 0 (global int *x) {{}}\nP2@{place} wait 1 ({body}\n", "x=7", NEVER)
    commands(f"map{flags.replace(' ', '-')}-coarse", f"P0@map{flags} queue 0 blocking (global int *x) {{}}\n"
             "P1@kernel queue 0 (global int *x) { *x = 1; }\nP2@unmap queue 0 (global int *x) {}\n", "x=7", UNDEFINED, "coarse [x] = 0;")
    for name, word, waits in (("pointer-early", UNDEFINED, ""), ("pointer", NEVER, " wait 0")):
        commands(f"map{flags.replace(' ', '-')}-{name}", f"P0@map{flags} queue 0 (global int *x) {{}}\n"
                 f"P1@host{waits} (global int *x) {{ int r = *x; }}\nP2@unmap queue 0 (global int *x) {{}}\n", "1:r=7", word)
commands("map-other-object", "P0@map queue 0 blocking (global int *x) {}\nP1@kernel queue 0 (global int *y) { *y = 1; }\n"
         "P2@unmap queue 0 (global int *x) {}\n", "y=0", NEVER)
for what, use in (WRITES | READS).items():
    place, body = use.replace("queue 0", "queue 1").split(" (", 1)
    commands("migrate-beside-" + what, f"P0@{place} ({body}\nP1@migrate queue 0 (global int *x) {{}}\n", "x=7", UNDEFINED)
    commands("migrate-behind-" + what, f"P0@{place} ({body}\nP1@migrate queue 0 wait 0 (global int *x) {{}}\n", "x=7", NEVER)

# ---- memory that is consistent at synchronization points of commands alone, A:3.3.5 and A:3.3.9.5 ----

ALL = "memory_scope_all_svm_devices"


def message(name, kind, place, word, atomic=False):
    data = "global atomic_int *d" if atomic else "global int *d"
    write = f"atomic_store_explicit(d, 1, memory_order_relaxed, {ALL});" if atomic else "*d = 1;"
    read = f"atomic_load_explicit(d, memory_order_relaxed, {ALL})" if atomic else "*d"
    row(name, f"OPENCL case\n{{ svm [x] = 0; {kind} [d] = 0; }}\nP0@wg 0, dev 0 (global atomic_int *x, {data}) {{\n  {write}\n"
        f"  atomic_store_explicit(x, 1, memory_order_release, {ALL});\n}}\nP1@{place} (global atomic_int *x, {data}) {{\n  int s = 9;\n"
        f"  int r = atomic_load_explicit(x, memory_order_acquire, {ALL});\n  if (r == 1) s = {read};\n}}\nexists (1:r=1 /\\ 1:s=0)\n", word)


KINDS = ("", "coarse", "fine", "svm", "system", "program")
for place, atomic, defined in (("wg 1, dev 0", False, KINDS), ("wg 0, dev 0, queue 1", False, ("fine", "svm", "system")),
                               ("wg 0, dev 1", False, ("svm", "system")), ("host", False, ("svm", "system")),
                               ("wg 1, dev 0", True, KINDS), ("wg 0, dev 0, queue 1", True, KINDS[1:]),
                               ("wg 0, dev 1", True, ("svm", "system")), ("host", True, ("svm", "system"))):
    for storage in KINDS if place != "host" else KINDS[1:5]:  # the host has no pointer to the others
        if storage == "program" and "dev 1" in place:
            continue  # each device has its own
        message(f"message-{'atomic' if atomic else 'plain'}-{place.replace(', ', '-').replace(' ', '')}-{storage or 'buffer'}", storage, place,
                NEVER if storage in defined else UNDEFINED, atomic)


def read_rows(text):
    """A name and a word, and below them the test, indented."""
    pattern = re.compile(r"(?m)^([\w-]+) (\w+)\n((?:  .*\n)+)")
    for name, word, body in pattern.findall(text):
        row(name, f"OPENCL {name}\n{body}", word)
    left = [line for line in pattern.sub("", text).splitlines() if line and not line.startswith("#")]
    if left:
        sys.exit(f"neighbours.txt: not understood: {left[0]}")


class Neighbours(unittest.TestCase):
    oclmm = None

    def test_words(self):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for name, text, _ in ROWS:
                names.append(str(pathlib.Path(folder) / (name + ".litmus")))
                pathlib.Path(names[-1]).write_text(text, encoding="utf-8")
            done = subprocess.run([self.oclmm, "check", *names], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.stderr, "")
        words = dict(line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("Observation "))
        self.assertEqual(len(words), len(ROWS), "two rows of one name")
        for name, _, word in ROWS:
            with self.subTest(name):
                self.assertEqual(words[name], word)


if __name__ == "__main__":
    read_rows(pathlib.Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
    Neighbours.oclmm = sys.argv.pop(1)
    unittest.main()
