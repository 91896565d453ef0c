#include <backlit/render/camera.hpp>

#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>

using namespace backlit;
using Catch::Matchers::Contains;

namespace camera_test {
namespace {

const VolumeGrid grid{{21, 33, 15}, {1, 0.5, 2}, {10, -20, 30}};

void check_near(const Vec3& a, const Vec3& b, double margin = 1e-9) {
  for (int i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).margin(margin));
}

Scan cone() {
  const Detector d{41, 23, 1.5, 0.8};
  return {d, circular_views(d, {0, 37, 200}, 500, 800)};
}

}  // namespace

TEST_CASE("a turntable stands where a scan's source does, +z up, and looks at the middle of the volume") {
  Turntable t{.azimuth = 37, .elevation = 0, .fov = 30};
  const CameraRays rays = camera_rays(t, grid, 40, 30);
  const double a = 37 * radians_per_degree;
  check_near(rays.middle_direction(), {-std::cos(a), -std::sin(a), 0});
  check_near(rays.right(), {-std::sin(a), std::cos(a), 0});
  check_near(rays.up(), {0, 0, 1});
  check_near(project(rays, grid.center), {19.5, 14.5, project(rays, grid.center).z});
  // From straight above, +x to the right and +y up, as axial pictures are.
  const CameraRays above = camera_rays(Turntable{.azimuth = -90, .elevation = 90, .fov = 0}, grid, 40, 30);
  check_near(above.right(), {1, 0, 0});
  check_near(above.up(), {0, 1, 0});
  check_near(above.middle_direction(), {0, 0, -1});
  CHECK(above.endless);
}

TEST_CASE("zoom 1 fits the volume's bounding sphere into the shorter side, zoom magnifies about the middle") {
  const double radius = 0.5 * glm::length(grid.upper() - grid.lower());
  for (const double fov : {0.0, 25.0}) {
    const CameraRays rays = camera_rays({.azimuth = 10, .elevation = 0, .fov = fov}, grid, 50, 30);
    // The ray through the middle of the upper edge touches the sphere.
    const Vec3 origin = rays.ray_origin(24.5, -0.5), direction = rays.ray_direction(24.5, -0.5);
    const double distance = glm::length(glm::cross(grid.center - origin, direction));
    CHECK(distance == Approx(radius));
    const CameraRays closer = camera_rays({.azimuth = 10, .elevation = 0, .fov = fov, .zoom = 3}, grid, 50, 30);
    const Vec3 point = grid.center + Vec3(1, 2, 3);
    const Vec3 far = project(rays, point), near = project(closer, point);
    CHECK(near.x - 24.5 == Approx(3 * (far.x - 24.5)));
    CHECK(near.y - 14.5 == Approx(3 * (far.y - 14.5)));
  }
}

TEST_CASE("orbit wraps and stops at the poles, pan moves what is in the middle by that many pixels") {
  Turntable t{.azimuth = 170, .elevation = 80};
  orbit(t, 20, 20);
  CHECK(t.azimuth == Approx(-170));
  CHECK(t.elevation == 90);
  orbit(t, -380, -5);
  CHECK(t.azimuth == Approx(170));
  for (const double fov : {0.0, 40.0}) {
    Turntable moved{.azimuth = 33, .elevation = 12, .fov = fov, .zoom = 2};
    const CameraRays rays = camera_rays(moved, grid, 51, 31);
    pan(moved, rays, grid, 7, -4);
    const Vec3 shown = project(camera_rays(moved, grid, 51, 31), grid.center);
    CHECK(shown.x == Approx(25 + 7));
    CHECK(shown.y == Approx(15 - 4));
  }
}

TEST_CASE("a view's camera has a ray for each of its pixels, the last row on top") {
  const Scan scan = cone();
  for (const View& view : scan.views) {
    const CameraRays rays = camera_rays(scan.detector, view, 41, 23);
    for (const auto& [column, row] : {std::pair{0, 0}, {40, 3}, {17, 22}}) {
      check_near(rays.ray_direction(column, 22 - row), ray_direction(scan.detector, view, column, row));
      check_near(rays.ray_origin(column, 22 - row), view.source);
    }
  }
  View parallel = scan.views[1];
  parallel.beam = Beam::parallel;
  parallel.direction = glm::normalize(Vec3(-0.8, -0.6, 0.1));  // oblique to the detector
  const CameraRays rays = camera_rays(scan.detector, parallel, 41, 23);
  CHECK(rays.endless);
  check_near(rays.ray_direction(3, 4), parallel.direction);
  check_near(rays.ray_origin(3, 4), detector_point(scan.detector, parallel, 3, 18));
}

TEST_CASE("a picture of a view in any size holds the whole detector with square pixels, in the middle") {
  const Scan scan = cone();
  const View& view = scan.views[2];
  CHECK(picture_size(scan.detector, view, 0) == std::array<std::int64_t, 2>{41, 23});
  CHECK(picture_size(scan.detector, view, 300) == std::array<std::int64_t, 2>{300, 90});
  const CameraRays rays = camera_rays(scan.detector, view, 123, 100);
  const Vec3 corner = project(rays, detector_point(scan.detector, view, -0.5, 22.5));
  CHECK(corner.x == Approx(-0.5));
  CHECK(corner.y == Approx(49.5 - 0.5 * 23 * 0.8 / 0.5));
  Detector curved = scan.detector;
  curved.shape = Detector::Shape::curved;
  CHECK_THROWS_WITH(camera_rays(curved, view, 10, 10), Contains("camera: a curved detector has no flat picture"));
}

TEST_CASE("points project to the pixels whose rays meet them, and clip coordinates agree") {
  const Scan scan = cone();
  const Vec3 point = grid.center + Vec3(2, -3, 4);
  for (const CameraRays& rays : {camera_rays({.azimuth = 120, .elevation = -30, .fov = 35}, grid, 64, 48),
                                 camera_rays({.azimuth = 120, .elevation = -30, .fov = 0}, grid, 48, 64),
                                 camera_rays(scan.detector, scan.views[1], 41, 23)}) {
    const Vec3 pixel = project(rays, point);
    const Vec3 origin = rays.ray_origin(pixel.x, pixel.y), direction = rays.ray_direction(pixel.x, pixel.y);
    CHECK(glm::length(glm::cross(point - origin, direction)) < 1e-9);
    CHECK(glm::dot(point - origin, direction) > 0);
    const double depth = glm::dot(point - rays.ray_origin(0, 0), rays.middle_direction());
    const glm::dvec4 clip = clip_matrix(rays, 0.5 * depth, 2 * depth) * glm::dvec4(point, 1);
    CHECK(clip.w > 0);
    CHECK((clip.x / clip.w + 1) / 2 * static_cast<double>(rays.width) == Approx(pixel.x + 0.5));
    CHECK((1 - clip.y / clip.w) / 2 * static_cast<double>(rays.height) == Approx(pixel.y + 0.5));
    for (const double at : {0.5, 2.0}) {
      const Vec3 plane = rays.ray_origin(0, 0) + at * depth * rays.middle_direction();
      const glm::dvec4 end = clip_matrix(rays, 0.5 * depth, 2 * depth) * glm::dvec4(plane, 1);
      CHECK(end.z / end.w == Approx(at < 1 ? -1 : 1).margin(0.02));  // oblique pixels of a tilted plane differ a little
    }
  }
}

TEST_CASE("several rays a pixel lie evenly about the one they stand for") {
  for (const double fov : {0.0, 30.0}) {
    const CameraRays one = camera_rays({.azimuth = 10, .fov = fov}, grid, 20, 14), many = supersampled(one, 3);
    CHECK(many.width == 60);
    for (const auto& [x, y] : {std::pair{0, 0}, {7, 11}}) {
      check_near(many.ray_origin(3 * x + 1, 3 * y + 1), one.ray_origin(x, y));
      check_near(many.ray_direction(3 * x + 1, 3 * y + 1), one.ray_direction(x, y));
      check_near(many.ray_origin(3 * x + 2.5, 3 * y + 1), one.ray_origin(x + 0.5, y));
      check_near(many.ray_direction(3 * x + 2.5, 3 * y + 1), one.ray_direction(x + 0.5, y));
    }
  }
}

TEST_CASE("cameras refuse what cannot be drawn") {
  CHECK_THROWS_WITH(camera_rays(Turntable{.elevation = 91}, grid, 8, 8), "camera: elevation 91; give -90 to 90");
  CHECK_THROWS_WITH(camera_rays(Turntable{.fov = 180}, grid, 8, 8), "camera: field of view 180; give 0 to 170");
  CHECK_THROWS_WITH(camera_rays(Turntable{}, grid, 0, 8), Contains("0 x 8 pixels"));
}

}  // namespace camera_test
