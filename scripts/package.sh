#!/usr/bin/env bash
# Makes Debian packages and a tarball that needs nothing but a driver, with checksums, in dist/. Packages hold the
# backends cpu and gl; for CUDA build from source. Installs with apt what is missing: help2man, lintian.
# Usage: scripts/package.sh [BUILD FOLDER]     build/package when none is named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "package: $*"; }

scripts/setup.sh
for tool in help2man lintian dpkg-shlibdeps fakeroot patchelf; do
  command -v "$tool" >/dev/null || missing="${missing:-} ${tool/dpkg-shlibdeps/dpkg-dev}"
done
if [ -n "${missing:-}" ]; then
  step "installing$missing"
  as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
  # shellcheck disable=SC2086  # a list of words
  $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

build=${1:-build/package}
step "building in $build"
cmake -S . -B "$build" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=Release -DBACKLIT_TESTS=OFF -DBACKLIT_CUDA=OFF \
  -DBACKLIT_MPI=OFF -DBACKLIT_UNITY=ON >/dev/null
cmake --build "$build" --parallel "$(nproc)"

step "manuals and completion from the programs' own help"
manuals=$build/manuals
rm -rf "$manuals"
man=$manuals/programs/man/man1
mkdir -p "$man" "$manuals"/viewer/man/man1 "$manuals"/{programs,viewer}/{bash-completion/completions,zsh/vendor-completions}
version=$("$build/backlit" --version | cut -d' ' -f2)
# page FILE PROGRAM [COMMAND]: a man page of what PROGRAM COMMAND --help prints.
page() {
  local file=$1
  shift
  local name="$*"
  PATH=$PWD/$build:$PATH help2man --no-info --section 1 --version-string "$version" --source "Backlit $version" \
    --name "$(PATH=$PWD/$build:$PATH "$@" --help | sed -n '1{s/^\(.*\)$/\1/;s/\.$//;p}')" "$*" -o "$file"
  # man looks for pages by one word: backlit-recon for "backlit recon".
  sed -i -e "/^\.SH NAME/{n;s/^$name /${name// /-} /}" \
    -e "s/^\.TH \"*[A-Z -]*\"* \"1\"/.TH \"$(basename "$file" .1 | tr a-z A-Z)\" \"1\"/" "$file"
  gzip -9nf "$file"
}
page "$man/backlit.1" backlit
for command in $("$build/backlit" --help | sed -n '/^Subcommands:/,$s/^  \([a-z-]*\) .*/\1/p'); do
  page "$man/backlit-$command.1" backlit "$command"
done
page "$manuals/viewer/man/man1/backlit-view.1" backlit-view
for shell in bash-completion/completions/:bash zsh/vendor-completions/_:zsh; do
  "$build/backlit" completion "${shell#*:}" >"$manuals/programs/${shell%:*}backlit"
  "$build/backlit-view" --completion "${shell#*:}" >"$manuals/viewer/${shell%:*}backlit-view"
done
for package in programs:backlit viewer:backlit-viewer library:libbacklit-dev; do
  doc=$manuals/${package%:*}/doc/${package#*:}
  mkdir -p "$doc"
  cp packaging/copyright "$doc/copyright"
  install -D -m 644 packaging/lintian-overrides "$manuals/${package%:*}/lintian/overrides/${package#*:}"
  gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
  printf 'backlit (%s-1) bookworm; urgency=medium\n\n  * What is new: changelog.gz.\n\n -- %s  %s\n' "$version" \
    "The Backlit authors <maintainers@backlit.invalid>" "$(date -R -d "@$(git log -1 --format=%ct 2>/dev/null || date +%s)")" |
    gzip -9nc >"$doc/changelog.Debian.gz"
done

rm -rf dist
step "Debian packages"
(cd "$build" && cpack -G DEB -B "$OLDPWD/dist" >/dev/null)
rm -rf dist/_CPack_Packages

step "tarball"
name=backlit-$version-linux-$(uname -m)
tree=$build/tarball/$name
rm -rf "$tree"
for component in programs data viewer; do
  cmake --install "$build" --component "$component" --prefix "$tree" --strip >/dev/null
done
mkdir -p "$tree/lib"
# These belong to the machine that it runs on: the C and C++ libraries, and what its graphics driver loads as well.
own='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|z|expat|drm|GL|EGL|GLX|GLdispatch|OpenGL|X11|xcb|Xau|Xdmcp))\.so'
for program in "$tree"/bin/*; do
  ldd "$build/$(basename "$program")" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | while read -r library; do
    [[ $(basename "$library") =~ $own ]] || cp -Lu "$library" "$tree/lib/"
  done
  patchelf --set-rpath '$ORIGIN/../lib' "$program"
done
for library in "$tree"/lib/*; do patchelf --set-rpath '$ORIGIN' "$library"; done
tar -C "$build/tarball" --owner=0 --group=0 --sort=name -czf "dist/$name.tar.gz" "$name"

step "lintian"
lintian --allow-root --fail-on error,warning dist/*.deb ||
  { echo "package: mend what lintian found, or explain it in packaging/lintian-overrides" >&2; exit 1; }
(cd dist && sha256sum ./*.deb ./*.tar.gz >SHA256SUMS)
step "done"
ls -lh dist
