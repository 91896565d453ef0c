#include "phantom/body.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double gaussian_reach = 9;  // sigmas; beyond, less than 3e-18 of the value is left

const Interval nothing{infinity, -infinity};

Interval overlap(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// The t with |position + t * step| <= limit.
Interval slab(double position, double step, double limit) {
  if (step == 0) return std::abs(position) <= limit ? Interval{} : nothing;
  const double middle = -position / step, reach = std::abs(limit / step);
  return {middle - reach, middle + reach};
}

/// The t with |q + t e| <= 1 in 2 or 3 dimensions. Measured from the point nearest the centre, so that small bodies far
/// from the source keep their precision.
template <class V>
Interval unit_ball(const V& q, const V& e) {
  const double square = glm::dot(e, e);
  if (square == 0) return glm::dot(q, q) <= 1 ? Interval{} : nothing;
  const double nearest = -glm::dot(q, e) / square;
  const V miss = q + nearest * e;
  const double inside = 1 - glm::dot(miss, miss);
  if (inside <= 0) return nothing;
  const double reach = std::sqrt(inside / square);
  return {nearest - reach, nearest + reach};
}

/// The t with |q + t e| <= r + t s and r + t s >= 0: one nappe of a cone.
Interval nappe(const glm::dvec2& q, const glm::dvec2& e, double r, double s) {
  const double a = glm::dot(e, e) - s * s, b = glm::dot(q, e) - r * s, c = glm::dot(q, q) - r * r;
  if (a == 0) {
    if (b == 0) return c <= 0 ? Interval{} : nothing;
    const double root = -c / (2 * b);
    return b > 0 ? Interval{-infinity, root} : Interval{root, infinity};
  }
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return a < 0 ? Interval{} : nothing;
  const double w = -(b + std::copysign(std::sqrt(discriminant), b));
  double low = w / a, high = w == 0 ? 0 : c / w;
  if (low > high) std::swap(low, high);
  if (a > 0) return {low, high};
  return s > 0 ? Interval{high, infinity} : Interval{-infinity, low};
}

Interval cone(const Body& body, const Vec3& p, const Vec3& d) {
  const Interval ends = slab(p.z, d.z, body.half.z);
  if (ends.empty()) return nothing;
  const double slope = (body.top - 1) / (2 * body.half.z);
  const glm::dvec2 radii(body.half.x, body.half.y);
  return overlap(ends,
                 nappe(glm::dvec2(p) / radii, glm::dvec2(d) / radii, 1 + slope * (p.z + body.half.z), slope * d.z));
}

/// The whole shape, unclipped, for a ray in the body's own frame.
Interval intersect_shape(const Body& body, const Vec3& p, const Vec3& d) {
  switch (body.shape) {
    case Body::Shape::ellipsoid:
      return unit_ball(p / body.half, d / body.half);
    case Body::Shape::cylinder: {
      const glm::dvec2 radii(body.half.x, body.half.y);
      return overlap(slab(p.z, d.z, body.half.z), unit_ball(glm::dvec2(p) / radii, glm::dvec2(d) / radii));
    }
    case Body::Shape::box:
      return overlap(slab(p.x, d.x, body.half.x), overlap(slab(p.y, d.y, body.half.y), slab(p.z, d.z, body.half.z)));
    case Body::Shape::cone:
      return cone(body, p, d);
    case Body::Shape::gaussian:
      break;
  }
  return nothing;
}

Interval clip(const ClipPlane& plane, const Vec3& origin, const Vec3& direction) {
  const double height = glm::dot(plane.normal, origin - plane.point), climb = glm::dot(plane.normal, direction);
  if (climb == 0) return height <= 0 ? Interval{} : nothing;
  return climb > 0 ? Interval{-infinity, -height / climb} : Interval{-height / climb, infinity};
}

/// A vector in the body's own frame: axes^T v.
Vec3 local(const Body& body, const Vec3& v) { return v * body.axes; }

double integrate_gaussian(const Body& body, const Vec3& origin, const Vec3& direction, const Interval& range) {
  const Vec3 q = local(body, origin - body.center) / body.half, e = local(body, direction) / body.half;
  const double length = glm::length(e), nearest = -glm::dot(q, e) / (length * length);
  const Vec3 miss = q + nearest * e;
  const double scale = length / std::sqrt(2.0);
  const double share = 0.5 * (std::erf((range.end - nearest) * scale) - std::erf((range.begin - nearest) * scale));
  return body.value * std::exp(-0.5 * glm::dot(miss, miss)) * std::sqrt(2 * pi) / length * share;
}

bool shape_contains(const Body& body, const Vec3& point) {
  const Vec3 p = local(body, point - body.center), q = p / body.half;
  const double round = q.x * q.x + q.y * q.y;
  switch (body.shape) {
    case Body::Shape::ellipsoid:
      return round + q.z * q.z <= 1;
    case Body::Shape::cylinder:
      return std::abs(q.z) <= 1 && round <= 1;
    case Body::Shape::box:
      return std::abs(q.x) <= 1 && std::abs(q.y) <= 1 && std::abs(q.z) <= 1;
    case Body::Shape::cone: {
      const double radius = 1 + (body.top - 1) * 0.5 * (q.z + 1);
      return std::abs(q.z) <= 1 && round <= radius * radius;
    }
    case Body::Shape::gaussian:
      break;
  }
  return false;
}

bool contains(const Body& body, const Vec3& point) {
  return shape_contains(body, point) &&
         std::all_of(body.clips.begin(), body.clips.end(),
                     [&](const ClipPlane& c) { return glm::dot(c.normal, point - c.point) <= 0; }) &&
         std::all_of(body.within.begin(), body.within.end(), [&](const Body& b) { return contains(b, point); });
}

}  // namespace

Interval intersect(const Body& body, const Vec3& origin, const Vec3& direction) {
  // Start at the point nearest the centre, so that a distant source costs no precision.
  const double nearest = glm::dot(body.center - origin, direction);
  const Vec3 from = origin + nearest * direction;
  Interval inside = intersect_shape(body, local(body, from - body.center), local(body, direction));
  inside = {inside.begin + nearest, inside.end + nearest};
  for (const ClipPlane& plane : body.clips) inside = overlap(inside, clip(plane, origin, direction));
  for (const Body& other : body.within) {
    if (inside.empty()) return inside;
    inside = overlap(inside, intersect(other, origin, direction));
  }
  return inside;
}

double integrate(const Body& body, const Vec3& origin, const Vec3& direction, const Interval& range) {
  if (body.shape == Body::Shape::gaussian) return integrate_gaussian(body, origin, direction, range);
  const Interval inside = overlap(intersect(body, origin, direction), range);
  return inside.empty() ? 0.0 : body.value * (inside.end - inside.begin);
}

double value_at(const Body& body, const Vec3& point) {
  if (body.shape != Body::Shape::gaussian) return contains(body, point) ? body.value : 0.0;
  const Vec3 q = local(body, point - body.center) / body.half;
  return body.value * std::exp(-0.5 * glm::dot(q, q));
}

Capsule bounding_capsule(const Body& body) {
  Vec3 half = body.half;
  if (body.shape == Body::Shape::gaussian) half *= gaussian_reach;
  if (body.shape == Body::Shape::cone) half = half * Vec3(std::max(1.0, body.top), std::max(1.0, body.top), 1);
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (half[axis] > half[longest]) longest = axis;
  return {body.center, half[longest] * body.axes[longest],
          std::hypot(half[(longest + 1) % 3], half[(longest + 2) % 3])};
}

bool Capsule::may_touch(const Bundle& bundle) const {
  // The distance of a point from the bundle is at least (off * cosine - along * sine) - radius, with `off` its distance
  // from the axis. Along the segment, t in [-1, 1], this is convex: the smallest value is at the root of the
  // derivative.
  const Vec3 to_center = center - bundle.origin;
  const double along = glm::dot(to_center, bundle.direction), climb = glm::dot(half, bundle.direction);
  const Vec3 off = to_center - along * bundle.direction, off_step = half - climb * bundle.direction;
  const double step = glm::length(off_step), slope = climb * bundle.sine / bundle.cosine;
  double t = slope > 0 ? 1 : -1;
  if (step > std::abs(slope)) {
    const double nearest = -glm::dot(off, off_step) / (step * step);
    const double miss = glm::length(off + nearest * off_step);
    t = nearest + slope * miss / (step * std::sqrt(step * step - slope * slope));
    t = std::clamp(t, -1.0, 1.0);
  }
  const double gap = glm::length(off + t * off_step) * bundle.cosine - (along + t * climb) * bundle.sine;
  return gap <= radius + bundle.radius + 1e-9 * (radius + glm::length(to_center));
}

}  // namespace backlit
