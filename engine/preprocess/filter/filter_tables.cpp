#include "preprocess/filter/filter_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backlit {

FilterTables::FilterTables(const Scan& as_measured, const FilterOptions& options)
    : widening(as_measured, options), columns(as_measured.detector.columns), scheme(widening.weights.scheme) {
  const FdkWeights wide = widening.needed() ? fdk_weights(scan(), widening.options) : widening.weights;
  gap = wide.gap;
  for (const View& view : scan().views) position.push_back(position_weight(scan().detector, view));
  shared = wide.ray.size() == 1 && widening.weights.ray.size() == 1;
  const std::int64_t tables = shared ? 1 : scan().view_count();
  for (std::int64_t t = 0; t < tables; ++t) {
    const auto& row = wide.ray[wide.ray.size() == 1 ? 0 : static_cast<std::size_t>(t)];
    for (std::int64_t c = 0; c < columns; ++c)
      redundancy.push_back((widening.needed() ? widening.weight(t, c) : 1.0f) *
                           row[static_cast<std::size_t>(c + widening.left)]);
  }
}

std::vector<FilterTables::ViewWeight> FilterTables::views() const {
  std::vector<ViewWeight> views;
  for (std::size_t i = 0; i < gap.size(); ++i)
    views.push_back({to_float(position[i]), static_cast<float>(gap[i]),
                     static_cast<std::int32_t>(shared ? 0 : static_cast<std::int64_t>(i) * columns)});
  return views;
}

float FilterTables::largest_gain(std::span<const double> taps) const {
  const Detector& d = scan().detector;
  double largest = 0;
  for (std::size_t view = 0; view < position.size(); ++view)
    for (double row : {0.0, 0.5, 1.0}) {
      const auto w = weight_of_row(position[view], row * static_cast<double>(d.rows));
      for (double column : {0.0, 0.5, 1.0})
        largest = std::max(largest, std::abs(gap[view] * weight_at(w, column * static_cast<double>(d.columns))));
    }
  double reach = std::abs(taps.front());  // the value for a row of ones with the signs of the taps
  for (std::size_t i = 1; i < taps.size(); ++i) reach += 2 * std::abs(taps[i]);
  // Weights are smooth, so that twice the largest of nine a view is an upper bound.
  return static_cast<float>(2 * largest * reach * *std::max_element(redundancy.begin(), redundancy.end()));
}

}  // namespace backlit
