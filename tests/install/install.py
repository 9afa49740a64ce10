# SPDX-License-Identifier: Apache-2.0
"""What is installed works by itself: the program finds its suite, a library is there to be linked.

usage: install.py MESON BUILD-FOLDER SOURCE-FOLDER PREFIX LIBRARY-FOLDER COMPILER
"""

import ctypes
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MESON, BUILD, SOURCE, PREFIX, LIBRARIES, COMPILER = sys.argv[1:7]
del sys.argv[1:7]
CALLS = [*sorted(glob.glob(f"{SOURCE}/tests/library/*.c")), f"{SOURCE}/tests/report/sample.c",
         f"{SOURCE}/tests/fixture/record.c", f"{SOURCE}/tests/fixture/sb.c", f"{SOURCE}/tests/spirv/assemble.c",
         f"{SOURCE}/tests/explore/scripts.c"]
EXAMPLES = pathlib.Path(SOURCE) / "docs" / "examples"
sys.path.insert(0, f"{SOURCE}/tests/library")
import exports  # noqa: E402


def run(*command, status=0, **more):
    result = subprocess.run(command, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL, **more)
    assert result.returncode == status, f"{command}: {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def can_hide():
    """Whether a folder can be covered by an empty one, for one process."""
    return subprocess.run(["unshare", "--mount", "--map-root-user", "true"], capture_output=True,
                          check=False).returncode == 0 if shutil.which("unshare") else False


class Installed(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="oclmm-install-")
        cls.addClassCleanup(cls.holder.cleanup)
        cls.stage = pathlib.Path(cls.holder.name) / "stage"
        cls.elsewhere = pathlib.Path(cls.holder.name) / "elsewhere"
        cls.elsewhere.mkdir()
        run(MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", str(cls.stage))
        cls.root = pathlib.Path(f"{cls.stage}{PREFIX}")
        cls.environment = {k: v for k, v in os.environ.items()
                           if not k.startswith(("OCLMM_", "LD_LIBRARY", "PKG_CONFIG"))}
        cls.environment["LC_ALL"] = "C"

    def program(self, *arguments, status=0):
        """The installed program, where the sources cannot be reached."""
        command = [str(self.root / "bin/oclmm"), *arguments]
        if can_hide():
            command = ["unshare", "--mount", "--map-root-user", "sh", "-c",
                       'mount -t tmpfs none "$0" && cd "$1" && shift && exec "$@"', SOURCE,
                       str(self.elsewhere), *command]
        return run(*command, status=status, cwd=self.elsewhere, env=self.environment)

    def test_nothing_outside_the_prefix(self):
        outside = [path for path in self.stage.rglob("*") if path.is_file() and self.root not in path.parents]
        self.assertEqual(outside, [])

    def test_suite_is_whole(self):
        for folder in ("litmus", "expected", "include/oclmm"):
            there = self.root / (folder if folder.startswith("include") else f"share/oclmm/{folder}")
            for path in (pathlib.Path(SOURCE) / folder).rglob("*"):
                if path.is_file():
                    self.assertEqual(path.read_bytes(),
                                     (there / path.relative_to(pathlib.Path(SOURCE) / folder)).read_bytes())

    def test_program_finds_the_suite(self):
        names = self.program("list").split()
        self.assertIn("SB+sc+sc.order=rlx", names)
        self.assertIn("Observation SB+sc+sc Never 0 3", self.program("check", "SB+sc+sc"))
        self.program("check", "--verify", "SB+sc+sc", "MP+rel+acq")
        self.assertIn("SB+sc+sc", self.program("list", "--profile", "quick"))

    def test_moved(self):
        """The stage is a place that no configuration knew."""
        moved = pathlib.Path(self.holder.name) / "moved"
        shutil.copytree(self.root, moved)
        out = run(str(moved / "bin/oclmm"), "list", cwd=self.elsewhere, env=self.environment)
        self.assertEqual(out, self.program("list"))

    def test_manual_and_completions(self):
        page = (self.root / "share/man/man1/oclmm.1").read_text(encoding="utf-8")
        self.assertEqual(page, self.program("--man"))
        for shell, path in (("bash", "bash-completion/completions/oclmm"), ("zsh", "zsh/site-functions/_oclmm"),
                            ("fish", "fish/vendor_completions.d/oclmm.fish")):
            self.assertEqual((self.root / "share" / path).read_text(encoding="utf-8"),
                             self.program("--completion", shell))

    def package(self, *arguments):
        environment = {**self.environment, "PKG_CONFIG_SYSROOT_DIR": str(self.stage),
                       "PKG_CONFIG_LIBDIR": f"{self.stage}{LIBRARIES}/pkgconfig:{os.environ['SYSTEM_PACKAGES']}"}
        return run("pkg-config", *arguments, "oclmm", env=environment).split()

    def test_library(self):
        version = self.program("--version").split()[1]
        self.assertEqual(self.package("--modversion"), [version])
        flags = self.package("--cflags", "--libs")
        self.assertFalse([flag for flag in flags if SOURCE in flag or BUILD in flag], flags)
        if not glob.glob(f"{self.stage}{LIBRARIES}/liboclmm.so*"):
            flags += self.package("--libs", "--static")
        user = str(self.elsewhere / "user")
        run(*COMPILER.split(), "-std=c17", str(EXAMPLES / "check.c"), "-o", user, *flags)
        environment = {**self.environment, "LD_LIBRARY_PATH": f"{self.stage}{LIBRARIES}"}
        test = self.root / "share/oclmm/litmus/seq-cst/SB+sc+sc.litmus"
        out = run(user, str(test), cwd=self.elsewhere, env=environment)
        self.assertEqual(sorted(out.splitlines()), [
            "allowed 0:r0=0; 1:r0=1;", "allowed 0:r0=1; 1:r0=0;", "allowed 0:r0=1; 1:r0=1;",
            "forbidden 0:r0=0; 1:r0=0;"])
        out = run(user, "no such file", cwd=self.elsewhere, env=environment, status=2)

    def build_calls(self, *flags, headers=None):
        """The program that calls every function of the headers, with the flags of the compiler and of pkg-config."""
        called, program = self.elsewhere / "called.h", self.elsewhere / "calls"
        run(sys.executable, f"{SOURCE}/tests/library/called.py", str(headers or self.root / "include/oclmm"), str(called))
        run(*COMPILER.split(), "-std=c17", "-D_GNU_SOURCE", "-include", str(called), *CALLS, "-o", str(program),
            *self.package("--cflags"), *flags, "-lm")
        return str(program)

    def run_calls(self, program, status=0):
        with tempfile.TemporaryDirectory(dir=self.elsewhere) as scratch:
            return run(program, str(self.root / "share/oclmm/litmus"), scratch, status=status, cwd=self.elsewhere,
                       env={**self.environment, "LD_LIBRARY_PATH": f"{self.stage}{LIBRARIES}"})

    def library(self, suffix):
        path = f"{self.stage}{LIBRARIES}/liboclmm.{suffix}"
        if not os.path.exists(path):
            self.skipTest(f"no liboclmm.{suffix}")
        return path

    def test_every_function_of_the_shared_library(self):
        self.library("so")
        self.assertEqual(self.run_calls(self.build_calls(*self.package("--libs"))), "")

    def test_every_function_of_the_static_library(self):
        flags = [self.library("a") if flag == "-loclmm" else flag for flag in self.package("--static", "--libs")]
        program = self.build_calls(*flags)
        self.assertNotIn("liboclmm", run("ldd", program))
        self.assertEqual(self.run_calls(program), "")

    @unittest.skipIf(os.environ.get("SANITIZED"), "Python would have to be sanitized, too")
    def test_every_function_from_python(self):
        """Each one is found by ctypes and called in the process of Python, whose own libraries are there, too."""
        library = ctypes.CDLL(self.library("so"))
        calls = ctypes.CDLL(self.build_calls("-shared", "-fPIC", "-DCALLS_FOUND", "-Wl,-z,defs"))
        names = exports.names(glob.glob(f"{self.root}/include/oclmm/*.h"))
        found = (ctypes.c_void_p * len(names)).in_dll(calls, "calls_found")
        for number, name in enumerate(names):
            found[number] = ctypes.cast(getattr(library, name), ctypes.c_void_p)
        with tempfile.TemporaryDirectory(dir=self.elsewhere) as scratch:
            self.assertEqual(calls.calls_make(str(self.root / "share/oclmm/litmus").encode(), scratch.encode()), 0)

    def test_a_function_that_nothing_calls_is_told(self):
        """A header more, and in it a function: the calls were not made of a list that can be too short."""
        self.library("so")
        headers = pathlib.Path(self.holder.name) / "more"
        shutil.copytree(self.root / "include", headers)
        (headers / "oclmm/more.h").write_text("int oclmm_more(void);\n", encoding="utf-8")
        program = self.build_calls(*self.package("--libs"), f"-I{headers}", headers=headers / "oclmm")
        self.assertEqual(self.run_calls(program, status=1), "nothing calls oclmm_more\n")

    @unittest.skipIf(os.environ.get("SANITIZED"), "Python would have to be sanitized, too")
    def test_library_from_python(self):
        found = glob.glob(f"{self.stage}{LIBRARIES}/liboclmm.so")
        if not found:
            self.skipTest("no shared library")
        script = str(self.root / "share/doc/oclmm/examples/check.py")
        test = self.root / "share/oclmm/litmus/seq-cst/SB+sc+sc.litmus"
        out = run(sys.executable, script, found[0], str(test), cwd=self.elsewhere, env=self.environment)
        self.assertEqual(out.splitlines(), [
            "exists (0:r0=0 /\\ 1:r0=0)", "forbidden 0:r0=0; 1:r0=0;", "allowed 0:r0=0; 1:r0=1;",
            "allowed 0:r0=1; 1:r0=0;", "allowed 0:r0=1; 1:r0=1;"])
        broken = self.elsewhere / "broken.litmus"
        broken.write_text("OPENCL broken\n", encoding="utf-8")
        run(sys.executable, script, found[0], str(broken), cwd=self.elsewhere, env=self.environment, status=1)

    def test_page_of_the_library(self):
        """It has every name that the headers export, and what each header is for."""
        page = (self.root / "share/doc/oclmm/library.html").read_text(encoding="utf-8")
        for name in exports.names(glob.glob(f"{SOURCE}/include/oclmm/*.h")):
            self.assertIn(name, page)
        self.assertIn("The litmus format: reads a file", page)

    def test_documents_are_there(self):
        folder = self.root / "share/doc/oclmm"
        for path in (pathlib.Path(SOURCE) / "docs").glob("*.md"):
            self.assertTrue((folder / path.name).exists(), path)

    def test_what_headers_declare_is_seen(self):
        library = f"{self.stage}{LIBRARIES}/liboclmm.so"
        if not os.path.exists(library) or not shutil.which("nm"):
            self.skipTest("no shared library, or no nm")
        symbols = [line.split()[-2:] for line in run("nm", "-D", "--defined-only", library).splitlines()]
        version = f"OCLMM_{self.program('--version').split()[1].split('.')[0]}"
        self.assertIn(["A", version], [[kind, name.split("@")[0]] for kind, name in symbols])
        names = [name.split("@")[0] for kind, name in symbols if kind != "A"]
        self.assertIn("oclmm_check", names)
        self.assertEqual(sorted(names), exports.names(glob.glob(f"{SOURCE}/include/oclmm/*.h")))


unittest.main(verbosity=1)
