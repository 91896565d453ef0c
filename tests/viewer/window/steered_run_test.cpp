// Parameters that act while a method iterates.
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("Iterations go on from their volume when a parameter steers them") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 300 240\nset follow false\nopen demo:spheres\nwait done\ngrid 16\nset backend "
      "cpu\nmethod sirt\nset iterations 3\n"
      "reconstruct\nwait done\nexpect iterations_done == 3\nset follow true\n"
      "set relaxation 0.5\nwait done\nexpect iterations_done == 6\n"
      "set nonnegative true\nset iterations 2\nwait done\nexpect iterations_done >= 8\nexpect value >= 0\n"
      "set voxel 20\nwait done\nexpect iterations_done == 2\n"  // another grid starts anew
      "set steer false\nset relaxation 0.9\nwait done\nexpect iterations_done == 2\n"
      "set steer true\nset relaxation 0.8\nwait done\nexpect iterations_done == 4\nkey F5\nwait done\n"
      "expect iterations_done == 2\nexpect errors == 0\n");
}

TEST_CASE("A long run is steered without a question, and stays paused") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 300 240\nset follow false\nopen demo:spheres\nwait done\ngrid 16\nset backend "
      "cpu\nmethod tv\nset iterations 1000000\n"
      "reconstruct\nwait until iterations_done >= 2\nask after 0.000001\nset follow true\n"
      "set strength 3\nwait frames 3\nexpect asked == 0\nexpect running == 1\nwait until iterations_done >= 4\n"
      "pause\nset strength 0.2\nwait frames 3\nexpect paused == 1\nresume\nwait until iterations_done >= 6\n"
      "cancel\nwait frames 2\nclick \"Cancel the run\"\nwait done\nexpect errors == 0\n");
}
