# SPDX-License-Identifier: Apache-2.0
"""What suite.py complains about, with explanations that lack something."""

import unittest

import suite

ROW = "| K9 | a question | yes | no | {} |\n"


def found(status, *alternative, **more):
    """An explanation with the text's own reading, and one with K9."""
    readings = [{"regime": "opencl-2.1", "alternatives": [], "status": "forbidden"},
                {"regime": "opencl-2.1", "alternatives": ["K9"], "status": alternative[0] if alternative else "forbidden"}]
    return {"test": "X", "status": status, "readings": readings, "deciding": ["K9"], "violation": {}, "candidates_cut": False,
            "changes_cut": False, **more}


class Wrong(unittest.TestCase):
    def test_reason(self):
        self.assertIsNone(suite.wrong(found("disputed", allowing={"why": "a reason"})))
        for lacking in ({}, {"allowing": {}}, {"allowing": {"why": suite.NO_REASON}}):
            self.assertIn("K9 decides, and no sentence", suite.wrong(found("disputed", **lacking)))

    def test_forbidden(self):
        """A rule that is broken, a reason, or the only outcome that there is."""
        for way in ({}, {"violation": None, "why": "a reason"}, {"violation": None, "only": "r0=0;"}):
            one = {name: value for name, value in found("forbidden", **way).items() if value is not None}
            self.assertIsNone(suite.wrong(one), way)
        one = found("forbidden")
        del one["violation"]
        self.assertEqual(suite.wrong(one), "no rule and no reason")

    def test_rows(self):
        tests = {"one": found("disputed", "allowed"), "other": found("forbidden", "forbidden")}
        for named, complaints in (("one", []), ("one, other", ["docs/model.md: K9 does not decide other"]),
                                  ("neither", ["docs/model.md: K9: no test is called neither"]),
                                  ("nothing known: it races", [])):
            with self.subTest(named):
                self.assertEqual(list(suite.check_knobs(tests, ROW.format(named))), complaints)
        self.assertEqual(list(suite.check_knobs(tests, "")), ["docs/model.md: no row of a knob is found"])

    def test_regimes(self):
        """K1 is no alternative: what it turns, regimes answer otherwise."""
        same = found("forbidden")
        self.assertFalse(suite.turns("K1", same))
        same["readings"].append({"regime": "opencl-2.0", "alternatives": [], "status": "allowed"})
        self.assertTrue(suite.turns("K1", same))


if __name__ == "__main__":
    unittest.main()
