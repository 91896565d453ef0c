#!/usr/bin/env bash
# Draws docs/images/line_pairs.png and sart_pairs.png, the pictures of SART in place in docs/explanation/projectors/sart_in_place.md, and prints how long
# each reconstruction took. Needs a CUDA device with 8 GB, Python with NumPy and Pillow, 6 GB of disk; a minute on an H200.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

BUILD=${BUILD:-build}
[ -x "$BUILD/backlit" ] || scripts/build.sh backlit side_by_side
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A disc as thin as lies within the slab of voxels: rays that leave through the top would measure what is not in it.
sed 's/^length = 40$/length = 4/' assets/phantoms/ctp528.phantom.toml > "$work/thin.phantom.toml"
"$BUILD/backlit" simulate "$work/thin.phantom.toml" --scan assets/scans/ctp528.scan.toml -o "$work/pairs.npy" --quiet
pictures=()
for volume in 512x512x100:0.4,0.4,0.1 1024x1024x100:0.2,0.2,0.1 2048x2048x100:0.1 3072x2048x50:0.075,0.1,0.1; do
  echo "$volume"
  "$BUILD/backlit" recon "$work/pairs.scan.toml" --backend cuda --method sart_in_place --iterations 20 \
    --relaxation 0.3 --grid "${volume%:*}" --voxel "${volume#*:}" -o "$work/${volume%%:*}.npy" 2>/dev/null |
    grep -E '^ *(time|memory|residual)' || true
  pictures+=("$work/${volume%%:*}.npy:${volume#*:}")
done
python3 scripts/draw_line_pairs.py assets/phantoms/ctp528.phantom.toml docs/images/line_pairs.png "${pictures[@]}"

# Water with a rod of bone: both pairs with voxels as large as the rays' distance, and the unmatched one with finer ones.
cat > "$work/rod.phantom.toml" <<'T'
name = "Water with a rod of bone"
[[body]]
name = "water"
shape = "cylinder"
radius = 80
length = 400
value = 0.02
[[body]]
name = "bone"
shape = "cylinder"
radius = 13
length = 400
center = [36, 0, 0]
value = 0.02
T
"$BUILD/backlit" simulate "$work/rod.phantom.toml" --scan assets/scans/keck512.scan.toml -o "$work/rod.npy" --quiet
# sart NAME GRID VOXEL OPTION...
sart() {
  "$BUILD/backlit" recon "$work/rod.scan.toml" --backend cuda --method sart_in_place --iterations 20 \
    --relaxation 0.8 --grid "$2" --voxel "$3" --quiet -o "$work/$1.mha" "${@:4}"
}
sart unmatched 112x112x80 1.6
sart matched 112x112x80 1.6 --matched
sart fine 224x224x160 0.8
"$BUILD/app/side_by_side" docs/images/sart_pairs.png 0.019,0.021 1 320 "unmatched, voxels of 1.6 mm=$work/unmatched.mha" \
  "matched, voxels of 1.6 mm=$work/matched.mha" "unmatched, voxels of 0.8 mm=$work/fine.mha"
