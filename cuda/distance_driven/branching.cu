#include "cuda/distance_driven/branching.hpp"

namespace backlit::cuda {
namespace {

/// Edges are compared in double, because an overlap is a difference of nearly equal numbers.
__device__ inline float share_of(double a, double b, int i) {
  return static_cast<float>(overlap<double>(a, b, i, i + 1));
}

__global__ void __launch_bounds__(128) project_kernel(DistanceDrivenPlan plan, const SeenView* views,
                                                      const float* volume, float* projections, bool accumulate) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.z * blockDim.y + threadIdx.y;
  if (c >= plan.columns || row >= plan.rows) return;
  const SeenView view = views[blockIdx.y];
  const ColumnEdge<double>* edges = plan.edges + static_cast<std::int64_t>(view.view) * (plan.columns + 1) + c;
  const RowEdges<double> column = plan.cells[static_cast<std::int64_t>(view.view) * plan.columns + c];
  const std::int64_t nx = plan.size[0], image = nx * plan.size[1];
  const std::int64_t to_voxel = view.axis == 0 ? nx : 1, to_slab = view.axis == 0 ? 1 : nx;
  const int slabs = plan.slabs(view.axis), across = plan.across(view.axis), nz = plan.size[2];
  float sum = 0;
  for (int slab = 0; slab < slabs; ++slab) {
    const double s = slab, q0 = edges[0].at(s), q1 = edges[1].at(s);
    double z0 = column.base_at(s) + row * column.step_at(s), z1 = z0 + column.step_at(s);
    if (z1 < z0) {
      const double z = z0;
      z0 = z1;
      z1 = z;
    }
    float part = 0;
    for (int i = max(0, static_cast<int>(floor(q0))); i < across && i < q1; ++i) {
      const float width = share_of(q0, q1, i);
      const float* voxel = volume + i * to_voxel + slab * to_slab;
      for (int k = max(0, static_cast<int>(floor(z0))); k < nz && k < z1; ++k)
        part = fmaf(width * share_of(z0, z1, k), voxel[k * image], part);
    }
    sum += part / static_cast<float>((q1 - q0) * (z1 - z0));
  }
  float& value = projections[view.pixels + static_cast<std::int64_t>(row) * plan.columns +
                             (view.reversed ? plan.columns - 1 - c : c)];
  value = (accumulate ? value : 0.0f) + sum * static_cast<float>(column.length(row));
}

__global__ void __launch_bounds__(256)
    backproject_kernel(DistanceDrivenPlan plan, const SeenView* views, int count, int axis, const float* projections,
                       float* volume, bool accumulate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, slab = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= plan.across(axis) || slab >= plan.slabs(axis)) return;
  const double s = slab;
  float sum = 0;
  for (int v = 0; v < count; ++v) {
    const SeenView view = views[v];
    const ColumnEdge<double>* edges = plan.edges + static_cast<std::int64_t>(view.view) * (plan.columns + 1);
    // The first column that reaches into the voxel: close to the position where the voxel's edge is seen.
    DetectorPosition<float> at{};
    const float across = i - 0.5f, along = slab;
    project_voxel(plan.maps[view.view], axis == 0 ? along : across, axis == 0 ? across : along, 0.0f, at);
    const float guess = view.reversed ? plan.columns - 0.5f - at.column : at.column + 0.5f;
    int c = static_cast<int>(fminf(fmaxf(guess, 0.0f), plan.columns - 1.0f));
    while (c > 0 && edges[c].at(s) > i) --c;
    while (c < plan.columns && edges[c + 1].at(s) <= i) ++c;
    for (; c < plan.columns; ++c) {
      const double q0 = edges[c].at(s), q1 = edges[c + 1].at(s);
      if (q0 >= i + 1) break;
      const RowEdges<double> column = plan.cells[static_cast<std::int64_t>(view.view) * plan.columns + c];
      // Edges of the voxel among the rows, for either direction of the rows.
      const double base = column.base_at(s), step = column.step_at(s);
      double r0 = (k - base) / step, r1 = (k + 1 - base) / step;
      if (r1 < r0) {
        const double r = r0;
        r0 = r1;
        r1 = r;
      }
      const float* cell = projections + view.pixels + (view.reversed ? plan.columns - 1 - c : c);
      float part = 0;
      for (int r = max(0, static_cast<int>(floor(fmin(r0, double(plan.rows))))); r < plan.rows && r < r1; ++r)
        part = fmaf(share_of(r0, r1, r) * static_cast<float>(column.length(r)),
                    cell[static_cast<std::int64_t>(r) * plan.columns], part);
      sum = fmaf(share_of(q0, q1, i) / static_cast<float>(q1 - q0), part, sum);
    }
  }
  const std::int64_t nx = plan.size[0];
  float& value = volume[k * nx * plan.size[1] + (axis == 0 ? i * nx + slab : slab * nx + i)];
  value = (accumulate ? value : 0.0f) + sum;
}

}  // namespace

void project_branching(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count,
                       const float* volume, float* projections, bool accumulate) {
  const dim3 block(32, 4), grid(blocks(plan.columns, 32), static_cast<unsigned>(count), blocks(plan.rows, 4));
  stream.launch("project branching", grid, block, 0, project_kernel, plan, views, volume, projections, accumulate);
}

void backproject_branching(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                           const float* projections, float* volume, bool accumulate) {
  const dim3 block(32, 8),
      grid(blocks(plan.across(axis), 32), blocks(plan.slabs(axis), 8), static_cast<unsigned>(plan.size[2]));
  stream.launch("backproject branching", grid, block, 0, backproject_kernel, plan, views, count, axis, projections,
                volume, accumulate);
}

}  // namespace backlit::cuda
