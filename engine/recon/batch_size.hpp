// The number of views for a work item of about 20 ms.
#pragma once

#include <algorithm>
#include <cstdint>

namespace backlit {

/// The size starts small, doubles while items are quick and halves while they are slow.
class BatchSize {
 public:
  /// Backprojecting several views together saves passes over the volume, so a batch is never smaller than `least`.
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

/// Time to project and backproject some views. `once` is the part that does not depend on their number, such as a table
/// of the whole volume.
struct CallSeconds {
  double once = 0, each_view = 0;

  double of(std::int64_t views) const { return once + static_cast<double>(views) * each_view; }
  /// The number of views that takes about `item` seconds. If `once` is longer than half of that, the number of views
  /// that takes as long as `once`.
  double worth_calling(double item = BatchSize::target) const {
    return std::max(item - once, once) / std::max(each_view, 1e-6);
  }
};

}  // namespace backlit
