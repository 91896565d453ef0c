#!/usr/bin/env bash
# Formats all C++ and CUDA by .clang-format (clang-format of Debian 12).
# Usage: scripts/format.sh            changes the files
#        scripts/format.sh --check    changes nothing; names the files that differ and ends with 1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v clang-format >/dev/null || { echo "format: no clang-format; scripts/setup.sh installs it" >&2; exit 1; }
mapfile -t files < <(git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh')
if [ "${1:-}" != --check ]; then
  printf '%s\0' "${files[@]}" | xargs -0 clang-format -i
  exit 0
fi
differ=$(printf '%s\0' "${files[@]}" | { xargs -0 clang-format --dry-run -Werror 2>&1 || true; } |
  sed -n 's/^\([^ :]*\):.* error: .*/\1/p' | sort -u)
[ -z "$differ" ] || { sed 's/.*/format: run scripts\/format.sh: & differs/' <<<"$differ" >&2; exit 1; }
