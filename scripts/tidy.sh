#!/usr/bin/env bash
# Looks for faults with clang-tidy (.clang-tidy) in lines of C++ that changed since BASE: where the branch left origin/main,
# or 15 commits back where it did not. At most 12 files, for they take 15 seconds each; CUDA and tests are left out.
# Usage: scripts/tidy.sh [FILE...]      FILE: all of its lines
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v clang-tidy >/dev/null || { echo "tidy: no clang-tidy; scripts/setup.sh tidy installs it" >&2; exit 1; }
# Configured, not built: the commands of single files, which a build with BACKLIT_UNITY does not have.
build=build/tidy
cmake --preset release -B "$build" -Wno-dev >/dev/null
[ $# -eq 0 ] || exec python3 scripts/tidy.py "$build" "$@"
base=${BASE:-$(git merge-base HEAD origin/main 2>/dev/null || true)}
[ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-list -n 16 HEAD | tail -n 1)
mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp' ':!tests')
[ ${#files[@]} -gt 0 ] || { echo "tidy: no C++ file has changed"; exit 0; }
[ ${#files[@]} -le 12 ] || { echo "tidy: 12 of ${#files[@]} changed files are looked at"; files=("${files[@]:0:12}"); }
exec python3 scripts/tidy.py "$build" --since "$base" "${files[@]}"
