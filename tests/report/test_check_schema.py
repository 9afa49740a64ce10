#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schema checker finds what is wrong, and the schema is complete and strict."""
import copy
import json
import pathlib
import unittest

from check_schema import Schema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/results.schema.json").read_text(encoding="utf-8"))
END = {"type": "end", "tests": 0, "verdicts": {v: 0 for v in SCHEMA["$defs"]["test"]["properties"]["verdict"]["enum"]},
       "instances": 0, "stimulus": "0" * 16, "left_out": 0, "interrupted": False, "exit": 77}


class Checker(unittest.TestCase):
    def refused(self, change):
        value = copy.deepcopy(END)
        change(value)
        self.assertTrue(Schema(SCHEMA).errors(value), value)

    def test_accepts(self):
        self.assertEqual(Schema(SCHEMA).errors(END), [])

    def test_refuses(self):
        self.refused(lambda v: v.pop("exit"))
        self.refused(lambda v: v.update(more=1))
        self.refused(lambda v: v.update(type="ends"))
        self.refused(lambda v: v.update(tests=-1))
        self.refused(lambda v: v.update(tests=True))
        self.refused(lambda v: v.update(tests=1.5))
        self.refused(lambda v: v.update(stimulus="0" * 15))
        self.refused(lambda v: v.update(interrupted=0))
        self.refused(lambda v: v.update(exit=2))
        self.refused(lambda v: v["verdicts"].pop("stale"))

    def test_keywords(self):
        with self.assertRaises(ValueError):
            Schema({"maxLength": 3}).errors("four")
        for schema, good, bad in (
                ({"items": {"type": "string"}, "minItems": 1}, ["a"], ["a", 1]),
                ({"minItems": 1}, [0], []),
                ({"maxItems": 1}, [0], [0, 0]),
                ({"additionalProperties": {"type": "null"}}, {"a": None}, {"a": 0}),
                ({"oneOf": [{"type": "string"}, {"minLength": 2}]}, "a", "ab"),
                ({"maximum": 1}, 1, 1.1)):
            self.assertEqual(Schema(schema).errors(good), [])
            self.assertNotEqual(Schema(schema).errors(bad), [])

    def test_every_object_is_closed(self):
        for name in ("run", "test", "confidence", "end", "outcome", "evidence", "control", "shown"):
            self.assertIs(SCHEMA["$defs"][name]["additionalProperties"], False)


if __name__ == "__main__":
    unittest.main()
