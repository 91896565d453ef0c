// Every phantom that ships: loads, is finite, and its line integrals are those of its values.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <backlit/phantom/phantom.hpp>

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

TEST_CASE("ctp528 has 21 groups of bars, group n with n line pairs per cm") {
  const Phantom phantom = load_phantom("ctp528");
  std::map<std::string, std::vector<Body>> groups;
  for (const Body& body : phantom.bodies)
    if (body.shape == Body::Shape::box) groups[fmt::format("{:.3f}", 5 / body.half.y)].push_back(body);
  REQUIRE(groups.size() == 21);
  for (int pairs = 1; pairs <= 21; ++pairs) {
    INFO(pairs << " pairs per cm");
    const std::vector<Body>* group = nullptr;
    for (const auto& [key, bodies] : groups)
      if (std::abs(10 / (4 * bodies[0].half.y) - pairs) < 0.01) group = &bodies;
    REQUIRE(group);
    Vec3 middle(0);
    for (const Body& bar : *group) middle += bar.center / static_cast<double>(group->size());
    CHECK(std::hypot(middle.x, middle.y) == Approx(47).margin(0.5));
    // Walk across the bars and note where the value changes: the sum of bodies, not the numbers of the file.
    const Vec3 across = glm::normalize(group->back().center - group->front().center);
    const double step = 0.0005, reach = 0.5 * glm::distance(group->back().center, group->front().center) + 8.0 / pairs;
    std::vector<double> edges;
    double before = value_at(phantom, middle - reach * across);
    for (double t = -reach + step; t <= reach; t += step) {
      const double value = value_at(phantom, middle + t * across);
      if (value != before) edges.push_back(t);
      before = value;
    }
    const int bars = pairs == 1 ? 2 : pairs == 2 ? 3 : pairs <= 5 ? 4 : 5;
    REQUIRE(edges.size() == 2 * static_cast<std::size_t>(bars));
    for (std::size_t i = 2; i < edges.size(); i += 2)
      CHECK(10 / (edges[i] - edges[i - 2]) == Approx(pairs).epsilon(0.01));
  }
}
