// Values for the pixels of an image that have none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <backlit/core/index_range.hpp>

namespace backlit {

/// Pixels next to good ones get the mean of the good ones among their eight neighbours; those farther inside a missing
/// area are interpolated from means over squares of 2, 4, 8, ... pixels a side (push-pull: Gortler, Grzeszczuk,
/// Szeliski, Cohen, The Lumigraph, SIGGRAPH 1996). Time and memory in proportion to the pixels, however large the area.
/// `missing` (rows x columns, as the image) marks them; an image without a good pixel becomes 0.
void fill_missing(std::span<float> image, std::int64_t columns, const std::vector<char>& missing);

/// The same for `rows` of an image, where each missing pixel of these has a good neighbour in the image: the bits that
/// fill_missing() gives. Else false, and the image as it was.
bool fill_from_neighbours(std::span<float> image, std::int64_t columns, const std::vector<char>& missing,
                          const IndexRange& rows);

}  // namespace backlit
