// A part of a volume by its values and a brush: volume, surface, file, undo.
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/isosurface.hpp>
#include "model/values/segment_field.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using viewer::BrushBall;

namespace {

/// 1 within a ball, falling to 0 across its surface over 4 mm, so that 0.5 lies at the radius.
Volume ball(double radius) {
  const VolumeGrid grid{{61, 57, 53}, {1, 1.1, 0.9}, {3, -2, 1}};
  Volume v(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        v.at(i, j, k) = static_cast<float>(std::clamp(0.5 + (radius - glm::length(p)) / 4, 0.0, 1.0));
      }
  return v;
}

double volume_of(double r) { return 4.0 / 3 * pi * r * r * r; }
double surface_of(double r) { return 4 * pi * r * r; }

Mesh mesh_of(double low, double high, const std::vector<BrushBall>& balls) {
  Volume v = ball(12);
  viewer::make_segment_field(v, low, high, balls);
  return isosurface(v, 0);
}

}  // namespace

TEST_CASE("Balls have the volume and surface of balls, of a range, added, and taken away") {
  const Mesh range = mesh_of(0.5, INFINITY, {});
  CHECK(range.volume() == Approx(volume_of(12)).epsilon(0.01));
  CHECK(range.area() == Approx(surface_of(12)).epsilon(0.01));
  // Between two values: a shell from 11 to 13 mm.
  const Mesh shell = mesh_of(0.25, 0.75, {});
  CHECK(shell.volume() == Approx(volume_of(13) - volume_of(11)).epsilon(0.03));
  CHECK(shell.area() == Approx(surface_of(13) + surface_of(11)).epsilon(0.02));
  const Mesh two = mesh_of(0.5, INFINITY, {{Vec3(-18, -8, 4), 5, true}});
  CHECK(two.volume() == Approx(volume_of(12) + volume_of(5)).epsilon(0.015));
  CHECK(two.area() == Approx(surface_of(12) + surface_of(5)).epsilon(0.015));
  const Mesh hollow = mesh_of(0.5, INFINITY, {{Vec3(0), 6, false}});
  CHECK(hollow.volume() == Approx(volume_of(12) - volume_of(6)).epsilon(0.015));
  CHECK(hollow.area() == Approx(surface_of(12) + surface_of(6)).epsilon(0.015));
  // In order: what is painted over a hole is there again.
  const Mesh full = mesh_of(0.5, INFINITY, {{Vec3(0), 6, false}, {Vec3(0), 7, true}});
  CHECK(full.volume() == Approx(volume_of(12)).epsilon(0.01));
}

TEST_CASE("The segment of what is open is measured and saved as a surface") {
  Windowless w;
  const auto file = w.folder / "ball.mha", stl = w.folder / "ball.stl";
  save_volume(ball(12), file);
  w.act("open " + file.string());
  REQUIRE(w.settle());
  w.act("segment auto");
  CHECK(w.model.segment_range()[0] == Approx(0.5).margin(0.15));
  w.act("segment 0.5 2");
  w.act("segment numbers");
  REQUIRE(w.until([&] { return w.model.status().segment.has_value(); }));
  CHECK(w.model.status().segment->found.volume == Approx(volume_of(12)).epsilon(0.01));
  CHECK(w.model.status().segment->found.surface == Approx(surface_of(12)).epsilon(0.01));
  w.act("paint -18 -8 4 5");
  w.act("export surface " + stl.string());
  REQUIRE(w.settle());
  CHECK(w.model.status().segment->found.volume == Approx(volume_of(12) + volume_of(5)).epsilon(0.015));
  REQUIRE(w.model.status().errors.empty());
  CHECK(std::filesystem::file_size(stl) > 50 * 1000);  // 50 bytes a triangle
  w.act("undo");
  CHECK(w.model.state().segment.balls.empty());
  w.act("segment 5 6");  // nothing is so dense
  w.act("segment numbers");
  REQUIRE(w.settle());
  CHECK(w.model.status().segment->found.volume == 0);
  w.act("export surface " + stl.string());
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.size() == 1);
  CHECK_THROWS_AS(w.act("export surface x.png"), InputError);
  CHECK_THROWS_AS(w.act("segment 2 1"), InputError);
  CHECK_THROWS_AS(w.act("paint 0 0 0 -1"), InputError);
}

TEST_CASE("A brush paints in a slice, one drag is one step, and a box is dragged") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_volume(ball(12), viewer.folder / "ball.mha");
  viewer.succeed(
      "set font_scale 0.5\nresize 640 460\ntoggle panels off\ntoggle crosshair off\nopen ball.mha\nwait done\nwait "
      "frames 3\n"
      "screenshot plain.png \"pane Axial\"\nsegment 0.5 2\nwait frames 3\nscreenshot range.png \"pane Axial\"\n"
      "set tool paint\nset brush 4\ndrag left 0.15 0.2 0.8 0.2 in \"pane Axial\"\nwait frames 3\n"
      "screenshot painted.png \"pane Axial\"\nundo\nwait frames 3\nscreenshot undone.png \"pane Axial\"\n"
      "set tool box\ndrag left 0.3 0.4 0.6 0.7 in \"pane Axial\"\nexpect crop == 1\nexpect crop_low_x > -20\n"
      "expect crop_high_x < 20\nexpect crop_low_z < -20\nexpect errors == 0\n");
  const Image plain = viewer.shot("plain"), range = viewer.shot("range"), painted = viewer.shot("painted"),
              undone = viewer.shot("undone");
  const Patch all{4, 26, plain.width - 8, plain.height - 60};
  const auto tinted = [](Rgb c) { return c.g - c.r > 25; };
  CHECK(count(plain, all, tinted) == 0);
  const auto of_range = count(range, all, tinted);
  CHECK(of_range > 350);
  CHECK(count(painted, all, tinted) > of_range + 1500);  // a stroke without gaps
  CHECK(count(undone, all, tinted) == of_range);
}

TEST_CASE("The segment is seen in 3-D with what a brush adds, and its wall thickness lies over the volume as A") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_volume(ball(12), viewer.folder / "ball.mha");
  viewer.succeed(
      "set font_scale 0.5\nresize 640 460\ntoggle crosshair off\nopen ball.mha\nwait done\nwait frames 3\nscreenshot "
      "plain.png \"pane "
      "3-D\"\n"
      "segment 0.5 2\nwait 0.3\nwait done\nscreenshot range.png \"pane 3-D\"\n"
      "paint -18 -8 4 5\nwait 0.3\nwait done\nscreenshot painted.png \"pane 3-D\"\nbrush clear\n"
      "click Window\nclick \"3-D view\"\nclick \"Transfer function\"\nclick Segment\nwait frames 3\n"
      "click \"Wall thickness\"\nwait done\nwait frames 5\nexpect compare is overlay\n"
      "toggle segment\nscreenshot slice.png \"pane Axial\"\nscreenshot space.png \"pane 3-D\"\n"
      "expect errors == 0\n");
  const Image plain = viewer.shot("plain"), range = viewer.shot("range"), painted = viewer.shot("painted");
  const Patch all{4, 26, plain.width - 8, plain.height - 30};
  const auto tinted = [](Rgb c) { return c.g - c.r > 25; };
  const auto of_range = count(range, all, tinted);
  CHECK(of_range > count(plain, all, tinted) + 250);  // the axes are coloured, too
  CHECK(count(painted, all, tinted) > of_range + 120);
  const auto yellow = [](Rgb c) { return c.r > 150 && c.g > 150 && c.b < 100; };  // the thickest of viridis
  CHECK(count(viewer.shot("slice"), all, yellow) > 350);
  CHECK(count(plain, all, yellow) < 100);
  CHECK(count(viewer.shot("space"), all, yellow) > 250);
}

TEST_CASE("The wall thickness of a ball is its diameter, and an empty segment has none") {
  Windowless w;
  const auto file = w.folder / "ball.mha";
  save_volume(ball(12), file);
  w.act("open " + file.string());
  REQUIRE(w.settle());
  w.act("segment 0.5 2");
  w.act("wall thickness");
  REQUIRE(w.settle());
  REQUIRE(w.model.status().thickness);
  CHECK(w.model.status().thickness->mean == Approx(24).margin(1.1));
  CHECK(w.model.status().pinned->label == "wall thickness, mm");
  CHECK(w.model.compared_by() == "overlay");
  w.act("segment 5 6");
  w.act("wall thickness");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.size() == 1);
}
