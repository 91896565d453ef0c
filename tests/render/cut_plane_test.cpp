#include <backlit/render/cut_plane.hpp>

#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>

using namespace backlit;

namespace {

void check_near(const Vec3& a, const Vec3& b) { CHECK(glm::length(a - b) < 1e-12); }

}  // namespace

TEST_CASE("Planes along the axes look like the slices of a volume") {
  const CutPlane z = parse_plane("z=12.5", "--plane");
  check_near(z.right, {1, 0, 0});
  check_near(z.up, {0, 1, 0});
  check_near(z.center, {0, 0, 12.5});
  const CutPlane y = parse_plane("y=-3", "--plane"), x = parse_plane("x=1e1", "--plane");
  check_near(y.right, {1, 0, 0});
  check_near(y.up, {0, 0, 1});
  check_near(x.right, {0, 1, 0});
  check_near(x.up, {0, 0, 1});
  check_near(x.center, {10, 0, 0});
  check_near(parse_plane("y=-3", "--plane", {5, 6, 7}).center, {5, -3, 7});
  check_near(parse_plane("normal=0,1,1", "--plane", {5, 6, 7}).center, {5, 6, 7});
  check_near(parse_plane("normal=0,1,1 center=0,0,0", "--plane", {5, 6, 7}).center, {0, 0, 0});
}

TEST_CASE("The pixels of a plane count from the top left, centres at integers") {
  CutPlane plane = parse_plane("center=1,2,3 normal=0,0,2", "--plane");
  plane.pixel = 0.5;
  plane.width = 5;
  plane.height = 4;
  check_near(plane.point(2, 1.5), {1, 2, 3});
  check_near(plane.point(0, 0), {0, 2.75, 3});
  check_near(plane.point(4, 3), {2, 1.25, 3});
}

TEST_CASE("Oblique planes face their normal, their tops point up") {
  const CutPlane plane = parse_plane("normal=1,-1,0.5", "--plane");
  plane.check("plane");
  check_near(plane.normal(), glm::normalize(Vec3(1, -1, 0.5)));
  CHECK(plane.up.z > 0.9);
  const CutPlane turned = parse_plane("normal=0,0,1 up=1,1,0", "--plane");
  check_near(turned.up, glm::normalize(Vec3(1, 1, 0)));
  check_near(turned.right, glm::normalize(Vec3(1, -1, 0)));
}

TEST_CASE("A plane that is none is refused with what to write") {
  const auto refused = [](const char* text, const char* why) {
    INFO(text);
    CHECK_THROWS_WITH(parse_plane(text, "--plane"), Catch::StartsWith("--plane: ") && Catch::Contains(why) &&
                                                        Catch::Contains("write it like \"z=12.5\""));
  };
  refused("", "the normal is zero");
  refused("z=", "'z=' is not understood");
  refused("z=high", "'high' is not a number");
  refused("center=1,2 normal=0,0,1", "'1,2' is not three numbers");
  refused("normal=1,2,", "'1,2,' is not three numbers");
  refused("normal=0,0,nan", "'0,0,nan' is not three numbers");
  refused("normal=0,0,1 up=0,0,3", "up is parallel to the normal");
  refused("tilt=3", "'tilt=3' is not understood");
}

TEST_CASE("A picture has a size that pictures have") {
  CutPlane plane;
  plane.pixel = 0;
  CHECK_THROWS_WITH(plane.check("slice"), "slice: pixels of 0 mm; give a size above 0");
  plane.pixel = 1;
  plane.width = 20000;
  CHECK_THROWS_WITH(plane.check("slice"), "slice: a picture of 20000 x 512 pixels; give 1 to 16384 a side");
  plane.width = 10;
  plane.up = {0, 2, 0};
  CHECK_THROWS_WITH(plane.check("slice"), Catch::Contains("right and up are not perpendicular unit vectors"));
}
