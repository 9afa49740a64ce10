# SPDX-License-Identifier: Apache-2.0
"""What keeps a pass from being a test's own doing, taken out piece by piece: each time a test fails.

    guards.py BUILD [LAYER LAYER-OF-LIES-IN-ONE-PLACE LAYER-OF-REWRITING]

With layers those that a device has to show. A guard is a place in the source, and what stands there without it. That file is compiled so, the program that a test
runs is linked with it in the place of the true one, and the test has to fail.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
LAYERS = sys.argv[1:]
del sys.argv[1:]
PROGRAM = "runner/oclmm"
# What each guard is; where it stands, and what is there without it; the test that has to fail: an executable, with a
# pattern where only some of its cases are run, or a script with the cases of it that are run.
GUARDS = {
    "orders of blocks have a key of their own": (
        "runner/stress/together.c", 'oclmm_random(oclmm_random_derive(seed, "order of a block"), launch)',
        "oclmm_launch_key(seed, launch)", "tests/stress/test_streams"),
    "a test that never met proves nothing": (
        "src/evidence/escape.c", "if (test.rounds && !test.met)", "if (test.rounds > 1 && test.met > test.rounds)",
        "tests/grade/test_grade_confidence"),
    "nor does one that shows a single outcome": (
        "src/evidence/escape.c", "if (test.outcomes == 1 && other.outcomes > 1)", "if (test.outcomes > other.outcomes && !other.outcomes)",
        "tests/grade/test_grade_confidence"),
    "nor one with a value that is constant": (
        "src/evidence/escape.c", "if (other.varied & ~test.varied)", "if (other.varied > 1 && !other.rounds && !test.outcomes)",
        "tests/grade/test_grade_confidence"),
    "nor one that hides a value in most work-items": (
        "src/evidence/escape.c", "if (oclmm_evidence_seldom(evidence, control))", "if (0 && oclmm_evidence_seldom(evidence, control))",
        "tests/grade/test_grade_confidence"),
    "what hides a value hides it in moved controls, too": (
        "src/grade/confidence.c", "if (hardware->confidence == OCLMM_CONFIDENCE_SELDOM_VALUE)", "if (0)",
        "tests/grade/test_grade_confidence"),
    "values are compared without what the test forbids": (
        "runner/run/evidence.c", "oclmm_expected_status(item->record.expected, ret_arranged, NULL) !=", "may_show(view->control, own) + 0 * ",
        "tests/run/test_schedule test_se*"),
    "no value that only roles that met show": (
        "runner/run/evidence.c", "if (!is_of_whole_roles(item, meeting, all->observable, all->value))", "if (0)",
        "tests/run/test_schedule test_*values*"),
    "nor a second value that only roles that met show": (
        "runner/run/evidence.c", "if (!is_of_whole_roles(item, whole, i, values[i]))", "if (0)", "tests/run/test_schedule test_*values*"),
    "nor a second outcome": (
        "runner/run/evidence.c", "sum.outcomes += !view->control ||", "sum.outcomes += 1 || !view->control ||",
        "tests/run/test_schedule test_*values*"),
    "work-items wait at barriers that order no memory": (
        "src/control/control.c", "if (!e->barrier || !e->entry)", "if (!e->barrier || !e->entry || !e->flags)",
        "tests/control/test_control_serial"),
    "a value that whole roles show is compared": (
        "runner/run/evidence.c", "if (values[observable] == value && passes(item, values))", "if (0)",
        "tests/run/test_schedule test_*values*"),
    "hits are worth what the test shows of a value": (
        "src/evidence/escape.c", "worth = fmin(worth, (double)counts->test / (double)counts->control);", "worth = fmin(worth, 1);",
        "tests/evidence/test_evidence_escape"),
    "values are compared by blocks and not by sums": (
        "src/evidence/escape.c", "(double)control->values * probability_of_coins(counts->blocks, counts->fewer) <=",
        "0 * (double)control->values * probability_of_coins(counts->blocks, counts->fewer) <=", "tests/evidence/test_evidence_escape"),
    "a test that met seldom has as many hits as its meetings are worth": (
        "src/evidence/escape.c", "return is_seldom(test, other) ? OCLMM_MET_SELDOM : OCLMM_MET_ALIKE;",
        "return is_seldom(test, other) ? OCLMM_MET_ALIKE : OCLMM_MET_ALIKE;", "tests/grade/test_grade_confidence"),
    "launches in which the test did not meet do not count": (
        "runner/run/evidence.c", "if (!(launches->mask & view->met))", "if (!launches->mask)", "tests/run/test_schedule test_*me*"),
    "meetings are looked at without what the test forbids": (
        "runner/run/evidence.c", "OCLMM_STATUS_FORBIDDEN)\n\t\t\t\tcontinue;\n\t\t\t/* of a test all count */",
        "OCLMM_STATUS_FORBIDDEN && 0)\n\t\t\t\tcontinue;\n\t\t\t/* of a test all count */", "tests/run/test_schedule test_*me*"),
    "of two kinds each has half of the level": (
        "src/grade/confidence.c", "double split = fmin(0, escape.log + log(tried));",
        "double split = fmin(0, escape.log + 0 * log(tried));", "tests/grade/test_grade_confidence"),
    "waits that kept an old value are no pass": (
        "src/grade/grade.c", "tally->gating_stuck += grade->gates && grade->control.stuck;",
        "tally->gating_stuck += 0 && grade->gates;", "tests/grade/test_grade_confidence"),
    "waits of which some kept an old value are none": (
        "src/grade/confidence.c", "(struct oclmm_launches){own->launches, own->partly},", "(struct oclmm_launches){own->launches, own->hits},",
        "tests/grade/test_grade_confidence"),
    "where nothing is proven the run is inconclusive": (
        "src/grade/grade.c", "return tally->gating_reached || tally->gating_kernels ? OCLMM_EXIT_PASS",
        "return 1 ? OCLMM_EXIT_PASS", ("tests/commands/grading.py", "Grade.test_never_met")),
    "no limit is given of a test that did not meet": (
        "src/grade/confidence.c", "if (oclmm_confidence_could_show(kind->confidence))", "if (1)",
        "tests/grade/test_grade_confidence"),
    "a limit knows of launches that hang together": (
        "src/evidence/escape.c", "limit = launches ? 3 * dispersion / (double)launches : 1;",
        "limit = launches ? 3 * fmin(1, dispersion) / (double)launches : 1;", "tests/evidence/test_evidence_escape"),
    "a record ran on a device of its file": (
        "runner/saved/saved.c", "\t\tif (run_of(results, record))\n\t\t\tcontinue;", "\t\tif (run_of(results, record) || record)\n\t\t\tcontinue;",
        ("tests/commands/grading.py", "Grade.test_class_and_device_are_those_of_the_run")),
    "what the device claimed is what the run line says": (
        "runner/saved/saved.c", "is_claimed(header->claims, record->program)", "record->support == OCLMM_CLASS_CLAIMED",
        ("tests/commands/grading.py", "Grade.test_class_and_device_are_those_of_the_run")),
    "the parts of a test are one run's": (
        "src/report/merge.c", "if (source->saved->record.first_launch == 0)", "if (source)",
        ("tests/commands/grading.py", "Grade.test_parts_of_others_are_refused")),
}
DEVICE_GUARDS = {
    "programs are made in a drawn order": (
        "runner/stress/together.c", "begin(group, &group->members[order[i]], device);", "begin(group, &group->members[i], device);",
        "tests/device/test_device_together"),
    "rounds of commands have values of their own": (
        "runner/stress/host_calls.c", "(draw->base + i * UINT32_C(0x01234567)) | 0x10000", "(draw->base + 0 * i) | 0x10000",
        ("tests/faults/lies_in_one_place.py", "OddLies.test_commands")),
    "kernels of commands tell how often they ran": (
        "runner/stress/host_calls.c", "\tif (times == 1)\n\t\treturn 0;", "\tif (times)\n\t\treturn 0;",
        ("tests/faults/lies_in_one_place.py", "OddLies.test_commands")),
    "with --fresh no cache knows a text": (
        "runner/device/build.c", '"typedef int oclmm_fresh_%08x%08x;\\n#line 1\\n", oclmm_fresh_number(),\n\t         oclmm_fresh_number());',
        '"%s", "");', ("tests/faults/rewrite.py", "Compilers.test_a_cache_that_knows_the_text")),
}


def compile_command(source):
    """The command that makes an object of a file of the tree, and its words without where it goes."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
        if (BUILD / entry["file"]).resolve() == ROOT / source:
            words = shlex.split(entry["command"])
            while words[0].endswith("ccache"):
                words.pop(0)
            for option in ("-o", "-c", "-MQ", "-MF"):
                at = words.index(option)
                del words[at:at + 2]
            return [word for word in words if word not in ("-MD", "-Werror") and not word.startswith("-O")]
    raise AssertionError(f"{source} is not compiled")


class Guards(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def call(self, *words, **more):
        return subprocess.run(words, cwd=BUILD, capture_output=True, text=True, check=False, **more)

    def without(self, source, guard, instead):
        """An object of the file as it would be without the guard."""
        text = (ROOT / source).read_text(encoding="utf-8")
        self.assertEqual(text.count(guard), 1, f"{source} has changed: {guard}")
        changed, made = self.folder / pathlib.Path(source).name, self.folder / "changed.o"
        changed.write_text(text.replace(guard, instead), encoding="utf-8")
        result = self.call(*compile_command(source), "-w", "-O0", "-iquote", str((ROOT / source).parent), "-o", str(made),
                           "-c", str(changed))
        self.assertEqual(result.returncode, 0, result.stderr)
        return str(made)

    def linked(self, target, made):
        """The target with that object in the place of the true one."""
        result = self.call("ninja", "-t", "commands", "-s", target)
        words = shlex.split(result.stdout.splitlines()[-1])
        at, program = words.index("-o"), self.folder / pathlib.Path(target).name
        words[at + 1] = str(program)
        words.insert(at + 2, made)
        result = self.call(*words, "-Wl,--allow-multiple-definition")
        self.assertEqual(result.returncode, 0, result.stderr)
        return str(program)

    def run_test(self, test, program):
        if isinstance(test, str):
            return self.call(program, *test.split()[1:], env={**os.environ, "OCLMM_SUITE": str(ROOT)})
        return self.call(sys.executable, str(ROOT / test[0]), program, *self.layers(test[0]), *test[1:])

    @staticmethod
    def layers(script):
        own = {"lies_in_one_place.py": (0, 1), "rewrite.py": (0, 2)}.get(pathlib.Path(script).name, ())
        return [os.path.abspath(LAYERS[i]) for i in own]

    def test_each_is_missed(self):
        for what, (source, guard, instead, test) in (DEVICE_GUARDS if LAYERS else GUARDS).items():
            with self.subTest(what=what):
                program = self.linked(test.split()[0] if isinstance(test, str) else PROGRAM, self.without(source, guard, instead))
                result = self.run_test(test, program)
                if result.returncode == 77:
                    self.skipTest("no device")
                said = result.stdout + result.stderr
                self.assertNotEqual(result.returncode, 0, f"without it {test} passes")
                # by what it looks at, and not because it cannot begin
                self.assertRegex(said, r"\[  PASSED  \] [1-9]" if isinstance(test, str) else r"(?m)^FAIL: ")
                self.assertRegex(said, r"\[  FAILED  \] [1-9]" if isinstance(test, str) else r"(?m)^FAILED \(failures=")


if __name__ == "__main__":
    unittest.main()
