# SPDX-License-Identifier: Apache-2.0
"""Choosing tests: --family, --feature, --bug, and profiles that add controls."""

import os
import pathlib
import re
import resource
import subprocess

import common
from common import PROGRAM, REFUSED, SB, SuiteCase

# what is seq_cst has the relaxed variant as its control
CONTROLLED = SB.replace("OPENCL SB", "OPENCL CONTROLLED").replace(
    "memory_order_seq_cst\n",
    "memory_order_seq_cst\n"
    "vary place: wg 1 => \"wg00\" wg 0\n"
    "control order=sc => order=base\n", 1)

LOCAL = SB.replace("OPENCL SB", "OPENCL LOCAL").replace("global", "local").replace("wg 1", "wg 0")

FENCED = SB.replace("OPENCL SB", "OPENCL FENCED").replace(
    "  int r0 =", "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
    "memory_scope_device);\n  int r0 =")

BUGS = """# comment
bug one
where here
what it went wrong
tests SB

bug two
where there
what it went wrong again
tests CONTROLLED.order=sc
"""


class Selection(SuiteCase):
    """A suite with a few more tests."""

    def setUp(self):
        super().setUp()
        self.write("litmus/seq-cst/CONTROLLED.litmus", CONTROLLED)
        self.write("litmus/local/LOCAL.litmus", LOCAL)
        self.write("litmus/fence/FENCED.litmus", FENCED)
        self.write("litmus/bugs", BUGS)

    def chosen(self, *arguments):
        return sorted(self.run_program("list", *arguments)[0].split())

    def test_family(self):
        self.assertEqual(self.chosen("--family", "race"), ["RACE"])
        self.assertEqual(self.chosen("--family", "race", "--family", "local"),
                         ["LOCAL", "LOCAL.order=sc", "RACE"])
        self.assertEqual(self.chosen("--family", "relaxed", "S*"), ["SB", "SB.order=sc"])
        self.assertEqual(self.chosen("--family", "list"), ["fence", "local", "race", "relaxed", "seq-cst"])

    def test_tests_of_a_file(self):
        """FILE:PATTERN chooses among a file's variants, wherever it stands."""
        own = SB.replace("OPENCL SB", "OPENCL OWN")
        self.write("o:n/own.litmus", own)
        self.assertEqual(self.chosen("o:n/own.litmus"), ["OWN", "OWN.order=sc"])
        self.assertEqual(self.chosen("o:n/own.litmus:OWN"), ["OWN"])
        self.assertEqual(self.chosen("o:n/own.litmus:*sc"), ["OWN.order=sc"])
        self.assertEqual(self.chosen("o:n/own.litmus:OWN", "./o:n/own.litmus:*sc"), ["OWN", "OWN.order=sc"])
        # beside patterns over the suite, and of a file of the suite
        self.assertEqual(self.chosen("o:n/own.litmus:OWN", "RACE"), ["OWN", "RACE"])
        self.assertEqual(self.chosen("litmus/relaxed/SB.litmus:SB", "RACE"), ["RACE", "SB"])
        self.assertEqual(self.chosen("relaxed/SB:*sc"), ["SB.order=sc"])
        for argument, message in (
                ("o:n/own.litmus:OWN.order=sk",
                 'oclmm: no test of o:n/own.litmus matches "OWN.order=sk"; did you mean "OWN.order=sc"?\n'),
                # the suite has it, the file has not
                ("o:n/own.litmus:SB", 'oclmm: no test of o:n/own.litmus matches "SB"'),
                ("o:n/own.litmus:", 'oclmm: no test of o:n/own.litmus matches ""'),
                ("o:n:OWN", 'oclmm: no test, file or folder matches "o:n:OWN"')):
            _, err = self.run_program("list", argument, status=2)
            self.assertTrue(err.startswith(message), err)
        # a file that is named may have what was meant, too
        _, err = self.run_program("list", "o:n/own.litmus", "OWM", status=2)
        self.assertEqual(err, 'oclmm: no test, file or folder matches "OWM"; did you mean "OWN"?\n')

    def test_guesses(self):
        """A file that is not there is meant by its test's name; of a beginning it is told how many tests have it."""
        for argument, end in (
                ("FENCD", '; did you mean "FENCED"?'),
                ("RACE.litmus", '; did you mean "RACE"?'),
                ("elsewhere/RACE.litmus", '; did you mean "RACE"?'),
                ("LOC", '; did you mean "LOCAL"? "LOC*" is 2 tests'),
                ("RAC", '; did you mean "RACE"?'),
                ("fense", '; did you mean "fence"?'),
                ("LOCAL.litmus", '; did you mean "LOCAL"?'),
                ("elsewhere/x", "")):
            _, err = self.run_program("list", argument, status=2)
            self.assertEqual(err, f'oclmm: no test, file or folder matches "{argument}"{end}\n')

    def test_feature(self):
        self.assertEqual(self.chosen("--feature", "plain"), ["RACE"])
        self.assertEqual(self.chosen("--feature", "local"), ["LOCAL", "LOCAL.order=sc"])
        self.assertEqual(self.chosen("--feature", "fence"), ["FENCED", "FENCED.order=sc"])
        self.assertEqual(self.chosen("--feature", "seq_cst", "relaxed"), ["SB.order=sc"])

    def test_features_are_all_asked_for(self):
        self.assertEqual(self.chosen("--feature", "seq_cst", "--feature", "local"), ["LOCAL.order=sc"])
        self.assertEqual(self.chosen("--feature", "acq_rel", "--feature", "relaxed"), ["FENCED"])

    def test_every_feature_word_is_taken(self):
        words, _ = self.run_program("list", "--feature", "list")
        self.assertGreater(len(words.splitlines()), 20)
        for line in words.splitlines():
            self.run_program("list", "--feature", line.split()[0], status=None)

    def test_bug(self):
        self.assertEqual(self.chosen("--bug", "one"), ["SB", "SB.order=sc"])
        # of a variant those that set more axes, and the controls
        self.assertEqual(self.chosen("--bug", "two"),
                         ["CONTROLLED", "CONTROLLED.order=sc", "CONTROLLED.order=sc.place=wg00",
                          "CONTROLLED.place=wg00"])
        self.assertEqual(len(self.chosen("--bug", "one", "--bug", "two")), 6)
        self.assertEqual(self.chosen("--bug", "two", "--feature", "seq_cst", "CONTROLLED*"),
                         ["CONTROLLED.order=sc", "CONTROLLED.order=sc.place=wg00"])
        out, _ = self.run_program("list", "--bug", "list")
        self.assertRegex(out, r"^one +here: it went wrong\ntwo +there: it went wrong again\n$")

    def test_check_takes_them_too(self):
        out, _ = self.run_program("check", "--bug", "one", "--feature", "seq_cst")
        self.assertIn("Test SB.order.sc ", out)
        self.assertEqual(out.count("Test "), 1)

    def test_unknown(self):
        for arguments, message in (
                (("--feature", "seqcst"), 'unknown feature "seqcst"; did you mean "seq_cst"?'),
                (("--feature", "scope:group"), 'unknown feature "scope:group"; '),
                (("--feature", ""), 'unknown feature ""'),
                (("--feature", "tea"), 'unknown feature "tea"; see --feature list'),
                (("--family", "rases"), 'unknown family "rases"; did you mean "race"?'),
                (("--bug", "ono"), 'unknown bug "ono"; did you mean "one"?'),
                (("--bug", "three-hundred"), 'unknown bug "three-hundred"; see --bug list')):
            for command in ("list", "check", "run"):
                _, err = self.run_program(command, *arguments, status=2)
                self.assertIn(message, err)

    def test_nothing_fits(self):
        out, err = self.run_program("list", "--family", "race", "--feature", "svm", status=77)
        self.assertEqual(out, "")
        self.assertIn("no test fits all that was asked for", err)

    def test_folder_without_tests(self):
        """It ends as nothing to do, or with the tests of the other names; either way it is said."""
        (self.folder / "no\033ne").mkdir()
        for command in ("list", "check", "explain", "show"):
            out, err = self.run_program(command, "no\033ne", status=77)
            self.assertEqual(out, "")
            self.assertEqual(err, 'oclmm: note: there is no test in "no\\x1bne"\n')
        _, err = self.run_program("list", "no\033ne", "litmus/race")
        self.assertIn("there is no test in", err)

    def test_bugs_refused(self):
        for text, message in (
                ("bug a\nwhere b\n", "litmus/bugs:1:1: error: a bug has the lines"),
                ("bug a\nhow b\n", "litmus/bugs:2:1: error: a line begins with"),
                ("tests SB\n", "litmus/bugs:1:1: error: a line begins with")):
            self.write("litmus/bugs", text)
            _, err = self.run_program("list", "--bug", "a", status=2)
            self.assertIn(message, err)
        (self.folder / "litmus/bugs").unlink()
        _, err = self.run_program("list", "--bug", "a", status=2)
        self.assertIn("cannot read", err)

    def test_refused_file(self):
        self.write("litmus/relaxed/REFUSED.litmus", REFUSED)
        _, err = self.run_program("list", "--feature", "fence", status=2)
        self.assertIn("REFUSED.litmus:", err)

    def test_a_file_that_is_too_large(self):
        """It is refused for its size before it is read: not even its memory is there."""
        path = self.write("large.litmus", "OPENCL large\n")
        os.truncate(path, 1 << 29)
        # a sanitizer reserves memory of its own, which a limit would forbid
        limit = resource.RLIM_INFINITY if b"__asan_init" in pathlib.Path(PROGRAM).read_bytes() else 1 << 27
        done = subprocess.run([PROGRAM, "list", "large.litmus"], cwd=self.folder, env=self.environment(),
                              capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        self.assertEqual((done.returncode, done.stderr), (2, "large.litmus: error: the file is larger than 1048576 bytes\n"))

    def test_files_of_other_tests_are_not_read(self):
        """What is wrong with them stops no command that names a test, and hides none whose file has another name."""
        self.write("litmus/relaxed/REFUSED.litmus", REFUSED)
        self.write("litmus/relaxed/other.litmus", SB.replace("OPENCL SB", "OPENCL OTHER"))
        self.write("litmus/relaxed/late.litmus", SB.replace("OPENCL SB", "C  LATE"))
        for pattern, found in (("OTHER", ["OTHER"]), ("OTHER.*", ["OTHER.order=sc"]), ("LATE", ["LATE"]),
                               ("OT[H]ER", ["OTHER"])):
            with self.subTest(pattern):
                self.assertEqual(self.chosen(pattern), found)
        for pattern in ("REFUSED", "R*", "*sc"):
            _, err = self.run_program("list", pattern, status=2)
            self.assertIn("REFUSED.litmus:", err)

    def test_profile_with_controls(self):
        self.write("litmus/profiles/some", "# one test\nCONTROLLED.order=sc\n")
        self.assertEqual(self.chosen("--profile", "some"), ["CONTROLLED.order=sc"])
        self.write("litmus/profiles/some", "CONTROLLED.order=sc\n+controls\n")
        self.assertEqual(self.chosen("--profile", "some"), ["CONTROLLED", "CONTROLLED.order=sc"])
        self.write("litmus/profiles/some", "+controls\n")
        _, err = self.run_program("list", "--profile", "some", status=2)
        self.assertIn("is empty", err)
        self.write("litmus/profiles/some", "SB\n+contrils\n")
        _, err = self.run_program("list", "--profile", "some", status=2)
        self.assertIn('+contrils', err)

    def test_help_says_how_many_tests_run(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        count = {words: len(self.run_program("list", *words, cwd=root)[0].splitlines())
                 for words in ((), ("--profile", "default"), ("--profile", "quick"))}
        text = " ".join(self.run_program("help", "run")[0].split())
        if "not in this build" in text:
            return
        said = re.search(r"about (\d+) of the (\d+) tests .* --quick is about (\d+) tests", text)
        for number, words in zip(said.groups(), (("--profile", "default"), (), ("--profile", "quick"))):
            self.assertLess(abs(int(number) - count[words]), count[words] * 0.05, (words, count[words]))

    def test_unknown_profile(self):
        self.write("litmus/profiles/quick", "SB\n")
        self.write("litmus/profiles/whole", "SB\n")
        for word, told in (("quik", 'did you mean "quick"?'), ("../quick", 'did you mean "quick"?'),
                           ("zzzzzz", "there are quick, whole"), ("", "there are quick, whole")):
            _, err = self.run_program("list", "--profile", word, status=2)
            self.assertEqual(err, f'oclmm: unknown profile "{word}"; {told}\n')


if __name__ == "__main__":
    common.main()
