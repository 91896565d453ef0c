// Volume rendering in double precision, written to be correct and not fast.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <backlit/core/parallel.hpp>
#include <backlit/render/lighting.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "render/light_field.hpp"

namespace backlit {
namespace {

/// The part of a ray inside the volume: t from..to (none when from >= to), and the normal of the face where it enters.
struct Span {
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  Vec3 normal{0};

  /// Keeps the part of the ray (o, d) with dot(n, x) <= offset.
  void keep(const Vec3& n, double offset, const Vec3& o, const Vec3& d) {
    const double slope = glm::dot(n, d), gap = offset - glm::dot(n, o);
    if (slope == 0) {
      if (gap < 0) to = -std::numeric_limits<double>::infinity();
    } else if (slope > 0) {
      to = std::min(to, gap / slope);
    } else if (gap / slope > from) {
      from = gap / slope;
      normal = glm::normalize(n);
    }
  }
};

class Reference {
 public:
  Reference(const Volume& volume, const CameraRays& rays, const VolumeRenderOptions& options,
            const Classifier& classifier)
      : volume_(volume), rays_(rays), options_(options), classifier_(classifier), light_(light_of(rays)) {
    if (options.has_light_field())
      field_.emplace(volume.grid, options, light_, [this](const Vec3& point) { return extinction(point); });
  }

  glm::dvec4 pixel(std::int64_t x, std::int64_t y) const {
    const Vec3 o = rays_.ray_origin(static_cast<double>(x), static_cast<double>(y));
    const Vec3 d = rays_.ray_direction(static_cast<double>(x), static_cast<double>(y));
    const Span span = shown_part(o, d);
    if (!(span.from < span.to)) return glm::dvec4(0);
    const double length = span.to - span.from;
    const auto n = std::max<std::int64_t>(1, std::llround(std::ceil(length / largest_step(options_, volume_.grid))));
    const double h = length / static_cast<double>(n), phase = options_.jitter ? pixel_noise(x, y) : 0.5;
    const auto t = [&](std::int64_t k) { return span.from + (static_cast<double>(k) + phase) * h; };
    switch (options_.mode) {
      case VolumeMode::iso:
        for (std::int64_t k = 0; k < n; ++k)
          if (value(o + t(k) * d) >= options_.iso) return surface(o, d, span, k == 0 ? span.from : t(k - 1), t(k));
        return glm::dvec4(0);
      case VolumeMode::dvr: {
        glm::dvec4 sum(0);
        for (std::int64_t k = 0; k < n && sum.a < options_.opaque; ++k) sum += (1 - sum.a) * seen(o + t(k) * d, d, h);
        return sum;
      }
      default: {
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::int64_t k = 0; k < n; ++k) {
          const double v = value(o + t(k) * d);
          most = std::max(most, v);
          sum += v;
        }
        if (options_.mode == VolumeMode::mip) return {most, 1, 0, 0};
        return {options_.mode == VolumeMode::drr ? sum * h : sum / static_cast<double>(n), 1, 0, 0};
      }
    }
  }

 private:
  Span shown_part(const Vec3& o, const Vec3& d) const {
    Span span;
    const Vec3 low = glm::max(volume_.grid.lower(), options_.crop_low);
    const Vec3 high = glm::min(volume_.grid.upper(), options_.crop_high);
    for (int a = 0; a < 3; ++a) {
      Vec3 n(0);
      n[a] = 1;
      span.keep(n, high[a], o, d);
      span.keep(-n, -low[a], o, d);
    }
    for (const RenderPlane& p : options_.clips) span.keep(p.normal, glm::dot(p.normal, p.point), o, d);
    if (!rays_.endless && span.from < 0) {
      span.from = 0;
      span.normal = -d;
    }
    return span;
  }

  double value(const Vec3& point) const {
    const VolumeGrid& g = volume_.grid;
    std::int64_t low[3], high[3];
    double share[3];
    for (int a = 0; a < 3; ++a) {
      const double last = static_cast<double>(g.size[static_cast<std::size_t>(a)] - 1);
      const double at = std::clamp((point[a] - g.first_voxel()[a]) / g.spacing[a], 0.0, last);
      low[a] = static_cast<std::int64_t>(at);
      high[a] = std::min(low[a] + 1, g.size[static_cast<std::size_t>(a)] - 1);
      share[a] = at - static_cast<double>(low[a]);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const bool x = corner & 1, y = corner & 2, z = corner & 4;
      sum += (x ? share[0] : 1 - share[0]) * (y ? share[1] : 1 - share[1]) * (z ? share[2] : 1 - share[2]) *
             static_cast<double>(volume_.at(x ? high[0] : low[0], y ? high[1] : low[1], z ? high[2] : low[2]));
    }
    return sum;
  }

  /// Central differences over two voxels.
  Vec3 gradient(const Vec3& point) const {
    Vec3 g;
    for (int a = 0; a < 3; ++a) {
      Vec3 step(0);
      step[a] = volume_.grid.spacing[a];
      g[a] = (value(point + step) - value(point - step)) / (2 * step[a]);
    }
    return g;
  }

  double voxel() const { return largest_step(options_, volume_.grid) / options_.step; }

  Classifier::Sample with_boxes(const Classifier::Sample& s, double value, const Vec3& point) const {
    return classifier_.boxes().empty() ? s : classifier_.with_boxes(s, value, glm::length(gradient(point)));
  }
  double extinction(const Classifier::Sample& s, const Vec3& point) const {
    if (options_.gradient_opacity == 0 || s.extinction == 0) return s.extinction;
    return s.extinction * gradient_share(glm::length(gradient(point)), classifier_.high() - classifier_.low(), voxel(),
                                         options_.gradient_opacity);
  }
  /// What keeps light from passing a point, 1/mm.
  double extinction(const Vec3& point) const {
    const Vec3 low = glm::max(volume_.grid.lower(), options_.crop_low),
               high = glm::min(volume_.grid.upper(), options_.crop_high);
    for (int a = 0; a < 3; ++a)
      if (point[a] < low[a] || point[a] > high[a]) return 0;
    for (const RenderPlane& p : options_.clips)
      if (glm::dot(p.normal, point - p.point) > 0) return 0;
    if (options_.mode == VolumeMode::iso)
      return value(point) >= options_.iso ? solid_extinction(light_grid(volume_.grid, options_.light_cells)) : 0;
    return extinction(with_boxes(classifier_.at(value(point)), value(point), point), point);
  }
  /// A normal as long as the light that arrives.
  Vec3 lit_normal(const Vec3& point, const Vec3& normal) const {
    return field_ ? field_->arriving(point, normal) * normal : normal;
  }

  glm::dvec4 surface(const Vec3& o, const Vec3& d, const Span& span, double before, double at) const {
    if (before == span.from && value(o + before * d) >= options_.iso)
      return {lit_normal(o + before * d, span.normal), span.from};
    for (int i = 0; i < bisections; ++i) {
      const double middle = 0.5 * (before + at);
      (value(o + middle * d) >= options_.iso ? at : before) = middle;
    }
    const Vec3 g = gradient(o + at * d);
    return {lit_normal(o + at * d, glm::length(g) > 0 ? -glm::normalize(g) : -d), at};
  }

  /// Premultiplied colour and opacity of `h` mm of the ray about `point`.
  glm::dvec4 seen(const Vec3& point, const Vec3& d, double h) const {
    const Vec3 half = 0.5 * h * d;
    const double first = value(point - half), last = value(point + half);
    const Classifier::Sample s = with_boxes(classifier_.between(first, last), 0.5 * (first + last), point);
    const double opacity = -std::expm1(-extinction(s, point) * h);
    if (opacity == 0) return glm::dvec4(0);
    Vec3 color = s.color, outward(0);
    if (options_.shaded || field_) {
      const Vec3 g = gradient(point);
      const double full = full_light_gradient * (classifier_.high() - classifier_.low()) / voxel();
      const double strength = std::min(1.0, glm::length(g) / full);
      if (strength > 0) outward = -strength * glm::normalize(g);
      if (strength > 0 && options_.shaded) color = glm::mix(color, lit(color, -glm::normalize(g), d, light_), strength);
    }
    if (field_) color *= field_->arriving(point, outward);
    return glm::dvec4(color, 1) * opacity;
  }

  const Volume& volume_;
  const CameraRays& rays_;
  const VolumeRenderOptions& options_;
  const Classifier& classifier_;
  Vec3 light_;
  std::optional<LightField> field_;
};

}  // namespace

std::vector<double> render_reference(const Volume& volume, const CameraRays& rays, const VolumeRenderOptions& options,
                                     const Classifier& classifier) {
  options.check();
  const Reference reference(volume, rays, options, classifier);
  std::vector<double> found(static_cast<std::size_t>(4 * rays.width * rays.height));
  parallel_for(rays.height, [&](std::int64_t y) {
    for (std::int64_t x = 0; x < rays.width; ++x) {
      const glm::dvec4 f = reference.pixel(x, y);
      for (int c = 0; c < 4; ++c) found[static_cast<std::size_t>(4 * (y * rays.width + x) + c)] = f[c];
    }
  });
  return found;
}

}  // namespace backlit
