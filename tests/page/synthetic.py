# SPDX-License-Identifier: Apache-2.0
"""Results of devices that never were, of the suite's size: its names, and outcomes that the oracle allows.

usage: synthetic.py PROGRAM FILE...      one device a file
"""

import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "commands"))
import saved_results as results  # noqa: E402 (found by the line above)
from common import PROGRAM  # noqa: E402

# as long as real ones are
ENVIRONMENT = "; ".join("groups=2048 lanes=%d rounds=1 flip_groups=1 flip_lanes=64 flip_rounds=2 reverse_results=50 "
                        "poll_budget=65536 stress_lines=16 stress_stride=64 count_lanes=128 count_each=16" % lanes
                        for lanes in (64, 128, 256, 512))
INSTANCES = 21495808
# that of a device of OpenCL 3.0
MODEL = "opencl-2.1"


def answers():
    """What the oracle says of each variant of the suite; nothing is run."""
    done = subprocess.run([PROGRAM, "check", "--json"], capture_output=True, text=True, check=True,
                          cwd=pathlib.Path(__file__).resolve().parents[2])
    return [json.loads(line) for line in done.stdout.splitlines()]


def evidence(answer, draw):
    """Launches beside two controls, some of which showed what the test forbids; None where it forbids nothing."""
    forbidden = [state for state in answer["models"][MODEL]["states"] if state["status"] == "forbidden"]
    if not forbidden:
        return None
    controls = [{"name": f"{answer['test']}~{kind}", "kind": kind, "hash": "1" * 16, "instances": INSTANCES}
                for kind in ("weaker", "moved")]
    blocks = [[1, 1, 0, 1, int(draw.random() < .6), 1, int(draw.random() < .4)] for _ in range(32)]
    shown = {"values": dict(zip(answer["observables"], forbidden[0]["values"])), "count": 64 * len(blocks)}
    return {"controls": controls, "blocks": blocks, "shown": [shown], "rounds": 0, "met": 0}


def record(answer, draw, **more):
    states = [state for state in answer["models"][MODEL]["states"] if state["status"] == "allowed"]
    # the outcome that is asked about shows in four tests of ten, as on a GPU
    weak = draw.random() < .4
    counts = [draw.randrange(1, INSTANCES // len(states)) if weak or not state["condition"] else 0 for state in states]
    counts[0] = counts[0] or 1
    outcomes = [{"values": dict(zip(answer["observables"], state["values"])), "count": count, "status": "allowed",
                 "witness": state["condition"]} for state, count in zip(states, counts)]
    family, file = answer["file"].split("/")[-2:]
    silence = evidence(answer, draw)
    if silence:
        more["evidence"] = silence
    return results.test_line(
        answer["test"], hash=answer["hash"], instances=sum(counts), outcomes=outcomes, file=f"{family}/{file}", family=family,
        seconds=draw.random(), environment=ENVIRONMENT, launches=32, **more)


def write(path, device, listed):
    """One device's results of all that the oracle has answers to."""
    draw = random.Random(device)
    records = [record(answer, draw, device=device) for answer in listed
               if any(state["status"] == "allowed" for state in answer["models"][MODEL]["states"])]
    lines = [results.run_line(tests=len(records), device=device), *records, results.end_line(len(records))]
    pathlib.Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return len(records)


def main():
    listed = answers()
    for number, path in enumerate(sys.argv[1:]):
        print(write(path, f"Device {number + 1}", listed), "results in", path)


if __name__ == "__main__":
    main()
