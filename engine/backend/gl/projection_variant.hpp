// The ways to project on the graphics pipeline, each by name.
#pragma once

#include <string>

namespace backlit::gl {

/// Written "draw=slices,accumulate=ping_pong"; what is left out keeps its default.
struct ProjectionVariant {
  /// rays: a fragment a ray, which sums over the slices; slices: each slice is a polygon carried to the detector and
  /// added by the blend unit (Mueller & Xu), and with splat each voxel a quad; compute: rays as invocations of a
  /// compute shader; best: rays on drivers without hardware, else compute.
  enum class Draw { rays, slices, compute, best };

  /// Of raycast: a 3-D texture, or two slices with the third interpolation in the shader.
  enum class Fetch { texture3d, slices };

  /// Of drawn passes. blend: the blend unit adds to the views; ping_pong: a pass reads what earlier ones left of some
  /// views from one texture and writes another, which are then added to the projections.
  enum class Accumulate { blend, ping_pong };

  Draw draw = Draw::best;
  Accumulate accumulate = Accumulate::blend;
  Fetch fetch = Fetch::texture3d;

  std::string name() const;  ///< of draw and, where it is not blend, accumulate
  /// Throws InputError naming keys and values there are.
  static ProjectionVariant parse(const std::string& text);
};

}  // namespace backlit::gl
