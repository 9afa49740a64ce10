# SPDX-License-Identifier: Apache-2.0
"""What the lessons promise beside their commands: pictures are those that the program draws, each chapter has exercises
with answers, each term stands in the glossary, and no figure stands twice.

usage: lessons.py PROGRAM             compares
       lessons.py PROGRAM --promote   draws the pictures anew, for review
"""

import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import shown

PROMOTE = "--promote" in sys.argv
PROGRAM = pathlib.Path([word for word in sys.argv[1:] if word != "--promote"][0]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CHAPTERS = ("start", "orders", "scopes", "fences-and-barriers")
LESSONS = CHAPTERS + ("questions", "commands", "host", "explain")
# All that end with exercises.
EXERCISED = LESSONS + ("recipes", "report", "idioms", "kernels", "litmus-format", "model")
# Read by whoever has little time: no sentence is long.
READ = LESSONS + ("glossary", "cheatsheet", "recipes", "kernels", "idioms", "report", "playground", "bugs", "references",
                  "collective", "features", "floating-point", "generate", "il", "releasing", "ci",
                  "litmus-format", "performance", "results", "tight", "tuning")
PICTURE = re.compile(r"^!\[([^\]]+)\]\(pictures/([^)]+)\.svg\)$", re.M)
# A litmus file in a page, whole.
FILE = re.compile(r"^(    OPENCL (?:.*\n)(?:(?:    .*)?\n)*?    (?:exists|~exists|forall) .*\n)", re.M)
# Introduced where it is marked. Whole sentences, and the numbers of exercises, end in a full stop.
TERM = re.compile(r"\*\*([a-z][^*.]*)\*\*")
# The words that say what a run is worth: what the glossary says of each, whole, and words not to be used for them.
WORDS = {
    "asked": ("said of the outcome that the final condition of a test names (`exists`), and of each, where several "
              "fulfil it.", "target outcome|outcome in question|interesting outcome"),
    "confidence": ("what silence is worth. A device with the bug, which shows it in as many launches as the control did, "
                   "would be silent with some probability: confidence is 1 minus that. A pass needs 95 %, or what "
                   "`--confidence` says.", "certainty|assurance|significance level"),
    "control": ("a program that runs beside a test and in which the test's forbidden outcome is allowed. A *hardware* "
                "control is a weaker variant, which lacks some of the test's orders, scopes, fences or barriers (*weaker*, in "
                "files of results). A *compiler* control is the test after one wrong step of a compiler (*moved*).",
                "twin test|sister test|counter-test|companion test"),
    "disputed": ("said of an outcome that one reading of the specification allows and another forbids. The knob that decides "
                 "is named. Seen on a device, it fails nothing.", "(?:contested|controversial|ambiguous) outcome"),
    "evidence": ("what the launches of a test and its controls say together: in how many the control showed what the test "
                 "forbids. *Hardware evidence* comes from hardware controls, *compiler evidence* from compiler controls. "
                 "Each speaks of bugs of its own kind.", "(?:hardware|compiler) proof"),
    "forbidden": ("said of an outcome that the model does not allow: no consistent execution ends so. A device that shows it "
                  "has a bug, in its compiler, its driver or its hardware. As a verdict: such an outcome was seen.",
                  "(?:illegal|prohibited|disallowed) (?:outcome|result|state)"),
    "inconclusive": ("the verdict on a silent test without confidence: nothing failed, and nothing was proved. It fails a run "
                     "with `--strict`, and any run in which no test has confidence.",
                     "(?:undecided|indecisive|unproved) (?:test|verdict)"),
    "silence, silent": ("a test is silent if it forbids an outcome, as a rule the asked one, and showed nothing that it "
                        "forbids.", "quiet test|mute"),
    "undefined": ("said of a program that has a data race or other undefined behaviour, and of its outcomes. The "
                  "specification promises nothing about it, so none of its outcomes is forbidden.",
                  "unspecified (?:outcome|program|behaviou?r)"),
    "weak": ("said of an outcome that no interleaving of the threads explains, and of an instance that ended so. Nearly all "
             "tests ask about such outcomes. (In files of results the key `weak` counts the instances that ended in the asked "
             "outcome, where it is not forbidden.)", "relaxed (?:outcome|result|behaviou?r)|weird outcome|anomal"),
}


def prose(name):
    """A page without its code."""
    return "\n".join(line for line in (DOCS / f"{name}.md").read_text(encoding="utf-8").splitlines()
                     if not line.startswith("    "))


def entries(text):
    """Word and explanation of a glossary."""
    return {head: " ".join(body.split()) for head, body in re.findall(r"(?m)^\*\*([^*]+)\*\* –\s((?:.+\n?)+)", text)}


def known(glossary):
    """All words that it explains, singular."""
    return {word.strip() for head in entries(glossary) for word in head.split(",")}


def missing(terms, words):
    """The terms that are neither there nor the plural of one that is."""
    return [term for term in terms if not {" ".join(term.split()), term.removesuffix("s")} & words]


def measured(lines):
    """What a run counted: (test and outcome, or test, what stands beside it) of each row of its histograms and tables."""
    test = None
    for line in lines:
        logged = re.match(r"Test (\S+) ", line)
        row = re.match(r"(\d+)\s*[*:]>(.*?)(?: #.*)?$", line)
        told = re.match(rf"(?:{shown.VERDICTS}) +(\S+) +(\S.*)$", line)
        if logged:
            test = logged[1]
        elif row:
            yield (test, row[2].strip()), row[1]
        elif told:
            # in the list of tests, or in the table of what silence is worth
            yield (told[1], " asked" in told[2]), told[2]


def runs():
    """(page, words of the command, lines) of each run that a page shows; -v changes nothing in a run."""
    for path in shown.documents():
        for one in [*shown.shown(path), *shown.loose(path)]:
            words, lines = (one.words, one.output) if isinstance(one, shown.Shown) else (one.command, one.lines)
            words = [word for word in words if word not in ("oclmm", "-v")]
            if words[:1] == ["run"]:
                yield path.name, words, lines


def contradictions(told):
    """Of (page, command, lines) those that show other figures for a command than the page that shows it first."""
    first = {}
    for page, command, lines in told:
        for what, figure in measured(lines):
            known_page, known_figure = first.setdefault((frozenset(command), what), (page, figure))
            if figure != known_figure:
                yield f"{page}: {what}: {figure}, but {known_figure} in {known_page}"


def counted(lines):
    """How many tests the last line of a run counts, or None where there is none."""
    told = " ".join(" ".join(lines).split())
    verdict = re.search(r"verdict: \w+: of (\d+) tests? that can fail .*; (\d+) cannot fail, (\d+) undefined, (\d+) skipped",
                        told)
    return sum(map(int, verdict.groups())) if verdict else None


def too_long(text):
    """The sentences that nobody can say in one breath."""
    return [sentence for sentence in sentences(text) if len(sentence.split()) > 30]


def sentences(text):
    """The sentences of a page's prose; cells of tables and items of lists by themselves."""
    prose_only = re.sub(r"(?m)^    .*$|^```(?:.|\n)*?^```$", "", text)
    for block in re.split(r"\n\s*\n|\n(?= *[*|#\d])", prose_only):
        for cell in block.split("|") if block.lstrip().startswith("|") else [block]:
            yield from re.split(r"(?<=[.!?:;])[)*]*\s+(?=[A-Z`*\[\"(])", " ".join(cell.split()))


def draw(name):
    done = subprocess.run([PROGRAM, "explain", "--no-changes", name, "--svg", "/dev/stderr"], cwd=ROOT, check=True,
                          capture_output=True)
    return done.stderr


class Lessons(unittest.TestCase):
    def test_pictures_are_drawn_by_the_program(self):
        shown = {}
        for path in sorted(DOCS.glob("*.md")):
            for text, name in PICTURE.findall(path.read_text(encoding="utf-8")):
                shown[name] = path.stem
                self.assertGreater(len(text), 30, "a picture in words, for those who do not see it")
        self.assertEqual(set(CHAPTERS) - set(shown.values()), set())
        drawn = {f"{name}.svg": draw(name) for name in shown}
        if PROMOTE:
            for name, picture in drawn.items():
                (DOCS / "pictures" / name).write_bytes(picture)
        # nor is there one that no page shows
        self.assertEqual({path.name: path.read_bytes() for path in (DOCS / "pictures").iterdir()}, drawn)

    def test_chapters_end_with_exercises(self):
        for name in EXERCISED:
            text = prose(name)
            headings = re.findall(r"(?m)^## .*$", text)
            at = re.search(r"(?m)^## .*[Ee]xercises$", text)
            asked = re.findall(r"(?m)^\*\*(\d)\.\*\* ", text[at.start():])
            with self.subTest(name):
                # start.md ends with where to go from here
                self.assertIn(at[0], headings[-2 if name == "start" else -1:])
                self.assertGreaterEqual(len(asked), 3 if name in CHAPTERS else 2)
                self.assertEqual(asked, [str(number) for number in range(1, len(asked) + 1)])
                self.assertEqual(len(re.findall("<details><summary>Answer</summary>\n\n", text)), len(asked))
                self.assertEqual(len(re.findall("\n\n</details>", text)), len(asked))

    def test_whole_files_in_pages_are_accepted(self):
        """What a page shows as a file, from its name to its condition, can be copied and checked."""
        copied = 0
        for path in sorted(DOCS.glob("*.md")):
            for block in FILE.findall(path.read_text(encoding="utf-8")):
                text = re.sub("(?m)^    ", "", block)
                with self.subTest(path.name, file=text.split("\n", 1)[0]), tempfile.TemporaryDirectory() as folder:
                    copy = pathlib.Path(folder) / "copy.litmus"
                    copy.write_text(text, encoding="utf-8")
                    done = subprocess.run([PROGRAM, "check", "-q", copy], cwd=ROOT, capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    copied += 1
        self.assertGreater(copied, 5)

    def test_the_first_chapter_asks_what_it_teaches(self):
        text = prose("start")
        for question in ("In your own words: why does message passing need both", "In which of the three programs",
                         "How many tests were there?"):
            self.assertIn(question, text.replace("\n", " "))

    def test_terms_stand_in_the_glossary_and_are_introduced_once(self):
        glossary = (DOCS / "glossary.md").read_text(encoding="utf-8")
        introduced = {}
        for name in LESSONS:
            terms = TERM.findall(prose(name))
            with self.subTest(name):
                self.assertEqual(missing(terms, known(glossary)), [])
                for term in terms:
                    self.assertNotIn(term.removesuffix("s"), introduced)
                    introduced[term.removesuffix("s")] = name
        self.assertGreater(len(introduced), 25)
        self.assertEqual(missing(["launches", "histogram", "hologram"], known(glossary)), ["launches", "hologram"])

    def test_words_are_defined_in_one_place_and_used(self):
        told = entries((DOCS / "glossary.md").read_text(encoding="utf-8"))
        texts = [*DOCS.glob("*.md"), ROOT / "README.md", *(ROOT / "src").rglob("*.[ch]"), *(ROOT / "runner").rglob("*.[ch]")]
        for word, (meaning, others) in WORDS.items():
            with self.subTest(word):
                self.assertEqual(told[word], meaning)
                for path in texts:
                    self.assertIsNone(re.search(rf"(?i)\b(?:{others})", path.read_text(encoding="utf-8")), path)
        self.assertTrue(re.search(WORDS["weak"][1], "an anomaly"))

    def test_shares_stand_with_their_histogram(self):
        """`13 of 100` is what the histogram below it says; other shares stand in results.md alone."""
        for name in CHAPTERS + ("questions",):
            text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
            with self.subTest(name):
                self.assertEqual(set(re.findall(r"[\d.]+ ?%", prose(name))) - {"95 %"}, set())
                for match in re.finditer(r"(\d+) of 100\b", text):
                    block = text[match.end():].split("Histogram", 1)[1].split("\n\n", 1)[0]
                    rows = re.findall(r"(?m)^ +(\d+) *([:*])>", block)
                    seen = sum(int(count) for count, mark in rows if mark == "*")
                    self.assertEqual(round(100 * seen / sum(int(count) for count, _ in rows)), int(match[1]))

    def test_a_run_shows_the_same_figures_on_every_page(self):
        """`--seed 7` does not make a machine take turns in the same way again, but a reader who meets a command twice
        should not have to wonder."""
        told = list(runs())
        self.assertEqual(list(contradictions(told)), [])
        # README and start.md show one run, so there is something to compare
        commands = [(page, command) for page, command, _ in told]
        self.assertTrue(any(set(x[1]) == set(y[1]) and x[0] != y[0] for x, y in itertools.combinations(commands, 2)))
        [complaint] = contradictions([("a", ["run"], ["Test X Allowed", "10    *>x;", "2     :>y;"]),
                                      ("b", ["run"], ["Test X Allowed", "11    *>x;", "2     :>y;"])])
        self.assertIn("11, but 10 in a", complaint)
        [complaint] = contradictions([("a", ["run"], ["pass         SB+sc+sc   1.0 M, 3 asked"]),
                                      ("b", ["run"], ["pass         SB+sc+sc   1.0 M, 4 asked"])])
        self.assertIn("4 asked, but 1.0 M, 3 asked", complaint)

    def test_counts_in_the_text_stand_in_a_histogram(self):
        for name in CHAPTERS:
            text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
            counts = {count for _, _, lines in runs() for _, count in measured(lines)}
            for number in re.findall(r"(?<![\d,])(\d{1,3}(?:,\d{3})+) times", prose(name)):
                with self.subTest(name):
                    self.assertIn(number.replace(",", ""), counts)
                    self.assertIn(number.replace(",", ""), text)

    def test_verdicts_count_the_tests_that_the_command_runs(self):
        """The last line of a run as a page shows it: its numbers add up to the tests that the command chooses today."""
        compared = 0
        pages = {"README.md", "ci.md", *(f"{name}.md" for name in CHAPTERS)}
        for page, command, lines in (run for run in runs() if run[0] in pages):
            tests = counted(lines)
            if tests is None:
                continue
            chosen = [word for word in command if re.match(r"[A-Z]\S*\+", word)] or ["--profile", "quick"]
            self.assertTrue(chosen[0] in command or "--quick" in command)
            listed = subprocess.run([PROGRAM, "list", *chosen], cwd=ROOT, check=True, capture_output=True,
                                    text=True).stdout.split()
            with self.subTest(page, command=command):
                self.assertEqual(tests, len(listed))
            compared += 1
        self.assertGreater(compared, 1)
        self.assertEqual(counted(["verdict: pass: of 1 test that can fail 1 with confidence (0 hardware, 1",
                                  "  compiler), 0 inconclusive; 2 cannot fail, 3 undefined, 4 skipped"]), 10)

    def test_the_glossary_is_in_order(self):
        heads = list(entries((DOCS / "glossary.md").read_text(encoding="utf-8")))
        keys = [re.sub("[^a-z0-9 ]", "", head.split(",")[0].lower()) for head in heads]
        self.assertGreater(len(keys), 90)
        self.assertEqual(keys, sorted(keys))

    def test_the_glossary_has_the_words_of_verdicts_and_of_evidence(self):
        words = known((DOCS / "glossary.md").read_text(encoding="utf-8"))
        header = (ROOT / "include/oclmm/grade.h").read_text(encoding="utf-8")
        told = {}
        for table in ("CLASSES", "VERDICTS", "CONFIDENCES"):
            block = re.search(rf"#define OCLMM_{table}\(X\)(?:.*\\\n)*.*", header)[0]
            told[table] = re.findall(r'X\(\w+, "([^"]+)"', block)
            self.assertGreater(len(told[table]), 2)
        self.assertIn("stale", told["VERDICTS"])
        # what the machine-readable forms alone say
        wanted = {*told["CLASSES"], *told["VERDICTS"], *told["CONFIDENCES"]} - {"not-judged", "not-needed", "control", "reached"}
        self.assertEqual([word for word in sorted(wanted) if not {word, word.replace("-", " ")} & words], [])

    def test_sentences_are_short(self):
        for path in [ROOT / "README.md", *(DOCS / f"{name}.md" for name in READ)]:
            with self.subTest(path.name):
                self.assertEqual(too_long(path.read_text(encoding="utf-8")), [])
        self.assertEqual(too_long("A b. " * 20 + "C " * 30 + "d.\n\n    " + "e " * 40), ["C " * 30 + "d."])
        self.assertEqual(list(sentences("One. Two (of it). *Three* four.\n\n    code\n| a b | c |\n* item")),
                         ["One.", "Two (of it).", "*Three* four.", "", "a b", "c", "", "* item"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
