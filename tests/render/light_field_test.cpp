// Shadows and occlusion where they can be worked out on paper.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include "render/light_field.hpp"

using namespace backlit;

namespace {

const VolumeGrid room{{96, 96, 96}, {1, 1, 1}, {3, -2, 7}};

VolumeRenderOptions with(double shadows, double occlusion) {
  VolumeRenderOptions o;
  o.shadows = shadows;
  o.occlusion = occlusion;
  return o;
}

/// A plate over half of the room, at its middle height.
double plate(const Vec3& p) {
  const Vec3 q = p - room.center;
  return q.x < 0 && std::abs(q.z) < 2 ? 10 : 0;
}

/// Solid below the middle, but for a narrow shaft of 20 mm.
double ground(const Vec3& p) {
  const Vec3 q = p - room.center;
  return q.z < 0 && !(q.z > -20 && std::abs(q.x) < 3 && std::abs(q.y) < 3) ? 10 : 0;
}

}  // namespace

TEST_CASE("A plate casts a shadow whose border is softer far from it") {
  const LightField light(room, with(1, 0), {0, 0, 1}, plate);
  const auto below = [&](double x, double depth) { return light.arriving(room.center + Vec3(x, 0, -depth), Vec3(0)); };
  CHECK(below(-30, 10) == Approx(shadow_light).margin(0.01));
  CHECK(below(30, 10) == Approx(1).margin(0.01));
  CHECK(below(-30, -10) == Approx(1).margin(0.01));  // above the plate
  const auto width = [&](double depth) {
    double soft = 0;
    for (double x = -20; x < 20; x += 0.25) soft += below(x, depth) > 0.3 && below(x, depth) < 0.95 ? 0.25 : 0;
    return soft;
  };
  CHECK(width(5) > 0.5);
  CHECK(width(40) > 1.5 * width(5));
  for (double x = -20; x < 20; ++x) CHECK(below(x, 20) <= below(x + 1, 20) + 1e-9);
}

TEST_CASE("A slanting light shifts the shadow by its slope") {
  for (const double slope : {0.5, -0.75}) {
    const LightField light(room, with(1, 0), glm::normalize(Vec3(slope, 0, 1)), plate);
    double border = -24;  // where half the light arrives, 30 mm below
    while (light.arriving(room.center + Vec3(border, 0, -30), Vec3(0)) < 0.5 * (1 + shadow_light)) border += 0.25;
    CHECK(border == Approx(-30 * slope).margin(1.5));
  }
}

TEST_CASE("A plain gets all ambient light, a shaft little, and the strength is a share") {
  const LightField full(room, with(0, 1), {0, 0, 1}, ground), half(room, with(0, 0.5), {0, 0, 1}, ground);
  const Vec3 plain = room.center + Vec3(25, 20, 0), shaft = room.center - Vec3(0, 0, 12);
  CHECK(full.arriving(plain, {0, 0, 1}) > 0.9);
  CHECK(full.arriving(room.center + Vec3(0, 0, 30), Vec3(0)) == Approx(1).margin(0.02));
  const double deep = full.arriving(shaft, Vec3(0));
  CHECK(deep < 0.7);
  CHECK(half.arriving(shaft, Vec3(0)) == Approx(0.5 + 0.5 * deep));
  CHECK(full.arriving(shaft - Vec3(0, 0, 6), Vec3(0)) < deep);
  CHECK(full.arriving(shaft + Vec3(0, 0, 8), Vec3(0)) > deep);
}

TEST_CASE("Opacity by gradients keeps borders and clears what is even") {
  CHECK(gradient_share(0, 1, 1, 0) == 1);
  CHECK(gradient_share(0, 1, 1, 0.75) == Approx(0.25));
  CHECK(gradient_share(full_opacity_gradient, 1, 1, 1) == 1);
  CHECK(gradient_share(0.5 * full_opacity_gradient * 0.02 / 3, 0.02, 3, 1) == Approx(0.5));
}

TEST_CASE("Shares beyond 0 to 1 are refused by name") {
  for (const char* name : {"shadows", "occlusion", "gradient_opacity"}) {
    VolumeRenderOptions o;
    (name[0] == 's' ? o.shadows : name[0] == 'o' ? o.occlusion : o.gradient_opacity) = 1.5;
    CHECK_THROWS_WITH(o.check(), Catch::Contains(name) && Catch::Contains("0 to 1"));
  }
}
