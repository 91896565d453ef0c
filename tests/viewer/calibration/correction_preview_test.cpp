// Corrections shown on a sinogram, or a view, before the volume follows.
#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/recon/session.hpp>
#include "model/sources/correction_preview.hpp"
#include "viewer/demo_scan.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::viewer;

namespace {

/// The spheres, seen by a detector of which one column reads too little.
Projections with_ring() {
  Projections p = DemoScan(24).views;
  const Detector& d = p.scan.detector;
  for (std::int64_t v = 0; v < p.scan.view_count(); ++v)
    for (std::int64_t row = 0; row < d.rows; ++row) p.view(v)[static_cast<std::size_t>(row * d.columns + 40)] += 0.2f;
  return p;
}

std::string save(const Projections& p, const std::filesystem::path& folder) {
  save_projections(p, folder / "ring.npy");
  ScanWriteOptions options;
  options.projections = "ring.npy";
  options.volume = VolumeGrid{{24, 24, 24}, Vec3(8), Vec3(0)};
  save_scan(p.scan, options, folder / "ring.scan.toml");
  return (folder / "ring.scan.toml").string();
}

CorrectionPreview preview(const Session& session, PreviewPart part, std::int64_t number,
                          const CorrectionOptions& options) {
  CorrectionPreviewer previewer(session.uncorrected(), session.file(), part, number);
  while (!previewer.step()) {
  }
  return previewer.corrected(options, {});
}

double apart(std::span<const float> a, std::span<const float> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
  return most;
}

}  // namespace

TEST_CASE("The preview is what the corrected scan holds: rows of all views, and views") {
  Session session(std::make_shared<MemorySource>(with_ring()));
  CorrectionOptions rings, hardened;
  rings.stripes = 9;
  hardened.hardening.coefficients = {0.05, 0.01};
  const Projections raw = read_all(*session.uncorrected());
  const Detector d = raw.scan.detector;
  for (const std::int64_t row : {std::int64_t{0}, std::int64_t{31}, d.rows - 1}) {
    INFO(row);
    SessionOptions options;
    options.preparation.corrections = rings;
    session.change(options);
    const Projections whole = read_all(*session.measured());
    const CorrectionPreview made = preview(session, PreviewPart::sinogram, row, rings);
    REQUIRE(made.after.width == d.columns);
    REQUIRE(made.after.height == raw.scan.view_count());
    CHECK(apart(made.before.values, made.after.values) > 0.1);  // the ring
    for (const std::int64_t view : {std::int64_t{0}, std::int64_t{17}, raw.scan.view_count() - 1}) {
      const auto line = std::span(made.after.values)
                            .subspan(static_cast<std::size_t>(view * d.columns), static_cast<std::size_t>(d.columns));
      const auto wanted =
          whole.view(view).subspan(static_cast<std::size_t>(row * d.columns), static_cast<std::size_t>(d.columns));
      CHECK(apart(line, wanted) < 1e-6);
    }
  }
  SessionOptions options;
  options.preparation.corrections = hardened;
  session.change(options);
  const Projections whole = read_all(*session.measured());
  for (const std::int64_t view : {std::int64_t{0}, std::int64_t{17}, raw.scan.view_count() - 1}) {
    const CorrectionPreview made = preview(session, PreviewPart::view, view, hardened);
    CHECK(made.before.height == d.rows);
    CHECK(apart(made.before.values, raw.view(view)) == 0);
    CHECK(apart(made.after.values, whole.view(view)) < 1e-6);
  }
}

TEST_CASE("What a part cannot show is left out and named, and parts that are not there are refused") {
  const Session session(std::make_shared<MemorySource>(with_ring()));
  CorrectionOptions options;
  options.stripes = 9;
  options.metal = 0.1;
  options.scatter.kind = ScatterOption::Kind::share;
  options.scatter.share = 0.1;
  const CorrectionPreview sinogram = preview(session, PreviewPart::sinogram, 20, options),
                          view = preview(session, PreviewPart::view, 20, options);
  const auto title = [](const std::string& name) {
    for (const Correction& c : corrections())
      if (c.name == name && !(c.needs_volume && name == "scatter_share")) return std::string(c.title);
    return std::string();
  };
  CHECK_THAT(sinogram.left_out, Catch::Contains(title("metal")) && Catch::Contains(title("scatter_share")));
  CHECK_THAT(sinogram.done, Catch::Contains(title("stripes")));
  CHECK_THAT(view.left_out, Catch::Contains(title("metal")) && Catch::Contains(title("stripes")));
  CHECK_THAT(view.done, Catch::Contains(title("scatter_share")));
  CHECK_THROWS_AS(preview(session, PreviewPart::sinogram, 64, {}), InputError);
  CHECK_THROWS_AS(preview(session, PreviewPart::view, -1, {}), InputError);
  for (const Correction& c : corrections())
    if (!c.needs_volume && c.apply) {
      INFO(c.name);
      CHECK((shows_in(PreviewPart::sinogram, std::string(c.name)) || shows_in(PreviewPart::view, std::string(c.name))));
    }
}

TEST_CASE("While a correction's slider is held the preview follows, and the volume waits") {
  Windowless w;
  w.act("open " + save(with_ring(), w.folder.path()));
  REQUIRE(w.settle());
  w.act("set strip sinogram");
  const std::int64_t runs = w.model.status().runs;
  w.model.hold();
  w.act("set stripes 9");
  w.model.request_preview(w.model.state().recon.corrections, true, 30);
  REQUIRE(w.until([&] { return w.model.status().correction_preview != nullptr; }));
  CHECK(w.model.status().correction_preview->number == 30);
  CHECK(apart(w.model.status().correction_preview->before.values, w.model.status().correction_preview->after.values) >
        0.1);
  for (int i = 0; i < 50; ++i) w.model.update();
  CHECK(w.model.status().runs == runs);
  CHECK_FALSE(w.model.status().running);
  w.model.end_drag();
  REQUIRE(w.settle());
  CHECK(w.model.status().runs == runs + 1);
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("Below the views a ring is seen before, gone after, and alone in what was removed") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save(with_ring(), viewer.folder.path());
  viewer.succeed(
      "resize 1100 900\nset follow off\nopen ring.scan.toml\nreconstruct\nwait done\nwait frames "
      "3\nclick Corrections\n"
      "wait frames 3\nclick \"On the sinogram\"\nwait frames 3\nwait done\nwait frames 3\nexpect strip is sinogram\n"
      "expect After contains \"no correction\"\nset stripes 9\nwait frames 3\nwait done\nwait frames 3\n"
      "expect runs == 1\nscreenshot before.png \"pane Before\"\nscreenshot after.png \"pane After\"\n"
      "screenshot removed.png \"pane Removed\"\nclick \"On a view\"\nwait frames 3\nwait done\nwait frames 3\n"
      "expect strip is view\nexpect Before contains \"view 0\"\nclick \"On a view\"\nwait frames 3\n"
      "expect strip is off\nexpect errors == 0\n");
  const Image before = viewer.shot("before"), after = viewer.shot("after"), removed = viewer.shot("removed");
  const auto column = [](const Image& image, double share) {
    const auto x = static_cast<std::int64_t>(share * static_cast<double>(image.width));
    return mean(image, {x, image.height / 2, 1, image.height / 3});
  };
  const double at = 40.5 / 64, beside = 36.5 / 64;
  CHECK(column(before, at) - column(after, at) > 5);
  CHECK(std::abs(column(before, beside) - column(after, beside)) < 4);
  CHECK(std::abs(column(removed, at) - column(removed, beside)) > 30);
}

TEST_CASE("A correction that is typed wrongly says why, and the window goes on") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 560 500\nset follow off\ngrid 32\nopen demo:spheres\nreconstruct\nwait done\nwait "
      "frames 3\nclick "
      "Method\n"
      "click Corrections\nwait frames 3\nexpect \"hardening shown\" is off\nclick hardening\nwait frames 2\ntype abc\n"
      "key Return\nwait frames 3\nexpect errors == 1\nexpect hardening is \"\"\ndismiss\nwait frames 3\n"
      "click hardening\nwait frames 2\ntype 0.05,0.01\nkey Return\nwait frames 3\nexpect hardening is 0.05,0.01\n"
      "expect errors == 0\n");
}

TEST_CASE("A key flips between the volume before and after") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 560 460\nset follow off\ntoggle crosshair off\ngrid 32\nset voxel 6.7\nopen "
      "demo:spheres\nreconstruct\nwait done\n"
      "window 0 0.03\nwait frames 3\nclick Corrections\nwait frames 3\nscreenshot first.png \"pane Axial\"\n"
      "click \"Keep as before, Corrections\"\nwait until pinned == 1\nexpect compare is wipe\nset center_shift "
      "6\nreconstruct\nwait "
      "done\n"
      "key A\nwait frames 3\nexpect Axial contains \"  A\"\nscreenshot before.png \"pane Axial\"\nkey A\nwait frames "
      "3\n"
      "expect Axial contains \"  B\"\nscreenshot after.png \"pane Axial\"\nclick \"Before / after, Corrections\"\nwait "
      "frames 3\n"
      "screenshot again.png \"pane Axial\"\nunpin\nexpect errors == 0\n");
  const Image first = viewer.shot("first"), before = viewer.shot("before"), after = viewer.shot("after"),
              again = viewer.shot("again");
  const Patch all = inner(first);
  CHECK(mean_difference(first, before, all) < 0.5);
  CHECK(mean_difference(before, after, all) > 2);
  CHECK(mean_difference(before, again, all) < 0.1);
}
