// Small scans of every kind of geometry, with odd and non-cubic sizes, for tests of projectors.
#pragma once

#include <string>
#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit::test {

struct CtCase {
  std::string name;
  VolumeGrid grid;
  Scan scan;
};

inline Detector small_detector() {
  Detector d;
  d.columns = 31;
  d.rows = 23;
  d.pixel_u = 1.7;
  d.pixel_v = 1.9;
  return d;
}

inline VolumeGrid small_grid() { return {{17, 13, 11}, Vec3(1.1, 1.3, 1.2), Vec3(0.7, -0.4, 0.3)}; }

/// Cone (full, offset, tilted, helical, curved about the source and about another axis), parallel, laminographic, 2-D.
inline std::vector<CtCase> ct_cases() {
  const Detector flat = small_detector();
  Detector curved = flat, cylinder = flat, line = flat;
  curved.shape = cylinder.shape = Detector::Shape::curved;
  cylinder.radius = 70;
  line.rows = 1;
  const VolumeGrid grid = small_grid();
  VolumeGrid slice = grid;
  slice.size[2] = 1;
  slice.center.z = 0;
  const auto angles = equal_angles(7, 11);
  DetectorPlacement offset, tilt;
  offset.offset_u = 4.3;
  offset.offset_v = -1.7;
  tilt.tilt_u = 6;
  tilt.tilt_v = -9;
  tilt.tilt_n = 4;
  return {
      {"circular", grid, {flat, circular_views(flat, angles, 60, 100)}},
      {"offset", grid, {flat, circular_views(flat, angles, 60, 100, offset)}},
      {"tilted", grid, {flat, circular_views(flat, angles, 60, 100, tilt)}},
      {"helical", grid, {flat, helical_views(flat, angles, 60, 100, 9, -3)}},
      {"curved", grid, {curved, circular_views(curved, angles, 60, 100, offset)}},
      {"cylinder", grid, {cylinder, circular_views(cylinder, angles, 60, 100)}},
      {"parallel", grid, {flat, parallel_views(flat, angles, offset)}},
      {"laminographic", grid, {flat, laminographic_views(flat, angles, 60, 100, 35)}},
      {"fan", slice, {line, circular_views(line, angles, 60, 100)}},
      {"parallel 2-D", slice, {line, parallel_views(line, angles)}},
  };
}

}  // namespace backlit::test
