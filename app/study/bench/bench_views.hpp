// Times pictures drawn directly from filtered views, without a volume.
#pragma once

#include <backlit/render/volume_rendering.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// An oblique slice of 512 x 512 pixels through the middle, as wide as the case's grid. Uses precision and variant of
/// `options`; draws the views of `data`. GUPS: pixels times views; rmse over 2,000 of the pixels. Throws Unsupported
/// for backends other than gl.
BenchRow bench_slice(Backend&, const BenchCase&, const CtOptions& options, const BenchData& data, std::int64_t repeats);

/// One picture of `mode`, of side x side pixels, directly from filtered views, as in bench_d2vr(). `skip`: with leaps.
/// `options`: precision and variant. The result is that of the rays (PictureKind). Throws Unsupported for backends
/// other than gl.
Trial d2vr_trial(Backend&, const BenchCase&, const BenchData&, const CtOptions& options, VolumeMode mode,
                 std::int64_t side, bool skip);
/// The same in double precision.
std::vector<float> d2vr_truth(const BenchCase&, const BenchData&, VolumeMode mode, std::int64_t side);

/// Pictures of `side` x `side` pixels directly from the views of the FORBILD head. The grid's box fills 70 % of the
/// picture; samples are a voxel apart. One row for each mode (all but average if `mode` is empty), and precision and
/// variant of `list`. The first of these also has a row with all samples ("all samples"), without leaps by the coarse
/// volume. The others also report the share of pixels that leaps change. The coarse volume exists already, as while a
/// camera moves. Rate: frames a second. Throws Unsupported for backends other than gl. `report` receives each row.
void bench_d2vr(Backend&, const BenchCase&, const std::vector<CtOptions>& list, const std::string& mode,
                std::int64_t side, std::int64_t repeats, const std::function<void(const BenchRow&)>& report);

}  // namespace backlit
