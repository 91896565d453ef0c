// Distance-driven projection (projectors/distance_driven/distance_driven.hpp) and its exact transpose on the device,
// without branches.
//
// Summed along z, a voxel column turns a cell's mean over slices into a difference at two row edges. The sum over slabs
// can be taken before the difference, so an edge is looked up once and serves both of its rows. The same holds for
// views summed along their rows. A warp is one column of cells (or a few columns of voxels) with edges along its lanes.
// So the work across the columns is the same for all lanes, lookups are neighbours in memory, and no 2-D table with its
// large sums is needed. Liu, Fu, De Man and Yu, IEEE Trans. Comput. Imaging 3 (2017) 617 sum in both directions and
// fetch four corners a footprint.
#pragma once

#include <cstdint>

#include "cuda/device/launch.hpp"
#include "geometry/view_map.hpp"
#include "projectors/distance_driven/distance_driven.hpp"

namespace backlit::cuda {

/// A view of a call.
struct SeenView {
  std::int64_t pixels;  ///< start of its image in the projections
  int view;             ///< index in the plan
  int axis;             ///< slabs are perpendicular to it
  int reversed;         ///< its columns are in descending order in memory
};

/// Arguments of all kernels: sizes, and the plan's views, [view][columns + 1] and [view][columns] on the device.
struct DistanceDrivenPlan {
  int size[3];  ///< voxels along x, y, z
  int columns, rows;
  const ColumnEdge<double>* edges;
  const RowEdges<double>* cells;
  const ViewMap<float>* maps;  ///< from voxel indices

  __host__ __device__ int slabs(int axis) const { return axis == 0 ? size[0] : size[1]; }
  __host__ __device__ int across(int axis) const { return slabs(1 - axis); }
};

/// Number of cells per lane, 32 apart, for `cells` cells: 1 to 3.
inline int lanes_deep(int cells) {
  int best = 1;
  double least = 1e30;
  for (const int r : {1, 2, 3}) {
    // The work shared by all cells of a lane costs half as much as a cell.
    const double cost = ((cells + 32 * r - 1) / (32 * r)) * (r + 0.5);
    if (cost < least) {
      least = cost;
      best = r;
    }
  }
  return best;
}

/// Runs run.operator()<R>() for R = lanes_deep(cells).
template <class Run>
void with_lanes(int cells, Run&& run) {
  switch (lanes_deep(cells)) {
    case 1:
      return run.template operator()<1>();
    case 2:
      return run.template operator()<2>();
    default:
      return run.template operator()<3>();
  }
}

/// Sums along z of a volume minus `mean`, [y][x][nz + 2]: entry k is the sum of slices below edge k; the last entry is
/// stored twice.
template <class T>
void sum_slices(Stream&, const DistanceDrivenPlan&, const float* volume, float mean, T* sums);

/// Sums along the rows of views, [seen view][column][rows + 2]: each cell times its ray's length in a slab, minus
/// `mean`.
template <class T>
void sum_rows(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, const float* projections, float mean,
              T* sums);

/// Projections of the views from sums along z.
template <class T>
void project_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, const T* sums, float* projections,
                     bool accumulate);

/// Voxels across that a warp backprojects at a time: as many as its registers hold.
template <class T>
constexpr int tile_voxels = sizeof(T) == 4 ? 8 : 4;
template <class T>
int tiles(int voxels) {
  return (voxels + tile_voxels<T> - 1) / tile_voxels<T>;
}

/// [seen view][slab][tile] The first column of the detector that reaches into each tile of voxels across the view. All
/// views have the main axis `axis`.
template <class T>
void find_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, int* first);

/// Adds the backprojection of the views' row sums to voxel columns: [y][x][nz].
template <class T>
void backproject_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, const int* first,
                         const T* sums, T* voxels);

/// Copies voxel columns to a volume with x fastest: overwrites or accumulates.
template <class T>
void turn_columns(Stream&, const DistanceDrivenPlan&, const T* voxels, float* volume, bool accumulate);

}  // namespace backlit::cuda
