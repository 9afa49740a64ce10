# SPDX-License-Identifier: Apache-2.0
"""The playground in a real browser: it answers, refuses, explains, carries its text in a link.

usage: page.py PAGE PROGRAM SOURCE-FOLDER
"""
import base64
import pathlib
import subprocess
import sys
import time
import unittest
import zlib

PAGE, PROGRAM, SOURCE = sys.argv[1:4]
del sys.argv[1:4]
sys.path.insert(0, str(pathlib.Path(SOURCE) / "tests" / "page"))
import browser  # noqa: E402

BROWSER = browser.find()
WIDTHS = (390, 820, 1440)
WAIT = 60


class Page(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.view = browser.Browser(BROWSER)
        cls.view.__enter__()
        cls.addClassCleanup(cls.view.__exit__)

    def open(self, fragment=""):
        self.view.load(pathlib.Path(PAGE).resolve().as_uri() + fragment)
        self.wait("document.documentElement.dataset.answered")

    def get(self, expression):
        return self.view.evaluate(expression)

    def wait(self, expression):
        end = time.monotonic() + WAIT
        while not (value := self.get(expression)):
            self.assertLess(time.monotonic(), end, f"{expression} never came true")
        return value

    def text(self, name):
        return self.get(f"document.getElementById('{name}').textContent")

    def type(self, text):
        self.get(f"(t => {{ t.value = {text!r}; t.dispatchEvent(new Event('input')); }})(document.getElementById('text'))")

    def choose(self, name, value):
        self.get(f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('change')); }})"
                 f"(document.getElementById('{name}'))")

    def test_answers(self):
        self.open()
        self.assertTrue(self.text("verdict").startswith("Never"))
        # never seen, and forbidden under the first reading
        self.assertIn("1:r0=1; 1:r1=0;0forbidden", self.text("states"))
        self.assertTrue(self.get("document.querySelector('#picture svg') !== null"))
        self.assertIn("H200", self.text("device"))
        self.assertIn("1:r0=1; 1:r1=0; is forbidden under every reading", self.text("why"))
        self.assertTrue(self.get("document.querySelectorAll('#changes li').length > 0"))

    def test_a_variant_and_an_outcome(self):
        self.open()
        self.choose("suite", "message-passing/MP+rel+acq.litmus")
        self.wait("document.getElementById('variant').length > 1")
        relaxed = self.get("[...document.getElementById('variant').options].findIndex(o => o.text.endsWith('.order=rlx'))")
        self.choose("variant", str(relaxed))
        self.wait("document.getElementById('verdict').textContent.startsWith('Sometimes')")
        self.choose("outcome", "1:r0=0 /\\ 1:r1=0")
        self.wait("document.getElementById('why').textContent.includes('allowed')")

    def test_opens_on_a_short_test(self):
        self.open()
        text = self.get("document.getElementById('text').value")
        shown = subprocess.run([PROGRAM, "show", "MP+rel+acq"], capture_output=True, text=True, check=True, cwd=SOURCE).stdout
        self.assertEqual(text.rstrip(), shown.rstrip())
        self.assertLess(len(text.splitlines()), 25)

    def test_lines_have_numbers(self):
        self.open()
        for text in (None, "SUITE['seq-cst/SB+sc+sc.litmus']"):
            if text:
                self.type(self.get(text))
            lines = self.get("document.getElementById('text').value").split("\n")
            self.assertEqual(self.text("numbers").split(), [str(n + 1) for n in range(len(lines))])
        # the number stands beside its line, wherever the text is scrolled to
        self.get("(t => { t.scrollTop = 300; t.dispatchEvent(new Event('scroll')); })(document.getElementById('text'))")
        self.assertEqual(self.get("document.getElementById('numbers').scrollTop"), self.get("document.getElementById('paint').scrollTop"))
        top = "document.getElementById('{}').getBoundingClientRect().top"
        self.assertEqual(self.get(top.format("numbers")), self.get(top.format("paint")))
        self.assertEqual(self.get("getComputedStyle(document.getElementById('numbers')).lineHeight"),
                         self.get("getComputedStyle(document.getElementById('text')).lineHeight"))
        left = self.get("document.getElementById('numbers').getBoundingClientRect().right")
        self.assertLess(left, self.get("document.querySelector('#paint span').getBoundingClientRect().left"))

    def find(self, words):
        self.get(f"(f => {{ f.value = {words!r}; f.dispatchEvent(new Event('input')); }})(document.getElementById('find'))")
        return self.get("[...document.querySelectorAll('#suite option')].map(o => o.value).filter(Boolean)")

    def test_finds_tests(self):
        self.open()
        everything = self.find("")
        self.assertEqual(len(everything), self.get("Object.keys(SUITE).length"))
        found = self.find("SB sc+sc")
        self.assertIn("seq-cst/SB+sc+sc.litmus", found)
        self.assertLess(len(found), len(everything))
        self.assertIn(f"{len(found)} of {len(everything)} tests", self.text("found"))
        # by what it says, and not by its name alone
        self.assertTrue([path for path in self.find("processor") if "processor" not in path])
        self.assertEqual(self.find("nosuchword"), [])
        self.find("SB+sc+sc")
        self.get("document.getElementById('find').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))")
        self.wait("document.getElementById('question').textContent.includes('0:r0=0')")
        self.assertIn("the suite's test SB+sc+sc", self.text("whose").replace("The", "the"))

    def test_says_whose_text_it_is(self):
        self.open()
        self.assertIn("suite's test MP+rel+acq", self.text("whose"))
        self.assertIn("unchanged", self.text("whose"))
        self.type(self.get("document.getElementById('text').value") + "\n")
        self.assertTrue(self.text("whose").startswith("Your text, begun from"), self.text("whose"))
        word = self.get(f"pack({self.get('START')!r})")
        self.open(f"#text={word}")
        self.assertIn("link that you followed", self.text("whose"))
        self.assertIn("not the specification's", self.text("reason"))

    def test_a_repair_is_green(self):
        self.open()
        text = self.get("document.getElementById('text').value")
        self.type(text.replace("memory_order_acquire", "memory_order_relaxed"))
        self.wait("document.getElementById('verdict').textContent.startsWith('Sometimes')")
        green = self.get("getComputedStyle(document.querySelector('.legend .allowed')).color")
        self.type(text)
        self.wait("document.getElementById('verdict').textContent.startsWith('✓ Repaired')")
        self.assertEqual(self.get("getComputedStyle(document.getElementById('verdict')).color"), green)
        # what was right before is no repair
        self.type(text + "\n")
        self.wait("document.getElementById('verdict').textContent.startsWith('Never')")
        self.assertEqual(self.get("document.getElementById('verdict').className"), "")
        # a change that would repair a race
        self.choose("suite", "idiom/seqlock-plain.litmus")
        self.wait("document.querySelector('#changes b.repaired') !== null")
        self.assertIn("forbidden", self.get("document.querySelector('#changes b.repaired').textContent"))
        self.assertEqual(self.get("getComputedStyle(document.querySelector('#changes b.repaired')).color"), green)

    def test_refuses_in_the_programs_words(self):
        self.open()
        text = self.get("document.getElementById('text').value")
        wrong = text.replace("exists", "exits", 1)
        self.type(wrong)
        self.wait("!document.getElementById('refusal').hidden")
        said = subprocess.run([PROGRAM, "check", "/dev/stdin"], input=wrong, capture_output=True, text=True, check=False)
        first = self.text("refusal").splitlines()[0]
        self.assertIn(first.split("error: ")[1], said.stderr)
        self.assertIn("^", self.text("refusal"))
        self.assertTrue(self.get("document.querySelector('#paint .wrong') !== null"))
        self.assertEqual(self.get("document.getElementById('text').getAttribute('aria-invalid')"), "true")
        self.type(text)
        self.wait("document.getElementById('refusal').hidden")

    def test_a_text_without_end_does_not_hang(self):
        """Sixteen seq_cst writers of one location have more orders than a page can wait for."""
        self.open()
        head = 'OPENCL many\n{ [x] = 0; }\n'
        body = "".join(f"P{n} (global atomic_int *x) {{ atomic_store(x, {n + 1}); int r0 = atomic_load(x); }}\n" for n in range(16))
        self.type(head + body + "exists (0:r0=3)\n")
        self.wait("/not answered|events|too/.test(document.getElementById('refusal').textContent)")
        self.type(self.get("SUITE['seq-cst/SB+sc+sc.litmus']"))
        self.wait("document.getElementById('question').textContent.includes('0:r0=0')")

    def test_a_slow_start_is_no_late_answer(self):
        """The time for an answer begins when the oracle is there, not when the page asks for it."""
        self.open()
        untimed = self.get("(() => { restart(); ask('check', START, 0);"
                           " return !ready && [...pending.values()].every((question) => question.timer === undefined); })()")
        self.assertTrue(untimed)
        self.wait("ready && pending.size === 0")

    def test_a_link_carries_the_text(self):
        self.open()
        text = self.get("SUITE['seq-cst/SB+sc+sc.litmus']") + "// é\n"
        word = self.get(f"pack({text!r})")
        self.open(f"#text={word}")
        self.assertEqual(self.get("document.getElementById('text').value"), text)
        self.view.load(pathlib.Path(PAGE).resolve().as_uri() + "#text=AAAA")
        self.wait("document.getElementById('refusal').textContent.includes('damaged')")
        # a few bytes that stand for many
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        word = base64.urlsafe_b64encode(deflate.compress(bytes(16 << 20)) + deflate.flush()).decode().rstrip("=")
        self.open()
        self.view.load(pathlib.Path(PAGE).resolve().as_uri() + "#text=" + word)
        self.wait("document.getElementById('refusal').textContent.includes('damaged')")
        self.choose("suite", "seq-cst/SB+sc+sc.litmus")
        self.wait("document.getElementById('refusal').hidden && document.getElementById('question').textContent.includes('0:r0=0')")

    def test_fetches_nothing_and_says_nothing(self):
        self.open()
        asked = [event["params"]["request"]["url"] for event in self.view.events
                 if event.get("method") == "Network.requestWillBeSent"]
        self.assertFalse([url for url in asked if not url.startswith(("file:", "blob:", "data:"))])
        said = [str(event["params"])[:300] for event in self.view.events if event.get("method") in browser.SPEECH]
        self.assertEqual(said, [])

    def test_fits_every_width(self):
        for width in WIDTHS:
            for scheme in ("light", "dark"):
                self.view.media("screen", prefers_color_scheme=scheme)
                self.view.size(width, 900)
                self.open()
                self.assertLessEqual(self.get("document.documentElement.scrollWidth"), width, f"{width} {scheme}")

    def test_every_control_has_a_name_and_keys_reach_it(self):
        self.open()
        tree = self.view.call("Accessibility.getFullAXTree")["nodes"]
        roles = ("textbox", "combobox", "button", "region", "PopUpButton", "MenuListPopup")
        for node in tree:
            if node.get("role", {}).get("value") in roles[:4]:
                self.assertTrue(node.get("name", {}).get("value"), node)
        seen = set()
        for _ in range(14):
            for kind in ("rawKeyDown", "keyUp"):
                self.view.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
            seen.add(self.get("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
        self.assertLessEqual({"find", "suite", "variant", "link", "text", "outcome", "why"}, seen)

    def test_markup_in_a_text_stays_text(self):
        self.open()
        self.type('OPENCL <img src=x onerror="document.title=1">\n{ [x] = 0; }\nP0 (global atomic_int *x) { atomic_store(x, 1); }\nexists ([x]=<b>1)\n')
        self.wait("!document.getElementById('refusal').hidden")
        self.assertEqual(self.get("document.querySelectorAll('#source img, #answer img, #reason img').length"), 0)


if PAGE == "-" or BROWSER is None:
    print("no browser" if PAGE != "-" else "the page is not built: it needs Emscripten, and -Dplayground=enabled")
    sys.exit(77)
unittest.main(verbosity=1)
