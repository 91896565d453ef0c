#include "recon/session/handover.hpp"

#include <utility>

namespace backlit {

Handover::Handover(TakeSlices take, bool behind, std::int64_t values, std::int64_t most,
                   std::function<std::shared_ptr<std::byte>(std::int64_t)> allocate)
    : take_(std::move(take)),
      values_(static_cast<std::size_t>(values)),
      most_(static_cast<std::size_t>(behind ? most : 1)),
      allocate_(std::move(allocate)) {
  if (behind) thread_ = std::thread([this] { work(); });
}

Handover::~Handover() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
    while (given_.size() > 1) given_.pop_back();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Handover::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

std::span<float> Handover::room() {
  std::unique_lock lock(mutex_);
  rethrow();
  if (free_.empty() && rooms_.size() < most_) {
    rooms_.push_back(allocate_(static_cast<std::int64_t>(values_ * sizeof(float))));
    free_.push_back(reinterpret_cast<float*>(rooms_.back().get()));
  }
  changed_.wait(lock, [this] { return failure_ || !free_.empty(); });
  rethrow();
  float* const room = free_.back();
  free_.pop_back();
  return {room, values_};
}

void Handover::give(std::int64_t first, std::span<float> slices) {
  if (!thread_.joinable()) {
    take_(first, slices);
    free_.push_back(slices.data());
    return;
  }
  const std::scoped_lock lock(mutex_);
  rethrow();
  given_.push_back({first, slices});
  changed_.notify_all();
}

void Handover::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || given_.empty(); });
  rethrow();
}

void Handover::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !given_.empty(); });
    if (ends_) return;
    const Slices next = given_.front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      take_(next.first, next.values);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    free_.push_back(next.values.data());
    if (!given_.empty()) given_.pop_front();
    failure_ = failure;
    changed_.notify_all();
    if (failure_) return;
  }
}

}  // namespace backlit
