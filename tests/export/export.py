#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that `oclmm export` writes: short, without a warning, run alone.

export.py OCLMM LAYER: a test of each family, and some more drawn by OCLMM_DRAW_SEED, are compiled
and run on the first device; none may show what is forbidden. Under a plant, which the layer puts
below the file, the same file has to show it.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LINES = 200
LAUNCHES = "3"
DRAWN = 6
# Planted bugs, and a test of each that shows it at once.
PLANTS = [
    ("returns-new", "fetch_sub+values"),
    ("fails", "compare_exchange_strong+values"),
    ("rmw-split", "add+add"),
]
# And in calls, for which the layer needs no texts.
CALLS = [("wait-list-ignored", "event+queues"), ("event-early", "two-events+host")]
# A busy machine lets two work-groups meet seldom.
TRIES = 20
# What stands in the message of a test that does not stand alone.
REFUSED = ["a work-item enqueues", "is the most", "cannot be exported yet", "cannot be run on a device", "no roles to be played"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, **options)


class Exporter:
    def __init__(self, oclmm, folder):
        self.oclmm, self.folder = oclmm, folder

    def names(self, *options):
        found = run([self.oclmm, "list", *options])
        return found.stdout.split() if found.returncode == 0 else []

    def export(self, name, environment=None):
        """The path of the file, or None where it is refused by name."""
        written = run(
            [self.oclmm, "export", "--no-search", "--output", self.folder, name],
            env=environment,
        )
        if written.returncode == 2 and any(words in written.stderr for words in REFUSED):
            return None
        assert written.returncode == 0, f"{name}: {written.stderr}"
        return Path(written.stdout.strip())

    def build(self, path):
        binary = path.with_suffix(".run")
        lines = len(path.read_text().splitlines())
        assert lines <= LINES, f"{path.name}: {lines} lines"
        built = run(
            ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", str(path), "-lOpenCL", "-o", str(binary)]
        )
        assert built.returncode == 0, f"{path.name}: {built.stderr}"
        return binary


def check_alone(exporter, name):
    """Returns whether it ran."""
    path = exporter.export(name)
    if not path:
        return False
    ran = run([str(exporter.build(path)), "", LAUNCHES])
    # 2: the device's compiler refuses what the test needs; then it says so
    assert ran.returncode in (0, 1, 2, 77), f"{name}: ended with {ran.returncode}: {ran.stderr}"
    if ran.returncode == 1:
        assert "the specification allows" in path.read_text() or "differ" in path.read_text() or \
            "does not say" in path.read_text(), f"{name}: {ran.stdout}"
    if ran.returncode in (2, 77):
        assert ran.stderr.strip(), f"{name}: says nothing"
    return ran.returncode in (0, 1)


def check_families(exporter):
    chooser = random.Random(int(os.environ.get("OCLMM_DRAW_SEED", "1")))
    families = [line.split()[0] for line in run([exporter.oclmm, "list", "--family", "list"]).stdout.splitlines()]
    ran, chosen = 0, []
    for family in families:
        names = exporter.names("--family", family)
        if names:
            chosen.append(chooser.choice(names))
    chosen += chooser.sample(exporter.names("--profile", "default"), DRAWN)
    for name in chosen:
        ran += check_alone(exporter, name)
    assert ran * 2 > len(chosen), f"only {ran} of {len(chosen)} ran"


def check_planted(exporter, layer, plant, name):
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
    path = exporter.export(name, environment)
    texts = path.with_suffix(".planted") if path else None
    assert path and texts.exists(), f"{plant}: nothing is planted into {name}"
    binary = exporter.build(path)
    environment["OCLMM_PLANT_TEXTS"] = str(texts)
    for _ in range(TRIES):
        planted = run([str(binary), "", "50"], env=environment)
        if planted.returncode != 0:
            break
    assert planted.returncode == 1, f"{plant}, {name}: {planted.returncode}: {planted.stdout}{planted.stderr}"
    assert "*>" in planted.stdout and "seen: " in planted.stdout, planted.stdout
    alone = run([str(binary), "", LAUNCHES])
    assert alone.returncode == 0, f"{name} without {plant}: {alone.stdout}{alone.stderr}"
    del environment["OCLMM_PLANT_TEXTS"]
    unplanted = run([str(binary), "", LAUNCHES], env=environment)
    assert unplanted.returncode == 0, f"{name}: the layer changes a text that it was not given"


def check_calls(exporter, layer, plant, name):
    binary = exporter.build(exporter.export(name))
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
    planted = run([str(binary), "", "50"], env=environment)
    assert planted.returncode == 1, f"{plant}, {name}: {planted.stdout}{planted.stderr}"
    alone = run([str(binary), "", "50"])
    assert alone.returncode == 0, f"{name} without {plant}: {alone.stdout}{alone.stderr}"


def check_search(exporter, layer):
    """The file of the search is smaller, and still shows it."""
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT="returns-new")
    stem = Path(exporter.folder) / "least"
    written = run(
        [exporter.oclmm, "export", "--seconds", "40", "--output", f"{stem}.c", "add+add"],
        env=environment,
    )
    assert written.returncode == 0 and ": seen on " in written.stderr, written.stderr
    path = Path(f"{stem}.c")
    text = path.read_text()
    assert "With this stress it was seen on" in text and "ENVIRONMENTS = 1" in text, text[:2000]
    assert "scratch" not in text and "{1, 1, 1, " in text, "it is not the least stress"
    environment["OCLMM_PLANT_TEXTS"] = f"{stem}.planted"
    planted = run([str(exporter.build(path))], env=environment)
    assert planted.returncode == 1, planted.stdout + planted.stderr


def check_texts(exporter, layer):
    """A file of texts that is cut short is refused, and not half of it taken."""
    path = Path(exporter.folder) / "cut.planted"
    path.write_text("0123456789abcdef 1 100\nshort")
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT="rmw-split",
                       OCLMM_PLANT_TEXTS=str(path))
    binary = exporter.build(exporter.export("add+add"))
    ran = run([str(binary), "", LAUNCHES], env=environment)
    assert ran.returncode == 0 and "cannot read the texts" in ran.stderr, ran.stderr


def check_words(exporter):
    """What nothing is exported for."""
    refused = run([exporter.oclmm, "export"])
    assert refused.returncode == 2 and "name a test" in refused.stderr
    refused = run([exporter.oclmm, "export", "MP*"])
    assert refused.returncode == 2 and "tests match" in refused.stderr
    refused = run([exporter.oclmm, "export", "--producer", "x", "MP+rel+acq"])
    assert refused.returncode == 2
    refused = run([exporter.oclmm, "export", "--no-search", "MP+child"], cwd=exporter.folder)
    assert refused.returncode == 2 and "enqueues" in refused.stderr, refused.stderr
    asked = run([exporter.oclmm, "export", "--no-search", "--output", "-", "--outcome",
                 "1:r0=0 /\\ 1:r1=0", "MP+rel+acq"])
    assert asked.returncode == 0 and "sometimes: the specification allows it" in asked.stdout


def main():
    oclmm, layer = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        exporter = Exporter(oclmm, folder)
        check_words(exporter)
        for plant, name in PLANTS:
            check_planted(exporter, layer, plant, name)
        for plant, name in CALLS:
            check_calls(exporter, layer, plant, name)
        check_search(exporter, layer)
        check_texts(exporter, layer)
        check_families(exporter)


if __name__ == "__main__":
    main()
