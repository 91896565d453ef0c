// What a device needs to weigh and filter views as FdkFilter does.
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

/// A measured value at column c of view n is multiplied by gap[n] x redundancy x position weight, where c counts from
/// the first measured column in `redundancy` and from the first column of the widened detector in the position weight;
/// columns that were added are zero.
struct FilterTables {
  /// Of one view, in single precision, as devices read it: 15 words.
  struct ViewWeight {
    PositionWeight<float> position;
    float gap;           ///< radians
    std::int32_t first;  ///< where the view's row begins in `redundancy`
  };

  FilterTables(const Scan&, const FilterOptions&);

  const Scan& scan() const { return widening.wide; }  ///< that filtered views belong to
  std::vector<ViewWeight> views() const;
  std::unique_ptr<RowConvolution> filter() const { return make_row_filter(scan(), widening.options); }
  /// No filtered value exceeds the largest magnitude of line integrals times this.
  float largest_gain(std::span<const double> taps) const;

  Widening widening;
  std::int64_t columns;  ///< that were measured
  std::string scheme;    ///< of the weights as measured
  std::vector<double> gap;
  std::vector<PositionWeight<double>> position;
  std::vector<float> redundancy;
  bool shared;  ///< one row of it serves all views
};

}  // namespace backlit
