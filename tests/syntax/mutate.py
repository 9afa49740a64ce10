#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the damage test over the files of a folder: mutate.py MUTATE FOLDER TIMES."""

import pathlib
import subprocess
import sys

mutate, folder, times = sys.argv[1:]
files = sorted(pathlib.Path(folder).glob("*.litmus"))
sys.exit(subprocess.run([mutate, times, *files]).returncode)
