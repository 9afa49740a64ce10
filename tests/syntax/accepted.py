#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every litmus file of a folder is accepted: accepted.py SHOW FOLDER."""

import pathlib
import subprocess
import sys

show, folder = sys.argv[1:]
files = sorted(pathlib.Path(folder).glob("*.litmus"))
failures = 0
for path in files:
    result = subprocess.run([show, path], capture_output=True, timeout=60)
    if result.returncode != 0:
        failures += 1
        print(result.stdout.decode() + result.stderr.decode())
print(f"{len(files)} files, {failures} refused")
sys.exit(1 if failures or not files else 0)
