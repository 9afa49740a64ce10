# SPDX-License-Identifier: Apache-2.0
"""The workflows of docs/ci.md and action.yml, run on this machine. Skipped (77) without PyYAML or a device."""

import json
import random
import re
import shutil
import sys

import common
import shown
from common import PROGRAM, SuiteCase

try:
    import yaml
except ImportError:
    print("no PyYAML")
    sys.exit(77)

from services import GitHub, GitLab, Refused  # noqa: E402 (it is only of use with the one above)

KNOWN = "# nothing is known\n"
LISTED = ("* | * | SB+sc+sc | forbidden | 0:r0=0; 1:r0=0; | https://example.com/bug/1 | 2999-01-31\n")


def blocks():
    """The YAML of docs/ci.md by what it is for."""
    found = {}
    text = (shown.ROOT / "docs/ci.md").read_text(encoding="utf-8")
    for part in text.split("```yaml\n")[1:]:
        block = yaml.safe_load(part.split("```")[0])
        found["gitlab" if "stages" in block else "github" if "env" in block else "five"] = block
    return found


def break_device(folder):
    """The results of a part of another run, in which the device shows what SB+sc+sc forbids."""
    for path in folder.glob("shard-*.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            if line["type"] == "run":
                line["seed"] = "4712"
            if line["type"] == "test":
                line.update(master_seed="4712", seed="4712")
            if line["type"] == "test" and line["test"] == "SB+sc+sc":
                row = next(row for row in line["outcomes"] if row["values"] == {"0:r0": 0, "1:r0": 1})
                line["outcomes"].remove(row)
                line["outcomes"].insert(0, {**row, "values": {"0:r0": 0, "1:r0": 0}, "status": "forbidden"})
                line.update(verdict="forbidden", forbidden=row["count"])
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def end_without(folder, kind):
    """A part whose budget did not suffice for CoRR, or whose driver ended its process, twice."""
    for path in folder.glob("shard-*.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if kind == "unfinished":
            lines = [line for line in lines if line.get("test") != "CoRR"]
        for line in lines:
            if line["type"] == "end" and kind == "unfinished":
                kept = [record["verdict"] for record in lines if record["type"] == "test"]
                verdicts = {name: kept.count(name) for name in line["verdicts"]}
                line.update(tests=len(kept), records=len(kept), verdicts=verdicts, left_out=1, unfinished=1, exit=4)
            if line["type"] == "test" and line["test"] == "CoRR":
                line.update(ended="crash", verdict="crash", cause="process-ended", message="signal 11", outcomes=[],
                            instances=0, launches=0, looked=0)
                del line["evidence"]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def proved_in(folder):
    """The tests of a part that have confidence."""
    return {line["test"] for path in folder.glob("shard-*.jsonl")
            for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()) if line.get("confidence") == "reached"}


def another_night(folder, seed, draw, kept):
    """A part as it may come out on another night: of another seed, other counts, some tests left out by its budget.

    One test of all parts is kept, without which nothing would be proved, which is 3."""
    for path in folder.glob("shard-*.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        tests = [line["test"] for line in lines if line["type"] == "test"]
        names = set(tests) - proved_in(folder)
        may_go = [name for name in tests if name != kept]
        out = set(draw.sample(may_go, draw.randint(0, len(may_go))))
        lines = [line for line in lines if line.get("test") not in out]
        for line in lines:
            if line["type"] == "run":
                line["seed"] = seed
            if line["type"] == "test":
                line.update(master_seed=seed, seed=seed)
            if line["type"] == "end":
                kept = [record["verdict"] for record in lines if record["type"] == "test"]
                line.update(tests=len(kept), records=len(kept), left_out=len(out),
                            verdicts={name: kept.count(name) for name in line["verdicts"]})
        for line in [line for line in lines if line["type"] == "test" and line["test"] in names and line["outcomes"]]:
            # what one outcome had, others may have
            counts = [row["count"] for row in line["outcomes"]]
            total, seen = sum(counts), [row for row in line["outcomes"] if row["count"]]
            for row in seen[1:]:
                moved = draw.randint(0, row["count"])
                row["count"] -= moved
                seen[0]["count"] += moved
            line["outcomes"] = [row for row in line["outcomes"] if row["count"]]
            line.update({kind: sum(row["count"] for row in line["outcomes"] if row[mark] == wanted)
                         for kind, mark, wanted in (("weak", "witness", True), ("forbidden", "status", "forbidden"))})
            assert sum(row["count"] for row in line["outcomes"]) == total
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def skip_all(path):
    """Results in which no test ran."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["type"] == "end":
            line.update(tests=0, records=0, verdicts=dict.fromkeys(line["verdicts"], 0))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines if line["type"] != "test"), encoding="utf-8")


class ServiceCase(SuiteCase):
    """Each scenario in a folder of its own, on the device that is there."""

    Kind = None
    TESTS = {"SB+sc+sc", "MP+rel+acq", "CoRR", "MP+barrier", "CoWW"}
    SELECT = "--instances 2000 " + " ".join(sorted(TESTS))

    def service(self, name, known=KNOWN, last=None, **environment):
        folder = self.folder / name
        folder.mkdir()
        return self.Kind(folder, PROGRAM, self.environment(**environment), {"known-failures.txt": known}, last)

    def hand_on(self, service, parts, broken=True):
        """What the parts of another service kept, as if this one had run them, on a device with a bug."""
        for name, kept in parts.items():
            service.artifacts[name] = shutil.copytree(kept, service.folder / "kept" / name)
            if broken:
                break_device(service.artifacts[name])
        return service

    def environment(self, **more):
        """In the suite itself, of which the workflow selects five tests."""
        return super().environment(OCLMM_SUITE=str(shown.ROOT), **more)

    def names_in(self, path):
        return {line["test"] for line in self.lines_of_json(path.read_text(encoding="utf-8")) if line["type"] == "test"}


    def part_of(self, test, parts):
        return next(name for name, kept in parts.items() for path in kept.iterdir() if test in self.names_in(path))


class GitHubCase(ServiceCase):
    Kind = GitHub

    def run_workflow(self, service, wanted):
        """The parts are run unless they are there already."""
        results = service.run(blocks()["github"], {"run": [True]} if service.artifacts else {}, SELECT=self.SELECT)
        self.assertEqual({job: all(parts) for job, parts in results.items()}, wanted, service.log)
        return service.artifacts.get("memory-model")

    def test_from_run_to_run(self):
        service = self.service("first")
        first = self.run_workflow(service, {"run": True, "judge": True})
        parts = {name: kept for name, kept in service.artifacts.items() if name.startswith("shard-")}
        self.assertEqual(sorted(parts), [f"shard-{part}" for part in range(1, 5)])
        self.assertEqual(sorted(path.name for path in first.iterdir()), ["all.jsonl", "all.xml", "page.html"])
        self.assertEqual(self.names_in(first / "all.jsonl"), self.TESTS)
        # another device, or a change: what it shows is forbidden, and was not seen before
        service = self.hand_on(self.service("broken", last=first), parts)
        self.assertTrue(self.run_workflow(service, {"run": True, "judge": False}))
        self.assertRegex(service.log, r"(?m)^::error file=oclmm/litmus/\S*SB\+sc\+sc\.litmus")
        self.assertRegex(service.log, r"oclmm compare (.|\n)*= 1\n")
        # the bug is listed; the page has both runs
        service = self.hand_on(self.service("listed", known=LISTED, last=first), parts)
        known = self.run_workflow(service, {"run": True, "judge": False})
        self.assertRegex(service.log, r"oclmm grade (.|\n)*= 0\n(.|\n)*oclmm compare (.|\n)*= 1\n")
        # from then on nothing is new
        service = self.hand_on(self.service("again", known=LISTED, last=known), parts)
        self.run_workflow(service, {"run": True, "judge": True})
        # a part ran out of time, a driver crashed: what there is has its page, and the workflow is red
        for kind, status in (("unfinished", 4), ("crash", 99)):
            service = self.hand_on(self.service(kind), parts, False)
            end_without(service.artifacts[self.part_of("CoRR", parts)], kind)
            self.assertTrue(self.run_workflow(service, {"run": True, "judge": False}), service.log)
            self.assertRegex(service.log, rf"oclmm grade (.|\n)*= {status}\n")
        # a machine went away: the merge names the part, and the workflow is red
        for lost in (3, 1):
            rest = {name: parts[name] for name in parts if name != f"shard-{lost}"}
            service = self.hand_on(self.service(f"lost-{lost}"), rest, False)
            self.assertIsNone(self.run_workflow(service, {"run": True, "judge": False}))
            self.assertIn(f"shard {lost} of 4", service.log)

    def test_ten_nights(self):
        """Of drawn seeds, each compared with the one before: on a device that did not get worse all are green."""
        service = self.service("first")
        last = self.run_workflow(service, {"run": True, "judge": True})
        parts = {name: kept for name, kept in service.artifacts.items() if name.startswith("shard-")}
        left_out, kept = 0, min(set().union(*map(proved_in, parts.values())))
        # the same each time, so that it fails for what was changed
        seeds = random.Random(1)
        for night in range(10):
            seed = str(seeds.getrandbits(32))
            service = self.hand_on(self.service(f"night-{night}", last=last), parts, False)
            for name in parts:
                another_night(service.artifacts[name], seed, random.Random(f"{seed} {name}"), kept)
            with self.subTest(night=night, seed=seed):
                last = self.run_workflow(service, {"run": True, "judge": True})
            left_out += "not run " in service.log
        self.assertGreater(left_out, 0)

    def test_no_device(self):
        service = self.service("none", OCL_ICD_VENDORS="/nonexistent")
        self.assertIsNone(self.run_workflow(service, {"run": True, "judge": True}))
        self.assertEqual(len(re.findall(r"(?m)^::notice::nothing was run", service.log)), 4)
        self.assertEqual(len(re.findall(r"(?m)^::warning::no part has results", service.log)), 1)

    def test_mistakes_are_found(self):
        """Of what holds workflows to the service's rules."""
        service = self.service("rules")
        for change in (lambda w: w["jobs"]["judge"].update(needs="nobody"),
                       lambda w: w["jobs"]["run"].update(step=[]),
                       lambda w: w["jobs"]["run"].pop("runs-on"),
                       lambda w: w["jobs"]["run"]["steps"][0].update(run="true"),
                       lambda w: w["jobs"]["run"]["steps"][0].update(uses="checkout")):
            workflow = blocks()["github"]
            change(workflow)
            with self.assertRaises(Refused):
                service.check(workflow)


class ActionCase(ServiceCase):
    Kind = GitHub

    def run_action(self, service, **inputs):
        action = yaml.safe_load((shown.ROOT / "action.yml").read_text(encoding="utf-8"))
        given = {name: one.get("default", "") for name, one in action["inputs"].items()}
        self.assertLessEqual(set(inputs), set(given))
        context = {f"inputs.{name}": value for name, value in {**given, **inputs}.items()}
        folder = service.workspace("workspace")
        service.check_out(folder)
        for step in action["runs"]["steps"]:
            service.check_step(step, "action.yml")
            # only of an action the service does not say which shell runs it
            self.assertTrue("uses" in step or step.get("shell") == "bash")
        done = service.run_steps(action["runs"]["steps"], folder, {}, context,
                                 GITHUB_ACTION_PATH=service.environment["TOOLS"])
        self.assertEqual(action["outputs"]["status"]["value"], "${{ steps.run.outputs.status }}")
        return done, service.outputs.get("status"), service.kept("memory-model")

    def test_five_lines(self):
        """They name an action, and what the page says can be given is what it takes."""
        block = blocks()["five"]
        self.assertEqual([step["uses"] for step in block["jobs"]["memory-model"]["steps"]], ["OWNER/oclmm@main"])
        action = yaml.safe_load((shown.ROOT / "action.yml").read_text(encoding="utf-8"))
        text = (shown.ROOT / "docs/ci.md").read_text(encoding="utf-8")
        self.assertEqual(sorted(action["inputs"]), ["expectations", "name", "options"])
        for name in action["inputs"]:
            self.assertIn(f"`{name}`", text)

    def test_passes(self):
        service = self.service("pass")
        self.assertEqual(self.run_action(service, options=self.SELECT),
                         (True, "0", ["page.html", "results.jsonl", "results.xml"]), service.log)

    def test_fails(self):
        """With what was found kept all the same; a refused option leaves nothing."""
        service = self.service("fail", known="not a line\n")
        self.assertEqual(self.run_action(service, options=self.SELECT, expectations="known-failures.txt"),
                         (False, "2", []), service.log)
        service = self.service("strict")
        done, status, kept = self.run_action(service, options="--strict --require both --confidence 0.999999999999 "
                                             "--instances 2000 CoRR")
        self.assertEqual((done, status), (False, "3"), service.log)
        self.assertEqual(kept, ["page.html", "results.jsonl", "results.xml"])

    def test_no_device(self):
        service = self.service("none", OCL_ICD_VENDORS="/nonexistent")
        self.assertEqual(self.run_action(service), (True, "77", []), service.log)
        self.assertIn("::notice::nothing was run", service.log)


class GitLabCase(ServiceCase):
    """Of tests that are all inconclusive, which on the other service each is or is not by chance."""

    Kind = GitLab
    SELECT = f"--require both --confidence 0.9999999999999 {ServiceCase.SELECT}"

    def run_pipeline(self, service, run, judge, passes):
        """The parts are run unless they are there already."""
        results, passed = service.run(blocks()["gitlab"], {"run": run} if service.artifacts else {},
                                      SELECT=self.SELECT)
        self.assertEqual((sorted(results["run"]), results["judge"], passed), (run, [judge], passes), service.log)
        return service.artifacts.get("judge-1")

    def test_from_run_to_run(self):
        service = self.service("first")
        first = self.run_pipeline(service, [3, 3, 3, 3], 0, True)
        parts = {name: kept for name, kept in service.artifacts.items() if name.startswith("run-")}
        self.assertEqual(sorted(parts), [f"run-{part}" for part in range(1, 5)])
        self.assertEqual(sorted(path.name for path in first.iterdir()), ["all.jsonl", "all.xml", "page.html"])
        self.assertEqual(self.names_in(first / "all.jsonl"), self.TESTS)
        ends = [self.lines_of_json(path.read_text(encoding="utf-8"))[-1]["verdicts"]
                for kept in parts.values() for path in kept.glob("*.jsonl")]
        self.assertEqual([sum(end[verdict] for end in ends) for verdict in ("pass", "inconclusive")], [0, len(self.TESTS)])
        # a bug, and once it is listed
        service = self.hand_on(self.service("broken", last=first), parts)
        broken = self.run_pipeline(service, [1], 1, False)
        service = self.hand_on(self.service("listed", known=LISTED, last=broken), parts)
        self.run_pipeline(service, [0], 0, True)
        # a last run in which no test ran: what is unfinished stays so
        empty = shutil.copytree(first, self.folder / "empty")
        skip_all(empty / "all.jsonl")
        for name, status, passes in (("empty-unfinished", 4, False), ("empty-good", 77, True)):
            service = self.hand_on(self.service(name, last=empty), parts, False)
            if not passes:
                end_without(service.artifacts[self.part_of("CoRR", parts)], "unfinished")
            self.run_pipeline(service, [0], status, passes)
            self.assertRegex(service.log, r"oclmm compare (.|\n)* 0 in both(.|\n)*= ")
        # a machine went away
        for lost in (3, 1):
            rest = {name: parts[name] for name in parts if name != f"run-{lost}"}
            service = self.hand_on(self.service(f"lost-{lost}"), rest, False)
            self.run_pipeline(service, [0], 2, False)
            self.assertIn(f"shard {lost} of 4", service.log)

    def test_no_device(self):
        """A warning: nothing was tested, and nothing failed."""
        service = self.service("none", OCL_ICD_VENDORS="/nonexistent")
        self.run_pipeline(service, [77] * 4, 77, True)


del ServiceCase
common.main_on_device()
