// Ranks by MPI. The only place that knows MPI.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/device/ranks.hpp>
#include "ranks/launch.hpp"

namespace backlit::cli {

/// What a rank throws because another one failed begins with this.
inline constexpr const char* other_rank_failed = "ranks: another rank failed";

/// How a rank ended.
struct Ending {
  enum class Kind : int { well, cancelled, reported, failed };
  Kind kind = Kind::well;  ///< reported: it stopped since another rank had failed
  int code = 0;            ///< exit status
  std::string text{};      ///< why it failed, one line
  std::string machine{};
};

/// Ranks that can end together.
class EndingRanks : public Ranks {
 public:
  /// All ranks stop at their next call, as soon as they see it.
  virtual void announce_failure() = 0;
  /// Waits until every rank has ended; how each did. No call follows.
  virtual std::vector<Ending> end(const Ending& mine) = 0;
};

/// Starts MPI. Throws InputError where this build has none, and Failure where MPI does not see the processes that the
/// launcher started. Calls throw Cancelled when `cancel` was requested.
std::shared_ptr<EndingRanks> start_mpi(const Launch&, const CancelToken& cancel);

}  // namespace backlit::cli
