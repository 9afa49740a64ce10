# SPDX-License-Identifier: Apache-2.0
"""Every variant of the suite is explained, whole, within a few seconds all together.

usage: suite.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of so many updates of one object nobody looks at all executions; a failure that is shown is there all the same.
LARGE = {"atomic_cmpxchg+values"}


def lines(*arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
    result = subprocess.run([os.path.abspath(sys.argv[1]), *arguments], cwd=ROOT, env=environment, capture_output=True, text=True,
                            timeout=280, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stderr}")
    return result.stdout.splitlines()


def wrong(found):
    """What is missing in an explanation, or None."""
    large = found["test"].partition(".")[0] in LARGE and "violation" in found
    if found["candidates_cut"] != large or found["changes_cut"]:
        return "no limit ended the search" if large else "a limit ended a search"
    if found["status"] in ("forbidden", "disputed") and "violation" not in found and not found.get("why"):
        return "no rule and no reason"
    if found["status"] == "allowed" and "events" not in found:
        return "no witness"
    if found["status"] == "undefined" and found["undefined"] == "data race" and "race" not in found:
        return "no racing execution"
    if found["status"] == "disputed" and not found["deciding"]:
        return "nothing decides"
    return None


def main():
    names, statuses, failed = set(), {}, 0
    for line in lines("explain", "--json", "--time-limit", "60", "*"):
        found = json.loads(line)
        names.add(found["test"])
        statuses[found["status"]] = statuses.get(found["status"], 0) + 1
        if wrong(found):
            print(f"{found['test']}: {wrong(found)}")
            failed += 1
    print(f"{len(names)} tests: {statuses}")
    listed = {json.loads(line)["test"] for line in lines("check", "--json", "*")}
    if names != listed:
        print(f"not explained: {sorted(listed - names)}")
        failed += 1
    return 1 if failed or len(statuses) != 4 else 0


if __name__ == "__main__":
    sys.exit(main())
