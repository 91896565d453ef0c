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

/// Seconds of repeated runs, after a warm-up.
struct Timing {
  double median = 0, min = 0, max = 0;
  std::int64_t repeats = 0;
};

/// The statistics of a list of durations; the median of an even number is the mean of the middle two.
Timing timing_of(std::vector<double> durations);

/// Untimed runs come first: one, which may have to compile, to fill or to plan, and then more until these have taken
/// `seconds`, for devices that idled while the host made a case slow their clocks down and take tenths of a second to
/// notice work (an H200 began at a third of its clock and took 0.25 s of work to come back). Runs that take `seconds`
/// count from the second on, a first run of more than `at_most` seconds counts: a warm-up would take as long.
struct WarmUp {
  double seconds = 0.3, at_most = 5;
};

/// Runs `work` to warm up, then until `repeats` (from 1 on) runs and at least `seconds` have passed (at most 10 x
/// repeats runs). `finish` waits for the device. Work that takes microseconds runs thousands of times, and should take
/// as long each time. What either throws passes through.
Timing time_repeatedly(const std::function<void()>& work, const std::function<void()>& finish, std::int64_t repeats,
                       double seconds, WarmUp warm_up = {});

struct BenchRow {
  std::string case_name, operation, variant;
  Timing seconds;
  double rate = 0;
  std::string unit;                       ///< "GUPS", "G samples/s"
  std::optional<double> rmse;             ///< HU against double precision, where the data have a right answer
  std::optional<RabbitError> rabbitct{};  ///< the same by RabbitCT's own metric
  std::optional<double> relative{};       ///< relative L2 from double precision, of projections and emission of a head
};

/// As backprojection_trial() and projection_trial() do it, one after the other. With `check` a transpose by joseph gets
/// its relative L2 from double precision over random voxels.
BenchRow bench_backprojection(Backend&, const BenchCase&, const CtOptions&, const BenchData&, std::int64_t repeats,
                              bool check = false);
/// Of the head in `truth`, or of noise; `relative` where it has rays.
BenchRow bench_projection(Backend&, const BenchCase&, const CtOptions&, std::int64_t repeats,
                          const BenchRays& truth = {});

/// Emission through matter that attenuates nothing (which takes as long as any): all views of a random volume, or back.
/// Rates as those of projection and of backprojection. With `check` the head forward, against the cpu backend on the
/// first view; back has no error, whose right answer takes all views.
enum class EmissionPart { forward, back };
BenchRow bench_emission(Backend&, const BenchCase&, const EmissionOptions&, EmissionPart, bool check,
                        std::int64_t repeats);

}  // namespace backlit
