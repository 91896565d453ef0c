#!/usr/bin/env bash
# Makes everything that a release consists of, in dist/: Debian packages, the tarball, wheels, what is new for users
# (CHANGES.md, from CHANGELOG.md) and checksums; then installs and runs them in clean roots. Needs root for that.
# Usage: scripts/release.sh [--no-test]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ ${1:-} =~ ^(--no-test)?$ ]] || { echo "release: $1: no such argument; usage: scripts/release.sh [--no-test]" >&2; exit 2; }
[ -z "$(git status --porcelain)" ] || { echo "release: commit first: a release is a commit" >&2; exit 1; }
version=$(sed -n 's/^#define BACKLIT_VERSION_[A-Z]* //p' engine/include/backlit/version.hpp | paste -sd .)
changes=$(awk -v version="$version" '/^## /{on = index($0, "(" version ")") || $2 == version} on' CHANGELOG.md)
[ -n "$changes" ] || { echo "release: CHANGELOG.md has no part for $version: '## ... ($version)'" >&2; exit 1; }

scripts/package.sh
scripts/wheels.sh
printf '# Backlit %s\n\n%s\n' "$version" "$(tail -n +2 <<<"$changes")" >dist/CHANGES.md
(cd dist && find . -type f ! -name SHA256SUMS | sort | xargs sha256sum >SHA256SUMS)
[ "${1:-}" = --no-test ] || scripts/test_packages.sh
echo "release: $version at $(git rev-parse --short HEAD) in dist/; tag it: git tag v$version"
