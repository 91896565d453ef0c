// Values of the volume shown at points, for the probe, profiles, statistics and the histogram.
#pragma once

#include <span>
#include <vector>

#include "device/gl/gl_display_volume.hpp"
#include "gl/program.hpp"
#include "model/engine/events.hpp"

namespace backlit::viewer {

/// Works in any context that shares objects with the display's.
class PointSampler {
 public:
  PointSampler();

  /// Trilinear values at points in mm, NaN outside the volume. Waits for the device.
  std::vector<float> values(const gl::GlDisplayVolume::Front&, std::span<const Vec3> points);

 private:
  gl::Program program_;
  gl::Buffer points_, values_;
};

inline constexpr std::int64_t usual_samples = 1 << 18;

/// Of about so many values spread over the volume; says where its object lies, too.
std::shared_ptr<const Histogram> sampled_histogram(PointSampler&, const gl::GlDisplayVolume::Front&,
                                                   std::int64_t samples);

/// Up to about `most` centres of voxels, evenly spread over the grid; all of them where there are no more.
std::vector<Vec3> spread_points(const VolumeGrid&, std::int64_t most);

}  // namespace backlit::viewer
