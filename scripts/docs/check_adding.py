#!/usr/bin/env python3
"""Counts the files that the pages of docs/adding name, so that they cannot drift from the code.

check_adding.py SOURCE

Each table of these pages takes a part of the tree as its example, and a comment in front of it says how to find that part:
  <!-- counted: PATTERN -->    a regular expression for paths and lines of the code below
The files that match are those of the table, and no others. The table's second column says what each is: "new", or the
number of its lines that name the part: "1 line". Rows "docs" and "test" are not counted: the file has to be there.
The words "**N new files and M lines**" (or "**1 new file and 1 line**") before the table must be true.
"""
import pathlib
import re
import sys

CODE = ("engine", "cuda", "shaders", "app/cli", "app/viewer", "python/src", "python/backlit")
SECTION = re.compile(r"<!-- counted: (?P<pattern>.*?) -->\n(?P<body>.*?)(?=<!-- counted|\Z)", re.S)
ROW = re.compile(r"^\| `(?P<file>[^`]+)` \| (?P<kind>new|docs|test|\d+ lines?) \|", re.M)
CLAIM = re.compile(r"\*\*(\d+) new files?(?: and (\d+) lines?)?\*\*")


def matches(root, pattern):
    """{file: number of its lines that match}; all lines of a file whose path matches count as one."""
    found = {}
    for folder in CODE:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".cu", ".cuh", ".glsl", ".comp", ".frag", ".vert", ".py", ".md"):
                continue
            name = str(file.relative_to(root))
            lines = [line for line in file.read_text(encoding="utf-8").splitlines() if pattern.search(line)]
            if pattern.search("/" + name):
                found[name] = 1
            elif lines and not name.startswith("app/cli/study/"):  # comparisons, which nothing needs
                found[name] = len(lines)
    return found


def faults_of(root, page):
    text = page.read_text(encoding="utf-8")
    sections = list(SECTION.finditer(text))
    if not sections:
        yield "counts nothing: it needs <!-- counted: PATTERN -->"
    for section in sections:
        rows = {row["file"]: row["kind"] for row in ROW.finditer(section["body"])}
        listed = {file: kind for file, kind in rows.items() if kind not in ("docs", "test")}
        found = matches(root, re.compile(section["pattern"]))
        for file in sorted(set(rows) - set(found)):
            if file in listed or not (root / file).is_file():
                yield f"lists {file}, which does not name the part"
        for file in sorted(set(found) - set(listed)):
            yield f"lacks {file}, which names the part ({found[file]} lines)"
        for file, kind in listed.items():
            if kind != "new" and int(kind.split()[0]) != found.get(file):
                yield f"{file}: {found.get(file)} lines name the part, not {kind}"
        new = sum(kind == "new" for kind in listed.values())
        lines = sum(int(kind.split()[0]) for kind in listed.values() if kind != "new")
        claims = CLAIM.findall(section["body"])
        if claims != [(str(new), str(lines) if lines else "")]:
            yield f"the table has {new} new files and {lines} lines; the text says {claims}"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted((root / "docs/adding").glob("*.md"))
    faults = [f"docs/adding/{page.name} {fault}" for page in pages for fault in faults_of(root, page)]
    if len(pages) < 5:
        faults.append(f"docs/adding has {len(pages)} pages, not five or more")
    print("\n".join(faults) or f"{len(pages)} pages of docs/adding name the files of the tree")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
