#!/usr/bin/env bash
# The unit tests of the readers and of what they need (core, data, geometry, io, phantom, preprocess; without those that
# reconstruct) under AddressSanitizer and UBSan, in the build of scripts/fuzz.sh (clang).
# Usage: scripts/sanitize.sh [TEST...]      names of cases, as Catch2 takes them; default: all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh fuzz
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz -Wno-dev
cmake --build build/fuzz --target test_readers
export UBSAN_OPTIONS=print_stacktrace=1 OMP_WAIT_POLICY=passive
build/fuzz/tests/fuzz/test_readers "$@"
