// Borders of the panels, panels by keyboard, files without a pixel size, patients' sides.
#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/sources/source.hpp"
#include "support/render_scene.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

/// 0.02 within a ball, on voxels of 1.
Volume ball() {
  return sampled({{33, 31, 29}, {1, 1, 1}, {0, 0, 0}}, [](const Vec3& p) { return glm::length(p) < 9 ? 0.02 : 0.0; });
}

}  // namespace

TEST_CASE("The panels' borders are dragged, and a double click makes their width automatic") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "resize 1400 700\ngrid 32\nopen demo:spheres\nwait done\nwait frames 3\nscreenshot before.png "
      "\"pane Axial\"\n"
      "drag left 311 400 412 400\nwait frames 3\nexpect left_width == 410 6\n"
      "drag left 1089 400 1008 400\nwait frames 3\nexpect right_width == 390 6\n"
      "screenshot narrow.png \"pane Axial\"\nundo\nundo\nexpect left_width == 0\nexpect right_width == 0\n"
      "drag left 311 400 900 400\nwait frames 3\nexpect left_width <= 701\n"
      "click \"left border\"\nclick \"left border\"\nwait frames 3\nexpect left_width == 0\n"
      "screenshot after.png \"pane Axial\"\nexpect errors == 0\n");
  CHECK(viewer.shot("narrow").width < viewer.shot("before").width - 60);
  CHECK(viewer.shot("after").width == viewer.shot("before").width);
}

TEST_CASE("Panels are used by keyboard alone: arrows, Space and Enter, and Escape gives the keys back") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 450\ngrid 32\nopen demo:spheres\nwait done\nwait frames 3\nkey Right\nexpect "
      "crosshair.x > 0\n"
      "crosshair 0 0 0\nkey F10\nwait frames 3\nkey Down\nwait frames 3\nkey Down\nwait frames 3\n"
      "screenshot marked.png\nexpect crosshair.x == 0\nexpect crosshair.y == 0\nkey Space\nwait frames 3\n"
      "expect paused == 0\nkey Tab\nwait frames 2\nexpect show_panels is true\nkey Escape\nwait frames 2\n"
      "key F10\nwait frames 2\nkey Escape\nwait frames 2\nkey Right\nexpect crosshair.x > 0\nexpect errors == 0\n");
  // The marked item has a frame in the colour of the keyboard's place.
  const Image marked = viewer.shot("marked");
  const auto accent = [](Rgb c) { return c.b > 180 && c.b > c.r + 60; };
  CHECK(count(marked, {0, 10, 155, 430}, accent) > 40);
}

TEST_CASE("Alt and a letter open a menu, in which arrows and Space choose") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "resize 900 700\nmap viridis\nwait frames 2\nkey Alt+E\nwait frames 4\nscreenshot "
      "menu.png\nkey Space\n"
      "wait frames 4\nexpect map is gray\nkey Right\nwait frames 2\nkey Alt+E\nwait frames 4\nkey Down\n"
      "wait frames 2\nkey Up\nwait frames 2\nkey Space\nwait frames 4\nexpect map is viridis\nexpect errors == 0\n");
  save_volume(ball(), viewer.folder / "ball.tif");  // a dialog stays open, and so do the keys once it is closed
  viewer.succeed(
      "map viridis\nimport ball.tif\nwait frames 4\nkey Alt+E\nwait frames 4\nclick \"Cancel import\"\n"
      "wait frames 3\nkey Ctrl+Z\nwait frames 2\nexpect map is gray\n");
}

TEST_CASE("A file without a pixel size shows px until the size is given, and all stays where it was") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_volume(ball(), viewer.folder / "ball.npy");
  viewer.succeed(
      "set font_scale 0.5\nresize 700 400\nopen ball.npy\nwait done\nwait frames 2\nexpect \"scale bar\" contains px\n"
      "expect probe contains px\ncrosshair 5 0 0\nmeasure distance 0 0 0 8 0 0\nexpect measured == 8 0.01\n"
      "screenshot before.png \"pane Axial\"\nclick \"pixel size\"\ntype 0.25\nkey Return\nwait done\nwait frames 3\n"
      "expect pixel == 0.25\nexpect crosshair.x == 1.25 0.01\nexpect measured == 2 0.01\n"
      "expect \"scale bar\" contains mm\nwait done\nwait frames 3\nundo\nwait done\nwait frames 3\n"
      "expect pixel == 0\nexpect crosshair.x == 5 0.01\nexpect \"scale bar\" contains px\nexpect errors == 0\n");
}

TEST_CASE("The size of a pixel changes lengths, not the values of a volume from a file") {
  Windowless w;
  save_volume(ball(), w.folder / "ball.npy");
  w.act("open " + (w.folder / "ball.npy").string());
  REQUIRE(w.settle());
  w.act("window 0.001 0.015");
  const Vec3 spacing = w.model.status().grid.spacing;
  w.act("pixel 0.25");
  REQUIRE(w.settle());
  CHECK(w.model.status().grid.spacing.x == Approx(0.25 * spacing.x));
  CHECK(w.model.state().display.low == 0.001);
  CHECK(w.model.state().display.high == 0.015);
}

TEST_CASE("A surface of one file's values is automatic again for a file without such values") {
  Windowless w;
  Volume counts = ball();
  for (float& v : counts.values.span()) v *= 1e5f;
  save_volume(ball(), w.folder / "ball.npy");
  save_volume(counts, w.folder / "counts.npy");
  const auto open = [&](const char* name) {
    w.act("window 0 7");
    w.act("open " + (w.folder / name).string());
    REQUIRE(w.settle());
    REQUIRE(w.until([&] { return w.model.state().display.high != 7; }));  // its window is chosen
  };
  open("counts.npy");
  w.act("set iso 1000");
  open("counts.npy");
  CHECK(w.model.state().display.iso == 1000);
  open("ball.npy");
  CHECK(w.model.state().display.iso == 0);
}

TEST_CASE("Measurements are saved as a table, with porosity and the width of a peak") {
  Windowless w;
  const auto ball_file = w.folder / "ball.mha", table = w.folder / "table.csv";
  save_volume(ball(), ball_file);
  w.act("open " + ball_file.string());
  REQUIRE(w.settle());
  CHECK_THROWS_WITH(w.act("export measurements " + table.string()), Catch::Contains("measure something"));
  w.act("segment 0.01 1");
  w.act("measure profile -15 0 0 15 0 0");
  w.act("measure region -12 -12 0 12 12 0");
  w.act("measure angle 5 0 0 0 0 0 0 5 0");
  w.act("export measurements " + table.string());
  std::ifstream in(table);
  std::string header, profile, region, angle;
  std::getline(in, header);
  std::getline(in, profile);
  std::getline(in, region);
  std::getline(in, angle);
  double fwhm = 0, below = 0;
  REQUIRE(std::sscanf(profile.c_str(), "1,profile,\"\",30,mm,,,,,,,%lf", &fwhm) == 1);
  CHECK(fwhm == Approx(18).margin(1));
  REQUIRE(std::sscanf(region.c_str(), "2,region,\"\",0,mm^3,%*f,%*f,%*f,%*f,%lf,0.01,", &below) == 1);
  CHECK(below == Approx(1 - pi * 81 / 576).margin(0.05));
  CHECK(angle == "3,angle,\"\",90,deg,,,,,,,");
}

TEST_CASE("A pixel size is refused where the file gives one") {
  Windowless w;
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK_THROWS_WITH(w.act("pixel 2"), Catch::Contains("the file gives the size"));
}

TEST_CASE("Slices of a patient name the sides, and the front is above, others do not") {
  REQUIRE_VIEWER();
  Viewer viewer;
  Volume body = ball();
  for (std::int64_t i = 0; i < 33; ++i) body.at(i, 2, 14) = 0.04f;  // a table in front: y is to the back
  save_volume(body, viewer.folder / "body.nii.gz");
  viewer.succeed(
      "toggle panels off\nopen body.nii.gz\nwait done\nwindow 0 0.04\ntoggle crosshair off\ncrosshair 0 0 0\n"
      "set slice_zoom 1\nset slice_pan_x 0\nset slice_pan_y 0\nset slice_pan_z 0\nlayout slices\nwait frames 3\n"
      "expect \"Axial sides\" is RA\nexpect \"Coronal sides\" is RS\nexpect \"Sagittal sides\" is AS\n"
      "screenshot axial.png \"pane Axial\"\nexpect errors == 0\n");
  const Image axial = viewer.shot("axial");
  const auto bright = [](Rgb c) { return gray(c) > 235; };
  const std::int64_t half = axial.height / 2;
  CHECK(count(axial, {60, 30, axial.width - 120, half - 30}, bright) > 300);
  CHECK(count(axial, {60, half, axial.width - 120, half - 40}, bright) < 60);
  CHECK(viewer.run("open demo:spheres\nwait done\nwait frames 2\nexpect \"Axial sides\" is RA\n").code == 2);
}
