#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The long run of the harnesses under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.

    fuzz.py [--seconds N] [--rounds N] [--processes N] [--fast] [--folder FOLDER] [HARNESS ...]
    fuzz.py --export FOLDER
    FOLDER/run-fuzz SECONDS PROCESSES [HARNESS ...]

Builds them with clang in `build-fuzz`, runs each for N seconds (60) on the committed corpus, files of the
tree (SEEDS) and what earlier runs found beside it, and prints how many inputs that were. Every word of these files
is in the dictionary, beside those of fuzz.dict. What ends a harness, leaks,
or takes 30 seconds or 2 GiB lies in FOLDER/found; the exit status is then 1. An input that says something new
of a mended fault belongs into corpus/HARNESS.

--fast: most of the time goes to a build without sanitizers in FOLDER-fast, which takes several times as many
inputs; what reached new code there is then run under sanitizers, too. --processes: so many at once go through
all harnesses, each from another one on, and share what they find.

--export: both builds, stripped, of all inputs known here those that reach something of their own, and the libraries
that are needed, in a folder that can be carried to another machine of this kind; there `run-fuzz` needs Python and
nothing else, and takes so many seconds in all.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Whoever adds a construct gives it a file in tests/syntax/accept, and so to these.
LITMUS = ["tests/syntax/accept/*.litmus", "litmus/*/*.litmus"]
SEEDS = {"bugs": ["litmus/bugs/*"], "derived": LITMUS, "equivalents": ["litmus/planted/equivalents"],
         "litmus": LITMUS, "profile": ["tests/tune/accepted/*"]}
FAST, SANITIZED = "without sanitizers", "under sanitizers"
RUN_FUZZ = """#!/bin/sh
# run-fuzz SECONDS PROCESSES [HARNESS ...]
seconds=$1 processes=$2
shift 2
exec python3 -B "$(dirname "$0")/fuzz.py" --total "$seconds" --processes "$processes" "$@"
"""
EXPORTED = (HERE / "run-fuzz").exists()
NO_LEAKS = "LeakSanitizer has encountered a fatal error"


def names():
    return sorted(path.name for path in (HERE / ("seeds" if EXPORTED else "corpus")).iterdir() if path.is_dir())


def build(folder, sanitizers):
    if not (folder / "build.ninja").exists():
        folder.mkdir(parents=True, exist_ok=True)
        native = folder / "clang.ini"
        native.write_text("[binaries]\nc = 'clang'\n")
        # the warnings are the ordinary build's affair
        subprocess.run(["meson", "setup", folder, ROOT, "--native-file", native, "-Dfuzzing=true",
                        "-Dc_args=-w -fsanitize=fuzzer-no-link", f"-Db_sanitize={sanitizers}",
                        "-Db_lundef=false"], check=True, stdout=subprocess.DEVNULL)
    targets = [f"tests/fuzz/fuzz_{name}" for name in names()]
    subprocess.run(["ninja", "-C", folder, *targets], check=True, stdout=subprocess.DEVNULL)
    return folder / "tests/fuzz"


class Place:
    """Where the builds are, their folders by how they were built, and where new inputs go."""

    def __init__(self, programs, folder, environment=None):
        self.programs, self.folder = programs, folder
        self.environment = {**os.environ, "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1", **(environment or {})}
        self.loader = []
        for name in ("found", *(f"grown/{how}/{harness}" for how in programs for harness in names())):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def call(self, how, name, *words):
        return subprocess.run([*self.loader, self.programs[how] / f"fuzz_{name}", *words],
                              capture_output=True, text=True, errors="replace", env=self.environment, check=False)

    def fit(self):
        """On another machine: its own libraries may be too old, and it may not let leaks be looked for."""
        name, one = names()[0], "-runs=1"
        loader, libraries = next(iter((HERE / "lib").glob("ld-*"))), HERE / "lib"
        if self.call(FAST, name, one).returncode:
            self.loader = [loader, "--library-path", libraries]
        said = self.call(SANITIZED, name, one)
        if NO_LEAKS in said.stderr:
            print("leaks cannot be looked for on this machine")
            self.environment["ASAN_OPTIONS"] = "detect_leaks=0"
            said = self.call(SANITIZED, name, one)
        if said.returncode:
            sys.exit("the harnesses do not run here:\n" + said.stderr[-3000:])

    def corpora(self, how, name):
        """What is new lies in the first."""
        grown = [self.folder / "grown" / each / name for each in [how, *(self.programs.keys() - {how})]]
        return [*grown, self.folder / "seeds" / name]

    def gather(self, name):
        """What stands in the tree for a harness, and its words. A test of the suite, of which there are many, is
        taken where it has the name of a function, an order or a scope that none before it has."""
        seeds = self.folder / "seeds" / name
        shutil.rmtree(seeds, ignore_errors=True)
        seeds.mkdir(parents=True)
        words = set()
        paths = [*(HERE / "corpus" / name).iterdir(),
                 *(path for seed in SEEDS.get(name, []) for path in sorted(ROOT.glob(seed)))]
        for path in filter(pathlib.Path.is_file, paths):
            found = set(re.findall(rb"[A-Za-z_]\w{2,60}", path.read_bytes()))
            if path.suffix != ".litmus" or ROOT / "litmus" not in path.parents or \
                    any(b"_" in word for word in found - words):
                shutil.copy(path, seeds / path.relative_to(ROOT).as_posix().replace("/", "-"))
            words |= found
        lines = [b'"%s"\n' % word for word in sorted(words)]
        seeds.with_suffix(".dict").write_bytes((HERE / "fuzz.dict").read_bytes() + b"".join(lines))

    def fuzz(self, how, name, seconds):
        """Returns how many inputs were run, in how many seconds, and whether all went well."""
        began = time.monotonic()
        dictionary = self.folder / "seeds" / f"{name}.dict"
        said = self.call(how, name, f"-dict={dictionary}", f"-max_total_time={max(1, int(seconds))}",
                         "-timeout=30", "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1",
                         f"-artifact_prefix={self.folder}/found/{name}-", *self.corpora(how, name))
        inputs = re.search(r"stat::number_of_executed_units: (\d+)", said.stderr)
        if said.returncode:
            print(said.stderr[-3000:], flush=True)
        return int(inputs[1]) if inputs else 0, time.monotonic() - began, said.returncode == 0

    def take_turns(self, name, seconds):
        """One harness for so long; of two builds the fast one first. Yields the above for each."""
        for how in self.programs:
            share = 1 if len(self.programs) == 1 else {FAST: 0.8, SANITIZED: 0.2}[how]
            yield how, self.fuzz(how, name, seconds * share)


def work(place, wanted, number, options, sums):
    """One of the processes: every harness, beginning with another one than its neighbour."""
    at = number * len(wanted) // max(options.processes, 1)
    for name in wanted[at:] + wanted[:at]:
        for how, (inputs, seconds, well) in place.take_turns(name, options.seconds):
            sums.append((name, how, inputs, seconds, well))
            print(f"{name}: {inputs} inputs {how}, {inputs / seconds:.0f} a second, "
                  f"{'nothing found' if well else 'FOUND: see above'}", flush=True)


def tell(sums, hows):
    print("\n" + " | ".join(("harness", *(f"inputs {how}" for how in hows), *(f"a second {how}" for how in hows), "found")))
    for name in sorted({row[0] for row in sums}):
        of = {how: [row for row in sums if row[:2] == (name, how)] for how in hows}
        inputs = [sum(row[2] for row in of[how]) for how in hows]
        rates = [f"{count / max(1, sum(row[3] for row in of[how])):.0f}" for count, how in zip(inputs, hows)]
        print(" | ".join(map(str, (name, *inputs, *rates, sum(not row[4] for how in hows for row in of[how])))))
    print(f"in all {sum(row[2] for row in sums)} inputs, {sum(not row[4] for row in sums)} times something was found")


def export(target, place):
    """Everything that runs without this tree."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "lib").mkdir(parents=True)
    for how, programs in place.programs.items():
        (target / how.split()[0]).mkdir()
        for name in names():
            program = target / how.split()[0] / f"fuzz_{name}"
            subprocess.run(["strip", "--strip-debug", "-o", program, programs / program.name], check=True)
            needs = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
            for library in re.findall(r"(/\S+) \(0x", needs):
                shutil.copy(library, target / "lib")
    for name in names():
        kept = target / "seeds" / name
        kept.mkdir(parents=True)
        shutil.copy(place.folder / "seeds" / f"{name}.dict", target / "seeds")
        said = place.call(FAST, name, "-merge=1", "-timeout=30", kept, *place.corpora(FAST, name))
        if said.returncode:
            sys.exit(f"{name}: {said.stderr[-3000:]}")
    shutil.copy(__file__, target)
    (target / "run-fuzz").write_text(RUN_FUZZ)
    (target / "run-fuzz").chmod(0o755)


def make_place(options):
    if EXPORTED:
        place = Place({how: HERE / how.split()[0] for how in (FAST, SANITIZED)}, HERE)
        place.fit()
        return place
    folder = options.folder.resolve()
    builds = {}
    if options.fast or options.export:
        builds[FAST] = build(folder.with_name(folder.name + "-fast"), "none")
    builds[SANITIZED] = build(folder, "address,undefined")
    place = Place(builds, folder)
    for name in names():
        place.gather(name)
    return place


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="for each harness")
    parser.add_argument("--total", type=float, help="seconds in all, instead")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("--export", type=pathlib.Path)
    parser.add_argument("harness", nargs="*", choices=[[], *names()])
    options = parser.parse_args()
    place = make_place(options)
    if options.export:
        export(options.export.resolve(), place)
        return 0
    wanted, sums = options.harness or names(), []
    if options.total:
        options.seconds = options.total / len(wanted)
    for _ in range(options.rounds):
        with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
            list(pool.map(lambda number: work(place, wanted, number, options, sums), range(options.processes)))
    tell(sums, list(place.programs))
    return 0 if all(row[4] for row in sums) else 1


if __name__ == "__main__":
    sys.exit(main())
