#!/usr/bin/env bash
# Builds the documentation as a site in build/site, with the reference pages that the programs print, and checks all links.
# Usage: scripts/docs.sh [PROGRAM]           PROGRAM: build/backlit
#        scripts/docs.sh --serve [PROGRAM]   and shows it at http://127.0.0.1:8000
# Without network and without MkDocs it says SKIPPED and leaves nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

serve=
[ "${1:-}" != --serve ] || { serve=yes; shift; }
BACKLIT=$(realpath "${1:-build/backlit}")
[ -x "$BACKLIT" ] || { echo "docs: $BACKLIT: no such program; build it first: scripts/build.sh backlit" >&2; exit 2; }
export BACKLIT BACKLIT_ASSETS=$PWD/assets OMP_WAIT_POLICY=passive NO_MKDOCS_2_WARNING=1

build=${BACKLIT_BUILD:-build}
venv=$build/docs-venv
if [ ! -x "$venv/bin/mkdocs" ]; then
  python3 -m venv "$venv"
  if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r scripts/docs/requirements.txt; then
    echo "SKIPPED: pip cannot install mkdocs-material (scripts/docs/requirements.txt)"
    rm -rf "$venv"
    exit 0
  fi
fi

if [ -n "$serve" ]; then
  exec "$venv/bin/mkdocs" serve
fi
site=$(realpath "$build")/site
command -v doxygen >/dev/null && export BACKLIT_DOXYGEN=yes || echo "docs: no Doxygen (Debian: doxygen): C++ has a table of headers alone"
"$venv/bin/mkdocs" build --strict --quiet --site-dir "$site"
[ -z "${BACKLIT_DOXYGEN:-}" ] || DOXYGEN_OUTPUT=$site doxygen scripts/docs/Doxyfile >/dev/null 2>"$build/doxygen.log"
python3 scripts/docs/check_links.py --site "$site"
echo "docs: $site/index.html"
