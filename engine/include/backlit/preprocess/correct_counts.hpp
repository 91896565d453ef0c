// From raw counts to line integrals.
#pragma once

#include <memory>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Repairs, for a report that the user can act on.
struct CorrectionReport {
  std::int64_t dead_pixels = 0;          ///< no flat above dark, or flagged in every view: interpolated in every view
  std::int64_t non_positive_values = 0;  ///< single readings at or below dark: replaced by their neighbours
  std::vector<std::int64_t> dead;        ///< row * columns + column of the dead pixels
};

/// Serves -log((counts - dark) / (flat - dark)). Flats and darks are the median of up to 64 frames spread over their
/// stacks, taken when constructed; without darks dark = 0, without flats the brightest one per cent of each view stands
/// in for the flat. Also when constructed, 32 views are read to find dead pixels; stages "flats", "darks" and "counts".
///
/// Memory: one dark and one flat frame; 512 MiB of frames at a time while medians are taken (strips of rows, for which
/// the frames are read again); one mask a thread while views are corrected.
///
/// `report` (may be null) receives the dead pixels at once and the single readings as views are read, each view once.
/// Throws InputError for frames of another size; read() throws it, naming the view, when more than half of a view's
/// live pixels have no reading above dark.
std::shared_ptr<ProjectionSource> correct_counts(std::shared_ptr<ProjectionSource> counts,
                                                 std::shared_ptr<ProjectionSource> flats,
                                                 std::shared_ptr<ProjectionSource> darks,
                                                 std::shared_ptr<CorrectionReport> report, const Watch& = {});

}  // namespace backlit
