#include "render/light_field.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

std::size_t cell(const VolumeGrid& g, std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<std::size_t>((k * g.size[1] + j) * g.size[0] + i);
}

/// One slice of light; 1 outside.
struct Slice {
  std::int64_t width, height;
  std::vector<double> values;

  double texel(std::int64_t i, std::int64_t j) const {
    const bool inside = i >= 0 && j >= 0 && i < width && j < height;
    return inside ? values[static_cast<std::size_t>(j * width + i)] : 1;
  }
  double at(double x, double y) const {
    const double fx = std::floor(x), fy = std::floor(y), u = x - fx, v = y - fy;
    const auto i = static_cast<std::int64_t>(fx), j = static_cast<std::int64_t>(fy);
    return (1 - v) * ((1 - u) * texel(i, j) + u * texel(i + 1, j)) +
           v * ((1 - u) * texel(i, j + 1) + u * texel(i + 1, j + 1));
  }
};

}  // namespace

VolumeGrid light_grid(const VolumeGrid& volume, std::int64_t cells) {
  const Vec3 extent = volume.upper() - volume.lower();
  const double side = std::max({extent.x, extent.y, extent.z}) / static_cast<double>(cells);
  VolumeGrid grid{{}, {}, volume.center};
  for (int a = 0; a < 3; ++a) {
    const auto i = static_cast<std::size_t>(a);
    grid.size[i] = std::clamp<std::int64_t>(std::llround(extent[a] / side), 1, volume.size[i]);
    grid.spacing[a] = extent[a] / static_cast<double>(grid.size[i]);
  }
  return grid;
}

LightSweep shadow_sweep(const VolumeGrid& cells, const Vec3& to_light) {
  LightSweep s;
  for (int a = 1; a < 3; ++a)
    if (std::abs(to_light[a]) > std::abs(to_light[s.axis])) s.axis = a;
  const double along = std::abs(to_light[s.axis]), thick = cells.spacing[s.axis];
  s.from_upper = to_light[s.axis] > 0;
  s.path = thick / along;
  for (int i = 0; i < 2; ++i) {
    const int a = (s.axis + 1 + i) % 3;
    s.shift[static_cast<std::size_t>(i)] = to_light[a] / along * thick / cells.spacing[a];
  }
  return s;
}

std::vector<LightSweep> occlusion_sweeps(const VolumeGrid& cells) {
  const Vec3 extent = cells.upper() - cells.lower();
  const double reach = occlusion_reach * std::max({extent.x, extent.y, extent.z});
  std::vector<LightSweep> sweeps;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true})
      sweeps.push_back({axis, upper, {0, 0}, cells.spacing[axis], std::min(1.0, cells.spacing[axis] / reach), 1});
  return sweeps;
}

double solid_extinction(const VolumeGrid& cells) {
  return 4 / std::min({cells.spacing.x, cells.spacing.y, cells.spacing.z});
}

LightField::LightField(const VolumeGrid& volume, const VolumeRenderOptions& options, const Vec3& to_light,
                       const std::function<double(const Vec3&)>& extinction)
    : grid_(light_grid(volume, options.light_cells)), shadows_(options.shadows), occlusion_(options.occlusion) {
  extinction_.resize(static_cast<std::size_t>(grid_.voxels()));
  parallel_for(grid_.size[2], [&](std::int64_t k) {
    for (std::int64_t j = 0; j < grid_.size[1]; ++j)
      for (std::int64_t i = 0; i < grid_.size[0]; ++i) {
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner)
          sum += extinction(grid_.voxel_center(static_cast<double>(i) + (corner & 1 ? 0.25 : -0.25),
                                               static_cast<double>(j) + (corner & 2 ? 0.25 : -0.25),
                                               static_cast<double>(k) + (corner & 4 ? 0.25 : -0.25)));
        extinction_[cell(grid_, i, j, k)] = sum / 8;
      }
  });
  if (shadows_ > 0) sweep(shadow_sweep(grid_, to_light), 1, direct_);
  if (occlusion_ > 0)
    for (const LightSweep& s : occlusion_sweeps(grid_)) sweep(s, 1.0 / 6, ambient_);
}

void LightField::sweep(const LightSweep& s, double weight, std::vector<double>& light) const {
  light.resize(extinction_.size());
  const int a = s.axis, b = (a + 1) % 3, c = (a + 2) % 3;
  const auto size = [&](int axis) { return grid_.size[static_cast<std::size_t>(axis)]; };
  Slice before{size(b), size(c), std::vector<double>(static_cast<std::size_t>(size(b) * size(c)), 1)}, now = before;
  for (std::int64_t step = 0; step < size(a); ++step) {
    const std::int64_t slice = s.from_upper ? size(a) - 1 - step : step;
    for (std::int64_t v = 0; v < size(c); ++v)
      for (std::int64_t u = 0; u < size(b); ++u) {
        const double x = static_cast<double>(u) + s.shift[0], y = static_cast<double>(v) + s.shift[1];
        const double around = before.at(x - s.spread, y) + before.at(x + s.spread, y) + before.at(x, y - s.spread) +
                              before.at(x, y + s.spread);
        const double came = (2 * before.at(x, y) + around) / 6, here = came + (1 - came) * s.anew;
        std::int64_t at[3];
        at[a] = slice;
        at[b] = u;
        at[c] = v;
        const std::size_t i = cell(grid_, at[0], at[1], at[2]);
        light[i] += weight * here;
        now.values[static_cast<std::size_t>(v * size(b) + u)] = here * std::exp(-extinction_[i] * s.path);
      }
    std::swap(before, now);
  }
}

double LightField::at(const std::vector<double>& light, const Vec3& point) const {
  std::int64_t low[3], high[3];
  double share[3];
  for (int a = 0; a < 3; ++a) {
    const std::int64_t last = grid_.size[static_cast<std::size_t>(a)] - 1;
    const double x = std::clamp((point[a] - grid_.first_voxel()[a]) / grid_.spacing[a], 0.0, static_cast<double>(last));
    low[a] = static_cast<std::int64_t>(x);
    high[a] = std::min(low[a] + 1, last);
    share[a] = x - static_cast<double>(low[a]);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const bool x = corner & 1, y = corner & 2, z = corner & 4;
    sum += (x ? share[0] : 1 - share[0]) * (y ? share[1] : 1 - share[1]) * (z ? share[2] : 1 - share[2]) *
           light[cell(grid_, x ? high[0] : low[0], y ? high[1] : low[1], z ? high[2] : low[2])];
  }
  return sum;
}

double LightField::arriving(const Vec3& point, const Vec3& outward) const {
  const double side = std::max({grid_.spacing.x, grid_.spacing.y, grid_.spacing.z});
  const Vec3 outside = point + side * outward;  // the cell of a surface is partly behind it
  double share = 1;
  if (occlusion_ > 0) {
    const double open = std::min(1.0, 2 * at(ambient_, outside));  // a plane is lit from half of all directions
    share *= 1 - occlusion_ + occlusion_ * open * open;            // squared: gaps are seen more clearly
  }
  if (shadows_ > 0) share *= 1 - shadows_ + shadows_ * (shadow_light + (1 - shadow_light) * at(direct_, outside));
  return std::max(share, least_light);
}

}  // namespace backlit
