#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants violations in a tree of its own and sees that each one is found."""
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_rooms  # noqa: E402

CLEAN = {
    "include/oclmm/base.h": "#include <stdint.h>\n",
    "include/oclmm/ir.h": '#include "oclmm/base.h"\n',
    "include/oclmm/grade.h": '#include "oclmm/ir.h"\n',
    "include/oclmm/model_part.h": '#include "oclmm/ir.h"\n',
    "src/ir/print.h": '#include "oclmm/ir.h"\n',
    "src/ir/print.c": '#include "print.h"\n#include <stdio.h>\n',
    "src/ir/meson.build": "room_sees = ['base']\nroom_needs = [base_dep]\nroom_sources = files('print.c')\n",
    "src/syntax/grammar.y": '%{\n#include "grammar.h"\n#include "oclmm/ir.h"\n%}\n',
    "src/grade/grade.c": '#include "oclmm/model.h"\n#include "oclmm/histogram.h"\n',
    "runner/device/device.h": '/*\n * May see: codegen, cache, producer.\n */\n#include <CL/cl.h>\n#include "oclmm/ir.h"\n',
    "runner/stress/stress.h": "/*\n * May see: plant, exchange, device, host, codegen, histogram.\n */\n",
    "runner/stress/stress.c": '#include "device/device.h"\n#include "oclmm/codegen.h"\n',
    "runner/main.c": '#include "oclmm/grade.h"\n#include "device/device.h"\n',
}

PLANTED = {
    "OpenCL in src": ("src/codegen/text.c", "#include <CL/cl.h>"),
    "OpenCL in src, spaced": ("src/codegen/text.c", "  #  include  <CL/cl_ext.h>"),
    "OpenCL in a public header": ("include/oclmm/ir.h", "#include <CL/cl.h>"),
    "OpenCL in a command": ("runner/main.c", "#include <CL/cl.h>"),
    "runner in src": ("src/model/a.c", '#include "device/device.h"'),
    "runner in src by its file name": ("src/model/a.c", '#include "device.h"'),
    "runner in src by a path": ("src/model/a.c", '#include "../../runner/device/device.h"'),
    "upwards in src": ("src/ir/print.c", '#include "oclmm/model.h"'),
    "upwards by a part of a header": ("src/ir/print.c", '#include "oclmm/model_part.h"'),
    "a part of a header upwards": ("include/oclmm/model_part.h", '#include "oclmm/expect.h"'),
    "sideways in src": ("src/codegen/a.c", '#include "oclmm/model.h"'),
    "the model sees the reader": ("src/model/a.c", '#include "oclmm/syntax.h"'),
    "a header upwards": ("include/oclmm/base.h", '#include "oclmm/ir.h"'),
    "another room's private header": ("src/model/a.c", '#include "../ir/print.h"'),
    "stress judges": ("runner/stress/a.c", '#include "oclmm/grade.h"'),
    "device knows the model": ("runner/device/a.c", '#include "oclmm/model.h"'),
    "device sees stress": ("runner/device/a.c", '#include "stress.h"'),
    "a scanner counts too": ("src/syntax/lexer.l", '#include "oclmm/model.h"'),
    "a computed include": ("src/ir/print.c", "#include HEADER"),
    "an unknown public header": ("include/oclmm/extra.h", ""),
    "a part of an unknown header": ("include/oclmm/extra_part.h", ""),
    "an unknown room": ("src/extra/a.c", ""),
    "a room in the wrong house": ("src/stress/a.c", ""),
    "a build file upwards": ("src/ir/meson.build", "room_needs += [base_dep, model_dep]"),
    "a build file that sees more": ("src/codegen/meson.build", "room_sees = ['ir', 'model']"),
    "a command's room judges by itself": ("runner/stress/a.c", '#include "run/run.h"'),
    "a room without its header": ("runner/worker/a.c", ""),
    "a build file without a source": ("src/ir/left_out.c", ""),
    "a build file with a source twice": ("src/ir/meson.build", "room_sources += files('print.c')"),
    "a build file with OpenCL": ("src/codegen/meson.build", "dependencies: [ir_dep, opencl_dep]"),
}


def check_rooms_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_rooms.check(root)[0]


def violations(*planted):
    files = dict(CLEAN)
    for name, text in planted:
        files[name] = files.get(name, "") + text + "\n"
    return check_rooms_of(files)


class Violations(unittest.TestCase):
    def test_clean_tree(self):
        self.assertEqual(violations(), [])

    def test_planted(self):
        for title, (name, text) in PLANTED.items():
            with self.subTest(title):
                found = violations((name, text))
                self.assertEqual(len(found), 1, found)
                self.assertIn(name.rsplit("/", 1)[0], found[0])

    def test_header(self):
        for said in ("", "/*\n * May see: codegen, model.\n */\n"):
            with self.subTest(said):
                self.assertEqual(
                    check_rooms_of({**CLEAN, "runner/device/device.h": said}),
                    ["runner/device/device.h: does not say: May see: codegen, cache, producer."],
                )

    def test_names(self):
        twins = {"src/ir/plan.h": "", "runner/stress/plan.h": "", "src/ir/internal.h": "", "src/syntax/internal.h": ""}
        self.assertEqual(check_rooms_of({**CLEAN, **twins}), ["src/ir/plan.h, runner/stress/plan.h: one name for several headers"])

    def test_table(self):
        """What the table may not say, whatever the tree is like."""
        root = pathlib.Path(__file__).resolve().parents[2]
        self.assertEqual(list(check_rooms.check_table(root)), [])
        for room, sees, wanted in (("stress", "grade", "stress may never see expect"),
                                   ("plant", "model", "plant may never see model"),
                                   ("codegen", "device", "codegen may never see device"),
                                   ("ir", "model", "model sees itself by a detour")):
            with self.subTest(room), unittest.mock.patch.dict(check_rooms.ARROWS, {room: [sees]}):
                self.assertIn(f"docs/architecture.md: {wanted}", list(check_rooms.check_table(root)))
        with tempfile.TemporaryDirectory() as empty:
            self.assertIn("docs/architecture.md: no room src/base", check_rooms.check_table(pathlib.Path(empty)))

    def test_position(self):
        found = violations(("src/ir/print.c", '\n#include "oclmm/grade.h"'))
        self.assertEqual(found, ['src/ir/print.c:4: may not see grade: #include "oclmm/grade.h"'])


if __name__ == "__main__":
    unittest.main()
