#!/usr/bin/env bash
# Kills programs while they write, at many moments, fills disks and so on: tests/app/faults_test at length.
# Usage: scripts/faults.sh [KILLS]      default: 50
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build.sh backlit test_app kill_point
BACKLIT_KILLS=${1:-50} build/tests/test_app "A full disk*,A disk that*,A folder that*,Too little memory*,Killed at*"
