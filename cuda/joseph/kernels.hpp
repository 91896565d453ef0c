// Slice-interpolated projection (projectors/joseph/slice_steps.hpp) and its exact transpose on the device.
//
// Forward: one thread per ray, slices perpendicular to the ray's main axis in a layered texture, one bilinear fetch per
// slice. A launch passes all views over a slab of slices that fits the L2 cache; sums accumulate in the projections
// from slab to slab. Back: one thread per voxel and a loop over the few rays that touch it, so there are no atomics and
// every run gives the same bits.
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/device/layered_textures.hpp"
#include "geometry/view_map.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit::cuda {

/// A view in the form that the kernels read.
struct ProjectedView {
  RayFrame<float> frame;
  ViewMap<float> map;    ///< from voxel indices, for the transpose
  std::int64_t slot[4];  ///< first pixel of its image in the projections; packed: those of the group's four images
  unsigned axes;         ///< bit m: some of its rays go through the stack along axis m
  int axis;              ///< stack of all its rays; -1: each ray's own main axis
};

struct ProjectionTask {
  int size[3];  ///< voxels along x, y, z
  int columns, rows, views;
  int views_per_block;        ///< neighbours in `view` that a block of rays processes one after the other
  const ProjectedView* view;  ///< on the device
  float* projections;
  bool clipped;  ///< a source lies within the grid: its rays begin there
};

/// The whole volume. Its lower bounds are literal zeros, which saves comparisons.
BACKLIT_HD inline VoxelBox whole_box(const ProjectionTask& t) {
  return {{0, 0, 0}, {t.size[0], t.size[1], t.size[2]}, {t.size[0], t.size[1], t.size[2]}};
}

/// Slices [first, first + count) perpendicular to `axis`, in layers 0, 1, ... of a texture.
struct StackSlab {
  cudaTextureObject_t texture;
  const float* unit;
  int axis, first, count;
};

/// Adds the slab's part to every ray that goes through the slab's stack.
void project_slab(Stream&, const ProjectionTask&, const StackSlab&);

/// The same, interpolated in software: no 8-bit weights. The slab's texels are R32F.
void project_slab_exactly(Stream&, const ProjectionTask&, const StackSlab&);

/// Adds the slab's part (slices along x, four quarter-turn copies of the volume in a texel) to all rays of the groups.
void project_orbit_slab(Stream&, const ProjectionTask&, const StackSlab&);

/// Adds the line integrals, interpolated in software: no 8-bit weights. Reads the volume in place.
void project_exact(Stream&, const ProjectionTask&, const float* volume);

/// Device memory for the paths of the rays of `views` views, [view][row][column], each along its own main axis.
struct PathTable {
  int views;
  float4* place;   ///< slice s is met at (x + s y, z + s w), the in-slice axes in x, y, z order
  float2* length;  ///< mm in a slice's slab; the main axis
  float2* start;   ///< used only when rays are clipped: sense and start of RayPath
};

/// The transpose of the projection over all stacks: overwrites or accumulates voxels. Reads `projections`. `flat`: the
/// detector is flat.
void backproject_slices(Stream&, const ProjectionTask&, const PathTable&, bool flat, float* volume, bool accumulate);

/// Copies slices [first, first + count) along `axis` of a linear volume into layers 0, 1, ...; a layer's columns and
/// rows are the other two axes in x, y, z order.
void fill_stack(Stream&, const float* volume, const int (&size)[3], int axis, int first, int count,
                const LayeredTextures& target);

/// The same along x of a volume of n x n x nz voxels; channel c holds the voxel that is c quarter turns on.
void fill_orbit_stack(Stream&, const float* volume, int n, int nz, int first, int count, const LayeredTextures& target);

}  // namespace backlit::cuda
