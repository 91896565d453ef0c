#!/usr/bin/env bash
# Takes the pictures of docs/viewer.md and the README with backlit-view itself, without a display: docs/images/viewer/*.png.
# Usage: scripts/viewer_pictures.sh      after scripts/build.sh; five minutes on a software renderer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for program in backlit backlit-view; do
  [ -x "build/$program" ] || { echo "viewer_pictures: no build/$program; run scripts/build.sh" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
images=$PWD/docs/images
export XDG_CONFIG_HOME=$work  # nobody's recent files

# A head in more detail than the built-in example: the demo's scan.
build/backlit simulate forbild-head --scan assets/scans/demo-cone.scan.toml -o "$work/head.npy" --noise 4e6 --quiet

cat >"$work/pictures.script" <<S
wait frames 3
screenshot $images/viewer/viewer-start.png
set filter hann
open $work/head.scan.toml
wait done
window 0 0.04
camera -50 25 1.3
clip 0 0 20 0.3 -0.2 1
screenshot $images/viewer/viewer.png
key F6
view 60
wait frames 3
wait done
wait frames 3
screenshot $images/viewer/viewer-projections.png
key F7
camera -50 25 1
wait frames 3
screenshot $images/viewer/viewer-scan.png
key F2
clip clear
open demo:head
wait done
window 0 0.04
camera -50 25 1.5
oblique 0 10 0 0.3 -0.4 0.8
wait frames 3
wait done
wait frames 3
screenshot $images/viewer/viewer-oblique.png
toggle oblique off
open demo:spheres
wait done
camera -60 20 1.2
picture split
wait frames 3
wait done
wait frames 5
screenshot $images/viewer/viewer-split.png
toggle oblique off
picture volume
open demo:pet
wait done
camera -50 25 1.5
map heat
mode mip
wait frames 5
screenshot $images/viewer/viewer-pet.png
S
build/backlit-view --offscreen --size 1400x900 --script "$work/pictures.script"

# A detector that is out of place and has rings.
cat >"$work/true.scan.toml" <<S
[detector]
columns = 128
rows = 96
pixel_mm = 3.6
offset_px = [2.6, 0.0]
tilt_deg = [0.0, 0.0, 1.2]
[trajectory]
kind = "circular"
source_to_axis_mm = 1000
source_to_detector_mm = 1500
views = 120
S
build/backlit simulate forbild-head --scan "$work/true.scan.toml" -o "$work/scan.npy" --quiet
sed -i -e /offset_px/d -e /tilt_deg/d "$work/scan.scan.toml"
python3 - "$work/scan.npy" <<'P'
import array, random, sys
data = open(sys.argv[1], "rb").read()
values = array.array("f", data[128:])
random.seed(1)
ring = [random.gauss(0, 0.03) + (0.12 if column in (40, 71) else 0) for column in range(128)]
for i in range(len(values)):
    values[i] += ring[i % 128]
open(sys.argv[1], "wb").write(data[:128] + values.tobytes())
P
cat >"$work/geometry.script" <<S
open $work/scan.scan.toml
wait done
window 0 0.04
camera -50 25 1.3
click Data
click Method
click Calibration
wait frames 3
calibrate
wait done
set strip candidates
take calibration tilt_n
take calibration offset_v
take calibration center_shift
set selected_number center_shift
wait frames 5
wait done
wait frames 3
wait done
move 700 500
wait frames 30
screenshot $images/viewer/viewer-calibration.png
take calibration
click Calibration
click Corrections
set strip sinogram
set stripes 31
wait frames 5
wait done
wait frames 5
screenshot $images/viewer/viewer-corrections.png
set strip off
click Window
click "Transfer function"
click Movie
clip 0 0 20 0.3 -0.2 1
camera -90 0 1.2
keyframe
camera -50 25 1.6
keyframe
camera 20 40 2.4
keyframe
camera 60 80 1.4
keyframe
wait frames 90
screenshot $images/viewer/viewer-movie.png
S
build/backlit-view --offscreen --size 1400x1000 --script "$work/geometry.script"

# What a picture every N views costs: runs of 360 views, each of which waits until its pictures are seen.
cat >"$work/turn.scan.toml" <<S
[detector]
columns = 96
rows = 96
pixel_mm = 2.7
[trajectory]
kind = "circular"
source_to_axis_mm = 1000
source_to_detector_mm = 1500
views = 360
[volume]
size = [64, 64, 64]
voxel_mm = 2.5
S
build/backlit simulate forbild-head --scan "$work/turn.scan.toml" -o "$work/views.npy" --quiet
{
  printf '%s\n' "set follow off" "open $work/views.scan.toml" "set lockstep on" "wait done"
  for views in 1 2 4 8 16 32 64 120 180 360; do
    printf '%s\n' "set interval $views" reconstruct "wait done"
  done
  printf '%s\n' "click Method" "wait frames 3" "screenshot $images/viewer/viewer-rate-by-interval.png \"rate by interval\"" \
    "screenshot $images/viewer/viewer-share-by-interval.png \"share by interval\""
} >"$work/intervals.script"
build/backlit-view --offscreen --size 1400x1200 --script "$work/intervals.script"
ls -l "$images"/viewer/*.png
