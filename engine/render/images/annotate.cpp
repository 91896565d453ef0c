#include <backlit/render/annotate.hpp>

#include <fmt/format.h>

#include <cmath>

#include "render/images/text.hpp"

namespace backlit {
namespace {

constexpr Rgb light{235, 235, 235};

}  // namespace

double round_length(double limit) {
  const double decade = std::pow(10.0, std::floor(std::log10(limit)));
  for (const double factor : {5.0, 2.0})
    if (factor * decade <= limit * (1 + 1e-12)) return factor * decade;
  return decade;
}

void draw_scale_bar(Image& image, std::int64_t right, std::int64_t bottom, std::int64_t panel_width,
                    double mm_per_pixel, double text_size, const std::string& unit) {
  const double length = round_length(mm_per_pixel * static_cast<double>(panel_width) / 3);
  const std::int64_t pixels = std::llround(length / mm_per_pixel);
  const auto thickness = std::max<std::int64_t>(2, std::llround(text_size / 5));
  image.fill(right - pixels - 1, bottom - thickness - 1, pixels + 2, thickness + 2, {0, 0, 0});
  image.fill(right - pixels, bottom - thickness, pixels, thickness, light);
  draw_text(image, static_cast<double>(right) - static_cast<double>(pixels) / 2,
            static_cast<double>(bottom - thickness) - 1.1 * text_size, fmt::format("{:g} {}", length, unit),
            {text_size, light, Align::center});
}

void draw_color_bar(Image& image, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                    const Window& window, const Colormap& map, const std::string& unit, double text_size) {
  constexpr Rgb frame{110, 110, 110};
  image.fill(x - 1, y - 1, width + 2, height + 2, frame);
  for (std::int64_t i = 0; i < width; ++i)
    image.fill(x + i, y, 1, height, map.at((static_cast<double>(i) + 0.5) / static_cast<double>(width)));
  const double below = static_cast<double>(y + height) + 0.45 * text_size;
  const double left = static_cast<double>(x), right = static_cast<double>(x + width);
  draw_text(image, left, below, fmt::format("{:.4g}", window.low), {text_size, light, Align::left});
  draw_text(image, right, below, fmt::format("{:.4g}", window.high), {text_size, light, Align::right});
  draw_text(image, (left + right) / 2, below, unit, {text_size, {170, 170, 170}, Align::center});
}

}  // namespace backlit
