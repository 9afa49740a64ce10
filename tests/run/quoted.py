# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/performance.md that are no commands of oclmm still run, with the options that the page names.

usage: quoted.py PROGRAM BUILD           those that need no device
       quoted.py PROGRAM BUILD --device  those that need one, each with little to do
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM, BUILD = os.path.abspath(sys.argv[1]), pathlib.Path(os.path.abspath(sys.argv[2]))
DEVICE = sys.argv[3:] == ["--device"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
# By the words that a command of the page has in it.
MESON = ("meson setup", "meson compile", "meson test")
PLAIN = ("benchmark_oracle", "test_compiling", "many.py")
ON_A_DEVICE = ("benchmark_device", "where.py", "launches.py", "pairs.py")
# What makes little work of each, in place of what the page has.
LITTLE = {"8G": "20k", "--rounds 5": "--rounds 1", "--seconds 55": "--seconds 600", "BEFORE AFTER": "PROGRAM PROGRAM",
          "--claims accepted --profile default": "-n 1k MP+rlx+rlx", "--device NVIDIA": "",
          "MP+rlx+rlx 2+2W+rlx+rlx": "MP+rlx+rlx"}
SMALL = "groups=2 lanes=1 rounds=64 polls=0"


def commands():
    """Those of the page, lines that go on joined, without comments and what is set in front."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "docs/performance.md").read_text(encoding="utf-8"))
    for match in re.finditer(r"^    (?:[A-Z_]+=\S+ )*((?:meson|build/|tests/).*)$", text, re.M):
        yield re.split(r"\s#\s", match.group(1))[0].strip()


def run(command, **more):
    words = [os.fspath(BUILD / word[len("build/"):]) if word.startswith("build/") else word for word in shlex.split(command)]
    words = [PROGRAM if word == "PROGRAM" else word for word in words]
    if words[0].endswith(".py"):
        words = [sys.executable, *words]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "OCLMM_SUITE": os.fspath(ROOT), "XDG_DATA_HOME": folder, **more}
        return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def those(names):
    return [command for command in commands() if any(name in command for name in names)]


class Quoted(unittest.TestCase):
    def test_each_is_known(self):
        known = those(MESON + PLAIN + ON_A_DEVICE)
        self.assertEqual([command for command in commands() if command not in known], [])
        for name in PLAIN + ON_A_DEVICE:
            self.assertTrue(those([name]), name)

    def test_benchmarks_exist(self):
        done = subprocess.run(["meson", "introspect", "--benchmarks", BUILD], capture_output=True, text=True, check=True)
        for command in those(["--benchmark"]):
            for name in shlex.split(command)[6:]:
                self.assertIn(f'"name": "{name}"', done.stdout, command)

    @unittest.skipIf(DEVICE, "the other test")
    def test_without_a_device(self):
        """Of few tests: of the whole suite it takes a minute."""
        with tempfile.TemporaryDirectory() as folder:
            few = pathlib.Path(folder) / "litmus"
            few.mkdir()
            for path in (ROOT / "litmus").iterdir():
                if path.is_file() or path.name == "coherence":
                    (few / path.name).symlink_to(path)
            (few / "profiles").mkdir()
            (few / "profiles/default").write_text("CoRR\n", encoding="utf-8")
            for command in those(["test_compiling"]):
                done = run(command, OCLMM_SUITE=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("counting kernels", done.stdout)

    @unittest.skipIf(DEVICE, "the other test")
    def test_many_records(self):
        """They are others, so that none is left out, and results that the program reads."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "few.jsonl"
            # its run has no number of the device, as of several that share the tests
            sample = run("build/tests/report/print_sample json").stdout.replace('"devices":0', '"devices":2')
            file.write_text(sample, encoding="utf-8")
            for command in those(["many.py"]):
                many = run(re.sub(r"\S+\.jsonl \d+ >.*", f"{file} 60", command))
                self.assertEqual(many.returncode, 0, many.stderr)
                file.write_text(many.stdout, encoding="utf-8")
                merged = run(f"PROGRAM merge {file}")
                self.assertEqual(merged.returncode, 0, merged.stderr)
                self.assertEqual(merged.stdout.count('{"type":"test"'), 60)

    @unittest.skipUnless(DEVICE, "needs a device")
    def test_on_a_device(self):
        for command in those(["where.py", "launches.py", "pairs.py"]):
            for what, little in LITTLE.items():
                command = command.replace(what, little)
            command = re.sub(r'"groups=[^"]*"', f'"{SMALL}" --pairs 6 --instances 1000', command)
            done = run(command)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")
            self.assertGreater(len(done.stdout.splitlines()), 3, command)

    @unittest.skipUnless(DEVICE, "needs a device")
    def test_benchmark_of_devices_takes_its_options(self):
        for command in those(["benchmark_device"]):
            done = run(command.split(">", maxsplit=1)[0].replace("--json", "--device no-such-device --json"))
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("no device matches", done.stderr, command)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
