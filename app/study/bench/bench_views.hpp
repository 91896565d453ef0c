// Times what is drawn straight from filtered views, without a volume.
#pragma once

#include <backlit/render/volume_rendering.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// An oblique slice of 512 x 512 pixels through the middle, as wide as the case's grid. Of `options` precision and
/// variant count; of `data` the views are drawn whatever they are. GUPS: pixels times views; rmse over 2,000 of the
/// pixels. Throws Unsupported for backends other than gl.
BenchRow bench_slice(Backend&, const BenchCase&, const CtOptions& options, const BenchData& data, std::int64_t repeats);

/// One picture of `mode`, of side x side pixels, straight from filtered views, as bench_d2vr() makes them; leaps left
/// out or not. `options`: precision and variant. The result is what rays found (PictureKind). Throws Unsupported for
/// backends other than gl.
Trial d2vr_trial(Backend&, const BenchCase&, const BenchData&, const CtOptions& options, VolumeMode mode,
                 std::int64_t side, bool skip);
/// The same in double precision.
std::vector<float> d2vr_truth(const BenchCase&, const BenchData&, VolumeMode mode, std::int64_t side);

/// Pictures of `side` x `side` pixels straight from the views of the FORBILD head, the grid's box filling 70 % of the
/// picture, samples a voxel apart: one row for each mode (all but average when `mode` is empty), precision and variant
/// of `list`; with the first of them also all samples ("all samples"), those that the coarse volume rules out too, and
/// with the others how many pixels that changes. The coarse volume is there already, as it is while a camera moves.
/// Rate: frames a second. Throws Unsupported for backends other than gl. `report` gets each row when it is there.
void bench_d2vr(Backend&, const BenchCase&, const std::vector<CtOptions>& list, const std::string& mode,
                std::int64_t side, std::int64_t repeats, const std::function<void(const BenchRow&)>& report);

}  // namespace backlit
