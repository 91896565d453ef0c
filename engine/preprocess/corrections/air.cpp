// A beam whose intensity changes from view to view: air beside the object shows by how much.
#include "preprocess/corrections/air.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "preprocess/corrections/correction_list.hpp"

namespace backlit {
namespace {

std::string level_air(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const Detector& d = p.scan.detector;
  check_air(o.air_columns, d);
  const std::int64_t views = p.scan.view_count();
  std::vector<AirLevels> levels(static_cast<std::size_t>(views));
  watch.begin("air", views, "views");
  parallel_for(views, [&](std::int64_t v) {
    const auto view = p.view(v);
    const AirLevels level = air_levels(view, d, 0, o.air_columns);
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const float there = air_at(level, c, d.columns, o.air_columns);
      for (std::int64_t r = 0; r < d.rows; ++r) view[static_cast<std::size_t>(r * d.columns + c)] -= there;
    }
    levels[static_cast<std::size_t>(v)] = level;
  });
  watch.advance(views);
  watch.end();
  return air_text(levels);
}

}  // namespace

AirLevels air_levels(std::span<const float> view, const Detector& d, std::int64_t first, std::int64_t count) {
  AirLevels sum;
  for (std::int64_t r = 0; r < d.rows; ++r)
    for (std::int64_t c = first; c < first + count; ++c) {
      sum.left += static_cast<double>(view[static_cast<std::size_t>(r * d.columns + c)]);
      sum.right += static_cast<double>(view[static_cast<std::size_t>((r + 1) * d.columns - 1 - c)]);
    }
  const auto values = static_cast<double>(d.rows * count);
  return {sum.left / values, sum.right / values};
}

void check_air(std::int64_t columns, const Detector& d) {
  if (2 * columns >= d.columns)
    throw InputError("air_columns", fmt::format("{} columns at either side leave none of {}", columns, d.columns),
                     "give only those that see air in every view");
}

std::string air_text(std::span<const AirLevels> of_views) {
  double most = 0;
  for (const AirLevels& level : of_views) most = std::max({most, std::abs(level.left), std::abs(level.right)});
  return fmt::format("levels up to {:.2g}", most);
}

namespace correction {

Correction air() {
  return {"air_columns",
          "beam that changes",
          "Gursoy, De Carlo, Xiao and Jacobsen, TomoPy: a framework for the analysis of synchrotron tomographic data, "
          "J. Synchrotron Rad. 21 (2014) 1188",
          {"air_columns"},
          false,
          [](const CorrectionOptions& o) { return o.air_columns > 0; },
          level_air};
}

}  // namespace correction

}  // namespace backlit
