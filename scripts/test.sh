#!/usr/bin/env bash
# Sets up, builds and runs all tests. Arguments go to ctest.
# Usage: scripts/test.sh                everything
#        scripts/test.sh -L unit        one label: unit, gl, data, app, viewer, cuda
#        scripts/test.sh -R metrics     tests whose name matches
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build.sh
ctest --test-dir build --output-on-failure -j2 "$@"
