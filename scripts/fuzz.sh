#!/usr/bin/env bash
# Fuzzes everything that reads files and messages: libFuzzer, AddressSanitizer, UBSan (clang), a target a core.
# Inputs that were of use stay in build/fuzz/corpus, findings lie in build/fuzz/found; a finding ends it with 1.
# Usage: scripts/fuzz.sh MINUTES [TARGET...]      all targets share the time; a TARGET may be a beginning: volume.
#        scripts/fuzz.sh --runs N [TARGET...]     N inputs a target
#        scripts/fuzz.sh --check [TARGET...]      the same 1000 inputs a target each time, two minutes at most in all
#        scripts/fuzz.sh --repeat TARGET FILE     reads one input, such as a finding
#        scripts/fuzz.sh --list
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() { sed -n 's/^# \(Usage: .*\|       scripts.*\)/\1/p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
case $1 in
  --list | --check) how=${1#--}; shift ;;
  --repeat) how=repeat; [ $# -eq 3 ] || usage; input=$(realpath "$3"); set -- "$2" ;;
  --runs) how=runs; amount=${2:-}; shift 2 || usage ;;
  *) how=minutes; amount=$1; shift ;;
esac
[[ ${amount:-1} =~ ^[1-9][0-9]*$ ]] || usage

scripts/setup.sh fuzz >&2
export build=build/fuzz
[ -f $build/build.ninja ] || cmake --preset fuzz -Wno-dev >/dev/null
cmake --build $build --target fuzz_readers fuzz_seeds_readers >&2

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=1
if [ "$how" = repeat ]; then BACKLIT_FUZZ=$1 exec $build/tests/fuzz/fuzz_readers "$input"; fi

rm -rf $build/seeds && mkdir -p $build/seeds $build/corpus $build/found
named=$($build/tests/fuzz/fuzz_seeds_readers $build/seeds)  # fails where a sample is refused
mapfile -t all <<<"$named"
targets=()
for target in "${all[@]}"; do
  for wanted in "${@:-}"; do
    if [[ $target == "$wanted"* ]]; then targets+=("$target"); break; fi
  done
done
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no target begins with $*" >&2; exit 2; }
if [ "$how" = list ]; then printf '%s\n' "${targets[@]}"; exit; fi

jobs=$(nproc)
case $how in
  runs) limit=(-runs="$amount") ;;
  minutes) limit=(-max_total_time=$((amount * 60 * jobs / ${#targets[@]} + 1))) ;;
  check) limit=(-runs=1000 -max_total_time=$((120 * jobs / ${#targets[@]} + 1))) ;;
esac
export corpus=$build/corpus limits="${limit[*]}"
if [ "$how" = check ]; then  # from the seeds alone, whatever was found before
  corpus=$(mktemp -d)
  trap 'rm -rf "$corpus"' EXIT
fi

fuzz() {
  local log=$build/found/$1.log process mark of good=1
  mkdir -p "$corpus/$1"
  # shellcheck disable=SC2086
  BACKLIT_FUZZ=$1 $build/tests/fuzz/fuzz_readers $limits -seed=1 -max_len=65536 -timeout=60 -rss_limit_mb=3000 \
    -malloc_limit_mb=2000 -print_final_stats=1 -artifact_prefix="$build/found/$1-" "$corpus/$1" "$build/seeds/$1" \
    >"$log" 2>&1 &
  process=$!
  wait $process || good=0
  # libFuzzer, and what reads HDF5, end without what programs do at their end: a folder and OpenMP's marks stay.
  rm -rf /dev/shm/backlit-fuzz-$process
  for mark in /dev/shm/__KMP_REGISTERED_LIB_*_*; do
    of=${mark#*_LIB_}
    [ -e "/proc/${of%_*}" ] || rm -f "$mark"
  done
  # A process that reads HDF5 may crash, as its parent then says; it cannot write what it found.
  find "$build/found" -name "$1-*" -empty -delete
  if [ $good = 1 ]; then
    echo "$1: $(sed -n 's/stat::number_of_executed_units: *//p' "$log") inputs, no finding"
    rm "$log"
  else
    local file
    file=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
    # The end of the log has the input itself where it is small.
    printf '%s: FOUND, see %s. Repeat it with: scripts/fuzz.sh --repeat %s %s\n%s\n' \
      "$1" "$log" "$1" "${file:-FILE}" "$(tail -n 40 "$log")"
    return 1
  fi
}
export -f fuzz
printf '%s\0' "${targets[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'fuzz "$1"' _ {} || exit 1
