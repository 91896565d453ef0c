#!/usr/bin/env python3
"""Looks for links that lead nowhere.

check_links.py ROOT          the repository's Markdown: files and headings that links name
check_links.py --site SITE   a site's HTML: pages, files and anchors; links to other hosts are not followed
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse

CODE = re.compile(r"^ *```.*?^ *```[^\n]*$|`[^`\n]+`|<!--.*?-->", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")


def anchors(path):
    """Anchors of a Markdown page's headings, as GitHub and MkDocs make them."""
    found, text = {}, re.sub(r"^ *```.*?^ *```[^\n]*$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ +(.*?)\s*$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower(), flags=re.A).replace(" ", "-")
        count = found[name] = found.get(name, -1) + 1
        if count:
            found[f"{name}-{count}"] = 0
        found.setdefault(re.sub("-+", "-", name).strip("-"), 0)  # MkDocs' form
    return found


def generated(root, path):
    """Whether scripts/docs/reference.py makes this page."""
    place = path.relative_to(root).as_posix() if root in path.parents else ""
    return place.startswith("docs/reference/commands") or place in {
        f"docs/reference/{name}.md" for name in ("parameters", "json", "headers", "python")}


def markdown(root):
    tracked = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True)
    names = tracked.stdout.split("\n") if tracked.returncode == 0 else [
        str(p.relative_to(root)) for p in root.rglob("*.md") if p.relative_to(root).parts[0] not in ("build", "dist")]
    for name in filter(None, names):
        page = root / name
        if not page.is_file():
            continue
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            path = (page.parent / urllib.parse.unquote(file)).resolve() if file else page
            if generated(root, path):
                continue
            if not path.exists():
                yield f"{name}: {target}: no such file"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                yield f"{name}: {target}: no such heading"


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids |= {values[k] for k in ("id", "name") if values.get(k)}
        self.links += [values[k] for k in ("href", "src") if values.get(k)]


def site(root):
    pages = {path: Page(path) for path in root.rglob("*.html")}
    for path, page in pages.items():
        if path.name == "404.html" or root / "cpp" in path.parents:  # absolute links; Doxygen's own
            continue
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or link.startswith("/"):
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                yield f"{path.relative_to(root)}: {link}: no such file"
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids \
                    and not url.fragment.startswith("__"):
                yield f"{path.relative_to(root)}: {link}: no such place"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--site":
        wrong = sorted(set(site(pathlib.Path(sys.argv[2]).resolve())))
    elif len(sys.argv) == 2:
        wrong = sorted(set(markdown(pathlib.Path(sys.argv[1]).resolve())))
    else:
        sys.exit(__doc__)
    print("\n".join(wrong) if wrong else "links: all lead somewhere")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
