// Gaps between panes and points of measurements that are dragged; rotation centres side by side; the sinogram.
#include <numeric>
#include <random>

#include <backlit/core/error.hpp>
#include "model/engine/sinogram_job.hpp"
#include "model/state_file.hpp"
#include "model/values/statistics.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("Gaps between panes and points of measurements are dragged, each as one step of undo") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 550 380\ntoggle panels off\ngrid 32\nopen demo:spheres\nwait done\nset slice_zoom "
      "1\nset slice_pan_x 0\n"
      "set slice_pan_y 0\ncrosshair 0 0 0\nmeasure distance 0 0 0 0 -30 0\nmeasure distance 0 10 40 0 10 50\n"
      "wait frames 3\ndrag left 0.5 0.5 0.5 0.3 in \"pane Axial\"\nwait frames 2\nexpect crosshair.y == 0\n"
      "save session moved.toml\nundo\nsave session back.toml\n"
      "drag left 275 150 385 150\nwait frames 2\nexpect column_share == 0.7 0.01\nexpect crosshair.x == 0\n"
      "screenshot wide.png \"pane Axial\"\ndrag left 150 205 150 150\nwait frames 2\nexpect row_share < 0.45\n"
      "click \"column splitter\"\nclick \"column splitter\"\nwait frames 2\nexpect column_share == 0\n"
      "undo\nundo\nundo\nexpect column_share == 0\nexpect row_share == 0\nexpect errors == 0\n");
  const auto points = [&](const char* session) {
    return viewer::load_state(viewer.folder / session).measurements.at(0).points;
  };
  CHECK(points("moved.toml")[0].y > 10);
  CHECK(points("moved.toml")[1] == Vec3(0, -30, 0));  // the other end stays
  CHECK(points("back.toml")[0] == Vec3(0));
  CHECK(viewer.shot("wide").width == Approx(0.7 * 550).margin(6));
}

TEST_CASE("The slice is shown for several rotation centres, and a click takes one") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 560\ntoggle panels off\ngrid 32\nset voxel 6.7\nopen demo:spheres\nwait "
      "done\ncrosshair "
      "0 0 0\n"
      "set center_step 2\nkey F8\n"
      "wait frames 3\nwait done\nwait frames 3\nscreenshot now.png \"pane candidate 5\"\n"
      "screenshot off.png \"pane candidate 9\"\nclick \"pane candidate 9\"\nexpect center_shift == 8\nwait done\n"
      "wait frames 3\nwait done\nwait frames 3\nscreenshot taken.png \"pane candidate 5\"\n"
      "screenshot before.png \"pane candidate 1\"\nundo\nexpect center_shift == 0\nexpect errors == 0\n");
  const Image now = viewer.shot("now"), off = viewer.shot("off"), taken = viewer.shot("taken"),
              before = viewer.shot("before");
  const Patch box = inner(now);
  CHECK(mean(now, box) > 5);
  CHECK(mean_difference(now, off, box) > 2);
  CHECK(mean_difference(off, taken, box) < 0.5);
  CHECK(mean_difference(now, before, box) < 0.5);
}

TEST_CASE("A sinogram is one detector row of all views, read in parts") {
  Scan scan{{301, 77, 1, 1}, std::vector<View>(450, View{Beam::parallel, {}, {1, 0, 0}, {}, {0, 1, 0}, {0, 0, 1}})};
  Projections views(scan);
  std::mt19937 random(2);
  for (float& v : views.values.span()) v = static_cast<float>(random() % 1000);
  std::vector<float> row;
  for (std::int64_t view = 0; view < 450; ++view)
    for (std::int64_t column = 0; column < 301; ++column) row.push_back(views.at(view, 33, column));
  const auto source = std::make_shared<MemorySource>(std::move(views));
  viewer::SinogramJob job(source, 33);
  int steps = 1;
  while (!job.step()) ++steps;
  CHECK(steps > 1);
  CHECK(job.made()->row == 33);
  CHECK(job.made()->values.values == row);
  CHECK_THROWS_AS(viewer::SinogramJob(source, 77), InputError);
}

TEST_CASE("Beside the projections lies the sinogram of the slice, in which a view is chosen") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 500\ntoggle panels off\ngrid 32\nopen demo:spheres\nwait done\ncrosshair 0 0 "
      "0\nkey F6\nwait frames "
      "3\n"
      "wait done\nwait frames 3\nexpect Sinogram contains \"row 32\"\nscreenshot sinogram.png \"pane Sinogram\"\n"
      "drag left 0.5 0.5 0.5 0.76 in \"pane Sinogram\"\nwait frames 2\nexpect layout.view == 45\n"
      "crosshair 0 0 60\nwait frames 3\nwait done\nwait frames 3\nscreenshot other.png \"pane Sinogram\"\n"
      "expect errors == 0\n");
  const Image sinogram = viewer.shot("sinogram"), other = viewer.shot("other");
  const Patch box = inner(sinogram);
  CHECK(mean(sinogram, box) > 20);
  CHECK(mean_difference(sinogram, other, box) > 5);
}

TEST_CASE("Samples of a box are at most as many as asked for, whatever its shape") {
  const VolumeGrid grid{{500, 400, 300}, {1, 1, 1}, Vec3(0)};
  for (const Vec3 half : {Vec3(200, 150, 100), Vec3(240, 190, 0.4), Vec3(249, 3, 0.4), Vec3(249, 0, 0)}) {
    const auto points = viewer::box_points(-half, half, grid, 10000);
    CHECK(points.size() <= 10000);
    CHECK(points.size() > 400);
  }
  std::vector<float> values(130000);
  std::iota(values.begin(), values.end(), 0.0f);
  const auto histogram = viewer::histogram_of(values);
  CHECK(histogram.sorted.size() <= 65536);
  CHECK(histogram.sorted.size() > 32768);
  CHECK(histogram.sorted.back() == 129999);
}
