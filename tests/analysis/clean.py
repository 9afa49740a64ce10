# SPDX-License-Identifier: Apache-2.0
"""What an analysis found nothing in, so that the same text is not looked at twice.

As a compiler's cache does: an empty file below $XDG_CACHE_HOME/oclmm-analysis (~/.cache without it) stands for
all that decides what an analyzer says of a file: the analyzer and its settings, how the file is compiled,
and its text and that of all it includes, which ninja knows from compiling it. Complaints are not kept.
"""

import hashlib
import os
import pathlib
import subprocess
import time

MONTH = 30 * 24 * 3600


def folder():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(home) / "oclmm-analysis"


def inputs_of(build):
    """What each file was compiled from, itself included: file -> texts' paths."""
    said = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=False).stdout
    found = {}
    for block in said.split("\n\n"):
        head, *names = block.splitlines() or [""]
        paths = [pathlib.Path(os.path.normpath(build / name.strip())) for name in names]
        if paths and head.endswith("(VALID)"):
            found.setdefault(paths[0], paths)
    return found


class Clean:
    def __init__(self, build, how):
        """`how`: whatever else decides what is said, as text."""
        self.folder, self.how = folder(), how
        self.inputs, self.texts = inputs_of(build), {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = hashlib.sha256(path.read_bytes()).hexdigest()
        return self.texts[path]

    def place(self, path, words):
        """Where it is kept that a file compiled by these words is clean; None where nobody knows what it includes."""
        if path not in self.inputs:
            return None
        facts = [self.how, *words, *(f"{one.name} {self.text(one)}" for one in self.inputs[path])]
        return self.folder / hashlib.sha256("\0".join(facts).encode()).hexdigest()

    def has(self, path, words):
        place = self.place(path, words)
        try:
            os.utime(place)
        except (OSError, TypeError):
            return False
        return True

    def add(self, path, words):
        """Who cannot keep anything looks again next time."""
        place = self.place(path, words)
        if not place:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            place.touch()
        except OSError:
            pass

    def forget(self):
        """What nobody asked for in a month."""
        for place in self.folder.glob("*"):
            if place.stat().st_mtime < time.time() - MONTH:
                place.unlink(missing_ok=True)
