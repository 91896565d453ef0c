// Ray casting (projectors/raycast/samples.hpp) and its exact transpose on the device.
//
// Forward: one thread per ray; trilinear fetches from a 3-D texture, or in software from the linear volume. Back: one
// thread per voxel and a loop over the few rays that come near it, so there are no atomics and every run gives the same
// bits.
#pragma once

#include "cuda/joseph/kernels.hpp"

namespace backlit::cuda {

struct RaycastTask {
  ProjectionTask rays;
  float step;  ///< mm, longest distance between samples
};

/// Overwrites or accumulates the projections. `texture` holds values divided by *unit.
void project_raycast(Stream&, const RaycastTask&, cudaTextureObject_t texture, const float* unit, bool accumulate);
/// The same in software from a linear volume.
void project_raycast_exact(Stream&, const RaycastTask&, const float* volume, bool accumulate);
/// Device memory for the samples of the rays of `views` views, [view][row][column]: a ray is prepared once, and not
/// once for each voxel that it may touch.
struct SampleTable {
  int views;
  float4* point;  ///< first sample; mm between samples
  float4* step;   ///< step to the next sample; number of samples
};
/// The transpose: overwrites or accumulates voxels.
void backproject_raycast(Stream&, const RaycastTask&, const SampleTable&, float* volume, bool accumulate);
/// Copies a linear volume into a 3-D surface, as fp32 or, divided by *unit, as fp16.
void fill_texture3d(Stream&, const float* volume, const int (&size)[3], cudaSurfaceObject_t, const float* unit,
                    bool half);

}  // namespace backlit::cuda
