#!/usr/bin/env bash
# Simulates a cone-beam scan of the FORBILD head, reconstructs it with OpenGL shaders and shows it beside the truth.
# Everything it makes is in demo-output/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "== $* ($((SECONDS)) s)"; }

step "1 of 3: libraries"
scripts/setup.sh demo
step "2 of 3: building what the demo needs in build/demo"
cmake --preset demo -Wno-dev >/dev/null
cmake --build build/demo --parallel "$(nproc)" --target backlit
step "3 of 3: backlit demo"
build/demo/backlit demo --backend gl -o demo-output
step "done"
