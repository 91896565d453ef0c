#!/usr/bin/env bash
# Installs torch and deepinv for tests/python on the CPU, in the environment of scripts/test_python.sh: 0.6 GB. PyPI's
# torch for Linux wants 3.3 GB more, NVIDIA's libraries; scripts/torch_stand_ins.py takes their place.
# Usage: scripts/setup_torch.sh [BUILD]     build when none is named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=$(realpath -m "${1:-build}")/python/venv
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -c "import torch, deepinv" 2>/dev/null && exit 0
install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }
install filelock typing-extensions setuptools sympy networkx jinja2 fsspec numpy scipy matplotlib tqdm einops requests h5py natsort \
  pillow packaging lightning-utilities
install --no-deps torch==2.15.0 torchvision torchmetrics deepinv==0.5.0 'nvidia-cuda-runtime>=13,<14'
"$venv/bin/python" scripts/torch_stand_ins.py
"$venv/bin/python" -c 'import torch, deepinv; print("torch", torch.__version__, "deepinv", deepinv.__version__)'
