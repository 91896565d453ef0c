// Times operators on the benchmark cases.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include "study/bench/bench_data.hpp"
#include "study/bench/cases.hpp"

namespace backlit {

/// Seconds of repeated runs, measured after a warm-up.
struct Timing {
  double median = 0, min = 0, max = 0;
  std::int64_t repeats = 0;
};

/// The statistics of a list of durations; the median of an even number is the mean of the middle two.
Timing timing_of(std::vector<double> durations);

/// Untimed runs come first: one, which may compile, allocate or plan, and then more until these have taken `seconds`.
/// Devices that idled while the host made a case run at a low clock and take tenths of a second to speed up. An H200
/// began at a third of its clock and took 0.25 s of work to reach the full clock. Runs that take `seconds` count from
/// the second on. A first run of more than `at_most` seconds counts too: a warm-up would take too long.
struct WarmUp {
  double seconds = 0.3, at_most = 5;
};

/// Runs `work` to warm up, then until `repeats` (at least 1) runs are done and `seconds` have passed, at most 10 x
/// repeats runs. `finish` waits for the device. Work of microseconds runs thousands of times, and should take the same
/// time each time. Exceptions of both functions pass through.
Timing time_repeatedly(const std::function<void()>& work, const std::function<void()>& finish, std::int64_t repeats,
                       double seconds, WarmUp warm_up = {});

struct BenchRow {
  std::string case_name, operation, variant;
  Timing seconds;
  double rate = 0;
  std::string unit;                       ///< HU against double precision, if the data have a reference
  std::optional<double> rmse;             ///< the same error in RabbitCT's own metric
  std::optional<RabbitError> rabbitct{};  ///< the same error in RabbitCT's metric
  std::optional<double> relative{};       ///< relative L2 from double precision, of projections and emission of a head
};

/// Times backprojection_trial(). With `check`, a transpose by joseph gets its relative L2 against double precision over
/// random voxels.
BenchRow bench_backprojection(Backend&, const BenchCase&, const CtOptions&, const BenchData&, std::int64_t repeats,
                              bool check = false);
/// Times projection_trial() for the head in `truth`, or for noise. Sets `relative` if `truth` has rays.
BenchRow bench_projection(Backend&, const BenchCase&, const CtOptions&, std::int64_t repeats,
                          const BenchRays& truth = {});

/// Emission with zero attenuation (which takes as long as any other): all views of a random volume, or the transpose.
/// Rates are those of projection and backprojection. With `check`, projects the head and compares the first view with
/// the cpu backend. The transpose has no error: its reference would need all views.
enum class EmissionPart { forward, back };
BenchRow bench_emission(Backend&, const BenchCase&, const EmissionOptions&, EmissionPart, bool check,
                        std::int64_t repeats);

}  // namespace backlit
