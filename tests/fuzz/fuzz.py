#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The long run of the harnesses under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.

    fuzz.py [--seconds N] [--rounds N] [--fast] [--folder FOLDER] [HARNESS ...]

Builds them with clang in FOLDER (build-fuzz), runs each for N seconds (60) on the committed corpus
and what earlier runs found beside it, and prints how many inputs that were. What ends a harness, leaks,
or takes 30 seconds or 2 GiB lies in FOLDER/found; the exit status is then 1. An input that says something new
of a mended fault belongs into corpus/HARNESS.

--fast: most of the time goes to a build without sanitizers in FOLDER-fast, which takes several times as many
inputs; what reached new code there is then run under sanitizers, too.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEEDS = {"bugs": [ROOT / "litmus/bugs"], "equivalents": [ROOT / "litmus/planted/equivalents"],
         "litmus": [ROOT / "tests/syntax/accept"], "profile": [ROOT / "tests/tune/accepted"]}


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


def names():
    return sorted(path.name for path in (HERE / "corpus").iterdir())


def fuzz(folder, name, *how, corpora=()):
    """Returns how many inputs were run, and whether all went well; what is new lies in the first corpus."""
    found = folder / "found"
    found.mkdir(exist_ok=True)
    environment = {**os.environ, "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
    result = subprocess.run(
        [folder / "tests/fuzz" / f"fuzz_{name}", f"-dict={HERE / 'fuzz.dict'}",
         "-timeout=30", "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1",
         f"-artifact_prefix={found}/{name}-", *how, *corpora, HERE / "corpus" / name, *SEEDS.get(name, [])],
        capture_output=True, text=True, errors="replace", env=environment)
    inputs = re.search(r"stat::number_of_executed_units: (\d+)", result.stderr)
    if result.returncode:
        print(result.stderr[-3000:])
    return int(inputs[1]) if inputs else 0, result.returncode == 0


def take_turns(folders, name, seconds):
    """One harness for so long; of two builds the fast one first. How many inputs each was given, and whether
    all went well."""
    counts, well = [], True
    grown = [folder / "grown" / name for folder in folders]
    for number, folder in enumerate(folders):
        grown[number].mkdir(parents=True, exist_ok=True)
        share = seconds if len(folders) == 1 else seconds * (4, 1)[number] / 5
        corpora = [grown[number], *grown[:number]]
        inputs, good = fuzz(folder, name, f"-max_total_time={max(1, int(share))}", corpora=corpora)
        counts.append(inputs)
        well = well and good
    return counts, well


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build-fuzz")
    parser.add_argument("harness", nargs="*", choices=[[], *names()])
    options = parser.parse_args()
    folders = [options.folder.resolve()]
    build(folders[0], "address,undefined")
    if options.fast:
        folders.insert(0, folders[0].with_name(folders[0].name + "-fast"))
        build(folders[0], "none")
    bad = 0
    for _ in range(options.rounds):
        for name in options.harness or names():
            counts, well = take_turns(folders, name, options.seconds)
            said = " and ".join([f"{counts[-1]} inputs under sanitizers",
                                 *(f"{count} without" for count in counts[:-1])])
            print(f"{name}: {said}, {'nothing found' if well else 'FOUND: see above'}", flush=True)
            bad += not well
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
