// Times whole steps of a reconstruction: iterations, and FDK's filter.
#pragma once

#include <backlit/recon/reconstruction.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// One iteration of a method on exact line integrals of the head, from zero on or from where the last run ended.
/// As many runs as wanted, whatever its `iterations` say. The result is the volume.
Trial iteration_trial(Backend&, const BenchCase&, Method);

/// Iterations of a method on line integrals of the head, after a warm-up of at least one: the first makes what
/// later ones keep. The rate is iterations a second. `passes`, where given, gets the device's time by pass of one more
/// iteration.
BenchRow bench_iteration(Backend&, const BenchCase&, const Method&, std::int64_t repeats, PassTimes* passes = nullptr);

/// FDK's ramp on about `values` values of the case's detector rows (whole views where that is more than one), by
/// FilterOptions::variant. `resident`: views are on the device already and stay there; otherwise they come from the
/// host and end on the device. Rates are G values a second. Null when the case has not so many values.
std::optional<BenchRow> bench_filter(Backend&, const BenchCase&, FilterVariant, bool resident, std::int64_t values,
                                     std::int64_t repeats);

}  // namespace backlit
