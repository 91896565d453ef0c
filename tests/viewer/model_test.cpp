// The viewer's model without a window: open, reconstruct, change parameters.
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/png.hpp>
#include "model/sources/source.hpp"
#include "model/values/point_sampler.hpp"
#include "model/values/statistics.hpp"
#include "render/gl/finisher.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;
using test::Windowless;

namespace {

std::string last_error(const viewer::Model& m) { return m.status().errors.empty() ? "" : m.status().errors.back(); }

/// Mean absolute difference of two volumes.
double mean_change(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("An example opens, reconstructs itself and shows the phantom's values") {
  Windowless w;
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  const Status& s = w.model.status();
  INFO(last_error(w.model));
  REQUIRE(s.errors.empty());
  REQUIRE(s.source);
  CHECK(s.source->scan.view_count() == 60);
  CHECK(s.runs == 1);
  CHECK(s.generation > 2);  // it was shown while it was made
  CHECK(s.finished.complete);
  REQUIRE(s.histogram);
  CHECK(s.histogram->percentile(0.1) == Approx(w.model.state().display.low));
  CHECK(w.model.state().display.low < w.model.state().display.high);
  CHECK(s.throughput.size() >= 3);
  CHECK(std::isnan(w.model.value_at(Vec3(1e4))));
  // Live batches and a single step give the same volume.
  const auto points = spread_points(s.grid, 4000);
  const auto live = w.model.values_at(points);
  CHECK(*std::max_element(live.begin(), live.end()) > 0.01f);
  w.act("reconstruct");
  REQUIRE(w.settle());
  CHECK(mean_change(live, w.model.values_at(points)) < 1e-5);
}

TEST_CASE("The example of a head is cut open, what is opened after it is not, and a session is shown as it was") {
  Windowless w;
  w.act("set follow off");
  w.act("open demo:head");
  REQUIRE(w.until([&] { return w.model.status().source != nullptr; }));
  REQUIRE(w.settle());
  CHECK(w.model.state().clips.size() == 1);
  const auto session = w.folder / "closed.toml";
  w.act("clip clear");
  w.act("save session " + session.string());
  w.act("open demo:head");
  REQUIRE(w.settle());
  CHECK(w.model.state().clips.size() == 1);
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(w.model.state().clips.empty());
  w.act("load session " + session.string());
  REQUIRE(w.settle());
  CHECK(w.model.state().clips.empty());
}

TEST_CASE("A helix is opened with hfdk, what is opened after it is not, and a chosen method stays") {
  Windowless w;
  const Detector d{31, 5, 3, 3};
  const Scan scan{d, helical_views(d, equal_angles(40, 0, 720), 200, 300, 6, -6)};
  save_volume(Volume({{d.columns, d.rows, 40}, Vec3(1), Vec3(0)}), w.folder / "views.npy");
  save_scan(scan, {.projections = "views.npy"}, w.folder / "helix.scan.toml");
  const auto method = [&] { return w.model.state().recon.method.name(); };
  const std::string open = "open " + (w.folder / "helix.scan.toml").string();
  w.act(open);
  REQUIRE(w.settle());
  INFO(last_error(w.model));
  CHECK(w.model.status().errors.empty());
  CHECK(method() == "hfdk");
  CHECK(w.model.status().method_note == "hfdk, since the trajectory is a helix");
  CHECK(w.model.status().runs == 1);
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(method() == "fdk");
  CHECK(w.model.status().method_note.empty());
  w.act("set follow off");
  w.act("method sirt");
  w.act(open);
  REQUIRE(w.settle());
  CHECK(method() == "sirt");
}

TEST_CASE("The time from the order to open a scan to its first volume is measured") {
  Windowless w;
  const auto views = read_all(*open_source("demo:spheres", {}, {}).views());
  REQUIRE(views.scan.detector.columns == 64);
  REQUIRE(views.scan.view_count() == 60);
  save_projections(views, w.folder / "views.npy");
  save_scan(views.scan, {.projections = "views.npy"}, w.folder / "small.scan.toml");
  w.act("open " + (w.folder / "small.scan.toml").string());
  CHECK(std::isnan(w.model.status().first_seconds));
  REQUIRE(w.until([&] {
    w.model.frame_seen();
    return w.model.status().generation > 0;
  }));
  REQUIRE(w.settle());
  w.model.frame_seen();
  CHECK(w.model.status().first_seconds > 0);
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("Undoing all there is leaves the file open, and its window") {
  Windowless w;
  w.act("set filter hann");
  w.model.end_drag();
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  const double high = w.model.state().display.high;
  REQUIRE(high > 0);
  w.act("set cutoff 0.5");
  while (w.model.undo()) {
  }
  CHECK(w.model.state().path == "demo:spheres");
  CHECK(w.model.state().display.high == high);
  CHECK(w.model.state().recon.method.text("filter") == "ram-lak");
  w.act("redo");
  w.act("redo");
  REQUIRE(w.settle());
  CHECK(w.model.state().path == "demo:spheres");
  CHECK(w.model.state().recon.method.text("filter") == "hann");
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("A changed centre changes the volume, undo brings it back, and the window stays as it was") {
  Windowless w;
  w.act("open demo:spheres");
  w.act("grid 32");
  REQUIRE(w.settle());
  const auto points = spread_points(w.model.status().grid, 4000);
  const auto right = w.model.values_at(points);
  const double low = w.model.state().display.low;
  const std::int64_t runs = w.model.status().runs;
  w.act("set center_shift 3");
  REQUIRE(w.settle());
  CHECK(w.model.status().runs > runs);
  CHECK(mean_change(right, w.model.values_at(points)) > 1e-4);
  CHECK(w.model.state().display.low == low);
  w.act("undo");
  REQUIRE(w.settle());
  CHECK(mean_change(right, w.model.values_at(points)) < 1e-6);
}

TEST_CASE("The volume follows a slider that never rests, and ends up where that stopped") {
  Windowless w(1000);  // a delay of 1000 s without a change, longer than the test waits
  w.act("grid 32");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  const std::int64_t runs = w.model.status().runs, shown = w.model.status().generation;
  int moves = 0;
  REQUIRE(w.until([&] {
    ViewState next = w.model.state();
    next.geometry.center_shift = 3 * std::sin(0.1 * ++moves);
    w.model.edit(next, "slider");
    return w.model.status().runs >= runs + 3;
  }));
  CHECK(w.model.status().generation >= shown + 3);
  w.act("set center_shift 0");
  REQUIRE(w.settle());
  const auto points = spread_points(w.model.status().grid, 4000);
  const auto followed = w.model.values_at(points);
  CHECK(w.model.status().histogram->percentile(100) >= *std::max_element(followed.begin(), followed.end()));
  w.act("reconstruct");
  REQUIRE(w.settle());
  CHECK(mean_change(followed, w.model.values_at(points)) < 1e-6);
}

TEST_CASE("What is said to be paused stands still, whenever it was paused") {
  Windowless w;
  w.act("open demo:spheres");
  w.act("grid 32");
  w.act("set method sirt");
  w.act("set iterations 1000");
  REQUIRE(w.until([&] { return w.model.status().residuals.size() >= 2; }));
  for (const char* value : {"0.9", "0.8", "0.7"}) {
    w.act(std::string("set relaxation ") + value);  // requests another run
    w.act("pause");
    for (int k = 0; k < 30; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      w.model.update();
    }
    const std::int64_t before = w.model.status().generation;
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    w.model.update();
    CHECK((!w.model.status().paused || w.model.status().generation == before));
    if (w.model.status().paused) w.act("resume");
    REQUIRE(w.until([&] { return w.model.status().generation > before; }));
  }
  w.act("cancel");
  CHECK(w.settle());
}

TEST_CASE("Iterative methods step, pause, finish and cancel") {
  Windowless w;
  w.act("set follow off");
  w.act("open demo:spheres");
  w.act("grid 32");
  REQUIRE(w.settle());
  CHECK(w.model.status().runs == 0);
  w.act("method sirt");
  w.act("set iterations 1000");
  w.act("reconstruct");
  REQUIRE(w.until([&] { return w.model.status().residuals.size() >= 2; }));
  w.act("pause");
  REQUIRE(w.until([&] { return w.model.worker().idle(); }));
  const std::int64_t paused = w.model.status().generation;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  w.model.update();
  CHECK(w.model.status().generation == paused);
  CHECK(w.model.status().paused);
  w.act("step");
  REQUIRE(w.until([&] { return w.model.status().generation == paused + 1; }));
  w.act("resume");
  const auto residuals = [&] { return w.model.status().residuals; };
  REQUIRE(w.until([&] { return residuals().size() >= 5; }));
  CHECK(residuals()[4] < residuals()[0]);
  std::int64_t views = 0;
  for (const ThroughputSample& sample : w.model.status().throughput) {
    CHECK(sample.views >= views);  // counts continue from one iteration to the next
    CHECK(sample.views_per_second >= 0);
    views = sample.views;
  }
  CHECK(views >= 60 * 4);
  w.act("finish");
  REQUIRE(w.settle());
  CHECK_FALSE(w.model.status().finished.complete);
  CHECK_FALSE(w.model.status().finished.cancelled);
  w.act("reconstruct");
  REQUIRE(w.until([&] { return w.model.status().started.backend != ""; }));
  w.act("cancel");
  REQUIRE(w.settle());
  CHECK(w.model.status().finished.cancelled);
}

TEST_CASE("Where the time of reconstructions goes is added up, stage by stage") {
  Windowless w;
  w.act("open demo:spheres");
  w.act("grid 24");
  REQUIRE(w.settle());
  const StageSeconds before = w.model.status().stages;
  for (const char* stage : {"plan", "filter", "backproject", "publish"}) CHECK(before.at(stage) > 0);
  w.act("set cutoff 0.7");  // the plan of the backprojection is used again
  REQUIRE(w.settle());
  CHECK(w.model.status().stages.at("backproject") > before.at("backproject"));
  CHECK(w.model.status().runs == 2);
  CHECK(stage_times({{"plan", 1}, {"read", 2}}, {{"plan", 1.004}, {"publish", 0.002}, {"read", 2}}, 0.01, 2) ==
        "2.00 plan, 1.00 publish, 2.00 rest");
}

TEST_CASE("A measured view, its reprojection and their difference") {
  Windowless w;
  w.act("set follow off");
  w.act("open demo:spheres");
  w.act("grid 24");
  w.act("method ossart");
  w.act("set iterations 2");
  REQUIRE(w.settle());
  w.act("reconstruct");
  REQUIRE(w.settle());
  w.act("view 11");
  REQUIRE(w.settle());
  INFO(last_error(w.model));
  const auto c = w.model.status().comparison;
  REQUIRE(c);
  CHECK(c->view == 11);
  CHECK(c->relative < 0.25);
  CHECK(c->measured.values.size() == 64 * 64);
  const std::size_t middle = 32 * 64 + 32;
  CHECK(c->difference.values[middle] == c->reprojected.values[middle] - c->measured.values[middle]);
}

TEST_CASE("Slices and pictures straight from the projections") {
  Windowless w;
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CutPlane plane;
  plane.pixel = 2;
  plane.width = 40;
  plane.height = 30;
  const auto serial = w.model.request_oblique(plane);
  w.model.request_oblique(plane);
  REQUIRE(w.until([&] { return w.model.status().oblique && w.model.status().oblique->serial == serial + 1; }));
  const auto& slice = *w.model.status().oblique;
  slice.ready.wait_on_device();
  std::vector<float> values(40 * 30);
  glGetTextureImage(slice.texture.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
  std::vector<Vec3> points;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) points.push_back(plane.point(x, y));
  const auto volume = w.model.values_at(points);
  CHECK(mean_change(values, volume) < 1e-3);
  const auto rays = camera_rays(Turntable{}, w.model.status().grid, 32, 24);
  VolumeRenderOptions options;
  options.mode = VolumeMode::mip;
  const auto asked = w.model.request_d2vr(rays, options, {});
  REQUIRE(w.until([&] { return w.model.status().d2vr && w.model.status().d2vr->refinement == 1; }));
  CHECK(w.model.status().d2vr->serial == asked);
  const auto found = gl::read_found(w.model.status().d2vr->texture);
  CHECK(*std::max_element(found.begin(), found.end()) > 0.01f);
}

TEST_CASE("Files open by content, errors are lines in the status and lose nothing") {
  Windowless w;
  const VolumeGrid grid{{9, 7, 5}, Vec3(1, 1, 2), Vec3(0)};
  Volume v(grid);
  for (std::int64_t i = 0; i < v.values.size(); ++i) v.values[i] = static_cast<float>(i);
  save_volume(v, w.folder / "v.mha");
  w.act("open " + (w.folder / "v.mha").string());
  REQUIRE(w.settle());
  CHECK(w.model.status().source->kind == SourceInfo::Kind::volume);
  CHECK(w.model.value_at(grid.voxel_center(3, 4, 2)) == v.at(3, 4, 2));
  CHECK(w.model.value_at(grid.voxel_center(3.5, 4, 2)) == Approx(v.at(3, 4, 2) + 0.5));
  CHECK(w.model.recent().front() == (w.folder / "v.mha").string());
  w.act("open " + (w.folder / "none.mha").string());
  REQUIRE(w.settle());
  CHECK_THAT(last_error(w.model), Contains("none.mha"));
  CHECK(w.model.value_at(grid.voxel_center(3, 4, 2)) == v.at(3, 4, 2));
  w.act("open demo:nothing");
  REQUIRE(w.settle());
  CHECK_THAT(last_error(w.model), Contains("demo:head"));
}

TEST_CASE("Exports: volume, slices, tables, and a disk that is full") {
  Windowless w;
  w.act("open demo:spheres");
  w.act("grid 24");
  REQUIRE(w.settle());
  const auto path = [&](const char* name) { return (w.folder / name).string(); };
  w.act("export volume " + path("v.mha"));
  w.act("export slice z " + path("s.tif"));
  w.act("export slice x " + path("s.png"));
  w.act("export histogram " + path("h.csv"));
  w.act("measure profile -50 0 0 50 0 0");
  w.act("export profile " + path("p.csv"));
  REQUIRE(w.settle());
  INFO(last_error(w.model));
  CHECK(w.model.status().errors.empty());
  const Volume v = load_volume(path("v.mha"));
  CHECK(v.grid == w.model.status().grid);
  CHECK(v.at(12, 12, 12) == w.model.value_at(v.grid.voxel_center(12, 12, 12)));
  CHECK(load_volume(path("s.tif")).grid.size == Size3{24, 24, 1});
  CHECK(load_png(path("s.png")).width == 24);
  CHECK(std::filesystem::file_size(path("h.csv")) > 1000);
  w.act("export volume /dev/full/v.mha");
  w.act("export slice z " + path("s.xyz"));
  w.act("export volume " + path("v.xyz"));
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.size() == 3);
  CHECK(w.model.status().generation > 0);
  CHECK_FALSE(std::filesystem::exists(path("v.xyz")));
}
