// Every parameter has its effect on the volume, and its widget can correct a faulty scan.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include "model/values/point_sampler.hpp"
#include "model/values/statistics.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

namespace parameters_test {
namespace {

const VolumeGrid grid{{27, 27, 21}, Vec3(8), Vec3(0)};

/// Views of the spheres, with the detector placed by `truth`. `told`: the file contains this placement; otherwise it
/// contains none.
std::string save_case(const test::Scratch& folder, const std::string& name, const DetectorPlacement& truth, bool told,
                      double photons = 0) {
  const Detector detector{.columns = 36, .rows = 30, .pixel_u = 9, .pixel_v = 9};
  const auto angles = equal_angles(24);
  Projections p(Scan{detector, circular_views(detector, angles, 1000, 1500, truth)});
  project_phantom(load_phantom("spheres"), p.scan, 0, 24, 1, p.values.span());
  const auto pixels = static_cast<std::size_t>(detector.pixels());
  if (photons > 0)
    for (std::size_t i = 0; i < 24; ++i)
      add_noise({.photons = photons}, static_cast<std::int64_t>(i), p.values.span().subspan(i * pixels, pixels));
  save_projections(p, folder / (name + ".npy"));
  const std::vector<View> said = circular_views(detector, angles, 1000, 1500, told ? truth : DetectorPlacement{});
  save_scan({detector, said}, {.projections = name + ".npy", .volume = grid}, folder / (name + ".scan.toml"));
  return (folder / (name + ".scan.toml")).string();
}

using Values = std::vector<float>;

Values values_of(const Volume& v) { return {v.values.span().begin(), v.values.span().end()}; }

double distance(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// A model whose volume is requested by the parameters to change.
struct Bench : Windowless {
  std::vector<Vec3> points = spread_points(grid, grid.voxels());
  Values truth = values_of(voxelize(load_phantom("spheres"), grid));

  Values values() { return model.values_at(points); }
  /// Values of the volume after these lines.
  Values after(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) act(line);
    REQUIRE(settle());
    INFO((model.status().errors.empty() ? "" : model.status().errors.back()));
    REQUIRE(model.status().errors.empty());
    return values();
  }
  /// ... and after an explicit reconstruction.
  Values run(std::vector<std::string> lines) {
    lines.emplace_back("reconstruct");
    return after(lines);
  }
  double error(const Values& v) const { return distance(v, truth); }
  /// Mean and standard deviation in the water between the spheres.
  RegionStatistics water(const Values& v) const {
    Values inside;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (std::hypot(points[i].x, points[i].y) < 38 && std::abs(points[i].z) < 35) inside.push_back(v[i]);
    return statistics_of(inside);
  }
};

}  // namespace

TEST_CASE("A detector out of its place is put right by shift, offset and tilts: the volume is as if it had been told") {
  Bench w;
  struct Fault {
    const char* parameter;
    double DetectorPlacement::*at;
    double amount;
  };
  for (const Fault& fault :
       {Fault{"center_shift", &DetectorPlacement::offset_u, 2.5}, Fault{"offset_v", &DetectorPlacement::offset_v, -3},
        Fault{"tilt_u", &DetectorPlacement::tilt_u, 25}, Fault{"tilt_v", &DetectorPlacement::tilt_v, -20},
        Fault{"tilt_n", &DetectorPlacement::tilt_n, 7}}) {
    INFO(fault.parameter);
    DetectorPlacement placed;
    placed.*fault.at = fault.amount;
    const Values told = w.after({"open " + save_case(w.folder, "told", placed, true)});
    const Values wrong = w.after({"open " + save_case(w.folder, "untold", placed, false)});
    const Values right = w.after({fmt::format("set {} {}", fault.parameter, fault.amount)});
    CHECK(distance(right, told) < 0.01 * distance(wrong, told));
    CHECK(w.error(right) < 0.97 * w.error(wrong));
    w.after({"reset geometry"});
  }
}

TEST_CASE("The rotation centre is found where a scan has been shifted") {
  Bench w;
  DetectorPlacement placed;
  placed.offset_u = -3.4;
  const Values wrong = w.after({"open " + save_case(w.folder, "shifted", placed, false)});
  const Values right = w.after({"find center"});
  CHECK(w.model.state().geometry.center_shift == Approx(-3.4).margin(0.15));
  CHECK(w.error(right) < 0.6 * w.error(wrong));
  w.act("undo");
  CHECK(w.model.state().geometry.center_shift == 0);
}

TEST_CASE("The region moves, and voxels take another size, while what is seen stays where it is") {
  Bench w;
  const Values whole = w.after({"open " + save_case(w.folder, "scan", {}, true)});
  const auto& shown = w.model.status().grid;
  REQUIRE(shown == grid);
  const std::vector<Vec3> within = spread_points({{15, 15, 13}, Vec3(8), Vec3(0)}, 1 << 20);
  const Values before = w.model.values_at(within);
  // A shift by whole voxels: equal values at equal places, and zero where the region has moved away.
  w.after({"set grid.center_x 32", "set grid.center_z -16"});
  CHECK(shown.center == Vec3(32, 0, -16));
  CHECK(distance(before, w.model.values_at(within)) < 1e-6);
  CHECK(std::isnan(w.model.value_at(Vec3(-100, 0, 0))));
  // Half the voxel size, eight times as many voxels.
  w.after({"reset geometry", "set voxel 4"});
  CHECK(shown.spacing == Vec3(4));
  CHECK(shown.size == Size3{54, 54, 42});
  CHECK(shown.lower() == grid.lower());
  const Values fine = w.model.values_at(within);
  CHECK(distance(before, fine) < 0.2 * distance(before, Values(before.size(), 0)));
  CHECK(distance(before, fine) > 1e-5);
  // Fewer voxels in the same box.
  w.after({"set voxel 0", "grid 12"});
  CHECK(shown.size == Size3{12, 12, 12});
  CHECK(shown.spacing == Vec3(18));
}

TEST_CASE("After a new region the crosshair lies inside it, and stays where the region holds it") {
  Bench w;
  w.after({"open " + save_case(w.folder, "scan", {}, true), "set voxel 8"});
  const auto& region = w.model.status().grid;
  const Vec3& at = w.model.state().crosshair;
  w.act("crosshair 4 -8 12");
  w.after({"grid 7 7 5"});
  REQUIRE(region.size == Size3{7, 7, 5});
  CHECK(at == Vec3(4, -8, 12));
  w.after({"set grid.center_x 56", "set grid.center_z -24"});
  REQUIRE(region.center == Vec3(56, 0, -24));
  CHECK(glm::all(glm::greaterThanEqual(at, region.lower())));
  CHECK(glm::all(glm::lessThanEqual(at, region.upper())));
  CHECK(std::isfinite(w.model.value_at(at)));
  CHECK(w.model.state().layout.slice_pan == Vec3(0));
}

TEST_CASE("Filters smooth the noise of FDK, and a lower cut-off does") {
  Bench w;
  w.act("set follow off");
  w.after({"open " + save_case(w.folder, "noisy", {}, true, 2e4)});
  const RegionStatistics sharp = w.water(w.run({"set filter ram-lak"})), hann = w.water(w.run({"set filter hann"})),
                         cut = w.water(w.run({"set filter ram-lak", "set cutoff 0.5"}));
  CHECK(hann.deviation < 0.75 * sharp.deviation);
  CHECK(cut.deviation < 0.75 * sharp.deviation);
  for (const RegionStatistics& s : {sharp, hann, cut}) CHECK(s.mean == Approx(0.02).epsilon(0.05));
}

TEST_CASE("Iterative methods of scans: subsets and relaxation make steps larger, penalties make volumes smoother") {
  Bench w;
  w.act("set follow off");
  w.after({"open " + save_case(w.folder, "noisy", {}, true, 2e4)});
  const Values mlem = w.run({"method mlem", "set iterations 1"}), longer = w.run({"set iterations 4"});
  const auto& residuals = w.model.status().residuals;
  REQUIRE(residuals.size() == 4);
  CHECK(residuals.back() < 0.7 * residuals.front());
  CHECK(*std::min_element(longer.begin(), longer.end()) >= 0);
  CHECK(w.error(longer) < 0.8 * w.error(mlem));
  const Values osem = w.run({"method osem", "set iterations 1", "set subsets 8"});
  CHECK(*std::min_element(osem.begin(), osem.end()) >= 0);
  CHECK(w.error(osem) < 0.8 * w.error(mlem));  // nearly as close as with the same number of updates

  const Values slow = w.run({"method sirt", "set iterations 2", "set relaxation 0.3"}),
               usual = w.run({"set relaxation 1"});
  CHECK(w.water(slow).mean < 0.8 * w.water(usual).mean);
  CHECK(w.error(slow) > 1.1 * w.error(usual));
  CHECK(w.error(w.run({"method ossart", "set iterations 2", "set subsets 12"})) < 0.8 * w.error(usual));

  const Values plain = w.run({"method pwls", "set iterations 8", "set weights none", "set penalty none"}),
               smooth = w.run({"set penalty qggmrf", "set strength 0.3"});
  CHECK(w.water(smooth).deviation < 0.6 * w.water(plain).deviation);
  for (const Values& v : {plain, smooth}) CHECK(w.water(v).mean == Approx(0.02).epsilon(0.05));
}

TEST_CASE("What is shown after cancelling is one volume: to the eye, in its histogram, and in what is exported") {
  Bench w;
  w.act("set follow off");
  w.after({"open " + save_case(w.folder, "scan", {}, true)});
  const std::string path = (w.folder / "cancelled.mha").string();
  for (const char* method : {"sirt", "fdk"}) {
    INFO(method);
    w.act(std::string("method ") + method);
    w.act("set interval 7");
    if (method == std::string("sirt")) w.act("set iterations 100000");
    w.act("set lockstep on");  // the run waits for each picture, so there is time to cancel
    w.act("reconstruct");
    const std::int64_t before = w.model.status().generation;
    const auto shown = [&] { return w.model.status().generation - before; };
    REQUIRE(w.until([&] { return shown() >= (method == std::string("sirt") ? 12 : 2); }));
    w.act("cancel");
    REQUIRE(w.settle());
    REQUIRE(w.model.status().finished.cancelled);
    const Values seen = w.values();
    CHECK(w.error(seen) < w.error(Values(seen.size(), 0)));
    REQUIRE(w.until([&] { return w.model.status().histogram != nullptr; }));
    const auto [least, most] = std::ranges::minmax(seen);
    CHECK(w.model.status().histogram->low == Approx(least).margin(1e-7));
    CHECK(w.model.status().histogram->high == Approx(most).margin(1e-7));
    w.act("export volume " + path);
    REQUIRE(w.settle());
    const Volume written = load_volume(path);
    REQUIRE(written.grid == w.model.status().grid);
    CHECK(distance(seen, values_of(written)) < 1e-6);
  }
}

}  // namespace parameters_test
