// How many views make a work item of about 20 ms.
#pragma once

#include <algorithm>
#include <cstdint>

namespace backlit {

/// Starts small, doubles while items are quick and halves while they are slow.
class BatchSize {
 public:
  /// Backprojecting a few views at once saves passes over the volume, so a batch never shrinks below `least`.
  BatchSize(std::int64_t least, std::int64_t most) : least_(std::min(least, most)), most_(most), size_(least_) {}

  std::int64_t size() const { return size_; }
  void took(double seconds) {
    if (seconds < target / 2) size_ = std::min(most_, 2 * size_);
    if (seconds > 2 * target) size_ = std::max(least_, size_ / 2);
  }

  static constexpr double target = 0.02;

 private:
  std::int64_t least_, most_, size_;
};

/// What projecting and backprojecting some views takes: a table of the whole volume costs as much for one view as for
/// many.
struct CallSeconds {
  double once = 0, each_view = 0;

  double of(std::int64_t views) const { return once + static_cast<double>(views) * each_view; }
  /// Views that take about a work item's time; where what is paid once alone takes longer, as many as take that again.
  double worth_calling() const { return std::max(BatchSize::target - once, once) / std::max(each_view, 1e-6); }
};

}  // namespace backlit
