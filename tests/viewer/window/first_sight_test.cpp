// What is seen first of every example and of measured scans: a picture with an object in it, in slices and in 3-D.
#include "viewer/window/first_sight.hpp"
#include <backlit/io/volumes/volume_file.hpp>

using namespace backlit;
using namespace backlit::test;

TEST_CASE("Every example opens to a picture of its object") {
  REQUIRE_VIEWER();
  for (const char* name : {"demo:head", "demo:spheres", "demo:shepp-logan"}) check_picture(name, "grid 40\n");
  check_picture("demo:bar");
}

TEST_CASE("A small object off the middle of its volume is found, and fills the picture") {
  REQUIRE_VIEWER();
  Viewer viewer;
  Volume v(VolumeGrid{{60, 50, 40}, {1, 1, 1}, Vec3(0)});
  for (std::int64_t k = 24; k < 34; ++k)
    for (std::int64_t j = 8; j < 20; ++j)
      for (std::int64_t i = 38; i < 50; ++i) v.at(i, j, k) = 1;
  save_volume(v, viewer.folder / "small.mha");
  viewer.succeed(
      "toggle panels off\nopen small.mha\nwait done\nwait frames 4\nexpect value == 1 0.01\nexpect slice_zoom > 2\n"
      "expect camera.zoom > 2\nexpect slice_pan_x == 14 1\ntoggle crosshair off\nwait frames 4\n"
      "screenshot slice.png \"pane Axial\"\nscreenshot space.png \"pane 3-D\"\n"
      // What the user has chosen stays.
      "set slice_zoom 1\nset camera.zoom 1\ncrosshair 0 0 0\nwindow 0 0.5\nwait frames 2\n"
      "expect slice_zoom == 1\nexpect crosshair.x == 0\nexpect errors == 0\n");
  CHECK(covered(viewer.shot("slice")) > 0.15);
  CHECK(covered(viewer.shot("space")) > 0.05);
}

TEST_CASE("A point source between faint noise is seen, whether samples meet it or not") {
  REQUIRE_VIEWER();
  Viewer viewer;
  Volume v(VolumeGrid{{90, 80, 70}, {1, 1, 1}, Vec3(0)});
  for (std::size_t i = 0; i < v.values.span().size(); ++i) v.values.span()[i] = i % 7 == 0 ? 1e-7f : 0;
  for (const std::int64_t i : {60, 61}) v.at(i, 21, 41) = v.at(i, 22, 41) = v.at(i, 21, 42) = 1;
  save_volume(v, viewer.folder / "point.mha");
  viewer.succeed(
      "toggle panels off\nopen point.mha\nwait done\nwait frames 4\nexpect high == 1 0.5\nexpect value == 1 0.01\n"
      "expect slice_zoom > 2\ntoggle crosshair off\nwait frames 4\nscreenshot slice.png \"pane Axial\"\n"
      "screenshot space.png \"pane 3-D\"\nexpect errors == 0\n");
  CHECK(covered(viewer.shot("slice")) > 0.001);
  CHECK(covered(viewer.shot("space")) > 0.002);
}
