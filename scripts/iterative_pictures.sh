#!/usr/bin/env bash
# Draws docs/images/tooth-few-views.png, the picture of docs/methods.md that compares methods on few views. It takes the
# measured tooth of the test data; say where the data are with BACKLIT_DATA_DIR.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build.sh backlit side_by_side
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=${BACKLIT_DATA_DIR:-../shared/data}

ln -s "$(realpath "$data/tooth/tooth.h5")" "$work/"
cp assets/scans/tooth.scan.toml "$work/"
tooth() { build/backlit recon "$work/tooth.scan.toml" --center 295.9 --quiet "$@"; }  # the axis as --center find tells
tooth -o "$work/all.mha"
tooth -o "$work/fbp.mha" --views 0:180:6
tooth -o "$work/sirt.mha" --views 0:180:6 --method sirt --iterations 45 --nonnegative --mask cylinder \
  --backend gl --back-model voxel_driven
build/app/side_by_side docs/images/tooth-few-views.png 0,0.012 0.66 330 \
  "FBP, 30 views=$work/fbp.mha" "SIRT, 30 views=$work/sirt.mha" "FBP, 181 views=$work/all.mha"
