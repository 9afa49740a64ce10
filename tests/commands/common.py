# SPDX-License-Identifier: Apache-2.0
"""What the tests of commands share: a small suite in a folder of its own, and the program run in it."""

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))

# a shell that starts the tests in the background has programs ignore it
signal.signal(signal.SIGINT, signal.default_int_handler)

SB = """OPENCL SB

"Store buffering: can both reads miss the other's write?"

(* Result: Sometimes *)

vary order: memory_order_relaxed => memory_order_seq_cst

{
[x] = 0;
[y] = 0;
}

P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);
}

P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
}

exists (0:r0=0 /\\ 1:r0=0)
"""

RACE = """OPENCL RACE

"A plain write against a plain read."

(* Result: Undefined *)

{
[x] = 0;
}

P0@wg 0, dev 0 (global int *x) {
  *x = 1;
}

P1@wg 1, dev 0 (global int *x) {
  int r0 = *x;
}

exists (1:r0=1)
"""

HOST = """OPENCL HOST

"Threads of the host alone, in which no device has a part."

(* Result: Sometimes *)

{
svm [x] = 0;
}

P0@host (global atomic_int *x) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_all_svm_devices);
}

P1@host (global atomic_int *x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);
}

exists (1:r0=1)
"""

REFUSED = SB.replace("OPENCL SB", "OPENCL REFUSED").replace(
    "int r0 = atomic_load_explicit(y, memory_order_relaxed",
    "int r0 = atomic_load_explicit(y, memory_order_release")

# Load buffering, which must not be and whose control no CPU shows.
LB = (re.sub(r"(  atomic_store.*\n)(  int r0.*\n)", r"\2\1", SB).replace("OPENCL SB", "OPENCL LB")
      .replace("vary order: memory_order_relaxed => memory_order_seq_cst",
               "vary order: memory_order_seq_cst => memory_order_relaxed\ncontrol order=rlx")
      .replace("(y, 1, memory_order_relaxed", "(y, 1, memory_order_seq_cst")
      .replace("(x, 1, memory_order_relaxed", "(x, 1, memory_order_seq_cst")
      .replace("(y, memory_order_relaxed", "(y, memory_order_seq_cst")
      .replace("(x, memory_order_relaxed", "(x, memory_order_seq_cst")
      .replace("0:r0=0 /\\ 1:r0=0", "0:r0=1 /\\ 1:r0=1").replace("Result: Sometimes", "Result: Never"))


# How long a command may take on a machine that is ten times as slow as one with nothing else to do.
PATIENCE = 600
# What a run ends with that showed nothing forbidden. Whether its controls showed enough for confidence is the machine's: how often
# two work-groups run at the same time, above all.
SILENT = (0, 3)
# An environment that compiles soon and whose launches are small, where it is not what is looked at.
SMALL = ("--environment", "groups=2 lanes=4 rounds=64")
# Optimised or not, kernels are counted, judged and lied about alike; and PoCL compiles them in four fifths of the time.
QUICKLY_COMPILED = {"POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"}


class SuiteCase(unittest.TestCase):
    """Runs in a fresh folder with litmus/relaxed/SB.litmus and litmus/race/RACE.litmus."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oclmm-commands-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("litmus/relaxed/SB.litmus", SB)
        self.write("litmus/race/RACE.litmus", RACE)

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def read(self, path):
        return (self.folder / path).read_text()

    def environment(self, **more):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
        # a lock of the test's own: it must not wait for a run outside
        environment.update(LC_ALL="C", XDG_RUNTIME_DIR=str(self.folder),
                           XDG_DATA_HOME=str(self.folder / "data"), **more)
        return environment

    def on_a_terminal(self, *arguments, stream="stdout", enough=None, **variables):
        """What the program writes there on a terminal; once it has what is enough, it is told to end."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              **{"stdout": subprocess.DEVNULL, stream: theirs},
                              env=self.environment(**{"TERM": "xterm", **variables})) as process:
            os.close(theirs)
            text = b""
            with os.fdopen(ours, "rb", buffering=0) as terminal:
                try:
                    while chunk := terminal.read(4096):
                        text += chunk
                        if enough and re.search(enough, text):
                            process.terminate()
                            enough = None
                except OSError:  # so a terminal ends
                    pass
            process.wait(timeout=PATIENCE)
        return text.decode()

    def run_program(self, *arguments, status=0, environment=None, cwd=None):
        """Runs the program, checks its exit status (several, where chance decides; None: any), and returns standard output and
        error."""
        result = subprocess.run(
            [PROGRAM, *arguments], cwd=cwd or self.folder, capture_output=True, text=True,
            timeout=PATIENCE, env=environment or self.environment(), stdin=subprocess.DEVNULL)
        if status is not None:
            self.assertIn(result.returncode, status if isinstance(status, tuple) else (status,),
                          f"{' '.join(arguments)}\n{result.stdout}\n{result.stderr}")
        return result.stdout, result.stderr

    def formats(self):
        """The output formats, as the help text has them."""
        said = " ".join(self.run_program("help", "grade")[0].split())
        listed = re.search(r"--format FORMAT on standard output: (.*?) -", said)[1]
        names = re.findall(r"[a-z]+", listed.replace("(default)", ""))
        self.assertGreater(len(names), 5)
        return names

    def forbid_the_strong(self):
        """Takes 0:r0=1; 1:r0=0; out of the allowed states of SB: every device shows it."""
        self.run_program("check", "--write")
        path = "expected/relaxed/SB.expected"
        self.write(path, self.read(path).replace("allowed :> 0:r0=1; 1:r0=0;\n", "", 1))

    @staticmethod
    def lines_of_json(text):
        return [json.loads(line) for line in text.splitlines()]


def joined(text):
    """What a command printed for people, with lines whole that were broken because they are wide."""
    text = re.sub(r"\n {5,}(?=\S)", " ", text)
    return re.sub(r"(?m)^(?:verdict|silence|only|oclmm \d|\d+ (?:tests? left|of the tests)).*(?:\n  (?!were there)\S.*)+$",
                  lambda line: re.sub(r"\n +", " ", line[0]), text)


def main():
    unittest.main(verbosity=1)


def main_on_device():
    """Leaves with 77, skipped, where there is no device."""
    if subprocess.run([PROGRAM, "devices"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        print("no device")
        sys.exit(77)
    main()
