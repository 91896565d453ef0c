// Progress of long work, and requests to stop it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace backlit {

/// A request to stop. Any thread or a signal handler may set it; long work polls it between work items.
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

/// Observer of long work. Between two work items it passes on the progress and checks whether to stop. The default does
/// neither. The progress and the token must outlive the work.
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

/// Items of `values` floats in a batch of about 16 MiB; at least one.
constexpr std::int64_t items_at_once(std::int64_t values) {
  return std::max<std::int64_t>(1, (std::int64_t{1} << 22) / std::max<std::int64_t>(1, values));
}

/// Calls work(first, count) for consecutive batches of `items` items, as a stage of its own. An item has `values`
/// floats. Throws Cancelled between two batches.
template <class Work>
void in_batches(const Watch& watch, std::string_view stage, std::int64_t items, std::int64_t values,
                std::string_view unit, Work&& work) {
  const std::int64_t batch = items_at_once(values);
  watch.begin(stage, items, unit);
  for (std::int64_t first = 0; first < items; first += batch) {
    const std::int64_t count = std::min(batch, items - first);
    work(first, count);
    watch.advance(count);
  }
  watch.end();
}

}  // namespace backlit
