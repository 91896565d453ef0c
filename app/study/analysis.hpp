// The method of Zinsser and Keck (Fully3D 2013) for finding the bottleneck of a backprojection kernel: the same kernel
// is timed whole and with parts left out.
#pragma once

#include <vector>

#include "study/bench/bench.hpp"

namespace backlit {

/// Configurations of the CUDA backend's kernels A and B that analyse() compares, in one precision (fast or half).
/// Throws Unsupported if the backend has none.
std::vector<CtOptions> analysed_kernels(const Backend&, Precision);

/// Four rows with the operations "I|-|-" (no fetches, no volume), "I|M|-" (no fetches), "I|M|T, 1e-6 mm" (voxels so
/// small that all fetches hit the cache) and "I|M|T". `data` comes from random_views().
std::vector<BenchRow> analyse(Backend&, const BenchCase&, const CtOptions& kernel, const BenchData&,
                              std::int64_t repeats);

}  // namespace backlit
