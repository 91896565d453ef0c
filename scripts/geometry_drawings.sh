#!/usr/bin/env bash
# Draws docs/images/geometry/*.svg, the pictures of docs/geometry.md, with the engine itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build.sh geometry_drawings
build/app/geometry_drawings docs/images/geometry
