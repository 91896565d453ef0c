// The geometry found from the projections, taken number by number, and turned by keys.
#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "model/actions/geometry_edit.hpp"
#include "model/geometry_parameters.hpp"
#include "viewer/calibration/misaligned_scan.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::viewer;

TEST_CASE("A scan is calibrated in the background, and what was found is taken whole or number by number") {
  Windowless w;
  const std::string file = MisalignedScan().save(w.folder.path());
  CHECK_THROWS_AS(w.act("calibrate"), InputError);  // nothing is open
  w.act("open " + file);
  REQUIRE(w.settle());
  CHECK_THROWS_WITH(w.act("take calibration"), Catch::Contains("calibrate first"));
  const std::int64_t runs = w.model.status().runs;
  w.act("calibrate");
  CHECK(w.model.status().calibrating);
  REQUIRE(w.settle());
  REQUIRE(w.model.status().errors.empty());
  const auto found = w.model.status().calibration;
  REQUIRE(found);
  CHECK_FALSE(w.model.status().calibrating);
  CHECK(w.model.status().runs == runs);  // it changes nothing
  CHECK(w.model.state().geometry == GeometryState{});
  const CalibratedParameter& axis = found_by(*found, geometry_parameter("center_shift"));
  REQUIRE(axis.determined);
  CHECK(axis.value == Approx(2.6).margin(0.1));
  REQUIRE(axis.at.size() > 4);
  const auto least = std::ranges::min_element(axis.criterion) - axis.criterion.begin();
  CHECK(axis.at[static_cast<std::size_t>(least)] == Approx(axis.value).margin(0.6));
  const CalibratedParameter& tilt = found_by(*found, geometry_parameter("tilt_u"));
  CHECK_FALSE(tilt.determined);
  CHECK_THROWS_WITH(w.act("take calibration tilt_u"), Catch::Contains(tilt.reason));
  CHECK_THROWS_AS(w.act("take calibration sharpness"), InputError);

  w.act("take calibration center_shift");
  CHECK(w.model.state().geometry == GeometryState{.center_shift = axis.value});
  REQUIRE(w.settle());
  CHECK(w.model.status().runs == runs + 1);
  w.model.end_drag();
  w.act("take calibration");
  CHECK(w.model.state().geometry.tilt_n == Approx(1.2).margin(0.2));
  CHECK(w.model.state().geometry.tilt_u == 0);
  REQUIRE(w.settle());
  w.act("undo");
  CHECK(w.model.state().geometry == GeometryState{.center_shift = axis.value});
  w.act("redo");
  const GeometryState all = w.model.state().geometry;
  w.act("save session " + (w.folder.path() / "s.toml").string());
  w.act("reset geometry");
  w.act("load session " + (w.folder.path() / "s.toml").string());
  REQUIRE(w.settle());
  CHECK(w.model.state().geometry == all);
  CHECK_FALSE(w.model.status().calibration);  // of a scan that was opened anew
}

TEST_CASE("A calibration that is cancelled leaves everything as it was") {
  Windowless w;
  w.act("open " + MisalignedScan().save(w.folder.path()));
  REQUIRE(w.settle());
  w.act("calibrate");
  w.act("cancel");
  CHECK(w.until([&] { return !w.model.status().calibrating; }));
  REQUIRE(w.settle());
  CHECK_FALSE(w.model.status().calibration);
  CHECK(w.model.status().errors.empty());
  CHECK(w.model.status().generation > 0);
}

TEST_CASE("A calibration that is cancelled leaves the run in progress") {
  Windowless w;
  w.act("open " + MisalignedScan().save(w.folder.path()));
  REQUIRE(w.settle());
  w.act("set backend cpu");
  w.act("method sirt");
  w.act("set iterations 1000000");
  REQUIRE(w.until([&] { return w.model.status().running && w.model.status().progress.stage == "iterate"; }));
  w.act("calibrate");
  REQUIRE(w.until([&] { return !w.model.status().activity.empty(); }));  // at work
  w.act("cancel calibration");
  CHECK_FALSE(w.model.status().calibrating);
  const std::int64_t done = w.model.status().progress.done;
  CHECK(w.until([&] { return w.model.status().progress.done > done + 1; }));
  CHECK(w.model.status().running);
  CHECK_FALSE(w.model.status().calibration);
  w.act("cancel");
  REQUIRE(w.settle());
  CHECK(w.model.status().finished.cancelled);
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("A scan that cannot be calibrated says why, and stays as it is") {
  Windowless w;
  MisalignedScan scan;
  scan.views.scan.views.resize(6);
  scan.views = Projections(scan.views.scan);
  w.act("open " + scan.save(w.folder.path()));
  REQUIRE(w.settle());
  w.act("calibrate");
  REQUIRE(w.settle());
  CHECK_FALSE(w.model.status().calibrating);
  CHECK_FALSE(w.model.status().calibration);
  REQUIRE(w.model.status().errors.size() == 1);
  CHECK_THAT(w.model.status().errors.back(), Catch::Contains("fewer than eight views"));
  CHECK(w.model.status().generation > 0);
}

TEST_CASE("Distance and sense of rotation are those of a trajectory that has them") {
  const Detector d{.columns = 37, .rows = 29, .pixel_u = 1.5, .pixel_v = 1.5};
  const auto angles = equal_angles(11, 20);
  std::vector<double> back;
  for (const double a : angles) back.push_back(-a);
  const Scan plain{d, circular_views(d, angles, 400, 600)};
  DetectorPlacement shift;
  shift.offset_u = 2;
  const Scan moved = adjusted(plain, {.center_shift = 2, .detector_distance = 1.02, .reversed = true}),
             told{d, circular_views(d, back, 400, 612, shift)};
  for (std::size_t i = 0; i < angles.size(); ++i) {
    CHECK(glm::length(moved.views[i].source - told.views[i].source) < 1e-9);
    CHECK(glm::length(moved.views[i].center - told.views[i].center) < 1e-9);
    CHECK(glm::length(moved.views[i].u - told.views[i].u) < 1e-9);
  }
}

TEST_CASE("Keys turn the selected number, finely and coarsely") {
  Windowless w;
  CHECK_THROWS_AS(w.act("nudge up"), InputError);
  w.act("set follow off");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  const GeometryState& now = w.model.state().geometry;
  w.act("jump up");
  w.act("nudge up");
  CHECK(now.center_shift == Approx(1.1));
  w.act("set selected_number tilt_n");
  w.act("nudge down");
  CHECK(now.tilt_n == Approx(-0.025));
  w.act("set step_scale 2");
  w.act("jump down");
  CHECK(now.tilt_n == Approx(-0.525));
  CHECK(now.center_shift == Approx(1.1));
}

TEST_CASE("The panel shows what was found, and a click takes it, another chooses among slices around it") {
  REQUIRE_VIEWER();
  Viewer viewer;
  MisalignedScan().save(viewer.folder.path());
  viewer.succeed(
      "set font_scale 0.5\nresize 560 660\ntoggle crosshair off\nopen scan.scan.toml\nwait done\nwait frames 3\nclick "
      "Calibration\n"
      "wait frames 3\nclick Calibrate\nwait until calibrated == 1\nwait done\nwait frames 3\n"
      "expect \"center_shift found\" contains \"found 34.\"\nexpect \"center_shift found\" contains \"was 31.50\"\n"
      "expect \"tilt_u found\" contains \"not determined\"\nscreenshot curve.png \"center_shift curve\"\n"
      "click \"Take tilt_n\"\nwait frames 3\nexpect tilt_n == 1.2 0.15\nexpect center_shift == 0\nexpect "
      "selected_number is "
      "tilt_n\n"
      "drag left 0.5 0.5 0.5 0.5 in \"center_shift curve\"\nwait frames 3\nexpect center_shift == 2.6 0.15\n"
      "drag left 0.9 0.5 0.9 0.5 in \"center_shift curve\"\nwait frames 3\nexpect center_shift == 5.8 0.3\n"
      "key Ctrl+Left\nwait frames 2\nexpect center_shift == 5.7 0.3\nkey Ctrl+Z\nkey Ctrl+Z\nwait frames 3\n"
      "expect center_shift == 2.6 0.15\nwait done\nset strip candidates\nset step_scale 2\nwait frames 5\nwait done\n"
      "wait frames 5\nwait done\nwait frames 3\nscreenshot now.png \"pane candidate 4\"\n"
      "screenshot far.png \"pane candidate 7\"\nexpect errors == 0\n");
  const Image curve = viewer.shot("curve"), now = viewer.shot("now"), far = viewer.shot("far");
  const Patch all{0, 0, curve.width, curve.height};
  CHECK(count(curve, all, [](Rgb c) { return c.b > c.r + 60 && c.b > 120; }) > curve.width / 2);  // the curve
  CHECK(count(curve, all, [](Rgb c) { return c.r > 150 && c.g > 130 && c.b < 120; }) > 10);       // the present value
  REQUIRE(now.width == far.width);
  CHECK(mean_difference(now, far, {4, 24, now.width - 8, now.height - 28}) > 3);
}

TEST_CASE("A click on a candidate takes its value") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set follow off\ngrid 32\nopen demo:spheres\nreconstruct\nwait done\nset strip candidates\nset selected_number "
      "tilt_n\nwait frames "
      "3\n"
      "wait done\nwait frames 3\nclick \"pane candidate 6\"\nwait frames 3\nexpect tilt_n == 0.5\nkey Ctrl+Z\nwait "
      "frames 2\n"
      "expect tilt_n == 0\nexpect errors == 0\n");
}
