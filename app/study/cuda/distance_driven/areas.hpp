// Distance-driven projection with summed areas: the sum within a footprint is a difference of table values at its four
// corners (Liu, Fu, De Man and Yu 2017). Footprints are rectangles, so neighbours along rows and slices can share
// corners. Neighbours across columns cannot: the edges of their rows have different heights.
//
// Backprojection measures a voxel's share of a cell on the detector, at the middle of the voxel, and not in the slab.
// The pair matches to about 1e-3.
#pragma once

#include "cuda/distance_driven/kernels.hpp"
#include "study/cuda/distance_driven/two_floats.hpp"

namespace backlit::cuda {

/// Summed areas of a stack of images, less `mean` and the mean of each column (along). An image has `across` by `along`
/// entries: a slab (voxels across the view, slices) or a view (columns in ascending order, rows). Entries are floats or
/// TwoFloats; floats are read from `texture` if there is one.
template <class Entry>
struct Areas {
  cudaTextureObject_t texture;
  const Entry* values;  ///< [image][along + 2][across + 2]: edges along, then sums of the columns' means
  int across, along;
  float mean;

  __host__ __device__ const Entry* line(int image, int edge) const {
    return values + (static_cast<std::int64_t>(image) * (along + 2) + edge) * (across + 2);
  }
};

/// Sums to be summed a second time, across. Each of `images` images has `count` lines of `edges` sums, whose last entry
/// is repeated. `levels`: subtracts the mean from each line.
struct SumsAlong {
  int images, count, edges;
  std::int64_t image, between;  ///< distance from an image to the next, and from a line to the next
  bool levels;
};

/// areas[image][edge][count + 2]: sums of the entries below and left of two edges. The last of edges + 1 lines sums the
/// subtracted means. Sums are floats for areas of floats, doubles for TwoFloats.
template <class Sum, class T>
void sum_areas(Stream&, const SumsAlong&, const Sum* sums, T* areas);

/// Sharing of the sums at a common edge by neighbours along rows (projection) or slices (backprojection). none: four
/// lookups for each footprint.
enum class Share {
  none,
  registers,      ///< a thread has 16 neighbours
  shared_memory,  ///< backprojection: a thread for each slice, as in the paper; projection: registers
  shuffles        ///< like shared_memory, by the lanes of a warp
};

/// Projects views of one main axis, from the areas of its slabs.
template <class Entry>
void project_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, const Areas<Entry>&, Share,
                   float* projections, bool accumulate);

/// Backprojects views of one main axis, from the areas of their images, onto a volume with x fastest.
template <class Entry>
void backproject_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, const Areas<Entry>&,
                       Share, float* volume, bool accumulate);

}  // namespace backlit::cuda
