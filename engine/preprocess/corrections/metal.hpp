// Reduction of metal: what the host and devices share.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include <backlit/core/hd.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// What the object is taken for: air is 0, the main material has one value, denser parts stay, metal is replaced.
BACKLIT_HD inline float without_metal(float value, double metal, double threshold, double median) {
  const auto v = static_cast<double>(value);
  if (v > metal) return static_cast<float>(median);
  if (v > 1.5 * median) return value;
  return v > threshold ? static_cast<float>(median) : 0.0f;
}

/// The voxels of metal in a volume.
struct MetalVoxels {
  std::int64_t count = 0;
  double sum = 0;   ///< of their values
  Size3 low, high;  ///< the smallest and the largest index, by axis
  VolumeGrid box(const VolumeGrid&) const;
};
/// Throws InputError("metal") where it is more than half of `voxels`.
void refuse_too_much_metal(const MetalVoxels&, std::int64_t voxels, double threshold);
/// "12 of 1000 voxels".
std::string metal_text(const MetalVoxels&, std::int64_t voxels);

/// Pixels about as large as the volume's voxels: the volume shows no more. They cover the rows that see the metal.
struct CoarsePixels {
  std::int64_t step_u, step_v;  ///< columns and rows of the detector in one of these pixels
  std::int64_t first_row;       ///< of the coarser rows
  Scan scan;

  CoarsePixels(const Scan&, const VolumeGrid&, const VolumeGrid& metal);
};

/// A view of a model on coarser pixels.
struct CoarseView {
  const float* values;
  int columns, rows, first_row, step_u, step_v;

  BACKLIT_HD double column_of(int column) const { return (column + 0.5) / step_u - 0.5; }
  BACKLIT_HD double row_of(int row) const { return (row + 0.5) / step_v - 0.5 - first_row; }
  BACKLIT_HD bool has_row(int row) const { return row_of(row) > -1 && row_of(row) < rows; }

  /// Bilinear.
  BACKLIT_HD float at(int row, int column) const {
    const Place x = place(column_of(column), columns), y = place(row_of(row), rows);
    const float *const upper = values + y.low * columns, *const lower = values + y.high * columns;
    return (1 - y.share) * ((1 - x.share) * upper[x.low] + x.share * upper[x.high]) +
           y.share * ((1 - x.share) * lower[x.low] + x.share * lower[x.high]);
  }
  /// The largest value within one and a half coarser columns.
  BACKLIT_HD float largest_near(int row, int column) const {
    const double x = column_of(column);
    const Place y = place(row_of(row), rows);
    const int from = static_cast<int>(std::ceil(x - 1.5)), to = static_cast<int>(std::floor(x + 1.5));
    float largest = 0;
    for (int i = from < 0 ? 0 : from; i <= to && i < columns; ++i) {
      const float above = values[y.low * columns + i], below = values[y.high * columns + i];
      largest = above > largest ? above : largest;
      largest = below > largest ? below : largest;
    }
    return largest;
  }

 private:
  struct Place {
    int low, high;
    float share;  ///< of the second
  };
  BACKLIT_HD static Place place(double x, int n) {
    const double inside = x < 0 ? 0 : x > n - 1 ? n - 1 : x;
    const int low = static_cast<int>(inside);
    return {low, low + 1 < n ? low + 1 : n - 1, static_cast<float>(inside - low)};
  }
};

inline constexpr float least_trace = 0.02f;  ///< of the longest path through metal in a view: a trace
inline constexpr float least_prior = 0.02f;  ///< of the largest value in a view of the model: compared with it

/// Linear between a row's values beside the trace [begin, end).
BACKLIT_HD inline float bridged(const float* row, int n, int begin, int end, int i) {
  const float left = begin > 0 ? row[begin - 1] : end < n ? row[end] : 1, right = end < n ? row[end] : left;
  return left + (right - left) * static_cast<float>(i - begin + 1) / static_cast<float>(end - begin + 1);
}

}  // namespace backlit
