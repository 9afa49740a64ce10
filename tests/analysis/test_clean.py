#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What clean.py keeps is forgotten as soon as anything is different.

    test_clean.py BUILD
"""
import os
import pathlib
import sys
import tempfile
import unittest

import clean

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name
        self.source, self.header = pathlib.Path(folder.name) / "a.c", pathlib.Path(folder.name) / "a.h"
        for path in (self.source, self.header):
            path.write_text("")

    def clean(self, how="1"):
        one = clean.Clean(self.source.parent, how)
        one.inputs[self.source] = [self.source, self.header]
        return one

    def test_the_same(self):
        self.assertFalse(self.clean().has(self.source, ["cc"]))
        self.clean().add(self.source, ["cc"])
        self.assertTrue(self.clean().has(self.source, ["cc"]))

    def test_something_else(self):
        self.clean().add(self.source, ["cc"])
        self.assertFalse(self.clean("2").has(self.source, ["cc"]), "another analyzer, other settings")
        self.assertFalse(self.clean().has(self.source, ["cc", "-DX"]), "compiled in another way")
        for path in (self.source, self.header):
            path.write_text(" ")
            self.assertFalse(self.clean().has(self.source, ["cc"]), path)
            path.write_text("")
        self.assertTrue(self.clean().has(self.source, ["cc"]))

    def test_unknown(self):
        one = clean.Clean(self.source.parent, "1")
        one.add(self.source, ["cc"])
        self.assertFalse(one.has(self.source, ["cc"]), "nobody knows what it includes")

    def test_forgotten(self):
        one = self.clean()
        one.add(self.source, ["cc"])
        one.forget()
        self.assertTrue(one.has(self.source, ["cc"]))
        os.utime(one.place(self.source, ["cc"]), (0, 0))
        one.forget()
        self.assertFalse(one.has(self.source, ["cc"]))

    def test_what_ninja_knows(self):
        found = clean.inputs_of(BUILD)
        source = pathlib.Path(clean.__file__).parents[2] / "src/base/file.c"
        self.assertEqual(found[source][0], source)
        self.assertIn(source.parents[2] / "include/oclmm/base.h", found[source])

    def test_no_room(self):
        os.environ["XDG_CACHE_HOME"] = "/dev/null"
        one = self.clean()
        one.add(self.source, ["cc"])
        one.forget()
        self.assertFalse(one.has(self.source, ["cc"]))


unittest.main(argv=sys.argv)
