#!/usr/bin/env bash
# Looks for faults with clang-tidy (.clang-tidy) in C++ files that changed: against BASE, which is the branch origin/main,
# or 15 commits back where that is this commit. At most 16 files, for they take 10 seconds each; CUDA is left out.
# Usage: scripts/tidy.sh [BUILD [FILE...]]      after a build; build/, changed files
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v clang-tidy >/dev/null || { echo "tidy: install clang-tidy" >&2; exit 1; }
build=${1:-build}
[ -e "$build/build.ninja" ] || { echo "tidy: $build has no build; run scripts/build.sh" >&2; exit 1; }
shift || true
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
  base=${BASE:-$(git merge-base HEAD origin/main 2>/dev/null || true)}
  [ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-list -n 16 HEAD | tail -n 1)
  mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp' ':!tests' | head -n 16)
fi
[ ${#files[@]} -gt 0 ] || { echo "tidy: no C++ file has changed"; exit 0; }
exec python3 scripts/tidy.py "$build" "${files[@]}"
