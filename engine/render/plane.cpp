#include <backlit/render/plane.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

/// Volume axes that point right, up and away in a picture seen against an axis.
struct PictureAxes {
  std::size_t right, up, depth;
};

PictureAxes picture_axes(Axis axis) {
  switch (axis) {
    case Axis::x:
      return {1, 2, 0};
    case Axis::y:
      return {0, 2, 1};
    default:
      return {0, 1, 2};
  }
}

double spacing(const VolumeGrid& g, std::size_t axis) { return g.spacing[static_cast<int>(axis)]; }

Plane empty_plane(const VolumeGrid& g, const PictureAxes& f) {
  Plane plane{g.size[f.right], g.size[f.up], spacing(g, f.right), spacing(g, f.up), {}};
  plane.values.resize(static_cast<std::size_t>(plane.width * plane.height));
  return plane;
}

float value(const Volume& v, const PictureAxes& f, std::int64_t right, std::int64_t up, std::int64_t depth) {
  Size3 index;
  index[f.right] = right;
  index[f.up] = up;
  index[f.depth] = depth;
  return v.at(index[0], index[1], index[2]);
}

/// Calls f(right, up) -> float for every pixel; `up` counts from the bottom row.
template <class F>
void fill(Plane& plane, F&& f) {
  std::size_t n = 0;
  for (std::int64_t up = plane.height - 1; up >= 0; --up)
    for (std::int64_t right = 0; right < plane.width; ++right) plane.values[n++] = f(right, up);
}

float bilinear(const Plane& p, double x, double y) {
  x = std::clamp(x, 0.0, static_cast<double>(p.width - 1));
  y = std::clamp(y, 0.0, static_cast<double>(p.height - 1));
  const auto x0 = static_cast<std::int64_t>(x), y0 = static_cast<std::int64_t>(y);
  const auto x1 = std::min(x0 + 1, p.width - 1), y1 = std::min(y0 + 1, p.height - 1);
  const float tx = static_cast<float>(x - static_cast<double>(x0)),
              ty = static_cast<float>(y - static_cast<double>(y0));
  const float top = p.at(x0, y0) + tx * (p.at(x1, y0) - p.at(x0, y0));
  const float bottom = p.at(x0, y1) + tx * (p.at(x1, y1) - p.at(x0, y1));
  return top + ty * (bottom - top);
}

}  // namespace

Axis axis_from(const std::string& name) {
  if (name == "x") return Axis::x;
  if (name == "y") return Axis::y;
  if (name == "z") return Axis::z;
  throw InputError("axis", fmt::format("unknown name '{}'", name), "choose one of x, y, z");
}

Plane extract_slice(const Volume& volume, Axis axis, double position) {
  const PictureAxes f = picture_axes(axis);
  const int a = static_cast<int>(axis);
  const auto last = static_cast<double>(volume.grid.size[f.depth] - 1);
  const double index = (position - volume.grid.first_voxel()[a]) / volume.grid.spacing[a];
  if (!(index >= -0.5 && index <= last + 0.5))
    throw InputError("position", fmt::format("{} mm along {} is outside the volume", position, "xyz"[a]),
                     fmt::format("give {} to {}", volume.grid.lower()[a], volume.grid.upper()[a]));
  const double inside = std::clamp(index, 0.0, last);
  const auto k0 = static_cast<std::int64_t>(inside);
  const auto k1 = std::min(k0 + 1, volume.grid.size[f.depth] - 1);
  const float t = static_cast<float>(inside - static_cast<double>(k0));
  Plane plane = empty_plane(volume.grid, f);
  fill(plane, [&](std::int64_t right, std::int64_t up) {
    const float near = value(volume, f, right, up, k0);
    return t == 0 ? near : near + t * (value(volume, f, right, up, k1) - near);
  });
  return plane;
}

Plane maximum_projection(const Volume& volume, Axis axis) {
  const PictureAxes f = picture_axes(axis);
  Plane plane = empty_plane(volume.grid, f);
  fill(plane, [&](std::int64_t right, std::int64_t up) {
    float largest = -std::numeric_limits<float>::infinity();
    for (std::int64_t k = 0; k < volume.grid.size[f.depth]; ++k) {
      const float v = value(volume, f, right, up, k);
      if (v > largest) largest = v;
    }
    return largest;
  });
  return plane;
}

Image colorize(const Plane& plane, const Window& window, const Colormap& map, double mm_per_pixel) {
  const double step = mm_per_pixel > 0 ? mm_per_pixel : std::min(plane.pixel_x, plane.pixel_y);
  const double step_x = step / plane.pixel_x, step_y = step / plane.pixel_y;
  const auto pixels = [](std::int64_t n, double s) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(n) / s));
  };
  Image image(pixels(plane.width, step_x), pixels(plane.height, step_y));
  for (std::int64_t y = 0; y < image.height; ++y)
    for (std::int64_t x = 0; x < image.width; ++x) {
      const float v =
          bilinear(plane, (static_cast<double>(x) + 0.5) * step_x - 0.5, (static_cast<double>(y) + 0.5) * step_y - 0.5);
      image.at(x, y) = map.at((v - window.low) / (window.high - window.low));
    }
  return image;
}

}  // namespace backlit
