// Whether a scan turns in the direction that its geometry states, judged by its data.
#pragma once

#include <optional>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Relative differences of conjugate rays: about 0 where they agree, about 1 where they have nothing in common.
struct TurningSense {
  double as_given = 0;  ///< as the views say
  double reversed =
      0;  ///< if the scan turns in the opposite direction, or its columns are mirrored: the rays are the same

  /// By how much the one agrees better than the other before it is believed.
  static constexpr double decisive = 1.5;
  bool confirmed() const { return reversed > decisive * as_given; }
  bool contradicted() const { return as_given > decisive * reversed; }
};

/// Compares conjugate rays in the mid-plane of a fan or cone beam, the axis wherever on the detector they agree best.
/// Reads at most 360 views; stage "read". Nothing for parallel beams, whose rays agree in both directions (turned in
/// the opposite one, the volume is a mirror image), and where too few rays were measured from both sides.
std::optional<TurningSense> compare_turning_senses(std::shared_ptr<ProjectionSource> line_integrals, const Watch& = {});

}  // namespace backlit
