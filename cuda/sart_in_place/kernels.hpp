// SART with the volume corrected in place, by the three representations of Keck et al. (IEEE NSS/MIC 2009) and one that
// their hardware did not have. Arithmetic: projectors/sart_in_place/unit_steps.hpp.
#pragma once

#include "cuda/device/launch.hpp"
#include "geometry/view_map.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit::cuda {

enum class Representation {
  texture3d,  ///< a linear volume that is corrected, and a 3-D texture copied from it that rays sample
  array2d,    ///< the same with layered 2-D textures, a slice a layer; interpolation between slices in software
  pitch2d,    ///< 2-D textures on the linear volume itself: no copy; interpolation between slices in software
  surface3d   ///< a 3-D array that rays sample and corrections write: no copy
};

/// Where the voxels lie. Voxel (i, j, k) of the linear volume is at ((k + front) * slice_rows + j) * pitch + i.
struct SartVolume {
  static constexpr int most_textures = 256;
  int nx, ny, nz;
  float* linear;          ///< null for surface3d
  int pitch, slice_rows;  ///< pitch2d: slices are followed by a row of zeros
  int front;              ///< slices of zeros before the first (and after the last): interpolation fades out there
  int log2_slices;        ///< slices a texture, of those that hold several
  cudaTextureObject_t texture[most_textures];
  cudaSurfaceObject_t surface[8];
};

/// One view. Corrections lie in memory `stride` floats a row, with a texture on them.
struct SartView {
  RayFrame<float> frame;
  ViewMap<float> map;  ///< from voxel indices
  const float* measured;
  float* corrections;
  cudaTextureObject_t correction_texture;
  int columns, rows, stride;
};

/// Blocks of find_corrections(): how many partial sums of squares it keeps.
int correction_blocks(int columns, int rows);

/// corrections = (measured - forward) / lengths; squares[block] += those of (measured - forward).
void find_corrections(Stream&, Representation, const SartVolume&, const SartView&, float* squares);

struct SartUpdate {
  float relaxation, floor;  ///< values below floor become it
  bool matched;
  bool backwards;  ///< from the last slice to the first: what the L2 cache still holds comes first
};

/// Adds to every voxel; texture3d and array2d write their textures in the same go when `fused`.
void correct_volume(Stream&, Representation, const SartVolume&, const SartView&, const SartUpdate&, bool fused);

/// Zeroes the slices of a surface that nothing else may ever write.
void clear_surface(Stream&, Representation, cudaSurfaceObject_t, int nx, int ny, int slices);

}  // namespace backlit::cuda
