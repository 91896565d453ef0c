#!/usr/bin/env bash
# The tests of the viewer's worker, of streams and of the server for browsers, under ThreadSanitizer, in build/threads.
# What libraries do that were not built for it is left out: tests/threads/suppressions.txt.
# Usage: scripts/threads.sh [TEST...]      names of cases, as Catch2 takes them; default: all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
[ -f build/threads/build.ninja ] || cmake --preset threads -Wno-dev
cmake --build build/threads --target test_threads
# One thread for OpenMP, whose barriers ThreadSanitizer does not see.
export OMP_NUM_THREADS=1 TSAN_OPTIONS="suppressions=$PWD/tests/threads/suppressions.txt second_deadlock_stack=1 die_after_fork=0"
export BACKLIT_ASSETS=$PWD/assets
build/threads/tests/threads/test_threads "$@"
