// The transpose of Joseph's method by gathering (projectors/joseph/column_rays.hpp, flat_rays.hpp). The pixels of some
// views, times the length of their rays in a slice's slab, are copied first; then each voxel gathers from the copies:
// no atomics, and every run gives the same bits.
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
  const int* item;            ///< on the device: which of the views are gathered
  int views;                  ///< how many
  int columns, rows;
  int most_rows;  ///< from voxel to voxel along z
  bool flat, parallel;
  float longest;  ///< mm, that a ray may have in a slice's slab
};

/// `weighed` = [item][row][column], rows upwards along z, from the pixels of `task`, whose views are the items in turn.
void weigh_views(Stream&, const ProjectionTask& task, const GatherTask&, bool rows_run_down, float* weighed);
void gather_columns(Stream&, const GatherTask&, const float* weighed, const GatheredVolume&);

/// SART's correction of a few views in one pass: voxel = max(voxel + factor sum / share, least), where `share` is what
/// views of ones would give; voxels that no ray meets only keep to `least`. `weighed` holds the weights of ones, too.
void weigh_views(Stream&, const ProjectionTask& task, const GatherTask&, bool rows_run_down, float2* weighed);
void relax_columns(Stream&, const GatherTask&, const float2* weighed, float factor, float least, const GatheredVolume&);

/// For groups of four views on quarter turns (projectors/voxel_driven/orbit.hpp), in the texels of the first
/// layers of RGBA16F textures whose unit is set. The items are the groups' first views, the views of `task` the groups;
/// all rays of these go through slices along x.
void weigh_groups(Stream&, const ProjectionTask& task, bool rows_run_down, const LayeredTextures& weighed);
void gather_orbits(Stream&, const GatherTask&, const LayeredTextures& weighed, const GatheredVolume&);

/// For any flat detector (projectors/joseph/flat_rays.hpp), each ray along its own main axis.
struct FlatTask {
  const FlatView* view;  ///< on the device, all views of the operator
  const int* item;       ///< on the device: which of the views are gathered
  int views;             ///< how many
  int columns, rows;
  bool parallel;
};
/// `weighed` = [item][row][column], from the pixels of `task`, whose views are the items in turn.
void weigh_flat(Stream&, const ProjectionTask& task, float* weighed);
void gather_flat(Stream&, const FlatTask&, const float* weighed, const GatheredVolume&);

}  // namespace backlit::cuda
