#!/usr/bin/env bash
# Makes a Python environment with the toolkits that the tests labelled peers compare with: RTK, ASTRA and
# scikit-image, and libraries of file formats. They use Debian's plastimatch, too, where it is installed.
# Without it these tests are skipped.
# Usage: scripts/setup_peers.sh [FOLDER]       default: $BACKLIT_PEERS, else build/peers
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-${BACKLIT_PEERS:-build/peers}}
if ! python3 -c 'import ensurepip' 2>/dev/null; then
  echo "setup_peers: install python3-venv first" >&2
  exit 1
fi
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check itk-rtk==2.7.0.post1 astra-toolbox==2.5.0 \
  scikit-image==0.25.2 h5py==3.16.0 \
  zarr==3.1.6 napari-ome-zarr==0.10.0 pydicom==3.0.2 mrcfile==1.5.4 nxtomo==3.1.1 petsird==0.12.0 \
  ctsimu==1.7.0 txrm2tiff==2.2.1 fabio==2026.6.0 pillow
"$folder/bin/python" - <<'PY'
import astra, h5py, itk, skimage
from itk import RTK
print(f"peers: ITK {itk.Version.GetITKVersion()} with RTK, ASTRA {astra.__version__}, scikit-image {skimage.__version__}")
PY
