// The ways to project through slices on the graphics pipeline, each by name.
#pragma once

#include <string>

namespace backlit::gl {

/// Written "draw=rays"; what is left out keeps its default.
struct ProjectionVariant {
  /// rays: a fragment a ray, which sums over the slices; slices: each slice is a polygon carried to the detector and
  /// added by the blend unit (Mueller & Xu); compute: rays as invocations of a compute shader; best: rays on drivers
  /// without hardware, else compute.
  enum class Draw { rays, slices, compute, best };

  Draw draw = Draw::best;

  std::string name() const;
  /// Throws InputError naming keys and values there are.
  static ProjectionVariant parse(const std::string& text);
};

}  // namespace backlit::gl
