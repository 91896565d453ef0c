// Times what is drawn straight from filtered views, without a volume.
#pragma once

#include "study/bench.hpp"

namespace backlit {

/// An oblique slice of 512 x 512 pixels through the middle, as wide as the case's grid. Of `options` precision and
/// variant count; of `data` the views are drawn whatever they are. GUPS: pixels times views; rmse over 2,000 of the
/// pixels. Throws Unsupported for backends other than gl.
BenchRow bench_slice(Backend&, const BenchCase&, const CtOptions& options, const BenchData& data, std::int64_t repeats);

}  // namespace backlit
