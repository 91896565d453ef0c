#include <backlit/geometry/matrix.hpp>

#include <fmt/format.h>

#include <cmath>

#include <glm/gtc/matrix_access.hpp>

#include <backlit/core/error.hpp>

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

void require_finite(const ProjectionMatrix& p) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 3; ++row)
      if (!std::isfinite(p[column][row])) throw InputError("projection matrix", "it holds numbers that are not finite");
}

[[noreturn]] void refuse_singular() {
  throw InputError("projection matrix", "it is singular: its rows do not span a camera",
                   "give three rows of four numbers that map (x, y, z, 1) mm to (column w, row w, w)");
}

/// A parallel view: column and row are linear in space. The matrix does not fix the detector's distance or the side of
/// the source. The detector is placed perpendicular to the rays, in the plane through the origin, and u x v points to
/// the source as in our trajectories.
View parallel_view(const ProjectionMatrix& p, const Detector& d) {
  const double unit = p[3][2];
  const Vec3 a = glm::row(left_block(p), 0) / unit, b = glm::row(left_block(p), 1) / unit;
  const Vec3 across = glm::cross(a, b);
  if (!(glm::length(across) > 1e-9 * glm::length(a) * glm::length(b))) refuse_singular();
  View view;
  view.beam = Beam::parallel;
  view.direction = -glm::normalize(across);
  // u and v are the dual basis of a and b across the rays: a . u = 1, a . v = 0 and so on.
  view.u = glm::cross(b, across) / glm::dot(across, across);
  view.v = glm::cross(across, a) / glm::dot(across, across);
  view.center = (d.middle_column() - p[3][0] / unit) * view.u + (d.middle_row() - p[3][1] / unit) * view.v;
  return view;
}

/// The view of a matrix. `scale` gives the factor from the columns of the inverse to u, v and D - S; the matrix does
/// not fix it.
template <class Scale>
View view_at_scale(const ProjectionMatrix& p, const Detector& d, Scale&& scale) {
  require_flat(d);
  require_finite(p);
  const Mat3 m = left_block(p);
  const Vec3 g = glm::row(m, 2);
  constexpr double farthest = 1e12;  // mm: a source beyond that is at infinity
  if (glm::length(g) * farthest <= std::abs(p[3][2])) return parallel_view(p, d);
  const double volume = glm::length(glm::row(m, 0)) * glm::length(glm::row(m, 1)) * glm::length(g);
  if (!(std::abs(glm::determinant(m)) > 1e-9 * volume)) refuse_singular();
  const Mat3 inverse = glm::inverse(m);
  const double lambda = scale(inverse[0], g) * (p[3][2] < 0 ? -1 : 1);  // the origin lies in front of the source
  View view;
  view.source = -(inverse * p[3]);
  view.u = lambda * inverse[0];
  view.v = lambda * inverse[1];
  view.center = view.source + lambda * (inverse * Vec3(d.middle_column(), d.middle_row(), 1));
  return view;
}

void require_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError("projection matrix", fmt::format("{} of {} mm", what, value), "give a positive number");
}

/// Rigid: eye x along u, eye z against the detector's normal, so eye y is along v or, in a mirrored view, against it.
struct EyeFrame {
  Vec3 x, y, z;
};

EyeFrame eye_frame(const View& view) {
  const Vec3 x = glm::normalize(view.u), z = -detector_normal(view).normal;
  return {x, glm::cross(z, x), z};
}

glm::dmat4 model_view_of(const EyeFrame& eye, const Vec3& origin) {
  glm::dmat4 m(1);
  for (int i = 0; i < 3; ++i) m[i] = glm::dvec4(eye.x[i], eye.y[i], eye.z[i], 0);
  m[3] = glm::dvec4(-glm::dot(eye.x, origin), -glm::dot(eye.y, origin), -glm::dot(eye.z, origin), 1);
  return m;
}

}  // namespace

ProjectionMatrix projection_matrix(const Detector& d, const View& view) {
  require_flat(d);
  const ProjectionMatrix p = unscaled(d, view);
  if (view.beam == Beam::parallel) return p;
  return p * (1 / glm::length(glm::row(left_block(p), 2)));
}

View view_from_matrix(const ProjectionMatrix& p, const Detector& d, double pixel_u) {
  require_positive(pixel_u, "a pixel size");
  return view_at_scale(p, d, [&](const Vec3& u, const Vec3&) { return pixel_u / glm::length(u); });
}

View view_from_matrix_at(const ProjectionMatrix& p, const Detector& d, double source_to_detector) {
  require_positive(source_to_detector, "a distance from source to detector");
  return view_at_scale(p, d, [&](const Vec3&, const Vec3& g) { return source_to_detector * glm::length(g); });
}

CameraMatrices camera_matrices(const Detector& d, const View& view, double near_mm, double far_mm) {
  require_flat(d);
  const bool parallel = view.beam == Beam::parallel;
  if (!(near_mm < far_mm) || (!parallel && !(near_mm > 0)))
    throw InputError("camera", fmt::format("clipping planes at {} and {} mm", near_mm, far_mm),
                     parallel ? "give near < far" : "give 0 < near < far");
  const double width = glm::length(view.u), height = glm::length(view.v);
  if (std::abs(glm::dot(view.u, view.v)) > 1e-6 * width * height)
    throw Unsupported("camera", "the detector's u and v are not orthogonal", "use projection_matrix()");
  const EyeFrame eye = eye_frame(view);
  const double distance = detector_normal(view).distance;
  const double up = glm::dot(view.v, eye.y) < 0 ? -1 : 1;  // rows of mirrored views run against eye y
  CameraMatrices m;
  m.model_view = model_view_of(eye, parallel ? view.center : view.source);

  // The detector's middle and scale in eye x and y. Cone beams divide them by the distance.
  const Vec3 middle = parallel ? Vec3(0) : view.center - view.source;
  const double scale_x = 2 / (static_cast<double>(d.columns) * width);
  const double scale_y = up * 2 / (static_cast<double>(d.rows) * height);
  const double x0 = glm::dot(middle, eye.x), y0 = glm::dot(middle, eye.y);
  m.projection = glm::dmat4(0);
  if (parallel) {
    // Oblique rays shear: the projection of a point at eye depth -z is shifted by z * (ray's x / ray's z).
    const double along = glm::dot(view.direction, eye.z);
    m.projection[0][0] = scale_x;
    m.projection[1][1] = scale_y;
    m.projection[2][0] = -scale_x * glm::dot(view.direction, eye.x) / along;
    m.projection[2][1] = -scale_y * glm::dot(view.direction, eye.y) / along;
    m.projection[2][2] = -1 / (far_mm - near_mm);
    m.projection[3][2] = -near_mm / (far_mm - near_mm);
    m.projection[3][3] = 1;
  } else {
    m.projection[0][0] = scale_x * distance;
    m.projection[1][1] = scale_y * distance;
    m.projection[2][0] = scale_x * x0;
    m.projection[2][1] = scale_y * y0;
    m.projection[2][2] = -far_mm / (far_mm - near_mm);
    m.projection[3][2] = -far_mm * near_mm / (far_mm - near_mm);
    m.projection[2][3] = -1;
  }
  m.window = glm::dmat4(1);
  m.window[0][0] = 0.5 * static_cast<double>(d.columns);
  m.window[1][1] = 0.5 * static_cast<double>(d.rows);
  m.window[3][0] = d.middle_column();
  m.window[3][1] = d.middle_row();
  return m;
}

}  // namespace backlit
