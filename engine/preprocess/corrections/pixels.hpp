// Pixels that are wrong in all views, and single readings that are.
#pragma once

#include <cstdint>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Median of |x| of normal deviates.
inline constexpr double normal_median = 0.67448975;

/// One mark a pixel: 1 where its mean over the views, or its change from view to view, differs from the median of its
/// neighbours by more than `times` the usual. Beside edges of the object the usual is larger. Stage "defects".
std::vector<char> find_defects(const Projections&, double times, const Watch& = {});

struct ZingerMarks {
  std::vector<std::vector<char>> marks;  ///< [view][pixel]; empty where a view has none
  std::int64_t count = 0;
};
/// Readings that are brighter than their neighbours, and than the same pixel in the views before and after, by more
/// than `times` the noise: a particle hits one pixel, or a few, in one view. Stage "zingers".
ZingerMarks find_zingers(const Projections&, double times, const Watch& = {});

}  // namespace backlit
