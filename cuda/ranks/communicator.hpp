// NCCL's link between the cards of all ranks, whose waits end when a rank fails.
#pragma once

#include <memory>

#include <backlit/device/ranks.hpp>
#include "cuda/ranks/nccl.hpp"

namespace backlit::cuda {

/// NCCL starts, connects and sends in threads of its own. The host asks whether it is done, and looks for failures of
/// other ranks and for Ctrl-C meanwhile.
class Communicator {
 public:
  /// Begins to link; returns at once. All ranks call it, each with its card current.
  Communicator(const Nccl&, std::shared_ptr<Ranks>);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  /// Waits until all messages have arrived, unless a rank fails: this one, while an exception leaves it, or another.
  ~Communicator();

  /// Waits until NCCL has done what was begun; only then may another call follow, or work on a stream of its messages.
  /// Throws as Ranks::check() does, and Failure where NCCL failed.
  void settle(const char* what);
  /// Ends the link, and messages on their way. Waits for nobody.
  void abort();
  bool lost() const { return !link_; }
  operator Nccl::Communicator() const { return link_; }

 private:
  const Nccl& nccl_;
  std::shared_ptr<Ranks> ranks_;
  Nccl::Communicator link_ = nullptr;
  int exceptions_ = 0;  ///< that were under way when the link was made
};

}  // namespace backlit::cuda
