// What must stay as it is while something else changes.
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("The window of the slices changes the slices, and not the 3-D picture") {
  REQUIRE_VIEWER();
  Viewer viewer;
  std::string script =
      "set font_scale 0.5\nresize 600 460\ntoggle panels off\ntoggle crosshair off\ngrid 40\nopen demo:spheres\n"
      "wait done\nwait frames 4\n";
  for (const std::string mode : {"dvr", "iso"}) {
    script += "window 0 0.05\nmode " + mode + "\nwait frames 4\n";
    for (const std::string width : {"wide", "narrow"}) {
      if (width == "narrow") script += "window 0.019 0.022\nwait frames 4\n";
      script += "screenshot " + mode + "_" + width + ".png \"pane 3-D\"\n";
      script += "screenshot slice_" + width + ".png \"pane Axial\"\n";
    }
  }
  viewer.succeed(script + "expect transfer is auto\nexpect errors == 0\n");
  const Image slice = viewer.shot("slice_wide");
  CHECK(mean_difference(slice, viewer.shot("slice_narrow"), inner(slice)) > 5);
  for (const std::string mode : {"dvr", "iso"}) {
    INFO(mode);
    const Image wide = viewer.shot(mode + "_wide");
    CHECK(mean(wide, inner(wide)) > 5);
    CHECK(mean_difference(wide, viewer.shot(mode + "_narrow"), inner(wide)) < 0.1);
  }
}

TEST_CASE("Nothing in the panel moves under the pointer when a run begins and ends") {
  REQUIRE_VIEWER();
  std::string to_the_end;  // a turn of the wheel moves a panel by two thirds of its height
  for (int turn = 0; turn < 10; ++turn) to_the_end += "wheel 60 200 -60\n";
  for (const std::string height : {"240", "500"}) {  // in the lower window what steers a run scrolls with the panel
    INFO(height);
    Viewer viewer;
    viewer.succeed("set font_scale 0.5\nresize 900 " + height +
                   "\nset follow off\ngrid 24\nopen demo:spheres\nmethod sirt\nset iterations 3\nset denoise 1\n"
                   "reconstruct\nwait done\nwait frames 3\nclick Data\nwait frames 3\nclick Method\nwait frames 3\n"
                   "click Corrections\nwait frames 3\n" +
                   to_the_end +
                   "wait frames 4\nscreenshot header.png Progress\n"
                   "screenshot before.png\nset iterations 100000\nset interval 360\nkey F5\nwait until iterations_done "
                   ">= 5\npause\n"
                   "wait frames 5\nexpect running == 1\nscreenshot during.png\nkey Escape\nwait done\nwait frames 5\n"
                   "screenshot after.png\nexpect errors == 0\n");
    const Image header = viewer.shot("header");
    const std::int64_t right = header.width;  // headers reach further than what they hold
    const Rgb color = header.at(right - 2, header.height / 2);
    const auto rows = [&](const std::string& name) {
      const Image image = viewer.shot(name);
      std::vector<std::int64_t> found;
      for (std::int64_t y = 12; y < image.height; ++y)
        if (image.at(right + 2, y) == color) found.push_back(y);
      return found;
    };
    const auto before = rows("before");
    REQUIRE(std::ssize(before) > 20);
    CHECK(rows("during") == before);
    CHECK(rows("after") == before);
  }
}
