#include <backlit/projectors/require.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

void require_sound(const VolumeGrid& grid, const CtOptions& options) {
  if (options.model == Model::raycast && !(options.step > 0.01 && options.step <= 2))
    throw InputError("step", fmt::format("{} voxels between samples of raycast", options.step),
                     "give a number from 0.01 to 2");
  if (options.model == Model::blob && grid.size[2] == 1)
    throw Unsupported("model", "blob's kernels are round in space, the grid has one slice", "choose another model");
}

void require_sound(const VolumeGrid& grid, const Scan& scan, std::span<const float> attenuation,
                   const EmissionOptions& options) {
  grid.check("volume");
  scan.check("scan");
  if (scan.detector.shape != Detector::Shape::flat)
    throw Unsupported("detector", "emission takes flat detectors only", "rebin the scan to a flat detector");
  if (static_cast<std::int64_t>(attenuation.size()) != grid.voxels())
    throw InputError("attenuation", fmt::format("{} values for {} voxels", attenuation.size(), grid.voxels()),
                     "give it on the grid of the volume");
  // Phantoms of overlapping bodies have zeros with rounding errors of either sign.
  const float rounding = 1e-6f * std::ranges::max(attenuation);
  for (std::size_t i = 0; i < attenuation.size(); ++i)
    if (!(attenuation[i] >= -rounding) || !std::isfinite(attenuation[i]))
      throw InputError("attenuation", fmt::format("value {} of voxel {} is no attenuation", attenuation[i], i),
                       "give 1/mm, 0 or more");
  if (!(options.scatter_mm >= 0) || !std::isfinite(options.scatter_mm))
    throw InputError("scatter", fmt::format("a blur of {} mm", options.scatter_mm), "give 0 or more");
  const Vec3 lower = grid.lower(), upper = grid.upper();
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const View& view = scan.views[i];
    if (view.beam == Beam::parallel) continue;
    const Vec3 axis = detector_normal(view).normal;
    double nearest = 0;
    for (int a = 0; a < 3; ++a)
      nearest += std::min(axis[a] * (lower[a] - view.source[a]), axis[a] * (upper[a] - view.source[a]));
    if (nearest <= 0)
      throw Unsupported(fmt::format("view {}", i), "the focal point lies within the grid or beside it",
                        "give a smaller volume");
  }
}

}  // namespace backlit
