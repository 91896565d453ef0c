#include "geometry/matrix.hpp"

#include <cmath>

#include <glm/gtc/matrix_access.hpp>

#include "core/error.hpp"

namespace backlit {
namespace {

using Mat3 = glm::dmat3;

Mat3 left_block(const ProjectionMatrix& p) { return Mat3(p[0], p[1], p[2]); }

void require_flat(const Detector& d) {
  if (d.shape == Detector::Shape::curved)
    throw Unsupported("projection matrix", "a curved detector has none", "use the view's vectors");
}

/// The matrix up to scale: rows r with column w = r0 . (x,1), row w = r1 . (x,1), w = r2 . (x,1).
ProjectionMatrix unscaled(const Detector& d, const View& view) {
  const bool parallel = view.beam == Beam::parallel;
  const Vec3 axis = parallel ? view.direction : view.center - view.source;
  const Vec3 origin = parallel ? view.center : view.source;
  const Mat3 inverse = glm::inverse(Mat3(view.u, view.v, axis));  // x - origin = inverse^-1 (a, b, g)
  const Vec3 a = glm::row(inverse, 0), b = glm::row(inverse, 1);
  const Vec3 g = parallel ? Vec3(0) : glm::row(inverse, 2);
  const double unit = parallel ? 1.0 : -glm::dot(g, origin);  // w's constant term
  const Vec3 r0 = a + d.middle_column() * g, r1 = b + d.middle_row() * g;
  ProjectionMatrix p;
  for (int i = 0; i < 3; ++i) p[i] = Vec3(r0[i], r1[i], g[i]);
  p[3] = parallel ? Vec3(d.middle_column() - glm::dot(a, origin), d.middle_row() - glm::dot(b, origin), unit)
                  : Vec3(-glm::dot(r0, origin), -glm::dot(r1, origin), unit);
  return p;
}

}  // namespace

ProjectionMatrix projection_matrix(const Detector& d, const View& view) {
  require_flat(d);
  const ProjectionMatrix p = unscaled(d, view);
  if (view.beam == Beam::parallel) return p;
  return p * (1 / glm::length(glm::row(left_block(p), 2)));
}

}  // namespace backlit
