#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation as a site: pages of HTML that need no server and no network.

usage: build.py SOURCE-FOLDER SITE-FOLDER [PLAYGROUND-PAGE]
       build.py --can

The README is the first page, and its two lists of documents are the order of the
others. Sphinx writes the pages, with MyST for Markdown. What Sphinx warns of is an
error. `--can` only says (0 or 77) whether both are there.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LISTS = {"To learn, in this order:": "Learn", "To work with:": "Work with it"}
LINK = re.compile(r"\[(?P<name>[^\]]*)\]\((?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def interpreter():
    """A Python that has what is needed, or None: a virtual environment may hide that of the system."""
    for python in dict.fromkeys((sys.executable, shutil.which("python3"), "/usr/bin/python3")):
        if python and os.access(python, os.X_OK):
            known = subprocess.run([python, "-c", "import sphinx, myst_parser"], check=False,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if known.returncode == 0:
                return python
    return None


def without_code(text):
    """What a reader takes for prose, with as many letters."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"^```.*?^```", blank, text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", blank, re.sub(r"^(?: {4}|\t).*$", blank, text, flags=re.M))


def order(readme):
    """{caption: pages} by the lists of the README, each page once."""
    found, seen = {}, set()
    for sentence, caption in LISTS.items():
        if sentence not in readme:
            sys.exit(f"README.md has no list after {sentence!r}, which orders the pages of the site")
        part = readme.split(sentence, 1)[1].split("\n\n", 2)[1]
        pages = [match["path"] for match in LINK.finditer(part) if match["path"].endswith(".md")]
        found[caption] = [page for page in dict.fromkeys(pages) if page not in seen]
        seen.update(found[caption])
    return found


def toctree(caption, pages):
    lines = "\n".join(re.sub(r"\.md$", "", page) for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def stage_file(source, path, stage):
    """Copies what a link leads to; a browser shows what ends in .txt, whatever it is."""
    shown = path if path.suffix in (".svg", ".png", ".html", ".json") else path.with_name(path.name + ".txt")
    target = stage / shown
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target)
    return shown.name


def title(page):
    return re.search(r"^# +(.+?) *$", page.read_text(encoding="utf-8"), re.M)[1]


def stage_folder(source, folder, stage):
    """A page that lists the files of a folder that has no page of its own."""
    names = [(path.name, stage_file(source, path.relative_to(source), stage))
             for path in sorted((source / folder).iterdir()) if path.is_file()]
    lines = "\n".join(f"* [{name}]({shown})" for name, shown in names)
    (stage / folder / "README.md").write_text(f"---\norphan: true\n---\n# {folder}\n\n{lines}\n", encoding="utf-8")


def stage_page(source, path, stage, change=lambda text: text):
    """Copies a page. A link that has a page's path for its name gets the page's title. Files that the page links to
    are copied, too."""
    text = (source / path).read_text(encoding="utf-8")
    plain, parts, last = without_code(text), [], 0
    for match in LINK.finditer(plain):
        link = match["path"]
        if re.match(r"[a-z]+:", link):
            continue
        leads = pathlib.Path(os.path.normpath(path.parent / link))
        if (source / leads).is_dir():
            if not (source / leads / "README.md").is_file():
                stage_folder(source, leads, stage)
            leads, link = leads / "README.md", link.rstrip("/") + "/README.md"
        if leads == pathlib.Path("README.md"):
            link = os.path.relpath("index.md", path.parent)
        elif leads.suffix != ".md":
            link = str(pathlib.Path(link).with_name(stage_file(source, leads, stage)))
        name = text[match.start("name"):match.end("name")]
        if leads.suffix == ".md" and name.endswith(".md"):
            name = title(source / leads)
        parts += [text[last:match.start("name")], name, text[match.end("name"):match.start("path")], link]
        last = match.end("path")
    text = "".join(parts) + text[last:]
    # MyST reads what is inside as Markdown where a blank line stands before it, as the documents have it
    target = stage / ("index.md" if path == pathlib.Path("README.md") else path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(change(text), encoding="utf-8")


def stage_all(source, stage, playground):
    readme = (source / "README.md").read_text(encoding="utf-8")
    tests = [path.relative_to(source) for path in sorted((source / "litmus").glob("*/README.md"))]
    trees = "".join(toctree(caption, pages) for caption, pages in order(readme).items())
    trees += toctree("The suite", ["litmus/README.md", *map(str, tests)])
    trees += toctree("The project", ["docs/examples/README.md", "CHANGELOG.md", "SECURITY.md"])
    stage_page(source, pathlib.Path("README.md"), stage, lambda text: text + trees)
    for path in (*sorted((source / "docs").glob("**/*.md")), source / "CONTRIBUTING.md", source / "CHANGELOG.md",
                 source / "SECURITY.md", source / "litmus" / "README.md", *(source / test for test in tests)):
        relative = path.relative_to(source)
        stage_page(source, relative, stage,
                   with_playground if playground and relative.name == "playground.md" else lambda text: text)
    shutil.copy(HERE / "conf.py", stage)
    shutil.copytree(HERE / "static", stage / "_static")


def with_playground(text):
    """The page about the playground begins with the door to it."""
    title, rest = text.split("\n", 1)
    return f'{title}\n\n<p><a class="door" href="../playground.html">Open the playground</a></p>\n{rest}'


def version(source):
    return re.search(r"^  version: '(.*)',$", (source / "meson.build").read_text(encoding="utf-8"), re.M)[1]


def mend(site):
    """Links to files show them, and do not save them; a small screen has the page's own size."""
    for page in site.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        text = text.replace('<a class="reference download internal" download=""', '<a class="reference internal"')
        page.write_text(text.replace("initial-scale=0.9, maximum-scale=0.9", "initial-scale=1"), encoding="utf-8")


def main():
    python = interpreter()
    if not python:
        print("the site needs Sphinx and MyST: apt install python3-sphinx python3-myst-parser", file=sys.stderr)
        sys.exit(77)
    if sys.argv[1:] == ["--can"]:
        return
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    source, site = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    playground = pathlib.Path(sys.argv[3]) if sys.argv[3:] else None
    with tempfile.TemporaryDirectory(prefix="oclmm-site-") as folder:
        stage, made = pathlib.Path(folder) / "stage", pathlib.Path(folder) / "site"
        stage_all(source, stage, playground)
        done = subprocess.run([python, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html", "-d",
                               os.path.join(folder, "doctrees"), "-D", f"release={version(source)}", stage, made],
                              check=False, env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"})
        if done.returncode:
            sys.exit(f"the site is not built: {done.returncode}")
        shutil.rmtree(made / "_sources", ignore_errors=True)
        mend(made)
        if playground:
            shutil.copyfile(playground, made / "playground.html")
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(str(made), str(site))


main()
