// FDK's filter on the device: weights, a ramp by Fourier transform, and line integrals from counts.
#pragma once

#include <cufft.h>

#include <cstdint>
#include <vector>

#include "cuda/device/launch.hpp"
#include "cuda/filter/complex.hpp"
#include "preprocess/filter/filter_tables.hpp"

namespace backlit::cuda {

/// Views of `rows` x `measured` values, filtered as rows of `columns` values, padded to `size` for the transform.
/// Column `left` is the first measured one. Rows are transformed in pairs, as real and imaginary parts of one complex
/// row; an odd last row is alone in its pair.
struct FilterRows {
  int rows, measured, left, columns, size;
  int pairs() const { return (rows + 1) / 2; }
};

/// The weights of a whole scan, on the device; see FilterTables.
struct WeightTables {
  const FilterTables::ViewWeight* views;
  const float* redundancy;
};

/// Tables for line integrals from counts, on the device: -log((count - dark) / open), per pixel; open = 0 where dead.
struct CountTables {
  const float *dark, *open;
  /// For each view of the scan: live pixels without a reading above dark, and pixels that no neighbour could fill.
  struct Faults {
    unsigned replaced, unfilled;
  };
  Faults* faults;
};

/// Views one after another: line integrals, or counts. With counts, a pixel without a reading gets the mean of those of
/// its eight neighbours that have one, as in fill_missing(). Where no neighbour has one, it gets 0 and is counted.
struct RowSource {
  const float* integrals = nullptr;
  const std::uint16_t* counts = nullptr;  ///< null: integrals
  CountTables tables{};
  RowSource after(std::int64_t values) const {
    return counts ? RowSource{nullptr, counts + values, tables} : RowSource{integrals + values, nullptr, {}};
  }
};

/// The whole filter in one kernel, a pair of rows per block, in shared memory. `roots` and `response` are from
/// fused_tables(). View i of the source is the scan's view index[i]. In-place operation is allowed where rows are as
/// wide as measured.
void filter_rows(Stream&, const FilterRows&, int count, const RowSource&, const int* index, const WeightTables&,
                 const Complex* roots, const float* response, float* out);
/// The transform length of filter_rows() for rows of `columns` columns; 0 where they are too long.
int fused_size(std::int64_t columns);
struct FusedTables {
  std::vector<Complex> roots;
  std::vector<float> response;
};
/// `response` is given at frequencies k / size, k < size, with size from fused_size().
FusedTables fused_tables(const std::vector<float>& response);

// The same in three steps around a transform by cuFFT.

/// Weights `count` views and pads each row with zeros.
void weigh_and_pad(Stream&, const FilterRows&, int count, const RowSource&, const int* index, const WeightTables&,
                   cufftComplex* padded);
/// Multiplies each spectrum by the filter's (real, even) response, `size` values.
void apply_response(Stream&, const FilterRows&, int count, const float* response, cufftComplex* spectrum);
/// The first `columns` values of each row.
void crop(Stream&, const FilterRows&, int count, const cufftComplex* padded, float* views);

}  // namespace backlit::cuda
