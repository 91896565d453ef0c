#include <backlit/geometry/rigid_motion.hpp>

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace backlit {
namespace {

glm::dmat3 about(const Vec3& axis, double degrees) {
  return glm::dmat3(glm::rotate(glm::dmat4(1), degrees * radians_per_degree, axis));
}

}  // namespace

glm::dmat3 RigidMotion::turn() const {
  return about({0, 0, 1}, angles.z) * about({0, 1, 0}, angles.y) * about({1, 0, 0}, angles.x);
}

RigidMotion RigidMotion::turned(const Vec3& axis, double degrees) const {
  const glm::dmat3 m = about(axis, degrees) * turn();  // columns; m[c][r]
  RigidMotion next = *this;
  next.angles.y = std::asin(std::clamp(-m[0][2], -1.0, 1.0)) / radians_per_degree;
  if (std::abs(m[0][2]) < 1 - 1e-12) {
    next.angles.x = std::atan2(m[1][2], m[2][2]) / radians_per_degree;
    next.angles.z = std::atan2(m[0][1], m[0][0]) / radians_per_degree;
  } else {  // y is a right angle: x and z turn about the same axis
    next.angles.x = 0;
    next.angles.z = std::atan2(-m[1][0], m[1][1]) / radians_per_degree;
  }
  return next;
}

}  // namespace backlit
