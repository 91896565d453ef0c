// FDK's filter on the device: weights, a ramp by Fourier transform, and what counts are made of.
#pragma once

#include <cufft.h>

#include <cstdint>
#include <vector>

#include "cuda/device/launch.hpp"
#include "cuda/filter/complex.hpp"
#include "preprocess/filter/filter_tables.hpp"

namespace backlit::cuda {

/// Views of `rows` x `measured` values, filtered as rows of `columns` whose column `left` is the first measured one,
/// padded to `size` for the transform. Rows travel in pairs, as real and imaginary parts of one complex row; an odd
/// last row is alone in its pair.
struct FilterRows {
  int rows, measured, left, columns, size;
  int pairs() const { return (rows + 1) / 2; }
};

/// The weights of a whole scan, on the device; see FilterTables.
struct WeightTables {
  const FilterTables::ViewWeight* views;
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

/// Views one after another: line integrals, or counts. Of counts a pixel without a reading gets the mean of those of
/// its eight neighbours that have one, as fill_missing() gives it; where none has, 0, and it is counted.
struct RowSource {
  const float* integrals = nullptr;
  const std::uint16_t* counts = nullptr;  ///< null: integrals
  CountTables tables{};
  RowSource after(std::int64_t values) const {
    return counts ? RowSource{nullptr, counts + values, tables} : RowSource{integrals + values, nullptr, {}};
  }
};

/// All in one kernel, a pair of rows a block, in shared memory. `roots` and `response` are as fused_tables() makes
/// them. View i of the source is the scan's view index[i]. In place is fine where rows are as wide as measured.
void filter_rows(Stream&, const FilterRows&, int count, const RowSource&, const int* index, const WeightTables&,
                 const Complex* roots, const float* response, float* out);
/// The length of the transform that filter_rows() offers for rows of so many columns; 0 where they are too long.
int fused_size(std::int64_t columns);
struct FusedTables {
  std::vector<Complex> roots;
  std::vector<float> response;
};
/// From the response at frequency k / size, k < size, size being fused_size()'s.
FusedTables fused_tables(const std::vector<float>& response);

// The same in three steps around a transform by cuFFT.

/// Weighs `count` views and pads each row with zeros.
void weigh_and_pad(Stream&, const FilterRows&, int count, const RowSource&, const int* index, const WeightTables&,
                   cufftComplex* padded);
/// Multiplies each spectrum by the filter's (real, even) response, `size` values.
void apply_response(Stream&, const FilterRows&, int count, const float* response, cufftComplex* spectrum);
/// The first `columns` values of each row.
void crop(Stream&, const FilterRows&, int count, const cufftComplex* padded, float* views);

}  // namespace backlit::cuda
