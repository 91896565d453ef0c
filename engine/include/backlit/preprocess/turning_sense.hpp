// Checks by the data whether a scan turns in the direction that its geometry states.
#pragma once

#include <optional>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Relative differences of conjugate rays: about 0 where the rays agree, about 1 where they are independent.
struct TurningSense {
  double as_given = 0;  ///< for the direction of the views
  double reversed =
      0;  ///< if the scan turns in the opposite direction, or its columns are mirrored: the rays are the same

  /// The ratio of the two from which on a direction counts as found.
  static constexpr double decisive = 1.5;
  bool confirmed() const { return reversed > decisive * as_given; }
  bool contradicted() const { return as_given > decisive * reversed; }
};

/// Compares conjugate rays in the mid-plane of a fan or cone beam, with the axis at the column where they agree best.
/// Reads at most 360 views; stage "read". Returns nothing for parallel beams, whose rays agree in both directions: the
/// opposite direction gives the mirror image of the volume. Returns nothing too when too few rays were measured from
/// both sides.
std::optional<TurningSense> compare_turning_senses(std::shared_ptr<ProjectionSource> line_integrals, const Watch& = {});

}  // namespace backlit
