// Distance-driven projection by summed areas: what lies within a footprint is a difference of the table at its four
// corners (Liu, Fu, De Man and Yu 2017). Footprints are rectangles, so corners can be shared along rows and slices but
// not across columns, whose rows' edges lie at different heights.
//
// Backprojection measures a voxel's share of a cell on the detector instead of in the slab, from the middle of the
// voxel: the pair matches to about 1e-3.
#pragma once

#include "cuda/distance_driven/kernels.hpp"

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
