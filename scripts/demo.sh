#!/usr/bin/env bash
# Simulates a cone-beam scan of the FORBILD head, reconstructs it with OpenGL shaders and shows it beside the truth.
# Everything it makes is in demo-output/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build.sh backlit
out=demo-output
mkdir -p "$out"
backlit=build/backlit
start=$SECONDS

echo
echo "== Simulating: exact line integrals of the FORBILD head, with the noise of 4e6 photons a pixel"
"$backlit" simulate forbild-head --scan assets/scans/demo-cone.scan.toml -o "$out/head.npy" \
  --noise 4e6 --seed 1 --supersample 2 --truth "$out/truth.mha"

echo
echo "== Reconstructing with vertex and fragment shaders (FDK)"
"$backlit" recon "$out/head.scan.toml" -o "$out/head.mha" --backend gl --method fdk --filter hann --cutoff 0.9

echo
echo "== Comparing with the truth (values in 1/mm, water is 0.02)"
"$backlit" compare "$out/head.mha" "$out/truth.mha"
"$backlit" render "$out/head.mha" -o "$out/head.png" --mode sheet --truth "$out/truth.mha" --quiet \
  --window 0,0.04 --narrow 0.0195,0.0225 --title "FORBILD head: cone beam, 480 views, FDK in OpenGL shaders"

echo
echo "Done in $((SECONDS - start)) s after the build."
echo "  picture   $out/head.png"
echo "  volume    $out/head.mha   (truth: $out/truth.mha)"
echo "  scan      $out/head.scan.toml"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "To look at it interactively: scripts/build.sh backlit-view && build/backlit-view $out/head.scan.toml"
fi
