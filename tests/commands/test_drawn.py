# SPDX-License-Identifier: Apache-2.0
"""What is drawn is the same each time, unless another seed or all is asked for."""

import os
import unittest
from unittest import mock

from drawn import drawn

CASES = range(40)


def drawn_by(seed, count):
    with mock.patch.dict(os.environ, {"OCLMM_DRAW": seed}):
        return drawn(CASES, count)


class Drawn(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.dict(os.environ)
        patch.start()
        self.addCleanup(patch.stop)
        os.environ.pop("OCLMM_DRAW", None)

    def test_some_in_their_order(self):
        some = drawn(iter(CASES), 7)
        self.assertEqual(len(set(some)), 7)
        self.assertEqual(some, sorted(some))
        self.assertLess(set(some), set(CASES))
        self.assertEqual(some, drawn(CASES, 7))

    def test_as_many_as_there_are(self):
        for count in (40, 41):
            self.assertEqual(drawn(CASES, count), list(CASES))

    def test_another_seed(self):
        self.assertEqual(drawn_by("1", 7), drawn(CASES, 7))
        self.assertNotEqual(drawn_by("2", 7), drawn(CASES, 7))
        # sooner or later each is drawn
        self.assertEqual({case for seed in range(100) for case in drawn_by(str(seed), 7)}, set(CASES))

    def test_all(self):
        self.assertEqual(drawn_by("all", 7), list(CASES))


if __name__ == "__main__":
    unittest.main()
