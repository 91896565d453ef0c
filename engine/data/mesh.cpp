#include <backlit/data/mesh.hpp>

namespace backlit {

double Mesh::area() const {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) {
    const Vec3 p(vertices[a]), q(vertices[b]), r(vertices[c]);
    sum += 0.5 * glm::length(glm::cross(q - p, r - p));
  }
  return sum;
}

double Mesh::volume() const {
  double sum = 0;
  for (const auto& [a, b, c] : triangles)
    sum += glm::dot(Vec3(vertices[a]), glm::cross(Vec3(vertices[b]), Vec3(vertices[c]))) / 6;
  return sum;
}

}  // namespace backlit
