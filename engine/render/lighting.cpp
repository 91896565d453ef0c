#include <backlit/render/lighting.hpp>

#include <algorithm>
#include <cmath>

namespace backlit {

Vec3 lit(const Vec3& color, const Vec3& normal, const Vec3& direction, const Vec3& light) {
  constexpr double ambient = 0.25, diffuse = 0.75, specular = 0.25, shininess = 40;
  const Vec3 halfway = glm::normalize(light - direction);
  return color * (ambient + diffuse * std::abs(glm::dot(normal, light))) +
         Vec3(specular * std::pow(std::abs(glm::dot(normal, halfway)), shininess));
}

Vec3 light_of(const CameraRays& r) {
  if (r.light != Vec3(0)) return r.light;
  return glm::normalize(-r.middle_direction() + 0.45 * r.up() - 0.35 * r.right());
}

}  // namespace backlit
