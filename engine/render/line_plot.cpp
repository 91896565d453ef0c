#include "render/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "render/text.hpp"

namespace backlit {
namespace {

constexpr Rgb paper{255, 255, 255}, ink{40, 40, 40}, grid_color{222, 222, 222}, curve{31, 95, 168};
constexpr double size = 14;  // px, of text

/// From values to pixels along one side of the picture.
struct Axis {
  double low, high;  ///< values at its ends
  double from, to;   ///< pixels
  bool logarithmic;

  double at(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double share = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
    return from + share * (to - from);
  }
};

/// A line of `thickness` pixels with soft edges.
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

/// Draws a line of text that runs upwards and is centred at (x, y): drawn level on paper of its own, then turned.
void draw_upwards(Image& image, double x, double y, const std::string& text) {
  const TextStyle style{size, ink, Align::left};
  Image level(static_cast<std::int64_t>(text_width(text, style)) + 2, static_cast<std::int64_t>(1.3 * size), paper);
  draw_text(level, 0, 0, text, style);
  const auto left = static_cast<std::int64_t>(x), bottom = static_cast<std::int64_t>(y) + level.width / 2;
  for (std::int64_t j = 0; j < level.height; ++j)
    for (std::int64_t i = 0; i < level.width; ++i) image.blend(left + j, bottom - i, level.at(i, j), 1);
}

double round_step(double span) {
  const double decade = std::pow(10.0, std::floor(std::log10(span / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade * 6 >= span) return factor * decade;
  return 10 * decade;
}

void draw_axes(Image& image, const Axis& x, const Axis& y, const PlotText& text) {
  const TextStyle below{size, ink, Align::center}, left{size, ink, Align::right};
  for (const double tick : round_ticks(x.low, x.high, false)) {
    draw_line(image, x.at(tick), y.from, x.at(tick), y.to, grid_color, 1);
    draw_text(image, x.at(tick), y.from + 0.5 * size, fmt::format("{:g}", tick), below);
  }
  for (const double tick : round_ticks(y.low, y.high, true)) {
    draw_line(image, x.from, y.at(tick), x.to, y.at(tick), grid_color, 1);
    draw_text(image, x.from - 0.6 * size, y.at(tick) - 0.4 * size, fmt::format("{:g}", tick), left);
  }
  draw_line(image, x.from, y.from, x.to, y.from, ink, 1);
  draw_line(image, x.from, y.from, x.from, y.to, ink, 1);
  draw_text(image, (x.from + x.to) / 2, y.from + 2 * size, text.x_label, below);
  draw_upwards(image, 0.5 * size, (y.from + y.to) / 2, text.y_label);
  draw_text(image, (x.from + x.to) / 2, 0.8 * size, text.title, {1.15 * size, ink, Align::center});
}

}  // namespace

std::vector<double> round_ticks(double low, double high, bool logarithmic) {
  std::vector<double> ticks;
  if (logarithmic) {
    const bool decades = high >= 300 * low;
    for (double decade = std::pow(10.0, std::floor(std::log10(low))); decade <= high * (1 + 1e-9); decade *= 10)
      for (const double factor : {1.0, 2.0, 5.0})
        if ((factor == 1 || !decades) && factor * decade >= low * (1 - 1e-9) && factor * decade <= high * (1 + 1e-9))
          ticks.push_back(factor * decade);
    return ticks;
  }
  const double step = round_step(high - low);
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) ticks.push_back(n * step);
  return ticks;
}

Image plot_logarithmic(std::span<const double> x, std::span<const double> y, const PlotText& text, std::int64_t width,
                       std::int64_t height) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (std::isfinite(x[i]) && std::isfinite(y[i]) && y[i] > 0) points.emplace_back(x[i], y[i]);
  if (points.empty()) throw InputError("plot", "no value is larger than 0", "there is nothing to draw");
  const auto [left, right] = std::ranges::minmax_element(points);
  const auto [least, most] = std::ranges::minmax_element(points, {}, [](const auto& point) { return point.second; });
  // A mark at least at each end of the scale.
  const double low = std::pow(10.0, std::floor(std::log10(least->second) * 3 - 1e-9) / 3);
  const double high = std::max(std::pow(10.0, std::ceil(std::log10(most->second) * 3 + 1e-9) / 3), 2.2 * low);
  const double widest = right->first > left->first ? right->first : left->first + 1;
  const Axis across{left->first, widest, 6.2 * size, static_cast<double>(width) - 1.5 * size, false};
  const Axis up{low, high, static_cast<double>(height) - 3.6 * size, 2.8 * size, true};
  Image image(width, height, paper);
  draw_axes(image, across, up, text);
  for (std::size_t i = 1; i < points.size(); ++i)
    draw_line(image, across.at(points[i - 1].first), up.at(points[i - 1].second), across.at(points[i].first),
              up.at(points[i].second), curve, 2);
  for (const auto& [px, py] : points)
    if (points.size() <= 60) draw_line(image, across.at(px), up.at(py), across.at(px), up.at(py), curve, 6);
  return image;
}

}  // namespace backlit
