#!/usr/bin/env bash
# Reconstructions with distance-driven pairs, penalties, helices and a flying focal spot: the tables of docs/notebook/distance-driven-projection.md.
#   scripts/distance_driven_studies.sh FOLDER [STUDY...]     studies: head shepp oval cardiac noise cpu (all)
# Needs a CUDA device; `noise` also Python with NumPy and SciPy. Volumes are compared with the phantom, and in `cpu`, a
# scan of a fourth of the size, with double precision: all slices, the middle ones and the outer eighths apart. With
#   SUPERSAMPLE=4   rays a cell's side   ITERATIONS=40   BACKLIT=PROGRAM
set -euo pipefail
out=${1:?give a folder}; shift
studies=${*:-head shepp oval cardiac noise cpu}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${BACKLIT:-$root/build/backlit}
supersample=${SUPERSAMPLE:-4}
iterations=${ITERATIONS:-40}
mkdir -p "$out"
cd "$out"

fields() { tr -d ' \n' < "$1" | grep -oE "\"($2)\":[-+.e0-9]+" | tr -d '"' | tr '\n' ' '; }
# scan NAME PHANTOM FILE OPTION...: line integrals of a phantom seen by a scan file of assets/
scan() {
  local start=$SECONDS
  "$program" simulate "$2" --scan "$3" -o "$1.npy" --truth "$1-truth.mha" --quiet "${@:4}"
  echo "$1: simulated in $((SECONDS - start)) s"
}
# image NAME SCAN OPTION...
image() {
  "$program" recon "$2.scan.toml" -o "$1.mha" --backend cuda --json "${@:3}" > "$1.json"
  echo "$1: $(fields "$1.json" 'iterate|project|backproject|filter|total')"
}
# against A B SLICES: all slices, the middle ones, the outer eighths at either end
against() {
  local n=$3 e=$(($3 / 8)) range
  for range in "0 $((n - 1))" "$e $((n - 1 - e))" "0 $((e - 1))" "$((n - e)) $((n - 1))"; do
    "$program" compare "$1.mha" "$2.mha" --slices $range --json > c.json
    echo "$1 - $2, slices $range: $(fields c.json 'rmse|max_abs|relative_max|relative_l2|ssim')"
  done
}
central() {
  "$program" compare "$1.mha" "$2.mha" --slices $(($3 / 2)) $(($3 / 2)) --json > c.json
  echo "$1 - $2, central slice: $(fields c.json 'rmse|max_abs|ssim')"
}
dd=(--model branchless_dd --precision exact)

# os_sart NAME PHANTOM: 2200 views of the scanner, 10 subsets
os_sart() {
  sed 's/^views = 984.*/views = 2200/' "$root/assets/scans/ct750.scan.toml" > "$1-scan.scan.toml"
  scan "$1" "$2" "$1-scan.scan.toml" --supersample "$supersample"
  image "$1-dd" "$1" --method ossart --subsets 10 --iterations "$iterations" "${dd[@]}"
  against "$1-dd" "$1-truth" 64
  image "$1-fdk" "$1" --method fdk
  against "$1-fdk" "$1-truth" 64
}

for study in $studies; do
  case $study in
    head) os_sart head forbild-head ;;
    shepp) os_sart shepp shepp-logan-3d ;;
    oval)
      scan oval qa-oval "$root/assets/scans/ct750-helical.scan.toml" --noise 1e6
      image oval-fbp oval --method hfdk
      image oval-dd oval --method pwls --weights transmission --penalty qggmrf --strength 0.01 --iterations 100 \
        --initial oval-fbp.mha "${dd[@]}"
      against oval-dd oval-truth 64
      against oval-fbp oval-truth 64
      ;;
    cardiac)
      sed 's/^rows = 64/rows = 32/' "$root/assets/scans/ct750-flying.scan.toml" > flying.scan.toml
      grid=(--grid 512x512x32 --voxel 0.9765625,0.9765625,0.625)
      scan cardiac heart flying.scan.toml --supersample 2 --noise 1e6 "${grid[@]}"
      # FDK wants detectors focused on the source: of the same scan with a focal spot at rest.
      sed 's/^rows = 64/rows = 32/; s/^views = 984.*/views = 2200/' "$root/assets/scans/ct750.scan.toml" > resting.scan.toml
      scan still heart resting.scan.toml --supersample 2 --noise 1e6 "${grid[@]}"
      "$program" recon still.scan.toml -o cardiac-fdk.mha --method fdk --filter hann --quiet
      image cardiac-dd cardiac --method fista --iterations 300 "${dd[@]}" --residuals cardiac-fista.csv
      image cardiac-sirt cardiac --method sirt --iterations 300 "${dd[@]}" --residuals cardiac-sirt.csv
      for v in fdk sirt dd; do
        against cardiac-$v cardiac-truth 32
        central cardiac-$v cardiac-truth 32
      done
      for v in sirt dd; do central cardiac-$v cardiac-fdk 32; done
      for i in 1 10 30 100 300; do
        echo "iteration $i: residual $(sed -n "$((i + 1))p" cardiac-sirt.csv) without, $(sed -n "$((i + 1))p" cardiac-fista.csv) with"
      done
      ;;
    noise)
      scan clean forbild-head "$root/assets/scans/ct750.scan.toml" --supersample 2
      scan noisy forbild-head "$root/assets/scans/ct750.scan.toml" --supersample 2 --noise 20000
      list=()
      for of in clean noisy; do
        image $of-fdk-ramlak $of --method fdk --filter ram-lak
        image $of-fdk-cosine $of --method fdk --filter cosine
        for c in 1 0.6 0.5 0.3 0.2; do image $of-fdk-$c $of --method fdk --filter hann --cutoff $c; done
        for p in qggmrf-0.1 tv-0.03; do
          image $of-$p $of --method pwls --weights transmission --penalty ${p%-*} --strength ${p#*-} --iterations 25 \
            --initial fdk "${dd[@]}"
        done
      done
      for n in fdk-ramlak fdk-cosine fdk-1 fdk-0.6 fdk-0.5 fdk-0.3 fdk-0.2 qggmrf-0.1 tv-0.03; do
        "$program" compare noisy-$n.mha clean-truth.mha --slices 8 55 --json > c.json
        echo "$n: $(fields c.json 'rmse|ssim')"
        list+=("$n")
      done
      python3 "$root/scripts/equal_resolution.py" clean-truth.mha 32 "${list[@]}"
      ;;
    cpu)
      cat > fourth-scan.scan.toml <<'T'
[detector]
columns = 222
rows = 16
pixel_mm = [4.0956, 4.3852]
shape = "curved"
offset_px = [-0.3125, 0.0]
[trajectory]
kind = "circular"
source_to_axis_mm = 541.0
source_to_detector_mm = 949.0
arc_deg = 360.0
views = 550
[volume]
size = [128, 128, 16]
voxel_mm = [3.90625, 3.90625, 2.5]
T
      scan fourth forbild-head fourth-scan.scan.toml --supersample 4
      common=(--method ossart --subsets 10 --iterations "$iterations")
      "$program" recon fourth.scan.toml -o fourth-cpu.mha --backend cpu --json "${common[@]}" --model distance_driven > cpu.json
      echo "fourth-cpu: $(fields cpu.json 'iterate|total')"
      image fourth-dd fourth "${common[@]}" "${dd[@]}"
      against fourth-dd fourth-cpu 16
      ;;
    *) echo "no study '$study': head shepp oval cardiac noise cpu" >&2; exit 2 ;;
  esac
done
