// The drawing of the scan and the camera at its source follow the sliders, on flat and curved detectors.
#include <catch2/catch.hpp>

#include <backlit/geometry/trajectory.hpp>
#include "model/actions/geometry_edit.hpp"
#include "model/sources/adjusted_scan.hpp"
#include "model/sources/source.hpp"
#include "model/sources/source_camera.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using namespace backlit::test;

namespace {

constexpr Patch views{2, 80, 896, 490};  // of a window of 900 x 620 without panels

/// The colour of the detector and the rays.
bool orange(Rgb c) { return c.r > 140 && c.b < c.r - 50; }

std::int64_t lines(const Image& image) { return count(image, views, orange); }

/// Number of pixels with lines in only one of the pictures.
std::int64_t moved(const Image& a, const Image& b) {
  std::int64_t n = 0;
  for (std::int64_t y = views.y; y < views.y + views.height; ++y)
    for (std::int64_t x = views.x; x < views.x + views.width; ++x) n += orange(a.at(x, y)) != orange(b.at(x, y));
  return n;
}

Scan circle(const Detector& detector) {
  Scan scan{detector, {}};
  scan.views = circular_views(detector, equal_angles(12), 500, 800);
  return scan;
}

std::shared_ptr<const SourceInfo> info_of(const Scan& scan) {
  auto info = std::make_shared<SourceInfo>();
  info->scan = scan;
  return info;
}

}  // namespace

TEST_CASE("G shows and hides the scan, in its layout and over the volume, and is undone like all else") {
  Windowless w;
  const auto both = [&] {
    return std::pair(w.model.state().layout.show_geometry, w.model.state().layout.geometry_in_3d);
  };
  CHECK(both() == std::pair(true, false));
  w.act("toggle geometry");
  CHECK(both() == std::pair(true, true));
  w.act("layout geometry");
  w.act("toggle geometry");
  CHECK(both() == std::pair(false, true));
  w.model.end_drag();  // the next change is a step of its own
  w.act("toggle geometry on");
  CHECK(both() == std::pair(true, true));
  w.act("undo");
  CHECK(both() == std::pair(false, true));
  w.act("undo");
  w.act("undo");
  w.act("undo");
  CHECK(both() == std::pair(true, false));
}

TEST_CASE("The scan that is drawn is the one that the sliders make, and made once") {
  const auto flat = info_of(circle({.columns = 41, .rows = 23, .pixel_u = 2, .pixel_v = 3}));
  AdjustedScan shown;
  GeometryState g;
  CHECK(shown.of(flat, g).views == flat->scan.views);
  g.center_shift = 3;
  g.offset_v = -2;
  g.tilt_n = 10;
  const Scan& scan = shown.of(flat, g);
  CHECK(scan.views == adjusted(flat->scan, g).views);
  CHECK(scan.views != flat->scan.views);
  const View* const first = scan.views.data();
  CHECK(shown.of(flat, g).views.data() == first);
  // A geometry that a run would refuse is drawn as in the file.
  const auto curved =
      info_of(circle({.columns = 41, .rows = 23, .pixel_u = 2, .pixel_v = 3, .shape = Detector::Shape::curved}));
  CHECK(shown.of(curved, g).views == curved->scan.views);
  const auto nothing = info_of({});
  CHECK(shown.of(nothing, g).views.empty());
}

TEST_CASE("From the source all of a curved detector is seen, its middle in the middle") {
  const Detector flat{.columns = 61, .rows = 31, .pixel_u = 8, .pixel_v = 6};
  Detector curved = flat;
  curved.shape = Detector::Shape::curved;
  const Scan cone = circle(curved);
  Scan parallel = cone;
  parallel.detector.radius = 300;
  for (View& view : parallel.views) {
    view.beam = Beam::parallel;
    view.direction = glm::normalize(view.center - view.source);
  }
  for (const Scan* scan : std::initializer_list<const Scan*>{&cone, &parallel}) {
    const Detector& d = scan->detector;
    const View& view = scan->views[5];
    const CameraRays rays = source_camera(d, view, 211, 97);
    REQUIRE(rays.endless == (view.beam == Beam::parallel));
    if (!rays.endless) CHECK(rays.origin == view.source);
    const Vec3 middle = project(rays, detector_point(d, view, d.middle_column(), d.middle_row()));
    CHECK(middle.x == Approx(105));
    CHECK(middle.y == Approx(48));
    double widest = 0, highest = 0;
    for (std::int64_t row = 0; row < d.rows; ++row)
      for (std::int64_t column = 0; column < d.columns; ++column) {
        const Vec3 p = project(rays, detector_point(d, view, static_cast<double>(column), static_cast<double>(row)));
        widest = std::max(widest, std::abs(p.x - middle.x));
        highest = std::max(highest, std::abs(p.y - middle.y));
      }
    CHECK(widest < 105.5);
    CHECK(highest < 48.5);
    CHECK((widest > 95 || highest > 43));  // and it fills the picture
    const Vec3 right = project(rays, detector_point(d, view, 60, 30));
    CHECK(right.x > middle.x);
    CHECK(right.y < middle.y);
  }
  const Scan plain = circle(flat);
  const CameraRays same = camera_rays(flat, plain.views[5], 211, 97),
                   ours = source_camera(flat, plain.views[5], 211, 97);
  CHECK(same.direction == ours.direction);
  CHECK(same.direction_x == ours.direction_x);
  // An arc of 170 degrees has no flat picture: the part within 80 degrees to either side is shown.
  Detector wide = curved;
  wide.columns = 301;
  const Scan arc = circle(wide);
  const CameraRays rays = source_camera(wide, arc.views[0], 300, 100);
  CHECK(std::isfinite(glm::length(rays.direction)));
  CHECK(project(rays, detector_point(wide, arc.views[0], 150, 15)).x == Approx(149.5));
}

TEST_CASE("In the window: lines come and go, and the drawn detector tilts and moves") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\ntoggle crosshair off\nset follow off\ngrid 24\nopen demo:spheres\nwait done\nkey F7\n"
      "wait frames 3\nscreenshot scan.png\nkey G\nexpect show_geometry is false\nwait frames 2\nscreenshot off.png\n"
      "key Ctrl+Z\nwait frames 2\nscreenshot again.png\nset tilt_n 20\nwait frames 2\nscreenshot tilted.png\n"
      "set tilt_n 0\nset tilt_v 30\nwait frames 2\nscreenshot turned.png\nset tilt_v 0\nset center_shift 15\n"
      "wait frames 2\nscreenshot shifted.png\nset center_shift 0\nset offset_v 15\nwait frames 2\n"
      "screenshot raised.png\nset offset_v 0\nwait frames 2\nscreenshot back.png\n"
      "key F4\nwait frames 2\nscreenshot volume.png\nkey G\nexpect geometry_in_3d is true\nwait frames 2\n"
      "screenshot over.png\nexpect errors == 0\n");
  const Image scan = viewer.shot("scan");
  CHECK(lines(scan) > 200);
  CHECK(lines(viewer.shot("off")) < 60);  // only one axis of the small set
  CHECK(moved(scan, viewer.shot("again")) == 0);
  for (const char* name : {"tilted", "turned", "shifted", "raised"}) {
    INFO(name);
    CHECK(moved(scan, viewer.shot(name)) > 100);
  }
  CHECK(moved(scan, viewer.shot("back")) == 0);
  CHECK(lines(viewer.shot("volume")) < 60);
  CHECK(lines(viewer.shot("over")) > 200);
}

TEST_CASE("In the window: a curved detector is looked at from its source") {
  REQUIRE_VIEWER();
  Viewer viewer;
  std::ofstream(viewer.folder / "curved.scan.toml")
      << "[detector]\ncolumns = 64\nrows = 32\npixel_mm = [6, 6]\nshape = \"curved\"\n"
         "[trajectory]\nkind = \"circular\"\nsource_to_axis_mm = 500\nsource_to_detector_mm = 800\nviews = 24\n";
  viewer.succeed(
      "toggle panels off\ntoggle crosshair off\nopen curved.scan.toml\nwait done\nkey F7\nwait frames 2\n"
      "screenshot aside.png\nkey S\nexpect from_source is true\nwait frames 2\nscreenshot source.png\n"
      "set view 6\nwait frames 2\nscreenshot quarter.png\nexpect errors == 0\n");
  const Image aside = viewer.shot("aside"), source = viewer.shot("source");
  CHECK(moved(aside, source) > 300);
  // The detector's frame surrounds the picture; all views see their own detector at the same place.
  CHECK(lines(source) > 800);
  CHECK(moved(source, viewer.shot("quarter")) < 200);
}
