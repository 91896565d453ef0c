// The variants of projection on the graphics pipeline.
#pragma once

#include <string>

#include <backlit/projectors/ct_options.hpp>

namespace backlit::gl {

/// Programs choose by CtOptions (of()); studies also set what only they compare (app/study/variants).
struct ProjectionVariant {
  /// rays: a fragment a ray, which sums over the slices; slices: each slice is a polygon carried to the detector and
  /// added by the blend unit (Mueller & Xu), and with splat each voxel a quad; compute: rays as invocations of a
  /// compute shader; best: rays on drivers without hardware, else compute.
  enum class Draw { rays, slices, compute, best };

  /// Of raycast: a 3-D texture, or two slices with the third interpolation in the shader; best: the texture, but where
  /// precision exact interpolates in software.
  enum class Fetch { texture3d, slices, best };

  /// Of drawn passes. blend: the blend unit adds to the views; ping_pong: a pass reads what earlier ones left of some
  /// views from one texture and writes another, which are then added to the projections.
  enum class Accumulate { blend, ping_pong };

  using Stack = StackChoice;

  Draw draw = Draw::best;
  Accumulate accumulate = Accumulate::blend;
  Fetch fetch = Fetch::best;
  Stack stack = Stack::automatic;

  /// Throws InputError for choices that exclude each other.
  static ProjectionVariant of(const CtOptions&);
  std::string name() const;  ///< of draw and, where they are not as usual, accumulate, fetch (of raycast) and stack
};

}  // namespace backlit::gl
