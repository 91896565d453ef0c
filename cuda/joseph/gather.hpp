// The transpose of Joseph's method by gathering (projectors/joseph/column_rays.hpp, flat_rays.hpp). First the pixels of
// some views are copied, times the length of their rays in a slice's slab. Then each voxel gathers from the copies: no
// atomics, and every run gives the same bits.
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/device/layered_textures.hpp"
#include "cuda/joseph/kernels.hpp"
#include "projectors/joseph/column_rays.hpp"
#include "projectors/joseph/flat_rays.hpp"

namespace backlit::cuda {

struct GatheredVolume {
  float* voxels;  ///< x fastest
  int size[3];
  bool accumulate;
};

struct GatherTask {
  const ColumnRayView* view;  ///< on the device, all views of the operator
  const ColumnRay* ray;       ///< [view][column]
  const int* item;            ///< on the device: indices of the views to gather
  int views;                  ///< number of items
  int columns, rows;
  int most_rows;  ///< per voxel along z, at most
  bool flat, parallel;
  float longest;  ///< mm, longest part of a ray in a slice's slab
};

/// `weighed` = [item][row][column], rows upwards along z, from the pixels of `task`. The views of `task` are the items,
/// in their order.
void weigh_views(Stream&, const ProjectionTask& task, const GatherTask&, bool rows_run_down, float* weighed);
void gather_columns(Stream&, const GatherTask&, const float* weighed, const GatheredVolume&);

/// SART's correction of a few views in one pass: voxel = max(voxel + factor sum / share, least), where `share` is the
/// result for views of ones. A voxel that no ray meets becomes max(voxel, least). `weighed` also holds the weights of
/// ones.
void weigh_views(Stream&, const ProjectionTask& task, const GatherTask&, bool rows_run_down, float2* weighed);
void relax_columns(Stream&, const GatherTask&, const float2* weighed, float factor, float least, const GatheredVolume&);

/// For groups of four views on quarter turns (projectors/voxel_driven/orbit.hpp), in the texels of the first layers of
/// RGBA16F textures whose unit is set. The items are the groups' first views; the views of `task` are the groups. All
/// rays of the first views go through slices along x.
void weigh_groups(Stream&, const ProjectionTask& task, bool rows_run_down, const LayeredTextures& weighed);
void gather_orbits(Stream&, const GatherTask&, const LayeredTextures& weighed, const GatheredVolume&);

/// For any flat detector (projectors/joseph/flat_rays.hpp), each ray along its own main axis.
struct FlatTask {
  const FlatView* view;  ///< on the device, all views of the operator
  const int* item;       ///< on the device: indices of the views to gather
  int views;             ///< number of items
  int columns, rows;
  bool parallel;
};
/// Columns of a row that the kernel reads at a time.
constexpr int flat_columns = 2;
/// Length of a row of copied pixels, with zeros behind the last one.
constexpr int flat_pitch(int columns) { return columns + flat_columns - 1; }
/// `weighed` = [item][row][flat_pitch(columns)], from the pixels of `task`. The views of `task` are the items, in their
/// order.
void weigh_flat(Stream&, const ProjectionTask& task, float* weighed);
void gather_flat(Stream&, const FlatTask&, const float* weighed, const GatheredVolume&);

}  // namespace backlit::cuda
