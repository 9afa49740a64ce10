#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every OpenCL call of the program, failing in every documented way, at its first, middle and last use.

    calls.py PROGRAM LAYER [--all] [--part K/N] [--jobs N] [--seed N] [--only CALL]…
    calls.py PROGRAM LAYER --complete

Without --all a drawn sample, by a seed that stays the same unless another is given, so that a test
fails for what was changed and not for what was drawn. What a run may end as follows from what the call is for:
no fault is a forbidden outcome, nothing waits for ever, results that were written can be read, only a
failure of what changes nothing may pass, and what passes has done all that it does without a fault.

--complete: whether the table has every call that the program looks up, and the layer, too.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

from compiler_cache import compiler_cache  # noqa: E402
from call_codes import (ALWAYS_HARMLESS_LAST, CODES, HARMLESS, HARMLESS_AT_THE_END, HARMLESS_IDLE,
                        HARMLESS_LAST, ON_SOME_DEVICES, PROCESS, RESOURCES, WAITED_FOR)
from robustness import ends_as  # noqa: E402
from call_scenarios import (CAN_FAIL, CHILD, COMMANDS, IMAGE, LEAST, LITMUS, PAIR, SCENARIOS, SVM)

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 500    # `progress` waits for each of eight sizes, and a machine may have much else to do
# A driver that is well is heard of within this on a machine with much else to do; one that is to hang
# need not be waited for so long.
SILENCE, SILENCE_OF_HANGING = "45", "4"


class Place:
    """A folder in which one run is made after the other."""

    def __init__(self, program, layer, folder):
        self.program, self.layer, self.folder = program, layer, folder
        for path, text in (("t/T0", LITMUS.format(n=0)), ("t/T1", LITMUS.format(n=1)), ("pair/P", PAIR), ("svm/T", SVM),
                           ("image/I", IMAGE), ("child/C", CHILD)):
            (folder / "litmus" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "litmus" / f"{path}.litmus").write_text(text)
        (folder / "litmus/command").mkdir()
        for name in COMMANDS:
            shutil.copy(HERE.parents[1] / f"litmus/command/{name.partition('.')[0]}.litmus", folder / "litmus/command")
        (folder / "litmus/idiom").mkdir()
        for kernel in (HERE.parents[1] / "litmus/idiom").glob("*.cl"):
            shutil.copy(kernel, folder / "litmus/idiom")
        self.call("check", "--write")

    def call(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OCLMM_")}
        environment.update(LC_ALL="C", XDG_RUNTIME_DIR=str(self.folder), XDG_CACHE_HOME=str(self.folder / "cache"),
                           XDG_DATA_HOME=str(self.folder / "data"), **compiler_cache(), **variables)
        return subprocess.run([self.program, *arguments], cwd=self.folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, errors="replace", timeout=LONGEST)

    def run(self, scenario, silence=SILENCE, **variables):
        for name in ("uses", "all.jsonl"):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "kept", ignore_errors=True)
        arguments, fault = SCENARIOS[scenario]
        if fault:
            variables["OCLMM_CALLS_FAULT_2"] = fault
        return self.call(*arguments, "--timeout", silence, OPENCL_LAYERS=self.layer,
                         OCLMM_CALLS_USES=str(self.folder / "uses"), **variables)

    def read_uses(self):
        records = struct.iter_unpack("56sQ", (self.folder / "uses").read_bytes())
        return {name.rstrip(b"\0").decode(): uses for name, uses in records}

    def records(self):
        path = self.folder / "all.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def what_was_done(self, scenario, result):
        """What a run that passes has done, fault or none."""
        if is_idiom(scenario):
            return [(line["program"], line["end"], line["size"]) for line in map(json.loads, result.stdout.splitlines())]
        return sorted((line["test"], line["ended"], line["instances"] >= LEAST)
                      for line in self.records() if line["type"] == "test")


class Table:
    """What is made where all is well, the faults, and what is wrong with how a run with one ended."""

    def __init__(self, place):
        self.uses, self.done = {}, {}
        if place.call("devices").returncode == 77:
            return
        for scenario in SCENARIOS:
            result = place.run(scenario)
            if not (place.folder / "uses").exists():
                return    # a loader that knows no layers
            meant = (99,) if SCENARIOS[scenario][1] else well(scenario)
            if result.returncode not in (*meant, 77):
                sys.exit(f"where no call fails: {scenario}: {result.returncode}\n{result.stdout}{result.stderr}")
            self.uses[scenario] = place.read_uses() if result.returncode in meant else {}
            self.done[scenario] = place.what_was_done(scenario, result)

    def scenario_of(self, name):
        return next((scenario for scenario in self.uses if self.uses[scenario].get(name)), None)

    def rows(self):
        for name, codes in CODES.items():
            scenario = self.scenario_of(name)
            uses = self.uses[scenario][name] if scenario else 0
            codes = {**codes, **RESOURCES}.values() if codes is not None else ()
            for at in sorted({1, (uses + 1) // 2, uses} if uses else ()):
                for how in (*PROCESS, "nothing", *map(str, codes)):
                    yield name, at, how

    def complaint(self, place, name, at, how):
        """What is wrong with how a run ended, or None."""
        scenario = self.scenario_of(name)
        started = time.monotonic()
        hangs = how in ("hang", "spin") or name in WAITED_FOR
        result = place.run(scenario, SILENCE_OF_HANGING if hangs else SILENCE,
                           OCLMM_CALLS_FAULT=f"{name} {at} {how}")
        status, said = result.returncode, result.stdout + result.stderr
        if place.read_uses()[name] < at:
            # some are made as often as there is time for: this one did not come so far
            return self.without_fault(scenario, status, hangs, said)
        if status not in self.endings(scenario, how):
            return f"status {status}\n{said}"
        # a command that was not carried out is what these tests look for, and may be seen or not
        harmless = (scenario == "commands" and how == "nothing" or is_told(place, how, result)
                    or may_pass(name, at, how, self.uses[scenario][name]))
        if status in well(scenario) and not harmless:
            return f"it passed, as if nothing had been\n{said}"
        if status in well(scenario) and place.what_was_done(scenario, result) != self.done[scenario]:
            return f"it passed and did less: {place.what_was_done(scenario, result)}\n{said}"
        if status and not said.strip():
            return "no word of why"
        if status == 99 and not result.stderr and "99" not in said and "incomplete" not in said:
            return f"no word of why\n{said}"
        if time.monotonic() - started > LONGEST:
            return f"it took {time.monotonic() - started:.0f} s"
        if status == 99:
            ends_as("fails a call, or says success and gives nothing", "99")
        return check_results(place, status)

    @staticmethod
    def without_fault(scenario, status, hangs, said):
        if hangs and "nothing was heard" in said:
            return None    # on a slow machine, the short limit on silence ends what is well
        return None if (status == 99) == bool(SCENARIOS[scenario][1]) else f"{status} without a fault\n{said}"

    @staticmethod
    def endings(scenario, how):
        if SCENARIOS[scenario][1]:
            return (77, 99)
        if scenario == "commands" and how == "nothing":
            return (*well(scenario), 1, 77, 99)    # the outcome may show that it was not carried out
        if not is_idiom(scenario):
            return (*well(scenario), 77, 99)
        # a driver that does nothing computes nothing; kernels that cannot run are refused
        return (0, 2, 3, 77, 99, *((1,) if how == "nothing" else ()))


def well(scenario):
    """How it ends where nothing went wrong: tests that cannot fail prove nothing."""
    if SCENARIOS[scenario][0][0] != "run":
        return (0,)
    return (0, 3) if scenario in CAN_FAIL else (3,)


def is_idiom(scenario):
    return SCENARIOS[scenario][0][0] == "idiom"


def is_told(place, how, result):
    """What ended a process is tried again, alone, and recorded so; a control of the program's own is left out."""
    again = any(line["attempts"] > 1 for line in place.records() if line["type"] == "test")
    return how in PROCESS and ("trying again" in result.stderr and again or "go without it" in result.stderr)


def may_pass(name, at, how, last):
    if name == "clGetDeviceInfo" and at > 1:
        return True    # what a driver need not know is asked, too
    if at == last and ((name, how) in HARMLESS_LAST or name in ALWAYS_HARMLESS_LAST and how not in PROCESS):
        return True
    return name in HARMLESS and how not in PROCESS or name in HARMLESS_AT_THE_END or \
        how == "nothing" and name in HARMLESS_IDLE


def check_results(place, status):
    lines = place.records()
    if not lines:
        return None
    if lines[-1]["type"] != "end" or lines[-1]["exit"] != status:
        return f"the manifest says {lines[-1]}"
    for line in lines:
        if line["type"] == "test" and line["verdict"] == "forbidden" and status != 1:
            return "a fault is no outcome"
        if line["type"] == "test" and line["ended"] != "ok" and not line["message"]:
            return f"a test without a word of why: {line}"
    graded = place.call("grade", "all.jsonl")
    return None if graded.returncode == status else f"graded again: {graded.returncode}, not {status}"


# Not called under a layer, which this test is: tests/device/programs.c gives it binaries that are refused.
# Nor where a device is given OpenCL C.
NOT_UNDER_A_LAYER = {"clCreateProgramWithBinary", "clCreateProgramWithIL"}


def missing(imported, wrapped, table):
    """What is wrong with the table, given what the program looks up and the layer's list."""
    for name in sorted(imported - table):
        yield f"call_codes.py has no faults for {name}, which the program calls: add it to CODES and to calls.h"
    for name in sorted(table - imported):
        yield f"call_codes.py has faults for {name}, which the program does not call"
    for name in sorted(table ^ wrapped):
        yield f"{name} is in one of call_codes.py and calls.h only"


def check_complete(program):
    header = (HERE.parents[1] / "runner/device/opencl.h").read_text()
    imported = set(re.findall(r"\bX\((cl[A-Z]\w*)", header)) - NOT_UNDER_A_LAYER
    wrapped = set(re.findall(r"\bX\((cl[A-Z]\w*)", (HERE / "calls.h").read_text()))
    if not imported:
        sys.exit(f"{program} calls nothing of OpenCL")
    # each way to be incomplete is seen
    assert list(missing({"clA", "clB"}, {"clA"}, {"clA"})) and list(missing({"clA"}, {"clA"}, {"clA", "clB"}))
    assert list(missing({"clA"}, set(), {"clA"})) and not list(missing({"clA"}, {"clA"}, {"clA"}))
    complaints = list(missing(imported, wrapped, set(CODES)))
    print("\n".join(complaints) or f"{len(imported)} calls, all of them in the table")
    return 1 if complaints else 0


def draw(rows, count, drawn):
    """One row of a hanging driver takes as long as the limit on silence, twice: no more of those."""
    slow = [row for row in rows if row[2] in ("hang", "spin")]
    fast = [row for row in rows if row not in slow]
    return drawn.sample(slow, min(1, len(slow))) + drawn.sample(fast, min(count - 1, len(fast)))


def try_rows(rows, table, places):
    """Complaints, by as many threads as there are places."""
    idle = list(places)

    def try_row(row):
        place, started = idle.pop(), time.monotonic()
        try:
            return row, table.complaint(place, *row)
        except subprocess.TimeoutExpired as late:
            return row, f"it did not end in {late.timeout} s"
        finally:
            idle.append(place)
            print(f"{time.monotonic() - started:6.1f} s: {' '.join(map(str, row))}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        yield from pool.map(try_row, rows)


def chosen(table, options):
    rows = [row for row in table.rows() if not options.only or row[0] in options.only]
    if options.all:
        part, parts = map(int, options.part.split("/"))
        return rows[part - 1::parts]
    print(f"OCLMM_CALLS_SEED={options.seed}", flush=True)
    return draw(rows, options.sample, random.Random(options.seed))


def try_all(options, folder):
    def place(number):
        (folder / str(number)).mkdir()
        return Place(options.program, options.layer, folder / str(number))
    places = [place(number) for number in range(options.jobs)]
    table = Table(places[0])
    if len(table.uses) < len(SCENARIOS):
        return 77
    unused = {name for name in CODES if not table.scenario_of(name)}
    bad = 0
    for name in sorted(unused - set(ON_SOME_DEVICES)):
        bad += 1
        print(f"{name} is made in no scenario")
    rows = chosen(table, options)
    for number, (row, complaint) in enumerate(try_rows(rows, table, places), 1):
        if complaint:
            bad += 1
            print(f"{row[0]} of `{table.scenario_of(row[0])}` from use {row[1]} on, {row[2]}: {complaint}", flush=True)
        elif options.all and number % 50 == 0:
            print(f"{number} of {len(rows)}, {bad} bad", flush=True)
    print(f"{len(rows)} faults of {len(CODES) - len(unused)} calls, {bad} not told as they should be; "
          f"not called on this device: {' '.join(sorted(unused)) or 'none'}")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("layer", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--complete", action="store_true")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("OCLMM_CALLS_SEED", 1)))
    parser.add_argument("--sample", type=int, default=11)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    if options.complete:
        return check_complete(options.program)
    with tempfile.TemporaryDirectory(prefix="oclmm-calls-") as folder:
        return try_all(options, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
