#include <backlit/geometry/matrix.hpp>

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>
#include "support/projectors/random_views.hpp"

using namespace backlit;
using test::odd_detector;
using test::Random;
using test::random_view;

namespace {

/// Largest difference of two matrices, as a share of each row's length.
double difference(const ProjectionMatrix& a, const ProjectionMatrix& b) {
  double worst = 0;
  for (int row = 0; row < 3; ++row) {
    double square = 0, size = 0;
    for (int i = 0; i < 4; ++i) {
      square += std::pow(a[i][row] - b[i][row], 2);
      size += a[i][row] * a[i][row];
    }
    worst = std::max(worst, std::sqrt(square / size));
  }
  return worst;
}

double difference(const View& a, const View& b) {
  double worst = 0;
  for (auto part : {&View::source, &View::direction, &View::center, &View::u, &View::v})
    worst = std::max(worst, glm::length(a.*part - b.*part) / std::max(1.0, glm::length(a.*part)));
  return worst;
}

}  // namespace

TEST_CASE("a projection matrix maps points where the detector's pixels are, w is the depth along the normal") {
  Random random(1);
  const Detector d = odd_detector();
  for (int i = 0; i < 200; ++i) {
    const View view = random_view(random, d, Beam::cone, i % 2);
    const ProjectionMatrix p = projection_matrix(d, view);
    const double column = random.between(-20, 170), row = random.between(-20, 80), share = random.between(-1, 0.9);
    const Vec3 point = test::point_on_ray(d, view, column, row, share);
    const Vec3 image = p * glm::dvec4(point, 1);
    CHECK(image.x / image.z == Approx(column).margin(1e-9));
    CHECK(image.y / image.z == Approx(row).margin(1e-9));
    CHECK(image.z == Approx(glm::dot(detector_normal(view).normal, point - view.source)).epsilon(1e-12));
    CHECK(std::hypot(p[0][2], p[1][2], p[2][2]) == Approx(1).epsilon(1e-13));
  }
}

TEST_CASE("matrix -> view -> matrix and view -> matrix -> view agree to 1e-9, at any scale and sign") {
  Random random(2);
  const Detector d = odd_detector();
  for (int i = 0; i < 200; ++i) {
    const View view = random_view(random, d, Beam::cone, i % 2);
    const ProjectionMatrix p = projection_matrix(d, view);
    const double scale = std::pow(10, random.between(-6, 6)) * (i % 3 ? 1 : -1);
    CHECK(difference(view_from_matrix(p * scale, d, glm::length(view.u)), view) < 1e-9);
    CHECK(difference(view_from_matrix_at(p * scale, d, detector_normal(view).distance), view) < 1e-9);
    // Another pixel size puts the detector elsewhere along the same rays.
    const View other = view_from_matrix(p * scale, d, 3.7);
    CHECK(glm::length(other.u) == Approx(3.7).epsilon(1e-12));
    CHECK(difference(projection_matrix(d, other), p) < 1e-9);
  }
}

TEST_CASE("parallel matrices give the detector across the rays") {
  Random random(3);
  const Detector d = odd_detector();
  for (int i = 0; i < 100; ++i) {
    const View view = random_view(random, d, Beam::parallel);
    const ProjectionMatrix p = projection_matrix(d, view);
    CHECK(p[0][2] == 0);
    CHECK(p[3][2] == 1);
    const View back = view_from_matrix(p * random.between(-5, 5), d, 1);
    CHECK(back.beam == Beam::parallel);
    CHECK(difference(projection_matrix(d, back), p) < 1e-9);
    // Only where along the rays the detector stands is lost.
    View moved = view;
    moved.center -= glm::dot(moved.center, moved.direction) * moved.direction;
    CHECK(difference(back, moved) < 1e-9);
  }
}

TEST_CASE("a hand-made matrix gives the view it describes") {
  // Source 1000 mm out on +x, detector of 4 x 3 pixels of 2 mm at 1500 mm: column = 1.5 + 750 y / (1000 - x).
  Detector d;
  d.columns = 4;
  d.rows = 3;
  ProjectionMatrix p;
  const double rows[3][4] = {{-1.5, 750, 0, 1500}, {-1, 0, 750, 1000}, {-1, 0, 0, 1000}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) p[c][r] = -2 * rows[r][c];
  const View view = view_from_matrix(p, d, 2);
  CHECK(glm::length(view.source - Vec3(1000, 0, 0)) < 1e-9);
  CHECK(glm::length(view.center - Vec3(-500, 0, 0)) < 1e-9);
  CHECK(glm::length(view.u - Vec3(0, 2, 0)) < 1e-12);
  CHECK(glm::length(view.v - Vec3(0, 0, 2)) < 1e-12);
}

TEST_CASE("matrices that are no cameras are refused") {
  const Detector d = odd_detector();
  const std::string singular =
      "projection matrix: it is singular: its rows do not span a camera; "
      "give three rows of four numbers that map (x, y, z, 1) mm to (column w, row w, w)";
  CHECK_THROWS_WITH(view_from_matrix(ProjectionMatrix(0), d, 1), singular);
  Random random(4);
  ProjectionMatrix p = projection_matrix(d, random_view(random, d));
  for (int i = 0; i < 3; ++i) p[i][1] = 2 * p[i][0] - 0.5 * p[i][2];
  CHECK_THROWS_WITH(view_from_matrix(p, d, 1), singular);
  ProjectionMatrix parallel = projection_matrix(d, random_view(random, d, Beam::parallel));
  for (int i = 0; i < 3; ++i) parallel[i][1] = -3 * parallel[i][0];
  CHECK_THROWS_WITH(view_from_matrix(parallel, d, 1), singular);
  p[2][1] = std::nan("");
  CHECK_THROWS_WITH(view_from_matrix(p, d, 1), "projection matrix: it holds numbers that are not finite");
  CHECK_THROWS_WITH(view_from_matrix(p, d, 0), "projection matrix: a pixel size of 0 mm; give a positive number");
  const Detector curved = odd_detector(Detector::Shape::curved);
  CHECK_THROWS_AS(projection_matrix(curved, random_view(random, curved)), Unsupported);
}

TEST_CASE("window * projection * model_view is the projection matrix, for offset and tilted detectors, both beams") {
  Random random(5);
  const Detector d = odd_detector();
  for (int i = 0; i < 200; ++i) {
    const bool parallel = i % 4 == 3;
    View view = random_view(random, d, parallel ? Beam::parallel : Beam::cone);
    if (i % 3 == 0) view.v = -view.v;  // mirrored: rows run the other way
    if (parallel && i % 8 == 3) view.direction = glm::normalize(view.direction + 0.1 * random.vector(1));
    const double near_mm = parallel ? -250 : 120, far_mm = 1100;
    const CameraMatrices m = camera_matrices(d, view, near_mm, far_mm);
    const glm::dmat4 whole = m.window * m.projection * m.model_view;
    ProjectionMatrix p;
    for (int c = 0; c < 4; ++c) p[c] = Vec3(whole[c].x, whole[c].y, whole[c].w);
    CHECK(difference(p, projection_matrix(d, view)) < 1e-9);

    // The model-view matrix is a rigid motion, and depth runs from 0 at near to 1 at far.
    const glm::dmat3 turn(m.model_view);
    CHECK(glm::determinant(turn) == Approx(1).epsilon(1e-12));
    CHECK(glm::length((glm::transpose(turn) * turn)[0] - Vec3(1, 0, 0)) < 1e-12);
    const Vec3 eye = parallel ? view.center : view.source, ahead = detector_normal(view).normal;
    const glm::dvec4 nearest = whole * glm::dvec4(eye + near_mm * ahead, 1),
                     last = whole * glm::dvec4(eye + far_mm * ahead, 1);
    CHECK(nearest.z / nearest.w == Approx(0).margin(1e-10));
    CHECK(last.z / last.w == Approx(1).epsilon(1e-10));

    // The detector's outline is the edge of clip space.
    const glm::dvec4 corner = m.projection * m.model_view * glm::dvec4(detector_point(d, view, -0.5, 60.5), 1);
    CHECK(corner.x / corner.w == Approx(-1).epsilon(1e-9));
    CHECK(corner.y / corner.w == Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("cameras that cannot be are refused") {
  Random random(6);
  const Detector d = odd_detector();
  CHECK_THROWS_WITH(camera_matrices(d, random_view(random, d, Beam::cone, true), 1, 2),
                    "camera: the detector's u and v are not orthogonal; use projection_matrix()");
  CHECK_THROWS_WITH(camera_matrices(d, random_view(random, d), 0, 2),
                    "camera: clipping planes at 0 and 2 mm; give 0 < near < far");
}
