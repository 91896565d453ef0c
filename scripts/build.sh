#!/usr/bin/env bash
# Set-up, configure and build into build/, on all cores. demo.sh and test.sh begin with it.
# Usage: scripts/build.sh [TARGET...]
#        BACKLIT_UNITY=ON scripts/build.sh     in half the time, for a folder in which nobody edits
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release -Wno-dev ${BACKLIT_UNITY:+-DBACKLIT_UNITY="$BACKLIT_UNITY"}
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
cmake --build build --parallel "$(nproc)" "${targets[@]}"
