// Groups of a study: configurations of one operation on one workload, timed in turn.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include "study/bench/trial.hpp"
#include "study/study_result.hpp"

namespace backlit {

/// The least amount of a limited resource of the device that a run needs.
struct Demand {
  std::string ceiling;  ///< name of a Ceiling
  double amount = 0;    ///< in 1e9 of its unit: G fetches, GB, GFLOP
};

struct Candidate {
  StudyCell cell;  ///< all fields that are known before the measurement are set
  Backend* backend = nullptr;
  std::string through;  ///< architecture of the ceilings that apply: "fragment", "compute", "CUDA", "CPU"
  std::vector<Demand> demands;
  double draws_a_pass = 0;  ///< 0: it does not draw
  double projections = 0;   ///< projections of a run, to report projections a second beside other rates; 0: unknown
  std::function<Trial()> prepare;  ///< may throw the backend's exceptions for unsupported options
};

using StudyGroup = std::vector<Candidate>;

struct MeasureOptions {
  std::int64_t least = 7,
               most = 15;  ///< repeats of a cell; of those that take longer than `slow_seconds`, `least_of_slow`
  std::int64_t least_of_slow = 3;
  double slow_seconds = 1;
  double seconds = 0.5;           ///< least time of repeats of a cell, up to `most` repeats
  double noisy_seconds = 0;       ///< least time for cells that are still noisy, if that is more
  double sample_seconds = 0.003;  ///< shorter runs are timed several at a time
  double wake_seconds = 0.3;      ///< least untimed work, at most a quarter of the time for preparing the cells
};

/// Prepares every candidate, runs it once to warm up, checks its result and counts its work. Then times the correct
/// ones in turn, round after round; each round begins with another one. Fills the cells: seconds, device seconds,
/// counts, rmse, status and note. Candidates that fail or are not offered get a note and are not timed. A second call
/// prepares the correct candidates again and adds another pass of repeats. Advances `watch` by two for each candidate
/// in all. Throws Cancelled; the cells then keep their present values.
void measure(StudyGroup&, const MeasureOptions&, const Watch&);

}  // namespace backlit
