#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run keeps its budget and hears a signal while the oracle searches.

bounds.py OCLMM: sixteen writers have 16! orders, which nobody waits for.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WRITERS = 16
BUDGET = 2
# Seconds that a busy machine may take beside the budget: the device is found, and children begin and end.
SLACK = 25


def write_slow(path):
    threads = "".join(
        f"P{t}@wg {t}, dev 0 (global atomic_int *x) {{ atomic_store(x, {t + 1}); }}\n" for t in range(WRITERS)
    )
    path.write_text(f"OPENCL writers\n{{ [x] = 0; }}\n{threads}exists (x=1)\n")


def start(oclmm, folder, *arguments):
    return subprocess.Popen(
        [oclmm, "run", *arguments, str(folder / "writers.litmus")],
        env=dict(os.environ, XDG_RUNTIME_DIR=str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def main():
    oclmm = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_slow(folder / "writers.litmus")
        begun = time.monotonic()
        run = start(oclmm, folder, "--budget", str(BUDGET))
        said = run.communicate(timeout=60)[0]
        took = time.monotonic() - begun
        assert took < BUDGET + SLACK, f"{took:.1f} s: {said}"
        assert run.returncode not in (0, 1), said
        begun = time.monotonic()
        run = start(oclmm, folder)
        time.sleep(BUDGET)
        assert run.poll() is None, f"it did not search: {run.communicate()[0]}"
        run.send_signal(signal.SIGTERM)
        said = run.communicate(timeout=55)[0]
        took = time.monotonic() - begun
        assert took < BUDGET + SLACK, f"{took:.1f} s after the signal: {said}"
        assert run.returncode == 99 and "interrupted" in said, f"{run.returncode}: {said}"


if __name__ == "__main__":
    main()
