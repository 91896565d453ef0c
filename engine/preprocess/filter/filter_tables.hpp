// Tables with which a device weights and filters views as FdkFilter does.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "preprocess/filter/position_weight.hpp"
#include "preprocess/filter/row_filter.hpp"
#include "preprocess/filter/widening.hpp"

namespace backlit {

/// A measured value at column c of view n is multiplied by gap[n] x redundancy x position weight. In `redundancy` c
/// counts from the first measured column. In the position weight c counts from the first column of the widened
/// detector. Added columns are zero.
struct FilterTables {
  /// Weights of one view, in single precision, in the devices' layout: 15 words.
  struct ViewWeight {
    PositionWeight<float> position;
    float gap;           ///< radians
    std::int32_t first;  ///< beginning of the view's row in `redundancy`
  };

  FilterTables(const Scan&, const FilterOptions&);

  const Scan& scan() const { return widening.wide; }  ///< the scan of the filtered views
  std::vector<ViewWeight> views() const;
  std::unique_ptr<RowConvolution> filter() const { return make_row_filter(scan(), widening.options); }
  /// Upper bound of |filtered value| / largest |line integral|.
  float largest_gain(std::span<const double> taps) const;

  Widening widening;
  std::int64_t columns;  ///< number of measured columns
  std::string scheme;    ///< name of the measured scan's weights
  std::vector<double> gap;
  std::vector<PositionWeight<double>> position;
  std::vector<float> redundancy;
  bool shared;  ///< all views use one row of `redundancy`
};

}  // namespace backlit
