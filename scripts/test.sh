#!/usr/bin/env bash
# Sets up, builds and runs all tests. Arguments go to ctest.
# Usage: scripts/test.sh                everything
#        scripts/test.sh -L unit        one label: unit, gl, data, app, viewer, cuda
#        scripts/test.sh -R metrics     tests whose name matches
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Without a card no kernel runs: they are compiled to one PTX for all cards, and that is not optimised.
[ -e /proc/driver/nvidia/version ] || export CUDAARCHS=${CUDAARCHS:-75-virtual} CUDAFLAGS=${CUDAFLAGS:--Xcicc -O0}
# A folder that is made here, as in continuous integration, is compiled in half the time.
[ -e build/build.ninja ] || export BACKLIT_UNITY=${BACKLIT_UNITY:-ON}
scripts/build.sh
ctest --test-dir build --output-on-failure -j2 "$@"
