// Measured limits of a study's devices, and the distance of cells to them.
#pragma once

#include <span>

#include <backlit/core/progress.hpp>
#include "study/probes/device_probes.hpp"
#include "study/study_group.hpp"

namespace backlit {

/// Probes of all backends, timed repeatedly throughout a study. Clocks and other processes change within minutes, and
/// no cell may exceed its limit only because the limit was measured at a bad moment.
class DeviceLimits {
 public:
  /// Warms up the devices. `copied_bytes` as in ProbedDevice::probes().
  DeviceLimits(std::span<Backend* const>, std::int64_t copied_bytes, const Watch&);
  DeviceLimits(const DeviceLimits&) = delete;
  DeviceLimits& operator=(const DeviceLimits&) = delete;
  /// Times all probes in turn.
  void sample(std::int64_t repeats, const Watch&);
  /// Times the first probe of each architecture; called before every group of cells.
  void sample_yardsticks();

  /// Rates of the fastest repeats, then "yardstick, fma": a median rate, which shows two studies how fast the machine
  /// was for each. The spread of a yardstick contains 95 % of the samples (of normally distributed logarithms).
  std::vector<Ceiling> result() const;

 private:
  struct TimedProbe {
    Backend* backend;
    DeviceProbe probe;
    std::int64_t runs = 1;
    std::vector<double> seconds{}, as_yardstick{};

    double sample() const;
  };
  std::vector<TimedProbe> all_;
  std::vector<TimedProbe*> yardsticks_;  ///< pointers into all_
};

/// Card, driver, versions, processors, CPU.
Facts environment_of(std::span<Backend* const>);

/// Finds the ceiling that limits a candidate: of all ceilings in its demands, the one that would take longest. (Of
/// ceilings that differ only in the step, the best counts.) Also sets its share of the cell's median. A share of more
/// than 1 stays, with a note: the ceiling was measured too low.
void find_limit(Candidate&, std::span<const Ceiling>);

}  // namespace backlit
