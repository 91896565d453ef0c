// Every phantom that ships: loads, is finite, and its line integrals are those of its values.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "phantom/phantom.hpp"

using namespace backlit;

TEST_CASE("line integrals of every shipped phantom agree with sums of its values along the ray") {
  for (const std::string& name : shipped_phantoms()) {
    INFO(name);
    const Phantom phantom = load_phantom(name);
    CHECK_FALSE(phantom.name.empty());
    double reach = 0, strength = 0;
    for (const Body& body : phantom.bodies) {
      CHECK(std::isfinite(body.value));
      reach = std::max(reach, glm::length(body.center) + glm::length(body.half));
      strength = std::max(strength, std::abs(body.value));
    }
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    constexpr int steps = 3000;
    for (int ray = 0; ray < 20; ++ray) {
      // Through some body, so that small ones are met.
      const Body& aim = phantom.bodies[random() % phantom.bodies.size()];
      const Vec3 through = aim.center + 0.3 * aim.half * Vec3(normal(random), normal(random), normal(random));
      const Vec3 direction = glm::normalize(Vec3(normal(random), normal(random), 0.3 * normal(random)));
      const double step = 2 * reach / steps;
      double sum = 0;
      for (int i = 0; i < steps; ++i)
        sum += step * value_at(phantom, through + (-reach + (i + 0.5) * step) * direction);
      const double exact = line_integral(phantom, through, direction, -reach, reach);
      // Each crossing of a surface costs the sum at most half a step.
      CHECK(std::abs(sum - exact) < 12 * step * strength);
    }
  }
}

TEST_CASE("values everybody relies on") {
  CHECK(value_at(load_phantom("water-cylinder"), {0, 0, 0}) == 0.02);
  const Phantom head = load_phantom("forbild-head");
  CHECK(value_at(head, {0, 30, 60}) == Approx(0.02 * 1.05));
  CHECK(value_at(head, {0, -118, 0}) == Approx(0.02 * 1.8));
  CHECK(value_at(head, {0, 70, 0}) == Approx(0).margin(1e-12));  // frontal sinus
  CHECK(value_at(head, {88, 0, 0}) == Approx(0).margin(1e-12));  // an air cell of the ear
  CHECK(value_at(head, {75, 15, 0}) == Approx(0.02 * 1.8));      // bone around them
  CHECK(value_at(load_phantom("forbild-head-plain"), {80, 0, 0}) == Approx(0.02 * 1.05));
  CHECK(value_at(load_phantom("shepp-logan-3d"), {0, 0, 0}) == Approx(0.02));
  CHECK(value_at(load_phantom("shepp-logan-rtk"), {0, 0, 0}) == Approx(1.02));
}
