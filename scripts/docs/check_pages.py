#!/usr/bin/env python3
"""Runs the commands of documentation pages, in order, each page in an empty folder of its own.

check_pages.py --programs BUILD [--assets ASSETS] [--python PYTHON] PAGE...

A fenced block of a page is
  sh                     run by bash; it must succeed
  toml title="NAME"      written to the file NAME (any language with a title)
  python                 run by PYTHON, all blocks of a page as one script where the page ends; skipped without PYTHON
Everything else is for reading. Comments in front of a block change what is run:
  <!-- run: no, WHY -->         not run
  <!-- run: s/OLD/NEW/ -->      NEW in the place of OLD, which the block must contain: smaller sizes
  <!-- setup                    commands that are run and not shown
  ... -->
Files that a page links to and that lie beside it are copied into its folder first.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PART = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```\s*$|<!--\s*(?P<verb>run|setup)\b:?(?P<note>.*?)-->",
    re.M | re.S)


class Wrong(Exception):
    pass


def steps(page):
    """(kind, text, line) of what a page asks for: kind is sh, python, or file:NAME."""
    text = page.read_text(encoding="utf-8")
    note = None
    for part in PART.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if part["verb"] == "setup":
            yield "sh", part["note"], line
            continue
        if part["verb"] == "run":
            note = part["note"].strip()
            continue
        language = (part["info"].split() or [""])[0]
        title = re.search(r'title="([^"]+)"', part["info"])
        block = re.sub(rf"^{part['indent']}", "", part["text"], flags=re.M)
        asked, note = note, None
        if asked is not None and not asked.startswith("no"):
            for change in re.findall(r"s/((?:[^/\\]|\\.)*)/((?:[^/\\]|\\.)*)/", asked):
                old, new = (c.replace("\\/", "/") for c in change)
                if old not in block:
                    raise Wrong(f"{page}:{line}: the block does not contain '{old}'")
                block = block.replace(old, new)
        elif asked is not None:
            continue
        if title:
            yield f"file:{title[1]}", block, line
        elif language in ("sh", "python"):
            yield language, block, line


def run(command, text, folder, environment, where):
    done = subprocess.run(command, input=text, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=280)
    if done.returncode:
        raise Wrong(f"{where}: exit {done.returncode}\n{text}\n{done.stdout[-4000:]}")


def check(page, programs, assets, python):
    environment = dict(os.environ, BACKLIT_ASSETS=str(assets), OMP_WAIT_POLICY="passive",
                       PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    script, skipped, ran = [], False, 0
    with tempfile.TemporaryDirectory(prefix="backlit-page-") as name:
        folder = pathlib.Path(name)
        for link in re.findall(r"\]\(([\w.-]+)\)", page.read_text(encoding="utf-8")):
            if (page.parent / link).is_file() and not link.endswith(".md"):
                shutil.copy(page.parent / link, folder)
        for kind, text, line in steps(page):
            ran += 1
            if kind == "sh":
                run(["bash", "-euo", "pipefail", "-s"], text, folder, environment, f"{page}:{line}")
            elif kind == "python":
                script.append(text)
            else:
                file = folder / kind.removeprefix("file:")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        if script and python:
            run([python, "-"], "\n".join(script), folder, environment, f"{page} (Python)")
        elif script:
            skipped = True
    if not ran and "```sh" not in page.read_text(encoding="utf-8"):
        raise Wrong(f"{page}: no commands on this page")
    print(f"{page}: {ran} steps ran" + ("; SKIPPED: Python's blocks, no wheel is installed" if skipped else ""))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--programs", type=pathlib.Path, required=True)
    arguments.add_argument("--assets", type=pathlib.Path)
    arguments.add_argument("--python")
    arguments.add_argument("pages", nargs="+", type=pathlib.Path)
    options = arguments.parse_args()
    programs = options.programs.resolve()
    root = pathlib.Path(__file__).resolve().parents[2]
    python = options.python or programs / "python/venv/bin/python"
    usable = subprocess.run([python, "-c", "import backlit"], capture_output=True).returncode == 0 \
        if shutil.which(str(python)) else False
    try:
        for page in options.pages:
            check(page.resolve(), programs, options.assets or root / "assets", str(python) if usable else None)
    except (Wrong, subprocess.TimeoutExpired) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
