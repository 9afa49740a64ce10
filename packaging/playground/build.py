#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the playground: the oracle for a browser, and the one page that has all of it.

usage: build.py SOURCE-FOLDER BUILD-FOLDER PAGE ENGINE

BUILD-FOLDER is for the cross build. PAGE is what people open; ENGINE is the
program alone, for tests in Node.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, BUILD, PAGE, ENGINE = (pathlib.Path(path).resolve() for path in sys.argv[1:5])
HERE = pathlib.Path(__file__).resolve().parent
MOST_BYTES = 3 << 20


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def header_folder():
    """xxHash is used as a header, which a compiler for another machine does not find by itself."""
    folder = BUILD / "headers"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(pathlib.Path(run("pkg-config", "--variable=includedir", "libxxhash").strip()) / "xxhash.h", folder)
    return folder


def environment():
    """Where Debian keeps the modules that Emscripten's scripts load, whichever Node runs them."""
    known = os.environ.get("NODE_PATH")
    return {**os.environ, "NODE_PATH": known or "/usr/share/nodejs"}


def build_engine():
    wasm = BUILD / "wasm"
    if not (wasm / "build.ninja").exists():
        # Meson takes Emscripten's version for clang's, which would not know C17 yet.
        run("meson", "setup", wasm, SOURCE, "--cross-file", SOURCE / "packaging" / "emscripten.ini",
            "-Dbuildtype=release", "-Dtests=false", "-Dc_std=gnu11",
            f"-Dc_args=-std=gnu17 -isystem{HERE / 'browser'} -isystem{header_folder()}", env=environment())
    run("ninja", "-C", wasm, env=environment())
    return (wasm / "packaging" / "playground" / "playground.js").read_text(encoding="utf-8")


def suite():
    folder = SOURCE / "litmus"
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(folder.glob("*/*.litmus"))}


def embedded(text):
    """A text as a string of a script: nothing in it can end the element."""
    return json.dumps(text, ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")


def part(name):
    return (HERE / name).read_text(encoding="utf-8")


def page(engine):
    parts = {
        "STYLE": part("page.css"),
        "ENGINE": embedded(engine),
        "WORKER": embedded(part("worker.js")),
        "START": embedded(part("start.litmus")),
        "SUITE": embedded(json.dumps(suite(), ensure_ascii=False)),
        "WORDS": embedded(run(sys.executable, SOURCE / "packaging" / "editor" / "words.py", "json", SOURCE)),
        "HISTOGRAMS": embedded(part("histograms.json")),
        "SCRIPT": part("page.js"),
    }
    return re.sub(r"@@([A-Z]+)@@", lambda match: parts[match[1]], part("page.html"))


def main():
    engine = build_engine()
    text = page(engine)
    if len(text.encode()) > MOST_BYTES:
        sys.exit(f"the page has {len(text.encode())} bytes, more than {MOST_BYTES}")
    ENGINE.write_text(engine, encoding="utf-8")
    PAGE.write_text(text, encoding="utf-8")


main()
