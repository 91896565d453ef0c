// Slices that are zoomed alone, the pixel grid, the large profile, and air beside water.
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

const std::string begin =
    "resize 900 640\ntoggle panels off\ngrid 32\nopen demo:spheres\nwait done\nset slice_zoom 1\n"
    "set slice_pan_x 0\nset slice_pan_y 0\nset slice_pan_z 0\ncrosshair 0 0 0\ntoggle crosshair off\n"
    "wait frames 3\n";

}  // namespace

TEST_CASE("Slices zoom together, or each alone, and come together again") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const std::string shots =
      "wait frames 3\nscreenshot axial{0}.png \"pane Axial\"\nscreenshot side{0}.png "
      "\"pane Coronal\"\n";
  const auto both = [&](const char* n) {
    std::string text = shots;
    for (std::size_t at; (at = text.find("{0}")) != std::string::npos;) text.replace(at, 3, n);
    return text;
  };
  viewer.succeed(begin + both("0") +
                 "toggle linked\nexpect linked_zoom is false\nwheel 0.4 0.6 6 ctrl in \"pane Axial\"\n"
                 "expect slice_zoom == 1\nexpect axial_zoom == 2.313 0.01\nexpect coronal_zoom == 1\n" +
                 both("1") +
                 "drag middle 0.5 0.5 0.6 0.5 in \"pane Axial\"\nexpect axial_pan_x < -1\n"
                 "expect slice_pan_x == 0\nundo\nexpect linked_zoom is false\ntoggle linked\n" +
                 both("2") + "wheel 0.4 0.6 6 ctrl in \"pane Axial\"\nexpect slice_zoom == 2.313 0.01\n" + both("3") +
                 "expect errors == 0\n");
  const auto changed = [&](const char* a, const char* b) {
    const Image one = viewer.shot(a), other = viewer.shot(b);
    return mean_difference(one, other, inner(one));
  };
  CHECK(changed("axial0", "axial1") > 2);
  CHECK(changed("side0", "side1") < 0.1);
  CHECK(changed("axial0", "axial2") < 0.1);
  CHECK(changed("side0", "side3") > 2);
  CHECK(changed("axial1", "axial3") < 0.5);
}

TEST_CASE("The pixel grid lies on the borders of voxels, where they are wide enough") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "layout slices\nset large axial\nwindow 10 11\nset slice_zoom 0.2\nwait frames 3\n"
                 "screenshot far.png \"pane Axial\"\ntoggle grid\nwait frames 3\nscreenshot far2.png \"pane Axial\"\n"
                 "set slice_zoom 4\nwait frames 3\nscreenshot near.png \"pane Axial\"\nexpect pixel_grid is true\n"
                 "toggle grid\nexpect errors == 0\n");
  const Image far = viewer.shot("far"), near = viewer.shot("near");
  CHECK(mean_difference(far, viewer.shot("far2"), inner(far)) < 0.01);
  // All values are black: what is bright in a row between horizontal lines are the vertical ones.
  const auto lines = [&](std::int64_t y) {
    std::vector<std::int64_t> at;
    for (std::int64_t x = 6; x < near.width - 6; ++x)
      if (gray(near.at(x, y)) > 30 && gray(near.at(x - 1, y)) <= 30) at.push_back(x);
    return at;
  };
  std::size_t most = 0;
  for (std::int64_t y = 100; y < 140; ++y) {
    const auto at = lines(y);
    if (at.size() < 3) continue;
    most = std::max(most, at.size());
    const double step = static_cast<double>(at.back() - at.front()) / static_cast<double>(at.size() - 1);
    for (std::size_t i = 1; i < at.size(); ++i) CHECK(std::abs(static_cast<double>(at[i] - at[i - 1]) - step) < 2);
  }
  CHECK(most >= 3);
}

TEST_CASE("The last profile is shown large, with the value under the pointer") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "screenshot none.png\nmeasure profile -60 0 0 60 0 0\ntoggle profile\nwait frames 3\n"
                 "screenshot large.png \"large profile plot\"\nmove 0.5 0.5 in \"large profile plot\"\nwait frames 2\n"
                 "expect read-out contains mm\nundo\nexpect large_profile is false\nexpect errors == 0\n");
  const Image large = viewer.shot("large");
  CHECK(large.width > 400);
  CHECK(large.height > 180);
  CHECK(count(large, {0, 0, large.width, large.height}, [](Rgb c) { return c.b > 150 && c.b > c.r + 40; }) > 200);
}

TEST_CASE("Regions of water and air give Hounsfield units, and air above water is refused") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 600 700\ngrid 32\nopen demo:spheres\nwait done\nset air 0.012\nset water "
      "0.03\ncrosshair 0 0 0\nwait "
      "frames 2\n"
      "click Data\nclick Reconstruction\nclick Measure\nmeasure region -90 -90 0 -80 -80 0\nwait frames 3\n"
      "click \"This is air\"\nwait frames 3\nexpect air < 0.008\nexpect mean contains \"(-1000 HU)\"\n"
      "undo\nexpect air == 0.012\nexpect errors == 0\n");
  const ProgramResult refused = viewer.run("open demo:spheres\nwait done\nset air 0.5\n");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("0.5 is not below water"));
}
