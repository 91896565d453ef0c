// Views that arrive one by one, in memory.
#pragma once

#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit::viewer {

/// Missing views are zero.
class ArrivedViews final : public ProjectionSource {
 public:
  explicit ArrivedViews(const Scan& scan)
      : views_(scan), here_(static_cast<std::size_t>(scan.view_count())), missing_(scan.view_count()) {}

  const Scan& scan() const override { return views_.scan; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    const std::int64_t pixels = scan().detector.pixels();
    const auto from = views_.values.begin() + first * pixels;
    std::copy(from, from + count * pixels, out.begin());
  }

  void put(std::int64_t index, std::span<const float> values) {
    std::copy(values.begin(), values.end(), views_.view(index).begin());
    if (!here_[static_cast<std::size_t>(index)]) --missing_;
    here_[static_cast<std::size_t>(index)] = true;
  }
  bool has(std::int64_t index) const { return here_[static_cast<std::size_t>(index)]; }
  std::int64_t missing() const { return missing_; }

 private:
  Projections views_;
  std::vector<bool> here_;
  std::int64_t missing_;
};

}  // namespace backlit::viewer
