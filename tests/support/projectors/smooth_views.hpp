// Smooth views for backprojection, on which all interpolations work well.
#pragma once

#include <cmath>
#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit::test {

/// Smooth views: the 8-bit weights of hardware filtering then cause small errors, as in real data.
inline std::vector<float> smooth_views(const Scan& scan) {
  std::vector<float> values;
  const Detector& d = scan.detector;
  for (std::int64_t n = 0; n < scan.view_count(); ++n)
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c)
        values.push_back(static_cast<float>(1.5 + std::sin(0.31 * static_cast<double>(c + n)) *
                                                      std::cos(0.23 * static_cast<double>(r))));
  return values;
}

}  // namespace backlit::test
