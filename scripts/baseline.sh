#!/usr/bin/env bash
# Speeds and errors that a change of the code must not change: `backlit bench` of many cases, one JSON line each.
#   scripts/baseline.sh BACKEND FILE    cuda and gl on a card, gl or cpu without one (small cases); BACKLIT=PROGRAM
#   scripts/compare_baselines.py BEFORE AFTER
set -euo pipefail
backend=${1:?cuda, gl or cpu} out=${2:?a file}
program=${BACKLIT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/backlit}
: > "$out"

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
