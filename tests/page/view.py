# SPDX-License-Identifier: Apache-2.0
"""The page in headless Chromium: scripts, filters, widths, keys, print. Skipped (77) without a browser."""

import json

from fixture import Data
from viewing import CUT, DETAILS, OVERFLOW, BrowserCase, need_browser
import common

SHOWN = 'document.getElementById("shown").textContent'
NAMES = ('Array.from(document.querySelectorAll("tr.t")).filter((row) => row.checkVisibility())'
         '.map((row) => row.querySelector("button").textContent)')
FAMILIES = 'Array.from(document.querySelectorAll("tr.f button"), (button) => button.textContent)'
WIDTHS = (360, 700, 820, 1440)
# Texts of the matrix that lie over each other or beyond their cells; an empty list is well.
OVERPRINTED = """(() => {
    const found = [];
    for (const cell of document.querySelectorAll("table.m th, table.m td:not([colspan])")) {
        const frame = cell.getBoundingClientRect(), boxes = [];
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            for (const box of range.getClientRects())
                if (box.width > 0)
                    boxes.push([box, walker.currentNode.data]);
        }
        for (const [box, text] of boxes) {
            if (box.left < frame.left - 1 || box.right > frame.right + 1)
                found.push(`${text} leaves its cell`);
            for (const [other, word] of boxes)
                if (other !== box && box.left < other.right - 1 && other.left < box.right - 1 &&
                    box.top < other.bottom - 4 && other.top < box.bottom - 4)
                    found.push(`${text} over ${word}`);
        }
    }
    return found;
})()"""


class View(BrowserCase):
    def test_families_first(self):
        self.load()
        self.assertEqual(self.get(SHOWN), "6 of 6 tests")
        self.assertEqual(self.get("document.title"), "OpenCL memory model: results")
        families = self.get(FAMILIES)
        self.assertEqual(families[1:], ["race", "relaxed"])
        self.assertEqual(self.get(NAMES), [])
        # how many of each verdict: a forbidden one first
        self.assertEqual(self.get('document.querySelectorAll("tr.f")[2].querySelector("td").innerText.trim()')
                         .split("\n"), ["✖ 1 forbidden", "○ 1 inconclusive", "✓ 2 pass"])
        self.get('document.querySelectorAll("tr.f button")[2].click()')
        self.assertEqual(self.get(NAMES), ["SB", "SB.order=sc", "STRONG", "STRONG.order=rlx"])
        self.get('document.querySelectorAll("tr.f button")[2].click()')
        self.assertEqual(self.get(NAMES), [])

    def test_address_filters(self):
        for view, wanted in (("#verdict=forbidden", ["STRONG"]), ("#q=sb", ["SB", "SB.order=sc"]),
                             ("#q=order%3Dsc", ["SB.order=sc"]), ("#family=race", ["RACE"]),
                             ("#verdict=pass&q=strong", ["STRONG.order=rlx"]), ("#seen=unjudged", ["RACE"]),
                             ("#seen=differs", ["SB", "STRONG", "STRONG.order=rlx"]),
                             ("#verdict=forbidden&family=race", [])):
            self.load(view)
            self.assertEqual(self.get(NAMES), wanted, view)
            self.assertEqual(self.get(SHOWN), f"{len(wanted)} of 6 tests")

    def test_what_is_no_address_is_none(self):
        for view in ("#q=%", "#t-", "#t-%FF", "#=&=", "#verdict=none"):
            self.load(view)

    def test_typing_filters_and_is_remembered(self):
        self.load()
        self.get('document.querySelector("[name=q]").focus()')
        self.browser.call("Input.insertText", text="strong RLX")
        self.assertEqual(self.get(NAMES), ["STRONG.order=rlx"])
        self.assertEqual(self.get("location.hash"), "#q=strong%20RLX")

    def test_link_opens_a_hidden_test(self):
        self.load("#q=race")
        self.get('document.querySelector("#attention a").click()')
        # the address changes at once, its event comes later
        self.get("new Promise((done) => setTimeout(done, 100))")
        self.assertEqual(self.get('document.querySelector("#t-STRONG button").ariaExpanded'), "true")
        self.assertIn("STRONG", self.get(NAMES))
        self.assertEqual(self.browser.complaints(), [])

    def test_details_tell(self):
        """Question, results, outcomes with their bars, the text, a picture; made when they are opened."""
        self.load()
        self.assertEqual(self.get(DETAILS), 0)
        self.load("#t-STRONG")
        self.assertEqual(self.get(DETAILS), 1)
        text = self.get('document.querySelector(".detail").innerText')
        for words in ("can both reads miss the other's write?", "✖ forbidden", "Pocket GPU", "memory_order_seq_cst",
                      "The specification", "Never"):
            self.assertIn(words, text)
        self.assertEqual(self.get('document.querySelector("tr.forbidden td").innerText.trim()'), "2")
        # log(3) of log(1003)
        self.assertEqual(self.get('document.querySelector("tr.forbidden i").style.width'), "16%")
        self.assertEqual(self.get('document.querySelectorAll(".detail svg title").length'), 1)

    def test_silence_is_told_in_sentences(self):
        """What the numbers are chances of, and what the controls are."""
        self.results("silent.jsonl", self.strong(0, 0, 18))
        self.run_program("report", "silent.jsonl", "-o", "page.html")
        self.load("#t-STRONG")
        self.assertEqual(self.get('Array.from(document.querySelectorAll(".result li"), (item) => item.innerText)'), [
            "compiler: a device with a bug that shows as often as in STRONG~x (the test after one wrong step of a "
            "compiler) would have stayed silent with a probability of 0.0000076.",
            "hardware: its control ran and never showed the outcome.",
            "A bug that shows in 0.094 of launches or more would have been seen with 95 % confidence, if launches are "
            "independent of each other or hang together as its control's hits do."])

    def test_command_is_whole(self):
        """As a test of devices runs it: with the environment, in quotes, in one line."""
        data = Data(self.read("page.html"))
        self.load("#t-SB")
        commands = self.get('Array.from(document.querySelectorAll(".replay pre"), (line) => line.textContent)')
        self.assertEqual(commands, [data.command("SB", 0), data.command("SB", 1)])
        self.assertIn("'groups=2 lanes=1'", commands[0])

    def outcomes(self, *cells):
        """What is made of rows (values, count, status, witness), the records of a column a list."""
        records = [[{"line": json.dumps({"outcomes": [
            {"values": values, "count": count, "status": status, "witness": witness}
            for values, count, status, witness in rows]})} for rows in cell] for cell in cells]
        cells = json.dumps([{"records": cell} for cell in records])
        return self.get(f"""(() => {{
            const {{ shown, others, othersSeen }} = outcomesOf({{ observes: "a b", cells: {cells} }});
            return {{ others, othersSeen, shown: shown.map(({{ name, row, counts }}) => [name, kindOf(row), counts]) }};
        }})()""")

    def test_outcomes_add_up(self):
        """Over records and columns; what broke a rule of one device is told, wherever that stands."""
        self.load()
        allowed, forbidden = [({"a": 1, "b": 0}, 3, "allowed", True)], [({"a": 1, "b": 0}, 4, "forbidden", True)]
        for cells, counts in (((allowed, forbidden), [3, 4]), ((forbidden, allowed), [4, 3])):
            found = self.outcomes(*([rows, rows] for rows in cells))
            self.assertEqual(found["shown"], [["a=1; b=0;", "forbidden", [2 * count for count in counts]]])
        unseen = [({"a": 1, "b": 0}, 0, "forbidden", True)]
        self.assertEqual(self.outcomes([allowed], [unseen])["shown"], [["a=1; b=0;", "weak", [3, 0]]])
        # another test of this name
        self.assertEqual(self.outcomes([[({"a": 1}, 3, "allowed", True)]], [allowed])["shown"],
                         [["a=1; b=0;", "weak", [0, 3]]])

    def test_wide_values_are_exact(self):
        """Those beyond 2^53 too, in the order of numbers; those of ulong beyond 2^63 are texts in the file."""
        self.load()
        values = [-2**63, -5, 0, 2**53 + 1, 2**62 + 1, "18446744073709551615"]
        found = self.outcomes([[({"a": value, "b": 0}, 1, "allowed", False) for value in reversed(values)]], [[]])
        self.assertEqual([name for name, *_ in found["shown"]], [f"a={value}; b=0;" for value in values])

    def test_many_outcomes(self):
        """Those are shown that tell something, then the most frequent; the rest is summed."""
        self.load()
        rows = [({"a": value, "b": 0}, value % 7 + 1 if value != 700 else 0, "allowed", value == 700)
                for value in range(1000)]
        found = self.outcomes([rows], [[]])
        counts = [count for _, _, (count, _) in found["shown"]]
        self.assertEqual(len(counts), 256)
        # 142 rows were seen 7 times, 143 six times: no other comes in but the one that is asked about
        self.assertEqual(sorted(set(counts)), [0, 6, 7])
        self.assertIn(["a=700; b=0;", "weak", [0, 0]], found["shown"])
        self.assertEqual(found["others"], 1000 - 256)
        # 1000 = 142 * 7 + 6, with sums of 28 and of 21; row 700 would have been seen once
        self.assertEqual(sum(counts) + found["othersSeen"][0], 142 * 28 + 21 - 1)

    def test_opens_and_closes_what_is_shown(self):
        self.load("#q=strong")
        self.get('document.getElementById("open").click()')
        self.assertEqual(self.get(DETAILS), 2)
        self.get('document.getElementById("close").click()')
        self.assertEqual(self.get(DETAILS), 0)

    def test_opens_all_of_a_fresh_page(self):
        """Families are closed then, and are opened with their tests."""
        self.load()
        self.assertEqual(self.get('document.querySelectorAll("tr.t").length'), 0)
        self.get('document.getElementById("open").click()')
        count = self.get('document.querySelectorAll("tr.t").length')
        self.assertGreater(count, 0)
        self.assertEqual(self.get(DETAILS), count)

    def test_folds_under_a_filter(self):
        """What a filter has opened takes one press to close, and one to open again."""
        self.load("#q=strong")
        for wanted in ([], ["STRONG", "STRONG.order=rlx"]):
            self.get('document.querySelector("tr.f button").click()')
            self.assertEqual(self.get(NAMES), wanted)

    def test_mark_is_the_demand(self):
        """In the legend as in the cells: -log10(1 - 0.999) of 6."""
        self.address = self.make("--confidence", "0.999").as_uri()
        self.load("#t-SB")
        self.get('document.getElementById("legend").open = true')
        place = ('(() => { const bar = document.querySelector("#legend .e");'
                 'return parseFloat(getComputedStyle(bar, "::after").left) / bar.clientWidth; })()')
        self.assertAlmostEqual(self.get(place), 3 / 6, delta=.01)

    def test_hostile_names_are_text(self):
        self.load()
        self.open_all()
        self.assertEqual(self.get(DETAILS), 6)
        self.assertEqual(self.get('document.querySelectorAll("script").length'), 3)
        self.assertIn("<script>alert(1)</script>", self.get("document.body.textContent"))
        self.assertEqual(self.browser.complaints(), [])

    def test_reads_without_scripts(self):
        """Verdicts at least, and links that lead to them."""
        self.browser.scripts(False)
        self.load("#t-STRONG")
        self.browser.scripts(True)
        rows = self.get('Array.from(document.querySelectorAll("noscript tbody tr"), (row) => row.innerText)')
        self.assertEqual(len(rows), 6)
        self.assertIn("STRONG\t✖ forbidden 2 in 1.0 k\t○ inconclusive 0 in 1.0 k", rows)
        for name in ("filter", "matrix"):
            self.assertEqual(self.get(f'document.getElementById("{name}").checkVisibility()'), False)

    def test_fits_each_width(self):
        """In light and dark: nothing beyond the window, no words over others."""
        for width in WIDTHS:
            for scheme in ("light", "dark"):
                self.browser.size(width, 800)
                self.browser.media("screen", prefers_color_scheme=scheme)
                self.load()
                self.open_all()
                self.get('document.querySelectorAll("details").forEach((part) => { part.open = true; })')
                self.assertLessEqual(self.get(OVERFLOW), 0, f"{width} {scheme}")
                self.assertEqual(self.get(OVERPRINTED), [], f"{width} {scheme}")
                self.assertEqual(self.get(CUT), [], f"{width} {scheme}")

    def test_cards_name_their_columns(self):
        """Where rows do not fit there is no heading above them, so each cell has its own."""
        named = 'getComputedStyle(document.querySelector("%s"), "::before").content'
        for width, cards in ((360, ("#devices td", "tr.t td", "table.h td")), (820, ("#devices td",)), (1440, ())):
            self.browser.size(width, 800)
            self.load("#t-SB")
            for cell in ("#devices td", "tr.t td", "table.h td"):
                wanted = self.get(f'document.querySelector("{cell}").dataset.h')
                self.assertEqual(self.get(named % cell), f'"{wanted}"' if cell in cards else "none", f"{width} {cell}")
                shown = self.get(f'document.querySelector("{cell}").closest("table").tHead.checkVisibility()')
                self.assertEqual(shown, cell not in cards, f"{width} {cell}")

    def test_a_cut_table_would_be_found(self):
        self.load()
        self.get('document.querySelector("#devices td").style.paddingRight = "100rem"')
        self.assertNotEqual(self.get(CUT), [])

    def test_what_is_linked_is_in_sight(self):
        """Below the filter and the heading, both of which stay where they are."""
        for width in (820, 1440):
            self.browser.size(width, 500)
            self.load("#t-STRONG")
            self.get("new Promise((done) => setTimeout(done, 100))")
            covered, top = self.get('["table.m > thead th", "#t-STRONG"].map((name, index) => {'
                                    ' const box = document.querySelector(name).getBoundingClientRect();'
                                    ' return index ? box.top : box.bottom; })')
            self.assertGreaterEqual(top, covered - 1, width)

    def test_filter_stays_above_a_wide_matrix(self):
        """The names that stay in sight while the matrix moves sideways pass below it."""
        self.address = self.make_wide().as_uri()
        self.browser.size(820, 500)
        self.load("#t-STRONG")
        covered = ('scrollBy(0, document.querySelector("#t-STRONG th").getBoundingClientRect().top - 20),'
                   ' (({ left, top }) => document.elementFromPoint(left + 5, top + 5).name)'
                   '(document.querySelector("[name=q]").getBoundingClientRect())')
        self.assertEqual(self.get(covered), "q")
        self.get('document.querySelectorAll("table.m th").forEach((part) => { part.style.zIndex = 9; })')
        self.assertNotEqual(self.get(covered), "q")

    def test_matrix_is_wide_where_it_does_not_fit(self):
        """However many devices there are: it then moves sideways by itself, and its open families name the columns."""
        for make, width, fits in ((self.make, 660, True), (self.make_wide, 820, False), (self.make_wide, 1440, False)):
            self.address = make().as_uri()
            self.browser.size(width, 800)
            self.load("#t-STRONG")
            self.assertLessEqual(self.get(OVERFLOW), 0, width)
            self.assertEqual(self.get('document.getElementById("matrix").classList.contains("few")'), fits, width)
            named = self.get('getComputedStyle(document.querySelector("tr.f:has([aria-expanded=true]) td"), "::before").content')
            self.assertEqual(named == "none", fits, width)

    def test_overprinting_would_be_found(self):
        self.load("#t-SB")
        self.get('document.querySelector("tr.t .seen").style.marginLeft = "-3rem"')
        self.assertNotEqual(self.get(OVERPRINTED), [])

    def test_colours_follow_the_reader(self):
        seen = set()
        for scheme in ("light", "dark"):
            self.browser.media(prefers_color_scheme=scheme)
            self.load()
            seen.add(self.get("getComputedStyle(document.documentElement).backgroundColor"))
        self.assertEqual(len(seen), 2)

    def test_kinds_differ_by_more_than_colour(self):
        """The bars of the legend: no two have the same pattern when the colours are taken away."""
        self.load()
        for bars, count in ((".bar", 5), (".e", 2)):
            patterns = self.get(
                f'Array.from(document.querySelectorAll("#legend {bars} i"), (bar) =>'
                'getComputedStyle(bar).backgroundImage.replace(/rgba?\\([^)]*\\)/g, "c"))')
            self.assertEqual(len(patterns), count)
            self.assertEqual(len(set(patterns)), count)

    def test_everything_has_a_name(self):
        self.load("#q=strong")
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if role in ("button", "searchbox", "combobox", "region", "link", "image", "img"):
                self.assertTrue(node.get("name", {}).get("value"), node)


need_browser()
common.main()
