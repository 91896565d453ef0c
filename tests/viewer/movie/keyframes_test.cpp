// The cameras of a path: their pictures, their order, and the path played.
#include <backlit/core/error.hpp>
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::viewer;

TEST_CASE("Key frames are moved, replaced and removed, each by one step of undo") {
  Windowless w;
  CHECK_THROWS_AS(w.act("keyframe go 1"), InputError);
  for (const char* camera : {"camera 10 0 1", "camera 20 0 1", "camera 30 0 1"}) {
    w.act(camera);
    w.act("keyframe");
    w.model.end_drag();
  }
  const auto azimuths = [&] {
    std::vector<double> all;
    for (const Turntable& camera : w.model.state().keyframes) all.push_back(camera.azimuth);
    return all;
  };
  w.act("keyframe move 1 3");
  CHECK(azimuths() == std::vector<double>{20, 30, 10});
  w.act("undo");
  CHECK(azimuths() == std::vector<double>{10, 20, 30});
  w.act("keyframe move 3 1");
  CHECK(azimuths() == std::vector<double>{30, 10, 20});
  w.act("keyframe go 2");
  CHECK(w.model.state().camera.azimuth == 10);
  w.act("keyframe set 1");
  CHECK(azimuths() == std::vector<double>{10, 10, 20});
  w.act("keyframe remove 2");
  CHECK(azimuths() == std::vector<double>{10, 20});
  CHECK_THROWS_WITH(w.act("keyframe remove 3"), Catch::Contains("there are 2"));
  CHECK_THROWS_AS(w.act("keyframe move 1 0"), InputError);
}

TEST_CASE("A path is played over and over, and then the camera is where it was") {
  Windowless w;
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  w.act("camera 0 10 1");
  CHECK_THROWS_WITH(w.act("play path"), Catch::Contains("two key frames"));
  w.act("keyframe");
  w.act("camera 60 30 2");
  w.act("keyframe");
  w.act("camera 100 40 1");
  w.model.end_drag();
  w.act("set movie_seconds 0.4");
  for (const char* what : {"path", "turntable"}) {
    INFO(what);
    w.act(std::string("play ") + what);
    const auto at = [&] { return w.model.state().camera.azimuth; };
    const bool path = std::string(what) == "path";
    REQUIRE(w.until([&] { return path ? at() > 40 && at() < 61 : std::abs(at() - 100) > 90; }));
    REQUIRE(w.until([&] { return path ? at() < 20 : std::abs(at() - 100) < 40; }));  // over again
    w.act("play off");
    REQUIRE(w.until([&] { return at() == 100; }));
    CHECK(w.model.state().camera.elevation == 40);
  }
  w.model.end_drag();
  w.act("undo");
  CHECK(w.model.state().camera.azimuth == 100);
}

TEST_CASE("Key frames show what their cameras see, are dragged into another order, and removed") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "resize 1100 1400\ngrid 32\nopen demo:head\nwait done\ncamera -90 0 1\nkeyframe\ncamera -90 "
      "90 "
      "1\nkeyframe\n"
      "camera 0 10 3\nwait frames 3\nclick Movie\nwait frames 3\nclick \"Add key frame\"\nwait frames 60\n"
      "expect keyframes == 3\nscreenshot one.png \"key frame 1\"\nscreenshot two.png \"key frame 2\"\n"
      "drag left 0.5 0.5 2.6 0.5 in \"key frame 1\"\nwait frames 20\nscreenshot last.png \"key frame 3\"\n"
      "keyframe go 3\nexpect elevation == 0\nkeyframe go 1\nexpect elevation == 90\nclick \"key frame 2\"\n"
      "wait frames 3\nexpect camera.zoom == 3\nclick Later\nwait frames 3\nclick Remove\nwait frames 3\n"
      "expect keyframes == 2\nkeyframe go 2\nexpect elevation == 0\nkey Ctrl+Z\nkey Ctrl+Z\nwait frames 3\n"
      "expect keyframes == 3\nset movie_seconds 20\nclick \"Play path\"\nwait 0.2\nexpect play is path\n"
      "click \"Play path\"\nwait frames 3\nexpect play is off\nexpect errors == 0\n");
  const Image one = viewer.shot("one"), two = viewer.shot("two"), last = viewer.shot("last");
  const Patch all{3, 20, one.width - 6, one.height - 23};
  CHECK(count(one, all, [](Rgb c) { return gray(c) > 90; }) > 100);
  CHECK(mean_difference(one, two, all) > 3);
  CHECK(mean_difference(one, last, all) < 1);
}
