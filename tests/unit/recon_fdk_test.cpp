// FDK end to end on the CPU: absolute values of a water cylinder, and RTK's Shepp-Logan tests with their tolerances
// (rtkfdktest, rtkshortscantest, rtkdisplaceddetectortest, rtkfbpparalleltest), restated in our axes. A volume of fewer
// voxels than RTK's samples the same reconstruction at fewer points.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "geometry/trajectory.hpp"
#include "phantom/phantom.hpp"
#include "recon/reconstruction.hpp"
#include "support/quality.hpp"

using namespace backlit;

namespace {

Volume fdk(const Phantom& phantom, const Scan& scan, const VolumeGrid& grid, const FilterOptions& filter = {},
           double noise = 0) {
  Projections data(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 1, data.values.span());
  if (noise > 0) {
    std::mt19937 engine(1);
    std::normal_distribution<double> normal(0, noise);
    for (float& v : data.values) v += static_cast<float>(normal(engine));
  }
  auto backend = make_backend("cpu");
  auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(std::move(data)), grid, {.filter = filter});
  std::int64_t steps = 0;
  for (; recon->step() != Reconstruction::Status::finished; ++steps) REQUIRE(steps < scan.view_count());
  CHECK(recon->progress().done == scan.view_count());
  CHECK(recon->residuals().empty());
  return recon->download();
}

/// Mean over the middle slices' voxels whose distance from the axis is in [from, to] mm, on `side` of the axis.
double ring_mean(const Volume& v, double from, double to, const Vec3& side = Vec3(0)) {
  double sum = 0, count = 0;
  for (std::int64_t k = 0; k < v.grid.size[2]; ++k)
    for (std::int64_t j = 0; j < v.grid.size[1]; ++j)
      for (std::int64_t i = 0; i < v.grid.size[0]; ++i) {
        const Vec3 p = v.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        const double radius = std::hypot(p.x, p.y);
        if (radius < from || radius > to || glm::dot(p, side) < 0) continue;
        sum += v.at(i, j, k);
        ++count;
      }
  return sum / count;
}

void check_water(const char* name, const Scan& scan, std::int64_t slices) {
  const Volume v = fdk(load_phantom("water-cylinder"), scan, {{53, 51, slices}, Vec3(4), Vec3(0)});
  INFO(name);
  CHECK(ring_mean(v, 0, 20) == Approx(0.02).epsilon(0.005));
  CHECK(ring_mean(v, 20, 60) == Approx(0.02).epsilon(0.005));
  CHECK(ring_mean(v, 60, 90) == Approx(0.02).epsilon(0.005));
  for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
    CHECK(ring_mean(v, 20, 90, side) == Approx(0.02).epsilon(0.005));
}

Detector detector(std::int64_t columns, std::int64_t rows) {
  Detector d;
  d.columns = columns;
  d.rows = rows;
  d.pixel_u = d.pixel_v = 4;
  return d;
}

test::Quality rtk_quality(const Scan& scan, const FilterOptions& filter = {}, double noise = 0) {
  const VolumeGrid grid{{43, 43, 43}, Vec3(6), Vec3(0)};
  const Phantom head = load_phantom("shepp-logan-rtk");
  Volume v = fdk(head, scan, grid, filter, noise);
  for (std::int64_t k = 0; k < 43; ++k)  // as RTK's field-of-view filter
    for (std::int64_t j = 0; j < 43; ++j)
      for (std::int64_t i = 0; i < 43; ++i)
        if (std::hypot(i - 21, j - 21) * 6 > 120) v.at(i, j, k) = 0;
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

TEST_CASE("A Hann window brings RTK's noisy Shepp-Logan within tolerance") {
  const Detector d = detector(128, 128);
  check_rtk("Hann 0.8",
            rtk_quality({d, circular_views(d, equal_angles(180), 600, 1200)}, {.window = "hann", .cutoff = 0.8}, 1),
            0.72, 22.4);
}
