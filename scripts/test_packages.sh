#!/usr/bin/env bash
# Installs what scripts/package.sh and scripts/wheels.sh left in dist/ into clean Debian roots and runs it there: the .deb files
# by apt, and by the Dockerfile's commands (docker is not needed), a program that is compiled with libbacklit-dev, the
# tarball beside nothing but a graphics driver, the wheel beside Debian's Python. Needs root; installs debootstrap where it is missing.
# Usage: scripts/test_packages.sh [FOLDER]     where the roots are made (1.5 GB); a temporary one when none is named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "test_packages: $*"; }

[ "$(id -u)" -eq 0 ] || { echo "test_packages: run it as root: it makes clean roots with debootstrap" >&2; exit 1; }
has() { compgen -G "dist/$1" >/dev/null; }
has '*.deb' || has '*.whl' ||
  { echo "test_packages: nothing in dist/; run scripts/package.sh or scripts/wheels.sh first" >&2; exit 1; }
command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null

work=${1:-$(mktemp -d)}
mkdir -p "$work"
[ $# -gt 0 ] || trap 'rm -rf "$work"' EXIT
base=$work/base
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)

# in ROOT COMMAND...: runs there, with nothing of this environment but how packages are fetched.
in_root() {
  local root=$1
  shift
  # A mount namespace of its own: /proc is gone when the command ends.
  unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec "$@"' "$root" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" chroot "$root" "$@"
}

if [ ! -x "$base/usr/bin/apt-get" ]; then
  step "a clean Debian 12 in $base"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$base" "$mirror" >"$work/debootstrap.log" 2>&1 ||
    { tail -n 5 "$work/debootstrap.log" >&2; exit 1; }
  rm -rf "$base/etc/apt"
  cp -a /etc/apt "$base/etc/apt"
  cp -aL /etc/ssl/certs/. "$base/etc/ssl/certs/" 2>/dev/null || true
  cp -a /usr/local/share/ca-certificates/. "$base/usr/local/share/ca-certificates/" 2>/dev/null || true
  cp -L /etc/resolv.conf "$base/etc/resolv.conf" 2>/dev/null || true
  cp -L /etc/hosts "$base/etc/hosts" 2>/dev/null || true
  in_root "$base" apt-get update -qq
fi
mkdir -p "$base/proc"

# fresh NAME: a copy of the clean root that shares nothing with it.
fresh() {
  local root=$work/$1
  rm -rf --one-file-system "$root"
  cp -a "$base" "$root"
  mkdir -p "$root/dist"
  cp dist/* "$root/dist/"
  echo "$root"
}

check() { grep -q "$2" "$1" || { echo "test_packages: $1 lacks '$2':" >&2; cat "$1" >&2; exit 1; }; }

try_deb() {
  root=$(fresh deb)
  step "the Debian packages in $root"
  in_root "$root" sh -c 'apt-get install -y -qq --no-install-recommends /dist/backlit_*.deb /dist/backlit-viewer_*.deb libgl1-mesa-dri libegl-mesa0' >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log" >&2; exit 1; }
  in_root "$root" backlit doctor /tmp >"$work/doctor.txt"
  cat "$work/doctor.txt"
  if grep -q '^problem' "$work/doctor.txt"; then echo "test_packages: doctor finds a problem" >&2; exit 1; fi
  check "$work/doctor.txt" "llvmpipe"
  in_root "$root" backlit demo -o /tmp/demo >"$work/demo.txt"
  check "$work/demo.txt" "Done in"
  tail -n 3 "$work/demo.txt"
  in_root "$root" backlit-view --help >/dev/null
  test -s "$root/usr/share/man/man1/backlit-recon.1.gz"
  for program in backlit backlit-view; do
    in_root "$root" bash -c ". /usr/share/bash-completion/completions/$program && complete -p $program" >/dev/null
    test -s "$root/usr/share/zsh/vendor-completions/_$program"
  done
}

# What find_package(Backlit) needs must come with the package: of the rest the root has a compiler and CMake alone.
try_library() {
  root=$(fresh library)
  step "libbacklit-dev in $root"
  in_root "$root" sh -c 'apt-get install -y -qq --no-install-recommends /dist/backlit_*.deb /dist/libbacklit-dev_*.deb g++ cmake make libgl1-mesa-dri libegl-mesa0' >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log" >&2; exit 1; }
  cp -r examples/consumer "$root/tmp/"
  in_root "$root" sh -c 'cd /tmp && cmake -S consumer -B build && cmake --build build' >"$work/library.log" 2>&1 ||
    { tail -n 20 "$work/library.log" >&2; exit 1; }
  for backend in cpu gl; do in_root "$root" sh -c "cd /tmp && build/consumer $backend.mha $backend"; done
  in_root "$root" sh -c 'cd /tmp && backlit simulate water-cylinder --scan /usr/share/backlit/scans/fan.scan.toml -o fan.npy --quiet && build/iterative fan.scan.toml sirt.mha' >"$work/iterative.txt"
  check "$work/iterative.txt" "residual 0"
  test -s "$root/tmp/cpu.mha" -a -s "$root/tmp/gl.mha" -a -s "$root/tmp/sirt.mha"
}

try_docker() {
  root=$(fresh docker)
  step "the commands of packaging/Dockerfile in $root"
  cp dist/backlit_*.deb "$root/tmp/"
  run=$(sed -n '/^RUN /,/[^\\]$/{s/^RUN //;s/\\$//;p}' packaging/Dockerfile | tr '\n' ' ')
  in_root "$root" sh -c "$run" >"$work/docker.log" 2>&1 || { tail -n 5 "$work/docker.log" >&2; exit 1; }
  entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]/\1/p' packaging/Dockerfile)
  in_root "$root" sh -c "cd /tmp && $entry simulate water-cylinder --scan /usr/share/backlit/scans/fan.scan.toml -o scan.npy --quiet && $entry recon scan.scan.toml -o water.mha --quiet"
  test -s "$root/tmp/water.mha"
}

try_tarball() {
  root=$(fresh tarball)
  step "the tarball in $root"
  in_root "$root" sh -c 'apt-get install -y -qq --no-install-recommends libegl1 libgl1 libopengl0 libgl1-mesa-dri libegl-mesa0' >"$work/apt.log" 2>&1
  in_root "$root" sh -c 'cd /opt && tar xzf /dist/backlit-*.tar.gz && mv backlit-* backlit'
  in_root "$root" /opt/backlit/bin/backlit simulate water-cylinder --scan /opt/backlit/share/backlit/scans/fan.scan.toml -o /tmp/scan.npy --quiet
  in_root "$root" /opt/backlit/bin/backlit recon /tmp/scan.scan.toml -o /tmp/water.mha --backend cpu --quiet
  test -s "$root/tmp/water.mha"
  in_root "$root" /opt/backlit/bin/backlit-view --help >/dev/null
}

try_wheel() {
  wheel=$(ls dist/*-cp311-*.whl)
  root=$(fresh wheel)
  step "the wheel in $root"
  in_root "$root" sh -c 'apt-get install -y -qq --no-install-recommends python3-venv libegl1 libgl1 libopengl0 libglib2.0-0' >"$work/apt.log" 2>&1
  cp examples/python/first_reconstruction.py "$root/tmp/"
  [ ! -e /etc/pip.conf ] || cp -L /etc/pip.conf "$root/etc/"
  in_root "$root" sh -c "cd /tmp && python3 -m venv venv && venv/bin/pip install -q /$wheel && venv/bin/python first_reconstruction.py --size 32"
  test -s "$root/tmp/head.png"
}

tried=()
if has 'backlit_*.deb'; then
  try_deb
  try_docker
  tried+=("the packages, the Dockerfile's commands")
fi
if has 'libbacklit-dev_*.deb'; then
  try_library
  tried+=("a program with libbacklit-dev")
fi
if has 'backlit-*.tar.gz'; then
  try_tarball
  tried+=("the tarball")
fi
if has '*-cp311-*.whl'; then
  try_wheel
  tried+=("the wheel for Python 3.11")
fi
[ ${#tried[@]} -gt 0 ] || { echo "test_packages: dist/ has no wheel for Debian's Python 3.11" >&2; exit 1; }
step "run: $(printf '%s; ' "${tried[@]}" | sed 's/; $//')"
