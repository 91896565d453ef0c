// From raw counts to line integrals.
#pragma once

#include <memory>
#include <vector>

#include "data/projections.hpp"

namespace backlit {

/// What was repaired, for a report the user can act on.
struct CorrectionReport {
  std::int64_t dead_pixels = 0;          ///< no flat above dark, or flagged in every view: interpolated in every view
  std::int64_t non_positive_values = 0;  ///< single readings at or below dark: replaced by their neighbours
  std::vector<std::int64_t> dead;        ///< row * columns + column of the dead pixels
};

/// Serves -log((counts - dark) / (flat - dark)). Flats and darks are averaged once (median over frames); without darks
/// dark = 0, without flats the brightest one per cent of each view stands in for the flat. Reads batches, holds none.
std::shared_ptr<ProjectionSource> correct_counts(std::shared_ptr<ProjectionSource> counts,
                                                 std::shared_ptr<ProjectionSource> flats,
                                                 std::shared_ptr<ProjectionSource> darks,
                                                 std::shared_ptr<CorrectionReport> report);

/// Suppresses rings: subtracts what a detector column's mean over all views differs from its smoothed neighbours
/// (window in columns, odd). Makes one pass over the source when constructed.
std::shared_ptr<ProjectionSource> remove_stripes(std::shared_ptr<ProjectionSource> source, std::int64_t window);

}  // namespace backlit
