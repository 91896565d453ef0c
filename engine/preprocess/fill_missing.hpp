// Fills in missing pixels of an image.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <backlit/core/index_range.hpp>

namespace backlit {

/// Fills the pixels that `missing` (rows x columns, like the image) marks, in place. A pixel next to good ones gets the
/// mean of the good pixels among its eight neighbours. A pixel farther inside a missing area is interpolated from means
/// over squares of 2, 4, 8, ... pixels a side (push-pull: Gortler, Grzeszczuk, Szeliski, Cohen, The Lumigraph, SIGGRAPH
/// 1996). Time and memory are proportional to the number of pixels. An image without a good pixel becomes 0.
void fill_missing(std::span<float> image, std::int64_t columns, const std::vector<char>& missing);

/// The same for `rows` of an image, where each missing pixel of these has a good neighbour in the image: the bits that
/// fill_missing() gives. Else false, and the image as it was.
bool fill_from_neighbours(std::span<float> image, std::int64_t columns, const std::vector<char>& missing,
                          const IndexRange& rows);

}  // namespace backlit
