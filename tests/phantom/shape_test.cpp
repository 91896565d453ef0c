// Chord lengths and integrals of single bodies, by hand.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include <backlit/phantom/phantom.hpp>

using namespace backlit;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double whole_line(const Body& body, const Vec3& through, const Vec3& direction) {
  return line_integral({"", {body}}, through - 1000.0 * glm::normalize(direction), glm::normalize(direction), -infinity,
                       infinity);
}

Body make(Body::Shape shape, const Vec3& half, double value = 1) {
  Body body;
  body.shape = shape;
  body.half = half;
  body.value = value;
  return body;
}

}  // namespace

TEST_CASE("chords of an ellipsoid") {
  Body body = make(Body::Shape::ellipsoid, {3, 4, 5}, 2);
  CHECK(whole_line(body, {0, 0, 0}, {1, 0, 0}) == Approx(2 * 6));
  CHECK(whole_line(body, {0, 2.4, 3}, {1, 0, 0}) == Approx(2 * 6 * std::sqrt(1 - 0.36 - 0.36)));
  CHECK(whole_line(body, {0, 0, 5.001}, {1, 0, 0}) == 0);
  body.center = {10, 20, 30};
  CHECK(whole_line(body, {10, 20, 0}, {0, 0, -1}) == Approx(2 * 10));
  // Half way up the diagonal of the x-y plane: r = 1 / sqrt((1/9 + 1/16) / 2).
  CHECK(whole_line(body, {10, 20, 30}, {1, 1, 0}) == Approx(2 * 2 / std::sqrt((1.0 / 9 + 1.0 / 16) / 2)));
}

TEST_CASE("chords of a cylinder, a box and a cone") {
  const Body cylinder = make(Body::Shape::cylinder, {3, 4, 5});
  CHECK(whole_line(cylinder, {0, 0, 4.9}, {1, 0, 0}) == Approx(6));
  CHECK(whole_line(cylinder, {0, 0, 5.1}, {1, 0, 0}) == 0);
  CHECK(whole_line(cylinder, {1, 2, 0}, {0, 0, 1}) == Approx(10));
  CHECK(whole_line(cylinder, {0, 0, 0}, {1, 0, 10}) == Approx(std::sqrt(1 + 100) / 10 * 10));  // out through the ends

  const Body box = make(Body::Shape::box, {1, 2, 3});
  CHECK(whole_line(box, {0, 1.9, 2.9}, {1, 0, 0}) == Approx(2));
  CHECK(whole_line(box, {0, 0, 0}, {1, 1, 0}) == Approx(2 * std::sqrt(2.0)));
  CHECK(whole_line(box, {0, 2.1, 0}, {1, 0, 0}) == 0);

  Body cone = make(Body::Shape::cone, {4, 4, 3});  // apex at z = 3
  CHECK(whole_line(cone, {0, 0, 0}, {1, 0, 0}) == Approx(4));
  CHECK(whole_line(cone, {0, 0, -3 + 1e-9}, {0, 1, 0}) == Approx(8));
  CHECK(whole_line(cone, {0, 0, 0}, {0, 0, 1}) == Approx(6));
  CHECK(whole_line(cone, {2, 0, 0}, {0, 0, 1}) == Approx(3));
  CHECK(whole_line(cone, {0, 0, 4}, {1, 0, 0}) == 0);  // the other nappe is not there
  CHECK(whole_line(cone, {0, 0, 5}, {1, 0, 0.1}) == 0);
  cone.top = 0.5;
  CHECK(whole_line(cone, {0, 0, 3 - 1e-9}, {1, 0, 0}) == Approx(4));
  cone.top = 1;  // a cylinder
  CHECK(whole_line(cone, {0, 0, 2}, {1, 0, 0}) == Approx(8));
  cone.top = 2;
  CHECK(whole_line(cone, {0, 0, 3 - 1e-9}, {1, 0, 0}) == Approx(16));
}

TEST_CASE("rotated and clipped bodies") {
  Body box = make(Body::Shape::box, {1, 2, 3});
  const double s = std::sqrt(0.5);
  box.axes = glm::dmat3(s, s, 0, -s, s, 0, 0, 0, 1);  // 45 degrees about z
  CHECK(whole_line(box, {0, 0, 0}, {1, 1, 0}) == Approx(2));
  CHECK(whole_line(box, {0, 0, 0}, {-1, 1, 0}) == Approx(4));

  Body ball = make(Body::Shape::ellipsoid, Vec3(10));
  ball.clips = {{{0, 0, 0}, {1, 0, 0}}};
  CHECK(whole_line(ball, {0, 0, 0}, {1, 0, 0}) == Approx(10));
  CHECK(whole_line(ball, {0, 0, 0}, {-1, 0, 0}) == Approx(10));
  CHECK(whole_line(ball, {0.1, 0, 0}, {0, 1, 0}) == 0);
  CHECK(whole_line(ball, {-6, 0, 0}, {0, 1, 0}) == Approx(16));
  ball.clips.push_back({{-6, 0, 0}, {-1, 0, 0}});
  CHECK(whole_line(ball, {0, 0, 0}, {1, 0, 0}) == Approx(6));

  Body lens = make(Body::Shape::ellipsoid, Vec3(10));
  lens.within = {make(Body::Shape::ellipsoid, Vec3(10), 5)};
  lens.within[0].center = {12, 0, 0};
  CHECK(whole_line(lens, {0, 0, 0}, {1, 0, 0}) == Approx(8));
  CHECK(whole_line(lens, {6, 0, 0}, {0, 1, 0}) == Approx(16));
  CHECK(value_at({"", {lens}}, {6, 0, 0}) == 1);
  CHECK(value_at({"", {lens}}, {1, 0, 0}) == 0);
}

TEST_CASE("a gaussian body integrates to its closed form") {
  Body blob = make(Body::Shape::gaussian, {2, 3, 4}, 0.5);
  blob.center = {1, 1, 1};
  const double root = std::sqrt(2 * pi);
  CHECK(whole_line(blob, {1, 1, 1}, {1, 0, 0}) == Approx(0.5 * 2 * root));
  CHECK(whole_line(blob, {1, 4, 1}, {1, 0, 0}) == Approx(0.5 * 2 * root * std::exp(-0.5)));
  CHECK(line_integral({"", {blob}}, {1, 1, 1}, {0, 0, 1}, 0, infinity) == Approx(0.5 * 0.5 * 4 * root));
  CHECK(value_at({"", {blob}}, {1, 1, 5}) == Approx(0.5 * std::exp(-0.5)));
}

TEST_CASE("segments, sources inside, and overlap by addition") {
  const Phantom two{"", {make(Body::Shape::ellipsoid, Vec3(10), 0.02), make(Body::Shape::box, Vec3(5), 0.03)}};
  CHECK(line_integral(two, {0, 0, 0}, {1, 0, 0}, 0, infinity) == Approx(0.02 * 10 + 0.03 * 5));
  CHECK(line_integral(two, {0, 0, 0}, {1, 0, 0}, 2, 7) == Approx(0.02 * 5 + 0.03 * 3));
  CHECK(line_integral(two, {0, 0, 0}, {1, 0, 0}, 11, 20) == 0);
  CHECK(value_at(two, {0, 0, 0}) == Approx(0.05));
  CHECK(value_at(two, {6, 0, 0}) == Approx(0.02));
  const Phantom bigger = scaled(two, 2, 10);
  CHECK(line_integral(bigger, {0, 0, 0}, {1, 0, 0}, 0, infinity) == Approx(20 * (0.02 * 10 + 0.03 * 5)));
}

TEST_CASE("a far source costs small bodies no digits") {
  Body ball = make(Body::Shape::ellipsoid, Vec3(0.01));
  ball.center = {3, 4, 5};
  const Vec3 through = ball.center + Vec3(0, 0, 0.006);
  const Vec3 direction = glm::normalize(Vec3(3, 4, 0));
  CHECK(line_integral({"", {ball}}, through - 1e5 * direction, direction, 0, infinity) == Approx(0.016).epsilon(1e-5));
}
