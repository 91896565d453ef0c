// A water cylinder of 0.02/mm, which every reconstruction must reproduce within 0.5 %.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/recon/recon_options.hpp"

namespace backlit::test {

inline Volume fdk(Backend& backend, const Phantom& phantom, const Scan& scan, const VolumeGrid& grid,
                  const ReconOptions& options = {}) {
  Projections data(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 1, data.values.span());
  const auto recon = make_reconstruction(backend, std::make_shared<MemorySource>(std::move(data)), grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  return recon->download();
}

/// Mean over the voxels whose distance from the axis is in [from, to] mm, on `side` of the axis.
inline double ring_mean(const Volume& v, double from, double to, const Vec3& side = Vec3(0)) {
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

/// The largest relative deviation from 0.02/mm, in `slices` middle slices of the shipped cylinder (radius 100 mm).
/// Compares the means of three rings and of the four sides.
inline double water_error(Backend& backend, const Scan& scan, std::int64_t slices) {
  const Volume v = fdk(backend, load_phantom("water-cylinder"), scan, {{53, 51, slices}, Vec3(4), Vec3(0)});
  double worst = 0;
  const auto see = [&](double mean) { worst = std::max(worst, std::abs(mean / 0.02 - 1)); };
  see(ring_mean(v, 0, 20));
  see(ring_mean(v, 20, 60));
  see(ring_mean(v, 60, 90));
  for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
    see(ring_mean(v, 20, 90, side));
  return worst;
}

struct NamedScan {
  std::string name;
  Scan scan;
};

/// Full turns of detectors that see a little more than half of the object: 128 columns, displaced by 45 columns to
/// either side.
inline std::vector<NamedScan> half_fan_scans() {
  std::vector<NamedScan> all;
  for (const double offset : {45.0, -45.0}) {
    const std::string side = offset > 0 ? ", right" : ", left";
    DetectorPlacement place;
    place.offset_u = offset;
    Detector flat{128, 9, 4, 4}, curved = flat, line = flat, fine = flat;
    curved.shape = Detector::Shape::curved;
    line.rows = 1;
    fine.pixel_u = 2;
    const auto angles = equal_angles(240, 7);
    all.push_back({"cone" + side, {flat, circular_views(flat, angles, 600, 1200, place)}});
    all.push_back({"curved" + side, {curved, circular_views(curved, angles, 600, 1200, place)}});
    all.push_back({"fan" + side, {line, circular_views(line, angles, 600, 1200, place)}});
    all.push_back({"parallel" + side, {fine, parallel_views(fine, equal_angles(240, 7, 360), place)}});
    all.push_back({"parallel, odd views" + side, {fine, parallel_views(fine, equal_angles(241, 7, 360), place)}});
    place.tilt_v = 6;
    all.push_back({"tilted" + side, {flat, circular_views(flat, angles, 600, 1200, place)}});
  }
  return all;
}

}  // namespace backlit::test
