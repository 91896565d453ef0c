// Tab goes through the items of the panels.
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("Tab goes from item to item of the panels and back, and leaves them after the last") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 450\ngrid 24\nopen demo:spheres\nwait done\nwait frames 3\n"
      "key Tab\nwait frames 3\nexpect focus is Reconstruct\n"
      // Buttons without an effect are left out: what follows is the next group.
      "key Tab\nwait frames 3\nexpect focus is Data\nkey Tab\nwait frames 3\nexpect focus is Method\n"
      "key Tab\nwait frames 3\nexpect focus is method\nkey Shift+Tab\nwait frames 3\nexpect focus is Method\n"
      "key Space\nwait frames 3\nkey Tab\nwait frames 3\nexpect focus is Corrections\n"
      // The arrows are the panel's, and Escape gives them back.
      "key Right\nexpect crosshair.x == 0\nkey Escape\nwait frames 2\nkey Right\nexpect crosshair.x > 0\n"
      "expect show_panels is true\nexpect errors == 0\n");
}

TEST_CASE("Tab takes a typed number and goes on to the next field, which can be typed into at once") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 600\ngrid 24\nset follow off\nopen demo:spheres\nwait done\nwait frames 3\n"
      "click Method\nwait frames 3\nclick Data\nwait frames 3\nclick \"Region and voxels\"\nwait frames 3\n"
      "drag left 0.5 0.5 0.5 0.5 ctrl in size_x\nwait frames 3\ntype 20\nkey Tab\nwait frames 5\nexpect size_x == 20\n"
      "type 22\nkey Tab\nwait frames 5\nexpect size_y == 22\nkey Escape\nwait frames 3\nexpect size_z == 24\n"
      "expect errors == 0\n");
}
