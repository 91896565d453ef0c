#!/usr/bin/env bash
# Builds the Python wheel on the engine that a build folder holds, installs it into a virtual environment of its own and
# runs tests/python there, in another folder. CTest runs it as "python: ...".
# Usage: scripts/test_python.sh [BUILD [PYTEST ARGUMENTS...]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "${1:-$root/build}")
[ $# -eq 0 ] || shift
work=$build/python
python=${PYTHON:-python3}
mkdir -p "$work"

venv=$work/venv
if [ ! -x "$venv/bin/python" ]; then
  # Debian's torch (python3-torch), where somebody has installed it, is tested with.
  system=()
  ! "$python" -c "import torch" 2>/dev/null || system=(--system-site-packages)
  "$python" -m venv "${system[@]}" "$venv"
fi
packages=(scikit-build-core nanobind numpy scipy pytest)
if ! "$venv/bin/python" -c "import scikit_build_core, nanobind, numpy, scipy, pytest" 2>/dev/null &&
  ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"; then
  echo "SKIPPED: pip cannot install ${packages[*]}"
  exit 0
fi

# Other toolkits, standards and checkers that some tests need; these are skipped without them.
"$venv/bin/python" -c "import odl, array_api_strict, mypy, six, setuptools" 2>/dev/null ||
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check odl array-api-strict mypy six setuptools || true

# ASTRA's samples are GPL and not in this repository. Its last source package on PyPI has them: these bytes and no others.
# pip asks a package's build system for its name; a stand-in answers, so that nothing of the package is run.
samples=$work/astra
if [ ! -e "$samples/s007_3d_reconstruction.py" ]; then
  rm -rf "$samples"
  mkdir -p "$samples/stand_in/setuptools"
  touch "$samples/stand_in/setuptools/__init__.py"
  cat >"$samples/stand_in/setuptools/build_meta.py" <<'END'
import os, types

def name(folder, config_settings=None):
    os.makedirs(os.path.join(folder, "astra_toolbox-1.8b5.dist-info"))
    with open(os.path.join(folder, "astra_toolbox-1.8b5.dist-info", "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: astra-toolbox\nVersion: 1.8b5\n")
    return "astra_toolbox-1.8b5.dist-info"

__legacy__ = types.SimpleNamespace(prepare_metadata_for_build_wheel=name)
END
  echo "astra-toolbox==1.8b5 --hash=sha256:6d7d6d400040004df5019e8cf072c9d8f8969339ae7c2efa54192478222939e2" \
    >"$samples/requirements.txt"
  { PYTHONPATH=$samples/stand_in "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --use-pep517 --no-binary astra-toolbox -d "$samples" -r "$samples/requirements.txt" &&
    tar -xzf "$samples"/astra-toolbox-*.tar.gz -C "$samples" --strip-components=4 --wildcards '*/samples/python/s*.py'; } \
    >"$samples/log" 2>&1 || echo "ASTRA's samples cannot be fetched ($samples/log says why); their test is skipped"
fi
[ -n "${BACKLIT_ASTRA_SAMPLES:-}" ] || [ ! -e "$samples/s007_3d_reconstruction.py" ] || export BACKLIT_ASTRA_SAMPLES=$samples

for component in library data; do
  cmake --install "$build" --component "$component" --prefix "$work/prefix" >/dev/null
done
rm -rf "$work/wheel"
# The extension hands arrays over and computes nothing: it is compiled quickly, its files together.
(cd "$root" && "$venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps . \
  -w "$work/wheel" --config-settings=build-dir="$work/extension" --config-settings=cmake.define.BACKLIT_PREFIX="$work/prefix" \
  --config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" --config-settings=cmake.define.CMAKE_UNITY_BUILD=ON \
  --config-settings=cmake.define.CMAKE_UNITY_BUILD_BATCH_SIZE=10)
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$work"/wheel/*.whl

# Elsewhere, so that nothing is taken from the source tree.
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
cp -r "$root/tests/python" "$elsewhere/tests"
cp -r "$root/examples/python" "$elsewhere/examples" 2>/dev/null || true
cd "$elsewhere"
if [ -x "$build/backlit-view" ]; then
  export BACKLIT_VIEW="$build/backlit-view" BACKLIT_ASSETS="$root/assets"
fi
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1  # of packages that bring plug-ins for another pytest
BACKLIT_EXAMPLES="$elsewhere/examples" OMP_WAIT_POLICY=passive \
  "$venv/bin/python" -m pytest -q -rs -p no:cacheprovider tests "$@"
