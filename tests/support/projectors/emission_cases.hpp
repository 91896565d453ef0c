// Objects and scans for tests of emission with attenuation and scatter.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/emission/emission_options.hpp>

namespace backlit::test {

struct EmissionCase {
  std::string name;
  VolumeGrid grid;
  Scan scan;
};

inline std::vector<EmissionCase> emission_cases() {
  const Detector d{27, 23, 2.1, 2.3}, line{31, 1, 2, 2};
  const VolumeGrid grid{{17, 13, 11}, Vec3(2.2, 2.6, 2.4), Vec3(1.4, -0.8, 0.6)};
  const VolumeGrid slice{{15, 17, 1}, Vec3(2.2, 2.2, 2.2), Vec3(0)};
  const auto angles = equal_angles(7, 11);
  return {{"parallel", grid, {d, parallel_views(d, angles, {1.5, -0.5, 0, 0, 0})}},
          {"cone", grid, {d, circular_views(d, angles, 110, 170)}},
          {"cone, tilted", grid, {d, circular_views(d, angles, 110, 170, {2, 1, 4, -6, 3})}},
          {"laminographic", grid, {d, laminographic_views(d, angles, 0, 0, 60)}},
          {"parallel, one slice", slice, {line, parallel_views(line, angles)}},
          {"fan", slice, {line, circular_views(line, angles, 90, 150)}}};
}

inline std::string text(const EmissionOptions& o) {
  return std::string(name(o.slices)) + ", " + name(o.back) + ", scatter " + std::to_string(o.scatter_mm) +
         (o.scatter_by_attenuation ? " by attenuation" : "") + (o.scatter_by_distance ? " by distance" : "") +
         (o.scatter_by_direction ? " by direction" : "");
}

/// Attenuation alone, and scatter with all adjustments of its kernels.
inline std::vector<EmissionOptions> emission_variants() {
  std::vector<EmissionOptions> ways(1);
  for (const bool attenuation : {false, true})
    for (const bool distance : {false, true})
      for (const bool direction : {false, true}) {
        EmissionOptions o;
        o.scatter_mm = 8;
        o.scatter_by_attenuation = attenuation;
        o.scatter_by_distance = distance;
        o.scatter_by_direction = direction;
        o.detector_mm = 60;
        ways.push_back(o);
      }
  return ways;
}

/// An infinitely long cylinder along z.
inline Phantom cylinder(double radius, double value, Vec3 center = Vec3(0), double half_length = 1e4) {
  Body body;
  body.shape = Body::Shape::cylinder;
  body.center = center;
  body.half = Vec3(radius, radius, half_length);
  body.value = value;
  return {"cylinder", {body}};
}

}  // namespace backlit::test
