// Parts around the views: sliders, plots, narrow windows, dropped files.
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace panels_test {
namespace {

bool blue(Rgb c) { return c.b > c.r + 60 && c.b > 120; }
bool quiet(Rgb c) { return std::abs(c.r - c.b) < 40 && gray(c) > 90; }

Patch whole(const Image& image) { return {0, 0, image.width, image.height}; }

/// Bounding box of the bright pixels within a box.
Patch bounds(const Image& image, const Patch& box, double least) {
  std::int64_t left = box.x + box.width, right = box.x, top = box.y + box.height, bottom = box.y;
  for (std::int64_t y = box.y; y < box.y + box.height; ++y)
    for (std::int64_t x = box.x; x < box.x + box.width; ++x) {
      if (gray(image.at(x, y)) < least) continue;
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
    }
  return {left, top, right - left + 1, bottom - top + 1};
}

}  // namespace

TEST_CASE(
    "Sliders of parameters and of views follow the mouse; what was changed is reconstructed, and undone at once") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\ngrid 32\nopen demo:spheres\nwait done\nresize 600 450\nwait frames 3\nexpect cutoff == "
      "1\nclick cutoff\nwait "
      "done\n"
      "expect cutoff == 0.5 0.06\nexpect runs == 2\nkey Ctrl+Z\nwait done\nexpect cutoff == 1\nexpect runs == 3\n"
      "click interval\nwait done\nexpect interval == 180 15\n"
      "key F6\nwait frames 3\nclick view\nwait frames 2\nexpect view == 29.5 2\n"
      "key F2\nclick follow\nwait frames 3\nexpect follow is false\nclick cutoff\nwait 0.3\nexpect runs == 3\n"
      "click Method\nwait frames 2\nclick Calibration\nwait frames 2\nset center_shift 2\n"
      "click \"Find the centre\"\nwait done\nexpect center_shift == 0 0.2\nexpect errors == 0\n");
}

TEST_CASE("Plots have titles, ticks with numbers on both axes, and curves") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set follow false\nopen demo:spheres\nwait done\ngrid 24\nmethod sirt\nset iterations 4\nreconstruct\nwait done\n"
      "resize 1200 1000\nwait frames 3\nscreenshot residual.png residual\nscreenshot rate.png throughput\n"
      "screenshot share.png share\ntoggle theme\nwait frames 2\nscreenshot light.png residual\n");
  for (const char* name : {"residual", "rate"}) {
    INFO(name);
    const Image plot = viewer.shot(name);
    REQUIRE(plot.width > 200);
    REQUIRE(plot.height > 90);
    CHECK(count(plot, {4, 2, 150, 16}, blue) > 60);                                          // the title
    CHECK(count(plot, {4, 20, 24, plot.height - 45}, quiet) > 15);                           // numbers at the left
    CHECK(count(plot, {30, plot.height - 20, plot.width - 34, 18}, quiet) > 30);             // ... and below
    CHECK(count(plot, {30, 20, plot.width - 34, plot.height - 42}, blue) > plot.width / 2);  // the curve
  }
  const Image share = viewer.shot("share"), light = viewer.shot("light");
  CHECK(count(share, whole(share), [](Rgb c) { return c.r > c.b + 60; }) > 150);  // the second colour
  CHECK(count(light, {4, 2, 150, 16}, [](Rgb c) { return c.b > c.r + 60; }) > 60);
  CHECK(mean(light, whole(light)) > 200);
}

TEST_CASE("Projections lie where they are largest: in a square, side by side, or below each other") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\ngrid 32\nopen demo:spheres\nwait done\nkey F6\nwait frames 3\nwait done\nwait frames 3\n"
      "screenshot measured.png \"pane Measured\"\nscreenshot reprojected.png \"pane Reprojected\"\n"
      "resize 900 300\nwait frames 3\nscreenshot beside.png \"pane Measured\"\n"
      "resize 400 1400\nwait frames 3\nscreenshot stacked.png \"pane Measured\"\n");
  // Measured and reprojected: equal brightness, equal size, and the right place.
  const Image measured = viewer.shot("measured"), reprojected = viewer.shot("reprojected");
  const Patch left = bounds(measured, inner(measured), 60), right = bounds(reprojected, inner(reprojected), 60);
  CHECK(measured.width > 400);
  CHECK(left.width > 100);
  CHECK(std::abs(left.width - right.width) < 12);
  CHECK(std::abs(left.y - right.y) < 12);
  CHECK(viewer.shot("beside").width < 250);
  CHECK(viewer.shot("stacked").width > 380);
}

TEST_CASE("In a narrow window all panels are on the left, and buttons go on in another row") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "grid 32\nopen demo:spheres\nwait done\nwait frames 3\nscreenshot narrow.png\nclick Split\nwait frames 2\n"
      "expect picture is split\ntext larger\ntext larger\ntext larger\ntext larger\nwait frames 3\nclick Oblique\n"
      "wait frames 2\nexpect oblique.shown is true\nresize 1400 900\ntext normal\nwait frames 3\nclick \"1-99 %\"\n"
      "wait frames 2\nexpect low > -0.003\n");
  const Image narrow = viewer.shot("narrow");
  CHECK(count(narrow, {4, 60, 300, 500}, quiet) > 1500);                                   // panels
  CHECK(count(narrow, {320, 60, 570, 500}, [](Rgb c) { return gray(c) > 130; }) > 40000);  // pictures up to the edge
}

TEST_CASE("Of files dropped on the window the last is opened, what cannot be is told") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\ngrid 32\nopen demo:spheres\nwait done\nexport volume seen.mha\nwait done\ndrop seen.mha "
      "nothing.mha\n"
      "wait done\nexpect error contains nothing.mha\nexpect views == 60\ndrop nothing.mha seen.mha\nwait done\n"
      "expect errors == 0\nexpect views == 0\nexpect value == 0.02 0.003\n");
}

}  // namespace panels_test
