#include <backlit/render/volume_rendering.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

const std::vector<std::string>& volume_mode_names() {
  static const std::vector<std::string> names{"mip", "average", "drr", "iso", "dvr"};
  return names;
}

VolumeMode volume_mode_from(const std::string& name) {
  const auto& names = volume_mode_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw InputError("mode", fmt::format("unknown name '{}'", name),
                     fmt::format("choose one of {}", fmt::join(names, ", ")));
  return static_cast<VolumeMode>(found - names.begin());
}

PictureKind picture_kind(VolumeMode mode) {
  if (mode == VolumeMode::dvr) return PictureKind::colors;
  return mode == VolumeMode::iso ? PictureKind::surface : PictureKind::values;
}

void VolumeRenderOptions::check() const {
  if (!(step >= 0.05 && step <= 2)) throw InputError("step", fmt::format("{} voxels", step), "give 0.05 to 2");
  if (!(opaque > 0 && opaque <= 1)) throw InputError("opaque", fmt::format("{}", opaque), "give a share up to 1");
  for (const auto& [name, share] :
       {std::pair{"gradient_opacity", gradient_opacity}, {"shadows", shadows}, {"occlusion", occlusion}})
    if (!(share >= 0 && share <= 1)) throw InputError(name, fmt::format("{}", share), "give 0 to 1");
  if (light_cells < 8 || light_cells > 256)
    throw InputError("light_cells", fmt::format("{}", light_cells), "give 8 to 256");
  if (!std::isfinite(iso)) throw InputError("iso", "not a finite number", "give a value of the volume");
  for (int a = 0; a < 3; ++a)
    if (!(crop_low[a] < crop_high[a]))
      throw InputError("crop", fmt::format("{} to {} mm along {} is empty", crop_low[a], crop_high[a], "xyz"[a]),
                       "the first corner must be the lower one");
  if (clips.size() > max_clips)
    throw InputError("clip", fmt::format("{} planes", clips.size()), fmt::format("give at most {}", max_clips));
  for (const RenderPlane& p : clips)
    if (!(glm::length(p.normal) > 0) || !std::isfinite(glm::length(p.normal)) || !std::isfinite(glm::length(p.point)))
      throw InputError("clip", "a plane without a direction", "give a normal that is not zero");
}

bool VolumeRenderOptions::has_light_field() const {
  return (mode == VolumeMode::dvr || mode == VolumeMode::iso) && (shadows > 0 || occlusion > 0);
}

double gradient_share(double gradient, double range, double voxel, double gradient_opacity) {
  const double full = full_opacity_gradient * range / voxel;
  return 1 - gradient_opacity + gradient_opacity * std::min(1.0, gradient / full);
}

double largest_step(const VolumeRenderOptions& options, const VolumeGrid& grid) {
  return options.step * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
}

double pixel_noise(std::int64_t x, std::int64_t y) {
  // In float, as in the shader: the result is the fraction of a large product, so that rounding counts.
  const auto fract = [](float v) { return v - std::floor(v); };
  return fract(52.9829189f * fract(static_cast<float>(x) * 0.06711056f + static_cast<float>(y) * 0.00583715f));
}

}  // namespace backlit
