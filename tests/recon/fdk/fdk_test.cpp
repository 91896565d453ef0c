// FDK end to end on the CPU: absolute values of a water cylinder, and RTK's Shepp-Logan tests with their tolerances
// (rtkfdktest, rtkshortscantest, rtkdisplaceddetectortest, rtkfbpparalleltest), restated in our axes. A volume of fewer
// voxels than RTK's samples the same reconstruction at fewer points.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/recon/quality.hpp"
#include "support/recon/recon_options.hpp"
#include "support/recon/water.hpp"

using namespace backlit;

namespace {

Volume fdk(const Phantom& phantom, const Scan& scan, const VolumeGrid& grid, const ReconOptions& options = {},
           double noise = 0) {
  Projections data(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 1, data.values.span());
  if (noise > 0) {
    std::mt19937 engine(1);
    std::normal_distribution<double> normal(0, noise);
    for (float& v : data.values) v += static_cast<float>(normal(engine));
  }
  auto backend = make_backend("cpu");
  auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(std::move(data)), grid, options);
  const std::int64_t passes = options.method == "fdk" ? 1 : options.iterations;
  std::int64_t steps = 0;
  for (; recon->step() != Reconstruction::Status::finished; ++steps) REQUIRE(steps < passes * scan.view_count());
  CHECK(recon->progress().done == passes * scan.view_count());
  CHECK(static_cast<std::int64_t>(recon->residuals().size()) == (options.method == "fdk" ? 0 : passes));
  if (passes > 1) CHECK(recon->residuals().back() < 0.1);
  return recon->download();
}

void check_water(const char* name, const Scan& scan, std::int64_t slices) {
  INFO(name);
  const auto backend = make_backend("cpu");
  CHECK(test::water_error(*backend, scan, slices) < 0.005);
}

Detector detector(std::int64_t columns, std::int64_t rows) {
  Detector d;
  d.columns = columns;
  d.rows = rows;
  d.pixel_u = d.pixel_v = 4;
  return d;
}

test::Quality rtk_quality(const Scan& scan, const ReconOptions& options = {}, double noise = 0,
                          const VolumeGrid& grid = {{43, 43, 43}, Vec3(6), Vec3(0)}, double field = 120) {
  const Phantom head = load_phantom("shepp-logan-rtk");
  Volume v = fdk(head, scan, grid, options, noise);
  const auto [nx, ny, nz] = grid.size;
  for (std::int64_t k = 0; k < nz; ++k)  // as RTK's field-of-view filter
    for (std::int64_t j = 0; j < ny; ++j)
      for (std::int64_t i = 0; i < nx; ++i) {
        const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        if (std::hypot(p.x, p.y) > field) v.at(i, j, k) = 0;
      }
  return test::quality(v.values.span(), voxelize(head, grid, 1).values.span(), 2);
}

void check_rtk(const char* name, const test::Quality& q, double mean_abs, double psnr_db) {
  INFO(name << ": mean |d| " << q.mean_abs << ", PSNR " << q.psnr_db << " dB");
  CHECK(q.mean_abs < mean_abs);
  CHECK(q.psnr_db > psnr_db);
}

}  // namespace

TEST_CASE("A water cylinder of 0.02/mm comes back as 0.02/mm from every kind of scan") {
  const Detector wide = detector(128, 9), line = detector(128, 1);
  DetectorPlacement offset;
  offset.offset_u = -40.3;  // the axis on column 23.2 of 128
  check_water("full", {wide, circular_views(wide, equal_angles(180), 600, 1200)}, 3);
  check_water("short", {wide, circular_views(wide, equal_angles(140, 17, 220), 600, 1200)}, 3);
  check_water("offset", {wide, circular_views(wide, equal_angles(240), 600, 1200, offset)}, 3);
  check_water("fan", {line, circular_views(line, equal_angles(180), 600, 1200)}, 1);
  check_water("parallel", {line, parallel_views(line, equal_angles(120, 5, 180))}, 1);
  Detector curved = wide;
  curved.shape = Detector::Shape::curved;
  check_water("curved", {curved, circular_views(curved, equal_angles(180), 600, 1200)}, 3);
}

TEST_CASE("A water cylinder comes back from detectors that see half of it") {
  for (const auto& [name, scan] : test::half_fan_scans())
    check_water(name.c_str(), scan, scan.detector.rows > 1 ? 3 : 1);
}

TEST_CASE("FDK of RTK's Shepp-Logan is within RTK's tolerances") {
  const Detector d = detector(128, 128);
  auto views = circular_views(d, equal_angles(180), 600, 1200);
  for (View& view : views) view.source += 20.0 / 4 * view.u + 15.0 / 4 * view.v;
  check_rtk("full scan, source offset 20 and 15 mm", rtk_quality({d, views}), 0.03, 26);
  check_rtk("short scan", rtk_quality({d, circular_views(d, equal_angles(110, 0, 240), 600, 1200)}), 0.09, 22);
  DetectorPlacement left, right;
  left.offset_u = 30;
  right.offset_u = -30;
  check_rtk("detector +120 mm", rtk_quality({d, circular_views(d, equal_angles(180), 600, 1200, left)}), 0.061, 24);
  check_rtk("detector -120 mm", rtk_quality({d, circular_views(d, equal_angles(180), 600, 1200, right)}), 0.061, 24);
  Detector fine = d;
  fine.pixel_u = fine.pixel_v = 2;
  check_rtk("parallel", rtk_quality({fine, parallel_views(fine, equal_angles(180, 0, 360))}), 0.03, 26);
}

TEST_CASE("A region, off centre, is the same part of the whole grid, a turned scan gives a turned volume") {
  const Phantom head = load_phantom("shepp-logan-rtk");
  const Detector d = detector(64, 64);
  const Scan scan{d, circular_views(d, equal_angles(36), 600, 1200)};
  const VolumeGrid whole{{41, 41, 21}, Vec3(4), Vec3(0)};
  const std::int64_t first[] = {17, 3, 9};
  VolumeGrid part{{16, 19, 8}, Vec3(4), Vec3(0)};
  part.center = whole.voxel_center(first[0] + 7.5, first[1] + 9.0, first[2] + 3.5);
  const Volume all = fdk(head, scan, whole), region = fdk(head, scan, part);
  for (std::int64_t k = 0; k < 8; ++k)
    for (std::int64_t j = 0; j < 19; ++j)
      for (std::int64_t i = 0; i < 16; ++i)
        REQUIRE(region.at(i, j, k) == Approx(all.at(first[0] + i, first[1] + j, first[2] + k)).margin(1e-6));

  // The data of a scan said to begin a quarter turn later: (x, y) goes to (-y, x).
  Projections data(scan);
  project_phantom(head, scan, 0, scan.view_count(), 1, data.values.span());
  data.scan.views = circular_views(d, equal_angles(36, 90), 600, 1200);
  auto backend = make_backend("cpu");
  auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(std::move(data)), whole, Method("fdk"));
  while (recon->step() != Reconstruction::Status::finished) {
  }
  const Volume turned = recon->download();
  for (std::int64_t k = 0; k < 21; ++k)
    for (std::int64_t j = 0; j < 41; ++j)
      for (std::int64_t i = 0; i < 41; ++i) REQUIRE(turned.at(40 - j, i, k) == Approx(all.at(i, j, k)).margin(1e-5));
}

namespace {

/// rtkfdktest's and rtkiterativefdktest's scan: the source is 20 and 15 mm off.
Scan offset_source(const Detector& d, std::int64_t views) {
  Scan scan{d, circular_views(d, equal_angles(views), 600, 1200)};
  for (View& view : scan.views) view.source += 20.0 / d.pixel_u * view.u + 15.0 / d.pixel_v * view.v;
  return scan;
}

/// rtkrampfiltertest's: of 128 columns, the last 14 are missing.
Scan cropped() {
  const Detector d = detector(114, 128);
  DetectorPlacement left;
  left.offset_u = 7;
  return {d, circular_views(d, equal_angles(180), 600, 1200, left)};
}

}  // namespace

TEST_CASE("FDK iterated and of cropped views at RTK's own size", "[.slow]") {
  const VolumeGrid grid{{128, 128, 128}, Vec3(2), Vec3(0)};
  const Scan scan = offset_source(detector(128, 128), 180);
  // What every view sees: the ray from (600, 20) to the pixel at -254 passes the axis at this distance.
  const double field = (600 * 274 - 20 * 1200) / std::hypot(1200.0, 274.0);
  const auto report = [](const char* name, const test::Quality& q, double mean_abs, double psnr_db) {
    WARN("180 views, " << name << ": mean |d| " << q.mean_abs << ", PSNR " << q.psnr_db << " dB");
    check_rtk(name, q, mean_abs, psnr_db);
  };
  report("128^3 at 2 mm, FDK", rtk_quality(scan, {}, 0, grid), 0.03, 26);
  report("64^3 at 2 mm, FDK", rtk_quality(scan, {}, 0, {{64, 64, 64}, Vec3(2), Vec3(0)}), 0.03, 26);
  report("128^3 at 2 mm, FDK iterated 3 times, relaxation 0.3",
         rtk_quality(scan, {.method = "ifdk", .iterations = 3, .relaxation = 0.3}, 0, grid, field), 0.027, 27);
  report("128^3 at 2 mm, cropped, padded by 0.1",
         rtk_quality(cropped(), {.filter = {.redundancy = Redundancy::none, .pad = 0.1}}, 0, grid, 1e9), 0.12, 20.8);
}

TEST_CASE("Iterated FDK takes back what a window blurs") {
  Detector d = detector(64, 64);
  d.pixel_u = d.pixel_v = 8;
  const Scan scan = offset_source(d, 60);
  const VolumeGrid grid{{64, 64, 64}, Vec3(4), Vec3(0)};
  const FilterOptions hann{.window = FilterWindow::hann};
  const test::Quality once = rtk_quality(scan, {.filter = hann}, 0, grid);
  const test::Quality thrice = rtk_quality(scan, {.method = "ifdk", .iterations = 3, .filter = hann}, 0, grid);
  CAPTURE(once.mean_abs, thrice.mean_abs, once.psnr_db, thrice.psnr_db);
  CHECK(thrice.psnr_db > once.psnr_db + 1);
}

TEST_CASE("Iterated FDK is FDK after one iteration, keeps to bounds and refuses what it cannot project") {
  const Phantom head = load_phantom("shepp-logan-rtk");
  const Detector d = detector(64, 48);
  const Scan scan{d, circular_views(d, equal_angles(24), 600, 1200)};
  const VolumeGrid grid{{19, 23, 9}, Vec3(8), Vec3(0)};
  const Volume plain = fdk(head, scan, grid);
  const Volume once = fdk(head, scan, grid, {.method = "ifdk", .iterations = 1, .relaxation = 0.5});
  const Volume bounded = fdk(head, scan, grid, {.method = "ifdk", .iterations = 1, .nonnegative = true});
  for (std::size_t i = 0; i < plain.values.span().size(); ++i) {
    REQUIRE(once.values.span()[i] == plain.values.span()[i]);
    REQUIRE(bounded.values.span()[i] == std::max(0.0f, plain.values.span()[i]));
  }
  CHECK_THROWS_WITH(fdk(head, scan, grid, {.method = "ifdk", .filter = {.window = FilterWindow::none}}),
                    Catch::Contains("filter: ifdk needs line integrals"));
  CHECK_THROWS_WITH(fdk(head, scan, grid, {.method = "ifdk", .model = "voxel_driven"}),
                    Catch::Contains("model: voxel_driven gives no line integrals"));
}

TEST_CASE("Cropped views, continued smoothly, come back within RTK's tolerance") {
  const test::Quality cut = rtk_quality(cropped(), {.filter = {.redundancy = Redundancy::none}});
  const test::Quality padded = rtk_quality(cropped(), {.filter = {.redundancy = Redundancy::none, .pad = 0.1}});
  INFO("without: mean |d| " << cut.mean_abs << ", PSNR " << cut.psnr_db << " dB");
  check_rtk("padded by 0.1", padded, 0.12, 20.8);
  CHECK(padded.psnr_db > cut.psnr_db);
}

TEST_CASE("FDK of eight slabs is FDK of the whole") {
  const Phantom head = load_phantom("shepp-logan-rtk");
  const Scan scan = offset_source(detector(64, 64), 36);
  const VolumeGrid grid{{41, 37, 32}, Vec3(4), Vec3(0)};
  const Volume whole = fdk(head, scan, grid);
  for (std::int64_t part = 0; part < 8; ++part) {
    VolumeGrid slab{{41, 37, 4}, Vec3(4), Vec3(0)};
    slab.center.z = grid.voxel_center(0, 0, 4 * static_cast<double>(part) + 1.5).z;
    const Volume v = fdk(head, scan, slab);
    const auto same = whole.values.span().subspan(static_cast<std::size_t>(part) * v.values.span().size());
    for (std::size_t i = 0; i < v.values.span().size(); ++i)
      REQUIRE(v.values.span()[i] == Approx(same[i]).margin(1e-6));
  }
}

TEST_CASE("A Hann window brings RTK's noisy Shepp-Logan within tolerance") {
  const Detector d = detector(128, 128);
  check_rtk("Hann 0.8",
            rtk_quality({d, circular_views(d, equal_angles(180), 600, 1200)},
                        {.filter = {.window = FilterWindow::hann, .cutoff = 0.8}}, 1),
            0.72, 22.4);
}
