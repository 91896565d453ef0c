// The limits of the devices of a study, measured on the spot, and how near to them cells come.
#pragma once

#include <span>

#include "backend/device_probes.hpp"
#include "core/progress.hpp"
#include "study/study_group.hpp"

namespace backlit {

/// Warm-up, then all probes in turn, `repeats` times. `copied_bytes` as in ProbedDevice::probes().
std::vector<Ceiling> measure_ceilings(std::span<Backend* const>, std::int64_t copied_bytes, std::int64_t repeats,
                                      const Watch&);
/// A probe of one backend, being timed.
struct TimedProbe {
  Backend* backend;
  DeviceProbe probe;
  std::int64_t runs = 1;
  StudyCell cell{};  ///< for its statistics alone

  /// Runs it once to warm up, then chooses `runs`.
  void warm_up();
  /// Seconds of a run.
  double sample() const;
};

/// The same piece of work, timed again and again all through a study: how a machine's speed changes over minutes (its
/// clock, its neighbours) is not seen in repeats that follow each other.
class Yardsticks {
 public:
  /// The first probe of each architecture.
  Yardsticks(std::span<Backend* const>, std::int64_t copied_bytes);
  void sample();
  /// "yardstick, fma": median rate; the spread is what 95 % of the samples (of normal logarithms) lie within.
  std::vector<Ceiling> result() const;

 private:
  std::vector<TimedProbe> all_;
};

/// Card, driver, versions, processors, CPU.
Facts environment_of(std::span<Backend* const>);

/// Of the ceilings that the candidate's demands name (the best of those that differ in the step alone), the one that
/// would take longest, and what share of the cell's median that is. A cell that is faster than its ceiling by more than
/// both spreads has no share but a note: the ceiling was measured too low.
void find_limit(Candidate&, std::span<const Ceiling>);

}  // namespace backlit
