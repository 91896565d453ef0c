// Tools of the 3-D view in the window: cuts, the oblique plane, camera paths, measurements.
#include <catch2/catch.hpp>

#include <iterator>

#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace tools_test {
namespace {

const std::string begin = "toggle panels off\nresize 450 310\ngrid 32\nopen demo:spheres\nwait done\n";
constexpr Patch all{2, 80, 446, 190};  // of a window of 450 x 310: one pane

bool warm(Rgb c) { return c.r > c.b + 40; }

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("The oblique plane is moved along its normal and turned by hand in the 3-D view") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "layout volume\ncamera 0 0 1\noblique 0 0 0 0 0 1\nwait done\ncamera -60 35 1\nwait frames 3\n"
                 "screenshot before.png\ndrag left 225 180 225 150\nwait done\nexpect oblique.center_z > 5\n"
                 "expect oblique.normal_z > 0.999\nscreenshot moved.png\n"
                 "drag right 225 170 265 170\nwait done\nexpect oblique.normal_z < 0.999\nscreenshot turned.png\n"
                 "key Ctrl+Z\nkey Ctrl+Z\nexpect oblique.center_z == 0 1e-6\n");
  const Image before = viewer.shot("before"), moved = viewer.shot("moved");
  CHECK(mean_difference(before, moved, all) > 0.5);
  CHECK(mean_difference(moved, viewer.shot("turned"), all) > 0.5);
}

TEST_CASE("Captions of measurements that end side by side lie below each other") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\nresize 800 600\nset show_crosshair false\nset follow off\nset voxel 6\nopen demo:spheres\n"
      "reconstruct\nwait done\nlayout slices\nmeasure distance -60 0 0 20 0 0\nwait frames 3\n"
      "screenshot one.png \"1: 80.00 mm\"\nmeasure distance -60 3 0 20 3 0\nwait frames 3\n"
      "screenshot first.png \"1: 80.00 mm\"\nscreenshot second.png \"2: 80.00 mm\"\nexpect errors == 0\n");
  const auto yellow = [](Rgb c) { return c.r > 150 && c.g > 130 && c.b < 140; };
  const auto letters = [&](const std::string& name) {
    const Image image = viewer.shot(name);
    return static_cast<double>(count(image, {0, 0, image.width, image.height}, yellow));
  };
  CHECK(letters("one") > 40);
  CHECK(letters("first") == Approx(letters("one")).epsilon(0.1));
  CHECK(letters("second") == Approx(letters("one")).epsilon(0.25));
}

TEST_CASE("What is cut off is not drawn, measurements are what they are, cameras travel") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      begin +
      "layout volume\ncamera -50 25 1.5\nscreenshot whole.png\nclip 0 0 0 1 0 0\nscreenshot cut.png\n"
      "clip clear\nscreenshot again.png\n"
      "measure angle 10 0 0 0 0 0 0 20 0\nexpect measured == 90 0.01\n"
      "measure region -20 -20 -5 20 20 5\nmeasure profile -60 0 0 60 0 0\n"
      "export profile profile.csv\nexport histogram histogram.csv\nexport throughput throughput.csv\n"
      "export turntable 3 turn_#.png 64\n"
      "camera 0 10 1\nkey K\ncamera 90 60 2\nkey K\nexport path 3 path_#.png 64\nexport path 3 path.apng 64\n"
      "wait done\nexpect errors == 0\n");
  const Image whole = viewer.shot("whole");
  CHECK(mean_difference(whole, viewer.shot("again"), all) < 0.1);
  CHECK(count(viewer.shot("cut"), all, warm) < 0.9 * static_cast<double>(count(whole, all, warm)));
  for (const char* path : {"turn_", "path_"}) {
    const Image first = viewer.shot(path + std::string("1")), second = viewer.shot(path + std::string("2"));
    CHECK(first.width == 64);
    CHECK(count(first, {0, 0, 64, 64}, warm) > 20);
    CHECK(mean_difference(first, second, {0, 0, 64, 64}) > 0.5);
    CHECK(std::filesystem::exists(viewer.folder / (path + std::string("0.png"))));
  }
  const std::string animated = text_of(viewer.folder / "path.apng");  // acTL: three frames
  CHECK(animated.find(std::string("acTL\0\0\0\3", 8)) != std::string::npos);
  CHECK(text_of(viewer.folder / "profile.csv").starts_with("mm,value\n0,"));
  const std::string histogram = text_of(viewer.folder / "histogram.csv");
  CHECK(std::count(histogram.begin(), histogram.end(), '\n') > 20);
  CHECK(text_of(viewer.folder / "throughput.csv").find("views") != std::string::npos);
}

}  // namespace tools_test
