// Distance-driven projection by summed areas: what lies within a footprint is a difference of the table at its four
// corners (Liu, Fu, De Man and Yu 2017). Footprints are rectangles, so corners can be shared along rows and slices but
// not across columns, whose rows' edges lie at different heights.
//
// Backprojection measures a voxel's share of a cell on the detector instead of in the slab, from the middle of the
// voxel: the pair matches to about 1e-3.
#pragma once

#include "cuda/distance_driven/kernels.hpp"
#include "study/cuda/distance_driven/two_floats.hpp"

namespace backlit::cuda {

/// Summed areas of a stack of images less `mean` and the mean of each column (along) beside it: an image is `across` by
/// `along` entries wide, a slab (voxels across the view, slices) or a view (columns in ascending order, rows). Entries
/// are floats or TwoFloats; floats are looked up in `texture` where there is one.
template <class Entry>
struct Areas {
  cudaTextureObject_t texture;
  const Entry* values;  ///< [image][along + 2][across + 2]: edges along, then what columns' means sum to
  int across, along;
  float mean;

  __host__ __device__ const Entry* line(int image, int edge) const {
    return values + (static_cast<std::int64_t>(image) * (along + 2) + edge) * (across + 2);
  }
};

/// Sums to be summed once more, across: `images` of `count` lines of sums, each of `edges` entries and its last one
/// again. `levels`: each line less its mean.
struct SumsAlong {
  int images, count, edges;
  std::int64_t image, between;  ///< from an image to the next, from a line to the next
  bool levels;
};

/// [image][edge][count + 2]: what lies below and left of two edges; the last of edges + 1 sums the means taken away.
/// From floats to floats, or from doubles to TwoFloats.
template <class Sum, class T>
void sum_areas(Stream&, const SumsAlong&, const Sum* sums, T* areas);

/// How neighbours along rows (projection) or slices (backprojection) come by the sums at the edge between them; none:
/// four lookups a footprint.
enum class Share {
  none,
  registers,      ///< a thread has 16 neighbours
  shared_memory,  ///< backprojection: a thread a slice, as in the paper; projection: registers
  shuffles        ///< the same, by the lanes of a warp
};

/// Views of one main axis, from the areas of its slabs.
template <class Entry>
void project_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, const Areas<Entry>&, Share,
                   float* projections, bool accumulate);

/// Views of one main axis, from the areas of their images, onto a volume with x fastest.
template <class Entry>
void backproject_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, const Areas<Entry>&,
                       Share, float* volume, bool accumulate);

}  // namespace backlit::cuda
