// A rotation and a shift as numbers, the way files hold them.
#pragma once

#include <backlit/geometry/types.hpp>

namespace backlit {

/// p -> turn p + shift, mm. `turn` is a rotation.
struct RigidTransform {
  glm::dmat3 turn{1};
  Vec3 shift{0};

  Vec3 operator()(const Vec3& p) const { return turn * p + shift; }
  /// `first`, then this one.
  RigidTransform after(const RigidTransform& first) const { return {turn * first.turn, turn * first.shift + shift}; }
  RigidTransform inverse() const { return {glm::transpose(turn), -(glm::transpose(turn) * shift)}; }

  bool operator==(const RigidTransform&) const = default;
};

}  // namespace backlit
