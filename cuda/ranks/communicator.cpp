#include "cuda/ranks/communicator.hpp"

#include <chrono>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include <backlit/core/error.hpp>

namespace backlit::cuda {
namespace {

constexpr int quick_looks = 200;  // before a wait gives up the core
constexpr std::chrono::microseconds pause{50};

/// A number that rank 0 makes for all.
Nccl::Id common_id(const Nccl& nccl, Ranks& ranks) {
  Nccl::Id id{};
  std::string text(sizeof id.bytes, '\0');
  if (ranks.rank() == 0) {
    nccl.check(nccl.GetUniqueId(&id), "a number for this run");
    text.assign(id.bytes, sizeof id.bytes);
  }
  text = ranks.from_first(text);
  std::memcpy(id.bytes, text.data(), sizeof id.bytes);
  return id;
}

}  // namespace

Communicator::Communicator(const Nccl& nccl, std::shared_ptr<Ranks> ranks)
    : nccl_(nccl), ranks_(std::move(ranks)), exceptions_(std::uncaught_exceptions()) {
  Nccl::Config config;
  const Nccl::Id id = common_id(nccl_, *ranks_);
  nccl_.check(nccl_.CommInitRankConfig(&link_, ranks_->size(), id, ranks_->rank(), &config), "linking ranks");
}

Communicator::~Communicator() {
  if (!link_) return;
  try {
    // Others would wait for a rank that fails.
    if (std::uncaught_exceptions() > exceptions_) throw Failure("NCCL", "the link between ranks is given up");
    settle("linking ranks");
    nccl_.check(nccl_.CommFinalize(link_), "ending the link");
    settle("ending the link");
    nccl_.CommDestroy(link_);
  } catch (const std::exception&) {
    abort();
  }
}

void Communicator::settle(const char* what) {
  for (int look = 0;; ++look) {
    int state = 0;
    nccl_.check(nccl_.CommGetAsyncError(link_, &state), what);
    nccl_.check(state, what);
    if (state != Nccl::in_progress) return;
    if (look < quick_looks) {
      std::this_thread::yield();
      continue;
    }
    ranks_->check();
    std::this_thread::sleep_for(pause);
  }
}

void Communicator::abort() {
  if (link_) nccl_.CommAbort(std::exchange(link_, nullptr));
}

}  // namespace backlit::cuda
