#include "io/volumes/stacks/image_frame.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

void set_frame(RawLayout& layout, const std::array<Vec3, 3>& steps, const std::optional<Vec3>& first_voxel,
               const std::string& where) {
  const std::array<std::int64_t, 3> size{layout.info.columns, layout.info.rows, layout.info.images};
  Vec3 spacing, center = first_voxel.value_or(Vec3(0));
  for (int a = 0; a < 3; ++a) {
    const Vec3& step = steps[static_cast<std::size_t>(a)];
    const double length = glm::length(step);
    const char axis = "xyz"[a];
    if (!(length > 0) || !std::isfinite(length))
      throw InputError(where, fmt::format("voxels along {} are {} mm apart", axis, length),
                       "the header is damaged: spacings are finite and positive");
    for (int other = 0; other < 3; ++other)
      if (other != a && std::abs(step[other]) > 1e-4 * length)
        throw InputError(where,
                         fmt::format("its {} axis runs along ({:.4g}, {:.4g}, {:.4g})", axis, step.x / length,
                                     step.y / length, step.z / length),
                         "only grids along the axes of the world can be read: resample it first");
    const auto i = static_cast<std::size_t>(a);
    spacing[a] = length;
    center[a] += 0.5 * step[a] * static_cast<double>(size[i] - 1);
    layout.reversed[i] = step[a] < 0;
    if (!std::isfinite(center[a]))
      throw InputError(where, fmt::format("its position along {} is not a finite number", axis),
                       "the header is damaged");
  }
  layout.info.spacing = spacing;
  layout.info.pixel_mm = glm::dvec2(spacing);
  if (first_voxel) {
    layout.info.center = center;
    layout.info.middle_mm = glm::dvec2(center);
  }
}

}  // namespace backlit
