// The elementwise halves of FDK's filter around the FFT.
#pragma once

#include <cufft.h>

#include <cstdint>

#include "launch.hpp"
#include "preprocess/row_weight.hpp"

namespace backlit::cuda {

/// Views of `rows` x `columns` values, padded to `size` for the transform. Rows travel in pairs, as real and imaginary
/// parts of one complex row (three times as fast with cuFFT as real transforms); an odd last row is alone in its pair.
struct FilterRows {
  int rows, columns, size;
  int pairs() const { return (rows + 1) / 2; }
};

/// What the weights of a view's rows consist of.
struct ViewWeights {
  float gap;       ///< radians
  int redundancy;  ///< which row of the redundancy table (columns values each) holds for this view
};

/// The weights of a whole scan, on the device.
struct WeightTables {
  const RowWeight<float>* rows;  ///< rows of view 0, of view 1, ...
  const ViewWeights* views;
  const float* redundancy;
};

/// What makes line integrals of counts, on the device: -log((count - dark) / open), per pixel; open = 0 where dead.
struct CountTables {
  const float *dark, *open;
  /// Of each view of the scan: live pixels without a reading above dark, and pixels that no neighbour could fill.
  struct Faults {
    unsigned replaced, unfilled;
  };
  Faults* faults;
};

/// Weighs `count` views and pads each row with zeros; view i of `values` is the scan's view index[i].
void weigh_and_pad(Stream&, const FilterRows&, int count, const float* values, const int* index, const WeightTables&,
                   cufftComplex* padded);
/// The same from counts. A pixel without a reading gets the mean of those of its eight neighbours that have one, as
/// fill_missing() gives it; where none has, 0, and it is counted.
void weigh_and_pad(Stream&, const FilterRows&, int count, const std::uint16_t* counts, const CountTables&,
                   const int* index, const WeightTables&, cufftComplex* padded);
/// Multiplies each spectrum by the filter's (real, even) response, `size` values.
void apply_response(Stream&, const FilterRows&, int count, const float* response, cufftComplex* spectrum);
/// The first `columns` values of each row.
void crop(Stream&, const FilterRows&, int count, const cufftComplex* padded, float* views);

}  // namespace backlit::cuda
