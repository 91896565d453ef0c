// Estimates the noise of measured views from the views themselves.
#pragma once

#include <backlit/data/projections.hpp>

namespace backlit {

/// The root mean square standard deviation of a line integral, from at most 16 views spread over the scan. Each view is
/// filtered by second differences along both rows and columns (Immerkaer, Comput. Vis. Image Underst. 64 (1996) 300).
/// This removes every bilinear part; single rows are filtered along the row only. Each block of 32 x 32 pixels (128 of
/// a row) counts with its median magnitude (Donoho, IEEE Trans. Inf. Theory 41 (1995) 613), which edges hardly change.
/// The noise of neighbouring pixels must be independent: for a detector that blurs, the result is too small. 0 for
/// views of fewer than 3 columns.
double noise_level(ProjectionSource&);

}  // namespace backlit
