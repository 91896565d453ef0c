// In the window: the clip box in the 3-D view, measurements there, the oblique pane's own zoom, materials.
#include <algorithm>

#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace space_test {
namespace {

const std::string begin = "toggle panels off\nresize 450 310\ngrid 32\nopen demo:spheres\nwait done\nlayout volume\n";
constexpr Patch all{2, 80, 446, 190};  // of a window of 450 x 310: one pane

bool yellow(Rgb c) { return c.r > 150 && c.g > 130 && c.b < 110; }

}  // namespace

TEST_CASE("The clip box is pulled by its handles, Escape leaves it, undo and a session bring it back") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "camera -50 25 1\nset mode mip\ntoggle crosshair off\nwait frames 3\nscreenshot whole.png\n"
                 "key Shift+B\nwait frames 3\nexpect tool is box\nexpect crop is true\nscreenshot box.png\n"
                 "drag left 0.5 0.5 -3 -1 in \"clip handle +x\"\nwait frames 3\nexpect crop_high_x < 55\n"
                 "expect crop_low_x < -60\nscreenshot pulled.png\n"
                 "undo\nexpect crop_high_x > 60\nredo\nexpect crop_high_x < 55\n"
                 "drag left 0.5 0.5 0.5 4 in \"clip handle +z\"\nwait frames 3\nexpect crop_high_z < 50\n"
                 "key Escape\nwait frames 2\nexpect tool is crosshair\nexpect crop is true\nexpect crop_high_x < 55\n"
                 "save session box.toml\ncrop off\nload session box.toml\nwait done\nexpect crop is true\n"
                 "expect crop_high_x < 55\nexpect errors == 0\n");
  const Image whole = viewer.shot("whole"), box = viewer.shot("box"), pulled = viewer.shot("pulled");
  CHECK(count(box, all, yellow) > count(whole, all, yellow) + 100);  // edges and handles
  CHECK(mean_difference(box, pulled, all) > 0.5);
}

TEST_CASE("Clicks on what the 3-D view shows measure there, drags still turn it") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "set mode iso\nset iso 0.01\ncamera -90 0 1\nset fov 0\ntoggle crosshair off\nset tool distance\n"
                 "wait frames 5\nscreenshot before.png\n"
                 "drag left 0.45 0.5 0.45 0.5 in \"pane 3-D\"\nwait frames 3\n"
                 "drag left 0.55 0.5 0.55 0.5 in \"pane 3-D\"\nwait frames 3\nexpect measured > 60\n"
                 "expect measured < 110\nscreenshot after.png\n"
                 "drag left 0.5 0.5 0.6 0.5 in \"pane 3-D\"\nwait frames 2\nexpect azimuth != -90\n"
                 "key Escape\nwait frames 2\nexpect tool is crosshair\nexpect errors == 0\n");
  CHECK(count(viewer.shot("after"), all, yellow) > count(viewer.shot("before"), all, yellow) + 40);
}

TEST_CASE("The oblique slice has a zoom of its own, and the grid of the voxels that it cuts") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\nresize 900 640\ngrid 32\nopen demo:spheres\nwait done\n"
      "set oblique.from_views false\noblique 0 0 0 0.4 0.3 0.8\nset slice_zoom 1\nwait done\n"
      "wait frames 3\ntoggle linked\nwheel 0.5 0.5 12 ctrl in \"pane Oblique\"\nwait frames 3\nexpect slice_zoom == 1\n"
      "expect oblique_zoom > 4\nscreenshot plain.png \"pane Oblique\"\nset large oblique\n"
      "wait frames 3\nscreenshot large.png \"pane Oblique\"\nset pixel_grid true\nwait frames 3\n"
      "screenshot grid.png \"pane Oblique\"\n"
      "toggle linked\nwait frames 2\nset pixel_grid false\nwait frames 2\n"
      "wheel 0.5 0.5 3 ctrl in \"pane Oblique\"\nexpect slice_zoom > 1.2\nexpect errors == 0\n");
  const Image large = viewer.shot("large"), grid = viewer.shot("grid");
  CHECK(mean_difference(large, grid, {4, 40, large.width - 8, large.height - 80}) > 0.5);
}

TEST_CASE("Materials are found, tint slices and colour the 3-D view, and come back with a session") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\ntoggle panels off\nresize 640 460\ngrid 32\nopen demo:spheres\nwait done\ntoggle crosshair "
      "off\n"
      "wait frames 3\nscreenshot plain.png \"pane Axial\"\nscreenshot space.png \"pane 3-D\"\n"
      "find materials 3\nwait frames 5\nexpect materials is true\nscreenshot tinted.png \"pane Axial\"\n"
      "screenshot in_space.png \"pane 3-D\"\nmaterial clear\n"
      "material water 0.01 0.025 0.03 888888\nmaterial balls 0.026 0.2 0.9 00ff00\nwait frames 5\n"
      "screenshot green.png \"pane Axial\"\nscreenshot green_space.png \"pane 3-D\"\n"
      "save session m.toml\nmaterial clear\nload session m.toml\nwait done\nexpect materials is true\n"
      "toggle materials off\nwait frames 3\nscreenshot off.png \"pane Axial\"\n"
      "tissue materials\nexpect errors == 0\n");
  const auto colored = [](Rgb c) { return std::max({c.r, c.g, c.b}) > std::min({c.r, c.g, c.b}) + 30; };
  const auto green = [](Rgb c) { return c.g > c.r + 40 && c.g > c.b + 40; };
  const Image plain = viewer.shot("plain"), tinted = viewer.shot("tinted"), shot = viewer.shot("green");
  CHECK(count(plain, inner(plain), colored) < 50);
  CHECK(count(tinted, inner(tinted), colored) > 1200);
  CHECK(count(shot, inner(shot), green) > 40);
  CHECK(mean_difference(plain, viewer.shot("off"), inner(plain)) < 0.5);
  const Image space = viewer.shot("green_space");
  CHECK(count(space, inner(space), green) > 20);
  CHECK(mean_difference(viewer.shot("space"), viewer.shot("in_space"), inner(space)) > 1);
}

}  // namespace space_test
