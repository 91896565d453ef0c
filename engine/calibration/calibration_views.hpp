// The views that a calibration compares: some of a scan's views, with coarser pixels.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// A value that cannot be computed.
inline constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// A coarser pixel is the mean of `binning` x `binning` pixels. Remaining columns and rows at the far edges are
/// dropped. `index` holds the numbers of the views in the scan.
struct CalibrationViews {
  std::vector<std::int64_t> index;
  std::int64_t columns = 0, rows = 0;  ///< numbers of coarser pixels
  std::int64_t binning = 1;
  std::vector<std::vector<float>> values;  ///< per view: rows x columns

  /// The scan's fractional column (or row) at the middle of a coarser one.
  double column_of(double coarse) const { return static_cast<double>(binning) * (coarse + 0.5) - 0.5; }
  double largest() const;
};

/// How many columns and rows become one, so that at most `most_columns` of each are left.
std::int64_t binning(const Detector&, std::int64_t most_columns);

/// Views `index` (ascending) of the source, binned until they have at most `most_columns` columns and rows. Stage
/// "read". With `only_row`, the row of the scan's pixels to keep for each column, one row is kept, interpolated between
/// coarser rows. Throws InputError when too few columns remain.
CalibrationViews read_calibration_views(ProjectionSource&, std::vector<std::int64_t> index, std::int64_t most_columns,
                                        const Watch& = {}, const std::function<double(double column)>& only_row = {});

/// The same views with pixels twice as wide and high.
CalibrationViews halved(const CalibrationViews&);

/// A binomial filter of about `sigma` pixels along rows and columns: repeated means of two neighbours.
std::vector<float> smoothed(std::vector<float> image, std::int64_t columns, std::int64_t rows, double sigma);

/// `count` of `views` views, or all of them, evenly spread.
std::vector<std::int64_t> spread_views(std::int64_t views, std::int64_t count);

}  // namespace backlit
