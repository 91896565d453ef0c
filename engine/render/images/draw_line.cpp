#include "render/images/draw_line.hpp"

#include <algorithm>
#include <cmath>

namespace backlit {

void draw_line(Image& image, double x0, double y0, double x1, double y1, Rgb color, double thickness) {
  const double half = thickness / 2 + 0.5, length = std::hypot(x1 - x0, y1 - y0);
  const auto low = [&](double a, double b) { return static_cast<std::int64_t>(std::floor(std::min(a, b) - half)); };
  const auto high = [&](double a, double b) { return static_cast<std::int64_t>(std::ceil(std::max(a, b) + half)); };
  for (std::int64_t y = low(y0, y1); y <= high(y0, y1); ++y)
    for (std::int64_t x = low(x0, x1); x <= high(x0, x1); ++x) {
      const double px = static_cast<double>(x) - x0, py = static_cast<double>(y) - y0;
      const double t = length > 0 ? std::clamp((px * (x1 - x0) + py * (y1 - y0)) / (length * length), 0.0, 1.0) : 0;
      const double distance = std::hypot(px - t * (x1 - x0), py - t * (y1 - y0));
      if (distance < half) image.blend(x, y, color, std::min(1.0, half - distance));
    }
}

}  // namespace backlit
