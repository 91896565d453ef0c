#include "study/bench/bench_transpose.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/make_ray_frame.hpp"
#include "study/bench/bench_data.hpp"

namespace backlit {
namespace {

/// Data of a view for single voxels.
struct Exposure {
  RayFrame<double> frame;
  ViewMap<double> map;  ///< maps voxel indices
  int axis;             ///< main axis of all rays of the view; -1: each ray has its own
};

struct Pixels {
  std::int64_t first_column, last_column, first_row, last_row;
};

/// The pixels whose rays may pass within one voxel of a voxel: those in the projection of the cube around it, and one
/// more.
Pixels pixels_near(const Detector& d, const Exposure& view, const double (&voxel)[3]) {
  double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
  for (int corner = 0; corner < 27; ++corner) {
    DetectorPosition<double> at;
    if (!project_voxel(view.map, voxel[0] + corner % 3 - 1, voxel[1] + corner / 3 % 3 - 1, voxel[2] + corner / 9 - 1,
                       at))
      continue;
    low[0] = std::min(low[0], at.column), high[0] = std::max(high[0], at.column);
    low[1] = std::min(low[1], at.row), high[1] = std::max(high[1], at.row);
  }
  const auto first = [](double at) { return static_cast<std::int64_t>(std::max(0.0, std::floor(at) - 1)); };
  const auto last = [](double at, std::int64_t size) {
    return static_cast<std::int64_t>(std::min(static_cast<double>(size - 1), std::ceil(at) + 1));
  };
  return {first(low[0]), last(high[0], d.columns), first(low[1]), last(high[1], d.rows)};
}

/// The weight of a voxel in a ray's line integral.
double share_of(const Ray<double>& ray, const VoxelBox& box, const double (&voxel)[3], int axis) {
  const auto steps = slice_steps(ray, box, axis);
  const double slice = voxel[axis], u = voxel[axis == 0 ? 1 : 0], v = voxel[axis == 2 ? 1 : 2];
  const double near_u = 1 - std::abs(steps.u + slice * steps.du - u),
               near_v = 1 - std::abs(steps.v + slice * steps.dv - v);
  return near_u > 0 && near_v > 0 ? near_u * near_v * slab_length(steps, static_cast<std::int64_t>(slice)) : 0;
}

}  // namespace

TransposedVoxels transposed_voxels(const BenchCase& c, std::span<const float> views, StackChoice stack) {
  constexpr std::size_t sample = 300;
  const Detector& d = c.scan.detector;
  const auto [nx, ny, nz] = c.grid.size;
  const std::vector<int> axes = stack == StackChoice::view ? view_axes(c.scan, c.grid) : std::vector<int>{};
  std::vector<Exposure> exposures;
  for (std::size_t n = 0; n < c.scan.views.size(); ++n)
    exposures.push_back({make_ray_frame(d, c.scan.views[n], c.grid),
                         in_voxels(make_view_map(d, c.scan.views[n]), c.grid.first_voxel(), c.grid.spacing),
                         axes.empty() ? -1 : axes[n]});
  TransposedVoxels result{std::vector<std::int64_t>(sample), std::vector<double>(sample)};
  std::vector<float> random(sample);
  fill_random(random);
  const VoxelBox box{{0, 0, 0}, {nx, ny, nz}, {nx, ny, nz}};
  parallel_for(sample, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const auto index = static_cast<std::int64_t>(0.5 * (1 + static_cast<double>(random[at])) *
                                                 static_cast<double>(c.grid.voxels() - 1));
    const double voxel[3] = {static_cast<double>(index % nx), static_cast<double>(index / nx % ny),
                             static_cast<double>(index / (nx * ny))};
    double sum = 0;
    for (std::size_t n = 0; n < exposures.size(); ++n) {
      const Pixels box_of = pixels_near(d, exposures[n], voxel);
      for (std::int64_t row = box_of.first_row; row <= box_of.last_row; ++row)
        for (std::int64_t column = box_of.first_column; column <= box_of.last_column; ++column) {
          const auto ray = make_ray(exposures[n].frame, static_cast<double>(column), static_cast<double>(row));
          const int axis = exposures[n].axis < 0 ? main_axis(ray.direction) : exposures[n].axis;
          const auto pixel = (static_cast<std::int64_t>(n) * d.rows + row) * d.columns + column;
          sum += share_of(ray, box, voxel, axis) * static_cast<double>(views[static_cast<std::size_t>(pixel)]);
        }
    }
    result.voxels[at] = index;
    result.values[at] = sum;
  });
  return result;
}

double relative_l2(const TransposedVoxels& truth, std::span<const float> volume) {
  double off = 0, all = 0;
  for (std::size_t n = 0; n < truth.voxels.size(); ++n) {
    off += std::pow(static_cast<double>(volume[static_cast<std::size_t>(truth.voxels[n])]) - truth.values[n], 2);
    all += truth.values[n] * truth.values[n];
  }
  return std::sqrt(off / all);
}

}  // namespace backlit
