// Every kind of geometry, with odd and non-cubic sizes, for projectors on OpenGL.
#pragma once

#include <string>

#include <backlit/geometry/trajectory.hpp>
#include "support/gl/gl_support.hpp"

namespace backlit::gl {

struct Case {
  std::string name;
  VolumeGrid grid;
  Scan scan;
};

inline std::vector<Case> cases() {
  const Detector flat{37, 29, 1.5, 1.25}, wide{61, 21, 1.2, 1.5};
  Detector curved = wide;
  curved.shape = Detector::Shape::curved;
  const VolumeGrid odd{{19, 23, 13}, {1.0, 0.9, 1.3}, {0, 0, 0}}, off{{17, 12, 9}, {1.1, 1.1, 0.7}, {3, -2, 1.5}};
  const VolumeGrid one_slice{{21, 25, 1}, {1, 1, 1}, {0, 0, 0}}, inside{{21, 19, 7}, {3, 3, 2}, {0, 0, 0}};
  const Detector line{45, 1, 1, 1};
  const DetectorPlacement tilted{2.5, -1.75, 4, -6, 3};
  const auto full = equal_angles(21), half = equal_angles(19, 12, 180), arc = equal_angles(17, 30, 216);
  return {{"circular", odd, {flat, circular_views(flat, full, 60, 90)}},
          {"short scan, grid off centre", off, {flat, circular_views(flat, arc, 60, 90)}},
          {"tilted and offset", odd, {flat, circular_views(flat, full, 70, 100, tilted)}},
          {"half fan", odd, {flat, circular_views(flat, full, 60, 90, {13.5, 0, 0, 0, 0})}},
          {"helical", odd, {wide, helical_views(wide, equal_angles(25, 0, 720), 60, 90, 9, -9)}},
          {"parallel", odd, {wide, parallel_views(wide, half, {1.5, 0.5, 0, 0, 0})}},
          {"parallel laminography", off, {flat, laminographic_views(flat, full, 0, 0, 25)}},
          {"parallel, tilted", odd, {wide, parallel_views(wide, half, tilted)}},
          {"cone laminography, tilted", off, {flat, laminographic_views(flat, full, 60, 90, 25, tilted)}},
          {"fan, one slice", one_slice, {line, circular_views(line, full, 60, 80)}},
          {"parallel, one slice", one_slice, {line, parallel_views(line, half)}},
          {"curved", odd, {curved, circular_views(curved, full, 60, 90)}},
          {"curved, helical", odd, {curved, helical_views(curved, equal_angles(25, 0, 720), 60, 90, 9, -9)}},
          {"curved, offset", off, {curved, circular_views(curved, full, 60, 90, {4.25, -1.5, 0, 0, 0})}},
          {"source inside the grid", inside, {flat, circular_views(flat, full, 20, 50)}}};
}

/// Views on quarter turns whose rays all run clearly along x or y, not in the order of their angles.
inline Case quarter_turns(std::int64_t n, bool parallel) {
  const Detector d{41, 27, 1.1, 1.25};
  std::vector<double> angles;
  for (const double first : {-20.0, 3.0, 17.0})
    for (const double turn : {180.0, 0.0, 270.0, 90.0}) angles.push_back(first + turn);
  const VolumeGrid grid{{n, n, 13}, {1.1, 1.1, 0.9}, {0, 0, 1.5}};
  const DetectorPlacement offset{3.25, -1.5, 0, 0, 0};
  return {"quarter turns",
          grid,
          {d, parallel ? parallel_views(d, angles, offset) : circular_views(d, angles, 70, 100, offset)}};
}

}  // namespace backlit::gl
