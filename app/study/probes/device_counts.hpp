// Work of one run, counted by the device and by its backend.
#pragma once

#include <functional>

#include <backlit/device/backend.hpp>
#include "study/study_result.hpp"

namespace backlit {

struct DeviceCounts {
  double device_seconds = 0;  ///< sum over passes by timer queries or events; 0: unknown
  double wall_seconds = 0;    ///< wall clock time of the same run
  std::int64_t passes = 0, drawn_passes = 0;
  double fragments = 0, invocations = 0;  ///< runs of fragment and compute shaders; 0: unknown
};

/// Runs `work` once with every pass timed.
DeviceCounts count_run(Backend&, const std::function<void()>& work);

}  // namespace backlit
