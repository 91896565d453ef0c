// Random views and points, the same on every run.
#pragma once

#include <random>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/view.hpp>

namespace backlit::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }

 private:
  std::mt19937 engine_;
};

inline Detector odd_detector(Detector::Shape shape = Detector::Shape::flat, double radius = 0) {
  Detector d;
  d.columns = 147;
  d.rows = 61;
  d.pixel_u = 0.8;
  d.pixel_v = 1.1;
  d.shape = shape;
  d.radius = radius;
  return d;
}

/// Source about 500 mm from the origin, detector about 300 mm behind it: offset, tilted by up to 20 degrees, and moved
/// arbitrarily. `shear` makes u and v not orthogonal.
inline View random_view(Random& random, const Detector& d, Beam beam = Beam::cone, bool shear = false) {
  DetectorPlacement place;
  place.offset_u = random.between(-20, 20);
  place.offset_v = random.between(-10, 10);
  if (beam == Beam::cone) {
    place.tilt_u = random.between(-20, 20);
    place.tilt_v = random.between(-20, 20);
  }
  place.tilt_n = random.between(-180, 180);
  const bool cone = beam == Beam::cone;
  View view = laminographic_views(d, {random.between(0, 360)}, cone ? random.between(400, 600) : 0,
                                  cone ? random.between(700, 900) : 0, random.between(-40, 40), place)[0];
  const Vec3 shift = random.vector(20);
  if (cone) view.source += shift;
  view.center += shift + (cone ? random.vector(5) : Vec3(0));
  if (shear) view.v += random.between(-0.2, 0.2) * view.u;
  return view;
}

/// The point on the line from the source to (column, row) whose distance from the detector is `share` of the line's
/// length. For parallel beams the line begins 500 mm before the detector.
inline Vec3 point_on_ray(const Detector& d, const View& view, double column, double row, double share) {
  const Vec3 end = detector_point(d, view, column, row);
  if (view.beam == Beam::parallel) return end - share * 500 * view.direction;
  return end + share * (view.source - end);
}

}  // namespace backlit::test
