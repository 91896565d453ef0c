// Progress of long work, and requests to stop it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace backlit {

/// Set from any thread (or a signal handler); polled between work items.
class CancelToken {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }
  /// Throws Cancelled when a stop was requested.
  void check() const;

 private:
  std::atomic<bool> requested_{false};
};

/// Receives progress. Stages do not nest; the default does nothing.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage of `total` items begins ("backproject", 360, "views").
  virtual void begin(std::string_view /*stage*/, std::int64_t /*total*/, std::string_view /*unit*/) {}
  virtual void advance(std::int64_t /*items*/) {}
  virtual void end() {}
};

/// Observer of long work: between two work items it is asked whether to stop and receives the progress. The default
/// does neither.
/// Objects that it refers to must outlive the work.
class Watch {
 public:
  Watch() = default;
  Watch(Progress& progress, const CancelToken& cancel) : progress_(&progress), cancel_(&cancel) {}

  void begin(std::string_view stage, std::int64_t total, std::string_view unit) const;
  /// Throws Cancelled when a stop was requested.
  void advance(std::int64_t items) const;
  void end() const;

 private:
  Progress* progress_ = nullptr;
  const CancelToken* cancel_ = nullptr;
};

/// work(first, count) over `items` of `values` numbers each, some 16 MiB at a time, as a stage of its own. Throws
/// Cancelled between two batches.
template <class Work>
void in_batches(const Watch& watch, std::string_view stage, std::int64_t items, std::int64_t values,
                std::string_view unit, Work&& work) {
  const std::int64_t batch = std::clamp<std::int64_t>((std::int64_t{1} << 22) / std::max<std::int64_t>(1, values), 1,
                                                      std::max<std::int64_t>(1, items));
  watch.begin(stage, items, unit);
  for (std::int64_t first = 0; first < items; first += batch) {
    const std::int64_t count = std::min(batch, items - first);
    work(first, count);
    watch.advance(count);
  }
  watch.end();
}

}  // namespace backlit
