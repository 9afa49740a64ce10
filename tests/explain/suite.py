# SPDX-License-Identifier: Apache-2.0
"""Every variant of the suite is explained, whole, within a few seconds all together; and every knob of the model
decides the tests that its row in docs/model.md names.

usage: suite.py PROGRAM
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of so many updates of one object nobody looks at all executions; a failure that is shown is there all the same.
LARGE = {"atomic_cmpxchg+values"}
# What explain says where it knows nothing better: of the suite it has to, so the knob's sentence is missing.
NO_REASON = "another execution that ends so is consistent there"
KNOB_ROW = re.compile(r"^\| (K\d+) \|.*\| ([^|]+) \|$", re.MULTILINE)


def lines(*arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
    result = subprocess.run([os.path.abspath(sys.argv[1]), *arguments], cwd=ROOT, env=environment, capture_output=True, text=True,
                            timeout=3000, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stderr}")
    return result.stdout.splitlines()


def wrong(found):
    """What is missing in an explanation, or None."""
    large = found["test"].partition(".")[0] in LARGE and "violation" in found
    if found["candidates_cut"] != large or found["changes_cut"]:
        return "no limit ended the search" if large else "a limit ended a search"
    if found["status"] in ("forbidden", "disputed") and not {"violation", "only"} & set(found) and not found.get("why"):
        return "no rule and no reason"
    if found["status"] == "allowed" and "events" not in found:
        return "no witness"
    if found["status"] == "undefined" and found["undefined"] == "data race" and "race" not in found:
        return "no racing execution"
    if found["status"] == "disputed" and not found["deciding"]:
        return "nothing decides"
    if found["status"] == "disputed" and found.get("allowing", {}).get("why", NO_REASON) == NO_REASON:
        return f"{' '.join(found['deciding'])} decides, and no sentence says what is different where it is allowed"
    return None


def turns(knob, found):
    """Whether a test is answered otherwise with the knob's alternative; of K1, under another regime."""
    plain = {r["regime"]: r["status"] for r in found["readings"] if not r["alternatives"]}
    if knob == "K1":
        return len(set(plain.values())) > 1
    return any(r["status"] != plain[r["regime"]] for r in found["readings"] if knob in r["alternatives"])


def check_knobs(tests, model):
    """Complaints about rows of docs/model.md that name a test on which the knob does not bear."""
    rows = KNOB_ROW.findall(model)
    if not rows:
        yield "docs/model.md: no row of a knob is found"
    for knob, named in rows:
        for name in named.split(", ") if not named.startswith("nothing known") else []:
            if name not in tests:
                yield f"docs/model.md: {knob}: no test is called {name}"
            elif not turns(knob, tests[name]):
                yield f"docs/model.md: {knob} does not decide {name}"


def main():
    tests, statuses, failed = {}, {}, 0
    for line in lines("explain", "--json", "--time-limit", "60", "*"):
        found = json.loads(line)
        tests.setdefault(found["test"], found)
        statuses[found["status"]] = statuses.get(found["status"], 0) + 1
        if wrong(found):
            print(f"{found['test']}: {wrong(found)}")
            failed += 1
    print(f"{len(tests)} tests: {statuses}")
    for complaint in check_knobs(tests, (ROOT / "docs/model.md").read_text(encoding="utf-8")):
        print(complaint)
        failed += 1
    listed = {json.loads(line)["test"] for line in lines("check", "--json", "*")}
    if set(tests) != listed:
        print(f"not explained: {sorted(listed - set(tests))}")
        failed += 1
    return 1 if failed or len(statuses) != 4 else 0


if __name__ == "__main__":
    sys.exit(main())
