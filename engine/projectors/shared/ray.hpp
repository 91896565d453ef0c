// The ray of a pixel: the arithmetic that every ray-driven model shares, on host and device alike.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>

namespace backlit {

/// Points origin + t direction, in voxel indices; t in mm. Cone rays begin at t = 0 (the source) and do not end at the
/// detector, so that a virtual detector may lie inside the object. Parallel rays have no ends.
template <class T>
struct Ray {
  T origin[3];
  T direction[3];  ///< indices per mm: a unit vector in mm over the spacing
  int endless;     ///< 1 for parallel beams: t < 0 counts too
};

/// Numbers of a view and a grid for making rays; mm relative to the centre of voxel (0,0,0).
template <class T>
struct RayFrame {
  T source[3];      ///< cone: the source; parallel: the direction from source to detector, of length 1
  T center[3];      ///< the detector's middle
  T u[3], v[3];     ///< one column step and one row step
  T normal[3];      ///< curved: the detector's normal, away from the source
  T column0, row0;  ///< the detector's middle in pixels
  T radius;         ///< curved: mm; 0 for flat
  T width;          ///< |u|, mm
  T per_mm[3];      ///< voxel indices per mm
  int parallel;
};

/// The ray through the centre of pixel (column, row); fractions allowed.
template <class T>
BACKLIT_HD inline Ray<T> make_ray(const RayFrame<T>& f, T column, T row) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  T along_u = column - f.column0, back = 0;
  const T along_v = row - f.row0;
  if (f.radius > 0) {
    const T angle = along_u * f.width / f.radius;
    const T half = sin(angle / 2);
    along_u = f.radius * sin(angle) / f.width;
    back = 2 * f.radius * half * half;
  }
  T pixel[3], direction[3];
  T square = 0;
  for (int i = 0; i < 3; ++i) {
    pixel[i] = f.center[i] + along_u * f.u[i] + along_v * f.v[i] - back * f.normal[i];
    direction[i] = f.parallel ? f.source[i] : pixel[i] - f.source[i];
    square += direction[i] * direction[i];
  }
  const T unit = 1 / sqrt(square);
  Ray<T> ray;
  ray.endless = f.parallel;
  for (int i = 0; i < 3; ++i) {
    ray.origin[i] = (f.parallel ? pixel[i] : f.source[i]) * f.per_mm[i];
    ray.direction[i] = direction[i] * unit * f.per_mm[i];
  }
  return ray;
}

}  // namespace backlit
