// Whether the columns or rows of a detector are mirrored against what a geometry states, judged by the data.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Relative differences of lines that were measured from both of their ends, for the four ways in which columns and
/// rows can run: about 0 where they agree.
struct DetectorFlips {
  std::array<double, 4> difference{};  ///< [mirrored columns + 2 mirrored rows]

  /// By how much one way agrees better than another before it is believed.
  static constexpr double decisive = 1.5;
  std::size_t best() const;
  /// Whether mirroring alone the columns (rows) would agree decisively worse or better than the best way.
  bool columns_are_known() const;
  bool rows_are_known() const;
};

/// Compares the two readings of the line from the source of one view to that of another. On a circle these lines lie in
/// one plane and tell about columns alone; on a helix they tell about rows, too. Mirrored about the column and the row
/// at which the axis and the source's level are seen. Reads at most 240 views around the middle of the scan; stage
/// "read". Nothing for parallel beams, and where too few lines were measured twice.
std::optional<DetectorFlips> compare_detector_flips(ProjectionSource& line_integrals, const Watch& = {});

}  // namespace backlit
