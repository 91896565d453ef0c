// The limits of the devices of a study, measured on the spot, and how near to them cells come.
#pragma once

#include <span>

#include <backlit/core/progress.hpp>
#include "study/probes/device_probes.hpp"
#include "study/study_group.hpp"

namespace backlit {

/// Probes of all backends, timed again and again all through a study: in minutes clocks and neighbours change, and no
/// cell may be faster than its limit because that was measured in a bad moment.
class DeviceLimits {
 public:
  /// Warms up. `copied_bytes` as in ProbedDevice::probes().
  DeviceLimits(std::span<Backend* const>, std::int64_t copied_bytes, const Watch&);
  DeviceLimits(const DeviceLimits&) = delete;
  DeviceLimits& operator=(const DeviceLimits&) = delete;
  /// All of them in turn.
  void sample(std::int64_t repeats, const Watch&);
  /// The first of each architecture: before every group of cells.
  void sample_yardsticks();

  /// Rates of the fastest repeats, then "yardstick, fma": the median rate, by which two studies know how fast the
  /// machine was for each; its spread is what 95 % of the samples (of normal logarithms) lie within.
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
  std::vector<TimedProbe*> yardsticks_;  ///< of all_
};

/// Card, driver, versions, processors, CPU.
Facts environment_of(std::span<Backend* const>);

/// Of the ceilings that the candidate's demands name (the best of those that differ in the step alone), the one that
/// would take longest, and what share of the cell's median that is. One of more than 1 stays, with a note: the ceiling
/// was measured too low.
void find_limit(Candidate&, std::span<const Ceiling>);

}  // namespace backlit
