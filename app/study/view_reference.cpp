#include "study/view_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include <backlit/render/lighting.hpp>

namespace backlit {
namespace {

/// The part of a ray within the box, the crop box and the clip planes.
std::array<double, 2> shown_part(const VolumeGrid& g, const VolumeRenderOptions& o, const Vec3& eye, const Vec3& d) {
  const Vec3 a = (glm::max(g.lower(), o.crop_low) - eye) / d, b = (glm::min(g.upper(), o.crop_high) - eye) / d;
  const Vec3 near = glm::min(a, b), far = glm::max(a, b);
  double from = std::max({near.x, near.y, near.z, 0.0}), to = std::min({far.x, far.y, far.z});
  for (const RenderPlane& p : o.clips) {
    const double slope = glm::dot(p.normal, d), t = glm::dot(p.normal, p.point - eye) / slope;
    (slope > 0 ? to : from) = slope > 0 ? std::min(to, t) : std::max(from, t);
  }
  return {from, to};
}

glm::dvec4 trace(const PointReconstruction& points, const VolumeGrid& g, const VolumeRenderOptions& o, const Vec3& eye,
                 const Vec3& d, const Vec3& light, const Classifier& c) {
  const auto [from, to] = shown_part(g, o, eye, d);
  if (!(from < to)) return glm::dvec4(0);
  const double n = std::max(1.0, std::ceil((to - from) / largest_step(o, g))), h = (to - from) / n;
  const double spacing = std::min({g.spacing.x, g.spacing.y, g.spacing.z});
  glm::dvec4 seen(0);
  double best = -1e300, sum = 0;
  for (double k = 0; k < n; ++k) {
    const double t = from + (k + 0.5) * h, v = points.value(eye + t * d);
    best = std::max(best, v);
    sum += v;
    if (o.mode == VolumeMode::iso && v >= o.iso) {
      double before = k == 0 ? from : t - h, at = t;
      if (k == 0 && points.value(eye + from * d) >= o.iso) return {0, 0, 1, from};
      for (int i = 0; i < 30; ++i) {
        const double middle = 0.5 * (before + at);
        (points.value(eye + middle * d) >= o.iso ? at : before) = middle;
      }
      return {0, 0, 1, at};
    }
    if (o.mode == VolumeMode::dvr && seen.a < o.opaque) {
      const Vec3 slope = points.sample(eye + t * d).gradient;
      const double rise = 0.5 * h * glm::dot(slope, d);  // from the step's middle to its end
      const auto s = c.between(v - rise, v + rise);
      const double opacity = -std::expm1(-s.extinction * h);
      if (opacity == 0) continue;
      const double strength =
          std::min(1.0, glm::length(slope) / (full_light_gradient * (c.high() - c.low()) / spacing));
      const Vec3 color =
          o.shaded ? glm::mix(s.color, lit(s.color, -glm::normalize(slope), d, light), strength) : s.color;
      seen += (1 - seen.a) * opacity * glm::dvec4(color, 1);
    }
  }
  if (o.mode == VolumeMode::dvr) return seen;
  if (o.mode == VolumeMode::iso) return glm::dvec4(0);
  return {o.mode == VolumeMode::mip ? best : o.mode == VolumeMode::drr ? sum * h : sum / n, 1, 0, 0};
}

}  // namespace

std::vector<double> render_reference(const PointReconstruction& points, const VolumeGrid& region,
                                     const CameraRays& rays, const VolumeRenderOptions& options,
                                     const Classifier& classifier) {
  const Vec3 light = light_of(rays);
  std::vector<double> picture(static_cast<std::size_t>(4 * rays.width * rays.height));
  parallel_for(rays.height, [&](std::int64_t y) {
    for (std::int64_t x = 0; x < rays.width; ++x) {
      const auto px = static_cast<double>(x), py = static_cast<double>(y);
      const glm::dvec4 found =
          trace(points, region, options, rays.ray_origin(px, py), rays.ray_direction(px, py), light, classifier);
      for (int i = 0; i < 4; ++i) picture[static_cast<std::size_t>(4 * (y * rays.width + x) + i)] = found[i];
    }
  });
  return picture;
}

}  // namespace backlit
