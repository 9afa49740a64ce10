# SPDX-License-Identifier: Apache-2.0
"""The profile cts and docs/cts.md: every subtest of OpenCL-CTS that touches the memory model has its place in both, and
every test that stands beside one is run by the profile.

usage: cts.py PROGRAM            what needs no device
       cts.py PROGRAM --device   a part of the profile on a device; skipped (77) without one
"""
import json
import re
import sys

DEVICE = sys.argv[2:3] == ["--device"]
del sys.argv[2:3]

import common  # noqa: E402 (takes the program from the command line)
import shown  # noqa: E402

PROFILE = shown.ROOT / "litmus" / "profiles" / "cts"
PAGE = shown.ROOT / "docs" / "cts.md"
# REGISTER_TEST of test_conformance/c11_atomics and test_conformance/SVM, at the commit that the page names.
OPERATIONS = ("store init load exchange compare_exchange_strong compare_exchange_weak fetch_add fetch_sub fetch_or fetch_xor "
              "fetch_and fetch_orand fetch_xor2 fetch_min fetch_max flag fence").split()
ATOMICS = {f"{svm}atomic_{operation}" for operation in OPERATIONS for svm in ("", "svm_")}
SCOPES = {"inclusive_scopes_global_op", "inclusive_scopes_global_fence"}
SVM = {"svm_" + name for name in (
    "allocate_shared_buffer allocate_shared_buffer_negative byte_granularity cross_buffer_pointers_coarse_grain enqueue_api "
    "fine_grain_memory_consistency fine_grain_sync_buffers migrate negative_memcpy_overlap pointer_passing "
    "set_kernel_exec_info_svm_ptrs shared_address_space_coarse_grain_old_api shared_address_space_coarse_grain_new_api "
    "shared_address_space_fine_grain shared_address_space_fine_grain_buffers shared_sub_buffers").split()}
NOTHING_HERE = {"svm_" + name for name in ("allocate_shared_buffer allocate_shared_buffer_negative "
                                           "negative_memcpy_overlap pointer_passing set_kernel_exec_info_svm_ptrs").split()}
NAME = re.compile(r"[\w+.=-]+")


def rows(section):
    """The rows of the tables of a part of the page, as cells."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
            if line.startswith("| `")]


class Cts(common.SuiteCase):
    def names(self, *arguments):
        out, _ = self.run_program("list", *arguments, environment=self.suite_of_the_tree())
        return out.split()

    def suite_of_the_tree(self):
        environment = self.environment()
        environment["OCLMM_SUITE"] = str(shown.ROOT)
        return environment

    def test_every_subtest_has_its_row(self):
        for section, wanted in (("c11_atomics", ATOMICS | SCOPES), ("SVM", SVM)):
            named = [name for row in rows(section) for name in re.findall(r"`(\w+)`", row[0])]
            with self.subTest(section):
                self.assertEqual(sorted(named), sorted(wanted))

    def test_every_subtest_has_its_heading(self):
        headings = re.findall(r"(?m)^# (?:c11_atomics|SVM): (.*)$", PROFILE.read_text(encoding="utf-8"))
        named = [name for heading in headings for name in heading.split()]
        self.assertEqual(sorted(named), sorted((ATOMICS | SCOPES | SVM) - NOTHING_HERE))
        for row in rows("SVM"):
            for name in re.findall(r"`(\w+)`", row[0]):
                with self.subTest(name):
                    self.assertEqual(row[2].startswith("nothing"), name in NOTHING_HERE)

    def test_every_pattern_finds_tests(self):
        for line in PROFILE.read_text(encoding="utf-8").splitlines():
            if line and line[0] not in "#+":
                with self.subTest(line):
                    self.assertTrue(self.names(line))

    def test_what_stands_beside_a_subtest_is_run(self):
        """Each test that a row names, as it is written or with the variant that the row names."""
        run, known = set(self.names("--profile", "cts")), set(self.names())
        self.assertGreater(len(run), 500)
        seen = 0
        for row in rows("c11_atomics") + rows("SVM"):
            for cell in row[2:4]:
                for name in NAME.findall(re.sub(r"`[^`]*`|\([^)]*\.md[^)]*\)", "", cell)):
                    if name.strip(".") in known:
                        seen += 1
                        with self.subTest(name):
                            self.assertIn(name.strip("."), run)
        self.assertGreater(seen, 60)


class Device(common.SuiteCase):
    def test_parts_of_the_profile(self):
        """Each test of a part has a word, as its record has a verdict."""
        for shard in ("2/60", "8/60"):
            with self.subTest(shard):
                self.part(shard)

    def part(self, shard):
        environment = self.environment()
        environment["OCLMM_SUITE"] = str(shown.ROOT)
        out, _ = self.run_program("list", "--profile", "cts", "--shard", shard, environment=environment)
        chosen = set(out.split())
        self.assertGreater(len(chosen), 5)
        # 3: so few launches may prove nothing
        self.run_program("run", "--profile", "cts", "--shard", shard, "--seed", "1", "-n", "20000", "--output", "x.json",
                         "--output", "x.jsonl", environment=environment, status=(0, 3))
        data = json.loads(self.read("x.json"))
        self.assertEqual((data["cmd"], data["args"]), ("oclmm", "--profile cts"))
        self.assertEqual(set(data["results"]), chosen)
        records = {record["test"]: record for record in self.lines_of_json(self.read("x.jsonl")) if record["type"] == "test"}
        for name, word in data["results"].items():
            with self.subTest(name):
                # of a pass the confidence decides, which is known at the end
                allowed = {"pass": ("pass", "skip"), "skip": ("skip",)}.get(records[name]["verdict"], ("pass",))
                self.assertIn(word, allowed)
        (self.folder / "x.json").unlink()
        (self.folder / "x.jsonl").unlink()


if DEVICE:
    del Cts
    if common.subprocess.run([common.PROGRAM, "devices"], capture_output=True, check=False).returncode:
        print("no device")
        sys.exit(77)
else:
    del Device
common.main()
