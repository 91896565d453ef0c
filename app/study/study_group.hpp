// What a study compares: configurations of one operation on one workload, timed in turn.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include "study/bench/trial.hpp"
#include "study/study_result.hpp"

namespace backlit {

/// The least that a run takes of something a device has only so much of.
struct Demand {
  std::string ceiling;  ///< name of a Ceiling
  double amount = 0;    ///< in 1e9 of its unit: G fetches, GB, GFLOP
};

struct Candidate {
  StudyCell cell;  ///< with all that is known before anything runs
  Backend* backend = nullptr;
  std::string through;  ///< architecture of the ceilings that count: "fragment", "compute", "CUDA", "CPU"
  std::vector<Demand> demands;
  double draws_a_pass = 0;         ///< 0: nothing is drawn
  double projections = 0;          ///< of a run, for projections a second beside other rates; 0: unknown
  std::function<Trial()> prepare;  ///< may throw what the backend throws for what it does not offer
};

using StudyGroup = std::vector<Candidate>;

struct MeasureOptions {
  std::int64_t least = 7,
               most = 15;  ///< repeats of a cell; of those that take longer than `slow_seconds`, `least_of_slow`
  std::int64_t least_of_slow = 3;
  double slow_seconds = 1;
  double seconds = 0.5;           ///< a cell is repeated at least so long, up to `most` times
  double noisy_seconds = 0;       ///< the same of cells that are noisy so far, where that is more
  double sample_seconds = 0.003;  ///< shorter runs are timed several at a time
  double wake_seconds = 0.3;      ///< untimed, at most a quarter of what making cells ready took
};

/// Makes every candidate ready, runs it once to warm up, judges what it left and counts what it did; then times those
/// that are right in turn, round after round, each round beginning with another. Fills the cells: seconds, device
/// seconds, counts, rmse, status and note. What fails or is not offered says why and is not timed. Measured again, the
/// candidates that were right are made anew and get another pass of repeats. Advances `watch` by two for each candidate
/// in all; throws Cancelled, with the cells as they are then.
void measure(StudyGroup&, const MeasureOptions&, const Watch&);

}  // namespace backlit
