#include "preprocess/view_edges.hpp"

#include <algorithm>
#include <cstdint>

namespace backlit {

ViewEdges edges_of(std::span<const float> view, const Detector& d) {
  const std::int64_t width = std::max<std::int64_t>(1, d.columns / 100);  // narrow, but wider than one bad column
  double left = 0, right = 0;
  for (std::int64_t row = 0; row < d.rows; ++row)
    for (std::int64_t c = 0; c < width; ++c) {
      left += static_cast<double>(view[static_cast<std::size_t>(row * d.columns + c)]);
      right += static_cast<double>(view[static_cast<std::size_t>((row + 1) * d.columns - 1 - c)]);
    }
  const double most = static_cast<double>(*std::max_element(view.begin(), view.end()));
  const double scale = most > 0 ? 1 / (most * static_cast<double>(d.rows * width)) : 0;
  return {left * scale, right * scale};
}

std::vector<ViewEdges> edges_of_views(ProjectionSource& source) {
  const Detector& d = source.scan().detector;
  const std::int64_t views = source.scan().view_count(), looks = std::min<std::int64_t>(16, views);
  std::vector<float> view(static_cast<std::size_t>(d.pixels()));
  std::vector<ViewEdges> edges;
  for (std::int64_t i = 0; i < looks; ++i) {
    source.read(i * views / looks, 1, view);
    edges.push_back(edges_of(view, d));
  }
  return edges;
}

CutOffShares cut_off_shares(const Detector& d, const std::vector<ViewEdges>& edges, double center_px) {
  const double shift = (center_px - d.middle_column()) / static_cast<double>(d.columns);
  std::int64_t left = 0, right = 0, any = 0;
  for (const ViewEdges& e : edges) {
    const bool at_left = shift >= -0.05 && e.left > 0.05, at_right = shift <= 0.05 && e.right > 0.05;
    left += at_left;
    right += at_right;
    any += at_left || at_right;
  }
  const double each = 1 / static_cast<double>(std::max<std::size_t>(1, edges.size()));
  return {each * static_cast<double>(left), each * static_cast<double>(right), each * static_cast<double>(any)};
}

}  // namespace backlit
