#!/usr/bin/env bash
# Installs the Debian packages Backlit needs and that are missing. Asks for root only when something is.
# Usage: scripts/setup.sh [demo|fuzz|second_driver|tidy]     needs apt only when a package is missing
#        demo: without what only tests and commits need; fuzz, second_driver, tidy: with what that script needs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=(g++ cmake ninja-build pkg-config)
runtime=(libgl1-mesa-dri libegl1 libegl-mesa0)
fonts=(fonts-dejavu-core)  # the viewer falls back to a coarser font without it
tests=(xvfb xauth python3 python3-dev python3-venv clang-format)  # the last for scripts/format.sh
[ "${1:-}" != fuzz ] || tools+=(clang libclang-rt-dev libomp-dev llvm)
[ "${1:-}" != tidy ] || tools+=(clang-tidy)
[ "${1:-}" != second_driver ] || runtime+=(mesa-vulkan-drivers)
optional=(plastimatch dicom3tools dcmtk doxygen)  # for one test each, skipped without it; the pages of public headers
if [ "${1:-}" = demo ]; then
  tests=() optional=()
fi

# The libraries are named once, in the build: backlit_library(NAME module debian-package).
mapfile -t libraries < <(sed -n 's/^ *backlit_[a-z_]*library(.* \([a-z0-9.+-]*\))$/\1/p' cmake/Dependencies.cmake | sort -u)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }

missing_of() {
  local package
  for package in "$@"; do
    installed "$package" || echo "$package"
  done
}

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian; install the equivalents of: ${tools[*]} ${libraries[*]}" >&2
  exit 0
fi

mapfile -t missing < <(missing_of "${tools[@]}" "${libraries[@]}" "${runtime[@]}" "${tests[@]}")
mapfile -t extras < <(missing_of "${optional[@]}" "${fonts[@]}")
if [ ${#missing[@]} -eq 0 ] && [ ${#extras[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    if [ ${#missing[@]} -eq 0 ]; then
      echo "setup: going on without the optional ${extras[*]} (no sudo to install it)"
      exit 0
    fi
    echo "setup: as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

# Hundreds of lines of dpkg are shown only where it fails.
install() {
  local log
  log=$(mktemp)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 ||
    { tail -n 15 "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing with apt, a minute or two: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  install "${missing[@]}"
fi
# An optional package must neither stop anybody nor ask for a password on its own.
if [ ${#extras[@]} -gt 0 ]; then
  if [ ${#as_root[@]} -eq 0 ] || sudo -n true 2>/dev/null; then
    echo "setup: installing the optional ${extras[*]}"
    install "${extras[@]}" 2>/dev/null || echo "setup: going on without ${extras[*]}"
  fi
fi
