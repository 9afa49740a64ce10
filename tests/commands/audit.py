#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclmm audit, with the clang of this machine (77, skipped, without one), and with compilers that are scripts.

usage: audit.py PROGRAM
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from process_time import processor_seconds

PROGRAM = os.path.abspath(sys.argv.pop(1))
CLANG = shutil.which("clang") or shutil.which("clang-14")
NEWER = next(filter(None, (shutil.which(f"clang-{version}") for version in range(29, 17, -1))), None)


def audit(*arguments, **environment):
    """Exit status, standard output and error."""
    done = subprocess.run([PROGRAM, "audit", *arguments], capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def verdicts(output):
    """Verdict by test, of --format text."""
    return {name: verdict for verdict, name in re.findall(r"^([a-z-]+) +(\S+)", output, re.M) if verdict != "audit"}


KERNELS = {
    "nothing-added": """\
// oclmm: --global 2 --local 1 --arg a=0,0 --arg seen=-1,-1 --arg z=0 --ask 'seen[0] == 0 && seen[1] == 0'
kernel void both(global atomic_int *a, global int *seen, global atomic_int *z)
{
\tint i = get_global_id(0);

\tatomic_store_explicit(&a[i], 1, memory_order_relaxed, memory_scope_device);
#ifdef FENCE
\tatomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
#else
\tatomic_fetch_add_explicit(z, 0, memory_order_acq_rel, memory_scope_device);
#endif
\tseen[i] = atomic_load_explicit(&a[1 - i], memory_order_relaxed, memory_scope_device);
}
""",
    "structures": """\
// oclmm: --global 2 --local 1 --arg q=0,0,0,0 --arg out=0,0 --arg n=3 --ask 'out[0] == 3 && out[1] != 7'
struct item { char ready; short tag; long sum; };
struct queue { atomic_int head; struct item it; };
kernel void f(global struct queue *q, global long *out, short n)
{
\tif (get_global_id(0) == 0) {
\t\tq->it.sum = 7;
\t\tq->it.tag = n;
\t\tq->it.ready = 1;
\t\tatomic_store_explicit(&q->head, 1, memory_order_release, memory_scope_device);
\t} else if (atomic_load_explicit(&q->head, memory_order_acquire, memory_scope_device)) {
\t\tout[0] = q->it.tag;
\t\tout[1] = q->it.sum * q->it.ready;
\t}
}
""",
    "own-variables": """\
// oclmm: --global 4 --local 2 --arg out=0,0,0,0 --ask 'out[0] != 1'
kernel void swap(global int *out)
{
\tlocal int tmp[2], unused;
\tint i = get_local_id(0);

\ttmp[i] = get_global_id(0);
\tbarrier(CLK_LOCAL_MEM_FENCE);
\tout[get_global_id(0)] = tmp[1 - i];
}
""",
    "racing": """\
// oclmm: --global 2 --arg x=0 --ask 'x == 0'
kernel void f(global int *x) { *x = get_global_id(0); }
""",
    "by-value": """\
// oclmm: --global 1 --arg x=0 --arg p=1,2 --ask 'x == 0'
struct pair { int a, b; };
kernel void f(global int *x, struct pair p) { *x = p.a; }
""",
    "no-question": """\
// oclmm: --global 1 --arg x=0
kernel void f(global int *x) { *x = 1; }
""",
    "floating": """\
// oclmm: --global 2 --local 1 --arg x=0,0 --ask 'x[0] == 2'
kernel void f(global int *x) { x[get_global_id(0)] = (int)((float)get_global_size(0) * 2.0f); }
""",
    "waiting": """\
// oclmm: --global 2 --local 1 --arg lock=0 --arg data=0 --ask 'data != 2'
kernel void f(global atomic_int *lock, global int *data)
{
\twhile (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device))
\t\t;
\t*data += 1;
\tatomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
""",
}


@contextlib.contextmanager
def faulty_clang():
    """$REAL, whose assembly is changed by the sed script $FAULT."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "clang")
        pathlib.Path(path).write_text('#!/bin/sh\ncase "$1" in --version) exec $REAL --version;; esac\n$REAL "$@" | sed -e "$FAULT"\n', encoding="utf-8")
        os.chmod(path, 0o755)
        yield path


@unittest.skipUnless(CLANG, "no clang")
class Clang(unittest.TestCase):
    def test_what_it_makes_right(self):
        status, out, _ = audit("-f", "text", "MP+rel+acq", "SB+sc+sc", "SB+rlx+rlx", "IRIW+sc+sc+sc+sc", "CoRR")
        self.assertEqual(status, 0)
        self.assertEqual(set(verdicts(out).values()), {"right"})
        self.assertIn("audit: right: of 5 tests 5 right, 0 wrong\n", out)

    def test_a_refused_file_takes_no_others_along(self):
        with tempfile.TemporaryDirectory() as folder:
            test = ("OPENCL GOOD\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) {\n  *x = 1;\n}\nexists (x=0)\n")
            for name in "AC":
                pathlib.Path(folder, f"{name}.litmus").write_text(test.replace("GOOD", name), encoding="ascii")
            pathlib.Path(folder, "B.litmus").write_text(test.replace("  *x", "  *z"), encoding="ascii")
            status, out, err = audit("-f", "text", folder)
        self.assertEqual((status, verdicts(out)), (2, {"A": "right", "C": "right"}))
        self.assertRegex(err, r"B\.litmus:4:\d+: error: [^^]*\^")

    def test_an_update_that_becomes_a_load(self):
        """An addition of 0 whose release is lost: a bug of LLVM 14."""
        status, out, _ = audit("SB+add0+add0")
        self.assertEqual(status, 1)
        self.assertIn("wrong        SB+add0+add0  0:r0=0; 1:r0=0;\n", out)
        self.assertRegex(out, r"an order is missing in P0, between `movl \$1, \(%r..\)` and `movl \(%r..\), %e..`")
        self.assertIn("and in P1, between", out)

    def test_an_exchange_that_becomes_a_store(self):
        """Its result is not used, and the release that it reads from is lost."""
        status, out, _ = audit("R+rel+rmw-acq.by=fence")
        self.assertEqual(status, 1)
        self.assertIn("1:r0=0; [y]=2;", out)

    def test_on_aarch64(self):
        """With exclusive pairs and with instructions for updates; the same exchange is lost, with another fence."""
        names = ["MP+rel+acq", "SB+sc+sc", "LB+rlx+rlx", "add+add", "MP+barrier-dev+fence"]
        for target in "aarch64", "aarch64:neoverse-n1":
            status, out, _ = audit("--target", target, "-f", "text", *names)
            self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))
        status, out, _ = audit("--target", "aarch64", "R+rel+rmw-acq.by=fence")
        self.assertEqual(status, 1)
        self.assertIn("an order is missing in P1, between `str w8, [x1]` and `dmb ishld`", out)

    def test_kernels_of_ones_own(self):
        """The same bugs in kernels as they are: an update of nothing as a fence, and what surrounds it."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in KERNELS.items():
                pathlib.Path(folder, name + ".cl").write_text(text, encoding="ascii")
            paths = {name: str(pathlib.Path(folder, name + ".cl")) for name in KERNELS}
            status, out, _ = audit("-f", "text", *paths.values(), "MP+rel+acq")
            self.assertEqual(status, 1)
            self.assertEqual({os.path.basename(name.strip("'")).removesuffix(".cl"): verdict
                              for name, verdict in verdicts(out).items()},
                             {"MP+rel+acq": "right", "nothing-added": "wrong", "structures": "right",
                              "own-variables": "right", "racing": "undefined", "by-value": "skip", "no-question": "skip",
                              "floating": "unreadable", "waiting": "right"})
            self.assertRegex(out, r"    work-item 0\n +movl \$1, \S+ +W a\[0\]=1\n")
            self.assertRegex(out, r"an order is missing in work-item 0, between `movl")
            # with an order of its own in place of the addition, as the file's options say, it is right
            self.assertEqual(audit("--build", "-DFENCE", paths["nothing-added"])[0], 0)
            # as many parameters and conditions as there are, on the command line too
            self.assertEqual(audit("--arg", "a=1,1", "--arg", "z=7", "--ask", "seen[0] == 2", "--ask", "seen[1] == 2", paths["nothing-added"])[0], 0)
            # a wrong text is not the compiler's fault: the launch decides what is allowed
            self.assertEqual(audit("--ask", "seen[0] == 1 && seen[1] == 1", paths["nothing-added"])[0], 1)
            self.assertEqual(audit("--arg", "a=1,1", paths["nothing-added"])[0], 0)
            for target in "aarch64", "riscv64", "nvptx64":
                status, out, _ = audit("--target", target, paths["nothing-added"], paths["structures"],
                                       paths["own-variables"], paths["waiting"])
                self.assertEqual((target, status, out.splitlines()[2:]),
                                 (target, 0, ["audit: right: of 4 tests 4 right, 0 wrong"]))
            status, out, _ = audit("--target", "amdgcn:gfx1030", paths["nothing-added"], paths["waiting"])
            self.assertEqual(status, 0, out)
            status, out, _ = audit("-f", "json", paths["nothing-added"])
            record = json.loads(out.splitlines()[1])
            self.assertEqual((record["verdict"], record["executions"][0]["outcome"]),
                             ("wrong", {"seen[0]": 0, "seen[1]": 0}))
            status, out, _ = audit("-f", "junit", paths["nothing-added"], paths["waiting"])
            cases = xml.etree.ElementTree.fromstring(out.encode()).iter("testcase")
            self.assertEqual([(case.get("classname"), len(case)) for case in cases], [("kernel", 1), ("kernel", 0)])
            broken = pathlib.Path(folder, "broken.cl")
            broken.write_text("kernel void f(global int *x)\n{\n  y = 1;\n}\n", encoding="ascii")
            status, out, err = audit(str(broken), paths["waiting"])
            self.assertEqual((status, out.splitlines()[2:]), (2, ["audit: right: of 1 test 1 right, 0 wrong"]))
            self.assertIn("broken.cl:3:3: error: use of undeclared identifier 'y'", err)

    def test_names_the_limit_that_was_reached(self):
        """Four work-items look at one another's stores: too many states for a second."""
        steps = "".join(f"atomic_store(&x[(i + {n}) % 4], 2 * i + {n}); s[i] += atomic_load(&x[(i + {n} + 1) % 4]);\n" for n in range(6))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.cl")
            path.write_text("// oclmm: --global 4 --local 1 --arg x=0*4 --arg s=0*4 --ask 's[0] == 0'\n"
                            f"kernel void k(global atomic_int *x, global int *s)\n{{\nint i = get_global_id(0);\n{steps}}}\n", encoding="ascii")
            status, out, err = audit("-f", "text", "--time-limit", "1", str(path))
            self.assertEqual(status, 3, out + err)
            self.assertIn("too-large", out)
            self.assertIn("which ends OpenCL allows was not found out: the time limit of 1 s of processor time was reached", " ".join(out.split()))

    def test_more_work_items_than_are_judged(self):
        """A group of 128 without control flow: it is told, and read no further."""
        status, out, err = audit("-f", "text", "--target", "x86-64", "straight+far")
        self.assertEqual(status, 3, out + err)
        self.assertIn("too-large straight+far 128 work-items, and code of up to 16 is judged", " ".join(out.split()))

    def test_words_of_the_compiler(self):
        """None is lost, and a folder's name may have blanks and quotes."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a b", "it's", 'a"b', "\u00e4"):
                path = pathlib.Path(folder, name, "k.cl")
                path.parent.mkdir()
                pathlib.Path(path.parent, "v.h").write_text("#define V 1\n", encoding="ascii")
                path.write_text('#include "v.h"\nkernel void k(global int *x) { x[0] = V + N + M199; }\n'
                                "// oclmm: --global 1 --arg x=0 --ask 'x == 7' '-DN=2 + 3'\n", encoding="ascii")
                for target in "x86-64", "spirv", "aarch64":
                    status, out, err = audit("--target", target, str(path), "--build", " ".join(f"-DM{i}=1" for i in range(200)))
                    self.assertEqual(status, 0, out + err)
                    self.assertIn("of 1 test 1 right", out)

    def test_a_model_without_order_lets_a_kernel_go_wrong(self):
        """So that what is right is not right because nothing was looked at."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "structures", "own-variables", "waiting":
                pathlib.Path(folder, name + ".cl").write_text(KERNELS[name], encoding="ascii")
                model = pathlib.Path(folder, "model.cat")
                model.write_text('"Nothing"\nirreflexive po as nothing\n', encoding="ascii")
                status, out, _ = audit("--machine-model", str(model), str(pathlib.Path(folder, name + ".cl")))
                self.assertEqual((name, status), (name, 1), out)

    def test_on_amds_gpus(self):
        """GFX9 without waits within a compute unit, GFX10 with two caches."""
        names = ["MP+rel+acq", "SB+sc+sc", "LB+rlx+rlx", "add+add", "MP+rel+acq.place=local", "MP+sub_group_barrier"]
        for target, model in ("amdgcn", "AMD GFX10"), ("amdgcn:gfx90a", "AMD GFX9"), ("amdgcn:gfx900", "AMD GFX9"):
            status, out, _ = audit("--target", target, "-f", "text", *names)
            self.assertIn(f"for {target}, judged by {model}\n", out)
            self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))
        self.assertEqual(audit("--target", "amdgcn:gfx1250", "MP+rel+acq")[0], 2)

    def test_on_riscv(self):
        names = ["MP+rel+acq", "SB+sc+sc", "LB+rlx+rlx", "add+add", "cas+cas", "MP+barrier-dev+fence", "IRIW+sc+sc+sc+sc",
                 "W64-rel+R64-acq"]
        status, out, _ = audit("--target", "riscv64", "-f", "text", *names)
        self.assertIn("for riscv64, judged by RVWMO\n", out)
        self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))
        self.assertIn("found      release-to-relaxed by MP+rel+acq\n",
                      audit("--target", "riscv64", "--plant", "release-to-relaxed", "MP+rel+acq")[1])

    @unittest.skipUnless(shutil.which("clang-15"), "no clang 15")
    def test_on_gfx11(self):
        names = ["MP+rel+acq", "SB+sc+sc", "LB+rlx+rlx", "add+add", "cas+cas", "MP+rel+acq.place=local", "MP+barrier"]
        for target in "amdgcn:gfx1100", "amdgcn:gfx1030", "amdgcn:gfx90a":
            status, out, _ = audit("--compiler", "clang-15", "--target", target, "-f", "text", *names)
            self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))

    @unittest.skipUnless(NEWER, "no clang from 18 on")
    def test_by_a_newer_one(self):
        """GFX12 and GFX942, and kernels of PTX that call what they were."""
        names = ["MP+rel+acq", "SB+sc+sc", "add+add", "cas+cas", "MP+rel+acq.place=local", "lock-tas"]
        for target in "amdgcn:gfx1200", "amdgcn:gfx942", "nvptx64", "aarch64":
            status, out, _ = audit("--compiler", NEWER, "--target", target, "-f", "text", *names)
            self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}), target)

    @unittest.skipUnless(shutil.which("llvm-spirv-14") and shutil.which("spirv-dis") and shutil.which("clang-14"), "no llvm-spirv-14")
    def test_spirv(self):
        names = ["MP+rel+acq", "SB+sc+sc", "LB+rlx+rlx", "add+add", "cas+cas", "MP+barrier", "MP+rel+acq.place=local", "IRIW+sc+sc+sc+sc", "lock-tas"]
        status, out, _ = audit("--compiler", "clang-14", "--target", "spirv", "-f", "text", *names)
        self.assertIn("for spirv, judged by OpenCL\n", out)
        self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))
        out = audit("--compiler", "clang-14", "--target", "spirv", "--plant", "acquire-to-relaxed", "--plant", "scope-narrowed",
                    "--plant", "sc-to-acq-rel", "--plant", "rmw-split", *names)[1]
        self.assertEqual(len(re.findall("(?m)^found ", out)), 4, out)
        # the same code has other numbers for all in another text
        out = audit("--compiler", "clang-14", "--target", "spirv", "--plant", "same-to-load", "cas+cas", "MP+rel+acq", "lock-cas")[1]
        self.assertRegex(out, "(?m)^same-code +same-to-load in 2 tests$")

    def test_ptx(self):
        names = ["MP+rel+acq", "SB+sc+sc", "LB+rlx+rlx", "add+add", "cas+cas", "MP+barrier", "MP+rel+acq.place=local", "IRIW+sc+sc+sc+sc"]
        status, out, _ = audit("--target", "nvptx64", "-f", "text", *names)
        self.assertIn("for nvptx64, judged by PTX\n", out)
        self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))
        out = audit("--target", "nvptx64", "--plant", "scope-narrowed", "--plant", "acquire-to-relaxed", "MP+rel+acq")[1]
        self.assertIn("found      scope-narrowed by MP+rel+acq\n", out)
        self.assertIn("found      acquire-to-relaxed by MP+rel+acq\n", out)
        # the same code is seen as such, whatever functions are called
        self.assertRegex(audit("--target", "nvptx64", "--plant", "cas-fail-relaxed", "MP+rlx+rlx", "MP+rel+acq")[1], "(?m)^(same-code|no-place) ")
        # and wherever in its text: numbers of labels are those of the function (clang 14 writes no dot before them)
        out = audit("--target", "nvptx64", "--plant", "cas-fail-relaxed", "CoRR", "MP+rel+cas-fail-acq", "MP+rel+cas-fail-acq+na")[1]
        self.assertRegex(out, "(?m)^same-code +cas-fail-relaxed in 2 tests$")

    def test_without_optimising(self):
        """Threads are called, structures are cleared by memset, and all is on the stack."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "clang")
            pathlib.Path(path).write_text(f'#!/bin/sh\ncase "$1" in --version) exec {CLANG} --version;; esac\nexec {CLANG} "$@" $FLAGS\n',
                                          encoding="utf-8")
            os.chmod(path, 0o755)
            names = ["MP+rel+acq", "SB+sc+sc", "cas+cas", "add+add", "MP+barrier", "CoRR"]
            for target in "x86-64", "aarch64":
                for flags in "-O0", "-O1", "-Os", "-O2 -fPIC":
                    with self.subTest(target=target, flags=flags):
                        status, out, _ = audit("--target", target, "--compiler", path, "-f", "text", *names, FLAGS=flags)
                        self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}))

    def test_wrong_instructions(self):
        """Code of which an instruction is lost, or weaker than it was: each is found."""
        names = ["MP+rel+acq+na", "SB+sc+sc", "add+add", "SB+fence-sc+fence-sc", "MP+barrier+local"]
        faults = [(CLANG, "x86-64", r"s/^\txchgl\t/\tmovl\t/"), (CLANG, "x86-64", r"/mfence/d"),
                  (CLANG, "aarch64", r"s/stlr\t/str\t/"), (CLANG, "aarch64", r"s/ldar\t/ldr\t/"), (CLANG, "aarch64", r"/dmb\tish/d"),
                  (CLANG, "aarch64", r"s/stl*xr\(.*\), w\([0-9]*\), /mov\1, #0\n\tstr\tw\2, /"),
                  (CLANG, "riscv64", r"/^\tfence\t/d"), (CLANG, "nvptx64", r"s/ld\.acquire/ld.relaxed/"), (CLANG, "nvptx64", r"s/st\.release/st.relaxed/"),
                  (CLANG, "nvptx64", r"s/fence\.sc/fence.acq_rel/"), (CLANG, "nvptx64", r"s/bar\.sync/bar.warp.sync 0xffffffff; \/\//"),
                  (CLANG, "amdgcn:gfx90a", r"/buffer_wbinvl1/d"), (CLANG, "amdgcn:gfx90a", r"s/s_waitcnt vmcnt(0)//"),
                  (CLANG, "amdgcn:gfx1030", r"/buffer_gl[01]_inv/d"), (CLANG, "amdgcn:gfx1030", r"/s_waitcnt_vscnt/d"),
                  (CLANG, "amdgcn:gfx1030", r"/s_barrier/d")]
        if NEWER:
            faults += [(NEWER, "amdgcn:gfx942", r"/buffer_wbl2/d"), (NEWER, "amdgcn:gfx942", r"/buffer_inv/d"), (NEWER, "amdgcn:gfx942", r"/global_load/s/ sc1//"),
                       (NEWER, "amdgcn:gfx1201", r"/s_wait_storecnt/d"), (NEWER, "amdgcn:gfx1201", r"/global_inv/d"),
                       (NEWER, "amdgcn:gfx1201", r"s/scope:SCOPE_DEV/scope:SCOPE_SE/")]
        with faulty_clang() as path:
            for clang, target, fault in faults:
                with self.subTest(target=target, fault=fault):
                    status, out, _ = audit("--target", target, "--compiler", path, *names, REAL=clang, FAULT=fault)
                    self.assertEqual(status, 1, out)

    @unittest.skipUnless(shutil.which("clang-14") and NEWER, "no clang 14 and a newer one")
    def test_a_scalar_load_of_what_has_changed(self):
        """LLVM 14 has both loads of a pointer scalar if the first may be."""
        name = "CoRR+barrier-barrier.space=global"
        for compiler, wanted in ("clang-14", 1), (NEWER, 0):
            status, out, _ = audit("--target", "amdgcn:gfx90a", "--compiler", compiler, name)
            self.assertEqual(status, wanted, out)
            self.assertEqual(bool(re.search(r"s_load_dword s\d+, s\[\d+:\d+\], 0x0 +R d=0, reads the initial value", out)), wanted == 1)

    def test_what_others_of_a_group_store(self):
        """A thread is compiled apart, but before a barrier its kernel is taken to store what the others do. Without that LLVM
        makes scalar loads behind it, which are wrong. Of lanes of one wavefront beside others nothing is said."""
        names = ["rule-barrier", "MP+barrier.data=na", "MP+barrierL+barrierG", "global-barrier-leaders"]
        for target in "amdgcn:gfx90a", "amdgcn:gfx1030":
            status, out, _ = audit("--target", target, "-f", "text", *names)
            self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}), target)
            status, out, _ = audit("--target", target, "-f", "text", "MP+barrier+flag", "MP+barrier+flag.group=sg")
            self.assertEqual(verdicts(out), {"MP+barrier+flag": "right", "MP+barrier+flag.group=sg": "skip"})
            self.assertIn("work-items of one sub-group beside others", " ".join(out.split()))
        loads = r"s/^\tglobal_load_dword v\([0-9]*\), v[0-9]*, s\[\([0-9:]*\)\]$/\ts_load_dword s20, s[\2], 0x0\n\tv_mov_b32_e32 v\1, s20/"
        with faulty_clang() as path:
            status, out, _ = audit("--target", "amdgcn:gfx1030", "--compiler", path, "MP+barrier.data=na", REAL=CLANG, FAULT=loads)
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"s_load_dword s20, s\[\d+:\d+\], 0x0 +R x=0, reads the initial value")

    def test_plants(self):
        """Bugs in what the compiler is given: one is found, one leaves the code as it is, one is in no test."""
        status, out, _ = audit("--plant", "rmw-split", "--plant", "acquire-to-relaxed", "--plant", "copy-short", "MP+rel+acq", "add+add")
        self.assertEqual(status, 0)
        self.assertRegex(out, "(?m)^found +rmw-split by add\\+add$")
        self.assertRegex(out, "(?m)^same-code +acquire-to-relaxed in 1 test$")
        self.assertRegex(out, "(?m)^no-place +copy-short in 0 tests$")
        self.assertEqual(audit("--plant", "acquire-to-relaxed", "--target", "aarch64", "MP+rel+acq")[1].splitlines()[0],
                         "found      acquire-to-relaxed by MP+rel+acq")
        self.assertEqual(audit("--plant", "nonsense", "MP+rel+acq")[0], 2)
        # whatever number its labels have, and in whichever column comments stand behind them
        out = audit("--target", "aarch64", "--plant", "sc-to-acq-rel@fetch_add,seq_cst,32,global", "SB+sc*")[1]
        self.assertRegex(out, "(?m)^same-code +sc-to-acq-rel@fetch_add,seq_cst,32,global in [1-9][0-9]* tests$")
        # a fence that is a comment on the machine is none
        out = audit("--target", "x86-64", "--plant", "fence-removed", "MP+fence-rel+fence-acq")[1]
        self.assertRegex(out, "(?m)^same-code +fence-removed in 1 test$")
        out = audit("--target", "x86-64", "--plant", "fence-removed", "SB+fence-sc+fence-sc")[1]
        self.assertRegex(out, "(?m)^found +fence-removed by SB")

    def test_plants_in_code_that_is_not_read(self):
        """What one of the tests would show, if its code were read, is not missed."""
        fault = r"/^P0_t1_bare:/,/\tretq/s/cmpxchg/frob/"
        with faulty_clang() as path:
            out = audit("--compiler", path, "--plant", "stores-byte", "MP+rel+acq", "SB+rlx+rlx", REAL=CLANG, FAULT=fault)[1]
            self.assertRegex(out, r"(?m)^not-read +stores-byte in 2 tests, 1 not judged \(unreadable: lock frob")
            self.assertIn("0 found, 0 missed; 0 in code that stays the same, 1 in code that is not read", out)
            # but what another one shows is found
            out = audit("--compiler", path, "--plant", "stores-low", "scan-packed", "SB+rlx+rlx", REAL=CLANG, FAULT=fault)[1]
            self.assertRegex(out, "(?m)^found +stores-low by scan-packed$")
        out = audit("--plant", "stores-byte", "MP+rel+acq", "SB+rlx+rlx")[1]
        self.assertRegex(out, "(?m)^missed +stores-byte in 2 tests, 2 of them with other code$")

    def test_plants_in_some_launches(self):
        """A thread of a test is of no launch; where a bug acts in some only, several are tried. Objects lie side by side."""
        bugs = ["small-split", "exact-split", "many-split", "from-split", "lane-split", "odd-split", "uneven-split", "group-split",
                "small-barrier", "exact-barrier", "shifted-relaxed", "neighbour-stored", "element-before"]
        out = audit("--target", "x86-64", *(word for bug in bugs for word in ("--plant", bug)),
                    "add+add", "R+rel+rmw-acq", "SB+sc+sc", "MP+barrier+local", "MP+relseq-rmw+acq")[1]
        self.assertEqual(re.findall("(?m)^found +([a-z-]+) by ", out), bugs, out)
        # of a group of 32 work-items a bug in groups of 33 says nothing
        out = audit("--target", "x86-64", "--plant", "exact-split:33", "add+add")[1]
        self.assertRegex(out, "(?m)^missed +exact-split:33 in 1 test, 1 of them with other code$")

    def test_what_tests_lack(self):
        """Each form of each operation is weakened, and what no test shows is named."""
        status, out, _ = audit("--lacks", "--target", "aarch64", "MP+rel+acq", "-f", "text")
        self.assertEqual(status, 0)
        self.assertIn("found      release-to-relaxed@store,release,32,global by MP+rel+acq\n", out)
        self.assertIn("no-place   rmw-split@fetch_add,32,global in 0 tests\n", out)
        counts = [int(n) for n in re.findall(r"\d+", re.search("^lacks: .*", out, re.M).group())]
        self.assertEqual(counts[0], sum(counts[1:]))
        self.assertEqual(len(out.splitlines()), counts[0] + 1)
        # an update is lost in each call: one in a thousand is not looked at
        self.assertIn("found      update-lost:1@fetch_add,32,global by add+add\n", audit("--lacks", "--target", "aarch64", "add+add", "-f", "text")[1])
        # the other half of the pair alone shows nothing
        self.assertNotRegex(audit("--lacks", "--target", "aarch64", "SB+rlx+rlx", "-f", "text")[1], "(?m)^found")
        self.assertEqual(audit("--lacks", "--plant", "all", "MP+rel+acq")[0], 2)

    def test_what_is_not_judged(self):
        status, out, _ = audit("-f", "text", "--feature", "host")
        self.assertEqual(status, 77)
        self.assertIn("a thread of the host", out)

    def test_files_for_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("a.jsonl", "a.xml", "a.txt")]
            status, _, _ = audit("MP+rel+acq", "SB+add0+add0", *(word for name in names for word in ("-o", name)))
            self.assertEqual(status, 1)
            lines = [json.loads(line) for line in pathlib.Path(names[0]).read_text(encoding="utf-8").splitlines()]
            self.assertEqual([line["type"] for line in lines], ["audit", "test", "test", "end"])
            self.assertEqual([line["verdict"] for line in lines[1:3]], ["right", "wrong"])
            self.assertEqual(lines[2]["executions"][0]["outcome"], {"0:r0": 0, "1:r0": 0})
            self.assertEqual(len(lines[2]["executions"][0]["missing"]), 2)
            self.assertEqual(lines[3]["status"], 1)
            suites = xml.etree.ElementTree.parse(names[1]).getroot()
            self.assertEqual((suites.get("tests"), suites.get("failures")), ("2", "1"))
            self.assertEqual(len(suites.findall(".//failure")), 1)
            self.assertIn("right        MP+rel+acq\n", pathlib.Path(names[2]).read_text(encoding="utf-8"))

    def test_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "a.html")
            self.assertEqual(audit("MP+rel+acq", "SB+add0+add0", "-o", name)[0], 1)
            page = pathlib.Path(name).read_text(encoding="utf-8")
        self.assertEqual(re.findall('<h2>(.*) <span class="(.*)">', page), [("SB+add0+add0", "wrong")])
        self.assertEqual(re.findall("<tr><td>(.*?)</td><td class=\"(.*?)\">", page), [("MP+rel+acq", "right"), ("SB+add0+add0", "wrong")])
        self.assertNotIn("http:", page.replace("http://www.w3.org/2000/svg", ""))
        picture = xml.etree.ElementTree.fromstring(re.search("<svg.*?</svg>", page, re.S).group())
        kinds = [element.get("class") for element in picture.iter() if element.tag.endswith("path")]
        # both reads see what there was at first, each before the other's store; and two places are marked
        self.assertEqual(sorted(kinds), ["fr", "fr", "gap", "gap", "rf", "rf"])
        self.assertEqual(sum(element.tag.endswith("rect") for element in picture.iter()), 6)

    def test_what_is_known(self):
        """Failures that are listed, as of runs: by target and compiler, until a day."""
        lines = {"known": "x86-64 | clang* | SB+add0+add0 | forbidden | 0:r0=0; 1:r0=0; | gone by tea | 2999-12-31\n",
                 "others": "aarch64 | clang* | SB+add0+add0 | forbidden | * | of another target | 2999-12-31\n",
                 "another outcome": "x86-64 | clang* | SB+add0+add0 | forbidden | 0:r0=1; 1:r0=0; | of another outcome | 2999-12-31\n",
                 "late": "x86-64 | clang* | SB+add0+add0 | forbidden | * | too late | 2020-01-01\n",
                 "stale": "x86-64 | * | MP+rel+acq | forbidden | * | mended | 2999-12-31\n"}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "known")

            def judged(which, *arguments):
                pathlib.Path(path).write_text("".join(lines[word] for word in which), encoding="utf-8")
                status, out, _ = audit("--expectations", path, "-f", "text", *arguments)
                return status, verdicts(out), out

            status, found, out = judged(["known"], "SB+add0+add0", "MP+rel+acq")
            self.assertEqual((status, found), (0, {"SB+add0+add0": "known", "MP+rel+acq": "right"}))
            self.assertIn("gone by tea", out)
            self.assertEqual(judged(["known"], "SB+add0+add0")[0], 3)
            for which in "others", "another outcome", "late":
                status, found, out = judged([which], "SB+add0+add0", "MP+rel+acq")
                self.assertEqual((status, found["SB+add0+add0"]), (1, "wrong"), which)
            self.assertIn("known until 2020-01-01", judged(["late"], "SB+add0+add0")[2])
            self.assertEqual(judged(["stale"], "MP+rel+acq")[:2], (0, {"MP+rel+acq": "stale"}))
            self.assertEqual(judged(["stale"], "--strict", "MP+rel+acq")[0], 1)
            pathlib.Path(path).write_text("x86-64 | * | no-such-test | forbidden | * | x | 2999-12-31\n", encoding="utf-8")
            self.assertEqual(audit("-e", path, "MP+rel+acq")[0], 2)
            pathlib.Path(path).write_text(lines["known"], encoding="utf-8")
            tap = audit("-e", path, "-f", "tap", "SB+add0+add0")[1]
            self.assertIn("not ok 1 - SB+add0+add0 # TODO known: 0:r0=0; 1:r0=0;: gone by tea\n", tap)

    def test_a_line_for_many(self):
        """It is stale, as a line, where a whole suite has none of its tests that is wrong any more."""
        with tempfile.TemporaryDirectory() as folder:
            suite, path = pathlib.Path(folder), os.path.join(folder, "known")
            for place in "litmus/rmw", "litmus/message-passing":
                (suite / place).mkdir(parents=True)
            for name in "litmus/rmw/SB+add0+add0", "litmus/message-passing/MP+rel+acq":
                text = (pathlib.Path(__file__).resolve().parents[2] / f"{name}.litmus").read_text(encoding="utf-8")
                text = re.sub(r"\*\)\n.*?\n\{\n", "*)\n\n{\n", text, count=1, flags=re.S)
                (suite / f"{name}.litmus").write_text(text, encoding="utf-8")
            for pattern, told in ("[MS]*", False), ("M*", True), ("N*", None):
                pathlib.Path(path).write_text("".join(f"x86-64 | clang* | {test} | forbidden | * | why | 2999-12-31\n"
                                                      for test in (pattern, "SB+add0+add0")), encoding="utf-8")
                for strict in [], ["--strict"]:
                    status, out, error = audit("-e", path, "-f", "text", "--all", *strict, OCLMM_SUITE=folder)
                    self.assertEqual(status, 2 if told is None else int(told and bool(strict)), out + error)
                    self.assertEqual("known:1: stale: no test that M* names" in error, told is True, error)

    def test_compared(self):
        """Two audits: what was right and is wrong is a regression, and so is an outcome more."""
        with tempfile.TemporaryDirectory() as folder:
            def compare(before, after, *arguments):
                paths = []
                for name, tests in ("before", before), ("after", after):
                    lines = [{"type": "audit", "compiler": f"clang {name}", "target": "x86-64"}]
                    for test, verdict, *outcomes in tests:
                        executions = [{"outcome": {"r0": value}} for value in outcomes]
                        lines.append({"type": "test", "name": test, "verdict": verdict, "reason": "", "executions": executions})
                    lines.append({"type": "end"})
                    paths.append(os.path.join(folder, name))
                    pathlib.Path(paths[-1]).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
                done = subprocess.run([PROGRAM, "compare", *paths, *arguments], capture_output=True, text=True, timeout=60, check=False)
                return done.returncode, done.stdout

            right, wrong, more = ("a", "right"), ("a", "wrong", 1), ("a", "wrong", 1, 2)
            self.assertEqual(compare([right], [right])[0], 0)
            status, out = compare([right], [wrong])
            self.assertEqual(status, 1)
            self.assertIn("# before: clang before for x86-64\n", out)
            self.assertIn("regression   a  right -> wrong\n", out)
            self.assertEqual(compare([wrong], [more])[0], 1)
            self.assertEqual(compare([more], [wrong])[0], 0)
            self.assertEqual(compare([wrong], [("a", "known", 1)])[0], 0)
            self.assertEqual(compare([right], [("a", "known", 1)])[0], 1)
            self.assertIn("mended       a", compare([wrong], [right])[1])
            self.assertEqual(compare([right], [("a", "not-built")])[0], 99)
            self.assertIn("1 other change", compare([right], [("a", "unreadable")])[1])
            self.assertEqual(compare([right], [("b", "right")])[0], 77)
            self.assertIn("new          b", compare([right], [right, ("b", "wrong", 1)])[1])
            before = os.path.join(folder, "before")
            text = pathlib.Path(before).read_text(encoding="utf-8")
            pathlib.Path(before).write_text(text.replace('{"type": "end"}\n', ""), encoding="utf-8")
            done = subprocess.run([PROGRAM, "compare", before, before], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("cut short", done.stderr)
            self.assertEqual(subprocess.run([PROGRAM, "compare", "--partial", before, before], capture_output=True, check=False).returncode, 0)
            pathlib.Path(before).write_text(text + "nonsense\n" + text, encoding="utf-8")
            self.assertEqual(subprocess.run([PROGRAM, "compare", before, before], capture_output=True, check=False).returncode, 2)

    def test_tap(self):
        status, out, _ = audit("-f", "tap", "MP+rel+acq", "SB+add0+add0", "if+own-cell")
        self.assertEqual(status, 1)
        self.assertEqual(out.splitlines()[0], "TAP version 13")
        self.assertEqual(out.splitlines()[-1], "1..3")
        self.assertRegex(out, r"(?m)^ok \d - MP\+rel\+acq$")
        self.assertRegex(out, r"(?m)^not ok \d - SB\+add0\+add0: wrong: 0:r0=0; 1:r0=0;$")
        self.assertRegex(out, r"(?m)^ok \d - if\+own-cell # SKIP skip: a barrier in a branch or loop$")

    def test_a_model_of_ones_own(self):
        """Under sequential consistency the load for the addition is right."""
        with tempfile.NamedTemporaryFile("w", suffix=".cat") as file:
            file.write("acyclic po | rf | co | fr as sc\n")
            file.flush()
            self.assertEqual(audit("--machine-model", file.name, "SB+add0+add0")[0], 0)
            file.write("acyclic nonsense as x\n")
            file.flush()
            status, _, err = audit("--machine-model", file.name, "SB+add0+add0")
            self.assertEqual(status, 2)
            self.assertIn("nonsense", err)


class Compilers(unittest.TestCase):
    """What passes for clang, and gives what it is told to."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "clang")

    def make(self, body):
        pathlib.Path(self.path).write_text('#!/bin/sh\ncase "$1" in --version) echo "clang version 99.1.0"; exit;; esac\n' + body,
                                           encoding="utf-8")
        os.chmod(self.path, os.stat(self.path).st_mode | stat.S_IXUSR)

    def test_unreadable(self):
        self.make("printf 'P0_t0_bare:\\n\\tfrobnicate %%eax\\nP1_t0_bare:\\n\\tretq\\n'")
        status, out, _ = audit("--compiler", self.path, "MP+rel+acq")
        self.assertEqual(status, 3)
        self.assertIn("unreadable   MP+rel+acq  frobnicate", out)
        self.assertIn("line 2 of its function: frobnicate %eax", out)
        self.assertIn("# clang 99.1.0 -O2 for x86-64, judged by x86-TSO\n", out)

    def test_a_function_that_is_not_there(self):
        self.make("printf 'P0_t0_bare:\\n\\tretq\\n'")
        status, out, _ = audit("--compiler", self.path, "MP+rel+acq")
        self.assertEqual(status, 3)
        self.assertIn("no function P1_t0_bare", out)

    def test_where_parameters_are(self):
        """Of AMD's GPUs the directives behind a function say how many registers stand before the pointer."""
        for ahead, pointer in (0, "s[0:1]"), (1, "s[4:5]"):
            code = "\\ts_load_dwordx4 s[8:11], POINTER, 0x0\\n\\ts_load_dwordx2 s[12:13], POINTER, 0x10\\n\\ts_waitcnt lgkmcnt(0)\\n" \
                   "\\tv_mov_b32_e32 v0, 0\\n\\tv_mov_b32_e32 v1, 1\\n\\tglobal_atomic_add v2, v0, v1, s[8:9] glc\\n\\ts_waitcnt vmcnt(0)\\n" \
                   "\\tv_mov_b32_e32 v3, 0\\n\\tglobal_store_dwordx2 v0, v[2:3], s[10:11]\\n\\ts_endpgm\\n"
            text = "".join(f"P{n}_t0_bare:\\n{code}.amdhsa_kernel P{n}_t0_bare\\n\\t.amdhsa_user_sgpr_private_segment_buffer {ahead}\\n"
                           ".end_amdhsa_kernel\\n" for n in range(2)).replace("POINTER", pointer)
            self.make(f"printf '{text}'")
            status, out, _ = audit("--compiler", self.path, "--target", "amdgcn:gfx90a", "-f", "text", "add+add")
            self.assertEqual((status, set(verdicts(out).values())), (0, {"right"}), out)

    def test_not_built(self):
        self.make("echo 'error: it does not like that' >&2; exit 1")
        status, out, _ = audit("--compiler", self.path, "MP+rel+acq", "SB+sc+sc")
        self.assertEqual(status, 99)
        self.assertEqual(len(re.findall("^not-built .*it does not", out, re.M)), 2)

    def test_one_text_that_is_refused_does_not_take_others_along(self):
        self.make("text=$(cat)\ncase \"$text\" in *seq_cst*memory_scope_device*P9*) exit 1;; esac\n"
                  "printf 'P0_t0_bare:\\n\\tretq\\nP1_t0_bare:\\n\\tretq\\nP0_t1_bare:\\n\\tretq\\nP1_t1_bare:\\n\\tretq\\n'")
        self.assertEqual(audit("--compiler", self.path, "MP+rlx+rlx", "SB+rlx+rlx")[0], 0)

    def test_lost_stores_are_wrong(self):
        """Code that does nothing ends in states that no execution of the test has."""
        self.make("printf 'P0_t0_bare:\\n\\tretq\\nP1_t0_bare:\\n\\tretq\\n'")
        status, out, _ = audit("--compiler", self.path, "-f", "text", "add+add")
        self.assertEqual(status, 1)
        self.assertIn("no order between instructions is missing", out.replace("\n", " "))

    def interrupt(self, number, *arguments):
        """Sends a signal while the search goes on. The code has so many orders of its writes that they take ten seconds and more."""
        made = os.path.join(self.folder.name, "made")
        stores = "".join(f"\\tmovl ${n}1, (%%rdi)\\n" for n in range(2, 8))
        loads = "".join(f"\\tmovl (%%rdi), %%{register}\\n" for register in ("eax", "ecx", "edx"))
        self.make(f"printf 'P0_t0_bare:\\n{stores}{loads}\\tretq\\nP1_t0_bare:\\n{stores.replace('1,', '2,')}{loads}\\tretq\\n'\n"
                  f": >{made}")
        # a shell that starts the tests in the background has programs ignore it
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with subprocess.Popen([PROGRAM, "audit", "--compiler", self.path, *arguments, "add+add"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while not os.path.exists(made) and process.poll() is None:
                time.sleep(0.05)
            # the compiler's answer is there; what is computed from now on is the search
            begun = processor_seconds(process.pid)
            while processor_seconds(process.pid) < begun + 0.5 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(number)
            out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def test_interrupted(self):
        for number in signal.SIGTERM, signal.SIGINT:
            with self.subTest(number=number):
                status, out, err = self.interrupt(number)
                self.assertEqual((status, err), (99, ""))
                self.assertEqual(out.splitlines()[-1], "audit: not all judged: of 1 test 0 right, 0 wrong; interrupted before 1")

    def test_interrupted_with_a_file(self):
        """A file is whole, and says that the test was not judged."""
        path = os.path.join(self.folder.name, "seen.jsonl")
        self.assertEqual(self.interrupt(signal.SIGTERM, "-o", path)[0], 99)
        lines = [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]
        self.assertEqual([line["type"] for line in lines], ["audit", "end"])
        self.assertEqual(lines[-1]["status"], 99)

    def test_no_compiler(self):
        """A kernel that nothing can compile is not judged, and what to install is said; tests of the suite call for one."""
        path = os.path.join(self.folder.name, "k.cl")
        pathlib.Path(path).write_text(KERNELS["own-variables"], encoding="utf-8")
        for names, expected in ([path], 77), (["MP+rel+acq"], 99):
            with self.subTest(names=names):
                status, out, err = audit(*names, PATH=self.folder.name)
                self.assertEqual((status, out), (expected, ""))
                self.assertIn("no compiler: no clang", err)
                self.assertIn("apt-get install clang-14", err)

    def test_none(self):
        status, _, err = audit("--compiler", "/nonsense/clang", "MP+rel+acq")
        self.assertEqual(status, 99)
        self.assertIn("/nonsense/clang", err)
        self.assertEqual(audit("--target", "z80", "MP+rel+acq")[0], 2)
        status, out, _ = audit("--target", "list")
        self.assertEqual(status, 0)
        self.assertIn("x86-64", out)


if __name__ == "__main__":
    unittest.main()
