// The elementwise halves of FDK's filter around the FFT.
#pragma once

#include <cufft.h>

#include "launch.hpp"
#include "preprocess/row_weight.hpp"

namespace backlit::cuda {

/// Rows of `columns` values, padded to `size` for the transform: `size` reals, or `size / 2 + 1` complex in their
/// place.
struct FilterRows {
  int rows, columns, size;
  int stride() const { return 2 * (size / 2 + 1); }  ///< reals from one padded row to the next
};

/// What the weights of a view's rows consist of.
struct ViewWeights {
  float gap;       ///< radians
  int redundancy;  ///< which row of the redundancy table (columns values each) holds for this view
};

/// Weighs views of `rows_per_view` rows and pads each row with zeros. `weight` has one entry a row, `views` one a view.
void weigh_and_pad(Stream&, const FilterRows&, int rows_per_view, const float* values, const RowWeight<float>* weight,
                   const ViewWeights* views, const float* redundancy, float* padded);
/// Multiplies each row's spectrum by the filter's (real) response, size / 2 + 1 values.
void apply_response(Stream&, const FilterRows&, const float* response, cufftComplex* spectrum);
/// The first `columns` values of each padded row.
void crop(Stream&, const FilterRows&, const float* padded, float* views);

}  // namespace backlit::cuda
