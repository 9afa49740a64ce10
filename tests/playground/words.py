# SPDX-License-Identifier: Apache-2.0
"""The word list for editors knows every word of the suite, and Vim colours by it.

usage: words.py SOURCE-FOLDER
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
SCRIPT = SOURCE / "packaging" / "editor" / "words.py"


def written(kind):
    return subprocess.run([sys.executable, SCRIPT, kind, SOURCE], capture_output=True, text=True, check=True).stdout


def bodies(text):
    """A litmus file without comments and quoted texts."""
    text = re.sub(r"^[ \t]*\(\*.*?\*\)", " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*|\"[^\"\n]*\"", " ", text)


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kinds = json.loads(written("json"))
        cls.words = {word for words in cls.kinds.values() for word in words}
        cls.files = sorted((SOURCE / "litmus").glob("*/*.litmus"))

    def test_no_word_is_of_two_kinds(self):
        self.assertEqual(sum(len(words) for words in self.kinds.values()), len(self.words))

    def test_every_function_and_constant_of_the_suite(self):
        self.assertGreater(len(self.files), 100)
        for path in self.files:
            text = bodies(path.read_text(encoding="utf-8"))
            called = set(re.findall(r"\b(?:atomic|atom|memory|CLK|get)_\w+|\b\w*(?:barrier|fence)(?=\s*\()", text))
            self.assertLessEqual(called, self.words, path)

    def test_textmate(self):
        grammar = json.loads(written("textmate"))
        patterns = [re.compile(pattern.get("match") or pattern["begin"], re.MULTILINE) for pattern in grammar["patterns"]]
        for word in self.words:
            self.assertTrue(any(pattern.fullmatch(word) for pattern in patterns), word)
        self.assertFalse(any(pattern.fullmatch("some_name") for pattern in patterns))

    @unittest.skipUnless(shutil.which("vim"), "no Vim")
    def test_vim(self):
        with tempfile.TemporaryDirectory() as folder:
            syntax, out = pathlib.Path(folder) / "litmus.vim", pathlib.Path(folder) / "out"
            syntax.write_text(written("vim"), encoding="utf-8")
            for path in self.files[::20]:
                script = ("let g = [] | for n in range(1, line('$')) | for c in range(1, col([n, '$']) - 1) | "
                          "call add(g, synIDattr(synID(n, c, 1), 'name')) | endfor | endfor | "
                          f"call writefile(uniq(sort(g)), '{out}') | qall!")
                subprocess.run(["vim", "-e", "-s", "-u", "NONE", "-i", "NONE", "--not-a-term", "-c", "syntax on",
                                "-c", f"source {syntax}", "-c", script, path],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=240, check=False)
                self.assertLessEqual({"litmusPreamble", "litmusComment", "litmusThread", "litmusCondition"},
                                     set(out.read_text(encoding="utf-8").split()), path)


unittest.main(verbosity=1)
