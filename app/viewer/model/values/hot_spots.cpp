#include "model/values/hot_spots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

constexpr std::size_t most_bricks = 16;

struct Brick {
  const gl::GlDisplayVolume::Tile* tile;
  std::array<std::int64_t, 3> at;
  float largest;
};

void add_bricks(std::vector<Brick>& all, const gl::GlDisplayVolume::Tile& tile, double above) {
  const gl::Texture& t = tile.bricks;
  std::vector<std::array<float, 2>> ranges(static_cast<std::size_t>(t.width() * t.height() * t.depth()));
  glGetTextureImage(t.id(), 0, GL_RG, GL_FLOAT, static_cast<GLsizei>(ranges.size() * sizeof(ranges[0])), ranges.data());
  std::size_t i = 0;
  for (std::int64_t z = 0; z < t.depth(); ++z)
    for (std::int64_t y = 0; y < t.height(); ++y)
      for (std::int64_t x = 0; x < t.width(); ++x, ++i)
        if (ranges[i][1] > above) all.push_back({&tile, {x, y, z}, ranges[i][1]});
}

void add_voxels(std::vector<Vec3>& points, const Brick& brick, const VolumeGrid& grid) {
  std::array<std::int64_t, 3> from, to;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t first = brick.tile->origin[a] + gl::brick_size * brick.at[a];
    from[a] = std::max(first, brick.tile->first[a]);
    to[a] = std::min(first + gl::brick_size, brick.tile->first[a] + brick.tile->size[a]);
  }
  for (std::int64_t k = from[2]; k < to[2]; ++k)
    for (std::int64_t j = from[1]; j < to[1]; ++j)
      for (std::int64_t i = from[0]; i < to[0]; ++i)
        points.push_back(grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
}

}  // namespace

HotVoxels hot_voxels(PointSampler& sampler, const gl::GlDisplayVolume::Front& front, double above) {
  std::vector<Brick> bricks;
  for (const auto& tile : *front.tiles) add_bricks(bricks, tile, above);
  const std::size_t kept = std::min(most_bricks, bricks.size());
  std::ranges::partial_sort(bricks, bricks.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{},
                            &Brick::largest);
  bricks.resize(kept);
  std::vector<Vec3> points;
  for (const Brick& brick : bricks) add_voxels(points, brick, front.grid);
  const std::vector<float> values = sampler.values(front, points);
  HotVoxels hot;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(values[i] > above)) continue;
    hot.points.push_back(points[i]);
    hot.values.push_back(values[i]);
  }
  return hot;
}

void find_hot_spot(Histogram& h, const HotVoxels& hot, std::span<const Vec3> points, std::span<const float> samples,
                   double share) {
  std::vector<std::pair<float, double>> all;  // value, voxels
  double sum = 0;
  const auto add = [&](std::span<const float> values, double voxels) {
    for (const float v : values) {
      if (!(v > 0) || !std::isfinite(v)) continue;
      all.emplace_back(v, voxels);
      sum += voxels * v;
    }
  };
  // The hot voxels are complete, so a sample as high as they are stands for itself alone.
  const float least = hot.values.empty() ? INFINITY : *std::ranges::min_element(hot.values);
  std::vector<float> low, high;
  for (const float v : samples) (v < least ? low : high).push_back(v);
  add(low, share);
  add(high, 1);
  add(hot.values, 1);
  std::ranges::sort(all, std::greater{});
  constexpr double much = 0.25;
  double above = 0;
  const auto level =
      std::ranges::find_if(all, [&](const auto& v) { return (above += v.first * v.second) >= much * sum; });
  if (level == all.end() || level->first <= h.percentile(99.9)) return;
  h.hot = level->first;
  h.high = std::max<double>(h.high, all.front().first);
  std::vector<float> values(samples.begin(), samples.end());
  values.insert(values.end(), hot.values.begin(), hot.values.end());
  std::vector<Vec3> places(points.begin(), points.end());
  places.insert(places.end(), hot.points.begin(), hot.points.end());
  h.bins = histogram_of(values, h.bins.size()).bins;
  ValueClasses& c = h.classes;
  c.object = std::max(c.object, 0.3 * h.hot);
  c.body = c.core = c.dense = h.hot;
  c.high = std::max<double>(h.hot * 1.001, all.front().first);
  c.two_parts = false;
  find_object(h, places, values);
}

}  // namespace backlit::viewer
