#include <backlit/data/local_thickness.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

constexpr float far = std::numeric_limits<float>::infinity();

/// One line of values `stride` apart, their points `spacing` mm apart: the lower envelope of the parabolas above them.
class Envelope {
 public:
  explicit Envelope(std::int64_t longest)
      : vertices_(static_cast<std::size_t>(longest)), ends_(vertices_.size() + 1), values_(vertices_.size()) {}

  void run(float* line, std::int64_t count, std::int64_t stride, double spacing) {
    const double square = spacing * spacing;
    std::int64_t* const at = vertices_.data();
    double* const from = ends_.data();
    float* const heights = values_.data();
    std::int64_t last = -1;
    for (std::int64_t i = 0; i < count; ++i) {
      const float height = heights[i] = line[i * stride];
      if (height == far) continue;
      const auto meets = [&](std::int64_t j) {  // where the parabola of i goes below that of j
        const auto x = static_cast<double>(i), y = static_cast<double>(j);
        return ((height / square + x * x) - (heights[j] / square + y * y)) / (2 * (x - y));
      };
      while (last >= 0 && meets(at[last]) <= from[last]) --last;
      from[last + 1] = last < 0 ? -std::numeric_limits<double>::infinity() : meets(at[last]);
      at[++last] = i;
    }
    if (last < 0) return;  // nothing is near
    std::int64_t k = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      while (k < last && from[k + 1] <= static_cast<double>(i)) ++k;
      const auto away = static_cast<double>(i - at[k]);
      line[i * stride] = static_cast<float>(square * away * away + heights[at[k]]);
    }
  }

 private:
  std::vector<std::int64_t> vertices_;  ///< of the parabolas in the envelope
  std::vector<double> ends_;            ///< where each begins
  std::vector<float> values_;           ///< of the line
};

}  // namespace

void squared_distances(const VolumeGrid& grid, std::span<float> values) {
  const std::int64_t nx = grid.size[0], ny = grid.size[1], nz = grid.size[2];
  const std::int64_t longest = std::max({nx, ny, nz}), slice = nx * ny;
  float* const v = values.data();
  parallel_for(nz, [&](std::int64_t k) {
    Envelope envelope(longest);
    for (std::int64_t j = 0; j < ny; ++j) envelope.run(v + k * slice + j * nx, nx, 1, grid.spacing.x);
    for (std::int64_t i = 0; i < nx; ++i) envelope.run(v + k * slice + i, ny, nx, grid.spacing.y);
  });
  parallel_for(ny, [&](std::int64_t j) {
    Envelope envelope(longest);
    for (std::int64_t i = 0; i < nx; ++i) envelope.run(v + j * nx + i, nz, slice, grid.spacing.z);
  });
}

void local_thickness(Volume& object, const Watch& watch) {
  constexpr std::int64_t most_radii = 128;
  const VolumeGrid& grid = object.grid;
  float* const values = object.values.span().data();
  const std::int64_t count = grid.voxels();
  const double finest = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});

  // The radius of the largest ball about each voxel. The surface lies between the nearest voxel outside and half a
  // voxel before it: a quarter is right on average for plates of even and of odd numbers of voxels.
  std::vector<float> radii_of_balls(static_cast<std::size_t>(count)), distances(radii_of_balls.size());
  float* const radius = radii_of_balls.data();
  float* const near = distances.data();
  parallel_chunks(count, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t n = from; n < to; ++n) radius[n] = values[n] > 0 ? far : 0;
  });
  squared_distances(grid, radii_of_balls);
  const double endless = 0.5 * glm::length(grid.upper() - grid.lower());
  parallel_chunks(count, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t n = from; n < to; ++n) {
      const bool inside = values[n] > 0;
      radius[n] = !inside ? 0 : static_cast<float>(std::min(std::sqrt(double{radius[n]}) - 0.25 * finest, endless));
      values[n] = 0;
    }
  });

  // From the largest ball down: voxels that reach into a ball of radius r about a voxel where it fits.
  const double largest = count > 0 ? *std::ranges::max_element(radii_of_balls) : 0;
  const double step = std::max(0.5 * finest, largest / most_radii);
  const auto radii = static_cast<std::int64_t>(std::ceil(largest / step));
  watch.begin("thickness", radii, "radii");
  for (std::int64_t i = 0; i < radii; ++i) {
    const double r = largest - static_cast<double>(i) * step;
    parallel_chunks(count, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t n = from; n < to; ++n) near[n] = radius[n] >= static_cast<float>(r) ? 0 : far;
    });
    squared_distances(grid, distances);
    const double reached = r + 0.5 * finest;
    const auto reach = static_cast<float>(reached * reached * (1 + 1e-6)), diameter = static_cast<float>(2 * r);
    parallel_chunks(count, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t n = from; n < to; ++n)
        if (values[n] == 0 && radius[n] > 0 && near[n] <= reach) values[n] = diameter;
    });
    watch.advance(1);
  }
  watch.end();
  parallel_chunks(count, [&](std::int64_t from, std::int64_t to) {  // thinner than the last radius
    for (std::int64_t n = from; n < to; ++n)
      if (values[n] == 0 && radius[n] > 0) values[n] = 2 * radius[n];
  });
}

}  // namespace backlit
