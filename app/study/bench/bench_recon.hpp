// Times whole steps of a reconstruction: iterations, and FDK's filter.
#pragma once

#include <backlit/recon/reconstruction.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// One iteration of a method on exact line integrals of the head, from zero or from the last run's result. It can run
/// any number of times, regardless of the option `iterations`. The result is the volume.
Trial iteration_trial(Backend&, const BenchCase&, Method);

/// Iterations of a method on line integrals of the head, after a warm-up of at least one: the first iteration creates
/// data for later ones. The rate is iterations a second. `passes`, if given, receives the device's time by pass of one
/// more iteration.
BenchRow bench_iteration(Backend&, const BenchCase&, const Method&, std::int64_t repeats, PassTimes* passes = nullptr);

/// FDK's ramp filter on about `values` values of the case's detector rows (whole views if that is more than one view).
/// `resident`: views stay on the device; otherwise they come from the host and end on the device. Rates are G values a
/// second. Null if the case has too few values.
std::optional<BenchRow> bench_filter(Backend&, const BenchCase&, FilterVariant, bool resident, std::int64_t values,
                                     std::int64_t repeats);

}  // namespace backlit
