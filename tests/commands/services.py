# SPDX-License-Identifier: Apache-2.0
"""As much of GitHub Actions and GitLab CI as it takes to run a workflow's shell on this machine.

Jobs run one after the other, each in a folder of its own, with the variables that the service sets. What
the service itself provides (checkout, artifacts, gh, the job's token) is played by small programs.
"""

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess

EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")

# Instead of the real one, which would build these sources once more.
QUICKSTART = """#!/bin/sh
[ "$*" = build ] || exit 2
mkdir -p "$(dirname "$0")/build/runner"
ln -sf "$PROGRAM" "$(dirname "$0")/build/runner/oclmm"
"""
GIT = """#!/bin/sh
[ "$1" = clone ] || exit 2
for word; do folder=$word; done
mkdir "$folder" && cp "$TOOLS/quickstart" "$folder"
"""
# What is kept of the last run on main lies in $LAST, where there is one.
GH = """#!/bin/sh
case "$1 $2" in
"run list") [ ! -d "$LAST" ] || echo 77 ;;
"run download") [ "$3 $4 $5 $6" = "77 --name memory-model --dir" ] && cp -r "$LAST" "$7" ;;
*) exit 2 ;;
esac
"""
CURL = """#!/bin/sh
while [ "$1" != --output ]; do shift; done
[ -d "$LAST" ] || exit 22
case $3 in
"$CI_API_V4_URL/projects/1/jobs/artifacts/main/raw/all.jsonl?job=judge") cp "$LAST/all.jsonl" "$2" ;;
*) exit 22 ;;
esac
"""


class Refused(Exception):
    """The service would not take the workflow."""


def only(what, allowed, where):
    unknown = set(what) - set(allowed)
    if unknown:
        raise Refused(f"{where}: unknown {', '.join(sorted(map(str, unknown)))}")


def one_or_more(value):
    return value if isinstance(value, list) else [value]


class Service:
    """A machine for a service: `folder` holds its tools, its workspaces and what jobs handed on."""

    def __init__(self, folder, program, environment, files, last=None):
        self.folder = pathlib.Path(folder)
        self.files = files          # of the project that is tested: path -> text
        self.artifacts = {}         # name -> folder
        self.log = ""
        tools = self.folder / "tools"
        tools.mkdir()
        for name, text in (("quickstart", QUICKSTART), ("git", GIT), ("gh", GH), ("curl", CURL)):
            (tools / name).write_text(text, encoding="utf-8")
            (tools / name).chmod(0o755)
        self.environment = {**environment, "PROGRAM": str(program), "TOOLS": str(tools), "CI": "true",
                            "LAST": str(last or self.folder / "none"), "PATH": f"{tools}:{environment['PATH']}"}

    def workspace(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder

    def check_out(self, folder):
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")

    def shell(self, script, flags, folder, environment):
        done = subprocess.run(["bash", "--noprofile", "--norc", *flags, "-c", script], cwd=folder, env=environment,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=240, check=False)
        self.log += f"--- {folder.name}\n{script}\n{done.stdout}{done.stderr}= {done.returncode}\n"
        return done.returncode

    def keep(self, name, folder, patterns):
        """What a job hands on; whether there was anything."""
        target = self.folder / "kept" / name
        for path in [path for pattern in patterns for path in sorted(folder.glob(pattern))]:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            self.artifacts[name] = target
        return name in self.artifacts

    def kept(self, name):
        return sorted(path.name for path in self.artifacts[name].iterdir()) if name in self.artifacts else []


class GitHub(Service):
    """Runs the jobs of a workflow, or an action; gives each job's outcome."""

    CONDITION = {"always()": True, "!cancelled()": True}

    def check(self, workflow):
        # YAML reads `on` as true
        only(workflow, ("name", True, "env", "permissions", "concurrency", "jobs"), "workflow")
        for name, job in workflow["jobs"].items():
            only(job, ("runs-on", "container", "environment", "strategy", "steps", "needs", "if", "permissions"), name)
            if "runs-on" not in job:
                raise Refused(f"{name}: runs nowhere")
            for need in one_or_more(job.get("needs", [])):
                if need not in workflow["jobs"]:
                    raise Refused(f"{name}: needs {need}")
            for step in job["steps"]:
                self.check_step(step, name)

    @staticmethod
    def check_step(step, where):
        only(step, ("name", "id", "if", "uses", "run", "env", "with", "shell"), where)
        if ("uses" in step) == ("run" in step) or ("with" in step and "uses" not in step):
            raise Refused(f"{where}: a step runs or uses something")
        if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w.-]+@[\w.-]+", step["uses"]):
            raise Refused(f"{where}: uses {step['uses']}")

    def value(self, text, context):
        """A text with its expressions replaced."""
        def replace(match):
            if match[1] not in context:
                raise Refused(f"unknown {match[1]}")
            return str(context[match[1]])
        return EXPRESSION.sub(replace, str(text))

    def holds(self, condition, failed, environment):
        parts = [part.strip() for part in str(condition or "success()").split("&&")]
        # without a word on what came before, a step runs after success only
        holds = not failed or any(part in self.CONDITION for part in parts)
        for part in parts:
            comparison = re.fullmatch(r"env\.(\w+) == '(\w+)'", part)
            if comparison:
                holds = holds and environment.get(comparison[1]) == comparison[2]
            elif part not in self.CONDITION and part != "success()":
                raise Refused(f"unknown condition {part}")
        return holds

    def run(self, workflow, done, **variables):
        """{job: [whether it succeeded, for each of its matrix]}; those in `done` have been run"""
        self.check(workflow)
        results = dict(done)
        for name, job in workflow["jobs"].items():
            if name in results:
                continue
            needed = all(all(results[need]) for need in one_or_more(job.get("needs", [])))
            if not needed and "if" not in job:
                continue
            matrix = job.get("strategy", {}).get("matrix", {"": [None]})
            (key, values), = matrix.items()
            results[name] = [self.run_job(name, job, {**workflow.get("env", {}), **variables},
                                          {f"matrix.{key}": value, "strategy.job-total": len(values)})
                             for value in values]
        return results

    def run_job(self, name, job, variables, context):
        folder = self.workspace(f"{name}-{'-'.join(str(value) for value in context.values())}")
        return self.run_steps(job["steps"], folder, variables, context)

    def run_steps(self, steps, folder, variables, context, **more):
        context = {"github.token": "token", **context, "runner.temp": folder / "temp"}
        (folder / "temp").mkdir()
        files = {name: folder / "temp" / name for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH")}
        for path in files.values():
            path.touch()
        environment = {**self.environment, **variables, **more, "GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "4711",
                       "GITHUB_WORKSPACE": str(folder), "RUNNER_TEMP": str(folder / "temp"),
                       **{name: str(path) for name, path in files.items()}}
        failed = False
        for step in steps:
            environment.update(line.split("=", 1) for line in files["GITHUB_ENV"].read_text().splitlines())
            paths = files["GITHUB_PATH"].read_text().splitlines()
            if not self.holds(step.get("if"), failed, environment):
                continue
            given = {key: self.value(value, context) for key, value in step.get("env", {}).items()}
            here = {**environment, **given, "PATH": ":".join([*reversed(paths), environment["PATH"]])}
            # where it was checked out, as the program finds it by itself
            for suite in folder.glob("*/litmus"):
                here["OCLMM_SUITE"] = str(suite.parent)
            done = (self.use(step, folder, context) if "uses" in step else
                    self.shell(self.value(step["run"], context),
                               ["-eo", "pipefail"] if step.get("shell") else ["-e"], folder, here) == 0)
            failed = failed or not done
        self.outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return not failed

    def use(self, step, folder, context):
        action = step["uses"].split("@")[0]
        given = {key: self.value(value, context) for key, value in step.get("with", {}).items()}
        if action == "actions/checkout":
            if "path" not in given:
                self.check_out(folder)
            else:
                target = folder / given["path"]
                target.mkdir()
                shutil.copy(self.folder / "tools" / "quickstart", target)
                for name in ("litmus", "expected"):
                    (target / name).symlink_to(pathlib.Path(self.environment["OCLMM_SUITE"]) / name)
        elif action == "actions/upload-artifact":
            only(given, ("name", "path", "if-no-files-found"), action)
            patterns = [os.path.relpath(path, folder) if os.path.isabs(path) else path
                        for path in given["path"].split()]
            return self.keep(given["name"], folder, patterns) or given.get("if-no-files-found") == "ignore"
        elif action == "actions/download-artifact":
            only(given, ("pattern", "merge-multiple"), action)
            for name, kept in self.artifacts.items():
                if fnmatch.fnmatch(name, given["pattern"]):
                    shutil.copytree(kept, folder, dirs_exist_ok=True)
        else:
            raise Refused(f"unknown action {action}")
        return True


class GitLab(Service):
    """Runs the jobs of a pipeline, by stage; gives each job's status."""

    JOB = ("stage", "tags", "parallel", "script", "allow_failure", "artifacts", "when", "before_script")

    def check(self, pipeline):
        jobs = {name: job for name, job in pipeline.items() if name not in ("stages", "variables", "default")}
        only(pipeline["default"], ("before_script",), "default")
        for name, job in jobs.items():
            only(job, self.JOB, name)
            only(job.get("artifacts", {}), ("when", "paths", "reports"), name)
            if job["stage"] not in pipeline["stages"]:
                raise Refused(f"{name}: no stage {job['stage']}")
            if not job["script"] or not all(isinstance(line, str) for line in job["script"]):
                raise Refused(f"{name}: the script is no list of lines")
        return sorted(jobs.items(), key=lambda item: pipeline["stages"].index(item[1]["stage"]))

    def run(self, pipeline, done, **variables):
        """{job: [status of each of its parts]}, and whether the pipeline passes; those in `done` have been run"""
        results, passes = dict(done), True
        for name, job in self.check(pipeline):
            if not passes and job.get("when") != "always":
                continue
            parts = job.get("parallel", 1)
            results[name] = done.get(name) or [self.run_part(name, job, pipeline, {**pipeline["variables"], **variables}, part, parts)
                             for part in range(1, parts + 1)]
            allowed = job.get("allow_failure", {}).get("exit_codes", [])
            passes = passes and all(status in (0, *allowed) for status in results[name])
        return results, passes

    def run_part(self, name, job, pipeline, variables, part, parts):
        folder = self.workspace(f"{name}-{part}")
        self.check_out(folder)
        # of earlier stages: parts of one job run at once
        for earlier, kept in self.artifacts.items():
            if not earlier.startswith(f"{name}-"):
                shutil.copytree(kept, folder, dirs_exist_ok=True)
        environment = {**self.environment, **variables, "GITLAB_CI": "true", "CI_PIPELINE_ID": "4711",
                       "CI_PROJECT_ID": "1", "CI_DEFAULT_BRANCH": "main", "CI_JOB_TOKEN": "token",
                       "CI_API_V4_URL": "https://gitlab.example.com/api/v4", "CI_NODE_TOTAL": str(parts)}
        if "parallel" in job:
            environment["CI_NODE_INDEX"] = str(part)
        script = job.get("before_script", pipeline["default"]["before_script"]) + job["script"]
        status = self.shell("\n".join(script), ["-eo", "pipefail"], folder, environment)
        artifacts = job.get("artifacts", {})
        if status == 0 or artifacts.get("when") == "always":
            self.keep(f"{name}-{part}", folder, artifacts.get("paths", []) + list(artifacts.get("reports", {}).values()))
        return status
