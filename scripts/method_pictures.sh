#!/usr/bin/env bash
# Draws docs/images/methods/*.png: one slice of the FORBILD head from 60 noisy fan-beam views by every method (hfdk: from
# a helix), and prints the table of docs/methods/index.md. Usage: scripts/method_pictures.sh [PROGRAM [FOLDER]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
backlit=$(realpath "${1:-$root/build/backlit}")
out=$(realpath -m "${2:-$root/docs/images/methods}")
mkdir -p "$out"
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

cat >geometry.scan.toml <<'END'
[detector]
columns = 256
rows = 1
pixel_mm = 1.8
[trajectory]
kind = "circular"
source_to_axis_mm = 1000
source_to_detector_mm = 1500
views = 60
[volume]
size = [208, 256, 1]
voxel_mm = 1.0
END
"$backlit" simulate forbild-head-plain --scan geometry.scan.toml -o fan.npy --noise 1e5 --seed 1 --supersample 2 --truth truth.mha -q

draw() { "$backlit" render "$1.mha" -o "$out/$1.png" --window 0.0175,0.0245 --size 256 --quiet; }

# run NAME OPTION...: the method with its defaults except for the options given
run() {
  local name=$1
  shift
  "$backlit" recon fan.scan.toml -o "$name.mha" --method "$name" "$@" --json >"$name.json"
  draw "$name"
  "$backlit" compare "$name.mha" truth.mha --json >"$name.compare.json"
  python3 - "$name" "$*" <<'END'
import json, sys
name, options = sys.argv[1:]
r, c = json.load(open(f"{name}.json")), json.load(open(f"{name}.compare.json"))
print(f"| `{name}` | {options and '`' + options + '`'} | {r.get('iterations') or 1} | {c['rmse'] / 0.02 * 1000:.0f} | {c['ssim']:.3f} |")
END
}
draw truth
echo "| method | options | iterations | error, HU | SSIM |"
echo "| --- | --- | --- | --- | --- |"
run fdk
run ifdk --iterations 3 --relaxation 0.3
run sirt --nonnegative
run sart --iterations 5 --relaxation 0.5 --nonnegative
run sart_in_place --backend cpu --iterations 5 --relaxation 0.5 --nonnegative
run ossart --nonnegative
run fista --nonnegative
run cgls --iterations 10
run pcg --iterations 10
run pwls --nonnegative
run tv
run pdhg
run asdpocs
run mlem --iterations 100
run osem --subsets 10

cat >helix.scan.toml <<'END'
[detector]
columns = 256
rows = 24
pixel_mm = [1.8, 2.0]
[trajectory]
kind = "helical"
source_to_axis_mm = 1000
source_to_detector_mm = 1500
arc_deg = 1440
views = 720
pitch_mm = 24
[volume]
size = [208, 256, 1]
voxel_mm = 1.0
END
"$backlit" simulate forbild-head-plain --scan helix.scan.toml -o turns.npy --noise 1e5 --seed 1 --supersample 2 -q
"$backlit" recon turns.scan.toml -o hfdk.mha --method hfdk --filter hann -q
draw hfdk
