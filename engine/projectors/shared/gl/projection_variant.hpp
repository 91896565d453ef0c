// The variants of projection on the graphics pipeline.
#pragma once

#include <string>

#include <backlit/projectors/ct_options.hpp>

namespace backlit::gl {

/// Programs choose by CtOptions (of()); studies also set what only they compare (app/study/variants).
struct ProjectionVariant {
  /// rays: one fragment a ray, which sums over the slices. slices: each slice is a polygon on the detector and the
  /// blend unit adds it (Mueller & Xu); with splat, each voxel is a quad. compute: each ray is an invocation of a
  /// compute shader. best: rays on drivers without hardware, otherwise compute.
  enum class Draw { rays, slices, compute, best };

  /// For raycast: a 3-D texture, or two slices with the third interpolation in the shader. best: the texture, except
  /// where precision exact interpolates in software.
  enum class Fetch { texture3d, slices, best };

  /// For drawn passes. blend: the blend unit adds to the views. ping_pong: a pass reads the sum of earlier passes for
  /// some views from one texture and writes another; at the end they are added to the projections.
  enum class Accumulate { blend, ping_pong };

  using Stack = StackChoice;

  Draw draw = Draw::best;
  Accumulate accumulate = Accumulate::blend;
  Fetch fetch = Fetch::best;
  Stack stack = Stack::automatic;

  /// Throws InputError for choices that exclude each other.
  static ProjectionVariant of(const CtOptions&);
  std::string name() const;  ///< draw and, where they are not the defaults, accumulate, fetch (raycast) and stack
};

}  // namespace backlit::gl
