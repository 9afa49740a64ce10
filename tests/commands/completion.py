# SPDX-License-Identifier: Apache-2.0
"""The manual and the completions: complete, accepted by their readers, and right for words that one types."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import common
from common import SuiteCase


class Generated(SuiteCase):
    def commands(self):
        out, _ = self.run_program("--help")
        return re.findall(r"(?m)^  ([a-z-]+) +\S", out)

    def options(self, command):
        """Of a command's help: (name, letter, argument)."""
        out, _ = self.run_program("help", command)
        return [(name, letter, argument) for letter, name, argument in
                re.findall(r"(?m)^  (?:-(.), |    )--([a-z-]+)(?: ([^ \n]+))?", out)]

    def script(self, shell):
        return self.write(f"oclmm.{shell}", self.run_program("--completion", shell)[0])

    def path(self):
        """A folder in which the program has its name, first in PATH."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        if not (folder / "oclmm").exists():
            (folder / "oclmm").symlink_to(common.PROGRAM)
        return self.environment(PATH=f"{folder}:{os.environ['PATH']}", HOME=str(self.folder))


class Manual(Generated):
    def test_tells_everything(self):
        page, _ = self.run_program("--man")
        commands = self.commands()
        self.assertGreater(len(commands), 7)
        self.assertEqual(re.findall(r"(?m)^\.SS oclmm (\S+)$", page), [name.replace("-", r"\-") for name in commands])
        for command in commands:
            section = page.partition(f"\n.SS oclmm {command}\n")[2].partition("\n.S")[0]
            self.assertEqual([name.replace(r"\-", "-") for name in
                              re.findall(r"(?m)^(?:\\fB\\-.\\fR, )?\\fB\\-\\-([a-z\\-]+)\\fR", section)],
                             [name for name, _, _ in self.options(command)], command)

    def test_statuses(self):
        """All that ci.md has."""
        page, _ = self.run_program("--man")
        section = page.partition(".SH EXIT STATUS\n")[2].partition("\n.SH")[0]
        text = (pathlib.Path(__file__).resolve().parents[2] / "docs/ci.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?m)^\.B (\d+)$", section), re.findall(r"(?m)^\| (\d+) \|", text))

    def test_readers_find_no_fault(self):
        page = self.write("oclmm.1", self.run_program("--man")[0])
        if shutil.which("man"):
            result = subprocess.run(["man", "--warnings=w", "-E", "UTF-8", "-l", "-Tutf8", page], capture_output=True,
                                    text=True, env=self.environment(MANWIDTH="100"))
            if "has been minimized" not in result.stdout + result.stderr:
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                # bold and underlined letters are struck over
                self.assertIn("oclmm check [OPTION…]", re.sub(".\x08", "", result.stdout))
        if shutil.which("mandoc"):
            result = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True)
            self.assertEqual(result.stdout, "")


class Words(Generated):
    def test_every_word_is_taken(self):
        """What is offered as a value is a value: the command refuses what follows, not this."""
        script = self.script("bash").read_text()
        offered = re.findall(r'(?m)^\t"(\S+) --([a-z-]+)".*\) _oclmm_words "([^"]+)" ;;$', script)
        self.assertIn("claims", [option for _, option, _ in offered])
        for command, option, words in offered:
            for word in words.split():
                _, err = self.run_program(command, f"--{option}", word, "--no-such-option", status=2)
                self.assertIn("--no-such-option", err, f"{command} --{option} {word}")

    def test_unknown_shell(self):
        _, err = self.run_program("--completion", "tcsh", status=2)
        self.assertIn("bash, fish, zsh", err)
        self.run_program("--completion", status=2)
        self.assertEqual(self.run_program("--complete", "tests")[0], self.run_program("list")[0])
        # who presses a key in a folder without a suite is not told so
        self.assertEqual(self.run_program("--complete", "tests", environment=self.environment(OCLMM_SUITE="/nowhere")),
                         ("", ""))


# What is typed, and what must be among the answers; None: there are none.
TYPED = (
    ("oclmm ", {"check", "run", "merge", "help", "--help"}),
    ("oclmm me", {"merge"}),
    ("oclmm help me", {"merge"}),
    ("oclmm run --cl", {"--claims"}),
    ("oclmm run --claims ", {"claimed", "accepted"}),
    ("oclmm run --claims a", {"accepted"}),
    ("oclmm run SB", {"SB", "SB.order=sc"}),
    ("oclmm run -o here", {"hereabouts.txt"}),
    ("oclmm run --artifacts lit", {"litmus"}),
    ("oclmm merge here", {"hereabouts.txt"}),
    ("oclmm run --family re", {"relaxed"}),
    ("oclmm list --feature relax", {"relaxed"}),
    ("oclmm run --seed ", None),
    ("oclmm devices SB", None),
)


class Bash(Generated):
    def answers(self, line):
        program = """
            source "$1"
            COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
            _oclmm
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        result = subprocess.run(["bash", "--norc", "-u", "-c", program, "bash", self.script("bash"), line],
                                capture_output=True, text=True, cwd=self.folder, env=self.path())
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return set(result.stdout.split())

    def test_typed(self):
        self.write("hereabouts.txt", "")
        for line, wanted in TYPED:
            answers = self.answers(line)
            self.assertTrue(answers >= (wanted or set()), f"{line}: {answers}")
            self.assertEqual(bool(answers), bool(wanted), f"{line}: {answers}")
        # readline replaces what stands behind the last = only
        self.assertEqual(self.answers("oclmm run SB.order="), {"sc"})
        self.assertEqual(self.answers("oclmm run --claims=a"), {"accepted"})
        self.assertEqual(self.answers("oclmm run --format=js"), {"json"})

    def test_all_options(self):
        for command in self.commands():
            self.assertEqual(self.answers(f"oclmm {command} --"), {f"--{name}" for name, _, _ in self.options(command)})


@unittest.skipUnless(shutil.which("fish"), "no fish")
class Fish(Generated):
    def answers(self, line):
        result = subprocess.run(["fish", "--no-config", "-c", 'source $argv[1]; complete -C $argv[2]',
                                 self.script("fish"), line], capture_output=True, text=True, cwd=self.folder,
                                env=self.path())
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return {answer.partition("\t")[0].rstrip("/") for answer in result.stdout.splitlines()}

    def test_typed(self):
        self.write("hereabouts.txt", "")
        for line, wanted in TYPED:
            answers = self.answers(line)
            self.assertTrue(answers >= (wanted or set()) - {"--help"}, f"{line}: {answers}")
            self.assertEqual(bool(answers), bool(wanted), f"{line}: {answers}")

    def test_all_options(self):
        for command in self.commands():
            self.assertEqual(self.answers(f"oclmm {command} --"), {f"--{name}" for name, _, _ in self.options(command)})


@unittest.skipUnless(shutil.which("zsh"), "no zsh")
class Zsh(Generated):
    def answers(self, line):
        """What an interactive shell lists, in a terminal of its own."""
        program = pathlib.Path(__file__).with_name("complete.zsh")
        result = subprocess.run(["zsh", "-f", program, self.script("zsh"), line], capture_output=True, text=True,
                                cwd=self.folder, env=self.path(), timeout=240)
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return set(result.stdout.split())

    def test_typed(self):
        self.write("hereabouts.txt", "")
        for line, wanted in TYPED:
            answers = self.answers(line)
            self.assertTrue(answers >= (wanted or set()) - {"--help"}, f"{line}: {answers}")
            if not wanted:
                self.assertFalse(answers, line)

    def test_all_options(self):
        for command in self.commands():
            self.assertTrue(self.answers(f"oclmm {command} --") >=
                            {f"--{name}" for name, _, _ in self.options(command)}, command)


common.main()
