# SPDX-License-Identifier: Apache-2.0
"""oclmm report: what it refuses, what it writes, and that the page is whole."""

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ElementTree

from fixture import HOSTILE, Data, PageCase
import common

XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


class Refused(PageCase):
    def test_usage(self):
        for arguments in ((), ("none.jsonl",), ("--graphs", "some", "r.jsonl"),
                          ("--claims", "all", "r.jsonl"), ("--confidence", "2", "r.jsonl"),
                          ("--unknown", "r.jsonl")):
            _, err = self.run_program("report", *arguments, status=2)
            self.assertTrue(err)

    def test_bad_results_leave_the_old_page(self):
        self.write("page.html", "old\n")
        self.write("bad.jsonl", '{"type": "run"\n')
        self.results("cut.jsonl", [self.record("SB", [1, 2, 3, 4])], complete=False)
        for name in ("bad.jsonl", "cut.jsonl"):
            _, err = self.run_program("report", name, "-o", "page.html", status=2)
            self.assertIn(name, err)
            self.assertEqual(self.read("page.html"), "old\n")
        self.run_program("report", "cut.jsonl", "--partial", "-o", "page.html")
        self.assertNotEqual(self.read("page.html"), "old\n")

    def test_nothing_to_tell(self):
        self.results("empty.jsonl", [])
        self.run_program("report", "empty.jsonl", "-o", "page.html", status=77)
        self.assertFalse((self.folder / "page.html").exists())

    def test_cannot_write(self):
        self.results("r.jsonl", [self.record("SB", [1, 2, 3, 4])])
        _, err = self.run_program("report", "r.jsonl", "-o", "no/such/folder/page.html", status=99)
        self.assertIn("cannot write no/such/folder/page.html", err)


class Written(PageCase):
    def setUp(self):
        super().setUp()
        self.page = self.make().read_text(encoding="utf-8")
        self.tree = ElementTree.fromstring(self.page)

    def test_order_of_files_does_not_matter(self):
        """Nor does where the page goes."""
        page = self.make("--graphs", "all").read_text(encoding="utf-8")
        out, _ = self.run_program("report", "--graphs", "all", "tower.jsonl", "pocket.jsonl", "tower.jsonl")
        self.assertEqual(out, page)

    def test_asks_nothing_of_the_network(self):
        addresses = set(re.findall(r"https?://[^\"'\s\\<)]+", self.page))
        self.assertLessEqual(addresses, {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"})
        self.assertNotRegex(self.page, r"(?i)@import|\bsrc=|url\(")

    def test_holds_a_results_file(self):
        """Its lines, taken out, are read, judged alike, and stand in the page that is made of them."""
        self.write("out.jsonl", Data(self.page).results)
        self.run_program("report", "out.jsonl", "-o", "again.html")
        self.assertEqual(Data(self.read("again.html")).results, self.read("out.jsonl"))
        judged = [self.run_program("grade", "--format", "json", *names, status=None)[0]
                  for names in (["out.jsonl"], ["pocket.jsonl", "tower.jsonl"])]
        kinds = [{(line["test"], line["device"]): line["verdict"] for line in self.lines_of_json(out) if line["type"] == "test"}
                 for out in judged]
        self.assertEqual(*kinds)
        self.assertEqual(len(kinds[0]), 9)

    def test_headings(self):
        found = ["".join(heading.itertext()) for level in ("h2", "h3") for heading in self.tree.iter(f"{XHTML}{level}")]
        self.assertEqual(found, ["Look at these first", "Devices", "Summary", "Tests", "Outcomes", "What silence is worth"])

    def test_is_judged_again(self):
        """The same for the script as for a reader without scripts."""
        data = Data(self.page)
        wanted = {"SB": ["pass", "pass"], "SB.order=sc": ["inconclusive", None], "RACE": ["undefined", None],
                  "STRONG": ["forbidden", "inconclusive"], "STRONG.order=rlx": ["pass", "crash"],
                  HOSTILE: ["lost", None]}
        # the devices come in the order of their names
        self.assertEqual(data.columns, ["Pocket GPU", "Tower GPU " + HOSTILE])
        self.assertEqual({name: data.verdicts(name) for name in data.tests}, wanted)
        rows = {row.find(f"{XHTML}th").text: [cell.text.split()[1] if cell.text else None
                                             for cell in row.findall(f"{XHTML}td")]
                for row in self.tree.findall(f".//{XHTML}noscript//{XHTML}tbody/{XHTML}tr")}
        self.assertEqual(rows, {name: data.verdicts(name) for name in data.tests})

    def test_hostile_names_are_text(self):
        self.assertEqual(len(list(self.tree.iter(f"{XHTML}script"))), 3)
        self.assertIn("alert(1)", "".join(self.tree.itertext()))
        self.assertEqual(self.page.count("</script"), 3)

    def test_only_its_own_script_runs(self):
        """The policy names the script by its hash."""
        script = list(self.tree.iter(f"{XHTML}script"))[2]
        text = self.page[self.page.rindex("<script>") + len("<script>"):self.page.rindex("</script>")]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        policy = next(node.get("content") for node in self.tree.iter(f"{XHTML}meta")
                      if node.get("http-equiv") == "Content-Security-Policy")
        self.assertEqual(script.attrib, {})
        self.assertEqual(re.findall(r"script-src (.*)", policy), [f"'sha256-{digest}'"])

    def test_tells_the_test(self):
        data = Data(self.page)
        strong = data.tests["STRONG"]
        self.assertEqual(data.string(strong["question"]), "Store buffering: can both reads miss the other's write?")
        self.assertIn("memory_order_seq_cst", "\n".join(map(data.string, strong["lines"])))
        self.assertEqual([data.string(strong["specification"][part]) for part in ("condition", "observation")],
                         ["exists (0:r0=0 /\\ 1:r0=0)", "Never"])
        self.assertEqual(data.command("STRONG", 0),
                         "oclmm run --device 'Pocket GPU' --seed 1 --instances 1002 STRONG")
        self.assertEqual(data.command("SB", 0), "oclmm run --device 'Pocket GPU' --environment "
                         "'groups=2 lanes=1' --seed 1 --instances 1010 SB")

    def test_equal_things_stand_once(self):
        """Strings, and so the environments of all tests; the shapes of pictures."""
        self.results("pocket.jsonl", [{**record, "environment": "groups=2 lanes=1"} for record in self.pocket()])
        self.run_program("report", "pocket.jsonl", "--graphs", "all", "-o", "page.html")
        data = Data(self.read("page.html"))
        self.assertEqual(sum("groups=2 lanes=1" in string for string in data.all["strings"]), 1)
        for name in ("strings", "pieces"):
            self.assertEqual(len(set(data.all[name])), len(data.all[name]))
        shapes = [json.dumps(shape) for shape in data.all["shapes"]]
        self.assertEqual(len(set(shapes)), len(shapes))
        drawn = [test["picture"] for test in data.tests.values() if test["picture"]]
        self.assertLess(len({picture["shape"] for picture in drawn}), len(drawn))

    def test_pictures(self):
        """A forbidden outcome (STRONG), weak ones (SB, STRONG.order=rlx)."""
        drawn = {}
        for graphs in ("none", "interesting", "all"):
            data = Data(self.make("--graphs", graphs).read_text(encoding="utf-8"))
            drawn[graphs] = sum(1 for test in data.tests.values() if test["picture"])
        # all: also SB.order=sc; RACE is not judged, the hostile one is gone
        self.assertEqual(tuple(drawn.values()), (0, 3, 4))

    def test_pictures_name_nothing(self):
        """Several in one page: identifiers would clash."""
        data = Data(self.page)
        pictures = [data.picture(test) for test in data.tests.values() if test["picture"]]
        self.assertEqual(len(pictures), 3)
        for picture in map(ElementTree.fromstring, pictures):
            self.assertEqual(picture.get("role"), "img")
            self.assertTrue(picture.find(f"{SVG}title").text.endswith(("allowed", "forbidden (seq_cst)")))
            self.assertFalse([node for node in picture.iter() if node.get("id")])

    def test_expectations(self):
        self.write("known", "* | * | STRONG | forbidden | 0:r0=0; 1:r0=0; | see the tracker | 2999-01-01\n")
        page = self.make("--expectations", "known", "--title", "A <title>").read_text(encoding="utf-8")
        self.assertIn("see the tracker", page)
        self.assertIn("<h1>A &lt;title&gt;</h1>", page)

    def test_yesterday_and_today(self):
        """Runs of one device stand side by side, and shards of one run do not."""
        for day, seed, counts in (("2026-01-02", "2", [2, 1, 1, 1]), ("2026-01-01", "1", [1, 1, 1, 1])):
            self.results(f"{day}.jsonl", [self.record("SB", counts, master_seed=seed, seed=seed,
                                                      started=f"{day}T08:00:00Z")], seed=seed)
        self.run_program("report", "2026-01-02.jsonl", "2026-01-01.jsonl", "-o", "page.html")
        data = Data(self.read("page.html"))
        self.assertEqual(data.columns, ["Pocket GPU, 2026-01-01 08:00", "Pocket GPU, 2026-01-02 08:00"])
        self.assertEqual([[outcome["count"] for outcome in data.record("SB", column)["outcomes"]] for column in (0, 1)],
                         [[1, 1, 1, 1], [2, 1, 1, 1]])
        for shard, name in ((1, "SB"), (2, "STRONG")):
            self.results(f"{shard}.jsonl", [self.record(name, [0, 1, 1, 1], master_seed="1", seed=str(shard))],
                         seed="1", shard=shard, shards=2)
        self.run_program("report", "1.jsonl", "2.jsonl", "-o", "page.html")
        self.assertEqual(Data(self.read("page.html")).columns, ["Pocket GPU"])


common.main()
