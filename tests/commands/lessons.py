# SPDX-License-Identifier: Apache-2.0
"""What the lessons promise beside their commands: pictures are those that the program draws, each chapter has exercises
with answers, each term stands in the glossary, and no figure stands twice.

usage: lessons.py PROGRAM             compares
       lessons.py PROGRAM --promote   draws the pictures anew, for review
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROMOTE = "--promote" in sys.argv
PROGRAM = pathlib.Path([word for word in sys.argv[1:] if word != "--promote"][0]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CHAPTERS = ("start", "orders", "scopes", "fences-and-barriers")
LESSONS = CHAPTERS + ("questions", "commands", "host", "explain")
# All that end with exercises. The headings of questions.md are questions, and its text the answers.
EXERCISED = CHAPTERS + ("commands", "host", "explain", "recipes", "idioms", "kernels", "litmus-format", "model")
PICTURE = re.compile(r"^!\[([^\]]+)\]\(pictures/([^)]+)\.svg\)$", re.M)
# A litmus file in a page, whole.
FILE = re.compile(r"^(    OPENCL (?:.*\n)(?:(?:    .*)?\n)*?    (?:exists|~exists|forall) .*\n)", re.M)
# Introduced where it is marked. Whole sentences, and the numbers of exercises, end in a full stop.
TERM = re.compile(r"\*\*([a-z][^*.]*)\*\*")
# The words that say what a run is worth: what the glossary says of each, whole, and words not to be used for them.
WORDS = {
    "asked": ("said of the outcome that the final condition of a test names (`exists`), and of each, where several "
              "fulfil it.", "target outcome|outcome in question|interesting outcome"),
    "confidence": ("what silence is worth: 1 minus the probability of it on a device that has the bug, and shows it in as "
                   "many launches as the control did. A pass needs 95 %, or what `--confidence` says.",
                   "certainty|assurance|significance level"),
    "control": ("a program that runs beside a test and in which the test's forbidden outcome is allowed. A *hardware* "
                "control lacks an order, scope, fence or barrier (*weaker*, in files of results); a *compiler* control has "
                "one wrong step of a compiler (*moved*).", "twin test|sister test|counter-test|companion test"),
    "forbidden": ("said of an outcome in which no execution ends that the model admits. One that is seen is a bug of the "
                  "device: of its compiler, its driver or its hardware.",
                  "(?:illegal|prohibited|disallowed) (?:outcome|result|state)"),
    "silence, silent": ("a test is silent if its asked outcome is forbidden and was not seen.", "quiet test|mute"),
    "weak": ("said of an outcome that no interleaving of the threads explains, and of an instance that ended so. Tests ask "
             "about such outcomes. So the program counts as weak the instances that ended in the asked outcome, where it is "
             "not forbidden.", "relaxed (?:outcome|result|behaviou?r)|weird outcome|anomal"),
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
