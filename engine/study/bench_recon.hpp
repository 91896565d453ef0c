// Times whole steps of a reconstruction: iterations, and FDK's filter.
#pragma once

#include "recon/reconstruction.hpp"
#include "study/bench.hpp"

namespace backlit {

/// Iterations of options.method on line integrals of the head, from the second on: the first makes what later ones
/// keep. The rate is iterations a second. `passes`, where given, gets the device's time by pass of one more iteration.
BenchRow bench_iteration(Backend&, const BenchCase&, const ReconOptions&, std::int64_t repeats,
                         PassTimes* passes = nullptr);

}  // namespace backlit
