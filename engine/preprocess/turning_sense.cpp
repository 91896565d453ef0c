#include <backlit/preprocess/turning_sense.hpp>

#include <algorithm>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/data/selected_views.hpp>
#include "preprocess/conjugate_rays.hpp"

namespace backlit {
namespace {

constexpr std::int64_t most_views = 360, most_columns = 240;

/// Joins `n` neighbouring columns to one. Remaining columns at the right are dropped.
Sinogram joined_columns(Sinogram s, std::int64_t n) {
  const std::int64_t columns = s.columns / n;
  for (auto& rows : s.values) {
    std::vector<float> joined;
    for (std::int64_t r = 0; r < s.rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i) sum += rows[static_cast<std::size_t>(r * s.columns + c * n + i)];
        joined.push_back(static_cast<float>(sum / static_cast<double>(n)));
      }
    rows = std::move(joined);
  }
  s.columns = columns;
  s.slope *= static_cast<double>(n);
  return s;
}

/// The smallest difference over all columns to which the axis may project.
double least_difference(const Sinogram& s) {
  const std::int64_t reach = 2 * s.columns * 45 / 100, least_rays = s.rows * s.columns / 16;
  const std::int64_t every = std::max<std::int64_t>(1, s.views() / 90);
  std::vector<double> cost(static_cast<std::size_t>(2 * reach + 1), std::numeric_limits<double>::infinity());
  parallel_for(2 * reach + 1, [&](std::int64_t i) {
    const double center = 0.5 * static_cast<double>(s.columns - 1) + 0.5 * static_cast<double>(i - reach);
    const Agreement a = conjugates(s, center, every);
    if (a.rays >= least_rays && a.square > 0) cost[static_cast<std::size_t>(i)] = a.difference / a.square;
  });
  return *std::min_element(cost.begin(), cost.end());
}

}  // namespace

std::optional<TurningSense> compare_turning_senses(std::shared_ptr<ProjectionSource> source, const Watch& watch) {
  const Scan& scan = source->scan();
  if (scan.beam() == Beam::parallel || scan.detector.columns < 16 || scan.view_count() < 16) return {};
  const std::int64_t step = (scan.view_count() + most_views - 1) / most_views;
  try {
    SelectedViews some(source, 0, scan.view_count(), step);
    Sinogram s = read_sinogram(some, watch);
    s = joined_columns(std::move(s), (s.columns + most_columns - 1) / most_columns);
    TurningSense sense;
    sense.as_given = least_difference(s);
    s.slope = -s.slope;
    sense.reversed = least_difference(s);
    const double most = std::numeric_limits<double>::max();
    if (sense.as_given > most || sense.reversed > most) return {};
    return sense;
  } catch (const InputError&) {  // no row in the plane of the source, too few angles, views that cannot be corrected
    return {};
  }
}

}  // namespace backlit
