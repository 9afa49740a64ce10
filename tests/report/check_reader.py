#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reader of results files refuses what their schema refuses.

usage: check_reader.py SCHEMA PRINT_RESULTS PRINT_SAMPLE

Each key of each line of the sample, however deep, is left out, doubled under
another name, and given values of all kinds. (The reader may refuse more: what
agrees with the schema need not agree with the other lines.)
"""
import copy
import json
import subprocess
import sys

from check_schema import Schema

VALUES = [None, True, 0, 1, 3, -1, 0.5, -0.5, 1.5, 2**32, 2**53 + 1, "", "x", "-1", "0" * 16, "9" * 21, "pass",
          "2026-01-31T12:00:00Z", "2026-01-31", [], [0], ["K1"], ["x"], [[1, 1]], [[1, 1, -1]], {}, {"x": 0}]


def places(value, path=()):
    """The paths of all keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, item in items:
        if isinstance(value, dict):
            yield path + (key,)
        yield from places(item, path + (key,))


def changed(line, path, change):
    line = copy.deepcopy(line)
    holder = line
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return line


def variants(line, path):
    yield changed(line, path, lambda holder, key: holder.pop(key))
    yield changed(line, path, lambda holder, key: holder.update({key + "x": holder[key]}))
    for value in VALUES:
        yield changed(line, path, lambda holder, key: holder.update({key: value}))


def read(program, texts):
    """What the program says of each text."""
    result = subprocess.run([program, "read"], input="\0".join(texts) + "\0", check=True,
                            stdout=subprocess.PIPE, text=True)
    return result.stdout.splitlines()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = Schema(json.load(file))
    sample = subprocess.run([sys.argv[3], "json"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    texts, errors, seen = [], [], set()
    for number, line in enumerate(map(json.loads, sample)):
        for path in places(line):
            # one outcome is like the next
            form = (line["type"],) + tuple(key for key in path if isinstance(key, str))
            if form in seen or path == ("type",):
                continue
            seen.add(form)
            for variant in variants(line, path):
                lines = sample[:number] + [json.dumps(variant)] + sample[number + 1:]
                texts.append("\n".join(lines) + "\n")
                errors.append((form, schema.errors(variant)))
    answers = read(sys.argv[2], ["\n".join(sample) + "\n"] + texts)
    assert len(answers) == len(texts) + 1 and answers[0] == "read", answers[:1]
    wrong = [f"{form}: the schema says {found}, the reader takes it"
             for (form, found), answer in zip(errors, answers[1:]) if found and answer == "read"]
    taken = sum(not found and answer == "read" for (_, found), answer in zip(errors, answers[1:]))
    print(f"{len(texts)} changes of {len(seen)} keys, {taken} taken by both, {len(wrong)} by the reader alone")
    print("\n".join(wrong[:20]))
    sys.exit(1 if wrong or taken < len(seen) // 4 else 0)


if __name__ == "__main__":
    main()
