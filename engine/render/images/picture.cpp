#include <backlit/render/picture.hpp>

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include <backlit/render/lighting.hpp>

namespace backlit {
namespace {

Vec3 share(Rgb c) { return Vec3(c.r, c.g, c.b) / 255.0; }

Rgb rounded(const Vec3& color) {
  const auto byte = [](double c) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(c, 0.0, 1.0))); };
  return {byte(color.x), byte(color.y), byte(color.z)};
}

}  // namespace

Image finish_picture(std::span<const double> found, PictureKind kind, const CameraRays& rays, const Finish& finish) {
  const Colormap& map = colormap(finish.map);
  const Vec3 light = light_of(rays), paper = share(finish.background), surface = share(finish.surface);
  const double width = finish.window.high - finish.window.low;
  const auto color = [&](std::int64_t x, std::int64_t y, const double* f) {
    if (kind == PictureKind::values) return f[1] == 0 ? finish.background : map.at((f[0] - finish.window.low) / width);
    const Vec3 c(f[0], f[1], f[2]);
    if (kind == PictureKind::colors) return rounded(c + (1 - f[3]) * paper);
    if (c == Vec3(0)) return finish.background;
    const double arriving = glm::length(c);  // 1 without shadows and occlusion
    const Vec3 direction = rays.ray_direction(static_cast<double>(x), static_cast<double>(y));
    return rounded(arriving * lit(surface, c / arriving, direction, light));
  };
  Image image(rays.width, rays.height);
  parallel_for(rays.height, [&](std::int64_t y) {
    for (std::int64_t x = 0; x < rays.width; ++x)
      image.at(x, y) = color(x, y, &found[static_cast<std::size_t>(4 * (y * rays.width + x))]);
  });
  return image;
}

Image shrunk(const Image& image, std::int64_t n) {
  if (n == 1) return image;
  Image small(image.width / n, image.height / n);
  for (std::int64_t y = 0; y < small.height; ++y)
    for (std::int64_t x = 0; x < small.width; ++x) {
      Vec3 sum(0);
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i) sum += share(image.at(n * x + i, n * y + j));
      small.at(x, y) = rounded(sum / static_cast<double>(n * n));
    }
  return small;
}

Window found_window(std::span<const double> found, const std::string& text, const std::string& where) {
  std::vector<float> values;
  for (std::size_t i = 0; i < found.size(); i += 4)
    if (found[i + 1] != 0) values.push_back(static_cast<float>(found[i]));
  return window_from(text, values, where);
}

}  // namespace backlit
