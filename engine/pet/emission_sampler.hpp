// Places where a phantom decays, drawn with the probability that its activity has there.
#pragma once

#include <vector>

#include <backlit/phantom/phantom.hpp>
#include "phantom/random.hpp"

namespace backlit {

/// Draws a body by its activity and a place in it, then thins by what overlapping bodies take away. Exact for bodies of
/// any shape that add and subtract; places where they add up to less than 0 have no activity.
class EmissionSampler {
 public:
  /// Throws InputError when no body has positive activity. Keeps a copy of the phantom.
  explicit EmissionSampler(Phantom);

  /// Integral of activity over the positive bodies as drawn from, before clipping and thinning (value times mm^3): each
  /// draw stands for 1 / total() of it.
  double total() const { return cumulative_.back(); }
  /// The largest distance from the axis at which a place can be.
  double reach() const { return reach_; }
  /// A place; false when the draw is lost to a clip.
  bool draw(CounterRandom&, Vec3& place) const;
  /// Whether a place drawn stays. Draws one number, and only where bodies of negative value exist.
  bool keep(CounterRandom&, const Vec3& place) const;

 private:
  Phantom phantom_;
  std::vector<std::size_t> positive_;  ///< bodies to draw from
  std::vector<double> cumulative_;     ///< of their activities
  bool thins_ = false;
  double reach_ = 0;
};

}  // namespace backlit
