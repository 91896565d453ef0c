// Rows of the detector over all views, for the removal of stripes; see the host's preprocess/corrections/sinogram.hpp.
#pragma once

#include <vector>

#include "cuda/corrections/images.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {

/// Values [row][column][reading], reading fastest.
struct Sinograms {
  float* values;
  int columns, readings, rows;

  BACKLIT_HD std::int64_t count() const { return std::int64_t{rows} * columns * readings; }
  BACKLIT_HD float* line(std::int64_t row, std::int64_t column) const {
    return values + (row * columns + column) * readings;
  }
};

/// Rows [first, first + to.rows) of the views.
void take_rows(Stream&, const Images& views, std::int64_t first, const Sinograms& to);

/// Whether the device sorts so many readings.
bool sorts(std::int64_t readings);
/// Puts the readings of each column in the order of their size; equal ones stay in the order of the views. order[i]:
/// the view of readings[i].
void sort_columns(Stream&, const Sinograms&, std::uint16_t* order);

/// Each reading becomes the median of `window` (odd) columns around it; mirrored beyond the ends.
void median_across_columns(Stream&, const Sinograms& from, std::int64_t window, float* to);

/// A normalised Gaussian's taps, -reach to reach, as the host's gaussian_smoothed() has them.
struct GaussianTaps {
  PoolBuffer<double> taps;
  int reach;
  double sum;

  GaussianTaps(const Stream&, double sigma);
};
/// Smooths along the readings; mirrored beyond the ends.
void smooth_columns(Stream&, const Sinograms& from, const GaussianTaps&, float* to);
/// Sums of the magnitudes of what columns differ from their smooth course by: [row][column].
void unrest_of_columns(Stream&, const Sinograms&, const GaussianTaps&, float* sums);

/// Means of `smooth` from `ranked` that leave `cut` ranks out at each end: [row][column].
void mean_differences(Stream&, const Sinograms& ranked, const float* smooth, int cut, float* out);

/// Puts ranked values back at their views, in rows [first, ...) of them; only in columns with a mark ([row][column])
/// unless marks are null. With `from` not null, adds `values` - `from` instead.
void put_back(Stream&, const Sinograms& values, const float* from, const std::uint16_t* order, const char* marks,
              const Images& views, std::int64_t first);

}  // namespace backlit::cuda
