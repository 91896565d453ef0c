#include <backlit/render/image.hpp>

#include <algorithm>
#include <cmath>

namespace backlit {

void Image::blend(std::int64_t x, std::int64_t y, Rgb color, double coverage) {
  if (!contains(x, y)) return;
  const auto mix = [&](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + coverage * (above - below)));
  };
  Rgb& p = at(x, y);
  p = {mix(p.r, color.r), mix(p.g, color.g), mix(p.b, color.b)};
}

void Image::fill(std::int64_t x, std::int64_t y, std::int64_t w, std::int64_t h, Rgb color) {
  for (std::int64_t j = std::max<std::int64_t>(0, y); j < std::min(height, y + h); ++j)
    for (std::int64_t i = std::max<std::int64_t>(0, x); i < std::min(width, x + w); ++i) at(i, j) = color;
}

void Image::paste(const Image& other, std::int64_t x, std::int64_t y) {
  for (std::int64_t j = 0; j < other.height; ++j)
    for (std::int64_t i = 0; i < other.width; ++i)
      if (contains(x + i, y + j)) at(x + i, y + j) = other.at(i, j);
}

}  // namespace backlit
