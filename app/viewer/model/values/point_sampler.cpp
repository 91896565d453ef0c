#include "model/values/point_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/values/hot_spots.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

using Texel = std::array<float, 4>;

/// Texel coordinates in one tile; points of other tiles get coordinates far outside.
std::vector<Texel> texels(const gl::GlDisplayVolume::Tile& tile, const VolumeGrid& grid, std::span<const Vec3> points) {
  std::vector<Texel> out(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 voxel = (points[i] - grid.first_voxel()) / grid.spacing;
    bool own = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const double v = voxel[static_cast<int>(a)];
      const auto first = static_cast<double>(tile.first[a]), end = static_cast<double>(tile.first[a] + tile.size[a]);
      const bool from_left = tile.first[a] == 0 || v >= first,
                 to_right = tile.first[a] + tile.size[a] == grid.size[a] || v < end;
      own = own && from_left && to_right;
      out[i][a] = static_cast<float>(v - static_cast<double>(tile.origin[a]));
    }
    if (!own) out[i] = {-1e9f, -1e9f, -1e9f, 0};
  }
  return out;
}

}  // namespace

PointSampler::PointSampler() : program_("sample points", {"render/sample_points.comp"}) {}

std::vector<float> PointSampler::values(const gl::GlDisplayVolume::Front& front, std::span<const Vec3> points) {
  std::vector<float> out(points.size(), std::numeric_limits<float>::quiet_NaN());
  if (!front.tiles || points.empty()) return out;
  const auto bytes = static_cast<std::int64_t>(points.size() * sizeof(Texel));
  if (points_.bytes() < bytes) {
    points_ = gl::Buffer("points", bytes);
    values_ = gl::Buffer("values at points", bytes / 4);
  }
  values_.write(std::as_bytes(std::span(out)));
  front.ready->wait_on_device();
  for (const auto& tile : *front.tiles) {
    points_.write(std::as_bytes(std::span<const Texel>(texels(tile, front.grid, points))));
    program_.use();
    program_.set("count", static_cast<int>(points.size()));
    tile.values.bind(0);
    points_.bind_storage(0);
    values_.bind_storage(1);
    glDispatchCompute(static_cast<GLuint>((points.size() + 63) / 64), 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  }
  values_.read(std::as_writable_bytes(std::span(out)));
  return out;
}

std::shared_ptr<const Histogram> sampled_histogram(PointSampler& sampler, const gl::GlDisplayVolume::Front& front,
                                                   std::int64_t samples) {
  const auto points = spread_points(front.grid, samples);
  const auto values = sampler.values(front, points);
  Histogram h = histogram_of(values);
  find_object(h, points, values);
  if (samples < usual_samples) return std::make_shared<const Histogram>(std::move(h));  // of a run in progress
  const double share = static_cast<double>(front.grid.voxels()) / static_cast<double>(points.size());
  find_hot_spot(h, hot_voxels(sampler, front, h.high), points, values, share);
  return std::make_shared<const Histogram>(std::move(h));
}

std::vector<Vec3> spread_points(const VolumeGrid& grid, std::int64_t most) {
  std::vector<Vec3> points;
  const double share = static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(1, grid.voxels()));
  std::array<std::int64_t, 3> n;
  for (std::size_t a = 0; a < 3; ++a)
    n[a] = share >= 1 ? grid.size[a]
                      : std::clamp<std::int64_t>(std::llround(std::cbrt(share) * static_cast<double>(grid.size[a])), 1,
                                                 grid.size[a]);
  const auto voxel = [&](std::size_t a, std::int64_t i) {
    return std::floor((static_cast<double>(i) + 0.5) * static_cast<double>(grid.size[a]) / static_cast<double>(n[a]));
  };
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i)
        points.push_back(grid.voxel_center(voxel(0, i), voxel(1, j), voxel(2, k)));
  return points;
}

}  // namespace backlit::viewer
