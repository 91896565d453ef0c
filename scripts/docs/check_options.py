#!/usr/bin/env python3
"""Compares the options on documentation pages with those that the programs have.

check_options.py --programs BUILD [--assets ASSETS] [ROOT]

Fails if a page shows `backlit COMMAND --option` and the command has no such option, if a page names `--option` alone and no
command has it, or if no page names an option that a command has. Options of other programs in a code block are left out: only
lines that run backlit or backlit-view count.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
FENCE = re.compile(r"^ *```[^\n]*\n(.*?)^ *```\s*$", re.M | re.S)
OTHERS = {"--bind-to", "--gpus"}  # of mpirun and docker
SPAN = re.compile(r"``(.+?)``|`([^`\n]+)`")
RUN = re.compile(r"(?:^|[\s/;&|(])(backlit(?:-view)?)\b(?!\.)(.*)")


class Programs:
    """Options of every command, as its help states them."""

    def __init__(self, folder, assets):
        self.folder, self.environment = folder, dict(os.environ, BACKLIT_ASSETS=str(assets), OMP_WAIT_POLICY="passive")
        self.of = {"": self.help("backlit", "--help")}
        listed = re.findall(r"^  ([a-z][\w-]*) +\S", self.text("backlit", "--help").split("Subcommands:")[1], re.M)
        for command in listed:
            self.of[command] = self.help("backlit", command, "--help")
        text = self.text("backlit", "recon", "--help")
        self.of["recon"] |= self.help("backlit", "recon", "--help-all")
        for method in re.findall(r"^  ([a-z]\w*) +\S", text.split("Methods (")[1], re.M):
            self.of["recon"] |= self.help("backlit", "recon", "--help", method)
        for part in ("diff", "report"):
            if "study" in self.of:
                self.of["study"] |= self.help("backlit", "study", part, "--help")
        if (folder / "backlit-view").is_file():
            self.of["backlit-view"] = self.help("backlit-view", "--help")
        self.of["scripts"] = {o for path in assets.parent.glob("scripts/**/*.*") if path.suffix in (".sh", ".py")
                              for o in OPTION.findall(path.read_text(encoding="utf-8"))}

    def text(self, program, *arguments):
        done = subprocess.run([self.folder / program, *arguments], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{program} {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def help(self, *arguments):
        return set(OPTION.findall(self.text(*arguments)))

    def any(self):
        return set().union(OTHERS, *self.of.values())


def runs(code):
    """(command, options) of every line that runs one of the programs; command is None if it is not named."""
    for line in re.sub(r"\\\n", " ", code).splitlines():
        line = re.sub(r"\s#.*", "", line)
        for part in re.split(r"&&|;|\|", line):
            if not (found := RUN.search(part)):
                continue
            words = found[2].split()
            command = "backlit-view" if found[1] == "backlit-view" else next(iter(words), "")
            yield command, OPTION.findall(found[2])


def wrong_options(name, text, programs):
    plain = FENCE.sub("", text)
    codes = FENCE.findall(text) + [a or b for a, b in SPAN.findall(plain)]
    for code in codes:
        for command, options in runs(code):
            known = programs.of.get(command, programs.any())
            yield from (f"{name}: backlit {command} has no {o}" for o in options if o not in known | {"--help", "--help-all"})
    for a, b in SPAN.findall(plain):
        code = a or b
        if code.startswith("--"):
            yield from (f"{name}: no command has {o}" for o in OPTION.findall(code) if o not in programs.any())


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--programs", type=pathlib.Path, required=True)
    arguments.add_argument("--assets", type=pathlib.Path)
    arguments.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).resolve().parents[2])
    options = arguments.parse_args()
    programs = Programs(options.programs.resolve(), (options.assets or options.root / "assets").resolve())
    wrong, named = [], set()
    for page in sorted((options.root / "docs").rglob("*.md")) + [options.root / "README.md"]:
        text = page.read_text(encoding="utf-8")
        wrong += wrong_options(page.relative_to(options.root), text, programs)
        if "notebook" not in page.parts:
            named |= set(OPTION.findall(text))
    named |= {"--help", "--help-all", "--output"}  # -o on all pages
    for command, known in sorted(programs.of.items()):
        if command != "scripts":
            wrong += [f"no page names {o} of backlit {command}" for o in sorted(known - named)]
    print("\n".join(wrong) if wrong else "options: all exist, and all are on a page")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
