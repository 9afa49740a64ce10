# SPDX-License-Identifier: Apache-2.0
"""Results of two devices that never were, one test of each kind, and the page that is made of them."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "commands"))
from saved_results import ResultsCase  # noqa: E402 (found by the line above)

HOSTILE = "</pre><script>alert(1)</script> &amp; \"'"


def element(page, name):
    """What stands in a page for its script, by the identifier of the element."""
    return re.search(rf'<script type="[^"]*" id="{name}">(.*?)</script>', page, re.S)[1]


def unpack(text):
    """What is not said again stands between two backquotes: how far back, and how long."""
    size, rest = text.split("\n", 1)
    plain = bytearray()
    for index, part in enumerate(rest.split("`")):
        if index % 2 and part:
            distance, length = (int(digits, 36) for digits in part.split(","))
            plain += plain[len(plain) - distance:len(plain) - distance + length]
        else:
            plain += part.encode("ascii") if index % 2 == 0 else b"`"
    assert len(plain) == int(size, 36)
    return plain.decode("ascii")


class Data:
    """The results file within a page, and what else its script shows: `tests` by name, and the cells of each."""

    def __init__(self, page):
        self.results = unpack(element(page, "results"))
        lines = [json.loads(line) for line in self.results.splitlines()]
        self.records = [line for line in lines if line["type"] == "test"]
        self.all = json.loads(element(page, "data"))
        self.columns = self.all["columns"]
        self.tests = {self.string(test["name"]): test for test in self.all["tests"]}

    def string(self, number):
        return self.all["strings"][number]

    def record(self, name, column):
        """The one that speaks for a cell, or None."""
        cell = self.tests[name]["cells"][column]
        return self.records[cell["records"][0]] if cell else None

    def verdicts(self, name):
        records = [self.record(name, column) for column in range(len(self.columns))]
        return [record["verdict"] if record else None for record in records]

    def command(self, name, column):
        command = self.tests[name]["cells"][column]["command"]
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
