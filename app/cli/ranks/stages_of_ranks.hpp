// What each stage took on all ranks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <backlit/device/ranks.hpp>
#include <backlit/recon/stopwatch.hpp>

namespace backlit::cli {

/// Seconds of a stage on the ranks that were quickest and slowest in it; 0 where a rank has no such stage.
struct StageOfRanks {
  std::string stage;
  double least = 0, most = 0;
  int slowest = 0;  ///< rank
};

/// Of all stages that some rank has, by name. All ranks call it, and all get it.
std::vector<StageOfRanks> stages_of_ranks(Ranks&, const StageSeconds& own);

/// "write 1.20 to 1.31 s (longest on rank 0), read ...", the longest first, without those below 5 ms.
std::string text_of(const std::vector<StageOfRanks>&);

}  // namespace backlit::cli
