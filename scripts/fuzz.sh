#!/usr/bin/env bash
# Fuzzes everything that reads files and messages: libFuzzer, AddressSanitizer, UBSan (clang).
# Inputs that were of use stay in build/fuzz/corpus, findings lie in build/fuzz/found; a finding ends it with 1.
# Usage: scripts/fuzz.sh MINUTES [TARGET...]      all targets share the time; a TARGET may be a beginning: volume.
#        scripts/fuzz.sh --runs N [TARGET...]     N inputs a target
#        scripts/fuzz.sh --list
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() { sed -n 's/^# \(Usage: .*\|       scripts.*\)/\1/p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
case $1 in
  --list) how=list; shift ;;
  --runs) how=runs; amount=${2:-}; shift 2 || usage ;;
  *) how=minutes; amount=$1; shift ;;
esac
[ "$how" = list ] || [[ $amount =~ ^[1-9][0-9]*$ ]] || usage

scripts/setup.sh fuzz >&2
build=build/fuzz
[ -f $build/build.ninja ] || cmake --preset fuzz -Wno-dev >/dev/null
cmake --build $build --target fuzz_readers fuzz_seeds_readers >&2

rm -rf $build/seeds && mkdir -p $build/seeds $build/corpus $build/found
mapfile -t all < <($build/tests/fuzz/fuzz_seeds_readers $build/seeds)
targets=()
for target in "${all[@]}"; do
  for wanted in "${@:-}"; do
    if [[ $target == "$wanted"* ]]; then targets+=("$target"); break; fi
  done
done
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no target begins with $*" >&2; exit 2; }
if [ "$how" = list ]; then printf '%s\n' "${targets[@]}"; exit; fi

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=1
found=0
for target in "${targets[@]}"; do
  mkdir -p "$build/corpus/$target"
  if [ "$how" = runs ]; then limit=(-runs="$amount"); else limit=(-max_total_time=$((amount * 60 / ${#targets[@]} + 1))); fi
  log=$build/found/$target.log
  if BACKLIT_FUZZ=$target $build/tests/fuzz/fuzz_readers "${limit[@]}" -seed=1 -max_len=65536 -timeout=20 \
    -rss_limit_mb=3000 -malloc_limit_mb=2000 -print_final_stats=1 -artifact_prefix="$build/found/$target-" \
    "$build/corpus/$target" "$build/seeds/$target" >"$log" 2>&1; then
    echo "$target: $(sed -n 's/stat::number_of_executed_units: *//p' "$log") inputs, no finding"
    rm "$log"
  else
    echo "$target: FOUND, see $log"
    found=1
  fi
done
exit $found
