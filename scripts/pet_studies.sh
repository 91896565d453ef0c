#!/usr/bin/env bash
# Makes the PET scans of docs/benchmarks/pet.md and reconstructs them.
#   scripts/pet_studies.sh FOLDER [STUDY...]        studies: torso rods mouse iq derenzo (all)
# Lists, images, pictures and one JSON a run go to FOLDER. With
#   SCALE=0.01        that share of the counts (1)
#   BACKEND=cuda      the device that reconstructs (what `backlit pet` chooses)
#   PAIRS=20000000    random pairs of crystals for sensitivity images instead of all
#   BACKLIT=PROGRAM   another program than build/backlit
set -euo pipefail
out=${1:?give a folder}; shift
studies=${*:-torso rods mouse iq derenzo}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${BACKLIT:-$root/build/backlit}
scale=${SCALE:-1}
mkdir -p "$out"
cd "$out"

common=(--json)
[ -z "${BACKEND:-}" ] || common+=(--backend "$BACKEND")
[ -z "${PAIRS:-}" ] || common+=(--sensitivity-pairs "$PAIRS")

counts() { awk -v n="$1" -v s="$scale" 'BEGIN { printf "%.0f", n * s }'; }
field() { sed -n "s/^ *\"$2\": \([^,]*\),*$/\1/p" "$1" | head -1; }
# scan NAME COUNTS PHANTOM MATTER OPTION...
scan() {
  local name=$1 n phantom=$3 matter=$4; n=$(counts "$2"); shift 4
  "$program" simulate "$phantom" --attenuation "$matter" --attenuation-output "$name-mu.mha" --truth "$name-truth.mha" \
    --listmode --counts "$n" -o "$name.cdh" --json "$@" > "$name-simulate.json"
  echo "$name: $(field "$name-simulate.json" events) events, $(awk -v r="$(field "$name-simulate.json" events_per_s)" \
    'BEGIN { printf "%.3g", r * 60e-6 }') M events/min"
}
# image NAME LIST OPTION...: NAME.mha from LIST.cdh
image() {
  local name=$1 list=$2; shift 2
  "$program" pet "$list.cdh" -o "$name.mha" --attenuation "$list-mu.mha" "${common[@]}" "$@" > "$name.json"
  echo "$name: $(awk -v r="$(field "$name.json" events_per_s)" -v t="$(field "$name.json" total)" -v s="$(field "$name.json" \
    sensitivity)" -v i="$(field "$name.json" iterate)" \
    'BEGIN { printf "%.4g M events/s, iterations %.3g s, sensitivity %.3g s, total %.3g s", r * 1e-6, i, s, t }')"
}
picture() { "$program" render "$1.mha" -o "$1.png" --size 432 --quiet "${@:2}"; }

# A Gemini-TF-like scan with a lesion in the liver: all corrections, with and without time of flight, voxels and blobs.
torso() {
  local grid=(--grid 75x75x26 --voxel 8)
  for ps in 636 0; do  # rates of scatter are densities with time of flight: without it they need a list of their own
    scan "torso$ps-list" 40.7e6 liver-lesion liver-lesion-mu --tof $ps --scatter 0.3 --randoms 0.25 "${grid[@]}"
  done
  local em=(--iterations 3 --subsets 33 --tof-cut 3)
  image torso-tof torso636-list "${em[@]}" "${grid[@]}"
  image torso-plain torso0-list "${em[@]}" "${grid[@]}"
  image torso-blobs torso636-list "${em[@]}" "${grid[@]}" --image blobs
  image torso-small-blobs torso636-list "${em[@]}" --grid 75x75x26 --voxel 2 --image blobs --blob-radius 2.5
  for image in tof plain blobs; do picture "torso-$image"; done
}

# Micro hot rods in a small-animal ring.
rods() {
  local em=(--iterations 2 --subsets 40 --grid 103x103x36 --voxel 0.65 --every-iteration)
  scan rods-list 25.3e6 hot-rods-micro hot-rods-micro-mu --scanner small_animal --grid 103x103x36 --voxel 0.65
  image rods-tube rods-list "${em[@]}"
  image rods-narrow rods-list "${em[@]}" --tube-width 0.9 --tube-radius 1.3
  image rods-line rods-list "${em[@]}" --line joseph
  image rods-psf rods-list "${em[@]}" --line joseph --psf 0.9
  "$program" pet-quality --phantom hot-rods-micro rods-{tube,narrow,line,psf}_it{1,2}.mha -o rods.csv -o rods-quality.png
  for line in tube narrow line psf; do picture "rods-$line"; done
}

# The bones of a mouse.
mouse() {
  scan mouse-list 28.8e6 mouse mouse-mu --scanner small_animal --grid 72x72x51 --voxel 1
  image mouse-tube mouse-list --iterations 3 --subsets 5 --grid 72x72x51 --voxel 1
  image mouse-line mouse-list --iterations 3 --subsets 5 --grid 72x72x51 --voxel 1 --line joseph
  for line in tube line; do picture "mouse-$line" --mode mip --axis y; done
}

# NEMA image quality: one scan without time of flight and one for each resolution of it.
iq() {
  local grid=(--grid 160x140x80 --voxel 2 --grid-center 0,35,0) em=(--iterations 6 --subsets 8 --every-iteration)
  for ps in 0 600 385 214; do
    scan "iq$ps-list" 20e6 nema-iq nema-iq-mu --tof $ps --scatter 0.3 --randoms 0.25 "${grid[@]}"
    image "iq-$ps-ps" "iq$ps-list" "${em[@]}" "${grid[@]}"
  done
  "$program" pet-quality iq-{0,600,385,214}-ps_it*.mha -o iq.csv -o iq.png --quiet
  for ps in 0 600 385 214; do picture "iq-$ps-ps" --position 27; done
}

# Hot rods of 3.2 to 11.1 mm: tubes against thin lines, and thin lines smoothed afterwards.
derenzo() {
  local grid=(--grid 216x216x88 --voxel 1) em=(--iterations 10 --subsets 10 --every-iteration)
  scan derenzo-list 40e6 derenzo derenzo-mu --grid 108x108x44 --voxel 2
  image derenzo-tube derenzo-list "${em[@]}" "${grid[@]}" --tube-width 3
  image derenzo-line derenzo-list "${em[@]}" "${grid[@]}" --line joseph
  image derenzo-smooth derenzo-list "${em[@]}" "${grid[@]}" --line joseph --post-filter 2
  image derenzo-psf derenzo-list "${em[@]}" "${grid[@]}" --line joseph --psf 3
  "$program" pet-quality --phantom derenzo derenzo-{tube,line,smooth,psf}_it{5,10}.mha -o derenzo.csv -o derenzo-rods.png
  for line in tube line smooth psf; do picture "derenzo-$line"; done
}

for study in $studies; do
  case $study in
    torso | rods | mouse | iq | derenzo) "$study" ;;
    *) echo "pet_studies.sh: no study '$study': torso, rods, mouse, iq, derenzo" >&2; exit 2 ;;
  esac
done
