#include <backlit/render/transfer_function.hpp>

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>

using namespace backlit;
using Catch::Matchers::Contains;

namespace {

const std::string example =
    "# comment\nabout a test\nunit hu\ndepth 2 mm\n-500 0 0 0  0\n0  1 0.5 0  0.5  # half\n1000 1 1 1 0.5\n";

TransferFunction parse(const std::string& text) { return parse_transfer_function(text, "tf.txt"); }

}  // namespace

TEST_CASE("transfer functions come from text and go back to it") {
  const TransferFunction tf = parse(example);
  CHECK(tf.about == "a test");
  CHECK(tf.unit == TransferFunction::Unit::hu);
  CHECK(tf.depth == 2);
  REQUIRE(tf.points.size() == 3);
  CHECK(tf.points[1].color == Vec3(1, 0.5, 0));
  CHECK(parse(to_text(tf)) == tf);
}

TEST_CASE("broken transfer functions name file, line and what to write") {
  CHECK_THROWS_WITH(parse("unit hu\n"), "tf.txt: no line 'depth'; add 'depth 1 mm', say");
  CHECK_THROWS_WITH(parse("depth 1 mm\n"), Contains("no line 'unit'"));
  CHECK_THROWS_WITH(parse("unit furlong\n"), "tf.txt:1: unit 'furlong'; give hu, window or value");
  CHECK_THROWS_WITH(parse("depth 3\n"), Contains("tf.txt:1: depth '3'; give a length and its unit"));
  CHECK_THROWS_WITH(parse("depth -3 mm\n"), Contains("depth -3; it must be positive"));
  CHECK_THROWS_WITH(parse("\n\n1 2 3\n"), "tf.txt:3: 3 numbers; give 5: VALUE RED GREEN BLUE OPACITY");
  CHECK_THROWS_WITH(parse("1 0 0 0 1.5\n"), Contains("1.5 is outside 0..1"));
  CHECK_THROWS_WITH(parse("1 0 0 0 1\n1 0 0 0 1\n"), Contains("tf.txt:2: value 1 does not rise"));
  CHECK_THROWS_WITH(parse("1 0 0 x 1\n"), "tf.txt:1: 'x' is not a number; give a finite number");
  CHECK_THROWS_WITH(parse("1 0 0 nan 1\n"), Contains("'nan' is not a number"));
  CHECK_THROWS_WITH(parse("unit hu\ndepth 1 mm\n1 0 0 0 1\n"), Contains("fewer than two points"));
  CHECK_THROWS_WITH(load_transfer_function("chalk"),
                    Contains("'chalk' is neither a known name nor a file; choose one of bone,"));
}

TEST_CASE("values are interpolated in the volume's own unit, opacity becomes extinction") {
  const ValueScale scale{{0, 1}, 0.02, 100};
  const Classifier c(parse(example), scale);
  CHECK(c.low() == Approx(0.01));
  CHECK(c.high() == Approx(0.04));
  CHECK(c.at(0.0).extinction == 0);
  CHECK(c.at(0.015).color.x == Approx(0.5));
  CHECK(c.at(0.015).extinction == Approx(-std::log(0.75) / 2));
  CHECK(c.at(0.03).extinction == Approx(-std::log(0.5) / 2));
  CHECK(c.at(7).color == Vec3(1, 1, 1));
  // Over the depth of 2 mm in any number of steps the same light is stopped.
  for (const int steps : {1, 3, 64}) {
    const double through = std::pow(std::exp(-c.at(0.02).extinction * 2 / steps), steps);
    CHECK(1 - through == Approx(0.5));
  }
  CHECK(corrected_opacity(0.5, 1, 2) == Approx(1 - std::sqrt(0.5)));
  TransferFunction relative = parse(example);
  relative.depth_in_percent = true;
  relative.unit = TransferFunction::Unit::window;
  const Classifier r(relative, {{10, 20}, 0.02, 300});
  CHECK(r.low() == Approx(10 - 5000));
  CHECK(r.at(10).extinction == Approx(-std::log(0.5) / 6));
}

TEST_CASE("Hounsfield units of a transfer function count from air to water") {
  const Classifier c(parse(example), {{0, 1}, 0.02, 100, 0.004});
  CHECK(c.low() == Approx(0.012));
  CHECK(c.high() == Approx(0.036));
}

TEST_CASE("visibility of a range of values is exact") {
  const Classifier c(parse("unit value\ndepth 1 mm\n0 1 1 1 0\n1 1 1 1 0\n2 1 1 1 0.5\n3 1 1 1 0\n4 1 1 1 0\n"), {});
  CHECK_FALSE(c.visible(-5, 1));
  CHECK(c.visible(-5, 1.01));
  CHECK(c.visible(2, 2));
  CHECK(c.visible(0.5, 3.5));  // a peak between two values that stop nothing
  CHECK_FALSE(c.visible(3, 9));
}

TEST_CASE("tables hold both ends and what lies between") {
  const Classifier c(parse(example), {{0, 1}, 0.02, 1});
  const auto table = c.table(7);
  REQUIRE(table.size() == 28);
  CHECK(table[3] == 0);
  CHECK(table[4 * 2] == Approx(1));
  CHECK(table[4 * 6 + 2] == Approx(1));
  CHECK(table[4 * 6 + 3] == Approx(-std::log(0.5) / 2));
}

TEST_CASE("every shipped transfer function can be read, and begins transparent") {
  const auto names = transfer_function_names();
  CHECK(names == std::vector<std::string>{"bone", "metal", "pet-hot", "soft-tissue", "tooth"});
  for (const auto& name : names) {
    INFO(name);
    const TransferFunction tf = load_transfer_function(name);
    CHECK(tf.name == name);
    CHECK_FALSE(tf.about.empty());
    CHECK(tf.points.front().opacity == 0);
    CHECK(tf.points.back().opacity > 0.8);
  }
}
