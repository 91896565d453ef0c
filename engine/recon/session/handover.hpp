// Slices that one thread makes and another uses, some slices behind.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include <backlit/recon/session.hpp>

namespace backlit {

class Handover {
 public:
  /// `take` is called on a thread of its own if `behind`, else by give(). At most `most` rooms of `values` floats are
  /// allocated, by `allocate`, the first at once.
  Handover(TakeSlices take, bool behind, std::int64_t values, std::int64_t most,
           std::function<std::shared_ptr<std::byte>(std::int64_t bytes)> allocate);
  /// Slices that were not taken yet are dropped.
  ~Handover();
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

  /// A room to fill. Waits until one is free. Throws what `take` has thrown, as the next two do.
  std::span<float> room();
  /// Slices in the last room, for `take`.
  void give(std::int64_t first, std::span<float> slices);
  /// Waits until all are taken.
  void finish();

 private:
  struct Slices {
    std::int64_t first;
    std::span<float> values;
  };
  void work();
  void rethrow() const;

  TakeSlices take_;
  std::size_t values_, most_;
  std::function<std::shared_ptr<std::byte>(std::int64_t)> allocate_;
  std::vector<std::shared_ptr<std::byte>> rooms_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<float*> free_;
  std::deque<Slices> given_;  ///< the first is being taken
  bool ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace backlit
