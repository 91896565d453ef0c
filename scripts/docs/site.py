"""MkDocs hooks: reference pages generated from the program, and links that leave docs/.

The environment variable BACKLIT names the program.
"""

import pathlib
import re
import sys

from mkdocs.structure.files import File, InclusionLevel

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import reference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"(?P<before>!?\[[^\]]*\]\()(?P<target>[^)#\s]+)(?P<rest>(?:#[^)\s]*)?(?:\s+\"[^\"]*\")?\))")
SNIPPET = re.compile(r'^--8<-- "([^"]+)"$', re.M)
HIDDEN = re.compile(r"<!--\s*(?:run|setup)\b.*?-->\n?", re.S)  # what check_pages.py alone reads
CODE = re.compile(r"^ *```.*?^ *```[^\n]*$|`[^`\n]+`", re.M | re.S)

_carried = {}  # files outside docs/ that pages link to: place in the site -> path


def _place(path):
    """Where a file outside docs/ lies in the site."""
    relative = path.relative_to(ROOT)
    if path.is_dir():
        return f"source/{relative}/index.md"
    if path.suffix == ".md":
        return f"source/{relative}"
    return f"source/{relative}" if path.suffix in (".png", ".svg") else f"source/{relative}.txt"


def _origin(uri):
    """The file in the repository that a page of the site is made of."""
    return ROOT / uri.removeprefix("source/") if uri.startswith("source/") else DOCS / uri


def _pieces(text):
    """(is code, text) piece by piece. Code in a link's label is no code here: only code that looks like a link matters."""
    at = 0
    for code in CODE.finditer(text):
        if "](" in code[0]:
            yield False, text[at:code.start()]
            yield True, code[0]
            at = code.end()
    yield False, text[at:]


def _resolved(origin, target):
    """The file outside docs/ that a link of the file `origin` leads to, or None."""
    if re.match(r"[a-z]+:", target):
        return None
    path = (origin.parent / target).resolve()
    if (path / "README.md").is_file():
        path = path / "README.md"
    return path if path.exists() and ROOT in path.parents and DOCS not in path.parents else None


def _linked(origin, text):
    for is_code, piece in _pieces(text):
        for match in [] if is_code else LINK.finditer(piece):
            if found := _resolved(origin, match["target"]):
                yield found


def _listing(folder):
    files = sorted(p for p in folder.iterdir() if p.is_file())
    return f"# {folder.relative_to(ROOT)}\n\n" + "".join(f"- [{p.name}]({p.name})\n" for p in files)


def on_config(config):
    """The menu's commands are those of the program."""
    for tab in config["nav"]:
        for entry in tab.get("Reference", []):
            if "Commands" in entry:
                del entry["Commands"][1:]
                entry["Commands"] += [{name: f"reference/commands/{name}.md"} for name, _ in reference.commands()]
                if reference.viewer():
                    entry["Commands"].append({"backlit-view": "reference/commands/backlit-view.md"})
    return config


def on_files(files, config):
    made = reference.pages()
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    _carried.clear()
    waiting = [(DOCS / uri, text) for uri, text in made.items()]
    waiting += [(DOCS / f.src_uri, (DOCS / f.src_uri).read_text(encoding="utf-8"))
                for f in files.documentation_pages() if (DOCS / f.src_uri).is_file()]
    while waiting:
        path, text = waiting.pop()
        for found in _linked(path, text):
            place = _place(found)
            if place in _carried:
                continue
            _carried[place] = found
            if found.is_dir() or found.suffix == ".md":
                content = _listing(found) if found.is_dir() else found.read_text(encoding="utf-8")
                waiting.append((found / "index.md" if found.is_dir() else found, content))
                files.append(File.generated(config, place, content=content, inclusion=InclusionLevel.NOT_IN_NAV))
            else:
                files.append(File.generated(config, place, content=found.read_bytes()))
    return files


def _up(uri, place):
    """Link from the page `uri` to `place`, both in the site."""
    return "../" * uri.count("/") + place


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    origin = _origin(uri)

    def included(match):
        return (ROOT / match[1]).read_text(encoding="utf-8").rstrip("\n")

    def moved(match):
        path = (origin.parent / match["target"]).resolve()
        if DOCS in path.parents and uri.startswith("source/"):
            return match["before"] + _up(uri, str(path.relative_to(DOCS))) + match["rest"]
        found = _resolved(origin, match["target"])
        return match["before"] + _up(uri, _place(found)) + match["rest"] if found else match[0]

    text = SNIPPET.sub(included, HIDDEN.sub("", markdown))
    return "".join(piece if is_code else LINK.sub(moved, piece) for is_code, piece in _pieces(text))
