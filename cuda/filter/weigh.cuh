// A measured value times all weights of FDK before the ramp.
#pragma once

#include <cfloat>

#include "cuda/filter/kernels.hpp"

namespace backlit::cuda {

/// Line integrals, unchanged.
struct Integrals {
  const float* values;
  __device__ float operator()(int image, int, int row, int column, const FilterRows& r) const {
    return values[(std::int64_t{image} * r.rows + row) * r.measured + column];
  }
};

/// Counts, corrected and repaired on reading.
struct Counts {
  const std::uint16_t* values;
  CountTables tables;

  /// False where there is no reading above dark.
  __device__ bool integral(const std::uint16_t* view, int pixel, float* value) const {
    const float open = tables.open[pixel], reading = view[pixel] - tables.dark[pixel];
    const float ratio = __fdividef(reading, open);  // 2 ulp
    if (!(open > 0 && reading > 0 && ratio >= FLT_MIN && ratio <= FLT_MAX)) return false;
    *value = -logf(ratio);
    return true;
  }

  /// Rare, and therefore not inlined: inlining would need registers.
  __noinline__ __device__ float repaired(const std::uint16_t* view, int row, int column, const FilterRows& r,
                                         int index) const {
    double sum = 0;
    int known = 0;
    for (int y = max(0, row - 1); y < min(r.rows, row + 2); ++y)
      for (int x = max(0, column - 1); x < min(r.measured, column + 2); ++x)
        if (float value; integral(view, y * r.measured + x, &value)) {
          sum += value;
          ++known;
        }
    if (tables.open[row * r.measured + column] > 0) atomicAdd(&tables.faults[index].replaced, 1u);
    if (known > 0) return static_cast<float>(sum / known);
    atomicAdd(&tables.faults[index].unfilled, 1u);
    return 0;
  }

  __device__ float operator()(int image, int index, int row, int column, const FilterRows& r) const {
    const std::uint16_t* view = values + std::int64_t{image} * r.rows * r.measured;
    float value;
    return integral(view, row * r.measured + column, &value) ? value : repaired(view, row, column, r, index);
  }
};

/// A pair of rows of one view, weighted on reading.
template <class Source>
struct WeighedPair {
  const FilterRows& r;
  const Source& source;
  int image, view, row;
  RowWeight<float> first, second;
  const float* redundancy;
  float gap;

  __device__ WeighedPair(const FilterRows& rows, const Source& from, const int* index, const WeightTables& t, int image,
                         int pair)
      : r(rows), source(from), image(image), view(index[image]), row(2 * pair) {
    const FilterTables::ViewWeight& w = t.views[view];
    first = weight_of_row(w.position, static_cast<float>(row));
    second = weight_of_row(w.position, static_cast<float>(row + 1));
    redundancy = t.redundancy + w.first;
    gap = w.gap;
  }

  /// weight_at() with one reciprocal square root instead of a root and a division.
  static __device__ float at(const RowWeight<float>& w, float c) {
    return (w.n[0] + w.n[1] * c) * rsqrtf(w.d[0] + c * (w.d[1] + w.d[2] * c));
  }

  /// The weighted values in a column of the filtered row.
  __device__ Complex operator()(int column) const {
    const int c = column - r.left;
    if (c < 0 || c >= r.measured) return {0, 0};
    const float factor = gap * redundancy[c], x = static_cast<float>(column);
    return {source(image, view, row, c, r) * at(first, x) * factor,
            row + 1 < r.rows ? source(image, view, row + 1, c, r) * at(second, x) * factor : 0.0f};
  }
};

}  // namespace backlit::cuda
