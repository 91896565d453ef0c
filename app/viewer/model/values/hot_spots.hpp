// Small places with much of what a volume holds, such as a point source: samples all over the volume miss them.
#pragma once

#include "model/values/point_sampler.hpp"

namespace backlit::viewer {

/// The voxels of the bricks with the largest values, as far as these are above `above`.
struct HotVoxels {
  std::vector<Vec3> points;
  std::vector<float> values;
};
HotVoxels hot_voxels(PointSampler&, const gl::GlDisplayVolume::Front&, double above);

/// Where voxels that percentiles overlook hold a quarter of the sum of all positive values, the histogram's range, the
/// classes and the object follow from these. `share`: voxels that a sample stands for.
void find_hot_spot(Histogram&, const HotVoxels&, std::span<const Vec3> points, std::span<const float> samples,
                   double share);

}  // namespace backlit::viewer
