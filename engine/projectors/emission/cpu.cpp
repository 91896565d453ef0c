#include "projectors/emission/cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "projectors/emission/make_plane_stack.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/bilinear.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {
namespace {

double affine(const double (&f)[4], const double (&p)[3]) { return f[0] * p[0] + f[1] * p[1] + f[2] * p[2] + f[3]; }

/// Calls f(first value of a slice, the slice's plane, share) for the two slices along z next to a point.
template <class Value, class F>
void for_layers(Value* volume, const VoxelBox& box, double z, F&& f) {
  const double whole = std::floor(z), share = z - whole;
  const auto k = static_cast<std::int64_t>(whole);
  const PlaneLayout plane{0, box.size[0], 1, 0, box.size[1], box.size[0]};
  const std::int64_t stride = box.size[0] * box.size[1];
  if (k >= 0 && k < box.size[2]) f(volume + k * stride, plane, 1 - share);
  if (k + 1 >= 0 && k + 1 < box.size[2] && share > 0) f(volume + (k + 1) * stride, plane, share);
}

}  // namespace

CpuEmission::CpuEmission(const VolumeGrid& grid, const Scan& scan, std::span<const float> attenuation,
                         const EmissionOptions& options)
    : CpuCtOperator(grid, scan),
      options_(options),
      box_{{0, 0, 0}, {grid.size[0], grid.size[1], grid.size[2]}, {grid.size[0], grid.size[1], grid.size[2]}},
      unit_length_(unit_length(grid)),
      attenuation_(attenuation.size()) {
  std::transform(attenuation.begin(), attenuation.end(), attenuation_.begin(),
                 [&](float mu) { return 1 - std::exp(-static_cast<double>(mu) * unit_length_); });
  densest_ = attenuation_.empty() ? 0 : *std::max_element(attenuation_.begin(), attenuation_.end());
  for (const View& view : scan.views) {
    frames_.push_back(make_ray_frame(scan.detector, view, grid));
    planes_.push_back(options.slices == EmissionOptions::Slices::axis
                          ? axis_planes(scan.detector, view, grid, options.detector_mm)
                          : facing_planes(scan.detector, view, grid, options.detector_mm));
  }
}

std::string CpuEmission::variant() const {
  return fmt::format("emission double, slices={},back={}", name(options_.slices), name(options_.back));
}

CpuEmission::March CpuEmission::start(std::int64_t view) const {
  const auto pixels = static_cast<std::size_t>(detector_.pixels());
  March m{static_cast<std::size_t>(view),
          {},
          std::vector<Crossing>(pixels),
          std::vector<double>(pixels),
          std::vector<double>(pixels)};
  m.rays.reserve(pixels);
  for (std::int64_t row = 0; row < detector_.rows; ++row)
    for (std::int64_t column = 0; column < detector_.columns; ++column)
      m.rays.push_back(make_ray(frames_[m.view], static_cast<double>(column), static_cast<double>(row)));
  return m;
}

double CpuEmission::sample(const double* volume, const double (&p)[3]) const {
  double value = 0;
  for_layers(volume, box_, p[2], [&](const double* slice, const PlaneLayout& plane, double share) {
    value += share * interpolate(slice, plane, p[0], p[1]);
  });
  return value;
}

void CpuEmission::cross(March& m, std::int64_t plane, const Physics& physics) const {
  const PlaneStack& s = planes_[m.view];
  const double where = s.first + static_cast<double>(plane) * s.step;
  const double middle[3] = {0.5 * static_cast<double>(grid_.size[0] - 1), 0.5 * static_cast<double>(grid_.size[1] - 1),
                            0.5 * static_cast<double>(grid_.size[2] - 1)};
  const double off = (where - s.normal[0] * middle[0] - s.normal[1] * middle[1] - s.normal[2] * middle[2]) /
                     (s.normal[0] * s.normal[0] + s.normal[1] * s.normal[1] + s.normal[2] * s.normal[2]);
  const double center[3] = {middle[0] + off * s.normal[0], middle[1] + off * s.normal[1],
                            middle[2] + off * s.normal[2]};
  for (std::size_t i = 0; i < m.rays.size(); ++i) {
    const Ray<double>& ray = m.rays[i];
    Crossing& c = m.crossings[i];
    double along = 0, from = 0;
    for (int a = 0; a < 3; ++a) {
      along += s.normal[a] * ray.direction[a];
      from += s.normal[a] * ray.origin[a];
    }
    const double t = (where - from) / along;
    c = {{0, 0, 0}, 0, 1, {0, 0}};
    // Rays run towards the detector, so along a ray the planes must come nearer to the detector.
    if (!(s.step * along < 0) || (!ray.endless && t <= 0)) continue;
    for (int a = 0; a < 3; ++a) c.point[a] = ray.origin[a] + t * ray.direction[a];
    c.path = -s.step / along;
    const bool asks = physics.attenuates || options_.scatter_by_attenuation;
    const double attenuation = asks ? sample(attenuation_.data(), c.point) : 0;
    if (physics.attenuates) c.passes = transmission(attenuation, c.path / unit_length_);
    if (!physics.scatters) continue;
    const bool own = options_.scatter_by_direction;
    double v = options_.scatter_mm * options_.scatter_mm *
               blur_variance(own ? c.path : s.thickness, affine(s.distance, own ? c.point : center),
                             options_.scatter_by_distance);
    if (options_.scatter_by_attenuation) v *= densest_ > 0 ? attenuation / densest_ : 0;
    const double depth = affine(s.depth, own ? c.point : center);
    for (int a = 0; a < 2; ++a) c.variance[a] = v * (s.pixels[a] / depth) * (s.pixels[a] / depth);
  }
}

/// Applies the kernel of each pixel to the image: along columns, then along rows; transposed, in the opposite order.
void CpuEmission::blur(March& m, bool transposed) const {
  const std::int64_t columns = detector_.columns, rows = detector_.rows;
  for (int turn = 0; turn < 2; ++turn) {
    const int axis = transposed ? 1 - turn : turn;
    const std::int64_t stride = axis == 0 ? 1 : columns, size = axis == 0 ? columns : rows;
    std::fill(m.blurred.begin(), m.blurred.end(), 0.0);
    for (std::int64_t at = 0; at < columns * rows; ++at) {
      const std::int64_t place = axis == 0 ? at % columns : at / columns;
      const auto k = blur_kernel(m.crossings[static_cast<std::size_t>(at)].variance[axis]);
      for (int o = -k.radius; o <= k.radius; ++o) {
        if (place + o < 0 || place + o >= size) continue;
        const auto here = static_cast<std::size_t>(at), there = static_cast<std::size_t>(at + o * stride);
        if (transposed)
          m.blurred[there] += weight(k, o) * m.image[here];
        else
          m.blurred[here] += weight(k, o) * m.image[there];
      }
    }
    m.image.swap(m.blurred);
  }
}

/// The collimator's blur between the grid and the detector's face.
void CpuEmission::blur_in_front(March& m, bool transposed) const {
  const PlaneStack& s = planes_[m.view];
  if (!options_.scatter_by_distance || options_.scatter_by_attenuation || !(s.front > 0)) return;
  const double mm = options_.scatter_mm * s.front / 100;
  for (Crossing& c : m.crossings)
    for (int a = 0; a < 2; ++a) c.variance[a] = mm * mm * (s.pixels[a] / s.front_depth) * (s.pixels[a] / s.front_depth);
  blur(m, transposed);
}

void CpuEmission::add_forward(const double* volume, double* projections, const SubsetRows& rows) {
  const Physics physics{true, options_.scatter_mm > 0};
  parallel_for(rows.count(), [&](std::int64_t r) {
    March m = start(rows.row(r));
    for (std::int64_t plane = planes_[m.view].count - 1; plane >= 0; --plane) {
      cross(m, plane, physics);
      if (physics.scatters) blur(m, false);
      for (std::size_t i = 0; i < m.image.size(); ++i) {
        const Crossing& c = m.crossings[i];
        if (c.path == 0) continue;
        m.image[i] = c.passes * m.image[i] + std::sqrt(c.passes) * c.path * sample(volume, c.point);
      }
    }
    if (physics.scatters) blur_in_front(m, false);
    double* out = projections + rows.slot(r) * detector_.pixels();
    for (std::size_t i = 0; i < m.image.size(); ++i) out[i] += m.image[i];
  });
}

// Views scatter into the same voxels, so they follow one another.
void CpuEmission::add_back(const double* projections, double* volume, const SubsetRows& rows) {
  const Physics physics{options_.back != EmissionOptions::Back::plain,
                        options_.back == EmissionOptions::Back::matched && options_.scatter_mm > 0};
  for (std::int64_t r = 0; r < rows.count(); ++r) {
    March m = start(rows.row(r));
    const double* in = projections + rows.slot(r) * detector_.pixels();
    std::copy(in, in + detector_.pixels(), m.image.begin());
    if (physics.scatters) blur_in_front(m, true);
    for (std::int64_t plane = 0; plane < planes_[m.view].count; ++plane) {
      cross(m, plane, physics);
      for (std::size_t i = 0; i < m.image.size(); ++i) {
        const Crossing& c = m.crossings[i];
        if (c.path == 0) continue;
        const double amount = std::sqrt(c.passes) * c.path * m.image[i];
        for_layers(volume, box_, c.point[2], [&](double* slice, const PlaneLayout& p, double share) {
          splat(slice, p, c.point[0], c.point[1], share * amount);
        });
        m.image[i] *= c.passes;
      }
      if (physics.scatters) blur(m, true);
    }
  }
}

ProjectorInfo emission_cpu() {
  ProjectorInfo info;
  info.model = Model::emission;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.make_emission = [](Backend&, const VolumeGrid& grid, const Scan& scan, std::span<const float> attenuation,
                          const EmissionOptions& options) {
    return std::make_unique<CpuEmission>(grid, scan, attenuation, options);
  };
  return info;
}

}  // namespace backlit
