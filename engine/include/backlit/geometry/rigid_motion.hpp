// How a body is turned and moved in space.
#pragma once

#include <backlit/geometry/types.hpp>

namespace backlit {

/// A point p of the body goes to turn(p - pivot) + pivot + shift. It is turned about x, then y, then z of the world.
struct RigidMotion {
  Vec3 shift{0};   ///< mm
  Vec3 angles{0};  ///< degrees about x, y and z
  Vec3 pivot{0};   ///< mm, the point about which the body turns

  bool identity() const { return shift == Vec3(0) && angles == Vec3(0); }
  glm::dmat3 turn() const;
  Vec3 apply(const Vec3& point) const { return turn() * (point - pivot) + pivot + shift; }
  /// Where a point of the world came from.
  Vec3 undo(const Vec3& point) const { return glm::transpose(turn()) * (point - shift - pivot) + pivot; }
  /// The same with directions.
  Vec3 undo_direction(const Vec3& direction) const { return glm::transpose(turn()) * direction; }
  /// Turned by further degrees about an axis of the world (of length 1) through the moved pivot.
  RigidMotion turned(const Vec3& axis, double degrees) const;

  bool operator==(const RigidMotion&) const = default;
};

}  // namespace backlit
