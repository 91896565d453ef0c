#!/usr/bin/env bash
# Speeds and errors that a change of the code must not change: `backlit bench` of many cases, one JSON line each.
#   scripts/baseline.sh BACKEND FILE    cuda and gl on a card, gl or cpu without one (small cases); BACKLIT=PROGRAM
#   scripts/baseline.sh BACKEND FILE PAGE    the tables of docs/benchmarks/PAGE.md: backprojection, fdk, projection,
#                                       iterations, distance-driven, pet, pictures (gl), several-gpus (cuda);
#                                       quality: docs/methods/quality.md
#   scripts/compare_baselines.py BEFORE AFTER
set -euo pipefail
backend=${1:?cuda, gl or cpu} out=${2:?a file} page=${3:-}
program=${BACKLIT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/backlit}

# row SECONDS ARGUMENT...
row() {
  local limit=$1 start=$SECONDS rows
  shift
  rows=$(timeout "$limit" "$program" bench "$@" --backend "$backend" --json 2> "$out.log" | tr -d '\n') || rows=null
  [ "$rows" != null ] || echo "failed: $* ($(tail -n 1 "$out.log" | cut -c1-160))" >&2
  echo "{\"backend\": \"$backend\", \"arguments\": \"$*\", \"rows\": ${rows:-null}}" >> "$out"
  echo "$((SECONDS - start)) s: $*"
}

small() {
  row 300 cone64 --operation backprojection --variant all --rmse
  row 300 cone64 --operation projection --variant all --rmse
  row 300 cone64 --operation projection --variant all --rmse --model raycast
  row 300 cone64 --operation transpose
  row 100 cone64 --operation fdk
  row 100 cone64 --operation iteration --method sirt
  row 100 lm75 --events 0.05
}

large() {
  row 120 cone512 --operation all --packing all --rmse
  row 60 cone512 --operation iteration --method sirt --precision fast
  row 60 cone512 --operation iteration --method ossart --subsets 10 --precision fast
  row 60 cone512 --operation iteration --method sirt --precision half --back-model voxel_driven
  row 60 course256 --operation iteration --method sart --precision fast
  row 90 rabbit512 --operation backprojection --packing all
  row 90 rabbit512s --operation backprojection
  row 60 ct750 --operation all --precision fast
  row 60 ct750flat --operation all --precision fast
  row 60 course256 --operation projection --precision fast --model raycast --rmse
  row 60 course256 --operation transpose --precision fast --model raycast
  row 60 course256 --operation projection --precision fast --model branchless_dd --rmse
  row 60 course256 --operation transpose --precision fast --model branchless_dd
  row 60 course128 --operation backprojection --variant all --rmse --repeats 3
  row 90 course128 --operation projection --variant all --rmse --repeats 3
  row 60 lm75
  row 60 lm256
}


page_backprojection() {
  row 300 cone512 --operation backprojection --packing all --rmse
  row 300 rabbit512 --operation backprojection --packing all --rmse
  row 120 rabbit512s --operation backprojection --rmse
  row 120 course512 --operation backprojection --precision half --packing auto --rmse
  row 120 course512 ct750 --operation backprojection --precision fast
  row 120 rabbit1024 --operation backprojection --precision half --packing auto
  row 120 rabbit1024 --operation backprojection --precision fast
}

page_fdk() {
  row 120 cone512 course512 --operation fdk --precision half --packing auto
  row 120 rabbit512 --operation fdk --packing auto
  row 120 rabbit512 --operation fdk --precision half --packing auto --gpu-memory 1G
  row 120 rabbit512s --operation fdk --precision half
  row 200 rabbit1024 --operation fdk --precision half --packing auto
  row 200 rabbit1024 --operation fdk --precision half --packing auto --gpu-memory 2G
}

page_projection() {
  row 300 cone512 --operation projection --packing all --rmse
  [ "$backend" = cuda ] || row 120 cone512 --operation projection --precision fast --model siddon
  row 120 cone512 --operation projection --precision fast --model raycast
  row 200 cone512 --operation transpose --packing auto
  row 200 course512 rabbit512 --operation transpose --precision half --packing auto
  row 200 course512 rabbit512 ct750 rabbit512s --operation transpose --precision fast
}

page_iterations() {
  local method
  for method in sirt cgls fista "pwls --subsets 1" "ossart --subsets 10" "ossart --subsets 40"; do
    row 120 cone512 --operation iteration --method $method --precision all --packing auto
  done
  row 60 cone512 --operation iteration --method osem --subsets 10 --precision half --packing auto
  row 60 course512 --operation iteration --method sirt --precision half --packing auto
}

page_distance-driven() {
  local model
  for model in branchless_dd distance_driven; do
    row 120 ct750 ct750flat cone512 --operation projection --precision fast --model $model
    row 120 ct750 ct750flat cone512 --operation transpose --precision fast --model $model
  done
}

page_pet() {
  row 60 lm75 --events 5
  row 60 lm75 --events 5 --line joseph
}

page_pictures() {
  row 60 cone512 --operation render
  row 60 cone512 --operation d2vr --precision half
  row 60 cone512 --operation slice --rmse
}

page_several-gpus() {
  local devices
  for devices in 0 0,1 0,1,2,3; do
    row 60 cone512 --operation iteration --method sirt --packing auto --device $devices
    row 60 cone512 --operation iteration --method ossart --subsets 10 --precision half --packing auto --device $devices
    row 60 cone512 rabbit1024 --operation backprojection --precision half --packing auto --device $devices
    row 60 cone512 rabbit1024 --operation fdk --precision half --packing auto --device $devices
  done
}

page_quality() {
  row 300 head256 --quality --precision half --seconds 1.5
}

if [ -n "$page" ]; then
  declare -F "page_$page" >/dev/null || { echo "baseline: no rows for the page '$page'; the first lines of this script name those that have" >&2; exit 2; }
fi
: > "$out"
if [ -n "$page" ]; then
  "page_$page"
  rm -f "$out.log"
  exit
fi

case $backend in
  cuda) large; row 60 course256 --operation projection --precision fast --model distance_driven --rmse ;;
  gl)
    if "$program" bench cone64 --backend gl --json --operation slice 2> /dev/null | grep -q llvmpipe; then
      small
    else
      large
      row 60 course256 --operation projection --precision fast --model box_line_integrated --rmse
      row 60 course128 --operation projection --precision fast --model splat --rmse
      row 60 course128 --operation projection --precision fast --model emission --rmse
      row 60 cone512 --operation render
    fi
    ;;
  *) row 300 cone64 --operation backprojection --rmse; row 300 cone64 --operation projection --rmse ;;
esac
rm -f "$out.log"
