#include <backlit/render/value_classes.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace backlit;

namespace {

struct Part {
  double share, mean, deviation;
};

std::vector<float> sample(const std::vector<Part>& parts, std::size_t n = 40000) {
  std::mt19937 random(1);
  std::vector<float> v;
  for (const Part& p : parts) {
    std::normal_distribution<double> values(p.mean, p.deviation);
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.share * static_cast<double>(n)); ++i)
      v.push_back(static_cast<float>(values(random)));
  }
  std::ranges::sort(v);
  return v;
}

ValueClasses classes(const std::vector<Part>& parts) { return value_classes(sample(parts)); }

const VolumeGrid cube{{64, 64, 64}, {1, 1, 1}, Vec3(0)};

TransferFunction fitting(const ValueClasses& c) { return fitting_transfer_function(c, cube); }

double opacity(const TransferFunction& f, double value) {
  const Classifier c(f, {{0, 1}, 0.02, 100});
  return 1 - std::exp(-c.at(value).extinction * 1.5);
}

}  // namespace

TEST_CASE("An object is told from its surroundings whatever its values are called") {
  for (const double unit : {1.0, 1e-3, 5e4}) {
    INFO(unit);
    const ValueClasses c = classes({{0.7, 0, 0.1 * unit}, {0.3, unit, 0.1 * unit}});
    CHECK(c.object == Approx(0.5 * unit).epsilon(0.1));
    CHECK_FALSE(c.two_parts);
    const TransferFunction f = fitting(c);
    CHECK(opacity(f, 0.2 * unit) == 0);
    CHECK(opacity(f, unit) > 0.5);
    CHECK(fitting_iso(c) == c.object);
  }
}

TEST_CASE("Bones are seen through the body that holds them") {
  const ValueClasses c = classes({{0.5, 0, 0.0005}, {0.4, 0.02, 0.0008}, {0.1, 0.04, 0.001}});
  REQUIRE(c.two_parts);
  CHECK(c.object == Approx(0.01).margin(0.003));
  CHECK(c.dense == Approx(0.03).margin(0.002));
  CHECK(fitting_iso(c) == c.dense);
  const TransferFunction f = fitting(c);
  CHECK(opacity(f, 0) == 0);
  CHECK(opacity(f, 0.02) > 0.005);
  CHECK(opacity(f, 0.02) < 0.05);
  CHECK(opacity(f, 0.04) > 0.8);
}

TEST_CASE("Voxels across a body's surface are no part of it, so that dense parts inside are seen") {
  std::vector<float> values = sample({{0.5, 0, 0.0008}, {0.36, 0.02, 0.0005}, {0.02, 0.03, 0.0005}});
  for (int i = 0; i < 4800; ++i) values.push_back(static_cast<float>(0.02 * i / 4800));
  const ValueClasses c = classes_of(values);
  REQUIRE(c.two_parts);
  CHECK(c.dense == Approx(0.025).margin(0.002));
  CHECK(opacity(fitting(c), 0.02) < 0.05);
  CHECK(opacity(fitting(c), 0.03) > 0.8);
}

TEST_CASE("Rods of light materials are part of the object beside one of a dense metal") {
  const ValueClasses c =
      classes({{0.95, 0.0005, 0.0004}, {0.02, 0.0095, 0.0005}, {0.01, 0.016, 0.0005}, {0.02, 0.04, 0.002}});
  CHECK(c.object > 0.002);
  CHECK(c.object < 0.008);
  REQUIRE(c.two_parts);
  CHECK(opacity(fitting(c), 0.0095) > 0);
  CHECK(opacity(fitting(c), 0.04) > 0.8);
}

TEST_CASE("A small object in much noise is not taken for noise") {
  const ValueClasses c = classes({{0.996, 0, 1}, {0.004, 12, 1}});
  CHECK(c.object > 4);
  CHECK(c.object < 10);
  CHECK(opacity(fitting(c), 12) > 0.5);
  CHECK(opacity(fitting(c), 2) == 0);
}

TEST_CASE("Values in any order, some of them not finite, have the classes of the sorted ones") {
  std::vector<float> values = sample({{0.7, 0, 0.1}, {0.3, 1, 0.1}});
  const ValueClasses sorted = value_classes(values);
  std::ranges::shuffle(values, std::mt19937(2));
  values.insert(values.begin() + 7, {std::nanf(""), INFINITY});
  CHECK(classes_of(values) == sorted);
  CHECK(classes_of({}) == ValueClasses{});
}

TEST_CASE("A flat volume is looked through by its thickness") {
  const VolumeGrid sheet{{640, 640, 2}, {1, 1, 1}, Vec3(0)};
  CHECK(is_flat(sheet));
  CHECK_FALSE(is_flat(cube));
  const ValueClasses c = classes({{0.7, 0, 0.1}, {0.3, 1, 0.1}});
  CHECK(fitting(c).depth_in_percent);
  CHECK_FALSE(fitting_transfer_function(c, sheet).depth_in_percent);
  CHECK(fitting_transfer_function(c, sheet).depth == Approx(0.08));
}

TEST_CASE("Volumes of one value, of two, and of none have classes, and transfer functions that can be used") {
  for (const std::vector<float>& values :
       {std::vector<float>{}, {3}, {3, 3, 3}, {0, 1}, std::vector<float>(5000, 0.0f), std::vector<float>{-2, -2, -1}}) {
    const ValueClasses c = value_classes(values);
    const TransferFunction f = fitting(c);
    CHECK(parse_transfer_function(to_text(f), "test").points.size() == f.points.size());
    CHECK(std::isfinite(fitting_iso(c)));
  }
}
