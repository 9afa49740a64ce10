#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates result lines against docs/results.schema.json.

usage: check_schema.py SCHEMA PRINT_SAMPLE    the lines of the sample report
       check_schema.py SCHEMA -               the lines of standard input

Knows the keywords that the schema uses and refuses a schema that uses others,
so that none is read over. (The distribution's jsonschema is no dependency.)
"""
import json
import re
import subprocess
import sys

TYPES = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
KNOWN = {"$schema", "title", "description", "$defs", "$ref", "oneOf", "type", "const", "enum", "pattern",
         "minLength", "minimum", "maximum", "minItems", "maxItems", "items", "properties", "required",
         "additionalProperties"}


def equal(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Schema:
    def __init__(self, root):
        self.root = root

    def errors(self, value, schema=None, where="$"):
        """What is wrong with a value; an empty list when nothing is."""
        schema = self.root if schema is None else schema
        unknown = set(schema) - KNOWN
        if unknown:
            raise ValueError(f"the schema uses {sorted(unknown)}, which this checker does not know")
        if "$ref" in schema:
            return self.errors(value, self.root["$defs"][schema["$ref"].removeprefix("#/$defs/")], where)
        found = self.scalar_errors(value, schema, where)
        if "oneOf" in schema:
            found += self.choice_errors(value, schema["oneOf"], where)
        if isinstance(value, list) and "items" in schema:
            for index, item in enumerate(value):
                found += self.errors(item, schema["items"], f"{where}[{index}]")
        if isinstance(value, dict):
            found += self.object_errors(value, schema, where)
        return found

    def choice_errors(self, value, choices, where):
        """The one that fits; where none does, what is wrong under the nearest."""
        results = [self.errors(value, choice, where) for choice in choices]
        fitting = sum(not result for result in results)
        if fitting == 1:
            return []
        return [f"{where}: fits {fitting} of the choices"] + min(results, key=len)

    @staticmethod
    def scalar_errors(value, schema, where):
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        found = []
        if types and not any(TYPES[name](value) for name in types):
            found.append(f"{where}: {value!r} is not {' or '.join(types)}")
        if "const" in schema and not equal(value, schema["const"]):
            found.append(f"{where}: {value!r} is not {schema['const']!r}")
        if "enum" in schema and not any(equal(value, choice) for choice in schema["enum"]):
            found.append(f"{where}: {value!r} is none of {schema['enum']}")
        if isinstance(value, str):
            if "pattern" in schema and not re.search(schema["pattern"], value):
                found.append(f"{where}: {value!r} does not match {schema['pattern']}")
            if len(value) < schema.get("minLength", 0):
                found.append(f"{where}: too short")
        if TYPES["number"](value):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                found.append(f"{where}: {value} is out of bounds")
        if isinstance(value, list) and len(value) < schema.get("minItems", 0):
            found.append(f"{where}: too few items")
        if isinstance(value, list) and len(value) > schema.get("maxItems", len(value)):
            found.append(f"{where}: too many items")
        return found

    def object_errors(self, value, schema, where):
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        found = [f"{where}: no {key}" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            if key in properties:
                found += self.errors(item, properties[key], f"{where}.{key}")
            elif others is False:
                found.append(f"{where}: unknown key {key}")
            elif isinstance(others, dict):
                found += self.errors(item, others, f"{where}.{key}")
        return found


def check(schema, text):
    """Messages for all lines of a results file."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        found += [f"{number}: {error}" for error in Schema(schema).errors(json.loads(line))]
    if not text.endswith("\n"):
        found.append("the last line has no end")
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    if sys.argv[2] == "-":
        text = sys.stdin.read()
    else:
        text = subprocess.run([sys.argv[2], "json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = check(schema, text)
    print("\n".join(found))
    if not text or found:
        sys.exit(1)


if __name__ == "__main__":
    main()
