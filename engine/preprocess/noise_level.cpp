#include <backlit/preprocess/noise_level.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "preprocess/corrections/pixels.hpp"

namespace backlit {
namespace {

constexpr std::int64_t sampled_views = 16, block = 32, block_of_row = 128;

/// Magnitudes of the filtered view, in units of the noise. The rim has no values.
struct Roughness {
  std::int64_t columns, rows;
  std::vector<double> values;
};

Roughness roughness(std::span<const float> view, const Detector& d) {
  const bool flat = d.rows >= 3;
  Roughness r{d.columns - 2, flat ? d.rows - 2 : d.rows, {}};
  const auto second = [&](std::int64_t row, std::int64_t column) {
    const float* p = view.data() + row * d.columns + column;
    return static_cast<double>(p[0]) - 2 * static_cast<double>(p[1]) + static_cast<double>(p[2]);
  };
  r.values.reserve(static_cast<std::size_t>(r.columns * r.rows));
  for (std::int64_t j = 0; j < r.rows; ++j)
    for (std::int64_t i = 0; i < r.columns; ++i)
      r.values.push_back(flat ? std::abs(second(j, i) - 2 * second(j + 1, i) + second(j + 2, i)) / 6
                              : std::abs(second(j, i)) / std::sqrt(6.0));
  return r;
}

/// Adds the squared noise of each block, and counts them.
void add_blocks(const Roughness& r, double& sum, std::int64_t& blocks) {
  const std::int64_t width = r.rows > 1 ? block : block_of_row;
  std::vector<double> inside;
  for (std::int64_t top = 0; top < r.rows; top += block)
    for (std::int64_t left = 0; left < r.columns; left += width) {
      inside.clear();
      for (std::int64_t j = top; j < std::min(top + block, r.rows); ++j)
        for (std::int64_t i = left; i < std::min(left + width, r.columns); ++i)
          inside.push_back(r.values[static_cast<std::size_t>(j * r.columns + i)]);
      const auto middle = inside.begin() + (std::ssize(inside) - 1) / 2;
      std::nth_element(inside.begin(), middle, inside.end());
      sum += *middle * *middle / (normal_median * normal_median);
      ++blocks;
    }
}

}  // namespace

double noise_level(ProjectionSource& source) {
  const Detector& d = source.scan().detector;
  const std::int64_t views = source.scan().view_count(), count = std::min(views, sampled_views);
  if (d.columns < 3) return 0;
  std::vector<float> view(static_cast<std::size_t>(d.pixels()));
  double sum = 0;
  std::int64_t blocks = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    source.read(n * views / count, 1, view);
    add_blocks(roughness(view, d), sum, blocks);
  }
  return std::sqrt(sum / static_cast<double>(blocks));
}

}  // namespace backlit
