# SPDX-License-Identifier: Apache-2.0
"""Results of two devices that never were, one test of each kind, and the page that is made of them."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "commands"))
from saved_results import ResultsCase  # noqa: E402 (found by the line above)

HOSTILE = "</pre><script>alert(1)</script> &amp; \"'"


class Data:
    """What stands in a page for its script."""

    def __init__(self, page):
        self.all = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
        self.columns = self.all["columns"]
        self.tests = {self.string(test["name"]): test for test in map(self.test, self.all["tests"])}

    def named(self, kind, row):
        """A list by the names that the page gives its places; nothing stays nothing."""
        return dict(zip(self.all["keys"][kind], row, strict=True)) if row else None

    def test(self, row):
        test = self.named("test", row)
        return {**test, "cells": [self.named("cell", cell) for cell in test["cells"]],
                "outcomes": [self.named("outcome", outcome) for outcome in test["outcomes"]],
                "picture": self.named("picture", test["picture"]),
                "specification": self.named("specification", test["specification"])}

    def string(self, number):
        return self.all["strings"][number]

    def verdicts(self, name):
        words = [self.named("verdict", verdict)["word"] for verdict in self.all["verdicts"]]
        return [words[cell["verdict"]] if cell else None for cell in self.tests[name]["cells"]]

    def command(self, name, column):
        command = self.named("command", self.tests[name]["cells"][column]["command"])
        middle = f" --environment {self.string(command['environment'])}" if command["environment"] else ""
        return f"{self.string(command['begin'])}{middle} {self.string(command['end'])} {self.string(self.tests[name]['word'])}"

    def picture(self, test):
        words = iter(test["picture"]["words"])
        shape = self.all["shapes"][test["picture"]["shape"]]
        return "".join(self.all["pieces"][next(words) if piece < 0 else piece] for piece in shape)


TOWER = {"device": "Tower GPU " + HOSTILE, "driver": "2.0"}


class PageCase(ResultsCase):
    """`self.make()` writes both devices' results and gives the page."""

    def pocket(self):
        return [self.record("SB", [7, 500, 500, 3], environment="groups=2 lanes=1"),
                self.record("STRONG", [2, 500, 500, 0]),
                self.record("STRONG.order=rlx", [10, 500, 500, 0]),
                self.record("SB.order=sc", [0, 500, 500, 0], build_log=HOSTILE),
                self.record("RACE", [0, 0, 0, 0], family="race", file="race/RACE.litmus", instances=4,
                            outcomes=[{"values": {"1:r0": 1}, "count": 4, "status": "undefined",
                                       "witness": True}]),
                self.record(HOSTILE, [0, 1, 0, 0], family=HOSTILE)]

    def tower(self):
        other = TOWER
        return [self.record("SB", [0, 500, 500, 3], **other),
                self.record("STRONG", [0, 500, 500, 0], **other),
                self.record("STRONG.order=rlx", [0, 0, 0, 0], ended="crash", verdict="crash", outcomes=[],
                            instances=0, message="signal 11", **other)]

    def make(self, *options):
        self.results("pocket.jsonl", self.pocket(), seed="1")
        self.results("tower.jsonl", self.tower(), seed="2", **TOWER)
        self.run_program("report", "pocket.jsonl", "tower.jsonl", "-o", "page.html", *options)
        return self.folder / "page.html"

    def make_wide(self, silent=6):
        """More devices than fit, the failing one to the right of all others."""
        names = [f"{number}.jsonl" for number in range(silent)]
        for number, name in enumerate(names):
            device = f"Device {number} of a lab"
            self.results(name, [{**record, "device": device} for record in self.strong(0, 20)], device=device)
        self.results("pocket.jsonl", self.pocket(), seed="1")
        self.run_program("report", *names, "pocket.jsonl", "-o", "page.html")
        return self.folder / "page.html"
