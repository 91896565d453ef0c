// Scans of random sizes with upright detectors, for distance-driven pairs: the same on every run, identified by their
// seed.
#pragma once

#include <array>
#include <string>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "support/projectors/random_views.hpp"

namespace backlit::test {

struct UprightScan {
  std::string name;
  VolumeGrid grid;
  Scan scan;
};

/// Views whose sources jump back and forth along the columns while the detector stays. The detector is flat, or a
/// cylinder with its own radius.
inline std::vector<View> flying_views(const Detector& d, const std::vector<double>& angles, double source_to_axis,
                                      double source_to_detector, double jump) {
  auto views = circular_views(d, angles, source_to_axis, source_to_detector);
  for (std::size_t i = 0; i < views.size(); ++i)
    views[i].source += (i % 2 ? -jump : jump) / glm::length(views[i].u) * views[i].u;
  return views;
}

/// Up to 40 voxels, columns and rows on each side, with cells about as large as voxels. The path is a circle, a helix,
/// a flying focal spot or parallel rays; the detector is flat or (circle and helix) focused on the source.
inline UprightScan random_upright(std::uint32_t seed) {
  Random random(seed);
  const auto whole = [&](double low, double high) { return static_cast<std::int64_t>(random.between(low, high + 1)); };
  VolumeGrid grid{{whole(1, 40), whole(1, 40), whole(1, 40)},
                  {random.between(0.6, 1.6), random.between(0.6, 1.6), random.between(0.6, 1.6)},
                  random.vector(4)};
  Detector d{whole(2, 70), whole(2, 50), random.between(0.8, 2.4), random.between(0.8, 2.4)};
  const auto kind = static_cast<std::size_t>(seed % 4);
  if (kind < 2 && random.between(0, 1) < 0.5) d.shape = Detector::Shape::curved;
  const auto angles = equal_angles(whole(4, 9), random.between(0, 360), random.between(180, 400));
  const DetectorPlacement off{random.between(-5, 5), random.between(-3, 3), 0, 0, 0};
  const double axis = random.between(150, 250), far = axis + random.between(60, 140);
  const std::array kinds{"circle", "helix", "flying focal spot", "parallel rays"};
  UprightScan s{"", grid, {d, {}}};
  switch (kind) {
    case 0:
      s.scan.views = circular_views(d, angles, axis, far, off);
      break;
    case 1:
      s.scan.views = helical_views(d, angles, axis, far, random.between(-20, 20), random.between(-8, 8), off);
      break;
    case 2:
      s.scan.views = flying_views(d, angles, axis, far, random.between(0.2, 2));
      break;
    default:
      s.scan.views = parallel_views(d, angles, off);
  }
  s.name = std::string(kinds[kind]) + " of seed " + std::to_string(seed) + ", " +
           (d.shape == Detector::Shape::curved ? "curved" : "flat");
  const auto add = [&](const char* what, auto a, auto b, auto c) {
    s.name +=
        std::string(", ") + what + " " + std::to_string(a) + " x " + std::to_string(b) + " x " + std::to_string(c);
  };
  add("voxels", grid.size[0], grid.size[1], grid.size[2]);
  add("columns, rows, views", d.columns, d.rows, s.scan.view_count());
  return s;
}

}  // namespace backlit::test
