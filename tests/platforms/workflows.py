#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflows of this project are taken by the service, call what is there, and install packages that are named elsewhere, too.

usage: workflows.py ROOT

Exit status 77: there is no PyYAML. Nothing is run, and nothing is asked of the net.
"""
import copy
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv.pop()).resolve()
sys.path.insert(0, str(ROOT / "tests/commands"))

try:
    import yaml
except ImportError:
    print("no PyYAML")
    sys.exit(77)

from services import GitHub, Refused  # noqa: E402 (it is only of use with the one above)

# Where a package has to be named: there its name has been tried.
NAMED = ("quickstart", "docs/platforms.md", "docs/playground.md", "packaging/Containerfile")
# What unpacks the sources of Debian packages.
PLAIN = {"dpkg-dev", "xz-utils"}


def expand(text, values, where):
    """A script for one entry of a matrix; what it lacks is a mistake."""
    def value(match):
        if match[1] not in values:
            raise Refused(f"{where}: matrix.{match[1]} has no value")
        return values[match[1]]
    return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", value, text)


def scripts(job, where):
    """Each script of a job as a shell gets it."""
    for values in job.get("strategy", {}).get("matrix", {}).get("include", [{}]):
        for step in job["steps"]:
            if "run" in step:
                yield expand(step["run"], values, where)


def packages(script):
    """What a script has apt-get install."""
    lines = script.replace("\\\n", " ").splitlines()
    installing = [line.split("apt-get install", 1)[1] for line in lines if "apt-get install" in line]
    return [word for line in installing for word in line.split() if not word.startswith("-")]


def check_script(script, named, where):
    said = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    if said.returncode:
        raise Refused(f"{where}: {said.stderr}")
    for path in re.findall(r"(?m)^\s*(?:\./)?(quickstart|packaging/[\w./-]+)", script):
        if not os.access(ROOT / path, os.X_OK):
            raise Refused(f"{where}: no program {path}")
    for platform in re.findall(r"packaging/try-cross (\S+)", script):
        if not (ROOT / f"packaging/cross/{platform}.ini").exists():
            raise Refused(f"{where}: no platform {platform}")
    for package in packages(script):
        if package not in named | PLAIN:
            raise Refused(f"{where}: the package {package} is named nowhere else")
    if "apt-get install" in script and "-y" not in script:
        raise Refused(f"{where}: apt-get would ask")


def check(workflow, named, where):
    GitHub.check(GitHub, workflow)
    for name, job in workflow["jobs"].items():
        # what is called lies in what is checked out
        if not job["steps"][0].get("uses", "").startswith("actions/checkout@"):
            raise Refused(f"{where}: {name} checks nothing out first")
        found = list(scripts(job, f"{where}: {name}"))
        if not found:
            raise Refused(f"{where}: {name} runs nothing")
        for script in found:
            check_script(script, named, f"{where}: {name}")


def in_script(old, new):
    """A change of the first script that has a word."""
    def change(workflow):
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                if old in step.get("run", ""):
                    step["run"] = step["run"].replace(old, new)
                    return
        raise AssertionError(old)
    return change


def in_first(key, value):
    """A change of the first entry of the matrix."""
    def change(workflow):
        workflow["jobs"]["platforms"]["strategy"]["matrix"]["include"][0][key] = value
    return change


MISTAKES = {
    "a script that is not there": in_script("packaging/try-cross", "packaging/try-cros"),
    "a document, which cannot be executed": in_script("packaging/try-cross", "packaging/android.ini"),
    "a value that no entry has": in_script("matrix.tools", "matrix.tool"),
    "a script that no shell reads": in_script("apt-get update", "if apt-get update"),
    "a question": in_script("install -y", "install"),
    "a package that does not exist": in_first("tools", "gcc-aarch64-linux-gnux"),
    "a platform that has no cross file": in_first("platform", "vax"),
    "nothing that is checked out": lambda workflow: workflow["jobs"]["platforms"]["steps"].pop(0),
    "nothing that is run": lambda workflow: workflow["jobs"]["platforms"].update(
        steps=[step for step in workflow["jobs"]["platforms"]["steps"] if "uses" in step]),
    "a word that the service does not know": lambda workflow: workflow["jobs"]["platforms"].update(containers="debian:12"),
    "no machine": lambda workflow: workflow["jobs"]["platforms"].pop("runs-on"),
}


def main():
    named = set(re.findall(r"[a-z0-9][a-z0-9.+-]+", " ".join((ROOT / name).read_text(encoding="utf-8") for name in NAMED)))
    found = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")}
    bad = 0
    for name, workflow in sorted(found.items()):
        try:
            check(workflow, named, name)
        except Refused as refused:
            print(refused)
            bad += 1
    for what, change in MISTAKES.items():
        workflow = copy.deepcopy(found["platforms.yml"])
        change(workflow)
        try:
            check(workflow, named, what)
        except Refused:
            continue
        print(f"{what} is not noticed")
        bad += 1
    sys.exit(bad > 0)


main()
