#!/usr/bin/env bash
# Draws docs/images/tooth-few-views.png, fdk-parallel.png and fdk-cone.png, the pictures of docs/methods/fdk.md and docs/tutorials/few-views.md that compare
# methods. The first needs the measured tooth of the test data; say where the data are with BACKLIT_DATA_DIR.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build.sh backlit side_by_side
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=${BACKLIT_DATA_DIR:-../shared/data}

ln -s "$(realpath "$data/tooth/tooth.h5")" "$work/"
cp assets/scans/tooth.scan.toml "$work/"
tooth() { build/backlit recon "$work/tooth.scan.toml" --center 295.9 --quiet "$@"; }
tooth -o "$work/all.mha"
tooth -o "$work/fbp.mha" --views 0:180:6
tooth -o "$work/sirt.mha" --views 0:180:6 --method sirt --iterations 150 --nonnegative --mask cylinder
build/app/side_by_side docs/images/tooth-few-views.png 0,0.012 0.66 330 \
  "FBP, 30 views=$work/fbp.mha" "SIRT, 30 views=$work/sirt.mha" "FBP, 181 views=$work/all.mha"

# FDK with both interpolations of the graphics pipeline beside the double-precision reference.
for beam in parallel cone; do
  distances=""
  [ $beam = parallel ] || distances=$'source_to_axis_mm = 600\nsource_to_detector_mm = 900'
  pixel=$([ $beam = parallel ] && echo 2 || echo 3)
  cat > "$work/$beam.scan.toml" <<T
[detector]
columns = 160
rows = 160
pixel_mm = $pixel
[trajectory]
kind = "$([ $beam = parallel ] && echo parallel || echo circular)"
views = 200
$distances
[volume]
size = [160, 160, 1]
voxel_mm = 1.7
T
  build/backlit simulate forbild-head --scan "$work/$beam.scan.toml" -o "$work/$beam-head.npy" --quiet
  fdk() { build/backlit recon "$work/$beam-head.scan.toml" --quiet "$@"; }
  fdk -o "$work/nearest.mha" --backend gl --packing none --interpolation nearest
  fdk -o "$work/linear.mha" --backend gl --packing none
  fdk -o "$work/cpu.mha" --backend cpu
  fdk -o "$work/cpu-nearest.mha" --backend cpu --interpolation nearest
  build/app/side_by_side "docs/images/fdk-$beam.png" 0.017,0.024 0.85 330 \
    "$beam, GL, nearest=$work/nearest.mha" "$beam, CPU, nearest=$work/cpu-nearest.mha" \
    "$beam, GL, linear=$work/linear.mha" "$beam, CPU, linear=$work/cpu.mha"
done
