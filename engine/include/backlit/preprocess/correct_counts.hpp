// From raw counts to line integrals.
#pragma once

#include <memory>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Numbers of repaired pixels and readings, for a report to the user.
struct CorrectionReport {
  std::int64_t dead_pixels = 0;          ///< no flat above dark, or flagged in every view: interpolated in every view
  std::int64_t non_positive_values = 0;  ///< single readings at or below dark: replaced by values of their neighbours
  std::vector<std::int64_t> dead;        ///< row * columns + column of the dead pixels
};

/// Serves -log((counts - dark) / (flat - dark)). Flat and dark are medians of up to 64 frames spread over their stacks.
/// Without darks, dark = 0. Without flats, the mean of the brightest one per cent of each view replaces the flat. The
/// constructor takes the medians and reads 32 views to find dead pixels; stages "flats", "darks" and "counts".
///
/// Memory: one dark and one flat frame; at most 512 MiB of frames while medians are taken; one mask a thread while
/// views are corrected. Larger stacks of frames are read several times, for one strip of rows each time.
///
/// `report` (may be null) receives the dead pixels at once. It receives the number of replaced readings as views are
/// read; each view counts once. Throws InputError for frames of another size; read() throws it, naming the view, when
/// more than half of a view's live pixels have no reading above dark.
std::shared_ptr<ProjectionSource> correct_counts(std::shared_ptr<ProjectionSource> counts,
                                                 std::shared_ptr<ProjectionSource> flats,
                                                 std::shared_ptr<ProjectionSource> darks,
                                                 std::shared_ptr<CorrectionReport> report, const Watch& = {});

}  // namespace backlit
