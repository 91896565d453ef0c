// The reference of volume rendering against what can be worked out on paper.
#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "support/render_scene.hpp"

using namespace backlit;
using test::sampled;
using Mode = VolumeMode;

namespace volume_reference_test {
namespace {

const VolumeGrid cube{{41, 41, 41}, {1, 1, 1}, {3, -2, 7}};

VolumeRenderOptions with(Mode mode, double step = 1) {
  VolumeRenderOptions o;
  o.mode = mode;
  o.step = step;
  return o;
}

CameraRays from_x(double fov, std::int64_t side = 33) {
  return camera_rays(Turntable{.azimuth = 0, .elevation = 0, .fov = fov, .zoom = 1.5}, cube, side, side);
}

std::size_t index(const CameraRays& rays, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>(4 * (y * rays.width + x));
}

/// The transfer function that stops half the light over 10 mm whatever the value.
Classifier fog() {
  TransferFunction tf;
  tf.depth = 10;
  tf.points = {{0, {1, 0.5, 0.25}, 0.5}, {1, {1, 0.5, 0.25}, 0.5}};
  return Classifier(tf, {});
}

}  // namespace

TEST_CASE("the line integral of a smooth ellipsoid is the exact one, from any camera") {
  Phantom phantom{"blob", {}};
  Body body;
  body.shape = Body::Shape::gaussian;
  body.center = cube.center + Vec3(2, -1, 1);
  body.half = {4, 5, 3.5};
  body.value = 0.02;
  phantom.bodies.push_back(body);
  const Volume volume = voxelize(phantom, cube, 1);
  const Detector d{25, 31, 2, 1.5};
  const auto views = circular_views(d, {25}, 100, 150);
  for (const CameraRays& rays :
       {camera_rays({.azimuth = 40, .elevation = 25, .fov = 30}, cube, 31, 25),
        camera_rays({.azimuth = 40, .elevation = 25, .fov = 0}, cube, 31, 25), camera_rays(d, views[0], 25, 31)}) {
    const auto found = render_reference(volume, rays, with(Mode::drr, 0.5), {});
    double worst = 0, largest = 0;
    for (std::int64_t y = 0; y < rays.height; ++y)
      for (std::int64_t x = 0; x < rays.width; ++x) {
        const double sx = static_cast<double>(x), sy = static_cast<double>(y);
        const double exact = line_integral(phantom, rays.ray_origin(sx, sy), rays.ray_direction(sx, sy), -1000, 1000);
        worst = std::max(worst, std::abs(found[index(rays, x, y)] - exact));
        largest = std::max(largest, exact);
      }
    INFO(worst << " of " << largest);
    CHECK(largest > 0.1);
    CHECK(worst < 0.012 * largest);  // trilinear interpolation of sigma 3.5 voxels
  }
}

TEST_CASE("the surface of a sphere has the right depth and normal") {
  const double radius = 12;
  const Vec3 middle = cube.center + Vec3(1.3, 0.4, -0.7);
  const Volume volume = sampled(cube, [&](const Vec3& p) { return radius - glm::length(p - middle); });
  for (const double fov : {0.0, 40.0}) {
    const CameraRays rays = from_x(fov);
    const auto found = render_reference(volume, rays, with(Mode::iso), {});
    std::int64_t hits = 0;
    for (std::int64_t y = 0; y < rays.height; ++y)
      for (std::int64_t x = 0; x < rays.width; ++x) {
        const Vec3 o = rays.ray_origin(double(x), double(y)), d = rays.ray_direction(double(x), double(y));
        const double along = glm::dot(middle - o, d), aside = glm::length(middle - o - along * d);
        const double* f = &found[index(rays, x, y)];
        const Vec3 normal(f[0], f[1], f[2]);
        if (aside < 0.93 * radius) {
          const double depth = along - std::sqrt(radius * radius - aside * aside);
          ++hits;
          // Trilinear interpolation of a sphere lies inside it by at most an eighth of voxel^2 / radius an axis.
          const double slope = std::sqrt(1 - aside * aside / (radius * radius));
          CHECK(f[3] == Approx(depth).margin(3.0 / 8 / radius / slope + 2e-3));
          CHECK(glm::dot(normal, glm::normalize(o + f[3] * d - middle)) > 0.99999);
        } else if (aside > radius + 0.1) {
          CHECK(normal == Vec3(0));
        }
      }
    CHECK(hits > 100);
  }
}

TEST_CASE("opacity does not depend on the length of a step") {
  const Volume volume = sampled(cube, [](const Vec3&) { return 0.5; });
  const CameraRays rays = from_x(0);
  for (const double step : {0.1, 0.7, 1.0, 2.0}) {
    VolumeRenderOptions o = with(Mode::dvr, step);
    o.opaque = 1;
    for (const bool jitter : {false, true}) {
      o.jitter = jitter;
      const auto found = render_reference(volume, rays, o, fog());
      const double* f = &found[index(rays, 16, 16)];
      CHECK(f[3] == Approx(1 - std::pow(0.5, 4.1)));  // 41 mm at half of the light in 10
      CHECK(f[1] == Approx(0.5 * f[3]));
    }
  }
  // Where values change along the ray, pictures of ever shorter steps agree ever better.
  const Volume varied = test::blobs();
  const CameraRays camera = camera_rays({.azimuth = 20}, varied.grid, 24, 24);
  const Classifier warm(test::warm(), {});
  const auto fine = render_reference(varied, camera, with(Mode::dvr, 0.05), warm);
  double last = 1e9;
  for (const double step : {1.0, 0.5, 0.25}) {
    const auto found = render_reference(varied, camera, with(Mode::dvr, step), warm);
    double sum = 0;
    for (std::size_t i = 3; i < found.size(); i += 4) sum += (found[i] - fine[i]) * (found[i] - fine[i]);
    const double rms = std::sqrt(sum / (24 * 24));
    CHECK(rms < 0.6 * last);
    last = rms;
  }
  CHECK(last < 0.005);
}

TEST_CASE("maximum and average are those along the ray") {
  const Volume volume = sampled(cube, [](const Vec3& p) { return p.x - 3; });  // -20..20 along the rays
  const CameraRays rays = from_x(0);
  const auto most = render_reference(volume, rays, with(Mode::mip, 0.5), {});
  const auto mean = render_reference(volume, rays, with(Mode::average, 0.5), {});
  const std::size_t middle = index(rays, 16, 16), corner = index(rays, 0, 0);
  CHECK(most[middle] == Approx(20));
  CHECK(mean[middle] == Approx(0).margin(1e-9));
  CHECK(most[middle + 1] == 1);
  CHECK(most[corner + 1] == (most[corner] != 0 ? 1 : 0));
}

TEST_CASE("crop box and clip planes cut the volume, and cut surfaces face outward") {
  const Volume volume = sampled(cube, [](const Vec3&) { return 1.0; });
  const CameraRays rays = from_x(0);
  const std::size_t middle = index(rays, 16, 16);
  VolumeRenderOptions o = with(Mode::drr);
  o.crop_low.x = cube.center.x - 5;
  CHECK(render_reference(volume, rays, o, {})[middle] == Approx(25.5));
  o.clips = {{cube.center + Vec3(2, 0, 0), Vec3(3, 0, 0)}};
  CHECK(render_reference(volume, rays, o, {})[middle] == Approx(7));
  o.mode = Mode::iso;
  o.iso = 0.5;
  const auto found = render_reference(volume, rays, o, {});
  CHECK(found[middle] == Approx(1));  // the plane's normal
  const Vec3 hit = rays.ray_origin(16, 16) + found[middle + 3] * rays.ray_direction(16, 16);
  CHECK(hit.x == Approx(cube.center.x + 2));
  o.clips = {{cube.center, Vec3(1, 0, 0)}, {cube.center + Vec3(1, 0, 0), Vec3(-1, 0, 0)}};
  CHECK(render_reference(volume, rays, o, {})[middle] == 0);
}

TEST_CASE("an eye inside the volume sees what is in front of it") {
  const Volume volume = sampled(cube, [](const Vec3&) { return 1.0; });
  CameraRays rays = from_x(30);
  rays.origin = cube.center;
  CHECK(render_reference(volume, rays, with(Mode::drr), {})[index(rays, 16, 16)] == Approx(20.5));
}

TEST_CASE("options that cannot be used are refused in a line") {
  VolumeRenderOptions o;
  o.step = 0;
  CHECK_THROWS_WITH(o.check(), "step: 0 voxels; give 0.05 to 2");
  o = {};
  o.crop_low.y = o.crop_high.y = 1;
  CHECK_THROWS_WITH(o.check(), "crop: 1 to 1 mm along y is empty; the first corner must be the lower one");
  o = {};
  o.clips.resize(7, {{0, 0, 0}, {1, 0, 0}});
  CHECK_THROWS_WITH(o.check(), "clip: 7 planes; give at most 6");
  o.clips = {{}};
  CHECK_THROWS_WITH(o.check(), Catch::Contains("a plane without a direction"));
  CHECK_THROWS_WITH(volume_mode_from("xray"), "mode: unknown name 'xray'; choose one of mip, average, drr, iso, dvr");
}

}  // namespace volume_reference_test
