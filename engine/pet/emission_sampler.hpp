// Draws random places of decays in a phantom, with the density of its activity.
#pragma once

#include <vector>

#include <backlit/phantom/phantom.hpp>
#include "phantom/random.hpp"

namespace backlit {

/// Draws a body by its activity and a place in the body. Then rejects places by the negative values of overlapping
/// bodies. Exact for bodies of any shape that add and subtract. Places with a sum below 0 have no activity.
class EmissionSampler {
 public:
  /// Throws InputError when no body has positive activity. Keeps a copy of the phantom.
  explicit EmissionSampler(Phantom);

  /// Integral of activity over the positive bodies before clips and rejection (value times mm^3).
  double total() const { return cumulative_.back(); }
  /// The largest distance of a place from the axis.
  double reach() const { return reach_; }
  /// Draws a place; false when a clip cuts it off.
  bool draw(CounterRandom&, Vec3& place) const;
  /// Whether a drawn place is accepted. Draws one number if the phantom has negative bodies, else none.
  bool keep(CounterRandom&, const Vec3& place) const;

 private:
  Phantom phantom_;
  std::vector<std::size_t> positive_;  ///< bodies to draw from
  std::vector<double> cumulative_;     ///< cumulated activities of these bodies
  bool thins_ = false;
  double reach_ = 0;
};

}  // namespace backlit
