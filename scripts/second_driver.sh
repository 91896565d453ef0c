#!/usr/bin/env bash
# The table of OpenGL's projectors on a second driver: Mesa's zink, which draws through Vulkan, on its lavapipe.
# Usage: scripts/second_driver.sh [TEST...]      cases of test_gl; default: what each projector's descriptor states
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh second_driver
scripts/build.sh test_gl backlit
export LIBGL_ALWAYS_SOFTWARE=1 MESA_LOADER_DRIVER_OVERRIDE=zink OMP_WAIT_POLICY=passive
device=$(build/backlit doctor 2>&1 | grep -io 'zink.*' | head -1 || true)
[ -n "$device" ] || { echo "second_driver: OpenGL does not run on zink here; see build/backlit doctor" >&2; exit 1; }
echo "on $device"
[ $# -gt 0 ] || set -- "Every projector of OpenGL is what its descriptor states"
exec build/tests/test_gl -d yes "$@"
