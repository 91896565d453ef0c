// A transfer function of boxes: drawn on the joint histogram, undone, by a command, and kept with the session.
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace boxes_test {

TEST_CASE("Boxes of value and gradient are drawn, moved, removed and undone by hand") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const std::string plot = " in \"value and gradient\"\nwait frames 3\n";
  viewer.succeed(
      "set font_scale 0.6\nresize 1000 800\ngrid 32\nopen demo:spheres\nwait done\nset show_crosshair off\n"
      "screenshot before.png \"pane 3-D\"\nclick \"Value and gradient\"\nwait frames 3\nexpect transfer is auto\n"
      "drag left 0.3 0.35 0.9 0.05" +
      plot + "expect transfer is custom\nexpect transfer_text contains \"box \"\nscreenshot drawn.png \"pane 3-D\"\n" +
      "drag left 0.6 0.2 0.5 0.5" + plot + "screenshot moved.png \"pane 3-D\"\nkey Ctrl+Z\nwait frames 3\n" +
      "screenshot again.png \"pane 3-D\"\nkey Ctrl+Z\nwait frames 3\nexpect transfer is auto\nkey Ctrl+Y\n"
      "wait frames 3\nexpect transfer is custom\nclick Value\nwait frames 3\nexpect transfer is auto\n");
  const Image before = viewer.shot("before"), drawn = viewer.shot("drawn");
  const Patch all = inner(before);
  CHECK(mean_difference(before, drawn, all) > 1);
  CHECK(mean_difference(drawn, viewer.shot("moved"), all) > 0.3);
  CHECK(mean_difference(drawn, viewer.shot("again"), all) < 0.1);
}

TEST_CASE("A box by a command shows borders alone, and is saved with the session") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "grid 32\nopen demo:spheres\nwait done\nlayout volume\nset show_crosshair off\n"
      "transfer box 0.005 0.03 0 0.0002 0.9 ff0000\nscreenshot even.png \"pane 3-D\"\n"
      "transfer box 0.002 0.018 0.0005 0.1 0.9 0000ff\nscreenshot both.png \"pane 3-D\"\n"
      "save session boxes.toml\ntransfer clear\nexpect transfer is auto\nload session boxes.toml\nwait done\n"
      "screenshot loaded.png \"pane 3-D\"\n");
  const auto red = [](Rgb c) { return c.r > c.b + 30; };
  const auto blue = [](Rgb c) { return c.b > c.r + 30; };
  const Image even = viewer.shot("even"), both = viewer.shot("both");
  const Patch all = inner(even);
  CHECK(count(even, all, red) > 300);
  CHECK(count(even, all, blue) < 200);  // of the axes
  CHECK(count(both, all, blue) > 10000);
  CHECK(mean_difference(both, viewer.shot("loaded"), all) < 0.1);
  const ProgramResult refused = viewer.run("transfer box 2 1 0 1\n");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("values 2 to 1"));
}

}  // namespace boxes_test
