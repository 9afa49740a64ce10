# SPDX-License-Identifier: Apache-2.0
"""What the page says repeats a test does so when it is pasted. Skipped (77) without a browser or a device."""

import os
import pathlib
import subprocess
import sys

import browser
from browser import Browser
import fixture  # noqa: F401 (it tells where the next lies)
from common import PROGRAM, SuiteCase
import common

COMMAND = 'document.querySelector(".replay pre").textContent'


class Replay(SuiteCase):
    def run_pasted(self, command, *more):
        """As a shell would, in a folder of its own, with the program in the path."""
        environment = self.environment(PATH=f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}")
        return subprocess.run(f"{command} {' '.join(more)}", shell=True, cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=common.PATIENCE)

    def test_pasted(self):
        self.run_program("run", "--seed", "5", "--instances", "20000", "-o", "r.jsonl", "SB", status=3)
        self.run_program("report", "r.jsonl", "-o", "page.html")
        with Browser(browser.find()) as view:
            view.load((self.folder / "page.html").as_uri() + "#t-SB")
            command = view.evaluate(COMMAND)
        done = self.run_pasted(command, "-o", "again.jsonl")
        self.assertEqual(done.returncode, 3, f"{command}\n{done.stderr}")
        first, again = ([line for line in self.lines_of_json(self.read(name)) if line["type"] == "test"]
                        for name in ("r.jsonl", "again.jsonl"))
        self.assertEqual([line["test"] for line in again], ["SB"])
        # the same stimulus; what comes of it is the device's
        for key in ("environment", "seed", "stimulus", "instances", "source"):
            self.assertEqual(first[0][key], again[0][key], key)


if not browser.find():
    print("no Chromium")
    sys.exit(77)
common.main()
