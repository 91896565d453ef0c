// Some views of a scan as a scan of its own.
#pragma once

#include <memory>
#include <vector>

#include "data/projections.hpp"

namespace backlit {

/// Views first, first + step, ... below `end` of `source`, under the source's own geometry.
class SelectedViews final : public ProjectionSource {
 public:
  /// Throws InputError unless 0 <= first < end <= number of views and step >= 1.
  SelectedViews(std::shared_ptr<ProjectionSource> source, std::int64_t first, std::int64_t end, std::int64_t step);

  const Scan& scan() const override { return scan_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override;

 private:
  std::shared_ptr<ProjectionSource> source_;
  std::int64_t first_, step_;
  Scan scan_;
};

}  // namespace backlit
