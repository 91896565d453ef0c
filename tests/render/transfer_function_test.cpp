#include <backlit/render/transfer_function.hpp>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

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

TEST_CASE("A box shows values by their gradient, and fades at its sides") {
  const TransferFunction f =
      parse("unit window\ndepth 2 mm\nbox 0.2 0.6  0 0.5  1 0 0  0.5\nbox 0.4 0.6 0.1 0.5 0 0 1 0.5\n");
  CHECK(parse(to_text(f)) == f);
  const Classifier c(f, {{10, 20}});
  const double whole = -std::log(0.5) / 2;
  CHECK(c.low() == Approx(12));
  CHECK(c.high() == Approx(16));
  CHECK(c.at(13.0, 0.0).extinction == Approx(whole));
  CHECK(c.at(12.2, 0.0).extinction == Approx(0.5 * whole));
  CHECK(c.at(13.0, 5.1).extinction == 0);
  CHECK(c.at(13.0).extinction == 0);
  CHECK(c.at(15.0, 2.0).extinction == Approx(2 * whole));
  CHECK(c.at(15.0, 2.0).color == Vec3(0.5, 0, 0.5));
  CHECK(c.visible(15.5, 30));
  CHECK_FALSE(c.visible(16, 30));
  CHECK_THROWS_WITH(parse("box 1 2 3\n"), Contains("tf.txt:1: a box of 3 numbers") && Contains("GRADIENT_HIGH"));
  CHECK_THROWS_WITH(parse("box 2 1 0 1 1 1 1 1\n"), Contains("values 2 to 1"));
  CHECK_THROWS_WITH(parse("box 1 2 -1 1 1 1 1 1\n"), Contains("gradients -1 to 1"));
  CHECK_THROWS_WITH(parse("box 1 2 0 1 1 1 1 2\n"), Contains("2 is outside 0..1"));
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

TEST_CASE("The units of a transfer function become the volume's, and are found back") {
  const ValueScale scale{{2, 6}, 0.02, 100, 0.004};
  const LinearScale hu = unit_scale(TransferFunction::Unit::hu, scale);
  CHECK(hu.value(-1000) == Approx(0.004));
  CHECK(hu.value(0) == Approx(0.02));
  CHECK(hu.number(hu.value(300)) == Approx(300));
  const TransferFunction f =
      parse("unit window\ndepth 1 mm\n0 1 1 1 0\n1 1 1 1 0.5\nbox 0.25 0.5  0.1 0.2  1 1 1  0.5\n");
  const TransferFunction own = in_values(f, scale);
  CHECK(own.points[1].value == Approx(6));
  REQUIRE(own.boxes.size() == 1);
  CHECK(own.boxes[0].low == Approx(3));
  CHECK(own.boxes[0].gradient_high == Approx(0.8));
  CHECK(own.unit == TransferFunction::Unit::value);
  CHECK(in_values(own, scale) == own);
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

namespace {

/// What a ray meets: a value and its slope, by the place on the ray in voxels.
struct Course {
  std::function<double(double)> value, slope;
};

/// Rays past a Gaussian blob of 6 voxels (sigma).
std::vector<Course> past_a_blob() {
  std::vector<Course> rays;
  for (double beside = 0; beside < 12; beside += 0.37) {
    const auto f = [beside](double t) { return std::exp(-(t * t + beside * beside) / 72); };
    rays.push_back({f, [f](double t) { return -t / 36 * f(t); }});
  }
  return rays;
}

/// Rays into a body whose edge is blurred by 1.6 voxels (sigma), at places between two samples.
std::vector<Course> into_an_edge() {
  std::vector<Course> rays;
  for (double edge = 0; edge < 2; edge += 0.17)
    rays.push_back(
        {[edge](double t) { return 0.5 + 0.5 * std::erf((t - edge) / (1.6 * std::sqrt(2.0))); },
         [edge](double t) { return std::exp(-0.5 * std::pow((t - edge) / 1.6, 2)) / (1.6 * std::sqrt(2 * pi)); }});
  return rays;
}

/// What the rays gather in steps of `h` voxels: each with the value in its middle, with those at its ends, or with
/// those that the slope in its middle gives.
enum class Step { middle, ends, slope };
std::vector<glm::dvec4> gathered(const std::vector<Course>& rays, const Classifier& c, double h, Step how) {
  constexpr double half = 20;
  std::vector<glm::dvec4> picture;
  for (const Course& f : rays) {
    glm::dvec4 seen(0);
    for (double t = -half + 0.5 * h; t < half; t += h) {
      const double rise = 0.5 * h * f.slope(t);
      const auto s = how == Step::middle ? c.at(f.value(t))
                     : how == Step::ends ? c.between(f.value(t - 0.5 * h), f.value(t + 0.5 * h))
                                         : c.between(f.value(t) - rise, f.value(t) + rise);
      seen += (1 - seen.a) * -std::expm1(-s.extinction * h) * glm::dvec4(s.color, 1);
    }
    picture.push_back(seen);
  }
  return picture;
}

}  // namespace

TEST_CASE("between two values a transfer function has its mean, weighted by extinction") {
  TransferFunction f;
  f.depth = 2;
  f.points = {{0, Vec3(1, 0, 0), 0}, {1, Vec3(1, 0, 0), 0}, {1.001, Vec3(0, 1, 0), 0.5}, {3, Vec3(0, 1, 0), 0.5}};
  const Classifier c(f, {});
  const double full = c.at(2).extinction;
  CHECK(c.between(2, 2).extinction == full);
  CHECK(c.between(0, 2).extinction == Approx(0.5 * full).epsilon(2e-3));
  CHECK(c.between(2, 0).extinction == Approx(0.5 * full).epsilon(2e-3));
  CHECK(c.between(1.5, 9).extinction == Approx(full));  // constant beyond the last point
  CHECK(c.between(-3, 2).extinction == Approx(0.2 * full).epsilon(2e-3));
  CHECK(c.between(0, 2).color.y > 0.99);
  CHECK(c.between(-1, 1).extinction == 0);
  const auto pairs = c.pairs(31);
  const auto entry = [&](std::size_t first, std::size_t last) {
    return static_cast<double>(pairs[4 * (31 * last + first) + 3]);
  };
  CHECK(entry(0, 20) == Approx(c.between(0, 2).extinction));
  CHECK(entry(20, 0) == Approx(c.between(0, 2).extinction));
  CHECK(entry(25, 25) == Approx(full));
}

TEST_CASE("pre-integrated, half the samples are nearer to the picture of many than all samples without") {
  TransferFunction f;
  f.depth = 4;
  f.points = {{0.30, Vec3(0.2, 0.4, 1), 0},
              {0.35, Vec3(0.2, 0.4, 1), 0.3},
              {0.40, Vec3(0.2, 0.4, 1), 0},
              {0.70, Vec3(1, 0.5, 0.1), 0},
              {0.75, Vec3(1, 0.9, 0.8), 0.9}};
  const Classifier c(f, {});
  const auto error = [&](const std::vector<Course>& rays, double h, Step how) {
    const auto many = gathered(rays, c, 0.01, Step::middle), picture = gathered(rays, c, h, how);
    double sum = 0;
    for (std::size_t i = 0; i < many.size(); ++i) sum += glm::dot(picture[i] - many[i], picture[i] - many[i]);
    return std::sqrt(sum / static_cast<double>(many.size()));
  };
  const auto blob = past_a_blob(), edge = into_an_edge();
  for (const double h : {0.5, 1.0}) {
    INFO("step " << h);
    CHECK(error(edge, 2 * h, Step::ends) < 0.3 * error(edge, h, Step::middle));
    CHECK(error(edge, 2 * h, Step::slope) < 0.3 * error(edge, h, Step::middle));
    // Along the flank of a large blob values bend between the ends of a step, more than they differ from the slope.
    CHECK(error(blob, h, Step::ends) < 0.5 * error(blob, h, Step::middle));
    CHECK(error(blob, 2 * h, Step::slope) < error(blob, h, Step::middle));
  }
}
