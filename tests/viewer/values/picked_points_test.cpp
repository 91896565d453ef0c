// Points in space from the mouse: what the 3-D view shows at a pixel, edges of slices, and the handles of the crop box.
#include <catch2/catch.hpp>

#include <cmath>

#include "model/values/clip_handles.hpp"
#include "model/values/nearest_edge.hpp"
#include "model/values/visible_point.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

constexpr double radius = 20;
const Vec3 middle(3, -2, 4);
const VolumeGrid grid{{64, 64, 64}, Vec3(1), Vec3(0)};

/// 1 in a ball, 0 outside, an edge about as wide as a voxel.
std::vector<float> ball(std::span<const Vec3> points) {
  std::vector<float> values;
  for (const Vec3& p : points)
    values.push_back(static_cast<float>(0.5 + 0.5 * std::erf((radius - glm::length(p - middle)) / 0.7)));
  return values;
}

struct Look {
  CameraRays rays;
  VolumeRenderOptions options;
  Classifier classifier;
};

std::optional<Vec3> visible_point(const Look& look, const VolumeGrid& g, double x, double y, const ValuesAt& values) {
  return viewer::visible_point(look.rays, look.options, look.classifier, g, x, y, values);
}

Look look_at(VolumeMode mode) {
  Look look;
  look.rays = camera_rays(Turntable{-60, 25, 30, 1, Vec3(0)}, grid, 200, 160);
  look.options.mode = mode;
  look.options.iso = 0.5;
  TransferFunction f;
  f.depth = 2;
  f.points = {{0.4, Vec3(1), 0}, {0.6, Vec3(1), 0.95}};
  look.classifier = Classifier(f, {});
  return look;
}

}  // namespace

TEST_CASE("A pixel's point lies on what is seen there: surface, body, largest value, cut") {
  const Look iso = look_at(VolumeMode::iso);
  const Vec3 at = project(iso.rays, middle);
  const auto point = visible_point(iso, grid, at.x + 5, at.y - 8, ball);
  REQUIRE(point);
  CHECK(glm::length(*point - middle) == Approx(radius).margin(0.05));
  CHECK(glm::dot(*point - middle, iso.rays.middle_direction()) < 0);  // the near side
  const Vec3 back = project(iso.rays, *point);
  CHECK(back.x == Approx(at.x + 5).margin(1e-3));
  CHECK(back.y == Approx(at.y - 8).margin(1e-3));
  CHECK_FALSE(visible_point(iso, grid, 0, 0, ball));  // beside the ball

  const Look body = look_at(VolumeMode::dvr);
  const auto inside = visible_point(body, grid, at.x, at.y, ball);
  REQUIRE(inside);
  CHECK(glm::length(*inside - middle) == Approx(radius).margin(1));
  CHECK_FALSE(visible_point(body, grid, 0, 0, ball));

  Look cut = iso;
  cut.options.clips = {{middle, -iso.rays.middle_direction()}};  // the near half is cut away
  const auto on_cut = visible_point(cut, grid, at.x, at.y, ball);
  REQUIRE(on_cut);
  CHECK(glm::length(*on_cut - middle) < 0.5);
  cut.options.crop_high = Vec3(-30);
  CHECK_FALSE(visible_point(cut, grid, at.x, at.y, ball));
  CHECK_FALSE(visible_point(look_at(VolumeMode::drr), grid, at.x, at.y, ball));  // shows no place
  const std::vector<float> ray{0, 1, 5, 2};
  CHECK(visible_sample(ray, 1, look_at(VolumeMode::mip).options, {}) == 2.0);
}

TEST_CASE("A point near an edge goes to it, finer than a voxel, and elsewhere it stays") {
  CutPlane plane;
  plane.right = Vec3(1, 0, 0);
  plane.up = Vec3(0, 0, 1);
  plane.center = middle;
  plane.pixel = 0.25;
  for (const double angle : {0.1, 1.3, 2.9, 4.4}) {
    const Vec3 out = std::cos(angle) * plane.right + std::sin(angle) * plane.up;
    for (const double off : {-2.0, 1.7}) {
      const auto edge = nearest_edge(plane, middle + (radius + off) * out, 3, 0.5, 0.05, ball);
      REQUIRE(edge);
      CHECK(glm::length(*edge - middle) == Approx(radius).margin(0.1));
      CHECK(std::abs(glm::dot(*edge - middle, plane.normal())) < 1e-9);
      CHECK(glm::length(*edge - (middle + radius * out)) < 1.5);
    }
  }
  CHECK_FALSE(nearest_edge(plane, middle, 3, 0.5, 0.05, ball));
}

TEST_CASE("The handles of the crop box follow the pointer along their axes, and stay in the volume") {
  const CameraRays rays = camera_rays(Turntable{-50, 25, 30, 1, Vec3(0)}, grid, 300, 240);
  DisplayState d;
  d.crop = true;
  d.crop_low = grid.lower();
  d.crop_high = grid.upper();
  const auto drag = [&](int handle, const Vec3& to) {
    const Vec3 p = project(rays, to);
    drag_clip_handle(d, handle, rays, grid, p.x, p.y);
  };
  drag(1, Vec3(10, 0, 0));  // the upper face across x
  CHECK(d.crop_high.x == Approx(10).margin(1e-6));
  drag(4, Vec3(-11, 0, -7));  // the lower face across z, on its axis through the middle of the box
  CHECK(d.crop_low.z == Approx(-7).margin(1e-6));
  CHECK(d.crop_high.y == grid.upper().y);
  drag(1, Vec3(500, 0, 12));
  CHECK(d.crop_high.x == grid.upper().x);
  drag(1, Vec3(-500, 0, 12));
  CHECK(d.crop_high.x == Approx(grid.lower().x + 1));  // a voxel is left
  d.crop_low = Vec3(-5);
  d.crop_high = Vec3(5);
  drag(clip_middle, Vec3(4, 3, -2));
  CHECK(glm::length(d.crop_high - d.crop_low - Vec3(10)) < 1e-9);
  const Vec3 seen = project(rays, clip_handle(d, clip_middle)), wanted = project(rays, Vec3(4, 3, -2));
  CHECK(seen.x == Approx(wanted.x).margin(1e-6));
  CHECK(seen.y == Approx(wanted.y).margin(1e-6));
  drag(clip_middle, Vec3(400, 0, 0));
  for (int a = 0; a < 3; ++a) CHECK(d.crop_high[a] <= grid.upper()[a] + 1e-9);
  CHECK(glm::length(d.crop_high - d.crop_low - Vec3(10)) < 1e-9);
  // Looking along an axis, its faces cannot be pulled.
  const CameraRays above = camera_rays(Turntable{-90, 90, 0, 1, Vec3(0)}, grid, 300, 240);
  const DisplayState before = d;
  drag_clip_handle(d, 5, above, grid, 10, 10);
  CHECK(d.crop_high == before.crop_high);
}

TEST_CASE("A crop box that was never set holds the volume, and is no empty one where there is none") {
  DisplayState d;
  start_crop(d, VolumeGrid{{0, 0, 0}, Vec3(0), Vec3(0)});
  CHECK(d.crop);
  CHECK(d.crop_low.x < d.crop_high.x);
  start_crop(d, grid);
  CHECK(d.crop_low == grid.lower());
  d.crop_high = Vec3(1);
  start_crop(d, grid);
  CHECK(d.crop_high == Vec3(1));
}
