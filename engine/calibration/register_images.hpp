// The shift of one image against another.
#pragma once

#include <vector>

#include <backlit/geometry/view_shifts.hpp>

namespace backlit {

/// The shift d, px, for which image(x + d) = a reference(x) + b holds best, for any a and b, by Gauss and Newton. It
/// starts at no shift and finds shifts up to about the width of the images' details. The rim is left out. Row shifts
/// stay 0 without `with_rows`.
ViewShift find_shift(const std::vector<float>& image, const std::vector<float>& reference, std::int64_t columns,
                     std::int64_t rows, std::int64_t rim_u, std::int64_t rim_v, bool with_rows);

}  // namespace backlit
