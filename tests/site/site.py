# SPDX-License-Identifier: Apache-2.0
"""The site of the documentation: it builds without a warning, and every link, anchor and picture of it leads somewhere
on a disk, without a server and without a network.

usage: site.py SOURCE-FOLDER
"""
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = SOURCE / "packaging" / "site" / "build.py"
sys.path.insert(0, str(SOURCE / "tests" / "page"))
import browser  # noqa: E402

BROWSER = browser.find()


def build(source, site, *more):
    return subprocess.run([sys.executable, BUILD, source, site, *more], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and the places that links may lead to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.places.update(attributes[key] for key in ("id", "name") if key in attributes)
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        for key in ("src", "href") if tag != "a" else ():
            # what names the page itself, its neighbours and its licence loads nothing
            if attributes.get(key) and attributes.get("rel") not in ("index", "next", "prev", "search", "author"):
                self.loads.append(attributes[key])


def lost(site):
    """(page, address) of all that leads nowhere, or to a network where something is loaded."""
    pages = {path: Page(path) for path in sorted(site.glob("**/*.html")) if path.name != "playground.html"}
    for path, page in pages.items():
        for address in page.links + page.loads:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loads:
                    yield path.relative_to(site), address
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or place and target in pages and place not in pages[target].places:
                yield path.relative_to(site), address


class Site(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="oclmm-test-site-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        (cls.folder / "playground.html").write_text("<!DOCTYPE html><title>playground</title>\n", encoding="utf-8")
        cls.site = cls.folder / "site"
        cls.said = build(SOURCE, cls.site, cls.folder / "playground.html")

    def test_builds_without_a_warning(self):
        self.assertEqual((self.said.returncode, self.said.stdout, self.said.stderr), (0, "", ""))

    def test_nothing_leads_nowhere(self):
        self.assertEqual(list(lost(self.site)), [])
        self.assertGreater(len(list(self.site.glob("**/*.html"))), 50)

    def test_has_every_page(self):
        for page in (*(SOURCE / "docs").glob("*.md"), *(SOURCE / "litmus").glob("*/README.md")):
            with self.subTest(page.name):
                self.assertTrue((self.site / page.relative_to(SOURCE).with_suffix(".html")).is_file())

    def test_markdown_is_no_text(self):
        """A table, a list or a mark of emphasis that was not read as such."""
        for page in self.site.glob("**/*.html"):
            text = page.read_text(encoding="utf-8")
            with self.subTest(page.relative_to(self.site)):
                self.assertNotIn("|---", text)
                self.assertNotIn("<p>| ", text)
                self.assertNotIn("<p>* ", text)

    def test_the_playground_is_in_it(self):
        self.assertEqual((self.site / "playground.html").read_text(encoding="utf-8"),
                         (self.folder / "playground.html").read_text(encoding="utf-8"))
        self.assertIn("../playground.html", Page(self.site / "docs" / "playground.html").links)

    def test_in_a_browser_from_the_disk(self):
        if not BROWSER:
            self.skipTest("no browser")
        with browser.Browser(BROWSER) as view:
            for width in (390, 1280):
                view.size(width, 900)
                for page in ("index.html", "docs/results.html", "docs/start.html", "docs/report.html"):
                    view.load((self.site / page).as_uri())
                    with self.subTest(page, width=width):
                        self.assertLessEqual(view.evaluate("document.documentElement.scrollWidth"), width)
                        self.assertTrue(view.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)"))
            view.load((self.site / "search.html").as_uri() + "?q=release+acquire")
            end = time.monotonic() + 120
            while not view.evaluate("document.querySelectorAll('#search-results li a').length > 5"):
                self.assertLess(time.monotonic(), end, "nothing is found")
            first = view.evaluate("document.querySelector('#search-results li a').href")
            self.assertTrue(pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(first).path)).is_file(), first)
            said = [str(event["params"])[:300] for event in view.events if event.get("method") in browser.SPEECH]
            self.assertEqual(said, [])


class Workflow(unittest.TestCase):
    def test_publishes_what_meson_builds(self):
        try:
            import yaml  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no PyYAML")
        steps = yaml.safe_load((SOURCE / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8"))["jobs"]["site"]["steps"]
        run = "\n".join(step.get("run", "") for step in steps)
        self.assertIn("meson compile -C build site\n", run)
        [path] = [step["with"]["path"] for step in steps if "upload-pages-artifact" in step.get("uses", "")]
        folder = (SOURCE / "packaging" / "site" / "meson.build").read_text(encoding="utf-8")
        self.assertEqual(path, "build/packaging/site/" + re.search(r"output: '(.*)'", folder)[1])
        # what the workflow enables is an option
        options = (SOURCE / "meson_options.txt").read_text(encoding="utf-8")
        for option in re.findall(r"-D(\w+)=enabled", run):
            self.assertIn(f"option('{option}', type: 'feature'", options)


class Broken(unittest.TestCase):
    """What is wrong in a page is found, by the build or by the look at the site."""

    README = ("# oclmm\n\nTo learn, in this order:\n\n* [docs/one.md](docs/one.md)\n\nTo work with:\n\n"
              "* [docs/two.md](docs/two.md)\n* [CONTRIBUTING.md](CONTRIBUTING.md)\n\n")
    PAGES = {"README.md": README, "docs/one.md": "# One\n\n## A part\n\n[two](two.md#a-part)\n",
             "docs/two.md": "# Two\n\n## A part\n\n![a picture](picture.svg) [text](../some.litmus)\n",
             "docs/examples/README.md": "# Examples\n", "litmus/README.md": "# Tests\n", "CONTRIBUTING.md": "# How\n\n[one](docs/one.md)\n",
             "CHANGELOG.md": "# Changes\n", "SECURITY.md": "# Security\n", "some.litmus": "OPENCL some\n",
             "docs/picture.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>', "meson.build": "  version: '1.2.3',\n"}

    def wrong(self, **changed):
        """What the build said of these pages, and what the look at them found."""
        with tempfile.TemporaryDirectory(prefix="oclmm-test-site-") as folder:
            source, site = pathlib.Path(folder) / "source", pathlib.Path(folder) / "site"
            for name, text in {**self.PAGES, **{name.replace("__", "/") + ".md": text for name, text in changed.items()}}.items():
                if text is not None:
                    (source / name).parent.mkdir(parents=True, exist_ok=True)
                    (source / name).write_text(text, encoding="utf-8")
            said = build(source, site)
            return said.stderr if said.returncode else "".join(f"{page}: {address}\n" for page, address in lost(site))

    def test_is_right_as_it_stands(self):
        self.assertEqual(self.wrong(), "")

    def test_a_link_to_no_page(self):
        self.assertIn("three", self.wrong(docs__one="# One\n\n[three](three.md)\n"))

    def test_a_link_to_no_part(self):
        self.assertIn("no-part", self.wrong(docs__one="# One\n\n[two](two.md#no-part)\n"))
        self.assertIn("no-part", self.wrong(docs__one="# One\n\n[here](#no-part)\n"))

    def test_no_picture(self):
        self.assertIn("none.svg", self.wrong(docs__one="# One\n\n![a picture](none.svg)\n"))

    def test_a_picture_of_the_network(self):
        self.assertIn("https://example.com/a.svg", self.wrong(docs__one="# One\n\n![a picture](https://example.com/a.svg)\n"))

    def test_a_page_in_no_list(self):
        self.assertIn("three", self.wrong(docs__three="# Three\n"))

    def test_no_list(self):
        self.assertIn("To learn", self.wrong(README="# oclmm\n"))


if subprocess.run([sys.executable, BUILD, "--can"], check=False, stderr=subprocess.DEVNULL).returncode == 77:
    print("no Sphinx or no MyST: apt install python3-sphinx python3-myst-parser")
    sys.exit(77)
unittest.main(verbosity=1)
