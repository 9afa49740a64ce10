#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants functions that nobody calls, objects that nobody uses and headers that nobody needs, and sees that each is found."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_used  # noqa: E402

CLEAN = {
    "include/oclmm/ir.h": "/* word() */\nint oclmm_word(int a);\nint oclmm_read(void);\n",
    "src/ir/names.h": "int ir_find(int a);\nint ir_seam(void);\nstatic inline int ir_one(void)\n{\n\treturn ir_two();\n}\n",
    "src/ir/names.c": "int ir_find(int a)\n{\n\treturn a;\n}\n\nint ir_two(void)\n{\n\treturn 2;\n}\n\n"
                      "int ir_seam(void)\n{\n\treturn 3;\n}\n\nint oclmm_word(int a)\n{\n\treturn ir_seam();\n}\n",
    "src/ir/read.c": "int oclmm_read(void)\n{\n\treturn ir_find(1) + oclmm_word(2);\n}\n",
    "runner/main.c": "int main(int argc, char **argv)\n{\n\treturn argc;\n}\n",
    "tests/ir/names.c": "int main(void)\n{\n\treturn oclmm_read() + ir_seam();\n}\n",
}

PLANTED = {
    "called by nothing": ("src/ir/more.c", "int ir_more(void)\n{\n\treturn 1;\n}\n"),
    "called by a comment": ("src/ir/more.c", "/* ir_more() */\nint ir_more(void)\n{\n\treturn 1;\n}\n"),
    "called by tests only": ("tests/ir/more.c", "int ir_more(void);\nint a = ir_more();\n"),
    "in its own file only": ("src/ir/more.c", "int ir_more(void)\n{\n\treturn 1;\n}\n\nstatic int a(void)\n{\n"
                                              "\treturn ir_more();\n}\n"),
    "public, and called by nothing": ("include/oclmm/ir.h", CLEAN["include/oclmm/ir.h"] + "int ir_more(void);\n"),
}


class Used(unittest.TestCase):
    def complaints(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(check_used.complaints(root))

    def test_clean(self):
        self.assertEqual(self.complaints(CLEAN), [])

    def test_planted(self):
        more = {"src/ir/more.c": "int ir_more(void)\n{\n\treturn 1;\n}\n"}
        for what, (name, text) in PLANTED.items():
            with self.subTest(what):
                found = self.complaints({**CLEAN, **more, name: text})
                self.assertEqual(len(found), 1, found)
                self.assertIn("ir_more", found[0])

    def test_objects(self):
        header = {"src/ir/table.h": "extern const struct row ir_rows[];\n"}
        for file, text in (("src/ir/table.c", "const struct row ir_rows[] = {{1}};\n"),
                           ("src/ir/table.c", "int ir_rows = 1;\n"),
                           ("runner/a/table.c", "const struct row *const ir_rows[A_SIZE][2] = {0};\n")):
            with self.subTest(text):
                self.assertEqual(self.complaints({**CLEAN, **header, file: text}), [f"{file}: ir_rows is used by nothing"])
                self.assertEqual(self.complaints({**CLEAN, **header, file: text, "src/ir/a.c": "static int *a = ir_rows;\n"}), [])

    def test_look_ups(self):
        header = {"src/ir/words.h": "const char *ir_word(enum ir_kind kind);\n"}
        for text in ("OCLMM_LOOK_UP(const char *, ir_word, ir_kind, IR_KINDS, FIRST);\n",
                     "OCLMM_LOOK_UP(bool, ir_word, ir_kind, IR_KINDS, SECOND);\n",
                     "WORD_LOOK_UP(ir_word, ir_kind, IR_KINDS, FIRST);\n"):
            with self.subTest(text):
                files = {**CLEAN, **header, "src/ir/words.c": text}
                self.assertEqual(self.complaints(files), ["src/ir/words.c: ir_word is used by nothing"])
                self.assertEqual(self.complaints({**files, "src/ir/a.c": "static int a = sizeof(ir_word);\n"}), [])

    def test_executors(self):
        files = {**CLEAN, "runner/stress/a.c": "const struct oclmm_executor oclmm_executor_a = {0};\n",
                 "runner/stress/run.c": "static void *a = &oclmm_executor_a;\n"}
        self.assertEqual(self.complaints(files), ["runner/stress/a.c: no test plays oclmm_executor_a"])
        self.assertEqual(self.complaints({**files, "tests/stress/a.c": "static void *a = &oclmm_executor_a;\n"}), [])

    def test_includes(self):
        text = '#include <errno.h>\n#include <stdio.h>\n\n/* EINVAL */\nint f(void)\n{\n\tputs("a");\n\treturn 1;\n}\n'
        for planted, found in ((text, 1), (text.replace("return 1", "return -EINVAL"), 0)):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                (root / "src").mkdir()
                (root / "src/f.c").write_text(planted)
                self.assertEqual(list(check_used.idle_includes(root)), ["src/f.c: uses nothing of <errno.h>"] * found)

    def test_nothing_there(self):
        self.assertEqual(len(self.complaints({"src/a.txt": ""})), 1)


if __name__ == "__main__":
    unittest.main()
