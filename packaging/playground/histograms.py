#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a device showed, as the playground's page keeps it.

usage: histograms.py RESULTS.jsonl COMMAND > histograms.json

RESULTS is of one run on one device; COMMAND is how it was made, for the reader.
"""
import json
import sys

if len(sys.argv) != 3:
    sys.exit(__doc__)
device, tests = None, {}
with open(sys.argv[1], encoding="utf-8") as file:
    for record in map(json.loads, file):
        if record["type"] == "run":
            if device and device != record["device"]:
                sys.exit(f"histograms.py: results of {device} and of {record['device']}")
            device, driver = record["device"], record["driver"]
        if record["type"] != "test" or record["ended"] != "ok":
            continue
        counts = tests.setdefault(record["test"], {})
        for outcome in record["outcomes"]:
            if outcome["count"]:
                name = "".join(f"{key}={value}; " for key, value in outcome["values"].items()).strip()
                counts[name] = counts.get(name, 0) + outcome["count"]
if not tests:
    sys.exit("histograms.py: no test that ran")
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(counts)}" for name, counts in sorted(tests.items()))
print(f'{{"device": {json.dumps(f"{device} (driver {driver})")}, "command": {json.dumps(sys.argv[2])}, "tests": {{\n{lines}\n}}}}')
