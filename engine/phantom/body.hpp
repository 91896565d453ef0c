// Intersection of a ray with one body, and bounds of a body.
#pragma once

#include <limits>

#include <backlit/phantom/phantom.hpp>

namespace backlit {

/// Parameters of a ray, mm; empty unless begin < end.
struct Interval {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  bool empty() const { return !(begin < end); }
};

/// A bundle of rays: all points within `radius` + `sine` / `cosine` * s of its axis, s mm along it from `origin`.
struct Bundle {
  Vec3 origin{0};
  Vec3 direction{0};  ///< unit
  double radius = 0;
  double sine = 0;  ///< of the half opening angle
  double cosine = 1;
};

/// A bound of a body: all points within `radius` of the segment center +- half.
struct Capsule {
  Vec3 center{0};
  Vec3 half{0};
  double radius = 0;

  /// False only if no ray of the bundle touches the capsule.
  bool may_touch(const Bundle& bundle) const;
};
Capsule bounding_capsule(const Body& body);

/// The part of the ray inside the body. Not for gaussian bodies.
Interval intersect(const Body& body, const Vec3& origin, const Vec3& direction);

/// The body's contribution to the line integral over `range`.
double integrate(const Body& body, const Vec3& origin, const Vec3& direction, const Interval& range);

/// The body's contribution at a point.
double value_at(const Body& body, const Vec3& point);

}  // namespace backlit
