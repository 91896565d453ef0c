// Times operators on the benchmark cases.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "data/host_array.hpp"
#include "study/cases.hpp"

namespace backlit {

/// Seconds of repeated runs, after a warm-up.
struct Timing {
  double median = 0, min = 0, max = 0;
  std::int64_t repeats = 0;
};

/// Runs `work` once to warm up, then until `repeats` runs and at least `seconds` have passed (at most 10 x repeats
/// runs). `finish` waits for the device.
Timing time_repeatedly(const std::function<void()>& work, const std::function<void()>& finish, std::int64_t repeats,
                       double seconds);

/// The statistics of a list of durations; the median of an even number is the mean of the middle two.
Timing timing_of(std::vector<double> durations);

struct BenchRow {
  std::string case_name, operation, variant;
  Timing seconds;
  double rate = 0;
  std::string unit;  ///< "GUPS", "Gsamples/s"
};

/// Backprojection of random views that are on the device already, packing into textures included. GUPS counts all
/// voxels times all views.
BenchRow bench_backprojection(Backend&, const BenchCase&, const CtOptions&, std::int64_t repeats);

/// Forward projection of a random volume on the device. G samples a second count every ray times every slice of the
/// stack along the main axis (the largest of the grid's x and y extents), whether the ray meets the grid or not.
BenchRow bench_projection(Backend&, const BenchCase&, const CtOptions&, std::int64_t repeats);

}  // namespace backlit
