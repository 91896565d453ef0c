// How noisy measured views are, from the views themselves.
#pragma once

#include <backlit/data/projections.hpp>

namespace backlit {

/// The root mean square standard deviation of a line integral, from at most 16 views spread over the scan. Each is
/// filtered by the differences of second differences along rows and columns (Immerkaer, Comput. Vis. Image Underst. 64
/// (1996) 300), which leave nothing of what is bilinear (single rows: by second differences), and every block of 32 x
/// 32 pixels (128 of a row) counts with its median magnitude (Donoho, IEEE Trans. Inf. Theory 41 (1995) 613), which
/// edges hardly move. Noise of neighbouring pixels must be independent: a detector that blurs gives too little. 0 for
/// views of fewer than 3 columns.
double noise_level(ProjectionSource&);

}  // namespace backlit
